"""Simulated answers: the policies event by event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from clustershare.arguments import NothingSeen, resolved, truth, vector
from clustershare.arrivals import process
from clustershare.compiled import service
from clustershare.compiled.arrivals import arriving
from clustershare.compiled.encoding import encode, of_mean_1
from clustershare.compiled.records import recording
from clustershare.estimates import from_replications
from clustershare.records import Records
from clustershare.run_length import check_run_length
from clustershare.sizes import JobSize
from clustershare.typing import Arrivals, Integers, Numbers, Run
from clustershare.uniprocessor import kernel
from clustershare.uniprocessor.model import SharePerformance, Workload

ONE_AT_A_TIME = {"FCFS": kernel.STATIC, "HOL": kernel.STATIC, "UD": kernel.UP_DOWN, "PQ": kernel.PREEMPTIVE}
ALL_AT_ONCE = {"PS": service.PS, "PPS": service.PPS, "GPPS": service.GPPS}


def simulate(
    policy: str, required_shares: Numbers, arrival_rates: Numbers, service_rates: float | Numbers = 1.0,
    permanent_jobs: int | Integers = 0, *, sizes: JobSize | Sequence[JobSize] | None = None, arrivals: Arrivals = None,
    records: bool = False, **run: Unpack[Run],
) -> SharePerformance:  # fmt: skip
    """Share deviations under a policy, simulated.

    Parameters
    ----------
    policy, required_shares, arrival_rates, service_rates, permanent_jobs
        As for `exact`.
    sizes : clustershare.sizes.JobSize, or a sequence of them, optional
        Distribution of mean 1 of the service times, divided by the service rate of the group: one for all groups, or
        one for each. None is exponential.
    arrivals : clustershare.arrivals.Process, Bursts or clustershare.sizes.JobSize, optional
        How the jobs of all groups together arrive: a process, or a law of mean 1 of the times between arrivals. It is
        scaled by the sum of the arrival rates, in proportion to which the group of each job is drawn. None is Poisson.
    records : bool
        Whether `records` of the result tells what transient jobs met with: the size of a job is its service time.
        Where all jobs are served at once, none waits. Records take about a tenth of the time more, and nearly as much
        time again where `sizes` and `arrivals` are None: times are then drawn, which only UD does anyway.
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
        If the load is 1 or more, or a group cannot be served beside the permanent jobs of others. Of PPS, of HOL with
        a single permanent job above a group and of UD with fewer than two in some group only the load is checked.
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
    laws = _sizes_of_groups(sizes, work.groups)
    run = check_run_length(run)
    # Up-Down integrates over time: it needs drawn holding times even where expected ones would do.
    timed = sizes is not None or policy == "UD"
    truth("records", records)
    if arrivals is not None:
        timed, arrivals = True, process("arrivals", arrivals, work.arrival_rates.sum())
    if records:
        timed = True
    if timed and not work.permanent_jobs.any():
        resolved("arrival_rates", arrival_rates, (work.arrival_rates / work.service_rates).sum(), run)
    common = (timed, work.arrival_rates, work.service_rates, work.permanent_jobs, encode(*laws), run.jumps, run.warmup)
    if policy in ONE_AT_A_TIME:
        loop, rule = kernel.serve, (ONE_AT_A_TIME[policy], work.priority_class)
    else:
        loop, rule = kernel.share, (ALL_AT_ONCE[policy],)
    if arrivals is not None:
        loop = arriving(loop, arrivals, work.arrival_rates.sum())
    if records:
        loop, seen = recording(loop, work.groups, work.load / work.arrival_rates.sum())
    samples = [loop(rng, *rule, work.required_shares, *common) for rng in run.generators()]
    present, obtained, uneven, jobs = np.swapaxes(np.array(samples), 0, 1)
    deviation = present - obtained / work.required_shares
    if arrivals is not None and np.isnan(jobs).any():
        raise NothingSeen(f"jumps must be so many that some time goes by; got {run.jumps}.")
    samples = deviation, uneven, obtained, present, jobs, work.response_times(jobs)
    if records:
        found = SharePerformance(*map(from_replications, samples), method="simulation")
        return Records.of(seen).attached(found)
    return SharePerformance(*map(from_replications, samples), method="simulation")


def _sizes_of_groups(sizes, groups):
    """A distribution of mean 1 for each group, checked."""
    if sizes is None or isinstance(sizes, JobSize) or not hasattr(sizes, "__len__"):
        return (of_mean_1("sizes", sizes),) * groups
    return vector("sizes", sizes, of_mean_1, groups)
