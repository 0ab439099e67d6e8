"""Claims of `thesis`, Section 1.2: who sends the jobs."""

import functools

import numpy as np
from scipy.stats import poisson

from compendium.press import words
from compendium.press.findings import check, over_domain


def residual(law, times):
    """Survival of an interval of mean 1, and of what is left of one in equilibrium."""
    if law == "deterministic":
        return (times < 1).astype(float), np.clip(1 - times, 0, None)
    if law == "uniform":
        return np.clip(1 - times / 2, 0, None), np.clip(1 - times / 2, 0, None) ** 2
    if law == "Erlang":
        parts = [poisson.cdf(k, 4 * times) for k in range(4)]
        return parts[-1], sum(parts) / 4
    chance = (1 + np.sqrt(3 / 5)) / 2  # two phases of equal load
    rates = 2 * np.array([chance, 1 - chance])
    phases = np.exp(-rates[:, None] * times)
    return chance * phases[0] + (1 - chance) * phases[1], phases.mean(axis=0)


def intervals_apart(law, users, half=False):
    """The largest distance of the law of an interval between arrivals from the exponential one."""
    times = np.linspace(0, 12, 4001)
    own, left = residual(law, times / users)
    if half:  # one brings half of all arrivals, the others the other half
        one, rest = residual(law, times / 2)
        many, others = residual(law, times / (2 * max(users - 1, 1)))
        count = max(users - 1, 1)
        law_of = (one * others**count + rest * many * others ** (count - 1)) / 2
        return np.abs(law_of - np.exp(-times)).max()
    return np.abs(own * left ** (users - 1) - np.exp(-times)).max()


def counts_apart(law, users, rng, half=False, samples=40_000):
    """The largest distance of the law of counts in a window of 1 from Poisson's."""
    total = np.zeros(samples, dtype=int)
    weights = np.full(users, 1 / users) if not half else np.append(0.5, np.full(users - 1, 0.5 / max(users - 1, 1)))
    for rate, repeats in zip(*np.unique(weights[weights > 0], return_counts=True)):
        chance = counts_law(law, rate)
        total += np.random.Generator.multinomial(rng, repeats, chance, size=samples) @ np.arange(len(chance))
    found = np.cumsum(np.bincount(total, minlength=12)) / samples
    return np.abs(found - poisson.cdf(np.arange(len(found)), 1)).max()


@functools.cache
def counts_law(law, rate, samples=60_000):
    """Of one user in equilibrium, the law of the arrivals in a window of 1, from paths."""
    rng = np.random.default_rng(int(1e6 * rate))
    grid = np.linspace(0, 40, 40_001)
    survival = residual(law, grid)[1]
    even = (np.arange(samples) + 0.5) / samples  # the first arrivals without noise, since it would add up over users
    clock = np.interp(even, survival[::-1], grid[::-1]) / rate
    count = np.zeros(samples, dtype=int)
    while (clock < 1).any():
        open_ = clock < 1
        count += open_
        size = int(open_.sum())
        if law == "deterministic":
            step = np.ones(size)
        elif law == "uniform":
            step = rng.uniform(0, 2, size)
        elif law == "Erlang":
            step = rng.standard_gamma(4, size) / 4
        else:
            chance = (1 + np.sqrt(3 / 5)) / 2
            step = rng.standard_exponential(size) / (2 * np.where(rng.random(size) < chance, chance, 1 - chance))
        clock[open_] += step / rate
    law_of = np.bincount(count, minlength=2) / samples
    return law_of


@check("thesis-1-020", half=True)
def many_users(half=False):
    """Distances from a Poisson process; in the control one user brings half of all arrivals."""
    rng, numbers = np.random.default_rng(20), (1, 2, 5, 10, 30, 100)
    holds, few, many = [], [], []
    for law in ("deterministic", "uniform", "Erlang", "hyperexponential"):
        apart = [intervals_apart(law, users, half) for users in numbers]
        counted = [counts_apart(law, users, rng, half) for users in numbers]
        falls = (np.diff(apart) < 0).all() and (np.diff(counted) < 0.01).all()  # what 40 000 samples leave open
        limit = words.allows("very close", max(apart[-1], counted[-1]))
        holds.append(bool(falls and limit and min(apart[:2]) > 0.05))
        few.append(min(apart[:2]))
        many.append(max(apart[-1], counted[-1]))
    return over_domain(
        f"distance of laws at most {max(many):.3f} with 100 users, at least {min(few):.3f} with 1 and 2; "
        f"as stated under {sum(holds)} of {len(holds)} laws",
        holds,
    )
