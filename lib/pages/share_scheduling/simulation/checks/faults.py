"""Claims of `thesis`, Appendix A, Sections A.2 and A.3.5: what is wrong with numbers, and which tests see it."""

import functools

import numpy as np
from scipy import stats

from clustershare import randomness
from clustershare.randomness import MODULUS, PERCENTILES
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.simulation.tables import SEEDS, TESTS, percentiles, statistics

SAMPLES, NUMBERS = 20_000, 100
SHORT = (101, 1009, 10_007, 100_003, 1_000_003)  # primes
BINS = 10
RARE = 0.001 / 84  # 42 frequencies with two tails each


def full_period(modulus):
    """The first multiplier from that of DEMOS on whose period is full."""
    multiplier = 8192 % modulus
    while randomness.multiplicative_order(multiplier, modulus) < modulus - 1:
        multiplier += 1
    return multiplier


def rarest(u):
    """The least probability of a tail in which a frequency of the tests of Section A.3 is."""
    tails = []
    for name, tests in TESTS.items():
        count = tests * randomness.observed_frequencies(statistics(name, u), percentiles(name))
        tails += [stats.binom.cdf(count, tests, PERCENTILES), stats.binom.sf(count - 1, tests, PERCENTILES)]
    return float(np.min(tails))


@check("thesis-A-039", ideal=True)
def short_periods(ideal=False):
    """Each short generator through all tests; the control takes NumPy's PCG64 in their place.

    DEMOS is tried by counts over its whole cycle, in which each of 1, ..., M - 1 comes once (thesis-A-002).
    """
    if ideal:
        streams = {"ideal": np.random.default_rng(39).random(1_000_000)}
    else:
        streams = {p - 1: randomness.states(1, 1_000_000, full_period(p), p) / p for p in SHORT}
    tails = {name: rarest(u) for name, u in streams.items()}
    exposed = [str(name) for name, tail in tails.items() if tail < RARE]
    demos = rarest(randomness.uniforms(SEEDS[1], 1_000_000))
    ends = -(-np.arange(BINS + 1) * MODULUS // BINS)  # the first state of each bin
    counts = np.diff(np.clip(ends, 1, MODULUS))
    v = float(randomness.chi_square(counts[None], np.full(BINS, 1 / BINS))[0])
    fails = v < randomness.chi_square_percentiles(BINS - 1)[0]
    return finding(
        f"periods exposed: {', '.join(exposed) or 'none'}; DEMOS {'is not' if demos >= RARE else 'is'} by these tests, "
        f"and over its whole cycle its V {'is far below the 1 % level' if fails else 'is as usual'}",
        bool(exposed) and demos >= RARE and fails,
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
    found = {(s, kind): direction(s, kind) for kind in wrong for s in ("V", "K+", "K-")}
    even = {(s, kind): direction(s, kind) for kind in ("stratified", "low discrepancy") for s in ("V", "K+", "K-")}
    missed = [f"{s} {kind}" + (", the other way" if way < 0 else "") for (s, kind), way in found.items() if way != 1]
    low = [f"{s} {kind}" for (s, kind), way in even.items() if way == -1]
    return over_domain(
        f"less likely the higher in {len(found) - len(missed)} of {len(found)} cases, not in: "
        f"{'; '.join(missed) or 'none'}; too even, and less likely the lower: {'; '.join(low) or 'none'}",
        [way == 1 for way in found.values()],
    )
