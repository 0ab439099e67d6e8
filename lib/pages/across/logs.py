"""Five workloads that no source speaks of, and what the policies of all four do with them.

Three are logs, each drawn from a published model, and replayed job by job, twenty thousand jobs a log. Two are streams
of exponential jobs that are not Poisson, and simulated. Where a policy cannot be replayed, the laws of a log are: times
between arrivals and sizes, each drawn from a log of four thousand jobs, independent of one another.
"""

import functools

import numpy as np
from scipy import stats

from clustershare import cluster_chain, dispatch, multiserver
from clustershare.arrivals import MarkovModulated, Periodic, Renewal
from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from clustershare.sizes import Empirical, Exponential
from clustershare.workload import (
    Workload,
    downey,
    li_groep_wolters,
    lublin,
    lublin_feitelson,
    replay_cluster,
    replay_dispatch,
    replay_servers,
)
from compendium import study
from pages.balanced_fairness.systems import three_servers
from pages.share_scheduling.distributed.systems import of_case

LOGS = {"Lublin": lublin_feitelson, "DAS-2": li_groep_wolters, "Downey": downey}
STREAMS = ("bursty", "daily")
WORKLOADS = (*LOGS, *STREAMS)
JOBS, FEWER_JOBS, MACHINE = 20_000, 4_000, 128
MANY_LOGS = {"quick": 3, "book": 8, "paper": 100}  # by fidelity
CALM, BURST, DAY = 40.0, 10.0, 100.0  # mean sizes of a job

# Two groups: required shares, and what each brings. Cases 1, 2 and 3 of `thesis`, Section 5.6.
CASES = {
    **{f"case 1, load {load}": ((0.5, 0.5), (load / 2, load / 2)) for load in (0.3, 0.5, 0.7, 0.8, 0.9)},
    **{
        f"case 2, {first:.2g} of the load": ((0.5, 0.5), (0.8 * first, 0.8 * (1 - first))) for first in (0.1, 0.25, 0.4)
    },
    **{f"case 3, share {share}": ((share, round(1 - share, 12)), (0.4, 0.4)) for share in (0.6, 0.75, 0.9)},
}
CENTRAL = ("JSQ", "HP", "SVP", "DVP")
PROBING_CASES, LIMITS = (1, 2, 3), (0, 2, 3, 9)
LOADS = (0.3, 0.5, 0.7, 0.9)
SERVERS, DEGREES = 100, (2, 3)
QUANTITIES = ("capacity_loss", "group_share_deviation")
FEW = 0.3  # of a fidelity's jumps, where processors ask others
RATES = (1, 2, 5, 10, 15, 20, 30, 40, 60, 100)  # jobs a second of one server that serves 10
PARALLEL_LOADS = (0.3, 0.5, 0.7)
CAPACITY, TRACKER, SERVICE = 15, 1000.0, 10.0  # of `ctmc`, Figures 2 to 4


def stream(name, unit=1.0):
    """How jobs of the mean size `unit` arrive in bursts, or by the hour of the day.

    Bursts bring three times the mean rate for ten mean sizes, in every fifty. A day is a hundred mean sizes long, and
    its rates are those of the batch jobs of Lublin and Feitelson.

    Examples
    --------
    >>> stream("bursty").stationary_law().round(12)
    array([0.8, 0.2])
    >>> day = stream("daily")
    >>> f"{min(day.rates):.2f} {max(day.rates):.2f} {sum(day.durations):.6g}"
    '0.24 1.67 100'
    """
    if name == "bursty":
        return MarkovModulated((0.5, 3.0), ((0, 1 / (CALM * unit)), (1 / (BURST * unit), 0)))
    rates = lublin.daily_cycle(lublin.BATCH).round(6)
    return Periodic(tuple((rates / rates.mean()).tolist()), (DAY * unit / len(rates),) * len(rates))


@functools.lru_cache(maxsize=100)
def drawn(name, seed, jobs=JOBS):
    """A log: arrivals and work of its jobs, both of mean 1 (from job to job), and on how many servers each was."""
    work = LOGS[name](jobs, seed, **({} if name == "Lublin" else {"servers": MACHINE}))
    sizes, arrivals = work.sizes * work.servers, work.arrivals - work.arrivals[0]
    return arrivals * (jobs / arrivals[-1]), sizes / sizes.mean(), work.servers


