"""What the library answers on the models of `balanced`, held against witnesses that read what was given, and no more.

Each function asks about one model, at random systems that have much at once: unequal capacities and rates, shared
servers, equal classes, a server that nobody may use. `answers` has all of them.
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
from pages.balanced_fairness.systems import numbers, sets, without
from pages.balanced_fairness.witnesses.lines import INTERRUPTED, at_work, class_rates, lines, measure, moves
from pages.balanced_fairness.witnesses.numbers import growth

ROUNDING = 1e-9
SHAPES = (((0, 1),), ((2, 0), (1, 2)), ((0, 1), (1, 2, 3), (3,)), ((0,), (2, 1), (0,), (1, 0)))  # servers of classes
HYPER, ERLANGS, BOTH = (  # phases, their mean, probability
    ((1, 2.0, 0.375), (1, 0.4, 0.625)), ((3, 0.5, 0.4), (1, 0.5, 0.6)), ((2, 0.3, 0.7), (1, 2.5, 0.3))
)  # fmt: skip
EXPONENTIAL = ((1, 1.6, 1.0),)
LAWS = HYPER, ERLANGS, BOTH, EXPONENTIAL
QUANTITIES = "mean_jobs", "mean_service_rate", "mean_delay", "probability_empty", "interruptions_per_job"


class Given:
    """A cluster as it is given, with what the witnesses of this chapter read of a graph."""

    def __init__(self, servers_of_class, capacities):
        self.servers_of_class, self.capacities = servers_of_class, list(capacities)
        self.classes, self.servers = len(servers_of_class), len(capacities)
        self.graph = multiserver.CompatibilityGraph(servers_of_class, capacities)

    def service_rate(self, A):
        """The capacity of the servers of some classes."""
        return sum(
            capacity for s, capacity in enumerate(self.capacities) if any(s in self.servers_of_class[i] for i in A)
        )

    def service_rates_of_subsets(self, classes):
        """The same of every set of them, as bits."""
        chosen = [[i for k, i in enumerate(classes) if A >> k & 1] for A in range(1 << len(classes))]
        return np.array([self.service_rate(A) for A in chosen])


def near(one, other):
    """The largest difference, relative to what is not 0 of the second; of other shapes, infinite."""
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if one.shape != other.shape:
        return math.inf
    gaps = np.abs(one - other) / np.where(other == 0, 1.0, np.abs(other))
    return float(np.max(np.where(np.isnan(gaps), math.inf, gaps), initial=0.0))


def apart(found, names, expected):
    """The largest gap of some quantities of a result."""
    return max(near(getattr(found, name), value) for name, value in zip(names, expected, strict=True))


@functools.cache
def systems(*loads, seed=11, shapes=SHAPES):
    """A cluster of each shape, with arrival rates under which the most loaded set of classes has such a load."""
    rng, found = np.random.default_rng(seed), []
    for shape, load in zip(shapes, loads):
        idle = len(shape) > 3
        given = Given(shape, rng.uniform(0.3, 2.5, 1 + max(map(max, shape)) + idle))
        rates = rng.uniform(0.2, 1, len(shape))
        found.append((given, load * rates / max(rates[list(A)].sum() / given.service_rate(A) for A in sets(given))))
    return tuple(found)


def refused(call, *arguments, **more):
    """The classes that a function names as overloaded; None if it answers."""
    try:
        call(*arguments, **more)
    except UnstableError as error:
        return tuple(error.overloaded)
    return None


# The graph and the queue in order.


def of_graph(given, rates):
    """Capacities of sets, what they bring, and which of them are overloaded."""
    kinds = list(dict.fromkeys(tuple(sorted(own)) for own in given.servers_of_class))
    kind_of = [kinds.index(tuple(sorted(own))) for own in given.servers_of_class]
    alike, brought = Given(kinds, given.capacities), np.bincount(kind_of, rates)
    served = alike.service_rates_of_subsets(range(len(kinds)))[1:]
    work = np.array([sum(brought[i] for i in range(len(kinds)) if A >> i & 1) for A in range(1, 1 << len(kinds))])
    load, most = (work / served).max(), 1 + (work / served).argmax()
    worst = tuple(i for i, kind in enumerate(kind_of) if most >> kind & 1)
    order = list(range(given.classes))[::-1]
    small, new_class = merged(given.graph)
    stable = [multiserver.is_stable(given.graph, up * rates / load) for up in (0.0, 0.1, 0.999, 1.0, 1.001, 5.0)]
    call = {"jumps": 10, "warmup": 0, "replications": 2}
    over, law = 1.001 * rates / load / 2, sizes.Exponential(2.0)
    named = [
        refused(multiserver.balanced_fairness, given.graph, rates / load),
        refused(multiserver.balanced_fairness, given.graph, over, law), refused(multiserver.exact, given.graph, over, law, 1),
        refused(interruptions.exact, given.graph, over, law, 1), refused(multiserver.simulate, given.graph, over, law, 1, **call),
        refused(interruptions.simulate, given.graph, over, law, 1, **call),
        refused(multiserver.simulate_beside_balanced_fairness, given.graph, over, law, 1, **call),
    ]  # fmt: skip
    return {
        "mu of a set and its servers": max(
            near(given.graph.service_rate(A), given.service_rate(A)) for A in [(), *sets(given)]
        ),
        "mu of all sets and their servers": near(
            given.graph.service_rates_of_subsets(order), given.service_rates_of_subsets(order)
        ),
        "what sets bring and its sum": near(loads_of_sets(given.graph, rates), [work, served]),
        "the classes of a merged graph and those that differ": near(new_class, kind_of),
        "a merged graph and its sets": near(small.service_rates_of_subsets(range(len(kinds)))[1:], served),
        "sizes of the graph and the given ones": near(
            [given.graph.classes, given.graph.servers], [given.classes, given.servers]
        ),
        "stability and the sums": near(stable, [True, True, True, False, False, False]),
        "the overloaded classes and the set loaded most": near([own == worst for own in named], [True] * len(named)),
    }


def in_order(given, rates):
    """Rates and measure of lines of jobs, and sums over their orders, by (1), (2), (4), (7), (8)."""
    short = lines(given.classes, 5 - given.classes // 2)
    graph, law = given.graph, measure(short, given, rates)
    x_of, worst = short.counts(), np.zeros(2)
    served = class_rates(short, given)
    for n, jobs in enumerate(short.jobs):
        work = at_work(given, jobs) @ np.array(given.capacities)
        for k, line in enumerate(jobs.tolist()):
            of_line = near(multiserver.state_rates(graph, line), work[k])
            found = near(multiserver.stationary_measure(graph, rates, line), law[short.first[n] + k])
            worst = np.maximum(worst, [of_line, found])
    phi, gaps = balance(given, short.most), np.zeros(4)
    for x in numbers(given.classes, short.most):
        here = (x_of == x).all(axis=1)
        mass = law[here].sum()
        fair = [phi[without(x, i)] / phi[x] if n else 0.0 for i, n in enumerate(x)]
        found, mean = multiserver.over_all_orders(graph, rates, x)
        logarithm = multiserver.balance_function(graph, x, logarithm=True)
        one = [
            max(near(found, mass), near(mean, law[here] @ served[here] / mass)),
            near(multiserver.balance_function(graph, x), phi[x]), near(logarithm, math.log(phi[x])),
            near(multiserver.service_rates(graph, x), fair),
        ]  # fmt: skip
        gaps = np.maximum(gaps, one)
    none = rates * (np.arange(given.classes) != 0)
    without_first = [multiserver.stationary_measure(graph, none, line) for line in ([0], [given.classes - 1])]
    names = (
        "rates in line and its servers", "the measure of a line and its product", "the sum over orders and that of lines",
        "the balance function and its recursion", "its logarithm and the recursion", "the rates and quotients of (4)",
    )  # fmt: skip
    last = none[-1] / given.service_rate([given.classes - 1])
    return dict(zip(names, [*worst, *gaps])) | {
        "the measure without a class and that": near(without_first, [0.0, last])
    }


def balance(given, most):
    """Phi of (4) for all numbers of at most so many jobs."""
    phi = {}
    for x in numbers(given.classes, most):
        before = [phi[without(x, i)] for i, n in enumerate(x) if n]
        phi[x] = sum(before) / given.service_rate([i for i, n in enumerate(x) if n]) if before else 1.0
    return phi


def of_many_jobs(given, x):
    """The logarithm of Phi, and the rates, where Phi is no float: by layers of so many jobs of two classes."""
    first, second, both = np.log([given.service_rate(A) for A in ((0,), (1,), (0, 1))])
    layers, layer = [], np.zeros(1)
    for n in range(1, sum(x) + 1):  # by the jobs of the first class
        longer = np.full(n + 1, -np.inf)
        longer[:-1] = layer
        longer[1:] = np.logaddexp(longer[1:], layer)
        longer -= np.concatenate([[second], np.full(n - 1, both), [first]])
        layers, layer = [layer, longer], longer
    before, last = layers[0], layers[1][x[0]]
    rates = np.exp([before[x[0] - 1] - last, before[x[0]] - last])
    return {
        "the balance function of many jobs and that by layers": near(
            multiserver.balance_function(given.graph, x, logarithm=True), last
        ),
        "rates of many jobs and those by layers": near(multiserver.service_rates(given.graph, x), rates),
    }


# Balanced fairness.


def fair(given, rates):
    """Mean numbers, rates, delays, and the probability of nobody, of jobs of mean size 1: by the mass of the lines."""
    beyond = np.linalg.inv(np.eye(1 << given.classes) - growth(given, rates))
    delays = [(beyond @ growth(given, own) @ beyond)[:, 0].sum() for own in np.eye(given.classes)]
    delays = np.array(delays) / beyond[:, 0].sum()
    return rates * delays, 1 / delays, delays, 1 / beyond[:, 0].sum()


def of_balanced_fairness(given, rates):
    """All that answers for exponential sizes or by balanced fairness."""
    graph, sigma, m = given.graph, 1.7, 2.5
    jobs, rate, delay, empty = fair(given, rates)
    ask = functools.partial(apart, names=QUANTITIES[:4], expected=(jobs, rate, sigma * delay, empty))
    law, often = sizes.Exponential(sigma), np.full(given.classes, m)
    answers = [multiserver.exact(graph, rates / sigma, law, m), interruptions.exact(graph, rates / sigma, law, m)]
    last = interruptions.exact(graph, rates / sigma, law, 0, "quantum")
    part = rates * (np.arange(given.classes) != 0)
    alone = fair(given, part)
    return {
        "balanced fairness and lines": apart(
            multiserver.balanced_fairness(graph, rates), QUANTITIES[:4], (jobs, rate, delay, empty)
        ),
        "balanced fairness of other sizes and lines": ask(
            multiserver.balanced_fairness(graph, rates / sigma, sizes.Gamma(sigma, 0.5))
        ),
        "a class without jobs and lines": apart(multiserver.balanced_fairness(graph, part), QUANTITIES[:4], alone),
        "exact answers and lines": max(map(ask, [*answers, last])),
        "exact interruptions and the given ones": max(
            near([one.interruptions_per_job for one in answers], [often, often]),
            near(last.interruptions_per_job, 0 * often),
        ),
    }


def of_three_servers(capacities, rates):
    """(10) and (11), also where a server has no capacity."""
    kept = [s for s, capacity in enumerate(capacities) if capacity > 0]
    servers = [[kept.index(s) for s in own if s in kept] for own in ((0, 2), (1, 2))]
    given = Given(servers, [capacities[s] for s in kept])
    found = multiserver.three_server_service_rates(capacities, rates)
    load = max(np.sum(rates[list(A)]) / given.service_rate(A) for A in sets(given))
    over = refused(multiserver.three_server_service_rates, capacities, rates / load * 1.01)
    return {
        "rates of three servers and lines": near(found, fair(given, np.array(rates))[1]),
        "three overloaded servers and an error": float(not over),
    }


def fair_drawn(S, d, load):
    """As `fair`, of servers drawn at random and all jobs together: the formula of Gardner et al. in whole numbers."""
    shares = [math.comb(i - 1, d - 1) / math.comb(S - 1, d - 1) for i in range(d, S + 1)]
    delay = sum(share / (S * (1 - load * share)) for share in shares)
    return S * load * delay, 1 / delay, delay, math.prod(1 - load * share for share in shares)


def of_random_assignment(S, d, load, sigma=1.6, most=600):
    """Servers drawn at random: by all classes if these are few; total rates by lines, and the mean number by them."""
    graph, rate = multiserver.RandomAssignment(S, d), load * S / sigma
    jobs, pace, delay, empty = fair_drawn(S, d, load)
    total = multiserver.total_rates(graph, most)
    weights = np.cumprod(np.concatenate([[1.0], S * load / total[1:]]))
    found = {
        "a random assignment and its formula": apart(
            multiserver.random_assignment(S, d, load), QUANTITIES[:4], (jobs, pace, delay, empty)
        ),
        "total rates and the number of jobs": max(
            near(weights @ np.arange(most + 1) / weights.sum(), jobs), near(1 / weights.sum(), empty)
        ),
        "a random assignment that is overloaded and all servers": near(
            [refused(multiserver.random_assignment, S, d, up) == tuple(range(S)) for up in (1.0, 1.5)], [True, True]
        ),
    }
    expected = jobs, pace, sigma * delay, empty
    answers = [
        multiserver.balanced_fairness(graph, rate, sizes.Deterministic(sigma)),
        multiserver.exact(graph, rate, sizes.Exponential(sigma), 3),
        interruptions.exact(graph, rate, sizes.Exponential(sigma), 3),
    ]
    gap = max(apart(answer, QUANTITIES[:4], expected) for answer in answers)
    gap = max(gap, near([answer.interruptions_per_job for answer in answers[1:]], [3, 3]))
    found["exact answers for a random assignment and its formula"] = gap
    few = list(itertools.combinations(range(S), d))
    if len(few) < 8:
        all_classes = Given(few, [1.0] * S)
        jobs, rates, delays, none = fair(all_classes, np.full(len(few), S * load / len(few)))
        gap = apart(multiserver.random_assignment(S, d, load), QUANTITIES[:4], (jobs.sum(), rates[0], delays[0], none))
        short = lines(len(few), 4)
        law = measure(short, all_classes, np.full(len(few), 1 / len(few)))
        mass = np.add.reduceat(law, short.first[:-1])
        found["a random assignment and all its classes"] = gap
        found["total rates and lines"] = near(total[:5], [0.0, *mass[:-1] / mass[1:]])
    return found


# The chain of the algorithm.


def law_of(components):
    """A law of the library from phases, their means and probabilities."""
    counts, means, weights = zip(*components)
    return sizes.HyperErlang(means, counts, weights)


class Chain:
    """The chain of the line as lines know it, for a mixture of Erlangs, and its law."""

    def __init__(self, given, rates, components, m, most, dense=True):
        self.sigma = sum(count * mean * weight for count, mean, weight in components)
        left = {mean: max(c for c, other, _ in components if other == mean) for _, mean, _ in components}
        self.kinds = [(mean, k) for mean, most_left in left.items() for k in range(1, most_left + 1)]
        start, goes_on = np.zeros(len(self.kinds)), np.zeros((len(self.kinds),) * 2)
        for count, mean, weight in components:
            start[self.kinds.index((mean, count))] += weight
        for u, (mean, k) in enumerate(self.kinds):
            if k > 1:
                goes_on[u, self.kinds.index((mean, k - 1))] = 1.0
        self.of = np.repeat(np.arange(given.classes), len(self.kinds))
        self.short = lines(len(self.of), most)
        self.moves = moves(
            self.short, given, np.kron(rates, start), of=self.of,
            pace=np.tile([1 / mean for mean, _ in self.kinds], given.classes),
            goes_on=np.kron(np.eye(given.classes), goes_on), timers=np.array(given.capacities) * m / self.sigma if m else None,
        )  # fmt: skip
        sources, targets, speeds, event, of_class = self.moves
        size = self.short.first[-1]
        self.Q = sp.csr_array((speeds, (sources, targets)), shape=(size, size))
        self.Q = sp.csr_array(self.Q - sp.diags_array(self.Q.sum(axis=1)))
        self.p = _solved(self.Q) if dense else _iterated(self.Q)
        counts = self.short.counts(self.of)
        self.jobs, self.empty = self.p @ counts, float(self.p[0])
        self.full = float(self.p[counts.sum(axis=1) == most].sum())
        hits = np.where(event == INTERRUPTED, self.p[sources] * speeds, 0.0)
        accepted = rates * (1 - self.full)
        self.delay = self.jobs / accepted
        self.interrupted = np.bincount(of_class, hits, given.classes) / accepted
        self.found = self.jobs, self.sigma / self.delay, self.delay, self.empty, self.interrupted


def _solved(Q):
    """The law of a small chain."""
    equations = Q.T.toarray()
    equations[-1] = 1.0
    return np.linalg.solve(equations, np.eye(1, len(equations), len(equations) - 1)[0])


def _iterated(Q, times=400):
    """The law of a larger chain, to some digits."""
    p, step = np.eye(1, Q.shape[0])[0], sp.csr_array(Q.T / -1.02 / Q.diagonal().min())
    for _ in range(times):
        p = p + step @ p
    return p / p.sum()


def of_chains(given, rates, components, m, most):
    """The chain and its generator, state by state; cut balanced fairness; distances."""
    chain, law = Chain(given, rates, components, m, most), law_of(components)
    found = multiserver.interrupted_queue(given.graph, rates, law, m, most)
    states, Q, served = ordered_chain(given.graph, rates, law, m, most)
    width = len(chain.kinds)
    codes = [[i * width + chain.kinds.index((mean, k)) for i, mean, k in line] for line in states]
    place = np.concatenate([chain.short.numbers(np.array([code], dtype=int)) for code in codes])
    cut = cut_fair(given, rates * chain.sigma, most)
    distance = multiserver.distance_from_balanced_fairness(given.graph, rates, law, m, most)
    exact = functools.partial(multiserver.exact, given.graph, rates, law, m, most_jobs=most)
    over = refused(exact) is not None
    return {
        "the chain's performance and that of lines": apart(found, QUANTITIES, chain.found),
        "the probability of a full queue and lines": near(found.probability_full, chain.full),
        "the chain's states and all lines": near(np.sort(place), np.arange(chain.short.first[-1]))
        if m
        else 1.0 - (len(set(place.tolist())) == len(place)),  # without interruptions some do not occur
        "the chain's rates and those of lines": near(Q.toarray(), chain.Q[place][:, place].toarray()),
        "service in the chain and in lines": near(served, class_rates(chain.short, given, chain.of)[place]),
        "the distance from balanced fairness and that of lines": near(
            1 + distance, 1 + np.abs(chain.jobs / cut - 1).max()
        ),
        "the exact answer by a chain and lines": float(found.error < math.inf)
        if over
        else apart(exact(), QUANTITIES, chain.found),
    }


def cut_fair(given, work, most):
    """Mean numbers under balanced fairness of at most so many jobs."""
    phi = balance(given, most)
    weights = np.array([value * math.prod(work**x) for x, value in phi.items()])
    return weights @ np.array(list(phi)) / weights.sum()


def of_long_chain(given, rates, m, most):
    """A chain that is iterated, of exponential sizes, whose law of the numbers is (3), cut."""
    phi = balance(given, most)
    law, x = np.array([value * math.prod((1.6 * rates) ** x) for x, value in phi.items()]), np.array(list(phi))
    law /= law.sum()
    full = law[x.sum(axis=1) == most].sum()
    found = multiserver.interrupted_queue(given.graph, rates, sizes.Exponential(1.6), m, most)
    delay = law @ x / rates / (1 - full)
    expected = law @ x, 1.6 / delay, delay, law[0], m + 0 * rates, full
    return {"a long chain and the law (3)": apart(found, (*QUANTITIES, "probability_full"), expected)}


def of_error(load, components, m, most):
    """What the cut changes on one server: the error of a chain, and what first come, first served has without it."""
    given, law = Given([[0]], [1.3]), law_of(components)
    mean = sum(count * one * weight for count, one, weight in components)
    squared = sum(weight * one**2 * count * (count + 1) for count, one, weight in components)
    rate = np.array([load * 1.3 / mean])
    whole = load + load**2 * squared / mean**2 / (2 * (1 - load))
    found = multiserver.interrupted_queue(given.graph, rate, law, m, most)
    return {"the error of a chain and what the cut changes": near(found.error, whole / found.mean_jobs[0] - 1)}


def of_chosen_length(given, rates, components, m):
    """The exact answer where no length is given: the shortest queue that is long enough, and it is near a longer one."""
    law = law_of(components)
    found = multiserver.exact(given.graph, rates, law, m)
    errors = [multiserver.interrupted_queue(given.graph, rates, law, m, most).error for most in range(1, 6)]
    chosen = 1 + int(np.argmax(np.array(errors) <= 1e-3))
    chain, longer = (Chain(given, rates, components, m, most) for most in (chosen, chosen + 1))
    ratio = found.error / np.abs(longer.jobs / chain.jobs - 1).max()
    return {
        "the answer of a chosen length and lines": apart(found, QUANTITIES, chain.found) + (found.error > 1e-3),
        "the error of a chosen length and what the next job changes": 0.0 if 0.5 < ratio < 6 else ratio,
    }


# Many interruptions, and one server.


def of_first_order(given, rates, components, most):
    """The coefficients of 1/m: m times the difference at three large m, extrapolated; also of two equal classes."""
    law, large = law_of(components), (200, 400, 800)
    cut = cut_fair(given, rates * law.mean, most)
    one, two, three = (m * (Chain(given, rates, components, m, most).jobs - cut) for m in large)
    limit = (4 * (2 * three - two) - (2 * two - one)) / 3
    found = multiserver.first_order_distance(given.graph, rates, law, most)
    twice = multiserver.CompatibilityGraph([given.servers_of_class[-1], *given.servers_of_class], given.capacities)
    parts = np.array([0.3, *np.ones(given.classes - 1), 0.7])
    split = multiserver.first_order_distance(twice, parts * [rates[-1], *rates], law, most)
    names = "mean_jobs", "distance", "fair_jobs"
    all_of = [parts * [value[-1], *value] for value in (limit, cut)]
    return {
        "the first order and the chain's limit": apart(found, names, (limit, limit / cut, cut)),
        "the first order of equal classes and the chain's limit": apart(
            split, names, (all_of[0], all_of[0] / all_of[1], all_of[1])
        ),
    }


def of_one_server(load, components, most):
    """The distance on one server: by a long queue, in light and in heavy traffic; and the limit of many tasks."""
    law, given = law_of(components), Given([[0]], [1.3])
    mean = sum(count * one * weight for count, one, weight in components)
    squared = sum(weight * one**2 * count * (count + 1) for count, one, weight in components)
    found = multiserver.one_server_distance(load, law)
    rates = np.array([load * 1.3 / mean])
    whole = multiserver.first_order_distance(given.graph, rates, law, most)
    exp = (math.exp(load) - 1) / load
    stay = mean * exp + squared / mean / (1 - load) * (math.exp(load) - exp)
    variation = squared / mean**2 - 1
    return {
        "the distance on one server and that of a long queue": near(found, whole.distance[0]) / 1e3,
        "the distance in heavy traffic and its limit": abs(
            multiserver.one_server_distance(1 - 1e-7, law) - (variation - 1) / (variation + 1)
        )
        / 1e3,
        "many tasks and their mean stay": near(interruptions.many_tasks(load, law), load / mean * stay),
    }


def of_one_line(given, rates):
    """First come, first served by all servers together: the formula of Pollaczek and Khinchine, class by class."""
    laws = [sizes.Deterministic(0.9), sizes.Gamma(1.5, 0.5), sizes.Empirical([0.5, 0.5, 2.0])][: given.classes]
    mean, squared = np.array([[0.9, 1.5, 1.0], [0.81, 6.75, 1.5]])[:, : given.classes]
    capacity = sum(given.capacities)
    load, moment = rates @ mean / capacity, rates @ squared / capacity**2
    delay = moment / (2 * (1 - load)) + mean / capacity
    return laws, (rates * delay, mean / delay, delay, 1 - load, 0 * rates)


def of_one_lines(given, rates):
    """The exact answers for one line."""
    laws, expected = of_one_line(given, rates)
    drawn, law = multiserver.RandomAssignment(3, 3), sizes.Gamma(1.5, 0.5)
    delay = 0.7 * 1.5 / 3 * 3 / 2 / 0.3 + 0.5  # load, mean time, 1 + squared variation, slack; service
    one = multiserver.exact(drawn, 1.4, law, 0)
    return {
        "sizes of classes in one line and their formula": max(
            apart(multiserver.exact(given.graph, rates, laws, 0), QUANTITIES, expected),
            apart(interruptions.exact(given.graph, rates, laws, 0), QUANTITIES, expected),
        ),
        "one line of servers drawn and its formula": apart(
            one, QUANTITIES, (1.4 * delay, 1.5 / delay, delay, 0.3, 0.0)
        ),
    }


# The log of events.


def replay(given, present, work, quanta):
    """The events of jobs that are there at the beginning, of known work and quanta: kind, time, job, queue."""
    queue, now, found = list(range(len(present))), 0.0, []
    left, slices = list(work), list(quanta)
    while queue:
        at = at_work(given, np.array([[present[job] for job in queue]]))[0] @ np.array(given.capacities)
        ends = [(min(left[job], slices[job]) / rate, job, rate) for job, rate in zip(queue, at) if rate > 0]
        step, first, _ = min(ends)
        now += step
        for _, job, rate in ends:
            left[job] -= rate * step
            slices[job] -= rate * step
        queue.remove(first)
        over = left[first] > 1e-9
        if over:
            slices[first] = quanta[first]
            queue.append(first)
        found.append(("interruption" if over else "departure", now, first, tuple((job, present[job]) for job in queue)))
    return found


def of_events(given, work):
    """Logs of jobs of constant sizes, by both rules that leave nothing to chance; and logs with arrivals."""
    rng, graph = np.random.default_rng(3), given.graph
    present = [*rng.integers(given.classes, size=6).tolist(), *range(given.classes)]
    rates, laws = 1e-9 * (1 + np.arange(given.classes)), [sizes.Deterministic(own) for own in work]
    sizes_of, mean = [work[i] for i in present], rates @ work / rates.sum()
    gaps = []
    for rule, m, quanta in (("quantum", 2.3, [mean / 2.3] * len(present)), ("tasks", 2, [own / 3 for own in sizes_of])):
        told = replay(given, present, sizes_of, quanta)
        log = interruptions.trace(graph, rates, laws, m, present, len(told), seed=1, rule=rule)
        same = [(one.kind, one.job, one.queue) == (kind, job, queue) for one, (kind, _, job, queue) in zip(log, told)]
        gaps.append(near([one.time for one in log], [each[1] for each in told]) + (not all(same)))
    log = interruptions.trace(graph, 0.3 * np.ones(given.classes), sizes.Exponential(0.9), 2, present, 200, seed=7)
    queues = [tuple(enumerate(present)), *(one.queue for one in log)]
    call = graph, 0.3 * np.ones(given.classes), sizes.Exponential(9.0), 9
    steps = [("interruption", present[0]), ("arrival", given.classes - 1)]
    seed, found = interruptions.trace_with_steps(*call, present, steps)
    logs = [interruptions.trace(*call, present, 2, seed=number) for number in range(seed + 1)]
    begins = [[(one.kind, dict(one.queue).get(one.job)) for one in own] for own in logs]
    at = [served_by(given, queue) for queue in queues]
    return {
        "logs of constant sizes and their replays": max(gaps),
        "a log and the rules of the line": float(not all(map(legal, queues, log, queues[1:], at))),
        "what servers are at and the line": float(
            any(interruptions.served(graph, q) != own for q, own in zip(queues, at))
        ),
        "the first seed of some steps and all before it": float(
            begins.index(steps) != seed or found[:2] != logs[-1] or len(found) != 3
        ),
    }


def served_by(given, queue):
    """The job that each server is at."""
    at = at_work(given, np.array([[i for _, i in queue]], dtype=int))[0]
    return [next((queue[k][0] for k in range(len(queue)) if at[k, s]), None) for s in range(given.servers)]


def legal(before, event, after, at):
    """Whether an event may happen in a line: who comes or is interrupted goes to its end, and who is served may leave."""
    others = tuple(entry for entry in before if entry[0] != event.job)
    if event.kind == "arrival":
        return others == before == after[:-1] and after[-1][0] == event.job
    own = tuple(entry for entry in before if entry[0] == event.job)
    return len(own) == 1 and event.job in at and after == others + (own if event.kind == "interruption" else ())


# Simulators.


def estimates(found, expected, names=QUANTITIES):
    """Simulated quantities beside what is expected, relative to it."""
    values = [np.atleast_1d(getattr(found, name).value) for name in names]
    halves = [np.atleast_1d(getattr(found, name).half_width) for name in names]
    right = np.concatenate([np.broadcast_to(one, value.shape) for one, value in zip(expected, values, strict=True)])
    values, halves = np.concatenate(values), np.concatenate(halves)
    return measured(values / right - 1, halves / right, runs=10, quantity=range(len(right)))


def run(events, seed=1):
    """Ten replications."""
    return {"jumps": events, "warmup": events // 20, "seed": seed}


def halved(given, rates):
    """The same cluster with each server in two halves: the simulator of any graph answers for it."""
    twice = [[2 * s + half for s in own for half in (0, 1)] for own in given.servers_of_class]
    return multiserver.CompatibilityGraph(twice, np.repeat(given.capacities, 2) / 2), rates


def long_line(given, rates, components, m):
    """Mean numbers of the queue that is not cut: of three lengths, continued as a geometric sequence."""
    found = [Chain(given, rates, components, m, most, dense=False) for most in (4, 5, 6)]
    one, two, three = (np.array([*chain.jobs, chain.empty]) for chain in found)
    limit = three - (three - two) ** 2 / (three - 2 * two + one)
    jobs = limit[:-1]
    return jobs, rates * found[0].sigma / jobs, jobs / rates, limit[-1], np.full(given.classes, m)


def of_simulators(given, rates):
    """Every simulator of a graph: of phases, few servers or many, in real time, and beside balanced fairness."""
    law, m = law_of(HYPER), 1.3
    light, graph = 0.5 * rates / law.mean, given.graph
    expected = long_line(given, light, HYPER, m)
    exponential, sigma = sizes.Exponential(1.7), 1.7
    heavy = rates / sigma
    fair_now = (
        *(value * (sigma if k == 2 else 1) for k, value in enumerate(fair(given, rates))),
        np.full(given.classes, m),
    )
    system = *halved(given, light), law, m
    return {
        "few servers": estimates(multiserver.simulate(graph, light, law, m, **run(60_000)), expected),
        "any graph": estimates(multiserver.simulate(*system, **run(60_000)), expected),
        "real time": estimates(interruptions.simulate(graph, light, law, m, **run(30_000)), expected),
        "few servers at exponential sizes": estimates(
            multiserver.simulate(graph, heavy, exponential, m, **run(60_000)), fair_now
        ),
        "real time at exponential sizes": estimates(
            interruptions.simulate(graph, heavy, exponential, m, **run(30_000)), fair_now
        ),
    }


def of_companions(given, rates):
    """The simulators beside balanced fairness and beside processor sharing: what is exact in them, and what is not."""
    law, m, load, S = law_of(HYPER), 1.3, 0.7, 5
    rates, rate = 0.5 * rates / law.mean, load * S / law.mean
    alike, expected = fair(given, rates * law.mean)[0], long_line(given, rates, HYPER, m)
    one = multiserver.simulate_beside_balanced_fairness(given.graph, rates, law, m, **run(20_000))
    drawn = multiserver.RandomAssignment(S, 2)
    shared = fair_drawn(S, 2, load)[0]
    other = multiserver.simulate_assignment_beside_processor_sharing(drawn, rate, law, m, **run(20_000))
    plain = multiserver.simulate(drawn, rate, law, m, **run(60_000, seed=2)).mean_jobs
    gap = other.mean_jobs.value[0] / plain.value - 1
    half = math.hypot(other.mean_jobs.half_width[0], plain.half_width) / plain.value
    names = "mean_jobs", "mean_delay", "plain_jobs", "companion_jobs", "interruptions_per_job"
    totals = [
        (each.total_distance.value + 1) * each.fair_jobs.sum() / each.mean_jobs.value.sum() for each in (one, other)
    ]
    return {
        "the companions' exact numbers and lines": max(near(one.fair_jobs, alike), near(other.fair_jobs, [shared])),
        "distances and mean numbers": max(
            near(each.distance.value + 1, each.mean_jobs.value / each.fair_jobs) for each in (one, other)
        ),
        "distances of all jobs and mean numbers": near(totals, [1.0, 1.0]),
        "delays and mean numbers": max(
            near(one.mean_delay.value * rates, one.mean_jobs.value),
            near(other.mean_delay.value * rate, other.mean_jobs.value),
        ),
        "beside balanced fairness": estimates(one, (expected[0], expected[2], expected[0], alike, expected[4]), names),
        "beside processor sharing": estimates(other, (shared, m), names[3:]),
        "beside processor sharing and alone": measured([gap], [half], runs=10, quantity=[0]),
    }


def of_simulated_rules(given, rates):
    """Simulators where sizes have no phases, differ between classes, or are interrupted by other rules."""
    laws, expected = of_one_line(given, rates)
    size, sigma, m = sizes.Exponential(1.7), 1.7, 1.5
    drawn = multiserver.RandomAssignment(5, 2), 5 * 0.7 / sigma, size, m
    jobs, pace, delay, empty = fair_drawn(5, 2, 0.7)
    of_drawn = jobs, pace, sigma * delay, empty, m
    often = 1 / (math.exp(1 / m) - 1)  # quanta that an exponential size outlasts
    half = rates / rates.sum() * 0.6 * sum(given.capacities) / sigma
    alone = half / half.sum() * 0.6 / 0.4, sigma * 0.4 * half.sum() / 0.6, 0.6 / 0.4 / half.sum(), 0.4, often
    return {
        "sizes of classes in one line": estimates(
            multiserver.simulate(given.graph, rates, laws, 0, **run(20_000)), expected[:4], QUANTITIES[:4]
        ),
        "an assignment": estimates(multiserver.simulate(*drawn, **run(60_000)), of_drawn),
        "an assignment in real time": estimates(interruptions.simulate(*drawn, **run(20_000)), of_drawn),
        "quanta": estimates(interruptions.simulate(given.graph, half, size, m, "quantum", **run(20_000)), alone),
        "tasks": estimates(
            interruptions.simulate(given.graph, rates, laws, 2, "tasks", **run(20_000)), (2,), ["interruptions_per_job"]
        ),
    }


# All of it.


def held(noun, systems, function, bound=ROUNDING):
    """The clauses of one function, which gives gaps and estimates."""
    found = cases(noun, systems).measure(function)
    return [everywhere(what, gap, agrees() if gap.asked else equal(bound)) for what, gap in found.items()]


def answers():
    """All that the library answers on these models, held against witnesses: clauses, all of which are to hold."""
    one, two, three = systems(0.6, 0.7, 0.9, seed=3)
    (small,) = systems(0.03, seed=5, shapes=SHAPES[1:2])
    over, (busy,) = (three[0], 1.4 * three[1]), systems(0.8, seed=4, shapes=SHAPES[1:2])
    scaled = {name: [(given, rates / law_of(name).mean) for given, rates in (one, two, three)] for name in LAWS}
    chains = [
        (*scaled[HYPER][1], HYPER, 1.3, 4), (*scaled[ERLANGS][1], ERLANGS, 0, 3), (*over, EXPONENTIAL, 0.4, 4),
        (*scaled[BOTH][0], BOTH, 0.4, 5),
    ]  # fmt: skip
    line = Given(((0, 1), (1, 0), (0, 1)), (0.8, 1.9)), np.array([0.3, 0.6, 0.5])
    return (
        *(
            clause for function in (of_graph, in_order, of_balanced_fairness)
            for clause in held("random system", systems(0.4, 0.7, 0.9, 0.96), function)
        ),
        *held("numbers of jobs", [(two[0], (1000, 400))], of_many_jobs),
        *held("capacities", [((0.5, 1.5, 1.2), np.array([0.9, 0.8])), ((1.5, 0.0, 1.2), np.array([0.9, 0.4])),
                                ((0.0, 1.0, 1.2), np.array([0.0, 0.4]))], of_three_servers),
        *held("assignment", [(4, 2, 0.8), (4, 3, 0.3), (3, 1, 0.6)], of_random_assignment),
        *held("large assignment", [(100, 2, 0.7), (40, 3, 0.9)], of_random_assignment),
        *held("chain", chains, of_chains),
        *held("long chain", [(*three, 0.4, 7)], of_long_chain),
        *held("cut", [*((0.6, name, 0, 5) for name in LAWS), (0.8, EXPONENTIAL, 2, 5)], of_error),
        *held("system", [(*small, HYPER, m) for m in (0, 1)], of_chosen_length),
        *held("system", [(*scaled[HYPER][1], HYPER, 4), (*scaled[BOTH][1], BOTH, 3)], of_first_order, 1e-5),
        *held("law", [(0.5, HYPER, 36), (0.15, ERLANGS, 12), (0.15, BOTH, 12)], of_one_server),
        *held("line", [line], of_one_lines),
        *held("log", [(two[0], [0.7, 1.9]), (three[0], [0.7, 1.9, 1.2])], of_events),
        *held("system", [busy], of_simulators),
        *held("line", [line], of_simulated_rules),
        *held("system", [busy], of_companions),
    )  # fmt: skip
