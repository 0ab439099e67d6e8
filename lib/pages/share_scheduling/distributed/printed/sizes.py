"""Job sizes of `thesis`, Section 6.7.6: the Pareto law as printed and as corrected, and integrals over it."""

import math

import numpy as np
from scipy.integrate import quad


def printed(t, a, b):
    """(6.2) as printed."""
    return 1 - a * t**b


def corrected(t, a, b):
    """(6.2) with the other sign of the exponent."""
    return 1 - tail(t, a, b)


def tail(t, a, b):
    """What the corrected (6.2) takes from 1; as a difference it would lose its digits far out."""
    return a * t**-b


def random_laws(number, least=1.05, most=1.25, seed=602):
    """Pairs (a, b): a from 0.05 to 5, b in a range."""
    rng = np.random.default_rng(seed)
    return [(float(rng.uniform(0.05, 5)), float(rng.uniform(least, most))) for _ in range(number)]


def tail_integral(a, b, power, until):
    """The integral of t^power times the tail of the corrected (6.2) from 0 to a place, by quadrature in log t.

    Parameters
    ----------
    a, b : float
    power : int
    until : float
        Above the least size.

    Returns
    -------
    float
    """
    least = a ** (1 / b)
    ends = np.linspace(math.log(least), math.log(until), 9)
    parts = (
        quad(lambda x: math.exp((power + 1) * x) * tail(math.exp(x), a, b), low, high)[0]
        for low, high in zip(ends, ends[1:])
    )
    return least ** (power + 1) / (power + 1) + math.fsum(parts)
