"""The DEMOS generator and its empirical tests."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from clustershare import randomness
from pages.share_scheduling.simulation.readings import chance
from pages.share_scheduling.simulation.tables import TABLES

PRIMES = [3, 7, 101, 1009, 4099]


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.sampled_from(PRIMES), st.data())
def test_the_order_is_the_period(modulus, data):
    multiplier = data.draw(st.integers(1, modulus - 1))
    order = randomness.multiplicative_order(multiplier, modulus)
    assert randomness.period_by_running(multiplier, modulus) == order
    state, seen = 1, set()
    while state not in seen:
        seen.add(state)
        state = state * multiplier % modulus
    assert len(seen) == order


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((2, 8), "without a common factor with the modulus, 8"),
        ((2, 7, 8), "start must be an integer of at least 1 and at most 6"),
    ],
)
def test_a_generator_that_need_not_come_back(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        randomness.period_by_running(*arguments)


def test_the_whole_cycle_of_demos_has_every_state_once():
    count, state = np.zeros(randomness.MODULUS, dtype=np.int8), 1
    for left in range(randomness.MODULUS - 1, 0, -(2**22)):
        run = randomness.states(state, min(left, 2**22))
        count[run] += 1
        state = int(run[-1])
    assert state == 1 and count[0] == 0 and (count[1:] == 1).all()


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(1, randomness.MODULUS - 1), st.integers(1, 100))
def test_states_follow_factor_by_factor(start, count):
    state, expected = start, []
    for _ in range(count):
        for factor in randomness.FACTORS:
            state = state * factor % randomness.MODULUS
        expected.append(state)
    assert randomness.states(start, count).tolist() == expected


def test_streams_are_numbers_in_the_unit_interval():
    u = randomness.uniforms(randomness.seeds(1)[0], 100_000)
    assert 0 < u.min() and u.max() < 1
    assert stats.kstest(u, "uniform").pvalue > 1e-3


def test_statistics_are_those_of_the_definitions():
    u = np.random.default_rng(1).random(5000)
    above, below = randomness.kolmogorov_smirnov_test(u, 50, 100)
    for k, sample in enumerate(u.reshape(50, 100)):
        # (A.7), (A.8): F_n jumps at each observation, to the rank from the rank before.
        rank = np.array([(sample <= x).sum() for x in sample])
        assert above[k] == pytest.approx(10 * max(rank / 100 - sample))
        assert below[k] == pytest.approx(10 * max(sample - (rank - 1) / 100))
    counts = np.random.default_rng(2).multinomial(200, [0.5, 0.3, 0.2], size=5)
    expected = [sum((row - [100, 60, 40]) ** 2 / [100, 60, 40]) for row in counts]  # (A.5)
    assert randomness.chi_square(counts, [0.5, 0.3, 0.2]) == pytest.approx(expected)


TESTS = {
    "equidistribution": (randomness.equidistribution_test, 9, 100_000),
    "serial": (randomness.serial_test, 99, 1_000_000),
    "coupon": (randomness.coupon_test, 3, 700_000),
}


@pytest.mark.parametrize("name", TESTS)
def test_a_good_generator_passes_and_a_bad_one_fails(name):
    test, degrees, needed = TESTS[name]
    u = np.random.default_rng(5).random(needed)
    assert stats.kstest(test(u), stats.chi2(degrees).cdf).pvalue > 1e-3
    bad = (u + u**2) / 2  # small numbers are too frequent
    assert stats.kstest(test(np.append(bad, bad)), stats.chi2(degrees).cdf).pvalue < 1e-9


def test_gaps_by_hand():
    u = np.array([0.5, 0.05, 0.02, 0.9, 0.8, 0.01])  # gaps 1, 0, 2
    law = randomness.gap_probabilities(0.1, 2)
    assert randomness.gap_test(u, 1, 3, 0.1, 2) == pytest.approx(randomness.chi_square([[1, 1, 1]], law))


def test_coupons_by_hand():
    u = np.array([0.1, 0.1, 0.5, 0.9, 0.4, 0.9, 0.1, 0.2])
    assert randomness.coupon_lengths(u).tolist() == [4, 3]
    assert randomness.coupon_probabilities(2, 4) == pytest.approx([1 / 2, 1 / 4, 1 / 4])
    # By inclusion and exclusion, all of 4 types are seen in r numbers with probability sum (-1)^k C(4, k) (1 - k/4)^r.
    seen = [sum((-1) ** k * math.comb(4, k) * (1 - k / 4) ** r for k in range(5)) for r in range(3, 9)]
    assert randomness.coupon_probabilities(4, 9)[:-1] == pytest.approx(np.diff([*seen, 1])[:-1])


def test_coupons_seen_late():
    """Three types take r numbers, the last of which is new: (2^(r - 1) - 2) / 3^(r - 1)."""
    expected = [(2 ** (r - 1) - 2) / 3 ** (r - 1) for r in range(3, 100)]
    assert randomness.coupon_probabilities(3, 100)[:-1] == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize(("degrees", "most"), [(31, 0.12), (99, 0.08), (1000, 0.03)])
def test_the_expansion_of_percentiles_is_close(degrees, most):
    off = randomness.chi_square_percentiles(degrees) - stats.chi2.ppf(randomness.PERCENTILES, degrees)
    assert 0 < np.abs(off).max() < most
    assert (randomness.chi_square_percentiles(30) == stats.chi2.ppf(randomness.PERCENTILES, 30)).all()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: randomness.multiplicative_order(2, 9), "modulus must be a prime; got 9."),
        (
            lambda: randomness.multiplicative_order(7, 7),
            "multiplier must be an integer of at least 1 and at most 6; got 7.",
        ),
        (lambda: randomness.states(0, 5), "start must be an integer of at least 1 and at most 67099546; got 0."),
        (lambda: randomness.states(1, 0), "count must be an integer of at least 1 and at most 100000000; got 0."),
        (
            lambda: randomness.equidistribution_test(np.zeros(99), 1, 100),
            "u must be long enough for 100 observations; got 'enough for 99'.",
        ),
        (
            lambda: randomness.chi_square([[1, 2]], [0.5, 0.6]),
            "probabilities must be probabilities that sum to 1; got [0.5, 0.6].",
        ),
        (lambda: randomness.gap_probabilities(1.0), "width must be a finite number, above 0 and below 1; got 1.0."),
    ],
)  # fmt: skip
def test_bad_values_are_answered_with_a_sentence(call, sentence):
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value) == sentence


def test_the_statistics_are_those_of_another_library():
    sample = np.random.default_rng(5).random(700)
    for side, found in zip(("greater", "less"), randomness.kolmogorov_smirnov_test(sample, tests=7, samples=100)):
        expected = [
            stats.ks_1samp(row, stats.uniform.cdf, alternative=side).statistic for row in sample.reshape(7, 100)
        ]
        assert found == pytest.approx(10 * np.array(expected), rel=1e-12)


def test_a_chance_fit_is_as_likely_as_counted():
    levels, printed = np.array(randomness.PERCENTILES), np.array(TABLES["A.1"])
    counts = np.random.default_rng(6).multinomial(1000, np.diff(levels, prepend=0, append=1), size=200_000)
    found = counts[:, :-1].cumsum(axis=1) / 1000
    fits = (np.abs(found - printed) <= 0.005 + 1e-9).all(axis=1).mean()
    assert chance("A.1") == pytest.approx(fits, abs=4 * np.sqrt(0.0035 / 200_000))
