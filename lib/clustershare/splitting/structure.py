"""How the least capacity loss uses many processors, and nearly least losses in no time (`thesis`, Section 4.4.3, open).

In the optimum the part of its time that a processor has left, 1 - rho_{*p}, falls with its capacity: at least as its
root (as for the least response time), at most as the capacity itself (the same spare capacity everywhere).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq

from clustershare.arguments import integer
from clustershare.calls import remembered
from clustershare.splitting.capacity_loss import checked_capacities, checked_total, losing
from clustershare.splitting.prices import NOTHING, corrected, fill, power_rule, prices, settled, stationarity
from clustershare.typing import FloatArray, Numbers

if TYPE_CHECKING:
    from clustershare.splitting.capacity_loss import SplitLoad

MOST_ROUNDS = 10**4
DIGITS = 1e-10  # to which a load is found at which a processor is switched on


@remembered
def approximate_capacity_loss(capacities: Numbers, load: float, *, rounds: int | None = 2) -> SplitLoad:
    """Split a load such that nearly the least capacity is lost, over thousands of processors if need be.

    The part of its time that a processor has left is a power of its capacity. Each round brings the prices of the
    processors nearer to one another, and costs time in proportion to the square of their number.

    Parameters
    ----------
    capacities : sequence of float
        Of the processors, in descending order; they sum to 1.
    load : float
        Total load in (0, 1).
    rounds : int or None
        Of correction, at most 10 000; with 0 it is a formula, with None the prices are equal in the end.

    Returns
    -------
    SplitLoad
        Its objective is the capacity loss, its method "power rule" or "equal prices", its error how unequal they are.

    Raises
    ------
    UnstableError, ValueError
        As `minimise_capacity_loss`.

    Examples
    --------
    >>> approximate_capacity_loss([0.5, 0.3, 0.2], 0.5, rounds=1).processor_loads.round(3)
    array([0.633, 0.445, 0.249])
    """
    speeds, total = checked_capacities(capacities), checked_total(load)
    loads, method = power_rule(speeds, total), "power rule"
    if rounds is None:
        loads, method = settled(speeds, total), "equal prices"
    else:
        for _ in range(integer("rounds", rounds, 0, MOST_ROUNDS)):
            loads = corrected(speeds, total, loads)
    return losing(speeds, total, loads, method=method, error=stationarity(speeds, loads))


@remembered
def level_spare_capacity(capacities: Numbers, load: float) -> SplitLoad:
    """Split a load such that all processors in use have the same capacity left, and no other has more.

    The split that loses least uses no fewer processors and does not load the fastest one more; near a load of 1 it is
    this one.

    Parameters
    ----------
    capacities, load
        As for `approximate_capacity_loss`.

    Returns
    -------
    SplitLoad
        Its objective is the capacity loss.

    Raises
    ------
    UnstableError, ValueError
        As `minimise_capacity_loss`.

    Examples
    --------
    >>> level_spare_capacity([0.5, 0.3, 0.2], 0.7).processor_loads.round(3)
    array([0.8  , 0.667, 0.5  ])
    """
    speeds, total = checked_capacities(capacities), checked_total(load)
    return losing(speeds, total, fill(speeds, total, 1 / speeds)[0])


def switch_on_loads(capacities: Numbers) -> FloatArray:
    """The total load from which on each processor is used by the split that loses least.

    Parameters
    ----------
    capacities : sequence of float
        Of the processors, in descending order; they sum to 1.

    Returns
    -------
    ndarray, shape (processors,)
        0 for the fastest processor and those as fast, then rising. Beyond a load at which all processors are wanted but
        once in 1e200 (hundreds of processors, near a load of 1), no prices can be compared, and it rises no more.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> switch_on_loads([0.5, 0.3, 0.2]).round(3)
    array([0.   , 0.142, 0.307])
    """
    speeds = checked_capacities(capacities)
    found = np.zeros(len(speeds))
    for used in range(1, len(speeds)):
        if speeds[used] == speeds[used - 1]:
            found[used] = found[used - 1]
            continue
        low, high = max(found[used - 1], DIGITS), float(speeds[:used].sum()) * (1 - DIGITS)
        found[used] = low  # where processors differ by next to nothing
        if _too_dear(low, speeds, used) > 0 > _too_dear(high, speeds, used):
            found[used] = brentq(_too_dear, low, high, (speeds, used), xtol=DIGITS)
    return found


def _too_dear(total, speeds, used):
    """By which factor the next processor is dearer than those in use, if no other is used; its logarithm."""
    cost = prices(speeds, settled(speeds, total, used))
    return -1.0 if cost[0] < NOTHING else float(np.log(cost[used] / cost[0]))
