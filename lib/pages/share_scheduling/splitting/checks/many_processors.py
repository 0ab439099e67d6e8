"""Claims of `thesis`, Section 4.4.2 from (4.81) on: ever more equal processors, and how often one waits in vain."""

import functools
from fractions import Fraction
from math import comb

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import binom, nbinom

from clustershare import uniprocessor
from clustershare.splitting import capacity_loss, load_balancing_success, number_law
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import equal, within
from compendium.press.findings import beyond, check, difference, erratum, finding, over_domain, relative_difference
from compendium.press.words import allows
from pages.share_scheduling.splitting.equal import alike, distance, limit, splits

EXACT = 1e-12
LOADS = np.arange(1, 20) / 20
PERCENT = np.arange(1, 100) / 100
MORE = (10, 100, 1000, 10_000)


@functools.cache
def least_losses(processors, loads=tuple(LOADS)):
    """The library's loss of equal processors at equal loads."""
    return np.array([capacity_loss(alike(processors), np.full(processors, load)) for load in loads])


@check("thesis-4-044", more=1)
def negative_binomial(more=0):
    """(4.85) against the library's law, and (4.81) against its loss."""
    loss = law = 0.0
    for P in range(1, 201):
        n = np.arange(P)
        ways = np.array([float(comb(P + k - 1 + more, k)) for k in range(P)])
        printed = ways * (1 - LOADS[:, None]) ** P * LOADS[:, None] ** n
        found = np.array([number_law(np.full(P, load), P) for load in LOADS])
        law = max(law, relative_difference(printed, found))
        loss = max(loss, difference(1 - LOADS - printed @ (P - n) / P, least_losses(P)))
    holds = loss <= 1e-10 and law <= 1e-9
    return finding("(4.81) within 1e-10, (4.85) within 1e-9 of it" if holds else
                   f"(4.81) off by {loss:.2g}, (4.85) by a factor of {1 + law:.2g}", holds)  # fmt: skip


@functools.cache
def missing():
    """Logarithms of what is missing to the limit, shape (300 numbers of processors, 99 loads)."""
    return np.array([distance(P, PERCENT) for P in range(1, 301)])


@check("thesis-4-045", divided=True)
def grows_with_processors(divided=False):
    """What is missing to the limit falls at every step; and so it is the library's loss that grows."""
    losses = limit(PERCENT) - np.exp(missing())
    some = [*range(1, 11), *range(50, 301, 50)]
    direct = [least_losses(P, tuple(PERCENT)) for P in some]
    same = difference(direct, losses[np.array(some) - 1]) <= EXACT
    if divided:
        larger = np.diff(losses / np.arange(1, 301)[:, None], axis=0) > 0
    else:
        larger = np.diff(missing(), axis=0) < -EXACT  # in losses, what is below the rounding could not be seen
    return over_domain(
        f"{larger.sum()} of {larger.size} steps are larger{'' if same else ', but the library has another loss'}",
        larger & same,
    )


@check("thesis-4-046", power=1)
def tends_to_the_limit(power=2):
    """What is missing at 10 to 10,000 processors, and the library's loss: at 10,000 at three loads, below at all."""
    printed, right, logs, same = limit(LOADS, power), limit(LOADS), [], True
    for P in MORE:
        losses = right - np.exp(distance(P, LOADS))
        chosen = slice(None) if P <= 1000 else [0, 9, 18]
        same &= difference(least_losses(P, tuple(LOADS[chosen])), losses[chosen]) <= 1e-10
        apart = np.log(np.abs(printed - losses) + 1e-300)
        logs.append(np.where(printed == right, distance(P, LOADS), apart))
    last, falls = np.exp(logs[-1]), (np.diff(logs, axis=0) < 0).all(axis=0)
    factors = np.exp(-np.diff([at[9] for at in logs]))  # at a load of 1/2, where it is slowest
    falls[9] &= factors.min() >= 2
    return over_domain(
        f"at 10,000 processors up to {last.max():.4f} from it, at a load of {LOADS[last.argmax()]:.2f}; at 0.5 each "
        f"step divides the distance by {factors.min():.1f} or more{'' if same else '; the library has another loss'}",
        falls & (last <= 0.01) & same,
    )


@check("thesis-4-047", numbers=(2,))
def peak(numbers=MORE):
    """Where the loss is largest and how large."""
    heights, places = [], []
    for P in numbers:
        top = minimize_scalar(
            lambda load, P=P: float(np.exp(distance(P, np.array([load])))[0] - limit(load)),
            bounds=(0.5, 0.9), method="bounded", options={"xatol": 1e-7},
        )  # fmt: skip
        heights.append(capacity_loss(alike(P), np.full(P, top.x)))
        places.append(top.x)
    off = np.abs(np.array(places) - 0.5)
    good = 0.5 - heights[-1] <= 0.01 and off[-1] <= 0.01 and (np.diff(heights) > 0).all() and (np.diff(off) < 0).all()
    said = ", ".join(f"{height:.3f} at {place:.3f}" for height, place in zip(heights, places))
    return finding(f"{said} ({', '.join(map(str, numbers))} processors)", good)


