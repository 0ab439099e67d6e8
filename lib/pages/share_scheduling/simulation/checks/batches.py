"""Claims of `thesis`, Appendix A, Section A.4: the means of subruns, how they depend on each other, and what to do."""

import itertools
import math

import numpy as np
from scipy import stats

from clustershare.estimates import CONFIDENCE, from_batches, variance_of_mean
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.simulation.queue import bias, covariances, normal_batches, simulated

LOADS = (0.3, 0.5, 0.8, 0.9, 0.95)
LENGTHS = (1, 10, 100)  # of subruns, in relaxation times
QUEUE = [(load, length) for load in (0.3, 0.5) for length in LENGTHS] + [(0.8, 1)]  # simulated
SMALL = SCALE["close"].most
LAGS = (1, 2, 3, 5)


def errors(values):
    """The standard error of the mean of independent values, in the last axis."""
    return np.std(values, axis=-1, ddof=1) / math.sqrt(np.shape(values)[-1])


@check("thesis-A-017", transients=(0,))
def unbiased(transients=(0.1, 1, 10, 100)):
    """The mean of 20 subruns of one relaxation time, begun empty; the control discards nothing."""
    off = {(load, t): bias(load, t, 20) * (1 - load) / load for load in LOADS[1:] for t in transients}
    worst = [max(abs(off[load, t]) for load in LOADS[1:]) for t in transients]
    inside = True
    for load, stationary in itertools.product((0.5, 0.8), (True, False)):
        means = simulated(load, 1, 300, stationary=stationary).mean(axis=0)
        expected = load / (1 - load) + (0 if stationary else bias(load, 0, 20))
        inside &= abs(means.mean() - expected) <= 4 * errors(means)
    said = ", ".join(f"{w:.0e} after {t}" if w > 1e-9 else f"none after {t}" for w, t in zip(worst, transients))
    return over_domain(
        f"largest bias relative to the mean: {said} relaxation times; none from a stationary start; simulated "
        f"{'inside' if inside else 'outside'} 4 standard errors",
        [inside and abs(value) <= 1e-9 for value in off.values()],
    )


def neighbours(load, length, runs=300):
    """The correlation of neighbouring batch means of a queue at load 1, which begins empty, over runs."""
    means = simulated(load, length, runs, stationary=False)
    means = means - means.mean(axis=1, keepdims=True)
    return float((means[:-1] * means[1:]).sum() / (means[1:] ** 2).sum())


@check("thesis-A-032", loads=(1.0,))
def long_batches(loads=LOADS):
    """Correlation of neighbours, and coverage without covariances; the control has no relaxation time."""
    four = 4 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE))
    if max(loads) >= 1:
        found = [neighbours(1.0, length, 100) for length in (10, 100, 1000)]
        return finding(f"at load 1: {', '.join(f'{value:.2f}' for value in found)}", found[-1] <= SMALL)
    table = {load: [covariances(load, length, 20) for length in LENGTHS] for load in loads}
    correlation = np.array([[g[1] / g[0] for g in rows] for rows in table.values()])
    held, queue, inside = [], [], True
    for load, count in itertools.product(loads, (2, 5, 20)):
        batches = normal_batches(tuple(table[load][-1][:count]), 20_000)
        held.append(from_batches(batches).contains(0).mean())
        if load <= 0.5:
            estimate = from_batches(simulated(load, LENGTHS[-1], 300)[:count])
            queue.append(estimate.contains(load / (1 - load)).mean())
    for load, length in QUEUE[:6]:
        off = simulated(load, length, 300) - load / (1 - load)
        gamma = table[load][LENGTHS.index(length)]
        residual = (off[:-1] * off[1:]).mean(axis=0) - gamma[1] / gamma[0] * (off**2).mean(axis=0)
        inside &= abs(residual.mean()) <= 4 * errors(residual)
    holds = (
        (np.diff(correlation, axis=1) < 0).all(axis=1)
        & (correlation[:, -1] <= SMALL)
        & (np.abs(np.reshape(held, (len(loads), 3)) - CONFIDENCE) <= four / math.sqrt(20_000)).all(axis=1)
    )
    right = inside and (np.abs(np.array(queue) - CONFIDENCE) <= four / math.sqrt(300)).all()
    said = ", ".join(f"{column.max():.3f}" for column in correlation.T)
    return over_domain(
        f"correlation of neighbours at most {said} with subruns of 1, 10, 100 relaxation times; coverage there "
        f"{min(held):.3f} to {max(held):.3f}, of the queue itself from {min(queue):.2f}",
        holds & right,
    )


def gains(batches, variance):
    """By how many standard errors the variance estimate and the coverage are better with each m than without."""
    z, mean = stats.t.ppf((1 + CONFIDENCE) / 2, len(batches) - 1), np.abs(batches.mean(axis=0))
    estimates = [variance_of_mean(batches, lags) for lags in (0, *LAGS)]
    with np.errstate(invalid="ignore"):
        held = [(mean <= z * np.sqrt(estimate)).astype(float) for estimate in estimates]
    found = []
    for estimate, holds in zip(estimates[1:], held[1:]):
        worse = (estimates[0] - variance) ** 2 - (estimate - variance) ** 2
        nearer = abs(held[0].mean() - CONFIDENCE) - abs(holds.mean() - CONFIDENCE)
        found.append((worse.mean() / errors(worse), nearer / max(errors(holds - held[0]), 1e-9)))
    return found


