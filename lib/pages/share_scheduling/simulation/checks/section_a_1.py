"""Claims of `thesis`, Appendix A, Section A.1: the DEMOS generator and its seeds."""

import functools
import math

import numpy as np

from clustershare import randomness
from clustershare.randomness import FIRST_SEED, MODULUS, MULTIPLIER, SEED_FACTORS, SEED_MULTIPLIER
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid
from compendium.press.clauses.conditions import at_least, at_most, between, equal
from compendium.press.findings import check

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
def factor_by_factor(**other):
    """The library's stream, made by doubling, against (A.1) factor by factor; the control has another modulus."""
    rng = np.random.default_rng(1)
    starts = [(1, 10**6), (907, 10**6), *((int(start), 10**5) for start in rng.integers(1, MODULUS, 100))]

    def differing(start, count):
        run = np.append(start, randomness.states(start, count, **other))
        return (run[1:] != times(DRAWS, run[:-1])).sum()

    wrong = cases("stream", starts, seed=1).measure(differing)
    return conclude(everywhere("the number of states that differ", wrong, at_most(0)))


def period(multiplier, *more):
    """The periods of a multiplier and of its square by factorisation and by running, and the first by whole numbers.

    The order of a square is half of that of the multiplier, if that is even.
    """
    ways = {"by the order": randomness.multiplicative_order, "by running": randomness.period_by_running}
    half = (M - 1) // 2
    prime = all(half % divisor for divisor in range(2, math.isqrt(half) + 1))
    found = grid(way=ways, power=(1, 2)).measure(
        lambda way, power: ways[way](pow(multiplier, power, M), MODULUS) - (M - 1) // power
    )
    return conclude(
        everywhere("the period of the power of the multiplier and M - 1 over the power", found, equal(0)),
        fact("(M - 1)/2 is prime, and neither the multiplier's square nor its power of (M - 1)/2 is 1",
             prime and 1 not in (pow(multiplier, 2, M), pow(multiplier, half, M)),
             "a smaller power of the multiplier is 1"),
        fact("the library's modulus and multipliers are those printed",
             (MODULUS, MULTIPLIER, SEED_MULTIPLIER) == (M, DRAWS_AT_ONCE, math.prod(SEEDS)),
             "the library's modulus or multipliers are not those printed"),
        *more,
        whole=True,
    )  # fmt: skip


@check("thesis-A-002", multiplier=MULTIPLIER**2 % MODULUS)
def full_period(multiplier=MULTIPLIER):
    """The control is the square, which reaches every second state."""
    return period(multiplier)


@functools.cache
def extremes(modulus):
    """The least and the largest state of M - 1 in a row, by chunks, and how many of 1, ..., M - 1 are not among them.

    Up to the first state out of range.
    """
    low, high, state, there = modulus, 0, 1, np.zeros(max(modulus, M), bool)
    other = {} if modulus == M else {"modulus": modulus}  # as a user calls it, but for the control
    for begin in range(0, M - 1, 2**20):
        run = randomness.states(state, min(2**20, M - 1 - begin), **other)
        low, high, state = min(low, run.min()), max(high, run.max()), int(run[-1])
        if not 0 < low <= high < modulus:
            break
        there[run] = True
    return low, high, M - 1 - np.count_nonzero(there[1:M])


def of_the_cycle(modulus):
    """The extremes, less 0 and less M, and how many states do not come."""
    low, high, missing = extremes(modulus)
    return exact(low), exact(high - M), exact(missing)


@check("thesis-A-003", modulus=2**26)
def states_in_range(modulus=M):
    """With a modulus that is not prime the state 0 comes and stays."""
    low, high, missing = of_the_cycle(modulus)
    return conclude(
        everywhere("the least state", low, at_least(1)), everywhere("the largest state less M", high, between(-1, -1)),
        everywhere("the number of states from 1 to M - 1 that do not come", missing, at_most(0)),
        whole=True,
    )  # fmt: skip


@check("thesis-A-024", modulus=2**26)
def range_from_the_start(modulus=M):
    """For n > 1, as printed; the states of n = 0 and 1 are in the cycle as well."""
    low, high, missing = of_the_cycle(modulus)
    return conclude(
        everywhere("the least state of the cycle, from n = 0 on,", low, at_least(1)),
        everywhere("the largest state less M", high, at_most(-1)),
        everywhere("the number of states from 1 to M - 1 that do not come", missing, at_most(0)),
        whole=True,
    )


@check("thesis-A-004", factors=SEED_FACTORS * 2)
def seed_period(factors=SEED_FACTORS):
    run = np.append(FIRST_SEED, randomness.seeds(10**6))
    return period(
        math.prod(factors) % MODULUS,
        everywhere("the number of seeds that differ", exact((run[1:] != times(SEEDS, run[:-1])).sum()), at_most(0)),
    )


@check("thesis-A-005", factors=DRAWS)
def first_seeds(factors=SEEDS):
    """One factor after the other, in whole numbers, against the library's seeds."""
    seed, gaps = 907, []
    for own in randomness.seeds(1000).tolist():
        seed = times(factors, seed)
        gaps.append(own - seed)
    return conclude(
        everywhere("the seeds of the library and those by (A.4)", exact(gaps, seed=None), equal(0)),
        aside("the first seeds", exact(randomness.seeds(3), n=(1, 2, 3))),
    )


@check("thesis-A-006", whole=True)
def small_products(whole=False):
    """The largest state is M - 1 (thesis-A-003)."""
    rules = {"(A.1)": DRAWS, "(A.4)": SEEDS}
    largest = cases("equation", rules).measure(
        lambda name: (M - 1) * max([math.prod(rules[name])] if whole else rules[name]) / 2**31
    )
    return conclude(everywhere("the largest product, in parts of 2^31,", largest, at_most(1 - 2**-31)), ours=True)


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


def by_the_draws(count):
    """Seeds from the generator of the draws."""
    return randomness.states(randomness.FIRST_SEED, count)


@check("thesis-A-036", made=by_the_draws)
def spread_seeds(made=randomness.seeds):
    """Seeds by their values and by their places on the cycle of the draws; the control takes one generator for both."""
    seeds = made(1000)
    places, there = positions(seeds)
    nearest = on_the_cycle(places[:40]).min()

    def spread(values):
        return cases("number of seeds", (10, 40, 1000)).measure(lambda n: like_random(values[:n] / MODULUS))

    return conclude(
        at_each("the values look like random ones", spread(seeds)),
        at_each("the places on the cycle look like random ones", spread(places)),
        at_each("the way from seed to seed", exact(on_the_cycle(places[:10]), pair=None), at_least(10**6)),
        aside("draws from a seed to the next", exact(np.diff(places) % (MODULUS - 1), seed=None)),
        provided=[
            fact("each seed is found on the cycle", there, "not all seeds are found on the cycle"),
            everywhere("the least distance of forty seeds", exact(nearest), at_least(1001)),
        ],
    )
