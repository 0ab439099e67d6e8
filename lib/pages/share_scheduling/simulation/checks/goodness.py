"""Claims of `thesis`, Appendix A, Sections A.2 and A.3: what the tests of random numbers can say."""

import itertools
import math
from fractions import Fraction

import numpy as np
from scipy import stats

from clustershare import randomness
from clustershare.randomness import PERCENTILES
from compendium.press.findings import beyond, check, erratum, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.simulation.tables import SEEDS, TABLES

NEARLY = SCALE["very close"].most
UNLUCKY = 1.95  # the 99.9 % level of sqrt(n) times the distance of two laws, one of n samples
SAMPLES = 20_000


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
    rng, holds, far, levels, same = np.random.default_rng(14), {}, {}, {}, True
    systems = [(k, law) for k in (2, 3, 4, 5, 10, 20) for law in ("equal", "random")] + [(4, "pairs")] * (not right)
    for k, law in systems:
        p = np.full(k, 1 / k) if law != "random" else 1 / (3 * k) + 2 / 3 * rng.dirichlet(np.ones(k))
        found = []
        for many in (1, 10, 100):
            n = math.ceil(many / p.min())
            values, weights, printed = overlapping(rng, n) if law == "pairs" else law_of_v(rng, n, p)
            same &= printed
            found.append(distance(values, weights, k if not right and law != "pairs" else k - 1))
        allowed = UNLUCKY / math.sqrt(SAMPLES) if k > 3 else 0
        far[k, law], levels[k, law] = found[-1][0], found[-1][1]
        falls = all(after[0] < before[0] + (allowed if before[0] < NEARLY else 0)
                    for before, after in itertools.pairwise(found))  # fmt: skip
        holds[k, law] = falls and far[k, law] <= NEARLY + allowed
    missed = [f"{k} ({law}: {far[k, law]:.2f})" for k, law in systems if not holds[k, law]]
    return over_domain(
        f"at 100 times, at most {max(far.values()):.2f} from it, at the usual levels {max(levels.values()):.2f}; "
        f"not nearly for k = {', '.join(missed) or 'none'}",
        [same and good for good in holds.values()],
    )


def stirling(n, k):
    """Ways to divide n things into k sets that are not empty."""
    if n == 0 or k == 0:
        return int(n == k)
    return k * stirling(n - 1, k) + stirling(n - 1, k - 1)


@check("thesis-A-015", types=4)
def coupon_law(types=3):
    """Inclusion and exclusion, Knuth's formula, and a count of all sequences of five."""
    formula = [math.factorial(types) / types**r * stirling(r - 1, types - 1) for r in range(types, 6)]
    formula.append(1 - math.fsum(formula))
    counted = np.zeros(len(formula))
    for sequence in itertools.product(range(types), repeat=5):
        length = next((r for r in range(types, 6) if len(set(sequence[:r])) == types), 6)
        counted[length - types] += 1 / types**5
    law = randomness.coupon_probabilities(types)
    gap = max(np.abs(law - formula).max(), np.abs(law - counted).max())
    said = " ".join(f"{81 * value:.6g}/81" for value in law)
    return finding(said, gap < 1e-12 and said == "18/81 18/81 14/81 31/81")


def counted_gaps(width, longest=12):
    """The law of the numbers outside an interval before the next one inside, in fractions, from all words."""
    law = [Fraction(0)] * (longest + 1)
    for word in itertools.product((True, False), repeat=longest):
        weight = math.prod((width if inside else 1 - width) for inside in word)
        law[word.index(True) if True in word else longest] += weight
    return np.array(law, dtype=float)


