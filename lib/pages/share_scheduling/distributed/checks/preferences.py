"""Claims of `thesis`, Sections 6.7.7 and 6.8: what preferences for a group's own processors change."""

import itertools

import numpy as np

from clustershare import dispatch
from compendium.press.findings import Finding, check, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.measured import (
    DEVIATION,
    LOSS,
    Measured,
    above,
    judged,
    listed,
    lower,
    named,
    upper,
)
from pages.share_scheduling.distributed.preferences import (
    BELOW,
    MIXED,
    OTHERS,
    PAIRS,
    VERTICAL,
    chosen,
    confined,
    of_jsq,
    of_others,
)
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.systems import ALL_CASES, LIMITS

CLEAR, CLOSE, NEGLIGIBLE = SCALE["clear"].least, SCALE["close"].most, SCALE["practically equal"].most
EXACT_ZERO = 0.004  # the half width asked of a row of Chapter 6


def in_words(holds, rows, limits):
    """Where something holds: "all", "none", or the limits of each row."""
    if np.all(holds) or not np.any(holds):
        return "all" if np.all(holds) else "none"
    return "; ".join(f"{name} at {named(row, limits)}" for name, row in zip(rows, np.atleast_2d(holds)) if np.any(row))


@check("thesis-6-036", limit=4)
def small_reduction(limit=1):
    """Case 1: how far below the three other pairs VP/VP is; the control asks four."""
    vertical, others = chosen(limits=(limit,))
    gain = (others - vertical).part((slice(None), 0))
    holds = above(gain, 3) & (upper(gain, 3) <= CLOSE)
    return over_domain(
        f"VP/VP {listed(vertical.value)}; lower than {', '.join(MIXED)} by {listed(gain.value, 4)}; by at most "
        f"{CLOSE:g} and told from {named(holds, MIXED)}",
        holds,
    )


@check("thesis-6-037", departures=True)
def worse_with_three_or_four(departures=False):
    """Case 1: where VP/VP is above the other pairs; in the control departures ask with VP preference too."""
    limits = (3, 4)
    vertical, others = chosen(limits=limits, departures=departures)
    more = Measured(vertical.value - others.value, np.hypot(vertical.half, others.half))
    holds = above(more, more.value.size)
    return over_domain(
        f"VP/VP {listed(vertical.value)} with three and four asked; above the others by {listed(more.value, 4)}; told: "
        f"{in_words(holds, MIXED, limits)}",
        holds,
    )


@check("thesis-6-038", exchanged=True)
def clearly_better(exchanged=False):
    """Case 2: how far below the others VP/VP is; the control looks for the reverse."""
    vertical, others = chosen(case=2)
    gain = vertical - others if exchanged else others - vertical
    at_home = others - chosen(case=2, departures=True)[0]
    number = gain.value.size
    clear, better = above(gain, number, CLEAR), above(gain, number)
    rest = chosen(case=2, limits=(0, 5, 6, 7, 8, 9))
    return Finding(
        f"lower by {gain.value.min():.3f} to {gain.value.max():.3f}; by {CLEAR:g} or more: "
        f"{in_words(clear, MIXED, BELOW)}; lower at all: {in_words(better, MIXED, BELOW)}; with none, and five to "
        f"nine asked, by {listed((rest[1] - rest[0]).value.min(axis=0))} at least; if departures ask with VP "
        f"preference too, by {at_home.value.min():.3f} to {at_home.value.max():.3f}",
        judged(clear.all(), better.any()),
    )


@check("thesis-6-039", case=1)
def unstable(case=2):
    """Group 2 with VP/VP: its deviation and the growth of its number; the control is case 1."""
    limits = (0, *BELOW)
    places = [LIMITS.index(limit) for limit in limits]

    def at(quantity, index=1, **other):
        return of_jsq(quantity, case, index, **other).part((-1, places))

    deviation, growth, number = at(DEVIATION), at("growth"), 2 * len(limits)
    zero = (np.abs(deviation.value) <= joint(number) * deviation.half) | (
        np.abs(deviation.value) + joint(number) * deviation.half <= NEGLIGIBLE
    )
    grows = above(growth, number)
    stay = at(DEVIATION, migration=False)
    both = [confined(name, case, 1).part(places) for name in (DEVIATION, "growth")]
    return over_domain(
        f"deviation of group 2 with 0 to 4 asked {listed(deviation.value)}, growth {listed(growth.value)}; without "
        f"migration {listed(stay.value)}, growth {listed(at('growth', migration=False).value)}; if departures ask with "
        f"VP preference too {listed(both[0].value)}, growth {listed(both[1].value)}",
        zero & grows,
    )


