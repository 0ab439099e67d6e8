"""What one can do with an answer: print it, reckon with it, write it down, ask for it again, draw it."""

import copy
import dataclasses
import json
import pickle
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest

import clustershare
from clustershare import estimates, plain, results, sizes, splitting, uniprocessor
from clustershare.estimates import Estimate
from clustershare.results import Result

RUN = {"jumps": 200, "warmup": 20, "replications": 3, "seed": 4}
TWO = ("PS", (0.5, 0.5), (0.3, 0.4))


@pytest.fixture(scope="module")
def simulated():
    return uniprocessor.simulate(*TWO, **RUN)


# --- Estimates --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "half_width", "written"),
    [
        (0.01834, 0.00113, "0.0183 ± 0.0011"),
        (9.99, 0.0996, "9.99 ± 0.10"),  # rounding adds a digit in front
        (0.2, 9.96, "0 ± 10"),
        (12345.6, 1234, "12300 ± 1200"),
        (-0.001, 0.2, "0.00 ± 0.20"),
        (1.2345e-9, 3e-11, "(1.235 ± 0.030)e-09"),
        (3e12, 1e9, "(3.0000 ± 0.0010)e+12"),
        (0.0, 1e-9, "(0.0 ± 1.0)e-09"),
        (1e20, 1e-9, "1e+20 ± 1e-09"),
        (0.5, 0.0, "0.5 ± 0"),
        (1.5, np.inf, "1.5 ± inf"),
        (np.inf, np.nan, "inf ± nan"),
        (np.array([1.0, 0.25]), np.array([0.1, 0.01]), "[1.00 ± 0.10, 0.250 ± 0.010]"),
        (np.eye(2), np.ones((2, 2)), "[[1.0 ± 1.0, 0.0 ± 1.0], [0.0 ± 1.0, 1.0 ± 1.0]]"),
    ],
)
def test_an_estimate_shows_two_digits_of_its_half_width(value, half_width, written):
    estimate = Estimate(value, half_width)
    assert str(estimate) == repr(estimate) == f"{estimate}" == written


def test_a_format_is_that_of_both_numbers_and_long_arrays_are_cut():
    assert f"{Estimate(2.0, 0.25):.3f}" == "2.000 ± 0.250"
    assert f"{Estimate(np.arange(2.0), np.ones(2)):.0f}" == "[0 ± 1, 1 ± 1]"
    long = str(Estimate(np.arange(1000.0), np.ones(1000)))
    assert long.count("±") == 6 and long.endswith("..., 999.0 ± 1.0]")


def test_sums_and_differences_hold_as_often_as_they_say():
    """Of independent normal samples, 95 % of the intervals; with plain sums of half widths it would be more."""
    rng = np.random.Generator(np.random.PCG64(1))
    first, second = rng.normal(1.0, 1.0, (40, 4000)), rng.normal(3.0, 2.0, (40, 4000))
    one, other = map(estimates.from_replications, (first, second))
    for found, known in ((one + other, 4.0), (one - other, -2.0), (2 * one - other / 4, 1.25), (1 - one, 0.0)):
        assert 0.94 < found.contains(known).mean() < 0.966
    different = one < other
    assert different.dtype == bool and 0 < np.mean(one > other) + np.mean(different) <= 1
    same = estimates.from_replications(rng.normal(1.0, 1.0, (40, 4000)))
    assert 0.03 < np.mean((one < same) | (one > same)) < 0.07


def test_numbers_are_exact_and_scale():
    one, several = Estimate(1.0, 0.5), Estimate(np.array([1.0, 2.0]), np.array([0.5, 0.25]))
    assert one + 2 == 2 + one == np.float64(2) + one == Estimate(3.0, 0.5) == sum([one, 2])
    assert 1 - one == Estimate(0.0, 0.5) and -one == Estimate(-1.0, 0.5)
    assert -2 * one == one * -2 == Estimate(-2.0, 1.0) and one / -4 == Estimate(-0.25, 0.125)
    assert several - np.array([1, 2]) == -(np.array([1, 2]) - several) == Estimate(np.zeros(2), several.half_width)
    assert one + np.ones(2) == Estimate(np.full(2, 2.0), np.full(2, 0.5))
    assert several[1] == Estimate(2.0, 0.25) and list(several) == [several[0], several[1]]
    assert several - several == Estimate(np.zeros(2), np.hypot(several.half_width, several.half_width))


