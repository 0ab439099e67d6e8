"""Where points are computed: processes on this machine, or a Dask cluster. The results are the same to the last bit."""

import os

import joblib


def _compute(task):
    return task, task.compute()


def compute(tasks):
    """Yield ``(task, estimates)`` as the points are done, in any order.

    With $DASK_SCHEDULER_ADDRESS set, on that cluster (the extra ``cluster`` must be installed); otherwise in joblib's
    processes, one a core; a single point in this process.

    Parameters
    ----------
    tasks : list of compendium.study.tasks.Task
    """
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    if address:
        yield from _dask(tasks, address)
    elif len(tasks) == 1:
        yield _compute(tasks[0])
    else:
        workers = min(joblib.cpu_count(), len(tasks))
        pool = joblib.Parallel(n_jobs=workers, return_as="generator_unordered", pre_dispatch="2*n_jobs")
        yield from pool(joblib.delayed(_compute)(task) for task in tasks)


def _dask(tasks, address):
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise ValueError(
            "DASK_SCHEDULER_ADDRESS is set, but Dask is not installed: pip install 'clustershare[cluster]'."
        ) from None
    with Client(address) as client:
        for future in as_completed(client.map(_compute, tasks, pure=False)):
            yield future.result()
