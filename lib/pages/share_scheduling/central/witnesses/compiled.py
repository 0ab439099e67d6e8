"""What the compiled rules of the library do in a given state: all outcomes of an event, with their probabilities."""

import functools
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np

from clustershare.dispatch import kernel
from clustershare.dispatch.central import LOCAL, policy_of
from clustershare.dispatch.state import FEASIBLE_SHARE, OBTAINED_SHARE, SHARE, empty, of_groups
from clustershare.dispatch.tape import blank_tape, courses, ways
from pages.share_scheduling.central.printed.rules import outcomes
from pages.share_scheduling.central.witnesses.reached import reached

READINGS = {"M4 before M3": "M4 before M3"}  # changes of the printed rules that the library knows


class Compiled:
    """A policy of the library, asked state by state.

    Parameters
    ----------
    policy : str
    shares : sequence of float
        Required ones of the groups.
    processors : int
    migration : bool
    local : str
    reading : str, optional
        Another reading of the rules, as `simulate_central` names it.

    Examples
    --------
    >>> Compiled("HP", (0.5, 0.5), 2).outcomes(((0, 0), (0, 0)), 0)
    {((1, 0), (0, 0)): Fraction(1, 2), ((0, 0), (1, 0)): Fraction(1, 2)}
    """

    def __init__(self, policy, shares, processors, migration=False, local="PS", reading=None):
        required = np.array(shares, float)
        self.policy, weights = policy_of(policy, migration, required, processors, reading)
        self.state = empty(
            LOCAL[local], required, np.full(processors, 1 / processors), weights, by_group=self.policy.by_group,
            timed=False,
        )  # fmt: skip
        self.arrays = [array for array in self.state if isinstance(array, np.ndarray)]
        self.tape = blank_tape()

    def served(self, jobs):
        """What part of each processor each group obtains: ndarray, shape (processors, groups)."""
        kernel.bring(self.state, np.array(jobs))
        return self.state.amount[:, SHARE, 1:] * len(jobs)

    def shares(self, jobs):
        """The feasible and the obtained share of each group: ndarray, shape (groups, 2)."""
        kernel.bring(self.state, np.array(jobs))
        return of_groups(self.state.level)[:, [FEASIBLE_SHARE, OBTAINED_SHARE]]

    def outcomes(self, jobs, group, processor=None):
        """States after an arrival of a group, or its departure from a processor: each with its probability.

        Parameters
        ----------
        jobs : tuple of tuple of int
            Jobs of each group on each processor.
        group : int
        processor : int, optional
            Where a job leaves; an arrival if not given.

        Returns
        -------
        dict of tuple to fractions.Fraction
        """
        found = defaultdict(Fraction)
        for after, _ in self.courses(jobs, group, processor):
            found[tuple(map(tuple, after.tolist()))] += Fraction(1, ways(self.tape))
        return dict(found)

    def courses(self, jobs, group, processor=None):
        """The same, course of chance by course: the jobs, and what part of each processor each group obtains then."""
        kernel.bring(self.state, np.array(jobs))
        saved = [array.copy() for array in self.arrays]  # the orders too: what a choice stands for depends on them
        for _ in courses(self.tape):
            for array, kept in zip(self.arrays, saved):
                array[...] = kept
            kernel.happen(self.policy, self.state, self.tape, group, -1 if processor is None else processor)
            yield self.state.count[:, 1:].copy(), self.state.amount[:, SHARE, 1:] * len(jobs)


@functools.lru_cache(maxsize=64)
def library(rules):
    """The library's rules for a system of printed ones, in the same reading where it has that."""
    (reading,) = {READINGS[name] for name in rules.changed if name in READINGS} or (None,)
    return Compiled(rules.policy, rules.shares, rules.processors, rules.migration, rules.local, reading)


def events_apart(rules, most_jobs):
    """In how many events in states with a few jobs the library does something else than printed rules; of how many."""
    compiled, seen, unlike = library(rules), 0, 0
    for jobs, happening in reached(rules, most_jobs, like=True).items():
        for event in happening:
            expected = Counter()
            for outcome in event.outcomes:
                expected[outcome.state] += outcome.probability
            seen += 1
            unlike += compiled.outcomes(jobs, event.group, event.processor) != expected
    return seen, unlike


def unlike(records):
    """In how many of the events of some records the library does something else than the printed rules; of how many."""
    events = {(record.rules, record.before, record.group, record.processor) for record in records}
    return len(events), sum(library(rules).outcomes(*event) != outcomes(rules, *event) for rules, *event in events)
