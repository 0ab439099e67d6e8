"""The Nice policy of De Jongh's earlier work (`thesis`, Sections 6.5.5 and 6.6)."""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.jit import kernel
from clustershare.dispatch.orders import best_scored, processors, took
from clustershare.dispatch.rules.distributed_horizontal import GRAIN, increase, rebalance
from clustershare.dispatch.rules.dynamic_vertical import NEAR
from clustershare.dispatch.state import OBTAINED_SHARE, of_group
from clustershare.dispatch.view import share
from clustershare.dispatch.words import I1


@kernel
def place(policy, view, rng, g):
    took(view, I1)
    enough = view.level[of_group(g, OBTAINED_SHARE)] >= view.required[g] - NEAR
    for k in range(processors(view)):
        view.score[k] = -np.floor(share(view, k, g, 0) * GRAIN + 0.5) if enough else -increase(view, k, g)
    return best_scored(view, rng)


class Nice(NamedTuple):
    """Where the group obtains its share, take the processor that serves it most; else where its share grows most."""

    migration: bool = False
    by_group = False
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
