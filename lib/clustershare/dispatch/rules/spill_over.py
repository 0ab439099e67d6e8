"""A group's own processors first, and the others once those are busy: static vertical partitioning that spills over."""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.jit import kernel
from clustershare.dispatch.orders import TOTAL, an_idle_one, best_scored
from clustershare.dispatch.rules import shortest_queue


@kernel
def place(policy, system, rng, g):
    parts, score = policy.parts, system.score
    for p in range(len(score)):
        score[p] = (system.count[p, TOTAL] + 1) / parts[p, g] if parts[p, g] > 0 else np.inf
    own = best_scored(system, rng)
    if system.count[own, TOTAL] == 0:
        return own
    idle = an_idle_one(system, rng)
    return idle if idle >= 0 else own


class SpillOver(NamedTuple):
    """The least loaded processor of the group's subset; an idle one elsewhere if all of those are busy."""

    migration: bool
    parts: np.ndarray
    gap: int = 2
    by_group = False
    place = staticmethod(place)
    rebalance = staticmethod(shortest_queue.rebalance)
