"""Do 95 % intervals hold what they should in 95 of 100 cases? Many short studies of systems whose mean is known."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.estimates import from_batches

SEED = 20  # entropy of the examination


def workload_batches(load, length, batches, rng, *, stationary=True):
    """Batch means (`thesis` (A.16)) of the work in an M/M/1 queue with mean service time 1, exact to rounding.

    Parameters
    ----------
    load : float
        Below 1. The stationary mean work is load / (1 - load).
    length : float
        Of a batch.
    batches : int
    rng : numpy.random.Generator
    stationary : bool
        Whether the run begins in the stationary law, so that nothing need be discarded; otherwise it begins empty.

    Returns
    -------
    ndarray, shape (batches,)
    """
    end = length * batches
    count = int(load * end + 8 * np.sqrt(load * end) + 50)
    work = rng.standard_exponential() / (1 - load) if stationary and rng.random() < load else 0.0
    arrivals = np.cumsum(rng.standard_exponential(count) / load)
    sizes = rng.standard_exponential(count)
    # Lindley's recursion at once: the free process of the work, less its lowest value below 0 so far.
    free = work + np.append(0.0, np.cumsum(sizes)[:-1]) - arrivals
    after = free - np.minimum.accumulate(np.minimum(free, 0)) + sizes
    starts, work = np.append(0.0, arrivals), np.append(work, after)
    areas = np.append(0.0, np.cumsum(_area(work[:-1], np.diff(starts))))
    bounds = np.arange(batches + 1) * length
    piece = np.searchsorted(starts, bounds, side="right") - 1
    return np.diff(areas[piece] + _area(work[piece], bounds - starts[piece])) / length


def _area(work, time):
    """The integral of the work over a time without arrivals."""
    return (work**2 - np.maximum(work - time, 0) ** 2) / 2


@functools.cache
def batch_runs(load, length, batches=20, runs=1000, stationary=True):
    """Batch means of independent runs, shape (batches, runs)."""
    key = (round(1000 * load), round(1000 * length), batches)
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=key))
    return np.array([workload_batches(load, length, batches, rng, stationary=stationary) for _ in range(runs)]).T


def batch_coverage(load, length, lags=0, batches=20, runs=1000, *, shrink=1.0):
    """The fraction of runs whose interval from batch means holds the exact mean.

    Parameters
    ----------
    load, length, batches
        As for `workload_batches`.
    lags : int
        Covariances that the interval counts.
    runs : int
    shrink : float
        The half width is divided by this; the root of `batches` gives `thesis` (A.22) as printed.

    Returns
    -------
    float
    """
    samples = batch_runs(load, length, batches, runs)
    estimate = from_batches(samples, lags)
    return float((np.abs(estimate.value - load / (1 - load)) <= estimate.half_width / shrink).mean())


@functools.cache
def replication_coverage(policy, load, studies=100, jumps=20_000, warmup=10_000, replications=5):
    """The fraction of simulated studies of one processor whose interval holds the exact group-share deviation.

    Two groups with equal required shares; the first brings a quarter of the load.

    Parameters
    ----------
    policy : str
        One that `clustershare.uniprocessor.exact` answers for.
    load : float
    studies : int
    jumps, warmup, replications : int
        Of each study.

    Returns
    -------
    float
        Over studies and groups.
    """
    system = {"required_shares": (0.5, 0.5), "arrival_rates": (load / 4, 3 * load / 4)}
    exact = uniprocessor.exact(policy, **system).group_share_deviation
    key = (uniprocessor.POLICIES.index(policy), round(1000 * load))
    held = [
        uniprocessor.simulate(
            policy, **system, jumps=jumps, warmup=warmup, replications=replications, seed=seed
        ).group_share_deviation.contains(exact)
        for seed in np.random.SeedSequence(SEED, spawn_key=key).spawn(studies)
    ]
    return float(np.mean(held))
