"""Recomputing what the results store holds."""

import json
import random

import numpy as np
from tqdm import tqdm

from clustershare import names
from compendium import places
from compendium.study import engines, store
from compendium.study.tasks import machine


def rows():
    """Every stored row of the project, with the path of its file."""
    return [(path, row) for path in sorted(places.RESULTS.glob("*.csv")) for row in store.read(path).values()]


def stale(row):
    """Whether other code than today's made the row."""
    return row.task.model not in names.SIMULATORS or row.fingerprint != row.task.fingerprint()


def prune():
    """Drop the stale rows of every results file; how many there were."""
    return sum(store.prune(path, lambda row: not stale(row)) for path in sorted(places.RESULTS.glob("*.csv")))


def compare(row, estimates):
    """How a recomputed point stands to the stored one.

    Returns
    -------
    str
        ``identical``; ``within the interval`` where another machine made the row and a bit differs; ``different``.
    """
    if json.dumps(estimates, sort_keys=True) == json.dumps(row.estimates, sort_keys=True):  # where nan equals nan
        return "identical"
    if row.machine == machine() or estimates.keys() != row.estimates.keys():
        return "different"
    for name, stored in row.estimates.items():
        gap = np.abs(np.subtract(estimates[name]["value"], stored["value"]))
        if np.any(gap > np.asarray(stored["half_width"])):
            return "different"
    return "within the interval"


def recompute(sample=None, draw=None):
    """Recompute stored rows, all or a fresh random sample.

    Parameters
    ----------
    sample : int, optional
        How many; all if not given.
    draw : random.Random, optional
        Draws the sample.

    Yields
    ------
    row : compendium.study.store.Row
    outcome : str
        See `compare`.
    """
    chosen = [row for _, row in rows()]
    if sample is not None:
        chosen = (draw or random.Random()).sample(chosen, min(sample, len(chosen)))
    by_task = {row.task: row for row in chosen}
    if by_task:
        for task, estimates in tqdm(
            engines.compute(list(by_task)), total=len(by_task), desc="stored points", unit="point"
        ):
            yield by_task[task], compare(by_task[task], estimates)


def report(sample=None):
    """Print how recomputed points stand to the stored ones; 1 if any differs, else 0."""
    outcomes = []
    for row, outcome in recompute(sample):
        outcomes.append(outcome)
        if outcome != "identical":
            print(f"{row.task.model} {row.task.arguments}: {outcome}")
    print(", ".join(f"{outcomes.count(kind)} {kind}" for kind in ("identical", "within the interval", "different")))
    return 1 if "different" in outcomes else 0
