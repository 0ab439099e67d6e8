"""Claims of `thesis`, Section 4.5.3, and ours: which assignment is fairest, and minima with a proof."""

import numpy as np

from clustershare.results import NoExactAnswer
from clustershare.splitting import assignment, certify_group_share_deviation, horizontal, vertical
from clustershare.splitting.certify_shares import none_below
from clustershare.splitting.fairest import deviations_of
from compendium.press.clauses import aside, at_each, cases, conclude, equalities, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import at_least, at_most, larger, rises, smaller, within
from compendium.press.findings import check, difference, relative_difference
from pages.share_scheduling.splitting.printed.partitions import vertical_deviation
from pages.share_scheduling.splitting.systems.assignments import (
    best_found,
    equal,
    fully_partitionable,
    largest,
    moved_border,
    one_to_one,
    order,
    pairs_of_routings,
    processor_loads,
    routings_of,
    shared_pairs,
)
from pages.share_scheduling.splitting.witnesses.partitions import deviations_of_routing

EXACT = 1e-12
HALVES = np.full(2, 0.5)
EVEN = (0.5, 0.5)


def by_assignment(required, splits):
    """The deviations of assignments on equal processors, one by one by the library, shape (systems, groups).

    The service rates are any: they matter on overloaded processors only.
    """
    rates = np.random.default_rng(4).uniform(0.2, 5, (len(splits), len(required)))
    return np.array([
        assignment(required, one, equal(one.shape[1]), mu).group_share_deviation for one, mu in zip(splits, rates)
    ])  # fmt: skip


@check("thesis-4-091", required=(0.6, 0.4))
def each_its_own_of_two(required=(0.5, 0.5)):
    """No other routing comes to 0; VPRS, its mirror image, and the best that the library finds do."""
    loads, to_first = pairs_of_routings(2000, 91)
    apart = (to_first.sum(axis=1) == 1) & (to_first.max(axis=1) == 1)
    split = processor_loads(loads, to_first)
    found = deviations_of(np.array(required), HALVES, split).max(axis=1)
    some = ~apart[:500]
    elsewhere = by_assignment(required, split[:500][some]).max(axis=1)

    def fair(pair):
        alone = vertical(required, pair, 2) if required == EVEN else assignment(required, np.diag(2 * pair), HALVES)
        return largest(alone)

    own = cases("pair of loads", loads[:50]).measure(fair)
    least = cases("pair of loads", loads[:10]).measure(lambda pair: largest(best_found(required, tuple(pair), 2)))
    return conclude(
        everywhere("Delta^G in VPRS", own, within(EXACT)),
        everywhere("Delta^G where each group has a processor", exact(found[apart], random_routing=None), within(EXACT)),
        everywhere("Delta^G elsewhere", exact(found[~apart], random_routing=None), larger()),
        everywhere("of the first 500, one by one, Delta^G elsewhere", exact(elsewhere, random_routing=None), larger()),
        everywhere("the least Delta^G that the library finds", least, within(1e-9)),
        whole=True,
    )


@check("thesis-4-092", capacities=(0.6, 0.4))
def mirror_image(capacities=(0.5, 0.5)):
    """The groups with processors exchanged."""
    speeds = np.array(capacities)

    def both(loads):
        vprs, mirrored = (
            abs(assignment(HALVES, routing * loads[:, None] / speeds, speeds, (1.0, 3.0)).group_share_deviation).max()
            for routing in (np.eye(2), np.eye(2)[::-1])
        )
        return {"unique": vprs <= EXACT < mirrored, "VPRS": vprs, "its mirror image": mirrored}

    found = cases("random pair of loads", pairs_of_routings(100, 92)[0], seed=92).measure(both)
    unique = everywhere("the deviations are 0 in VPRS and not in its mirror image", found.pop("unique"))
    return mended(unique, *(everywhere(f"the larger one in {name}", each, at_most(0)) for name, each in found.items()))


@check("thesis-4-093", group=1)
def key_inequality(group=0):
    """(4.147) in closed form and as the deviation of the library."""
    loads = shared_pairs(5000, 93)
    own, other = loads[:, group], loads[:, 1 - group]
    margin = 1 - own.sum(axis=1) - left_side(own, other)
    gap = deviations_of(HALVES, HALVES, loads)[:, group] - margin
    alone = by_assignment(HALVES, loads[:500])[:, group] - margin[:500]
    return conclude(
        everywhere("the right side of (4.147) less the left one", exact(margin, random_system=None), larger()),
        *equalities({"that and the deviation of the library": exact(gap, random_system=None),
                     "of the first 500, one by one, that and it": exact(alone, random_system=None)}, EXACT),
        whole=True,
    )  # fmt: skip


