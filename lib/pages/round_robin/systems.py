"""The systems of `roundrobin`, as arguments of the models."""

from typing import NamedTuple

from clustershare import interruptions, multiserver, sizes


def round_robin_path():
    """The path of `roundrobin`, Figure 2, for its graph: a start, and four steps, of jobs large against the quantum.

    The figure is lost. The text tells that a first job of class 1 was in service on computer 1, and that the job of
    class 2 had two timers when it was interrupted: a queue of classes 1, 2, 1 begins so.

    Examples
    --------
    >>> round_robin_path()["present"]
    (0, 1, 0)
    """
    return {
        "arrival_rates": (0.3, 0.3, 0.3),
        "sizes": sizes.Exponential(100.0),
        "interruptions": 100,
        "present": (0, 1, 0),
        "steps": (("interruption", 0), ("interruption", 1), ("arrival", 2), ("interruption", 0)),
    }


class Stretch(NamedTuple):
    """What is true from one event to the next.

    Attributes
    ----------
    start, stop : float
        Times.
    queue : tuple of (int, int)
        Number and class of the jobs, from the head of the queue on.
    served : list of int or None
        The job that each server serves.
    in_service : list of bool
        Whether each job of the queue is served.
    """

    start: float
    stop: float
    queue: tuple
    served: list
    in_service: list


def stretches(graph, present, events):
    """A path cut at its events: `roundrobin`, Figure 2. It ends at the last one.

    Parameters
    ----------
    graph : clustershare.multiserver.CompatibilityGraph
    present : sequence of int
        Classes of the jobs at time 0.
    events : list of clustershare.interruptions.Event

    Returns
    -------
    list of Stretch

    Examples
    --------
    >>> graph = multiserver.CompatibilityGraph([{0}, {0, 1}, {1}], [1, 1])
    >>> events = interruptions.trace(graph, [0.3] * 3, sizes.Exponential(10.0), 10, [0, 1, 0], events=1, seed=4)
    >>> stretches(graph, [0, 1, 0], events)[0].served
    [0, 1]
    """
    queues = [tuple(enumerate(present)), *(event.queue for event in events[:-1])]
    times = [0.0, *(event.time for event in events)]
    return [
        Stretch(
            start, stop, queue, interruptions.served(graph, queue),
            (multiserver.state_rates(graph, [i for _, i in queue]) > 0).tolist(),
        )
        for start, stop, queue in zip(times, times[1:], queues)
    ]  # fmt: skip
