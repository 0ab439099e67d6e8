"""Figures 5.16 to 5.19 of `thesis`: each combination with migration and without it, and what tells two apart."""

import functools
from typing import NamedTuple

import numpy as np

from clustershare import dispatch, splitting
from compendium import study
from pages.share_scheduling.central import reached, simulated
from pages.share_scheduling.central.guests import HALVES
from pages.share_scheduling.central.printed_rules import Rules
from pages.share_scheduling.central.systems import (
    COMBINATIONS,
    FRACTIONS,
    LOADS,
    PROCESSORS,
    SHARES,
    two_groups,
)

AXES = {"load": LOADS, "processors": PROCESSORS, "fraction": FRACTIONS, "share": SHARES}
CASES = {"load": "case 1", "processors": "case 1 over P", "fraction": "case 2", "share": "case 3"}
FROM = 0.4  # below this load hardly anybody waits on ten processors, and nothing is to be told apart
READINGS = (
    ("HP", "M2 by jobs"),
    ("SVP", "guest may return"),
    ("SVP", "every departure"),
    ("DVP", "M1 any group"),
    ("DVP", "every departure"),
)
"""Policies, and other readings of their rules."""


class Points(NamedTuple):
    """Delta^G along an axis, with half widths; those of exact values are 0."""

    mean: np.ndarray
    width: np.ndarray

    def __sub__(self, other):
        return Points(self.mean - other.mean, np.hypot(self.width, other.width))

    def below(self, other, joint):
        """Where it is smaller by more than the widened intervals."""
        return other.mean - self.mean > joint * np.hypot(self.width, other.width) + 1e-12

    def part(self, chosen):
        """Some of the points."""
        return Points(self.mean[chosen], self.width[chosen])


@functools.cache
def points(axis, migration=True, quantity="group_share_deviation"):
    """The points of a figure.

    Parameters
    ----------
    axis : str
        One of `AXES`.
    migration : bool
    quantity : str

    Returns
    -------
    dict
        (policy, local): `Points`. Delta^G of JSQ/PS with migration is exact.
    """
    means, widths = simulated.table(simulated.along(axis, AXES[axis], migration), axis, quantity)
    found = {key: Points(means[key], widths[key]) for key in COMBINATIONS}
    if migration and quantity == "group_share_deviation":
        found["JSQ", "PS"] = shortest_queue(axis)
    return found


def _systems(axis):
    for value in AXES[axis]:
        system = two_groups("JSQ", "PS", True, **{axis: value})
        yield {name: system[name] for name in ("required_shares", "loads", "processors")}


def _exact(found):
    means = np.array([each.group_share_deviation.max() for each in found])
    return Points(means, np.zeros(len(means)))


@functools.cache
def shortest_queue(axis):
    """JSQ/PS with migration by (5.5): `Points`."""
    return _exact([dispatch.shortest_queue_with_migration(**system) for system in _systems(axis)])


@functools.cache
def by_chance(axis):
    """HPRS/PS, jobs sent anywhere by chance, by (4.136): `Points`."""
    return _exact(
        [
            splitting.horizontal(system["required_shares"], system["loads"], _equal(system["processors"]))
            for system in _systems(axis)
        ]
    )


def _equal(processors):
    return [1 / processors] * processors


def gains(axis, migration=True):
    """Delta^G without migration less that with it: dict of `Points`; none if neither has migration."""
    before, after = points(axis, False), points(axis, migration)
    return {key: before[key] - after[key] for key in COMBINATIONS}


def mixed(axis):
    """Mean number of processors with jobs of both groups, with migration: dict of `Points`.

    Half widths are those of two and of more jobs, added.
    """
    rows = simulated.along(axis, AXES[axis], True)
    rows = rows[rows["quantity"] == "mixed_processors"]
    sums = rows.groupby(["policy", "local", axis])[["estimate", "half_width"]].sum()
    return {key: Points(*sums.loc[key].sort_index().to_numpy().T) for key in COMBINATIONS}


def read_otherwise(axis, policy, reading):
    """Delta^G under another reading of a policy's rules: {local: `Points`}."""
    rows = simulated.along(axis, AXES[axis], True, policies=(policy,), reading=reading)
    means, widths = simulated.table(rows, axis)
    return {key[1]: Points(means[key], widths[key]) for key in means}


@functools.cache
def guests_stay(local):
    """Delta^G of two groups with equal loads on two processors, by chains of the printed rules.

    Returns
    -------
    dict of float to tuple
        Total load: under SVP, under SVP without I2 and M4, and, at the lower load, under DVP.
    """
    found = {}
    for load, cut, policies in ((0.4, 12, ("SVP", "stay", "DVP")), (0.8, 40, ("SVP", "stay"))):
        found[load] = tuple(
            reached.law(
                Rules(
                    policy.replace("stay", "SVP"), HALVES, 2, True, local,
                    without=("I2", "M4") if policy == "stay" else (),
                ), (load / 2, load / 2), cut,
            ).group_share_deviation.max()
            for policy in policies
        )  # fmt: skip
    return found


def shortest_gains(processors, load=0.8):
    """What migration gains JSQ/PS in case 1 on several numbers of processors, as in Figure 5.11: `Points`."""
    means, widths = [], []
    for P in processors:
        rows = simulated.along("load", LOADS, processors=P, policies=("JSQ",), local=("PS",))
        row = study.largest_of_groups(rows[rows["load"] == load], "group_share_deviation").iloc[0]
        after = dispatch.shortest_queue_with_migration((0.5, 0.5), (load / 2, load / 2), P).group_share_deviation
        means.append(row["estimate"] - after.max())
        widths.append(row["half_width"])
    return Points(np.array(means), np.array(widths))
