"""Partitioning matrices of `thesis`, Section 5.5.3: random systems, the algorithm as printed, and other rules."""

import functools
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from clustershare import dispatch

EXAMPLE = tuple(Fraction(*size) for size in ((3, 2), (1, 1), (2, 3), (2, 3), (2, 3), (1, 2)))
"""The required sizes of the thesis's example, on five processors."""


@functools.cache
def systems(number, seed, *, groups=(2, 7), processors=(2, 8), denominators=(2, 3, 4, 6, 12)):
    """Random required sizes omega_g = r_g P: multiples of one fraction that sum to a number of processors.

    Parameters
    ----------
    number, seed : int
    groups, processors : tuple of int
        The fewest and the most.
    denominators : tuple of int

    Returns
    -------
    tuple of tuple of fractions.Fraction
    """
    rng, found = np.random.default_rng(seed), []
    while len(found) < number:
        G, P = (int(rng.integers(least, most + 1)) for least, most in (groups, processors))
        common = int(rng.choice(denominators))
        if G <= P * common:
            cuts = np.sort(rng.choice(np.arange(1, P * common), G - 1, replace=False))
            found.append(tuple(Fraction(int(n), common) for n in np.diff([0, *cuts, P * common])))
    return tuple(found)


class Piece(NamedTuple):
    """What a group is given of a processor."""

    group: int
    processor: int
    part: Fraction


def pieces(sizes, sets):
    """What the algorithm gives, piece by piece, in the words of the thesis.

    Parameters
    ----------
    sizes : sequence of fractions.Fraction
    sets : sequence of sequence of int
        The combinations of groups of step 1, each in the sequence in which step 2 takes its groups.

    Returns
    -------
    list of Piece
    """
    found, first = [], 0
    for groups in sets:
        for g in groups:  # entire processors
            found += [Piece(g, first + p, Fraction(1)) for p in range(int(sizes[g]))]
            first += int(sizes[g])
        p, left = first, Fraction(1)
        for g in groups:
            part = sizes[g] - int(sizes[g])  # (5.12)
            if part == 0:
                continue
            if part <= left:
                found.append(Piece(g, p, part))
                left -= part
            else:  # split across this processor and the next
                found += [Piece(g, p, left), Piece(g, p + 1, part - left)]
                p, left = p + 1, 1 - (part - left)
        first += int(sum(sizes[g] - int(sizes[g]) for g in groups))
    return found


def most_sets(sizes, groups=None):
    """As many sets with whole sums as there can be: all partitions into such sets are tried, one group after another.

    Examples
    --------
    >>> most_sets(EXAMPLE)
    [[0, 5], [1], [2, 3, 4]]
    """
    return max(whole_partitions(sizes, groups), key=len)


def whole_partitions(sizes, groups=None):
    """All partitions of the groups into sets with whole sums; most of them are unions of sets of others."""
    groups = list(range(len(sizes))) if groups is None else groups
    if not groups:
        return [[]]
    found = []
    for chosen in range(1 << (len(groups) - 1)):
        own = [groups[0], *(g for k, g in enumerate(groups[1:]) if chosen >> k & 1)]
        if sum(sizes[g] for g in own).denominator == 1:
            rest = [g for g in groups if g not in own]
            found += [[own, *sets] for sets in whole_partitions(sizes, rest)]
    return found


def shares(sizes):
    """The required shares r_g = omega_g / P (5.11)."""
    return [size / sum(sizes) for size in sizes]


def in_turn(sizes):
    """A wrong step 1: groups join a set in the order of their numbers until its sum is whole."""
    sets, current = [], []
    for g, _ in enumerate(sizes):
        current.append(g)
        if sum(sizes[h] for h in current).denominator == 1:
            sets.append(current)
            current = []
    return sets


def matrix(sizes, rule=None):
    """The partitioning matrix X, shape (groups, processors): the library's, or one of a wrong rule.

    Parameters
    ----------
    sizes : sequence of fractions.Fraction
    rule : str, optional
        "no step 1": all groups are one combination. "sets in turn": see `in_turn`. "side by side": groups lie one after
        the other on all processors. "spread": what remains of each group lies in equal parts on all processors that
        remain. "second part whole": the second part of a split group is as large as the whole.

    Returns
    -------
    ndarray of fractions.Fraction
    """
    P = int(sum(sizes))
    if rule is None:
        return dispatch.partition(shares(sizes), P)
    X = np.full((len(sizes), P), Fraction(0))
    if rule == "side by side":
        ends = np.cumsum(sizes)
        for g, (end, size) in enumerate(zip(ends, sizes)):
            for p in range(P):
                X[g, p] = max(Fraction(0), min(end, Fraction(p + 1)) - max(end - size, Fraction(p)))
        return X
    sets = {"no step 1": [range(len(sizes))], "sets in turn": in_turn(sizes)}.get(rule) or most_sets(sizes)
    for g, p, part in pieces(sizes, sets):
        X[g, p] = sizes[g] - int(sizes[g]) if rule == "second part whole" and X[g].sum() % 1 else part
    if rule == "spread":
        shared = [p for p in range(P) if (X[:, p] < 1).all()]
        for g, size in enumerate(sizes):
            X[g, shared] = (size - int(size)) / len(shared) if shared else Fraction(0)
    return X


@functools.cache
def matrices(found, rule=None, sequences=1, seed=510):
    """The matrices of many systems, each with its groups in some sequences: the first is that of their numbers.

    Parameters
    ----------
    found : tuple of tuple of fractions.Fraction
        Of `systems`.
    rule : str, optional
        Of `matrix`.
    sequences, seed : int

    Returns
    -------
    list of (tuple of fractions.Fraction, ndarray)
        The sizes in that sequence and their matrix.
    """
    rng, answers = np.random.default_rng(seed), []
    for sizes in found:
        for number in range(sequences):
            order = rng.permutation(len(sizes)) if number else range(len(sizes))
            mixed = tuple(sizes[g] for g in order)
            answers.append((mixed, matrix(mixed, rule)))
    return answers


def columns(X, order=None):
    """The columns of a matrix without their order: two matrices with the same columns differ by names of processors."""
    return sorted(tuple(column) for column in (X if order is None else X[list(order)]).T)


def numbers_of_sets(groups, denominator, number, processors=8):
    """How many combinations step 1 finds in random systems of so many groups, whose sizes are such multiples.

    Parameters
    ----------
    groups, denominator, number, processors : int

    Returns
    -------
    list of int
    """
    found = systems(
        number, denominator * 100 + groups, groups=(groups, groups), processors=(processors, processors),
        denominators=(denominator,),
    )  # fmt: skip
    return [len(dispatch.combinations(sizes)) for sizes in found]


def in_sequence(sizes, order, local, load):
    """Groups that are served by the matrix of a sequence, each with the same part of its promise as load.

    Parameters
    ----------
    sizes : sequence of fractions.Fraction
    order : str
        The numbers of the groups, from 1 on.
    local : str
    load : float

    Returns
    -------
    dict
        Arguments of `clustershare.dispatch.simulate_central`.
    """
    promised = [float(shares(sizes)[int(g) - 1]) for g in order]
    return {
        "policy": "SVP", "local": local, "migration": False, "required_shares": promised,
        "loads": [load * share for share in promised], "processors": int(sum(sizes)),
    }  # fmt: skip
