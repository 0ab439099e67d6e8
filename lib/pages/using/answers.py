"""What a comparison of policies tells, as tables."""

import numpy as np
import pandas as pd

from clustershare.estimates import Estimate

MEASURES = {"loss": "capacity_loss", "deviation": "deviation", "slowdown": "slowdown"}


def table(compared):
    """Loss, worst deviation and worst slowdown of each policy by each source, with half widths: nan where none is.

    Parameters
    ----------
    compared : clustershare.workload.Comparison

    Returns
    -------
    pandas.DataFrame
        By policy and source.
    """
    rows = {}
    for one in compared.answers:
        found = {name: getattr(one, measure) for name, measure in MEASURES.items()}
        rows[one.policy, one.by] = {name: _number(value) for name, value in found.items()} | {
            f"{name} within": float(value.half_width) if isinstance(value, Estimate) else np.nan
            for name, value in found.items()
        }
    return pd.DataFrame(rows).T


def _number(value):
    return float(value.value if isinstance(value, Estimate) else value)


def parted(parting):
    """A policy's measures by theory, in replays without one thing at a time, and in the replay: a row each.

    Parameters
    ----------
    parting : clustershare.workload.Parting

    Returns
    -------
    pandas.DataFrame
    """
    rows = {"theory": parting.theory, "replay": parting.replay} | {
        f"replay without: {change}": values for change, values in zip(parting.changes, parting.without.value)
    }
    return pd.DataFrame(rows, list(MEASURES)).T


def slowdowns(compared, all_ways):
    """Slowdown of the worst group against the number of servers, by replay; of one policy in all ways.

    Parameters
    ----------
    compared : dict
        From servers to `clustershare.workload.Comparison`.
    all_ways : str
        The policy.

    Returns
    -------
    pandas.DataFrame
        By servers, a column for each policy and source.
    """
    columns = {}
    for servers, one in compared.items():
        for (policy, by), row in table(one).iterrows():
            if by == "replay" or policy == all_ways:
                columns.setdefault(f"{policy}, {by}", {})[servers] = row["slowdown"]
    return pd.DataFrame(columns)


def fewest(values, bound):
    """The fewest servers from which on all values of a column keep a bound; nan if none of them does.

    Examples
    --------
    >>> fewest(pd.Series({40: 3.0, 50: 0.9, 60: 0.4}), 1.0)
    50
    """
    too_few = np.flatnonzero((values > bound).to_numpy())
    first = too_few[-1] + 1 if len(too_few) else 0
    return values.index[first] if first < len(values) else np.nan


def contradicted(tests):
    """The assumptions that a workload contradicts, each with how far it is from them, a line each.

    Parameters
    ----------
    tests : sequence of clustershare.workload.Assumption

    Returns
    -------
    str
    """
    sizes = {one.assumption: one.sentence.rpartition("; ")[2].rstrip(".").removesuffix(")") for one in tests}
    return "\n".join(f"contradicted: {one.assumption}; {sizes[one.assumption]}" for one in tests if one.contradicted)
