"""The systems of `thesis`, Chapter 3, as arguments of the models, once for the pages and for the checks."""

import numpy as np

from clustershare import uniprocessor

# Where the simulated points of a figure lie.
FRACTIONS = tuple(round(0.05 * number, 12) for number in range(1, 11))
SPLITS = tuple(round(0.05 * number, 12) for number in range(1, 20))
# Towards no load of group 1, in `thesis`, Figure 3.6.
VANISHING = (0.1, 0.05, 0.02, 0.01, 0.005)
# The first is a half with group 1 in front of ties, as in `thesis`, Figures 3.10, 3.11, 3.12, 3.13, 3.14, 3.15.
SHARES = (0.5 + 1e-9, 0.525, 0.55, 0.575, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


def two_groups(fraction, load=0.8, required_share=0.5):
    """Two groups on one processor; group 1 brings a fraction of the load (`thesis`, Section 3.5.1).

    Case 1 is `thesis`, Figures 3.5, 3.6, 3.7, 3.8, 3.9; case 2, with a fraction of one half, Figures 3.10, 3.11; under
    PQ, Figure 3.4.

    Examples
    --------
    >>> two_groups(0.25)
    {'required_shares': (0.5, 0.5), 'arrival_rates': (0.2, 0.6000000000000001)}
    """
    return {
        "required_shares": (required_share, 1 - required_share),
        "arrival_rates": (load * fraction, load * (1 - fraction)),
    }


def beside_permanent_jobs(policy, required_share, permanent_jobs, load=0.5):
    """Two equal loads beside permanent jobs of both groups, or their limit (`thesis`, Section 3.5.2).

    With one permanent job of each group, `thesis`, Figures 3.12, 3.13; with two, Figures 3.14, 3.15.

    Examples
    --------
    >>> beside_permanent_jobs("FCFS", 0.75, 2)
    {'required_shares': (0.75, 0.25), 'arrival_rates': (0.25, 0.25), 'permanent_jobs': (2, 2)}
    >>> beside_permanent_jobs("PQ", 0.75, 1)["arrival_rates"]
    (0.25, 0.0)
    """
    system = {**two_groups(0.5, load, required_share), "permanent_jobs": (permanent_jobs, permanent_jobs)}
    return uniprocessor.limiting(policy, **system)


def random_splits(count, groups=2, low=0.01, high=0.99, seed=5):
    """Random required shares and loads: pairs of arrays of shape (groups,)."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        shares, loads = rng.dirichlet(np.ones(groups)), rng.dirichlet(np.ones(groups)) * rng.uniform(low, high)
        yield (np.clip(shares, 0.02, None) / np.clip(shares, 0.02, None).sum(), loads)


def random_parameters(count, loads=0.98, seed=17):
    """Random shares of group 1 and systems: pairs r_1 and (rho_1, rho_2, alpha)."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        rho, x = rng.uniform(0.02, loads), rng.uniform(0.02, 0.98)
        yield rng.uniform(0.05, 0.95), (rho * x, rho * (1 - x), 10 ** rng.uniform(-1, 1))
