"""The use that `ctmc` advertises: how many servers for a given delay and utilisation."""

import functools
import math
from dataclasses import dataclass, replace

from clustershare.arguments import fail, integer, number, positive
from clustershare.cluster_chain.model import ServiceCluster


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


def smallest_cluster(cluster, *, delay, blocking=1.0, utilisation=0.0, most=10_000):
    """The fewest servers that keep the delay and the blocking below, and the utilisation above their targets.

    More servers delay nobody: first come, first served, every job starts no later. So the delay is met from some number
    of servers on, which is found by halving. The utilisation is not monotone, because of how jobs pack. But it cannot
    exceed the work that arrives over the number of servers, so the search from there on is finite.

    Parameters
    ----------
    cluster : ServiceCluster
        Its number of servers is not used.
    delay : float
        Most mean time in the queue.
    blocking : float
        Most fraction of jobs that are lost.
    utilisation : float
        Least fraction of the servers that are busy.
    most : int
        Most servers to consider.

    Returns
    -------
    Sizing

    Raises
    ------
    ValueError
        If an argument is not as described, or no number of servers meets the targets.

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
    largest = int(cluster.sizes.max())
    integer("most", most, largest)
    step = math.gcd(*cluster.sizes.tolist())  # servers in between are never used

    def at(multiple):
        return _measured(replace(cluster, servers=step * multiple))

    def quick(found):
        return found.mean_delay <= delay and found.blocking <= blocking

    low, high = largest // step - 1, largest // step  # low is too few
    while not quick(at(high)):
        low, high = high, 2 * high
        if step * high > most:
            high = most // step
            if low >= high or not quick(at(high)):
                fail("delay", delay, f"above {at(high).mean_delay:.3g}, that of {most} servers, or blocking larger")
            break
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if quick(at(middle)) else (middle, high)
    work = cluster.arrival_rate * float((cluster.sizes * cluster.size_probabilities / cluster.size_service_rates).sum())
    first, best = high, 0.0
    while step * high <= most and (high == first or step * high * utilisation <= work):
        found = at(high)
        if found.utilisation >= utilisation:
            return found
        best = max(best, found.utilisation)
        high += 1
    fail("utilisation", utilisation, f"below what the delay allows, {best:.3f} with {step * first} servers")
