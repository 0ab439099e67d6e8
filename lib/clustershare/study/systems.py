"""The systems of the sources' figures as arguments of the models, once for the pages and for the checks."""

import itertools

from clustershare import cluster_chain, multiserver, sizes, uniprocessor

# Where the simulated points of a figure lie.
FRACTIONS = tuple(round(0.05 * number, 12) for number in range(1, 11))
SPLITS = tuple(round(0.05 * number, 12) for number in range(1, 20))
LOADS = tuple(round(0.05 * number, 12) for number in range(1, 20))
ARRIVAL_RATES = tuple(range(5, 101, 5))
# The first is a half with group 1 in front of ties, as in Figures 3.10 to 3.15 of `thesis`.
SHARES = (0.5 + 1e-9, 0.525, 0.55, 0.575, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


def two_groups(fraction, load=0.8, required_share=0.5):
    """Two groups on one processor; group 1 brings a fraction of the load (`thesis`, Section 3.5.1, case 1).

    Examples
    --------
    >>> two_groups(0.25)
    {'required_shares': (0.5, 0.5), 'arrival_rates': (0.2, 0.6000000000000001)}
    """
    return {
        "required_shares": (required_share, 1 - required_share),
        "arrival_rates": (load * fraction, load * (1 - fraction)),
    }


def beside_permanent_jobs(policy, required_share, permanent_jobs, load=0.5):
    """Two equal loads beside permanent jobs of both groups (`thesis`, Section 3.5.2), or their limit.

    Examples
    --------
    >>> beside_permanent_jobs("FCFS", 0.75, 2)
    {'required_shares': (0.75, 0.25), 'arrival_rates': (0.25, 0.25), 'permanent_jobs': (2, 2)}
    >>> beside_permanent_jobs("PQ", 0.75, 1)["arrival_rates"]
    (0.25, 0.0)
    """
    system = {**two_groups(0.5, load, required_share), "permanent_jobs": (permanent_jobs, permanent_jobs)}
    return uniprocessor.limiting(policy, **system)


def paper_sizes():
    """The three size distributions of `balanced`, Section 5, by the letter of their panels in Figures 1 to 4.

    Examples
    --------
    >>> {letter: round(size.mean, 4) for letter, size in paper_sizes().items()}
    {'a': 1.0, 'b': 1.0, 'c': 3.5843}
    """
    return {"a": sizes.bimodal_phases(), "b": sizes.bimodal_hyperexponential(), "c": sizes.zipf_phases()}


def three_servers(load, capacities=(1.0, 1.0, 1.0), mean_size=1.0):
    """Two classes with a server each and one in common, equal arrival rates (`balanced`, Section 5).

    A capacity of 0 leaves the server out, as in Figure 2.

    Examples
    --------
    >>> three_servers(0.5)["arrival_rates"]
    (0.75, 0.75)
    >>> three_servers(0.5, (1.0, 0.0, 1.0))["graph"].servers_of_class
    ((0, 1), (1,))
    """
    rate = load * sum(capacities) / 2 / mean_size
    place = list(itertools.accumulate(capacity > 0 for capacity in capacities))  # from 1, among those that are kept
    kept = [[place[server] - 1 for server in servers if capacities[server] > 0] for servers in ((0, 2), (1, 2))]
    graph = multiserver.CompatibilityGraph(kept, [capacity for capacity in capacities if capacity > 0])
    return {"graph": graph, "arrival_rates": (rate, rate)}


def random_servers(load, degree, servers=100, mean_size=1.0):
    """Jobs that may use `degree` of the servers, drawn at random (`balanced`, Section 5).

    Examples
    --------
    >>> random_servers(0.8, 2)
    {'graph': RandomAssignment(servers=100, degree=2), 'arrival_rates': 80.0}
    """
    return {
        "graph": multiserver.RandomAssignment(servers, degree),
        "arrival_rates": load * servers / mean_size,
    }


def round_robin_path():
    """The path of `roundrobin`, Figure 2, for its graph: a start, and four steps, of jobs large against the quantum.

    The figure is lost. The text tells that a first job of class 1 was in service on computer 1, and that the job of
    class 2 had two timers when it was interrupted: a queue of classes 1, 2, 1 begins so.

    Examples
    --------
    >>> round_robin_path()["present"]
    (0, 1, 0)
    """
    return {
        "arrival_rates": (0.3, 0.3, 0.3),
        "sizes": sizes.Exponential(100.0),
        "interruptions": 100,
        "present": (0, 1, 0),
        "steps": (("interruption", 0), ("interruption", 1), ("arrival", 2), ("interruption", 0)),
    }


def job_sizes(servers):
    """The three distributions of `ctmc`, Figures 7 to 9, with T = N.

    Examples
    --------
    >>> list(job_sizes(16))
    ['uniform', 'bounded normal', 'harmonic']
    """
    return {
        "uniform": cluster_chain.uniform_sizes(servers),
        "bounded normal": cluster_chain.normal_sizes(servers),
        "harmonic": cluster_chain.harmonic_sizes(servers),
    }


def cluster(sizes, arrival_rate, servers=16, queue_capacity=15, tracker_rate=100.0, service_rate=10.0):
    """The cluster of `ctmc`, Figures 7 to 9.

    Parameters
    ----------
    sizes : str
        A name of `job_sizes`.
    arrival_rate : float
        Jobs per second.

    Examples
    --------
    >>> cluster("harmonic", 30.0).states
    235155
    """
    return cluster_chain.ServiceCluster(
        servers, queue_capacity, job_sizes(servers)[sizes], float(arrival_rate), tracker_rate, service_rate
    )
