"""Claims of `thesis`, Section 5.6.3: unequal promises and equal loads, without migration."""

import itertools

import numpy as np

from clustershare.dispatch import partition
from compendium.press import words
from compendium.press.findings import check, over_domain
from pages.share_scheduling.central.simulated import along, joint, table
from pages.share_scheduling.central.systems import LOCAL, PROCESSORS, SHARES
from pages.share_scheduling.central.unequal import WHOLE, ends, loss_on_two, points, totals

R1 = np.array(SHARES)
LOSS, SPREAD = "capacity_loss", ("busy_range", "busy_spread")
VERTICAL, OTHERS = ("SVP", "DVP"), ("JSQ", "HP")
SPREADING = tuple(itertools.product(OTHERS, LOCAL))


def _at(size):
    """Where r_1 P is a number."""
    return int(np.abs(10 * R1 - size).argmin())


def _listed(where):
    """The shares at which something holds, in words."""
    found = R1[where]
    return "none" if not len(found) else ", ".join(f"{share:g}" for share in found)


@check("thesis-5-056", policies=("SVP", "SVP"))
def shares_and_loss(policies=OTHERS):
    """One path whatever the shares, stored points of HP/GPPS, and exact chains on two processors."""
    first, second = policies
    blind = [(first, "PS"), (first, "GPPS"), (second, "PS")]
    same = max(np.ptp([totals(*key, share=share) for share in SHARES], axis=0).max() for key in blind) <= 1e-9
    low, high = ends("share", LOSS, widen=joint(len(R1)))
    together = low(second, "GPPS").max() <= high(second, "GPPS").min()
    exact = 0.0
    for load in (0.1, 0.2, 0.3) if second in OTHERS else ():
        for x in (0.1, 0.2, 0.3, 0.4, 0.5):
            exact = max(exact, np.ptp([loss_on_two(second, "GPPS", share, load, x) for share in (0.5, 0.7, 0.9)]))
    below = max(high(policy, local).max() for policy in policies for local in LOCAL)
    parts = [same, exact <= 1e-9] if same and together and below <= 0.1 else [False]
    return over_domain(
        f"{first}, and {second} with PS: {'one path' if same else 'other paths'} whatever the shares; {second}/GPPS: "
        f"stored points {'not ' if together else ''}apart, on two processors exactly "
        f"{'equal' if exact <= 1e-9 else f'apart by up to {exact:.6f}'}; largest loss {below:.2f}",
        parts,
    )


@check("thesis-5-061", trouble="GPPS")
def where_problems_arise(trouble="PS"):
    """Large deviations of the vertical policies, and where they are small; the control looks for trouble with GPPS."""
    low, high = ends("share")
    first = np.array([low(policy, trouble)[~WHOLE] > 0.05 for policy in VERTICAL])
    second = np.array([high(policy, local)[WHOLE] <= 0.05 for policy in VERTICAL for local in LOCAL])
    third = np.array([high(policy, "GPPS") <= 0.05 for policy in VERTICAL])
    parts = [first.all(), second.all(), third.all()]
    means = points("share")[0]
    least = ", ".join(f"{policy} {found.sum()} of {found.size}" for policy, found in zip(VERTICAL, first))
    most = max(means[policy, "GPPS"].max() for policy in VERTICAL)
    return over_domain(
        f"above 0.05 with {trouble} at fractional r_1 P: {least} shares; at most 0.05 at whole r_1 P: "
        f"{second.sum()} of {second.size}; with GPPS: {third.sum()} of {third.size} (largest {most:.3f})",
        parts if first.any() and not all(parts) else [first.all() and all(parts)],
    )


