"""Claims of `balanced`, Sections 2 and 5, on paths made of the words alone: who is served, at what rate, how long."""

import functools
import itertools

import numpy as np

from compendium.press.findings import check, finding
from pages.balanced_fairness.points.intervals import farthest, ratio_of, told
from pages.balanced_fairness.points.published import FIGURES, classes, points
from pages.balanced_fairness.systems import paper_sizes
from pages.balanced_fairness.witnesses.paths import path


@functools.cache
def measured(number, letter, m, load):
    """Ten paths in the system of a figure, and the arrival rates."""
    size = paper_sizes()[letter]
    system = FIGURES[number][1](load, mean_size=size.mean)
    length = {"events": 5_000, "until_empty": True} if number < 3 else {"events": 8_000, "warmup": 4_000}
    theta = size.mean / m if m else np.inf
    found = [
        path(system["graph"], system["arrival_rates"], size, theta=theta, seed=20, number=k, **length)
        for k in range(10)
    ]
    return np.atleast_1d(system["arrival_rates"]), found


PLACES = [
    *itertools.product((1, 2), "abc", (0, 1, 5), (0.3, 0.6, 0.9)),
    *itertools.product((3, 4), "abc", (1,), (0.6,)),
]


@check("balanced-020", anew=True)
def delay_is_size_over_rate(anew=False):
    """Delays of jobs one by one, numbers, and work, counted apart on one path; in the control each visit is a job."""
    worst, compared = 0.0, 0
    for number, letter, m, load in PLACES:
        rates, found = measured(number, letter, m, load)
        time, mean = np.array([each.time for each in found]), paper_sizes()[letter].mean
        for index in classes(number):
            delays, departures, visits, interruptions, jobs, work = np.transpose(
                [
                    [part[index] for part in (p.delays, p.departures, p.visits_delay, p.interruptions, p.jobs, p.work)]
                    for p in found
                ]
            )
            delays, departures = (visits, departures + interruptions) if anew else (delays, departures)
            # The delay over the number of jobs, in units of 1 / lambda, and of the mean size over the work done.
            for top, bottom in ((delays * time * rates[index], departures * jobs),
                                (delays * work, departures * jobs * mean)):  # fmt: skip
                worst = max(worst, farthest(*ratio_of(top / bottom, np.ones(10)), 1.0))
                compared += 1
    gap = 0.0
    for number, letter, m in itertools.product(FIGURES, "abc", (0, 1, 5)):
        for index in classes(number):
            delay, rate = (points(number, letter, m, name, index)[0] for name in ("mean_delay", "mean_service_rate"))
            gap = max(gap, np.abs(delay * rate / paper_sizes()[letter].mean - 1).max())
    said, inside = told(worst, compared, 10)
    return finding(
        f"{said}; in the figures {'equal' if gap < 1e-9 else 'not equal'} within 1e-9", inside and gap < 1e-9
    )
