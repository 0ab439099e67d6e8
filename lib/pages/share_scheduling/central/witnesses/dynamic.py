"""Dynamic Vertical Partitioning: the systems and states in which its claims are judged, and its stored points."""

import random
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction as F
from typing import NamedTuple

import numpy as np

from pages.share_scheduling.central.printed.rules import Rules, changed_by
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.central.witnesses.compiled import library as compiled_rules
from pages.share_scheduling.central.witnesses.guests import HALVES, MOST_JOBS, THIRDS
from pages.share_scheduling.central.witnesses.reached import leaving, reached

WHOLE = ((2, HALVES), (3, (F(1, 3), F(2, 3))), (3, THIRDS), (4, HALVES))
"""Fully partitionable systems: processors and required shares."""


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
    for rules, jobs in random_states():
        compiled = compiled_rules(replace(rules, policy=policy))
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
    compiled = compiled_rules(rules) if library else None
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
