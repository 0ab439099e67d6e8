"""Systems for the claims of `thesis`, Section 4.4.2: equal processors, splits of a load, and very many processors."""

import functools
import itertools

import numpy as np

from clustershare.splitting import number_law

FARTHEST = 2000  # numbers of jobs beside the number of processors that are looked at: 0.98 to this power is nothing


def alike(processors):
    """The capacities of so many equal processors."""
    return np.full(processors, 1 / processors)


def splits(rng, number, capacities, *, stable=False, totals=None):
    """Random splits of random loads.

    Parameters
    ----------
    rng : numpy.random.Generator
    number : int
    capacities : ndarray, shape (processors,)
    stable : bool
        Whether every processor's load is below 1.
    totals : sequence of float, optional
        The loads to split, if not any between 0.05 and 0.95.

    Yields
    ------
    total : float
    loads : ndarray, shape (processors,)
        Relative to each processor's capacity.
    """
    for _ in range(number):
        total = rng.uniform(0.05, 0.95) if totals is None else rng.choice(totals)
        loads = total * rng.dirichlet(np.ones(len(capacities))) / capacities
        if stable and loads.max() >= 1:
            towards = rng.random() * (1 - total) / (loads.max() - total)
            loads = total + towards * (loads - total)
        yield total, loads


def states(loads, cap):
    """All states of the processors, with numbers of jobs of `cap` and more as one.

    Parameters
    ----------
    loads : sequence of float
        Below 1.
    cap : int

    Yields
    ------
    jobs : tuple of int
    probability : float
    """
    laws = [[(1 - load) * load**n for n in range(cap)] + [load**cap] for load in loads]
    for jobs in itertools.product(range(cap + 1), repeat=len(loads)):
        probability = 1
        for law, n in zip(laws, jobs):
            probability = probability * law[n]
        yield jobs, probability


def limit(loads, power=2):
    """The least capacity loss of ever more processors (4.86), shape of the loads; with another power, a wrong one."""
    loads = np.asarray(loads)
    return np.where(loads <= 0.5, loads**power / (1 - loads), 1 - loads)


def distance(processors, loads):
    """Logarithm of what the least loss of equal processors is below its limit, however little that is.

    With N jobs on P processors, E[min(N, P)] / P is below 1 by the mean of the idle processors, and below E[N] / P by
    that of the jobs without a processor of their own. From the law at a load of 1/2 that at a load rho follows by
    P[N = n] (2 (1 - rho))^P (2 rho)^n. So no digit is lost where the distance is far below 1e-300.

    Parameters
    ----------
    processors : int
    loads : ndarray, shape (points,)
        From 0.01 to 0.99, but none in (0.49, 0.5).

    Returns
    -------
    ndarray, shape (points,)
    """
    idle, waiting = _beside(processors)
    powers = _powers(tuple(loads))
    far = np.where(loads < 0.5, waiting @ powers, idle @ powers)
    return processors * np.log(4 * loads * (1 - loads)) + np.log(far)


@functools.lru_cache(maxsize=4)
def _powers(loads):
    """Of 2 rho or 1 / (2 rho), whichever is below 1: ndarray of shape (numbers, loads)."""
    ratios = np.minimum(2 * np.array(loads), 0.5 / np.array(loads))
    return ratios ** np.arange(1, FARTHEST + 1)[:, None]


@functools.cache
def _beside(processors):
    """k / P times the probabilities of P - k and of P + k jobs at a load of 1/2, for k = 1, 2, ..."""
    law = number_law(np.full(processors, 0.5), processors + FARTHEST + 1)
    steps = np.arange(1, FARTHEST + 1)
    idle = np.zeros(FARTHEST)
    known = min(processors, FARTHEST)
    idle[:known] = law[processors - known : processors][::-1]
    return steps / processors * idle, steps / processors * law[processors + 1 :]
