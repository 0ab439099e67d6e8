"""Which processors are whose: the partitioning matrix of vertical partitioning (`thesis`, Section 5.5.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from clustershare.arguments import affordable, fail, fraction, integer, sequence, vector
from clustershare.dispatch.sets import most_whole_sums
from clustershare.results import NoExactAnswer
from clustershare.shares import required_shares as check_shares
from clustershare.typing import FloatsOrFractions

MOST_GROUPS = 20
MOST_PROCESSORS = 10**5
LARGEST_DENOMINATOR = 10**6


def partition(required_shares: FloatsOrFractions, processors: int) -> npt.NDArray[np.object_]:
    """The partitioning matrix: what part of each processor each group has (`thesis`, Section 5.5.3).

    First the groups fall into as many combinations as possible whose required sizes r_g P sum to whole numbers. That is
    NP-complete in general; here all sets of groups are gone through, which is exact. Then each group gets its whole
    processors, and the parts that are left are laid one after the other over the rest.

    Parameters
    ----------
    required_shares : sequence of float or of fractions.Fraction
        Of up to 20 groups; they sum to 1. A float stands for the nearest fraction with a denominator up to a million,
        if that is within 1e-14; fractions are taken as they are.
    processors : int
        P, of equal capacity.

    Returns
    -------
    ndarray of fractions.Fraction, shape (groups, processors)
        X of (5.9): rows sum to r_g P, columns to 1. A group has at most floor(r_g P) + 2 processors.

    Raises
    ------
    NoExactAnswer
        If there are more groups.
    ValueError
        If an argument is not as above.

    Examples
    --------
    The first row of each combination comes first:

    >>> from fractions import Fraction
    >>> print(partition([Fraction(3, 4), Fraction(1, 4)], 2))
    [[Fraction(1, 1) Fraction(1, 2)]
     [Fraction(0, 1) Fraction(1, 2)]]
    """
    shares = exact_shares(required_shares)
    affordable("processors", processors, MOST_PROCESSORS)
    P = integer("processors", processors, 1)
    sizes = [share * P for share in shares]
    X = np.full((len(sizes), P), Fraction(0))
    first = 0
    for groups in combinations(sizes):
        free = first + sum(int(sizes[g]) for g in groups)  # the parts begin after the whole processors
        left = Fraction(1)
        for g in groups:
            X[g, first : first + int(sizes[g])] = Fraction(1)
            first += int(sizes[g])
        for g in groups:
            part = sizes[g] - int(sizes[g])
            while part > 0:
                given = min(part, left)
                X[g, free] = given
                part, left = part - given, left - given
                if left == 0:
                    free, left = free + 1, Fraction(1)
        first = free
    return X


def exact_shares(required_shares):
    """Required shares as fractions that sum to 1.

    Raises
    ------
    ValueError
        If they are no shares, or a float is near to no fraction with a small denominator.

    Examples
    --------
    >>> exact_shares([1 / 3, 2 / 3])
    [Fraction(1, 3), Fraction(2, 3)]
    """
    sequence("required_shares", required_shares)
    if all(isinstance(share, (Fraction, int)) for share in required_shares):
        if sum(required_shares) != 1 or len(required_shares) < 2 or min(required_shares) <= 0:
            fail("required_shares", required_shares, "at least 2 shares above 0 that sum to 1")
        return [Fraction(share) for share in required_shares]
    given = check_shares("required_shares", required_shares)
    found = [Fraction(share).limit_denominator(LARGEST_DENOMINATOR) for share in given]
    off = max(abs(float(share) - value) for share, value in zip(found, given))
    if sum(found) != 1 or off > 1e-14 or min(found) <= 0:  # 1e-15 is next to 0
        fail(
            "required_shares",
            required_shares,
            "fractions, or floats next to fractions with small denominators",
        )
    return found


def combinations(sizes: Sequence[Fraction]) -> list[list[int]]:
    """As many sets of groups as possible whose sizes sum to whole numbers.

    Parameters
    ----------
    sizes : sequence of fractions.Fraction
        r_g P; together a whole number.

    Returns
    -------
    list of list of int
        The groups of each set, counted from 0: sets of one group first.

    Raises
    ------
    NoExactAnswer
        If more than 20 groups have sizes that are not whole.
    ValueError
        If a size is no fraction of at least 0, or their sum is not whole.

    Examples
    --------
    The example of the thesis (5.13):

    >>> combinations([Fraction(3, 2), Fraction(1), *[Fraction(2, 3)] * 3, Fraction(1, 2)])
    [[1], [0, 5], [2, 3, 4]]
    """
    vector("sizes", sizes, fraction)
    if sum(sizes) % 1 != 0:
        fail("sizes", sizes, "fractions whose sum is whole")
    whole = [[g] for g, size in enumerate(sizes) if size.denominator == 1]
    rest = [g for g, size in enumerate(sizes) if size.denominator > 1]
    if not rest:
        return whole
    if len(rest) > MOST_GROUPS:
        raise NoExactAnswer(
            f"The best partition is found by going through all sets of the groups whose r_g P is not whole, of which "
            f"there may be {MOST_GROUPS}; there are {len(rest)}."
        )
    common = math.lcm(*(sizes[g].denominator for g in rest))
    if common > LARGEST_DENOMINATOR**2:
        raise NoExactAnswer(
            f"The sizes r_g P have a common denominator of {common:.1e}, too large to be summed exactly."
        )
    parts = np.array([int(sizes[g] % 1 * common) for g in rest], dtype=np.int64)
    came_from = most_whole_sums(parts, common)
    # Groups in the order in which the best chain of sets takes them in; a set ends where the sum is whole.
    sets, current, taken, total = [], [], len(came_from) - 1, 0
    while taken:
        g = int(came_from[taken])
        current.append(rest[g])
        total = (total + parts[g]) % common
        taken &= ~(1 << g)
        if total == 0:
            sets.append(sorted(current))
            current = []
    return whole + sorted(sets)
