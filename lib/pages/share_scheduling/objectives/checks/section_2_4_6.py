"""Claims of `thesis`, Section 2.4.6: the mean group-share deviation."""

import math

import numpy as np

from clustershare import uniprocessor
from compendium.press.clauses import cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import agrees, equal
from compendium.press.findings import check
from pages.share_scheduling.objectives.witnesses.mean_deviations import (
    gap_on_two_processors,
    lattice,
    law_by_chain,
    loaded,
    mean_deviation,
    shared_law,
)
from pages.share_scheduling.one_processor.simulated import simulations

# By policy: numbers of groups, of systems, and the largest load.
KINDS = {
    "FCFS": ((2, 20, 0.95), (3, 10, 0.7)), "PS": ((2, 20, 0.95), (3, 10, 0.7)),
    "PQ": ((2, 5, 0.7), (3, 5, 0.4)), "GPPS": ((2, 5, 0.7), (3, 5, 0.4)), "PPS": ((2, 5, 0.7), (3, 2, 0.4)),
}  # fmt: skip


def against_states(way):
    """How far the library's deviations are from those of states weighted one by one, relative to the largest."""
    rng, systems = np.random.default_rng(31), []
    for policy, kinds in KINDS.items():
        for groups, count, most in kinds:
            systems += [(policy, *system) for system in loaded(rng, count, groups, most)]

    def gap(policy, required, loads):
        level = math.ceil(math.log(1e-9) / math.log(loads.sum()))
        if policy in ("FCFS", "PS"):
            jobs = lattice(len(loads), level)
            law = shared_law(jobs, loads)
        else:
            jobs, law = law_by_chain(policy, required, loads, level)
        known = uniprocessor.exact(policy, required, loads).group_share_deviation
        known = known.max() if way == "maximum" else known
        return np.abs(mean_deviation(policy, jobs, law, required, way) - known).max() / np.abs(known).max()

    return cases("system", systems, seed=31).measure(gap)


def simulated():
    """The simulated deviations of one system of each kind, less the exact ones: a list of Points."""
    rng, found = np.random.default_rng(310), []
    for policy, kinds in KINDS.items():
        for groups, _, most in kinds:
            ((required, loads),) = loaded(rng, 1, groups, most)
            known = uniprocessor.exact(policy, required, loads).group_share_deviation
            system = {"required_shares": required, "arrival_rates": loads}
            found.append(simulations(policy, [system], [known], jumps=20_000, warmup=2000))
    return found


@check("thesis-2-031", ways=("maximum", "processors"))
def expected_deviation(ways=(None,)):
    """The library against states; the controls take the maximum inside the mean, or (2.26) for another system."""
    said, right = "the mean over the law of the states, of each group, and the library's deviation", ways == (None,)
    two = exact(gap_on_two_processors(np.random.default_rng(32), None))
    return conclude(
        *(everywhere(said, against_states(way), equal(1e-6)) for way in ways),
        everywhere("on two processors that mean by states and by the law of the number of jobs", two, equal(1e-6)),
        provided=[everywhere("the simulated deviation less the exact one", points, agrees()) for points in simulated()]
        if right else [],
        whole=True,
    )  # fmt: skip
