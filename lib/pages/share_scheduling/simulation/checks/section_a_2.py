"""Claims of `thesis`, Appendix A, Section A.2: what the tests of random numbers can say."""

import functools
import inspect
import itertools
import math

import numpy as np
from scipy import stats

from clustershare import randomness
from clustershare.randomness import PERCENTILES
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, mended
from compendium.press.clauses.conditions import at_most, equal, larger
from compendium.press.findings import check, difference
from compendium.press.words import SCALE
from pages.share_scheduling.simulation.points import WITHIN_FOUR, sampled
from pages.share_scheduling.simulation.tables import SEEDS, TABLES

NEARLY = SCALE["very close"].most
UNLUCKY = 1.95  # the 99.9 % level of sqrt(n) times the distance of two laws, one of n samples
SAMPLES, NUMBERS, BINS = 20_000, 100, 10


def distance(values, weights, degrees):
    """The largest distance of a law from the chi-square one, and the largest at the usual levels."""
    order = np.argsort(values)
    values, below = values[order], np.cumsum(weights[order])
    exact = stats.chi2.cdf(values, degrees)
    last = np.append(np.diff(values) > 1e-9, True)  # of equal values
    jumps = np.append(0, below[last])
    worst = max(np.abs(jumps[1:] - exact[last]).max(), np.abs(jumps[:-1] - exact[last]).max())
    at = np.searchsorted(values, stats.chi2.ppf(PERCENTILES, degrees), side="right")
    return worst, np.abs(np.append(0, below)[at] - PERCENTILES).max()


def law_of_v(rng, n, p):
    """Values of the library's statistic, their probabilities, and whether they are (A.5) as printed.

    Every outcome for up to 3 categories, else samples.
    """
    if len(p) > 3:
        counts, weights = rng.multinomial(n, p, size=SAMPLES), np.full(SAMPLES, 1 / SAMPLES)
    else:
        counts = np.arange(n + 1)[:, None]
        if len(p) == 3:
            first, second = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
            counts = np.stack([first, second], axis=-1)[first + second <= n]
        counts = np.hstack([counts, n - counts.sum(axis=1, keepdims=True)])
        weights = stats.multinomial.pmf(counts, n, p)
    values = randomness.chi_square(counts, p)
    return values, weights, np.allclose(values, ((counts - n * p) ** 2 / (n * p)).sum(axis=1), rtol=1e-9, atol=1e-9)


def overlapping(rng, n):
    """The statistic of n pairs that overlap, of two kinds of numbers."""
    kinds = rng.integers(0, 2, (SAMPLES, n + 1), dtype=np.int8)
    counts = np.stack([(kinds[:, :-1] * 2 + kinds[:, 1:] == pair).sum(axis=1) for pair in range(4)], axis=1)
    return randomness.chi_square(counts, np.full(4, 0.25)), np.full(SAMPLES, 1 / SAMPLES), True


@check("thesis-A-014", right=False)
def chi_square_law(right=True):
    """The control takes k degrees of freedom, and pairs that overlap."""
    rng, same = np.random.default_rng(14), []
    kinds = [(k, law) for k in (2, 3, 4, 5, 10, 20) for law in ("equal", "random")] + [(4, "pairs")] * (not right)

    def off(k, law):
        """How far the law is from the chi-square one at 100 times, at the usual levels, and whether it came nearer."""
        p = np.full(k, 1 / k) if law != "random" else 1 / (3 * k) + 2 / 3 * rng.dirichlet(np.ones(k))
        found = []
        for many in (1, 10, 100):
            n = math.ceil(many / p.min())
            values, weights, printed = overlapping(rng, n) if law == "pairs" else law_of_v(rng, n, p)
            same.append(printed)
            found.append(distance(values, weights, k if not right and law != "pairs" else k - 1))
        allowed = UNLUCKY / math.sqrt(SAMPLES) if k > 3 else 0
        nearer = all(after[0] < before[0] + (allowed if before[0] < NEARLY else 0)
                     for before, after in itertools.pairwise(found))  # fmt: skip
        far, at_levels = found[-1]
        return {"nearly": nearer and far <= NEARLY + allowed, "far": far, "levels": at_levels}

    percentiles = cases("k", (2, 3, 4, 5, 10, 20)).measure(
        lambda k: difference(stats.chi2.cdf(randomness.chi_square_percentiles(k - 1), k - 1), PERCENTILES)
    )
    names = [f"k = {k} ({law})" for k, law in kinds]
    found = cases("number of categories", kinds, names, seed=14).measure(off)
    return conclude(
        at_each("V has nearly the chi-square law, the nearer the more numbers,", found["nearly"]),
        aside("the distance of the laws at 100 times", found["far"]),
        aside("their distance at the usual levels", found["levels"]),
        provided=[
            fact("V is (A.5)", all(same), "V is not (A.5)"),
            everywhere(
                "the library's percentiles of k - 1 degrees of freedom and those of that law", percentiles, equal(1e-9)
            ),
        ],
    )


