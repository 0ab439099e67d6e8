"""Claims of `thesis`, Section 4.4.3: what two unequal processors lose, and the split that loses least."""

import functools
import itertools
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize_scalar

from clustershare.shares import maximum_obtainable_share
from clustershare.splitting import capacity_loss, minimise_capacity_loss, minimise_response_time, minimise_waiting_time
from clustershare.splitting.capacity_loss import two_processors
from compendium.press.findings import check, difference, equality, finding
from pages.share_scheduling.splitting.pairs import CAPACITIES, LOADS, losses, proportional

EXACT = 1e-12


@check("thesis-4-053", cases=2)
def loss_by_cases(cases=3):
    """The general loss against the cases of the proof, and these against all states: 0, 1, or 2 and more jobs."""
    states = np.array(list(itertools.product(range(3), repeat=2)))
    # processor 1 idle and 2 with a queue; 1 with a queue and 2 idle; processor 1 idle and 2 with one job
    which = [(states == state).all(axis=1) for state in ((0, 2), (2, 0), (0, 1))][:cases]
    loads, gap, wrong_states = np.arange(20) / 20, 0.0, 0
    for c in 0.5 + np.arange(10) / 20:
        speeds = np.array([c, 1 - c])
        lost = sum(value * case for value, case in zip((c, 1 - c, 2 * c - 1), which))
        wrong_states += (np.abs(maximum_obtainable_share(states.sum(axis=1), speeds) - (states > 0) @ speeds - lost)
                         > EXACT).sum()  # fmt: skip
        for pair in itertools.product(loads, repeat=2):
            geometric = np.array([[1 - load, (1 - load) * load, load**2] for load in pair])
            probability = geometric[0, states[:, 0]] * geometric[1, states[:, 1]]
            gap = max(gap, abs(probability @ lost - capacity_loss(speeds, np.array(pair))))
    said = "equal within 1e-12 in 4000 systems, and no other state loses" if gap <= EXACT else f"off by up to {gap:.2f}"
    return finding(said, gap <= EXACT and not wrong_states)


def rational(rng, low, high):
    """A random fraction between two fractions, both excluded."""
    return low + (high - low) * Fraction(int(rng.integers(1, 200)), 200)


def second_differences(c, loads, along):
    """Exact second derivatives of a polynomial of degree 2 in each load, by central differences."""
    h = min(*loads, *(1 - load for load in loads)) * (1 - c) / 3

    def at(*steps):
        return capacity_loss([c, 1 - c], [x + h * sum(k * way[p] for k, way in zip(steps, along))
                                          for p, x in enumerate(loads)])  # fmt: skip

    mixed = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h**2)
    own = [(at(*way) - 2 * at(0, 0) + at(*(-k for k in way))) / h**2 for way in ((1, 0), (0, 1))]
    return [[own[0], mixed], [mixed, own[1]]]


@check("thesis-4-054", fixed_total=True)
def curvature(fixed_total=False):
    """(4.98) at random points and (4.99) with its least eigenvalue; the control moves load from one to the other."""
    rng, wrong, half, eigenvalues = np.random.default_rng(54), 0, Fraction(1, 2), []

    def hessian(c, loads):
        along = ((1, -c / (1 - c)), (-(1 - c) / c, 1)) if fixed_total else ((1, 0), (0, 1))
        return second_differences(c, loads, along)

    for _ in range(200):
        c, a, b = rational(rng, half, 1), rational(rng, 0, 1), rational(rng, 0, 1)
        mixed = -2 * (a + b) * (1 - c) - (2 * c - 1)
        wrong += hessian(c, (a, b)) != [[2 * (1 - b) * (1 - c), mixed], [mixed, 2 * (1 - a) * (1 - c)]]
    for c in (Fraction(k, 100) for k in range(50, 100)):
        middle = hessian(c, (half, half))
        wrong += middle != [[1 - c, -1], [-1, 1 - c]]
        eigenvalues.append(np.linalg.eigvalsh(np.array(middle, dtype=float))[0])
    least, most = min(eigenvalues), max(eigenvalues)
    return finding(f"{wrong} of 250 Hessians differ; at (1/2, 1/2) the least eigenvalue is {least:.2f} to {most:.2f}",
                   not wrong and most < 0)  # fmt: skip


GOLDEN = (5**0.5 - 1) / 2


