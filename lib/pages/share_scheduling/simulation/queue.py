"""Batch means of the number of jobs in an M/M/1 queue: their covariances exactly, and the queue itself simulated.

The mean service time is 1. Time is told in relaxation times, 1 / (1 - sqrt(load))^2: what the queue remembers fades
like e^-1 in each.
"""

import functools

import numpy as np
from scipy.linalg import eigh_tridiagonal, toeplitz


def relaxation(load):
    """The relaxation time of the queue, in mean service times."""
    return (1 - load**0.5) ** -2


@functools.cache
def spectrum(load):
    """Rates at which the covariance of the number of jobs fades, their weights, and those of a start from empty.

    The chain, cut where its tail is below 1e-13, is symmetric in the right coordinates: its eigenvectors do it.

    Returns
    -------
    rates, weights, from_empty : ndarray
        The covariance at distance t is the sum of weights e^(-rates t); the mean at time t of a queue that begins
        empty is the stationary one plus the sum of from_empty e^(-rates t).
    """
    jobs = np.arange(int(30 / (1 - load)) + 30)
    law = load**jobs / (load**jobs).sum()
    leaving = load * (jobs < jobs[-1]) + (jobs > 0)
    rates, vectors = eigh_tridiagonal(leaving, np.full(len(jobs) - 1, -(load**0.5)))
    parts = vectors.T @ (np.sqrt(law) * (jobs - law @ jobs))
    return rates[1:], parts[1:] ** 2, (parts * vectors[0] / np.sqrt(law[0]))[1:]


def covariances(load, length, batches):
    """The covariances of batch means at distances 0, ..., batches - 1; `length` in relaxation times."""
    rates, weights, _ = spectrum(load)
    x = rates * length * relaxation(load)
    same = (weights * 2 * (x + np.expm1(-x)) / x**2).sum()
    fading = weights * (np.expm1(-x) / x) ** 2
    return np.append(same, [(fading * np.exp(-x * (lag - 1))).sum() for lag in range(1, batches)])


def bias(load, transient, length):
    """The mean over a run of this length, begun empty and after a transient period, less the stationary mean."""
    rates, _, from_empty = spectrum(load)
    x = rates * length * relaxation(load)
    return float((from_empty * np.exp(-rates * transient * relaxation(load)) * -np.expm1(-x) / x).sum())


@functools.cache
def normal_batches(covariance, runs, seed=41):
    """Normal batch means with mean 0 and these covariances (a tuple), shape (batches, runs)."""
    root = np.linalg.cholesky(toeplitz(covariance))
    return root @ np.random.default_rng(seed).standard_normal((len(covariance), runs))


@functools.cache
def simulated(load, length, runs, batches=20, stationary=True):
    """Batch means of the queue, shape (batches, runs); `length` in relaxation times, or service times at load 1.

    The queue begins in the stationary law, or empty. At the events of the chain of arrivals and services, some of
    which find nobody, its number of jobs is a free walk less its lowest value below 0 so far.
    """
    span = length * (relaxation(load) if load < 1 else 1)
    rng = np.random.default_rng([round(1000 * load), round(1000 * span), batches, stationary])
    events = (1 + load) * span * batches
    count = int(events + 8 * np.sqrt(events) + 50)
    bounds, means = np.arange(batches + 1) * span, np.empty((runs, batches))
    for mean in means:
        first = rng.geometric(1 - load) - 1 if stationary else 0
        times = np.append(0.0, (rng.standard_exponential(count) / (1 + load)).cumsum())
        walk = first + np.where(rng.random(count, dtype=np.float32) < load / (1 + load), 1, -1).cumsum()
        jobs = np.append(first, walk - np.minimum.accumulate(np.minimum(walk, 0)))
        area = np.append(0.0, (jobs[:-1] * np.diff(times)).cumsum())
        piece = np.searchsorted(times, bounds, side="right") - 1
        mean[:] = np.diff(area[piece] + jobs[piece] * (bounds - times[piece])) / span
    return means.T
