"""Job-size distributions.

Every distribution gives its `mean` and `standard_deviation`, draws with `sample`, and writes itself as a finite
mixture of Erlangs with `erlang_mixture` where it is one: that is the form in which the Markovian simulators take it.
Data are a law too: `Empirical`.
"""

from __future__ import annotations

import functools
import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clustershare.arguments import (
    LARGEST,
    SMALLEST,
    affordable,
    fail,
    floats,
    integer,
    number,
    positive,
    probabilities,
    vector,
)
from clustershare.typing import FloatArray, FloatOrArray, IntArray, Integers, Numbers

MOST_PHASES = 10**6
MOST_VALUES = 10**6
LARGEST_VARIATION = 1e6  # squared coefficient of variation; no run would see the mean of a law that varies more
FEW_VALUES = 6  # that are printed


class JobSize:
    """Common to all distributions. `variance` may be infinite.

    Attributes
    ----------
    mean, variance, standard_deviation : float
        Work, its square, and work.
    squared_variation : float
        Variance over squared mean, a number also where these two are beyond the floats.
    """

    if TYPE_CHECKING:  # each law has them

        @property
        def mean(self) -> float: ...
        @property
        def variance(self) -> float: ...
        def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> FloatOrArray: ...

    @property
    def standard_deviation(self) -> float:
        """Square root of the variance."""
        return math.sqrt(self.variance)

    @property
    def squared_variation(self) -> float:
        """Variance over squared mean."""
        return self.variance / self.mean / self.mean

    def erlang_mixture(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """The distribution as a mixture of sums of exponential phases.

        Returns
        -------
        counts : ndarray of int64, shape (components,)
            Phases of each component.
        means : ndarray, shape (components,)
            The mean of each of these phases.
        probabilities : ndarray, shape (components,)

        Raises
        ------
        ValueError
            If the distribution is no finite mixture of Erlangs.
        """
        fail("sizes", self, "a finite mixture of Erlangs (Exponential, Hyperexponential or ErlangMixture)")


class _Mixture(JobSize):
    @property
    def mean(self):
        """Mean size."""
        counts, means, weights = self.erlang_mixture()
        return math.fsum(weights * counts * means)

    @property
    def variance(self):
        """Variance of the size."""
        counts, means, weights = self.erlang_mixture()
        try:
            with np.errstate(over="ignore"):
                return math.fsum(weights * counts * (counts + 1) * means**2) - self.mean**2
        except OverflowError:
            return math.inf

    @property
    def squared_variation(self):
        """Variance over squared mean."""
        counts, means, weights = self.erlang_mixture()
        return math.fsum(weights * counts * (counts + 1) * (means / self.mean) ** 2) - 1

    def sample(self, rng, size=None):
        """Sizes drawn at random.

        Parameters
        ----------
        rng : numpy.random.Generator
        size : int or tuple of int, optional
            The shape of what is drawn; one number if not given.

        Returns
        -------
        float or ndarray
        """
        counts, means, weights = self.erlang_mixture()
        component = rng.choice(len(counts), size=size, p=weights)
        return rng.standard_gamma(counts[component]) * means[component]


@dataclass(frozen=True)
class Exponential(_Mixture):
    """Exponential sizes.

    Parameters
    ----------
    mean : float
        Above 0.

    Raises
    ------
    ValueError
        If it is not.

    Examples
    --------
    >>> Exponential(2.0).standard_deviation
    2.0
    """

    mean: float = 1.0

    def __post_init__(self):
        positive("mean", self.mean)

    def erlang_mixture(self) -> tuple[IntArray, FloatArray, FloatArray]:
        return np.array([1]), np.array([float(self.mean)]), np.array([1.0])


@dataclass(frozen=True)
class Hyperexponential(_Mixture):
    """An exponential size of mean ``means[i]`` with probability ``probabilities[i]``.

    Parameters
    ----------
    means : sequence of float
        Above 0.
    probabilities : sequence of float
        As many, which sum to 1.

    Raises
    ------
    ValueError
        If a mean or a probability is not as above.

    Examples
    --------
    >>> size = Hyperexponential((5, 0.2), (1 / 6, 5 / 6))
    >>> round(size.mean, 12), round(size.standard_deviation, 6)
    (1.0, 2.720294)
    """

    means: Numbers
    probabilities: Numbers

    def __post_init__(self):
        object.__setattr__(self, "means", vector("means", self.means, positive))
        object.__setattr__(self, "probabilities", probabilities("probabilities", self.probabilities, len(self.means)))

    def erlang_mixture(self) -> tuple[IntArray, FloatArray, FloatArray]:
        return np.ones(len(self.means), dtype=np.int64), np.array(self.means), np.array(self.probabilities)


@dataclass(frozen=True)
class ErlangMixture(_Mixture):
    """A sum of ``phase_counts[i]`` exponential phases of mean `phase_mean`, with probability ``probabilities[i]``.

    Parameters
    ----------
    phase_mean : float
        Above 0, the same for all phases.
    phase_counts : sequence of int
        At least 1.
    probabilities : sequence of float
        As many, which sum to 1.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> ErlangMixture(0.5, (2,), (1.0,)).variance
    0.5
    """

    phase_mean: float
    phase_counts: Integers
    probabilities: Numbers

    def __post_init__(self):
        positive("phase_mean", self.phase_mean)
        counts = vector("phase_counts", self.phase_counts, lambda name, value: integer(name, value, 1))
        object.__setattr__(self, "phase_counts", counts)
        object.__setattr__(self, "probabilities", probabilities("probabilities", self.probabilities, len(counts)))

    def erlang_mixture(self) -> tuple[IntArray, FloatArray, FloatArray]:
        counts = np.array(self.phase_counts, dtype=np.int64)
        return counts, np.full(len(counts), float(self.phase_mean)), np.array(self.probabilities)


@dataclass(frozen=True)
class Deterministic(JobSize):
    """Every job has the same size.

    Parameters
    ----------
    value : float
        Above 0.

    Raises
    ------
    ValueError
        If it is not.

    Examples
    --------
    >>> Deterministic(2.0).mean, Deterministic(2.0).variance
    (2.0, 0.0)
    """

    value: float

    def __post_init__(self):
        positive("value", self.value)

    @property
    def mean(self) -> float:
        """Mean size."""
        return float(self.value)

    @property
    def variance(self) -> float:
        """Variance of the size, which is 0."""
        return 0.0

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> FloatOrArray:
        """Sizes; `rng` is not used."""
        return float(self.value) if size is None else np.full(size, float(self.value))


@dataclass(frozen=True)
class Pareto(JobSize):
    """Sizes with P[X > x] = (minimum / x)**exponent from the minimum that gives them mean `mean`.

    Parameters
    ----------
    mean : float
        Above 0.
    exponent : float
        Above 1; the variance is infinite up to 2.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> Pareto(3.0, 1.5).minimum, Pareto(3.0, 1.5).variance
    (1.0, inf)
    """

    mean: float
    exponent: float

    def __post_init__(self):
        positive("mean", self.mean)
        number("exponent", self.exponent, 1, open_below=True)

    @property
    def minimum(self) -> float:
        """The smallest size."""
        return self.mean * (self.exponent - 1) / self.exponent

    @property
    def variance(self) -> float:
        """Variance of the size, infinite up to exponent 2."""
        if self.exponent <= 2:
            return math.inf
        return self.mean / self.exponent * (self.mean / (self.exponent - 2))

    @property
    def squared_variation(self) -> float:
        """Variance over squared mean, infinite as the variance."""
        return Pareto(1.0, self.exponent).variance

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> FloatOrArray:
        """Sizes drawn with the `numpy.random.Generator` `rng`."""
        return self.minimum * (1 - rng.random(size)) ** (-1 / self.exponent)


@dataclass(frozen=True)
class HyperErlang(_Mixture):
    """A sum of ``phase_counts[i]`` exponential phases of mean ``phase_means[i]`` with probability ``probabilities[i]``.

    As `ErlangMixture`, with phases of each component's own: what one fits to data (Thuemmler, Buchholz and
    Telek, *A novel approach for phase-type fitting with the EM algorithm*, 2006).

    Parameters
    ----------
    phase_means : sequence of float
        Above 0.
    phase_counts : sequence of int
        As many, at least 1.
    probabilities : sequence of float
        As many, which sum to 1.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> size = HyperErlang((0.25, 3.0), (2, 1), (0.8, 0.2))
    >>> round(size.mean, 12), round(size.variance, 12)
    (1.0, 2.9)
    """

    phase_means: Numbers
    phase_counts: Integers
    probabilities: Numbers

    def __post_init__(self):
        means = vector("phase_means", self.phase_means, positive)
        object.__setattr__(self, "phase_means", means)
        counts = vector("phase_counts", self.phase_counts, lambda name, value: integer(name, value, 1), len(means))
        object.__setattr__(self, "phase_counts", counts)
        object.__setattr__(self, "probabilities", probabilities("probabilities", self.probabilities, len(means)))

    def erlang_mixture(self) -> tuple[IntArray, FloatArray, FloatArray]:
        return np.array(self.phase_counts, dtype=np.int64), np.array(self.phase_means), np.array(self.probabilities)


@dataclass(frozen=True)
class Weibull(JobSize):
    """Sizes with P[X > x] = exp(-(x / scale)**shape), of the scale that gives them mean `mean`.

    Parameters
    ----------
    mean : float
        Above 0.
    shape : float
        From 0.1 to 100: 1 is exponential, below it the tail is heavier.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> Weibull(2.0, 0.5).scale, round(Weibull(2.0, 0.5).squared_variation, 12)
    (1.0, 5.0)
    """

    mean: float
    shape: float

    def __post_init__(self):
        positive("mean", self.mean)
        number("shape", self.shape, 0.1, 100)

    @property
    def scale(self) -> float:
        """The size that a job exceeds with probability 1/e."""
        return self.mean / math.gamma(1 + 1 / self.shape)

    @property
    def variance(self) -> float:
        """Variance of the size."""
        return self.squared_variation * self.mean * self.mean

    @property
    def squared_variation(self) -> float:
        """Variance over squared mean."""
        return math.expm1(math.lgamma(1 + 2 / self.shape) - 2 * math.lgamma(1 + 1 / self.shape))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> FloatOrArray:
        """Sizes drawn with the `numpy.random.Generator` `rng`."""
        return self.scale * rng.weibull(self.shape, size)


@dataclass(frozen=True)
class LogNormal(JobSize):
    """Sizes whose logarithm is normal.

    Parameters
    ----------
    mean : float
        Of the sizes, above 0.
    squared_variation : float
        Of the sizes: variance over squared mean, above 0 and at most a million; 1, as of exponential sizes, if not
        given.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> size = LogNormal(2.0, 3.0)
    >>> size.median, size.variance, round(size.sigma, 6)  # sigma is the standard deviation of the logarithm
    (1.0, 12.0, 1.17741)
    """

    mean: float
    squared_variation: float = 1.0  # a default, for else the property of that name would be taken for one

    def __post_init__(self):
        positive("mean", self.mean)
        number("squared_variation", self.squared_variation, 0, LARGEST_VARIATION, open_below=True)

    @property
    def median(self) -> float:
        """The exponential of the mean of the logarithm."""
        return self.mean / math.sqrt(1 + self.squared_variation)

    @property
    def sigma(self) -> float:
        """Standard deviation of the logarithm."""
        return math.sqrt(math.log1p(self.squared_variation))

    @property
    def variance(self) -> float:
        """Variance of the size."""
        return self.squared_variation * self.mean * self.mean

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> FloatOrArray:
        """Sizes drawn with the `numpy.random.Generator` `rng`."""
        return self.median * np.exp(self.sigma * rng.standard_normal(size))


@dataclass(frozen=True)
class Gamma(JobSize):
    """Gamma sizes: those of `shape` exponential phases, a number that need not be whole.

    Parameters
    ----------
    mean : float
        Above 0.
    shape : float
        From 0.05 to a million; the squared coefficient of variation is 1 / shape. 1 is exponential.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> Gamma(2.0, 0.5).squared_variation, Gamma(2.0, 0.5).variance
    (2.0, 8.0)
    """

    mean: float
    shape: float

    def __post_init__(self):
        positive("mean", self.mean)
        number("shape", self.shape, 0.05, 1e6)

    @property
    def variance(self) -> float:
        """Variance of the size."""
        return self.squared_variation * self.mean * self.mean

    @property
    def squared_variation(self) -> float:
        """Variance over squared mean."""
        return 1 / self.shape

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> FloatOrArray:
        """Sizes drawn with the `numpy.random.Generator` `rng`."""
        return self.mean / self.shape * rng.standard_gamma(self.shape, size)


@dataclass(frozen=True, eq=False, repr=False)
class Empirical(JobSize):
    """The law of data: each value with the probability of its weight.

    Two are equal that have the same values with the same weights, in whatever order they were given. A draw costs the
    same however many values there are (Walker's alias method).

    Parameters
    ----------
    values : array_like
        Above 0, from 1e-300 to 1e300; at most a million. They are kept in increasing order, each once, as an array.
    weights : array_like, optional
        As many, at least 0 and not all 0, such as counts; all alike if not given. They are kept divided by their sum,
        as an array, and values of weight 0 are not kept.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> size = Empirical([3.0, 1.0, 1.0, 5.0])
    >>> size
    Empirical(values=[1.0, 3.0, 5.0], weights=[0.5, 0.25, 0.25])
    >>> size.mean, size.variance, size == Empirical([1, 3, 5], weights=[20, 10, 10])
    (2.5, 2.75, True)
    >>> Empirical(np.arange(1.0, 3000.0))
    Empirical(2999 values from 1 to 2999 of mean 1500)
    """

    values: FloatArray
    weights: FloatArray = None  # type: ignore[assignment]  # an array once it is made

    def __post_init__(self):
        values = _data("values", self.values, SMALLEST, f"numbers from {SMALLEST:g} to {LARGEST:g}")
        counts = None
        if self.weights is not None:
            counts = _data("weights", self.weights, 0, f"numbers from 0 to {LARGEST:g}, not all 0")
            if len(counts) != len(values):
                fail("weights", self.weights, f"as many as the values, {len(values)}")
            if not counts.any():
                fail("weights", self.weights, "numbers of which one at least is above 0")
        values, which = np.unique(values, return_inverse=True)
        weights = np.bincount(which, counts, len(values)).astype(float)
        total = math.fsum(weights)
        if abs(total - 1) > 4e-16:  # else they were divided before, and stay as they are to the last bit
            weights = weights / total
        for name, kept in (("values", values[weights > 0]), ("weights", weights[weights > 0])):
            kept.setflags(write=False)
            object.__setattr__(self, name, kept)

    @functools.cached_property
    def digest(self) -> str:
        """What tells this law from others, 16 hexadecimal digits of values and weights."""
        parts = (np.ascontiguousarray(part, "<f8").tobytes() for part in (self.values, self.weights))
        return hashlib.sha256(b"".join(parts)).hexdigest()[:16]

    def __eq__(self, other):
        return type(self) is type(other) and self.digest == other.digest

    def __hash__(self):
        return hash(self.digest)

    def __repr__(self):
        if len(self.values) <= FEW_VALUES:
            return f"Empirical(values={self.values.tolist()}, weights={self.weights.tolist()})"
        ends = f"{self.values[0]:.4g} to {self.values[-1]:.4g}"
        return f"Empirical({len(self.values)} values from {ends} of mean {self.mean:.4g})"

    @functools.cached_property
    def mean(self) -> float:
        """Mean size, rounded once."""
        unit = float(self.values[-1])  # no product is below the floats
        return math.fsum(self.weights * (self.values / unit)) * unit

    @property
    def variance(self) -> float:
        """Variance of the size."""
        return self.squared_variation * self.mean * self.mean

    @functools.cached_property
    def squared_variation(self) -> float:
        """Variance over squared mean."""
        return math.fsum(self.weights * (self.values / self.mean - 1) ** 2)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> FloatOrArray:
        """Sizes drawn with the `numpy.random.Generator` `rng`."""
        drawn = rng.choice(self.values, size, p=self.weights)
        return float(drawn) if size is None else drawn


def _data(name, given, least, allowed):
    """Data as an array of floats; the sentence tells the first that is not as it must be."""
    result = floats(name, given, allowed)
    if result.ndim != 1 or not result.size:
        fail(name, given, f"a non-empty sequence of {allowed}")
    affordable(f"the number of {name}", result.size, MOST_VALUES)
    wrong = ~((result >= least) & (result <= LARGEST))  # a nan is neither
    if wrong.any():
        k = int(wrong.argmax())
        fail(f"{name}[{k}]", float(result[k]), f"one of {allowed}")
    return result


def fitted_hyperexponential(mean: float, squared_variation: float) -> Hyperexponential:
    """The hyperexponential law of two phases with this mean and squared coefficient of variation, by balanced means.

    Both phases bring the same work: ``probabilities[0] * means[0] == probabilities[1] * means[1]`` (Tijms, *A First
    Course in Stochastic Models*, 2003, Appendix B).

    Parameters
    ----------
    mean : float
        Above 0.
    squared_variation : float
        Variance over squared mean, from 1, which is exponential, to a million.

    Returns
    -------
    Hyperexponential

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> size = fitted_hyperexponential(3.0, 10.0)
    >>> round(size.mean, 12), round(size.squared_variation, 12)
    (3.0, 10.0)
    """
    mean = positive("mean", mean)
    squared = number("squared_variation", squared_variation, 1, LARGEST_VARIATION)
    rare = 1 / (squared + 1) / (1 + math.sqrt((squared - 1) / (squared + 1)))  # (1 - sqrt(...)) / 2, without its loss
    return Hyperexponential((mean / (2 * rare), mean / (2 * (1 - rare))), (rare, 1 - rare))


def bimodal_phases() -> ErlangMixture:
    """The `balanced` paper's first distribution: 25 or 1 phases of mean 1/5 (Section 5).

    Returns
    -------
    ErlangMixture

    Examples
    --------
    >>> round(bimodal_phases().mean, 12), round(bimodal_phases().standard_deviation, 4)
    (1.0, 1.8439)
    """
    return ErlangMixture(0.2, (25, 1), (1 / 6, 5 / 6))


def bimodal_hyperexponential() -> Hyperexponential:
    """The `balanced` paper's second distribution: mean 5 or 1/5 (Section 5).

    Returns
    -------
    Hyperexponential

    Examples
    --------
    >>> round(bimodal_hyperexponential().mean, 12), round(bimodal_hyperexponential().standard_deviation, 4)
    (1.0, 2.7203)
    """
    return Hyperexponential((5.0, 0.2), (1 / 6, 5 / 6))


def zipf_phases(terms: int = 200, exponent: float = 2) -> ErlangMixture:
    """The `balanced` paper's third distribution: k phases of mean 1 with probability proportional to 1/k**exponent.

    Parameters
    ----------
    terms : int
        The largest k, at least 1.
    exponent : float

    Returns
    -------
    ErlangMixture

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> round(zipf_phases().mean, 4), round(zipf_phases().standard_deviation, 4)
    (3.5843, 10.6157)
    """
    counts = range(1, integer("terms", terms, 1, MOST_PHASES) + 1)
    weights = [count ** -number("exponent", exponent) for count in counts]
    total = math.fsum(weights)
    return ErlangMixture(1.0, tuple(counts), tuple(weight / total for weight in weights))
