"""Sparse continuous-time Markov chains: build a generator, solve it, and say how well it is solved."""

import warnings

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from clustershare._jit import kernel
from clustershare.arguments import fail


def generator(states, rows, columns, rates):
    """The generator of a chain from its transitions.

    Parameters
    ----------
    states : int
        Number of states, 0 ... states - 1.
    rows, columns, rates : array_like, shape (transitions,)
        Transition from state `rows[k]` to `columns[k]` at `rates[k]` > 0. Repeated pairs add up; a transition from a
        state to itself is no transition.

    Returns
    -------
    scipy.sparse.csr_array, shape (states, states)
        Off-diagonal rates, and minus the row sums on the diagonal.

    Examples
    --------
    >>> generator(2, [0, 1], [1, 0], [2.0, 3.0]).toarray()
    array([[-2.,  2.],
           [ 3., -3.]])
    """
    rates = np.asarray(rates, dtype=float)
    if rates.size and not (np.isfinite(rates).all() and (rates >= 0).all()):
        fail("rates", rates[~(np.isfinite(rates) & (rates >= 0))][0], "finite and at least 0")
    rows, columns = np.asarray(rows), np.asarray(columns)
    keep = (rows != columns) & (rates > 0)
    off_diagonal = sp.csr_array((rates[keep], (rows[keep], columns[keep])), shape=(states, states))
    off_diagonal.sum_duplicates()
    return sp.csr_array(off_diagonal - sp.diags_array(off_diagonal.sum(axis=1)))


def explore(start, transitions, most_states=1_000_000):
    """The states that can be reached from one, and the transitions between them, as `generator` takes them.

    Parameters
    ----------
    start : hashable
    transitions : callable
        ``transitions(state)`` gives pairs of a state and a rate.
    most_states : int
        More states are answered with an error.

    Returns
    -------
    states : list
        In the order in which they are found, `start` first.
    rows, columns, rates : ndarray, shape (transitions,)
        Those from a state to itself included.

    Raises
    ------
    ValueError
        If there are more states.

    Examples
    --------
    >>> states, *moves = explore("on", lambda state: [("off", 2.0)] if state == "on" else [("on", 3.0)])
    >>> states, generator(len(states), *moves).toarray()
    (['on', 'off'], array([[-2.,  2.],
           [ 3., -3.]]))
    """
    states, index = [start], {start: 0}
    rows, columns, rates = [], [], []
    for row, state in enumerate(states):  # which grows as it is gone through
        for target, rate in transitions(state):
            if target not in index:
                if len(states) >= most_states:
                    fail("most_states", most_states, "at least the number of states that can be reached")
                index[target] = len(states)
                states.append(target)
            rows.append(row)
            columns.append(index[target])
            rates.append(rate)
    return states, np.array(rows), np.array(columns), np.array(rates)


def residual(probabilities, Q):
    """The 1-norm of the probabilities times the generator: 0 for the stationary distribution."""
    return float(np.abs(probabilities @ Q).sum())


def gth(Q):
    """The stationary distribution by the elimination of Grassmann, Taksar and Heyman.

    No subtraction occurs, so every probability is found to nearly full relative accuracy. Dense, of cubic cost: for
    up to some thousand states.

    Parameters
    ----------
    Q : array_like or sparse, shape (states, states)
        Generator of an irreducible chain; the diagonal is not read.

    Returns
    -------
    ndarray, shape (states,)

    Examples
    --------
    >>> gth([[-2.0, 2.0], [3.0, -3.0]])
    array([0.6, 0.4])
    """
    rates = np.array(Q.toarray() if sp.issparse(Q) else Q, dtype=float)
    count = len(rates)
    for last in range(count - 1, 0, -1):
        outflow = rates[last, :last].sum()
        if outflow <= 0:
            fail("Q", f"a chain in which state {last} cannot reach a lower one", "irreducible")
        rates[:last, last] /= outflow
        rates[:last, :last] += np.outer(rates[:last, last], rates[last, :last])
    result = np.zeros(count)
    result[0] = 1
    for state in range(1, count):
        result[state] = result[:state] @ rates[:state, state]
    return result / result.sum()


