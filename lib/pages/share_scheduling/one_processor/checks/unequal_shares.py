"""Claims of `thesis`, Section 3.5.1, case 2, Figures 3.10, 3.11: two groups of equal loads and unequal shares."""

import numpy as np
from scipy.optimize import brentq

from clustershare import uniprocessor
from clustershare.estimates import from_replications
from compendium.press.findings import check, finding, listed, over_domain
from compendium.study import run_lengths
from pages.share_scheduling.one_processor.points import (
    POINTS,
    WITHOUT,
    drawn,
    exact_of_two_groups,
    jointly,
    larger_deviation,
    larger_of_two_groups,
    sharing_chain,
    simulated,
    simulated_of_two_groups,
)
from pages.share_scheduling.one_processor.simulated import paths, widened
from pages.share_scheduling.one_processor.systems import SHARES, beside_permanent_jobs, two_groups
from pages.share_scheduling.one_processor.witnesses.chains import chain_law, two_numbers
from pages.share_scheduling.one_processor.witnesses.paths import averages

ABOVE_HALF = np.linspace(0.505, 0.995, 50)
ROUNDING = 4 * np.finfo(float).eps  # of numbers near 1, where a deviation itself is 0
JOBS = "job_share_deviation"


def both(policy, shares, load=0.8, quantity="group_share_deviation"):
    """Both exact deviations over the required shares of group 1, shape (shares, 2)."""
    return np.array([exact_of_two_groups(policy, 0.5, r, load, quantity) for r in shares])


def printed(r):
    """(3.97), and (3.98) of the other required share."""
    return 2 * (5 * r - 3) / (15 * r)


@check("thesis-3-090", load=0.7)
def first_come_in_case_2(load=0.8, sharing="PS"):
    """(3.97) and (3.98): the curve, exact answers, the chain of PS and the points of FCFS."""
    expected = np.array([printed(WITHOUT), printed(1 - WITHOUT)]).T
    gaps = [np.abs(both(policy, WITHOUT, load) - expected) for policy in ("FCFS", "PS")]
    gap = max((found / (1e-9 * np.abs(expected) + ROUNDING)).max() for found in gaps)
    curve = (np.abs(drawn("FCFS") - expected.max(axis=1)) / (1e-9 * np.abs(expected.max(axis=1)) + ROUNDING)).max()
    apart = -np.inf
    for r in POINTS:
        chain, bound = sharing_chain(sharing, r, 0, load)
        apart = max(apart, np.abs(chain - [printed(r), printed(1 - r)]).max() - bound)
    value, half_width = simulated("FCFS")
    right = np.array([[printed(r), printed(1 - r)] for r in SHARES])
    outside = int((np.abs(value - right) > jointly(half_width)).sum())
    alike = "equal to it within 1e-9" if max(gap, curve) <= 1 else f"off by {max(map(np.max, gaps)):.2f}"
    return finding(
        f"FCFS and PS {alike}; the chain of {sharing} {'too' if apart <= ROUNDING else f'off by {apart:.2f}'}; "
        f"{outside} of {value.size} simulated values against it",
        max(gap, curve) <= 1 and apart <= ROUNDING and outside == 0,
    )


@check("thesis-3-091", policy="PPS")
def above_six_tenths(policy="FCFS"):
    """Which group is the worse, and where the larger deviation is above 0: curve, its zero and the points."""

    def larger(r):
        return larger_deviation(policy, [two_groups(0.5, required_share=r)])[0]

    shares = WITHOUT if policy in ("FCFS", "PS") else np.array(POINTS)
    found = both(policy, shares)
    zero = brentq(larger, 0.52, 0.8, xtol=1e-13)
    wrong = int((found[:, 0] <= found[:, 1]).sum())
    curve = found.max(axis=1)
    wrong += int(((curve > 0) != (shares > 0.6)).sum())
    value, half_width = simulated(policy)
    wide = jointly(half_width)
    at = np.array(SHARES)
    first = (value[:, 0] - value[:, 1] <= wide.sum(axis=1))[1:]  # at a half they are equal
    above, below = (value - wide).max(axis=1) > 0, (value + wide).max(axis=1) < 0
    unsure = np.where(at > 0.6, ~above, ~below)[at != 0.6]
    against = int(first.sum() + unsure.sum())
    return finding(
        f"{wrong} of {len(shares)} shares against it, and {against} simulated; the zero at {zero:.4f}",
        wrong == 0 and against == 0 and abs(zero - 0.6) <= 1e-9,
    )


@check("thesis-3-092", policy="GPPS")
def weights_help_little(policy="PPS"):
    """PPS below PS, and above 0 for large shares of group 1 (`thesis`, Figure 3.10)."""
    shares = np.array(POINTS[1:])  # at a half all weights are equal, and PPS is PS
    chains = [sharing_chain(policy, r) for r in shares]
    found, bounds = np.array([values.max() for values, _ in chains]), np.array([bound for _, bound in chains])
    better = found + bounds < larger_deviation("PS", [two_groups(0.5, required_share=r) for r in shares])
    poor = (found > bounds)[shares >= 0.75]
    near = uniprocessor.exact(policy, **two_groups(0.5, required_share=0.999), tolerance=1e-3).group_share_deviation
    said = "never above 0"
    if poor.any():
        place = np.argmax(found > bounds)
        zero = brentq(lambda r: sharing_chain(policy, r)[0].max(), shares[place - 1], shares[place], xtol=1e-4)
        said = f"0 at {zero:.3f}, up to {found.max():.3f}, {found[-1]:.3f} at 0.99 and {near.max():.3f} at 0.999"
    return finding(said, bool(better.all() and poor.all()))


