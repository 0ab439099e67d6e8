"""Many assignments at once, as the search for the fairest one wants them."""

import numpy as np
import pytest

from clustershare.splitting import assignment
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
