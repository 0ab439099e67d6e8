"""Join Shortest Queue (`thesis`, Section 5.5.1)."""

from typing import NamedTuple

from clustershare.dispatch.jit import inlined, kernel
from clustershare.dispatch.orders import TOTAL, fewest, group_of_random_job, most
from clustershare.dispatch.state import move


@inlined
def place(policy, system, rng, g):
    return fewest(system, rng, TOTAL)  # I1


@kernel
def rebalance(policy, system, rng, g, q, now):
    p = most(system, rng, TOTAL)  # M1
    if system.count[p, TOTAL] >= system.count[q, TOTAL] + 2:
        move(system, rng, group_of_random_job(system, rng, p), p, q, now)


class ShortestQueue(NamedTuple):
    """Spread all jobs evenly, whatever their groups."""

    migration: bool = False
    by_group = False
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
