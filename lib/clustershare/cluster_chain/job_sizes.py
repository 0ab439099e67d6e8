"""The job-size distributions of `ctmc` Section 5.1: dictionaries from size to probability."""

from __future__ import annotations

import math

from clustershare.arguments import integer, number

LARGEST = 10**6  # number of servers of a job
LEAST_SPREAD = 1e-100  # the squares of so many spreads are floats


def _normalised(weights):
    total = math.fsum(weights.values())
    return {size: weight / total for size, weight in weights.items()}


def uniform_sizes(largest: int) -> dict[int, float]:
    """Sizes 1 ... `largest`, all equally likely (`ctmc` Section 5.1).

    Parameters
    ----------
    largest : int
        The largest size T, in servers.

    Returns
    -------
    dict
        Size to probability.

    Examples
    --------
    >>> uniform_sizes(4)
    {1: 0.25, 2: 0.25, 3: 0.25, 4: 0.25}
    """
    return _normalised(dict.fromkeys(range(1, integer("largest", largest, 1, LARGEST) + 1), 1.0))


def normal_sizes(largest: int, spread: float | None = None) -> dict[int, float]:
    """Sizes 1 ... `largest` weighted by a normal density centred at (largest + 1) / 2 (`ctmc` Section 5.1).

    Parameters
    ----------
    largest : int
        The largest size T, in servers.
    spread : float, optional
        The parameter sigma of the density, at least 1e-100, by default a quarter of its centre. The standard deviation
        of the sizes differs from it, because they are integers and bounded.

    Returns
    -------
    dict
        Size to probability.

    Examples
    --------
    >>> sizes = normal_sizes(15, 8)
    >>> round(sum(size * probability for size, probability in sizes.items()), 9)
    8.0
    >>> round(sum((size - 8) ** 2 * probability for size, probability in sizes.items()) ** 0.5, 3)
    4.075
    """
    centre = (integer("largest", largest, 1, LARGEST) + 1) / 2
    spread = centre / 4 if spread is None else number("spread", spread, LEAST_SPREAD)
    squares = {size: ((size - centre) / spread) ** 2 for size in range(1, largest + 1)}
    nearest = min(squares.values())  # taken off, so that a small spread does not underflow everywhere
    return _normalised({size: math.exp((nearest - square) / 2) for size, square in squares.items()})


def harmonic_sizes(largest: int, exponent: float = 1.5) -> dict[int, float]:
    """Sizes 1 ... `largest` with probabilities proportional to size**-exponent (`ctmc` Section 5.1).

    Parameters
    ----------
    largest : int
        The largest size T, in servers.
    exponent : float
        The source's 1.5 unless given.

    Returns
    -------
    dict
        Size to probability.

    Examples
    --------
    >>> round(sum(size * probability for size, probability in harmonic_sizes(16).items()), 4)
    3.1433
    """
    sizes = range(1, integer("largest", largest, 1, LARGEST) + 1)
    exponent = number("exponent", exponent, 0)
    return _normalised({size: size**-exponent for size in sizes})