def test_an_order_needs_the_whole_interval():
    one = Estimate(1.0, 0.5)
    assert one < 1.51 and not one < 1.49 and one > 0.49 and not one > 0.51 and 1.51 > one and 0.49 < one
    assert one < Estimate(1.51, 0.0) and one < Estimate(1.6, 0.3) and not one < Estimate(1.6, 0.4)
    assert not Estimate(1.0, np.inf) < 5 and not Estimate(np.nan, np.nan) < 5 and not Estimate(np.nan, 1.0) > 5
    np.testing.assert_array_equal(np.array([0.0, 1.0, 2.0]) > one, [False, False, True])


@pytest.mark.parametrize(
    "reckon", [lambda x: x + "1", lambda x: x * x, lambda x: 1 / x, lambda x: x < None, lambda x: x - [[1], [2, 3]]]
)
def test_what_has_no_rule_is_refused(reckon):
    with pytest.raises(TypeError):
        reckon(Estimate(1.0, 0.5))


# --- Results ----------------------------------------------------------------------------------------------------------


def written_and_read(result):
    return results.from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False)))


def test_a_result_is_asked_for_again_with_what_it_was_asked_for(simulated):
    assert simulated.function == "uniprocessor.simulate" and simulated.version == clustershare.__version__
    assert simulated.arguments == dict(zip(["policy", "required_shares", "arrival_rates"], TWO))
    assert dataclasses.asdict(simulated.run_length) == RUN
    assert simulated.to_dict()["call"]["run"] == RUN
    copies = copy.deepcopy(simulated), pickle.loads(pickle.dumps(simulated)), written_and_read(simulated)
    for one in (simulated, *copies):
        assert one.again() == simulated and one.warning == simulated.warning is not None
        assert one.again(seed=5) == uniprocessor.simulate(*TWO, **{**RUN, "seed": 5}) != simulated
        assert one.again(jumps=300).again().run_length.jumps == 300


def test_a_child_of_a_seed_is_kept():
    seed = np.random.SeedSequence(3, spawn_key=(2**31, 7))
    found = uniprocessor.simulate(*TWO, **{**RUN, "seed": seed})
    assert written_and_read(found).again() == found
    assert written_and_read(found).run_length.seed.spawn_key == seed.spawn_key


def test_what_is_changed_afterwards_changes_no_arguments():
    loads = np.array([0.3, 0.4])
    found = uniprocessor.exact("PS", [0.5, 0.5], loads)
    loads[0] = 0.1
    assert found.again() == found == pickle.loads(pickle.dumps(found)).again()


def test_what_was_not_simulated_has_no_run_length():
    found = uniprocessor.exact(*TWO)
    assert found.run_length is None and found.function == "uniprocessor.exact"


def test_one_of_several_answers_is_asked_for_again_alone():
    bounds = {"deviation": 0.5, "slowdown": 5, "policies": ["VPRS", "HPRS PS"]}
    for one in clustershare.design.choose((0.5, 0.5), (0.5, 0.5), **bounds):
        assert one.again() == one == written_and_read(one).again()


def test_a_method_is_asked_again():
    cluster = clustershare.cluster_chain.ServiceCluster(2, 2, {1: 0.5, 2: 0.5}, 1, 20, 1)
    found = cluster.solve(1e-10)
    assert found.arguments == {"self": cluster, "tolerance": 1e-10} and written_and_read(found).again() == found
    # An earlier answer would hold all those before it.
    assert not isinstance(cluster.solve(guess=found).arguments["guess"], Result)


def cost_of_my_own(system, routing):
    return splitting.waiting_cost(system, routing)


