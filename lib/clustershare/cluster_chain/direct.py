"""Plain solvers of the cluster chain, from its generator alone: to hold the fast one against, for moderate sizes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from clustershare import markov
from clustershare.arguments import affordable, fail, one_of
from clustershare.calls import remembered
from clustershare.cluster_chain.model import MEMORY_LIMIT
from clustershare.cluster_chain.solver import ClusterPerformance, by_size, estimated_error
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer
from clustershare.typing import FloatArray

if TYPE_CHECKING:
    from clustershare.cluster_chain.model import ServiceCluster

MOST_STATES = 2500  # to eliminate one by one: some seconds, which grow with the cube


@dataclass(frozen=True)
class DirectSolution(ClusterPerformance):
    """Performance measures summed state by state as (5) to (9) are written, and how well they hold together.

    Attributes
    ----------
    residual, flow_error, little_error : float
        As for `Solution`.
    """

    residual: float
    flow_error: float
    little_error: float
    _probabilities: np.ndarray = field(repr=False, compare=False)

    def probabilities(self) -> FloatArray:
        """The probability of every state.

        Returns
        -------
        ndarray, shape (states,)
            In the order of `ServiceCluster.state_list`.
        """
        return self._probabilities


@waited_for
@remembered
def solve_directly(
    cluster: ServiceCluster, method: str = "levels", *, memory_limit: float = MEMORY_LIMIT, progress: bool = False
) -> DirectSolution:
    """The stationary distribution by elimination, sharing no code with `ServiceCluster.solve` but the generator.

    Parameters
    ----------
    cluster : ServiceCluster
    method : str
        "levels": the level-by-level elimination that `ctmc` uses, dense within a level, for levels of some thousand
        states. "gth": the subtraction-free elimination of all states, for up to 2500 states.
    memory_limit : float
        Most bytes to use.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    DirectSolution

    Raises
    ------
    ValueError
        If an argument is not as described, or the matrices would exceed the limit.
    NoExactAnswer
        If the rates are so far apart that elimination breaks down.

    Examples
    --------
    >>> from clustershare.cluster_chain import ServiceCluster
    >>> cluster = ServiceCluster(4, 3, {1: 0.5, 2: 0.25, 4: 0.25}, 2, 5, {1: 1, 2: 2, 4: 0.5})
    >>> solutions = cluster.solve(), solve_directly(cluster), solve_directly(cluster, "gth")
    >>> [f"{solution.blocking:.9f}" for solution in solutions]
    ['0.515931333', '0.515931333', '0.515931333']
    """
    one_of("method", method, ("levels", "gth"))
    if not hasattr(cluster, "level_sizes"):
        fail("cluster", cluster, "a ServiceCluster")
    levels = cluster.queue_capacity + 1
    idle, busy = cluster.level_sizes
    needed = 8 * (idle + busy) ** 2 * (levels + 3) if method == "levels" else 24 * cluster.states**2
    cluster.check_memory(needed, memory_limit)
    if method == "gth":
        affordable('the number of states for "gth"', cluster.states, MOST_STATES)
    Q = cluster.generator(memory_limit)
    edges = np.concatenate([[0], idle + busy * np.arange(1, levels + 1)])
    with warnings.catch_warnings(), np.errstate(over="ignore", invalid="ignore"):
        warnings.simplefilter("ignore", la.LinAlgWarning)  # the residual says how good it is
        try:
            found = markov.gth(Q) if method == "gth" else eliminate_levels(Q, edges)
        except (la.LinAlgError, ValueError):  # singular, or no longer finite
            found = np.array([np.nan])
    if not np.isfinite(found).all():
        raise NoExactAnswer("The chain was not solved: its rates are too far apart for elimination.")
    return _measured(cluster, Q, found)


def eliminate_levels(Q, edges):
    """The stationary distribution of a block tridiagonal chain, a level at a time from the last one down.

    The chain watched only while it is at levels 0 to j is a chain, too (censoring). Its block at level j is
    ``S[j] = A[j, j] + A[j, j+1] (-S[j+1])^-1 A[j+1, j]``, a Schur complement: the way up and back. At level 0 the
    probabilities solve ``p S[0] = 0``, and from there ``p[j+1] = p[j] A[j, j+1] (-S[j+1])^-1`` (`ctmc` Section 3).

    Parameters
    ----------
    Q : scipy.sparse.csr_array, shape (states, states)
        Generator.
    edges : array_like of int, shape (levels + 1,)
        First state of each level, and the number of states.

    Returns
    -------
    ndarray, shape (states,)
    """

    def block(i, j):
        return Q[edges[i] : edges[i + 1], edges[j] : edges[j + 1]].toarray()

    last = len(edges) - 2
    censored, ways = block(last, last), []
    for level in range(last - 1, -1, -1):
        ways.append(la.solve(-censored.T, block(level, level + 1).T).T)
        censored = block(level, level) + ways[-1] @ block(level + 1, level)
        # The diagonal from the rest of its row, without a subtraction:
        # rare states keep their leading digits.
        np.fill_diagonal(censored, 0.0)
        down = block(level, level - 1).sum(axis=1) if level else 0.0
        np.fill_diagonal(censored, -(censored.sum(axis=1) + down))
    # Up to a factor.
    part = np.append(1.0, la.solve(-censored[1:, 1:].T, censored[0, 1:]))
    parts = [part]
    for way in reversed(ways):
        part = part @ way
        parts.append(part)
    result = np.concatenate(parts)
    return result / result.sum()


def _measured(cluster, Q, probabilities):
    """(5) to (9) as they are written, from the list of states."""
    states = cluster.state_list()
    queued = np.array([x1 for x1, _, _ in states])
    tracked = np.array([x2 for _, x2, _ in states])
    queue = float(queued @ probabilities)
    full = (queued == cluster.queue_capacity) & (tracked > 0)
    blocking = float(probabilities[full].sum())
    accepted = cluster.arrival_rate * float(probabilities[~full].sum())
    jobs = np.array([[V.count(size) for size in cluster.sizes.tolist()] for _, _, V in states]).T @ probabilities
    flows = jobs * cluster.size_service_rates - accepted * cluster.size_probabilities
    residual = markov.residual(probabilities, Q)
    return DirectSolution(
        method="chain",
        error=estimated_error(residual, cluster.queue_capacity, *cluster.mean_times),
        mean_queue=queue,
        blocking=blocking,
        mean_delay=queue / accepted,
        utilisation=float(jobs @ cluster.sizes) / cluster.servers,
        mean_jobs_in_service=float(jobs.sum()),
        **by_size(cluster, accepted, queue, np.array([probabilities[tracked == size].sum() for size in cluster.sizes])),
        residual=residual,
        flow_error=float(np.abs(flows).max()) / cluster.arrival_rate,
        little_error=abs(_tagged_queue(cluster, Q, probabilities) - queue) / max(queue, 1.0),
        _probabilities=probabilities,
    )


def _tagged_queue(cluster, Q, probabilities):
    """The mean queue by Little's law from the expected time of each accepted job in the queue.

    A job with q others ahead of it sees the chain without arrivals fall from level q + 1 to level 0: times that solve
    (arrivals off the diagonal of A11) t[q] = -1 - A22 t[q - 1].
    """
    idle, busy = cluster.level_sizes
    if cluster.queue_capacity == 0:
        return 0.0
    first = idle + busy
    within = Q[first : first + busy, first : first + busy]
    within = within - sp.diags_array(within.diagonal())
    down = Q[first : first + busy, idle:first]  # level 0 without the idle tracker is a level like the others
    # The diagonal without arrivals is summed, for it may be lost beside them.
    leaving = within.sum(axis=1) + down.sum(axis=1)
    factors = spla.splu(sp.csc_array(within - sp.diags_array(leaving)), permc_spec="NATURAL")
    time, total = np.zeros(busy), 0.0
    for q in range(cluster.queue_capacity):
        time = factors.solve(-1.0 - down @ time)  # the first time from 0
        start = idle + q * busy
        total += float(probabilities[start : start + busy] @ time)
    return cluster.arrival_rate * total
