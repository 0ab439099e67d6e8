"""Balanced fairness: numbers of jobs, service rates and delays, exactly.

By `balanced` Theorem 2 these are the answers for exponential sizes, with any number of interruptions, and the limits of
frequent interruptions for all sizes.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import affordable, fail, number, vector
from clustershare.calls import remembered
from clustershare.compiled.arguments import law
from clustershare.multiserver import recursions
from clustershare.multiserver.graph import (
    CompatibilityGraph,
    RandomAssignment,
    check_arrival_rates,
    merged,
    require_stable,
    require_stable_load,
)
from clustershare.multiserver.performance import Performance
from clustershare.results import NoExactAnswer
from clustershare.sizes import Exponential, JobSize
from clustershare.typing import FloatArray

MOST_CLASSES = 22
MOST_SERVERS = 10**7


@remembered
def balanced_fairness(
    graph: CompatibilityGraph | RandomAssignment, arrival_rates: ArrayLike, sizes: JobSize | None = None
) -> Performance:
    """Performance under balanced fairness, which of the sizes depends on the mean alone.

    For a graph, by the recursion over the sets of active classes that `balanced` Section 3 takes from Shah and de
    Veciana (its [22, Theorem 4] and [23, Theorem 1]). With G(A) the stationary mass, relative to the empty state, of
    the states in which exactly the classes in A are active, summing (4) over those states gives::

        (mu(A) - lambda(A)) G(A) = sum over i in A of lambda_i G(A without i),

    and likewise for the mass weighted with x_i, of which the adjoint is solved instead, once for all classes. Classes
    with the same servers are one class to the recursion, and share its jobs in proportion to their rates.

    Parameters
    ----------
    graph : CompatibilityGraph or RandomAssignment
        Of at most 22 classes with different servers: time and memory double with each.
    arrival_rates : array_like, shape (classes,), or float
        Jobs per unit time, at least 0: of each class of a graph, or of all together under a random assignment. Of a
        class with rate 0 the delay and service rate are those of a single job among the others: the limits for a
        vanishing rate.
    sizes : clustershare.sizes.JobSize, optional
        Sizes in work, the same for all classes; of mean 1 if not given.

    Returns
    -------
    Performance
        Arrays of shape (classes,), by "recursion", or floats as of `random_assignment`, by "formula".

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If a set of classes brings at least the work its servers can do.
    NoExactAnswer
        If there are too many classes for the recursion.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    >>> result = balanced_fairness(graph, [0.75, 0.75])
    >>> result.mean_jobs.round(6), result.mean_service_rate.round(6), round(result.probability_empty, 6)
    (array([0.728571, 0.728571]), array([1.029412, 1.029412]), 0.357143)
    >>> round(balanced_fairness(RandomAssignment(100, 2), 40.0, Exponential(2.0)).mean_delay, 4)  # load 0.8
    2.5546
    """
    sizes = Exponential() if sizes is None else sizes
    if not isinstance(sizes, JobSize):
        fail("sizes", sizes, "None or a distribution of clustershare.sizes")
    law("sizes", sizes)
    if isinstance(graph, RandomAssignment):
        load = number("arrival_rates", arrival_rates, 0) * sizes.mean / graph.servers
        fair = random_assignment(graph.servers, graph.degree, load)
        return dataclasses.replace(fair, mean_delay=sizes.mean * fair.mean_delay)
    work = check_arrival_rates(graph, arrival_rates) * sizes.mean
    require_stable(graph, work)
    distinct, new_class = merged(graph)
    if distinct.classes > MOST_CLASSES:
        raise NoExactAnswer(
            f"The recursion takes at most {MOST_CLASSES} classes with different servers, and these are "
            f"{distinct.classes}: use simulate."
        )
    mass, delays = recursions.subset_recursion(
        np.bincount(new_class, work), distinct.service_rates_of_subsets(range(distinct.classes))
    )
    delays = delays[new_class]
    return Performance(work * delays, 1 / delays, sizes.mean * delays, float(1 / mass), method="recursion")


def three_server_service_rates(capacities: ArrayLike, arrival_rates: ArrayLike) -> FloatArray:
    """Mean service rates of two classes with a server each and a third in common: `balanced` (10) and (11).

    Class 0 may use servers 0 and 2, class 1 servers 1 and 2. The mean size is 1.

    Parameters
    ----------
    capacities : array_like, shape (3,)
        Work per unit time, at least 0; each class must have a server of positive capacity.
    arrival_rates : array_like, shape (2,)
        Jobs per unit time, at least 0.

    Returns
    -------
    ndarray, shape (2,)
        gamma_1 and gamma_2.

    Raises
    ------
    ValueError
        If a class has no capacity, or a number is missing or negative.
    UnstableError
        If a class, or both together, bring at least what their servers can do.

    Examples
    --------
    >>> three_server_service_rates([1, 1, 1], [0.75, 0.75]).round(6)
    array([1.029412, 1.029412])

    Fig. 2 of `balanced`, where class 2 has no server of its own:

    >>> three_server_service_rates([1, 0, 1], [0.5, 0.5]).round(6)
    array([1.      , 0.428571])
    """
    at_least_0 = lambda name, value: number(name, value, 0)  # noqa: E731
    mu1, mu2, mu3 = vector("capacities", capacities, at_least_0, 3)
    for i, own in enumerate((mu1, mu2)):
        if own + mu3 == 0:
            fail("capacities", capacities, f"such that class {i + 1} has a server of positive capacity")
    rates = np.array(vector("arrival_rates", arrival_rates, at_least_0, 2))
    # Of capacity 0 there is nothing to serve with, so the server is left out where stability is decided.
    kept = [server for server, capacity in enumerate((mu1, mu2, mu3)) if capacity > 0]
    servers = [[kept.index(server) for server in own if server in kept] for own in ((0, 2), (1, 2))]
    require_stable(CompatibilityGraph(servers, [(mu1, mu2, mu3)[server] for server in kept]), rates)
    # What the servers of a class, and all of them, have left, each rounded once: so it has its digits.
    lambda1, lambda2 = rates.tolist()
    left1, left2 = math.fsum([mu1, mu3, -lambda1]), math.fsum([mu2, mu3, -lambda2])
    left = math.fsum([mu1, mu2, mu3, -lambda1, -lambda2])
    common = left + mu3 * (lambda1 / (mu1 + mu3)) * (lambda2 / (mu2 + mu3))
    first = 1 / left + mu2 / (mu2 + mu3) * (left2 / left1) / common
    second = 1 / left + mu1 / (mu1 + mu3) * (left1 / left2) / common
    return np.array([1 / first, 1 / second])


@remembered
def random_assignment(servers: int, degree: int, load: float) -> Performance:
    """Balanced fairness when each job may use `degree` of the `servers`, drawn at random (`balanced` Section 5).

    Servers have capacity 1 and jobs mean size 1. The mean delay is the closed form of Gardner et al.,
    "Redundancy-d" (2017), which `balanced` cites as [10] without printing it::

        sum over i from d to S of 1 / (S C(S-1, d-1) / C(i-1, d-1) - S load)

    Parameters
    ----------
    servers : int
        S, at least 1. Takes time and memory proportional to it.
    degree : int
        d, at least 1 and at most S.
    load : float
        Jobs per unit time and server, at least 0.

    Returns
    -------
    Performance
        Floats: the mean number of jobs in the cluster, of all classes together, and the mean service rate and delay,
        which are the same for each of the C(S, d) classes.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    UnstableError
        If the load is 1 or more. Its set names the servers, all of them.

    Examples
    --------
    >>> for degree in (1, 2, 3):
    ...     print(round(random_assignment(100, degree, 0.8).mean_delay, 4))
    5.0
    1.2773
    0.7814
    """
    affordable("servers", servers, MOST_SERVERS)
    assignment = RandomAssignment(servers, degree)
    load = number("load", load, 0)
    require_stable_load(assignment, load)
    # C(i-1, d-1) / C(S-1, d-1) from i = S down to d: a product of factors below 1, where the coefficients overflow.
    i = np.arange(servers, degree, -1.0)
    share = np.cumprod(np.concatenate([[1.0], (i - degree) / (i - 1)]))
    delay = float((share / (servers * (1 - load * share))).sum())
    empty = float(np.exp(np.log1p(-load * share).sum()))
    return Performance(servers * load * delay, 1 / delay, delay, empty, method="formula")
