"""Logs drawn from published models, brought to a load, and replayed.

The logs of a model are numbered: log k is the one that the model draws with the seed k. All that is replayed is
replayed on the same logs, and compared log by log, so that what all logs have in common cancels.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from clustershare.arguments import NothingSeen, fail, one_of, truth
from clustershare.estimates import Estimate, from_replications
from clustershare.multiserver.graph import CompatibilityGraph, RandomAssignment
from clustershare.run_length import check_run_length
from clustershare.workload.das2 import li_groep_wolters
from clustershare.workload.downey import downey
from clustershare.workload.jobs import Workload
from clustershare.workload.lublin import lublin_feitelson
from clustershare.workload.replay import replay_cluster, replay_dispatch, replay_servers

if TYPE_CHECKING:
    from clustershare.typing import FloatArray, IntArray, Numbers, Run

MODELS = {"Lublin": lublin_feitelson, "DAS-2": li_groep_wolters, "Downey": downey}
MACHINE = 128  # servers of the machine whose logs are drawn


@dataclass(frozen=True)
class OverLogs:
    """Quantities of replays of several logs, log by log; None where the replay has none.

    The value of each has a row for each group, or one, and a column for each log. The half width is that of the mean
    over the logs, and stands at each of them.

    Attributes
    ----------
    capacity_loss, group_share_deviation : Estimate
        Of a `dispatch`.
    mean_service_rate : Estimate
        Of `servers`: work over time in the system.
    blocking : Estimate
        Of a `cluster`: the part of the jobs that is lost.
    """

    capacity_loss: Estimate | None = None
    group_share_deviation: Estimate | None = None
    mean_service_rate: Estimate | None = None
    blocking: Estimate | None = None


@functools.lru_cache(maxsize=100)
def drawn(model: str, seed: int, jobs: int) -> tuple[FloatArray, FloatArray, IntArray]:
    """Arrivals, work and numbers of servers of the jobs of a log; the first two have mean 1, from job to job.

    Examples
    --------
    >>> arrivals, work, servers = drawn("Downey", 1, 1000)
    >>> print(arrivals[-1].round(9), work.mean().round(9), servers.max())
    1000.0 1.0 128
    """
    log = MODELS[one_of("model", model, MODELS)](jobs, seed, servers=MACHINE)
    work, arrivals = log.sizes * log.servers, log.arrivals - log.arrivals[0]
    if not arrivals[-1] > 0:
        raise NothingSeen(f"jumps must be so many that some time goes by; got {jobs}.")
    return arrivals * (jobs / arrivals[-1]), work / work.mean(), log.servers


def of_one_server(
    model: str, seed: int, jobs: int, rate: float, *, parts: Numbers = (0.5, 0.5), mean_size: float = 1.0
) -> Workload:
    """The jobs of a log as jobs of one server: each brings all the work that it did on its servers.

    Parameters
    ----------
    model : str
        "Lublin" (`lublin_feitelson`), "DAS-2" (`li_groep_wolters`) or "Downey" (`downey`).
    seed : int
        Of the log, and of the groups, which are drawn by lot.
    jobs : int
    rate : float
        Jobs per unit of time: the log is stretched.
    parts : sequence of float
        Of the jobs that are of each group; they sum to 1.
    mean_size : float

    Returns
    -------
    Workload

    Examples
    --------
    >>> work = of_one_server("Downey", 1, 1000, rate=0.5)
    >>> print(f"{work.sizes.sum() / work.arrivals[-1]:.6f}")
    0.500000
    """
    arrivals, work, _ = drawn(model, seed, jobs)
    bounds = np.cumsum(parts)[:-1]
    groups = np.searchsorted(bounds, np.random.default_rng([seed, 1]).random(jobs), side="right")
    return Workload(arrivals / rate, work * mean_size, groups, names=tuple(str(k + 1) for k in range(len(parts))))


def in_parallel(model: str, seed: int, jobs: int, load: float) -> Workload:
    """The jobs of a log on as many servers as they took, of `MACHINE`; run times have mean 1.

    Otherwise as `of_one_server`.
    """
    arrivals, work, servers = drawn(model, seed, jobs)
    times = work / servers
    times = times / times.mean()
    return Workload(arrivals * (times * servers).mean() / (load * MACHINE), times, servers=servers)


def dispatch(
    model: str, policy: str, *, local: str = "PS", migration: bool = False, required_shares: Numbers, loads: Numbers,
    processors: int, **run: Unpack[Run],
) -> OverLogs:  # fmt: skip
    """Logs of a model under a central policy.

    Parameters
    ----------
    model : str
        As for `of_one_server`.
    policy, local, migration, required_shares, loads, processors
        As for `clustershare.dispatch.simulate_central`.
    **run
        `jumps` are the jobs of each log, `replications` the logs, and nothing is discarded: `warmup` is 0. The logs
        come after the one that `seed` names. A `numpy.random.SeedSequence` is taken for the number that it was made of,
        whatever was spawned from it: points of one study replay the same logs.

    Returns
    -------
    OverLogs

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> found = dispatch("Downey", "JSQ", required_shares=(0.5, 0.5), loads=(0.4, 0.4), processors=10,
    ...                  jumps=1000, warmup=0, replications=3)
    >>> found.capacity_loss.value.shape, found.group_share_deviation.value.shape
    ((1, 3), (2, 3))
    """
    parts = [load / sum(loads) for load in loads]
    jobs, seeds = _logs(run)
    seen = [
        replay_dispatch(
            of_one_server(model, seed, jobs, processors * sum(loads), parts=parts), policy, local=local,
            migration=migration, required_shares=required_shares, processors=processors, seed=seed,
        )
        for seed in seeds
    ]  # fmt: skip
    return OverLogs(
        capacity_loss=_by_log([one.capacity_loss for one in seen]),
        group_share_deviation=_by_log([one.group_share_deviation for one in seen]),
    )


def servers(
    model: str, graph: CompatibilityGraph | RandomAssignment, arrival_rates: float | Numbers, interruptions: float, *,
    exponential: bool = False, **run: Unpack[Run],
) -> OverLogs:  # fmt: skip
    """Logs of a model on compatible servers: the mean service rate of each class, or of all jobs under an assignment.

    Parameters
    ----------
    model : str
        As for `of_one_server`.
    graph, arrival_rates, interruptions
        As for `clustershare.multiserver.simulate`. Under a `RandomAssignment` the servers of each job are drawn.
    exponential : bool
        Whether sizes are drawn from the exponential law in place of those of the log.
    **run
        As for `dispatch`.

    Returns
    -------
    OverLogs

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> graph = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
    >>> found = servers("Downey", graph, (0.5, 0.5), 1, jumps=1000, warmup=0, replications=3)
    >>> found.mean_service_rate.value.shape
    (2, 3)
    """
    rates = np.atleast_1d(np.asarray(arrival_rates, float))
    jobs, seeds = _logs(run)
    found = []
    for seed in seeds:
        work = of_one_server(model, seed, jobs, float(rates.sum()), parts=rates / rates.sum())
        rng = np.random.default_rng([seed, 2])
        if truth("exponential", exponential):
            work = Workload(work.arrivals, rng.exponential(1.0, jobs), work.groups, names=work.names)
        if isinstance(graph, RandomAssignment):
            jobs_of, known = _assigned(rng, work, graph)
            found.append([jobs_of.sizes.sum() / replay_servers(jobs_of, known, interruptions, seed).response.sum()])
        else:
            found.append(replay_servers(work, graph, interruptions, seed).performance.mean_service_rate)  # type: ignore[attr-defined]
    return OverLogs(mean_service_rate=_by_log(found))


def cluster(
    model: str, *, load: float, queue_capacity: int, parallel: bool, mean_time: float = 1.0,
    tracker_time: float | None = None, **run: Unpack[Run],
) -> OverLogs:  # fmt: skip
    """Logs of a model on a cluster that serves first come, first served, and loses who finds the queue full.

    Parameters
    ----------
    model : str
        As for `of_one_server`.
    load : float
        Of all servers.
    queue_capacity : int
        As for `replay_cluster`.
    parallel : bool
        Whether jobs take servers as in the log, of `MACHINE`; else there is one server, and a job brings all its work.
    mean_time : float
        Mean time of service.
    tracker_time : float, optional
        How long the tracker takes to map each job; 0 if not given.
    **run
        As for `dispatch`.

    Returns
    -------
    OverLogs

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> run = {"jumps": 1000, "warmup": 0, "replications": 3}
    >>> found = cluster("Downey", load=0.5, queue_capacity=15, parallel=True, **run)
    >>> found.blocking.value.shape
    (1, 3)
    """
    jobs, seeds = _logs(run)
    found = []
    for seed in seeds:
        if truth("parallel", parallel):
            work = in_parallel(model, seed, jobs, load)
            work = Workload(work.arrivals * mean_time, work.sizes * mean_time, servers=work.servers)
        else:
            work = of_one_server(model, seed, jobs, load / mean_time, mean_size=mean_time)
        one = replay_cluster(
            work, MACHINE if parallel else 1, tracker_times=tracker_time, queue_capacity=queue_capacity
        )
        found.append([one.performance.blocking])  # type: ignore[attr-defined]
    return OverLogs(blocking=_by_log(found))


def _logs(run):
    """The jobs of each log, and the logs' seeds."""
    length = check_run_length(run)
    if length.warmup:
        fail("warmup", length.warmup, "0 where logs are replayed, of which nothing is discarded")
    first = length.seed.entropy if isinstance(length.seed, np.random.SeedSequence) else length.seed
    return length.jumps, range(first + 1, first + length.replications + 1)


def _by_log(found):
    """An estimate of a list of rows, one for each log."""
    value = np.array(found, float).reshape(len(found), -1)
    half = np.atleast_1d(from_replications(value).half_width)
    return Estimate(value.T.copy(), np.repeat(half[:, None], len(found), axis=1))


def _assigned(rng, work, assignment):
    """The jobs, each of the class of servers that are drawn for it, and the graph of these classes."""
    every = np.tile(np.arange(assignment.servers), (len(work), 1))
    chosen = np.sort(rng.permuted(every, axis=1)[:, : assignment.degree], axis=1)
    classes, groups = np.unique(chosen, axis=0, return_inverse=True)
    graph = CompatibilityGraph(classes.tolist(), [1.0] * assignment.servers)
    return Workload(work.arrivals, work.sizes / work.sizes.mean(), groups.ravel()), graph