def least_change(loads, move):
    """Of the left side of (4.147), from the deviation of the lighter group, in 20 equal steps of a move of loads.

    With it, what that side is by its formula less.
    """
    moved = np.array([loads + move * k / 20 for k in range(21)])
    bring = 1 - moved[:, :, 0].sum(axis=2)
    left = bring - deviations_of(HALVES, HALVES, moved)[..., 0]
    off = np.array([each - left_side(one[:, 0], one[:, 1]) for each, one in zip(left, moved)])
    for k in (0, 10, 20):  # one by one
        alone = bring[k, :100] - by_assignment(HALVES, np.maximum(moved[k, :100], 0))[:, 0]
        off[k, :100] = np.maximum(np.abs(off[k, :100]), np.abs(left[k, :100] - alone))
    return exact(np.diff(left, axis=0).min(axis=0), random_system=None), exact(off, step=None, random_system=None)


def left_side(own, other):
    """Of (4.147), of a group's loads and the other's on both processors."""
    return np.prod((1 - own - other) / (1 - other), axis=1)


@check("thesis-4-148", group=1)
def moves_of_the_proof(group=0):
    """Step by step: `group` is the one whose load is moved, the left side is that of the lighter group."""
    loads = shared_pairs(2000, 148)
    gap = loads.sum(axis=1) @ [1, -1]
    level = np.sign(gap) * np.minimum(abs(gap) / 2, np.where(gap > 0, loads[:, group, 0], loads[:, group, 1]))
    own = np.eye(2)[group][:, None]
    levelling = level[:, None, None] * own * [-1, 1]
    even = loads + levelling
    even = even[abs(even.sum(axis=1) @ [1, -1]) <= EXACT]  # those that the first move has levelled
    to_first = np.where(even[:, group, 0] > even[:, group, 1], 1, -1)
    left_over = np.minimum(
        even[:, group].min(axis=1), np.where(to_first > 0, even[:, 1 - group, 0], even[:, 1 - group, 1])
    )
    concentrating = (to_first * left_over)[:, None, None] * (2 * own - 1) * [1, -1]
    changes = {
        "the processors are equalised": least_change(loads, levelling),
        "the group is concentrated": least_change(even, concentrating),
    }
    return conclude(
        *(everywhere(f"the least change of the left side of (4.147) in a step, as {how}", change, at_least(0))
          for how, (change, _) in changes.items()),
        *equalities({f"as {how}, that side by the library and by its formula": off
                     for how, (_, off) in changes.items()}, 1e-9),
        whole=True,
    )  # fmt: skip


@check("thesis-4-095", groups=2, sizes=((4, 30),))
def each_its_own_of_more(groups=None, sizes=((3, 100), (4, 30))):
    """Below VPRS, or at 0 elsewhere: by random routings and by descents; the control gives each group two of four."""

    def systems():
        for processors, number in sizes:
            count, rng = groups or processors, np.random.default_rng(95)
            for k, loads in enumerate(one_to_one(count, number, 95 + processors)):
                routings = rng.dirichlet(np.full(processors, 0.3), size=(10, count))
                yield processors, loads, routings * loads[:, None] * processors, k % 10 == 0

    def below(processors, loads, splits, searched):
        required, elsewhere = equal(len(loads)), False
        least = deviations_of(required, equal(processors), splits).max(axis=1).min()
        random = min(least, by_assignment(required, splits[:1]).max())
        if searched:
            best = best_found(tuple(required), tuple(loads), processors, starts=5)
            alone = (best.processor_loads > 1e-6).sum(axis=1) == 1
            elsewhere = largest(best) < 1e-9 and not alone[loads < 1 / processors].all()
            least = min(least, largest(best))
        own = largest(vertical(required, loads, processors))
        return {"gap": least - own, "alone": not elsewhere, "own": own, "random": random}

    found = cases("random system", systems(), seed=95).measure(below)
    return conclude(
        everywhere("the least Delta^G of all routings that are tried less that of VPRS", found["gap"], at_least(-1e-9)),
        everywhere("Delta^G in VPRS", found["own"], within(EXACT)),
        everywhere("the least Delta^G of random routings", found["random"], larger(1e-9)),
        everywhere("where a descent ends at 0, groups below 1/P have a processor each", found["alone"]),
        whole=True,
    )


@check("thesis-4-096", loads=(0.2, 0.3))
def counterexample(loads=(0.3, 0.2)):
    """Loads of the processors and both deviations."""
    result = vertical(HALVES, loads, 4)
    used = exact(result.processor_loads.max(axis=1), group=(1, 2))
    deviations = exact(result.group_share_deviation, group=(1, 2))
    return conclude(
        everywhere("the load of a group's processors less the printed one", used - exact([0.6, 0.4], group=(1, 2)),
                   within(0.0005)),
        everywhere("the deviation of a group less the printed one", deviations - exact([0.144, 0.096], group=(1, 2)),
                   within(0.0005)),
        aside("the loads", used),
        aside("the deviations", deviations),
        whole=True,
    )  # fmt: skip


