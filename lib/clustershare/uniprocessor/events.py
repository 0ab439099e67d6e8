"""Simulated answers: the policies event by event."""

import numpy as np

from clustershare.arguments import fail
from clustershare.estimates import from_replications
from clustershare.run_length import check_run_length
from clustershare.sizes import Deterministic, Exponential, JobSize, Pareto
from clustershare.uniprocessor import kernel
from clustershare.uniprocessor.model import SharePerformance, Workload

RULES = {"FCFS": kernel.STATIC, "HOL": kernel.STATIC, "UD": kernel.UP_DOWN, "PQ": kernel.PREEMPTIVE}


def simulate(policy, required_shares, arrival_rates, service_rates=1.0, permanent_jobs=0, *, sizes=None, **run):
    """Share deviations under a policy, simulated.

    Parameters
    ----------
    policy, required_shares, arrival_rates, service_rates, permanent_jobs
        As for `exact`.
    sizes : clustershare.sizes.JobSize, optional
        Distribution of mean 1 of the service times, divided by the service rate of the group. None is exponential.
    **run
        `jumps`, `warmup`, `replications` and `seed` (see `clustershare.run_length.RunLength`). Events are arrivals and
        completions of service; those of permanent jobs count where jobs are served one at a time. The system starts
        with its permanent jobs alone.

    Returns
    -------
    SharePerformance
        `Estimate` of arrays of shape (groups,); `method` is "simulation".

    Raises
    ------
    UnstableError
        If the load is 1 or more, or a group cannot be served beside the permanent jobs of others. Of PPS, of
        HOL with a single permanent job above a group and of UD with fewer than two in some group only the load is checked.
    ValueError
        If an argument is out of range.

    Notes
    -----
    Up-Down keeps for each group the integral of its feasible minus its obtained share from the required share on
    (`thesis` (3.37)) and serves the group where it is largest; between equals, the lower index. FCFS, HOL and Up-Down
    decide before a served permanent job re-enters.

    Examples
    --------
    >>> from clustershare.uniprocessor import exact
    >>> result = simulate("PQ", (0.6, 0.4), (0.3, 0.2), jumps=20_000, warmup=1000, replications=5, seed=1)
    >>> result.group_share_deviation.contains(exact("PQ", (0.6, 0.4), (0.3, 0.2)).group_share_deviation)
    array([ True,  True])
    """
    work = Workload(policy, required_shares, arrival_rates, service_rates, permanent_jobs)
    table = _size_table(Exponential() if sizes is None else sizes)
    run = check_run_length(run)
    # Up-Down integrates over time: it needs drawn holding times even where expected ones would do.
    timed = sizes is not None or policy == "UD"
    common = (timed, work.arrival_rates, work.service_rates, work.permanent_jobs, *table, run.jumps, run.warmup)
    samples = []
    for rng in run.generators():
        if policy in RULES:
            samples.append(kernel.serve(rng, RULES[policy], work.priority_class, work.required_shares, *common))
        else:
            weights = np.ones(work.groups) if policy == "PS" else work.required_shares
            samples.append(kernel.share(rng, policy != "GPPS", weights, *common))
    present, obtained, uneven = np.swapaxes(np.array(samples), 0, 1)
    deviation = present - obtained / work.required_shares
    estimates = (from_replications(sample) for sample in (deviation, uneven, obtained, present))
    return SharePerformance(*estimates, "simulation")


def _size_table(sizes):
    """The distribution as the kernels draw from it (see `kernel.draw`)."""
    if not isinstance(sizes, JobSize) or abs(sizes.mean - 1) > 1e-9:
        fail("sizes", sizes, "None or a distribution of clustershare.sizes with mean 1 (service_rates scale it)")
    if isinstance(sizes, Deterministic):
        return np.array([kernel.CONSTANT]), np.array([sizes.value], dtype=float), np.ones(1), 1.0
    if isinstance(sizes, Pareto):
        return np.array([kernel.POWER]), np.array([sizes.minimum]), np.ones(1), -1 / sizes.exponent
    counts, means, probabilities = sizes.erlang_mixture()
    return counts.astype(np.int64), means, np.cumsum(probabilities), 1.0
