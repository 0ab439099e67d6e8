"""States of a few processors: all of them, and what may be said of each. ``jobs[p][g]`` are those of a group there."""

import functools

import numpy as np


@functools.cache
def every_state(processors, groups, most):
    """All numbers of jobs with so many together at most.

    Parameters
    ----------
    processors, groups, most : int

    Returns
    -------
    list of tuple

    Examples
    --------
    >>> every_state(2, 1, 1)
    [((0,), (0,)), ((0,), (1,)), ((1,), (0,))]
    """
    return [
        tuple(flat[p * groups : (p + 1) * groups] for p in range(processors))
        for flat in _numbers(processors * groups, most)
    ]


def _numbers(length, most):
    return [(n, *rest) for n in range(most + 1) for rest in _numbers(length - 1, most - n)] if length else [()]


def in_system_balance(jobs):
    """Whether the numbers of jobs on any two processors differ by one at most (`thesis`, Definition 5.1)."""
    totals = [sum(row) for row in jobs]
    return max(totals) - min(totals) <= 1


def in_group_balance(jobs):
    """Whether those of each group do (Definition 5.2)."""
    return all(max(own) - min(own) <= 1 for own in zip(*jobs))


def without_loss(jobs):
    """Whether no processor is idle while another has two jobs: the capacity loss is 0."""
    totals = [sum(row) for row in jobs]
    return min(totals) > 0 or max(totals) <= 1


def groups_there(row):
    """How many groups have jobs on a processor."""
    return sum(count > 0 for count in row)


def moved(before, after, g, q):
    """How many jobs moved at an event, the fewest that explain the states; -1 if others came or went.

    Examples
    --------
    >>> moved(((1, 0), (0, 2)), ((0, 1), (0, 1)), 0, 0), moved(((0, 0), (0, 2)), ((1, 0), (0, 2)), 0, None)
    (1, 0)
    """
    change = np.subtract(after, before)
    come = change[:, g].copy()
    if q is not None:
        change[q, g] += 1
        return -1 if change.sum(axis=0).any() else int(change.clip(0).sum())
    if come.sum() != 1 or np.delete(change, g, axis=1).sum(axis=0).any():
        return -1
    return int(change.clip(0).sum()) - 1  # one of them is the job that came
