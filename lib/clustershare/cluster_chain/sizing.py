"""The use that `ctmc` advertises: how many servers for a given delay and utilisation."""

from __future__ import annotations

import bisect
import functools
import math
from dataclasses import dataclass, replace

import numpy as np

from clustershare.arguments import affordable, fail, integer, number, positive
from clustershare.cluster_chain.model import ServiceCluster
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer

MOST_STATES = 1_000_000  # of a chain that is tried: some seconds
SAME = 1e-9  # a cluster so near to one that is never short of servers gains nothing by more of them


@dataclass(frozen=True)
class Sizing:
    """A cluster that meets its targets, and how.

    Attributes
    ----------
    servers : int
    mean_delay, blocking, utilisation : float
        As for `Solution`.
    """

    servers: int
    mean_delay: float
    blocking: float
    utilisation: float


@functools.lru_cache(maxsize=4096)
def _measured(cluster):
    found = cluster.solve(1e-10)
    return Sizing(cluster.servers, found.mean_delay, found.blocking, found.utilisation)


def _never_short(cluster):
    """Blocking and mean delay if there are always servers enough: of the tracker alone, an M/M/1 queue with few places.

    The blocking is a bound: more servers lose no more jobs.
    """
    places = np.arange(cluster.queue_capacity + 2)  # the tracker's is one
    logarithms = places * (math.log(cluster.arrival_rate) - math.log(cluster.tracker_rate))
    law = np.exp(logarithms - logarithms.max())
    law /= law.sum()
    queue = float(law[1:] @ places[:-1])
    return float(law[-1]), queue / (cluster.arrival_rate * float(law[:-1].sum()))


@waited_for
def smallest_cluster(
    cluster: ServiceCluster, *, delay: float, blocking: float = 1.0, utilisation: float = 0.0, most: int = 10_000,
    progress: bool = False
) -> Sizing:
    """The fewest servers that keep the delay and the blocking below, and the utilisation above their targets.

    More servers lose no more jobs. Number the jobs as they are accepted, and give the n-th the same size and times in
    both clusters. Then by induction it is accepted and starts no later in the larger one: the jobs before it have left
    the queue and the servers no later. So the blocking is met from some number on, which is found by halving.

    The delay need not fall: a job that is accepted only with more servers may come just before a long wait, and wait
    longer than those that were accepted before. So from there on every number is tried. The utilisation is not monotone
    either, because of how jobs pack; but it cannot exceed the work that arrives over the number of servers.

    Parameters
    ----------
    cluster : ServiceCluster
        Its number of servers is not used.
    delay : float
        Most mean time in the queue, of the jobs that are accepted.
    blocking : float
        Most fraction of jobs that are lost.
    utilisation : float
        Least fraction of the servers that are busy.
    most : int
        Most servers to consider.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    Sizing

    Raises
    ------
    ValueError
        If an argument is not as described; if no number of servers has the blocking; if doubling the servers, up to
        `most` or until more make no difference, never meets delay and blocking; or if no number of servers that meets
        them has the utilisation.
    NoExactAnswer
        If a chain that would have to be solved has more than a million states, or is not solved.

    Examples
    --------
    >>> from clustershare.cluster_chain import ServiceCluster
    >>> cluster = ServiceCluster(4, 20, {1: 0.7, 4: 0.3}, arrival_rate=5, tracker_rate=100, service_rates=1)
    >>> smallest_cluster(cluster, delay=0.1).servers
    17
    >>> smallest_cluster(cluster, delay=0.1, utilisation=0.9)
    Traceback (most recent call last):
    ...
    ValueError: utilisation must be below what the delay allows, 0.559 with 17 servers; got 0.9.
    """
    if not isinstance(cluster, ServiceCluster):
        fail("cluster", cluster, "a ServiceCluster")
    positive("delay", delay), number("blocking", blocking, 0, 1), number("utilisation", utilisation, 0, 1)
    affordable("the queue_capacity of cluster", cluster.queue_capacity, MOST_STATES)
    largest = int(cluster.sizes.max())
    integer("most", most, largest)
    step = math.gcd(*cluster.sizes.tolist())  # servers in between are never used
    least_blocking, last_delay = _never_short(cluster)
    if blocking < least_blocking * (1 - SAME):
        fail("blocking", blocking, f"at least {least_blocking:.3g}, below which no number of servers brings it")

    def at(multiple):
        tried = replace(cluster, servers=step * multiple)
        if tried.states > MOST_STATES:
            raise NoExactAnswer(
                f"The chain of {tried.servers} servers has {tried.states} states, above {MOST_STATES}, the most that "
                "are tried, and fewer servers do not meet the targets: use simulate."
            )
        return _measured(tried)

    def quick(found):
        return found.mean_delay <= delay and found.blocking <= blocking

    least, high = largest // step, largest // step
    while not quick(found := at(high)):  # so that a hopeless target is refused after few chains
        converged = abs(found.mean_delay - last_delay) <= SAME * last_delay
        if high == most // step or converged and found.blocking - least_blocking <= SAME * least_blocking:
            fail("delay", delay, f"above {at(high).mean_delay:.3g}, that of {step * high} servers, or blocking larger")
        high = min(2 * high, most // step)
    low = bisect.bisect_left(range(least, high), True, key=lambda multiple: at(multiple).blocking <= blocking) + least
    first = next(multiple for multiple in range(low, high + 1) if quick(at(multiple)))
    work = cluster.arrival_rate * float((cluster.sizes * cluster.size_probabilities / cluster.size_service_rates).sum())
    best, multiple = 0.0, first
    while step * multiple <= most and (multiple == first or step * multiple * utilisation <= work):
        found = at(multiple)
        if quick(found) and found.utilisation >= utilisation:
            return found
        best = max(best, found.utilisation)
        multiple += 1
    fail("utilisation", utilisation, f"below what the delay allows, {best:.3f} with {step * first} servers")
