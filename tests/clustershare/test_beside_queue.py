"""Central policies beside one line for as many servers."""

import numpy as np
import pytest

from clustershare import dispatch
from clustershare.dispatch import beside_queue_kernel, state
from clustershare.dispatch.central import LOCAL, policy_of
from clustershare.estimates import from_replications, with_controls
from clustershare.run_length import check_run_length

LENGTH = {"jumps": 40_000, "warmup": 4_000, "replications": 30, "seed": 20}
TWO = {"required_shares": (0.7, 0.3), "loads": (0.3, 0.35), "processors": 2}


def errors(estimate, exact):
    """In standard errors; a half width is about two."""
    return np.abs(estimate.value - exact) / np.maximum(estimate.half_width, 1e-12) * 2


def test_the_line_has_its_own_means_whatever_the_policy():
    """Which is what makes the estimate unbiased."""
    required, loads, P = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.1, 0.5]), 4
    exact = dispatch.shortest_queue_with_migration(required, loads, P)
    means = [*exact.mean_jobs, *(exact.group_share_deviation * required + loads), loads.sum()]
    chosen, weights = policy_of("HP", False, required, P)
    samples = []
    for rng in check_run_length({"jumps": 1, "warmup": 0, "replications": 40, "seed": 7}).generators():
        system = state.empty(LOCAL["GPPS"], required, np.full(P, 1 / P), weights, by_group=chosen.by_group, timed=False)
        beside = np.zeros(3, np.int64)
        for steps in (10_000, 200_000):
            sums, sums_beside = np.zeros(len(system.level)), np.zeros(7)
            beside_queue_kernel.run(rng, chosen, system, beside, loads, steps, sums, sums_beside)
        samples.append(sums_beside / steps)
    assert np.max(errors(from_replications(samples), means)) < 5


def test_it_takes_less_than_a_plain_simulation_for_the_same_interval():
    ten = {"required_shares": (0.5, 0.5), "loads": (0.4, 0.4), "processors": 10}
    plain = dispatch.simulate_central("JSQ", **ten, **LENGTH)
    found = dispatch.simulate_central_beside_queue("JSQ", **ten, **LENGTH)
    for name, least in (("mean_jobs", 3), ("group_share_deviation", 1.5)):
        narrower = getattr(plain, name).half_width / getattr(found, name).half_width
        assert np.mean(narrower) > least, name
        assert np.max(errors(getattr(found, name), getattr(plain, name).value)) < 5 * np.mean(narrower)


def test_controls_leave_the_mean_as_it_is():
    """Also where a sample is no linear function of its control, and coefficients from all would go with the samples."""
    rng, means = np.random.default_rng(5), []
    for _ in range(4000):
        seen = rng.exponential(size=(8, 1, 1))
        means.append(with_controls(seen**2, seen, [1]).mean())
    assert abs(np.mean(means) - 2) < 4 * np.std(means) / np.sqrt(len(means))


def test_a_group_with_no_jobs_is_no_trouble():
    found = dispatch.simulate_central_beside_queue(
        "JSQ", required_shares=(0.5, 0.5), loads=(0.5, 0.0), processors=3, **LENGTH
    )
    assert found.mean_jobs.value[1] == 0 and found.obtained_share.value == pytest.approx([0.5, 0])


@pytest.mark.parametrize("wrong", [{"loads": (0.6, 0.5)}, {"loads": (0, 0)}, {"processors": 0}, {"local": "FCFS"}])
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(ValueError, match="loads|processors|local"):
        dispatch.simulate_central_beside_queue("JSQ", **{**TWO, **wrong}, **LENGTH)
