"""The parts that kernels share, and what every file with kernels must keep to, as the compiler's cache relies on it."""

import ast
import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustershare import sizes
from clustershare.compiled import service
from clustershare.compiled.choice import alias, alias_table, choose
from clustershare.compiled.encoding import encode
from clustershare.compiled.heaps import pop, push
from clustershare.compiled.laws import draw
from compendium import places

MODELS = places.ROOT / "lib" / "clustershare"
# What refuses arguments is no kernel, wherever it stands; two files are about compilation itself.
ABOUT_COMPILATION = {"interrupts", "parts"}
SHARED = sorted(
    path for path in MODELS.joinpath("compiled").glob("*.py") if path.stem not in {"arguments", *ABOUT_COMPILATION}
)
# The event loop of this folder is composed of kernels in several files, and kept under a digest of them all.
COMPOSED = MODELS / "dispatch"
KERNELS = sorted(
    path
    for path in MODELS.rglob("*.py")
    if any(f"\n@{word}\n" in path.read_text(encoding="utf-8") for word in ("kernel", "inlined"))
    and path.stem not in ABOUT_COMPILATION
)


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
    if COMPOSED in path.parents:
        outside = {module for module in outside if not module.startswith("clustershare.dispatch")}
        outside -= {"pathlib", "collections.abc", "numba", "numba.extending"}
    assert outside <= {"math", "numpy", "typing"}


@pytest.mark.parametrize("path", sorted({*KERNELS, *SHARED}), ids=name)
def test_a_kernel_is_compiled_in_one_way_and_draws_from_the_generator_it_is_given(path):
    text = path.read_text(encoding="utf-8")
    for word in ("np.random.s", "np.random.r", "prange", "parallel=", "getattr", "generated_jit"):
        assert word not in text
    if COMPOSED not in path.parents:  # there the rules of a policy are found by its type
        assert "overload(" not in text
    if path.stem != "jit":
        assert not {"numba", "random"} & set(imports(path)) - ({"numba"} if COMPOSED in path.parents else set())
        assert "njit" not in text


@pytest.mark.parametrize("path", KERNELS, ids=name)
def test_a_kernel_is_a_function_of_its_module(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    decorated = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.decorator_list]
    marks = {node: [ast.unparse(mark) for mark in node.decorator_list] for node in decorated}
    kernels = [node for node in decorated if marks[node] in (["kernel"], ["inlined"])]
    assert kernels and all(node in tree.body for node in kernels)
    for node in kernels:
        assert sum(isinstance(inner, (ast.FunctionDef, ast.Lambda)) for inner in ast.walk(node)) == 1  # itself


PROGRAM = """
import sys, numba, numpy, own
from clustershare.compiled.encoding import encode
from clustershare.sizes import Deterministic
print(numba.config.CACHE_DIR)
if not sys.argv[1:]:
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

    def run(*words, **changes):
        command = [sys.executable, "-c", PROGRAM, *words]
        done = subprocess.run(command, env={**environment, **changes}, capture_output=True, text=True, check=True)
        folder, *numbers = done.stdout.split()
        return folder, *map(float, numbers)

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
    (named,) = run("where", NUMBA_CACHE_DIR=str(tmp_path / "named"))
    assert named.startswith(str(tmp_path / "named")) and Path(named).name == Path(other).name


def test_an_edit_of_a_rule_reaches_the_loop_that_calls_it(tmp_path):
    """The loop is kept in another place then."""
    shutil.copytree(MODELS, tmp_path / "clustershare", ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": ""}
    program = "from clustershare.dispatch.kernel import run; print(run.stats.cache_path)"

    def place():
        return subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        ).stdout

    before = place()
    assert place() == before and str(tmp_path) in before
    with (tmp_path / "clustershare" / "dispatch" / "rules" / "horizontal.py").open("a", encoding="utf-8") as file:
        file.write("# other\n")
    assert place() != before


FOR_OTHERS = """
from typing import NamedTuple
import numpy as np
from clustershare.dispatch.tape import blank_tape, next_of

class Mine(NamedTuple):
    choices: np.ndarray
    among: np.ndarray
    position: np.ndarray

for tape in blank_tape(), Mine(*blank_tape()):
    next_of(tape, 2)
print(sum(next_of.stats.cache_hits.values()), next_of.stats.cache_path)
"""


def test_what_is_compiled_for_a_class_of_ones_own_is_not_kept(tmp_path):
    """No other process could read an index that names it, and all that is kept would be compiled again."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": str(tmp_path)}
    for kept in "01":
        done = subprocess.run([sys.executable, "-c", FOR_OTHERS], env=environment, capture_output=True, text=True)
        assert not done.stderr
        found, place = done.stdout.split()
        assert (found, len(list(Path(place).glob("tape.next_of*.nbc")))) == (kept, 1)


