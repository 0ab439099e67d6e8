"""Optimal static routing between sites, by marginal costs: witnesses for `thesis`, Sections 1.3.1 and 1.3.5."""

import numpy as np
from scipy.optimize import minimize

# A site is one or more like queues in tandem, each M/M/1: its mean number of jobs is stations x / (rate - x).


def cost(rates, stations, loads):
    """Mean numbers of jobs at sites."""
    return stations * loads / (rates - loads)


def at_marginal(rates, stations, value):
    """The arrival rate at which one job more a time unit costs so much; 0 where it costs more from the start."""
    return np.clip(rates - np.sqrt(stations * rates / value), 0, None)


def balanced(rates, stations, arrivals, delay):
    """Loads of sites when each transfer costs a delay, and all jobs together are to be quickest.

    A site whose marginal cost lies between alpha and alpha + delay keeps what it has; the others send down to alpha +
    delay or receive up to alpha. Alpha is where as much is sent as received.

    Parameters
    ----------
    rates, stations, arrivals : ndarray, shape (..., sites)
        Arrivals may be more than a site can serve.
    delay : ndarray, shape (..., 1)

    Returns
    -------
    ndarray, shape (..., sites)
    """
    total = arrivals.sum(axis=-1, keepdims=True)
    low, high = np.full(total.shape, -12.0), np.full(total.shape, 30.0)  # logarithms
    for _ in range(64):
        alpha = (low + high) / 2
        received = at_marginal(rates, stations, np.exp(alpha))
        kept = at_marginal(rates, stations, np.exp(alpha) + delay)
        loads = np.clip(arrivals, received, kept)
        less = loads.sum(axis=-1, keepdims=True) < total
        low, high = np.where(less, alpha, low), np.where(less, high, alpha)
    return loads


def by_flows(rates, stations, arrivals, delay):
    """The same for one system by a general solver over all flows between sites: flows, shape (sites, sites)."""
    sites = len(rates)
    off = ~np.eye(sites, dtype=bool)

    def loads(flat):
        flows = np.zeros((sites, sites))
        flows[off] = flat
        return arrivals - flows.sum(axis=1) + flows.sum(axis=0)

    def objective(flat):
        own = loads(flat)
        room = np.maximum(rates - own, 1e-9)
        slope = stations * rates / room**2
        value = (stations * own / room).sum() + delay * flat.sum()
        return value, (slope[None, :] - slope[:, None])[off] + delay

    limits = [{"type": "ineq", "fun": loads}, {"type": "ineq", "fun": lambda flat: rates * (1 - 1e-6) - loads(flat)}]
    total, room = arrivals.sum(), rates / rates.sum() * arrivals.sum()
    start = (np.maximum(arrivals - room, 0)[:, None] * np.maximum(room - arrivals, 0)[None, :])[off]
    start = start / max(np.maximum(room - arrivals, 0).sum(), 1e-12)
    found = minimize(objective, start, jac=True, bounds=[(0, total)] * off.sum(), constraints=limits, method="SLSQP",
                     options={"ftol": 1e-13, "maxiter": 400})  # fmt: skip
    flows = np.zeros((sites, sites))
    flows[off] = found.x
    return flows, found.fun


def least_of_sum(costs, units):
    """The least sum of convex costs, site by site, if so many units are given out.

    Parameters
    ----------
    costs : ndarray, shape (sites, levels)
        Of 0, 1, ... units at each site, infinite where it may not have as many.
    units : int
    """
    with np.errstate(invalid="ignore"):
        steps = np.diff(costs, axis=1)
    steps = np.where(np.isfinite(steps), steps, np.inf)
    return costs[:, 0].sum() + np.sort(steps.ravel())[:units].sum()
