"""The models install alone: a wheel built from the checkout carries none of the book, and needs nothing of it."""

import subprocess
import sys
import sysconfig
import tomllib
import zipfile

import pytest

from compendium import places

NEEDED = {"numpy", "scipy", "numba", "llvmlite"}
ANSWERS = """
import importlib.abc, sys

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        standard = top in sys.stdlib_module_names or top.startswith("_sysconfigdata")
        if not standard and top not in {needed} | {{"clustershare"}}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refuse())
sys.path[:0] = [{wheel!r}]
sys.path.append({packages!r})
import clustershare
assert clustershare.__file__.startswith({wheel!r})
from clustershare import multiserver, uniprocessor
graph = multiserver.CompatibilityGraph([{{0, 2}}, {{1, 2}}], [1, 1, 1])
print(multiserver.balanced_fairness(graph, [0.75, 0.75]).mean_jobs.round(6).tolist())
run = dict(jumps=2000, warmup=100, replications=2, seed=1)
print(uniprocessor.simulate("PQ", (0.6, 0.4), (0.3, 0.2), **run).method)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built as anybody would build it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder]
    source = folder / "source"  # a copy: a build leaves folders behind
    subprocess.run(["git", "clone", "--quiet", places.ROOT, source], check=True)
    subprocess.run([*command, source], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_it_carries_the_models_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.partition("/")[0] for name in names}
    assert "clustershare/py.typed" in names
    assert {top for top in tops if not top.endswith(".dist-info")} == {"clustershare"}


def test_it_needs_three_packages():
    project = tomllib.loads((places.ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["dependencies"]) == NEEDED - {"llvmlite"}  # which numba brings


def test_it_answers_alone(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = ANSWERS.format(needed=NEEDED, wheel=str(tmp_path), packages=sysconfig.get_paths()["purelib"])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[0.728571, 0.728571]", "simulation"], done.stderr
