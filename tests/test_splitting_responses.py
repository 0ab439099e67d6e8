"""Short responses and waits under random splitting: one class of any sizes, and several classes."""

import numpy as np
import pytest
from scipy.optimize import minimize

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
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
        assert found.objective == parallel_response_time(found.arrival_rates, speeds, speeds**-2)
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
    assert waiting_cost(system, routing)[0] == priority_cost(system, routing)[0] == np.inf


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
            return min(cost(system, x.reshape(shape))[0], 1e9)

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
