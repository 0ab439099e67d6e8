"""Claims of `balanced`, Section 2: the queue, its measure (1), the numbers of its jobs, and when it is stable."""

import functools
import itertools
import math

import numpy as np

from clustershare import interruptions, markov, multiserver
from clustershare.multiserver import CompatibilityGraph, state_rates, stationary_measure
from clustershare.multiserver.chain import ordered_chain
from clustershare.sizes import Exponential, bimodal_hyperexponential
from compendium.press.clauses import at_each, cases, conclude, equalities, everywhere, exact, somewhere
from compendium.press.clauses.conditions import at_most, between, equal, larger
from compendium.press.findings import check
from pages.balanced_fairness.systems import (
    ONE,
    answered,
    balance_functions,
    clusters,
    random_clusters,
    random_graphs,
    sets,
)
from pages.balanced_fairness.witnesses.lines import at_work, law, lines, measure, moves, net_flow
from pages.balanced_fairness.witnesses.numbers import growth
from pages.balanced_fairness.witnesses.paths import path


@check("balanced-001", step=-1)
def partial_balance(step=1):
    """The measure (1) and the rates of the positions; the control serves from the tail of the queue."""

    def gap(graph, rates):
        def off(c, i):
            inflow = np.zeros(2)
            for k in range(len(c) + 1):
                queue = (*c[:k], i, *c[k:])
                by_mu = graph.service_rate({*c[:k], i}) - graph.service_rate(set(c[:k]))
                by_position = state_rates(graph, queue[::step])[::step][k]
                inflow += stationary_measure(graph, rates, queue) * np.array([by_position, by_mu])
            return np.abs(inflow / (stationary_measure(graph, rates, c) * rates[i]) - 1)

        queues = itertools.chain(*(jobs.tolist() for jobs in lines(graph.classes, 3).jobs))
        found = [off(c, i) for c, i in itertools.product(map(tuple, queues), range(graph.classes))]
        return dict(zip(("by the rates of the positions", "by mu"), np.max(found, axis=0)))

    found = {f"{way}, the two sides of the partial balance": gap for way, gap in random_graphs().measure(gap).items()}
    return conclude(*equalities(found, 1e-12), whole=True)


class AllServers(CompatibilityGraph):
    """A wrong system: idle servers help anybody, so mu of all classes stands for that of those present."""

    def service_rates_of_subsets(self, classes):
        result = super().service_rates_of_subsets(classes)
        result[1:] = self.service_rate(range(self.classes))
        return result


@check("balanced-002", kind=AllServers)
def aggregate(kind=CompatibilityGraph):
    """(1) summed over all orders, in words and by the library, against the library's recursion (4)."""

    def gaps(graph, rates):
        short, phi = lines(graph.classes, 5), balance_functions(kind(graph.servers_of_class, graph.capacities), 5)
        summed = dict.fromkeys(phi, 0.0)
        for x, value in zip(map(tuple, short.counts().tolist()), measure(short, graph, rates)):
            summed[x] += value
        few = [x for x in phi if sum(x) <= 3]
        by_library = {x: multiserver.over_all_orders(graph, rates, x)[0] for x in few}
        return {
            "the sums of (1) and (3) with (4)": max(
                abs(phi[x] * math.prod(rates**x) / value - 1) for x, value in summed.items()
            ),
            "the library's sums of (1) and those of the lines": max(
                abs(value / summed[x] - 1) for x, value in by_library.items()
            ),
        }

    return conclude(*equalities(random_clusters().measure(gaps), 1e-9), whole=True)


