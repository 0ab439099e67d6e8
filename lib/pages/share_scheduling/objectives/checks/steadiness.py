"""Claim of `thesis`, Section 1.5.1: time functions against the lottery, by how steady they are."""

import functools

import numpy as np

from clustershare import proportional
from compendium.press.clauses import at_each, conclude, exact, measured
from compendium.press.clauses.conditions import at_least, larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.objectives.paths import interval

SYSTEMS = [(slopes, jobs) for slopes in ((1, 3), (1, 10), (1, 3, 10)) for jobs in (20, 200)]
LENGTHS = (10, 100, 1000, 10_000)
CLEAR = SCALE["clear"].least


def farthest(chosen, parts):
    """The largest deviation of a class's share so far from its part, from each window's length on."""
    had = np.cumsum(chosen[:, None] == np.arange(len(parts)), axis=0) / np.arange(1, len(chosen) + 1)[:, None]
    off = np.maximum.accumulate(np.abs(had - parts).max(axis=1)[::-1])[::-1]
    return off[np.array(LENGTHS) - 1]


def ratios(chosen, last):
    """Mean times between quanta of a job, of the first class over the last one, in windows of 1000 quanta."""
    windows = chosen[5000:].reshape(-1, 1000)
    return (windows == last).sum(axis=1) / np.maximum((windows == 0).sum(axis=1), 1)


@functools.cache
def lotteries(slopes, jobs):
    """Deviations of 20 runs and the variance of the ratio over all their windows."""
    rng = np.random.default_rng(38)
    runs = [proportional.lottery([slope * jobs for slope in slopes], 20_000, rng) for _ in range(20)]
    parts = np.array(slopes) / sum(slopes)
    return (
        np.array([farthest(run, parts) for run in runs]),
        np.concatenate([ratios(run, len(slopes) - 1) for run in runs]).var(),
    )


def lottery_jobs(slopes, arrivals, quanta, rng):
    """When jobs end that come and go, if each quantum goes to the owner of a ticket drawn at random."""
    here, ends, coming = [[] for _ in slopes], np.full(len(arrivals), np.nan), 0
    draws, picks = rng.random(quanta).tolist(), rng.random(quanta).tolist()
    for now in range(quanta):
        while coming < len(arrivals) and arrivals[coming][0] <= now:
            here[arrivals[coming][1]].append([arrivals[coming][2], coming])
            coming += 1
        weights = [slope * len(jobs) for slope, jobs in zip(slopes, here)]
        point, k = draws[now] * sum(weights), 0
        if not sum(weights):
            continue
        while point >= weights[k]:
            point -= weights[k]
            k += 1
        place = int(picks[now] * len(here[k]))
        here[k][place][0] -= 1
        if not here[k][place][0]:
            ends[here[k].pop(place)[1]] = now + 1
    return ends


def window_ratios(arrivals, ends):
    """Mean response times of the first class over the second one's, of jobs that end in windows of 1000 quanta."""
    times, kinds, _ = np.array(arrivals).T
    found = []
    for start in range(5000, 40_000, 1000):
        inside = (ends > start) & (ends <= start + 1000)
        pair = [(ends - times)[inside & (kinds == kind)] for kind in (0, 1)]
        if min(map(len, pair)):
            found.append(pair[0].mean() / pair[1].mean())
    return np.array(found)


def kept(slopes, jobs, quanta, rng, length=50):
    """A lottery whose winner keeps the processor for so many quanta."""
    return np.repeat(proportional.lottery([slope * jobs for slope in slopes], quanta // length, rng), length)


@check("thesis-1-038", wrong=True)
def steadier(wrong=False):
    """Shares so far and ratios of response times; in the control of a lottery with long quanta."""
    rng = np.random.default_rng(380)
    nearer, half, gains = np.zeros((len(SYSTEMS), len(LENGTHS))), np.zeros((len(SYSTEMS), len(LENGTHS))), []
    for k, (slopes, jobs) in enumerate(SYSTEMS):
        drawings, variance = lotteries(slopes, jobs)
        if wrong:
            chosen = kept(slopes, jobs, 20_000, rng)
        else:
            chosen = proportional.time_function([float(slope) for slope in slopes], jobs, 20_000)
        mean, half[k] = interval(drawings)
        nearer[k] = mean - farthest(chosen, np.array(slopes) / sum(slopes))
        gains.append(1 - ratios(chosen, len(slopes) - 1).var() / variance)
    coming, loads = [], (0.5, 0.7, 0.9)
    for load in loads:
        count = int(40_000 * load / 10)
        times = np.sort(rng.integers(0, 40_000, count)).tolist()
        arrivals = list(zip(times, rng.integers(2, size=count).tolist(), rng.geometric(0.1, count).tolist()))
        other = np.mean([window_ratios(arrivals, lottery_jobs((1, 3), arrivals, 40_000, rng)).var() for _ in range(3)])
        if not wrong:
            _, ends = proportional.time_function_jobs((1.0, 3.0), arrivals, 40_000)
        coming.append(0.0 if wrong else 1 - window_ratios(arrivals, ends).var() / other)
    names = [f"slopes {':'.join(map(str, slopes))}, {jobs} jobs" for slopes, jobs in SYSTEMS]
    return conclude(
        at_each("the lottery's deviation of the share so far, less that of time functions,",
                measured(nearer, half, risk=None, system=names, window=LENGTHS), larger()),
        at_each("the part by which the variance of the ratio is lower", exact(gains, system=names), at_least(CLEAR)),
        at_each("that with jobs that come and go", exact(coming, load=loads), at_least(CLEAR)),
    )  # fmt: skip
