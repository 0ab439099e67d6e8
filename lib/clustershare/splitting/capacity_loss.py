"""The capacity that random splitting loses, and how to lose least (`thesis`, Section 4.4)."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize

from clustershare.arguments import UnstableError, fail, integer, number
from clustershare.calls import remembered
from clustershare.progress import waited_for
from clustershare.results import Result
from clustershare.shares import sorted_capacities
from clustershare.splitting.numbers import checked_loads, law_of_numbers, number_law
from clustershare.splitting.prices import feasible_share, fill, settled, stationarity
from clustershare.splitting.recursion import lost
from clustershare.splitting.response import equal_prices
from clustershare.typing import FloatsOrFractions, Numbers

WHOLE = 1e-9  # capacities sum to 1 within this
ROUNDING = 1e-12  # of a loss; near a load of 1 it is flat, and descents stop anywhere
NEAR = 1e-9  # of loads of 0 and of 1: no descent comes nearer
MOST_STARTS = 1000
FEW, NEVER, MOST_STEPS = 16, 1e-30, 3 * 10**8  # of the jobs that a loss is summed up over


@dataclass(frozen=True)
class SplitLoad(Result):
    """How to split a load.

    Attributes
    ----------
    processor_loads : ndarray, shape (processors,)
        Load of each processor relative to its capacity, ``rho_{*p}`` of `thesis` (4.33).
    fractions : ndarray, shape (processors,)
        The part of all jobs sent to each processor, ``c_p rho_{*p} / rho``.
    objective : float
        The least value found: the capacity loss, or a mean time in units of 1 / mu, the mean service time of a job on
        a processor of capacity 1.
    method : str
        "formula", or "equal prices" where no "descent" from several starts ended lower.
    error : float
        0 for a formula; else by how much the conditions of a minimum (Karush, Kuhn and Tucker) are missed.
    """

    processor_loads: np.ndarray
    fractions: np.ndarray
    objective: float


def checked_capacities(capacities):
    """Capacities in descending order that sum to 1, as an array."""
    array = capacities if type(capacities) is np.ndarray and capacities.dtype == float else np.empty(0)
    fine = array.ndim == 1 and array.size and array[-1] > 0 and (np.diff(array) <= 0).all()  # a thousand at once
    speeds = np.ascontiguousarray(array) if fine else sorted_capacities("capacities", capacities)
    if abs(speeds.sum() - 1) > WHOLE:
        fail(
            "capacities", capacities, f"fractions of the whole capacity that sum to 1 (they sum to {speeds.sum():.12g})"
        )
    return speeds


def capacity_loss(capacities: FloatsOrFractions, processor_loads: FloatsOrFractions) -> float | Fraction:
    """The expected part of the capacity that jobs could use and do not, under random splitting (`thesis` (4.58)).

    Parameters
    ----------
    capacities : sequence of float or of fractions.Fraction
        Of the processors, in descending order; they sum to 1.
    processor_loads : sequence of float or of fractions.Fraction
        At least 0, relative to each processor's capacity. Where one is 1 or more, there are always enough jobs for all
        processors, and (4.64) says what is obtained.

    Returns
    -------
    float, or Fraction where all arguments are

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    Two equal processors lose most at a load of two thirds:

    >>> round(capacity_loss([0.5, 0.5], [2 / 3, 2 / 3]), 6) == round(4 / 27, 6)
    True
    """
    speeds = checked_capacities(capacities)
    loads = checked_loads("processor_loads", processor_loads, len(speeds))
    if max(loads) >= 1:
        return float(speeds @ (1 - np.minimum(loads, 1)))
    if isinstance(processor_loads, np.ndarray) or not isinstance(sum(processor_loads), Fraction):
        return expected_loss(speeds, loads, float(speeds @ (1 - loads)))
    unused = [sum(capacities[n:]) for n in range(len(speeds))]
    offered = sum(c * load for c, load in zip(capacities, processor_loads))
    return 1 - offered - sum(number_law(processor_loads, len(speeds)) * unused)


def expected_loss(speeds, loads, spare):
    """The loss (4.58) of loads and of the capacity that is idle, to all digits where at most `MOST_STEPS` are made.

    What is idle less what so few jobs cannot use is a difference of like numbers where little is lost: then the loss
    is summed up job by job.
    """
    law = law_of_numbers(loads, len(speeds))
    unused = np.cumsum(speeds[::-1])[::-1]  # by fewer jobs than processors
    loss = spare - float(law @ unused)
    if loss > 0.01 * spare:
        return loss
    jobs = len(law) if len(law) <= FEW else max(FEW, int(np.flatnonzero(law > NEVER).max(initial=0)) + 1)
    return lost(speeds, loads, jobs) if len(law) * jobs**2 <= MOST_STEPS else max(loss, 0.0)


@waited_for
@remembered
def minimise_capacity_loss(capacities: Numbers, load: float, *, starts: int = 20, progress: bool = False) -> SplitLoad:
    """Split a load over processors such that least capacity is lost (`thesis`, Problem 4.3).

    Equal processors are loaded alike (Theorem 4.5), and two unequal ones by the closed form of Theorem 4.9. For three
    and more the split of equal prices is held against descents from several starts; `certify_capacity_loss` proves the
    minimum for few processors.

    Parameters
    ----------
    capacities : sequence of float
        Of the processors, in descending order; they sum to 1.
    load : float
        Total load in (0, 1).
    starts : int
        Of descents, at most 1000, for three and more unequal processors.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    SplitLoad
        Its objective is the capacity loss.

    Raises
    ------
    UnstableError
        If the load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> minimise_capacity_loss([0.4, 0.3, 0.3], 0.1).processor_loads.round(3)
    array([0.188, 0.041, 0.041])
    """
    speeds, total = checked_capacities(capacities), checked_total(load)
    integer("starts", starts, 1, MOST_STARTS)
    if speeds[0] == speeds[-1]:
        return losing(speeds, total, np.full(len(speeds), total))
    if len(speeds) == 2:
        return losing(speeds, total, _of_two(speeds, total))
    even = settled(speeds, total)
    if min(total, 1 - total) <= NEAR:  # no other split can lose less by more than rounding
        return losing(speeds, total, even, method="equal prices", error=stationarity(speeds, even))
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(0)))
    guesses = [minimise_response_time(speeds, total).processor_loads, np.full(len(speeds), total)]
    guesses += [_random_loads(rng, speeds, total) for _ in range(max(0, starts - len(guesses)))]
    found = [descend(speeds, total, guess) for guess in guesses[:starts]]
    best = min(found, key=lambda loads: capacity_loss(speeds, loads))
    if capacity_loss(speeds, best) < capacity_loss(speeds, even) - ROUNDING:
        return losing(speeds, total, best, method="descent", error=stationarity(speeds, best))
    return losing(speeds, total, even, method="equal prices", error=stationarity(speeds, even))


def checked_total(load):
    """A total load in (0, 1); an overload of its own type."""
    total = number("load", load, 0, open_below=True)
    if total >= 1:
        raise UnstableError(f"load must be below 1, the capacity of all processors; got {total:.12g}.", (0,))
    return total


def split(speeds, total, loads, objective, **found):
    """A `SplitLoad` with the objective's value at the loads."""
    loads = np.maximum(loads, 0)
    return SplitLoad(
        processor_loads=loads, fractions=speeds * loads / total, objective=objective(speeds, loads),
        **{"method": "formula", **found},
    )  # fmt: skip


