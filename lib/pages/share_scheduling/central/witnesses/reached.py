"""What the printed rules lead to: all states reached from the empty system, random paths, and chains.

Loads are those of the groups. Sizes are exponential with mean 1, so that jobs leave at the rate of what they obtain.
"""

import functools
import random
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from clustershare import markov
from pages.share_scheduling.central.printed.rules import (
    Move,
    Outcome,
    arrival,
    changed_by,
    departure,
    migration,
    placement,
    settled,
)


class Event(NamedTuple):
    """An event in a state and all that may come of it; `processor` is where a job leaves, None at an arrival."""

    group: int
    processor: object
    outcomes: list


def events(rules, jobs, most_jobs):
    """All events in a state, arrivals only while there are fewer jobs than `most_jobs`: list of `Event`."""
    found = []
    if sum(map(sum, jobs)) < most_jobs:
        found += [Event(g, None, arrival(rules, jobs, g)) for g in range(len(rules.shares))]
    for p, row in enumerate(jobs):
        found += [Event(g, p, departure(rules, jobs, g, p)) for g, count in enumerate(row) if count]
    return found


def reached(rules, most_jobs, like=False):
    """All states that are reached from the empty system with so many jobs at most, and what may happen in them.

    Parameters
    ----------
    rules : Rules
    most_jobs : int
    like : bool
        Take states as one that differ by the numbering of processors that are alike under the policy: all of them, or
        under SVP those with the same parts of all groups. Outcomes keep the numbering of the state they come from.

    Returns
    -------
    dict
        State: list of `Event`.
    """
    # Only under DVP do the rules ask what is obtained: otherwise the local policy changes nothing here.
    return _reached(rules if rules.policy == "DVP" else replace(rules, local="PS"), most_jobs, like)


@functools.lru_cache(maxsize=64)
def _reached(rules, most_jobs, like):
    name = renumbering(rules) if like else _as_it_is
    found, waiting = {}, [rules.empty]
    while waiting:
        jobs = waiting.pop()
        if jobs not in found:
            found[jobs] = events(rules, jobs, most_jobs)
            waiting += [name(outcome.state) for event in found[jobs] for outcome in event.outcomes]
    return found


def _as_it_is(jobs):
    return jobs


def renumbering(rules):
    """A function that numbers like processors by their jobs, so that states which differ by that only become one."""
    if rules.policy != "SVP":
        return lambda jobs: tuple(sorted(jobs))
    columns = list(zip(*rules.parts))
    alike = [[p for p, column in enumerate(columns) if column == one] for one in dict.fromkeys(columns)]

    def renumbered(jobs):
        new = list(jobs)
        for processors in alike:
            for p, row in zip(processors, sorted(jobs[p] for p in processors)):
                new[p] = row
        return tuple(new)

    return renumbered


def capacity_loss(jobs):
    """Delta^T(t): the part of the capacity that the jobs present could use and do not."""
    totals = [sum(row) for row in jobs]
    return min(sum(totals) / len(jobs), 1) - sum(total > 0 for total in totals) / len(jobs)


def deviations(rules, jobs):
    """Delta_g(t) of all groups: feasible minus obtained share, relative to the required one."""
    return [float((rules.feasible(jobs, g) - rules.obtained(jobs, g)) / share) for g, share in enumerate(rules.shares)]


@dataclass(frozen=True)
class Law:
    """The law of a chain made from printed rules and cut at a number of jobs.

    Attributes
    ----------
    rules : Rules
    states : list
    probability : ndarray, shape (states,)
    lost : float
        The probability that the system is full, where arriving jobs are lost.
    """

    rules: object
    states: list
    probability: np.ndarray
    lost: float

    def mean(self, measure):
        """The mean of a function of the state."""
        return np.tensordot(self.probability, np.array([measure(jobs) for jobs in self.states], float), 1)

    @property
    def capacity_loss(self):
        """Delta^T."""
        return self.mean(capacity_loss)

    @property
    def group_share_deviation(self):
        """Delta_g, shape (groups,)."""
        return self.mean(lambda jobs: deviations(self.rules, jobs))


