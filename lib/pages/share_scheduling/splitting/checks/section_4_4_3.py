"""Claims of `thesis`, Section 4.4.3: what two unequal processors lose, and the split that loses least."""

import functools
import itertools
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize_scalar

from clustershare.shares import maximum_obtainable_share
from clustershare.splitting import (
    capacity_loss,
    horizontal,
    minimise_capacity_loss,
    minimise_response_time,
    minimise_waiting_time,
)
from clustershare.splitting.capacity_loss import two_processors
from clustershare.splitting.curvature import curvatures
from compendium.press.clauses import aside, cases, conclude, equalities, everywhere, exact, grid, somewhere
from compendium.press.clauses.conditions import at_most, larger, smaller
from compendium.press.findings import check, difference
from pages.share_scheduling.splitting.points.pairs import CAPACITIES, LOADS, least, losses, proportional
from pages.share_scheduling.splitting.printed.pairs import cubic, slope
from pages.share_scheduling.splitting.witnesses.polynomials import through, value

EXACT = 1e-12
C = 0.5 + np.arange(10) / 20  # capacities of the faster processor
HALF, HALVES = Fraction(1, 2), (0.5, 0.5)


@check("thesis-4-053", cases=2)
def loss_by_cases(cases=3):
    """The general loss against the cases of the proof, and these against all states: 0, 1, or 2 and more jobs."""
    states = np.array(list(itertools.product(range(3), repeat=2)))
    # processor 1 idle and 2 with a queue; 1 with a queue and 2 idle; processor 1 idle and 2 with one job
    which = [(states == state).all(axis=1) for state in ((0, 2), (2, 0), (0, 1))][:cases]
    lost = {c: sum(value * case for value, case in zip((c, 1 - c, 2 * c - 1), which)) for c in C}

    def elsewhere(c):
        speeds = np.array([c, 1 - c])
        return difference(maximum_obtainable_share(states.sum(axis=1), speeds) - (states > 0) @ speeds, lost[c])

    def gap(c, first, second):
        geometric = np.array([[1 - load, (1 - load) * load, load**2] for load in (first, second)])
        probability = geometric[0, states[:, 0]] * geometric[1, states[:, 1]]
        return probability @ lost[c] - capacity_loss(np.array([c, 1 - c]), np.array([first, second]))

    loads = np.arange(20) / 20
    found = {
        "the mean of the loss over the cases and the library's loss": grid(
            c=C, first_load=loads, second_load=loads
        ).measure(gap),
        "the loss of any state and that of its case": grid(c=C).measure(elsewhere),
    }
    return conclude(*equalities(found, EXACT), whole=True)


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

    def hessian(c, loads):
        along = ((1, -c / (1 - c)), (-(1 - c) / c, 1)) if fixed_total else ((1, 0), (0, 1))
        return second_differences(c, loads, along)

    def printed(c, a, b):
        mixed = -2 * (a + b) * (1 - c) - (2 * c - 1)
        expected = [[2 * (1 - b) * (1 - c), mixed], [mixed, 2 * (1 - a) * (1 - c)]]
        point, bounds = np.array([[a, b]], dtype=float), np.empty((2, 1, 2, 2))
        curvatures(np.array([c, 1 - c], dtype=float), point, point, *bounds)
        return {
            "same": hessian(c, (a, b)) == expected,
            "bounds": difference(bounds[:, 0], np.array(expected, dtype=float)),
        }

    def in_the_middle(c):
        found = hessian(c, (HALF, HALF))
        least = np.linalg.eigvalsh(np.array(found, dtype=float))[0]
        return {"same": found == [[1 - c, -1], [-1, 1 - c]], "least": least}

    rng = np.random.default_rng(54)
    points = [(rational(rng, HALF, 1), rational(rng, 0, 1), rational(rng, 0, 1)) for _ in range(200)]
    found = cases("point", points, seed=54).measure(printed)
    middle = cases("capacity", [Fraction(k, 100) for k in range(50, 100)]).measure(in_the_middle)
    return conclude(
        everywhere("the second derivatives of the loss are (4.98)", found["same"]),
        *equalities({"(4.98) and the library's bounds of curvature on a box with no width": found["bounds"]}, EXACT),
        everywhere("at (1/2, 1/2) they are (4.99)", middle["same"]),
        everywhere("the least eigenvalue there", middle["least"], smaller()),
        whole=True,
    )


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

    def gaps(c, loads, found):
        def loss(own):
            return losses(c, own, np.maximum(0, loads - c * own) / (1 - c))

        if turned:
            own = np.array([min(max(0.0, two_processors(1 - c, load)), load / c) for load in loads])
            value = loss(own)
        else:
            best = [minimise_capacity_loss(np.array([c, 1 - c]), load) for load in loads]
            own, value = np.array([(split.processor_loads[0], split.objective) for split in best]).T
        return {"load": difference(own, found), "loss": difference(value, loss(found))}

    found = cases("search", searches()).measure(gaps)
    return conclude(
        *equalities({"the loads of the closed form and of the search": found["load"]}, 1e-6),
        *equalities({"their losses": found["loss"]}, EXACT),
        aside("systems that are searched", exact(sum(len(loads) for _, loads, _ in searches()))),
        whole=True,
    )


