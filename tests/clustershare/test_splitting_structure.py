"""The optimum of many processors, against branch and bound, differences, polynomials and bounds that are proven."""

import numpy as np
import pytest

from clustershare.arguments import UnstableError
from clustershare.splitting import (
    approximate_capacity_loss,
    capacity_loss,
    certify_capacity_loss,
    level_spare_capacity,
    minimise_capacity_loss,
    minimise_response_time,
    switch_on_loads,
)
from clustershare.splitting.prices import corrected, feasible_share, fill, prices, stationarity


def capacities_of(rng, processors):
    return np.sort(rng.dirichlet(np.ones(processors)))[::-1].copy()


def test_prices_are_differences_of_the_feasible_share():
    rng = np.random.default_rng(1)
    for processors in (1, 2, 5, 12):
        speeds, loads = capacities_of(rng, processors), rng.uniform(0.05, 0.9, processors)
        value, gradient = feasible_share(speeds, loads)
        assert value == pytest.approx(capacity_loss(speeds, loads) + speeds @ loads, abs=1e-14)
        for p, step in enumerate(1e-6 * np.eye(processors)):
            ends = [feasible_share(speeds, loads + sign * step)[0] for sign in (1, -1)]
            assert gradient[p] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-8)
        np.testing.assert_allclose(prices(speeds, loads) * speeds, gradient)


def test_filling_leaves_the_processors_of_large_weight_empty():
    rng = np.random.default_rng(2)
    for _ in range(200):
        processors = rng.integers(1, 8)
        speeds, total, weights = capacities_of(rng, processors), rng.uniform(0.01, 0.99), rng.exponential(1, processors)
        loads, _ = fill(speeds, total, weights)
        assert loads @ speeds == pytest.approx(total, abs=1e-14) and loads.max() < 1
        ratios, used = (1 - loads) / weights, loads > 0
        np.testing.assert_allclose(ratios[used], ratios[used][0])
        assert (1 <= ratios[used][0] * weights[~used] * (1 + 1e-12)).all()


@pytest.mark.parametrize("processors", [2, 3, 4])
def test_the_split_of_equal_prices_is_the_proven_optimum(processors):
    rng = np.random.default_rng(processors)
    for total in (0.05, 0.4, 0.9):
        speeds = capacities_of(rng, processors)
        even = approximate_capacity_loss(speeds, total, rounds=None)
        assert even.method == "equal prices" and even.error < 1e-11
        assert even.objective == pytest.approx(certify_capacity_loss(speeds, total).objective, abs=1e-9)
        again = corrected(speeds, total, even.processor_loads)
        np.testing.assert_allclose(again, even.processor_loads, atol=1e-12)
        descent = minimise_capacity_loss(speeds, total)
        np.testing.assert_allclose(descent.processor_loads, even.processor_loads, atol=1e-7)


def test_a_proof_from_anywhere_ends_at_the_optimum():
    speeds = np.array([0.5, 0.3, 0.2])
    from_afar, near = (certify_capacity_loss(speeds, 0.4, start=start) for start in (np.full(3, 0.4), None))
    assert capacity_loss(speeds, [0.4] * 3) > near.objective + 0.01
    assert from_afar.objective == pytest.approx(near.objective, abs=1e-9)
    np.testing.assert_allclose(from_afar.processor_loads, near.processor_loads, atol=1e-4)


def test_each_round_comes_nearer():
    rng = np.random.default_rng(5)
    for processors in (2, 6, 40, 400):
        speeds, total = capacities_of(rng, processors), 0.45
        found = [approximate_capacity_loss(speeds, total, rounds=rounds) for rounds in (0, 1, 2, None)]
        losses = [each.objective for each in found]
        assert losses == sorted(losses, reverse=True) and found[0].method == "power rule"
        assert losses[0] - losses[3] < 0.01 and losses[2] - losses[3] < 1e-4


def test_where_all_is_lost_the_power_rule_stands():
    """At 2000 processors and a load of 0.9 no price can be held: whatever the split, all capacity is wanted."""
    speeds = capacities_of(np.random.default_rng(6), 2000)
    formula, even = (approximate_capacity_loss(speeds, 0.9, rounds=rounds) for rounds in (0, None))
    np.testing.assert_array_equal(formula.processor_loads, even.processor_loads)
    assert even.objective == pytest.approx(0.1) and stationarity(speeds, even.processor_loads) == 0


def test_equal_processors_share_alike():
    for rounds in (0, 3, None):
        np.testing.assert_allclose(approximate_capacity_loss([0.25] * 4, 0.6, rounds=rounds).processor_loads, 0.6)
    np.testing.assert_allclose(level_spare_capacity([0.25] * 4, 0.6).processor_loads, 0.6)
    assert approximate_capacity_loss([1.0], 0.6).objective == pytest.approx(0)


def test_the_optimum_lies_between_level_spare_capacity_and_the_least_response_time():
    rng = np.random.default_rng(8)
    for _ in range(50):
        speeds, total = capacities_of(rng, rng.integers(2, 12)), rng.uniform(0.02, 0.98)
        loads = approximate_capacity_loss(speeds, total, rounds=None).processor_loads
        bounds = [split(speeds, total).processor_loads for split in (minimise_response_time, level_spare_capacity)]
        assert bounds[0][0] - 1e-9 <= loads[0] <= bounds[1][0] + 1e-9
        assert (bounds[1] > 0).sum() <= (loads > 0).sum() <= (bounds[0] > 0).sum()


def test_the_second_processor_is_switched_on_at_the_root_of_a_polynomial():
    rng = np.random.default_rng(9)
    for processors in (2, 3, 5):
        speeds = capacities_of(rng, processors)
        jobs = np.polynomial.Polynomial(speeds)
        x = np.polynomial.Polynomial([0, 1])
        roots = (speeds[1] * (x * jobs).deriv() - speeds[0] * (1 - x) * jobs).roots()
        root = roots[(abs(roots.imag) < 1e-12) & (roots.real > 0) & (roots.real < 1)].real
        loads = switch_on_loads(speeds)
        assert loads[0] == 0 and loads[1] == pytest.approx(speeds[0] * root[0], abs=1e-8)
        for used, load in enumerate(loads[1:], start=1):
            before, after = (approximate_capacity_loss(speeds, part * load, rounds=None) for part in (0.999, 1.001))
            assert before.processor_loads[used] == 0 < after.processor_loads[used]


def test_equal_processors_are_switched_on_together():
    np.testing.assert_array_equal(switch_on_loads([0.25] * 4), 0)
    loads = switch_on_loads([0.4, 0.3, 0.3])
    assert loads[1] == loads[2] > 0


def test_a_bad_argument_and_an_overload_are_told_apart():
    with pytest.raises(UnstableError, match="load must be below 1"):
        approximate_capacity_loss([0.6, 0.4], 1.2)
    with pytest.raises(ValueError, match="rounds must be an integer of at least 0 and at most 10000; got -1"):
        approximate_capacity_loss([0.6, 0.4], 0.5, rounds=-1)
    with pytest.raises(ValueError, match="capacities must be in descending order"):
        switch_on_loads([0.4, 0.6])