def stationary(Q, tolerance=1e-12):
    """The stationary distribution of an irreducible chain by sparse elimination with refinement.

    Suited to lattices of two or three dimensions and up to some hundred thousand states; a chain with more structure
    deserves its own solver (see `cluster_chain`).

    Parameters
    ----------
    Q : sparse, shape (states, states)
        Generator.
    tolerance : float
        Largest accepted 1-norm of probabilities times Q, relative to the largest rate.

    Returns
    -------
    ndarray, shape (states,)

    Raises
    ------
    ArithmeticError
        If the tolerance is not reached, as for a chain that is not irreducible.

    Examples
    --------
    >>> stationary(generator(2, [0, 1], [1, 0], [2.0, 3.0])).round(12)
    array([0.6, 0.4])
    """
    states = Q.shape[0]
    if states == 1:
        return np.ones(1)
    # The last state's probability is set to 1 and its balance equation dropped: the others follow.
    transposed = sp.csc_array(Q.T)
    block, right = sp.csc_array(transposed[:-1, :-1]), -transposed[:-1, [-1]].toarray().ravel()
    with warnings.catch_warnings():
        warnings.simplefilter("error", spla.MatrixRankWarning)
        try:
            factors = spla.splu(block, permc_spec="COLAMD")
            unknown = factors.solve(right)
            for _ in range(2):
                unknown += factors.solve(right - block @ unknown)
        except (RuntimeError, spla.MatrixRankWarning):
            raise ArithmeticError("The chain is not irreducible: its balance equations are singular.") from None
    result = np.append(unknown, 1.0)
    result /= result.sum()
    scale = max(1.0, float(np.abs(Q.diagonal()).max()))
    if not np.isfinite(result).all() or residual(result, Q) > tolerance * scale or result.min() < -tolerance:
        raise ArithmeticError(f"The chain was not solved: residual {residual(result, Q):.1e}.")
    return np.maximum(result, 0.0)


def iterate(Q, guess, tolerance=1e-12):
    """The stationary distribution of an irreducible chain by a Krylov method, for lattices of many dimensions.

    BiCGSTAB, preconditioned by a sweep of Gauss and Seidel forth and back. Memory and the cost of a step are
    proportional to the transitions, where elimination fills in.

    Parameters
    ----------
    Q : sparse, shape (states, states)
        Generator.
    guess : ndarray, shape (states,)
        Where to start, such as the law of a similar chain. It need not be normalised.
    tolerance : float
        Largest accepted 1-norm of probabilities times Q, relative to the largest rate.

    Returns
    -------
    ndarray, shape (states,)

    Raises
    ------
    ArithmeticError
        If the tolerance is not reached.

    Examples
    --------
    >>> iterate(generator(2, [0, 1], [1, 0], [2.0, 3.0]), np.ones(2)).round(12)
    array([0.6, 0.4])
    """
    transposed = sp.csr_array(Q.T)
    diagonal = transposed.diagonal()
    scale = max(1.0, float(np.abs(diagonal).max()))
    size = (len(diagonal), len(diagonal))

    def sweeps(right):
        result = np.zeros(len(diagonal))
        for backwards in (False, True):
            _sweep(transposed.indptr, transposed.indices, transposed.data, diagonal, right, result, backwards)
        return result

    preconditioner = spla.LinearOperator(size, sweeps, dtype=float)
    result = guess / guess.sum()
    for _ in range(5):  # each round begins at what the last one left
        # The system is singular and consistent: any solution, normalised, is the law.
        correction, _ = spla.bicgstab(
            transposed, -(transposed @ result), M=preconditioner, rtol=1e-11, atol=1e-17, maxiter=400
        )
        result = result + correction
        result /= result.sum()
        if np.isfinite(result).all() and residual(result, Q) <= 0.1 * tolerance * scale:
            break
    if not residual(result, Q) <= tolerance * scale or result.min() < -tolerance:
        raise ArithmeticError(f"The chain was not solved: residual {residual(result, Q):.1e}.")
    return np.maximum(result, 0.0)


@kernel
def _sweep(starts, columns, values, diagonal, right, x, backwards):
    """One sweep of Gauss and Seidel over the rows of a sparse matrix, into `x`."""
    size = len(diagonal)
    for step in range(size):
        row = size - 1 - step if backwards else step
        total = right[row] + diagonal[row] * x[row]
        for k in range(starts[row], starts[row + 1]):
            total -= values[k] * x[columns[k]]
        x[row] = total / diagonal[row]
