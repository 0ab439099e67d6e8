"""Claims of `thesis`, Section 3.5.1, Figure 3.5: two groups with equal required shares."""

import functools

import numpy as np
from scipy.optimize import brentq

from clustershare import uniprocessor
from clustershare.compiled import service
from clustershare.uniprocessor.analysis import RULES
from clustershare.uniprocessor.chain import solve
from clustershare.uniprocessor.model import Workload
from compendium import study
from compendium.press.findings import check, finding
from pages.share_scheduling.one_processor.points import simulated_of_two_groups, up_down_apart
from pages.share_scheduling.one_processor.printed import fcfs_deviations
from pages.share_scheduling.one_processor.simulated import outside, widened
from pages.share_scheduling.one_processor.systems import FRACTIONS, two_groups

FINE = np.linspace(0.01, 0.5, 50)
ALIKE = ("FCFS", "HOL", "PQ", "PS", "PPS")  # one curve in the figure
PAPER = study.run_lengths("paper")["replications"]


def deviations(policy, fraction, **setting):
    """Exact group-share deviations in the system of Figure 3.5."""
    return uniprocessor.exact(policy, **two_groups(fraction, **setting)).group_share_deviation


def simulated(policy, quantity="group_share_deviation"):
    """Simulated group-share deviations of Figure 3.5: values and half widths, shape (fractions, groups)."""
    return simulated_of_two_groups(policy, quantity, 0.5, FRACTIONS)


@functools.cache
def group_sharing(fraction):
    """The exact answer of GPPS, in the system of Figure 3.5, with the bound of its chain."""
    return uniprocessor.exact("GPPS", **two_groups(fraction), tolerance=1e-6)


def of_the_numbers(policy, fraction, share):
    """Deviations from the chain of the numbers of jobs, and its bound."""
    work = Workload(policy, service_rates=1.0, permanent_jobs=0, **two_groups(fraction, required_share=share))
    code = {"PS": service.PS, **RULES}[policy]
    got, present, _, error = solve(work, lambda jobs: service.divide_each(code, work.required_shares, jobs), 1e-6)
    return present - got / work.required_shares, error


@check("thesis-3-069", share=0.51, policies=("HOL", "PQ"), others=("PS",))
def fcfs_curve(share=0.5, policies=ALIKE, others=("PS", "PPS")):
    """(3.93) and (3.94) against the curve as drawn, chains of numbers, and simulations of the other three."""
    x = np.concatenate([[0], FINE])
    printed = np.array([fcfs_deviations(y) for y in x])
    alike = [np.allclose(policy_curve(policy, x, share), printed, 1e-9, 1e-12) for policy in policies]
    chains = 0
    for policy in others:
        for y in FRACTIONS:
            found, error = of_the_numbers(policy, y, share)
            chains += bool((np.abs(found - fcfs_deviations(y)) > error).any())
    systems = [two_groups(y, required_share=share) for y in FRACTIONS]
    expected = [fcfs_deviations(y) for y in FRACTIONS]
    run = {"jumps": 20_000, "warmup": 2_000}
    simulations = sum(
        outside(policy, systems, expected, seed=k, **run) for k, policy in enumerate(("FCFS", "HOL", "PQ"))
    )
    return finding(
        f"{sum(alike)} of {len(policies)} policies on the curve; against it {chains} of {10 * len(others)} chains, "
        f"{'no' if simulations == 0 else 'some'} simulations",
        all(alike) and chains == 0 and simulations == 0,
    )


def policy_curve(policy, x, share=0.5):
    """Both exact deviations over the fractions x, shape (fractions, groups)."""
    return np.array([deviations(policy, float(y), required_share=share) for y in x])


@check("thesis-3-070", required_share=0.3)
def lighter_group_worse(required_share=0.5):
    """All five policies: group 1 has the larger deviation."""
    found = [policy_curve(policy, np.append(np.linspace(0, 0.49, 50), 0.5), required_share) for policy in ALIKE]
    gaps = np.array([curve[:, 0] - curve[:, 1] for curve in found])
    least, tie = gaps[:, :-1].min(), np.abs(gaps[:, -1]).max()
    return finding(
        f"under {len(ALIKE)} policies the smallest difference is {least:.4f} at x < 0.5, {tie:.4f} at 0.5",
        least > 0 and tie < 1e-12,
    )


def crossing(policy, share):
    """Where the deviation of group 1 is zero: nan where it has the same sign at both ends."""

    def value(x):
        return deviations(policy, x, required_share=share)[0]

    return brentq(value, 0.01, 0.5, xtol=1e-14) if value(0.01) * value(0.5) < 0 else np.nan


@check("thesis-3-071", share=0.51, policies=("PQ",))
def fcfs_zero(share=0.5, policies=ALIKE):
    """Where the deviation of group 1 changes its sign, under all five; and simulated on either side."""
    below, above = np.linspace(0, 0.375, 102)[1:-1], np.linspace(0.375, 0.5, 51)[1:]
    zeros, signs, empty = [], True, 0.0
    for policy in policies:
        zeros.append(crossing(policy, share))
        signs &= bool((policy_curve(policy, below, share)[:, 0] > 0).all())
        signs &= bool((policy_curve(policy, above, share)[:, 0] < 0).all())
        empty = max(empty, abs(deviations(policy, 0.0, required_share=share)[0]))
    value, half_width = simulated_of_two_groups("FCFS", required_share=share, fractions=(0.35, 0.4))
    beyond = value[0, 0] > half_width[0, 0] and value[1, 0] < -half_width[1, 0]
    off = np.abs(np.array(zeros) - 3 / 8).max()
    said = "zero at 3/8 within 1e-9" if off <= 1e-9 else f"no zero there at {np.isnan(zeros).sum()} of {len(zeros)}"
    return finding(
        f"{said}; at x = 0, where there is no load, {empty:g}; simulated {value[0, 0]:.3f} at 0.35, {value[1, 0]:.3f} "
        "at 0.4",
        bool(signs and beyond and off <= 1e-9),
    )


