"""Simulated quantities: a value with its confidence interval.

Every simulator of this library runs independent replications (`from_replications`). The method of `thesis`, Section
A.4, is here as well (`from_batches`): one long run, cut into batches, whose covariances may be estimated too.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from clustershare.arguments import affordable, array, fail, integer
from clustershare.results import same

CONFIDENCE = 0.95
MOST_COMPARED = 10**10  # batches, of all replications but one for each of them
LARGEST_BATCH = 1e100  # its square, and sums of many, are floats


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

    def __eq__(self, other):
        return same(self, other)

    def __hash__(self):
        return hash((Estimate, np.shape(self.value)))


def from_replications(samples):
    """The estimate from independent replications (Student's t).

    Parameters
    ----------
    samples : array_like, shape (replications,), (replications, n) or (replications, m, n)
        One row per replication.

    Returns
    -------
    Estimate
        Floats for one-dimensional samples, arrays of the shape of a row otherwise.

    Raises
    ------
    ValueError
        If there is no replication, or something that is no number. A replication may give nan or inf.

    Examples
    --------
    >>> estimate = from_replications([1.0, 2.0, 3.0])
    >>> estimate.value, round(estimate.half_width, 6)
    (2.0, 2.484138)
    """
    array("samples", samples, (1, 2, 3), finite=False)
    samples = np.asarray(samples, dtype=float)
    count = len(samples)
    value = samples.mean(axis=0)
    if count > 1:
        half_width = _quantile(count) * samples.std(axis=0, ddof=1) / np.sqrt(count)
    else:
        half_width = np.full_like(value, np.inf)
    return _estimate(value, half_width)


def with_controls(samples, controls, means):
    """Means of replications less what controls of known mean have beyond it, times coefficients.

    The coefficients of a replication are those of least squares over the batches of the others. It does not depend on
    these, so that its mean is left as it is. Short batches are many, so that the coefficients are well known.

    Parameters
    ----------
    samples : array_like, shape (replications, batches, n)
        Means over consecutive parts of equal length, at most 1e100 from 0. The time grows with the square of the
        replications.
    controls : array_like, shape (replications, batches, c)
        Measured in the same parts, at most 1e100 from 0; what does not vary is left out.
    means : array_like, shape (c,)
        At most 1e100 from 0.

    Returns
    -------
    ndarray, shape (replications, n)
        Plain means where the other replications have fewer than 2 (c + 1) batches.

    Raises
    ------
    ValueError
        If the shapes do not fit, or something is no number or larger than above.

    Examples
    --------
    >>> seen = np.array([[1.0, 2.0], [4.0, 3.0], [1.0, 0.0]])[..., None]
    >>> with_controls(10 + seen, seen, [2.0]).round(9).tolist()
    [[12.0], [12.0], [12.0]]
    """
    samples, controls = array("samples", samples, (3,)), array("controls", controls, (3,))
    means = array("means", means, (1,))
    array("samples", samples, (3,), -LARGEST_BATCH, LARGEST_BATCH)
    array("controls", controls, (3,), -LARGEST_BATCH, LARGEST_BATCH)
    array("means", means, (1,), -LARGEST_BATCH, LARGEST_BATCH)
    affordable("the square of the replications, times batches,", len(samples) ** 2 * samples.shape[1], MOST_COMPARED)
    if controls.shape != (*samples.shape[:2], len(means)):
        fail("controls", controls.shape, f"of shape {(*samples.shape[:2], len(means))}")
    beyond = (controls - means)[..., np.ptp(controls, axis=(0, 1)) > 0]
    count, batches, number = beyond.shape
    found = samples.mean(axis=1)
    if (count - 1) * batches < 2 * (number + 1):
        return found
    for i in range(count):
        others = np.arange(count) != i
        of_samples, of_controls = (part[others].reshape(-1, part.shape[-1]) for part in (samples, beyond))
        coefficients = np.linalg.lstsq(
            of_controls - of_controls.mean(axis=0), of_samples - of_samples.mean(axis=0), rcond=1e-10
        )[0]
        found[i] -= beyond[i].mean(axis=0) @ coefficients
    return found


def variance_of_mean(batches, lags=0):
    """The estimated variance of the mean of correlated batch means (`thesis` (A.19)-(A.21)).

    Parameters
    ----------
    batches : array_like, shape (batches,) or (batches, n)
        Means over consecutive intervals of one run, at least 2, and at most 1e100 from 0.
    lags : int
        Covariances up to this lag are counted; those beyond are taken to be 0. Fewer than there are batches.

    Returns
    -------
    float or ndarray
        May be below 0, because estimated covariances may outweigh the variance.

    Raises
    ------
    ValueError
        If there are too few batches or too many lags.

    Examples
    --------
    >>> variance_of_mean([1.0, 2.0, 3.0])
    0.3333333333333333
    >>> variance_of_mean([1.0, 3.0, 1.0, 3.0], lags=1)  # neighbours offset each other
    -0.041666666666666685
    """
    batches = array("batches", batches, (1, 2), -LARGEST_BATCH, LARGEST_BATCH)
    count = len(batches)
    integer("number of batches", count, 2)
    integer("lags", lags, 0, count - 1)
    centred = batches - batches.mean(axis=0)
    result = (centred**2).sum(axis=0) / (count - 1) / count
    for lag in range(1, lags + 1):
        covariance = (centred[:-lag] * centred[lag:]).sum(axis=0) / (count - 1)
        result = result + 2 * (count - lag) * covariance / count**2
    return float(result) if result.ndim == 0 else result


def from_batches(batches, lags=0):
    """The estimate from the batch means of one run (Student's t, one degree of freedom less than batches).

    `thesis` (A.22) divides the root of (A.21), which is the standard error of the mean already, by the root of the
    number of batches once more. That is not done here: such an interval is far too short.

    Parameters
    ----------
    batches, lags
        As for `variance_of_mean`.

    Returns
    -------
    Estimate
        The half width is nan where the estimated variance is below 0.

    Examples
    --------
    >>> estimate = from_batches([1.0, 2.0, 3.0])
    >>> estimate.value, round(estimate.half_width, 6)
    (2.0, 2.484138)
    """
    variance = variance_of_mean(batches, lags)
    with np.errstate(invalid="ignore"):
        half_width = _quantile(len(batches)) * np.sqrt(variance)
    return _estimate(np.mean(batches, axis=0), half_width)


def _quantile(count):
    """Of Student's t with one degree of freedom less than there are samples."""
    return stats.t.ppf((1 + CONFIDENCE) / 2, count - 1)


def _estimate(value, half_width):
    """Floats where there is one quantity, arrays where there are several."""
    if np.ndim(value) == 0:
        return Estimate(float(value), float(half_width))
    return Estimate(value, half_width)
