"""Claims of `thesis`, Section 5.6.2: equal promises and unequal loads, without migration."""

import itertools

import numpy as np

from compendium.press import words
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.simulated import joint
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, LOCAL, SHARES
from pages.share_scheduling.central.unequal import by_chance, ends, loss_on_two, points, totals

X = np.array(FRACTIONS)
VERTICAL, OTHERS = ("SVP", "DVP"), ("JSQ", "HP")
LOSS = "capacity_loss"


def _pairs(policies):
    return list(itertools.product(policies, LOCAL))


@check("thesis-5-049", policies=("JSQ",))
def nothing_of_group_one(policies=VERTICAL):
    """Loss and growth of the stored points at fraction 0, against a balance of flow."""
    losses, growth = points("fraction", LOSS), points("fraction", "growth", 1)
    off, outside, grown = 0.0, 0, 0.0
    for key in _pairs(policies):
        gap = abs(losses[0][key][0] - 0.5)
        off, outside = max(off, gap), outside + (gap > losses[1][key][0] + 1e-9)
        grown = max(grown, abs(growth[0][key][0] - 0.3))
    return finding(
        f"loss {'within 0.01' if off <= 0.01 else f'{off:.2f}'} of 0.5, intervals that miss it: {outside}; growth "
        f"{'within 0.01' if grown <= 0.01 else f'{grown:.2f}'} of 0.3",
        off <= 0.01 and not outside and grown <= 0.01,
    )


@check("thesis-5-051", policies=("SVP", "SVP"))
def split_and_loss(policies=OTHERS):
    """One path whatever the split, stored points, and HP by exact chains on two processors."""
    first, second = policies
    paths = [np.ptp([totals(first, local, fraction=x) for x in FRACTIONS], axis=0).max() for local in LOCAL]
    same = max(paths) <= 1e-9
    apart = {key: _spread("fraction", *key) for key in _pairs(dict.fromkeys(policies))}
    rows = {policy: max(apart[policy, local] for local in LOCAL) <= 0 for policy in policies}
    exact = 0.0
    for load, local in itertools.product((0.1, 0.2, 0.3), LOCAL if second in OTHERS else ()):
        found = [loss_on_two(second, local, 0.5, load, x) for x in (0.1, 0.2, 0.3, 0.4, 0.5)]
        exact = max(exact, np.ptp(found))
    alike = exact <= 1e-9
    parts = [same and rows[first], rows[second], alike]
    if not parts[0]:
        parts = [False]  # in part only where JSQ's holds
    return over_domain(
        f"{first}: {'one path' if same else 'other paths'} whatever the split, stored points "
        f"{'not ' if rows[first] else ''}apart; {second}: stored points {'not ' if rows[second] else ''}apart, on two "
        f"processors exactly {'equal' if alike else f'apart by up to {exact:.5f}'}",
        parts,
    )


def _spread(axis, *key):
    """By how much two intervals of a curve are apart at most: the highest lower end less the lowest upper one."""
    low, high = ends(axis, LOSS, widen=joint(len(points(axis, LOSS)[0][key])))
    return float(low(*key).max() - high(*key).min())


@check("thesis-5-052", policies=("SVP",))
def largest_deviation(policies=OTHERS):
    """The largest point of each policy with GPPS, with its interval."""
    means = points("fraction")[0]
    low, high = ends("fraction")
    right, said = True, []
    for policy in policies:
        top = means[policy, "GPPS"].argmax()
        right &= low(policy, "GPPS")[top] >= 0.07 and high(policy, "GPPS")[top] <= 0.17
        said.append(f"{policy} {means[policy, 'GPPS'][top]:.2f} at fraction {X[top]:g}")
    return finding(f"largest: {', '.join(said)}", right)


