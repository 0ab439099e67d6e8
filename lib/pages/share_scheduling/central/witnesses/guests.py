"""Guests of Static Vertical Partitioning: the systems in which its claims are judged, and all that happens in them."""

import functools
import itertools
from fractions import Fraction as F
from typing import NamedTuple

from pages.share_scheduling.central.printed.policies import beside, guests_on
from pages.share_scheduling.central.printed.rules import Outcome, Rules, changed_by
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.central.witnesses.reached import path, reached

HALVES, THIRDS = (F(1, 2), F(1, 2)), (F(1, 3),) * 3
SMALL = (
    (2, HALVES), (3, HALVES), (3, (F(1, 3), F(2, 3))), (3, THIRDS), (3, (F(1, 2), F(1, 4), F(1, 4))), (2, THIRDS),
    (4, (F(1, 4), F(1, 4), F(1, 2))),
)  # fmt: skip
"""Processors and required shares: all states with a few jobs are gone through."""
TWO_GROUPS = ((2, HALVES), (3, HALVES), (3, (F(1, 3), F(2, 3))), (4, (F(1, 4), F(3, 4))))
LOADS = (0.3, 0.6, 0.9)
MOST_JOBS = 6


class Record(NamedTuple):
    """An event that was met, and one of its outcomes; `processor` is None at an arrival, `load` None off paths."""

    rules: Rules
    before: tuple
    group: int
    processor: object
    outcome: Outcome
    load: object = None

    @property
    def left(self):
        """The state after a departure, before a job migrates."""
        return changed_by(self.before, self.processor, self.group, -1)


# Shares that no number of processors below makes whole.
BROKEN = {2: (F(3, 7), F(4, 7)), 3: (F(1, 7), F(2, 7), F(4, 7)), 4: (F(1, 11), F(2, 11), F(3, 11), F(5, 11))}


def whole(processors, groups):
    """Required shares that partition a system fully: the last group gets the processors that are left."""
    return (*(F(1, processors),) * (groups - 1), F(processors - groups + 1, processors))


def systems(processors, groups):
    """Numbers of processors and required shares: fully partitionable where that can be, and not."""
    for P, G in itertools.product(processors, groups):
        if G <= P:
            yield P, whole(P, G)
        yield P, BROKEN[G]


PATHS = tuple(systems((2, 3, 5, 10), (2, 3, 4)))


def is_whole(rules):
    """Whether every group has whole processors only: the system is fully partitionable."""
    return all(part in (0, 1) for row in rules.parts for part in row)


@functools.lru_cache(maxsize=32)
def on_states(small=SMALL, migration=True, policy="SVP", without=(), changed=()):
    """All that may happen in all states reached with a few jobs, like processors numbered by their jobs.

    Under DVP with PS and with GPPS: the rules of the others do not ask what is obtained.
    """
    found = []
    for (P, shares), local in itertools.product(small, LOCAL if policy == "DVP" else ("PS",)):
        rules = Rules(policy, shares, P, migration, local, without=without, changed=changed)
        for before, happening in reached(rules, MOST_JOBS, like=True).items():
            for group, processor, outcomes in happening:
                found += [Record(rules, before, group, processor, outcome) for outcome in outcomes]
    return found


@functools.lru_cache(maxsize=32)
def on_paths(chosen=PATHS, steps=400, without=(), changed=()):
    """What happens on a path of each system at each load, PS and GPPS in turn, groups alike: list of `Record`."""
    found, local = [], itertools.cycle(("PS", "GPPS"))
    for seed, ((P, shares), load) in enumerate(itertools.product(chosen, LOADS)):
        rules = Rules("SVP", shares, P, True, next(local), without, changed)
        for step in path(rules, (load / len(shares),) * len(shares), steps, seed):
            found.append(Record(rules, step.before, step.group, step.processor, step.outcome, load))
    return found


def guests(rules, jobs):
    """The number of guests on each processor."""
    return [sum(count for count, _ in guests_on(rules, jobs, p)) for p in range(len(jobs))]


def crowded(rules, jobs):
    """The processors on which a guest runs beside a job that is none."""
    return {p for p in range(len(jobs)) if beside(rules, jobs, p)}


def became_guests(record):
    """The rules by which a job that was none becomes a guest."""
    rules, (_, _, rule, p, moves) = record.rules, record.outcome
    found = [rule] if rule is not None and not rules.parts[record.group][p] else []
    return found + [
        move.rule for move in moves if rules.parts[move.group][move.source] and not rules.parts[move.group][move.target]
    ]


def came_to(record, p):
    """The rule by which a job came to a processor."""
    for move in record.outcome.moves:
        if move.target == p:
            return move.rule
    return record.outcome.rule


def both_ways(rules, jobs):
    """Groups that have a guest elsewhere and host one at the same time."""
    away = {h for p in range(len(jobs)) for _, h in guests_on(rules, jobs, p)}
    hosts = {
        h for p, count in enumerate(guests(rules, jobs)) if count for h in range(len(rules.shares)) if rules.parts[h][p]
    }
    return away & hosts
