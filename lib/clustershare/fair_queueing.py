"""Fair queueing of packets: head-of-the-line processor sharing, and its non-preemptive images (`thesis`, 1.5.3)."""

from __future__ import annotations

import heapq
from collections import deque

import numpy as np

from clustershare.arguments import affordable, array, fail, integer, number, one_of, positive, vector
from clustershare.typing import FloatArray, IntArray, Integers, Numbers

RULES = ("FQS", "FQF")
MOST_QUEUES = 10_000
MOST_TURNS = 10**7
MOST_COMPARED = 5000  # packets, at all points where anything changes


def processor_sharing(
    arrivals: Numbers, sizes: Numbers, queues: Integers, weights: Numbers | None = None
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The heads of all queues served at once: GPS, which for equal weights is HOL-PS.

    Parameters
    ----------
    arrivals, sizes : sequence of float
        Of the packets, in order of arrival; the server works at rate 1.
    queues : sequence of int
        The queue of each packet, counted from 0.
    weights : sequence of float, optional
        Of the queues; by default alike.

    Returns
    -------
    starts, ends : ndarray, shape (packets,)
    times : ndarray, shape (points,)
        Where the service of the queues bends.
    service : ndarray, shape (points, queues)
        What each queue has had by then.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> starts, ends, _, _ = processor_sharing([0, 0], [1, 2], [0, 1])
    >>> starts, ends
    (array([0., 0.]), array([2., 3.]))
    """
    arrivals, sizes, queues, count = _packets(arrivals, sizes, queues)
    weights = np.array(vector("weights", np.ones(count) if weights is None else weights, positive, count))
    starts, ends, left = np.full(len(sizes), np.inf), np.full(len(sizes), np.inf), sizes.copy()
    waiting = [[] for _ in range(count)]
    now, coming = 0.0, 0
    times, service = [0.0], [np.zeros(count)]
    while coming < len(sizes) or any(waiting):
        heads = [line[0] for line in waiting if line]
        until = arrivals[coming] if coming < len(sizes) else np.inf
        rates, spent, first = np.zeros(count), until - now, None
        if heads:
            busy = queues[heads]
            rates[busy] = weights[busy] / weights[busy].sum()
            needed = left[heads] / rates[busy]
            if now + needed.min() <= until:
                # The first to end has no work left, whatever rounding leaves of it: late times have few digits.
                spent, first = needed.min(), heads[needed.argmin()]
                until = now + spent
        for packet in heads:
            left[packet] -= rates[queues[packet]] * spent
            if packet == first or left[packet] <= 1e-12 * sizes[packet]:
                ends[packet] = until
                line = waiting[queues[packet]]
                line.pop(0)
                if line:
                    starts[line[0]] = until
        now = until
        times.append(now)
        service.append(service[-1] + rates * spent)
        while coming < len(sizes) and arrivals[coming] <= now:
            line = waiting[queues[coming]]
            if not line:
                starts[coming] = now
            line.append(coming)
            coming += 1
    return starts, ends, np.array(times), np.array(service)


def virtual_times(
    arrivals: Numbers, sizes: Numbers, queues: Integers, weights: Numbers | None = None
) -> tuple[FloatArray, FloatArray]:
    """When the service of each packet starts and ends under GPS, on the clock of virtual time.

    That clock runs at one over the weights of the queues that are served, so it orders events as real time does.
    Arguments and errors are those of `processor_sharing`; the cost of a packet grows with the logarithm of their
    number.

    Returns
    -------
    starts, ends : ndarray, shape (packets,)

    Examples
    --------
    >>> virtual_times([0, 0], [1, 2], [0, 1])
    (array([0., 0.]), array([1., 2.]))
    """
    arrivals, sizes, queues, count = _packets(arrivals, sizes, queues)
    weights = vector("weights", np.ones(count) if weights is None else weights, positive, count)
    starts, ends = np.zeros(len(sizes)), np.zeros(len(sizes))
    last, busy = [-1.0] * count, []  # where the service of each queue ends; a heap of those ends
    clock = now = served = 0.0  # virtual and real time, and the weights of the queues that are served
    for packet, (time, size, queue) in enumerate(zip(arrivals.tolist(), sizes.tolist(), queues.tolist())):
        while busy:
            end, first = busy[0]
            if end == last[first] and (end - clock) * served > time - now:
                clock += (time - now) / served
                break
            heapq.heappop(busy)
            if end == last[first]:
                now += (end - clock) * served
                clock = end
                last[first] = -1.0
                served -= weights[first]
        now = time
        if last[queue] < 0:
            served = served + weights[queue] if busy else weights[queue]
            last[queue] = clock
        starts[packet] = last[queue]
        ends[packet] = last[queue] = last[queue] + size / weights[queue]
        heapq.heappush(busy, (last[queue], queue))
    if not np.isfinite(ends).all():
        fail("sizes", sizes.tolist(), "such that the virtual times, sums of sizes over weights, are floats")
    return starts, ends


def fair_queueing(
    rule: str, arrivals: Numbers, sizes: Numbers, queues: Integers, weights: Numbers | None = None
) -> FloatArray:
    """One packet at a time: of those that have come, the one that starts (FQS) or ends (FQF) first under HOL-PS.

    Parameters
    ----------
    rule : str
        "FQS" or "FQF".
    arrivals, sizes, queues, weights
        As for `processor_sharing`. With weights, FQF is PGPS, or weighted fair queueing.

    Returns
    -------
    begins : ndarray, shape (packets,)
        When each packet begins to be sent; it is sent to its end.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> fair_queueing("FQF", [0, 0, 0], [3, 1, 1], [0, 1, 1])
    array([2., 0., 1.])
    """
    one_of("rule", rule, RULES)
    starts, ends = virtual_times(arrivals, sizes, queues, weights)
    arrivals, sizes, _, _ = _packets(arrivals, sizes, queues)
    order = ends if rule == "FQF" else starts
    return in_order(order, arrivals, sizes)


def in_order(order: Numbers, arrivals: Numbers, sizes: Numbers) -> FloatArray:
    """When packets begin if of those that have come that of the least order is sent first; of equals, the first.

    Examples
    --------
    >>> in_order([2, 1], [0, 0], [1, 1])
    array([1., 0.])
    """
    times, lengths = array("arrivals", arrivals, 1, 0).tolist(), array("sizes", sizes, 1, 0).tolist()
    order = array("order", order).tolist()
    if not len(times) == len(lengths) == len(order):
        fail("order", len(order), f"as long as arrivals and sizes, {len(times)} and {len(lengths)}")
    begins, now, waiting, coming = np.zeros(len(lengths)), 0.0, [], 0
    for _ in lengths:
        if not waiting:
            now = max(now, times[coming])
        while coming < len(times) and times[coming] <= now + 1e-12:
            heapq.heappush(waiting, (order[coming], coming))
            coming += 1
        _, packet = heapq.heappop(waiting)
        begins[packet] = now
        now += lengths[packet]
    return begins


def deficit_round_robin(
    arrivals: Numbers, sizes: Numbers, queues: Integers, quanta: Numbers
) -> tuple[FloatArray, IntArray]:
    """Queues in turn, each of which may send as much as its quantum and what it was short of in earlier turns.

    Parameters
    ----------
    arrivals, sizes, queues
        As for `processor_sharing`.
    quanta : sequence of float
        Of the queues. A queue that is empty has no deficit. So large that all packets take at most ten million turns.

    Returns
    -------
    begins : ndarray, shape (packets,)
    turns : ndarray of int, shape (packets,)
        How many turns any queue has had when the packet is sent.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> deficit_round_robin([0, 0, 0], [2, 1, 1], [0, 1, 1], [1, 1])
    (array([1., 0., 3.]), array([3, 2, 4]))
    """
    arrivals, sizes, queues, count = _packets(arrivals, sizes, queues)
    quanta = vector("quanta", quanta, positive, count)
    needed = float(np.ceil(sizes / np.minimum(np.array(quanta)[queues], sizes)).sum())
    if needed > MOST_TURNS:
        fail("quanta", quanta, f"so large that the packets take at most {MOST_TURNS} turns, not {needed:.1e}")
    times, lengths, owners = arrivals.tolist(), sizes.tolist(), queues.tolist()
    begins, turns = np.zeros(len(lengths)), np.zeros(len(lengths), dtype=int)
    lines, active, deficits = [deque() for _ in quanta], deque(), [0.0] * count
    now, coming, turn, sent = 0.0, 0, 0, 0

    def admit():
        nonlocal coming
        while coming < len(times) and times[coming] <= now + 1e-12:
            if not lines[owners[coming]] and owners[coming] not in active:
                active.append(owners[coming])
            lines[owners[coming]].append(coming)
            coming += 1

    while sent < len(lengths):
        if not active:
            now = max(now, times[coming])
        admit()
        turn += 1
        queue = active[0]
        deficits[queue] += quanta[queue]
        line = lines[queue]
        while line and lengths[line[0]] <= deficits[queue] + 1e-12:
            packet = line.popleft()
            deficits[queue] -= lengths[packet]
            begins[packet], turns[packet] = now, turn
            now += lengths[packet]
            sent += 1
            admit()
        active.popleft()
        if line:
            active.append(queue)
        else:
            deficits[queue] = 0.0
    return begins, turns


def largest_difference(begins: FloatArray, arrivals: Numbers, sizes: Numbers, queues: Integers) -> float:
    """How far what a queue has been sent is ever from what it would have been under HOL-PS (`thesis` (1.7)).

    Parameters
    ----------
    begins : ndarray, shape (packets,)
        When each packet begins to be sent, as of `fair_queueing`; of at most 5000 packets.
    arrivals, sizes, queues
        As for `processor_sharing`.

    Returns
    -------
    float
        Work, in the unit of the sizes.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> largest_difference(fair_queueing("FQS", [0, 0], [1, 1], [0, 1]), [0, 0], [1, 1], [0, 1])
    0.5
    """
    begins = array("begins", begins, 1, 0)
    affordable("the number of packets", len(begins), MOST_COMPARED)
    _, _, times, service = processor_sharing(arrivals, sizes, queues)
    arrivals, sizes, queues, count = _packets(arrivals, sizes, queues)
    if len(begins) != len(sizes):
        fail("begins", begins, f"of length {len(sizes)}, one for each packet")
    # Both are piecewise linear: the difference is largest where one of them bends.
    points = np.unique(np.concatenate([times, begins, begins + sizes]))
    worst = 0.0
    for queue in range(count):
        own = queues == queue
        sent = np.clip(points[:, None] - begins[own], 0, sizes[own]).sum(axis=1)
        worst = max(worst, float(np.abs(sent - np.interp(points, times, service[:, queue])).max()))
    return worst


def _packets(arrivals, sizes, queues):
    arrivals = np.array(vector("arrivals", arrivals, lambda name, value: number(name, value, 0)))
    if (np.diff(arrivals) < 0).any():
        fail("arrivals", arrivals.tolist(), "in order")
    sizes = np.array(vector("sizes", sizes, positive, len(arrivals)))
    queues = np.array(vector("queues", queues, lambda name, value: integer(name, value, 0, MOST_QUEUES - 1)), dtype=int)
    if queues.shape != sizes.shape or queues.min() < 0 or queues.max() >= MOST_QUEUES:
        fail("queues", queues.tolist(), f"a number from 0 to {MOST_QUEUES - 1} for each of the {len(sizes)} packets")
    return arrivals, sizes, queues, int(queues.max()) + 1
