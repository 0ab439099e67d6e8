"""Networks of two centres with a closed and an open chain, by their Markov chain and as products over centres."""

import math

import numpy as np

from clustershare import markov

CLOSED, OPEN = 0, 1


def _after(centre, discipline, state):
    """What may be served at a centre: pairs of what is left, the chain of the job, and its part of the server."""
    if not state:
        return
    if discipline == "FCFS":
        yield state[1:], state[0], 1.0
    elif discipline == "priority":  # of the closed chain
        job = min(state)
        k = state.index(job)
        yield state[:k] + state[k + 1 :], job, 1.0
    else:
        for chain in set(state):
            k = state.index(chain)
            part = state.count(chain) * (1.0 if discipline == "IS" else 1 / len(state))
            yield state[:k] + state[k + 1 :], chain, part


def _join(discipline, state, chain):
    return (*state, chain) if discipline == "FCFS" else tuple(sorted((*state, chain)))


def law(disciplines, rates, routing, leave, arrival, jobs, most):
    """States and their probabilities; the open chain loses a job that finds `most` of it.

    Parameters
    ----------
    disciplines : sequence of str
        Of the two centres: "FCFS", "PS", "IS", or "priority" of the closed chain.
    rates : ndarray, shape (chains, centres)
    routing : ndarray, shape (chains, centres)
        The probability to go to the other centre rather than back to the same one, after a service.
    leave : float
        With which a job of the open chain leaves after a service.
    arrival : float
        At each centre half of it.
    jobs : int
        Of the closed chain.
    most : int
    """

    def transitions(state):
        if sum(part.count(OPEN) for part in state) < most:
            for centre in (0, 1):
                new = list(state)
                new[centre] = _join(disciplines[centre], state[centre], OPEN)
                yield tuple(new), arrival / 2
        for centre in (0, 1):
            for rest, chain, part in _after(centre, disciplines[centre], state[centre]):
                rate = part * rates[chain, centre]
                stay = leave if chain == OPEN else 0.0
                if stay:
                    yield tuple(rest if k == centre else state[k] for k in (0, 1)), rate * stay
                for target, chance in ((1 - centre, routing[chain, centre]), (centre, 1 - routing[chain, centre])):
                    new = [rest if k == centre else state[k] for k in (0, 1)]
                    new[target] = _join(disciplines[target], new[target], chain)
                    yield tuple(new), rate * (1 - stay) * chance

    first = tuple([CLOSED] * jobs)
    states, *moves = markov.explore((first, ()), transitions)
    return states, markov.stationary(markov.generator(len(states), *moves))


def products(states, disciplines, rates, routing, leave, arrival):
    """The product form: visits over rates for each job, with the weights of the disciplines."""
    visits = np.zeros((2, 2))
    for chain in (CLOSED, OPEN):
        stay = 1 - leave if chain == OPEN else 1.0
        go = routing[chain]
        step = stay * np.array([[1 - go[0], go[0]], [go[1], 1 - go[1]]])
        if chain == OPEN:
            visits[chain] = np.linalg.solve(np.eye(2) - step.T, [arrival / 2, arrival / 2])
        else:
            visits[chain] = go[::-1] / go.sum()
    ratio = visits / rates
    weights = []
    for state in states:
        weight = 1.0
        for centre, jobs in enumerate(state):
            for chain in jobs:
                weight *= ratio[chain, centre]
            counts = [jobs.count(chain) for chain in (CLOSED, OPEN)]
            if disciplines[centre] == "IS":
                weight /= math.prod(map(math.factorial, counts))
            elif disciplines[centre] != "FCFS":
                weight *= math.comb(sum(counts), counts[0])
        weights.append(weight)
    return np.array(weights) / sum(weights)
