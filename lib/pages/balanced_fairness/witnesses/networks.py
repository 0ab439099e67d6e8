"""Networks of queues whose jobs have sizes of two phases, by their chains: what a law of sizes does to the numbers."""

import functools
import itertools
from typing import NamedTuple

import numpy as np

from clustershare import markov
from pages.balanced_fairness.systems import numbers


class TwoPhases(NamedTuple):
    """A law of sizes: where a job begins, the rates of the phases, and the chance that the second follows the first.

    Examples
    --------
    >>> TwoPhases((0.5, 0.5), (2.0, 2 / 3), 0.0).mean
    1.0
    """

    start: tuple
    rates: tuple
    goes_on: float

    @property
    def mean(self):
        """The mean size."""
        return sum(p / r for p, r in zip(self.start, self.rates)) + self.start[0] * self.goes_on / self.rates[1]

    def scaled(self, mean):
        """The law with another mean."""
        return self._replace(rates=tuple(rate * self.mean / mean for rate in self.rates))


ONE_PHASE = TwoPhases((1.0, 0.0), (1.0, 1.0), 0.0)
TWO_IN_A_ROW = TwoPhases((1.0, 0.0), (2.0, 2.0), 1.0)


def any_law(rng):
    """A law of mean 1 at random: hyperexponential of squared variation 2 to 20, Erlang, or a mixture of one and two."""
    which = rng.integers(3)
    if which == 0:
        variation = rng.uniform(2, 20)
        p = (1 + np.sqrt((variation - 1) / (variation + 1))) / 2  # balanced means
        return TwoPhases((p, 1 - p), (2 * p, 2 * (1 - p)), 0.0)
    first = 1.0 if which == 1 else rng.uniform(0.1, 0.9)
    return TwoPhases((first, 1 - first), (1.0, 1.0), 1.0).scaled(1.0)


@functools.cache
def template(classes, most):
    """Numbers of jobs by class and phase, at most so many in all; and the arrivals, ends of phases and moves of jobs.

    A transition is from, to, class, phase, and what part of the class's rate goes to the jobs in that phase.
    """
    within = itertools.product(range(most + 1), repeat=2 * classes)
    states = np.array([n for n in within if sum(n) <= most])
    index = {tuple(n): k for k, n in enumerate(states.tolist())}
    arrivals, ends, moves = [], [], []
    for k, n in enumerate(states.tolist()):
        for i, phase in itertools.product(range(classes), range(2)):
            place, jobs = 2 * i + phase, n[2 * i] + n[2 * i + 1]
            change = lambda *steps, n=n: index[tuple(m + sum(d for p, d in steps if p == j) for j, m in enumerate(n))]  # noqa: E731
            if sum(n) < most:
                arrivals.append((k, change((place, 1)), i, phase, 1.0))
            if n[place]:
                ends.append((k, change((place, -1)), i, phase, n[place] / jobs))
                if phase == 0:
                    moves.append((k, change((place, -1), (place + 1, 1)), i, phase, n[place] / jobs))
    return states, *(np.array(part).T for part in (arrivals, ends, moves))


def sharing_law(rates, laws, phi, most):
    """The law of the numbers of jobs in processor-sharing queues, from the chain of their phases.

    Parameters
    ----------
    rates : sequence of float
        Arrival rates.
    laws : sequence of TwoPhases
        Of the sizes of each class.
    phi : dict
        The service rates of the classes, for all `numbers`.
    most : int
        Jobs in all; more are lost.
    """
    classes = len(rates)
    states, arrivals, ends, moves = template(classes, most)
    x = states[:, 0::2] + states[:, 1::2]
    served = np.array([phi[n] for n in map(tuple, x.tolist())])
    start, pace = np.array([law.start for law in laws]), np.array([law.rates for law in laws])
    # What follows a phase: the first of two may lead to the second.
    on = np.array([[law.goes_on, 0.0] for law in laws])
    matrix = np.zeros((len(states), len(states)))
    for name, (a, b, i, phase, part) in (("arrives", arrivals), ("ends", ends), ("moves", moves)):
        a, b, i, phase = (each.astype(int) for each in (a, b, i, phase))
        rate = np.asarray(rates)[i] * start[i, phase] if name == "arrives" else served[a, i] * part * pace[i, phase]
        if name != "arrives":
            rate = rate * (on if name == "moves" else 1 - on)[i, phase]
        np.add.at(matrix, (a, b), rate)
    return grouped(matrix, x, classes, most)


def first_come_law(rates, laws, phi, most):
    """A wrong network: first come, first served inside the queues, so that only the job at the head has a phase."""

    def transitions(state):
        x, heads = state
        for i, law in enumerate(laws):
            for phase in range(2):
                begins = tuple(phase if j == i else h for j, h in enumerate(heads))
                if sum(x) < most:
                    more = tuple(n + (j == i) for j, n in enumerate(x))
                    if x[i] == 0:
                        yield (more, begins), rates[i] * law.start[phase]
                    elif phase == 0:
                        yield (more, heads), rates[i]
            if x[i] == 0:
                continue
            speed = phi[x][i] * law.rates[heads[i]]
            on = law.goes_on if heads[i] == 0 else 0.0
            yield (x, tuple(1 if j == i else h for j, h in enumerate(heads))), speed * on
            less = tuple(n - (j == i) for j, n in enumerate(x))
            for phase in range(2) if less[i] else (0,):
                nexts = tuple(phase if j == i else h for j, h in enumerate(heads))
                yield (less, nexts), speed * (1 - on) * (law.start[phase] if less[i] else 1.0)

    some = lambda state: ((target, rate) for target, rate in transitions(state) if rate > 0)  # noqa: E731
    states, *found = markov.explore(((0,) * len(rates), (0,) * len(rates)), some)
    return grouped(markov.generator(len(states), *found).toarray(), np.array([x for x, _ in states]), len(rates), most)


def grouped(matrix, x, classes, most):
    """The law of the numbers x of jobs from the rates between states."""
    matrix = matrix - np.diag(np.diag(matrix))
    matrix -= np.diag(matrix.sum(axis=1))
    reached, probabilities = arrive_at(matrix), np.zeros(len(matrix))
    inside = matrix[np.ix_(reached, reached)]
    inside[:, 0] = 1.0
    probabilities[reached] = np.linalg.solve(inside.T, np.eye(len(inside))[0])
    place = {n: k for k, n in enumerate(numbers(classes, most))}
    return np.bincount([place[n] for n in map(tuple, x.tolist())], probabilities, len(place))


def arrive_at(matrix):
    """Which states are reached from the first: a phase in which no job ever is has none."""
    reached = np.zeros(len(matrix), dtype=bool)
    reached[0] = True
    while True:
        more = reached | (matrix[reached] > 0).any(axis=0)
        if (more == reached).all():
            return reached
        reached = more