def searched(c, load):
    """For a pair and some loads the load of the faster processor with the least loss of all that are tried."""
    low, high = np.maximum(0, (load - (1 - c)) / c), np.minimum(1, load / c)

    def loss(first):  # of many loads of the faster processor, shape (many, loads)
        second = np.clip((load - c * first) / (1 - c), 0, 1)
        return losses(c, first.ravel(), second.ravel()).reshape(first.shape)

    grid = low + (high - low) * np.linspace(0, 1, 200)[:, None]
    start = grid[loss(grid).argmin(axis=0), np.arange(len(load))]
    step = (high - low) / 199
    low, high = np.maximum(low, start - step), np.minimum(high, start + step)
    for _ in range(26):  # the bracket shrinks to 4e-8 of all
        inner = np.array([high - GOLDEN * (high - low), low + GOLDEN * (high - low)])
        left, right = loss(inner)
        low, high = np.where(left > right, [inner[0], high], [low, inner[1]])
    tried = np.array([start, (low + high) / 2])  # the first may be an end of the line
    return tried[loss(tried).argmin(axis=0), np.arange(len(load))]


@functools.cache
def searches():
    """Pairs, loads, and what a search finds: for all of the grid, and 500 more."""
    rng = np.random.default_rng(55)
    found = [(c, LOADS, searched(c, LOADS)) for c in CAPACITIES]
    for c, load in zip(rng.uniform(0.5, 1, 500), rng.random((500, 1))):
        found.append((c, load, searched(c, load)))
    return found


@check("thesis-4-055", turned=True)
def closed_form(turned=False):
    """The closed form against a search; the control takes the capacity of the slower processor in it."""
    worst_loss = worst_load = 0.0
    for c, loads, found in searches():
        if turned:
            own = [min(max(0.0, two_processors(1 - c, load)), load / c) for load in loads]
            value = losses(c, own, np.maximum(0, loads - c * np.array(own)) / (1 - c))
        else:
            best = [minimise_capacity_loss(np.array([c, 1 - c]), load) for load in loads]
            own, value = [split.processor_loads[0] for split in best], [split.objective for split in best]
        least = losses(c, found, np.maximum(0, loads - c * found) / (1 - c))
        worst_load, worst_loss = max(worst_load, difference(own, found)), max(worst_loss, difference(value, least))
    good = worst_load <= 1e-6 and worst_loss <= EXACT
    return finding("losses within 1e-12, loads within 1e-6 in 10301 systems" if good else
                   f"loads up to {worst_load:.2f} apart, losses {worst_loss:.2f}", good)  # fmt: skip


def cubic(c, load):
    """(4.106)-(4.109) as printed: a_0, a_1, a_2, a_3."""
    return [
        (load**2 + (2 * c - 1) * load) / (1 - c),
        -(load**2 + (4 * c - 1) * load + (2 * c - 1) * c) / (1 - c),
        ((3 * c - 1) * load + 4 * c**2 - 3 * c + 1) / (1 - c),
        -c * (2 * c - 1) / (1 - c),
    ]


def interpolated(x, y):
    """The coefficients of the polynomial through some points, exact for fractions; that of power 0 first."""
    total = np.zeros(len(x), dtype=object)
    for i, at in enumerate(x):
        factors = [np.array([-other, Fraction(1)]) / (at - other) for j, other in enumerate(x) if j != i]
        total += y[i] * functools.reduce(np.convolve, factors)
    return total


@check("thesis-4-056", swapped=True)
def loss_on_the_line(swapped=False):
    """Each coefficient against four exact values; the control splits the total by the capacities swapped."""
    rng, wrong = np.random.default_rng(56), np.zeros(4, dtype=int)
    for _ in range(200):
        c, load = rational(rng, Fraction(1, 2), 1), rational(rng, 0, 1)
        first, second = (1 - c, c) if swapped else (c, 1 - c)
        low, high = max(0, (load - second) / first), min(1, load / first)
        x = [low + (high - low) * Fraction(k, 5) for k in range(1, 5)]
        y = [capacity_loss([c, 1 - c], [at, (load - first * at) / second]) for at in x]
        wrong += [value != printed for value, printed in zip(interpolated(x, y), cubic(c, load))]
    return finding("equal in 200 systems" if not wrong.any() else
                   "of 200 systems " + ", ".join(f"a_{k} off in {n}" for k, n in enumerate(wrong)),
                   not wrong.any())  # fmt: skip