def of_one_server(name, seed, rate, first=0.5, size=1.0):
    """The jobs of a log as jobs of one server: all the work of each, in mean sizes, and two groups by chance.

    Parameters
    ----------
    name : str
        In `LOGS`.
    seed : int
        Of the log and of the groups.
    rate : float
        Jobs per unit of time: the log is stretched.
    first : float
        Probability that a job is of the first group.
    size : float
        Mean size.

    Returns
    -------
    clustershare.workload.Workload
    """
    arrivals, sizes, _ = drawn(name, seed)
    groups = (np.random.default_rng([seed, 1]).random(len(sizes)) >= first).astype(int)
    return Workload(arrivals / rate, sizes * size, groups, names=("1", "2"))


def in_parallel(name, seed, load):
    """The jobs of a log on as many servers as they took, of `MACHINE`; run times have mean 1."""
    arrivals, sizes, servers = drawn(name, seed)
    times = sizes / servers
    times = times / times.mean()
    return Workload(arrivals * (times * servers).mean() / (load * MACHINE), times, servers=servers)


@functools.cache
def laws(name):
    """The laws of a log: of the times between its arrivals, as a process, and of its jobs' work, both of mean 1."""
    arrivals, sizes, _ = drawn(name, 1, FEWER_JOBS)
    return Renewal(_law(np.diff(arrivals))), _law(sizes)


def _law(values):
    values, counts = np.unique(values, return_counts=True)
    return Empirical(values / Empirical(values, counts).mean, counts)


def _of(name, unit=1.0):
    """Arrivals and sizes for a simulator."""
    if name in LOGS:
        arrivals, sizes = laws(name)
        return {"arrivals": arrivals, "sizes": sizes}
    return {"arrivals": stream(name, unit), "sizes": Exponential()}


# --- What is measured: by workload, point and policy, a `Measured` ----------------------------------------------------


class Measured:
    """A mean with the half width of its 95 % interval, and the values of the logs where it is a mean over logs.

    Sums and multiples are taken log by log where they can be, so that what all logs have in common cancels; other
    intervals are independent.
    """

    def __init__(self, value, within=0.0, logs=None):
        self.value, self.within, self.logs = value, within, logs

    @classmethod
    def of_logs(cls, logs):
        """Of the values of several logs."""
        logs = np.asarray(logs, float)
        runs = len(logs)
        return cls(logs.mean(), stats.t.ppf(0.975, runs - 1) * logs.std(ddof=1) / np.sqrt(runs), logs)

    def __mul__(self, factor):
        logs = None if self.logs is None else self.logs * factor
        return Measured(self.value * factor, self.within * abs(factor), logs)

    __rmul__ = __mul__

    def __sub__(self, other):
        if not isinstance(other, Measured):
            return Measured(self.value - other, self.within, None if self.logs is None else self.logs - other)
        if self.logs is not None and other.logs is not None:
            return Measured.of_logs(self.logs - other.logs)
        return Measured(self.value - other.value, float(np.hypot(self.within, other.within)))

    def __rsub__(self, other):
        return (self - other) * -1

    def of_jobs(self, jobs):
        """The same; but if it is 0, none of so many jobs met what it is the probability of: at most 3 in so many do."""
        return self if self.value else Measured(0.0, 3 / jobs)


def logs_of(fidelity):
    """The seeds of the logs that are replayed at a fidelity."""
    return range(1, MANY_LOGS[fidelity] + 1)


def _stored(rows, parameters, quantities):
    """Stored rows as `Measured`, by point, quantity and index."""
    found = {}
    for row in rows[rows["quantity"].isin(quantities)].itertuples():
        point = tuple(getattr(row, name) for name in parameters)
        found[(*point, row.quantity, row.index)] = Measured(row.estimate, row.half_width)
    return found


def _deviation(groups):
    return max(groups, key=lambda group: group.value)