def law(rules, loads, most_jobs, like=True):
    """The law in the long run at given group loads, of the chain that is cut at a number of jobs.

    Parameters
    ----------
    rules : Rules
    loads : sequence of float
        Those of the groups.
    most_jobs : int
    like : bool
        As for `reached`; measures that do not ask for a processor's number are not touched by it.

    Returns
    -------
    Law
    """
    moves, name = reached(rules, most_jobs, like), renumbering(rules) if like else _as_it_is
    index = {jobs: number for number, jobs in enumerate(moves)}
    rows, columns, rates = [], [], []
    for jobs, happening in moves.items():
        for event in happening:
            rate = loads[event.group] if event.processor is None else leaving(rules, jobs, event)
            for outcome in event.outcomes:
                rows.append(index[jobs])
                columns.append(index[name(outcome.state)])
                rates.append(rate * float(outcome.probability))
    Q = markov.generator(len(index), rows, columns, rates)
    probability = markov.stationary(Q)
    full = np.array([sum(map(sum, jobs)) == most_jobs for jobs in moves])
    return Law(rules, list(moves), probability, float(probability[full].sum()))


def leaving(rules, jobs, event):
    """The rate at which jobs of a group leave a processor."""
    p = event.processor
    return float(rules.served(p, jobs[p])[event.group]) / rules.processors


class Step(NamedTuple):
    """An event of a path: how long the state before it stood, the event, and the outcome that it had.

    `processor` is None at an arrival. `permanent` says whether the job that leaves or comes is a permanent one.
    """

    held: float
    before: tuple
    group: int
    processor: object
    outcome: Outcome
    permanent: bool


def path(rules, loads, steps, seed, permanent=()):
    """A random path from the empty system, one `Step` after the other.

    Parameters
    ----------
    rules : Rules
    loads : sequence of float
        Of the groups.
    steps : int
        Number of events.
    seed : int
    permanent : sequence of int
        Groups of permanent jobs, one each: they come first, one after the other, and one that ends comes again, as the
        next event, after the migration decision.

    Yields
    ------
    Step
        Of its outcome the probability is not asked for: None.
    """
    rng, jobs, total = random.Random(seed), rules.empty, float(sum(loads))
    waiting, places, groups = list(permanent), {}, range(len(loads))
    for _ in range(steps):
        busy = [p for p, row in enumerate(jobs) if any(row)]
        flow = total + len(busy) / len(jobs)
        held, q, lasting = 0.0, None, bool(waiting)
        if lasting:
            g = waiting.pop(0)
        else:
            held = rng.expovariate(flow)
            if rng.random() * flow < total:
                g = drawn(rng, list(zip(loads, groups)))
            else:
                q = busy[int(rng.random() * len(busy))]
                g = drawn(rng, [(claim, g) for g, claim in zip(groups, rules.served(q, jobs[q])) if claim])
                lasting = places.get(g) == q and rng.random() * jobs[q][g] < 1
        outcome = _arrived(rules, jobs, g, rng) if q is None else _departed(rules, jobs, g, q, rng)
        if lasting and q is None:
            places[g] = outcome.processor
        elif lasting:
            del places[g]
            waiting.append(g)
        for move in outcome.moves:
            there = jobs[move.source][move.group] - (q == move.source and g == move.group)
            if places.get(move.group) == move.source and rng.random() * there < 1:  # any of them, and perhaps this one
                places[move.group] = move.target
        yield Step(held, jobs, g, q, outcome, lasting)
        jobs = outcome.state


def drawn(rng, choices):
    """One of some choices with weights."""
    if len(choices) == 1:
        return choices[0][1]
    left = rng.random() * float(sum(weight for weight, _ in choices))
    for weight, choice in choices:
        left -= weight
        if left < 0:
            return choice
    return next(choice for weight, choice in reversed(choices) if weight)


def _arrived(rules, jobs, g, rng):
    rule, choices = placement(rules, jobs, g)
    p = drawn(rng, choices)
    state, moves = drawn(rng, [(chance, (state, moves)) for chance, state, moves in settled(rules, jobs, g, rule, p)])
    return Outcome(None, state, rule, p, moves)


def _departed(rules, jobs, g, q, rng):
    left = changed_by(jobs, q, g, -1)
    rule, choices = migration(rules, left, g, q)
    if rule is None:
        return Outcome(None, left, None, q, ())
    h, p = drawn(rng, choices)
    return Outcome(None, changed_by(changed_by(left, p, h, -1), q, h, 1), None, q, (Move(rule, h, p, q),))
