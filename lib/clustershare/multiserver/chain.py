"""Algorithm 1 of `balanced` as a Markov chain, cut where the queue is full: exact for any number of interruptions."""

from __future__ import annotations

import functools
import itertools
import math
import sys
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from clustershare import markov
from clustershare.arguments import fail, integer, number, positive, vector
from clustershare.calls import remembered
from clustershare.compiled.arguments import law
from clustershare.multiserver.graph import check_arrival_rates, loads_of_sets
from clustershare.multiserver.order_independent import state_rates
from clustershare.multiserver.performance import Performance
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer
from clustershare.sizes import Exponential

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph
    from clustershare.sizes import JobSize

MOST_STATES = 20_000
LEAST_ACCEPTED = 1e-6  # of all jobs: the chain is solved to 1e-12
FEW_STATES = 2_000  # up to here elimination is as quick as iteration, and better where interruptions are frequent


@waited_for
@remembered
def interrupted_queue(
    graph: CompatibilityGraph, arrival_rates: ArrayLike, sizes: JobSize, interruptions: float, most_jobs: int,
    *, progress: bool = False
) -> Performance:
    """Performance of first come, first served with random interruptions, when jobs beyond `most_jobs` are lost.

    A state of the chain is the queue in order: of each job its class, the mean of its present phase and the phases it
    has left. The model is that of `simulate`, and of `balanced` (1) for exponential sizes. Sizes that are exponential
    of mean 1/p, with (1 - p)/p interruptions, are the re-entrant jobs of `balanced` Section 3.

    Parameters
    ----------
    graph : CompatibilityGraph
        Capacities in work per unit time.
    arrival_rates : array_like, shape (classes,)
        Jobs per unit time, at least 0 and not all 0. They need not be stable: the chain is finite.
    sizes : clustershare.sizes.JobSize
        Sizes in work, the same for all classes: a finite mixture of Erlangs.
    interruptions : float
        Mean number of interruptions of a job, at least 0: m of `balanced` Section 4.
    most_jobs : int
        Largest number of jobs in the queue, at least 1. With k kinds of jobs (class, phase mean, phases left), there
        are 1 + k + k**2 + ... + k**most_jobs states, of which 20 000 are allowed, which take a second or two.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    Performance
        Arrays of shape (classes,). Delay, service rate and interruptions are those of the jobs that are not lost;
        `probability_full` is the probability that a job is. `error` estimates the largest relative difference of the
        mean numbers from those of a queue without a bound, by what a lost job would have changed: exactly that on one
        server without interruptions, and too large elsewhere. It is infinite if the queue without a bound is not
        stable, or for more than 16 classes with different servers. What very many interruptions take of the digits of
        a float is in it.

    Raises
    ------
    ValueError
        If an argument is not as above, or the states would be too many.
    NoExactAnswer
        If there are so many interruptions that the equations are not solved, or so few jobs are accepted that rounding
        hides them.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import bimodal_hyperexponential
    >>> one = CompatibilityGraph([{0}], [1.0])
    >>> for interruptions in (0, 1, 100):
    ...     result = interrupted_queue(one, [0.5], bimodal_hyperexponential(), interruptions, 9)
    ...     print(result.mean_jobs.round(4), round(result.probability_full, 4))
    [1.8286] 0.0495
    [1.226] 0.0048
    [0.9933] 0.001
    """
    states, Q, served = ordered_chain(graph, arrival_rates, sizes, interruptions, most_jobs)
    rates = check_arrival_rates(graph, arrival_rates)
    counts = np.array([np.bincount([job[0] for job in queue], minlength=graph.classes) for queue in states])
    if len(states) <= FEW_STATES:
        probabilities = _eliminated(Q)
    else:
        length = counts.sum(axis=1)
        try:
            probabilities = markov.iterate(Q, 0.5**length / np.bincount(length)[length])
        except ArithmeticError:  # the more interruptions, the further apart the rates, and the slower iteration is
            probabilities = _eliminated(Q)
    jobs, full = probabilities @ counts, float(probabilities[counts.sum(axis=1) == most_jobs].sum())
    if 1 - full < LEAST_ACCEPTED:
        raise NoExactAnswer(f"Of all jobs {1 - full:.1e} are accepted, which rounding hides: no delay follows.")
    with np.errstate(divide="ignore", invalid="ignore"):  # a class without arrivals has no delay
        delay = jobs / (rates * (1 - full))
        interrupted = probabilities @ served * (interruptions / sizes.mean) / (rates * (1 - full))
    left = np.array([sum(mean * phases for _, mean, phases in queue) for queue in states])
    work = float(probabilities @ np.where(counts.sum(axis=1) == most_jobs, left, 0.0))
    # Interruptions are so much more frequent than all else that its rates lose their last digits beside them.
    lost_digits = sys.float_info.epsilon * float(interruptions)
    error = _cut(graph, rates, sizes, interruptions, full, work, jobs) + lost_digits
    return Performance(
        jobs, sizes.mean / delay, delay, float(probabilities[0]), interrupted, full, method="chain", error=error
    )


