"""Policies that random splitting is compared with: the shortest queue and a threshold as chains, and blocks in turn."""

import itertools
import math

import numpy as np

from clustershare import markov


def shortest_queue(processors, load, *, apart=8, lost=1e-6):
    """Mean response time if jobs join the shortest of like queues, from the chain of the sorted numbers.

    Parameters
    ----------
    processors : int
    load : float
        Of each; the mean service time is 1.
    apart : int
        Queues differ by no more: a server that would make them does not serve. That makes response times longer.
    lost : float
        About the probability of the states that are cut off.

    Returns
    -------
    float

    Examples
    --------
    >>> round(shortest_queue(2, 0.6), 4)
    1.6818
    """
    most = math.ceil(math.log(lost) / math.log(load) / processors) + 6
    gaps = np.array(list(itertools.combinations_with_replacement(range(min(apart, most) + 1), processors - 1)))
    longer = np.hstack([np.zeros((len(gaps), 1), dtype=int), gaps.reshape(len(gaps), -1)])
    numbers = (np.arange(most + 1)[:, None, None] + longer).reshape(-1, processors)
    numbers = numbers[numbers[:, -1] <= most]
    ties = [(numbers == numbers[:, [k]]).sum(axis=1) for k in range(processors)]

    def moves():
        for k in range(processors):  # the last of the shortest gets the job, the first of equals loses one
            last = numbers[:, k] == numbers[:, 0]
            last &= (numbers[:, k + 1] > numbers[:, 0]) if k + 1 < processors else numbers[:, k] < most
            yield last, k, 1, processors * load
            first = (numbers[:, k] > 0) & ((numbers[:, k - 1] < numbers[:, k]) if k else True)
            if k == 0:
                first &= numbers[:, -1] - numbers[:, 0] < apart
            yield first, k, -1, ties[k][first].astype(float)

    law = _law(numbers, moves())
    return float(law @ numbers.sum(axis=1) / (processors * load * (1 - law[-1])))


def sent_on(processors, load, threshold):
    """Mean response time if a job that finds a threshold of jobs or more goes on to another of like processors, once.

    From the chain of the sorted numbers. Which other one, chance decides.

    Parameters
    ----------
    processors : int
        At least 2.
    load : float
        Of each; the mean service time is 1.
    threshold : int
        At least 1.

    Returns
    -------
    float

    Examples
    --------
    >>> [round(sent_on(2, 0.5, threshold), 2) for threshold in (2, 20)]
    [1.57, 2.0]
    """
    cut = 1e-4  # about the probability of the states that are left out
    most = math.ceil(math.log(cut) / math.log(load) / (1 if threshold > 2 else 2)) + 6
    numbers = np.array(list(itertools.combinations_with_replacement(range(most + 1), processors)))

    def moves():
        for k, found in enumerate(numbers.T):
            yield found > 0, k, -1, 1.0
            yield found < threshold, k, 1, load
            for other in set(range(processors)) - {k}:
                sent = (found >= threshold) & (numbers[:, other] < most)
                yield sent, other, 1, load / (processors - 1)

    law = _law(numbers, moves())
    return float(law @ numbers.sum(axis=1) / (processors * load))


def _law(numbers, moves):
    """The law of a chain of numbers of jobs, each state sorted and all in order, shape (states, processors).

    Moves are made where a mask says so: a number in place k changes by a step, at a rate, and the state is sorted anew.
    """
    base = (numbers.max() + 2) ** np.arange(numbers.shape[1])[::-1]  # states as numbers, which sorting keeps in order
    codes, found = numbers @ base, []
    for there, k, step, rate in moves:
        state, after = np.flatnonzero(there), numbers[there]
        after[:, k] += step
        found.append((state, np.searchsorted(codes, np.sort(after, axis=1) @ base), np.full(len(state), rate)))
    return markov.stationary(markov.generator(len(codes), *(np.concatenate(part) for part in zip(*found))))


def dealt(processors, load, part, *, lost=1e-6):
    """Mean response times of two Poisson streams, each of which deals its jobs to like processors in turn.

    On one of the processors jobs of either stream arrive after so many of that stream for the others: from the chain of
    both counts and the number of jobs.

    Parameters
    ----------
    processors : int
    load : float
        Of each; the mean service time is 1.
    part : float
        Of the jobs, from the first stream.
    lost : float
        About the probability of the states that are cut off, which makes response times shorter.

    Returns
    -------
    ndarray, shape (2,)

    Examples
    --------
    >>> dealt(1, 0.5, 0.3).round(3), dealt(2, 0.5, 0.5).round(3)
    (array([2., 2.]), array([1.671, 1.671]))
    """
    most = math.ceil(math.log(lost) / math.log(load)) + 6
    shape = (processors, processors, most + 1)
    state = np.arange(math.prod(shape))
    counts = np.array(np.unravel_index(state, shape))
    rates = processors * load * np.array([part, 1 - part])
    ends, found = [], []
    for stream, rate in enumerate(rates):
        after = counts.copy()
        comes = counts[stream] == processors - 1  # the next job is for this processor
        after[stream] = (counts[stream] + 1) % processors
        after[2] = np.minimum(counts[2] + comes, most)
        ends.append((state, np.ravel_multi_index(after, shape), np.full(len(state), rate)))
        found.append(comes)
    busy = state[counts[2] > 0]
    ends.append((busy, busy - 1, np.ones(len(busy))))
    law = markov.stationary(markov.generator(len(state), *map(np.concatenate, zip(*ends))))
    return np.array([law[comes] @ counts[2, comes] / law[comes].sum() + 1 for comes in found])


def in_blocks(processors, load, *, most=80):
    """Mean response time on the first of like processors, each of which gets 10 P jobs before the next one does.

    From the numbers that arriving jobs find, job by job through a block and over the long pause after it. Numbers are
    cut, which makes response times shorter.

    Parameters
    ----------
    processors : int
    load : float
        Of each; the mean service time is 1.
    most : int
        Jobs that an arriving job finds at most.

    Returns
    -------
    float
    """
    block, rate = 10 * processors, processors * load
    n = np.arange(most + 1)

    def served(start):
        """The law of the number after an exponential time without arrivals, from each of some numbers."""
        more = (1 / (1 + rate)) ** np.maximum(start[:, None] - n, 0)
        return np.where(n > start[:, None], 0, more * np.where(n > 0, rate / (1 + rate), 1))

    between = served(np.minimum(n + 1, most))
    cycle = np.linalg.matrix_power(between, block) @ np.linalg.matrix_power(served(n), block * (processors - 1))
    law = markov.gth(cycle)
    found = 0.0
    for _ in range(block):
        found += law @ n / block
        law = law @ between
    return float(found + 1)
