"""Claims of `thesis`, Section 5.7: the policies with migration against each other, case by case."""

import numpy as np

from clustershare.dispatch import exact_central
from compendium.press import words
from compendium.press.findings import Finding, check, over_domain
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central import with_migration as figures
from pages.share_scheduling.central.closed_forms import Group, first_form
from pages.share_scheduling.central.guests import HALVES
from pages.share_scheduling.central.printed_rules import Rules
from pages.share_scheduling.central.reached import path
from pages.share_scheduling.central.systems import COMBINATIONS, FRACTIONS, LOADS, LOCAL, POLICIES, SHARES

LOAD, FRACTION, SHARE = map(np.array, (LOADS, FRACTIONS, SHARES))
CLOSE, CLEAR = words.SCALE["close"].most, words.SCALE["clear"].least
BUSY = LOAD >= figures.FROM
VERTICAL, SPREAD = ("SVP", "DVP"), ("JSQ", "HP")
ON_TEN = ("load", "fraction", "share")


def _several(holds, axis):
    """Where something holds along an axis, as text: the number of points, and from where to where."""
    places = np.array(figures.AXES[axis])[holds]
    if not len(places):
        return f"0 of {len(holds)}"
    return f"{len(places)} of {len(holds)}, {places.min():g} to {places.max():g}"


def _or_alike(below, above, axis):
    """Below; in case 1 at low loads it is enough not to be above."""
    return np.where(BUSY, below, ~above) if axis == "load" else below


def _judged(computed, holds, decisive):
    """In part only where a decisive point holds."""
    holds, decisive = np.concatenate(holds), np.concatenate(decisive)
    verdict = "agrees" if holds.all() else "agrees in part" if (holds & decisive).any() else "differs"
    return Finding(computed, verdict)


@check("thesis-5-067", still=True)
def below_zero(still=False):
    """Delta^G in case 1 with migration, JSQ/PS by enumeration; the control is SVP without it for all."""
    found = figures.points("load")
    if still:
        found = dict.fromkeys(COMBINATIONS, figures.points("load", False)["SVP", "PS"])
    enumerated = np.array([2 * first_form(Group(0.5, load / 2, load, 10)) - load for load in LOAD])
    gap = np.abs(enumerated - figures.shortest_queue("load").mean).max()
    joint = simulated.joint((len(COMBINATIONS) - 1) * len(LOAD))
    holds, said = [], []
    for key, (mean, width) in found.items():
        upper, lower = mean + joint * width, mean - joint * width
        below = enumerated < 0 if key == ("JSQ", "PS") and not still else np.where(BUSY, upper < 0, lower <= 1e-12)
        holds.append(below)
        if not below.all():
            said.append(f"{'/'.join(key)} not at {_several(~below, 'load')}")
    highest = max(mean[BUSY].max() for mean, _ in found.values())
    return _judged(
        f"largest value from load {figures.FROM:g} on {highest:.4f}; {'; '.join(said) or 'below 0 everywhere'}; "
        f"formula and enumeration of JSQ/PS {'equal' if gap < 1e-9 else f'{gap:.1g} apart'}",
        [*holds, np.array([gap < 1e-9])],
        [BUSY] * len(holds) + [np.array([False])],
    )


@check("thesis-5-075", best="HP")
def fewest_broken_promises(best="SVP"):
    """SVP against the other policies in case 3, and SVP/GPPS and DVP/GPPS against all; the control exchanges two."""
    names = {"SVP": best, best: "SVP"}
    found = {
        axis: {key: figures.points(axis)[names.get(key[0], key[0]), key[1]] for key in COMBINATIONS} for axis in ON_TEN
    }
    joint = simulated.joint(6 * len(SHARE) + 7 * sum(len(figures.AXES[axis]) for axis in ON_TEN))
    lowest, said = [], []
    for local in LOCAL:
        case = found["share"]
        below = [case["SVP", local].below(case[policy, local], joint) for policy in POLICIES if policy != "SVP"]
        lowest.append(np.all(below, axis=0))
        said.append(f"SVP lowest with {local} at {_several(lowest[-1], 'share')}")
    best_of_all, near = [], 0.0
    for axis in ON_TEN:
        own = found[axis]["SVP", "GPPS"]
        others = [each for key, each in found[axis].items() if key != ("SVP", "GPPS")]
        best_of_all.append(np.all([own.below(each, joint) for each in others], axis=0))
        beaten = np.any([each.below(own, joint) for each in others], axis=0)
        near = max(near, (found[axis]["DVP", "GPPS"].mean - own.mean).max())
        said.append(
            f"SVP/GPPS lowest of all in {figures.CASES[axis]} at {_several(best_of_all[-1], axis)}, beaten at "
            f"{beaten.sum()}"
        )
    without, with_it = found["share"]["DVP", "PS"].mean, max(found[axis]["DVP", "GPPS"].mean.max() for axis in ON_TEN)
    said.append(f"DVP/GPPS up to {near:.2f} above it; DVP/PS up to {without.max():.2f}, DVP/GPPS to {with_it:.2f}")
    holds = [*np.concatenate(lowest), *np.concatenate(best_of_all), near <= CLOSE, without.max() > CLOSE]
    agrees = all(holds) and with_it <= CLOSE
    verdict = "agrees" if agrees else "agrees in part" if np.any(lowest) else "differs"
    return Finding("; ".join(said), verdict)


