"""The cluster that is never short of jobs, in closed form."""

import math

import numpy as np

from clustershare.arguments import integer
from clustershare.cluster_chain.model import ServiceCluster

MOST_SERVERS = 10**7


def saturated_jobs(servers, job_sizes):
    """Mean number of jobs in service when there is always a next job and mapping takes no time.

    Served first come, first served, with equal service rates whatever the size. Let K be how many jobs of a sequence
    of independent sizes fit side by side; the mean number in service is 1 / E[1 / K]. It follows from the stability
    criterion of Rumyantsev and Morozov (2017), the source's [12]: a queue is stable up to the rate at which a
    saturated cluster serves.

    Parameters
    ----------
    servers : int
        Number of servers N.
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
    sums, step = np.zeros(servers + 1), np.zeros(servers + 1)  # of k sizes, as far as they fit
    sums[0] = 1.0
    for size, probability in sizes:
        step[size] = probability
    fits, inverse = 1.0, 0.0
    for jobs in range(servers + 1):
        sums = np.convolve(sums, step)[: servers + 1]
        more = math.fsum(sums)  # the probability that jobs + 1 fit
        if jobs:
            inverse += (fits - more) / jobs
        fits = more
    return 1 / inverse
