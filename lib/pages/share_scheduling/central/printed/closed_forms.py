"""Formulas (5.2), (5.3) and (5.7) of `thesis`, term by term, as printed and as corrected; and random systems for them.

They work on floats, decimal numbers and exact fractions alike, and use no formula of the library.
"""

import decimal
import functools
import math
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

DIGITS = 60
LEFT = 1e-14  # sums without end are summed until less is left


class Group(NamedTuple):
    """A group with its share of a system: r_g, rho_g*, rho and P."""

    share: object
    own: object
    load: object
    processors: int

    @property
    def whole(self):
        """kappa_g (5.6); what is a whole number but for rounding counts as whole."""
        return math.floor(Fraction(self.share) * self.processors + Fraction(1, 10**9))

    def precise(self):
        """The same system in numbers of so many digits that the last form may take sums from one another."""
        return Group(*map(Decimal, self[:3]), self.processors)


def terms(numbers, load, P, printed=False):
    """The factors of P[N = 0] in (5.2)."""
    base = load if printed else P
    few = numbers <= P
    return np.exp(
        np.where(few, numbers, P) * np.log(base) + numbers * np.log(load) - gammaln(np.where(few, numbers, P) + 1)
    )


def enough(load, P):
    """Numbers of jobs beyond which less than `LEFT` is left, far beyond."""
    return np.arange(P + 2 + math.ceil(math.log(LEFT * (1 - load) / 100) / math.log(load)))


def law(load, P, printed=False):
    """(5.2), divided by its sum."""
    found = terms(enough(load, P), load, P, printed)
    return found / found.sum()


def birth_and_death(load, P):
    """The same law from the rates up and down: arrivals at rate rho, min(n, P) / P out of n jobs leave."""
    up = np.log(load * P / np.minimum(enough(load, P)[1:], P))
    found = np.append(0.0, np.cumsum(up))
    found = np.exp(found - found.max())
    return found / found.sum()


def none(load, P, power=1):
    """P[N = 0] by (5.3); the control has another power of rho in the last part."""
    one = load / load
    few = sum((one * P) ** n * load**n / math.factorial(n) for n in range(P + 1))
    return 1 / (few + (one * P) ** P * load ** (P + power) / math.factorial(P) / (1 - load))


def first_form(group):
    """E[f_g] by the first line of (5.7), with (5.4) and the corrected (5.2)."""
    r, own, load, P = group
    part, expected = own / load, 0.0
    binomial = np.ones(1)
    share = np.minimum(float(r), np.arange(len(enough(float(load), P)) + 1) / P)
    for n, probability in enumerate(law(float(load), P)):
        expected += probability * float(share[: n + 1] @ binomial)
        binomial = np.append(binomial * float(1 - part), 0.0) + np.append(0.0, binomial * float(part))
    return expected


def _head(group):
    """The double sum over n up to P that the second and the last form share, without p_0."""
    r, own, load, P = group
    one = load / load
    return sum(
        (one * P) ** n / math.factorial(n) * (r - one * m / P) * math.comb(n, m) * own**m * (load - own) ** (n - m)
        for n in range(P + 1) for m in range(min(n, group.whole) + 1)
    )  # fmt: skip


def second_form(group):
    """E[f_g] by the second form of (5.7): the complement, with the tail apart, as floats."""
    r, own, load, P = group
    other, n = load - own, np.arange(P + 1, P + 2 + len(enough(load, P)) + 40 * P)
    tail = sum(
        (r - m / P) * (own / other) ** m
        * np.exp(gammaln(n + 1) - gammaln(n - m + 1) - gammaln(m + 1) + n * math.log(other)).sum()
        for m in range(group.whole + 1)
    )  # fmt: skip
    return r - none(load, P) * (_head(group) + P**P / math.factorial(P) * tail)


def last_form(group, printed=False):
    """E[f_g] by the last form of (5.7); what is raised to the power m has a factor too many as printed."""
    r, own, load, P = group
    one, other = load / load, load - own
    base = own / (other * (1 - other)) if printed else own / (1 - other)
    sums = sum((r - one * m / P) * base**m for m in range(group.whole + 1)) / (1 - other)
    taken = sum(
        (r - one * m / P) * math.comb(n, m) * own**m * other ** (n - m)
        for m in range(group.whole + 1) for n in range(m, P + 1)
    )  # fmt: skip
    return r - none(load, P) * (_head(group) + (one * P) ** P / math.factorial(P) * (sums - taken))


def number_of_terms(group):
    """How many terms the last form adds up, with those of (5.3)."""
    _, _, _, P = group
    head = sum(min(n, group.whole) + 1 for n in range(P + 1))
    return head + group.whole + 1 + sum(P - m + 1 for m in range(group.whole + 1)) + P + 2


@functools.cache
def systems(number=300, seed=5007):
    """Random groups: up to 20 processors, loads to 0.95; a third of them require a whole number of processors."""
    rng, found = np.random.default_rng(seed), []
    for k in range(number):
        P, load, part = int(rng.integers(1, 21)), float(rng.uniform(0.05, 0.95)), float(rng.uniform(0.05, 0.95))
        share = float(rng.uniform(0.02, 0.98))
        if k % 3 == 0 and P > 1:
            share = int(rng.integers(1, P)) / P
        found.append(Group(share, load * part, load, P))
    return found


@functools.cache
def last_forms(printed=False):
    """`last_form` of all `systems`."""
    with decimal.localcontext(prec=DIGITS):
        return np.array([float(last_form(group.precise(), printed)) for group in systems()])


@functools.cache
def first_forms():
    """`first_form` of all `systems`."""
    return np.array([first_form(group) for group in systems()])
