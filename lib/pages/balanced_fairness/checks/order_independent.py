"""Claims of `balanced`, Sections 2 to 4: the order-independent queue and its Whittle network."""

import itertools
import math
from fractions import Fraction

import numpy as np

from clustershare import markov, multiserver
from clustershare.multiserver import CompatibilityGraph, state_rates, stationary_measure
from compendium.press.clauses import cases, conclude, everywhere
from compendium.press.clauses.conditions import at_most, equal
from compendium.press.findings import check, equality, erratum, finding, relative_difference
from pages.balanced_fairness.systems import clusters, random_graphs, sets, without
from pages.balanced_fairness.witnesses.lines import at_work, law, lines, measure, moves, net_flow
from pages.balanced_fairness.witnesses.numbers import allocation, balance_functions, counts, growth, mean_rates


@check("balanced-001", step=-1)
def partial_balance(step=1):
    """The measure (1) and the rates of the positions; the control serves from the tail of the queue."""
    gap = 0.0
    for graph, rates in random_graphs():
        for length, i in itertools.product(range(4), range(graph.classes)):
            for c in itertools.product(range(graph.classes), repeat=length):
                longer = [(*c[:k], i, *c[k:]) for k in range(length + 1)]
                inflow = sum(
                    stationary_measure(graph, rates, queue) * state_rates(graph, queue[::step])[::step][k]
                    for k, queue in enumerate(longer)
                )
                gap = max(gap, relative_difference(inflow, stationary_measure(graph, rates, c) * rates[i]))
    return equality(gap, 1e-12)


class AllServers(CompatibilityGraph):
    """A wrong system: idle servers help anybody, so mu of all classes stands for that of those present."""

    def service_rates_of_subsets(self, classes):
        result = super().service_rates_of_subsets(classes)
        result[1:] = self.service_rate(range(self.classes))
        return result


@check("balanced-002", kind=AllServers)
def aggregate(kind=CompatibilityGraph):
    """(1) summed over all orders, against the library's recursion (4)."""
    gap = 0.0
    for graph, rates in clusters():
        short = lines(graph.classes, 5)
        summed = dict.fromkeys(balance_functions(graph, 5), 0.0)
        for x, value in zip(map(tuple, short.counts().tolist()), measure(short, graph, rates)):
            summed[x] += value
        phi = balance_functions(kind(graph.servers_of_class, graph.capacities), 5)
        gap = max(gap, *(abs(phi[x] * math.prod(rates**x) / value - 1) for x, value in summed.items()))
    return equality(gap, 1e-9)


@check("balanced-049", rule="last")
def stationary(rule="first"):
    """(1) by the library in the balance of the open queue made of its words; in the control servers take the last job.

    One cluster in four is overloaded, which leaves (1) a measure. The law of the chain cut at 5 jobs besides.
    """
    gap = 0.0
    for number, (graph, rates) in enumerate(clusters()):
        factor = 3.0 if number % 4 == 0 else 1.0
        short = lines(graph.classes, 6)
        found, pi = moves(short, graph, factor * rates, rule=rule), measure(short, graph, factor * rates)
        gap = max(gap, np.abs(net_flow(short.first[-1], found, pi)[: short.first[6]]).max())
        little = lines(graph.classes, 3)
        by_library = [stationary_measure(graph, factor * rates, c) for jobs in little.jobs for c in jobs]
        gap = max(gap, relative_difference(by_library, pi[: len(by_library)]))
        if graph.classes < 4:
            short = lines(graph.classes, 5)
            probabilities = law(short.first[-1], moves(short, graph, factor * rates, rule=rule))
            pi = pi[: len(probabilities)]
            gap = max(gap, np.abs(probabilities - pi / pi.sum()).max())
    return equality(gap, 1e-9)


