"""One stream for several processors: random systems, what one more job costs, and the split that scipy finds."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import minimize


@dataclass(frozen=True)
class Stream:
    """A stream and the processors that it is split over.

    Attributes
    ----------
    arrival_rate : float
    service_rates, second_moments, costs : ndarray, shape (processors,)
        The first two moments of the service times, and what a job pays for a unit of time there.
    """

    arrival_rate: float
    service_rates: np.ndarray
    second_moments: np.ndarray
    costs: np.ndarray

    @property
    def variances(self):
        """Of the service times."""
        return self.second_moments - self.service_rates**-2.0

    def cost(self, sent, responses):
        """The sum of rates times costs times mean response (or waiting) times over the whole rate, and its slopes."""
        free = 1 - sent / self.service_rates
        waits = sent * self.second_moments / (2 * free)
        more = self.second_moments * (1 / free**2 - 1) * self.service_rates / 2
        if responses:
            waits, more = waits + 1 / self.service_rates, more + 1 / self.service_rates
        return (self.costs * sent) @ waits / self.arrival_rate, self.costs * more / self.arrival_rate


@cache
def streams(seed, systems=100, *, exponential=False, costly=False):
    """Random systems of 2 to 5 processors, loads 0.1 to 0.95.

    Parameters
    ----------
    seed, systems : int
    exponential : bool
        Sizes; if not, their variances are random.
    costly : bool
        Whether costs are random; if not, they are 1.

    Returns
    -------
    list of Stream
    """
    rng, found = np.random.default_rng(seed), []
    for _ in range(systems):
        processors = rng.integers(2, 6)
        rates = np.sort(np.exp(rng.uniform(-2, 1, processors)))[::-1]
        variation = np.ones(processors) if exponential else rng.exponential(1.5, processors)
        costs = rng.uniform(0.2, 3, processors) if costly else np.ones(processors)
        found.append(Stream(rng.uniform(0.1, 0.95) * rates.sum(), rates, (1 + variation) / rates**2, costs))
    return found


@cache
def searched(seed, *, responses, costly=False, starts=3):
    """The best split of each system that descents from several starts find: its cost and its rates.

    Parameters
    ----------
    seed, responses, costly
        As for `streams` and `Stream.cost`.
    starts : int

    Returns
    -------
    list of tuple of float and ndarray
    """
    rng, found = np.random.default_rng([seed, 1]), []
    for system in streams(seed, costly=costly):
        rates, total = system.service_rates, system.arrival_rate
        alike = total * rates / rates.sum()
        results = []
        for start in range(starts):
            other = total * rng.dirichlet(np.ones(len(rates)))
            guess = alike if start == 0 else other if (other < rates).all() else (alike + rates * 0.999) / 2
            done = minimize(
                system.cost, guess, (responses,), jac=True, method="SLSQP",
                bounds=[(0, rate * (1 - 1e-9)) for rate in rates],
                constraints={"type": "eq", "fun": lambda sent, total=total: sent.sum() - total,
                             "jac": lambda sent: np.ones(len(sent))},
                options={"ftol": 1e-15, "maxiter": 300},
            )  # fmt: skip
            results.append((done.fun, done.x))
        found.append(min(results, key=lambda result: result[0]))
    return found


def unmet(system, sent, responses=True):
    """By how much rates miss the conditions of Karush, Kuhn and Tucker: those of the prices relative to the price of
    one more job, and those of the rates relative to the whole.

    Parameters
    ----------
    system : Stream
    sent : ndarray, shape (processors,)
    responses : bool
        As for `Stream.cost`.

    Returns
    -------
    float
    """
    prices, used = system.cost(sent, responses)[1], sent > 0
    price = prices[used].max()
    cheaper = (price - prices[~used]).max(initial=0)
    rest = max(abs(sent.sum() - system.arrival_rate), -sent.min()) / system.arrival_rate
    return float(max(np.ptp(prices[used]) / price, cheaper / price, rest))
