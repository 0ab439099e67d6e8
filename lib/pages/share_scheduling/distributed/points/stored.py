"""Stored points of Chapter 6 with their intervals: what its pages draw and its checks compare.

They are read from the results, and simulated where they are missing.
"""

import functools
from dataclasses import replace

import numpy as np

from clustershare import dispatch
from compendium import study
from compendium.press import clauses
from compendium.press.clauses import widened
from pages.share_scheduling.distributed.systems import POLICIES, of_case

PART = 0.2  # of a fidelity's jumps: half widths of at most 0.004, as messages make a jump dear
LOSS, DEVIATION, UTILISATION = "capacity_loss", "group_share_deviation", "network_utilisation"
REQUESTS, REPLIES, PLACEMENTS, ASKING, MIGRATIONS = range(5)  # of "traffic": rates of the five kinds of customers
WORDS = {DEVIATION: "the deviation", LOSS: "the loss"}
SIZE = "number of processors"
NOUNS = {
    "probe_limit": "limit", "probe_period": "mean period", "probe_service_time": "message time",
    "migration_service_time": "migration time", "processors": SIZE, "local": "local policy",
    "period_spread": "spread", "probe_phases": "phases",
}  # fmt: skip
"""What a place along an axis is called, where it is not called as the parameter."""


@functools.cache
def rows(name, policies=POLICIES, fidelity="book", part=PART, **axes):
    """The rows of a study: all combinations of policies and parameters.

    Parameters
    ----------
    name : str
        The rows lie in the study ``distributed-<name>``.
    policies : tuple of str
    fidelity : str
    part : float
        Of its jumps and warm-up.
    **axes
        Parameters of `systems.of_case`: a tuple of values, or one value.

    Returns
    -------
    pandas.DataFrame
        As `compendium.study.run` gives it.
    """
    values = {axis: list(each) if isinstance(each, tuple) else [each] for axis, each in axes.items()}
    grid = study.grid(policy=list(policies), **values)
    return study.run(f"distributed-{name}", dispatch.simulate_distributed, grid, of_case, fidelity=fidelity, part=part)


def table(found, quantity, *axes, index=None):
    """A quantity by some parameters, as `compendium.press.clauses.points.Points`.

    Parameters
    ----------
    found : pandas.DataFrame
        Of `rows`.
    quantity : str
    *axes : str
        Such as "policy" and "probe_limit", which are called as `NOUNS` has them.
    index : int or "largest", optional
        Of a group or class; of deviations the larger one if not given, of other quantities the first.
    """
    if index == "largest" or (index is None and quantity == DEVIATION):
        chosen = study.largest_of_groups(found, quantity)
    else:
        chosen = found[(found["quantity"] == quantity) & (found["index"] == (index or 0))]
    names = {axis: tuple(chosen[axis].unique().tolist()) for axis in axes}
    shape = [len(each) for each in names.values()]
    if len(chosen) != np.prod(shape):
        raise ValueError(f"axes must tell all rows apart; {axes!r} give {shape} for {len(chosen)} rows.")
    places = [chosen[axis].map({value: k for k, value in enumerate(names[axis])}) for axis in axes]
    chosen = chosen.iloc[np.lexsort([place.to_numpy() for place in reversed(places)])]
    value, half = (chosen[column].to_numpy().reshape(shape) for column in ("estimate", "half_width"))
    nouns = {NOUNS.get(axis, axis): each for axis, each in names.items()}
    return clauses.measured(value, half, as_it_stands=quantity == DEVIATION, **nouns)


def measured(name, quantity, *axes, policies=POLICIES, fidelity="book", index=None, **values):
    """A quantity at the points of a study: `table` of `rows`, the policy before the other axes."""
    return table(rows(name, policies, fidelity, **values), quantity, "policy", *axes, index=index)


def as_it_stands(found):
    """The same, if differences are not to be taken relative to the larger: of losses, in parts of the capacity."""
    return replace(found, as_it_stands=True, terms=())


def beside(noun, points):
    """Points of the same places, by name, along one more axis, which comes first.

    Parameters
    ----------
    noun : str
    points : dict of Points
    """
    first, *_ = points.values()
    value, half = (np.stack([getattr(each, part) for each in points.values()]) for part in ("value", "half"))
    return replace(first, value=value, half=half, axes=((noun, tuple(points)), *first.axes), terms=())


def largest_of(subject, points):
    """The largest of some points and where it is: a clause in the fold."""
    at = np.unravel_index(points.value.argmax(), points.value.shape)
    return clauses.aside(f"{subject}, {points.place(at)},", clauses.exact(points.value[at]))


def in_equilibrium(obtained, loads):
    """Where each group obtains its load, as it does in equilibrium, whatever the law of the sizes.

    It obtains less where its jobs become ever more, and in a run that is too short for a heavy tail: the largest jobs,
    which bring much of the load, have hardly come yet.

    Parameters
    ----------
    obtained : sequence of Points
        The shares that each group obtained.
    loads : sequence
        Of each group, a number or as many as points.

    Returns
    -------
    ndarray of bool
        Where no group obtains less beyond the intervals, all of them together.
    """
    wide = widened(sum(group.value.size for group in obtained), 30)
    return ~np.any([group.high(wide) < np.asarray(load) - 1e-12 for group, load in zip(obtained, loads)], axis=0)


def extremes(found, noun):
    """The points with the largest values along an axis, and with the smallest; each with its own interval."""
    k = [one for one, _ in found.axes].index(noun)
    axes = (*found.axes[:k], *found.axes[k + 1 :])

    def chosen(places):
        value, half = (np.take_along_axis(part, np.expand_dims(places, k), k).squeeze(k)
                       for part in (found.value, found.half))  # fmt: skip
        return replace(found, value=value, half=half, axes=axes, terms=())

    return chosen(found.value.argmax(axis=k)), chosen(found.value.argmin(axis=k))
