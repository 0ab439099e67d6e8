"""Random systems of several processors and the splits that lose least there (`thesis`, end of Section 4.4.3)."""

import functools
from typing import NamedTuple

import numpy as np
import pandas as pd

from clustershare.splitting import approximate_capacity_loss, capacity_loss, certify_capacity_loss, switch_on_loads


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


def relative(points=40):
    """The second and the third capacity relative to the first, on a grid of the triangle below the diagonal.

    Parameters
    ----------
    points : int
        Of each side.

    Returns
    -------
    second, third : ndarray, shape (points, points)
    """
    second, part = np.meshgrid(np.linspace(0.02, 1, points), np.linspace(0.02, 1, points), indexing="ij")
    return second, second * part


def excess(split, speeds, totals):
    """What a split loses more than that of equal prices, shape (totals,).

    Parameters
    ----------
    split : callable
        Of `clustershare.splitting`, such as `minimise_response_time`.
    speeds, totals : ndarray
        Capacities, and total loads.
    """
    both = [(split(speeds, total).processor_loads, equal_prices(speeds, total)) for total in totals]
    return np.array([capacity_loss(speeds, loads) - capacity_loss(speeds, even) for loads, even in both])


def excess_by_rounds(rounds):
    """The largest excess over the certified loss for each number of processors, after rounds of correction.

    Parameters
    ----------
    rounds : dict
        Name of a column: number of rounds.

    Returns
    -------
    pandas.DataFrame
        With the number of systems as its first column; what is below the gap of a certificate is 1e-9.
    """
    rows = []
    for speeds, total, _, least in certified():
        found = {name: approximate_capacity_loss(speeds, total, rounds=k).objective for name, k in rounds.items()}
        rows.append({"P": len(speeds)} | {name: max(1e-9, loss - least) for name, loss in found.items()})
    groups = pd.DataFrame(rows).groupby("P")
    worst = groups.max().map("{:.0e}".format)
    worst.insert(0, "systems", groups.size())
    return worst


def used_from(second, third):
    """The loads from which on three processors are used, given what two are worth relative to the first.

    Parameters
    ----------
    second, third : ndarray, shape (m, n)

    Returns
    -------
    ndarray, shape (m, n, 3)
    """
    relative = np.stack([np.ones_like(second), second, third], axis=-1)
    return np.apply_along_axis(lambda c: switch_on_loads(c / c.sum()), 2, relative)


FAMILIES = {  # capacities of P processors, but for a factor
    "each half of the one before": lambda P: 0.5 ** np.arange(P),
    "one with half of the capacity, equal others": lambda P: np.r_[P - 1.0, np.ones(P - 1)],
    "half of them three times as fast": lambda P: np.where(np.arange(P) < P // 2, 3.0, 1.0),
}


def families(sizes):
    """The capacities of `FAMILIES`, by name and number of processors."""
    return {(name, P): family(P) / family(P).sum() for name, family in FAMILIES.items() for P in sizes}
