"""The points and curves of Figures 1 to 4 of `balanced`, as its pages publish them, side by side; and some beside."""

import functools

import numpy as np

from clustershare import multiserver, sizes
from compendium import study
from pages.balanced_fairness.systems import LOADS, fair_curves, paper_sizes, random_servers, three_servers

FIGURES = {
    1: ("three-servers", three_servers),
    2: ("nested-servers", lambda load, mean_size=1.0: three_servers(load, (1.0, 0.0, 1.0), mean_size)),
    3: ("random-servers", lambda load, mean_size=1.0: random_servers(load, 2, mean_size=mean_size)),
    4: ("random-servers", lambda load, mean_size=1.0: random_servers(load, 3, mean_size=mean_size)),
}


def classes(number):
    """The classes of a figure, 0-based: those of Figures 3 and 4 are alike."""
    return (0, 1) if number < 3 else (0,)


EXPONENTIAL = "exponential"  # in place of the letter of a panel


@functools.cache
def simulated(number, letters=("a", "b", "c"), interruptions=(0, 1, 5), loads=LOADS, fidelity="paper"):
    """Simulated points in the system of a figure: one data frame; its own points if nothing else is asked for."""
    name, system = FIGURES[number]
    job_sizes = {**paper_sizes(), EXPONENTIAL: sizes.Exponential()}
    return study.run(
        name, multiserver.simulate, study.grid(letter=letters, interruptions=interruptions, load=loads),
        lambda letter, interruptions, load: {
            **system(load, mean_size=job_sizes[letter].mean), "sizes": job_sizes[letter],
            "interruptions": interruptions,
        },
        fidelity=fidelity,
    )  # fmt: skip


def exponential(number):
    """`simulated` for exponential sizes, where balanced fairness is exact."""
    return simulated(number, letters=(EXPONENTIAL,), fidelity="book")


def hardly_interrupted(number):
    """`simulated` with an interruption for each hundred jobs."""
    return simulated(number, interruptions=(0.01,), loads=(0.3, 0.6, 0.9), fidelity="book")


def points(number, letter, interruptions, quantity="mean_service_rate", index=0, rows=None):
    """Estimates and half widths of one series of a figure at its loads, or of such rows as `simulated` makes."""
    rows = simulated(number) if rows is None else rows
    rows = rows[(rows["letter"] == letter) & (rows["interruptions"] == interruptions)]
    rows = rows[(rows["quantity"] == quantity) & (rows["index"] == index)].sort_values("load")
    return rows["estimate"].to_numpy(), rows["half_width"].to_numpy()


@functools.cache
def curves(number, loads=LOADS):
    """The exact curves of a figure at some loads, as they are drawn."""
    return fair_curves(loads, [multiserver.balanced_fairness(**FIGURES[number][1](load)) for load in loads])


def curve(number, letter, quantity="mean_service_rate", index=0, loads=LOADS):
    """One exact curve of a figure."""
    rows = curves(number, loads)
    rows = rows[(rows["letter"] == letter) & (rows["quantity"] == quantity) & (rows["index"] == index)]
    return rows["exact"].to_numpy()


def difference_between(low, high):
    """The least and the greatest difference, relative to the larger, of two values known to lie in intervals.

    Parameters
    ----------
    low, high : tuple of (ndarray, ndarray)
        Estimates and half widths of each of the two.
    """
    (first, first_doubt), (second, second_doubt) = low, high
    ends = [
        (first + a * first_doubt, second + b * second_doubt) for a in (-1, 1) for b in (-1, 1)
    ]  # fmt: skip
    relative = np.array([np.abs(x - y) / np.maximum(np.abs(x), np.abs(y)) for x, y in ends])
    crossing = np.abs(first - second) <= first_doubt + second_doubt
    return np.where(crossing, 0.0, relative.min(axis=0)), relative.max(axis=0)
