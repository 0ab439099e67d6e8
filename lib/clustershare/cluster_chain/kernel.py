"""The loops of the cluster chain: the lattice of cluster vectors, one pass of the embedded chain, the balances, a
tagged job's way through the queue; and, with nothing in common with these, the events of the simulator.

A cluster vector (the multiset of the sizes in service) is a number, in the order of `ctmc` Section 3: by its length,
then lexicographically. Sizes are numbered 0, 1, ... in increasing order, and those that fit beside a vector v are the
first `fits[v]`. Slot `first[v] + k`, k < `fits[v]`, stands for "a job of size k beside v": `larger` is the vector with
that job added, `multiplicity` the jobs of size k in it. The one further slot of v stands for every size that does not
fit: while such jobs wait at the tracker, the chain moves alike whatever their size, so that their probabilities
differ by the factor of the size alone. Hence the arrays `x` of shape (slots, C + 1): x times the probability of a size
is the probability of the state with this size at the tracker.
"""

import numpy as np

from clustershare.compiled.arrivals import restart, wait
from clustershare.compiled.choice import choose
from clustershare.compiled.heaps import pop, push
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel
from clustershare.compiled.laws import draw
from clustershare.compiled.records import clear, record

ARRIVALS, TRACKER, SERVICE = 0, 1, 2  # the laws of the simulator


@kernel
def enumerate_vectors(servers, sizes, first, fits, parent, last, larger, multiplicity):
    """Fill the lattice; every array is given with its final length."""
    free = np.empty_like(parent)  # servers left
    first_child = np.empty_like(parent)
    free[0] = servers
    count = 1
    for v in range(len(fits)):
        while fits[v] < len(sizes) and sizes[fits[v]] <= free[v]:
            fits[v] += 1
        first[v + 1] = first[v] + fits[v] + 1
        # Appending sizes from the last one up to vectors in lexicographic order gives the next length in that order.
        first_child[v] = count
        for k in range(last[v], fits[v]):
            parent[count], last[count], free[count] = v, k, free[v] - sizes[k]
            count += 1
    for v in range(len(fits)):
        for k in range(fits[v]):
            slot, above = first[v] + k, first[parent[v]] + k
            if k >= last[v]:
                larger[slot] = first_child[v] + k - last[v]
            else:  # add the job to the vector without its last job, then append the last job again
                between = larger[above]
                larger[slot] = first_child[between] + last[v] - last[between]
            multiplicity[slot] = 1 if v == 0 else multiplicity[above] + (k == last[v])


@kernel
def sweep(entries, lattice, departures, leaving, probabilities, arrival_rate, tracker_rate, x, idle, next_entries):
    """One pass of the chain embedded where a job enters the tracker.

    `entries[v, q]` is the rate at which jobs enter the tracker with q jobs queued and vector v. Until the job is
    mapped, arrivals only raise q and departures only take from v: `x` follows in one pass over falling lengths.
    Then `idle` (empty tracker), and the rates `next_entries` of the entries that these probabilities cause.
    """
    first, fits, larger = lattice
    capacity = x.shape[1] - 1
    next_entries[:] = 0
    idle[:] = 0
    for v in range(len(fits) - 1, -1, -1):
        rows = x[first[v] : first[v] + min(fits[v] + 1, len(probabilities))]
        for row in rows:
            row[capacity] = 0
            for q in range(entries.shape[1]):
                row[q] = entries[v, q]
        for slot in range(first[v], first[v] + fits[v]):
            w, rate = larger[slot], departures[slot]
            for k in range(len(rows)):
                row, source = rows[k], x[first[w] + min(k, fits[w])]
                for q in range(capacity + 1):
                    row[q] += rate * source[q]
        for k in range(len(rows)):
            row = rows[k]
            out = leaving[v] + (tracker_rate if k < fits[v] else 0.0)
            scale = 1 / (out + arrival_rate)
            lower, raised = 0.0, arrival_rate * scale
            for q in range(capacity):
                lower = row[q] * scale + raised * lower
                row[q] = lower
            row[capacity] = (row[capacity] + arrival_rate * lower) / out
            if k < fits[v]:
                w, rate = larger[first[v] + k], tracker_rate * probabilities[k]
                idle[w] += rate * row[0]
                for q in range(capacity):
                    next_entries[w, q] += rate * row[q + 1]
    for v in range(len(fits) - 1, -1, -1):
        for slot in range(first[v], first[v] + fits[v]):
            idle[v] += departures[slot] * idle[larger[slot]]
        idle[v] /= leaving[v] + arrival_rate
        next_entries[v, 0] += arrival_rate * idle[v]


