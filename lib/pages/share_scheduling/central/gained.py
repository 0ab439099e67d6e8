"""What the page on migration shows beside its figures: small chains, exact lines, and tables of points."""

import numpy as np
import pandas as pd

from clustershare import dispatch
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.systems import COMBINATIONS, LOCAL, POLICIES
from pages.share_scheduling.central.with_migration import AXES, points, read_otherwise

MEASURES = ("group_share_deviation", "capacity_loss")


def small(policy, moves, loads):
    """Two processors and two equal promises, by the chain of all states."""
    return dispatch.exact_central(
        policy, migration=moves, loads=loads, most_jobs=14, required_shares=(0.5, 0.5), processors=2
    )


def by_chain(loads):
    """Delta^G and the loss on two processors, with each policy, without and with migration: a table."""
    rows = {}
    for policy in POLICIES:
        for moves in (False, True):
            found = small(policy, moves, loads)
            rows[f"{policy}{', migration' if moves else ''}"] = [np.max(getattr(found, name)) for name in MEASURES]
    return pd.DataFrame(rows, MEASURES).T.sort_index()


def modest(policy, moves):
    """The deviation of a group that brings a tenth of a load of 0.3 to two processors."""
    return small(policy, moves, (0.03, 0.27)).group_share_deviation[0]


def exact(axis, values, load=0.8, processors=10):
    """JSQ/PS with migration where one parameter varies: for `figures.policies`."""
    found = []
    for value in values:
        x = {"load": load, "fraction": 0.5, "share": 0.5, axis: value}
        performance = dispatch.shortest_queue_with_migration(
            (x["share"], 1 - x["share"]),
            (x["load"] * x["fraction"], x["load"] * (1 - x["fraction"])),
            int(x.get("processors", processors)),
        )
        found.append(performance.group_share_deviation.max())
    return {"JSQ/PS exactly": (values, np.array(found))}


def both(axis, values, fidelity, **fixed):
    """Delta^G without and with migration, with half widths."""
    rows = [simulated.along(axis, values, moves, fidelity=fidelity, **fixed) for moves in (False, True)]
    return [
        [{key: each[key] for key in COMBINATIONS} for each in found]
        for found in (simulated.table(each, axis) for each in rows)
    ]


def compared(pair, axis, chosen):
    """Without and with migration at some values, all with GPPS: a table."""
    values = np.array(AXES[axis])
    places = [int(np.abs(values - x).argmin()) for x in chosen]
    return pd.DataFrame(
        {
            f"{policy}{word}": found[policy, "GPPS"][places]
            for policy in POLICIES
            for word, (found, _) in zip(("", ", migration"), pair)
        },
        pd.Index(chosen, name=axis),
    ).T


def differences(policy, reading):
    """Of another reading less ours at the points of Figures 5.16, 5.18 and 5.19: lowest, highest, half width."""
    low, high, room = [], [], []
    for axis in ("load", "fraction", "share"):
        other, ours = read_otherwise(axis, policy, reading), points(axis)
        for local in LOCAL:
            gap = other[local] - ours[policy, local]
            low.append(gap.mean.min())
            high.append(gap.mean.max())
            room.append(gap.width.max())
    return min(low), max(high), max(room)
