"""Where to put an arriving job so that the least capacity is lost in the long run: policy iteration."""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from clustershare.shares import maximum_obtainable_share

TIED = 1e-11  # decisions whose values differ by less are kept


class Decisions(NamedTuple):
    """The best placement in the long run, in each state: numbers of jobs, shape (most + 1, ..., most + 1).

    Attributes
    ----------
    loss : float
        The capacity loss.
    values : ndarray, shape (processors, most + 1, ...)
        What is lost from the state after the job was put on a processor on, relative to an empty system; infinite if
        there is no room.
    """

    loss: float
    values: np.ndarray


def best_placement(load, capacities, most):
    """Poisson arrivals, exponential sizes, no migration, and a decision that looks at all numbers of jobs.

    Parameters
    ----------
    load : float
    capacities : sequence of float
        Of the processors, in descending order; they sum to 1.
    most : int
        Jobs at a processor; those that find so many everywhere are lost.

    Returns
    -------
    Decisions

    Examples
    --------
    >>> found = best_placement(0.5, [0.5, 0.5], 20)
    >>> round(found.loss, 4), bool(found.values[0, 0, 1] < found.values[1, 0, 1])
    (0.026, True)
    """
    speeds = np.array(capacities)
    shape = (most + 1,) * len(speeds)
    jobs = np.indices(shape).reshape(len(speeds), -1)
    strides = (most + 1) ** np.arange(len(speeds))[::-1]
    count, index = jobs.shape[1], np.arange(jobs.shape[1])
    totals = jobs.sum(axis=0)
    able = np.array([maximum_obtainable_share(n, speeds) for n in range(totals.max() + 1)])
    cost = able[totals] - speeds @ (jobs > 0)
    room = jobs < most
    departures = [(index[jobs[p] > 0], index[jobs[p] > 0] - strides[p], speed) for p, speed in enumerate(speeds)]
    chosen = np.where(room, jobs, most + 1).argmin(axis=0)
    while True:
        rows, columns, rates = zip(*departures, _arrivals(chosen, room, index, strides, load))
        rates = np.concatenate([np.full(len(row), rate) for row, rate in zip(rows, rates)])
        Q = sparse.coo_array((rates, (np.concatenate(rows), np.concatenate(columns))), shape=(count, count)).tolil()
        Q = (Q - sparse.diags_array(np.asarray(Q.sum(axis=1)).ravel())).tolil()
        Q[:, 0] = -1.0  # the value of the empty system is 0; in its place stands the loss
        found = splu(Q.tocsc()).solve(-cost)
        loss, found[0] = found[0], 0.0
        values = np.array([np.where(room[p], found[np.minimum(index + strides[p], count - 1)], np.inf)
                           for p in range(len(speeds))])  # fmt: skip
        now = values[chosen, index]
        better = values.min(axis=0) < now - TIED
        if not better.any():
            return Decisions(float(loss), values.reshape(len(speeds), *shape))
        chosen = np.where(better, values.argmin(axis=0), chosen)


def _arrivals(chosen, room, index, strides, load):
    entering = index[room[chosen, index]]
    return entering, entering + strides[chosen[entering]], load
