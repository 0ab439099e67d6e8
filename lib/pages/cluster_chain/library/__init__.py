"""What the library answers on the cluster chain, its sizes, its sizing and its variants, held against small chains.

The chains follow the rules state by state, from what was given: no table, order or property of the library. Laws of
times are mixtures of Erlangs, so that the simulators are held against chains, too. `answers` has all of them.
"""

from compendium.press.clauses import cases, equalities, everywhere, exact, measured
from compendium.press.clauses.conditions import agrees, equal
from pages.cluster_chain.library.chain import ROUNDING, of_chain, of_counts, of_laws, of_saturation, of_sizing
from pages.cluster_chain.library.shared import Given, clusters, near
from pages.cluster_chain.library.simulators import (
    BURSTS,
    RUN,
    of_laws_by_size,
    of_memories,
    of_memory_limits,
    simulated,
)
from pages.cluster_chain.library.variants import of_energy, of_priority


def answers():
    """The clauses of the library's answers on this chapter's models.

    Returns
    -------
    tuple of compendium.press.clauses.conclusions.Clause
    """
    chosen, wide = clusters(), Given(6, 2, {3: 0.3, 1: 0.5, 2: 0.2}, 2.0, 7.0, {1: 1.2, 3: 0.9, 2: 0.7})
    sleeping = [(chosen[3], 1.3, 0.4), (chosen[1], 0.5, 2.0), (chosen[4], 4.0, 0.0), (wide, 0.8, 0.6)]
    classes = [
        (7, (2, 1), (4, 1), (0.5, 1.4), (1.3, 0.7), 5.0), (6, (0, 3), (1, 3), (2.0, 0.8), (0.9, 1.7), 2.0),
        (5, (1, 0), (2, 2), (1.0, 0.6), (0.8, 1.1), 8.0), (1, (2, 2), (1, 1), (0.3, 0.9), (2.0, 1.5), 3.0),
        (9, (2, 3), (3, 1), (0.7, 2.5), (0.6, 0.8), 6.0),
    ]  # fmt: skip
    saturated = [
        (1, {1: 1.0}, 2.5), (6, {4: 0.2, 2: 0.0, 1: 0.5, 3: 0.3}, {1: 0.7, 3: 2.0, 4: 1.1, 2: 9.0, 8: 3.0}),
        (7, {3: 0.6, 2: 0.4}, 1.4), (5, {2: 0.3, 5: 0.1, 1: 0.6}, 1.0), (8, {5: 0.5, 2: 0.5}, {2: 0.3, 5: 4.0}),
        (27, {3: 0.2, 1: 0.3, 2: 0.5}, {2: 1.2, 3: 0.6, 1: 0.8}),
    ]  # fmt: skip
    sizing = [
        (3, 9, 2, {3: 0.4, 2: 0.6}, 3.0, 9.0, {2: 1.0, 3: 1.6}),
        (4, 12, 3, {4: 0.3, 2: 0.7}, 4.0, 12.0, {2: 1.5, 4: 0.9}),
    ]  # fmt: skip
    counted = exact([of_counts(given) for given in chosen], cluster=None)
    numbers = everywhere("the numbers of states and those reached", counted, equal(ROUNDING))
    if (
        counted.value.any()
    ):  # by these numbers the library makes tables, which kernels fill without a look at their ends
        return (numbers,)
    return (
        numbers,
        *equalities(cases("cluster", chosen, seed=64).measure(of_chain), ROUNDING),
        *equalities(cases("law", [(1, 0.4, 2.5), (6, 2.2, 0.7), (9, 0.6, 0.0)]).measure(of_laws), ROUNDING),
        *equalities(cases("saturated cluster", saturated).measure(of_saturation), ROUNDING),
        *equalities(cases("workload", sizing).measure(of_sizing), 1e-7),
        *equalities(cases("sleeping cluster", sleeping).measure(of_energy), ROUNDING),
        *equalities(cases("pair of classes", classes).measure(of_priority), ROUNDING),
        *equalities(
            {"the memories of simulators and their formula": exact(of_memories()),
             "the limits of memory and what is refused": exact(of_memory_limits()),
             "laws of sizes by name and in order": exact(of_laws_by_size(chosen[1].cluster)),
             "rates of leaving a burst and its sojourns": exact(near(BURSTS.switching, (0.5, 1.25)))}, ROUNDING),
        *(
            everywhere(f"a simulation with {what}, less its chain,",
                       measured(*zip(*gaps), runs=RUN["replications"], quantity=None), agrees())
            for what, gaps in simulated().items()
        ),
    )  # fmt: skip
