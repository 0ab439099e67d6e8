"""Claims of `thesis`, Section 1.2: who sends the jobs."""

import functools

import numpy as np
from scipy.stats import poisson

from clustershare.sizes import ErlangMixture
from compendium.press.clauses import at_each, cases, conclude, everywhere, grid, measured
from compendium.press.clauses.conditions import agrees, at_most, falls, larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.objectives import points

USERS, PATHS = (1, 2, 5, 10, 30, 100), 60_000
# Of the intervals of a user, of mean 1, as the library has them; uniform ones it has not.
LAWS = {
    "deterministic": points.LAWS["deterministic"], "uniform": None, "Erlang": ErlangMixture(0.25, (4,), (1.0,)),
    "hyperexponential": points.LAWS["hyperexponential"],
}  # fmt: skip


def residual(law, times):
    """Survival of an interval of mean 1, and of what is left of one in equilibrium."""
    if law == "deterministic":
        return (times < 1).astype(float), np.clip(1 - times, 0, None)
    if law == "uniform":
        return np.clip(1 - times / 2, 0, None), np.clip(1 - times / 2, 0, None) ** 2
    whole, left = np.zeros((2, len(times)))
    for count, mean, chance in zip(*LAWS[law].erlang_mixture()):
        fewer = [poisson.cdf(phases, times / mean) for phases in range(count)]  # than so many phases are over
        whole, left = whole + chance * fewer[-1], left + chance * mean * sum(fewer)
    return whole, left


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


def counts_apart(law, users, half=False):
    """The largest distance of the law of counts in a window of 1 from Poisson's."""
    rates = [0.5, *[0.5 / max(users - 1, 1)] * (users - 1)] if half else [1 / users] * users
    found = np.cumsum(functools.reduce(np.convolve, [counts_law(law, rate) for rate in rates]))
    return np.abs(found - poisson.cdf(np.arange(len(found)), 1)).max()


@functools.cache
def counts_law(law, rate, samples=PATHS):
    """Of one user in equilibrium, the law of the arrivals in a window of 1, from paths."""
    rng = np.random.default_rng(int(1e6 * rate))
    times = np.linspace(0, 40, 40_001)
    survival = residual(law, times)[1]
    even = (np.arange(samples) + 0.5) / samples  # the first arrivals without noise, since it would add up over users
    clock = np.interp(even, survival[::-1], times[::-1]) / rate
    count = np.zeros(samples, dtype=int)
    while (clock < 1).any():
        inside = clock < 1
        count += inside
        size = int(inside.sum())
        clock[inside] += (rng.uniform(0, 2, size) if law == "uniform" else LAWS[law].sample(rng, size)) / rate
    return np.bincount(count, minlength=2) / samples


@check("thesis-1-020", half=True)
def many_users(half=False):
    """Distances from a Poisson process; in the control one user brings half of all arrivals."""

    def apart(law, users):
        return {"interval": intervals_apart(law, users, half), "number": counts_apart(law, users, half)}

    def more_than_one(law):
        """What a user brings in a window of 1 is 1 in the mean, for paths begin in equilibrium."""
        chances = counts_law(law, 1.0)
        numbers = np.arange(len(chances))
        mean = chances @ numbers
        return measured(mean - 1, 1.96 * np.sqrt((chances @ numbers**2 - mean**2) / PATHS), runs=np.inf)

    found = grid(law=LAWS, users=USERS).measure(apart)
    said = {"interval": "the distance of the law of an interval", "number": "that of the number in a window"}
    return conclude(
        *(clause for name, words in said.items() for clause in (
            at_each(f"with more users {words}", found[name].steps("users"), falls()),
            at_each(f"with 100 users {words}", found[name].at(users=(100,)), at_most("very close")),
            at_each(f"with 1 and 2 users {words}", found[name].at(users=(1, 2)), larger(SCALE["close"].most)),
        )),
        together="law",
        provided=[everywhere("what a user brings on a path, less his rate,", cases("law", LAWS).measure(more_than_one),
                             agrees())],
    )  # fmt: skip
