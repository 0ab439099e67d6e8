"""The cluster event by event, with times that need not be exponential."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np

from clustershare.arguments import NothingSeen, affordable, fail, listed, resolved, truth, vector
from clustershare.arrivals import Bursts, Process, process
from clustershare.cluster_chain import kernel
from clustershare.cluster_chain.model import ServiceCluster
from clustershare.cluster_chain.solver import ClusterPerformance
from clustershare.compiled import arrivals as streams
from clustershare.compiled.encoding import encode, of_mean_1
from clustershare.compiled.records import recording
from clustershare.estimates import from_replications
from clustershare.records import Records
from clustershare.run_length import check_run_length
from clustershare.typing import Arrivals, Run

if TYPE_CHECKING:
    from clustershare.sizes import JobSize

MOST_JOBS = 10**7  # a place for each is kept from the start: up to 50 bytes


def several(service):
    """Whether there is a law for each job size, and not one for all."""
    return isinstance(service, (dict, list, tuple, np.ndarray))


def laws_of_sizes(cluster, service):
    """The law of mean 1 of the service of each job size that occurs, in increasing order.

    Raises
    ------
    ValueError
        If one is missing, or is none.

    Examples
    --------
    >>> from clustershare.sizes import Deterministic
    >>> cluster = ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, arrival_rate=2, tracker_rate=5, service_rates=1)
    >>> laws_of_sizes(cluster, {3: Deterministic(1.0), 1: None})
    (Exponential(mean=1.0), Deterministic(value=1.0))
    """
    sizes = cluster.sizes.tolist()
    if not isinstance(service, dict):
        return vector("service", service, of_mean_1, len(sizes))
    missing = [size for size in sizes if size not in service]
    if missing:
        fail("service", service, f"given for every job size (missing: {listed(missing)})")
    return tuple(of_mean_1(f"service[{size}]", service[size]) for size in sizes)


def offered_load(cluster):
    """The jobs that come in a mean time of service."""
    return cluster.arrival_rate * float((cluster.size_probabilities / cluster.size_service_rates).sum())


def simulate(
    cluster: ServiceCluster, *, arrivals: Arrivals = None, tracker: JobSize | None = None,
    service: JobSize | Sequence[JobSize] | Mapping[int, JobSize | None] | None = None, records: bool = False,
    **run: Unpack[Run],
) -> ClusterPerformance:  # fmt: skip
    """The performance of a cluster, simulated.

    Every job has its own arrival time, size, mapping time and service time; the mean delay is measured job by job and
    not derived from the mean queue, so that Little's law is a test.

    Parameters
    ----------
    cluster : ServiceCluster
    arrivals : clustershare.sizes.JobSize, Bursts or clustershare.arrivals.Process, optional
        Law of mean 1 of the times between arrivals, divided by the arrival rate; or a process of mean rate 1, which the
        arrival rate scales. None is Poisson.
    tracker, service : clustershare.sizes.JobSize, optional
        Laws of mean 1 of the mapping and service times, divided by their rates. None is exponential, as in `ctmc`. For
        the service there may be one for each job size: a dictionary by size, or a sequence in the order of the sizes.
    records : bool
        Whether the result has `records` of the jobs, each size a group, in the order of `cluster.sizes`. The response
        time is from arrival to the end of service, the wait until service begins, the slowdown the response time over
        the service time. Blocked jobs are not among them.
    **run
        `jumps`, `warmup`, `replications` and `seed` (see `clustershare.run_length.RunLength`). Events are arrivals,
        mappings, ends of service and, with `Bursts`, changes between burst and calm. The cluster starts empty.

    Returns
    -------
    ClusterPerformance
        With an `Estimate` for each quantity.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> from clustershare.cluster_chain import ServiceCluster
    >>> cluster = ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, arrival_rate=2, tracker_rate=5, service_rates=1)
    >>> found = simulate(cluster, jumps=20_000, warmup=1000, replications=8, seed=1)
    >>> bool(found.blocking.contains(cluster.solve().blocking))
    True
    """
    if not isinstance(cluster, ServiceCluster):
        fail("cluster", cluster, "a ServiceCluster")
    affordable("the queue_capacity of cluster", cluster.queue_capacity, MOST_JOBS)
    affordable("the most jobs in service", cluster.servers // int(cluster.sizes[0]), MOST_JOBS)
    truth("records", records)
    run = check_run_length(run)
    resolved("arrival_rate", cluster.arrival_rate, offered_load(cluster), run)
    rates, switching, between = np.ones(2), np.zeros(2), arrivals
    if isinstance(arrivals, Bursts):
        rates, switching, between = np.array(arrivals.rates), np.array(arrivals.switching), None
    flow = _process(cluster, arrivals) if isinstance(arrivals, Process) else None
    if flow is not None:
        between = None
    between = of_mean_1("arrivals", between, also=", or Bursts")
    by_class = True if several(service) else None
    if several(service):
        laws = encode(between, of_mean_1("tracker", tracker), *laws_of_sizes(cluster, service))
    else:
        laws = encode(between, of_mean_1("tracker", tracker), of_mean_1("service", service))
    jobs = cluster.sizes, cluster.size_probabilities, cluster.size_service_rates
    seen = None
    if records:
        unit = offered_load(cluster) / cluster.arrival_rate
        loop, seen = recording(kernel.simulate, len(cluster.sizes), unit)
    samples = [
        (kernel.simulate if seen is None else loop)(
            rng, cluster.servers, cluster.queue_capacity, jobs, cluster.tracker_rate,
            (cluster.arrival_rate * rates, switching), laws, run.jumps, run.warmup, flow, by_class=by_class,
        )
        for rng in run.generators()
    ]  # fmt: skip
    totals, jobs, times = np.split(np.array(samples), [5, 5 + len(cluster.sizes)], axis=1)
    if np.isnan(totals[:, 0]).any():
        raise NothingSeen(f"jumps must be so many that some time goes by; got {run.jumps}.")
    if records:
        found = ClusterPerformance(  # type: ignore[call-arg, misc]
            *map(from_replications, totals.T), from_replications(jobs), from_replications(times), method="simulation"  # type: ignore[arg-type]
        )
        return Records.of(seen).attached(found)  # type: ignore[arg-type]
    return ClusterPerformance(  # type: ignore[call-arg, misc]
        *map(from_replications, totals.T), from_replications(jobs), from_replications(times), method="simulation"  # type: ignore[arg-type]
    )


def _process(cluster, arrivals):
    return streams.encode(process("arrivals", arrivals, cluster.arrival_rate), cluster.arrival_rate)
