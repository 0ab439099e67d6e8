"""What is asked of a cluster."""

from dataclasses import dataclass

import numpy as np

from clustershare.estimates import Estimate
from clustershare.results import Result


@dataclass(frozen=True)
class Performance(Result):
    """What a cluster offers to its jobs; floats or arrays where exact, each an `Estimate` where simulated.

    Attributes
    ----------
    mean_jobs : array, shape (classes,)
        Mean number of jobs of each class in the cluster.
    mean_service_rate : array, shape (classes,)
        Work a job gets done per unit of its time in the cluster: gamma of `balanced` Section 5. Replayed, nan for a
        class without jobs. Simulated, that of a class that was never seen is inf +/- nan.
    mean_delay : array, shape (classes,)
        Mean time of a job in the cluster: delta of `balanced` (9). Replayed, nan for a class without jobs.
    probability_empty : float
        Probability that the cluster is empty.
    interruptions_per_job : array, shape (classes,), or None
        Mean number of times a job is interrupted; None where that is not asked. Replayed, nan for a class without
        jobs. Simulated by `clustershare.interruptions.simulate`, nan or inf for a class of which no job left in some
        replication.
    probability_full : float or None
        Probability that a job is lost because the queue is full; None where the queue is not bounded.
    method, error
        See `clustershare.results.Result`. Of a chain, the error is relative, as `interrupted_queue` says.
    """

    mean_jobs: float | np.ndarray | Estimate
    mean_service_rate: float | np.ndarray | Estimate
    mean_delay: float | np.ndarray | Estimate
    probability_empty: float | Estimate
    interruptions_per_job: np.ndarray | Estimate | None = None
    probability_full: float | None = None
