"""Claims of `thesis`, Appendix A, Section A.1: the DEMOS generator and its seeds."""

import functools
import math

import numpy as np

from clustershare import randomness
from clustershare.randomness import MODULUS, MULTIPLIER, SEED_FACTORS, SEED_MULTIPLIER
from compendium.press.findings import beyond, check, finding, over_domain

STEP = 2**16  # of the giant steps along the cycle
# As printed.
M, DRAWS, SEEDS = 67_099_547, (32, 32, 8), (7, 13, 15, 27)
DRAWS_AT_ONCE = math.prod(DRAWS)


def times(factors, numbers):
    """Numbers multiplied by one factor after another modulo M: (A.2)."""
    for factor in factors:
        numbers = numbers * factor % M
    return numbers


@check("thesis-A-001", modulus=2**26)
def factor_by_factor(modulus=MODULUS):
    """The library's stream, made by doubling, against (A.1) factor by factor."""
    rng, wrong, tried = np.random.default_rng(1), 0, 0
    starts = [(1, 10**6), (907, 10**6), *((int(start), 10**5) for start in rng.integers(1, MODULUS, 100))]
    for start, count in starts:
        run = np.append(start, randomness.states(start, count, modulus=modulus))
        wrong += int((run[1:] != times(DRAWS, run[:-1])).sum())
        tried += count
    return finding(f"{wrong} of {tried} states differ; prime factors of M: {list(randomness.prime_factors(MODULUS))}",
                   wrong == 0)  # fmt: skip


def period(multiplier):
    """The period by factorisation, and by running through the cycle."""
    order, run = (
        randomness.multiplicative_order(multiplier, MODULUS),
        randomness.period_by_running(multiplier, MODULUS),
    )
    return finding(
        f"order {order}, and 1 is back after {run} steps; M - 1 = {MODULUS - 1}", order == run == MODULUS - 1
    )


@check("thesis-A-002", multiplier=MULTIPLIER**2 % MODULUS)
def full_period(multiplier=MULTIPLIER):
    """The control is the square, which reaches every second state."""
    return period(multiplier)


@functools.cache
def extremes(modulus):
    """The least and the largest state of the whole cycle, by chunks, and the largest up to the first state 0."""
    low, high, state = modulus, 0, 1
    for _ in range(-(-modulus // 2**20)):
        run = randomness.states(state, 2**20, MULTIPLIER, modulus)
        low, high, state = min(low, run.min()), max(high, run.max()), int(run[-1])
        if low == 0:
            break
    return low, high


@check("thesis-A-003", modulus=2**26)
def states_in_range(modulus=MODULUS):
    """With a modulus that is not prime the state 0 comes and stays."""
    low, high = extremes(modulus)
    return finding(f"states from {low} to {high}; M - 1 = {modulus - 1}", low >= 1 and high == modulus - 1)


@check("thesis-A-024", modulus=2**26)
def range_from_the_start(modulus=MODULUS):
    """For n > 1, as printed; the states of n = 0 and 1 are in the cycle as well."""
    low, high = extremes(modulus)
    return finding(
        f"states from {low} to {high} over the cycle, those of n = 0 and 1 among them", 1 <= low and high < modulus
    )


@check("thesis-A-004", factors=SEED_FACTORS * 2)
def seed_period(factors=SEED_FACTORS):
    return period(math.prod(factors) % MODULUS)


@check("thesis-A-005", factors=DRAWS)
def first_seeds(factors=SEEDS):
    """One factor after the other, in whole numbers, against the library's seeds."""
    seed, found = 907, []
    for _ in range(1000):
        seed = times(factors, seed)
        found.append(seed)
    same = int((randomness.seeds(1000) == found).sum())
    return finding(f"{same} of 1000 the same; first {', '.join(map(str, found[:3]))}", same == 1000)


@check("thesis-A-006", whole=True)
def small_products(whole=False):
    """The largest state is M - 1 (thesis-A-003)."""
    largest = [(M - 1) * max([math.prod(factors)] if whole else factors) / 2**31 for factors in (DRAWS, SEEDS)]
    return beyond(f"largest product {largest[0]:.4f} of 2^31 in (A.1), {largest[1]:.4f} in (A.4)", max(largest) < 1)


def positions(seeds):
    """After how many steps from 1 the generator of the draws reaches each seed, by baby and giant steps.

    Second, whether so many steps lead to each.
    """
    near = np.append(1, randomness.states(1, STEP - 1))
    order, found = near.argsort(), np.full(len(seeds), -1)
    back, moved = pow(MULTIPLIER, -STEP, MODULUS), np.array(seeds)
    for giant in range(-(-MODULUS // STEP)):
        place = order[np.searchsorted(near, moved, sorter=order) % STEP]
        found = np.where((found < 0) & (near[place] == moved), giant * STEP + place, found)
        moved = moved * back % MODULUS
    return found, all(pow(DRAWS_AT_ONCE, int(place), M) == seed for place, seed in zip(found, seeds))


def like_random(u):
    """Whether both Kolmogorov-Smirnov statistics lie between their 1 % and 99 % levels."""
    low, *_, high = randomness.kolmogorov_smirnov_percentiles(len(u))
    return all(low <= float(value[0]) <= high for value in randomness.kolmogorov_smirnov_test(u, 1, len(u)))


def on_the_cycle(places):
    """The distances of all pairs on the cycle, the shorter way round."""
    apart = np.abs(np.subtract.outer(places, places))[np.triu_indices(len(places), 1)]
    return np.minimum(apart, MODULUS - 1 - apart)


@check("thesis-A-036", multiplier=MULTIPLIER)
def spread_seeds(multiplier=SEED_MULTIPLIER):
    """Seeds by their values and by their places on the cycle of the draws; the control takes one generator for both."""
    seeds = randomness.states(randomness.FIRST_SEED, 1000, multiplier)
    places, there = positions(seeds)
    spread = [[like_random(values[:n] / MODULUS) for n in (10, 40, 1000)] for values in (seeds, places)]
    clear = on_the_cycle(places[:10]) >= 10**6
    nearest, steps = int(on_the_cycle(places[:40]).min()), set(np.diff(places) % (MODULUS - 1))
    said = f": each seed is {nearest} draws behind the one before" if steps == {nearest} else ""
    return over_domain(
        f"values like random ones for {sum(spread[0])} and places for {sum(spread[1])} of 10, 40 and 1000 seeds; of 45 "
        f"pairs of streams of 1000000 draws {len(clear) - sum(clear)} overlap; least distance of 40 seeds on the cycle "
        f"{nearest}{said}",
        (there and nearest > 1000) & np.array([*spread[0], *spread[1], *clear]),
    )
