"""The scenario of `thesis`, Section 5.5.3, items 7 and 8, step by step, with every way in which chance may decide.

Three groups have whole processors. All processors but one of group h are given a job of their own, and group g sends a
guest there. Then group i brings a job too many, a job of g ends, and another job of h comes.
"""

from fractions import Fraction as F
from itertools import permutations
from typing import NamedTuple

from pages.share_scheduling.central.printed.policies import guests_on
from pages.share_scheduling.central.printed.rules import arrival, departure
from pages.share_scheduling.central.witnesses.guests import guests

SYSTEMS = ((3, (F(1, 3),) * 3), (6, (F(1, 6), F(2, 6), F(3, 6))))
CASTS = tuple(permutations(range(3)))
"""Who are g, h and i."""


class Taken(NamedTuple):
    """A step of the scenario: a state, what came of the event there, and where a job left, if one did."""

    before: tuple
    outcome: object
    left: object = None


def entered(rules, g, h):
    """How the last job of the first part is placed, a guest of g: list of `Taken`, one for each way to get there."""
    whole = [int(share * rules.processors) for share in rules.shares]
    comes = [j for j in range(3) if j != h for _ in range(whole[j])] + [h] * (whole[h] - 1)
    states = {rules.empty}
    for group in comes:
        states = {outcome.state for jobs in states for outcome in arrival(rules, jobs, group)}
    return [Taken(jobs, outcome) for jobs in sorted(states) for outcome in arrival(rules, jobs, g)]


def crowd(rules, states, i):
    """The additional job of group i comes."""
    return [Taken(jobs, outcome) for jobs in states for outcome in arrival(rules, jobs, i)]


def end_of_one(rules, states, g):
    """A job of group g ends on one of the group's own processors."""
    return [
        Taken(jobs, outcome, q)
        for jobs in states
        for q in rules.subsets[g]
        if jobs[q][g]
        for outcome in departure(rules, jobs, g, q)
    ]


def is_entered(rules, jobs, g, h):
    """Whether each processor has one job of its own, but for one of h that has a guest of g."""
    strangers = [(p, group) for p in range(len(jobs)) for _, group in guests_on(rules, jobs, p)]
    return all(sum(row) == 1 for row in jobs) and [(group, rules.parts[h][p]) for p, group in strangers] == [(g, 1)]


def is_met(rules, jobs, g, h, i, q):
    """Whether group g hosts a guest of i on q, and has one of its own on a processor of h."""
    found = {(group, p) for p in range(len(jobs)) for _, group in guests_on(rules, jobs, p)}
    return (i, q) in found and any((g, p) in found for p in rules.subsets[h]) and sum(guests(rules, jobs)) == 2