@check("thesis-3-095", policy="FCFS")
def full_share(policy="PQ"):
    """The deviation of group 1 as its required share tends to 1, exact and in a chain (`thesis`, Figure 3.10)."""
    shares = 1 - 10.0 ** -np.arange(1, 10)
    found = both(policy, shares)[:, 0]
    chain = np.array([two_numbers(0.4, 0.4, 1.0).deviations(r)[0] for r in shares])
    alike = np.abs(found - chain).max() <= 1e-9
    tenfold = (found[:-1] / found[1:] >= 10 * (1 - 1e-6)).all()
    falls = bool((found < 0).all() and tenfold and abs(found[-1]) < 1e-8)
    return finding(
        f"{found[0]:.4f} at 0.9, {found[-1]:.0e} at 1 - 1e-9; the chain {'alike' if alike else 'not'}",
        falls and alike,
    )


@check("thesis-3-097", policy="PQ")
def demanding_group_worse(policy="UD"):
    """By how much group 1 is the worse, path by path (`thesis`, Figure 3.10)."""
    shares = (0.505, 0.51, *SHARES[1:], 0.99)
    margins = []
    for r in shares:
        found = paths(policy, **two_groups(0.5, required_share=r), jumps=20_000, warmup=5_000, replications=20)
        deviations = found.present - found.obtained / np.array([r, 1 - r])
        pairs = from_replications(deviations[:, 0] - deviations[:, 1])
        margins.append((pairs.value, pairs.value - widened(len(shares)) * pairs.half_width))
    values, lows = np.array(margins).T
    return finding(
        f"by {values[0]:.3f} at 0.505, {values[1]:.3f} at 0.51, at least {values[2:].min():.2f} from 0.525 on",
        bool((lows > 0).all()),
    )


@check("thesis-3-098", policy="GPPS")
def too_much_promised(policy="UD"):
    """UD, simulated, and HOL, exact, where a group of low or moderate load is promised much (`thesis`, 3.5.1, 3.6)."""
    shares, loads, totals = (0.7, 0.8, 0.9, 0.99), (0.05, 0.1, 0.2, 0.3, 0.4), (0.8, 0.5)
    holds, kept = [], {}
    for total in totals:
        for load in loads:
            for r in shares:
                system = (r, 1 - r), (load, total - load)
                found = paths(policy, *system, jumps=12_000, warmup=3_000, replications=20)
                deviations = found.present - found.obtained / np.array(system[0])
                first = from_replications(deviations[:, 0])
                low = first.value - widened(len(shares) * len(loads) * 2) * first.half_width
                exact = uniprocessor.exact("HOL", *system).group_share_deviation
                holds.append(low > 0 and exact[0] > 1e-9 and deviations.mean(axis=0).argmax() == exact.argmax() == 0)
                if not holds[-1]:
                    kept.setdefault(total, {})[load] = r
    value, half_width = simulated(policy)
    high = np.array(SHARES) >= 0.7
    figure = np.array([(value - jointly(half_width)).max(axis=1)[high], drawn_at("HOL", np.array(SHARES)[high])])
    holds += list((figure > 0).all(axis=0))
    said = "; ".join(
        f"at rho = {total:g} {', '.join(f'{r:g} for {load:g}' for load, r in places.items())}"
        for total, places in kept.items()
    )
    away = np.array(SHARES)[high][~(figure > 0).all(axis=0)]
    said += f"; in the figure up to {away.max():g}" if len(away) else ""
    return over_domain(f"kept up to r_1 = ... for rho_1 = ...: {said}", holds)


def drawn_at(policy, shares):
    """The larger exact deviation of `thesis`, Figure 3.10, at some required shares."""
    return larger_deviation(policy, [two_groups(0.5, required_share=float(r)) for r in shares])


@check("thesis-3-099", policies=("FCFS", "UD", "PQ"))
def constant_in_the_share(policies=("FCFS", "HOL", "PQ"), shares=(0.505, 0.6, 0.75, 0.9, 0.99)):
    """Job-share deviations over the shares of group 1: drawn, simulated, and job by job (`thesis`, Figure 3.11)."""
    off = []
    for policy in policies:
        curve = drawn(policy, quantity=JOBS)
        curve = curve[~np.isnan(curve)]
        if np.ptp(curve) > 1e-9:
            off.append(f"the curve of {policy} ranges over {np.ptp(curve):.3f}")
        value, half_width = simulated(policy, quantity=JOBS)
        middle = np.average(value, axis=0, weights=half_width**-2.0)
        if (np.abs(value - middle) > jointly(half_width))[1:].any():
            off.append(f"{policy} simulated")
        for seed in range(3):
            departures = [
                [(job.group, job.departure) for job in averages((r, 1 - r), (0.4, 0.4), **setting).left]
                for r in shares
                for setting in ({"policy": policy, "events": 500, "seed": seed},)
            ]
            if any(one != departures[0] for one in departures):
                off.append(f"jobs of {policy}")
                break
    return finding(", ".join(off) if off else "constant; every job leaves at the same time at all r_1", not off)


@check("thesis-3-093", policies=("PQ", "HOL"))
def always_negative(policies=("PQ", "GPPS")):
    """The largest deviation over the shares of group 1; that of 1/2 with group 1 first (`thesis`, Figure 3.10)."""
    shares = np.append(ABOVE_HALF, 0.5 + 1e-9)
    worst = {policy: larger_of_two_groups(policy, {"required_share": shares}).max() for policy in policies}
    start = larger_of_two_groups("PQ", {"required_share": [0.5 + 1e-9]})[0]
    said = ", ".join(f"{policy} {value:.4f}" for policy, value in worst.items())
    return finding(f"at most {said}; PQ {start:.4f} at 0.5", max(worst.values()) < 0)


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
