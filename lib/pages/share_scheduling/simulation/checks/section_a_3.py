"""Claims of `thesis`, Appendix A, Section A.3 and Tables A.1 to A.5: the empirical tests and what they find."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
from scipy import stats

from clustershare import randomness
from clustershare.randomness import MODULUS, MULTIPLIER, PERCENTILES, SEED_MULTIPLIER
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, mended, somewhere
from compendium.press.clauses.conditions import at_least, at_most, between, equal, larger, smaller, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.simulation import readings
from pages.share_scheduling.simulation.points import WITHIN_FOUR, mean_of, sampled
from pages.share_scheduling.simulation.readings import MADE, READINGS, ROUNDING, met
from pages.share_scheduling.simulation.tables import SEEDS, TABLES, TESTS, frequencies, percentiles, statistics

TOGETHER = ("A.1", "A.2+", "A.2-", "A.3", "A.4")  # tables that one reading must give


def table_found(name, multipliers=(MULTIPLIER,), found=None):
    """Whether a listed reading gives this table, and the others with it; in controls the numbers are others."""
    fits = [reading for multiplier in multipliers for reading in readings.fitting(TOGETHER, multiplier)]
    off = exact((frequencies(name) if found is None else found) - TABLES[name], level=PERCENTILES)
    return conclude(
        fact("a reading gives all of Tables A.1 to A.4", MADE in fits, "the reading does not give Tables A.1 to A.4"),
        everywhere("the difference of its frequency to the printed one", off, within(ROUNDING)),
        aside("the frequencies", exact(frequencies(name), level=PERCENTILES)),
        aside("readings that do", exact(len(fits))),
        aside("readings in all", exact(len(READINGS))),
        aside("the probability that ideal numbers give this table", exact(readings.chance(name))),
        undecidable=True,
    )


@check("thesis-A-028", multipliers=(SEED_MULTIPLIER,))
def table_1(multipliers=(MULTIPLIER,)):
    """The control draws with the seeds' generator."""
    return table_found("A.1", multipliers)


@check("thesis-A-029", multipliers=(SEED_MULTIPLIER,))
def table_2_plus(multipliers=(MULTIPLIER,)):
    return table_found("A.2+", multipliers)


@check("thesis-A-009", multipliers=(SEED_MULTIPLIER, MULTIPLIER**3 % MODULUS))
def table_2_minus(multipliers=(MULTIPLIER,)):
    """The control draws with the seeds' generator, and with the cube of the multiplier, whose period is full too."""
    return table_found("A.2-", multipliers)


@check("thesis-A-010", multipliers=(SEED_MULTIPLIER,))
def table_3(multipliers=(MULTIPLIER,)):
    return table_found("A.3", multipliers)


@check("thesis-A-030", law="printed")
def table_4(law="right"):
    """The control tests the same gaps by the law as printed."""
    if law == "right":
        return table_found("A.4")
    lengths = np.diff(np.flatnonzero(randomness.uniforms(SEEDS[1], 130_000) < 0.1), prepend=-1)[:10_000] - 1
    counts = np.stack([np.bincount(row, minlength=33) for row in np.minimum(lengths, 32).reshape(100, 100)])
    printed = 100 * np.append([0.1], [*0.1 * 0.9 ** np.arange(31), 0.9**32])
    values = ((counts - printed) ** 2 / printed).sum(axis=1)
    return table_found("A.4", found=randomness.observed_frequencies(values, percentiles("A.4")))


@check("thesis-A-025", count=1)
def which_stream(count=None):
    """How many different Tables A.1 the readings give; the control knows one reading."""
    tables = {tuple(readings.frequencies("A.1", reading).round(6)) for reading in READINGS[:count]}
    fits = [reading for reading in readings.fitting(TOGETHER) if reading in READINGS[:count]]
    return conclude(
        fact("the readings of the text give one Table A.1", len(tables) == 1,
             f"the readings of the text give {len(tables)} Tables A.1"),
        aside("readings that were tried", exact(len(READINGS[:count]))),
        aside("readings that give all of Tables A.1 to A.4", exact(len(fits))),
        aside("the i of the seed Y_i from which these begin", exact([each[0] for each in fits], reading=None)),
        undecidable=True,
    )  # fmt: skip


