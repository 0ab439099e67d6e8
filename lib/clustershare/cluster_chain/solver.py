"""The stationary distribution by BiCGSTAB on the embedded chain, and what is measured on it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from clustershare import markov
from clustershare.arguments import fail
from clustershare.cluster_chain import kernel
from clustershare.results import NoExactAnswer, Result
from clustershare.typing import FloatArray, Quantity

FIRST_SWEEPS = 5  # before the Krylov method, from cold
LAST_SWEEPS = 20  # after it, at most: without subtraction, they give rare states, too, their leading digits
MOST_SWEEPS = 20_000
FEW_STATES = 500
LEAST_SEEN = 1e-6  # the largest error beside the probability that a job is accepted


@dataclass(frozen=True)
class ClusterPerformance(Result):
    """Performance measures of a `ServiceCluster`; times are in the unit of time of its rates.

    Floats, or an `Estimate` each where they are simulated.

    Attributes
    ----------
    mean_queue : float
        Mean number of jobs in the queue, `ctmc` (5).
    blocking : float
        Probability that an arriving job is lost, `ctmc` (6). Without a queue (C = 0) the sum in (6) also holds the
        states with an idle tracker, which accept the job: they are left out here.
    mean_delay : float
        Mean time of an accepted job in the queue, `ctmc` (7); the time at the tracker is not in it.
    utilisation : float
        Mean fraction of the servers that are busy: `ctmc` (8) divided by the number of servers.
    mean_jobs_in_service : float
        Mean number of jobs in service, `ctmc` (9).
    mean_jobs : ndarray, shape (sizes,)
        Mean number of jobs of each size in the system: queue, tracker and service.
    mean_response : ndarray, shape (sizes,)
        Mean time from arrival to departure of the accepted jobs of each size; nan for a size of probability 0,
        or where a run has seen none leave.
    method : str
        "chain" or "simulation".
    error : float
        Of a chain, an estimate of how far its probabilities may be off in all, and so `blocking` and `utilisation` (see
        `estimated_error`); `mean_queue` and `mean_jobs_in_service` by up to that times their largest value.
    """

    mean_queue: Quantity
    blocking: Quantity
    mean_delay: Quantity
    utilisation: Quantity
    mean_jobs_in_service: Quantity
    mean_jobs: Quantity = field(compare=False)
    mean_response: Quantity = field(compare=False)


@dataclass(frozen=True)
class Solution(ClusterPerformance):
    """Performance measures from the chain, and how well it was solved.

    Attributes
    ----------
    residual : float
        1-norm of the probabilities times the generator, from the balance of every state.
    flow_error : float
        Largest difference, over the sizes, between the rates of jobs accepted and served, relative to the arrival rate.
    little_error : float
        Little's law in the queue: the difference between `mean_queue` and the accepted rate times the mean delay found
        from the expected time in the queue of a tagged job, relative to the larger of `mean_queue` and 1.
    sweeps : int
        Passes of the embedded chain that were needed.
    """

    residual: float
    flow_error: float
    little_error: float
    sweeps: int
    _cluster: object = field(repr=False, compare=False)
    _entries: np.ndarray = field(repr=False, compare=False)

    def probabilities(self) -> FloatArray:
        """The probability of every state.

        Returns
        -------
        ndarray, shape (states,)
            In the order of `ServiceCluster.state_list`.
        """
        return _EmbeddedChain(self._cluster).probabilities(self._entries)


def estimated_error(residual, places, *times):
    """How far the probabilities of a chain may be off, in 1-norm, by what is left of its balance equations.

    The error is the residual times the time in which the chain forgets where it started (the deviation matrix). That
    time is estimated: a mapping and the longest service for each place of the queue and two more, squared, because a
    queue near saturation moves by diffusion. Over random clusters of up to 10 places, the true norm of the deviation
    matrix was below two thirds of it.

    Parameters
    ----------
    residual : float
        1-norm of the probabilities times the generator.
    places : int
        Of the queue.
    *times : float
        Mean times that a job may take, at the tracker, in the longest service and elsewhere.

    Returns
    -------
    float

    Examples
    --------
    >>> estimated_error(1e-14, 8, 0.75, 0.25)
    1e-12
    """
    return float(residual * sum(times) * (places + 2) ** 2)


def law_of_few_states(Q):
    """The stationary distribution, without a subtraction where the states are few enough: rare ones keep their digits.

    Parameters
    ----------
    Q : scipy.sparse.csr_array, shape (states, states)
        Generator.

    Returns
    -------
    ndarray, shape (states,)

    Raises
    ------
    NoExactAnswer
        If the rates are too far apart.
    """
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            law = markov.gth(Q) if Q.shape[0] <= FEW_STATES else markov.stationary(Q)
    except ArithmeticError:
        law = np.array([np.nan])
    if not np.isfinite(law).all():
        raise NoExactAnswer("The chain was not solved: its rates are too far apart for elimination.")
    return law


def require_seen(states, accepted, error):
    """Refuse delays of jobs that are hardly ever accepted, so rarely that the error of the chain hides them.

    Parameters
    ----------
    states : int
        Of few, the law has its digits.
    accepted : ndarray
        Probabilities that a job is accepted.
    error : float
        Of the probabilities.

    Raises
    ------
    NoExactAnswer
    """
    rarest = float(np.min(accepted))
    if states > FEW_STATES and error > LEAST_SEEN * rarest:
        raise NoExactAnswer(
            f"A job is accepted with probability {rarest:.1e}, and the error of the chain is {error:.1e}: no delay "
            "follows from that."
        )


class _EmbeddedChain:
    """The kernels with the arrays of one cluster; `x` and `idle` are those of the last sweep."""

    def __init__(self, cluster):
        self.lattice = above = cluster.lattice()
        self.size_probabilities = chances = cluster.size_probabilities
        self.departures = cluster.departures()
        self.leaving = np.bincount(above.larger, self.departures, len(above.fits))
        self.weights = np.append(chances, 0.0)[above.size]  # the probability of the sizes that a slot stands for
        self.weights[above.first[1:] - 1] = np.append(np.cumsum(chances[::-1])[::-1], 0.0)[above.fits]
        self.rates = cluster.arrival_rate, cluster.tracker_rate
        self.shape = len(above.fits), max(cluster.queue_capacity, 1)
        self.x = np.zeros((len(self.weights), cluster.queue_capacity + 1))
        self.idle = np.zeros(self.shape[0])

    def sweep(self, entries):
        """The entries that follow from `entries`, as `kernel.sweep` explains them."""
        following = np.empty(self.shape)
        kernel.sweep(
            entries.reshape(self.shape), self.lattice[:3], self.departures, self.leaving, self.size_probabilities,
            *self.rates, self.x, self.idle, following,
        )  # fmt: skip
        return following.ravel()

    def residual(self):
        """The 1-norm of probabilities times generator, for `x` and `idle`."""
        return kernel.residual(
            self.lattice[:3], self.departures, self.leaving, self.size_probabilities, self.weights,
            *self.rates, self.x, self.idle,
        )  # fmt: skip

    def tagged_queue(self):
        """The mean queue from tagged jobs, for `x`."""
        return kernel.tagged_queue(
            self.lattice[:3], self.departures, self.leaving, self.size_probabilities, *self.rates, self.x
        )

    def total(self):
        """The sum of all probabilities, for `x` and `idle`."""
        return (self.weights * self.x.sum(axis=1)).sum() + self.idle.sum()

    def probabilities(self, entries):
        """Those of all states, from the entries."""
        self.sweep(entries)
        sizes = np.arange(len(self.size_probabilities))[:, None]
        busy = self.x[self.lattice.first[:-1] + np.minimum(sizes, self.lattice.fits)]
        busy *= self.size_probabilities[:, None, None]
        return np.concatenate([self.idle, np.moveaxis(busy, -1, 0).ravel()])


def _start(cluster, chain, guess):
    """Entries to start from: a guess, or what a few passes make of an empty system."""
    if guess is None:
        entries = np.zeros(chain.shape).ravel()
        entries[0] = 1.0
        for _ in range(FIRST_SWEEPS):
            entries = chain.sweep(entries)
        return entries
    other = guess._cluster if isinstance(guess, Solution) else None
    if other is None or not all(
        np.array_equal(getattr(other, name), getattr(cluster, name)) for name in ("servers", "queue_capacity", "sizes")
    ):
        fail("guess", guess, "a Solution with the same servers, queue_capacity and sizes")
    return guess._entries


def solve(cluster, tolerance, guess):
    """`ServiceCluster.solve`, after its checks: its arguments, its result and its errors."""
    chain = _EmbeddedChain(cluster)
    entries = _start(cluster, chain, guess)
    sweeps = FIRST_SWEEPS if guess is None else 0

    def change(vector):
        nonlocal sweeps
        sweeps += 1
        return vector - chain.sweep(vector)

    previous = np.inf
    while True:
        difference = -change(entries)
        total = chain.total()
        difference /= total
        error = np.abs(difference).sum()
        stalled = error > previous / 2
        # Rounding stops the fall of the error at a level that grows with the rates.
        if error <= 0.7 * tolerance or (stalled and error <= tolerance * cluster.largest_rate):
            break
        if stalled or sweeps > MOST_SWEEPS:
            raise NoExactAnswer(f"The chain was not solved: residual {error:.1e} after {sweeps} sweeps.")
        previous = error
        # The differences sum to 0: there the operator is regular, so that no unknown need be pinned. One round gains
        # no more digits than a float has.
        correction = markov.bicgstab(change, difference, max(tolerance / 2, 1e-15 * error), 500)
        entries = entries / total + correction
        # Rounding may add to the correction any multiple of the solution, which the operator takes to 0; a negative one
        # may outweigh all else, and its solution is as good with the sign turned.
        entries = np.maximum(entries if entries.sum() > 0 else -entries, 0.0)
    for last in range(1, LAST_SWEEPS + 1):
        following = chain.sweep(entries)
        seen = following > 1e-20 * following.sum()
        if last == LAST_SWEEPS or (np.abs(following - entries)[seen] <= 1e-11 * following[seen]).all():
            break
        entries = following
    total = chain.total()
    chain.x /= total
    chain.idle /= total
    return _measured(cluster, chain, entries / total, sweeps + last)


def by_size(cluster, accepted, queue, at_tracker):
    """Mean numbers and response times of the jobs of each size, as keyword arguments of a `ClusterPerformance`.

    In the queue, where the size does not matter, at the tracker by Little's law for each size, and in service.

    Parameters
    ----------
    cluster : ServiceCluster
    accepted : float
        Rate of the jobs that are not lost.
    queue : float
        Mean number in the queue.
    at_tracker : ndarray, shape (sizes,)
        Probability that a job of each size is at the tracker.
    """
    rates = accepted * cluster.size_probabilities
    with np.errstate(invalid="ignore"):  # a size of probability 0 has no response time
        times = queue / accepted + at_tracker / rates + 1 / cluster.size_service_rates
    return {"mean_jobs": np.where(rates > 0, rates * times, 0.0), "mean_response": times}


def _measured(cluster, chain, entries, sweeps):
    above, x = chain.lattice, chain.x
    levels = (chain.weights[:, None] * x).sum(axis=0)  # not the idle tracker: it accepts even if there is no queue
    queue, blocking = float(levels @ np.arange(len(levels))), float(levels[-1])
    # Not as 1 - blocking: next to saturation that has no digits.
    accepted = cluster.arrival_rate * float(levels[:-1].sum() + chain.idle.sum())
    rows = x.sum(axis=1)
    vectors = np.add.reduceat(chain.weights * rows, above.first[:-1]) + chain.idle
    # Every vector that holds a job of a size is the larger one of exactly one slot of that size.
    jobs = np.bincount(above.size, above.multiplicity * vectors[above.larger])[: len(cluster.sizes)]
    flows = jobs * cluster.size_service_rates - accepted * cluster.size_probabilities
    residual = float(chain.residual())
    waiting = [rows[above.first[:-1] + np.minimum(k, above.fits)].sum() for k in range(len(cluster.sizes))]
    at_tracker = np.array(waiting) * cluster.size_probabilities
    return Solution(
        method="chain",
        error=estimated_error(residual, cluster.queue_capacity, *cluster.mean_times),
        mean_queue=queue,
        blocking=blocking,
        mean_delay=queue / accepted,
        utilisation=float(jobs @ cluster.sizes) / cluster.servers,
        mean_jobs_in_service=float(jobs.sum()),
        **by_size(cluster, accepted, queue, at_tracker),
        residual=residual,
        flow_error=float(np.abs(flows).max()) / cluster.arrival_rate,
        little_error=abs(float(chain.tagged_queue()) - queue) / max(queue, 1.0),
        sweeps=sweeps,
        _cluster=cluster,
        _entries=entries,
    )
