"""Claims of `thesis`, Section 7.2: patterns against random splitting, and large systems in whole processors."""

import numpy as np

from clustershare import splitting
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, measured
from compendium.press.clauses.conditions import at_least, equal, larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.conclusions.points.compared import WITHOUT
from pages.share_scheduling.conclusions.points.very_many import (
    LEAST,
    ODD,
    PROCESSORS,
    random_shares,
    rounded,
    values,
)
from pages.share_scheduling.conclusions.witnesses.in_turn import capacity_loss, number_law, share_deviations

LOADS = {2: (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8), 3: (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)}
NEGLIGIBLE = SCALE["practically equal"].most
CASES = {1: (0.5, 0.5), 2: (0.25, 0.5), 3: (0.5, 0.75)}  # part of the load that group 1 brings, its share


@check("thesis-7-017", cyclic=False)
def dealt_in_turn(cyclic=True):
    """Both quantities if jobs are dealt in turn and by chance; in the control the next processor is drawn by chance."""

    def less(P, load):
        law, plain, speeds = number_law(load, P, cyclic), number_law(load, P, cyclic=False), np.full(P, 1 / P)
        lost, by_chance = capacity_loss(load, law, P), splitting.capacity_loss(speeds, np.full(P, load))
        found = {"the loss": by_chance - lost, "part": 1 - lost / by_chance}
        known = [by_chance - capacity_loss(load, plain, P)]
        if cyclic:
            jobs = splitting.pattern_allocation(range(P), load, speeds).mean_jobs.sum()
            found["gap"] = law @ np.arange(len(law)) / jobs - 1
        for case, (part, share) in CASES.items():
            own, shares = (load * part, load * (1 - part)), (share, 1 - share)
            other = splitting.horizontal(shares, own, speeds).group_share_deviation
            found[f"the deviation in case {case}"] = other.max() - share_deviations(own, shares, law, P).max()
            known += [*(other - share_deviations(own, shares, plain, P))]
        return {**found, "known": np.abs(known).max()}

    systems = [(P, load) for P, loads in LOADS.items() for load in loads]
    found = cases("point", systems, [f"P = {P}, load {load}" for P, load in systems]).measure(less)
    part, known, gap = found.pop("part"), found.pop("known"), found.pop("gap", None)
    jobs = [everywhere("the mean numbers of jobs by the chain and of the pattern", gap, equal(1e-6))] if gap else []
    return conclude(
        *(at_each(f"{name} by chance less that in turn", gain, larger(1e-6)) for name, gain in found.items()),
        aside("what is gained of the loss, in parts of it", part),
        provided=[
            everywhere("loss and deviations by chance, in the library and by the chain,", known, equal(1e-6)),
            *jobs,
        ],
    )


@check("thesis-7-019", processors=(10,))
def whole_processors_suffice(processors=(100, 200, 500, 1000)):
    """Random shares in whole processors; the control has ten processors."""

    def met(P):
        gaps = []
        for groups in range(2, 6):
            shares = random_shares(1000, groups)
            gaps.append(np.abs(rounded(shares, P) / P / shares - 1).max(axis=1))
        return {"part": np.mean(np.array(gaps) <= NEGLIGIBLE), "worst": np.max(gaps)}

    found = cases("number of processors", processors).measure(met)
    deviation = [[values()[P, 1, WITHOUT, "SVP", local] for local in LOCAL] for P in (PROCESSORS[1], ODD)]
    return conclude(
        at_each("the part of the shares that are met within a hundredth", found["part"], at_least(0.99)),
        aside("the largest difference of a share", found["worst"]),
        aside("processors from which on all are met, as one is a hundredth of the least share",
              exact(round(1 / (NEGLIGIBLE * LEAST)))),
        *(
            aside(f"the deviation of SVP on {P} processors", measured(*np.transpose(row), local_policy=LOCAL))
            for P, row in zip((PROCESSORS[1], ODD), deviation)
        ),
    )  # fmt: skip