@check("thesis-5-053", chance=True)
def worse_than_shortest_queue(chance=False):
    """HP against JSQ at every fraction above 0; the control compares it with HPRS."""
    low, high = ends("fraction")
    above = {
        local: (low("HP", local) - (by_chance()[local] if chance else high("JSQ", local)))[X > 0] for local in LOCAL
    }
    said = "; ".join(f"{local} at {(gap > 0).sum()} of {len(gap)}" for local, gap in above.items())
    means = points("fraction")[0]
    least = min((means["HP", local] - means["JSQ", local])[X > 0].min() for local in LOCAL)
    return over_domain(
        f"HP larger with {said} fractions{'' if chance else f', by {least:.3f} or more'}",
        [gap > 0 for gap in above.values()],
    )


@check("thesis-5-165", vertical=("JSQ",), others=("HP",))
def not_restrained(vertical=VERTICAL, others=OTHERS):
    """Losses of the vertical policies, against a bound, against an exact value, and against the others."""
    means = points("fraction", LOSS)[0]
    low, high = ends("fraction", LOSS)
    over = X < 0.375 - 1e-9
    wide = all((low(*key) > 0.1).sum() >= len(X) / 2 for key in _pairs(vertical))
    exact = all((np.abs(means[key] - (1 - 0.8 * X - 0.5))[over] <= 0.01).all() for key in _pairs(vertical))
    falls = np.array([
        [1 - high(other, local) / low(policy, local) for other in others] for policy, local in _pairs(vertical)
    ])  # fmt: skip
    much = falls >= words.SCALE["much"].least
    least = min(means[key].min() for key in _pairs(vertical))
    parts = [wide and exact, much.all()] if much.any() else [False]
    return over_domain(
        f"{' and '.join(vertical)}: a loss of {least:.2f} or more, {'' if exact else 'not '}that of the limit where "
        f"group 2 overloads its processors; that of the others lower by {falls.min():.2f} of it or more",
        parts,
    )


@check("thesis-5-167", unequal=True)
def little_gain(unequal=False):
    """What GPPS gains; the control looks at required shares of 0.85 and 0.15."""
    axis = "share" if unequal else "fraction"
    at = np.array([SHARES.index(0.85)]) if unequal else np.arange(len(X))
    low, high = ends(axis)
    gains = np.array([(high(policy, "PS") - low(policy, "GPPS"))[at] for policy in OTHERS])
    means = points(axis)[0]
    said = [f"{policy} {(means[policy, 'PS'] - means[policy, 'GPPS'])[at].max():.3f}" for policy in OTHERS]
    holds = gains <= words.SCALE["practically equal"].most
    close = words.allows("very close", gains.max())
    where = [f"{policy} at {row.sum()} of {len(at)}" for policy, row in zip(OTHERS, holds)]
    return over_domain(
        f"gain of GPPS at most {', '.join(said)}; hardly any for {', '.join(where)}; "
        f"within 0.02: {'all' if close else 'not all'}",
        holds,
    )


@check("thesis-5-168", chance=True)
def smaller_unless_balanced(chance=False):
    """The vertical policies against the others at each fraction; the control has HPRS in their place."""
    low, high = ends("fraction")
    inside = (X > 0) & (X < 0.5)
    holds, said = [], []
    for policy, other in itertools.product(VERTICAL, OTHERS):
        found = np.all([
            (by_chance()[local] if chance else high(policy, local)) < low(other, local) for local in LOCAL
        ], axis=0)[inside]  # fmt: skip
        holds.append(found)
        last = X[inside][found].max(initial=0)
        said.append(f"{'HPRS' if chance else policy} below {other} {f'up to {last:g}' if found.any() else 'nowhere'}")
    return over_domain(", ".join(dict.fromkeys(said)), holds)


