"""Claims of `thesis`, Section 3.3.1: the theorems on priority queueing, over random parameters.

The witness is the chain of the two numbers of jobs, cut where its error is negligible.
"""

import functools
import math

import numpy as np

from compendium.press.claims import check, equality, erratum, finding
from pages.share_scheduling.one_processor.chains import chain_law
from pages.share_scheduling.one_processor.printed import (
    deviation_2,
    eta_0,
    gamma,
    right_side,
    root,
    roots,
    zero_line,
)
from pages.share_scheduling.one_processor.systems import random_parameters

MANY = 20_000


@functools.cache
def many(seed=23):
    """Many random parameters as arrays: r_1, rho_1, rho_2, and alpha over six orders of magnitude."""
    rng = np.random.default_rng(seed)
    rho, x = rng.uniform(0.02, 0.98, MANY), rng.uniform(0.02, 0.98, MANY)
    return rng.uniform(0.05, 0.95, MANY), rho * x, rho * (1 - x), 10 ** rng.uniform(-3, 3, MANY)


@functools.cache
def chains():
    """Random systems with their laws: (r_1, (rho_1, rho_2, alpha), numbers, law)."""
    found = []
    for r, point in random_parameters(12, loads=0.6):
        rho_1, rho_2, alpha = point
        alpha = float(np.clip(alpha, 0.4, 4))  # so that 120 jobs are enough
        found.append((r, (rho_1, rho_2, alpha), *chain_law(rho_1, rho_2, alpha)))
    return found


@check("thesis-3-029", order=-1)
def generating_function(order=1):
    """(3.39) and (3.40) at six points; the control takes the groups the other way round."""
    gap = 0.0
    for _, (rho_1, rho_2, alpha), counts, law in chains():
        for z in ((0, 0), (0, 1), (1, 0), (0.5, 0.5), (0.2, 0.9), (0.9, 0.3)):
            z_1, z_2 = z[::order]
            coming = alpha * rho_2 * (1 - z_2)
            half = 1 + rho_1 + coming
            eta = (half - math.sqrt(half**2 - 4 * rho_1)) / 2
            expected = (1 - rho_1 - rho_2) / (1 - eta - rho_2 * z_2) * (1 - eta) / (1 - eta * z_1)
            gap = max(gap, abs(law @ (float(z[0]) ** counts[0] * float(z[1]) ** counts[1]) - expected))
    return equality(gap, 1e-10)


def in_chain(event):
    """For each chain, the probability of an event of the two numbers of jobs."""
    return np.array([law[event(*counts)].sum() for _, _, counts, law in chains()])


def of_chains(formula):
    """For each chain, a formula of (rho_1, rho_2, r_1, alpha)."""
    return np.array([formula(rho_1, rho_2, r, alpha) for r, (rho_1, rho_2, alpha), *_ in chains()])


def deviations_in_chain(group):
    """The group-share deviations by their definition."""
    shares = np.array([r if group == 0 else 1 - r for r, *_ in chains()])
    present = in_chain(lambda a, b: (a, b)[group] > 0)
    served = present if group == 0 else in_chain(lambda a, b: (a == 0) & (b > 0))
    return present - served / shares


@check("thesis-3-030", scale=1.1)
def first_group(scale=1.0):
    """(3.41) against the chain."""
    expected = of_chains(lambda rho_1, rho_2, r, alpha: -scale * rho_1 * (1 - r) / r)
    return equality(np.abs(deviations_in_chain(0) - expected).max(), 1e-10)


@check("thesis-3-031", scale=1.1)
def second_group(scale=1.0):
    """(3.42) against the chain; the control has eta(0) wrong by a tenth."""

    def printed(rho_1, rho_2, r, alpha):
        eta = scale * eta_0(rho_1, rho_2, alpha)
        return (rho_1 + rho_2 - eta) / (1 - eta) - rho_2 / (1 - r)

    return equality(np.abs(deviations_in_chain(1) - of_chains(printed)).max(), 1e-10)


@check("thesis-3-032", less=1)
def steps_of_the_proof(less=0):
    """(3.43) to (3.45): P[N_2 > 0], and P[N_1 = 0, N_2 > 0] = rho_2; the control counts two jobs of group 2."""
    served = in_chain(lambda a, b: (a == 0) & (b > less)) - of_chains(lambda rho_1, rho_2, r, alpha: rho_2)
    present = in_chain(lambda a, b: b > less) - of_chains(
        lambda rho_1, rho_2, r, alpha: (rho_1 + rho_2 - eta_0(rho_1, rho_2, alpha)) / (1 - eta_0(rho_1, rho_2, alpha))
    )
    return equality(max(np.abs(served).max(), np.abs(present).max()), 1e-10)