@pytest.mark.parametrize("cost", [cost_of_my_own, lambda *both: splitting.waiting_cost(*both)])
def test_what_cannot_be_written_is_asked_for(cost):
    system = splitting.Classes([0.3, 0.03], [1.0, 10.0], [2.0, 200.0], [1.0, 1.0], [0.5, 0.5])
    found = splitting.minimise_cost(system, cost, starts=2)
    assert found.again() == copy.deepcopy(found).again() == found == pickle.loads(pickle.dumps(found))
    with pytest.raises(ValueError, match=r"^cost must be given to again\(\), for it could not be .*; got .*\.$"):
        written_and_read(found).again()
    assert written_and_read(written_and_read(found)).again(cost=cost) == found
    with pytest.raises(ValueError, match="^policy must be one of .*; got 'XX'"):
        uniprocessor.exact(*TWO).again(policy="XX")


def test_functions_of_the_library_are_written_by_name():
    system = splitting.Classes([0.3, 0.03], [1.0, 10.0], [2.0, 200.0], [1.0, 1.0], [0.5, 0.5])
    found = splitting.minimise_cost(system, splitting.priority_cost, starts=2)
    assert found.to_dict()["call"]["arguments"]["cost"] == {"name": "splitting.priority_cost"}
    assert written_and_read(found).again() == found


def test_numbers_that_json_lacks_are_words(simulated):
    once = uniprocessor.simulate(*TWO, **{**RUN, "replications": 1})
    assert once.to_dict()["fields"]["mean_jobs"]["half_width"] == ["inf", "inf"]
    assert once.to_dict()["fields"]["error"] == "nan" and written_and_read(once) == once


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: [d],
        lambda d: {**d, "more": 1},
        lambda d: {**d, "class": "uniprocessor.exact"},
        lambda d: {**d, "class": "uniprocessor.np.array"},
        lambda d: {**d, "class": "os.system"},
        lambda d: {**d, "class": ["x"]},
        lambda d: {**d, "class": "sizes.Exponential"},
        lambda d: {**d, "fields": {"method": "formula"}},
        lambda d: {**d, "fields": {**d["fields"], "mean_jobs": {"value": 1}}},
        lambda d: {**d, "fields": {**d["fields"], "mean_jobs": {}}},
        lambda d: {**d, "fields": {**d["fields"], "mean_jobs": [[1], [2, 3]]}},
        lambda d: {**d, "attached": None},
        lambda d: {**d, "attached": {"method": "chain"}},
        lambda d: {**d, "call": {}},
        lambda d: {**d, "call": {**d["call"], "function": "os.system"}},
        lambda d: {**d, "call": {**d["call"], "function": "names.importlib.import_module"}},
        lambda d: {**d, "call": {**d["call"], "arguments": {"x": {"name": "names.importlib"}}}},
    ],
)
def test_what_was_not_written_by_a_result_gets_a_sentence(simulated, spoil):
    with pytest.raises(ValueError, match=r"^[^\n]+\.$"):
        results.from_dict(spoil(simulated.to_dict()))


def test_a_class_reads_its_own(simulated):
    assert uniprocessor.SharePerformance.from_dict(simulated.to_dict()) == simulated
    with pytest.raises(ValueError, match="^class must be that of a SplitLoad; got 'uniprocessor.SharePerformance'"):
        splitting.SplitLoad.from_dict(simulated.to_dict())


@dataclasses.dataclass(frozen=True)
class Mine(Result):
    value: float
    table: np.ndarray = dataclasses.field(default_factory=lambda: np.ones((2, 20)))
    parts: object = None


def test_what_is_not_of_the_library_says_so():
    mine = Mine(1.0, method="formula")
    for ask in (mine.to_dict, mine.again, lambda: mine.arguments):
        with pytest.raises(ValueError, match=r"^[^\n]+\.$"):
            ask()


@pytest.mark.parametrize("value", [sizes.Exponential(2.0), {1: (2, 3.0)}, {1, 2}, [None, True, "a", 1.5], np.arange(3)])
def test_values_come_back(value):
    back = plain.made(json.loads(json.dumps(plain.plain(value, exact=True))), exact=True)
    assert results.same(back, value)
    loosely = plain.made(plain.plain(value))
    assert type(loosely) is (tuple if isinstance(value, (list, np.ndarray)) else type(value))


