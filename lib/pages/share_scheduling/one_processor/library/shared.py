"""What several of these rooms use."""

import numpy as np

from clustershare import uniprocessor
from clustershare.results import NoExactAnswer
from pages.agreement import gap, reached, stationary

ROUNDING = 1e-9
MEASURES = ("obtained_share", "probability_present", "job_share_deviation", "mean_jobs")


def whole(shares, arrivals, measures):
    """All that a result tells, of the four measures: the deviation by its definition, and times by Little's law."""
    obtained, present, uneven, jobs = np.array(measures, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(np.array(arrivals) > 0, jobs / np.array(arrivals), np.nan)
    return np.array([present - obtained / np.array(shares), *measures, times])


def told(result):
    """The same of a result."""
    names = ("group_share_deviation", *MEASURES, "mean_response_time")
    return np.array([getattr(result, name) for name in names])


def at_large(system, found, expected):
    """The gap of a result from the four measures."""
    return gap(told(found), whole(system[0], system[1], expected))


# Chains, state by state.


def solved(start, moves):
    """States reached from one, their stationary law, and the transitions between their places."""
    states, rates = reached(start, moves)
    return states, stationary(rates), (*rates.coords, rates.data)


def classes(policy, shares):
    """Of each group, 0 served first."""
    if policy == "FCFS":
        return [0] * len(shares)
    return [sorted({round(other, 9) for other in shares}, reverse=True).index(round(one, 9)) for one in shares]


def lost(shares, arrivals, services, law, transient, most, slack=None):
    """The bound of a chain: the work lost at its boundary, and for how long it would have been in the way."""
    loads = np.divide(arrivals, services)
    full = transient.sum(axis=0) == most
    work = law[full] @ (np.sum(arrivals) * (np.divide(1, services) @ transient[:, full]) + loads.sum())
    return work / (1 - loads.sum() if slack is None else slack) / min(shares)


# Systems at random: shares on both sides of 1/2 in no order, unequal rates, and a group without arrivals.


def drawn(rng, load, permanent, ties=False, silent=False, alike=False):
    """Shares, arrival rates, service rates and permanent jobs."""
    groups = len(permanent)
    shares = 0.1 + (1 - 0.1 * groups) * rng.dirichlet(np.ones(groups))
    if ties:
        shares[-1] = shares[0] = (shares[0] + shares[-1]) / 2
    services = np.full(groups, rng.uniform(0.5, 2)) if alike else np.exp(rng.uniform(-0.7, 0.7, groups))
    parts = 0.2 / groups + 0.8 * rng.dirichlet(np.ones(groups))
    if silent:
        parts[rng.integers(groups)] = 0
    arrivals = load * parts / parts.sum() * services
    return shares.tolist(), arrivals.tolist(), services.tolist(), list(permanent)


def by_class(shares, values):
    """Values named from the first class to the last, for the groups as they stand."""
    found = [0] * len(shares)
    for value, group in zip(values, np.argsort(-np.array(shares), kind="stable").tolist()):
        found[group] = value
    return found


def answer_of(policy, system):
    """The exact answer, or None where there is none."""
    try:
        return uniprocessor.exact(policy, *system)
    except NoExactAnswer:
        return None


RUN = {"jumps": 4000, "warmup": 600, "replications": 30}
