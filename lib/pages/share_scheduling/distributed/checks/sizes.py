"""Claims of `thesis`, Section 6.7.6: the Pareto law, and two words."""

import numpy as np

from clustershare.sizes import Deterministic, Exponential, Pareto
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, fact, mended
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check
from pages.share_scheduling.distributed.printed.sizes import corrected, printed, random_laws, tail_integral


def _as_pareto(a, b):
    """The library's law with this tail."""
    return Pareto(a ** (1 / b) * b / (b - 1), b)


def _is_pareto(law, a, b, exponent):
    """Whether a printed law rises from 0 and is the library's, by its formula and by what it draws."""
    least = a ** (1 / exponent)
    size, t = _as_pareto(a, exponent), least * np.geomspace(1, 1000, 50)
    found = law(t, a, b)
    rises = abs(found[0]) <= 1e-12 and (np.diff(found) > 0).all() and found[-1] < 1
    formula = np.abs(found - (1 - (size.minimum / t) ** size.exponent)).max() <= 1e-12
    draws = size.sample(np.random.default_rng(602), 100_000)
    counted = np.cumsum(np.bincount(np.searchsorted(t, draws), minlength=len(t) + 1))[:-1] / len(draws)
    return rises and formula and np.abs(counted - found).max() <= 0.01


@check("thesis-6-046", sign=-1)
def law_of_sizes(sign=1):
    """(6.2) as printed and as corrected, for random laws; in the control b is below 0."""
    laws = cases("random law", random_laws(100), seed=602)

    def clause(kind, law):
        right = laws.measure(lambda a, b: _is_pareto(law, a, sign * b, b))
        return everywhere(f"{kind}, (6.2) is the law of Pareto sizes", right)

    return mended(clause("as printed", printed), clause("corrected", corrected))


def _mean(a, b, cut):
    """The mean by quadrature up to a place, and the rest."""
    return tail_integral(a, b, 0, cut) + a * cut ** (1 - b) / (b - 1)


@check("thesis-6-035", a=0.2)
def mean_of_1(a=None):
    """The law with mean 1 and b = 1.25; the control takes another a."""
    b, size = 1.25, Pareto(1.0, 1.25)
    least = (b - 1) / b
    a = least**b if a is None else a
    return conclude(
        everywhere("the library's smallest size and (b - 1) / b", exact(size.minimum - least), equal(1e-12)),
        everywhere("its power of b and a", exact(size.minimum**b - a), equal(1e-12)),
        everywhere("the mean by quadrature and 1", exact(_mean(a, b, 1e12) - 1), equal(1e-6)),
        everywhere("that of the library's law and 1", exact(size.minimum * b / (b - 1) - 1), equal(1e-12)),
        aside("the smallest size", exact(a ** (1 / b))), aside("a", exact(a)),
        whole=True,
    )  # fmt: skip


@check("thesis-6-161", b=2.5)
def mean_and_variance(b=None):
    """The mean by quadrature, and how the second moment grows with where it is cut; the control has a light tail."""

    def gaps(a, exponent):
        expected = a ** (1 / exponent) * exponent / (exponent - 1)
        moments = [tail_integral(a, exponent, 1, T) for T in (1e4, 1e6, 1e8, 1e10)]
        grown = np.divide(moments[1:], moments[:-1]) / 100 ** (2 - exponent)
        return {"mean": _mean(a, exponent, 1e8) / expected - 1, "library": _as_pareto(a, exponent).mean / expected - 1,
                "growth": np.abs(grown - 1).max()}  # fmt: skip

    laws = [(a, b) for a, _ in random_laws(50)] if b else [*random_laws(50, seed=661), (0.2**1.25, 1.25)]
    found = cases("law", laws).measure(gaps)
    return conclude(
        everywhere("the mean by quadrature and a finite one", found["mean"], equal(1e-6)),
        everywhere("that of the library's law and the finite one", found["library"], equal(1e-6)),
        everywhere("the growth of the second moment from T to 100 T and 100^(2 - b)", found["growth"], equal(0.02)),
        whole=True,
    )


@check("thesis-6-047", constant=True)
def times_or_means(constant=False):
    """Whether service times can be other than their means; the control has two constant ones."""
    law = Deterministic if constant else Exponential
    spread = [law(mean).standard_deviation for mean in (1.0, 4.0)]
    return mended(
        fact("the service times are their means", not any(spread), "service times differ from their means"),
        fact("they have finite spreads", np.isfinite(spread).all(), "their spreads are infinite"),
        aside("their standard deviations", exact(spread, group=(1, 2))),
    )
