"""Intervals that hold jointly: how far simulated numbers may be from exact ones when many are compared at once."""

import numpy as np
from scipy import stats


def widened(points, replications):
    """By how much half widths of 95 % grow if so many intervals are to hold jointly with 95 % (Bonferroni).

    Examples
    --------
    >>> round(float(widened(1, 10)), 12), round(float(widened(100, 10)), 2)
    (1.0, 2.34)
    """
    return stats.t.ppf(1 - 0.025 / points, replications - 1) / stats.t.ppf(0.975, replications - 1)


def mean_of(values):
    """Mean and half width of 95 % over the first axis, of replications."""
    values = np.asarray(values)
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return values.mean(axis=0), half


def ratio_of(tops, bottoms):
    """Mean and half width of 95 % of a ratio of two sums over the first axis, of replications."""
    tops, bottoms = np.asarray(tops), np.asarray(bottoms)
    ratio = tops.sum(axis=0) / bottoms.sum(axis=0)
    _, half = mean_of((tops - ratio * bottoms) / bottoms.mean(axis=0))
    return ratio, half


def farthest(values, half_widths, expected):
    """The largest distance from what is expected, in half widths; no distance counts where there is no doubt at all."""
    distance, half_widths = np.abs(np.subtract(values, expected)), np.asarray(half_widths)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nanmax(np.where(distance > 1e-12, distance / half_widths, 0.0)))


def told(distance, points, replications):
    """What a finding says of simulated numbers, and whether they are inside their simultaneous intervals."""
    bound = widened(points, replications)
    return f"{points} simulated numbers at most {distance:.1f} half widths away, {bound:.1f} allowed", distance < bound
