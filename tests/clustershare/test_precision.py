"""Runs that are told what to reach: half widths, the warm-up, a limit, and to show how far they are."""

import contextlib
import io
import math
import pickle
import re
import sys
import types

import numpy as np
import pytest
from benchmarks import coverage

from clustershare import (
    dispatch,
    multiserver,
    names,
    precision,
    progress,
    settling,
    sizes,
    splitting,
    truncation,
    uniprocessor,
)
from clustershare.compiled import interrupts
from clustershare.estimates import Estimate, from_replications
from clustershare.results import same
from clustershare.run_length import RunLength
from compendium import study
from test_wrong_arguments import LONGEST, WRONG

BUSY = {"policy": "FCFS", "required_shares": (0.5, 0.5), "arrival_rates": (0.4, 0.4)}
MEANS = {  # averages over time, of each simulator
    "uniprocessor.simulate": ("mean_jobs", "probability_present"),
    "dispatch.simulate_central": ("mean_jobs", "obtained_share"),
    "dispatch.simulate_central_beside_queue": ("mean_jobs", "capacity_loss"),
    "dispatch.simulate_distributed": ("mean_jobs", "obtained_share"),
    "dispatch.simulate_network": ("mean_customers", "utilisation"),
    "interruptions.simulate": ("mean_jobs", "probability_empty"),
    "multiserver.simulate": ("mean_jobs", "probability_empty"),
    "multiserver.simulate_beside_balanced_fairness": ("plain_jobs", "companion_jobs"),
    "multiserver.simulate_assignment_beside_processor_sharing": ("plain_jobs", "companion_jobs"),
    "cluster_chain.simulate": ("mean_queue", "utilisation"),
    "cluster_variants.simulate_energy": ("mean_queue", "servers"),
    "cluster_variants.simulate_priority": ("mean_waiting",),
}


def case_of(name):
    return next(case for case in coverage.CASES.values() if names.name_of(case.simulate) == name)


# --- The warm-up ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*MEANS, "drawn servers"])
def test_a_run_with_a_warmup_goes_on_where_a_shorter_one_ends(name):
    """One path: its average is that of two parts, by their durations, which are the same for all that is measured."""
    if name == "drawn servers":  # which are drawn ahead
        name, simulate = "multiserver.simulate", multiserver.simulate
        given = {"graph": coverage.TEN, "arrival_rates": 5.0, "sizes": sizes.Exponential(), "interruptions": 1}
    else:
        simulate, given = case_of(name).simulate, case_of(name).arguments(0.5)
    part = 10 * truncation.STRETCH
    whole, first, second = (
        simulate(**given, warmup=warmup, jumps=jumps, replications=1, seed=4)
        for warmup, jumps in ((0, 2 * part), (0, part), (part, part))
    )
    values = [
        np.concatenate([np.ravel(getattr(one, quantity).value) for quantity in MEANS[name]])
        for one in (whole, first, second)
    ]
    whole, first, second = (value[~np.isnan(values[0])] for value in values)
    apart = np.abs(first - second) > 1e-6
    of_first = (whole - second)[apart] / (first - second)[apart]
    assert apart.any() and np.ptp(of_first) < 1e-6 and 0.3 < of_first.mean() < 0.7


def test_the_cut_is_where_the_statistic_is_least():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        series = rng.normal(size=30) - 5 * np.exp(-np.arange(30) / rng.uniform(1, 10))
        statistic = [np.var(series[d:]) / len(series[d:]) for d in range(25)]
        assert truncation.mser(series) == statistic.index(min(statistic))


