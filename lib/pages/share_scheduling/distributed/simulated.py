"""The stored points of `thesis`, Figures 6.1 to 6.15: read from the results, simulated where they are missing."""

import functools

import numpy as np

from clustershare import dispatch
from compendium import study
from pages.share_scheduling.distributed.systems import POLICIES, of_case
from pages.share_scheduling.one_processor.simulated import widened

PART = 0.2  # of a fidelity's jumps: half widths of at most 0.004, as messages make a jump dear


@functools.cache
def points(name, policies=POLICIES, fidelity="book", part=PART, **axes):
    """The rows of a study: all combinations of policies and parameters.

    Parameters
    ----------
    name : str
        The rows lie in the study ``distributed-<name>``.
    policies : tuple of str
    fidelity : str
    part : float
        Of its jumps and warm-up.
    **axes
        Parameters of `systems.of_case`: a tuple of values, or one value.

    Returns
    -------
    pandas.DataFrame
        As `compendium.study.run` gives it.
    """
    values = {axis: list(each) if isinstance(each, tuple) else [each] for axis, each in axes.items()}
    grid = study.grid(policy=list(policies), **values)
    return study.run(f"distributed-{name}", dispatch.simulate_distributed, grid, of_case, fidelity=fidelity, part=part)


def table(rows, quantity, *axes, index=0):
    """Estimates and half widths of a quantity, by the axes in the order in which the rows have their values.

    Parameters
    ----------
    rows : pandas.DataFrame
        Of `points`.
    quantity : str
    *axes : str
        Such as "policy" and "probe_limit": the axes of the answer.
    index : int or "largest"
        Of a group, or of the group with the largest estimate.

    Returns
    -------
    estimates, half_widths : ndarray
        An axis for each of `axes`.
    """
    if index == "largest":
        chosen = study.largest_of_groups(rows, quantity)
    else:
        chosen = rows[(rows["quantity"] == quantity) & (rows["index"] == index)]
    shape = [chosen[axis].nunique() for axis in axes]
    if len(chosen) != np.prod(shape):
        raise ValueError(f"axes must tell all rows apart; {axes!r} give {shape} for {len(chosen)} rows.")
    places = [chosen[axis].map({value: k for k, value in enumerate(chosen[axis].unique())}) for axis in axes]
    chosen = chosen.iloc[np.lexsort([place.to_numpy() for place in reversed(places)])]
    return chosen["estimate"].to_numpy().reshape(shape), chosen["half_width"].to_numpy().reshape(shape)


def joint(number, replications=30):
    """By how much intervals of 95 % of so many points must be widened to hold all together with 95 %.

    Examples
    --------
    >>> joint(1) == 1, 1.5 < joint(20) < 2
    (True, True)
    """
    return float(np.round(widened(number, replications, 0.95), 12))
