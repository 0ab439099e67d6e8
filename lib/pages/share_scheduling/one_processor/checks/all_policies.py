"""Claims of `thesis`, Sections 3.5.1 and 3.6, about all seven policies and all figures of two groups together."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.results import NoExactAnswer
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.one_processor.points import (
    jointly,
    larger_of_two_groups,
    sharing_chain,
    simulated,
    simulated_of_two_groups,
)
from pages.share_scheduling.one_processor.simulated import widened
from pages.share_scheduling.one_processor.systems import SHARES, SPLITS, beside_permanent_jobs, two_groups
from pages.share_scheduling.one_processor.witnesses.paths import intervals

LIMIT = 1e-7  # of the chains' tolerance
SIX = ("FCFS", "HOL", "UD", "PQ", "PS", "PPS")
SHORT = {"jumps": 20_000, "warmup": 5_000, "replications": 20}


@functools.cache
def lows(figure, policy):
    """At the simulated points of a figure, the larger deviation; for UD the lower end of its joint interval."""
    share, fractions = {"3.5": (0.5, SPLITS[:10]), "3.8": (0.51, SPLITS)}.get(figure, (None, None))
    permanent = {"3.12": 1, "3.14": 2}.get(figure, 0)
    if policy == "UD":
        if share:
            value, half_width = simulated_of_two_groups("UD", required_share=share, fractions=fractions)
        else:
            value, half_width = simulated("UD", permanent)
        return (value - jointly(half_width)).max(axis=1)
    if share:
        return larger_of_two_groups(policy, {"fraction": fractions}, required_share=share)
    if not permanent:
        return larger_of_two_groups(policy, {"required_share": SHARES})
    if policy in ("PPS", "GPPS"):
        return np.array([sharing_chain(policy, r, permanent, 0.5)[0].max() for r in SHARES])
    systems = [beside_permanent_jobs(policy, r, permanent) for r in SHARES]
    return np.array([np.nanmax(uniprocessor.exact(policy, **s).group_share_deviation) for s in systems])


@check("thesis-3-115", only="PQ")
def the_only_one(only="GPPS"):
    """The largest group-share deviation over all workloads of Figures 3.5 to 3.14."""
    worst = {
        policy: max(lows(figure, policy).max() for figure in ("3.5", "3.8", "3.10", "3.12", "3.14"))
        for policy in uniprocessor.POLICIES
    }
    others = {policy: value for policy, value in worst.items() if policy != only}
    said = ", ".join(f"{policy} {value:.3f}" for policy, value in others.items())
    kept = "never above 0" if worst[only] < LIMIT else f"up to {worst[only]:.3f}"
    return finding(f"{only} {kept}; others up to {said}", worst[only] < LIMIT and min(others.values()) > 1e-3)


@check("thesis-3-158", policy="HOL", figures=("3.14",))
def weights_of_groups_better(policy="PPS", figures=("3.5", "3.8", "3.10", "3.12", "3.14")):
    """How far GPPS lies below PPS, at every point of five figures."""
    gaps = {figure: lows(figure, policy) - lows(figure, "GPPS") for figure in figures}
    said = ", ".join(f"{found.min():.3f} to {found.max():.3f} in {figure}" for figure, found in gaps.items())
    every = np.concatenate(list(gaps.values()))
    return over_domain(f"PPS less GPPS: {said}" if policy == "PPS" else said, [allows("much", gap) for gap in every])


@functools.cache
def plane(policy, load, points, tolerance=1e-4):
    """Where a policy has a positive deviation for sure, over load split and required share, and where that is known.

    With the groups' names exchanged it is the same system, so half of the plane is computed. Rows: x, r_1, the lower
    end of the larger deviation and its upper end.
    """
    grid, found = (np.arange(points) + 0.5) / points, []
    for r in grid[grid > 0.5]:
        for x in grid:
            system = two_groups(x, load, r)
            try:
                result = uniprocessor.exact(policy, **system, tolerance=tolerance)
                value, doubt = result.group_share_deviation, result.error
            except NoExactAnswer:
                result = uniprocessor.simulate(policy, **system, **SHORT).group_share_deviation
                value, doubt = result.value, widened(points**2) * result.half_width
            found.append((x, r, (value - doubt).max(), (value + doubt).max()))
    return np.array(found)


@check("thesis-3-153", exception="PQ")
def problems_widely(exception="GPPS"):
    """On which part of a plane each policy falls short, and in three figures (`thesis`, Section 3.5.1)."""
    parts, holds = {}, []
    for policy in uniprocessor.POLICIES:
        low = plane(policy, 0.8, 10)[:, 2]
        parts[policy] = (low > LIMIT).mean()
        short = max(low.max(), *(lows(figure, policy).max() for figure in ("3.5", "3.8", "3.10"))) > LIMIT
        holds.append(short == (policy != exception))
    said = ", ".join(f"{policy} {part:.0%}" for policy, part in parts.items())
    return finding(f"short of it on these parts of the plane: {said}", all(holds))


@check("thesis-3-157", policies=("PS", "GPPS"))
def mismatch_under_load(policies=("PS", "PPS"), loads=(0.7, 0.8, 0.9, 0.95)):
    """The mismatch of loads and required shares from which PS and PPS fall short (`thesis`, Section 3.6)."""
    holds, said, never = {policy: [] for policy in policies}, [], True
    for load in loads:
        for policy in policies:
            points = 10 if policy == "PS" else {0.9: 4, 0.95: 2}.get(load, 10)
            x, r, low, _ = plane(policy, load, points, 1e-4 if load < 0.85 else 1e-2).T
            mismatch = np.abs(x - r)
            off = mismatch > 0.05 - 1e-9
            holds[policy] += list(low[off] > LIMIT)
            kept = mismatch[off & ~(low > LIMIT)]
            where = f"beyond {kept.max():.2f}" if len(kept) else "everywhere"
            said.append(f"{policy} at {load:g} {where}")
        if load < 0.85:
            never &= bool((plane("GPPS", load, 10)[:, 2] <= LIMIT).all())
        for x, r in ((0.125, 0.875), (0.375, 0.625), (0.875, 0.625)):
            for state in intervals("GPPS", (r, 1 - r), (load * x, load * (1 - x)), events=300, seed=1):
                short = np.minimum(state.present(2), 1) - np.array(state.obtained(2)) / (r, 1 - r)
                never &= bool(short.max() <= 1e-12)
    computed = f"short of it where x and r_1 differ: {', '.join(said)}; GPPS {'never' if never else 'too'}"
    if not all(any(found) for found in holds.values()):
        return finding(computed, False)
    return over_domain(computed, [each and never for found in holds.values() for each in found])