@check("thesis-6-040", group=1, migration=False)
def all_of_its_subset_known(group=0, migration=True):
    """Delta_1 with four asked; the control looks at group 2 without migration, of which some job always waits."""
    other = {} if migration else {"migration": False}
    found = of_jsq(DEVIATION, 2, group, **other).part((-1, 4))
    larger = of_jsq(DEVIATION, 2).part((-1, 4))
    stay = of_jsq(DEVIATION, 2, 0, migration=False).part((-1, 4))
    at_home = confined(DEVIATION, 2, 0).part(4)
    return finding(
        f"{found.value + 0.0:.4f} with a half width of {found.half:.4f}; the deviation of both {larger.value:.3f}; if "
        f"departures ask with VP preference too {at_home.value:.4f}; without migration {stay.value:.4f} (the loss of "
        f"five processors by themselves: {five_alone():.4f})",
        bool(np.abs(found.value) <= found.half),
    )


def five_alone():
    """The loss of five processors by themselves at load 0.4 under JSQ without migration, which knows no groups."""
    found = dispatch.simulate_central(
        policy="JSQ", local="PS", migration=False, required_shares=(0.5, 0.5), loads=(0.2, 0.2), processors=5,
        jumps=400_000, warmup=10_000, replications=8, seed=640,
    )  # fmt: skip
    return found.capacity_loss.value


@check("thesis-6-042", narrow=True)
def none_outperforms(narrow=False):
    """Where each pair is beaten; the control is case 2 with one to four asked and without migration."""
    cases, limits = ((2,), BELOW) if narrow else (ALL_CASES, LIMITS[1:])
    other = {"migration": False} if narrow else {}
    places = [LIMITS.index(limit) for limit in limits]
    found = [of_jsq(DEVIATION, case, **other).part((slice(None), places)) for case in cases]
    number = 3 * len(PAIRS) * len(cases) * len(limits)
    beaten, clear, said = [], [], []
    for k, pair in enumerate(PAIRS):
        others = [j for j in range(len(PAIRS)) if j != k]
        worse = [above(each.part(k) - each.part(j), number) for each in found for j in others]
        better = [above(each.part(j) - each.part(k), number, CLEAR) for each in found for j in others]
        beaten.append(bool(np.any(worse)))
        clear.append(bool(np.all(better)))
        where = [case for case, rows in zip(cases, np.array(worse).reshape(len(cases), -1)) if rows.any()]
        said.append(f"{pair} in case{'s' if len(where) != 1 else ''} {', '.join(map(str, where)) or 'none'}")
    loss = max(np.ptp(of_jsq(LOSS, case, **other).value[:, places], axis=0).max() for case in cases)
    return Finding(
        f"another pair is better than {'; '.join(said)}; losses differ by up to {loss:.3f}",
        "differs" if any(clear) else judged(all(beaten), True),
    )


@check("thesis-6-167", limits=(9,))
def can_matter(limits=LIMITS):
    """The largest differences between pairs; in the control all others are asked."""
    places = [LIMITS.index(limit) for limit in limits]
    number, largest = 2 * 6 * len(ALL_CASES) * len(limits), {}
    for quantity in (DEVIATION, LOSS):
        for case, (j, k) in itertools.product(ALL_CASES, itertools.permutations(range(len(PAIRS)), 2)):
            found = of_jsq(quantity, case).part((slice(None), places))
            one, other = found.part(j), found.part(k)
            if quantity == DEVIATION:
                ends = lower(one - other, number)
            else:  # relative to the larger of the two
                ends = lower(one - other, number) / np.maximum(one.value, EXACT_ZERO)
            at = int(np.argmax(ends))
            if ends[at] > largest.get(quantity, (-1,))[0]:
                apart = (one - other).value[at]
                largest[quantity] = (ends[at], apart, f"{PAIRS[j]} and {PAIRS[k]}, case {case}, limit {limits[at]}")
    holds = [largest[quantity][0] >= CLEAR for quantity in (DEVIATION, LOSS)]
    return Finding(
        f"deviations differ by up to {largest[DEVIATION][1]:.3f} ({largest[DEVIATION][2]}), losses by "
        f"{largest[LOSS][1]:.3f} ({largest[LOSS][2]})",
        judged(all(holds), any(holds)),
    )


