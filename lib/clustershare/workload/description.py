"""What the jobs of a log are like: who asks for what, how evenly, and which assumptions of models it contradicts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from clustershare.arguments import LARGEST, SMALLEST, fail, integer, number, positive
from clustershare.calls import remembered
from clustershare.results import Result
from clustershare.run_length import check_run_length
from clustershare.typing import FloatArray, IntArray
from clustershare.workload.jobs import MOST_SERVERS, Workload

DAY = 86400.0
HOURS, DAYS = 24, 7
FEWEST_WINDOWS = 20  # that a variance of counts is taken of
FEWEST_JOBS = 20  # that anything is tested of
FEWEST_EXPECTED = 5.0  # of a cell, for chi-squared
MOST_LAGS = 20
DRAWS, DRAWN_JOBS = 1999, 300  # for the law of the Kolmogorov-Smirnov distance where the mean is estimated


@dataclass(frozen=True)
class Description(Result):
    """A workload in numbers. What cannot be said is nan: of a group with no jobs, or of values that are all alike.

    Attributes
    ----------
    jobs : ndarray of int, shape (groups,)
    work : ndarray, shape (groups,)
        Sizes times servers, summed over the jobs.
    arrival_rates : ndarray, shape (groups,)
        Their sum is one over the mean time between arrivals.
    loads : ndarray, shape (groups,)
        Arrival rate times mean work of a job, over the servers of the cluster.
    mean_sizes, size_squared_variations : ndarray, shape (groups,)
        Of the sizes: mean, and variance over squared mean. nan for a group without jobs.
    gap_squared_variations : ndarray, shape (groups,)
        Of the times between arrivals of a group, 1 in a Poisson stream; nan with fewer than three jobs, or if all
        arrive at once.
    size_squared_variation, gap_squared_variation : float
        Of all jobs.
    server_numbers, server_probabilities : ndarray, shape (numbers of servers,)
        How many servers jobs take, and which part of the jobs does.
    windows, index_of_dispersion : ndarray, shape (windows,)
        Lengths of time, and the variance of the number of arrivals in such a time over its mean: 1 at all lengths in a
        Poisson stream, and growing with the length where arrivals come in bursts. No windows where there are few jobs.
    daily_cycle : ndarray, shape (24,)
        Rate of arrivals in each hour of the day, relative to the mean rate; nan for an hour of which less was seen than
        a mean time between arrivals. The first hour begins at time 0.
    weekly_cycle : ndarray, shape (7,)
        The same of the days of a week; nan as well where too little was seen.
    size_correlation, gap_correlation : float
        Rank correlation of a size, or of a time between arrivals, with the next; nan if all are alike.
    size_server_correlation : float
        Rank correlation of a job's size with the number of its servers; nan if all are alike.
    size_part_of_groups : float
        Which part of the variance of the ranks of sizes lies between groups; nan if all sizes are alike.
    span : float
        From the first to the last arrival.
    """

    jobs: IntArray
    work: FloatArray
    arrival_rates: FloatArray
    loads: FloatArray
    mean_sizes: FloatArray
    size_squared_variations: FloatArray
    gap_squared_variations: FloatArray
    size_squared_variation: float
    gap_squared_variation: float
    server_numbers: IntArray
    server_probabilities: FloatArray
    windows: FloatArray
    index_of_dispersion: FloatArray
    daily_cycle: FloatArray
    weekly_cycle: FloatArray
    size_correlation: float
    gap_correlation: float
    size_server_correlation: float
    size_part_of_groups: float
    span: float


@dataclass(frozen=True)
class Assumption(Result):
    """An assumption of the models, tested; `method` names the test.

    Attributes
    ----------
    assumption : str
    statistic, p_value : float
        Of the test; nan where there are too few jobs, or none that differ.
    contradicted : bool
        Whether the p-value is below the level.
    sentence : str
        What was found.
    """

    assumption: str
    statistic: float
    p_value: float
    contradicted: bool
    sentence: str


@remembered
def describe(workload: Workload, servers: int = 1, *, day: float = DAY) -> Description:
    """What a workload says of itself.

    Parameters
    ----------
    workload : Workload
        Of jobs that do not all arrive at once.
    servers : int
        Of the cluster, which loads are relative to.
    day : float
        How long a day is, in the unit of time of the workload.

    Returns
    -------
    Description

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> jobs = Workload([0, 1, 2, 4], [4, 2, 1, 1], groups=[0, 1, 1, 0], servers=[1, 1, 2, 1])
    >>> found = describe(jobs, servers=4)
    >>> found.jobs, found.work, found.loads
    (array([2, 2]), array([5., 4.]), array([0.234375, 0.1875  ]))
    >>> round(found.gap_squared_variation, 3)
    0.125
    """
    work, rate = observed(workload)
    servers, day = integer("servers", servers, 1, MOST_SERVERS), positive("day", day)
    groups, count = work.groups, np.bincount(work.groups, minlength=len(work.names))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        amounts = np.bincount(groups, work.sizes * work.servers, len(count)).astype(float)
        rates = count / len(work) * rate
        loads = amounts / len(work) * rate / servers
        means = np.bincount(groups, work.sizes, len(count)) / count
        spread = np.bincount(groups, (work.sizes / means[groups] - 1) ** 2, len(count)) / count
    if not np.isfinite([amounts, loads]).all():
        fail("workload", work, "of loads that are floats")
    order = np.argsort(groups, kind="stable")
    gaps = np.split(work.arrivals[order], np.cumsum(count)[:-1])
    numbers, chances = np.unique(work.servers, return_counts=True)
    windows, dispersion = _dispersion(work.arrivals, rate)
    sizes = stats.rankdata(work.sizes)
    return Description(
        jobs=count, work=amounts, arrival_rates=rates, loads=loads, mean_sizes=means, size_squared_variations=spread,
        gap_squared_variations=np.array([_squared_variation(np.diff(own)) for own in gaps]),
        size_squared_variation=_squared_variation(work.sizes),
        gap_squared_variation=_squared_variation(np.diff(work.arrivals)), server_numbers=numbers,
        server_probabilities=chances / len(work), windows=windows, index_of_dispersion=dispersion,
        daily_cycle=cycle(work, day, HOURS), weekly_cycle=cycle(work, DAYS * day, DAYS),
        size_correlation=_correlation(sizes[:-1], sizes[1:]), gap_correlation=_next(np.diff(work.arrivals)),
        size_server_correlation=_correlation(sizes, stats.rankdata(work.servers)),
        size_part_of_groups=_part_between(sizes, groups), span=float(np.ptp(work.arrivals)), method="data",
    )  # fmt: skip


def observed(workload):
    """The workload, checked, and the rate at which its jobs arrive: one over the mean time between arrivals.

    Examples
    --------
    >>> observed(Workload([0, 1, 2, 4], [1, 1, 1, 1]))[1]
    0.75
    """
    if not isinstance(workload, Workload):
        fail("workload", workload, "a clustershare.workload.Workload")
    span = float(np.ptp(workload.arrivals))
    if not span > 0:
        fail("workload", workload, "of jobs that do not all arrive at once")
    with np.errstate(over="ignore"):
        rate = float(np.divide(len(workload) - 1, span))
    if not SMALLEST <= rate <= LARGEST:
        fail("workload", workload, f"of an arrival rate from {SMALLEST:g} to {LARGEST:g}")
    return workload, rate


def exposure(workload, period, parts):
    """How long each part of a period was seen, and how many jobs came in it; the first arrival begins the time.

    Parameters
    ----------
    workload : Workload
    period : float
        Of so many equal parts, the first of which begins at time 0.
    parts : int

    Returns
    -------
    seen : ndarray, shape (parts,)
    count : ndarray of int, shape (parts,)

    Examples
    --------
    >>> exposure(Workload([1, 2, 5, 5.5], [1, 1, 1, 1]), 4, 2)
    (array([2.5, 2. ]), array([2, 1]))
    """
    work, period, width = workload, float(period), period / parts
    starts = width * np.arange(parts)

    def until(time):
        return np.floor(time / period) * width + np.clip(np.mod(time, period) - starts, 0, width)

    seen = until(work.arrivals[-1]) - until(work.arrivals[0])
    where = np.minimum((np.mod(work.arrivals[1:], period) / width).astype(np.int64), parts - 1)
    return seen, np.bincount(where, minlength=parts)


def cycle(workload, period, parts):
    """The rate of arrivals in each part of a period, relative to the mean rate; nan where too little was seen."""
    work, rate = observed(workload)
    seen, count = exposure(work, period, parts)
    enough = seen * rate >= 1
    return np.where(enough, count / np.where(enough, seen * rate, 1.0), np.nan)


@remembered
def assumptions(
    workload: Workload, *, level: float = 0.01, day: float = DAY, seed: int = 0
) -> tuple[Assumption, ...]:  # fmt: skip
    """Which assumptions of the models a workload contradicts.

    Parameters
    ----------
    workload : Workload
        Of jobs that do not all arrive at once.
    level : float
        Of each test, above 0 and below 1: how often it contradicts where the assumption holds.
    day : float
        How long a day is, in the unit of time of the workload.
    seed : int
        Of what is drawn.

    Returns
    -------
    tuple of Assumption
        Ten; with fewer than 20 jobs none is tested.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    Times between arrivals and sizes are compared with exponential ones of the same mean by the Kolmogorov-Smirnov
    distance; as the mean is estimated, its law is drawn (Lilliefors), for 300 jobs, and taken over to other numbers by
    Stephens' formula. The autocorrelations of Ljung and Box are those of ranks, of lags up to 20, so that tails do not
    matter. A Poisson stream whose arrivals are rounded down to whole numbers is one again when each is put anywhere
    within its unit: that is done where all are whole, and likewise with sizes. In a log of many jobs the smallest
    difference is found: each sentence tells how large it is.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> jobs = Workload(rng.exponential(1.0, 2000).cumsum(), rng.lognormal(0, 2, 2000))
    >>> for one in assumptions(jobs, day=100.0):
    ...     if one.contradicted:
    ...         print(one.assumption, "|", one.method)
    exponential sizes | Lilliefors
    """
    work, _ = observed(workload)
    level = number("level", level, 0, 1, open_below=True, open_above=True)
    day = positive("day", day)
    (rng,) = check_run_length({"replications": 1, "seed": seed}).generators()
    times, sizes = np.sort(_anywhere(work.arrivals, rng)), _anywhere(work.sizes, rng)
    gaps, all_sizes = np.diff(times), work.sizes
    tests = (
        ("exponential times between arrivals", "Lilliefors", _lilliefors, (gaps, rng)),
        ("independent times between arrivals", "Ljung-Box", _ljung_box, (gaps,)),
        ("a constant arrival rate", "Kolmogorov-Smirnov", _uniform, (times,)),
        ("no daily cycle of arrivals", "chi-squared", _no_cycle, (work, day)),
        ("exponential sizes", "Lilliefors", _lilliefors, (sizes, rng)),
        ("independent sizes", "Ljung-Box", _ljung_box, (all_sizes,)),
        ("sizes independent of the times between arrivals", "Spearman", _spearman, (gaps, all_sizes[1:])),
        ("sizes independent of the number of servers", "Spearman", _spearman, (work.servers, all_sizes)),
        ("one law of the sizes for all groups", "Kruskal-Wallis", _one_law, (work,)),
        ("groups independent of those before", "chi-squared", _groups_in_turn, (work.groups,)),
    )  # fmt: skip
    return tuple(_tested(len(work), level, *test) for test in tests)


def _tested(jobs, level, assumption, name, test, given):
    found = test(*given) if jobs >= FEWEST_JOBS else None
    if found is None:
        why = f"Not tested: {assumption}; there are too few jobs, or none that differ."
        return Assumption(assumption, np.nan, np.nan, False, why, method=name)
    statistic, p_value, size = found
    contradicted = bool(p_value < level)
    verdict = "Contradicted" if contradicted else "Not contradicted"
    shown = f"p = {p_value:.2g}" if p_value > 0 else f"p below {SMALLEST:g}"
    said = f"{verdict}: {assumption} ({name} test, {shown}; {size})."
    return Assumption(assumption, float(statistic), float(p_value), contradicted, said, method=name)


def _squared_variation(values):
    if len(values) < 2 or not (mean := values.mean()) > 0:
        return np.nan
    return float(np.mean((values / mean - 1) ** 2))


def _correlation(one, other):
    """Of ranks."""
    if len(one) < 2 or not (np.ptp(one) > 0 and np.ptp(other) > 0):
        return np.nan
    return float(np.corrcoef(one, other)[0, 1])


def _next(values):
    ranks = stats.rankdata(values)
    return _correlation(ranks[:-1], ranks[1:])


def _part_between(ranks, groups):
    total = ((ranks - ranks.mean()) ** 2).sum()
    count = np.bincount(groups)
    with np.errstate(invalid="ignore"):
        means = np.nan_to_num(np.bincount(groups, ranks) / count)
    return float((count * (means - ranks.mean()) ** 2).sum() / total) if total > 0 else np.nan


def _dispersion(arrivals, rate):
    """Lengths of windows, from ten mean gaps on by powers of ten, and the index of dispersion in each."""
    since, lengths, found = (arrivals - arrivals[0]) * rate, [], []
    length = 10
    while (windows := int(since[-1] // length)) >= FEWEST_WINDOWS:
        counts = np.bincount((since[since < windows * length] // length).astype(np.int64), minlength=windows)
        lengths.append(length / rate)
        found.append(counts.var() / counts.mean())
        length *= 10
    return np.array(lengths), np.array(found)


def _anywhere(values, rng):
    """Whole numbers with what was rounded off, drawn."""
    return values + rng.random(len(values)) if (values == np.floor(values)).all() else values


def _distance(sorted_values):
    """Kolmogorov-Smirnov distance from the exponential law of the same mean, and as Stephens modifies it; last axis."""
    n = sorted_values.shape[-1]
    law = -np.expm1(-sorted_values / sorted_values.mean(axis=-1, keepdims=True))
    steps = np.arange(n) / n
    distance = np.maximum(law - steps, steps + 1 / n - law).max(axis=-1)
    return distance, (distance - 0.2 / n) * (np.sqrt(n) + 0.26 + 0.5 / np.sqrt(n))


def _lilliefors(values, rng):
    if not np.ptp(values) > 0:
        return None
    distance, modified = _distance(np.sort(values))
    _, drawn = _distance(np.sort(rng.standard_exponential((DRAWS, DRAWN_JOBS))))
    p_value = (1 + (drawn >= modified).sum()) / (DRAWS + 1)
    size = f"squared coefficient of variation {_squared_variation(values):.3g} in place of 1"
    return distance, p_value, size


def _ljung_box(values):
    if not np.ptp(values) > 0:
        return None
    n = len(values)
    ranks = stats.rankdata(values)
    ranks = (ranks - ranks.mean()) / ranks.std()
    lags = np.arange(1, min(MOST_LAGS, n // 5) + 1)
    correlations = np.array([ranks[lag:] @ ranks[:-lag] / n for lag in lags])
    statistic = n * (n + 2) * (correlations**2 / (n - lags)).sum()
    return statistic, stats.chi2.sf(statistic, len(lags)), f"rank correlation with the next {correlations[0]:.3g}"


def _uniform(times):
    since = (times[1:-1] - times[0]) / (times[-1] - times[0])
    found = stats.kstest(since, "uniform")
    return found.statistic, found.pvalue, f"up to {found.statistic:.2g} of the jobs too early or too late"


def _no_cycle(work, day):
    if np.ptp(work.arrivals) < day:
        return None
    for parts in (24, 12, 8, 6, 4, 3, 2):
        seen, count = exposure(work, day, parts)
        expected = seen / seen.sum() * count.sum()
        if expected.min() >= FEWEST_EXPECTED:
            found = stats.chisquare(count, expected)
            ratio = count / expected
            size = f"{ratio.min():.2g} to {ratio.max():.2g} of the mean rate in {parts} parts of the day"
            return found.statistic, found.pvalue, size
    return None


def _spearman(one, other):
    if not (np.ptp(one) > 0 and np.ptp(other) > 0):
        return None
    found = stats.spearmanr(one, other)
    return found.statistic, found.pvalue, f"rank correlation {found.statistic:.3g}"


def _one_law(work):
    count = np.bincount(work.groups)
    of_group = np.split(work.sizes[np.argsort(work.groups, kind="stable")], np.cumsum(count)[:-1])
    large = [own for own in of_group if len(own) >= FEWEST_EXPECTED]
    if len(large) < 2 or not np.ptp(work.sizes) > 0 or not np.ptp(np.concatenate(large)) > 0:
        return None
    found = stats.kruskal(*large)
    medians = [np.median(own) for own in large]
    size = f"medians from {min(medians):.3g} to {max(medians):.3g} in {len(large)} groups"
    return found.statistic, found.pvalue, size


def _groups_in_turn(groups):
    """Which group comes after which; those too rare to tell are one."""
    n, count = len(groups), np.bincount(groups)
    often = np.flatnonzero(count >= np.sqrt(2 * FEWEST_EXPECTED * n))
    often = often[np.argsort(-count[often], kind="stable")][:MOST_LAGS]
    place = np.full(len(count), len(often))
    place[often] = np.arange(len(often))
    own = place[groups]
    kinds = np.bincount(own, minlength=len(often) + 1)
    if 0 < kinds[-1] < np.sqrt(2 * FEWEST_EXPECTED * n) and len(often):  # the rest is rare as well: with the last
        own = np.minimum(own, len(often) - 1)
    size = int(own.max()) + 1
    if size < 2:
        return None
    table = np.bincount(own[:-1] * size + own[1:], minlength=size * size).reshape(size, size)
    if not (table.sum(axis=0).all() and table.sum(axis=1).all()):
        return None
    found = stats.chi2_contingency(table, correction=False)
    again, wanted = np.trace(table) / table.sum(), np.trace(found.expected_freq) / table.sum()
    return found.statistic, found.pvalue, f"the same group again {again:.2g} of the time in place of {wanted:.2g}"
