"""What a unit of work costs on each processor, and the splits that equal prices lead to (`thesis`, Problem 4.3).

The price of a processor is by how much the expected feasible share E[f^T] rises with the work sent there. At the least
capacity loss all processors in use have the same price, and no other is cheaper (Karush, Kuhn and Tucker).
"""

import numpy as np

from clustershare.splitting.recursion import convolve, with_one_more

NOTHING = 1e-200  # prices below this are lost in rounding; whatever the split, all capacity is wanted at all times
SETTLED = 1e-13  # of prices, relative
MOST_ROUNDS = 200


def feasible_share(speeds, loads):
    """E[f^T] (4.62) of stable loads and its derivatives by them: float, and ndarray of shape (processors,).

    The derivative of P[N >= n] by a load a is P[N + X = n - 1] / (1 - a)^2, with X one more geometric number.
    """
    law, served = np.zeros((2, len(speeds)))
    law[0] = 1.0
    convolve(law, loads)
    with_one_more(law, loads, speeds, served)
    return 1 - law @ np.cumsum(speeds[::-1])[::-1], served / (1 - loads) ** 2


def prices(speeds, loads):
    """By how much E[f^T] rises with a unit of work, at stable loads, ndarray of shape (processors,)."""
    return feasible_share(speeds, loads)[1] / speeds


def stationarity(speeds, loads):
    """By how much loads miss the conditions of a minimum: 0 where no load gains by being moved.

    Parameters
    ----------
    speeds, loads : ndarray, shape (processors,)

    Returns
    -------
    float
        The largest difference of what a unit of work costs on the processors in use, and of what it would save on one
        that is not.
    """
    cost = prices(speeds, loads)
    used = loads > 1e-9
    price = cost[used].mean()
    return float(max(np.ptp(cost[used]), (price - cost[~used]).max(initial=0)))


def fill(speeds, total, weights):
    """Loads of which 1 less the load is in proportion to weights, at most 1; they sum to the total.

    Parameters
    ----------
    speeds, weights : ndarray, shape (processors,)
    total : float
        In (0, 1).

    Returns
    -------
    ndarray, shape (processors,)
        Processors of large weight may be left without load.
    """
    order = np.argsort(weights, kind="stable")
    capacity, idle = np.cumsum(speeds[order]), np.cumsum((speeds * weights)[order])
    factors = (capacity - total) / idle  # with the first, the first two, ... in use
    factor = factors[np.flatnonzero((factors > 0) & (factors * weights[order] < 1))[-1]]
    return np.maximum(0, 1 - factor * weights)


def tilt(processors, total):
    """Where the power rule stands between the two bounds of the optimum: from 0 at no load to 1 at a load of 1.

    Not derived: the exponent was fitted to optima of 2 to 30 processors.
    """
    return total ** ((processors / 30) ** (1 / 3))


def power_rule(speeds, total):
    """Loads of which 1 less the load falls with the capacity by a power between 1/2 and 1."""
    return fill(speeds, total, _powers(speeds, total))


def _powers(speeds, total):
    """What the power rule has 1 - load in proportion to."""
    return speeds ** (-1 / (2 - tilt(len(speeds), total)))


def corrected(speeds, total, loads, used=None):
    """Loads of equal prices, if those of given loads are right but for a power of what each processor has left.

    The price is a / (1 - load)^2, with an `a` that hardly changes at low loads and falls as 1 - load at high ones.
    Loads that this leaves as they are fulfil the conditions of a minimum.

    Parameters
    ----------
    speeds, loads : ndarray, shape (processors,)
    total : float
    used : int, optional
        So many of the fastest processors may be used; all if not given.

    Returns
    -------
    ndarray, shape (processors,)
    """
    power, most = 2 - tilt(len(speeds), total), slice(used)
    fixed = prices(speeds, loads)[most] * (1 - loads[most]) ** power
    if fixed.min() < NOTHING:
        return loads
    return _filled(speeds, total, fixed ** (1 / power))


def settled(speeds, total, used=None):
    """Loads that a correction leaves as they are, from the power rule on the processors that may be used."""
    loads = _filled(speeds, total, _powers(speeds, total)[:used])
    for _ in range(MOST_ROUNDS):
        before, loads = loads, corrected(speeds, total, loads, used)
        if np.abs(loads - before).max() <= SETTLED * (1 - loads.max()):
            break
    return loads


def _filled(speeds, total, weights):
    """As `fill`, with weights of the fastest processors only; the others have no load."""
    return np.append(fill(speeds[: len(weights)], total, weights), np.zeros(len(speeds) - len(weights)))
