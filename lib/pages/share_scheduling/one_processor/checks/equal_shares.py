"""Claims of `thesis`, Section 3.5.1, Figures 3.5, 3.6: two groups with equal required shares."""

import numpy as np
from scipy.optimize import brentq

from clustershare import uniprocessor
from clustershare.uniprocessor.chain import solve
from clustershare.uniprocessor.model import Workload
from compendium import study
from compendium.press.claims import check, finding, over_domain
from pages.share_scheduling.one_processor.paths import intervals
from pages.share_scheduling.one_processor.printed import fcfs_deviations
from pages.share_scheduling.one_processor.systems import FRACTIONS, two_groups

FINE = np.linspace(0.01, 0.5, 50)


def deviations(policy, fraction, **setting):
    """Exact group-share deviations in the system of Figure 3.5."""
    return uniprocessor.exact(policy, **two_groups(fraction, **setting)).group_share_deviation


def simulated(policy):
    """Simulated group-share deviations of Figure 3.5: values and half widths, shape (fractions, groups)."""
    rows = study.run(
        "uniprocessor",
        uniprocessor.simulate,
        study.grid(policy=[policy], fraction=FRACTIONS),
        lambda policy, fraction: {"policy": policy, **two_groups(fraction)},
        fidelity="paper",
    )
    rows = rows[rows["quantity"] == "group_share_deviation"]
    return (rows[column].to_numpy().reshape(-1, 2) for column in ("estimate", "half_width"))


@check("thesis-3-069", load=0.7)
def fcfs_curve(load=0.8):
    """The printed curve against the chain of PS, which owes nothing to the formula."""
    gap = 0.0
    for x in FRACTIONS:
        work = Workload("PS", service_rates=1.0, permanent_jobs=0, **two_groups(x, load))
        obtained, present, *_ = solve(work, lambda jobs: jobs / np.maximum(jobs.sum(axis=0), 1))
        gap = max(gap, np.abs(present - obtained / 0.5 - fcfs_deviations(x)).max())
    return finding(f"largest difference {gap:.0e}" if gap > 1e-9 else "largest difference below 1e-9", gap < 1e-9)


@check("thesis-3-070", required_share=0.3)
def lighter_group_worse(required_share=0.5):
    """FCFS and the like: group 1 has the larger deviation."""
    gaps = [np.subtract(*deviations("FCFS", x, required_share=required_share)) for x in np.linspace(0, 0.49, 50)]
    tie = abs(np.subtract(*deviations("FCFS", 0.5, required_share=required_share)))
    return finding(f"smallest difference {min(gaps):.4f} at x < 0.5, {tie:.4f} at 0.5", min(gaps) > 0 and tie < 1e-12)


@check("thesis-3-071", load=0.9)
def fcfs_zero(load=0.8):
    """FCFS and the like: where the deviation of group 1 changes its sign."""
    zero = brentq(lambda x: deviations("FCFS", x, load=load)[0], 0.01, 0.5, xtol=1e-14)
    signs = deviations("FCFS", zero - 0.01, load=load)[0] > 0 > deviations("FCFS", zero + 0.01, load=load)[0]
    return finding(f"zero at x = {zero:.9f}", signs and abs(zero - 3 / 8) < 1e-9)


@check("thesis-3-072", exact="FCFS")
def only_two_stay_negative(exact="GPPS"):
    """UD and GPPS stay below zero (`thesis`, Figure 3.5)."""
    chain = max(deviations(exact, x).max() for x in FINE)
    value, half_width = simulated("UD")
    upper = (value + half_width).max(axis=1).max()
    return finding(f"largest: {exact} {chain:.5f}, UD {upper:.5f} (upper end)", chain < 0 and upper < 0)


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


@check("thesis-3-075", policy="GPPS")
def up_down_groups_meet(policy="UD"):
    """UD: group 1 is worse up to 0.4, and the groups are alike from 0.45 on."""
    value, half_width = simulated(policy)
    gap, doubt = value[:, 0] - value[:, 1], half_width.sum(axis=1)
    apart = np.array(FRACTIONS) <= 0.4
    worst = np.abs(gap[~apart]).max()
    return finding(
        f"smallest difference {(gap - doubt)[apart].min():.4f} up to 0.4; at most {worst:.4f} beyond",
        (gap > doubt)[apart].all() and worst <= 0.005,
    )


@check("thesis-3-076", first=1)
def up_down_as_head_of_line(first=0):
    """UD at small x: as HOL with group 1 first (`thesis`, Figure 3.6)."""
    value, half_width = simulated("UD")
    tilt = 1e-9 if first == 0 else -1e-9  # what makes one group the first, and changes no deviation
    gap = [np.abs(value[k] - deviations("HOL", x, required_share=0.5 + tilt)).max() for k, x in enumerate(FRACTIONS)]
    alike = [x for k, x in enumerate(FRACTIONS) if gap[k] <= max(5e-4, half_width[k].max())]
    close = [f"{gap[FRACTIONS.index(x)]:.4f} at {x:g}" for x in (0.3, 0.35, 0.4)]
    return finding("distance " + ", ".join(close), set(FRACTIONS[:6]) <= set(alike))


@check("thesis-3-077", group=0)
def up_down_limit(group=1):
    """UD as the load of group 1 vanishes: what is left is group 2 alone; and the simulation leads there.

    `thesis`, Figure 3.6.
    """
    alone = float(deviations("FCFS", 0.0)[group])
    value, _ = simulated("UD")
    towards = 2 * value[0, group] - value[1, group]  # the line through the points at 0.05 and 0.1
    return finding(
        f"{alone:.4f} at x = 0; simulation extrapolated {towards:.3f}",
        abs(alone + 0.8) < 1e-9 and abs(towards + 0.8) < 0.02,
    )


@check("thesis-3-140", policy="FCFS")
def up_down_as_first_come(policy="UD"):
    """Group 2 under UD, where it acts as HOL, against (3.94); and who of it leaves first (`thesis`, Figure 3.6)."""
    fractions = (0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-4)
    gaps, noise = [], []
    for x in fractions:
        expected = fcfs_deviations(x)[1]
        gaps.append(abs(deviations(policy, x)[1] - expected))
        run = {"jumps": 200_000, "warmup": 100_000, "replications": 20}
        noise.append(uniprocessor.simulate(policy, **two_groups(x), **run).group_share_deviation.half_width[1])
    in_order = True
    for x in fractions[:6]:
        last = -1.0
        for interval in intervals(policy, **two_groups(x), events=1500, seed=1):
            for job in interval.rates:
                if job.group == 1 and not job.periods:
                    in_order &= job.arrival >= last
                    last = job.arrival
    steps = all(after <= before + 1e-12 for before, after in zip(gaps, gaps[1:])) and gaps[-1] < 1e-3
    alike = [gap <= width for gap, width in zip(gaps, noise)]
    away = [x for x, holds in zip(fractions, alike) if not holds]
    place = f"; further than the intervals from x = {min(away):g} on" if away else ""
    said = ", ".join(f"{gap:.4f} at {x:g}" for gap, x in zip(gaps, fractions))
    return over_domain(
        f"distance {said}{place}; group 2 {'in' if in_order else 'out of'} order of arrival",
        [in_order, steps, *alike[:6]],
    )
