"""Fair queueing, packet by packet."""

import math
from fractions import Fraction

import numpy as np

from clustershare import fair_queueing
from compendium.press.clauses import cases, equalities
from pages.agreement import gap
from pages.share_scheduling.one_processor.library.shared import ROUNDING

# Packets.


def fluid(arrivals, packets, queues, weights):
    """GPS by the work in each queue: the times where it bends, what queues had by then, and virtual time."""
    work, had, now, clock = [Fraction(0)] * len(weights), [Fraction(0)] * len(weights), Fraction(0), Fraction(0)
    times, service, clocks = [now], [tuple(had)], [clock]

    def until(end):
        nonlocal now, clock
        while now < end and any(work):
            total = sum(weight for weight, left in zip(weights, work) if left)
            spent = min([end - now, *(left * total / weight for weight, left in zip(weights, work) if left)])
            for queue, weight in enumerate(weights):
                served = spent * weight / total if work[queue] else 0
                work[queue], had[queue] = work[queue] - served, had[queue] + served
            now, clock = now + spent, clock + spent / total
            times.append(now)
            service.append(tuple(had))
            clocks.append(clock)
        if now < end < math.inf:
            now = end
            times.append(now)
            service.append(tuple(had))
            clocks.append(clock)

    for arrival, size, queue in zip(arrivals, packets, queues):
        until(Fraction(arrival))
        work[queue] += Fraction(size)
    until(math.inf)
    return times, service, clocks


def at(x, xs, ys):
    """What goes straight from point to point, where it is first x."""
    k = next(k for k, one in enumerate(xs) if one >= x)
    return ys[k] if xs[k] == x else ys[k - 1] + (x - xs[k - 1]) * (ys[k] - ys[k - 1]) / (xs[k] - xs[k - 1])


def sent_in_order(order, arrivals, packets):
    """When packets begin if the one that is least, then first, of those that are there is sent next."""
    left, begins, now = list(range(len(packets))), [0.0] * len(packets), 0.0
    while left:
        now = max(now, min(arrivals[k] for k in left))
        k = min((k for k in left if arrivals[k] <= now), key=lambda k: (order[k], k))
        begins[k] = now
        now += packets[k]
        left.remove(k)
    return begins


def round_robin(arrivals, packets, queues, quanta):
    """Deficit round robin, turn by turn: when packets begin, and in which turn."""
    lines = [[k for k, queue in enumerate(queues) if queue == own] for own in range(len(quanta))]
    begins, turns, credit, now, turn, ring = {}, {}, [0] * len(quanta), 0, 0, []
    seen = 0

    def come():
        nonlocal seen
        while seen < len(packets) and arrivals[seen] <= now:
            if queues[seen] not in ring:
                ring.append(queues[seen])
            seen += 1

    while len(begins) < len(packets):
        come()
        if not ring:
            now = arrivals[seen]
            come()
        own, turn = ring[0], turn + 1
        credit[own] += quanta[own]
        while lines[own] and arrivals[lines[own][0]] <= now and packets[lines[own][0]] <= credit[own]:
            k = lines[own].pop(0)
            begins[k], turns[k] = now, turn
            credit[own] -= packets[k]
            now += packets[k]
            come()
        ring.pop(0)
        if lines[own] and arrivals[lines[own][0]] <= now:
            ring.append(own)
        else:
            credit[own] = 0
    return [begins[k] for k in range(len(packets))], [turns[k] for k in range(len(packets))]


def on_packets():
    """Fair queueing: GPS, virtual times, the orders that follow it, and deficit round robin."""

    def gaps(seed, count):
        rng = np.random.default_rng(seed)
        arrivals = (np.sort(rng.integers(0, 64 * count, count)) / 32).tolist()  # floats that are fractions, exactly
        packets, queues = (rng.integers(1, 12, count) / 2).tolist(), rng.permutation(np.arange(count) % 3).tolist()
        weights = [Fraction(3), Fraction(1), Fraction(2)] if seed % 2 else [Fraction(1)] * 3
        given = arrivals, packets, queues
        times, service, clocks = fluid(*given, weights)
        had, ends, starts, before = np.array(service), [], [], [0, 0, 0]
        for arrival, size, queue in zip(*given):
            curve = had[:, queue].tolist()
            starts.append(max(Fraction(arrival), at(before[queue], curve, times)))
            before[queue] += Fraction(size)
            ends.append(at(before[queue], curve, times))
        virtual = [[at(one, times, clocks) for one in column] for column in (starts, ends)]
        plain = None if seed % 2 == 0 else [3, 1, 2]
        found = fair_queueing.processor_sharing(*given, plain)
        curves = [np.interp(np.array(times, float), found[2], found[3][:, queue]) for queue in range(3)]
        begins = fair_queueing.fair_queueing("FQF", *given)
        bends, ideal, _ = fluid(*given, [Fraction(1)] * 3)
        points, apart = np.unique(np.concatenate([np.array(bends, float), begins, begins + packets])), 0.0
        for queue in range(3):
            own = [(b, size) for b, size, one in zip(begins, packets, queues) if one == queue]
            sent = [sum(min(max(x - b, 0), size) for b, size in own) for x in points]
            wanted = np.interp(points, np.array(bends, float), [float(row[queue]) for row in ideal])
            apart = max(apart, np.abs(sent - wanted).max())
        order = rng.integers(0, 5, count).tolist()
        return {
            "GPS and the work of its queues": gap(found[0], starts) + gap(found[1], ends) + gap(curves, had.T),
            "virtual times and their clock": gap(fair_queueing.virtual_times(*given, plain), virtual),
            "orders by GPS and packets sent so": gap(
                fair_queueing.fair_queueing("FQS", *given, plain), sent_in_order(virtual[0], arrivals, packets)
            ) + gap(fair_queueing.fair_queueing("FQF", *given, plain), sent_in_order(virtual[1], arrivals, packets)),
            "any order and packets sent so": gap(
                fair_queueing.in_order(order, arrivals, packets), sent_in_order(order, arrivals, packets)
            ),
            "deficit round robin and its turns": gap(
                fair_queueing.deficit_round_robin(*given, [4, 1, 2]), round_robin(*given, [4, 1, 2])
            ),
            "the largest difference and all bends": gap(fair_queueing.largest_difference(begins, *given), apart),
        }  # fmt: skip

    return equalities(cases("packets", [(1, 24), (2, 24), (3, 24), (4, 12)], seed=1).measure(gaps), ROUNDING)
