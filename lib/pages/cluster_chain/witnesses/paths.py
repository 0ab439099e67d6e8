"""Paths of the system of `ctmc` in words: numbered servers, single jobs, no state and no rate out of one.

Beside the jobs a second book is kept: the state (x1, x2, V) that follows from the transitions of Table 2 alone. After
every event both are compared. The rules may also be wrong ones, and every job brings its own size, mapping time and
service time, so that the same jobs can be followed under two rules.
"""

from dataclasses import dataclass

import numpy as np

from clustershare.compiled.jit import kernel
from clustershare.estimates import from_replications
from clustershare.run_length import RunLength
from pages.cluster_chain.witnesses.words import serving_rates

# What becomes of a job at the tracker that does not fit: it waits; a later one that fits passes it; it goes to the end
# of the queue; it waits, and the second book counts it as running.
WAITS, IS_PASSED, GOES_BACK, COUNTED_AS_RUNNING = range(4)


@kernel
def _path(rng, servers, capacity, jobs, arrival_rate, tracker_rate, rule, arrivals, warmup):
    """One path: sums, numbers of sizes that entered the tracker, and events after which the two books differ."""
    sizes, chances, service_rates = jobs
    places = servers // sizes.min() + 1
    on = np.full(servers, -1)  # the job on each server
    end, kind, running = np.full(places, np.inf), np.zeros(places, np.int64), 0
    # The line; its first job is at the tracker. Arrival, mapping and service time, size, and whether it was there.
    line, size_of = np.zeros((capacity + 1, 4)), np.zeros(capacity + 1, np.int64)
    length, came, lost, gone, entered, mappings = 0, 0, 0, 0, 0, 0
    free, now, start, mapped, waited, held = servers, 0.0, 0.0, np.inf, 0.0, 0.0
    areas, drawn = np.zeros(4), np.zeros(len(sizes), np.int64)
    x1, x2, V, differ, events = 0, -1, np.zeros(len(sizes), np.int64), 0, 0
    accepted = 0
    arrival = rng.standard_exponential() / arrival_rate
    while came < warmup + arrivals:
        done = 0
        for job in range(1, places):
            if end[job] < end[done]:
                done = job
        time = min(arrival, mapped, end[done])
        span = time - now
        areas[0] += span * max(length - 1, 0)
        areas[1] += span * (length > 0)
        areas[2] += span * (servers - free)
        areas[3] += span * running
        now = time
        events += 1
        if time == end[done]:
            for server in range(servers):
                if on[server] == done:
                    on[server] = -1
                    free += 1
            end[done] = np.inf
            running -= 1
            gone += 1
            V[kind[done]] -= 1
        elif time == mapped:
            mapped = np.inf
            job = 0
            while end[job] < np.inf:
                job += 1
            kind[job], end[job] = size_of[0], now + line[0, 2]
            left = sizes[size_of[0]]
            for server in range(servers):
                if left > 0 and on[server] < 0:
                    on[server] = job
                    left -= 1
                    free -= 1
            running += 1
            mappings += 1
            held += now - line[0, 0]
            if x2 >= 0:
                V[x2] += 1
            for place in range(1, length):
                line[place - 1], size_of[place - 1] = line[place], size_of[place]
            length -= 1
            x2 = size_of[0] if length > 0 else -1
            x1 = max(x1 - 1, 0)
        else:
            came += 1
            if came == warmup + 1:
                start, lost, entered, waited, mappings, held = now, 0, 0, 0.0, 0, 0.0
                areas[:] = 0
                drawn[:] = 0
            k, u = 0, rng.random()
            while k < len(sizes) - 1 and u >= chances[k]:
                u -= chances[k]
                k += 1
            mapping, service = rng.standard_exponential() / tracker_rate, rng.standard_exponential() / service_rates[k]
            if length <= capacity:
                line[length, 0], line[length, 1], line[length, 2], line[length, 3] = now, mapping, service, 0.0
                size_of[length] = k
                length += 1
                accepted += 1
                if x2 < 0:
                    x2 = k
                else:
                    x1 += 1
            else:
                lost += 1
            arrival = now + rng.standard_exponential() / arrival_rate
        if length > 0 and mapped == np.inf:
            first = 0
            if rule == IS_PASSED or rule == GOES_BACK:
                while first < length and sizes[size_of[first]] > free:
                    first += 1
                first %= length
            turns = first if rule == GOES_BACK else min(first, 1)
            for _ in range(turns):  # those before it go to the end, or it alone to the front
                source, target = (0, length - 1) if rule == GOES_BACK else (first, 0)
                moved, moved_size = line[source].copy(), size_of[source]
                step = 1 if target > source else -1
                for place in range(source, target, step):
                    line[place], size_of[place] = line[place + step], size_of[place + step]
                line[target], size_of[target] = moved, moved_size
                x2 = size_of[0]
            if line[0, 3] == 0.0:
                line[0, 3] = 1.0
                entered += 1
                waited += now - line[0, 0]
                drawn[size_of[0]] += 1
            if sizes[size_of[0]] <= free:
                mapped = now + line[0, 1]
        # The two books: jobs, servers and sizes one by one, and the state.
        in_state = x1 + (x2 >= 0) + V.sum()
        busy = (V * sizes).sum()
        if rule == COUNTED_AS_RUNNING and x2 >= 0 and sizes[x2] > free:
            in_state += 1
            busy += sizes[x2]
        occupied = 0
        for server in range(servers):
            occupied += on[server] >= 0
        same = in_state == accepted - gone and busy == occupied and x1 == max(length - 1, 0)
        same = same and (x2 == (size_of[0] if length > 0 else -1)) and V.sum() == running and busy <= servers
        for k in range(len(sizes)):
            of_size = 0
            for job in range(places):
                of_size += end[job] < np.inf and kind[job] == k
            same = same and of_size == V[k]
        differ += not same
    total = now - start
    result = np.zeros(7)
    result[0], result[1] = areas[0] / total, lost / arrivals
    result[2], result[3] = waited / max(entered, 1), areas[2] / (total * servers)
    result[4], result[5] = areas[3] / total, held / max(mappings, 1)
    result[6] = (areas[0] + areas[1]) / total
    return result, drawn, differ, events


