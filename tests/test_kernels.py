"""What every file with kernels must keep to, because the compiler's cache relies on it."""

import ast
import os
import shutil
import subprocess
import sys

import pytest

from compendium import places

MODELS = places.ROOT / "lib" / "clustershare"
SHARED = sorted(path for path in MODELS.joinpath("compiled").glob("*.py"))
KERNELS = sorted(path for path in MODELS.rglob("*.py") if "\n@kernel\n" in path.read_text(encoding="utf-8"))


def name(path):
    return path.relative_to(MODELS).with_suffix("").as_posix()


def imports(path):
    """The modules that a file imports at its top or anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_the_files_with_kernels_are_found():
    packages = {path.parent.name for path in KERNELS}
    assert packages >= {"compiled", "uniprocessor", "multiserver", "interruptions", "cluster_chain", "cluster_variants"}
    assert len(SHARED) > 5


@pytest.mark.parametrize("path", KERNELS, ids=name)
def test_a_kernel_calls_its_own_file_and_the_shared_parts_alone(path):
    outside = {module for module in imports(path) if not module.startswith("clustershare.compiled.")}
    assert outside <= {"math", "numpy"}


@pytest.mark.parametrize("path", sorted({*KERNELS, *SHARED}), ids=name)
def test_a_kernel_is_compiled_in_one_way_and_draws_from_the_generator_it_is_given(path):
    text = path.read_text(encoding="utf-8")
    for word in ("np.random.s", "np.random.r", "prange", "parallel=", "getattr", "generated_jit", "overload("):
        assert word not in text
    if path.stem != "jit":
        assert not {"numba", "random"} & set(imports(path)) and "njit" not in text


@pytest.mark.parametrize("path", KERNELS, ids=name)
def test_a_kernel_is_a_function_of_its_module(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    decorated = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.decorator_list]
    kernels = [node for node in decorated if [ast.unparse(mark) for mark in node.decorator_list] == ["kernel"]]
    assert kernels and all(node in tree.body for node in kernels)
    for node in kernels:
        assert sum(isinstance(inner, (ast.FunctionDef, ast.Lambda)) for inner in ast.walk(node)) == 1  # itself


PROGRAM = """
import numba, numpy, own
from clustershare.compiled.encoding import encode
from clustershare.sizes import Deterministic
print(numba.config.CACHE_DIR)
print(own.twice(numpy.random.default_rng(1), encode(Deterministic(3.0))))
"""
OWN = """
from clustershare.compiled.jit import kernel
from clustershare.compiled.laws import draw

@kernel
def twice(rng, laws):
    return 2 * draw(rng, laws, 0)
"""


def test_an_edit_of_a_shared_part_reaches_the_kernels_that_call_it(tmp_path):
    """The caller's own file stays as it is, and its compiled code is kept."""
    shutil.copytree(MODELS, tmp_path / "clustershare", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": ""}

    def run(**changes):
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env={**environment, **changes}, capture_output=True, text=True, check=True)
        folder, number = done.stdout.split()
        return folder, float(number)

    folder, number = run()
    assert number == 6.0 and folder.startswith(str(tmp_path)) and os.listdir(folder)
    assert run() == (folder, number)
    laws = tmp_path / "clustershare" / "compiled" / "laws.py"
    text = laws.read_text(encoding="utf-8")
    edited = text.replace("CONSTANT:\n        return mean\n", "CONSTANT:\n        return -mean\n")
    assert edited != text
    laws.write_text(edited, encoding="utf-8")
    other, number = run()
    assert number == -6.0 and other != folder
    # A folder that the reader names holds one for each state of the shared parts, too.
    named, number = run(NUMBA_CACHE_DIR=str(tmp_path / "named"))
    assert number == -6.0 and named.startswith(str(tmp_path / "named"))
