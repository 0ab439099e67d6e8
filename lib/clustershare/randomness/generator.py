"""The DEMOS generator, and the one that seeds it (`thesis`, Appendix A).

Both are multiplicative: the next state is a constant times the last one, modulo a prime.
"""

from __future__ import annotations

import math

import numpy as np

from clustershare.arguments import affordable, fail, integer
from clustershare.typing import FloatArray, IntArray

MODULUS = 67_099_547  # a prime, just below 2**26
FACTORS = (32, 32, 8)  # of the multiplier (A.1)
SEED_FACTORS = (7, 13, 15, 27)  # of the seed generator's (A.4)
MULTIPLIER = math.prod(FACTORS)
SEED_MULTIPLIER = math.prod(SEED_FACTORS)
FIRST_SEED = 907  # Y_0
MOST_NUMBERS = 10**8  # in one array
MOST_CHUNKS = 10**5


def prime_factors(n: int) -> dict[int, int]:
    """The prime factors of an integer of at least 2, each with its multiplicity, by trial division.

    Parameters
    ----------
    n : int

    Returns
    -------
    dict
        Multiplicities by factor.

    Raises
    ------
    ValueError
        If it is no integer of at least 2.

    Examples
    --------
    >>> prime_factors(MODULUS), prime_factors(MODULUS - 1)
    ({67099547: 1}, {2: 1, 33549773: 1})
    """
    rest, result = integer("n", n, 2), dict[int, int]()
    divisor = 2
    while divisor * divisor <= rest:
        while rest % divisor == 0:
            result[divisor] = result.get(divisor, 0) + 1
            rest //= divisor
        divisor += 1
    if rest > 1:
        result[rest] = result.get(rest, 0) + 1
    return result


def multiplicative_order(multiplier: int, modulus: int) -> int:
    """The period of a multiplicative generator: the least power of the multiplier that is 1.

    The order divides ``modulus - 1``. A prime factor is divided out of that as long as the power stays 1.

    Parameters
    ----------
    multiplier : int
        At least 1, below the modulus.
    modulus : int
        A prime.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If the modulus is not a prime or the multiplier out of range.

    Examples
    --------
    >>> multiplicative_order(MULTIPLIER, MODULUS) == MODULUS - 1
    True
    >>> multiplicative_order(2, 7)  # 2, 4, 1
    3
    """
    if prime_factors(modulus) != {modulus: 1}:
        fail("modulus", modulus, "a prime")
    integer("multiplier", multiplier, 1, modulus - 1)
    order = modulus - 1
    for factor in prime_factors(order) if order > 1 else ():
        while order % factor == 0 and pow(multiplier, order // factor, modulus) == 1:
            order //= factor
    return order


def states(start: int, count: int, multiplier: int = MULTIPLIER, modulus: int = MODULUS) -> IntArray:
    """The states after `start`: X_1, ..., X_count of (A.1), by repeated doubling of the run already known.

    Parameters
    ----------
    start : int
        X_0, at least 1 and below the modulus.
    count : int
        How many, at least 1.
    multiplier, modulus : int
        The modulus at most 2**31, so that products are exact.

    Returns
    -------
    ndarray of int64, shape (count,)

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> states(1, 3)
    array([   8192,    9317, 9225317])
    """
    integer("modulus", modulus, 2, 2**31)
    integer("start", start, 1, modulus - 1)
    integer("multiplier", multiplier, 1, modulus - 1)
    result = np.empty(integer("count", count, 1, MOST_NUMBERS), dtype=np.int64)
    result[0] = start * multiplier % modulus
    known = 1
    while known < count:
        more = min(known, count - known)
        ahead = pow(multiplier, known, modulus)
        result[known : known + more] = result[:more] * ahead % modulus
        known += more
    return result


def period_by_running(multiplier: int, modulus: int, start: int = 1, chunk: int = 2**18) -> int:
    """The period of a multiplicative generator, found by running it until `start` comes back.

    Parameters
    ----------
    multiplier, modulus, start
        As for `states`.
    chunk : int
        How many states are looked at in one go, of 100,000 at most.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If an argument is not as for `states`, or the multiplier and the modulus have a common factor: then `start` need
        not come back.

    Examples
    --------
    >>> period_by_running(11, 1009), period_by_running(3, 1009)
    (1008, 168)
    """
    states(start, 1, multiplier, modulus)  # says what is wrong
    integer("chunk", chunk, 1)
    affordable("modulus over chunk", modulus // chunk, MOST_CHUNKS)
    if math.gcd(multiplier, modulus) > 1:
        fail("multiplier", multiplier, f"without a common factor with the modulus, {modulus}")
    gone = 0
    while True:
        # Every chunk follows the last: it begins where that one ended.
        run = states(start * pow(multiplier, gone, modulus) % modulus, min(chunk, modulus), multiplier, modulus)
        back = np.flatnonzero(run == start)
        if len(back):
            return gone + int(back[0]) + 1
        gone += len(run)


def seeds(count: int) -> IntArray:
    """The first `count` seeds Y_1, Y_2, ... of DEMOS (A.4), which start the streams of its random variables.

    Parameters
    ----------
    count : int
        At least 1.

    Returns
    -------
    ndarray of int64, shape (count,)

    Raises
    ------
    ValueError
        If the count is not as above.

    Examples
    --------
    >>> seeds(3).tolist()
    [33427485, 22276755, 46847980]
    """
    return states(FIRST_SEED, count, SEED_MULTIPLIER)


def uniforms(start: int, count: int) -> FloatArray:
    """Uniform numbers X_1 / M, X_2 / M, ... of the stream that starts at the seed `start` (`thesis` (A.1)).

    Parameters
    ----------
    start, count
        As for `states`.

    Returns
    -------
    ndarray, shape (count,)
        In (0, 1).

    Raises
    ------
    ValueError
        If an argument is not as for `states`.

    Examples
    --------
    >>> uniforms(33427485, 2).round(6)
    array([0.070132, 0.519826])
    """
    return states(start, count) / MODULUS
