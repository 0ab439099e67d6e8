"""A fast and a slow processor: the best splits of many loads over many pairs (`thesis`, Section 4.4.3)."""

from typing import NamedTuple

import numpy as np

from clustershare.splitting import capacity_loss, minimise_capacity_loss
from clustershare.splitting.curvature import slopes

CAPACITIES = np.arange(101, 200) / 200  # of the faster processor: 0.505, 0.51, ..., 0.995
LOADS = np.arange(1, 100) / 100
FEW_LOADS = np.arange(1, 20) / 20


class Splits(NamedTuple):
    """Splits of each load (second axis) over each pair (first axis).

    Attributes
    ----------
    loads : ndarray, shape (pairs, loads, 2)
        Of the two processors.
    fraction : ndarray, shape (pairs, loads)
        Of the jobs, to the faster one.
    objective : ndarray, shape (pairs, loads)
        The least capacity loss, or mean time.
    """

    loads: np.ndarray
    fraction: np.ndarray
    objective: np.ndarray


def splits(minimise, faster, loads):
    """The best splits, point by point.

    Parameters
    ----------
    minimise : callable
        Of `clustershare.splitting`, such as `minimise_capacity_loss`.
    faster : sequence of float
        Capacities of the faster processors, at least 1/2; the slower one has the rest.
    loads : sequence of float

    Returns
    -------
    Splits
    """
    best = [[minimise(np.array([c, 1 - c]), load) for load in loads] for c in faster]
    return Splits(
        np.array([[split.processor_loads for split in row] for row in best]),
        np.array([[split.fractions[0] for split in row] for row in best]),
        np.array([[split.objective for split in row] for row in best]),
    )


def proportional(faster, loads):
    """The capacity loss where both processors have the same load (Proportional Branching), shape (pairs, loads)."""
    return np.array([[capacity_loss(np.array([c, 1 - c]), np.full(2, load)) for load in loads] for c in faster])


def least(faster, loads):
    """The least capacity loss, shape (pairs, loads)."""
    return splits(minimise_capacity_loss, faster, loads).objective


def losses(c, first, second):
    """The capacity loss of one pair under many splits, all at once.

    Parameters
    ----------
    c : float
        Capacity of the faster processor.
    first, second : ndarray, shape (points,)
        Loads of the two processors, at most 1.

    Returns
    -------
    ndarray, shape (points,)
    """
    capacities, points = np.array([c, 1 - c]), np.column_stack([first, second])
    feasible, gradients = np.empty(len(points)), np.empty(points.shape)
    slopes(capacities, points, feasible, gradients)
    return feasible - points @ capacities