@check("balanced-051", rule="shared")
def order_independence(rule="first"):
    """The four properties, servers added up one by one; in the control each is shared by all jobs that it may serve."""
    worst, least = 0.0, np.inf
    for graph, _ in clusters():
        short, totals = lines(graph.classes, 6), {}
        before = np.zeros((1, 0))
        for jobs in short.jobs[1:]:
            rates = at_work(graph, jobs, rule) @ np.array(graph.capacities)
            worst = max(worst, np.abs(rates[:, :-1] - np.repeat(before, graph.classes, axis=0)).max(initial=0))
            total = rates.sum(axis=1)
            worst = max(worst, (np.repeat(before.sum(axis=1), graph.classes) - total).max())
            for present, value in zip(map(frozenset, jobs.tolist()), total):
                worst = max(worst, abs(totals.setdefault(present, value) - value))
            least, before = min(least, total.min()), rates
    return finding(
        "the four hold" if worst < 1e-12 else f"rates change by up to {worst:.2g}", worst < 1e-12 and least > 0
    )


def rates_of(kind, length):
    """Service rates of the places in a line of so many jobs: one server in turn, one shared, or one for each job."""
    if kind == "first come, first served":
        return [Fraction(place == 0) for place in range(length)]
    return [Fraction(1, length) if kind == "processor sharing" else Fraction(1)] * length


def total_rate(kind, factor):
    """The mu whose differences, times a factor of the length, are the rates of the places; None if there is none."""
    mu = {(): Fraction(0)}
    for length in range(1, 5):
        for c in itertools.product(range(2), repeat=length):
            for place, rate in enumerate(rates_of(kind, length)):
                value = mu[c[:place]] + rate / factor(length)
                if mu.setdefault(c[: place + 1], value) != value:
                    return None
    alike = all(mu[c] == mu[tuple(sorted(c))] for c in mu)
    return mu if alike and all(mu[c] >= mu[c[:-1]] > 0 for c in mu if len(c) > 1) else None


@check("balanced-054", kinds=("first come, first served", "infinitely many servers"))
def covers_single_queues(kinds=("first come, first served", "infinitely many servers", "processor sharing")):
    """Is there a mu for each kind of queue, as Section 2 defines it, and with a factor for the number of jobs?"""
    plain = {kind: total_rate(kind, lambda length: 1) is not None for kind in kinds}
    wider = {kind: total_rate(kind, lambda length: Fraction(1, length)) is not None for kind in kinds}
    missing = [kind for kind, there in plain.items() if not there]
    said = f"no mu for {', '.join(missing)}" if missing else "a mu for each"
    return erratum(
        f"{said}, by Section 2; with a factor 1 / n before the differences "
        + ("each has one" if all(plain[kind] or wider[kind] for kind in kinds) else "some have none"),
        not missing, all(plain[kind] or wider[kind] for kind in kinds),
    )  # fmt: skip


def memory(graph, rates):
    """How much the numbers before the present ones tell of the next: the largest difference of two chances."""
    short = lines(graph.classes, 5)
    states = short.first[-1]
    found = moves(short, graph, rates)
    Q = markov.generator(states, *found[:3]).toarray()
    speed = -np.diag(Q)
    P = (Q + np.diag(speed)) / speed[:, None]
    stay = law(states, found) * speed
    stay /= stay.sum()
    _, x = np.unique(short.counts() @ 6 ** np.arange(graph.classes), return_inverse=True)
    of = np.eye(x.max() + 1)[x]
    nexts, came = P @ of, of.T @ (stay[:, None] * P)  # by line: the next numbers; by numbers: the next line
    worst = 0.0
    for here in range(x.max() + 1):
        there = x == here
        usual = stay[there] @ nexts[there] / stay[there].sum()
        known = came[:, there] @ nexts[there]
        mass = came[:, there].sum(axis=1)
        worst = max(worst, np.abs(known[mass > 1e-15] / mass[mass > 1e-15][:, None] - usual).max())
    return worst


def apart(graph):
    """The graph in which each class has a server of its own, and no other."""
    return CompatibilityGraph([[i] for i in range(graph.classes)], np.resize(graph.capacities, graph.classes))


@check("balanced-056", change=apart)
def not_markov(change=lambda graph: graph):
    """What the numbers before tell of the next, exactly; nothing in the control, whose classes share no server."""
    systems = [system for system in clusters(classes=3) if system[0].classes > 1][:50]
    found = np.array([memory(change(graph), rates) for graph, rates in systems])
    (one,) = [memory(CompatibilityGraph([[0]], [1.0]), np.array([0.7]))]
    return finding(
        f"chances differ by up to {found.max():.2f}; above 1e-6 in {(found > 1e-6).sum()} of {len(found)} graphs, "
        + ("by nothing with one class" if one < 1e-12 else f"by {one:.2g} with one class"),
        found.max() > 1e-6 and one < 1e-12,
    )


