"""The shares that groups obtain under random splitting, and which routing serves them best (`thesis`, Section 4.5)."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from clustershare.arguments import UnstableError, affordable, array, fail, integer, number, one_of, positive, vector
from clustershare.calls import remembered
from clustershare.results import Result
from clustershare.shares import required_shares as check_shares
from clustershare.splitting.capacity_loss import capacity_loss, checked_capacities
from clustershare.splitting.numbers import law_of_numbers, tails_of_numbers
from clustershare.typing import FloatArray, Numbers
from clustershare.uniprocessor import chain
from clustershare.uniprocessor.analysis import sharing_rule
from clustershare.uniprocessor.model import Workload

WHOLE = 1e-9  # r_g P counts as whole within this
MOST_LOADS = 10**8  # of groups on processors, in one array


@dataclass(frozen=True)
class SplitShares(Result):
    """How a routing delivers shares.

    Attributes
    ----------
    group_share_deviation : ndarray, shape (groups,)
        Expected group-share deviation (`thesis` (4.125)).
    capacity_loss : float
        Expected capacity loss (4.58).
    feasible_share, obtained_share : ndarray, shape (groups,)
        Expected shares, of which the deviation is the difference (4.121), (4.120).
    mean_jobs : ndarray, shape (groups,)
        Mean number of jobs; infinite where a group has jobs on an overloaded processor.
    mean_response_time : ndarray, shape (groups,)
        Mean time of a job in the system: infinite as `mean_jobs`, nan for a group without load.
    processor_loads : ndarray, shape (groups, processors)
        rho_gp of (4.32): load by a group, relative to the processor's capacity.
    routing : ndarray, shape (groups, processors)
        pi_gp of (4.131): the part of a group's jobs sent to a processor; nan for a group without load.
    method, error
        As for `uniprocessor.exact`.
    """

    group_share_deviation: np.ndarray
    capacity_loss: float
    feasible_share: np.ndarray
    obtained_share: np.ndarray
    mean_jobs: np.ndarray
    mean_response_time: np.ndarray
    processor_loads: np.ndarray
    routing: np.ndarray


def _groups(required_shares, service_rates):
    required = np.array(check_shares("required_shares", required_shares))
    if np.ndim(service_rates) == 0:
        return required, np.full(len(required), positive("service_rates", service_rates))
    return required, np.array(vector("service_rates", service_rates, positive, len(required)))


def group_loads(loads, groups):
    """Loads of the groups as an array: each at least 0, their sum above 0; an overload by its own type."""
    values = np.array(vector("loads", loads, lambda name, value: number(name, value, 0), groups))
    if not 0 < values.sum() < 1:
        total = math.fsum(values)
        if total >= 1:
            raise UnstableError(f"loads must sum to less than 1; got {total:.12g}.", range(groups))
        fail("loads", loads, "above 0 for at least one group, and below 1 in all")
    return values


def _feasible(required, tails, processors):
    """E[f_g] (4.121) from P[N_g > n], as far as it matters: below r_g P. Each job adds what it can claim."""
    jobs = np.arange(len(tails))
    return np.clip(required - jobs / processors, 0, 1 / processors) @ tails


def _length(required, processors):
    """How many probabilities matter: of numbers below r_g P."""
    return max(1, math.ceil(required * processors - WHOLE))


def _finish(required, rates, speeds, loads, feasible, obtained, jobs, **found):
    carried = loads @ speeds
    with np.errstate(divide="ignore", invalid="ignore"):
        response = np.where(carried > 0, jobs / (carried * rates), np.nan)
        routing = np.where(carried[:, None] > 0, loads * speeds / carried[:, None], np.nan)
    return SplitShares(
        group_share_deviation=(feasible - obtained) / required, capacity_loss=capacity_loss(speeds, loads.sum(axis=0)),
        feasible_share=feasible, obtained_share=obtained, mean_jobs=jobs, mean_response_time=response,
        processor_loads=loads, routing=routing, **found,
    )  # fmt: skip


@remembered
def assignment(
    required_shares: Numbers, processor_loads: ArrayLike, capacities: Numbers, service_rates: float | Numbers = 1.0
) -> SplitShares:
    """The shares under any routing, with processor sharing on each processor (`thesis` (4.120)-(4.127)).

    Parameters
    ----------
    required_shares : sequence of float
        Of the groups; they sum to 1.
    processor_loads : array_like, shape (groups, processors)
        rho_gp of (4.32), at least 0. A processor may be overloaded; all together may not be.
    capacities : sequence of float
        Of the processors, in descending order; they sum to 1.
    service_rates : float or sequence of float
        mu_g: jobs of a group that a processor of capacity 1 serves per unit time. They matter on overloaded processors,
        where (4.120) holds for equal ones only.

    Returns
    -------
    SplitShares

    Raises
    ------
    UnstableError
        If the total load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    The assignment that is better than a processor pair for each group (`thesis`, Theorem 4.15):

    >>> loads = [[0.55, 0.55, 0.1, 0], [0, 0, 0.35, 0.45]]
    >>> assignment([0.5, 0.5], loads, [0.25] * 4).group_share_deviation.round(2)
    array([0.12, 0.12])
    """
    required, rates = _groups(required_shares, service_rates)
    speeds = checked_capacities(capacities)
    loads = array("processor_loads", processor_loads, 2, 0)
    if loads.shape != (len(required), len(speeds)):
        fail("processor_loads", processor_loads, f"a table of {len(required)} times {len(speeds)} loads of at least 0")
    group_loads(loads @ speeds, len(required))
    feasible, obtained, jobs = shares_of(required, rates, speeds, loads)
    return _finish(required, rates, speeds, loads, feasible, obtained, jobs, method="formula")


def shares_of(required, rates, speeds, loads):
    """Feasible and obtained shares and mean numbers of `assignment`, without its checks, each of shape (groups,)."""
    idle = idle_time(loads)
    obtained = _obtained(loads, rates) @ speeds
    feasible, jobs = required.copy(), np.full(len(required), np.inf)
    for g, share in enumerate(required):
        if (idle[loads[g] > 0] > 0).all():
            tails = tails_of_numbers(_ratios(loads, idle, g), _length(share, len(speeds)))
            used = loads[g] > 0
            feasible[g], jobs[g] = _feasible(share, tails, len(speeds)), np.sum(loads[g, used] / idle[used])
    return feasible, obtained, jobs


def idle_time(loads):
    """1 less the sum of the loads of each processor, in any order of groups: with what rounding takes off."""
    left, lost = np.ones(loads.shape[1]), np.zeros(loads.shape[1])
    for own in loads:
        before, left = left, left - own
        lost += np.where(np.abs(before) >= own, (before - left) - own, before - (own + left))
    return left + lost


def _ratios(loads, idle, group):
    """On each processor that a group uses, its number is geometric with this ratio (`thesis` (4.123))."""
    used = loads[group] > 0
    return loads[group, used] / (idle[used] + loads[group, used])


def group_number_law(processor_loads: ArrayLike, group: int, length: int) -> FloatArray:
    """The law of the number of jobs of one group under random splitting with processor sharing (`thesis` (4.124)).

    Parameters
    ----------
    processor_loads : array_like, shape (groups, processors)
        rho_gp of (4.32), at least 0; below 1 together on each processor that the group uses.
    group : int
        Counted from 0.
    length : int
        The probabilities of 0, ..., length - 1 jobs are wanted.

    Returns
    -------
    ndarray, shape (length,)

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    Half of the load of a processor; a job of the group is there for a third of the time:

    >>> group_number_law([[0.25], [0.25]], 0, 3)
    array([0.66666667, 0.22222222, 0.07407407])
    """
    loads = array("processor_loads", processor_loads, 2, 0)
    group = integer("group", group, 0, len(loads) - 1)
    idle, length = idle_time(loads), integer("length", length, 1, 10**8)
    if (idle[loads[group] > 0] <= 0).any():
        fail("processor_loads", processor_loads, f"below 1 together on each processor that group {group} uses")
    return law_of_numbers(_ratios(loads, idle, group), length)


def _obtained(loads, rates):
    """The part of each processor that each group obtains under processor sharing (4.120), shape (groups, processors).

    On an overloaded processor all numbers grow in the same proportions for ever: what arrives of a group, less what is
    served, in proportion to the number there. With equal rates that is rho_gp / rho_{*p}.
    """
    totals = loads.sum(axis=0)
    parts = loads / np.maximum(1, totals)
    for p in np.flatnonzero(totals > 1) if np.ptp(rates) else ():
        parts[:, p] = _outgrowing(loads[:, p] * rates, rates)
    return parts


def _outgrowing(arriving, rates):
    """The parts of one overloaded processor that groups obtain, whose jobs grow in number for ever, shape (groups,)."""
    some = arriving > 0
    growth = brentq(lambda x: np.sum(arriving[some] / (x + rates[some])) - 1, 0, arriving.sum(), xtol=1e-15, rtol=1e-14)
    return np.where(some, arriving / (growth + rates), 0)


@remembered
def horizontal(
    required_shares: Numbers, loads: Numbers, capacities: Numbers, local: str = "PS",
    service_rates: float | Numbers = 1.0, *, tolerance: float | None = None,
) -> SplitShares:  # fmt: skip
    """HPRS: every processor has the same mix of jobs and the same load (`thesis`, Theorem 4.11).

    Parameters
    ----------
    required_shares : sequence of float
        Of the groups; they sum to 1.
    loads : sequence of float
        rho_{g*} of the groups (4.34); their sum is below 1.
    capacities : sequence of float
        Of the processors, in descending order; they sum to 1.
    local : str
        How each processor shares itself: "PS", "PPS" or "GPPS".
    service_rates : float or sequence of float
        mu_g; they matter under PPS and GPPS.
    tolerance : float, optional
        The error to aim at where a chain answers, as for `uniprocessor.exact`.

    Returns
    -------
    SplitShares
        By a formula for PS. Otherwise from the chain of one processor, whose law of a group's number is convolved as
        often as there are processors; where service rates differ that of all jobs too, for the capacity loss.

    Raises
    ------
    UnstableError
        If the total load is 1 or more.
    NoExactAnswer
        If the chain of one processor does not reach: too high a load, too many groups.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> for local in ("PS", "GPPS"):
    ...     print(horizontal([0.5, 0.5], [0.3, 0.3], [0.5, 0.5], local).group_share_deviation.round(4))
    [0.0735 0.0735]
    [0.0554 0.0554]
    >>> horizontal([0.5, 0.5], [0.3, 0.3], [0.5, 0.5]).method
    'formula'
    """
    required, rates = _groups(required_shares, service_rates)
    speeds, own = checked_capacities(capacities), group_loads(loads, len(required))
    one_of("local", local, ("PS", "PPS", "GPPS"))
    processors = len(speeds)
    affordable("groups times processors", len(required) * processors, MOST_LOADS)
    spread = np.tile(own[:, None], processors)
    if tolerance is not None:
        positive("tolerance", tolerance)
    if local == "PS":
        return assignment(required, spread, speeds, rates)
    laws, jobs, error = laws_on_one_processor(local, tuple(required), tuple(own), tuple(rates), tolerance)
    feasible = np.empty(len(required))
    for g, (share, law) in enumerate(zip(required, laws)):
        feasible[g] = _feasible(share, _tails_of_sum(law, processors, _length(share, processors)), processors)
    result = _finish(
        required, rates, speeds, spread, feasible, own.copy(), processors * jobs, method="chain",
        error=processors * error,
    )  # fmt: skip
    if np.ptp(rates) == 0:
        return result
    # The number of jobs on a processor is not geometric then, as (4.58) has it.
    obtainable = speeds @ _tails_of_sum(laws[-1], processors, processors)
    return replace(result, capacity_loss=max(float(obtainable - own.sum()), 0.0))


@functools.lru_cache(maxsize=1024)  # one chain answers for any number of processors
def laws_on_one_processor(local, required, loads, rates, tolerance):
    """The laws of each group's number on one processor and of all jobs there, the means, and the error of the chain."""
    shares, mu = np.array(required), np.array(rates)
    work = Workload(local, shares, np.array(loads) * mu, mu, np.zeros(len(shares), dtype=int))
    numbers, probability, error = chain.law(work, sharing_rule(work), tolerance)
    laws = [np.bincount(own, weights=probability) for own in (*numbers, numbers.sum(axis=0))]
    return laws, numbers @ probability, error


