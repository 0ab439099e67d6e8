"""Figures 5.16 to 5.19: what migration gains, for the page on it, and other readings of the rules."""

import functools

import numpy as np
import pandas as pd

from clustershare import dispatch
from compendium.press.clauses import measured
from pages.share_scheduling.central.points import simulated
from pages.share_scheduling.central.points.by_case import CASES, DEVIATION, LOSS, TEN, of_rows
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.systems import COMBINATIONS, LOADS, LOCAL, POLICIES
from pages.share_scheduling.central.witnesses import reached
from pages.share_scheduling.central.witnesses.guests import HALVES

READINGS = (
    ("HP", "M2 by jobs"), ("SVP", "guest may return"), ("SVP", "every departure"), ("DVP", "M1 any group"),
    ("DVP", "every departure"),
)  # fmt: skip
"""Policies, and other readings of their rules."""


def small(policy, moves, loads):
    """Two processors and two equal promises, by the chain of all states."""
    return dispatch.exact_central(
        policy, migration=moves, loads=loads, most_jobs=14, required_shares=(0.5, 0.5), processors=2
    )


def by_chain(loads):
    """Delta^G and the loss on two processors, with each policy, without and with migration: a table."""
    rows = {
        f"{policy}{', migration' if moves else ''}": [
            np.max(getattr(small(policy, moves, loads), name)) for name in (DEVIATION, LOSS)
        ]
        for policy in POLICIES for moves in (False, True)
    }  # fmt: skip
    return pd.DataFrame(rows, (DEVIATION, LOSS)).T.sort_index()


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


def compared(pair, values, name, chosen):
    """Without and with migration at some of the values of a parameter, all with GPPS: a table."""
    places = [int(np.abs(np.array(values) - x).argmin()) for x in chosen]
    return pd.DataFrame(
        {
            f"{policy}{word}": found[policy, "GPPS"][places]
            for policy in POLICIES
            for word, (found, _) in zip(("", ", migration"), pair)
        },
        pd.Index(chosen, name=name),
    ).T


def differences(policy, reading):
    """Of another reading less ours at the points of Figures 5.16, 5.18 and 5.19: lowest, highest, half width."""
    gaps, room = [], []
    for case in TEN:
        axis, values, fixed = CASES[case]
        (other, wide), (ours, narrow) = (
            simulated.table(simulated.along(axis, values, True, **fixed, **more), axis)
            for more in ({"policies": (policy,), "reading": reading}, {})
        )
        for key in ((policy, local) for local in LOCAL):
            gaps.append(other[key] - ours[key])
            room.append(np.hypot(wide[key], narrow[key]))
    return np.min(np.concatenate(gaps)), np.max(np.concatenate(gaps)), np.max(np.concatenate(room))


@functools.cache
def guests_stay(local):
    """Delta^G of two groups with equal loads on two processors, by chains of the printed rules.

    Returns
    -------
    dict of float to tuple
        Total load: under SVP, under SVP without I2 and M4, and, at the lower load, under DVP.
    """

    def deviation(policy, load, cut):
        without = ("I2", "M4") if policy == "stay" else ()
        rules = Rules(policy.replace("stay", "SVP"), HALVES, 2, True, local, without=without)
        return reached.law(rules, (load / 2, load / 2), cut).group_share_deviation.max()

    return {
        0.4: tuple(deviation(policy, 0.4, 12) for policy in ("SVP", "stay", "DVP")),
        0.8: tuple(deviation(policy, 0.8, 40) for policy in ("SVP", "stay")),
    }


def stays(local, reading=None, cut=12):
    """The first of these by the library's chain: under SVP, or in its reading in which no guest is sent back."""
    return dispatch.exact_central(
        "SVP", local=local, migration=True, required_shares=(0.5, 0.5), loads=(0.2, 0.2), processors=2, reading=reading,
        most_jobs=cut,
    ).group_share_deviation.max()  # fmt: skip


def shortest_gains(processors, load=0.8):
    """What migration gains JSQ with PS in case 1 on several numbers of processors, as in Figure 5.11: Points."""
    found = [
        of_rows(simulated.along("load", LOADS, processors=P, policies=("JSQ",), local=("PS",)), "load").at(load=load)
        for P in processors
    ]
    after = [
        dispatch.shortest_queue_with_migration((0.5, 0.5), (load / 2, load / 2), P).group_share_deviation.max()
        for P in processors
    ]
    value, half = (np.moveaxis([getattr(each, part) for each in found], 0, -1) for part in ("value", "half"))
    return measured(
        value - after, half, as_it_stands=True, policy=("JSQ",), local_policy=("PS",), number_of_processors=processors
    )
