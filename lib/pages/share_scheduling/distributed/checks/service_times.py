"""Claims of `thesis`, Sections 6.7.6 and 6.8: unequal mean service times, and heavy tails."""

import numpy as np

from clustershare import splitting
from compendium.press.findings import DIFFERS, UNDECIDABLE, Finding, check, finding, over_domain, yes
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.limits import five
from pages.share_scheduling.distributed.measured import (
    DEVIATION,
    LOSS,
    Measured,
    above,
    below,
    by_policy,
    column,
    in_equilibrium,
    judged,
    listed,
    named,
    upper,
)
from pages.share_scheduling.distributed.service_times import (
    APART,
    LONG,
    OTHER_CASES,
    OTHER_RATIOS,
    PROCESSORS,
    alone,
    at_limits,
    at_ratios,
    degradation,
    feasible_with_own_processors,
    from_empty,
    in_other_cases,
    largest_possible,
    missing_in_runs,
    mixture,
    rates,
)
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.systems import CASES, LIMITS, POLICIES, RATIOS

CLEAR, REASONABLE = SCALE["clear"].least, 0.05
FEW_LIMITS = (2, 3)
FOUR = len(POLICIES)
BELOW_ONE = (0.01, 0.1)


def settled(limits, **other):
    """Which points of Figure 6.13 are in equilibrium, and how much of the load the runs obtain, in words."""
    obtained = [at_limits("obtained_share", g, heavy=True, limits=limits, **other) for g in (0, 1)]
    part = [group.value / load for group, load in zip(obtained, CASES[1][1])]
    said = f"runs that obtain {np.min(part):.3f} to {np.max(part):.3f} of the load"
    return in_equilibrium(obtained, CASES[1][1]), said


def isolated(like, ratios, cases=None, part=DEVIATION):
    """What Isolation gives in place of the policies: the shape of some points; exact."""

    def one(case, ratio):
        return np.max(getattr(alone(case, ratio), part))

    values = np.array([[one(case, ratio) for ratio in ratios] for case in cases or (1,)])
    values = values if cases else values[0]
    return Measured(np.broadcast_to(values, like.value.shape), np.zeros(like.value.shape))


@check("thesis-6-032", isolation=True)
def robust(isolation=False):
    """Deviations at all ratios, and what they are above those at 1; the control is Isolation, in cases 2 to 5 at 1."""
    one, others = at_ratios(DEVIATION), in_other_cases(DEVIATION)
    if isolation:
        one, others = isolated(one, RATIOS), isolated(others, (1.0,) * len(OTHER_RATIOS), OTHER_CASES)
    equal = five(DEVIATION).part((slice(None), slice(1, None), 3))  # cases 2 to 5, three asked
    first = at_ratios(DEVIATION).part((slice(None), 0))
    small = upper(one, one.value.size) <= REASONABLE
    changes = [one - first.part((slice(None), None)), others - equal.part((slice(None), slice(None), None))]
    number = sum(change.value.size for change in changes)
    little = [upper(change, number) < CLEAR for change in changes]
    places = [f"case {OTHER_CASES[j]} at {OTHER_RATIOS[k]:g} ({POLICIES[p]})" for p, j, k in np.argwhere(~little[1])]
    return Finding(
        f"case 1: at most {one.value.max():.3f}, {'all' if small.all() else small.sum()} of {small.size} at most "
        f"{REASONABLE:g}; above the value at 1 by at most {changes[0].value.max():.3f}, in the other cases by at most "
        f"{changes[1].value.max():.3f}; by {CLEAR:g} or more, intervals included: {', '.join(places) or 'nowhere'}",
        judged(small.all() and all(each.all() for each in little), any(each.any() for each in (small, *little))),
    )


@check("thesis-6-033", ratios=(1.0, 2.0))
def horizontal_best(ratios=(20.0, 50.0, 100.0)):
    """The other policies less HP at high ratios; the control has low ones."""
    found = at_ratios(DEVIATION, ratios=RATIOS)
    every = Measured(*(np.delete(part, 1, 0) - sign * part[1] for part, sign in zip(found, (1, 0))))
    gain = Measured(every.value, np.hypot(np.delete(found.half, 1, 0), found.half[1]))
    places = [RATIOS.index(ratio) for ratio in ratios]
    holds = above(gain.part((slice(None), places)), 3 * len(places))
    told = above(gain, gain.value.size).all(axis=0)
    since = next((f"{RATIOS[k]:g}" for k in range(len(RATIOS)) if told[k:].all()), "none")
    return over_domain(
        f"the others are above HP by {listed(gain.value[:, places], 4)} at {', '.join(f'{r:g}' for r in ratios)}; told "
        f"at {holds.sum()} of {holds.size}; all are from a ratio of {since} on",
        holds,
    )


