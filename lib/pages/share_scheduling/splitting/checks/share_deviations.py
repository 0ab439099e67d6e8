"""Claims of `thesis`, Section 4.5.4, cases 1 and 2: two groups with equal promises."""

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import nbinom

from clustershare.splitting import capacity_loss, minimise_capacity_loss
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, somewhere
from compendium.press.clauses.conditions import at_most, falls, larger, within
from compendium.press.findings import check, equality, erratum, finding, over_domain
from compendium.press.words import MANY, SCALE, allows
from pages.share_scheduling.splitting.cases import better, delivered, divided, smaller_by_tails, worst
from pages.share_scheduling.splitting.mixed_paths import confirmed

LOADS = np.arange(1, 100) / 100
PROCESSORS = (2, 4, 10, 20, 100, 500)
TOTAL = 0.8  # the load of case 2
EXACT, TIE = 1e-10, 1e-12
PRACTICALLY = SCALE["practically equal"].most


def whole(share, processors):
    """Those numbers of processors that a required share cuts into whole ones."""
    return [P for P in processors if abs(share * P - round(share * P)) < TIE]


@cache
def both(P, share=0.5):
    """The deviations of HPRS with PS and of VPRS at all loads, shape (2, loads)."""
    return np.array([[worst(policy, share, divided(load), P) for load in LOADS] for policy in ("HPRS/PS", "VPRS")])


def loss(P, load):
    """The least capacity loss of equal processors: the curve of Figure 4.7."""
    return minimise_capacity_loss(np.full(P, 1 / P), load).objective