@check("thesis-5-062", whole=True)
def static_or_dynamic(whole=False):
    """SVP/GPPS against DVP/GPPS at fractional r_1 P; the control looks at whole ones."""
    at = WHOLE if whole else ~WHOLE
    means = points("share")[0]
    low, high = ends("share")
    static, dynamic = ("SVP", "GPPS"), ("DVP", "GPPS")
    lower = (high(*static) < low(*dynamic))[at]
    little = ((high(*dynamic) - low(*static)) <= words.SCALE["close"].most)[at]
    enough = (np.maximum(high(*static), high(*dynamic)) <= 0.05)[at]
    higher = (low(*static) > high(*dynamic))[at]
    worst = max(means[static][at].max(), means[dynamic][at].max())
    return over_domain(
        f"SVP/GPPS lower at {lower.sum()} of {len(lower)} shares, higher at {_listed(np.flatnonzero(at)[higher])}; "
        f"never apart by more than {np.abs(means[dynamic] - means[static])[at].max():.3f}; both at most 0.05 at "
        f"{enough.sum()} (largest {worst:.3f})",
        lower & little & enough,
    )


@check("thesis-5-121", fractional=False)
def local_policy_matters(fractional=True):
    """SVP and DVP, each with PS and with GPPS; the control looks at whole processors."""
    rows = along("processors", PROCESSORS, False)
    odd = np.array([(P % 2 == 1) == fractional for P in PROCESSORS])
    shares = ~WHOLE if fractional else WHOLE
    holds, said = [], []
    for policy in VERTICAL:
        for axis, values, at in (("processors", PROCESSORS, odd), ("share", SHARES, shares)):
            means, widths = table(rows, "processors") if axis == "processors" else points("share")
            slack = joint(2 * len(values)) * (widths[policy, "PS"] + widths[policy, "GPPS"])
            found = (means[policy, "PS"] - means[policy, "GPPS"] > slack)[at]
            against = (means[policy, "GPPS"] - means[policy, "PS"] > slack)[at]
            holds += [*found]
            name = "P" if axis == "processors" else "r_1"
            where = ", ".join(f"{value:g}" for value in np.array(values)[at][against])
            other = f", smaller at {name} = {where}" if against.any() else ""
            said.append(f"{policy} along {name} {found.sum()} of {found.size}{other}")
    return over_domain(f"larger with PS: {'; '.join(said)}", holds)


@check("thesis-5-170", better="PS")
def gain_from_local_policy(better="GPPS"):
    """What JSQ and HP gain from GPPS, and which is lower with it; the control has PS in its place."""
    means = points("share")[0]
    low, high = ends("share")
    far = R1 > 0.51
    gains = {policy: means[policy, "PS"] - means[policy, better] for policy in OTHERS}
    slack = {policy: high(policy, "PS") - means[policy, "PS"] + high(policy, better) - means[policy, better]
             for policy in OTHERS}  # fmt: skip
    parts = {
        "JSQ gains 0.1": gains["JSQ"] - slack["JSQ"] >= words.SCALE["clear"].least,
        "HP gains 0.1": gains["HP"] - slack["HP"] >= words.SCALE["clear"].least,
        "HP lower than JSQ": high("HP", better) < low("JSQ", better),
        "HP gains more": gains["HP"] - gains["JSQ"] > slack["HP"] + slack["JSQ"],
    }
    said = [f"{name} {_from(found & far)}" for name, found in parts.items()]
    most = {policy: gain[far].max() for policy, gain in gains.items()}
    return over_domain(
        f"{', '.join(said)}; gains of up to {most['JSQ']:.2f} (JSQ) and {most['HP']:.2f} (HP)",
        [found[far] for found in parts.values()],
    )


def _from(found):
    """From which share on something holds."""
    if not found[-1]:
        return f"at {_listed(found)}" if found.any() else "nowhere"
    start = len(found) - np.argmin(found[::-1]) if not found.all() else 0
    return f"from {R1[start]:g} on"


