"""Laws of sizes: what they say, draw, and do to a line."""

import math

import numpy as np
from scipy import stats

from clustershare import sizes, uniprocessor
from compendium.press.clauses import cases, everywhere
from compendium.press.clauses.conditions import agrees, at_most, equal
from pages.agreement import gap
from pages.share_scheduling.one_processor.library.shared import ROUNDING, RUN
from pages.share_scheduling.one_processor.simulated import estimates

# Laws of sizes and of arrivals.


def phases(*parts):
    """A mixture of Erlangs as (phases, mean of each, probability): mean, second moment, distribution function."""
    first = sum(p * k * m for k, m, p in parts)
    second = sum(p * k * (k + 1) * m**2 for k, m, p in parts)
    return first, second, lambda x: sum(p * stats.gamma.cdf(x, k, scale=m) for k, m, p in parts)


def known_law(law):
    """The same of a law of `scipy.stats`."""
    return law.mean(), law.var() + law.mean() ** 2, law.cdf


def laws():
    """Laws, and for each mean, second moment, distribution function, and its components if it is of phases."""
    mixture = ((1, 0.4, 0.7), (1, 2.4, 0.3))
    yield sizes.Exponential(1.0), phases((1, 1, 1)), ((1, 1, 1),)
    yield sizes.Hyperexponential((0.4, 2.4), (0.7, 0.3)), phases(*mixture), mixture
    mixture = ((3, 0.25, 0.8), (8, 0.25, 0.2))
    yield sizes.ErlangMixture(0.25, (3, 8), (0.8, 0.2)), phases(*mixture), mixture
    mixture = ((2, 0.25, 0.8), (1, 3.0, 0.2))
    yield sizes.HyperErlang((0.25, 3.0), (2, 1), (0.8, 0.2)), phases(*mixture), mixture
    yield sizes.Deterministic(1.0), (1.0, 1.0, None), None
    yield sizes.Pareto(1.0, 4.5), known_law(stats.pareto(4.5, scale=3.5 / 4.5)), None
    yield sizes.Weibull(1.0, 0.7), known_law(stats.weibull_min(0.7, scale=1 / math.gamma(1 + 1 / 0.7))), None
    normal = stats.lognorm(math.sqrt(math.log(2.5)), scale=1 / math.sqrt(2.5))
    yield sizes.LogNormal(1.0, 1.5), known_law(normal), None
    yield sizes.Gamma(1.0, 0.6), known_law(stats.gamma(0.6, scale=1 / 0.6)), None
    values, weights = (0.2, 1.0, 2.6), (0.5, 0.25, 0.25)
    steps = 1.0, sum(w * v**2 for v, w in zip(values, weights)), None
    yield sizes.Empirical((2.6, 0.2, 1.0, 0.2), (5, 4, 5, 6)), steps, None
    yield sizes.Empirical((1.75, 0.25, 1.0)), (1.0, (1.75**2 + 0.25**2 + 1) / 3, None), None
    yield sizes.bimodal_hyperexponential(), *(f((1, 5, 1 / 6), (1, 0.2, 5 / 6)) for f in (phases, lambda *m: m))
    yield sizes.bimodal_phases(), *(f((25, 0.2, 1 / 6), (1, 0.2, 5 / 6)) for f in (phases, lambda *m: m))


def others():
    """Laws of any mean, and what each must have: mean, and variance over squared mean."""
    yield sizes.fitted_hyperexponential(3.0, 7.0), 3.0, 7.0
    yield sizes.Pareto(2.0, 3.5), 2.0, 1 / 3.5 / 1.5
    yield sizes.Pareto(2.0, 1.7), 2.0, math.inf
    yield sizes.Weibull(2.5, 0.5), 2.5, 5.0
    yield sizes.LogNormal(2.0, 3.0), 2.0, 3.0
    yield sizes.Gamma(2.0, 0.25), 2.0, 4.0
    yield sizes.Exponential(0.3), 0.3, 1.0
    yield sizes.Deterministic(4.0), 4.0, 0.0
    yield sizes.Empirical((4.0, 1.0), (1, 2)), 2.0, 0.5
    parts = [k**-2.5 for k in range(1, 41)]
    mean = sum(k * p for k, p in enumerate(parts, 1)) / sum(parts)
    second = sum(k * (k + 1) * p for k, p in enumerate(parts, 1)) / sum(parts)
    yield sizes.zipf_phases(40, 2.5), mean, second / mean**2 - 1


def told_moments(law):
    """What a law says of itself."""
    return law.mean, law.variance, law.standard_deviation, law.squared_variation


def moments(mean, squared):
    """The same by mean and squared coefficient of variation."""
    return mean, squared * mean**2, math.sqrt(squared) * mean, squared


def on_laws():
    """Laws: what they say, draw, and do to a line."""
    rows, drawn_far, expected, found = [], [], [], []
    listed = list(laws())
    for number, (law, (mean, second, below), mixture) in enumerate(listed):
        sample = law.sample(np.random.default_rng(number), 10_000)
        far = gap(told_moments(law), moments(mean, second / mean**2 - 1))
        if mixture:
            far += gap(law.erlang_mixture(), np.transpose(mixture))
        rows.append(far)
        if below:
            drawn_far.append(stats.kstest(sample, below).statistic)
        drawn_far.append(abs(sample.mean() - 1) / max(0.01, math.sqrt(second - 1)) / 3)
        # Pollaczek and Khinchine: all of one mean, a third of the arrivals of the law before this one.
        pair = listed[number - 1], listed[number]
        rates = np.array([0.2, 0.4])
        wait = rates @ [one[1][1] for one in pair] / 2 / (1 - rates.sum())
        result = uniprocessor.simulate("FCFS", (0.3, 0.7), rates, sizes=[one[0] for one in pair], **RUN, seed=number)
        expected += [rates * (1 + wait), rates]
        found += [result.mean_jobs, result.obtained_share]
    rows += [
        gap([v for v in told_moments(law) if v < math.inf], [v for v in moments(*m) if v < math.inf])
        for law, *m in others()
    ]
    yield everywhere("moments of laws and those of what is given", cases("law", rows).measure(float), equal(ROUNDING))
    yield everywhere("how far drawn sizes are from their law", cases("sample", drawn_far).measure(float), at_most(0.02))
    yield everywhere(
        "lines of sizes of any law, less Pollaczek and Khinchine,", estimates(expected, found, 30), agrees()
    )
