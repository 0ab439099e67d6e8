"""The exact answer, where there is one: all times exponential, all arrivals Poisson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clustershare.arguments import fail
from clustershare.arrivals import Bursts
from clustershare.calls import remembered
from clustershare.cluster_chain.model import ServiceCluster
from clustershare.cluster_chain.simulator import laws_of_sizes, several
from clustershare.compiled.encoding import of_mean_1
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer
from clustershare.sizes import Exponential

if TYPE_CHECKING:
    from clustershare.cluster_chain.solver import Solution
    from clustershare.sizes import JobSize



@waited_for
@remembered
def exact(
    cluster: ServiceCluster, *, arrivals: JobSize | Bursts | None = None, tracker: JobSize | None = None,
    service: JobSize | None = None, progress: bool = False,
) -> Solution:  # fmt: skip
    """The performance of a cluster from its Markov chain: `ServiceCluster.solve`, for the arguments of `simulate`.

    Parameters
    ----------
    cluster : ServiceCluster
    arrivals, tracker, service
        As for `simulate`.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    Solution

    Raises
    ------
    ValueError
        If an argument is not as described, or the chain has too many states for the memory or the time allowed.
    NoExactAnswer
        If the arrivals are not Poisson, a law is not exponential, or the chain is not solved.

    Examples
    --------
    >>> cluster = ServiceCluster(1, 0, {1: 1.0}, arrival_rate=2, tracker_rate=3, service_rates=5)
    >>> round(exact(cluster).blocking, 9)
    0.438502674
    """
    if not isinstance(cluster, ServiceCluster):
        fail("cluster", cluster, "a ServiceCluster")
    if isinstance(arrivals, Bursts):
        raise NoExactAnswer("No exact answer for arrivals in bursts: the chain is of Poisson arrivals; use simulate.")
    require_exponential(arrivals=arrivals, tracker=tracker)
    for law in laws_of_sizes(cluster, service) if several(service) else [service]:
        require_exponential(service=law)
    return cluster.solve()


def require_exponential(**laws):
    """Raise `NoExactAnswer` unless each law, given by its name, is None or exponential of mean 1.

    Parameters
    ----------
    **laws : clustershare.sizes.JobSize or None

    Raises
    ------
    ValueError
        If a law is no distribution of mean 1.
    NoExactAnswer
        If one is not exponential.

    Examples
    --------
    >>> from clustershare.sizes import Deterministic
    >>> require_exponential(service=Deterministic(1.0))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    clustershare.results.NoExactAnswer: No exact answer where service is Deterministic(value=1.0): ...
    """
    for name, law in laws.items():
        law = of_mean_1(name, law)
        if not isinstance(law, Exponential):
            raise NoExactAnswer(
                f"No exact answer where {name} is {law!r}: the chain is of exponential times; use simulate."
            )