# --- The shared parts ------------------------------------------------------------------------------------------------

weights = st.lists(st.one_of(st.just(0.0), st.floats(1e-6, 1e6)), min_size=1, max_size=12).filter(any).map(np.array)


def test_functions_of_no_module_compile_too():
    """Classes that other packages compile are made by such."""

    def double(x):
        return 2 * x

    double.__module__ = None
    assert numba.njit(double)(3) == 6


@settings(max_examples=200, deadline=None, derandomize=True)
@given(weights, st.floats(0, 1))
def test_a_choice_falls_where_the_weights_say(weights, fraction):
    u = fraction * weights.sum()
    k = choose(u, weights)
    assert weights[k] > 0
    slack = 1e-9 * weights.sum()
    assert weights[:k].sum() - slack <= u <= weights[: k + 1].sum() + slack
    assert weights[choose(2 * weights.sum(), weights)] > 0  # whatever the rounding


@settings(max_examples=200, deadline=None, derandomize=True)
@given(weights)
def test_an_alias_table_gives_each_index_its_weight(weights):
    thresholds, indices = alias_table(weights)
    mass = np.bincount(indices.astype(int), np.stack([thresholds, 1 - thresholds], axis=1).ravel(), len(weights))
    np.testing.assert_allclose(mass / len(weights), weights / weights.sum(), atol=1e-12)
    for cell in range(len(weights)):
        for part, inside in ((0, thresholds[cell] / 2), (1, (1 + thresholds[cell]) / 2)):
            if cell + inside < cell + 1 and (part or thresholds[cell] > 0):  # no rounding to the next cell
                assert alias(cell + inside, thresholds, indices) == indices[2 * cell + part]


@pytest.mark.parametrize("with_items", [True, False])
def test_a_heap_gives_back_in_order_what_was_put_in(with_items):
    rng = np.random.default_rng(3)
    times, items, inside = np.zeros(500), np.zeros(500, np.int64) if with_items else None, []
    for _ in range(3000):
        if inside and (len(inside) == 500 or rng.random() < 0.49):
            first = inside.pop(inside.index(min(inside)))
            assert times[0] == first[0] and (items is None or items[0] == first[1])
            pop(times, items, len(inside) + 1)
        else:
            inside.append((rng.random(), int(rng.integers(1000))))
            push(times, items, len(inside) - 1, *inside[-1])
    assert len(inside) > 20


def test_a_draw_has_the_law_that_was_written_down():
    laws = [
        sizes.Deterministic(2.0), sizes.Pareto(1.5, 6.0), sizes.bimodal_hyperexponential(), sizes.bimodal_phases(),
        sizes.Exponential(0.3), sizes.zipf_phases(5),
    ]  # fmt: skip
    table, rng, count = encode(*laws), np.random.default_rng(5), 40_000
    for which, law in enumerate(laws):
        drawn = np.array([draw(rng, table, which) for _ in range(count)])
        error = law.standard_deviation / np.sqrt(count)
        assert abs(drawn.mean() - law.mean) <= 4 * error + 1e-12
        assert drawn.std() == pytest.approx(law.standard_deviation, rel=0.1)
        other = np.sort(law.sample(np.random.default_rng(6), count))
        distance = np.abs(np.searchsorted(other, np.sort(drawn), side="right") - np.arange(1, count + 1)).max() / count
        assert distance < 1.95 * np.sqrt(2 / count) or law.standard_deviation == 0  # Kolmogorov and Smirnov


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.floats(0.01, 1), st.integers(0, 20)), min_size=1, max_size=6))
def test_the_rules_of_sharing_are_those_of_the_source(groups):
    weights, jobs = (np.array(column) for column in zip(*groups))
    claims = {service.PS: 1.0 * jobs, service.PPS: weights * jobs, service.GPPS: weights * (jobs > 0)}
    for rule, claim in claims.items():
        shares = service.divide_each(rule, weights, jobs[:, None])[:, 0]
        np.testing.assert_allclose(shares, claim / max(claim.sum(), 1e-300), atol=1e-15)
        np.testing.assert_array_equal([service.claim(rule, w, n) for w, n in zip(weights, jobs)], claim)