def _eliminated(Q):
    try:
        return markov.stationary(Q)
    except ArithmeticError as failed:  # the rates are too far apart even for that
        raise NoExactAnswer(f"{failed} Fewer interruptions have an answer; else use simulate.") from None


def _cut(graph, rates, sizes, interruptions, full, work, jobs):
    """How far, relatively, the mean numbers of jobs are from those of a queue without a bound: an estimate.

    Exactly, the mean number is off by the rate of the jobs lost times what one of them would have changed, added up
    over time. On one server of capacity C that is first come, first served, a job of size S that finds the work W stays
    for (W + S) / C; and the later jobs wait longer, by S / C until the others are done and then by what is left of S,
    at the arrival rate lambda and with the slack s = C - lambda E[S], in all ``(lambda / C) (S W + S**2 / 2) / s``.
    Their sum has the mean ``W / s + E[S] / C + lambda E[S**2] / (2 C s)``. Here the slack is the least that a set of
    classes leaves of its servers, and C the least capacity that a class has for itself. The last jobs leave servers
    idle that are not theirs, so that what does not depend on W takes longer, in the ratio of all capacity to C. Where
    jobs are interrupted, the same work may be more jobs, each with only the rest of its size, E[S**2] / (2 E[S]). The
    change is spread over the classes in proportion to their arrivals.
    """
    brought, served = loads_of_sets(graph, rates * sizes.mean)
    slack = (served - brought).min(initial=math.inf)
    if slack <= 0 or not len(served):
        return math.inf
    used = np.flatnonzero(rates > 0)
    capacity = min(graph.service_rate([i]) for i in used.tolist())
    squared = sizes.variance + sizes.mean**2
    last = sizes.mean / capacity + rates.sum() * squared / (2 * capacity * slack)
    change = work / slack + full * last * served[-1] / capacity
    if interruptions > 0:
        change *= max(1.0, 2 * sizes.mean**2 / squared) if squared > 0 else 2.0  # the squares may be below the floats
    return float(change * (rates[used] / jobs[used]).max())


@waited_for
def distance_from_balanced_fairness(
    graph: CompatibilityGraph, arrival_rates: ArrayLike, sizes: JobSize, interruptions: float, most_jobs: int,
    *, progress: bool = False
) -> float:
    """How far the mean numbers of jobs are from balanced fairness: the largest relative difference over the classes.

    Both lose the jobs beyond `most_jobs`. Balanced fairness is insensitive all the same, so the distance tends to 0
    as the interruptions become many.

    Parameters
    ----------
    graph, arrival_rates, sizes, interruptions, most_jobs
        As for `interrupted_queue`, with arrival rates above 0.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import bimodal_hyperexponential
    >>> one = CompatibilityGraph([{0}], [1.0])
    >>> for interruptions in (10, 100, 1000):
    ...     print(round(distance_from_balanced_fairness(one, [0.7], bimodal_hyperexponential(), interruptions, 9), 5))
    0.02864
    0.00301
    0.0003
    """
    vector("arrival_rates", arrival_rates, positive)
    jobs = interrupted_queue(graph, arrival_rates, sizes, interruptions, most_jobs).mean_jobs
    fair = interrupted_queue(graph, arrival_rates, Exponential(sizes.mean), 0, most_jobs).mean_jobs
    return float(np.abs(jobs / fair - 1).max())  # type: ignore[arg-type, operator]


