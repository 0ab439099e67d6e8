"""Claims of `thesis`, Sections 2.4.6 and 2.4.7: the group-share deviation as a mean over time, or over busy periods."""

import itertools
import math

import numpy as np

from clustershare import uniprocessor
from compendium import study
from compendium.press.clauses.conditions import agrees
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.objectives.witnesses.mean_deviations import (
    gap_on_two_processors,
    lattice,
    law_by_chain,
    loaded,
    mean_deviation,
    shared_law,
)
from pages.share_scheduling.one_processor.simulated import simulations
from pages.share_scheduling.one_processor.systems import (
    FRACTIONS,
    SHARES,
    SPLITS,
    beside_permanent_jobs,
    two_groups,
)  # fmt: skip

NEARLY = SCALE["very close"].most


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


ALONE = [policy for policy in uniprocessor.POLICIES if policy != "PS"]
# Fractions of the load, required shares and policies of `thesis`, Figures 3.5 to 3.11, and beside permanent jobs.
SWEEPS = {
    0: [(FRACTIONS, (0.5,), ("FCFS", "UD", "GPPS")), (SPLITS, (0.51,), uniprocessor.POLICIES), ((0.5,), SHARES, ALONE)],
    1: [((0.5,), SHARES, ("FCFS", "UD", "PPS"))],
    2: [((0.5,), SHARES, ("FCFS", "UD", "PPS"))],
}


def arguments(permanent, policy, fraction, share):
    """Of the simulator, for a point."""
    if permanent:
        return {"policy": policy, **beside_permanent_jobs(policy, share, permanent)}
    return {"policy": policy, **two_groups(fraction, required_share=share)}


def both_means(point):
    """The largest deviation over the groups, over all time and over busy periods, with half widths, by policy."""
    found = {}
    for policy, rows in point.groupby("policy"):
        columns = rows.pivot(index="index", columns="quantity", values=["estimate", "half_width"])
        deviation, width = (
            columns[name, "group_share_deviation"].to_numpy(float) for name in ("estimate", "half_width")
        )
        present = columns["estimate", "probability_present"].to_numpy(float)
        measures = np.array([deviation, deviation / present]), np.array([width, width / present])
        best = measures[0].argmax(axis=1)
        found[policy] = tuple(values[[0, 1], best] for values in measures)
    return found


@check("thesis-2-050", permanent=(1, 2))
def over_busy_periods(permanent=(0,)):
    """Policies in order by both measures, at the simulated points; beside permanent jobs nobody is ever absent."""
    grid = [
        point for number in permanent for fractions, required, policies in SWEEPS[number]
        for point in study.grid(permanent=[number], policy=policies, fraction=fractions, share=required)
    ]  # fmt: skip
    rows = study.run("uniprocessor", uniprocessor.simulate, grid, arguments, fidelity="paper")
    agree, turned, signs = [], set(), True
    for _, point in rows.groupby(["permanent", "fraction", "share"]):
        means = both_means(point)
        signs &= all(np.sign(values[0]) == np.sign(values[1]) for values, _ in means.values())
        for a, b in itertools.combinations(means, 2):
            apart = means[a][0] - means[b][0]
            if ((np.abs(apart) > NEARLY) | (np.abs(apart) > means[a][1] + means[b][1])).all():
                agree.append(np.sign(apart[0]) == np.sign(apart[1]))
                turned |= set() if agree[-1] else {f"{a} and {b}"}
    return over_domain(
        f"of {len(agree)} clear comparisons {len(agree) - sum(agree)} turn"
        f"{' (' + ', '.join(sorted(turned)) + ')' if turned else ''}; signs are {'' if signs else 'not all '}the same",
        [*agree, signs],
    )
