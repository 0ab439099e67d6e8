"""Dynamic Vertical Partitioning (`thesis`, Section 5.5.4)."""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.system import (
    NEAR,
    OBTAINED,
    REQUIRED,
    TOTAL,
    an_idle_one,
    best_scored,
    fewest,
    fewest_but_some,
    kernel,
    move,
    pick,
)

LITTLE, ENOUGH, TOO_MUCH = 0, 1, 2


@kernel
def obtains(system, g, enough):
    """Whether a group obtains less than it should, or about that, or a processor too much."""
    if system.group[OBTAINED, 1 + g] < enough - NEAR:
        return LITTLE
    return (
        ENOUGH
        if system.group[OBTAINED, 1 + g] < system.group[REQUIRED, 1 + g] + 1 / len(system.count) - NEAR
        else TOO_MUCH
    )


@kernel
def place(policy, system, rng, g):
    if policy.migration:  # I1
        found = an_idle_one(system, rng)
        if found >= 0:
            return found
    found = obtains(system, g, system.group[REQUIRED, 1 + g])
    if found == TOO_MUCH:  # I2
        return among_the_others(system, rng, g)
    if found == ENOUGH:  # I3
        return fewest_but_some(system, rng, g)
    return fewest(system, rng, 1 + g)  # I4


@kernel
def among_the_others(system, rng, g):
    """Rule I2: drop a processor with the fewest jobs of the group, then take the one with the fewest of the rest."""
    least = np.int64(2**62)
    for p in range(len(system.count)):
        if 0 < system.count[p, 1 + g] < least:
            least = system.count[p, 1 + g]
    ties = 0
    for p in range(len(system.count)):
        ties += system.count[p, 1 + g] == least
    chosen = pick(rng, ties)
    dropped = -1
    for p in range(len(system.count)):
        if system.count[p, 1 + g] == least:
            if chosen == 0:
                dropped = p
            chosen -= 1
    for p in range(len(system.count)):
        some = system.count[p, 1 + g] > 0 and p != dropped
        system.score[p] = system.count[p, 1 + g] + system.count[p, TOTAL] * 2.0**-30 if some else np.inf
    found = best_scored(system, rng)
    return found if found >= 0 else dropped  # where the group has no other, it stays


@kernel
def rebalance(policy, system, rng, g, q, now):
    if system.count[q, TOTAL] > 0:
        return
    for rule in range(3):  # M1, M2, M3
        eligible = False
        for p in range(len(system.count)):
            system.score[p] = np.inf
            if system.count[p, TOTAL] >= 2:
                for h in range(system.group.shape[1] - 1):
                    if system.count[p, 1 + h] >= 1 and standing(system, h) == rule:
                        system.score[p] = -float(system.count[p, TOTAL])
                        eligible = True
        if eligible:
            p = best_scored(system, rng)
            move(system, rng, largest_group(system, rng, p, rule), p, q, now)
            return


@kernel
def standing(system, h):
    """Which of rules M1, M2 and M3 a group falls under: by its feasible share."""
    return obtains(system, h, min(system.group[REQUIRED, 1 + h], system.present[1 + h] / len(system.count)))


@kernel
def largest_group(system, rng, p, rule):
    """The group with the most jobs on a processor, of those under a rule."""
    best, ties = np.int64(0), 0
    for h in range(system.group.shape[1] - 1):
        if standing(system, h) == rule and system.count[p, 1 + h] > 0:
            if system.count[p, 1 + h] > best:
                best, ties = system.count[p, 1 + h], 0
            ties += system.count[p, 1 + h] == best
    chosen = pick(rng, ties)
    for h in range(system.group.shape[1] - 1):
        if standing(system, h) == rule and system.count[p, 1 + h] == best:
            if chosen == 0:
                return h
            chosen -= 1
    return -1


class DynamicVerticalPartitioning(NamedTuple):
    """Let each group keep to as few processors as give it its share, found as jobs come and go."""

    migration: bool = False
    by_group = True
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
