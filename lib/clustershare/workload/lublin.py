"""The workload model of Lublin and Feitelson: rigid parallel jobs as three machines of the 1990s had them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from clustershare.arguments import affordable, integer
from clustershare.run_length import check_run_length
from clustershare.workload.jobs import MOST_JOBS, MOST_SERVERS, Workload

BUCKETS, SECONDS = 48, 1800.0  # half hours of a day
FIRST_BUCKET = 11  # where the gamma law of the daily cycle begins, counted from 1
LONGEST, LONGEST_GAP = 12.0, 13.0  # logarithms of seconds: about two days, and five
PUBLISHED, FEWEST = 128, 32  # servers of the machine


@dataclass(frozen=True)
class _Kind:
    """Parameters of a kind of jobs, named as in the authors' program."""

    serial: float  # probability of one server
    power_of_2: float
    low: float  # logarithms of numbers of servers: a mixture of two uniform laws, the first of probability `first`
    middle: float
    high: float
    first: float
    gammas: tuple[tuple[float, float], tuple[float, float]]  # shape and scale, of the logarithm of the run time
    slope: float  # the first of them has probability slope * servers + intercept
    intercept: float
    gap: tuple[float, float]  # shape and scale, of the logarithm of the time between arrivals
    cycle: tuple[float, float]  # shape and scale, over the half hours of the day


INTERACTIVE = _Kind(
    0.1541, 0.625, 1.0, 3.0, 5.5, 0.705, ((3.8351, 0.6605), (7.073, 0.6856)), -0.0118, 0.9156,
    (6.5510 * 0.9797, 0.6621), (8.9186, 3.6680),
)  # fmt: skip
BATCH = _Kind(
    0.2927, 0.6686, 1.2, 5.0, 7.0, 0.875, ((6.57, 0.823), (639.1, 0.0156)), -0.003, 0.6986,
    (6.0415 * 1.0519, 0.8531), (6.1271, 5.2740),
)  # fmt: skip
NAMES = ("interactive", "batch")


def lublin_feitelson(jobs: int, seed: int = 0, *, servers: int = PUBLISHED) -> Workload:
    """Jobs drawn from a published model of parallel workloads.

    Interactive and batch jobs, the groups of the workload, arrive independently of one another. The logarithm of the
    time between arrivals is gamma distributed, and the clock of arrivals runs as fast as the daily cycle says, gamma
    shaped too. A job is serial, or the logarithm of its servers is drawn from two uniform laws and mostly rounded to a
    power of two. The logarithm of the run time is drawn from a mixture of two gamma laws, and the more servers, the
    more often from the longer.

    Parameters
    ----------
    jobs : int
        How many, at least 1.
    seed : int
    servers : int
        Of the machine, at least 32. The published parameters are those of 128; for another machine the upper parts of
        the law of servers are shifted by the logarithm, as the authors advise.

    Returns
    -------
    Workload
        Times in seconds, from the midnight before the first arrival. Unlike in the authors' program they are not
        rounded. Estimates are the sizes: the model has none.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    U. Lublin and D. G. Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs,
    Journal of Parallel and Distributed Computing 63 (2003) 1105-1122, with the parameters of their program for both
    kinds of jobs.

    Examples
    --------
    >>> jobs = lublin_feitelson(2000, seed=1)
    >>> jobs, jobs.names, int(jobs.servers.max()) <= 128
    (Workload of 2000 jobs of 2 groups, ('interactive', 'batch'), True)
    """
    affordable("jobs", jobs, MOST_JOBS)
    jobs = integer("jobs", jobs, 1)
    servers = integer("servers", servers, FEWEST, MOST_SERVERS)
    (rng,) = check_run_length({"replications": 1, "seed": seed}).generators()
    kinds = INTERACTIVE, BATCH
    arrivals = np.concatenate([arrival_times(kind, _below(rng, [kind.gap], LONGEST_GAP, jobs)) for kind in kinds])
    first = np.argsort(arrivals, kind="stable")[:jobs]
    groups = first // jobs
    needs, sizes = np.zeros(jobs, np.int64), np.zeros(jobs)
    for group, kind in enumerate(kinds):
        own = np.flatnonzero(groups == group)
        needs[own] = numbers_of_servers(rng, kind, servers, len(own))
        chance = np.clip(kind.slope * needs[own] + kind.intercept, 0, 1)
        sizes[own] = np.exp(_below(rng, kind.gammas, LONGEST, len(own), chance))
    return Workload(arrivals[first], sizes, groups, needs, NAMES)


def daily_cycle(kind):
    """The rate of arrivals in each half hour of a day, from midnight on, relative to the mean."""
    ends = np.arange(FIRST_BUCKET, FIRST_BUCKET + BUCKETS + 1) - 0.5
    shape, scale = kind.cycle
    weights = np.diff(stats.gamma.cdf(ends, shape, scale=scale))
    return np.roll(weights, FIRST_BUCKET - 1) / weights.mean()


def arrival_times(kind, logarithms):
    """Arrival times, of the logarithms of what passes between arrivals on a clock that runs with the daily cycle."""
    passed = np.concatenate([[0.0], daily_cycle(kind).cumsum()])
    clock = (np.exp(logarithms) / SECONDS).cumsum()
    days = np.floor(clock / passed[-1])
    return (days * BUCKETS + np.interp(clock - days * passed[-1], passed, np.arange(BUCKETS + 1))) * SECONDS


def _below(rng, gammas, most, count, chance=None):
    """Draws from a gamma law, or from the first of two by chance, each again until it is at most so large."""
    drawn, left = np.zeros(count), np.arange(count)
    while len(left):
        which = np.zeros(len(left), int) if chance is None else (rng.random(len(left)) > chance[left]).astype(int)
        shapes, scales = np.array(gammas)[which].T
        drawn[left] = rng.standard_gamma(shapes) * scales
        left = left[drawn[left] > most]
    return drawn


def numbers_of_servers(rng, kind, servers, count):
    """Numbers of servers of so many jobs: one, or two uniform laws of their logarithm, mostly rounded."""
    more = np.log2(servers / PUBLISHED)
    low, middle, high = kind.low, max(kind.low, kind.middle + more), kind.high + more
    sort = rng.random(count)
    first = rng.random(count) <= kind.first
    place = rng.random(count)
    logarithm = np.where(first, low + place * (middle - low), middle + place * (high - middle))
    rounded = np.where(sort <= kind.serial + kind.power_of_2, np.floor(logarithm + 0.5), logarithm)
    needs = np.floor(2**rounded + 0.5).astype(np.int64)
    return np.where(sort <= kind.serial, 1, np.minimum(needs, servers))