@check("thesis-5-076", migration=False)
def unequal_promises(migration=True):
    """What migration gains each combination in case 3; the control has migration in neither."""
    gains = figures.gains("share", migration)
    joint = simulated.joint(len(COMBINATIONS) * len(SHARE))
    lower = {key: gain.mean > joint * gain.width + 1e-12 for key, gain in gains.items()}
    order = sorted(gains, key=lambda key: -gains[key].mean.max())
    said = ", ".join(f"{'/'.join(key)} {gains[key].mean.max():.2f}" for key in order)
    missing = "; ".join(
        f"{'/'.join(key)} higher at {', '.join(f'{share:g}' for share in SHARE[gain.mean < -joint * gain.width])}"
        for key, gain in gains.items()
        if (gain.mean < -joint * gain.width).any()
    )
    return over_domain(
        f"lower at {np.sum(list(lower.values()))} of {8 * len(SHARE)} points; largest gains: {said}; "
        f"{missing or 'higher nowhere'}",
        [*np.concatenate(list(lower.values())), set(order[:2]) == {("SVP", "PS"), ("DVP", "PS")}],
    )


@check("thesis-5-077", chance=True)
def vertical_is_better(chance=False):
    """SVP and DVP against JSQ and HP in all three cases; the control sends their jobs by chance."""
    claims = {
        "SVP and DVP/GPPS against either": [
            (own, (policy, local))
            for own in (("SVP", "PS"), ("SVP", "GPPS"), ("DVP", "GPPS"))
            for policy in SPREAD
            for local in LOCAL
        ],
        "DVP/PS with PS": [(("DVP", "PS"), (policy, "PS")) for policy in SPREAD],
    }
    joint = simulated.joint(sum(map(len, claims.values())) * sum(len(figures.AXES[axis]) for axis in ON_TEN))
    holds, decisive, said = [], [], []
    for name, pairs in claims.items():
        parts = []
        for axis in ON_TEN:
            found = figures.points(axis)
            below, above = (
                [
                    pair[0].below(pair[1], joint) if way else pair[1].below(pair[0], joint)
                    for own, other in pairs
                    for pair in [(figures.by_chance(axis) if chance else found[own], found[other])]
                ]
                for way in (True, False)
            )
            right = [_or_alike(one, two, axis) for one, two in zip(below, above)]
            holds += right
            decisive += [BUSY if axis == "load" else np.ones(len(one), bool) for one in right]
            parts.append(
                f"{figures.CASES[axis]} {np.sum(right)} of {np.size(right)}, the other way round at {np.sum(above)}"
            )
        said.append(f"{name}: {', '.join(parts)}")
    return _judged("; ".join(said), holds, decisive)


@check("thesis-5-158", exchanged={"JSQ": "SVP", "SVP": "JSQ"})
def most_benefit(exchanged=None):
    """What migration gains the vertical policies and the others in case 1; the control exchanges JSQ and SVP."""
    joint, holds, said = simulated.joint(8 * 2 * len(LOAD)), [], []
    for quantity, name in (("capacity_loss", "loss"), ("group_share_deviation", "deviation")):
        before, after = (figures.points("load", migration, quantity) for migration in (False, True))
        gains = {key: before[key] - after[key] for key in COMBINATIONS}
        gains = {(policy, local): gains[(exchanged or {}).get(policy, policy), local] for policy, local in COMBINATIONS}
        for local in LOCAL:
            right = np.all(
                [gains[worse, local].below(gains[better, local], joint) for better in VERTICAL for worse in SPREAD],
                axis=0,
            )
            said.append(f"{name} with {local} at {_several(right, 'load')}")
            holds.append(right)
    missed = LOAD[~np.all(holds, axis=0)]
    return over_domain(
        f"larger gain of SVP and DVP: {'; '.join(said)}; not told apart at {', '.join(f'{x:g}' for x in missed[:3])}",
        np.concatenate(holds),
    )