@check("thesis-3-072", exact="FCFS")
def only_two_stay_negative(exact="GPPS", up_down="UD"):
    """UD and GPPS stay below zero and the other five do not (`thesis`, Figure 3.5)."""
    found = [group_sharing(x) if exact == "GPPS" else uniprocessor.exact(exact, **two_groups(x)) for x in FINE]
    chain = max((result.group_share_deviation + result.error).max() for result in found)
    value, half_width = simulated(up_down)
    upper = (value + half_width).max(axis=1).max()
    _, apart = up_down_apart(0.8, FINE)
    others = {policy: policy_curve(policy, FINE).max() for policy in ALIKE}
    return finding(
        f"largest: {exact} {chain:.4f}, {up_down} {upper:.4f} (upper end); "
        f"{', '.join(others)} {min(others.values()):.3f}",
        bool(chain < 0 and upper < 0 and apart.max() < 0 and min(others.values()) > 0),
    )


@check("thesis-3-073", policy="GPPS")
def up_down_best(policy="UD"):
    """UD lies below GPPS: the simulation's upper end below the chain's answer (`thesis`, Figure 3.5)."""
    value, half_width = simulated(policy)
    chain = np.array([deviations("GPPS", x).max() for x in FRACTIONS])
    gaps = chain - (value + half_width).max(axis=1)
    smallest = int(gaps.argmin())
    return finding(f"smallest margin {gaps[smallest]:.5f}, at x = {FRACTIONS[smallest]:g}", gaps.min() > 0)


@check("thesis-3-074", required_share=0.3)
def gpps_lighter_group_worse(required_share=0.5):
    """GPPS: group 1 has the larger deviation (`thesis`, Figure 3.5)."""
    gap = min(np.subtract(*deviations("GPPS", x, required_share=required_share)) for x in FINE[:-1])
    return finding(f"smallest difference {gap:.5f} at x < 0.5", gap > 0)


@check("thesis-3-138", share=0.51)
def nothing_new_above_half(share=0.5):
    """Both deviations of each group at x and of the other group at 1 - x: exact, and UD simulated."""
    quantities = ("group_share_deviation", "job_share_deviation")
    run = {"jumps": 20_000, "warmup": 10_000, "replications": 20}
    gaps, off = {}, []
    for policy in (*ALIKE, "GPPS"):
        x = np.linspace(0, 0.48, 25) if policy not in RULES or (policy == "PPS" and share == 0.5) else FRACTIONS[:-1]
        gaps[policy] = 0.0
        for y in x:
            one, other = (
                uniprocessor.exact(policy, **two_groups(z, required_share=share), tolerance=1e-6) for z in (y, 1 - y)
            )
            for name in quantities:
                gap = np.abs(getattr(one, name) - getattr(other, name)[::-1]).max()
                gaps[policy] = max(gaps[policy], gap)
    for number, x in enumerate(FRACTIONS[:-1]):
        mirrored = uniprocessor.simulate("UD", **two_groups(1 - x, required_share=share), **run, seed=number)
        for name in quantities:
            value, half_width = (row[number] for row in simulated_of_two_groups("UD", name, share, FRACTIONS))
            found = getattr(mirrored, name)
            off.append(np.abs(value - found.value[::-1]) / np.hypot(half_width, found.half_width[::-1]))
    alike = bool(np.max(off) <= widened(np.size(off), run["replications"]))
    apart = [f"{policy} {gap:.2f}" for policy, gap in gaps.items() if gap > 1e-9]
    return finding(
        f"{'equal within 1e-9' if not apart else 'apart: ' + ', '.join(apart)}; UD "
        f"{'within' if alike else 'beyond'} the intervals",
        alike and not apart,
    )


@check("thesis-3-139", exchanged=True)
def who_profits_from_idle_times(exchanged=False):
    """GPPS: how often a group is there without the other, and what a group obtains while it is there."""
    points = FINE[:-1]
    systems = [group_sharing(1 - x if exchanged else x) for x in points]
    margins = []
    for found in systems:
        # P[N1 = 0, N2 > 0] - P[N2 = 0, N1 > 0]: the time when both are there drops out.
        alone = np.subtract(*found.probability_present[::-1])
        mean = found.obtained_share / found.probability_present
        margins.append((alone - 2 * found.error, mean[1] - mean[0] - 8 * found.error / found.probability_present.min()))
    (value, half_width), (got, doubt) = simulated("GPPS", "probability_present"), simulated("GPPS", "obtained_share")
    if exchanged:
        value, half_width, got, doubt = (row[:, ::-1] for row in (value, half_width, got, doubt))
    factor = widened(4 * len(FRACTIONS), PAPER)
    ends = value - factor * half_width, value + factor * half_width
    often = (ends[0][:, 1] > ends[1][:, 0])[:-1]
    means = ((got - factor * doubt)[:, 1] / ends[1][:, 1] > (got + factor * doubt)[:, 0] / ends[0][:, 0])[:-1]
    exact = np.array(margins)
    near, most, simulated_at = len(points) - 1, int(exact[:, 0].argmax()), int((often & means).sum())
    return finding(
        f"group 2 is alone more often by {exact[most, 0]:.2f} at x = {points[most]:g} and by {exact[near, 0]:.3f} at "
        f"{points[near]:g}; while there it obtains {exact[near, 1]:.3f} more at {points[near]:g}; simulated so at "
        f"{simulated_at} of 9 x",
        bool((exact > 0).all() and often.all() and means.all()),
    )
