"""The stored points of `thesis`, Figures 5.5 to 5.19: read from the results, simulated where they are missing."""

import functools
from typing import NamedTuple

import numpy as np

from clustershare import dispatch
from compendium import study
from pages.share_scheduling.central.systems import LOCAL, POLICIES, two_groups
from pages.share_scheduling.one_processor.simulated import widened


@functools.cache
def along(axis, values, migration=False, policies=POLICIES, local=LOCAL, fidelity="book", **fixed):
    """The rows of a figure: all policies against one parameter.

    Parameters
    ----------
    axis : str
        A parameter of `systems.two_groups`; the rows lie in the study ``central-<axis>``.
    values : tuple
        Of this parameter.
    migration : bool
    policies, local : tuple of str
    fidelity : str
    **fixed
        Other parameters of `systems.two_groups`.

    Returns
    -------
    pandas.DataFrame
        As `compendium.study.run` gives it.
    """
    points = study.grid(
        policy=policies, local=local, migration=[migration], **{name: [value] for name, value in fixed.items()},
        **{axis: values},
    )  # fmt: skip
    return study.run(
        f"central-{axis.replace('_', '-')}", dispatch.simulate_central, points, two_groups, fidelity=fidelity
    )


def table(rows, axis, quantity="group_share_deviation"):
    """Estimates and half widths of each combination of policies along the axis; of the group with the largest estimate.

    Parameters
    ----------
    rows : pandas.DataFrame
        Of `along`.
    axis : str
    quantity : str

    Returns
    -------
    estimates, half_widths : dict
        (policy, local): ndarray, shape (values of the axis,).
    """
    chosen = study.largest_of_groups(rows, quantity).sort_values(axis, kind="stable")  # policies in order
    groups = dict(list(chosen.groupby(["policy", "local"], sort=False)))
    return (
        {key: part["estimate"].to_numpy() for key, part in groups.items()},
        {key: part["half_width"].to_numpy() for key, part in groups.items()},
    )


def joint(points, replications=30):
    """By how much intervals of 95 % of so many points must be widened to hold all together with 95 %.

    Examples
    --------
    >>> joint(1) == 1, 1.5 < joint(20) < 2
    (True, True)
    """
    return float(np.round(widened(points, replications, 0.95), 12))


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
