"""The queue of `balanced`, Section 2, in its words: every short line of jobs, and each server at its job in the line.

No rate formula and no product form is used here but in `measure`: this is what those of the library are compared with.
"""

import functools

import numpy as np

from clustershare import markov

ARRIVES, LEAVES, GOES_ON, COMES_BACK, INTERRUPTED = range(5)


class Lines:
    """All lines of at most `most` jobs of so many kinds, numbered by their length and then as digits.

    ``jobs[n]`` has a row for each line of n jobs, from the head on, and ``first[n]`` is the number of the first.
    """

    def __init__(self, kinds, most):
        self.kinds, self.most = kinds, most
        self.jobs = [np.arange(kinds**n)[:, None] // kinds ** np.arange(n)[::-1] % kinds for n in range(most + 1)]
        self.first = np.cumsum([0, *(len(jobs) for jobs in self.jobs)])

    def numbers(self, jobs):
        """The numbers of some lines of one length."""
        length = jobs.shape[1]
        return self.first[length] + jobs @ self.kinds ** np.arange(length)[::-1]

    def counts(self, of=None):
        """How many jobs of each kind are in each line, or of each class if `of` has that of each kind."""
        of = np.arange(self.kinds) if of is None else np.asarray(of)
        return np.concatenate([(of[jobs][:, :, None] == np.arange(of.max() + 1)).sum(axis=1) for jobs in self.jobs])


@functools.cache
def lines(kinds, most):
    """`Lines`, made once."""
    return Lines(kinds, most)


def at_work(graph, classes, rule="first"):
    """The part of each server that each job of some lines of one length has: shape (lines, length, servers).

    By the rule of Section 2 a server is at the first job in the line that it may serve. Wrong systems: it is at the
    "last" one; it is "shared" by all of them; a job takes "one" free server and leaves the others.
    """
    may = np.array([[s in servers for s in range(graph.servers)] for servers in graph.servers_of_class])[classes]
    if rule == "last":
        return at_work(graph, classes[:, ::-1])[:, ::-1]
    if rule == "shared":
        return may / np.maximum(may.sum(axis=1, keepdims=True), 1)
    if rule == "one":
        free, at = np.ones((len(may), graph.servers), dtype=bool), np.zeros(may.shape)
        for place in range(may.shape[1]):
            usable = may[:, place] & free
            at[:, place] = usable & (np.cumsum(usable, axis=1) == 1)
            free &= at[:, place] == 0
        return at
    return (may & (np.cumsum(may, axis=1) == 1)).astype(float)


def measure(short, graph, rates):
    """The measure (1) of every line, relative to the empty one, with the servers at work added up one by one."""
    result = [np.ones(1)]
    for jobs in short.jobs[1:]:
        total = (at_work(graph, jobs) @ np.array(graph.capacities)).sum(axis=1)
        result.append(np.repeat(result[-1], short.kinds) * np.asarray(rates)[jobs[:, -1]] / total)
    return np.concatenate(result)


def moves(
    short, graph, arrivals, *, of=None, pace=1.0, goes_on=None, comes_back=None, timers=None, again=None, rule="first",
    to="end",
):  # fmt: skip
    """The transitions between lines: from, to, rate, event, class of the job.

    Parameters
    ----------
    short : Lines
    graph : clustershare.multiserver.CompatibilityGraph
    arrivals : ndarray (kinds,)
    of : sequence of int, optional
        The class of each kind; without it a kind is a class.
    pace : float or ndarray (kinds,)
        Ends of services, or of their phases, per unit of work.
    goes_on, comes_back : ndarray (kinds, kinds), optional
        With what probability a job whose service ends goes on at its place as another kind, or goes to the end of the
        line; otherwise it leaves.
    timers : ndarray (servers,), optional
        At what rate each server interrupts its job.
    again : ndarray (kinds,), optional
        As which kind a job goes on that was interrupted; as what it is if not given.
    rule : str
        As for `at_work`.
    to : str
        Whether jobs that come back or are interrupted go to the "end" of the line, or keep their "place".
    """
    of = np.arange(short.kinds) if of is None else np.asarray(of)
    pace = np.broadcast_to(pace, short.kinds)
    nothing = np.zeros((short.kinds, short.kinds))
    goes_on = nothing if goes_on is None else goes_on
    comes_back = nothing if comes_back is None else comes_back
    leaves = 1 - goes_on.sum(axis=1) - comes_back.sum(axis=1)
    found = []

    def add(sources, targets, rates, event, kinds):
        some = rates > 1e-15
        if some.any():
            classes = np.broadcast_to(of[kinds], len(rates))
            found.append((sources[some], targets[some], rates[some], np.full(some.sum(), event), classes[some]))

    for length, jobs in enumerate(short.jobs):
        sources = short.first[length] + np.arange(len(jobs))

        def with_last(others, kind):
            return short.numbers(np.column_stack([others, np.broadcast_to(kind, len(others))]))

        if length < short.most:
            for kind in np.flatnonzero(arrivals):
                add(sources, with_last(jobs, kind), np.full(len(jobs), arrivals[kind]), ARRIVES, kind)
        at = at_work(graph, of[jobs], rule)
        work = at @ np.array(graph.capacities)
        for place in range(length):
            here, others = jobs[:, place], np.delete(jobs, place, axis=1)
            ends = work[:, place] * pace[here]
            add(sources, short.numbers(others), ends * leaves[here], LEAVES, here)
            for kind in range(short.kinds):
                changed = jobs.copy()
                changed[:, place] = kind
                add(sources, short.numbers(changed), ends * goes_on[here, kind], GOES_ON, here)
                back = with_last(others, kind) if to == "end" else short.numbers(changed)
                add(sources, back, ends * comes_back[here, kind], COMES_BACK, here)
            if timers is not None:
                back = with_last(others, here if again is None else again[here]) if to == "end" else sources
                add(sources, back, at[:, place] @ timers, INTERRUPTED, here)
    return tuple(np.concatenate(part) for part in zip(*found))


def net_flow(states, transitions, probabilities):
    """What flows into each state less what flows out, relative to what flows out."""
    sources, targets, rates = transitions[:3]
    flow = probabilities[sources] * rates
    out = np.bincount(sources, flow, states)
    return np.bincount(targets, flow, states) / out - 1


def law(states, transitions):
    """The stationary law of a chain from its transitions."""
    Q = markov.generator(states, *transitions[:3])
    return markov.gth(Q) if states <= 400 else markov.stationary(Q)


def phases(size):
    """A mixture of Erlangs as kinds of jobs: where it begins, the pace of a phase, and where it goes on."""
    counts, means, weights = size.erlang_mixture()
    first = np.cumsum([0, *counts])
    start, pace, goes_on = np.zeros(first[-1]), np.zeros(first[-1]), np.zeros((first[-1], first[-1]))
    for begin, count, mean, weight in zip(first, counts, means, weights):
        start[begin], pace[begin : begin + count] = weight, 1 / mean
        for k in range(begin, begin + count - 1):
            goes_on[k, k + 1] = 1.0
    return start, pace, goes_on


def chain(graph, rates, size, most, theta=np.inf, **setting):
    """The algorithm with jobs of any phases: lines, class of each kind, transitions; timers of rate C_s / theta."""
    start, pace, goes_on = phases(size)
    count = graph.classes
    short, of = lines(count * len(start), most), np.repeat(np.arange(count), len(start))
    setting = {"timers": np.array(graph.capacities) / theta if np.isfinite(theta) else None, **setting}
    found = moves(
        short, graph, np.kron(rates, start), of=of, pace=np.tile(pace, count),
        goes_on=np.kron(np.eye(count), goes_on), **setting,
    )  # fmt: skip
    return short, of, found


def by_numbers(short, probabilities, of=None):
    """The law of the numbers of jobs: an array with an axis for each class."""
    counts = short.counts(of)
    result = np.zeros((short.most + 1,) * counts.shape[1])
    np.add.at(result, tuple(counts.T), probabilities)
    return result


def class_rates(short, graph, of=None):
    """The service rate of each class in each line, shape (lines, classes), server by server."""
    of, result = np.arange(short.kinds) if of is None else of, []
    for jobs in short.jobs:
        work = at_work(graph, of[jobs]) @ np.array(graph.capacities)
        result.append(((of[jobs][:, :, None] == np.arange(graph.classes)) * work[:, :, None]).sum(axis=1))
    return np.concatenate(result)