@check("thesis-4-056", swapped=True)
def loss_on_the_line(swapped=False):
    """Each coefficient against four exact values; the control splits the total by the capacities swapped."""
    rng = np.random.default_rng(56)

    def coefficients(c, load):
        first, second = (1 - c, c) if swapped else (c, 1 - c)
        low, high = max(0, (load - second) / first), min(1, load / first)
        x = [low + (high - low) * Fraction(k, 5) for k in range(1, 5)]
        loads = [(at, (load - first * at) / second) for at in x]
        y = [capacity_loss([c, 1 - c], pair) for pair in loads]
        floats = [capacity_loss([float(c), float(1 - c)], [*map(float, pair)]) for pair in loads]
        both = itertools.zip_longest(through(x, y), cubic(c, load), fillvalue=0)
        return {
            "as printed": exact([found == said for found, said in both], power=range(4)),
            "floats": max(abs(value(cubic(c, load), at) - Fraction(loss)) for at, loss in zip(x, floats)),
        }

    systems = cases("random system", [(rational(rng, HALF, 1), rational(rng, 0, 1)) for _ in range(200)], seed=56)
    found = systems.measure(coefficients)
    return conclude(
        everywhere("the coefficient of the loss on the line is as printed", found["as printed"]),
        *equalities({"the loss in floats and (4.105)": found["floats"]}, EXACT),
        whole=True,
    )


def roots(slower):
    """The grid, and on it the roots of the derivative: the library's, and from the sum of both the other one.

    With them a clause that they are roots: of the derivative, the largest value there over its largest term.
    """
    axes = {"c": 1 - CAPACITIES if slower else CAPACITIES, "load": LOADS}
    c, load = np.meshgrid(*axes.values(), indexing="ij")
    first = np.vectorize(two_processors)(c, load)
    a2, a3 = cubic(c, load)[2:]
    other = -2 * a2 / (3 * a3) - first
    off = np.maximum(abs(slope(c, load, first)), abs(slope(c, load, other)))
    are_roots = equalities({"the slope of the loss at the two roots and 0, relatively,": exact(off, **axes)}, 1e-9)
    return axes, c, load, first, other, are_roots


@check("thesis-4-057", slower=True)
def order_of_the_roots(slower=False):
    """Every inequality of (4.111), and the library's best split where the lower root is one."""
    axes, c, load, low, high, are_roots = roots(slower)
    above = {"the lower root less the load": low - load, "1 less the lower root": 1 - low,
             "the upper root less 1": high - 1}  # fmt: skip
    inside = (c > 0.5) & (low < load / c)  # elsewhere the faster processor, named first, has all jobs
    best = [
        minimise_capacity_loss(np.array([own, 1 - own]), total).processor_loads[0]
        for own, total in zip(c[inside], load[inside])
    ]
    split = {"the lower root and the best load of the faster processor": exact(low[inside] - best, point=None)}
    return conclude(
        *(everywhere(what, exact(gap, **axes), larger()) for what, gap in above.items()), *are_roots,
        *(equalities(split, 1e-9) if best else ()), whole=True,
    )  # fmt: skip


