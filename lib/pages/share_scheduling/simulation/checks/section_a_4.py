"""Claims of `thesis`, Appendix A, Section A.4: the means of subruns, how they depend on each other, and intervals."""

import itertools
import math

import numpy as np
from scipy import stats
from scipy.linalg import toeplitz

from clustershare.estimates import from_batches, from_replications, variance_of_mean
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import at_most, equal, falls, larger, smaller, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.simulation.coverage import replication_coverage
from pages.share_scheduling.simulation.points import WITHIN_FOUR, mean_of, part_of, sampled
from pages.share_scheduling.simulation.queue import bias, covariances, normal_batches, simulated

LOADS = (0.3, 0.5, 0.8, 0.9, 0.95)
LENGTHS = (1, 10, 100)  # of subruns, in relaxation times
QUEUE = [(load, length) for load in (0.3, 0.5) for length in LENGTHS] + [(0.8, 1)]  # simulated
LAGS = (1, 2, 3, 5)
COUNTS = (2, 3, 5, 10, 20, 50, 100)  # of batches
ALPHAS = (0.1, 0.05, 0.01)
CONFIDENCE = 0.95  # that the library's intervals are said to have


@check("thesis-A-017", transients=(0,))
def unbiased(transients=(0.1, 1, 10, 100)):
    """The mean of 20 subruns of one relaxation time, begun empty; the control discards nothing."""

    def simulated_mean(load, start):
        means = from_batches(simulated(load, 1, 300, stationary=start == "stationary")).value
        return mean_of(means, load / (1 - load) + (0 if start == "stationary" else bias(load, 0, 20)))

    off = grid(load=LOADS[1:], warm_up=transients).measure(lambda load, t: bias(load, t, 20) * (1 - load) / load)
    runs = grid(load=(0.5, 0.8), start=("stationary", "empty")).measure(simulated_mean)
    return conclude(
        at_each("the bias relative to the mean, after so many relaxation times,", off, within(1e-9)),
        aside("the largest bias", off.distance().largest("load")),
        provided=[everywhere("a simulated mean", runs, WITHIN_FOUR)],
    )


def neighbours(load, length, runs=300):
    """The correlation of neighbouring batch means of a queue at load 1, which begins empty, over runs."""
    means = simulated(load, length, runs, stationary=False)
    means = means - means.mean(axis=1, keepdims=True)
    return float((means[:-1] * means[1:]).sum() / (means[1:] ** 2).sum())


@check("thesis-A-032", loads=(1.0,))
def long_batches(loads=LOADS):
    """Correlation of neighbours, and coverage without covariances; the control has no relaxation time."""
    if max(loads) >= 1:
        found = cases("length", (10, 100, 1000)).measure(lambda length: neighbours(1.0, length, 100))
        return conclude(everywhere("the correlation of neighbours", found.at(length=1000), at_most("close")))
    table = {(load, length): covariances(load, length, 20) for load in loads for length in LENGTHS}

    def covered(load, count):
        return part_of(from_batches(normal_batches(tuple(table[load, 100][:count]), 20_000)).contains(0), CONFIDENCE)

    def by_queue(load, count):
        batches = simulated(load, LENGTHS[-1], 300)[:count]
        return part_of(from_batches(batches).contains(load / (1 - load)), CONFIDENCE)

    def correlated(load, length):
        off, gamma = simulated(load, length, 300) - load / (1 - load), table[load, length]
        return mean_of((off[:-1] * off[1:]).mean(axis=0) - gamma[1] / gamma[0] * (off**2).mean(axis=0))

    correlation = grid(load=loads, length=LENGTHS).measure(lambda *case: table[case][1] / table[case][0])
    held = grid(load=loads, size=(2, 5, 20)).measure(covered)
    low = tuple(load for load in loads if load <= 0.5)
    return conclude(
        at_each("the correlation of neighbours, with the length of subruns,", correlation.steps("length"), falls()),
        at_each("that in the longest subruns", correlation.at(length=LENGTHS[-1]), at_most("close")),
        at_each("the coverage there, less 0.95,", held, WITHIN_FOUR),
        aside("the largest correlation", correlation.largest("load")),
        together="load",
        provided=[
            everywhere(
                "that of the queue itself", grid(load=low, number_of_batches=(2, 5, 20)).measure(by_queue), WITHIN_FOUR
            ),
            everywhere("the simulated correlation", grid(load=low, length=LENGTHS).measure(correlated), WITHIN_FOUR),
        ],
    )


