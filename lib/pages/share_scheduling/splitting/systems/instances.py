"""Random systems for the claims of `thesis`, Section 4.2, and the procedure of Figure 4.4 as it is printed."""

import itertools
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog


def rates_and_capacities(number, seed, *, tightness=None, most_jobs=8, most_processors=6):
    """Jobs that may be served at given rates, or may not: every third system has equal capacities.

    Parameters
    ----------
    number, seed : int
    tightness : callable, optional
        Takes the generator, returns the part of its bound that the tightest sum of (4.5) takes: 1 for every third
        system and a random part for the others, if not given.
    most_jobs, most_processors : int

    Yields
    ------
    rates, capacities : ndarray
    """
    rng = np.random.default_rng(seed)
    for k in range(number):
        jobs, processors = rng.integers(1, most_jobs + 1), rng.integers(1, most_processors + 1)
        capacities = np.sort(rng.random(processors) + 0.05)[::-1].copy()
        capacities = np.full(processors, 1 / processors) if k % 3 == 0 else capacities
        rates = rng.random(jobs) ** 2 + 0.01
        fastest = np.cumsum(capacities)[np.minimum(np.arange(jobs), processors - 1)]
        part = tightness(rng) if tightness else 1.0 if k % 3 == 1 else rng.random()
        yield rates * part / (np.cumsum(np.sort(rates)[::-1]) / fastest).max(), capacities


def rotating(number, seed, *, slack=1.0, fewest=1, most=6):
    """Systems of case 2: no job wants more than the slowest processor has.

    Parameters
    ----------
    number, seed : int
    slack : float
        The part of the slowest processor that the largest job may want; every second system takes all of it.
    fewest, most : int
        Of processors.

    Yields
    ------
    rates, capacities : ndarray
        The rates in descending order.
    """
    rng = np.random.default_rng(seed)
    for k in range(number):
        processors = rng.integers(fewest, most + 1)
        capacities = np.sort(rng.random(processors) + 0.3)[::-1].copy()
        capacities = np.full(processors, 1 / processors) if k % 3 == 0 else capacities
        jobs = rng.integers(max(2, processors), processors + 5)
        rates = np.sort(rng.random(jobs) + 0.05)[::-1].copy()
        rates *= slack * (1 if k % 2 else rng.random()) * capacities[-1] / rates[0]
        rates = np.minimum(rates, capacities[-1])  # above it by rounding, it would be another case
        yield rates * min(1.0, capacities.sum() / rates.sum()), capacities


def servable(rates, capacities):
    """Whether fractions of time exist that serve jobs at their rates: a linear programme, by HiGHS.

    Parameters
    ----------
    rates, capacities : ndarray

    Returns
    -------
    bool
    """
    jobs, processors = len(rates), len(capacities)
    within = np.vstack([np.kron(np.eye(jobs), np.ones(processors)), np.kron(np.ones(jobs), np.eye(processors))])
    served = np.kron(np.eye(jobs), capacities)
    return linprog(np.zeros(jobs * processors), within, np.ones(len(within)), served, rates).status == 0


class Population(NamedTuple):
    """Required shares and jobs of groups, and capacities that sum to 1."""

    shares: np.ndarray
    jobs: np.ndarray
    capacities: np.ndarray


def populations(number, seed, *, most_jobs=12, crowd=False):
    """Random groups on random processors.

    Parameters
    ----------
    number, seed : int
    most_jobs : int
        Of a group.
    crowd : bool
        Whether all groups but the first have more jobs than there are processors.

    Yields
    ------
    Population
    """
    rng = np.random.default_rng(seed)
    for _ in range(number):
        groups, processors = rng.integers(2, 6), rng.integers(1, 8)
        jobs = rng.integers(0, most_jobs + 1, groups)
        if crowd:
            jobs[1:] = 2 * processors
        capacities = np.sort(rng.dirichlet(np.ones(processors)))[::-1].copy()
        yield Population(rng.dirichlet(np.ones(groups)), jobs, capacities)


def paths(number, events, seed):
    """Random systems with arrivals and departures, for a policy that is told the numbers of jobs.

    Parameters
    ----------
    number, events, seed : int

    Yields
    ------
    rng : numpy.random.Generator
    population : Population
        Its jobs are those at the start: none.
    arrival_rates : ndarray, shape (groups,)
        With mean sizes 1.
    events : range
    """
    for child in np.random.SeedSequence(seed).spawn(number):
        rng = np.random.default_rng(child)
        groups, processors = rng.integers(2, 5), rng.integers(2, 7)
        capacities = np.sort(rng.dirichlet(np.ones(processors)))[::-1].copy()
        start = Population(rng.dirichlet(np.ones(groups)), np.zeros(groups, dtype=int), capacities)
        yield rng, start, rng.uniform(0.5, 0.95) * rng.dirichlet(np.ones(groups)), range(events)


def pairs(processors):
    """All pairs of processors, the earlier one first."""
    return itertools.combinations(range(processors), 2)
