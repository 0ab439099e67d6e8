"""The network of Chapter 6 by itself: independent streams of short constant and of long random customers.

Stored points of the library's network, the closed forms of an M/G/1 queue with processor sharing, and the same streams
served one after the other.
"""

import functools

import numpy as np

from clustershare import dispatch
from clustershare.estimates import from_replications
from compendium import study
from compendium.press.clauses import measured

LOADS, RATIOS = (0.1, 0.5, 0.8), (10.0, 100.0)
LEVELS = 8  # numbers of customers, from 0 on, whose probabilities are looked at
RARE = 1e-3  # but for those that are less


def streams(load, ratio):
    """Two streams, each with half of the load: of constant size 1, and of exponential sizes with this mean."""
    return {"loads": (load / 2, load / 2), "service_times": (1.0, ratio)}


@functools.cache
def rows(fidelity="book"):
    """The stored points at all of `LOADS` and `RATIOS`, as `compendium.study.run` gives them."""
    grid = study.grid(load=list(LOADS), ratio=list(RATIOS))
    return study.run("distributed-network", dispatch.simulate_network, grid, streams, fidelity=fidelity)


@functools.cache
def alone(load, ratio, fidelity="book"):
    """What the library's network does with them.

    Returns
    -------
    dict of str to Points
        "busy", "numbers" (the probabilities of 0 to `LEVELS` - 1 customers) and "times" (mean ones, of both kinds).
    """
    every = rows(fidelity)
    here = every[(every["load"] == load) & (every["ratio"] == ratio)]
    names = {"busy": "utilisation", "numbers": "number_law", "times": "mean_times"}
    found = {name: here[here["quantity"] == quantity][:LEVELS] for name, quantity in names.items()}
    return {
        name: measured(each["estimate"], each["half_width"], number=range(len(each))) for name, each in found.items()
    }


@functools.cache
def in_turn(load, ratio, customers=40_000, replications=30, seed=106):
    """The same if one customer is served after the other, which is Lindley's recursion: as `alone`.

    Parameters
    ----------
    load, ratio : float
    customers, replications : int
        Of each run, of which the first quarter is not looked at; runs.
    seed : int
    """
    found = []
    for stream in np.random.SeedSequence(seed).spawn(replications):
        rng, rates = np.random.default_rng(stream), load / 2 / np.array([1.0, ratio])
        came = np.cumsum(rng.standard_exponential(customers) / rates.sum())
        constant = rng.random(customers) * rates.sum() < rates[0]
        sizes = np.where(constant, 1.0, ratio * rng.standard_exponential(customers))
        done = np.cumsum(sizes)
        found.append(_looked_at(came, done + np.maximum.accumulate(came - done + sizes), constant))
    estimates = {name: from_replications([run[name] for run in found]) for name in found[0]}
    return {
        name: measured(each.value, each.half_width, number=range(each.value.size)) for name, each in estimates.items()
    }


def _looked_at(came, left, constant):
    first, last = came[len(came) // 4], came[-1]
    at = np.concatenate([came, left])
    order = np.argsort(at, kind="stable")
    number = np.cumsum(np.repeat([1, -1], len(came))[order])
    hold = np.diff(np.clip(at[order], first, last))
    held = np.bincount(np.minimum(number[:-1], LEVELS), hold, LEVELS + 1) / (last - first)
    later = np.arange(len(came)) >= len(came) // 4
    times = [(left - came)[later & kind].mean() for kind in (constant, ~constant)]
    return {"busy": [1 - held[0]], "numbers": held[:LEVELS], "times": times}


def closed_forms(load, ratio):
    """The same by M/G/1 with processor sharing, where sizes matter by their means alone: dict of ndarray.

    Examples
    --------
    >>> {name: values[:3].tolist() for name, values in closed_forms(0.5, 10.0).items()}
    {'busy': [0.5], 'numbers': [0.5, 0.25, 0.125], 'times': [2.0, 20.0]}
    """
    return {
        "busy": np.array([load]),
        "numbers": (1 - load) * load ** np.arange(LEVELS),
        "times": np.array([1.0, ratio]) / (1 - load),
    }


def apart(found):
    """Points, less the closed forms, of numbers that are not too rare: value, half width, and what it is; lists."""
    at = [(load, ratio, name) for load in LOADS for ratio in RATIOS for name in ("busy", "numbers", "times")]
    rows = []
    for load, ratio, name in at:
        known, points = closed_forms(load, ratio)[name], found(load, ratio)[name]
        rows += [
            (value - one, half, f"{name} {k} at load {load:g} and ratio {ratio:g}")
            for k, (value, half, one) in enumerate(zip(points.value, points.half, known)) if one >= RARE
        ]  # fmt: skip
    value, half, names = zip(*rows)
    return measured(value, half, point=names)


def unequal_service(path, steps):
    """On a path of the plain event loop: what one customer was served between two events, and another was not.

    Parameters
    ----------
    path : event_loop.PrintedNetwork
        It goes on by so many steps.
    steps : int

    Returns
    -------
    largest : float
        Difference of two customers that were both present, over all events.
    shared : int
        Between how many events there were several.
    """
    largest, shared = 0.0, 0
    for _ in range(steps):
        before = {message: message.left for message in path.messages}
        path.step()
        served = [left - message.left for message, left in before.items()]
        if len(served) > 1:
            largest, shared = max(largest, max(served) - min(served)), shared + 1
    return largest, shared