def intervals(counts):
    """A clause: the library's interval of batches is Student's quantile times the root of (A.21), with each m."""

    def apart(count, lags):
        batches = np.random.default_rng([31, count]).normal(size=(count, 1000))
        off, half = batches - batches.mean(axis=0), from_batches(batches, lags).half_width
        gamma = [(off[: count - b] * off[b:]).sum(axis=0) / (count - 1) for b in range(lags + 1)]  # (A.19), (A.20)
        variance = gamma[0] / count + 2 * sum((count - b) * gamma[b] for b in range(1, lags + 1)) / count**2
        there = variance > 1e-6
        return np.abs(half[there] / np.sqrt(variance[there]) / stats.t.ppf((1 + CONFIDENCE) / 2, count - 1) - 1).max()

    settings = [(count, lags) for count in counts for lags in range(min(6, count))]
    names = [f"{count} batches, {lags} lags" for count, lags in settings]
    return everywhere("the library's interval and Student's quantile times the root of (A.21), relative to this,",
                      cases("point", settings, names).measure(apart), equal(1e-9))  # fmt: skip


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
        found.append((worse.mean() / stats.sem(worse), nearer / max(stats.sem(holds - held[0]), 1e-9)))
    return found


@check("thesis-A-033", independent=True)
def better_with_covariances(independent=False):
    """Normal batches with the covariances of the queue, and the queue itself; the control's are independent."""
    loads = LOADS[1:] if not independent else LOADS[1:2]

    def batches_of(load, length, count):
        gamma = covariances(load, length, count)
        if independent:
            gamma = np.append(gamma[0], 0 * gamma[1:])
        elif gamma[1] < 0.1 * gamma[0]:
            raise ArithmeticError("These batches are hardly dependent.")
        return gamma, (gamma[0] * count + 2 * (np.arange(count - 1, 0, -1) * gamma[1:]).sum()) / count**2

    def least_gain(length, count):
        """The least gain of both measures over loads, by m; one for the queue itself if it is a loss beyond doubt."""
        found = np.full(len(LAGS), np.inf)
        for load in loads:
            gamma, variance = batches_of(load, length, count)
            found = np.minimum(found, np.min(gains(normal_batches(tuple(gamma), 20_000), variance), axis=1))
            if length == 1 and count < 50 and load in (0.5, 0.8) and not independent:
                queue = np.min(gains(simulated(load, 1, 500)[:count] - load / (1 - load), variance), axis=1)
                found = np.minimum(found, np.where(queue < -4, queue, np.inf))
        return sampled(found, np.ones(len(LAGS)), m=LAGS)

    found = grid(length=(0.1, 0.3, 1, 3) if not independent else (1,), number_of_batches=(10, 20, 50)).measure(
        least_gain
    )
    return conclude(
        at_each("by how many standard errors variance and coverage are better with covariances, for the best m,",
                found.largest("m"), larger()),
        provided=[intervals((10, 20, 50))],
    )  # fmt: skip


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
                off, most = abs(held - (1 - alpha)), SCALE["close"].most * max(held, 1 - alpha)
                clear = None if most - four < off < most + four and not wrong else off <= most
                if queue is not None and clear is not None:
                    far = abs(held_by(queue, lags, alpha, 0, wrong)[0] - (1 - alpha))
                    near = 4 * math.sqrt(alpha * (1 - alpha) / 300)
                    clear = clear if (far <= most + near if clear else far >= most - near) else None
                verdicts.append(clear)
                none = max(none, without)
            if False in verdicts or None not in verdicts:
                holds[load, length, count, lags] = False not in verdicts
            else:
                open_ += 1
    parts = {
        "without covariances, of 100 relaxation times": lambda load, length, count, m: m == 0 and length == 100,
        "without covariances, shorter": lambda load, length, count, m: m == 0 and length < 100,
        "with covariances, 50 batches": lambda load, length, count, m: m > 0 and count == 50,
        "with covariances, fewer batches": lambda load, length, count, m: m > 0 and count < 50,
    }
    chosen = {name: [yes for key, yes in holds.items() if picked(*key)] for name, picked in parts.items()}
    return conclude(
        *(
            at_each(f"subruns {name}: the coverage is close to that of Student's law", exact(truths, case=None))
            for name, truths in chosen.items() if truths
        ),
        aside("cases that are not decided", exact(open_)),
        aside("the largest part of runs without an interval", exact(none)),
        provided=[intervals((5, 10, 20, 50))],
    )  # fmt: skip


