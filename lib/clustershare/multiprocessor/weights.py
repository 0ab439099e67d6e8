"""Multiprocessor Group-Priority Processor Sharing (MGPPS): the weights of the groups (`thesis`, Section 4.2.2)."""

from __future__ import annotations

import numpy as np

from clustershare.arguments import integer, vector
from clustershare.shares import required_shares as check_shares
from clustershare.shares import sorted_capacities
from clustershare.typing import FloatArray, Integers, Numbers


def group_weights(required_shares: Numbers, jobs: Integers, capacities: Numbers) -> FloatArray:
    """The fraction of time that each processor spends on each group under MGPPS (`thesis`, Figure 4.4).

    The fastest processors are given out first, to the groups that still have jobs without one, in proportion to what
    they require. Each group obtains its feasible share at least, and no capacity is lost.

    Parameters
    ----------
    required_shares : sequence of float
        Of the groups; they sum to 1.
    jobs : sequence of int
        Jobs of each group that are present, at least 0.
    capacities : sequence of float
        Of the processors, in descending order.

    Returns
    -------
    ndarray, shape (groups, processors)
        Each job of a group has an equal part of it.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    The one job of the first group may use one processor only; the second group has the rest:

    >>> group_weights([0.5, 0.5], [1, 4], [0.4, 0.3, 0.3])
    array([[0.5, 0.5, 0. ],
           [0.5, 0.5, 1. ]])
    """
    shares = np.array(check_shares("required_shares", required_shares))
    present = vector("jobs", jobs, lambda name, value: integer(name, value, 0), len(shares))
    result = np.zeros((len(shares), len(sorted_capacities("capacities", capacities))))
    left = np.array(present, dtype=float)  # M_g: what it can still use
    for processor in range(result.shape[1]):
        given = 0.0  # B
        while given < 1 and (left > 0).any():
            active = left > 0
            parts = np.where(active, shares, 0) / shares[active].sum()
            lasts = np.full(len(parts), np.inf)
            lasts[active] = left[active] / parts[active]
            first = int(np.argmin(lasts))
            step = min(lasts[first], 1 - given)
            result[:, processor] += parts * step
            left = np.maximum(left - parts * step, 0)
            if step == lasts[first]:
                left[first] = 0  # and not what rounding leaves
            given = 1.0 if step == 1 - given else given + step
    return result
