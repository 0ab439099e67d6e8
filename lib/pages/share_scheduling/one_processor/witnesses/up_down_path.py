"""Up-Down in plain Python by its definition, `thesis` (3.37), on the random numbers of the library's event loop.

The loop is written from the definition and shares no code with the kernel, but draws in the kernel's order. So both see
the same arrivals and services, and part at the first job that is chosen otherwise.
"""

import math
from typing import NamedTuple

import numpy as np

# What a priority makes of a required share r, the shares feasible and obtained so far, and how long that is.
RULES = {
    "integral": lambda r, feasible, obtained: r + feasible - obtained,
    "integral over the share": lambda r, feasible, obtained: (r + feasible - obtained) / r,
    "obtained share alone": lambda r, feasible, obtained: r - obtained,
    "fixed": lambda r, feasible, obtained: r,
}
FADING = "fading"  # the integral of what is forgotten exponentially
MEMORY = 20.0  # the mean age of what is remembered then


class Stretch(NamedTuple):
    """What holds between two events.

    Attributes
    ----------
    length : float
    serving : int
        The group served, or -1.
    jobs : tuple of int
        Jobs of the groups, permanent ones included.
    before, after : tuple of float
        The priorities of the groups at its ends.
    """

    length: float
    serving: int
    jobs: tuple
    before: tuple
    after: tuple


def up_down(rng, required_shares, arrival_rates, service_rates, permanent_jobs, events, rule="integral"):
    """A path that starts with the permanent jobs alone, by a rule of `RULES`, or `FADING`: yields each `Stretch`.

    The random numbers are those of one of `clustershare.run_length.RunLength.generators`, as the kernel gets it.
    """
    groups = range(len(required_shares))
    lines = [[True] * permanent_jobs[g] for g in groups]  # the jobs waiting, whether permanent
    jobs, total = list(permanent_jobs), sum(arrival_rates)
    feasible, obtained, faded = [0.0] * len(jobs), [0.0] * len(jobs), list(required_shares)

    def priorities():
        if rule == FADING:
            return tuple(faded)
        return tuple(RULES[rule](required_shares[g], feasible[g], obtained[g]) for g in groups)

    def service(group):
        return rng.standard_exponential() / service_rates[group]

    until_arrival, remaining = rng.standard_exponential() / total, math.inf
    serving, lasting, free = -1, False, True
    priority = priorities()
    for _ in range(events):
        if free:
            waiting = [g for g in groups if lines[g]]
            back = serving if lasting else -1  # a permanent job returns after the choice
            if waiting:
                serving = max(waiting, key=lambda g: (priority[g], -g))
                lasting = lines[serving].pop(0)
                if back >= 0:
                    lines[back].append(True)
            else:
                serving = back
            remaining = service(serving) if serving >= 0 else math.inf
            free = False
        arrives = until_arrival <= remaining
        length = min(until_arrival, remaining)
        for g in groups:
            if jobs[g]:
                feasible[g] += required_shares[g] * length
            net = (required_shares[g] if jobs[g] else 0) - (g == serving)
            faded[g] = net * MEMORY + (faded[g] - net * MEMORY) * math.exp(-length / MEMORY)
        if serving >= 0:
            obtained[serving] += length
        before, priority = priority, priorities()
        yield Stretch(length, serving, tuple(jobs), before, priority)
        until_arrival -= length
        remaining -= length
        if not arrives:
            free = True
            if not lasting:
                jobs[serving] -= 1
            continue
        until_arrival = rng.standard_exponential() / total
        place, g = rng.random() * total, 0
        while g < len(jobs) - 1 and place >= arrival_rates[g]:
            place -= arrival_rates[g]
            g += 1
        jobs[g] += 1
        if serving < 0:
            serving, lasting, remaining = g, False, service(g)
        else:
            lines[g].append(False)


def averages(stretches, permanent_jobs):
    """Presence, obtained shares, job-share deviations and mean numbers of transient jobs: shape (4, groups)."""
    lengths = np.array([stretch.length for stretch in stretches])
    jobs = np.array([stretch.jobs for stretch in stretches])
    served = np.equal.outer([stretch.serving for stretch in stretches], np.arange(len(permanent_jobs)))
    values = jobs > 0, served, served & (jobs > 1), jobs - np.array(permanent_jobs)
    return np.array([lengths @ value for value in values]) / lengths.sum()
