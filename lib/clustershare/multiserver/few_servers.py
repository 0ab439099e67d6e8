"""Algorithm 1 of `balanced` where a server has few classes: an event looks at the first job of each of them."""

import numpy as np

from clustershare.compiled.choice import alias
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel

ONE = np.uint64(1)
STRETCH = 512  # events between two looks at the room for jobs


@kernel
def advance(
    lanes, stretch, uniforms, each_server, phased, interrupting,
    now, empty, total, rate, serving, stamp, pace, left, head, tail, front, front_pace, area, interruptions,
    arrival_rate, thresholds, drawn_kinds, kind_class, kind_pace, kind_phases, capacities, timer_rates,
    servers_of, classes_of,
    room,
):  # fmt: skip
    """Some events of every lane, written without a branch on anything drawn.

    While one lane waits for its last store or division, the processor works on the next: that is why replications go
    side by side, and why nothing here may branch, for a wrong guess would throw the others' work away. All indices are
    unsigned, which spares the code for negative ones, and the loops over servers are of a length known to the compiler.
    """
    classes, servers = np.uint64(len(servers_of)), np.uint64(len(classes_of))
    degree, width = servers_of.shape[1], classes_of.shape[1]
    flat_servers, flat_classes = servers_of.ravel(), classes_of.ravel()
    scale = len(thresholds) / arrival_rate
    mask = np.uint64(room - 1)
    position = np.uint64(0)
    for _ in range(stretch):
        for number in range(lanes):
            lane = np.uint64(number)
            rates = total[lane]
            holding = 1.0 / rates
            time = now[lane] + holding
            now[lane] = time
            empty[lane] += holding if rates == arrival_rate else 0.0
            mark = uniforms[position] * rates
            position += ONE
            # The leaf that the mark falls in: 0 is the arrivals, then the servers.
            own_servers, own_classes = lane * servers, lane * classes
            bound, below, leaf = arrival_rate, 0.0, np.uint64(0)
            for s in range(1, len(each_server) + 1):
                beyond = mark >= bound
                leaf += np.uint64(beyond)
                below = bound if beyond else below
                bound += rate[own_servers + np.uint64(s)]
            busy = np.uint64(leaf > np.uint64(0))
            kind = alias(mark * scale, thresholds, drawn_kinds)
            i = busy * serving[own_servers + leaf] + (ONE - busy) * kind_class[kind]
            own = own_classes + i
            ring = own * np.uint64(room)
            first, end = head[own], tail[own]
            slot = ring + (end & mask)
            interrupted = np.uint64(0)
            if len(interrupting) > 0:
                interrupted = np.uint64(mark - below < timer_rates[leaf])
                interruptions[own] += interrupted
            gone = busy - interrupted
            if len(phased) > 0:
                served = ring + (first & mask)
                remaining = left[served] - gone
                gone = gone * np.uint64(remaining == np.uint64(0))
                left[served] = remaining
                left[slot] = interrupted * remaining + (ONE - interrupted) * kind_phases[kind]
            entering = (ONE - busy) | interrupted
            # The slot behind the last job always reads "nobody".
            pace[slot] = front_pace[own] if busy else kind_pace[kind]
            stamp[slot] = time
            end += entering
            first += gone | interrupted
            stamp[ring + (end & mask)] = np.inf
            tail[own] = end
            head[own] = first
            front[own] = stamp[ring + (first & mask)]
            front_pace[own] = pace[ring + (first & mask)]
            area[own] += time * np.float64(np.int64(gone + busy) - 1)
            # Each server of the class takes the front job that (re)entered first.
            for d in range(degree):
                s = flat_servers[i * np.uint64(degree) + np.uint64(d)]
                looks = s * np.uint64(width)
                best = flat_classes[looks]
                earliest = front[own_classes + best]
                for q in range(1, width):
                    j = flat_classes[looks + np.uint64(q)]
                    entered = front[own_classes + j]
                    earlier = entered < earliest
                    best = j if earlier else best
                    earliest = entered if earlier else earliest
                serving[own_servers + s] = best
                rate[own_servers + s] = (
                    capacities[s] * front_pace[own_classes + best]
                    * np.float64(earliest < np.inf)
                )
            rates = arrival_rate
            for s in range(1, len(each_server) + 1):
                rates += rate[own_servers + np.uint64(s)]
            total[lane] = rates


