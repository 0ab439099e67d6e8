"""Exact losses of groups with processors of their own, JSQ in each subset, for all ways to split a load over groups.

By chains of ordered queue lengths, level by level of their sum; the library's rules are not used.
"""

import functools
import itertools

import numpy as np

from pages.share_scheduling.central.witnesses.lengths import states

MOST = 38
SPREAD = (0, MOST, 12)  # of the queues of one, two and three processors
EVERY_TENTH = 10
LOADS = tuple(round(0.1 * number, 12) for number in range(1, 10))


@functools.cache
def _levels(processors):
    """For each number of jobs up to `MOST`: where an arrival leads, rates of departures, and the busy processors."""
    found = states(processors, MOST, SPREAD[processors - 1])
    levels = [found[found.sum(axis=1) == n] for n in range(MOST + 1)]
    index = [{tuple(row): k for k, row in enumerate(level.tolist())} for level in levels]
    up, down = [], []
    for n, level in enumerate(levels):
        join = np.zeros((len(level), len(levels[n + 1]) if n < MOST else 0))
        leave = np.zeros((len(level), len(levels[n - 1]) if n else 0))
        for k, row in enumerate(level.tolist()):
            if n < MOST:
                join[k, index[n + 1][tuple(sorted([*row[:-1], row[-1] + 1], reverse=True))]] = 1
            for p in range(processors):
                after = tuple(sorted([*row[:p], row[p] - 1, *row[p + 1 :]], reverse=True))
                if row[p] and after in index[n - 1]:
                    leave[k, index[n - 1][after]] += 1 / processors
        up.append(join)
        down.append(leave)
    return up, down


def numbers(processors, loads, length):
    """P[N = n], n < length, of JSQ on a few equal processors, for many loads relative to them at once.

    Parameters
    ----------
    processors : int
    loads : ndarray, shape (loads,)
        From 1 on all numbers grow without bound: the law is 0.
    length : int

    Returns
    -------
    ndarray, shape (loads, length)

    Examples
    --------
    >>> numbers(1, np.array([0.5, 1.0]), 3).round(9).tolist()
    [[0.5, 0.25, 0.125], [0.0, 0.0, 0.0]]
    """
    up, down = _levels(processors)
    loads = np.asarray(loads, float)
    stable = np.flatnonzero(loads < 1 - 1e-9)
    rate = loads[stable][:, None, None]
    ratios = [None] * MOST  # of the probabilities at n + 1 jobs to those at n
    above = 0.0
    for n in range(MOST - 1, -1, -1):
        out = np.eye(down[n + 1].shape[0]) * down[n + 1].sum(axis=1)
        inside = out + rate * np.eye(len(out)) * (n < MOST - 1) - above
        ratios[n] = np.linalg.solve(np.swapaxes(inside, 1, 2), np.swapaxes(rate * up[n], 1, 2)).swapaxes(1, 2)
        above = ratios[n] @ down[n + 1]
    row = np.ones((len(stable), 1, 1))
    sums = [row.sum(axis=(1, 2))]
    for ratio in ratios:
        row = row @ ratio
        sums.append(row.sum(axis=(1, 2)))
    sums = np.array(sums).T
    relative = loads[stable]
    whole = sums.sum(axis=1) + sums[:, -1] * relative / (1 - relative)  # so far out all processors are busy
    law = np.zeros((len(loads), length))
    law[stable] = (sums / whole[:, None])[:, :length]
    return law


def splits(groups, steps=EVERY_TENTH):
    """All ways to give parts of the load to groups, in steps of one over `steps`: ndarray, shape (ways, groups).

    Examples
    --------
    >>> splits(2, 2).tolist()
    [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
    """
    ways = [way for way in itertools.product(range(steps + 1), repeat=groups) if sum(way) == steps]
    return np.array(ways) / steps


def subsets_of(groups, largest=3):
    """Numbers of processors of the groups, the largest first: list of tuple."""
    return [
        sizes for sizes in itertools.product(range(largest, 0, -1), repeat=groups) if list(sizes) == sorted(sizes)[::-1]
    ]


@functools.cache
def losses(subsets):
    """Delta^T of groups on subsets of their own at `LOADS`, for all `splits` of them.

    Parameters
    ----------
    subsets : tuple of int
        Processors of each group.

    Returns
    -------
    ndarray, shape (loads, ways)
    """
    P, parts = sum(subsets), splits(len(subsets))
    loads = (np.array(LOADS)[:, None, None] * parts).reshape(-1, len(subsets))
    fits = np.ones((len(loads), 1))  # P[N = n] of all groups so far, n < P
    for own, brought in zip(subsets, loads.T):
        different, which = np.unique((brought * P / own).round(12), return_inverse=True)
        law = numbers(own, different, P)[which]
        both = np.zeros((len(loads), P))
        for n in range(fits.shape[1]):
            both[:, n:] += fits[:, [n]] * law[:, : P - n]
        fits = both
    useful = 1 - (fits * (1 - np.arange(P) / P)).sum(axis=1)
    busy = np.minimum(loads, np.array(subsets) / P).sum(axis=1)
    return (useful - busy).reshape(len(LOADS), -1)
