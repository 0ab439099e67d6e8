"""Who is served where and when, such that each job has a prescribed average service rate (`thesis`, Section 4.2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from clustershare.arguments import UnstableError, affordable, array, fail, positive, vector
from clustershare.results import NoExactAnswer, same
from clustershare.shares import sorted_capacities
from clustershare.typing import FloatArray, IntArray, Numbers

ROUNDING = 1e-12  # sums of rates and of fractions are compared within this, relative to the capacity
NOBODY = -1
MOST_PIECES = 1_000_000
MOST_ROWS, MOST_FRACTIONS = 1000, 10_000  # of `timetable`: jobs and processors together, and fractions


@dataclass(frozen=True)
class Schedule:
    """A timetable on [0, 1) that repeats: a processor serves one job at a time, and a job has one processor at a time.

    Attributes
    ----------
    jobs : int
        Number of jobs, counted from 0.
    breaks : tuple of ndarray
        For each processor the times at which a piece begins, then 1.
    served : tuple of ndarray of int
        For each processor the job of each piece; -1 where it is idle.
    """

    jobs: int
    breaks: tuple[FloatArray, ...]
    served: tuple[IntArray, ...]

    def __eq__(self, other):
        return same(self, other)

    @property
    def fractions(self) -> FloatArray:
        """The fraction of time that each job spends on each processor, shape (jobs, processors)."""
        return np.stack(
            [
                np.bincount(served + 1, weights=np.diff(breaks), minlength=self.jobs + 1)[1:]
                for breaks, served in zip(self.breaks, self.served)
            ],
            axis=1,
        )

    def service_rates(self, capacities: Numbers) -> FloatArray:
        """Average service rate of each job (`thesis` (4.4)), shape (jobs,)."""
        return self.fractions @ sorted_capacities("capacities", capacities)

    def at(self, times: ArrayLike) -> IntArray:
        """The job that each processor serves at some times.

        Parameters
        ----------
        times : array_like
            In [0, 1), shape (some,).

        Returns
        -------
        ndarray of int, shape (processors, some)

        Raises
        ------
        ValueError
            If a time is not as above.
        """
        times = array("times", times, 1, 0)
        if times.max() >= 1:
            fail("times", float(times.max()), "below 1, the length of the timetable")
        return np.stack(
            [served[np.searchsorted(breaks, times, "right") - 1] for breaks, served in zip(self.breaks, self.served)]
        )

    @property
    def overlap(self) -> float:
        """For how long some job is served by two processors at once; 0 but for rounding (`thesis` (4.2))."""
        times = np.unique(np.concatenate(self.breaks))
        served = np.sort(self.at(times[:-1]), axis=0)
        twice = ((served[1:] == served[:-1]) & (served[1:] != NOBODY)).any(axis=0)
        return float(np.diff(times)[twice].sum())


def _checked(service_rates, capacities):
    rates = np.array(vector("service_rates", service_rates, positive))
    positive("the sum of service_rates", sum(rates.tolist()))
    return rates, sorted_capacities("capacities", capacities)


def _excess(rates, speeds):
    """By how much the largest rates exceed the fastest processors, for each number of jobs (`thesis` (4.5))."""
    order = np.argsort(-rates, kind="stable")
    fastest = np.cumsum(speeds)[np.minimum(np.arange(len(rates)), len(speeds) - 1)]
    return order, np.cumsum(rates[order]) - fastest


def is_feasible(service_rates: Numbers, capacities: Numbers) -> bool:
    """Whether jobs that may migrate freely can all be served at given rates (`thesis`, Theorem 4.1).

    Parameters
    ----------
    service_rates : sequence of float
        Wanted work per unit time of each job, above 0, in any order.
    capacities : sequence of float
        Of the processors, in descending order.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    The two largest want more than the two fastest processors have:

    >>> is_feasible([0.4, 0.4, 0.1], [0.5, 0.25, 0.25]), is_feasible([0.4, 0.3, 0.3], [0.5, 0.25, 0.25])
    (False, True)
    """
    rates, speeds = _checked(service_rates, capacities)
    return bool((_excess(rates, speeds)[1] <= ROUNDING * speeds.sum()).all())


def _reduce(service_rates, capacities):
    """Remove jobs one by one, each with the two processors that it is between (`thesis`, the reduction step).

    Returns
    -------
    merges : list of (int, int, float)
        Processor q, the job removed, and the part of the time that it spends on q rather than on q + 1 (4.20).
    jobs : ndarray of int
        Those that are left, by falling rate.
    rates, speeds : ndarray
        Their rates, and the capacities of the processors that are left.
    """
    rates, speeds = _checked(service_rates, capacities)
    order, excess = _excess(rates, speeds)
    if (excess > ROUNDING * speeds.sum()).any():
        number = int(np.argmax(excess > ROUNDING * speeds.sum())) + 1
        raise UnstableError(
            f"service_rates must be such that the {number} largest sum to at most "
            f"{speeds[:number].sum():.12g}, the capacity of the fastest processors (4.5); "
            f"got {rates[order[:number]].sum():.12g}.",
            sorted(int(job) for job in order[:number]),
        )
    merges, left = [], list(speeds)
    for place, job in enumerate(order):
        rate = min(rates[job], left[0])  # it may be above by rounding
        if place == len(order) - 1 or rate <= left[-1]:
            return merges, order[place:], rates[order[place:]], np.array(left)
        q = max(k for k, capacity in enumerate(left) if capacity >= rate)
        merges.append((q, int(job), (rate - left[q + 1]) / (left[q] - left[q + 1])))
        left[q] += left.pop(q + 1) - rate
    raise AssertionError("the last job ends the loop")


def schedule(service_rates: Numbers, capacities: Numbers) -> Schedule:
    """The timetable of the proof of `thesis`, Theorem 4.1: jobs that migrate freely, each served at its rate.

    Parameters
    ----------
    service_rates, capacities
        As for `is_feasible`.

    Returns
    -------
    Schedule

    Raises
    ------
    UnstableError
        If the rates exceed what the processors can do; it names the jobs.
    NoExactAnswer
        If the timetable has more than a million pieces: each reduction doubles those of one processor. Ask
        ``timetable(fractions(...))`` then, whose pieces grow with jobs times processors.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> plan = schedule([0.5, 0.3, 0.2], [0.6, 0.4])
    >>> plan.fractions.round(3)
    array([[0.5, 0.5],
           [0.3, 0.3],
           [0.2, 0.2]])
    >>> plan.service_rates([0.6, 0.4]).round(12)
    array([0.5, 0.3, 0.2])
    """
    merges, jobs, rates, speeds = _reduce(service_rates, capacities)
    if len(jobs) == 1:
        plans = [_one_piece(jobs[0], min(1.0, rates[0] / speeds[0]))]
        plans += [(np.array([0.0, 1.0]), np.array([NOBODY]))] * (len(speeds) - 1)
    else:
        plans = _rotated(jobs, rates / speeds.sum(), len(speeds))
    for q, job, part in reversed(merges):
        if 2 * len(plans[q][1]) > MOST_PIECES:
            raise NoExactAnswer(
                f"The schedule of the proof has more than {MOST_PIECES} pieces for these {len(service_rates)} jobs: "
                "use timetable(fractions(service_rates, capacities))."
            )
        plans[q : q + 1] = _apart(*plans[q], job, part)  # type: ignore[call-arg]
    return Schedule(len(service_rates), *zip(*plans))


def _one_piece(job, end):
    """A job from 0 to its end (`thesis` (4.8))."""
    if end == 1:
        return np.array([0.0, 1.0]), np.array([job])
    return np.array([0.0, end, 1.0]), np.array([job, NOBODY])


def _rotated(jobs, alpha, processors):
    """Every job for the same part of the time on each processor, which lags alpha_1 behind the one before (4.10)."""
    starts = np.append(0.0, np.cumsum(alpha))
    served = np.append(jobs, NOBODY)
    if starts[-1] >= 1 - ROUNDING:
        starts, served = starts[:-1], jobs
    plans = []
    for processor in range(processors):
        moved = (starts + processor * alpha[0]) % 1.0
        order = np.argsort(moved, kind="stable")
        times, names = moved[order], served[order]
        if times[0] > 0:  # what was cut by the end of the interval goes on at its beginning
            times, names = np.append(0.0, times), np.append(names[-1], names)
        plans.append((np.append(times, 1.0), names))
    return plans


def _apart(breaks, served, job, part):
    """A merged processor as the two that it stands for, with the job that was removed (`thesis` (4.16)-(4.20))."""
    middles = breaks[:-1] + part * np.diff(breaks)
    times = np.append(np.column_stack([breaks[:-1], middles]).ravel(), 1.0)
    with_job = np.full(len(served), job)
    first = np.column_stack([with_job, served]).ravel()
    second = np.column_stack([served, with_job]).ravel()
    return [_joined(times, first), _joined(times, second)]


def _joined(times, names):
    """Pieces without those of no length, and neighbours of the same job as one."""
    some = np.diff(times) > 0
    times, names = times[:-1][some], names[some]
    new = np.append(True, names[1:] != names[:-1])
    return np.append(times[new], 1.0), names[new]


def fractions(service_rates: Numbers, capacities: Numbers) -> FloatArray:
    """The fraction of time of each job on each processor in the schedule of `thesis`, Theorem 4.1, of any size.

    Parameters
    ----------
    service_rates, capacities
        As for `is_feasible`.

    Returns
    -------
    ndarray, shape (jobs, processors)

    Raises
    ------
    UnstableError
        If the rates exceed what the processors can do; it names the jobs.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> fractions([0.5, 0.3, 0.2], [0.6, 0.4]).round(3)
    array([[0.5, 0.5],
           [0.3, 0.3],
           [0.2, 0.2]])
    """
    merges, jobs, rates, speeds = _reduce(service_rates, capacities)
    result = np.zeros((len(service_rates), len(speeds)))
    if len(jobs) == 1:
        result[jobs[0], 0] = min(1.0, rates[0] / speeds[0])
    else:
        result[jobs] = (rates / speeds.sum())[:, None]
    for q, job, part in reversed(merges):
        merged = result[:, q]
        result = np.column_stack([result[:, :q], (1 - part) * merged, part * merged, result[:, q + 1 :]])
        result[job, q], result[job, q + 1] = part, 1 - part
    return result


def timetable(fractions: ArrayLike) -> Schedule:
    """A schedule in which each job spends given fractions of the time on each processor.

    Fractions of which no job's and no processor's sum to more than 1 are a mixture of assignments of at most one job to
    a processor (Birkhoff and von Neumann); these follow one another.

    Parameters
    ----------
    fractions : array_like, shape (jobs, processors)
        At least 0 (`thesis` (4.23)-(4.25), job by job). At most 10 000 of at most 1000 jobs and processors together.

    Returns
    -------
    Schedule

    Raises
    ------
    ValueError
        If they are not as above.

    Examples
    --------
    >>> plan = timetable([[0.5, 0.5], [0.5, 0.25]])
    >>> plan.overlap, plan.fractions
    (0.0, array([[0.5 , 0.5 ],
           [0.5 , 0.25]]))
    """
    wanted = array("fractions", fractions, 2, 0)
    for axis, who in ((1, "job"), (0, "processor")):
        if (total := float(wanted.sum(axis=axis).max())) > 1 + ROUNDING:
            fail("fractions", total, f"at most 1 in all for each {who}")
    jobs, processors = wanted.shape
    affordable("the number of jobs and processors of fractions", jobs + processors, MOST_ROWS)
    affordable("the number of fractions", wanted.size, MOST_FRACTIONS)
    # A job that is not served, and a processor that is idle, each have a partner of their own.
    left = np.block(
        [
            [wanted, np.diag(1 - np.minimum(wanted.sum(axis=1), 1))],
            [np.diag(1 - np.minimum(wanted.sum(axis=0), 1)), wanted.T],
        ]
    )
    left[left < ROUNDING] = 0
    ends, assignments = [0.0], []
    while ends[-1] < 1 - ROUNDING * left.size:
        partner = maximum_bipartite_matching(csr_array(left > 0), perm_type="column")
        if (partner < 0).any():
            break  # what is left is rounding
        rows = np.arange(len(left))
        length = left[rows, partner].min()
        left[rows, partner] -= length
        left[left < ROUNDING] = 0
        ends.append(ends[-1] + length)
        job_of = np.full(processors, NOBODY)
        served = partner[:jobs] < processors
        job_of[partner[:jobs][served]] = np.flatnonzero(served)
        assignments.append(job_of)
    times = np.array(ends)
    times[-1] = 1.0
    return Schedule(jobs, *zip(*(_joined(times, names) for names in np.array(assignments).T)))
