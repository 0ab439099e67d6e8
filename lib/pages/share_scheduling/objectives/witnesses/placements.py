"""Queues before several processors as chains: jobs that stay where they were placed, or that move at departures."""

import bisect
import functools
import itertools

import numpy as np

from clustershare import markov
from clustershare.shares import State

MOST = 8  # jobs in all; further ones are lost


def weights_of(numbers):
    """What each job has of each processor where so many stand, served locally by PS: shape (jobs, processors)."""
    places = np.repeat(np.arange(len(numbers)), numbers)
    weights = np.zeros((len(places), len(numbers)))
    weights[np.arange(len(places)), places] = 1 / np.array(numbers)[places]
    return weights


def loss(numbers, speeds, migration=False):
    """The capacity loss (2.42) where so many jobs stand; with free migration they take turns on the fastest."""
    return _loss(tuple(numbers), tuple(speeds), migration)


@functools.cache
def _loss(numbers, speeds, migration):
    count = sum(numbers)
    if migration:
        used = min(count, len(speeds))
        weights = np.zeros((count, len(speeds)))
        weights[:, :used] = 1 / max(count, 1)
    else:
        weights = weights_of(numbers)
    return State(speeds, (1.0,), [0] * count, weights).capacity_loss


def idle_beside_two(numbers):
    """Whether a processor is idle while another has two jobs or more."""
    return min(numbers) == 0 and max(numbers) > 1


def placed(policy, numbers, speeds):
    """Where an arriving job goes: pairs of a processor and a probability."""
    if policy == "random":
        return list(enumerate(np.array(speeds) / np.sum(speeds)))
    idle = [p for p, n in enumerate(numbers) if n == 0]
    if policy == "fastest idle" and idle:
        return [(idle[0], 1.0)]
    return [(int(np.argmin(numbers)), 1.0)]


def moved(numbers, idle, speeds):
    """The printed rule at a departure: a job from the slowest busy processor that is slower than the idle one."""
    slower = [p for p, n in enumerate(numbers) if n > 0 and speeds[p] < speeds[idle]]
    if numbers[idle] or not slower:
        return numbers
    numbers = list(numbers)
    numbers[slower[-1]] -= 1
    numbers[idle] += 1
    return tuple(numbers)


def chain(speeds, load, policy, *, most=MOST, least=0, moving=False):
    """The states that can be reached, jobs with exponential sizes of mean 1, and the stationary law.

    Parameters
    ----------
    speeds : sequence of float
        In descending order.
    load : float
        Arrivals per unit of time over all the capacity.
    policy : str
        "random" (in proportion to the speeds), "shortest" (the fastest of the shortest queues) or "fastest idle" (else
        the shortest queue).
    most, least : int
        Jobs in all; `least` of them never leave.
    moving : bool
        Whether jobs move at departures as the thesis prints it.

    Returns
    -------
    states : list of tuple of int
    law : ndarray, shape (states,)

    Examples
    --------
    >>> states, law = chain((1.0,), 0.5, "shortest", most=1)
    >>> states, law.round(4)
    ([(0,), (1,)], array([0.6667, 0.3333]))
    """
    total = float(np.sum(speeds))

    def changed(numbers, p, by):
        return (*numbers[:p], numbers[p] + by, *numbers[p + 1 :])

    def transitions(numbers):
        found = []
        if sum(numbers) < most:
            found += [(changed(numbers, p, 1), load * total * part) for p, part in placed(policy, numbers, speeds)]
        if sum(numbers) > least:
            for p, n in enumerate(numbers):
                if n:
                    left = changed(numbers, p, -1)
                    found.append((moved(left, p, speeds) if moving else left, float(speeds[p])))
        return found

    start = (0,) * len(speeds)
    for _ in range(least):
        start = changed(start, placed("fastest idle", start, speeds)[0][0], 1)
    states, *moves = markov.explore(start, transitions)
    return states, markov.stationary(markov.generator(len(states), *moves))


def path(speeds, load, policy, rng, events, most):
    """The time average of the capacity loss along a path that begins empty, served event by event."""
    numbers, lost, elapsed = (0,) * len(speeds), 0.0, 0.0
    draws, waits, total = rng.random(events), rng.standard_exponential(events), float(np.sum(speeds))
    for u, wait in zip(draws, waits):
        rates = [load * total * (sum(numbers) < most), *(s * (n > 0) for s, n in zip(speeds, numbers))]
        length = wait / sum(rates)
        lost, elapsed = lost + loss(numbers, speeds) * length, elapsed + length
        event = bisect.bisect(list(itertools.accumulate(rates)), u * sum(rates))
        step = list(numbers)
        if event:
            step[event - 1] -= 1
        else:
            step[placed(policy, numbers, speeds)[0][0]] += 1
        numbers = tuple(step)
    return lost / elapsed


def all_numbers(processors, most=MOST):
    """All numbers of jobs on so many processors, up to `most` in all."""
    return [n for n in itertools.product(range(most + 1), repeat=processors) if sum(n) <= most]
