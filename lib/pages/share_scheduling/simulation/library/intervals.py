"""Estimates and their intervals, run lengths, and where a beginning is cut off."""

import itertools
import math
import types

import numpy as np
from scipy import special

from clustershare import estimates, run_length, truncation
from clustershare.estimates import Estimate
from compendium.press.clauses import cases, equalities, fact
from pages.agreement import gap, refused

ROUNDING = 1e-9


def half_widths(variances, count):
    """Of means with such variances: Student's quantile, from its distribution function."""
    return special.stdtrit(count - 1, 0.975) * np.sqrt(variances)


def on_estimates():
    """Values and half widths of replications and of batches, with covariances and with controls."""

    def one(number, count):
        rng = np.random.default_rng(number)
        gaps, shapes = {"replications": 0.0, "batches": 0.0, "variances": 0.0}, ((), (3,), (2, 3))
        for shape in shapes:
            samples = rng.exponential(2, (count, *shape)) - 1
            rows = [samples[k] for k in range(count)]
            mean = sum(rows) / count
            variance = sum((row - mean) ** 2 for row in rows) / (count - 1)
            found = estimates.from_replications(samples)
            gaps["replications"] += gap(found.value, mean) + gap(found.half_width, half_widths(variance / count, count))
            if len(shape) > 1:
                continue
            for lags in {0, 1, min(3, count - 1), count - 1}:
                own = variance / count
                for lag in range(1, lags + 1):
                    covariance = sum((a - mean) * (b - mean) for a, b in zip(rows, rows[lag:])) / (count - 1)
                    own = own + 2 * (1 - lag / count) * covariance / count
                gaps["variances"] += gap(estimates.variance_of_mean(samples, lags), own)
                found = estimates.from_batches(samples, lags)
                with np.errstate(invalid="ignore"):
                    expected = np.where(own < 0, -1, half_widths(own, count))
                gaps["batches"] += gap(found.value, mean)
                gaps["batches"] += gap(np.where(np.isnan(found.half_width), -1, found.half_width), expected)
            plain = estimates.from_batches(samples)
            gaps["batches"] += gap(plain.half_width, half_widths(variance / count, count))
            gaps["variances"] += gap(estimates.variance_of_mean(samples), variance / count)
        return {f"{name} and sums": gap for name, gap in gaps.items()}

    some = cases("set of samples", [(k, count) for k, count in enumerate((2, 3, 10, 30, 60, 200))], seed=0)
    yield from equalities(some.measure(one), ROUNDING)
    lone = estimates.from_replications([2.0])
    lone = lone.value == 2 and lone.half_width == math.inf and estimates.CONFIDENCE == 0.95
    yield fact("one replication has no interval", lone, "one replication has an interval")

    def controlled(count, batches, quantities, controls):
        """Coefficients of the other replications, by normal equations."""
        rng = np.random.default_rng(count + batches)
        seen = 0.05 * rng.standard_normal((count, batches, controls))
        means, slopes = rng.uniform(-1, 1, controls), rng.uniform(-2, 2, (controls, quantities))
        samples = 3 + seen @ slopes + 0.5 * rng.standard_normal((count, batches, quantities))
        plain = np.array([sum(row) / batches for row in samples])
        expected = plain.copy()
        if (count - 1) * batches >= 2 * (controls + 1):
            for i in range(count):
                x = np.concatenate([seen[k] for k in range(count) if k != i])
                y = np.concatenate([samples[k] for k in range(count) if k != i])
                x, y = x - x.mean(axis=0), y - y.mean(axis=0)
                slope = np.linalg.solve(x.T @ x, x.T @ y)
                expected[i] -= (sum(seen[i]) / batches - means) @ slope
        constant = np.concatenate([seen[..., :1], np.full((count, batches, 1), 7.0), seen[..., 1:]], axis=2)
        of_more = estimates.with_controls(samples, constant, np.insert(means, 1, 5.0))
        return {
            "means with controls and normal equations": gap(estimates.with_controls(samples, seen, means), expected),
            "those with a control that does not vary": gap(of_more, expected),
        }

    some = cases("set of batches", ((4, 6, 2, 2), (3, 2, 1, 1), (2, 3, 1, 1), (6, 3, 3, 3), (2, 4, 2, 1), (3, 1, 1, 1)))
    yield from equalities(some.measure(controlled), ROUNDING)

    one, other = (
        Estimate(np.array([2.0, 5.0]), np.array([0.3, 0.4])),
        Estimate(np.array([1.0, 5.5]), np.array([0.4, 0.3])),
    )
    both = [0.5, 0.5]
    pairs = [
        (one + other, [3, 10.5], both), (one - other, [1, -0.5], both), (one - 3, [-1, 2], [0.3, 0.4]),
        (3 - one, [1, -2], [0.3, 0.4]), (-2 * one, [-4, -10], [0.6, 0.8]), (one / 4, [0.5, 1.25], [0.075, 0.1]),
        (one[1], 5, 0.4), (1 + one, [3, 6], [0.3, 0.4]), (-one, [-2, -5], [0.3, 0.4]),
    ]  # fmt: skip
    bad = sum(gap(found.value, value) + gap(found.half_width, half) for found, value, half in pairs)
    sides = [one < 2.31, one < 2.29, one > 1.69, one > 1.71, one > other, one < other, one[1] < 5.41]
    said = [[True, False], [False, False], [True, True], [False, True], [True, False], [False, False], True]
    bad += sum(np.any(np.not_equal(found, wanted)) for found, wanted in zip(sides, said))
    bad += np.any(one.contains([2.29, 4.59]) != np.array([True, False])) + (one == other) + (one != one + 0)
    bad += Estimate.from_dict(one.to_dict()) != one
    yield fact("estimates are added, scaled and compared by intervals", bad < ROUNDING, "estimates are not")
    written = {  # two digits of the half width, and a power of ten far from 1
        (0.01834, 0.00113): "0.0183 ± 0.0011", (1234.6, 67.8): "1235 ± 68", (9.96, 0.0996): "9.96 ± 0.10",
        (1234567.0, 12000.0): "1235000 ± 12000", (12345678.0, 1234.0): "(1.23457 ± 0.00012)e+07",
        (2.5e-4, 3.1e-6): "0.0002500 ± 0.0000031", (1.00049e-5, 2.3e-7): "(1.000 ± 0.023)e-05",
        (0.00123, 0.99): "0.00 ± 0.99", (0.0, 0.05): "0.000 ± 0.050", (2.0, math.inf): "2 ± inf", (2.5, 0.0): "2.5 ± 0",
    }  # fmt: skip
    wrong = [text for pair, text in written.items() if str(Estimate(*pair)) != text]
    for count, shown in ((8, range(8)), (9, [0, 1, 2, 3, 4, None, 8])):
        texts = ["..." if k is None else f"{k}.00 ± 0.15" for k in shown]
        wrong += [count] * (str(Estimate(np.arange(float(count)), np.full(count, 0.15))) != f"[{', '.join(texts)}]")
    yield fact("estimates are written with two digits of the half width", not wrong, f"some are not: {wrong}")


