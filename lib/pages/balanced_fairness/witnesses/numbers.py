"""Laws of the numbers of jobs: by chains, over the lattice, and by the mass of the lines."""

import itertools
import math

import numpy as np

from clustershare import markov
from pages.balanced_fairness.systems import sets, without


def ratios(phi):
    """The rates (7) of a function of the numbers of jobs."""
    return {x: np.array([phi[without(x, i)] / phi[x] if n else 0.0 for i, n in enumerate(x)]) for x in phi}


def network_law(arrivals, served):
    """The law of a network, by its chain, from the rates of its queues at all numbers of jobs that it may have."""
    index, transitions = {x: k for k, x in enumerate(served)}, []
    for x, i in itertools.product(served, range(len(arrivals))):
        if x[i]:
            here, less = index[x], index[without(x, i)]
            transitions += [(here, less, served[x][i]), (less, here, arrivals[i])]
    return markov.gth(markov.generator(len(served), *zip(*transitions)))


def product_form(rates, phi):
    """The law (3) of a balance function, for the numbers that it is given for."""
    weights = np.array([value * math.prod(np.asarray(rates) ** x) for x, value in phi.items()])
    return weights / weights.sum()


def fair_jobs(rates, phi):
    """The mean numbers of jobs by (3), for the numbers that a balance function is given for."""
    return product_form(rates, phi) @ np.array(list(phi))


def off_product_form(found, rates, phi):
    """The largest difference of a law of the numbers to the law (3) of a balance function."""
    return max(abs(found[x] - value) for x, value in zip(phi, product_form(rates, phi)))


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


def jobs_in_lines(graph, rates):
    """The mean numbers of jobs in lines of any length: by the slopes of the mass (1) of all lines in the rates."""
    beyond = np.linalg.inv(np.eye(1 << graph.classes) - growth(graph, rates))
    slopes = [(beyond @ growth(graph, own) @ beyond)[:, 0].sum() for own in np.diag(rates)]
    return np.array(slopes) / beyond[:, 0].sum()


def mass_falls(graph, rates, most=400):
    """Whether the mass by (1) of the lines of n jobs falls geometrically, seen after so many jobs."""
    matrix, mass, ratio = growth(graph, rates), np.eye(1, 1 << graph.classes)[0], 0.0
    for _ in range(most):
        mass = matrix @ mass
        ratio = mass.sum()  # to the mass before, which is scaled to 1
        mass /= ratio
    return bool(ratio < 1)
