"""Algorithm 1 of `balanced`, simulated for any compatibility graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import NothingSeen, affordable, fail, number, resolved, truth
from clustershare.compiled.arguments import law
from clustershare.compiled.choice import alias_table
from clustershare.estimates import Estimate, from_replications
from clustershare.interruptions import simulator as in_real_time
from clustershare.multiserver import any_graph, few_servers
from clustershare.multiserver.graph import RandomAssignment, check_streams, load_of, require_stable
from clustershare.multiserver.of_classes import phaseless
from clustershare.multiserver.performance import Performance
from clustershare.run_length import check_run_length
from clustershare.typing import Arrivals, Run

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph
    from clustershare.sizes import JobSize

# Measured: up to here the kernel that looks at every front job is the faster one.
MOST_SERVERS, MOST_LOOKS = 4, 8
MOST_CELLS, MOST_MEMBERS = 4 * 10**6, 10**7  # of each the replications that are side by side take up to a gigabyte
MOST_DRAWN = 1000  # servers of a job: the compiler makes no longer tuple
LANES = 10  # replications side by side


def simulate(
    graph: CompatibilityGraph | RandomAssignment, arrival_rates: ArrayLike, sizes: JobSize | Sequence[JobSize],
    interruptions: float, *, arrivals: Arrivals = None, records: bool = False, **run: Unpack[Run],
) -> Performance:  # fmt: skip
    """Simulate first come, first served with random interruptions: `balanced` Algorithm 1.

    A job is served by all its servers that serve nobody who came before it, at the sum of their capacities. A server
    interrupts the job it serves after an exponential amount of its own work of mean ``sizes.mean / interruptions``;
    the job then goes to the end of the queue. Events (`jumps`) are arrivals, ends of exponential phases of a job, and
    interruptions. Sizes that are no mixture of Erlangs, or differ between classes, are simulated more slowly, by
    `clustershare.interruptions.simulate`, where an event is an arrival, a departure or an interruption.

    Parameters
    ----------
    graph : CompatibilityGraph or RandomAssignment
        Capacities in work per unit time.
    arrival_rates : array_like, shape (classes,), or float
        Jobs per unit time, above 0: of each class of a graph, or of all together under a random assignment.
    sizes : clustershare.sizes.JobSize, or a sequence of them
        Sizes in work: of all classes alike, or of each class of a graph. Then ``sizes.mean`` is that of all jobs.
    interruptions : float
        Mean number of interruptions of a job, at least 0: the paper's m; 0 is first come, first served.
    arrivals, records
        As for `clustershare.interruptions.simulate`, which answers where one of them is given: its jumps are arrivals,
        departures and interruptions, and it takes several times as long for each.
    **run
        `jumps`, `warmup`, `replications`, `seed`: see `clustershare.run_length.RunLength`.

    Returns
    -------
    Performance
        Estimates: arrays of shape (classes,), or floats under a random assignment, whose classes are alike. Delay and
        service rate are those of (9), from the mean numbers; of a class that was never seen, the rate is inf +/- nan.

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If a set of classes brings at least the work its servers can do.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph, RandomAssignment
    >>> from clustershare.sizes import bimodal_hyperexponential
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    >>> result = simulate(graph, [0.75, 0.75], bimodal_hyperexponential(), 1, jumps=200_000, replications=4, seed=1)
    >>> result.interruptions_per_job.value.round()
    array([1., 1.])

    Two of a hundred servers for each job, at load 0.8:

    >>> result = simulate(RandomAssignment(100, 2), 80.0, bimodal_hyperexponential(), 1, jumps=200_000, seed=1)
    >>> round(result.mean_service_rate.value, 1)
    0.7

    Sizes of a class as they were measured, beside constant ones:

    >>> from clustershare.sizes import Deterministic, Empirical
    >>> laws = [Empirical([0.2, 0.3, 0.3, 3.2]), Deterministic(1.0)]
    >>> simulate(graph, [0.75, 0.75], laws, 1, jumps=50_000, seed=1).mean_jobs.value.round()
    array([1., 1.])
    """
    truth("records", records)
    if phaseless(sizes):
        return in_real_time.simulate(
            graph, arrival_rates, sizes, interruptions, arrivals=arrivals, records=records, **run
        )
    rates, interruptions = check_system(graph, arrival_rates, sizes, interruptions)
    if arrivals is not None:
        return in_real_time.simulate(
            graph, arrival_rates, sizes, interruptions, arrivals=arrivals, records=records, **run
        )
    if records:
        return in_real_time.simulate(graph, arrival_rates, sizes, interruptions, records=True, **run)
    if isinstance(graph, RandomAssignment) and graph.degree > MOST_DRAWN:
        fail("graph", graph, f"of a degree up to {MOST_DRAWN}; clustershare.interruptions.simulate takes more")
    affordable("servers times servers of a job", graph.servers * _most_servers(graph), MOST_CELLS)
    affordable("servers times means of phases", graph.servers * len(set(sizes.erlang_mixture()[1])), MOST_MEMBERS)  # type: ignore[union-attr]
    run = check_run_length(run)
    require_stable(graph, rates * sizes.mean)  # type: ignore[union-attr]
    resolved("arrival_rates", arrival_rates, load_of(graph, rates * sizes.mean), run)  # type: ignore[union-attr]
    duration, area, empty, interrupted = _replications(graph, rates, sizes, interruptions, run)
    if isinstance(graph, RandomAssignment) and not area.any():
        raise NothingSeen(f"jumps must be so many that a job is seen; got {run.jumps}.")
    return estimated(graph, rates, sizes, duration, area, empty, interrupted, duration[:, None] * rates)


def check_system(graph, arrival_rates, sizes, interruptions):
    """The arrival rates as an array and the number of interruptions as a float, of what `simulate` can run."""
    rates = check_streams(graph, arrival_rates)
    law("sizes", sizes)
    sizes.erlang_mixture()  # answers here, before any work, for a distribution that is none
    return rates, number("interruptions", interruptions, 0)


def estimated(graph, rates, sizes, duration, area, empty, interrupted, jobs_seen):
    """The performance estimated from sums of simulated replications, a row each, by class where there are classes.

    Duration, integral of the number of jobs, time empty, interruptions, and the number of jobs these are shared by.
    """
    jobs, interruptions = area / duration[:, None], interrupted / jobs_seen
    if isinstance(graph, RandomAssignment):
        jobs, interruptions, rates = jobs[:, 0], interruptions[:, 0], float(rates[0])
    jobs = from_replications(jobs)
    with np.errstate(divide="ignore", invalid="ignore"):  # a class that was never seen has no service rate
        rate = rates * sizes.mean / jobs.value
        rate_half_width = rate * jobs.half_width / jobs.value
    return Performance(
        mean_jobs=jobs,
        mean_service_rate=Estimate(rate, rate_half_width),
        mean_delay=Estimate(jobs.value / rates, jobs.half_width / rates),
        probability_empty=from_replications(empty / duration),
        interruptions_per_job=from_replications(interruptions),
        method="simulation",
    )


def _replications(graph, rates, sizes, interruptions, run):
    """What the kernels return, a row a replication, by the one that is faster for the graph."""
    if is_small(graph):
        simulate_lanes, arguments = few_servers.simulate, _arguments_few(graph, rates, sizes, interruptions)
    else:
        simulate_lanes, arguments = any_graph.simulate, _arguments_any(graph, rates, sizes, interruptions)
    generators, results = run.generators(), []
    # Groups as even as can be: the kernel takes as long for one replication as for several.
    for group in np.array_split(generators, -(-len(generators) // LANES)):
        # A tuple of one length is compiled once; its surplus is not drawn from.
        lanes = tuple(group[min(lane, len(group) - 1)] for lane in range(LANES))
        results.append(simulate_lanes(lanes, len(group), run.warmup, run.jumps, *arguments))
    return [np.concatenate(part) for part in zip(*results, strict=True)]


def _most_servers(graph):
    """The most servers that one job may use."""
    return graph.degree if isinstance(graph, RandomAssignment) else max(map(len, graph.servers_of_class))


def is_small(graph):
    """Whether looking at all front jobs of a server costs less than keeping a queue for each server."""
    if isinstance(graph, RandomAssignment):
        return False
    looks = max(map(len, graph.servers_of_class)) * _width(graph)
    return graph.servers <= MOST_SERVERS and looks <= MOST_LOOKS


def _width(graph):
    """The most classes that one server serves."""
    return max(sum(server in servers for servers in graph.servers_of_class) for server in range(graph.servers))


def _kinds(rates, sizes):
    """The kinds of jobs, which are pairs of a class and a component of the sizes: alias table, classes, components."""
    counts, _, weights = sizes.erlang_mixture()
    return *alias_table(np.outer(rates, weights).ravel()), *np.divmod(np.arange(len(rates) * len(counts)), len(counts))


def _arguments_few(graph, rates, sizes, interruptions):
    """What `few_servers.simulate` takes after the numbers of events."""
    counts, means, _ = sizes.erlang_mixture()
    thresholds, drawn_kinds, kind_class, component = _kinds(rates, sizes)
    timer = interruptions / sizes.mean
    degree, width = max(map(len, graph.servers_of_class)), _width(graph)
    servers_of = np.zeros((graph.classes + 1, degree), dtype=np.uint64)
    classes_of = np.full((graph.servers + 1, width), graph.classes, dtype=np.uint64)
    for i, servers in enumerate(graph.servers_of_class):
        servers_of[i] = [server + 1 for server in (*servers, *servers[:1] * (degree - len(servers)))]
    for server in range(graph.servers):
        classes = [i for i, servers in enumerate(graph.servers_of_class) if server in servers]
        classes_of[server + 1, : len(classes)] = classes
    capacities = np.array([0.0, *graph.capacities])
    return (
        (0,) * graph.servers,
        (0,) * bool(counts.max() > 1),
        (0,) * bool(interruptions > 0),
        rates.sum(),
        thresholds,
        drawn_kinds,
        kind_class.astype(np.uint64),
        (timer + 1 / means)[component],
        counts[component].astype(np.uint64),
        capacities,
        capacities * timer,
        servers_of,
        classes_of,
    )


def _arguments_any(graph, rates, sizes, interruptions):
    """What `any_graph.simulate` takes after the numbers of events."""
    counts, means, _ = sizes.erlang_mixture()
    thresholds, drawn_kinds, kind_class, component = _kinds(rates, sizes)
    paces, pace = np.unique(1 / means, return_inverse=True)
    nobody, drawing = graph.servers, isinstance(graph, RandomAssignment)
    capacities = np.ones(graph.servers) if drawing else graph.capacities
    capacities, capacity_of = np.unique(capacities, return_inverse=True)
    degree = graph.degree if drawing else max(map(len, graph.servers_of_class))
    servers_of_class = [] if drawing else [(*own, *[nobody] * (degree - len(own))) for own in graph.servers_of_class]
    return (
        (0,) * (degree if drawing else 0),
        (0,) * max(1, ((len(paces) + 1) * len(capacities) - 1).bit_length()),
        degree,
        rates.sum(),
        thresholds,
        drawn_kinds,
        kind_class.astype(np.uint32),
        (1 + pace[component]).astype(np.uint32),
        counts[component],
        paces,
        interruptions / sizes.mean,
        np.append(capacity_of, 0).astype(np.uint32),  # nobody among those of the first capacity
        capacities,
        np.array(servers_of_class, dtype=np.uint64).ravel(),
    )