@kernel
def simulate(
    rngs, lanes, warmup, jumps, each_server, phased, interrupting,
    arrival_rate, thresholds, drawn_kinds, kind_class, kind_pace, kind_phases, capacities, timer_rates,
    servers_of, classes_of,
):  # fmt: skip
    """Run `lanes` replications at once.

    Each class has its ring of jobs in the order of (re)entry; at most its first job is in service. An event takes one
    uniform number of its lane's generator, an arrival's class and size included, so that a replication does not
    depend on the others.

    Parameters
    ----------
    each_server : tuple
        Of as many entries as there are servers; its length is all that counts.
    phased, interrupting : tuple
        Empty where no size has several phases, or nobody is interrupted: the code for it is then left out.
    thresholds : ndarray (kinds,), drawn_kinds : uint64 ndarray (2 * kinds,)
        `alias_table` of the kinds of jobs, which are pairs of a class and a component of the size distribution.
    servers_of, classes_of : uint64 ndarray (classes + 1, degree), (servers + 1, width)
        Servers from 1, padded with repetitions; classes padded with the last one, which is always empty.
    capacities, timer_rates : ndarray (servers + 1,)
        The first is no server's.

    Returns
    -------
    ndarrays (lanes,), (lanes, classes), (lanes,), (lanes, classes)
        Duration; integral of the number of jobs; time empty; interruptions.
    """
    classes, servers = len(servers_of), len(classes_of)
    room = 4 * STRETCH
    stamp = np.full(lanes * classes * room, np.inf)
    pace = np.zeros(lanes * classes * room)
    left = np.zeros(lanes * classes * room, dtype=np.uint64)
    head = np.zeros(lanes * classes, dtype=np.uint64)
    tail = np.zeros(lanes * classes, dtype=np.uint64)
    front, front_pace = np.full(lanes * classes, np.inf), np.zeros(lanes * classes)
    rate, serving = np.zeros(lanes * servers), np.zeros(lanes * servers, dtype=np.uint64)
    total = np.full(lanes, arrival_rate)
    now, empty = np.zeros(lanes), np.zeros(lanes)
    area, interruptions = np.zeros(lanes * classes), np.zeros(lanes * classes, dtype=np.uint64)
    uniforms = np.empty(lanes * STRETCH)
    done = 0
    while done < warmup + jumps:
        stop_if_asked(lanes * STRETCH)
        if done == warmup:
            # An area is the sum of the times of departure less those of arrival: jobs that are here came at 0 now.
            for own in range(lanes * classes):
                for k in range(head[own], tail[own]):
                    stamp[own * room + (k & (room - 1))] -= now[own // classes]
                front[own] -= now[own // classes]
            now[:] = 0.0
            empty[:] = 0.0
            area[:] = 0.0
            interruptions[:] = 0
        while np.max(tail - head) + STRETCH + 2 > room:
            wide_stamp = np.full(2 * len(stamp), np.inf)
            wide_pace, wide_left = np.zeros(2 * len(stamp)), np.zeros(2 * len(stamp), dtype=np.uint64)
            for own in range(lanes * classes):
                for k in range(head[own], tail[own]):
                    old, new = own * room + (k & (room - 1)), 2 * own * room + (k & (2 * room - 1))
                    wide_stamp[new], wide_pace[new], wide_left[new] = stamp[old], pace[old], left[old]
            stamp, pace, left, room = wide_stamp, wide_pace, wide_left, 2 * room
        stretch = min(STRETCH, warmup - done if done < warmup else warmup + jumps - done)
        for lane in range(lanes):
            for k in range(stretch):
                uniforms[k * lanes + lane] = rngs[lane].random()
        advance(
            lanes, stretch, uniforms, each_server, phased, interrupting,
            now, empty, total, rate, serving, stamp, pace, left, head, tail, front, front_pace, area, interruptions,
            arrival_rate, thresholds, drawn_kinds, kind_class, kind_pace, kind_phases, capacities, timer_rates,
            servers_of, classes_of, room,
        )  # fmt: skip
        done += stretch
    for own in range(lanes * classes):
        area[own] += (tail[own] - head[own]) * now[own // classes]
    shape = (lanes, classes)
    return now, area.reshape(shape)[:, :-1], empty, interruptions.reshape(shape)[:, :-1]
