"""Claims of `thesis`, Section 7.1, items 5 and 8: what the choice of policies is worth, and what very many leave."""

import itertools

import numpy as np

from clustershare import splitting
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, grid, measured, widened
from compendium.press.clauses.conditions import at_most, larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points.by_case import CASES as OF_CHAPTER_5
from pages.share_scheduling.central.points.by_case import DEVIATION, LOSS
from pages.share_scheduling.central.systems import LOCAL, POLICIES
from pages.share_scheduling.conclusions.points.compared import FIGURES, WITH, WITHOUT, value
from pages.share_scheduling.conclusions.points.very_many import (
    CASES,
    PROCESSORS,
    queueing,
    values,
)

NEGLIGIBLE, RUNS = SCALE["practically equal"].most, 30
MOVING = {WITHOUT: "without migration", WITH: "with migration"}
SYMBOLS = {DEVIATION: "deviation", LOSS: "loss"}
LOADS, LARGE = tuple(k / 10 for k in range(1, 10)), (100, 500, 1000)
WIDE = widened(len(PROCESSORS) * len(CASES) * 2 * len(POLICIES) * len(LOCAL), RUNS)
KINDS = ("global", "local")


def between(low, high, **axes):
    """Points of which both ends of the intervals are known, which hold together already."""
    low, high = np.array(low), np.array(high)
    return measured((low + high) / 2, (high - low) / 2, risk=None, as_it_stands=True, **axes)


def changes(processors, migration, quantity):
    """The largest difference that the choice of a policy makes: of deviations as it stands, of losses of the larger.

    Returns
    -------
    Points
        Along the case, and which of the two policies it is.
    """
    found, ends = values(quantity), np.zeros((2, len(CASES), len(KINDS)))
    for i, case in enumerate(CASES):
        table = np.array([
            [found[processors, case, migration, policy, local] for local in LOCAL] for policy in POLICIES
        ])  # fmt: skip
        low, high = (table[..., 0] + sign * WIDE * table[..., 1] for sign in (-1, 1))
        for axis in (0, 1):
            least = low.max(axis=axis) - high.min(axis=axis)
            most = high.max(axis=axis) - low.min(axis=axis)
            if quantity == LOSS:
                with np.errstate(invalid="ignore", divide="ignore"):
                    least = np.nan_to_num(least / low.max(axis=axis))
                    most = np.nan_to_num(1 - np.maximum(low.min(axis=axis), 0) / high.max(axis=axis))
            ends[:, i, axis] = np.maximum(least, 0).max(), most.max()
    return between(*ends, case=tuple(CASES), choice=KINDS)


@check("thesis-7-002", processors=10)
def differences_vanish(processors=500):
    """Erlang's probability, and differences of the policies' points; the control has ten processors."""
    waits = grid(P=LARGE, load=LOADS).measure(lambda P, load: queueing(load, P))
    rare = exact((waits.value <= NEGLIGIBLE).mean(axis=1), P=LARGE)
    clauses = []
    for migration, quantity in itertools.product(MOVING, SYMBOLS):
        left, before = (changes(P, migration, quantity) for P in (processors, 10))
        text = f"{MOVING[migration]} the largest difference of the {SYMBOLS[quantity]} by the choice of a policy"
        clauses.append(at_each(text, left, at_most("practically equal")))
        there = before.high() > NEGLIGIBLE
        if there.any():
            reason = "it is negligible on ten processors"
            clauses.append(at_each("what it was on ten processors, less that,",
                                   (before - left).where(there, reason), larger()))  # fmt: skip
    return conclude(
        *clauses,
        aside("the probability of queueing under random splitting at load 0.8, on any number of processors",
              exact(1 - splitting.number_law([0.8], 1)[0])),
        provided=[
            everywhere("the part of the loads at which the probability of queueing is at most 0.01", rare, larger(0.5)),
            everywhere(f"that probability at load 0.8, P = {processors},", exact(queueing(0.8, processors)),
                       at_most(NEGLIGIBLE)),
        ],
    )  # fmt: skip


def _largest(name, migration, pairs):
    """The largest difference of pairs of combinations at the points of a case: the least and the most it may be."""
    ends = [(0.0, 0.0)]
    for one, other in pairs:
        (first, around), (second, wide) = (value(name, migration, key) for key in (one, other))
        gap = np.abs(first - second)
        ends += [(low, high) for low, high in zip(gap - around - wide, gap + around + wide) if not np.isnan(low)]
    return np.max(ends, axis=0)


def _of_two(pairs):
    """The largest difference of static combinations on two processors, case 2."""
    required, half, gaps = (0.5, 0.5), (0.5, 0.5), [0.0]
    for part in np.arange(1, 10) / 20:
        loads = (0.8 * part, 0.8 * (1 - part))
        found = {("HPRS", local): splitting.horizontal(required, loads, half, local) for local in LOCAL}
        if loads[1] < 0.5:
            found["VPRS", None] = splitting.vertical(required, loads, 2)
        worst = {key: each.group_share_deviation.max() for key, each in found.items()}
        gaps += [abs(worst[one] - worst[other]) for one, other in pairs if one in worst and other in worst]
    return max(gaps)


@check("thesis-7-010", own=True)
def both_choices_matter(own=False):
    """The largest effect of each choice; in the control groups have whole processors of their own, by SVP and VPRS."""
    spread = () if own else POLICIES
    static = {
        "global": () if own else [(("HPRS", local), ("VPRS", None)) for local in LOCAL],
        "local": [(("VPRS", None), ("VPRS", None))] if own else [(("HPRS", "PS"), ("HPRS", "GPPS"))],
    }
    dynamic = {
        "global": [((a, local), (b, local)) for a, b in itertools.combinations(spread, 2) for local in LOCAL],
        "local": [((policy, "PS"), (policy, "GPPS")) for policy in spread],
    }
    found = {}
    for kind, pairs in static.items():
        ends = [_largest(name, WITHOUT, pairs) for name in ("case 2", "case 3")]
        found[f"{kind}, static"] = np.max([*ends, [_of_two(pairs)] * 2], axis=0)
    for (kind, pairs), migration in itertools.product(dynamic.items(), MOVING):
        named = [name for name, moves in FIGURES if moves == migration]
        ends = [_largest(name, migration, pairs) for name in named]
        if own and kind == "local":
            ends = [_of_whole(name, migration) for name in ("case 1", "case 2", "case 3")]
        found[f"{kind}, {MOVING[migration]}"] = np.max(ends, axis=0)
    return conclude(
        at_each("the largest effect of the choice of a policy", between(*np.transpose([*found.values()]), choice=found),
                larger("clear")),
        *(
            aside(f"with {P} processors, {MOVING[migration]}", changes(P, migration, DEVIATION).largest("case"))
            for P, migration in itertools.product(PROCESSORS[1:], MOVING)
        ),
    )  # fmt: skip


def _of_whole(name, migration):
    """The largest effect of the local policy under SVP where groups have whole processors."""
    (first, around), (second, wide) = (value(name, migration, ("SVP", local)) for local in LOCAL)
    gap, whole = np.abs(first - second), OF_CHAPTER_5[name].whole
    return (gap - around - wide)[whole].max(), (gap + around + wide)[whole].max()
