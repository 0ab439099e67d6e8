"""Jobs sent by a pattern: all patterns of a length, how long jobs wait, and paths for sizes of any law."""

import itertools
from functools import cache

import numpy as np

from clustershare.splitting import pattern_allocation


def turned(pattern):
    """The first of all rotations of a pattern: where it begins does not matter."""
    return min(pattern[start:] + pattern[:start] for start in range(len(pattern)))


def patterns(period):
    """All patterns for two processors that use both.

    Parameters
    ----------
    period : int

    Returns
    -------
    list of tuple of int
    """
    return [pattern for pattern in itertools.product((0, 1), repeat=period) if 0 < sum(pattern) < period]


def different(period):
    """The patterns for two processors that use both and are no rotations of each other."""
    return sorted({turned(pattern) for pattern in patterns(period)})


def in_blocks(block, processors=2):
    """So many jobs for each processor in turn."""
    return tuple(np.repeat(np.arange(processors), block).tolist())


def sent_by(pattern):
    """The part of all jobs that each of two processors gets."""
    return np.bincount(pattern, minlength=2) / len(pattern)


@cache
def waits(pattern, load):
    """Mean waiting times at two processors that a pattern loads alike.

    Parameters
    ----------
    pattern : tuple of int
    load : float
        Of each processor, exponential sizes; one job arrives per unit time.

    Returns
    -------
    ndarray, shape (2,)
    """
    return pattern_allocation(pattern, 1.0, sent_by(pattern) / load).mean_waiting_time


def path_waits(pattern, arrival_rate, sizes, seed, *, jobs=100_000, replications=20, begin=0.1):
    """The mean wait of a job in each of several paths, first come, first served (Lindley's recursion).

    Parameters
    ----------
    pattern : sequence of int, or sequence of float
        The processor of each job of a period; or, if these are floats, the probability of each processor.
    arrival_rate : float
    sizes : sequence of clustershare.sizes.JobSize
        Of the service times at each processor.
    seed : int
    jobs, replications : int
        Of a path, and paths.
    begin : float
        The part of a path that is not counted.

    Returns
    -------
    ndarray, shape (replications,)
    """
    found = []
    for child in np.random.SeedSequence(seed).spawn(replications):
        rng = np.random.Generator(np.random.PCG64(child))
        arrivals = rng.exponential(1 / arrival_rate, jobs).cumsum()
        if isinstance(pattern[0], float):
            to = rng.choice(len(pattern), jobs, p=pattern)
        else:
            to = np.resize(np.asarray(pattern), jobs)
        total = counted = 0
        for processor, size in enumerate(sizes):
            own = np.flatnonzero(to == processor)
            if not len(own):
                continue
            service = size.sample(rng, len(own))
            # The wait is how far the sum of services less gaps is above its lowest value.
            steps = np.append(0.0, (service[:-1] - np.diff(arrivals[own])).cumsum())
            late = (steps - np.minimum.accumulate(steps))[own >= begin * jobs]
            total, counted = total + late.sum(), counted + len(late)
        found.append(total / counted)
    return np.array(found)
