"""The exact answer by the method that reaches it, with the arguments of `simulate`."""

import dataclasses

import numpy as np

from clustershare.arguments import integer
from clustershare.multiserver.chain import interrupted_queue, longest_queue
from clustershare.multiserver.formulas import balanced_fairness
from clustershare.multiserver.graph import RandomAssignment, require_stable
from clustershare.multiserver.simulator import check_system
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer

LARGEST_ERROR = 1e-3


@waited_for
def exact(graph, arrival_rates, sizes, interruptions, *, most_jobs=None):
    """Performance of first come, first served with random interruptions, without simulation.

    Exponential sizes have balanced fairness, whatever the interruptions (`balanced` Theorem 2). For others the queue is
    cut to a bounded one, whose chain is solved: `interrupted_queue`.

    Parameters
    ----------
    graph, arrival_rates, sizes, interruptions
        As for `simulate`.
    most_jobs : int, optional
        Where the queue is cut, for sizes that are not exponential. If not given, where the error is at most 0.001.
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
        If the sizes are not exponential, and servers are drawn at random or no chain that is small enough reaches the
        error; or if balanced fairness has none.

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
    """
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