SPOILT = """
import importlib, pathlib, sys
import numpy as np
from clustershare.compiled import service
from numba.core import event

def said():
    importlib.reload(service)  # kernels that have read nothing yet
    with event.install_recorder("numba:compile") as found:
        share = service.divide_each(service.PS, np.ones(2), np.ones((2, 1)))[0, 0]
    print(share, len(found.buffer) > 0)

said()
said()
for spoil in (lambda whole: whole[: len(whole) // 2], lambda whole: b"", lambda whole: b"spoilt"):
    for pattern in ("*.nbi", "*.nbc"):
        files = list(pathlib.Path(sys.argv[1]).rglob(pattern))
        for path in files:
            path.write_bytes(spoil(path.read_bytes()))
        print(len(files) > 0)
        said()
        said()
"""


def test_a_spoilt_cache_is_made_again(tmp_path):
    """Files cut short or overwritten stop nobody: the kernel is compiled again, and found whole the next time."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SPOILT, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["0.5 True", "0.5 False", *6 * ["True", "0.5 True", "0.5 False"]]


NUMBERED = """
import os
from numba.core.bytecode import FunctionIdentity
from clustershare.compiled import jit

print(next(FunctionIdentity._unique_ids), flush=True)
if os.fork() == 0:
    print(next(FunctionIdentity._unique_ids), flush=True)
    os._exit(0)
os.wait()
print(next(FunctionIdentity._unique_ids), flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_what_processes_compile_is_numbered_apart():
    """Numba names functions by number, and code that several processes kept is linked together: see `jit`."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    numbers = []
    for _ in range(2):
        command = [sys.executable, "-c", NUMBERED]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        first, of_fork, second = map(int, done.stdout.split())
        assert second == first + 1
        numbers += [first, of_fork]
    assert np.diff(sorted(numbers)).min() > 10**6, numbers


def test_processes_side_by_side_compile_a_kernel_once(tmp_path):
    """Who comes later waits, and reads what the first one kept."""
    code = """
    import os, sys, time
    import numpy as np
    from numba.core import event
    from clustershare.compiled import service
    os.mkdir(sys.argv[1])
    while not os.path.exists("go"):
        time.sleep(0.001)
    with event.install_recorder("numba:compile") as found:
        service.divide_each(service.PS, np.ones(2), np.ones((2, 1)))
    print(len(found.buffer))
    """
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    ready = [tmp_path / f"ready-{k}" for k in range(4)]
    every = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), str(one)],
            cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True,
        )
        for one in ready
    ]  # fmt: skip
    while not all(one.exists() for one in ready) and all(process.poll() is None for process in every):
        time.sleep(0.01)
    (tmp_path / "go").touch()
    first, *others, last = sorted(int(process.communicate()[0]) for process in every)
    assert {first, *others} == {0} and last > 0


PARTS = """
import numpy as np
from numba.core import event
from clustershare.compiled import service
from clustershare.compiled.jit import kernel

@kernel
def twice(weight):
    return 2 * service.claim(service.PPS, weight, 3.0)

def parts():
    return [getattr(kept.library, "is_part", False) for kept in service.claim.overloads.values()]

with event.install_recorder("numba:compile") as found:
    shares = service.divide_each(service.PS, np.ones(2), np.ones((2, 1)))[0, 0]
    print(shares, parts(), service.claim(service.PPS, 2.0, 3.0), parts(), twice(2.0), len(found.buffer) > 0)
"""


def test_a_part_that_python_calls_is_compiled_once_more(tmp_path):
    """What a kernel calls is machine code in the kernel alone, until Python or a kernel from elsewhere asks for it."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    (tmp_path / "own.py").write_text(PARTS, encoding="utf-8")

    def said():
        command = [sys.executable, "own.py"]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    assert said() == "0.5 [True] 6.0 [False] 12.0 True\n"
    assert said() == "0.5 [] 6.0 [False] 12.0 False\n"


TOLD = """
import logging, sys
from clustershare.multiserver import CompatibilityGraph, simulate
from clustershare.sizes import Exponential
if sys.argv[1:]:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
for _ in range(2):
    simulate(CompatibilityGraph([{0}], [1.0]), [0.5], Exponential(), 1, jumps=10, warmup=0, replications=2)
"""


def test_a_first_call_that_compiles_says_so_once(tmp_path):
    """To whoever listens, before it compiles; a script whose log nobody reads is silent."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NUMBA_CACHE_DIR": str(tmp_path)}

    def said(*command, log=""):
        environment["CLUSTERSHARE_LOG"] = str(log)
        done = subprocess.run([sys.executable, "-c", *command], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stderr

    sentence = "Compiling the simulator of a few servers: about 2 s, once on this machine.\n"
    assert said(TOLD, "aloud", log=tmp_path / "log") == sentence == (tmp_path / "log").read_text()
    assert said(TOLD, "aloud") == ""
    assert said("from clustershare.compiled import jit; jit._tell('clustershare.multiserver.few_servers')") == ""
