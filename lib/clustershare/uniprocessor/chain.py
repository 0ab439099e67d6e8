"""The chain of the numbers of transient jobs, truncated on their sum."""

import math

import numpy as np
from scipy.special import gammaln

from clustershare import markov

TOLERANCE = 1e-10
REFUSED = 1e-6  # an answer less certain than this is no exact answer
MAX_STATES = 500_000


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
    obtained_share, probability_present : ndarray, shape (groups,)
    truncation_error : float
        See `_tail`.

    Raises
    ------
    ValueError
        If the states allowed leave a truncation error above `REFUSED`.
    """
    tolerance = TOLERANCE if tolerance is None else tolerance
    largest = 1
    while math.comb(largest + 1 + work.groups, work.groups) <= MAX_STATES:
        largest += 1
    # With equal service rates the sum is geometric, and this level is the one wanted; otherwise it is a first guess.
    slack = _slack(work)
    level, target = 1, tolerance * slack * work.required_shares.min()
    while level < largest and (level + 1) * (work.load / (work.load + slack)) ** (level + 1) > target:
        level += 1
    while True:
        transient, probability = distribution(level, work, obtained_shares)
        full = transient.sum(axis=0) == level
        error = _tail(work, transient[:, full], probability[full])
        if error <= tolerance or level == largest:
            break
        level = min(largest, math.ceil(1.2 * level) + 1)
    if error > max(REFUSED, tolerance):
        raise ValueError(
            f"arrival_rates must give a load at which {MAX_STATES} states of the chain suffice for an error below "
            f"{REFUSED:g}; got a total load of {work.load:.12g} with an error of up to {error:.1e}; use simulate."
        )
    jobs = transient + work.permanent_jobs[:, None]
    return obtained_shares(transient) @ probability, (jobs > 0) @ probability, error


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
    lattice = np.indices((level + 1,) * groups).reshape(groups, -1)
    inside = lattice.sum(axis=0) <= level
    transient = lattice[:, inside]
    index = np.cumsum(inside) - 1
    code, stride = np.flatnonzero(inside), (level + 1) ** np.arange(groups - 1, -1, -1)
    full = transient.sum(axis=0) == level

    shares = obtained_shares(transient)
    jobs = transient + work.permanent_jobs[:, None]
    departures = shares * work.service_rates[:, None] * transient / np.maximum(jobs, 1)
    rows, columns, rates = [], [], []
    for group in range(groups):
        source = np.flatnonzero(~full)
        rows.append(source)
        columns.append(index[code[source] + stride[group]])
        rates.append(np.full(len(source), work.arrival_rates[group]))
        source = np.flatnonzero(transient[group])
        rows.append(source)
        columns.append(index[code[source] - stride[group]])
        rates.append(departures[group, source])
    Q = markov.generator(len(code), np.concatenate(rows), np.concatenate(columns), np.concatenate(rates))
    # Groups without arrivals leave states that nothing enters.
    probability = np.zeros(len(code))
    entered = ~transient[work.arrival_rates == 0].any(axis=0)
    generator = Q[entered][:, entered]
    if groups == 2:  # two dimensions factorise cheaply, more do not
        probability[entered] = markov.stationary(generator)
    else:
        guess = _as_if_shared_equally(work.loads, transient[:, entered])
        probability[entered] = markov.iterate(generator, guess)
    return transient, probability


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


def _tail(work, transient, probability):
    """How much lost arrivals can change a group-share deviation.

    Run the system with the lost job beside the one without it, with the same later arrivals and sizes. They differ no
    longer than the former stays busy, on average its work divided by the slack, and meanwhile a deviation differs by
    no more than 1 / r_g. Losses occur at the arrival rates in the states of the boundary. With permanent jobs the
    system is never empty, and the same expression is an estimate.
    """
    backlog = (1 / work.service_rates) @ transient
    rate = work.arrival_rates.sum()
    lost_work = probability @ (rate * backlog + work.load)
    return float(lost_work / _slack(work) / work.required_shares.min())
