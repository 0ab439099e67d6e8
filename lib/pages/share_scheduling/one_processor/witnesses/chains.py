"""Chains of priority queueing, which know none of the formulas of `thesis`, Section 3.3."""

import functools
import math
from typing import NamedTuple

import numpy as np


def preemptive(transient):
    """Who is served: the first group with jobs."""
    served, free = np.zeros(transient.shape), np.ones(transient.shape[1])
    for group, jobs in enumerate(transient):
        served[group] = free * (jobs > 0)
        free = free * (jobs == 0)
    return served


class TwoNumbers(NamedTuple):
    """The law of the numbers of jobs of two groups under PQ, by matrices: its levels are the jobs of group 2.

    Attributes
    ----------
    first : ndarray, shape (phases,)
        The probabilities of n_1 jobs of group 1 and none of group 2.
    ratio : ndarray, shape (phases, phases)
        What takes those with n_2 jobs of group 2 to those with one more.
    """

    first: np.ndarray
    ratio: np.ndarray

    def generating(self, z_1, z_2):
        """The mean of z_1 to the number of group 1 times z_2 to that of group 2."""
        there = np.linalg.solve(np.eye(len(self.first)) - z_2 * self.ratio.T, self.first)
        return float(there @ z_1 ** np.arange(len(there)))

    @property
    def present(self):
        """The probabilities that there are jobs of group 1, and of group 2: ndarray, shape (2,)."""
        return np.array([1 - self.generating(0.0, 1.0), 1 - self.first.sum()])

    @property
    def obtained(self):
        """The obtained shares: group 2 is served while none of group 1 is there."""
        return np.array([self.present[0], self.generating(0.0, 1.0) - self.first[0]])

    def deviations(self, r_1):
        """The group-share deviations by their definition: ndarray, shape (2,)."""
        return self.present - self.obtained / np.array([r_1, 1 - r_1])

    @property
    def job_share_deviations(self):
        """Probabilities that a job is served and another of its group waits: ndarray, shape (2,)."""
        there = np.linalg.solve(np.eye(len(self.first)) - self.ratio.T, self.first)
        return np.array([there[2:].sum(), there[0] - self.first[0] - (self.first @ self.ratio)[0]])


@functools.cache
def two_numbers(rho_1, rho_2, alpha):
    """The chain of the two numbers under PQ; the service rate of group 1 is 1, that of group 2 alpha.

    Arrivals of group 1 are lost where its number would have a probability below 1e-13. One job of group 2 fewer is
    first reached with nobody of group 1 there, which says all that is unknown.

    Examples
    --------
    >>> found = two_numbers(0.5, 0.1, 1.0)
    >>> found.deviations(0.6).round(4), found.obtained.round(9)
    (array([-0.3333,  0.0533]), array([0.5, 0.1]))
    """
    phases = 2 + math.ceil(math.log(1e-13) / math.log(rho_1)) if rho_1 > 0 else 2
    local = np.diag(np.full(phases - 1, rho_1), 1) + np.diag(np.ones(phases - 1), -1)
    arrivals = rho_2 * alpha
    empty = local - np.diag(local.sum(axis=1) + arrivals)
    some = -empty
    some[0, 0] += alpha
    some[:, 0] -= arrivals
    ratio = arrivals * np.linalg.inv(some)
    balance = empty.copy()
    balance[:, 0] += alpha * ratio[:, 0]
    total = np.linalg.solve(np.eye(phases) - ratio, np.ones(phases))
    balance[:, -1] = total  # in place of one balance equation, which follows from the others
    return TwoNumbers(np.linalg.solve(balance.T, np.eye(phases)[-1]), ratio)
