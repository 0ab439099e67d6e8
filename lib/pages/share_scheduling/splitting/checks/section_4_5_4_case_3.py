"""Claims of `thesis`, Section 4.5.4: unequal promises (case 3), and the conclusions on the two policies."""

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.stats import nbinom

from clustershare.splitting import assignment, capacity_loss, horizontal, minimise_capacity_loss
from compendium.press.clauses import aside, at_each, cases, conclude, equalities, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import at_least, at_most, equal, larger, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.splitting.points.cases import (
    POLICIES,
    better,
    by_laws,
    delivered,
    divided,
    lacking,
    resolved,
    smaller_by_tails,
    unused,
    worst,
)
from pages.share_scheduling.splitting.witnesses.mixed_paths import confirmed
from pages.share_scheduling.splitting.witnesses.partitions import loss_by_law

LOADS = np.arange(1, 100) / 100
TOTAL = 0.8
EVEN = divided(TOTAL)
TIE, APART = 1e-12, 1e-9
SHARES = tuple(np.arange(10, 20) / 20)
WITH_PS = "HPRS/PS", "HPRS/GPPS"


@check("thesis-4-108", total=0.4)
def loads_of_case_3(total=TOTAL):
    """What the processors have, and what the groups bring, when each brings half, whatever each requires."""

    def off(policy, P, share):
        loads = delivered(policy, share, divided(total), P).processor_loads
        each = loads.sum(axis=0)
        return {"processor": exact([each.min() - 0.4, each.max() - 0.4], processor=("with least", "with most")),
                "group": exact(loads.mean(axis=1) - 0.4, group=(1, 2))}  # fmt: skip

    tenths = np.arange(1, 10) / 10
    mixed, shared, apart = (
        grid(policy=(policy,), P=(10, 100), share=shares).measure(off)
        for policy, shares in (("HPRS/PS", tenths), ("HPRS/GPPS", tenths[4::4]), ("VPRS", tenths))
    )
    said = "the load of each group and 0.4"
    return mended(
        everywhere("the load of each processor and 0.4", mixed["processor"], equal(TIE)),
        everywhere("the load of each processor and 0.8", mixed["processor"] - exact(0.4), equal(TIE)),
        everywhere(f"under HPRS {said}", mixed["group"], equal(TIE)),
        everywhere("with GPPS the load of each processor and 0.8", shared["processor"] - exact(0.4), equal(TIE)),
        everywhere(f"with GPPS {said}", shared["group"], equal(TIE)),
        everywhere(f"under VPRS {said}", apart["group"], equal(TIE)),
    )


def unequal(policies, shares, processors):
    """Systems of case 3."""
    return [(policy, share, EVEN, P) for policy in policies for share in shares for P in processors]


@cache
def by_size(policy, processors=100):
    """The deviations of both groups while group 1 requires 0.01, ..., 0.99, shape (sizes, groups)."""
    return np.array([
        delivered(policy, part / 100, EVEN, processors).group_share_deviation for part in range(1, 100)
    ])  # fmt: skip


def exchanged(processors):
    """The same where each group has the processors of the other."""
    found = []
    for size in range(1, processors):
        loads = np.zeros((2, processors))
        loads[1, :size], loads[0, size:] = 0.4 * processors / size, 0.4 * processors / (processors - size)
        result = assignment([size / processors, 1 - size / processors], loads, np.full(processors, 1 / processors))
        found.append(result.group_share_deviation)
    return np.array(found)


@check("thesis-4-109", right=False)
def every_size(right=True):
    """VPRS below HPRS with PS at every size; where they are too close, the shortfalls of the two groups say which."""
    gap = by_size("HPRS/PS").max(axis=1) - (by_size("VPRS") if right else exchanged(100)).max(axis=1)
    holds, sizes = gap > APART, np.arange(1, 100)
    near = np.abs(gap) <= APART
    for k in np.flatnonzero(near & right):
        # The group with the larger share has the larger deviation; named first, it is the one that `lacking` takes.
        share = max(sizes[k], 100 - sizes[k]) / 100
        holds[k] = lacking("VPRS", share, EVEN, 100) > lacking("HPRS/PS", share, EVEN, 100)
    return conclude(
        at_each("the deviation of VPRS is the smaller one", exact(holds, size=sizes)),
        aside("by how much at most", exact(gap.max())),
        aside("sizes at which the tails of the laws tell it", exact(np.count_nonzero(near))),
        provided=by_laws(*unequal(("HPRS/PS", "VPRS"), SHARES, (100,))),
    )


