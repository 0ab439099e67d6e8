"""Claims of `thesis`, Appendix A, Section A.4: point and interval estimates with batched means."""

import functools
import math

import numpy as np
from scipy import stats

from clustershare.estimates import CONFIDENCE, from_batches, variance_of_mean
from compendium.press.claims import beyond, check, erratum, finding
from pages.share_scheduling.simulation.coverage import batch_coverage, batch_runs, replication_coverage

LOADS = (0.5, 0.8, 0.9, 0.95)
LENGTHS = (10, 100, 1000)  # of a batch, in mean service times
BATCHES = 20
FOUR = 4 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / 1000)  # standard errors of a coverage over 1000 runs


@check("thesis-A-017", stationary=False)
def unbiased(stationary=True):
    """The mean of the batch means in runs that begin in the stationary law; in the control they begin empty."""
    worst = 0.0
    for load in LOADS:
        means = batch_runs(load, 10, BATCHES, 1000, stationary).mean(axis=0)
        worst = max(worst, abs(means.mean() - load / (1 - load)) / (means.std() / math.sqrt(len(means))))
    return finding(f"largest bias {worst:.1f} standard errors", worst <= 3)


@check("thesis-A-018", factor=lambda lag: BATCHES)
def variance_with_covariances(factor=lambda lag: BATCHES - lag):
    """(A.21) against the sum over all pairs of batches, for an autoregression of order 1."""
    gap = 0.0
    for slope in (-0.5, 0.3, 0.9):
        gamma = slope ** np.arange(BATCHES)
        pairs = np.abs(np.subtract.outer(np.arange(BATCHES), np.arange(BATCHES)))
        printed = gamma[0] / BATCHES + 2 * sum(factor(b) * gamma[b] for b in range(1, BATCHES)) / BATCHES**2
        gap = max(gap, abs(printed - gamma[pairs].sum() / BATCHES**2))
    return finding(f"largest difference {gap:.0e}" if gap > 1e-12 else "largest difference below 1e-12", gap < 1e-12)


@check("thesis-A-023", z=None)
def quantile(z=0.0):
    """The inequality has many solutions: with one of them, 0, the interval is empty. The control takes the largest."""
    exact = stats.t.ppf((1 + CONFIDENCE) / 2, BATCHES - 1)
    z = exact if z is None else z
    solves = stats.t.cdf(z, BATCHES - 1) <= (1 + CONFIDENCE) / 2 + 1e-12
    held, best = (2 * stats.t.cdf(value, BATCHES - 1) - 1 for value in (z, exact))
    return erratum(
        f"z = {z:.3g} {'solves' if solves else 'does not solve'} the inequality and covers {held:.2f}; "
        f"equality gives z = {exact:.3f}, which covers {best:.2f}",
        solves and abs(held - CONFIDENCE) < 1e-9, abs(best - CONFIDENCE) < 1e-9,
    )  # fmt: skip


def independent_coverage(divide, batches=BATCHES, runs=20_000):
    """The exact coverage of the interval of independent normal batches, and the simulated one."""
    z = stats.t.ppf((1 + CONFIDENCE) / 2, batches - 1)
    exact = 2 * stats.t.cdf(z / divide, batches - 1) - 1
    estimate = from_batches(np.random.default_rng(22).normal(size=(batches, runs)))
    return exact, float((np.abs(estimate.value) <= estimate.half_width / divide).mean())


@check("thesis-A-031", roots=1)
def root_twice(roots=2):
    """(A.22) with (A.21), as printed, and with the root of B once; the control leaves it out in both."""
    (printed, simulated), (corrected, again) = (
        independent_coverage(BATCHES ** ((roots - 1) / 2)),
        independent_coverage(1.0),
    )
    four = 4 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / 20_000)
    return erratum(
        f"20 independent batches: printed {printed:.3f} (simulated {simulated:.3f}), corrected {corrected:.3f} "
        f"({again:.3f})",
        abs(simulated - CONFIDENCE) < four, abs(again - CONFIDENCE) < four,
    )  # fmt: skip


@check("thesis-A-032", length=10)
def long_batches(length=4_000):
    """Coverage without covariances where batches are long against the memory of the queue."""
    held = batch_coverage(0.5, length, runs=400), batch_coverage(0.8, length, runs=400)
    allowed = 4 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / 400)
    return finding(
        f"batches of {length}: {held[0]:.3f} at load 0.5, {held[1]:.3f} at 0.8",
        all(abs(value - CONFIDENCE) <= allowed for value in held),
    )


@functools.cache
def coverages(lags):
    """Coverage for each load and batch length."""
    return np.array([[batch_coverage(load, length, lags) for length in LENGTHS] for load in LOADS])


@check("thesis-A-033", lengths=1)
def better_intervals(lengths=3):
    """Is the coverage nearer to 95 % with one covariance, at every load and length? The control has short batches."""
    without, one = (np.abs(coverages(lags)[:, :lengths] - CONFIDENCE) for lags in (0, 1))
    worse = one > without + FOUR
    better = one < without - FOUR
    return finding(
        f"nearer to 0.95 in {better.sum()} and farther in {worse.sum()} of {worse.size} cases; at load 0.5 and "
        f"batches of {LENGTHS[lengths - 1]}: {coverages(0)[0, lengths - 1]:.3f} without, "
        f"{coverages(1)[0, lengths - 1]:.3f} with",
        not worse.any(),
    )  # fmt: skip


@check("thesis-A-034", most=0)
def covariance_is_low(most=5):
    """What (A.21) with (A.19) and (A.20) gives on average for independent batches: exactly, and simulated.

    A product of two centred independent batches has mean -1 / B. (A.20) adds up B - b of them. The source calls it an
    estimator and says nothing of its mean.
    """
    rng, lows, off = np.random.default_rng(34), {}, 0.0
    for count in (5, 10, 20, 50):
        samples = rng.normal(size=(count, 100_000))
        for lags in range(min(1, most), min(most, count - 1) + 1):
            low = 1 - 2 * sum((count - b) ** 2 for b in range(1, lags + 1)) / (count**2 * (count - 1))
            values = variance_of_mean(samples, lags) * count
            off = max(off, abs(values.mean() - low) / (values.std() / math.sqrt(values.size)))
            lows[count, lags] = low
    at = min(lows, key=lows.get)
    return beyond(
        f"from {max(lows.values()):.3f} of the true variance down to {lows[at]:.3f} with {at[0]} batches and {at[1]} "
        f"lags; simulated within {off:.1f} standard errors",
        max(lows.values()) < 1 and off <= 4,
    )


@check("thesis-A-035", jumps=200)
def replications_cover(jumps=20_000):
    """The library's own intervals; in the control the runs are short and begin empty."""
    warmup = 10_000 if jumps == 20_000 else 0
    held = [replication_coverage(policy, load, 50, jumps, warmup) for policy in ("FCFS", "GPPS") for load in (0.5, 0.9)]
    allowed = 4 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / 50)
    return finding(f"from {min(held):.3f} to {max(held):.3f}", all(abs(h - CONFIDENCE) <= allowed for h in held))