@functools.cache
def coupon_tables(types):
    """Table A.5 in its readings; of four types in the place of three in the reading of the other tables only."""
    if types == 3:
        return readings.coupon_readings()
    lengths = randomness.coupon_lengths(randomness.uniforms(SEEDS[MADE[0]], 900_000), types)
    return {"other": readings.coupon_frequencies(lengths, 0, types, 6)}


@check("thesis-A-012", table="its own")
def table_5(table="printed"):
    """Is Table A.5 among the readings? The control's table is made by one of them, and must be found."""
    made = frequencies("A.5")
    wanted = np.round(made, 2) if table == "its own" else TABLES["A.5"]
    found = coupon_tables(3)
    fits = [met_of(ours, wanted) for ours in found.values()]
    of_four = max(met_of(ours, wanted) for ours in coupon_tables(4).values())
    return conclude(
        somewhere("the number of entries of the table that a reading gives", exact(fits, reading=None), between(7, 7)),
        fact("no reading of four types gives the table", of_four < 7, "four types give the table of three"),
        aside("the frequencies in the reading of the other tables", exact(made, level=PERCENTILES)),
        provided=[
            everywhere(f"in the reading of the other tables, the library's frequency less that {other}",
                       exact(made - theirs, level=PERCENTILES), within(1e-9))
            for other, theirs in (("counted one by one", counted_one_by_one()),
                                  ("among the readings", found[MADE[0], MADE[2], "at the head", 0]))
        ],
        undecidable=True,
    )  # fmt: skip


def counted_one_by_one():
    """Table A.5 in the reading of the other tables, number by number."""
    kinds, counts, seen, length = (3 * randomness.uniforms(SEEDS[MADE[0]], 1_000_000)).astype(int), [0] * 4, set(), 0
    law, below = np.array([18, 18, 14, 31]) / 81, []
    for kind in kinds.tolist():
        seen.add(kind)
        length += 1
        if len(seen) == 3:
            counts[min(length, 6) - 3] += 1
            seen, length = set(), 0
            if sum(counts) == 1000:
                below.append(stats.chi2.cdf(sum((np.array(counts) - 1000 * law) ** 2 / (1000 * law)), 3))
                counts = [0] * 4
        if len(below) == 100:
            break
    return np.mean(np.array(below)[:, None] <= PERCENTILES, axis=0)


def met_of(found, wanted):
    """How many entries of a table are those wanted."""
    return int((np.abs(found - wanted) <= ROUNDING).sum())


@check("thesis-A-026", count=1)
def which_coupons(count=None):
    """How many different Tables A.5 the readings give, and the most entries that one meets."""
    found = list(coupon_tables(3).values())[:count]
    tables = {tuple(ours.round(6)) for ours in found}
    return conclude(
        fact("the readings of the text give one Table A.5", len(tables) == 1,
             f"the {len(found)} readings of the text give {len(tables)} Tables A.5"),
        aside("entries that a reading meets, of seven", exact([met("A.5", ours) for ours in found], reading=None)),
        undecidable=True,
    )  # fmt: skip


def off_the_levels(tables, numbers="printed"):
    """By how much frequencies differ from the levels, and in standard errors, less half a step of rounding."""
    level, tests = np.array(PERCENTILES), np.array([[TESTS[name]] for name in tables])
    if numbers == "printed":
        values = np.array([TABLES[name] for name in tables])
    else:
        u = randomness.uniforms(SEEDS[1], 1_000_000) ** 2
        values = np.array([randomness.observed_frequencies(statistics(name, u), percentiles(name)) for name in tables])
    errors = np.maximum(np.abs(values - level) - ROUNDING, 0) / np.sqrt(level * (1 - level) / tests)
    axes = {"table": tables, "level": PERCENTILES}
    return exact(values, **axes) - exact(level, level=PERCENTILES), exact(errors, **axes)


def computed_again(*tables):
    """A clause: the tests of the library give these printed frequencies of the numbers of the generator."""
    off = exact([frequencies(name) - TABLES[name] for name in tables], table=tables, level=PERCENTILES)
    return everywhere("the printed frequency, less that computed again,", -off, within(ROUNDING))