@check("thesis-6-034", ignored=True)
def only_without_probing(ignored=False):
    """Pareto less exponential at all limits; in the control nobody is probed with Pareto sizes."""
    heavy, usual = at_limits(DEVIATION, heavy=True), at_limits(DEVIATION)
    if ignored:
        heavy = heavy.part((slice(None), [0] * len(LIMITS)))
    more = heavy - usual
    number = more.value.size
    bound = largest_possible() - float(alone().group_share_deviation.max())
    stays, runs = settled(LIMITS)
    significant = np.where(stays[:, 0], above(column(more), number, CLEAR), bound >= CLEAR)
    little = upper(more.part((slice(None), slice(1, None))), number) < CLEAR
    halves = [at_limits(DEVIATION, heavy=True, limits=(0,), local="PS").value[0, 0]]
    exact = float(splitting.horizontal(*CASES[1], [1 / PROCESSORS] * PROCESSORS, "PS").group_share_deviation.max())
    short = {jobs: from_empty(jobs).group_share_deviation.value.max() for jobs in (10_000, 100_000)}
    plain = {jobs: from_empty(jobs, heavy=False).group_share_deviation.value.max() for jobs in short}
    return Finding(
        f"without probing worse by {by_policy(more.value[:, 0])}; with, by {more.value[:, 1:].min():.3f} to "
        f"{more.value[:, 1:].max():.3f}; less than {CLEAR:g} at {little.sum()} of {little.size} points; exactly, no "
        f"law is worse without probing than the exponential one by more than {bound:.4f}: the rest is load that such "
        f"runs miss, {missing_in_runs():.3f} of it by the law; all are {runs}; with PS {halves[0]:.3f}, exactly "
        f"{exact:.3f} for any law; runs from an empty system of {' and '.join(map(str, short))} jobs: "
        f"{listed(list(short.values()))}, exponential {listed(list(plain.values()))}",
        judged(significant.all() and little.all(), significant.all() or little.all()),
    )


@check("thesis-6-048", equal=True)
def loads_stay(equal=False):
    """Obtained shares at all ratios, and the law over all jobs; in the control both groups have equal arrivals."""
    worst, gaps, cvs = 0.0, [], []
    for ratio in RATIOS:
        rate, mean = rates(ratio, equal=equal)
        worst = max(worst, np.abs(rate * mean / PROCESSORS - 0.4).max())
        gap, cv = mixture(ratio)
        gaps.append(gap)
        cvs.append(cv)
    found = [at_ratios("obtained_share", index=g) for g in (0, 1)]
    number = 2 * found[0].value.size
    away = max((np.abs(each.value - 0.4) / each.half).max() for each in found)
    one_only = abs(cvs[0] - 1) <= 1e-12 and min(cvs[1:]) > 1 + 1e-9
    other = [
        at_ratios(DEVIATION, ratios=(2.0, 10.0), ratio_of=name, part=1.0) - at_ratios(DEVIATION, ratios=(2.0, 10.0))
        for name in ("group 1", "group 2")
    ]
    apart = [max(np.abs(each.value[:, k]).max() for each in other) for k in (0, 1)]
    return finding(
        f"loads {'stay' if worst <= 1e-12 else f'change by up to {worst:.2f}'}; obtained shares at most "
        f"{away:.1f} half "
        f"widths from 0.4, of {joint(number):.1f} for all together; mixture "
        f"{'equal' if max(gaps) <= 1e-12 else 'apart'} "
        f"within 1e-12, coefficient of variation {cvs[0]:.2f} to {cvs[-1]:.2f}; with the mean of one group 1 in "
        "place of "
        f"the overall mean, deviations differ by up to {apart[0]:.4f} at a ratio of 2 and {apart[1]:.4f} at 10; at 100 "
        "with that of group 1 migrations overload the network",
        worst <= 1e-12 and away <= joint(number) and max(gaps) <= 1e-12 and one_only,
    )


