"""Five workloads that no source speaks of, and what the policies of all four do with them.

Three are logs, each drawn from a published model, and replayed job by job, twenty thousand jobs a log. Two are streams
of exponential jobs that are not Poisson, and simulated. Where a policy cannot be replayed, the laws of a log are: times
between arrivals and sizes, each drawn from a log of four thousand jobs, independent of one another.
"""

import functools
import math

import numpy as np
from scipy import stats

from clustershare import cluster_chain, dispatch, multiserver
from clustershare.arrivals import MarkovModulated, Periodic, Renewal
from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from clustershare.sizes import Empirical, Exponential
from clustershare.workload import drawn, lublin
from compendium import study
from pages.balanced_fairness.systems import random_servers, three_servers
from pages.share_scheduling.distributed.systems import of_case

LOGS = tuple(drawn.MODELS)
STREAMS = ("bursty", "daily")
WORKLOADS = (*LOGS, *STREAMS)
JOBS, FEWER_JOBS = 20_000, 4_000
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
SERVERS, DEGREES, INTERRUPTIONS = 100, (2, 3), 1
QUANTITIES = ("capacity_loss", "group_share_deviation")
PART = 0.3  # of a fidelity's jumps, of streams
FEWEST_DAYS = {"quick": 1, "book": 10, "paper": 10}  # of warm-up, by fidelity; the run has as many or more
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


def whole_days(fidelity, name, jobs, jumps=2, days=1):
    """What part of a fidelity's jumps a stream is run for: by day, in whole days.

    Simulators count jumps, and so many jobs come in whole days on average. A run ends a little before or after
    midnight, by the chance of its last days; in ten days what is left weighs less than a thousandth of the load.

    Parameters
    ----------
    fidelity : str
    name : str
        In `WORKLOADS`; all but "daily" have `PART`.
    jobs : float
        That come in a day, on average.
    jumps : int
        For each job.
    days : int
        As many times the fewest days: where not all jobs have as many jumps, so that a run ends at any hour.

    Returns
    -------
    float

    Examples
    --------
    A day of 800 jobs. The warm-up of 30,000 jumps becomes one of 19 days, the run three times as long:

    >>> 100_000 * whole_days("book", "daily", 800) / (2 * 800)
    19.0
    """
    if name != "daily":
        return PART
    warmup = study.run_lengths(fidelity)["warmup"]
    whole = max(days * FEWEST_DAYS[fidelity], math.ceil(round(PART * warmup / (jumps * jobs), 9)))
    return round(whole * jumps * jobs) / warmup


@functools.cache
def laws(name):
    """The laws of a log: of the times between its arrivals, as a process, and of its jobs' work, both of mean 1."""
    arrivals, sizes, _ = drawn.drawn(name, 1, FEWER_JOBS)
    return Renewal(_law(np.diff(arrivals))), _law(sizes)


def _law(values):
    values, counts = np.unique(values, return_counts=True)
    return Empirical(values / Empirical(values, counts).mean, counts)


def arriving(name):
    """Arrivals and sizes for a simulator."""
    arrivals, sizes = laws(name) if name in LOGS else (stream(name), Exponential())
    return {"arrivals": arrivals, "sizes": sizes}


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
            common = min(len(self.logs), len(other.logs))  # the first ones, if one of them was run for fewer
            return Measured.of_logs(self.logs[:common] - other.logs[:common])
        return Measured(self.value - other.value, float(np.hypot(self.within, other.within)))

    def __rsub__(self, other):
        return (self - other) * -1

    def of_jobs(self, jobs):
        """The same; but if it is 0, none of so many jobs met what it is the probability of: at most 3 in so many do."""
        return self if self.value else Measured(0.0, 3 / jobs)


def _seen(rows, quantities):
    """Rows of a study as `Measured`, by quantity, index and what the point is named by."""
    parameters = list(rows.columns[: rows.columns.get_loc("quantity")])
    found = {}
    for row in rows[rows["quantity"].isin(quantities)].to_dict("records"):
        value, several = row["estimate"], np.ndim(row["estimate"])
        one = Measured.of_logs(value) if several else Measured(value, row["half_width"])
        if row["quantity"] == "blocking":  # a jump is a job of a log; of a cluster, a job has three jumps at the most
            one = one.of_jobs(row["jumps"] * row["replications"] / (1 if several else 3))
        found[row["quantity"], row["index"], *(row[name] for name in parameters)] = one
    return found


