"""Jobs that take several servers each, replayed under four rules. Each loop fills `start`.

All that happens in one instant, departures before arrivals, happens before it is decided who starts.
"""

import math

import numpy as np

from clustershare.compiled.heaps import pop, push
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel

NOBODY = 2**62  # more servers than any job asks for
LEAVES = 1024  # of the tree, at first


@kernel
def in_order(arrivals, sizes, needs, servers, mapping, room, start):
    """First come, first served, each job mapped by a tracker that takes the next when it has mapped one.

    Parameters
    ----------
    arrivals, sizes : ndarray, shape (jobs,)
    needs : ndarray of int, shape (jobs,)
        Servers of each job.
    servers : int
    mapping : ndarray, shape (jobs,)
        How long the tracker takes to map each job, from when there are servers enough for it.
    room : int
        For jobs in front of the tracker, who comes when it is full is lost; below 0 there is no bound.
    start : ndarray, shape (jobs, 2)
        When each job comes to the tracker, and when it is started; nan where it is lost.
    """
    places = min(len(arrivals), servers)
    when, what, running, free = np.zeros(places), np.zeros(places, np.int64), 0, servers
    before = 0.0  # when the job was started that was mapped last
    entries, accepted, entered = np.zeros(len(arrivals) if room >= 0 else 0), 0, 0
    for j in range(len(arrivals)):
        stop_if_asked(1)
        if room >= 0:
            while entered < accepted and entries[entered] <= arrivals[j]:
                entered += 1
            if before > arrivals[j] and accepted - entered >= room:
                start[j, 0], start[j, 1] = np.nan, np.nan
                continue
        now = max(arrivals[j], before)
        start[j, 0] = now
        if room >= 0:
            entries[accepted] = now
            accepted += 1
        while running > 0 and (when[0] <= now or free < needs[j]):
            now = max(now, when[0])
            free += what[0]
            pop(when, what, running)
            running -= 1
        before = now + mapping[j]
        start[j, 1] = before
        push(when, what, running, before + sizes[j], needs[j])
        running += 1
        free -= needs[j]


@kernel
def put(least, soonest, position, need, estimate):
    """Write what a place of the queue asks for, and what the least is in each of the parts of the queue it is in."""
    node = len(least) // 2 + position
    least[node], soonest[node] = need, estimate
    while node > 1:
        node //= 2
        need, estimate = min(least[2 * node], least[2 * node + 1]), min(soonest[2 * node], soonest[2 * node + 1])
        if least[node] == need and soonest[node] == estimate:
            break
        least[node], soonest[node] = need, estimate


@kernel
def first_that_may(least, soonest, position, free, spare, now, until):
    """The first place from a position on whose job may start: it fits, and ends in time or leaves the spare servers.

    A part of the queue is looked through only if its least need and its least estimate would do together.

    Returns
    -------
    int
        Below 0 if there is none.
    """
    leaves = len(least) // 2
    if position >= leaves:
        return -1
    node = leaves + position
    while True:
        if least[node] <= free and (least[node] <= spare or now + soonest[node] <= until):
            if node >= leaves:
                return node - leaves
            node *= 2
        else:
            while node & 1:
                node //= 2
            if node == 0:
                return -1
            node += 1


@kernel
def insert(ends, whose, running, end, job):
    """A job among those that run, by its expected end, behind its equals."""
    k = running
    while k > 0 and ends[k - 1] > end:
        ends[k], whose[k] = ends[k - 1], whose[k - 1]
        k -= 1
    ends[k], whose[k] = end, job


@kernel
def remove(ends, whose, running, end, job):
    """The job leaves those that run."""
    k = np.searchsorted(ends[:running], end)
    while whose[k] != job:
        k += 1
    while k < running - 1:
        ends[k], whose[k] = ends[k + 1], whose[k + 1]
        k += 1