@dataclass(frozen=True)
class Paths:
    """What some paths show. Measures are an `Estimate` each.

    Attributes
    ----------
    mean_queue, blocking, mean_delay, utilisation, mean_jobs_in_service : Estimate
        As of `clustershare.cluster_chain.simulate`, the delay measured job by job.
    delay_with_tracker : Estimate
        Mean time from arrival until a job is mapped.
    line : Estimate
        Mean number in the queue and at the tracker.
    sizes : ndarray of int
        How many jobs of each size entered the tracker.
    differ, events : int
        Events after which the jobs and the state differ, and all of them.
    """

    mean_queue: object
    blocking: object
    mean_delay: object
    utilisation: object
    mean_jobs_in_service: object
    delay_with_tracker: object
    line: object
    sizes: np.ndarray
    differ: int
    events: int


def follow(cluster, rule=WAITS, *, arrivals, warmup=0, replications=1, seed=1):
    """Follow paths of a cluster.

    Parameters
    ----------
    cluster : clustershare.cluster_chain.ServiceCluster
        Its parameters only.
    rule : int
        What becomes of a job at the tracker that does not fit.
    arrivals, warmup, replications, seed : int
        Jobs that arrive in each path, after those of the warm-up.

    Returns
    -------
    Paths

    Examples
    --------
    >>> from clustershare.cluster_chain import ServiceCluster
    >>> cluster = ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, arrival_rate=2, tracker_rate=5, service_rates=1)
    >>> found = follow(cluster, arrivals=4000, warmup=100, replications=8)
    >>> bool(found.blocking.contains(cluster.solve().blocking)), found.differ
    (True, 0)
    """
    sizes, chances = zip(*cluster.job_sizes, strict=True)
    jobs = np.array(sizes), np.array(chances), np.array(list(serving_rates(cluster).values()))
    found = [
        _path(
            rng, cluster.servers, cluster.queue_capacity, jobs, cluster.arrival_rate, cluster.tracker_rate, rule,
            arrivals, warmup,
        )
        for rng in RunLength(replications=replications, seed=seed).generators()
    ]  # fmt: skip
    measures, sizes, differ, events = zip(*found, strict=True)
    alone = replications == 1  # no interval from one path
    estimates = measures[0] if alone else map(from_replications, np.transpose(measures))
    return Paths(*estimates, sum(sizes), sum(differ), sum(events))
