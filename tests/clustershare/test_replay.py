"""Replays beside ten jobs by hand, plain loops over lists, and exact answers for jobs that are drawn by a model."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plain_replay
import replays_as_python
from clustershare import dispatch, multiserver, uniprocessor
from clustershare.cluster_chain import ServiceCluster
from clustershare.estimates import from_replications
from clustershare.multiserver import CompatibilityGraph
from clustershare.run_length import RunLength
from clustershare.sizes import Exponential
from clustershare.workload import RULES, Workload, replay_cluster, replay_dispatch, replay_processor, replay_servers

# Arrival, size and group of ten jobs.
ONE = Workload([0, 1, 1, 2, 3, 8, 9, 20, 21, 22], [3, 2, 1, 4, 1, 2, 2, 4, 2, 1], groups=[0, 0, 1, 0, 1, 1, 0, 0, 1, 0])
PAIRS = Workload(
    [0, 0, 10, 10, 10, 30, 30, 30, 50, 50], [3, 2, 3, 3, 2, 3, 1, 2, 1.5, 0.5], groups=[0, 1, 0, 0, 1, 0, 1, 1, 0, 1]
)
PARALLEL = {
    "arrivals": [0, 1, 2, 2, 3, 4, 5, 6, 7, 20], "sizes": [4, 3, 5, 2, 1, 6, 2, 1, 3, 1],
    "servers": [2, 1, 3, 1, 1, 4, 2, 1, 1, 4], "groups": [0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
}  # fmt: skip
OVER, UNDER = [10, 3, 8, 2, 1, 6, 2, 1, 3, 1], [4, 3, 1, 2, 1, 6, 2, 1, 3, 1]  # estimates of the sizes


@pytest.mark.parametrize(
    ("policy", "shares", "ends"),
    [
        ("FCFS", (0.6, 0.4), [3, 5, 6, 10, 11, 13, 15, 24, 26, 27]),
        ("HOL", (0.6, 0.4), [3, 5, 12, 9, 13, 15, 11, 24, 27, 25]),
        ("HOL", (0.4, 0.6), [3, 7, 4, 11, 5, 13, 15, 24, 26, 27]),
        ("HOL", (0.5, 0.5), [3, 5, 6, 10, 11, 13, 15, 24, 26, 27]),
        ("PQ", (0.4, 0.6), [5, 7, 2, 13, 4, 10, 15, 26, 23, 27]),
        ("UD", (0.6, 0.4), [3, 7, 4, 11, 5, 13, 15, 24, 26, 27]),
        ("PS", (0.6, 0.4), [80 / 9, 80 / 9, 61 / 12, 15, 89 / 12, 85 / 6, 265 / 18, 27, 26, 25]),
    ],
)
def test_ten_jobs_on_one_processor_by_hand(policy, shares, ends):
    found = replay_processor(ONE, policy, shares)
    assert found.end == pytest.approx(ends)
    assert found.response == pytest.approx(np.array(ends) - ONE.arrivals)
    assert found.slowdown == pytest.approx((np.array(ends) - ONE.arrivals) / ONE.sizes)
    twice = replay_processor(ONE, policy, shares, speed=2.0)
    assert twice.end.max() < found.end.max() and twice.obtained_share.sum() * twice.span == pytest.approx(11)


@pytest.mark.parametrize(
    ("policy", "ends"),
    [("GPPS", [4, 5, 18, 18, 18, 34, 35, 36, 52, 52]), ("PPS", [4, 5, 17, 17, 18, 35, 35, 36, 52, 52])],
)
def test_ten_jobs_that_share_a_processor_by_weight_by_hand(policy, ends):
    found = replay_processor(PAIRS, policy, (0.75, 0.25))
    assert found.end == pytest.approx(ends) and (found.wait == 0).all()
    present = np.array([4 + 8 + 4 + 2, 5 + 8 + 6 + 2] if policy == "GPPS" else [4 + 7 + 5 + 2, 5 + 8 + 6 + 2])
    deviation = (present * (0.75, 0.25) - (13.5, 7.5)) / (0.75, 0.25) / 52
    assert found.group_share_deviation == pytest.approx(deviation) and found.span == 52
    assert found.performance.probability_present == pytest.approx(present / 52)
    assert found.capacity_loss == pytest.approx(0)


def test_ten_jobs_on_compatible_servers_by_hand():
    jobs = Workload([0, 1, 1, 2, 6, 6, 10, 10, 11, 20], [4, 2, 2, 3, 2, 2, 6, 1, 1, 2], [0, 1, 0, 1, 1, 0, 0, 1, 1, 1])
    found = replay_servers(jobs, CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1]), 0)
    assert found.end == pytest.approx([2, 2.5, 3.25, 4.375, 7, 7.5, 13, 11, 12, 21])
    assert found.wait == pytest.approx([0, 0, 1, 0.5, 0, 0, 0, 0, 0, 0])
    assert found.slowdown[0] == 1 and found.performance.probability_empty == pytest.approx((6 - 4.375 + 2.5 + 7) / 21)


@pytest.mark.parametrize("migration", [False, True])
def test_ten_jobs_on_two_processors_by_hand(migration):
    """Where there is a choice, both ways are alike: two equal jobs come at once, and one is joined first."""
    jobs = Workload([0, 1, 3.5, 5, 6, 10, 10, 11, 12, 20], [4, 2, 2, 3, 1, 4, 4, 1, 1, 2], [0, 1] * 5)
    found = replay_dispatch(jobs, "JSQ", migration=migration, required_shares=(0.5, 0.5), processors=2)
    assert found.end == pytest.approx([4, 3, 5.5, 8, 7, 15, 15, 13, 14, 22])
    assert found.slowdown[7] == pytest.approx(2) and (found.wait == 0).all()
    assert found.obtained_share == pytest.approx([(4 + 2 + 1 + 4 + 1) / 2 / 22, (2 + 3 + 4 + 1 + 2) / 2 / 22])
    assert found.capacity_loss == pytest.approx(0)


@pytest.mark.parametrize(
    ("options", "starts"),
    [
        ({"rule": "FCFS"}, [0, 1, 4, 4, 6, 9, 15, 15, 15, 20]),
        ({"rule": "FCFS", "tracker_times": 1}, [1, 2, 6, 7, 10, 12, 19, 20, 21, 25]),
        ({"rule": "FCFS", "queue_capacity": 1}, [0, 1, 4, 4, math.nan, 9, 15, math.nan, math.nan, 20]),
        ({"rule": "first fit"}, [0, 1, 4, 2, 4, 11, 9, 6, 7, 20]),
        ({"rule": "EASY"}, [0, 1, 4, 2, 4, 9, 15, 6, 15, 20]),
        ({"rule": "fair share"}, [0, 1, 10, 2, 10, 4, 15, 15, 15, 20]),
        ({"rule": "fair share", "half_life": 1}, [0, 1, 10, 2, 10, 4, 15, 11, 15, 20]),
    ],
)
def test_ten_parallel_jobs_on_four_servers_by_hand(options, starts):
    found = replay_cluster(Workload(**PARALLEL), 4, **options, required_shares=(0.5, 0.5))
    assert found.start == pytest.approx(starts, nan_ok=True)
    assert found.end == pytest.approx(np.array(starts) + PARALLEL["sizes"], nan_ok=True)


@pytest.mark.parametrize(
    ("estimates", "exact", "starts", "promised"),
    [
        (None, False, [0, 1, 4, 2, 4, 9, 15, 6, 15, 20], {2: 4, 5: 9, 6: 15}),
        (OVER, True, [0, 1, 4, 2, 4, 9, 15, 6, 15, 20], {2: 4, 5: 9, 6: 15}),
        (OVER, False, [0, 1, 4, 2, 4, 10, 16, 6, 7, 20], {2: 10, 5: 12, 6: 16}),
        (UNDER, False, [0, 1, 4, 2, 4, 9, 15, 15, 15, 20], {2: 4, 5: 5, 6: 15}),
    ],
)
def test_easy_goes_by_estimates(estimates, exact, starts, promised):
    found = replay_cluster(Workload(**PARALLEL, estimates=estimates), 4, "EASY", exact_estimates=exact)
    assert found.start.tolist() == starts
    assert {j: at for j, at in enumerate(found.reserved) if at == at} == promised


def test_measures_of_ten_parallel_jobs_by_hand():
    found = replay_cluster(Workload(**PARALLEL), 4, required_shares=(0.5, 0.5))
    waits = np.array([0, 0, 2, 2, 3, 5, 10, 9, 8, 0])
    assert found.wait.tolist() == waits.tolist() and found.span == 21
    performance = found.performance
    assert performance.utilisation == pytest.approx(65 / 84)
    assert performance.mean_jobs_in_service == pytest.approx(28 / 21)
    assert performance.mean_delay == pytest.approx((0 + 0 + 0 + 2 + 1 + 2 + 4 + 9 + 8 + 0) / 10)  # not at the tracker
    assert found.mean_wait == pytest.approx([waits[::2].mean(), waits[1::2].mean()])
    assert found.obtained_share == pytest.approx([31 / 84, 34 / 84])
    # The half of a group is two servers: the first asks for them until 17 and then for one until 18; the second asks
    # for one from 1, for more from 2 to 15, again for one until 16, and for more from 20 to 21.
    assert found.group_share_deviation == pytest.approx([(35 - 31) / 42, (1 + 13 * 2 + 1 + 2 - 34) / 42])
    # Asked for are 2 and 3 servers, from 2 to 16 all four, then 3 and 1, and from 20 to 21 all four.
    assert found.capacity_loss == pytest.approx((2 + 3 + 14 * 4 + 3 + 1 + 4 - 65) / 84)


def test_who_comes_as_another_leaves_finds_its_place_free():
    log = Workload([0, 1, 2], [2, 1, 1])
    assert replay_cluster(log, 1, queue_capacity=0).start.tolist() == [0, 2, 3]
    times = [0, *range(8)]
    log = Workload(times, [10, *[1] * 8], [0, *[1] * 8])
    found = replay_dispatch(log, "JSQ", required_shares=(0.5, 0.5), processors=2)
    assert found.end.tolist() == [10, *range(1, 9)]


# --- Beside plain loops -----------------------------------------------------------------------------------------------


def drawn(seed, jobs=60, load=0.9, groups=3, whole=False):
    arrivals, sizes, groups = replays_as_python.drawn(seed, jobs, load, groups)
    return (np.floor(arrivals), np.ceil(sizes), groups) if whole else (arrivals, sizes, groups)  # many in one instant


@pytest.mark.parametrize("interruptions", [0, 2.5])
def test_compatible_servers_do_what_a_plain_loop_does(interruptions):
    graph = CompatibilityGraph([{0, 1}, {1, 2}, {2}, {0, 1, 2, 3}], [1, 0.5, 0.7, 0.3])
    for seed in range(3):
        arrivals, sizes, groups = drawn(seed, load=2.0, groups=4)
        found = replay_servers(Workload(arrivals, sizes, groups), graph, interruptions, seed=seed)
        (rng,) = RunLength(replications=1, seed=seed).generators()
        quantum = sizes.mean() / interruptions if interruptions else math.inf
        plain, times = plain_replay.servers(
            list(zip(arrivals, sizes, groups)), graph.servers_of_class, graph.capacities, quantum, rng
        )
        assert found.end == pytest.approx(plain) and found.interruptions.tolist() == times
        assert (found.interruptions.sum() > 50) == (interruptions > 0)


def parallel(seed, jobs=80, whole=False):
    rng = np.random.default_rng(seed)
    arrivals, sizes, groups = drawn(seed, jobs, load=3.0, whole=whole)
    needs = rng.integers(1, 9, jobs)
    estimates = sizes * rng.uniform(0.3, 5, jobs)
    return arrivals, sizes, needs, np.ceil(estimates) if whole else estimates, groups


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("exact", [False, True])
def test_parallel_jobs_start_when_they_do_in_a_plain_loop(rule, whole, exact):
    if exact and rule != "EASY":
        rule, half_life = "fair share", None
    else:
        half_life = 20.0 if rule == "fair share" else None
    shares = (0.5, 0.3, 0.2)
    for seed in range(3):
        arrivals, sizes, needs, estimates, groups = parallel(seed, whole=whole)
        jobs = Workload(arrivals, sizes, groups, needs, estimates=estimates)
        found = replay_cluster(
            jobs, 12, rule, required_shares=shares, half_life=half_life, exact_estimates=exact and rule == "EASY"
        )
        known = sizes if exact else estimates
        plain, promised = plain_replay.cluster(
            list(zip(arrivals, sizes, needs, known, groups)), 12, rule, shares, half_life or math.inf
        )
        assert found.start == pytest.approx(plain)
        if rule == "EASY":
            assert found.reserved == pytest.approx([math.nan if at is None else at for at in promised], nan_ok=True)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(1, 9), st.integers(1, 8), st.integers(1, 12)), min_size=1, max_size=40
    )
)
def test_backfilling_with_exact_estimates_never_delays_the_first_in_line(jobs):
    gaps, sizes, servers, estimates = map(list, zip(*jobs))
    log = Workload(np.cumsum(gaps), sizes, servers=servers, estimates=estimates)
    found = replay_cluster(log, 8, "EASY", exact_estimates=True)
    promised = ~np.isnan(found.reserved)
    assert (found.start[promised] == found.reserved[promised]).all()
    # Who does not run longer than estimated can only make the first in line earlier.
    over = Workload(np.cumsum(gaps), sizes, servers=servers, estimates=np.add(sizes, estimates))
    found = replay_cluster(over, 8, "EASY")
    promised = ~np.isnan(found.reserved)
    assert (found.start[promised] <= found.reserved[promised]).all()


def test_a_queue_of_thousands_keeps_its_order():
    """The queue moves up and grows: under first come, first served and EASY with no room for others, alike."""
    rng = np.random.default_rng(5)
    arrivals, sizes = np.sort(rng.uniform(0, 10, 5000)), rng.exponential(1, 5000)
    log = Workload(arrivals, sizes, servers=np.full(5000, 3))
    starts = [replay_cluster(log, 5, rule).start for rule in ("FCFS", "first fit", "EASY")]
    assert (starts[0] == starts[1]).all() and (starts[0] == starts[2]).all()
    narrow = Workload(arrivals, sizes, servers=rng.integers(1, 5, 5000))
    found = {rule: replay_cluster(narrow, 5, rule) for rule in ("FCFS", "first fit", "EASY")}
    assert found["FCFS"].span > found["EASY"].span and found["FCFS"].span > found["first fit"].span
    for each in found.values():  # nobody has a server that another has
        events = sorted([*zip(each.start, narrow.servers), *zip(each.end, -narrow.servers)], key=lambda one: one)
        assert max(np.cumsum([need for _, need in events])) <= 5


def test_one_of_several_processors_is_one_processor():
    arrivals, sizes, groups = drawn(2, load=1.1)
    log, shares = Workload(arrivals, sizes, groups), (0.5, 0.3, 0.2)
    for local in ("PS", "PPS", "GPPS"):
        several = replay_dispatch(log, "JSQ", local=local, migration=True, required_shares=shares, processors=1)
        one = replay_processor(log, local, shares)
        assert several.end == pytest.approx(one.end)
        assert several.group_share_deviation == pytest.approx(one.group_share_deviation)


def test_a_queue_of_thousands_on_a_processor_loses_no_job():
    rng = np.random.default_rng(8)
    log = Workload(np.sort(rng.uniform(0, 9, 3000)), rng.exponential(1, 3000), rng.integers(0, 2, 3000))
    found = replay_dispatch(log, "JSQ", migration=True, required_shares=(0.5, 0.5), processors=3)
    assert found.obtained_share.sum() * 3 * found.span == pytest.approx(log.sizes.sum())
    assert (found.slowdown >= 1).all() and found.mean_jobs.sum() > 1000
    # What levels integrate to is what Little's law says of the jobs.
    assert found.performance.mean_jobs == pytest.approx(found.mean_jobs)


def test_kernels_run_as_python_give_the_same_bits_and_a_policy_of_ones_own_does_what_a_plain_loop_does():
    script = Path(replays_as_python.__file__)
    run = subprocess.run(
        [sys.executable, script], env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == replays_as_python.bits()


# --- Beside exact answers ---------------------------------------------------------------------------------------------


def replays(replay, of, number=10, jobs=20_000):
    """The mean of what is measured in several replays, with its interval, widened for many comparisons."""
    found = from_replications([of(replay(np.random.default_rng([7, k]), jobs)) for k in range(number)])
    return found.value, 2 * found.half_width


@pytest.mark.parametrize("policy", uniprocessor.POLICIES)
def test_jobs_of_the_model_meet_on_one_processor_what_its_exact_answer_says(policy):
    shares, rates = (0.6, 0.4), (0.3, 0.35)

    def replay(rng, jobs):
        arrivals, groups = np.cumsum(rng.exponential(1 / 0.65, jobs)), rng.random(jobs) < 0.35 / 0.65
        return replay_processor(Workload(arrivals, rng.exponential(1, jobs), groups.astype(int)), policy, shares)

    def of(found):
        one = found.performance
        return [*one.group_share_deviation, *one.job_share_deviation, *one.mean_jobs, *one.mean_response_time]

    if policy == "UD":  # there is no exact answer
        exact = uniprocessor.simulate("UD", shares, rates, jumps=100_000, warmup=1000, seed=1)
        exact = [getattr(exact, name).value for name in (
            "group_share_deviation", "job_share_deviation", "mean_jobs", "mean_response_time")]  # fmt: skip
    else:
        exact = uniprocessor.exact(policy, shares, rates)
        exact = [exact.group_share_deviation, exact.job_share_deviation, exact.mean_jobs, exact.mean_response_time]
    value, width = replays(replay, of)
    assert (np.abs(value - np.concatenate(exact)) <= width).all()


def test_jobs_of_the_model_meet_in_a_cluster_what_its_chain_says():
    cluster = ServiceCluster(6, 3, {1: 0.5, 2: 0.3, 4: 0.2}, arrival_rate=2.5, tracker_rate=8, service_rates=1)
    chain = cluster.solve()

    def replay(rng, jobs):
        arrivals, needs = np.cumsum(rng.exponential(1 / 2.5, jobs)), rng.choice([1, 2, 4], jobs, p=[0.5, 0.3, 0.2])
        return replay_cluster(
            Workload(arrivals, rng.exponential(1, jobs), servers=needs), 6, tracker_times=rng.exponential(1 / 8, jobs),
            queue_capacity=3,
        ).performance  # fmt: skip

    def of(one):
        return [one.mean_queue, one.blocking, one.mean_delay, one.utilisation, one.mean_jobs_in_service,
                *one.mean_jobs, *one.mean_response]  # fmt: skip

    value, width = replays(replay, of)
    assert (np.abs(value - of(chain)) < width).all() and width[1] < 0.02


def test_jobs_of_the_model_meet_on_compatible_servers_what_the_chain_says():
    graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 0.5, 1])
    chain = multiserver.interrupted_queue(graph, [0.4, 0.3], Exponential(1.0), 1.5, 11)
    assert chain.error < 1e-3

    def replay(rng, jobs):
        arrivals, classes = np.cumsum(rng.exponential(1 / 0.7, jobs)), rng.random(jobs) < 3 / 7
        log = Workload(arrivals, rng.exponential(1, jobs), classes.astype(int))
        return replay_servers(log, graph, 1.5, seed=int(rng.integers(2**31))).performance

    def of(one):
        return [*one.mean_jobs, *one.mean_delay, one.probability_empty, *one.interruptions_per_job,
                *one.mean_service_rate]  # fmt: skip

    value, width = replays(replay, of)
    assert (np.abs(value - of(chain)) < width + 1e-3 * np.abs(of(chain))).all()


@pytest.mark.parametrize("migration", [False, True])
def test_jobs_of_the_model_meet_on_two_processors_what_its_chain_says(migration):
    shares, loads = (0.6, 0.4), (0.2, 0.25)
    chain = dispatch.exact_central(
        "JSQ", migration=migration, required_shares=shares, loads=loads, processors=2, most_jobs=18
    )
    assert chain.error < 1e-4

    def replay(rng, jobs):
        arrivals, groups = np.cumsum(rng.exponential(1 / 0.45, jobs)), rng.random(jobs) < 0.25 / 0.45
        log = Workload(arrivals, 2 * rng.exponential(1, jobs), groups.astype(int))
        seed = int(rng.integers(2**31))
        return replay_dispatch(log, "JSQ", migration=migration, required_shares=shares, processors=2, seed=seed)

    def of(one):
        return [*one.group_share_deviation, one.capacity_loss, *one.mean_jobs, *one.obtained_share,
                *one.processors_held, *one.mixed_processors]  # fmt: skip

    value, width = replays(replay, lambda found: of(found.performance))
    assert (np.abs(value - of(chain)) <= width + 1e-4).all()


def test_fair_share_that_forgets_nothing_is_least_attained_service():
    """On one server, beside the definition: who starts is of the group whose service so far is least for its share."""
    rng = np.random.default_rng(3)
    arrivals, sizes, groups = np.sort(rng.uniform(0, 50, 300)), rng.exponential(1, 300), rng.integers(0, 3, 300)
    shares = np.array([0.5, 0.3, 0.2])
    found = replay_cluster(Workload(arrivals, sizes, groups), 1, "fair share", required_shares=shares)
    long = replay_cluster(Workload(arrivals, sizes, groups), 1, "fair share", required_shares=shares, half_life=1e9)
    assert (found.start == long.start).all()
    served = np.zeros(3)
    for j in np.argsort(found.start):
        line = (found.start >= found.start[j]) & (arrivals <= found.start[j])
        attained = served / shares
        assert attained[groups[j]] <= attained[np.unique(groups[line])].min() + 1e-9
        assert j == np.flatnonzero(line & (groups == groups[j])).min()
        served[groups[j]] += sizes[j]


def test_fair_share_keeps_the_promise_of_up_down_if_it_remembers_many_jobs():
    """Two groups that always have jobs, promised .8 and .2: what the first has of the first 2000 mean sizes."""
    groups = np.arange(5000) % 2
    log, shares = Workload(np.zeros(5000), np.random.default_rng(6).exponential(1, 5000), groups), (0.8, 0.2)

    def obtained(found):
        return np.clip(np.minimum(found.end, 2000) - found.start, 0, None)[groups == 0].sum() / 2000

    fair = {
        half_life: obtained(replay_cluster(log, 1, "fair share", required_shares=shares, half_life=half_life))
        for half_life in (0.01, 1, 10, 1000, None)
    }
    up_down = obtained(replay_processor(log, "UD", shares))
    a_job = log.sizes.max() / 2000  # who is behind is next: nobody is ahead by more
    assert abs(up_down - 0.8) < a_job and abs(fair[None] - 0.8) < a_job and abs(fair[1000] - 0.8) < a_job
    assert fair[0.01] == pytest.approx(0.5, abs=0.05)  # turns, of 2000 jobs whose sizes are drawn
    assert fair[0.01] < fair[1] < fair[10] < fair[1000]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: replay_cluster(Workload(**PARALLEL), 3), "servers must be at least 4, which job 5 of the workload"),
        (lambda: replay_cluster(ONE, 3, "LIFO"), "rule must be one of FCFS, first fit, EASY, fair share; got 'LIFO'"),
        (lambda: replay_cluster(ONE, 3, "fair share"), "required_shares must be given under the rule 'fair share'"),
        (lambda: replay_cluster(ONE, 3, half_life=3.0), "half_life must be given under the rule 'fair share' only"),
        (lambda: replay_cluster(ONE, 3, tracker_times=[1, 2]), "a sequence of 10 entries"),
        (lambda: replay_processor(Workload(**PARALLEL), "PS", (0.5, 0.5)), "of jobs of one server each, but job 0"),
        (lambda: replay_processor(ONE, "PS", (0.5, 0.3, 0.2)), "required_shares must be a sequence of 2 shares"),
        (lambda: replay_processor([1.0], "PS", (0.5, 0.5)), "workload must be a clustershare.workload.Workload"),
        (lambda: replay_processor(ONE, "PS", (0.5, 0.5), 1e-300), "all of them together, are floats"),
        (lambda: replay_servers(ONE, CompatibilityGraph([{0}], [1]), 1), "a class for each of the 2 groups"),
    ],
)
def test_a_replay_that_cannot_be_is_refused_in_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()
