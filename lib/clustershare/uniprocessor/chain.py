"""The chain of the numbers of transient jobs, truncated on their sum."""

import math

import numpy as np

from clustershare import markov

TOLERANCE = 1e-10
REFUSED = 1e-6  # an answer less certain than this is no exact answer
MAX_STATES = {2: 400_000}  # two dimensions factorise cheaply, more do not
MAX_STATES_BEYOND = 20_000


def solve(work, obtained_shares):
    """Obtained shares and presence of groups whose shares depend on the numbers of jobs alone.

    Parameters
    ----------
    work : Workload
    obtained_shares : callable
        Takes the numbers of transient jobs, shape (groups, states), and returns the obtained group shares in the same
        shape; a group's share is divided equally among its jobs, permanent ones included.

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
    allowed = MAX_STATES.get(work.groups, MAX_STATES_BEYOND)
    largest = 1
    while math.comb(largest + 1 + work.groups, work.groups) <= allowed:
        largest += 1
    # With equal service rates the sum is geometric, and this level is the one wanted; otherwise it is a first guess.
    slack = _slack(work)
    level, target = 1, TOLERANCE * slack * work.required_shares.min()
    while level < largest and (level + 1) * (work.load / (work.load + slack)) ** (level + 1) > target:
        level += 1
    while True:
        obtained, present, error = _solve_up_to(level, work, obtained_shares)
        if error <= TOLERANCE or level == largest:
            break
        level = min(largest, math.ceil(1.2 * level) + 1)
    if error > REFUSED:
        raise ValueError(
            f"arrival_rates must give a load at which {allowed} states of the chain suffice for an error below "
            f"{REFUSED:g}; got a total load of {work.load:.12g} with an error of up to {error:.1e}; use simulate."
        )
    return obtained, present, error


def _solve_up_to(level, work, obtained_shares):
    """The chain in which arrivals are lost when `level` transient jobs are in the system."""
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
    probability[entered] = markov.stationary(Q[entered][:, entered])
    return shares @ probability, (jobs > 0) @ probability, _tail(work, transient[:, full], probability[full])


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