PRINTED = np.array([[0.55, 0.55, 0.1, 0], [0, 0, 0.35, 0.45]])


@check("thesis-4-149", tenth=0.0)
def printed_assignment(tenth=0.1):
    """Both deviations to two digits, and that VPRS has a larger one."""
    loads = PRINTED.copy()
    loads[0, 2] = tenth
    found = assignment(HALVES, loads, equal(4)).group_share_deviation
    more = largest(vertical(HALVES, (0.3, 0.2), 4)) - found.max()
    return conclude(
        everywhere("the deviation less the printed 0.12", exact(found - 0.12, group=(1, 2)), within(0.005)),
        everywhere("the Delta^G of VPRS less the larger one", exact(more), larger()),
        aside("the deviations", exact(found, group=(1, 2))),
        whole=True,
    )


@check("thesis-4-098", processors=2)
def best_of_the_counterexample(processors=4):
    """Below VPRS and below the printed assignment, and a minimum to first order."""
    best = best_found((0.5, 0.5), (0.3, 0.2), processors, starts=30)
    others = {"VPRS": vertical(HALVES, (0.3, 0.2), processors)}
    if processors == 4:
        others["the printed assignment"] = assignment(HALVES, PRINTED, equal(4))
    loads = best.processor_loads[:, order(best.processor_loads)]
    below = exact([largest(best) - largest(other) for other in others.values()], assignment=tuple(others))
    return conclude(
        everywhere("the Delta^G of the best assignment found less that of another", below, smaller(1e-9)),
        everywhere("by how much it misses the conditions of a minimum", exact(best.error), at_most(1e-6)),
        *equalities({"its deviations and those by laws of numbers": exact(off_by_law(EVEN, best))}, 1e-9),
        aside("Delta^G of the best assignment found", exact(largest(best))),
        *(aside(f"the loads of the processors by group {g + 1}", exact(own, processor=range(1, processors + 1)))
          for g, own in enumerate(loads)),
        whole=True,
    )  # fmt: skip


@check("thesis-4-150", most=2)
def close_to_the_best(most=5):
    """VPRS less the best found; the control has one processor for each group."""

    def apart(*system):
        both = vertical(*system), best_found(*system)
        off = max(off_by_law(system[0], one) for one in both)
        return {"gap": largest(both[0]) - largest(both[1]), "missed": both[1].error, "off": off}

    found = cases("random system", fully_partitionable(50, 150, most), seed=150).measure(apart)
    return conclude(
        at_each("the Delta^G of VPRS less that of the best assignment found", found["gap"], at_most("close")),
        provided=[
            *equalities({"their deviations and those by laws of numbers": found["off"]}, 1e-9),
            everywhere("by how much the latter misses the conditions of a minimum", found["missed"], at_most(1e-6)),
        ],
    )


