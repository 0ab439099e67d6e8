"""What happens to a few given jobs, exactly: a trace of who is served when, and at what rate (`thesis`, Section 2.2).

Nothing is random here. Between two events the rates are constant, so remaining work is piecewise linear.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustershare.arguments import integer, number, one_of, positive, vector
from clustershare.results import same
from clustershare.shares import maximum_obtainable_share, sorted_capacities
from clustershare.typing import FloatArray, FloatOrArray, Integers, Numbers

POLICIES = ("FCFS", "PS")


@dataclass(frozen=True)
class Trace:
    """An execution, piece by piece.

    Attributes
    ----------
    times : ndarray, shape (pieces + 1,)
        When the pieces begin, and when the last one ends.
    rates : ndarray, shape (pieces, jobs)
        Work per unit of time that each job receives.
    present : ndarray of bool, shape (pieces, jobs)
        Whether it is in the system.
    placement : tuple of int
        The processor of each job, counted from 0.
    work : ndarray, shape (jobs,)
        Service times on a processor of capacity 1.
    capacities : ndarray, shape (processors,)
    """

    times: np.ndarray
    rates: np.ndarray
    present: np.ndarray
    placement: tuple[int, ...]
    work: np.ndarray
    capacities: np.ndarray

    def __eq__(self, other):
        return same(self, other)

    @property
    def obtained_shares(self) -> FloatArray:
        """Obtained job shares of each piece (2.4), shape (pieces, jobs)."""
        return self.rates / self.capacities.sum()

    @property
    def maximum_obtainable_total_shares(self) -> FloatOrArray:
        """What the jobs present could obtain in each piece (2.11), shape (pieces,)."""
        return maximum_obtainable_share(self.present.sum(axis=1), self.capacities)

    @property
    def departures(self) -> FloatArray:
        """When each job leaves, shape (jobs,)."""
        last = len(self.rates) - 1 - self.present[::-1].argmax(axis=0)
        return self.times[last + 1]

    @property
    def remaining_work(self) -> FloatArray:
        """Remaining work of each job at each of `times`, shape (pieces + 1, jobs)."""
        served = self.rates * np.diff(self.times)[:, None]
        return self.work - np.vstack([np.zeros(len(self.work)), np.cumsum(served, axis=0)])


def execute(
    policy: str, arrivals: Numbers, work: Numbers, capacities: Numbers, placement: Integers | None = None
) -> Trace:
    """Serve given jobs on the processors where they stand.

    Parameters
    ----------
    policy : str
        "FCFS" (in order of arrival, then of number) or "PS" (all at equal rates), on each processor.
    arrivals : sequence of float
        When each job arrives, at least 0.
    work : sequence of float
        Service times on a processor of capacity 1.
    capacities : sequence of float
        Of the processors, in descending order.
    placement : sequence of int, optional
        The processor of each job, counted from 0; by default the fastest for all.

    Returns
    -------
    Trace

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> trace = execute("PS", [0, 0], [2, 4], [2, 1, 1])
    >>> trace.times, trace.departures
    (array([0., 2., 3.]), array([2., 3.]))
    >>> trace.obtained_shares[:, 1]
    array([0.25, 0.5 ])
    """
    one_of("policy", policy, POLICIES)
    speeds = sorted_capacities("capacities", capacities)
    arrived = np.array(vector("arrivals", arrivals, lambda name, value: number(name, value, 0)))
    work = np.array(vector("work", work, positive, len(arrived)))
    placement = vector(
        "placement",
        [0] * len(arrived) if placement is None else placement,
        lambda name, value: integer(name, value, 0, len(speeds) - 1),
        len(arrived),
    )
    processors = np.array(placement)
    rest, now = work.copy(), 0.0
    times, rates, present = [0.0], [], []
    while (rest > 0).any():
        here = (arrived <= now) & (rest > 0)
        rate = np.zeros(len(work))
        for processor, speed in enumerate(speeds):
            waiting = np.flatnonzero(here & (processors == processor))
            if len(waiting) and policy == "FCFS":
                rate[waiting[np.argmin(arrived[waiting])]] = speed
            elif len(waiting):
                rate[waiting] = speed / len(waiting)
        served = rate > 0
        until = np.full(len(work), np.inf)
        until[served] = rest[served] / rate[served]
        step = min(until.min(), (arrived[arrived > now] - now).min(initial=np.inf))
        rest = np.where(until <= step, 0.0, rest - rate * step)
        now += step
        times.append(now)
        rates.append(rate)
        present.append(here)
    return Trace(np.array(times), np.array(rates), np.array(present), placement, work, speeds)
