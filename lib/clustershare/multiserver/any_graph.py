"""Algorithm 1 of `balanced` for any graph, or servers drawn at random: an event costs the servers of its job.

Each server has its queue, a ring of nodes in the order of (re)entry that begins and ends with its own node, and
serves the job of the first. A job has a node for each server it may use, all in one row, and so a job that leaves
or moves to the end does so in each queue at once, without a look at other jobs. A node of a job that is not there
is a ring of its own, and so is one that a class does not need: its server is nobody, the last one of each lane.

Busy servers at which events come at the same rate, for the next phase completion of the job and for the timer,
make a group: an event draws a group in the tree of rates, then a member. Leaf 0 is the arrivals; group 0, whose
members are idle, adds nothing to it. Times are expected holding times. What is used together lies in a row::

    server   the kind of idle servers, -, its node (after, before), its group, its place there, its capacity
    job      its kind, the phases it has left, its nodes (each: after, before, server)
    group    the rate of a member, its inverse, the rate of a timer, what is added to the rate of all, its start
    kind     its class, its pace, its phases
    lane     the time, the time empty, the first free job, choices used, the tree, the sizes of the groups
    class    the number of jobs, its integral, interruptions: in each lane

where a pace is the number of a rate of phase completions (0: of idle servers), and a capacity its number, such
that their sum is the number of the group. The rows of servers and jobs are cells of one array, for all lanes, and
as wide as a power of two, so that a node shows where its row begins. A server is known by its node.

Indices are unsigned: that spares the compiled code a look for negative ones.
"""

import numpy as np

from clustershare.compiled.choice import alias
from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel

ZERO, ONE, TWO, THREE, FOUR, FIVE, EIGHT = np.arange(9, dtype=np.uint64)[[0, 1, 2, 3, 4, 5, 8]]
STRETCH = 512  # events between two looks at the room for jobs


@kernel
def set_leaf(tree, root, leaf, rate, levels):
    """Give a leaf its rate and form the sums above it afresh, so that no rounding error builds up.

    The root of the tree is number 1, and the children of number n are 2 n and 2 n + 1.
    """
    tree[root + leaf] = rate
    for _ in range(len(levels)):
        rate += tree[root + (leaf ^ ONE)]
        leaf >>= ONE
        tree[root + leaf] = rate


