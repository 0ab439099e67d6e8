"""Random splitting, against enumerated states, chains, linear searches and paths (`thesis`, Sections 4.3 to 4.5)."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from clustershare.shares import feasible_group_share, maximum_obtainable_share
from clustershare.splitting import (
    assignment,
    capacity_loss,
    certify,
    certify_capacity_loss,
    fairest,
    horizontal,
    load_balancing_success,
    minimise_capacity_loss,
    minimise_group_share_deviation,
    minimise_response_time,
    minimise_waiting_time,
    number_law,
    pattern_allocation,
    vertical,
)
from clustershare.splitting.curvature import curvatures, slopes


def capacities_of(rng, processors):
    return np.sort(rng.dirichlet(np.ones(processors)))[::-1].copy()


def states(loads, most):
    """Numbers of jobs on processors, at most so many on each, and the probability of each: geometric laws."""
    numbers = np.array(list(itertools.product(range(most), repeat=len(loads))))
    return numbers, np.prod((1 - loads) * loads**numbers, axis=1)


@pytest.mark.parametrize("processors", [1, 2, 3, 4])
def test_the_loss_is_that_of_the_states(processors):
    rng = np.random.default_rng(processors)
    for _ in range(10):
        speeds, loads = capacities_of(rng, processors), rng.uniform(0, 0.45, processors)
        numbers, probability = states(loads, 16)
        present = numbers.sum(axis=1)
        lost = maximum_obtainable_share(present, speeds) - (numbers > 0) @ speeds
        assert capacity_loss(speeds, loads) == pytest.approx(probability @ lost, abs=1e-4)
        below = present < processors
        law = np.bincount(present[below], weights=probability[below], minlength=processors)
        np.testing.assert_allclose(number_law(loads, processors), law, rtol=1e-12)
        for n, m in ((0, 1), (0, 2), (1, 4)):
            success = probability @ ((numbers <= n).any(axis=1) & (numbers >= m).any(axis=1))
            assert load_balancing_success(n, m, loads) == pytest.approx(success, abs=1e-4)


def test_the_recursion_loses_no_digit():
    """A thousand processors at the load where most probabilities are too small to be held, by logarithms."""
    for load in (0.1, 0.52, 0.9):
        n = np.arange(1000)
        logs = [math.lgamma(1000 + k) - math.lgamma(k + 1) - math.lgamma(1000) for k in n]
        law = np.exp(np.array(logs) + 1000 * math.log(1 - load) + n * math.log(load))
        np.testing.assert_allclose(number_law(np.full(1000, load), 1000), law, rtol=1e-9, atol=1e-280)


def test_fractions_give_the_exact_loss():
    speeds, loads = [Fraction(3, 5), Fraction(2, 5)], [Fraction(7, 10), Fraction(3, 10)]
    exact = capacity_loss(speeds, loads)
    assert exact == Fraction(166, 1000) and capacity_loss([0.6, 0.4], [0.7, 0.3]) == pytest.approx(0.166, abs=1e-15)


def test_an_overloaded_processor_obtains_its_capacity():
    assert capacity_loss([0.5, 0.3, 0.2], [1.2, 0.5, 0.25]) == pytest.approx(1 - 0.5 - 0.15 - 0.05)


@pytest.mark.parametrize("objective", ["capacity loss", "response time", "waiting time"])
def test_no_other_split_is_better(objective):
    found = {
        "capacity loss": minimise_capacity_loss, "response time": minimise_response_time,
        "waiting time": minimise_waiting_time,
    }[objective]  # fmt: skip
    rng = np.random.default_rng(7)
    for _ in range(30):
        speeds, total = capacities_of(rng, rng.integers(2, 6)), rng.uniform(0.05, 0.95)
        best = found(speeds, total)
        assert best.processor_loads @ speeds == pytest.approx(total) and best.fractions.sum() == pytest.approx(1)

        def value(loads, speeds=speeds, total=total):
            if objective == "capacity loss":
                return capacity_loss(speeds, np.maximum(loads, 0))
            return sum((loads if objective == "response time" else loads**2) / (1 - loads)) / total

        assert best.objective == pytest.approx(value(best.processor_loads), rel=1e-9)
        for _ in range(5):
            start = total + rng.random() * (rng.dirichlet(np.ones(len(speeds))) / speeds * total - total) * 0.1
            tried = minimize(
                value, np.clip(start, 0, 0.99), bounds=[(0, 0.999999)] * len(speeds), method="SLSQP",
                constraints={"type": "eq", "fun": lambda x, speeds=speeds, total=total: speeds @ x - total},
            )  # fmt: skip
            met = tried.x * total / (speeds @ tried.x)  # SLSQP misses the total by its rounding
            assert best.objective <= value(met) + 1e-9


def test_two_processors_by_the_closed_form():
    for faster in (0.501, 0.55, 0.7, 0.9, 0.99):
        for total in (0.01, 0.2, 0.5, 0.8, 0.99):
            best = minimise_capacity_loss([faster, 1 - faster], total)
            assert best.method == "formula"
            first = np.linspace(
                max(0, (total - (1 - faster) * (1 - 1e-9)) / faster), min(1 - 1e-9, total / faster), 400
            )
            second = np.maximum(total - faster * first, 0) / (1 - faster)
            tried = [capacity_loss([faster, 1 - faster], pair) for pair in zip(first, second)]
            assert best.objective <= min(tried) + 1e-12


# Groups


def test_horizontal_shares_are_those_of_enumerated_numbers():
    rng = np.random.default_rng(8)
    for processors in (1, 2, 3):
        shares, loads = rng.dirichlet(np.ones(2)), rng.uniform(0.05, 0.3, 2)
        result = horizontal(shares, loads, capacities_of(rng, processors))
        for g in range(2):
            own = np.full(processors, loads[g] / (1 - loads[1 - g]))
            numbers, probability = states(own, 40)
            feasible = probability @ feasible_group_share(shares[g], numbers.sum(axis=1), processors)
            assert result.feasible_share[g] == pytest.approx(feasible, abs=1e-6)
        np.testing.assert_allclose(result.obtained_share, loads)


@pytest.mark.parametrize("local", ["PS", "PPS", "GPPS"])
def test_one_processor_is_the_uniprocessor(local):
    system = (0.7, 0.3), (0.2, 0.5)
    one, other = (
        horizontal(*system, [1.0], local, (1.0, 2.0)),
        uniprocessor.exact(local, system[0], (0.2, 1.0), (1.0, 2.0)),
    )
    np.testing.assert_allclose(one.group_share_deviation, other.group_share_deviation, atol=1e-9)
    np.testing.assert_allclose(one.mean_jobs, other.mean_jobs, rtol=1e-6)
    np.testing.assert_allclose(one.mean_response_time, other.mean_response_time, rtol=1e-6)


@pytest.mark.parametrize(("local", "by_jobs"), [("PPS", 1), ("GPPS", 0)])
def test_what_two_processors_lose_with_unequal_service_rates(local, by_jobs):
    """The states of one processor, solved by elimination, and all pairs of them."""
    shares, loads, rates, most = np.array([0.8, 0.2]), np.array([0.1, 0.15]), np.array([1.0, 5.0]), 24
    jobs = np.indices((most, most)).reshape(2, -1).T
    place = {tuple(state): k for k, state in enumerate(jobs.tolist())}
    generator = np.zeros((len(jobs), len(jobs)))
    for state, k in place.items():
        weights = shares * np.where(by_jobs, state, np.array(state) > 0)
        for g, step in enumerate(np.eye(2, dtype=int)):
            if (up := tuple((state + step).tolist())) in place:
                generator[k, place[up]] = loads[g] * rates[g]
            if state[g]:
                generator[k, place[tuple((state - step).tolist())]] = rates[g] * weights[g] / weights.sum()
    generator -= np.diag(generator.sum(axis=1))
    generator[:, -1] = 1  # in place of one balance, which follows from the others
    law = np.linalg.solve(generator.T, np.eye(len(jobs))[-1])
    numbers = np.minimum(jobs.sum(axis=1), 2)
    speeds = np.array([0.7, 0.3])
    obtainable = np.append(0, speeds.cumsum())[np.minimum(numbers[:, None] + numbers, 2)]
    result = horizontal(shares, loads, speeds, local, rates)
    assert result.capacity_loss == pytest.approx(law @ obtainable @ law - loads.sum(), abs=1e-7)
    equal = horizontal(shares, loads, speeds, local, (1.0, 1.0 + 1e-9))
    assert equal.capacity_loss == pytest.approx(horizontal(shares, loads, speeds, local).capacity_loss, abs=1e-7)


def test_vertical_shares_are_the_losses_of_the_subsets():
    result = vertical([0.3, 0.7], [0.2, 0.35], 10)
    losses = [capacity_loss(np.full(n, 1 / n), np.full(n, load)) for n, load in ((3, 2 / 3), (7, 0.5))]
    np.testing.assert_allclose(result.group_share_deviation, losses, atol=1e-12)
    assert vertical([0.2, 0.8], [0.1, 0.5], 5).group_share_deviation[0] == pytest.approx(0, abs=1e-15)
    flooded = vertical([0.5, 0.5], [0.6, 0.1], 4)
    assert flooded.group_share_deviation[0] == pytest.approx(0, abs=1e-15)
    assert flooded.capacity_loss == pytest.approx(1 - 0.7 + 0.1) and np.isinf(flooded.mean_jobs[0])


def test_an_overloaded_processor_shared_by_groups_of_unequal_sizes():
    """The fluid of two groups, step by step: (4.120) would give each 0.5."""
    rates, loads = np.array([1.0, 10.0]), np.array([0.8, 0.8])
    numbers = np.array([0.5, 0.5])
    for _ in range(5000):
        numbers += 0.01 * (loads * rates - rates * numbers / numbers.sum())
        numbers /= numbers.sum()  # only their proportions matter
    result = assignment([0.5, 0.5], [[0.8, 0], [0.8, 0]], [0.6, 0.4], rates)
    np.testing.assert_allclose(result.obtained_share, 0.6 * numbers, rtol=1e-6)
    equal = assignment([0.5, 0.5], [[0.8, 0], [0.8, 0]], [0.6, 0.4])
    np.testing.assert_allclose(equal.obtained_share, [0.3, 0.3])


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: capacity_loss([0.5, 0.6], [0.1, 0.1]), ValueError, "capacities must be in descending order"),
        (lambda: capacity_loss([0.6, 0.5], [0.1, 0.1]), ValueError, r"that sum to 1 \(they sum to 1.1\)"),
        (lambda: capacity_loss([1.1, -0.1], [0.1, 0.1]), ValueError, r"capacities\[1\] must be .* above 0"),
        (lambda: capacity_loss([0.6, 0.4], [0.1]), ValueError, "processor_loads must be a sequence of 2 entries"),
        (lambda: capacity_loss([0.6, 0.4], np.array([0.1, np.nan])), ValueError, r"processor_loads\[1\] must be"),
        (lambda: number_law([1.0], 3), ValueError, "processor_loads must be below 1"),
        (lambda: minimise_capacity_loss([0.6, 0.4], 1.0), UnstableError, "load must be below 1"),
        (lambda: minimise_capacity_loss([0.6, 0.4], 0), ValueError, "load must be a finite number, above 0; got 0"),
        (lambda: load_balancing_success(2, 2, [0.5]), ValueError, "most must be an integer of at least 3; got 2"),
        (lambda: horizontal([0.5, 0.5], [0.6, 0.6], [1.0]), UnstableError, "loads must sum to less than 1; got 1.2"),
        (lambda: horizontal([0.5, 0.4], [0.1, 0.1], [1.0]), ValueError, "required_shares must be shares that sum to 1"),
        (lambda: horizontal([0.5, 0.5], [0, 0], [1.0]), ValueError, "loads must be above 0 for at least one group"),
        (lambda: horizontal([0.5, 0.5], [0.1, 0.1], [1.0], "FCFS"), ValueError, "local must be one of PS, PPS, GPPS"),
        (lambda: vertical([0.3, 0.7], [0.1, 0.1], 5), ValueError, r"whole numbers of 5 .* 1.5, 3.5\)"),
        (lambda: assignment([0.5, 0.5], [[0.1], [0.1]], [0.5, 0.5]), ValueError, "must be a table of 2 times"),
        (
            lambda: horizontal([0.5, 0.3, 0.2], [0.3, 0.3, 0.39], [1.0], "GPPS"), NoExactAnswer,
            "A chain of .* states leaves an error",
        ),
    ],
)  # fmt: skip
def test_a_bad_argument_an_overload_and_no_exact_answer_are_told_apart(call, error, sentence):
    with pytest.raises(error, match=sentence) as found:
        call()
    assert found.type is error


def test_the_bounds_of_curvature_hold():
    """Against differences of the slopes, and the slopes against those of the loss."""
    rng = np.random.default_rng(9)
    for _ in range(50):
        processors = rng.integers(2, 6)
        speeds, low = capacities_of(rng, processors), rng.uniform(0, 0.8, processors)
        high = low + rng.uniform(0, 0.2, processors)
        bounds = np.empty((2, 1, processors, processors))
        curvatures(speeds, low[None], high[None], *bounds)
        inside, step = low + rng.random(processors) * (high - low), 1e-6 * np.eye(processors)
        values, gradients = np.empty((2, processors)), np.empty((2, processors, processors))
        for side, sign in enumerate((1, -1)):
            slopes(speeds, inside + sign * step, values[side], gradients[side])
            np.testing.assert_allclose(
                values[side] - speeds @ (inside + sign * step).T,
                [capacity_loss(speeds, point) for point in inside + sign * step], atol=1e-13,
            )  # fmt: skip
        np.testing.assert_allclose((values[0] - values[1]) / 2e-6, gradients.mean(axis=0).diagonal(), atol=1e-8)
        curvature = (gradients[0] - gradients[1]) / 2e-6
        assert (bounds[0, 0] <= curvature + 1e-7).all() and (curvature <= bounds[1, 0] + 1e-7).all()


@pytest.mark.parametrize("processors", [2, 3, 4])
def test_the_certified_least_loss_is_below_every_split(processors):
    rng = np.random.default_rng(processors)
    for total in (0.1, 0.6):
        speeds = capacities_of(rng, processors)
        best = certify_capacity_loss(speeds, total)
        assert best.method == "branch and bound" and best.error == 1e-9
        assert best.objective == pytest.approx(minimise_capacity_loss(speeds, total).objective, abs=2e-9)
        for _ in range(500):
            loads = total * rng.dirichlet(np.full(processors, 0.7)) / speeds
            assert capacity_loss(speeds, loads) >= best.objective - 1e-9


def test_a_minimum_that_is_none_is_found_out(monkeypatch):
    """The search starts from a bad split and must find the good one by itself."""
    speeds, total = [0.5, 0.3, 0.2], 0.3
    best = minimise_capacity_loss(speeds, total)
    worse = minimise_response_time(speeds, total)
    worse = type(worse)(
        processor_loads=np.full(3, total), fractions=np.array(speeds), objective=capacity_loss(speeds, [total] * 3),
        method="descent",
    )  # fmt: skip
    monkeypatch.setattr(certify, "minimise_capacity_loss", lambda *_, **__: worse)
    found = certify_capacity_loss(speeds, total)
    np.testing.assert_allclose(found.processor_loads, best.processor_loads, atol=1e-5)
    with pytest.raises(NoExactAnswer, match="10 boxes do not prove a gap of 1e-09 for 3 processors"):
        certify_capacity_loss(speeds, total, most_boxes=10)


def test_the_fairest_routing_is_below_any_other():
    rng = np.random.default_rng(10)
    for required, loads in (((0.5, 0.5), (0.3, 0.2)), ((0.7, 0.3), (0.2, 0.4))):
        speeds = np.array([0.4, 0.3, 0.3])
        best = minimise_group_share_deviation(required, loads, speeds, starts=15)
        assert best.method == "descent" and best.error < 1e-5
        np.testing.assert_allclose(best.routing.sum(axis=1), 1)
        for _ in range(500):
            routing = rng.dirichlet(np.full(3, rng.choice([0.3, 1.0])), size=2)
            tried = assignment(required, routing * np.array(loads)[:, None] / speeds, speeds)
            assert tried.group_share_deviation.max() >= best.group_share_deviation.max() - 1e-9


def test_a_routing_that_is_no_minimum_has_something_to_gain():
    def deviations(routing):
        return fairest.deviations_of(np.full(2, 0.5), np.full(2, 0.5), routing * np.array([[0.6], [0.4]]))

    assert fairest._still_to_gain(deviations, np.full((2, 2), 0.5)) < 1e-4  # a saddle: the same mix everywhere
    assert fairest._still_to_gain(deviations, np.array([[0.8, 0.2], [0.3, 0.7]])) > 0.01
    assert fairest._still_to_gain(deviations, np.eye(2)) == pytest.approx(0, abs=1e-6)


# Patterns


def test_a_processor_that_gets_every_job_is_m_m_1():
    result = pattern_allocation([0], 0.7, [1.0])
    assert result.mean_waiting_time[0] == pytest.approx(0.7 / 0.3) and result.mean_jobs[0] == pytest.approx(0.7 / 0.3)


@pytest.mark.parametrize("processors", [2, 3, 5])
def test_jobs_sent_in_turn_are_erlang_m_1(processors):
    """The root of the transform of the times between arrivals (GI/M/1)."""
    for load in (0.2, 0.7, 0.95):
        rate = load * processors
        root = brentq(lambda x, rate=rate: (rate / (rate + 1 - x)) ** processors - x, 0, 1 - 1e-9)
        result = pattern_allocation(range(processors), rate, [1.0] * processors)
        np.testing.assert_allclose(result.mean_waiting_time, root / (1 - root), rtol=1e-8)
        assert result.overall_waiting_time == pytest.approx(result.mean_waiting_time[0])


def test_an_uneven_pattern_against_events():
    rng = np.random.default_rng(11)
    pattern, jobs, speeds = np.array([0, 0, 1, 0, 1, 1, 0]), 300_000, np.array([1.0, 0.8])
    arrivals = np.cumsum(rng.exponential(1 / 1.1, jobs))
    to = pattern[np.arange(jobs) % len(pattern)]
    served, free, waits = rng.exponential(1 / speeds[to]), [0.0, 0.0], np.empty(jobs)
    for k, (moment, p) in enumerate(zip(arrivals.tolist(), to.tolist())):
        begun = max(moment, free[p])
        waits[k], free[p] = begun - moment, begun + served[k]
    expected = pattern_allocation(pattern, 1.1, speeds).mean_waiting_time
    for p in (0, 1):
        batches = np.array([batch.mean() for batch in np.array_split(waits[to == p], 20)])
        assert abs(batches.mean() - expected[p]) < 4 * batches.std(ddof=1) / math.sqrt(20) < 0.1 * expected[p]


def test_a_pattern_that_overloads_names_the_processor():
    with pytest.raises(UnstableError, match="got loads 1.2, 0.6") as found:
        pattern_allocation([0, 0, 1], 1.8, [1.0, 1.0])
    assert found.value.overloaded == (0,)