@check("thesis-4-099", share=0.3)
def own_processors_are_better(share=0.5):
    """VPRS below HPRS, and equal to what half the processors lose."""
    holds, gap, ties = [], 0.0, 0
    for P in whole(share, PROCESSORS):
        mixed, apart = both(P, share)
        half = np.array([loss(P // 2, load) for load in LOADS])
        gap = max(gap, np.abs(apart - half).max())
        for load, shared, own, lost in zip(LOADS, mixed, apart, half):
            tie = abs(shared - own) < TIE
            ties += tie
            below = smaller_by_tails(P, load) if tie else own < shared
            holds.append(below and abs(own - lost) < EXACT)
    told = "equal to the loss within 1e-10" if gap < EXACT else f"up to {gap:.2f} from the loss"
    return over_domain(
        f"smaller and equal to the loss at {sum(holds)} of {len(holds)} points ({ties} of them told apart by the tails "
        f"of the laws); {told}",
        holds,
    )


@check("thesis-4-100", processors=(10,))
def many_processors(processors=(MANY, 200, 500, 1000)):
    """HPRS less VPRS, the worst load of each number of processors."""
    gaps = {P: both(P)[0] - both(P)[1] for P in processors}
    words = []
    for P, gap in gaps.items():
        above = LOADS[[not allows("practically equal", abs(g)) for g in gap]]
        where = f" (above 0.01 at loads from {above[0]:.2f} to {above[-1]:.2f})" if len(above) else ""
        words.append(f"{gap.max():.4f} at P = {P}{where}")
    return over_domain(
        f"largest difference {', '.join(words)}", [allows("practically equal", g.max()) for g in gaps.values()]
    )


@check("thesis-4-101", share=0.1)
def deviation_and_loss(share=0.5):
    """The deviation beside the loss; the control has VPRS, and who is promised a tenth brings the rest of the load."""
    policy = "HPRS/PS" if share == 0.5 else "VPRS"

    def both_of(P, load):
        found = delivered(policy, share, divided(load, 1 - share), P)
        return {"deviation": found.group_share_deviation.max(), "loss": found.capacity_loss}

    seen = grid(P=whole(share, PROCESSORS), load=LOADS).measure(both_of)
    apart = seen["deviation"] - seen["loss"]
    return conclude(
        at_each("the difference of the deviation and the loss", apart, within("close")),
        aside("the largest difference, as it stands", apart.distance().largest("load")),
    )


@check("thesis-4-102", few=100, many=2, fraction=0.35)
def few_processors(few=2, many=100, fraction=0.5):
    """By how much GPPS lowers the deviation at each load.

    In the control few and many change places, and one group brings 0.35 of the load.
    """
    gains = grid(P=(*range(2, 21), 50, 100), load=[k / 10 for k in range(1, 10)]).measure(
        lambda P, load: dict(zip(("gain", "part"), better("HPRS/GPPS", "HPRS/PS", 0.5, divided(load, fraction), P)))
    )
    gain, part = replace(gains["gain"], as_it_stands=True), gains["part"].largest("load")
    system = [0.5, 0.5], divided(TOTAL), 2
    paths = confirmed("GPPS", *system, delivered("HPRS/GPPS", 0.5, *system[1:]).group_share_deviation, steps=200_000)
    helped = [P for P, most in zip(gain.axes[0][1], gain.largest("load").value) if most >= SCALE["clear"].least]
    return conclude(
        somewhere(f"on {few} processors what GPPS takes off the deviation", gain.at(P=few), larger("clear")),
        everywhere(f"on {many} what it takes off", gain.at(P=many), at_most(SCALE["clear"].least)),
        aside("numbers of processors on which it takes off 0.1 somewhere", exact(len(helped))),
        aside(f"the largest part of the deviation that it takes off on {few} processors", part.at(P=few)),
        aside(f"that part on {many}", part.at(P=many)),
        provided=[fact("paths agree", paths, "paths disagree")],
    )


FRACTIONS = tuple(k / 100 for k in range(1, 100))


@check("thesis-4-103", fractions=(0.5,), policy="HPRS/PS")
def uneven_loads(fractions=FRACTIONS, policy="VPRS"):
    """Below at all fractions, by a half outside the middle, and HPRS high somewhere; the control has it for VPRS."""
    x, holds, words = np.array(fractions), [], []
    for P in (10, 500):
        mixed = np.array([worst("HPRS/PS", 0.5, divided(TOTAL, fraction), P) for fraction in x])
        gain = np.array([better(policy, "HPRS/PS", 0.5, divided(TOTAL, fraction), P) for fraction in x])
        uneven = (x < 0.25) | (x > 0.75)
        smaller, much = gain[:, 0] > 0, gain[:, 0] >= SCALE["much"].least
        holds += [*(smaller & (much | ~uneven)), mixed.max() > 0.5]
        most = (
            f"; outside the middle half by {gain[uneven, 0].min():.2f} to {gain[uneven, 0].max():.2f}, by 0.5 at "
            f"{much[uneven].sum()} of {uneven.sum()}, to at most {(1 - gain[uneven, 1]).max():.2f} of it"
            if uneven.any() else ""
        )  # fmt: skip
        words.append(f"P = {P}: smaller at {smaller.sum()} of {len(x)} fractions{most}; HPRS up to {mixed.max():.2f}")
    return over_domain(". ".join(words), holds)


@check("thesis-4-104", policy="HPRS/PS")
def flooded_and_idle(policy="VPRS"):
    """Nothing is wanting where a subset is flooded, and hardly anything where it is almost empty.

    The fractions go to one half: beyond, the groups have changed names.
    """
    loads = np.array([divided(TOTAL, k / 1000) for k in range(1, 501)])
    flooded, idle, even = 0.0, 0.0, np.inf
    for P in (10, 500):
        groups = np.array([delivered(policy, 0.5, tuple(pair), P).group_share_deviation for pair in loads])
        flooded = max(flooded, np.abs(groups[loads >= 0.5]).max())
        idle = max(idle, abs(groups[0, 0]))
        even = min(even, groups[-1].min())
    zero = "0 within 1e-12" if flooded <= TIE else f"up to {flooded:.2f}"
    return finding(
        f"flooded: {zero}; at fraction 0.001: {idle:.4f}; at one half both groups: {even:.3f} at least",
        flooded <= TIE and idle <= 0.01 < even,
    )


@check("thesis-4-105", P=10)
def peak_of_own_processors(P=500):
    """The largest deviation of each group over the fraction: its height, and its place."""

    def peak(P, group):
        lowest = 0.05 + 0.35 * group
        found = minimize_scalar(
            lambda x: -delivered("VPRS", 0.5, divided(TOTAL, x), P).group_share_deviation[group],
            bounds=(lowest, lowest + 0.55), method="bounded",
        )  # fmt: skip
        return found.x, -found.fun

    places, heights = zip(*(peak(P, group) for group in (0, 1)))
    high = max(heights) <= 0.5 and allows("close", 0.5 - min(heights))
    there = max(abs(places[0] - 0.3125), abs(places[1] - 0.6875)) <= 0.005
    return over_domain(
        f"largest {heights[0]:.3f} at fraction {places[0]:.4f} and {heights[1]:.3f} at {places[1]:.4f}; with ten times "
        f"as many processors at {peak(10 * P, 0)[0]:.4f}",
        [high, there],
    )


@check("thesis-4-106", local="FCFS")
def more_benefit_uneven(local="GPPS"):
    """What GPPS takes off the larger deviation, at each fraction and at one half."""
    # With equal means the numbers of the groups have one law under FCFS and under PS.
    policy = {"GPPS": "HPRS/GPPS", "FCFS": "HPRS/PS"}[local]
    x, holds, words = np.arange(1, 20) / 20, [], []
    for P in (2, 10, 20, 100):
        saved = np.array([better(policy, "HPRS/PS", 0.5, divided(TOTAL, fraction), P)[0] for fraction in x])
        middle, uneven = saved[9], np.delete(saved, 9)
        holds += list(uneven > middle)
        words.append(f"P = {P}: {middle:.4f} at one half, {uneven.min():.4f} to {uneven.max():.3f} elsewhere")
    return over_domain(f"more at {sum(holds)} of {len(holds)} points; {'; '.join(words)}", holds)


@check("thesis-4-107", one_each=True)
def still_worse(one_each=False):
    """HPRS with GPPS less VPRS at all fractions; in the control both give each group one processor."""

    def gap(P, fraction):
        mixed, size = ("VPRS", 2) if one_each else ("HPRS/GPPS", P)
        return better("VPRS", mixed, 0.5, divided(TOTAL, fraction), size)[0]

    more = grid(P=(2, 10, 20, 100), fraction=np.arange(1, 20) / 20).measure(gap)
    above = replace(more, value=more.value > 0)
    return conclude(
        at_each("under HPRS with GPPS the deviation is larger than under VPRS", above),
        aside("by how much at least, with P processors,", -(-more).largest("fraction")),
        aside("by how much at most", more.largest("fraction")),
    )


@check("thesis-4-116", share=0.3)
def letter_of_the_share(share=0.5):
    """No tau is defined; with r = 0.5 the figure is what the text says of it."""
    gap = max(np.abs(both(P, share)[1] - [loss(P // 2, load) for load in LOADS]).max() for P in (10, 20))
    told = "the loss of half the processors, as the text says" if gap < EXACT else f"{gap:.2f} from what the text says"
    return erratum(
        "the text calls it r, and tau is nowhere defined; with these shares for r the curve of VPRS is " + told,
        printed_holds=False, corrected_holds=gap < EXACT,
    )  # fmt: skip


@check("thesis-4-152", fraction=0.3)
def same_loss(fraction=0.5):
    """Both policies, Figure 4.7, and the law of the number of jobs by another library."""
    gap = 0.0
    for P in PROCESSORS:
        for load in LOADS:
            loads = divided(load, fraction)
            mixed, apart = (delivered(policy, 0.5, loads, P).capacity_loss for policy in ("HPRS/PS", "VPRS"))
            n = np.arange(P)
            negative_binomial = 1 - load - (1 - n / P) @ nbinom.pmf(n, P, 1 - load)
            gap = max(gap, abs(mixed - apart), abs(mixed - loss(P, load)), abs(mixed - negative_binomial))
    return equality(float(f"{gap:.1g}"), EXACT)


@check("thesis-4-153", processors=(10,))
def half_as_many(processors=(100, 1000, 10_000)):
    """The loss of P / 2 processors beside that of P, each at its worst load."""

    def apart(P):
        loads = LOADS if P <= 1000 else LOADS[9::10]
        losses = np.array([[capacity_loss(np.full(n, 1 / n), np.full(n, load)) for n in (P, P // 2)] for load in loads])
        gap = np.abs(np.diff(losses)[:, 0])
        return {"relative": (gap / losses.max(axis=1)).max(), "as it stands": gap.max()}

    gaps = cases("number of processors", processors).measure(apart)
    return conclude(
        at_each("the difference of the losses at its worst load, as a part of the larger,", gaps["relative"],
                at_most(PRACTICALLY)),
        aside("that as it stands", gaps["as it stands"]),
        provided=[everywhere("this difference", gaps["relative"].steps("number of processors"), falls())],
    )  # fmt: skip
