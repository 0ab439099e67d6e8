"""Claims of `thesis`, Section 4.5.4, cases 1 and 2: two groups with equal promises."""

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.optimize import minimize_scalar

from clustershare.splitting import capacity_loss, minimise_capacity_loss
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    equalities,
    everywhere,
    exact,
    fact,
    grid,
    mended,
    somewhere,
)
from compendium.press.clauses.conditions import at_most, between, equal, falls, larger, within
from compendium.press.findings import check, difference
from compendium.press.words import MANY, SCALE
from pages.share_scheduling.splitting.points.cases import (
    better,
    by_laws,
    delivered,
    divided,
    smaller_by_tails,
    worst,
)
from pages.share_scheduling.splitting.witnesses.mixed_paths import confirmed
from pages.share_scheduling.splitting.witnesses.partitions import loss_by_law

LOADS = np.arange(1, 100) / 100
PROCESSORS = (2, 4, 10, 20, 100, 500)
NUMBER = "number of processors"
TOTAL = 0.8  # the load of case 2
EXACT, TIE = 1e-10, 1e-12
FRACTIONS = tuple(k / 100 for k in range(1, 100))
TWENTIETHS = tuple(k / 20 for k in range(1, 20))


def whole(share, processors):
    """Those numbers of processors that a required share cuts into whole ones."""
    return [P for P in processors if abs(share * P - round(share * P)) < TIE]


@cache
def both(P, share=0.5):
    """The deviations of HPRS with PS and of VPRS at all loads, shape (2, loads)."""
    return np.array([[worst(policy, share, divided(load), P) for load in LOADS] for policy in ("HPRS/PS", "VPRS")])


def systems(policies, processors, total=None):
    """Some of those of case 1, over loads, or with a total load of case 2, over the fraction of group 1."""
    each = [divided(k / 10) if total is None else divided(total, k / 10) for k in range(1, 10)]
    return [(policy, 0.5, loads, P) for policy in policies for P in processors for loads in each]


def loss(P, load):
    """The least capacity loss of equal processors: the curve of Figure 4.7."""
    return minimise_capacity_loss(np.full(P, 1 / P), load).objective


