"""From a log to the arguments of the models."""

from __future__ import annotations

from typing import Any

import numpy as np

from clustershare.arguments import fail, integer, one_of, positive
from clustershare.arrivals import Batches, Periodic, Renewal
from clustershare.cluster_chain import ServiceCluster
from clustershare.sizes import Deterministic, Empirical, Exponential, Gamma, fitted_hyperexponential
from clustershare.workload.description import DAY, HOURS, exposure, observed
from clustershare.workload.jobs import MOST_SERVERS, Workload

MODELS = ("uniprocessor", "dispatch", "multiserver", "cluster_chain")
ARRIVALS = ("renewal", "hourly", "Poisson")
LAWS = ("empirical", "two moments", "exponential")
MOST_VALUES = 10**6  # that a law of data takes
NEGLIGIBLE = 1000.0  # times as fast as jobs arrive: a tracker that nobody waits for


def fitted(
    workload: Workload, model: str, *, servers: int = 1, arrivals: str = "renewal", sizes: str = "empirical",
    day: float = DAY, queue_capacity: int = 100, tracker_rate: float | None = None,
) -> dict[str, Any]:  # fmt: skip
    """What `simulate` of a model takes, as a workload has it.

    Parameters
    ----------
    workload : Workload
        Of jobs that do not all arrive at once; every group has some. Under "uniprocessor", "dispatch" and "multiserver"
        they take one server each.
    model : str
        "uniprocessor": `arrival_rates`, `service_rates`, `sizes` for `clustershare.uniprocessor.simulate`. "dispatch":
        `loads`, `processors`, `sizes` for `clustershare.dispatch.simulate_central`. "multiserver": `arrival_rates` and
        `sizes` for `clustershare.multiserver.simulate`, with a class for each group. "cluster_chain": `cluster` and
        `service` for `clustershare.cluster_chain.simulate`. And `arrivals` for each.
    servers : int
        The processors of "dispatch", the servers of "cluster_chain"; the one processor of "uniprocessor" is as fast as
        so many together. "multiserver" does not ask: its graph has them.
    arrivals : str
        "renewal": independent times between arrivals as in the workload; where several jobs arrive at once, in batches
        as large as there. "hourly": a Poisson stream whose rate is that of each hour of the day. "Poisson": no
        `arrivals`.
    sizes : str
        Laws of the sizes of each group (under "cluster_chain", of each number of servers): "empirical", those of the
        workload; "two moments", of the same mean and variance: hyperexponential, or gamma where it varies less than an
        exponential; "exponential", of the same mean.
    day : float
        How long a day is, in the unit of time of the workload; it is seen once at least where arrivals are "hourly".
    queue_capacity : int
        Of "cluster_chain".
    tracker_rate : float, optional
        Of "cluster_chain"; 1000 times the arrival rate if not given, so that nobody waits for the tracker.

    Returns
    -------
    dict
        Arguments by name. What is promised to the groups, and the policy or the graph, is not of the workload.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from clustershare import dispatch
    >>> rng = np.random.default_rng(1)
    >>> jobs = Workload(rng.exponential(1.0, 1000).cumsum(), rng.exponential(1.4, 1000), rng.integers(0, 2, 1000))
    >>> given = fitted(jobs, "dispatch", servers=2)
    >>> [f"{load:.2f}" for load in given["loads"]], given["processors"]
    (['0.34', '0.33'], 2)
    >>> found = dispatch.simulate_central("JSQ", required_shares=(0.5, 0.5), **given, jumps=1000, warmup=100, seed=1)
    """
    work, rate = observed(workload)
    one_of("model", model, MODELS)
    servers, day = integer("servers", servers, 1, MOST_SERVERS), positive("day", day)
    one_of("arrivals", arrivals, ARRIVALS)
    one_of("sizes", sizes, LAWS)
    queue_capacity = integer("queue_capacity", queue_capacity, 0)
    tracker_rate = NEGLIGIBLE * rate if tracker_rate is None else positive("tracker_rate", tracker_rate)
    given = {} if arrivals == "Poisson" else {"arrivals": _arrivals(work, rate, arrivals, day)}
    if model == "cluster_chain":
        return given | _of_cluster(work, rate, servers, sizes, queue_capacity, tracker_rate)
    if work.servers.max() > 1:
        j = int(np.argmax(work.servers > 1))
        fail("workload", work, f"of jobs of one server each, but job {j} takes {work.servers[j]}")
    count = np.bincount(work.groups, minlength=len(work.names))
    if not count.all():
        fail("workload", work, f"of groups that all have jobs, which {work.names[int(np.argmin(count))]!r:.40} has not")
    own = [work.sizes[work.groups == group] for group in range(len(count))]
    rates, means = tuple((count / len(work) * rate).tolist()), [float(each.mean()) for each in own]
    laws = [_law(each, sizes) for each in own]
    if model == "multiserver":
        return given | {"arrival_rates": rates, "sizes": [_times(law, mean) for law, mean in zip(laws, means)]}
    with np.errstate(over="ignore", under="ignore"):
        alone = np.divide(means, servers)
    if model == "uniprocessor":
        return given | {"arrival_rates": rates, "service_rates": tuple(_inverse(alone, work)), "sizes": laws}
    loads = tuple((np.array(rates) * alone).tolist())
    scaled = [_times(law, mean) for law, mean in zip(laws, alone.tolist())]
    return given | {"loads": loads, "processors": servers, "sizes": scaled}


