"""Claims of `thesis`, Appendix A, Section A.4: the variance of the mean, and the interval made of it."""

import itertools
import math

import numpy as np
from scipy import stats
from scipy.linalg import toeplitz

from clustershare.estimates import CONFIDENCE, from_batches, from_replications, variance_of_mean
from compendium.press.findings import beyond, check, equality, erratum, finding
from pages.share_scheduling.simulation.coverage import replication_coverage
from pages.share_scheduling.simulation.queue import covariances, simulated

COUNTS = (2, 3, 5, 10, 20, 50, 100)  # of batches
ALPHAS = (0.1, 0.05, 0.01)


def spread(runs):
    """The standard error of a coverage of 95 %."""
    return math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / runs)


def weights_of_lags(count):
    """What the library's estimator multiplies each estimated covariance by."""
    samples = np.random.default_rng([18, count]).normal(size=(count, 20))
    centred = samples - samples.mean(axis=0)
    totals = [variance_of_mean(samples, lags) for lags in range(count)]
    weights = []
    for lag, part in enumerate([totals[0], *np.diff(totals, axis=0)]):
        own = (centred[: count - lag] * centred[lag:]).sum(axis=0) / (count - 1)  # (A.19), (A.20)
        weights.append((part @ own) / (own @ own))
    return np.array(weights)


def autocovariances(count):
    """Of autoregressions of order 1 and 2, moving averages and batch means of the queue, at distances below count."""
    lags = np.arange(count)
    laws = {f"AR(1) {slope}": slope**lags for slope in (-0.5, 0.3, 0.9)}
    for first, second in ((0.5, 0.3), (1.2, -0.4)):
        gamma = [1.0, first / (1 - second)]
        while len(gamma) < count:
            gamma.append(first * gamma[-1] + second * gamma[-2])
        laws[f"AR(2) {first} {second}"] = np.array(gamma[:count])
    for terms in ((1, 0.7), (1, -0.4, 0.2)):
        gamma = np.correlate(terms, terms, "full")[len(terms) - 1 :]
        laws[f"MA {terms}"] = np.pad(gamma, (0, count))[:count]
    return laws | {f"queue {load}": covariances(load, 1, count) for load in (0.5, 0.9)}


@check("thesis-A-018", trend=1.0)
def variance_with_covariances(trend=0.0):
    """The weights of the library with the true covariances; in the control runs have a trend, some up, some down."""
    rng, gap, off = np.random.default_rng(18), 0.0, 0.0
    for count in (2, 3, 5, 10, 20, 50):
        weights = weights_of_lags(count)
        place = trend * (np.arange(count) - (count - 1) / 2) / count
        for gamma in autocovariances(count).values():
            matrix = toeplitz(gamma) + gamma[0] * np.outer(place, place)
            exact = matrix.sum() / count**2
            gap = max(gap, abs(weights @ matrix[0] - exact) / exact)
            if count == 20:
                values = (np.linalg.cholesky(matrix) @ rng.standard_normal((count, 20_000))).mean(axis=0) ** 2
                off = max(off, abs(values.mean() - exact) / (values.std() / math.sqrt(values.size)))
    queue = (simulated(0.5, 1, 300).mean(axis=0) - 1) ** 2
    exact = weights_of_lags(20) @ covariances(0.5, 1, 20)
    off = max(off, abs(queue.mean() - exact) / (queue.std() / math.sqrt(queue.size)))
    same = equality(gap, 1e-9).computed
    return finding(f"{same}; simulated within {off:.1f} standard errors", gap <= 1e-9 and off <= 4)


