"""Algorithm 1 of `balanced`, replayed: a queue for all, of which only the first job of each class can be in service.

Two jobs of a class may use the same servers, so that the one behind never finds one that the other leaves.
"""

import numpy as np

from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel


@kernel
def interrupted(rng, quantum, capacities, degrees, servers_of_class, arrivals, sizes, classes, start, end, times):
    """First come, first served with random interruptions.

    Parameters
    ----------
    rng : numpy.random.Generator
    quantum : float
        Mean of the exponential work after which a job goes to the end of the queue; infinite for no interruptions.
    capacities : ndarray, shape (servers,)
    degrees : ndarray of int, shape (classes,)
    servers_of_class : ndarray of int, shape (classes, most)
        The first `degrees` of each row.
    arrivals, sizes : ndarray, shape (jobs,)
        Sizes in work.
    classes : ndarray of int, shape (jobs,)
    start, end : ndarray, shape (jobs,)
        They are filled: when a job is first served, and when it leaves.
    times : ndarray of int, shape (jobs,)
        How often each job was interrupted; added to.
    """
    jobs, count, servers = len(arrivals), len(degrees), len(capacities)
    first, last, behind = np.full(count, -1), np.full(count, -1), np.full(jobs, -1)
    left, until, entry = sizes.copy(), np.full(jobs, np.inf), np.zeros(jobs, np.int64)
    order, queued = np.zeros(count, np.int64), 0  # classes with jobs, as their first jobs stand in the queue
    taken, rate = np.zeros(servers, np.int64), np.zeros(count)
    entries, j, now, gone, steps = 0, 0, 0.0, 0, 0
    while gone < jobs:
        stop_if_asked(1)
        steps += 1
        rest, served = servers, 0
        while served < queued and rest > 0:
            c = order[served]
            rate[c] = 0.0
            for k in range(degrees[c]):
                server = servers_of_class[c, k]
                if taken[server] < steps:
                    taken[server] = steps
                    rate[c] += capacities[server]
                    rest -= 1
            if rate[c] > 0 and np.isnan(start[first[c]]):
                start[first[c]] = now
            served += 1
        hold, next_class = np.inf, -1
        if j < jobs:
            hold = arrivals[j] - now
        for k in range(served):
            c = order[k]
            if rate[c] > 0:
                due = max(min(left[first[c]], until[first[c]]), 0.0) / rate[c]
                if due <= hold:
                    hold, next_class = due, c
        ends = next_class >= 0 and left[first[next_class]] <= until[first[next_class]]
        for k in range(served):
            c = order[k]
            left[first[c]] -= rate[c] * hold
            until[first[c]] -= rate[c] * hold
        if next_class < 0:
            now = arrivals[j]
            job, c = j, classes[j]
            j += 1
        else:
            now += hold
            c = next_class
            job = first[c]
            first[c] = behind[job]
            behind[job] = -1
            k = 0
            while order[k] != c:
                k += 1
            queued -= 1
            while k < queued:
                order[k] = order[k + 1]
                k += 1
            if ends:
                end[job] = now
                gone += 1
            else:
                times[job] += 1
        if next_class < 0 or not ends:  # to the end of the queue
            entry[job] = entries
            entries += 1
            if quantum < np.inf:
                until[job] = quantum * rng.standard_exponential()
            if first[c] < 0:
                first[c] = job
            else:
                behind[last[c]] = job
            last[c] = job
        if first[c] >= 0 and (next_class >= 0 or first[c] == job):  # the class has another first job
            k = queued
            while k > 0 and entry[first[order[k - 1]]] > entry[first[c]]:
                order[k] = order[k - 1]
                k -= 1
            order[k] = c
            queued += 1
