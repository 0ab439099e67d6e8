"""What the library answers on the models of `balanced`, held against witnesses that read what was given, and no more.

A function asks all about one model, of random systems that have much at once: unequal capacities and rates, shared
servers, equal classes, a server that nobody may use. It gives pairs, of what was found and what was expected, and
estimates relative to what was expected. `answers` has all of them.
"""

import functools
import itertools
import math

import numpy as np
import scipy.sparse as sp

from clustershare import interruptions, multiserver, sizes
from clustershare.arguments import UnstableError
from clustershare.multiserver.chain import ordered_chain
from clustershare.multiserver.graph import loads_of_sets, merged
from clustershare.results import NoExactAnswer
from compendium.press.clauses import cases, everywhere, measured
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


# The graph and the queue in order.


def of_graph(given, rates):
    """Capacities of sets, what they bring, and which of them are overloaded."""
    graph, kinds = given.graph, list(dict.fromkeys(tuple(sorted(own)) for own in given.servers_of_class))
    kind_of = [kinds.index(tuple(sorted(own))) for own in given.servers_of_class]
    brought, served = (
        np.bincount(kind_of, rates),
        Given(kinds, given.capacities).service_rates_of_subsets(range(len(kinds))),
    )
    work = np.array([sum(brought[i] for i in range(len(kinds)) if A >> i & 1) for A in range(1, 1 << len(kinds))])
    load, most = (work / served[1:]).max(), 1 + (work / served[1:]).argmax()
    worst = tuple(i for i, kind in enumerate(kind_of) if most >> kind & 1)
    order, (small, new_class) = list(range(given.classes))[::-1], merged(graph)
    stable = [multiserver.is_stable(graph, up * rates / load) for up in (0.0, 0.1, 0.999, 1.0, 1.001, 5.0)]
    over, law, short = 1.001 * rates / load / 2, sizes.Exponential(2.0), {"jumps": 10, "warmup": 0, "replications": 2}
    named = [
        refused(multiserver.balanced_fairness, graph, rates / load),
        refused(multiserver.balanced_fairness, graph, over, law),
        *(refused(module.exact, graph, over, law, 1) for module in (multiserver, interruptions)),
        *(
            refused(simulate, graph, over, law, 1, **short)
            for simulate in (
                multiserver.simulate, interruptions.simulate, multiserver.simulate_beside_balanced_fairness,
            )
        ),
    ]  # fmt: skip
    return {
        "mu of a set": tuple([one.service_rate(A) for A in [(), *sets(given)]] for one in (graph, given)),
        "mu of all sets": (graph.service_rates_of_subsets(order), given.service_rates_of_subsets(order)),
        "what sets bring": (loads_of_sets(graph, rates), [work, served[1:]]),
        "a merged graph": ([new_class, small.service_rates_of_subsets(range(len(kinds)))], [kind_of, served]),
        "numbers of classes and servers": ([graph.classes, graph.servers], [given.classes, given.servers]),
        "stability": (stable, [True, True, True, False, False, False]),
        "the overloaded classes": ([own == worst for own in named], [True] * len(named)),
    }  # fmt: skip


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
    return {
        "rates in line": ([multiserver.state_rates(graph, line) for line in queues], work),
        "the measure": (measures, [*law, 0.0, part[last] / given.service_rate([last])]),
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


def of_balanced_fairness(given, rates):
    """All that answers for exponential sizes, or by balanced fairness."""
    graph, law, m = given.graph, sizes.Exponential(1.7), 2.5
    expected, often = fair(given, rates, 1.7), np.full(given.classes, m)
    part = rates * (np.arange(given.classes) != 0)
    answers = [module.exact(graph, rates / 1.7, law, m) for module in (multiserver, interruptions)]
    answers.append(interruptions.exact(graph, rates / 1.7, law, 0, "quantum"))
    found = multiserver.balanced_fairness
    return {
        "balanced fairness": (said(found(graph, rates), PERFORMANCE), fair(given, rates)),
        "balanced fairness of a law": (said(found(graph, rates / 1.7, sizes.Gamma(1.7, 0.5)), PERFORMANCE), expected),
        "balanced fairness without a class": (said(found(graph, part), PERFORMANCE), fair(given, part)),
        "exact answers": (
            [value for answer in answers for value in said(answer)],
            [*expected, often, *expected, often, *expected, 0 * often],
        ),
        "what has no exact answer": (
            [
                refused(multiserver.exact, multiserver.RandomAssignment(3, 2), 0.1, law_of(HYPER), 1) is None,
                refused(interruptions.exact, graph, rates / 1.7, law, 1, "quantum") is None,
                refused(multiserver.exact, graph, rates / 1.7, law, 1, arrivals=sizes.Deterministic(1.0)) is None,
                refused(multiserver.exact, graph, rates / 1.7, sizes.Deterministic(1.7), 1) is None,
            ],
            [False] * 4,
        ),
    }


def of_three_servers(capacities, rates):
    """(10) and (11), also where a server has no capacity."""
    kept = [s for s, capacity in enumerate(capacities) if capacity > 0]
    given = Given(
        [[kept.index(s) for s in own if s in kept] for own in ((0, 2), (1, 2))], [capacities[s] for s in kept]
    )
    found = multiserver.three_server_service_rates
    over = [1.01 * given.service_rate([i]) * np.eye(2)[i] for i in (0, 1)]  # of one class, or of both together
    over.append(rates * 1.01 / max(np.sum(rates[list(A)]) / given.service_rate(A) for A in sets(given)))
    return {
        "rates of three servers": (found(capacities, rates), fair(given, rates)[1]),
        "three servers that are overloaded": ([bool(refused(found, capacities, each)) for each in over], [True] * 3),
    }


def of_random_assignment(S, d, load, most=600):
    """Servers drawn at random: by all classes if these are few; total rates by lines, and the mean number by them."""
    graph, rate, few = multiserver.RandomAssignment(S, d), load * S / 1.6, list(itertools.combinations(range(S), d))
    expected, law = fair_drawn(S, d, load), sizes.Exponential(1.6)
    total = multiserver.total_rates(graph, most)
    weights = np.cumprod(np.concatenate([[1.0], S * load / total[1:]])) / 1.0
    weights /= weights.sum()
    exact = [module.exact(graph, rate, law, 3) for module in (multiserver, interruptions)]
    overloaded = [refused(multiserver.random_assignment, S, d, up) == tuple(range(S)) for up in (1.0, 1.5)]
    found = {
        "a random assignment": (said(multiserver.random_assignment(S, d, load), PERFORMANCE), expected),
        "the number of jobs by total rates": ([weights @ np.arange(most + 1), weights[0]], [expected[0], expected[3]]),
        "exact answers of an assignment": (
            [
                said(multiserver.balanced_fairness(graph, rate, sizes.Deterministic(1.6)), PERFORMANCE),
                *map(said, exact),
            ],
            [fair_drawn(S, d, load, 1.6), *[[*fair_drawn(S, d, load, 1.6), 3]] * 2],
        ),
        "an overloaded assignment": (overloaded, [True, True]),
    }
    if len(few) < 8:
        alike, jobs = Given(few, [1.0] * S), np.full(len(few), S * load / len(few))
        classes, short = fair(alike, jobs), lines(len(few), 4)
        mass = np.add.reduceat(measure(short, alike, np.full(len(few), 1 / len(few))), short.first[:-1])
        of_all = [classes[0].sum(), classes[1][0], classes[2][0], classes[3]]
        found["an assignment and all its classes"] = (of_all, expected)
        found["total rates"] = (total[:5], [0.0, *mass[:-1] / mass[1:]])
    return found


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


def cut_law(given, work, most):
    """The law (3) of at most so many jobs: the numbers, and their probabilities."""
    phi = balance(given, most)
    weights = np.array([value * math.prod(work**x) for x, value in phi.items()])
    return np.array(list(phi)), weights / weights.sum()


def of_chains(given, rates, components, m, most):
    """The chain's performance, its generator state by state, and the distance from cut balanced fairness."""
    chain, law, graph = Chain(given, rates, components, m, most), law_of(components), given.graph
    found = multiserver.interrupted_queue(graph, rates, law, m, most)
    states, Q, served = ordered_chain(graph, rates, law, m, most)
    codes = [[i * len(chain.kinds) + chain.kinds.index((mean, k)) for i, mean, k in line] for line in states]
    place = np.concatenate([chain.short.numbers(np.array([code], dtype=int)) for code in codes])
    x, cut = cut_law(given, rates * chain.sigma, most)
    distance = multiserver.distance_from_balanced_fairness(graph, rates, law, m, most)
    overloaded = bool(refused(multiserver.balanced_fairness, graph, rates, law))
    exact = (
        found if overloaded or components == EXPONENTIAL else multiserver.exact(graph, rates, law, m, most_jobs=most)
    )
    return {
        "performance by a chain": ([*said(found), found.probability_full], [*chain.found, chain.full]),
        "the exact answer by a chain": (said(exact), said(found)),
        "its error where there is no mean": (math.isinf(found.error), overloaded),
        "states": (len(set(place.tolist())), chain.short.first[-1] if m else len(states)),  # else some do not occur
        "rates of a chain": (Q.toarray(), chain.Q[place][:, place].toarray()),
        "service in a chain": (served, class_rates(chain.short, given, chain.of)[place]),
        "the distance from balanced fairness": (1 + distance, 1 + np.abs(chain.jobs / (cut @ x) - 1).max()),
    }


def of_long_chain(given, rates, m, most):
    """A chain that is iterated, of exponential sizes, whose law of the numbers is (3), cut."""
    x, law = cut_law(given, 1.6 * rates, most)
    full = law[x.sum(axis=1) == most].sum()
    found, delay = (
        multiserver.interrupted_queue(given.graph, rates, sizes.Exponential(1.6), m, most),
        law @ x / rates / (1 - full),
    )
    expected = [law @ x, 1.6 / delay, delay, law[0], m + 0 * rates, full]
    return {"a long chain": ([*said(found), found.probability_full], expected)}  # fmt: skip


def of_error(load, components, m, most):
    """What the cut changes on one server: the error of a chain, and what first come, first served has without it."""
    (mean, squared), given = moments(components), Given([[0]], [1.3])
    whole = load + load**2 * squared / mean**2 / (2 * (1 - load))
    found = multiserver.interrupted_queue(given.graph, np.array([load * 1.3 / mean]), law_of(components), m, most)
    return {"the error of a chain": (found.error, whole / found.mean_jobs[0] - 1)}


def of_chosen_length(given, rates, components, m):
    """The exact answer where no length is given: of the shortest queue that is long enough, as a longer one tells."""
    law = law_of(components)
    found = multiserver.exact(given.graph, rates, law, m)
    errors = [multiserver.interrupted_queue(given.graph, rates, law, m, most).error for most in range(1, 6)]
    chosen = 1 + next(k for k, error in enumerate(errors) if error <= 1e-3)
    chain, longer = (Chain(given, rates, components, m, most) for most in (chosen, chosen + 1))
    ratio = found.error / np.abs(longer.jobs / chain.jobs - 1).max()
    return {
        "an answer of a chosen length": (said(found), chain.found),
        "its error, that of this length": (found.error, errors[chosen - 1]),
        "whether it is what the next job changes": (0.9 < ratio < 6, True),  # and it may be larger
    }


# Many interruptions, and one server.


def of_first_order(given, rates, components, most):
    """The coefficients of 1/m: m times the difference at three large m, extrapolated; also of two equal classes."""
    law, large = law_of(components), (200, 400, 800)
    x, cut = cut_law(given, rates * law.mean, most)
    cut = cut @ x
    one, two, three = (m * (Chain(given, rates, components, m, most).jobs - cut) for m in large)
    limit = (4 * (2 * three - two) - (2 * two - one)) / 3
    parts = np.array([0.3, *np.ones(given.classes - 1), 0.7])
    twice = multiserver.CompatibilityGraph([given.servers_of_class[-1], *given.servers_of_class], given.capacities)
    split, cut_split = (parts * [value[-1], *value] for value in (limit, cut))
    names, found = ("mean_jobs", "distance", "fair_jobs"), multiserver.first_order_distance
    return {
        "the first order": (said(found(given.graph, rates, law, most), names), [limit, limit / cut, cut]),
        "the first order of equal classes": (
            said(found(twice, parts * [rates[-1], *rates], law, most), names), [split, split / cut_split, cut_split]
        ),
    }  # fmt: skip


def of_one_server(load, components, most):
    """The distance on one server: of a long queue, and in heavy traffic; and the limit of many tasks."""
    law, (mean, squared), graph = law_of(components), moments(components), multiserver.CompatibilityGraph([[0]], [1.3])
    found, variation = multiserver.one_server_distance, squared / mean**2 - 1
    whole, short = (multiserver.first_order_distance(graph, [load * 1.3 / mean], law, n) for n in (most, 5))
    ratio, exp = short.error / abs(short.distance[0] - found(load, law)), (math.exp(load) - 1) / load
    stay = mean * exp + squared / mean / (1 - load) * (math.exp(load) - exp)
    return {
        "the distance on one server": (found(load, law), whole.distance[0]),
        "the distance in heavy traffic": (found(1 - 1e-7, law), (variation - 1) / (variation + 1)),
        "whether its error is what the cut changes": (0.3 < ratio < 3, True),
        "many tasks": (interruptions.many_tasks(load, law), load / mean * stay),
    }


def one_line(given, rates):
    """Three laws, and first come, first served by all servers together: Pollaczek and Khinchine's formula."""
    laws = [sizes.Deterministic(0.9), sizes.Gamma(1.5, 0.5), sizes.Empirical([0.5, 0.5, 2.0])]
    mean, squared, capacity = np.array([0.9, 1.5, 1.0]), np.array([0.81, 6.75, 1.5]), sum(given.capacities)
    load = rates @ mean / capacity
    delay = rates @ squared / capacity**2 / (2 * (1 - load)) + mean / capacity
    return laws, [rates * delay, mean / delay, delay, 1 - load, 0 * rates]


def of_one_line(given, rates):
    """The exact answers for one line, of classes and of servers that are all drawn."""
    laws, expected = one_line(given, rates)
    delay = 0.7 * 0.5 * 3 / 2 / 0.3 + 0.5  # load, mean time, one and squared variation; service
    drawn = multiserver.exact(multiserver.RandomAssignment(3, 3), 1.4, laws[1], 0)
    return {
        "sizes of classes": (said(multiserver.exact(given.graph, rates, laws, 0)), expected),
        "sizes of classes, without interruptions": (said(interruptions.exact(given.graph, rates, laws, 0)), expected),
        "all servers drawn": (said(drawn), [1.4 * delay, 1.5 / delay, delay, 0.3, 0.0]),
    }


# The log of events.


def replay(given, present, work, quanta):
    """The events of jobs that are there at the beginning, of known work and quanta: time; kind, job, queue."""
    queue, now, times, found = list(range(len(present))), 0.0, [], []
    left, slices = list(work), list(quanta)
    while queue:
        at = at_work(given, np.array([[present[job] for job in queue]]))[0] @ np.array(given.capacities)
        served = [(min(left[job], slices[job]) / rate, job, rate) for job, rate in zip(queue, at) if rate > 0]
        step, first, _ = min(served)
        now += step
        for _, job, rate in served:
            left[job] -= rate * step
            slices[job] -= rate * step
        queue.remove(first)
        kind = "interruption" if left[first] > ROUNDING else "departure"
        if kind == "interruption":
            slices[first] = quanta[first]
            queue.append(first)
        times.append(now)
        found.append((kind, first, tuple((job, present[job]) for job in queue)))
    return times, found


def at_servers(given, queue):
    """The job that each server is at."""
    at = at_work(given, np.array([[i for _, i in queue]], dtype=int))[0]
    return [next((queue[k][0] for k in range(len(queue)) if at[k, s]), None) for s in range(given.servers)]


def legal(before, event, after, at):
    """Whether an event may happen: who comes or is interrupted goes to the end; who is served may leave."""
    others = tuple(entry for entry in before if entry[0] != event.job)
    if event.kind == "arrival":
        return others == before == after[:-1] and after[-1][0] == event.job
    own = tuple(entry for entry in before if entry[0] == event.job)
    return len(own) == 1 and event.job in at and after == others + (own if event.kind == "interruption" else ())


def of_events(given, work):
    """Logs of jobs of constant sizes, by both rules that leave nothing to chance; and logs with arrivals."""
    graph, last = given.graph, given.classes - 1
    present = [*np.random.default_rng(3).integers(given.classes, size=6).tolist(), *range(given.classes)]
    rates, laws = 1e-9 * (1 + np.arange(given.classes)), [sizes.Deterministic(own) for own in work]
    own, mean, found = [work[i] for i in present], rates @ work / rates.sum(), {}
    for rule, m, quanta in (("quantum", 2.3, [mean / 2.3] * len(own)), ("tasks", 2, [each / 3 for each in own])):
        times, told = replay(given, present, own, quanta)
        log = interruptions.trace(graph, rates, laws, m, present, len(told), seed=1, rule=rule)
        found[f"times by {rule}"] = [event.time for event in log], times
        found[f"events by {rule}"] = [(event.kind, event.job, event.queue) for event in log] == told, True
    call = graph, np.full(given.classes, 0.3), sizes.Exponential(9.0), 9, present
    log = interruptions.trace(*call, 200, seed=7)
    queues = [tuple(enumerate(present)), *(event.queue for event in log)]
    at, steps = [at_servers(given, queue) for queue in queues], [("interruption", present[0]), ("arrival", last)]
    seed, begun = interruptions.trace_with_steps(*call, steps)
    logs = [interruptions.trace(*call, 3, seed=number) for number in range(seed + 1)]
    begin = [[(event.kind, dict(event.queue).get(event.job)) for event in each[:2]] for each in logs]
    return {
        **found,
        "the events of a log": (all(map(legal, queues, log, queues[1:], at)), True),
        "what servers are at": ([interruptions.served(graph, queue) for queue in queues] == at, True),
        "the first seed of some steps": (begin.index(steps) if steps in begin else -1, seed),
        "its log": (begun == logs[-1], True),
    }


# Simulators.


def estimates(result, expected, names=QUANTITIES):
    """Simulated quantities less what is expected, relative to it."""
    value, half = (
        [np.atleast_1d(getattr(one, part)) for one in said(result, names)] for part in ("value", "half_width")
    )
    right = np.concatenate([np.broadcast_to(one, own.shape) for one, own in zip(expected, value, strict=True)])
    value, half = np.concatenate(value) / right - 1, np.concatenate(half) / right
    return measured(value, half, runs=10, quantity=range(len(right)))


def run(events):
    """Ten replications."""
    return {"jumps": events, "warmup": events // 20, "seed": 2}


def uncut(given, rates, components, m, most):
    """Performance of the queue that is not cut: of three lengths, continued as a geometric sequence."""
    found = [Chain(given, rates, components, m, length, dense=False) for length in (most - 2, most - 1, most)]
    one, two, three = (np.array([*chain.jobs, chain.empty]) for chain in found)
    *jobs, empty = three - (three - two) ** 2 / (three - 2 * two + one)
    return [np.array(jobs), rates * found[0].sigma / jobs, jobs / rates, empty, np.full(given.classes, m)]


def of_simulators(given, rates, most=6):
    """Every simulator of a graph: few servers, any graph (each server in two halves), in real time, and beside."""
    law, m, graph = law_of(HYPER), 1.3, given.graph
    light, heavy, one = 0.4 * rates / law.mean, rates / 1.7, sizes.Exponential(1.7)
    expected, exponential = uncut(given, light, HYPER, m, most), [*fair(given, rates, 1.7), np.full(given.classes, m)]
    twice = [[2 * s + half for s in own for half in (0, 1)] for own in given.servers_of_class]
    halves = multiserver.CompatibilityGraph(twice, np.repeat(given.capacities, 2) / 2)
    beside = multiserver.simulate_beside_balanced_fairness(graph, light, law, m, **run(20_000))
    few = multiserver.simulate(graph, light, law, m, **run(60_000))
    plain = interruptions.simulate(graph, light, law, m, **run(30_000))
    alike = fair(given, light * law.mean)[0]
    found = {
        "few servers": estimates(few, expected),
        "delays and rates of mean numbers": by_numbers(few, light, law.mean),
        "delays and rates of mean numbers in real time": by_numbers(plain, light, law.mean),
        "any graph": estimates(multiserver.simulate(halves, light, law, m, **run(60_000)), expected),
        "real time": estimates(plain, expected),
        "few servers at exponential sizes": estimates(
            multiserver.simulate(graph, heavy, one, m, **run(60_000)), exponential
        ),
        "real time at exponential sizes": estimates(
            interruptions.simulate(graph, heavy, one, m, **run(30_000)), exponential
        ),
        "beside balanced fairness": estimates(
            beside, (expected[0], expected[2], expected[0], alike, m),
            ("mean_jobs", "mean_delay", "plain_jobs", "companion_jobs", "interruptions_per_job"),
        ),
    }  # fmt: skip
    return found | of_companion(beside, light, alike)


def by_numbers(result, rates, mean):
    """Simulated delays and service rates with their intervals, which are those of the mean numbers, by (9)."""
    jobs, wide = result.mean_jobs.value, result.mean_jobs.half_width
    found = [(one.value, one.half_width) for one in (result.mean_delay, result.mean_service_rate)]
    return [*found[0], *found[1]], [jobs / rates, wide / rates, rates * mean / jobs, rates * mean / jobs**2 * wide]


def of_companion(beside, rates, alike):
    """What is exact in a run with a companion."""
    jobs = beside.mean_jobs.value
    return {
        "exact numbers of a companion": (beside.fair_jobs, alike),
        "delays beside a companion": (beside.mean_delay.value, jobs / rates),
        "distances": (1 + beside.distance.value, jobs / alike),
        "intervals beside a companion": (
            [beside.distance.half_width, beside.mean_delay.half_width],
            [beside.mean_jobs.half_width / alike, beside.mean_jobs.half_width / rates],
        ),
        "the distance of all": (1 + beside.total_distance.value, jobs.sum() / np.sum(alike)),
    }


def of_drawn(S, d, load):
    """The simulators of servers drawn at random, in phases, in real time, and beside processor sharing."""
    law, one, m, graph = law_of(HYPER), sizes.Exponential(1.7), 1.3, multiserver.RandomAssignment(S, d)
    rate, expected, alike = load * S / law.mean, [*fair_drawn(S, d, load, 1.7), m], fair_drawn(S, d, load)[0]
    beside = multiserver.simulate_assignment_beside_processor_sharing(graph, rate, law, m, **run(20_000))
    quick, plain = (
        module.simulate(graph, rate, law, m, **run(events))
        for module, events in ((multiserver, 60_000), (interruptions, 30_000))
    )
    pairs = [(one.mean_jobs, beside.mean_jobs[0]) for one in (quick, plain)]
    gaps = [(one.value - other.value, math.hypot(one.half_width, other.half_width)) for one, other in pairs]
    value, half = np.array(gaps).T / beside.mean_jobs.value
    return {
        "an assignment": estimates(multiserver.simulate(graph, load * S / 1.7, one, m, **run(60_000)), expected),
        "an assignment in real time": estimates(
            interruptions.simulate(graph, load * S / 1.7, one, m, **run(20_000)), expected
        ),
        "beside processor sharing": estimates(beside, (alike, m), ("companion_jobs", "interruptions_per_job")),
        "an assignment alone less one beside": measured(value, half, runs=10, quantity=range(2)),
        **of_companion(beside, rate, np.array([alike])),
    }


def of_rules(given, rates):
    """Simulators where sizes have no phases, differ between classes, or are interrupted by other rules."""
    (laws, expected), capacity, m, size = one_line(given, rates), sum(given.capacities), 1.5, sizes.Exponential(1.7)
    often = 1 / (math.exp(1 / m) - 1)  # quanta that an exponential size outlasts
    fast = rates / rates.sum() * 0.6 * capacity / 1.7
    jobs = 1.5 * rates / rates.sum()
    alone = [jobs, fast * 1.7 / jobs, jobs / fast, 0.4, often]
    return {
        "sizes of classes in one line": estimates(
            multiserver.simulate(given.graph, rates, laws, 0, **run(20_000)), expected[:4], PERFORMANCE
        ),
        "quanta": estimates(interruptions.simulate(given.graph, fast, size, m, "quantum", **run(20_000)), alone),
        "tasks": estimates(
            interruptions.simulate(given.graph, rates, laws, 2, "tasks", **run(20_000)), (2,), QUANTITIES[4:]
        ),
    }


# All of it.


def held(noun, systems, function, bound=ROUNDING):
    """The clauses of a function of pairs and estimates."""

    def gaps(*system):
        return {what: near(*pair) if isinstance(pair, tuple) else pair for what, pair in function(*system).items()}

    found = cases(noun, systems).measure(gaps)
    return [everywhere(what, gap, agrees() if gap.asked else equal(bound)) for what, gap in found.items()]


def answers():
    """All that the library answers on these models, held against witnesses: clauses, all of which are to hold."""
    one, two, three = systems(0.6, 0.7, 0.9, seed=3)
    small, busy = (systems(load, seed=seed, shapes=SHAPES[1:2]) for load, seed in ((0.03, 5), (0.8, 4)))
    scaled = {name: [(given, rates / moments(name)[0]) for given, rates in (one, two, three)] for name in LAWS}
    over, line = (three[0], 1.4 * three[1]), (Given(((0, 1), (1, 0), (0, 1)), (0.8, 1.9)), np.array([0.3, 0.6, 0.5]))
    chains = [
        (*scaled[HYPER][1], HYPER, 1.3, 4), (*scaled[ERLANGS][1], ERLANGS, 0, 3), (*over, EXPONENTIAL, 0.4, 4),
        (*scaled[BOTH][0], BOTH, 0.4, 5),
    ]  # fmt: skip
    capacities = [
        ((0.5, 1.5, 1.2), np.array([0.9, 0.8])), ((1.5, 0.0, 1.2), np.array([0.9, 0.4])),
        ((0.0, 1.0, 1.2), np.array([0.0, 0.4])),
    ]  # fmt: skip
    return (
        *held("graph", systems(0.4, 0.7, 0.9, 0.96, seed=11), of_graph),
        *held("line", systems(0.4, 0.7, 0.9, 0.96, seed=12), in_order),
        *held("system", systems(0.4, 0.7, 0.9, 0.96, seed=13), of_balanced_fairness),
        *held("numbers of jobs", [(two[0], (1000, 400))], of_many_jobs),
        *held("capacities", capacities, of_three_servers),
        *held("assignment", [(4, 2, 0.8), (4, 3, 0.3), (3, 1, 0.6)], of_random_assignment),
        *held("large assignment", [(100, 2, 0.7), (40, 3, 0.9)], of_random_assignment),
        *held("chain", chains, of_chains),
        *held("chain", [(*three, 0.4, 7)], of_long_chain),
        *held("cut", [*((0.6, name, 0, 5) for name in LAWS), (0.8, EXPONENTIAL, 2, 5)], of_error),
        *held("chain", [(*small[0], HYPER, m) for m in (0, 1)], of_chosen_length),
        *held("system", [(*scaled[HYPER][1], HYPER, 4), (*scaled[BOTH][1], BOTH, 3)], of_first_order, 1e-5),
        *held("law", [(0.5, HYPER, 36), (0.15, ERLANGS, 12), (0.15, BOTH, 12)], of_one_server, 1e-6),
        *held("line", [line], of_one_line),
        *held("log", [(two[0], [0.7, 1.9]), (three[0], [0.7, 1.9, 1.2])], of_events),
        *held("system", busy, of_simulators),
        *held("assignment", [(5, 2, 0.7)], of_drawn),
        *held("line", [line], of_rules),
    )
