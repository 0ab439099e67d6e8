"""Horizontal Partitioning (`thesis`, Section 5.5.2)."""

from typing import NamedTuple

from clustershare.dispatch.jit import inlined, kernel
from clustershare.dispatch.orders import TOTAL, fewest, groups, most
from clustershare.dispatch.state import move
from clustershare.dispatch.tape import pick

BY_JOBS = 1


@inlined
def place(policy, system, rng, g):
    return fewest(system, rng, 1 + g)  # I1


@kernel
def rebalance(policy, system, rng, g, q, now):
    p = most(system, rng, 1 + g)
    if system.count[p, 1 + g] >= system.count[q, 1 + g] + 2:  # M1
        move(system, rng, g, p, q, now)
        return
    p = most(system, rng, TOTAL)
    if system.count[p, TOTAL] >= system.count[q, TOTAL] + 2:  # M2
        eligible = 0
        for h in range(groups(system)):
            eligible += tickets(policy, system, h, p, q)
        chosen = pick(rng, eligible)
        for h in range(groups(system)):
            chosen -= tickets(policy, system, h, p, q)
            if chosen < 0:
                move(system, rng, h, p, q, now)
                return


@kernel
def tickets(policy, system, h, p, q):
    """How many chances a group has of being drawn in rule M2: one, or one for each of its jobs."""
    if system.count[p, 1 + h] < system.count[q, 1 + h] + 1:
        return 0
    return system.count[p, 1 + h] if policy.reading == BY_JOBS else 1


class HorizontalPartitioning(NamedTuple):
    """Spread the jobs of each group evenly."""

    migration: bool = False
    reading: int = 0
    by_group = True
    readings = {"M2 by jobs": BY_JOBS}
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
