"""What several of these rooms use."""

import functools
import math

import numpy as np
import scipy.sparse as sp

from clustershare import multiserver, sizes
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from compendium.press.clauses import cases, everywhere
from compendium.press.clauses.conditions import agrees, equal
from pages.agreement import gap, stationary
from pages.balanced_fairness.systems import numbers, sets, without
from pages.balanced_fairness.witnesses.lines import INTERRUPTED, at_work, class_rates, lines, measure, moves
from pages.balanced_fairness.witnesses.numbers import growth

ROUNDING = 1e-9
SHAPES = (((0, 1),), ((2, 0), (1, 2)), ((0, 1), (1, 2, 3), (3,)), ((0,), (2, 1), (0,), (1, 0)))  # servers of classes
HYPER, ERLANGS = ((1, 2.0, 0.375), (1, 0.4, 0.625)), ((3, 0.5, 0.4), (1, 0.5, 0.6))  # phases, their mean, probability
BOTH, EXPONENTIAL = ((2, 0.3, 0.7), (1, 2.5, 0.3)), ((1, 1.6, 1.0),)
LAWS = HYPER, ERLANGS, BOTH, EXPONENTIAL
PERFORMANCE = "mean_jobs", "mean_service_rate", "mean_delay", "probability_empty"
QUANTITIES = *PERFORMANCE, "interruptions_per_job"


class Given:
    """A cluster as it is given, with what the witnesses of this chapter read of a graph."""

    def __init__(self, servers_of_class, capacities):
        self.servers_of_class, self.capacities = servers_of_class, list(capacities)
        self.classes, self.servers = len(servers_of_class), len(self.capacities)
        self.graph = multiserver.CompatibilityGraph(servers_of_class, self.capacities)

    def service_rate(self, A):
        """The capacity of the servers of some classes."""
        return sum(self.capacities[s] for s in {s for i in A for s in self.servers_of_class[i]})

    def service_rates_of_subsets(self, classes):
        """The same of every set of them, as bits."""
        chosen = [[i for k, i in enumerate(classes) if A >> k & 1] for A in range(1 << len(classes))]
        return np.array([self.service_rate(A) for A in chosen])


def systems(*loads, seed, shapes=SHAPES):
    """A cluster of each shape, with arrival rates under which the most loaded set of classes has such a load."""
    rng, found = np.random.default_rng(seed), []
    for shape, load in zip(shapes, loads):
        idle = len(shape) > 3
        given = Given(shape, rng.uniform(0.3, 2.5, 1 + max(map(max, shape)) + idle))
        rates = rng.uniform(0.2, 1, len(shape))
        found.append((given, load * rates / max(rates[list(A)].sum() / given.service_rate(A) for A in sets(given))))
    return found


def near(found, expected):
    """The largest difference, relative throughout; of lists of arrays, of any of them."""
    if isinstance(expected, (tuple, list)) and any(map(np.ndim, expected)):
        return max(map(near, found, expected)) if len(found) == len(expected) else math.inf
    return gap(found, expected, least=0)


def said(result, names=QUANTITIES):
    """Some quantities of an answer."""
    return [getattr(result, name) for name in names]


def refused(call, *arguments, **more):
    """The classes that a function names as overloaded; that it has no exact answer; None if it answers."""
    try:
        call(*arguments, **more)
    except UnstableError as error:
        return tuple(error.overloaded)
    except NoExactAnswer:
        return "no exact answer"
    return None


def balance(given, most):
    """Phi of (4) for all numbers of at most so many jobs."""
    phi = {}
    for x in numbers(given.classes, most):
        before = [phi[without(x, i)] for i, n in enumerate(x) if n]
        phi[x] = sum(before) / given.service_rate([i for i, n in enumerate(x) if n]) if before else 1.0
    return phi