@check("thesis-A-013", numbers="squared", tables=("A.1", "A.2+"))
def close_frequencies(numbers="printed", tables=("A.1", "A.2+", "A.2-")):
    """Printed frequencies against the levels: of Tables A.1 and A.2, which the text speaks of, and of the others."""
    (off, errors), (others, in_errors) = off_the_levels(tables, numbers), off_the_levels(("A.3", "A.4", "A.5"))
    return conclude(
        at_each("the distance of the frequency to its level", off, within("close")),
        at_each("that in standard errors", errors, at_most(3)),
        *(aside(f"the distances in Table {name}", off.at(table=name).distance()) for name in tables),
        aside("the largest distance in another table", others.distance().largest("level")),
        aside("the largest in standard errors", in_errors.largest("level")),
        together=("table", "level"),
        provided=[computed_again(*tables)],
    )


@check("thesis-A-020", stream=2)
def levels_of_the_list(stream=1):
    """Is what Table A.1 prints for 0.95 the frequency at that level, and at no other?"""
    printed = TABLES["A.1"][5]
    near = [level for level, value in zip(PERCENTILES, frequencies("A.1", stream)) if abs(value - printed) <= ROUNDING]
    return mended(
        fact("0.95 is no level of the list", 0.95 not in PERCENTILES, "0.95 is a level of the list"),
        fact(f"the printed {printed:g} is the frequency at 0.95 alone", near == [0.95],
             f"the printed {printed:g} is not the frequency at 0.95 alone"),
    )  # fmt: skip


@check("thesis-A-038", table="A.1")
def all_but_one_close(table="A.3"):
    """Distances from the levels, of which that at 0.25 is to be the odd one."""
    off, errors = (each.at(table=table) for each in off_the_levels((table,)))
    others, frequency = tuple(level for level in PERCENTILES if level != 0.25), TABLES[table][PERCENTILES.index(0.25)]
    odd = exact(abs(frequency - 0.25) / max(frequency, 0.25))
    return conclude(
        at_each("the distance of the frequency to its level", off.at(level=others), within("close")),
        aside("the distance to the level", off.distance()),
        aside("the distance in standard errors", errors),
        provided=[everywhere("that at 0.25, as a part of the larger,", odd, larger(SCALE["close"].most)),
                  computed_again(table)],
    )  # fmt: skip


def stirling(n, k):
    """Ways to divide n things into k sets that are not empty."""
    if n == 0 or k == 0:
        return int(n == k)
    return k * stirling(n - 1, k) + stirling(n - 1, k - 1)


@check("thesis-A-015", types=4)
def coupon_law(types=3):
    """Inclusion and exclusion, Knuth's formula, and a count of all sequences of five."""
    formula = [math.factorial(types) / types**r * stirling(r - 1, types - 1) for r in range(types, 6)]
    formula.append(1 - math.fsum(formula))
    other = {} if types == 3 else {"types": types}  # three are the library's
    counted, differing = np.zeros(len(formula)), 0
    for sequence in itertools.product(range(types), repeat=5):
        length = next((r for r in range(types, 6) if len(set(sequence[:r])) == types), 6)
        counted[length - types] += 1 / types**5
        differing += [*randomness.coupon_lengths((np.array(sequence) + 0.5) / types, **other), 6][0] != length
    values = randomness.coupon_test(np.random.default_rng(15).random(225_000 * types), 20, 5000, **other)
    law = np.array(randomness.coupon_probabilities(**other))
    laws = {"the printed one": np.resize([18, 18, 14, 31], len(law)) / 81, "Knuth's": formula, "that counted": counted}
    return conclude(
        *(
            everywhere(f"the library's law and {name}", exact(law - one, length=None), equal(1e-12))
            for name, one in laws.items()
        ),
        everywhere(f"of {types**5} sequences, those whose length the library counts otherwise", exact(differing),
                   at_most(0)),
        everywhere("the mean of the library's statistic", mean_of(values, len(law) - 1), WITHIN_FOUR),
        aside("81 times the law", exact(81 * law, length=None)),
        whole=True,
    )  # fmt: skip


