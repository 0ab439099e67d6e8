"""Jobs sent to processors by a fixed pattern that repeats, in place of chance (`thesis`, Section 4.3.2, from [19])."""

from dataclasses import dataclass

import numpy as np

from clustershare.arguments import UnstableError, integer, positive, vector
from clustershare.results import NoExactAnswer, Result

MOST_STEPS = 60
TOLERANCE = 1e-14


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


def pattern_allocation(pattern, arrival_rate, service_rates):
    """The k-th job goes where a periodic pattern says: Poisson arrivals, exponential sizes, first come, first served.

    At each processor the state is the place in the pattern and the number of jobs: a quasi-birth-death chain, solved by
    logarithmic reduction.

    Parameters
    ----------
    pattern : sequence of int
        The processor of each job of a period, counted from 0. The pattern may begin anywhere: its place is random.
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
    NoExactAnswer
        If the reduction does not end: too near to a load of 1.
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
    total = positive("arrival_rate", arrival_rate)
    sent = np.bincount(places, minlength=len(rates)) * total / len(places)
    if (sent >= rates).any():
        over = np.flatnonzero(sent >= rates)
        raise UnstableError(
            f"arrival_rate must leave every processor a load below 1; got loads "
            f"{', '.join(f'{load:.6g}' for load in sent / rates)}.", [int(p) for p in over],
        )  # fmt: skip
    jobs = np.array([_mean_jobs(places == p, total, rate) if sent[p] else 0.0 for p, rate in enumerate(rates)])
    with np.errstate(invalid="ignore", divide="ignore"):
        waits = np.where(sent > 0, jobs / sent - 1 / rates, np.nan)
    return PatternPerformance(
        method="chain", mean_jobs=jobs, mean_waiting_time=waits,
        overall_waiting_time=float(np.nansum(waits * sent) / total),
    )  # fmt: skip


def _mean_jobs(own, arrival_rate, service_rate):
    """Mean number at a processor that gets the jobs at some places of the pattern."""
    period = len(own)
    forward = np.roll(np.eye(period), 1, axis=1)  # from each place to the next
    up = arrival_rate * own[:, None] * forward
    stay = arrival_rate * ~own[:, None] * forward
    leave = arrival_rate + service_rate
    # From one level to the next and to the one before, without the times between, doubled again and again.
    local = np.linalg.inv(leave * np.eye(period) - stay)
    high, low = local @ up, service_rate * local
    first_passage, reach = low.copy(), high.copy()
    for _ in range(MOST_STEPS):
        both = np.linalg.inv(np.eye(period) - high @ low - low @ high)
        high, low = both @ high @ high, both @ low @ low
        first_passage += reach @ low
        reach = reach @ high
        if reach.max() < TOLERANCE or 1 - first_passage.sum(axis=1).min() < TOLERANCE:
            break
    else:
        raise NoExactAnswer("The chain of the pattern is too near to a load of 1 to be solved.")
    R = up @ np.linalg.inv(leave * np.eye(period) - stay - up @ first_passage)
    # At level 0 nobody is served; the place is uniform over all levels.
    empty = stay + R * service_rate - arrival_rate * np.eye(period)
    rest = np.linalg.inv(np.eye(period) - R)
    system = np.vstack([empty.T, rest.sum(axis=1)])
    start = np.linalg.lstsq(system, np.append(np.zeros(period), 1.0), rcond=None)[0]
    return float((start @ R @ rest @ rest).sum())
