"""Job-size distributions.

Every distribution gives its `mean` and `standard_deviation`, draws with `sample`, and writes itself as a finite
mixture of Erlangs with `erlang_mixture` where it is one: that is the form in which the Markovian simulators take it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clustershare.arguments import fail, integer, number, positive, probabilities, vector
from clustershare.typing import FloatArray, FloatOrArray, IntArray, Integers, Numbers

MOST_PHASES = 10**6


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
