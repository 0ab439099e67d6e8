"""Claims of `thesis`, Section 3.3.1, Figures 3.3, 3.4: priority queueing of two groups, and of more.

Formulas are judged in 50 digits, the library against them, and both against the chain of the two numbers of jobs, which
knows no formula (`priority_points`).
"""

import decimal
import functools
import math
from fractions import Fraction

import numpy as np
from matplotlib.path import Path
from scipy import sparse
from scipy.optimize import brentq
from scipy.sparse import linalg

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.estimates import from_replications
from clustershare.results import NoExactAnswer
from clustershare.uniprocessor.chain import distribution, tail
from clustershare.uniprocessor.model import Workload
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid, mended, widened
from compendium.press.clauses.conditions import agrees, at_least, at_most, between, equal, larger, smaller
from compendium.press.findings import check
from pages.share_scheduling.one_processor import printed
from pages.share_scheduling.one_processor.points import PARTS, above_the_line, on_grid, over_parts
from pages.share_scheduling.one_processor.printed import deviation_1, deviation_2, eta_0, gamma, root, zero_line
from pages.share_scheduling.one_processor.simulated import IN_BOUND, RISK, agree, bounded, refused, simulations
from pages.share_scheduling.one_processor.systems import random_parameters, two_groups
from pages.share_scheduling.one_processor.witnesses.chains import preemptive, two_numbers
from pages.share_scheduling.one_processor.witnesses.lines import RATE
from pages.share_scheduling.one_processor.witnesses.paths import intervals
from pages.share_scheduling.one_processor.witnesses.priority_points import (
    BOUND,
    FEW,
    MANY,
    SOME,
    answer,
    as_chain,
    as_library,
    at_points,
    digits,
    in_chain,
    library,
    many,
    moved,
    of_group_2,
    off,
    points,
    precise,
    second,
    slope,
    zero,
    zeros,
)  # fmt: skip

RATIOS = np.geomspace(0.05, 20, 11)
PRESENCE_AND_DEVIATION = "probability_present", "group_share_deviation"


def at_all(text, holds):
    """The clause that something is true at all points."""
    return everywhere(text, exact(holds, point=None))


def at_random(noun, count=100, seed=12, most=0.95):
    """Random points for the chain, as a domain: r_1, rho_1, rho_2, alpha."""
    return cases(noun, points(count, seed, most), seed=seed)


@check("thesis-3-029", exchanged=True)
def generating_function(exchanged=False):
    """(3.39) and (3.40) on the corners and at random points; the library has corners, and mean numbers are slopes."""
    rng = np.random.default_rng(29)

    def printed_at(z_1, z_2, rho_1, rho_2, alpha):
        half = 1 + rho_1 + alpha * rho_2 * (1 - z_2)
        eta = (half - np.sqrt(half**2 - 4 * rho_1)) / 2
        return (1 - rho_1 - rho_2) / (1 - eta - rho_2 * z_2) * (1 - eta) / (1 - eta * z_1)

    def in_chain(_, rho_1, rho_2, alpha):
        found, gaps = two_numbers(rho_1, rho_2, 1 / alpha if exchanged else alpha), []
        for z_1, z_2 in ((0, 0), (0, 1), (1, 0), (1, 1), *rng.random((3, 2))):
            expected = printed_at(z_1, z_2, rho_1, rho_2, alpha)
            gaps.append(abs(found.generating(float(z_1), float(z_2)) / expected - 1))
        return max(gaps)

    def in_library(*point):
        found, step = answer(point, exchanged=exchanged), 1e-30j  # the slope is in the imaginary part, exactly
        absent = [printed_at(*z, *point[1:]) for z in ((0, 1), (1, 0))]
        numbers = [printed_at(*z, *point[1:]).imag / step.imag for z in ((1 + step, 1), (1, 1 + step))]
        gaps = (1 - found.probability_present) / absent - 1, found.mean_jobs / numbers - 1
        return np.abs(gaps).max()

    def in_line(r, rho_1, rho_2, alpha):
        """The law of both numbers in the library's chain of the line, at loads that are scaled."""
        loads = np.array([rho_1, rho_2]) * min(1, 0.3 / (rho_1 + rho_2))
        services = np.array([1, alpha])[:: -1 if exchanged else 1]
        line = uniprocessor.whole_line("PQ", (r, 1 - r), loads * services, services, most_jobs=30)
        z = np.vstack([np.indices((2, 2)).reshape(2, -1).T, rng.random((3, 2))])
        found = [line.probability @ (one[:, None] ** line.jobs).prod(axis=0) for one in z]
        return np.abs(found / np.array([printed_at(*one, *loads, alpha) for one in z]) - 1).max()

    return conclude(
        everywhere("(3.39) and the chain's function", at_random("chain").measure(in_chain), equal(BOUND)),
        everywhere("(3.39) and the library's presence and mean numbers",
                   at_random("random point").measure(in_library), equal(BOUND)),
        everywhere("(3.39) and the law of the library's line", at_random("random point", 10).measure(in_line),
                   equal(BOUND)),
        whole=True,
    )  # fmt: skip


def simulated_deviation(group, form, policy):
    """The clause that simulations of a group's deviation at six random systems agree with a form."""
    systems, expected = [], []
    for r, rho_1, rho_2, alpha in points(6, 58):
        systems.append(dict(required_shares=(r, 1 - r), arrival_rates=(rho_1, rho_2 * alpha), service_rates=(1, alpha)))
        expected.append(np.where(np.arange(2) == group, form(rho_1, rho_2, r, alpha), np.nan))
    return everywhere("a simulated deviation less that", simulations(policy, systems, expected, jumps=30_000), agrees())


@check("thesis-3-030", policy="HOL")
def first_group(policy="PQ"):
    """(3.41) against the library and the chain; always below 0."""
    r, rho_1, *_ = (array[:SOME] for array in many())
    found, form = library(policy=policy)[1][:, 0], deviation_1(rho_1, r)
    return conclude(
        everywhere("the library's deviation and (3.41)", off(found - form, form), equal(BOUND)),
        as_chain("the chain's deviation and (3.41)", lambda r, law: law.deviations(r)[0],
                 lambda rho_1, rho_2, r, alpha: deviation_1(rho_1, r)),
        everywhere("the library's deviation", exact(found, point=None), smaller()),
        simulated_deviation(0, lambda rho_1, rho_2, r, alpha: deviation_1(rho_1, r), policy),
        whole=True,
    )  # fmt: skip


def as_printed(rho_1, rho_2, r, alpha):
    """(3.42)."""
    eta = eta_0(rho_1, rho_2, alpha)
    return (rho_1 + rho_2 - eta) / (1 - eta) - rho_2 / (1 - r)


@check("thesis-3-031", policy="HOL")
def second_group(policy="PQ"):
    """(3.42) as printed against the library and the chain."""
    r, rho_1, rho_2, alpha = (array[:SOME] for array in many())
    found = library(policy=policy)[1][:, 1]
    gap = off(found - as_printed(rho_1, rho_2, r, alpha), rho_2 / (1 - r), found)
    return conclude(
        everywhere("the library's deviation and (3.42)", gap, equal(BOUND)),
        as_chain("the chain's deviation and (3.42)", second, as_printed),
        simulated_deviation(1, as_printed, policy),
        whole=True,
    )


@check("thesis-3-032", policy="HOL")
def steps_of_the_proof(policy="PQ"):
    """(3.43) to (3.45): what the deviation of group 2 is made of; under HOL group 1 may wait while 2 is served."""
    if policy == "PQ":
        present, served = in_chain(lambda r, law: law.present[1]), in_chain(lambda r, law: law.obtained[1])
        there, found = np.array(points()).T, in_chain(second)
    else:
        line = uniprocessor.whole_line(policy, (0.6, 0.4), (0.2, 0.2), most_jobs=25)
        alone = (line.jobs[0] == 0) & (line.jobs[1] > 0)
        present, served = line.probability[line.jobs[1] > 0].sum(), line.probability[alone].sum()
        there, found = np.array([0.6, 0.2, 0.2, 1.0]), line.performance.group_share_deviation[1]
    r, rho_1, rho_2, alpha = there
    eta = eta_0(rho_1, rho_2, alpha)
    gaps = {
        "the share of group 2 is its load": served - rho_2,
        "its presence is by formula": present - (rho_1 + rho_2 - eta) / (1 - eta),
        "its deviation is made of both": found - (present - served / (1 - r)),
    }

    def by_library(*point):
        (r, rho_1, rho_2, alpha), result = point, answer(point, policy=policy)
        there, share, eta = result.probability_present[1], result.obtained_share[1], eta_0(rho_1, rho_2, alpha)
        return np.abs([
            share - rho_2, there - (rho_1 + rho_2 - eta) / (1 - eta),
            result.group_share_deviation[1] - (there - share / (1 - r)),
        ]).max()  # fmt: skip

    return conclude(
        *(at_all(text, np.abs(np.ravel(gap)) <= BOUND) for text, gap in gaps.items()),
        everywhere("each of the three and the library", at_random("random point").measure(by_library), equal(BOUND)),
        whole=True,
    )


