"""The generator and every empirical test of it, by plain counts."""

import math

import numpy as np
from scipy import special

from clustershare import randomness
from compendium.press.clauses import cases, equalities, fact
from pages.agreement import gap, refused

ROUNDING = 1e-9

PRIME, FACTOR, FIRST, SEED_FACTOR = 67_099_547, 8192, 907, 36_855  # (A.1)-(A.4)
LEVELS = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)  # of Tables A.1 to A.5


def run(start, count, factor=FACTOR, prime=PRIME):
    """States of a multiplicative generator, one after the other."""
    found = []
    for _ in range(count):
        start = start * factor % prime
        found.append(start)
    return found


def on_generators():
    """States, seeds, uniform numbers, periods and factors."""

    def one(start, count):
        return {
            "states and products": gap(randomness.states(start, count), run(start, count)),
            "those of another generator": gap(
                randomness.states(start % 1008 + 1, count, 11, 1009), run(start % 1008 + 1, count, 11, 1009)
            ),
            "uniform numbers and states": gap(
                randomness.uniforms(start, count), [state / PRIME for state in run(start, count)]
            ),
            "seeds and products": gap(randomness.seeds(count), run(FIRST, count, SEED_FACTOR)),
        }

    some = ((1, 1), (907, 3), (33_427_485, 40), (PRIME - 1, 300), (5, 64))
    yield from equalities(cases("run", some).measure(one), 1e-15)

    def order(factor, prime):
        count, power = 1, factor % prime
        while power != 1:
            count, power = count + 1, power * factor % prime
        return count

    def period(factor, prime):
        own = order(factor, prime)
        chunks = (1, 7, own, own + 1, 2 * prime, 2**18)
        seen = [
            randomness.period_by_running(factor, prime, 1 + k % (prime - 1), chunk) for k, chunk in enumerate(chunks)
        ]
        return gap([randomness.multiplicative_order(factor, prime), *seen], [own] * 7)

    some = [(factor, prime) for prime in (2, 7, 31, 97, 1009) for factor in (1, 2, 3, 11, prime - 1) if factor < prime]
    yield from equalities({"periods and powers": cases("generator", some).measure(period)}, 0)
    composite = [randomness.period_by_running(7, 15, 2), randomness.period_by_running(4, 9, 4)]

    def factors(n):
        found, rest = {}, n
        for divisor in range(2, n + 1):
            while rest % divisor == 0:
                found[divisor], rest = found.get(divisor, 0) + 1, rest // divisor
        return float(randomness.prime_factors(n) != found)

    some = cases("number", (2, 3, 4, 36, 97, 360, 1001, 1024, 2 * 31**2))
    yield from equalities({"prime factors and divisions": some.measure(factors)}, 0)
    half = (PRIME - 1) // 2  # a prime
    whole = all(pow(FACTOR, power, PRIME) != 1 for power in (1, 2, half))
    known = (
        composite == [4, 3]
        and randomness.prime_factors(PRIME) == {PRIME: 1}
        and randomness.prime_factors(PRIME - 1) == {2: 1, half: 1}
        and whole
        and randomness.multiplicative_order(FACTOR, PRIME) == PRIME - 1
        and randomness.multiplicative_order(FACTOR**2 % PRIME, PRIME) == half
        and (randomness.MODULUS, randomness.MULTIPLIER, randomness.FIRST_SEED) == (PRIME, FACTOR, FIRST)
        and (randomness.SEED_MULTIPLIER, randomness.FACTORS) == (SEED_FACTOR, (32, 32, 8))
        and randomness.SEED_FACTORS == (7, 13, 15, 27)
    )
    yield fact("the generators are those of the text", known, "the generators are not those of the text")


def squares(counts, parts):
    """Chi-square statistics, row by row."""
    return [sum((n - sum(row) * p) ** 2 / (sum(row) * p) for n, p in zip(row, parts)) for row in counts]


