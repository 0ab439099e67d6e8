"""The state of processors with their jobs, and what happens to it: jobs come, leave and move.

Who is served at what rate, and all that is measured, is kept up to date as jobs come and go.
"""

from typing import NamedTuple

import numpy as np

from clustershare.compiled.heaps import pop, push
from clustershare.compiled.service import GPPS, PS
from clustershare.dispatch import tracked
from clustershare.dispatch.jit import inlined, kernel
from clustershare.dispatch.orders import DEPTH, ORDER, PLACE, TOTAL, WIDTH, groups, processors, rank_again
from clustershare.dispatch.tape import pick
from clustershare.dispatch.words import word

WEIGHT, SHARE, CLOCK = 0, 1, 2
ABLE, FEASIBLE = 0, 1
# What is measured, in `System.level`: of the system, and of each group.
IN_USE, ABLE_TO_USE, PAIRS, CROWDS = 0, 1, 2, 3
SYSTEM_LEVELS, GROUP_LEVELS = 4, 4
FEASIBLE_SHARE, OBTAINED_SHARE, JOBS, PROCESSORS_HELD = 0, 1, 2, 3
ROOM = 8  # for the jobs of a group on a processor, at first; doubled where it does not do


class System(NamedTuple):
    """Jobs of G groups on P processors; all arrays are changed in place, and few, because every call hands them on.

    Where a last axis has 1 + G entries, the first is for all jobs and the others for those of each group. Numbers of
    jobs and places are unsigned, so that the compiler need not ask whether they count from the end.

    Attributes
    ----------
    rule : int
        Of `compiled.service`.
    equal : bool
        Whether all processors have the same capacity.
    required : ndarray, shape (G,)
        Required group shares.
    reach : ndarray, shape (2, P + 1)
        For a number of jobs: ABLE, what all jobs can obtain at most; FEASIBLE, the same for the jobs of a group (2.26)
        before its required share is looked at.
    count : ndarray of uint32, shape (P, 1 + G)
        Jobs on each processor.
    present : ndarray of uint32, shape (1 + G,)
        Jobs in the system.
    kinds : ndarray of uint32, shape (P + 1,)
        Groups on each processor; last, the number of busy processors.
    level : ndarray, shape (4 + 4 G,)
        What is measured, as it stands. IN_USE and ABLE_TO_USE of the capacity; how many processors hold several groups
        and two jobs (PAIRS) or more (CROWDS); for each group its feasible and its obtained share, its jobs, and the
        processors that hold any (see `of_group`).
    amount : ndarray, shape (P, 3, 1 + G)
        WEIGHT: the capacity of a processor, a fraction of the whole, and the groups' weights there under GPPS. SHARE:
        for how long the processor was busy (less the present time while it is), and what groups obtain there of the
        whole. CLOCK, if sizes are drawn: a time, and the service that each job of a group had received there by then.
    rank, start, score
        See `orders`.
    leave : ndarray, shape (P, G, room)
        If sizes are drawn: heaps of the readings of the clocks at which jobs leave.
    due : ndarray, shape (2 P, rounded up to a power of 2,)
        A tree of the times of the next departures: each is the less of the two below it, the processors' are last.
    next : ndarray of int, shape (P + 1,)
        Whose job is next to leave each processor; last, whether one of the heaps is nearly full.
    seen : tracked.Tracked or None
        If jobs are recorded: which is which.
    """

    rule: int
    equal: bool
    required: np.ndarray
    reach: np.ndarray
    count: np.ndarray
    present: np.ndarray
    kinds: np.ndarray
    level: np.ndarray
    amount: np.ndarray
    rank: np.ndarray
    start: np.ndarray
    score: np.ndarray
    leave: np.ndarray
    due: np.ndarray
    next: np.ndarray
    seen: object = None