@check("thesis-5-169", policies=("JSQ",))
def falls_without_balance(policies=VERTICAL):
    """Deviations of both groups and the larger one, from equal loads to one group alone."""
    right, said, rise = True, [], 0.0
    for name, index in (("Delta^G", None), ("group 1", 0), ("group 2", 1)):
        means, _ = points("fraction", index=index)
        low, high = ends("fraction", index=index, widen=joint(len(X)))
        keys = _pairs(policies)
        falls = True
        for key in keys:
            lower, upper = low(*key)[::-1], high(*key)[::-1]  # from 0.5 to 0
            falls &= bool((np.minimum.accumulate(upper)[:-1] >= lower[1:]).all() and upper[-1] < lower[0])
            rise = max(rise, (means[key][::-1] - means[key][-1]).max() if index is None else 0)
        said.append(f"{name} {'falls' if falls else 'does not fall'}")
        right &= falls
    zero = max(np.abs(points("fraction", index=1)[0][key][X < 0.36]).max() for key in _pairs(policies))
    return finding(
        f"{', '.join(said)}; Delta^G at most {rise:.3f} above that of equal loads; group 2 where it overloads its "
        f"processors: {'0' if zero < 5e-4 else f'{zero:.2f}'}",
        right,
    )


@check("thesis-5-171", share=0.75)
def only_at_very_high_loads(share=None):
    """What GPPS and HP change, against the load; the control has unequal shares at load 0.8."""
    loads = np.array([*LOADS] if share is None else [0.8])
    at = np.arange(len(LOADS)) if share is None else np.array([SHARES.index(share)])
    axis = "load" if share is None else "share"
    means, widths = points(axis)
    factor = joint(2 * len(LOADS))
    full, small, said = [], [], []
    for name, one, other in (
        ("PS and GPPS under JSQ", ("JSQ", "PS"), ("JSQ", "GPPS")),
        ("PS and GPPS under HP", ("HP", "PS"), ("HP", "GPPS")),
        ("HP and JSQ with GPPS", ("HP", "GPPS"), ("JSQ", "GPPS")),
    ):
        gap, slack = np.abs(means[one] - means[other])[at], (factor * (widths[one] + widths[other]))[at]
        high = loads >= 0.9
        noticed = bool(((gap - slack)[high] > 0.01).any())
        quiet = bool(((gap + slack)[~high] <= 0.01).all())
        full.append(noticed and quiet)
        small.append(bool(((gap + slack)[~high] <= 0.05).all()))
        above = f", {gap[high].max():.3f} from 0.9 on ({'' if noticed else 'not '}noticeable)" if high.any() else ""
        said.append(f"{name} {gap[~high].max():.3f} below 0.9{above}")
    return over_domain(
        f"largest differences: {'; '.join(said)}", full if all(full) else [any(full) or all(small), False]
    )


@check("thesis-5-179", shares=(0.75, 0.25))
def where_groups_meet(shares=(0.5, 0.5)):
    """Who is served how where two groups meet, and on how many processors they do; the control has unequal shares."""
    gap = 0.0
    for policy in OTHERS:
        for local in LOCAL:
            served = Compiled(policy, shares, 2, local=local).served(((1, 1), (0, 0)))
            gap = max(gap, np.ptp(served[0]))
    axis, at = ("fraction", X >= 0.12) if shares[0] == 0.5 else ("share", np.array(SHARES) == shares[0])
    holds, meet, crowd = [gap <= 1e-12], [], []
    for key in _pairs(OTHERS):
        (pairs, wide), (crowds, widths) = (points(axis, "mixed_processors", k) for k in (0, 1))
        factor = joint(2 * len(X))
        slack = factor * (wide[key] + widths[key])[at]
        together = (pairs[key] + crowds[key])[at]
        meet.append((together - slack) / 10 >= 0.1)
        crowd.append((crowds[key][at] + factor * widths[key][at]) / 10 <= 0.01)
        holds += [*meet[-1], *crowd[-1]]
    meet, crowd = np.array(meet), np.array(crowd)
    most = max(points(axis, "mixed_processors", 1)[0][key][at].max() for key in _pairs(OTHERS)) / 10
    return over_domain(
        f"one job each is served {'alike' if gap <= 1e-12 else 'unlike'}; groups meet on a tenth of the processors in "
        f"{meet.sum()} of {meet.size} cases; with three jobs or more on up to {most:.3f} of them, at most 0.01 in "
        f"{crowd.sum()}",
        holds if holds[0] else [False],
    )
