"""What is too large, too small or too far apart for an answer: the right value where there is one, else a sentence."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from clustershare import (
    cluster_chain,
    design,
    dispatch,
    fair_queueing,
    multiprocessor,
    multiserver,
    proportional,
    routing,
    shares,
    sizes,
    splitting,
    uniprocessor,
)
from clustershare.arguments import LARGEST_INTEGER, UnstableError
from clustershare.cluster_chain import ServiceCluster, normal_sizes, saturated_jobs, smallest_cluster, solve_directly
from clustershare.cluster_variants import PriorityCluster, SleepingCluster, simulate_energy, simulate_priority
from clustershare.estimates import variance_of_mean, with_controls
from clustershare.interruptions import many_tasks, trace, trace_with_steps
from clustershare.partitions import partition
from clustershare.randomness import (
    chi_square,
    chi_square_percentiles,
    kolmogorov_smirnov_percentiles,
    period_by_running,
    serial_test,
)
from clustershare.results import NoExactAnswer
from clustershare.settling import squared_variation
from clustershare.sizes import ErlangMixture, Exponential, Hyperexponential, bimodal_hyperexponential

THREE = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
CLUSTER = ServiceCluster(4, 20, {1: 0.7, 4: 0.3}, arrival_rate=5, tracker_rate=100, service_rates=1)
MANY = 2000
ALONE = multiserver.CompatibilityGraph([{0}], [1.0])
TINY = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1e-300] * 3)


def far_apart(capacities, rates):
    return multiserver.balanced_fairness(multiserver.CompatibilityGraph([{0, 2}, {1, 2}], capacities), rates)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: uniprocessor.exact("FCFS", (0.6, 0.4), (0.2, 0.2), permanent_jobs=2**62), ValueError,
         "the sum of permanent_jobs must be at most 1000000, for .* grow with it; got 9223372036854775808"),
        (lambda: dispatch.shortest_queue_with_migration((0.5, 0.5), (0.3, 0.3), 10**5), ValueError,
         "processors must be at most 5000"),
        (lambda: dispatch.probe_law("VP", (Fraction(2, 7), Fraction(5, 7)), 20_001, group=1, own=0, probe_limit=9000),
         ValueError, "probe_limit must be at most 4000"),
        (lambda: smallest_cluster(CLUSTER, delay=1e-9), ValueError,
         "delay must be above 0.000526, that of 128 servers, or blocking larger; got 1e-09"),
        (lambda: smallest_cluster(CLUSTER, delay=1, blocking=0), ValueError,
         "blocking must be at least 4.53e-28, below which no number of servers brings it; got 0"),
        (lambda: smallest_cluster(replace(CLUSTER, queue_capacity=2**31), delay=0.1), ValueError,
         "the queue_capacity of cluster must be at most 1000000, for .* grow with it; got 2147483648"),
        (lambda: smallest_cluster(replace(CLUSTER, queue_capacity=10**4), delay=0.1), NoExactAnswer, "was not solved"),
        (lambda: replace(CLUSTER, queue_capacity=10**6).solve(), ValueError, "queue_capacity must be at most 100000"),
        (lambda: ServiceCluster(1, 10**4, {1: 1.0}, 2, 3, 5).solve(), NoExactAnswer, "was not solved: residual"),
        (lambda: solve_directly(replace(CLUSTER, queue_capacity=600), "gth"), ValueError,
         'the number of states for "gth" must be at most 2500, for .* grow with it'),
        (lambda: solve_directly(replace(CLUSTER, queue_capacity=3000)), NoExactAnswer, "too far apart for elimination"),
        (lambda: SleepingCluster(ServiceCluster(4, 3, {1: 0.5, 2: 0.5}, 1e-300, 20, 1), 2, 1).solve(), NoExactAnswer,
         "too far apart for elimination"),
        (lambda: PriorityCluster(100, (5, 5), (5, 1), (1, 5), (1, 1), 100).solve(), ValueError, "got 100000"),
        (lambda: normal_sizes(15, 1e-300), ValueError, "spread must be a finite number, at least 1e-100; got 1e-300"),
        (lambda: saturated_jobs(10**6, {1: 1.0}), ValueError, "servers must be so small"),
        (lambda: ServiceCluster(LARGEST_INTEGER, 1, {1: 1.0}, 1, 1, 1).states, ValueError,
         "the number of servers times that of job_sizes must be at most 1000000"),
        (lambda: multiprocessor.timetable(np.full((10**6, 1), 1e-6)), ValueError,
         "the number of jobs and processors of fractions must be at most 1000"),
        (lambda: fair_queueing.virtual_times([0, 0], [1e10, 2], [0, 1], [1e-300, 2.0]), ValueError,
         "sizes must be such that the virtual times, sums of sizes over weights, are floats"),
        (lambda: fair_queueing.largest_difference([0, 1] * MANY * 2, [0] * 4 * MANY, [1] * 4 * MANY, [0, 1] * MANY * 2),
         ValueError, "the number of packets must be at most 5000"),
        (lambda: fair_queueing.largest_difference([1e300, 1.0], [0] * 20, [1] * 20, [0, 1] * 10), ValueError,
         "begins must be of length 20, one for each packet"),
        (lambda: proportional.time_function_jobs([1.0, 2.0] * 50_000, [(0, 0, 2), (2, 2, 2)], 10**6), ValueError,
         "the number of slopes times that of quanta must be at most 100000000"),
        (lambda: variance_of_mean([1e300, 2.0, 3.0]), ValueError, r"at most 1e\+100"),
        (lambda: with_controls([[[1e300], [1]]] * 3, [[[1], [2]]] * 3, [1]), ValueError, r"samples must .* 1e\+100"),
        (lambda: with_controls([[[1], [2]]] * 3, [[[1], [1e300]]] * 3, [1]), ValueError, r"controls must .* 1e\+100"),
        (lambda: with_controls(np.ones((10**5, 2, 1)), np.ones((10**5, 2, 1)), [1]), ValueError,
         "the square of the replications, times batches, must be at most 10000000000"),
        (lambda: splitting.horizontal([1e-5] * 10**5, [6e-6] * 10**5, [1e-5] * 10**5), ValueError,
         "groups times processors must be at most 100000000"),
        (lambda: partition([1 / 10**5] * 10**5, [2, 1, 1]), NoExactAnswer, "All sets of groups are looked at"),
        (lambda: chi_square_percentiles(99, (0.0, 0.5)), ValueError, r"levels\[0\] must be .* above 0 and below 1"),
        (lambda: splitting.minimise_group_share_deviation([1 / MANY] * MANY, [0.5 / MANY] * MANY, [0.5, 0.5]),
         ValueError, "the number of groups must be at most 12"),
        (lambda: splitting.minimise_group_share_deviation([0.5, 0.5], [0.3, 0.2], [1 / MANY] * MANY), ValueError,
         "groups times processors must be at most 1000"),
        (lambda: splitting.minimise_capacity_loss([0.4, 0.3, 0.3], 0.1, starts=10**6), ValueError, "at most 1000"),
        (lambda: splitting.approximate_capacity_loss([0.5, 0.3, 0.2], 0.5, rounds=10**6), ValueError, "most 10000"),
        (lambda: splitting.certify_capacity_loss([0.4, 0.3, 0.3], 0.1, gap=1e-300), ValueError, "gap .* least 1e-12"),
        (lambda: splitting.certify_group_share_deviation([0.5, 0.5], [0.3, 0.2], 4, gap=1e-300), ValueError,
         "gap must be a finite number, at least 1e-09"),
        (lambda: routing.times_to_empty((10**6, 2), (2.0, 1.0)), ValueError, "the sum of most must be at most 100000"),
        (lambda: routing.times_to_empty((999, 999), (Fraction(2), Fraction(1))), ValueError,
         "the number of states, by most, must be at most 100000"),
        (lambda: fair_queueing.deficit_round_robin([0, 0], [1, 1], [0, 1], [1e-300, 1]), ValueError,
         r"quanta must be so large that the packets take at most 10000000 turns, not 1.0e\+300"),
        (lambda: multiserver.exact(THREE, [0.5, 0.5], bimodal_hyperexponential(), 1e6), NoExactAnswer, "use simulate"),
        (lambda: multiserver.exact(THREE, [0.1, 0.1], bimodal_hyperexponential(), 1e300), NoExactAnswer, "simulate"),
        (lambda: far_apart([1, 1, 1e300], [1.5e300, 1.5]), UnstableError, "overloaded classes {0}"),
        (lambda: far_apart([1, 1, 1], [1e300, 1]), UnstableError, "overloaded classes {0}"),
        (lambda: far_apart([1e-309] * 3, [1e-309] * 2), ValueError, r"capacities\[0\] must be .* at least 1e-300"),
        (lambda: uniprocessor.exact("PQ", (0.6, 0.4), (1e-309, 1e-309), 4e-309), ValueError, "at least 1e-300"),
        (lambda: multiserver.balance_function(THREE, [1000, 1000]), ValueError, r"is a float, or logarithm True"),
        (lambda: chi_square([[0, 0]], [0.5, 0.5]), ValueError, "counts must be above 0 in some category of each row"),
        (lambda: serial_test([0.5] * 8, tests=1, pairs=4, bins=10**5), ValueError, "bins must be at most 1000"),
        (lambda: kolmogorov_smirnov_percentiles(10**6), ValueError, "samples must be at most 10000"),
        (lambda: multiserver.interrupted_queue(THREE, [0.1, 0.1], bimodal_hyperexponential(), LARGEST_INTEGER, 3),
         NoExactAnswer, "use simulate"),
        (lambda: multiserver.interrupted_queue(ALONE, [1e15], bimodal_hyperexponential(), 100, 9), NoExactAnswer,
         "are accepted, which rounding hides"),
        (lambda: multiserver.interrupted_queue(ALONE, [0.7], ErlangMixture(1, (2, LARGEST_INTEGER), (0.5, 0.5)), 1, 9),
         ValueError, "most_jobs must be so small that 9223372036854775807 kinds of jobs have"),
        (lambda: multiserver.first_order_distance(multiserver.CompatibilityGraph([{0}, {1}], [1e-15] * 2),
                                                  [1e300] * 2, Exponential(), 7), NoExactAnswer, "too far apart"),
        (lambda: multiserver.exact(multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1e-15, 1, 1]), [0.75, 0.75],
                                   Hyperexponential((5, 1e300), (0.5, 0.5)), 5), ValueError, "multiples of the capac"),
        (lambda: multiserver.stationary_measure(TINY, [1.5, 1], [0, 0, 1]), ValueError, "measure is a float; got"),
        (lambda: multiserver.over_all_orders(multiserver.CompatibilityGraph([{0}], [1e300]), [1e-300], [1]), ValueError,
         "measure is a float above 0; got"),
        (lambda: dispatch.arrival_law("VP", (1e-15, 1 - 1e-15), 2), ValueError,
         "required_shares must be fractions, or floats next to"),
        (lambda: trace(THREE, [0.1, 0.1], bimodal_hyperexponential(), 1, events=10**6), ValueError, "events must be"),
        (lambda: cluster_chain.simulate(replace(CLUSTER, queue_capacity=2**53)), ValueError,
         "the queue_capacity of cluster must be at most 10000000, for .* grow with it; got 9007199254740992"),
        (lambda: cluster_chain.simulate(replace(CLUSTER, servers=2**31)), ValueError,
         "the most jobs in service must be at most 10000000, for .* grow with it; got 2147483648"),
        (lambda: simulate_priority(PriorityCluster(10, (5, 2**31), (5, 1), (1, 5), (1, 1), 100)), ValueError,
         "the queue_capacities of cluster must be at most 10000000"),
        (lambda: simulate_priority(PriorityCluster(2**31, (5, 5), (5, 2), (1, 5), (1, 1), 100)), ValueError,
         "the most jobs in service must be at most 10000000, for .* grow with it; got 1073741824"),
        (lambda: simulate_energy(SleepingCluster(replace(CLUSTER, queue_capacity=2**31), 2, 1)), ValueError,
         "the queue_capacity of cluster must be at most 10000000"),
        (lambda: simulate_energy(SleepingCluster(replace(CLUSTER, servers=2**31), 2, 1)), ValueError,
         "the servers of cluster must be at most 10000000"),
        (lambda: multiserver.one_server_distance(0.5, ErlangMixture(0.5, (2, 2**31), (0.5, 0.5))), ValueError,
         "sizes must be of at most 200 phases"),
        (lambda: multiserver.first_order_distance(THREE, [0.5, 0.5], ErlangMixture(0.5, (2, 2**31), (0.5, 0.5)), 5),
         ValueError, "sizes must be of at most 20000 phases"),
        (lambda: multiserver.total_rates(multiserver.RandomAssignment(10_000, 2), 10**6), ValueError,
         "servers times degree times most must be at most 5000000000"),
        (lambda: multiserver.total_rates(multiserver.RandomAssignment(10_000, 1000), 1), ValueError,
         "servers times degree must be at most 1000000"),
        (lambda: trace_with_steps(ALONE, [1.0], Exponential(9.0), 1e-15, [0], [("arrival", 0)], most_seeds=2**63 - 1),
         ValueError, "most_seeds must be at most 100000"),
        (lambda: splitting.certify_group_share_deviation([0.5, 0.5], [0.3, 0.2], 100), ValueError,
         "groups times processors must be at most 20"),
        (lambda: design.choose([1 / MANY] * MANY, [0.5 / MANY] * MANY, deviation=0.1, slowdown=2, most_processors=51),
         ValueError, "groups times most_processors must be at most 100000"),
        (lambda: design.choose([0.6, 0.4], [1, 1], deviation=0.1, slowdown=2, policies=["VPRS", "VPRS"]), ValueError,
         "policies must be different from each other"),
        (lambda: dispatch.exact_central("JSQ", required_shares=[1e-5] * 10**5, loads=[4e-6] * 10**5, processors=2,
                                        most_jobs=20), ValueError, "processors times groups times .* at most"),
        (lambda: dispatch.exact_central("HP", migration=True, required_shares=(0.5, 0.5), loads=(1e-9, 1e-9),
                                        processors=100, most_jobs=7), ValueError, "the number of states that can be"),
        (lambda: uniprocessor.whole_line("PQ", (0.6, 0.4), (0.02, 0), 1.0, (2, 2), most_jobs=10**5, order="last"),
         ValueError, "most_jobs must be at most 1000, for .* grow with it"),
        (lambda: uniprocessor.whole_line("HOL", (0.6, 0.4), (0.02, 0.03), 1.0, (1, 1), order="last"), NoExactAnswer,
         "wait for ever behind permanent jobs"),
        (lambda: uniprocessor.whole_line("FCFS", (0.6, 0.4), (0.02, 0.03), 1.0, (1, 1), most_jobs=999, order="random"),
         ValueError, "most_jobs must be such that there are at most 60000 states"),
        (lambda: proportional.time_function([2e-5, 6e-5] * 50_000, 10_000, 7), ValueError,
         "the sum of jobs must be at most 1000000, for .* grow with it; got 1000000000"),
        (lambda: shares.maximum_feasible_group_share([0.4, 0.8, 0.1], [1, 2], [2, 1, 1]), ValueError,
         r"required_share must be a number, or of the shape of jobs, \(2,\)"),
        (lambda: routing.mean_response_time("MRTP", (2.0, 2e-300), 1.2, most=2), NoExactAnswer, "too far apart"),
        (lambda: splitting.certify_capacity_loss([0.6, 0.4], 0.5, most_boxes=2**62), ValueError,
         "most_boxes must be at most 10000000"),
        (lambda: splitting.certify_group_share_deviation([0.5, 0.5], [0.3, 0.2], 4, most_boxes=2**62), ValueError,
         "most_boxes must be at most 10000000"),
        (lambda: splitting.pattern_allocation([0, 1], 1e300, [2e-9, 2.0]), UnstableError, "loads 1e"),
        (lambda: period_by_running(11, 2**31, chunk=1), ValueError, "modulus over chunk must be at most 100000"),
        (lambda: multiserver.balanced_fairness(multiserver.CompatibilityGraph([{0}] * MANY, [1.0]), [1.0] * MANY),
         UnstableError, r"overloaded classes {0, 1, 2.*1998, 1999}: arrival rate 2000 is not below their capacity 1"),
    ],
)  # fmt: skip
def test_a_limit_is_a_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence) as caught:
        call()
    assert type(caught.value) is error and len(str(caught.value)) <= 400


def test_what_has_an_answer_has_the_right_one():
    # Many permanent jobs: each group has its part of what transient jobs leave, and always a job.
    found = uniprocessor.exact("FCFS", (0.6, 0.4), (0.2, 0.2), permanent_jobs=500_000)
    np.testing.assert_allclose(found.obtained_share, [0.5, 0.5], rtol=1e-15)
    assert dispatch.probe_law("HP", (0.5, 0.5), 900, group=0, own=0, probe_limit=899) == [0] + [1] * 899
    law = dispatch.probe_law("VP", (Fraction(2, 7), Fraction(5, 7)), 901, group=1, own=300, probe_limit=400)
    assert sum(law) == 400 and min(law) >= 0 and max(law) <= 1 and law[300] == 0
    # A queue that is always full, of 2 jobs, which leave at the rate at which a saturated cluster serves.
    full = ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, 1e300, 5, 1).solve()
    assert full.mean_delay == pytest.approx(2 / full.mean_jobs_in_service, rel=1e-12)
    often = ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, 1e9, 5, 1).solve()
    assert full.mean_delay == pytest.approx(often.mean_delay, rel=1e-8)
    # Phi(x) from the recursion in logarithms, on one server; and where it is a float.
    assert multiserver.balance_function(multiserver.CompatibilityGraph([{0}], [4.0]), [9000], logarithm=True) == (
        pytest.approx(-9000 * math.log(4), rel=1e-14)
    )
    small = multiserver.balance_function(THREE, [20, 30])
    assert multiserver.balance_function(THREE, [20, 30], logarithm=True) == pytest.approx(math.log(small), rel=1e-14)
    np.testing.assert_allclose(far_apart([1e300] * 3, [1e300] * 2).mean_jobs, [1.4, 1.4], rtol=1e-14)
    assert not multiserver.is_stable(THREE, [1e300, 1]) and saturated_jobs(10_000, {2: 1.0}) == pytest.approx(5000)


@pytest.mark.parametrize("scale", [1e-299, 1e-155, 1.0, 1e155, 1e299])
def test_how_sizes_vary_does_not_depend_on_their_unit(scale):
    """Also where the square of the mean is no float; and so with what goes by it."""
    for law, found in (
        (Exponential(scale), 1.0),
        (Hyperexponential((5 * scale, 0.2 * scale), (1 / 6, 5 / 6)), bimodal_hyperexponential().variance),
        (ErlangMixture(scale, (4,), (1.0,)), 0.25),
        (sizes.Deterministic(scale), 0.0),
        (sizes.Pareto(scale, 3.0), 1 / 3),
        (sizes.Pareto(scale, 1.5), math.inf),
    ):
        assert law.squared_variation == pytest.approx(found, rel=1e-12)
        assert squared_variation([1.0], [law]) == pytest.approx(found, rel=1e-12)
        assert law.variance == pytest.approx(found * law.mean * law.mean, rel=1e-9, abs=1e-300)
        jobs = math.sqrt(math.e) - 1 + (2 - math.sqrt(math.e)) * (1 + found)  # as its docstring has them
        assert many_tasks(0.5, law) == pytest.approx(jobs, rel=1e-12)
    rare, small = Exponential(1.0), Exponential(1e-300)  # two fifths of the work are rare jobs of size 1
    assert squared_variation([0.2, 3e299], [rare, small]) == pytest.approx(0.4 * 2 * 0.6e300, rel=1e-12)
    assert sizes.Pareto(3.0, 1e300).squared_variation == sizes.Pareto(3.0, 1e300).variance == 0.0


def test_jobs_alike_count_as_one_choice_at_random():
    """The order at random, of jobs with exponential services: the numbers of jobs are those of any other order."""
    system = "FCFS", (0.6, 0.4), (0.3, 0.2), 1.0, (1, 0)
    one, other = (uniprocessor.whole_line(*system, most_jobs=9, order=order) for order in ("random", "first"))
    np.testing.assert_allclose(
        np.bincount(one.transient.sum(axis=0), one.probability),
        np.bincount(other.transient.sum(axis=0), other.probability), rtol=1e-9,
    )  # fmt: skip


def test_a_tolerance_below_rounding_takes_no_more_states():
    system = "PPS", (0.6, 0.4), (0.3, 0.3)
    assert uniprocessor.exact(*system, tolerance=1e-300) == uniprocessor.exact(*system, tolerance=1e-16)
