"""The claim of `balanced`, Section 5, on its runs: what a jump is, and whether the points tell."""

import numpy as np
from scipy import stats

from clustershare import multiserver
from compendium.press.findings import DIFFERS, UNDECIDABLE, Finding, check
from pages.balanced_fairness.points.intervals import widened
from pages.balanced_fairness.points.published import EXPONENTIAL, FIGURES, curve, exponential, points
from pages.balanced_fairness.systems import LOADS, paper_sizes

RUNS = 3
PLACES = (("a", 5), ("b", 5), ("c", 0))


def other_reading(letter, m):
    """Mean service rate of class 1 at load 0.95 of Figure 1 if only arrivals and departures count, and the length."""
    size = paper_sizes()[letter]
    counts, _, weights = size.erlang_mixture()
    longer = (1 + counts @ weights + m) / 2
    return estimated(size, m, int(1_000_000 * longer), int(1_000_000 * longer), RUNS).value[0], longer


def estimated(size, m, warmup, jumps, runs):
    """Mean service rates of simulated runs at load 0.95 of Figure 1."""
    system = FIGURES[1][1](0.95, mean_size=size.mean)
    length = {"warmup": warmup, "jumps": jumps, "replications": runs, "seed": 48}
    return multiserver.simulate(**system, sizes=size, interruptions=m, **length).mean_service_rate


def coverage():
    """How many of the intervals of simulated exponential sizes hold the exact value, and of how many."""
    inside = []
    for number in (1, 2):
        exact = curve(number, "a")
        for m in (0, 1, 5):
            value, half_width = points(number, EXPONENTIAL, m, rows=exponential(number))
            inside += (np.abs(value - exact) <= half_width).tolist()
    return sum(inside), len(inside)


@check("balanced-048", empty=True)
def what_is_a_jump(empty=False):
    """Both readings of the length of a run at the highest load; in the control very short runs from an empty queue."""
    wide, apart = widened(len(PLACES), 100), []
    for letter, m in PLACES:
        stored, doubt = (part[LOADS.index(0.95)] for part in points(1, letter, m))
        if empty:
            short = estimated(paper_sizes()[letter], m, 0, 1000, 100)
            value, other_doubt = short.value[0], short.half_width[0]
        else:
            value, longer = other_reading(letter, m)
            other_doubt = doubt * np.sqrt(100 / RUNS / longer)
        if abs(value - stored) > wide * np.hypot(doubt, other_doubt):
            apart.append(f"{letter}, m = {m}")
    inside, count = coverage()
    covered = stats.binomtest(inside, count, 0.95, alternative="less").pvalue > 0.01
    said = f"differ at {'; '.join(apart)}" if apart else f"agree at all {len(PLACES)} points"
    return Finding(
        f"load 0.95: the readings {said}; intervals hold the exact value at {inside} of {count} points",
        DIFFERS if apart or not covered else UNDECIDABLE,
    )
