"""Random systems of several processors and the splits that lose least there (`thesis`, end of Section 4.4.3)."""

import functools
from typing import NamedTuple

import numpy as np

from clustershare.splitting import approximate_capacity_loss, certify_capacity_loss


class Optimum(NamedTuple):
    """Capacities, a total load, the loads that lose least, and the loss."""

    speeds: np.ndarray
    total: float
    loads: np.ndarray
    loss: float


def systems(number, seed, fewest, most, *, loads=(0.05, 0.95), twins=True, even=3.0):
    """Random capacities and total loads; in every third system two processors are equal.

    Parameters
    ----------
    number, seed, fewest, most : int
        Numbers of systems and, both included, of processors.
    loads : tuple of float
        Within which the total is drawn.
    twins : bool
        Whether some processors are equal.
    even : float
        Capacities are the more alike the larger it is (parameter of a Dirichlet law).

    Yields
    ------
    speeds : ndarray
        In descending order; they sum to 1.
    total : float
    """
    rng = np.random.default_rng(seed)
    for k in range(number):
        parts = rng.dirichlet(np.full(rng.integers(fewest, most + 1), even)) + 1e-4
        if twins and k % 3 == 2:
            parts[1] = parts[0]
        yield np.sort(parts / parts.sum())[::-1].copy(), float(rng.uniform(*loads))


def equal_prices(speeds, total):
    """The loads at which a unit of work costs the same everywhere."""
    return approximate_capacity_loss(speeds, total, rounds=None).processor_loads


@functools.cache
def certified():
    """Optima of three, four and five processors, each with a proof that none loses less by more than 1e-9."""
    found = []
    for processors, number in ((3, 20), (4, 6), (5, 2)):
        for speeds, total in systems(number, processors, processors, processors):
            best = certify_capacity_loss(speeds, total)
            found.append(Optimum(speeds, total, best.processor_loads, best.objective))
    return found


@functools.cache
def settled():
    """Splits of equal prices over six to twelve processors."""
    found = []
    for speeds, total in systems(100, 6, 6, 12):
        best = approximate_capacity_loss(speeds, total, rounds=None)
        found.append(Optimum(speeds, total, best.processor_loads, best.objective))
    return found


def triangle(parts=24):
    """Capacities of three processors, all multiples of 1 / parts, in descending order.

    Yields
    ------
    ndarray, shape (3,)
    """
    for slowest in range(1, parts // 3 + 1):
        for middle in range(slowest, (parts - slowest) // 2 + 1):
            yield np.array([parts - slowest - middle, middle, slowest]) / parts