@check("thesis-A-021", longest=7)
def few_gaps(longest=32):
    """Numbers in each chi-square test against 5 over the least probability; the control joins all gaps from 7 on."""
    law, rng = randomness.gap_probabilities(longest=longest), np.random.default_rng(21)
    laws = {"equidistribution": (100, np.full(10, 0.1)), "serial": (1000, np.full(100, 0.01)), "gap": (100, law),
            "coupon": (1000, randomness.coupon_probabilities())}  # fmt: skip

    def off(name):
        n, p = laws[name]
        values = randomness.chi_square(rng.multinomial(n, p, size=20_000), p)
        ideal = randomness.observed_frequencies(values, stats.chi2.ppf(PERCENTILES, len(p) - 1))
        return np.abs(ideal - PERCENTILES).max()

    said = {
        "equidistribution": (1000, 100, 10),
        "serial": (500, 1000, 10),
        "gap": (100, 100, 0.1, 32),
        "coupon": (100, 1000, 3, 6),
    }  # tests, numbers to each, and what makes the categories
    taken = {test: tuple(each.default for name, each in inspect.signature(getattr(randomness, f"{test}_test"))
                         .parameters.items() if name != "u") for test in said}  # fmt: skip
    gaps = randomness.gap_probabilities() - np.append(0.1 * 0.9 ** np.arange(32), 0.9**32)
    coupons = laws["coupon"][1] - np.array([18, 18, 14, 31]) / 81
    tests = cases("test", laws)
    numbers = tests.measure(lambda name: laws[name][0] * laws[name][1].min())
    return conclude(
        everywhere("fewer numbers than the rule of thumb asks for, just if the test is that of gaps,",
                   tests.measure(lambda name: (numbers.at(test=name).value < 5 * (1 - 1e-9)) == (name == "gap"))),
        aside("the least expected number in a category, of which 5 are asked for", numbers),
        aside("the frequencies of ideal numbers are off the levels by up to", tests.measure(off)),
        provided=[
            everywhere("the library's law of gaps and that of the text", exact(gaps, length=None), equal(1e-15)),
            everywhere("its law of coupons and that of the text", exact(coupons, length=None), equal(1e-15)),
            fact("its tests are of as many numbers and categories as those of the text", taken == said,
                 "its tests are not of as many numbers or categories as those of the text"),
        ],
        ours=True,
    )  # fmt: skip


def largest_over_x(sample, sign, limits):
    """The largest sign (F_n - F) over all x by trying each observation, and with `limits` each limit from the left."""
    ordered, n = np.sort(sample), len(sample)
    at = np.searchsorted(ordered, ordered, side="right") / n
    left = np.searchsorted(ordered, ordered, side="left") / n
    tried = [sign * (at - ordered)] + [sign * (left - ordered)] * limits
    # At the ends F_n and F are equal, so that 0 is taken there.
    return max(0.0, *(float(values.max()) for values in tried))


@check("thesis-A-027", sign=1)
def suprema(sign=-1):
    """Is the largest difference over all x taken at some x? That of Table A.2, and in random samples."""
    rng, table = np.random.default_rng(27), randomness.uniforms(SEEDS[1], 100_000).reshape(1000, 100)
    samples = [*table, *(rng.random(rng.integers(1, 1001)) for _ in range(200))]
    taken = np.array([largest_over_x(sample, sign, False) for sample in samples])
    approached = np.array([largest_over_x(sample, sign, True) for sample in samples])

    def off(largest, which):
        library = [float(randomness.kolmogorov_smirnov_test(one, 1, len(one))[which < 0][0]) for one in samples]
        return exact(np.abs(np.sqrt([len(one) for one in samples]) * largest - library).max())

    plus = np.array([[largest_over_x(sample, 1, limits) for sample in samples] for limits in (False, True)])
    missed = cases("rule", ("maximum", "supremum")).measure(
        lambda rule: np.abs(
            randomness.observed_frequencies(
                10 * (taken if rule == "maximum" else approached)[:1000], randomness.kolmogorov_smirnov_percentiles(100)
            )
            - TABLES["A.2+" if sign > 0 else "A.2-"]
        ).max()
    )
    return mended(
        everywhere("the supremum and the largest value taken", exact(approached - taken, sample=None), equal(1e-12)),
        everywhere("the difference of Table A.2 to that with the maximum", missed.at(rule="maximum"), larger(0.005)),
        everywhere("the difference to that with the supremum", missed.at(rule="supremum"), at_most(0.005 + 1e-9)),
        everywhere("the supremum and the library's statistic", off(approached, sign), equal(1e-9)),
        everywhere("the supremum of K+ and the largest one taken", exact(plus[1] - plus[0], sample=None), equal(1e-12)),
        everywhere("that and the library's K+", off(plus[0], 1), equal(1e-9)),
    )


