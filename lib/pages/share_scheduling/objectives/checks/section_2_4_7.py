"""Claims of `thesis`, Section 2.4.7: deviations over busy periods, and fewer jobs."""

import itertools

import numpy as np

from clustershare import uniprocessor
from clustershare.partitions import full_partition
from clustershare.shares import feasible_group_share
from clustershare.splitting import group_number_law
from compendium import study
from compendium.press.clauses import at_each, cases, conclude, everywhere, exact, measured, mended
from compendium.press.clauses.conditions import agrees, at_most, larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.objectives.printed import in_the_text
from pages.share_scheduling.objectives.systems import EXACT, JOBS, SYSTEM, least_jobs, random_states
from pages.share_scheduling.one_processor.systems import (
    FRACTIONS,
    SHARES,
    SPLITS,
    beside_permanent_jobs,
    two_groups,
)  # fmt: skip
from pages.share_scheduling.splitting.points import cases as splits
from pages.share_scheduling.splitting.points.cases import by_laws, delivered, divided

NEARLY = SCALE["very close"].most
ALONE = [policy for policy in uniprocessor.POLICIES if policy != "PS"]
ODD = (0.1, 0.3, 0.5, 0.7, 0.9)
TEN = [(0.5, divided(load)) for load in ODD] + [(0.5, divided(0.8, part)) for part in ODD]
TEN += [(share, divided(0.8)) for share in ODD if share != 0.5]  # required share of the first of two groups, and loads
# Fractions of the load, required shares and policies of `thesis`, Figures 3.5 to 3.11, and beside permanent jobs.
SWEEPS = {
    0: [(FRACTIONS, (0.5,), ("FCFS", "UD", "GPPS")), (SPLITS, (0.51,), uniprocessor.POLICIES), ((0.5,), SHARES, ALONE)],
    1: [((0.5,), SHARES, ("FCFS", "UD", "PPS"))],
    2: [((0.5,), SHARES, ("FCFS", "UD", "PPS"))],
}


@check("thesis-2-030", capacities=(1, 1, 1, 1), required=(0.5, 0.25, 0.25))
def section_of_the_alternative(capacities=SYSTEM, required=(0.5, 0.25, 0.25)):
    """Which definition lets group 1 reach its share with fewer jobs: that of Section 2.4.4, or that of 2.4.5?

    The control is homogeneous: both ask for the same number.
    """
    own = full_partition(required, capacities)[0]
    whole = int(np.argmax(feasible_group_share(required[0], JOBS, len(capacities)) >= required[0] - EXACT))
    part = least_jobs(required[0], own, capacities)
    return mended(
        in_the_text("with (2.26) of Section 2.4.4 the number of jobs is", whole, 1),
        everywhere(
            f"what it is less than {whole} by within a part, as in Section 2.4.5,", exact(whole - part), larger()
        ),
    )


def arguments(permanent, policy, fraction, share):
    """Of the simulator, for a point."""
    if permanent:
        return {"policy": policy, **beside_permanent_jobs(policy, share, permanent)}
    return {"policy": policy, **two_groups(fraction, required_share=share)}


def off_the_formulas(rows, quantity):
    """What a quantity of the groups in the simulations is more than by the formulas, where there are some."""
    rows = rows[(rows["quantity"] == quantity) & rows["policy"].isin(("FCFS", "HOL", "PQ", "PS"))]
    settings = list(zip(rows["permanent"], rows["policy"], rows["fraction"], rows["share"]))
    known = {point: getattr(uniprocessor.exact(**arguments(*point)), quantity) for point in dict.fromkeys(settings)}
    found = rows["estimate"] - [known[point][group] for point, group in zip(settings, rows["index"])]
    return measured(found, rows["half_width"], estimate=None)


def absent(state):
    """The largest distance from 0 of the deviations of the groups that have no jobs in a state."""
    return np.abs(state.group_share_deviations[state.jobs == 0]).max(initial=0.0)


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


def on_ten_processors():
    """Both measures of random splitting, exactly, by policy, in each system of the three cases of Section 4.5.4."""
    for share, loads in TEN:
        found = {}
        for policy in splits.POLICIES:
            split = delivered(policy, share, loads, 10)
            if policy == "HPRS/GPPS":
                one = uniprocessor.exact("GPPS", (share, 1 - share), loads, tolerance=1e-6)
                present = 1 - (1 - one.probability_present) ** 10
            else:
                stable = np.isfinite(split.mean_jobs)
                present = np.array([1 - group_number_law(split.processor_loads, g, 1)[0] if stable[g] else 1.0
                                    for g in (0, 1)])  # fmt: skip
            deviation = split.group_share_deviation
            found[policy] = np.array([deviation.max(), (deviation / present).max()])
        yield f"at loads {loads[0]:g} and {loads[1]:g} and share {share:g}", found


@check("thesis-2-050", permanent=(1, 2))
def over_busy_periods(permanent=(0,)):
    """Policies in order by both measures, at the simulated points, and exactly on ten processors.

    Beside permanent jobs, in the control, nobody is ever absent.
    """
    grid = [
        point for number in permanent for fractions, required, policies in SWEEPS[number]
        for point in study.grid(permanent=[number], policy=policies, fraction=fractions, share=required)
    ]  # fmt: skip
    rows = study.run("uniprocessor", uniprocessor.simulate, grid, arguments, fidelity="paper")
    agree, signs = [], []
    for (_, fraction, share), point in rows.groupby(["permanent", "fraction", "share"]):
        means = both_means(point)
        signs.append(all(np.sign(values[0]) == np.sign(values[1]) for values, _ in means.values()))
        for a, b in itertools.combinations(means, 2):
            apart = means[a][0] - means[b][0]
            if ((np.abs(apart) > NEARLY) | (np.abs(apart) > means[a][1] + means[b][1])).all():
                agree.append(
                    (
                        f"{a} and {b} at fraction {fraction:g} and share {share:.2g}",
                        np.sign(apart[0]) == np.sign(apart[1]),
                    )
                )
    for where, found in on_ten_processors() if 0 in permanent else ():
        signs.append(all(np.sign(values[0]) == np.sign(values[1]) for values in found.values()))
        for a, b in itertools.combinations(found, 2):
            apart = found[a] - found[b]
            if (np.abs(apart) > EXACT).all():
                agree.append((f"{a} and {b} {where}", np.sign(apart[0]) == np.sign(apart[1])))
    pairs, same = zip(*agree)
    return conclude(
        at_each("two policies that are clearly apart are in the same order by both measures", exact(same, pair=pairs)),
        everywhere("both measures of each policy have the same sign", exact(signs, point=None)),
        provided=[
            everywhere("how often a group is present, less its probability,",
                       off_the_formulas(rows, "probability_present"), agrees()),
            everywhere("the simulated deviation, less the exact one,",
                       off_the_formulas(rows, "group_share_deviation"), agrees()),
            everywhere(
                "the deviation of a group without jobs",
                cases("state", random_states(200, 50), seed=50).measure(absent),
                at_most(0),
            ),
            *by_laws(*((policy, *system, 10) for policy in splits.POLICIES for system in TEN[::3])),
        ],
    )  # fmt: skip
