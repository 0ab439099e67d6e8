"""Small queueing systems by formulas and chains, for the claims of `thesis`, Chapter 1. Mean service times are 1."""

import functools
import math

import numpy as np
from scipy.optimize import brentq

from clustershare import dispatch, markov, routing


def one_line(servers, load):
    """Mean response time of one line before all servers, M/M/K, by Erlang's formula.

    Examples
    --------
    >>> one_line(1, 0.5)
    2.0
    """
    offered = servers * load
    waiting = offered**servers / math.factorial(servers) / (1 - load)
    chance = waiting / (sum(offered**k / math.factorial(k) for k in range(servers)) + waiting)
    return 1 + chance / (servers * (1 - load))


def library_line(servers, load):
    """The same by the library's probability to wait."""
    return 1 + dispatch.queueing_probability(load, servers) / (servers * (1 - load))


def line_chain(servers, load, lost=1e-13):
    """The same from the birth-death chain of the number of jobs."""
    most = servers + int(math.log(lost) / math.log(load)) + 1
    rates = np.minimum(np.arange(1, most + 1), servers)
    law = np.append(1.0, np.cumprod(servers * load / rates))
    return float(np.arange(most + 1) @ law / law.sum() / (servers * load))


def cyclic(servers, load):
    """Mean response time if one stream is dealt to the servers in turn: E_K/M/1, whose root is found."""
    root = brentq(lambda x: (servers * load / (servers * load + 1 - x)) ** servers - x, 0, 1 - 1e-9)
    return 1 / (1 - root)


def _own(load, setup, most):
    """States (works, waiting) of one server, and their chain."""

    def transitions(state):
        works, waits = state
        if works + waits < most:
            yield (1, waits) if not works and not setup else (works, waits + 1), load
        if works:
            yield (1, waits - 1) if waits else (0, 0), 1.0
        elif waits:
            yield (1, waits - 1), 1.0

    states, *moves = markov.explore((0, 0), transitions)
    return states, markov.stationary(markov.generator(len(states), *moves))


def own_chain(load, setup):
    """Whether the server works, and whether jobs wait, in each state of its chain."""
    states, _ = _solved(load, setup)
    works, waits = np.array(states).T
    return works > 0, waits > 0


def own_law(load, setup):
    """The probabilities of these states."""
    return _solved(load, setup)[1]


@functools.cache
def _solved(load, setup):
    return _own(load, setup, 60 if setup else int(math.log(1e-12) / math.log(load)) + 4)


@functools.cache
def source_queues(load, part, rule, most=60):
    """Two servers take jobs from the lines of two sources: mean response times of all jobs, and of each source's.

    Parameters
    ----------
    load : float
    part : float
        Of the arrivals, those at the first source.
    rule : str
        "longest" line first, or a "random" one of those where a job waits.
    most : int
        Where each line is cut.
    """
    rates = (2 * load * part, 2 * load * (1 - part))

    def transitions(state):
        busy, *lines = state
        for k, rate in enumerate(rates):
            if busy < 2:
                yield (busy + 1, 0, 0), rate
            elif lines[k] < most:
                yield (2, *(length + (j == k) for j, length in enumerate(lines))), rate
        if busy:
            waiting = [k for k in (0, 1) if lines[k]]
            if rule == "longest":
                waiting = [k for k in waiting if lines[k] == max(lines)]
            for k in waiting:
                yield (2, *(length - (j == k) for j, length in enumerate(lines))), busy / len(waiting)
            if not waiting:
                yield (busy - 1, 0, 0), float(busy)

    states, *moves = markov.explore((0, 0, 0), transitions)
    law = markov.stationary(markov.generator(len(states), *moves))
    lines = law @ np.array(states)[:, 1:]
    waits = [1 + line / rate for line, rate in zip(lines, rates)]
    return 1 + lines.sum() / sum(rates), *waits


@functools.cache
def blind_service(load, most=40):
    """Mean response time of two servers that go to either source at random, and stay there until a job comes."""

    def transitions(state):
        lines, idle = state[:2], state[2:]
        for k in (0, 1):
            if idle[k]:
                yield (*lines, *(free - (j == k) for j, free in enumerate(idle))), load
            elif lines[k] < most:
                yield (*(length + (j == k) for j, length in enumerate(lines)), *idle), load
            busy = 2 - sum(idle)
            if busy and lines[k]:
                yield (*(length - (j == k) for j, length in enumerate(lines)), *idle), busy / 2
            elif busy:
                yield (*lines, *(free + (j == k) for j, free in enumerate(idle))), busy / 2

    states, *moves = markov.explore((0, 0, 1, 1), transitions)
    law = markov.stationary(markov.generator(len(states), *moves))
    array = np.array(states)
    return float(law @ (array[:, :2].sum(axis=1) + 2 - array[:, 2:].sum(axis=1)) / (2 * load))


def _most(processors, load):
    """Where queues of which the shortest is joined are cut."""
    return math.ceil(math.log(1e-6) / math.log(load) / processors) + 6


@functools.cache
def joined(processors, load):
    """Join the shortest queue: the law of the numbers of jobs."""
    most = _most(processors, load)
    return routing.stationary_law("MRTP", (1.0,) * processors, processors * load, most)[0]


@functools.cache
def joined_time(processors, load):
    """The mean response time there, by the library."""
    return routing.mean_response_time("MRTP", (1.0,) * processors, processors * load, _most(processors, load))


def shorter_of_two(load, most=60):
    """The same of two processors, by a chain of the shorter queue and the longer one."""

    def transitions(state):
        short, long = state
        if short < most:
            yield (min(short + 1, long), max(short + 1, long)), 2 * load
        if short:
            yield (short - 1, long), 2.0 if short == long else 1.0
        if long > short:
            yield (short, long - 1), 1.0

    states, *moves = markov.explore((0, 0), transitions)
    law = markov.stationary(markov.generator(len(states), *moves))
    return float(law @ np.sum(states, axis=1) / (2 * load))


def central_loss(processors, load, most, policy="JSQ", migration=False):
    """The library's exact capacity loss of like processors under a policy of Chapter 5, in queues of so many jobs."""
    system = {"required_shares": (0.5, 0.5), "loads": (load, 0.0), "processors": processors}
    return dispatch.exact_central(policy, migration=migration, most_jobs=most, **system).capacity_loss


def lost(law):
    """The capacity loss of like processors that do not migrate, by a law of the numbers of jobs on each.

    Examples
    --------
    >>> float(lost(np.array([[0.25, 0.25], [0.25, 0.25]]))), float(lost(np.array([[0.5, 0, 0.5]])))
    (0.0, 0.25)
    """
    jobs = np.indices(law.shape)
    idle = np.minimum(jobs.sum(axis=0), law.ndim) - (jobs > 0).sum(axis=0)
    return (law * idle).sum() / law.ndim
