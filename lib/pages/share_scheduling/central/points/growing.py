"""What changes with more processors: the stored points of `thesis`, Figure 5.11, exact values, and larger clusters.

Points are `simulated.Measured`: values and the half widths of their own intervals.
"""

import functools
from dataclasses import replace

import numpy as np

from clustershare import dispatch, splitting
from compendium.press.clauses import cases, measured
from pages.share_scheduling.central.points import by_case, simulated
from pages.share_scheduling.central.points.simulated import Measured, exact
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, SHARES
from pages.share_scheduling.central.witnesses import lengths

NUMBER = "number of processors"
PROCESSORS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50, 100)
"""The curves of Figure 5.11; the scan names 7 and 100 only."""
FINE = tuple(round(0.8 + 0.02 * number, 12) for number in range(10))
LARGER = (10, 20, 50, 100, 200, 500, 1000)
CASES = {1: ("load", LOADS), 2: ("fraction", FRACTIONS), 3: ("share", SHARES)}
EXACT_LOADS = tuple(round(0.1 * number, 12) for number in range(1, 10))
SPREAD = {2: 16, 3: 8}  # the largest difference of two queue lengths in the chains
QUANTILE = 2.045  # of Student's law, for 30 runs: half widths over standard errors


@functools.cache
def losses(processors):
    """The capacity loss of JSQ without migration at `LOADS`, simulated; 0 on one processor."""
    if processors == 1:
        return exact(np.zeros(len(LOADS)))
    return _one(simulated.along("load", LOADS, False, policies=("JSQ",), local=("PS",), processors=processors), "load")


def _one(rows, axis, quantity="capacity_loss"):
    values, halves = simulated.table(rows, axis, quantity)
    return Measured(values["JSQ", "PS"], halves["JSQ", "PS"])


def mixed(sizes, share):
    """What part of so many processors holds jobs of both groups under SVP without migration, as Points."""
    fixed = {} if share == 0.5 else {"share": share}
    rows = simulated.along("processors", sizes, False, policies=("SVP",), **fixed)
    two, more = (by_case.of_rows(rows, "processors", "mixed_processors", k).at(policy="SVP") for k in (0, 1))
    value, half = two.value + more.value, two.half + more.half
    return replace(two, value=value / np.array(sizes), half=half / np.array(sizes))


@functools.cache
def fine_losses(processors=100):
    """The same at loads from 0.80 to 0.98, with longer runs."""
    rows = simulated.along(
        "load", FINE, False, policies=("JSQ",), local=("PS",), processors=processors, fidelity="paper"
    )
    return _one(rows, "load")


@functools.cache
def random_losses(processors, loads=LOADS):
    """The capacity loss where jobs are sent by chance to equal processors (4.81); exact."""
    speeds = np.full(processors, 1 / processors)
    return exact([splitting.capacity_loss(speeds, np.full(processors, load)) for load in loads])


@functools.cache
def deviations_by_chance(size, loads=LOADS):
    """The deviation of a group under VPRS (4.142), with a subset of so many processors and load; exact."""
    found = [splitting.vertical((0.5, 0.5), (load / 2, load / 2), 2 * size) for load in loads]
    return exact([each.group_share_deviation.max() for each in found])


@functools.cache
def chain_loss(processors, load):
    """The capacity loss of JSQ on two or three processors, by the chain of the lengths in order."""
    most = int(np.ceil(np.log(1e-6) / np.log(load))) + 10
    found, probability = lengths.law(load, processors, most, SPREAD[processors])
    able = np.minimum(found.sum(axis=1), processors) - (found > 0).sum(axis=1)
    return float(probability @ able) / processors


def chain_losses(processors, loads=EXACT_LOADS):
    """`chain_loss` at some loads."""
    return exact([chain_loss(processors, load) for load in loads])


def curves(policy, numbers=PROCESSORS):
    """The losses of JSQ, as simulated; or of random splitting; or the deviations of a group under VPRS.

    Returns
    -------
    compendium.press.clauses.Points
        Along the number of processors and the load.
    """
    curve = {"VPRS": deviations_by_chance, "JSQ": losses}.get(policy, random_losses)
    return cases(NUMBER, numbers).measure(lambda P: measured(*curve(P), load=LOADS))


def peaks(loads, values):
    """Where a parabola through the five points around the largest is highest, and how high.

    Parameters
    ----------
    loads : array_like, shape (points,)
    values : array_like, shape (curves, points)

    Returns
    -------
    ndarray, shape (curves, 2)

    Examples
    --------
    >>> x = np.linspace(0, 1, 11)
    >>> np.round(peaks(x, [1 - (x - 0.42) ** 2]), 9).tolist()
    [[0.42, 1.0]]
    """
    x, values = np.asarray(loads), np.asarray(values)
    firsts, found = np.clip(values.argmax(axis=1) - 2, 0, len(x) - 5), np.empty((len(values), 2))
    for first in np.unique(firsts):
        chosen = firsts == first
        near = x[first : first + 5]
        a, b, c = np.polyfit(near - near[2], values[chosen, first : first + 5].T, 2)
        found[chosen] = np.column_stack([near[2] - b / (2 * a), c - b * b / (4 * a)])
    return found


def peak_interval(loads, measured, of=1, seed=511):
    """The peak of points and its interval of 95 %, jointly with others: shape (place and height, lower and upper end).

    Parameters
    ----------
    loads : tuple
    measured : Measured
    of : int
        How many peaks hold together.
    seed : int
    """
    rng = np.random.RandomState(seed)
    draws = measured.value + rng.standard_normal((1000, len(loads))) * measured.half / QUANTILE
    tail = 0.05 / of / 2
    return np.quantile(peaks(loads, draws), [tail, 1 - tail], axis=0).T


@functools.cache
def worst(processors, case, quantity, fidelity="book"):
    """The points of JSQ with PS and no migration in one of the three cases; of deviations the larger of both groups.

    Parameters
    ----------
    processors : int
    case : int
        1 against the load, 2 against the part of the load that group 1 brings, 3 against its promise.
    quantity, fidelity : str

    Returns
    -------
    Measured
    """
    axis, values = CASES[case]
    rows = simulated.along(
        axis, values, False, policies=("JSQ",), local=("PS",), processors=processors, fidelity=fidelity
    )
    return _one(rows, axis, quantity)


def systems_of(case, total=0.8):
    """Required shares and group loads of the points of a case: pairs."""
    axis, values = CASES[case]
    for value in values:
        share = value if axis == "share" else 0.5
        load = value if axis == "load" else total
        part = value if axis == "fraction" else 0.5
        yield (share, 1 - share), (load * part, load * (1 - part))


@functools.cache
def in_one_line(processors, cases=tuple(CASES)):
    """The largest deviation with migration and PS in some cases, M/M/P whose jobs belong to groups by chance (5.7)."""
    return max(
        dispatch.shortest_queue_with_migration(*system, processors).group_share_deviation.max()
        for case in cases
        for system in systems_of(case)
        if min(system[1]) > 0
    )
