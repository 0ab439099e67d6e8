"""The stored simulated points of `ctmc`, Figures 2 to 11, and how exact answers are held against them.

The rule is the same everywhere: every exact value within two half widths of the 95 % interval, and within one at nine
points of ten, where an interval is taken to be 1e-4 wide at least.
"""

import functools

import numpy as np

from clustershare.cluster_chain import simulate
from compendium import study
from compendium.press.clauses import everywhere, exact
from compendium.press.clauses.conditions import at_least, at_most
from pages.cluster_chain.systems import (
    ARRIVAL_RATES,
    CLOUD_RATES,
    LARGEST,
    MEASURES,
    RATES,
    SERVERS,
    SHARES,
    SPREADS,
    TRACKER_RATES,
    figure_2,
    figure_3,
    figure_5,
    figure_7,
    figure_10,
    figure_11,
    job_sizes,
)

NAMES = tuple(job_sizes(16))
# By figure: the cluster of a point, the points that are drawn, the study and the points that are simulated.
FIGURES = {
    "2": (
        figure_2,
        {"tracker_rate": TRACKER_RATES, "arrival_rate": RATES},
        "cluster-tracker",
        {"tracker_rate": (15, 50, 200, 1000), "arrival_rate": RATES},
    ),
    "3": (
        figure_3,
        {"servers": SERVERS, "arrival_rate": RATES},
        "cluster-size",
        {"servers": (1, 2, 4, 8, 16), "arrival_rate": RATES},
    ),
    "5": (
        figure_5,
        {"largest": LARGEST, "arrival_rate": ARRIVAL_RATES},
        "cluster-largest-job",
        {"largest": LARGEST, "arrival_rate": (20, 60, 100)},
    ),
    "7": (
        figure_7,
        {"distribution": NAMES, "arrival_rate": ARRIVAL_RATES},
        "cluster-blocking",
        {"distribution": NAMES, "arrival_rate": (10, 20, 30, 50, 80, 100)},
    ),
    "10": (figure_10, {"spread": SPREADS}, "cluster-spread", {"spread": (0.5, 2, 4, 8, 15)}),
    "11": (
        figure_11,
        {"share": SHARES, "arrival_rate": CLOUD_RATES},
        "cluster-cloud",
        {"share": SHARES, "arrival_rate": (30, 60, 90, 120)},
    ),
}
EVERY = tuple(FIGURES)  # those of Figures 4, 6, 8 and 9 are among them
LEAST_WIDTH = 1e-4


def drawn(figures=EVERY):
    """The clusters of all points that some figures draw.

    Examples
    --------
    >>> len(drawn(["10"])), len(drawn())
    (13, 341)
    """
    return [make(**point) for make, points, *_ in map(FIGURES.get, figures) for point in study.grid(**points)]


@functools.cache
def _points(figure):
    make, _, name, points = FIGURES[figure]
    grid = study.grid(**points)
    rows = study.run(name, simulate, grid, lambda **point: {"cluster": make(**point)}, fidelity="book")
    rows = rows[rows["index"] == 0]
    keys = rows[list(points)].itertuples(index=False, name=None)
    found = {}
    for key, name, value, width in zip(keys, rows["quantity"], rows["estimate"], rows["half_width"], strict=True):
        found.setdefault(key, {})[name] = (value, width)
    return [(make(**dict(zip(points, key, strict=True))), measures) for key, measures in found.items()]


def simulated(figures=EVERY):
    """The simulated points of some figures: clusters, and for each measure its estimate and half width.

    Examples
    --------
    >>> [(cluster, measures)] = simulated(["10"])[:1]
    >>> value, width = measures["mean_delay"]
    >>> abs(value - cluster.solve().mean_delay) < 2 * width
    True
    """
    return [point for figure in figures for point in _points(figure)]


def in_widths(exact, estimate, half_width):
    """How far exact values are from simulated ones, in half widths.

    Examples
    --------
    >>> in_widths([1.0, 1e-5], [1.5, 0.0], [0.5, 0.0]).tolist()
    [1.0, 0.1]
    """
    return np.abs(np.subtract(exact, estimate)) / np.maximum(half_width, LEAST_WIDTH)


def off_paths(exactly, found, names=MEASURES):
    """How far measures, by name, are from those that some paths show, in half widths."""
    return [in_widths(exactly[name], getattr(found, name).value, getattr(found, name).half_width) for name in names]


def agreeing(what, off):
    """That exact values are within two half widths of simulated ones, and nine of ten within one: two clauses.

    Parameters
    ----------
    what : str
        The exact values.
    off : array_like
        In half widths.
    """
    off = np.ravel(off)
    return (
        everywhere(
            f"the distance of {what} from simulated values, in half widths,", exact(off, point=None), at_most(2)
        ),
        everywhere("the part of these distances that is at most 1", exact((off <= 1).mean()), at_least(0.9)),
    )
