"""The cluster that is never short of jobs, in closed form."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clustershare.arguments import fail, integer
from clustershare.cluster_chain.model import ServiceCluster

MOST_SERVERS = 10**7
NOTHING = 1e-290  # less is 0 here: arithmetic is slow below 1e-308
MOST_SUMS = 5 * 10**9  # a few seconds


def saturated_jobs(servers: int, job_sizes: Mapping[int, float]) -> float:
    """Mean number of jobs in service when there is always a next job and mapping takes no time.

    Served first come, first served, with equal service rates whatever the size. Let K be how many jobs of a sequence
    of independent sizes fit side by side; the mean number in service is 1 / E[1 / K]. It follows from the stability
    criterion of Rumyantsev and Morozov (2017), the source's [12]: a queue is stable up to the rate at which a
    saturated cluster serves.

    Parameters
    ----------
    servers : int
        Number of servers N. Takes time proportional to its square.
    job_sizes : dict
        Probability of each size, 1 ... N.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> saturated_jobs(8, {2: 1.0})
    4.0
    >>> from clustershare.cluster_chain import uniform_sizes
    >>> round(saturated_jobs(16, uniform_sizes(16)), 5)
    1.35081
    """
    servers = integer("servers", servers, 1, MOST_SERVERS)
    sizes = ServiceCluster(servers, 0, job_sizes, 1, 1, 1).job_sizes  # checks them
    most_jobs = servers // sizes[0][0]
    if most_jobs * len(sizes) * (servers + 1000) > MOST_SUMS:
        fail("servers", servers, f"so small that {len(sizes)} sizes, up to {most_jobs} jobs, take {MOST_SUMS:.0e} sums")
    sums = np.eye(1, servers + 1)[0]  # the law of the sum of k sizes, as far as they fit
    fits, inverse = 1.0, 0.0
    for jobs in range(most_jobs + 1):
        longer = np.zeros(servers + 1)
        for size, probability in sizes:
            longer[size:] += probability * sums[:-size]
        longer[longer < NOTHING] = 0
        sums = longer
        more = float(sums.sum())  # the probability that jobs + 1 fit
        if jobs:
            inverse += (fits - more) / jobs
        fits = more
    return 1 / inverse
