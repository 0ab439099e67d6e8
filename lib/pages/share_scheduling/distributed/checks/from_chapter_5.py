"""Claims of `thesis`, Chapter 6, that recall Chapter 5: SVP against JSQ, and how far policies are apart in case 1."""

import itertools

import numpy as np

from compendium.press.findings import Finding, check, finding
from compendium.press.words import SCALE
from pages.share_scheduling.central.points.by_case import LOSS, TEN
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, LOCAL, POLICIES
from pages.share_scheduling.conclusions.compared import EQUAL, WITH, WITHOUT, value

MUCH, CLOSE = SCALE["much"].least, SCALE["close"].most
AT = LOADS.index(0.8)
WORDS = {WITHOUT: "without migration", WITH: "with migration"}


@check("thesis-6-123", instead="HPRS")
def much_better(instead="SVP"):
    """SVP against JSQ where JSQ leaves something to be desired; the control has random splitting for SVP."""
    greater, single, said = [], [], []
    for migration in (WITHOUT, WITH):
        half, lower = {}, []
        for name, local in itertools.product(TEN, LOCAL):
            (theirs, around), (mine, wide) = (value(name, migration, (policy, local)) for policy in ("JSQ", instead))
            poor = (theirs > around + EQUAL) & ~np.isnan(mine)
            half.setdefault(name, []).extend((mine + wide + around <= (1 - MUCH) * theirs)[poor])
            lower.extend((mine + wide + around < theirs)[poor])
        every = np.concatenate([found for found in half.values()])
        greater.append(every.mean() > 0.5)
        single += [np.mean(found) > 0.5 for found in half.values() if found]
        cases = ", ".join(f"{name} {sum(found)} of {len(found)}" for name, found in half.items())
        said.append(f"{WORDS[migration]} at most half at {int(every.sum())} of {len(every)} points ({cases}), lower at "
                    f"{sum(lower)}")  # fmt: skip
    some = any(greater) or any(single)
    return Finding("; ".join(said), "agrees" if all(greater) else "agrees in part" if some else "differs")


def _spread(policies, migration, local):
    """The largest difference of Delta^G in case 1 at each load, and the half width of it."""
    values, widths = (np.array(each) for each in zip(*(value("case 1", migration, (p, local)) for p in policies)))
    there = np.arange(values.shape[1])
    high, low = values.argmax(axis=0), values.argmin(axis=0)
    return values[high, there] - values[low, there], np.hypot(widths[high, there], widths[low, there])


@check("thesis-6-142", instead="HPRS")
def little_difference(instead="HP"):
    """How far apart the policies are in case 1 with migration; the control has random splitting for HP."""
    policies = [instead if policy == "HP" else policy for policy in POLICIES]
    gap, around = (each[AT] for each in _spread(policies, WITH, "GPPS"))
    others = ", ".join(
        f"{WORDS[migration]} and {local} {np.nanmax(_spread(policies, migration, local)[0]):.3f}"
        for migration, local in itertools.product((WITH, WITHOUT), LOCAL)
    )
    lost = max(value("case 1", WITH, (policy, "GPPS"), LOSS)[0][AT] for policy in POLICIES)
    return finding(
        f"{gap:.4f} at load 0.8 with migration and GPPS, loss {lost + 0.0:.0g}; largest at any load: {others}",
        gap + around <= CLOSE and lost <= EQUAL,
    )


@check("thesis-6-170", case="case 2")
def shortest_queue_better(case="case 1"):
    """JSQ against SVP at load 0.8; the control has unequal loads."""
    place = AT if case == "case 1" else FRACTIONS.index(0.24)
    below, said = {}, []
    for migration, local in itertools.product((WITHOUT, WITH), ("GPPS", "PS")):
        (mine, around), (theirs, wide) = (value(case, migration, (policy, local)) for policy in ("JSQ", "SVP"))
        lower = theirs - mine > around + wide + EQUAL
        below[migration, local] = lower[place]
        said.append(f"{WORDS[migration]} and {local}: JSQ {mine[place]:.4f}, SVP "
                    f"{theirs[place]:.4f}, JSQ lower at {lower.sum()} of {len(lower)} points")  # fmt: skip
    without, moved = below[WITHOUT, "GPPS"], below[WITH, "GPPS"]
    verdict = "agrees" if without and moved else "agrees in part" if without else "differs"
    return Finding("; ".join(said), verdict)
