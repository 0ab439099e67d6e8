"""Random splitting of one class for short responses or waits, sizes of any law (`thesis`, (4.44)-(4.51)).

On each processor the service times have their own mean and variance. For exponential sizes of one mean, which the
capacities alone tell apart, `minimise_response_time` and `minimise_waiting_time` say the same.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from clustershare.arguments import UnstableError, number, positive, vector
from clustershare.results import Result


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


def parallel_response_time(arrival_rates, service_rates, variances):
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
    sent = np.array(vector("arrival_rates", arrival_rates, _at_least_0, len(rates)))
    positive("the sum of arrival_rates", float(sent.sum()))
    if (sent * means >= 1).any():
        over = np.flatnonzero(sent * means >= 1)
        raise UnstableError("arrival_rates must leave every processor a load below 1.", [int(p) for p in over])
    return _mean(sent, means, _waits(sent, means, seconds))


def fastest_responses(arrival_rate, service_rates, variances):
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
    total, scv = _checked_rate(arrival_rate, rates), seconds / means**2 - 1
    order = np.argsort(-rates, kind="stable")  # the fastest first
    for used in range(len(rates), 0, -1):
        on = order[:used]

        def sent(delta, on=on):
            return rates[on] * (1 - np.sqrt((scv[on] + 1) / (delta * rates[on] + scv[on] - 1)))

        delta = _multiplier(sent, total, float(((1 - scv[on]) / rates[on]).max()))
        if sent(delta)[-1] >= 0:
            break
    found = np.zeros(len(rates))
    found[on] = sent(delta)
    return SplitRates(
        method="formula", arrival_rates=found, multiplier=delta,
        objective=_mean(found, means, _waits(found, means, seconds)),
    )  # fmt: skip


def shortest_waits(arrival_rate, mean_sizes, second_moments, costs=None):
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
    means = np.array(vector("mean_sizes", mean_sizes, positive))
    seconds = np.array(vector("second_moments", second_moments, positive, len(means)))
    weights = np.ones(len(means)) if costs is None else np.array(vector("costs", costs, positive, len(means)))
    total = _checked_rate(arrival_rate, 1 / means)

    def sent(delta):
        return (1 - 1 / np.sqrt(1 + 2 * means * delta / (weights * seconds))) / means

    delta = _multiplier(sent, total, 0.0)
    found = sent(delta)
    return SplitRates(
        method="formula", arrival_rates=found, multiplier=delta,
        objective=float((weights * found * _waits(found, means, seconds)).sum() / found.sum()),
    )  # fmt: skip


def _at_least_0(name, value):
    return number(name, value, 0)


def _queues(service_rates, variances):
    """Service rates, and the first two moments of the service times."""
    rates = np.array(vector("service_rates", service_rates, positive))
    means = 1 / rates
    return rates, means, means**2 + np.array(vector("variances", variances, _at_least_0, len(rates)))


def _checked_rate(arrival_rate, rates):
    """An arrival rate that the processors can serve."""
    total = positive("arrival_rate", arrival_rate)
    if total >= rates.sum():
        raise UnstableError(
            f"arrival_rate must be below {rates.sum():.12g}, what all processors serve; got {total:.12g}.",
            range(len(rates)),
        )
    return total


def _waits(sent, means, seconds):
    """Mean waiting times of M/G/1 queues, first come, first served."""
    return sent * seconds / (2 * (1 - sent * means))


def _mean(sent, means, waits):
    """The mean response time of a job of any queue."""
    return float((sent * (means + waits)).sum() / sent.sum())


def _multiplier(sent, total, below):
    """The delta above `below` for which what is sent sums to the total, sought by the logarithm of what it is above."""
    high = 1.0
    while sent(below + high).sum() < total:
        high *= 4
    low = high / 4
    while sent(below + low).sum() >= total:
        low /= 4
    return below + float(np.exp(brentq(
        lambda log: sent(below + np.exp(log)).sum() - total, np.log(low), np.log(high), xtol=1e-15, rtol=1e-15,
    )))  # fmt: skip