@check("thesis-A-016", distances=True)
def gap_law(distances=False):
    """A gap of i numbers in between; the control counts the distance of two occurrences, one more."""
    rng, wrong, right, off, sums = np.random.default_rng(16), 0.0, 0.0, 0.0, []
    for width in (Fraction(1, 20), Fraction(1, 10), Fraction(3, 10), Fraction(1, 2)):
        w, lengths = float(width), np.arange(41)
        printed = np.append(w, w * (1 - w) ** (lengths[1:] - 1))
        library = randomness.gap_probabilities(w, 41)
        counted = counted_gaps(width)
        if distances:  # of 1 at least
            wrong = max(wrong, np.abs(printed[1:13] - counted[:12]).max())
        else:
            wrong = max(wrong, np.abs(printed[:12] - counted[:12]).max())
        right = max(right, np.abs(library[:12] - counted[:12]).max(), abs(library.sum() - 1))
        inside = np.flatnonzero(rng.random(math.ceil(1.01e6 / w)) < w)
        gaps = np.minimum(np.diff(inside)[:1_000_000] - 1, 41)
        error = np.sqrt(library * (1 - library) / len(gaps))
        off = max(off, (np.abs(np.bincount(gaps, minlength=42) / len(gaps) - library) / np.maximum(error, 1e-9)).max())
        sums.append(printed[:32].sum() + (1 - w) ** 32)
    return erratum(
        f"printed probabilities are up to {wrong:.3f} off and sum to {sums[1]:.3f}, with other widths to up to "
        f"{max(sums):.3f}; corrected ones {'equal' if right < 1e-12 else f'{right:.2g} off'}, ideal gaps within "
        f"{off:.1f} standard errors",
        wrong < 1e-12, right < 1e-12 and off < 4,
    )  # fmt: skip


@check("thesis-A-021", longest=7)
def few_gaps(longest=32):
    """Numbers in each chi-square test against 5 over the least probability; the control joins all gaps from 7 on."""
    law, rng = randomness.gap_probabilities(longest=longest), np.random.default_rng(21)
    laws = {"equidistribution": (100, np.full(10, 0.1)), "serial": (1000, np.full(100, 0.01)), "gap": (100, law),
            "coupon": (1000, randomness.coupon_probabilities())}  # fmt: skip
    short = [name for name, (n, p) in laws.items() if n < 5 / p.min() * (1 - 1e-9)]
    off = {}
    for name, (n, p) in laws.items():
        values = randomness.chi_square(rng.multinomial(n, p, size=20_000), p)
        ideal = randomness.observed_frequencies(values, stats.chi2.ppf(PERCENTILES, len(p) - 1))
        off[name] = np.abs(ideal - PERCENTILES).max()
    said = ", ".join(f"{name} {value:.2f}" for name, value in off.items())
    return beyond(
        f"below the rule of thumb: {', '.join(short) or 'none'} (100 gaps, {math.ceil(5 / law.min())} asked for); "
        f"ideal numbers miss the levels by up to: {said}",
        short == ["gap"],
    )


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
    library = [float(randomness.kolmogorov_smirnov_test(sample, 1, len(sample))[sign < 0][0]) for sample in samples]
    gap = np.abs(np.sqrt([len(sample) for sample in samples]) * approached - library).max()
    missed = [
        np.abs(randomness.observed_frequencies(10 * values[:1000], randomness.kolmogorov_smirnov_percentiles(100))
               - TABLES["A.2+" if sign > 0 else "A.2-"]).max() for values in (taken, approached)
    ]  # fmt: skip
    return erratum(
        f"larger than any value taken in {(approached > taken + 1e-12).sum()} of {len(samples)} samples; Table A.2 is "
        f"missed by up to {missed[0]:.3f} with the maximum, {missed[1]:.3f} with the supremum",
        bool((approached <= taken + 1e-12).all()), missed[0] > 0.005 and missed[1] <= 0.005 + 1e-9 and gap < 1e-9,
    )  # fmt: skip


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
    rng, levels, worst, exact = np.random.default_rng(37), np.array(PERCENTILES), 0.0, {}
    error = np.sqrt(levels * (1 - levels) / SAMPLES)
    for n in (1, 2, 5, 10, 30, 100):
        exact[n] = randomness.kolmogorov_smirnov_percentiles(n)
        if n <= 2 and np.abs(by_hand(n, exact[n]) - levels).max() > 1e-9:
            raise ArithmeticError("The percentiles are not those of the law by hand.")
        for law in laws:
            above, below = randomness.kolmogorov_smirnov_test(LAWS[law](rng, SAMPLES * n), SAMPLES, n)
            if maximum:
                below = np.maximum(below - 1 / math.sqrt(n), 0)
            for values in (above, below):
                worst = max(worst, (np.abs(randomness.observed_frequencies(values, exact[n]) - levels) / error).max())
    apart = np.abs(stats.ksone.cdf(exact[1] / 10, 100) - levels).max()
    return finding(
        f"laws of K+ and K- within {worst:.1f} standard errors of the exact one; those of n = 1 and 100 are "
        f"{apart:.2f} apart",
        worst <= 4 and apart > NEARLY,
    )
