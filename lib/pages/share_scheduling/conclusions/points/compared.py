"""Dynamic policies beside random splitting: the stored points of Figures 5.5 to 5.19 and exact ones, by case."""

import functools
import itertools

import numpy as np

from clustershare import dispatch, splitting
from compendium.press.clauses import measured
from pages.share_scheduling.central.points import by_case, simulated
from pages.share_scheduling.central.points.by_case import CASES, DEVIATION, LOSS
from pages.share_scheduling.central.systems import LOADS
from pages.share_scheduling.central.witnesses import two_processors

WITHOUT, WITH = False, True
FIGURES = (*((name, WITHOUT) for name in CASES), *((name, WITH) for name in CASES if name != "two processors"))
"""Cases of `three_cases`, and whether jobs migrate."""
QUANTITIES = {DEVIATION: "Delta^G", LOSS: "Delta^T"}
EQUAL = 1e-9


def value(name, migration, key, quantity=DEVIATION):
    """A combination at the points of a case: what was found, and the half width around it; of HPRS and VPRS exactly.

    Parameters
    ----------
    name : str
        Of `by_case.CASES`.
    migration : bool
    key : tuple
        (policy, local); the local policy of VPRS does not matter.
    quantity : str

    Returns
    -------
    value, half_width : ndarray, shape (points,)
        nan where there is no answer.
    """
    if key[0] in ("HPRS", "VPRS"):
        exact = by_case.static(name)["VPRS", None] if key[0] == "VPRS" else by_case.static(name)[key]
        return exact[quantity], np.zeros(len(exact[quantity]))
    estimates, widths = by_case.jointly(name, quantity, migration)
    return estimates[key], widths[key]


def below(name, migration, better, worse, quantity=DEVIATION, least=0.0):
    """Where one combination is below another beyond both intervals, and where both are known.

    Parameters
    ----------
    name, migration, quantity
        As for `value`.
    better, worse : tuple
    least : float
        By how much.

    Returns
    -------
    lower, known : ndarray of bool, shape (points,)
    """
    (low, around_low), (high, around_high) = (value(name, migration, key, quantity) for key in (better, worse))
    with np.errstate(invalid="ignore"):
        return high - low > np.maximum(around_low + around_high + EQUAL, least), ~np.isnan(high - low)


@functools.cache
def of_a_hundred(migration, quantity=DEVIATION):
    """JSQ with PS on a hundred processors in case 1, at `LOADS`, and random splitting there.

    Returns
    -------
    value, half_width : ndarray, shape (loads,)
        With migration exact.
    static : dict
        "HPRS", "VPRS": ndarray, shape (loads,).
    """
    systems = [((0.5, 0.5), (load / 2, load / 2), 100) for load in LOADS]
    static = {
        "HPRS": [splitting.horizontal(*each[:2], np.full(100, 0.01)) for each in systems],
        "VPRS": [splitting.vertical(*each) for each in systems],
    }
    static = {name: np.array([np.max(getattr(each, quantity)) for each in found]) for name, found in static.items()}
    if not migration:
        rows = simulated.along("load", LOADS, False, policies=("JSQ",), local=("PS",), processors=100)
        means, widths = simulated.table(rows, "load", quantity)
        return means["JSQ", "PS"], widths["JSQ", "PS"] * simulated.joint(len(LOADS)), static
    exact = np.zeros(len(LOADS))  # the loss, by thesis-5-066
    if quantity == DEVIATION:
        found = [dispatch.shortest_queue_with_migration(*each) for each in systems]
        exact = np.array([each.group_share_deviation.max() for each in found])
    return exact, np.zeros(len(LOADS)), static


@functools.cache
def of_two(quantity=DEVIATION):
    """JSQ with PS on two processors without migration, by the chain, and VPRS there: arrays over its loads."""
    loads = two_processors.LOADS
    chains = [two_processors.chain("JSQ", "PS", load) for load in loads]
    chance = [splitting.vertical((0.5, 0.5), (load / 2, load / 2), 2) for load in loads]
    found = [each.deviations.max() if quantity == DEVIATION else each.capacity_loss for each in chains]
    return np.array(found), np.array([np.max(getattr(each, quantity)) for each in chance])


def loads(name):
    """The total loads at the points of a case, shape (points,)."""
    return np.array([sum(system["loads"]) for system in CASES[name].systems()])


def points(settings, quantity=DEVIATION, part=1.0, places=None):
    """By how much one combination is below another, or below a part of it, at all points at which both are known.

    Parameters
    ----------
    settings : iterable of (str, bool, tuple, tuple)
        A case, whether jobs migrate, the combination that is to be lower, and the other.
    quantity : str
    part : float
        Of the other one's.
    places : callable, optional
        Gives for a case where its points count, a ndarray of bool.

    Returns
    -------
    compendium.press.clauses.points.Points
        In one row; their intervals hold together already.
    """
    rows = []
    for name, migration, low, high in settings:
        (lower, around), (higher, wide) = (value(name, migration, key, quantity) for key in (low, high))
        known = ~np.isnan(higher - lower) & (True if places is None else places(name))
        rows.append(((part * higher - lower)[known], (around + part * wide)[known]))
    return one_row(rows, quantity)


def one_row(rows, quantity=DEVIATION):
    """Values and half widths, some after others, as Points whose intervals hold together already."""
    values, widths = map(np.concatenate, zip(*rows))
    return measured(values, widths, risk=None, as_it_stands=quantity == DEVIATION, point=None)


def parts(counts):
    """How many points hold, of all, by name, as text."""
    return ", ".join(f"{name} {int(np.sum(holds))} of {np.size(holds)}" for name, holds in counts.items())


def combinations(policies, others, locals_=("PS", "GPPS")):
    """Pairs of combinations with the same local policy."""
    for first, second, local in itertools.product(policies, others, locals_):
        yield (first, local), (second, local)
