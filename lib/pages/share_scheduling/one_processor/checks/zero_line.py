"""Claims of `thesis`, Section 3.3.1: the line on which group 2 has no deviation under PQ, Theorem 3.7 and its proof."""

import decimal
from fractions import Fraction

import numpy as np

from compendium.press.findings import check, erratum, finding
from pages.share_scheduling.one_processor.printed import deviation_2, eta_0, gamma, right_side, root, roots, zero_line
from pages.share_scheduling.one_processor.witnesses.chains import two_numbers
from pages.share_scheduling.one_processor.witnesses.priority_points import (
    BOUND,
    FEW,
    MANY,
    SOME,
    answer,
    at_points,
    digits,
    from_library,
    in_chain,
    many,
    off,
    points,
    precise,
    slope,
    zero,
    zeros,
)


@check("thesis-3-035", exchanged=True)
@digits
def theorem(exchanged=False):
    """Theorem 3.7: the side of the line, and the sign of Delta_2 by formula, library and chain."""
    r, rho_1, rho_2, alpha = precise(many())
    side = rho_1 - zero_line(rho_2, r, alpha)
    wrong = int(((deviation_2(rho_1, rho_2, r, alpha) > 0) != (side > 0)).sum())
    gap, _ = from_library(exchanged=exchanged)
    r_1, one, other, ratio = zeros(exchanged=exchanged)
    place = np.abs(one - zero_line(other, r_1, ratio)).max()
    signs = in_chain(lambda r, law: law.deviations(r)[1], exchanged)
    line = at_points(lambda rho_1, rho_2, r, alpha: rho_1 - zero_line(rho_2, r, alpha))
    sure = np.abs(signs) > BOUND
    chain = int((np.sign(signs) != np.sign(line))[sure].sum())
    return finding(
        f"{wrong} of {MANY} on the wrong side, {chain} of {sure.sum()} chains; the library's zero "
        f"{'on the line' if place < 1e-9 else f'off the line by {place:.2g}'}",
        wrong + chain == 0 and gap <= BOUND and place < 1e-9,
    )


@check("thesis-3-036", first=1)
@digits
def bounds_of_eta(first=0):
    """(3.53) to (3.55): eta(0) from (3.40), its bounds, and what the chain makes of it."""
    _, rho_1, rho_2, alpha = precise(many())
    eta, falling = eta_0(rho_1, rho_2, alpha), slope(eta_0, (rho_1, rho_2, alpha), 1)
    half = 1 + rho_1 + alpha * rho_2
    same = off(eta - (half - np.sqrt(half**2 - 4 * rho_1)) / 2, rho_1) < 1e-30
    against = int(((eta <= 0) | (eta >= rho_1) | (falling >= 0)).sum())

    def of_chain(one, other, ratio):
        empty = 1 - other if first else two_numbers(one, other, ratio).first.sum()
        return 1 - (1 - one - other) / empty

    gap = max(abs(of_chain(*point) / eta_0(*point) - 1) for _, *point in points())
    steps = [
        np.diff([of_chain(one, part * (0.97 - one), ratio) for part in np.linspace(0.01, 0.99, 11)]).max()
        for _, one, _, ratio in points(FEW, 36)
    ]
    return finding(
        f"{against} of {MANY} against it; the chain's eta(0) "
        f"{'equal within 1e-7, falling' if gap < 1e-7 and max(steps) < 0 else f'off by up to {gap:.2g}'}",
        bool(same and against == 0 and gap < 1e-7 and max(steps) < 0),
    )


def sign_where(r, rho_1, rho_2, alpha, sign, **wrong):
    """Whether Delta_2 has a sign at all points by formula, and at some by the library and by the chain."""
    formula = deviation_2(*precise((rho_1, rho_2, r, alpha)))
    against = int((sign * formula <= 0).sum())
    of_library = [
        result.probability_present[1] - result.obtained_share[1] / (1 - point[0])
        for point in zip(r[:SOME], rho_1[:SOME], rho_2[:SOME], alpha[:SOME])
        for result in [answer(point, **wrong)]
    ]
    gap = off(np.array(of_library) - deviation_2(rho_1, rho_2, r, alpha)[:SOME], (rho_2 / (1 - r))[:SOME])
    of_chain = [
        sign * two_numbers(float(a), float(b), float(c)).deviations(share)[1]
        for share, a, b, c in zip(r[:100], rho_1[:100], rho_2[:100], np.clip(alpha[:100], 0.05, 20))
    ]
    return finding(
        f"{against} of {len(r)} against it; the library "
        f"{'alike' if gap <= BOUND else f'off by up to {gap:.2g}'}; chains at least {min(of_chain):.1e}",
        against == 0 and gap <= BOUND and min(of_chain) > 0,
    )


@check("thesis-3-037", permanent=1)
@digits
def enough_load(permanent=0):
    """(3.56): rho_2 at least r_2, every tenth point on the edge."""
    rng = np.random.default_rng(37)
    _, rho_1, rho_2, alpha = many()
    part = np.where(np.arange(MANY) % 10 == 0, 1.0, rng.uniform(0.05, 1, MANY))
    keep = (rho_2 * part < 0.499) & (rho_2 * part > 0.01)
    return sign_where(1 - (rho_2 * part)[keep], rho_1[keep], rho_2[keep], alpha[keep], -1, permanent=permanent)


