"""The choice of an index in proportion to weights: by going through them, or with one look into a table."""

import numpy as np

from clustershare.compiled.jit import kernel


@kernel
def choose(u, weights):
    """The index in whose weight `u` falls, when the weights lie side by side from 0 on.

    Never one of weight 0, whatever the rounding: the last other one, if `u` is not below the sum of the weights.

    Parameters
    ----------
    u : float
        Uniform between 0 and the sum of the weights.
    weights : ndarray, shape (n,)
        At least 0, not all 0.

    Returns
    -------
    int

    Examples
    --------
    >>> choose(0.7, np.array([0.5, 0.0, 0.5])), choose(1.0, np.array([0.5, 0.5, 0.0]))
    (2, 1)
    """
    k = 0
    while k < len(weights) - 1 and u >= weights[k]:
        u -= weights[k]
        k += 1
    while weights[k] == 0:
        k -= 1
    return k


def alias_table(weights):
    """The tables of Walker's alias method, built as by Vose (1991), from which `alias` draws.

    Parameters
    ----------
    weights : array_like, shape (n,)
        At least 0, not all 0.

    Returns
    -------
    thresholds : ndarray, shape (n,)
        Where in [0, 1] cell k passes from its first to its second index.
    indices : ndarray of uint64, shape (2 n,)
        The two indices of each cell, one after the other; the first is k.

    Examples
    --------
    >>> alias_table([1, 3])
    (array([0.5, 1. ]), array([0, 1, 1, 1], dtype=uint64))
    """
    scaled = np.asarray(weights) * (len(weights) / np.sum(weights))
    thresholds, others = np.ones(len(scaled)), np.arange(len(scaled))
    small = [k for k, weight in enumerate(scaled) if weight < 1]
    large = [k for k, weight in enumerate(scaled) if weight >= 1]
    while small and large:
        poor, rich = small.pop(), large.pop()
        thresholds[poor], others[poor] = scaled[poor], rich
        scaled[rich] -= 1 - scaled[poor]
        (small if scaled[rich] < 1 else large).append(rich)
    return thresholds, np.stack([np.arange(len(others)), others], axis=1).astype(np.uint64).ravel()


@kernel
def alias(u, thresholds, indices):
    """The index that a number between 0 and the number of cells falls on. It branches on nothing drawn.

    Parameters
    ----------
    u : float
        Uniform between 0 and n; n itself, which rounding may bring, counts as the last cell.
    thresholds : ndarray, shape (n,)
    indices : ndarray of uint64, shape (2 n,)
        As `alias_table` makes them.

    Returns
    -------
    uint64

    Examples
    --------
    >>> thresholds, indices = alias_table([1, 3])
    >>> [int(alias(u, thresholds, indices)) for u in (0.4, 0.6, 1.2, 2.0)]
    [0, 1, 1, 1]
    """
    cell = np.int64(min(u, len(thresholds) - 1.0))
    return indices[np.uint64(2 * cell) + np.uint64(u - cell >= thresholds[np.uint64(cell)])]
