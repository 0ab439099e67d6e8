"""Claims of `thesis`, Appendix A, Tables A.1, A.2, A.3, A.4, A.5: the frequencies of the empirical tests."""

import functools

import numpy as np

from clustershare import randomness
from clustershare.randomness import MODULUS, MULTIPLIER, PERCENTILES, SEED_MULTIPLIER
from compendium.press.findings import AGREES, UNDECIDABLE, Finding, check, erratum, finding, over_domain
from compendium.press.words import allows
from pages.share_scheduling.simulation import readings
from pages.share_scheduling.simulation.readings import MADE, READINGS, ROUNDING, met
from pages.share_scheduling.simulation.tables import SEEDS, TABLES, TESTS, frequencies, percentiles, statistics

TOGETHER = ("A.1", "A.2+", "A.2-", "A.3", "A.4")  # tables that one reading must give


def table_found(name, multipliers=(MULTIPLIER,)):
    """Whether a listed reading gives this table, and the others with it; in controls the numbers are others."""
    fits = [reading for multiplier in multipliers for reading in readings.fitting(TOGETHER, multiplier)]
    ours = frequencies(name)
    right = MADE in fits and met(name, ours) == 7
    chance = readings.chance(name)
    said = ", ".join(f"{value:.3f}" for value in ours) if right else "not found"
    return Finding(
        f"{said}; {len(fits)} of {len(READINGS)} readings give all of Tables A.1 to A.4; ideal numbers give this one "
        f"with probability {chance:.1g}",
        AGREES if right else UNDECIDABLE,
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


@check("thesis-A-030", multipliers=(SEED_MULTIPLIER,), law="printed")
def table_4(multipliers=(MULTIPLIER,), law="right"):
    """The control draws with the seeds' generator, and tests the right numbers by the law as printed."""
    found = table_found("A.4", multipliers)
    if law == "right":
        return found
    lengths = np.diff(np.flatnonzero(randomness.uniforms(SEEDS[1], 130_000) < 0.1), prepend=-1)[:10_000] - 1
    counts = np.stack([np.bincount(row, minlength=33) for row in np.minimum(lengths, 32).reshape(100, 100)])
    printed = 100 * np.append([0.1], [*0.1 * 0.9 ** np.arange(31), 0.9**32])
    values = ((counts - printed) ** 2 / printed).sum(axis=1)
    same = met("A.4", randomness.observed_frequencies(values, percentiles("A.4"))) == 7
    return Finding(found.computed, AGREES if same else found.verdict)


@check("thesis-A-025", count=1)
def which_stream(count=None):
    """How many different Tables A.1 the readings give; the control knows one reading."""
    tables = {tuple(readings.frequencies("A.1", reading).round(6)) for reading in READINGS[:count]}
    fits = [reading for reading in readings.fitting(TOGETHER) if reading in READINGS[:count]]
    alike = {reading[0] for reading in fits} == {MADE[0]} and {reading[2:] for reading in fits} == {MADE[2:]}
    return Finding(
        f"{len(READINGS[:count])} readings give {len(tables)} tables A.1; {len(fits)} of them give all of A.1 to A.4"
        + (": the stream of Y_1 from X_1 on, percentiles as in Knuth, U = X/M or X/(M - 1)" if alike else ""),
        UNDECIDABLE if len(tables) > 1 else AGREES,
    )


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
    fits = [int((np.abs(ours - wanted) <= ROUNDING).sum()) for ours in found.values()]
    other = max(int((np.abs(ours - wanted) <= ROUNDING).sum()) for ours in coupon_tables(4).values())
    if other == 7:
        raise ArithmeticError("Four types give the table of three.")
    said = ", ".join(f"{value:.2f}" for value in made)
    return Finding(
        f"the reading of the other tables gives {said}; of {len(found)} readings {sum(fit == 7 for fit in fits)} give "
        f"all seven entries, the best {max(fits)}",
        AGREES if max(fits) == 7 else UNDECIDABLE,
    )


@check("thesis-A-026", count=1)
def which_coupons(count=None):
    """How many different Tables A.5 the readings give, and the most entries that one meets."""
    found = list(coupon_tables(3).values())[:count]
    tables = {tuple(ours.round(6)) for ours in found}
    most = max(met("A.5", ours) for ours in found)
    return Finding(
        f"{len(found)} readings give {len(tables)} tables; at most {most} of 7 entries are met",
        UNDECIDABLE if len(tables) > 1 else AGREES,
    )


def wrong_numbers(kind):
    """Numbers that are not uniform, or whose period is short."""
    if kind == "squared":
        return randomness.uniforms(SEEDS[1], 1_000_000) ** 2
    return randomness.states(1, 1_000_000, 11, 1009) / 1009


@check("thesis-A-013", numbers=("squared", "of short period"))
def close_frequencies(numbers=("printed",)):
    """Printed frequencies against the levels: as they stand, and in standard errors less half a step of rounding."""
    level, holds, said = np.array(PERCENTILES), [], []
    for kind in numbers:
        worst, errors = {}, {}
        for name, printed in TABLES.items():
            values = printed
            if kind != "printed":
                values = randomness.observed_frequencies(statistics(name, wrong_numbers(kind)), percentiles(name))
            off = np.abs(np.array(values) - level)
            worst[name] = off.max()
            errors[name] = (np.maximum(off - ROUNDING, 0) / np.sqrt(level * (1 - level) / TESTS[name])).max()
        first = ("A.1", "A.2+", "A.2-")
        rest = [name for name in TABLES if name not in first]
        holds.append(allows("close", max(worst[name] for name in first)) and max(errors[n] for n in first) <= 3)
        said.append(
            f"{kind}, Tables A.1 and A.2: at most {max(worst[n] for n in first):.2f} and "
            f"{max(errors[n] for n in first):.1f} standard errors off; A.3 to A.5: {max(worst[n] for n in rest):.2f} "
            f"and {max(errors[n] for n in rest):.1f}"
        )
    return finding("; ".join(said), any(holds))


@check("thesis-A-020", stream=2)
def levels_of_the_list(stream=1):
    """Is what Table A.1 prints for 0.95 the frequency at that level, and at no other?"""
    found = dict(zip(PERCENTILES, frequencies("A.1", stream)))
    near = [level for level, value in found.items() if abs(value - TABLES["A.1"][5]) <= ROUNDING]
    return erratum(
        f"{len(found)} levels; {TABLES['A.1'][5]:g} is the frequency at {', '.join(map(str, near)) or 'none of them'}",
        0.95 not in found, near == [0.95],
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
