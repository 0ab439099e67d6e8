"""Jobs sent to processors by a fixed pattern that repeats, in place of chance (`thesis`, Section 4.3.2, from [19])."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from clustershare.arguments import LARGEST, UnstableError, affordable, integer, positive, vector
from clustershare.calls import remembered
from clustershare.markov import gth
from clustershare.results import Result
from clustershare.typing import Integers, Numbers

MOST_PLACES = 300  # of a pattern: the time grows as the cube


@dataclass(frozen=True)
class PatternPerformance(Result):
    """Queues fed by a pattern.

    Attributes
    ----------
    mean_jobs : ndarray, shape (processors,)
        Mean number of jobs at each processor.
    mean_waiting_time : ndarray, shape (processors,)
        Mean time until service begins of the jobs of each processor, first come, first served; nan without jobs.
    overall_waiting_time : float
        Of a job of any processor.
    """

    mean_jobs: np.ndarray
    mean_waiting_time: np.ndarray
    overall_waiting_time: float


@remembered
def pattern_allocation(pattern: Integers, arrival_rate: float, service_rates: Numbers) -> PatternPerformance:
    """The k-th job goes where a periodic pattern says: Poisson arrivals, exponential sizes, first come, first served.

    At each processor the state is the place in the pattern and the number of jobs: a quasi-birth-death chain, solved by
    logarithmic reduction. Nothing is subtracted but what is sent from what can be served, and that exactly, so that no
    digit is lost at the smallest and largest loads.

    Parameters
    ----------
    pattern : sequence of int
        The processor of each job of a period of at most 300, counted from 0. The pattern may begin anywhere: its place
        is random.
    arrival_rate : float
        Jobs per unit time, all processors together.
    service_rates : sequence of float
        Jobs per unit time that each processor serves.

    Returns
    -------
    PatternPerformance

    Raises
    ------
    UnstableError
        If a processor is sent more than it can serve.
    ValueError
        If an argument is not as above.

    Examples
    --------
    Two like processors in turn: waits are shorter than by chance, where they are 1:

    >>> pattern_allocation([0, 1], 1.0, [1.0, 1.0]).mean_waiting_time.round(4)
    array([0.618, 0.618])
    """
    rates = np.array(vector("service_rates", service_rates, positive))
    places = np.array(vector("pattern", pattern, lambda name, value: integer(name, value, 0, len(rates) - 1)))
    affordable("the length of pattern", len(places), MOST_PLACES)
    total = positive("arrival_rate", arrival_rate)
    parts = [Fraction(int(count), len(places)) for count in np.bincount(places, minlength=len(rates))]
    loads = [part * Fraction(total) / Fraction(rate) for part, rate in zip(parts, rates.tolist())]
    if max(loads) >= 1:
        raise UnstableError(
            f"arrival_rate must leave every processor a load below 1; got loads "
            f"{', '.join(f'{float(min(load, LARGEST)):.6g}' for load in loads)}.",  # type: ignore[arg-type]
            [p for p, load in enumerate(loads) if load >= 1],
        )  # fmt: skip
    waits = np.array([_mean_wait(places == p, total, rate, float(1 - load)) if load else np.nan
                      for p, (rate, load) in enumerate(zip(rates, loads))])  # fmt: skip
    parts = np.array(parts, dtype=float)
    jobs = np.array(loads, dtype=float) + np.where(parts > 0, parts * total * waits, 0.0)
    return PatternPerformance(
        method="chain", mean_jobs=jobs, mean_waiting_time=waits, overall_waiting_time=float(np.nansum(waits * parts)),
    )


def _mean_wait(own, arrival_rate, service_rate, idle):
    """Mean waiting time at a processor that gets the jobs at some places of the pattern, and is idle for some time."""
    period = len(own)
    forward = np.roll(np.eye(period), 1, axis=1)  # from each place to the next
    larger = max(arrival_rate, service_rate)
    arrive, leave = arrival_rate / larger, service_rate / larger
    arrive, leave = arrive / (arrive + leave), leave / (arrive + leave)  # of the next event
    up = arrive * own[:, None] * forward
    stay = arrive * ~own[:, None] * forward
    # From one level to the next and to the one before, without the times between, doubled again and again.
    high, low = np.hsplit(_solve(stay, leave + arrive * own, np.hstack([up, leave * np.eye(period)])), 2)
    first_passage, reach = low, high
    while True:
        twice = np.hstack([high @ high, low @ low])
        high, low = np.hsplit(_solve(high @ low + low @ high, twice.sum(axis=1), twice), 2)
        before, first_passage = first_passage, first_passage + reach @ low
        reach = reach @ high
        if (first_passage == before).all() or reach.max() < np.finfo(float).eps:
            break
    R = up @ _solve(stay + up @ first_passage, np.full(period, leave), np.eye(period))
    # At level 0 nobody is served. The place is uniform over all levels: that less what R makes of it is level 0.
    empty = idle * gth((stay + leave * R) / arrive)
    beyond = _solve(R.T, period * empty, np.eye(period)).T  # the inverse of I - R
    found = R.mean(axis=0) * period / (arrival_rate * own.sum())  # by level 1 and above, for each arrival
    return float((found @ R @ beyond).sum())


def _solve(moves, out, right):
    """X of X = moves X + right, by an elimination that never subtracts (Grassmann, Taksar and Heyman).

    Parameters
    ----------
    moves : ndarray, shape (states, states)
        Substochastic; the diagonal is not read.
    out : ndarray, shape (states,)
        What each row of `moves` lacks to 1.
    right : ndarray, shape (states, some)
        At least 0.

    Returns
    -------
    ndarray, of the shape of `right`
    """
    count = len(moves)
    table = np.column_stack([moves, out, right])
    for k in range(count):
        table[k, k] = table[k, k + 1 : count + 1].sum()
        table[k, k + 1 :] /= table[k, k]
        table[k + 1 :, k + 1 :] += table[k + 1 :, [k]] * table[k, k + 1 :]
    result = table[:, count + 1 :]
    for k in range(count - 2, -1, -1):
        result[k] += table[k, k + 1 : count] @ result[k + 1 :]
    return result
