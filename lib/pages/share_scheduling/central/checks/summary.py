"""Claims of `thesis`, Sections 5.6.4 and 5.8: what all figures without migration say together."""

import itertools

import numpy as np

from compendium.press.findings import AGREES, DIFFERS, PART, Finding, check, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central import with_migration as figures
from pages.share_scheduling.central.systems import COMBINATIONS, LOCAL, POLICIES, SHARES
from pages.share_scheduling.central.three_cases import CASES, DEVIATION, LOSS, TEN, below, measured, static, value

ADEQUATE = SCALE["close"].most  # "still reasonable" in Section 5.6.1
SUBSTANTIAL = SCALE["clear"].least
EQUAL = 1e-9
SPREAD, APART = ("JSQ", "HP"), ("SVP", "DVP")
MIGRATED = ("case 1", "case 1 against P", "case 2", "case 3")  # Figures 5.16 to 5.19


def parts(counts):
    """Numbers of points that hold, of all of them, by name, as text."""
    return ", ".join(f"{name} {int(np.sum(holds))} of {np.size(holds)}" for name, holds in counts.items())


@check("thesis-5-064", dynamic=False)
def better_than_static_policies(dynamic=True):
    """Both quantities of every combination against HPRS and VPRS; the control puts HPRS in place of the former."""
    counts = {"substantially better": 0, "better": 0, "equal to one": 0, "higher than one": 0}
    points, where = 0, {}
    for name, migration in [*((name, False) for name in CASES), *((name, True) for name in MIGRATED)]:
        for policy, local in COMBINATIONS:
            gaps = []
            for quantity in (DEVIATION, LOSS):
                estimates, widths = measured(name, quantity, migration)
                mine = estimates[policy, local] if dynamic else static(name)["HPRS", "PS"][quantity]
                around = widths[policy, local] if dynamic else 0
                for other in (("HPRS", "PS"), ("HPRS", local), ("VPRS", None)):
                    theirs = static(name)[other][quantity]
                    least = SUBSTANTIAL * (theirs if quantity == LOSS else 1)  # deviations are relative already
                    gaps.append((theirs - mine, around, least, np.isnan(theirs)))
            gap, around, least, missing = (np.array([np.broadcast_to(row[k], np.shape(gaps[0][0])) for row in gaps])
                                           for k in range(4))  # fmt: skip
            lower = (gap > np.maximum(around, EQUAL)) | missing
            higher = ((gap < -np.maximum(around, EQUAL)) & ~missing).any(axis=0)
            counts["better"] += np.sum(lower.all(axis=0))
            counts["substantially better"] += np.sum((lower & ((gap >= least) | missing)).all(axis=0))
            counts["equal to one"] += np.sum(~lower.all(axis=0) & ~higher)
            counts["higher than one"] += np.sum(higher)
            points += gap.shape[1]
            if higher.any():
                where[name, policy] = where.get((name, policy), 0) + int(higher.sum())
    said = ", ".join(f"{name} {count}" for name, count in counts.items())
    places = ", ".join(f"{policy} in {name} {count}" for (name, policy), count in where.items())
    return over_domain(
        f"of {points} points: {said}; higher: {places or 'none'}",
        [counts["substantially better"] == points, counts["better"] > 0],
    )


@check("thesis-5-098", instead="HPRS")
def global_policy_gains_more(instead=None):
    """SVP/PS and DVP/PS against JSQ/GPPS and HP/GPPS; the control takes HPRS in place of the former."""
    holds, worst = {}, -1.0
    for name in TEN:
        pairs = itertools.product(APART, SPREAD)
        gaps = np.array([below(name, (instead or apart, "PS"), (spread, "GPPS")) for apart, spread in pairs])
        holds[name] = gaps > 0
        worst = max(worst, -gaps.min())
    return over_domain(
        f"{parts(holds)}; the vertical one is higher by {worst:.2f} at the worst point",
        np.concatenate([each.ravel() for each in holds.values()]),
    )


