"""How many servers for a delay and a utilisation (`ctmc`, Section 6): the search, and every number tried in turn."""

import functools
import itertools

from clustershare.cluster_chain import ServiceCluster, simulate, smallest_cluster
from compendium import study

SHARES = (0.01, 0.02, 0.05)  # of long jobs
RATES = (10, 20, 40)
DELAYS = (0.001, 0.003, 0.01, 0.03)  # seconds
THRESHOLDS = (0, 0.3, 0.5, 0.7)  # of the utilisation


def cloud(share, arrival_rate, servers):
    """The workload of `ctmc`, Figure 11, behind a quick tracker.

    Examples
    --------
    >>> cloud(0.05, 40, 200).servers
    200
    """
    sizes, rates = {10: 1 - share, 100: share}, {10: 10.0, 100: 1.0}
    return ServiceCluster(servers, 50, sizes, float(arrival_rate), 1000.0, rates)


@functools.cache
def tried(share, arrival_rate, servers):
    """Delay and utilisation with so many servers."""
    found = cloud(share, arrival_rate, servers).solve(1e-10)
    return found.mean_delay, found.utilisation


def by_trying(share, arrival_rate, delay, threshold):
    """The least number of servers that answers, or None: every number is tried, in steps of the smallest size.

    Examples
    --------
    >>> by_trying(0.01, 10, 0.03, 0), by_trying(0.01, 10, 0.03, 0.7)
    (120, None)
    """
    work = arrival_rate * (100 * share * 1.0 + 10 * (1 - share) * 0.1)  # busy servers, if nobody is lost
    for servers in itertools.count(100, 10):
        if servers * threshold > work:
            return None
        wait, use = tried(share, arrival_rate, servers)
        if wait <= delay and use >= threshold:
            return servers


def by_search(share, arrival_rate, delay, threshold):
    """The same by the library's search.

    Examples
    --------
    >>> by_search(0.01, 10, 0.03, 0), by_search(0.01, 10, 0.03, 0.7)
    (120, None)
    """
    try:
        return smallest_cluster(cloud(share, arrival_rate, 100), delay=delay, utilisation=threshold).servers
    except ValueError:
        return None


def simulated_delays(points):
    """Simulated delays of (share, arrival rate, servers): for each point, the estimate and its half width."""
    names = ["share", "arrival_rate", "servers"]
    grid = [dict(zip(names, point)) for point in sorted(points)]
    rows = study.run("cluster-sizing", simulate, grid, lambda **point: {"cluster": cloud(**point)}, fidelity="book")
    rows = rows[rows["quantity"] == "mean_delay"].set_index(names)
    return dict(zip(rows.index, zip(rows["estimate"], rows["half_width"])))
