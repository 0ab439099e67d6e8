"""Claims of `thesis`, Chapter 7: what the choice of policies is worth, and what very many processors leave of it."""

import itertools

import numpy as np

from clustershare import splitting
from compendium.press.findings import Finding, check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points.by_case import CASES as OF_CHAPTER_5
from pages.share_scheduling.central.points.by_case import DEVIATION, LOSS
from pages.share_scheduling.central.systems import LOCAL, POLICIES
from pages.share_scheduling.conclusions.compared import FIGURES, WITH, WITHOUT, value
from pages.share_scheduling.conclusions.very_many import (
    CASES,
    ODD,
    PROCESSORS,
    apart,
    queueing,
    random_shares,
    rounded,
    values,
)
from pages.share_scheduling.distributed.simulated import joint

CLEAR, NEGLIGIBLE = SCALE["clear"].least, SCALE["practically equal"].most
MOVING = {WITHOUT: "without migration", WITH: "with migration"}
SYMBOLS = {DEVIATION: "deviation", LOSS: "loss"}
LOADS, LARGE = tuple(k / 10 for k in range(1, 10)), (100, 500, 1000)
WIDE = joint(len(PROCESSORS) * len(CASES) * 2 * len(POLICIES) * len(LOCAL))


@check("thesis-7-002", processors=10)
def differences_vanish(processors=500):
    """Erlang's probability, and differences of the policies' points; the control has ten processors."""
    waits = np.array([[queueing(load, P) for load in LOADS] for P in LARGE])
    rare = waits <= NEGLIGIBLE
    seldom = (rare.mean(axis=1) > 0.5).all() and queueing(0.8, processors) <= NEGLIGIBLE
    gone, said = {}, []
    for migration, quantity in itertools.product((WITHOUT, WITH), (DEVIATION, LOSS)):
        for case, kind in itertools.product(CASES, ("global", "local")):
            (left, around), (before, wide) = (apart(P, case, migration, quantity)[kind] for P in (processors, 10))
            smaller = processors > 10 and (left + WIDE * around < before - WIDE * wide or before <= NEGLIGIBLE)
            gone[migration, quantity, case, kind] = left + WIDE * around <= NEGLIGIBLE and smaller
        pairs = {case: apart(processors, case, migration, quantity) for case in CASES}
        said.append(f"{MOVING[migration]} {SYMBOLS[quantity]} " + ", ".join(
            f"case {case} {each['global'][0] + 0.0:.4f} and {each['local'][0] + 0.0:.4f}"
            for case, each in pairs.items()
        ))  # fmt: skip
    some = any(
        all(gone[migration, quantity, case, kind] for quantity in SYMBOLS for kind in ("global", "local"))
        for migration, case in itertools.product((WITHOUT, WITH), CASES)
    )
    deviations = sum(found for key, found in gone.items() if key[1] == DEVIATION)
    return Finding(
        f"probability of queueing at most {NEGLIGIBLE:g} at "
        + ", ".join(f"{row.sum()} of {row.size} loads for P = {P}" for P, row in zip(LARGE, rare))
        + f" ({queueing(0.8, processors):.2g} at load 0.8, P = {processors}); differences at P = {processors} by the "
        f"global and by the local policy: {'; '.join(said)}; vanished at {sum(gone.values())} of {len(gone)}, of the "
        f"deviation at {deviations} of {len(gone) // 2}",
        "agrees" if seldom and all(gone.values()) else "agrees in part" if seldom and some else "differs",
    )


def _largest(name, migration, pairs):
    """The largest difference of pairs of combinations at the points of a case, less both half widths."""
    gaps = [-np.inf]
    for one, other in pairs:
        (first, around), (second, wide) = (value(name, migration, key) for key in (one, other))
        gap = np.abs(first - second) - around - wide
        gaps.append(np.nanmax(np.append(gap, -np.inf)))
    return max(gaps)


def _of_two(pairs):
    """The largest difference of static combinations on two processors, case 2."""
    required, half, gaps = (0.5, 0.5), (0.5, 0.5), [-np.inf]
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
        found["static", kind] = max(_largest(name, WITHOUT, pairs) for name in ("case 2", "case 3"))
        found["static", kind] = max(found["static", kind], _of_two(pairs))
    for (kind, pairs), migration in itertools.product(dynamic.items(), MOVING):
        found[MOVING[migration], kind] = max(_largest(name, migration, pairs) for name, moves in FIGURES
                                             if moves == migration)  # fmt: skip
    if own:
        for migration in MOVING:
            gaps = []
            for name in ("case 1", "case 2", "case 3"):
                (first, around), (second, wide) = (value(name, migration, ("SVP", local)) for local in LOCAL)
                gaps.append(np.nanmax((np.abs(first - second) - around - wide)[OF_CHAPTER_5[name].whole]))
            found[MOVING[migration], "local"] = max(gaps)
    clear = [gap >= CLEAR for gap in found.values()]
    large = "; ".join(
        f"P = {P} {kind} " + ", ".join(
            f"{max(apart(P, case, migration)[kind][0] for case in CASES) + 0.0:.4f} {MOVING[migration]}"
            for migration in MOVING
        ) for P, kind in itertools.product(PROCESSORS[1:], ("global", "local"))
    )  # fmt: skip
    return Finding(
        "largest effect at least "
        + ", ".join(f"{max(gap, 0.0):.3f} ({which}, {kind})" for (which, kind), gap in found.items())
        + f"; so 0.1 or more in {sum(clear)} of 6; with very many: {large}",
        "agrees" if all(clear) else "agrees in part" if any(clear) else "differs",
    )


@check("thesis-7-019", processors=(10,))
def whole_processors_suffice(processors=(100, 200, 500, 1000)):
    """Random shares in whole processors; the control has ten processors."""
    parts, worst = [], []
    for P in processors:
        gaps = []
        for groups in range(2, 6):
            shares = random_shares(1000, groups)
            gaps.append(np.abs(rounded(shares, P) / P / shares - 1).max(axis=1))
        parts.append(np.mean(np.array(gaps) <= NEGLIGIBLE))
        worst.append(np.max(gaps))
    said = ", ".join(f"P = {P} {part:.1%}, worst {gap:.3f}" for P, part, gap in zip(processors, parts, worst))
    even, odd = ([values()[P, 1, WITHOUT, "SVP", local][0] for local in LOCAL] for P in (PROCESSORS[1], ODD))
    return Finding(
        f"shares met within a hundredth: {said}; all of them from P = 2000 on, as a processor is then a hundredth "
        f"of the least share; SVP with PS and GPPS on {PROCESSORS[1]}: {even[0] + 0.0:.4f}, {even[1] + 0.0:.4f}, "
        f"on {ODD}: {odd[0] + 0.0:.4f}, {odd[1] + 0.0:.4f}",
        "agrees" if min(parts) >= 0.99 else "agrees in part" if max(parts) >= 0.5 else "differs",
    )
