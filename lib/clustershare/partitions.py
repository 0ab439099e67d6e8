"""Partitionable systems: sets of processors that are exactly what sets of groups require (`thesis`, Section 2.4.5)."""

import itertools

import numpy as np

from clustershare.shares import feasible_group_share, required_shares, sorted_capacities

TOLERANCE = 1e-9  # between a sum of required shares and a fraction of the capacity


def _subsets(count):
    """Proper subsets of range(count) that are not empty, the smallest first."""
    return [s for size in range(1, count) for s in itertools.combinations(range(count), size)]


def partition(required, capacities):
    """Groups and processors that can be split off: their shares and fractions of the capacity agree (Definition 2.1).

    Every subset is tried, so this is for small systems.

    Parameters
    ----------
    required : sequence of float
        Required group shares.
    capacities : sequence of float
        Of the processors, in descending order.

    Returns
    -------
    groups, processors : tuple of int
        Counted from 0; None if the system is not partitionable.

    Raises
    ------
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
    for groups in _subsets(len(shares)):
        for processors in _subsets(len(fractions)):
            if abs(shares[list(groups)].sum() - fractions[list(processors)].sum()) <= TOLERANCE:
                return groups, processors
    return None


def full_partition(required, capacities):
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
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> full_partition([0.5, 0.5], [2, 1, 1])
    [(0,), (1, 2)]
    """
    shares = required_shares("required", required)
    fractions = _fractions(capacities)

    def place(group, free):
        if group == len(shares):
            return []
        for size in range(1, len(free) + 1):
            for chosen in itertools.combinations(sorted(free), size):
                if abs(fractions[list(chosen)].sum() - shares[group]) <= TOLERANCE:
                    rest = place(group + 1, free - set(chosen))
                    if rest is not None:
                        return [chosen, *rest]
        return None

    return place(0, set(range(len(fractions))))


def one_to_one_partition(required, capacities):
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
    for processors in itertools.permutations(range(len(fractions)), len(shares)):
        if np.abs(fractions[list(processors)] - shares).max() <= TOLERANCE:
            return processors
    return None


def partitioned_feasible_share(required_share, jobs, own, capacities):
    """The share a group can claim when it has processors of its own: (2.26) there, related to the whole.

    Parameters
    ----------
    required_share : float
        What its processors are of the whole.
    jobs : int or array_like of int
        Jobs of the group.
    own : sequence of int
        Its processors, counted from 0.
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
    part = _fractions(capacities)[list(own)].sum()
    return part * np.asarray(feasible_group_share(min(1.0, required_share / part), jobs, len(own)))


def _fractions(capacities):
    speeds = sorted_capacities("capacities", capacities)
    return speeds / speeds.sum()
