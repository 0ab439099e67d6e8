"""Claims of `thesis`, Section 3.3.1: what PQ does to two groups, Theorems 3.4, 3.5, 3.9 and Lemma 3.6."""

import math

import numpy as np

from clustershare import uniprocessor
from compendium.press.findings import check, equality, finding
from pages.share_scheduling.one_processor.printed import deviation_2, eta_0, root
from pages.share_scheduling.one_processor.simulated import outside
from pages.share_scheduling.one_processor.witnesses.chains import two_numbers
from pages.share_scheduling.one_processor.witnesses.paths import intervals
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
    library,
    many,
    off,
    points,
    precise,
    slope,
)


@check("thesis-3-029", exchanged=True)
def generating_function(exchanged=False):
    """(3.39) and (3.40) on the corners and at random points."""
    rng, gap = np.random.default_rng(29), 0.0
    for _, rho_1, rho_2, alpha in points():
        found = two_numbers(rho_1, rho_2, 1 / alpha if exchanged else alpha)
        for z_1, z_2 in ((0, 0), (0, 1), (1, 0), (1, 1), *rng.random((3, 2))):
            half = 1 + rho_1 + alpha * rho_2 * (1 - z_2)
            eta = (half - math.sqrt(half**2 - 4 * rho_1)) / 2
            expected = (1 - rho_1 - rho_2) / (1 - eta - rho_2 * z_2) * (1 - eta) / (1 - eta * z_1)
            gap = max(gap, abs(found.generating(float(z_1), float(z_2)) / expected - 1))
    return equality(gap, BOUND)


@check("thesis-3-030", policy="HOL")
def first_group(policy="PQ"):
    """(3.41) against the library and the chain; always below 0."""
    r, rho_1, *_ = (array[:SOME] for array in many())
    found, printed = library(policy=policy)[1][:, 0], -rho_1 * (1 - r) / r
    gap = max(off(found - printed, printed), np.abs(
        in_chain(lambda r, law: law.deviations(r)[0]) - at_points(lambda rho_1, rho_2, r, alpha: -rho_1 * (1 - r) / r)
    ).max())  # fmt: skip
    return finding(
        f"equal within {BOUND:g}, at most {found.max():.1e}" if gap <= BOUND else f"off by up to {gap:.2f}",
        gap <= BOUND and found.max() < 0,
    )


@check("thesis-3-031", policy="HOL")
def second_group(policy="PQ"):
    """(3.42) as printed against the library and the chain."""

    def printed(rho_1, rho_2, r, alpha):
        eta = eta_0(rho_1, rho_2, alpha)
        return (rho_1 + rho_2 - eta) / (1 - eta) - rho_2 / (1 - r)

    r, rho_1, rho_2, alpha = (array[:SOME] for array in many())
    found = library(policy=policy)[1][:, 1]
    gap = max(
        off(found - printed(rho_1, rho_2, r, alpha), rho_2 / (1 - r), found),
        np.abs(in_chain(lambda r, law: law.deviations(r)[1]) - at_points(printed)).max(),
    )
    return equality(gap, BOUND)


@check("thesis-3-032", policy="HOL")
def steps_of_the_proof(policy="PQ"):
    """(3.43) to (3.45): what the deviation of group 2 is made of; under HOL group 1 may wait while 2 is served."""
    if policy == "PQ":
        present, served = in_chain(lambda r, law: law.present[1]), in_chain(lambda r, law: law.obtained[1])
        there, found = at_points, in_chain(lambda r, law: law.deviations(r)[1])
    else:
        system = (0.6, 0.4), (0.2, 0.2)
        line = uniprocessor.whole_line(policy, *system, most_jobs=25)
        alone = (line.jobs[0] == 0) & (line.jobs[1] > 0)
        present, served = line.probability[line.jobs[1] > 0].sum(), line.probability[alone].sum()
        found = line.performance.group_share_deviation[1]

        def there(formula):
            return formula(0.2, 0.2, 0.6, 1.0)

    eta = there(lambda rho_1, rho_2, r, alpha: eta_0(rho_1, rho_2, alpha))
    rho, rho_2 = there(lambda rho_1, rho_2, *_: rho_1 + rho_2), there(lambda rho_1, rho_2, *_: rho_2)
    r_2 = there(lambda rho_1, rho_2, r, alpha: 1 - r)
    gaps = served - rho_2, present - (rho - eta) / (1 - eta), found - (present - served / r_2)
    return equality(max(np.abs(gap).max() for gap in gaps), BOUND)


