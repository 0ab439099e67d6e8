"""Claim of `thesis`, Section 7.2, item 3: patterns against random splitting."""

import numpy as np

from clustershare import splitting
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere
from compendium.press.clauses.conditions import equal, larger
from compendium.press.findings import check
from pages.share_scheduling.conclusions.in_turn import capacity_loss, number_law, share_deviations

LOADS = {2: (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8), 3: (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)}
CASES = {1: (0.5, 0.5), 2: (0.25, 0.5), 3: (0.5, 0.75)}  # part of the load that group 1 brings, its share


@check("thesis-7-017", cyclic=False)
def dealt_in_turn(cyclic=True):
    """Both quantities if jobs are dealt in turn and by chance; in the control the next processor is drawn by chance."""

    def less(P, load):
        law, speeds = number_law(load, P, cyclic), np.full(P, 1 / P)
        lost, by_chance = capacity_loss(load, law, P), splitting.capacity_loss(speeds, np.full(P, load))
        found = {"the loss": by_chance - lost, "part": 1 - lost / by_chance}
        if cyclic:
            jobs = splitting.pattern_allocation(range(P), load, speeds).mean_jobs.sum()
            found["gap"] = law @ np.arange(len(law)) / jobs - 1
        for case, (part, share) in CASES.items():
            own, shares = (load * part, load * (1 - part)), (share, 1 - share)
            other = splitting.horizontal(shares, own, speeds).group_share_deviation.max()
            found[f"the deviation in case {case}"] = other - share_deviations(own, shares, law, P).max()
        return found

    systems = [(P, load) for P, loads in LOADS.items() for load in loads]
    found = cases("point", systems, [f"P = {P}, load {load}" for P, load in systems]).measure(less)
    part, gap = found.pop("part"), found.pop("gap", None)
    known = [everywhere("the mean numbers of jobs by the chain and of the pattern", gap, equal(1e-6))] if gap else []
    return conclude(
        *(at_each(f"{name} by chance less that in turn", gain, larger(1e-6)) for name, gain in found.items()),
        aside("what is gained of the loss, in parts of it", part),
        provided=known,
    )
