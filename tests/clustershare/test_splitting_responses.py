"""Short responses and waits under random splitting: one class of any sizes, and several classes."""

import numpy as np
import pytest
from scipy.optimize import minimize

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.estimates import from_replications
from clustershare.sizes import Exponential
from clustershare.splitting import pattern_allocation
from clustershare.splitting.capacity_loss import minimise_response_time, minimise_waiting_time
from clustershare.splitting.classes import (
    Classes,
    minimise_cost,
    onto_simplex,
    priority_cost,
    priority_response_times,
    stable_routings,
    waiting_cost,
)
from clustershare.splitting.response import fastest_responses, parallel_response_time, shortest_waits
from pages.share_scheduling.splitting.points import allocations
from pages.share_scheduling.splitting.systems import mixes, streams
from pages.share_scheduling.splitting.witnesses import phase_chains


def some_classes(rng, classes, processors, load=None):
    means = rng.uniform(0.3, 2, classes)
    parts = rng.dirichlet(np.full(classes, 3.0)) * (rng.uniform(0.3, 0.9) if load is None else load)
    costs = np.sort(rng.uniform(0.2, 3, classes))[::-1] * means  # in order of priority
    seconds = means**2 * (1 + rng.exponential(1.5, classes))
    return Classes(parts / means, means, seconds, costs, rng.dirichlet(np.full(processors, 3.0)))


def test_exponential_sizes_are_split_as_by_the_capacities():
    rng = np.random.default_rng(1)
    for _ in range(20):
        speeds, load = np.sort(rng.dirichlet(np.ones(4)))[::-1], rng.uniform(0.05, 0.95)
        found = fastest_responses(load, speeds, speeds**-2)
        one = minimise_response_time(speeds, load)
        np.testing.assert_allclose(found.arrival_rates / load, one.fractions, atol=1e-12)
        assert found.objective == pytest.approx(one.objective, rel=1e-12)
        again = parallel_response_time(found.arrival_rates, speeds, speeds**-2)
        assert found.objective == pytest.approx(again, rel=1e-14)
        waits, other = shortest_waits(load, 1 / speeds, 2 / speeds**2), minimise_waiting_time(speeds, load)
        np.testing.assert_allclose(waits.arrival_rates / load, other.fractions, atol=1e-12)
        assert waits.objective == pytest.approx(other.objective, rel=1e-12)


