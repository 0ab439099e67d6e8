"""The distance of Algorithm 1 of `balanced` from balanced fairness to the first order in 1/m, exactly.

With many interruptions the order of the queue changes fast, at rates proportional to m, and the jobs that are there
slowly. Let Q be the generator of the slow chain, which is balanced fairness on the numbers of jobs of each class in
each phase; p its stationary law; and sigma the mean size. The law of these numbers in the interrupted queue is
p + (sigma / m) q + O(1/m**2) with::

    q Q = -p Q1,    sum of q = 0,

where Q1 is the slow chain with what the order adds to the service rate of a job of class k in phase u::

    sum over classes i of a_i H_ik / x_k - phi_k (a_u - a_k) / x_k.

Here a_u is the rate at which a job in phase u has just come (entries into the phase by arrivals, per job in it), a_i
its mean over the class-i jobs present, phi the service rates (7), and H a matrix that depends on the numbers of jobs
of the classes alone::

    H_ik(x) = integral over t of E[(mu 1{the last job is of class i} - R_i(0)) (R_k(t) - phi_k)]

for the queue of the jobs x that are interrupted at unit rate of work and never leave, in which class i is served at
rate R_i. The page `how_many` derives it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from numpy.typing import ArrayLike

from clustershare import markov
from clustershare.arguments import UnstableError, fail, integer, number, positive, vector
from clustershare.calls import remembered
from clustershare.compiled.arguments import law
from clustershare.multiserver.graph import check_graph, loads_of_sets, merged
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer, Result

if TYPE_CHECKING:
    from clustershare.multiserver.graph import CompatibilityGraph
    from clustershare.sizes import JobSize

MOST_WORDS = 2_000_000  # orders of the classes, of all numbers of jobs together: half a minute
MOST_STATES = 20_000  # of the slow chain
HARDLY = 0.98  # a sequence that falls by less from one to the next tells nothing of its sum
FEW_ORDERS = 500  # up to here elimination, with which no iteration breaks down
SOLVED = 1e-11  # what the iteration may leave of the rates of all orders together, relatively


@dataclass(frozen=True)
class FirstOrder(Result):
    """How far Algorithm 1 is from balanced fairness when m interruptions of a job are many: coefficients of 1/m.

    Attributes
    ----------
    mean_jobs : ndarray, shape (classes,)
        The limit of m times the difference of the mean numbers of jobs.
    distance : ndarray, shape (classes,)
        The same relative to the mean numbers under balanced fairness; also that of the mean delays.
    fair_jobs : ndarray, shape (classes,)
        The mean numbers under balanced fairness, cut alike.
    method, error
        See `clustershare.results.Result`. The error is absolute, of `distance`: what longer queues would add,
        estimated from the three longest by continuing the differences as a geometric sequence. In the end they fall as
        n**2 r**n, where r is the load of the set of classes loaded most, but may begin to fall later than that, or
        earlier for a while: the slower is taken. Infinite where they hardly fall, or there are too many classes.
    """

    mean_jobs: np.ndarray
    distance: np.ndarray
    fair_jobs: np.ndarray


@waited_for
@remembered
def first_order_distance(
    graph: CompatibilityGraph, arrival_rates: ArrayLike, sizes: JobSize, most_jobs: int, *, progress: bool = False
) -> FirstOrder:
    """The coefficients of 1/m in the distance of Algorithm 1 from balanced fairness.

    Parameters
    ----------
    graph : CompatibilityGraph
        Capacities in work per unit time.
    arrival_rates : array_like, shape (classes,)
        Jobs per unit time, above 0. They need not be stable: jobs beyond `most_jobs` are lost.
    sizes : clustershare.sizes.JobSize
        Sizes in work, the same for all classes: a finite mixture of Erlangs.
    most_jobs : int
        Largest number of jobs in the queue, at least 3. For c classes with different servers there are
        1 + c + ... + c**most_jobs orders, of which two million are allowed (one class takes no order); and for k kinds
        of jobs, which are pairs of a class and a phase, binomial(most_jobs + k, k) states, of which 20 000 are.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    FirstOrder

    Raises
    ------
    ValueError
        If an argument is not as above, or orders or states would be too many.
    NoExactAnswer
        If the rates are so far apart that the equations are not solved.

    Examples
    --------
    Exponential sizes are at no distance, whatever m (`balanced` Theorem 2):

    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import Exponential, bimodal_hyperexponential
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    >>> first_order_distance(graph, [0.4, 0.4], Exponential(), 8).distance.round(12) + 0.0
    array([0., 0.])
    >>> result = first_order_distance(graph, [0.4, 0.4], bimodal_hyperexponential(), 12)
    >>> result.distance.round(3), result.error < 2e-3
    (array([0.142, 0.142]), True)
    """
    rates = np.array(vector("arrival_rates", arrival_rates, positive, check_graph(graph).classes))
    law("sizes", sizes)
    phases = _phases(sizes)
    most_jobs = integer("most_jobs", most_jobs, 3)
    distinct, new_class = merged(graph)
    kinds = distinct.classes * len(phases.means)
    if math.comb(most_jobs + kinds, kinds) > MOST_STATES:
        fail("most_jobs", most_jobs, f"so small that {kinds} kinds of jobs have at most {MOST_STATES} states")
    if distinct.classes > 1 and most_jobs * math.log(distinct.classes) > math.log(MOST_WORDS):
        fail("most_jobs", most_jobs, f"so small that {distinct.classes} classes have at most {MOST_WORDS} orders")
    total = np.bincount(new_class, rates)
    try:
        with np.errstate(all="ignore"):
            drifts = {x: _drift(distinct, x) for x in _numbers(distinct.classes, most_jobs)}
            found = [_coefficients(distinct, total, sizes.mean, phases, drifts, most_jobs - less) for less in (2, 1, 0)]
    except (ArithmeticError, RuntimeError, np.linalg.LinAlgError):  # beyond the floats, or singular
        found = np.nan
    if not np.isfinite(found).all():
        raise NoExactAnswer("The chain was not solved: its rates are too far apart for elimination.")
    earlier, before, last = (coefficient / fair for coefficient, fair in found)  # type: ignore[union-attr]
    with np.errstate(divide="ignore", invalid="ignore"):
        brought, served = loads_of_sets(distinct, total * sizes.mean)
        slowest = (brought / served).max(initial=0.0 if len(served) else math.inf) * (1 + 1 / most_jobs) ** 2
        ratio = np.maximum(np.abs(last - before) / np.abs(before - earlier), slowest)
        beyond = np.where(ratio < HARDLY, np.abs(last - before) * ratio / (1 - ratio), np.inf)
    beyond[np.abs(last - before) < 1e-12] = 0.0
    coefficient, fair = found[-1]  # type: ignore[index]
    of_class = rates / total[new_class]  # equal classes share their jobs in proportion to their rates
    return FirstOrder(
        of_class * coefficient[new_class], last[new_class], of_class * fair[new_class],
        method="chain", error=float(beyond.max()),
    )  # fmt: skip


def one_server_distance(load: float, sizes: JobSize) -> float:
    """The limit of m times the relative distance from processor sharing, on one server: no queue is cut.

    With A(u, v) for jobs in phases u and v, of means 1/mu_u and 1/mu_v, and 0 where there is no phase left::

        mu_u (A(u, v) - A(u - 1, v)) + mu_v (A(u, v) - A(u, v - 1)) = g(u) + g(v)
        g(u) = 1/2 + (load / sigma) E[A(u, X)],

    where X is the first phase of a new job, the relative value of a state under processor sharing is the sum of A over
    the pairs of its jobs, plus that of A(u, u) over its jobs. The distance follows from it::

        load (1 - 2 (1 - load) E[A(X, Y)] / sigma)

    for independent X and Y. It is below the load, whatever the sizes.

    Parameters
    ----------
    load : float
        Arrival rate times mean size over capacity, above 0 and below 1.
    sizes : clustershare.sizes.JobSize
        A finite mixture of Erlangs, of at most 200 phases.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If the load is 1 or more.

    Examples
    --------
    >>> from clustershare.sizes import Exponential, ErlangMixture, bimodal_hyperexponential
    >>> for size in (ErlangMixture(0.5, (2,), (1.0,)), Exponential(), bimodal_hyperexponential()):
    ...     print(round(one_server_distance(0.8, size), 6) + 0.0)
    -0.25
    0.0
    0.581818
    """
    load = number("load", load, 0, open_below=True)
    law("sizes", sizes)
    if load >= 1:
        raise UnstableError(f"overloaded server: load {load:g} is not below its capacity 1.", (0,))
    phases = _phases(sizes, 200)
    count = len(phases.means)
    # A is linear in g: of each pair (u, v) the coefficients of g, from the phases with the fewest left on.
    A = np.zeros((count + 1, count + 1, count))  # the last row and column: no phase left
    speeds = 1 / phases.means
    for u in phases.order:
        for v in phases.order:
            right = speeds[u] * A[phases.next[u], v] + speeds[v] * A[u, phases.next[v]]
            right[u] += 1.0
            right[v] += 1.0
            A[u, v] = right / (speeds[u] + speeds[v])
    of_new = np.einsum("uvw,v->uw", A[:count, :count], phases.first)  # E[A(u, X)] as coefficients of g
    # At load 1 the equations of g are singular: their weights by `share` sum to (1 - load) share g = 1/2. With that
    # added to each they determine (1 - load) g at any load.
    equations = np.eye(count) - load / sizes.mean * of_new + phases.share
    g = np.linalg.solve(equations, np.full(count, 0.5 * (1 - load) + 0.5))
    return float(load * (1 - 2 * (phases.first @ of_new @ g) / sizes.mean))


@dataclass(frozen=True)
class _Phases:
    """Phases of a job: mean, probability to begin there, share of the jobs, rate of those just come, what follows."""

    means: np.ndarray
    first: np.ndarray
    share: np.ndarray
    fresh: np.ndarray
    next: np.ndarray  # -1: the job leaves
    order: list[int]  # from the fewest phases left on


def _phases(sizes, most=MOST_STATES):
    counts, means, weights = sizes.erlang_mixture()
    likely = weights > 0
    counts, means, weights = counts[likely], means[likely], weights[likely]
    left = {mean: int(counts[means == mean].max()) for mean in dict.fromkeys(means.tolist())}
    if sum(left.values()) > most:
        fail("sizes", sizes, f"of at most {most} phases")
    names = [(mean, k) for mean, most in left.items() for k in range(1, most + 1)]
    place = {name: u for u, name in enumerate(names)}
    first, visits = np.zeros(len(names)), np.zeros(len(names))
    for count, mean, weight in zip(counts.tolist(), means.tolist(), weights.tolist(), strict=True):
        first[place[mean, count]] += weight
        for k in range(1, count + 1):
            visits[place[mean, k]] += weight
    means = np.array([mean for mean, _ in names])
    after = np.array([place.get((mean, k - 1), -1) for mean, k in names])
    order = sorted(range(len(names)), key=lambda u: names[u][1])
    return _Phases(means, first, visits * means / sizes.mean, first / (visits * means), after, order)


def _numbers(classes, most_jobs):
    """The numbers of jobs of the classes, up to so many in all."""
    return [x for x in itertools.product(range(most_jobs + 1), repeat=classes) if sum(x) <= most_jobs]


def _drift(graph, x):
    """H of the numbers of jobs x: see the head of this file."""
    active = [i for i, jobs in enumerate(x) if jobs > 0]
    H = np.zeros((len(x), len(x)))
    if len(active) < 2:
        return H  # the service rate of the only class does not change
    words = _words([x[i] for i in active])
    jobs, classes = words.shape[1], len(active)
    subsets = graph.service_rates_of_subsets(active)
    first = np.stack([(words == i).argmax(axis=1) for i in range(classes)])
    rate = np.zeros((classes, len(words)))
    for server, capacity in enumerate(graph.capacities):
        users = [i for i, name in enumerate(active) if server in graph.servers_of_class[name]]
        if users:
            chosen = np.array(users)[first[users].argmin(axis=0)]
            np.add.at(rate, (chosen, np.arange(len(words))), capacity)
    # The measure (1) of an order, of unit arrival rates.
    seen, law = np.zeros(len(words), dtype=np.int64), np.ones(len(words))
    for place in range(jobs):
        seen |= 1 << words[:, place].astype(np.int64)
        law /= subsets[seen]
    law /= law.sum()
    # The first job of a class goes to the end.
    powers = classes ** np.arange(jobs - 1, -1, -1, dtype=np.int64)
    codes = words @ powers  # ascending, as the words are
    here, there, speed = [], [], []
    for i in range(classes):
        behind = np.arange(jobs) >= first[i][:, None]
        moved = np.where(behind, np.concatenate([words[:, 1:], np.full((len(words), 1), i)], axis=1), words)
        here.append(np.arange(len(words)))
        there.append(np.searchsorted(codes, moved @ powers))
        speed.append(rate[i])
    Q = markov.generator(len(words), np.concatenate(here), np.concatenate(there), np.concatenate(speed))
    fair = rate @ law
    last = words[:, -1] == np.arange(classes)[:, None]
    reversed_less = law * (subsets[-1] * last - rate)  # a class enters at the end as it is served in reversed time
    for k in range(classes - 1):
        value = _worth(Q, law, rate[k] - fair[k])
        H[active, active[k]] = reversed_less @ value
    H[active, active[-1]] = -H[active].sum(axis=1)  # the rates of all classes together do not change
    return H


def _worth(Q, law, excess):
    """The integral of the expected excess over all time, of each order: minus the generator takes it to the excess."""
    if len(law) <= FEW_ORDERS:
        return np.linalg.solve(Q.toarray() - law, -excess)
    outflow = -Q.diagonal()
    goal = SOLVED * outflow.sum()
    result = np.zeros_like(excess)
    for _ in range(5):  # each round begins at what the last one left
        result -= markov.bicgstab(lambda vector: Q @ (vector / -outflow), -excess - Q @ result, goal / 2, 500) / outflow
        result -= law @ result
        if np.abs(excess + Q @ result).sum() <= goal:
            return result
    raise NoExactAnswer("The worth of the orders was not found.")


def _words(counts):
    """All words with so many letters 0, 1, ...: in ascending order, a row each."""
    jobs = sum(counts)
    words = np.zeros((1, jobs), dtype=np.int64)
    free = np.arange(jobs)[None]  # the places left, of each word
    for letter in range(len(counts) - 1, 0, -1):
        places = np.array(list(itertools.combinations(range(free.shape[1]), counts[letter])))
        words, free = np.repeat(words, len(places), axis=0), np.repeat(free, len(places), axis=0)
        places = np.tile(places, (len(words) // len(places), 1))
        np.put_along_axis(words, np.take_along_axis(free, places, axis=1), letter, axis=1)
        kept = np.ones(free.shape, dtype=bool)
        np.put_along_axis(kept, places, False, axis=1)
        free = free[kept].reshape(len(words), -1)
    return words[np.lexsort(words.T[::-1])]


def _coefficients(graph, rates, mean, phases, drifts, most_jobs):
    """Of each class the coefficient of 1/m of the mean number, and that number under balanced fairness, cut alike."""
    states, Q, Q1, p = slow_chain(graph, rates, mean, phases, drifts, most_jobs)
    counts = states.reshape(len(states), graph.classes, -1).sum(axis=2)
    # One equation says nothing that the others do not, and q is known up to a multiple of p.
    factors = spla.splu(sp.csc_array(Q.T)[1:, 1:], permc_spec="COLAMD")
    q = np.append(0.0, factors.solve(-(Q1.T @ p)[1:]))
    q -= p * q.sum()
    return mean * (q @ counts), p @ counts


def slow_chain(graph, rates, mean, phases, drifts, most_jobs):
    """Balanced fairness on the numbers of jobs of each class in each phase, and what a finite m adds, over sigma / m.

    Returns
    -------
    states : ndarray of int, shape (states, classes * phases)
    Q, Q1 : scipy.sparse.csr_array, shape (states, states)
        The generator, and the generator of what is added, whose rates may be below 0.
    p : ndarray, shape (states,)
        The stationary law of Q, in closed form.
    """
    count = len(phases.means)
    balance = {}
    for x in _numbers(graph.classes, most_jobs):
        before = [_without(x, i) for i in range(len(x)) if x[i] > 0]
        mu = graph.service_rate([i for i in range(len(x)) if x[i] > 0])
        balance[x] = sum(balance[y] for y in before) / mu if before else 1.0

    def transitions(state):
        x = tuple(sum(state[i * count : (i + 1) * count]) for i in range(graph.classes))
        if sum(x) < most_jobs:
            for i, rate in enumerate(rates):
                for u in np.flatnonzero(phases.first).tolist():
                    yield _changed(state, {i * count + u: 1}), rate * phases.first[u]
        for k, rate in served(state, x, 0):
            yield _after(state, k), rate

    def served(state, x, order):
        jobs = np.array(state).reshape(graph.classes, count)
        if order:
            fresh = np.array([jobs[i] @ phases.fresh / x[i] if x[i] else 0.0 for i in range(graph.classes)])
            moved = fresh @ drifts[x]
        for i in range(graph.classes):
            if x[i]:
                rate = balance[_without(x, i)] / balance[x]
                for u in np.flatnonzero(jobs[i]).tolist():
                    each = (moved[i] - rate * (phases.fresh[u] - fresh[i])) / x[i] if order else rate / x[i]
                    yield i * count + u, jobs[i, u] * each / phases.means[u]

    def _after(state, k):
        i, u = divmod(k, count)
        follows = phases.next[u]
        return _changed(state, {k: -1} if follows < 0 else {k: -1, i * count + follows: 1})

    states, *moves = markov.explore((0,) * (graph.classes * count), transitions, MOST_STATES + 1)
    index = {state: row for row, state in enumerate(states)}
    rows, columns, added, p = [], [], [], np.zeros(len(states))
    for row, state in enumerate(states):
        x = tuple(sum(state[i * count : (i + 1) * count]) for i in range(graph.classes))
        p[row] = balance[x] * math.prod((rate * mean) ** jobs for rate, jobs in zip(rates, x, strict=True))
        for i in range(graph.classes):
            own = state[i * count : (i + 1) * count]
            p[row] *= math.factorial(x[i]) / math.prod(map(math.factorial, own))
            p[row] *= math.prod(share**jobs for share, jobs in zip(phases.share, own, strict=True))
        for k, rate in served(state, x, 1):
            rows += [row, row]
            columns += [index[_after(state, k)], row]
            added += [rate, -rate]
    Q1 = sp.csr_array((added, (rows, columns)), shape=(len(states), len(states)))
    return np.array(states), markov.generator(len(states), *moves), Q1, p / p.sum()


def _without(x, i):
    return (*x[:i], x[i] - 1, *x[i + 1 :])


def _changed(state, changes):
    return tuple(jobs + changes.get(k, 0) for k, jobs in enumerate(state))
