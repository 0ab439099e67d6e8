"""Beyond `thesis`, Section 4.5.3: the conjecture on one processor for each group, and minima with a proof."""

import numpy as np

from clustershare.splitting import assignment, certify_group_share_deviation, horizontal, vertical
from clustershare.splitting.certify_shares import none_below
from clustershare.splitting.fairest import deviations_of
from compendium.press.clauses import aside, cases, conclude, equalities, everywhere, exact, fact, grid
from compendium.press.clauses.conditions import at_least, at_most, larger, rises, within
from compendium.press.findings import check, relative_difference
from pages.share_scheduling.splitting.systems.assignments import (
    best_found,
    equal,
    largest,
    moved_border,
    one_to_one,
    routings_of,
)

EXACT = 1e-12
EVEN = (0.5, 0.5)


@check("thesis-4-170", alike=False)
def one_processor_for_each(alike=True):
    """The two inequalities of the proof, and what they prove, over random routings."""
    rng = np.random.default_rng(170)
    systems = [(loads, routings_of(loads, 50, rng)) for P in range(2, 7) for loads in one_to_one(P, 20, 170 + P)]

    def proven(loads, split):
        P = len(loads)
        work, parts = P * loads, np.ones(P) if alike else np.arange(1, P + 1)
        required = parts / parts.sum()
        found = deviations_of(required, equal(P), split)
        own = assignment(required, np.diag(work), equal(P))
        stable = (split.sum(axis=1) < 1).all(axis=1)
        jobs = (split[stable] / (1 - split[stable].sum(axis=1, keepdims=True))).sum(axis=2)
        light = work < 1  # alone on a processor, the others would have no queue to be compared with
        alone = work[light] / (1 - work[light])
        more = jobs[:, light] - alone
        one = assignment(required, split[stable][0], equal(P)).mean_jobs if stable.any() else None
        return {
            "least": found.max(axis=1).min(), "VPRS": abs(own.group_share_deviation).max(),
            "sum": (more / alone**2).sum(axis=1).min(initial=np.inf),
            "content": ((found[stable][:, light] <= 0) & (more > 1e-9)).sum(),
            "jobs": 0.0 if one is None else relative_difference(one, jobs[0]),
        }  # fmt: skip

    found = cases("random system", systems, seed=170).measure(proven)
    return conclude(
        everywhere("the least Delta^G of 50 random routings", found["least"], larger()),
        everywhere("Delta^G in VPRS", found["VPRS"], within(EXACT)),
        everywhere(
            "the number of groups that are not short and have more jobs than alone", found["content"], within(0)
        ),
        everywhere("the weighted sum of the jobs more than alone", found["sum"], at_least(-1e-9)),
        *equalities({"the mean numbers of jobs, relatively, and the library's": found["jobs"]}, 1e-9),
        ours=True,
    )


@check("thesis-4-171", heavy=False)
def two_that_flood(heavy=True):
    """Groups 1 and 2 mixed on processors 1 and 2 such that each obtains the work of one."""
    rng = np.random.default_rng(171)

    def systems():
        for k in range(50):
            light = 2 + k % 2
            work = np.append(rng.uniform(1.05, 1.3, 2), rng.dirichlet(np.ones(light))[:-1] * 0.3)
            work[:2] *= 1 if heavy else 0.6
            yield work, 0.1 * (work[:2].min() - 1) if heavy else 0.01

    def deviation(work, little):
        # What group 2 sends back, such that the parts of group 1 on both processors sum to 1.
        back = (work[1] - np.sqrt(work[1] ** 2 - 4 * little * (work[0] - little))) / 2
        split, P = np.diag(work), len(work)
        split[:2, :2] = [[work[0] - little, little], [back, work[1] - back]]
        return {"deviation": largest(assignment(equal(P), split, equal(P))), "elsewhere": little}

    found = cases("random system", systems(), seed=171).measure(deviation)
    return conclude(
        everywhere("Delta^G", found["deviation"], within(EXACT)),
        aside("the work of group 1 on the other processor, as a part of what that can do", found["elsewhere"]),
        ours=True,
    )


@check("thesis-4-172", best=vertical)
def proven_counterexample(best=None):
    """By branch and bound with a gap of 1e-6; above a routing that is known, on three processors, it proves nothing."""
    system = EVEN, (0.3, 0.2), 4
    result = best(*system) if best else certify_group_share_deviation(*system, gap=1e-6)
    other = (1 / 3, 2 / 3), (0.3, 0.2), 3
    wrong = none_below(*other, largest(vertical(*other)) + 1e-3, most_boxes=10_000)
    proven = result.method == "branch and bound" and result.error == 1e-6
    return conclude(
        fact("branch and bound proves that no routing is lower by 1e-6", proven, "nothing is proven"),
        fact("above a routing that is known it proves nothing", not wrong, "it proves what is wrong"),
        everywhere("the least Delta^G less 0.1217", exact(largest(result) - 0.1217), within(0.00005)),
        aside("the least Delta^G", exact(largest(result))),
        ours=True,
    )