def _tails_of_sum(law, times, length):
    """P[N > n] of the sum of so many independent numbers of one law, as far as asked, by sums of positive terms."""

    def add(one, other):
        (first, beyond), (second, others) = one, other
        return np.convolve(first, second)[:length], beyond + np.convolve(first, others)[:length]

    result, square = (np.eye(1, length)[0], np.zeros(length)), np.zeros((2, length))
    square[0, : min(length, len(law))] = law[:length]
    square[1, : min(length, len(law) - 1)] = law[:0:-1].cumsum()[::-1][:length]
    while times:
        if times & 1:
            result = add(result, square)
        square = add(square, square)
        times >>= 1
    return result[1]


@remembered
def vertical(required_shares: Numbers, loads: Numbers, processors: int) -> SplitShares:
    """VPRS: each group has processors of its own, as many as its required share (`thesis`, Theorem 4.13).

    Parameters
    ----------
    required_shares : sequence of float
        Of the groups; they sum to 1, and each times the number of processors is whole.
    loads : sequence of float
        rho_{g*} of the groups (4.34); their sum is below 1.
    processors : int
        Number of equal processors.

    Returns
    -------
    SplitShares

    Raises
    ------
    UnstableError
        If the total load is 1 or more.
    ValueError
        If an argument is not as above: among others, if the system is not fully partitionable.

    Examples
    --------
    >>> vertical([0.5, 0.5], [0.3, 0.2], 4).group_share_deviation.round(3)
    array([0.144, 0.096])
    """
    required = np.array(check_shares("required_shares", required_shares))
    own = group_loads(loads, len(required))
    sizes = required * integer("processors", processors, 1, 10**6)
    if (abs(sizes - np.round(sizes)) > WHOLE).any():
        fail(
            "required_shares", tuple(required_shares),
            f"whole numbers of {processors} processors (r_g P is {', '.join(f'{size:.12g}' for size in sizes)})",
        )  # fmt: skip
    affordable("groups times processors", len(required) * processors, MOST_LOADS)
    sizes = np.round(sizes).astype(int)
    spread = np.zeros((len(required), processors))
    spread[np.repeat(np.arange(len(required)), sizes), np.arange(processors)] = np.repeat(own / required, sizes)
    return assignment(required, spread, np.full(processors, 1 / processors))
