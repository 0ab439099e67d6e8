"""Stored points of `roundrobin`, as arrays with their intervals."""

import itertools

import numpy as np

from clustershare import multiserver
from compendium import study
from compendium.press.clauses import grid, measured
from pages.balanced_fairness.systems import paper_sizes
from pages.round_robin.systems import NUMBERS, example

CAPACITIES, LOADS = ((1.0, 1.0), (0.5, 2.0)), (0.3, 0.6, 0.9)


def more_and_more_interruptions():
    """Simulated points of `example` for the sizes of `balanced`, more and more often interrupted: a data frame."""
    job_sizes = paper_sizes()
    return study.run(
        "round-robin", multiserver.simulate,
        study.grid(capacities=CAPACITIES, load=LOADS, letter=list(job_sizes),
                   interruptions=NUMBERS),
        lambda capacities, load, letter, interruptions: {
            **example(load, capacities, job_sizes[letter].mean), "sizes": job_sizes[letter],
            "interruptions": interruptions,
        },
        fidelity="book",
    )  # fmt: skip


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


def sensitivity():
    """By how much the mean service rates of four laws of sizes differ, in parts of the larger, as m grows.

    Returns
    -------
    compendium.press.clauses.points.Points
        Of capacities, loads, classes and m. The interval of each holds all that the intervals of the rates allow, so
        those of two m may hang together; each is asked by itself.
    """
    rows = more_and_more_interruptions()
    rows = rows[rows["quantity"] == "mean_service_rate"]

    def ranges(capacities, load, index):
        chosen = rows[(rows["capacities"] == capacities) & (rows["load"] == load) & (rows["index"] == index - 1)]
        fair = multiserver.balanced_fairness(**example(load, capacities)).mean_service_rate[index - 1]
        laws = [
            chosen[chosen["letter"] == letter].sort_values("interruptions")[["estimate", "half_width"]].to_numpy().T
            for letter in paper_sizes()
        ]
        laws.append(np.array([np.full(len(NUMBERS), fair), np.zeros(len(NUMBERS))]))
        pairs = [difference_between(one, two) for one, two in itertools.combinations(laws, 2)]
        least, greatest = np.max(pairs, axis=0)
        return measured((least + greatest) / 2, (greatest - least) / 2, risk=None, m=NUMBERS)

    return grid(capacities=CAPACITIES, load=LOADS, **{"class": (1, 2, 3)}).measure(ranges)
