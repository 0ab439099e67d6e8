"""Required, feasible and obtained shares of groups of jobs, and how far they lie apart (`thesis`, Chapter 2).

The functions speak of one quantity each. A `State` says who is served where, and has all of them at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import fail, floats, integer, number, positive, vector
from clustershare.results import same
from clustershare.typing import FloatArray, FloatOrArray, IntArray, Integers, Numbers

TOLERANCE = 1e-9  # of sums that must not exceed 1


def required_shares(name: str, values: Numbers) -> tuple[float, ...]:
    """The required group shares as a tuple: at least two, each strictly between 0 and 1, their sum 1 within 1e-9.

    Parameters
    ----------
    name : str
        What the argument is called, for the sentence.
    values : sequence of float

    Returns
    -------
    tuple of float, of length groups

    Raises
    ------
    ValueError
        If they are not.

    Examples
    --------
    >>> required_shares("required_shares", [0.6, 0.3])
    Traceback (most recent call last):
    ...
    ValueError: required_shares must be shares that sum to 1 (they sum to 0.9); got [0.6, 0.3].
    """
    result = vector(name, values, lambda entry, value: number(entry, value, 0, 1, open_below=True, open_above=True))
    if len(result) < 2:
        fail(name, values, "the shares of at least 2 groups")
    total = math.fsum(result)
    if abs(total - 1) > 1e-9:
        fail(name, values, f"shares that sum to 1 (they sum to {total:.12g})")
    return result


def _numbers(name, values, minimum, maximum, *, positive=False):
    """`values`, one number or an array of them, as a float array with every entry in range."""
    allowed = f"finite and {'above' if positive else 'at least'} {minimum:g}"
    allowed += f" and at most {maximum:g}" if maximum < math.inf else ""
    result = floats(name, values, allowed)
    inside = np.isfinite(result) & (result > minimum if positive else result >= minimum) & (result <= maximum)
    if not inside.all():
        fail(name, float(result[~inside].flat[0]), allowed)
    return result


def feasible_group_share(required_share: ArrayLike, jobs: int | Integers, processors: int) -> FloatOrArray:
    """The share a group can claim: what it requires, but no more than its jobs can occupy (`thesis` (2.26)).

    Parameters
    ----------
    required_share : float or array_like
        Required group share, a fraction of the total capacity in (0, 1].
    jobs : int or array_like of int
        Jobs of the group that are present, permanent ones included.
    processors : int
        Number of processors, at least 1.

    Returns
    -------
    float or ndarray
        Feasible shares, of the common shape of `required_share` and `jobs`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> feasible_group_share(0.5, [0, 1, 2, 3], 3).round(3)
    array([0.   , 0.333, 0.5  , 0.5  ])
    """
    required = _numbers("required_share", required_share, 0, 1, positive=True)
    present = _numbers("jobs", jobs, 0, math.inf)
    if (present != np.floor(present)).any():
        fail("jobs", jobs, "whole numbers")
    result = np.minimum(required, present / integer("processors", processors, 1))
    return result if result.ndim else float(result)


def group_share_deviation(feasible: ArrayLike, obtained: ArrayLike, required: ArrayLike) -> FloatOrArray:
    """How much a group obtains below its feasible share, relative to what it requires (`thesis` (2.38)).

    Parameters
    ----------
    feasible, obtained : float or array_like
        Feasible and obtained group shares in [0, 1], or their expectations.
    required : float or array_like
        Required group shares in (0, 1].

    Returns
    -------
    float or ndarray
        Negative where the group obtains more than its feasible share.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> group_share_deviation(0.5, [0.0, 0.5, 1.0], 0.5)
    array([ 1.,  0., -1.])
    """
    required = _numbers("required", required, 0, 1, positive=True)
    result = (_numbers("feasible", feasible, 0, 1) - _numbers("obtained", obtained, 0, 1)) / required
    return result if result.ndim else float(result)


def sorted_capacities(name: str, values: Numbers) -> FloatArray:
    """The capacities of the processors as a float array, each above 0, none above the one before it (`thesis` (1.1)).

    Parameters
    ----------
    name : str
        What the argument is called, for the sentence.
    values : sequence of float

    Returns
    -------
    ndarray, shape (processors,)

    Raises
    ------
    ValueError
        If they are not.

    Examples
    --------
    >>> sorted_capacities("capacities", [1, 2])
    Traceback (most recent call last):
    ...
    ValueError: capacities must be in descending order; got [1, 2].
    """
    result = np.array(vector(name, values, positive))
    if (np.diff(result) > 0).any():
        fail(name, values, "in descending order")
    positive(f"the sum of {name}", sum(result.tolist()))
    return result


def maximum_obtainable_share(jobs: int | Integers, capacities: Numbers) -> FloatOrArray:
    """What so many jobs can obtain at most: one of the fastest processors each (`thesis` (2.11), (2.12)).

    Parameters
    ----------
    jobs : int or array_like of int
        Jobs that are present, of a group or of all.
    capacities : sequence of float
        Of the processors, in descending order.

    Returns
    -------
    float or ndarray
        Shares, of the shape of `jobs`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> maximum_obtainable_share([0, 1, 2, 3, 4], [2, 1, 1])
    array([0.  , 0.5 , 0.75, 1.  , 1.  ])
    """
    speeds = sorted_capacities("capacities", capacities)
    present = _numbers("jobs", jobs, 0, math.inf)
    if (present != np.floor(present)).any():
        fail("jobs", jobs, "whole numbers")
    fastest = np.append(0.0, np.cumsum(speeds)) / speeds.sum()
    result = fastest[np.minimum(present, len(speeds)).astype(int)]
    return result if result.ndim else float(result)


def maximum_feasible_group_share(required_share: ArrayLike, jobs: int | Integers, capacities: Numbers) -> FloatOrArray:
    """The largest share that a group may be promised, whatever the others do (`thesis` (2.24)).

    Parameters
    ----------
    required_share : float or array_like
        Required group share in (0, 1]; where both are arrays, of a shape that goes with that of `jobs`.
    jobs, capacities
        As for `maximum_obtainable_share`.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> maximum_feasible_group_share([0.4, 0.8], [1, 2], [2, 1, 1])
    array([0.4 , 0.75])
    """
    required = _numbers("required_share", required_share, 0, 1, positive=True)
    try:
        np.broadcast_shapes(required.shape, np.shape(jobs))
    except ValueError:
        fail("required_share", required_share, f"a number, or of the shape of jobs, {np.shape(jobs)}")
    result = np.minimum(required, maximum_obtainable_share(jobs, capacities))
    return result if result.ndim else float(result)


@dataclass(frozen=True)
class State:
    """Who is served where at one moment (`thesis`, Sections 2.2 to 2.6).

    Parameters
    ----------
    capacities : sequence of float
        Of the processors, in descending order.
    required_shares : sequence of float
        Of the groups; they sum to 1.
    group_of_job : sequence of int
        The group of each job that is present, counted from 0.
    weights : array_like, shape (jobs, processors)
        The fraction of time that a job spends on a processor, w_jp: at least 0, and for no job and for no processor
        more than 1 in all (2.17)-(2.19).

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    Two jobs share the two fastest processors, a third has its own (Section 2.4.3, case 2):

    >>> state = State([2, 1, 1], [0.4, 0.4, 0.2], [0, 1, 2], [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]])
    >>> state.obtained_group_shares, state.group_share_deviations.round(3)
    (array([0.375, 0.375, 0.25 ]), array([-0.104, -0.104, -0.25 ]))
    """

    capacities: np.ndarray
    required_shares: np.ndarray
    group_of_job: np.ndarray
    weights: np.ndarray

    def __eq__(self, other):
        return same(self, other)

    def __post_init__(self):
        speeds = sorted_capacities("capacities", self.capacities)
        required = vector("required_shares", self.required_shares, number)
        if required != (1,):
            required = required_shares("required_shares", self.required_shares)
        if not isinstance(self.group_of_job, (list, tuple, range, np.ndarray)):
            fail("group_of_job", self.group_of_job, "a sequence, which may be empty")
        groups = np.array(
            [integer(f"group_of_job[{j}]", group, 0, len(required) - 1) for j, group in enumerate(self.group_of_job)],
            dtype=int,
        )
        shape = len(groups), len(speeds)
        weights = floats("weights", self.weights, f"a table of numbers, of shape {shape}")
        if weights.shape != shape and (weights.size or len(groups)):
            fail("weights", weights.shape, f"of shape {shape}")
        if not np.isfinite(weights).all():
            fail("weights", self.weights, "a table of finite numbers")
        weights = weights.reshape(shape)
        for name, total in (("(2.18)", weights.sum(axis=0)), ("(2.19)", weights.sum(axis=1))):
            if (total > 1 + TOLERANCE).any():
                fail("weights", float(total.max()), f"fractions of time, of which none sum to more than 1 {name}")
        if (weights < 0).any():
            fail("weights", float(weights.min()), "at least 0 (2.17)")
        for name, value in (
            ("capacities", speeds), ("required_shares", np.array(required)), ("group_of_job", groups),
            ("weights", weights),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    @property
    def jobs(self) -> IntArray:
        """Jobs present of each group, shape (groups,)."""
        return np.bincount(self.group_of_job, minlength=len(self.required_shares))

    @property
    def service_rates(self) -> FloatArray:
        """Work that each job receives per unit of time (2.3), shape (jobs,)."""
        return self.weights @ self.capacities

    @property
    def obtained_job_shares(self) -> FloatArray:
        """Fraction of the total capacity that serves each job (2.4), shape (jobs,)."""
        return self.service_rates / self.capacities.sum()

    @property
    def obtained_on_processors(self) -> FloatArray:
        """What each group obtains on each processor (2.5), shape (groups, processors)."""
        membership = self.group_of_job == np.arange(len(self.required_shares))[:, None]
        return membership @ self.weights * self.capacities / self.capacities.sum()

    @property
    def obtained_group_shares(self) -> FloatArray:
        """What each group obtains (2.6), shape (groups,)."""
        return self.obtained_on_processors.sum(axis=1)

    @property
    def total_obtained_share(self) -> float:
        """What all jobs obtain (2.7)."""
        return float(self.obtained_job_shares.sum())

    @property
    def feasible_group_shares(self) -> FloatOrArray:
        """What each group can claim (2.26), shape (groups,)."""
        return feasible_group_share(self.required_shares, self.jobs, len(self.capacities))

    @property
    def maximum_feasible_group_shares(self) -> FloatOrArray:
        """What each group might be promised at most (2.24), shape (groups,)."""
        return maximum_feasible_group_share(self.required_shares, self.jobs, self.capacities)

    @property
    def group_share_deviations(self) -> FloatOrArray:
        """Feasible less obtained share, over the required; Objective I (2.38).

        Shape (groups,).
        """
        return group_share_deviation(
            self.feasible_group_shares,
            np.minimum(self.obtained_group_shares, 1),
            self.required_shares,
        )

    @property
    def capacity_loss(self) -> FloatOrArray:
        """The obtainable less the obtained; Objective II (2.41), (2.42)."""
        jobs = len(self.group_of_job)
        obtainable = maximum_obtainable_share(jobs, self.capacities)
        return obtainable - self.total_obtained_share

    @property
    def job_share_deviations(self) -> FloatArray:
        """How far the worst job is below its part; Objective III (2.44), (2.45).

        For each group; 0 for one of which no job is served.
        """
        obtained, groups = self.obtained_job_shares, range(len(self.jobs))
        return np.array([
            job_share_deviation(obtained[self.group_of_job == g])
            for g in groups
        ])


def job_share_deviation(obtained: ArrayLike) -> float:
    """How far the job of a group that is served worst is below an equal part, relative to that (`thesis` (2.45)).

    Parameters
    ----------
    obtained : array_like, shape (jobs,)
        Obtained shares of the jobs of one group, each in [0, 1].

    Returns
    -------
    float
        In [0, 1] (2.46); 0 if no job of the group is served.

    Raises
    ------
    ValueError
        If a share is not in [0, 1].

    Examples
    --------
    >>> job_share_deviation([0.2, 0.1, 0.3]), job_share_deviation([0, 0.5]), job_share_deviation([0, 0])
    (0.5, 1.0, 0.0)
    """
    shares = np.atleast_1d(_numbers("obtained", obtained, 0, 1))
    if not shares.any():
        return 0.0
    return float(1 - shares.min() / shares.mean())
