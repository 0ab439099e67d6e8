"""Where to send a job: the policies that `thesis`, Section 1.3.6, takes from Chow and Kohler, and from Eager et al.

Minimum response time (MRTP) on like processors is join the shortest queue (JSQ). To move a job to the shortest of a few
queues that are probed ("Shortest") is the power of d choices, or JSQ(d), of the jobs that are moved.

Jobs arrive in a Poisson stream, service times are exponential, and every processor serves first come, first served.
"""

import math

import numpy as np

from clustershare import markov
from clustershare.arguments import UnstableError, integer, number, one_of, positive, vector

POLICIES = ("MRTP", "MSTP", "MTP")
LOCATIONS = ("Random", "Threshold", "Shortest")


def times_to_empty(most, service_rates):
    """The mean time until all jobs present are served, if no more come: T(n_1, ..., n_m) of `thesis` (1.4).

    Parameters
    ----------
    most : sequence of int
        The largest number of jobs at each processor.
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
    result = np.full([limit + 1 for limit in limits], zero, dtype=float if isinstance(zero, float) else object)
    for state in np.ndindex(result.shape):
        busy = [k for k, jobs in enumerate(state) if jobs]
        if busy:
            after = sum(service_rates[k] * result[(*state[:k], state[k] - 1, *state[k + 1 :])] for k in busy)
            result[state] = (1 + after) / sum(service_rates[k] for k in busy)
    return result


def throughput(jobs, service_rate, arrival_rate):
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
    count = integer("jobs", jobs, 0)
    rate, arrival = positive("service_rate", service_rate), positive("arrival_rate", arrival_rate)
    quicker = rate / (arrival + rate)
    terms = [(1 - count / k) * quicker**k for k in range(1, count)]
    return arrival * (math.fsum(terms) + count * math.log1p(rate / arrival))


def scores(policy, most, service_rates, arrival_rate):
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
    integer("most", most, 0)
    count = len(vector("service_rates", service_rates, positive))
    states = np.indices((most + 1,) * count)
    if policy == "MRTP":
        return np.stack([(states[k] + 1) / rate for k, rate in enumerate(service_rates)])
    if policy == "MSTP":
        times = times_to_empty((most + 1,) * count, [float(rate) for rate in service_rates])
        return np.stack([times[tuple(states + np.eye(count, dtype=int)[k].reshape((-1,) + (1,) * count))]
                         for k in range(count)])  # fmt: skip
    gains = [np.diff([throughput(n, rate, arrival_rate) for n in range(most + 2)]) for rate in service_rates]
    return -np.stack([gain[states[k]] for k, gain in enumerate(gains)])


def choices(policy, most, service_rates, arrival_rate):
    """The processor that a policy chooses in each state, shape (most + 1, ..., most + 1); of equals, the fastest.

    Parameters
    ----------
    policy : str
        "MRTP", "MSTP" or "MTP": minimum response time (of like processors: JSQ, join the shortest queue), minimum
        system time, maximum throughput.
    most : int
        The largest number of jobs at a processor.
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
    """
    values = scores(policy, most, service_rates, arrival_rate)
    return (values <= values.min(axis=0) + 1e-12).argmax(axis=0)


def mean_response_time(policy, service_rates, arrival_rate, most=60):
    """The mean response time under a policy, from the chain of the numbers of jobs.

    Parameters
    ----------
    policy, service_rates, arrival_rate
        As for `choices`.
    most : int
        Jobs that find as many at the processor chosen are lost, so the load must leave that unlikely.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If the arrival rate is not below the sum of the service rates.

    Examples
    --------
    >>> round(mean_response_time("MRTP", (1.0, 1.0), 1.2), 4)  # join the shortest queue
    1.6818
    """
    rates = np.array(vector("service_rates", service_rates, positive))
    arrival = positive("arrival_rate", arrival_rate)
    if arrival >= rates.sum():
        raise UnstableError(
            f"arrival_rate must be below the sum of the service rates, {rates.sum():g}; got {arrival_rate!r}.",
            range(len(rates)),
        )
    chosen = choices(policy, most, tuple(rates), arrival)

    def transitions(state):
        k = chosen[state]
        if state[k] < most:
            yield (*state[:k], state[k] + 1, *state[k + 1 :]), arrival
        for k, jobs in enumerate(state):
            if jobs:
                yield (*state[:k], jobs - 1, *state[k + 1 :]), rates[k]

    states, *moves = markov.explore((0,) * len(rates), transitions)
    law = markov.stationary(markov.generator(len(states), *moves))
    accepted = law[[state[chosen[state]] < most for state in states]].sum()
    return float(np.sum(states, axis=1) @ law / (arrival * accepted))


def transfer_response_time(location, load, threshold, probes=1, longest=200):
    """Mean response time in a large homogeneous system where a job is moved when it finds a long queue.

    A job is served where it arrives if it finds fewer than `threshold` jobs there. Otherwise another processor is
    chosen: at random; the first of up to `probes` that has fewer than `threshold`; or the shortest of those probed,
    if it has fewer. If none has, the job stays. In the limit of many processors each queue is a birth-death process
    whose rates depend on the common law, which is found by iteration.

    Parameters
    ----------
    location : str
        "Random" (where the job is served whatever it finds), "Threshold" or "Shortest".
    load : float
        Per processor, below 1; the mean service time is 1.
    threshold, probes : int
        At least 1.
    longest : int
        Queue length at which the law is cut.

    Returns
    -------
    float
        In mean service times.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> [round(transfer_response_time(location, 0.8, 2, 3), 2) for location in LOCATIONS]
    [2.23, 1.69, 1.62]
    """
    one_of("location", location, LOCATIONS)
    number("load", load, 0, 1, open_below=True, open_above=True)
    integer("threshold", threshold, 1)
    integer("probes", probes, 1)
    lengths = np.arange(longest + 1)
    short = lengths < threshold
    law = (1 - load) * load**lengths
    for _ in range(10_000):
        beyond = law[~short].sum()  # the probability that a queue is not short
        if location == "Random":
            rates = load * (short + beyond)
        else:
            tail = np.append(law[::-1].cumsum()[::-1], 0.0)
            if location == "Threshold":
                each = np.full(longest + 1, (1 - beyond**probes) / max(1 - beyond, 1e-300))
            else:
                each = (tail[:-1] ** probes - tail[1:] ** probes) / np.maximum(law, 1e-300)
            rates = np.where(short, load * (1 + beyond * each), load * beyond**probes)
        new = np.cumprod(np.append(1.0, rates[:-1]))
        new /= new.sum()
        if np.abs(new - law).max() < 1e-14:
            break
        law = (new + law) / 2
    return float(lengths @ law / load)