@check("thesis-6-157", exchanged=True)
def both_help(exchanged=False):
    """Deviations with PS, and without migration, less those with both; the control exchanges them."""
    both = at_ratios(DEVIATION, ratios=APART)
    parts = {"PS": at_ratios(DEVIATION, ratios=APART, local="PS")}
    parts["no migration"] = at_ratios(DEVIATION, ratios=APART, migration=False)
    sign = -1 if exchanged else 1
    gain = {name: Measured(sign * (each - both).value, (each - both).half) for name, each in parts.items()}
    holds = np.array([above(each, each.value.size) for each in gain.values()])
    said = "; ".join(
        f"{name} {by_policy(each.value[:, k])} at {ratio:g}"
        for name, each in gain.items()
        for k, ratio in enumerate(APART)
    )
    usual = at_limits(DEVIATION, limits=(3,))
    equal = {"PS": at_limits(DEVIATION, limits=(3,), local="PS") - usual}
    equal["no migration"] = at_limits(DEVIATION, limits=(3,), migration=False) - usual
    return over_domain(
        f"{'lower' if exchanged else 'higher'} by: {said}; at 1: PS {by_policy(equal['PS'].value[:, 0])}, no migration "
        f"{by_policy(equal['no migration'].value[:, 0])}",
        holds,
    )


@check("thesis-6-158", ratios=(1.0,))
def short_jobs_miss_more(ratios=RATIOS[1:]):
    """Delta_2 less Delta_1; the control has equal means."""
    less, more = (at_ratios(DEVIATION, index=g, ratios=ratios) for g in (0, 1))
    gap = more - less
    holds = above(gap, gap.value.size)
    return over_domain(
        f"Delta_2 less Delta_1 is {gap.value.min():.4f} to {gap.value.max():.4f}; told at {holds.sum()} of "
        f"{holds.size} points",
        holds,
    )


@check("thesis-6-159", ratios=BELOW_ONE)
def more_arrivals_more_feasible(ratios=RATIOS[1:]):
    """E[f_2] less E[f_1], in rows and where it is exact; the control has ratios below 1."""
    part = 1.0 if ratios == BELOW_ONE else LONG
    first, second = (at_ratios("feasible_share", index=g, ratios=ratios, part=part) for g in (0, 1))
    gap = second - first
    holds = above(gap, gap.value.size)
    arrive = all(abs(rates(ratio)[0][1] / rates(ratio)[0][0] / ratio - 1) <= 1e-12 for ratio in ratios)
    exact = [np.ptp(alone(1, ratio, "PS").feasible_share) for ratio in ratios]
    own = feasible_with_own_processors()
    return Finding(
        f"arrivals in the ratio: {yes(arrive)}; E[f_2] above E[f_1] by {gap.value.min():.4f} to "
        f"{gap.value.max():.4f}, told "
        f"at {holds.sum()} of {holds.size} points; of processors by themselves with PS both are equal within "
        f"{'1e-12' if max(exact) <= 1e-12 else f'{max(exact):.1g}'}, and with a processor for each job both are "
        f"{own:.4f} whatever the ratio",
        judged(arrive and holds.all() and max(exact) > 1e-12, arrive and holds.any()),
    )


@check("thesis-6-160", ratio=100.0)
def horizontal_inferior(ratio=None):
    """HP less JSQ where the groups are much alike; the control has a ratio of 100."""

    def less(found):
        return found.part(1) - found.part(0)

    if ratio is None:
        parts = [less(at_ratios(DEVIATION, ratios=(1.0, 2.0))), less(at_limits(DEVIATION, limits=LIMITS[1:]))]
    else:
        parts = [less(at_ratios(DEVIATION, ratios=(ratio,)))]
    number = sum(each.value.size for each in parts)
    holds = np.concatenate([above(each, number) for each in parts])
    cases = (five(DEVIATION).part((1, slice(1, None), 3)) - five(DEVIATION).part((0, slice(1, None), 3))).value
    return over_domain(
        f"HP above JSQ by {'; '.join(listed(each.value, 4) for each in parts)}; told at {holds.sum()} of {holds.size}; "
        f"in cases 2 to 5, three asked, by {listed(cases)}",
        holds,
    )


