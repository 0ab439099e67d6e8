"""Networks of queues whose jobs have sizes of two phases, by their chains: what a law of sizes does to the numbers."""

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


def sharing_law(rates, laws, phi, most):
    """The law of the numbers of jobs in processor-sharing queues, from the chain of the numbers by class and phase.

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

    def changed(n, i, steps):
        return (*n[:i], tuple(jobs + step for jobs, step in zip(n[i], steps)), *n[i + 1 :])

    def transitions(n):
        x = tuple(map(sum, n))
        for i, law in enumerate(laws):
            pace = phi[x][i] / max(x[i], 1)
            first, second = (pace * jobs * rate for jobs, rate in zip(n[i], law.rates))
            comes = rates[i] * (sum(x) < most)
            yield changed(n, i, (1, 0)), comes * law.start[0]
            yield changed(n, i, (0, 1)), comes * law.start[1]
            yield changed(n, i, (-1, 0)), first * (1 - law.goes_on)
            yield changed(n, i, (-1, 1)), first * law.goes_on
            yield changed(n, i, (0, -1)), second

    return _law(((0, 0),) * len(rates), transitions, lambda n: tuple(map(sum, n)), most)


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

    return _law(((0,) * len(rates), (0,) * len(rates)), transitions, lambda state: state[0], most)


def _law(empty, transitions, numbers_of, most):
    """The law of the numbers of jobs, in the order of `numbers`, of a chain from the empty state on."""
    states, *found = markov.explore(empty, lambda state: (each for each in transitions(state) if each[1] > 0))
    place = {x: k for k, x in enumerate(numbers(len(numbers_of(empty)), most))}
    law = markov.gth(markov.generator(len(states), *found))
    return np.bincount([place[numbers_of(state)] for state in states], law, len(place))