@check("thesis-3-033", first=1)
@digits
def lemma(first=0):
    """Lemma 3.6: the slope of Delta_2 in rho_1; deviation and presence rise in the library and in the chain."""
    r, rho_1, rho_2, alpha = precise(many())
    some = [point for point in list(zip(*many()))[:SOME] if 1.01 * point[1] + point[2] < 1]

    def rises(r_1, _, other, ratio):
        laws = [two_numbers(part * (0.95 - other), other, ratio) for part in np.linspace(0.01, 0.99, 11)]
        return (np.diff([(law.present[1], law.deviations(r_1)[1]) for law in laws], axis=0) > 0).all()

    steps = cases("point", some).measure(lambda *point: moved(point, 1.01, first))
    return conclude(
        at_all("the slope of (3.42) in rho_1 is above 0", slope(deviation_2, (rho_1, rho_2, r, alpha), 0) > 0),
        as_library(first=first),
        at_all("the library's deviation rises with rho_1", steps["deviation"].value > 0),
        at_all("the presence of group 2 in the library rises with rho_1", steps["presence"].value > 0),
        everywhere("presence and deviation rise in the chain", at_random("chain", FEW, 33, 0.9).measure(rises)),
        whole=True,
    )


@check("thesis-3-034", exchanged=True)
@digits
def numerator(exchanged=False):
    """(3.47) against (3.42), the numerator (3.49) against differences, (3.48) against slopes of chain and library."""
    r, rho_1, rho_2, alpha = precise(many())
    eta = eta_0(rho_1, rho_2, alpha)
    found = 1 - eta - (1 - rho_1 - rho_2) * slope(eta_0, (rho_1, rho_2, alpha), 0)
    stated = ((alpha - 1) * eta + alpha + 1) * rho_2 / root(rho_1, rho_2, alpha)

    def slopes(share, one, other, ratio, step=1e-5):
        in_chain = [two_numbers(one + h, other, 1 / ratio if exchanged else ratio).present[1] for h in (step, -step)]
        in_library = [of_group_2((share, one + h, other, ratio), exchanged=exchanged) for h in (step, -step)]
        there = eta_0(one, other, ratio)
        expected = ((ratio - 1) * there + ratio + 1) * other / root(one, other, ratio) / (1 - there) ** 2
        return {name: (above - below) / (2 * step) / expected - 1
                for name, (above, below) in (("chain", in_chain), ("library", in_library))}  # fmt: skip

    gap = off(deviation_2(rho_1, rho_2, r, alpha) - as_printed(rho_1, rho_2, r, alpha), rho_2 / (1 - r))
    rising = at_random("random point", FEW, 34).measure(slopes)
    return conclude(
        everywhere("(3.47) and (3.42)", gap, equal(1e-12)),
        as_library("(3.47)", exchanged=exchanged),
        simulated_deviation(1, deviation_2, "HOL" if exchanged else "PQ"),
        everywhere("(3.49) and the numerator by differences", off(found - stated, stated), equal(1e-12)),
        everywhere("(3.48) and the slope of the chain", rising["chain"], equal(1e-4)),
        everywhere("(3.48) and the slope of the library's deviation", rising["library"], equal(1e-4)),
        whole=True,
    )


def fair_within(group, form, policy):
    """Clauses on a job-share deviation: the library, the chain, simulations, and its definition along paths."""
    arguments = tuple(array[:SOME] for array in many())
    found = library(policy=policy)[2][:, group]
    gap = off(found - form(*arguments[1:3], arguments[0], arguments[3]), found, np.full(SOME, 1e-6))
    systems, expected = [], []
    for r, rho_1, rho_2, alpha in points(8, 57):
        systems.append(dict(required_shares=(r, 1 - r), arrival_rates=(rho_1, rho_2 * alpha), service_rates=(1, alpha)))
        expected.append(np.where(np.arange(2) == group, form(rho_1, rho_2, r, alpha), np.nan))

    def undefined(number):
        """At how many intervals of a path (2.45) is not whether the group is served beside others of its own."""
        path = intervals(policy, *systems[number].values(), events=300, seed=number)
        return sum(
            interval.job_share_deviation(group) != (interval.obtained(2)[group] > 0 and interval.present(2)[group] > 1)
            for interval in path
        )

    return [
        everywhere("the library's job-share deviation and the formula", gap, equal(BOUND)),
        as_chain("that of the chain and the formula", lambda r, law: law.job_share_deviations[group], form),
        everywhere("the simulated deviation less the formula", simulations(
            policy, systems, expected, ("job_share_deviation",)
        ), agrees()),
        everywhere("(2.45) is whether the group is served beside others of its own at all times",
                   exact(cases("path", range(8)).measure(undefined).value == 0, path=None)),
    ]  # fmt: skip


@check("thesis-3-057", policy="HOL")
def job_share_1(policy="PQ"):
    """(3.74)."""
    return conclude(*fair_within(0, lambda rho_1, rho_2, r, alpha: rho_1**2, policy), whole=True)


@check("thesis-3-058", policy="HOL")
def job_share_2(policy="PQ"):
    """(3.75) to (3.77)."""

    def present(rho_1, rho_2, r, alpha):
        eta = eta_0(rho_1, rho_2, alpha)
        return (rho_1 + rho_2 - eta) / (1 - eta)

    return conclude(
        as_chain("one job of group 2 alone, in the chain and by (3.76),", lambda r, law: (law.first @ law.ratio)[0],
                 lambda *point: point[1] * (1 - present(*point))),
        *fair_within(1, lambda *point: point[1] * present(*point), policy),
        whole=True,
    )  # fmt: skip


@check("thesis-3-035", exchanged=True)
@digits
def theorem(exchanged=False):
    """Theorem 3.7: the side of the line, and the sign of Delta_2 by formula, library and chain."""
    r, rho_1, rho_2, alpha = precise(many())
    side = rho_1 - zero_line(rho_2, r, alpha)
    r_1, one, other, ratio = zeros(exchanged=exchanged)
    off_line, signs = exact(one - zero_line(other, r_1, ratio), zero=None), in_chain(second, exchanged)
    line = at_points(lambda rho_1, rho_2, r, alpha: rho_1 - zero_line(rho_2, r, alpha))
    sure = np.abs(signs) > BOUND
    return conclude(
        at_all(
            "the sign of (3.42) is that of the side of the line",
            (deviation_2(rho_1, rho_2, r, alpha) > 0) == (side > 0),
        ),
        as_library(exchanged=exchanged),
        everywhere("the library's zero and the line", off_line, equal(BOUND)),
        everywhere("the sign in the chain is that, too,", exact((np.sign(signs) == np.sign(line))[sure], chain=None)),
        whole=True,
    )


def from_absence(rho_1, rho_2, alpha, first=0):
    """eta(0) = 1 - (1 - rho) / P[N_2 = 0], of the chain and of the library."""
    absent = {
        "chain": 1 - rho_2 if first else two_numbers(rho_1, rho_2, alpha).first.sum(),
        "library": 1 - answer((0.6, rho_1, rho_2, alpha), first=first).probability_present[1],
    }
    return {name: 1 - (1 - rho_1 - rho_2) / value for name, value in absent.items()}


