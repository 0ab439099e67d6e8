"""Laws of the numbers of jobs: by chains, over the lattice, and by the mass of the lines."""

import itertools
import math

import numpy as np

from clustershare import markov, multiserver
from clustershare.multiserver import state_rates, stationary_measure
from pages.balanced_fairness.systems import sets, without

MOST_JOBS = 4  # of a random graph's chain


def whittle_law(rates, phi):
    """Law of the Whittle network of a balance function, for the numbers that it is given for, by its chain."""
    states = list(phi)
    index = {x: k for k, x in enumerate(states)}
    transitions = []
    for x in states[1:]:
        for i in np.flatnonzero(x):
            less = without(x, i)
            transitions += [(index[x], index[less], phi[less] / phi[x]), (index[less], index[x], rates[i])]
    return markov.gth(markov.generator(len(states), *zip(*transitions)))


def product_form(rates, phi):
    """The law (3) of a balance function, for the numbers that it is given for."""
    weights = np.array([value * math.prod(np.asarray(rates) ** x) for x, value in phi.items()])
    return weights / weights.sum()


def counts(graph, most=2):
    """The numbers of jobs up to `most` of each class, not all 0."""
    return list(itertools.product(range(most + 1), repeat=graph.classes))[1:]


def orders(x):
    """The queues with x_i jobs of each class."""
    return sorted(set(itertools.permutations([i for i, jobs in enumerate(x) for _ in range(jobs)])))


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


def on_the_lattice(graph, rates, rest=1e-13):
    """The sum of (3) over all numbers of jobs, relative to no job, and the mean numbers, by layers of n jobs.

    A layer is an array over the numbers of all classes but the last; (4) leads from one to the next. It ends where a
    layer, continued as a geometric sequence, adds less than `rest`.
    """
    count = graph.classes
    mu = graph.service_rates_of_subsets(range(count))
    load = max(rates[list(A)].sum() / graph.service_rate(A) for A in sets(graph))
    most = int(np.log(rest * (1 - load)) / np.log(load)) + 2 * count
    axes = np.meshgrid(*[np.arange(most + 1)] * (count - 1), indexing="ij", sparse=True)
    layer, total, jobs = np.zeros((most + 1,) * (count - 1)), 1.0, np.zeros(count)
    layer[(0,) * (count - 1)] = 1.0
    nothing = np.zeros(layer.shape, dtype=int)
    present = nothing + sum((axis > 0).astype(int) << k for k, axis in enumerate(axes))
    others = np.asarray(nothing + sum(axes))
    for n in range(1, most + 1):
        inflow = np.array(rates[-1] * layer)
        for axis in range(count - 1):
            ahead, behind = [slice(None)] * (count - 1), [slice(None)] * (count - 1)
            ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
            inflow[tuple(ahead)] += rates[axis] * layer[tuple(behind)]
        inflow[others > n] = 0.0
        layer = inflow / np.maximum(mu[present + ((others < n) << (count - 1))], mu[1:].min())
        total += layer.sum()
        jobs += [*((axis * layer).sum() for axis in axes), ((n - others) * layer).sum()]
        if n > 2 * count and layer.sum() < rest * (1 - load) * total:
            break
    return total, jobs / total


def growth(graph, rates):
    """From the mass of the lines of n jobs to that of n + 1, by set of classes present: triangular, by (1)."""
    mu = graph.service_rates_of_subsets(range(graph.classes))
    matrix = np.zeros((len(mu), len(mu)))
    for A, i in itertools.product(range(1, len(mu)), range(graph.classes)):
        if A >> i & 1:
            matrix[A, A] += rates[i] / mu[A]
            matrix[A, A ^ (1 << i)] += rates[i] / mu[A]
    return matrix


def mass_falls(graph, rates, most=400):
    """Whether the mass by (1) of the lines of n jobs falls geometrically, seen after so many jobs."""
    matrix, mass, ratio = growth(graph, rates), np.eye(1, 1 << graph.classes)[0], 0.0
    for _ in range(most):
        mass = matrix @ mass
        ratio = mass.sum()  # to the mass before, which is scaled to 1
        mass /= ratio
    return bool(ratio < 1)
