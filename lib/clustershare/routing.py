"""Where to send a job: the policies that `thesis`, Section 1.3.6, takes from Chow and Kohler, and from Eager et al.

Minimum response time (MRTP) on like processors is join the shortest queue (JSQ). To move a job to the shortest of a few
queues that are probed ("Shortest") is the power of d choices, or JSQ(d), of the jobs that are moved.

Here jobs are all alike, and processors may differ. Policies that know groups and what these were promised, on
processors that share their time among jobs, are in `clustershare.dispatch`.

Jobs arrive in a Poisson stream, service times are exponential, and every processor serves first come, first served.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import root

from clustershare import markov
from clustershare.arguments import UnstableError, affordable, fail, integer, number, one_of, positive, vector
from clustershare.results import NoExactAnswer
from clustershare.typing import FloatArray, FloatsOrFractions, IntArray, Integers, Numbers

POLICIES = ("MRTP", "MSTP", "MTP")
LOCATIONS = ("Random", "Threshold", "Shortest")
MOST_JOBS = 10**7
MOST_LEVELS = 10**5  # of jobs in all, until empty
FIRST_BOX, MOST_STATES, ENOUGH = (
    60,
    300_000,
    1e-6,
)  # of the chains: the first size tried, the largest, what may be missed


ALL = 1e-12  # within this of 1, all jobs are lost
NEAR = 1e-9  # of a load of 1, at which a fixed point still has digits


def times_to_empty(most: int | Integers, service_rates: FloatsOrFractions | Numbers) -> npt.NDArray[Any]:
    """The mean time until all jobs present are served, if no more come: T(n_1, ..., n_m) of `thesis` (1.4).

    Parameters
    ----------
    most : sequence of int
        The largest number of jobs at each processor; in all at most 100 000 jobs and ten million states, with
        fractions 10 000 and 100 000.
    service_rates : sequence of float or of fractions.Fraction
        Jobs per unit time that each processor serves. With fractions the answers are exact.

    Returns
    -------
    ndarray of float or of Fraction, shape (most[0] + 1, ..., most[-1] + 1)

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> from fractions import Fraction
    >>> times = times_to_empty((5, 2), (Fraction(2), Fraction(1)))
    >>> print(times[5, 1], times[4, 2])
    1279/486 646/243
    """
    limits = vector("most", most, lambda name, value: integer(name, value, 0))
    vector("service_rates", service_rates, positive, len(limits))
    zero = 0 * service_rates[0]
    exact = 1 if isinstance(zero, float) else 10  # digits of fractions grow with the jobs
    affordable("the sum of most", sum(limits), MOST_LEVELS // exact)
    affordable("the number of states, by most,", math.prod(limit + 1 for limit in limits), MOST_JOBS // exact**2)
    shape = [limit + 1 for limit in limits]
    result = np.full(math.prod(shape), zero, dtype=float if isinstance(zero, float) else object)
    numbers = np.indices(shape).reshape(len(shape), -1)
    strides = [math.prod(shape[k + 1 :]) for k in range(len(shape))]
    jobs = numbers.sum(axis=0)
    order = np.argsort(jobs, kind="stable")
    # All states with so many jobs at once: those after a departure have one job less.
    for state in np.split(order, np.cumsum(np.bincount(jobs))[:-1])[1:]:
        busy = (numbers[:, state] > 0).astype(int)
        rates = [rate * working for rate, working in zip(service_rates, busy)]
        after = sum(rate * result[state - stride * b] for rate, stride, b in zip(rates, strides, busy))
        result[state] = (1 + after) / sum(rates)
    return result.reshape(shape)


def throughput(jobs: int, service_rate: float, arrival_rate: float) -> float:
    """Expected departures per unit of time at a processor until the next arrival: TP_i(n_i) of `thesis`, Section 1.3.6.

    Departures in an interarrival period, divided by the length of that period, then averaged.

    Parameters
    ----------
    jobs : int
        n_i, at least 0.
    service_rate, arrival_rate : float
        Jobs per unit time, above 0.

    Returns
    -------
    float
        Jobs per unit time.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> round(throughput(1, 1.0, 1.0), 6)  # ln 2
    0.693147
    """
    return float(throughputs(integer("jobs", jobs, 0, MOST_JOBS), service_rate, arrival_rate)[-1])


def throughputs(most: int, service_rate: float, arrival_rate: float) -> FloatArray:
    """`throughput` of 0, 1, ..., `most` jobs at once, from one pass over the sums.

    Examples
    --------
    >>> throughputs(2, 1.0, 1.0).round(6)  # 0, ln 2, 2 ln 2 - 1/2
    array([0.      , 0.693147, 0.886294])
    """
    rate, arrival = positive("service_rate", service_rate), positive("arrival_rate", arrival_rate)
    jobs = np.arange(integer("most", most, 0, MOST_JOBS) + 1)
    powers = np.exp(-_log1p_ratio(arrival, rate) * np.maximum(jobs, 1))
    # Sums over 1, ..., n - 1 of q^k and of q^k / k.
    plain, parts = (np.append(0.0, np.cumsum(np.append(0.0, terms[1:]))[:-1])
                    for terms in (powers, powers / np.maximum(jobs, 1)))  # fmt: skip
    return arrival * (plain + jobs * (_log1p_ratio(rate, arrival) - parts))


def throughput_gains(most: int, service_rate: float, arrival_rate: float) -> FloatArray:
    """By how much one job more raises the `throughput` of 0, 1, ..., `most` jobs.

    The differences of the closed form are lambda times the sum of x^k/k over k > n, with x = mu/(lambda + mu). Summed
    so, they keep their relative accuracy where they are far smaller than the throughput.

    Examples
    --------
    >>> throughput_gains(1, 1.0, 1.0).round(6), np.diff(throughputs(2, 1.0, 1.0)).round(6)
    (array([0.693147, 0.193147]), array([0.693147, 0.193147]))
    """
    rate, arrival = positive("service_rate", service_rate), positive("arrival_rate", arrival_rate)
    first, log = integer("most", most, 0, MOST_JOBS) + 1, _log1p_ratio(arrival, rate)  # x is exp(-log)
    if first * log < 1:  # beyond them is a good part of the whole sum, too many terms
        last, beyond = first - 1, _log1p_ratio(rate, arrival)
    elif first + 40 / log <= MOST_JOBS:
        last, beyond = first + math.ceil(40 / log), 0.0
    else:
        fail("service_rate", service_rate, f"such that at most {MOST_JOBS} terms are summed, and not {40 / log:.3g}")
    k = np.arange(1, last + 1)
    powers = np.exp(-k * log) / k
    if first * log < 1:
        beyond -= powers.sum()
    return arrival * np.cumsum(np.append(beyond, powers[::-1]))[::-1][:first]


def _log1p_ratio(above, below):
    """log(1 + above / below), whose ratio may be beyond the floats."""
    ratio = above / below
    return math.log1p(ratio) if ratio < math.inf else math.log(above) - math.log(below)


def scores(
    policy: str, most: int | Integers, service_rates: FloatsOrFractions | Numbers, arrival_rate: float
) -> FloatArray:
    """What a policy minimises, for each processor and state (`thesis`, Section 1.3.6).

    Entry [k, n_1, ..., n_m] is what sending a job to processor k means when the processors have n_1, ..., n_m jobs:
    MRTP the mean response time of that job, MSTP the mean time to empty the system, MTP minus the expected throughput
    until the next arrival.

    Parameters
    ----------
    policy, most, service_rates, arrival_rate
        As for `choices`.

    Returns
    -------
    ndarray, shape (processors, most + 1, ..., most + 1)

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> scores("MRTP", 1, (2.0, 1.0), 1.5)[:, 1, 0]
    array([1., 1.])
    """
    one_of("policy", policy, POLICIES)
    count = len(vector("service_rates", service_rates, positive))
    number("arrival_rate", arrival_rate, 0)
    limits = _limits(most, count)
    affordable("the number of states, by most,", math.prod(limit + 1 for limit in limits), MOST_JOBS)
    states = np.indices([limit + 1 for limit in limits])
    if policy == "MRTP":
        return np.stack([(states[k] + 1) / rate for k, rate in enumerate(service_rates)])
    if policy == "MSTP":
        times = times_to_empty([limit + 1 for limit in limits], [float(rate) for rate in service_rates])
        return np.stack([times[tuple(states + np.eye(count, dtype=int)[k].reshape((-1,) + (1,) * count))]
                         for k in range(count)])  # fmt: skip
    gains = [throughput_gains(limit, rate, arrival_rate) for limit, rate in zip(limits, service_rates)]
    return -np.stack([gain[states[k]] for k, gain in enumerate(gains)])


def _limits(most, count):
    """The largest number of jobs at each processor, from one number or several."""
    if np.ndim(most) == 0:
        return (integer("most", most, 0, MOST_JOBS),) * count
    return tuple(vector("most", most, lambda name, value: integer(name, value, 0, MOST_JOBS), count))


def choices(policy: str, most: int | Integers, service_rates: Numbers, arrival_rate: float) -> IntArray:
    """The processor that a policy chooses in each state, shape (most + 1, ...); of equals, the fastest.

    Parameters
    ----------
    policy : str
        "MRTP", "MSTP" or "MTP": minimum response time (of like processors: JSQ, join the shortest queue), minimum
        system time, maximum throughput.
    most : int or sequence of int
        The largest number of jobs at a processor, or at each.
    service_rates : sequence of float
        Jobs per unit time that each processor serves, the fastest first.
    arrival_rate : float
        Jobs per unit time. Only MTP looks at it.

    Returns
    -------
    ndarray of int, shape (most + 1, ..., most + 1)
        Processors, counted from 0.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> [int(choices(policy, 4, (2.0, 1.0), 1.5)[4, 1]) for policy in POLICIES]
    [1, 0, 1]
    >>> int(choices("MRTP", 4, (2.0, 1.0), 1.5)[4, 1])
    1
    """
    values = scores(policy, most, service_rates, arrival_rate)
    least = values.min(axis=0)
    return (values <= least + 1e-12 * np.abs(least)).argmax(axis=0)


def stationary_law(
    policy: str, service_rates: FloatsOrFractions, arrival_rate: float, most: int | Integers | None = None
) -> tuple[FloatArray, float]:
    """The law of the numbers of jobs under a policy, from their chain.

    Parameters
    ----------
    policy, service_rates, arrival_rate
        As for `choices`.
    most : int or sequence of int, optional
        Jobs that find as many at the processor chosen are lost, so the load must leave that unlikely. If not given, as
        many as bring the jobs missed below a millionth of the mean number.

    Returns
    -------
    law : ndarray, shape (most + 1, ...)
    lost : float
        The probability that a job is lost.

    Raises
    ------
    NoExactAnswer
        If `most` is not given, and that many take more than `MOST_STATES` states; or if the rates are too far apart.
    ValueError
        If an argument is not as above.
    UnstableError
        If the arrival rate is not below the sum of the service rates.

    Examples
    --------
    >>> law, lost = stationary_law("MRTP", (1.0,), 0.5, most=40)
    >>> law[:3].round(4), lost < 1e-12
    (array([0.5  , 0.25 , 0.125]), True)
    """
    rates = np.array(vector("service_rates", service_rates, positive))
    arrival = positive("arrival_rate", arrival_rate)
    if arrival >= rates.sum():
        raise UnstableError(
            f"arrival_rate must be below the sum of the service rates, {rates.sum():g}; got {arrival_rate!r}.",
            range(len(rates)),
        )
    if most is not None:
        return _law(policy, rates, arrival, most)
    most, missed = FIRST_BOX, math.inf
    while (most + 1) ** len(rates) <= MOST_STATES:
        law, lost = _law(policy, rates, arrival, most)
        # Without the lost job each later one is done sooner, until the line that it finds is gone.
        missed = lost * arrival / (rates.sum() - arrival) * (most + 1) * len(rates)
        missed /= float((np.indices(law.shape).sum(axis=0) * law).sum())
        if missed <= ENOUGH:
            return law, lost
        most *= 2
    raise NoExactAnswer(
        f"With up to {most // 2} jobs at each of {len(rates)} processors, {missed:.1e} of the mean number are missed; "
        f"more than {MOST_STATES} states would be needed. Give `most` to accept that."
    )


def _law(policy, rates, arrival, most):
    chosen = choices(policy, most, tuple(rates.tolist()), arrival)
    numbers, index = np.indices(chosen.shape), np.arange(chosen.size).reshape(chosen.shape)
    moves, full = [], np.zeros(chosen.shape, dtype=bool)
    for k, rate in enumerate(rates):
        stride = math.prod(chosen.shape[k + 1 :])
        leaving, coming = numbers[k] > 0, chosen == k
        full |= coming & (numbers[k] == chosen.shape[k] - 1)
        entering = index[coming & ~full]
        moves.append((index[leaving], index[leaving] - stride, np.full(leaving.sum(), rate)))
        moves.append((entering, entering + stride, np.full(len(entering), arrival)))
    try:
        law = markov.stationary(markov.generator(chosen.size, *(np.concatenate(part) for part in zip(*moves))))
    except ArithmeticError:
        raise NoExactAnswer("The chain was not solved: its rates are too far apart for elimination.") from None
    law = law.reshape(chosen.shape)
    return law, float(law[full].sum())


def mean_response_time(
    policy: str, service_rates: FloatsOrFractions, arrival_rate: float, most: int | Integers | None = None
) -> float:
    """The mean response time of the jobs that are not lost; arguments and errors as of `stationary_law`.

    Examples
    --------
    >>> round(mean_response_time("MRTP", (1.0, 1.0), 1.2), 4)  # join the shortest queue
    1.6818
    """
    law, lost = stationary_law(policy, service_rates, arrival_rate, most)
    if lost > 1 - ALL:
        fail("most", most, "such that not all jobs are lost")
    return float((np.indices(law.shape).sum(axis=0) * law).sum() / (arrival_rate * (1 - lost)))


def transfer_response_time(
    location: str, load: float | Numbers, threshold: int, probes: int = 1, transfers: int = 1
) -> float:
    """Mean response time in a large homogeneous system where a job is moved when it finds a long queue.

    A job is served where it arrives if it finds fewer than `threshold` jobs there. Otherwise another processor is
    chosen: at random; the first of up to `probes` that has fewer than `threshold`; or the shortest of those probed,
    if it has fewer. If none has, the job stays. In the limit of many processors each queue is a birth-death process
    whose rates depend on the common law, which is found as a fixed point.

    Parameters
    ----------
    location : str
        "Random" (where a job may be moved on, until it has been moved `transfers` times and is served whatever it
        finds), "Threshold" or "Shortest".
    load : float or sequence of float
        Per processor, their mean below 1; the mean service time is 1. Several loads are those of jobs that arrive at
        as many kinds of processors, of which there are equally many.
    threshold, probes, transfers : int
        At least 1.

    Returns
    -------
    float
        In mean service times.

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If the queues of a kind grow without bound.
    NoExactAnswer
        If they are within 1e-9 of that.

    Examples
    --------
    >>> [round(transfer_response_time(location, 0.8, 2, 3), 2) for location in LOCATIONS]
    [2.23, 1.69, 1.62]
    >>> round(transfer_response_time("Random", 0.8, 2, 3), 2)
    2.23
    """
    one_of("location", location, LOCATIONS)
    loads = np.array(vector("load", np.atleast_1d(load), positive))
    number("load", float(loads.mean()), 0, 1, open_below=True, open_above=True)
    integer("threshold", threshold, 1, 1000)
    integer("probes", probes, 1, 10**6)
    integer("transfers", transfers, 1, 10**6)

    def rates(short):
        """Arrival rates to short queues of each kind and length, and to long ones, from the laws of the short."""
        beyond = 1 - short.sum(axis=1)
        long = beyond.mean()  # the probability that a queue is not short
        moved = (loads * beyond).mean()
        if location == "Random":
            coming = loads[:, None] + moved * _powers(long, transfers)
            return np.tile(coming, threshold), np.full(len(loads), moved * long ** (transfers - 1))
        common = short.mean(axis=0)
        if location == "Threshold":
            each = np.full(threshold, _powers(long, probes))
        else:
            tail = 1 - np.append(0.0, np.cumsum(common))
            each = (tail[:-1] ** probes - tail[1:] ** probes) / common
        return loads[:, None] + moved * each, loads * long**probes

    def laws(short):
        """The laws at these rates: of the short queues, their parts; of the long ones, the rate over the service."""
        coming, ratio = rates(short)
        parts = np.cumprod(np.hstack([np.ones((len(loads), 1)), coming]), axis=1)
        rest = 1 - np.minimum(ratio, 1 - NEAR)
        total = parts[:, :-1].sum(axis=1) + parts[:, -1] / rest
        return parts / total[:, None], ratio

    def gap(flat):
        return laws(flat.reshape(len(loads), -1))[0][:, :-1].ravel() - flat

    guess = np.tile((1 - loads.mean()) * loads.mean() ** np.arange(threshold), (len(loads), 1))
    for steps in (20, 60, 200, 600):
        for _ in range(steps):  # half steps come near the fixed point from anywhere, and slowly to it
            guess = (guess + laws(guess)[0][:, :-1]) / 2
        found = root(gap, guess.ravel(), tol=1e-13)
        if np.abs(found.fun).max() <= 1e-10:
            break
    else:
        raise ArithmeticError(f"The fixed point was not found: {found.message}")
    parts, ratio = laws(found.x.reshape(guess.shape))
    if (ratio >= 1 + NEAR).any():
        raise UnstableError("load must leave all queues stable.", np.flatnonzero(ratio >= 1 + NEAR))
    if (ratio >= 1 - NEAR).any():
        raise NoExactAnswer(f"A queue is within {NEAR:g} of a load of 1: too near for its length to have digits.")
    rest = 1 - ratio
    jobs = parts[:, :-1] @ np.arange(threshold) + parts[:, -1] * (threshold / rest + ratio / rest**2)
    return float(jobs.mean() / loads.mean())


def _powers(base, count):
    """The sum of so many powers, from 1 on, of a number near 0 to 1."""
    if base == 1:
        return float(count)
    return (1 - base**count if base < 0.5 else -np.expm1(count * np.log(base))) / (1 - base)
