"""Simulated quantities: a value with its confidence interval.

Every simulator of this library runs independent replications (`from_replications`). The method of `thesis`, Section
A.4, is here as well (`from_batches`): one long run, cut into batches, whose covariances may be estimated too.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from clustershare.arguments import affordable, array, fail, integer
from clustershare.plain import made, plain
from clustershare.results import same
from clustershare.typing import BoolOrArray, FloatArray, FloatOrArray, Matrix, Numbers, Written

CONFIDENCE = 0.95
MOST_COMPARED = 10**10  # batches, of all replications but one for each of them
MOST_DIGITS = 17  # of a value: no float has more
MOST_SHOWN = 8  # entries of each dimension
LARGEST_BATCH = 1e100  # its square, and sums of many, are floats


@dataclass(frozen=True)
class Estimate:
    """A simulated quantity and the half width of its 95 % confidence interval.

    It prints with the digits that its half width leaves, two of them uncertain, and any format is that of both numbers.
    An index gives the estimate of a group or class.

    Numbers are added and subtracted exactly, and scale both. The half width of a sum or a difference of two estimates
    is the root of the sum of their squares: right for independent runs, not for two quantities of one run nor for runs
    with the same random numbers.

    ``<`` and ``>`` are decided by intervals. Beside a number: the whole interval is below (above) it. Between
    estimates: the interval of their difference is below (above) 0. Where neither holds, the runs do not tell. Arrays
    give an answer each. ``==`` asks for the same numbers.

    Attributes
    ----------
    value : float or ndarray
        The point estimate; an array where there are several groups or classes.
    half_width : float or ndarray
        Half the width of the interval, of the shape of `value`. Infinite when there was one replication.

    Examples
    --------
    >>> jobs = Estimate(0.01834, 0.00113)
    >>> print(jobs, f"{jobs:.4f}", f"{jobs:.1%}", sep="; ")
    0.0183 ± 0.0011; 0.0183 ± 0.0011; 1.8% ± 0.1%
    >>> jobs < 0.0196, jobs < 0.0194, 0.02 - 2 * jobs
    (True, False, -0.0167 ± 0.0023)
    >>> several = Estimate(np.array([1.0, 2.0]), np.array([0.3, 0.2]))
    >>> several[1] - several[0], several > 1.5
    (1.00 ± 0.36, array([False,  True]))
    """

    value: FloatOrArray
    half_width: FloatOrArray

    def contains(self, other: ArrayLike) -> BoolOrArray:
        """Whether `other` lies within the interval, elementwise."""
        return np.abs(np.asarray(other) - self.value) <= self.half_width

    def __getitem__(self, index: Any) -> "Estimate":
        if np.ndim(self.value) == 0:
            raise TypeError("An estimate of one quantity has no index.")
        return _estimate(np.asarray(self.value)[index], np.asarray(self.half_width)[index])

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    def __hash__(self) -> int:
        return hash((Estimate, np.shape(self.value)))

    # Arrays leave it to these methods what an array and an estimate make.
    __array_ufunc__ = None

    def __add__(self, other: "Estimate | ArrayLike") -> "Estimate":
        if isinstance(other, Estimate):
            return _estimate(self.value + other.value, np.hypot(self.half_width, other.half_width))
        if not _is_numbers(other):
            return NotImplemented
        value = self.value + np.asarray(other)
        return _estimate(value, np.broadcast_to(self.half_width, np.shape(value)).copy())

    __radd__ = __add__

    def __neg__(self) -> "Estimate":
        return Estimate(-self.value, self.half_width)

    def __sub__(self, other: "Estimate | ArrayLike") -> "Estimate":
        if isinstance(other, Estimate):
            return self + -other
        return self + -np.asarray(other) if _is_numbers(other) else NotImplemented

    def __rsub__(self, other: ArrayLike) -> "Estimate":
        return -self + other

    def __mul__(self, other: ArrayLike) -> "Estimate":
        if not _is_numbers(other):
            return NotImplemented
        with np.errstate(invalid="ignore"):  # 0 times infinite
            return _estimate(self.value * np.asarray(other), self.half_width * np.abs(other))

    __rmul__ = __mul__

    def __truediv__(self, other: ArrayLike) -> "Estimate":
        if not _is_numbers(other):
            return NotImplemented
        with np.errstate(divide="ignore", invalid="ignore"):
            return _estimate(self.value / np.asarray(other), self.half_width / np.abs(other))

    def __lt__(self, other: "Estimate | ArrayLike") -> BoolOrArray:
        if not isinstance(other, Estimate) and not _is_numbers(other):
            return NotImplemented
        difference = self - other
        return _truth(difference.value + difference.half_width < 0)

    def __gt__(self, other: "Estimate | ArrayLike") -> BoolOrArray:
        if not isinstance(other, Estimate) and not _is_numbers(other):
            return NotImplemented
        difference = self - other
        return _truth(difference.value - difference.half_width > 0)

    def __format__(self, form: str) -> str:
        return _listed(lambda *both: " ± ".join(format(one, form) for one in both) if form else _written(*both), self)

    def __str__(self) -> str:
        return format(self)

    __repr__ = __str__

    def to_dict(self) -> Written:
        """A dictionary that can be written as JSON: `value` and `half_width`, "inf" and "nan" as words.

        Examples
        --------
        >>> Estimate(np.array([0.5, 1.0]), np.array([np.inf, 0.25])).to_dict()
        {'value': [0.5, 1.0], 'half_width': ['inf', 0.25]}
        """
        return {"value": plain(self.value), "half_width": plain(self.half_width)}

    @classmethod
    def from_dict(cls, written: Written) -> "Estimate":
        """The estimate that `to_dict` wrote.

        Raises
        ------
        ValueError
            If it did not write that.

        Examples
        --------
        >>> Estimate.from_dict({"value": 2.0, "half_width": "inf"})
        2 ± inf
        """
        if not isinstance(written, dict) or written.keys() != {"value", "half_width"}:
            fail("written", written, "a dictionary as to_dict writes it, with value and half_width")
        value, half_width = (np.asarray(made(written[name])) for name in ("value", "half_width"))
        return _estimate(value, half_width)


def _is_numbers(given: object) -> bool:
    """Whether something is a number, or an array or sequence of numbers."""
    try:
        return np.asarray(given).dtype.kind in "iuf"
    except ValueError:
        return False


def _truth(found: BoolOrArray) -> BoolOrArray:
    """What `bool` or an array of them says; Python's own where there is one quantity."""
    return bool(found) if np.ndim(found) == 0 else found


