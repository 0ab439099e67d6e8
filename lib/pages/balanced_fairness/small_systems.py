"""Small clusters at random, and the laws that `balanced`, Sections 2, 3, 4 and appendix, states for all of them."""

import itertools

import numpy as np

from clustershare import markov, multiserver
from clustershare.multiserver import CompatibilityGraph, state_rates, stationary_measure

MOST_JOBS = 4  # of a random graph's chain


def random_graphs(count=20, load=1.0, classes=3, servers=4):
    """Random graphs with arrival rates under which the most loaded set of classes has this load."""
    rng = np.random.default_rng(7)
    for _ in range(count):
        edges = rng.random((classes, servers)) < 0.5
        edges[range(classes), rng.integers(servers, size=classes)] = True
        graph = CompatibilityGraph([np.flatnonzero(row).tolist() for row in edges], rng.uniform(0.2, 3, servers))
        rates = rng.uniform(0.1, 1, classes)
        yield graph, rates * load / max(rates[list(A)].sum() / graph.service_rate(A) for A in sets(graph))


def sets(graph):
    """The sets of classes that are not empty."""
    return [A for n in range(1, graph.classes + 1) for A in itertools.combinations(range(graph.classes), n)]


def counts(graph, most=2):
    """The numbers of jobs up to `most` of each class, not all 0."""
    return list(itertools.product(range(most + 1), repeat=graph.classes))[1:]


def orders(x):
    """The queues with x_i jobs of each class."""
    return sorted(set(itertools.permutations([i for i, jobs in enumerate(x) for _ in range(jobs)])))


def without(x, i):
    """The numbers of jobs with one of class i less."""
    return tuple(jobs - (j == i) for j, jobs in enumerate(x))


def mean_rates(graph, rates, x, weighted=True):
    """The right side of (8): service rates of the classes, averaged over the orders of the jobs."""
    weights = np.array([stationary_measure(graph, rates, c) if weighted else 1.0 for c in orders(x)])
    served = np.array([np.bincount(c, state_rates(graph, c), graph.classes) for c in orders(x)])
    return weights @ served / weights.sum()


def allocation(kind, graph, rates, x):
    """Service rates of the classes: of the queue, or of two ways to share that a cluster might try."""
    present = np.array(x) > 0
    if kind == "every class has all its servers":
        return np.array([graph.service_rate([i]) for i in range(graph.classes)]) * present
    if kind == "every server has a part for each class":
        users = [sum(s in servers for servers in graph.servers_of_class) for s in range(graph.servers)]
        return present * [sum(graph.capacities[s] / users[s] for s in servers) for servers in graph.servers_of_class]
    return mean_rates(graph, rates, x)


def whittle_network(graph, rates, factor=1.0):
    """Law of the Whittle network of (4) and (7) that loses jobs beyond `MOST_JOBS`, by its chain: states and law."""
    states = [x for x in itertools.product(range(MOST_JOBS + 1), repeat=graph.classes) if sum(x) <= MOST_JOBS]
    index = {x: k for k, x in enumerate(states)}
    transitions = []
    for x in states[1:]:
        for i, rate in enumerate(factor * multiserver.service_rates(graph, x)):
            if x[i]:
                less = index[without(x, i)]
                transitions += [(index[x], less, rate), (less, index[x], rates[i])]
    return states, markov.gth(markov.generator(len(states), *zip(*transitions)))


def margins(graph, rates, fraction=0.5):
    """The eta of the appendix."""
    spare = {A: (graph.service_rate(A) - rates[list(A)].sum()) / len(A) for A in sets(graph)}
    return np.array([rate + fraction * min(spare[A] for A in spare if i in A) for i, rate in enumerate(rates)])
