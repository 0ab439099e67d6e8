"""Distributions of `clustershare.sizes` as `laws.draw` takes them."""

import numpy as np

from clustershare.arguments import fail
from clustershare.compiled.laws import CONSTANT, POWER
from clustershare.sizes import Deterministic, Exponential, JobSize, Pareto


def encode(*sizes):
    """Several laws as arrays, one after the other.

    Parameters
    ----------
    *sizes : clustershare.sizes.JobSize

    Returns
    -------
    starts : ndarray of int, shape (laws + 1,)
        The first component of each law, and the number of components.
    phases : ndarray of int, shape (components,)
        Exponential phases of each component; `laws.CONSTANT` and `laws.POWER` stand for other laws.
    means : ndarray, shape (components,)
        The mean of a phase, the constant, or the smallest value.
    probabilities : ndarray, shape (components,)
        Of a law's components.
    exponents : ndarray, shape (laws,)
        Of the uniform number; 1 where the law has none.

    Raises
    ------
    ValueError
        If an argument is no distribution of `clustershare.sizes`.

    Examples
    --------
    >>> from clustershare.sizes import bimodal_hyperexponential
    >>> for part in encode(Deterministic(2.0), bimodal_hyperexponential(), Pareto(3.0, 2.0)):
    ...     print(part.round(3))
    [0 1 3 4]
    [ 0  1  1 -1]
    [2.  5.  0.2 1.5]
    [1.    0.167 0.833 1.   ]
    [ 1.   1.  -0.5]
    """
    parts, exponents = [], np.ones(len(sizes))
    for which, size in enumerate(sizes):
        if isinstance(size, Deterministic):
            parts.append(([CONSTANT], [size.value], [1.0]))
        elif isinstance(size, Pareto):
            parts.append(([POWER], [size.minimum], [1.0]))
            exponents[which] = -1 / size.exponent
        elif isinstance(size, JobSize):
            parts.append(size.erlang_mixture())
        else:
            fail("sizes", size, "a distribution of clustershare.sizes")
    starts = np.cumsum([0, *(len(phases) for phases, _, _ in parts)])
    phases, means, probabilities = (np.concatenate(part) for part in zip(*parts, strict=True))
    return starts, phases.astype(np.int64), means.astype(float), probabilities, exponents


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
        If it is no distribution, or its mean is not 1 within 1e-9.

    Examples
    --------
    >>> of_mean_1("service", Deterministic(2.0))
    Traceback (most recent call last):
    ...
    ValueError: service must be None or a distribution of clustershare.sizes with mean 1, which the rates scale; got \
Deterministic(value=2.0).
    """
    size = Exponential() if size is None else size
    if not isinstance(size, JobSize) or abs(size.mean - 1) > 1e-9:
        fail(name, size, f"None or a distribution of clustershare.sizes with mean 1, which the rates scale{also}")
    return size
