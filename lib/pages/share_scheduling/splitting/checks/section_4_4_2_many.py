"""Claims of `thesis`, Section 4.4.2 from (4.81) on: ever more equal processors, and how often one waits in vain."""

import functools
import itertools
from fractions import Fraction
from math import comb

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import binom, nbinom

from clustershare import uniprocessor
from clustershare.splitting import (
    capacity_loss,
    horizontal,
    load_balancing_success,
    minimise_capacity_loss,
    number_law,
)
from compendium.press.clauses import aside, at_each, cases, conclude, equalities, everywhere, exact, grid, mended
from compendium.press.clauses.conditions import at_least, at_most, equal, falls, larger, rises, smaller, within
from compendium.press.findings import check, difference, relative_difference
from compendium.press.words import allows
from pages.share_scheduling.splitting.points.equal import alike, distance, limit, splits

EXACT = 1e-12
LOADS = np.arange(1, 20) / 20
PERCENT = np.arange(1, 100) / 100
MORE = (10, 100, 1000, 10_000)
NUMBER = "number of processors"


@functools.cache
def least_losses(processors, loads=tuple(LOADS)):
    """The library's least loss of equal processors."""
    return np.array([minimise_capacity_loss(alike(processors), load).objective for load in loads])


def at_equal_loads(processors, load):
    """The library's loss of equal processors at equal loads."""
    return capacity_loss(alike(processors), np.full(processors, load))


@check("thesis-4-044", more=1)
def negative_binomial(more=0):
    """(4.85) against the library's law, and (4.81) against its loss and its least; both in fractions too."""

    def ways_of(P, numbers):
        return np.array([comb(P + k - 1 + more, k) for k in numbers])

    def gaps(P):
        n = np.arange(2 * P if P <= 100 else P)  # further on the floats end
        ways = ways_of(P, n.tolist()).astype(float)
        printed = ways * (1 - LOADS[:, None]) ** P * LOADS[:, None] ** n
        law = np.array([number_law(np.full(P, load), len(n)) for load in LOADS])
        loss = 1 - LOADS - printed[:, :P] @ (P - n[:P]) / P
        general = [at_equal_loads(P, load) for load in LOADS]
        return {"law": relative_difference(printed, law), "loss": difference(loss, general),
                "least": difference(loss, least_losses(P))}  # fmt: skip

    def exactly(P, load):
        n = np.arange(2 * P)
        printed = ways_of(P, range(2 * P)) * (1 - load) ** P * np.array([load**k for k in range(2 * P)])
        loss = 1 - load - printed[:P] @ (P - n[:P]) / P
        return (number_law([load] * P, 2 * P) == printed).all() and in_fractions(P, load, 1) == loss

    def no_less(load, loads):
        P = len(loads)
        ways = ways_of(P, range(P)) * (1 - load) ** P * load ** np.arange(P)
        return capacity_loss(alike(P), loads) - (1 - load - ways @ np.arange(P, 0, -1) / P)

    rng = np.random.default_rng(44)
    others = [one for P in range(2, 9) for one in splits(rng, 20, alike(P))]
    found = cases(NUMBER, range(1, 201)).measure(gaps)
    rational = itertools.product(range(1, 9), (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)))
    return conclude(
        *equalities({"(4.85) and the library's law, relatively,": found["law"]}, 1e-9),
        *equalities({"(4.81) and the library's loss": found["loss"],
                     "(4.81) and the library's least loss": found["least"]}, 1e-10),
        everywhere("the loss at a random split less (4.81)", cases("split", others, seed=44).measure(no_less),
                   at_least(-EXACT)),
        everywhere("(4.85) and (4.81) are the library's in fractions", cases("system", rational).measure(exactly)),
        whole=True,
    )  # fmt: skip


@functools.cache
def missing():
    """Logarithms of what is missing to the limit, shape (300 numbers of processors, 99 loads)."""
    return np.array([distance(P, PERCENT) for P in range(1, 301)])


@check("thesis-4-045", divided=True)
def grows_with_processors(divided=False):
    """What is missing to the limit falls at every step; and so it is the library's least loss that grows."""
    P = np.arange(1, 301)
    losses = limit(PERCENT) - np.exp(missing())
    some = [*range(1, 11), *range(50, 301, 50)]
    same = cases(NUMBER, some).measure(lambda P: difference(least_losses(P, tuple(PERCENT)), losses[P - 1]))
    if divided:
        clause = at_each("the loss over P", exact(losses / P[:, None], P=P, load=PERCENT).steps("P"), rises())
    else:  # in losses, what is below the rounding could not be seen
        clause = at_each("the logarithm of what is missing to the limit of many processors",
                         exact(missing(), P=P, load=PERCENT).steps("P"), falls())  # fmt: skip
    return conclude(
        clause, provided=equalities({"that limit less what is missing and the library's least loss": same}, EXACT)
    )


