"""Two groups that require and bring the same: the stored points of `thesis`, Section 5.6.1, and what differs.

All rows of a figure are judged together: an interval is widened so that all of them hold with 95 %.
"""

import functools
from typing import NamedTuple

import numpy as np

from clustershare import splitting
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.systems import COMBINATIONS, LOADS, PROCESSORS

LOSS, DEVIATION = "capacity_loss", "group_share_deviation"
VERTICAL, SPREAD = ("SVP", "DVP"), ("JSQ", "HP")
EXACT_LOADS = tuple(load for load in LOADS if load <= 0.5)
BEFORE_ONE = tuple(load for load in LOADS if load <= 0.95)


class Measured(NamedTuple):
    """Simulated values along an axis and the half widths of their intervals, each by itself."""

    value: np.ndarray
    half: np.ndarray

    def __sub__(self, other):
        """The difference of two runs that know nothing of each other."""
        return Measured(self.value - other.value, np.hypot(self.half, other.half))

    def part(self, chosen):
        """Some of the points."""
        return Measured(self.value[chosen], self.half[chosen])


def exact(values):
    """Computed values, as points whose intervals have no width."""
    return Measured(np.asarray(values, float), np.zeros(len(values)))


@functools.cache
def points(quantity, processors=None, migration=False):
    """The rows of Figures 5.5 to 5.8 (all loads at some P), or of Figures 5.9 and 5.10 (all P at the load 0.8).

    Parameters
    ----------
    quantity : str
        `LOSS` or `DEVIATION`; of the latter the larger of both groups.
    processors : int, optional
        None is all of `PROCESSORS`.
    migration : bool

    Returns
    -------
    dict
        (policy, local): `Measured`, in the order of `LOADS` or `PROCESSORS`.
    """
    axis = "processors" if processors is None else "load"
    values, halves = simulated.table(rows(processors, migration), axis, quantity)
    return {key: Measured(values[key], halves[key]) for key in COMBINATIONS}


def longer(quantity, load, processors, policies):
    """Points of one load from runs of fidelity "paper", where those of the figure see too few events: as `points`."""
    found = simulated.along("load", (load,), False, policies=policies, fidelity="paper", processors=processors)
    values, halves = simulated.table(found, "load", quantity)
    return {key: Measured(values[key], halves[key]) for key in values}


def rows(processors=None, migration=False):
    """The rows themselves."""
    if processors is None:
        return simulated.along("processors", PROCESSORS, migration)
    return simulated.along("load", LOADS, migration, processors=processors)


def static(policy, processors, load, local="PS"):
    """What HPRS or VPRS do (4.81), (4.136), (4.142): `clustershare.splitting.SplitShares`."""
    shares, loads = (0.5, 0.5), (load / 2, load / 2)
    if policy == "VPRS":
        return splitting.vertical(shares, loads, processors)
    return splitting.horizontal(shares, loads, np.full(processors, 1 / processors), local)


def of_static(quantity, policy, processors, loads=LOADS, local="PS"):
    """The same at some loads, or at some P with the load 0.8, as `Measured` without width."""
    if np.ndim(processors):
        found = [static(policy, P, 0.8, local) for P in processors]
    else:
        found = [static(policy, processors, load, local) for load in loads]
    return exact([np.max(getattr(one, quantity)) for one in found])


def beyond(differences, at_least=0.0):
    """Whether differences are above a bound by more than their intervals, judged together: list of arrays of bool.

    Parameters
    ----------
    differences : sequence of Measured
    at_least : float
    """
    wide = simulated.joint(sum(len(one.value) for one in differences))
    return [one.value - wide * one.half > at_least for one in differences]


def upper_ends(measured):
    """The upper ends of some rows' intervals, judged together."""
    wide = simulated.joint(sum(len(one.value) for one in measured))
    return [one.value + wide * one.half for one in measured]


def said(places, holds):
    """Where something holds along an axis, in words.

    Examples
    --------
    >>> said((0.1, 0.2, 0.3, 0.4), [False, True, True, False])
    '0.2 to 0.3'
    """
    true = np.flatnonzero(holds)
    if not len(true):
        return "nowhere"
    parts = np.split(true, np.flatnonzero(np.diff(true) > 1) + 1)
    ends = [(f"{places[part[0]]:g}", f"{places[part[-1]]:g}") for part in parts]
    return ", ".join(first if first == last else f"{first} to {last}" for first, last in ends)
