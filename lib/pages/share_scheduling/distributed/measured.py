"""Stored points of Chapter 6 as arrays with their intervals: what its pages draw and its checks compare."""

import numpy as np

from compendium.press.findings import AGREES, DIFFERS, PART
from pages.share_scheduling.central.points.simulated import Measured, exact
from pages.share_scheduling.distributed.simulated import joint, points, table
from pages.share_scheduling.distributed.systems import POLICIES

LOSS, DEVIATION, UTILISATION = "capacity_loss", "group_share_deviation", "network_utilisation"
REQUESTS, REPLIES, PLACEMENTS, ASKING, MIGRATIONS = range(5)  # of "traffic": rates of the five kinds of customers

__all__ = [
    "Measured", "above", "below", "by_policy", "column", "exact", "in_equilibrium", "judged", "listed",
    "lower", "measured", "named", "steps", "upper",
]  # fmt: skip


def measured(study, quantity, *axes, policies=POLICIES, fidelity="book", index=None, **values):
    """A quantity at the points of a study.

    Parameters
    ----------
    study, fidelity : str
        As for `simulated.points`.
    quantity : str
    *axes : str
        Parameters that have several values; the policy comes before them.
    policies : tuple of str
    index : int or "largest", optional
        Of a group or class; of deviations the larger one if not given, of other quantities the first.
    **values
        Parameters of `systems.of_case`, or `part` of `simulated.points`.

    Returns
    -------
    Measured
        Shape (policies, ...), an axis for each of `axes`.
    """
    chosen = ("largest" if quantity == DEVIATION else 0) if index is None else index
    return Measured(*table(points(study, policies, fidelity, **values), quantity, "policy", *axes, index=chosen))


def column(found, place=0):
    """The points of all policies at one place."""
    return found.part((slice(None), place))


def steps(found):
    """From each point of the policies to the next."""
    return found.part((slice(None), slice(1, None))) - found.part((slice(None), slice(None, -1)))


def lower(found, of):
    """The lower ends, where so many intervals are to hold together."""
    return found.value - joint(of) * found.half


def upper(found, of):
    """The upper ends."""
    return found.value + joint(of) * found.half


def above(found, of, bound=0.0):
    """Where it is above a bound beyond the joint intervals."""
    return np.asarray(lower(found, of) > bound + 1e-12)


def below(found, of, bound=0.0):
    """Where it is below a bound beyond the joint intervals."""
    return above(Measured(-found.value, found.half), of, -bound)


def in_equilibrium(obtained, loads):
    """Where each group obtains its load, as it does in equilibrium, whatever the law of the sizes.

    It obtains less where its jobs become ever more, and in a run that is too short for a heavy tail: the largest jobs,
    which bring much of the load, have hardly come yet.

    Parameters
    ----------
    obtained : sequence of Measured
        The shares that each group obtained.
    loads : sequence
        Of each group, a number or as many as points.

    Returns
    -------
    ndarray of bool
        Where no group obtains less beyond the intervals, all of them together.
    """
    number = sum(group.value.size for group in obtained)
    return ~np.any([below(group, number, np.asarray(load)) for group, load in zip(obtained, loads)], axis=0)


def named(holds, names):
    """Those of the names for which something holds, or "none"."""
    return ", ".join(str(name) for name, each in zip(names, holds) if each) or "none"


def judged(all_hold, some_hold):
    """The verdict of what holds everywhere, somewhere or nowhere."""
    return AGREES if all_hold else PART if some_hold else DIFFERS


def listed(values, digits=3):
    """Numbers as text.

    Examples
    --------
    >>> listed([0.05, -0.00001])
    '0.050, 0.000'
    """
    return ", ".join(f"{round(float(value), digits) + 0.0:.{digits}f}" for value in np.ravel(values))


def by_policy(values, digits=3, policies=POLICIES):
    """Numbers of the policies as text.

    Examples
    --------
    >>> by_policy([0.05, -0.00001, 0.1, 0.12])
    'JSQ 0.050, HP 0.000, SVP 0.100, DVP 0.120'
    """
    return ", ".join(f"{name} {round(float(value), digits) + 0.0:.{digits}f}" for name, value in zip(policies, values))
