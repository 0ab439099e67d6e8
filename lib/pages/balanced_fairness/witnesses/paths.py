"""The cluster in the sources' words, event by event: who is in line, and which job each server is at.

No rate formula is used: an arriving job takes the free servers that it may use, a job that leaves or is interrupted
frees all its servers, and each of them takes the first job in the line that it may serve. What is counted is counted
job by job and server by server. Nothing is shared with the library's simulators but the drawing of sizes.
"""

from typing import NamedTuple

import numpy as np
from scipy import stats

from clustershare.compiled.encoding import encode
from clustershare.compiled.jit import kernel
from clustershare.compiled.laws import draw
from clustershare.multiserver import RandomAssignment

# Who takes whom, and what is done on a job by several servers. "first" and "pooled" are the sources' rules; wrong ones:
# an arriving job takes "one" free server; freed servers take the "youngest" job; a job never has two servers ("alone").
RULES = ("first", "one", "youngest", "alone")
# Replicas: each server has a copy, with a service time of its own, or all of the "same" size; the first done is enough.
COPIES = ("pooled", "own", "same")
ARRIVAL, DEPARTURE, INTERRUPTION = range(3)
FEW_SERVERS, FEW_CLASSES = 5, 6  # up to here times are also summed by set of servers, and by set of classes present


class Path(NamedTuple):
    """What was counted on a path after its warm-up; an entry for each class, unless another shape is named.

    Attributes
    ----------
    time : float
    jobs : ndarray
        Integral of the number of jobs over time.
    delays : ndarray
        Sum of departure less arrival, over all jobs that left.
    departures, interruptions : ndarray
    work : ndarray
        Work done by the servers.
    visits_delay : ndarray
        Sum of departure or interruption less the last (re)entry: the delay if each visit were a job of its own.
    most : int
        The most jobs of one class that ever were in service at a time.
    gap : float
        Largest difference, relative to the capacity of all servers, of a rate added up server by server and one by mu.
    present : ndarray (2**classes,)
        Time with exactly these classes present.
    exposure, hits : ndarray (classes, 2**servers)
        Time of work of a set of servers on a job, and interruptions while it was at work.
    visits : ndarray (visits, 5)
        Of visits that an interruption ended: class, set of servers at its start, work, time since its start, and
        whether the set never changed.
    log : ndarray (events, 3)
        Time, kind and number of the job of the first events.
    left : int
        Jobs present at the end.
    """

    time: float
    jobs: np.ndarray
    delays: np.ndarray
    departures: np.ndarray
    interruptions: np.ndarray
    work: np.ndarray
    visits_delay: np.ndarray
    most: int
    gap: float
    present: np.ndarray
    exposure: np.ndarray
    hits: np.ndarray
    visits: np.ndarray
    log: np.ndarray
    left: int


def path(
    graph, rates, size, events, *, warmup=0, theta=np.inf, quantum=np.inf, clocks=None, fixed=False, rule="first",
    copies="pooled", until_empty=False, jobs=None, visits=0, log=0, seed=0, number=0,
):  # fmt: skip
    """A path of the cluster.

    Parameters
    ----------
    graph : clustershare.multiserver.CompatibilityGraph or clustershare.multiserver.RandomAssignment
    rates : array_like (classes,)
        Arrival rates.
    size : clustershare.sizes.JobSize
    events, warmup : int
        How many arrivals, departures and interruptions are seen, and how many before them are not.
    theta : float
        Each server has a timer of rate C_s / theta.
    quantum : float
        A job is interrupted after just so much work.
    clocks : array_like (servers,), optional
        The rates of the timers, if they are others.
    fixed : bool
        Whether the timers run for a fixed time in place of an exponential one.
    rule, copies : str
        Of `RULES` and `COPIES`.
    until_empty : bool
        Whether the path goes on until nobody is there.
    jobs : int, optional
        After so many arrivals none comes any more.
    visits, log : int
        How many to keep.
    seed, number : int
        Arrivals and sizes have a stream of their own: paths with the same two numbers have the same jobs.

    Returns
    -------
    Path
    """
    drawn = isinstance(graph, RandomAssignment)
    capacities = np.ones(graph.servers) if drawn else np.array(graph.capacities)
    degrees = np.array([graph.degree] if drawn else [len(own) for own in graph.servers_of_class])
    servers_of = np.zeros((len(degrees), degrees.max()), dtype=np.int64)
    for i, own in enumerate([] if drawn else graph.servers_of_class):
        servers_of[i, : len(own)] = own
    few = len(degrees) <= FEW_CLASSES and not drawn
    mu = graph.service_rates_of_subsets(range(len(degrees))) if few else np.zeros(0)
    if clocks is None:
        clocks = capacities / theta
    streams = (np.random.Generator(np.random.SFC64([seed, number, stream])) for stream in range(2))
    kept, logged = np.zeros((visits, 5)), np.zeros((log, 3))
    ends = -1 if jobs is None else jobs
    found = walk(
        *streams, warmup, events, np.atleast_1d(np.asarray(rates, dtype=float)), encode(size), capacities, degrees,
        servers_of, graph.degree if drawn else 0, RULES.index(rule), COPIES.index(copies),
        np.asarray(clocks, dtype=float), fixed, float(quantum), np.asarray(mu, dtype=float), until_empty, ends, kept,
        logged,
    )  # fmt: skip
    *sums, used, left = found
    return Path(*sums, kept[:used], logged, left)


