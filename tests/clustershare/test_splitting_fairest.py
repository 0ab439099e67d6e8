"""Many assignments at once, as the search for the fairest one wants them."""

import numpy as np
import pytest

from clustershare.results import NoExactAnswer
from clustershare.splitting import (
    assignment,
    certify_group_share_deviation,
    certify_shares,
    horizontal,
    minimise_group_share_deviation,
    vertical,
)
from clustershare.splitting.fairest import deviations_of


@pytest.mark.parametrize("processors", [1, 2, 3, 5])
def test_many_assignments_at_once_are_those_one_by_one(processors):
    """With empty and overloaded processors, groups without load, and shares that are no whole processors."""
    rng = np.random.default_rng(processors)
    flooded = 0
    for _ in range(20):
        groups = rng.integers(2, 5)
        required, speeds = rng.dirichlet(np.ones(groups)), np.sort(rng.dirichlet(np.full(processors, 5)))[::-1].copy()
        own = rng.dirichlet(np.ones(groups + 1))[:groups] * rng.choice([0, 1], groups, p=[0.1, 0.9])
        own[0] += 1e-3 * (own.sum() == 0)
        routings = rng.dirichlet(np.full(processors, 0.3), size=(5, groups))
        routings[0] = np.eye(processors)[rng.integers(processors, size=groups)]
        loads = routings * own[:, None] / speeds
        for found, one in zip(deviations_of(required, speeds, loads), loads):
            expected = assignment(required, one, speeds)
            np.testing.assert_allclose(found, expected.group_share_deviation, atol=1e-13)
            flooded += np.isinf(expected.mean_jobs).any()
    assert processors == 1 or flooded > 10


@pytest.mark.parametrize(("processors", "flooding"), [(3, None), (4, None), (4, 0), (5, 1)])
def test_the_bounds_of_boxes_hold(processors, flooding):
    """Against the deviations at random points of random boxes, with and without processors that a group overloads."""
    rng = np.random.default_rng(processors)
    weights = certify_shares._weights(2)
    for _ in range(100):
        required = rng.dirichlet([3, 3])
        stable = processors - (flooding is not None)
        inside = rng.dirichlet(np.ones(3), size=stable).T[:2] * 0.9
        lows, highs = inside * rng.random(inside.shape), inside + rng.random() * (1 - inside.sum(axis=0)) / 2
        most, loads = inside.sum(axis=1), inside
        if flooding is not None:
            alone = np.zeros((2, 1))
            alone[flooding] = rng.uniform(1, 1.5)
            loads, most = np.hstack([inside, alone]), most + (np.arange(2) == flooding) * (alone[flooding] - 1)
        bound = certify_shares._bounds(
            required * processors, most, flooding, processors - stable, lows[None], highs[None], weights
        )
        found = deviations_of(required, np.full(processors, 1 / processors), loads)
        assert bound[0] <= found.max() + 1e-12


def test_the_certified_routing_is_below_any_other():
    rng = np.random.default_rng(12)
    for required, loads, processors in (
        ((0.5, 0.5), (0.3, 0.2), 4), ((0.5, 0.5), (0.47, 0.03), 4), ((0.3, 0.7), (0.1, 0.5), 3),
    ):  # fmt: skip
        best = certify_group_share_deviation(required, loads, processors)
        assert best.method == "branch and bound" and best.error == 1e-3
        routings = rng.dirichlet(np.full(processors, 0.3), size=(5000, 2))
        tried = deviations_of(
            np.array(required), np.full(processors, 1 / processors), routings * np.array(loads)[:, None] * processors
        )
        assert tried.max(axis=1).min() >= best.group_share_deviation.max() - 1e-3


def test_what_is_not_proven_is_said():
    with pytest.raises(NoExactAnswer, match="100 boxes do not prove a gap of 0.001 for 4 processors"):
        certify_group_share_deviation([0.5, 0.5], [0.3, 0.2], 4, most_boxes=100)
    with pytest.raises(NoExactAnswer, match="do not prove"):  # the same mix everywhere is no minimum
        certify_group_share_deviation([0.5, 0.5], [0.3, 0.2], 4, starts=1, most_boxes=20_000)
    with pytest.raises(NoExactAnswer, match="Groups 0, 1 bring so much"):
        certify_group_share_deviation([0.5, 0.5], [0.7, 0.28], 4)


def test_a_group_that_is_promised_little_and_brings_much_overloads_a_processor_alone():
    """Two processors, of which none is worth a whole share: descents from the same mix everywhere stay there."""
    best = minimise_group_share_deviation([0.15, 0.85], [0.67, 0.11], [0.5, 0.5], starts=2)
    assert np.sort(best.processor_loads.max(axis=1)) == pytest.approx([0.22, 1.34])
    same = horizontal([0.15, 0.85], [0.67, 0.11], [0.5, 0.5])
    assert best.group_share_deviation.max() < 0.03 < 0.3 < same.group_share_deviation.max()


def test_where_there_are_too_many_ways_some_are_tried():
    """Three groups on six processors: seven sets to the power of six."""
    best = minimise_group_share_deviation([1 / 3] * 3, [0.2, 0.2, 0.2], [1 / 6] * 6, starts=2)
    assert best.group_share_deviation.max() <= vertical([1 / 3] * 3, [0.2] * 3, 6).group_share_deviation.max() + 1e-9


def test_a_group_may_overload_one_of_its_processors_to_make_room_on_the_other():
    """The proof asks for it: descents from mixed routings stay where no processor is overloaded."""
    best = certify_group_share_deviation([0.5, 0.5], [0.44, 0.36], 4, starts=4)
    totals = np.sort(best.processor_loads.sum(axis=0))
    assert totals[-1] > 1 > totals[-2] and best.group_share_deviation.max() < 0.1431
    assert vertical([0.5, 0.5], [0.44, 0.36], 4).group_share_deviation.max() > 0.145


def test_where_a_group_may_overload_by_much_the_search_begins_there_too():
    best = minimise_group_share_deviation([0.5, 0.5], [0.48875, 0.36125], [0.25] * 4, starts=8)
    assert best.processor_loads.sum(axis=0).max() > 1.2 and best.group_share_deviation.max() < 0.1427


def test_a_group_of_next_to_no_share_is_proven_too():
    """Its share is less of a processor than rounding: still the first job can claim it."""
    found = certify_group_share_deviation([1e-15, 1 - 1e-15], [0.3, 0.2], 4)
    assert found.method == "branch and bound" and np.isfinite(found.group_share_deviation).all()
