"""The sizes that jobs draw when they come to the tracker, by the simulator's own part, and those that it serves."""

import numpy as np

from clustershare.cluster_chain import ServiceCluster, simulate
from clustershare.compiled.choice import choose
from clustershare.compiled.jit import kernel
from clustershare.run_length import RunLength


@kernel
def _count(rng, probabilities, draws):
    counts = np.zeros(len(probabilities), dtype=np.int64)
    for _ in range(draws):
        counts[choose(rng.random(), probabilities)] += 1
    return counts


def drawn_sizes(job_sizes, draws=1_000_000, seed=1):
    """How often each size is drawn.

    Parameters
    ----------
    job_sizes : dict
        Probability of each size.
    draws : int
    seed : int

    Returns
    -------
    ndarray of int, shape (sizes,)
        In the order of the dictionary.

    Examples
    --------
    >>> drawn_sizes({1: 0.25, 2: 0.75}, draws=1000).tolist()
    [231, 769]
    """
    rng = RunLength(replications=1, seed=seed).generators()[0]
    return _count(rng, np.array(list(job_sizes.values())), draws)


def off_served(job_sizes, seed=1):
    """How far the parts of the sizes among some 2 x 10^5 jobs that a simulated cluster serves are from their law.

    By Little's law, from the jobs of each size that are there, on average, and the time that they stay.

    Parameters
    ----------
    job_sizes : dict
        Probability of each size.
    seed : int

    Returns
    -------
    float
        In standard errors, the farthest of those sizes of which at least five are expected.

    Examples
    --------
    >>> bool(off_served({1: 0.25, 2: 0.75}) < 4)
    True
    """
    cluster = ServiceCluster(max(job_sizes), 15, job_sizes, 1.0, 100.0, 10.0)
    found = simulate(cluster, jumps=75_000, warmup=1000, replications=8, seed=seed)
    part, jobs = cluster.size_probabilities, 8 * 75_000 / 3  # an arrival, a mapping and an end each
    seen = jobs * part >= 5
    served = found.mean_jobs.value[seen] / found.mean_response.value[seen]
    off = served / served.sum() * part[seen].sum() - part[seen]
    return float(np.max(np.abs(off) / np.sqrt(part * (1 - part) / jobs)[seen]))


def mean_and_deviation(job_sizes, counts):
    """Mean and standard deviation of drawn sizes, each with the half width of its 95 % interval.

    Parameters
    ----------
    job_sizes : dict
    counts : ndarray of int, shape (sizes,)

    Returns
    -------
    tuple of float
        Mean, its half width, deviation, its half width.

    Examples
    --------
    >>> [round(value, 3) for value in mean_and_deviation({1: 0.5, 3: 0.5}, np.array([2500, 7500]))]
    [2.5, 0.017, 0.866, 0.01]
    """
    sizes, total = np.array(list(job_sizes)), counts.sum()
    mean = counts @ sizes / total
    second, fourth = (counts @ np.abs(sizes - mean) ** power / total for power in (2, 4))
    deviation = second**0.5
    of_deviation = ((fourth - second**2) / (4 * second * total)) ** 0.5 if second > 0 else 0.0
    return float(mean), float(1.96 * (second / total) ** 0.5), float(deviation), float(1.96 * of_deviation)
