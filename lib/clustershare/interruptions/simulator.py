"""Three ways of interrupting jobs, simulated in real time with one plain list of jobs.

No event here is made as in `clustershare.multiserver.simulate`, which is some fifty times faster for exponential timers
(`make bench`): where both can answer, each is a check of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import NothingSeen, affordable, fail, integer, number, one_of, resolved, sequence, truth
from clustershare.arrivals import process
from clustershare.compiled.arrivals import arriving
from clustershare.compiled.encoding import encode
from clustershare.compiled.records import recording
from clustershare.interruptions import kernel
from clustershare.multiserver import simulator as in_phases
from clustershare.multiserver.graph import (
    RandomAssignment,
    check_graph,
    check_streams,
    class_index,
    load_of,
    require_stable,
)
from clustershare.multiserver.of_classes import of_classes, several
from clustershare.records import Records
from clustershare.run_length import check_run_length
from clustershare.typing import Arrivals, Integers, Numbers, Run

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph
    from clustershare.multiserver.performance import Performance
    from clustershare.sizes import JobSize

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph
    from clustershare.sizes import JobSize

RULES = ("timer", "quantum", "tasks")
MOST_EVENTS = 10_000  # of a trace, which keeps the queue of each
MOST_SEEDS = 10**5  # some seconds
KINDS = ("arrival", "departure", "interruption")


@dataclass(frozen=True)
class Event:
    """An event of the queue.

    Attributes
    ----------
    time : float
    kind : str
        "arrival", "departure" or "interruption".
    job : int
        Its number: those present at the beginning count first, then the others as they arrive.
    queue : tuple of (int, int)
        Number and class of the jobs after the event, from the head of the queue on.
    """

    time: float
    kind: str
    job: int
    queue: tuple[tuple[int, int], ...]


def simulate(
    graph: CompatibilityGraph | RandomAssignment, arrival_rates: ArrayLike, sizes: JobSize | Sequence[JobSize],
    interruptions: float, rule: str = "timer", *, arrivals: Arrivals = None, records: bool = False, **run: Unpack[Run],
) -> Performance:  # fmt: skip
    """Simulate first come, first served with interruptions, each of which sends a job to the end of the queue.

    Parameters
    ----------
    graph, arrival_rates
        As for `clustershare.multiserver.simulate`.
    sizes : clustershare.sizes.JobSize, or a sequence of them
        Sizes in work, of any distribution: of all classes alike, or of each class of a graph.
    interruptions : float
        m, at least 0: the mean size over the quantum; for tasks, an integer. The mean size is that of all jobs.
    rule : str
        When a job is interrupted. "timer": after an exponential amount of work, of mean ``sizes.mean / interruptions``,
        since it came to its servers: `balanced` Algorithm 1. "quantum": after just that amount of work, which is the
        round robin that `roundrobin` starts from. "tasks": a job is cut into ``interruptions + 1`` equal parts.
    arrivals : clustershare.arrivals.Process, Bursts or clustershare.sizes.JobSize, optional
        How the jobs of all classes together arrive: a process, or a law of mean 1 of the times between arrivals. It is
        scaled by the sum of the arrival rates, in proportion to which the class of each job is drawn. None is Poisson.
    records : bool
        Whether `records` of the result tells what jobs met with, for each class, or for all jobs under a random
        assignment. The size of a job there is the time that its service takes when it has all its servers.
    **run
        `jumps`, `warmup`, `replications`, `seed`: see `clustershare.run_length.RunLength`. Jumps are arrivals,
        departures and interruptions.

    Returns
    -------
    clustershare.multiserver.Performance
        Estimates, shaped as those of `clustershare.multiserver.simulate`; the interruptions of a class of which no job
        left in some replication are nan, or inf if one was interrupted, and the service rate of a class never seen is
        inf +/- nan.

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If a set of classes brings at least the work its servers can do.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import Deterministic
    >>> one = CompatibilityGraph([{0}], [1.0])
    >>> for rule in ("timer", "quantum", "tasks"):
    ...     result = simulate(one, [0.5], Deterministic(1.0), 3, rule, jumps=40_000, seed=1)
    ...     print(rule, result.mean_jobs.value.round(1), result.interruptions_per_job.value.round())
    timer [0.9] [3.]
    quantum [0.9] [2.]
    tasks [0.9] [3.]
    """
    arguments, rates = check_system(graph, arrival_rates, sizes, interruptions, rule)
    if several(sizes):
        sizes = of_classes(graph, rates, sizes)
    run = check_run_length(run)
    require_stable(graph, rates * sizes.mean)  # type: ignore[union-attr]
    resolved("arrival_rates", arrival_rates, load_of(graph, rates * sizes.mean), run)  # type: ignore[union-attr]
    nobody, no_log = np.zeros(0, dtype=np.int64), np.zeros((0, 4))
    truth("records", records)
    by_class = True if several(sizes) else None
    loop = None
    if arrivals is not None:
        loop = arriving(kernel.simulate, process("arrivals", arrivals, rates.sum()), rates.sum())
    if records:
        loop, seen = recording(loop or kernel.simulate, len(rates), np.max(sizes.mean) / arguments[4].max())  # type: ignore[union-attr]
    results = [
        (kernel.simulate if loop is None else loop)(
            rng, run.warmup, run.jumps, *arguments, nobody, no_log, by_class=by_class
        )
        for rng in run.generators()
    ]
    duration, area, empty, interrupted, departed = (np.array(part) for part in zip(*results, strict=True))
    if arrivals is not None and not duration.all():
        raise NothingSeen(f"jumps must be so many that some time goes by; got {run.jumps}.")
    if isinstance(graph, RandomAssignment) and not area.any():
        raise NothingSeen(f"jumps must be so many that a job is seen; got {run.jumps}.")
    if records:
        with np.errstate(invalid="ignore"):
            found = in_phases.estimated(graph, rates, sizes, duration, area, empty, interrupted, departed)
        return Records.of(seen).attached(found)
    with np.errstate(invalid="ignore"):  # a class that was never seen has no interruptions a job
        return in_phases.estimated(graph, rates, sizes, duration, area, empty, interrupted, departed)


def trace(
    graph: CompatibilityGraph, arrival_rates: Numbers, sizes: JobSize, interruptions: float, present: Integers = (),
    events: int = 10, *, seed: int = 0, rule: str = "timer",
) -> list[Event]:  # fmt: skip
    """The first events of the queue, which begins with the jobs of the classes `present`.

    Parameters
    ----------
    graph, arrival_rates, sizes, interruptions, rule
        As for `simulate`, a graph of classes. The system need not be stable.
    present : sequence of int
        Classes of the first jobs, from the head of the queue on.
    events : int
        How many, at most 10 000: each keeps its queue.
    seed : int

    Returns
    -------
    list of Event

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import Exponential
    >>> graph = CompatibilityGraph([{0}, {0, 1}, {1}], [1, 1])
    >>> for event in trace(graph, [0.3, 0.3, 0.3], Exponential(10.0), 10, present=[0, 1, 0], events=3, seed=29):
    ...     print(event.kind, event.job, event.queue)
    interruption 1 ((0, 0), (2, 0), (1, 1))
    interruption 0 ((2, 0), (1, 1), (0, 0))
    interruption 1 ((2, 0), (0, 0), (1, 1))
    """
    arguments, _ = check_system(check_graph(graph), arrival_rates, sizes, interruptions, rule)
    sequence("present", present)
    present = np.array([class_index("present", value, graph) for value in present], dtype=np.int64)
    affordable("events", events, MOST_EVENTS)
    log = np.zeros((integer("events", events, 1), 4))
    (rng,) = check_run_length({"replications": 1, "seed": seed}).generators()
    kernel.simulate(rng, 0, len(log), *arguments, present, log, by_class=True if several(sizes) else None)
    queue, result = list(enumerate(present.tolist())), []
    for time, kind, job, i in log.tolist():
        entry = (int(job), int(i))
        if kind != kernel.ARRIVAL:
            queue.remove(entry)
        if kind != kernel.DEPARTURE:
            queue.append(entry)
        result.append(Event(time, KINDS[int(kind)], int(job), tuple(queue)))
    return result


def served(graph: CompatibilityGraph, queue: Sequence[tuple[int, int]]) -> list[int | None]:
    """The job that each server serves: the first in the queue that may use it, or None.

    Parameters
    ----------
    graph : clustershare.multiserver.CompatibilityGraph
    queue : sequence of (int, int)
        Numbers and classes of the jobs, as of an `Event`.

    Returns
    -------
    list of int or None, one a server

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> served(CompatibilityGraph([{0}, {0, 1}, {1}], [1, 1]), [(7, 0), (8, 0), (9, 1)])
    [7, 9]
    """
    check_graph(graph)
    for entry in sequence("queue", queue):
        if not isinstance(entry, (tuple, list)) or len(entry) != 2:
            fail("queue", queue, "a sequence of pairs of a number and a class")
        class_index("queue", entry[1], graph)
    return [
        next((job for job, i in queue if server in graph.servers_of_class[i]), None) for server in range(graph.servers)
    ]


def trace_with_steps(
    graph: CompatibilityGraph, arrival_rates: Numbers, sizes: JobSize, interruptions: float, present: Integers,
    steps: Sequence[tuple[str, int]], *, most_seeds: int = 3000,
) -> tuple[int, list[Event]]:  # fmt: skip
    """The first seed whose `trace` begins with the given steps, and that trace, one event longer.

    Parameters
    ----------
    graph, arrival_rates, sizes, interruptions, present
        As for `trace`.
    steps : sequence of (str, int)
        Kinds of events and classes of their jobs; no departures, whose jobs are gone.
    most_seeds : int
        Seeds to try, from 0 on, at most 100 000.

    Returns
    -------
    int, list of Event

    Raises
    ------
    ValueError
        If an argument is not as above, or no seed gives these steps.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import Exponential
    >>> one = CompatibilityGraph([{0}], [1])
    >>> seed, events = trace_with_steps(one, [1.0], Exponential(9.0), 9, [0], [("arrival", 0), ("interruption", 0)])
    >>> [event.kind for event in events][:2]
    ['arrival', 'interruption']
    """
    for step in sequence("steps", steps):
        if not isinstance(step, tuple) or len(step) != 2:
            fail("steps", steps, "a sequence of pairs of a kind and a class")
        one_of("kind of a step", step[0], KINDS)
        class_index("steps", step[1], check_graph(graph))
    steps = list(steps)
    affordable("most_seeds", most_seeds, MOST_SEEDS)
    for seed in range(integer("most_seeds", most_seeds, 1)):
        events = trace(graph, arrival_rates, sizes, interruptions, present, len(steps) + 1, seed=seed)
        if [(event.kind, dict(event.queue).get(event.job)) for event in events[: len(steps)]] == steps:
            return seed, events
    fail("steps", steps, f"such that one of {most_seeds} seeds gives them")


def check_system(graph, arrival_rates, sizes, interruptions, rule):
    """What the kernel takes between the numbers of events and the first jobs, and the arrival rates, all checked."""
    rates, drawing = check_streams(graph, arrival_rates), isinstance(graph, RandomAssignment)
    if drawing:
        capacities = np.ones(graph.servers)
        degrees, servers_of_class = np.array([graph.degree]), np.zeros((1, graph.degree), dtype=np.int64)
    else:
        capacities = np.array(graph.capacities)
        degrees = np.array([len(servers) for servers in graph.servers_of_class])
        servers_of_class = np.zeros((graph.classes, degrees.max()), dtype=np.int64)
        for i, servers in enumerate(graph.servers_of_class):
            servers_of_class[i, : degrees[i]] = servers
    if several(sizes):
        sizes = of_classes(graph, rates, sizes)
        laws = encode(*sizes.laws)
    else:
        laws = encode(sizes)
    rule = RULES.index(one_of("rule", rule, RULES))
    if rule == kernel.TASKS:
        quantum = 1 / (1 + integer("interruptions", interruptions, 0))
    else:
        interruptions = number("interruptions", interruptions, 0)
        quantum = (sizes.of_all if several(sizes) else sizes.mean) / interruptions if interruptions else np.inf
    degree = graph.degree if drawing else 0
    return (rule, quantum, rates, laws, capacities, degree, degrees, servers_of_class), rates