@check("thesis-A-033", independent=True)
def better_with_covariances(independent=False):
    """Normal batches with the covariances of the queue, and the queue itself; the control's are independent."""
    holds, best, against = {}, {}, []
    lengths = (0.1, 0.3, 1, 3) if not independent else (1,)
    for length, count in itertools.product(lengths, (10, 20, 50)):
        gain = []
        for load in LOADS[1:] if not independent else LOADS[1:2]:
            gamma = covariances(load, length, count)
            if independent:
                gamma = np.append(gamma[0], 0 * gamma[1:])
            elif gamma[1] < 0.1 * gamma[0]:
                raise ArithmeticError("These batches are hardly dependent.")
            variance = (gamma[0] * count + 2 * (np.arange(count - 1, 0, -1) * gamma[1:]).sum()) / count**2
            batches = normal_batches(tuple(gamma), 20_000)
            gain.append(gains(batches, variance))
            if length == 1 and count < 50 and load in (0.5, 0.8) and not independent:
                queue = simulated(load, 1, 500)[:count] - load / (1 - load)
                against.append([min(gain) for gain in gains(queue, variance)])
        good = (np.array(gain) > 4).all(axis=(0, 2))
        if length == 1 and count < 50 and against:
            good &= (np.array(against[-2:]) > -4).all(axis=0)
        holds[length, count] = good.any()
        best[length, count] = [lags for lags, yes in zip(LAGS, good) if yes]
    always = sorted(set(LAGS).intersection(*best.values()))
    missed = [f"{length:g} with B = {count}" for (length, count), yes in holds.items() if not yes]
    return over_domain(
        f"better by both measures in {sum(holds.values())} of {len(holds)} cases; in all of them with m = "
        f"{', '.join(map(str, always)) or 'none'}; with no m at lengths {'; '.join(missed) or 'none'}",
        list(holds.values()),
    )


def held_by(batches, lags, alpha, theta, normal):
    """The fraction of runs whose interval holds the mean, and of those that have none."""
    count = len(batches)
    z = stats.norm.ppf(1 - alpha / 2) if normal else stats.t.ppf(1 - alpha / 2, count - 1)
    variance = variance_of_mean(batches, lags)
    with np.errstate(invalid="ignore"):
        return float((np.abs(batches.mean(axis=0) - theta) <= z * np.sqrt(variance)).mean()), (variance < 0).mean()


@check("thesis-A-041", wrong=True)
def students_law(wrong=False):
    """Coverage with each m, for three levels; the control begins empty, and takes z from the normal law."""
    holds, open_, none = {}, 0, 0.0
    systems = itertools.product(LOADS, LENGTHS, (5, 10, 20, 50)) if not wrong else [(0.95, 1, 5)]
    for load, length, count in systems:
        if wrong:
            batches = simulated(load, length, 300, 5, stationary=False) - load / (1 - load)
        else:
            batches = normal_batches(tuple(covariances(load, length, count)), 5000)
        queue = None
        if (load, length) in QUEUE and count <= 20:
            queue = simulated(load, length, 300)[:count] - load / (1 - load)
        for lags in range(min(6, count)):
            verdicts = []
            for alpha in (0.1, 0.05, 0.01):
                held, without = held_by(batches, lags, alpha, 0, wrong)
                four = 4 * math.sqrt(alpha * (1 - alpha) / batches.shape[1])
                off = abs(held - (1 - alpha))
                clear = None if SMALL - four < off < SMALL + four and not wrong else off <= SMALL
                if queue is not None and clear is not None:
                    far = abs(held_by(queue, lags, alpha, 0, wrong)[0] - (1 - alpha))
                    near = 4 * math.sqrt(alpha * (1 - alpha) / 300)
                    clear = clear if (far <= SMALL + near if clear else far >= SMALL - near) else None
                verdicts.append(clear)
                none = max(none, without)
            if False in verdicts or None not in verdicts:
                holds[load, length, count, lags] = False not in verdicts
            else:
                open_ += 1
    parts = {name: [yes for key, yes in holds.items() if picked(*key)] for name, picked in {
        "m = 0, 100 relaxation times": lambda load, length, count, m: m == 0 and length == 100,
        "m = 0, shorter": lambda load, length, count, m: m == 0 and length < 100,
        "m > 0, B = 50": lambda load, length, count, m: m > 0 and count == 50,
        "m > 0, B below": lambda load, length, count, m: m > 0 and count < 50,
    }.items()}  # fmt: skip
    said = "; ".join(f"{name}: {sum(part)} of {len(part)}" for name, part in parts.items() if part)
    return over_domain(
        f"within 0.05: {said}; {open_} not decided; up to {none:.2f} of the runs have no interval", list(holds.values())
    )


@check("thesis-A-042", replications=True)
def dependent(replications=False):
    """Covariance of neighbours by the chain, and simulated; the control has independent replications."""
    loads = (*np.arange(1, 10) / 10, 0.95)
    least = min(covariances(load, length, 2)[1] for load in loads for length in (0.1, 0.3, 1, 3, 10, 30, 100))
    gap, clear = 0.0, []
    for load, length in QUEUE:
        off = simulated(load, length, 300) - load / (1 - load)
        following = np.roll(off, 1, axis=1) if replications else off
        products = (off[:-1] * following[1:]).mean(axis=0)
        expected = 0.0 if replications else covariances(load, length, 2)[1]
        gap = max(gap, abs(products.mean() - expected) / errors(products))
        if length == 1:
            clear.append(products.mean() > 4 * errors(products))
    return finding(
        f"above 0 at every load and length by the chain; simulated within {gap:.1f} standard errors of "
        f"{'0' if replications else 'it'}; at 1 relaxation time "
        f"{'clearly' if all(clear) else 'not clearly'} above 0",
        not replications and least > 0 and gap <= 4 and all(clear),
    )