def _replayed(replay, points, arguments, quantities, fidelity):
    """What is seen of logs: a replay of `clustershare.workload.drawn` at each point, whose workload names the model."""
    rows = study.run(
        "across-logs", replay, points, lambda workload, **point: {"model": workload, **arguments(**point)},
        fidelity=fidelity, jobs=JOBS, seed=0,
    )  # fmt: skip
    return _seen(rows, quantities)


def _both(seen, points):
    """Capacity loss, and the deviation of the worst-off group, at each point by what names it."""
    found = {}
    for point in (tuple(each.values()) for each in points):
        groups = [seen["group_share_deviation", group, *point] for group in (0, 1)]
        found[point] = seen["capacity_loss", 0, *point], max(groups, key=lambda group: group.value)
    return found


@functools.cache
def central(fidelity, processors=10, policies=CENTRAL, local="GPPS", migration=False, workloads=WORKLOADS):
    """Capacity loss and group-share deviation of central policies at every case.

    Returns
    -------
    dict of (str, str, str) to (Measured, Measured)
        By workload, case and policy: loss, and the deviation of the worst-off group.
    """

    def system(case, policy):
        return {
            "policy": policy, "local": local, "migration": migration, "processors": processors,
            "required_shares": CASES[case][0], "loads": CASES[case][1],
        }  # fmt: skip

    points, seen = study.grid(workload=workloads, case=CASES, policy=policies), {}
    if replayed := [point for point in points if point["workload"] in LOGS]:
        seen |= _replayed(drawn.dispatch, replayed, system, QUANTITIES, fidelity)
    if simulated := [point for point in points if point["workload"] in STREAMS]:
        rows = study.run(
            "across-streams", dispatch.simulate_central, simulated,
            lambda workload, **point: system(**point) | {"arrivals": stream(workload, processors)}, fidelity=fidelity,
            part=lambda workload, case, policy: whole_days(fidelity, workload, DAY * processors * sum(CASES[case][1])),
        )  # fmt: skip
        seen |= _seen(rows, QUANTITIES)
    return _both(seen, points)


@functools.cache
def distributed(fidelity, limits=LIMITS):
    """Capacity loss and group-share deviation where processors ask some others, by workload, case, policy and limit.

    Where none is asked, all policies but SVP are JSQ.
    """
    points = study.grid(workload=WORKLOADS, case=PROBING_CASES, policy=CENTRAL, probe_limit=limits)
    points = [point for point in points if point["probe_limit"] or point["policy"] == "JSQ"]

    def system(workload, **point):
        return of_case(**point) | arriving(workload)

    rows = study.run(
        "across-probing", dispatch.simulate_distributed, points, system, fidelity=fidelity,
        part=lambda workload, **point: whole_days(fidelity, workload, DAY * 10 * sum(of_case(**point)["loads"])),
    )  # fmt: skip
    return _both(_seen(rows, QUANTITIES), points)


@functools.cache
def assigned(fidelity, exponential=False):
    """Mean service rate with one interruption a job, jobs on some of a hundred servers: by workload, degree, load.

    Of the logs alone. With `exponential`, sizes are exponential and the arrivals remain.
    """
    chosen = {"interruptions": INTERRUPTIONS, "exponential": exponential}
    seen = _replayed(
        drawn.servers, study.grid(workload=LOGS, degree=DEGREES, load=LOADS),
        lambda degree, load: random_servers(load, degree) | chosen, ("mean_service_rate",), fidelity,
    )  # fmt: skip
    return _by_point(seen)


