"""Claims of `thesis`, Section 2.7: all objectives at once."""

import numpy as np

from clustershare.delivery import deliver
from clustershare.multiprocessor import group_weights
from clustershare.shares import (
    State,
    feasible_group_share,
)
from compendium.press.clauses import conclude, everywhere
from compendium.press.clauses.conditions import at_most
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.systems import EXACT, systems
from pages.share_scheduling.objectives.witnesses.delivery import (
    fits_without_migration,
    played,
)


@check("thesis-2-035", migration=False)
def all_objectives(migration=True):
    """No loss, no group short, and equal jobs: by the program, with the jobs of a group taking turns, played."""

    def off(speeds, required, jobs):
        P = len(speeds)
        who, wanted = np.array(members(jobs)), feasible_group_share(required, jobs, P)
        if not migration:
            return 0.0 if fits_without_migration(wanted, jobs, speeds) else 1.0
        found = deliver(wanted, who, speeds, lossless=True)
        turns = np.array([found.weights[who == group].mean(axis=0) for group in who])
        divided = (
            (group_weights(required, jobs, speeds) / np.maximum(jobs, 1)[:, None])[who] if len(jobs) > 1 else turns
        )
        obtained = played(turns, speeds) / speeds.sum()
        state, second = (State(speeds, required, who, np.clip(one, 0, None)) for one in (turns, divided))
        groups = np.array([obtained[who == group].sum() for group in range(len(jobs))])
        short = (np.minimum(required, np.array(jobs) / P) - groups).max()  # of (2.26)
        lost = np.sort(speeds)[::-1][: len(who)].sum() / speeds.sum() - obtained.sum()
        apart = max(np.ptp(obtained[who == group]) for group in set(who))
        targets = [value for one in (state, second) for value in (
            one.group_share_deviations.max(), abs(one.capacity_loss), one.job_share_deviations.max(),
        )]  # fmt: skip
        return max(*targets, difference(obtained, state.obtained_job_shares), short, abs(lost), apart)

    drawn = systems(500, 35, jobs=lambda P: 2 * P, alike=2).without("without jobs", lambda *one: not one[-1].any())
    worst = drawn.measure(off)
    return conclude(
        everywhere("the largest of loss, deviations, and differences within a group", worst, at_most(EXACT))
    )
