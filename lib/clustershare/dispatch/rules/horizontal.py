"""Horizontal Partitioning (`thesis`, Section 5.5.2)."""

from typing import NamedTuple

from clustershare.dispatch.system import TOTAL, fewest, inlined, kernel, most, move, pick


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
        for h in range(system.group.shape[1] - 1):
            eligible += system.count[p, 1 + h] >= system.count[q, 1 + h] + 1
        chosen = pick(rng, eligible)
        for h in range(system.group.shape[1] - 1):
            if system.count[p, 1 + h] >= system.count[q, 1 + h] + 1:
                if chosen == 0:
                    move(system, rng, h, p, q, now)
                    return
                chosen -= 1


class HorizontalPartitioning(NamedTuple):
    """Spread the jobs of each group evenly."""

    migration: bool = False
    by_group = True
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