def slope(formula, values, place, relative=1e-5):
    """Central differences of a formula in one of its arguments."""
    step = relative * values[place]
    above, below = list(values), list(values)
    above[place], below[place] = values[place] + step, values[place] - step
    return (formula(*above) - formula(*below)) / (2 * step)


@check("thesis-3-033", sign=-1)
def lemma(sign=1):
    """Lemma 3.6: the slope of Delta_2 in rho_1."""
    r, rho_1, rho_2, alpha = many()
    found = slope(deviation_2, (rho_1, rho_2, r, alpha), 0)
    return finding(f"smallest slope {found.min():.2g} of {MANY}", (sign * found > 0).all())


@check("thesis-3-034", factor=0.5)
def numerator(factor=1.0):
    """(3.49) against differences of eta(0), relative."""
    _, rho_1, rho_2, alpha = many()
    eta = eta_0(rho_1, rho_2, alpha)
    found = 1 - eta - (1 - rho_1 - rho_2) * slope(eta_0, (rho_1, rho_2, alpha), 0)
    stated = factor * ((alpha - 1) * eta + alpha + 1) * rho_2 / root(rho_1, rho_2, alpha)
    return equality(np.abs(found / stated - 1).max(), 1e-3)


@check("thesis-3-035", tilt=0.9)
def theorem(tilt=1.0):
    """Theorem 3.7: the side of the line, and the sign of Delta_2 by formula and in the chains."""
    r, rho_1, rho_2, alpha = many()
    wrong = (np.sign(deviation_2(rho_1, rho_2, r, alpha)) != np.sign(rho_1 - tilt * zero_line(rho_2, r, alpha))).sum()
    side = of_chains(lambda rho_1, rho_2, r, alpha: rho_1 - tilt * zero_line(rho_2, r, alpha))
    chain = (np.sign(deviations_in_chain(1)) != np.sign(side)).sum()
    return finding(f"{wrong} of {MANY} on the wrong side, {chain} of {len(side)} chains", wrong + chain == 0)


@check("thesis-3-036", bound=0.5)
def bounds_of_eta(bound=1.0):
    """(3.53) to (3.55): eta(0) falls with the arrival rate of group 2 and lies between 0 and rho_1."""
    _, rho_1, rho_2, alpha = many()
    eta, falling = eta_0(rho_1, rho_2, alpha), slope(eta_0, (rho_1, rho_2, alpha), 1)
    counterexamples = int(((eta <= 0) | (eta >= bound * rho_1) | (falling >= 0)).sum())
    return finding(f"{counterexamples} of {MANY} against it", counterexamples == 0)


@check("thesis-3-037", part=0.5)
def enough_load(part=1.0):
    """(3.56): rho_2 at least r_2."""
    r, rho_1, rho_2, alpha = many()
    chosen = rho_2 >= part * (1 - r)
    wrong = int((deviation_2(rho_1, rho_2, r, alpha)[chosen] >= 0).sum())
    return finding(f"{wrong} of {chosen.sum()} against it", wrong == 0)


@check("thesis-3-038", swapped=True)
def rewritten(swapped=False):
    """(3.57)."""
    r_1, rho_1, rho_2, alpha = many()
    eta, r_2 = eta_0(rho_1, rho_2, alpha), 1 - r_1
    one, other = (r_2, r_1) if swapped else (r_1, r_2)
    value = ((other - one / rho_1 * rho_2) * rho_1 - (other - rho_2) * eta) / ((1 - eta) * other)
    return equality(np.abs(value - deviation_2(rho_1, rho_2, r_1, alpha)).max(), 1e-9)


@check("thesis-3-039", part=0.5)
def too_much_load(part=1.0):
    """(3.58): rho_1 at least r_1."""
    r, rho_1, rho_2, alpha = many()
    chosen = rho_1 >= part * r
    wrong = int((deviation_2(rho_1, rho_2, r, alpha)[chosen] <= 0).sum())
    return finding(f"{wrong} of {chosen.sum()} against it", wrong == 0)


def on_the_line():
    """Random points of the zero line below the corner: r_1, rho_1, rho_2, alpha."""
    r, _, part, alpha = many()
    rho_2 = part * (1 - r)
    return r, zero_line(rho_2, r, alpha), rho_2, alpha


