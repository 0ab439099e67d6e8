"""What was simulated for the plane beside what a formula or a chain says of the same."""

import numpy as np
import pandas as pd

from clustershare import dispatch, uniprocessor
from clustershare.arguments import UnstableError
from pages.across import systems
from pages.across.points import exact

CHAIN = {"processors": 2, "load": 0.5, "most_jobs": 22}  # the central policies there


def in_order_of_arrival(law, load):
    """Mean numbers of jobs of the groups under FCFS, by the formula of Pollaczek and Khinchine."""
    sizes, own = systems.LAWS[law], np.array(systems.loads_of(load))
    return own * (load * (sizes.variance + 1) / (2 * (1 - load)) + 1)


def _one_processor(policy, law, load):
    if policy == "FCFS":
        return in_order_of_arrival(law, load)
    if policy == "PS" or law == "exponential":
        return uniprocessor.exact(policy, systems.SHARES, systems.loads_of(load)).mean_jobs
    return None


def _algorithm(graph, processors, law, load):
    try:
        return exact.balanced_fairness(systems.GRAPHS[graph](processors), load)[2] if law == "exponential" else None
    except UnstableError:
        return None


def _central(policy, local, migration, processors, law, load):
    if law != "exponential":
        return None
    if migration:
        return exact.migrating(processors, load).mean_jobs
    if policy in ("JSQ", "HP", "SVP", "DVP") and (processors, load) == (CHAIN["processors"], CHAIN["load"]):
        return dispatch.exact_central(
            policy, local=local, required_shares=systems.SHARES, loads=systems.loads_of(load), processors=processors,
            most_jobs=CHAIN["most_jobs"],
        ).mean_jobs  # fmt: skip
    return None


def compared(one_processor, own, whole, central):
    """Mean numbers of jobs wherever two ways to them exist.

    Parameters
    ----------
    one_processor, own, whole, central : pandas.DataFrame
        Rows of `systems`.

    Returns
    -------
    pandas.DataFrame
        A row for each number: `witness`, `exact`, `estimate`, `half_width`, and how far apart they are in half widths.
    """
    found = []
    for witness, rows, keys, answer in (
        ("one processor", one_processor, ["policy", "law", "load"], _one_processor),
        ("own and shared", own.assign(graph="own"), ["graph", "processors", "law", "load"], _algorithm),
        ("all servers", whole.assign(graph="all"), ["graph", "processors", "law", "load"], _algorithm),
        ("central", central, ["policy", "local", "migration", "processors", "law", "load"], _central),
    ):
        for key, points in rows[rows["quantity"] == "mean_jobs"].groupby(keys, sort=False):
            known = answer(*key)
            for row in () if known is None else points.rename(columns={"index": "group"}).itertuples():
                found.append((witness, float(known[row.group]), row.estimate, row.half_width))
    table = pd.DataFrame(found, columns=["witness", "exact", "estimate", "half_width"])
    return table.assign(off=abs(table["exact"] - table["estimate"]) / table["half_width"])
