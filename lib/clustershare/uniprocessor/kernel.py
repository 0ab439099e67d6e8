"""Event loops. Both return time averages, shape (4, groups): presence, obtained share, job-share deviation, jobs.

Of the jobs, the transient ones are counted. A job's size is drawn from the law of its group.

With `timed` the holding times are the real ones, from drawn sizes; without, service is exponential and each state is
held for its expected time. Other arrivals than Poisson, and records of jobs, need `timed`. What is noted of jobs for
records stands in further rows of the arrays that grow: another such array would cost more than all the rest of it.
"""

import numpy as np

from clustershare.compiled.arrivals import wait
from clustershare.compiled.choice import choose
from clustershare.compiled.heaps import pop, push
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import inlined, kernel
from clustershare.compiled.laws import draw
from clustershare.compiled.records import clear, record
from clustershare.compiled.service import divide

STATIC, UP_DOWN, PREEMPTIVE = 0, 1, 2  # rules to serve one job at a time
NOTES, PLACE, ARRIVED, SIZE, FREE = 4, 0, 1, 2, 3  # rows below the heaps: of an entry the place; what stands there


@kernel
def wider(ring, head):
    """The rings with twice the room; each begins at 0 afterwards."""
    classes, room = ring.shape
    result = np.zeros((classes, 2 * room), ring.dtype)
    for c in range(classes):
        for k in range(room):
            result[c, k] = ring[c, (head[c] + k) & (room - 1)]
        head[c] = 0
    return result


@kernel
def append(ring, head, waiting, c, job):
    """A job at the tail of the ring of class c, which has room."""
    ring[c, (head[c] + waiting[c]) & (ring.shape[1] - 1)] = job
    waiting[c] += 1


