"""Claims of `thesis`, Section 6.7.6: the Pareto law, and two words."""

import math

import numpy as np

from clustershare.sizes import Deterministic, Exponential, Pareto
from compendium.press.findings import check, erratum, finding
from pages.share_scheduling.distributed.sizes import corrected, printed, random_laws, tail_integral

EXACT = 1e-12


def _as_pareto(a, b):
    """The library's law with this tail."""
    return Pareto(a ** (1 / b) * b / (b - 1), b)


def _is_pareto(law, a, b, exponent):
    """Whether a printed law rises from 0 and is the library's, by its formula and by what it draws."""
    least = a ** (1 / exponent)
    size, t = _as_pareto(a, exponent), least * np.geomspace(1, 1000, 50)
    found = law(t, a, b)
    rises = abs(found[0]) <= EXACT and (np.diff(found) > 0).all() and found[-1] < 1
    formula = np.abs(found - (1 - (size.minimum / t) ** size.exponent)).max() <= EXACT
    draws = size.sample(np.random.default_rng(602), 100_000)
    counted = np.cumsum(np.bincount(np.searchsorted(t, draws), minlength=len(t) + 1))[:-1] / len(draws)
    return rises and formula and np.abs(counted - found).max() <= 0.01


@check("thesis-6-046", sign=-1)
def law_of_sizes(sign=1):
    """(6.2) as printed and as corrected, for random laws; in the control b is below 0."""
    laws = random_laws(100)
    as_printed = [_is_pareto(printed, a, sign * b, b) for a, b in laws]
    right = [_is_pareto(corrected, a, sign * b, b) for a, b in laws]
    return erratum(
        f"of 100 laws of Pareto sizes the printed form gives {sum(as_printed)}, the corrected one {sum(right)}",
        all(as_printed), all(right),
    )  # fmt: skip


@check("thesis-6-035", a=0.2)
def mean_of_1(a=None):
    """The law with mean 1 and b = 1.25; the control takes another a."""
    b, size = 1.25, Pareto(1.0, 1.25)
    least = (b - 1) / b
    a = least**b if a is None else a
    cut = 1e12
    mean = tail_integral(a, b, 0, cut) + a * cut ** (1 - b) / (b - 1)
    library = size.minimum * b / (b - 1)
    good = abs(size.minimum - least) <= EXACT and abs(size.minimum**b - a) <= EXACT
    return finding(
        f"smallest size {a ** (1 / b):.4f}, a = {a:.4f}, mean {mean:.4f} by quadrature",
        good and abs(mean - 1) <= 1e-6 and abs(library - 1) <= EXACT,
    )


@check("thesis-6-161", b=2.5)
def mean_and_variance(b=None):
    """The mean by quadrature, and how the second moment grows with where it is cut; the control has a light tail."""
    laws = [(a, b) for a, _ in random_laws(50)] if b else [*random_laws(50, seed=661), (0.2**1.25, 1.25)]
    means, ratios = 0.0, 0.0
    for a, exponent in laws:
        expected, cut = a ** (1 / exponent) * exponent / (exponent - 1), 1e8
        mean = tail_integral(a, exponent, 0, cut) + a * cut ** (1 - exponent) / (exponent - 1)
        means = max(means, abs(mean / expected - 1), abs(_as_pareto(a, exponent).mean / expected - 1))
        moments = [tail_integral(a, exponent, 1, T) for T in (1e4, 1e6, 1e8, 1e10)]
        grown = np.divide(moments[1:], moments[:-1]) / 100 ** (2 - exponent)
        ratios = max(ratios, np.abs(grown - 1).max())
    return finding(
        f"mean {'within 1e-6' if means <= 1e-6 else f'off by {means:.1e}'}; the second moment up to 100 T over that up "
        f"to T {'within 0.02 of 100^(2 - b)' if ratios <= 0.02 else 'is not 100^(2 - b)'}",
        means <= 1e-6 and ratios <= 0.02,
    )


@check("thesis-6-047", constant=True)
def times_or_means(constant=False):
    """Whether service times can be other than their means; the control has two constant ones."""
    law = Deterministic if constant else Exponential
    spread = [size.standard_deviation for size in (law(1.0), law(4.0))]
    differ = "differ from" if all(spread) else "are"
    return erratum(f"standard deviations {spread[0]:g}, {spread[1]:g}: S_1 and S_2 {differ} their means",
                   not any(spread), all(math.isfinite(value) for value in spread))  # fmt: skip