@check("thesis-5-185", migration=False)
def others_idle_capacity(migration=True):
    """SVP and DVP against JSQ, HP and themselves in case 1, and paths; the control has migration nowhere."""
    found, still = figures.points("load", migration), figures.points("load", False)
    joint, holds, said, worse = simulated.joint(12 * len(LOAD)), [], [], 0
    for local in LOCAL:
        for own in VERTICAL:
            others = [found[policy, local] for policy in SPREAD] + [still[own, local]]
            right = np.all(
                [
                    _or_alike(found[own, local].below(other, joint), other.below(found[own, local], joint), "load")
                    for other in others
                ],
                axis=0,
            )
            holds.append(right)
            worse += sum(other.below(found[own, local], joint).sum() for other in others)
            undecided = f", but not from {LOAD[~right].min():g} to {LOAD[~right].max():g}" if not right.all() else ""
            said.append(f"{own}/{local} at {right.sum()} of {len(right)} loads{undecided}")
    more, alone = _above_promise(migration)
    said.append(f"the other way round: {worse}")
    said.append(f"above its promise on {more} of 4 paths, under SVP without a guest in {alone} states")
    return _judged("; ".join(said), [*holds, np.array([more == 4 and not alone])], [BUSY] * 4 + [np.array([False])])


def _above_promise(migration):
    """On how many paths a group obtains more than its promise; how often it does under SVP without a guest."""
    more, alone = 0, 0
    for policy in VERTICAL:
        for local in LOCAL:
            rules, seen = Rules(policy, HALVES, 10, migration, local), False
            for step in path(rules, (0.4, 0.4), 10_000, 185):
                jobs = step.before
                for g, share in enumerate(HALVES):
                    # on five processors or fewer nobody obtains more than a half
                    if sum(row[g] > 0 for row in jobs) > 5 and rules.obtained(jobs, g) > share:
                        seen = True
                        alone += policy == "SVP" and not any(
                            jobs[p][g] and not part for p, part in enumerate(rules.parts[g])
                        )
            more += seen
    return more, alone


@check("thesis-5-187", migration=False)
def half_is_left(migration=True):
    """What migration gains in case 2, and what part of the deviation; the control has migration in neither."""
    before, gains = figures.points("fraction", False), figures.gains("fraction", migration)
    some = FRACTION > 0
    joint = simulated.joint(len(COMBINATIONS) * some.sum())
    lower = {key: (gain.mean > joint * gain.width + 1e-12)[some] for key, gain in gains.items()}
    halves, said = [], []
    for key, holds in lower.items():
        text = f"{'/'.join(key)} {holds.sum()} of {len(holds)}"
        if key[0] in SPREAD:
            missed = before[key].mean > CLOSE
            part = gains[key].mean[missed] / before[key].mean[missed]
            halves.append(np.abs(part - 0.5) <= CLOSE)
            text += f" (gone {part.min():.0%} to {part.max():.0%}, about half at {halves[-1].sum()} of {len(part)})"
        said.append(text)
    above = {key: (gain.mean < -joint * gain.width - 1e-12)[some] for key, gain in gains.items()}
    said += [
        f"{'/'.join(key)} higher at {_several(_padded(each), 'fraction')}" for key, each in above.items() if each.any()
    ]
    still, moved = (_modest_on_two(moves) for moves in (False, migration))
    said.append(f"by the chain of two processors, DVP, group 1 with a tenth: {still:.4f} without, {moved:.4f} with")
    return over_domain(f"lower at: {'; '.join(said)}", np.concatenate([*lower.values(), *halves]))


def _modest_on_two(migration):
    """The deviation of a group that brings a tenth of a load of 0.3, under DVP on two processors: exact."""
    return (
        exact_central(
            "DVP", migration=migration, required_shares=(0.5, 0.5), loads=(0.03, 0.27), processors=2, most_jobs=14
        ).group_share_deviation[0]
        + 0.0
    )


