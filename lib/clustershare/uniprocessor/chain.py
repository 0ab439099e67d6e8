"""The chain of the numbers of transient jobs, truncated on their sum."""

import math

import numpy as np
from scipy.special import comb, gammaln

from clustershare import markov
from clustershare.results import NoExactAnswer

TOLERANCE = 1e-10
LEAST_TOLERANCE = 1e-16  # smaller ones add states, and no digits
REFUSED = 1e-6  # an answer less certain than this is no exact answer
MAX_STATES = 500_000
MANY_GROUPS = 8  # of more groups, fewer states are allowed, for each is as many numbers


def solve(work, obtained_shares, tolerance=None):
    """Obtained shares and presence of groups whose shares depend on the numbers of jobs alone.

    Parameters
    ----------
    work : Workload
    obtained_shares : callable
        Takes the numbers of transient jobs, shape (groups, states), and returns the obtained group shares in the same
        shape; a group's share is divided equally among its jobs, permanent ones included.
    tolerance : float, optional
        The truncation error to aim at, `TOLERANCE` by default.

    Returns
    -------
    obtained_share, probability_present, mean_jobs : ndarray, shape (groups,)
        The last of transient jobs.
    error : float
        See `tail`.

    Raises
    ------
    NoExactAnswer
        As `law`.
    """
    transient, probability, error = law(work, obtained_shares, tolerance)
    jobs = transient + work.permanent_jobs[:, None]
    return obtained_shares(transient) @ probability, (jobs > 0) @ probability, transient @ probability, error


def law(work, obtained_shares, tolerance=None):
    """The law of the numbers of transient jobs, cut where an answer is as certain as asked.

    Parameters
    ----------
    work, obtained_shares, tolerance
        As for `solve`.

    Returns
    -------
    transient : ndarray, shape (groups, states)
    probability : ndarray, shape (states,)
    error : float
        See `tail`.

    Raises
    ------
    NoExactAnswer
        If the states allowed leave an error above `REFUSED` and above the tolerance. They are counted, and what they
        leave is estimated, before any is made.
    """
    tolerance = TOLERANCE if tolerance is None else max(tolerance, LEAST_TOLERANCE)
    largest = 1
    most_states = MAX_STATES * MANY_GROUPS // max(MANY_GROUPS, work.groups)
    while math.comb(largest + 1 + work.groups, work.groups) <= most_states:
        largest += 1
    # With equal service rates the sum is geometric, and this level is the one wanted; otherwise it is a first guess.
    slack = _slack(work)
    scale, decay = slack * work.required_shares.min(), work.load / (work.load + slack)
    guesses = [(level + 1) * decay ** (level + 1) / scale for level in range(1, largest + 1)]
    if min(guesses) > max(1.0, tolerance):
        raise _too_many(work, most_states, min(guesses))
    level = next((level for level, guess in enumerate(guesses, 1) if guess <= tolerance), largest)
    while True:
        transient, probability = distribution(level, work, obtained_shares)
        full = transient.sum(axis=0) == level
        error = tail(work, transient[:, full], probability[full])
        if error <= tolerance or level == largest:
            break
        level = min(largest, math.ceil(1.2 * level) + 1)
    if error > max(REFUSED, tolerance):
        raise _too_many(work, most_states, error)
    return transient, probability, error


def _too_many(work, most_states, error):
    """The sentence that says what would answer."""
    digit = 10.0 ** math.floor(math.log10(error))
    answers = f"tolerance={math.ceil(1.001 * error / digit) * digit:g} accepts that, or " if error < 1 else ""
    times = work.policy == "PPS" and not work.permanent_jobs.any()
    answers += "uniprocessor.discriminatory_response_times has the mean response times, or " if times else ""
    return NoExactAnswer(
        f"A chain of {most_states} states leaves an error of up to {error:.1e} at a total load of {work.load:.12g} of "
        f"{work.groups} groups; {answers}use simulate."
    )