def test_the_pilot_is_doubled_while_the_cut_is_beyond_its_half():
    def measured(fades):
        def window(warmup, jumps):
            lengths.append(warmup + jumps)
            ends = np.exp(-np.array([warmup, warmup + jumps]) / fades)
            noise = np.sin(1e4 * warmup / jumps**1.1)
            value = 1 - (ends[0] - ends[1]) * fades / jumps + 1e-3 * noise
            return types.SimpleNamespace(level=Estimate(value, 0.1), other=Estimate(np.array([1.0, np.nan]), 0.1))

        return window

    lengths = []
    quick = truncation.find_warmup(measured(500.0), 0.0, None)
    assert quick.pilot == max(lengths) == truncation.BATCHES * truncation.STRETCH and not quick.refused
    assert 1_000 < quick.jumps <= quick.pilot / 2 and quick.quantity == "level"
    slower = truncation.find_warmup(measured(4_000.0), 0.0, None)
    assert slower.pilot >= quick.pilot and slower.jumps > quick.jumps and not slower.refused
    never = truncation.find_warmup(lambda warmup, jumps: types.SimpleNamespace(level=Estimate(warmup, 0)), 0.0, None)
    assert never.refused and never.pilot == 8 * quick.pilot and never.jumps == never.pilot / 2


def test_an_empty_beginning_is_left_out():
    """At load .9 runs from empty are biased by more than their intervals say, and no longer with the warm-up found."""
    run = {"jumps": 3_000, "replications": 60, "seed": 8}
    system = BUSY | {"arrival_rates": (0.45, 0.45)}
    biased = uniprocessor.simulate(**system, warmup=0, **run).mean_jobs
    found = uniprocessor.simulate(**system, warmup="auto", **run)
    assert not biased.contains(4.5).any() and found.mean_jobs.contains(4.5).all()
    length = found.run_length
    assert length.warmup == found.warmup_diagnosis.jumps > 0
    again = uniprocessor.simulate(**system, warmup=length.warmup, **run)
    assert same(again, found) and again.warmup_diagnosis is None and pickle.loads(pickle.dumps(found)) == found


# --- Until ------------------------------------------------------------------------------------------------------------


def test_a_run_reaches_what_is_asked_for_and_can_be_had_again():
    until = {"mean_jobs": "6%", "group_share_deviation": 0.05}
    found = uniprocessor.simulate(**BUSY, until=until, seed=3)
    assert (found.mean_jobs.half_width <= 0.06 * found.mean_jobs.value).all()
    assert found.group_share_deviation.half_width.max() <= 0.05 and found.warning is None
    length = found.run_length
    assert length.replications == 30 and length.jumps != 10**6
    again = uniprocessor.simulate(
        **BUSY, jumps=length.jumps, warmup=length.warmup, replications=length.replications, seed=length.seed
    )
    assert same(again, found) and again.run_length == length
    assert uniprocessor.exact(**BUSY).run_length is None
    both = uniprocessor.simulate(**BUSY, until=until, warmup="auto", replications=10)
    assert both.run_length.warmup == both.warmup_diagnosis.jumps and both.run_length.replications == 10


def drawn(variance, mean=1.0, shrinks=1.0, look=np.random.Generator.normal):
    """What simulates a number whose replications vary as they should, or otherwise."""

    def measured(_, length):
        rng = length.generators()[0]
        scale = math.sqrt(variance / length.jumps**shrinks)
        return types.SimpleNamespace(level=from_replications(mean + scale * look(rng, size=length.replications)))

    return measured


def reached(measured, until, seed, **more):
    length = {"seed": seed} if "replications" not in more else {"seed": seed, "replications": more.pop("replications")}
    wish = precision.wishes({"until": until, **length, **more})
    return precision.reach(measured, 10.0, RunLength(**wish.length), wish, 0.0, enough=0)


@pytest.mark.parametrize(("replications", "least"), [(30, 0.94), (10, 0.91)])
def test_intervals_of_normal_replications_hold(replications, least):
    """Of 500: above the least by chance's doing, or else the runs that are kept would be those that vary little."""
    held = 0
    for seed in range(500):
        result, length, said = reached(drawn(400.0), {"level": 0.05}, seed, replications=replications)
        held += bool(result.level.contains(1.0))
        assert result.level.half_width <= 0.05 and said is None
    assert held / 500 > least - 2 * math.sqrt(least * (1 - least) / 500)


