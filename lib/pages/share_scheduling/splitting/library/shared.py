"""What several of these rooms use."""

import numpy as np

from compendium.press.clauses import cases, equalities
from pages.agreement import gap

CLOSE = 1e-9


def off(found, expected, least=1e-6):
    """As `gap`, relative to the largest that is expected, or to what counts as small."""
    sizes = np.abs(np.asarray(expected, float))
    return gap(found, expected, max(sizes[np.isfinite(sizes)].max(initial=0), least))


def agree(noun, seed, systems, function, within=CLOSE):
    """Clauses: two things each are equal in all systems."""
    return equalities(cases(noun, systems, seed=seed).measure(function), within)


def law_of_all(loads, length):
    """The law of the number of jobs, of whatever kind of number the loads are: geometric numbers summed one by one."""
    law = [loads[0] ** 0] + [0 * loads[0]] * (length - 1)
    for load in loads:
        law = [sum((1 - load) * load**k * law[n - k] for k in range(n + 1)) for n in range(length)]
    return law


def loss_of(speeds, loads):
    """What so many jobs could use of the fastest processors, less what they do use, of whatever kind of number."""
    served = sum(speed * min(load, 1) for speed, load in zip(speeds, loads))
    if max(loads) >= 1:
        return sum(speeds) - served
    law = law_of_all(loads, len(speeds))
    return sum(speeds) - sum(p * sum(speeds[n:]) for n, p in enumerate(law)) - served


def unmet(prices, used):
    """By how much prices miss the conditions of a minimum, relative to them: alike where used, elsewhere no cheaper."""
    prices, used = np.asarray(prices), np.asarray(used)
    return float(max(np.ptp(prices[used]), (prices[used].max() - prices[~used]).max(initial=0)) / prices[used].max())