@check("thesis-4-048", rates=(0.2, 5.0))
def mean_number_at_half(rates=(1.0, 1.0)):
    """The mean number of an M/M/1 queue at and above a load of 1/2; the control's sizes are a mixture of two means.

    Two groups with service rates of their own are, first come, first served, one with hyperexponential sizes.
    """

    def mean(load):
        arrivals = load * np.array([1 / 6, 5 / 6])
        return float(np.sum(uniprocessor.exact("FCFS", (0.5, 0.5), arrivals, rates).mean_jobs))

    at, above = mean(0.5), mean(0.5 + 1e-6)
    return erratum(
        f"at 0.5 {at:.6f}, at 0.500001 {above:.6f}", at > 1 + EXACT and above > 1, abs(at - 1) <= EXACT and above > 1
    )


def lost_at_half(processors):
    """The loss of like processors at a load of 1/2: the mean of what is idle or what waits, whichever is less."""
    busy = np.arange(processors // 2 - min(500, processors // 2), processors // 2 + min(500, processors // 2) + 1)
    lost = 0.0
    for number, chance in zip(busy, binom.pmf(busy, processors, 0.5)):
        idle = processors - number
        fewer = np.arange(idle)
        waiting = nbinom.pmf(fewer, number, 0.5) if number else (fewer == 0).astype(float)
        lost += chance * (idle - (idle - fewer) @ waiting)
    return lost / processors


@check("thesis-4-049", numbers=(5,))
def half_is_lost(numbers=(100, 1000, 10_000)):
    """The loss at a load of 1/2, and four probabilities that balancing helps.

    Both are held against sums of their own: of the jobs that wait while so many processors are busy, each of which has
    geometrically many more, and of the numbers of jobs that are all above n, all below m, or both.
    """
    pairs = ((0, 2), (0, 3), (1, 3), (2, 5))

    def loss(P):
        return capacity_loss(alike(P), np.full(P, 0.5))

    def found(P):
        success = np.array([load_balancing_success(n, m, np.full(P, 0.5)) for n, m in pairs])
        failure = [0.5 ** ((n + 1) * P) + (1 - 0.5**m) ** P - (0.5 ** (n + 1) - 0.5**m) ** P for n, m in pairs]
        own = max(difference(success, 1 - np.array(failure)), abs(loss(P) - lost_at_half(P)))
        return {"loss": loss(P), "success": success.min(), "own": own}

    sizes = cases("number of processors", numbers)
    half, one = (sizes.measure(lambda _, value=value: value) for value in (0.5, 1.0))
    seen = sizes.measure(found)
    enough = next((P for P in range(5, 1000) if allows("close", 1 - 2 * loss(P))), np.inf)
    return conclude(
        at_each("the distance of the loss to one half", seen["loss"] - half, within("close")),
        at_each("the distance of the probabilities to 1", seen["success"] - one, within("close")),
        aside("the loss", seen["loss"]),
        aside("the least probability", seen["success"]),
        aside("the loss is close to one half from so many processors on", exact(enough)),
        together="number of processors",
        provided=[everywhere("the library and the sums", seen["own"], equal(1e-9))],
    )


@check("thesis-4-050", slope=0.3)
def balanced_is_unique(slope=0.0):
    """P_lbs at unequal loads against that at equal fractions of the jobs; the control's processors differ."""
    rng, totals, larger, overloads = np.random.default_rng(50), np.arange(1, 11) / 11, [], 0
    for P in range(2, 8):
        speeds = np.sort(alike(P) * (1 + slope * np.linspace(-1, 1, P)))[::-1]
        others = list(splits(rng, 200, speeds, totals=totals))
        overloads += sum(loads.max() >= 1 for _, loads in others)
        for n in range(5):
            for m in range(n + 1, n + 5):
                equal = {total: load_balancing_success(n, m, total / (P * speeds)) for total in totals}
                larger += [load_balancing_success(n, m, loads) > equal[total] for total, loads in others]
        if any(larger) and not all(larger):
            break  # that decides
    return over_domain(f"larger at {sum(larger)} of {len(larger)} splits; {overloads} loads had an overload", larger)


@functools.cache
def success(n, m, moved):
    """The library's P_lbs of two processors: loads rho + eps and rho - moved eps, shape (loads, 50)."""
    return np.array([
        [load_balancing_success(n, m, np.array([load + eps, load - moved * eps])) for eps in apart]
        for load, apart in zip(LOADS, differences())
    ])  # fmt: skip


def differences():
    """50 values of eps below min(rho, 1 - rho) for each load."""
    return np.minimum(LOADS, 1 - LOADS)[:, None] * np.arange(50) / 50


@check("thesis-4-051", moved=0)
def two_processors_by_difference(moved=1):
    """(4.88), all lines; (4.89), both lines; and what grows with eps."""
    eps, rho = differences(), LOADS[:, None]
    one, other = rho + eps, rho - eps
    gap, grows = 0.0, []
    for n in range(6):
        k = n + 1
        even = 2 * sum(comb(k, i) * rho ** (k - i) * eps**i for i in range(0, k + 1, 2))
        for printed in (one**k + other**k - 2 * (one * other) ** k, even - 2 * (rho**2 - eps**2) ** k):
            gap = max(gap, difference(printed, success(n, k, moved)))
        for m in range(k, n + 6):
            second = eps * (one**m * (1 - other**k) - (1 - one**k) * other**m)
            first_line = other * (1 - one**k) * other**m + one * one**m * (1 - other**k)
            for printed in (first_line, rho * success(n, m, moved) + second):
                gap = max(gap, difference(printed, success(n, m + 1, moved)))
            grows += [np.diff(success(n, m, moved)) > 0, np.diff(second) > 0]
        if gap > 0.01:
            break  # that decides
    growing = bool(np.all(grows))
    return finding(
        f"{'equal within 1e-12' if gap <= EXACT else f'off by {gap:.2g}'}; {'' if growing else 'not '}always growing",
        gap <= EXACT and growing,
    )


@check("thesis-4-135", as_product=True)
def parts_of_the_probability(as_product=False):
    """(4.90)-(4.94) with loads of 0 and 1 among the others."""
    rng, gap, ordered = np.random.default_rng(135), 0.0, True
    for k in range(500):
        loads = rng.random(rng.integers(3, 7))
        if k % 3 == 0:
            loads[2:] = rng.choice([0, 1, 0.5], len(loads) - 2)
        n = int(rng.integers(0, 5))
        m = n + int(rng.integers(1, 5))
        middle, eps, rest = loads[:2].mean(), (loads[0] - loads[1]) / 2, loads[2:]
        a, b, c = np.prod(1 - rest**m), np.prod(rest ** (n + 1)), np.prod(rest ** (n + 1) - rest**m)
        f1 = 1 - (middle + eps) ** m - (middle - eps) ** m + (middle**2 - eps**2) ** m
        f2 = (middle**2 - eps**2) ** (n + 1)
        f3 = f1 * f2 if as_product else np.prod(loads[:2] ** (n + 1) - loads[:2] ** m)
        gap = max(gap, abs(1 - a * f1 - b * f2 + c * f3 - load_balancing_success(n, m, loads)))
        ordered &= 0 <= c <= min(a, b) < 1 and 0 <= min(a, b) and max(a, b) <= 1
    return finding(
        f"{'equal within 1e-12' if gap <= EXACT else f'off by {gap:.2g}'}; the inequalities "
        f"{'hold' if ordered else 'fail'}",
        gap <= EXACT and bool(ordered),
    )


def one_faster(processors, first):
    """Capacities as fractions that sum to 1, the first so many times the others."""
    return [Fraction(first if p == 0 else 1, processors - 1 + first) for p in range(processors)]


def at_equal_loads(processors, load, first):
    """The library's loss, exactly."""
    return capacity_loss(one_faster(processors, first), [load] * processors)


@check("thesis-4-180", first=2)
def missing_at_half(first=1):
    """The loss at a load of 1/2: exactly for few processors, then up to 1000."""
    half = Fraction(1, 2)
    if any(half - at_equal_loads(P, half, first) != half ** (2 * P) * comb(2 * P, P) for P in range(1, 41)):
        return beyond("not so, exactly", False)
    P = np.arange(1, 1001)
    missing = np.cumprod((2 * P - 1) / (2 * P))  # C(2P, P) / 4^P from its quotients
    losses = np.array([least_losses(int(p), (0.5,))[0] for p in P])
    near = np.sqrt(np.pi * P) * missing
    good = difference(losses, 0.5 - missing) <= EXACT and ((near > 1 - 1 / (8 * P)) & (near < 1)).all()
    return beyond("exactly for 1 to 40 processors, within 1e-12 up to 1000" if good else "not so in floats", bool(good))


@check("thesis-4-181", first=2)
def missing_at_both_ends(first=1):
    """What is missing to the limit at a load and at 1 less it, exactly."""
    equal = 0
    for P in range(1, 21):
        for load in (Fraction(n, 20) for n in range(1, 10)):
            light = load**2 / (1 - load) - at_equal_loads(P, load, first)
            heavy = load - at_equal_loads(P, 1 - load, first)
            equal += light == load / (1 - load) * heavy
    return beyond(f"exactly so at {equal} of 180 pairs of loads", equal == 180)
