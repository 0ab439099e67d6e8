"""Fair queueing of packets: head-of-the-line processor sharing, and its two non-preemptive images (`thesis`, 1.5.3)."""

import numpy as np

from clustershare.arguments import fail, number, one_of, positive, vector

RULES = ("FQS", "FQF")


def processor_sharing(arrivals, sizes, queues, weights=None):
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
        rates = np.zeros(count)
        if heads:
            busy = queues[heads]
            rates[busy] = weights[busy] / weights[busy].sum()
            until = min(until, now + (left[heads] / rates[busy]).min())
        spent = until - now
        for packet in heads:
            left[packet] -= rates[queues[packet]] * spent
            if left[packet] <= 1e-12:
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


def fair_queueing(rule, arrivals, sizes, queues):
    """One packet at a time: of those that have come, the one that starts (FQS) or ends (FQF) first under HOL-PS.

    Parameters
    ----------
    rule : str
        "FQS" or "FQF".
    arrivals, sizes, queues
        As for `processor_sharing`.

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
    starts, ends, _, _ = processor_sharing(arrivals, sizes, queues)
    arrivals, sizes, queues, _ = _packets(arrivals, sizes, queues)
    order = ends if rule == "FQF" else starts
    begins, now, unsent = np.zeros(len(sizes)), 0.0, set(range(len(sizes)))
    while unsent:
        here = [packet for packet in unsent if arrivals[packet] <= now + 1e-12]
        if not here:
            now = min(arrivals[packet] for packet in unsent)
            continue
        packet = min(here, key=lambda packet: (order[packet], packet))
        begins[packet] = now
        now += sizes[packet]
        unsent.remove(packet)
    return begins


def largest_difference(begins, arrivals, sizes, queues):
    """How far what a queue has been sent is ever from what it would have been under HOL-PS (`thesis` (1.7)).

    Parameters
    ----------
    begins : ndarray, shape (packets,)
        When each packet begins to be sent, as of `fair_queueing`.
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
    _, _, times, service = processor_sharing(arrivals, sizes, queues)
    arrivals, sizes, queues, count = _packets(arrivals, sizes, queues)
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
    queues = np.asarray(queues, dtype=int)
    if queues.shape != sizes.shape or queues.min() < 0:
        fail("queues", queues.tolist(), f"a number of at least 0 for each of the {len(sizes)} packets")
    return arrivals, sizes, queues, int(queues.max()) + 1
