"""The systems of `balanced`, Section 5, and clusters at random, as arguments of the models."""

import functools
import itertools

import numpy as np
import pandas as pd

from clustershare import multiserver, sizes
from clustershare.arguments import UnstableError
from clustershare.multiserver import CompatibilityGraph
from compendium.press.clauses import cases

ONE = CompatibilityGraph([[0]], [1.0])  # server, one class
LOADS = tuple(round(0.05 * number, 12) for number in range(1, 20))  # where the simulated points of a figure lie


def paper_sizes():
    """The three size distributions of `balanced`, Section 5, by the letter of their panels.

    They are those of `balanced`, Figures 1, 2, 3, 4.

    Examples
    --------
    >>> {letter: round(size.mean, 4) for letter, size in paper_sizes().items()}
    {'a': 1.0, 'b': 1.0, 'c': 3.5843}
    """
    return {"a": sizes.bimodal_phases(), "b": sizes.bimodal_hyperexponential(), "c": sizes.zipf_phases()}


def three_servers(load, capacities=(1.0, 1.0, 1.0), mean_size=1.0):
    """Two classes with a server each and one in common, equal arrival rates (`balanced`, Figure 1).

    A capacity of 0 leaves the server out, as in `balanced`, Figure 2.

    Examples
    --------
    >>> three_servers(0.5)["arrival_rates"]
    (0.75, 0.75)
    >>> three_servers(0.5, (1.0, 0.0, 1.0))["graph"].servers_of_class
    ((0, 1), (1,))
    """
    rate = load * sum(capacities) / 2 / mean_size
    place = list(itertools.accumulate(int(capacity > 0) for capacity in capacities))  # from 1, of those kept
    kept = [[place[server] - 1 for server in servers if capacities[server] > 0] for servers in ((0, 2), (1, 2))]
    graph = CompatibilityGraph(kept, [capacity for capacity in capacities if capacity > 0])
    return {"graph": graph, "arrival_rates": (rate, rate)}


def random_servers(load, degree, servers=100, mean_size=1.0):
    """Jobs that may use `degree` of the servers, drawn at random (`balanced`, Figure 3 for 2 and Figure 4 for 3).

    Examples
    --------
    >>> random_servers(0.8, 2)
    {'graph': RandomAssignment(servers=100, degree=2), 'arrival_rates': 80.0}
    """
    return {
        "graph": multiserver.RandomAssignment(servers, degree),
        "arrival_rates": load * servers / mean_size,
    }


def fair_curves(loads, fair):
    """Rates and delays of balanced fairness for the three size distributions (`balanced`, Figures 1, 2, 3, 4).

    A rate is work per unit of time, whatever the mean size; a delay is proportional to it.

    Parameters
    ----------
    loads : sequence of float
    fair : list
        The answers there for mean size 1, as `clustershare.multiserver.balanced_fairness` returns them.

    Returns
    -------
    pandas.DataFrame
        `letter` of the sizes, `quantity` (``mean_service_rate`` or ``mean_delay``), `index` of the class, `load`,
        `exact`.

    Examples
    --------
    >>> fair_curves([0.8], [multiserver.random_assignment(100, 2, 0.8)]).round(4).loc[[1, 5]]
      letter    quantity  index  load   exact
    1      a  mean_delay      0   0.8  1.2773
    5      c  mean_delay      0   0.8  4.5782
    """
    columns = ["letter", "quantity", "index", "load", "exact"]
    rows = [
        (letter, quantity, index, load, scale * value)
        for letter, size in paper_sizes().items()
        for quantity, scale in (("mean_service_rate", 1.0), ("mean_delay", size.mean))
        for load, found in zip(loads, fair)
        for index, value in enumerate(np.atleast_1d(getattr(found, quantity)).tolist())
    ]
    return pd.DataFrame(rows, columns=columns)


def random_graphs(count=20, load=1.0, classes=3, servers=4):
    """Random graphs with arrival rates under which the most loaded set of classes has this load: a domain."""
    rng, found = np.random.default_rng(7), []
    for _ in range(count):
        graph, rates = _cluster(rng, classes, servers, least=0.2)
        found.append((graph, load * rates))
    return cases("random graph", found, seed=7)


@functools.cache
def clusters(count=100, classes=4, servers=5, loads=(0.05, 0.95)):
    """Random graphs of all sizes up to the given ones with arrival rates, the domain of most rules.

    Each edge is there with probability 1/2, and every class has a server; capacities are from 0.1 to 3; the most loaded
    set of classes has a load drawn from `loads`.
    """
    rng, result = np.random.default_rng(2017), []
    for _ in range(count):
        graph, rates = _cluster(rng, rng.integers(1, classes + 1), rng.integers(1, servers + 1), least=0.1)
        result.append((graph, rates * rng.uniform(*loads)))
    return tuple(result)


def random_clusters(**how):
    """`clusters` as a domain."""
    return cases("random cluster", clusters(**how), seed=2017)


def _cluster(rng, classes, servers, least):
    """A random graph with capacities from `least` to 3, and arrival rates at which it is just overloaded."""
    edges = rng.random((classes, servers)) < 0.5
    edges[range(classes), rng.integers(servers, size=classes)] = True
    graph = CompatibilityGraph([np.flatnonzero(row).tolist() for row in edges], rng.uniform(least, 3, servers))
    return graph, critical(graph, rng.uniform(0.1, 1, classes))


def critical(graph, rates):
    """Arrival rates in the same proportions, under which the most loaded set of classes has load 1."""
    return rates / max(rates[list(A)].sum() / graph.service_rate(A) for A in sets(graph))


def answered(function, *system):
    """Whether the library answers for a system, and does not refuse it as unstable."""
    try:
        function(*system)
    except UnstableError:
        return False
    return True


def sets(graph):
    """The sets of classes that are not empty."""
    return [A for n in range(1, graph.classes + 1) for A in itertools.combinations(range(graph.classes), n)]


def without(x, i):
    """The numbers of jobs with one of class i less."""
    return tuple(jobs - (j == i) for j, jobs in enumerate(x))


def without_an_edge(graph):
    """The graph with an edge less, of the first class that has more than one; itself if none has."""
    servers = [list(own) for own in graph.servers_of_class]
    for own in servers:
        if len(own) > 1:
            own.pop()
            break
    return CompatibilityGraph(servers, graph.capacities)


def balance_functions(graph, most):
    """Phi of (4) for all numbers of at most `most` jobs in all: a dictionary, by the library."""
    return {x: multiserver.balance_function(graph, x) for x in numbers(graph.classes, most)}


def numbers(classes, most):
    """The numbers of jobs of the classes, at most so many in all."""
    return [x for x in itertools.product(range(most + 1), repeat=classes) if sum(x) <= most]


def lattice_systems():
    """Clusters of up to two classes at all loads, and of three and four where the lattice stays small: a domain."""
    systems = [each for each in clusters() if each[0].classes < 3]
    systems += [each for each in clusters(loads=(0.05, 0.6)) if each[0].classes > 2]
    return cases("random cluster", systems, seed=2017)


def three_kinds(mean):
    """Three laws of a mean: exponential, hyperexponential, and a mixture of Erlangs of one and three phases."""
    return {
        "exponential": sizes.Exponential(mean),
        "hyperexponential": sizes.Hyperexponential((5 * mean, mean / 5), (1 / 6, 5 / 6)),
        "Erlang mixture": sizes.ErlangMixture(mean / 2, (1, 3), (0.5, 0.5)),
    }


def cut(kind):
    """Where the chain of `three_kinds` is cut, so that it has some thousand lines at most."""
    return 3 if kind == "Erlang mixture" else 4
