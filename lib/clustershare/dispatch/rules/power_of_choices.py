"""The shortest of a few queues: power of d choices, JSQ(d). The thesis has it for jobs that are moved, not here."""

from typing import NamedTuple

from clustershare.dispatch.jit import inlined
from clustershare.dispatch.orders import TOTAL, processors
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
