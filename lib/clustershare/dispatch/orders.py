"""Processors in order: by the number of jobs and, for each group, by its number of jobs there and then by all.

So the fewest and the most are found without a search, and a job that comes or goes moves its processor by a few places.
The orders of a system are its `rank`, shape (3, 1 or 1 + G, P): ORDER, the processors in each order; PLACE, where each
of them stands in it; KEY, by what. `start`, shape (1 or 1 + G, WIDTH DEPTH + 1), has the first place of each key, and
`score`, shape (P,), is for rules to write into.
"""

import numpy as np

from clustershare.dispatch.jit import inlined, kernel
from clustershare.dispatch.tape import pick
from clustershare.dispatch.words import word

TOTAL = 0  # the order by the number of all jobs; that of group g is 1 + g
ORDER, PLACE, KEY = 0, 1, 2
WIDTH, DEPTH = 16, 64  # numbers from these on are told apart by looking, not by the order


@inlined
def groups(system):
    """How many groups there are."""
    return len(system.required)


@inlined
def processors(system):
    """How many processors there are."""
    return len(system.score)


@inlined
def rank_again(system, p, by):
    """Move a processor with a job more or less to its places in all orders."""
    total = system.count[p, TOTAL]
    key, own = min(total, WIDTH * DEPTH - 1), system.rank[KEY, TOTAL, p]
    if key != own:
        _exchange(system, TOTAL, p, max(own, key), by > 0)
        system.rank[KEY, TOTAL, p] = key
    for row in range(1, system.rank.shape[1]):
        _rank(system, row, p, min(system.count[p, row], DEPTH - 1) * WIDTH + min(total, WIDTH - 1))


@inlined
def _exchange(system, row, p, border, up):
    """Let a processor pass the border below a key, by changing places with the one that stands at it."""
    order, place = system.rank[ORDER, row], system.rank[PLACE, row]
    there = system.start[row, border] - up
    system.start[row, border] += 1 - 2 * up
    other, here = order[there], place[p]
    order[here], place[other] = other, here
    order[there], place[p] = p, there


@inlined
def _rank(system, row, p, key):
    """Move a processor to its place in an order, by way of the keys between."""
    own = system.rank[KEY, row, p]
    system.rank[KEY, row, p] = key
    while own < key:
        own += 1
        _exchange(system, row, p, own, 1)
    while own > key:
        _exchange(system, row, p, own, 0)
        own -= 1


@inlined
def _tells(key, row):
    """Whether a key says how many jobs there are; the last ones stand for all that are more."""
    return key < WIDTH * DEPTH - 1 if row == TOTAL else key % WIDTH < WIDTH - 1 and key // WIDTH < DEPTH - 1


@inlined
def _number(system, row, p):
    """By what an order orders, as one number: for a group its jobs before all jobs."""
    return float(system.count[p, TOTAL]) if row == TOTAL else system.count[p, row] + system.count[p, TOTAL] * 2.0**-30


@inlined
def _least(system, rng, row, begin):
    """One of the processors from a place of an order on that have one key: the least where the key does not tell."""
    key = system.rank[KEY, row, system.rank[ORDER, row, begin]]
    end = system.start[row, key + 1]
    if _tells(key, row):
        return system.rank[ORDER, row, begin + pick(rng, end - begin)]
    for k in range(begin, end):
        p = system.rank[ORDER, row, k]
        system.score[p] = _number(system, row, p)
    return least_of(system, rng, row, begin, end)


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


@word
@inlined
def best_scored(system, rng):
    """A processor whose score is least, at random among equals; -1 if none is finite."""
    return least_of(system, rng, TOTAL, 0, processors(system))


@word
@inlined
def fewest(system, rng, row):
    """A processor with the fewest jobs: of all (TOTAL), or of a group and then of all."""
    return _least(system, rng, row, 0)


@word
@kernel
def fewest_but_some(system, rng, g):
    """A processor with the fewest jobs of a group, but one at least, and then the fewest of all; -1 if none."""
    begin = system.start[1 + g, WIDTH]
    return _least(system, rng, 1 + g, begin) if begin < processors(system) else -1


@word
@kernel
def most(system, rng, row):
    """A processor with the most jobs: of all (TOTAL), or of a group and then of all."""
    last = processors(system) - 1
    key = system.rank[KEY, row, system.rank[ORDER, row, last]]
    begin = system.start[row, key]
    if _tells(key, row):
        return system.rank[ORDER, row, begin + pick(rng, last + 1 - begin)]
    for k in range(begin, last + 1):
        p = system.rank[ORDER, row, k]
        system.score[p] = -_number(system, row, p)
    return least_of(system, rng, row, begin, last + 1)


@kernel
def like_one_at(system, rng, row, place):
    """One of the processors that have as many jobs as the one at a place of an order, were it an order throughout."""
    key = system.rank[KEY, row, system.rank[ORDER, row, place]]
    begin, end = system.start[row, key], system.start[row, key + 1]
    if _tells(key, row):
        return system.rank[ORDER, row, begin + pick(rng, end - begin)]
    for k in range(begin, end):
        p = system.rank[ORDER, row, k]
        system.score[p] = _number(system, row, p)
    before = place - begin
    while True:  # those with the fewest, until the place is among them
        least, ties = np.inf, 0
        for k in range(begin, end):
            score = system.score[system.rank[ORDER, row, k]]
            if score < least:
                least, ties = score, 0
            ties += score == least
        if before < ties:
            return least_of(system, rng, row, begin, end)
        before -= ties
        for k in range(begin, end):
            p = system.rank[ORDER, row, k]
            if system.score[p] == least:
                system.score[p] = np.inf


@word
@inlined
def an_idle_one(system, rng):
    """An idle processor at random, -1 if there is none."""
    idle = system.start[TOTAL, 1]
    return system.rank[ORDER, TOTAL, pick(rng, idle)] if idle > 0 else -1


@word
@inlined
def any_of(system, rng, count):
    """One of 0, ..., count - 1 with equal probabilities."""
    return pick(rng, count)


@word
@inlined
def idle_ones(system):
    """How many processors are idle."""
    return system.start[TOTAL, 1]


@word
@inlined
def part_of_one(system):
    """One processor's part of the whole capacity, where all are equal."""
    return 1 / processors(system)


@word
@inlined
def knows_all(system):
    """Whether the rules see all processors, as they are."""
    return True


@word
@inlined
def own_of_fewest(system, row):
    """The processor that decides, if it has the fewest jobs; else -1, as in a `System`, where none decides."""
    return -1


@word
@inlined
def took(system, rule):
    """A note of the rule that decided: of no interest for a `System`."""


@word
@kernel
def group_of_random_job(system, rng, p):
    """The group of a random job on a processor that has jobs."""
    k = pick(rng, system.count[p, TOTAL])
    g = 0
    while k >= system.count[p, 1 + g]:
        k -= system.count[p, 1 + g]
        g += 1
    return g