@check("thesis-5-172", policy="JSQ")
def loss_and_subsets(policy="SVP"):
    """The loss of SVP between whole numbers of processors, and across them; n by n."""
    low, high = ends("share", LOSS)
    means = points("share", LOSS)[0]
    holds, counts = [], {"changes little": 0, "then lower": 0, "never lower before": 0}
    fallen = []
    for n, local in itertools.product(range(5, 10), LOCAL):
        key, inside = (policy, local), [_at(n + part) for part in (0.25, 0.5, 0.75)]
        most, least = high(*key)[inside].max(), low(*key)[inside].min()
        little = 1 - least / most <= words.SCALE["comparable"].most
        limit = policy == "SVP" and n == 6
        before = 0.2 if limit else low(*key)[_at(n)]  # a critical point has its limit only
        lower = high(*key)[inside[0]] < before
        if lower:
            fallen.append(n)
        after = means[key][0] if n == 9 else 0.2 if policy == "SVP" and n == 5 else high(*key)[_at(n + 1)]
        kept = n == 9 or after >= low(*key)[inside[2]]
        counts["changes little"] += little
        counts["then lower"] += lower
        counts["never lower before"] += kept and n < 9
        holds.append(little and lower and kept)
    said = ", ".join(f"{name} {count} of {8 if 'before' in name else 10}" for name, count in counts.items())
    # Near its critical point a run is too short for the queue: the limit beyond n = 6 is not below 0.2.
    where = ", ".join(f"{n}{' (while the queue fills)' * (n == 6)}" for n in sorted(set(fallen))) or "no n"
    return over_domain(f"{said}; lower after n = {where}", holds)


@check("thesis-5-173", policy="DVP")
def balance_of_processors(policy="SVP"):
    """Busy fractions at whole r_1 P, exactly, against those of the stored points a quarter of a processor further."""
    keys = [("DVP", "GPPS")] if policy == "DVP" else [("SVP", local) for local in LOCAL]
    holds, said = [], []
    for n in range(5, 10):
        sizes = (partition([n / 10, 1 - n / 10], 10) > 0).sum(axis=1)
        busy = np.repeat(np.minimum(1, 4 / sizes), sizes)
        before = (np.ptp(busy), busy.std())
        after = [ends("share", name)[1] for name in SPREAD]
        smaller = [all(high(*key)[_at(n + 0.25)] < value for high, value in zip(after, before)) for key in keys]
        holds += smaller
        said.append(f"{before[0]:.2f} to {max(points('share', SPREAD[0])[0][key][_at(n + 0.25)] for key in keys):.2f}")
    return over_domain(
        f"largest less smallest busy fraction: {', '.join(said)} (n = 5 to 9); smaller, its standard deviation too, in "
        f"{sum(holds)} of {len(holds)}",
        holds,
    )


@check("thesis-5-174", whole=True)
def dynamic_loses_less(whole=False):
    """DVP/GPPS against the other three at fractional r_1 P, and all four at whole; the control looks at whole only."""
    at = WHOLE if whole else ~WHOLE
    low, high = ends("share", LOSS)
    rest = [("SVP", "PS"), ("SVP", "GPPS"), ("DVP", "PS")]
    falls = np.array([1 - high("DVP", "GPPS")[at] / low(*key)[at] for key in rest])
    lower = np.array([high("DVP", "GPPS")[at] < low(*key)[at] for key in rest])
    much = falls >= words.SCALE["much"].least
    same = True
    for quantity in (LOSS, "group_share_deviation"):
        lower_end, upper_end = ends("share", quantity, widen=joint(4 * int(WHOLE.sum())))
        keys = [("DVP", "GPPS"), *rest]
        same &= bool(
            (np.max([lower_end(*key)[WHOLE] for key in keys], axis=0)
             <= np.min([upper_end(*key)[WHOLE] for key in keys], axis=0)).all()
        )  # fmt: skip
    where = _listed(np.flatnonzero(at)[much.all(axis=0)])
    return over_domain(
        f"lower than all three at {lower.all(axis=0).sum()} of {at.sum()} shares, by half or more at {where} (falls of "
        f"{falls.min(axis=0).min():.2f} to {falls.min(axis=0).max():.2f}); at whole r_1 P all four "
        f"{'the same' if same else 'not the same'}",
        [*much.all(axis=0), same] if lower.any() else [False],
    )


@check("thesis-5-178", policies=(("SVP", "PS"),))
def no_teeth(policies=SPREADING):
    """The deviation half way between whole processors against the mean of both ends."""
    low, high = ends("share")
    excess = np.array([
        [high(*key)[_at(n + 0.5)] - (low(*key)[_at(n)] + low(*key)[_at(n + 1)]) / 2 for n in range(5, 9)]
        for key in policies
    ])  # fmt: skip
    return over_domain(
        f"at most {excess.max():.3f} above the mean of the whole ones", excess <= words.SCALE["very close"].most
    )
