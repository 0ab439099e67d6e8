"""Jobs drawn from laws, and logs of which one thing is changed: what theory assumes, in steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustershare.arguments import affordable, fail, integer, number, one_of, positive, probabilities, sequence, vector
from clustershare.compiled.arguments import laws as check_laws
from clustershare.results import same
from clustershare.run_length import check_run_length
from clustershare.sizes import Exponential, JobSize
from clustershare.typing import Numbers
from clustershare.workload.description import DAY, DAYS, HOURS, cycle, observed
from clustershare.workload.fitting import of_two_moments
from clustershare.workload.jobs import MOST_GROUPS, MOST_JOBS, MOST_SERVERS, Workload

CHANGES = (
    "daily cycle", "order of the gaps", "law of the gaps", "all of the arrivals", "order of the jobs",
    "law of the sizes", "everything",
)  # fmt: skip
DAYS_SEEN, WEEKS_SEEN = 2, 2  # from which on a cycle is told from chance


@dataclass(frozen=True, eq=False)
class Laws:
    """What jobs are like where there is no log: they arrive in a Poisson stream and are independent of one another.

    Parameters
    ----------
    arrival_rates : sequence of float, shape (groups,)
        Above 0.
    sizes : clustershare.sizes.JobSize, or a sequence of them
        How long a job is served when it is alone: one law for all groups, or one for each.
    needs : dict, optional
        Probability of each number of servers that a job takes; one if not given.
    names : sequence of str, optional
        Of the groups; their numbers if not given.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> laws = Laws((2.0, 1.0), Exponential(1.5), names=("physics", "biology"))
    >>> laws.draw(1000, seed=1)
    Workload of 1000 jobs of 2 groups
    """

    arrival_rates: tuple[float, ...]
    sizes: Any  # given as one or several, kept as several
    needs: Any = None  # given as a dictionary, kept as pairs
    names: tuple[str, ...] = None  # type: ignore[assignment]

    def __init__(
        self, arrival_rates: Numbers, sizes: JobSize | Sequence[JobSize],
        needs: Mapping[int, float] | None = None, names: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        rates = vector("arrival_rates", arrival_rates, positive)
        affordable("the number of groups", len(rates), MOST_GROUPS)
        laws = (sizes,) * len(rates) if isinstance(sizes, JobSize) else vector("sizes", sizes, _law, len(rates))
        given: Any = {1: 1.0} if needs is None else needs
        if isinstance(given, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in given):
            given = dict(given)  # as they are kept
        if not isinstance(given, Mapping) or not given:
            fail("needs", needs, "a dictionary from numbers of servers to probabilities")
        numbers = [integer("each number in needs", need, 1, MOST_SERVERS) for need in given]
        chances = probabilities("the probabilities in needs", list(given.values()))
        own = tuple(map(str, range(len(rates)))) if names is None else tuple(sequence("names", names))
        if len(own) != len(rates) or not all(isinstance(name, str) for name in own) or len(set(own)) < len(own):
            fail("names", names, f"{len(rates)} texts, one for each group, each another")
        check_laws("sizes", laws)
        values = {"arrival_rates": rates, "sizes": laws, "names": own}
        values["needs"] = tuple(sorted((need, chance) for need, chance in zip(numbers, chances) if chance > 0))
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def draw(self, jobs: int, seed: int = 0) -> Workload:
        """So many jobs.

        Parameters
        ----------
        jobs : int
        seed : int

        Returns
        -------
        Workload
        """
        jobs = integer("jobs", jobs, 1, MOST_JOBS)
        (rng,) = check_run_length({"replications": 1, "seed": seed}).generators()
        return self.drawn(rng, jobs)

    def drawn(self, rng: np.random.Generator, jobs: int, exponential: bool = False) -> Workload:
        """The same with a generator, and with exponential sizes of the same means in place of the laws, if asked for.

        Parameters
        ----------
        rng : numpy.random.Generator
        jobs : int
        exponential : bool

        Returns
        -------
        Workload
        """
        rates = np.array(self.arrival_rates)
        groups = rng.choice(len(rates), jobs, p=rates / rates.sum())
        sizes = np.empty(jobs)
        for group, law in enumerate(self.sizes):
            own = groups == group
            sizes[own] = (Exponential(law.mean) if exponential else law).sample(rng, int(own.sum()))
        needs, chances = zip(*self.needs)
        return Workload(
            rng.exponential(1 / rates.sum(), jobs).cumsum(), sizes, groups,
            rng.choice(needs, jobs, p=np.array(chances) / sum(chances)), self.names,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    def __hash__(self) -> int:
        return hash((self.arrival_rates, self.names))


def _law(name, value):
    return value if isinstance(value, JobSize) else fail(name, value, "a distribution of clustershare.sizes")


def redrawn(workload, rng, jobs, *, assumed=False):
    """Jobs drawn as a workload has them, independent of one another.

    Parameters
    ----------
    workload : Workload
    rng : numpy.random.Generator
    jobs : int
    assumed : bool
        If not, times between arrivals are those of `clustershare.workload.fitted`, and a job is one of the workload's,
        with its group, size and servers. If so, as models assume: a Poisson stream, and exponential sizes, of the means
        that a group has with each number of servers.

    Returns
    -------
    Workload
    """
    _, rate = observed(workload)
    which = rng.integers(0, len(workload), jobs)
    groups, needs, sizes = workload.groups[which], workload.servers[which], workload.sizes[which]
    ratio = workload.estimates[which] / sizes
    if assumed:
        means = mean_sizes(workload)
        arrivals = rng.exponential(1 / rate, jobs).cumsum()
        sizes = means[which] * rng.exponential(1.0, jobs)
    else:
        arrivals = _renewed(workload, rng, jobs)
    sizes = np.maximum(sizes, np.finfo(float).tiny)
    return Workload(arrivals, sizes, groups, needs, workload.names, sizes * ratio)


def mean_sizes(workload):
    """For each job the mean size of its group's jobs with as many servers, shape (jobs,).

    Examples
    --------
    >>> mean_sizes(Workload([0, 0, 0], [1, 3, 5], servers=[1, 1, 2]))
    array([2., 2., 5.])
    """
    _, needs = np.unique(workload.servers, return_inverse=True)
    _, cell = np.unique(workload.groups * (needs.max() + 1) + needs, return_inverse=True)
    return (np.bincount(cell, workload.sizes) / np.bincount(cell))[cell]


def _renewed(workload, rng, jobs):
    """Batches as large as those of the workload, at times between them as there, all drawn anew."""
    times, batches = np.unique(workload.arrivals, return_counts=True)
    sizes = rng.choice(batches[1:], jobs)  # more than enough, of at least one job each
    sizes = sizes[: int(np.searchsorted(sizes.cumsum(), jobs)) + 1]
    return np.repeat(rng.choice(np.diff(times), len(sizes)).cumsum(), sizes)[:jobs]


def without(workload: Workload, change: str, *, day: float = DAY, seed: int = 0) -> Workload:
    """A workload without one of the things that models assume away; the rest stays as it is.

    Parameters
    ----------
    workload : Workload
        Of jobs that do not all arrive at once.
    change : str
        "daily cycle": time is stretched so that each hour of the day, and from two weeks on each day of the week,
        brings as many jobs as any other. "order of the gaps": times between arrivals in random order, so that neither
        cycle, nor bursts, nor drift are left. "law of the gaps": each time between arrivals becomes the exponential one
        of its rank. "all of the arrivals": a Poisson stream. "order of the jobs": what arrives when is drawn anew from
        what is there. "law of the sizes": each size becomes the exponential one of its rank among those of its group
        that take as many servers. "everything": the last three together, a random order and drawn sizes.
    day : float
        In the unit of time of the workload.
    seed : int

    Returns
    -------
    Workload
        Of as many jobs and groups, mean sizes and, but for chance, as long.

    Raises
    ------
    ValueError
        If an argument is not as above, or a daily cycle is to be taken from less than two days.

    Examples
    --------
    >>> jobs = Workload([0, 1, 5, 6], [4, 2, 1, 1])
    >>> without(jobs, "order of the jobs", seed=3).sizes, without(jobs, "order of the gaps", seed=3).arrivals
    (array([2., 4., 1., 1.]), array([0., 4., 5., 6.]))
    >>> without(jobs, "law of the sizes").sizes.round(2).tolist()
    [4.54, 2.14, 1.03, 0.29]
    """
    work, rate = observed(workload)
    one_of("change", change, CHANGES)
    day = positive("day", day)
    (rng,) = check_run_length({"replications": 1, "seed": seed}).generators()
    return changed(work, change, rng, day)


def changed(work, change, rng, day):
    """`without`, with a generator and without checks."""
    arrivals, sizes, ratio = work.arrivals, work.sizes, work.estimates / work.sizes
    order = np.arange(len(work))
    if change == "daily cycle":
        arrivals = _without_cycle(work, day)
    elif change == "order of the gaps":
        arrivals = _from_gaps(work, rng.permutation(np.diff(arrivals)))
    elif change == "law of the gaps":
        arrivals = _from_gaps(work, exponential_by_rank(np.diff(arrivals), rng))
    if change in ("all of the arrivals", "everything"):
        ends = arrivals[[0, -1]]
        arrivals = np.concatenate([ends[:1], np.sort(rng.uniform(*ends, len(work) - 2)), ends[1:]])[: len(work)]
    if change in ("order of the jobs", "everything"):
        order = rng.permutation(len(work))
    if change == "law of the sizes":
        sizes = np.empty(len(work))
        for own in _cells(work):
            sizes[own] = exponential_by_rank(work.sizes[own], rng)
    if change == "everything":
        sizes = mean_sizes(work) * rng.exponential(1.0, len(work))
    sizes = np.maximum(sizes, np.finfo(float).tiny)[order]
    return Workload(
        arrivals, sizes, work.groups[order], work.servers[order], work.names, sizes * ratio[order]
    )  # fmt: skip


def exponential_by_rank(values, rng):
    """Values that have the exponential law and the mean and order of others; those alike are ordered by chance.

    Examples
    --------
    >>> exponential_by_rank(np.array([4.0, 1.0, 7.0]), np.random.default_rng(1)).round(3)
    array([3.119, 0.82 , 8.061])
    """
    n = len(values)
    shape = -np.log1p(-(np.arange(n) + 0.5) / n)
    drawn = np.empty(n)
    drawn[np.lexsort((rng.random(n), values))] = shape / shape.mean() * values.mean()
    return drawn


def _from_gaps(work, gaps):
    return np.concatenate([work.arrivals[:1], work.arrivals[0] + gaps.cumsum()])


def _cells(work):
    """The jobs of each group that take as many servers."""
    _, needs = np.unique(work.servers, return_inverse=True)
    _, cell, count = np.unique(work.groups * (needs.max() + 1) + needs, return_inverse=True, return_counts=True)
    return np.split(np.argsort(cell, kind="stable"), count.cumsum()[:-1])


def has_cycle(work, day):
    """Whether a daily cycle can be told from chance."""
    return bool(np.ptp(work.arrivals) >= DAYS_SEEN * day)


def _without_cycle(work, day):
    if not has_cycle(work, day):
        fail("change", "daily cycle", f"another where the workload is shorter than {DAYS_SEEN} days")
    hours = np.nan_to_num(cycle(work, day, HOURS), nan=1.0)
    weekly = np.ptp(work.arrivals) >= WEEKS_SEEN * DAYS * day
    days = np.nan_to_num(cycle(work, DAYS * day, DAYS), nan=1.0) if weekly else np.ones(1)
    pace = np.outer(days, hours).ravel()
    period, passed = len(days) * day, np.concatenate([[0.0], pace.cumsum()]) / len(pace)
    rounds = np.floor(work.arrivals / period)
    inside = np.interp(work.arrivals - rounds * period, np.linspace(0, period, len(passed)), passed * period)
    times = rounds * passed[-1] * period + inside
    times = np.maximum.accumulate(times - times[0])
    return work.arrivals[0] + times * (np.ptp(work.arrivals) / times[-1])


def stated(
    loads: Numbers, servers: int, *, mean_size: float = 1.0, squared_variation: float = 1.0,
    needs: Mapping[int, float] | None = None, names: Sequence[str] | None = None,
) -> Laws:  # fmt: skip
    """Laws from a few numbers that an operator may know.

    Parameters
    ----------
    loads : sequence of float
        Of the groups, above 0: the part of the servers that each would keep busy.
    servers : int
        That loads are relative to.
    mean_size : float
        Mean time that a job is served.
    squared_variation : float
        Variance of the sizes over their squared mean, at least 0: 1 is exponential, more hyperexponential, less gamma,
        and 0 all alike.
    needs, names
        As for `Laws`.

    Returns
    -------
    Laws

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> stated((0.5, 0.3), 40, mean_size=2.0).arrival_rates
    (10.0, 6.0)
    """
    own = np.array(vector("loads", loads, positive))
    servers, mean_size = integer("servers", servers, 1, MOST_SERVERS), positive("mean_size", mean_size)
    law = of_two_moments(mean_size, number("squared_variation", squared_variation, 0, 1e6))
    made = Laws([1.0] * len(own), law, needs, names)
    taken = sum(need * chance for need, chance in made.needs)
    with np.errstate(over="ignore", under="ignore"):
        return Laws((own * (servers / taken / mean_size)).tolist(), law, dict(made.needs), names)