@check("thesis-4-058", slower=True)
def which_bound_matters(slower=False):
    """(4.112), each bound by itself, and the library's best split, where the faster processor is named first."""
    axes, c, load, first, _, are_roots = roots(slower)
    above = exact(first / (load / c), **axes)
    split = np.array([[minimise_capacity_loss(np.array([own, 1 - own]), total).processor_loads for total in LOADS]
                      for own in (() if slower else CAPACITIES)]).reshape(-1, 99, 2)  # fmt: skip
    best, other = np.moveaxis(split, -1, 0)
    known = [] if slower else [
        *equalities({"the library's best load and the lesser of root and upper bound":
                     exact(best - np.minimum(first, load / c), **axes)}, 1e-9),
        everywhere("the slower processor has a load below 1, and none where the bound is broken,",
                   exact((other < 1) & ((other == 0) == (first >= load / c)), **axes)),
    ]  # fmt: skip
    return conclude(
        everywhere("the lower root is above the lower bound", exact(first > (load - (1 - c)) / c, **axes)),
        somewhere("the largest ratio of it and the upper bound less 1", above.largest("c") - exact(1.0), larger()),
        somewhere("the smallest ratio of them less 1", above.smallest("c") - exact(1.0), at_most(0)),
        *are_roots,
        *known,
        whole=True,
    )


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
    gaps = {f"the loss and the {name} form of (4.114)": exact(found - form, c=CAPACITIES, load=LOADS)
            for name, form in (("long", long), ("short", short))}  # fmt: skip
    some = slice(4, None, 9)
    alike = [[horizontal(HALVES, (rho / 2, rho / 2), (x, 1 - x)).capacity_loss for rho in LOADS[some]]
             for x in CAPACITIES[some]]  # fmt: skip
    gaps["the loss of HPRS and (4.114)"] = exact(short[some, some] - alike, c=CAPACITIES[some], load=LOADS[some])
    return conclude(*equalities(gaps, EXACT), whole=True)


@check("thesis-4-067", system=least)
def limit_of_proportional_branching(system=proportional):
    """(4.115) where the slower processor has hardly any capacity."""
    loads = np.arange(1, 20) / 20
    found = system([1 - 1e-9], loads)[0]
    gaps = {
        "the loss and rho (1 - rho)": found - loads * (1 - loads),
        "the losses at rho and 1 - rho": found - found[::-1],
    }
    return conclude(*equalities({what: exact(gap, load=loads) for what, gap in gaps.items()}, 1e-8), whole=True)


def mean_time(served, capacities, load, first):
    """Of M/M/1 queues with the service rates `capacities`: of a job, or without its service."""
    total = 0.0
    for part, rate in zip((first, 1 - first), capacities):
        total += part * (1 / (rate - part * load) - (0 if served else 1 / rate))
    return total


@check("thesis-4-070", capacities_in_it=False)
def loads_for_short_times(capacities_in_it=True):
    """(4.116) and (4.117) against a search; the control leaves c_p out, so that both processors have the same load."""

    def gaps(k, load, served, minimise):
        speeds = np.array([0.55 + k / 20, 0.45 - k / 20])
        split = minimise(speeds, load)
        own = capacities_in_it or served
        fractions, loads = (split.fractions, split.processor_loads) if own else (speeds, load)
        value = split.objective if own else mean_time(served, speeds, load, fractions[0])
        # the part of the slower processor is sought, for the search is finest next to 0, where many minima are
        found = minimize_scalar(
            lambda second: mean_time(served, speeds, load, 1 - second), method="bounded",
            bounds=(max(0.0, 1 - speeds[0] / load), min(1.0, speeds[1] / load)), options={"xatol": 1e-13},
        )  # fmt: skip
        parts = np.array([1 - found.x, found.x])
        return {
            "load": difference(loads, parts * load / speeds), "fraction": difference(fractions, parts),
            "time": value - found.fun,
        }  # fmt: skip

    ways = ((False, minimise_waiting_time), (True, minimise_response_time))
    systems = [(k, load, *way) for k in range(9) for load in np.arange(1, 20) / 20 for way in ways]
    found = cases("system", systems).measure(gaps)
    return conclude(
        *equalities({"the loads and those that a search finds": found["load"],
                     "the fractions of the jobs": found["fraction"]}, 1e-5),
        *equalities({"the mean times": found["time"]}, 1e-10),
        whole=True,
    )  # fmt: skip
