"""Chains of the lengths of a few queues, without groups: placed by chance or in the shortest; migration or none.

All states at once, in arrays; the library's rules are not used. The whole capacity is 1 and equally divided, the mean
size is 1, so that the arrival rate is the load and a busy processor completes 1 / P jobs per unit of time.
"""

import functools
import math

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from clustershare import markov


def states(processors, most, spread, ordered_from=0):
    """All lengths with a sum and a largest difference that are not exceeded, the columns from one on in falling order.

    Examples
    --------
    >>> states(2, 3, 2).tolist()
    [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1]]
    """
    found = np.zeros((1, 0), dtype=np.int64)
    for column in range(processors):
        rows, values = np.divmod(np.arange(len(found) * (most + 1)), most + 1)
        found = np.column_stack([found[rows], values])
        fits = (found.sum(axis=1) <= most) & (np.ptp(found, axis=1) <= spread)
        if column > ordered_from:
            fits &= found[:, -1] <= found[:, -2]
        found = found[fits]
    return found[np.argsort(found.sum(axis=1), kind="stable")]


def _after(lengths, p, by):
    changed = lengths.copy()
    changed[:, p] += by
    return changed


def _transitions(lengths, load, shortest, migration, tagged):
    """Rows, lengths after, rates; with a tagged job, which never leaves, in the first queue."""
    P = lengths.shape[1]
    ties = lengths == lengths.min(axis=1, keepdims=True) if shortest else np.ones(lengths.shape, dtype=bool)
    for p in range(P):
        rows = np.flatnonzero(ties[:, p])
        yield rows, _after(lengths[rows], p, 1), load / ties[rows].sum(axis=1)
    for q in range(P):
        rows = np.flatnonzero(lengths[:, q] > (tagged and q == 0))
        left = _after(lengths[rows], q, -1)
        rate = (1 - (tagged and q == 0) / lengths[rows, q]) / P
        if not migration:
            yield rows, left, rate
            continue
        due = left.max(axis=1) >= left[:, q] + 2
        yield rows[~due], left[~due], rate[~due]
        rows, left, rate = rows[due], left[due], rate[due]
        longest = left == left.max(axis=1, keepdims=True)
        for p in range(P):
            here = longest[:, p]
            moved, each = _after(_after(left[here], p, -1), q, 1), rate[here] / longest[here].sum(axis=1)
            if not tagged or p:
                yield rows[here], moved, each
                continue
            own = 1 / left[here, 0]  # that the tagged job is the one that moves; its queue is the first again
            yield rows[here], moved, each * (1 - own)
            changed = moved.copy()
            changed[:, [0, q]] = moved[:, [q, 0]]
            yield rows[here], changed, each * own


@functools.cache
def law(load, processors, most, spread, shortest=True, migration=False, tagged=False):
    """Lengths and their probabilities; what would lead out of the states does not happen.

    Parameters
    ----------
    load : float
    processors, most : int
    spread : int
        The largest difference of two lengths.
    shortest : bool
        Whether a job is placed in a shortest queue, and not by chance.
    migration : bool
        Whether a random job of a longest queue moves to the one that a job left, if it is longer by two or more.
    tagged : bool
        Whether there is one job that never leaves, which is counted in the first column.

    Returns
    -------
    lengths : ndarray of int, shape (states, processors)
        In falling order, but for the queue of a tagged job.
    probability : ndarray, shape (states,)
    """
    found = states(processors, most, spread, int(tagged))
    if tagged:
        found = found[found[:, 0] > 0]
    digits = (most + 2) ** np.arange(processors, dtype=np.int64)
    keys = found @ digits
    order = np.argsort(keys)
    rows, columns, rates = [], [], []
    for row, after, rate in _transitions(found, load, shortest, migration, tagged):
        after[:, int(tagged) :] = -np.sort(-after[:, int(tagged) :], axis=1)
        wanted = after @ digits
        place = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
        inside = (keys[order[place]] == wanted) & (rate > 0)
        rows.append(row[inside])
        columns.append(order[place[inside]])
        rates.append(rate[inside])
    Q = markov.generator(len(found), *map(np.concatenate, (rows, columns, rates)))
    reached = np.sort(breadth_first_order(Q, 0, return_predecessors=False))
    found = found[reached]
    guess = load ** found.sum(axis=1) * 0.3 ** np.ptp(found, axis=1)
    return found, markov.iterate(Q[reached][:, reached], guess, 1e-12)


def most(load, P, lost):
    """How many jobs there are at most on so many processors but for a small part of the time, under one line.

    Examples
    --------
    >>> most(0.5, 2, 1e-6)
    23
    """
    return P + math.ceil(math.log(lost * (1 - load)) / math.log(load))


def mean_jobs(*setting, **options):
    """The mean number of jobs."""
    lengths, probability = law(*setting, **options)
    return float(probability @ lengths.sum(axis=1))


def response_time(load, processors):
    """The mean response time under JSQ without migration, in mean times alone; for up to four processors.

    Examples
    --------
    >>> round(response_time(0.5, 2), 4)
    1.4263
    """
    most = processors + 20 + int(np.log(1e-7) / np.log(load))
    return mean_jobs(load, processors, most, {2: 16, 3: 12}.get(processors, 8)) / (processors * load)


def times_alone(load, processors, shortest, migration):
    """How many times its time alone a job takes that is too large to end, beside others.

    Examples
    --------
    >>> round(times_alone(0.5, 2, True, True), 2)
    1.32
    """
    most = 20 + int(np.log(1e-8) / np.log(load))
    found, probability = law(load, processors, most, 25, shortest, migration, tagged=True)
    return float(1 / (probability @ (1 / found[:, 0])))