@kernel
def residual(lattice, departures, leaving, probabilities, weights, arrival_rate, tracker_rate, x, idle):
    """The 1-norm of the probabilities times the generator, from the balance of every state."""
    first, fits, larger = lattice
    levels = x.shape[1]
    mapped = np.zeros((len(fits), levels))
    for v in range(len(fits)):
        for k in range(fits[v]):
            row = first[v] + k
            for q in range(levels):
                mapped[larger[row], q] += tracker_rate * probabilities[k] * x[row, q]
    total = 0.0
    for v in range(len(fits)):
        balance = mapped[v, 0] - (leaving[v] + arrival_rate) * idle[v]
        for slot in range(first[v], first[v] + fits[v]):
            balance += departures[slot] * idle[larger[slot]]
        total += abs(balance)
        for k in range(min(fits[v] + 1, len(probabilities))):
            row = first[v] + k
            for q in range(levels):
                out = leaving[v]
                if q < levels - 1:
                    out += arrival_rate
                if k < fits[v]:
                    out += tracker_rate
                balance = -out * x[row, q]
                balance += arrival_rate * (x[row, q - 1] if q > 0 else idle[v])
                if q < levels - 1:
                    balance += mapped[v, q + 1]
                for slot in range(first[v], first[v] + fits[v]):
                    w = larger[slot]
                    balance += departures[slot] * x[first[w] + min(k, fits[w]), q]
                total += weights[row] * abs(balance)
    return total


@kernel
def tagged_queue(lattice, departures, leaving, probabilities, arrival_rate, tracker_rate, x):
    """The mean queue by Little's law from each accepted job's expected time in it.

    Who comes later does not delay a job in the queue. With q jobs ahead of it, its expected time to the tracker follows
    from that with q - 1 ahead, and within a level from smaller vectors: `time[v, k]`, one level at a time. Sizes that
    do not fit share their probabilities (see above) but not their times.
    """
    first, fits, larger = lattice
    time, over_sizes = np.zeros((len(fits), len(probabilities))), np.zeros(len(fits))
    total = 0.0
    for q in range(x.shape[1] - 1):
        time[:] = 1.0
        following = np.zeros(len(fits))
        for v in range(len(fits)):
            own = time[v]
            for k in range(len(probabilities)):
                out, slot = leaving[v], first[v] + min(k, fits[v])
                if k < fits[v]:
                    out += tracker_rate
                    own[k] += tracker_rate * over_sizes[larger[slot]]
                own[k] /= out
                following[v] += probabilities[k] * own[k]
                total += probabilities[k] * own[k] * x[slot, q]
            for slot in range(first[v], first[v] + fits[v]):
                above, rate = time[larger[slot]], departures[slot]
                for k in range(len(probabilities)):
                    above[k] += rate * own[k]
        over_sizes = following
    return arrival_rate * total