def distribution(level, work, obtained_shares):
    """The law of the numbers of transient jobs when arrivals are lost while there are `level` of them.

    Parameters
    ----------
    level : int
    work, obtained_shares
        As for `solve`.

    Returns
    -------
    transient : ndarray, shape (groups, states)
    probability : ndarray, shape (states,)
    """
    groups = work.groups
    transient = simplex(level, groups)
    full = transient.sum(axis=0) == level

    shares = obtained_shares(transient)
    jobs = transient + work.permanent_jobs[:, None]
    departures = shares * work.service_rates[:, None] * transient / np.maximum(jobs, 1)
    rows, columns, rates = [], [], []
    for group in range(groups):
        source = np.flatnonzero(~full)
        rows.append(source)
        columns.append(rank(level, transient[:, source] + np.eye(groups, dtype=int)[:, [group]]))
        rates.append(np.full(len(source), work.arrival_rates[group]))
        source = np.flatnonzero(transient[group])
        rows.append(source)
        columns.append(rank(level, transient[:, source] - np.eye(groups, dtype=int)[:, [group]]))
        rates.append(departures[group, source])
    Q = markov.generator(transient.shape[1], np.concatenate(rows), np.concatenate(columns), np.concatenate(rates))
    # Groups without arrivals leave states that nothing enters.
    probability = np.zeros(transient.shape[1])
    entered = ~transient[work.arrival_rates == 0].any(axis=0)
    generator = Q[entered][:, entered]
    if groups == 2:  # two dimensions factorise cheaply, more do not
        probability[entered] = markov.stationary(generator)
    else:
        guess = _as_if_shared_equally(work.loads, transient[:, entered])
        probability[entered] = markov.iterate(generator, guess)
    return transient, probability


def simplex(level, groups):
    """All numbers of jobs of which there are at most `level` together, in lexicographic order.

    Parameters
    ----------
    level, groups : int

    Returns
    -------
    ndarray of int, shape (groups, states)

    Examples
    --------
    >>> simplex(2, 2)
    array([[0, 0, 0, 1, 1, 2],
           [0, 1, 2, 0, 1, 0]])
    """
    rows, left = np.zeros((0, 1), dtype=np.int64), np.array([level])
    for _ in range(groups):
        choices = left + 1
        first = np.repeat(np.cumsum(choices) - choices, choices)
        number = np.arange(len(first)) - first
        rows = np.vstack([np.repeat(rows, choices, axis=1), number])
        left = np.repeat(left, choices) - number
    return rows


def rank(level, transient):
    """The places of some states in `simplex(level, groups)`.

    Parameters
    ----------
    level : int
    transient : ndarray of int, shape (groups, some)

    Returns
    -------
    ndarray of int, shape (some,)

    Examples
    --------
    >>> rank(3, simplex(3, 2))
    array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    """
    places, left = np.zeros(transient.shape[1], dtype=np.int64), np.full(transient.shape[1], level)
    for number, others in zip(transient, range(len(transient), 0, -1)):
        # As many states of these and the further groups have at most r jobs; those with fewer of this group come first.
        states = comb(np.arange(level + 1) + others, others).round().astype(np.int64)
        places += states[left] - states[left - number]
        left = left - number
    return places


def _as_if_shared_equally(loads, transient):
    """The law under processor sharing without permanent jobs, but for a factor (`thesis` (3.80))."""
    jobs = transient.sum(axis=0)
    used = loads > 0
    return np.exp(gammaln(jobs + 1) - gammaln(transient + 1).sum(axis=0) + np.log(loads[used]) @ transient[used])


def _slack(work):
    """The capacity that transient jobs leave at least."""
    slack = 1 - work.load
    if work.policy == "GPPS" and work.permanent_jobs.any():
        slack = min(slack, (work.capacities() - work.loads)[work.arrival_rates > 0].min())
    return slack


def tail(work, transient, probability):
    """How much lost arrivals can change a group-share deviation, or a mean number of jobs.

    Run the system with the lost job beside the one without it, with the same later arrivals and sizes. They differ no
    longer than the former stays busy, on average its work divided by the slack, and meanwhile a deviation differs by
    no more than 1 / r_g. Losses occur at the arrival rates in the states of the boundary. With permanent jobs the
    system is never empty, and the same expression is an estimate. So it is of mean numbers: with equal service rates
    there is one job more for as long, whosever it is, which is less than half as much.

    Parameters
    ----------
    work : Workload
    transient : ndarray of int, shape (groups, some)
        The states in which an arrival is lost.
    probability : ndarray, shape (some,)

    Returns
    -------
    float
    """
    backlog = (1 / work.service_rates) @ transient
    rate = work.arrival_rates.sum()
    lost_work = probability @ (rate * backlog + work.load)
    return float(lost_work / _slack(work) / work.required_shares.min())
