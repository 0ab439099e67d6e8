"""Our own points beyond the thesis: two more policies, three groups, larger clusters and heavy tails.

The systems are three, one of each case of `thesis`, Section 5.6, but for three groups. On ten processors the four
policies of the thesis come from the points of its figures.
"""

import functools

import pandas as pd

from clustershare import dispatch, splitting
from clustershare.sizes import Pareto
from compendium import study
from pages.share_scheduling.central.points import simulated
from pages.share_scheduling.central.systems import COMBINATIONS, FRACTIONS, LOCAL, SHARES, several_groups, two_groups

# One system of each case: a load of 0.8; in case 2 group 1 brings 0.24 of it; in case 3 it is promised 0.85.
THREE = {"case 1": {"fraction": 0.5}, "case 2": {"fraction": 0.24}, "case 3": {"share": 0.85}}
MORE = ("JSQ(2)", "SPILL")
HEAVY = Pareto(1.0, 2.2)  # mean 1, variance 2.3, and no third moment
QUANTITIES = ("capacity_loss", "group_share_deviation")
GROUPS = {  # promises, and in what proportion the groups bring load
    "1 : 1 : 1": ((1 / 3,) * 3, (1, 1, 1)),
    "1 : 1 : 2": ((1 / 3,) * 3, (1, 1, 2)),
    "1 : 2 : 5": ((1 / 3,) * 3, (1, 2, 5)),
    "0 : 1 : 4": ((1 / 3,) * 3, (0, 1, 4)),
    "6, 4, 2": ((1 / 2, 1 / 3, 1 / 6), (1, 1, 1)),
    "6.6, 3.6, 1.8": ((0.55, 0.3, 0.15), (1, 1, 1)),
    "8.4, 2.4, 1.2": ((0.7, 0.2, 0.1), (1, 1, 1)),
}
GROUP_PROCESSORS, GROUP_LOAD = 12, 0.8


def _simulated(name, points, arguments, fidelity):
    return study.run(name, dispatch.simulate_central, points, arguments, fidelity=fidelity)


def _of_cases(name, fidelity, cases=tuple(THREE), **axes):
    """Points of the three cases, in a study."""
    return _simulated(
        name, study.grid(case=list(cases), **{axis: list(values) for axis, values in axes.items()}),
        lambda case, policy, **point: two_groups(policy, **point, **THREE[case]), fidelity,
    )  # fmt: skip


def both(rows, *keys):
    """Capacity loss and share deviation of the group with the larger one, by some columns.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `compendium.study.run` gives them.
    *keys : str
        Columns.

    Returns
    -------
    pandas.DataFrame
        Columns (estimate or half_width, quantity).
    """
    chosen = [study.largest_of_groups(rows, quantity) for quantity in QUANTITIES]
    return pd.concat(chosen).pivot_table(["estimate", "half_width"], list(keys), "quantity", sort=False)


@functools.cache
def ten_processors(fidelity="book", more=MORE):
    """All policies on ten processors in the three systems, without migration and with it.

    Parameters
    ----------
    fidelity : str
    more : tuple of str
        Policies that the thesis does not have.

    Returns
    -------
    pandas.DataFrame
        Of `both`, indexed by case, policy, local, migration.
    """
    found, keys = [], ("case", "policy", "local", "migration")
    for migration in (False, True):
        by_load = simulated.along("fraction", FRACTIONS, migration, fidelity=fidelity)
        by_promise = simulated.along("share", SHARES, migration, fidelity=fidelity)
        for case, point in THREE.items():
            rows = by_promise if "share" in point else by_load
            ((axis, value),) = point.items()
            found.append(both(rows[rows[axis] == value].assign(case=case), *keys))
    if more:
        rows = _of_cases("central-plane", fidelity, policy=more, local=LOCAL, migration=(False, True))
        found.append(both(rows, *keys))
    return pd.concat(found)


def static_policies(processors=10):
    """HPRS and VPRS in the three systems: capacity loss and share deviation.

    Returns
    -------
    dict
        (case, policy, local): pair of numbers; VPRS only where each group requires whole processors.
    """
    found = {}
    for case, point in THREE.items():
        system = two_groups("JSQ", "PS", False, processors, **point)
        required, loads = system["required_shares"], system["loads"]
        for local in LOCAL:
            found[case, "HPRS", local] = splitting.horizontal(required, loads, (1 / processors,) * processors, local)
        if case != "case 3":
            found[case, "VPRS", "PS"] = splitting.vertical(required, loads, processors)
    return {key: (answer.capacity_loss, answer.group_share_deviation.max()) for key, answer in found.items()}


def larger_clusters(processors, fidelity="book", migration=False):
    """The rows of all policies under GPPS on more processors, in the three systems."""
    return _of_cases(
        "central-size", fidelity, policy=("JSQ", "HP", "SVP", "DVP", *MORE), local=("GPPS",), migration=(migration,),
        processors=(processors,),
    )  # fmt: skip


def heavy_tails(fidelity="book", policies=("JSQ", "HP", "SVP", "DVP")):
    """The rows of the policies of the thesis under GPPS, where sizes have heavy tails; ten processors, no migration."""
    return _of_cases("central-tails", fidelity, policy=policies, local=("GPPS",), migration=(False,), sizes=(HEAVY,))


@functools.cache
def three_groups(fidelity="book", combinations=COMBINATIONS):
    """Combinations of policies on twelve processors with three groups, without migration: rows."""

    def arguments(groups, policy, local):
        required, parts = GROUPS[groups]
        loads = tuple(round(GROUP_LOAD * part / sum(parts), 12) for part in parts)
        return several_groups(policy, local, False, required, loads, GROUP_PROCESSORS)

    points = [
        {"groups": groups, "policy": policy, "local": local} for groups in GROUPS for policy, local in combinations
    ]
    return _simulated("central-groups", points, arguments, fidelity)
