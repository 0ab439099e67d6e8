"""Claims of `thesis`, Section 4.4.2 until Theorem 4.5: balanced loads lose least capacity on equal processors."""

import functools
from fractions import Fraction
from math import comb

import numpy as np
from scipy.optimize import minimize_scalar

from clustershare.splitting import capacity_loss, load_balancing_success, minimise_capacity_loss, number_law
from clustershare.splitting.capacity_loss import descend, mean_response_time, mean_waiting_time
from compendium.press.findings import check, difference, equality, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.splitting.equal import alike, splits, states
from pages.share_scheduling.splitting.polynomials import ONE, at_least, h, points, power, product, total, value

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
    printed = []
    for one in GRID:
        for other in GRID:
            load = capacities[0] * one + capacities[1] * other
            printed.append((1 + load) * (one - load) ** 2 + load**2 * (1 - load))
    gap = max(
        difference(losses, np.array(printed, dtype=float)), float(max(abs(a - b) for a, b in zip(printed, counted)))
    )
    return equality(gap, EXACT)


@check("thesis-4-037", processors=3)
def largest_loss_of_two(processors=2):
    """The library's minimum as a function of the load, and where it is largest."""

    def least(load):
        return minimise_capacity_loss(alike(processors), load).objective

    printed = difference([least(load) for load in LOADS], LOADS**2 * (1 - LOADS)) <= EXACT
    top = minimize_scalar(lambda load: -least(load), bounds=(0.01, 0.99), method="bounded", options={"xatol": 1e-10})
    place, most = top.x, -top.fun
    return finding(
        f"largest at a load of {place:.4f}, {100 * most:.1f} %; rho^2 (1 - rho) {'holds' if printed else 'fails'}",
        printed and abs(place - 2 / 3) <= 1e-6 and abs(most - 4 / 27) <= 1e-9 and f"{100 * most:.1f}" == "14.8",
    )


@check("thesis-4-038", capacities=UNEQUAL)
def half_of_wait_while_idle(capacities=HALVES):
    """The loss against half the library's P_lbs(0, 2)."""
    losses, _ = losses_of_two(capacities)
    waits = [load_balancing_success(0, 2, [float(one), float(other)]) for one in GRID for other in GRID]
    return equality(difference(losses, np.array(waits) / 2), EXACT)


@check("thesis-4-133", alone=True)
def near_the_ends(alone=False):
    """Two equal processors at loads up to 0.05 and from 0.95 on."""
    largest = 0.0
    for load in (*np.linspace(0.001, 0.05, 50), *np.linspace(0.95, 0.999, 50)):
        split = [2 * load, 0] if alone else minimise_capacity_loss(alike(2), load).processor_loads
        largest = max(largest, capacity_loss(alike(2), split))
    return finding(f"at most {largest:.4f}", allows("close", largest))


def tails(loads):
    """P[N >= n] for n = 1, ..., 30, to full relative precision: what is left of 1 where that is much."""
    if max(loads) >= 1:
        return np.ones(30)
    law = number_law(loads, 400)
    return 1 - np.cumsum(law[:30]) if max(loads) > 0.9 else np.cumsum(law[::-1])[::-1][1:31]


@check("thesis-4-039", rates=(0.6, 0.4))
def fewest_where_equal(rates=(0.5, 0.5)):
    """P[N >= n] at 200 splits of a load against that at equal loads."""
    larger, one_or_more = [], True
    for load in LOADS:
        equal = tails(load * 0.5 / np.array(rates))
        low, high = max(0.0, 2 * load - 1), min(1.0, 2 * load)
        for place in (np.arange(200) + 0.5) / 200:
            first = low + place * (high - low)
            loads = np.array([first, 2 * load - first]) * 0.5 / np.array(rates)
            here = tails(loads)
            larger.append(here > equal)
            one_or_more &= abs(here[0] - (1 - np.prod(1 - np.minimum(loads, 1)))) <= EXACT
    larger = np.array(larger)
    return over_domain(
        f"larger at {larger.sum()} of {larger.size} points"
        + ("" if one_or_more else "; for n = 1 not by the loads"),
        larger.all(axis=0) & one_or_more,
    )  # fmt: skip


@functools.cache
def laws(load):
    """The library's law of N at 14 splits of a load, which is enough for polynomials of degree 13."""
    return {x: number_law([load + x, load - x], 13) for x in points(14, load)}


@check("thesis-4-040", turned=True)
def coefficients(turned=False):
    """(4.72) against the library's law, as a polynomial; then (4.74)-(4.76) coefficient by coefficient."""
    law = form = True
    for load in SOME:
        for n in range(1, 13):
            tail, sums = at_least(n, load), h(n, load, turned)
            law &= all(value(tail, x) == 1 - sum(known[:n]) for x, known in laws(load).items())
            form &= tail == total(power([load, ONE], n + 1), product([1 - load, -ONE], sums))
            form &= sums == total([0 if i % 2 else comb(n + 1, i + 1) * load ** (n - i) for i in range(n + 1)])
    return finding(
        f"(4.72) is {'' if law else 'not '}the law of N; (4.74)-(4.76) {'hold' if form else 'fail'}", law and form
    )


