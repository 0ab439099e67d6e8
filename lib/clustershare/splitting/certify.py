"""The least capacity loss with a proof, by branch and bound (`thesis`, Problem 4.3, left open for P > 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import null_space

from clustershare.arguments import LARGEST, affordable, fail, integer, number
from clustershare.calls import remembered
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer
from clustershare.splitting.capacity_loss import (
    WHOLE,
    capacity_loss,
    checked_capacities,
    checked_total,
    descend,
    losing,
    minimise_capacity_loss,
)
from clustershare.splitting.curvature import curvatures, slopes
from clustershare.splitting.numbers import checked_loads
from clustershare.typing import FloatArray, Numbers

if TYPE_CHECKING:
    from clustershare.splitting.capacity_loss import SplitLoad

MOST_BOXES = 4_000_000
MINUTES_OF_BOXES = 10**7  # a million take some ten seconds
LEAST_GAP = 1e-12
ROUNDING = 1e-13  # of a bound: a few hundred operations on numbers up to 1


@waited_for
@remembered
def certify_capacity_loss(
    capacities: Numbers, load: float, *, gap: float = 1e-9, start: FloatArray | None = None,
    most_boxes: int = MOST_BOXES, progress: bool = False,
) -> SplitLoad:  # fmt: skip
    """The least capacity loss of all splits of a load, with a bound of how much less any other split could lose.

    Boxes of loads are halved until each is out of the question: because a bound of its curvature shows that nothing in
    it is better than the best split known by more than the gap, or because the loss is convex there, so that a descent
    finds all that is in it.

    Parameters
    ----------
    capacities : sequence of float
        Of the processors, in descending order; they sum to 1. Up to five processors take seconds.
    load : float
        Total load in (0, 1).
    gap : float
        At least 1e-12: bounds are known to 1e-13.
    start : ndarray, optional
        Loads, shape (processors,), below 1, from which the search starts in place of those of equal prices.
    most_boxes : int
        After so many the search ends.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    SplitLoad
        Its `error` is the gap: no split loses less than the objective by more. Its method is "branch and bound".

    Raises
    ------
    NoExactAnswer
        If so many boxes do not prove it.
    UnstableError, ValueError
        As `minimise_capacity_loss`.

    Examples
    --------
    >>> found = certify_capacity_loss([0.4, 0.3, 0.3], 0.1)
    >>> found.processor_loads.round(3), found.error
    (array([0.188, 0.041, 0.041]), 1e-09)
    """
    speeds, total = checked_capacities(capacities), checked_total(load)
    gap, left = number("gap", gap, LEAST_GAP, LARGEST), integer("most_boxes", most_boxes, 1)
    affordable("most_boxes", most_boxes, MINUTES_OF_BOXES)
    best = minimise_capacity_loss(speeds, total, starts=1)  # a better split would be found below
    if start is not None:
        loads = checked_loads("start", start, len(speeds))
        if loads.max() >= 1 or abs(speeds @ loads - total) > WHOLE * total:
            fail("start", start, f"loads below 1 that are {total:.12g} of the capacity")
        best = losing(speeds, total, loads)
    if len(speeds) == 1:
        return best
    loads, least = best.processor_loads, best.objective + total
    plane = null_space(speeds[None, :])  # directions in which the total stays what it is
    lows = np.zeros((1, len(speeds)))
    highs = np.minimum(total / speeds, 1.0)[None, :]  # nothing is gained beyond a load of 1 (Proposition 4.2)
    while len(lows):
        left -= len(lows)
        if left < 0:
            raise NoExactAnswer(
                f"{most_boxes} boxes do not prove a gap of {gap:g} for {len(speeds)} processors at a load of "
                f"{total:g}; a larger gap or more boxes may, and minimise_capacity_loss answers without a proof."
            )
        lows, highs = _cut(speeds, total, lows, highs)
        bounds, points, convex = _bounds(speeds, total, plane, lows, highs)
        alive = bounds < least - gap + ROUNDING
        for k in np.flatnonzero(alive & convex):
            found = descend(speeds, total, points[k], np.column_stack([lows[k], highs[k]]))
            if (value := capacity_loss(speeds, found) + total) < least - ROUNDING:  # an unused processor stays unused
                loads, least = found, value
            # In a convex box the tangent at the lowest point is a bound; a descent that ended early shows in it.
            alive[k] = _tangents(speeds, total, lows[k : k + 1], highs[k : k + 1], found[None, :])[0] < least - gap
        lows, highs = _halves(speeds, lows[alive], highs[alive])
    return losing(speeds, total, loads, method="branch and bound", error=gap)


def _cut(speeds, total, lows, highs):
    """Boxes without those that the plane of the total misses, each as small as the plane allows."""
    rest_low = (lows @ speeds)[:, None] - lows * speeds
    rest_high = (highs @ speeds)[:, None] - highs * speeds
    lows = np.maximum(lows, (total - rest_high) / speeds)
    highs = np.minimum(highs, (total - rest_low) / speeds)
    there = (highs >= lows).all(axis=1)
    return lows[there], highs[there]


def _bounds(speeds, total, plane, lows, highs):
    """Lower bounds of E[f^T] over boxes, a point of each, and whether it is convex there along the plane."""
    widths = highs - lows
    reach = widths @ speeds
    part = np.where(reach > 0, (total - lows @ speeds) / np.where(reach > 0, reach, 1), 0)
    points = lows + np.clip(part, 0, 1)[:, None] * widths
    least, most = np.empty((2, len(points), len(speeds), len(speeds)))
    curvatures(speeds, lows, highs, least, most)
    middle, radius = (least + most) / 2, (most - least) / 2
    lowest = np.linalg.eigvalsh(plane.T @ middle @ plane)[:, 0] - np.linalg.norm(radius, axis=(1, 2))
    farthest = (np.maximum(highs - points, points - lows) ** 2).sum(axis=1)
    bounds = _tangents(speeds, total, lows, highs, points) + np.minimum(lowest, 0) / 2 * farthest
    return bounds, points, lowest > 0


def _tangents(speeds, total, lows, highs, points):
    """The least that the tangents of E[f^T] at points take in their boxes, shape (boxes,)."""
    widths = highs - lows
    values, gradients = np.empty(len(points)), np.empty_like(points)
    slopes(speeds, points, values, gradients)
    # The least of a linear function on the plane: the load goes where it costs least first.
    order = np.argsort(gradients / speeds, axis=1, kind="stable")
    room = np.take_along_axis(widths * speeds, order, axis=1)
    given = np.clip((total - lows @ speeds)[:, None] - (np.cumsum(room, axis=1) - room), 0, room)
    price = np.take_along_axis(gradients / speeds, order, axis=1)
    return values + (given * price).sum(axis=1) - ((points - lows) * gradients).sum(axis=1)


def _halves(speeds, lows, highs):
    """Each box in two, across the side that is widest in work."""
    side = np.argmax((highs - lows) * speeds, axis=1)[:, None]
    middle = (np.take_along_axis(lows, side, 1) + np.take_along_axis(highs, side, 1)) / 2
    first, second = highs.copy(), lows.copy()
    np.put_along_axis(first, side, middle, 1)
    np.put_along_axis(second, side, middle, 1)
    return np.concatenate([lows, second]), np.concatenate([first, highs])
