"""The cluster that is never short of jobs: in closed form, or by a chain where service rates differ."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.sparse import csgraph

from clustershare import markov
from clustershare.arguments import fail, integer
from clustershare.cluster_chain.model import ServiceCluster
from clustershare.results import NoExactAnswer

MOST_SERVERS = 10**7
NOTHING = 1e-290  # less is 0 here: arithmetic is slow below 1e-308
MOST_SUMS = 5 * 10**9  # a few seconds
MOST_STATES = 10**6  # some ten seconds
FEW_STATES = 500  # that are solved without a subtraction
BALANCED = 1e-9


def saturated_jobs(
    servers: int, job_sizes: Mapping[int, float], service_rates: float | Mapping[int, float] = 1.0
) -> float:
    """Mean number of jobs in service when there is always a next job and mapping takes no time.

    Served first come, first served. If all sizes are served at one rate, let K be how many jobs of a sequence of
    independent sizes fit side by side; the mean number in service is 1 / E[1 / K]. It follows from the stability
    criterion of Rumyantsev and Morozov (2017), the source's [12]: a queue is stable up to the rate at which a
    saturated cluster serves. If the rates differ, a chain answers: of the jobs in service and the size of the next one,
    which does not fit beside them.

    Parameters
    ----------
    servers : int
        Number of servers N. With one rate, takes time proportional to its square.
    job_sizes : dict
        Probability of each size, 1 ... N.
    service_rates : dict or float
        Rate at which a job of each size is served, or one rate for all, which makes no difference.

    Returns
    -------
    float

    Raises
    ------
    NoExactAnswer
        If the chain has more than a million states, or rates lie so far apart that it is not solved to nine digits.
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> round(saturated_jobs(2, {1: 0.5, 2: 0.5}, service_rates={1: 1.0, 2: 4.0}), 9)
    1.25
    >>> saturated_jobs(8, {2: 1.0})
    4.0
    >>> from clustershare.cluster_chain import uniform_sizes
    >>> round(saturated_jobs(16, uniform_sizes(16)), 5)
    1.35081
    """
    cluster = ServiceCluster(integer("servers", servers, 1, MOST_SERVERS), 0, job_sizes, 1, 1, service_rates)
    if np.ptp(cluster.size_service_rates) > 0:
        return _by_a_chain(cluster)
    return _in_closed_form(cluster.servers, cluster.job_sizes)


def saturated_throughput(
    servers: int, job_sizes: Mapping[int, float], service_rates: float | Mapping[int, float] = 1.0
) -> float:
    """The rate at which a cluster serves jobs when there is always a next one: what a queue before it can bear.

    As many jobs of each size are served as come, so that it is the mean number in service over the mean service time.

    Parameters
    ----------
    servers, job_sizes, service_rates
        As for `saturated_jobs`.

    Returns
    -------
    float
        Jobs per unit of time: up to this arrival rate a queue without bound is stable, first come, first served.

    Raises
    ------
    NoExactAnswer, ValueError
        As `saturated_jobs`.

    Examples
    --------
    >>> round(saturated_throughput(2, {1: 0.5, 2: 0.5}, service_rates={1: 1.0, 2: 4.0}), 9)
    2.0
    """
    jobs = saturated_jobs(servers, job_sizes, service_rates)
    cluster = ServiceCluster(servers, 0, job_sizes, 1, 1, service_rates)
    return jobs / float((cluster.size_probabilities / cluster.size_service_rates).sum())


def _in_closed_form(servers, sizes):
    most_jobs = servers // sizes[0][0]
    if most_jobs * len(sizes) * (servers + 1000) > MOST_SUMS:
        fail("servers", servers, f"so small that {len(sizes)} sizes, up to {most_jobs} jobs, take {MOST_SUMS:.0e} sums")
    sums = np.eye(1, servers + 1)[0]  # the law of the sum of k sizes, as far as they fit
    fits, inverse = 1.0, 0.0
    for jobs in range(most_jobs + 1):
        longer = np.zeros(servers + 1)
        for size, probability in sizes:
            longer[size:] += probability * sums[:-size]
        longer[longer < NOTHING] = 0
        sums = longer
        more = float(sums.sum())  # the probability that jobs + 1 fit
        if jobs:
            inverse += (fits - more) / jobs
        fits = more
    return 1 / inverse


def _by_a_chain(cluster):
    """From the moves, one at a time: a size is drawn, and put beside the others or has to wait; or a job ends.

    A state is a vector of `model.lattice` before a size is drawn, which takes no time, or with one that does not fit.
    """
    vectors, sizes = cluster.level_sizes[0], len(cluster.job_sizes)
    if vectors * (1 + sizes) > MOST_STATES:
        raise NoExactAnswer(
            f"A chain of up to {vectors * (1 + sizes)} states would answer where service_rates differ, and one of "
            f"{MOST_STATES} may be; use simulate, with more arrivals than are served."
        )
    above, rates = cluster.lattice(), cluster.departures()
    edges = np.flatnonzero(above.multiplicity)
    smaller, larger, rates = np.repeat(np.arange(vectors), above.fits), above.larger[edges], rates[edges]
    fits = np.arange(sizes) < above.fits[:, None]
    then = np.empty((vectors, sizes), dtype=int)  # the state once a size is drawn
    then[fits], then[~fits] = larger, vectors + np.arange((~fits).sum())
    total = np.bincount(larger, rates, minlength=vectors)
    edge, size = np.nonzero(~fits[larger])
    Q = markov.generator(
        vectors + int((~fits).sum()),
        np.append(np.repeat(np.arange(vectors), sizes), then[larger[edge], size]),
        np.append(then.ravel(), then[smaller[edge], size]),
        np.append(np.tile(cluster.size_probabilities, vectors), (rates / total[larger])[edge]),
    )
    # Whatever happens, jobs of the largest size may come until nothing else is there: those states return.
    _, component = csgraph.connected_components(Q, connection="strong")
    full = 0
    while fits[full, -1]:
        full = then[full, -1]
    stay = component == component[then[full, -1]]
    moves = np.zeros(len(stay))
    moves[stay] = _law(Q[stay][:, stay])
    vector, _ = np.nonzero(~fits)
    time = np.bincount(vector, moves[vectors:] / total[vector], minlength=vectors)  # before each end of a job
    jobs = above.multiplicity[edges] * time[larger]  # each edge below a vector is of the jobs of one size there
    by_size = np.bincount(above.size[edges], jobs, minlength=sizes)
    passing = by_size * cluster.size_service_rates / cluster.size_probabilities
    if not np.ptp(passing) <= BALANCED * passing.max():
        raise NoExactAnswer("No exact answer where service_rates lie so far apart; use simulate.")
    return float(by_size.sum() / time.sum())


def _law(Q):
    """The stationary law: to the last digits if the chain is small."""
    if Q.shape[0] <= FEW_STATES:
        return markov.gth(Q)
    try:
        return markov.iterate(Q, np.ones(Q.shape[0]))
    except ArithmeticError:
        raise NoExactAnswer("No exact answer where service_rates lie so far apart; use simulate.") from None
