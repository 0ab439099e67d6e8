"""Claims of `thesis`, Appendix A, Sections A.1 to A.3: the DEMOS generator and its empirical tests."""

import itertools
import math

import numpy as np
from scipy import stats

from clustershare import randomness
from clustershare.randomness import FACTORS, MODULUS, MULTIPLIER, PERCENTILES, SEED_FACTORS
from compendium.press.claims import DIFFERS, UNDECIDABLE, Finding, check, erratum, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.simulation.tables import SEEDS, TABLES, frequencies

ROUNDING = 0.005 + 1e-9  # of a printed frequency
TESTS = {"A.1": 1000, "A.2+": 1000, "A.2-": 1000, "A.3": 500, "A.4": 100, "A.5": 100}


def apart(name, **reading):
    """How many entries of a table are not the printed ones after rounding."""
    return int((np.abs(frequencies(name, **reading) - TABLES[name]) > ROUNDING).sum())


def table_found(name, **reading):
    """The finding for one table."""
    ours = ", ".join(f"{value:.3f}" for value in frequencies(name, **reading))
    wrong = apart(name, **reading)
    return finding(f"{ours}; {7 - wrong} of 7 as printed", wrong == 0)


@check("thesis-A-001", modulus=MODULUS + 2)
def prime_modulus(modulus=MODULUS):
    factors = randomness.prime_factors(modulus)
    return finding(
        f"{' x '.join(map(str, FACTORS))} = {MULTIPLIER}; prime factors of {modulus}: {list(factors)}",
        factors == {modulus: 1} and MULTIPLIER == 8192,
    )


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


