"""Event loops. Both return time averages, shape (3, groups): presence, obtained share, job-share deviation.

With `timed` the holding times are the real ones, from drawn sizes; without, service is exponential and each state is
held for its expected time.
"""

import numpy as np

from clustershare._jit import kernel

STATIC, UP_DOWN, PREEMPTIVE = 0, 1, 2  # rules to serve one job at a time
CONSTANT, POWER = 0, -1  # in place of a number of phases


@kernel
def draw(rng, phases, means, cumulative, exponent):
    """A size: a mixture of Erlangs, a constant, or a power of a uniform number."""
    component = 0
    if len(cumulative) > 1:
        u = rng.random()
        while component < len(cumulative) - 1 and u >= cumulative[component]:
            component += 1
    count = phases[component]
    if count == 1:
        return means[component] * rng.standard_exponential()
    if count == CONSTANT:
        return means[component]
    if count == POWER:
        return means[component] * (1 - rng.random()) ** exponent
    return means[component] * rng.standard_gamma(count)


@kernel
def choose(u, rates):
    """The group in whose rate `u`, between 0 and their sum, falls; never one of rate 0, whatever the rounding."""
    chosen = -1
    for g in range(len(rates)):
        if rates[g] > 0:
            chosen = g
            if u < rates[g]:
                break
            u -= rates[g]
    return chosen


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
    rng, rule, class_of, shares, timed, arrivals, services, permanent, phases, means, cumulative, exponent,
    jumps, warmup,
):
    """One job at a time. A class is a first-in, first-out ring; under PREEMPTIVE its first job may be unfinished."""
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
    present, obtained, uneven = np.zeros(groups), np.zeros(groups + 1), np.zeros(groups + 1)
    until_arrival = rng.standard_exponential() / rate if timed else 0.0
    remaining = 0.0
    serving, job = idle, -1
    decide = True
    step = 0
    while step < warmup + jumps:  # a third quicker than a range here, as compiled
        if decide:
            # The permanent job just served, if any, is still outside: it re-enters after the decision.
            returning, decide = job, False
            if rule == PREEMPTIVE and returning >= 0:
                append(ring, head, waiting, class_of[returning - groups], returning)
                returning = -1
            best = -1
            for c in range(classes):
                if waiting[c] > 0 and (best < 0 or (rule == UP_DOWN and priority[c] > priority[best])):
                    best = c
            if best >= 0:
                job = ring[best, head[best]]
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
                else:
                    remaining = draw(rng, phases, means, cumulative, exponent) / service[serving]

        if step == warmup:
            elapsed = 0.0
            present[:], obtained[:], uneven[:] = 0, 0, 0
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
        for g in range(groups):
            if jobs[g] > 0:
                present[g] += hold
        obtained[serving] += hold
        if jobs[serving] > 1:
            uneven[serving] += hold
        if rule == UP_DOWN:
            for g in range(groups):
                if jobs[g] > 0:
                    priority[g] += hold * (shares[g] - 1 if g == serving else shares[g])

        if not arrival:
            if job < groups:
                jobs[serving] -= 1
                total -= 1
                job = -1
            decide = True
            continue
        if timed:
            until_arrival = rng.standard_exponential() / rate
            u = rng.random() * rate
        g = choose(u, arrivals)
        if total == ring.shape[1]:  # room for all jobs in any one class
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
            serving, job = g, g
            if timed:
                remaining = draw(rng, phases, means, cumulative, exponent) / service[g]
        else:
            append(ring, head, waiting, class_of[g], g)

    result = np.zeros((3, groups))
    result[0], result[1], result[2] = present / elapsed, obtained[:groups] / elapsed, uneven[:groups] / elapsed
    return result


@kernel
def push(heap, size, value):
    """Add a value to the binary heap in `heap[:size]`."""
    k = size
    while k > 0 and heap[(k - 1) // 2] > value:
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    heap[k] = value


@kernel
def pop(heap, size):
    """Remove the smallest value of the binary heap in `heap[:size]`."""
    last = heap[size - 1]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= size - 1:
            break
        if child + 1 < size - 1 and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= last:
            break
        heap[k] = heap[child]
        k = child
    heap[k] = last


@kernel
def share(
    rng, by_job, weights, timed, arrivals, services, permanent, phases, means, cumulative, exponent, jumps, warmup
):
    """All jobs at once: a group's claim is its weight, times its number of jobs if `by_job`.

    Jobs of a group are served alike, so with `timed` a group has one clock, the service that each of its jobs received
    so far, and a heap of the readings at which they leave.
    """
    groups = len(arrivals)
    rate = arrivals.sum()
    transient = np.zeros(groups, np.int64)
    claim, obtained_now, departures = np.zeros(groups), np.zeros(groups), np.zeros(groups)
    leave = np.zeros((groups, 64))
    clock = np.zeros(groups)
    elapsed = 0.0
    present, obtained = np.zeros(groups), np.zeros(groups)
    until_arrival = rng.standard_exponential() / rate if timed else 0.0
    for step in range(warmup + jumps):
        if step == warmup:
            elapsed = 0.0
            present[:], obtained[:] = 0, 0
        total = 0.0
        for g in range(groups):
            jobs = transient[g] + permanent[g]
            claim[g] = 0.0 if jobs == 0 else (weights[g] * jobs if by_job else weights[g])
            total += claim[g]
        scale = 1 / total if total > 0 else 0.0
        flow = rate
        hold = until_arrival
        leaving = -1
        for g in range(groups):
            obtained_now[g] = claim[g] * scale
            if transient[g] == 0:
                departures[g] = 0.0
            elif timed:
                left = (leave[g, 0] - clock[g]) * (transient[g] + permanent[g]) / obtained_now[g]
                if left < hold:
                    hold, leaving = max(left, 0.0), g
            else:
                departures[g] = obtained_now[g] * services[g]
                if permanent[g] > 0:
                    departures[g] *= transient[g] / (transient[g] + permanent[g])
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
        for g in range(groups):
            if claim[g] > 0:
                present[g] += hold
                obtained[g] += obtained_now[g] * hold
                if timed:
                    clock[g] += obtained_now[g] * hold / (transient[g] + permanent[g])

        if leaving >= 0:
            if timed:
                pop(leave[leaving], transient[leaving])
            transient[leaving] -= 1
            if transient[leaving] == 0:
                clock[leaving] = 0.0
            continue
        if timed:
            until_arrival = rng.standard_exponential() / rate
            u = rng.random() * rate
        g = choose(u, arrivals)
        if timed:
            if transient[g] == leave.shape[1]:
                wide = np.zeros((groups, 2 * leave.shape[1]))
                wide[:, :leave.shape[1]] = leave
                leave = wide
            size = draw(rng, phases, means, cumulative, exponent) / services[g]
            push(leave[g], transient[g], clock[g] + size)
        transient[g] += 1

    result = np.zeros((3, groups))
    result[0], result[1] = present / elapsed, obtained / elapsed
    return result