def empty(rule, required, capacities, weights, *, by_group, timed):
    """A system without jobs.

    Parameters
    ----------
    rule : int
        Of `compiled.service`.
    required : ndarray, shape (groups,)
    capacities : ndarray, shape (processors,)
        Fractions of the whole.
    weights : ndarray, shape (processors, groups)
    by_group : bool
        Whether processors are kept in order for each group too.
    timed : bool
        Whether sizes are drawn.

    Returns
    -------
    System
    """
    P, G = weights.shape
    rows, leaves = 1 + G * by_group, 1
    while leaves < P:
        leaves *= 2
    equal, feasible = bool(np.ptp(capacities) == 0), np.arange(P + 1) / P
    able = feasible if equal else np.append(0.0, np.cumsum(np.sort(capacities)[::-1]))
    amount = np.zeros((P, 3, 1 + G))
    amount[:, WEIGHT, TOTAL], amount[:, WEIGHT, 1:] = capacities, weights
    rank, start = np.zeros((3, rows, P), np.uint32), np.full((rows, WIDTH * DEPTH + 1), P, np.uint32)
    rank[ORDER], rank[PLACE], start[:, 0] = np.arange(P), np.arange(P), 0
    return System(
        rule, equal, np.array(required, float), np.array([able, feasible]), np.zeros((P, 1 + G), np.uint32),
        np.zeros(1 + G, np.uint32), np.zeros(P + 1, np.uint32), np.zeros(SYSTEM_LEVELS + GROUP_LEVELS * G), amount,
        rank, start, np.zeros(P), np.zeros((P, G, ROOM) if timed else (1, 1, 1)), np.full(2 * leaves, np.inf),
        np.zeros(P + 1, np.int64),
    )  # fmt: skip


def of_groups(levels):
    """Levels, or their integrals, by group: shape (..., groups, 4).

    Examples
    --------
    >>> of_groups(np.arange(12.0))[:, OBTAINED_SHARE]
    array([5., 9.])
    """
    return levels[..., SYSTEM_LEVELS:].reshape(*levels.shape[:-1], -1, GROUP_LEVELS)


@inlined
def of_group(g, which):
    """Where in `System.level` a group's FEASIBLE_SHARE, OBTAINED_SHARE, JOBS or PROCESSORS_HELD stands."""
    return SYSTEM_LEVELS + GROUP_LEVELS * g + which


@inlined
def claim(system, g, p):
    """The claim of a group on a processor, as `compiled.service.claim` has it, but without a branch."""
    jobs = system.count[p, 1 + g]
    weight = 1.0 if system.rule == PS else system.amount[p, WEIGHT, 1 + g]
    return weight * (jobs > 0 if system.rule == GPPS else jobs)


@inlined
def divide_again(system, p):
    """Divide a processor among the groups on it."""
    amount, level, claims = system.amount, system.level, 0.0
    for g in range(groups(system)):
        claims += claim(system, g, p)
    scale = amount[p, WEIGHT, TOTAL] / (claims + (claims == 0))
    for g in range(groups(system)):
        share = scale * claim(system, g, p)
        obtained = level[of_group(g, OBTAINED_SHARE)] + (share - amount[p, SHARE, 1 + g])
        amount[p, SHARE, 1 + g] = share
        level[of_group(g, OBTAINED_SHARE)] = obtained if system.present[1 + g] > 0 else 0.0


@inlined
def change(system, g, p, by, now):
    """One job of a group more or less on a processor (`by` is 1 or -1); the clocks must stand at the present."""
    count, level, P = system.count, system.level, processors(system)
    total, own = count[p, TOTAL] + by, count[p, 1 + g] + by
    count[p, TOTAL], count[p, 1 + g] = total, own
    system.present[TOTAL] += by
    system.present[1 + g] += by
    jobs = system.present[1 + g]
    comes, goes = int(own == 1 and by > 0), int(own == 0)
    several = int(system.kinds[p] > 1)
    system.kinds[p] += comes - goes
    mixed = int(system.kinds[p] > 1)
    level[PAIRS] += mixed * (total == 2) - several * (total - by == 2)
    level[CROWDS] += mixed * (total > 2) - several * (total - by > 2)
    level[of_group(g, PROCESSORS_HELD)] += comes - goes
    level[of_group(g, JOBS)] = jobs
    level[of_group(g, FEASIBLE_SHARE)] = min(system.required[g], system.reach[FEASIBLE, min(jobs, P)])
    level[ABLE_TO_USE] = system.reach[ABLE, min(system.present[TOTAL], P)]
    rank_again(system, p, by)
    wakes, sleeps = int(total == 1 and by > 0), int(total == 0)
    system.amount[p, SHARE, TOTAL] += (sleeps - wakes) * now
    if system.equal:
        busy = system.kinds[P] + wakes - sleeps
        system.kinds[P] = busy
        level[IN_USE] = system.reach[ABLE, busy]
    else:
        in_use = level[IN_USE] + (wakes - sleeps) * system.amount[p, WEIGHT, TOTAL]
        level[IN_USE] = in_use if system.present[TOTAL] > 0 else 0.0
    divide_again(system, p)


@kernel
def change_apart(system, g, p, by, now):
    """`change`, compiled once for all who do not call it at every event."""
    change(system, g, p, by, now)