@check("thesis-6-163", short=True)
def more_dramatic(short=False):
    """What one probed gains with Pareto and with exponential sizes; the control takes runs too short as they stand."""
    limits = (0, 1)
    heavy, usual = (at_limits(DEVIATION, heavy=law, limits=limits) for law in (True, False))
    gained, usual = (column(found, 0) - column(found, 1) for found in (heavy, usual))
    shares, loads = CASES[1]
    stays = settled(limits)[0] | short
    # A bound where the run is too short: the largest without probing, the least with one probed.
    feasible = [at_limits("feasible_share", g, heavy=True, limits=(1,)) for g in (0, 1)]
    least = np.max([(f.value - load) / share for f, load, share in zip(feasible, loads, shares)], axis=0)
    wide = np.max([f.half / share for f, share in zip(feasible, shares)], axis=0)
    bounds = Measured(
        np.column_stack([np.full(FOUR, largest_possible()), least]), np.column_stack([np.zeros(FOUR), wide])
    )
    best = Measured(*(np.where(stays, *parts) for parts in zip(heavy, bounds)))
    most, known = column(best, 0) - column(best, 1), stays.all(axis=1)
    twice = Measured(most.value - 2 * usual.value, np.hypot(most.half, 2 * usual.half))
    much, more = known & above(twice, FOUR), known & above(most - usual, FOUR)
    refuted = below(twice, FOUR).all() and not more.any()
    return Finding(
        f"Pareto {by_policy(gained.value)} as the runs stand, of which {(~stays).sum()} of {stays.size} are too short; "
        f"in equilibrium at most {by_policy(most.value)}; exponential {by_policy(usual.value)}; shown to be twice as "
        f"much for {named(much, POLICIES)}, more for {named(more, POLICIES)}",
        DIFFERS if refuted else UNDECIDABLE if not known.all() else judged(much.all(), more.any()),
    )


@check("thesis-6-164", exponential=True)
def due_to_both(exponential=False):
    """What Pareto sizes add without migration, and with PS, above what they add with both; the control adds nothing."""
    three = (3,)
    both = column(degradation(DEVIATION, limits=three))
    gain = {}
    for name, other in (("no migration", {"migration": False}), ("PS", {"local": "PS"})):
        found = column(degradation(DEVIATION, limits=three, **other))
        gain[name] = Measured(0 * both.value, both.half) if exponential else found - both
    holds = np.array([above(each, FOUR) for each in gain.values()])
    ways = {"both": {}, "no migration": {"migration": False}, "PS": {"local": "PS"}}
    runs = "; ".join(f"with {name} {settled(three, **way)[1]}" for name, way in ways.items())
    return over_domain(
        f"with both {by_policy(both.value)}; more without migration by {by_policy(gain['no migration'].value)}, with "
        f"PS by {by_policy(gain['PS'].value)}; told for {named(holds[0], POLICIES)}, and for "
        f"{named(holds[1], POLICIES)}; too short for an equilibrium: {runs}",
        holds,
    )


@check("thesis-6-165", isolation=True)
def not_affected(isolation=False):
    """Both measures against exponential sizes of equal means; the control is Isolation where the law is another."""
    number = 2 * (FOUR * (len(RATIOS) - 1) + FOUR * len(FEW_LIMITS))
    holds, said = [], []
    stays, runs = settled(FEW_LIMITS)
    counts = stays.all() or isolation  # what heavy tails do
    for quantity in (DEVIATION, LOSS):
        index = None if quantity == DEVIATION else 0
        ratios, equal = at_ratios(quantity, index).part((slice(None), slice(1, None))), at_ratios(quantity, index)
        heavy = at_limits(quantity, index, heavy=True, limits=FEW_LIMITS)
        usual = at_limits(quantity, index, limits=FEW_LIMITS)
        if isolation:
            ratios, heavy = isolated(ratios, RATIOS[1:], part=quantity), isolated(heavy, (1.0, 1.0), part=quantity)
        for name, found, base in (
            ("unequal means", ratios, equal.part((slice(None), slice(0, 1)))),
            ("heavy tails", heavy, usual),
        ):
            change = found - base
            allowed = CLEAR * (np.maximum(found.value, base.value) if quantity == LOSS else 1.0)
            inside = below(Measured(change.value - allowed, change.half), number) & below(
                Measured(-change.value - allowed, change.half), number
            )
            if name != "heavy tails" or counts:
                holds.append(inside.ravel())
            relative = np.abs(change.value) / np.maximum(found.value, base.value) if quantity == LOSS else change.value
            said.append(
                f"{'loss' if quantity == LOSS else 'deviation'}, {name}: {inside.sum()} of {inside.size}, at most "
                f"{np.abs(change.value).max():.3f}" + (f", relative {relative.max():.2f}" if quantity == LOSS else "")
            )
    tails = "" if counts else f"; heavy tails left out: {runs}, too short for an equilibrium"
    return over_domain("; ".join(said) + tails, np.concatenate(holds))
