"""Claims of `thesis`, Section 4.4.2 until Theorem 4.5: balanced loads lose least capacity on equal processors."""

import functools
from fractions import Fraction
from math import comb

import numpy as np
from scipy.optimize import minimize_scalar

from clustershare.splitting import (
    capacity_loss,
    load_balancing_success,
    minimise_capacity_loss,
    minimise_response_time,
    minimise_waiting_time,
    number_law,
)
from clustershare.splitting.capacity_loss import descend, mean_response_time, mean_waiting_time
from compendium.press.clauses import at_each, cases, conclude, equalities, everywhere, exact, grid
from compendium.press.clauses.conditions import at_least, at_most, between, equal
from compendium.press.findings import check, difference
from pages.share_scheduling.splitting.points.equal import alike, splits, states
from pages.share_scheduling.splitting.witnesses.polynomials import (
    ONE,
    h,
    points,
    power,
    product,
    tail,
    through,
    total,
    value,
)

EXACT = 1e-12
HALVES = (Fraction(1, 2), Fraction(1, 2))
UNEQUAL = (Fraction(3, 5), Fraction(2, 5))
GRID = [Fraction(n, 20) for n in range(20)]  # of the load of a processor
LOADS = np.arange(1, 20) / 20
SOME = [Fraction(n, 10) for n in (1, 3, 5, 7, 9)]


@functools.cache
def losses_of_two(capacities):
    """The library's loss at 20 x 20 pairs of loads, and that by all states: a processor has 0, 1, or more jobs."""
    speeds, losses, counted = np.array(capacities, dtype=float), [], []
    for pair in ((one, other) for one in GRID for other in GRID):
        losses.append(capacity_loss(speeds, np.array(pair, dtype=float)))
        lost = 0
        for jobs, probability in states(pair, 2):
            usable = sum(capacities[: sum(jobs)])
            lost += probability * (usable - sum(c for c, n in zip(capacities, jobs) if n))
        counted.append(lost)
    return np.array(losses), counted


@check("thesis-4-036", capacities=UNEQUAL)
def loss_of_two(capacities=HALVES):
    """(4.69) against the library and the states."""
    losses, counted = losses_of_two(capacities)

    def printed(one, other):
        load = capacities[0] * one + capacities[1] * other
        return float((1 + load) * (one - load) ** 2 + load**2 * (1 - load))

    said = grid(first_load=GRID, second_load=GRID).measure(printed)
    others = {"the library's loss": losses, "the mean over all states": np.array(counted, dtype=float)}
    gaps = {f"(4.69) and {name}": said - exact(found.reshape(20, 20), first_load=GRID, second_load=GRID)
            for name, found in others.items()}  # fmt: skip
    return conclude(*equalities(gaps, EXACT), whole=True)


@check("thesis-4-037", processors=3)
def largest_loss_of_two(processors=2):
    """The library's minimum as a function of the load, and where it is largest; and the least of its losses of two."""

    def least(load):
        return minimise_capacity_loss(alike(processors), load).objective

    def least_of_splits(load):
        first = np.linspace(max(0, 2 * load - 1), min(1, 2 * load), 41)
        return min(capacity_loss(alike(2), [one, 2 * load - one]) for one in first)

    def exactly(load):
        return capacity_loss(HALVES, [load] * 2) == load**2 * (1 - load)

    gap = cases("load", LOADS).measure(lambda load: least(load) - load**2 * (1 - load))
    of_splits = cases("load", LOADS).measure(lambda load: least_of_splits(load) - load**2 * (1 - load))
    top = minimize_scalar(lambda load: -least(load), bounds=(0.01, 0.99), method="bounded", options={"xatol": 1e-10})
    return conclude(
        *equalities({"the least loss and rho^2 (1 - rho)": gap}, EXACT),
        *equalities({"the least of the losses of 41 splits and rho^2 (1 - rho)": of_splits}, EXACT),
        *equalities({"the load where it is largest and 2/3": exact(top.x - 2 / 3)}, 1e-6),
        *equalities({"the largest loss and 4/27": exact(-top.fun - 4 / 27)}, 1e-9),
        everywhere(
            "the largest loss, in percent, rounded to one digit,", exact(round(-100 * top.fun, 1)), between(14.8, 14.8)
        ),
        everywhere("in fractions the loss is rho^2 (1 - rho)",
                   cases("load", [*SOME, Fraction(1, 3), Fraction(2, 3)]).measure(exactly)),
        whole=True,
    )  # fmt: skip


@check("thesis-4-038", capacities=UNEQUAL)
def half_of_wait_while_idle(capacities=HALVES):
    """The loss against half the library's P_lbs(0, 2)."""
    losses = exact(losses_of_two(capacities)[0].reshape(20, 20), first_load=GRID, second_load=GRID)
    half = grid(first_load=GRID, second_load=GRID).measure(
        lambda *pair: load_balancing_success(0, 2, [*map(float, pair)]) / 2
    )
    return conclude(*equalities({"the loss and half of P_wwi": losses - half}, EXACT), whole=True)


