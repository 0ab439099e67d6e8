"""Policies that give a processor to jobs in proportion to tickets or weights, a quantum at a time (`thesis`, 1.5.1).

All jobs are always ready to run, except those of `EEVDF`, which come and go.
"""

import math

import numpy as np

from clustershare.arguments import integer, positive, vector


def lottery(tickets, quanta, rng):
    """Lottery scheduling: the owner of a ticket drawn at random runs for a quantum.

    Parameters
    ----------
    tickets : sequence of int
        At least 1 each.
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
    held = np.cumsum(vector("tickets", tickets, lambda name, value: integer(name, value, 1)))
    return np.searchsorted(held, rng.integers(held[-1], size=integer("quanta", quanta, 1)), side="right")


def stride(tickets, quanta):
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
    strides = [math.lcm(*held) // count for count in held]
    passes, chosen = list(strides), np.empty(integer("quanta", quanta, 1), dtype=int)
    for quantum in range(quanta):
        job = passes.index(min(passes))
        chosen[quantum] = job
        passes[job] += strides[job]
    return chosen


def time_function(slopes, jobs, quanta):
    """Time-function scheduling with linear functions: the priority of a job is its slope times the time it has waited.

    Only the head of each class's queue is looked at. A job that has run for a quantum joins the tail. Of equals the
    lower class runs.

    Parameters
    ----------
    slopes : sequence of float
        Of the classes.
    jobs : int
        Permanent jobs of each class.
    quanta : int

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
    heads, count = [0] * len(slopes), integer("jobs", jobs, 1)
    # Since when each job waits; at the start one after another, so that no two of a class are alike.
    since = [[-(count - job) / count for job in range(count)] for _ in slopes]
    chosen = np.empty(integer("quanta", quanta, 1), dtype=int)
    for now in range(quanta):
        priority = [slope * (now - since[k][heads[k]]) for k, slope in enumerate(slopes)]
        k = priority.index(max(priority))
        chosen[now] = k
        since[k][heads[k]] = now + 1
        heads[k] = (heads[k] + 1) % count
    return chosen


def worst_error(chosen, tickets):
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
    parts = np.asarray(tickets) / np.sum(tickets)
    served = np.cumsum(np.asarray(chosen)[:, None] == np.arange(len(parts)), axis=0)
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

    def __init__(self, settle=True):
        self.settle = settle
        self.virtual_time = 0.0
        self.clients = {}
        self.worst_lag = 0.0

    def join(self, name, weight, request):
        """A client comes, with its weight and the length of its requests; it is entitled to nothing yet."""
        weight, request = positive("weight", weight), positive("request", request)
        self.clients[name] = [weight, request, self.virtual_time, 0.0]

    def lag(self, name):
        """What the client is entitled to since it came, minus what it has had."""
        weight, _, joined, served = self.clients[name]
        return weight * (self.virtual_time - joined) - served

    def serve(self):
        """Serve one request to its end; the client that was served.

        While no request is eligible the processor idles. That happens only where virtual time was not settled.
        """
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

    def leave(self, name):
        """A client goes, having been served or not."""
        lag = self.lag(name)
        del self.clients[name]
        if self.settle and self.clients:
            self.virtual_time += lag / sum(weight for weight, _, _, _ in self.clients.values())
            self._note()

    def _note(self):
        self.worst_lag = max(self.worst_lag, *(abs(self.lag(name)) for name in self.clients))