@functools.cache
def shared(fidelity, interruptions, workloads=WORKLOADS):
    """Mean service rates on three servers, one of them in common: by workload, load and class."""

    def system(load):
        return three_servers(load) | {"interruptions": interruptions}

    seen, quantities = {}, ("mean_service_rate",)
    if names := [name for name in workloads if name in LOGS]:
        seen |= _replayed(drawn.servers, study.grid(workload=names, load=LOADS), system, quantities, fidelity)
    if names := [name for name in workloads if name in STREAMS]:
        rows = study.run(
            "across-shared", multiserver.simulate, study.grid(workload=names, load=LOADS),
            lambda workload, load: system(load) | arriving(workload), fidelity=fidelity,
            part=lambda workload, load: whole_days(fidelity, workload, DAY * 3 * load, 2 + interruptions),
        )  # fmt: skip
        seen |= _seen(rows, quantities)
    return {(name, load, group): rate for (_, group, name, load), rate in seen.items()}


@functools.cache
def one_server(fidelity):
    """Blocking of a cluster of one server: by workload and arrival rate."""
    system = {"parallel": False, "mean_time": 1 / SERVICE, "queue_capacity": CAPACITY, "tracker_time": 1 / TRACKER}
    seen = _replayed(
        drawn.cluster, study.grid(workload=LOGS, rate=RATES), lambda rate: system | {"load": rate / SERVICE},
        ("blocking",), fidelity,
    )  # fmt: skip
    return _by_point(seen) | _simulated_clusters(
        STREAMS, "rate", RATES, fidelity,
        lambda workload, rate: ServiceCluster(1, CAPACITY, {1: 1.0}, float(rate), TRACKER, SERVICE), 1 / SERVICE,
    )  # fmt: skip


@functools.cache
def parallel(fidelity):
    """Blocking of a cluster of parallel jobs, and what a cluster of the chain's assumptions has: by workload and load.

    The logs are on 128 servers, the streams on 16 with sizes uniform from 1 to 16. The chain's cluster has the same
    numbers of servers, as often, exponential service of the same mean for all of them, and Poisson arrivals; where it
    has too many states to be solved, it is simulated.
    """
    seen = _replayed(
        drawn.cluster, study.grid(workload=LOGS, load=PARALLEL_LOADS),
        lambda load: {"parallel": True, "queue_capacity": CAPACITY, "load": load}, ("blocking",), fidelity,
    )  # fmt: skip
    found = _by_point(seen) | _simulated_clusters(STREAMS, "load", PARALLEL_LOADS, fidelity, chain_of)
    chains = _simulated_clusters(LOGS, "load", PARALLEL_LOADS, fidelity, chain_of, poisson=True)
    for load in PARALLEL_LOADS:
        solved = Measured(chain_of("bursty", load).solve().blocking)
        chains |= {(name, load): solved for name in STREAMS}
    return {key: (found[key], chains[key]) for key in found}


def _simulated_clusters(workloads, parameter, values, fidelity, cluster_of, unit=1.0, poisson=False):
    """Blocking of simulated clusters, by workload and the value of a parameter."""

    def system(workload, **point):
        arrivals = {} if poisson else {"arrivals": stream(workload, unit)}
        return {"cluster": cluster_of(workload, **point), **arrivals}

    def part(workload, **point):  # a job has three jumps, if it is not lost
        return whole_days(fidelity, workload, DAY * unit * cluster_of(workload, **point).arrival_rate, 3, 10)

    points = study.grid(workload=workloads, **{parameter: values})
    rows = study.run("across-cluster", cluster_chain.simulate, points, system, fidelity=fidelity, part=part)
    return _by_point(_seen(rows, ("blocking",)))


def _by_point(seen):
    """The only quantity, by what names the point."""
    return {tuple(point): value for (_, _, *point), value in seen.items()}


def chain_of(workload, load):
    """The cluster of `ctmc` that has a workload's numbers of servers, mean time of service 1 and load."""
    if workload in STREAMS:
        servers, needs = 16, uniform_sizes(16)
    else:
        servers = drawn.MACHINE
        each, count = np.unique(drawn.drawn(workload, 1, JOBS)[2], return_counts=True)
        needs = dict(zip(each.tolist(), (count / count.sum()).tolist()))
    mean = sum(size * part for size, part in needs.items())
    return ServiceCluster(servers, CAPACITY, needs, load * servers / mean, 1000.0 * load * servers / mean, 1.0)