@functools.cache
def central(fidelity, processors=10, policies=CENTRAL, local="GPPS", migration=False, workloads=WORKLOADS):
    """Capacity loss and group-share deviation of central policies at every case.

    Returns
    -------
    dict of (str, str, str) to (Measured, Measured)
        By workload, case and policy: loss, and the deviation of the worst-off group.
    """
    found = {}
    for name in (name for name in workloads if name in LOGS):
        for case, (shares, loads) in CASES.items():
            rate, first = processors * sum(loads), loads[0] / sum(loads)
            jobs = [of_one_server(name, seed, rate, first) for seed in logs_of(fidelity)]
            for policy in policies:
                seen = [
                    replay_dispatch(
                        work, policy, local=local, migration=migration, required_shares=shares, processors=processors,
                        seed=seed,
                    )
                    for seed, work in enumerate(jobs, 1)
                ]  # fmt: skip
                loss = Measured.of_logs([one.capacity_loss for one in seen])
                groups = np.array([one.group_share_deviation for one in seen]).T
                found[name, case, policy] = loss, _deviation(list(map(Measured.of_logs, groups)))
    if not set(STREAMS) & set(workloads):
        return found
    points = study.grid(workload=STREAMS, case=list(CASES), policy=policies)
    rows = study.run(
        "across-streams", dispatch.simulate_central, points,
        lambda workload, case, policy: {
            "policy": policy, "local": local, "migration": migration, "processors": processors,
            "required_shares": CASES[case][0], "loads": CASES[case][1], "arrivals": stream(workload, processors),
        }, fidelity=fidelity, part=0.3,
    )  # fmt: skip
    kept = _stored(rows, ("workload", "case", "policy"), QUANTITIES)
    for point in points:
        key = point["workload"], point["case"], point["policy"]
        groups = [kept[(*key, "group_share_deviation", group)] for group in (0, 1)]
        found[key] = kept[(*key, "capacity_loss", 0)], _deviation(groups)
    return found


@functools.cache
def distributed(fidelity, limits=LIMITS):
    """Capacity loss and group-share deviation where processors ask some others, by workload, case, policy and limit.

    Where none is asked, all policies but SVP are JSQ.
    """
    points = study.grid(workload=WORKLOADS, case=PROBING_CASES, policy=CENTRAL, probe_limit=limits)
    points = [point for point in points if point["probe_limit"] or point["policy"] == "JSQ"]
    rows = study.run(
        "across-probing", dispatch.simulate_distributed, points,
        lambda workload, **point: of_case(**point) | _of(workload), fidelity=fidelity, part=FEW,
    )  # fmt: skip
    kept = _stored(rows, ("workload", "case", "policy", "probe_limit"), QUANTITIES)
    found = {}
    for point in points:
        key = tuple(point.values())
        groups = [kept[(*key, "group_share_deviation", group)] for group in (0, 1)]
        found[key] = kept[(*key, "capacity_loss", 0)], _deviation(groups)
    return found


@functools.cache
def assigned(fidelity, exponential=False):
    """Mean service rate with one interruption a job, jobs on some of a hundred servers: by workload, degree, load.

    Of the logs alone. With `exponential`, sizes are exponential and the arrivals remain.
    """
    found = {}
    for name in LOGS:
        for degree in DEGREES:
            for load in LOADS:
                rates = [_service_rate(name, seed, degree, load, exponential) for seed in logs_of(fidelity)]
                found[name, degree, load] = Measured.of_logs(rates)
    return found


def _service_rate(name, seed, degree, load, exponential):
    """Work over time in the system, all jobs of a log together, each on servers that are drawn for it."""
    rng = np.random.default_rng([seed, 2])
    work = of_one_server(name, seed, SERVERS * load)
    sizes = rng.exponential(1.0, len(work)) if exponential else work.sizes
    chosen = np.sort(rng.permuted(np.tile(np.arange(SERVERS), (len(work), 1)), axis=1)[:, :degree], axis=1)
    classes, groups = np.unique(chosen, axis=0, return_inverse=True)
    graph = multiserver.CompatibilityGraph(classes.tolist(), [1.0] * SERVERS)
    jobs = Workload(work.arrivals, sizes / sizes.mean(), groups.ravel())
    found = replay_servers(jobs, graph, 1, seed)
    return jobs.sizes.sum() / found.response.sum()