@check("thesis-4-041", sign=ONE)
def recursion(sign=-ONE):
    """(4.77) against h_n from its definition, and that against the library's law of N."""
    holds = law = True
    for load in SOME:
        for n in range(13):
            sums = h(n, load)
            holds &= h(n + 1, load) == total(product([load, sign], sums), power([load, ONE], n + 1))
            law &= all(value(sums, x) * (1 - load - x) * (1 - load + x) == known[n] for x, known in laws(load).items())
    return finding(f"{'equal' if holds else 'not equal'}, exactly; h_n is {'' if law else 'not '}that of the law of N",
                   holds and law)  # fmt: skip


@check("thesis-4-042", ratio=Fraction(3, 2))
def signs_of_coefficients(ratio=1):
    """Odd coefficients of (4.72) and even ones; the control's second processor has 0.4 of the capacity."""
    odd = even = last = True
    for load in SOME:
        for n in range(1, 13):
            found = at_least(n, load, ratio)
            found = found + [0] * (n + 2 - len(found))
            odd &= not any(found[1::2])
            even &= all(a > 0 for a in found[: n + 2 : 2])
            last &= n % 2 == 0 or found[n + 1] == 1
    return finding(f"odd ones {'vanish' if odd else 'do not vanish'}, even ones {'are' if even else 'are not all'} "
                   f"positive, the last {'is' if last else 'is not'} 1", odd and even and last)  # fmt: skip


@check("thesis-4-043", slope=0.2)
def balanced_loses_least(slope=0.0):
    """Equal loads against random splits and where descents from them end; the control's capacities differ."""
    rng, below, kinds, off = np.random.default_rng(43), {"splits": 0, "descents": 0}, {}, 0.0
    for processors in range(2, 9):
        speeds = np.sort(alike(processors) * (1 + slope * np.linspace(-1, 1, processors)))[::-1].copy()
        for kind, number in (("splits", 100), ("descents", 20)):
            for load, loads in splits(rng, number, speeds, stable=kind == "descents"):
                found = descend(speeds, load, loads) if kind == "descents" else loads
                below[kind] += capacity_loss(speeds, found) < capacity_loss(speeds, np.full(processors, load)) - EXACT
            kinds[kind] = kinds.get(kind, 0) + number
        for load in () if slope else LOADS:
            found = minimise_capacity_loss(speeds, load)
            off = max(
                off, np.ptp(found.processor_loads), abs(found.objective - capacity_loss(speeds, [load] * processors))
            )
    said = ", ".join(f"{below[kind]} of {number} {kind}" for kind, number in kinds.items())
    own = f"the library's minimum is {'at equal ones' if off <= EXACT else 'elsewhere'}"
    own = "" if slope else f"; {own}"
    return finding(f"{said} lose less than equal loads{own}", not any(below.values()) and off <= EXACT)


@check("thesis-4-134", rest=0)
def separated(rest=2):
    """(4.82) and both lines of (4.83) by the law of the total numbers, against the library's loss."""
    rng, gap = np.random.default_rng(134), 0.0
    for P in range(3, 7):
        for load, loads in splits(rng, 50, alike(P), stable=True):
            geometric = [(1 - a) * a ** np.arange(P + 1) for a in loads]
            everyone, others, pair = (
                functools.reduce(np.convolve, part)[: P + 1] for part in (geometric, geometric[rest:], geometric[:2])
            )
            direct, first, of_pair = (np.append(1.0, 1 - np.cumsum(law)) for law in (everyone, others, pair))
            direct, first = direct[1 : P + 1].sum(), first[1 : P + 1].sum()
            middle = sum(others[m] * of_pair[n - m] for n in range(1, P + 1) for m in range(n))
            last = sum(others[m] * of_pair[1 : P - m + 1].sum() for m in range(P))
            expected = P * (capacity_loss(alike(P), loads) + load)
            gap = max(gap, difference([direct, first + middle, first + last], expected))
    return equality(gap, EXACT)


@check("thesis-4-052", capacities=(0.5, 0.3, 0.2))
def five_objectives(capacities=None):
    """Each objective at random splits against equal loads."""
    rng = np.random.default_rng(52)
    objectives = {
        "capacity loss": capacity_loss,
        "response time": mean_response_time,
        "waiting time": mean_waiting_time,
        "P_wwi": lambda speeds, loads: load_balancing_success(0, 2, loads),
        "P_lbs(1, 3)": lambda speeds, loads: load_balancing_success(1, 3, loads),
        "P_lbs(2, 3)": lambda speeds, loads: load_balancing_success(2, 3, loads),
    }
    worse = dict.fromkeys(objectives, True)
    for processors in range(2, 8):
        speeds = alike(processors) if capacities is None else np.array(capacities)
        for load, loads in splits(rng, 100, speeds, stable=True):
            equal = np.full(len(speeds), load)
            for name, objective in objectives.items():
                worse[name] &= objective(speeds, loads) >= objective(speeds, equal) - EXACT
    failing = [name for name, holds in worse.items() if not holds]
    return finding(f"smaller at another split: {', '.join(failing) or 'none'}", not failing)
