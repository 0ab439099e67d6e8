"""Algorithm 1 of `balanced` simulated beside balanced fairness, whose mean is known: small distances, seen early."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import number, resolved
from clustershare.compiled.arguments import law
from clustershare.compiled.encoding import encode
from clustershare.estimates import Estimate, from_replications
from clustershare.multiserver import beside_kernel, recursions
from clustershare.multiserver.formulas import balanced_fairness
from clustershare.multiserver.graph import check_graph, check_streams, load_of, require_stable
from clustershare.results import NoExactAnswer, Result
from clustershare.run_length import check_run_length
from clustershare.typing import Run

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph
    from clustershare.sizes import JobSize

LARGEST_TABLE = 8_000_000  # states of balanced fairness whose rates are kept
RARE = 25  # the table ends where the probability of more jobs of a class is about exp(-25)


@dataclass(frozen=True)
class Beside(Result):
    """Algorithm 1 with balanced fairness as a control variate: arrays of shape (classes,).

    Attributes
    ----------
    mean_jobs : Estimate
        Mean number of jobs of each class.
    mean_delay : Estimate
        Mean time of a job in the cluster.
    distance : Estimate
        Of both from balanced fairness, relative to it, with its sign.
    total_distance : Estimate
        A float: of the mean number of jobs of all classes together.
    plain_jobs : Estimate
        The mean numbers from the same runs, without the companion.
    companion_jobs : Estimate
        The mean numbers of the companion in these runs.
    fair_jobs : ndarray
        The exact mean numbers of the companion.
    interruptions_per_job : Estimate
    method, error
        See `clustershare.results.Result`.
    """

    mean_jobs: Estimate
    mean_delay: Estimate
    distance: Estimate
    total_distance: Estimate
    plain_jobs: Estimate
    companion_jobs: Estimate
    fair_jobs: np.ndarray
    interruptions_per_job: Estimate


def simulate_beside_balanced_fairness(
    graph: CompatibilityGraph, arrival_rates: ArrayLike, sizes: JobSize, interruptions: float, **run: Unpack[Run]
) -> Beside:
    """Simulate Algorithm 1 and, on the same arrivals and the same sizes, balanced fairness.

    Balanced fairness serves the jobs of class i at rate phi_i(x) / x_i each, by (7). Its mean numbers of jobs are known
    whatever the sizes, and its path is the closer to that of the algorithm the more interruptions there are. So what it
    has in a run beyond its mean is subtracted from what the algorithm has, times a coefficient. A replication takes the
    coefficient of least variance in the others, which leaves its mean as it is.

    Parameters
    ----------
    graph : CompatibilityGraph
        Capacities in work per unit time. The rates of balanced fairness are kept in a table over the numbers of jobs,
        of at most eight million entries: two classes up to a load of 0.99, three up to 0.85.
    arrival_rates, sizes, interruptions
        As for `clustershare.interruptions.simulate`: sizes of any distribution.
    **run
        `jumps`, `warmup`, `replications`, `seed`: see `clustershare.run_length.RunLength`. A replication is measured
        for the time in which so many arrivals, departures and interruptions are expected: a time that does not depend
        on the run, so that the mean of the companion over it is exact.

    Returns
    -------
    Beside
        What is subtracted may in a short run take a mean number below 0.

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If a set of classes brings at least the work its servers can do.
    NoExactAnswer
        If the table would be too large.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import bimodal_hyperexponential
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    >>> result = simulate_beside_balanced_fairness(graph, [0.75, 0.75], bimodal_hyperexponential(), 10, seed=1)
    >>> result.distance.value.round(3)
    array([0.027, 0.027])
    >>> bool((result.mean_jobs.half_width < 0.1 * result.plain_jobs.half_width).all())
    True
    """
    rates = check_streams(check_graph(graph), arrival_rates)
    law("sizes", sizes)
    interruptions = number("interruptions", interruptions, 0)
    run = check_run_length(run)
    require_stable(graph, rates * sizes.mean)
    resolved("arrival_rates", arrival_rates, load_of(graph, rates * sizes.mean), run)
    exact = balanced_fairness(graph, rates, sizes).mean_jobs
    per_event = 1 / (rates.sum() * (2 + interruptions))
    users = [[i for i, servers in enumerate(graph.servers_of_class) if s in servers] for s in range(graph.servers)]
    width = max(map(len, users))
    users = np.array([(*own, *[-1] * (width - len(own))) for own in users], dtype=np.int64)
    system = interruptions / sizes.mean, rates, encode(sizes), np.array(graph.capacities), users
    duration, room, table = run.jumps * per_event, _likely_room(graph, rates * sizes.mean), None
    results = []
    for replication in range(run.replications):
        while True:
            table = _table(graph, room) if table is None else table
            rng = run.generators()[replication]  # afresh where the table was too small
            found = beside_kernel.simulate(rng, run.warmup * per_event, duration, *system, room, *table)
            if not np.isnan(found[1]).any():
                break
            room, table = 2 * room, None
        results.append(found)
    plain, companion, interrupted = (np.array(part) / duration for part in zip(*results, strict=True))
    return controlled(plain, companion, exact, rates, interrupted)


def controlled(plain, companion, exact, rates, interrupted):
    """The result of replications: what the companion had beyond its mean is subtracted, times a coefficient.

    Parameters
    ----------
    plain, companion : ndarray, shape (replications, classes)
        Mean numbers of jobs in each.
    exact : ndarray, shape (classes,)
        Of the companion.
    rates : ndarray, shape (classes,)
        Of arrivals.
    interrupted : ndarray, shape (replications, classes)
        Interruptions per unit of time.

    Returns
    -------
    Beside
    """
    samples = plain - _coefficients(plain, companion) * (companion - exact)
    found = from_replications(samples)
    return Beside(
        mean_jobs=found,
        mean_delay=Estimate(found.value / rates, found.half_width / rates),
        distance=Estimate(found.value / exact - 1, found.half_width / exact),
        total_distance=from_replications(samples.sum(axis=1) / exact.sum() - 1),
        plain_jobs=from_replications(plain),
        companion_jobs=from_replications(companion),
        fair_jobs=exact,
        interruptions_per_job=from_replications(interrupted / rates),
        method="simulation",
    )


def _coefficients(plain, companion):
    """Of each replication the regression coefficient in the others; 1 where there are fewer than three of those."""
    count = len(plain)
    if count < 4:
        return np.ones_like(plain)
    of_plain, of_companion = plain - plain.mean(axis=0), companion - companion.mean(axis=0)
    weight = count / (count - 1)
    both = (of_plain * of_companion).sum(axis=0) - weight * of_plain * of_companion
    own = (of_companion**2).sum(axis=0) - weight * of_companion**2
    return np.where(own > 0, both / np.where(own > 0, own, 1.0), 1.0)


def _likely_room(graph, work):
    """How many jobs of a class are enough for nearly all paths."""
    capacity = graph.service_rates_of_subsets(range(graph.classes))[1:]
    subsets = np.arange(1, 1 << graph.classes)
    brought = sum(work[i] * (subsets >> i & 1) for i in range(graph.classes))
    return 8 + math.ceil(RARE / -math.log((brought / capacity).max()))


def _table(graph, room):
    """The strides of the numbers of jobs, each up to `room`, and the service rates (7) in each state."""
    classes = graph.classes
    size = (room + 1) ** classes
    if size > LARGEST_TABLE:
        raise NoExactAnswer(
            f"Balanced fairness of {classes} classes with up to {room} jobs each has {size} states, above "
            f"{LARGEST_TABLE}, the most whose rates are kept: use simulate."
        )
    shape = np.full(classes, room + 1, dtype=np.int64)
    strides = size // np.cumprod(shape)
    subsets = graph.service_rates_of_subsets(range(classes))
    mantissas, exponents = recursions.balance(size, shape, strides, subsets)
    states = np.arange(size)
    rates = np.zeros((size, classes))
    for i, stride in enumerate(strides):
        here = states[states // stride % (room + 1) > 0]
        before = here - stride
        rates[here, i] = np.ldexp(mantissas[before] / mantissas[here], exponents[before] - exponents[here])
    return strides, rates
