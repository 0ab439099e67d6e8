"""The exact answer by the method that reaches it, with the arguments of `simulate`."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import integer, number
from clustershare.arrivals import require_poisson
from clustershare.calls import remembered
from clustershare.compiled.arguments import law
from clustershare.multiserver.chain import interrupted_queue, longest_queue
from clustershare.multiserver.formulas import balanced_fairness
from clustershare.multiserver.graph import RandomAssignment, check_streams, require_stable
from clustershare.multiserver.of_classes import SizesOfClasses, of_classes, phaseless, several
from clustershare.multiserver.performance import Performance
from clustershare.multiserver.simulator import check_system
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer
from clustershare.typing import Arrivals

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph
    from clustershare.sizes import JobSize

if TYPE_CHECKING:
    from clustershare.multiserver.performance import Performance

LARGEST_ERROR = 1e-3


@waited_for
@remembered
def exact(
    graph: CompatibilityGraph, arrival_rates: ArrayLike, sizes: JobSize, interruptions: float, *,
    most_jobs: int | None = None, arrivals: Arrivals = None, progress: bool = False,
) -> Performance:  # fmt: skip
    """Performance of first come, first served with random interruptions, without simulation.

    Exponential sizes have balanced fairness, whatever the interruptions (`balanced` Theorem 2). For others the queue is
    cut to a bounded one, whose chain is solved: `interrupted_queue`. Sizes that are no mixture of Erlangs, or differ
    between classes, have an answer where all servers serve every job and nothing is interrupted, one line M/G/1: by the
    formula of Pollaczek and Khinchine.

    Parameters
    ----------
    graph, arrival_rates, sizes, interruptions
        As for `simulate`.
    most_jobs : int, optional
        Where the queue is cut, for sizes that are not exponential. If not given, where the error is at most 0.001.
    arrivals : optional
        As for `simulate`, whose other arrivals have no exact answer: None, which is Poisson.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    Performance
        Shaped as that of `simulate`. Its `method` is "recursion", "formula" or "chain", and the `error` of a chain an
        estimate of how far, relatively, the mean numbers of jobs are from those of the queue that is not cut.

    Raises
    ------
    ValueError
        If an argument is not as above, or the chain of `most_jobs` jobs has too many states.
    UnstableError
        If a set of classes brings at least the work its servers can do.
    NoExactAnswer
        If the arrivals are not Poisson; if the sizes are not exponential, and servers are drawn at random or no chain
        that is small enough reaches the error; if they are no mixture of Erlangs, or differ between classes, and it is
        not one line; or if balanced fairness has none.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import Exponential, bimodal_hyperexponential
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    >>> exact(graph, [0.75, 0.75], Exponential(), 5).mean_service_rate.round(6)
    array([1.029412, 1.029412])
    >>> result = exact(graph, [0.1, 0.1], bimodal_hyperexponential(), 1)
    >>> result.mean_service_rate.round(2), result.method, result.error < 1e-3
    (array([1.82, 1.82]), 'chain', True)
    >>> from clustershare.sizes import Empirical
    >>> exact(CompatibilityGraph([{0}], [1.0]), [0.5], Empirical([0.5, 0.5, 0.5, 2.5]), 0).mean_jobs
    array([0.9375])
    """
    require_poisson(arrivals)
    if phaseless(sizes):
        return _one_line(graph, arrival_rates, sizes, interruptions, most_jobs)
    rates, interruptions = check_system(graph, arrival_rates, sizes, interruptions)
    require_stable(graph, rates * sizes.mean)
    if most_jobs is not None:
        integer("most_jobs", most_jobs, 1)
    counts, means, weights = sizes.erlang_mixture()
    likely = weights > 0
    if (counts[likely] == 1).all() and (means[likely] == means[likely][0]).all():
        fair = balanced_fairness(graph, arrival_rates, sizes)
        return dataclasses.replace(fair, interruptions_per_job=np.full_like(fair.mean_delay, interruptions))
    if isinstance(graph, RandomAssignment):
        raise NoExactAnswer("Servers drawn at random have an exact answer for exponential sizes alone: use simulate.")
    if most_jobs is not None:
        return interrupted_queue(graph, rates, sizes, interruptions, most_jobs)
    longest = longest_queue(graph.classes, sizes)
    error = np.inf
    for jobs in range(1, longest + 1):
        result = interrupted_queue(graph, rates, sizes, interruptions, jobs)
        if result.error <= LARGEST_ERROR:
            return result
        error = result.error
    raise NoExactAnswer(
        f"A chain of at most {longest} jobs, the most that it may have here, leaves an error of {error:.1e}, above "
        f"{LARGEST_ERROR:g}: use simulate."
    )


def _one_line(graph, arrival_rates, sizes, interruptions, most_jobs):
    """First come, first served on one line, by the mean and the second moment of each class."""
    rates, interruptions = check_streams(graph, arrival_rates), number("interruptions", interruptions, 0)
    if most_jobs is not None:
        integer("most_jobs", most_jobs, 1)
    if several(sizes):
        found = of_classes(graph, rates, sizes)
    else:
        law("sizes", sizes)
        found = SizesOfClasses((sizes,) * len(rates), rates)
    require_stable(graph, rates * found.mean)
    together = isinstance(graph, RandomAssignment) and graph.degree == graph.servers
    if not isinstance(graph, RandomAssignment):
        together = all(len(servers) == graph.servers for servers in graph.servers_of_class)
    if interruptions or not together:
        which = "differ between classes" if several(sizes) else "are no mixture of Erlangs"
        where = "jobs are interrupted" if interruptions else "not all servers serve every job"
        raise NoExactAnswer(f"No exact answer for sizes that {which}, where {where}; use simulate.")
    times = found.mean / (graph.servers if isinstance(graph, RandomAssignment) else sum(graph.capacities))
    mean, load = float(rates @ times / rates.sum()), float(rates @ times)
    delays = load * mean * (1 + found.squared_variation) / (2 * (1 - load)) + times
    none = np.zeros(len(rates))
    answers = [rates * delays, found.mean / delays, delays, none]
    if isinstance(graph, RandomAssignment):
        answers = [float(answer[0]) for answer in answers]
    jobs, service_rate, delay, none = answers
    return Performance(jobs, service_rate, delay, 1 - load, none, method="formula")