@kernel
def first_for(server, line, length, own, degree_of, served, rule):
    """The place in the line of the job that a freed server takes; -1 if there is none."""
    for k in range(length):
        place = length - 1 - k if rule == 2 else k
        job = line[place]
        if rule == 3 and served[job] > 0:
            continue
        for d in range(degree_of[job]):
            if own[job, d] == server:
                return place
    return -1


@kernel
def walk(
    jobs, timers, warmup, events, rates, laws, capacities, degrees, servers_of, drawn, rule, copies, clocks, fixed,
    quantum, mu, until_empty, most_arrivals, visits, log,
):  # fmt: skip
    """The event loop of `path`."""
    classes, servers, room = len(degrees), len(capacities), 64
    line, free = np.zeros(room, dtype=np.int64), np.arange(room)
    kind, name = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    came, entered, left, slice_left = np.zeros(room), np.zeros(room), np.zeros(room), np.zeros(room)
    begun, given, rate = np.zeros(room), np.zeros(room), np.zeros(room)
    first_set, set_of = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    served, same = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    degree_of, own = np.zeros(room, dtype=np.int64), np.zeros((room, servers_of.shape[1]), dtype=np.int64)
    owner, copy_left, timer_left = np.full(servers, -1), np.zeros(servers), np.full(servers, np.inf)
    freed = np.zeros(servers, dtype=np.int64)
    few = len(mu) > 0
    sets = 1 << servers if few and servers <= 5 else 1
    area, delays, departures = np.zeros(classes), np.zeros(classes), np.zeros(classes)
    interruptions, work, again = np.zeros(classes), np.zeros(classes), np.zeros(classes)
    count, busy = np.zeros(classes, dtype=np.int64), np.zeros(classes, dtype=np.int64)
    present, exposure, hits = np.zeros(max(1, len(mu))), np.zeros((classes, sets)), np.zeros((classes, sets))
    total, everything = rates.sum(), capacities.sum()
    now, start, length, known, used, most, gap = 0.0, 0.0, 0, 0, 0, 0, 0.0
    arrival_in = jobs.standard_exponential() / total
    event = -1
    while event + 1 < warmup + events or (until_empty and (length > 0 or known < most_arrivals)):
        event += 1
        if event == warmup:
            start = now
            for sums in (area, delays, departures, interruptions, work, again, present):
                sums[:] = 0.0
            exposure[:], hits[:] = 0.0, 0.0
        if length == room:
            line, free = np.append(line, line), np.append(free, np.arange(room, 2 * room))
            kind, name, degree_of = np.append(kind, kind), np.append(name, name), np.append(degree_of, degree_of)
            came, entered, left = np.append(came, came), np.append(entered, entered), np.append(left, left)
            slice_left, begun, given = (
                np.append(slice_left, slice_left), np.append(begun, begun), np.append(given, given)
            )  # fmt: skip
            rate, first_set, set_of = np.append(rate, rate), np.append(first_set, first_set), np.append(set_of, set_of)
            served, same, own = np.append(served, served), np.append(same, same), np.concatenate((own, own))
            room *= 2

        # What each job gets, server by server, and what comes next.
        for s in range(servers):
            if owner[s] >= 0:
                rate[owner[s]], set_of[owner[s]] = 0.0, 0
        for s in range(servers):
            if owner[s] >= 0:
                rate[owner[s]] += capacities[s]
                set_of[owner[s]] |= 1 << (s % 60)
        what, who, step = ARRIVAL, -1, arrival_in
        for s in range(servers):
            job = owner[s]
            if job >= 0:
                if first_set[job] == 0:
                    first_set[job], begun[job] = set_of[job], now
                same[job] &= first_set[job] == set_of[job]
                until = left[job] / rate[job] if copies == 0 else copy_left[s] / capacities[s]
                if until < step:
                    what, who, step = DEPARTURE, job, until
                until = min(timer_left[s], slice_left[job] / rate[job])
                if until < step:
                    what, who, step = INTERRUPTION, job, until

        if few:
            # The rates by mu, from the head of the line on, and those that were added up.
            before, busy[:] = 0, 0
            for k in range(length):
                job = line[k]
                after = before | 1 << kind[job]
                by_mu = mu[after] - mu[before]
                by_server = rate[job] if served[job] > 0 else 0.0
                gap = max(gap, abs(by_mu - by_server) / everything)
                before = after
                if served[job] > 0:
                    busy[kind[job]] += 1
            most = max(most, busy.max())
            present[before] += step

        # Time goes on.
        now += step
        arrival_in -= step
        for i in range(classes):
            area[i] += count[i] * step
        for s in range(servers):
            job = owner[s]
            if job >= 0:
                done = capacities[s] * step
                left[job] -= done
                slice_left[job] -= done
                given[job] += done
                work[kind[job]] += done
                copy_left[s] -= done
                timer_left[s] -= step
                if sets > 1 and set_of[job] & -set_of[job] == 1 << s:
                    exposure[kind[job], set_of[job]] += step

        number = known
        if what == ARRIVAL:
            arrival_in = jobs.standard_exponential() / total if known + 1 != most_arrivals else np.inf
            mark, i = jobs.random() * total, 0
            while i < classes - 1 and mark >= rates[i]:
                mark -= rates[i]
                i += 1
            job = free[length]
            name[job], known = known, known + 1
            kind[job], came[job], entered[job], left[job] = i, now, now, draw(jobs, laws, 0)
            slice_left[job], first_set[job], given[job], same[job], served[job] = quantum, 0, 0.0, 1, 0
            degree_of[job] = degrees[i]
            for d in range(degrees[i]):
                own[job, d] = servers_of[i, d]
                while drawn > 0:
                    own[job, d] = jobs.integers(0, servers)
                    if not np.any(own[job, :d] == own[job, d]):
                        break
            line[length] = job
            length += 1
            count[i] += 1
            ready = 0
            for d in range(degree_of[job]):
                s = own[job, d]
                if owner[s] < 0 and (ready == 0 or rule == 0 or rule == 2):
                    freed[ready], ready = s, ready + 1
        else:
            job, i = who, kind[who]
            number, ready, place = name[job], 0, 0
            while line[place] != job:
                place += 1
            for k in range(place, length - 1):
                line[k] = line[k + 1]
            for s in range(servers):
                if owner[s] == job:
                    owner[s] = -1
                    freed[ready], ready = s, ready + 1
            served[job] = 0
            again[i] += now - entered[job]
            if what == DEPARTURE:
                departures[i] += 1
                delays[i] += now - came[job]
                length -= 1
                count[i] -= 1
                free[length] = job
            else:
                interruptions[i] += 1
                if sets > 1:
                    hits[i, set_of[job]] += 1
                if event >= warmup and used < len(visits):
                    visits[used, 0], visits[used, 1], visits[used, 2] = i, first_set[job], given[job]
                    visits[used, 3], visits[used, 4] = now - begun[job], same[job]
                    used += 1
                line[length - 1] = job
                entered[job], slice_left[job], first_set[job], given[job], same[job] = now, quantum, 0, 0.0, 1
        for k in range(ready):
            s = freed[k]
            place = length - 1 if what == ARRIVAL else first_for(s, line, length, own, degree_of, served, rule)
            if place >= 0:
                taken = line[place]
                owner[s] = taken
                served[taken] += 1
                timer_left[s] = np.inf
                if clocks[s] > 0:
                    timer_left[s] = (1.0 if fixed else timers.standard_exponential()) / clocks[s]
                copy_left[s] = draw(timers, laws, 0) if copies == 1 else left[taken]
        if event < len(log):
            log[event, 0], log[event, 1], log[event, 2] = now, what, number
    return (
        now - start, area, delays, departures, interruptions, work, again, most, gap, present, exposure, hits, used,
        length,
    )  # fmt: skip


def mean_of(values):
    """Mean and half width of 95 % over the first axis, of replications."""
    values = np.asarray(values)
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return values.mean(axis=0), half


def ratio_of(tops, bottoms):
    """Mean and half width of 95 % of a ratio of two sums over the first axis, of replications."""
    tops, bottoms = np.asarray(tops), np.asarray(bottoms)
    ratio = tops.sum(axis=0) / bottoms.sum(axis=0)
    _, half = mean_of((tops - ratio * bottoms) / bottoms.mean(axis=0))
    return ratio, half
