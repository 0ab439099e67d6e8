"""Dynamic Vertical Partitioning: the systems and states in which its claims are judged, and its stored points."""

import functools
import itertools
import random
from collections import defaultdict
from fractions import Fraction as F
from typing import NamedTuple

import numpy as np

from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.guests import HALVES, MOST_JOBS, THIRDS
from pages.share_scheduling.central.printed_rules import Rules, changed_by
from pages.share_scheduling.central.reached import leaving, reached
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, LOCAL, PROCESSORS, SHARES

WHOLE = ((2, HALVES), (3, (F(1, 3), F(2, 3))), (3, THIRDS), (4, HALVES))
"""Fully partitionable systems: processors and required shares."""
WITHOUT_MIGRATION = {"load": LOADS, "fraction": FRACTIONS, "processors": PROCESSORS, "share": SHARES}
READINGS = {"load": LOADS, "fraction": FRACTIONS, "share": SHARES}
"""The axes of Figures 5.16, 5.18 and 5.19, on which other readings of the rules are stored."""


class Arrival(NamedTuple):
    """A state of a random system, a group that brings a job there, and the processors that the library may choose."""

    rules: Rules
    jobs: tuple
    group: int
    chosen: set


def random_states(systems=40, states=50, seed=138):
    """States of random systems: pairs of rules and jobs. Half of the numbers of jobs are 0, the others up to 3."""
    rng = random.Random(seed)
    for number in range(systems):
        P, G = rng.randint(2, 6), rng.randint(2, 4)
        parts = [rng.randint(1, 6) for _ in range(G)]
        rules = Rules("DVP", tuple(F(part, sum(parts)) for part in parts), P, local=LOCAL[number % 2])
        for _ in range(states):
            yield rules, tuple(tuple(rng.randint(1, 3) * (rng.random() < 0.5) for _ in range(G)) for _ in range(P))


def arrivals(policy="DVP"):
    """An arrival of each group in each random state, without migration."""
    for rules, listed in itertools.groupby(random_states(), lambda pair: pair[0]):
        compiled = Compiled(policy, rules.shares, rules.processors, local=rules.local)
        for _, jobs in listed:
            for g in range(len(rules.shares)):
                yield Arrival(rules, jobs, g, choices(compiled, jobs, g))


def choices(compiled, jobs, g):
    """The processors that the library may choose for a job of a group."""
    return {p for to in compiled.outcomes(jobs, g) for p, row in enumerate(to) if row != jobs[p]}


def holding(jobs, g):
    """The processors with jobs of a group."""
    return [p for p, row in enumerate(jobs) if row[g]]


def in_order(jobs):
    """The numbers of jobs of each group without regard to where they are."""
    return tuple(tuple(sorted(own)) for own in zip(*jobs))


def rates_in_order(rules, library=False):
    """With what rates the numbers of each group in order change, in each state that is reached.

    Parameters
    ----------
    rules : Rules
        Without migration.
    library : bool
        Whether the compiled rules place jobs, not the printed ones.

    Returns
    -------
    dict
        Numbers in order: list of dicts, one for each state that has them; from (group, 1 or -1, numbers after) to a
        rate, that of an arrival for a stream of rate 1.
    """
    compiled = Compiled(rules.policy, rules.shares, rules.processors, local=rules.local) if library else None
    found = defaultdict(list)
    for jobs, happening in reached(rules, MOST_JOBS).items():
        rates = defaultdict(float)
        for event in happening:
            if event.processor is not None:
                to = changed_by(jobs, event.processor, event.group, -1)
                rates[event.group, -1, in_order(to)] += leaving(rules, jobs, event)
            elif library:
                for to, chance in compiled.outcomes(jobs, event.group).items():
                    rates[event.group, 1, in_order(to)] += float(chance)
            else:
                for outcome in event.outcomes:
                    rates[event.group, 1, in_order(outcome.state)] += float(outcome.probability)
        found[in_order(jobs)].append(rates)
    return found


def apart(one, other):
    """The largest difference of two tables of rates; infinite if they have not the same states."""
    if set(one) != set(other):
        return np.inf
    return max(
        abs(first.get(key, 0) - second.get(key, 0))
        for numbers in one
        for first in one[numbers]
        for second in other[numbers]
        for key in set(first) | set(second)
    )


@functools.cache
def in_whole_processors(quantity):
    """The stored points without migration at which both groups require whole processors.

    Parameters
    ----------
    quantity : str

    Returns
    -------
    estimates, half_widths : dict
        (policy, local): ndarray.
    """
    parts = []
    for axis, values in WITHOUT_MIGRATION.items():
        fixed = {"processors": 10} if axis == "load" else {}
        rows = simulated.along(axis, values, False, **fixed)
        rows = rows[rows[axis].map(lambda value, axis=axis: _is_whole(axis, value))]
        parts.append(simulated.table(rows, axis, quantity))
    return tuple(
        {key: np.concatenate([part[which][key] for part in parts]) for key in parts[0][which]} for which in (0, 1)
    )


def _is_whole(axis, value):
    size = value / 2 if axis == "processors" else 10 * value if axis == "share" else 5
    return abs(size - round(size)) < 1e-9


def points_apart(one, other):
    """At how many of the points of `in_whole_processors` two combinations are apart, and of how many.

    Both measures are looked at; intervals hold jointly.
    """
    gaps = []
    for quantity in ("capacity_loss", "group_share_deviation"):
        means, widths = in_whole_processors(quantity)
        gaps.append(np.abs(means[one] - means[other]) / (widths[one] + widths[other] + 1e-12))
    gaps = np.concatenate(gaps)
    return int((gaps > simulated.joint(2 * len(gaps))).sum()), len(gaps)


def reading_apart(policy, reading, quantity="group_share_deviation"):
    """The largest difference that another reading of the rules with migration makes to the points of the figures.

    Parameters
    ----------
    policy, reading : str
    quantity : str

    Returns
    -------
    dict
        Local policy: the largest difference.
    """
    worst = dict.fromkeys(LOCAL, 0.0)
    for axis, values in READINGS.items():
        fixed = {"processors": 10} if axis == "load" else {}
        ours = simulated.table(simulated.along(axis, values, True, **fixed), axis, quantity)[0]
        rows = simulated.along(axis, values, True, policies=(policy,), reading=reading, **fixed)
        theirs = simulated.table(rows, axis, quantity)[0]
        for local in LOCAL:
            gap = np.abs(ours[policy, local] - theirs[policy, local]).max()
            worst[local] = max(worst[local], float(gap))
    return worst
