"""A claim of `thesis`, Section 3.6: what two groups showed, with three, four and six groups."""

import numpy as np

from clustershare import uniprocessor
from clustershare.results import NoExactAnswer
from compendium.press.findings import check, finding
from pages.share_scheduling.one_processor.simulated import refused, widened
from pages.share_scheduling.one_processor.systems import random_splits
from pages.share_scheduling.one_processor.witnesses.paths import intervals

RUN = {"jumps": 10_000, "warmup": 3_000, "replications": 20}


def split(share, load, permanent, groups):
    """Two groups of which the second is made into several, with unequal shares and equal loads."""
    parts = np.arange(groups - 1, 0, -1) / (groups * (groups - 1) / 2)
    loads = load[0], *np.full(groups - 1, load[1] / (groups - 1))
    return (share, *(1 - share) * parts), loads, permanent


def workloads(groups):
    """Those of `thesis`, Figures 3.8, 3.10, 3.12, 3.14, the second group split, and random ones: by name."""
    found = {
        "3.8, x = 0.2": split(0.51, (0.16, 0.64), 0, groups),
        "3.8, x = 0.8": split(0.51, (0.64, 0.16), 0, groups),
        "3.10": split(0.9, (0.4, 0.4), 0, groups),
        "3.12": split(0.8, (0.25, 0.25), 1, groups),
        "3.14": split(0.8, (0.25, 0.25), 2, groups),
    }
    for number, (shares, loads) in enumerate(random_splits(4, groups, 0.6, 0.9, seed=groups)):
        found[f"random {number + 1}"] = tuple(shares), tuple(loads), 0
    return found


def lower_ends(policy, shares, loads, permanent, points):
    """The deviations, or the lower ends of their joint intervals where only a simulation answers: shape (groups,)."""
    try:
        if policy not in ("UD", "PPS", "GPPS"):
            stable = uniprocessor.limiting(policy, shares, loads, 1.0, permanent)
            return uniprocessor.exact(policy, **stable).group_share_deviation
    except NoExactAnswer:
        pass
    path = refused(policy, shares, loads, 1.0, permanent, **RUN)
    value = path.present.value - path.obtained.value / np.array(shares)
    doubt = path.present.half_width + path.obtained.half_width / np.array(shares)
    return value - widened(2 * points) * doubt


@check("thesis-3-159", policies=("FCFS", "HOL", "UD", "PQ", "PS", "GPPS"))
def not_only_two_groups(policies=("FCFS", "HOL", "UD", "PQ", "PS", "PPS")):
    """For which workloads of three, four and six groups somebody falls short of the promised share."""
    holds, said, never = [], [], True
    for groups in (3, 4, 6):
        systems = workloads(groups)
        for policy in policies:
            low = {name: lower_ends(policy, *system, groups * len(systems)) for name, system in systems.items()}
            short = [name for name, values in low.items() if np.nanmax(values) > 1e-9]
            holds.append(len(short) > 0)
            if policy == "HOL":  # both problems: those below starve; those in front wait for a job of the others
                holds += [bool((low["3.14"][1:] == 1).all()), low["3.10"][0] > 0]
            said.append(len(short))
        for number, (shares, loads, permanent) in enumerate(systems.values()):
            for state in intervals("GPPS", shares, loads, 1.0, permanent, events=100, seed=number):
                there = np.minimum(state.present(groups), 1)
                never &= bool((there - np.array(state.obtained(groups)) / shares).max() <= 1e-12)
    counts = np.reshape(said, (3, -1)).T.tolist()
    computed = ", ".join(f"{policy} in {', '.join(map(str, number))}" for policy, number in zip(policies, counts))
    return finding(
        f"of nine workloads of 3, 4, 6 groups somebody falls short under {computed}; under GPPS "
        f"{'nobody ever' if never else 'somebody'}",
        all(holds) and never,
    )