@check("thesis-4-110", processors=1000)
def as_high_as_a_half(processors=100):
    """The largest deviation of either group over the sizes, of a hundredth of the processors each."""
    both = exact(by_size("VPRS", processors), size=range(1, 100), group=(1, 2))
    highest = both.largest("size").largest("group")
    return conclude(
        everywhere("the distance of the largest deviation to 0.5", (highest - exact(0.5)).distance(), at_most("close")),
        aside("the largest deviation", both.largest("size")),
        aside("the size at which it is largest, in hundredths of the processors",
              exact(1 + both.value.argmax(axis=0), group=(1, 2))),
    )  # fmt: skip


def relieved(shares, sizes):
    """What GPPS takes off the larger deviation in case 3, as it stands, and as a part of it: `Points`."""
    found = grid(share=shares, P=sizes).measure(
        lambda share, P: dict(zip(("gain", "part"), better("HPRS/GPPS", "HPRS/PS", share, EVEN, P)))
    )
    return replace(found["gain"], as_it_stands=True), found["part"]


@check("thesis-4-111", shares=(0.5,), sizes=(100,))
def strong_discrimination(shares=(0.8, 0.85, 0.9, 0.95), sizes=(2, 5, 10, 20)):
    """A modest number of processors and one group promised much."""
    gain, part = relieved(shares, sizes)
    return conclude(
        at_each("what GPPS takes off the deviation", gain, larger("clear")),
        aside("the least part of it", part.smallest("P")),
        provided=by_laws(*unequal(WITH_PS, shares, sizes)),
    )


@check("thesis-4-112", processors=2, shares=(0.8, 0.85, 0.9, 0.95))
def many_and_minor(processors=100, shares=SHARES):
    """A large number of processors, whatever is promised; the control has two, and one group promised much."""
    gain, part = relieved(shares, (processors,))
    deviation = delivered("HPRS/GPPS", 0.95, EVEN, processors).group_share_deviation
    paths = confirmed("GPPS", [0.95, 0.05], EVEN, processors, deviation, steps=200_000)
    return conclude(
        at_each("what GPPS takes off the deviation", gain.at(P=processors), within("close")),
        aside("as a part of it", part.at(P=processors)),
        provided=[
            fact("paths at r_1 = 0.95 agree", paths, "paths at r_1 = 0.95 disagree"),
            *by_laws(*unequal(WITH_PS, shares, (processors,))),
        ],
    )


@check("thesis-4-113", shares=(0.9, 0.95))
def almost_equal_shares(shares=(0.5, 0.52)):
    """Nearly equal promises, two shares for each number of processors; in the control one group is promised much."""
    gain, part = relieved(shares, (2, 5, 10, 20, 50, 100))
    return conclude(
        at_each("what GPPS takes off the deviation", gain, within("close")),
        aside("as a part of it, at most,", part.largest("share")),
        provided=by_laws(*unequal(WITH_PS, shares, (2, 5, 10, 20, 50, 100))),
    )


def systems():
    """Those of the three cases: case, share, loads, number of processors, and whether both groups are alike."""
    for P in (4, 10, 20, 100):
        yield from ((1, 0.5, divided(load), P, True) for load in LOADS)
        yield from ((2, 0.5, divided(TOTAL, k / 100), P, k == 50) for k in range(1, 100))
        yield from ((3, size / P, EVEN, P, 2 * size == P) for size in range(1, P))


def loses_less(share, loads, P, alike, capacities):
    """Whether HPRS loses less than VPRS, or no more where the groups are alike."""
    if capacities is None:
        mixed, apart = (delivered(policy, share, loads, P) for policy in ("HPRS/PS", "VPRS"))
        gap = apart.capacity_loss - mixed.capacity_loss
    else:
        mixed, apart = capacity_loss(capacities, np.full(P, sum(loads))), delivered("VPRS", share, loads, P)
        gap = apart.capacity_loss - mixed
    if alike:
        return gap > -TIE
    if abs(gap) > TIE:
        return gap > 0
    return unused("HPRS/PS", share, loads, P) > unused("VPRS", share, loads, P)


def complies_less(share, loads, P, case):
    """Whether VPRS has the smaller deviation."""
    gain = better("VPRS", "HPRS/PS", share, loads, P)[0]
    return smaller_by_tails(P, sum(loads)) if case == 1 and abs(gain) < APART else gain > 0


