"""Exact answers: that of Algorithm 1 where the rule is its own, and the limit of many tasks on one server."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clustershare import multiserver
from clustershare.arguments import UnstableError, number
from clustershare.arrivals import require_poisson
from clustershare.calls import remembered
from clustershare.compiled.arguments import law
from clustershare.interruptions.simulator import check_system
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer
from clustershare.typing import Arrivals, Numbers

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph
    from clustershare.multiserver.performance import Performance
    from clustershare.sizes import JobSize

if TYPE_CHECKING:
    from clustershare.sizes import JobSize


@waited_for
@remembered
def exact(
    graph: CompatibilityGraph, arrival_rates: Numbers, sizes: JobSize, interruptions: float, rule: str = "timer", *,
    arrivals: Arrivals = None, progress: bool = False,
) -> Performance:  # fmt: skip
    """The performance without simulation, where the rule is `balanced` Algorithm 1: timers, or no interruption at all.

    Then `clustershare.multiserver.exact` answers, with balanced fairness for exponential sizes (`balanced` Theorem 2).

    Parameters
    ----------
    graph, arrival_rates, sizes, interruptions, rule
        As for `simulate`.
    arrivals : optional
        As for `simulate`, whose other arrivals have no exact answer: None, which is Poisson.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    clustershare.multiserver.Performance
        Floats or arrays, shaped as the estimates of `simulate`.

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If a set of classes brings at least the work its servers can do.
    NoExactAnswer
        If the arrivals are not Poisson, jobs are interrupted by another rule than "timer", sizes are no mixture of
        Erlangs, or where `clustershare.multiserver.exact` has no answer.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import Exponential
    >>> exact(CompatibilityGraph([{0}], [1.0]), [0.5], Exponential(), 3).mean_jobs
    array([1.])
    """
    check_system(graph, arrival_rates, sizes, interruptions, rule)
    require_poisson(arrivals)
    if interruptions > 0 and rule != "timer":
        raise NoExactAnswer(f'No exact answer for the rule "{rule}", whose quanta are not exponential; use simulate.')
    return multiserver.exact(graph, arrival_rates, sizes, interruptions)


def many_tasks(load: float, sizes: JobSize) -> float:
    """Mean number of jobs on one server of capacity 1 when each job is cut into very many tasks, as many as any other.

    The server works through the tasks in turn, so each job is served in proportion to its size, and all jobs complete
    the same fraction of themselves per unit time, 1 / (sum of the sizes present). On the clock of that fraction a job
    stays for one unit, and a job of size x brings new jobs at rate lambda x. Hence, while nobody leaves, the expected
    sum of the sizes grows as exp(load * clock). By Little's law the expected sum of the sizes of jobs with a fraction r
    left has a density a(r), and ``a'(r) = -load * (a(r) - a(1 - r))``; so a is constant, and it is
    ``lambda E[X^2] / (1 - load)``. The mean stay of a job of size x follows::

        x (e^load - 1) / load + lambda E[X^2] / (load (1 - load)) * (e^load - (e^load - 1) / load)

    It is longer than that of first come, first served, for any sizes.

    Parameters
    ----------
    load : float
        Arrival rate times mean size, above 0 and below 1.
    sizes : clustershare.sizes.JobSize

    Returns
    -------
    float
        Infinite where the variance of the sizes is.

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If the load is 1 or more.

    Examples
    --------
    For equal sizes it is processor sharing:

    >>> from clustershare.sizes import Deterministic, bimodal_hyperexponential
    >>> round(many_tasks(0.6, Deterministic(2.0)), 12)
    1.5
    >>> round(many_tasks(0.6, bimodal_hyperexponential()), 3)
    6.516
    """
    load = number("load", load, 0, open_below=True)
    law("sizes", sizes)
    if load >= 1:
        raise UnstableError(f"overloaded server: load {load:g} is not below its capacity 1.", (0,))
    growth = math.expm1(load) / load
    # e^load less the growth, over the load, as a series: the difference has no digits at small loads.
    excess = math.fsum(load ** (k - 1) * k / math.factorial(k + 1) for k in range(1, 20))
    # Both in units of the mean size, whose square may be no float.
    others = load * (sizes.squared_variation + 1) / (1 - load) * excess
    return load * (growth + others)
