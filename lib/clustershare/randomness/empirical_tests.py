"""Empirical tests of random numbers (`thesis`, Appendix A).

They return their statistics, one a test; `observed_frequencies` compares those with the percentiles of the law they
should have.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from clustershare.arguments import affordable, array, fail, integer, number, vector
from clustershare.typing import FloatArray, IntArray, Numbers

PERCENTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
MOST, MOST_TYPES = 10**9, 100  # numbers of anything, and of types of coupons
MOST_BINS, MOST_CELLS, MOST_EXACT = 1000, 10**8, 10_000  # in a row of pairs, in all, and of exact percentiles
TABLE_ENDS = 30  # degrees of freedom in Knuth's table of chi-square percentiles; a formula takes over


def chi_square(counts: ArrayLike, probabilities: ArrayLike) -> FloatArray:
    """The chi-square statistic (A.5) of each row of counts.

    Parameters
    ----------
    counts : array_like, shape (tests, categories)
        None of a row all 0.
    probabilities : array_like, shape (categories,)
        Above 0; they sum to 1.

    Returns
    -------
    ndarray, shape (tests,)
        Infinite where it is beyond the floats.

    Raises
    ------
    ValueError
        If nothing is counted in a row, or the probabilities are not all above 0 or do not sum to 1 within 1e-9.

    Examples
    --------
    >>> chi_square([[50, 50], [60, 40]], [0.5, 0.5])
    array([0., 4.])
    """
    counts, probabilities = array("counts", counts, 2, 0), array("probabilities", probabilities, 1, 0, 1)
    if len(probabilities) != counts.shape[1]:
        fail("probabilities", probabilities.tolist(), f"as many as there are categories, {counts.shape[1]}")
    if abs(probabilities.sum() - 1) > 1e-9:
        fail("probabilities", probabilities.tolist(), "probabilities that sum to 1")
    if probabilities.min() == 0:
        fail("probabilities", probabilities.tolist(), "above 0, each of them")
    if not counts.any(axis=1).all():
        fail("counts", counts.tolist(), "above 0 in some category of each row")
    return stats.chisquare(counts, counts.sum(axis=1, keepdims=True) * probabilities, axis=1).statistic


def _tally(categories, count):
    """How often each category occurs in each row."""
    return np.stack([np.bincount(row, minlength=count) for row in categories])


def equidistribution_test(u: ArrayLike, tests: int = 1000, samples: int = 100, bins: int = 10) -> FloatArray:
    """Chi-square statistics of consecutive samples, sorted into bins of equal width (`thesis`, Section A.3.1).

    Parameters
    ----------
    u : array_like
        Uniform numbers in [0, 1), at least ``tests * samples``.
    tests, samples, bins : int
        Statistics, numbers to each, and bins.

    Returns
    -------
    ndarray, shape (tests,)

    Raises
    ------
    ValueError
        If there are too few numbers.

    Examples
    --------
    >>> equidistribution_test([0.1, 0.3, 0.6, 0.8, 0.1, 0.2, 0.3, 0.4], tests=2, samples=4, bins=2)
    array([0., 4.])
    """
    _check_numbers(tests=tests, samples=samples, bins=bins)
    sample = _first(_uniform(u), tests * samples).reshape(tests, samples)
    return chi_square(_tally((sample * bins).astype(int), bins), np.full(bins, 1 / bins))


def kolmogorov_smirnov_test(u: ArrayLike, tests: int = 1000, samples: int = 100) -> tuple[FloatArray, FloatArray]:
    """The statistics K+ and K- of consecutive samples against the uniform law: `thesis` (A.7) and (A.8).

    The maxima are suprema: that of F - F_n is approached from the left of an observation, where F_n is lower.

    Parameters
    ----------
    u : array_like
        Uniform numbers in [0, 1), at least ``tests * samples``.
    tests, samples : int
        Statistics, and numbers to each.

    Returns
    -------
    above, below : ndarray, shape (tests,)

    Raises
    ------
    ValueError
        If there are too few numbers.

    Examples
    --------
    >>> kolmogorov_smirnov_test([0.5, 0.75, 0.25, 1.0], tests=1, samples=4)
    (array([0.]), array([0.5]))
    """
    _check_numbers(tests=tests, samples=samples)
    sample = np.sort(_first(array("u", u, 1, 0, 1), tests * samples).reshape(tests, samples), axis=1)
    steps = np.arange(samples + 1) / samples  # F_n before and after each observation
    above, below = (steps[1:] - sample).max(axis=1), (sample - steps[:-1]).max(axis=1)
    return np.sqrt(samples) * above, np.sqrt(samples) * below


def serial_test(u: ArrayLike, tests: int = 500, pairs: int = 1000, bins: int = 10) -> FloatArray:
    """Chi-square statistics of consecutive pairs that do not overlap (`thesis`, Section A.3.2).

    Parameters
    ----------
    u : array_like
        Uniform numbers in [0, 1), at least ``2 * tests * pairs``.
    tests, pairs, bins : int
        Statistics, pairs to each, and bins for each of the two numbers of a pair.

    Returns
    -------
    ndarray, shape (tests,)

    Raises
    ------
    ValueError
        If there are too few numbers.

    Examples
    --------
    >>> serial_test([0.1, 0.1, 0.1, 0.6, 0.6, 0.1, 0.6, 0.6], tests=1, pairs=4, bins=2)
    array([0.])
    """
    _check_numbers(tests=tests, pairs=pairs, bins=bins)
    affordable("bins", bins, MOST_BINS)
    affordable("tests times the square of bins", tests * bins**2, MOST_CELLS)
    digits = (_first(_uniform(u), 2 * tests * pairs) * bins).astype(int).reshape(tests, pairs, 2)
    return chi_square(_tally(digits[..., 0] * bins + digits[..., 1], bins**2), np.full(bins**2, 1 / bins**2))


def gap_probabilities(width: float = 0.1, longest: int = 32) -> FloatArray:
    """The law of a gap: 0, 1, ..., longest - 1 numbers outside an interval of that width, or at least `longest`.

    `thesis` (A.14) prints the exponent i - 1 for i > 0; with it the law sums to more than 1.

    Parameters
    ----------
    width : float
        Of the interval, above 0 and below 1.
    longest : int
        At least 1.

    Returns
    -------
    ndarray, shape (longest + 1,)

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> gap_probabilities(0.1, 3).round(4)
    array([0.1  , 0.09 , 0.081, 0.729])
    """
    number("width", width, 0, 1, open_below=True, open_above=True)
    return np.append(width * (1 - width) ** np.arange(integer("longest", longest, 1, MOST)), (1 - width) ** longest)


def gap_test(u: ArrayLike, tests: int = 100, gaps: int = 100, width: float = 0.1, longest: int = 32) -> FloatArray:
    """Chi-square statistics of gaps between numbers below `width` (`thesis`, Section A.3.3).

    The first gap is counted from the first number; each later test goes on where the one before ended.

    Parameters
    ----------
    u : array_like
        Uniform numbers in [0, 1), at least enough for ``tests * gaps`` gaps.
    tests, gaps : int
        Statistics, and gaps to each.
    width, longest : float, int
        As for `gap_probabilities`.

    Returns
    -------
    ndarray, shape (tests,)

    Raises
    ------
    ValueError
        If there are too few numbers.

    Examples
    --------
    >>> gap_test([0.5, 0.05, 0.9, 0.8, 0.01], tests=1, gaps=2, width=0.5, longest=1)
    array([2.])
    """
    _check_numbers(tests=tests, gaps=gaps, longest=longest)
    inside = np.flatnonzero(_uniform(u) < number("width", width, 0, 1, open_below=True, open_above=True))
    lengths = _first(np.diff(inside, prepend=-1) - 1, tests * gaps).reshape(tests, gaps)
    return chi_square(_tally(np.minimum(lengths, longest), longest + 1), gap_probabilities(width, longest))


def coupon_probabilities(types: int = 3, longest: int = 6) -> FloatArray:
    """The law of the numbers needed to see all types: types, types + 1, ..., longest - 1, or at least `longest`.

    All types are seen in r numbers with probability types! S(r, types) / types^r, where S are the Stirling numbers of
    the second kind (`thesis`, Section A.3.4).

    Parameters
    ----------
    types : int
        At least 2, equally likely.
    longest : int
        Above `types`.

    Returns
    -------
    ndarray, shape (longest - types + 1,)

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> coupon_probabilities() * 81
    array([18., 18., 14., 31.])
    """
    integer("types", types, 2, MOST_TYPES)
    integer("longest", longest, types + 1, MOST_TYPES + 1)
    # The last type is met with number r. In whole numbers: beyond r = 50 SciPy's floats have 6 digits, and may fall.
    met = [
        Fraction(math.factorial(types) * int(special.stirling2(r - 1, types - 1, exact=True)), types**r)
        for r in range(types, longest)
    ]
    return np.array([*met, 1 - sum(met)], dtype=float)


def coupon_lengths(u: ArrayLike, types: int = 3) -> IntArray:
    """How many numbers it took to see all types, again and again; each subsequence starts after the last one ended.

    Parameters
    ----------
    u : array_like
        Uniform numbers in [0, 1).
    types : int
        Equally likely.

    Returns
    -------
    ndarray of int, shape (subsequences,)

    Examples
    --------
    >>> coupon_lengths([0.1, 0.1, 0.5, 0.9, 0.4, 0.9, 0.1])
    array([4, 3])
    """
    integer("types", types, 1, MOST_TYPES)
    lengths, seen, length, everything = [], 0, 0, 2**types - 1
    for kind in (_uniform(u) * types).astype(int).tolist():
        seen |= 1 << kind
        length += 1
        if seen == everything:
            lengths.append(length)
            seen = length = 0
    return np.array(lengths)


def coupon_test(
    u: ArrayLike, tests: int = 100, subsequences: int = 1000, types: int = 3, longest: int = 6
) -> FloatArray:
    """Chi-square statistics of the coupon collector's subsequences (`thesis`, Section A.3.4).

    Parameters
    ----------
    u : array_like
        Uniform numbers in [0, 1), at least enough for ``tests * subsequences`` subsequences.
    tests, subsequences : int
        Statistics, and subsequences to each.
    types, longest : int
        As for `coupon_probabilities`.

    Returns
    -------
    ndarray, shape (tests,)

    Raises
    ------
    ValueError
        If there are too few numbers.

    Examples
    --------
    >>> coupon_test([0.1, 0.9, 0.1, 0.1, 0.9], tests=1, subsequences=2, types=2, longest=3)
    array([0.])
    """
    _check_numbers(tests=tests, subsequences=subsequences)
    expected = coupon_probabilities(types, longest)
    lengths = _first(coupon_lengths(u, types), tests * subsequences).reshape(tests, subsequences)
    categories = np.minimum(lengths, longest) - types
    return chi_square(_tally(categories, longest - types + 1), expected)


def _check_numbers(**values):
    for name, value in values.items():
        integer(name, value, 1, MOST)


def _uniform(u):
    """Numbers in [0, 1)."""
    return array("u", u, 1, 0, float(np.nextafter(1, 0)))


def _first(values, count):
    if len(values) < count:
        fail("u", f"enough for {len(values)}", f"long enough for {count} observations")
    return values[:count]


def chi_square_percentiles(degrees: int, levels: Numbers = PERCENTILES) -> FloatArray:
    """Percentiles as one looks them up in Knuth's book: exact up to 30 degrees of freedom, then his expansion.

    With x the normal percentile, the expansion is v + sqrt(2 v) x + 2 (x^2 - 1) / 3, up to terms in 1 / sqrt(v).

    Parameters
    ----------
    degrees : int
        v, the degrees of freedom.
    levels : sequence of float
        In (0, 1).

    Returns
    -------
    ndarray, shape (levels,)

    Examples
    --------
    >>> chi_square_percentiles(9).round(2)
    array([ 2.09,  3.33,  5.9 ,  8.34, 11.39, 16.92, 21.67])
    >>> (chi_square_percentiles(32) - stats.chi2.ppf(PERCENTILES, 32)).round(2)
    array([-0.03, -0.09, -0.06, -0.  ,  0.06,  0.1 ,  0.07])
    """
    levels = _levels(levels)
    if number("degrees", degrees, 0, MOST, open_below=True) <= TABLE_ENDS:
        return stats.chi2.ppf(levels, degrees)
    x = stats.norm.ppf(levels)
    return degrees + np.sqrt(2 * degrees) * x + 2 / 3 * (x**2 - 1)


def kolmogorov_smirnov_percentiles(samples: int, levels: Numbers = PERCENTILES) -> FloatArray:
    """Exact percentiles of K+ and K-, whose laws are the same (`thesis`, Section A.3.1).

    Parameters
    ----------
    samples : int
        Numbers to a statistic, at most 10 000.
    levels : sequence of float
        In (0, 1).

    Returns
    -------
    ndarray, shape (levels,)

    Examples
    --------
    >>> kolmogorov_smirnov_percentiles(100).round(3)
    array([0.057, 0.145, 0.363, 0.573, 0.816, 1.207, 1.499])
    """
    _check_numbers(samples=samples)
    affordable("samples", samples, MOST_EXACT)
    return np.sqrt(samples) * stats.ksone.ppf(_levels(levels), samples)


def _levels(levels):
    within = functools.partial(number, minimum=0, maximum=1, open_below=True, open_above=True)
    return np.array(vector("levels", levels, within))


def observed_frequencies(statistics: ArrayLike, percentiles: ArrayLike) -> FloatArray:
    """The fraction of statistics that do not exceed each percentile: `thesis` (A.10), (A.12), (A.13).

    Parameters
    ----------
    statistics : array_like, shape (tests,)
    percentiles : array_like, shape (levels,)

    Returns
    -------
    ndarray, shape (levels,)

    Examples
    --------
    >>> observed_frequencies([1.0, 2.0, 3.0, 4.0], [2.5, 4.0])
    array([0.5, 1. ])
    """
    return (array("statistics", statistics)[:, None] <= array("percentiles", percentiles)).mean(axis=0)