@check("balanced-003", condition=lambda graph, rates: rates.sum() < graph.service_rate(range(graph.classes)))
def stability(condition=multiserver.is_stable):
    """(5) against the mass of long queues; the control looks at all classes together only."""

    def same(graph, rates):
        dies_out = np.linalg.matrix_power(growth(graph, rates), 400)[:, 0].sum() < 0.5
        has_answer = answered(multiserver.balanced_fairness, graph, rates)
        return {"condition": bool(condition(graph, rates)) == dies_out, "answer": has_answer == dies_out}

    graphs = [case for load in (0.9, 1.0, 1.1) for case in random_graphs(load=load).cases]
    found = cases("random graph", graphs, seed=7).measure(same)
    return conclude(
        everywhere("(5) holds just if the mass of long queues dies out,", found["condition"]),
        everywhere("the library answers for balanced fairness just if it dies out,", found["answer"]),
        whole=True,
    )


@check("balanced-009", power=2)
def submodularity(power=1):
    """All pairs of sets of classes, one set at a time and by the rates of all sets; the control squares mu."""

    def excess(graph, _):
        mu = graph.service_rates_of_subsets(range(graph.classes)) ** power
        worst = max(mu[A | B] + mu[A & B] - mu[A] - mu[B] for A in range(len(mu)) for B in range(len(mu)))
        falls = max(mu[A] - mu[A | B] for A in range(len(mu)) for B in range(len(mu)))
        in_each = [
            (graph.service_rate(A), state_rates(graph, A).sum(), mu[sum(1 << i for i in A)]) for A in sets(graph)
        ]
        one_by_one, in_queue, of_subsets = np.transpose(in_each)
        gap = np.abs(np.array([one_by_one, in_queue]) ** power - of_subsets).max()
        return {"sum": worst, "fall": falls, "gap": gap}

    found = random_graphs().measure(excess)
    return conclude(
        everywhere("mu of the union and of the intersection, less mu of both sets,", found["sum"], at_most(1e-12)),
        everywhere("mu of a set less that of a larger one", found["fall"], at_most(1e-12)),
        everywhere("mu by itself, in a queue, and among all sets", found["gap"], equal(1e-12)),
        whole=True,
    )


@functools.cache
def walked(rule):
    """The most jobs of a class in service, and the largest gap of a rate to mu, on paths of random clusters."""
    paths = cases("path of a random cluster", itertools.product(range(len(clusters())), (0, 1)), seed=2017)

    def seen(number, varied):
        size = bimodal_hyperexponential() if varied else Exponential()
        found = path(*clusters()[number], size, 10_000, rule=rule, seed=10, number=number)
        return {"most": found.most, "gap": found.gap}

    return paths.measure(seen)


@check("balanced-010", rules=("one", "youngest"))
def one_of_a_class(rules=("first",)):
    """Jobs of a class in service at a time; in the control jobs take one server, or freed servers the youngest job.

    By the library, too, whose rates nobody loses by an arrival or by the departure of a job that is served.
    """

    def by_library(graph, _):
        def most(queue):
            return np.bincount(queue, state_rates(graph, queue) > 0).max()

        return max(most(queue) for jobs in lines(graph.classes, 4).jobs[1:] for queue in jobs.tolist())

    def taken(graph, _):
        """What jobs lose by a later one, or by a departure, and whether the servers of each class are on one job."""
        lost, one = 0.0, True
        rates = {c: state_rates(graph, c) for n in range(4) for c in itertools.product(range(graph.classes), repeat=n)}
        for c, here in rates.items():
            if c:
                lost = max(lost, np.abs(here[:-1] - rates[c[:-1]]).max(initial=0))
            for k in np.flatnonzero(here):
                lost = max(lost, (np.delete(here, k) - rates[c[:k] + c[k + 1 :]]).max(initial=0))
            at = {job for job in interruptions.served(graph, list(enumerate(c))) if job is not None}
            one &= len(at) == len({c[job] for job in at})
        return {"lost": lost, "one": one}

    found = random_clusters().measure(taken)
    return conclude(
        *(everywhere("the most jobs of a class in service", walked(rule)["most"], between(1, 1)) for rule in rules),
        everywhere("by the library, the most jobs of a class with a rate", random_clusters().measure(by_library),
                   between(1, 1)),
        everywhere("what its jobs lose by an arrival, or a departure", found["lost"], at_most(1e-12)),
        everywhere("its servers at work for a class are on one job", found["one"]),
        whole=True,
    )  # fmt: skip


