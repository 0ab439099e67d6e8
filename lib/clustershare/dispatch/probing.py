"""Where jobs arrive and which processors are probed (`thesis`, Sections 6.3, 6.4.3): exact laws, and drawn.

With "HP" preference all processors are alike. With "VP" preference a job of group g arrives at processor p with
probability X_gp / (r_g P), and the processors of its subset are probed first: one after the other is drawn, without
replacement, with weights X_gp.
"""

from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from clustershare.arguments import integer, one_of
from clustershare.dispatch.jit import kernel
from clustershare.dispatch.partitioning import partition

PREFERENCES = ("HP", "VP")


def arrival_law(preference, required_shares, processors):
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
        If an argument is not as above.

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


def probe_law(preference, required_shares, processors, *, group, own, probe_limit):
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
    0 2/3 1/3 0
    >>> print(*probe_law("VP", (0.625, 0.375), 4, group=0, own=3, probe_limit=2))
    1 4/5 1/5 0
    """
    X = partition(required_shares, processors)[integer("group", group, 0, len(required_shares) - 1)]
    own, P = integer("own", own, 0, processors - 1), len(X)
    limit = integer("probe_limit", probe_limit, 0, P - 1)
    vertical = one_of("preference", preference, PREFERENCES) == "VP"
    parts = [p for p in range(P) if p != own and vertical and 0 < X[p] < 1]
    first = [p for p in range(P) if p != own and (X[p] == 1 or not vertical)]
    last = [p for p in range(P) if p != own and vertical and X[p] == 0]
    chance, alike = _inclusion(tuple(X[p] for p in parts), len(first), min(limit, len(parts) + len(first)))
    result = [Fraction(0)] * P
    for p, found in zip(parts, chance, strict=True):
        result[p] = found
    for p in first:
        result[p] = alike
    for p in last:
        result[p] = Fraction(max(limit - len(parts) - len(first), 0), len(last))
    return result


@cache
def _inclusion(parts, whole, draws):
    """The probabilities to be among so many drawn: of things with these weights, and of each of those with weight 1."""
    if draws == 0:
        return (Fraction(0),) * len(parts), Fraction(0)
    total, alike = sum(parts) + whole, Fraction(0)
    chances = [Fraction(0)] * len(parts)
    for k, part in enumerate(parts):
        others, one = _inclusion(parts[:k] + parts[k + 1 :], whole, draws - 1)
        alike += part / total * one
        for j, chance in enumerate(others[:k] + (Fraction(1),) + others[k:]):
            chances[j] += part / total * chance
    if whole:
        others, one = _inclusion(parts, whole - 1, draws - 1)
        alike += Fraction(whole, total) * (1 + (whole - 1) * one) / whole
        for j, chance in enumerate(others):
            chances[j] += Fraction(whole, total) * chance
    return tuple(chances), alike


class Subsets(NamedTuple):
    """Whose processors are whose, in the order in which they are drawn from.

    Attributes
    ----------
    order : ndarray of int, shape (1 + groups, processors)
        The processors: for each group those that it has in part, those that it has as a whole, and the others, each by
        index; and once more by index, where all are alike.
    place : ndarray of int, shape (1 + groups, processors)
        Where each of them stands in that order.
    size : ndarray of int, shape (1 + groups, 2)
        How many there are in part, and in part or as a whole.
    part : ndarray, shape (1 + groups, processors)
        The parts, in the order of `order`.
    spare : ndarray of int, shape (3, processors)
        To draw with: the numbers from 0 on, those that were changed, and which parts are used.
    """

    order: np.ndarray
    place: np.ndarray
    size: np.ndarray
    part: np.ndarray
    spare: np.ndarray


def subsets(X):
    """The subsets of a partitioning matrix of fractions, shape (groups, processors)."""
    G, P = X.shape
    order, size, part = np.zeros((1 + G, P), np.int64), np.zeros((1 + G, 2), np.int64), np.zeros((1 + G, P))
    for g, row in enumerate([*X, [Fraction(1)] * P]):
        ranks = [(1 if x == 1 else 0 if x > 0 else 2, p) for p, x in enumerate(row)]
        order[g] = [p for _, p in sorted(ranks)]
        size[g] = sum(rank == 0 for rank, _ in ranks), sum(rank < 2 for rank, _ in ranks)
        part[g] = [float(row[p]) for p in order[g]]
    spare = np.zeros((3, P), np.int64)
    spare[0] = np.arange(P)
    return Subsets(order, np.argsort(order, axis=1), size, part, spare)


@kernel
def weighted(rng, parts, whole):
    """One of some things with weights and then of so many with weight 1; of one, without a draw."""
    if len(parts) + whole == 1:
        return 0
    total = 0.0
    for k in range(len(parts)):
        total += parts[k]
    left = rng.random() * (total + whole)
    for k in range(len(parts)):
        if left < parts[k]:
            return k
        left -= parts[k]
    return len(parts) + max(min(int(left), whole - 1), -1)


@kernel
def in_subset(rng, subsets, g):
    """A processor of a group's subset, in proportion to its part: VP arrival preference, rule I5 of SVP."""
    few = subsets.size[g, 0]
    return subsets.order[g, weighted(rng, subsets.part[g, :few], subsets.size[g, 1] - few)]


@kernel
def draw_set(rng, subsets, row, own, found):
    """Fill `found` with the processors probed: those of a group first, or all alike (the last row)."""
    few, size = subsets.size[row, 0], subsets.size[row, 1]
    count = draw_from(rng, subsets, row, 0, few, size, own, found, 0)
    if count < len(found):
        draw_from(rng, subsets, row, size, size, len(subsets.spare[0]), own, found, count)


@kernel
def draw_from(rng, subsets, row, begin, few, end, own, found, count):
    """Add processors other than the own one to those found: from places `begin` on by weight, from `few` on alike."""
    order, part = subsets.order[row], subsets.part[row]
    numbers, changed, used = subsets.spare[0], subsets.spare[1], subsets.spare[2]
    at, drawn, total = subsets.place[row, own], 0, 0.0
    inside = few <= at < end
    left, options = end - few - inside, few - begin
    if begin <= at < few:
        used[at] = 1
        options -= 1
    while left + options > 0 and count < len(found):
        total = 0.0
        for k in range(begin, few):
            total += 0.0 if used[k] else part[k]
        v = rng.random() * (total + left) if left + options > 1 else 0.0
        chosen = -1
        for k in range(begin, few):
            if not used[k]:
                if v < part[k] or left == 0:  # the last, should rounding find none
                    chosen = k
                if v < part[k]:
                    break
                v -= part[k]
        count += 1
        if chosen >= 0:
            used[chosen] = 1
            options -= 1
            found[count - 1] = order[chosen]
            continue
        k = min(int(v), left - 1)
        place = few + numbers[k]
        found[count - 1] = order[place + (inside and place >= at)]
        left -= 1
        numbers[k] = numbers[left]  # the last takes its place
        changed[drawn] = k
        drawn += 1
    for k in range(drawn):
        numbers[changed[k]] = changed[k]
    for k in range(begin, few):
        used[k] = 0
    return count
