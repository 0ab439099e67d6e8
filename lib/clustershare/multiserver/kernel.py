"""The loops of this package: subsets of classes, boxes of states, and the events of Algorithm 1."""

import math

import numpy as np

from clustershare._jit import kernel

NEVER = np.iinfo(np.int64).max
LEAST_ROOM = 1024  # free rows in the table of jobs before a stretch of events


@kernel
def subset_recursion(arrival_rates, service_rates):
    """Total mass relative to the empty state, and the mean delay of each class (see `balanced_fairness`).

    With L_i(A) the mass of the states with active set A, weighted with x_i::

        (mu(A) - lambda(A)) L_i(A) = lambda_i (G(A) + G(A - i)) + sum over j in A, not i, of lambda_j L_i(A - j)

    The sum of L_i over A is the first term on the right weighted with the solution H of the adjoint recursion,
    (mu(A) - lambda(A)) H(A) = 1 + sum over j not in A of lambda_j H(A + j), which is the same for all i.
    """
    classes = len(arrival_rates)
    subsets = len(service_rates)
    slack = service_rates.copy()
    mass = np.zeros(subsets)
    mass[0] = 1.0
    total = 1.0
    for subset in range(1, subsets):
        inflow = 0.0
        load = 0.0
        for i in range(classes):
            if subset >> i & 1:
                load += arrival_rates[i]
                inflow += arrival_rates[i] * mass[subset ^ (1 << i)]
        slack[subset] -= load
        mass[subset] = inflow / slack[subset]
        total += mass[subset]
    adjoint = np.zeros(subsets)
    delays = np.zeros(classes)
    for subset in range(subsets - 1, 0, -1):
        inflow = 1.0
        for j in range(classes):
            if not subset >> j & 1:
                inflow += arrival_rates[j] * adjoint[subset | (1 << j)]
        adjoint[subset] = inflow / slack[subset]
        for i in range(classes):
            if subset >> i & 1:
                delays[i] += (mass[subset] + mass[subset ^ (1 << i)]) * adjoint[subset]
    return total, delays / total


@kernel
def balance(size, shape, strides, service_rates):
    """Phi of (4) on a box, flat in C order, as mantissas and exponents: of many jobs it underflows a float."""
    mantissas = np.zeros(size)
    exponents = np.zeros(size, dtype=np.int64)
    mantissas[0] = 1.0
    for state in range(1, size):
        subset = 0
        highest = -NEVER
        for i in range(len(shape)):
            if state // strides[i] % shape[i] > 0:
                subset |= 1 << i
                highest = max(highest, exponents[state - strides[i]])
        inflow = 0.0
        for i in range(len(shape)):
            if subset >> i & 1:
                before = state - strides[i]
                inflow += math.ldexp(mantissas[before], int(exponents[before] - highest))
        mantissa, exponent = math.frexp(inflow / service_rates[subset])
        mantissas[state] = mantissa
        exponents[state] = exponent + highest
    return mantissas, exponents


@kernel
def set_leaf(tree, leaf, rate):
    """Give a leaf its rate and form the sums above it afresh, so that no rounding error builds up."""
    node = len(tree) // 2 + leaf
    tree[node] = rate
    while node > 1:
        rate += tree[node ^ 1]
        node >>= 1
        tree[node] = rate


@kernel
def find_leaf(tree, mark):
    """The leaf under `mark`, from 0 to the total rate, and how far into that leaf it lies.

    Never a leaf of rate 0, even where `mark` is the total or beyond by rounding. The conditions are nested lest they
    compile to selections: a processor that foresees the branch need not wait for the sums.
    """
    leaves = len(tree) // 2
    node = 1
    while node < leaves:
        node *= 2
        left = tree[node]
        if mark >= left:
            if tree[node + 1] > 0.0:
                mark -= left
                node += 1
    return node - leaves, mark


@kernel
def pick(thresholds, others, scaled):
    """An index drawn with Vose's tables from a number between 0 and their length."""
    cell = min(int(scaled), len(thresholds) - 1)
    return cell if scaled - cell < thresholds[cell] else others[cell]


@kernel
def append(after, before, server, node):
    """Put a node at the end of the queue of a server; returns whether the queue was empty."""
    last = before[server]
    after[last] = node
    before[node] = last
    after[node] = server
    before[server] = node
    return last == server


@kernel
def longer(array, entries):
    """The array with zeros at its end."""
    return np.concatenate((array, np.zeros(entries, dtype=array.dtype)))