@kernel
def backfill(easy, arrivals, sizes, needs, estimates, servers, start, reserved):
    """First fit, or EASY backfilling.

    Parameters
    ----------
    easy : bool
        Whether servers are kept for the first in line; else every job in line starts that fits.
    arrivals, sizes, needs, servers
        As for `in_order`.
    estimates : ndarray, shape (jobs,)
        How long each job runs, as far as the rule knows.
    start : ndarray, shape (jobs,)
    reserved : ndarray, shape (jobs,)
        When a job that does not fit was to start when it became the first in line; others keep what stands there.
    """
    jobs, places = len(arrivals), min(len(arrivals), servers)
    when, what, running, free = np.zeros(places), np.zeros(places, np.int64), 0, servers
    ends, whose = np.zeros(places), np.zeros(places, np.int64)  # of the jobs that run, by expected end
    # The queue has a place for each job in the order of arrival; those who left it leave theirs empty.
    line, least, soonest = np.zeros(LEAVES, np.int64), np.full(2 * LEAVES, NOBODY), np.full(2 * LEAVES, np.inf)
    head, tail, waiting = 0, 0, 0
    until, spare = np.inf, servers  # when the first in line can start, and the servers that it leaves then
    j, now = 0, 0.0
    while j < jobs or waiting > 0:
        stop_if_asked(1)
        leaves = running > 0 and (j == jobs or when[0] <= arrivals[j])
        now = when[0] if leaves else arrivals[j]
        position = -1  # where to look for jobs that may start
        if leaves:
            while running > 0 and when[0] <= now:
                job = what[0]
                free += needs[job]
                pop(when, what, running)
                if easy:
                    remove(ends, whose, running, start[job] + estimates[job], job)
                running -= 1
            position = head
        else:
            if tail == len(line):  # move up, with twice the room if half of it is taken
                room = len(line) * (2 if 2 * waiting >= len(line) else 1)
                old, line, least, soonest = line, np.zeros(room, np.int64), least[len(line) :].copy(), soonest
                taken, k = least, 0
                least, soonest = np.full(2 * room, NOBODY), np.full(2 * room, np.inf)
                for place in range(head, tail):
                    if taken[place] < NOBODY:
                        line[k] = old[place]
                        least[room + k], soonest[room + k] = needs[line[k]], estimates[line[k]]
                        k += 1
                for node in range(room - 1, 0, -1):
                    least[node] = min(least[2 * node], least[2 * node + 1])
                    soonest[node] = min(soonest[2 * node], soonest[2 * node + 1])
                head, tail = 0, k
            if waiting == 0:
                head = tail
            line[tail] = j
            put(least, soonest, tail, needs[j], estimates[j])
            position = tail  # the others may not start now, for they might not before
            waiting += 1
            tail += 1
            j += 1
        if waiting == 0:
            continue
        first = position == head
        while waiting > 0:
            while least[len(line) + head] == NOBODY:
                head += 1
            if easy and first:
                position = head
                if needs[line[head]] > free:  # the first in line waits: what is left to the others
                    first = False
                    spare, k = free - needs[line[head]], 0
                    while spare < 0:
                        until = ends[k]
                        spare += needs[whose[k]]
                        k += 1
                    while k < running and ends[k] <= until:
                        spare += needs[whose[k]]
                        k += 1
                    if np.isnan(reserved[line[head]]):
                        reserved[line[head]] = max(until, now)
                    position = head + 1
            if not easy or not first:
                position = first_that_may(least, soonest, position, free, spare, now, until)
                if position < 0:
                    break
            job = line[position]
            start[job] = now
            push(when, what, running, now + sizes[job], job)
            if easy:
                insert(ends, whose, running, now + estimates[job], job)
                if not first and now + estimates[job] > until:
                    spare -= needs[job]
            running += 1
            free -= needs[job]
            put(least, soonest, position, NOBODY, np.inf)
            waiting -= 1


@kernel
def fair(arrivals, sizes, needs, groups, servers, shares, half_life, start):
    """The group that used least beside its share goes first; first come, first served within a group.

    Parameters
    ----------
    arrivals, sizes, needs, servers, start
        As for `backfill`.
    groups : ndarray of int, shape (jobs,)
    shares : ndarray, shape (groups,)
    half_life : float
        In which the weight of what was used halves; infinite if nothing is forgotten.
    """
    jobs, places, count = len(arrivals), min(len(arrivals), servers), len(shares)
    when, what, running, free = np.zeros(places), np.zeros(places, np.int64), 0, servers
    first, last, behind = np.full(count, -1), np.full(count, -1), np.full(jobs, -1)
    used, using = np.zeros(count), np.zeros(count)
    rate = math.log(2.0) / half_life
    j, now, waiting = 0, 0.0, 0
    while j < jobs or waiting > 0:
        stop_if_asked(1)
        then = when[0] if running > 0 else np.inf
        if j < jobs:
            then = min(then, arrivals[j])
        passed = then - now
        now = then
        kept, gained = 1.0, passed
        if rate > 0:
            kept, gained = math.exp(-rate * passed), -math.expm1(-rate * passed) / rate
        for g in range(count):
            used[g] = used[g] * kept + using[g] * gained
        while running > 0 and when[0] <= now:
            job = what[0]
            free += needs[job]
            using[groups[job]] -= needs[job]
            pop(when, what, running)
            running -= 1
        while j < jobs and arrivals[j] <= now:
            g = groups[j]
            if first[g] < 0:
                first[g] = j
            else:
                behind[last[g]] = j
            last[g] = j
            waiting += 1
            j += 1
        while waiting > 0:
            best = -1
            for g in range(count):
                if first[g] >= 0 and (best < 0 or used[g] * shares[best] < used[best] * shares[g]):
                    best = g
            job = first[best]
            if needs[job] > free:
                break
            start[job] = now
            push(when, what, running, now + sizes[job], job)
            running += 1
            free -= needs[job]
            using[best] += needs[job]
            first[best] = behind[job]
            waiting -= 1