@check("thesis-3-036", first=1)
@digits
def bounds_of_eta(first=0):
    """(3.53) to (3.55): eta(0) from (3.40), its bounds, and what chain and library make of it."""
    _, rho_1, rho_2, alpha = precise(many())
    eta, falling = eta_0(rho_1, rho_2, alpha), slope(eta_0, (rho_1, rho_2, alpha), 1)
    half = 1 + rho_1 + alpha * rho_2

    def gaps(_, *point):
        return {name: value / eta_0(*point) - 1 for name, value in from_absence(*point, first=first).items()}

    def falls(_, one, other, ratio):
        found = [from_absence(one, part * (0.97 - one), ratio, first=first) for part in np.linspace(0.01, 0.99, 11)]
        return {name: (np.diff([values[name] for values in found]) < 0).all() for name in found[0]}

    gaps = at_random("random point", 200).measure(gaps)
    falls = at_random("random point", FEW, 36).measure(falls)
    return conclude(
        everywhere("(3.53) and (3.40)", off(eta - (half - np.sqrt(half**2 - 4 * rho_1)) / 2, rho_1), equal(1e-30)),
        at_all("eta(0) is between 0 and rho_1, and falls", (eta > 0) & (eta < rho_1) & (falling < 0)),
        *(everywhere(f"eta(0) and that of the {name}", gap, equal(1e-7)) for name, gap in gaps.items()),
        *(everywhere(f"eta(0) of the {name} falls", fall) for name, fall in falls.items()),
        whole=True,
    )