@check("thesis-A-003", modulus=2**26)
def states_in_range(modulus=MODULUS):
    """The extremes of the whole cycle, by chunks; with a modulus that is not prime the state 0 comes and stays."""
    low, high, state = modulus, 0, 1
    for _ in range(-(-modulus // 2**20)):
        run = randomness.states(state, 2**20, MULTIPLIER, modulus)
        low, high, state = min(low, run.min()), max(high, run.max()), int(run[-1])
        if low == 0:
            break
    return finding(f"states from {low} to {high}; M - 1 = {modulus - 1}", low >= 1 and high == modulus - 1)


@check("thesis-A-004", factors=SEED_FACTORS * 2)
def seed_period(factors=SEED_FACTORS):
    return period(math.prod(factors) % MODULUS)


@check("thesis-A-005", first=randomness.FIRST_SEED + 1)
def first_seeds(first=randomness.FIRST_SEED):
    """One factor after the other, in whole numbers, against the library's single multiplication."""
    seed, found = first, []
    for _ in range(6):
        for factor in SEED_FACTORS:
            seed = seed * factor % MODULUS
        found.append(seed)
    return finding(", ".join(map(str, found)), tuple(found) == SEEDS[1:7])


@check("thesis-A-006", factors=(MULTIPLIER,))
def small_products(factors=FACTORS):
    largest = (MODULUS - 1) * max(*factors, *SEED_FACTORS)
    return finding(f"largest product {largest / 2**31:.4f} of 2^31", largest < 2**31)


@check("thesis-A-028", stream=2)
def table_1(stream=1):
    return table_found("A.1", stream=stream)


@check("thesis-A-029", stream=2)
def table_2_plus(stream=1):
    return table_found("A.2+", stream=stream)


@check("thesis-A-009", stream=2)
def table_2_minus(stream=1):
    return table_found("A.2-", stream=stream)


@check("thesis-A-010", stream=2)
def table_3(stream=1):
    return table_found("A.3", stream=stream)


@check("thesis-A-030", looked_up=False)
def table_4(looked_up=True):
    """The control takes exact percentiles, where Knuth has an expansion."""
    return table_found("A.4", looked_up=looked_up)


@check("thesis-A-012", printed=False)
def table_5(printed=True):
    """The control compares the table with itself."""
    ours = frequencies("A.5")
    said = ", ".join(f"{value:.3f}" for value in ours)
    wrong = int((np.abs(ours - (TABLES["A.5"] if printed else ours)) > ROUNDING).sum())
    return finding(f"{said}; {7 - wrong} of 7 as printed", wrong == 0)


@check("thesis-A-013", shift=0.05)
def nominal_frequencies(shift=0.0):
    """Printed frequencies in standard errors of a binomial; half a rounding step is allowed for."""
    worst, where = 0.0, ""
    for name, printed in TABLES.items():
        level = np.array(PERCENTILES)
        error = np.sqrt(level * (1 - level) / TESTS[name])
        off = np.maximum(np.abs(np.array(printed) + shift - level) - ROUNDING, 0) / error
        if off.max() > worst:
            worst, where = off.max(), f"Table {name} at {level[off.argmax()]:g}"
    return finding(f"largest deviation {worst:.2f} standard errors, {where}", worst <= 3)


@check("thesis-A-014", lost=2)
def chi_square_law(lost=1):
    """Mean, and the distance of the law from chi-square, for ideal samples with n p_i = 50."""
    rng, probabilities = np.random.default_rng(14), np.array([0.1, 0.2, 0.3, 0.4])
    values = randomness.chi_square(rng.multinomial(500, probabilities, size=20_000), probabilities)
    off = abs(values.mean() - (4 - lost)) / (values.std() / math.sqrt(len(values)))
    return finding(f"mean {values.mean():.3f} for 4 categories, {off:.1f} standard errors from {4 - lost}", off <= 3)


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
    counted = np.zeros(len(formula))
    for sequence in itertools.product(range(types), repeat=5):
        length = next((r for r in range(types, 6) if len(set(sequence[:r])) == types), 6)
        counted[length - types] += 1 / types**5
    law = randomness.coupon_probabilities(types)
    gap = max(np.abs(law - formula).max(), np.abs(law - counted).max())
    said = " ".join(f"{81 * value:.6g}/81" for value in law)
    return finding(said, gap < 1e-12 and said == "18/81 18/81 14/81 31/81")


@check("thesis-A-016", lag=0)
def gap_law(lag=1):
    """Sums of the printed law and of the library's; the control takes the corrected exponent for the printed one."""
    law = randomness.gap_probabilities()
    printed = 0.1 + (0.1 * 0.9 ** (np.arange(1, 32) - lag)).sum() + 0.9**32
    corrected = law.sum()
    gaps = np.minimum(np.diff(np.flatnonzero(np.random.default_rng(16).random(1_000_000) < 0.1)) - 1, 32)
    error = np.sqrt(law * (1 - law) / len(gaps))
    off = (np.abs(np.bincount(gaps, minlength=33) / len(gaps) - law) / error).max()
    return erratum(
        f"printed probabilities sum to {printed:.4f}, corrected ones to {corrected:.4f}; ideal gaps are within "
        f"{off:.1f} standard errors",
        abs(printed - 1) < 1e-12, abs(corrected - 1) < 1e-12 and off < 4,
    )  # fmt: skip


@check("thesis-A-038", table="A.1")
def all_but_one_close(table="A.3"):
    """Distances from the levels as they stand, and in standard errors of a binomial less half a step of rounding."""
    level, printed = np.array(PERCENTILES), np.array(TABLES[table])
    off = np.abs(printed - level)
    errors = np.maximum(off - ROUNDING, 0) / np.sqrt(level * (1 - level) / TESTS[table])
    odd = PERCENTILES.index(0.25)
    rest = np.delete(off, odd).max(), np.delete(errors, odd).max()
    close = allows("close", off[odd])
    return over_domain(
        f"at 0.25 it is {off[odd]:.2f} off, {errors[odd]:.2f} standard errors: {'close' if close else 'not close'}; "
        f"elsewhere at most {rest[0]:.2f} and {rest[1]:.2f}",
        [allows("close", rest[0]) and off[odd] > rest[0] and errors[odd] > rest[1], not close],
    )


@check("thesis-A-020", listed=PERCENTILES)
def listed_percentiles(listed=(0.01, 0.05, 0.25, 0.5, 0.75, 0.99)):
    missing = [level for level in PERCENTILES if level not in listed]
    return erratum(f"in the tables and not in the list: {missing}", not missing, missing == [0.95])


@check("thesis-A-021", gaps=2000)
def few_gaps(gaps=100):
    """Expected counts of the categories, and what ideal gaps do to the percentiles."""
    law, rng = randomness.gap_probabilities(), np.random.default_rng(21)
    needed = math.ceil(5 / law.min())
    values = randomness.chi_square(rng.multinomial(gaps, law, size=20_000), law)
    ideal = randomness.observed_frequencies(values, stats.chi2.ppf(PERCENTILES, 32))
    off = np.abs(ideal - PERCENTILES).max()
    return finding(
        f"{gaps} gaps, {needed} needed; ideal gaps fall below the percentiles up to {off:.3f} off",
        gaps < needed and off > 0.01,
    )


@check("thesis-A-024", first=0)
def range_from_the_start(first=1):
    """The range for n = 0 and 1 too; a state of 0 would stay there."""
    run = [first]
    for _ in range(1000):
        run.append(run[-1] * MULTIPLIER % MODULUS)
    return finding(f"X_0 to X_1000 lie from {min(run)}", 1 <= min(run) and max(run) <= MODULUS - 1)


@check("thesis-A-025", tables=("A.5",))
def which_stream(tables=("A.1", "A.2+", "A.2-", "A.3", "A.4")):
    """Streams of the seeds Y_0 to Y_10, draws from X_1 on: which of them give all the tables?"""
    fitting = [stream for stream in range(11) if not any(apart(name, stream=stream) for name in tables)]
    said = f"of Y_0 to Y_10, Y_{fitting[0]} gives them and no other" if fitting else "none of Y_0 to Y_10 gives them"
    return Finding(said, UNDECIDABLE if fitting == [1] else DIFFERS)


def coupon_readings(streams):
    """Frequencies of the coupon test for several streams, skipping up to 3 subsequences between two tests."""
    for stream, skipped in itertools.product(streams, range(4)):
        lengths = np.minimum(randomness.coupon_lengths(randomness.uniforms(SEEDS[stream], 600_000)), 6)
        rows = lengths[: 100 * (1000 + skipped)].reshape(100, -1)[:, skipped:] - 3
        counts = np.stack([np.bincount(row, minlength=4) for row in rows])
        values = randomness.chi_square(counts, randomness.coupon_probabilities())
        yield randomness.observed_frequencies(values, randomness.chi_square_percentiles(3))


@check("thesis-A-026", table=(0.02, 0.06, 0.23, 0.56, 0.74, 0.98, 0.99))
def which_coupons(table=TABLES["A.5"]):
    """Readings of the coupon test: is Table A.5 among them? The control looks for what Y_1 gives."""
    fits = [int((np.abs(reading - table) <= ROUNDING).sum()) for reading in coupon_readings(range(4))]
    return Finding(f"{len(fits)} readings tried; at most {max(fits)} of 7 entries are met",
                   UNDECIDABLE if max(fits) < 7 else DIFFERS)  # fmt: skip


@check("thesis-A-027", limits=False)
def suprema(limits=True):
    """K- with the maximum over the observations only, and with limits from the left: which gives Table A.2?"""
    ordered = np.sort(randomness.uniforms(SEEDS[1], 100_000).reshape(1000, 100), axis=1)

    def found(rank):
        values = 10 * (ordered - rank / 100).max(axis=1)
        return randomness.observed_frequencies(values, randomness.kolmogorov_smirnov_percentiles(100))

    printed, corrected = (
        np.abs(found(np.arange(100) + (1 - shift)) - TABLES["A.2-"]).max() for shift in (0, 1 if limits else 0)
    )
    return erratum(
        f"Table A.2 is missed by up to {printed:.3f} with the maximum, {corrected:.3f} with the supremum",
        printed <= ROUNDING, corrected <= ROUNDING,
    )  # fmt: skip