@check("thesis-4-099", share=0.3)
def own_processors_are_better(share=0.5):
    """VPRS below HPRS, and equal to what half the processors lose."""
    sizes = whole(share, PROCESSORS)
    mixed, apart = np.array([both(P, share) for P in sizes]).transpose(1, 0, 2)
    half = np.array([[loss(P // 2, load) for load in LOADS] for P in sizes])
    ties = np.abs(mixed - apart) < TIE
    below = apart < mixed
    for k, n in np.argwhere(ties):
        below[k, n] = smaller_by_tails(sizes[k], LOADS[n])
    points = {"P": sizes, "load": LOADS}
    return conclude(
        at_each("the deviation of VPRS is smaller than that of HPRS", exact(below, **points)),
        at_each("it and the loss of half the processors", exact(apart - half, **points), equal(EXACT)),
        aside("points where the tails of the laws tell which is smaller", exact(ties.sum())),
        together=("P", "load"),
    )


@check("thesis-4-100", processors=(10,))
def many_processors(processors=(MANY, 200, 500, 1000)):
    """HPRS less VPRS at all loads of each number of processors."""
    more = exact([both(P)[0] - both(P)[1] for P in processors], P=processors, load=LOADS, as_it_stands=True)
    said = "the difference of the deviations of HPRS and VPRS"
    return conclude(
        at_each(said, more, within("practically equal"), every="load"),
        aside(said, more.largest("load")),
        provided=by_laws(*systems(("HPRS/PS", "VPRS"), processors)),
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
    mixed = lambda P, load: delivered("HPRS/PS", 0.5, divided(load), P).capacity_loss  # noqa: E731
    off = grid(P=PROCESSORS, load=LOADS[9::10]).measure(
        lambda P, load: difference([mixed(P, load), loss(P, load)], loss_by_law(P, load))
    )
    return conclude(
        at_each("the difference of the deviation and the loss", apart, within("close")),
        aside("the largest difference, as it stands", apart.distance().largest("load")),
        provided=[
            *by_laws(*systems((policy,), whole(share, PROCESSORS))),
            *equalities({"the loss of HPRS and the least one, and that by the law of the number of jobs": off}, EXACT),
        ],
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
        provided=[
            fact("paths agree", paths, "paths disagree"),
            *by_laws(*systems(("HPRS/PS", "HPRS/GPPS"), (2, 20, 100))),
        ],
    )


@check("thesis-4-103", fractions=(0.5,), policy="HPRS/PS")
def uneven_loads(fractions=FRACTIONS, policy="VPRS"):
    """Below at all fractions, by a half outside the middle, and HPRS high somewhere; the control has it for VPRS."""
    points = grid(P=(10, 500), fraction=fractions)
    mixed = points.measure(lambda P, fraction: worst("HPRS/PS", 0.5, divided(TOTAL, fraction), P))
    gain = points.measure(
        lambda P, fraction: dict(zip(("gain", "part"), better(policy, "HPRS/PS", 0.5, divided(TOTAL, fraction), P)))
    )
    asked = [0.0 if 0.25 <= fraction <= 0.75 else SCALE["much"].least for fraction in fractions]
    enough = (gain["gain"].value > 0) & (gain["gain"].value >= asked)
    return conclude(
        at_each("under VPRS the deviation is smaller, and much smaller where a group brings less than a quarter,",
                exact(enough, **dict(points.axes))),
        at_each("the largest deviation of HPRS", mixed.largest("fraction"), larger(0.5)),
        aside("what VPRS takes off the deviation", gain["gain"].smallest("fraction")),
        aside("the part that it takes off", gain["part"].smallest("fraction")),
        provided=by_laws(*systems(("HPRS/PS", "VPRS"), (10, 500), TOTAL)),
    )  # fmt: skip


@check("thesis-4-104", policy="HPRS/PS")
def flooded_and_idle(policy="VPRS"):
    """Nothing is wanting where a subset is flooded, and hardly anything where it is almost empty."""
    loads = np.array([divided(TOTAL, k / 1000) for k in range(1, 1000)])

    def deviations(P):
        groups = np.array([delivered(policy, 0.5, tuple(pair), P).group_share_deviation for pair in loads])
        idle = np.abs([groups[0, 0], groups[-1, 1]]).max()
        return {"flooded": np.abs(groups[loads >= 0.5]).max(), "idle": idle, "even": groups[len(groups) // 2].min()}

    found = cases(NUMBER, (10, 500)).measure(deviations)
    return conclude(
        everywhere("the deviation of a group whose processors are overloaded", found["flooded"], within(TIE)),
        everywhere("that of a group with a thousandth of the load", found["idle"], at_most(0.01)),
        everywhere("that of each group with half of the load", found["even"], larger(0.01)),
        whole=True,
    )


@check("thesis-4-105", P=10)
def peak_of_own_processors(P=500):
    """The largest deviation of each group over the fraction: its height, and its place."""

    def peak(group, P=P):
        lowest = 0.05 + 0.35 * (group - 1)
        found = minimize_scalar(
            lambda x: -delivered("VPRS", 0.5, divided(TOTAL, x), P).group_share_deviation[group - 1],
            bounds=(lowest, lowest + 0.55), method="bounded",
        )  # fmt: skip
        return {"height": -found.fun, "off": abs(found.x - (0.3125, 0.6875)[group - 1]), "place": found.x}

    found = cases("group", (1, 2)).measure(peak)
    return conclude(
        everywhere("the largest deviation", found["height"], between(0.5 - SCALE["close"].most, 0.5)),
        everywhere("the distance of its place from the printed one", found["off"], at_most(0.005)),
        aside("the fraction where it is largest", found["place"]),
        aside("that of group 1 with ten times as many processors", exact(peak(1, 10 * P)["place"])),
        provided=by_laws(*systems(("VPRS",), (P,), TOTAL)),
    )


@check("thesis-4-106", local="FCFS")
def more_benefit_uneven(local="GPPS"):
    """What GPPS takes off the larger deviation, at each fraction and at one half."""
    # With equal means the numbers of the groups have one law under FCFS and under PS.
    policy = {"GPPS": "HPRS/GPPS", "FCFS": "HPRS/PS"}[local]
    saved = grid(P=(2, 10, 20, 100), fraction=TWENTIETHS).measure(
        lambda P, fraction: better(policy, "HPRS/PS", 0.5, divided(TOTAL, fraction), P)[0]
    )
    uneven, even = (saved.at(fraction=which) for which in (tuple(x for x in TWENTIETHS if x != 0.5), 0.5))
    more = uneven.value > even.value[:, None]
    return conclude(
        at_each("GPPS takes more off the deviation than at a fraction of one half", exact(more, **dict(uneven.axes))),
        aside("what it takes off at one half", even),
        aside("what it takes off elsewhere, at least", uneven.smallest("fraction")),
        provided=by_laws(*systems(("HPRS/PS", "HPRS/GPPS"), (2, 10, 20, 100), TOTAL)),
    )


@check("thesis-4-107", one_each=True)
def still_worse(one_each=False):
    """HPRS with GPPS less VPRS at all fractions; in the control both give each group one processor."""

    def gap(P, fraction):
        mixed, size = ("VPRS", 2) if one_each else ("HPRS/GPPS", P)
        return better("VPRS", mixed, 0.5, divided(TOTAL, fraction), size)[0]

    more = grid(P=(2, 10, 20, 100), fraction=TWENTIETHS).measure(gap)
    above = replace(more, value=more.value > 0)
    return conclude(
        at_each("under HPRS with GPPS the deviation is larger than under VPRS", above),
        aside("by how much at least, with P processors,", more.smallest("fraction")),
        aside("by how much at most", more.largest("fraction")),
        provided=by_laws(*systems(("HPRS/GPPS", "VPRS"), (2, 10, 20, 100), TOTAL)),
    )


@check("thesis-4-116", share=0.3)
def letter_of_the_share(share=0.5):
    """No tau is defined in Chapter 4; with r = 0.5 the figure is what the text says of it."""
    points = {"P": (10, 20), "load": LOADS}
    apart = [both(P, share)[1] - [loss(P // 2, load) for load in LOADS] for P in points["P"]]
    return mended(
        fact("tau_g is defined", False, "the text of case 1 calls it r, and no tau_g is defined in Chapter 4"),
        everywhere("with these shares for r, the curve of VPRS and the loss of half the processors",
                   exact(apart, **points), equal(EXACT)),
    )  # fmt: skip


@check("thesis-4-152", fraction=0.3)
def same_loss(fraction=0.5):
    """Both policies, Figure 4.7, and the law of the number of jobs by another library."""

    def gaps(P, load):
        mixed, apart = (
            delivered(policy, 0.5, divided(load, fraction), P).capacity_loss for policy in ("HPRS/PS", "VPRS")
        )
        return {
            "the losses of the two policies": mixed - apart,
            "that of HPRS and the least one": mixed - loss(P, load),
            "that and one by the law of the number of jobs": mixed - loss_by_law(P, load),
        }

    return conclude(*equalities(grid(P=PROCESSORS, load=LOADS).measure(gaps), EXACT), whole=True)


@check("thesis-4-153", processors=(10,))
def half_as_many(processors=(100, 1000, 10_000)):
    """The loss of P / 2 processors beside that of P, each at its worst load."""

    def apart(P):
        loads = LOADS if P <= 1000 else LOADS[9::10]
        losses = np.array([[capacity_loss(np.full(n, 1 / n), np.full(n, load)) for n in (P, P // 2)] for load in loads])
        gap = np.abs(np.diff(losses)[:, 0])
        known = np.array([[loss_by_law(n, load) for n in (P, P // 2)] for load in loads])
        least = [[loss(n, load) for n in (P, P // 2)] for load in LOADS[9::40]]
        off = max(difference(losses, known), difference(least, known[9::40] if P <= 1000 else known[::4]))
        return {"relative": (gap / losses.max(axis=1)).max(), "as it stands": gap.max(), "off": off}

    gaps = cases(NUMBER, processors).measure(apart)
    return conclude(
        at_each("the difference of the losses at its worst load, as a part of the larger,", gaps["relative"],
                at_most("practically equal")),
        aside("that as it stands", gaps["as it stands"]),
        provided=[
            everywhere("this difference", gaps["relative"].steps(NUMBER), falls()),
            *equalities({"the losses, the least ones, and those by the law of the number of jobs": gaps["off"]}, EXACT),
        ],
    )  # fmt: skip
