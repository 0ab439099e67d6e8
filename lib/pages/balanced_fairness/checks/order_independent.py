"""Claims of `balanced`, Sections 2 to 4: the order-independent queue and its Whittle network."""

import itertools
import math
from fractions import Fraction

import numpy as np

from clustershare.multiserver import state_rates
from compendium.press.clauses import cases, conclude, everywhere
from compendium.press.clauses.conditions import at_most, equal
from compendium.press.findings import check, equality, erratum, finding, relative_difference
from pages.balanced_fairness.systems import clusters, random_graphs, sets, without
from pages.balanced_fairness.witnesses.lines import lines
from pages.balanced_fairness.witnesses.numbers import allocation, counts, mean_rates


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


@check("balanced-005", weighted=False)
def balance_property(weighted=True):
    """(6) with the rates (8)."""
    gap = 0.0
    for graph, rates in random_graphs().cases:
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
        for graph, rates in random_graphs().cases
        for x in counts(graph)
        for A in sets(graph)
    )
    return finding("no set beyond its capacity" if excess < 1e-12 else f"up to {excess:.2f} too much", excess < 1e-12)


@check("balanced-007", kind="every server has a part for each class")
def efficiency(kind="queue"):
    """The rates (8) use all servers of the classes present."""
    gap = max(
        abs(allocation(kind, graph, rates, x).sum() - graph.service_rate(np.flatnonzero(x)))
        for graph, rates in random_graphs().cases
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
