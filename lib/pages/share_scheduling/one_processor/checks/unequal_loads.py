"""Claims of `thesis`, Section 3.5.1, Figures 3.7, 3.8, 3.9: two groups with unequal loads, without permanent jobs."""

import numpy as np

from clustershare import uniprocessor
from compendium.press.claims import check, erratum, finding
from pages.share_scheduling.one_processor.deviations import (
    exact_of_two_groups,
    larger_of_two_groups,
    simulated_of_two_groups,
)
from pages.share_scheduling.one_processor.systems import FRACTIONS, SPLITS, two_groups

FINE = np.linspace(0.01, 0.99, 99)


def at(points, wanted):
    """Where the wanted values stand among the points."""
    return np.array([points.index(value) for value in wanted])


@check("thesis-3-078", scale=1.1)
def job_shares_in_case_1(scale=1.0):
    """(3.95) and (3.96): exact, and FCFS simulated; the control has them wrong by a tenth."""
    value, half_width = simulated_of_two_groups("FCFS", "job_share_deviation", 0.5, FRACTIONS)
    gap = errors = 0.0
    for number, x in enumerate(FRACTIONS):
        printed = scale * np.array([16 * y**2 / (5 + 20 * y) for y in (x, 1 - x)])
        for name in ("FCFS", "HOL", "PQ"):
            gap = max(gap, np.abs(exact_of_two_groups(name, x, 0.5, quantity="job_share_deviation") - printed).max())
        errors = max(errors, (np.abs(value[number] - printed) / half_width[number]).max())
    return finding(
        f"equal within 1e-12; simulated within {errors:.2f} half widths" if gap < 1e-12 else f"off by {gap:.2g}",
        gap < 1e-12 and errors < 2,
    )


@check("thesis-3-079", corrected="group_share_deviation")
def which_deviation(corrected="job_share_deviation"):
    """Delta_2 at least Delta_1 up to x = 0.5: printed for G, right for J."""
    printed, right = (
        min(np.subtract(*exact_of_two_groups("FCFS", x, 0.5, quantity=name)[::-1]) for x in np.linspace(0.01, 0.49, 49))
        for name in ("group_share_deviation", corrected)
    )
    return erratum(f"smallest difference {printed:.3f} for G and {right:.3f} for J", printed >= 0, right >= 0)


@check("thesis-3-081", group=0)
def busier_group_unfair(group=1):
    """UD: the job-share deviation of group 2 is the larger one below x = 0.5 (`thesis`, Figure 3.7)."""
    value, half_width = simulated_of_two_groups("UD", "job_share_deviation", 0.5, FRACTIONS)
    margin = (value[:, group] - value[:, 1 - group] - half_width.sum(axis=1))[:-1]
    return finding(f"smallest margin {margin.min():.4f}", margin.min() > 0)


@check("thesis-3-083", first="PQ", second="HOL")
def head_of_line_better(first="HOL", second="PQ"):
    """HOL below PQ from x = 0.6 on, exactly (`thesis`, Figure 3.8)."""
    points = {"fraction": FINE[FINE > 0.595]}
    margin = larger_of_two_groups(second, points) - larger_of_two_groups(first, points)
    return finding(f"smallest margin {margin.min():.4f} at x from 0.6 to 0.99", margin.min() > 0)


def like_head_of_line(points, first):
    """How far simulated UD is from HOL with one group first, in the system of Figure 3.8, and what is allowed."""
    value, half_width = simulated_of_two_groups("UD", required_share=0.51)
    gaps, allowed = [], []
    for number in at(SPLITS, points):
        shares = np.array([0.51, 0.49])
        order = shares if first == 0 else shares[::-1]
        rates = two_groups(SPLITS[number])["arrival_rates"]
        hol = uniprocessor.exact("HOL", tuple(order), rates)
        gaps.append(np.abs(value[number] - (hol.probability_present - hol.obtained_share / shares)).max())
        allowed.append(max(5e-4, half_width[number].max()))
    return np.array(gaps), np.array(allowed)


@check("thesis-3-085", first=1)
def up_down_as_head_of_line(first=0):
    """UD as HOL for small x, and as HOL with the roles swapped for large x (`thesis`, Figure 3.8)."""
    small, allowed_small = like_head_of_line([x for x in SPLITS if x <= 0.4], first)
    large, allowed_large = like_head_of_line([x for x in SPLITS if x >= 0.65], 1 - first)
    return finding(
        f"distance at most {small.max():.4f} up to x = 0.4, and {large.max():.4f} from 0.65 on",
        (small <= allowed_small).all() and (large <= allowed_large).all(),
    )


@check("thesis-3-086", one="GPPS", other="PS")
def closer_to_sharing(one="PS", other="GPPS"):
    """PPS between PS and GPPS: its largest distances to both (`thesis`, Figure 3.8)."""
    points = {"fraction": SPLITS}
    pps = larger_of_two_groups("PPS", points)
    near, far = (np.abs(pps - larger_of_two_groups(name, points)).max() for name in (one, other))
    return finding(f"at most {near:.4f} from {one}, up to {far:.4f} from {other}", near <= 0.005 and far > 0.1)
