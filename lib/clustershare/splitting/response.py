"""Random splitting of one class for short responses or waits, sizes of any law (`thesis`, (4.44)-(4.51)).

On each processor the service times have their own mean and variance. For exponential sizes of one mean, which the
capacities alone tell apart, `minimise_response_time` and `minimise_waiting_time` say the same.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from clustershare.arguments import UnstableError, fail, number, positive, vector
from clustershare.calls import remembered
from clustershare.results import Result
from clustershare.typing import Numbers

SMALLEST, LARGEST = 1e-75, 1e75  # of rates, moments and costs: products of four stay within the floats
LEAST_LOAD = 1e-305


@dataclass(frozen=True)
class SplitRates(Result):
    """How to split a Poisson stream.

    Attributes
    ----------
    arrival_rates : ndarray, shape (processors,)
        What each processor is sent.
    multiplier : float
        The delta of `thesis` (4.47) and (4.50): the price of one more job per unit time, twice that in (4.47).
    objective : float
        The mean that was made least.
    """

    arrival_rates: np.ndarray
    multiplier: float
    objective: float


def parallel_response_time(arrival_rates: Numbers, service_rates: Numbers, variances: Numbers) -> float:
    """Of M/G/1 queues in parallel, by the formula of Pollaczek and Khinchine (`thesis` (4.44)).

    It holds for first come, first served, and for any order that neither asks for sizes nor interrupts. It does not
    hold for processor sharing, where the variance does not matter.

    Parameters
    ----------
    arrival_rates : sequence of float
        At each processor, at least 0, one above 0.
    service_rates, variances : sequence of float
        One over the mean of the service times on each processor, and their variance.

    Returns
    -------
    float

    Raises
    ------
    UnstableError
        If a processor is sent more than it can serve.
    ValueError
        If an argument is not as above.

    Examples
    --------
    Constant service times halve the wait of exponential ones:

    >>> parallel_response_time([0.5], [1.0], [1.0]), parallel_response_time([0.5], [1.0], [0.0])
    (2.0, 1.5)
    """
    rates, means, seconds = _queues(service_rates, variances)
    sent = np.array(vector("arrival_rates", arrival_rates, _from_0, len(rates)))
    positive("the sum of arrival_rates", float(sent.sum()))
    if (sent >= rates).any():
        over = np.flatnonzero(sent >= rates)
        raise UnstableError("arrival_rates must leave every processor a load below 1.", [int(p) for p in over])
    return float(sent / sent.sum() @ (means + _waits(sent, seconds, (rates - sent) / rates)))


@remembered
def fastest_responses(arrival_rate: float, service_rates: Numbers, variances: Numbers) -> SplitRates:
    """The split with the least mean response time (`thesis` (4.47)).

    The slowest processors are switched off, one after the other, as long as they would be sent less than nothing. How
    much service times vary does not matter for that: a processor is worth a job as soon as the price of one more job
    elsewhere is above its mean service time.

    Parameters
    ----------
    arrival_rate : float
        Of the whole stream, below the sum of the service rates.
    service_rates, variances : sequence of float
        As for `parallel_response_time`.

    Returns
    -------
    SplitRates

    Raises
    ------
    UnstableError
        If the processors cannot serve the stream.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> fastest_responses(0.5, [1.0, 0.5], [0.0, 0.0]).arrival_rates.round(3)
    array([0.457, 0.043])
    """
    rates, means, seconds = _queues(service_rates, variances)
    (total, spare), fastest = _checked_rate(arrival_rate, rates), float(rates.max())
    dearer = 2 * (fastest - rates) / (fastest * rates)  # than the fastest, as long as nobody is there
    sent, idle, price = equal_prices(total, spare, rates, dearer, 1 / (rates * seconds))
    return SplitRates(
        method="formula", arrival_rates=sent, multiplier=price + 2 / fastest,
        objective=float(sent / total @ (means + _waits(sent, seconds, idle))),
    )  # fmt: skip


@remembered
def shortest_waits(
    arrival_rate: float, mean_sizes: Numbers, second_moments: Numbers, costs: Numbers | None = None
) -> SplitRates:
    """The split with the least mean cost of waiting, first come, first served (`thesis` (4.49) with f_p, and (4.50)).

    Every processor is used: where nobody is, nobody waits.

    Parameters
    ----------
    arrival_rate : float
        Of the whole stream.
    mean_sizes, second_moments : sequence of float
        Of the service times on each processor.
    costs : sequence of float, optional
        Of a unit of time that a job waits at each processor; 1 if not given.

    Returns
    -------
    SplitRates
        Its objective is the mean cost of a job.

    Raises
    ------
    UnstableError
        If the processors cannot serve the stream.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> shortest_waits(1.0, [1.0, 1.0], [1.0, 2.0]).arrival_rates.round(3)
    array([0.565, 0.435])
    """
    means = np.array(vector("mean_sizes", mean_sizes, _moderate))
    seconds = np.array(vector("second_moments", second_moments, _moderate, len(means)))
    weights = np.ones(len(means)) if costs is None else np.array(vector("costs", costs, _moderate, len(means)))
    total, spare = _checked_rate(arrival_rate, 1 / means)
    sent, idle, price = equal_prices(total, spare, 1 / means, 0.0, 2 * means / (weights * seconds))
    return SplitRates(
        method="formula", arrival_rates=sent, multiplier=price,
        objective=float(weights * sent / total @ _waits(sent, seconds, idle)),
    )  # fmt: skip


_moderate = functools.partial(number, minimum=SMALLEST, maximum=LARGEST)


_from_0 = functools.partial(number, minimum=0, maximum=LARGEST)


def _queues(service_rates, variances):
    """Service rates, and the first two moments of the service times."""
    rates = np.array(vector("service_rates", service_rates, _moderate))
    return rates, 1 / rates, 1 / rates**2 + np.array(vector("variances", variances, _from_0, len(rates)))


def _checked_rate(arrival_rate, rates):
    """An arrival rate that the processors can serve, and what is left of their rates."""
    total, most = positive("arrival_rate", arrival_rate), math.fsum(rates)
    if total >= most:
        raise UnstableError(
            f"arrival_rate must be below {most:.12g}, what all processors serve; got {total:.12g}.", range(len(rates))
        )
    if total < LEAST_LOAD * most:
        fail("arrival_rate", arrival_rate, f"at least {LEAST_LOAD:g} of {most:.12g}, what all processors serve")
    return total, math.fsum([*rates, -total])


def _waits(sent, seconds, idle):
    """Mean waiting times of M/G/1 queues, first come, first served, that are idle for parts of the time."""
    return sent * seconds / (2 * idle)


def equal_prices(total, spare, rates, dearer, factors):
    """The split of a stream over processors that are idle for ``(1 + factor (price - dearer))**-0.5`` of the time.

    A processor that is dearer than the price is idle all the time. What is sought is the price at which all that comes
    is sent somewhere, by the smaller of what is sent and what is left: neither is a difference of large numbers.

    Parameters
    ----------
    total, spare : float
        What comes, and the sum of the rates less that; above 0.
    rates, factors : ndarray, shape (processors,)
        What each processor can serve; above 0.
    dearer : float or ndarray, shape (processors,)
        At least 0, and 0 for some.

    Returns
    -------
    sent, idle : ndarray, shape (processors,)
    price : float
    """
    unit = float(rates @ factors)
    factors, dearer = factors / unit, dearer * unit

    def parts(price):
        excess = factors * np.maximum(price - dearer, 0)
        root = np.sqrt(1 + excess)
        return excess / (root * (1 + root)), 1 / root

    def missing(log):
        busy, idle = parts(least * math.exp(log))
        return math.log(rates @ busy / total) if total < spare else -math.log(rates @ idle / spare)

    least = 2 * total  # no processor is busy for more than half its factor times the price
    high = 1.0
    while missing(high) < 0:
        high *= 2
    price = least * math.exp(brentq(missing, -1e-9, high, xtol=1e-15, rtol=1e-15))
    busy, idle = parts(price)
    if total < spare:  # to the last digit, which the price may lack
        return rates * (busy * (total / (rates @ busy))), idle, price / unit
    idle = np.minimum(1, idle * (spare / (rates @ idle)))
    return rates * (1 - idle), idle, price / unit
