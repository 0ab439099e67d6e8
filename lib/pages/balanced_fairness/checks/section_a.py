"""Claims of the appendix of `balanced`: the proof of Theorem 1."""

import math

import numpy as np

from clustershare import multiserver
from clustershare.multiserver import CompatibilityGraph
from compendium.press.clauses import cases, conclude, everywhere, mended
from compendium.press.clauses.conditions import at_least, at_most, larger
from compendium.press.findings import check
from pages.balanced_fairness.printed import margins, one_by_one
from pages.balanced_fairness.systems import (
    balance_functions,
    clusters,
    lattice_systems,
    random_clusters,
    random_graphs,
    sets,
    without,
)
from pages.balanced_fairness.witnesses.numbers import on_the_lattice


@check("balanced-076", load=0.9)
def necessary_condition(load=None):
    """Phi by the library against the bound of the proof, and the mass of its layers; in the control A is stable."""
    rng = np.random.default_rng(76)

    def least(graph, _):
        phi, bound, mass = balance_functions(graph, 12), [], []
        x, value = np.array(list(phi)), np.array(list(phi.values()))
        n, ways = x.sum(axis=1), np.array([math.factorial(sum(y)) / math.prod(map(math.factorial, y)) for y in phi])
        for A in sets(graph):
            inside = np.delete(x, A, axis=1).sum(axis=1) == 0
            for total in graph.service_rate(A) * np.array([load] if load else [1.0, 1.05, 2.0]):
                bound.append((value * total**n / ways)[inside].min())
                rates = total * rng.dirichlet(np.ones(len(A)))
                mass.append(np.bincount(n[inside], (value * np.prod(rates ** x[:, A], axis=1))[inside]).min())
        return {"bound": min(bound), "mass": min(mass)}

    found = random_clusters().measure(least)
    return conclude(
        everywhere("Phi over its bound", found["bound"], at_least(1 - 1e-12)),
        everywhere("the mass of the numbers with n jobs of an overloaded set", found["mass"], at_least(1 - 1e-12)),
        whole=True,
    )


@check("balanced-013", eta=one_by_one)
def lemma_1(eta=margins):
    """Random Psi with (A.1) and the powers of eta, against Phi by the library; margins of eta up to load 0.99."""
    rng = np.random.default_rng(13)

    def over(graph, rates):
        powers, phi, psi = eta(graph, rates), balance_functions(graph, 5), {}
        for x in phi:
            there = np.flatnonzero(x)
            before = sum(psi[without(x, i)] for i in there) / graph.service_rate(there) if any(x) else 1.0
            psi[x] = before * rng.uniform(1, 2) if any(x) else before
        return {
            "Psi": max(phi[x] / psi[x] for x in phi) - 1,
            "powers": max(phi[x] * math.prod(powers ** np.array(x)) for x in phi) - 1,
            "rates": (powers / rates - 1).min(),
            "sets": min(1 - powers[list(A)].sum() / graph.service_rate(A) for A in sets(graph)),
        }

    found = random_clusters(loads=(0.05, 0.99)).measure(over)
    return conclude(
        everywhere("what Phi is beyond a Psi with (A.1)", found["Psi"], at_most(1e-12)),
        everywhere("what it is beyond the powers of eta", found["powers"], at_most(1e-12)),
        everywhere("what eta is beyond the arrival rate, of that,", found["rates"], larger()),
        everywhere("what a set of classes can do beyond its eta, of that,", found["sets"], larger()),
        whole=True,
    )


@check("balanced-077", eta=one_by_one)
def sufficient_condition(eta=margins):
    """The constant by the lattice and by the recursion, against the product of the appendix."""

    def over_the_bound(constant):
        return lambda graph, rates: constant(graph, rates) / math.prod(1 / (1 - rates / eta(graph, rates)))

    def recursion(graph, rates):
        return 1 / multiserver.balanced_fairness(graph, rates).probability_empty

    lattice = lattice_systems().measure(over_the_bound(lambda graph, rates: on_the_lattice(graph, rates)[0]))
    all_loads = cases("random cluster", (*clusters(), *clusters(loads=(0.95, 0.99))), seed=2017)
    return conclude(
        everywhere("the constant of the lattice over its bound", lattice, at_most(1 + 1e-9)),
        everywhere("the constant of the recursion over its bound", all_loads.measure(over_the_bound(recursion)),
                   at_most(1 + 1e-9)),
        whole=True,
    )  # fmt: skip


@check("balanced-045", graph=CompatibilityGraph([{0}, {0}, {0}], [1.0]))
def last_line(graph=None):
    """mu(A) with A free, and mu(A(x)); where all classes have the same servers, both are one."""
    systems = random_graphs(load=0.8) if graph is None else cases("graph", [(graph, np.array([0.2, 0.3, 0.3]))])

    def spare(system, rates):
        """What is left of the rate of a set of classes by the eta of those present: of any set, and of these."""
        eta, mu = margins(system, rates), {A: system.service_rate(A) for A in sets(system)}
        of_any = min(mu[A] - eta[list(present)].sum() for A in mu for present in mu)
        return {"any": of_any, "present": min(mu[A] - eta[list(A)].sum() for A in mu)}

    found = systems.measure(spare)
    return mended(
        everywhere("mu(A), of any A, less the eta of the classes present,", found["any"], larger()),
        everywhere("mu(A(x)) less the eta of the classes present", found["present"], larger()),
    )
