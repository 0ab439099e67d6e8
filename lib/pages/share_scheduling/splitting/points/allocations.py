"""Jobs sent by a pattern: all patterns of a length, how long jobs wait, and paths for sizes of any law."""

import itertools
from functools import cache

import numpy as np
import pandas as pd

from clustershare.estimates import Estimate, from_replications
from clustershare.sizes import Deterministic, Exponential, Hyperexponential, Pareto
from clustershare.splitting import pattern_allocation
from clustershare.splitting.response import parallel_response_time, shortest_waits

MEAN = 1.2  # service time where laws of sizes are compared
LAWS = {
    "constant": Deterministic(MEAN),
    "exponential": Exponential(MEAN),
    "bursty": Hyperexponential((5 * MEAN, MEAN / 5), (1 / 6, 5 / 6)),
    "Pareto": Pareto(MEAN, 3.0),
}


def turned(pattern):
    """The first of all rotations of a pattern: where it begins does not matter."""
    return min(pattern[start:] + pattern[:start] for start in range(len(pattern)))


def patterns(period):
    """All patterns for two processors that use both.

    Parameters
    ----------
    period : int

    Returns
    -------
    list of tuple of int
    """
    return [pattern for pattern in itertools.product((0, 1), repeat=period) if 0 < sum(pattern) < period]


def different(period):
    """The patterns for two processors that use both and are no rotations of each other."""
    return sorted({turned(pattern) for pattern in patterns(period)})


def in_blocks(block, processors=2):
    """So many jobs for each processor in turn."""
    return tuple(np.repeat(np.arange(processors), block).tolist())


def sent_by(pattern):
    """The part of all jobs that each of two processors gets."""
    return np.bincount(pattern, minlength=2) / len(pattern)


@cache
def waits(pattern, load):
    """Mean waiting times at two processors that a pattern loads alike.

    Parameters
    ----------
    pattern : tuple of int
    load : float
        Of each processor, exponential sizes; one job arrives per unit time.

    Returns
    -------
    ndarray, shape (2,)
    """
    return pattern_allocation(pattern, 1.0, sent_by(pattern) / load).mean_waiting_time


def path_waits(pattern, arrival_rate, sizes, seed, *, jobs=100_000, replications=20, begin=0.1):
    """The mean wait of a job in each of several paths, first come, first served (Lindley's recursion).

    Parameters
    ----------
    pattern : sequence of int, or sequence of float
        The processor of each job of a period; or, if these are floats, the probability of each processor.
    arrival_rate : float
    sizes : sequence of clustershare.sizes.JobSize
        Of the service times at each processor.
    seed : int
    jobs, replications : int
        Of a path, and paths.
    begin : float
        The part of a path that is not counted.

    Returns
    -------
    ndarray, shape (replications,)
    """
    found = []
    for child in np.random.SeedSequence(seed).spawn(replications):
        rng = np.random.Generator(np.random.PCG64(child))
        arrivals = rng.exponential(1 / arrival_rate, jobs).cumsum()
        if isinstance(pattern[0], float):
            to = rng.choice(len(pattern), jobs, p=pattern)
        else:
            to = np.resize(np.asarray(pattern), jobs)
        total = counted = 0
        for processor, size in enumerate(sizes):
            own = np.flatnonzero(to == processor)
            if not len(own):
                continue
            service = size.sample(rng, len(own))
            # The wait is how far the sum of services less gaps is above its lowest value.
            steps = np.append(0.0, (service[:-1] - np.diff(arrivals[own])).cumsum())
            late = (steps - np.minimum.accumulate(steps))[own >= begin * jobs]
            total, counted = total + late.sum(), counted + len(late)
        found.append(total / counted)
    return np.array(found)


def regular(period, second):
    """The pattern that spreads the jobs of processor 1 (counted from 0) most evenly, as a billiard ball would.

    Parameters
    ----------
    period, second : int
        Jobs of a period, and of those the ones for processor 1.

    Returns
    -------
    tuple of int
        Turned as by `turned`.

    Examples
    --------
    >>> regular(8, 3)
    (0, 0, 1, 0, 0, 1, 0, 1)
    """
    return turned(tuple((k + 1) * second // period - k * second // period for k in range(period)))


def best_of_period(period, arrival_rate, service_rates):
    """The pattern of a period with the shortest mean wait of all jobs, exponential sizes.

    Parameters
    ----------
    period : int
    arrival_rate : float
    service_rates : sequence of float
        Of two processors.

    Returns
    -------
    pattern : tuple of int
        None where every pattern overloads a processor.
    wait : float
    """
    best, least = None, np.inf
    for pattern in different(period):
        if (sent_by(pattern) * arrival_rate < service_rates).all():
            wait = pattern_allocation(pattern, arrival_rate, service_rates).overall_waiting_time
            if wait < least * (1 - 1e-12):  # of equally good ones the first
                best, least = pattern, wait
    return best, least


def best_lists(periods, arrival_rate, service_rates):
    """The best pattern of each period, as a table.

    Parameters
    ----------
    periods : sequence of int
    arrival_rate, service_rates
        As for `best_of_period`.

    Returns
    -------
    pandas.DataFrame
        The pattern, counted from 1; the part of the jobs that the second processor has; the mean wait; and whether the
        pattern is the most regular one with that part.
    """
    rows = []
    for period in periods:
        pattern, wait = best_of_period(period, arrival_rate, service_rates)
        name = "".join(str(processor + 1) for processor in pattern)
        even = pattern == regular(period, sum(pattern))
        rows.append((period, name, sum(pattern) / period, wait, "yes" if even else "no"))
    names = ["period", "best list", "part of the second", "wait", "most even"]
    return pd.DataFrame(rows, columns=names).set_index("period")


def list_gains(loads, service_rates, longest=9):
    """The mean wait under the best list of all, over that with the best probabilities; exponential sizes.

    Parameters
    ----------
    loads : sequence of float
        Total loads.
    service_rates : sequence of float
        Of two processors.
    longest : int
        Period that is tried.

    Returns
    -------
    dict of float to float
        By load.
    """
    rates, found = np.array(service_rates), {}
    for load in loads:
        arrivals = load * rates.sum()
        best = min(best_of_period(period, arrivals, rates)[1] for period in range(2, longest + 1))
        found[load] = best / shortest_waits(arrivals, 1 / rates, 2 / rates**2).objective
    return found


def along_paths(ways, arrival_rate, seed, **length):
    """Mean waits at two equal processors along paths, for several laws of sizes.

    Parameters
    ----------
    ways : dict
        Name: a pattern, or probabilities, as for `path_waits`.
    arrival_rate : float
    seed : int
    **length
        As for `path_waits`.

    Returns
    -------
    pandas.DataFrame
        Of `clustershare.estimates.Estimate`, a row for each law, with a last column for chance by the formula.
    """
    rows = {}
    for law, size in LAWS.items():
        rows[law] = {
            way: from_replications(path_waits(to, arrival_rate, [size] * 2, seed, **length)) for way, to in ways.items()
        }
        halves = [arrival_rate / 2] * 2, [1 / size.mean] * 2, [size.variance] * 2
        rows[law]["chance, exact"] = Estimate(parallel_response_time(*halves) - size.mean, 0.0)
    return pd.DataFrame(rows).T
