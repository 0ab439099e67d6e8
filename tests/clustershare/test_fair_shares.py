"""Fair shares of resources against linear programs, one for each level of an order from the least share up."""

import numpy as np
import pytest
from scipy.optimize import linprog

from clustershare.fair_shares import dominant_resource_fair, max_min_fair


def lexicographic(pull, most, room):
    """The levels at most `most` whose least is largest, then the second least, and so on, with pull.T @ level <= room.

    The least that all free ones can have, by a linear program; then who cannot have more, by one for each of them.
    """
    users = len(most)
    level, free = np.zeros(users), np.ones(users, dtype=bool)
    while free.any():
        # Of the free ones each at least t: maximise t.
        below = np.hstack([-np.eye(users)[free], np.ones((free.sum(), 1))])
        rows = np.vstack([np.hstack([pull.T, np.zeros((len(room), 1))]), below])
        bounds = [(0, m) if f else (one, one) for m, f, one in zip(most, free, level)]
        right = np.append(room, np.zeros(free.sum()))
        least = -linprog(np.eye(1, users + 1, users)[0] * -1, rows, right, bounds=[*bounds, (0, None)]).fun
        bounds = [(least * (1 - 1e-12), m) if f else (one, one) for m, f, one in zip(most, free, level)]
        for i in np.flatnonzero(free):
            if -linprog(-np.eye(users)[i], pull.T, room * (1 + 1e-12), bounds=bounds).fun <= least * (1 + 1e-7):
                level[i], free[i] = least, False
    return level


@pytest.mark.parametrize("seed", range(8))
def test_max_min_fairness_is_lexicographic(seed):
    rng = np.random.default_rng(seed)
    demands, weights = rng.exponential(1, 6), rng.uniform(0.3, 3, 6)
    capacity = rng.uniform(0.2, 1.2) * demands.sum()
    for weight in (np.ones(6), weights):
        level = lexicographic(weight[:, None], demands / weight, np.array([capacity]))
        given = max_min_fair(demands, capacity, None if weight is not weights else weights)
        assert given == pytest.approx(level * weight, rel=1e-6)
    assert given.sum() == pytest.approx(min(capacity, demands.sum()))


@pytest.mark.parametrize("seed", range(8))
def test_dominant_shares_are_lexicographic(seed):
    rng = np.random.default_rng(seed)
    users, resources = rng.integers(2, 6), rng.integers(1, 4)
    demands = rng.exponential(1, (users, resources)) * (rng.random((users, resources)) < 0.6)
    demands[np.arange(users), rng.integers(0, resources, users)] += 0.5
    capacities = rng.uniform(1, 9, resources)
    for weights in (None, rng.uniform(0.5, 2, users), rng.uniform(0.5, 2, (users, resources))):
        of_each = np.ones((users, 1)) if weights is None else np.atleast_2d(weights.T).T
        share = (demands / capacities / of_each).max(axis=1)
        level = lexicographic(demands / share[:, None], np.full(users, np.inf), capacities)
        found = dominant_resource_fair(demands, capacities, weights)
        assert found * share == pytest.approx(level, rel=1e-6)
        used = found @ demands
        assert (used <= capacities * (1 + 1e-12)).all()
        assert ((demands > 0) & (used >= capacities * (1 - 1e-12))).any(axis=1).all(), "each lacks a resource"


def test_the_example_of_the_paper():
    """Ghodsi et al. (2011), Section 4.1: three tasks and two, two thirds each of the dominant resource."""
    assert dominant_resource_fair([[1, 4], [3, 1]], [9, 18]) == pytest.approx([3, 2], rel=1e-15)


def test_one_resource_is_divided_alike():
    weights = [1, 2, 3]
    found = dominant_resource_fair([[2], [1], [4]], [12], weights) * [2, 1, 4]
    assert found == pytest.approx([2, 4, 6]) and max_min_fair([99] * 3, 12, weights) == pytest.approx([2, 4, 6])


def test_extremes():
    """Digits where numbers lie far apart; nothing to give, or more than enough; who hardly needs what runs out."""
    assert max_min_fair([1e300, 1e-300], 1e300, [1e-300, 1e300]).tolist() == [1e300, 1e-300]
    assert max_min_fair([0, 0], 1).tolist() == [0, 0] and max_min_fair([1, 2], 0).tolist() == [0, 0]
    assert max_min_fair([5, 5], 10).tolist() == [5, 5] == max_min_fair([5, 5], 99).tolist()
    found = dominant_resource_fair([[1, 0, 0], [1e-15, 0, 1], [0, 1, 0]], [1, 1, 1])
    assert found == pytest.approx([1, 1, 1], rel=2e-15)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: max_min_fair([1, -1], 2), r"demands\[1\] must be a finite number, at least 0"),
        (lambda: max_min_fair([1, 1], -2), "capacity must be a finite number, at least 0"),
        (lambda: max_min_fair([1, 1], 2, [1, 0]), r"weights\[1\] must be a finite number, above 0"),
        (lambda: dominant_resource_fair([[1, 1]], [1]), r"demands must be .* of shape \(users, 1\)"),
        (lambda: dominant_resource_fair([[1, 1], [0, 0]], [1, 1]), "in each row one above 0"),
        (lambda: dominant_resource_fair([[1, 1]], [1, 0]), r"capacities\[1\] must be a finite number, above 0"),
        (lambda: dominant_resource_fair([[1, 1]], [1, 1], [[1, 0]]), r"weights must be numbers above 0, of shape \(1"),
        (lambda: dominant_resource_fair([[1e-170]], [1e160]), "such that parts of resources are floats above 0"),
        (lambda: dominant_resource_fair([[1e-160]], [1e150], [1e-10]), "such that numbers of tasks are floats"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