@functools.cache
def shared(fidelity, interruptions, workloads=WORKLOADS):
    """Mean service rates on three servers, one of them in common: by workload, load and class."""
    found = {}
    for name in (name for name in workloads if name in LOGS):
        for load in LOADS:
            graph = three_servers(load)["graph"]
            seen = [
                replay_servers(of_one_server(name, seed, 3 * load), graph, interruptions, seed)
                for seed in logs_of(fidelity)
            ]
            for group in (0, 1):
                rates = [one.performance.mean_service_rate[group] for one in seen]
                found[name, load, group] = Measured.of_logs(rates)
    streams = [name for name in workloads if name in STREAMS]
    if streams:
        rows = study.run(
            "across-shared", multiserver.simulate, study.grid(workload=streams, load=LOADS),
            lambda workload, load: three_servers(load) | {"interruptions": interruptions} | _of(workload),
            fidelity=fidelity, part=0.3,
        )  # fmt: skip
        found |= {
            (name, load, group): value
            for (name, load, _, group), value in _stored(rows, ("workload", "load"), ("mean_service_rate",)).items()
        }
    return found


@functools.cache
def one_server(fidelity):
    """Blocking of a cluster of one server: by workload and arrival rate."""
    found = {}
    for name in LOGS:
        for rate in RATES:
            seen = [
                replay_cluster(
                    of_one_server(name, seed, rate, size=1 / SERVICE), 1, tracker_times=1 / TRACKER,
                    queue_capacity=CAPACITY,
                )
                for seed in logs_of(fidelity)
            ]  # fmt: skip
            found[name, rate] = _blocking_of(seen)
    rows = study.run(
        "across-cluster", cluster_chain.simulate, study.grid(workload=STREAMS, rate=RATES),
        lambda workload, rate: {
            "cluster": ServiceCluster(1, CAPACITY, {1: 1.0}, float(rate), TRACKER, SERVICE),
            "arrivals": stream(workload, 1 / SERVICE),
        }, fidelity=fidelity, part=0.3,
    )  # fmt: skip
    return found | _blocking(rows, "rate")


@functools.cache
def parallel(fidelity):
    """Blocking of a cluster of parallel jobs, and what a cluster of the chain's assumptions has: by workload and load.

    The logs are on 128 servers, the streams on 16 with sizes uniform from 1 to 16. The chain's cluster has the same
    numbers of servers, as often, exponential service of the same mean for all of them, and Poisson arrivals; where it
    has too many states to be solved, it is simulated.
    """
    found = {}
    for load in PARALLEL_LOADS:
        for name in LOGS:
            seen = [
                replay_cluster(in_parallel(name, seed, load), MACHINE, queue_capacity=CAPACITY)
                for seed in logs_of(fidelity)
            ]
            found[name, load] = _blocking_of(seen)
    grid = study.grid(workload=LOGS, load=PARALLEL_LOADS)
    rows = study.run(
        "across-cluster", cluster_chain.simulate, grid, lambda **point: {"cluster": chain_of(**point)},
        fidelity=fidelity, part=0.3,
    )  # fmt: skip
    chains = _blocking(rows, "load")
    rows = study.run(
        "across-cluster", cluster_chain.simulate, study.grid(workload=STREAMS, load=PARALLEL_LOADS),
        lambda workload, load: {"cluster": chain_of(workload, load), "arrivals": stream(workload)},
        fidelity=fidelity, part=0.3,
    )  # fmt: skip
    found |= _blocking(rows, "load")
    for load in PARALLEL_LOADS:
        solved = Measured(chain_of("bursty", load).solve().blocking)
        chains |= {(name, load): solved for name in STREAMS}
    return {key: (found[key], chains[key]) for key in found}


def _blocking_of(replays):
    return Measured.of_logs([one.performance.blocking for one in replays]).of_jobs(len(replays) * JOBS)


def _blocking(rows, parameter):
    """Of stored rows, whose jumps are an arrival, a mapping or a departure each: a job has three at the most."""
    jobs = rows["jumps"].iloc[0] * rows["replications"].iloc[0] / 3
    kept = _stored(rows, ("workload", parameter), ("blocking",))
    return {key[:2]: value.of_jobs(jobs) for key, value in kept.items()}


def chain_of(workload, load):
    """The cluster of `ctmc` that has a workload's numbers of servers, mean time of service 1 and load."""
    if workload in STREAMS:
        servers, needs = 16, uniform_sizes(16)
    else:
        servers = MACHINE
        each, count = np.unique(drawn(workload, 1)[2], return_counts=True)
        needs = dict(zip(each.tolist(), (count / count.sum()).tolist()))
    mean = sum(size * part for size, part in needs.items())
    return ServiceCluster(servers, CAPACITY, needs, load * servers / mean, 1000.0 * load * servers / mean, 1.0)
