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

    def transitions(n):
        x = tuple(map(sum, n))
        for i, (law, (first, second)) in enumerate(zip(laws, n)):
            pace = phi[x][i] / max(x[i], 1)
            comes, ends = rates[i] * (sum(x) < most), pace * first * law.rates[0]
            yield _changed(n, i, first + 1, second), comes * law.start[0]
            yield _changed(n, i, first, second + 1), comes * law.start[1]
            yield _changed(n, i, first - 1, second), ends * (1 - law.goes_on)
            yield _changed(n, i, first - 1, second + 1), ends * law.goes_on
            yield _changed(n, i, first, second - 1), pace * second * law.rates[1]

    return _law(((0, 0),) * len(rates), transitions, lambda n: tuple(map(sum, n)), most)


def first_come_law(rates, laws, phi, most):
    """A wrong network: first come, first served inside the queues, so that only the job at the head has a phase."""

    def transitions(n):  # of each class the number of jobs, and the phase of the head
        x = tuple(jobs for jobs, _ in n)
        for i, (law, (jobs, head)) in enumerate(zip(laws, n)):
            comes, ends = rates[i] * (sum(x) < most), phi[x][i] * law.rates[head]
            on = law.goes_on if head == 0 else 0.0
            yield _changed(n, i, jobs, 1), ends * on
            for phase, begins in enumerate(law.start):
                yield _changed(n, i, jobs + 1, head if jobs else phase), comes * begins
                yield _changed(n, i, jobs - 1, phase if jobs > 1 else 0), ends * (1 - on) * begins

    return _law(((0, 0),) * len(rates), transitions, lambda n: tuple(jobs for jobs, _ in n), most)


def _changed(n, i, *queue):
    return (*n[:i], queue, *n[i + 1 :])


def _law(empty, transitions, numbers_of, most):
    """The law of the numbers of jobs, in the order of `numbers`, of a chain from the empty state on."""
    states, *found = markov.explore(empty, lambda state: (each for each in transitions(state) if each[1] > 0))
    place = {x: k for k, x in enumerate(numbers(len(empty), most))}
    law = markov.gth(markov.generator(len(states), *found))
    return np.bincount([place[numbers_of(state)] for state in states], law, len(place))
