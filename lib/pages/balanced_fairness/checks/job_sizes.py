"""Claims of `balanced`, Section 5, on the laws of the job sizes."""

import numpy as np
from scipy import stats

from clustershare import sizes
from compendium.press.clauses import conclude, everywhere, exact, fact
from compendium.press.clauses.conditions import equal, within
from compendium.press.findings import AGREES, DIFFERS, PART, check, erratum, finding
from compendium.press.words import allows
from pages.balanced_fairness.systems import paper_sizes


def as_printed(value, printed, digits):
    """Whether a value rounds to what is printed, and if not, whether it is as near as "approximately" says."""
    if abs(value - printed) <= 0.5 * 10**-digits:
        return AGREES
    return PART if allows("close", abs(value - printed) / max(value, printed)) else DIFFERS


@check("balanced-017", size=sizes.Hyperexponential((5.0, 0.2), (0.5, 0.5)))
def spread(size=None):
    """Standard deviation of the hyperexponential sizes: the library's, by moments, and in a sample."""
    size = size or sizes.bimodal_hyperexponential()
    right = np.sqrt(2 * (25 / 6 + 0.04 * 5 / 6) - 1)
    sample = size.sample(np.random.default_rng(5), 1_000_000)
    middle = sample - sample.mean()
    half_width = 1.96 * np.sqrt(((middle**4).mean() - (middle**2).mean() ** 2) / len(sample)) / (2 * sample.std())
    return erratum(
        f"{size.standard_deviation:.4f} by moments, {sample.std():.3f} ± {half_width:.3f} in a sample of a million",
        as_printed(size.standard_deviation, 2.05, 2) != DIFFERS,
        abs(size.standard_deviation - right) < 1e-12 and abs(sample.std() - right) < half_width,
    )


@check("balanced-019", terms=1000)
def zipf_spread(terms=200):
    """Standard deviation of the Zipf numbers of phases: the library's, and by the law of total variance."""
    size, k = sizes.zipf_phases(terms), np.arange(1, terms + 1)
    weights = k**-2.0 / (k**-2.0).sum()
    mean = weights @ k
    total, printed = exact(np.sqrt(weights @ k**2 - mean**2 + mean)), 10.61
    return conclude(
        fact(f"the standard deviation is {total.value:.4f}, as printed to two digits",
             abs(total.value - printed) <= 0.005,
             f"the standard deviation is {total.value:.4f}, {total.value:.2f} to two digits"),
        everywhere("its difference to what is printed", total - exact(printed), within("close")),
        provided=[everywhere("the library's, divided by it, and 1", exact(size.standard_deviation / total.value - 1),
                             equal(1e-12))],
    )  # fmt: skip


def random_laws(rng, count, shift):
    """Laws of the three families with random parameters, and the means that the printed formulas give them."""
    for _ in range(count):
        n, p, mean = rng.integers(1, 51, 2), rng.random(), rng.uniform(0.1, 5)
        yield sizes.ErlangMixture(mean, tuple(n.tolist()), (p, 1 - p)), (p * n[0] + (1 - p) * n[1]) * mean
        means = rng.uniform(0.1, 5, 2)
        yield sizes.Hyperexponential(tuple(means), (p, 1 - p)), p * means[0] + (1 - p) * means[1]
        terms, exponent = int(rng.integers(1, 501)), rng.uniform(0.5, 4)
        k = np.arange(1.0, terms + 1)
        yield sizes.zipf_phases(terms, exponent - shift), (k ** (1 - exponent)).sum() / (k**-exponent).sum()


@check("balanced-071", shift=1.0)
def printed_means(shift=0.0):
    """The three printed formulas against the means of the library's laws and of samples.

    In the control the Zipf weights are 1 / k^(alpha - 1).
    """
    gap, distances = 0.0, []
    for number, (size, printed) in enumerate(random_laws(np.random.default_rng(71), 100, shift)):
        counts, means, weights = size.erlang_mixture()
        gap = max(gap, abs((weights * counts * means).sum() / printed - 1), abs(size.mean / printed - 1))
        if number < 30:
            sample = size.sample(np.random.default_rng(number), 1_000_000)
            distances.append(abs(sample.mean() - printed) / (sample.std() / 1000))
    bound = stats.norm.ppf(1 - 0.025 / len(distances))
    return finding(
        f"{'equal within 1e-12' if gap < 1e-12 else f'off by up to {gap:.2g}'}; samples at most "
        f"{max(distances):.1f} standard errors away, {bound:.1f} allowed", gap < 1e-12 and max(distances) < bound,
    )  # fmt: skip


@check("balanced-072", terms=1_000_000)
def heavy_tail(terms=200):
    """The mean of exp(s X), and the survival function of the sizes; the control's numbers of phases have no end to see.

    A term of a million phases stands for an infinite number of terms: the sum is beyond any number here.
    """
    k = np.arange(1.0, terms + 1)
    log_weights = -2 * np.log(k) - np.log((k**-2.0).sum())
    with np.errstate(over="ignore"):
        number = [np.exp(log_weights + s * k).sum() for s in (0.01, 0.1, 0.5)]
        size = [np.exp(log_weights - k * np.log1p(-s)).sum() for s in (0.01, 0.1, 0.5)]
    heavy = not np.isfinite([*number, *size]).any()
    if heavy:
        return finding("the mean of exp(s X) is infinite for s = 0.01, 0.1, 0.5", True)
    x = np.geomspace(1, 1000, 61)
    survival = np.exp(log_weights) @ stats.gamma.sf(x[None, :], k[:, None])
    slope = np.diff(np.log(survival)) / np.diff(np.log(x))
    like = x[:-1][np.abs(slope + 1) < 0.05]
    return finding(
        f"the mean of exp(s X) is finite, {size[0]:.2g} for s = 0.01; P(X > 1000) = {survival[-1]:.0e}; the slope of a "
        + (
            f"power law, -1 within 0.05, at {len(like)} of {len(slope)} places, from {like[0]:.2g} to {like[-1]:.2g}"
            if len(like)
            else "power law nowhere"
        ),
        False,
    )


@check("balanced-015", letter="b")
def bimodal_moments(letter="a"):
    """Mean and standard deviation of the bimodal numbers of phases."""
    size = paper_sizes()[letter]
    holds = abs(size.mean - 1) < 1e-12 and abs(size.standard_deviation - 1.84) < 0.005
    return finding(f"{size.mean:.4g} and {size.standard_deviation:.4f}", holds)


@check("balanced-016", size=sizes.zipf_phases())
def mean_size(size=None):
    """Mean of the hyperexponential sizes."""
    size = size or sizes.bimodal_hyperexponential()
    return finding(f"{size.mean:.12g}", abs(size.mean - 1) < 1e-12)


@check("balanced-018", exponent=3)
def zipf_mean(exponent=2):
    """Mean of the Zipf numbers of phases."""
    size = sizes.zipf_phases(exponent=exponent)
    return finding(f"{size.mean:.4f}", abs(size.mean - 3.58) < 0.005)
