"""The library's answers for short lines: the measure (1), and the chain of the algorithm for any interruptions."""

import numpy as np

from clustershare import markov
from clustershare.multiserver import interrupted_queue, stationary_measure
from clustershare.multiserver.chain import ordered_chain
from pages.balanced_fairness.witnesses.lines import lines


def measure_of_lines(graph, rates, most):
    """The measure (1) of all lines of at most so many jobs: a dictionary, in the order of `lines`."""
    queues = (c for jobs in lines(graph.classes, most).jobs for c in jobs.tolist())
    return {tuple(c): stationary_measure(graph, rates, c) for c in queues}


class AlgorithmChain:
    """The chain of the line, cut at so many jobs: its rates are linear in m, and so two chains of the library are all.

    Examples
    --------
    >>> from clustershare.multiserver import CompatibilityGraph
    >>> from clustershare.sizes import Exponential
    >>> chain = AlgorithmChain(CompatibilityGraph([{0}], [1.0]), [0.5], Exponential(), 2)
    >>> chain.jobs(3.0).round(6)
    array([0.571429])
    """

    def __init__(self, graph, rates, size, most):
        self.states, once, _ = ordered_chain(graph, rates, size, 1, most)
        states, twice, _ = ordered_chain(graph, rates, size, 2, most)
        assert states == self.states
        self.once, self.more = once, twice - once
        self.counts = np.array([np.bincount([job[0] for job in line], minlength=graph.classes) for line in self.states])

    def lines(self, m):
        """The law of the line."""
        Q = self.once + (m - 1) * self.more
        return markov.gth(Q) if len(self.states) < 60 else markov.stationary(Q)

    def jobs(self, m):
        """Mean numbers of jobs."""
        return self.lines(m) @ self.counts

    def numbers(self, m):
        """The law of the numbers of jobs: a dictionary."""
        result = {}
        for x, value in zip(map(tuple, self.counts.tolist()), self.lines(m)):
            result[x] = result.get(x, 0.0) + value
        return result


def off_the_queue(graph, rates, size, numbers, most):
    """How far the library's mean numbers, with so many interruptions of a job, are from those of the same chain."""
    chain = AlgorithmChain(graph, rates, size, most)
    found = ((interrupted_queue(graph, rates, size, m, most).mean_jobs, chain.jobs(m)) for m in numbers)
    return max(np.abs(one / other - 1).max() for one, other in found)