def on_run_lengths():
    """Run lengths and their random numbers, and where a beginning is cut off."""

    def drawn(length):
        return [generator.random(3).tolist() for generator in length.generators()]

    def children(seed, count):
        return [np.random.Generator(np.random.SFC64(one)).random(3).tolist() for one in seed.spawn(count)]

    given, sequence = run_length.RunLength(), np.random.SeedSequence(5, spawn_key=(2,))
    sequence.spawn(3)
    length = run_length.RunLength(jumps=7, warmup=0, replications=3, seed=sequence)
    right = (
        (given.jumps, given.warmup, given.replications, given.seed) == (1_000_000, 100_000, 10, 0)
        and drawn(given) == children(np.random.SeedSequence(0), 10)
        and drawn(run_length.RunLength(replications=4, seed=11)) == children(np.random.SeedSequence(11), 4)
        and drawn(length) == drawn(length) == children(np.random.SeedSequence(5, spawn_key=(2,)), 3)
        and run_length.check_run_length({"jumps": 5, "seed": 3}) == run_length.RunLength(jumps=5, seed=3)
        and refused(ValueError, run_length.check_run_length, {"jump": 5})
        and refused(ValueError, run_length.RunLength, 0)
        and refused(ValueError, run_length.RunLength, 5, -1)
        and refused(ValueError, run_length.RunLength, 5, 0, 0)
    )
    yield fact("replications have children of the seed", right, "replications have other random numbers")

    def cut(values):
        """The least naive standard error, of what is left when so many are left out; never of fewer than five."""
        errors = []
        for d in range(len(values) - 5):
            rest = values[d:]
            mean = sum(rest) / len(rest)
            errors.append(sum((value - mean) ** 2 for value in rest) / len(rest) ** 2)
        return errors.index(min(errors))

    rng, some = np.random.default_rng(10), []
    for n, fall in ((6, 1.0), (8, 3.0), (20, 2.0), (40, 0.3), (40, 0.1), (30, 50.0), (12, 0.05)):
        some.append((20 * np.exp(-fall * np.arange(n)) + rng.standard_normal(n)).tolist())
    some += [[1.0] * 9, list(range(12)), [9.0, *[1.0] * 8]]
    found = cases("series", some).measure(lambda *series: truncation.mser(*series) - cut(*series))
    yield from equalities({"where a beginning is cut off and the least errors": found}, 0)

    def warmed(number, memory, most, remembered):
        """A level that falls, one that hardly does and one that is constant, over stretches of one path."""
        batch = min(memory / 2, math.inf if most is None else most / 40)
        batch = 512 * max(1, round(batch / 512))
        rng = np.random.default_rng(number)
        noise = rng.standard_normal(400_000).cumsum()

        def level(begin, jumps):
            begin, end = begin / 512, (begin + jumps) / 512
            fallen = remembered / (end - begin) * (math.exp(-begin / remembered) - math.exp(-end / remembered))
            return 9 * fallen + (noise[int(end)] - noise[int(begin)]) / (end - begin)

        def measured(begin, jumps):
            falls = Estimate(np.array([0.1 * level(begin, jumps), level(begin, jumps)]), np.zeros(2))
            return types.SimpleNamespace(calm=Estimate(0.5, 0.0), falls=falls, other="text")

        for doubling in itertools.count():
            length = batch * 2**doubling
            found = cut([level(k * length, length) for k in range(40)])
            if found <= 20 or doubling == 3:
                break
        told = truncation.find_warmup(measured, memory, most)
        return {
            "jumps to leave out": gap(told.jumps, min(found, 20) * length),
            "the pilot": gap(told.pilot, 40 * length),
            "what takes longest, or nothing,": float(told.quantity not in (("falls",) if found else ("falls", None))),
            "whether it is refused": float(told.refused != (found > 20)),
        }

    some = [(1, 0.0, None, 3.0), (2, 6000.0, None, 20.0), (3, 9000.0, 50_000, 60.0), (4, 0.0, None, 900.0)]
    some += [(5, math.inf, 100_000, 8.0), (6, 0.0, None, 40.0)]
    found = cases("path", some, seed=1).measure(warmed)
    yield from equalities({f"{name} and a count": gap for name, gap in found.items()}, 0)
