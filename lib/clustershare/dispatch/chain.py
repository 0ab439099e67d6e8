"""Exact answers for few processors: the chain of the numbers of jobs, made by the rules of the policies themselves."""

import itertools

import numpy as np
from scipy.special import gammaln

from clustershare import markov
from clustershare.arguments import affordable, integer, one_of, truth
from clustershare.dispatch.central import LOCAL, performance, policy_of
from clustershare.dispatch.kernel import bring, happen
from clustershare.dispatch.state import SHARE, empty
from clustershare.dispatch.tape import Tape
from clustershare.results import NoExactAnswer
from clustershare.shares import required_shares as check_shares
from clustershare.splitting.groups import group_loads

LONGEST_TAPE = 16
MOST_STATES = 120_000
LARGEST_CHAIN = 20 * MOST_STATES
MOST_PROCESSORS, MOST_JOBS = 100, 2000


def exact_central(
    policy, *, local="PS", migration=False, required_shares, loads, processors, reading=None, most_jobs=None
):
    """Share deviations and capacity loss under a central policy, by a chain that is cut: for two or three processors.

    The state is how many jobs of each group are on each processor. Where the rules leave something to chance, all
    choices are gone through. Sizes are exponential with mean 1, and a job that would be one too many is lost.

    Parameters
    ----------
    policy, local, migration, required_shares, loads, processors, reading
        As for `simulate_central`.
    most_jobs : int, optional
        Where the chain is cut. If not given, where about 120,000 states are reached.

    Returns
    -------
    DispatchPerformance
        By a chain. Its error is the probability that the system is full, times the jobs in it then: an estimate of how
        far off the mean numbers are, and more than that of shares and losses.

    Raises
    ------
    NoExactAnswer
        If the system is full for more than a thousandth of the time.
    UnstableError
        If the total load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from clustershare.dispatch import shortest_queue_with_migration
    >>> common = {"required_shares": (0.5, 0.5), "loads": (0.2, 0.2), "processors": 2}
    >>> found = exact_central("JSQ", migration=True, most_jobs=20, **common).group_share_deviation
    >>> np.abs(found - shortest_queue_with_migration(**common).group_share_deviation).max() < 1e-6
    np.True_
    """
    required = np.array(check_shares("required_shares", required_shares))
    own, P = group_loads(loads, len(required)), integer("processors", processors, 1)
    rule = LOCAL[one_of("local", local, LOCAL)]
    truth("migration", migration)
    cut = _most_jobs(len(required) * P) if most_jobs is None else integer("most_jobs", most_jobs, 1)
    affordable("processors", P, MOST_PROCESSORS)
    affordable("most_jobs", cut, MOST_JOBS)
    chosen, weights = policy_of(policy, bool(migration), required, P, reading)
    speeds = np.full(P, 1 / P)
    moves = Moves(chosen, empty(rule, required, speeds, weights, by_group=chosen.by_group, timed=False), own, cut)
    states, *rates = markov.explore((0,) * (P * len(required)), moves, LARGEST_CHAIN)
    numbers = np.array(states).reshape(-1, P, len(required))
    Q = markov.generator(len(states), *rates)
    probability = markov.iterate(Q, _guess(numbers, own), 1e-11)
    full = probability[numbers.sum(axis=(1, 2)) == cut].sum()
    if full > 1e-3:
        raise NoExactAnswer(f"The chain is cut at {cut} jobs and is there for {full:.2g} of the time: too often.")
    busy = probability @ (numbers.sum(axis=2) > 0)
    measured = [*(probability @ np.array(moves.levels)), *np.zeros(len(required)), np.ptp(busy), busy.std()]
    return performance("chain", required, np.array(measured), _as_it_is, error=float(full * cut))


class Moves:
    """The transitions from a state, as `markov.explore` asks for them; notes what is measured there."""

    def __init__(self, policy, system, arrivals, cut):
        self.policy, self.system, self.arrivals, self.cut = policy, system, arrivals, cut
        self.tape = Tape(np.zeros(LONGEST_TAPE, np.int64), np.zeros(LONGEST_TAPE, np.int64), np.zeros(1, np.int64))
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
                moves += [(to, self.arrivals[g] * p) for to, p in self.outcomes(g, -1)]
        for p, g in itertools.product(range(P), range(G)):
            if before[p, g] > 0:
                moves += [(to, share[p, g] * chance) for to, chance in self.outcomes(g, p)]
        return moves

    def outcomes(self, group, p):
        """States after an event, with their probabilities: all choices in turn, as an odometer counts."""
        choices, among, position = self.tape
        choices[:] = 0
        found = []
        while True:
            for array, saved in zip(self.arrays, self.saved):
                array[...] = saved
            position[0] = 0
            happen(self.policy, self.system, self.tape, group, p)
            made = position[0]
            found.append((tuple(self.system.count[:, 1:].ravel().tolist()), 1 / float(np.prod(among[:made]))))
            while made and choices[made - 1] == among[made - 1] - 1:
                made -= 1
            if not made:
                return found
            choices[made - 1] += 1
            choices[made:] = 0


def _as_it_is(value):
    return value if value.ndim else float(value)


def _most_jobs(dimensions):
    """Where a chain of so many numbers reaches about `MOST_STATES` states."""
    n = np.arange(1, MOST_JOBS)
    states = gammaln(n + dimensions + 1) - gammaln(n + 1) - gammaln(dimensions + 1)
    return int(max(n[states <= np.log(MOST_STATES)], default=1))


def _guess(numbers, loads):
    """As if jobs were sent by chance: more likely the fewer there are."""
    return np.prod(loads ** numbers.sum(axis=1), axis=1) + 1e-300
