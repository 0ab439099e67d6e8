"""Claims of `thesis`, Section 2.4.2: requirements of a promise."""

import itertools

import numpy as np

from clustershare.delivery import deliver
from clustershare.shares import State, feasible_group_share, maximum_feasible_group_share
from compendium.press.clauses import aside, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import at_most, equal
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.systems import EXACT, drawn, random_capacities, random_jobs
from pages.share_scheduling.objectives.witnesses.delivery import most_by_program


def promises(processors, monotone=True):
    """All promises in tenths to a group with 0, ..., P + 2 jobs, as rows, that meet requirement 2 (in the jobs)."""
    rows = np.indices((11,) * (processors + 3), dtype=np.int8).reshape(processors + 3, -1).T
    return rows[(np.diff(rows, axis=1) >= 0).all(axis=1)] if monotone else rows


def never_falls(share):
    """Requirement 2: not falling in the number of jobs (columns), nor in the required share (rows)."""
    return (np.diff(share, axis=0) >= -EXACT).all() and (np.diff(share, axis=1) >= -EXACT).all()


@check("thesis-2-013", monotone=False)
def promises_fit(monotone=True):
    """Promises in tenths that meet requirements 2 and 3: none above r, so no sum above that of the r.

    In the control a promise may fall when jobs come.
    """
    rows = {P: promises(P, monotone) for P in (1, 2, 3)}

    def above(P, r):
        meeting = rows[P][(rows[P][:, P:] == r).all(axis=1)]  # requirement 3: certainly from P jobs on
        return int(meeting.max()) - r

    def meets(P, alike):
        capacities = np.ones(P) if alike else np.arange(P, 0, -1)
        r, N = np.meshgrid(np.arange(1, 10) / 10, np.arange(P + 3), indexing="ij")
        return all(
            never_falls(share) and difference(share[:, P:], r[:, P:]) < EXACT
            for share in (feasible_group_share(r, N, P), maximum_feasible_group_share(r, N, capacities))
        )

    over = grid(processors=(1, 2, 3), tenths=range(1, 10)).measure(above)
    divided = [parts for G in (2, 3, 4) for parts in itertools.combinations_with_replacement(range(1, 10), G)
               if sum(parts) == 10]  # fmt: skip
    sums = [over.value[:, np.subtract(parts, 1)].sum(axis=1).max() for parts in divided]
    return conclude(
        everywhere("the largest promise less what is required, in tenths,", over, at_most(0)),
        everywhere("the largest sum of promises less 1, in tenths,", exact(sums, division=None), at_most(0)),
        everywhere("(2.26) and (2.24) meet both requirements", grid(processors=(1, 2, 3), alike=(1, 0)).measure(meets)),
        whole=True,
    )


@check("thesis-2-014", obtainable=False)
def below_the_maximum(obtainable=True):
    """Promises in tenths that meet the three requirements; the control drops the first."""
    rows = {P: promises(P) for P in (1, 2, 3)}
    rng = np.random.default_rng(14)

    def compared(P, system):
        speeds, jobs = random_capacities(rng, P, system == 1), np.arange(P + 3)
        most = np.array([most_by_program(N, 0, speeds) for N in jobs])
        kept = rows[P][(rows[P] / 10 <= most + EXACT).all(axis=1)] if obtainable else rows[P]
        above, gap, least = [], [], []
        for r in range(1, 10):
            meeting = kept[(kept[:, P:] == r).all(axis=1)] / 10
            bars = maximum_feasible_group_share(r / 10, jobs, speeds)
            above.append((meeting - bars).max())
            gap.append(difference(meeting.max(axis=0)[P:], bars[P:]))
            least.append(difference(bars, np.minimum(r / 10, most)))
        return {"above": max(above), "gap": max(gap), "least": max(least)}

    found = grid(processors=(1, 2, 3), system=(1, 2, 3, 4)).measure(compared)
    return conclude(
        everywhere("a promise less the maximum (2.24)", found["above"], at_most(EXACT)),
        everywhere("with as many jobs as processors the largest promise and the maximum", found["gap"], equal(EXACT)),
        everywhere(
            "the maximum, and the smaller of r and what can be had by the program,", found["least"], equal(EXACT)
        ),
        whole=True,
    )


def _requirements(definition, asked=60):
    """How far a definition is above what can be had or below 0, falls, is short of r with P jobs: Points by name."""

    def off(rng, trial):
        P = rng.integers(1, 7)
        speeds = random_capacities(rng, P, trial % 4 == 0)
        r, N = np.sort(rng.uniform(0.001, 0.999, 8))[:, None], np.arange(3 * P + 1)
        share = definition(r, N, speeds)
        most = np.append(0.0, np.cumsum(speeds))[np.minimum(N, P)] / speeds.sum()
        if trial < asked:
            most = np.minimum(most, [deliver([0.0], [0] * n, speeds).margin if n else 0.0 for n in N])
        return {
            "what is promised above the most that can be had": max((share - most).max(), -share.min()),
            "a fall in jobs or required shares": -min(np.diff(share, axis=0).min(), np.diff(share, axis=1).min()),
            "what is short of r with P jobs": difference(share[:, P:], np.broadcast_to(r, share[:, P:].shape)),
        }

    return drawn("system", 1000, 44).measure(off)


def _moved_by_others(rng, trial):
    """How much the promises to a group change when jobs of the others come: those of (2.24), those of (2.26)."""
    P = int(rng.integers(1, 7))
    speeds, (required, jobs) = random_capacities(rng, P, trial % 4 == 0), random_jobs(rng, 3, P + 2)
    more = jobs + [0, *rng.integers(1, P + 1, 2)]
    before, after = (
        State(speeds, required, members(each), np.full((sum(each), P), 1 / max(P, sum(each)))) for each in (jobs, more)
    )
    return {
        "maximal": abs(after.maximum_feasible_group_shares[0] - before.maximum_feasible_group_shares[0]),
        "chosen": abs(after.feasible_group_shares[0] - before.feasible_group_shares[0]),
    }


@check("thesis-2-044", definition=lambda r, jobs, c: np.minimum(r, np.asarray(jobs)) * c[-1] / np.sum(c))
def requirements_met(definition=maximum_feasible_group_share):
    """(2.24), and in the control the share that the slowest processor guarantees; (2.26) beside it."""
    chosen = _requirements(lambda r, jobs, c: feasible_group_share(r, jobs, len(c)), asked=0)
    maximal, own = drawn("system", 1000, 244).measure(_moved_by_others).values()
    chosen["what jobs of others change"] = own
    return conclude(
        *(everywhere(what, points, at_most(1e-12)) for what, points in _requirements(definition).items()),
        everywhere("what jobs of others change", maximal, at_most(1e-12)),
        *(aside(f"{what}, by (2.26)", points) for what, points in chosen.items()),
        whole=True,
    )
