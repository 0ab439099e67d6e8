"""Claims of `balanced`, Section 3 and appendix: the numbers of jobs, their network, and what it costs to be stable."""

import numpy as np

from clustershare.multiserver import CompatibilityGraph
from compendium.press.findings import check, equality, finding
from pages.balanced_fairness.systems import balance_functions, clusters, sets, without, without_an_edge
from pages.balanced_fairness.witnesses.numbers import (
    product_form,
)


def least_value(constraints, before):
    """The one value of Phi(x) that keeps all constraints of the capacity set and attains one of them."""
    return max(sum(before.get(i, 0.0) for i in A) / capacity for A, capacity in constraints)


@check("balanced-057", both_links=True)
def balanced_fairness_is_unique(both_links=False):
    """State by state from no job on, against the library's (4); in the control the third class needs two links."""
    systems, gap = clusters(), 0.0
    if both_links:
        systems = [(CompatibilityGraph([{0}, {1}, {0, 1}], [1.0, 1.0]), None)]
    for graph, _ in systems:
        constraints = [(A, graph.service_rate(A)) for A in sets(graph)]
        if both_links:
            constraints = [((0, 2), 1.0), ((1, 2), 1.0)]
        phi = {}
        for x, expected in sorted(balance_functions(graph, 5).items(), key=lambda item: sum(item[0])):
            phi[x] = least_value(constraints, {i: phi[without(x, i)] for i in np.flatnonzero(x)}) if any(x) else 1.0
            gap = max(gap, abs(phi[x] / expected - 1))
    return equality(gap, 1e-9)


@check("balanced-058", network=without_an_edge)
def most_efficient(network=lambda graph: graph):
    """Phi of the library against random balanced allocations inside the capacity set, up to 8 jobs."""
    rng, worst, fewer, most = np.random.default_rng(58), -np.inf, 0, 8
    for graph, rates in clusters():
        fair = balance_functions(network(graph), most)
        constraints, phi = [(A, graph.service_rate(A)) for A in sets(graph)], {}
        for x in sorted(fair, key=sum):
            slack = rng.uniform(1, 2) if rng.random() < 0.5 else 1.0
            before = {i: phi[without(x, i)] for i in np.flatnonzero(x)}
            phi[x] = slack * least_value(constraints, before) if any(x) else 1.0
            worst = max(worst, fair[x] / phi[x] - 1)
        jobs = [product_form(rates, each) @ np.array(list(each)) for each in (fair, {x: phi[x] for x in fair})]
        fewer += bool((jobs[0] <= jobs[1] + 1e-12).all())
    said = "never above" if worst < 1e-12 else f"above by up to {worst:.0%}"
    return finding(f"Phi of (4) is {said}; mean numbers of all classes smallest in {fewer} of 100", worst < 1e-12)