@kernel
def advance(system, p, now):
    """Let the clocks of a processor come to a time."""
    clock, share = system.amount[p, CLOCK], system.amount[p, SHARE]
    passed = now - clock[TOTAL]
    clock[TOTAL] = now
    for g in range(groups(system)):
        if system.count[p, 1 + g] > 0:
            clock[1 + g] += share[1 + g] * passed / system.count[p, 1 + g]


@kernel
def foresee(system, p):
    """Find the next departure from a processor, and tell it to those above in the tree."""
    due, clock, share = np.inf, system.amount[p, CLOCK], system.amount[p, SHARE]
    for g in range(groups(system)):
        if system.count[p, 1 + g] > 0:
            left = max(system.leave[p, g, 0] - clock[1 + g], 0.0)
            at = clock[TOTAL] + left * system.count[p, 1 + g] / share[1 + g]
            if at < due:
                due, system.next[p] = at, g
    node = len(system.due) // 2 + p
    system.due[node] = due
    while node > 1:
        node //= 2
        system.due[node] = min(system.due[2 * node], system.due[2 * node + 1])


@kernel
def first_due(system):
    """The processor of the next departure."""
    node, leaves = 1, len(system.due) // 2
    while node < leaves:
        node = 2 * node + (system.due[2 * node + 1] < system.due[2 * node])
    return node - leaves


@inlined
def is_timed(system):
    """Whether sizes are drawn."""
    return system.leave.shape[2] > 1


@kernel
def bring_work(system, g, p, now, size):
    """A job with so much work is about to come to a processor."""
    advance(system, p, now)
    if system.count[p, 1 + g] == 0:
        system.amount[p, CLOCK, 1 + g] = 0.0
    if system.seen is not None:
        reading = system.amount[p, CLOCK, 1 + g] + size
        tracked.enter(system.seen, system.leave[p, g], p * groups(system) + g, system.count[p, 1 + g], reading, now)
    else:
        push(system.leave[p, g], None, system.count[p, 1 + g], system.amount[p, CLOCK, 1 + g] + size, 0)
    if system.count[p, 1 + g] + 3 > system.leave.shape[2]:  # an event may bring two
        system.next[-1] = True


@inlined
def admit(system, g, p, now, size):
    """A job with so much work comes to a processor; without drawn sizes the size is not read."""
    if is_timed(system):
        if system.seen is not None:
            tracked.come(system.seen, now, size)
        bring_work(system, g, p, now, size)
    change(system, g, p, 1, now)
    if is_timed(system):
        foresee(system, p)


@inlined
def complete(system, g, p, now):
    """A job of the group leaves the processor and the system: with drawn sizes, the one that is next."""
    if is_timed(system):
        advance(system, p, now)
        if system.seen is not None:
            tracked.leave(system.seen, system.leave[p, g], p * groups(system) + g, system.count[p, 1 + g])
        else:
            pop(system.leave[p, g], None, system.count[p, 1 + g])
    change(system, g, p, -1, now)
    if is_timed(system):
        foresee(system, p)


@kernel
def take_out(system, rng, g, p, now):
    """Take a random job of a group out of processor p; without drawn sizes what it returns is not read.

    Returns
    -------
    float
        The work that is left of the job.
    """
    left = 0.0
    if is_timed(system):
        advance(system, p, now)
        heap, count = system.leave[p, g], system.count[p, 1 + g]
        chosen = pick(rng, count)
        reading = heap[chosen]
        left = max(reading - system.amount[p, CLOCK, 1 + g], 0.0)
        if system.seen is not None:
            tracked.take(system.seen, heap, p * groups(system) + g, count, chosen)
        else:
            # To the top, as if it were the next to leave, and then out.
            while chosen > 0:
                heap[chosen] = heap[(chosen - 1) // 2]
                chosen = (chosen - 1) // 2
            pop(heap, None, count)
    change_apart(system, g, p, -1, now)
    if is_timed(system):
        foresee(system, p)
    return left


@kernel
def bring_in(system, g, q, now, left):
    """Bring a job with so much work left to processor q."""
    if is_timed(system):
        bring_work(system, g, q, now, left)
    change_apart(system, g, q, 1, now)
    if is_timed(system):
        foresee(system, q)


@word
@kernel
def move(system, rng, g, p, q, now):
    """Migrate a random job of a group from processor p to q, in no time."""
    bring_in(system, g, q, now, take_out(system, rng, g, p, now))
