"""How a processor that serves all jobs at once is shared: PS, PPS and GPPS (`thesis`, Sections 3.4 and 3.5).

PS serves all jobs alike. PPS is discriminatory processor sharing (DPS) with the required shares as weights. GPPS is,
for exponential sizes, generalised processor sharing (GPS) with these weights: how a group's share is divided among its
jobs does not matter then; here, equally.
"""

import numpy as np

from clustershare.compiled.jit import kernel

PS, PPS, GPPS = 0, 1, 2


@kernel
def claim(rule, weight, jobs):
    """The claim of a group on the processor: its number of jobs, weighted (PPS), or its weight while it has any (GPPS).

    Parameters
    ----------
    rule : int
        `PS`, `PPS` or `GPPS`.
    weight : float
        Such as the required share.
    jobs : int

    Returns
    -------
    float

    Examples
    --------
    >>> [claim(rule, 0.6, 2) for rule in (PS, PPS, GPPS)]
    [2.0, 1.2, 0.6]
    """
    if jobs == 0:
        return 0.0
    if rule == PS:
        return float(jobs)
    return weight * jobs if rule == PPS else weight


@kernel
def divide(rule, weights, jobs, shares):
    """Fill `shares` with the obtained group shares: in proportion to the claims, and all 0 where nobody is there.

    Parameters
    ----------
    rule : int
        `PS`, `PPS` or `GPPS`.
    weights : ndarray, shape (groups,)
    jobs : ndarray of int, shape (groups,)
    shares : ndarray, shape (groups,)

    Examples
    --------
    >>> shares = np.zeros(2)
    >>> divide(PPS, np.array([0.6, 0.4]), np.array([1, 3]), shares)
    >>> shares.round(9)
    array([0.33333333, 0.66666667])
    """
    total = 0.0
    for group in range(len(jobs)):
        shares[group] = claim(rule, weights[group], jobs[group])
        total += shares[group]
    scale = 1 / total if total > 0 else 0.0
    for group in range(len(jobs)):
        shares[group] *= scale


@kernel
def divide_each(rule, weights, jobs):
    """The obtained group shares in each of many states (see `divide`).

    Parameters
    ----------
    rule : int
        `PS`, `PPS` or `GPPS`.
    weights : ndarray, shape (groups,)
    jobs : ndarray of int, shape (groups, states)

    Returns
    -------
    ndarray, shape (groups, states)

    Examples
    --------
    >>> divide_each(GPPS, np.array([0.6, 0.4]), np.array([[0, 0, 2], [0, 1, 3]]))
    array([[0. , 0. , 0.6],
           [0. , 1. , 0.4]])
    """
    shares = np.zeros(jobs.shape)
    for state in range(jobs.shape[1]):
        divide(rule, weights, jobs[:, state], shares[:, state])
    return shares