@check("thesis-4-133", alone=True)
def near_the_ends(alone=False):
    """Two equal processors at loads up to 0.05 and from 0.95 on."""

    def lost(load):
        best = minimise_capacity_loss(alike(2), load)
        each = [2 * load, 0] if alone else best.processor_loads
        one, other = np.minimum(each, 1)
        loss = capacity_loss(alike(2), each)
        gap = abs(loss - ((1 - one) * other**2 + one**2 * (1 - other)) / 2)
        return {"loss": loss, "gap": gap if alone else max(gap, abs(best.objective - loss))}

    found = cases("load", (*np.linspace(0.001, 0.05, 50), *np.linspace(0.95, 0.999, 50))).measure(lost)
    return conclude(
        everywhere("the capacity loss", found["loss"], at_most("close")),
        provided=equalities({"it and half the probability that one is idle and the other has two jobs": found["gap"]},
                            EXACT),
    )  # fmt: skip


def tails(loads):
    """P[N >= n] for n = 1, ..., 30, to full relative precision: what is left of 1 where that is much."""
    if max(loads) >= 1:
        return np.ones(30)
    law = number_law(loads, 400)
    return 1 - np.cumsum(law[:30]) if max(loads) > 0.9 else np.cumsum(law[::-1])[::-1][1:31]


@check("thesis-4-039", rates=(0.6, 0.4))
def fewest_where_equal(rates=(0.5, 0.5)):
    """P[N >= n] at 200 splits of a load against that at equal loads."""

    def compared(load, place):
        low, high = max(0.0, 2 * load - 1), min(1.0, 2 * load)
        first = low + place * (high - low)
        loads = np.array([first, 2 * load - first]) * 0.5 / np.array(rates)
        here = tails(loads)
        more = exact(here > tails(load * 0.5 / np.array(rates)), n=range(1, 31))
        return {"more": more, "first": here[0] - (1 - np.prod(1 - np.minimum(loads, 1)))}

    found = grid(load=LOADS, place=(np.arange(200) + 0.5) / 200).measure(compared)
    more = exact(found["more"].value.all(axis=(0, 1)), n=range(1, 31))
    return conclude(
        at_each("P[N >= n] is larger than at equal loads in all 3800 splits", more),
        provided=equalities({"P[N >= 1] and 1 less the probability that both are idle": found["first"]}, EXACT),
    )


@functools.cache
def laws(load, ratio=1):
    """The library's law of N at loads rho + x and rho - ratio x: 14 of them, enough for polynomials of degree 13."""
    return {x: number_law([load + x, load - ratio * x], 13) for x in (x / ratio for x in points(14, load))}


@functools.cache
def off_in_floats(load, ratio=1):
    """How far the same laws in floats are from these."""
    return max(
        difference(number_law([float(load + x), float(load - ratio * x)], 13), np.array(law, float))
        for x, law in laws(load, ratio).items()
    )


@check("thesis-4-040", turned=True)
def coefficients(turned=False):
    """(4.72) against the library's law, as a polynomial; then (4.74)-(4.76) coefficient by coefficient."""

    def same(load, n):
        found, sums = tail(n, load), h(n, load, turned)
        terms = [0 if i % 2 else comb(n + 1, i + 1) * load ** (n - i) for i in range(n + 1)]
        return {
            "(4.72) is the law of N": all(value(found, x) == 1 - sum(law[:n]) for x, law in laws(load).items()),
            "it is that in floats": all(
                abs(float(value(found, x)) - 1 + number_law([float(load + x), float(load - x)], n).sum()) <= EXACT
                for x in laws(load)
            ),
            "(4.74) and (4.75) hold": found == total(power([load, ONE], n + 1), product([1 - load, -ONE], sums)),
            "(4.76) holds": sums == total(terms),
        }

    return exactly(grid(load=SOME, n=range(1, 13)).measure(same))


def exactly(found):
    """The finding that statements hold everywhere."""
    return conclude(*(everywhere(said, points) for said, points in found.items()), whole=True)


@check("thesis-4-041", sign=ONE)
def recursion(sign=-ONE):
    """(4.77) against h_n from its definition, and that against the library's law of N, in fractions and in floats."""

    def same(load, n):
        sums = h(n, load)
        return {
            "the law of N in floats is that in fractions": off_in_floats(load) <= EXACT,
            "(4.77) holds": h(n + 1, load) == total(product([load, sign], sums), power([load, ONE], n + 1)),
            "h_n is that of the law of N": all(
                value(sums, x) * (1 - load - x) * (1 - load + x) == law[n] for x, law in laws(load).items()
            ),
        }

    return exactly(grid(load=SOME, n=range(13)).measure(same))


@check("thesis-4-042", ratio=Fraction(3, 2))
def signs_of_coefficients(ratio=1):
    """Odd coefficients of the library's P[N >= n] and even ones, from 14 values by how far loads are from the mean one.

    The second processor of the control has 0.4 of the capacity.
    """

    def signs(load, n):
        found = through([*laws(load, ratio)], [1 - sum(law[:n]) for law in laws(load, ratio).values()])
        found = found + [0] * (n + 2 - len(found))
        return {
            "the degree is n + 1 at most": len(found) == n + 2,
            "the odd coefficients are 0": not any(found[1::2]),
            "the even ones are positive": all(a > 0 for a in found[: n + 2 : 2]),
            "the last coefficient is 1 if n is odd": n % 2 == 0 or found[n + 1] == 1,
            "the law in floats is the same": off_in_floats(load, ratio) <= 1e-12,
        }

    return exactly(grid(load=SOME, n=range(1, 13)).measure(signs))