@check("thesis-4-114", unequal=True)
def loss_against_compliance(unequal=False):
    """HPRS loses less and complies less, in all three cases; the control has fast and slow processors under HPRS."""

    def less(case, share, loads, P, alike):
        capacities = np.repeat([2, 1], P // 2) / (1.5 * P) if unequal else None
        return {
            "loses less than VPRS, or no more where the groups are alike,": loses_less(
                share, loads, P, alike, capacities
            ),
            "has the larger deviation": complies_less(share, loads, P, case),
        }

    found = cases("system", systems()).measure(less)
    witnessed = [(policy, *system) for policy in ("HPRS/PS", "VPRS") for _, *system, _ in list(systems())[::10]]
    return conclude(
        *(at_each(f"HPRS {how}", holds) for how, holds in found.items()),
        together="system",
        provided=by_laws(*witnessed),
    )


@check("thesis-4-115", local="HPRS/PS")
def between(local="HPRS/GPPS"):
    """HPRS with GPPS lies below HPRS with PS and above VPRS; local FCFS has the law of PS where means are equal."""
    settings = [(0.5, divided(k / 10), P) for P in (*range(2, 21, 2), 50, 100) for k in range(1, 10)]
    settings += [(0.5, divided(TOTAL, k / 20), P) for P in (2, 10, 20, 100) for k in range(1, 20)]
    settings += [
        (share, EVEN, P) for share in (0.8, 0.85, 0.9, 0.95) for P in (2, 5, 10, 20)
        if abs(share * P - round(share * P)) < APART
    ]  # fmt: skip
    pairs = {"below that under HPRS with PS": (local, "HPRS/PS"), "above that under VPRS": ("VPRS", local)}
    gaps = cases("system", settings).measure(
        lambda *case: (
            {where: better(*pair, *case)[0] for where, pair in pairs.items()}
            | {"told": all(resolved(*pair, *case) for pair in pairs.values())}
        )
    )
    told = gaps.pop("told").value.astype(bool)
    return conclude(
        *(
            at_each(f"under HPRS with GPPS the deviation is {where}",
                    replace(gap, value=gap.value > 0).where(told, "fewer digits than would tell it"))
            for where, gap in gaps.items()
        ),
        *(aside(f"by how much it is {where}", gap) for where, gap in gaps.items()),
        together="system",
        provided=by_laws(*((policy, *system) for policy in POLICIES for system in settings[::5])),
    )  # fmt: skip


def lost_by_law(policy, loads, processors):
    """The loss of two groups with half of the processors each, by scipy's laws of the numbers of jobs."""
    own = 2 * np.array(loads)  # relative to what each group requires
    if policy == "HPRS/PS":
        return loss_by_law(processors, sum(loads))
    if own.max() >= 1:
        return np.maximum(1 - own, 0).mean()  # there are always enough jobs: all that is idle is lost
    jobs = np.arange(processors)
    law = np.convolve(*(nbinom.pmf(jobs, processors // 2, 1 - load) for load in own))[:processors]
    return 1 - sum(loads) - (1 - jobs / processors) @ law


@check("thesis-4-154", processors=2)
def half_is_lost(processors=1000):
    """The largest loss of HPRS over the load, and VPRS beside it where one group brings more; deviations there."""
    mixed = cases("load", LOADS).measure(
        lambda load: {
            "loss": horizontal([0.5, 0.5], divided(load), np.full(processors, 1 / processors)).capacity_loss,
            "by law": lost_by_law("HPRS/PS", divided(load), processors),
        }
    )
    both = grid(policy=("HPRS/PS", "VPRS"), fraction=[k / 20 for k in range(1, 20)]).measure(
        lambda policy, fraction: {
            "loss": delivered(policy, 0.5, divided(TOTAL, fraction), processors).capacity_loss,
            "by law": lost_by_law(policy, divided(TOTAL, fraction), processors),
        }
    )
    fractions = (0.3125, *both["loss"].axes[1][1])
    short = grid(policy=("HPRS/PS", "VPRS"), fraction=fractions).measure(
        lambda policy, fraction: worst(policy, 0.5, divided(TOTAL, fraction), processors)
    )
    gaps = {"the losses of HPRS": mixed, "the losses where a group brings more": both}
    gaps = {f"{what} and those by laws of the numbers": found["loss"] - found["by law"] for what, found in gaps.items()}
    gaps["the least losses and those by the law of the number"] = cases("load", LOADS[9::10]).measure(
        lambda load: (
            minimise_capacity_loss(np.full(processors, 1 / processors), load).objective
            - lost_by_law("HPRS/PS", divided(load), processors)
        )
    )
    both, highest = both["loss"], mixed["loss"].largest("load")
    return conclude(
        everywhere("the largest loss of HPRS less one half", highest - exact(0.5), at_most(0), within("close")),
        everywhere("the loss of VPRS less that of HPRS where a group brings more", both.at(policy="VPRS") -
                   both.at(policy="HPRS/PS"), at_least(0)),
        everywhere("the largest deviation where a group brings more", short.largest("fraction"),
                   at_least(0.5 - SCALE["close"].most)),
        aside("the largest loss of HPRS", highest),
        aside("the losses where a group brings more", both),
        provided=[
            *equalities(gaps, 1e-10),
            *by_laws(*((policy, 0.5, divided(TOTAL, fraction), processors)
                       for policy in ("HPRS/PS", "VPRS") for fraction in fractions[::3])),
        ],
        whole=True,
    )  # fmt: skip
