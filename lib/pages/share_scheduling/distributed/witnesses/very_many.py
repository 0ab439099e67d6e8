"""JSQ on infinitely many processors that ask a fixed number of others: a fixed point, beyond `thesis`, Section 6.7.5.

Any few processors are then independent of each other, and messages take no time. A part s_k of the processors has k
jobs or more. Sizes are exponential with mean 1.
"""

import functools
from typing import NamedTuple

import numpy as np
from scipy.optimize import root

MOST = 40  # jobs at a processor


class Limit(NamedTuple):
    """What the fixed point says.

    Attributes
    ----------
    jobs : float
        Mean number at a processor.
    migrations : float
        For each job that arrives.
    """

    jobs: float
    migrations: float


def drift(s, load, limit, gap):
    """By how much the parts s_1, s_2, ... grow per unit of time; gap is infinite where nothing migrates."""
    fewer, more = np.append(1.0, s[:-1]), np.append(s[1:], 0.0)
    placed = load * (fewer ** (limit + 1) - s ** (limit + 1))  # the fewest of the own and the others asked
    departing = s - more  # those with just k jobs, one of which ends
    if np.isinf(gap):
        return placed - departing
    nobody = _nobody(s, limit, gap)
    # One with k jobs asks, and takes one from the fullest asked if that has k - 1 + gap or more.
    number = np.arange(len(s))
    lowest = number + 2 - gap  # of what is asked by those with 1, ..., lowest jobs, for a source of number + 1
    askers = np.where(lowest > 0, s[0] - np.append(s, 0.0)[np.clip(lowest, 0, len(s))], 0.0)
    source = askers * np.diff(np.append((1 - s) ** limit, 1.0))
    return placed - departing * nobody - source


def _nobody(s, limit, gap):
    """For k = 1, 2, ...: none of those asked has k - 1 + gap jobs or more."""
    return (1 - np.append(s, np.zeros(gap))[gap - 1 : gap - 1 + len(s)]) ** limit


@functools.cache
def shortest_queue(load, limit, gap=2):
    """The fixed point for JSQ.

    Parameters
    ----------
    load : float
        Of a processor, below 1.
    limit : int
        L^P, at least 1.
    gap : int or inf
        As for `clustershare.dispatch.simulate_distributed`; inf is without migration.

    Returns
    -------
    Limit

    Raises
    ------
    ArithmeticError
        If the fixed point is not found.

    Examples
    --------
    Without migration it is known as a sum of load^(1 + d + ... + d^(k-1)), with d the number of queues compared:

    >>> round(shortest_queue(0.8, 3, np.inf).jobs, 6), round(0.8 + 0.8**5 + 0.8**21, 6)
    (1.136903, 1.136903)
    """
    exponents = np.minimum(np.cumsum(float(limit + 1) ** np.arange(MOST)), 700)
    found = root(drift, load**exponents, args=(load, limit, gap), tol=1e-13)
    s = found.x
    if np.abs(drift(s, load, limit, gap)).max() > 1e-10 or (np.diff(s) > 1e-9).any() or s.min() < -1e-9:
        raise ArithmeticError(f"No fixed point found for load {load:g} and limit {limit}.")
    if np.isinf(gap):
        return Limit(float(s.sum()), 0.0)
    moved = (s - np.append(s[1:], 0.0)) @ (1 - _nobody(s, limit, gap))
    return Limit(float(s.sum()), float(moved) / load)


def waiting(load, limit, gap=2):
    """Delta^T, and Delta^G of two equal groups: jobs at a processor without one of their own, at most 1 - load."""
    return min(1.0, shortest_queue(load, limit, gap).jobs) - load


def messages(load, limit, gap=2, probe_time=1e-6, migration_time=1e-2):
    """What one processor more adds to the utilisation of the network.

    Probes, placements of those jobs that do not stay where they arrive (at most 1 for each), and migrations with their
    requests.

    Returns
    -------
    float
    """
    moved = shortest_queue(load, limit, gap).migrations
    probes = (1 if np.isinf(gap) else 2) * (1 + limit)
    return load * (probes * probe_time + probe_time + moved * (probe_time + migration_time))


def cheapest(load=0.8, most=60):
    """The limit, up to some, with which the messages of a processor are least.

    Examples
    --------
    >>> cheapest()
    30
    """
    return 1 + int(np.argmin([messages(load, limit) for limit in range(1, most + 1)]))