@check("thesis-4-043", slope=0.2)
def balanced_loses_least(slope=0.0):
    """Equal loads against random splits and where descents from them end; the control's capacities differ."""
    rng, systems, minima = np.random.default_rng(43), {"random splits": [], "ends of descents": []}, []
    for processors in range(2, 9):
        speeds = np.sort(alike(processors) * (1 + slope * np.linspace(-1, 1, processors)))[::-1].copy()
        systems["random splits"] += [(speeds, *split) for split in splits(rng, 100, speeds)]
        systems["ends of descents"] += [
            (speeds, load, descend(speeds, load, loads)) for load, loads in splits(rng, 20, speeds, stable=True)
        ]
        minima += [(speeds, load) for load in LOADS] * (not slope)

    def more(speeds, load, loads):
        return capacity_loss(speeds, loads) - capacity_loss(speeds, np.full(len(speeds), load))

    def off(speeds, load):
        found = minimise_capacity_loss(speeds, load)
        own = capacity_loss(speeds, np.full(len(speeds), load))
        return max(np.ptp(found.processor_loads), abs(found.objective - own))

    return conclude(
        *(everywhere(f"the loss at {kind} less that of equal loads", cases("system", found).measure(more),
                     at_least(0)) for kind, found in systems.items()),
        *([] if slope else [everywhere("the loads and the loss of the library's minimum, and equal ones,",
                                       cases("equal system", minima).measure(off), equal(EXACT))]),
        whole=True,
    )  # fmt: skip


@check("thesis-4-134", rest=0)
def separated(rest=2):
    """(4.82) and both lines of (4.83) by the law of the total numbers, against the library's loss."""
    rng = np.random.default_rng(134)

    def gaps(load, loads):
        P = len(loads)
        geometric = [(1 - a) * a ** np.arange(P + 1) for a in loads]
        everyone, others, pair = (
            functools.reduce(np.convolve, part)[: P + 1] for part in (geometric, geometric[rest:], geometric[:2])
        )
        direct, first, of_pair = (np.append(1.0, 1 - np.cumsum(law)) for law in (everyone, others, pair))
        first = first[1 : P + 1].sum()
        middle = sum(others[m] * of_pair[n - m] for n in range(1, P + 1) for m in range(n))
        last = sum(others[m] * of_pair[1 : P - m + 1].sum() for m in range(P))
        share = P * (capacity_loss(alike(P), loads) + load)
        own = 1 - np.cumsum(number_law(loads, P))
        return {
            "(4.82) by the library's law and that share": own.sum() - share,
            "(4.82) and the share from the library's loss": direct[1 : P + 1].sum() - share,
            "the first line of (4.83) and it": first + middle - share,
            "the second line of (4.83) and it": first + last - share,
        }

    systems = [loads for P in range(3, 7) for _, loads in splits(rng, 50, alike(P), stable=True)]
    for loads in systems[::5]:
        loads[-1] = 0.0
    systems = [(loads.mean(), loads) for loads in systems]
    return conclude(*equalities(cases("random system", systems, seed=134).measure(gaps), EXACT), whole=True)


@check("thesis-4-052", capacities=(0.5, 0.3, 0.2))
def five_objectives(capacities=None):
    """Each objective at random splits against equal loads, and the library's own best splits of three."""
    rng = np.random.default_rng(52)
    objectives = {
        "capacity loss": capacity_loss,
        "mean response time": mean_response_time, "mean waiting time": mean_waiting_time,
    } | {
        f"P_lbs({n}, {m})": lambda speeds, loads, pair=(n, m): load_balancing_success(*pair, loads)
        for n, m in ((0, 2), (1, 3), (2, 3))
    }  # fmt: skip

    def more(speeds, load, loads):
        equal = np.full(len(speeds), load)
        return {name: objective(speeds, loads) - objective(speeds, equal) for name, objective in objectives.items()}

    def apart(speeds, load):
        best = (minimise_capacity_loss, minimise_response_time, minimise_waiting_time)
        return max(np.abs(minimise(speeds, load).processor_loads - load).max() for minimise in best)

    systems, minima = [], []
    for processors in range(2, 8):
        speeds = alike(processors) if capacities is None else np.array(capacities)
        systems += [(speeds, *split) for split in splits(rng, 100, speeds, stable=True)]
        minima += [(speeds, load) for load in LOADS]
    found = cases("random split", systems, seed=52).measure(more)
    return conclude(
        *(everywhere(f"the {name} less that at equal loads", gap, at_least(0)) for name, gap in found.items()),
        *equalities({"the loads with the least loss, response and waiting time, by the library, and equal ones":
                     cases("system", minima[:1] if capacities else minima).measure(apart)}, EXACT),
        whole=True,
    )  # fmt: skip