@check("balanced-003", condition=lambda graph, rates: rates.sum() < graph.service_rate(range(graph.classes)))
def stability(condition=multiserver.is_stable):
    """(5) against the mass of long queues; the control looks at all classes together only."""
    wrong = 0
    for load in (0.9, 1.0, 1.1):
        for graph, rates in random_graphs(load=load):
            mass = np.linalg.matrix_power(growth(graph, rates), 400)[:, 0].sum()
            wrong += bool(condition(graph, rates)) != (mass < 0.5)
    return finding(f"{wrong} of 60 systems classified differently", wrong == 0)


@check("balanced-005", weighted=False)
def balance_property(weighted=True):
    """(6) with the rates (8)."""
    gap = 0.0
    for graph, rates in random_graphs():
        phi = {x: mean_rates(graph, rates, x, weighted) for x in counts(graph)}
        for x, (i, j) in itertools.product(phi, itertools.combinations(range(graph.classes), 2)):
            if x[i] and x[j]:
                first, second = phi[x][i] * phi[without(x, i)][j], phi[without(x, j)][i] * phi[x][j]
                gap = max(gap, relative_difference(first, second))
    return equality(gap, 1e-12)


@check("balanced-006", kind="every class has all its servers")
def capacity_set(kind="queue"):
    """The rates (8) in the capacity set."""
    excess = max(
        allocation(kind, graph, rates, x)[list(A)].sum() - graph.service_rate(A)
        for graph, rates in random_graphs()
        for x in counts(graph)
        for A in sets(graph)
    )
    return finding("no set beyond its capacity" if excess < 1e-12 else f"up to {excess:.2f} too much", excess < 1e-12)


@check("balanced-007", kind="every server has a part for each class")
def efficiency(kind="queue"):
    """The rates (8) use all servers of the classes present."""
    gap = max(
        abs(allocation(kind, graph, rates, x).sum() - graph.service_rate(np.flatnonzero(x)))
        for graph, rates in random_graphs()
        for x in counts(graph)
    )
    return equality(gap, 1e-12)


@check("balanced-079", rule="every class has all its servers")
def capacity_set_in_each_order(rule="queue"):
    """Rates of the positions added up class by class, against the servers of each set; the control lends servers."""

    def excess(graph):
        able, worst, idle = {}, 0.0, 0.0
        for A in sets(graph):
            own = set().union(*(graph.servers_of_class[i] for i in A))
            able[A] = math.fsum(graph.capacities[s] for s in own)
        everything = able[tuple(range(graph.classes))]
        for queue in itertools.chain(*(jobs.tolist() for jobs in lines(graph.classes, 5).jobs[1:])):
            present = tuple(sorted(set(queue)))
            if rule == "queue":
                served = np.bincount(queue, state_rates(graph, queue), graph.classes)
            else:
                served = [able[(i,)] * (i in present) for i in range(graph.classes)]
            worst = max(worst, *(sum(served[i] for i in A) - able[A] for A in able))
            idle = max(idle, abs(sum(served) - able[present]))
        return {"worst": worst / everything, "idle": idle / everything}

    found = cases("random cluster", [graph for graph, _ in clusters()], seed=2017).measure(excess)
    return conclude(
        everywhere("in each order, what a set of classes gets beyond its servers", found["worst"], at_most(1e-12)),
        everywhere("in each order, what the classes present get and what they may use", found["idle"], equal(1e-12)),
        whole=True,
    )


@check("balanced-009", power=2)
def submodularity(power=1):
    """All pairs of sets of classes; the control squares mu."""
    worst = 0.0
    for graph, _ in random_graphs():
        for A, B in itertools.product(map(set, [(), *sets(graph)]), repeat=2):
            a, b, union, common = (graph.service_rate(C) ** power for C in (A, B, A | B, A & B))
            worst = max(worst, union + common - a - b, a - union)
    return finding("holds for all pairs" if worst < 1e-12 else f"violated by {worst:.2f}", worst < 1e-12)
