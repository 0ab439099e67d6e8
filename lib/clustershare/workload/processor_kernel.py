"""One processor, replayed under seven policies; the rules are those of `uniprocessor.kernel`, which draws its jobs.

All that happens in one instant, the departure before arrivals, happens before it is decided who is served.
"""

import numpy as np

from clustershare.compiled.heaps import pop, push
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel
from clustershare.compiled.service import divide

STATIC, UP_DOWN, PREEMPTIVE = 0, 1, 2  # rules to serve one job at a time


@kernel
def serve(rule, class_of, shares, arrivals, sizes, groups, start, end):
    """One job at a time.

    Parameters
    ----------
    rule : int
        STATIC, UP_DOWN or PREEMPTIVE.
    class_of : ndarray of int, shape (groups,)
        Classes, 0 served first; under UP_DOWN those of the priorities, one a group.
    shares : ndarray, shape (groups,)
        Required shares.
    arrivals, sizes : ndarray, shape (jobs,)
        Sizes are service times.
    groups : ndarray of int, shape (jobs,)
    start, end : ndarray, shape (jobs,)
        They are filled: when a job is first served, and when it leaves.

    Returns
    -------
    ndarray, shape (groups,)
        Integral of whether a job of the group is served while there is another of it.
    """
    classes, count = class_of.max() + 1, len(shares)
    first, last = np.full(classes, -1), np.full(classes, -1)  # in line
    behind, left = np.full(len(arrivals), -1), sizes.copy()
    present, priority, uneven = np.zeros(count, np.int64), shares.copy(), np.zeros(count)
    j, now, serving, due = 0, 0.0, -1, np.inf
    while j < len(arrivals) or serving >= 0:
        stop_if_asked(1)
        then = due
        if j < len(arrivals):
            then = min(arrivals[j], due)
        if serving >= 0:
            if present[groups[serving]] > 1:
                uneven[groups[serving]] += then - now
            if rule == UP_DOWN:
                for g in range(count):
                    if present[g] > 0:
                        priority[g] += (then - now) * (shares[g] - 1 if g == groups[serving] else shares[g])
        now = then
        if due <= now:
            end[serving] = now
            present[groups[serving]] -= 1
            serving, due = -1, np.inf
        while j < len(arrivals) and arrivals[j] <= now:
            c = class_of[groups[j]]
            present[groups[j]] += 1
            if first[c] < 0:
                first[c] = j
            else:
                behind[last[c]] = j
            last[c] = j
            j += 1
        if serving >= 0 and rule != PREEMPTIVE:
            continue
        best = -1
        for c in range(classes):
            if first[c] >= 0 and (best < 0 or (rule == UP_DOWN and priority[c] > priority[best])):
                best = c
        if best < 0:
            continue
        if serving >= 0:
            c = class_of[groups[serving]]
            if best >= c:
                continue
            left[serving] = due - now  # it waits in front of its class
            behind[serving] = first[c]
            if first[c] < 0:
                last[c] = serving
            first[c] = serving
        serving = first[best]
        first[best] = behind[serving]
        if np.isnan(start[serving]):
            start[serving] = now
        due = now + left[serving]
    return uneven


@kernel
def share(rule, weights, arrivals, sizes, groups, end):
    """All jobs at once, the processor divided among the groups by `rule` (see `compiled.service`).

    Jobs of a group are served alike: a group has one clock, the service that each of its jobs received so far, and a
    heap of the readings at which they leave.

    Parameters
    ----------
    rule : int
        `PS`, `PPS` or `GPPS` of `compiled.service`.
    weights : ndarray, shape (groups,)
    arrivals, sizes, groups, end
        As for `serve`.
    """
    jobs, count = len(arrivals), len(weights)
    begin = np.zeros(count + 1, np.int64)  # of the heap of each group, in which all its jobs would find room
    for j in range(jobs):
        begin[groups[j] + 1] += 1
    for g in range(count):
        begin[g + 1] += begin[g]
    readings, whose = np.zeros(jobs), np.zeros(jobs, np.int64)
    present, clock, obtained = np.zeros(count, np.int64), np.zeros(count), np.zeros(count)
    j, now, left = 0, 0.0, jobs
    while left > 0:
        stop_if_asked(1)
        divide(rule, weights, present, obtained)
        until, leaving = np.inf, -1
        if j < jobs:
            until = arrivals[j] - now
        for g in range(count):
            if present[g] > 0:
                due = max((readings[begin[g]] - clock[g]) * present[g] / obtained[g], 0.0)
                if due <= until:
                    until, leaving = due, g
        for g in range(count):
            if present[g] > 0:
                clock[g] += obtained[g] * until / present[g]
        if leaving >= 0:
            g = leaving
            now += until
            end[whose[begin[g]]] = now
            pop(readings[begin[g] :], whose[begin[g] :], present[g])
            present[g] -= 1
            left -= 1
            if present[g] == 0:
                clock[g] = 0.0
        else:
            g, now = groups[j], arrivals[j]
            push(readings[begin[g] :], whose[begin[g] :], present[g], clock[g] + sizes[j], j)
            present[g] += 1
            j += 1
