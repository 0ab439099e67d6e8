"""The loops of this package: subsets of classes, boxes of states, and the events of Algorithm 1."""

import math

import numpy as np

from clustershare._jit import kernel

NEVER = np.iinfo(np.int64).max


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


# Unsigned indices spare the compiled code a look for negative ones.
ZERO, ONE, TWO, THREE, ROW = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
STRETCH = 512  # events between two looks at the room for jobs
LANES = 10  # replications side by side


@kernel
def set_leaf(tree, root, leaf, rate, levels):
    """Give a leaf its rate and form the sums above it afresh, so that no rounding error builds up.

    The root of the tree is number 1, and the children of number n are 2 n and 2 n + 1.
    """
    tree[root + leaf] = rate
    for _ in range(levels):
        rate += tree[root + (leaf ^ ONE)]
        leaf >>= ONE
        tree[root + leaf] = rate


@kernel
def put(nodes, node, queue):
    """Put a node at the end of the ring that begins and ends with `queue`: numbers 0 and 1 are after and before."""
    end = nodes[queue + ONE]
    nodes[end] = node
    nodes[node + ONE] = end
    nodes[node] = queue
    nodes[queue + ONE] = node


@kernel
def longer(array, entries):
    """The array with zeros at its end."""
    return np.concatenate((array, np.zeros(entries, dtype=array.dtype)))


