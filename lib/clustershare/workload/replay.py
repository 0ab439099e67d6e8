"""The jobs of a log sent through the models, one by one: what would have happened to each."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from clustershare.arguments import (
    LARGEST,
    SMALLEST,
    affordable,
    array,
    fail,
    integer,
    number,
    one_of,
    positive,
    sequence,
    truth,
)
from clustershare.calls import remembered
from clustershare.cluster_chain.solver import ClusterPerformance
from clustershare.compiled import service
from clustershare.dispatch import central, replay_kernel, state, tracked
from clustershare.dispatch.asking import asks_for_size
from clustershare.dispatch.central import LOCAL_POLICIES
from clustershare.multiserver.graph import CompatibilityGraph, check_graph
from clustershare.multiserver.performance import Performance
from clustershare.results import Result
from clustershare.run_length import check_run_length
from clustershare.shares import required_shares as check_shares
from clustershare.typing import FloatArray, IntArray, Numbers
from clustershare.uniprocessor import model
from clustershare.uniprocessor.events import ALL_AT_ONCE, ONE_AT_A_TIME
from clustershare.uniprocessor.model import POLICIES, SharePerformance
from clustershare.workload import measures_kernel, parallel_kernel, processor_kernel, servers_kernel
from clustershare.workload.jobs import MOST_SERVERS, Workload

RULES = ("FCFS", "first fit", "EASY", "fair share")
LOCAL_RULES = {"PS": service.PS, "GPPS": service.GPPS, "PPS": service.PPS}
MOST_INTERRUPTIONS, MOST_PLACES = 10**9, 4 * 10**7
MOST_LOOKS = 10**11  # jobs times groups: minutes


class NoRoom(ValueError):
    """So many jobs at once that their places do not fit into the memory."""


@dataclass(frozen=True)
class Replay(Result):
    """What happened to each job of a workload, and averages over the time from the first arrival to the last departure.

    Arrays of shape (groups,) hold nan for a group without jobs, where they are means over its jobs.

    Attributes
    ----------
    performance : Result
        As `simulate` of the model gives it, of the same class, with numbers in place of estimates; nan where that is a
        mean over no jobs.
    mean_response_time, mean_wait, mean_slowdown : ndarray, shape (groups,)
        Over the jobs of each group; nan for a group without jobs.
    mean_jobs : ndarray, shape (groups,)
        Mean number of jobs in the system.
    obtained_share : ndarray, shape (groups,), or None
        Of the capacity; None of compatible servers, as are the next two.
    group_share_deviation : ndarray, shape (groups,), or None
        Feasible minus obtained share, relative to the required one (`thesis` (2.39)). A group whose jobs ask for few
        servers can feasibly have no more than these. None also where no shares are required.
    capacity_loss : float or None
        Part of the capacity that the jobs present could use and do not (2.43).
    span : float
        The time from the first arrival to the last departure.
    start, end : ndarray, shape (jobs,)
        When each job was first served, and when it left; nan for a job that was lost, as in the next three. What is
        told of each job is not printed.
    response, wait : ndarray, shape (jobs,)
        Time from each job's arrival to its end, and to its start.
    slowdown : ndarray, shape (jobs,)
        Each job's response time over the time that it takes alone.
    reserved : ndarray, shape (jobs,), or None
        Under EASY, the start that each job was promised when it became the first in line; nan for a job that never
        waited there.
    interruptions : ndarray of int, shape (jobs,), or None
        On compatible servers, how often each job was interrupted.
    """

    performance: Result
    mean_response_time: FloatArray
    mean_wait: FloatArray
    mean_slowdown: FloatArray
    mean_jobs: FloatArray
    obtained_share: FloatArray | None
    group_share_deviation: FloatArray | None
    capacity_loss: float | None
    span: float
    start: FloatArray = field(repr=False)
    end: FloatArray = field(repr=False)
    response: FloatArray = field(repr=False)
    wait: FloatArray = field(repr=False)
    slowdown: FloatArray = field(repr=False)
    reserved: FloatArray | None = field(default=None, repr=False)
    interruptions: IntArray | None = field(default=None, repr=False)


@remembered
def replay_processor(workload: Workload, policy: str, required_shares: Numbers, speed: float = 1.0) -> Replay:
    """Replay a workload on one processor, under one of the seven policies of `thesis`, Chapter 3.

    Parameters
    ----------
    workload : Workload
        Of jobs that take one server each.
    policy : str
        "FCFS", "HOL", "UD", "PQ", "PS", "PPS" or "GPPS".
    required_shares : sequence of float
        Of the groups; they sum to 1.
    speed : float
        Of the processor: a job alone takes its size over the speed.

    Returns
    -------
    Replay
        Its `performance` is a `clustershare.uniprocessor.SharePerformance`.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    Nothing is drawn. All that happens in one instant, the departure first, happens before it is decided who is served
    next. The rules are those of `clustershare.uniprocessor.simulate`.

    Examples
    --------
    >>> jobs = Workload([0, 1, 2], [4, 2, 1], groups=[0, 1, 1])
    >>> replay_processor(jobs, "FCFS", (0.5, 0.5)).end, replay_processor(jobs, "PQ", (0.4, 0.6)).end
    (array([4., 6., 7.]), array([7., 3., 4.]))
    >>> replay_processor(jobs, "PS", (0.5, 0.5)).slowdown
    array([1.75, 2.5 , 3.  ])
    """
    work = _of_one_server(workload)
    one_of("policy", policy, POLICIES)
    shares = _shares(required_shares, work)
    alone = _services(work, speed)
    arrivals, end = work.arrivals - work.arrivals[0], np.full(len(work), np.nan)
    if policy in ONE_AT_A_TIME:
        start = np.full(len(work), np.nan)
        classes = model.Workload(policy, shares, np.full(len(shares), 0.5 / len(shares)), 1.0, 0).priority_class
        uneven = processor_kernel.serve(
            ONE_AT_A_TIME[policy], classes, shares, arrivals, alone, work.groups, start, end
        )
    else:
        start, uneven = arrivals, np.zeros(len(shares))
        processor_kernel.share(ALL_AT_ONCE[policy], shares, arrivals, alone, work.groups, end)
    found, present, _ = _measured(work, arrivals, start, end, alone, np.ones_like(work.groups), 1, shares,
                                   unbroken=policy in ("FCFS", "HOL", "UD"))  # fmt: skip
    performance = SharePerformance(
        found["group_share_deviation"], uneven / found["span"], found["obtained_share"], present, found["mean_jobs"],
        found["mean_response_time"], method="replay",
    )  # fmt: skip
    return Replay(performance=performance, method="replay", **found)


@remembered
def replay_dispatch(
    workload: Workload, policy: str, *, local: str = "PS", migration: bool = False, required_shares: Numbers,
    processors: int, capacities: Numbers | None = None, reading: str | None = None, seed: int = 0,
) -> Replay:  # fmt: skip
    """Replay a workload on several processors under a central policy of `thesis`, Chapter 5.

    Parameters
    ----------
    workload : Workload
        Of jobs that take one server each. A job alone takes its size on a processor of the mean capacity.
    policy, local, migration, required_shares, processors, capacities, reading
        As for `clustershare.dispatch.simulate_central`.
    seed : int
        Of what policies draw: between processors that are alike, and which job of a group migrates. Nothing else is
        drawn.

    Returns
    -------
    Replay
        Its `performance` is a `clustershare.dispatch.DispatchPerformance`. A job is served as soon as it is there, so
        that its wait is 0; alone, it has the fastest processor.

    Raises
    ------
    ValueError
        If an argument is not as above, or there are so many jobs at once that their places do not fit into the memory.

    Notes
    -----
    Of what happens in one instant, departures come first, then arrivals one after the other.

    Examples
    --------
    On two processors, the third job shares one of them until the first leaves at 4; then a job migrates to that one:

    >>> jobs = Workload([0, 0, 2], [4, 4, 2], groups=[0, 1, 1])
    >>> for migration in (False, True):
    ...     found = replay_dispatch(jobs, "JSQ", migration=migration, required_shares=(0.5, 0.5), processors=2)
    ...     print(sorted(found.end.tolist()))
    [4.0, 6.0, 6.0]
    [4.0, 5.0, 5.0]
    """
    work = _of_one_server(workload)
    shares, P = _shares(required_shares, work), integer("processors", processors, 1)
    affordable("processors times groups", P * len(shares), tracked.MOST_PLACES)
    rule = LOCAL_RULES[one_of("local", local, LOCAL_POLICIES)]
    speeds = central._capacities(policy, capacities, P)
    chosen, weights = central.policy_of(policy, truth("migration", migration), shares, P, reading)
    (rng,) = check_run_length({"replications": 1, "seed": seed}).generators()
    fastest = P * speeds.max()
    with np.errstate(over="ignore", under="ignore"):
        alone = _told("capacities", capacities, work, work.sizes / fastest)
        slowest = work.arrivals[-1] + work.sizes.sum() / (P * speeds.min())
    if not slowest < LARGEST:
        fail("capacities", capacities, "such that the time of all events is a finite number")
    arrivals, sizes = work.arrivals - work.arrivals[0], work.sizes / P
    system = state.empty(rule, shares, speeds, weights, by_group=chosen.by_group, timed=True)
    system = system._replace(seen=tracked.nobody(system.leave.shape))
    known, clock, sums = np.zeros(1, np.int64), np.zeros(1), np.zeros(len(system.level))
    at, end = np.zeros(len(system.seen.job), np.int64), np.full(len(work), np.nan)
    shown = 0.0 if asks_for_size(chosen) else None
    while np.isnan(end[-1]) or np.isnan(end).any():
        replay_kernel.replay(rng, chosen, system, arrivals, sizes, work.groups, known, at, clock, sums, end, shown)
        if system.next[-1]:
            if 2 * system.leave.size > MOST_PLACES:
                raise NoRoom(
                    f"workload must be such that there are never {system.leave.shape[2] - 2} jobs of a group on one of "
                    f"{P} processors; got {workload!r}."
                )
            system = central.with_more_room(system)
            at = np.concatenate([at, np.zeros(len(system.seen.job) - len(at), np.int64)])
    found, _, _ = _measured(work, arrivals, arrivals, end, alone, np.ones_like(work.groups), 1, None)
    busy = (system.amount[:, state.SHARE, 0] + clock[0] * (system.count[:, 0] > 0)) / found["span"]
    measured = np.array([*sums / found["span"], *np.zeros(len(shares)), np.ptp(busy), busy.std()])
    performance = central.performance("replay", shares, measured, lambda one: one if one.ndim else float(one))
    found |= {name: getattr(performance, name) for name in ("obtained_share", "group_share_deviation", "capacity_loss")}
    return Replay(performance=performance, method="replay", **found)


@remembered
def replay_servers(workload: Workload, graph: CompatibilityGraph, interruptions: float, seed: int = 0) -> Replay:
    """Replay a workload on servers that are compatible with classes of jobs: `balanced`, Algorithm 1.

    Parameters
    ----------
    workload : Workload
        Of jobs that take one server each; the group of a job is its class. Sizes are work: a server of capacity 1 does
        1 per unit of time.
    graph : clustershare.multiserver.CompatibilityGraph
        With a class for each group.
    interruptions : float
        Mean number of interruptions of a job, at least 0: a job goes to the end of the queue after an exponential
        amount of work of the mean size over this number. 0 is first come, first served.
    seed : int
        The work up to each interruption is drawn; nothing else is.

    Returns
    -------
    Replay
        Its `performance` is a `clustershare.multiserver.Performance`, whose service rate is work over time in the
        system, sums over the jobs of a class. A job alone takes its size over the capacity of all its servers.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    Two classes with a server each and one in common, which serves the first job and its own server helps:

    >>> from clustershare.multiserver import CompatibilityGraph
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    >>> replay_servers(Workload([0, 1], [4, 2], groups=[0, 1]), graph, 0).end
    array([2. , 2.5])
    """
    work = _of_one_server(workload)
    graph = check_graph(graph)
    if graph.classes < len(work.names):
        fail("graph", graph, f"a graph with a class for each of the {len(work.names)} groups of the workload")
    affordable("jobs times servers of all classes", len(work) * sum(map(len, graph.servers_of_class)), MOST_LOOKS)
    interruptions = number("interruptions", interruptions, 0)
    (rng,) = check_run_length({"replications": 1, "seed": seed}).generators()
    capacities, degrees = np.array(graph.capacities), np.array([len(own) for own in graph.servers_of_class])
    servers_of_class = np.zeros((graph.classes, degrees.max()), np.int64)
    for i, own in enumerate(graph.servers_of_class):
        servers_of_class[i, : len(own)] = own
    together = np.array([math.fsum(capacities[list(own)]) for own in graph.servers_of_class])
    with np.errstate(over="ignore", under="ignore"):
        alone = _told("graph", graph, work, work.sizes / together[work.groups])
        slowest = work.arrivals[-1] + work.sizes.sum() / capacities.min()
        quantum = work.sizes.mean() / interruptions if interruptions > 0 else math.inf
    if not slowest < LARGEST:
        fail("graph", graph, "of capacities at which the time of all events is a finite number")
    if work.sizes.sum() > quantum * MOST_INTERRUPTIONS:
        fail("interruptions", interruptions, f"such that there are at most {MOST_INTERRUPTIONS} in all")
    arrivals = work.arrivals - work.arrivals[0]
    start, end = np.full((2, len(work)), np.nan)
    times = np.zeros(len(work), np.int64)
    servers_kernel.interrupted(
        rng, quantum, capacities, degrees, servers_of_class, arrivals, work.sizes, work.groups, start, end, times
    )
    found, _, empty = _measured(work, arrivals, start, end, alone, np.ones_like(work.groups), 1, None)
    found |= {"obtained_share": None, "capacity_loss": None}
    jobs = np.bincount(work.groups, minlength=len(work.names))
    with np.errstate(invalid="ignore"):
        performance = Performance(
            mean_jobs=found["mean_jobs"], mean_service_rate=_by_group(work, work.sizes) / _by_group(
                work, found["response"]), mean_delay=found["mean_response_time"], probability_empty=empty,
            interruptions_per_job=_by_group(work, times) / jobs, method="replay",
        )  # fmt: skip
    return Replay(performance=performance, method="replay", **found, interruptions=times)


@remembered
def replay_cluster(
    workload: Workload, servers: int, rule: str = "FCFS", *, required_shares: Numbers | None = None,
    half_life: float | None = None, exact_estimates: bool = False, tracker_times: float | Numbers | None = None,
    queue_capacity: int | None = None,
) -> Replay:  # fmt: skip
    """Replay a workload of parallel jobs, each of which takes its servers at once and keeps them until it ends.

    Parameters
    ----------
    workload : Workload
    servers : int
        At least as many as any job takes.
    rule : str
        "FCFS": first come, first served, as in `ctmc`. "first fit": each job in line, in the order of arrival, starts
        that fits. "EASY": the same, unless it would delay the first in line, as far as estimates tell (Lifka, 1995).
        "fair share": first comes the group that used least, relative to its required share; within a group, who came
        first; and who comes first waits for servers enough, as under FCFS.
    required_shares : sequence of float, optional
        Of the groups; they sum to 1. "fair share" needs them; under the other rules they are what deviations are
        measured by.
    half_life : float, optional
        Under "fair share", the time in which the weight of what was used halves. If not given, nothing is forgotten.
    exact_estimates : bool
        Whether EASY knows the sizes; else it goes by the estimates of the workload.
    tracker_times : float or sequence of float, optional
        Under "FCFS", how long the tracker takes to map each job, once there are servers for it; it maps one after
        the other. 0 if not given.
    queue_capacity : int, optional
        Under "FCFS", jobs for which there is room behind the one at the tracker; who comes when it is full is lost. No
        bound if not given.

    Returns
    -------
    Replay
        Its `performance` is a `clustershare.cluster_chain.ClusterPerformance`, whose sizes are the numbers of servers
        that jobs of the workload take, in increasing order. Under "FCFS" the first in line is at the tracker and not
        in the queue; under the other rules all that wait are in the queue.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    Nothing is drawn. All that happens in one instant, departures first, happens before it is decided who starts.

    Under EASY the first in line is promised the earliest time by which, if jobs end as estimated, there are servers
    enough for it. Another may start if it ends by then, or takes servers that the first will leave. A job that runs
    longer than estimated runs on: it is expected to end at any moment, before those that are expected later. What is
    promised is reckoned anew at each departure.

    What a group used is the integral of its servers over time, each moment weighed by one half to the power of its age
    over the half life. This is the Up-Down of `thesis`, Section 3.2.3, with forgetting: both let the group go first
    that is furthest behind its promise, first come, first served within it, and the lower index between equals. They
    differ in that Up-Down compares by difference what was promised and what was obtained while the group had jobs,
    and fair share by quotient, over all time. Groups that always have jobs are given what Up-Down gives them, their
    required shares, if the half life is many job sizes; if it is a small part of one, they take turns.

    Examples
    --------
    Of four servers, the first job takes three; the second needs all, and the third is short and narrow:

    >>> jobs = Workload([0, 1, 2], [10, 5, 3], servers=[3, 4, 1])
    >>> for rule in ("FCFS", "EASY"):
    ...     print(rule, replay_cluster(jobs, 4, rule).start)
    FCFS [ 0. 10. 15.]
    EASY [ 0. 10.  2.]
    """
    work = _workload(workload)
    P = integer("servers", servers, 1, MOST_SERVERS)
    if work.servers.max() > P:
        j = int(np.argmax(work.servers > P))
        fail("servers", servers, f"at least {work.servers[j]}, which job {j} of the workload takes")
    one_of("rule", rule, RULES)
    for name, value, wanted in (
        ("half_life", half_life is not None, "fair share"), ("exact_estimates", truth("exact_estimates",
        exact_estimates), "EASY"), ("tracker_times", tracker_times is not None, "FCFS"),
        ("queue_capacity", queue_capacity is not None, "FCFS"),
    ):  # fmt: skip
        if value and rule != wanted:
            fail(name, {"half_life": half_life, "exact_estimates": exact_estimates, "tracker_times": tracker_times,
                "queue_capacity": queue_capacity}[name], f"given under the rule {wanted!r} only")  # fmt: skip
    shares = None if required_shares is None else _shares(required_shares, work)
    arrivals, jobs = work.arrivals - work.arrivals[0], len(work)
    start, entry, reserved = np.full(jobs, np.nan), None, None
    if rule == "FCFS":
        both = np.full((jobs, 2), np.nan)
        room = -1 if queue_capacity is None else integer("queue_capacity", queue_capacity, 0)
        parallel_kernel.in_order(arrivals, work.sizes, work.servers, P, _tracker_times(tracker_times, work), room, both)
        entry, start = both.T
    elif rule == "fair share":
        if shares is None:
            fail("required_shares", required_shares, "given under the rule 'fair share'")
        memory = math.inf if half_life is None else positive("half_life", half_life)
        if not work.sizes.sum() * P < LARGEST:
            fail("servers", servers, "such that what all jobs use is a finite number")
        parallel_kernel.fair(arrivals, work.sizes, work.servers, work.groups, P, shares, memory, start)
    else:
        reserved = np.full(jobs, np.nan)
        estimates = work.sizes if exact_estimates else work.estimates
        parallel_kernel.backfill(rule == "EASY", arrivals, work.sizes, work.servers, estimates, P, start, reserved)
        reserved = reserved + work.arrivals[0] if rule == "EASY" else None
    start = np.ascontiguousarray(start)
    end = start + work.sizes
    found, _, _ = _measured(work, arrivals, start, end, work.sizes, work.servers, P, shares, unbroken=True)
    performance = _of_cluster(work, found, start, arrivals if entry is None else entry, arrivals, P, entry is None)
    return Replay(performance=performance, method="replay", **found, reserved=reserved)


def of_ends(work, end, required_shares, servers):
    """The replay of jobs of one server each that are served from their arrivals on, by when each of them leaves.

    Parameters
    ----------
    work : Workload
    end : ndarray, shape (jobs,)
    required_shares : ndarray, shape (groups,)
    servers : int

    Returns
    -------
    Replay
        Its `performance` tells the shares and the numbers of jobs alone.
    """
    arrivals = work.arrivals - work.arrivals[0]
    found, _, _ = _measured(work, arrivals, arrivals, end - work.arrivals[0], work.sizes,
                                  np.ones_like(work.groups), servers, required_shares)  # fmt: skip
    performance = central.DispatchPerformance(
        found["group_share_deviation"], found["capacity_loss"], found["obtained_share"], found["mean_jobs"],
        method="replay",
    )  # fmt: skip
    return Replay(performance=performance, method="replay", **found)


def _workload(workload):
    if not isinstance(workload, Workload):
        fail("workload", workload, "a clustershare.workload.Workload")
    return workload


def _of_one_server(workload):
    if _workload(workload).servers.max() > 1:
        j = int(np.argmax(workload.servers > 1))
        fail("workload", workload, f"of jobs of one server each, but job {j} takes {workload.servers[j]}")
    return workload


def _shares(required, work):
    shares = np.array(check_shares("required_shares", required))
    if len(shares) != len(work.names):
        fail("required_shares", required, f"a sequence of {len(work.names)} shares, one for each group of the workload")
    affordable("jobs times groups", len(work) * len(shares), MOST_LOOKS)
    return shares


def _services(work, speed):
    """The times that jobs take alone, at a speed."""
    with np.errstate(over="ignore", under="ignore"):
        return _told("speed", speed, work, work.sizes / positive("speed", speed))


def _told(name, value, work, alone):
    """Times that jobs take alone, which must be floats, and all of them together as well."""
    with np.errstate(over="ignore"):
        if not (alone.min() >= SMALLEST and work.arrivals[-1] + alone.sum() < LARGEST):
            fail(name, value, "such that the times that jobs take, and all of them together, are floats")
    return alone


def _tracker_times(given, work):
    if given is None:
        return np.zeros(len(work))
    if np.ndim(given) == 0:
        times = np.full(len(work), number("tracker_times", given, 0, LARGEST))
    else:
        if len(sequence("tracker_times", given)) != len(work):
            fail("tracker_times", given, f"a number, or a sequence of {len(work)} entries, one for each job")
        times = array("tracker_times", given, 1, 0, LARGEST)
    with np.errstate(over="ignore"):
        if not work.arrivals[-1] + work.sizes.sum() + times.sum() < LARGEST:
            fail("tracker_times", given, "such that all times together are a float")
    return times


def _by_group(work, values):
    return np.bincount(work.groups, values, len(work.names))


def _measured(work, arrivals, start, end, alone, needs, servers, shares, *, unbroken=False):
    """The fields of a `Replay` but its performance; the probabilities that groups have jobs, and that nobody has.

    Parameters
    ----------
    work : Workload
    arrivals, start, end : ndarray, shape (jobs,)
        From the first arrival on; the last two are nan for jobs that are lost.
    alone : ndarray, shape (jobs,)
        How long each job takes alone.
    needs : ndarray of int, shape (jobs,)
        Of the servers.
    servers : int
    shares : ndarray, shape (groups,), or None
    unbroken : bool
        Whether a job that is started is served alone to its end.

    Returns
    -------
    dict, ndarray (groups,), float
    """
    seen = ~np.isnan(end)
    wait = start - arrivals
    # Late on the clock, what it tells of a short job is rounded, and might be less than the job takes alone.
    response = wait + alone if unbroken else np.maximum(end - arrivals, alone)
    slowdown = response / alone
    if not seen.all():
        groups, came, went, wanted = work.groups[seen], arrivals[seen], end[seen], needs[seen]
    else:
        groups, came, went, wanted = work.groups, arrivals, end, needs
    span = float(went.max())
    required = np.ones(len(work.names)) if shares is None else shares
    able, feasible, there, empty = measures_kernel.could_use(
        came, went, np.argsort(went, kind="stable"), groups, wanted, servers, required
    )
    count = np.bincount(groups, minlength=len(work.names))
    used = _by_group(work, np.where(seen, alone * needs, 0.0)) / servers
    with np.errstate(invalid="ignore"):
        means = [_by_group(work, np.where(seen, each, 0.0)) / count for each in (response, wait, slowdown)]
    fields = {
        "mean_response_time": means[0], "mean_wait": means[1], "mean_slowdown": means[2],
        "mean_jobs": _by_group(work, np.where(seen, response, 0.0)) / span, "obtained_share": used / span,
        "group_share_deviation": None if shares is None else (feasible - used) / shares / span,
        "capacity_loss": float(able - used.sum()) / span, "span": span, "start": start + work.arrivals[0],
        "end": end + work.arrivals[0], "response": response, "wait": wait, "slowdown": slowdown,
    }  # fmt: skip
    return fields, there / span, empty / span


def _of_cluster(work, found, start, entry, arrivals, servers, in_queue):
    """What `cluster_chain.simulate` measures; `in_queue` tells whether who waits for servers is in the queue."""
    seen = ~np.isnan(start)
    span = found["span"]
    queued = float(((start if in_queue else entry) - arrivals)[seen].sum())
    sizes, of_size = np.unique(work.servers, return_inverse=True)
    responses = np.bincount(of_size[seen], found["response"][seen], len(sizes))
    with np.errstate(invalid="ignore"):
        mean_response = responses / np.bincount(of_size[seen], minlength=len(sizes))
    return ClusterPerformance(
        mean_queue=queued / span, blocking=float(1 - seen.mean()), mean_delay=queued / int(seen.sum()),
        utilisation=float((work.sizes * work.servers)[seen].sum() / servers / span),
        mean_jobs_in_service=float(work.sizes[seen].sum() / span), mean_jobs=responses / span,
        mean_response=mean_response, method="replay",
    )  # fmt: skip