def test_a_table_has_a_line_for_each_quantity(simulated):
    lines = str(simulated).splitlines()
    assert lines[0] == "SharePerformance by simulation" and lines[1].split() == ["0", "1"]
    assert [line.split()[0] for line in lines[2:-1]] == [field.name for field in dataclasses.fields(simulated)][2:]
    assert lines[-1] == simulated.warning
    assert f"{simulated.mean_jobs[0]}  " in str(simulated)
    wide = str(Mine(0.5, parts=splitting.minimise_response_time((0.6, 0.4), 0.5), method="formula")).splitlines()
    assert wide[1].split() == ["value", "0.5"] and wide[3].split() == [*"012345", "...", "19"]
    assert wide[4].split()[0] == "table[0]" and any(line.startswith("parts.fractions ") for line in wide)


def test_a_frame_has_a_row_for_each_number(simulated):
    table = simulated.to_frame()
    assert list(table.columns) == ["quantity", "index", "value", "half_width"] and len(table) == 12
    rows = table[table["quantity"] == "mean_jobs"]
    assert list(rows["index"]) == [0, 1] and list(rows["value"]) == list(simulated.mean_jobs.value)
    assert list(rows["half_width"]) == list(simulated.mean_jobs.half_width)
    table = splitting.vertical((0.5, 0.5), (0.3, 0.3), 2).to_frame()
    assert table["half_width"].isna().all() and table[table["quantity"] == "capacity_loss"]["index"].item() is None
    routing = table[table["quantity"] == "routing"]
    assert dict(zip(routing["index"], routing["value"])) == {(0, 0): 1.0, (0, 1): 0.0, (1, 0): 0.0, (1, 1): 1.0}


@pytest.fixture
def pyplot():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    with matplotlib.rc_context({"backend": "agg"}):
        yield pyplot
    pyplot.close("all")


def test_a_plot_shows_values_and_half_widths(simulated, pyplot):
    axes = simulated.plot("mean_jobs", "obtained_share")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["mean jobs", "obtained share"]
    points, _, (bars,) = axes.containers[0]
    np.testing.assert_array_equal(points.get_ydata(), simulated.mean_jobs.value)
    low, high = np.array([segment[:, 1] for segment in bars.get_segments()]).T
    np.testing.assert_allclose(high - low, 2 * simulated.mean_jobs.half_width)
    assert uniprocessor.exact(*TWO).plot(axes=axes) is axes and len(axes.containers) == 8
    with pytest.raises(ValueError, match="^quantity must be one of group_share_deviation, .*; got 'jobs'"):
        simulated.plot("jobs")
    with pytest.raises(ValueError, match="^result must be one with a number for each group"):
        clustershare.multiserver.random_assignment(3, 2, 0.5).plot()


@pytest.mark.parametrize(("package", "ask"), [("pandas", Result.to_frame), ("matplotlib.pyplot", Result.plot)])
def test_a_package_that_is_missing_is_named(simulated, package, ask, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"needs {package.partition('.')[0]}, which is not installed here\.$"):
        ask(simulated)


# --- The package ------------------------------------------------------------------------------------------------------


def test_the_version_is_that_of_the_project():
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert clustershare.__version__ == project["project"]["version"]


def test_modules_are_there_and_loaded_when_used():
    code = (
        "import sys, clustershare; assert not {'numpy', 'numba'} & set(sys.modules); clustershare.shares; "
        "assert 'clustershare.multiserver' not in sys.modules; print(clustershare.multiserver.__name__)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "clustershare.multiserver\n"
    with pytest.raises(AttributeError, match="has no attribute 'multiserve'"):
        clustershare.multiserve  # noqa: B018


def test_help_says_what_each_module_is_for():
    folder = Path(clustershare.__file__).parent
    names = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert names - {"__init__"} <= set(dir(clustershare))
    for name in names - {"__init__"}:
        (line,) = [line for line in clustershare.__doc__.splitlines() if line.startswith(f"{name} ")]
        assert line.split(maxsplit=1)[1] == getattr(clustershare, name).__doc__.splitlines()[0]
