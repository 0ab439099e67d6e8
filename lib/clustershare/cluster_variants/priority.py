"""Two classes of jobs, of which one evicts the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from clustershare import markov
from clustershare.arguments import NothingSeen, affordable, fail, integer, positive, resolved, vector
from clustershare.calls import remembered
from clustershare.cluster_chain import ServiceCluster
from clustershare.cluster_chain.analysis import require_exponential
from clustershare.cluster_chain.simulator import MOST_JOBS
from clustershare.cluster_chain.solver import estimated_error, law_of_few_states, require_seen
from clustershare.cluster_variants import kernel
from clustershare.compiled.encoding import encode, of_mean_1
from clustershare.estimates import from_replications
from clustershare.progress import waited_for
from clustershare.results import Result
from clustershare.run_length import check_run_length
from clustershare.typing import FloatArray, Integers, Numbers, Quantity, Run

if TYPE_CHECKING:
    from clustershare.sizes import JobSize

MOST_STATES = 100_000  # elimination takes some ten seconds


@dataclass(frozen=True)
class PriorityPerformance(Result):
    """Performance measures by class, arrays of shape (2,), or an `Estimate` of such an array each.

    Attributes
    ----------
    blocking : ndarray
        Fraction of the arriving jobs that are lost.
    mean_waiting : ndarray
        Mean number of jobs in the line, with the one at the tracker and those that were evicted.
    mean_running : ndarray
        Mean number of jobs in service.
    mean_response : ndarray
        Mean time from arrival to departure of the jobs that are not lost.
    evictions : ndarray
        Mean number of evictions of a job that is not lost: 0 for class 0.
    method, error
        As for `clustershare.cluster_chain.ClusterPerformance`.
    """

    blocking: Quantity
    mean_waiting: Quantity
    mean_running: Quantity
    mean_response: Quantity
    evictions: Quantity


@dataclass(frozen=True)
class PriorityCluster:
    """A cluster behind a tracker, with a class of urgent jobs (0) that evicts the other one (1).

    Each class has its line. The tracker is for the first urgent job, and for the other class only while no urgent job
    waits: an urgent arrival takes the tracker from a job of class 1. A job of class 0 is mapped as soon as the servers
    that are idle or used by class 1 are enough; then as few jobs of class 1 as necessary, those that started last, lose
    their servers and go back to the head of their line, with the work that is left. So class 1 is never noticed by
    class 0. This is the extension that `ctmc` Section 6 announces; the rules are our choice.

    Parameters
    ----------
    servers : int
        Number of servers N.
    queue_capacities : sequence of int
        Places of each line besides the tracker; an evicted job always finds one.
    job_sizes : sequence of int
        Servers that a job of each class needs, at most N.
    arrival_rates, service_rates : sequence of float
        Of each class, above 0.
    tracker_rate : float
        Rate mu_1 of mapping a job.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> cluster = PriorityCluster(10, (5, 5), (5, 1), (1.0, 5.0), (1.0, 1.0), 100.0)
    >>> found = cluster.solve()
    >>> found.mean_response.round(4), found.evictions.round(4)
    (array([1.332 , 1.9419]), array([0.    , 0.5506]))
    """

    servers: int
    queue_capacities: Integers
    job_sizes: Integers
    arrival_rates: Numbers
    service_rates: Numbers
    tracker_rate: float

    def __post_init__(self):
        servers = integer("servers", self.servers, 1)
        checks = {
            "queue_capacities": lambda name, value: integer(name, value, 0),
            "job_sizes": lambda name, value: integer(name, value, 1, servers),
            "arrival_rates": positive,
            "service_rates": positive,
        }
        for name, check in checks.items():
            object.__setattr__(self, name, vector(name, getattr(self, name), check, 2))
        object.__setattr__(self, "tracker_rate", positive("tracker_rate", self.tracker_rate))

    def transitions(self, state: tuple[int, ...]) -> Iterator[tuple[tuple[Any, ...], float]]:
        """Where a state leads, and at what rate.

        Parameters
        ----------
        state : tuple of int
            Jobs waiting and jobs running of class 0, then of class 1.

        Yields
        ------
        state, rate
        """
        urgent, served, other, run = state
        size, other_size = self.job_sizes
        if urgent <= self.queue_capacities[0]:
            yield (urgent + 1, served, other, run), self.arrival_rates[0]
        if other <= self.queue_capacities[1]:
            yield (urgent, served, other + 1, run), self.arrival_rates[1]
        free = self.servers - size * served  # of urgent jobs
        if urgent and size <= free:
            kept = min(run, (free - size) // other_size)
            begun = (urgent - 1, served + 1, other + run - kept, kept)
            yield begun, self.tracker_rate
        if not urgent and other and other_size * (run + 1) <= free:
            yield (0, served, other - 1, run + 1), self.tracker_rate
        if served:
            yield (urgent, served - 1, other, run), served * self.service_rates[0]
        if run:
            yield (urgent, served, other, run - 1), run * self.service_rates[1]

    @waited_for
    @remembered
    def solve(self, *, progress: bool = False) -> PriorityPerformance:
        """The stationary distribution of the chain, and what follows.

        Parameters
        ----------
        progress : bool
            Whether to show on standard error for how long this has been at work.

        Returns
        -------
        PriorityPerformance

        Raises
        ------
        ValueError
            If there are more than 100 000 states, which is found while they are listed.
        NoExactAnswer
            If so few jobs are accepted that rounding hides them, or the rates are too far apart.
        """
        states, *moves = markov.explore((0, 0, 0, 0), self.transitions, MOST_STATES)
        Q = markov.generator(len(states), *moves)
        P = law_of_few_states(Q)
        urgent, served, other, run = np.array(states).T
        places = np.array(self.queue_capacities)[:, None]
        lost = np.array([urgent, other]) > places
        full, accepted = lost @ P, np.array(self.arrival_rates) * (~lost @ P)
        waiting, running = np.array([P @ urgent, P @ other]), np.array([P @ served, P @ run])
        free = self.servers - self.job_sizes[0] * (served + 1)
        evicted = np.where((urgent > 0) & (free >= 0), np.maximum(run - free // self.job_sizes[1], 0), 0)
        evictions = np.array([0.0, self.tracker_rate * (P @ evicted)]) / accepted
        times = 1 / self.tracker_rate, 1 / min(self.service_rates)
        error = estimated_error(markov.residual(P, Q), sum(self.queue_capacities), *times)
        require_seen(len(states), ~lost @ P, error)
        responses = (waiting + running) / accepted
        return PriorityPerformance(full, waiting, running, responses, evictions, method="chain", error=error)

    def mean_response_in_one_line(self) -> FloatArray:
        """Mean response times by class where nobody has priority: the source's model, with all places in one line.

        Returns
        -------
        ndarray, shape (2,)

        Raises
        ------
        ValueError
            If both classes have jobs of one size, which the source's model does not tell apart.

        Examples
        --------
        >>> PriorityCluster(10, (5, 5), (5, 1), (1.0, 5.0), (1.0, 1.0), 100.0).mean_response_in_one_line().round(4)
        array([2.6113, 2.0983])
        """
        if self.job_sizes[0] == self.job_sizes[1]:
            fail("job_sizes", self.job_sizes, "different for the two classes")
        rate = sum(self.arrival_rates)
        shares = {size: own / rate for size, own in zip(self.job_sizes, self.arrival_rates, strict=True)}
        rates = dict(zip(self.job_sizes, self.service_rates, strict=True))
        model = ServiceCluster(self.servers, sum(self.queue_capacities), shares, rate, self.tracker_rate, rates)
        return model.solve().mean_response[np.searchsorted(model.sizes, self.job_sizes)]  # type: ignore[index, return-value]


@waited_for
@remembered
def exact_priority(
    cluster: PriorityCluster, *, service: JobSize | None = None, progress: bool = False
) -> PriorityPerformance:
    """The performance of a `PriorityCluster` from its chain.

    It is `PriorityCluster.solve`, for the arguments of `simulate_priority`.

    Parameters
    ----------
    cluster, service
        As for `simulate_priority`.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    PriorityPerformance

    Raises
    ------
    ValueError
        If an argument is not as described, or there are more than 100 000 states.
    NoExactAnswer
        If the service times are not exponential, or the chain is not solved.

    Examples
    --------
    >>> exact_priority(PriorityCluster(10, (5, 5), (5, 1), (1.0, 5.0), (1.0, 1.0), 100.0)).mean_response.round(4)
    array([1.332 , 1.9419])
    """
    if not isinstance(cluster, PriorityCluster):
        fail("cluster", cluster, "a PriorityCluster")
    require_exponential(service=service)
    return cluster.solve()


def simulate_priority(
    cluster: PriorityCluster, *, service: JobSize | None = None, **run: Unpack[Run]
) -> PriorityPerformance:
    """The performance of a `PriorityCluster`, simulated.

    Parameters
    ----------
    cluster : PriorityCluster
    service : clustershare.sizes.JobSize, optional
        Law of mean 1 of the service times, divided by the service rate; None is exponential. An evicted job resumes.
    **run
        `jumps`, `warmup`, `replications` and `seed` (see `clustershare.run_length.RunLength`).

    Returns
    -------
    PriorityPerformance
        Of `Estimate`; the response time is measured job by job.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> cluster = PriorityCluster(10, (5, 5), (5, 1), (1.0, 5.0), (1.0, 1.0), 100.0)
    >>> found = simulate_priority(cluster, jumps=20_000, warmup=1000, replications=8, seed=1)
    >>> found.mean_response.contains(cluster.solve().mean_response)
    array([ True,  True])
    """
    if not isinstance(cluster, PriorityCluster):
        fail("cluster", cluster, "a PriorityCluster")
    affordable("the queue_capacities of cluster", max(cluster.queue_capacities), MOST_JOBS)
    affordable("the most jobs in service", cluster.servers // min(cluster.job_sizes), MOST_JOBS)
    run, times = check_run_length(run), encode(of_mean_1("service", service))
    resolved(
        "arrival_rates", cluster.arrival_rates, np.divide(cluster.arrival_rates, cluster.service_rates).sum(), run
    )
    room = np.array(cluster.queue_capacities) + 1
    samples = [
        kernel.priority(
            rng, cluster.servers, room, np.array(cluster.job_sizes), np.array(cluster.arrival_rates),
            cluster.tracker_rate, np.array(cluster.service_rates), times, run.jumps, run.warmup,
        )
        for rng in run.generators()
    ]  # fmt: skip
    if np.isnan(np.array(samples)[:, 0]).any():
        raise NothingSeen(f"jumps must be so many that some time goes by; got {run.jumps}.")
    return PriorityPerformance(*map(from_replications, np.swapaxes(samples, 0, 1)), method="simulation")