@kernel
def serve(
    rng, rule, class_of, shares, timed, arrivals, services, permanent, laws, jumps, warmup, stream=None, seen=None
):
    """One job at a time. A class is a first-in, first-out ring; under PREEMPTIVE its first job may be unfinished.

    Parameters
    ----------
    rule : int
        STATIC, UP_DOWN or PREEMPTIVE.
    class_of : ndarray of int, shape (groups,)
        Classes, 0 served first; under UP_DOWN those of the priorities, one a group.
    shares, arrivals, services : ndarray, shape (groups,)
        Required shares and rates.
    timed : bool
        See above.
    permanent : ndarray of int, shape (groups,)
    laws : ndarray
        One a group, of mean 1, as `compiled.encoding` writes them.
    stream : compiled.arrivals.Stream, optional
        When jobs arrive; Poisson if None.
    seen : compiled.records.Seen, optional
        Where the transient jobs that leave after the warm-up are recorded.

    Returns
    -------
    ndarray, shape (4, groups)
    """
    groups = len(arrivals)
    idle = groups  # the "group" in service when there is none
    rate = arrivals.sum()
    service = np.zeros(groups + 1)
    service[:groups] = services
    expected = 1 / (rate + service)
    classes = class_of.max() + 1
    ring = np.zeros((classes, 64), np.int64)  # a job is its group, plus `groups` if it is permanent
    head, waiting = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    unfinished = np.full(classes, -1.0)
    if seen is not None:
        ring, head = np.zeros((2 * classes, 64), np.int64), np.zeros(2 * classes, np.int64)  # below: bits of arrivals
        begun = np.zeros((classes, 2))  # of the unfinished job of each class: its size, and how long it had waited
        now, since, size, waited = 0.0, 0.0, 0.0, 0.0  # the last three of the job in service
    jobs = np.zeros(groups + 1, np.int64)
    total = 0
    priority = shares.copy()
    for g in range(groups):
        for _ in range(permanent[g]):
            if total == ring.shape[1]:
                ring = wider(ring, head)
            append(ring, head, waiting, class_of[g], g + groups)
            jobs[g] += 1
            total += 1

    elapsed = 0.0
    present, number = np.zeros(groups), np.zeros(groups)
    obtained, uneven = np.zeros(groups + 1), np.zeros(groups + 1)
    if stream is None:
        until_arrival = rng.standard_exponential() / rate if timed else 0.0
    else:
        until_arrival = wait(rng, stream)
    remaining = 0.0
    serving, job = idle, -1
    decide = True
    step = 0
    while step < warmup + jumps:  # a third quicker than a range here, as compiled
        stop_if_asked(1)
        if decide:
            # The permanent job just served, if any, is still outside: it re-enters after the decision.
            returning, decide = job, False
            if rule == PREEMPTIVE and returning >= 0:
                append(ring, head, waiting, class_of[returning - groups], returning)
                returning = -1
            best = -1
            for c in range(classes):
                if waiting[c] > 0 and (
                    best < 0 or (rule == UP_DOWN and priority[c] > priority[best])
                ):
                    best = c
            if best >= 0:
                job = ring[best, head[best]]
                if seen is not None:
                    since = np.int64(ring[np.uint64(classes + best), np.uint64(head[best])]).view(np.float64)
                head[best] = (head[best] + 1) & (ring.shape[1] - 1)
                waiting[best] -= 1
                if returning >= 0:
                    append(ring, head, waiting, class_of[returning - groups], returning)
            else:
                job = returning
            serving = idle if job < 0 else (job if job < groups else job - groups)
            if timed and job >= 0:
                if best >= 0 and unfinished[best] >= 0:
                    remaining = unfinished[best]
                    unfinished[best] = -1
                    if seen is not None:
                        size, waited = begun[best, 0], begun[best, 1]
                else:
                    remaining = draw(rng, laws, serving) / service[serving]
                    if seen is not None:
                        size, waited = remaining, now - since

        if step == warmup:
            elapsed = 0.0
            present[:], number[:], obtained[:], uneven[:] = 0, 0, 0, 0
            if seen is not None:
                clear(seen)
        step += 1
        u = 0.0
        if timed:
            arrival = serving == idle or until_arrival <= remaining
            hold = until_arrival if arrival else remaining
            until_arrival -= hold
            remaining -= hold
        else:
            hold = expected[serving]
            u = rng.random() * (rate + service[serving])
            arrival = u < rate
        elapsed += hold
        if seen is not None:
            now += hold
        for g in range(groups):
            if jobs[g] > 0:
                present[g] += hold
                number[g] += hold * jobs[g]
        obtained[serving] += hold
        if jobs[serving] > 1:
            uneven[serving] += hold
        if rule == UP_DOWN:
            for g in range(groups):
                if jobs[g] > 0:
                    priority[g] += hold * (shares[g] - 1 if g == serving else shares[g])

        if not arrival:
            if job < groups:
                if seen is not None:
                    record(seen, serving, size, now - since, waited)
                jobs[serving] -= 1
                total -= 1
                job = -1
            decide = True
            continue
        if timed:
            if stream is None:
                until_arrival = rng.standard_exponential() / rate
            else:
                until_arrival = wait(rng, stream)
            u = rng.random() * rate
        g = choose(u, arrivals)
        if total == ring.shape[1]:  # room for all jobs in any one class
            if seen is not None:
                head[classes:] = head[:classes]
            ring = wider(ring, head)
        total += 1
        jobs[g] += 1
        if serving == idle or (rule == PREEMPTIVE and class_of[g] < class_of[serving]):
            if serving != idle:
                interrupted = class_of[serving]
                head[interrupted] = (head[interrupted] - 1) & (ring.shape[1] - 1)
                ring[interrupted, head[interrupted]] = job
                waiting[interrupted] += 1
                unfinished[interrupted] = remaining
                if seen is not None:
                    ring[classes + interrupted, head[interrupted]] = np.float64(since).view(np.int64)
                    begun[interrupted, 0], begun[interrupted, 1] = size, waited
            serving, job = g, g
            if timed:
                remaining = draw(rng, laws, g) / service[g]
                if seen is not None:
                    since, size, waited = now, remaining, 0.0
        else:
            if seen is not None:
                last = (head[class_of[g]] + waiting[class_of[g]]) & (ring.shape[1] - 1)
                ring[np.uint64(classes + class_of[g]), np.uint64(last)] = np.float64(now).view(np.int64)
            append(ring, head, waiting, class_of[g], g)

    result = np.zeros((4, groups))
    result[0], result[1], result[2] = present / elapsed, obtained[:groups] / elapsed, uneven[:groups] / elapsed
    result[3] = number / elapsed - permanent
    return result


@kernel
def with_notes(groups, leave):
    """Heaps with twice the room, and below them NOTES rows for each group, where `come` notes what is known of jobs."""
    rows, room = leave.shape
    result = np.zeros(((1 + NOTES) * groups, 2 * room))
    result[:rows, :room] = leave
    first = room if rows > groups else 0
    for k in range(first, 2 * room):
        result[(1 + FREE) * groups : (2 + FREE) * groups, k] = k
    return result