def losing(speeds, total, loads, **found):
    """A `SplitLoad` with the capacity loss; what is idle is known from the total to more digits than from the loads."""
    idle = speeds.sum() * (1 - total)
    return split(speeds, total, loads, functools.partial(expected_loss, spare=idle), **found)


def two_processors(faster, load):
    """The load of the faster of two processors where the capacity loss is flat (`thesis` (4.101)-(4.104)).

    Parameters
    ----------
    faster : float
        Its capacity c_1, in (1/2, 1).
    load : float
        Total load in (0, 1).

    Returns
    -------
    float
        It may be above ``load / faster``: then all jobs are sent to the faster processor.
    """
    B, C = _coefficients(faster, load)
    # (4.101) without cancelling where A of (4.102) is small: B^2 - C is A times this product.
    c, rho = faster, load
    product = rho**2 + (4 * c - 1) * rho + (2 * c - 1) * c
    return product / (B + np.sqrt(max(C, 0.0)))


def _coefficients(c, rho):
    """B and C of `thesis` (4.103) and (4.104)."""
    B = (3 * c - 1) * rho + 4 * c**2 - 3 * c + 1
    C = (3 * c**2 - 3 * c + 1) * rho**2 + (-8 * c**2 + 9 * c - 2) * rho + (4 * c**4 - 12 * c**3 + 14 * c**2 - 6 * c + 1)
    return B, C