@kernel
def advance(
    lanes, stretch, uniforms, choices, drawing, levels, degree, width, all_servers,
    state, sums, groups, members, cells, arrival_rate, thresholds, places_of_kinds, kinds, servers_of_class,
):  # fmt: skip
    """Some events of every lane, in short loops through the lanes.

    While one lane waits for its last load, store or division, the processor works on the next: that is why
    replications go side by side, why a loop does little before it turns to the next lane, and why nothing here may
    branch on anything drawn, for a wrong guess would throw the others' work away. What holds for some lanes only is a
    mask, of all bits or none. A loop leaves a list of what others have to do; its length is all that is left to guess,
    and other work comes between, that it be known when it is asked for.
    """
    all_members, pitch = np.uint64(len(members) // lanes), np.uint64(len(state) // lanes)
    classes, draws = np.uint64(len(sums) // (4 * lanes)), np.uint64(len(choices) // lanes)
    every = np.uint64(len(drawing) if len(drawing) > 0 else degree)
    row, base, rows_of_lane = np.uint64(width), ~np.uint64(width - 1), np.uint64(width * all_servers)
    leaves = ONE << np.uint64(len(levels))
    sizes = FOUR + leaves + leaves
    scale = len(thresholds) / arrival_rate
    integers, counts, starts = state.view(np.uint64), sums.view(np.int64), groups.view(np.uint64)
    marks = np.zeros(8 * lanes)  # rows of server, mark, arriving, interrupted, job, phases and then ending
    events = marks.view(np.uint64)
    moves, arrivals = np.zeros(lanes + 1, dtype=np.uint64), np.zeros(lanes + 1, dtype=np.uint64)
    nodes = np.zeros(4 * lanes * (degree + 1), dtype=np.uint64)  # rows of node or new group, alone, server, lane
    changes = np.zeros(lanes * degree + 1, dtype=np.uint64)
    position = ZERO
    for _ in range(stretch):
        arrived = ZERO
        for number in range(lanes):
            # An event draws a group, and one of its members.
            lane = np.uint64(number)
            own, event = lane * pitch, EIGHT * lane
            root = own + FOUR
            total = state[root + ONE]
            rest = uniforms[position] * total
            position += ONE
            leaf = ONE
            for _level in range(len(levels)):
                leaf += leaf
                left, right = state[root + leaf], state[root + leaf + ONE]
                beyond = np.uint64(rest >= left) & np.uint64(right > 0.0)
                rest = rest - left if beyond else rest
                leaf += beyond
            group = leaf - leaves
            marks[event + ONE] = rest
            events[event + TWO] = ZERO - np.uint64(group == ZERO)
            # An arrival looks at an idle server, of which there is one at least: nobody.
            last = np.float64(np.int64(integers[own + sizes + group])) - 1.0
            group *= EIGHT
            place = rest * groups[group + ONE]
            member = np.int64(place if place < last else last)
            events[event] = members[lane * all_members + starts[group + FOUR] + np.uint64(member)]
            rest_of_member = rest - np.float64(member) * groups[group]
            events[event + THREE] = np.uint64(rest_of_member < groups[group + TWO])
            arrivals[arrived] = lane  # written over by the next, unless a job comes
            arrived += ONE & events[event + TWO]

        for number in range(lanes):
            # The job that is served.
            event = EIGHT * np.uint64(number)
            job = np.uint64(cells[events[event]]) & base
            events[event + FOUR], events[event + FIVE] = job, cells[job + ONE]

        for number in range(arrived):
            # A job that comes takes the place of the served one, of which there is none.
            lane = arrivals[np.uint64(number)]
            own, event = lane * pitch, EIGHT * lane
            job = integers[own + TWO]
            integers[own + TWO] = cells[job + ONE]
            kind = alias(marks[event + ONE] * scale, thresholds, places_of_kinds)
            cells[job] = kind
            # One phase more, for what follows counts off the end of one.
            events[event + FOUR], events[event + FIVE] = job, np.uint64(kinds[kind + TWO]) + ONE
            first, node = lane * rows_of_lane + TWO, job + TWO
            for k in range(len(drawing) if len(drawing) > 0 else degree):
                if len(drawing) > 0:
                    # Floyd's draw without repetition: whoever is drawn twice gives way to the last of the range.
                    range_end = np.uint64(all_servers - 1) - every + np.uint64(k)
                    uniform = choices[lane * draws + integers[own + THREE] + np.uint64(k)]
                    server = first + row * np.uint64(uniform * np.float64(np.int64(range_end + ONE)))
                    for j in range(1, k + 1):
                        repeated = np.uint64(cells[node - THREE * np.uint64(j) + TWO]) == server
                        server = first + row * range_end if repeated else server
                else:
                    server = first + np.uint64(servers_of_class[np.uint64(kinds[kind]) * every + np.uint64(k)])
                cells[node + TWO] = server
                node += THREE
            if len(drawing) > 0:
                integers[own + THREE] += every

        moving = ZERO
        for number in range(lanes):
            # It ends a phase, unless it is interrupted, and with its last one it goes.
            lane = np.uint64(number)
            own, event = lane * pitch, EIGHT * lane
            interrupted, job = events[event + THREE], events[event + FOUR]
            free = integers[own + TWO]
            remaining = events[event + FIVE] - (ONE - interrupted)
            ends = remaining == ZERO
            cells[job + ONE] = free if ends else remaining
            integers[own + TWO] = job if ends else free
            events[event + FIVE] = ZERO - np.uint64(ends)
            moves[moving] = lane  # written over by the next, unless the job moves
            moving += (events[event + TWO] & ONE) | interrupted | np.uint64(ends)

        for number in range(lanes):
            # Time goes on.
            own = np.uint64(number) * pitch
            total = state[own + FIVE]
            holding = 1.0 / total
            state[own] += holding
            state[own + ONE] += holding if total == arrival_rate else 0.0

        node_row = ZERO
        for number in range(moving):
            # A job that comes, goes or is interrupted moves in all its queues.
            lane = moves[np.uint64(number)]
            job, ending = events[EIGHT * lane + FOUR], events[EIGHT * lane + FIVE]
            nobody, node = (lane + ONE) * rows_of_lane + TWO - row, job + TWO
            for _node in range(len(drawing) if len(drawing) > 0 else degree):
                server, alone = np.uint64(cells[node + TWO]), ending
                if len(drawing) == 0:
                    alone |= ZERO - np.uint64(server == nobody)
                nodes[node_row], nodes[node_row + ONE] = node, alone
                nodes[node_row + TWO], nodes[node_row + THREE] = server, lane
                node_row += FOUR
                node += THREE

        for number in range(moving * every):
            # A node leaves the ring it is in, and goes to the end of its queue, or stays alone.
            node_row = FOUR * np.uint64(number)
            node, alone, server = nodes[node_row], nodes[node_row + ONE], nodes[node_row + TWO]
            after, before = np.uint64(cells[node]), np.uint64(cells[node + ONE])
            cells[before] = after
            cells[after + ONE] = before
            end = (node & alone) | (np.uint64(cells[server + ONE]) & ~alone)
            queue = (node & alone) | (server & ~alone)
            cells[end] = node
            cells[node] = queue
            cells[node + ONE] = end
            cells[queue + ONE] = node

        changing = ZERO
        for number in range(moving * every):
            # A server's group is that of the first job in its queue.
            node_row = FOUR * np.uint64(number)
            server = nodes[node_row + TWO]
            first_job = np.uint64(cells[server]) & base
            group = np.uint64(kinds[np.uint64(cells[first_job]) + ONE] + cells[server + FOUR])
            nodes[node_row] = group
            changes[changing] = node_row
            changing += np.uint64(group != np.uint64(cells[server + TWO]))

        for number in range(moving):
            # It is counted.
            lane = moves[np.uint64(number)]
            own, event = lane * pitch, EIGHT * lane
            arriving, job, ending = events[event + TWO], events[event + FOUR], events[event + FIVE]
            own_sums = FOUR * (lane * classes + np.uint64(kinds[np.uint64(cells[job])]))
            change = np.int64(ending - arriving)
            counts[own_sums] += change
            sums[own_sums + ONE] -= state[own] * np.float64(change)
            counts[own_sums + TWO] += np.int64(ONE + arriving + ending)

        for number in range(changing):
            # The last member of the old group takes the place that is left.
            node_row = changes[np.uint64(number)]
            new, server, lane = nodes[node_row], nodes[node_row + TWO], nodes[node_row + THREE]
            own, own_members = lane * pitch, lane * all_members
            old, place = np.uint64(cells[server + TWO]), np.uint64(cells[server + THREE])
            size = integers[own + sizes + old] - ONE
            integers[own + sizes + old] = size
            start = own_members + starts[EIGHT * old + FOUR]
            other = members[start + size]
            members[start + place] = other
            cells[np.uint64(other) + THREE] = place
            rate = groups[EIGHT * old + THREE] + np.float64(np.int64(size)) * groups[EIGHT * old]
            set_leaf(state, own + FOUR, leaves + old, rate, levels)
            size = integers[own + sizes + new]
            integers[own + sizes + new] = size + ONE
            members[own_members + starts[EIGHT * new + FOUR] + size] = server
            cells[server + TWO], cells[server + THREE] = new, size
            rate = groups[EIGHT * new + THREE] + np.float64(np.int64(size + ONE)) * groups[EIGHT * new]
            set_leaf(state, own + FOUR, leaves + new, rate, levels)


@kernel
def simulate(
    rngs, lanes, warmup, jumps, drawing, levels, degree,
    arrival_rate, thresholds, drawn_kinds, kind_class, kind_pace, kind_phases, paces, interruption_rate,
    capacity_of, capacities, servers_of_class,
):  # fmt: skip
    """Run `lanes` replications at once.

    Parameters
    ----------
    drawing : tuple
        Of as many entries as a job has servers, if they are drawn at random; else empty. Its length is all that counts,
        as that of `levels`, the levels of the tree of rates: the code is compiled for it.
    degree : int
        The largest number of servers of a job.
    thresholds : ndarray (kinds,), drawn_kinds : uint64 ndarray (2 * kinds,)
        `alias_table` of the kinds of jobs, which are pairs of a class and a component of the size distribution.
    kind_class, kind_pace, kind_phases : ndarray (kinds,)
        Paces count from 1, in `paces`: phase completions per unit of work.
    interruption_rate : float
        Per unit of work.
    capacity_of : ndarray (servers + 1,), capacities : ndarray
        Which of the different capacities a server has; nobody the first.
    servers_of_class : uint64 ndarray (classes * degree,)
        Padded with nobody.

    Returns
    -------
    ndarrays (lanes,), (lanes, classes), (lanes,), (lanes, classes)
        Duration; integral of the number of jobs; time empty; interruptions.
    """
    leaves = 1 << len(levels)
    classes = 1 if len(drawing) > 0 else len(servers_of_class) // degree
    all_servers, all_groups = len(capacity_of), (len(paces) + 1) * len(capacities)
    all_members = (len(paces) + 1) * all_servers
    width = 8
    while width < 2 + 3 * degree:
        width *= 2
    # The groups of a pace, in the order of the capacities, have room for all servers.
    groups = np.zeros(8 * all_groups)
    starts = groups.view(np.uint64)
    groups[3] = arrival_rate
    start = 0
    for c in range(len(capacities)):
        for pace in range(len(paces) + 1):
            group = 8 * (pace * len(capacities) + c)
            starts[group + 4] = start + pace * all_servers
            if pace > 0:
                groups[group] = capacities[c] * (interruption_rate + paces[pace - 1])
                groups[group + 1] = 1.0 / groups[group]
                groups[group + 2] = capacities[c] * interruption_rate
        start += np.sum(capacity_of == c)
    idle = 4 * len(kind_class)  # a kind of pace 0
    kinds = np.zeros(idle + 4, dtype=np.uint32)
    for kind in range(len(kind_class)):
        kinds[4 * kind] = kind_class[kind]
        kinds[4 * kind + 1] = kind_pace[kind] * len(capacities)
        kinds[4 * kind + 2] = kind_phases[kind]
    draws = degree * STRETCH if len(drawing) > 0 else 0
    pitch, sizes = 4 + 2 * leaves + all_groups, 4 + 2 * leaves
    state, sums = np.zeros(lanes * pitch), np.zeros(4 * lanes * classes)
    integers, counts = state.view(np.uint64), sums.view(np.int64)
    members = np.zeros(lanes * all_members, dtype=np.uint32)
    cells = np.zeros(lanes * all_servers * width, dtype=np.uint32)
    for lane in range(lanes):
        own = lane * pitch
        set_leaf(state, np.uint64(own + 4), np.uint64(leaves), arrival_rate, levels)
        integers[own + 3] = draws
        for s in range(all_servers):
            server, c = width * (lane * all_servers + s) + 2, capacity_of[s]
            cells[server - 2] = idle
            cells[server] = cells[server + 1] = server
            cells[server + 2] = cells[server + 4] = c
            cells[server + 3] = integers[own + sizes + c]
            members[lane * all_members + starts[8 * c + 4] + cells[server + 3]] = server
            integers[own + sizes + c] += ONE
    room, present = 0, np.zeros(lanes, dtype=np.int64)
    uniforms, choices = np.empty(lanes * STRETCH), np.empty(lanes * draws)
    places_of_kinds, rows_of_class = FOUR * drawn_kinds, np.uint64(width) * servers_of_class
    done = 0
    while done < warmup + jumps:
        stop_if_asked(lanes * STRETCH)
        if done == warmup:
            # An area is the sum of the times of departure less those of arrival.
            for lane in range(lanes):
                state[lane * pitch] = state[lane * pitch + 1] = 0.0
            for own in range(0, len(sums), 4):
                sums[own + 1] = 0.0
                counts[own + 2] = 0
        stretch = min(STRETCH, warmup - done if done < warmup else warmup + jumps - done)
        for lane in range(lanes):
            present[lane] = 0
            for i in range(classes):
                present[lane] += counts[4 * (lane * classes + i)]
        if room - np.max(present) < stretch:
            # Done here because an array that is replaced costs a loop of events counted references to it.
            more, job = max(STRETCH, room), len(cells)
            cells = np.concatenate((cells, np.zeros(lanes * more * width, dtype=np.uint32)))
            for lane in range(lanes):
                for _ in range(more):
                    for node in range(job + 2, job + 2 + 3 * degree, 3):
                        cells[node] = cells[node + 1] = node
                    cells[job + 1] = integers[lane * pitch + 2]
                    integers[lane * pitch + 2] = job
                    job += width
            room += more
        for lane in range(lanes):
            for k in range(stretch):
                uniforms[k * lanes + lane] = rngs[lane].random()
            for k in range(integers[lane * pitch + 3]):
                choices[lane * draws + k] = rngs[lane].random()
            integers[lane * pitch + 3] = 0
        advance(
            lanes, stretch, uniforms, choices, drawing, levels, degree, width, all_servers,
            state, sums, groups, members, cells, arrival_rate, thresholds, places_of_kinds, kinds, rows_of_class,
        )  # fmt: skip
        done += stretch
    now, empty, area = np.zeros(lanes), np.zeros(lanes), np.zeros((lanes, classes))
    interruptions = np.zeros((lanes, classes), dtype=np.int64)
    for lane in range(lanes):
        now[lane], empty[lane] = state[lane * pitch], state[lane * pitch + 1]
        for i in range(classes):
            own = 4 * (lane * classes + i)
            area[lane, i] = sums[own + 1] + counts[own] * now[lane]
            interruptions[lane, i] = counts[own + 2]
    return now, area, empty, interruptions
