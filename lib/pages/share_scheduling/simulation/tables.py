"""`thesis`, Tables A.1, A.2, A.3, A.4, A.5: how the generator does in tests, as printed and computed again."""

import functools

from scipy import stats

from clustershare import randomness
from clustershare.randomness import PERCENTILES

SEEDS = (randomness.FIRST_SEED, *randomness.seeds(40).tolist())  # Y_0, Y_1, ...
# Tables A.1, A.2, A.3, A.4, A.5 as printed.
TABLES = {
    "A.1": (0.01, 0.04, 0.25, 0.49, 0.75, 0.95, 0.99),
    "A.2+": (0.01, 0.04, 0.25, 0.48, 0.75, 0.95, 0.99),
    "A.2-": (0.01, 0.04, 0.24, 0.50, 0.74, 0.94, 0.99),
    "A.3": (0.00, 0.05, 0.22, 0.49, 0.75, 0.95, 0.99),
    "A.4": (0.00, 0.04, 0.25, 0.51, 0.72, 0.95, 0.98),
    "A.5": (0.03, 0.09, 0.27, 0.54, 0.76, 0.98, 0.99),
}
TESTS = {"A.1": 1000, "A.2+": 1000, "A.2-": 1000, "A.3": 500, "A.4": 100, "A.5": 100}  # of each table


def statistics(name, u):
    """The statistics of one table."""
    if name.startswith("A.2"):
        return randomness.kolmogorov_smirnov_test(u)[name == "A.2-"]
    test = {"A.1": "equidistribution", "A.3": "serial", "A.4": "gap", "A.5": "coupon"}[name]
    return getattr(randomness, f"{test}_test")(u)


def percentiles(name, looked_up=True):
    """The percentiles of one table: as Knuth's book has them, or exact."""
    if name.startswith("A.2"):
        return randomness.kolmogorov_smirnov_percentiles(100)
    degrees = {"A.1": 9, "A.3": 99, "A.4": 32, "A.5": 3}[name]
    return randomness.chi_square_percentiles(degrees) if looked_up else stats.chi2.ppf(PERCENTILES, degrees)


@functools.cache
def frequencies(name, stream=1, looked_up=True):
    """One table computed again, from the stream of seed Y_stream."""
    u = randomness.uniforms(SEEDS[stream], 1_000_000)
    return randomness.observed_frequencies(statistics(name, u), percentiles(name, looked_up))
