"""The chain of the whole line: who waits in which order. Slow, and it takes nothing for granted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from clustershare import markov
from clustershare.arguments import affordable, fail, integer, one_of
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer, same
from clustershare.typing import Integers, Numbers
from clustershare.uniprocessor.chain import tail
from clustershare.uniprocessor.model import SharePerformance, Workload

ORDERS = ("first", "last", "random")
MOST_STATES = 60_000
MOST_PERMANENT, MOST_JOBS = 50, 1000  # in a line, which each state holds


@dataclass(frozen=True)
class WholeLine:
    """A line solved.

    Attributes
    ----------
    states : list
        The job in service (None if there is none, or under PQ, where it is the first of the first class), and the
        waiting jobs of each class as a tuple. A job is its group, plus the number of groups if it is permanent.
    probability : ndarray, shape (states,)
    jobs, transient : ndarray, shape (groups, states)
        Numbers of jobs, with and without the permanent ones.
    serving : ndarray, shape (states,)
        The job in service, -1 if there is none.
    transitions : tuple of ndarray
        Rows, columns and rates.
    performance : SharePerformance
    """

    states: list[Any]
    probability: np.ndarray
    jobs: np.ndarray
    transient: np.ndarray
    serving: np.ndarray
    transitions: tuple[Any, ...]
    performance: SharePerformance

    def __eq__(self, other):
        return same(self, other)

    def starts(self, job: int) -> npt.NDArray[Any]:
        """Rates at which a service of a job starts, by the number of jobs of its group then.

        Parameters
        ----------
        job : int
            Its group, plus the number of groups if it is permanent.

        Returns
        -------
        ndarray, shape (most + 1,)
            Up to the most jobs of the group with which such a service starts.
        """
        rows, columns, rates = self.transitions
        total = self.transient.sum(axis=0)
        # A transition starts a service if it is a completion, or an arrival to nobody.
        starting = (total[columns] <= total[rows]) | (self.serving[rows] < 0)
        starting &= self.serving[columns] == job
        group = self.jobs[job % len(self.jobs)]
        return np.bincount(group[columns[starting]], (self.probability[rows] * rates)[starting])


@waited_for
def whole_line(
    policy: str, required_shares: Numbers, arrival_rates: Numbers, service_rates: float | Numbers = 1.0,
    permanent_jobs: int | Integers = 0, *, most_jobs: int = 8, order: str = "first", progress: bool = False,
) -> WholeLine:  # fmt: skip
    """Share deviations where one job is served at a time, from the Markov chain of the line itself.

    Parameters
    ----------
    policy : str
        "FCFS", "HOL" or "PQ".
    required_shares, arrival_rates, service_rates, permanent_jobs
        As for `exact`. Service times are exponential.
    most_jobs : int
        Transient jobs beyond this number, of at most 1000, are lost.
    order : str
        Within a class, who is next: the "first" to come, the "last" (in service he is not interrupted), or one at
        "random".
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    WholeLine
        Its `performance` has an `error` as that of `exact`.

    Raises
    ------
    UnstableError
        As `exact`.
    ValueError
        If an argument is out of range, or there are more than 60 000 states, or than `MOST_PERMANENT` permanent jobs.
    NoExactAnswer
        If some jobs are never served, as behind permanent jobs of two classes where the last come is the first, or if
        the rates are too far apart.

    Examples
    --------
    >>> from clustershare.uniprocessor import exact
    >>> system = {"required_shares": (0.6, 0.4), "arrival_rates": (0.02, 0.03), "permanent_jobs": (1, 1)}
    >>> whole_line("FCFS", **system, most_jobs=5).performance.job_share_deviation.round(5)
    array([0.03939, 0.05864])
    >>> exact("FCFS", **system).job_share_deviation.round(5)
    array([0.03939, 0.05864])
    """
    one_of("policy", policy, ("FCFS", "HOL", "PQ"))
    one_of("order", order, ORDERS)
    most_jobs = integer("most_jobs", most_jobs, 1)
    affordable("most_jobs", most_jobs, MOST_JOBS)
    work = Workload(policy, required_shares, arrival_rates, service_rates, permanent_jobs)
    if work.permanent_jobs.sum() > MOST_PERMANENT:
        fail("permanent_jobs", permanent_jobs, f"at most {MOST_PERMANENT} in all here, where a state is the whole line")
    groups, class_of = work.groups, work.priority_class
    preemptive = policy == "PQ"

    def put(lines, c, line):
        return (*lines[:c], line, *lines[c + 1 :])

    def queue(line, job):
        if order == "random":
            return tuple(sorted((*line, job)))
        return (job, *line) if order == "last" else (*line, job)

    def join(lines, job):
        c = class_of[job % groups]
        served = lines[c][: int(preemptive)]  # whom none of his class interrupts
        return put(lines, c, served + queue(lines[c][len(served) :], job))

    def choices(lines, returning):
        """Who is served next, with which probability, and the lines then."""
        c = next((c for c, waiting in enumerate(lines) if waiting), None)
        if c is None:
            return [(1.0, (returning, lines))]
        places = range(len(lines[c])) if order == "random" else [0]
        found = []
        for place in places:
            # A line at random is sorted: jobs alike are one choice.
            if place and lines[c][place - 1] == lines[c][place]:
                continue
            alike = lines[c].count(lines[c][place]) if len(places) > 1 else 1
            then = put(lines, c, lines[c][:place] + lines[c][place + 1 :])
            if returning is not None:
                back = class_of[returning % groups]
                then = put(then, back, queue(then[back], returning))
            found.append((alike / len(places), (lines[c][place], then)))
        return found

    def served(state):
        return next((waiting[0] for waiting in state[1] if waiting), None) if preemptive else state[0]

    def moves(state):
        job, lines = served(state), state[1]
        transient = sum(waiting < groups for line in lines for waiting in line)
        transient += not preemptive and job is not None and job < groups
        if transient < most_jobs:
            for group in np.flatnonzero(work.arrival_rates).tolist():
                starts = not preemptive and job is None
                yield (group, lines) if starts else (state[0], join(lines, group)), work.arrival_rates[group]
        if job is None:
            return
        rate = work.service_rates[job % groups]
        returning = job if job >= groups else None
        if preemptive:
            c = class_of[job % groups]
            left = put(lines, c, lines[c][1:])
            if not left[c]:
                yield (None, left if returning is None else put(left, c, (returning,))), rate
                return
            for probability, (first, then) in choices(left, returning):
                yield (None, put(then, c, (first, *then[c]))), rate * probability
        else:
            for probability, target in choices(lines, returning):
                yield target, rate * probability
        if len(seen) > MOST_STATES:
            fail("most_jobs", most_jobs, f"such that there are at most {MOST_STATES} states")
        seen.add(state)

    seen = set()
    lines = ((),) * (int(class_of.max()) + 1)
    for group in range(groups):
        for _ in range(work.permanent_jobs[group]):
            lines = join(lines, group + groups)
    start = (None, lines) if preemptive else choices(lines, None)[0][1]
    states, *transitions = markov.explore(start, moves)
    Q = markov.generator(len(states), *transitions)
    if connected_components(Q, connection="strong", return_labels=False) > 1:
        raise NoExactAnswer("Some jobs wait for ever behind permanent jobs: the line never begins anew.")
    try:
        probability = markov.stationary(Q)
    except ArithmeticError:
        raise NoExactAnswer("The chain was not solved: its rates are too far apart for elimination.") from None
    serving = np.array([-1 if served(state) is None else served(state) for state in states])
    inside = [[job for line in lines for job in line] + [job] * (job is not None) for job, lines in states]
    members = np.array([np.bincount(jobs, minlength=2 * groups) if jobs else np.zeros(2 * groups) for jobs in inside])
    transient = members.T[:groups].astype(int)
    jobs = transient + members.T[groups:].astype(int)
    mine = np.array([(serving >= 0) & (serving % groups == group) for group in range(groups)])
    obtained, present = mine @ probability, (jobs > 0) @ probability
    full = transient.sum(axis=0) == most_jobs
    error = tail(work, transient[:, full], probability[full])
    deviation, mean_jobs = present - obtained / work.required_shares, transient @ probability
    performance = SharePerformance(
        deviation, (mine & (jobs > 1)) @ probability, obtained, present, mean_jobs, work.response_times(mean_jobs),
        method="chain", error=error,
    )  # fmt: skip
    return WholeLine(states, probability, jobs, transient, serving, tuple(transitions), performance)
