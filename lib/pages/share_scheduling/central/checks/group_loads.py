"""Claims of `thesis`, (5.5), (5.15) and (5.16): what a group brings is what it obtains; its deviation."""

import itertools
import math

import numpy as np

from clustershare import dispatch
from clustershare.shares import feasible_group_share, group_share_deviation
from compendium.press.findings import check, finding
from pages.share_scheduling.central import apart, simulated
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, PROCESSORS, SHARES, two_groups

FIGURES = (
    ("load", LOADS, (False, True), {}), ("load", LOADS, (False,), {"processors": 2}),
    ("processors", PROCESSORS, (False, True), {}), ("fraction", FRACTIONS, (False, True), {}),
    ("share", SHARES, (False, True), {}),
)  # fmt: skip


def _solved(policy, migration, local, share, load):
    """A chain of two processors on which group 1 brings a third of the load, cut where less than 1e-8 is lost."""
    loads = (round(0.3 * load, 12), round(0.7 * load, 12))
    most = 1 + math.ceil(math.log(1e-8) / math.log(load))
    jobs, probability = apart.law(policy, migration, local, (share, round(1 - share, 12)), loads, 2, most)
    return np.array(loads), jobs, probability


def _obtained(axis, rows, migration):
    """Obtained shares with their half widths, loads and required shares, of rows in which every group is stable."""
    rows = rows[rows["quantity"] == "obtained_share"]
    names = [name for name in ("processors", "load", "fraction", "share") if name in rows]
    for row in rows.to_dict("records"):
        system = two_groups(row["policy"], row["local"], migration, **{
            name: int(row[name]) if name == "processors" else row[name] for name in names
        })  # fmt: skip
        loads, required = np.array(system["loads"]), np.array(system["required_shares"])
        # Without migration a group of SVP or DVP may be sent more than its own processors can serve.
        if migration or row["policy"] in ("JSQ", "HP") or (loads < required - 1e-9).all():
            g = int(row["index"])
            yield row["estimate"], row["half_width"], loads[g], required[g], system["processors"]


def _outside(figures, scale=lambda processors: 1):
    """How many obtained shares are off their loads by more than joint intervals allow, and of how many."""
    found = np.array([
        values
        for axis, points, moves, fixed in figures for migration in moves
        for values in _obtained(axis, simulated.along(axis, points, migration=migration, **fixed), migration)
    ])  # fmt: skip
    estimates, widths, loads, _, processors = found.T
    far = np.abs(estimates - loads / scale(processors)) > simulated.joint(len(found)) * widths + 1e-12
    return int(far.sum()), len(found)


@check("thesis-5-142", in_time=True)
def loads_are_obtained(in_time=False):
    """Chains and simulated points; the control takes sizes for times on a processor of capacity 1 / P."""
    worst = 0.0
    for policy in ("JSQ", "HP"):
        for load in (0.1, 0.2, 0.3, 0.4, 0.5) if not in_time else (0.2,):
            loads, jobs, probability = _solved(policy, False, "PS", 0.7, load)
            obtained = probability @ apart.obtained(jobs, "PS", None).sum(axis=1)
            expected = loads / 2 if in_time else loads
            worst = max(worst, np.abs(obtained - expected).max(), abs(obtained.sum() - expected.sum()))
    far, points = (0, 0) if in_time else _outside(FIGURES)
    return finding(f"chains {'within 1e-6' if worst <= 1e-6 else f'off by {worst:.2f}'}; of {points} simulated shares "
                   f"{far} outside their joint intervals", worst <= 1e-6 and not far)  # fmt: skip


@check("thesis-5-004", unstable=True)
def deviation_of_a_stable_group(unstable=False):
    """(5.5) in both forms; the control is a group of SVP that is sent more than its processors can serve."""
    if unstable:
        rows = simulated.along("fraction", (0.09,), policies=("SVP",), local=("PS",))
        row = rows[(rows["quantity"] == "obtained_share") & (rows["index"] == 1)].iloc[0]
        return finding(f"obtains {row['estimate']:.2f} of a load of 0.73", abs(row["estimate"] - 0.728) <= 1e-6)
    worst = library = 0.0
    settings = itertools.product(("JSQ", "HP"), (False, True), ("PS", "GPPS"), (0.1, 0.3, 0.5), (0.5, 0.7))
    for policy, migration, local, load, share in settings:
        required = np.array([share, round(1 - share, 12)])
        # Under PS the promises change nothing about the chain.
        loads, jobs, probability = _solved(policy, migration, local, share if local == "GPPS" else 0.7, load)
        feasible = feasible_group_share(required, jobs.sum(axis=1), 2)
        obtained = apart.obtained(jobs, local, required).sum(axis=1)
        mean = probability @ group_share_deviation(feasible, obtained, required)
        forms = [(probability @ feasible - right) / required for right in (probability @ obtained, loads)]
        worst = max(worst, *(np.abs(mean - form).max() for form in forms))
        if load == 0.1 and share == 0.7:
            answer = dispatch.exact_central(
                policy, local=local, migration=migration, required_shares=tuple(required), loads=tuple(loads),
                processors=2, most_jobs=8,
            )  # fmt: skip
            library = max(library, np.abs(answer.group_share_deviation - forms[1]).max())
    far, points = _outside((("load", LOADS, (False, True), {}),))
    good = max(worst, library) <= 1e-6
    return finding(
        f"chains {'within 1e-6' if good else f'up to {max(worst, library):.2g} apart'}; of {points} simulated shares "
        f"{far} outside their joint intervals", good and not far,
    )  # fmt: skip
