"""Running a study: the stored points are read, the others computed and stored as they come."""

import inspect
import os
import re
from dataclasses import replace

import numpy as np
import pandas as pd

from clustershare import names, settling
from clustershare.arguments import fail, integer
from compendium import places
from compendium.progress import progress, tell_what_compiles
from compendium.study import engines, store
from compendium.study.fidelity import run_lengths
from compendium.study.tasks import SEED, Task, encode

_read = {}  # study: of each point read so far, by its key, what the crate of the book says of it


def read():
    """What this process has read of the store, for the figures that are drawn from it (see `press.crate`).

    Returns
    -------
    list of dict
        For each study the number of its points, their simulators by name with their fingerprints, their seeds and
        their fidelities.
    """
    return [
        {
            "study": study,
            "points": len(points),
            "simulators": dict(sorted({model: made_by for model, made_by, _, _ in points.values()}.items())),
            "seeds": sorted({seed for _, _, seed, _ in points.values()}),
            "fidelities": sorted({fidelity for _, _, _, fidelity in points.values()}),
        }
        for study, points in sorted(_read.items())
    ]


def run(study, simulate, points, arguments, *, fidelity, part=1.0, jobs=None, seed=SEED):
    """Simulate a grid of points, taking from the results store what it holds.

    Parameters
    ----------
    study : str
        Name of the results file, ``data/results/<study>.csv``.
    simulate : callable
        A model's simulator, such as `clustershare.multiserver.simulate`, or a replay of logs.
    points : list of dict
        The table of parameters, as made by `grid`.
    arguments : callable
        ``arguments(**point)`` gives the keyword arguments of `simulate`, without the run length.
    fidelity : str
        One of `compendium.study.fidelity.FIDELITIES`.
    part : float or callable
        Of that fidelity's jumps and warm-up; or ``part(**point)`` gives it for each point.
    jobs : int, optional
        Of each log, for a replay of `clustershare.names.REPLAYS`; the fidelity tells how many logs.
    seed : int
        Entropy of the whole study; each point's seed is spawned from it. Logs are drawn with the seeds after it.

    Returns
    -------
    pandas.DataFrame
        Tidy: for each point, quantity and index (of a group or class; 0 for a scalar) the `estimate`, the `half_width`
        of its 95 % interval, and the run length, seed and fidelity. Ordered as `points`. Where intervals of a point may
        hold too rarely (see `clustershare.settling`) there is a last column `warning`, which says so, empty elsewhere.
        Of logs, an estimate is an array of what is found of each.
    """
    if not isinstance(study, str) or not re.fullmatch(r"[a-z0-9-]+", study):
        fail("study", study, "a name of lower-case letters, digits and hyphens")
    integer("seed", seed, 0)
    model = names.name_of(simulate)
    signature = inspect.signature(simulate)
    tasks, asked, lengths = [], [], []
    for point in points:
        lengths.append(run_lengths(fidelity, part(**point) if callable(part) else part, jobs))
        chosen = arguments(**point)
        # A wrong name is answered here, before any work.
        if fixed := signature.bind(**chosen).arguments.get("run"):
            fail("the arguments of a point", sorted(fixed), "those of the system, for the length of its run is fixed")
        tasks.append(Task(model, encode(chosen), **lengths[-1], seed=seed))
        asked.append(chosen)
    estimates = _estimates(study, tasks, fidelity)
    warnings = [None if jobs else settling.warning(simulate, chosen, length) for chosen, length in zip(asked, lengths)]
    said = [{"warning": warning or ""} if any(warnings) else {} for warning in warnings]
    return pd.DataFrame(
        [
            {**point, "quantity": quantity, "index": index, "estimate": value, "half_width": half_width,
             **length, "seed": seed, "fidelity": fidelity, **more}
            for point, task, length, more in zip(points, tasks, lengths, said)
            for quantity, estimate in estimates[task].items()
            for index, (value, half_width) in enumerate(
                zip(np.atleast_1d(estimate["value"]), np.atleast_1d(estimate["half_width"]))
            )
        ]
    )  # fmt: skip


def _estimates(study, tasks, fidelity):
    if not tasks:
        raise ValueError("points must be a non-empty list; got an empty one.")
    fingerprints = {task: task.fingerprint() for task in tasks}
    _read.setdefault(study, {}).update(
        {task.key: (task.model, made_by, task.seed, fidelity) for task, made_by in fingerprints.items()}
    )
    folders = places.results()
    stored = {}
    for folder in folders:  # the project's own rows last: they stand
        stored.update(store.read(folder / f"{study}.csv"))
    found = {
        task: stored[task.key, made_by].estimates
        for task, made_by in fingerprints.items()
        if (task.key, made_by) in stored
    }
    missing = list(dict.fromkeys(task for task in tasks if task not in found))
    if missing:
        # $COMPENDIUM_MOST: what a fault put in on purpose makes stale is simulated anew, but not for hours.
        most = os.environ.get("COMPENDIUM_MOST")
        asked = {replace(task, **_lengths(task, most)) if most else task: task for task in missing}
        path = folders[0] / f"{study}.csv"
        places.check_writable(path)
        tell_what_compiles()
        with progress(total=len(missing), desc=study, unit="point") as shown:
            for task, estimates, machine in engines.compute(list(asked)):
                store.add(path, store.Row(task, most or fidelity, fingerprints[asked[task]], machine, estimates))
                found[asked[task]] = estimates
                shown.update()
    return found


def _lengths(task, fidelity):
    return run_lengths(fidelity, jobs=task.jumps if task.model in names.REPLAYS else None)


def largest_of_groups(frame, quantity):
    """For each point, the row of the largest estimate of `quantity` over groups or classes: Delta = max_g Delta_g.

    Parameters
    ----------
    frame : pandas.DataFrame
        As returned by `run`.
    quantity : str

    Returns
    -------
    pandas.DataFrame
        One row a point.
    """
    rows = frame[frame["quantity"] == quantity]
    parameters = list(frame.columns[: frame.columns.get_loc("quantity")])
    return rows.loc[rows.groupby(parameters, sort=False)["estimate"].idxmax()]
