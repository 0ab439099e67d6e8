"""The stored points, held against runs of other random numbers: unless a file's are right, no verdict rests on them.

A point is computed once and read wherever a figure or a check needs it. That what is stored is the point of these
arguments, and not its neighbour's or another policy's, a few replications tell that are as long as its own and start
from another seed: they have the same law, so that the difference of the means is judged by Student's t of two samples.
What came of it is kept, with a digest of the file, in ``data/proofs/reruns.csv``.
"""

import functools
from dataclasses import replace

import numpy as np
from scipy import stats

from clustershare import names
from compendium import places
from compendium.press import proofs
from compendium.press.findings import AGREES, UNCONFIRMED, Finding
from compendium.press.kept import SCOPE, Kept, digest_of_file, version
from compendium.progress import progress
from compendium.study import engines, store
from compendium.study.fingerprints import Reach

KEPT = Kept("reruns", ("file", "digest", "points", "numbers", "refused", "computed"))
SEED = 19991110  # another one than that of the stored points
RISK = 0.001  # that some number of a file is refused which is right
SHOWN = 3  # points that are named where they are refused


def files():
    """The files of stored points, from the root of the project, in alphabetical order."""
    return [f"data/results/{path.name}" for path in sorted(places.RESULTS.glob("*.csv"))]


def read_by(claim):
    """The files of stored points that a claim's check reads, as its proof tells."""
    row = proofs.KEPT.rows().get((claim,))
    return [file for file in files() if file in row["files"].split()] if row else []


def ask(file):
    """What comes of a file: a line of ``data/proofs/reruns.csv`` without its digest, as a dictionary."""
    rows = list(store.read(places.ROOT / file).values())
    told = _apart(rows, rerun, file)
    numbers = sum(np.size(apart) for measures in told.values() for apart, _ in measures.values())

    def refused(told):
        return [task for task, measures in told.items() if any(_beyond(numbers, *one) for one in measures.values())]

    doubtful = set(refused(told))
    # What happens in few replications has no normal law: who is refused by two of them is asked with as many as it has.
    told = _apart([row for row in rows if row.task in doubtful], lambda task: replace(task, seed=SEED), file)
    wrong = refused(told)
    text = f"all points of {file} are what other random numbers give, jointly at {1 - RISK:.1%}"
    if wrong:
        some = "; ".join(f"{task.model} {task.arguments}" for task in wrong[:SHOWN])
        text = f"{len(wrong)} of {len(rows)} points of {file} are not what other random numbers give: {some}"
    return {"file": file, "points": len(rows), "numbers": numbers, "refused": len(wrong), "computed": text}


def _apart(rows, again, file):
    """By task, how far rows lie from what is run again of each."""
    told, waiting = {}, {again(row.task): row for row in rows}
    if waiting:
        for task, estimates, _ in progress(engines.compute(list(waiting)), total=len(rows), desc=file, unit="point"):
            told[waiting[task].task] = differences(waiting[task], task, estimates)
    return told


def _beyond(numbers, apart, free):
    """Whether a measure of a point is not what a rerun gives, of so many numbers in its file; see `differences`."""
    return bool(np.any(apart > stats.t.ppf(1 - RISK / (2 * numbers), free)))


def rerun(task):
    """What is run again of a stored point: two replications, or as many logs as it has.

    Where controls lessen the variance, their coefficients are estimated from other replications, which takes eight.
    """
    few = task.replications if task.model in names.REPLAYS else 8 if "_beside_" in task.model else 2
    return replace(task, replications=few, seed=SEED)


def differences(row, task, estimates):
    """How far a rerun lies from a stored point.

    Parameters
    ----------
    row : compendium.study.store.Row
    task : compendium.study.tasks.Task
        That of the rerun.
    estimates : dict
        Of the rerun.

    Returns
    -------
    dict
        By measure: the distance in standard errors (0 where both are equal, or one is nan), and the degrees of freedom.
    """
    first, second = row.task.replications, task.replications
    free = first + second - 2
    found = {}
    for name, stored in row.estimates.items():
        (one, width), (other, again) = (_read(task, which) for which in (stored, estimates[name]))
        squares = (first - 1) * _variance(width, first) + (second - 1) * _variance(again, second)
        with np.errstate(invalid="ignore", divide="ignore"):
            apart = np.abs(one - other) / np.sqrt(squares / free * (1 / first + 1 / second))
        # Where some replication has no job of a kind there is no mean, and nothing to compare.
        silent = (one == other) | np.isnan(one) | np.isnan(other)
        found[name] = np.where(silent, 0.0, np.nan_to_num(apart, nan=np.inf)), free
    return found


def _read(task, estimate):
    """A value and its half width; of a log that is replayed there is a value each, and one half width of their mean."""
    value, half_width = (np.asarray(estimate[part], float) for part in ("value", "half_width"))
    return (value.mean(axis=-1), half_width[..., 0]) if task.model in names.REPLAYS else (value, half_width)


def _variance(half_width, count):
    """Of one replication, from the interval of so many."""
    return count * (half_width / stats.t.ppf(0.975, count - 1)) ** 2


@functools.cache
def _how():
    """A digest of how points are run again."""
    return Reach([f"{__name__}:ask"], SCOPE).digest(version=version)


def digest(file):
    """A digest of a file of stored points, and of how they are run again."""
    return f"{_how()} {digest_of_file(places.ROOT / file)[:16]}"


def current(file):
    """The line that is kept of a file, if it is of today's points; otherwise None."""
    row = KEPT.rows().get((file,))
    return row if row and row["digest"] == digest(file) else None


_asked = functools.cache(ask)


def told_of(file):
    """The `Finding` of a file: as it is kept, or computed once where that is not current."""
    row = current(file) or _asked(file)
    return Finding(row["computed"], UNCONFIRMED if int(row["refused"]) else AGREES)


def prove(file):
    """Run a file's points again and keep what comes out, without files that are gone: the line."""
    row = {**ask(file), "digest": digest(file)}
    KEPT.keep([row], lambda every: [(name,) for name in files()])
    return row


def report():
    """How many points are stored, and what came of running them again: a table."""
    from compendium.press.claims import Table

    rows = [current(file) or _asked(file) for file in files()]
    totals = [sum(int(row[column]) for row in rows) for column in ("points", "numbers", "refused")]
    return Table(("stored points", "numbers in them", "points that other random numbers refuse"), [totals])
