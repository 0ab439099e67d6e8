"""Recomputing what the results store holds."""

import json
import random

import numpy as np

from clustershare import names
from clustershare.arguments import integer
from compendium import places
from compendium.progress import progress
from compendium.study import engines, store
from compendium.study.fidelity import run_lengths
from compendium.study.tasks import same_machine


def rows():
    """Every stored row of the project, with the path of its file."""
    return [(path, row) for path in sorted(places.RESULTS.glob("*.csv")) for row in store.read(path).values()]


def stale(row):
    """Whether today's code would not have made the row: other code did, or none, or not with a part of its fidelity."""
    task = row.task
    lengths = {"jumps": task.jumps, "warmup": task.warmup, "replications": task.replications}
    try:
        part = task.jumps / run_lengths(row.fidelity)["jumps"]
        jobs = task.jumps if task.model in names.REPLAYS else None
        return row.fingerprint != task.fingerprint() or lengths != run_lengths(row.fidelity, part, jobs)
    except ValueError:  # it names what the library does not have
        return True


def prune():
    """Drop the stale rows of every results file; how many there were."""
    return sum(store.prune(path, lambda row: not stale(row)) for path in sorted(places.RESULTS.glob("*.csv")))


def compare(row, estimates, machine):
    """How a recomputed point stands to the stored one.

    Parameters
    ----------
    row : compendium.study.store.Row
    estimates : dict
    machine : str
        Where they were recomputed.

    Returns
    -------
    str
        ``identical``; ``within the interval`` where another machine made the row and a bit differs; ``different``.
    """
    if json.dumps(estimates, sort_keys=True) == json.dumps(row.estimates, sort_keys=True):  # where nan equals nan
        return "identical"
    if same_machine(row.machine, machine) or estimates.keys() != row.estimates.keys():
        return "different"
    agree = all(_agree(estimates[name]["value"], **stored) for name, stored in row.estimates.items())
    return "within the interval" if agree else "different"


def _agree(found, value, half_width):
    """Whether estimates lie within stored intervals; one that does not exist agrees with none that does."""
    found, value, half_width = map(np.asarray, (found, value, half_width))
    if found.shape != value.shape:
        return False
    with np.errstate(invalid="ignore"):
        near = np.abs(found - value) <= half_width
    return bool(np.all(near | (found == value) | (np.isnan(found) & np.isnan(value))))


def recompute(sample=None, draw=None):
    """Recompute stored rows, all or a fresh random sample. Those that today's code did not make are not computed.

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
        See `compare`; ``stale`` if it is.
    """
    chosen = [row for _, row in rows()]
    if sample is not None:
        chosen = (draw or random.Random()).sample(chosen, min(integer("sample", sample, 0), len(chosen)))
    by_task = {}
    for row in chosen:
        if stale(row):
            yield row, "stale"
        else:
            by_task.setdefault(row.task, []).append(row)
    if by_task:
        computed = progress(engines.compute(list(by_task)), total=len(by_task), desc="stored points", unit="point")
        for task, estimates, machine in computed:
            for row in by_task[task]:
                yield row, compare(row, estimates, machine)


def report(sample=None):
    """Print how recomputed points stand to the stored ones; 1 if any is different or stale, else 0."""
    outcomes = []
    for row, outcome in recompute(sample):
        outcomes.append(outcome)
        if outcome != "identical":
            print(f"{row.task.model} {row.task.arguments}: {outcome}")
    kinds = ("identical", "within the interval", "different", "stale")
    print(", ".join(f"{outcomes.count(kind)} {kind}" for kind in kinds))
    return 1 if {"different", "stale"} & set(outcomes) else 0
