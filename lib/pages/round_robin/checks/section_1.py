"""Claims of `roundrobin`, Section I: the example of Figure 1, and when it is stable."""

import numpy as np

from clustershare import interruptions, multiserver
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import Exponential
from compendium.press.clauses import cases, conclude, everywhere
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check
from pages.balanced_fairness.witnesses.numbers import mass_falls
from pages.balanced_fairness.witnesses.paths import path
from pages.round_robin.systems import CLASSES, SUBSETS, random_capacities, random_traffic

SETS = {0: {0b01}, 1: {0b01, 0b10, 0b11}, 2: {0b10}}  # of computers that the caption lets each class have, as bits


@check("roundrobin-001", servers_of_class=((0,), (1,), (1,)))
def three_classes(servers_of_class=CLASSES):
    """The sets of computers ever at work for each class on paths, and the rates of lone jobs by the library."""

    def on_a_path(number, capacities):
        graph, (first, second) = CompatibilityGraph(servers_of_class, capacities), capacities
        seen = path(graph, np.full(3, 0.4 * min(capacities)), Exponential(), 100_000, seed=1, number=number)
        told = {**dict.fromkeys(SUBSETS, first + second), (0,): first, (2,): second}
        whose = [interruptions.served(graph, [(7, i)]) for i in range(3)]  # of lone jobs
        alone = [multiserver.state_rates(graph, [i])[0] - told[i,] for i in range(3)]
        return {
            "sets": all(set(np.flatnonzero(seen.exposure[i])) == SETS[i] for i in range(3)),
            "library": whose == [[7, None], [7, 7], [None, 7]],
            "gap": np.abs([seen.gap, *alone, *(graph.service_rate(A) - rate for A, rate in told.items())]).max(),
        }

    found = cases("pair of capacities", enumerate(random_capacities(20)), seed=5).measure(on_a_path)
    return conclude(
        everywhere("each class has the computers of the caption, and no others,", found["sets"]),
        everywhere("by the library, too, a lone job has these", found["library"]),
        everywhere("its rates and those of the caption", found["gap"], equal(1e-12)),
        whole=True,
    )


@check("roundrobin-007", change=lambda graph: CompatibilityGraph(((0,), (1,), (1,)), graph.capacities))
def stability_region(change=lambda graph: graph):
    """The three inequalities against the growth of the mass of long queues; in the control class 2 has one computer."""

    def same(graph, rates):
        first, second = graph.capacities
        inside = rates[0] < first and rates[2] < second and rates.sum() < first + second
        graph = change(graph)
        return {"mass": inside == mass_falls(graph, rates), "library": inside == multiserver.is_stable(graph, rates)}

    systems = [each for boundary in (0.95, 1.05) for each in random_traffic(300, boundary)]
    found = cases("random system", systems, seed=6).measure(same)
    return conclude(
        everywhere("the queues stay short just if the three inequalities hold,", found["mass"]),
        everywhere("the library calls the system stable just if they hold,", found["library"]),
        ours=True,
    )