def by_hand(n, x):
    """P[K <= x] for one and two observations."""
    d = np.clip(x / math.sqrt(n), 0, 1)
    return d if n == 1 else np.where(d >= 0.5, 1 - (1 - d) ** 2, d + d**2)


LAWS = {
    "uniform": lambda rng, size: rng.random(size),
    "exponential": lambda rng, size: -np.expm1(-rng.standard_exponential(size)),
    "normal": lambda rng, size: stats.norm.cdf(rng.standard_normal(size)),
    "dice": lambda rng, size: rng.integers(1, 7, size) / 6,
}


@check("thesis-A-037", laws=("dice",), maximum=True)
def one_law_of_both(laws=("uniform", "exponential", "normal"), maximum=False):
    """K+ and K- of samples, each through its own F; the control throws dice, and takes the maximum of (A.8)."""
    rng, levels = np.random.default_rng(37), np.array(PERCENTILES)
    percentiles = {n: randomness.kolmogorov_smirnov_percentiles(n) for n in (1, 2, 5, 10, 30, 100)}

    def off(n, law):
        found = randomness.kolmogorov_smirnov_test(LAWS[law](rng, SAMPLES * n), SAMPLES, n)
        if maximum:
            found = found[0], np.maximum(found[1] - 1 / math.sqrt(n), 0)
        value = [randomness.observed_frequencies(values, percentiles[n]) for values in found]
        error = np.sqrt(levels * (1 - levels) / SAMPLES)
        return sampled(value - levels, [error, error], statistic=("K+", "K-"), level=PERCENTILES)

    by_hand_too = cases("n", (1, 2)).measure(lambda n: np.abs(by_hand(n, percentiles[n]) - levels).max())
    apart = np.abs(stats.ksone.cdf(percentiles[1] / 10, 100) - levels).max()
    return conclude(
        everywhere("the frequency", grid(n=percentiles, law=laws).measure(off), WITHIN_FOUR),
        everywhere("the distance of the laws for n = 1 and 100", exact(apart), larger(NEARLY)),
        everywhere("the exact law and that by hand", by_hand_too, equal(1e-9)),
        whole=True,
    )


def numbers_of(kind, rng):
    """Samples of 100 numbers, by rows."""
    u = rng.random((SAMPLES, NUMBERS))
    if kind == "heavy bin":  # one of ten has 0.15
        return np.where(rng.random(u.shape) < 1 / 18, 0.3 + 0.1 * u, u)
    if kind in ("shifted up", "shifted down"):
        return u ** (0.85 if kind == "shifted up" else 1 / 0.85)
    if kind == "stratified":
        return (np.arange(NUMBERS) + u) / NUMBERS
    if kind == "low discrepancy":
        return (u[:, :1] + np.arange(NUMBERS) * (np.sqrt(5) - 1) / 2) % 1
    return u


@functools.cache
def values_of(kind, seed):
    """V, K+ and K- of each sample."""
    u = numbers_of(kind, np.random.default_rng([40, seed])).ravel()
    v = randomness.equidistribution_test(u, SAMPLES, NUMBERS, BINS)
    return dict(zip(("V", "K+", "K-"), (v, *randomness.kolmogorov_smirnov_test(u, SAMPLES, NUMBERS))))


def direction(statistic, kind):
    """1 if the density under the hypothesis over that of the kind falls along the tenths, -1 if it rises, else 0."""
    null, other = values_of("hypothesis", 0)[statistic], values_of(kind, 1)[statistic]
    edges = np.unique(np.quantile(null, np.linspace(0, 1, 11)[1:-1]))
    expected, found = (np.bincount(np.searchsorted(edges, v), minlength=len(edges) + 1) for v in (null, other))
    there = np.flatnonzero(found)
    if len(there) == 1:  # all in the last tenth, or in the first
        return {len(edges): 1, 0: -1}.get(int(there[0]), 0)
    steps = np.sign(np.diff((found / expected)[there[0] : there[-1] + 1]))
    return int(steps[0]) if (steps == steps[0]).all() else 0


@check("thesis-A-040", wrong=("hypothesis",))
def higher_less_likely(wrong=("heavy bin", "shifted up", "shifted down")):
    """Wrong laws, and numbers that are too even; in the control the hypothesis is true."""
    statistics = ("V", "K+", "K-")
    wrong_laws = grid(statistic=statistics, numbers=wrong)
    too_even = grid(statistic=statistics, numbers=("stratified", "low discrepancy"))
    return conclude(
        at_each("the higher, the less likely", wrong_laws.measure(lambda *case: direction(*case) == 1)),
        aside("the direction, 1 if the higher the less likely, with wrong laws", wrong_laws.measure(direction)),
        aside("with numbers that are too even", too_even.measure(direction)),
    )
