"""Sparse continuous-time Markov chains: build a generator, solve it, and say how well it is solved."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from numpy.typing import ArrayLike

from clustershare.arguments import fail, floats
from clustershare.typing import FloatArray, Matrix, Sparse


def generator(states: int, rows: ArrayLike, columns: ArrayLike, rates: ArrayLike) -> Sparse:
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

    Raises
    ------
    ValueError
        If a rate is not finite or below 0.

    Examples
    --------
    >>> generator(2, [0, 1], [1, 0], [2.0, 3.0]).toarray()
    array([[-2.,  2.],
           [ 3., -3.]])
    """
    rates = floats("rates", rates, "finite and at least 0")
    if rates.size and not (np.isfinite(rates).all() and (rates >= 0).all()):
        fail("rates", rates[~(np.isfinite(rates) & (rates >= 0))][0], "finite and at least 0")
    rows, columns = np.asarray(rows), np.asarray(columns)
    keep = (rows != columns) & (rates > 0)
    off_diagonal = sp.csr_array((rates[keep], (rows[keep], columns[keep])), shape=(states, states))
    off_diagonal.sum_duplicates()
    return sp.csr_array(off_diagonal - sp.diags_array(off_diagonal.sum(axis=1)))


def explore(
    start: Hashable, transitions: Callable[..., Any], most_states: int = 1_000_000
) -> tuple[list[Any], FloatArray, FloatArray, FloatArray]:
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


def residual(probabilities: FloatArray, Q: Sparse) -> float:
    """The 1-norm of the probabilities times the generator: 0 for the stationary distribution.

    Parameters
    ----------
    probabilities : ndarray, shape (states,)
    Q : sparse, shape (states, states)
        Generator.

    Returns
    -------
    float
        In the unit of the rates.

    Examples
    --------
    >>> residual(np.array([0.5, 0.5]), generator(2, [0, 1], [1, 0], [2.0, 3.0]))
    1.0
    """
    return float(np.abs(probabilities @ Q).sum())


def gth(Q: Matrix | Sparse) -> FloatArray:
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

    Raises
    ------
    ValueError
        If the chain is not irreducible.

    Examples
    --------
    >>> gth([[-2.0, 2.0], [3.0, -3.0]])
    array([0.6, 0.4])
    """
    rates = floats("Q", Q.toarray() if sp.issparse(Q) else Q, "a matrix of numbers")  # type: ignore[union-attr]
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


def stationary(Q: Sparse, tolerance: float = 1e-12) -> FloatArray:
    """The stationary distribution of an irreducible chain by sparse elimination with refinement.

    Suited to lattices of two or three dimensions and up to some hundred thousand states; a chain with more structure
    deserves its own solver (see `cluster_chain`).

    Parameters
    ----------
    Q : sparse, shape (states, states)
        Generator. The first state is better a likely one, as that is from which `explore` starts: the others are found
        relative to it.
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
    # The first state's probability is set to 1 and its balance equation dropped: the others follow.
    transposed = sp.csc_array(Q.T)
    block, right = sp.csc_array(transposed[1:, 1:]), -transposed[1:, [0]].toarray().ravel()
    with warnings.catch_warnings():
        warnings.simplefilter("error", spla.MatrixRankWarning)
        try:
            factors = spla.splu(block, permc_spec="COLAMD")
            unknown = factors.solve(right)
            for _ in range(2):
                unknown += factors.solve(right - block @ unknown)
        except (RuntimeError, spla.MatrixRankWarning):
            raise ArithmeticError("The chain is not irreducible: its balance equations are singular.") from None
    result = np.append(1.0, unknown)
    result /= result.sum()
    scale = max(1.0, float(np.abs(Q.diagonal()).max()))
    if not np.isfinite(result).all() or residual(result, Q) > tolerance * scale or result.min() < -tolerance:
        raise ArithmeticError(f"The chain was not solved: residual {residual(result, Q):.1e}.")
    return np.maximum(result, 0.0)


def iterate(Q: Sparse, guess: FloatArray, tolerance: float = 1e-12) -> FloatArray:
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
        If the tolerance is not reached, as for a chain that is not irreducible.

    Examples
    --------
    >>> iterate(generator(2, [0, 1], [1, 0], [2.0, 3.0]), np.ones(2)).round(12)
    array([0.6, 0.4])
    """
    transposed = sp.csr_array(Q.T)
    diagonal = transposed.diagonal()
    scale = max(1.0, float(np.abs(diagonal).max()))
    try:  # the factors of a triangle are itself
        forth, back = (
            spla.splu(sp.csc_array(triangle(transposed)), permc_spec="NATURAL", diag_pivot_thresh=0.0)
            for triangle in (sp.tril, sp.triu)
        )
    except RuntimeError:
        raise ArithmeticError("The chain is not irreducible: a state is never left.") from None

    def sweeps(right):
        return back.solve(diagonal * forth.solve(right))

    result = guess / guess.sum()
    for _ in range(5):  # each round begins at what the last one left
        # The system is singular and consistent: any solution, normalised, is the law.
        goal = 1e-3 * tolerance * scale
        result += sweeps(bicgstab(lambda vector: transposed @ sweeps(vector), -(transposed @ result), goal, 400))
        result /= result.sum()
        if np.isfinite(result).all() and residual(result, Q) <= 0.1 * tolerance * scale:
            break
    if not residual(result, Q) <= tolerance * scale or result.min() < -tolerance:
        raise ArithmeticError(f"The chain was not solved: residual {residual(result, Q):.1e}.")
    return np.maximum(result, 0.0)


def bicgstab(operator: Callable[..., Any], right: FloatArray, goal: float, most: int) -> FloatArray:
    """A vector that a linear operator takes to another one, by the BiCGSTAB of van der Vorst (1992).

    SciPy's is not used: it forms its inner products by BLAS, whose threads wait for each other on a busy machine, and
    with whose number the last bits change. It also asks for a 2-norm, where the error of a law is a 1-norm.

    Parameters
    ----------
    operator : callable
        Takes an ndarray to its image.
    right : ndarray, shape (n,)
    goal : float
        The 1-norm of what may be left of `right`.
    most : int
        Steps, of two images each.

    Returns
    -------
    ndarray, shape (n,)
        Less good than the goal after `most` steps, or where the recurrence breaks down: start it again from there.

    Examples
    --------
    >>> matrix = np.array([[2.0, 1.0], [0.0, 4.0]])
    >>> bicgstab(lambda vector: (matrix * vector).sum(axis=1), np.array([5.0, 8.0]), 1e-12, 9).round(9)
    array([1.5, 2. ])
    """
    result, direction, image = np.zeros_like(right), np.zeros_like(right), np.zeros_like(right)
    rest, shadow = right, right
    product = alpha = omega = 1.0
    for _ in range(most):
        previous, product = product, _dot(shadow, rest)
        direction = rest + product / previous * alpha / omega * (direction - omega * image)
        image = operator(direction)
        along = _dot(shadow, image)
        if product == 0 or along == 0:
            break
        alpha = product / along
        rest = rest - alpha * image
        result += alpha * direction
        if np.abs(rest).sum() <= goal:
            break
        change = operator(rest)
        length = _dot(change, change)
        omega = _dot(change, rest) / length if length else 0.0
        if omega == 0:
            break
        result += omega * rest
        rest = rest - omega * change
        if np.abs(rest).sum() <= goal:
            break
    return result


def _dot(left, right):
    """The inner product without BLAS."""
    return float((left * right).sum())