@check("thesis-6-169", limits=(9,))
def capacity_unused(limits=BELOW):
    """Case 1: the loss of VP/VP against the other pairs; in the control all are known."""
    vertical, others = chosen(LOSS, limits=limits)
    twice = Measured(vertical.value - 2 * others.value, np.hypot(vertical.half, 2 * others.half))
    more = Measured(vertical.value - others.value, np.hypot(vertical.half, others.half))
    number = more.value.size
    much, larger = above(twice, number), above(more, number)
    stay = of_jsq(LOSS, migration=False).part((slice(None), [LIMITS.index(limit) for limit in limits]))
    at_home = confined(LOSS).part([LIMITS.index(limit) for limit in limits])
    return Finding(
        f"VP/VP loses {listed(vertical.value)}, the others at least {listed(others.value.min(axis=0))}; twice as much: "
        f"{in_words(much, MIXED, limits)}; more: {in_words(larger, MIXED, limits)}; if departures ask with VP "
        f"preference too {listed(at_home.value)}; without migration VP/VP {listed(stay.value[-1])}, the others at "
        f"least {listed(stay.value[:-1].min(axis=0))}",
        judged(much.all(), larger.any()),
    )


@check("thesis-6-171", pair="HP/HP")
def no_loss_within(pair=VERTICAL):
    """Case 2: the loss within the subset of group 1; the control has HP for both."""
    found = of_jsq("subset_loss", 2, 0).part((PAIRS.index(pair), [LIMITS.index(limit) for limit in BELOW]))
    falls = above(Measured(-np.diff(found.value), np.hypot(found.half[1:], found.half[:-1])), len(BELOW) - 1)
    zero = bool(found.value[-1] <= EXACT_ZERO + found.half[-1])
    missed = 0.5 * of_jsq(DEVIATION, 2, 0).value[PAIRS.index(pair), 1:5]
    stay = of_jsq("subset_loss", 2, 0, migration=False).value[PAIRS.index(pair), 1:5]
    return Finding(
        f"{listed(found.value, 4)} with one to four asked; falls at {falls.sum()} of {falls.size} steps; half the "
        f"deviation of group 1: {listed(missed, 4)}; without migration the loss is {listed(stay, 4)}",
        judged(falls.all() and zero, falls.any() or zero),
    )


@check("thesis-6-172", vertical_too=False)
def only_both(vertical_too=True):
    """Case 2 against HP/HP; the control has HP/HP in place of VP/VP."""
    vertical, others = chosen(case=2)
    if not vertical_too:
        vertical = others.part(0)
    plain, mixed = others.part(0), others.part(slice(1, 3))
    number = 3 * len(BELOW)
    gain = Measured(plain.value - mixed.value, np.hypot(plain.half, mixed.half))
    not_clear = upper(gain, number) < CLEAR
    both = plain - vertical
    clear = above(both, number, CLEAR)
    mixed_clear = above(gain, number, CLEAR)
    worse = any(mixed_clear[k].all() for k in range(2)) or not above(both, number).any()
    return Finding(
        f"below HP/HP: HP/VP by {listed(gain.value[0])}, VP/HP by {listed(gain.value[1])}, VP/VP by "
        f"{listed(both.value)}; VP/VP by {CLEAR:g} or more at {named(clear, BELOW)} asked; a mixed pair better at all: "
        f"{in_words(above(gain, number), MIXED[1:], BELOW)}",
        "differs" if worse else judged(not_clear.all() and clear.all(), True),
    )


@check("thesis-6-173", exchanged=True)
def other_policies_too(exchanged=False):
    """HP, SVP and DVP: VP/VP less HP/HP in case 1, and the reverse in case 2; the control exchanges the cases."""
    first, second = (2, 1) if exchanged else (1, 2)
    differences = {case: of_others(VERTICAL, case=case) - of_others("HP/HP", case=case) for case in (1, 2)}
    number = len(OTHERS) * (2 + len(BELOW))
    worse = above(differences[first].part((slice(None), slice(2, None))), number)
    gain = Measured(-differences[second].value, differences[second].half)
    better, some = above(gain, number, CLEAR), above(gain, number)
    return Finding(
        f"case {first}, three and four asked: above by {listed(differences[first].value[:, 2:], 4)}, told: "
        f"{in_words(worse, OTHERS, (3, 4))}; case {second}: below by {listed(gain.value)}, by {CLEAR:g} or more: "
        f"{in_words(better, OTHERS, BELOW)}, at all: {in_words(some, OTHERS, BELOW)}",
        judged(worse.all() and better.all(), worse.any() or better.any()),
    )
