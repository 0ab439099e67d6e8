"""Partitionable systems: sets of processors that are exactly what sets of groups require (`thesis`, Section 2.4.5).

Processors may be of any capacities here, and the question is whether there are such sets. Which parts of equal
processors each group gets, be there such sets or not, is the partitioning matrix, `clustershare.dispatch.partition`.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from clustershare.arguments import fail, integer, number, vector
from clustershare.results import NoExactAnswer
from clustershare.shares import feasible_group_share, required_shares, sorted_capacities
from clustershare.typing import FloatOrArray, Integers, Numbers

TOLERANCE = 1e-9  # between a sum of required shares and a fraction of the capacity
MOST_SETS = 2**20


def partition(required: Numbers, capacities: Numbers) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Groups and processors that can be split off: their shares and fractions of the capacity agree (Definition 2.1).

    The sums of all sets of groups are looked up among those of the sets of processors; of equal processors only how
    many matters.

    Parameters
    ----------
    required : sequence of float
        Required group shares.
    capacities : sequence of float
        Of the processors, in descending order.

    Returns
    -------
    groups, processors : tuple of int
        Counted from 0, of all such sets the smallest of groups, and then of processors; None if the system is not
        partitionable.

    Raises
    ------
    NoExactAnswer
        If there are more than `MOST_SETS` sets of groups or of processors.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> partition([0.5, 0.5], [2, 1, 1])
    ((0,), (0,))
    >>> partition([0.4, 0.6], [2, 1, 1]) is None
    True
    """
    shares = np.array(required_shares("required", required))
    fractions = _fractions(capacities)
    kinds = _kinds(range(len(fractions)), fractions)
    _refuse(2 ** len(shares), "groups")
    _refuse(math.prod(len(kind) + 1 for kind in kinds), "processors")
    sets = _sets(kinds)
    sums = np.array([fractions[list(chosen)].sum() for chosen in sets])
    ordered = np.sort(sums)
    for size in range(1, len(shares)):
        for groups in itertools.combinations(range(len(shares)), size):
            total = shares[list(groups)].sum()
            near = np.searchsorted(ordered, total - TOLERANCE)
            if near < len(ordered) and ordered[near] <= total + TOLERANCE:
                return groups, next(chosen for chosen, own in zip(sets, sums) if abs(own - total) <= TOLERANCE)
    return None


def _kinds(free, fractions):
    """Processors by capacity: lists of those that are alike."""
    kinds = []
    for p in free:
        if kinds and abs(fractions[kinds[-1][0]] - fractions[p]) <= TOLERANCE:
            kinds[-1].append(p)
        else:
            kinds.append([p])
    return kinds


def _sets(kinds):
    """Sets of processors, but for none and all, small ones first; of processors that are alike the first are taken."""
    taken = itertools.product(*(range(len(kind) + 1) for kind in kinds))
    sets = (tuple(sorted(p for kind, count in zip(kinds, counts) for p in kind[:count])) for counts in taken)
    return sorted(sets, key=lambda chosen: (len(chosen), chosen))[1:-1]


def _refuse(sets, of_what):
    if sets > MOST_SETS:
        raise NoExactAnswer(f"All sets of {of_what} are looked at, of which there may be {MOST_SETS}; there are more.")


def full_partition(required: Numbers, capacities: Numbers) -> list[tuple[int, ...]]:
    """A set of processors of its own for each group (Definition 2.2).

    Parameters
    ----------
    required, capacities
        As for `partition`.

    Returns
    -------
    list of tuple of int
        The processors of each group; None if the system is not fully partitionable.

    Raises
    ------
    NoExactAnswer
        If more than `MOST_SETS` sets of processors are to be looked at.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> full_partition([0.5, 0.5], [2, 1, 1])
    [(0,), (1, 2)]
    """
    shares = required_shares("required", required)
    fractions = _fractions(capacities)

    looked, hopeless = 0, set()

    def place(group, free):
        nonlocal looked
        if group == len(shares):
            return []
        kinds = _kinds(free, fractions)
        state = (group, tuple((kind[0], len(kind)) for kind in kinds))
        if state in hopeless:
            return None
        looked += math.prod(len(kind) + 1.0 for kind in kinds)
        _refuse(looked, "processors")
        for chosen in [*_sets(kinds), tuple(free)]:
            if abs(fractions[list(chosen)].sum() - shares[group]) <= TOLERANCE:
                rest = place(group + 1, [p for p in free if p not in chosen])
                if rest is not None:
                    return [chosen, *rest]
        hopeless.add(state)
        return None

    return place(0, list(range(len(fractions))))


def one_to_one_partition(required: Numbers, capacities: Numbers) -> tuple[int, ...] | None:
    """A processor of its own for each group (Definition 2.3).

    Parameters
    ----------
    required, capacities
        As for `partition`.

    Returns
    -------
    tuple of int
        The processor of each group; None if the system is not fully one-to-one partitionable.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> one_to_one_partition([0.5, 0.25, 0.25], [2, 1, 1])
    (0, 1, 2)
    """
    shares = required_shares("required", required)
    fractions = _fractions(capacities)
    free, found = list(range(len(fractions))), []
    for share in shares:
        own = next((p for p in free if abs(fractions[p] - share) <= TOLERANCE), None)
        if own is None:
            return None
        free.remove(own)
        found.append(own)
    return tuple(found)


def partitioned_feasible_share(
    required_share: float, jobs: int | Integers, own: Integers, capacities: Numbers
) -> FloatOrArray:
    """The share a group can claim when it has processors of its own: (2.26) there, related to the whole.

    Parameters
    ----------
    required_share : float
        What its processors are of the whole.
    jobs : int or array_like of int
        Jobs of the group.
    own : sequence of int
        Its processors, counted from 0, each once.
    capacities : sequence of float
        Of all processors, in descending order.

    Returns
    -------
    float or ndarray
        A fraction of the whole capacity, of the shape of `jobs`.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> partitioned_feasible_share(0.5, [0, 1], (0,), [2, 1, 1])
    array([0. , 0.5])
    """
    speeds = _fractions(capacities)
    number("required_share", required_share, 0, 1, open_below=True)
    own = vector("own", own, lambda name, value: integer(name, value, 0, len(speeds) - 1))
    if len(set(own)) < len(own):
        fail("own", own, "processors that differ from one another")
    part = speeds[list(own)].sum()
    return part * np.asarray(feasible_group_share(min(1.0, required_share / part), jobs, len(own)))


def _fractions(capacities):
    speeds = sorted_capacities("capacities", capacities)
    return speeds / speeds.sum()