@pytest.mark.parametrize("load", [0.5, 0.8])
def test_intervals_of_simulators_hold(load):
    """``python -m benchmarks until`` measures it of more."""
    case = coverage.CASES["shorter of two"]
    held = sum(
        abs(found.mean_jobs.value[1] - case.known(load)["mean_jobs"]) <= found.mean_jobs.half_width[1]
        for seed in range(30)
        for found in [case.simulate(**case.arguments(load), until={"mean_jobs": "15%"}, seed=seed)]
    )
    assert held >= 26


def test_pilots_and_runs_share_no_random_numbers():
    seeds = []

    def measured(_, length):
        seed = length.seed
        if not isinstance(seed, np.random.SeedSequence):
            seed = np.random.SeedSequence(seed)
        seeds.append((*seed.spawn_key, seed.entropy))
        return drawn(400.0, shrinks=0.6)(_, length)

    reached(measured, {"level": 0.05}, 7)
    assert len(set(seeds)) == len(seeds) > 3 and all(key[0] >= precision.APART for key in seeds if len(key) > 1)


def test_what_does_not_shrink_is_refused():
    with pytest.raises(ValueError, match="the half width of level does not shrink; got"):
        for seed in range(20):  # one of two that vary less by chance may pass the first time
            reached(drawn(1.0, shrinks=0.0), {"level": 0.1}, seed)
    heavy = BUSY | {"sizes": sizes.Pareto(1.0, 1.5)}
    with pytest.raises(ValueError, match="until must be for what has a finite variance, and these sizes have none; "):
        uniprocessor.simulate(**heavy, until={"mean_jobs": 0.1})


@pytest.mark.parametrize(
    ("until", "sentence"),
    [
        ({"speed": 1.0}, "until must be for quantities of the result: .*mean_jobs.*; got 'speed'[.]"),
        ({"mean_jobs": 0}, "until.'mean_jobs'. must be a finite number, above 0; got 0.0."),
        ({"mean_jobs": "1"}, "until.'mean_jobs'. must be a number above 0, or a part as \"1%\"; got '1'."),
        ({"mean_jobs": "nan%"}, "or a part as"),
        ({"mean_jobs": 1e-12}, "until must be such that 1e.11 events do, not .*, or given with seconds; got"),
        ({}, "until must be half widths by quantity, as"),
    ],
)
def test_wrong_wishes_get_a_sentence(until, sentence):
    with pytest.raises(ValueError, match=sentence):
        uniprocessor.simulate(**BUSY, until=until)


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        ({"until": {"mean_jobs": 1.0}, "jumps": 10}, "jumps must be left out where until is given, which finds them"),
        ({"until": {"mean_jobs": 1.0}, "replications": 1}, "replications must be at least 2 where until is given"),
        ({"seconds": 1.0}, "seconds must be left out where there is no until"),
        ({"until": {"mean_jobs": 1.0}, "seconds": 0.0}, "seconds must be a finite number, above 0"),
        ({"warmup": "all"}, 'warmup must be an integer of at least 0, or "auto"; got'),
        ({"progress": 1}, "progress must be True or False; got 1"),
        ({"duration": 1}, "run argument must be one of jumps, warmup, replications, seed, until, seconds, progress; "),
    ],
)
def test_wrong_runs_get_a_sentence(run, sentence):
    with pytest.raises(ValueError, match=sentence):
        uniprocessor.simulate(**BUSY, **run)


def test_no_wrong_value_is_taken():
    for value in WRONG:
        for run in ({"until": value}, {"until": {"mean_jobs": value}}, {"until": {"mean_jobs": 1.0}, "seconds": value}):
            if value is None and run.get("seconds", 0) is None or value is None and "mean_jobs" not in str(run):
                continue
            if value in (10**15,) and "seconds" in run or value == 10**15 and run["until"] == {"mean_jobs": value}:
                continue
            with pytest.raises(ValueError) as raised:
                uniprocessor.simulate(**BUSY, **run)
            assert "\n" not in str(raised.value) and len(str(raised.value)) <= LONGEST
    for value in ([1.0], [1.0, "2"], [0.0] * 5, np.zeros((3, 3)), [math.nan] * 9):
        with pytest.raises(ValueError):
            truncation.mser(value)


