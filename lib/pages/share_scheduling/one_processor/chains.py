"""Chains of priority queueing, which know none of the formulas of `thesis`, Section 3.3."""

import functools

import numpy as np

from clustershare.uniprocessor.chain import distribution
from clustershare.uniprocessor.model import Workload


def preemptive(transient):
    """Who is served: the first group with jobs."""
    served, free = np.zeros(transient.shape), np.ones(transient.shape[1])
    for group, jobs in enumerate(transient):
        served[group] = free * (jobs > 0)
        free = free * (jobs == 0)
    return served


@functools.cache
def chain_law(rho_1, rho_2, alpha):
    """Numbers of jobs and their law under PQ; service rate 1 of group 1."""
    work = Workload("PQ", (0.6, 0.4), (rho_1, rho_2 * alpha), (1.0, alpha), 0)
    return distribution(120, work, preemptive)
