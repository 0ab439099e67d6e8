"""Claims of `thesis`, Section 4.5.4: unequal promises (case 3), and the conclusions on the two policies."""

from functools import cache

import numpy as np

from clustershare.splitting import assignment, capacity_loss, horizontal
from compendium.press.findings import check, erratum, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.splitting.cases import better, delivered, divided, lacking, smaller_by_tails, unused
from pages.share_scheduling.splitting.mixed_paths import confirmed

LOADS = np.arange(1, 100) / 100
TOTAL = 0.8
EVEN = divided(TOTAL)
TIE, APART = 1e-12, 1e-9


@check("thesis-4-108", total=0.4)
def loads_of_case_3(total=TOTAL):
    """What the processors have, and what the groups bring, when each group brings half."""
    result = delivered("HPRS/PS", 0.5, divided(total), 10)
    processors, groups = result.processor_loads.sum(axis=0), result.processor_loads @ np.full(10, 0.1)
    return erratum(
        f"each processor has a load of {processors[0]:.1f}, each group {groups[0]:.1f}",
        np.abs(processors - 0.4).max() < TIE, np.abs(groups - 0.4).max() < TIE,
    )  # fmt: skip


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
    fails = sizes[~holds]
    where = f", not from {fails[0]} to {fails[-1]}" if len(fails) else ""
    if right and len(fails):
        # The group with the larger share has the larger deviation; named first, it is the one that `lacking` takes.
        shares = np.maximum(fails, 100 - fails) / 100
        still = all(lacking("VPRS", share, EVEN, 100) > lacking("HPRS/PS", share, EVEN, 100) for share in shares)
        where += f", where the difference is below 1e-9 and {'still above 0' if still else 'not above 0'}"
    return over_domain(
        f"smaller by more than 1e-9 at {holds.sum()} of 99 sizes{where}; by up to {gap.max():.2f}", holds
    )


@check("thesis-4-110", processors=1000)
def as_high_as_a_half(processors=100):
    """The largest deviation of either group over the sizes, of a hundredth of the processors each."""
    both = by_size("VPRS", processors)
    part, group = np.unravel_index(both.argmax(), both.shape)
    return finding(
        f"largest {both.max():.3f}, of group {group + 1} where group 1 has {part + 1} of 100 processors",
        allows("close", abs(0.5 - both.max())),
    )


def relieved(share, processors):
    """The part of the larger deviation that GPPS takes away in case 3."""
    return better("HPRS/GPPS", "HPRS/PS", share, EVEN, processors)[1]


@check("thesis-4-111", shares=(0.5,), sizes=(100,))
def strong_discrimination(shares=(0.8, 0.85, 0.9, 0.95), sizes=(2, 5, 10, 20)):
    """A modest number of processors and one group promised much."""
    parts = np.array([[relieved(share, P) for P in sizes] for share in shares])
    return over_domain(
        f"at least 0.1 at {(parts >= 0.1).sum()} of {parts.size} points; the least "
        + ", ".join(f"{part:.2f} at r_1 = {share:g}" for share, part in zip(shares, parts.min(axis=1))),
        [allows("clear", part) for part in parts.ravel()],
    )


@check("thesis-4-112", processors=1)
def many_and_minor(processors=100):
    """A large number of processors, whatever is promised."""
    shares = np.arange(10, 20) / 20
    parts = np.array([relieved(share, processors) for share in shares])
    holds = [allows("close", abs(part)) for part in parts]
    last = shares[holds][-1] if any(holds) else None
    exact = delivered("HPRS/GPPS", 0.95, EVEN, processors).group_share_deviation
    simulated = confirmed("GPPS", [0.95, 0.05], EVEN, processors, exact, steps=200_000)
    said = "agree" if simulated else "disagree"
    return over_domain(
        f"small at {sum(holds)} of {len(shares)} shares" + (f", up to r_1 = {last:g}" if last else "")
        + f"; at 0.95 the improvement is {parts[-1]:.2f} of the deviation; paths there {said}",
        holds if simulated else [False],
    )  # fmt: skip