@check("thesis-4-173", required=(0.25, 0.75))
def when_a_small_move_helps(required=EVEN):
    """From all processors of the worse group to all of the others; the condition is for two processors each."""
    sizes = np.round(4 * np.array(required)).astype(int)
    loads = np.random.default_rng(173).random((300, 2)) * required
    served = np.repeat(np.eye(2), sizes, axis=1)
    split = (loads / required)[:, :, None] * served
    before = deviations_of(np.array(required), equal(4), split)
    worse = before.argmax(axis=1)
    rows = np.arange(len(loads))
    a, b = (loads / required)[rows, worse], (loads / required)[rows, 1 - worse]
    moved = split.copy()
    moved[rows, worse] *= 1 - 1e-5
    moved[rows, worse] += (1e-5 * a * sizes[worse] / sizes[1 - worse])[:, None] * served[1 - worse]
    lower = deviations_of(np.array(required), equal(4), moved).max(axis=1) < before.max(axis=1)
    left, right = (1 - a) * (0.5 + a), (1 - b) * (0.5 + 1.5 * a)
    judged = (abs(left - right) >= 1e-3) & (abs(before @ [1, -1]) >= 1e-3)
    helped = {"more": lower[judged & (a >= b)], "less": lower[judged & (a < b)]}
    return conclude(
        everywhere("the move helps if and only if the condition holds",
                   exact(lower == (left < right), random_system=None).where(judged, "too close to an edge")),
        *(aside(f"the part of the systems where it helps if the worse group brings {how}", exact(part.mean()))
          for how, part in helped.items()),
        ours=True,
    )  # fmt: skip


@check("thesis-4-174", policy=horizontal)
def proven_minima(policy=None):
    """At a load of 0.5 and three splits of it; the control does not search."""

    def searched(part):
        system = EVEN, (0.5 * part, 0.5 * (1 - part))
        best = policy(*system, equal(4)) if policy else certify_group_share_deviation(*system, 4)
        proven = best.method == "branch and bound" and best.error <= 1e-3
        return {"proven": proven, "above": largest(vertical(*system, 4)) - largest(best)}

    found = cases("part of group 1", (0.5, 0.7, 0.9)).measure(searched)
    return conclude(
        everywhere("the least Delta^G is proven within 1e-3", found["proven"]),
        aside("the Delta^G of VPRS less that", found["above"]),
        ours=True,
    )


@check("thesis-4-175", loads=(0.25, 0.25))
def far_in_large_systems(loads=(0.25, 0.005)):
    """What VPRS leaves on the table as processors become more."""

    def apart(P):
        return largest(vertical(EVEN, loads, P)) - min(
            largest(moved_border(EVEN, loads, P, kept)) for kept in range(1, P // 2 + 1)
        )

    found = cases("P", (4, 10, 20, 50, 100)).measure(apart)
    return conclude(
        everywhere("the Delta^G of VPRS less the least with another border", found.steps("P"), rises()),
        everywhere("with 100 processors that difference", found.at(P=100), larger(0.25)),
        aside("the differences", found),
        ours=True,
    )  # fmt: skip


@check("thesis-4-176", part=0.6)
def best_at_equal_loads(part=0.5):
    """VPRS less the best found."""

    def below(P, load):
        system = EVEN, (load * part, load * (1 - part)), P
        return largest(vertical(*system)) - largest(best_found(*system))

    found = grid(P=(2, 4, 6, 8), load=(0.3, 0.5, 0.7, 0.9)).measure(below)
    return conclude(everywhere("the Delta^G of VPRS less that of the best found", found, at_most(1e-9)), ours=True)


@check("thesis-4-177", loads=(0.3, 0.2))
def overloaded_on_purpose(loads=(0.44, 0.36)):
    """The largest load of a processor in the best assignment, and what it is worth."""
    system = EVEN, loads, 4
    best = best_found(*system, starts=8)
    most, gain = best.processor_loads.sum(axis=0).max(), largest(vertical(*system)) - largest(best)
    return conclude(
        everywhere("the largest load of a processor less 1", exact(most - 1), larger()),
        everywhere("the Delta^G of VPRS less that of this routing", exact(gain), larger(0.002)),
        fact("branch and bound finds none lower by 2e-4", none_below(*system, largest(best) - 2e-4),
             "branch and bound does not prove that none is lower by 2e-4"),
        aside("Delta^G of this routing", exact(largest(best))),
        ours=True,
    )  # fmt: skip
