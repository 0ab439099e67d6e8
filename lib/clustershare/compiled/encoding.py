"""Distributions of `clustershare.sizes` as `laws.draw` takes them."""

import functools

import numpy as np

from clustershare.arguments import fail
from clustershare.compiled.arguments import law as check_law
from clustershare.compiled.choice import alias_table
from clustershare.compiled.laws import ALIKE, CELLS, CONSTANT, LOGNORMAL, MIXTURE, POWER, WEIBULL
from clustershare.sizes import Deterministic, Empirical, Exponential, Gamma, JobSize, LogNormal, Pareto, Weibull


def encode(*sizes):
    """Several laws as one table.

    Parameters
    ----------
    *sizes : clustershare.sizes.JobSize

    Returns
    -------
    ndarray, shape (laws, components, 4)
        Each component of a law is its number of exponential phases (`laws.CONSTANT` or `laws.POWER` in place of it for
        another law), the mean of a phase (or the constant, or the smallest value), its probability, and the exponent
        of a power. Components beyond those of a law have probability 0. Where one is of another kind, the table has
        two dimensions: see `laws.draw_other`.

    Raises
    ------
    ValueError
        If an argument is no distribution of `clustershare.sizes`, or one of one's own that is not as it claims.

    Examples
    --------
    >>> from clustershare.sizes import bimodal_hyperexponential
    >>> encode(Pareto(3.0, 2.0), bimodal_hyperexponential()).round(3)
    array([[[-1.   ,  1.5  ,  1.   , -0.5  ],
            [ 0.   ,  0.   ,  0.   ,  0.   ]],
    <BLANKLINE>
           [[ 1.   ,  5.   ,  0.167,  0.   ],
            [ 1.   ,  0.2  ,  0.833,  0.   ]]])
    """
    if tabled(sizes):
        return _in_two_dimensions(sizes)
    components = [_components(size) for size in sizes]
    result = np.zeros((len(sizes), max(map(len, components)), 4))
    for law, found in zip(result, components, strict=True):
        law[: len(found)] = found
    return result


def tabled(sizes):
    """Whether one of several laws is of those that `laws.draw_other` draws from."""
    return any(isinstance(size, (Empirical, Weibull, LogNormal, Gamma)) for size in sizes)


def _in_two_dimensions(sizes):
    heads, parts, begins = {}, [], len(sizes)
    for size in sizes:
        if id(size) not in heads:  # one law of several groups is there once
            kind, count, rows = _rows(size)
            heads[id(size)] = kind, begins, count
            parts.append(rows)
            begins += len(rows)
    return np.vstack([np.array([heads[id(size)] for size in sizes], dtype=float), *parts])


def _rows(size):
    check_law("sizes", size)
    if isinstance(size, Empirical):
        return _of_data(size)
    if isinstance(size, Weibull):
        found = [(WEIBULL, size.scale, 1 / size.shape)]
    elif isinstance(size, LogNormal):
        found = [(LOGNORMAL, size.median, size.sigma)]
    elif isinstance(size, Gamma):
        found = [(size.shape, size.mean / size.shape, 1)]
    else:
        found = [component[:3] for component in _components(size)]
        if isinstance(size, Pareto):
            found = [(POWER, size.minimum, -1 / size.exponent)]
    return MIXTURE, len(found), found


@functools.lru_cache(maxsize=4)  # of many values they take longer than a short run
def _of_data(size):
    repeats = size.weights / size.weights.min()  # how often each value stands in a list from which all are drawn alike
    whole = np.rint(repeats).astype(np.int64)
    if np.abs(repeats - whole).max() < 1e-9 and whole.sum() <= 3 * len(whole):
        values = np.repeat(size.values, whole)
        return ALIKE, len(values), np.append(values, np.zeros(-len(values) % 3)).reshape(-1, 3)
    thresholds, indices = alias_table(size.weights)
    return CELLS, len(thresholds), np.stack([thresholds, size.values, size.values[indices[1::2]]], axis=1)


def _components(size):
    check_law("sizes", size)
    if isinstance(size, Deterministic):
        return [(CONSTANT, size.value, 1, 0)]
    if isinstance(size, Pareto):
        return [(POWER, size.minimum, 1, -1 / size.exponent)]
    return [(*component, 0) for component in zip(*size.erlang_mixture(), strict=True)]


def of_mean_1(name, size, *, also=""):
    """A distribution whose scale is given by a rate: exponential if None, and of mean 1.

    Parameters
    ----------
    name : str
        What the argument is called, for the sentence.
    size : clustershare.sizes.JobSize or None
    also : str
        What else the sentence is to allow.

    Returns
    -------
    clustershare.sizes.JobSize

    Raises
    ------
    ValueError
        If it is no distribution, is not as it claims, or its mean is not 1 within 1e-9.

    Examples
    --------
    >>> of_mean_1("service", Deterministic(2.0))
    Traceback (most recent call last):
    ...
    ValueError: service must be None or a distribution of clustershare.sizes with mean 1, which the rates scale; got \
Deterministic(value=2.0).
    """
    size = Exponential() if size is None else size
    if isinstance(size, JobSize):
        check_law(name, size)
    if not isinstance(size, JobSize) or abs(size.mean - 1) > 1e-9:
        fail(name, size, f"None or a distribution of clustershare.sizes with mean 1, which the rates scale{also}")
    return size
