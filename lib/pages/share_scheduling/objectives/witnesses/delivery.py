"""Witnesses for what can be delivered (`thesis`, Sections 2.3 and 2.4): by counting, and by schedules that are played.

With free migration sets of jobs obtain at most what as many of the fastest processors are (2.10), and any shares within
these bounds can be had; the same then holds for sets of groups. Without migration groups and processors are a network,
in which all targets flow if and only if no set of groups wants more than the processors where its jobs stand (Hall).
Weights are played: split into times in which each job has one processor at most.
"""

import itertools

import numpy as np
from scipy.optimize import linear_sum_assignment, linprog

from clustershare.delivery import deliver
from clustershare.shares import maximum_feasible_group_share
from pages.share_scheduling.objectives.complications import members

EXACT = 1e-9  # up to which shares count as equal


def _subsets(count):
    """The subsets of range(count) that are not empty."""
    return [s for size in range(1, count + 1) for s in itertools.combinations(range(count), size)]


def fits_with_migration(targets, jobs, capacities):
    """Whether all groups can have their targets at once if jobs migrate freely.

    Parameters
    ----------
    targets : sequence of float
        Shares, one a group.
    jobs : sequence of int
        Of each group.
    capacities : sequence of float
        Of the processors, in descending order.

    Returns
    -------
    bool

    Examples
    --------
    >>> fits_with_migration([0.4, 0.4, 0.2], [1, 1, 1], [2, 1, 1])  # Section 2.4.3, case 2
    False
    """
    subsets = np.array(list(itertools.product((0, 1), repeat=len(jobs))))
    wanted, present = subsets @ np.array(targets), subsets @ np.array(jobs)
    most = np.append(0.0, np.cumsum(capacities))[np.minimum(present, len(capacities))] / np.sum(capacities)
    return bool((wanted <= most + EXACT).all())


def fits_on(targets, sets, fractions):
    """Whether all groups can have their targets where their jobs stand.

    Parameters
    ----------
    targets : sequence of float
        Shares, one a group.
    sets : sequence of int or of ndarray
        For each group the processors where it has jobs, as bits; arrays of one shape for many placements.
    fractions : sequence of float
        Of the total capacity, one a processor.

    Returns
    -------
    ndarray of bool

    Examples
    --------
    >>> bool(fits_on([0.5, 0.5], [0b01, 0b11], [0.5, 0.5])), bool(fits_on([0.5, 0.5], [0b01, 0b01], [0.5, 0.5]))
    (True, False)
    """
    size = (np.arange(2 ** len(fractions))[:, None] >> np.arange(len(fractions)) & 1) @ np.asarray(fractions)
    fits = np.True_
    for subset in _subsets(len(targets)):
        union = 0
        for group in subset:
            union = union | np.asarray(sets[group])
        fits = fits & (sum(targets[group] for group in subset) <= size[union] + EXACT)
    return fits


def fits_without_migration(targets, jobs, capacities):
    """Whether some placement delivers the targets; all are tried, jobs of a group on as many processors as can be.

    Parameters
    ----------
    targets, jobs, capacities
        As for `fits_with_migration`.

    Returns
    -------
    bool

    Examples
    --------
    >>> fits_without_migration([0.375, 0.375, 0.25], [1, 1, 1], [2, 1, 1])  # Section 2.4.3, case 3
    False
    """
    processors = len(capacities)
    fractions = np.array(capacities) / np.sum(capacities)
    options = [[mask for mask in range(2**processors) if mask.bit_count() == min(n, processors)] for n in jobs]
    return bool(fits_on(targets, np.meshgrid(*options, indexing="ij"), fractions).any())


def played(weights, capacities):
    """The work that each job gets in a unit of time from a schedule with these fractions of time (2.17)-(2.19).

    The weights are filled up to a doubly stochastic matrix and split into permutations (Birkhoff), one after another.

    Parameters
    ----------
    weights : array_like, shape (jobs, processors)
    capacities : sequence of float

    Returns
    -------
    ndarray, shape (jobs,)

    Raises
    ------
    ArithmeticError
        If they cannot be split, as when they break (2.18) or (2.19).

    Examples
    --------
    >>> played([[0.5, 0.5], [0.5, 0.5]], [2, 1])
    array([1.5, 1.5])
    """
    weights = np.clip(np.array(weights, dtype=float), 0, None)
    jobs, processors = weights.shape
    rest = np.block([[weights, np.diag(1 - weights.sum(axis=1))], [np.diag(1 - weights.sum(axis=0)), weights.T]])
    if rest.min() < -EXACT:
        raise ArithmeticError("A job on two processors, or a processor with two jobs, at once.")
    work, elapsed = np.zeros(jobs), 0.0
    while elapsed < 1 - 1e-12:
        rows, columns = linear_sum_assignment(-(rest > 1e-13).astype(float))
        spent = min(rest[rows, columns].min(), 1 - elapsed)
        if spent <= 1e-13:
            if 1 - elapsed > EXACT:
                raise ArithmeticError(f"No schedule for the last {1 - elapsed:.2g} of the time.")
            break
        rest[rows, columns] -= spent
        elapsed += spent
        served = (rows < jobs) & (columns < processors)
        work[rows[served]] += spent * np.array(capacities)[columns[served]]
    return work


def most_by_program(own, others, capacities, parallel=False):
    """The most that some jobs can obtain while others are present, by a linear program over (2.17)-(2.19).

    With `parallel` several processors may serve a job at once: (2.19) is dropped.
    """
    jobs, processors = own + others, len(capacities)
    if not own:
        return 0.0
    shares = np.array(capacities) / np.sum(capacities)
    rows = np.kron(np.ones(jobs), np.eye(processors))
    if not parallel:
        rows = np.vstack([rows, np.kron(np.eye(jobs), np.ones(processors))])
    cost = -np.append(np.tile(shares, own), np.zeros(others * processors))
    return -linprog(cost, A_ub=rows, b_ub=np.ones(len(rows)), bounds=(0, 1), method="highs").fun


def delivered(targets, jobs, capacities):
    """Whether the library's program delivers the targets with migration, and its weights do so when played."""
    found = deliver(targets, members(jobs), capacities)
    if found.margin < -EXACT or not sum(jobs):
        return found.margin >= -EXACT
    shares = played(found.weights, capacities) / np.sum(capacities)
    return bool((np.bincount(members(jobs), shares, len(jobs)) >= np.array(targets) - EXACT).all())


def cases_in(required, jobs, speeds, migration):
    """Which of the four cases arise with these jobs, by counting.

    Case 4: they fit, and they do not where they may be left after departures. Jobs of each group on all processors
    fit; so any placement may be left, the worst of which is all jobs on the slowest processor.
    """
    wanted = maximum_feasible_group_share(required, jobs, speeds)
    together = fits_with_migration(wanted, jobs, speeds)
    found = {1} if (wanted < np.array(required) - EXACT).any() else set()
    if not together:
        found.add(2)
    elif not migration:
        slowest = [1 << len(speeds) - 1 if n else 0 for n in jobs]
        if not fits_without_migration(wanted, jobs, speeds):
            found.add(3)
        elif not fits_on(wanted, slowest, np.array(speeds) / np.sum(speeds)):
            found.add(4)
    return found