@check("thesis-5-188", exchanged={"HP": "SVP", "SVP": "HP"})
def guests_sent_back(exchanged=None):
    """The policies in case 2 with migration, and SVP whose guests stay; the control exchanges HP and SVP."""

    def under(axis, policy, local, migration=True):
        return figures.points(axis, migration)[(exchanged or {}).get(policy, policy), local]

    some = FRACTION > 0
    joint = simulated.joint(8 * some.sum() + 4 * (len(LOAD) + 19 + len(SHARE)))
    parts, said, compared = [], [], []
    for local in LOCAL:
        horizontal, shortest, static, dynamic = (
            under("fraction", policy, local).part(some) for policy in ("HP", "JSQ", "SVP", "DVP")
        )
        gain = [
            (under("fraction", policy, local, False) - under("fraction", policy, local)).mean for policy in VERTICAL
        ]
        above, below = shortest.below(horizontal, joint), static.below(dynamic, joint)
        kept = [each.mean - joint * each.width <= 1e-12 for each in (static, dynamic)]
        largest = [float(FRACTION[each.argmax()]) for each in gain]
        parts += [above.all(), horizontal.mean.max() > CLOSE, *(each.all() for each in kept), min(largest) >= 0.45]
        parts.append(below.all())
        compared += [above.any(), below.any()]
        said.append(
            f"{local}: HP above JSQ at {_several(_padded(above), 'fraction')}, up to {horizontal.mean.max():.2f}; at "
            f"most 0: SVP at {kept[0].sum()}, DVP at {kept[1].sum()} of {some.sum()} (up to "
            f"{round(static.mean.max(), 3) + 0.0:.3f}, {dynamic.mean.max():.3f}); they gain most at {largest[0]:g} and "
            f"{largest[1]:g}; SVP below DVP at {_several(_padded(below), 'fraction')}"
        )
        chains = figures.guests_stay(local).values()
        parts.append(all(stay - own > 1e-6 for own, stay, *_ in chains))
        said.append(
            "on two processors, with guests sent back, never, and DVP: "
            + " and ".join(", ".join(f"{value:.4f}" for value in chain) for chain in chains)
        )
    elsewhere = [
        ~under(axis, "HP", local).below(under(axis, "JSQ", local), joint)
        for axis in ("load", "processors", "share")
        for local in LOCAL
    ]
    parts.append(any(each.any() for each in elsewhere))
    said.append(f"HP not better at {sum(each.sum() for each in elsewhere)} of {sum(map(len, elsewhere))} other points")
    verdict = "agrees" if all(parts) else "agrees in part" if any(compared) else "differs"
    return Finding("; ".join(said), verdict)


def _padded(holds):
    """For all fractions: at 0 nothing is asked."""
    return np.append(False, holds)


@check("thesis-5-189", ours="PS", other="GPPS")
def who_needs_gpps(ours="GPPS", other="PS"):
    """What GPPS gains in case 3, who keeps groups apart, and other cases; the control exchanges PS and GPPS."""
    found, held = figures.points("share"), figures.mixed("share")
    unequal = SHARE > 0.5
    joint = simulated.joint(3 * unequal.sum() + 6 * len(SHARE))
    lower, said, most = [], [], []
    for policy in ("JSQ", "HP", "DVP"):
        lower.append(found[policy, ours].below(found[policy, other], joint))
        largest = {
            axis: (figures.points(axis)[policy, other].mean - figures.points(axis)[policy, ours].mean).max()
            for axis in ON_TEN
        }
        most.append(largest["share"] > max(largest["load"], largest["fraction"]))
        said.append(
            f"{policy} at {_several(lower[-1], 'share')}, by up to {largest['share']:.2f} (cases 1 and 2 "
            f"{largest['load']:.2f}, {largest['fraction']:.2f})"
        )
    apart = np.abs(found["SVP", ours].mean - found["SVP", other].mean).max()
    fewest = [
        held["SVP", local].below(held[policy, local], joint)
        for local in LOCAL
        for policy in POLICIES
        if policy != "SVP"
    ]
    said.append(
        f"SVP {apart:.3f} apart; processors with both groups fewest under SVP at {np.all(fewest, axis=0).sum()} of "
        f"{len(SHARE)}"
    )
    agrees = all(each[unequal].all() for each in lower) and apart <= CLOSE and np.all(fewest) and all(most)
    verdict = "agrees" if agrees else "agrees in part" if all(each.any() for each in lower) else "differs"
    return Finding(f"lower with {ours}: {'; '.join(said)}", verdict)
