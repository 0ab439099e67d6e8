"""What jobs met with, group by group: response times, waits and slowdowns, with quantiles and by size.

A simulator gives it, asked with ``records=True``, as ``result.records``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from clustershare.arguments import array, number, one_of
from clustershare.compiled import records as compiled
from clustershare.estimates import Estimate, from_replications
from clustershare.results import Result, same
from clustershare.typing import FloatArray, IntArray

R = TypeVar("R", bound=Result)
MEASURES = {"response_time": compiled.RESPONSE, "wait": compiled.WAIT, "slowdown": compiled.SLOWDOWN}


@dataclass(frozen=True, eq=False)
class SizeClasses:
    """Jobs by size: a class for each octave in which there were any, from one power of 2 to the next.

    Attributes
    ----------
    edges : ndarray, shape (classes + 1,)
        Sizes from one edge to below the next. Those beyond `Records.range` are in the outermost classes.
    jobs : ndarray of int, shape (groups, classes)
        In all replications together.
    mean_size : Estimate
        Shape (groups, classes).
    mean_response_time : Estimate
        Shape (groups, classes). Entries are nan where there were no jobs.
    """

    edges: np.ndarray
    jobs: np.ndarray
    mean_size: Estimate
    mean_response_time: Estimate

    def __eq__(self, other):
        return same(self, other)

    def __hash__(self):
        return hash((SizeClasses, self.jobs.shape))


@dataclass(frozen=True, eq=False, repr=False)
class Records:
    """What the jobs met with that departed in the measured part of a simulation.

    The response time of a job is the time from its arrival to its departure, its wait the time until it was first
    served, and its slowdown its response time over its size. Each `Estimate` has shape (groups,). It is made of the
    replications in which jobs of the group departed: nan if there is none, its half width infinite if there is one.

    Attributes
    ----------
    jobs : ndarray of int, shape (groups,)
        Departed jobs, in all replications together.
    error : float
        How far off the quantile of a replication may be, relative to it: 1/257.
    range : tuple of float
        Times below the first count as 0, and those from the second on as infinite, where quantiles are asked for; as a
        rule they are 2e-10 and 4e9 times the mean size. Of slowdowns they are 2e-10 and 4e9.

    Examples
    --------
    Under first come, first served the response times of exponential jobs are exponential, with mean 2 at load 1/2: nine
    jobs of ten take less than 2 log(10), which is 4.605.

    >>> from clustershare.uniprocessor import simulate
    >>> seen = simulate("FCFS", (0.5, 0.5), (0.25, 0.25), records=True, jumps=100_000, warmup=5000, seed=1).records
    >>> seen.mean_response_time.contains(2), seen.quantile("response_time", 0.9).contains(4.605)
    (array([ True,  True]), array([ True,  True]))
    """

    sums: FloatArray = field()
    counts: IntArray = field()
    classes: FloatArray = field()
    lowest: int = field()
    first: int = field()

    error = compiled.ERROR

    @classmethod
    def of(cls, replications: Sequence[compiled.Kept]) -> Records:
        """The records of several replications.

        Parameters
        ----------
        replications : sequence of clustershare.compiled.records.Kept

        Returns
        -------
        Records
        """
        first = min(one.first for one in replications)
        end = max(one.first + one.counts.shape[2] for one in replications)
        groups = len(replications[0].sums)
        counts = np.zeros((len(replications), groups, len(MEASURES), end - first), np.int64)
        for all_counts, one in zip(counts, replications):
            all_counts[:, :, one.first - first : one.first - first + one.counts.shape[2]] = one.counts
        if counts.max() < 2**32:
            counts = counts.astype(np.uint32)
        sums, classes = (np.array([getattr(one, name) for one in replications]) for name in ("sums", "classes"))
        return cls(sums, counts, classes, replications[0].lowest, first)  # type: ignore[arg-type]

    @property
    def range(self) -> tuple[float, float]:
        """Least time that is told from 0, and least time that counts as infinite."""
        return math.ldexp(1.0, self.lowest), math.ldexp(1.0, self.lowest + compiled.OCTAVES - 1) * 2.0

    def attached(self, result: R) -> R:
        """A result that carries these records; they are no field of it."""
        object.__setattr__(result, "_records", self)
        return result

    @property
    def jobs(self) -> IntArray:
        """Departed jobs, in all replications together, shape (groups,)."""
        return self.sums[:, :, 0].sum(axis=0).astype(np.int64)

    @property
    def mean_response_time(self) -> Estimate:
        """Mean time from arrival to departure, an `Estimate` of shape (groups,)."""
        return self.mean("response_time")

    @property
    def mean_wait(self) -> Estimate:
        """Mean time from arrival to first service, an `Estimate` of shape (groups,)."""
        return self.mean("wait")

    @property
    def mean_slowdown(self) -> Estimate:
        """Mean response time over size, an `Estimate` of shape (groups,)."""
        return self.mean("slowdown")

    def mean(self, measure: str) -> Estimate:
        """The mean of a measure.

        Parameters
        ----------
        measure : str
            "response_time", "wait" or "slowdown".

        Returns
        -------
        Estimate
            Of shape (groups,).
        """
        return _of_those_that_saw(self._moment(measure, 1))

    def variance(self, measure: str) -> Estimate:
        """The variance of a measure over jobs, as `mean`."""
        return _of_those_that_saw(np.maximum(self._moment(measure, 2) - self._moment(measure, 1) ** 2, 0))

    def quantile(self, measure: str, probability: float) -> Estimate:
        """A quantile of a measure: below it are so many of the jobs.

        It is found in each replication as `numpy.quantile` does, but for a relative error of `error` at most.

        Parameters
        ----------
        measure : str
            "response_time", "wait" or "slowdown".
        probability : float
            From 0 to 1.

        Returns
        -------
        Estimate
            Of shape (groups,).
        """
        which = MEASURES[one_of("measure", measure, MEASURES)]
        probability = number("probability", probability, 0, 1)
        counts, jobs = self.counts[:, :, which], self.sums[:, :, 0]
        values = self._values(which)
        found = np.full(jobs.shape, np.nan)
        for index in np.argwhere(jobs > 0):
            one = tuple(index)
            rank = probability * (jobs[one] - 1)
            below = np.floor(rank)
            reached = np.cumsum(counts[one], dtype=np.int64)
            low, high = values[np.searchsorted(reached, [below, min(below + 1, jobs[one] - 1)], side="right")]
            found[one] = low if rank == below else low + (rank - below) * (high - low)
        return _of_those_that_saw(found)

    @property
    def by_size(self) -> SizeClasses:
        """Jobs and mean response times by size, as `SizeClasses`."""
        jobs = self.classes[..., 0].sum(axis=0)
        used = np.flatnonzero(jobs.any(axis=0))
        used = np.arange(used[0], used[-1] + 1) if len(used) else np.arange(1)
        within = self.classes[:, :, used]
        edges = np.ldexp(1.0, self.lowest + np.arange(used[0], used[-1] + 2))
        with np.errstate(invalid="ignore"):
            sizes, responses = np.moveaxis(within[..., 1:] / within[..., :1], -1, 0)
        return SizeClasses(
            edges, jobs[:, used].astype(np.int64), _of_those_that_saw(sizes), _of_those_that_saw(responses)
        )

    def _moment(self, measure, power):
        which = MEASURES[one_of("measure", measure, MEASURES)]
        with np.errstate(invalid="ignore"):
            return self.sums[:, :, 1 + which + len(MEASURES) * (power - 1)] / self.sums[:, :, 0]

    def _values(self, which):
        """For each place of the counts the value that is told for it, from which all values there are equally far."""
        lowest = -compiled.OCTAVES // 2 if which == compiled.SLOWDOWN else self.lowest
        places = np.arange(self.first, self.first + self.counts.shape[-1])
        octave, part = np.divmod(places - 1, compiled.PARTS)
        low, high = 1 + part / compiled.PARTS, 1 + (part + 1) / compiled.PARTS
        with np.errstate(over="ignore"):
            values = np.ldexp(2 * low * high / (low + high), lowest + octave)
        return np.select([places == 0, octave == compiled.OCTAVES], [0.0, np.inf], values)

    def __eq__(self, other):
        return same(self, other)

    def __hash__(self):
        return hash((Records, self.counts.shape))

    def __repr__(self):
        shown = [f"{name}={getattr(self, name).value.round(6).tolist()}" for name in (
            "mean_response_time", "mean_wait", "mean_slowdown",
        )]  # fmt: skip
        return f"Records(jobs={self.jobs.tolist()}, {', '.join(shown)})"


def _of_those_that_saw(samples):
    """An estimate from those replications, for each entry, that do not give nan."""
    array("samples", samples, (2, 3), finite=False)
    with np.errstate(invalid="ignore"):
        if not np.isnan(samples).any():
            return from_replications(samples)
        value, half_width = np.full((2, *samples.shape[1:]), np.nan)
        for entry in np.ndindex(value.shape):
            seen = samples[(slice(None), *entry)]
            if len(seen := seen[~np.isnan(seen)]):
                found = from_replications(seen)
                value[entry], half_width[entry] = found.value, found.half_width
    return Estimate(value, half_width)
