"""Random systems for the claims of `thesis`, Sections 4.5.1 to 4.5.3, and laws of numbers by convolution or chains."""

import functools
import math
from typing import NamedTuple

import numpy as np
from scipy.stats import nbinom

from clustershare import markov
from clustershare.shares import feasible_group_share
from clustershare.uniprocessor import chain


class Groups(NamedTuple):
    """Required shares and group loads rho_{g*}, capacities, and whether each r_g P is whole."""

    shares: np.ndarray
    loads: np.ndarray
    speeds: np.ndarray
    whole: bool


@functools.cache
def groups(number, seed, *, least=1, most=12):
    """Systems with processors of any capacities; in every second one, if it has enough of them, r_g P is whole.

    Parameters
    ----------
    number, seed : int
    least, most : int
        Processors.

    Returns
    -------
    tuple of Groups
    """
    rng, found = np.random.default_rng(seed), []
    for k in range(number):
        P, G = int(rng.integers(least, most + 1)), int(rng.integers(2, 5))
        whole = k % 2 == 1 and P >= G
        shares = subsets(rng, P, G) / P if whole else rng.dirichlet(np.full(G, 2.0))
        loads = rng.uniform(0.05, 0.95) * rng.dirichlet(np.ones(G))
        found.append(Groups(shares, loads, np.sort(rng.dirichlet(np.full(P, 3.0)))[::-1].copy(), whole))
    return tuple(found)


def subsets(rng, processors, groups):
    """How many processors each group has under VPRS: at least one, all together; shape (groups,)."""
    cuts = np.sort(rng.choice(np.arange(1, processors), groups - 1, replace=False))
    return np.diff(np.concatenate([[0], cuts, [processors]]))


def partitions(number, seed, *, most=12, overloaded=False):
    """Systems of equal processors for VPRS: the subsets' sizes and the group loads.

    Parameters
    ----------
    number, seed : int
    most : int
        Processors.
    overloaded : bool
        Whether one subset has a load above 1, or none.

    Yields
    ------
    sizes : ndarray of int, shape (groups,)
    loads : ndarray, shape (groups,)
        rho_{g*}; their sum is below 1.
    """
    rng = np.random.default_rng(seed)
    for _ in range(number):
        G = int(rng.integers(2, 5))
        P = int(rng.integers(G, most + 1))
        sizes = subsets(rng, P, G)
        loads = sizes / P * rng.uniform(0.05, 0.95, G)
        if overloaded:
            room = 1 - sizes[0] / P  # what the others require
            excess = rng.uniform(0.05, 0.6) * room
            loads[0] = sizes[0] / P + excess
            loads[1:] *= rng.uniform(0.1, 0.9) * (room - excess) / loads[1:].sum()
        yield sizes, loads


def sum_of_geometric(ratios, length):
    """The law of a sum of independent geometric numbers, convolved one by one.

    Parameters
    ----------
    ratios : sequence of float
    length : int

    Returns
    -------
    ndarray, shape (length,)
    """
    law, n = np.eye(1, length)[0], np.arange(length)
    for ratio in ratios:
        law = np.convolve(law, (1 - ratio) * ratio**n)[:length]
    return law


def mean_feasible(share, law, processors):
    """E[f_g] of (2.26) from the law of a group's number as far as r_g P at least; more jobs claim no more."""
    return feasible_group_share(share, np.arange(len(law)), processors) @ law + share * (1 - law.sum())


@functools.cache
def states(most, queues):
    """All numbers of jobs on some queues with at most so many together: ndarray of int, shape (queues, states)."""
    return chain.simplex(most, queues)