@check("thesis-A-023", sides=1)
def quantile(sides=2):
    """Coverage of independent normal batches with solutions z of the inequality; the control takes one side."""
    gap, low, solved = 0.0, 1.0, True
    for count, alpha in itertools.product(range(2, 101), ALPHAS):
        law = stats.t(count - 1)
        largest = law.ppf(1 - alpha / sides)
        for part in (0, 0.5, 1):
            solved &= bool(law.cdf(part * largest) <= 1 - alpha / 2 + 1e-12)
            low = min(low, 2 * law.cdf(part * largest) - 1)
        solved &= sides == 1 or bool(law.cdf(largest * 1.001) > 1 - alpha / 2)
        gap = max(gap, abs(2 * law.cdf(largest) - 1 - (1 - alpha)))
    off = 0.0
    for count in (2, 20):
        batches = np.random.default_rng(23).normal(size=(count, 20_000))
        estimate = from_batches(batches)
        z = estimate.half_width / np.sqrt(variance_of_mean(batches))
        gap = max(gap, float(np.abs(z / stats.t.ppf(1 - (1 - CONFIDENCE) / sides, count - 1) - 1).max()))
        off = max(
            off, abs(estimate.contains(0).mean() - CONFIDENCE) / math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / 20_000)
        )
    return erratum(
        f"z = 0, half the largest z and the largest {'solve' if solved else 'do not all solve'} the inequality; they "
        f"cover from {low:.2f} on; the largest, which is that of the equation, 1 - alpha"
        + (" within 1e-9" if gap <= 1e-9 else f" but for {gap:.2f}"),
        solved and abs(low - 1 + max(ALPHAS)) <= 1e-9, solved and gap <= 1e-9 and off <= 4,
    )  # fmt: skip


@check("thesis-A-031", times=lambda count: count)
def root_twice(times=lambda count: 1):
    """(A.22) with (A.21), as printed, and with the root of B once; in the control (A.21) is the variance of a batch."""
    printed, corrected, held, covers = [], 0.0, [], []
    for count, alpha in itertools.product(COUNTS, ALPHAS):
        law = stats.t(count - 1)
        z = law.ppf(1 - alpha / 2)
        printed.append(abs(2 * law.cdf(z * math.sqrt(times(count) / count)) - 1 - (1 - alpha)))
        corrected = max(corrected, abs(2 * law.cdf(z) - 1 - (1 - alpha)))
    for count in COUNTS:
        estimate = from_batches(np.random.default_rng(22).normal(size=(count, 100_000)))
        half = estimate.half_width * math.sqrt(times(count) / count)
        held.append(float((np.abs(estimate.value) <= half).mean()))
        covers.append(float(estimate.contains(0).mean()))
    four = 4 * spread(100_000)
    right = corrected <= 1e-9 and np.abs(np.array(covers) - CONFIDENCE).max() <= four
    return erratum(
        f"for 2, 20 and 100 independent batches the 95 % interval as printed covers {held[0]:.2f}, {held[4]:.2f}, "
        f"{held[-1]:.2f}; corrected ones {'1 - alpha' if right else f'as little as {min(covers):.2f}'}",
        max(printed) <= 1e-9, min(printed) > 1e-3 and right,
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


POLICIES, OWN_LOADS = ("FCFS", "PS", "GPPS", "PQ"), (0.3, 0.5, 0.9)
STUDIES = 100


def batches_cover(load):
    """The same interval from five short batches of one run."""
    batches = simulated(load, 1, 300)[:5]
    return float(from_replications(batches).contains(load / (1 - load)).mean())


@check("thesis-A-035", dependent=True)
def replications_cover(dependent=False):
    """The library's own intervals; the control makes them from five short batches of one run."""
    held = np.empty((len(POLICIES), len(OWN_LOADS)))
    for (row, policy), (column, load) in itertools.product(enumerate(POLICIES), enumerate(OWN_LOADS)):
        jumps = 10_000 if load == 0.9 else 2_000
        held[row, column] = (
            batches_cover(load) if dependent else replication_coverage(policy, load, STUDIES, jumps, jumps // 2)
        )
    policies, loads = held.mean(axis=1), held.mean(axis=0)
    pooled = ((held, 1), (policies, len(OWN_LOADS)), (loads, len(POLICIES)), (held.mean(), held.size))
    return beyond(
        f"{held.mean():.3f} of all; by loads {loads.min():.3f} to {loads.max():.3f}, by policies {policies.min():.3f} "
        f"to {policies.max():.3f}",
        all(np.abs(values - CONFIDENCE).max() <= 4 * spread(many * STUDIES) for values, many in pooled),
    )