def sign_where(r, rho_1, rho_2, alpha, sign, **wrong):
    """Whether Delta_2 has a sign at all points by formula, and at some by the library and by the chain."""
    some = list(zip(r[:SOME], rho_1[:SOME], rho_2[:SOME], alpha[:SOME]))
    of_library = cases("point", some).measure(lambda *point: of_group_2(point, **wrong)).value
    gap = off(of_library - deviation_2(rho_1, rho_2, r, alpha)[:SOME], (rho_2 / (1 - r))[:SOME])
    in_chains = cases("chain", [(*point[:3], float(np.clip(point[3], 0.05, 20))) for point in some[:100]])
    of_chain = in_chains.measure(lambda share, *law: sign * two_numbers(*map(float, law)).deviations(share)[1])
    stated = "above" if sign > 0 else "below"
    return conclude(
        at_all(f"(3.42) is {stated} 0", sign * deviation_2(*precise((rho_1, rho_2, r, alpha))) > 0),
        everywhere("the library's deviation and (3.42)", gap, equal(BOUND)),
        everywhere(f"the deviation in the chain is {stated} 0", exact(of_chain.value > 0, chain=None)),
        whole=True,
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

    def form(rho_1, rho_2, r_1, alpha):
        eta, r_2 = eta_0(rho_1, rho_2, alpha), 1 - r_1
        return ((r_2 - r_1 / rho_1 * rho_2) * rho_1 - (r_2 - rho_2) * eta) / ((1 - eta) * r_2)

    r, rho_1, rho_2, alpha = precise(many())
    gap = off(form(rho_1, rho_2, r, alpha) - deviation_2(rho_1, rho_2, r, alpha), rho_2 / (1 - r))
    return conclude(
        everywhere("(3.57) and (3.42)", gap, equal(1e-12)),
        as_library(exchanged=exchanged),
        as_chain("the chain's deviation and (3.57)", second, form, exchanged),
        whole=True,
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

    def gap(one, other, ratio, value):
        law = two_numbers(float(one), float(other), float(1 / ratio if exchanged else ratio))
        return 1 - (1 - one - other) / law.first.sum() - value

    some = cases("chain", list(zip(rho_1, rho_2, alpha, expected))[:20])
    return conclude(
        everywhere("(3.59) and (3.40) where the library's deviation is 0",
                   exact(eta_0(rho_1, rho_2, alpha) - expected, zero=None), equal(BOUND)),
        everywhere("(3.59) and eta(0) of the chain", some.measure(gap), equal(BOUND)),
        whole=True,
    )  # fmt: skip


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
    rng = np.random.default_rng(41)

    def follows(r_1, part, alpha, *places):
        rho_2, r_2, factors = part * (1 - r_1), 1 - r_1, set()
        a_0, a_1, a_2 = coefficients(r_1, rho_2, 1 / alpha if exchanged else alpha)
        for rho_1 in places:
            # Both sides of (3.60) squared, times (r_2 - rho_2)^2, over rho_2.
            right = (1 + rho_1 + alpha * rho_2) * (r_2 - rho_2) - 2 * r_2 * rho_1 + 2 * r_1 * rho_2
            squared = (((1 + rho_1 + alpha * rho_2) ** 2 - 4 * rho_1) * (r_2 - rho_2) ** 2 - right**2) / rho_2
            value = a_0 + a_1 * rho_1 + a_2 * rho_1**2
            if (value == 0) != (squared == 0):
                return False
            factors |= {squared / value} if value else set()
        return len(factors) == 1

    random = cases("random fraction", [
        tuple(Fraction(int(k), 997) for k in rng.integers(1, 996, 8)) for _ in range(200)
    ], seed=41)  # fmt: skip
    r_1, _, rho_2, alpha = on_the_line()
    a_0, a_1, a_2 = coefficients(r_1, rho_2, alpha)
    low, high = printed.roots(r_1, rho_2, alpha)
    half, middle = np.sqrt(a_1**2 - 4 * a_0 * a_2) / (2 * a_2), -a_1 / (2 * a_2)
    gaps = [off(x - solved, solved) for x, solved in ((low, middle - half), (high, middle + half))]
    r, one, other, ratio = zeros(exchanged=exchanged)
    return conclude(
        everywhere("(3.61) follows from (3.60)", random.measure(follows)),
        everywhere("(3.65) and the lower root of (3.61)", gaps[0], equal(1e-12)),
        everywhere("(3.66) and the upper root of (3.61)", gaps[1], equal(1e-12)),
        at_all("the lower root is between 0 and r_1, the upper one above", (0 < low) & (low < r_1) & (r_1 < high)),
        everywhere("the library's zero and the lower root",
                   exact(one - printed.roots(r, other, ratio)[0], zero=None), equal(BOUND)),
        whole=True,
    )  # fmt: skip


@check("thesis-3-042", upper=True)
@digits
def three_forms(upper=False):
    """The display after (3.66): the forms agree, are positive, and are the root where the library's zero is."""
    r_1, _, rho_2, alpha = on_the_line()
    first, second_form, third = printed.right_side(r_1, rho_2, alpha, upper)
    size = (1 + alpha) / (1 - r_1 - rho_2)
    r, one, other, ratio = zeros()
    value = printed.right_side(r, other, ratio, upper)[0]
    there = off(value - root(one, other, ratio), np.ones(len(r)), (1 + ratio) / (1 - r - other))
    return conclude(
        everywhere("the first form and the second", off(first - second_form, size), equal(1e-12)),
        everywhere("the second form and the third", off(second_form - third, size), equal(1e-12)),
        at_all("the third form is above 0", third > 0),
        everywhere("the first form and the root where the library's deviation is 0", there, equal(BOUND)),
        whole=True,
    )


@check("thesis-3-043", upper=True)
@digits
def third_inequality(upper=False):
    """The last bound of that display: printed r_2 + rho_2, right r_2 + alpha rho_2."""
    r_1, _, rho_2, alpha = on_the_line()
    alpha[::100] = decimal.Decimal(1)
    value, r_2 = printed.right_side(r_1, rho_2, alpha, upper)[2], 1 - r_1
    above = value > (r_2**2 - rho_2**2) / (r_2 - rho_2)
    example = printed.right_side(0.772, 0.2198, 0.0103, upper)[2], 0.228 + 0.2198
    return mended(
        at_all("the third form is above r_2 + rho_2, as printed,", above),
        at_all("it is above r_2 + alpha rho_2", value > r_2 + alpha * rho_2),
        aside("the part of the points with alpha below 1, and from 1 on, at which it is above r_2 + rho_2",
              exact([above[alpha < 1].mean(), above[alpha >= 1].mean()], alpha=("below 1", "from 1 on"))),
        aside("it less r_2 + rho_2 at r_1 = 0.772, rho_2 = 0.2198, alpha = 0.0103", exact(example[0] - example[1])),
    )  # fmt: skip


@check("thesis-3-044", first=1)
@digits
def proposition(first=0):
    """(3.67) to (3.69): gamma as the limit of the library's zero, its bounds and slope, and chains over alpha."""
    r, _, _, alpha = precise(many())
    line, falling = gamma(r, alpha), slope(gamma, (r, alpha), 1)

    def gap(share, _, __, ratio):
        return zero(share, 1e-6, ratio, first=first) - gamma(share, ratio)

    def rises(share, one, other, _):
        in_chain = [second(share, two_numbers(one, other, ratio)) for ratio in RATIOS]
        in_library = [of_group_2((share, one, other, ratio), first=first) for ratio in RATIOS]
        return {"chain": (np.diff(in_chain) > 0).all(), "library": (np.diff(in_library) > 0).all()}

    return conclude(
        at_all("gamma is between 0 and r_1, and falls with alpha", (line > 0) & (line < r) & (falling < 0)),
        everywhere("gamma and the library's zero", at_random("random point", 50, 44).measure(gap), equal(1e-4)),
        *(everywhere(f"the deviation rises with alpha in the {name}", rise)
          for name, rise in at_random("random point", FEW, 45).measure(rises).items()),
        whole=True,
    )  # fmt: skip


@check("thesis-3-048", first=1)
@digits
def eta_falls_with_alpha(first=0):
    """(3.73) against differences, and eta(0) as chain and library have it, at fixed loads."""
    _, rho_1, rho_2, alpha = precise(many())
    found = slope(eta_0, (rho_1, rho_2, alpha), 2)
    half = 1 + rho_1 + alpha * rho_2
    stated = rho_2 / 2 * (1 - half / np.sqrt(half**2 - 4 * rho_1))

    def falls(_, one, other, __):
        found = [from_absence(one, other, ratio, first) for ratio in RATIOS]
        return {name: (np.diff([values[name] for values in found]) < 0).all() for name in found[0]}

    return conclude(
        everywhere("(3.73) and the slope by differences", off(found - stated, stated), equal(1e-12)),
        at_all("the slope is below 0", found < 0),
        *(everywhere(f"eta(0) of the {name} falls with alpha", fall)
          for name, fall in at_random("random point", FEW, 48).measure(falls).items()),
        whole=True,
    )  # fmt: skip


SHARES = (0.5 + 1e-6, 0.6, 0.7, 0.8, 0.9, 0.99)  # of group 1; at one half there is no first group


@check("thesis-3-045", exchanged=True)
def extreme_ratios(exchanged=False):
    """Where the library's deviation of group 2 vanishes, for ever more extreme ratios of the service rates."""

    def approaches(r, limit):
        sign = 1 if limit == "0" else -1
        places = [zero(r, 1e-9, 10.0 ** (sign * k), exchanged=exchanged) for k in range(1, 7)]
        gaps = np.abs(np.array(places) - (r if limit == "r_1" else 0))
        return {"nearer": (np.diff(gaps) < 0).all(), "last": gaps[-1]}

    found = grid(required_share=SHARES, limit=("r_1", "0")).measure(approaches)
    line = grid(required_share=SHARES, part=(0.1, 0.5, 0.9)).measure(
        lambda r, part: zero(r, part * (1 - r), 1e-6, exchanged=exchanged) - r
    )
    return conclude(
        everywhere("the zero is nearer to its limit with every tenfold ratio", found["nearer"]),
        everywhere("its distance at a ratio of a million", found["last"], at_most(1e-4)),
        everywhere("all of the line, less r_1, at a ratio of a millionth", line, between(-1e-4, 1e-4)),
        whole=True,
    )


@check("thesis-3-046", rate=2.0)
def gamma_at_one(rate=1.0):
    """(3.52) and where the library's deviation vanishes, for equal service rates."""
    domain = cases("required share", np.linspace(0.5 + 1e-6, 0.99, 50))
    stated = domain.measure(lambda r: 1 - math.sqrt(1 - r))
    return conclude(
        everywhere("(3.52) and 1 - sqrt(r_2)", domain.measure(lambda r: gamma(r, rate)) - stated, equal(1e-12)),
        everywhere("the library's zero and it", domain.measure(lambda r: zero(r, 1e-9, rate)) - stated, equal(1e-6)),
        whole=True,
    )


@check("thesis-3-047", exchanged=True)
@digits
def limit_of_the_root(exchanged=False):
    """The bracket of (3.52) against b / 2 as its argument grows; in the wrong one r_1 and r_2 are exchanged."""

    def approaches(k):
        r = decimal.Decimal(k) / 100
        b, arguments = 4 * r / (1 - r), [decimal.Decimal(10) ** n for n in range(1, 13)]
        gaps = [abs(printed.excess(1 - r if exchanged else r, one) / (b / 2) - 1) for one in arguments]
        tenfold = [abs(gap / after - 10) < decimal.Decimal("0.2")
                   for one, gap, after in zip(arguments, gaps, gaps[1:]) if one >= 100 * (b + 1)]  # fmt: skip
        return {"falls": all(np.diff(gaps) < 0), "tenfold": all(tenfold), "last": gaps[-1]}

    found = cases("required share", range(1, 100)).measure(approaches)
    return conclude(
        everywhere("the root is nearer to b/2 with every tenfold argument", found["falls"]),
        everywhere("it is ten times as near where the argument is large", found["tenfold"]),
        everywhere("in the end the root and b/2", found["last"], equal(1e-9)),
        whole=True,
    )


@check("thesis-3-049", load=0.8)
def common_point(load=1.0):
    """Where the library's deviation of group 2 vanishes along lines of ever higher total load, and the chain there."""

    def crossing(r, alpha, k):
        """The load of group 1 on the line of total load `load` (1 - 10^-k); nan if the deviation has one sign."""
        total = load * (1 - 10.0**-k)

        def value(rho_1):
            return of_group_2((r, rho_1, total - rho_1, alpha))

        low, high = 1e-9, total - 1e-9
        return brentq(value, low, high, xtol=1e-12) if value(low) < 0 < value(high) else math.nan

    def in_chains(k, r, alpha):
        place = crossing(r, alpha, k)
        return second(r, two_numbers(place, load * (1 - 10.0**-k) - place, alpha)) if place == place else 0.0

    places = grid(k=range(2, 9), required_share=SHARES, alpha=(1e-3, 1e-2, 1.0, 1e2, 1e3)).measure(
        lambda k, r, alpha: crossing(r, alpha, k) - r
    )
    spread = exact(np.ptp(places.value, axis=2).max(axis=1), k=range(2, 9))
    chains = grid(k=(1, 2), r_1=(0.55, 0.75, 0.95), alpha=(1e-3, 1.0, 1e3)).measure(in_chains)
    return conclude(
        everywhere("at a load of 1 - 1e-8 the zero less r_1", places.at(k=8), between(-1e-5, 1e-5)),
        everywhere("the spread over alpha at a load of 1 - 1e-8", spread.at(k=8), at_most(1e-5)),
        everywhere("the spread is smaller, the next load closer to 1,", exact(np.diff(spread.value) < 0, step=None)),
        everywhere("the deviation in the chain at the library's zeros", chains, between(-1e-8, 1e-8)),
        whole=True,
    )


@check("thesis-3-127", policy="HOL")
def signs_in_the_plane(policy="PQ"):
    """The region drawn in Figure 3.3 against the signs in the chain and the library; the control asks this of HOL."""

    def of_chain(rho_2, rho_1, r, alpha):
        return second(r, two_numbers(rho_1, rho_2, alpha))

    def of_library(rho_2, rho_1, r, alpha):
        return answer((r, rho_1, rho_2, alpha), policy=policy).group_share_deviation[1]

    def wrong(alpha, r):
        (places, in_chain), (_, found) = (
            on_grid(functools.partial(one, r=r, alpha=alpha), most=1.0) for one in (of_chain, of_library)
        )
        drawn, judged = Path(above_the_line(r, alpha)).contains_points(places), np.abs(in_chain) > BOUND
        sides = (drawn != (in_chain > 0)) | (drawn != (found > 0))
        beyond = ((in_chain > 0) | (found > 0))[places[:, 0] >= 1 - r]
        return {"side": sides[judged].sum(), "beyond": beyond.sum(), "apart": np.abs(in_chain - found).max()}

    found = grid(alpha=(0.1, 1.0, 10.0), r_1=(0.55, 0.6, 0.7, 0.9)).measure(wrong)
    return conclude(
        everywhere("the number of places on the wrong side of the line drawn", found["side"], at_most(0)),
        everywhere("the number of places above 0 beyond r_2", found["beyond"], at_most(0)),
        everywhere("the deviation of the library and that of the chain", found["apart"], equal(BOUND)),
        whole=True,
    )


@check("thesis-3-128", permanent=1)
def moving_upwards(permanent=0):
    """The library's deviation of group 2 along vertical lines, from no load of group 1 on, and the chain's."""
    rng, along, lines = np.random.default_rng(128), np.append(np.linspace(0, 0.95, 19), 1), []
    along[0] = 1e-9 * (permanent > 0)  # somebody must come beside permanent jobs
    for number in range(60):
        r, alpha = rng.uniform(0.501, 0.99), 10 ** rng.uniform(-3, 3)
        rho_2 = rng.uniform(0.02, 0.98) * rng.uniform(0.02, 0.98)
        lines.append(
            (r, rho_2 * (1 - r if number % 2 and rho_2 > 1 - r else 1), alpha)
        )  # as many on either side of r_2

    def of_library(r, rho_2, alpha):
        whole = 1 - rho_2 - 1e-9
        values = np.array([of_group_2((r, part * whole, rho_2, alpha), permanent=permanent) for part in along])
        changes = (np.diff(np.sign(values)) != 0).sum()
        return {"begins": values[0], "rises": (np.diff(values) > 0).all(), "crosses": changes == (rho_2 < 1 - r)}

    def of_chain(r, rho_2, alpha):
        ones = np.linspace(0, 0.95 - rho_2, 6)
        law = [second(r, two_numbers(float(one), rho_2, alpha)) for one in ones]
        same = [value * of_group_2((r, one, rho_2, alpha)) > 0 for one, value in zip(ones, law) if abs(value) > BOUND]
        return (np.diff(law) > 0).all() and all(same)

    found = cases("vertical line", lines, seed=128).measure(of_library)
    light = cases("chain", [line for line in lines[:20] if line[1] < 0.9])
    usual = [line for line in lines if 0.2 < line[2] < 5 and line[1] < 0.8][:4]
    places = [(r, part * (0.9 - rho_2), rho_2, alpha) for r, rho_2, alpha in usual for part in (0.2, 1)]
    runs = [
        dict(required_shares=(r, 1 - r), arrival_rates=(one, two * alpha), service_rates=(1.0, alpha))
        for r, one, two, alpha in places
    ]
    runs = simulations("PQ", runs, [[np.nan, of_group_2(place)] for place in places], jumps=20_000, warmup=2_000)
    return conclude(
        everywhere("the deviation without group 1", found["begins"], smaller()),
        everywhere("it rises at each step", found["rises"]),
        everywhere("it is above 0 in the end if rho_2 is below r_2, and never otherwise,", found["crosses"]),
        everywhere("it rises in the chain, with the library's signs,", light.measure(of_chain)),
        whole=True,
        provided=[everywhere("a simulation less the library's deviation", runs, agrees())],
    )


def first_passage(rho, mu, waits=0.0, other=1.0, length=2000):
    """Mean time from a job of group 1 to none in the chain of its number, by linear equations.

    With a probability `waits` it finds a job of group 2 in service, at a rate `other`, and waits for its end.
    """
    up, down = np.full(length, rho * mu), np.full(length, mu)
    up[-1] = 0
    equations = sparse.diags_array([-down[1:], up + down, -up[:-1]], offsets=[-1, 0, 1], format="csc")
    served = linalg.spsolve(equations, np.ones(length))
    if not waits:
        return float(served[0])
    equations = sparse.diags_array([up + other, -up[:-1]], offsets=[0, 1], format="csc")
    delayed = linalg.spsolve(equations, 1 + other * served)
    return float(waits * delayed[0] + (1 - waits) * served[0])


def mean_busy_period(exactly, arrivals):
    """That of group 1 by its presence in an exact answer: it is absent for 1 / `arrivals` at a time, on average."""
    there = exactly.probability_present[0]
    return there / (1 - there) / arrivals


def busy_periods(policy, loads, services, seed, events, most=None):
    """The lengths of the times in which there are jobs of group 1, along a path."""
    lengths, begun = [], None
    rates = np.multiply(loads, services).tolist()
    for interval in intervals(policy, (0.6, 0.4), rates, services, events=events, seed=seed):
        there = any(job.group == 0 for job in interval.jobs)
        if there and begun is None:
            begun = interval.start
        elif not there and begun is not None:
            lengths.append(interval.start - begun)
            begun = None
            if len(lengths) == most:
                break
    return np.array(lengths)


@check("thesis-3-050", policy="HOL")
def busy_period(policy="PQ"):
    """Mean busy period of group 1: first passage in the chain, along paths in 20 batches of periods, by the library."""
    rng, batches, expected, found, least = np.random.default_rng(50), 20, [], [], []

    def gap(mu_1, rho_1, alpha, rho_2):
        waits = 0.0
        if policy == "HOL":
            alone = 1 - answer((0.6, rho_1, rho_2, alpha), policy=policy).probability_present[0]
            waits = 1 - (1 - rho_1 - rho_2) / alone
        return first_passage(rho_1, mu_1, waits, alpha * mu_1) * mu_1 * (1 - rho_1) - 1

    def by_library(mu_1, rho_1, alpha, rho_2):
        rates = rho_1 * mu_1, rho_2 * alpha * mu_1
        exactly = uniprocessor.exact(policy, (0.6, 0.4), rates, (mu_1, alpha * mu_1))
        return mean_busy_period(exactly, rates[0]) * mu_1 * (1 - rho_1) - 1

    systems = []
    for seed in range(16):
        mu_1, rho_1, alpha = rng.uniform(0.2, 5), rng.uniform(0.02, 0.95), 5 ** rng.uniform(-1, 1)
        rho_2 = rng.uniform(0.02, 0.95) * (1 - rho_1)
        systems.append((mu_1, rho_1, alpha, rho_2))
        lengths = busy_periods(policy, (rho_1, rho_2), (mu_1, alpha * mu_1), seed, events=15_000, most=400)
        least.append(len(lengths))
        expected.append(1 / mu_1 / (1 - rho_1))
        found.append(from_replications(lengths[: len(lengths) // batches * batches].reshape(batches, -1).mean(axis=1)))
    return conclude(
        everywhere("the mean busy period of the chain and 1/(mu_1 (1 - rho_1))",
                   cases("random system", systems, seed=50).measure(gap), equal(1e-8)),
        everywhere("that by the library's presence and it",
                   cases("random system", systems, seed=50).measure(by_library), equal(BOUND)),
        agree("1/(mu_1 (1 - rho_1)), against busy periods on paths,", expected, found, batches),
        everywhere("the number of busy periods on a path", exact(least, path=None), at_least(40)),
        whole=True,
    )  # fmt: skip


# How a load that vanishes may do so, as the rest 1 - rho does.
VANISHING = {"sqrt(1 - rho)": np.sqrt, "1 - rho": lambda rest: rest, "(1 - rho)^2": np.square}


@check("thesis-3-051", policy="HOL")
def example(policy="PQ"):
    """The example by the library, the printed formula, the chain and simulations; and FCFS at random systems."""
    system = dict(required_shares=(0.6, 0.4), arrival_rates=(0.5, 0.1))
    value, formula = uniprocessor.exact(policy, **system).group_share_deviation[1], deviation_2(0.5, 0.1, 0.6, 1.0)
    rng, systems = np.random.default_rng(51), []
    for r, part in rng.uniform((0.501, 0.02), (0.99, 1), (200, 2)):
        systems.append(((r, 1 - r), (r * part, rng.uniform(0.02, 0.98) * (1 - r * part))))
    first_come = cases("random system", systems, seed=51).measure(
        lambda *system: uniprocessor.exact("FCFS", *system).group_share_deviation[1]
    )
    return conclude(
        everywhere("the deviation of group 2", exact(value), between(0.0525, 0.0535)),
        everywhere("it and the formula", exact(value - formula), equal(BOUND)),
        everywhere("it and the chain", exact(value - second(0.6, two_numbers(0.5, 0.1, 1.0))), equal(BOUND)),
        everywhere("a simulation less the formula", simulations(policy, [system], [[np.nan, formula]]), agrees()),
        everywhere("the deviation of group 2 under FCFS", first_come, at_most(0)),
        whole=True,
    )


@check("thesis-3-052", first=1)
def limit_of_group_2(first=0):
    """The library's deviation of group 2 as the load rises to 1 on many paths, at loads of 1 - 10^-k."""
    rng, rests = np.random.default_rng(52), 10.0 ** -np.arange(1, 10)

    def approaches(r, alpha, bar, loads):
        """Whether it tends to the stated limit when group 2 has these loads, and its last value."""
        values = [of_group_2((r, 1 - rest - rho_2, rho_2, alpha), first=first) for rest, rho_2 in zip(rests, loads)]
        gaps = np.abs(np.array(values) - (1 - bar / (1 - r)))
        allowed = 1e-4 * (1 if bar else 1 / (1 - r) + alpha**-0.5)
        return gaps[-1] < allowed and (np.diff(gaps[2:]) < 0).all(), values[-1]

    def drawn(count):
        return list(zip(rng.uniform(0.501, 0.99, count), 20 ** rng.uniform(-1, 1, count)))

    bars = np.append(1000 ** -rng.random(39), 1.0)
    with_limit = cases("random system", [(*one, bar) for one, bar in zip(drawn(40), bars)], seed=52)

    def vanishing(name):
        """Whether all systems approach the limit, and how far they are from what we derive for 1 - rho."""
        systems = drawn(12)
        found = [approaches(r, alpha, 0.0, VANISHING[name](rests)) for r, alpha in systems]
        w = np.sqrt([1 + 4 * alpha for _, alpha in systems])
        other = np.abs([value for _, value in found] - (w - 1) / (w + 1)).max()
        return {"stated": all(good for good, _ in found), "derived": other}

    ways, (r, rho_1, rho_2, alpha) = cases("vanishing load", VANISHING).measure(vanishing), (0.6, 0.55, 0.4, 2.0)
    system = dict(required_shares=(r, 1 - r), arrival_rates=(rho_1, rho_2 * alpha), service_rates=(1.0, alpha))
    simulated = simulations("PQ", [system], [[np.nan, deviation_2(rho_1, rho_2, r, alpha)]])
    return conclude(
        everywhere("with rhobar_2 from 0.001 to 1 the deviation tends to the limit stated",
                   with_limit.measure(lambda r, alpha, bar: approaches(r, alpha, bar, bar * (1 - rests))[0])),
        at_each("with rhobar_2 = 0 it tends to the limit stated", ways["stated"]),
        aside("how far the last value is from (w - 1)/(w + 1), w the root of 1 + 4 alpha,", ways["derived"]),
        provided=[everywhere("a simulation less (3.42)", simulated, agrees())],
    )  # fmt: skip


@check("thesis-3-053", permanent=1)
def which_limit(permanent=0):
    """The limits as rho_1 rises to some point, and as rho rises to 1."""
    rng = np.random.default_rng(53)
    systems = [(0.6, 0.2, 1.0, 0.625), *rng.uniform((0.501, 0.01, 0.05, 0.05), (0.99, 0.9, 20, 0.95), (99, 4)).tolist()]

    def gaps(r, rho_2, alpha, part):
        stated = -(rho_2 - (1 - r)) / (1 - r)
        ends = {"far": part * (1 - rho_2) - 1e-9, "near": 1 - rho_2 - 1e-9}
        return {end: abs(of_group_2((r, rho_1, rho_2, alpha), permanent=permanent) - stated)
                for end, rho_1 in ends.items()}  # fmt: skip

    found = cases("random system", map(tuple, systems), seed=53).measure(gaps)
    return mended(
        everywhere("as printed, the distance at some rho_1 to the value stated", found["far"], at_most(1e-4)),
        everywhere("as rho rises to 1, the distance", found["near"], at_most(1e-4)),
        everywhere("the distance at another point", found["far"], at_least(1e-4)),
    )


@check("thesis-3-131", policy="HOL", exchanged=True)
def who_falls_short(policy="PQ", exchanged=False):
    """The signs of the limits under PQ and under FCFS, inside and at both ends."""
    rng, rests, systems = np.random.default_rng(131), 10.0 ** -np.array([3, 6, 9]), []

    def deviations(name, r, one, other, alpha=1.0, exchanged=False):
        """Those of both groups at these loads; in the wrong system the required shares are exchanged."""
        order = (1 - r, r) if exchanged else (r, 1 - r)
        result = uniprocessor.exact(name, order, (RATE * one, RATE * other * alpha), (RATE, RATE * alpha))
        return result.probability_present - result.obtained_share / np.array([r, 1 - r])

    def vanishes(size):
        """Whether each falls with the rest, from the first to the last."""
        return (size[1] <= 0.1 * size[0]) & (size[2] <= 0.1 * size[1])

    def nobody(name, r, one, other, alpha=1.0, exchanged=False):
        """Whether no group falls short in the limit of these loads of the groups."""
        values = [deviations(name, r, *loads, alpha, exchanged) for loads in zip(one, other)]
        return bool(np.all(vanishes(np.abs(values)) | (values[2] < 0)))

    for number, (r, bar) in enumerate(rng.uniform((0.501, 0.01), (0.99, 0.99), (100, 2))):
        near = (1 - r) * (1, 1 - 1e-3, 1 + 1e-3)[number // 10 % 3]
        systems.append((r, near if number % 10 == 0 else bar, 20 ** rng.uniform(-1, 1)))

    def inside(r, bar, alpha):
        loads = (1 - bar) * (1 - rests), bar * (1 - rests)
        kept = nobody(policy, r, *loads, alpha, exchanged), nobody("FCFS", r, *loads)
        at_the_edge = bar != 1 - r or all(those_vanish(r, *loads, alpha))
        return kept == (bar >= 1 - r, bar == 1 - r) and at_the_edge

    def those_vanish(r, one, other, alpha):
        """Whether the deviations that vanish in the limit, of group 2 under PQ and of both under FCFS, do so."""
        for name, groups, ratio in ((policy, [1], alpha), ("FCFS", [0, 1], 1.0)):
            values = [
                deviations(name, r, *loads, ratio, exchanged and name == policy)[groups] for loads in zip(one, other)
            ]
            yield vanishes(np.abs(values)).all()

    paths = {"is 0": np.zeros_like, **{f"is {name}": path for name, path in VANISHING.items()}}

    def at_an_end(vanishing, name, r):
        loads = (paths[name](rests), 1 - rests - paths[name](rests))[:: 1 if vanishing == 1 else -1]
        return nobody(policy, r, *loads, 2.0, exchanged) == (vanishing == 1) and not nobody("FCFS", r, *loads)

    two = [dict(required_shares=(0.6, 0.4), arrival_rates=(0.95 - y, y)) for y in (0.2, 0.6)]
    ends = grid(group=(1, 2), load=paths, r_1=(0.55, 0.9)).measure(at_an_end)

    def simulated(name):
        expected = [[uniprocessor.exact(name, **system).group_share_deviation] for system in two]
        return simulations(policy if name == "PQ" else name, two, expected)

    return conclude(
        everywhere("PQ keeps group 2 just if rhobar_2 is at least r_2, and FCFS all groups just if it is r_2,",
                   cases("random system", systems, seed=131).measure(inside)),
        *(everywhere(f"so it is where the load of group {group} vanishes", ends.at(group=group)) for group in (1, 2)),
        provided=[everywhere("a simulation less the library's answer",
                             cases("policy", ("PQ", "FCFS")).measure(simulated), agrees())],
    )  # fmt: skip


@check("thesis-3-129", policy="HOL")
def what_alpha_changes(policy="PQ"):
    """Obtained shares and presence in the chain as alpha rises at fixed loads; the control asks the library of HOL."""
    rng, loads = np.random.default_rng(129), (0.4, 0.3)

    def changes(rho, part, r):
        rho_1, rho_2, found, library = rho * part, rho * (1 - part), [], []
        for alpha in RATIOS:
            exactly = answer((r, rho_1, rho_2, alpha), policy=policy)
            there = exactly.probability_present, exactly.obtained_share
            if policy == "PQ":
                one = two_numbers(rho_1, rho_2, alpha)
                library.append(np.abs(np.subtract(there, (one.present, one.obtained))).max())
                there = one.present, one.obtained
            found.append(np.ravel(there))
        first, second, *obtained = np.transpose(found)
        gaps = np.subtract([first, *obtained], [[rho_1], [rho_1], [rho_2]])
        return {"same": np.abs(gaps).max(), "rises": (np.diff(second) > 0).all(), "library": max(library, default=0)}

    systems = [(rng.uniform(0.05, 0.9), rng.uniform(0.05, 0.95), rng.uniform(0.501, 0.99)) for _ in range(12)]
    found = cases("random system", systems, seed=129).measure(changes)
    systems = [dict(required_shares=(0.6, 0.4), arrival_rates=(loads[0], loads[1] * alpha), service_rates=(1.0, alpha))
               for alpha in (0.2, 5.0)]  # fmt: skip
    expected = [[[loads[0], two_numbers(*loads, alpha).present[1]], loads] for alpha in (0.2, 5.0)]
    simulated = simulations(policy, systems, expected, ("probability_present", "obtained_share"))
    return conclude(
        everywhere("P[N_1 > 0] and the obtained shares, and the loads,", found["same"], equal(1e-8)),
        everywhere("P[N_2 > 0] rises with alpha at each step", found["rises"]),
        everywhere("the library's presence and shares and those of the chain", found["library"], equal(BOUND)),
        everywhere("a simulated presence or share less the chain's", simulated, agrees()),
        whole=True,
    )


@check("thesis-3-130", ratio=0.1)
def why_it_gets_worse(ratio=10.0):
    """Mean busy periods of group 1 as alpha changes at fixed loads in three ways, and the deviation meanwhile."""
    ways = {"mu_1 lowered": (1 / ratio, 1.0), "mu_2 raised": (1.0, ratio), "both": (ratio**-0.5, ratio**0.5)}
    loads = {0.3: 0.3, 0.6: 0.2, 0.2: 0.7}

    def found(rho_1, way):
        before, after = first_passage(rho_1, 1.0), first_passage(rho_1, ways[way][0])
        rho = rho_1, loads[rho_1]
        periods = busy_periods("PQ", rho, ways[way], seed=3, events=4000)
        exactly = uniprocessor.exact("PQ", (0.6, 0.4), np.multiply(rho, ways[way]), ways[way])
        return {
            "longer": after / before - 1, "deviation": exactly.group_share_deviation[1],
            "library": mean_busy_period(exactly, rho_1 * ways[way][0]) / after - 1,
            "off": abs(np.mean(periods) - after) / (np.std(periods, ddof=1) / len(periods) ** 0.5),
        }  # fmt: skip

    found = grid(load=loads, way=ways).measure(found)
    same = exact(np.ptp(found["deviation"].value, axis=1), load=loads)
    return conclude(
        at_each("what the change adds to the mean busy period, in parts,", found["longer"], larger(1e-9)),
        provided=[
            everywhere("the range of the deviation over the three ways", same, at_most(1e-9)),
            everywhere("the mean by the library's presence and that of the chain", found["library"], equal(BOUND)),
            everywhere("a mean on a path, in standard errors from that of the chain,", found["off"], at_most(4)),
        ],
    )


@check("thesis-3-132", policy="FCFS")
def strongest_favour(policy="PQ"):
    """Presence and deviations of both groups under a policy against all others."""
    rng, sign, rows, gaps = np.random.default_rng(132), np.array([1, -1]), [], []  # group 1 least, group 2 most
    simulated = []
    for number in range(100):
        few = number < 12
        r, rho, x = rng.uniform(0.501, 0.99), rng.uniform(0.02, 0.8 if few else 0.9), rng.uniform(0.02, 0.98)
        system = (r, 1 - r), (rho * x, rho * (1 - x))
        of_it = uniprocessor.exact(policy, *system)
        ours = np.array([of_it.probability_present, of_it.group_share_deviation])
        gaps.append(ours[0, 0] - rho * x)
        if few:
            simulated.append((dict(zip(("required_shares", "arrival_rates"), system)), ours))
        for name in uniprocessor.POLICIES:
            slow = name in ("PPS", "GPPS", "UD")
            if name == policy or (slow and not few):
                continue
            if name == "UD":
                result = uniprocessor.simulate(name, *system, jumps=20_000, warmup=2000, replications=20, seed=number)
                both = result.probability_present, result.group_share_deviation
                theirs, doubt = (np.array([getattr(one, part) for one in both]) for part in ("value", "half_width"))
                doubt = doubt * widened(48, 20, RISK)
            else:
                result = uniprocessor.exact(name, *system, tolerance=1e-6 if slow else None)
                theirs, doubt = np.array([result.probability_present, result.group_share_deviation]), result.error
            rows.append(((theirs - ours) * sign + doubt).min())
    return conclude(
        everywhere("what another policy adds for group 1 and takes from group 2, with its doubt,",
                   exact(rows, comparison=None), at_least(0)),
        everywhere("P[N_1 > 0] and the load of group 1", exact(gaps, random_system=None), equal(BOUND)),
        whole=True,
        provided=[
            everywhere(
                "a simulation less what is exact",
                simulations(policy, *zip(*simulated), PRESENCE_AND_DEVIATION, jumps=10_000, warmup=2000),
                agrees(),
            )
        ],
    )  # fmt: skip


LOAD = 0.9  # in Figure 3.4
REQUIRED = tuple(round(0.55 + 0.05 * number, 2) for number in range(9))  # of group 1; those of the figure are lost


@check("thesis-3-054", policy="GPPS")
def smaller_share_better(policy="PQ"):
    """Deviation of group 2 as its required share rises; the control is GPPS beside a permanent job of each group."""
    shares = np.linspace(0.01, 0.49, 41)
    count, taken = (200, shares) if policy == "PQ" else (3, shares[::8])
    systems = [(one, two, float(np.clip(alpha, 0.05, 20))) for _, (one, two, alpha) in random_parameters(count)]

    def of_library(rho_1, rho_2, alpha):
        found = []
        for r in taken:
            system = (1 - r, r), (rho_1, rho_2 * alpha), (1.0, alpha), int(policy != "PQ")
            result = uniprocessor.exact(policy, **uniprocessor.limiting(policy, *system), tolerance=1e-6)
            found.append(result.group_share_deviation[1])
        return np.array(found)

    def in_chain(*system):
        found = np.array([second(1 - r, two_numbers(*system)) for r in taken])
        return {"step": np.diff(found).min(), "apart": np.abs(found - of_library(*system)).max()}

    steps = cases("random system", systems, seed=17).measure(lambda *system: np.diff(of_library(*system)).min())
    clauses = [everywhere("the smallest step", steps, larger(1e-9))]
    if policy == "PQ":
        chains = cases("chain", systems[:4]).measure(in_chain)
        clauses.append(everywhere("the smallest step in the chain", chains["step"], larger(1e-9)))
        clauses.append(everywhere("the library's deviation and that of the chain", chains["apart"], equal(BOUND)))
    return conclude(*clauses, whole=True)


@functools.cache
def curve(required_share, policy="PQ"):
    """A curve of the figure."""
    return over_parts(policy, required_share, LOAD)


@check("thesis-3-055", exchanged=True)
def what_is_plotted(exchanged=False):
    """The curves of Figure 3.4 against the library's deviation of group 2, and against the larger of both."""

    def gaps(r):
        found = np.array([uniprocessor.exact("PQ", **two_groups(x, LOAD, r)).group_share_deviation for x in PARTS])
        drawn = curve(round(1 - r, 2) if exchanged else r)
        off = np.abs(drawn - found[:, 1])
        one, other = LOAD * PARTS, LOAD * (1 - PARTS)
        form = np.maximum(deviation_1(one, r), deviation_2(one, other, r, 1.0))
        return {"second": off.max(), "larger": np.abs(drawn - found.max(axis=1)).max(),
                "formulas": np.abs(drawn - form).max(), "until": PARTS[off > 1e-9].max(initial=0.0)}  # fmt: skip

    found = cases("required share", REQUIRED).measure(gaps)
    return mended(
        everywhere("the curve and the deviation of group 2", found["second"], equal(1e-9)),
        everywhere("the curve and the larger deviation", found["larger"], equal(1e-9)),
        everywhere("the curve and the larger of (3.41) and (3.42)", found["formulas"], equal(1e-9)),
        aside("x up to which the curve is not the deviation of group 2", found["until"]),
    )


@check("thesis-3-056", policy="HOL")
def shape_of_the_curves(policy="PQ"):
    """The curves of Figure 3.4 against (3.41), (3.42) and the chain, and their right end."""
    places = np.linspace(0, len(PARTS) - 1, 20).astype(int)
    chains = [two_numbers(LOAD * x, LOAD * (1 - x), 1.0) for x in PARTS[places].tolist()]
    loads = LOAD * PARTS, LOAD * (1 - PARTS)

    def found(r):
        drawn, first, other = curve(r, policy), deviation_1(loads[0], r), deviation_2(*loads, r, 1.0)
        change = int(np.argmax(other > first))
        form = np.where(np.arange(len(PARTS)) < change, first, other)
        end = over_parts(policy, r, LOAD, 1 - 10.0 ** -np.arange(2, 7))
        ratios = end[:-1] / end[1:]
        return {
            "off": (np.abs(drawn - form) / np.maximum(1, loads[1] / (1 - r))).max(), "change": PARTS[change],
            "falls": change > 1 and (np.diff(drawn[:change]) < 0).all() and (other > first)[change:].all(),
            "chain": max(abs(law.deviations(r).max() - value) for law, value in zip(chains, drawn[places])),
            "end": (ratios > 1).all() and (np.diff(ratios) > 0).all() and end[-1] < 1e-4, "ratio": ratios[-1],
        }  # fmt: skip

    found = cases("required share", REQUIRED).measure(found)
    return conclude(
        everywhere("the curve and (3.41), then (3.42),", found["off"], equal(1e-9)),
        everywhere("it falls up to where (3.42) takes over for good", found["falls"]),
        everywhere("the curve and the larger deviation in the chain", found["chain"], equal(1e-8)),
        everywhere("towards x = 1 it falls to 0, ever closer to tenfold", found["end"]),
        everywhere("the last factor", found["ratio"], between(9.5, 10.5)),
        aside("x from which on it is (3.42)", found["change"]),
        whole=True,
    )


RUN = {"jumps": 40_000, "warmup": 4000, "replications": 20}


@check("thesis-3-059", above=1)
def permanent_below(above=0):
    """Permanent jobs of group 2 alone: (rho_1 - r_1) / r_2 by the library, the chain of the line and simulations."""
    rng = np.random.default_rng(59)

    def system(most=0.95, r=None):
        r = rng.uniform(0.501, 0.99) if r is None else r
        rho_1 = rng.uniform(0.02, min(0.9, 0.95 * most))
        rho_2, alpha = rng.uniform(0, most - rho_1), 20 ** rng.uniform(-1, 1)
        return r, rho_1, dict(
            required_shares=(r, 1 - r), arrival_rates=(rho_1, rho_2 * alpha), service_rates=(1.0, alpha),
            permanent_jobs=(above, int(rng.integers(1, 4))),
        )  # fmt: skip

    def stated(r, rho_1):
        return (rho_1 - r) / (1 - r)

    def by_library(r, rho_1, arguments):
        value = uniprocessor.exact("PQ", **uniprocessor.limiting("PQ", **arguments)).group_share_deviation[1]
        return {"gap": (value - stated(r, rho_1)) * (1 - r), "sign": (value <= 1e-9) == (rho_1 <= r)}

    systems = []
    for number in range(100 if above else 1000):
        r, rho_1, arguments = system()
        if number % 10 == 0:
            r = rho_1 = rng.uniform(0.501, 0.9)
            arguments |= {"required_shares": (r, 1 - r), "arrival_rates": (rho_1, 0.01), "service_rates": 1.0}
        systems.append((r, rho_1, arguments))
    chains = []
    for number in range(6):
        alone = number % 2  # without transient jobs of group 2 the chain is small enough for more load
        r, rho_1, arguments = system(0.3 if alone else 0.1, rng.uniform(0.501, 0.9))
        if alone:
            arguments["arrival_rates"] = (rho_1, 0.0)
        limit = uniprocessor.limiting("PQ", **arguments)
        line = uniprocessor.whole_line("PQ", **limit, most_jobs=20 if alone else 9).performance
        chains.append((line.group_share_deviation[1] - stated(r, rho_1), line.error))
    drawn = [system() for _ in range(12)]
    found = cases("random system", systems, seed=59).measure(by_library)
    simulated = simulations("PQ", [uniprocessor.limiting("PQ", **arguments) for *_, arguments in drawn],
                            [[np.nan, stated(r, rho_1)] for r, rho_1, _ in drawn], **RUN)  # fmt: skip
    return conclude(
        everywhere("the library's deviation and (rho_1 - r_1)/r_2", found["gap"], equal(1e-9)),
        everywhere("it is not above 0 just if rho_1 is at most r_1,", found["sign"]),
        everywhere("the gap of (rho_1 - r_1)/r_2", bounded(chains, "chain of a line"), IN_BOUND),
        everywhere("the bound of the chain", exact([error for _, error in chains], chain=None), at_most(1e-4)),
        everywhere("a simulation less (rho_1 - r_1)/r_2", simulated, agrees()),
        whole=True,
    )


@check("thesis-3-060", policy="HOL", numbers=(1,))
def permanent_above(policy="PQ", numbers=(1, 2)):
    """Permanent jobs of group 1 and real arrivals of group 2, over ever longer paths; and the library's limit."""
    rng = np.random.default_rng(60)

    def found(one, two, _):
        rho, part, alpha = rng.uniform(0.1, 0.95), rng.uniform(0.1, 0.9), 5 ** rng.uniform(-1, 1)
        loads, absent, served = (rho * part, rho * (1 - part)), [], []
        unequal = (0.6, 0.4), (loads[0], loads[1] * alpha), (1.0, alpha), (one, two)
        for jumps in (1000, 10_000, 100_000):
            path = refused(policy, *unequal, jumps=jumps, warmup=0, replications=3, seed=60)
            served += [path.obtained.value[1], path.job_share_deviation.value[1]]
            absent.append(1 - path.present.value[1])
        tends = absent == [0, 0, 0] if two else absent[0] > 5 * absent[1] > 25 * absent[2] and absent[2] < 0.01
        try:
            system = uniprocessor.limiting(policy, (0.6, 0.4), loads, 1.0, (one, two))
            limit = uniprocessor.exact(policy, **system)
            run = uniprocessor.simulate(policy, **system, jumps=500, warmup=100, replications=2)
            deviations = [limit.group_share_deviation, run.group_share_deviation.value]
            uneven = [limit.job_share_deviation[1], run.job_share_deviation.value[1]]
            gap = np.abs([*(each[1] - 1 for each in deviations), *uneven]).max()
        except (NoExactAnswer, UnstableError):  # under HOL
            gap = math.inf
        return {"served": max(served), "tends": tends, "limit": gap}

    found = grid(permanent_jobs_of_group_1=numbers, of_group_2=(0, 1), system=range(3)).measure(found)
    return conclude(
        everywhere("the share of group 2, or its job-share deviation", found["served"], at_most(0)),
        everywhere("group 2 is always there in the end", found["tends"]),
        everywhere("the library's limits and 1 and 0", found["limit"], equal(1e-12)),
        whole=True,
    )


@check("thesis-3-061", unequal=True)
def groups_above_as_one(unequal=False):
    """More than two groups: the two-group formula for each, with those above put together, against three witnesses."""
    rng = np.random.default_rng(61)

    def system(groups, most):
        shares = np.sort(np.clip(rng.dirichlet(np.ones(groups)), 0.05, None))[::-1] + np.arange(groups)[::-1] * 1e-4
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.05, most)
        services = np.where(np.arange(groups) % 2, 3.0, 1.0) if unequal else np.full(groups, RATE)
        stated = [deviation_2(loads[:g].sum(), loads[g], 1 - shares[g] / shares.sum(), 1.0) for g in range(1, groups)]
        return dict(
            required_shares=tuple(shares / shares.sum()), arrival_rates=loads * services, service_rates=services
        ), np.array(stated)

    def by_library(arguments, stated):
        found = uniprocessor.exact("PQ", **arguments)
        terms = np.maximum(found.obtained_share[1:] / np.array(arguments["required_shares"][1:]), 1)
        fewer = arguments["arrival_rates"] * (np.arange(len(terms) + 1) < len(terms))
        without = uniprocessor.exact("PQ", **{**arguments, "arrival_rates": fewer}).group_share_deviation
        return {"gap": np.abs((found.group_share_deviation[1:] - stated) / terms).max(),
                "below": np.abs(without - found.group_share_deviation)[:-1].max()}  # fmt: skip

    systems, some = [], []
    for groups in (3, 4, 5):
        systems += [system(groups, 0.95) for _ in range(20)]
        some += [system(groups, 0.95) for _ in range(4)]
    expected = [[[np.nan, *stated]] for _, stated in some]
    simulated = simulations("PQ", [arguments for arguments, _ in some], expected, **RUN)
    chains = []
    for most, level in ((0.3, 18), (0.6, 36)):
        arguments, stated = system(3, most)
        work = Workload("PQ", **arguments, permanent_jobs=0)
        jobs, law = distribution(level, work, preemptive)
        full = jobs.sum(axis=0) == level
        value = (jobs > 0) @ law - preemptive(jobs) @ law / work.required_shares
        chains.append((np.abs(value[1:] - stated).max(), tail(work, jobs[:, full], law[full])))
    found = cases("random system", systems, seed=61).measure(by_library)
    return conclude(
        everywhere("the library's deviation and the formula", found["gap"], equal(1e-9)),
        everywhere("a deviation with and without the group below", found["below"], equal(1e-9)),
        everywhere("the gap of the formula", bounded(chains), IN_BOUND),
        everywhere("a simulation less the formula", simulated, agrees()),
        whole=True,
    )