def cut_chain(level, arrivals, departures, guess=None):
    """The law of numbers of jobs, arrivals being lost while there are `level` of them together.

    Parameters
    ----------
    level : int
    arrivals : ndarray, shape (queues,)
        Rates; a queue is a group, or a group on one processor.
    departures : callable
        The rates of departure in each state, shape (queues, states), from the numbers of jobs.
    guess : callable, optional
        A law like the one sought, from the numbers of jobs: for more than two queues, where elimination fills in.

    Returns
    -------
    numbers : ndarray of int, shape (queues, states)
    probability : ndarray, shape (states,)
    """
    numbers = states(level, len(arrivals))
    out, full = departures(numbers), numbers.sum(axis=0) == level
    rows, columns, rates = [], [], []
    for queue, unit in enumerate(np.eye(len(arrivals), dtype=int)[:, :, None]):
        for source, step, rate in (
            (np.flatnonzero(~full), unit, np.full(full.shape, arrivals[queue])),
            (np.flatnonzero(numbers[queue]), -unit, out[queue]),
        ):
            rows.append(source)
            columns.append(chain.rank(level, numbers[:, source] + step))
            rates.append(rate[source])
    Q = markov.generator(len(full), np.concatenate(rows), np.concatenate(columns), np.concatenate(rates))
    return numbers, markov.stationary(Q) if guess is None else markov.iterate(Q, guess(numbers))


def deviations_of_routing(required, split):
    """The group-share deviations of any routing over equal processors, from numbers that are convolved one by one.

    Parameters
    ----------
    required : sequence of float
    split : ndarray, shape (groups, processors)
        rho_gp. Where a processor is overloaded, means are equal.

    Returns
    -------
    ndarray, shape (groups,)
    """
    (P, totals), found = (split.shape[1], split.sum(axis=0)), []
    for share, own in zip(required, split):
        used = own > 0
        obtained = (own / np.maximum(totals, 1)).sum() / P
        flooded = (totals[used] >= 1).any()
        law = np.zeros(1) if flooded else sum_of_geometric((own / (1 - totals + own))[used], P + 1)
        found.append(((share if flooded else mean_feasible(share, law, P)) - obtained) / share)
    return np.array(found)


def loss_by_law(processors, load):
    """The capacity loss of equal processors at equal loads (4.81), by scipy's law of the number of jobs."""
    jobs = np.arange(processors)
    return 1 - load - (1 - jobs / processors) @ nbinom.pmf(jobs, processors, 1 - load)


def deviations(policy, share, loads, processors):
    """The group-share deviations of two groups on equal processors, by scipy's laws of numbers, or from a chain.

    Parameters
    ----------
    policy, share, loads, processors
        As for `pages.share_scheduling.splitting.points.cases.delivered`.

    Returns
    -------
    ndarray, shape (2,)

    Examples
    --------
    >>> [deviations(policy, 0.5, (0.3, 0.3), 2).round(4)[0] for policy in ("HPRS/PS", "HPRS/GPPS", "VPRS")]
    [np.float64(0.0735), np.float64(0.0554), np.float64(0.0)]
    """
    shares, own, found = np.array([share, 1 - share]), np.array(loads), np.zeros(2)
    for g, promised in enumerate(shares * processors):
        jobs = np.arange(math.ceil(promised - 1e-9))
        if policy == "HPRS/GPPS":
            law, one = np.ones(1), _under_gpps(share, loads)[g]
            for _ in range(processors):
                law = np.convolve(law, one)[: len(jobs)]
            law = np.append(law, np.zeros(len(jobs) - len(law)))
        else:
            apart = policy == "VPRS"
            ratio = own[g] / shares[g] if apart else own[g] / (1 - own[1 - g])
            if ratio >= 1:
                continue  # a subset that is overloaded, whose group lacks nothing
            law = nbinom.pmf(jobs, round(promised) if apart else processors, 1 - ratio)
        found[g] = 1 - (1 - jobs / promised) @ law - own[g] / shares[g]
    return found


@functools.cache
def _under_gpps(share, loads):
    """The law of each group's number on one processor under GPPS, from a chain that loses one job in 10^9."""
    shares = np.array([[share], [1 - share]])

    def departures(numbers):
        there = shares * (numbers > 0)
        return there / np.maximum(there.sum(axis=0), shares.min())

    level = math.ceil(math.log(1e-9) / math.log(sum(loads)))
    numbers, probability = cut_chain(level, np.array(loads), departures)
    return [np.bincount(own, weights=probability) for own in numbers]
