"""Exact answers for few processors: the chain of the numbers of jobs, made by the rules of the policies themselves."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from scipy.special import gammaln

from clustershare import markov
from clustershare.arguments import affordable, integer, one_of, truth
from clustershare.arrivals import require_poisson
from clustershare.calls import remembered
from clustershare.compiled import service
from clustershare.dispatch.asking import asks_for_size
from clustershare.dispatch.central import LOCAL, LOCAL_POLICIES, performance, policy_of, weighs_jobs
from clustershare.dispatch.kernel import bring, happen
from clustershare.dispatch.state import SHARE, empty
from clustershare.dispatch.tape import blank_tape, courses, ways
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer
from clustershare.shares import required_shares as check_shares
from clustershare.splitting.groups import group_loads
from clustershare.typing import Arrivals, Numbers

if TYPE_CHECKING:
    from clustershare.dispatch.central import DispatchPerformance

MOST_STATES = 120_000
LARGEST_CHAIN = 10**6  # numbers of jobs, of each group on each processor, in all states: some ten seconds
MOST_PROCESSORS, MOST_JOBS = 100, 2000
MOST_FULL = 1e-3
RESOLVED = 1e-10  # probabilities below this have lost digits to the solver


@waited_for
@remembered
def exact_central(
    policy: str, *, local: str = "PS", migration: bool = False, required_shares: Numbers, loads: Numbers,
    processors: int, reading: str | None = None, most_jobs: int | None = None, arrivals: Arrivals = None,
    progress: bool = False,
) -> DispatchPerformance:  # fmt: skip
    """Share deviations and capacity loss under a central policy, by a chain that is cut: for two or three processors.

    The state is how many jobs of each group are on each processor. Where the rules leave something to chance, all
    choices are gone through, or, under JSQ(d), weighed. Sizes are exponential with mean 1, and a job that would be one
    too many is lost.

    Parameters
    ----------
    policy, local, migration, required_shares, loads, processors, reading
        As for `simulate_central`.
    most_jobs : int, optional
        Where the chain is cut. If not given, where about 120,000 states are reached. A million over the numbers of
        groups and of processors may be.
    arrivals : optional
        As for `simulate_central`, whose other arrivals have no exact answer: None, which is Poisson.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    DispatchPerformance
        By a chain. Its error estimates how far off any quantity is, and the mean number of jobs of all groups together,
        from what a shorter cut changes. As a rule that number is off the most, by a quarter less than the error.

    Raises
    ------
    NoExactAnswer
        If the arrivals are not Poisson, or the system is full for more than a thousandth of the time, or so slowly more
        seldom that no error is known.
    UnstableError
        If the total load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from clustershare.dispatch import shortest_queue_with_migration
    >>> common = {"required_shares": (0.5, 0.5), "loads": (0.2, 0.2), "processors": 2}
    >>> found = exact_central("JSQ", migration=True, most_jobs=20, **common).group_share_deviation
    >>> bool(abs(found - shortest_queue_with_migration(**common).group_share_deviation).max() < 1e-6)
    True
    """
    required = np.array(check_shares("required_shares", required_shares))
    own, P = group_loads(loads, len(required)), integer("processors", processors, 1)
    rule = service.PPS if weighs_jobs(one_of("local", local, LOCAL_POLICIES)) else LOCAL[local]
    truth("migration", migration)
    require_poisson(arrivals)
    cut = _most_jobs(len(required) * P) if most_jobs is None else integer("most_jobs", most_jobs, 1)
    affordable("processors", P, MOST_PROCESSORS)
    affordable("most_jobs", cut, MOST_JOBS)
    # Of the states with one job at most, each of which is a place of its own.
    affordable("processors times groups times (groups + 1)", P * len(required) * (len(required) + 1), LARGEST_CHAIN)
    chosen, weights = policy_of(policy, bool(migration), required, P, reading)
    if asks_for_size(chosen):
        raise NoExactAnswer(
            f"No exact answer under {policy}, whose rule asks for the size of a job; use simulate_central."
        )
    speeds = np.full(P, 1 / P)
    moves = Moves(chosen, empty(rule, required, speeds, weights, by_group=chosen.by_group, timed=False), own, cut)
    states, *rates = markov.explore((0,) * (P * len(required)), moves, LARGEST_CHAIN // (P * len(required)))
    numbers = np.array(states).reshape(-1, P, len(required))
    Q = markov.generator(len(states), *rates)
    probability = markov.iterate(Q, _guess(numbers, own), 1e-11)
    jobs, levels = numbers.sum(axis=(1, 2)), np.array(moves.levels)
    full = probability[jobs == cut].sum()
    if full > MOST_FULL:
        raise NoExactAnswer(f"The chain is cut at {cut} jobs and is there for {full:.2g} of the time: too often.")

    def measured(law):
        busy = law @ (numbers.sum(axis=2) > 0)
        found = np.array([*(law @ levels), *np.zeros(len(required)), np.ptp(busy), busy.std()])
        return performance("chain", required, found, _as_it_is)

    found = measured(probability)
    error = _error(found, measured, Q, probability, jobs)
    if not error < math.inf:
        raise NoExactAnswer(f"The chain is cut at {cut} jobs, up to which their number becomes hardly less likely.")
    return dataclasses.replace(found, error=error)


def _error(found, measured, Q, probability, jobs):
    """How far the quantities may be from those of a chain that is not cut: an estimate, from a shorter cut.

    Exactly, they are off by what each lost job would have changed: the probability of a full system, times what a job
    more changes from there until the system with it and the one without are alike again, per arrival. That time is the
    one in which the jobs are served that are there: n + 1 of them over what the busiest processors can serve beyond
    what comes to them, on a single processor of load r so that the mean number is off by r / (1 - r) (n + 1) times the
    probability. Which processors those are, and how fast they are emptied, is for the policy to say; so the same chain
    is cut again, at about three quarters of the jobs. What that changes is the error there less the error here, and
    these are as the probabilities of the cut, and as the times, which are taken to grow as the square of n + 1, faster
    than they do. The probabilities may fall more slowly the longer the line: the last ratio is continued too. What the
    solver leaves is flow that goes astray by up to n jobs.
    """
    most = int(jobs.max())
    levels = np.bincount(jobs, probability)
    seen = np.flatnonzero(levels > RESOLVED)
    shorter = int(seen[seen <= max(3 * most // 4, seen[0])][-1])
    inside = jobs <= shorter
    law = np.zeros(len(jobs))
    law[0] = 1.0  # the empty system is the first state
    if shorter > 0:
        part = Q[inside][:, inside]
        law[inside] = markov.iterate(part - sp.diags_array(part.sum(axis=1)), probability[inside] + 1e-300, 1e-11)
    change = _distance(found, measured(law))
    cut, growth = law[jobs == shorter].sum(), (most + 1) / (shorter + 1)
    last = levels[max(most - 2, 0) :]
    ratio = (last[1:] / last[:-1]).max() if (last > RESOLVED).all() else 0.0
    falls = growth**2 * max(levels[most] / cut, ratio ** (most - shorter))
    if falls >= 1:
        return math.inf
    astray = markov.residual(probability, Q) * most / cut
    return float(change / (1 - falls) * (falls + growth * astray / -Q[0, 0]))  # all that comes finds a place there


def _distance(one, other):
    """The largest difference of a quantity, and of the mean number of jobs of all groups together."""
    one, other = ({**vars(each), "total": each.mean_jobs.sum()} for each in (one, other))
    return max(np.abs(one[name] - other[name]).max() for name in one.keys() - {"method", "error"})


class Moves:
    """The transitions from a state, as `markov.explore` asks for them; notes what is measured there."""

    def __init__(self, policy, system, arrivals, cut):
        self.policy, self.system, self.arrivals, self.cut = policy, system, arrivals, cut
        self.tape = blank_tape()
        self.levels = []

    def __call__(self, numbers):
        P, G = self.system.count[:, 1:].shape
        before = np.array(numbers).reshape(P, G)
        bring(self.system, before)
        # What a choice stands for depends on the orders: every outcome begins with the same.
        self.arrays = [array for array in self.system if isinstance(array, np.ndarray)]
        self.saved = [array.copy() for array in self.arrays]
        self.levels.append(self.system.level.copy())
        share = self.system.amount[:, SHARE, 1:].copy()
        moves = []
        if before.sum() < self.cut:
            for g in np.flatnonzero(self.arrivals):
                moves += [(to, self.arrivals[g] * p) for to, p in self.after_arrival(g, before)]
        for p, g in itertools.product(range(P), range(G)):
            if before[p, g] > 0:
                moves += [(to, share[p, g] * chance) for to, chance in self.outcomes(g, p)]
        return moves

    def after_arrival(self, group, before):
        """States after a job has come, with their probabilities: told by the policy, or by its rules."""
        if not hasattr(self.policy, "chances"):
            return self.outcomes(group, -1)
        found = []
        for p, chance in enumerate(self.policy.chances(before.sum(axis=1))):
            after = before.copy()
            after[p, group] += 1
            found += [(tuple(after.ravel().tolist()), chance)] if chance > 0 else []
        return found

    def outcomes(self, group, p):
        """States after an event, with their probabilities: all choices in turn."""
        found = []
        for _ in courses(self.tape):
            for array, saved in zip(self.arrays, self.saved):
                array[...] = saved
            happen(self.policy, self.system, self.tape, group, p)
            found.append((tuple(self.system.count[:, 1:].ravel().tolist()), 1 / ways(self.tape)))
        return found


def _as_it_is(value):
    return value if value.ndim else float(value)


def _most_jobs(dimensions):
    """Where a chain of so many numbers reaches about `MOST_STATES` states."""
    n = np.arange(1, MOST_JOBS)
    states = gammaln(n + dimensions + 1) - gammaln(n + 1) - gammaln(dimensions + 1)
    return int(max(n[states <= np.log(min(MOST_STATES, max(1, LARGEST_CHAIN // dimensions)))], default=1))


def _guess(numbers, loads):
    """As if jobs were sent by chance: more likely the fewer there are."""
    return np.prod(loads ** numbers.sum(axis=1), axis=1) + 1e-300
