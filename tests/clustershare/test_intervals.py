"""Intervals from batches and from replications."""

import math

import numpy as np
import pytest
from scipy import stats

from clustershare.estimates import from_batches, from_replications, variance_of_mean
from pages.share_scheduling.simulation.coverage import batch_coverage, replication_coverage, workload_batches
from pages.share_scheduling.simulation.queue import bias, covariances, normal_batches


def test_without_covariances_batches_are_replications():
    samples = np.random.default_rng(1).normal(size=(12, 3))
    batches, replications = from_batches(samples), from_replications(samples)
    assert batches.value == pytest.approx(replications.value)
    assert batches.half_width == pytest.approx(replications.half_width)


def test_the_variance_by_the_letter_of_the_source():
    batches = np.random.default_rng(2).normal(size=9).cumsum()
    mean, B = batches.mean(), 9
    gamma = [sum((batches[i] - mean) * (batches[i + b] - mean) for i in range(B - b)) / (B - 1) for b in range(4)]
    for lags in range(4):
        printed = gamma[0] / B + 2 * sum((B - b) * gamma[b] for b in range(1, lags + 1)) / B**2
        assert variance_of_mean(batches, lags) == pytest.approx(printed, rel=1e-12)


def test_a_negative_variance_gives_no_interval():
    estimate = from_batches([1.0, 3.0, 1.0, 3.0], lags=1)
    assert estimate.value == 2 and math.isnan(estimate.half_width) and not estimate.contains(2)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: from_batches([1.0]), "number of batches must be an integer of at least 2; got 1."),
        (lambda: from_batches([1.0, 2.0], 2), "lags must be an integer of at least 0 and at most 1; got 2."),
    ],
)
def test_bad_values_are_answered_with_a_sentence(call, sentence):
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value) == sentence


def test_the_work_is_that_of_the_queue_event_by_event():
    load, length, batches = 0.7, 25.0, 4
    found = workload_batches(load, length, batches, np.random.default_rng(8), stationary=False)
    rng = np.random.default_rng(8)
    count = int(load * 100 + 8 * np.sqrt(load * 100) + 50)
    arrivals, sizes = np.cumsum(rng.standard_exponential(count) / load), rng.standard_exponential(count)
    grid = np.linspace(0, 100, 400_001)[:-1] + 0.5 * 100 / 400_000
    work, now, levels, k = 0.0, 0.0, np.empty(400_000), 0
    for index, time in enumerate(grid):
        while arrivals[k] <= time:
            work = max(0.0, work - (arrivals[k] - now)) + sizes[k]
            now, k = arrivals[k], k + 1
        levels[index] = max(0.0, work - (time - now))
    assert found == pytest.approx(levels.reshape(batches, -1).mean(axis=1), abs=1e-3)


def test_runs_begin_in_the_stationary_law():
    rng = np.random.default_rng(3)
    means = [workload_batches(0.8, 5.0, 1, rng)[0] for _ in range(4000)]
    assert abs(np.mean(means) - 4) <= 4 * np.std(means) / math.sqrt(4000)


def test_the_root_taken_twice_ruins_the_interval():
    # Batches so long that they are independent: the printed interval holds what Student's t says, a third.
    printed = batch_coverage(0.3, 1000, runs=400, shrink=math.sqrt(20))
    exact = 2 * stats.t.cdf(stats.t.ppf(0.975, 19) / math.sqrt(20), 19) - 1
    assert abs(printed - exact) <= 4 * math.sqrt(exact * (1 - exact) / 400)
    assert abs(batch_coverage(0.3, 1000, runs=400) - 0.95) <= 4 * math.sqrt(0.95 * 0.05 / 400)


@pytest.mark.parametrize("load", [0.5, 0.8, 0.9, 0.95])
def test_the_library_s_own_intervals_cover(load):
    """60 studies; the two groups' intervals are counted as one observation, as they are not independent."""
    held = replication_coverage("PS", load, studies=60)
    assert abs(held - 0.95) <= 4 * math.sqrt(0.95 * 0.05 / 60)


def test_short_runs_from_an_empty_system_do_not_cover():
    assert replication_coverage("PS", 0.95, studies=60, jumps=200, warmup=0) < 0.8


def test_the_covariances_of_the_queue():
    for load in (0.3, 0.8):
        assert covariances(load, 1e-9, 1)[0] == pytest.approx(load / (1 - load) ** 2, rel=1e-6)  # of the number of jobs
        assert bias(load, 0, 1e-9) == pytest.approx(-load / (1 - load), rel=1e-6)  # it begins empty
        same, neighbour = covariances(load, 1, 2)  # two batches of one length are one of twice the length
        assert covariances(load, 2, 1)[0] == pytest.approx((same + neighbour) / 2, rel=1e-9)


def test_normal_batches_have_the_covariances_they_should():
    batches = normal_batches((2.0, 1.0, 0.5), 200_000)
    assert np.cov(batches)[0] == pytest.approx([2.0, 1.0, 0.5], abs=0.03)