@kernel
def simulate(
    rng, servers, capacity, jobs, tracker_rate, arrivals, laws, jumps, warmup, flow=None, seen=None, by_class=None
):
    """The cluster, event by event, with every time drawn: no rate is used but as the scale of a drawn number.

    Parameters
    ----------
    jobs : tuple of ndarray, shape (sizes,)
        Sizes, their probabilities and their service rates.
    arrivals : tuple of ndarray, shape (2,)
        The arrival rate in each state of the modulating process, and the rates out of them (0: it stays).
    laws : ndarray
        Those of the times between arrivals, at the tracker and in service, all of mean 1, as `compiled.encoding`
        writes them.
    flow : compiled.arrivals.Stream or None
        When jobs come, from its beginning, in place of the rates and the first law.
    seen : compiled.records.Seen or None
        To record the jobs that depart, each size as a group.
    by_class : bool, optional
        Not None where there is a law of service for each size.

    Returns
    -------
    ndarray, shape (5 + 2 sizes,)
        The mean queue, the fraction of arrivals lost, the mean time in the queue of the jobs that left it, the
        fraction of busy servers, the mean number in service; and of each size, the mean number of jobs, by Little's law
        from their times from arrival to departure, and the mean of those times (nan where no such job came).
    """
    sizes, probabilities, service_rates = jobs
    arrival_rates, switching = arrivals
    room = max(capacity, 1)
    arrived, head, queued = np.zeros(room), 0, 0  # arrival times of the jobs in the queue, a ring
    most = servers // sizes[0]
    when, what, running = np.zeros(most + 1), np.zeros(most + 1, np.int64), 0
    free, tracked = servers, -1
    now, mode = 0.0, 0
    next_arrival = draw(rng, laws, ARRIVALS) / arrival_rates[0] if arrival_rates[0] > 0 else np.inf
    next_switch = rng.standard_exponential() / switching[0] if switching[0] > 0 else np.inf
    if flow is not None:
        restart(flow)
        next_arrival = wait(rng, flow)
    if seen is not None:  # in `what` stands then where a job in service stands: when it came, when its service began
        kinds, times = np.zeros(most + 1, np.int64), np.zeros((most + 1, 2))
        spare = np.arange(most + 1)
    mapped = np.inf  # when the tracker will have mapped its job
    start, areas = 0.0, np.zeros(3)
    came, lost, entered, waited = 0, 0, 0, 0.0
    came_at, responses, mappings = 0.0, np.zeros(len(sizes)), np.zeros(len(sizes))
    step = 0
    while step < warmup + jumps:
        stop_if_asked(1)
        if step == warmup:
            start, came, lost, entered, waited = now, 0, 0, 0, 0.0
            areas[:], responses[:], mappings[:] = 0, 0, 0
            if seen is not None:
                clear(seen)
        step += 1
        done = when[0] if running > 0 else np.inf
        time = min(min(next_arrival, next_switch), min(mapped, done))
        areas[0] += (time - now) * queued
        areas[1] += (time - now) * (servers - free)
        areas[2] += (time - now) * running
        now = time
        take = False  # whether a job enters the tracker
        if time == done:
            if seen is not None:
                place = what[0]
                came_then, began = times[place, 0], times[place, 1]
                free += sizes[kinds[place]]
                spare[running - 1] = place
                record(seen, kinds[place], now - began, now - came_then, began - came_then)
            else:
                free += sizes[what[0]]
            pop(when, what, running)
            running -= 1
        elif time == mapped:
            mapped = np.inf
            if by_class is None:
                leaves = now + draw(rng, laws, SERVICE) / service_rates[tracked]
            else:
                leaves = now + draw(rng, laws, SERVICE + tracked) / service_rates[tracked]
            if seen is not None:
                place = spare[running]
                kinds[place], times[place, 0], times[place, 1] = tracked, came_at, now
                push(when, what, running, leaves, place)
            else:
                push(when, what, running, leaves, tracked)
            responses[tracked] += leaves - came_at
            mappings[tracked] += 1
            running += 1
            free -= sizes[tracked]
            tracked = -1
            if queued > 0:
                came_at = arrived[head]
                waited += now - came_at
                head = (head + 1) % room
                queued -= 1
                take = True
        elif time == next_arrival:
            came += 1
            if tracked < 0:
                take, came_at = True, now
            elif queued < capacity:
                arrived[(head + queued) % room] = now
                queued += 1
            else:
                lost += 1
            if flow is not None:
                next_arrival = now + wait(rng, flow)
            else:
                next_arrival = now + draw(rng, laws, ARRIVALS) / arrival_rates[mode]
        else:  # the modulating process changes; its times between arrivals are exponential and are drawn again
            mode = 1 - mode
            next_arrival = now + draw(rng, laws, ARRIVALS) / arrival_rates[mode] if arrival_rates[mode] > 0 else np.inf
            next_switch = now + rng.standard_exponential() / switching[mode] if switching[mode] > 0 else np.inf
        if take:
            entered += 1
            tracked = choose(rng.random(), probabilities)
        if tracked >= 0 and mapped == np.inf and sizes[tracked] <= free:
            mapped = now + draw(rng, laws, TRACKER) / tracker_rate
    span = now - start
    result = np.zeros(5 + 2 * len(sizes))
    result[0] = areas[0] / span
    result[1] = lost / max(came, 1)
    result[2] = waited / max(entered, 1)
    result[3] = areas[1] / (span * servers)
    result[4] = areas[2] / span
    result[5 : 5 + len(sizes)] = responses / span
    result[5 + len(sizes) :] = responses / mappings
    return result
