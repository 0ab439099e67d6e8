"""Claims of `thesis`, Sections 5.1, 5.5.1 and 5.5.3: what very many processors make of migration and of policies."""

import functools

import numpy as np

from compendium.press import words
from compendium.press.findings import check, over_domain
from pages.share_scheduling.central import growing, simulated
from pages.share_scheduling.central.case_one import Measured, of_static, said
from pages.share_scheduling.central.growing import LOADS, falls, rises
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.central.systems import PROCESSORS as FEW

QUANTITIES = {"Delta^T": "capacity_loss", "Delta^G": "group_share_deviation"}
ODD, SHARED = (3, 5, 7, 9, 21, 101), (10, 30, 110)


@check("thesis-5-065", processors=10)
def the_simplest_suffices(processors=100):
    """The largest loss and deviation of JSQ with PS in all three cases; from which P on; M/M/P beside it."""
    holds = {case: suffices(processors, case) for case in growing.CASES}
    text = "; ".join(
        f"case {case}: {', '.join(f'{name} at most {upper(processors, case, name):.3f}' for name in QUANTITIES)}"
        for case in growing.CASES
    )
    text += f"; M/M/{processors} at most {growing.in_one_line(processors):.3f}"
    if processors == 100:
        least = next((P for P in growing.LARGER if all(suffices(P, case) for case in growing.CASES)), None)
        text += f"; the least P for which it holds: {least}"
    return over_domain(text, list(holds.values()))


def upper(processors, case, name):
    """The largest upper end of the points of a case."""
    points = growing.worst(processors, case, QUANTITIES[name])
    return float((points.value + simulated.joint(len(points.value)) * points.half).max())


def suffices(processors, case):
    """Whether loss and deviation are small at all points of a case."""
    return all(words.allows("close", max(0.0, upper(processors, case, name))) for name in QUANTITIES)


@functools.cache
def _few(migration, local, quantity):
    rows = simulated.along("processors", FEW, migration)
    values, halves = simulated.table(rows, "processors", quantity)
    return Measured(values["JSQ", local], halves["JSQ", local])


def _effects():
    """What migration and the local policy change under JSQ at the load 0.8, against P."""
    found = {"Delta^T by migration": _few(False, "PS", "capacity_loss") - _few(True, "PS", "capacity_loss")}
    for local in LOCAL:
        found[f"Delta^G by migration ({local})"] = _few(False, local, "group_share_deviation") - _few(
            True, local, "group_share_deviation"
        )
    for migration, name in ((False, "without"), (True, "with")):
        found[f"Delta^G by GPPS ({name} migration)"] = _few(migration, "PS", "group_share_deviation") - _few(
            migration, "GPPS", "group_share_deviation"
        )
    return {name: Measured(np.abs(points.value), points.half) for name, points in found.items()}


@check("thesis-5-118", chance=True)
def differences_diminish(chance=False):
    """Steps up of each difference as P grows, and of the losses of Figure 5.11."""
    effects = {"Delta^T": of_static("capacity_loss", "HPRS", FEW)} if chance else _effects()
    wide, holds, text = simulated.joint(len(effects) * len(FEW)), [], []
    for name, points in effects.items():
        steps = _steps_up(points, wide)
        ends = falls(points.part([0]), points.part([-1]), wide)[0]
        start = FEW[np.flatnonzero(steps)[-1] + 1] if steps.any() else FEW[0]
        holds += [*~steps, ends]
        text.append(f"{name} {points.value[0]:.3f} to {points.value[-1]:.3f}, falling from P = {start} on")
    if not chance:
        curves = [growing.losses(P) for P in growing.PROCESSORS]
        wide = simulated.joint(len(LOADS) * len(curves))
        up = np.array([rises(one, other, wide) for one, other in zip(curves[:-1], curves[1:])])
        holds += list(~up.any(axis=0))
        text.append(f"the loss of Figure 5.11 never rises at loads {said(LOADS, ~up.any(axis=0))}")
    return over_domain("; ".join(text), holds)


def _steps_up(points, wide):
    return np.array([
        rises(points.part([k]), points.part([k + 1]), wide)[0] for k in range(len(points.value) - 1)
    ])  # fmt: skip


def _by_local(axis, values, **fixed):
    """How far Delta^G of SVP with PS is from that with GPPS."""
    rows = simulated.along(axis, values, False, policies=("SVP",), **fixed)
    means, halves = simulated.table(rows, axis)
    one, other = (Measured(means["SVP", local], halves["SVP", local]) for local in LOCAL)
    difference = one - other
    return Measured(np.abs(difference.value), difference.half)


@check("thesis-5-123", growing_subsets=False)
def the_local_policy_matters_less(growing_subsets=True):
    """The effect of the local policy under SVP where a processor is shared, as subsets grow."""
    found = {"r = (0.5, 0.5)": (ODD, _by_local("processors", ODD))}
    if growing_subsets:
        found["r = (0.85, 0.15)"] = (SHARED, _by_local("processors", SHARED, share=0.85))
    else:
        found = {"3/2 processors each": ((3, 9, 21, 99), found["r = (0.5, 0.5)"][1].part([0, 0, 0, 0]))}
    wide, holds, text = simulated.joint(sum(len(sizes) for sizes, _ in found.values())), [], []
    for name, (sizes, points) in found.items():
        last = points.value[-1] + wide * points.half[-1]
        holds.append(
            not _steps_up(points, wide).any()
            and falls(points.part([0]), points.part([-1]), wide)[0]
            and words.allows("practically equal", last)
        )
        text.append(f"{name}: {points.value[0]:.3f} (P = {sizes[0]}) to {points.value[-1]:.3f} (P = {sizes[-1]})")
    return over_domain("; ".join(text), holds)


@check("thesis-5-124", few=True)
def large_subsets(few=False):
    """Deviations of groups with large subsets, size by size."""
    if few:
        loads = tuple(load for load in LOADS if load <= 0.9)
        rows = simulated.along("load", LOADS, False, processors=10)
        means, halves = simulated.table(rows[rows["load"] <= 0.9], "load")
        found = {"5": [(loads, Measured(means["SVP", local], halves["SVP", local])) for local in LOCAL]}
    else:
        within = np.array(LOADS) <= 0.9
        found = {"100": [(np.array(LOADS)[within], growing.losses(100).part(within))]}
        for P in (200, 1000):
            rows = simulated.along(
                "load", (0.5, 0.8, 0.9), False, policies=("SVP", "DVP"), local=("GPPS",), processors=P
            )
            means, halves = simulated.table(rows, "load")
            found[f"{P // 2} of {P}"] = [((0.5, 0.8, 0.9), Measured(means[key], halves[key])) for key in means]
    wide = simulated.joint(sum(len(loads) for parts in found.values() for loads, _ in parts))
    holds, text = [], []
    for name, parts in found.items():
        ends = [points.value + wide * points.half for _, points in parts]
        high = sorted({float(load) for (loads, _), end in zip(parts, ends) for load in np.array(loads)[end > 0.02]})
        holds.append(all(words.allows("very close", max(0.0, end.max())) for end in ends))
        text.append(
            f"{name} processors: at most {max(end.max() for end in ends):.3f}"
            + (f", above 0.02 at loads {', '.join(f'{load:g}' for load in high)}" if high else "")
        )
    return over_domain("; ".join(text), holds)
