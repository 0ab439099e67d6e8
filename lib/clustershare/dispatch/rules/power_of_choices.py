"""The shortest of a few queues: power of d choices, JSQ(d). The thesis has it for jobs that are moved, not here."""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.jit import inlined
from clustershare.dispatch.orders import TOTAL, like_one_at, processors
from clustershare.dispatch.rules import shortest_queue
from clustershare.dispatch.tape import pick


@inlined
def place(policy, system, rng, g):
    best, ties = -1, 0
    for _ in range(policy.choices):  # drawn with replacement: two may be one
        p = pick(rng, processors(system))
        if best < 0 or system.count[p, TOTAL] < system.count[best, TOTAL]:
            best, ties = p, 1
        elif p != best and system.count[p, TOTAL] == system.count[best, TOTAL]:
            ties += 1
            if pick(rng, ties) == 0:
                best = p
    return best


class PowerOfChoices(NamedTuple):
    """Take the one with the fewest jobs of some processors drawn at random; migrate as Join Shortest Queue does."""

    migration: bool = False
    choices: int = 2
    gap: int = 2
    by_group = False
    place = staticmethod(place)
    rebalance = staticmethod(shortest_queue.rebalance)

    def chances(self, jobs):
        """With which probability each processor is taken, of the numbers of jobs there: shape (processors,)."""
        return of_fewest(jobs, lambda others: (others / len(jobs)) ** self.choices)


@inlined
def place_by_others(policy, system, rng, g):
    # Of so many different places of the order, the first: no earlier one is drawn with the probability that each of
    # them, as if one after the other, is among the later ones of those that are left.
    first = processors(system)
    for drawn in range(policy.choices):
        first = min(first, pick(rng, processors(system) - drawn))
    return like_one_at(system, rng, TOTAL, first)


class PowerOfOtherChoices(NamedTuple):
    """Power of choices without replacement: the processors that are drawn are different ones."""

    migration: bool = False
    choices: int = 2
    gap: int = 2
    by_group = False
    place = staticmethod(place_by_others)
    rebalance = staticmethod(shortest_queue.rebalance)

    def chances(self, jobs):
        """As of `PowerOfChoices`."""
        drawn = np.arange(self.choices)
        return of_fewest(jobs, lambda others: np.prod(np.maximum(others - drawn, 0) / (len(jobs) - drawn)))


def of_fewest(jobs, none_but):
    """With which probability each processor is the one with the fewest jobs of those drawn, at random among equals.

    Parameters
    ----------
    jobs : ndarray of int, shape (processors,)
    none_but : callable
        The probability that all that are drawn are among so many processors.

    Returns
    -------
    ndarray, shape (processors,)

    Examples
    --------
    >>> of_fewest(np.array([2, 0, 0, 1]), lambda others: (others / 4) ** 2)
    array([0.0625, 0.375 , 0.375 , 0.1875])
    """
    _, level, alike = np.unique(jobs, return_inverse=True, return_counts=True)
    no_fewer = np.array([none_but(others) for others in np.append(alike[::-1].cumsum()[::-1], 0)])
    return (-np.diff(no_fewer) / alike)[level]
