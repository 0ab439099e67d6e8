"""The workload model of Li, Groep and Wolters: jobs of a research cluster of five, short, parallel and in bursts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustershare.arguments import affordable, integer
from clustershare.run_length import check_run_length
from clustershare.workload.jobs import MOST_JOBS, MOST_SERVERS, Workload
from clustershare.workload.lublin import FEWEST, PUBLISHED, numbers_of_servers


@dataclass(frozen=True)
class _Law:
    """Parameters, those of the servers named as in `clustershare.workload.lublin`."""

    serial: float = 0.024
    power_of_2: float = 0.78
    low: float = 0.8
    middle: float = 4.5
    high: float = 7.0
    first: float = 0.9
    gap_scale: float = 23.375  # seconds, of a Weibull law
    gap_shape: float = 0.522
    location: float = 4.4  # mean and standard deviation of the logarithm of the run time
    spread: float = 1.7
    longest: float = 162754.0  # seconds


LAW = _Law()


def li_groep_wolters(jobs: int, seed: int = 0, *, servers: int = PUBLISHED) -> Workload:
    """Jobs drawn from a published model of the research cluster DAS-2.

    The times between arrivals are Weibull distributed, with many short ones, as in the hours in which most jobs come.
    Nearly all jobs are parallel; the logarithm of their servers is drawn from two uniform laws and mostly rounded to a
    power of two. Run times are lognormal, whatever the servers.

    Parameters
    ----------
    jobs : int
        How many, at least 1.
    seed : int
    servers : int
        Of the machine, at least 32. The parameters are those of 128; for another machine the upper parts of the law of
        servers are shifted by the logarithm, as for `lublin_feitelson`.

    Returns
    -------
    Workload
        Of one group. Times in seconds. The first job arrives after the first of the times between arrivals. Estimates
        are the sizes: the model has none.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    H. Li, D. Groep and L. Wolters, Workload characteristics of a multi-cluster supercomputer, in: Job Scheduling
    Strategies for Parallel Processing, LNCS 3277, Springer, 2005, 176-193, with the parameters that the class
    WorkloadDAS2 of GridSim 5 has of it: those of hours of many arrivals, without a daily cycle. As there, run times of
    more than 162,754 seconds are drawn again. Unlike there, times between arrivals are not rounded to whole seconds.

    Examples
    --------
    >>> jobs = li_groep_wolters(2000, seed=1)
    >>> jobs, int(jobs.servers.max()) <= 128
    (Workload of 2000 jobs of 1 groups, True)
    """
    affordable("jobs", jobs, MOST_JOBS)
    jobs = integer("jobs", jobs, 1)
    servers = integer("servers", servers, FEWEST, MOST_SERVERS)
    (rng,) = check_run_length({"replications": 1, "seed": seed}).generators()
    arrivals = (LAW.gap_scale * rng.weibull(LAW.gap_shape, jobs)).cumsum()
    needs = numbers_of_servers(rng, LAW, servers, jobs)
    sizes, left = np.zeros(jobs), np.arange(jobs)
    while len(left):
        sizes[left] = rng.lognormal(LAW.location, LAW.spread, len(left))
        left = left[sizes[left] > LAW.longest]
    return Workload(arrivals, sizes, servers=needs)
