"""What is public is annotated, and a strict type checker finds nothing in it, and what is wrong in a user's program."""

import functools
import inspect
import pkgutil
import re
import subprocess
import sys

import pytest

import clustershare
from compendium import places

INNER = {"compiled"}  # for kernels
PROGRAM = """
import numpy as np

import clustershare
from clustershare import estimates, sizes, uniprocessor

found = uniprocessor.simulate("PS", (0.5, 0.5), np.array([0.3, 0.4]), sizes=sizes.Pareto(1.0, 2.5), jumps=1000)
again: uniprocessor.SharePerformance = found.again(seed=1)
jobs = found.mean_jobs
assert isinstance(jobs, estimates.Estimate)
print(f"{2 * jobs[0] - 1:.3f}", jobs < 3, found.to_dict()["class"], clustershare.__version__)
print(clustershare.multiserver.exact)

uniprocessor.simulate(1, (0.5, 0.5), (0.3, 0.4))  # wrong: arg-type
uniprocessor.simulate("PS", (0.5, 0.5), (0.3, 0.4), jump=1000)  # wrong: call-arg
uniprocessor.exact("PS", (0.5, 0.5), "abc")  # wrong: arg-type
sizes.Pareto(1.0)  # wrong: call-arg
found.mean_job  # wrong: attr-defined
jobs + "1" < None  # wrong: operator
"""


def functions():
    """The public functions, and methods and properties of public classes, by name."""
    for room in sorted({module.name for module in pkgutil.iter_modules(clustershare.__path__)} - INNER):
        module = getattr(clustershare, room)
        for name in getattr(module, "__all__", vars(module)):
            found = getattr(module, name)
            ours = getattr(found, "__module__", "").startswith(module.__name__) and not name.startswith("_")
            if ours and inspect.isclass(found):
                for key, one in vars(found).items():
                    if key.startswith("_"):
                        continue
                    one = one.fget if isinstance(one, property) else one
                    one = one.func if isinstance(one, functools.cached_property) else one
                    one = inspect.unwrap(getattr(one, "__func__", one))
                    if inspect.isfunction(one) and one.__module__.startswith("clustershare"):
                        yield f"{room}.{name}.{key}", one
            elif ours and inspect.isfunction(inspect.unwrap(found)):
                yield f"{room}.{name}", inspect.unwrap(found)


def bare(function):
    """What of a function has no annotation."""
    signature = inspect.signature(function)
    named = {name: one.annotation for name, one in signature.parameters.items()} | {"->": signature.return_annotation}
    return [name for name, kind in named.items() if kind is inspect.Signature.empty and name not in ("self", "cls")]


def test_all_that_is_public_is_annotated():
    found = dict(functions())
    assert len(found) > 250 and "uniprocessor.simulate" in found and "sizes.Pareto.sample" in found
    assert {name: bare(one) for name, one in found.items() if bare(one)} == {}


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """What the checker says of the models, with the project's settings, and of a program that uses them."""
    program = tmp_path_factory.mktemp("program") / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    cache = places.ROOT / "_build" / "mypy"
    command = [sys.executable, "-m", "mypy", "--cache-dir", cache, "--no-error-summary", "lib/clustershare", program]
    done = subprocess.run(command, cwd=places.ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 1) and not done.stderr, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if ": note: " not in line]


def test_the_checker_finds_nothing_in_the_models(lines):
    assert [line for line in lines if "program.py:" not in line] == []


def test_the_checker_finds_what_is_wrong_in_a_program(lines):
    found = {tuple(re.search(r"program.py:(\d+): error: .*\[([a-z-]+)\]", line).groups()) for line in lines}
    wrong = enumerate(PROGRAM.splitlines(), 1)
    assert found == {(str(k), line.split("# wrong: ")[1]) for k, line in wrong if "# wrong: " in line}


def test_a_package_says_that_it_is_annotated():
    assert (places.ROOT / "lib" / "clustershare" / "py.typed").exists()