def gaps_of(u, width):
    """How many numbers are outside between those below a width."""
    found, length = [], 0
    for one in u.tolist():
        if one < width:
            found.append(length)
            length = 0
        else:
            length += 1
    return found


def coupons_of(u, kinds):
    """How many numbers it takes to see all kinds, again and again."""
    found, seen, length = [], set(), 0
    for one in u.tolist():
        seen.add(int(one * kinds))
        length += 1
        if len(seen) == kinds:
            found.append(length)
            seen, length = set(), 0
    return found


def tallied(values, rows, each, kinds):
    """How often each of so many kinds occurs, the last of them with all beyond, in rows of so many values."""
    counts = np.zeros((rows, kinds), dtype=int)
    np.add.at(counts, (np.arange(rows * each) // each, np.minimum(values[: rows * each], kinds - 1)), 1)
    return counts.tolist()


def gap_law(width, longest):
    """Of gaps of each length, the last with all that are longer, step by step."""
    found, left = [], 1.0
    for _ in range(longest):
        found.append(left * width)
        left *= 1 - width
    return [*found, left]


def coupon_law(kinds, longest):
    """Of lengths from the number of kinds on, by the number of kinds that have been seen."""
    seen, found = [1.0] + [0.0] * kinds, []
    for length in range(1, longest):
        before = seen[kinds]
        seen = [seen[k] * (k / kinds) + (seen[k - 1] * (kinds - k + 1) / kinds if k else 0.0) for k in range(kinds + 1)]
        found += [seen[kinds] - before] * (length >= kinds)
    return [*found, 1 - seen[kinds]]


def on_tests():
    """Every empirical test, with settings of its own and with those of the text; laws and percentiles."""
    u = np.random.default_rng(9).random(1_000_000)
    some = u[:6000]
    wide = [int(x * 7) for x in some]
    pairs = [int(a * 3) * 3 + int(b * 3) for a, b in zip(some[::2], some[1::2])]
    rows = np.sort(some[:80].reshape(4, 20), axis=1)
    above = [max((k + 1) / 20 - x for k, x in enumerate(row)) * math.sqrt(20) for row in rows]
    below = [max(x - k / 20 for k, x in enumerate(row)) * math.sqrt(20) for row in rows]
    texts = [((k + 1) / 100 - row, row - k / 100) for k, row in enumerate(np.sort(u[:100_000].reshape(1000, 100)).T)]
    plus, minus = (10 * np.max([one[side] for one in texts], axis=0) for side in (0, 1))
    in_text = (u[:1_000_000] * 10).astype(int)
    gaps, coupons = gaps_of(u[:120_000], 0.1), coupons_of(u[:600_000], 3)
    fours = np.array(coupons_of(some, 4)) - 4
    tests = {
        "equidistribution": (
            randomness.equidistribution_test(some, 11, 300, 7), squares(tallied(wide, 11, 300, 7), [1 / 7] * 7)
        ),
        "equidistribution in the text": (
            randomness.equidistribution_test(u), squares(tallied(in_text, 1000, 100, 10), [0.1] * 10)
        ),
        "Kolmogorov-Smirnov": (randomness.kolmogorov_smirnov_test(some, 4, 20), (above, below)),
        "Kolmogorov-Smirnov in the text": (randomness.kolmogorov_smirnov_test(u), (plus, minus)),
        "serial": (randomness.serial_test(some, 5, 200, 3), squares(tallied(pairs, 5, 200, 9), [1 / 9] * 9)),
        "serial in the text": (
            randomness.serial_test(u), squares(tallied(in_text[::2] * 10 + in_text[1::2], 500, 1000, 100), [0.01] * 100)
        ),
        "gaps": (
            randomness.gap_test(some, 6, 40, 0.3, 5), squares(tallied(gaps_of(some, 0.3), 6, 40, 6), gap_law(0.3, 5))
        ),
        "gaps in the text": (randomness.gap_test(u[:120_000]), squares(tallied(gaps, 100, 100, 33), gap_law(0.1, 32))),
        "coupons": (
            randomness.coupon_test(some, 3, 50, 4, 11), squares(tallied(fours, 3, 50, 8), coupon_law(4, 11))
        ),
        "coupons in the text": (
            randomness.coupon_test(u[:600_000]),
            squares(tallied(np.array(coupons) - 3, 100, 1000, 4), coupon_law(3, 6)),
        ),
        "lengths of coupons": (randomness.coupon_lengths(some), coupons_of(some, 3)),
        "those of five kinds": (randomness.coupon_lengths(some, 5), coupons_of(some, 5)),
        "chi-square": (
            randomness.chi_square([[3, 0, 7], [40, 1, 9]], [0.2, 0.5, 0.3]),
            squares([[3, 0, 7], [40, 1, 9]], [0.2, 0.5, 0.3]),
        ),
        "laws of gaps": (
            np.concatenate([randomness.gap_probabilities(), randomness.gap_probabilities(0.37, 4)]),
            [*gap_law(0.1, 32), *gap_law(0.37, 4)],
        ),
        "laws of coupons": (
            np.concatenate([
                randomness.coupon_probabilities(), randomness.coupon_probabilities(2, 3),
                randomness.coupon_probabilities(6, 40)
            ]),
            [*coupon_law(3, 6), *coupon_law(2, 3), *coupon_law(6, 40)],
        ),
        "frequencies": (
            randomness.observed_frequencies([3.0, 1.0, 2.0, 2.0, 9.0], [0.5, 1.0, 2.0, 8.0, 9.0]), [0, 0.2, 0.6, 0.8, 1]
        ),
    }  # fmt: skip
    found = cases("test", tests).measure(lambda name: gap(*tests[name]))
    yield from equalities({"tests and counts": found}, ROUNDING)

    def level(degrees, levels):
        """What is below the percentiles: of the law itself, or of the normal one of the printed expansion."""
        found = randomness.chi_square_percentiles(degrees, levels)
        if degrees <= 30:
            return gap(special.gammainc(degrees / 2, found / 2), levels)
        roots = special.ndtri(levels)
        return gap(found, [degrees + math.sqrt(2 * degrees) * x + 2 * (x * x - 1) / 3 for x in roots])

    some = [(degrees, levels) for degrees in (1, 3, 9, 30, 31, 99) for levels in (LEVELS, (0.1, 0.9))]
    yield from equalities({"levels of chi-square percentiles": cases("law", some).measure(level)}, ROUNDING)

    def above_of(count, levels):
        """What is above the percentiles of K+, by the sum of Smirnov, and Birnbaum and Tingey."""
        found = randomness.kolmogorov_smirnov_percentiles(count, levels) / math.sqrt(count)
        beyond = [
            d * sum(math.comb(count, j) * (d + j / count) ** (j - 1) * (1 - d - j / count) ** (count - j)
                    for j in range(math.floor(count * (1 - d)) + 1))
            for d in found.tolist()
        ]  # fmt: skip
        return gap(np.subtract(1, beyond), levels)

    some = [(count, levels) for count in (1, 2, 7, 30, 100) for levels in (LEVELS, (0.1, 0.9))]
    yield from equalities({"levels of percentiles of K+ and K-": cases("law", some).measure(above_of)}, ROUNDING)
    usual = tuple(randomness.PERCENTILES) == LEVELS and not (
        gap(randomness.chi_square_percentiles(5), randomness.chi_square_percentiles(5, LEVELS))
        + gap(randomness.kolmogorov_smirnov_percentiles(5), randomness.kolmogorov_smirnov_percentiles(5, LEVELS))
    )
    usual = usual and refused(ValueError, randomness.equidistribution_test, [0.5] * 9, 2, 5, 2)
    yield fact("the levels are those of the text", usual, "the levels are not those of the text")
