"""Formulas and exact answers of splitting, routing, shares and schedules keep their digits at extreme loads.

Loads are 10^-k and 1 - 10^-k, k = 1 to 15, and 1e-300. There a result is near a limit that is known; it scales with the
unit of time; what is exchanged in a system is exchanged in the answer; like parts have like answers.
"""

import inspect
import re
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from clustershare import delivery, design, multiprocessor, partitions, proportional, routing, shares, splitting
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from clustershare.splitting import Classes

LOW = [2e-300, *(10.0**-k for k in range(15, 0, -1))]
HIGH = [1 - 10.0**-k for k in range(1, 16)]
DIGITS = 1e-9  # kept at every load; beside that, results are as far from a limit as the load is, times a factor
FACTOR = 30
EQUAL, TWO, THREE = [0.25] * 4, [0.6, 0.4], [0.5, 0.3, 0.2]
ROOTS = (0.6**0.5 + 0.4**0.5) ** 2
HALVES = [0.5, 0.5]


def two_classes(load):
    return Classes([load / 2, load / 2], [1.0, 1.0], [2.0, 2.0], [1.0, 1.0], [1.0])


ONE = np.ones((2, 1))
CHOSEN = {"deviation": 0.5, "slowdown": 1e300, "policies": ["HPRS PS"], "most_processors": 1}
# Of each function the limits, power and factor: result -> low[1] load^low[0], and high[1] (1 - load)^high[0].
LIMITS = {
    "pattern_allocation": (lambda x: splitting.pattern_allocation([0, 1], 2 * x, [1, 1]).mean_jobs, (1, 1), (-1, 0.75)),
    "pattern_allocation, waits": (
        lambda x: splitting.pattern_allocation([0, 1], 2 * x, [1, 1]).overall_waiting_time, (2, 4), (-1, 0.75)
    ),
    "minimise_response_time": (
        lambda x: splitting.minimise_response_time(TWO, x).objective, (0, 1 / 0.6), (-1, ROOTS)
    ),
    "minimise_waiting_time": (
        lambda x: splitting.minimise_waiting_time(TWO, x).objective, (1, 1 / 0.52), (-1, ROOTS)
    ),
    "fastest_responses": (
        lambda x: splitting.fastest_responses(x, TWO, np.power(TWO, -2.0)).objective, (0, 1 / 0.6), (-1, ROOTS)
    ),
    "shortest_waits": (
        lambda x: splitting.shortest_waits(x, 1 / np.array(TWO), 2 * np.power(TWO, -2.0)).objective,
        (1, 1 / 0.52), (-1, ROOTS),
    ),
    "parallel_response_time": (lambda x: splitting.parallel_response_time([x], [1], [1]), (0, 1), (-1, 1)),
    "capacity_loss": (lambda x: splitting.capacity_loss(EQUAL, [x] * 4), (2, 1), (1, 1)),
    "minimise_capacity_loss": (lambda x: splitting.minimise_capacity_loss(TWO, x).objective, (2, 10 / 9), None),
    "minimise_capacity_loss, three": (
        lambda x: splitting.minimise_capacity_loss(THREE, x, starts=2).objective, (2, 1.2), (1, 1)
    ),
    "approximate_capacity_loss": (
        lambda x: splitting.approximate_capacity_loss(THREE, x).objective, (2, 1.2), (1, 1)
    ),
    "level_spare_capacity": (lambda x: splitting.level_spare_capacity(THREE, x).objective, (2, 1.2), (1, 1)),
    "certify_capacity_loss": (
        lambda x: splitting.certify_capacity_loss(THREE, x, gap=1e-3).objective, (2, 1.2), (1, 1)
    ),
    "load_balancing_success": (lambda x: splitting.load_balancing_success(0, 2, [x, x]), (2, 2), (1, 2)),
    "number_law": (lambda x: splitting.number_law([x, x], 2), (np.array([0, 1]), np.array([1, 2])), (2, [1, 2])),
    "group_number_law": (
        lambda x: splitting.group_number_law([[x / 2], [x / 2]], 0, 2), (np.array([0, 1]), [1, 0.5]), (1, 2)
    ),
    "assignment": (
        lambda x: splitting.assignment(HALVES, np.full((2, 2), x / 2), HALVES).mean_jobs, (1, 1), (-1, 1)
    ),
    "horizontal": (lambda x: splitting.horizontal(HALVES, [x / 2] * 2, HALVES).capacity_loss, (2, 1), (1, 1)),
    "horizontal, GPPS": (
        lambda x: splitting.horizontal(HALVES, [x / 2] * 2, HALVES, "GPPS").feasible_share, (1, 0.5), None
    ),
    "vertical": (lambda x: splitting.vertical(HALVES, [x / 2] * 2, 4).mean_response_time, (0, 4), (-1, 4)),
    "vertical, loss": (lambda x: splitting.vertical(HALVES, [x / 2] * 2, 4).capacity_loss, (2, 1), (1, 1)),
    "minimise_group_share_deviation": (
        lambda x: splitting.minimise_group_share_deviation(HALVES, [x / 2] * 2, HALVES, starts=3).mean_response_time,
        (0, 2), (-1, 2),
    ),
    "certify_group_share_deviation": (
        lambda x: splitting.certify_group_share_deviation(HALVES, [x / 2] * 2, 2, starts=3).mean_jobs, (1, 1), (-1, 1)
    ),
    "waiting_cost": (lambda x: splitting.waiting_cost(two_classes(x), ONE)[0], (2, 1), (-1, 1)),
    "priority_response_times": (
        lambda x: splitting.priority_response_times(two_classes(x), ONE)[1, 0], (0, 1), (-1, 2)
    ),
    "priority_cost": (lambda x: splitting.priority_cost(two_classes(x), ONE)[0], (0, 1), (-1, 1)),
    "minimise_cost": (lambda x: splitting.minimise_cost(two_classes(x), starts=2).objective, (2, 1), (-1, 1)),
    "routing.mean_response_time": (
        lambda x: routing.mean_response_time("MRTP", (1.0, 1.0), 2 * x), (0, 1), (-1, 0.5)
    ),
    "routing.stationary_law": (
        lambda x: routing.stationary_law("MRTP", (1.0, 1.0), 2 * x)[0][1, 0], (1, 2), None
    ),
    "routing.transfer_response_time": (
        lambda x: routing.transfer_response_time("Threshold", x, 2, 3), (0, 1), (-1, 1 / 16)
    ),
    "routing.throughput": (lambda x: routing.throughput(3, x, 1.0), (1, 1), None),
    "routing.throughputs": (lambda x: routing.throughputs(2, x, 1.0)[1:], (1, 1), None),
    "routing.throughput_gains": (lambda x: routing.throughput_gains(2, x, 1.0)[:1], (1, 1), None),
    "design.choose": (lambda x: design.choose(HALVES, [x / 2] * 2, **CHOSEN)[0].slowdown, (0, 1), (-1, 1)),
}  # fmt: skip
# Who may say that a load is out of reach, from there on.
HONEST = {"minimise_cost": 1 - 2e-9, "horizontal, GPPS": 0.5, "routing.transfer_response_time": 1 - 2e-9}
DEAR = {"routing.mean_response_time": 0.9, "routing.stationary_law": 0.9}  # beyond that, minutes until the refusal
# What they compute from is rounded near a load of 1: digits are lost in proportion to 1 / (1 - load).
ROUNDED = {
    "routing.transfer_response_time", "minimise_cost", "priority_cost", "priority_response_times", "group_number_law",
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_results_are_near_their_limits(name):
    function, low, high = LIMITS[name]
    for load, limit in [(x, low) for x in LOW] + [(x, high) for x in HIGH]:
        if load > DEAR.get(name, 1):
            continue
        try:
            found = np.asarray(function(load))
        except NoExactAnswer:
            assert load > HONEST[name]
            continue
        assert np.isfinite(found).all() and (found >= 0).all()
        if limit is None:
            continue
        left = load if limit is low else 1 - load
        power, factor = np.asarray(limit[0], dtype=float), np.asarray(limit[1], dtype=float)
        tolerance = FACTOR * left + DIGITS + (1e-15 / left if name in ROUNDED and limit is high else 0)
        np.testing.assert_allclose(found, factor * left**power, rtol=tolerance, err_msg=f"load {load!r}")


RISING = [name for name, (_, _, high) in LIMITS.items() if high is not None and np.ndim(high[0]) == 0 and high[0] < 0]


@pytest.mark.parametrize("name", RISING)
def test_results_rise_with_the_load(name):
    found = []
    for load in LOW + HIGH:
        if load > DEAR.get(name, 1):
            break
        try:
            found.append(np.max(LIMITS[name][0](load)))
        except NoExactAnswer:
            break
    assert (np.diff(found) >= -1e-15 * np.array(found[1:])).all(), found


def shares_found(first, second):
    """What the groups of a system have, one with each load, on three processors."""
    loads = np.array([first, second])[:, None] * [0.9, 1.0, 0.2]
    found = splitting.assignment(HALVES, loads, [1 / 3] * 3)
    return np.stack([found.mean_jobs, found.mean_response_time, found.feasible_share, found.obtained_share], axis=1)


# Two parts of a system, and what is found of each part.
PARTS = {
    "pattern_allocation": lambda a, b: splitting.pattern_allocation([0, 1], 2.0, [1 / a, 1 / b]).mean_jobs,
    "pattern of five": lambda a, b: [
        splitting.pattern_allocation(pattern, 2.5 * part, [1.0, 9.0]).mean_jobs[0]
        for pattern, part in (((0, 1, 1, 0, 1), a), ((1, 1, 0, 1, 0), b))
    ],
    "fastest_responses": lambda a, b: splitting.fastest_responses(a / 2 + b / 2, [a, b], [1, 1]).arrival_rates,
    "shortest_waits": lambda a, b: splitting.shortest_waits(min(a, b) / 2, [a, b], [a, b]).arrival_rates,
    "assignment": lambda a, b: shares_found(a / 2, b / 2),
    "horizontal": lambda a, b: splitting.horizontal(HALVES, [a / 2, b / 2], HALVES).mean_jobs,
    "vertical": lambda a, b: splitting.vertical(HALVES, [a / 2, b / 2], 4).group_share_deviation,
    "load_balancing_success": lambda a, b: [splitting.load_balancing_success(0, 2, pair) for pair in ([a, b], [b, a])],
    "parallel_response_time": lambda a, b: [
        splitting.parallel_response_time([x, y], [1.0, 1.0], [1.0, 1.0]) for x, y in ((a, b), (b, a))
    ],
}


@pytest.mark.parametrize("name", PARTS)
def test_parts_that_are_exchanged_are_exchanged_in_the_answer(name):
    for load in [x for x in LOW if x > 1e-70] + HIGH:
        if name in ("fastest_responses", "shortest_waits") and load > 1 - 1e-12:
            continue  # these are rates here, not loads
        alike = np.asarray(PARTS[name](load, load))
        np.testing.assert_allclose(alike[0], alike[1], rtol=1e-14, atol=0)
        one, other = (np.asarray(PARTS[name](*pair)) for pair in ((load, load / 3), (load / 3, load)))
        np.testing.assert_allclose(one, other[::-1], rtol=1e-13, atol=1e-13 * load)


# In another unit of time: which power of the unit the results are multiplied by.
UNITS = {
    "pattern_allocation": (lambda u: splitting.pattern_allocation([0, 0, 1], 1.2 * u, [u, u]).mean_waiting_time, -1),
    "fastest_responses": (lambda u: splitting.fastest_responses(u, [u, u / 2], [u**-2, u**-2]).objective, -1),
    "shortest_waits": (lambda u: splitting.shortest_waits(u, [1 / u, 2 / u], [u**-2, u**-2]).arrival_rates, 1),
    "parallel_response_time": (lambda u: splitting.parallel_response_time([0.9 * u], [u], [u**-2]), -1),
    "times_to_empty": (lambda u: routing.times_to_empty((3, 2), (2 * u, u))[1:], -1),
    "scores": (lambda u: routing.scores("MSTP", 2, (2 * u, u), u), -1),
    "choices": (lambda u: [routing.choices(policy, 3, (2 * u, u), u) for policy in routing.POLICIES], 0),
    "throughputs": (lambda u: routing.throughputs(4, u, u)[1:], 1),
    "throughput_gains": (lambda u: routing.throughput_gains(4, u, u), 1),
    "fractions": (lambda u: multiprocessor.fractions([0.5 * u, 0.3 * u], [0.6 * u, 0.4 * u]), 0),
    "schedule": (lambda u: multiprocessor.schedule([u, u, u], [2 * u, u]).service_rates([2 * u, u]), 1),
    "is_feasible": (lambda u: multiprocessor.is_feasible([u, u], [1.5 * u, 0.5 * u]), 0),
    "group_weights": (lambda u: multiprocessor.group_weights(HALVES, [1, 4], [2 * u, u, u]), 0),
    "deliver": (lambda u: delivery.deliver([0.5, 0.4], [0, 1, 1], [2 * u, u, u]).margin, 0),
    "partition": (lambda u: partitions.partition(HALVES, [2 * u, u, u])[1], 0),
    "full_partition": (lambda u: partitions.full_partition(HALVES, [2 * u, u, u])[1], 0),
    "one_to_one_partition": (lambda u: partitions.one_to_one_partition([0.5, 0.25, 0.25], [2 * u, u, u]), 0),
    "partitioned_feasible_share": (lambda u: partitions.partitioned_feasible_share(0.5, 1, (1,), [2 * u, u, u]), 0),
    "maximum_obtainable_share": (lambda u: shares.maximum_obtainable_share([0, 1, 2**53], [2 * u, u]), 0),
    "maximum_feasible_group_share": (lambda u: shares.maximum_feasible_group_share(1e-300, 1, [2 * u, u]), 0),
    "State": (lambda u: shares.State([2 * u, u], HALVES, [0], [[1, 0]]).capacity_loss, 0),
    "worst_error": (lambda u: proportional.worst_error([0, 0, 1], [u, u]), 0),
}


@pytest.mark.parametrize("name", UNITS)
def test_results_scale_with_the_unit(name):
    function, power = UNITS[name]
    for unit in (1e-30, 1e-7, 1e6, 1e30, 1e-299, 1e299):
        if unit in (1e-299, 1e299) and name in ("fastest_responses", "shortest_waits", "parallel_response_time"):
            with pytest.raises(ValueError, match="at least 1e-75 and at most 1e"):
                function(1e-100)
            continue
        scaled = np.asarray(function(unit), dtype=float) / unit**power
        np.testing.assert_allclose(scaled, np.asarray(function(1.0), dtype=float), rtol=1e-12)


@pytest.mark.parametrize("load", [*LOW[1:], *HIGH, 1.99999999 / 2, 1.9999999 / 2])
def test_two_in_turn_by_the_root_of_their_equation(load):
    """Every other job: 1 - sigma solves (1 - x) (1 + r x)^2 = 1, r being services per arrival; E[N] is load / x."""
    with localcontext() as context:
        context.prec = 60
        r = 1 / (2 * Decimal(load))
        b, c = 2 * r - r * r, 2 * r - 1  # r^2 x^2 + b x - c = 0
        exact = Decimal(load) * 2 * r * r / ((b * b + 4 * r * r * c).sqrt() - b)
    found = splitting.pattern_allocation([0, 1], 2 * load, [1.0, 1.0]).mean_jobs
    np.testing.assert_allclose(found, float(exact), rtol=1e-14)


def test_a_pattern_near_saturation():
    """The case of which this is a kind; and patterns by 120 digits of a matrix that is subtracted from."""
    np.testing.assert_allclose(splitting.pattern_allocation([0, 1], 1.99999999, [1, 1]).mean_jobs, 1.5e8, rtol=1e-7)
    for pattern, rate, jobs in (
        ([0, 0, 1], 1.4999999849999999, 83333331.855323556623), ([0, 0, 0, 1], 1.33333332, 87499998.763203928866),
        ([0, 1, 1, 0, 1], 2.4999999749999997, 69999998.592672254985),
        ([0, 0, 1], 1.5000000000000002e-08, 1.0000000075000001312e-8),
        ([0, 1, 1, 0, 1], 2.25, 6.4054534349442279619),
    ):  # fmt: skip
        assert splitting.pattern_allocation(pattern, rate, [1, 1e3]).mean_jobs[0] == pytest.approx(jobs, rel=1e-14)


def test_losses_are_those_of_fractions():
    rng = np.random.default_rng(32)
    for k in range(16):
        for processors in (1, 2, 3, 6):
            parts = np.sort(rng.integers(1, 9, processors))[::-1].tolist()
            speeds = [Fraction(part, sum(parts)) for part in parts]
            small = [float(x) for x in rng.random(processors) * 10.0**-k]
            for loads in (small, [1 - x for x in small], [0.0, *small[1:]]):
                if max(loads) < 1:
                    exact = float(splitting.capacity_loss(speeds, [Fraction(x) for x in loads]))
                    found = splitting.capacity_loss([float(c) for c in speeds], loads)
                    assert found == pytest.approx(exact, rel=1e-12, abs=1e-300)


def test_shares_are_those_of_fractions():
    """One group of two on one processor: its number is geometric; with r P = 1 its feasible share is P[N > 0]."""
    for load in LOW[1:] + HIGH:
        for mine in (load / 3, load / 2):
            idle = 1 - Fraction(mine) - Fraction(load / 2)
            own = Fraction(mine) / (idle + Fraction(mine))
            found = splitting.assignment(HALVES, [[mine, mine], [load / 2, load / 2]], HALVES)
            busy = (1 - (1 - own) ** 2) / 2
            assert found.feasible_share[0] == pytest.approx(float(busy), rel=1e-14)
            assert found.mean_jobs[0] == pytest.approx(float(2 * Fraction(mine) / idle), rel=1e-14)


def test_tiny_loads_go_where_they_belong():
    for load in (1e-15, 1e-17, 1e-300):
        for function in (splitting.minimise_response_time, splitting.minimise_capacity_loss):
            np.testing.assert_allclose(function(TWO, load).fractions, [1, 0], rtol=1e-15, atol=0)
        np.testing.assert_allclose(splitting.minimise_waiting_time(TWO, load).fractions, [9 / 13, 4 / 13])


def test_as_many_processors_as_are_allowed():
    """Each half has a negative binomial number; the loss at a low load is that of two jobs at one processor."""
    found = splitting.vertical(HALVES, [0.3, 0.2], 10**6)
    assert found.capacity_loss == pytest.approx(0.5, abs=1e-9)
    np.testing.assert_allclose(found.group_share_deviation, [0.4, 4 / 15], atol=1e-9)
    found = splitting.vertical(HALVES, [1e-10, 1e-9], 10**5)
    assert found.capacity_loss == pytest.approx((2e-10) ** 2 / 2 + (2e-9) ** 2 / 2, rel=1e-6)


def test_the_gains_of_fast_processors():
    """log(1 + 2^63), less the first terms of its series."""
    expected = 63 * np.log(2) - np.array([0, 1, 3 / 2, 11 / 6])
    np.testing.assert_allclose(routing.throughput_gains(3, 2**63 - 1, 1.0), expected, rtol=1e-14)


plan = multiprocessor.schedule([0.5, 0.3, 0.2], [0.6, 0.4])
MANY = Classes([[0.3, 0.3]] * 2, [1.0, 1.0], [2.0, 2.0], [1.0, 1.0], [0.5, 0.5])
REFUSED = {
    "times must be below 1": lambda: plan.at([2.0]),
    "times must be an array of finite numbers, 1-dimensional, at least 0": lambda: plan.at([-0.5]),
    "most must be such that not all jobs are lost": lambda: routing.mean_response_time("MRTP", (1.0, 1.0), 1.2, 0),
    "own must be processors that differ": lambda: partitions.partitioned_feasible_share(0.5, 1, (0, 0), [2, 1, 1]),
    "chosen must be whole numbers": lambda: proportional.worst_error([0.5], [1, 1]),
    "the sum of tickets must be an integer": lambda: proportional.lottery([2**62] * 2, 3, np.random.default_rng(1)),
    "serve needs a client": lambda: proportional.EEVDF().serve(),
    "the sum of capacities must be a finite number": lambda: delivery.deliver([0.5], [0], [9e299, 9e299]),
    "the sum of service_rates must be": lambda: multiprocessor.is_feasible([9e299, 9e299], [1.0]),
    "the length of pattern must be at most 300": lambda: splitting.pattern_allocation([0] * 10**5, 0.5, [1.0]),
    "the number of states, by most, must be": lambda: routing.choices("MSTP", 10**5, (1.0, 1.0), 0.5),
    "service_rates[0] must be a finite number, at least 1e-75":
        lambda: splitting.fastest_responses(1e-310, [1e-309], [1.0]),
    "start must be loads below 1 that are 0.5": lambda: splitting.certify_capacity_loss(THREE, 0.5, start=[0.1] * 3),
    "routing must be such that the dimensions in front": lambda: splitting.waiting_cost(MANY, np.full((3, 2, 2), 0.5)),
    "routing must be probabilities": lambda: splitting.waiting_cost(MANY, np.full((2, 2), 0.7)),
    "arrival_rates must be such that the dimensions": lambda: Classes([[1.0]] * 2, [1.0], [2.0], [1.0], [[9.0]] * 3),
}  # fmt: skip


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_has_no_answer_is_a_sentence(sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        REFUSED[sentence]()


def test_overloads_are_told_from_loads_near_1():
    with pytest.raises(UnstableError, match="got loads 1, 1"):
        splitting.pattern_allocation([0, 1], 2.0, [1.0, 1.0])
    with pytest.raises(NoExactAnswer, match="too near for its length to have digits"):
        routing.transfer_response_time("Random", 1 - 1e-12, 2)


WITHOUT_LOADS = {
    "Classes", "switch_on_loads", "timetable", "feasible_group_share", "group_share_deviation", "job_share_deviation",
    "required_shares", "sorted_capacities", "own_and_shared", "lottery", "stride", "time_function",
    "time_function_jobs", "EEVDF",
}  # fmt: skip


def test_no_function_is_left_out():
    named = {name.split(",")[0].split(".")[-1] for name in [*LIMITS, *PARTS, *UNITS]} | WITHOUT_LOADS
    for room in (splitting, routing, shares, multiprocessor, partitions, proportional, delivery, design):
        for name, one in vars(room).items():
            if not name.startswith("_") and inspect.isroutine(one) and one.__module__.startswith(room.__name__):
                assert name in named, f"{room.__name__}.{name}"
