"""The plane of load split and required share: where a policy on one processor keeps all its promises, exactly."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from clustershare import uniprocessor


@dataclass(frozen=True)
class Plane:
    """The largest group-share deviation of a policy on a grid, and the truncation error of its chains.

    Attributes
    ----------
    grid : ndarray, shape (points,)
        Required shares of group 1, and its parts of the load.
    deviation : ndarray, shape (points, points)
        Shares down, parts of the load across.
    error : float
    """

    grid: np.ndarray
    deviation: np.ndarray
    error: float


def plane(policy, groups, load, points, tolerance):
    """The plane of a policy at a load of all groups together, with so many points in each direction.

    The groups after the first bring equal loads, and share what group 1 leaves as 1, or 2 to 1, and so on.

    Examples
    --------
    >>> plane("GPPS", 2, 0.5, 2, 1e-6).deviation.max() <= 0
    np.True_
    """
    grid = (np.arange(points) + 0.5) / points
    rest = np.arange(groups - 1, 0, -1) / (groups * (groups - 1) / 2)
    deviation, error = np.empty((points, points)), 0.0
    for row, share in enumerate(grid):
        for column, x in enumerate(grid):
            if groups == 2 and (row, column) > (points - 1 - row, points - 1 - column):
                # The same two groups by other names.
                deviation[row, column] = deviation[points - 1 - row, points - 1 - column]
                continue
            loads = load * np.array([x, *np.full(groups - 1, (1 - x) / (groups - 1))])
            result = uniprocessor.exact(policy, (share, *(1 - share) * rest), loads, tolerance=tolerance)
            deviation[row, column] = result.group_share_deviation.max()
            error = max(error, result.error)
    return Plane(grid, deviation, error)


def summary(planes):
    """How much of each plane is kept, and the worst and the mean deviation, by the policy that is its key."""
    rows = {}
    for policy, found in planes.items():
        values = found.deviation
        rows[policy] = [(values.round(9) <= 0).mean(), values.max(), values.mean()]
    return pd.DataFrame(rows, index=["part kept", "worst", "mean"]).T.round(3) + 0.0
