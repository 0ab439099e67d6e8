"""Where jobs arrive and which processors are probed, drawn; `probing` has the laws.

With weights, the processors that a group has in part come first, by index, and then those that it has as a whole; so a
draw takes one look at each part, of which there are two at most. Those drawn one after the other are drawn without
replacement: what is drawn of the whole ones gives its place to the last that is left.
"""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.jit import kernel


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
    for g, row in enumerate([*X, [1] * P]):
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
