"""The four cases between a group and its share, searched for in small systems (`thesis`, Figure 2.6, Table 2.1)."""

import functools
import itertools

import numpy as np
import pandas as pd

from clustershare.delivery import deliver
from clustershare.shares import maximum_feasible_group_share, maximum_obtainable_share

CASES = {1: "lack of jobs", 2: "inhomogeneity", 3: "impossible fit", 4: "irrevocability"}
# Homogeneous and heterogeneous systems, by the number of processors.
HOMOGENEOUS = {1: [(1,)], 2: [(1, 1)], 3: [(1, 1, 1)]}
HETEROGENEOUS = {2: [(2, 1), (3, 1)], 3: [(2, 1, 1), (3, 2, 1)]}
REQUIRED = {
    1: [(1.0,)],
    2: [(0.5, 0.5), (0.6, 0.4), (0.75, 0.25), (0.9, 0.1)],
    3: [(1 / 3, 1 / 3, 1 / 3), (0.4, 0.4, 0.2), (0.375, 0.375, 0.25), (0.6, 0.2, 0.2)],
}
# The table's columns: whether homogeneous, whether jobs may migrate, and how many processors are tried.
ARCHITECTURES = {
    "P = 1": (True, True, (1,)),
    "migration, hom.": (True, True, (2, 3)),
    "migration, het.": (False, True, (2, 3)),
    "no migration, hom.": (True, False, (2, 3)),
    "no migration, het.": (False, False, (2, 3)),
}
# A place where each case can be seen: groups, processors, whether homogeneous, whether jobs may migrate.
INSTANCES = {1: (1, 2, True, True), 2: (2, 3, False, True), 3: (3, 2, True, False), 4: (1, 2, True, False)}


def targets(capacities, required, jobs):
    """The maximum feasible group shares (2.24)."""
    return maximum_feasible_group_share(list(required), list(jobs), list(capacities))


def members(jobs):
    """The group of each job."""
    return np.repeat(np.arange(len(jobs)), jobs).tolist()


def has_case(case, capacities, required, jobs, migration):
    """Whether one of the four cases arises in a system with so many jobs of each group.

    Parameters
    ----------
    case : int
        1: a group cannot obtain what it requires, even alone. 2: each can obtain the lesser of that and what its jobs
        can have, but not all at once, though jobs may migrate. 3: they could if jobs might migrate, and no placement
        does it. 4: some placement did it, and after departures it does not, though another one would.
    capacities, required, jobs : sequence
        Of processors, and of groups.
    migration : bool
        Cases 3 and 4 do not arise with migration.

    Returns
    -------
    bool

    Examples
    --------
    >>> [has_case(case, (2, 1, 1), (0.375, 0.375, 0.25), (1, 1, 1), False) for case in (1, 2, 3)]
    [False, False, True]
    """
    wanted, who = targets(capacities, required, jobs), members(jobs)
    if case == 1:
        return bool((maximum_obtainable_share(list(jobs), capacities) < np.array(required) - 1e-9).any())
    if not who or (migration and case > 2):
        return False
    together = deliver(wanted, who, capacities).feasible
    if case == 2:
        return not together
    if not together:
        return False
    placed = deliver(wanted, who, capacities, migration=False)
    if case == 3:
        return not placed.feasible
    return placed.feasible and _irrevocable(capacities, required, jobs, placed.weights)


def _irrevocable(capacities, required, jobs, weights):
    """Case 4: departures after which the jobs that are left stand wrongly."""
    who = np.array(members(jobs))
    standing = np.where(weights.sum(axis=1) > 1e-9, weights.argmax(axis=1), 0)
    for size in range(1, len(who)):
        for left in itertools.combinations(range(len(who)), size):
            left = list(left)
            count = np.bincount(who[left], minlength=len(required))
            wanted = targets(capacities, required, count)
            here = deliver(wanted, who[left].tolist(), capacities, placement=standing[left].tolist())
            if not here.feasible and deliver(wanted, who[left].tolist(), capacities, migration=False).feasible:
                return True
    return False


@functools.cache
def find(case, groups, processors, homogeneous, migration):
    """The first small system in which a case arises: capacities, required shares, jobs; None if none has it.

    Up to as many jobs of each group as processors, or one more.

    Examples
    --------
    >>> find(2, 2, 3, homogeneous=False, migration=True)
    ((2, 1, 1), (0.5, 0.5), (1, 1))
    """
    systems = (HOMOGENEOUS if homogeneous else HETEROGENEOUS).get(processors, [])
    most = processors + (groups == 1)
    for capacities, required in itertools.product(systems, REQUIRED[groups]):
        for jobs in itertools.product(range(most + 1), repeat=groups):
            if has_case(case, capacities, required, jobs, migration):
                return capacities, required, jobs
    return None


def least(case, homogeneous, migration, processors=(2, 3)):
    """Where a case arises among systems of up to 3 groups: the fewest groups and the fewest processors.

    Returns
    -------
    groups, processors : int
        None if it arises nowhere.

    Examples
    --------
    >>> least(3, homogeneous=True, migration=False), least(1, homogeneous=True, migration=False)
    ((3, 2), (1, 2))
    """

    def arises(groups, count):
        return find(case, groups, count, homogeneous, migration) is not None

    fewest = (
        next((groups for groups in REQUIRED if any(arises(groups, count) for count in processors)), None),
        next((count for count in processors if any(arises(groups, count) for groups in REQUIRED)), None),
    )
    return None if None in fewest else fewest


def table():
    """Table 2.1 found by search: with how many groups and processors each case arises.

    Returns
    -------
    pandas.DataFrame
        Of strings: "•" where it arises with any numbers that were tried, "–" where it does not.
    """
    return pd.DataFrame(
        {
            name: [_cell(least(case, *setting), setting[2][0]) for case in CASES]
            for name, setting in ARCHITECTURES.items()
        },
        index=[f"{case}. {name}" for case, name in CASES.items()],
    )


def _cell(found, fewest_processors):
    if found is None:
        return "–"
    groups, processors = found
    conditions = [f"G > {groups - 1}"] * (groups > 1) + [f"P > {processors - 1}"] * (processors > fewest_processors)
    return ", ".join(conditions) or "•"
