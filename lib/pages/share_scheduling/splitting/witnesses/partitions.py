"""Random systems for the claims of `thesis`, Sections 4.5.1 to 4.5.3, and laws of numbers by convolution or chains."""

import functools
from typing import NamedTuple

import numpy as np

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
