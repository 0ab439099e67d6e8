"""Event loops of the cluster with preemptive priority, and of the cluster whose servers sleep."""

import numpy as np

from clustershare.compiled.choice import choose
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel
from clustershare.compiled.laws import draw


@kernel
def earliest(times, count):
    """The index of the least of the first `count` times, and that time."""
    best, time = -1, np.inf
    for k in range(count):
        if times[k] < time:
            best, time = k, times[k]
    return best, time


@kernel
def remove(table, count, k):
    """Take row k out of the first `count` rows and keep the order of the others."""
    for row in range(k, count - 1):
        table[row] = table[row + 1]


@kernel
def priority(rng, servers, room, sizes, arrival_rates, tracker_rate, service_rates, laws, jumps, warmup):
    """Two classes of jobs; those of class 0 evict those of class 1, which resume later where they were stopped.

    A job is a row (arrival time, work left, end). Rows of `waiting[c]` are in the order of the line, rows of
    `running[c]` in the order of their start: the last ones are evicted first, and go to the head of their line.

    Parameters
    ----------
    room, sizes : ndarray of int, shape (2,)
        Places of each line, the tracker's included; servers of a job.
    arrival_rates, service_rates : ndarray, shape (2,)
    laws : ndarray
        One, of mean 1, as `compiled.encoding` writes it.

    Returns
    -------
    ndarray, shape (5, 2)
        By class: the fraction lost, mean numbers waiting and running, the mean response time, and for each finished
        job of class 1 the number of evictions.
    """
    most = max(servers // sizes[0], servers // sizes[1]) + 1
    waiting = np.zeros((2, room.max() + most, 3))
    running = np.zeros((2, most, 3))
    queued, served = np.zeros(2, np.int64), np.zeros(2, np.int64)
    areas, came, lost = np.zeros((2, 2)), np.zeros(2), np.zeros(2)
    finished, response, evicted = np.zeros(2), np.zeros(2), 0
    now, start, mapped, mapping = 0.0, 0.0, np.inf, -1
    arrival = rng.standard_exponential(2) / arrival_rates
    step = 0
    while step < warmup + jumps:
        stop_if_asked(1)
        if step == warmup:
            start, evicted = now, 0
            areas[:], came[:], lost[:], finished[:], response[:] = 0, 0, 0, 0, 0
        step += 1
        first, time_0 = earliest(running[0, :, 2], served[0])
        second, time_1 = earliest(running[1, :, 2], served[1])
        time = min(min(arrival[0], arrival[1]), min(mapped, min(time_0, time_1)))
        for c in range(2):
            areas[0, c] += (time - now) * queued[c]
            areas[1, c] += (time - now) * served[c]
        now = time
        if time == time_0 or time == time_1:
            c, k = (0, first) if time == time_0 else (1, second)
            finished[c] += 1
            response[c] += now - running[c, k, 0]
            remove(running[c], served[c], k)
            served[c] -= 1
        elif time == mapped:
            c = mapping
            job = waiting[c, 0].copy()
            remove(waiting[c], queued[c], 0)
            queued[c] -= 1
            if c == 0:
                while servers - sizes[0] * (served[0] + 1) < sizes[1] * served[1]:
                    served[1] -= 1
                    evicted += 1
                    for row in range(queued[1], 0, -1):
                        waiting[1, row] = waiting[1, row - 1]
                    waiting[1, 0] = running[1, served[1]]
                    waiting[1, 0, 1] = running[1, served[1], 2] - now
                    queued[1] += 1
            job[2] = now + job[1]
            running[c, served[c]] = job
            served[c] += 1
            mapping, mapped = -1, np.inf
        else:
            c = 0 if time == arrival[0] else 1
            came[c] += 1
            if queued[c] < room[c]:
                waiting[c, queued[c], 0] = now
                waiting[c, queued[c], 1] = draw(rng, laws, 0) / service_rates[c]
                queued[c] += 1
            else:
                lost[c] += 1
            arrival[c] = now + rng.standard_exponential() / arrival_rates[c]
        # The tracker is for the first job in line, and that of class 0 if there is one.
        next_job = 0 if queued[0] > 0 else (1 if queued[1] > 0 else -1)
        if next_job >= 0:
            used = sizes[0] * served[0] + (sizes[1] * served[1] if next_job == 1 else 0)
            if used + sizes[next_job] > servers:
                next_job = -1
        if next_job != mapping:
            mapping = next_job
            mapped = now + rng.standard_exponential() / tracker_rate if mapping >= 0 else np.inf
    span = now - start
    result = np.zeros((5, 2))
    result[0] = lost / np.maximum(came, 1)
    result[1], result[2] = areas[0] / span, areas[1] / span
    result[3] = response / np.maximum(finished, 1)
    result[4, 1] = evicted / max(finished[1], 1)
    return result


@kernel
def energy(rng, servers, capacity, jobs, arrival_rate, tracker_rate, setup_rate, shutdown_rate, laws, jumps, warmup):
    """A cluster whose idle servers switch off, and are set up one by one when the job at the tracker needs them.

    A server being set up has its own time of being ready, of the given law; where fewer are needed, the youngest are
    given up.

    Parameters
    ----------
    jobs : tuple of ndarray, shape (sizes,)
        Sizes, their probabilities and their service rates.
    laws : ndarray
        One, of mean 1, as `compiled.encoding` writes it.

    Returns
    -------
    ndarray, shape (7,)
        The mean queue, the fraction lost, the mean delay, and the mean numbers of servers that are busy, idle, set up
        and down.
    """
    sizes, probabilities, service_rates = jobs
    queue = np.zeros(max(capacity, 1))
    queued, tracked = 0, -1
    ends, kinds, running = np.zeros(servers), np.zeros(servers, np.int64), 0
    ready, setups = np.zeros(servers), 0
    idle, busy = servers, 0
    now, start, areas = 0.0, 0.0, np.zeros(5)
    came, lost, entered, waited = 0, 0, 0, 0.0
    arrival, mapped = rng.standard_exponential() / arrival_rate, np.inf
    step = 0
    while step < warmup + jumps:
        stop_if_asked(1)
        if step == warmup:
            start, came, lost, entered, waited = now, 0, 0, 0, 0.0
            areas[:] = 0
        step += 1
        spare = idle if tracked < 0 else max(idle - sizes[tracked], 0)
        # Exponential, and so drawn afresh at each event.
        off = now + rng.standard_exponential() / (spare * shutdown_rate) if spare * shutdown_rate > 0 else np.inf
        done, end = earliest(ends, running)
        up, set_up = earliest(ready, setups)
        time = min(min(arrival, mapped), min(min(end, set_up), off))
        areas[0] += (time - now) * queued
        areas[1] += (time - now) * busy
        areas[2] += (time - now) * idle
        areas[3] += (time - now) * setups
        areas[4] += (time - now) * (servers - busy - idle - setups)
        now = time
        take = False
        if time == end:
            busy -= sizes[kinds[done]]
            idle += sizes[kinds[done]]
            running -= 1
            ends[done], kinds[done] = ends[running], kinds[running]
        elif time == set_up:
            remove(ready, setups, up)
            setups -= 1
            idle += 1
        elif time == mapped:
            mapped = np.inf
            ends[running], kinds[running] = now + rng.standard_exponential() / service_rates[tracked], tracked
            running += 1
            busy += sizes[tracked]
            idle -= sizes[tracked]
            tracked = -1
            if queued > 0:
                waited += now - queue[0]
                remove(queue, queued, 0)
                queued -= 1
                take = True
        elif time == off:
            idle -= 1
        else:
            came += 1
            if tracked < 0:
                take = True
            elif queued < capacity:
                queue[queued] = now
                queued += 1
            else:
                lost += 1
            arrival = now + rng.standard_exponential() / arrival_rate
        if take:
            entered += 1
            tracked = choose(rng.random(), probabilities)
        wanted = 0 if tracked < 0 else min(max(sizes[tracked] - idle, 0), servers - busy - idle)
        while setups < wanted:
            ready[setups] = now + draw(rng, laws, 0) / setup_rate
            setups += 1
        setups = wanted  # the youngest are last
        if tracked >= 0 and mapped == np.inf and sizes[tracked] <= idle:
            mapped = now + rng.standard_exponential() / tracker_rate
    span = now - start
    result = np.zeros(7)
    result[0], result[1], result[2] = areas[0] / span, lost / max(came, 1), waited / max(entered, 1)
    result[3:] = areas[1:] / span
    return result