@check("thesis-A-042", replications=True)
def dependent(replications=False):
    """Covariance of neighbours by the chain, and simulated; the control has independent replications."""

    def product(load, length):
        off = simulated(load, length, 300) - load / (1 - load)
        return (off[:-1] * (np.roll(off, 1, axis=1) if replications else off)[1:]).mean(axis=0)

    def counted(load, length):
        """What the library counts of neighbours: a sum of products of batches less their mean."""
        off = simulated(load, length, 300) - load / (1 - load)
        count = len(off)
        found = (variance_of_mean(off, 1) - variance_of_mean(off)) * count**2 / 2
        centre, beside = np.eye(count) - 1 / count, np.eye(count, k=1)
        told = np.trace(beside @ centre @ toeplitz(covariances(load, length, count)) @ centre)
        return mean_of(found, told)

    chain = grid(load=(*np.arange(1, 10) / 10, 0.95), length=(0.1, 0.3, 1, 3, 10, 30, 100)).measure(
        lambda load, length: covariances(load, length, 2)[1]
    )
    queue = cases("point", QUEUE, [f"load {load}, length {length}" for load, length in QUEUE])
    at_one = cases("load", [load for load, length in QUEUE if length == 1]).measure(
        lambda load: mean_of(product(load, 1))
    )
    return conclude(
        everywhere("the covariance of neighbours by the chain", chain, larger()),
        everywhere("the simulated one, less that by the chain,",
                   queue.measure(lambda *case: mean_of(product(*case), covariances(*case, 2)[1])), WITHIN_FOUR),
        everywhere("that in subruns of one relaxation time", at_one, larger()),
        everywhere("what the library's estimate counts of neighbours", queue.measure(counted), WITHIN_FOUR),
        whole=True,
    )  # fmt: skip


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
    rng = np.random.default_rng(18)

    def matrices(count):
        place = trend * (np.arange(count) - (count - 1) / 2) / count
        return {name: toeplitz(g) + g[0] * np.outer(place, place) for name, g in autocovariances(count).items()}

    counts = grid(number_of_batches=(2, 3, 5, 10, 20, 50), law=autocovariances(2))
    gaps = counts.measure(
        lambda count, law: weights_of_lags(count) @ matrices(count)[law][0] * count**2 / matrices(count)[law].sum() - 1
    )
    normal = cases("law", autocovariances(2)).measure(
        lambda law: mean_of(
            (np.linalg.cholesky(matrices(20)[law]) @ rng.standard_normal((20, 20_000))).mean(axis=0) ** 2,
            matrices(20)[law].sum() / 400,
        )
    )
    queue = mean_of((simulated(0.5, 1, 300).mean(axis=0) - 1) ** 2, weights_of_lags(20) @ covariances(0.5, 1, 20))
    return conclude(
        everywhere("(A.21) of the true covariances and the variance of the mean", gaps, equal(1e-9)),
        everywhere("the simulated variance of the mean", normal, WITHIN_FOUR),
        everywhere("that of the queue itself", queue, WITHIN_FOUR),
        whole=True,
    )


@check("thesis-A-023", sides=1)
def quantile(sides=2):
    """Coverage of independent normal batches with solutions z of the inequality; the control takes one side."""

    def solutions(count, alpha):
        law = stats.t(count - 1)
        parts, largest = np.array([0, 0.5, 1]), law.ppf(1 - alpha / sides)
        more = 1 - alpha / 2 if sides == 1 else law.cdf(largest * 1.001)
        return {
            "solves": bool(
                (law.cdf(parts * largest) <= 1 - alpha / 2 + 1e-12).all() and more > 1 - alpha / 2 - (sides == 1)
            ),
            "least": (2 * law.cdf(parts * largest) - 1).min(),
            "largest": 2 * law.cdf(largest) - 1 - (1 - alpha),
        }

    def library(count):
        batches = np.random.default_rng(23).normal(size=(count, 20_000))
        estimate = from_batches(batches)
        z = estimate.half_width / np.sqrt(variance_of_mean(batches))
        quantile_off = np.abs(z / stats.t.ppf(1 - (1 - CONFIDENCE) / sides, count - 1) - 1).max()
        return {"quantile": quantile_off, "covers": part_of(estimate.contains(0), CONFIDENCE)}

    found, ours = (
        grid(number_of_batches=range(2, 101), alpha=ALPHAS).measure(solutions),
        cases("number of batches", range(2, 101)).measure(library),
    )
    least = exact(found["least"].value.min() - 1 + max(ALPHAS))
    solves = fact("0, half the largest z and the largest solve the inequality", found["solves"].value.all(),
                  "0, half the largest z and the largest do not all solve the inequality")  # fmt: skip
    return mended(
        everywhere("the least coverage of a solution, and 1 - alpha,", least, equal(1e-9)),
        solves,
        everywhere("the coverage of the largest and 1 - alpha", found["largest"], equal(1e-9)),
        everywhere("the library's z and Student's quantile", ours["quantile"], equal(1e-9)),
        everywhere("the coverage of its interval, less 0.95,", ours["covers"], WITHIN_FOUR),
        aside("the coverage of a solution", found["least"]),
    )