@check("balanced-050", rules=("one", "youngest"))
def rates_of_the_positions(rules=("first",)):
    """Rates added up server by server against the differences of mu, on paths and in every queue of up to 5 jobs."""

    def gaps(graph, _):
        mu = np.zeros(1 << graph.classes)
        for present in sets(graph):
            mu[sum(1 << i for i in present)] = graph.service_rate(present)
        found = []
        for jobs in lines(graph.classes, 5).jobs[1:]:
            by_server = at_work(graph, jobs) @ np.array(graph.capacities)
            by_mu = np.diff(mu[np.bitwise_or.accumulate(1 << jobs, axis=1)], prepend=0.0)
            by_library = [state_rates(graph, queue) for queue in jobs.tolist()]
            found.append([np.abs(each - by_server).max() / mu[-1] for each in (by_mu, by_library)])
        return dict(zip(("rates by server and by mu", "rates by server and by the library"), np.max(found, axis=0)))

    return conclude(
        *(everywhere("on the paths, rates server by server and by mu", walked(rule)["gap"], equal(1e-12))
          for rule in rules),
        *equalities(random_clusters().measure(gaps), 1e-12),
        whole=True,
    )  # fmt: skip


@check("balanced-049", rule="last")
def stationary(rule="first"):
    """(1) by the library in the balance of the open queue made of its words; in the control servers take the last job.

    One cluster in four is overloaded, which leaves (1) a measure. The law of the chain cut at 5 jobs besides.
    """

    def gaps(number, system):
        graph, rates = system
        rates = (3.0 if number % 4 == 0 else 1.0) * rates
        short, pi = lines(graph.classes, 6), measure(lines(graph.classes, 6), graph, rates)
        flow = net_flow(short.first[-1], moves(short, graph, rates, rule=rule), pi)[: short.first[6]]
        by_library = [stationary_measure(graph, rates, c) for jobs in short.jobs[:4] for c in jobs.tolist()]
        cut = lines(graph.classes, 5)
        found = law(cut.first[-1], moves(cut, graph, rates, rule=rule))
        expected = pi[: cut.first[-1]] / pi[: cut.first[-1]].sum()
        return {
            "what flows into a queue and out of it, by (1),": np.abs(flow).max(),
            "(1) by the library and server by server": np.abs(by_library / pi[: len(by_library)] - 1).max(),
            "the law of the chain cut at 5 jobs and (1)": np.abs(found - expected).max(),
        }

    found = cases("random cluster", enumerate(clusters()), seed=2017).measure(gaps)
    return conclude(*equalities(found, 1e-9), whole=True)


