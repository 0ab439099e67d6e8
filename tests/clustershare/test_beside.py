"""Algorithm 1 beside balanced fairness: unbiased, with honest intervals, and the same jobs as elsewhere."""

import numpy as np
import pytest
from scipy import stats

from clustershare import multiserver, sizes
from clustershare.estimates import from_replications
from clustershare.multiserver import beside
from compilation import printed

THREE = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
HYPER = sizes.bimodal_hyperexponential()
UNEQUAL = [0.9, 0.4]
simulate = multiserver.simulate_beside_balanced_fairness


def test_the_intervals_cover():
    """Of 150 intervals from 8 short runs each, as many as 95 % of them cover, within what chance allows."""
    long = simulate(THREE, [0.6, 0.6], HYPER, 2, jumps=600_000, warmup=20_000, replications=40, seed=1).mean_jobs
    inside, errors = np.zeros(2), []
    for seed in range(150):
        found = simulate(THREE, [0.6, 0.6], HYPER, 2, jumps=6000, warmup=1000, replications=8, seed=100 + seed)
        inside += found.mean_jobs.contains(long.value)
        errors.append((found.mean_jobs.value - long.value) / found.mean_jobs.half_width)
    least, most = stats.binom.interval(0.9999, 150, 0.95)
    assert (least <= inside).all() and (inside <= most).all()
    mean = from_replications(np.array(errors))
    assert (np.abs(mean.value) < 2 * mean.half_width).all()  # no bias beside the interval


def test_the_coefficient_of_a_replication_is_that_of_the_others():
    rng = np.random.default_rng(1)
    companion = rng.standard_normal((12, 2))
    plain = companion * [1.5, 0.5] + 0.1 * rng.standard_normal((12, 2))
    found = beside._coefficients(plain, companion)
    for k in range(12):
        for i in range(2):
            slope = np.polyfit(np.delete(companion[:, i], k), np.delete(plain[:, i], k), 1)[0]
            assert found[k, i] == pytest.approx(slope, rel=1e-10)
    assert (beside._coefficients(plain[:3], companion[:3]) == 1).all()


def test_a_table_that_is_too_small_changes_nothing(monkeypatch):
    run = {"jumps": 5_000, "warmup": 1_000, "replications": 4, "seed": 5}
    whole = simulate(THREE, UNEQUAL, HYPER, 3, **run)
    monkeypatch.setattr(beside, "_likely_room", lambda *_: 2)
    again = simulate(THREE, UNEQUAL, HYPER, 3, **run)
    np.testing.assert_array_equal(again.mean_jobs.value, whole.mean_jobs.value)
    np.testing.assert_array_equal(again.companion_jobs.value, whole.companion_jobs.value)


def test_the_rates_of_the_table_are_those_of_balanced_fairness():
    graph = multiserver.CompatibilityGraph([{0, 1}, {1, 2}, {2}], [1, 2, 0.5])
    strides, rates = beside._table(graph, 6)
    for x in ((1, 0, 0), (2, 3, 1), (6, 6, 6), (0, 4, 2)):
        np.testing.assert_allclose(rates[np.dot(x, strides)], multiserver.service_rates(graph, x), rtol=1e-13)


def test_too_many_classes_have_no_table():
    graph = multiserver.CompatibilityGraph([{i} for i in range(6)], [1.0] * 6)
    with pytest.raises(multiserver.answers.NoExactAnswer, match="use simulate"):
        simulate(graph, [0.5] * 6, HYPER, 1)


CODE = """
import numpy as np
from clustershare import multiserver, sizes
graph = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
for size, m in ((sizes.bimodal_hyperexponential(), 2), (sizes.zipf_phases(9), 0)):
    run = {"jumps": 1500, "warmup": 500, "replications": 2, "seed": 8}
    found = multiserver.simulate_beside_balanced_fairness(graph, [0.4, 0.3], size, m, **run)
    print([float(x).hex() for x in (*found.mean_jobs.value, *found.plain_jobs.value, *found.companion_jobs.value)])
"""


def test_the_same_bits_with_and_without_compilation_and_again():
    compiled, plain = printed(CODE)
    assert compiled == plain and compiled.count("0x") == 12