@check("thesis-4-046", power=1)
def tends_to_the_limit(power=2):
    """What is missing at 10 to 10,000 processors, and the library's least loss: at 10,000 at three loads."""
    printed, right = limit(LOADS, power), limit(LOADS)

    def logarithms(P):
        far = distance(P, LOADS)
        return np.where(printed == right, far, np.log(np.abs(printed - right + np.exp(far)) + 1e-300))

    def gap(P):
        chosen = slice(None) if P <= 1000 else [0, 9, 18]
        return difference(least_losses(P, tuple(LOADS[chosen])), (right - np.exp(distance(P, LOADS)))[chosen])

    logs = exact([logarithms(P) for P in MORE], P=MORE, load=LOADS)
    asked = exact(np.where(LOADS == 0.5, np.log(2), 0), load=LOADS)  # there it is slowest
    return conclude(
        at_each("by how much the logarithm of the distance to the limit falls, less log 2 at a load of 1/2,",
                -logs.steps("P") - asked, larger()),
        at_each("the distance at 10,000 processors", exact(np.exp(logs.at(P=MORE[-1]).value), load=LOADS),
                at_most(0.01)),
        aside("the factor by which it falls at a load of 1/2",
              exact(np.exp(-logs.steps("P").at(load=0.5).value), step=logs.steps("P").axes[0][1])),
        together="load",
        provided=equalities({"the library's least loss and the limit less what is missing":
                             cases(NUMBER, MORE).measure(gap)}, 1e-10),
    )  # fmt: skip


@check("thesis-4-047", numbers=(2,))
def peak(numbers=MORE):
    """Where the loss is largest and how large."""

    def top(P):
        found = minimize_scalar(
            lambda load: float(np.exp(distance(P, np.array([load])))[0] - limit(load)),
            bounds=(0.5, 0.9), method="bounded", options={"xatol": 1e-7},
        )  # fmt: skip
        loss = least_losses(P, (found.x,))[0]
        gap = abs(loss + found.fun)
        if P <= 1000:  # nor is it elsewhere
            elsewhere = least_losses(P) - (limit(LOADS) - np.exp(distance(P, LOADS)))
            gap = max(gap, np.abs(elsewhere).max())
        return {"load": found.x, "loss": loss, "gap": gap}

    found = cases(NUMBER, numbers).measure(top)
    gap = found.pop("gap")
    off = {what: (points - exact(np.full(len(numbers), 0.5), **dict(points.axes))).distance()
           for what, points in found.items()}  # fmt: skip
    return conclude(
        *(everywhere(f"the distance of the {what} at the peak to 1/2", far.at(number_of_processors=numbers[-1]),
                     at_most(0.01)) for what, far in off.items()),
        *(everywhere(f"the distance of the {what} at the peak to 1/2", far.steps(NUMBER), falls())
          for what, far in off.items() if len(numbers) > 1),
        *(aside(f"the {what} at the peak", points) for what, points in found.items()),
        provided=equalities({"the library's least loss there and elsewhere, and the limit less what is missing": gap},
                            1e-10),
        whole=True,
    )  # fmt: skip


