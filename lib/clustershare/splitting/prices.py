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
    used = loads > 1e-9 * loads.max()
    price = cost[used].mean()
    return float(max(np.ptp(cost[used]), (price - cost[~used]).max(initial=0)))


def fill(speeds, total, weights):
    """Loads of which 1 less the load is in proportion to weights, at most 1; they sum to the total.

    Parameters
    ----------
    speeds, weights : ndarray, shape (processors,)
    total : float
        In (0, 1), of the whole capacity.

    Returns
    -------
    loads, idle : ndarray, shape (processors,)
        And 1 less the loads, to more digits near a load of 1. Processors of large weight may be left without load.
    """
    order = np.argsort(weights, kind="stable")
    heavier, own = weights[order], speeds[order]
    # What is served at the weights of the first, the first two, ... when the last of these begins: no load is lost as
    # the difference of two numbers near 1.
    before = np.append(0.0, np.cumsum(np.diff(heavier) * np.cumsum(own)[:-1]))
    offered = total * own.sum()
    last = np.flatnonzero(heavier * offered > before)[-1]
    used, rest = order[: last + 1], own[last + 1 :].sum()
    part, whole = weights[used] / heavier[last], speeds[used] @ weights[used]
    begun = (heavier[last] - weights[used]) / heavier[last]
    loads, idle = np.zeros(len(speeds)), np.ones(len(speeds))
    loads[used] = begun + part * ((heavier[last] * offered - before[last]) / whole)
    idle[used] = weights[used] * ((own.sum() * (1 - total) - rest) / whole)
    return loads, idle


def tilt(processors, total):
    """Where the power rule stands between the two bounds of the optimum: from 0 at no load to 1 at a load of 1.

    Not derived: the exponent was fitted to optima of 2 to 30 processors.
    """
    return total ** ((processors / 30) ** (1 / 3))


def power_rule(speeds, total):
    """Loads of which 1 less the load falls with the capacity by a power between 1/2 and 1."""
    return fill(speeds, total, _powers(speeds, total))[0]


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
    own = speeds[: len(weights)]
    return np.append(fill(own, total * (speeds.sum() / own.sum()), weights)[0], np.zeros(len(speeds) - len(weights)))
