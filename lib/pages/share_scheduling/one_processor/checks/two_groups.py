"""Claims of `thesis`, Section 3.5.1, Figures 3.7, 3.8, 3.9, 3.10, 3.11: two groups without permanent jobs."""

import numpy as np
from scipy.optimize import brentq

from clustershare import uniprocessor
from compendium.press.claims import check, equality, finding, listed, over_domain
from compendium.press.words import allows
from compendium.study import run_lengths
from pages.share_scheduling.one_processor.chains import chain_law
from pages.share_scheduling.one_processor.deviations import (
    exact_of_two_groups,
    larger_deviation,
    larger_of_two_groups,
    simulated_of_two_groups,
)
from pages.share_scheduling.one_processor.simulated import widened
from pages.share_scheduling.one_processor.systems import (
    FRACTIONS,
    SHARES,
    SPLITS,
    beside_permanent_jobs,
    two_groups,
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


@check("thesis-3-090", load=0.7)
def first_come_in_case_2(load=0.8):
    """(3.97) and (3.98)."""
    gap = 0.0
    for r in ABOVE_HALF:
        printed = np.array([2 * (5 * s - 3) / (15 * s) for s in (r, 1 - r)])
        gap = max(gap, *(np.abs(exact_of_two_groups(name, 0.5, r, load) - printed).max() for name in ("FCFS", "PS")))
    return equality(gap, 1e-9)


@check("thesis-3-091", zero=0.65)
def above_six_tenths(zero=0.6):
    """FCFS and PS: the sign of the deviation, and which group is worse."""
    found = np.array([exact_of_two_groups("FCFS", 0.5, r) for r in ABOVE_HALF])
    wrong = ((found.max(axis=1) > 1e-12) != (ABOVE_HALF > zero)).sum() + (found[:, 0] <= found[:, 1]).sum()
    return finding(f"{wrong} of {len(ABOVE_HALF)} shares against it", wrong == 0)


@check("thesis-3-092", better="GPPS")
def weights_help_little(better="PPS"):
    """PPS below PS, and above 0 for large shares of group 1 (`thesis`, Figure 3.10)."""
    points = {"required_share": ABOVE_HALF}
    pps, ps = larger_of_two_groups(better, points), larger_of_two_groups("PS", points)
    positive = ABOVE_HALF[pps > 0]
    said = (
        f"positive from {positive.min():.3f} to {positive.max():.3f}, up to {pps.max():.3f}"
        if len(positive)
        else "never positive"
    )
    return finding(said, bool((pps < ps).all() and len(positive) and pps[ABOVE_HALF > 0.7].min() > 0))


@check("thesis-3-093", policies=("PQ", "HOL"))
def always_negative(policies=("PQ", "GPPS")):
    """The largest deviation over the shares of group 1; that of 1/2 with group 1 first (`thesis`, Figure 3.10)."""
    shares = np.append(ABOVE_HALF, 0.5 + 1e-9)
    worst = {policy: larger_of_two_groups(policy, {"required_share": shares}).max() for policy in policies}
    start = larger_of_two_groups("PQ", {"required_share": [0.5 + 1e-9]})[0]
    said = ", ".join(f"{policy} {value:.4f}" for policy, value in worst.items())
    return finding(f"at most {said}; PQ {start:.4f} at 0.5", max(worst.values()) < 0)


@check("thesis-3-095", share=0.9)
def full_share(share=1 - 1e-9):
    """PQ as the required share of group 1 tends to 1 (`thesis`, Figure 3.10)."""
    value = exact_of_two_groups("PQ", 0.5, share)[0]
    return finding(f"{abs(value):.3f}", -1e-6 < value < 0)


@check("thesis-3-096", policy="PQ")
def from_which_share(policy="HOL"):
    """UD, simulated, and HOL, exactly, at shares beyond 0.55: intervals that hold jointly (`thesis`, Figure 3.10)."""
    between = {round(0.55 + 0.005 * number, 12) for number in range(1, 15)}
    shares = tuple(sorted(between.union(share for share in SHARES if share > 0.55)))
    value, half_width = simulated_of_two_groups("UD", shares=shares)
    exact = np.array([exact_of_two_groups(policy, 0.5, share) for share in shares])
    off = np.abs(value - exact) / half_width
    inside = (off <= widened(off.size, run_lengths("paper")["replications"])).all(axis=1)
    apart = [share for share, holds in zip(shares, inside) if not holds]
    said = f"apart at {apart[0]:g} to {apart[-1]:g}, by up to {np.abs(value - exact).max():.4f}" if apart else "nowhere"
    # A group that is served first for ever falls behind its promise up to this share.
    present = uniprocessor.exact("HOL", (0.6, 0.4), (0.4, 0.4)).probability_present
    return over_domain(f"{said}; HOL for ever from {present[1] / present.sum():.4f} on", inside)


@check("thesis-3-097", group=1)
def demanding_group_worse(group=0):
    """UD: group 1 has the larger deviation (`thesis`, Figure 3.10)."""
    value, half_width = simulated_of_two_groups("UD")
    margin = (value[:, group] - value[:, 1 - group] - half_width.sum(axis=1))[1:]
    return finding(f"smallest margin {margin.min():.4f}, at shares from 0.525 on", margin.min() > 0)


@check("thesis-3-098", share=0.7)
def too_much_promised(share=0.8):
    """UD and HOL beyond the share at which even HOL fails (`thesis`, Figure 3.10)."""
    value, half_width = simulated_of_two_groups("UD")
    from_here = np.array(SHARES) >= share
    up_down = (value - half_width).max(axis=1)[from_here].min()
    hol = larger_of_two_groups("HOL", {"required_share": np.array(SHARES)[from_here]}).min()
    present = uniprocessor.exact("HOL", (0.6, 0.4), (0.4, 0.4)).probability_present[0]
    return finding(
        f"at least {hol:.4f} for HOL and {up_down:.4f} for UD from {share:g} on; HOL is 0 at {0.4 / present:.4f}",
        min(hol, up_down) > 0,
    )


@check("thesis-3-099", policies=("UD",))
def constant_in_the_share(policies=("FCFS", "HOL", "PQ")):
    """Job-share deviations over the shares of group 1: exact where there is an answer, and simulated.

    `thesis`, Figure 3.11.
    """
    spread = 0.0
    for policy in policies:
        value, half_width = simulated_of_two_groups(policy, "job_share_deviation")
        middle = value.max(axis=1).mean()
        spread = max(spread, (np.abs(value.max(axis=1) - middle) - half_width.max(axis=1)).max())
        if policy != "UD":
            points = {"required_share": np.linspace(0.505, 0.99, 20)}
            found = larger_of_two_groups(policy, points, quantity="job_share_deviation")
            spread = max(spread, np.ptp(found), abs(found[0] - middle))
    return finding("constant within 0.001" if spread < 1e-3 else f"changes by {spread:.3f}", spread < 1e-3)


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


@check("thesis-3-148", permanent_jobs=1)
def only_one_performs(permanent_jobs=0):
    """Which policies have a positive deviation for some required share of group 1 (`thesis`, Figure 3.10)."""
    worst = {}
    for policy in uniprocessor.POLICIES:
        systems = [
            beside_permanent_jobs(policy, float(r), 1) if permanent_jobs else two_groups(0.5, required_share=float(r))
            for r in (SHARES if permanent_jobs else (*ABOVE_HALF, 0.5 + 1e-9))
        ]
        worst[policy] = np.nanmax(larger_deviation(policy, systems))  # of UD, where it is HOL: enough to be above 0
    kept = [policy for policy, value in worst.items() if value <= 1e-7]
    said = ", ".join(f"{policy} {value:.3f}" for policy, value in worst.items() if policy not in kept)
    return finding(f"never positive: {', '.join(kept)}; the largest of the others: {said}", kept == ["GPPS"])


@check("thesis-3-149", policy="FCFS")
def who_is_worse(policy="PQ"):
    """Both deviations over the required share of group 1: where they cross (`thesis`, Figure 3.10)."""

    def both(r):
        return exact_of_two_groups(policy, 0.5, r)

    shares = np.append(0.5 + 1e-9, ABOVE_HALF)
    values = np.array([both(r) for r in shares])
    steps = np.diff(values, axis=0)
    gap = values[:, 1] - values[:, 0]
    crossings = int((np.diff(np.sign(gap)) != 0).sum())
    place = brentq(lambda r: np.subtract(*both(r)), 0.51, 0.99, xtol=1e-12) if crossings else np.nan
    counts, law = chain_law(0.4, 0.4, 1.0)
    present = [law[counts[group] > 0].sum() for group in (0, 1)]
    served = law[counts[0] > 0].sum(), law[(counts[0] == 0) & (counts[1] > 0)].sum()
    chain = max(
        np.abs(both(r) - [present[0] - served[0] / r, present[1] - served[1] / (1 - r)]).max()
        for r in np.linspace(0.52, 0.96, 12)
    )
    at = np.subtract(*both(0.6))
    right = gap[0] > 0 and crossings == 1 and 0.55 <= place <= 0.65
    return finding(
        f"one crossing, at {place:.4f}; the gap at 0.6 is {at:.4f}" if crossings == 1 else f"{crossings} crossings",
        bool(right and (steps[:, 0] > 0).all() and (steps[:, 1] < 0).all() and chain < 1e-9),
    )


@check("thesis-3-152", fraction=0.75)
def fairer_within(fraction=0.5):
    """The job-share deviations of HOL and PQ below that of FCFS, exact and simulated (`thesis`, Figure 3.11)."""
    quantity, holds, said = "job_share_deviation", [], []
    run = {"jumps": 200_000, "warmup": 10_000, "replications": 20}
    simulated = {
        policy: getattr(uniprocessor.simulate(policy, **two_groups(fraction, required_share=0.75), **run), quantity)
        for policy in ("FCFS", "HOL", "PQ")
    }
    for policy in ("HOL", "PQ"):
        values = np.array([exact_of_two_groups(policy, fraction, r, quantity=quantity) for r in ABOVE_HALF])
        first_come = np.array([exact_of_two_groups("FCFS", fraction, r, quantity=quantity) for r in ABOVE_HALF])
        margin = first_come.max(axis=1) - values.max(axis=1)
        one, other = simulated["FCFS"], simulated[policy]
        drawn = one.value.max() - other.value.max()
        sure = abs(drawn) > 2 * (one.half_width.max() + other.half_width.max()) and drawn * margin[0] > 0
        holds += list((margin > 0) & sure)
        said.append(f"{policy} {listed(values[0].round(4))}")
    return over_domain(f"groups 1 and 2: {'; '.join(said)}; FCFS {listed(first_come[0].round(4))}", holds)