def _listed(write: Callable[[float, float], str], estimate: Estimate) -> str:
    """An estimate written by its entries, the dimensions in brackets."""
    if np.ndim(estimate.value) == 0:
        return write(float(estimate.value), float(estimate.half_width))
    count = len(np.asarray(estimate.value))
    shown = range(count) if count <= MOST_SHOWN else [*range(MOST_SHOWN - 3), -1]
    parts = [_listed(write, estimate[k]) for k in shown]
    if count > MOST_SHOWN:
        parts.insert(-1, "...")
    return f"[{', '.join(parts)}]"


def _written(value: float, half_width: float) -> str:
    """Both with as many decimals as show two digits of the half width; far from 1 with a power of ten."""
    if not (math.isfinite(value) and math.isfinite(half_width) and half_width > 0):
        return f"{value:.6g} ± {half_width:.6g}"
    last = _first_place(half_width) - 1
    scale = max(_first_place(value) if value else last + 1, last + 1)
    if scale - last > MOST_DIGITS:
        return f"{value:.{MOST_DIGITS}g} ± {half_width:.2g}"
    power = 0 if -5 < scale < 7 else scale
    parts = [round(Decimal(one), -last).scaleb(-power) for one in (value, half_width)]
    text = " ± ".join(f"{one:z.{max(power - last, 0)}f}" for one in parts)
    return f"({text})e{power:+03d}" if power else text


def _first_place(number: float) -> int:
    """The power of ten of the first digit, once there are two."""
    return int(f"{number:.1e}".partition("e")[2])


def from_replications(samples: ArrayLike) -> Estimate:
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


def with_controls(samples: ArrayLike, controls: ArrayLike, means: ArrayLike) -> FloatArray:
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


def variance_of_mean(batches: Numbers | Matrix, lags: int = 0) -> FloatOrArray:
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


def from_batches(batches: Numbers | Matrix, lags: int = 0) -> Estimate:
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


def _quantile(count: int) -> float:
    """Of Student's t with one degree of freedom less than there are samples."""
    return stats.t.ppf((1 + CONFIDENCE) / 2, count - 1)


def _estimate(value: FloatOrArray, half_width: FloatOrArray) -> Estimate:
    """Floats where there is one quantity, arrays where there are several."""
    if np.ndim(value) == 0:
        return Estimate(float(value), float(half_width))
    return Estimate(value, half_width)