def off_by_law(required, result):
    """How far the deviations of an assignment are from those by laws of numbers that are convolved one by one."""
    return difference(result.group_share_deviation, deviations_of_routing(required, result.processor_loads))


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
        fair = max(abs(own.group_share_deviation).max(), largest(vertical(required, loads, P)) if alike else 0.0)
        return {
            "least": min(found.max(axis=1).min(), by_assignment(required, split[::10]).max(axis=1).min()), "VPRS": fair,
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
        mixed, own = assignment(equal(P), split, equal(P)), vertical(equal(P), work / P, P)
        return {
            "deviation": difference(mixed.group_share_deviation, 0), "own": difference(own.group_share_deviation, 0),
            "elsewhere": little, "moved": difference(mixed.routing, own.routing),
        }  # fmt: skip

    found = cases("random system", systems(), seed=171).measure(deviation)
    return conclude(
        everywhere("the largest deviation of a group", found["deviation"], within(EXACT)),
        everywhere("that under VPRS", found["own"], within(EXACT)),
        everywhere("the largest part of a group that VPRS sends elsewhere", found["moved"], larger(EXACT)),
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
    wrong |= none_below(*system, largest(result) + 1e-6, most_boxes=100_000)
    proven = result.method == "branch and bound" and result.error == 1e-6
    return conclude(
        *equalities({"its deviations and those by laws of numbers": exact(off_by_law(EVEN, result))}, 1e-9),
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
    after = deviations_of(np.array(required), equal(4), moved)
    lower = after.max(axis=1) < before.max(axis=1)
    off = np.array([by_assignment(required, split) - before, by_assignment(required, moved) - after])
    left, right = (1 - a) * (0.5 + a), (1 - b) * (0.5 + 1.5 * a)
    judged = (abs(left - right) >= 1e-3) & (abs(before @ [1, -1]) >= 1e-3)
    helped = {"more": lower[judged & (a >= b)], "less": lower[judged & (a < b)]}
    return conclude(
        everywhere("the move helps if and only if the condition holds",
                   exact(lower == (left < right), random_system=None).where(judged, "too close to an edge")),
        *equalities({"the deviations one by one and these": exact(abs(off).max(axis=(0, 2)), random_system=None)},
                    EXACT),
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
        wrong = none_below(*system, 4, largest(best) + 1e-3, most_boxes=10_000)
        above, off = largest(vertical(*system, 4)) - largest(best), off_by_law(EVEN, best)
        return {"proven": proven, "wrong": wrong, "above": above, "off": off}

    found = cases("part of group 1", (0.5, 0.7, 0.9)).measure(searched)
    return conclude(
        *equalities({"its deviations and those by laws of numbers": found["off"]}, 1e-9),
        everywhere("the least Delta^G is proven within 1e-3", found["proven"]),
        everywhere("the number of proofs that a value above it is not reached", found["wrong"], at_most(0)),
        aside("the Delta^G of VPRS less that", found["above"]),
        ours=True,
    )


@check("thesis-4-175", loads=(0.25, 0.25))
def far_in_large_systems(loads=(0.25, 0.005)):
    """What VPRS leaves on the table as processors become more."""

    def apart(P):
        own = vertical(EVEN, loads, P)
        best = min((moved_border(EVEN, loads, P, kept) for kept in range(1, P // 2 + 1)), key=largest)
        beaten = largest(best_found(EVEN, loads, P, starts=1)) - largest(best) if P <= 20 else np.nan
        return {
            "gap": largest(own) - largest(best), "off": max(off_by_law(EVEN, one) for one in (own, best)),
            "beaten": beaten,
        }  # fmt: skip

    found = cases("P", (4, 10, 20, 50, 100)).measure(apart)
    gap = found["gap"]
    return conclude(
        everywhere("the Delta^G of VPRS less the least with another border", gap.steps("P"), rises()),
        everywhere("with 100 processors that difference", gap.at(P=100), larger(0.25)),
        everywhere("the least that descents find less that", found["beaten"].at(P=(4, 10, 20)), at_most(1e-9)),
        aside("the differences", gap),
        provided=equalities({"their deviations and those by laws of numbers": found["off"]}, 1e-9),
        ours=True,
    )  # fmt: skip


@check("thesis-4-176", part=0.6)
def best_at_equal_loads(part=0.5):
    """VPRS less the best found."""

    def below(P, load):
        system = EVEN, (load * part, load * (1 - part)), P
        return largest(vertical(*system)) - largest(best_found(*system))

    def off(P, load):
        return largest(vertical(EVEN, (load / 2, load / 2), P)) - vertical_deviation(0.5, load / 2, P)

    axes = {"P": (2, 4, 6, 8), "load": (0.3, 0.5, 0.7, 0.9)}
    found, gap = grid(**axes).measure(below), grid(**axes).measure(off)
    return conclude(
        everywhere("the Delta^G of VPRS less that of the best found", found, at_most(1e-9)),
        provided=[
            everywhere("that difference, for VPRS itself can be found,", found, at_least(-1e-9)),
            *equalities({"the Delta^G of VPRS and (4.142)": gap}, 1e-10),
        ],
        ours=True,
    )


@check("thesis-4-177", loads=(0.3, 0.2))
def overloaded_on_purpose(loads=(0.44, 0.36)):
    """The largest load of a processor in the best assignment, and what it is worth."""
    system = EVEN, loads, 4
    try:
        best, proven = certify_group_share_deviation(*system, gap=2e-4), True
    except NoExactAnswer:
        best, proven = best_found(*system, starts=8), False
    split = best.processor_loads[:, best.processor_loads.sum(axis=0).argmax()]
    most, gain = split.sum(), largest(vertical(*system)) - largest(best)
    return conclude(
        everywhere("the largest load of a processor less 1", exact(most - 1), larger()),
        everywhere("what other groups than one bring there", exact(most - split.max()), within(1e-9)),
        everywhere("the Delta^G of VPRS less that of this routing", exact(gain), larger(0.002)),
        fact("branch and bound finds none lower by 2e-4", proven,
             "branch and bound does not prove that none is lower by 2e-4"),
        aside("Delta^G of this routing", exact(largest(best))),
        ours=True,
    )  # fmt: skip
