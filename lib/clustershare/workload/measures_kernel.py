"""What jobs could have used while they were there."""

import numpy as np

from clustershare.compiled.interrupts import stop_if_asked
from clustershare.compiled.jit import kernel


@kernel
def could_use(arrivals, ends, by_end, groups, needs, servers, shares):
    """Integrals over time, from 0 to the last departure.

    Parameters
    ----------
    arrivals, ends : ndarray, shape (jobs,)
    by_end : ndarray of int, shape (jobs,)
        The jobs in the order of their ends.
    groups, needs : ndarray of int, shape (jobs,)
    servers : int
    shares : ndarray, shape (groups,)
        Required shares.

    Returns
    -------
    float, ndarray (groups,), ndarray (groups,), float
        Of the part of the servers that all jobs ask for, as far as there are; the same for each group, as far as its
        required share goes; of whether a group has a job; of whether nobody has.
    """
    count, jobs = len(shares), len(arrivals)
    asked, present, since = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count)
    feasible, there = np.zeros(count), np.zeros(count)
    all_asked, everybody, last, able, empty = 0, 0, 0.0, 0.0, 0.0
    j, k = 0, 0
    while k < jobs:
        stop_if_asked(1)
        leaves = j == jobs or ends[by_end[k]] <= arrivals[j]
        job, by = (by_end[k], -1) if leaves else (j, 1)
        now = ends[job] if leaves else arrivals[job]
        k, j = (k + 1, j) if leaves else (k, j + 1)
        g = groups[job]
        able += min(all_asked / servers, 1.0) * (now - last)
        if everybody == 0:
            empty += now - last
        last = now
        if present[g] > 0:
            feasible[g] += min(asked[g] / servers, shares[g]) * (now - since[g])
            there[g] += now - since[g]
        since[g] = now
        asked[g] += by * needs[job]
        present[g] += by
        all_asked += by * needs[job]
        everybody += by
    return able, feasible, there, empty
