"""How far a simulated share performance is from an expected one, for the tests of `uniprocessor`."""

import numpy as np
from scipy import stats

EQUAL, UNEQUAL = (0.5, 0.5), (0.6, 0.4)
NAMES = (
    "group_share_deviation", "job_share_deviation", "obtained_share", "probability_present", "mean_jobs",
    "mean_response_time",
)  # fmt: skip
RUN = {"jumps": 30_000, "warmup": 2_000, "replications": 30, "seed": 11}


def off(estimate, expected):
    """The largest distance in standard errors, of the entries of which something is expected (not nan)."""
    error = estimate.half_width / stats.t.ppf(0.975, RUN["replications"] - 1)
    distance = np.abs(estimate.value - expected)
    return np.nanmax(np.where(distance <= 1e-12, 0, distance / np.maximum(error, 1e-300)))


def agree(simulated, expected, errors=4):
    for name in NAMES:
        assert off(getattr(simulated, name), getattr(expected, name)) < errors, name