@kernel
def advance(
    rng, jumps, tree, after, before, job_class, job_pace, phases_left, free, present, now, empty,
    count, since, area, interruptions,
    arrival_rate, class_thresholds, class_others, size_thresholds, size_others,
    phase_counts, pace, interruption_rate, capacities, degrees, servers_of_class, shift,
):  # fmt: skip
    """The next events of Algorithm 1, `jumps` of them, for which the table of jobs has room (see `simulate`)."""
    classes, components = len(count), len(phase_counts)
    class_scale = classes / arrival_rate
    for _ in range(jumps):
        holding = 1.0 / tree[1]
        now += holding
        leaf, rest = find_leaf(tree, rng.random() * tree[1])

        if leaf == 0:
            i = pick(class_thresholds, class_others, rest * class_scale)
            if present == 0:
                empty += holding
            component = 0
            if components > 1:
                component = pick(size_thresholds, size_others, rng.random() * components)
            job = free
            free = job_class[job]
            job_class[job] = i
            job_pace[job] = pace[component]
            phases_left[job] = phase_counts[component]
            area[i] += count[i] * (now - since[i])
            since[i] = now
            count[i] += 1
            present += 1
            node = job << shift
            for k in range(degrees[i]):
                server = servers_of_class[i, k]
                if append(after, before, server, node + k):
                    set_leaf(tree, server + 1, capacities[server] * pace[component])
            continue

        job = np.int64(after[leaf - 1]) >> shift
        i = job_class[job]
        interrupted = rest < capacities[leaf - 1] * interruption_rate
        if interrupted:
            interruptions[i] += 1.0
        else:
            phases_left[job] -= 1
            if phases_left[job] > 0:
                continue
            area[i] += count[i] * (now - since[i])
            since[i] = now
            count[i] -= 1
            present -= 1
            job_class[job] = free
            free = job
        node = job << shift
        for k in range(degrees[i]):
            server = servers_of_class[i, k]
            following = after[node + k]
            preceding = before[node + k]
            after[preceding] = following
            before[following] = preceding
            if interrupted and append(after, before, server, node + k):
                continue  # nobody else waits: the server goes on with the same job
            if preceding == server:
                set_leaf(tree, server + 1, capacities[server] * job_pace[np.int64(following) >> shift])
    return free, present, now, empty


@kernel
def simulate(
    rng, warmup, jumps,
    arrival_rate, class_thresholds, class_others, size_thresholds, size_others,
    phase_counts, phase_rates, interruption_rate, capacities, degrees, servers_of_class,
):  # fmt: skip
    """Run Algorithm 1 of `balanced`; returns the time measured, and over it the sums below.

    Each server has its queue, a ring of nodes in the order of (re)entry that begins and ends with node `server`, and
    serves the job of the first. A job has a node for each server it may use, from `job << shift` on, and so a job that
    leaves or moves to the end does so in each queue at once, without a look at other jobs. A busy server has its own
    leaf in the tree of rates, for its part in the next phase completion of its job and for its timer; leaf 0 is the
    arrivals. Times are expected holding times.

    Unsigned indices, and arrays for each property of a job, are what numba turns into the shortest code.

    Parameters
    ----------
    degrees : ndarray (classes,), servers_of_class : uint32 ndarray (classes, largest degree)
        The first `degrees[i]` entries of row i are the servers of class i. The other parameters say what they are:
        the tables are those of `pick`, and the rates of phases and interruptions are per unit of work.

    Returns
    -------
    float, ndarray (classes,), float, ndarray (classes,)
        Duration; integral of the number of jobs; time empty; interruptions.
    """
    classes, servers = len(degrees), len(capacities)
    leaves = 1
    while leaves < servers + 1:
        leaves *= 2
    tree = np.zeros(2 * leaves)
    set_leaf(tree, 0, arrival_rate)
    shift = 0
    while servers_of_class.shape[1] > 1 << shift:
        shift += 1
    # The first rows of the table of jobs hold the servers' own nodes: jobs that ask for no event.
    reserved = ((servers - 1) >> shift) + 1
    job_class = np.zeros(reserved, dtype=np.uint32)  # of a free row: the next free row
    job_pace = np.zeros(reserved)  # events asked for, per unit of work done on the job
    phases_left = np.zeros(reserved, dtype=np.int64)
    pace = interruption_rate + phase_rates
    after = np.arange(reserved << shift).astype(np.uint32)
    before = after.copy()
    free = reserved
    present = 0
    now = 0.0
    empty = 0.0
    count = np.zeros(classes, dtype=np.int64)
    since = np.zeros(classes)
    area = np.zeros(classes)
    interruptions = np.zeros(classes)
    done = 0
    while done < warmup + jumps:
        rows = len(job_class)
        room = rows - reserved - present
        if room < LEAST_ROOM:
            # Done out here because an array that is replaced costs the loop of events counted references to it.
            more = max(rows, LEAST_ROOM)
            job_class = longer(job_class, more)
            job_class[rows:] = np.arange(rows + 1, rows + more + 1)
            job_pace = longer(job_pace, more)
            phases_left = longer(phases_left, more)
            after = longer(after, more << shift)
            before = longer(before, more << shift)
            continue
        if done == warmup:
            now = 0.0
            empty = 0.0
            since[:] = 0.0
            area[:] = 0.0
            interruptions[:] = 0.0
        stretch = min(room, warmup - done if done < warmup else warmup + jumps - done)
        free, present, now, empty = advance(
            rng, stretch, tree, after, before, job_class, job_pace, phases_left, free, present, now, empty,
            count, since, area, interruptions,
            arrival_rate, class_thresholds, class_others, size_thresholds, size_others,
            phase_counts, pace, interruption_rate, capacities, degrees, servers_of_class, shift,
        )  # fmt: skip
        done += stretch
    for i in range(classes):
        area[i] += count[i] * (now - since[i])
    return now, area, empty, interruptions


