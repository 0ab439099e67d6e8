"""The queue of `balanced` as it is told: one list of jobs, looked through from its head at every event."""

import numpy as np

from clustershare.compiled.arrivals import wait
from clustershare.compiled.choice import choose
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel
from clustershare.compiled.laws import draw
from clustershare.compiled.records import clear, record

ARRIVAL, DEPARTURE, INTERRUPTION = 0, 1, 2
TIMER, QUANTUM, TASKS = 0, 1, 2
ROUNDING = 1e-9  # a job whose last task ends is done, whatever its remaining work was rounded to


@kernel
def draw_servers(rng, row, servers):
    """Fill a row with different servers, all sets equally likely."""
    for k in range(len(row)):
        while True:
            row[k] = rng.integers(0, servers)
            if not np.any(row[:k] == row[k]):
                break


@kernel
def new_quantum(rng, rule, quantum, size):
    """The work that a job gets before it goes to the end of the queue."""
    if rule == TIMER:
        return quantum * rng.standard_exponential()
    if rule == QUANTUM:
        return quantum
    return quantum * size


@kernel
def simulate(
    rng, warmup, jumps, rule, quantum, arrival_rates, laws, capacities, degree, degrees, servers_of_class, present, log,
    stream=None, seen=None, by_class=None,
):  # fmt: skip
    """Run the queue with jobs of any size; returns the time measured, and over it the sums below.

    Parameters
    ----------
    rule : int
        TIMER, QUANTUM or TASKS: `quantum` is the mean of an exponential amount of work, the work itself, or a share of
        the job's size.
    arrival_rates : ndarray (classes,)
    laws : ndarray
        That of the sizes, or one a class, as `compiled.encoding` writes it.
    degree : int
        Servers drawn for each job; 0 if its class tells, whose servers are the first ``degrees[i]`` of its row.
    present : ndarray of int
        Classes of the jobs that are there at the beginning, from the head of the queue on.
    log : ndarray (rows, 4)
        Filled with the time, the kind, and the number and class of the job of the first events. Jobs count from 0:
        those that are present first, then in order of arrival.
    stream : compiled.arrivals.Stream, optional
        When jobs arrive; Poisson if None.
    seen : compiled.records.Seen, optional
        Where the jobs that leave after the warm-up are recorded, with the time that their service takes alone.
    by_class : bool, optional
        Not None where there is a law for each class.

    Returns
    -------
    float, ndarray (classes,), float, ndarray (classes,), ndarray (classes,)
        Duration; integral of the number of jobs; time empty; interruptions; departures.
    """
    classes, servers = len(degrees), len(capacities)
    width = max(degree, servers_of_class.shape[1])
    room = 64
    order = np.zeros(room, dtype=np.int64)  # rows of the jobs, from the head of the queue on
    number = np.zeros(room, dtype=np.int64)
    job_class = np.zeros(room, dtype=np.int64)
    size, work_left, quantum_left = np.zeros(room), np.zeros(room), np.zeros(room)
    servers_of = np.zeros((room, width), dtype=np.int64)
    free = np.arange(room)
    rate = np.zeros(room)
    if seen is not None:
        # Behind the sizes: when a job arrived, and when it was first served, before that -1. An array of their own that
        # grows would cost more than all the rest of it.
        size = np.zeros(3 * room)
        time = 0.0  # from the beginning of the run on
    queue = 0
    known = 0
    owner = np.zeros(servers, dtype=np.int64)
    now, empty = 0.0, 0.0
    area, interruptions, departures = np.zeros(classes), np.zeros(classes), np.zeros(classes)
    arrival_rate = arrival_rates.sum()
    if stream is None:
        arrival_in = rng.standard_exponential() / arrival_rate
    else:
        arrival_in = wait(rng, stream)
    done = -len(present)
    while done < warmup + jumps:
        stop_if_asked(1)
        if done == warmup:
            now, empty = 0.0, 0.0
            area[:] = 0.0
            interruptions[:] = 0.0
            departures[:] = 0.0
            if seen is not None:
                clear(seen)
        if queue == room:
            order = np.concatenate((order, np.zeros(room, dtype=np.int64)))
            number = np.concatenate((number, np.zeros(room, dtype=np.int64)))
            job_class = np.concatenate((job_class, np.zeros(room, dtype=np.int64)))
            if seen is not None:  # room between the parts; below, room behind them
                size = np.concatenate((size[:room], rate, size[room : 2 * room], rate, size[2 * room :]))
            size, work_left = np.concatenate((size, np.zeros(room))), np.concatenate((work_left, np.zeros(room)))
            quantum_left = np.concatenate((quantum_left, np.zeros(room)))
            rate = np.concatenate((rate, np.zeros(room)))
            servers_of = np.concatenate((servers_of, np.zeros((room, width), dtype=np.int64)))
            free = np.concatenate((free, np.arange(room, 2 * room)))
            room *= 2

        # Each server takes the first job that may use it.
        owner[:] = -1
        waiting = servers
        reached = 0
        while reached < queue and waiting > 0:
            job = order[reached]
            rate[job] = 0.0
            for k in range(degree if degree > 0 else degrees[job_class[job]]):
                server = servers_of[job, k]
                if owner[server] < 0:
                    owner[server] = job
                    rate[job] += capacities[server]
                    waiting -= 1
            if seen is not None:
                if size[2 * room + job] < 0.0 and rate[job] > 0.0:
                    size[2 * room + job] = time
            reached += 1

        if done < 0:
            arrives, step, first = True, 0.0, -1
        else:
            arrives, step, first = True, arrival_in, -1
            for k in range(reached):
                job = order[k]
                if rate[job] > 0.0:
                    until = min(work_left[job], quantum_left[job]) / rate[job]
                    if until < step:
                        arrives, step, first = False, until, k
            now += step
            if seen is not None:
                time += step
            arrival_in -= step
            if queue == 0:
                empty += step
            for k in range(queue):
                area[job_class[order[k]]] += step
            for k in range(reached):
                job = order[k]
                work_left[job] -= rate[job] * step
                quantum_left[job] -= rate[job] * step

        if arrives:
            event = ARRIVAL
            job = free[queue]
            if done < 0:
                i = present[done + len(present)]
            else:
                i = choose(rng.random() * arrival_rate, arrival_rates)
            if by_class is None:
                size[job] = draw(rng, laws, 0)
            else:
                size[job] = draw(rng, laws, i)
            number[job], job_class[job], work_left[job] = known, i, size[job]
            known += 1
            if degree > 0:
                draw_servers(rng, servers_of[job], servers)
            else:
                servers_of[job] = servers_of_class[i]
            quantum_left[job] = new_quantum(rng, rule, quantum, size[job])
            if seen is not None:
                size[room + job], size[2 * room + job] = time, -1.0
            order[queue] = job
            queue += 1
            if done >= 0:
                if stream is None:
                    arrival_in = rng.standard_exponential() / arrival_rate
                else:
                    arrival_in = wait(rng, stream)
        else:
            job = order[first]
            for k in range(first, queue - 1):
                order[k] = order[k + 1]
            if work_left[job] <= quantum_left[job] + ROUNDING * size[job]:
                event = DEPARTURE
                departures[job_class[job]] += 1.0
                if seen is not None:
                    alone = 0.0
                    for k in range(degree if degree > 0 else degrees[job_class[job]]):
                        alone += capacities[servers_of[job, k]]
                    came, began = size[room + job], size[2 * room + job]
                    record(seen, job_class[job], size[job] / alone, time - came, began - came)
                queue -= 1
                free[queue] = job
            else:
                event = INTERRUPTION
                interruptions[job_class[job]] += 1.0
                order[queue - 1] = job
                quantum_left[job] = new_quantum(rng, rule, quantum, size[job])
        if 0 <= done < len(log):
            log[done, 0], log[done, 1], log[done, 2], log[done, 3] = now, event, number[job], job_class[job]
        done += 1
    return now, area, empty, interruptions, departures
