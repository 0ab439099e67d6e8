"""The systems of `roundrobin`, as arguments of the models."""

import itertools
from typing import NamedTuple

import numpy as np

from clustershare import interruptions, multiserver, sizes

CLASSES = ((0,), (0, 1), (1,))  # and their computers, counted from 0: `roundrobin`, Figure 1
SUBSETS = [A for n in (1, 2, 3) for A in itertools.combinations(range(3), n)]  # of the classes
NUMBERS = (0, 0.5, 1, 2, 5, 10, 50)  # of interruptions of a job


def random_traffic(count, boundary=None):
    """The graph of Figure 1 with capacities and traffic at random: of the most loaded classes a random load, or one."""
    rng = np.random.default_rng(6)
    for number in range(count):
        graph, rates = multiserver.CompatibilityGraph(CLASSES, rng.uniform(0.1, 3, 2)), rng.uniform(0.05, 1, 3)
        loads = [rates[list(A)].sum() / graph.service_rate(A) for A in ((0,), (2,), (0, 1, 2))]
        load = rng.uniform(0.05, 0.95) / max(loads) if boundary is None else boundary / loads[number % 3]
        yield graph, load * rates


def random_capacities(count):
    """Pairs of capacities at random, from 0.1 to 3."""
    return [tuple(pair) for pair in np.random.default_rng(5).uniform(0.1, 3, (count, 2)).tolist()]


def with_equal_traffic(load, count=20):
    """The graph of Figure 1 with random pairs of capacities, and equal traffic of the classes."""
    for capacities in random_capacities(count):
        yield (
            multiserver.CompatibilityGraph(CLASSES, capacities),
            np.full(3, load * min(*capacities, sum(capacities) / 3)),
        )


def example(load, capacities=(1.0, 1.0), mean_size=1.0):
    """`roundrobin`, Figure 1, with equal traffic of the classes, for a load of the most loaded set of classes.

    Examples
    --------
    >>> example(0.75)["arrival_rates"]
    (0.5, 0.5, 0.5)
    """
    first, second = capacities
    traffic = load * min(first, second, (first + second) / 3)
    return {"graph": multiserver.CompatibilityGraph(CLASSES, capacities), "arrival_rates": (traffic / mean_size,) * 3}


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