def _of_two(speeds, total):
    """Loads of two unequal processors."""
    first = min(two_processors(speeds[0], total), total / speeds[0])
    if first == total / speeds[0]:
        return np.array([first, 0.0])
    if total < 0.5:
        return np.array([first, (total - speeds[0] * first) / speeds[1]])
    # 1 less (4.101), which solves a quadratic equation too, with a factor of 1 - load.
    (B, C), c = _coefficients(speeds[0], total), speeds[0]
    idle = (1 - total) * (total + 2 * (1 - c)) / (B - 3 * c * (2 * c - 1) + np.sqrt(C))
    return 1 - np.array([idle, (speeds.sum() * (1 - total) - c * idle) / speeds[1]])


def _random_loads(rng, speeds, total):
    """Loads below 1 with a given total."""
    while True:
        loads = total * rng.dirichlet(np.ones(len(speeds))) / speeds
        if loads.max() < 1:
            return loads
        # towards equal loads, as far as it takes
        part = rng.random() * (1 - total) / (loads.max() - total)
        return total + part * (loads - total)


def descend(speeds, total, guess, bounds=None):
    """The local minimum of the capacity loss below some loads, within bounds if given, shape (processors,)."""
    below_one = 1 - 1e-9
    bounds = [(0, min(total / c, below_one)) for c in speeds] if bounds is None else np.minimum(bounds, below_one)
    found = minimize(
        lambda loads: feasible_share(speeds, np.clip(loads, 0, below_one)), guess, jac=True, method="SLSQP",
        bounds=bounds,
        constraints={"type": "eq", "fun": lambda loads: speeds @ loads - total, "jac": lambda loads: speeds},
        options={"maxiter": 500, "ftol": 1e-15},
    )  # fmt: skip
    loads = np.clip(found.x, 0, below_one)
    return loads * total / (speeds @ loads)


@remembered
def minimise_response_time(capacities: Numbers, load: float) -> SplitLoad:
    """Split a load such that the mean response time is least (`thesis` (4.48), (4.117)).

    Parameters
    ----------
    capacities, load
        As for `minimise_capacity_loss`.

    Returns
    -------
    SplitLoad
        Its objective is the mean response time of a job.

    Raises
    ------
    UnstableError, ValueError
        As `minimise_capacity_loss`.

    Examples
    --------
    A fifth of the load is not worth a processor that is four times slower:

    >>> minimise_response_time([0.8, 0.2], 0.2).fractions
    array([1., 0.])
    """
    speeds, total = checked_capacities(capacities), checked_total(load)
    loads, idle = fill(speeds, total, speeds**-0.5)
    return split(speeds, total, loads, functools.partial(mean_response_time, idle=idle))


@remembered
def minimise_waiting_time(capacities: Numbers, load: float) -> SplitLoad:
    """Split a load such that the mean waiting time is least (`thesis` (4.51), (4.116)).

    Parameters
    ----------
    capacities, load
        As for `minimise_capacity_loss`.

    Returns
    -------
    SplitLoad
        Its objective is the mean waiting time of a job under first come, first served.

    Raises
    ------
    UnstableError, ValueError
        As `minimise_capacity_loss`.

    Examples
    --------
    >>> minimise_waiting_time([0.8, 0.2], 0.2).fractions.round(3)
    array([0.923, 0.077])
    """
    speeds, total = checked_capacities(capacities), checked_total(load)
    whole = speeds.sum()
    sent, idle, _ = equal_prices(whole * total, whole * (1 - total), speeds, 0.0, speeds)
    return split(speeds, total, sent / speeds, functools.partial(mean_waiting_time, idle=idle))


def mean_response_time(speeds, loads, idle=None):
    """Of M/M/1 queues: the mean number of jobs over the arrival rate, with mu = 1."""
    loads = np.asarray(loads)
    return float(np.sum(loads / (1 - loads if idle is None else idle) / (speeds @ loads)))


def mean_waiting_time(speeds, loads, idle=None):
    """Of M/M/1 queues served first come, first served: the mean number waiting over the arrival rate, with mu = 1."""
    loads = np.asarray(loads)
    return float(np.sum(loads / (speeds @ loads) * loads / (1 - loads if idle is None else idle)))