@check("thesis-3-038", exchanged=True)
@digits
def rewritten(exchanged=False):
    """(3.57) against (3.42), the library and the chain."""

    def printed(rho_1, rho_2, r_1, alpha):
        eta, r_2 = eta_0(rho_1, rho_2, alpha), 1 - r_1
        return ((r_2 - r_1 / rho_1 * rho_2) * rho_1 - (r_2 - rho_2) * eta) / ((1 - eta) * r_2)

    r, rho_1, rho_2, alpha = precise(many())
    exact = off(printed(rho_1, rho_2, r, alpha) - deviation_2(rho_1, rho_2, r, alpha), rho_2 / (1 - r))
    gap, _ = from_library(exchanged=exchanged)
    chain = np.abs(in_chain(lambda r, law: law.deviations(r)[1], exchanged) - at_points(printed)).max()
    return finding(
        "equal" if exact < 1e-12 and max(gap, chain) <= BOUND else f"off by up to {max(exact, gap, chain):.2g}",
        exact < 1e-12 and max(gap, chain) <= BOUND,
    )


@check("thesis-3-039", first=1)
@digits
def too_much_load(first=0):
    """(3.58): rho_1 at least r_1, every tenth point on the edge."""
    rng = np.random.default_rng(39)
    r, *_, alpha = many()
    r = np.minimum(r, 0.92)
    part = np.where(np.arange(MANY) % 10 == 0, 0.0, rng.uniform(0, 1, MANY))
    most = np.where(np.arange(MANY) < 100, 0.93, 0.97)  # in the chains, whose cost grows with the load of group 1
    rho_1 = r + part * (most - r)
    return sign_where(r, rho_1, rng.uniform(0.05, 0.95, MANY) * (0.99 - rho_1), alpha, 1, first=first)


@check("thesis-3-040", exchanged=True)
def eta_on_the_line(exchanged=False):
    """(3.59) where the library's deviation vanishes, and with what the chain says of eta(0) there."""
    r, rho_1, rho_2, alpha = zeros(exchanged=exchanged)
    expected = ((1 - r) * rho_1 - r * rho_2) / (1 - r - rho_2)
    gap = np.abs(eta_0(rho_1, rho_2, alpha) - expected).max()
    chain = 0.0
    for one, other, ratio, value in list(zip(rho_1, rho_2, alpha, expected))[:20]:
        law = two_numbers(float(one), float(other), float(1 / ratio if exchanged else ratio))
        chain = max(chain, abs(1 - (1 - one - other) / law.first.sum() - value))
    return finding(
        "equal within 1e-9, and in the chain" if max(gap, chain) < 1e-9 else f"off by up to {max(gap, chain):.2g}",
        bool(max(gap, chain) < 1e-9),
    )


def on_the_line():
    """Random points of the zero line below the corner: r_1, rho_1, rho_2, alpha."""
    r, _, part, alpha = precise(many())
    rho_2 = part * (1 - r)
    return r, zero_line(rho_2, r, alpha), rho_2, alpha


def coefficients(r_1, rho_2, alpha):
    """(3.62) to (3.64)."""
    r_2 = 1 - r_1
    a_0 = (1 - r_2) * (r_2 + (alpha - 1) * r_2 * rho_2 - alpha * rho_2**2)
    return a_0, r_2 * (-(alpha + 1) * (r_2 - rho_2) - 2 * (1 - r_2)), r_2


@check("thesis-3-041", exchanged=True)
@digits
def quadratic(exchanged=False):
    """(3.60) squared is (3.61), in fractions; its roots are (3.65), (3.66), and the lower one the library's zero."""
    rng, follows = np.random.default_rng(41), True
    for _ in range(200):
        r_1, part, alpha, *places = (Fraction(int(k), 997) for k in rng.integers(1, 996, 8))
        rho_2, r_2, factors = part * (1 - r_1), 1 - r_1, set()
        a_0, a_1, a_2 = coefficients(r_1, rho_2, 1 / alpha if exchanged else alpha)
        for rho_1 in places:
            # Both sides of (3.60) squared, times (r_2 - rho_2)^2, over rho_2.
            right = (1 + rho_1 + alpha * rho_2) * (r_2 - rho_2) - 2 * r_2 * rho_1 + 2 * r_1 * rho_2
            squared = (((1 + rho_1 + alpha * rho_2) ** 2 - 4 * rho_1) * (r_2 - rho_2) ** 2 - right**2) / rho_2
            value = a_0 + a_1 * rho_1 + a_2 * rho_1**2
            follows &= (value == 0) == (squared == 0)
            if value:
                factors.add(squared / value)
        follows &= len(factors) == 1
    r_1, _, rho_2, alpha = on_the_line()
    a_0, a_1, a_2 = coefficients(r_1, rho_2, alpha)
    low, high = roots(r_1, rho_2, alpha)
    gap = max(off(a_0 + a_1 * x + a_2 * x**2, a_0, a_1 * x, a_2 * x**2) for x in (low, high))
    placed = bool(((0 < low) & (low < r_1) & (r_1 < high)).all())
    r, one, other, ratio = zeros(exchanged=exchanged)
    place = np.abs(one - roots(r, other, ratio)[0]).max()
    return finding(
        f"(3.61) {'follows' if follows else 'does not follow'}; roots {'equal' if gap < 1e-12 else f'off by {gap:.2g}'}"
        f"; the library's zero {'is the lower one' if place < 1e-9 else f'is off by {place:.2g}'}",
        bool(follows and gap < 1e-12 and placed and place < 1e-9),
    )


