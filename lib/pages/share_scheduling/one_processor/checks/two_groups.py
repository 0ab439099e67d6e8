"""Claims of `thesis`, Section 3.5.1, case 1, Figures 3.7, 3.8, 3.9: two groups without permanent jobs."""

import numpy as np

from compendium.press.findings import check, over_domain
from compendium.press.words import allows
from pages.share_scheduling.one_processor.points import (
    exact_of_two_groups,
    larger_of_two_groups,
    simulated_of_two_groups,
)
from pages.share_scheduling.one_processor.simulated import widened
from pages.share_scheduling.one_processor.systems import (
    FRACTIONS,
    SPLITS,
)

FINE = np.linspace(0.01, 0.99, 99)
ABOVE_HALF = np.linspace(0.505, 0.995, 50)
EXACT = ("FCFS", "HOL", "PQ", "PS", "PPS", "GPPS")


def from_first_come(policy, share, fractions, other="FCFS"):
    """How far simulated job-share deviations are from FCFS at the farther end: the larger one's, and group 2's."""
    value, half_width = simulated_of_two_groups(policy, "job_share_deviation", share, fractions)
    exact = np.array([exact_of_two_groups(other, x, share, quantity="job_share_deviation") for x in fractions])
    larger = np.abs(value.max(axis=1) - exact.max(axis=1)) + half_width.max(axis=1)
    return larger, np.abs(value[:, 1] - exact[:, 1]) + half_width[:, 1]


@check("thesis-3-080", other="PS")
def up_down_within(other="FCFS"):
    """The job-share deviations of UD, simulated, against FCFS (`thesis`, Figure 3.7)."""
    larger, second = from_first_come("UD", 0.5, FRACTIONS, other)
    holds = [allows("practically equal", gap) for gap in (*larger, *second)]
    away = [x for x, gap in zip(FRACTIONS, np.maximum(larger, second)) if not allows("practically equal", gap)]
    place = f"; above 0.01 from x = {away[0]:g} to {away[-1]:g}" if away else ""
    return over_domain(f"largest gap {larger.max():.4f}, of group 2 {second.max():.4f}{place}", holds)


@check("thesis-3-146", policy="PS")
def up_down_within_unequal(policy="UD"):
    """The larger job-share deviation of UD, simulated, against FCFS (`thesis`, Figure 3.9)."""
    larger, _ = from_first_come(policy, 0.51, SPLITS)
    away = [x for x, gap in zip(SPLITS, larger) if not allows("practically equal", gap)]
    place = f"; above 0.01 at x = {', '.join(f'{x:g}' for x in away)}" if away else ""
    return over_domain(f"largest gap {larger.max():.4f}{place}", [x not in away for x in SPLITS])


@check("thesis-3-084", policy="FCFS")
def up_down_best(policy="UD"):
    """UD, simulated, against the exact answers of all others, at each point (`thesis`, Figure 3.8)."""
    value, half_width = simulated_of_two_groups(policy, required_share=0.51)
    low = (value - widened(2 * len(SPLITS), 100) * half_width).max(axis=1)
    others = {name: larger_of_two_groups(name, {"fraction": SPLITS}) for name in EXACT if name != policy}
    better = {name: [x for x, gap in zip(SPLITS, low - found) if gap > 1e-9] for name, found in others.items()}
    said = [f"{name} at x = {points[0]:g} to {points[-1]:g}" for name, points in better.items() if points]
    found = {policy: value.max(axis=1), **others}
    sizes = ", ".join(f"{name} {deviation.max():.3f} and {deviation.mean():.3f}" for name, deviation in found.items())
    return over_domain(
        f"better than {policy}: {', '.join(said) or 'none'}; largest and mean over x: {sizes}",
        [all(x not in points for points in better.values()) for x in SPLITS],
    )


@check("thesis-3-087", policies=("FCFS", "HOL", "PQ"))
def small_change(policies=("FCFS", "PS", "UD", "PPS", "GPPS")):
    """Required shares of 0.50 and of 0.51, at each fraction that both figures have (`thesis`, Figures 3.5, 3.8)."""
    changes = {}
    for policy in policies:
        if policy == "UD":
            (one, doubt), (other, more) = (
                simulated_of_two_groups("UD", required_share=share, fractions=FRACTIONS) for share in (0.51, 0.5)
            )
            change = np.abs(one.max(axis=1) - other.max(axis=1)) + (doubt + more).max(axis=1)
        else:
            points = {"fraction": FRACTIONS}
            one, other = (larger_of_two_groups(policy, points, required_share=share) for share in (0.51, 0.5))
            change = np.abs(one - other)
        changes[policy] = change
    said = ", ".join(f"{policy} {change.max():.4f}" for policy, change in changes.items())
    return over_domain(
        f"largest change: {said}", [allows("close", value) for change in changes.values() for value in change]
    )


@check("thesis-3-089", share=0.5)
def job_shares_in_order(share=0.51):
    """PQ below HOL below FCFS and UD, group 1 the larger, at each x above 0.5 (`thesis`, Figure 3.9)."""
    x, quantity = FINE[FINE > 0.505], "job_share_deviation"
    found = {
        policy: np.array([exact_of_two_groups(policy, y, share, quantity=quantity) for y in x])
        for policy in ("FCFS", "HOL", "PQ")
    }
    fcfs, hol, pq = (values.max(axis=1) for values in found.values())
    holds = {"HOL < FCFS": hol < fcfs - 1e-9, "PQ < HOL": pq < hol - 1e-9}
    holds |= {f"group 1 in {policy}": values[:, 0] >= values[:, 1] for policy, values in found.items()}
    said = [f"{name} only beyond {x[~held].max():.2f}" for name, held in holds.items() if not held.all()]
    if share == 0.51:
        value, half_width = simulated_of_two_groups("UD", quantity, required_share=share)
        low = (value - widened(2 * len(SPLITS), 100) * half_width).max(axis=1)
        splits = np.array(SPLITS)
        held = low > larger_of_two_groups("HOL", {"fraction": SPLITS}, required_share=share, quantity=quantity)
        against = splits[~held & (splits > 0.505)]
        said += [f"HOL < UD not at {', '.join(f'{y:g}' for y in against)}"] if len(against) else []
    else:
        against = x
    together = np.all(list(holds.values()), axis=0) & ~np.isclose(x[:, None], against).any(axis=1)
    return over_domain("; ".join(said) or "everywhere", together)


@check("thesis-3-145", policies=("PS", "PPS"), load=0.99)
def depends_on_the_split(policies=("PS", "PPS"), load=0.8):
    """How far Delta^G ranges over the split of the load (`thesis`, Figure 3.8)."""
    found = {}
    for policy in (*policies, "GPPS"):
        if load > 0.9 and policy != "PS":  # of the chain's tens of thousands of states; PPS ranges as far
            continue
        values = np.array([exact_of_two_groups(policy, x, 0.51, load) for x in (1e-9, *FINE, 1 - 1e-9)])
        found[policy] = np.ptp(values.max(axis=1)), *np.ptp(values, axis=0)
    said = "; ".join(
        f"{policy} {values[0]:.3f} (each group {values[1]:.2f}, {values[2]:.2f})" for policy, values in found.items()
    )
    return over_domain(
        f"largest less smallest: {said}",
        [allows("much", values[0]) for policy, values in found.items() if policy != "GPPS"],
    )