def in_order(given, rates):
    """Rates and measure of lines of jobs, and sums over their orders, by (1), (2), (4), (7), (8)."""
    short, graph = lines(given.classes, 5 - given.classes // 2), given.graph
    queues = [line for jobs in short.jobs for line in jobs.tolist()]
    work = [own for jobs in short.jobs for own in at_work(given, jobs) @ np.array(given.capacities)]
    law, counts, served = measure(short, given, rates), short.counts(), class_rates(short, given)
    phi, last = balance(given, short.most), given.classes - 1
    here = {x: (counts == x).all(axis=1) for x in phi}
    mass = {x: law[own].sum() for x, own in here.items()}
    fair = [[phi[without(x, i)] / phi[x] if n else 0.0 for i, n in enumerate(x)] for x in phi]
    part, ask = rates * (np.arange(given.classes) != 0), functools.partial(multiserver.balance_function, graph)
    measures = [multiserver.stationary_measure(graph, rates, line) for line in queues]
    measures += [multiserver.stationary_measure(graph, part, line) for line in ([0], [last])]
    long, heavy = [0] * 12 + list(range(given.classes)) * 2, 9 * rates  # an overload, in which (1) is a measure too
    grown = np.array([0.0] + [given.service_rate(set(long[: k + 1])) for k in range(len(long))])
    return {
        "rates in line": ([multiserver.state_rates(graph, line) for line in (*queues, long)], [*work, np.diff(grown)]),
        "the measure": (measures, [*law, 0.0, part[last] / given.service_rate([last])]),
        "the measure in an overload": (
            [multiserver.stationary_measure(graph, heavy, line) for line in (*queues, long)],
            [*(law * 9.0 ** counts.sum(axis=1)), np.prod(heavy[long] / grown[1:])],
        ),
        "sums over all orders": (
            [value for x in phi for value in multiserver.over_all_orders(graph, rates, x)],
            [value for x, own in here.items() for value in (mass[x], law[own] @ served[own] / mass[x])],
        ),
        "the balance function": ([ask(x) for x in phi], list(phi.values())),
        "its logarithm": ([ask(x, logarithm=True) for x in phi], np.log(list(phi.values()))),
        "rates by numbers": ([multiserver.service_rates(graph, x) for x in phi], fair),
    }


def of_many_jobs(given, x):
    """The logarithm of Phi, and the rates, where Phi is no float: by layers of so many jobs of two classes."""
    first, second, both = np.log([given.service_rate(A) for A in ((0,), (1,), (0, 1))])
    layer = np.zeros(1)
    for n in range(1, sum(x) + 1):  # by the jobs of the first class
        before = np.concatenate([[-np.inf], layer, [-np.inf]])
        layer = np.logaddexp(before[:-1], before[1:]) - np.concatenate([[second], np.full(n - 1, both), [first]])
    expected = layer[x[0]]
    return {
        "the balance function of many jobs": (multiserver.balance_function(given.graph, x, logarithm=True), expected),
        "rates of many jobs": (multiserver.service_rates(given.graph, x), np.exp(before[x[0] : x[0] + 2] - expected)),
    }


# Balanced fairness.


def fair(given, rates, sigma=1.0):
    """Mean numbers, rates, delays, and the probability of nobody, by the mass of all lines; `rates` are of work."""
    beyond = np.linalg.inv(np.eye(1 << given.classes) - growth(given, rates))
    delays = [(beyond @ growth(given, own) @ beyond)[:, 0].sum() for own in np.eye(given.classes)]
    delays = np.array(delays) / beyond[:, 0].sum()
    return [rates * delays, 1 / delays, sigma * delays, 1 / beyond[:, 0].sum()]


def fair_drawn(S, d, load, sigma=1.0):
    """The same of servers drawn at random and all jobs together: the formula of Gardner et al. in whole numbers."""
    shares = [math.comb(i - 1, d - 1) / math.comb(S - 1, d - 1) for i in range(d, S + 1)]
    delay = sum(share / (S * (1 - load * share)) for share in shares)
    return [S * load * delay, 1 / delay, sigma * delay, math.prod(1 - load * share for share in shares)]


# The chain of the algorithm.


def law_of(components):
    """A law of the library from phases, their means and probabilities."""
    counts, means, weights = zip(*components)
    return sizes.HyperErlang(means, counts, weights)


def moments(components):
    """Mean and second moment."""
    mean = sum(count * one * weight for count, one, weight in components)
    return mean, sum(weight * one**2 * count * (count + 1) for count, one, weight in components)


class Chain:
    """The chain of the line as `lines` know it, for a mixture of Erlangs; its law to all digits if `dense`."""

    def __init__(self, given, rates, components, m, most, dense=True):
        self.sigma = moments(components)[0]
        left = {mean: max(count for count, other, _ in components if other == mean) for _, mean, _ in components}
        self.kinds = [(mean, k) for mean, longest in left.items() for k in range(1, longest + 1)]
        start, goes_on = np.zeros(len(self.kinds)), np.zeros((len(self.kinds),) * 2)
        for count, mean, weight in components:
            start[self.kinds.index((mean, count))] += weight
        for u, (mean, k) in enumerate(self.kinds):
            if k > 1:
                goes_on[u, self.kinds.index((mean, k - 1))] = 1.0
        self.of = np.repeat(np.arange(given.classes), len(self.kinds))
        self.short = lines(len(self.of), most)
        sources, targets, speeds, event, of_class = moves(
            self.short, given, np.kron(rates, start), of=self.of,
            pace=np.tile([1 / mean for mean, _ in self.kinds], given.classes),
            goes_on=np.kron(np.eye(given.classes), goes_on),
            timers=np.array(given.capacities) * m / self.sigma if m else None,
        )  # fmt: skip
        size, counts = self.short.first[-1], self.short.counts(self.of)
        Q = sp.csr_array((speeds, (sources, targets)), shape=(size, size))
        self.Q = sp.csr_array(Q - sp.diags_array(Q.sum(axis=1)))
        law = stationary(self.Q) if dense else _iterated(self.Q)
        self.jobs, self.empty, self.full = law @ counts, law[0], law[counts.sum(axis=1) == most].sum()
        hits, delay = np.where(event == INTERRUPTED, law[sources] * speeds, 0.0), self.jobs / rates / (1 - self.full)
        often = np.bincount(of_class, hits, given.classes) / rates / (1 - self.full)
        self.found = [self.jobs, self.sigma / delay, delay, self.empty, often]


def _iterated(Q, times=400):
    law, step = np.eye(1, Q.shape[0])[0], sp.csr_array(Q.T / -1.02 / Q.diagonal().min())
    for _ in range(times):
        law = law + step @ law
    return law / law.sum()


def one_line(given, rates):
    """Three laws, and first come, first served by all servers together: Pollaczek and Khinchine's formula."""
    laws = [sizes.Deterministic(0.9), sizes.Gamma(1.5, 0.5), sizes.Empirical([0.5, 0.5, 2.0])]
    mean, squared, capacity = np.array([0.9, 1.5, 1.0]), np.array([0.81, 6.75, 1.5]), sum(given.capacities)
    load = rates @ mean / capacity
    delay = rates @ squared / capacity**2 / (2 * (1 - load)) + mean / capacity
    return laws, [rates * delay, mean / delay, delay, 1 - load, 0 * rates]


# All of it.


def held(noun, systems, function, bound=ROUNDING):
    """The clauses of a function of pairs and estimates."""

    def gaps(*system):
        return {what: near(*pair) if isinstance(pair, tuple) else pair for what, pair in function(*system).items()}

    found = cases(noun, systems).measure(gaps)
    return [everywhere(what, gap, agrees() if gap.asked else equal(bound)) for what, gap in found.items()]
