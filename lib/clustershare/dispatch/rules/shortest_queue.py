"""Join Shortest Queue (`thesis`, Section 5.5.1)."""

from typing import NamedTuple

from clustershare.dispatch.jit import inlined, kernel
from clustershare.dispatch.orders import TOTAL, fewest, group_of_random_job, most, took
from clustershare.dispatch.state import move
from clustershare.dispatch.words import I1, M1


@inlined
def place(policy, system, rng, g):
    took(system, I1)
    return fewest(system, rng, TOTAL)


@kernel
def rebalance(policy, system, rng, g, q, now):
    p = most(system, rng, TOTAL)
    if system.count[p, TOTAL] >= system.count[q, TOTAL] + policy.gap:
        took(system, M1)
        move(system, rng, group_of_random_job(system, rng, p), p, q, now)


class ShortestQueue(NamedTuple):
    """Spread all jobs evenly, whatever their groups; a job migrates where there are `gap` more (the source: 2)."""

    migration: bool = False
    gap: int = 2
    by_group = False
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
