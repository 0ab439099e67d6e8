"""Static Vertical Partitioning (`thesis`, Section 5.5.3).

A job is a guest on a processor outside its group's subset.
"""

from typing import NamedTuple

import numpy as np

from clustershare.dispatch.jit import kernel
from clustershare.dispatch.orders import TOTAL, an_idle_one, best_scored, groups, processors
from clustershare.dispatch.state import move
from clustershare.dispatch.tape import pick

MAY_RETURN, EVERY_DEPARTURE, WITHOUT_M1, M4_FIRST, GUESTS_STAY = 1, 2, 3, 4, 5


@kernel
def guest_on(policy, system, p):
    """A group with a guest job on a processor, or -1."""
    for h in range(groups(system)):
        if system.count[p, 1 + h] > 0 and policy.parts[p, h] == 0:
            return h
    return -1


@kernel
def guests_on(policy, system, p):
    """Guest jobs on a processor."""
    guests = 0
    for h in range(groups(system)):
        if policy.parts[p, h] == 0:
            guests += system.count[p, 1 + h]
    return guests


@kernel
def place(policy, system, rng, g):
    return place_with(policy, system, rng, g, policy.migration and policy.reading != GUESTS_STAY)


@kernel
def place_with(policy, system, rng, g, second_rule):
    """With or without rule I2."""
    parts, score = policy.parts, system.score
    for p in range(len(score)):  # I1
        score[p] = -parts[p, g] if parts[p, g] > 0 and system.count[p, TOTAL] == 0 else np.inf
    found = best_scored(system, rng)
    if found >= 0:
        return found
    if second_rule:  # I2
        for p in range(len(score)):
            score[p] = -parts[p, g] if parts[p, g] > 0 and guests_on(policy, system, p) > 0 else np.inf
        found = best_scored(system, rng)
        if found >= 0:
            return found
    if policy.migration:  # I3
        found = an_idle_one(system, rng)  # none of them is in the subset, or I1 had found it
        if found >= 0:
            return found
    for p in range(len(score)):  # I4
        score[p] = (system.count[p, 1 + g] + 1) / parts[p, g] if parts[p, g] > 0 else np.inf
    return best_scored(system, rng)


@kernel
def resettle(policy, system, rng, g, p, now):
    """What rule I2 does with the guest whose processor was taken."""
    if policy.parts[p, g] > 0:
        h = guest_on(policy, system, p)
        if h >= 0:
            to = place_with(policy, system, rng, h, False)
            if policy.reading == MAY_RETURN:
                to = or_back(policy, system, rng, p, to)
            if to != p:
                move(system, rng, h, p, to, now)


@kernel
def or_back(policy, system, rng, p, to):
    """Where a guest goes if the processor that it leaves for one newcomer counts as idle: perhaps back (rule I3)."""
    idle = system.start[TOTAL, 1]
    if (
        system.count[p, TOTAL] != 2
        or system.count[to, TOTAL] == 0
        and policy.parts[to, guest_on(policy, system, p)] > 0
    ):
        return to  # others were there as well, or rule I1 has found one
    return p if pick(rng, idle + 1) == 0 else to


@kernel
def rebalance(policy, system, rng, g, q, now):
    if system.count[q, TOTAL] > 0 and policy.reading != EVERY_DEPARTURE:
        return
    score = system.score
    if policy.reading != WITHOUT_M1:  # M1
        for p in range(len(score)):
            guests = guests_on(policy, system, p)
            score[p] = -float(system.count[p, TOTAL]) if 0 < guests < system.count[p, TOTAL] else np.inf
        p = best_scored(system, rng)
        if p >= 0:
            if p != q:
                move(system, rng, guest_on(policy, system, p), p, q, now)
            return
    if from_pair(policy, system, rng, q, True, now):  # M2
        return
    if policy.reading == M4_FIRST and send_back(policy, system, rng, q, now):
        return
    if from_pair(policy, system, rng, q, False, now):  # M3
        return
    if policy.reading != M4_FIRST and policy.reading != GUESTS_STAY:
        send_back(policy, system, rng, q, now)  # M4


@kernel
def send_back(policy, system, rng, q, now):
    """Rule M4, if there is a guest elsewhere who belongs here."""
    parts, score = policy.parts, system.score
    best, ties = 0.0, 0
    for p in range(len(score)):
        for h in range(groups(system)):
            if system.count[p, 1 + h] > 0 and parts[p, h] == 0 and parts[q, h] > 0:
                if parts[q, h] > best:
                    best, ties = parts[q, h], 0
                ties += parts[q, h] == best
    if ties > 0:
        chosen = pick(rng, ties)
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
    chosen = pick(rng, ties)
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
    }
    place = staticmethod(place)
    rebalance = staticmethod(rebalance)
    resettle = staticmethod(resettle)