@check("thesis-5-154", whole_only=True)
def adequate_under_all_workloads(whole_only=False):
    """The largest deviation of each combination; the control has shares in whole processors only."""
    largest, wrong = {}, []
    for combination in COMBINATIONS:
        ends = []
        for name, case in CASES.items():
            estimates, widths = measured(name)
            chosen = case.whole if whole_only else np.full(len(case.values), True)
            found, width = estimates[combination][chosen], widths[combination][chosen]
            ends += zip(found - width, found + width, found)
        low, high, largest[combination] = np.max(ends, axis=0)
        promised = combination in (("SVP", "GPPS"), ("DVP", "GPPS"))
        if low > ADEQUATE if promised else high <= ADEQUATE:
            wrong.append("/".join(combination))
    said = ", ".join(f"{policy}/{local} {largest[policy, local]:.3f}" for policy, local in COMBINATIONS)
    return over_domain(
        f"largest deviations: {said}; on the wrong side of {ADEQUATE:g}: {', '.join(wrong) or 'none'}",
        [not wrong, len(wrong) <= 1],
    )


@check("thesis-5-180", instead="HPRS")
def promises_against_capacity(instead=None):
    """Vertical policies against JSQ and HP in both quantities; the control takes HPRS in place of the former."""
    deviation, loss = {}, {}
    for name in TEN:
        pairs = [
            ((instead or apart, local), (spread, local)) for apart in APART for spread in SPREAD for local in LOCAL
        ]
        deviation[name] = np.array([below(name, first, second) > 0 for first, second in pairs])
        loss[name] = np.array([below(name, second, first, LOSS) > 0 for first, second in pairs])
        if instead:  # where no chain answers nothing is known
            deviation[name], loss[name] = (each[:, ~np.isnan(value(name, (instead, "GPPS"))[0])]
                                           for each in (deviation[name], loss[name]))  # fmt: skip
    both = {name: deviation[name] & loss[name] for name in TEN}
    good = [
        "/".join(combination)
        for combination in COMBINATIONS
        if max(measured(name, LOSS)[0][combination].max() for name in TEN) < SUBSTANTIAL
        and max(measured(name)[0][combination].max() for name in TEN) <= ADEQUATE
    ]
    return over_domain(
        f"deviation lower: {parts(deviation)}; loss higher: {parts(loss)}; both: {parts(both)}; with a loss below "
        f"{SUBSTANTIAL:g} and a deviation of {ADEQUATE:g} throughout: {', '.join(good) or 'none'}",
        [*np.concatenate([each.ravel() for each in both.values()])],
    )


@check("thesis-5-181", instead="HPRS")
def vertical_policies_comply_better(instead=None):
    """The deviation of SVP and DVP against that of JSQ and HP; the control takes HPRS in place of the former."""
    holds = {}
    for name in TEN:
        pairs = itertools.product(APART, SPREAD, LOCAL)
        gaps = np.array([below(name, (instead or apart, local), (spread, local)) for apart, spread, local in pairs])
        holds[name] = gaps > 0
    return over_domain(f"lower: {parts(holds)}", np.concatenate([each.ravel() for each in holds.values()]))


@check("thesis-5-182", instead="HPRS")
def shortest_queue_against_horizontal(instead=None):
    """JSQ against HP in the three cases; the control puts HPRS in place of the one that is said to be better."""
    holds, jsq, hp = {}, instead or "JSQ", instead or "HP"
    for name, local in itertools.product(TEN, LOCAL):
        places = np.array(CASES[name].values)
        better = below(name, (jsq, local), ("HP", local)) > 0
        not_worse = ~(below(name, ("HP", local), (jsq, local)) > 0)
        little = np.abs(value(name, ("HP", local))[0] - value(name, (jsq, local))[0]) < SUBSTANTIAL
        if name == "case 1":
            chosen = places < 0.9 if local == "GPPS" else np.full(len(places), True)
            holds[f"{name}/{local}"] = (better & little)[chosen]
        elif name == "case 2":
            holds[f"{name}/{local}"] = (better & little)[places > 0]
        else:
            gained = below(name, (hp, local), ("JSQ", local)) > 0
            holds[f"{name}/{local}"] = not_worse if local == "PS" else gained[places >= 0.75 - 1e-9]
    high = np.array(CASES["case 1"].values) >= 0.9 - 1e-9
    gained = (below("case 1", (hp, "GPPS"), ("JSQ", "GPPS")) > 0)[high]
    return over_domain(
        f"{parts(holds)}; HP/GPPS better at loads from 0.9: {gained.sum()} of {gained.size}",
        np.concatenate(list(holds.values())),
    )