@inlined
def come(leave, g, count, clock, size, now):
    """A job of group g comes, to the first place of its group that is free, and into the heap."""
    groups = len(count)
    place = int(leave[(1 + FREE) * groups + g, count[g]])
    leave[(1 + ARRIVED) * groups + g, place], leave[(1 + SIZE) * groups + g, place] = now, size
    push(leave[g], leave[(1 + PLACE) * groups + g], count[g], clock + size, place)


@inlined
def take_leave(seen, leave, g, count, now):
    """The first job of the heap of group g is recorded and goes."""
    groups = len(count)
    place = int(leave[(1 + PLACE) * groups + g, 0])
    record(seen, g, leave[(1 + SIZE) * groups + g, place], now - leave[(1 + ARRIVED) * groups + g, place], 0.0)
    pop(leave[g], leave[(1 + PLACE) * groups + g], count[g])
    leave[(1 + FREE) * groups + g, count[g] - 1] = place


@kernel
def share(
    rng, rule, weights, timed, arrivals, services, permanent, laws, jumps, warmup, stream=None, seen=None
):
    """All jobs at once, the processor divided among the groups by `rule` (see `compiled.service`).

    Jobs of a group are served alike, so with `timed` a group has one clock, the service that each of its jobs received
    so far, and a heap of the readings at which they leave.

    Parameters
    ----------
    rule : int
        `PS`, `PPS` or `GPPS` of `compiled.service`.
    weights : ndarray, shape (groups,)
    timed, arrivals, services, permanent, laws, stream, seen
        As for `serve`.

    Returns
    -------
    ndarray, shape (4, groups)
    """
    groups = len(arrivals)
    rate = arrivals.sum()
    transient, jobs = np.zeros(groups, np.int64), permanent.copy()
    obtained_now, departures = np.zeros(groups), np.zeros(groups)
    leave = np.zeros((groups, 64))
    clock = np.zeros(groups)
    if seen is not None:
        leave = with_notes(groups, leave)
        now = 0.0
    elapsed = 0.0
    present, obtained, number = np.zeros(groups), np.zeros(groups), np.zeros(groups)
    if stream is None:
        until_arrival = rng.standard_exponential() / rate if timed else 0.0
    else:
        until_arrival = wait(rng, stream)
    for step in range(warmup + jumps):
        stop_if_asked(1)
        if step == warmup:
            elapsed = 0.0
            present[:], obtained[:], number[:] = 0, 0, 0
            if seen is not None:
                clear(seen)
        divide(rule, weights, jobs, obtained_now)
        flow = rate
        hold = until_arrival
        leaving = -1
        for g in range(groups):
            if transient[g] == 0:
                departures[g] = 0.0
            elif timed:
                left = (leave[g, 0] - clock[g]) * jobs[g] / obtained_now[g]
                if left < hold:
                    hold, leaving = max(left, 0.0), g
            else:
                departures[g] = obtained_now[g] * services[g]
                if permanent[g] > 0:
                    departures[g] *= transient[g] / jobs[g]
                flow += departures[g]
        u = 0.0
        if timed:
            until_arrival -= hold
        else:
            hold = 1 / flow
            u = rng.random() * flow
            if u >= rate:
                leaving = choose(u - rate, departures)
        elapsed += hold
        if seen is not None:
            now += hold
        for g in range(groups):
            if jobs[g] > 0:
                present[g] += hold
                obtained[g] += obtained_now[g] * hold
                number[g] += transient[g] * hold
                if timed:
                    clock[g] += obtained_now[g] * hold / jobs[g]

        if leaving >= 0:
            if timed:
                if seen is None:
                    pop(leave[leaving], None, transient[leaving])
                else:
                    take_leave(seen, leave, leaving, transient, now)
            transient[leaving] -= 1
            jobs[leaving] -= 1
            if transient[leaving] == 0:
                clock[leaving] = 0.0
            continue
        if timed:
            if stream is None:
                until_arrival = rng.standard_exponential() / rate
            else:
                until_arrival = wait(rng, stream)
            u = rng.random() * rate
        g = choose(u, arrivals)
        if timed:
            if transient[g] == leave.shape[1]:
                if seen is None:
                    wide = np.zeros((groups, 2 * leave.shape[1]))
                    wide[:, : leave.shape[1]] = leave
                else:
                    wide = with_notes(groups, leave)
                leave = wide
            if seen is None:
                push(leave[g], None, transient[g], clock[g] + draw(rng, laws, g) / services[g], 0)
            else:
                come(leave, g, transient, clock[g], draw(rng, laws, g) / services[g], now)
        transient[g] += 1
        jobs[g] += 1

    result = np.zeros((4, groups))
    result[0], result[1], result[3] = present / elapsed, obtained / elapsed, number / elapsed
    return result