def ordered_chain(graph, arrival_rates, sizes, interruptions, most_jobs):
    """The chain of `interrupted_queue`, from the empty queue on; arguments as there.

    Returns
    -------
    states : list of tuple
        The queues: of each job (class, mean of its phase, phases left). The empty queue is the first.
    Q : scipy.sparse.csr_array, shape (states, states)
        The generator.
    served : ndarray, shape (states, classes)
        The service rate of each class.
    """
    rates = check_arrival_rates(graph, arrival_rates)
    if not rates.any():
        fail("arrival_rates", arrival_rates, "such that some class has arrivals")
    law("sizes", sizes)
    kinds = _kinds_of_jobs(int(np.count_nonzero(rates)), sizes)  # no int64, which overflows
    interruptions = number("interruptions", interruptions, 0)
    most_jobs = integer("most_jobs", most_jobs, 1)
    if (states := _states(kinds, most_jobs)) > MOST_STATES:
        states = "more" if states == math.inf else states
        few = f"so small that {kinds} kinds of jobs have at most {MOST_STATES} states, not {states}"
        fail("most_jobs", most_jobs, few)

    components = [entry for entry in zip(*(column.tolist() for column in sizes.erlang_mixture())) if entry[2] > 0]
    arrivals = [((i, mean, n), rates[i] * p) for i in np.flatnonzero(rates).tolist() for n, mean, p in components]
    interruption_rate = interruptions / sizes.mean
    in_service = functools.cache(lambda classes: state_rates(graph, classes))  # many states differ in phases alone

    def transitions(queue):
        if len(queue) < most_jobs:
            for job, rate in arrivals:
                yield (*queue, job), rate
        for k, rate in enumerate(in_service(tuple(job[0] for job in queue))):
            if rate > 0:
                (i, mean, n), before, after = queue[k], queue[:k], queue[k + 1 :]
                yield before + ((i, mean, n - 1),) + after if n > 1 else before + after, rate / mean
                if interruptions > 0:
                    yield before + after + (queue[k],), rate * interruption_rate

    states, *moves = markov.explore((), transitions)
    classes = [tuple(job[0] for job in queue) for queue in states]
    served = [np.bincount(np.array(queue, dtype=int), in_service(queue), graph.classes) for queue in classes]
    return states, markov.generator(len(states), *moves), np.array(served)


def longest_queue(classes, sizes):
    """The largest `most_jobs` that `interrupted_queue` takes; 0 where it takes none."""
    kinds = _kinds_of_jobs(classes, sizes)
    return next(jobs for jobs in itertools.count() if _states(kinds, jobs + 1) > MOST_STATES)


def _kinds_of_jobs(classes, sizes):
    """Kinds of jobs in the queue: by class, mean of the phase and phases left."""
    counts, means, weights = sizes.erlang_mixture()
    likely = weights > 0
    return classes * sum(int(counts[likely & (means == mean)].max()) for mean in set(means[likely]))


def _states(kinds, most_jobs):
    """The number of queues of at most so many jobs."""
    if kinds > 1 and most_jobs > MOST_STATES.bit_length():
        return math.inf  # more than can be
    return most_jobs + 1 if kinds == 1 else sum(kinds**length for length in range(most_jobs + 1))
