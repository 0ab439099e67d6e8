"""Horizontal Partitioning (`thesis`, Section 5.5.2)."""

from typing import NamedTuple

from clustershare.dispatch.jit import inlined, kernel
from clustershare.dispatch.orders import TOTAL, any_of, fewest, groups, most, own_of_fewest, took
from clustershare.dispatch.state import move
from clustershare.dispatch.words import I1, M1, M2

BY_JOBS, OWN_FIRST = 1, 2


@inlined
def place(policy, system, rng, g):
    took(system, I1)
    found = own_of_fewest(system, 1 + g) if policy.reading == OWN_FIRST else -1
    return found if found >= 0 else fewest(system, rng, 1 + g)


@kernel
def rebalance(policy, system, rng, g, q, now):
    p = most(system, rng, 1 + g)
    if system.count[p, 1 + g] >= system.count[q, 1 + g] + policy.gap:
        took(system, M1)
        move(system, rng, g, p, q, now)
        return
    p = most(system, rng, TOTAL)
    if system.count[p, TOTAL] >= system.count[q, TOTAL] + policy.gap:
        eligible = 0
        for h in range(groups(system)):
            eligible += tickets(policy, system, h, p, q)
        chosen = any_of(system, rng, eligible)
        for h in range(groups(system)):
            chosen -= tickets(policy, system, h, p, q)
            if chosen < 0:
                took(system, M2)
                move(system, rng, h, p, q, now)
                return


@kernel
def tickets(policy, system, h, p, q):
    """How many chances a group has of being drawn in rule M2: one, or one for each of its jobs."""
    if system.count[p, 1 + h] < system.count[q, 1 + h] + 1:
        return 0
    return system.count[p, 1 + h] if policy.reading == BY_JOBS else 1


class HorizontalPartitioning(NamedTuple):
    """Spread the jobs of each group evenly; a job migrates where there are `gap` more (the source: 2)."""

    migration: bool = False
    gap: int = 2
    reading: int = 0
    by_group = True
    readings = {"M2 by jobs": BY_JOBS}
    partial_readings = {"own first": OWN_FIRST}  # as soon as it is among the fewest of the group
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
