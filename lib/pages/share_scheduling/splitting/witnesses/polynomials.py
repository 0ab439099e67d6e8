"""Polynomials with rational coefficients, and those of `thesis`, Lemma 4.4: P[N >= n] by the distance from equal loads.

A polynomial is the list of its coefficients, the lowest first.
"""

import functools
from fractions import Fraction

ONE = Fraction(1)


def product(one, other):
    """The product of two polynomials."""
    result = [Fraction(0)] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            result[i + j] += a * b
    return result


def power(base, times):
    """A power of a polynomial."""
    return functools.reduce(product, [base] * times, [ONE])


def total(*polynomials):
    """The sum of polynomials, without zeros at its end."""
    result = [sum(p[i] for p in polynomials if i < len(p)) for i in range(max(map(len, polynomials)))]
    while len(result) > 1 and not result[-1]:
        result.pop()
    return result


def value(polynomial, x):
    """What a polynomial is at x."""
    result = Fraction(0)
    for a in reversed(polynomial):
        result = result * x + a
    return result


def through(x, y):
    """The polynomial of the least degree that is y at some x."""
    terms = []
    for i, at in enumerate(x):
        factors = [[-other / (at - other), 1 / (at - other)] for j, other in enumerate(x) if j != i]
        terms.append(functools.reduce(product, factors, [y[i]]))
    return total(*terms)


@functools.cache
def h(n, load, turned=False):
    """h_n(x), the sum of (rho + x)^{n-i} (rho - x)^i for i = 0, ..., n; turned, with rho - x in both factors."""
    up, down = [load, -ONE if turned else ONE], [load, -ONE]
    return total(*(product(power(up, n - i), power(down, i)) for i in range(n + 1)))


@functools.cache
def tail(n, load):
    """P[N >= n] of two processors by (4.72), as a polynomial of x: their loads are rho + x and rho - x."""
    first, second = [load, ONE], [load, -ONE]
    both = total(*(product(power(first, n - i), power(second, i)) for i in range(1, n + 1)))
    return total(power(first, n), product([1 - load, -ONE], both))


def points(number, load):
    """Distances from equal loads at which both loads are above 0 and below 1."""
    return [min(load, 1 - load) * Fraction(2 * k + 1 - number, number) for k in range(number)]
