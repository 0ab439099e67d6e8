"""Claims of `thesis`, Section 2.4.6: the mean group-share deviation."""

import math

import numpy as np

from clustershare import uniprocessor
from compendium.press.clauses.conditions import agrees
from compendium.press.findings import check, finding
from pages.share_scheduling.objectives.witnesses.mean_deviations import (
    gap_on_two_processors,
    lattice,
    law_by_chain,
    loaded,
    mean_deviation,
    shared_law,
)
from pages.share_scheduling.one_processor.simulated import simulations


@check("thesis-2-031", ways=("maximum", "processors"))
def expected_deviation(ways=(None,)):
    """The library against states; the controls take the maximum inside the mean, or (2.26) for another system."""
    worst, beyond_intervals = [], 0
    for way in ways:
        rng, gap = np.random.default_rng(31), 0.0
        kinds = [(policy, 2, 20, 0.95) for policy in ("FCFS", "PS")] + [
            (policy, 3, 10, 0.7) for policy in ("FCFS", "PS")
        ]
        kinds += [(policy, groups, 5, most) for policy in ("PQ", "GPPS") for groups, most in ((2, 0.7), (3, 0.4))]
        for policy, groups, count, most in kinds:
            for number, (required, loads) in enumerate(loaded(rng, count, groups, most)):
                level = math.ceil(math.log(1e-9) / math.log(loads.sum()))
                if policy in ("FCFS", "PS"):
                    jobs = lattice(groups, level)
                    law = shared_law(jobs, loads)
                else:
                    jobs, law = law_by_chain(policy, required, loads, level)
                exact = uniprocessor.exact(policy, required, loads).group_share_deviation
                found = mean_deviation(policy, jobs, law, required, way)
                gap = max(gap, abs(found - exact.max()) / np.abs(exact).max())
                if number == 0 and way is None:
                    system = {"required_shares": required, "arrival_rates": loads}
                    points = simulations(policy, [system], [exact], jumps=20_000, warmup=2000)
                    beyond_intervals += agrees().outside(points, points.widened(points.asked)).sum()
        worst.append(max(gap, gap_on_two_processors(rng, way)) if way is None else gap)
    gap = min(worst)
    return finding(
        f"{'equal within 1e-6' if gap <= 1e-6 else f'up to {gap:.2f} apart'}; {beyond_intervals} of 8 simulations "
        "contradict it",
        gap <= 1e-6 and beyond_intervals == 0,
    )
