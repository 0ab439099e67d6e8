"""Queues whose sizes are a few phases, as chains: first come, first served, or processor sharing."""

import numpy as np

from clustershare import markov

MOST = 1e-11  # of the time a chain is where it is cut


def mean_jobs(discipline, arrival_rate, sizes, decay):
    """The mean number of jobs of a queue with Poisson arrivals.

    Parameters
    ----------
    discipline : str
        "FCFS", "LCFS" (without interruptions) or "PS". Under LCFS the number of jobs and the phase of the one in
        service are the chain of FCFS: those who wait have not been begun, and are alike.
    arrival_rate : float
    sizes : clustershare.sizes.JobSize
        A mixture of sums of phases.
    decay : float
        By how much the law of the number falls from one number to the next, at least.

    Returns
    -------
    float
    """
    counts, means, weights = sizes.erlang_mixture()
    rates = np.repeat(1 / means, counts)  # of all phases, one component after the other
    first = np.cumsum(counts) - counts
    last = set(np.cumsum(counts) - 1)
    most = int(np.ceil(np.log(MOST) / np.log(decay)))
    begin = [(int(phase), weight) for phase, weight in zip(first, weights)]

    def sharing(state):
        jobs = sum(state)
        if jobs < most:
            for phase, weight in begin:
                yield _changed(state, None, phase), arrival_rate * weight
        for phase, here in enumerate(state):
            if here:
                onward = None if phase in last else phase + 1
                yield _changed(state, phase, onward), rates[phase] * here / jobs

    def waiting(state):
        jobs, phase = state
        if jobs == 0:
            for new, weight in begin:
                yield (1, new), arrival_rate * weight
            return
        if jobs < most:
            yield (jobs + 1, phase), arrival_rate
        if phase not in last:
            yield (jobs, phase + 1), rates[phase]
        elif jobs == 1:
            yield (0, 0), rates[phase]
        else:
            for new, weight in begin:
                yield (jobs - 1, new), rates[phase] * weight

    shared = discipline == "PS"
    states, *moves = markov.explore((0,) * len(rates) if shared else (0, 0), sharing if shared else waiting)
    law = markov.stationary(markov.generator(len(states), *moves))
    return float(law @ [sum(state) if shared else state[0] for state in states])


def _changed(state, out, into):
    """Numbers in phases after a job has moved from one to another, or from or to the outside."""
    state = list(state)
    if out is not None:
        state[out] -= 1
    if into is not None:
        state[into] += 1
    return tuple(state)


def birth_death_jobs(arrival_rate, service_rate):
    """The mean number of jobs of an M/M/1 queue, its chain solved state by state and cut where little is left.

    Parameters
    ----------
    arrival_rate, service_rate : float

    Returns
    -------
    float
        Infinite where the chain drifts away.
    """
    if arrival_rate >= service_rate:
        return np.inf
    law = [1.0]
    while law[-1] * len(law) > 1e-14 * (1 - arrival_rate / service_rate):
        law.append(law[-1] * arrival_rate / service_rate)  # as often up as down
    return float(np.arange(len(law)) @ law / sum(law))
