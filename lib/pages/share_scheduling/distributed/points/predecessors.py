"""Earlier policies that place jobs by partial information and never move them: the points of `thesis`, Section 6.6."""

import functools

import numpy as np

from compendium.press.clauses import measured as of_runs
from pages.share_scheduling.distributed import systems
from pages.share_scheduling.distributed.points.stored import in_equilibrium, measured

CASES, LIMITS = (1, 2, 3), (2, 4, 6, 9)
FEW, MANY = slice(0, 2), slice(2, 4)  # limits below half of ten processors, and above
LOCAL = ("PS", "GPPS")
NAMES = {"JSQ": "Shortest", "D-HP": "Distributed HP", "Nice": "Nice"}
COMBINATIONS = tuple((policy, local) for policy in NAMES for local in LOCAL)


@functools.cache
def points(quantity, policy, local, reading=None, index=None, fidelity="book"):
    """A quantity by case and limit, without probe delay and without migration; "bare sums" is a reading of Nice."""
    policies = ("Nice",) if reading else tuple(NAMES)
    found = measured(
        "predecessors", quantity, "case", "probe_limit", "local", policies=policies, fidelity=fidelity, index=index,
        case=CASES, probe_limit=LIMITS, local=LOCAL, migration=False, probe_service_time=0.0,
        **({"reading": reading} if reading else {}),
    )  # fmt: skip
    return found.at(policy=policy, local_policy=local)


def deviation(policy, local, reading=None, fidelity="book"):
    """Delta^G there."""
    return points("group_share_deviation", policy, local, reading, fidelity=fidelity)


def settled(policy, local):
    """Which of the points are in equilibrium: shape (cases, limits)."""
    loads = np.array([systems.CASES[case][1] for case in CASES])
    return in_equilibrium([points("obtained_share", policy, local, index=g) for g in (0, 1)], loads.T[:, :, None])


def mean(found):
    """The mean over cases and limits; runs know nothing of each other."""
    return of_runs(found.value.mean(), np.sqrt((found.half**2).sum()) / found.value.size, as_it_stands=True)


def fall(found):
    """By how much Delta^G is higher with few than with many asked, by case."""
    value = found.value[:, FEW].mean(axis=1) - found.value[:, MANY].mean(axis=1)
    return of_runs(value, np.sqrt((found.half**2).sum(axis=1)) / 2, as_it_stands=True, case=CASES)
