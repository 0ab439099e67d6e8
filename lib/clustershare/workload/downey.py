"""The workload model of Downey: jobs whose logarithms, of run times and of numbers of servers, are uniform."""

from __future__ import annotations

import numpy as np

from clustershare.arguments import affordable, integer
from clustershare.run_length import check_run_length
from clustershare.workload.jobs import MOST_JOBS, MOST_SERVERS, Workload

INTERCEPT, SLOPE = -0.18, 0.10  # of the distribution function, against the logarithm of the run time in seconds
SHORTEST, LONGEST = -INTERCEPT / SLOPE, (1 - INTERCEPT) / SLOPE  # logarithms: six seconds, and a day and a half
MEAN_GAP = 365 * 86400 / 24906  # seconds: so many jobs came in the year 1995
PUBLISHED = 400  # servers of the machine


def downey(jobs: int, seed: int = 0, *, servers: int = PUBLISHED) -> Workload:
    """Jobs drawn from a published model of a parallel machine.

    Arrivals are Poisson. The logarithm of the run time is uniform, and so is that of the number of servers; neither
    tells of the other.

    Parameters
    ----------
    jobs : int
        How many, at least 1.
    seed : int
    servers : int
        Of the machine, at least 1.

    Returns
    -------
    Workload
        Of one group. Times in seconds. Estimates are the sizes: the model has none.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    The distribution function of run times of t seconds is -0.18 + 0.10 ln t: A. B. Downey, Predicting queue times on
    space-sharing parallel computers, in: Proceedings of the 11th International Parallel Processing Symposium, IEEE,
    1997, Figure 1, on 24,906 jobs of the year 1995 on the 400 nodes of the Paragon in San Diego. From this number is
    the rate. A job takes fewer than n servers with probability ln n / ln (servers + 1), which is how the Parallel
    Workloads Archive tells the law of A. B. Downey, A parallel workload model and its implications for processor
    allocation, Cluster Computing 1 (1998) 133-145. There the servers of a job may be chosen when it starts; here they
    are fixed, as one law has it, and what that model says of the two halves of a day is left out. As run times and
    servers are independent here, jobs at the published rate ask for more than the machine has: stretch the arrivals.

    Examples
    --------
    >>> jobs = downey(2000, seed=1)
    >>> jobs, int(jobs.servers.max()) <= 400, f"{np.median(jobs.sizes):.0f}"
    (Workload of 2000 jobs of 1 groups, True, '900')
    """
    affordable("jobs", jobs, MOST_JOBS)
    jobs = integer("jobs", jobs, 1)
    servers = integer("servers", servers, 1, MOST_SERVERS)
    (rng,) = check_run_length({"replications": 1, "seed": seed}).generators()
    arrivals = rng.exponential(MEAN_GAP, jobs).cumsum()
    needs = np.floor(np.exp(rng.random(jobs) * np.log(servers + 1))).astype(np.int64)
    sizes = np.exp(rng.uniform(SHORTEST, LONGEST, jobs))
    return Workload(arrivals, sizes, servers=np.minimum(needs, servers))
