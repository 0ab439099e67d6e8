"""Designs that `clustershare.design` found: as a table, and simulated once more."""

import numpy as np
import pandas as pd

from clustershare import dispatch, uniprocessor
from clustershare.design import AT_ONCE
from compendium import study

QUANTITIES = ("group_share_deviation", "mean_jobs")


def table(candidates):
    """The candidates as a table; half widths are 0 where the answer is exact.

    Parameters
    ----------
    candidates : sequence of clustershare.design.Candidate

    Returns
    -------
    pandas.DataFrame
        Indexed by policy.
    """
    rows = [
        {
            "policy": one.policy, "processors": one.processors, "known": one.method,
            "deviation": getattr(one.deviation, "value", one.deviation),
            "within": getattr(one.deviation, "half_width", 0.0),
            "slowdown": getattr(one.slowdown, "value", one.slowdown),
            "slowdown within": getattr(one.slowdown, "half_width", 0.0),
            "margin": one.margin, "verdict": one.verdict,
        }
        for one in candidates
    ]  # fmt: skip
    return pd.DataFrame(rows).set_index("policy")


def again(policy, processors, case, *, fidelity):
    """A design simulated anew, from the stored points with their own seeds: random splitting and graphs apart.

    Parameters
    ----------
    policy : str
        As of a candidate.
    processors : sequence of int
        Each is simulated.
    case : dict
        Arguments of `clustershare.design.choose`.
    fidelity : str

    Returns
    -------
    pandas.DataFrame
        Indexed by processors: for both measures the estimate, its half width and the bound, and whether the bounds are
        kept for certain ("meets"), broken for certain ("misses"), or neither.
    """
    required, work, sizes = (case.get(name) for name in ("required_shares", "work", "sizes"))

    def arguments(processors):
        loads = tuple(round(part / processors, 12) for part in work)
        common = {"required_shares": required, "sizes": sizes}
        if policy in AT_ONCE:
            return {"policy": policy, "arrival_rates": loads, **common}
        name, _, local = policy.partition(" ")
        return {
            "policy": name, "local": local.split(",")[0], "migration": "migrating" in local, "loads": loads,
            "processors": processors, **common,
        }  # fmt: skip

    simulate = uniprocessor.simulate if policy in AT_ONCE else dispatch.simulate_central
    rows = study.run("across-design", simulate, study.grid(processors=list(processors)), arguments, fidelity=fidelity)
    units, bounds = (np.ones(len(work)), np.array(work)), (case["deviation"], case["slowdown"])
    found = {}
    for P, points in rows.groupby("processors", sort=False):
        entry, verdicts = {}, []
        for name, quantity, unit, bound in zip(("deviation", "slowdown"), QUANTITIES, units, bounds):
            chosen = points[points["quantity"] == quantity]
            value, within = (chosen[part].to_numpy() / unit for part in ("estimate", "half_width"))
            g = int(value.argmax())
            entry |= {name: value[g], f"{name} within": within[g], f"{name} bound": bound}
            verdicts.append(1 if (value + within).max() <= bound else -1 if (value - within).max() > bound else 0)
        entry["verdict"] = {1: "meets", -1: "misses"}.get(min(verdicts, key=lambda v: (v != -1, v)), "undecided")
        found[P] = entry
    return pd.DataFrame(found).T.rename_axis("processors")