@check("thesis-4-113", always=1)
def almost_equal_shares(always=None):
    """Nearly equal promises, the worst of two shares for each number of processors."""
    sizes = (2, 5, 10, 20, 50, 100)
    parts = np.array([[relieved(share, always or P) for share in (0.5, 0.52)] for P in sizes])
    said = ", ".join(f"{worst_part:.3f} at P = {P}" for P, worst_part in zip(sizes, parts.max(axis=1)))
    return over_domain(f"at most {said}", [allows("close", abs(part)) for part in parts.ravel()])


def grid(P):
    """The systems of the three cases with so many processors: case, share, loads, and whether both groups are alike."""
    yield from ((1, 0.5, divided(load), True) for load in LOADS)
    yield from ((2, 0.5, divided(TOTAL, k / 100), k == 50) for k in range(1, 100))
    yield from ((3, size / P, EVEN, 2 * size == P) for size in range(1, P))


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
    loss, compliance = {1: [], 2: [], 3: []}, {1: [], 2: [], 3: []}
    for P in (4, 10, 20, 100):
        capacities = np.repeat([2, 1], P // 2) / (1.5 * P) if unequal else None
        for case, share, loads, alike in grid(P):
            loss[case].append(loses_less(share, loads, P, alike, capacities))
            compliance[case].append(complies_less(share, loads, P, case))
    said = "; ".join(
        f"case {case}: loss {sum(loss[case])}, compliance {sum(compliance[case])} of {len(loss[case])}" for case in loss
    )
    return over_domain(
        f"points where so: {said}",
        [one and other for case in loss for one, other in zip(loss[case], compliance[case])],
    )


@check("thesis-4-115", local="HPRS/PS")
def between(local="HPRS/GPPS"):
    """HPRS with GPPS lies below HPRS with PS and above VPRS; local FCFS has the law of PS where means are equal."""
    systems = [(0.5, divided(k / 10), P) for P in (*range(2, 21, 2), 50, 100) for k in range(1, 10)]
    systems += [(0.5, divided(TOTAL, k / 20), P) for P in (2, 10, 20, 100) for k in range(1, 20)]
    systems += [
        (share, EVEN, P) for share in (0.8, 0.85, 0.9, 0.95) for P in (2, 5, 10, 20)
        if abs(share * P - round(share * P)) < APART
    ]  # fmt: skip
    below = np.array([better(local, "HPRS/PS", *system)[0] for system in systems])
    above = np.array([better("VPRS", local, *system)[0] for system in systems])
    holds = (below > APART) & (above > APART)
    close = [P for (_, _, P), fine in zip(systems, holds) if not fine]
    return over_domain(
        f"by more than 1e-9 below HPRS/PS at {(below > APART).sum()}, above VPRS at {(above > APART).sum()} of "
        f"{len(systems)} points" + (f"; nearer than that from P = {min(close)} on" if close else ""),
        holds,
    )


@check("thesis-4-154", processors=2)
def half_is_lost(processors=1000):
    """The largest loss of HPRS over the load, and VPRS beside it where one group brings more."""
    mixed = max(
        horizontal([0.5, 0.5], divided(load), np.full(processors, 1 / processors)).capacity_loss for load in LOADS
    )
    losses = np.array([
        [delivered(policy, 0.5, divided(TOTAL, k / 20), processors).capacity_loss for policy in ("HPRS/PS", "VPRS")]
        for k in range(1, 20)
    ])  # fmt: skip
    more = (losses[:, 1] >= losses[:, 0] - TIE).all()
    return finding(
        f"HPRS up to {mixed:.3f}; VPRS in case 2 {losses[:, 1].min():.2f} to {losses[:, 1].max():.2f}, where HPRS has "
        f"{losses[0, 0]:.2f}",
        mixed <= 0.5 and allows("close", 0.5 - mixed) and more,
    )
