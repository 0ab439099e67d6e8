"""What a cluster of one server loses: from a log, job by job in plain Python, and in bursts, from a chain."""

from collections import deque

import numpy as np

from clustershare import markov


def lost(arrivals, sizes, mapping, room):
    """The part of the jobs that finds the queue full, of one server with a tracker before it.

    Parameters
    ----------
    arrivals, sizes : sequence of float
    mapping : float
        How long the tracker takes for a job, from when the server is free.
    room : int
        In the queue before the tracker.

    Returns
    -------
    float

    Examples
    --------
    >>> lost([0.0, 1.0, 2.0, 3.0], [10.0, 10.0, 10.0, 10.0], 0.0, 1)  # in service, at the tracker, in the queue, lost
    0.25
    """
    entries, start, end, count = deque(), -np.inf, -np.inf, 0  # when those came to the tracker that a job may wait for
    for arrival, size in zip(arrivals, sizes):
        while entries and entries[0] <= arrival:
            entries.popleft()
        if start > arrival and len(entries) >= room:
            count += 1
            continue
        entry = max(arrival, start)
        entries.append(entry)
        start = max(entry, end) + mapping
        end = start + size
    return count / len(arrivals)


def lost_in_bursts(rates, switching, room, tracker, service):
    """The same where jobs come at one of two rates, and all times are exponential, from the stationary law.

    Parameters
    ----------
    rates, switching : sequence of float, of length 2
        Of arrivals in each phase, and out of it.
    room : int
    tracker, service : float
        Rates.

    Returns
    -------
    float

    Examples
    --------
    With a fast tracker and no room in the queue, two jobs are in the system at the most:

    >>> round(lost_in_bursts((1.0, 1.0), (1.0, 1.0), 0, 1e9, 1.0), 6)
    0.333333
    """

    def transitions(state):
        phase, queued, tracked, busy = state
        found = [((1 - phase, queued, tracked, busy), switching[phase])]
        if not tracked:
            found.append(((phase, queued, 1, busy), rates[phase]))
        elif queued < room:
            found.append(((phase, queued + 1, 1, busy), rates[phase]))
        if busy:
            found.append(((phase, queued, tracked, 0), service))
        elif tracked:
            found.append(((phase, max(queued - 1, 0), int(queued > 0), 1), tracker))
        return found

    states, *moves = markov.explore((0, 0, 0, 0), transitions)
    arriving = markov.stationary(markov.generator(len(states), *moves)) * [rates[phase] for phase, *_ in states]
    return float(arriving @ [queued == room and tracked for _, queued, tracked, _ in states] / arriving.sum())
