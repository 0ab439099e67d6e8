"""Dynamic Vertical Partitioning (`thesis`, Section 5.5.4)."""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.jit import kernel
from clustershare.dispatch.orders import (
    TOTAL,
    an_idle_one,
    any_of,
    best_scored,
    fewest,
    fewest_but_some,
    groups,
    part_of_one,
    processors,
    took,
)
from clustershare.dispatch.state import FEASIBLE_SHARE, OBTAINED_SHARE, move, of_group
from clustershare.dispatch.words import I1, I2, I3, I4, M1

PLAIN_SUMS, ANY_GROUP, EVERY_DEPARTURE, FEWEST_INSTEAD = 1, 2, 3, 4
NEAR = 1e-9  # the printed comparisons are exact, sums of shares are not: they are compared within this
LITTLE, ENOUGH, TOO_MUCH = 0, 1, 2


@kernel
def obtains(policy, system, g, enough):
    """Whether a group obtains less than it should, or about that, or a processor too much. Nothing is too little."""
    near = 0.0 if policy.reading == PLAIN_SUMS else NEAR
    obtained = system.level[of_group(g, OBTAINED_SHARE)]
    if obtained < enough - near or obtained <= 0:
        return LITTLE
    return ENOUGH if obtained < system.required[g] + part_of_one(system) - near else TOO_MUCH


@kernel
def place(policy, system, rng, g):
    if policy.migration:
        found = an_idle_one(system, rng)
        if found >= 0:
            took(system, I1)
            return found
    found = obtains(policy, system, g, system.required[g])
    if found == TOO_MUCH:
        took(system, I2)
        return among_the_others(policy, system, rng, g)
    if found == ENOUGH:
        took(system, I3)
        return fewest_but_some(system, rng, g)
    took(system, I4)
    return fewest(system, rng, 1 + g)


@kernel
def among_the_others(policy, system, rng, g):
    """Rule I2: drop a processor with the fewest jobs of the group, then take the one with the fewest of the rest."""
    least = np.int64(2**62)
    for p in range(processors(system)):
        if 0 < system.count[p, 1 + g] < least:
            least = system.count[p, 1 + g]
    ties = 0
    for p in range(processors(system)):
        ties += system.count[p, 1 + g] == least
    chosen = any_of(system, rng, ties)
    dropped = -1
    for p in range(processors(system)):
        if system.count[p, 1 + g] == least:
            if chosen == 0:
                dropped = p
            chosen -= 1
    for p in range(processors(system)):
        some = system.count[p, 1 + g] > 0 and p != dropped
        system.score[p] = system.count[p, 1 + g] + system.count[p, TOTAL] * 2.0**-30 if some else np.inf
    found = best_scored(system, rng)
    if found < 0 and policy.reading == FEWEST_INSTEAD:
        return fewest(system, rng, 1 + g)
    return found if found >= 0 else dropped  # where the group has no other, it stays


@kernel
def rebalance(policy, system, rng, g, q, now):
    if system.count[q, TOTAL] > 0 and policy.reading != EVERY_DEPARTURE:
        return
    for rule in range(3):
        eligible = False
        for p in range(processors(system)):
            system.score[p] = np.inf
            if system.count[p, TOTAL] >= 2:
                for h in range(groups(system)):
                    if system.count[p, 1 + h] >= 1 and standing(policy, system, h) == rule:
                        system.score[p] = -float(system.count[p, TOTAL])
                        eligible = True
        if eligible:
            p = best_scored(system, rng)
            if p != q:
                took(system, M1 + rule)
                move(system, rng, largest_group(policy, system, rng, p, rule), p, q, now)
            return


@kernel
def standing(policy, system, h):
    """Which of rules M1, M2 and M3 a group falls under: by its feasible share."""
    return obtains(policy, system, h, system.level[of_group(h, FEASIBLE_SHARE)])


@kernel
def largest_group(policy, system, rng, p, rule):
    """The group with the most jobs on a processor, of those under a rule."""
    best, ties, any_group = np.int64(0), 0, policy.reading == ANY_GROUP
    for h in range(groups(system)):
        if (any_group or standing(policy, system, h) == rule) and system.count[p, 1 + h] > 0:
            if system.count[p, 1 + h] > best:
                best, ties = system.count[p, 1 + h], 0
            ties += system.count[p, 1 + h] == best
    chosen = any_of(system, rng, ties)
    for h in range(groups(system)):
        if (any_group or standing(policy, system, h) == rule) and system.count[p, 1 + h] == best:
            if chosen == 0:
                return h
            chosen -= 1
    return -1


class DynamicVerticalPartitioning(NamedTuple):
    """Let each group keep to as few processors as give it its share, found as jobs come and go."""

    migration: bool = False
    reading: int = 0
    by_group = True
    readings = {"plain sums": PLAIN_SUMS, "M1 any group": ANY_GROUP, "every departure": EVERY_DEPARTURE}
    partial_readings = {"I2 fewest": FEWEST_INSTEAD}  # where the group is known on one processor alone
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