def test_processors_in_any_order_and_constant_sizes():
    found = fastest_responses(0.9, [0.4, 2.0, 1.0], [0.0, 0.1, 3.0])
    again = fastest_responses(0.9, [2.0, 1.0, 0.4], [0.1, 3.0, 0.0])
    np.testing.assert_array_equal(found.arrival_rates[[1, 2, 0]], again.arrival_rates)
    assert found.arrival_rates.sum() == pytest.approx(0.9) and found.arrival_rates[0] == 0


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: fastest_responses(2, [1.0, 1.0], [1.0, 1.0]), UnstableError, "arrival_rate must be below 2"),
        (lambda: parallel_response_time([1.0], [1.0], [1.0]), UnstableError, "arrival_rates must leave"),
        (lambda: fastest_responses(1, [1.0, 1.0], [1.0, -1.0]), ValueError, r"variances\[1\] must be"),
        (lambda: shortest_waits(1, [1.0], [1.0, 1.0]), ValueError, "second_moments must be"),
        (lambda: Classes([1], [0.0], [1], [1], [2]), ValueError, "mean_sizes must be"),
        (lambda: Classes([1], [1.0], [0.5], [1], [2]), ValueError, "second_moments must be"),
        (lambda: minimise_cost(Classes([1], [1], [1], [1], [1])), UnstableError, "arrival_rates must bring"),
    ],
)
def test_a_bad_argument_and_an_overload_are_told_apart(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()


@pytest.mark.parametrize("cost", [waiting_cost, priority_cost])
def test_slopes_are_those_of_differences(cost):
    rng = np.random.default_rng(2)
    for _ in range(10):
        system = some_classes(rng, 3, 2)
        routing = stable_routings(system, rng, 1)[0]
        for place in np.ndindex(3, 2):
            step = np.zeros((3, 2))
            step[place] = 1e-7
            slope = (cost(system, routing + step)[0] - cost(system, routing - step)[0]) / 2e-7
            assert cost(system, routing)[1][place] == pytest.approx(slope, rel=1e-4)


def test_one_processor_is_the_uniprocessor():
    system = Classes([0.2, 0.1, 0.3], [1.0, 2.0, 0.5], [2.0, 8.0, 0.5], [3.0, 2.0, 0.4], [1.0])
    rates = 1 / system.mean_sizes
    alone = uniprocessor.exact("HOL", [0.5, 0.3, 0.2], system.arrival_rates, rates)
    np.testing.assert_allclose(
        priority_response_times(system, np.ones((3, 1)))[:, 0], alone.mean_response_time, rtol=1e-12
    )
    waits = (
        uniprocessor.exact("FCFS", [0.5, 0.3, 0.2], system.arrival_rates, rates).mean_response_time - system.mean_sizes
    )
    assert waiting_cost(system, np.ones((3, 1)))[0] == pytest.approx((system.costs * system.arrival_rates) @ waits)


def test_an_overloaded_processor_costs_all():
    system = some_classes(np.random.default_rng(3), 2, 2, load=0.8)
    routing = np.array([[1.0, 0.0], [1.0, 0.0]])
    for cost, slopes in (waiting_cost(system, routing), priority_cost(system, routing)):
        assert cost == np.inf and np.isnan(slopes).all()


def test_the_nearest_probabilities():
    rng = np.random.default_rng(4)
    for point in rng.normal(0, 2, (20, 3)):
        near = onto_simplex(point)
        assert near.min() >= 0 and near.sum() == pytest.approx(1)
        others = rng.dirichlet(np.full(3, 0.5), 1000)
        assert np.linalg.norm(near - point) <= np.linalg.norm(others - point, axis=1).min() + 1e-12


@pytest.mark.parametrize("cost", [waiting_cost, priority_cost])
def test_no_other_descent_finds_less(cost):
    rng = np.random.default_rng(5)
    for classes, processors in ((2, 2), (2, 3), (3, 2)):
        system = some_classes(rng, classes, processors)
        found = minimise_cost(system, cost)
        np.testing.assert_allclose(found.routing.sum(axis=1), 1)
        shape = found.routing.shape

        def value(x, system=system, shape=shape):
            return min(cost(system, onto_simplex(x.reshape(shape)))[0], 1e9)

        assert found.error <= 0.01 * found.objective
        for guess in stable_routings(system, rng, 5):
            tried = minimize(
                value, guess.ravel(), method="SLSQP", bounds=[(0, 1)] * guess.size,
                constraints={"type": "eq", "fun": lambda x, shape=shape: x.reshape(shape).sum(axis=1) - 1},
            )  # fmt: skip
            met = np.abs(tried.x).reshape(shape)
            assert found.objective <= cost(system, met / met.sum(axis=1, keepdims=True))[0] * (1 + 1e-6)


def test_many_systems_at_once_are_each_of_them():
    rng = np.random.default_rng(6)
    systems = [some_classes(rng, 2, 2) for _ in range(3)]
    together = Classes(**{name: np.stack([vars(one)[name] for one in systems]) for name in vars(systems[0])})
    values = minimise_cost(together).objective
    np.testing.assert_allclose(values, [minimise_cost(one).objective for one in systems], rtol=1e-6)


def test_patterns_are_all_but_their_rotations():
    assert [len(allocations.different(period)) for period in (2, 3, 4, 5, 6)] == [1, 2, 4, 6, 12]
    assert len(allocations.patterns(6)) == 2**6 - 2
    assert allocations.in_blocks(2) == (0, 0, 1, 1)


def test_paths_wait_as_long_as_the_chain_says():
    pattern, rates = (0, 0, 1), np.array([1.0, 0.5])
    sizes = [Exponential(1.0), Exponential(2.0)]
    simulated = from_replications(allocations.path_waits(pattern, 0.9, sizes, 7))
    assert (
        abs(simulated.value - pattern_allocation(pattern, 0.9, rates).overall_waiting_time) < 2 * simulated.half_width
    )
    waits = from_replications(allocations.path_waits((0.6, 0.4), 0.6, sizes, 8))
    responses = parallel_response_time([0.36, 0.24], rates, rates**-2)
    assert abs(waits.value - (responses - 0.6 * 1 - 0.4 * 2)) < 2 * waits.half_width


def test_the_best_pattern_of_a_period_is_no_worse_than_any():
    best, wait = allocations.best_of_period(4, 0.9, (1.0, 0.5))
    others = [pattern_allocation(p, 0.9, (1.0, 0.5)).overall_waiting_time for p in ((0, 0, 0, 1), (0, 0, 1, 1), (0, 1))]
    assert best == allocations.regular(4, sum(best)) and wait == pytest.approx(min(others))
    assert allocations.best_of_period(2, 1.2, (1.0, 0.5)) == (None, np.inf)


def test_curvature_is_that_of_differences_of_the_cost():
    rng = np.random.default_rng(9)
    system = some_classes(rng, 2, 2)
    routing = stable_routings(system, rng, 1)[0] * 0.9 + 0.05
    move, step = np.array([[1.0, -1.0], [0.0, 0.0]]), 1e-4
    values = [priority_cost(system, routing + k * step * move)[0] for k in (-1, 0, 1)]
    second = (values[0] - 2 * values[1] + values[2]) / step**2
    assert mixes.curvature(system, priority_cost, routing)[0, 0] == pytest.approx(second, rel=1e-3)


def test_waits_by_balance_are_those_of_the_uniprocessor():
    jobs, means = np.array([0.2, 0.3, 0.1]), np.array([1.0, 0.5, 3.0])
    alone = uniprocessor.exact("HOL", [0.5, 0.3, 0.2], jobs, 1 / means)
    waits = mixes.waits_by_balance(jobs, means, 2 * means**2)
    np.testing.assert_allclose(waits, alone.mean_response_time - means, rtol=1e-12)


def test_a_common_mix_costs_what_its_routing_does():
    rng = np.random.default_rng(10)
    system = mixes.random_classes(rng, 3, 3, 2)
    one = mixes.one_of(system, 1)
    grid = [waiting_cost(one, np.tile([x, 1 - x], (3, 1)))[0] for x in np.linspace(0, 1, 2001)]
    assert mixes.common_cost(system)[1] == pytest.approx(min(grid), rel=1e-4)
    assert minimise_cost(one).objective <= mixes.common_cost(system)[1]


def test_lists_and_paths_as_tables():
    lists = allocations.best_lists([2, 3, 4], 0.9, (1.0, 0.5))
    assert lists["best list"].tolist() == ["12", "112", "1112"] and set(lists["most even"]) == {"yes"}
    chance = minimise_waiting_time([2 / 3, 1 / 3], 0.6).objective / 1.5
    assert allocations.list_gains([0.6], (1.0, 0.5), 4)[0.6] == pytest.approx(lists["wait"].min() / chance)
    found = allocations.along_paths({"by chance": (0.5, 0.5)}, 1.0, 3, jobs=20_000)
    for law in ("constant", "exponential"):
        chance, exact = found.loc[law]
        assert abs(chance.value - exact.value) < 2 * chance.half_width


@pytest.mark.parametrize("discipline", ["FCFS", "LCFS", "PS"])
def test_chains_of_phases_are_m_m_1_for_exponential_sizes(discipline):
    assert phase_chains.mean_jobs(discipline, 0.3, Exponential(2.0), 0.6) == pytest.approx(1.5, rel=1e-7)
    assert phase_chains.birth_death_jobs(0.3, 0.5) == pytest.approx(1.5, rel=1e-12)
    assert phase_chains.birth_death_jobs(0.5, 0.5) == np.inf


def test_what_one_more_job_costs_is_the_slope():
    system = streams.streams(5, 3, costly=True)[2]
    sent = system.service_rates * 0.4
    for responses in (True, False):
        for place, slope in enumerate(system.cost(sent, responses)[1]):
            step = 1e-6 * np.eye(len(sent))[place]
            change = system.cost(sent + step, responses)[0] - system.cost(sent - step, responses)[0]
            assert slope == pytest.approx(change / 2e-6, rel=1e-6)
    alike = streams.Stream(1.0, np.ones(2), 2 * np.ones(2), np.ones(2))
    assert streams.unmet(alike, np.array([0.5, 0.5])) == 0 < streams.unmet(alike, np.array([0.6, 0.4]))


def test_who_comes_first_waits_for_what_is_served_of_a_class_that_overloads():
    """The server never idles: a first class finds it busy with the others in the time that it leaves."""
    system = Classes([0.5, 0.8, 0.4], [1.0, 2.0, 1.0], [2.0, 12.0, 2.0], [1.0, 1.0, 1.0], [1.0])
    times = priority_response_times(system, np.ones((3, 1)))[:, 0]
    residual = 0.5 * 2 / 2 + (0.5 / 2.0) * 12 / 2  # the second class is served half of the time, the third never
    np.testing.assert_allclose(times, [residual / 0.5 + 1, np.inf, np.inf], rtol=1e-12)
