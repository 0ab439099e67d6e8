"""Very many processors: stored points of the dynamic policies at load 0.8, the queueing probability, and rounding."""

import functools
import itertools

import numpy as np

from clustershare import dispatch
from compendium import study
from pages.share_scheduling.central.systems import COMBINATIONS, LOCAL, POLICIES, two_groups

PROCESSORS = (10, 100, 500)
CASES = {1: (0.5, 0.5), 2: (0.25, 0.5), 3: (0.5, 0.75)}  # part of the load that group 1 brings, its share
LEAST = 0.05  # that a group requires
queueing = dispatch.queueing_probability
ODD = 101  # of case 1, where no group has whole processors


@functools.cache
def points(fidelity="book"):
    """The rows of the study: all policies, with migration and without; and SVP on `ODD` processors.

    Returns
    -------
    pandas.DataFrame
        As `compendium.study.run` gives it.
    """
    grid = [
        {"policy": policy, "local": local, "migration": migration, "processors": P, "fraction": part, "share": share}
        for P, (part, share), migration, (policy, local) in itertools.product(
            PROCESSORS, CASES.values(), (False, True), COMBINATIONS
        )
    ]
    grid += [
        {"policy": "SVP", "local": local, "migration": False, "processors": ODD, "fraction": 0.5, "share": 0.5}
        for local in ("PS", "GPPS")
    ]
    return study.run("central-very-many", dispatch.simulate_central, grid, two_groups, fidelity=fidelity)


@functools.cache
def values(quantity="group_share_deviation", fidelity="book"):
    """Estimates and half widths; of the group with the larger one.

    Returns
    -------
    dict
        (processors, case, migration, policy, local): (estimate, half width).
    """
    rows = study.largest_of_groups(points(fidelity), quantity)
    case_of = {setting: case for case, setting in CASES.items()}
    return {
        (row.processors, case_of[row.fraction, row.share], row.migration, row.policy, row.local): (
            row.estimate, row.half_width,
        )
        for row in rows.itertuples()
    }  # fmt: skip


def spread(found):
    """The largest difference of several estimates, and the half width of it."""
    estimates, widths = np.array(found).T
    high, low = estimates.argmax(), estimates.argmin()
    return float(estimates[high] - estimates[low]), float(np.hypot(widths[high], widths[low]))


@functools.cache
def apart(P, case, migration, quantity="group_share_deviation", fidelity="book"):
    """The largest difference that the choice of a policy makes, the other one being the same.

    Parameters
    ----------
    P, case : int
    migration : bool
    quantity, fidelity : str

    Returns
    -------
    dict
        "global", "local": a pair, the difference and its half width.
    """
    found = values(quantity, fidelity)
    choices = {
        "global": [[found[P, case, migration, policy, local] for policy in POLICIES] for local in LOCAL],
        "local": [[found[P, case, migration, policy, local] for local in LOCAL] for policy in POLICIES],
    }
    return {kind: max(map(spread, rows)) for kind, rows in choices.items()}


def rounded(shares, processors):
    """Whole processors for each group: those that the library gives it, and the rest by largest remainders.

    Parameters
    ----------
    shares : ndarray, shape (vectors, groups)
        Each row sums to 1.
    processors : int

    Returns
    -------
    ndarray of int, shape (vectors, groups)

    Examples
    --------
    >>> rounded(np.array([[0.44, 0.36, 0.2]]), 7).tolist()
    [[3, 3, 1]]
    """
    wanted = shares * processors
    whole = np.array([[dispatch.own_processors(share, processors) for share in row] for row in shares])
    left = processors - whole.sum(axis=1)
    order = np.argsort(-(wanted - whole), axis=1, kind="stable")
    ranks = np.argsort(order, axis=1, kind="stable")
    return whole + (ranks < left[:, None])


def random_shares(number, groups, least=LEAST, seed=7019):
    """Vectors of shares, uniform where each is at least so large: ndarray, shape (number, groups)."""
    rng = np.random.default_rng([seed, groups])
    return least + (1 - groups * least) * rng.dirichlet(np.ones(groups), number)
