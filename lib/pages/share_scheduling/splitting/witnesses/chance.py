"""Jobs that are sent at random: random systems, their states one by one, and paths (`thesis`, Sections 4.3, 4.4.1)."""

import numpy as np


def systems(number, seed, *, most=6):
    """Random processors, and a load split over them such that none is overloaded.

    Parameters
    ----------
    number, seed : int
    most : int
        Of processors; there are two at least.

    Yields
    ------
    rng : numpy.random.Generator
    capacities, processor_loads : ndarray, shape (processors,)
        The capacities uniform on the simplex, in descending order.
    total : float
        The load of all, from 0.05 to 0.95.
    """
    rng = np.random.default_rng(seed)
    for _ in range(number):
        processors, total = rng.integers(2, most + 1), rng.uniform(0.05, 0.95)
        capacities = np.sort(rng.dirichlet(np.ones(processors)))[::-1].copy()
        loads = total * rng.dirichlet(np.ones(processors)) / capacities
        if loads.max() >= 1:  # towards equal loads, at least until none is
            loads = total + rng.random() * (1 - total) / (loads.max() - total) * (loads - total)
        yield rng, capacities, loads, total


def overloaded(number, seed):
    """As `systems`, with a load of 1 or more on some processor; of exactly 1 in every fifth.

    Yields
    ------
    capacities, processor_loads : ndarray, shape (processors,)
    total : float
    """
    rng, found = np.random.default_rng(seed), 0
    while found < number:
        processors, total = rng.integers(2, 7), rng.uniform(0.05, 0.95)
        capacities = np.sort(rng.dirichlet(np.ones(processors)))[::-1].copy()
        loads = total * rng.dirichlet(np.ones(processors)) / capacities
        if found % 5 == 0 and capacities[-1] < total:
            loads = np.full(processors, (total - capacities[-1]) / (1 - capacities[-1]))
            loads[-1] = 1.0
        if loads.max() >= 1:
            found += 1
            yield capacities, loads, total


def states(loads, many):
    """All states of independent queues, where `many` jobs and more on a processor are one.

    Parameters
    ----------
    loads : ndarray, shape (processors,)
        Below 1: the number on a processor is geometric.
    many : int

    Returns
    -------
    numbers : ndarray of int, shape (processors, states)
    probability : ndarray, shape (states,)
    """
    numbers = np.indices((many + 1,) * len(loads)).reshape(len(loads), -1)
    probability = np.ones(1)
    for load in loads:
        own = np.append((1 - load) * load ** np.arange(many), load**many)
        probability = np.multiply.outer(probability, own).ravel()
    return numbers, probability


def responses(rng, jobs, arrival_rate, mix, routing, mean_times):
    """Response times of jobs that are sent at random, first come, first served on each processor.

    Parameters
    ----------
    rng : numpy.random.Generator
    jobs : int
    arrival_rate : float
    mix : ndarray, shape (groups,)
        The parts of the arrivals.
    routing : ndarray, shape (groups, processors)
    mean_times : ndarray, shape (groups, processors)
        Mean service times; they are exponential.

    Returns
    -------
    group, place : ndarray of int, shape (jobs,)
    response : ndarray, shape (jobs,)
    """
    times = np.cumsum(rng.exponential(1 / arrival_rate, jobs))
    group = np.searchsorted(np.cumsum(mix)[:-1], rng.random(jobs), "right")
    place = (rng.random(jobs)[:, None] > np.cumsum(routing, axis=1)[group, :-1]).sum(axis=1)
    service = rng.exponential(mean_times[group, place])
    response = np.empty(jobs)
    for p in range(routing.shape[1]):
        here = place == p
        work = np.cumsum(service[here])
        # A job is done when all work since some arrival is, of whichever arrival that is latest.
        done = work + np.maximum.accumulate(times[here] - (work - service[here]))
        response[here] = done - times[here]
    return group, place, response


def busy_time(rng, load, until, batches):
    """The busy time of an M/M/1 queue, empty at first, in equal parts of a path. The mean service time is 1.

    Parameters
    ----------
    rng : numpy.random.Generator
    load : float
        It may be above 1.
    until : float
    batches : int

    Returns
    -------
    ndarray, shape (batches,)
        As a fraction of the time.
    """
    times = np.cumsum(rng.exponential(1 / load, int(1.1 * load * until) + 100))
    work = np.append(0.0, np.cumsum(rng.exponential(1.0, len(times))))
    # Idle until t: the longest by which any time before t was ahead of the work that had come.
    idle = np.append(0.0, np.maximum.accumulate(times - work[:-1]))
    ends = np.linspace(0, until, batches + 1)
    come = np.searchsorted(times, ends)
    total = np.maximum(idle[come], ends - work[come])
    return 1 - np.diff(total) * batches / until
