"""The clusters of `ctmc`, Figures 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, solved once for pages and checks.

The pictures are lost, and with them the values that stood only there: the arrival rates of Figures 2 to 4, the largest
sizes of Figures 5 and 6 but 8, the spreads of Figure 10 and the mixtures of Figure 11. Ours are chosen so that what the
text says can be tested.
"""

import functools

import numpy as np
import pandas as pd

from clustershare import cluster_chain, sizes
from clustershare.arguments import integer
from clustershare.cluster_chain import Bursts, ServiceCluster, normal_sizes, uniform_sizes

ARRIVAL_RATES = tuple(range(5, 101, 5))
TRACKER_RATES = (10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
RATES = (5, 10, 20, 40)  # of arrivals, Figures 2 to 4
SERVERS = tuple(range(1, 17))
LARGEST = (4, 8, 10, 12, 14, 16)
SPREADS = (0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15)
SHARES = (0.01, 0.02, 0.05, 0.1)  # of long jobs
CLOUD_RATES = tuple(range(15, 121, 15))
# Where lines are drawn, so close that no corner shows; their ends are those of the tables.
FINE = {
    "arrival_rate": (*(0.5 * halves for halves in range(10, 60)), *range(30, 60), *range(60, 101, 5)),
    "tracker_rate": tuple(float(rate) for rate in np.geomspace(10, 1000, 61).round(2)),
    "spread": (*(round(0.1 * tenths, 1) for tenths in range(5, 60)), *range(6, 16)),
    "cloud_rate": tuple(range(15, 121, 3)),
}
MEASURES = ("mean_queue", "blocking", "mean_delay", "utilisation", "mean_jobs_in_service")


def job_sizes(servers):
    """The three distributions of the job size of `ctmc`, Figures 7, 8, 9, by name, with T = N.

    Examples
    --------
    >>> list(job_sizes(16))
    ['uniform', 'bounded normal', 'harmonic']
    """
    integer("servers", servers, 1)
    return {
        "uniform": cluster_chain.uniform_sizes(servers),
        "bounded normal": cluster_chain.normal_sizes(servers),
        "harmonic": cluster_chain.harmonic_sizes(servers),
    }


NAMES = tuple(job_sizes(16))


def cluster(distribution, arrival_rate, servers=16, queue_capacity=15, tracker_rate=100.0, service_rate=10.0):
    """The cluster of `ctmc`, Figures 7, 8, 9, with other numbers where they are given.

    Parameters
    ----------
    distribution : str
        A name of `job_sizes`.
    arrival_rate : float
        Jobs per second.

    Examples
    --------
    >>> cluster("harmonic", 30.0).states
    235155
    """
    return cluster_chain.ServiceCluster(
        servers, queue_capacity, job_sizes(servers)[distribution], float(arrival_rate), tracker_rate, service_rate
    )


def figure_2(tracker_rate, arrival_rate, servers=16, queue_capacity=15):
    """The cluster of `ctmc`, Figure 2: uniform sizes, any tracker.

    Examples
    --------
    >>> figure_2(100, 20).states
    235155
    """
    return cluster("uniform", arrival_rate, servers, queue_capacity, float(tracker_rate))


def figure_3(servers, arrival_rate, queue_capacity=15, tracker_rate=1000.0):
    """The cluster of `ctmc`, Figures 3, 4: sizes up to that of the cluster, a quick tracker.

    Examples
    --------
    >>> figure_3(1, 5).states
    34
    """
    return cluster("uniform", arrival_rate, servers, queue_capacity, tracker_rate)


def figure_5(largest, arrival_rate, servers=16, queue_capacity=15):
    """The cluster of `ctmc`, Figures 5, 6: uniform sizes up to `largest`.

    Examples
    --------
    >>> figure_5(8, 20).sizes.max()
    np.int64(8)
    """
    return ServiceCluster(servers, queue_capacity, uniform_sizes(largest), float(arrival_rate), 100.0, 10.0)


def figure_7(distribution, arrival_rate):
    """The cluster of `ctmc`, Figures 7, 8, 9.

    Examples
    --------
    >>> figure_7("harmonic", 20).states
    235155
    """
    return cluster(distribution, arrival_rate)


def figure_10(spread, servers=15, arrival_rate=30.0):
    """The cluster of `ctmc`, Figure 10: bounded normal sizes of any spread.

    Examples
    --------
    >>> figure_10(2).states
    164844
    """
    return ServiceCluster(servers, 15, normal_sizes(servers, spread), arrival_rate, 200.0, 10.0)


def size_moments(spread, largest=15):
    """Mean and standard deviation of the bounded normal sizes of `ctmc`, Figure 10.

    Examples
    --------
    >>> mean, deviation = size_moments(2.0)
    >>> round(mean, 9), round(deviation, 4)
    (8.0, 1.9976)
    """
    return moments(normal_sizes(largest, spread))


def moments(job_sizes):
    """Mean and standard deviation of sizes, by their probabilities."""
    mean = sum(n * p for n, p in job_sizes.items())
    return mean, sum((n - mean) ** 2 * p for n, p in job_sizes.items()) ** 0.5


def figure_11(share, arrival_rate, servers=1500):
    """The cluster of `ctmc`, Figure 11: a share of long jobs on 100 servers, the others short and on 10.

    Examples
    --------
    >>> figure_11(0.05, 60).states
    125248
    """
    return ServiceCluster(servers, 50, {10: 1 - share, 100: share}, float(arrival_rate), 100.0, {10: 10.0, 100: 1.0})


def vectors(model):
    """The cluster states, as tuples of the sizes in service."""
    return [V for _, x2, V in model.state_list() if x2 == 0]


def of_sizes(servers, sizes):
    """The cluster states of a number of servers and some sizes, all as likely."""
    sizes = tuple(sizes)
    return vectors(ServiceCluster(servers, 0, dict.fromkeys(sizes, 1 / len(sizes)), 1, 1, 1))


@functools.cache
def solved(model):
    """The solution of a cluster, kept."""
    return model.solve()


def solutions(make, grid):
    """Exact answers on a grid: a row of its parameters and all measures for each point.

    Parameters
    ----------
    make : callable
        ``make(**point)`` is the cluster.
    grid : list of dict
        As made by `compendium.study.grid`.

    Returns
    -------
    pandas.DataFrame

    Examples
    --------
    >>> solutions(figure_3, [{"servers": 1, "arrival_rate": 10}]).round(4).loc[0, "blocking"]
    np.float64(0.0599)
    """
    rows = []
    for point in grid:
        found = solved(make(**point))
        rows.append({**point, **{name: getattr(found, name) for name in MEASURES}, "residual": found.residual})
    return pd.DataFrame(rows)


def laws():
    """Service times, tracker and arrivals that are not exponential, by name: arguments of `cluster_chain.simulate`.

    Examples
    --------
    >>> {name: round(law.variance, 3) for name, law in laws()["service"].items()}
    {'constant': 0.0, 'exponential': 1.0, 'hyperexponential': 7.4, 'Pareto': 1.778}
    """
    hyper = sizes.bimodal_hyperexponential()
    return {
        "service": {
            "constant": sizes.Deterministic(1.0),
            "exponential": sizes.Exponential(1.0),
            "hyperexponential": hyper,
            "Pareto": sizes.Pareto(1.0, 2.25),
        },
        "arrivals": {
            "regular": sizes.Deterministic(1.0),
            "Poisson": sizes.Exponential(1.0),
            "hyperexponential": hyper,
            "bursts": Bursts((0.5, 3.0), (4.0, 1.0)),
        },
    }


def with_law(distribution, arrival_rate, what, law):
    """The arguments of `cluster_chain.simulate` for the cluster of `ctmc`, Figure 7, with one law changed."""
    return {"cluster": figure_7(distribution, arrival_rate), what: laws()[what][law]}


def in_half_widths(simulated, exact):
    """How far simulated points are from exact answers, in half widths of their intervals.

    Parameters
    ----------
    simulated : pandas.DataFrame
        Of `compendium.study.run`.
    exact : dict
        For each point, as the tuple of its parameters, a result with the simulated quantities.

    Returns
    -------
    ndarray, shape (rows,)
        Intervals narrower than 1e-4, as of what hardly ever happens, are taken to be so wide.
    """
    parameters = list(simulated.columns[: simulated.columns.get_loc("quantity")])
    found = []
    for row in simulated.to_dict("records"):
        result = exact[tuple(row[name] for name in parameters)]
        expected = np.atleast_1d(getattr(result, row["quantity"]))[row["index"]]
        found.append(abs(row["estimate"] - expected) / max(row["half_width"], 1e-4))
    return np.array(found)
