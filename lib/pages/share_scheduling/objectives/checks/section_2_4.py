"""Claims of `thesis`, Section 2.4: what the promises depend on, and what is missed without migration."""

import functools
from collections import Counter

import numpy as np

from clustershare.delivery import deliver
from clustershare.shares import (
    State,
    feasible_group_share,
)
from compendium.press.clauses import aside, conclude, everywhere, exact, mended, somewhere
from compendium.press.clauses.conditions import equal, larger
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.systems import EXACT, random_capacities, systems
from pages.share_scheduling.objectives.witnesses.delivery import (
    delivered,
    fits_with_migration,
    fits_without_migration,
)


@functools.cache
def most_of_alike(jobs, processors):
    """The most that so many jobs can have together of like processors, of all capacity, by the linear program."""
    return deliver([0.0], [0] * int(jobs), np.ones(processors)).margin if jobs else 0.0


@check("thesis-2-038", bar=True)
def what_promises_depend_on(bar=False):
    """Capacities scaled, and others of the same sum; and other numbers of processors. The control takes (2.24).

    What is promised is what a group can have at most where processors are alike, by the linear program.
    """
    rng = np.random.default_rng(38)

    def moved(speeds, required, jobs):
        def promised(capacities):
            state = State(capacities, required, members(jobs), np.zeros((sum(jobs), len(capacities))))
            return state.maximum_feasible_group_shares if bar else state.feasible_group_shares

        P, before, other = len(speeds), promised(speeds), random_capacities(rng, len(speeds))
        changed = {
            "scale": [speeds * factor for factor in (0.5, 2, 10)], "capacities": [other * speeds.sum() / other.sum()],
            "number": [np.full(P - 1, speeds.sum() / (P - 1)), np.full(P - 1, speeds.mean())],
        }  # fmt: skip
        known = [min(share, most_of_alike(n, P)) for share, n in zip(required, jobs)]
        return {"known": difference(before, known)} | {
            name: max(difference(before, promised(system)) for system in others) for name, others in changed.items()
        }

    found = systems(200, 38, processors=(2, 6), groups=(2, 4), jobs=lambda P: P + 1).measure(moved)
    of_capacities = exact([found[name].value.max() for name in ("scale", "capacities")], cause=("scale", "capacities"))
    known = [] if bar else [everywhere("promises and the most of like processors", found["known"], equal(EXACT))]
    return mended(
        somewhere("what a change of the capacities changes of a promise", of_capacities, larger(EXACT)),
        somewhere("what another number of processors changes of it", found["number"], larger(EXACT)),
        *known,
    )


@check("thesis-2-043", migration=True)
def placed_at_best(migration=False):
    """The targets (2.26) without migration, by all placements; what is missed is delivered with migration."""

    def delivery(speeds, required, jobs):
        wanted = feasible_group_share(required, jobs, len(speeds))
        met = (fits_with_migration if migration else fits_without_migration)(wanted, jobs, speeds)
        return {"missed": not met, "with": met or delivered(wanted, jobs, speeds)}

    drawn = systems(1350, 43, processors=(2, 4), groups=(2, 4), alike=2, in_twentieths=True)
    found = drawn.measure(delivery)
    few = [(case, missed) for case, missed in zip(drawn.cases, found["missed"].value) if 0 < sum(case[2]) <= 5]
    few = [one for kind in (True, False) for one in [each for each in few if bool(each[1]) == kind][:15]]
    placed = exact([
        deliver(feasible_group_share(required, jobs, len(speeds)), members(jobs), speeds, migration=False).feasible
        != bool(missed) for (speeds, required, jobs), missed in few
    ], system=None)  # fmt: skip
    kinds = [(speeds[0] == speeds[-1], len(required), len(speeds)) for speeds, required, _ in drawn.cases]
    count = Counter(kind for kind, missed in zip(kinds, found["missed"].value) if missed)
    return conclude(
        somewhere("the targets are missed without migration", found["missed"]),
        *(aside(f"the number of such systems of {'like' if like else 'unlike'} processors with {G} groups",
                exact([count[like, G, P] for P in (2, 3, 4)], number_of_processors=(2, 3, 4)))
          for like in (True, False) for G in (2, 3, 4)),
        provided=[
            everywhere("what is missed is delivered with migration", found["with"]),
            *([] if migration else [everywhere("the library's best placement and all of them agree", placed)]),
        ],
    )  # fmt: skip
