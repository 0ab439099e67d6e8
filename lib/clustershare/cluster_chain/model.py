"""The model: its parameters, its states, its generator."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clustershare import markov
from clustershare.arguments import affordable, fail, integer, listed, number, positive, probabilities
from clustershare.calls import remembered
from clustershare.cluster_chain import kernel, solver
from clustershare.progress import waited_for
from clustershare.typing import FloatArray, IntArray, Sparse

if TYPE_CHECKING:
    from clustershare.cluster_chain.solver import Solution

MEMORY_LIMIT = 2 * 2**30  # bytes
MOST_COUNTED = 10**6  # sums to count the states
MOST_PLACES = 10**5  # of the queue of a chain that is solved: seconds


def _pairs(name, given):
    """The entries of a dictionary, or of the pairs that it was normalised to."""
    try:
        pairs = [(size, value) for size, value in (given.items() if hasattr(given, "items") else given)]
    except (TypeError, ValueError):
        pairs = []
    if not pairs:
        fail(name, given, "a non-empty dictionary by job size")
    return pairs


def _by_size(name, pairs, largest):
    sizes = [integer(f"each size in {name}", size, 1, largest) for size, _ in pairs]
    if len(set(sizes)) < len(sizes):
        fail(name, pairs, "given once for each size")
    return sizes


class Lattice(NamedTuple):
    """The cluster vectors, as `kernel` explains them."""

    first: np.ndarray  # first slot of each vector, and the number of slots at the end
    fits: np.ndarray  # number of sizes that fit beside it
    larger: np.ndarray  # per slot, the vector with one more job
    multiplicity: np.ndarray  # per slot, the jobs of the slot's size in that vector
    size: np.ndarray  # per slot, the index of its size
    parent: np.ndarray  # the vector without its last and largest job
    last: np.ndarray  # the index of that job's size


@functools.lru_cache(maxsize=4)
def lattice(servers, sizes, vectors, slots):
    """The lattice, which does not depend on rates and probabilities: curves share it.

    Parameters
    ----------
    servers : int
    sizes : tuple of int
        Increasing.
    vectors, slots : int
        How many there are.

    Returns
    -------
    Lattice
    """
    first = np.zeros(vectors + 1, dtype=np.int64)
    fits, parent, last = (np.zeros(vectors, dtype=np.int64) for _ in range(3))
    larger = np.zeros(slots, dtype=np.int32)
    multiplicity = np.zeros(slots)
    kernel.enumerate_vectors(servers, np.array(sizes), first, fits, parent, last, larger, multiplicity)
    size = np.arange(slots) - np.repeat(first[:-1], fits + 1)
    return Lattice(first, fits, larger, multiplicity, size, parent, last)


@dataclass(frozen=True)
class ServiceCluster:
    """A cluster of servers that runs each job on several of them at once, behind a tracker and a finite queue.

    Jobs arrive in a Poisson process and wait in a FIFO queue, whose head is at the tracker. A job's size, the servers
    it needs, is drawn when it reaches the tracker; once so many are free, the tracker maps the job to them in an
    exponential time. All its servers are then busy for one exponential time. A job that finds the queue full is lost
    (`ctmc` Section 3).

    Parameters
    ----------
    servers : int
        Number of servers N.
    queue_capacity : int
        Places C >= 0 of the queue; the tracker is one more.
    job_sizes : dict
        Probability of each size, 1 ... N; kept as a tuple of pairs in increasing size. Sizes of probability 0 are
        dropped: they would only add states of probability 0.
    arrival_rate, tracker_rate : float
        Rates lambda and mu_1, per second (or any other unit of time), above 0.
    service_rates : dict or float
        Rate mu_{2,n} at which a job of size n is served, or one rate for all. Rates of sizes that do not occur are
        ignored.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> from clustershare.cluster_chain import uniform_sizes
    >>> cluster = ServiceCluster(16, 15, uniform_sizes(16), arrival_rate=30, tracker_rate=100, service_rates=10)
    >>> cluster.states
    235155
    >>> solution = cluster.solve()
    >>> round(solution.blocking, 4), round(solution.mean_jobs_in_service, 5), solution.residual < 1e-12
    (0.5925, 1.22243, True)
    """

    servers: int
    queue_capacity: int
    job_sizes: Any  # given as a dictionary by size, kept as pairs
    arrival_rate: float
    tracker_rate: float
    service_rates: Any  # the same, or one for all

    def __post_init__(self):
        servers = integer("servers", self.servers, 1)
        object.__setattr__(self, "servers", servers)
        object.__setattr__(self, "queue_capacity", integer("queue_capacity", self.queue_capacity, 0))
        pairs = _pairs("job_sizes", self.job_sizes)
        sizes = _by_size("job_sizes", pairs, servers)
        chances = probabilities("the probabilities in job_sizes", [chance for _, chance in pairs])
        object.__setattr__(
            self, "job_sizes", tuple(sorted(pair for pair in zip(sizes, chances, strict=True) if pair[1] > 0))
        )
        object.__setattr__(self, "arrival_rate", positive("arrival_rate", self.arrival_rate))
        object.__setattr__(self, "tracker_rate", positive("tracker_rate", self.tracker_rate))
        if isinstance(self.service_rates, str) or not hasattr(self.service_rates, "__len__"):
            object.__setattr__(self, "service_rates", positive("service_rates", self.service_rates))
            return
        pairs = _pairs("service_rates", self.service_rates)
        rates = [positive(f"the rate of size {size} in service_rates", rate) for size, rate in pairs]
        rates = dict(zip(_by_size("service_rates", pairs, None), rates, strict=True))
        missing = [size for size, _ in self.job_sizes if size not in rates]
        if missing:
            fail("service_rates", rates, f"given for every job size (missing: {listed(missing)})")
        object.__setattr__(self, "service_rates", tuple(sorted(rates.items())))

    @property
    def sizes(self) -> IntArray:
        """The job sizes that occur, increasing, shape (sizes,)."""
        return np.array([size for size, _ in self.job_sizes])

    @property
    def size_probabilities(self) -> FloatArray:
        """The probability of each of `sizes`, shape (sizes,)."""
        return np.array([probability for _, probability in self.job_sizes])

    @property
    def size_service_rates(self) -> FloatArray:
        """The service rate of each of `sizes`, shape (sizes,)."""
        if isinstance(self.service_rates, float):
            return np.full(len(self.job_sizes), self.service_rates)
        rates = dict(self.service_rates)
        return np.array([rates[size] for size, _ in self.job_sizes])

    @functools.cached_property
    def _counts(self):
        """Cluster vectors, and pairs of a vector and a size that fits beside it; exact integers, nothing is built."""
        affordable("the number of servers times that of job_sizes", self.servers * len(self.job_sizes), MOST_COUNTED)
        ways = [1] + [0] * self.servers  # cluster vectors by busy servers
        for size, _ in self.job_sizes:
            for busy in range(size, self.servers + 1):
                ways[busy] += ways[busy - size]
        return sum(ways), sum(sum(ways[: self.servers - size + 1]) for size, _ in self.job_sizes)

    @property
    def states(self) -> int:
        """Number of states, counted without building them."""
        vectors, _ = self._counts
        return vectors * (1 + len(self.job_sizes) * (self.queue_capacity + 1))

    @property
    def largest_rate(self) -> float:
        """An upper bound on the rate out of any state, per unit of time."""
        per_server = (self.size_service_rates / self.sizes).max()
        return float(self.arrival_rate + self.tracker_rate + self.servers * per_server)

    @property
    def mean_times(self) -> tuple[float, float]:
        """Mean time at the tracker, and in service for the size that takes longest."""
        return 1 / self.tracker_rate, 1 / float(self.size_service_rates.min())

    @property
    def level_sizes(self) -> tuple[int, int]:
        """Number of states in which the tracker is idle, all at level 0, and of the others at each level."""
        vectors, _ = self._counts
        return vectors, vectors * len(self.job_sizes)

    def check_memory(self, needed: float, memory_limit: float) -> None:
        """Refuse what would not fit.

        Parameters
        ----------
        needed, memory_limit : float
            Bytes.

        Raises
        ------
        ValueError
            If more is needed than allowed: the sentence says how large the chain is.
        """
        if needed > number("memory_limit", memory_limit, 0):
            raise ValueError(
                f"memory_limit must be at least {needed / 2**30:.3g} GiB for this chain of {self.states} states; "
                f"got {memory_limit / 2**30:.3g} GiB."
            )

    def lattice(self) -> Lattice:
        """The cluster vectors and how jobs lead from one to another.

        Returns
        -------
        Lattice
        """
        vectors, fitting = self._counts
        return lattice(self.servers, tuple(self.sizes.tolist()), vectors, fitting + vectors)

    def departures(self) -> FloatArray:
        """The rate at which a job of the slot's size leaves the larger vector.

        Returns
        -------
        ndarray, shape (slots,)
            For every slot of `lattice`.
        """
        above = self.lattice()
        return above.multiplicity * np.append(self.size_service_rates, 0.0)[above.size]

    def state_list(self, memory_limit: float = MEMORY_LIMIT) -> list[tuple[Any, ...]]:
        """The states (x1, x2, V) in the order of `generator`: jobs queued, size at the tracker, sizes in service.

        The order is that of `ctmc` Section 3 with (3): by x1, then x2, then the length of V, then V itself. An idle
        tracker is x2 = 0, an empty cluster V = ().

        Parameters
        ----------
        memory_limit : float
            Most bytes to use.

        Returns
        -------
        list of tuple

        Raises
        ------
        ValueError
            If the list would exceed the limit.

        Examples
        --------
        >>> ServiceCluster(2, 0, {1: 0.5, 2: 0.5}, 1, 1, 1).state_list()[:5]
        [(0, 0, ()), (0, 0, (1,)), (0, 0, (2,)), (0, 0, (1, 1)), (0, 1, ())]
        """
        self.check_memory(100 * self.states, memory_limit)
        vectors, sizes, above = [()], self.sizes.tolist(), self.lattice()
        for parent, last in zip(above.parent[1:].tolist(), above.last[1:].tolist(), strict=True):
            vectors.append((*vectors[parent], sizes[last]))
        idle = [(0, 0, vector) for vector in vectors]
        return idle + list(itertools.product(range(self.queue_capacity + 1), sizes, vectors))

    def generator(self, memory_limit: float = MEMORY_LIMIT) -> Sparse:
        """The generator Q of `ctmc` (2) and Table 2, to check solutions: `solve` does not need it.

        Parameters
        ----------
        memory_limit : float
            Most bytes to use.

        Returns
        -------
        scipy.sparse.csr_array, shape (states, states)
            The states are in the order of `state_list`.

        Raises
        ------
        ValueError
            If the matrix would exceed the limit.

        Examples
        --------
        >>> ServiceCluster(1, 0, {1: 1.0}, 2, 3, 5).generator().toarray()
        array([[-2.,  0.,  2.,  0.],
               [ 5., -7.,  0.,  2.],
               [ 0.,  3., -3.,  0.],
               [ 0.,  0.,  5., -5.]])
        """
        vectors, fitting = self._counts
        count, levels = len(self.job_sizes), self.queue_capacity + 1
        transitions = self.states * 2 + fitting * count * (2 * levels)
        self.check_memory(100 * transitions, memory_limit)
        above, chances = self.lattice(), self.size_probabilities
        fit = np.flatnonzero(above.multiplicity)
        added, larger, rates = above.size[fit], above.larger[fit], self.departures()[fit]
        smaller = np.repeat(np.arange(vectors), above.fits)
        everything = np.arange(vectors)

        # One block of all vectors for the idle tracker, then one for every level and size.
        def block(level, size):
            return (1 + level * count + size) * vectors

        blocks = vectors * np.arange(1 + levels * count)[:, None]
        level = np.arange(1, levels)[:, None, None]
        new = np.arange(count)[:, None]
        families = [
            (everything, block(0, new) + everything,
             self.arrival_rate * chances[:, None]),
            (blocks[1:-count] + everything, blocks[1 + count :] + everything,
             self.arrival_rate),
            (blocks + larger, blocks + smaller, rates),
            (block(level, added) + smaller, block(level - 1, new) + larger,
             self.tracker_rate * chances[:, None]),
            (block(0, added) + smaller, larger, self.tracker_rate),
        ]
        parts = [[part.ravel() for part in np.broadcast_arrays(*family)] for family in families]  # type: ignore[arg-type]
        return markov.generator(self.states, *(np.concatenate(column) for column in zip(*parts, strict=True)))

    @waited_for
    @remembered
    def solve(
        self, tolerance: float = 1e-12, *, guess: Solution | None = None, memory_limit: float = MEMORY_LIMIT,
        progress: bool = False
    ) -> Solution:
        """The stationary distribution and the performance measures of `ctmc` Section 4.

        The chain is embedded where a job enters the tracker. Until that job is mapped, arrivals only lengthen the
        queue and departures only empty the cluster, so the probabilities follow from the rates of entry in one
        triangular pass; and as the size of the entering job is independent of all before, these rates are as many as
        cluster vectors and levels, not as states. BiCGSTAB finds their fixed point. No matrix is built.

        Parameters
        ----------
        tolerance : float
            Wanted 1-norm of the probabilities times the generator. Where rounding stops short of it, up to tolerance
            times the largest rate out of a state is accepted; `residual` says what was reached.
        guess : Solution, optional
            Solution of a chain with the same servers, queue and sizes, at neighbouring rates: a warm start.
        memory_limit : float
            Most bytes to use for the vectors of the solver.
        progress : bool
            Whether to show on standard error for how long this has been at work.

        Returns
        -------
        Solution

        Raises
        ------
        ValueError
            If an argument is not as described, the queue has more than 100 000 places, or the vectors would exceed the
            limit.
        NoExactAnswer
            If the tolerance is not reached.

        Examples
        --------
        >>> solution = ServiceCluster(1, 0, {1: 1.0}, 2, 3, 5).solve()
        >>> round(solution.blocking, 9), round(solution.mean_jobs_in_service, 9), round(solution.utilisation, 9)
        (0.438502674, 0.22459893, 0.22459893)
        """
        positive("tolerance", tolerance)
        vectors, fitting = self._counts
        levels = self.queue_capacity + 1
        # The lattice, the probabilities by slot, and what BiCGSTAB keeps.
        self.check_memory(8 * ((vectors + fitting) * (levels + 10) + vectors * levels * 12), memory_limit)
        affordable("queue_capacity", self.queue_capacity, MOST_PLACES)
        return solver.solve(self, tolerance, guess)
