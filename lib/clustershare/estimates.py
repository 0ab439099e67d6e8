"""Simulated quantities: a value with its confidence interval."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A simulated quantity and the half width of its 95 % confidence interval.

    Attributes
    ----------
    value : float or ndarray
        The point estimate; an array where there are several groups or classes.
    half_width : float or ndarray
        Half the width of the interval, of the shape of `value`. Infinite when there was one replication.
    """

    value: np.ndarray
    half_width: np.ndarray

    def contains(self, other):
        """Whether `other` lies within the interval, elementwise."""
        return np.abs(np.asarray(other) - self.value) <= self.half_width


def from_replications(samples):
    """The estimate from independent replications (Student's t).

    Parameters
    ----------
    samples : array_like, shape (replications,) or (replications, n)
        One row per replication.

    Returns
    -------
    Estimate
        Floats for one-dimensional samples, arrays of shape (n,) otherwise.

    Examples
    --------
    >>> estimate = from_replications([1.0, 2.0, 3.0])
    >>> estimate.value, round(estimate.half_width, 6)
    (2.0, 2.484138)
    """
    samples = np.asarray(samples, dtype=float)
    count = len(samples)
    value = samples.mean(axis=0)
    if count > 1:
        quantile = stats.t.ppf((1 + CONFIDENCE) / 2, count - 1)
        half_width = quantile * samples.std(axis=0, ddof=1) / np.sqrt(count)
    else:
        half_width = np.full_like(value, np.inf)
    if value.ndim == 0:
        return Estimate(float(value), float(half_width))
    return Estimate(value, half_width)
