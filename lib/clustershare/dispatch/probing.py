"""Where jobs arrive and which processors are probed (`thesis`, Sections 6.3, 6.4.3): exact laws.

With "HP" preference all processors are alike. With "VP" preference a job of group g arrives at processor p with
probability X_gp / (r_g P), and the processors of its subset are probed first: one after the other is drawn, without
replacement, with weights X_gp.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from clustershare.arguments import affordable, integer, one_of
from clustershare.dispatch.partitioning import partition
from clustershare.typing import FloatsOrFractions

PREFERENCES = ("HP", "VP")
MOST_DRAWS = 4000  # beside processors that are only partly a group's: the exact fractions grow with each


def arrival_law(preference: str, required_shares: FloatsOrFractions, processors: int) -> npt.NDArray[np.object_]:
    """The probability pi_gp that a job of a group arrives at a processor.

    Parameters
    ----------
    preference : str
        "HP" or "VP".
    required_shares : sequence of float or of fractions.Fraction
    processors : int

    Returns
    -------
    ndarray of fractions.Fraction, shape (groups, processors)
        With "VP" also the law by which rule I5 of SVP draws a processor (Section 6.5.4).

    Raises
    ------
    ValueError
        If an argument is not as above, or with "VP" a share is so small that the partition gives it nothing.

    Examples
    --------
    >>> print(arrival_law("VP", (0.75, 0.25), 2))
    [[Fraction(2, 3) Fraction(1, 3)]
     [Fraction(0, 1) Fraction(1, 1)]]
    """
    X = partition(required_shares, processors)
    if one_of("preference", preference, PREFERENCES) == "HP":
        return np.full(X.shape, Fraction(1, X.shape[1]))
    return X / X.sum(axis=1, keepdims=True)


def probe_law(
    preference: str, required_shares: FloatsOrFractions, processors: int, *, group: int, own: int, probe_limit: int
) -> list[Fraction]:
    """The probability of each processor to be probed when a job of a group has arrived.

    Parameters
    ----------
    preference : str
        "HP" or "VP". Upon departures, and with periodic probing, it is "HP".
    required_shares : sequence of float or of fractions.Fraction
    processors : int
    group : int
    own : int
        Where the job has arrived.
    probe_limit : int
        With "VP" preference at most 4000, unless it takes in the whole subset.

    Returns
    -------
    list of fractions.Fraction
        They sum to the probe limit.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> print(*probe_law("VP", (0.625, 0.375), 4, group=0, own=0, probe_limit=1))
    0 2/3 0 1/3
    >>> print(*probe_law("VP", (0.625, 0.375), 4, group=0, own=2, probe_limit=2))
    23/30 23/30 0 7/15
    """
    X = partition(required_shares, processors)[integer("group", group, 0, len(required_shares) - 1)]
    own, P = integer("own", own, 0, processors - 1), len(X)
    limit = integer("probe_limit", probe_limit, 0, P - 1)
    vertical = one_of("preference", preference, PREFERENCES) == "VP"
    parts = [p for p in range(P) if p != own and vertical and 0 < X[p] < 1]
    first = [p for p in range(P) if p != own and (X[p] == 1 or not vertical)]
    last = [p for p in range(P) if p != own and vertical and X[p] == 0]
    draws = min(limit, len(parts) + len(first))
    if parts and draws < len(parts) + len(first):
        affordable("probe_limit", limit, MOST_DRAWS)
    chance, alike = _inclusion([X[p] for p in parts], len(first), draws)
    result = [Fraction(0)] * P
    for p, found in zip(parts, chance, strict=True):
        result[p] = found
    for p in first:
        result[p] = alike
    for p in last:
        result[p] = Fraction(max(limit - len(parts) - len(first), 0), len(last))
    return result


def _inclusion(parts, whole, draws):
    """The probabilities to be among so many drawn: of things with these weights, and of each of those with weight 1.

    There are two or three parts at most, and things of weight 1 are alike, so the law of which parts have been drawn
    is all that is carried from draw to draw.
    """
    if draws == len(parts) + whole:
        return (Fraction(1),) * len(parts), Fraction(1)
    if not parts:
        return (), Fraction(draws, whole)
    law = {(): Fraction(1)}
    for drawn in range(draws):
        following = {}
        for taken, chance in law.items():
            left = whole - drawn + len(taken)
            rest = [k for k in range(len(parts)) if k not in taken]
            each = chance / (left + sum(parts[k] for k in rest))
            steps = [(tuple(sorted((*taken, k))), parts[k]) for k in rest]
            for then, weight in [(taken, left), *steps] if left else steps:
                following[then] = following.get(then, 0) + each * weight
        law = following
    chances = tuple(sum((p for taken, p in law.items() if k in taken), Fraction(0)) for k in range(len(parts)))
    return chances, sum(p * (draws - len(taken)) for taken, p in law.items()) / whole if whole else Fraction(0)
