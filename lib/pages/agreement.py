"""What the rooms ``library`` share: how far an answer is off, whether it is refused, and chains by their moves.

The chains here and those of `clustershare.markov` share no code: one is the witness of the other.
"""

import math

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import spsolve

MANY = 600  # states, from which on elimination without a subtraction takes too long


def gap(found, expected, least=1.0):
    """The largest difference of numbers, relative to what is expected where that is above `least`.

    Parameters
    ----------
    found, expected : array_like
    least : float
        What smaller numbers count as; if it is 0, all are relative but for those that are expected to be 0.

    Returns
    -------
    float
        Infinite if the shapes differ, or what is not finite.

    Examples
    --------
    >>> gap([0.5, 3.0], [0.5, 2.0]), gap([1e-9], [0.0], least=0), gap([math.nan, 1], [math.nan, 1])
    (0.5, 1e-09, 0.0)
    >>> gap([math.nan], [1])
    inf
    """
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    if found.shape != expected.shape:
        return math.inf
    there = np.isfinite(expected)
    if not np.array_equal(found[~there], expected[~there], equal_nan=True):
        return math.inf
    sizes = np.abs(expected[there])
    gaps = np.abs(found[there] - expected[there]) / np.where(sizes > least, sizes, least or 1.0)
    return float(np.where(np.isnan(gaps), math.inf, gaps).max(initial=0.0))


def refused(error, function, *arguments, **named):
    """Whether a function refuses its arguments with such an error."""
    try:
        function(*arguments, **named)
    except error:
        return True
    return False


def reached(start, moves):
    """The states that are reached from one, in the order in which they are found, and the rates between their places.

    Parameters
    ----------
    start : hashable
    moves : callable
        Of a state, gives pairs of a rate and the state that it leads to.

    Returns
    -------
    states : list
    rates : scipy.sparse.coo_array, shape (states, states)
        From the state of a row to that of a column.
    """
    place, states, flows = {start: 0}, [start], []
    for row, state in enumerate(states):
        for rate, target in moves(state):
            if target not in place:
                place[target] = len(states)
                states.append(target)
            flows.append((row, place[target], rate))
    sources, targets, rates = zip(*flows) if flows else ((), (), ())
    return states, sparse.coo_array((rates, (sources, targets)), shape=(len(states),) * 2, dtype=float)


def stationary(rates):
    """The law of a chain: by elimination that never subtracts, or of many states by a sparse solve, for fewer digits.

    Parameters
    ----------
    rates : array_like or sparse array, shape (states, states)
        From the state of a row to that of a column; the diagonal counts for nothing.

    Returns
    -------
    ndarray, shape (states,)

    Examples
    --------
    >>> stationary([[0, 1], [3, 0]]).tolist()
    [0.75, 0.25]
    """
    if sparse.issparse(rates) and rates.shape[0] > MANY:
        flow = sparse.csc_array(rates.T)
        flow = sparse.csc_array(flow - sparse.diags_array(np.asarray(flow.sum(axis=0)).ravel()))
        law = np.append(1.0, spsolve(flow[1:, 1:], -flow[1:, [0]].toarray().ravel()))
        return law / law.sum()
    A, law = rates.toarray() if sparse.issparse(rates) else np.array(rates, float), np.ones(1)
    for n in range(len(A) - 1, 0, -1):
        A[:n, n] /= A[n, :n].sum()
        A[:n, :n] += A[:n, n, None] * A[n, :n]
    for n in range(1, len(A)):
        law = np.append(law, law @ A[:n, n])
    return law / law.sum()
