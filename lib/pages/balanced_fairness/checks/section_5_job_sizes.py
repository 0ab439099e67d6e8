"""Claims of `balanced`, Section 5, on the laws of the job sizes."""

import numpy as np
from scipy import stats

from clustershare import sizes
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, fact, grid, measured, mended
from compendium.press.clauses.conditions import agrees, equal, within
from compendium.press.findings import check
from pages.balanced_fairness.systems import paper_sizes
from pages.simulated_sizes import simulated_sizes

HALF_A_DIGIT = 0.005  # of numbers that are printed with two decimals


def as_printed(what, value, printed, within_digits=HALF_A_DIGIT):
    """That a computed number rounds to the printed one."""
    return everywhere(f"{what} less {printed:g}, which is printed,", exact(value - printed), within(within_digits))


def drawn(size):
    """Mean and standard deviation of a million sizes less those of the law, by the library and as simulators draw."""
    off, half = [], []
    for sample in (size.sample(np.random.default_rng(15), 1_000_000), simulated_sizes(size, 1_000_000, 15)):
        spread = ((sample - sample.mean()) ** 2).std() / (2 * sample.std())  # by the central limit theorem
        off.append([sample.mean() - size.mean, sample.std() - size.standard_deviation])
        half.append(stats.norm.ppf(0.975) / 1000 * np.array([sample.std(), spread]))
    return measured(off, half, runs=np.inf, way=("by the library", "in simulations"), of=("mean", "deviation"))


@check("balanced-015", letter="b")
def bimodal_moments(letter="a"):
    """Mean and standard deviation of the bimodal numbers of phases, and of a million sizes."""
    size = paper_sizes()[letter]
    return conclude(
        as_printed("the mean", size.mean, 1, 1e-12),
        as_printed("the standard deviation", size.standard_deviation, 1.84),
        everywhere("mean and standard deviation of a million sizes", drawn(size), agrees("are these within intervals")),
        aside("the standard deviation", exact(size.standard_deviation)),
        whole=True,
    )


@check("balanced-016", size=sizes.zipf_phases())
def mean_size(size=None):
    """Mean of the hyperexponential sizes, and of a million of them."""
    size = size or sizes.bimodal_hyperexponential()
    return conclude(
        as_printed("the mean", size.mean, 1, 1e-12),
        everywhere("the mean of a million sizes", drawn(size).at(of="mean"), agrees("is this within its interval")),
        whole=True,
    )


@check("balanced-018", exponent=3)
def zipf_mean(exponent=2):
    """Mean of the Zipf numbers of phases, and of a million sizes."""
    size = sizes.zipf_phases(exponent=exponent)
    return conclude(
        as_printed("the mean", size.mean, 3.58),
        everywhere("the mean of a million sizes", drawn(size).at(of="mean"), agrees("is this within its interval")),
        aside("the mean", exact(size.mean)),
        whole=True,
    )


@check("balanced-017", size=sizes.Hyperexponential((5.0, 0.2), (0.5, 0.5)))
def spread(size=None):
    """Standard deviation of the hyperexponential sizes: the library's, by moments, and in a sample."""
    size = size or sizes.bimodal_hyperexponential()
    right = np.sqrt(2 * (25 / 6 + 0.04 * 5 / 6) - 1)
    sample = size.sample(np.random.default_rng(5), 1_000_000)
    middle = sample - sample.mean()
    half = 1.96 * np.sqrt(((middle**4).mean() - (middle**2).mean() ** 2) / len(sample)) / (2 * sample.std())
    deviation = exact(size.standard_deviation)
    return mended(
        everywhere("the standard deviation less 2.05, which is printed,", deviation - exact(2.05), within("close")),
        everywhere("the standard deviation and that by the moments of the mixture", deviation - right, equal(1e-12)),
        everywhere("the standard deviation of a million sizes", measured(sample.std() - right, half, runs=np.inf),
                   agrees("is that by the moments within its interval")),
        aside("the standard deviation", deviation),
    )  # fmt: skip


@check("balanced-019", terms=1000)
def zipf_spread(terms=200):
    """Standard deviation of the Zipf numbers of phases: of the figures' law, and by the law of total variance."""
    size, k = paper_sizes()["c"] if terms == 200 else sizes.zipf_phases(terms), np.arange(1, terms + 1)
    weights = k**-2.0 / (k**-2.0).sum()
    mean = weights @ k
    total, printed = exact(np.sqrt(weights @ k**2 - mean**2 + mean)), 10.61
    return conclude(
        fact(f"the standard deviation is {total.value:.4f}, as printed to two digits",
             abs(total.value - printed) <= HALF_A_DIGIT,
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
    """The three printed formulas against the means of the library's laws and of what simulators draw.

    In the control the Zipf weights are 1 / k^(alpha - 1).
    """
    laws = list(random_laws(np.random.default_rng(71), 100, shift))
    ours = [(size, size.mean) for size in paper_sizes().values()]

    def gap(size, printed):
        counts, means, weights = size.erlang_mixture()
        return max(abs((weights * counts * means).sum() / printed - 1), abs(size.mean / printed - 1))

    def sampled(number, law, drawn):
        size, printed = law
        sample = drawn(size, 1_000_000, number)
        return measured(sample.mean() - printed, stats.norm.ppf(0.975) * sample.std() / 1000, runs=np.inf)

    def by_numpy(size, count, seed):
        return size.sample(np.random.default_rng(seed), count)

    samples = [(number, law, simulated_sizes) for number, law in enumerate([*laws[:30], *ours])]
    samples += [(number, law, by_numpy) for number, law in enumerate(ours)]
    return conclude(
        everywhere("the printed formula and the mean", cases("law", laws, seed=71).measure(gap), equal(1e-12)),
        everywhere("the mean of a million sizes", cases("sample", samples).measure(sampled),
                   agrees("is that of the printed formula within its interval")),
        whole=True,
    )  # fmt: skip


@check("balanced-072", terms=1_000_000)
def heavy_tail(terms=200):
    """The mean of exp(s X), and the survival function of the sizes; the control's numbers of phases have no end to see.

    A term of a million phases stands for an infinite number of terms: the sum is beyond any number here.
    """
    k = np.arange(1.0, terms + 1)
    log_weights = -2 * np.log(k) - np.log((k**-2.0).sum())

    def mean_of_exp(s, of):
        with np.errstate(over="ignore"):
            return np.exp(log_weights + (s * k if of == "phases" else -k * np.log1p(-s))).sum()

    means = grid(s=(0.01, 0.1, 0.5), of=("phases", "sizes")).measure(mean_of_exp)
    infinite = exact(np.isinf(means.value).astype(float), **dict(means.axes))
    x = np.geomspace(1, 1000, 61)
    tail = np.exp(log_weights[:1000]) @ stats.gamma.sf(x[None, :], k[:1000, None])
    bound = np.exp(-0.01 * x) * means.at(s=0.01, of="sizes").value
    slope = np.diff(np.log(tail)) / np.diff(np.log(x))
    like = x[:-1][np.abs(slope + 1) < 0.05]
    return conclude(
        everywhere("the mean of exp(s X) is infinite", infinite),
        aside("the mean of exp(s X) of the sizes", means.at(of="sizes")),
        aside("P(X > x) over exp(-x / 100) times the mean of exp(X / 100), at most,", exact((tail / bound).max())),
        aside("the logarithm of P(X > 1000) to base 10", exact(np.log10(tail[-1]))),
        aside("sizes at which the slope of the survival function is that of a power law, -1 within 0.05",
              exact(like, size=None)),
        whole=True,
    )  # fmt: skip
