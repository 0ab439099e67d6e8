"""The distance from balanced fairness to the first order in 1/m: against the ordered chain, found in two other ways."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustershare import multiserver, sizes
from clustershare.multiserver import chain, first_order

G = multiserver.CompatibilityGraph
THREE, NESTED, ONE = G([{0, 2}, {1, 2}], [1, 1, 1]), G([{0, 1}, {1}], [1, 1]), G([{0}], [1.0])
CHAINED = G([{0, 1}, {1, 2}, {2}], [1, 2, 0.5])
HYPER, SUMS = sizes.bimodal_hyperexponential(), sizes.ErlangMixture(0.5, (3, 1), (0.4, 0.6))
SYSTEMS = [
    (ONE, [0.6], HYPER, 8),
    (THREE, [0.7, 0.4], HYPER, 4),
    (NESTED, [0.5, 0.3], HYPER, 4),
    (THREE, [0.7, 0.4], SUMS, 3),
    (CHAINED, [0.5, 0.8, 0.3], sizes.Hyperexponential((2, 0.5), (0.3, 0.7)), 3),
    (G([{0}, {1}], [1, 2]), [0.6, 0.5], HYPER, 4),
]
NAMES = ["one", "three", "nested", "sums of phases", "a chain of classes", "apart"]


@pytest.mark.parametrize("system", SYSTEMS, ids=NAMES)
def test_it_is_the_limit_of_the_ordered_chain(system):
    """Richardson's extrapolation of m times the difference, at m = 200, 400 and 800."""
    graph, rates, size, most = system
    found = multiserver.first_order_distance(graph, rates, size, most)
    fair = multiserver.interrupted_queue(graph, rates, sizes.Exponential(size.mean), 0, most).mean_jobs
    np.testing.assert_allclose(found.fair_jobs, fair, rtol=1e-12)
    one, two, three = (
        m * (multiserver.interrupted_queue(graph, rates, size, m, most).mean_jobs - fair) for m in (200, 400, 800)
    )
    limit = (4 * (2 * three - two) - (2 * two - one)) / 3
    np.testing.assert_allclose(found.mean_jobs, limit, rtol=1e-5, atol=1e-8)
    assert (np.abs(limit) > 1e-4).all()
    np.testing.assert_allclose(found.distance, found.mean_jobs / fair, rtol=1e-12)


@pytest.mark.parametrize("system", SYSTEMS, ids=NAMES)
def test_it_is_the_singular_perturbation_of_the_ordered_chain(system):
    """Group inverses of the whole generators, with nothing said about orders, rotations or numbers of jobs."""
    graph, rates, size, most = system[:3] + (min(system[3], 3),)
    (states, one, _), (same, two, _) = (  # an interruption, or two, for each work of 1
        chain.ordered_chain(graph, rates, size, m * size.mean, most) for m in (1, 2)
    )
    assert states == same
    fast, service = (two - one).toarray(), (2 * one - two).toarray()
    groups = {key: number for number, key in enumerate(dict.fromkeys(tuple(sorted(state)) for state in states))}
    V = np.zeros((len(states), len(groups)))
    V[np.arange(len(states)), [groups[tuple(sorted(state))] for state in states]] = 1
    P = np.eye(len(states)) + fast / (1 - 1.01 * fast.diagonal().min())
    for _ in range(40):  # the limit of its powers
        P = P @ P
        P /= P.sum(axis=1, keepdims=True)
    inverse = np.linalg.inv(fast - P) + P  # the group inverse
    weights = np.linalg.pinv(V) @ P  # law of the orders of each group
    slow = weights @ service @ V
    mean = np.linalg.lstsq(np.vstack([slow.T, np.ones(len(slow))]), np.append(np.zeros(len(slow)), 1), rcond=None)[0]
    push = mean @ weights @ service @ inverse @ service @ V
    q = np.linalg.lstsq(np.vstack([slow.T, np.ones(len(slow))]), np.append(push, 0), rcond=None)[0]
    counts = np.array([np.bincount([i for i, *_ in key], minlength=graph.classes) for key in groups])
    found = multiserver.first_order_distance(graph, rates, size, most)
    np.testing.assert_allclose(found.mean_jobs, size.mean * (q @ counts), rtol=1e-6, atol=1e-10)