def test_what_is_never_seen_has_no_relative_width():
    cluster = coverage.cluster(0.2)
    simulate = coverage.CASES["cluster"].simulate
    with pytest.raises(ValueError, match="until must be absolute for what is 0, as all that was seen of blocking; got"):
        simulate(cluster, until={"blocking": "5%"})
    assert "Nothing was seen" in simulate(cluster, until={"blocking": 0.01, "mean_queue": 0.1}).warning


def test_a_limit_of_time_is_kept_and_told(monkeypatch):
    now = 0.0
    monkeypatch.setattr(precision.time, "monotonic", lambda: now)

    def measured(what, length):
        nonlocal now
        now += length.replications * (length.jumps + length.warmup) / 1e6
        return drawn(400.0)(what, length)

    for limit in (0.1, 1.0, 30.0):
        now = 0.0
        result, length, said = reached(measured, {"level": 1e-3}, 1, seconds=limit)
        assert now <= limit and result.level.half_width > 1e-3
        assert said.startswith(f"What until asks for was not reached within {limit:g} s: the half width of level is ")
    assert now > 10
    now = 0.0
    assert "is 0." in reached(measured, {"level": 1e-300}, 1, seconds=30.0)[2]  # events that no number can count
    now = 0.0
    result, _, said = reached(measured, {"level": "1%"}, 1, seconds=1e4)
    assert said is None and result.level.half_width < 0.01 * result.level.value


def test_a_point_of_a_study_has_a_fixed_length():
    for asked in ({"until": {"mean_jobs": 0.1}}, {"warmup": "auto"}, {"progress": True}, {"seconds": 1.0}):
        with pytest.raises(ValueError, match="the arguments of a point must be those of the system, for the length of"):
            study.run("none", uniprocessor.simulate, [{}], lambda asked=asked: BUSY | asked, fidelity="quick")


# --- How far it is ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names.SIMULATORS)
def test_compiled_code_tells_how_far_it_is(name):
    case, length = case_of(name), RunLength(60_000, 5_000, 10)
    before = interrupts.done.value
    run = {"jumps": length.jumps, "warmup": length.warmup, "replications": length.replications}
    given = case.arguments(0.5)
    case.simulate(**given, **run)
    expected = 650_000 * settling.steps_per_jump(case.simulate, given)
    assert abs(interrupts.done.value - before - expected) <= interrupts.EVENTS + 0.02 * expected


def shown(call):
    with contextlib.redirect_stderr(io.StringIO()) as written:
        call()
    return written.getvalue()


def test_progress_is_shown_and_silenced(monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)

    def run(**more):
        return shown(lambda: uniprocessor.simulate(**BUSY, jumps=1000, progress=True, **more))

    assert run() == "simulate, run: 10.00 of 10 replications, 0 s\n"
    assert "simulate, warm-up: 10.00 of 10 replications" in run(warmup="auto")
    solver = {"required_shares": (0.5, 0.5), "loads": (0.2, 0.2), "processors": 2, "most_jobs": 8, "progress": True}
    assert re.search("exact_central: [0-9]+ s\n$", shown(lambda: dispatch.exact_central("JSQ", **solver)))
    assert shown(lambda: splitting.certify_capacity_loss((0.6, 0.4), 0.5, progress=True)).endswith(" s\n")
    monkeypatch.setenv("TQDM_DISABLE", "1")
    assert run() == "" and shown(lambda: dispatch.exact_central("JSQ", **solver)) == ""


def test_a_terminal_has_a_bar(monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(progress, "EVERY", 0.001)
    with contextlib.redirect_stderr(terminal), progress.shown("run", 4, "replications", lambda: 2.5):
        progress.time.sleep(0.1)
    assert "2.50/4 replications" in terminal.getvalue() and "4.00/4 replications" in terminal.getvalue()
    monkeypatch.setitem(sys.modules, "tqdm", None)  # where it is not installed
    with contextlib.redirect_stderr(terminal), progress.shown("run", 4, "replications", lambda: 2.5):
        pass
    assert terminal.getvalue().endswith("run: 4.00 of 4 replications, 0 s\n")