@check("thesis-A-031", times=lambda count: count)
def root_twice(times=lambda count: 1):
    """(A.22) with (A.21), as printed, and with the root of B once; in the control (A.21) is the variance of a batch."""

    def covered(count, alpha):
        law = stats.t(count - 1)
        z = law.ppf(1 - alpha / 2)
        forms = {"printed": math.sqrt(times(count) / count), "corrected": 1.0}
        return {name: 2 * law.cdf(z * root) - 1 - (1 - alpha) for name, root in forms.items()}

    def held(count):
        estimate = from_batches(np.random.default_rng(22).normal(size=(count, 100_000)))
        half = estimate.half_width * math.sqrt(times(count) / count)
        return {"printed": (np.abs(estimate.value) <= half).mean(), "own": part_of(estimate.contains(0), CONFIDENCE)}

    exactly = grid(number_of_batches=COUNTS, alpha=ALPHAS).measure(covered)
    samples = cases("number of batches", COUNTS).measure(held)
    return mended(
        everywhere("the coverage as printed and 1 - alpha", exactly["printed"], equal(1e-9)),
        everywhere("what that is off by", exactly["printed"].distance(), larger(1e-3)),
        everywhere("the coverage with the root of B once and 1 - alpha", exactly["corrected"], equal(1e-9)),
        everywhere("the coverage of the library's interval, less 0.95,", samples["own"], WITHIN_FOUR),
        intervals(COUNTS),
        aside("the coverage as printed, where 0.95 is meant", samples["printed"]),
    )


@check("thesis-A-034", most=0)
def covariance_is_low(most=5):
    """What (A.21) with (A.19) and (A.20) gives on average for independent batches: exactly, and simulated.

    A product of two centred independent batches has mean -1 / B. (A.20) adds up B - b of them. The source calls it an
    estimator and says nothing of its mean.
    """
    rng, settings, whole = np.random.default_rng(34), [], {}
    for count in (5, 10, 20, 50):
        samples = whole[count] = rng.normal(size=(count, 100_000))
        settings += [(count, lags, samples) for lags in range(min(1, most), min(most, count - 1) + 1)]

    def low(count, lags, samples):
        exactly = 1 - 2 * sum((count - b) ** 2 for b in range(1, lags + 1)) / (count**2 * (count - 1))
        return {"exactly": exactly, "simulated": mean_of(variance_of_mean(samples, lags) * count, exactly)}

    found = cases("point", settings, [f"{count} batches, {lags} lags" for count, lags, _ in settings]).measure(low)
    without = cases("number of batches", whole).measure(lambda count: low(count, 0, whole[count])["simulated"])
    return conclude(
        everywhere("the mean of (A.21) less the variance, in parts of it,", found["exactly"] - 1, smaller()),
        everywhere("the simulated mean", found["simulated"], WITHIN_FOUR),
        provided=[everywhere("without lags the simulated mean, which is the variance,", without, WITHIN_FOUR)],
        ours=True,
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

    def covered(policy, load):
        jumps = 10_000 if load == 0.9 else 2_000
        return batches_cover(load) if dependent else replication_coverage(policy, load, STUDIES, jumps, jumps // 2)

    held = grid(policy=POLICIES, load=OWN_LOADS).measure(covered)
    spread = math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / STUDIES)
    off = held.value - CONFIDENCE
    policies, loads = {"policy": POLICIES}, {"load": OWN_LOADS}
    pooled = (off, {**policies, **loads}), (off.mean(axis=1), policies), (off.mean(axis=0), loads), (off.mean(), {})
    return conclude(
        *(
            everywhere("the coverage less 0.95" + (", all together," if not axes else ""),
                       sampled(values, np.full(np.shape(values), spread * math.sqrt(values.size / off.size)), **axes),
                       WITHIN_FOUR)
            for values, axes in pooled
        ),
        ours=True,
    )  # fmt: skip