@pytest.mark.parametrize("graph", [THREE, NESTED, CHAINED])
def test_exponential_sizes_are_at_no_distance(graph):
    found = multiserver.first_order_distance(graph, [0.4] * graph.classes, sizes.Exponential(1.7), 5)
    assert np.abs(found.distance).max() < 1e-12


def test_the_law_in_closed_form_is_that_of_the_slow_chain():
    phases = first_order._phases(SUMS)
    drifts = {x: np.zeros((2, 2)) for x in first_order._numbers(2, 5)}
    states, Q, Q1, p = first_order.slow_chain(THREE, [0.7, 0.4], SUMS.mean, phases, drifts, 5)
    assert np.abs(p @ Q).max() < 1e-14 and p.min() > 0
    assert np.abs(Q1.sum(axis=1)).max() < 1e-13 and abs(Q1).max() > 0.1


@pytest.mark.parametrize("size", [HYPER, SUMS])
@pytest.mark.parametrize("load", [0.3, 0.7])
def test_one_server_has_a_formula(size, load):
    formula = multiserver.one_server_distance(load, size)
    whole = multiserver.first_order_distance(ONE, [load / size.mean], size, 110 if size == HYPER else 28)
    assert whole.distance[0] == pytest.approx(formula, rel=1e-9, abs=2 * whole.error)
    assert whole.error < 1e-3
    short = multiserver.first_order_distance(ONE, [load / size.mean], size, 12)
    wrong = abs(short.distance[0] - formula)
    assert 0.3 * wrong <= short.error <= 3 * wrong + 1e-12
    two = G([{0, 1}, {1, 0}], [0.25, 0.75])  # equal classes, equal servers: the same queue
    both = multiserver.first_order_distance(two, [0.1 * load / size.mean, 0.9 * load / size.mean], size, 12)
    np.testing.assert_allclose(both.distance, short.distance[0], rtol=1e-9)
    np.testing.assert_allclose(both.mean_jobs, short.mean_jobs[0] * np.array([0.1, 0.9]), rtol=1e-9)


def test_the_limits_of_the_formula():
    """Two jobs at most in light traffic; the squared variation in heavy traffic."""
    for size in (HYPER, SUMS, sizes.bimodal_phases(), sizes.Hyperexponential((9, 1, 0.1), (0.05, 0.15, 0.8))):
        squared = size.variance / size.mean**2
        heavy = multiserver.one_server_distance(1 - 1e-6, size)
        assert heavy == pytest.approx((squared - 1) / (squared + 1), abs=2e-5)
        rng = np.random.default_rng(4)
        less = np.minimum(size.sample(rng, 200_000), size.sample(rng, 200_000))
        error = 2 * less.std() / np.sqrt(len(less)) / size.mean
        light = multiserver.one_server_distance(1e-6, size) / 1e-6
        assert abs(light - (1 - 2 * less.mean() / size.mean)) < 4 * error + 1e-5


components = st.lists(st.tuples(st.floats(0.01, 100), st.floats(0.01, 1)), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(components, st.floats(0.01, 0.999))
def test_the_formula_is_below_the_load_and_free_of_the_unit_of_work(components, load):
    means, weights = np.array(components).T
    size = sizes.Hyperexponential(tuple(means), tuple(weights / weights.sum()))
    found = multiserver.one_server_distance(load, size)
    assert -1e-9 <= found < load
    scaled = sizes.Hyperexponential(tuple(3 * means), size.probabilities)
    assert multiserver.one_server_distance(load, scaled) == pytest.approx(found, rel=1e-6, abs=1e-9)


def test_what_is_too_large_is_refused():
    with pytest.raises(ValueError, match="orders"):
        multiserver.first_order_distance(THREE, [0.4, 0.4], sizes.Exponential(), 22)
    with pytest.raises(ValueError, match="states"):
        multiserver.first_order_distance(THREE, [0.4, 0.4], sizes.bimodal_phases(), 9)
    with pytest.raises(ValueError, match="200 phases"):
        multiserver.one_server_distance(0.5, sizes.zipf_phases(201))
