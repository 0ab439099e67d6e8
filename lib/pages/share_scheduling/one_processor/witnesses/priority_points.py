"""Random points of two groups under PQ: what the library and the chain of the two numbers of jobs make of them.

Formulas are judged in 50 digits at many points, the library in its own precision against them. The witness is the
chain, which knows no formula.
"""

import decimal
import functools
import math

import numpy as np
from scipy.optimize import brentq

from clustershare import uniprocessor
from compendium.press.clauses import everywhere, exact
from compendium.press.clauses.conditions import equal
from pages.share_scheduling.one_processor.printed import deviation_2
from pages.share_scheduling.one_processor.witnesses.chains import two_numbers

MANY, SOME, FEW = 20_000, 1000, 40
UNIT = 3.0  # of time: mu_1
BOUND = 1e-9  # of the chain: it loses arrivals of probability 1e-13


def digits(function):
    """Run a check's part with 50 digits."""

    @functools.wraps(function)
    def run(*arguments, **setting):
        with decimal.localcontext() as context:
            context.prec = 50
            return function(*arguments, **setting)

    return run


@functools.cache
def many(seed=23):
    """Many random parameters as arrays: r_1, rho_1, rho_2, and alpha over six orders of magnitude."""
    rng = np.random.default_rng(seed)
    rho, x = rng.uniform(0.02, 0.98, MANY), rng.uniform(0.02, 0.98, MANY)
    return rng.uniform(0.501, 0.99, MANY), rho * x, rho * (1 - x), 10 ** rng.uniform(-3, 3, MANY)


def precise(arrays):
    """Arrays of decimals."""
    return tuple(np.array([decimal.Decimal(value) for value in array.tolist()], dtype=object) for array in arrays)


def answer(point, policy="PQ", exchanged=False, first=0, permanent=0):
    """The library's answer at a point (r_1, rho_1, rho_2, alpha).

    In wrong systems the service rates are exchanged, group 2 is first, or group 1 has permanent jobs.
    """
    r, rho_1, rho_2, alpha = (float(value) for value in point)
    services = (UNIT * alpha, UNIT) if exchanged else (UNIT, UNIT * alpha)
    system = (r, 1 - r)[:: -1 if first else 1], (rho_1 * services[0], rho_2 * services[1]), services, (permanent, 0)
    if permanent:
        return uniprocessor.exact(policy, **uniprocessor.limiting(policy, *system))
    return uniprocessor.exact(policy, *system)


def _deviations(point, result, first=0):
    """The library's, or by their definition where group 2 is first, for then the shares are exchanged."""
    if first:
        return result.probability_present - result.obtained_share / np.array([point[0], 1 - point[0]])
    return result.group_share_deviation


def of_group_2(point, first=0, **wrong):
    """The library's deviation of group 2 at a point."""
    return _deviations(point, answer(point, first=first, **wrong), first)[1]


def moved(point, more, first=0):
    """By how much the library's deviation and presence of group 2 move when group 1 brings so many times its load."""
    found = []
    for times in (1, more):
        place = (point[0], times * point[1], *point[2:])
        result = answer(place, first=first)
        found.append((_deviations(place, result, first)[1], result.probability_present[1]))
    return dict(zip(("deviation", "presence"), np.diff(found, axis=0)[0]))


@functools.cache
def library(seed=23, first=0, **wrong):
    """Presence, deviations and job-share deviations of the library at the first points of `many`: (points, 2) each."""
    found = []
    for point in zip(*(array[:SOME] for array in many(seed))):
        result = answer(point, first=first, **wrong)
        found.append((result.probability_present, _deviations(point, result, first), result.job_share_deviation))
    return tuple(np.array(values) for values in zip(*found))


@functools.cache
def points(count=100, seed=12, most=0.95):
    """Random points for the chain: r_1, rho_1, rho_2, alpha."""
    rng = np.random.default_rng(seed)
    rho, x = rng.uniform(0.02, most, count), rng.uniform(0.02, 0.98, count)
    return tuple(zip(rng.uniform(0.501, 0.99, count), rho * x, rho * (1 - x), 20 ** rng.uniform(-1, 1, count)))


def in_chain(quantity, exchanged=False):
    """A quantity of the chain, a function of r_1 and the law, at each of `points`."""
    return np.array([
        quantity(r, two_numbers(float(rho_1), float(rho_2), float(1 / alpha if exchanged else alpha)))
        for r, rho_1, rho_2, alpha in points()
    ])  # fmt: skip


def at_points(formula):
    """A formula of (rho_1, rho_2, r_1, alpha) at each of `points`."""
    return np.array([formula(rho_1, rho_2, r, alpha) for r, rho_1, rho_2, alpha in points()])


def as_chain(text, quantity, formula, exchanged=False):
    """The clause that the chain has a quantity as a formula gives it, at each of `points`: `text` names the two."""
    return everywhere(text, exact(in_chain(quantity, exchanged) - at_points(formula), chain=None), equal(BOUND))


def off(value, *terms):
    """Some differences, relative to the largest of the terms that they are sums of."""
    return exact(np.abs(np.divide(value, np.max(np.abs(terms), axis=0))), point=None)


def second(r, law):
    """The deviation of group 2 in the chain."""
    return law.deviations(r)[1]


def slope(formula, values, place, relative=decimal.Decimal("1e-15")):
    """Central differences of a formula in one of its arguments."""
    step = relative * values[place]
    above, below = list(values), list(values)
    above[place], below[place] = values[place] + step, values[place] - step
    return (formula(*above) - formula(*below)) / (2 * step)


def as_library(equation="(3.42)", **wrong):
    """The clause that the library's deviation of group 2 is as an equation says, relative to the larger term."""
    r, rho_1, rho_2, alpha = (array[:SOME] for array in many())
    gap = library(**wrong)[1][:, 1] - deviation_2(rho_1, rho_2, r, alpha)
    return everywhere(
        f"the library's deviation and {equation}", off(gap, rho_2 / (1 - r), np.full(SOME, 1e-3)), equal(BOUND)
    )


@functools.cache
def zeros(count=100, **wrong):
    """Where the library's deviation of group 2 vanishes in rho_1: r_1, rho_1, rho_2, alpha, arrays; nan if nowhere."""
    rng, found = np.random.default_rng(40), []
    for r, part, alpha in zip(
        rng.uniform(0.501, 0.99, count), rng.uniform(0.02, 0.95, count), 10 ** rng.uniform(-3, 3, count)
    ):
        found.append((r, zero(r, part * (1 - r), alpha, **wrong), part * (1 - r), alpha))
    return tuple(np.array(values) for values in zip(*found))


def zero(r, rho_2, alpha, **wrong):
    """The load of group 1 at which the library's deviation of group 2 is 0; nan if there is none."""

    def value(rho_1):
        return of_group_2((r, rho_1, rho_2, alpha), **wrong)

    low, high = 1e-12, (1 - rho_2) * (1 - 1e-9)
    return brentq(value, low, high, xtol=1e-14) if value(low) < 0 < value(high) else math.nan
