"""Static Vertical Partitioning (`thesis`, Section 5.5.3).

A job is a guest on a processor outside its group's subset.
"""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.jit import kernel
from clustershare.dispatch.orders import (
    TOTAL,
    an_idle_one,
    any_of,
    best_scored,
    groups,
    idle_ones,
    knows_all,
    processors,
    took,
)
from clustershare.dispatch.state import move
from clustershare.dispatch.words import I1, I2, I3, I4, I5, M1, M2, M3, M4

MAY_RETURN, EVERY_DEPARTURE, WITHOUT_M1, M4_FIRST, GUESTS_STAY, WITHOUT_M4, OWN_SUBSET = 1, 2, 3, 4, 5, 6, 7


@kernel
def guests_on(policy, system, p):
    """Guest jobs on a processor."""
    guests = 0
    for h in range(groups(system)):
        if policy.parts[p, h] == 0:
            guests += system.count[p, 1 + h]
    return guests


@kernel
def guest_on(policy, system, rng, p):
    """The group of a guest job on a processor, at random where there are several; -1 where there is none."""
    guests = guests_on(policy, system, p)
    # With all processors known, the first: there are two in "every departure" only.
    chosen = any_of(system, rng, guests) if guests > 1 and not knows_all(system) else 0
    for h in range(groups(system)):
        if policy.parts[p, h] == 0:
            chosen -= system.count[p, 1 + h]
            if chosen < 0:
                return h
    return -1


@kernel
def place(policy, system, rng, g):
    return place_with(policy, system, rng, g, policy.migration and policy.reading != GUESTS_STAY, policy.migration)


@kernel
def place_with(policy, system, rng, g, second, third):
    """With or without rules I2 and I3. Rule I5, where -1 is returned, is for whoever knows of all processors."""
    parts, score = policy.parts, system.score
    took(system, I1)
    for p in range(len(score)):
        score[p] = -parts[p, g] if parts[p, g] > 0 and system.count[p, TOTAL] == 0 else np.inf
    found = best_scored(system, rng)
    if found >= 0:
        return found
    if second:
        took(system, I2)
        for p in range(len(score)):
            score[p] = -parts[p, g] if parts[p, g] > 0 and guests_on(policy, system, p) > 0 else np.inf
        found = best_scored(system, rng)
        if found >= 0:
            return found
    if third:
        took(system, I3)
        found = an_idle_one(system, rng)  # none of them is in the subset, or I1 had found it
        if found >= 0:
            return found
    for p in range(len(score)):
        score[p] = (system.count[p, 1 + g] + 1) / parts[p, g] if parts[p, g] > 0 else np.inf
    found = best_scored(system, rng)
    took(system, I4 if found >= 0 else I5)
    return found


@kernel
def resettle(policy, system, rng, g, p, now):
    """What rule I2 does with the guest whose processor was taken."""
    if policy.parts[p, g] > 0 and policy.reading != GUESTS_STAY:
        h = guest_on(policy, system, rng, p)
        if h >= 0:
            to = place_with(policy, system, rng, h, False, policy.reading != OWN_SUBSET)
            if policy.reading == MAY_RETURN:
                to = or_back(policy, system, rng, h, p, to)
            took(system, I2)
            if to != p:
                move(system, rng, h, p, to, now)


@kernel
def or_back(policy, system, rng, h, p, to):
    """Where a guest goes if the processor that it leaves for one newcomer counts as idle: perhaps back (rule I3)."""
    if system.count[p, TOTAL] != 2 or to < 0 or system.count[to, TOTAL] == 0 and policy.parts[to, h] > 0:
        return to  # others were there as well, or rule I5 is needed, or rule I1 has found one
    return p if any_of(system, rng, idle_ones(system) + 1) == 0 else to


@kernel
def rebalance(policy, system, rng, g, q, now):
    if system.count[q, TOTAL] > 0 and policy.reading != EVERY_DEPARTURE:
        return
    score = system.score
    if policy.reading != WITHOUT_M1:
        took(system, M1)
        for p in range(len(score)):
            guests = guests_on(policy, system, p)
            eligible = 0 < guests < system.count[p, TOTAL] or guests > 1 and not knows_all(system)  # Section 6.5.4
            score[p] = -float(system.count[p, TOTAL]) if eligible else np.inf
        p = best_scored(system, rng)
        if p >= 0:
            if p != q:
                move(system, rng, guest_on(policy, system, rng, p), p, q, now)
            return
    took(system, M2)
    if from_pair(policy, system, rng, q, True, now):
        return
    if policy.reading == M4_FIRST and send_back(policy, system, rng, q, now):
        return
    took(system, M3)
    if from_pair(policy, system, rng, q, False, now):
        return
    if policy.reading != M4_FIRST and policy.reading != GUESTS_STAY and policy.reading != WITHOUT_M4:
        send_back(policy, system, rng, q, now)


@kernel
def send_back(policy, system, rng, q, now):
    """Rule M4, if there is a guest elsewhere who belongs here."""
    took(system, M4)
    parts, score = policy.parts, system.score
    best, ties = 0.0, 0
    for p in range(len(score)):
        for h in range(groups(system)):
            if system.count[p, 1 + h] > 0 and parts[p, h] == 0 and parts[q, h] > 0:
                if parts[q, h] > best:
                    best, ties = parts[q, h], 0
                ties += parts[q, h] == best
    if ties > 0:
        chosen = any_of(system, rng, ties)
        for p in range(len(score)):
            for h in range(groups(system)):
                if system.count[p, 1 + h] > 0 and parts[p, h] == 0 and parts[q, h] == best:
                    if chosen == 0:
                        move(system, rng, h, p, q, now)
                        return True
                    chosen -= 1
    return False


@kernel
def urgency(policy, system, p, h, q, own):
    """How much a job of group h on processor p is to come to q, -inf if it is not: rule M2 (`own`) or M3."""
    if system.count[p, TOTAL] < 2 or system.count[p, 1 + h] < 1 or policy.parts[p, h] == 0:
        return -np.inf
    if own and policy.parts[q, h] == 0:
        return -np.inf
    there = (system.count[q, 1 + h] + 1) / policy.parts[q, h] if own else 0.0  # a guest would be the first of its group
    return system.count[p, 1 + h] / policy.parts[p, h] - there


@kernel
def from_pair(policy, system, rng, q, own, now):
    """Migrate a job of the pair of group and processor that is most urgent, if there is one."""
    best, ties = -np.inf, 0
    for p in range(processors(system)):
        for h in range(groups(system)):
            found = urgency(policy, system, p, h, q, own)
            if found > best:
                best, ties = found, 0
            ties += found == best and found > -np.inf
    if ties == 0:
        return False
    chosen = any_of(system, rng, ties)
    for p in range(processors(system)):
        for h in range(groups(system)):
            if urgency(policy, system, p, h, q, own) == best:
                if chosen == 0:
                    if p != q:
                        move(system, rng, h, p, q, now)
                    return True
                chosen -= 1
    return False


class StaticVerticalPartitioning(NamedTuple):
    """Give each group processors of its own, by a matrix of parts, shape (processors, groups)."""

    migration: bool
    parts: np.ndarray
    reading: int = 0
    by_group = False
    readings = {
        "guest may return": MAY_RETURN,
        "every departure": EVERY_DEPARTURE,
        "without M1": WITHOUT_M1,
        "M4 before M3": M4_FIRST,
        "guests stay": GUESTS_STAY,
        "without M4": WITHOUT_M4,
    }
    partial_readings = {"own subset only": OWN_SUBSET}  # where a guest is sent to by rule I2
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
    resettle = staticmethod(resettle)