def roots(slower):
    """The grid, and on it the roots of the derivative: the library's, and from the sum of both the other one."""
    c, load = np.meshgrid(1 - CAPACITIES if slower else CAPACITIES, LOADS, indexing="ij")
    first = np.vectorize(two_processors)(c, load)
    _, _, a2, a3 = cubic(c, load)
    return c, load, first, -2 * a2 / (3 * a3) - first


@check("thesis-4-057", slower=True)
def order_of_the_roots(slower=False):
    """Every inequality of (4.111)."""
    _, load, low, high = roots(slower)
    margins = {"rho < rho_1^hat": low - load, "rho_1^hat < 1": 1 - low, "1 < rho_1^bar": high - 1}
    said = ", ".join(f"{name} fails at {(margin <= 0).sum()}" for name, margin in margins.items())
    return finding(f"of 9801 systems: {said}", min(margin.min() for margin in margins.values()) > 0)


@check("thesis-4-058", slower=True)
def which_bound_matters(slower=False):
    """(4.112), each bound by itself."""
    c, load, first, _ = roots(slower)
    below, above = (first <= (load - (1 - c)) / c).sum(), (first > load / c).sum()
    return finding(f"of 9801 systems the lower bound is broken at {below}, the upper one at {above}",
                   not below and 0 < above < c.size)  # fmt: skip


def by_jobs(faster, loads):
    """The loss if each processor is sent half of the jobs."""
    return np.array([[capacity_loss(np.array([c, 1 - c]), load / 2 / np.array([c, 1 - c])) for load in loads]
                     for c in faster])  # fmt: skip


@check("thesis-4-066", system=by_jobs)
def proportional_branching(system=proportional):
    """Both forms of (4.114)."""
    c, load = np.meshgrid(CAPACITIES, LOADS, indexing="ij")
    long = (1 - load) * load**2 * c + (1 - load) * load**2 * (1 - c) + (1 - load) ** 2 * load * (2 * c - 1)
    short = (1 - load) * load**2 + (1 - load) ** 2 * load * (2 * c - 1)
    found = system(CAPACITIES, LOADS)
    return equality(max(difference(found, long), difference(found, short)), EXACT)


def best(faster, loads):
    """The least loss."""
    return np.array([[minimise_capacity_loss([c, 1 - c], load).objective for load in loads] for c in faster])


@check("thesis-4-067", system=best)
def limit_of_proportional_branching(system=proportional):
    """(4.115) where the slower processor has hardly any capacity."""
    loads = np.arange(1, 20) / 20
    found = system([1 - 1e-9], loads)[0]
    return equality(max(difference(found, loads * (1 - loads)), difference(found, found[::-1])), 1e-8)


def mean_time(served, capacities, load, first):
    """Of M/M/1 queues with the service rates `capacities`: of a job, or without its service."""
    total = 0.0
    for part, rate in zip((first, 1 - first), capacities):
        total += part * (1 / (rate - part * load) - (0 if served else 1 / rate))
    return total


@check("thesis-4-070", capacities_in_it=False)
def loads_for_short_times(capacities_in_it=True):
    """(4.116) and (4.117) against a search; the control leaves c_p out, so that both processors have the same load."""
    worst_load = worst_time = 0.0
    for k, load in itertools.product(range(9), np.arange(1, 20) / 20):
        speeds = np.array([0.55 + k / 20, 0.45 - k / 20])
        for served, minimise in ((False, minimise_waiting_time), (True, minimise_response_time)):
            split = minimise(speeds, load)
            fraction = split.fractions[1] if capacities_in_it or served else speeds[1]
            value = split.objective if capacities_in_it or served else mean_time(served, speeds, load, 1 - fraction)

            def time(second, served=served, speeds=speeds, load=load):
                return mean_time(served, speeds, load, 1 - second)

            # the part of the slower processor is sought, for the search is finest next to 0, where many minima are
            limits = max(0.0, 1 - speeds[0] / load), min(1.0, speeds[1] / load)
            found = minimize_scalar(time, bounds=limits, method="bounded", options={"xatol": 1e-13})
            worst_load = max(worst_load, *(abs(fraction - found.x) * load / speeds))
            worst_time = max(worst_time, abs(value - found.fun))
    good = worst_load <= 1e-5 and worst_time <= 1e-10
    return finding("loads within 1e-5, times within 1e-10 in 171 systems" if good else
                   f"loads up to {worst_load:.2f} apart, times up to {worst_time:.2f}", good)  # fmt: skip
