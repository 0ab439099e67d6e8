"""Every error that a chain states of itself, held against a longer cut, a formula, or the law that was spoilt.

A row of the table is a system. It gives pairs of what a chain answers and what is right, in units in which the stated
error is meant, and the error. None may be off by more; and where something is off, the error is not a hundred times
that.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from clustershare import dispatch, interruptions, markov, multiserver, routing, splitting, uniprocessor
from clustershare.cluster_chain import ServiceCluster, direct
from clustershare.cluster_variants import PriorityCluster, SleepingCluster
from clustershare.multiserver import CompatibilityGraph, interrupted_queue
from clustershare.results import NoExactAnswer
from clustershare.sizes import ErlangMixture, Exponential, Hyperexponential, bimodal_hyperexponential

ROUNDING = 1e-12
ABSURD = 100


def hold(pairs, error):
    """Check an error; give the largest distance, which some rows know."""
    off = {name: float(np.max(np.abs(np.subtract(found, right)))) for name, (found, right) in pairs.items()}
    size = max(float(np.max(np.abs(right))) for _, right in pairs.values())
    slack = ROUNDING * max(1.0, size)
    assert all(distance <= error * (1 + 1e-9) + slack for distance in off.values()), (off, error)
    worst = max(off.values())
    assert worst < 1e-9 or error <= ABSURD * worst, (off, error)
    return worst


def pairs_of(names, found, right, relative=False):
    pairs = {name: (getattr(found, name), getattr(right, name)) for name in names}
    return {name: (right / found, 1.0) if relative else (found, right) for name, (found, right) in pairs.items()}


# Central policies

CENTRAL = (
    "group_share_deviation", "capacity_loss", "obtained_share", "mean_jobs", "processors_held", "mixed_processors",
    "busy_range", "busy_spread",
)  # fmt: skip


def central(policy, loads, most_jobs, longer, required=(0.5, 0.5), processors=2, **more):
    common = {"required_shares": required, "loads": loads, "processors": processors, **more}
    found = dispatch.exact_central(policy, most_jobs=most_jobs, **common)
    right = dispatch.exact_central(policy, most_jobs=longer, **common)
    assert right.error < max(0.2 * found.error, 1e-8)
    pairs = pairs_of(CENTRAL, found, right)
    return hold({**pairs, "all jobs": (found.mean_jobs.sum(), right.mean_jobs.sum())}, found.error)


@pytest.mark.parametrize(
    ("load", "most_jobs", "longer", "off"), [(0.8, 30, 100, 0.0360), (0.9, 60, 200, 0.107), (0.85, 38, 130, 0.0778)]
)
def test_join_the_shortest_queue_near_saturation(load, most_jobs, longer, off):
    assert central("JSQ", (load, 0.0), most_jobs, longer) == pytest.approx(off, rel=0.02)


def test_two_groups_of_which_each_misses_half():
    central("JSQ", (0.3, 0.3), 16, 30)


@pytest.mark.parametrize("migration", [False, True])
@pytest.mark.parametrize("policy", dispatch.POLICIES)
def test_central_policies_over_random_systems(policy, migration):
    rng = np.random.default_rng([len(policy), ord(policy[0]), migration])
    held = 0
    local = ("PS", "GPPS")[(list(dispatch.POLICIES).index(policy) + migration) % 2]  # in turn
    whole = int(rng.integers(1, 10))
    required = float(Fraction(whole, 10)), float(Fraction(10 - whole, 10))
    common = {"required": required, "migration": migration, "local": local}
    load, part, high = rng.uniform(0.1, 0.35), rng.uniform(), rng.uniform(0.7, 0.95)
    # One group alone: long lines are cheap, as long as three in ten thousand jobs are lost on one processor.
    short, long = (math.ceil(math.log(3e-4) / math.log(each)) for each in (high / 2, high))
    for loads, most_jobs, longer in (
        ((load * part, load * (1 - part)), 8, 14),
        ((high, 0.0), long, long + long // 2),
        ((0.0, high / 2), short, 2 * short),
        ((0.0, high / 2), long, long + long // 2),
    ):
        try:
            central(policy, loads, most_jobs, longer, **common)
        except NoExactAnswer:  # about as much as the processors of one group can serve
            continue
        held += 1
    assert held >= 2


@pytest.mark.parametrize("load", [0.3, 0.95])
def test_chains_of_one_line_and_of_two_apart_against_formulas(load):
    required = (0.5, 0.5)
    found = dispatch.exact_central(
        "JSQ", migration=True, required_shares=required, loads=(load, 0.0), processors=2, most_jobs=100
    )
    formula = dispatch.shortest_queue_with_migration(required, (load, 0.0), 2)
    names = "group_share_deviation", "capacity_loss", "obtained_share", "mean_jobs"
    hold(pairs_of(names, found, formula), found.error)
    loads = np.array([load / 2, load / 20])
    apart = dispatch.exact_central("SVP", required_shares=required, loads=loads, processors=2, most_jobs=150)
    right = {"mean_jobs": 2 * loads / (1 - 2 * loads), "group_share_deviation": 0 * loads, "obtained_share": loads}
    hold({name: (getattr(apart, name), value) for name, value in right.items()}, apart.error)


def test_a_chain_without_end_states_no_error(monkeypatch):
    """A group that brings exactly what its processor can serve: all numbers are as likely."""
    monkeypatch.setattr(dispatch.chain, "MOST_FULL", 1.0)
    with pytest.raises(NoExactAnswer, match="hardly less likely"):
        dispatch.exact_central("SVP", required_shares=(0.5, 0.5), loads=(0.5, 0.0), processors=2, most_jobs=40)


# One processor

SHARES = "group_share_deviation", "obtained_share", "probability_present", "mean_jobs"


@pytest.mark.parametrize("policy", ["PPS", "GPPS"])
def test_truncated_chains_of_one_processor(policy):
    rng = np.random.default_rng(7)
    held = 0
    for tolerance in (1e-1, 1e-2, 1e-3, 1e-5) * 3:
        groups = int(rng.choice([2, 2, 3]))
        shares = np.maximum(rng.dirichlet(np.ones(groups)), 0.02)
        loads = rng.uniform(0.05, 0.9 if groups == 2 else 0.4) * rng.dirichlet(np.ones(groups))
        rates = np.exp(rng.uniform(-1.5, 1.5, groups) * rng.integers(2))
        permanent = rng.integers(0, 2, groups) * rng.integers(2)
        system = policy, shares / shares.sum(), loads * rates, rates, permanent
        try:
            found = uniprocessor.exact(*system, tolerance=tolerance)
            right = uniprocessor.exact(*system, tolerance=tolerance / 100)
        except (NoExactAnswer, uniprocessor.UnboundedQueues):
            continue
        if found.method == "chain":
            hold(pairs_of(SHARES, found, right), found.error)
            times = found.mean_response_time, right.mean_response_time
            assert np.nanmax(np.abs(np.subtract(*times)) * loads * rates) <= found.error + ROUNDING
            held += 1
    assert held > 7


def test_one_processor_at_a_load_of_095():
    for tolerance in (1e-2, 1e-4):
        found, right = (uniprocessor.exact("GPPS", (0.6, 0.4), (0.35, 0.6), tolerance=t) for t in (tolerance, 1e-7))
        hold(pairs_of(SHARES, found, right), found.error)


@pytest.mark.parametrize(
    ("policy", "loads", "most_jobs"),
    [("FCFS", (0.1, 0.2), 9), ("HOL", (0.1, 0.2), 9), ("PQ", (0.3, 0.1), 9), ("PQ", (0.02, 0.05), 5)],
)
def test_whole_lines_against_formulas(policy, loads, most_jobs):
    found = uniprocessor.whole_line(policy, (0.6, 0.4), loads, most_jobs=most_jobs).performance
    right = uniprocessor.exact(policy, (0.6, 0.4), loads)
    assert right.error == 0
    hold(pairs_of((*SHARES, "job_share_deviation"), found, right), found.error)


@pytest.mark.parametrize("local", ["PPS", "GPPS"])
@pytest.mark.parametrize(("loads", "processors"), [((0.5, 0.3), 1), ((0.2, 0.5), 4), ((0.6, 0.3), 3)])
def test_the_same_mix_on_every_processor(local, loads, processors):
    capacities = (1 / processors,) * processors
    for tolerance in (1e-2, 1e-4):
        found, right = (
            splitting.horizontal((0.7, 0.3), loads, capacities, local, tolerance=each) for each in (tolerance, 1e-8)
        )
        hold(pairs_of(("group_share_deviation", "mean_jobs"), found, right), found.error)


# Interruptions

ONE, THREE = CompatibilityGraph([{0}], [1.0]), CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
UNEQUAL, APART = CompatibilityGraph([{0}, {0, 1}], [1.0, 0.5]), CompatibilityGraph([{0}, {1}], [1, 1])
LAWS = {
    "exponential": Exponential(2.0),
    "two exponentials": bimodal_hyperexponential(),
    "seldom and very long": Hyperexponential((50.0, 0.5), (0.01, 0.99)),
    "one phase or two": ErlangMixture(0.7, (1, 2), (0.5, 0.5)),
    "one phase or three": ErlangMixture(0.3, (1, 3), (0.9, 0.1)),
}
RELATIVE = "mean_jobs", "mean_delay", "mean_service_rate", "probability_empty"


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("load", [0.1, 0.5, 0.8, 0.95])
def test_a_cut_queue_of_one_server_against_pollaczek_and_khinchine(law, load):
    rate = load / law.mean
    right = load + rate**2 * (law.variance + law.mean**2) / (2 * (1 - load))
    for most_jobs in (2, 5, 8):
        found = interrupted_queue(ONE, [rate], law, 0, most_jobs)
        pairs = {"mean_jobs": (right / found.mean_jobs, 1.0), "empty": ((1 - load) / found.probability_empty, 1.0)}
        assert hold(pairs, found.error) == pytest.approx(found.error, rel=1e-6, abs=1e-12)  # it is exact


@pytest.mark.parametrize("interruptions", [0, 0.5, 20])
@pytest.mark.parametrize("graph", [ONE, THREE, UNEQUAL, APART])
def test_cut_queues_against_balanced_fairness(graph, interruptions):
    rng = np.random.default_rng(3)
    for load in (0.1, 0.4, 0.7, 0.95):
        rates = rng.uniform(0.2, 1.0, graph.classes)
        brought, served = multiserver.graph.loads_of_sets(graph, rates)
        rates *= load / (brought / served).max()
        right = multiserver.balanced_fairness(graph, rates)
        for most_jobs in (2, 5, 9):
            found = interrupted_queue(graph, rates, Exponential(), interruptions, most_jobs)
            hold(pairs_of(RELATIVE, found, right, relative=True), found.error)


@pytest.mark.parametrize("law", list(LAWS.values())[1:], ids=list(LAWS)[1:])
@pytest.mark.parametrize(
    ("graph", "most_jobs", "longer"), [(ONE, (2, 5), 11), (THREE, (1, 2), 5), (UNEQUAL, (1, 2), 5)]
)
def test_cut_queues_against_longer_ones(graph, most_jobs, longer, law):
    longer = min(longer, multiserver.chain.longest_queue(graph.classes, law))
    for often in (0.5, 5):
        rates = np.full(graph.classes, 0.12 / law.mean)
        right = interrupted_queue(graph, rates, law, often, longer)
        for most in most_jobs:
            found = interrupted_queue(graph, rates, law, often, most)
            assert right.error < 0.2 * found.error
            hold(pairs_of(RELATIVE, found, right, relative=True), found.error)


def test_the_cut_that_is_chosen_is_long_enough():
    for find in (multiserver.exact, interruptions.exact):
        found = find(THREE, [0.1, 0.1], bimodal_hyperexponential(), 1)
        right = interrupted_queue(THREE, [0.1, 0.1], bimodal_hyperexponential(), 1, 6)
        hold(pairs_of(RELATIVE, found, right, relative=True), found.error)
        assert found.error <= 1e-3


def test_a_queue_that_is_not_stable_states_no_error():
    assert interrupted_queue(ONE, [1.2], Exponential(), 0, 9).error == math.inf


@pytest.mark.parametrize("law", list(LAWS.values())[1:], ids=list(LAWS)[1:])
@pytest.mark.parametrize("load", [0.1, 0.3, 0.6, 0.8, 0.95])
def test_the_first_order_against_the_formula_of_one_server(law, load):
    right = multiserver.one_server_distance(load, law)
    for most_jobs in (3, 5, 8, 12, 16):
        found = multiserver.first_order_distance(ONE, [load / law.mean], law, most_jobs)
        if found.error < math.inf:
            hold({"distance": (found.distance, right)}, found.error)
    assert load > 0.8 or found.error < math.inf


@pytest.mark.parametrize("graph", [THREE, UNEQUAL])
@pytest.mark.parametrize("rate", [0.1, 0.3])
def test_the_first_order_against_longer_queues(graph, rate):
    right = multiserver.first_order_distance(graph, [rate, 1.5 * rate], bimodal_hyperexponential(), 15)
    for most_jobs in (4, 6, 8):
        found = multiserver.first_order_distance(graph, [rate, 1.5 * rate], bimodal_hyperexponential(), most_jobs)
        if found.error < math.inf:
            hold({"distance": (found.distance, right.distance)}, found.error + right.error)


# Clusters behind a tracker: nothing is cut, but the balance equations are left with a residual


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6])
def test_coarse_solutions_of_a_cluster(tolerance):
    rng = np.random.default_rng(9)
    for _ in range(10):
        servers, places = int(rng.integers(2, 7)), int(rng.integers(0, 9))
        rates = rng.uniform(0.5, 5, 2)
        cluster = ServiceCluster(
            servers, places, {1: 0.6, 2: 0.4}, servers * rng.uniform(0.1, 0.95) / (0.6 / rates[0] + 0.8 / rates[1]),
            rng.uniform(2, 50), {1: rates[0], 2: rates[1]},
        )  # fmt: skip
        coarse, right = cluster.solve(tolerance), direct.solve_directly(cluster, "gth")
        slack = 1e-11
        assert max(abs(coarse.blocking - right.blocking), abs(coarse.utilisation - right.utilisation)) <= (
            coarse.error + slack
        )
        assert abs(coarse.mean_queue - right.mean_queue) <= max(places, 1) * coarse.error + slack
        assert abs(coarse.mean_jobs_in_service - right.mean_jobs_in_service) <= servers * coarse.error + slack


def random_variants():
    rng = np.random.default_rng(4)
    for _ in range(8):
        cluster = PriorityCluster(
            int(rng.integers(2, 5)), rng.integers(0, 3, 2).tolist(), (2, 1), rng.uniform(0.3, 3, 2),
            rng.uniform(0.3, 3, 2), rng.uniform(1, 20),
        )  # fmt: skip
        yield cluster, (0, 0, 0, 0)
        servers = int(rng.integers(2, 4))
        inner = ServiceCluster(
            servers, int(rng.integers(0, 5)), {1: 0.5, 2: 0.5}, rng.uniform(0.3, 3), rng.uniform(1, 20),
            rng.uniform(0.3, 3),
        )  # fmt: skip
        yield SleepingCluster(inner, rng.uniform(0.2, 3), rng.uniform(0.2, 3)), (0, 0, (), servers)


def test_the_error_of_a_variant_covers_whatever_has_its_residual(monkeypatch):
    """The worst law that leaves such a residual: that of the two states that are remembered for longest."""
    for cluster, empty in random_variants():
        states, *moves = markov.explore(empty, cluster.transitions)
        Q = markov.generator(len(states), *moves)
        right = markov.gth(Q)
        always = np.tile(right, (len(states), 1))
        deviations = np.linalg.inv(always - Q.toarray()) - always
        apart = np.abs(deviations[:, None] - deviations).sum(axis=2)
        one, other = np.unravel_index(apart.argmax(), apart.shape)
        spoilt = right + 1e-6 * (deviations[one] - deviations[other])
        for solver in ("stationary", "gth"):  # of many states and of few
            monkeypatch.setattr(markov, solver, lambda Q, law=spoilt: law)
        off, error = np.abs(spoilt - right).sum(), cluster.solve().error
        monkeypatch.undo()
        assert off <= error <= ABSURD * off


# Routing by the numbers of jobs


@pytest.mark.parametrize(("rates", "load"), [((1.0, 1.0), 0.9), ((2.0, 1.0), 0.6), ((1.0,), 0.77), ((1.0,), 0.94)])
def test_the_box_that_is_chosen_misses_less_than_a_millionth(rates, load):
    arrival = load * sum(rates)
    found = routing.mean_response_time("MRTP", rates, arrival)
    law, _ = routing.stationary_law("MRTP", rates, arrival)
    right = routing.mean_response_time("MRTP", rates, arrival, 2 * (len(law) - 1))
    assert found == pytest.approx(right, rel=routing.ENOUGH)