@kernel
def advance(
    lanes, stretch, uniforms, choices, used, drawing, levels, degree,
    now, empty, free, frees, tree, group_sizes, group_rates, starts, members, servers, nodes, jobs,
    count, area, interruptions, arrival_rate, thresholds, others, kinds, servers_of_class,
):  # fmt: skip
    """Some events of every lane, in three passes for each: the draws, the moves of jobs, the changes of servers.

    While one lane waits for its last store or division, the processor works on the next: that is why replications go
    side by side, and why nothing here may branch on anything drawn, for a wrong guess would throw the others' work
    away. A pass leaves a list of what the next has to do; its length is all that is left to guess.
    """
    all_servers, all_groups = np.uint64(len(servers) // lanes), np.uint64(len(group_sizes) // lanes)
    all_members, rows = np.uint64(len(members) // lanes), np.uint64(len(frees) // lanes)
    classes, draws = np.uint64(len(count) // lanes), np.uint64(len(choices) // lanes)
    every, leaves = np.uint64(degree), ONE << np.uint64(levels)
    shift = ZERO
    while ONE << shift < every:
        shift += ONE
    scale, last_cell = len(thresholds) / arrival_rate, len(thresholds) - 1.0
    marks = np.zeros(lanes + 1)
    moves = np.zeros(4 * (lanes + 1), dtype=np.uint64)  # rows of lane, job, and whether it arrives or leaves
    changes = np.zeros(4 * (lanes * degree + 1), dtype=np.uint64)  # rows of lane, server, and its new group
    position = ZERO
    for _ in range(stretch):
        moving = ZERO
        for number in range(lanes):
            lane = np.uint64(number)
            root, own_groups = lane * (leaves + leaves), lane * all_groups
            total = tree[root + ONE]
            holding = 1.0 / total
            now[lane] += holding
            empty[lane] += holding if total == arrival_rate else 0.0
            rest = uniforms[position] * total
            position += ONE
            leaf = ONE
            for _level in range(levels):
                leaf += leaf
                left, right = tree[root + leaf], tree[root + leaf + ONE]
                beyond = np.uint64(rest >= left) & np.uint64(right > 0.0)
                rest = rest - left if beyond else rest
                leaf += beyond
            group = leaf - leaves
            arrives = np.uint64(group == ZERO)
            # An arrival looks at an idle server, of which there is one at least: nobody.
            last = np.float64(np.int64(group_sizes[own_groups + group])) - 1.0
            place = rest * group_rates[ROW * group + ONE]
            member = np.int64(place if place < last else last)
            server = np.uint64(members[lane * all_members + starts[group] + np.uint64(member)])
            rest_of_member = rest - np.float64(member) * group_rates[ROW * group]
            interrupted = np.uint64(rest_of_member < group_rates[ROW * group + TWO])
            reserve = free[lane] - arrives
            entering, served = np.uint64(frees[lane * rows + reserve]), np.uint64(nodes[server]) >> (shift + TWO) << TWO
            job = entering if arrives else served
            phases = jobs[job + TWO] - np.uint32(ONE - interrupted)
            jobs[job + TWO] = phases  # of an arrival, drawn below
            ends = np.uint64(phases == np.uint32(0)) & (ONE - arrives)
            frees[lane * rows + reserve] = job
            free[lane] = reserve + ends
            move = ROW * moving  # written over by the next lane, unless the job moves
            marks[moving] = rest
            moves[move], moves[move + ONE], moves[move + TWO], moves[move + THREE] = lane, job, arrives, ends
            moving += arrives | interrupted | ends

        changing = ZERO
        for number in range(moving):
            move = ROW * np.uint64(number)
            lane, job, arrives, ends = moves[move], moves[move + ONE], moves[move + TWO], moves[move + THREE]
            scaled = marks[np.uint64(number)] * scale
            cell = np.int64(scaled if scaled < last_cell else last_cell)
            kind = ROW * others[np.uint64(2 * cell) + np.uint64(scaled - cell >= thresholds[np.uint64(cell)])]
            new_class, old_class = kinds[kind], jobs[job]
            new_pace, old_pace = kinds[kind + ONE], jobs[job + ONE]
            new_phases, old_phases = kinds[kind + TWO], jobs[job + TWO]
            i = new_class if arrives else old_class
            pace = new_pace if arrives else old_pace
            jobs[job] = i
            jobs[job + ONE] = pace
            jobs[job + TWO] = new_phases if arrives else old_phases
            own = lane * classes + np.uint64(i)
            change = np.int64(arrives) - np.int64(ends)
            count[own] += change
            area[own] -= now[lane] * np.float64(change)
            interruptions[own] += np.int64(ONE - arrives - ends)
            nobody = (lane + ONE) * all_servers - ROW
            node = job << shift
            for k in range(degree):
                known = np.uint64(nodes[node + TWO])
                if len(drawing) > 0:
                    # Floyd's draw without repetition: whoever is drawn twice gives way to the last of the range.
                    range_end = all_servers // ROW - ONE - every + np.uint64(k)
                    uniform = choices[lane * draws + used[lane] + np.uint64(k)]
                    drawn = lane * all_servers + ROW * np.uint64(uniform * np.float64(np.int64(range_end + ONE)))
                    for j in range(1, k + 1):
                        repeated = np.uint64(nodes[node - ROW * np.uint64(j) + TWO]) == drawn
                        drawn = lane * all_servers + ROW * range_end if repeated else drawn
                else:
                    drawn = lane * all_servers + np.uint64(servers_of_class[np.uint64(i) * every + np.uint64(k)])
                server = drawn if arrives else known
                following, preceding = np.uint64(nodes[node]), np.uint64(nodes[node + ONE])
                nodes[preceding] = following
                nodes[following + ONE] = preceding
                queue = nobody if ends else server
                nodes[node + TWO] = server
                nodes[node + THREE] = np.uint32(0) if queue == nobody else pace
                put(nodes, node, queue)
                node += ROW
                group = nodes[np.uint64(nodes[server]) + THREE] + servers[server]
                change = ROW * changing
                changes[change], changes[change + ONE], changes[change + TWO] = lane, server, group
                changing += np.uint64(group != servers[server + ONE])
            if len(drawing) > 0:
                used[lane] += every if arrives else ZERO

        for number in range(changing):
            change = ROW * np.uint64(number)
            lane, server, group = changes[change], changes[change + ONE], changes[change + TWO]
            root, own_groups, own_members = lane * (leaves + leaves), lane * all_groups, lane * all_members
            old, place_of_server = np.uint64(servers[server + ONE]), np.uint64(servers[server + TWO])
            size = group_sizes[own_groups + old] - ONE
            group_sizes[own_groups + old] = size
            other = members[own_members + starts[old] + size]
            members[own_members + starts[old] + place_of_server] = other
            servers[np.uint64(other) + TWO] = place_of_server
            rate = group_rates[ROW * old + THREE] + np.float64(np.int64(size)) * group_rates[ROW * old]
            set_leaf(tree, root, leaves + old, rate, levels)
            size = group_sizes[own_groups + group]
            group_sizes[own_groups + group] = size + ONE
            members[own_members + starts[group] + size] = server
            servers[server + ONE], servers[server + TWO] = group, size
            rate = group_rates[ROW * group + THREE] + np.float64(np.int64(size + ONE)) * group_rates[ROW * group]
            set_leaf(tree, root, leaves + group, rate, levels)


@kernel
def simulate(
    rngs, lanes, warmup, jumps, drawing, levels, degree,
    arrival_rate, thresholds, others, kind_class, kind_pace, kind_phases, paces, interruption_rate,
    capacity_of, capacities, servers_of_class,
):  # fmt: skip
    """Run Algorithm 1 of `balanced`, `lanes` replications at once; returns the time measured and the sums below.

    Each server has its queue, a ring of nodes in the order of (re)entry that begins and ends with its own node, and
    serves the job of the first. A job has a node for each server it may use, in consecutive rows, and so a job that
    leaves or moves to the end does so in each queue at once, without a look at other jobs. Jobs that are not there, and
    nodes that a class does not need, stand in the queue of nobody, the last server of each lane.

    Busy servers at which events come at the same rate, for the next phase completion of the job and for the timer,
    make a group: an event draws a group in the tree of rates, then a member. Leaf 0 is the arrivals; group 0, whose
    members are idle, adds nothing to it. Times are expected holding times. What is used together lies in a row of four
    numbers::

        node     the node after it, the one before, its server, the pace of its job (0: of nobody)
        job      its class, its pace, the phases it has left
        server   its capacity, its group, its place there (its own node has the same number)
        group    the rate of a member, its inverse, the rate of a timer, what is added to the rate of all

    where a pace is the number of its rate of phase completions, and a capacity its number, such that their sum is the
    number of the group. Nodes, jobs and servers are numbered through all lanes, by the place where their row begins.

    Parameters
    ----------
    drawing : tuple
        Not empty if the servers of a job are drawn at random: compiled apart.
    levels, degree : int
        Of the tree of rates; the largest number of servers of a job.
    thresholds : ndarray (kinds,), others : uint64 ndarray (2 * kinds,)
        Alias table of the kinds of jobs, which are pairs of a class and a component of the size distribution: cell k
        is `others[2 * k]` up to its threshold, and `others[2 * k + 1]` beyond.
    kind_class, kind_pace, kind_phases : ndarray (kinds,)
        Paces count from 1, in `paces`: phase completions per unit of work.
    interruption_rate : float
        Per unit of work.
    capacity_of : ndarray (servers + 1,), capacities : ndarray
        Which of the different capacities a server has; nobody the first.
    servers_of_class : uint32 ndarray (classes * degree,)
        Padded with nobody.

    Returns
    -------
    ndarrays (lanes,), (lanes, classes), (lanes,), (lanes, classes)
        Duration; integral of the number of jobs; time empty; interruptions.
    """
    leaves = 1 << levels
    classes = 1 if len(drawing) > 0 else len(servers_of_class) // degree
    all_servers, all_groups = len(capacity_of), (len(paces) + 1) * len(capacities)
    all_members = (len(paces) + 1) * all_servers
    width = 1
    while width < degree:
        width *= 2
    # The groups of a pace, in the order of the capacities, have room for all servers.
    group_rates, starts = np.zeros(4 * all_groups), np.zeros(all_groups, dtype=np.uint64)
    group_rates[3] = arrival_rate
    start = 0
    for c in range(len(capacities)):
        for pace in range(len(paces) + 1):
            group = pace * len(capacities) + c
            starts[group] = start + pace * all_servers
            if pace > 0:
                group_rates[4 * group] = capacities[c] * (interruption_rate + paces[pace - 1])
                group_rates[4 * group + 1] = 1.0 / group_rates[4 * group]
                group_rates[4 * group + 2] = capacities[c] * interruption_rate
        start += np.sum(capacity_of == c)
    kinds = np.zeros(4 * len(kind_class), dtype=np.uint32)
    for kind in range(len(kind_class)):
        kinds[4 * kind] = kind_class[kind]
        kinds[4 * kind + 1] = kind_pace[kind] * len(capacities)
        kinds[4 * kind + 2] = kind_phases[kind]
    tree = np.zeros(lanes * 2 * leaves)
    group_sizes = np.zeros(lanes * all_groups, dtype=np.uint64)
    members = np.zeros(lanes * all_members, dtype=np.uint32)
    servers = np.zeros(4 * lanes * all_servers, dtype=np.uint32)
    for lane in range(lanes):
        set_leaf(tree, np.uint64(lane * 2 * leaves), np.uint64(leaves), arrival_rate, levels)
        for s in range(all_servers):
            server, c = 4 * (lane * all_servers + s), capacity_of[s]
            servers[server] = servers[server + 1] = c
            servers[server + 2] = group_sizes[lane * all_groups + c]
            members[lane * all_members + starts[c] + servers[server + 2]] = server
            group_sizes[lane * all_groups + c] += ONE
    # The first jobs are rows of the servers' own nodes, and never move.
    rows, room = (lanes * all_servers - 1) // width + 1, 0
    jobs, nodes = np.zeros(4 * rows, dtype=np.uint32), np.zeros(4 * rows * width, dtype=np.uint32)
    for node in range(0, len(nodes), 4):
        nodes[node] = nodes[node + 1] = node
    free, frees = np.zeros(lanes, dtype=np.uint64), np.zeros(lanes, dtype=np.uint32)
    now, empty, area = np.zeros(lanes), np.zeros(lanes), np.zeros(lanes * classes)
    count, interruptions = np.zeros(lanes * classes, dtype=np.int64), np.zeros(lanes * classes, dtype=np.int64)
    uniforms, draws = np.empty(lanes * STRETCH), degree * STRETCH if len(drawing) > 0 else 0
    choices, used = np.empty(lanes * draws), np.full(lanes, draws, dtype=np.uint64)
    done = 0
    while done < warmup + jumps:
        if done == warmup:
            # An area is the sum of the times of departure less those of arrival.
            for own in range(lanes * classes):
                area[own] = 0.0
                interruptions[own] = 0
            now[:] = 0.0
            empty[:] = 0.0
        stretch = min(STRETCH, warmup - done if done < warmup else warmup + jumps - done)
        if np.min(free) < stretch:
            # Done here because an array that is replaced costs a loop of events counted references to it.
            more = max(STRETCH, room)
            wider = np.zeros(lanes * (room + more + 1), dtype=np.uint32)
            jobs, nodes = longer(jobs, 4 * lanes * more), longer(nodes, 4 * lanes * more * width)
            for lane in range(lanes):
                nobody = 4 * ((lane + 1) * all_servers - 1)
                for k in range(free[lane]):
                    wider[lane * (room + more + 1) + k] = frees[lane * (room + 1) + k]
                for k in range(more):
                    job = 4 * (rows + lane * more + k)
                    wider[lane * (room + more + 1) + free[lane] + k] = job
                    for node in range(job * width, (job + 4) * width, 4):
                        put(nodes, np.uint64(node), np.uint64(nobody))
                free[lane] += more
            rows += lanes * more
            room += more
            frees = wider
        for lane in range(lanes):
            for k in range(stretch):
                uniforms[k * lanes + lane] = rngs[lane].random()
            for k in range(used[lane]):
                choices[lane * draws + k] = rngs[lane].random()
            used[lane] = 0
        advance(
            lanes, stretch, uniforms, choices, used, drawing, levels, degree,
            now, empty, free, frees, tree, group_sizes, group_rates, starts, members, servers, nodes, jobs,
            count, area, interruptions, arrival_rate, thresholds, others, kinds, 4 * servers_of_class,
        )  # fmt: skip
        done += stretch
    for own in range(lanes * classes):
        area[own] += count[own] * now[own // classes]
    return now, area.reshape((lanes, classes)), empty, interruptions.reshape((lanes, classes))


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