def _inverse(means, work):
    with np.errstate(over="ignore", divide="ignore"):
        rates = 1 / np.asarray(means)
    if not np.isfinite(rates).all():
        fail("workload", work, "of sizes that are floats, as are their inverses")
    return rates.tolist()


def _law(values, how):
    """A law of mean 1 with the variation of some values."""
    shape = values / values.mean()
    variation = float(np.mean((shape - 1) ** 2))
    if how == "exponential":
        return Exponential()
    if how == "empirical":
        return _empirical(shape)
    return of_two_moments(1.0, variation)


def of_two_moments(mean, squared_variation):
    """A law of a mean and a squared coefficient of variation: hyperexponential, or gamma where it varies less."""
    if squared_variation < 1e-9:
        return Deterministic(mean)
    if squared_variation >= 1:
        return fitted_hyperexponential(mean, squared_variation)
    return Gamma(mean, 1 / squared_variation)


def _times(law, factor):
    """The law of so many times what a law of mean 1 gives."""
    if isinstance(law, Empirical):
        return Empirical(law.values * factor, law.weights)
    if isinstance(law, Exponential):
        return Exponential(factor)
    if isinstance(law, Deterministic):
        return Deterministic(factor)
    if isinstance(law, Gamma):
        return Gamma(factor, law.shape)
    return fitted_hyperexponential(factor, law.squared_variation)


def _empirical(values):
    """The law of values, scaled to mean 1; neighbours are put together where there are too many."""
    values, counts = np.unique(values, return_counts=True)
    if len(values) > MOST_VALUES:
        part = np.arange(len(values)) * MOST_VALUES // len(values)
        total = np.bincount(part, counts)
        values, counts = np.bincount(part, values * counts) / total, total
    return Empirical(values / Empirical(values, counts).mean, counts)


def _arrivals(work, rate, how, day):
    if how == "hourly":
        seen, count = exposure(work, day, HOURS)
        if np.ptp(work.arrivals) < day or not (seen > 0).all():
            fail("arrivals", how, "another where the workload is shorter than a day")
        rates = count / seen
        return Periodic(tuple((rates / rates.mean()).tolist()), (day / HOURS,) * HOURS)
    times, batches = np.unique(work.arrivals, return_counts=True)
    gaps = np.diff(times)
    between = Renewal(_empirical(gaps / gaps.mean()))
    if len(times) == len(work):
        return between
    # The first batch begins the time, and is none of those that came in it.
    chances = np.bincount(batches[1:])[1:] / (len(times) - 1)
    return Batches(tuple(chances.tolist()), between)


def _of_cluster(work, rate, servers, sizes, queue_capacity, tracker_rate):
    needs, of_need, count = np.unique(work.servers, return_inverse=True, return_counts=True)
    if needs[-1] > servers:
        fail("servers", servers, f"at least {needs[-1]}, which a job of the workload takes")
    own = [work.sizes[of_need == place] for place in range(len(needs))]
    means = [each.mean() for each in own]
    keys = needs.tolist()
    cluster = ServiceCluster(
        servers, queue_capacity, dict(zip(keys, (count / len(work)).tolist())), arrival_rate=rate,
        tracker_rate=tracker_rate, service_rates=dict(zip(keys, _inverse(means, work))),
    )  # fmt: skip
    return {"cluster": cluster, "service": {key: _law(each, sizes) for key, each in zip(keys, own)}}