@check("balanced-051", rule="shared")
def order_independence(rule="first"):
    """The four properties, servers added up one by one; in the control each is shared by all jobs that it may serve."""

    def broken(graph, rates_of, most):
        """By how much a queue breaks a property at most, and the least total rate."""
        totals, before, worst, least = {}, np.zeros((1, 0)), [], np.inf
        for jobs in lines(graph.classes, most).jobs[1:]:
            rates = rates_of(graph, jobs)
            total = rates.sum(axis=1)
            worst.append(np.abs(rates[:, :-1] - np.repeat(before, graph.classes, axis=0)).max(initial=0))
            worst.append((np.repeat(before.sum(axis=1), graph.classes) - total).max())
            worst += [abs(totals.setdefault(frozenset(c), value) - value) for c, value in zip(jobs.tolist(), total)]
            least, before = min(least, total.min()), rates
        return {"worst": max(worst), "least": least}

    def of_set(graph, _):
        """The library's rate of a set of classes: that of nobody, and by how much it falls at most, or is not above 0.

        And how far it is from the sum of its rates of the jobs in each line of up to 3.
        """
        rate = {frozenset(A): graph.service_rate(A) for A in [(), *sets(graph)]}
        falls = max(rate[A] - rate[A | {i}] for A in rate for i in range(graph.classes))
        queues = (c for jobs in lines(graph.classes, 3).jobs for c in jobs.tolist())
        off = max(abs(state_rates(graph, c).sum() - rate[frozenset(c)]) for c in queues)
        return {"worst": max(abs(rate.pop(frozenset())), falls, off), "least": min(rate.values())}

    ways = {
        "server by server": (lambda graph, jobs: at_work(graph, jobs, rule) @ np.array(graph.capacities), 6),
        "by the library": (lambda graph, jobs: np.array([state_rates(graph, c) for c in jobs.tolist()]), 5),
    }
    found = {way: random_clusters().measure(lambda graph, _, how=how: broken(graph, *how)) for way, how in ways.items()}
    found["by the library, of a set of classes"] = random_clusters().measure(of_set)
    return conclude(
        *(everywhere(f"{way}, what rates change by that must stay", each["worst"], at_most(1e-12))
          for way, each in found.items()),
        *(everywhere(f"{way}, the total rate", each["least"], larger()) for way, each in found.items()),
        whole=True,
    )  # fmt: skip


def memory(graph, rates):
    """How much the numbers before the present ones tell of the next: the largest difference of two chances.

    From the chain of the queue's words, and from the library's.
    """
    short = lines(graph.classes, 5)
    number = 6 ** np.arange(graph.classes)
    states, Q, _ = ordered_chain(graph, rates, Exponential(), 0, 5)
    by_library = [sum(number[job[0]] for job in queue) for queue in states]
    in_words = markov.generator(short.first[-1], *moves(short, graph, rates)[:3])
    return {"words": _memory(in_words, short.counts() @ number), "library": _memory(Q, by_library)}


def _memory(Q, numbers):
    Q = Q.toarray()
    speed = -np.diag(Q)
    P = (Q + np.diag(speed)) / speed[:, None]
    stay = markov.gth(Q) * speed
    stay /= stay.sum()
    _, x = np.unique(numbers, return_inverse=True)
    of = np.eye(x.max() + 1)[x]
    nexts, came = P @ of, of.T @ (stay[:, None] * P)  # by line: the next numbers; by numbers: the next line
    worst = 0.0
    for here in range(x.max() + 1):
        there = x == here
        usual = stay[there] @ nexts[there] / stay[there].sum()
        known, mass = came[:, there] @ nexts[there], came[:, there].sum(axis=1)
        worst = max(worst, np.abs(known[mass > 1e-15] / mass[mass > 1e-15][:, None] - usual).max())
    return worst


def apart(graph):
    """The graph in which each class has a server of its own, and no other."""
    return CompatibilityGraph([[i] for i in range(graph.classes)], np.resize(graph.capacities, graph.classes))


@check("balanced-056", change=apart)
def not_markov(change=lambda graph: graph):
    """What the numbers before tell of the next, exactly; nothing in the control, whose classes share no server."""
    systems = [system for system in clusters(classes=3) if system[0].classes > 1][:50]
    found = cases("graph", systems, seed=2017).measure(lambda graph, rates: memory(change(graph), rates))
    one = memory(ONE, np.array([0.7]))
    own = memory(apart(systems[0][0]), systems[0][1])
    return conclude(
        somewhere("what the numbers before add to the chance of the next", found["words"], larger(1e-6)),
        somewhere("what they add in the library's chain", found["library"], larger(1e-6)),
        everywhere("the chances in words and by the library", found["words"] - found["library"], equal(1e-9)),
        at_each("with one class, and with classes that share no server, what they add",
                exact([*one.values(), *own.values()], chain=None), equal(1e-12)),
        whole=True,
    )  # fmt: skip