def counted_gaps(width, longest=12):
    """The law of the numbers outside an interval before the next one inside, in fractions, from all words."""
    law = [Fraction(0)] * (longest + 1)
    for word in itertools.product((True, False), repeat=longest):
        weight = math.prod((width if inside else 1 - width) for inside in word)
        law[word.index(True) if True in word else longest] += weight
    return np.array(law, dtype=float)


@check("thesis-A-016", distances=True)
def gap_law(distances=False):
    """A gap of i numbers in between; the control counts the distance of two occurrences, one more."""
    rng = np.random.default_rng(16)

    def laws(width):
        w, lengths = float(width), np.arange(41)
        printed = np.append(w, w * (1 - w) ** (lengths[1:] - 1))
        library, counted = randomness.gap_probabilities(w, 41), counted_gaps(width)
        wrong = printed[1:13] - counted[:12] if distances else printed[:12] - counted[:12]  # distances are 1 at least
        numbers = rng.random(math.ceil(1.01e6 / w))
        inside = np.flatnonzero(numbers < w)
        gaps = np.minimum(np.diff(inside)[:1_000_000] - 1, 41)
        error = np.maximum(np.sqrt(library * (1 - library) / len(gaps)), 1e-9)
        return {
            "printed": np.abs(wrong).max(),
            "library": np.abs([*(library[:12] - counted[:12]), library.sum() - 1]).max(),
            "ideal": sampled(np.bincount(gaps, minlength=42) / len(gaps) - library, error, gap=None),
            "test": mean_of(randomness.gap_test(numbers[: math.ceil(1.1e5 / w)], 20, 5000, w, 12), 12),
            "sum": printed[:32].sum() + (1 - w) ** 32,
        }

    # As a user asks: gaps below 0.1, those of 32 or more in one category, by 100 tests of 100 gaps.
    law, u = np.append(0.1 * 0.9 ** np.arange(32), 0.9**32), rng.random(130_000)
    lengths = np.minimum(np.diff(np.flatnonzero(u < 0.1), prepend=-1)[:10_000] - 1, 32).reshape(100, 100)
    counts = (lengths[:, :, None] == np.arange(33)).sum(axis=1)
    values = ((counts - 100 * law) ** 2 / (100 * law)).sum(axis=1)
    widths = (Fraction(1, 20), Fraction(1, 10), Fraction(3, 10), Fraction(1, 2))
    found = cases("width", widths, [float(width) for width in widths], seed=16).measure(laws)
    return mended(
        everywhere("the printed probabilities and those counted", found["printed"], equal(1e-12)),
        everywhere("the corrected ones and those counted", found["library"], equal(1e-12)),
        everywhere("the frequency of a gap between ideal numbers", found["ideal"], WITHIN_FOUR),
        everywhere("the mean of the library's statistic of such gaps", found["test"], WITHIN_FOUR),
        everywhere(
            "the library's law of the 33 categories and the corrected one with (A.15)",
            exact(randomness.gap_probabilities() - law, length=None),
            equal(1e-12),
        ),
        everywhere(
            "its statistics of gaps and those by this law",
            exact(randomness.gap_test(u) - values, test=None),
            equal(1e-9),
        ),
        aside("the sum of the printed probabilities", found["sum"]),
    )


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
    demos = rarest(randomness.uniforms(SEEDS[1], 1_000_000))
    ends = -(-np.arange(BINS + 1) * MODULUS // BINS)  # the first state of each bin
    counts = np.diff(np.clip(ends, 1, MODULUS))
    v = float(randomness.chi_square(counts[None], np.full(BINS, 1 / BINS))[0])
    return conclude(
        somewhere("the least probability of a tail", exact([*tails.values()], period=tails), at_most(RARE)),
        everywhere("that of DEMOS", exact(demos), at_least(RARE)),
        everywhere("V of DEMOS over its whole cycle, less its 1 % level,",
                   exact(v - randomness.chi_square_percentiles(BINS - 1)[0]), smaller()),
        whole=True,
    )  # fmt: skip
