"""Where points are computed: processes on this machine, or a Dask cluster."""

import os
import warnings
from contextlib import nullcontext, suppress
from dataclasses import replace

import numpy as np

from compendium.side_by_side import side_by_side
from compendium.study.tasks import machine


def compute(tasks):
    """Yield ``(task, estimates, machine)`` as the points are done, in any order.

    With $DASK_SCHEDULER_ADDRESS set, on that cluster (the extra ``cluster`` must be installed); otherwise in processes,
    one a core; a single point in this process.

    Parameters
    ----------
    tasks : list of compendium.study.tasks.Task

    Raises
    ------
    ValueError
        If a point cannot be simulated: before the others are.
    RuntimeError
        If a process has other code than this one, or if the cluster does not answer.
    """
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    fingerprints = [task.fingerprint() for task in tasks]
    with _cluster(address) if address else nullcontext(side_by_side) as engine:
        if len(tasks) > 1:
            for _ in engine(_begin, tasks, fingerprints):
                pass
        yield from engine(_compute, tasks, fingerprints)


def _cluster(address):
    try:
        from compendium.study import dask_cluster
    except ImportError:
        raise ValueError(
            "DASK_SCHEDULER_ADDRESS is set, but Dask is not installed: pip install 'clustershare[cluster]'."
        ) from None
    return dask_cluster.cluster(address)


def _begin(task, fingerprint):
    """One event of a point: what cannot be simulated says so now, and not when hours have gone into the others."""
    # One event is too few for averages.
    with suppress(ArithmeticError), np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        _compute(replace(task, jumps=1, warmup=0, replications=1), fingerprint)


def _compute(task, fingerprint):
    """A point, unless this process has other code than the one that asks: the row would name code that did not run."""
    if fingerprint != task.fingerprint():
        raise RuntimeError(
            f"A worker has other code for {task.model} than this process (fingerprint {task.fingerprint()}, here "
            f"{fingerprint}). Install the same version there, and start it again."
        )
    return task, task.compute(), machine()