@check("thesis-3-040", tilt=0.9)
def eta_on_the_line(tilt=1.0):
    """(3.59) on the zero line."""
    r, rho_1, rho_2, alpha = on_the_line()
    rho_1 = tilt * rho_1
    gap = np.abs(eta_0(rho_1, rho_2, alpha) - ((1 - r) * rho_1 - r * rho_2) / (1 - r - rho_2)).max()
    return equality(gap, 1e-9)


@check("thesis-3-041", sign=-1)
def quadratic(sign=1):
    """(3.61) to (3.66): the roots, and where they lie; the lower one is the zero line."""
    r_1, line, rho_2, alpha = on_the_line()
    r_2 = 1 - r_1
    a_0 = r_1 * (r_2 + (alpha - 1) * r_2 * rho_2 - sign * alpha * rho_2**2)
    a_1, a_2 = r_2 * (-(alpha + 1) * (r_2 - rho_2) - 2 * r_1), r_2
    gap = 0.0
    for x in roots(r_1, rho_2, alpha):
        size = np.abs(a_0) + np.abs(a_1 * x) + np.abs(a_2 * x**2)
        gap = max(gap, np.abs((a_0 + a_1 * x + a_2 * x**2) / size).max())
    low, high = roots(r_1, rho_2, alpha)
    placed = bool(((0 < low) & (low < r_1) & (r_1 < high)).all()) and np.abs(low - line).max() < 1e-9
    return finding(f"{'equal within 1e-07' if gap < 1e-7 else f'off by {gap:.2g}'}", gap < 1e-7 and placed)


@check("thesis-3-042", shift=0.1)
def three_forms(shift=0.0):
    """The display after (3.66): the forms agree, relative to the terms they are sums of, and are positive."""
    r_1, _, rho_2, alpha = on_the_line()
    first, second, third = right_side(r_1, rho_2, alpha)
    size = (1 + alpha) / (1 - r_1 - rho_2)
    gap = max(np.abs((first - second) / size).max(), np.abs((second - third) / size).max()) + shift
    return finding(
        f"{'equal within 1e-07' if gap < 1e-7 else f'off by {gap:.2g}'}; smallest {third.min():.2g}",
        gap < 1e-7 and third.min() > 0,
    )


@check("thesis-3-043", corrected=False)
def third_inequality(corrected=True):
    """The last bound of that display: printed r_2 + rho_2, right r_2 + alpha rho_2."""
    r_1, _, rho_2, alpha = on_the_line()
    value, r_2 = right_side(r_1, rho_2, alpha)[2], 1 - r_1
    printed = int((value <= (r_2**2 - rho_2**2) / (r_2 - rho_2)).sum())
    right = int((value <= (r_2 + alpha * rho_2 if corrected else r_2 + rho_2)).sum())
    one = right_side(0.772, 0.2198, 0.0103)[2]
    return erratum(
        f"{printed} of {MANY} against it as printed, e.g. {one:.4f} and not above {0.228 + 0.2198:.4f}; "
        f"{right} against the right one",
        printed == 0, right == 0,
    )  # fmt: skip


@check("thesis-3-044", sign=-1)
def proposition(sign=1):
    """(3.67) to (3.69)."""
    r, rho_1, rho_2, alpha = many()
    line, falling = gamma(r, alpha), slope(gamma, (r, alpha), 1)
    rising = slope(deviation_2, (rho_1, rho_2, r, alpha), 3)
    wrong = int(((line <= 0) | (line >= r) | (sign * falling >= 0) | (sign * rising <= 0)).sum())
    return finding(f"{wrong} of {MANY} against it", wrong == 0)


@check("thesis-3-057", power=1)
def job_share_1(power=2):
    """(3.74) against the chain."""
    expected = of_chains(lambda rho_1, rho_2, r, alpha: rho_1**power)
    return equality(np.abs(in_chain(lambda a, b: a > 1) - expected).max(), 1e-10)


@check("thesis-3-058", jobs=2)
def job_share_2(jobs=1):
    """(3.75) and (3.77) against the chain."""

    def present(rho_1, rho_2, r, alpha):
        return 1 - (1 - rho_1 - rho_2) / (1 - eta_0(rho_1, rho_2, alpha))

    served = in_chain(lambda a, b: (a == 0) & (b > jobs)) - of_chains(lambda *point: point[1] * present(*point))
    alone = in_chain(lambda a, b: (a == 0) & (b == jobs)) - of_chains(lambda *p: p[1] * (1 - present(*p)))
    return equality(max(np.abs(served).max(), np.abs(alone).max()), 1e-10)