@check("thesis-3-033", first=1)
@digits
def lemma(first=0):
    """Lemma 3.6: the slope of Delta_2 in rho_1; the library's answer, the chain's, and presence, rise."""
    r, rho_1, rho_2, alpha = precise(many())
    found = slope(deviation_2, (rho_1, rho_2, r, alpha), 0).min() > 0
    gap, values = from_library(first=first)
    steps = []
    for (r_1, one, other, ratio), value in list(zip(zip(*many()), values))[:200]:
        more = answer((r_1, 1.01 * one if 1.01 * one + other < 1 else one, other, ratio), first=first)
        if 1.01 * one + other < 1:
            steps.append(more.probability_present[1] - other / (1 - r_1) - value)
    rising = 0
    for r_1, _, other, ratio in points(FEW, 33, 0.9):
        laws = [two_numbers(part * (0.95 - other), other, ratio) for part in np.linspace(0.01, 0.99, 11)]
        rising += (np.diff([(law.present[1], law.deviations(r_1)[1]) for law in laws], axis=0) > 0).all()
    least = min(steps)
    return finding(
        f"slope above 0 at {MANY} points; the library's steps {'rise' if least > 0 else 'do not rise'}; "
        f"{rising} of {FEW} chains rise",
        bool(found and gap <= BOUND and least > 0 and rising == FEW),
    )


@check("thesis-3-034", exchanged=True)
@digits
def numerator(exchanged=False):
    """(3.47) against (3.42), the numerator (3.49) against differences, (3.48) against the chain's slope."""
    r, rho_1, rho_2, alpha = precise(many())
    eta = eta_0(rho_1, rho_2, alpha)
    printed = (rho_1 + rho_2 - eta) / (1 - eta) - rho_2 / (1 - r)
    rewritten = off(deviation_2(rho_1, rho_2, r, alpha) - printed, rho_2 / (1 - r))
    found = 1 - eta - (1 - rho_1 - rho_2) * slope(eta_0, (rho_1, rho_2, alpha), 0)
    stated = ((alpha - 1) * eta + alpha + 1) * rho_2 / root(rho_1, rho_2, alpha)
    gap = off(found - stated, stated)
    slopes = 0.0
    for _, one, other, ratio in points(FEW, 34):
        system, step = 1 / ratio if exchanged else ratio, 1e-5
        above, below = (two_numbers(one + h, other, system).present[1] for h in (step, -step))
        there = eta_0(one, other, ratio)
        expected = ((ratio - 1) * there + ratio + 1) * other / root(one, other, ratio) / (1 - there) ** 2
        slopes = max(slopes, abs((above - below) / (2 * step) / expected - 1))
    return finding(
        f"{'equal in 12 digits' if max(rewritten, gap) < 1e-12 else f'off by {max(rewritten, gap):.2g}'}; "
        f"slope of the chain {'equal within 1e-4' if slopes < 1e-4 else f'off by {slopes:.2g}'}",
        max(rewritten, gap) < 1e-12 and slopes < 1e-4,
    )


def fair_within(group, printed, policy):
    """A job-share deviation against the library, the chain, simulations, and its definition along paths."""
    arguments = tuple(array[:SOME] for array in many())
    found = library(policy=policy)[2][:, group]
    exact = off(found - printed(*arguments[1:3], arguments[0], arguments[3]), found, np.full(SOME, 1e-6))
    chain = np.abs(in_chain(lambda r, law: law.job_share_deviations[group]) - at_points(printed)).max()
    systems, expected = [], []
    for r, rho_1, rho_2, alpha in points(8, 57):
        systems.append(dict(required_shares=(r, 1 - r), arrival_rates=(rho_1, rho_2 * alpha), service_rates=(1, alpha)))
        value = np.full(2, np.nan)
        value[group] = printed(rho_1, rho_2, r, alpha)
        expected.append(value)
    simulated = outside(policy, systems, expected, ("job_share_deviation",))
    defined = 0.0
    for number, system in enumerate(systems):
        for interval in intervals(policy, *system.values(), events=300, seed=number):
            uneven = interval.obtained(2)[group] > 0 and interval.present(2)[group] > 1
            defined = max(defined, abs(interval.job_share_deviation(group) - uneven))
    gap = max(exact, chain, defined)
    return finding(
        f"equal within {BOUND:g}; {simulated} of 8 simulated intervals miss it"
        if gap <= BOUND else f"off by up to {gap:.2g}",
        gap <= BOUND and simulated == 0,
    )  # fmt: skip


@check("thesis-3-057", policy="HOL")
def job_share_1(policy="PQ"):
    """(3.74)."""
    return fair_within(0, lambda rho_1, rho_2, r, alpha: rho_1**2, policy)


@check("thesis-3-058", policy="HOL")
def job_share_2(policy="PQ"):
    """(3.75) to (3.77)."""

    def present(rho_1, rho_2, r, alpha):
        eta = eta_0(rho_1, rho_2, alpha)
        return (rho_1 + rho_2 - eta) / (1 - eta)

    alone = in_chain(lambda r, law: (law.first @ law.ratio)[0])
    step = np.abs(alone - at_points(lambda *point: point[1] * (1 - present(*point)))).max()
    found = fair_within(1, lambda *point: point[1] * present(*point), policy)
    return found if step <= BOUND else finding(f"one job alone is off by {step:.2g}", False)
