"""Policies that give a processor to jobs in proportion to tickets or weights, a quantum at a time (`thesis`, 1.5.1).

All jobs are always ready to run, except those of `time_function_jobs` and `EEVDF`, which come and go.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from clustershare.arguments import affordable, array, fail, integer, positive, truth, vector
from clustershare.typing import FloatArray, IntArray, Integers, Numbers

MOST_QUANTA, MOST_JOBS, MOST_LOOKS = 10**7, 10**6, 10**8


def lottery(tickets: Integers, quanta: int, rng: np.random.Generator) -> IntArray:
    """Lottery scheduling: the owner of a ticket drawn at random runs for a quantum.

    Parameters
    ----------
    tickets : sequence of int
        At least 1 each; their sum fits 64 bits.
    quanta : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int, shape (quanta,)
        The job of each quantum, counted from 0.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> np.bincount(lottery([3, 1], 1000, np.random.default_rng(1)))
    array([743, 257])
    """
    held = vector("tickets", tickets, lambda name, value: integer(name, value, 1))
    integer("the sum of tickets", sum(held), 1)
    held = np.cumsum(held)
    if not isinstance(rng, np.random.Generator):
        fail("rng", rng, "a numpy.random.Generator")
    return np.searchsorted(held, rng.integers(held[-1], size=_quanta(quanta)), side="right")


def stride(tickets: Integers, quanta: int) -> IntArray:
    """Stride scheduling: the job with the least pass runs, and its pass grows by a stride inverse to its tickets.

    The first pass of a job is its stride; of equals the lower number runs. Passes are whole numbers, so nothing is
    lost to rounding.

    Parameters
    ----------
    tickets, quanta
        As for `lottery`.

    Returns
    -------
    ndarray of int, shape (quanta,)

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> stride([3, 2, 1], 6)
    array([0, 1, 0, 0, 1, 2])
    """
    held = vector("tickets", tickets, lambda name, value: integer(name, value, 1))
    shared = math.lcm(*held)
    passes, chosen = [(shared // count, job) for job, count in enumerate(held)], np.empty(_quanta(quanta), dtype=int)
    heapq.heapify(passes)
    for quantum in range(quanta):
        least, job = passes[0]
        chosen[quantum] = job
        heapq.heapreplace(passes, (least + shared // held[job], job))
    return chosen


def time_function(slopes: Numbers, jobs: int | Integers, quanta: int, *, constant: bool = False) -> IntArray:
    """Time-function scheduling of permanent jobs: the priority of a job is a function of the time it has waited.

    Only the head of each class's queue is looked at. A job that has run for a quantum joins the tail. Of equals the
    lower class runs.

    Parameters
    ----------
    slopes : sequence of float
        Of the classes, whose functions are linear.
    jobs : int or sequence of int
        Permanent jobs of each class, at most a million in all.
    quanta : int
    constant : bool
        Whether the functions are constant instead, with the slopes as values.

    Returns
    -------
    ndarray of int, shape (quanta,)
        The class of each quantum.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> time_function([1.0, 3.0], 1, 6)  # two jobs alternate, whatever their slopes
    array([1, 0, 1, 0, 1, 0])
    """
    slopes = vector("slopes", slopes, positive)
    counts = [jobs] * len(slopes) if np.ndim(jobs) == 0 else jobs
    counts = vector("jobs", counts, lambda name, value: integer(name, value, 1, MOST_JOBS), len(slopes))
    affordable("the sum of jobs", sum(counts), MOST_JOBS)
    # Since when each job waits; at the start one after another, so that no two of a class are alike.
    queues = [deque([-(count - job) / count, math.inf, -1] for job in range(count)) for count in counts]
    return _by_time_functions(slopes, queues, [], _quanta(quanta), truth("constant", constant))[0]


def time_function_jobs(
    slopes: Numbers, arrivals: Sequence[tuple[int, int, int]], quanta: int, *, constant: bool = False
) -> tuple[IntArray, FloatArray]:
    """Time-function scheduling, as of `time_function`, of jobs that come and go.

    Parameters
    ----------
    slopes, quanta, constant
        As for `time_function`.
    arrivals : sequence of (int, int, int)
        Of each job the quantum before which it comes, its class, and how many quanta it needs; in order.

    Returns
    -------
    chosen : ndarray of int, shape (quanta,)
        The class of each quantum, -1 where nobody is there.
    ends : ndarray of float, shape (jobs,)
        The quantum after which each job is done, nan if it is not yet.

    Examples
    --------
    >>> time_function_jobs([1.0, 2.0], [(0, 0, 2), (1, 1, 1)], 4)
    (array([ 0,  0,  1, -1]), array([2., 3.]))
    """
    slopes = vector("slopes", slopes, positive)

    def job(name, value):
        came, of, work = vector(name, value, lambda entry, part: integer(entry, part, 0, MOST_JOBS), 3)
        return came, integer(f"{name}[1]", of, 0, len(slopes) - 1), integer(f"{name}[2]", work, 1)

    arrivals = vector("arrivals", arrivals, job)
    if list(arrivals) != sorted(arrivals, key=lambda one: one[0]):
        fail("arrivals", arrivals, "in order")
    queues = [deque() for _ in slopes]
    return _by_time_functions(slopes, queues, arrivals, _quanta(quanta), truth("constant", constant))


def _quanta(quanta):
    return integer("quanta", quanta, 1, MOST_QUANTA)


def _by_time_functions(slopes, queues, arrivals, quanta, constant):
    """The class of each quantum, and when jobs end. A queue has since when each job waits, what is left, its number."""
    affordable("the number of slopes times that of quanta", len(slopes) * quanta, MOST_LOOKS)
    chosen, ends = np.full(quanta, -1), np.full(len(arrivals), np.nan)
    coming = 0
    for now in range(quanta):
        while coming < len(arrivals) and arrivals[coming][0] <= now:
            queues[arrivals[coming][1]].append([now, arrivals[coming][2], coming])
            coming += 1
        best, k = -1.0, -1
        for number, (slope, queue) in enumerate(zip(slopes, queues)):
            if queue:
                priority = slope if constant else slope * (now - queue[0][0])
                if priority > best:
                    best, k = priority, number
        if k < 0:
            continue
        chosen[now] = k
        job = queues[k].popleft()
        job[1] -= 1
        if job[1] > 0:
            job[0] = now + 1
            queues[k].append(job)
        else:
            ends[job[2]] = now + 1
    return chosen, ends


def worst_error(chosen: Integers, tickets: ArrayLike) -> float:
    """The largest distance of what a job has had, in quanta, from its part of all quanta so far.

    Parameters
    ----------
    chosen : array_like of int, shape (quanta,)
        The job of each quantum.
    tickets : array_like, shape (jobs,)
        Above 0.

    Returns
    -------
    float
        In quanta.

    Examples
    --------
    >>> worst_error([0, 0, 1, 1], [1, 1])
    1.0
    """
    held = np.array(vector("tickets", tickets, positive))
    parts = held / held.sum()
    chosen = array("chosen", chosen, 1, 0, len(parts) - 1)
    if (chosen != np.floor(chosen)).any():
        fail("chosen", chosen, "whole numbers")
    served = np.cumsum(chosen[:, None] == np.arange(len(parts)), axis=0)
    return float(np.abs(served - parts * np.arange(1, len(served) + 1)[:, None]).max())


class EEVDF:
    """Earliest eligible virtual deadline first: a processor shared by clients with weights (`thesis` (1.6)).

    Virtual time runs at one over the sum of the weights. A request for some service becomes eligible when the client
    is entitled to what it has had, and is due when it is entitled to the request too. Of the eligible requests, that
    which is due first is served to its end.

    Parameters
    ----------
    settle : bool
        Whether virtual time is set right when a client leaves that has had more or less than it is entitled to, so
        that the others do not bear the difference. (1.6) alone does not do that.

    Examples
    --------
    >>> processor = EEVDF()
    >>> for name in "ab":
    ...     processor.join(name, weight=1.0, request=1.0)
    >>> processor.serve(), processor.serve(), processor.lag("a")
    ('a', 'b', 0.0)
    """

    def __init__(self, settle: bool = True) -> None:
        self.settle = truth("settle", settle)
        self.virtual_time = 0.0
        self.clients = {}
        self.worst_lag = 0.0

    def join(self, name: Hashable, weight: float, request: float) -> None:
        """A client comes, with its weight and the length of its requests; it is entitled to nothing yet."""
        weight, request = positive("weight", weight), positive("request", request)
        if name in self.clients:
            fail("name", name, "that of no client who is there already")
        self.clients[name] = [weight, request, self.virtual_time, 0.0]

    def lag(self, name: Hashable) -> float:
        """What the client is entitled to since it came, minus what it has had."""
        if name not in self.clients:
            fail("name", name, f"one of {', '.join(map(str, self.clients)) or 'nobody, as no client is there'}")
        weight, _, joined, served = self.clients[name]
        return weight * (self.virtual_time - joined) - served

    def serve(self) -> Any:
        """Serve one request to its end; the client that was served.

        While no request is eligible the processor idles. That happens only where virtual time was not settled.
        """
        if not self.clients:
            raise ValueError("serve needs a client: join one first.")
        # Where each stands in virtual time: what it has had, over its weight, since it came.
        starts = {name: joined + served / weight for name, (weight, _, joined, served) in self.clients.items()}
        self.virtual_time = max(self.virtual_time, min(starts.values()))
        eligible = [name for name, start in starts.items() if start <= self.virtual_time + 1e-12]
        chosen = min(eligible, key=lambda name: starts[name] + self.clients[name][1] / self.clients[name][0])
        request = self.clients[chosen][1]
        self.virtual_time += request / sum(weight for weight, _, _, _ in self.clients.values())
        self.clients[chosen][3] += request
        self._note()
        return chosen

    def leave(self, name: Hashable) -> None:
        """A client goes, having been served or not."""
        lag = self.lag(name)
        del self.clients[name]
        if self.settle and self.clients:
            self.virtual_time += lag / sum(weight for weight, _, _, _ in self.clients.values())
            self._note()

    def reweigh(self, name: Hashable, weight: float) -> None:
        """A client's weight changes: it leaves, and comes back at once with the lag that it had."""
        weight, lag = positive("weight", weight), self.lag(name)
        _, request, _, _ = self.clients.pop(name)
        others = sum(client[0] for client in self.clients.values())
        if self.settle and others:
            self.virtual_time += lag / others
        # What it has had counts from a time at which it would have been entitled to just that.
        self.clients[name] = [weight, request, self.virtual_time - lag / weight, 0.0]
        if self.settle and others:
            self.virtual_time -= lag / (others + weight)  # so that all lags sum to 0 again
        self._note()

    def _note(self):
        self.worst_lag = max(self.worst_lag, *(abs(self.lag(name)) for name in self.clients))