@check("thesis-5-183", exchanged=True)
def what_the_local_policy_gains(exchanged=False):
    """The gain of GPPS over PS by policy; the control exchanges them."""
    first, second = ("GPPS", "PS") if exchanged else ("PS", "GPPS")
    positive, twice, none = {}, {}, {}
    for name in ("case 1", "case 1 against P", "case 2", "case 3"):
        gain, around = {}, {}
        for policy in (*SPREAD, *APART):
            (one, wide), (other, narrow) = (value(name, (policy, local)) for local in (first, second))
            gain[policy], around[policy] = one - other, wide + narrow
        whole = CASES[name].whole
        for policy in SPREAD:
            positive[name, policy] = gain[policy] > around[policy]
            for apart in APART:
                least = gain[policy] + around[policy] >= 2 * (gain[apart] - around[apart])
                for sort, chosen in (("whole", whole), ("fractional", ~whole)):
                    twice.setdefault(sort, []).append((least & positive[name, policy])[chosen])
        none[name] = np.concatenate([np.abs(gain[apart])[whole] <= around[apart][whole] + EQUAL for apart in APART])
    positive = {f"{name}, {policy}": holds for (name, policy), holds in positive.items()}
    twice = {sort: np.concatenate(holds) for sort, holds in twice.items()}
    parted = [*positive.values(), *twice.values(), *none.values()]
    text = (
        f"JSQ and HP gain: {parts(positive)}; at least twice what SVP and DVP gain: {parts(twice)}; SVP and DVP gain "
        f"nothing with whole processors: {parts(none)}"
    )
    if not np.concatenate(list(positive.values())).any():
        return finding(text, False)
    return over_domain(text, [True, all(np.all(holds) for holds in parted)])


@check("thesis-D-001", best="HP")
def best_global_policy(best="SVP"):
    """SVP against each other policy that differs from it, with the same local policy; the control is HP in its place.

    Without migration, and with shares of whole processors, DVP does what SVP does.
    """
    found = {
        (axis, moves): figures.points(axis, moves) for axis in ("load", "fraction", "share") for moves in (False, True)
    }
    others = [policy for policy in POLICIES if policy != best]
    joint = simulated.joint(len(others) * len(LOCAL) * sum(len(each["JSQ", "PS"].mean) for each in found.values()))
    better, worse, said = [], [], []
    for (axis, moves), points in found.items():
        whole = np.array([abs(10 * share % 1 - 0.5) > 0.5 - 1e-9 for share in SHARES]) if axis == "share" else True
        lowest, beaten = [], []
        for local in LOCAL:
            own = points[best, local]
            rivals = {policy: points[policy, local] for policy in others}
            same = {policy: (policy == "DVP" and best == "SVP" and not moves) & whole for policy in rivals}
            lowest.append(np.all([own.below(each, joint) | same[key] for key, each in rivals.items()], axis=0))
            beaten.append(
                np.any([each.below(own, joint) & ~np.bool_(same[key]) for key, each in rivals.items()], axis=0)
            )
        better += lowest
        worse += beaten
        said.append(
            f"{figures.CASES[axis]} {'with' if moves else 'without'} migration {np.sum(lowest)} of {np.size(lowest)}, "
            f"one below it at {np.sum(beaten)}"
        )
    losses = [figures.points(axis, False, "capacity_loss") for axis in ("load", "fraction", "share")]
    larger = [points["JSQ", local].below(points[best, local], joint) for points in losses for local in LOCAL]
    better, worse = np.concatenate(better), np.concatenate(worse)
    verdict = AGREES if not worse.any() else PART if better.any() else DIFFERS
    count = f"{better.sum()}/{(better | worse).sum()}" if verdict == PART else ""
    text = "; ".join(said)
    return Finding(
        f"lowest deviation in {text}; without migration it loses more than JSQ at {np.sum(np.concatenate(larger))} of "
        f"{np.concatenate(larger).size} points",
        verdict,
        count,
    )
