"""Servers that switch off when idle, and must be set up before they serve again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from clustershare import markov
from clustershare.arguments import NothingSeen, affordable, fail, number, positive, resolved
from clustershare.calls import remembered
from clustershare.cluster_chain import ServiceCluster
from clustershare.cluster_chain.analysis import require_exponential
from clustershare.cluster_chain.simulator import MOST_JOBS, offered_load
from clustershare.cluster_chain.solver import estimated_error, law_of_few_states, require_seen
from clustershare.cluster_variants import kernel
from clustershare.compiled.encoding import encode, of_mean_1
from clustershare.estimates import from_replications
from clustershare.progress import waited_for
from clustershare.results import Result
from clustershare.run_length import check_run_length
from clustershare.typing import Quantity, Run

if TYPE_CHECKING:
    from clustershare.sizes import JobSize

MOST_STATES = 200_000


@dataclass(frozen=True)
class EnergyPerformance(Result):
    """Performance measures, or an `Estimate` of each.

    Attributes
    ----------
    mean_queue, blocking, mean_delay : float
        As for `clustershare.cluster_chain.Solution`.
    servers : ndarray, shape (4,)
        Mean numbers of servers that are busy, idle, being set up, and down: times the power of each, the mean power.
    method, error
        As for `clustershare.cluster_chain.ClusterPerformance`.
    """

    mean_queue: Quantity
    blocking: Quantity
    mean_delay: Quantity
    servers: Quantity


@dataclass(frozen=True)
class SleepingCluster:
    """A `ServiceCluster` whose servers are running (busy or idle), being set up, or down.

    An idle server that the job at the tracker does not need goes down at `shutdown_rate`. A job at the tracker that
    needs more servers than are idle has as many set up as are missing, each at `setup_rate`, as far as servers are
    down; where a job ends and leaves enough, the setups that are no longer needed are given up. This is the extension
    that `ctmc` Section 6 announces; the rules are our choice. With `shutdown_rate` 0 all servers stay up, and it is
    the source's model.

    Parameters
    ----------
    cluster : ServiceCluster
    setup_rate : float
        Above 0.
    shutdown_rate : float
        At least 0.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> cluster = ServiceCluster(4, 3, {1: 0.5, 2: 0.5}, arrival_rate=1, tracker_rate=20, service_rates=1)
    >>> SleepingCluster(cluster, setup_rate=2, shutdown_rate=1).solve().servers.round(4)
    array([1.4725, 0.7137, 0.2505, 1.5633])
    """

    cluster: ServiceCluster
    setup_rate: float
    shutdown_rate: float

    def __post_init__(self):
        if not isinstance(self.cluster, ServiceCluster):
            fail("cluster", self.cluster, "a ServiceCluster")
        object.__setattr__(self, "setup_rate", positive("setup_rate", self.setup_rate))
        object.__setattr__(self, "shutdown_rate", number("shutdown_rate", self.shutdown_rate, 0))

    def setups(self, state: tuple[Any, ...]) -> int:
        """How many servers are being set up, which the rest of a state says.

        Parameters
        ----------
        state : tuple
            Jobs queued x1, size at the tracker x2 (0: idle), sizes in service V, idle servers.

        Returns
        -------
        int
        """
        _, x2, V, idle = state
        return min(max(x2 - idle, 0), self.cluster.servers - sum(V) - idle)

    def transitions(self, state: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], float]]:
        """Where a state leads, and at what rate.

        Parameters
        ----------
        state : tuple
            As for `setups`.

        Yields
        ------
        state, rate
        """
        x1, x2, V, idle = state
        cluster = self.cluster
        new = cluster.job_sizes
        if x2 == 0:
            for size, probability in new:
                yield (0, size, V, idle), cluster.arrival_rate * probability
        elif x1 < cluster.queue_capacity:
            yield (x1 + 1, x2, V, idle), cluster.arrival_rate
        for size, rate in zip(cluster.sizes.tolist(), cluster.size_service_rates.tolist(), strict=True):
            if size in V:
                k = V.index(size)
                yield (x1, x2, V[:k] + V[k + 1 :], idle + size), V.count(size) * rate
        if 0 < x2 <= idle:
            larger = tuple(sorted((*V, x2)))
            if x1:
                for size, probability in new:
                    yield (x1 - 1, size, larger, idle - x2), cluster.tracker_rate * probability
            else:
                yield (0, 0, larger, idle - x2), cluster.tracker_rate
        if self.setups(state):
            yield (x1, x2, V, idle + 1), self.setups(state) * self.setup_rate
        if idle > x2 and self.shutdown_rate:
            yield (x1, x2, V, idle - 1), (idle - x2) * self.shutdown_rate

    @waited_for
    @remembered
    def solve(self, *, progress: bool = False) -> EnergyPerformance:
        """The stationary distribution of the chain, and what follows.

        Parameters
        ----------
        progress : bool
            Whether to show on standard error for how long this has been at work.

        Returns
        -------
        EnergyPerformance

        Raises
        ------
        ValueError
            If there are more than 200 000 states, which is found while they are listed.
        NoExactAnswer
            If so few jobs are accepted that rounding hides them, or the rates are too far apart.
        """
        servers, capacity = self.cluster.servers, self.cluster.queue_capacity
        states, *moves = markov.explore((0, 0, (), servers), self.transitions, MOST_STATES)
        Q = markov.generator(len(states), *moves)
        P = law_of_few_states(Q)
        queue = float(P @ [x1 for x1, _, _, _ in states])
        full = np.array([x1 == capacity and x2 > 0 for x1, x2, _, _ in states])
        blocking = float(P @ full)
        counts = np.array([(sum(state[2]), state[3], self.setups(state)) for state in states])
        running = P @ counts
        down = max(servers - float(running.sum()), 0.0)
        accepted = self.cluster.arrival_rate * float(P @ ~full)
        times = [1 / rate for rate in (self.setup_rate, self.shutdown_rate) if rate > 0]
        error = estimated_error(markov.residual(P, Q), capacity, *self.cluster.mean_times, *times)
        require_seen(len(states), P @ ~full, error)
        servers = np.append(running, down)
        return EnergyPerformance(queue, blocking, queue / accepted, servers, method="chain", error=error)


@waited_for
@remembered
def exact_energy(
    cluster: SleepingCluster, *, setup: JobSize | None = None, progress: bool = False
) -> EnergyPerformance:
    """The performance of a `SleepingCluster` from its chain.

    It is `SleepingCluster.solve`, for the arguments of `simulate_energy`.

    Parameters
    ----------
    cluster, setup
        As for `simulate_energy`.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    EnergyPerformance

    Raises
    ------
    ValueError
        If an argument is not as described, or there are more than 200 000 states.
    NoExactAnswer
        If the setup times are not exponential, or the chain is not solved.

    Examples
    --------
    >>> inner = ServiceCluster(4, 3, {1: 0.5, 2: 0.5}, arrival_rate=1, tracker_rate=20, service_rates=1)
    >>> round(exact_energy(SleepingCluster(inner, setup_rate=2, shutdown_rate=1)).blocking, 6)
    0.018347
    """
    if not isinstance(cluster, SleepingCluster):
        fail("cluster", cluster, "a SleepingCluster")
    require_exponential(setup=setup)
    return cluster.solve()


def simulate_energy(cluster: SleepingCluster, *, setup: JobSize | None = None, **run: Unpack[Run]) -> EnergyPerformance:
    """The performance of a `SleepingCluster`, simulated.

    Parameters
    ----------
    cluster : SleepingCluster
    setup : clustershare.sizes.JobSize, optional
        Law of mean 1 of the setup times, divided by the setup rate; None is exponential.
    **run
        `jumps`, `warmup`, `replications` and `seed` (see `clustershare.run_length.RunLength`).

    Returns
    -------
    EnergyPerformance
        Of `Estimate`.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> from clustershare.cluster_chain import ServiceCluster
    >>> inner = ServiceCluster(4, 3, {1: 0.5, 2: 0.5}, arrival_rate=1, tracker_rate=20, service_rates=1)
    >>> cluster = SleepingCluster(inner, setup_rate=2, shutdown_rate=1)
    >>> found = simulate_energy(cluster, jumps=20_000, warmup=1000, replications=8, seed=1)
    >>> found.servers.contains(cluster.solve().servers)
    array([ True,  True,  True,  True])
    """
    if not isinstance(cluster, SleepingCluster):
        fail("cluster", cluster, "a SleepingCluster")
    affordable("the queue_capacity of cluster", cluster.cluster.queue_capacity, MOST_JOBS)
    affordable("the servers of cluster", cluster.cluster.servers, MOST_JOBS)
    run, times, inner = check_run_length(run), encode(of_mean_1("setup", setup)), cluster.cluster
    resolved("arrival_rate", inner.arrival_rate, offered_load(inner), run)
    jobs = inner.sizes, inner.size_probabilities, inner.size_service_rates
    samples = np.array(
        [
            kernel.energy(
                rng, inner.servers, inner.queue_capacity, jobs, inner.arrival_rate, inner.tracker_rate,
                cluster.setup_rate, cluster.shutdown_rate, times, run.jumps, run.warmup,
            )
            for rng in run.generators()
        ]
    )  # fmt: skip
    if np.isnan(samples[:, 0]).any():
        raise NothingSeen(f"jumps must be so many that some time goes by; got {run.jumps}.")
    parts = *samples[:, :3].T, samples[:, 3:]
    return EnergyPerformance(*map(from_replications, parts), method="simulation")