@check("thesis-4-048", rates=(0.2, 5.0))
def mean_number_at_half(rates=(1.0, 1.0)):
    """The mean number of an M/M/1 queue below, at and above a load of 1/2; the control's sizes mix two means.

    Two groups with service rates of their own are, first come, first served, one with hyperexponential sizes.
    """
    below = *(float(load) for load in LOADS[LOADS < 0.5]), 0.499999
    above = 0.500001, *(float(load) for load in LOADS[LOADS > 0.5])

    def jobs(processor, load):
        arrivals = load * np.array([1 / 6, 5 / 6])
        if processor == "of two":
            mean = horizontal((0.5, 0.5), arrivals / rates, (0.5, 0.5), service_rates=rates).mean_jobs.sum() / 2
        else:
            mean = np.sum(uniprocessor.exact(processor, (0.5, 0.5), arrivals, rates).mean_jobs)
        return {"more": mean - 1, "gap": mean * (1 - load) / load - 1}

    found = grid(processor=("FCFS", "PS", "of two"), load=(*below, 0.5, *above)).measure(jobs)
    more = found["more"]
    return mended(
        everywhere("as printed, from 0.5 on the mean number less 1", more.at(load=(0.5, *above)), larger()),
        everywhere("below 0.5 the mean number less 1", more.at(load=below), smaller()),
        everywhere("at 0.5 the mean number less 1", more.at(load=0.5), within(EXACT)),
        everywhere("above 0.5 the mean number less 1", more.at(load=above), larger()),
        *equalities({"the mean number and rho / (1 - rho), relatively,": found["gap"]}, EXACT),
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
        return least_losses(P, (0.5,))[0]

    def found(P):
        success = np.array([load_balancing_success(n, m, np.full(P, 0.5)) for n, m in pairs])
        failure = [0.5 ** ((n + 1) * P) + (1 - 0.5**m) ** P - (0.5 ** (n + 1) - 0.5**m) ** P for n, m in pairs]
        own = max(difference(success, 1 - np.array(failure)), abs(loss(P) - lost_at_half(P)))
        return {"loss": loss(P), "success": success.min(), "own": own}

    sizes = cases(NUMBER, numbers)
    half, one = (sizes.measure(lambda _, value=value: value) for value in (0.5, 1.0))
    seen = sizes.measure(found)
    enough = next((P for P in range(5, 1000) if allows("close", 1 - 2 * loss(P))), np.inf)
    return conclude(
        at_each("the distance of the loss to one half", seen["loss"] - half, within("close")),
        at_each("the distance of the probabilities to 1", seen["success"] - one, within("close")),
        aside("the loss", seen["loss"]),
        aside("the least probability", seen["success"]),
        aside("the loss is close to one half from so many processors on", exact(enough)),
        together=NUMBER,
        provided=[everywhere("the library and the sums", seen["own"], equal(1e-9))],
    )


@check("thesis-4-050", slope=0.3)
def balanced_is_unique(slope=0.0):
    """P_lbs at unequal loads against that at equal fractions of the jobs; the control's processors differ."""
    rng, systems = np.random.default_rng(50), []
    pairs = [(n, m) for n in range(5) for m in range(n + 1, n + 5)]
    for P in range(2, 8):
        speeds = np.sort(alike(P) * (1 + slope * np.linspace(-1, 1, P)))[::-1]
        systems += [(speeds, *split) for split in splits(rng, 200, speeds, totals=np.arange(1, 11) / 11)]
        systems += [(speeds, total, np.where(np.arange(P) < used, total / (used * speeds), 0.0))
                    for used in range(1, P) for total in np.array([2, 5, 8]) / 11]  # fmt: skip

    @functools.cache
    def balanced(total, *speeds):
        return np.array([load_balancing_success(n, m, total / (len(speeds) * np.array(speeds))) for n, m in pairs])

    def more(speeds, total, loads):
        success = np.array([load_balancing_success(n, m, loads) for n, m in pairs])
        return exact(success > balanced(total, *speeds), pair=pairs)

    return conclude(
        at_each("P_lbs(n, m) is larger than at equal fractions of the jobs",
                cases("split", systems, seed=50).measure(more)),
        aside("splits with an overloaded processor", exact(sum(loads.max() >= 1 for *_, loads in systems))),
    )  # fmt: skip


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

    def lines(n, m):
        k, now = n + 1, success(n, m, moved)
        second = eps * (one**m * (1 - other**k) - (1 - one**k) * other**m)
        first_line = other * (1 - one**k) * other**m + one * one**m * (1 - other**k)
        even = 2 * sum(comb(k, i) * rho ** (k - i) * eps**i for i in range(0, k + 1, 2))
        below = (one**k + other**k - 2 * (one * other) ** k, even - 2 * (rho**2 - eps**2) ** k)
        return {
            "(4.88) and P_lbs(n, n + 1)": max(difference(printed, success(n, k, moved)) for printed in below),
            "(4.89) and P_lbs(n, m + 1)": max(
                difference(printed, success(n, m + 1, moved)) for printed in (first_line, rho * now + second)
            ),
            "grows": (np.diff(now) > 0).all() and (np.diff(second) > 0).all(),
        }

    found = cases("pair of n and m", [(n, m) for n in range(6) for m in range(n + 1, n + 6)]).measure(lines)
    growing = found.pop("grows")
    return conclude(
        *equalities(found, EXACT),
        everywhere("P_lbs(n, m) and the second term of (4.89) grow with epsilon", growing),
        whole=True,
    )


@check("thesis-4-135", as_product=True)
def parts_of_the_probability(as_product=False):
    """(4.90)-(4.94) with loads of 0 and 1 among the others."""
    rng = np.random.default_rng(135)

    def systems():
        for k in range(500):
            loads = rng.random(rng.integers(3, 7))
            if k % 3 == 0:
                loads[2:] = rng.choice([0, 1, 0.5], len(loads) - 2)
            n = int(rng.integers(0, 5))
            yield loads, n, n + int(rng.integers(1, 5))

    def parts(loads, n, m):
        middle, eps, rest = loads[:2].mean(), (loads[0] - loads[1]) / 2, loads[2:]
        a, b, c = np.prod(1 - rest**m), np.prod(rest ** (n + 1)), np.prod(rest ** (n + 1) - rest**m)
        f1 = 1 - (middle + eps) ** m - (middle - eps) ** m + (middle**2 - eps**2) ** m
        f2 = (middle**2 - eps**2) ** (n + 1)
        f3 = f1 * f2 if as_product else np.prod(loads[:2] ** (n + 1) - loads[:2] ** m)
        return {
            "gap": 1 - a * f1 - b * f2 + c * f3 - load_balancing_success(n, m, loads),
            "ordered": 0 <= c <= min(a, b) < 1 and max(a, b) <= 1,
        }

    found = cases("random system", systems(), seed=135).measure(parts)
    return conclude(
        *equalities({"(4.90) and the library's P_lbs": found["gap"]}, EXACT),
        everywhere("0 <= c <= min(a, b) < 1 holds", found["ordered"]),
        whole=True,
    )


def in_fractions(processors, load, first):
    """The library's loss, exactly, with the first processor so many times as fast as the others."""
    speeds = [Fraction(first if p == 0 else 1, processors - 1 + first) for p in range(processors)]
    return capacity_loss(speeds, [load] * processors)


@check("thesis-4-180", first=2)
def missing_at_half(first=1):
    """The loss at a load of 1/2: exactly for few processors, then up to 1000."""
    half, P = Fraction(1, 2), np.arange(1, 1001)
    exactly = cases(NUMBER, range(1, 41)).measure(
        lambda P: half - in_fractions(P, half, first) == half ** (2 * P) * comb(2 * P, P)
    )
    missing = np.cumprod((2 * P - 1) / (2 * P))  # C(2P, P) / 4^P from its quotients
    losses = np.array([at_equal_loads(int(p), 0.5) for p in P])
    near = np.sqrt(np.pi * P) * missing
    named = {"number_of_processors": P}
    return conclude(
        everywhere("the loss is one half less C(2P, P) / 4^P exactly", exactly),
        *equalities({"the library's loss and that": exact(losses - (0.5 - missing), **named)}, EXACT),
        everywhere("sqrt(pi P) times what is missing less 1", exact(near - 1, **named), smaller()),
        everywhere("the same plus 1 / (8 P)", exact(near - 1 + 1 / (8 * P), **named), larger()),
        ours=True,
    )


@check("thesis-4-181", first=2)
def missing_at_both_ends(first=1):
    """What is missing to the limit at a load and at 1 less it, exactly."""

    def same(P, load):
        light = load**2 / (1 - load) - in_fractions(P, load, first)
        return light == load / (1 - load) * (load - in_fractions(P, 1 - load, first))

    def apart(losses):
        light, heavy = LOADS[:9] ** 2 / (1 - LOADS[:9]) - losses[:9], LOADS[:9] - losses[:9:-1]
        return difference(light, LOADS[:9] / (1 - LOADS[:9]) * heavy)

    loads = [Fraction(n, 20) for n in range(1, 10)]
    found = cases("pair of loads", [(P, load) for P in range(1, 21) for load in loads]).measure(same)
    own = cases(NUMBER, range(1, 21)).measure(lambda P: apart(np.array([at_equal_loads(P, load) for load in LOADS])))
    least = cases(NUMBER, (2, 5, 20)).measure(lambda P: apart(least_losses(P)))
    return conclude(
        everywhere("what is missing at rho is rho / (1 - rho) times that at 1 - rho, exactly,", found),
        *equalities({"in floating point, both sides": own, "both sides for the least losses": least}, 1e-9),
        ours=True,
    )
