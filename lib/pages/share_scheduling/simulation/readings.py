"""Readings of how the tests of `thesis`, Section A.3, were run: the text names no stream and no map to uniform numbers.

All that may be tried is listed here, before any table is compared, so that it can be said how many readings there
were, and how many streams of ideal random numbers would have met a table by chance.
"""

import functools
import itertools
import math

import numpy as np
from scipy import stats

from clustershare import randomness
from clustershare.randomness import MODULUS, MULTIPLIER, PERCENTILES
from pages.share_scheduling.simulation.tables import SEEDS, TABLES, TESTS, percentiles, statistics

ROUNDING = 0.005 + 1e-9  # of a printed frequency
# The stream of Y_i, what a state is divided by, whether the first draw is X_0 or X_1, and whether percentiles are
# those of Knuth's book or exact.
READINGS = tuple(itertools.product(range(41), (0, -1), (0, 1), (True, False)))
NUMBERS = {"A.1": 100_000, "A.2+": 100_000, "A.2-": 100_000, "A.3": 1_000_000, "A.4": 130_000}
MADE = (1, 0, 1, True)  # the reading of the page
COUPON_STREAMS = range(11)
MOST_SKIPPED = 3


def draws(reading, count, multiplier=MULTIPLIER):
    """The first numbers of a reading, each in [0, 1)."""
    stream, less, first, _ = reading
    seed = SEEDS[stream]
    states = randomness.states(seed, count, multiplier)
    if first == 0:
        states = np.append(seed, states[:-1])
    return np.minimum(states / (MODULUS + less), 1 - 2**-53)


@functools.cache
def _statistics(name, stream, less, first, multiplier):
    return statistics(name, draws((stream, less, first, None), NUMBERS[name], multiplier))


def frequencies(name, reading, multiplier=MULTIPLIER):
    """One table in a reading."""
    *drawn, looked_up = reading
    return randomness.observed_frequencies(_statistics(name, *drawn, multiplier), percentiles(name, looked_up))


def met(name, found):
    """How many entries of a table, rounded, are those printed."""
    return int((np.abs(found - TABLES[name]) <= ROUNDING).sum())


@functools.cache
def fitting(names, multiplier=MULTIPLIER):
    """The readings that give all of some tables, each tried with those that gave the tables before."""
    left = READINGS
    for name in names:
        left = tuple(reading for reading in left if met(name, frequencies(name, reading, multiplier)) == 7)
    return left


def chance(name):
    """The probability that a stream of ideal random numbers gives all seven entries of a table: exact."""
    tests, levels = TESTS[name], np.array(PERCENTILES)
    below = {0: 1.0}  # how many tests are at most at the level so far
    for level, before, printed in zip(levels, np.append(0, levels[:-1]), TABLES[name]):
        least = math.ceil(tests * (printed - ROUNDING))
        most = math.floor(tests * (printed + ROUNDING))
        part = (level - before) / (1 - before)
        after = {}
        for count, weight in below.items():
            for now in range(max(count, least), most + 1):
                p = stats.binom.pmf(now - count, tests - count, part)
                after[now] = after.get(now, 0.0) + weight * float(p)
        below = after
    return sum(below.values())


def coupon_frequencies(lengths, skipped, types=3, longest=6):
    """Table A.5 from the lengths of subsequences, leaving some out before each of the 100 tests of 1000."""
    rows = np.minimum(lengths[: 100 * (1000 + skipped)], longest).reshape(100, -1)[:, skipped:] - types
    counts = np.stack([(rows == kind).sum(axis=1) for kind in range(longest - types + 1)], axis=1)
    found = randomness.chi_square(counts, randomness.coupon_probabilities(types, longest))
    return randomness.observed_frequencies(found, percentiles("A.5"))


def _behind(u, start):
    """Where the coupon collector's test begins, if that of 10 000 gaps begins here."""
    return start + int(np.flatnonzero(u[start : start + 120_000] < 0.1)[9_999]) + 1


def _lengths(u, start, known):
    """The subsequences from a start on: those known from another start, from the first end on that both have.

    `known` are those of a start nearby, and where they end; None if there are none yet.
    """
    if known is None:
        lengths = randomness.coupon_lengths(u[start : start + 580_000])
        return lengths, start + lengths.cumsum()
    head = randomness.coupon_lengths(u[start : start + 3_000])
    ends = start + head.cumsum()
    meeting = np.intersect1d(ends, known[1][:2_000], assume_unique=True)[0]
    lengths = np.append(head[ends <= meeting], known[0][known[1] > meeting])
    return lengths, start + lengths.cumsum()


@functools.cache
def coupon_readings():
    """Table A.5 in all its readings: the stream, the first draw, where the test begins, what is skipped.

    X / M and X / (M - 1) are in the same third for all states but two, which are looked for.
    """
    found = {}
    for stream in COUPON_STREAMS:
        states = np.append(SEEDS[stream], randomness.states(SEEDS[stream], 1_900_000))
        if (states == (2 * MODULUS - 1) // 3).any() or (states == MODULUS - 1).any():
            raise ArithmeticError("X / M and X / (M - 1) are not in the same third.")
        u, known = states / MODULUS, {}
        for first in (0, 1):
            for place in ("at the head", 1_100_000, 1_200_000):
                start = first if place == "at the head" else _behind(u, first + place)
                known[place] = lengths, _ = _lengths(u, start, known.get(place))
                for skipped in range(MOST_SKIPPED + 1):
                    found[stream, first, place, skipped] = coupon_frequencies(lengths, skipped)
    return found
