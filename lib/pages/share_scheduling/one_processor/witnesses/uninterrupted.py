"""A chain of two groups whose services are not interrupted: how many jobs of each there are, and who is served.

It knows none of the formulas of `thesis`, Chapter 3, and nothing of the order within a group.
"""

import functools

import numpy as np

from clustershare import markov


@functools.cache
def law(rho_1, rho_2, first=None, level=60):
    """Numbers of jobs and their law when arrivals are lost while there are `level` jobs; all service rates are 1.

    The group `first` is taken first, as HOL does. None takes any of those who wait, each with the same probability: the
    numbers then have the law of FCFS, under which all orders of those who wait are equally probable. Third, a bound of
    what is lost, in any probability: a lost job matters until the processor would next be idle.

    Examples
    --------
    >>> counts, probability, error = law(0.3, 0.4, first=0)
    >>> round(float(probability[counts[0] > 0].sum()), 6), round(0.7 - 0.4 / 1.3, 6), error < 1e-6
    (0.392308, 0.392308, True)
    """
    states = [(0, 0, 0)]
    states += [
        (n, m, s) for n in range(level + 1) for m in range(level + 1 - n) for s in (0, 1) if n + m and (n, m)[s] > 0
    ]
    place = {state: number for number, state in enumerate(states)}
    rows, columns, rates = [], [], []

    def add(source, target, rate):
        if rate > 0:
            rows.append(place[source])
            columns.append(place[target])
            rates.append(rate)

    for n, m, s in states:
        if n + m < level:
            add((n, m, s), (n + 1, m, s if n + m else 0), rho_1)
            add((n, m, s), (n, m + 1, s if n + m else 1), rho_2)
        if n + m:
            left = (n - 1, m) if s == 0 else (n, m - 1)
            to_first = left[0] / max(1, sum(left)) if first is None or 0 in left else float(first == 0)
            if sum(left) == 0:
                to_first = 1.0
            add((n, m, s), (*left, 0), to_first)
            add((n, m, s), (*left, 1), 1 - to_first)
    generator = markov.generator(len(states), np.array(rows), np.array(columns), np.array(rates))
    probability = markov.stationary(generator)
    counts = np.array(states).T[:2]
    load = rho_1 + rho_2
    full = probability[counts.sum(axis=0) == level].sum()
    return counts, probability, float(load * full * (level + 1) / (1 - load))
