"""The state of processors with their jobs, and all that may happen to it: compiled parts of the event loop.

Processors are kept in order, by the number of jobs and, for each group, by its number of jobs there and then by all.
So the fewest and the most are found without a search, and a job that comes or goes moves its processor by a few places.
Who is served at what rate is kept up to date as jobs come and go.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from clustershare.compiled.heaps import pop, push
from clustershare.compiled.jit import kept_with
from clustershare.compiled.service import claim

kernel = kept_with(Path(__file__).parent)
inlined = kept_with(Path(__file__).parent, forceinline=True)  # a call would copy what describes a dozen arrays

TOTAL = 0  # the order by the number of all jobs; that of group g is 1 + g
REQUIRED, OBTAINED, FEASIBLE = 0, 1, 2
WEIGHT, SHARE, CLOCK = 0, 1, 2
ORDER, PLACE, KEY = 0, 1, 2
WIDTH, DEPTH = 16, 64  # numbers from these on are told apart by looking, not by the order
ROOM = 8  # for the jobs of a group on a processor, at first; doubled where it does not do
NEAR = 1e-9  # shares are compared within this


class System(NamedTuple):
    """Jobs of G groups on P processors; all arrays are changed in place, and few, because every call hands them on.

    Where a last axis has 1 + G entries, the first is for all jobs and the others for those of each group.

    Attributes
    ----------
    rule : int
        Of `compiled.service`.
    count : ndarray of int, shape (P, 1 + G)
        Jobs on each processor.
    present : ndarray of int, shape (1 + G,)
        Jobs in the system.
    group : ndarray, shape (3, 1 + G)
        REQUIRED, OBTAINED and FEASIBLE shares; what all jobs obtain is the capacity in use.
    amount : ndarray, shape (3, P, 1 + G)
        WEIGHT: the capacity of a processor, a fraction of the whole, and the groups' weights there under GPPS. SHARE:
        what groups obtain there of the whole. CLOCK, if sizes are drawn: a time, and the service that each job of a
        group had received there by then.
    rank : ndarray of int, shape (3, 1 or 1 + G, P)
        ORDER: the processors in each order; PLACE: where each of them stands in it; KEY: by what.
    start : ndarray of int, shape (1 or 1 + G, WIDTH DEPTH + 1)
        The first place of each key.
    score : ndarray, shape (P,)
        For rules to write into.
    leave : ndarray, shape (P, G, room)
        If sizes are drawn: heaps of the readings of the clocks at which jobs leave.
    due : ndarray, shape (2 P, rounded up to a power of 2,)
        A tree of the times of the next departures: each is the less of the two below it, the processors' are last.
    next : ndarray of int, shape (P + 1,)
        Whose job is next to leave each processor; last, whether one of the heaps is nearly full.
    """

    rule: int
    count: np.ndarray
    present: np.ndarray
    group: np.ndarray
    amount: np.ndarray
    rank: np.ndarray
    start: np.ndarray
    score: np.ndarray
    leave: np.ndarray
    due: np.ndarray
    next: np.ndarray


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
    group, amount = np.zeros((3, 1 + G)), np.zeros((3, P, 1 + G))
    group[REQUIRED, 1:], amount[WEIGHT, :, TOTAL], amount[WEIGHT, :, 1:] = required, capacities, weights
    rank, start = np.zeros((3, rows, P), np.int64), np.full((rows, WIDTH * DEPTH + 1), P)
    rank[ORDER], rank[PLACE], start[:, 0] = np.arange(P), np.arange(P), 0
    return System(
        rule, np.zeros((P, 1 + G), np.int64), np.zeros(1 + G, np.int64), group, amount, rank, start, np.zeros(P),
        np.zeros((P, G, ROOM) if timed else (1, 1, 1)), np.full(2 * leaves, np.inf), np.zeros(P + 1, np.int64),
    )  # fmt: skip


class Tape(NamedTuple):
    """Choices laid down beforehand, in place of a generator, and among how many each was: shape (longest,)."""

    choices: np.ndarray
    among: np.ndarray
    position: np.ndarray


def pick(rng, count):
    """One of 0, ..., count - 1 with equal probabilities; from a `Tape`, the one that is laid down."""
    return next_of(rng, count) if isinstance(rng, Tape) else min(int(rng.random() * count), count - 1)


@kernel
def next_of(tape, count):
    """The next choice of a tape, and a note of among how many it was."""
    k = tape.position[0]
    tape.among[k] = count
    tape.position[0] = k + 1
    return tape.choices[k]


@overload(pick)
def _pick(rng, count):
    if isinstance(rng, types.BaseNamedTuple):
        return lambda rng, count: next_of(rng, count)
    return lambda rng, count: min(int(rng.random() * count), count - 1)


@inlined
def rank(system, row, p, key):
    """Move a processor to its place in an order, by way of the keys between."""
    order, place, start = system.rank[ORDER], system.rank[PLACE], system.start
    own = system.rank[KEY, row, p]
    system.rank[KEY, row, p] = key
    here = place[row, p]
    while own != key:
        if own < key:
            own += 1
            start[row, own] -= 1
            there = start[row, own]
        else:
            there = start[row, own]
            start[row, own] += 1
            own -= 1
        if there != here:
            other = order[row, there]
            order[row, here], place[row, other] = other, here
            here = there
    order[row, here], place[row, p] = p, here


@inlined
def rank_again(system, p):
    """Move a processor to its places in all orders."""
    total = system.count[p, TOTAL]
    rank(system, TOTAL, p, min(total, WIDTH * DEPTH - 1))
    for row in range(1, system.rank.shape[1]):
        rank(system, row, p, min(system.count[p, row], DEPTH - 1) * WIDTH + min(total, WIDTH - 1))


@inlined
def divide_again(system, p):
    """Divide a processor among the groups on it."""
    groups = system.group.shape[1] - 1
    claims = 0.0
    for g in range(groups):
        system.group[OBTAINED, 1 + g] -= system.amount[SHARE, p, 1 + g]
        system.amount[SHARE, p, 1 + g] = claim(system.rule, system.amount[WEIGHT, p, 1 + g], system.count[p, 1 + g])
        claims += system.amount[SHARE, p, 1 + g]
    scale = system.amount[WEIGHT, p, TOTAL] / claims if claims > 0 else 0.0
    for g in range(groups):
        system.amount[SHARE, p, 1 + g] *= scale
        system.group[OBTAINED, 1 + g] = (
            system.group[OBTAINED, 1 + g] + system.amount[SHARE, p, 1 + g] if system.present[1 + g] > 0 else 0.0
        )


@inlined
def change(system, g, p, by):
    """One job of a group more or less on a processor (`by` is 1 or -1); the clocks must stand at the present."""
    if by > 0 and system.count[p, TOTAL] == 0:
        system.group[OBTAINED, TOTAL] += system.amount[WEIGHT, p, TOTAL]
    system.count[p, 1 + g] += by
    system.count[p, TOTAL] += by
    system.present[1 + g] += by
    system.present[TOTAL] += by
    if system.count[p, TOTAL] == 0:
        system.group[OBTAINED, TOTAL] -= system.amount[WEIGHT, p, TOTAL]
    if system.present[TOTAL] == 0:
        system.group[OBTAINED, TOTAL] = 0.0
    rank_again(system, p)
    divide_again(system, p)


@kernel
def advance(system, p, now):
    """Let the clocks of a processor come to a time."""
    passed = now - system.amount[CLOCK, p, TOTAL]
    system.amount[CLOCK, p, TOTAL] = now
    for g in range(system.group.shape[1] - 1):
        if system.count[p, 1 + g] > 0:
            system.amount[CLOCK, p, 1 + g] += system.amount[SHARE, p, 1 + g] * passed / system.count[p, 1 + g]


@kernel
def foresee(system, p):
    """Find the next departure from a processor, and tell it to those above in the tree."""
    due = np.inf
    for g in range(system.group.shape[1] - 1):
        if system.count[p, 1 + g] > 0:
            left = max(system.leave[p, g, 0] - system.amount[CLOCK, p, 1 + g], 0.0)
            at = system.amount[CLOCK, p, TOTAL] + left * system.count[p, 1 + g] / system.amount[SHARE, p, 1 + g]
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
def change_apart(system, g, p, by):
    """`change`, compiled once for all who do not call it at every event."""
    change(system, g, p, by)


@kernel
def bring_work(system, g, p, now, size):
    """A job with so much work is about to come to a processor."""
    advance(system, p, now)
    if system.count[p, 1 + g] == 0:
        system.amount[CLOCK, p, 1 + g] = 0.0
    push(system.leave[p, g], None, system.count[p, 1 + g], system.amount[CLOCK, p, 1 + g] + size, 0)
    if system.count[p, 1 + g] + 3 > system.leave.shape[2]:  # an event may bring two
        system.next[-1] = True


@inlined
def admit(system, g, p, now, size):
    """A job with so much work comes to a processor; without drawn sizes time and size are not read."""
    if is_timed(system):
        bring_work(system, g, p, now, size)
    change(system, g, p, 1)
    if is_timed(system):
        foresee(system, p)


@inlined
def complete(system, g, p, now):
    """A job of the group leaves the processor and the system: with drawn sizes, the one that is next."""
    if is_timed(system):
        advance(system, p, now)
        pop(system.leave[p, g], None, system.count[p, 1 + g])
    change(system, g, p, -1)
    if is_timed(system):
        foresee(system, p)


@kernel
def move(system, rng, g, p, q, now):
    """Migrate a random job of a group from processor p to q."""
    left = 0.0
    if is_timed(system):
        advance(system, p, now)
        heap, count = system.leave[p, g], system.count[p, 1 + g]
        chosen = pick(rng, count)
        reading = heap[chosen]
        left = max(reading - system.amount[CLOCK, p, 1 + g], 0.0)
        # To the top, as if it were the next to leave, and then out.
        while chosen > 0:
            heap[chosen] = heap[(chosen - 1) // 2]
            chosen = (chosen - 1) // 2
        pop(heap, None, count)
    change_apart(system, g, p, -1)
    if is_timed(system):
        foresee(system, p)
        bring_work(system, g, q, now, left)
    change_apart(system, g, q, 1)
    if is_timed(system):
        foresee(system, q)


@inlined
def _least(system, rng, row, begin, end):
    """One of the processors at these places of an order, with equal keys: the least where the key does not tell."""
    key = system.rank[KEY, row, system.rank[ORDER, row, begin]]
    whole = key < WIDTH * DEPTH - 1 if row == TOTAL else key % WIDTH < WIDTH - 1 and key // WIDTH < DEPTH - 1
    if whole:
        return system.rank[ORDER, row, begin + pick(rng, end - begin)]
    for k in range(begin, end):
        p = system.rank[ORDER, row, k]
        system.score[p] = _number(system, row, p)
    return least_of(system, rng, row, begin, end)


@inlined
def _number(system, row, p):
    """By what an order orders, as one number: for a group its jobs before all jobs."""
    return float(system.count[p, TOTAL]) if row == TOTAL else system.count[p, row] + system.count[p, TOTAL] * 2.0**-30


@kernel
def least_of(system, rng, row, begin, end):
    """One of the processors at these places of an order whose score is least, at random; -1 if none is finite."""
    best, ties = np.inf, 0
    for k in range(begin, end):
        score = system.score[system.rank[ORDER, row, k]]
        if score < best:
            best, ties = score, 1
        elif score == best:
            ties += 1
    if best == np.inf:
        return -1
    chosen = pick(rng, ties)
    for k in range(begin, end):
        if system.score[system.rank[ORDER, row, k]] == best:
            if chosen == 0:
                return system.rank[ORDER, row, k]
            chosen -= 1
    return -1


@inlined
def best_scored(system, rng):
    """A processor whose score is least, at random among equals; -1 if none is finite."""
    return least_of(system, rng, TOTAL, 0, len(system.count))


@inlined
def fewest(system, rng, row):
    """A processor with the fewest jobs: of all (TOTAL), or of a group and then of all."""
    return _least(system, rng, row, 0, system.start[row, system.rank[KEY, row, system.rank[ORDER, row, 0]] + 1])


@kernel
def fewest_but_some(system, rng, g):
    """A processor with the fewest jobs of a group, but one at least, and then the fewest of all; -1 if none."""
    row = 1 + g
    begin = system.start[row, WIDTH]
    if begin == len(system.count):
        return -1
    return _least(system, rng, row, begin, system.start[row, system.rank[KEY, row, system.rank[ORDER, row, begin]] + 1])


@kernel
def most(system, rng, row):
    """A processor with the most jobs: of all (TOTAL), or of a group and then of all."""
    last = len(system.count) - 1
    key = system.rank[KEY, row, system.rank[ORDER, row, last]]
    begin = system.start[row, key]
    whole = key < WIDTH * DEPTH - 1 if row == TOTAL else key % WIDTH < WIDTH - 1 and key // WIDTH < DEPTH - 1
    if whole:
        return system.rank[ORDER, row, begin + pick(rng, last + 1 - begin)]
    for k in range(begin, last + 1):
        p = system.rank[ORDER, row, k]
        system.score[p] = -_number(system, row, p)
    return least_of(system, rng, row, begin, last + 1)


@inlined
def an_idle_one(system, rng):
    """An idle processor at random, -1 if there is none."""
    idle = system.start[TOTAL, 1]
    return system.rank[ORDER, TOTAL, pick(rng, idle)] if idle > 0 else -1


@kernel
def group_of_random_job(system, rng, p):
    """The group of a random job on a processor that has jobs."""
    k = pick(rng, system.count[p, TOTAL])
    g = 0
    while k >= system.count[p, 1 + g]:
        k -= system.count[p, 1 + g]
        g += 1
    return g