ONE = np.uint64(1)
STRETCH = 512  # events between two looks at the room in the rings
LANES = 6  # replications side by side


@kernel
def advance_few(
    lanes, stretch, uniforms, each_server, phased, interrupting,
    now, empty, total, rate, serving, stamp, pace, left, head, tail, front, front_pace, area, interruptions,
    arrival_rate, thresholds, others, kind_class, kind_pace, kind_phases, capacities, timer_rates,
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
    scale, last = len(thresholds) / arrival_rate, len(thresholds) - 1.0
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
            scaled = mark * scale
            cell = np.int64(min(scaled, last))
            kind = others[np.uint64(2 * cell) + np.uint64(scaled - cell >= thresholds[np.uint64(cell)])]
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
                rate[own_servers + s] = capacities[s] * front_pace[own_classes + best] * np.float64(earliest < np.inf)
            rates = arrival_rate
            for s in range(1, len(each_server) + 1):
                rates += rate[own_servers + np.uint64(s)]
            total[lane] = rates


@kernel
def simulate_few(
    rngs, lanes, warmup, jumps, each_server, phased, interrupting,
    arrival_rate, thresholds, others, kind_class, kind_pace, kind_phases, capacities, timer_rates,
    servers_of, classes_of,
):  # fmt: skip
    """Algorithm 1 of `balanced` where a server has few classes: `lanes` replications at once; returns as `simulate`.

    Each class has its ring of jobs in the order of (re)entry; at most its first job is in service. An event takes one
    uniform number of its lane's generator, an arrival's class and size included, so that a replication does not
    depend on the others.

    Parameters
    ----------
    each_server : tuple
        Of as many entries as there are servers; its length is all that counts.
    phased, interrupting : tuple
        Empty where no size has several phases, or nobody is interrupted: the code for it is then left out.
    thresholds : ndarray (kinds,), others : uint64 ndarray (2 * kinds,)
        Alias table of the kinds of jobs, which are pairs of a class and a component of the size distribution: cell k
        is `others[2 * k]` up to its threshold, and `others[2 * k + 1]` beyond.
    servers_of, classes_of : uint64 ndarray (classes + 1, degree), (servers + 1, width)
        Servers from 1, padded with repetitions; classes padded with the last one, which is always empty.
    capacities, timer_rates : ndarray (servers + 1,)
        The first is no server's.
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
        advance_few(
            lanes, stretch, uniforms, each_server, phased, interrupting,
            now, empty, total, rate, serving, stamp, pace, left, head, tail, front, front_pace, area, interruptions,
            arrival_rate, thresholds, others, kind_class, kind_pace, kind_phases, capacities, timer_rates,
            servers_of, classes_of, room,
        )  # fmt: skip
        done += stretch
    for own in range(lanes * classes):
        area[own] += (tail[own] - head[own]) * now[own // classes]
    shape = (lanes, classes)
    return now, area.reshape(shape)[:, :-1], empty, interruptions.reshape(shape)[:, :-1]
