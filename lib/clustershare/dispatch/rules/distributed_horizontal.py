"""Distributed Horizontal Partitioning of De Jongh's earlier work (`thesis`, Section 6.6)."""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.jit import kernel
from clustershare.dispatch.orders import best_scored, processors, took
from clustershare.dispatch.view import share
from clustershare.dispatch.words import I1

GRAIN = 2.0**30  # shares that are equal as fractions are not always so as floats: they are compared in such parts


@kernel
def increase(view, k, g):
    """By how much the share that a group obtains of a processor grows with a job there, in whole grains."""
    return np.floor((share(view, k, g, 1) - share(view, k, g, 0)) * GRAIN + 0.5)


@kernel
def place(policy, view, rng, g):
    took(view, I1)
    for k in range(processors(view)):
        view.score[k] = -increase(view, k, g) + (2 * GRAIN if view.count[k, 1 + g] > 0 else 0.0)
    return best_scored(view, rng)


@kernel
def rebalance(policy, view, rng, g, q, now):
    """Nothing migrates."""


class DistributedHorizontal(NamedTuple):
    """Prefer a processor without jobs of the group; of those, take the one where its obtained share grows most."""

    migration: bool = False
    by_group = False
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