@check("thesis-3-042", upper=True)
@digits
def three_forms(upper=False):
    """The display after (3.66): the forms agree, are positive, and are the root where the library's zero is."""
    r_1, _, rho_2, alpha = on_the_line()
    first, second, third = right_side(r_1, rho_2, alpha, upper)
    size = (1 + alpha) / (1 - r_1 - rho_2)
    gap = max(off(first - second, size), off(second - third, size))
    r, one, other, ratio = zeros()
    value = right_side(r, other, ratio, upper)[0]
    there = off(value - root(one, other, ratio), np.ones(len(r)), (1 + ratio) / (1 - r - other))
    positive = bool(third.min() > 0)
    return finding(
        f"{'equal in 12 digits' if gap < 1e-12 else f'off by {gap:.2g}'}; {'above 0' if positive else 'not above 0'}",
        gap < 1e-12 and positive and there < 1e-9,
    )


@check("thesis-3-043", upper=True)
@digits
def third_inequality(upper=False):
    """The last bound of that display: printed r_2 + rho_2, right r_2 + alpha rho_2."""
    r_1, _, rho_2, alpha = on_the_line()
    alpha[::100] = decimal.Decimal(1)
    value, r_2 = right_side(r_1, rho_2, alpha, upper)[2], 1 - r_1
    against = value <= (r_2**2 - rho_2**2) / (r_2 - rho_2)
    below, above = int(against[alpha < 1].sum()), int(against[alpha >= 1].sum())
    right = int((value <= r_2 + alpha * rho_2).sum())
    one = right_side(0.772, 0.2198, 0.0103, upper)[2]
    return erratum(
        f"as printed {above} of {(alpha >= 1).sum()} with alpha from 1 on and {below} of {(alpha < 1).sum()} below are "
        f"against it, e.g. {one:.4f} and not above {0.228 + 0.2198:.4f}; {right} against the right one",
        below + above == 0, right == 0,
    )  # fmt: skip


@check("thesis-3-044", first=1)
@digits
def proposition(first=0):
    """(3.67) to (3.69): gamma as the limit of the library's zero, its bounds and slope, and chains over alpha."""
    r, _, _, alpha = precise(many())
    line, falling = gamma(r, alpha), slope(gamma, (r, alpha), 1)
    against = int(((line <= 0) | (line >= r) | (falling >= 0)).sum())
    limits = [zero(share, 1e-6, ratio, first=first) - gamma(share, ratio) for share, _, _, ratio in points(50, 44)]
    limit = np.abs(limits).max()
    rising = 0
    for share, one, other, _ in points(FEW, 45):
        laws = [two_numbers(one, other, ratio) for ratio in np.geomspace(0.05, 20, 11)]
        rising += bool((np.diff([law.deviations(share)[1] for law in laws]) > 0).all())
    return finding(
        f"{against} of {MANY} against it; the library's zero "
        f"{'within 1e-4 of gamma' if limit < 1e-4 else 'is elsewhere'}; {rising} of {FEW} chains rise",
        bool(against == 0 and limit < 1e-4 and rising == FEW),
    )


@check("thesis-3-048", first=1)
@digits
def eta_falls_with_alpha(first=0):
    """(3.73) against differences, and eta(0) as the chain has it, at fixed loads."""
    _, rho_1, rho_2, alpha = precise(many())
    found = slope(eta_0, (rho_1, rho_2, alpha), 2)
    half = 1 + rho_1 + alpha * rho_2
    stated = rho_2 / 2 * (1 - half / np.sqrt(half**2 - 4 * rho_1))
    gap = off(found - stated, stated)
    falling = 0
    for _, one, other, _ in points(FEW, 48):
        ratios = np.geomspace(0.05, 20, 11)
        empty = [1 - other if first else two_numbers(one, other, ratio).first.sum() for ratio in ratios]
        falling += bool((np.diff([1 - (1 - one - other) / value for value in empty]) < 0).all())
    return finding(
        f"{'equal to (3.73) in 12 digits' if gap < 1e-12 else f'off (3.73) by {gap:.2g}'}, "
        f"{'below 0' if found.max() < 0 else 'not below 0'}; {falling} of {FEW} chains fall",
        bool(gap < 1e-12 and found.max() < 0 and falling == FEW),
    )
