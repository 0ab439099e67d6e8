"""Claims of `balanced`, Section 3, on performance metrics: the normalisation constant and the mean numbers of jobs."""

import math

import numpy as np

from clustershare import multiserver
from clustershare.sizes import Exponential
from compendium.press.clauses import conclude, equalities, everywhere
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check
from pages.balanced_fairness.points.chains import measure_of_lines
from pages.balanced_fairness.systems import balance_functions, lattice_systems, random_clusters, without_an_edge
from pages.balanced_fairness.witnesses.numbers import growth, on_the_lattice


def judged(systems, network, gaps):
    """What is measured of systems, those left out for which the control's graph is unstable."""
    unstable = lambda graph, rates: not multiserver.is_stable(network(graph), rates)  # noqa: E731
    return systems.without("unstable", unstable).measure(gaps)


def over_all_lines(graph, rates):
    """The sum of (1) over all queues, grown job by job."""
    matrix, mass = growth(graph, rates), np.eye(1, 1 << graph.classes)[0]
    total = mass.sum()
    while mass.sum() > 1e-14 * total:
        mass = matrix @ mass
        total += mass.sum()
    return total


@check("balanced-063", network=without_an_edge)
def constants(network=lambda graph: graph):
    """The sum of (1) over all lines against the library's recursion, and against the lattice where that stays small."""

    def recursion(graph, rates):
        empty = multiserver.balanced_fairness(network(graph), rates).probability_empty
        return 1 / empty / over_all_lines(graph, rates) - 1

    def lattice(graph, rates):
        return on_the_lattice(graph, rates)[0] / over_all_lines(graph, rates) - 1

    def cut(graph, rates):
        """Of up to 3 jobs: the library's constants of the queue, by (1) and by its chain, and of the network."""
        queue = math.fsum(measure_of_lines(graph, rates, 3).values())
        phi = balance_functions(network(graph), 3)
        empty = multiserver.interrupted_queue(graph, rates, Exponential(), 0, 3).probability_empty
        return {
            "of up to 3 jobs, the library's sums of (1) and of (3) with (4)":
                math.fsum(value * math.prod(rates**x) for x, value in phi.items()) / queue - 1,
            "of up to 3 jobs, the constants by (1) and of the library's chain": 1 / empty / queue - 1,
        }  # fmt: skip

    return conclude(
        everywhere("the sum of (1) over all queues and the constant of the recursion",
                   judged(random_clusters(), network, recursion), equal(1e-9)),
        everywhere("the sum of (1) over all queues and that of (3)", lattice_systems().measure(lattice), equal(1e-9)),
        *equalities(random_clusters().measure(cut), 1e-9),
        whole=True,
    )  # fmt: skip


@check("balanced-064", network=without_an_edge)
def recursions(network=lambda graph: graph):
    """The library's recursion over sets of classes against sums over the lattice: constant and mean numbers."""

    def gaps(graph, rates):
        total, jobs = on_the_lattice(graph, rates)
        ways = {
            "recursion": multiserver.balanced_fairness(network(graph), rates),
            "exact answer for the queue": multiserver.exact(network(graph), rates, Exponential(), 1),
        }
        gaps = {}
        for way, found in ways.items():
            gaps[f"the constants of the {way} and of (3)"] = 1 / found.probability_empty / total - 1
            gaps[f"the mean numbers of jobs of the {way} and of (3)"] = np.abs(found.mean_jobs / jobs - 1).max()
        return gaps

    return conclude(*equalities(judged(lattice_systems(), network, gaps), 1e-9), whole=True)
