"""A random assignment beside processor sharing: the total rates, both queues, and what the companion takes away."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clustershare import interruptions, multiserver, sizes
from clustershare.arguments import UnstableError
from clustershare.multiserver import RandomAssignment, beside_assignment, total_rates
from compilation import printed

HYPER = sizes.bimodal_hyperexponential()
simulate = multiserver.simulate_assignment_beside_processor_sharing


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(1, 60), st.integers(1, 60), st.floats(0.05, 0.85))
def test_processor_sharing_at_the_total_rates_has_the_mean_of_balanced_fairness(servers, degree, load):
    """A birth-and-death chain against the closed form, which knows nothing of total rates."""
    degree = min(degree, servers)
    rates = total_rates(RandomAssignment(servers, degree), 40 * servers + 400)
    law = np.exp(np.cumsum(np.log(np.append(1.0, load * servers / rates[1:]))))
    law /= law.sum()
    assert law[-1] < 1e-9
    assert law @ np.arange(len(law)) == pytest.approx(multiserver.random_assignment(servers, degree, load).mean_jobs)


@pytest.mark.parametrize("servers, degree", [(3, 2), (4, 2), (4, 3), (3, 1)])
def test_total_rates_are_those_of_the_graph_of_all_sets(servers, degree):
    classes = list(itertools.combinations(range(servers), degree))
    graph = multiserver.CompatibilityGraph(classes, np.ones(servers))
    rates = total_rates(RandomAssignment(servers, degree), 4)
    for jobs in range(1, 5):
        states = [x for x in itertools.product(range(jobs + 1), repeat=len(classes)) if sum(x) == jobs]
        weights = np.array([multiserver.balance_function(graph, x) for x in states])
        served = np.array([np.sum(multiserver.service_rates(graph, x)) for x in states])
        assert rates[jobs] == pytest.approx(weights @ served / weights.sum(), rel=1e-12)


@pytest.mark.parametrize("servers, degree, m", [(7, 3, 1), (30, 2, 4), (5, 5, 0), (6, 1, 2)])
@pytest.mark.parametrize("size", [HYPER, sizes.Deterministic(2.0), sizes.Pareto(1.0, 3.5)])
def test_it_estimates_what_the_plain_simulator_does(servers, degree, m, size):
    assignment, rate = RandomAssignment(servers, degree), 0.7 * servers / size.mean
    run = {"jumps": 60_000, "warmup": 20_000, "replications": 16}
    ours = simulate(assignment, rate, size, m, **run, seed=3)
    other = interruptions.simulate(assignment, rate, size, m, **run, seed=4)
    for name in ("mean_jobs", "plain_jobs"):
        found = getattr(ours, name)
        error = np.hypot(found.half_width, other.mean_jobs.half_width)
        assert (np.abs(found.value - other.mean_jobs.value) < 2.2 * error).all()
    assert (np.abs(ours.interruptions_per_job.value - m) <= 2 * ours.interruptions_per_job.half_width).all()


@pytest.mark.parametrize("size", [HYPER, sizes.Pareto(1.0, 2.5), sizes.zipf_phases(20), sizes.Deterministic(1.0)])
def test_the_companion_has_the_mean_of_balanced_fairness(size):
    for servers, degree, load in ((20, 2, 0.8), (4, 3, 0.6)):
        run = {"jumps": 60_000, "warmup": 30_000, "replications": 40, "seed": 2}
        found = simulate(RandomAssignment(servers, degree), load * servers / size.mean, size, 0.1, **run)
        assert (np.abs(found.companion_jobs.value - found.fair_jobs) < 1.8 * found.companion_jobs.half_width).all()
        assert (found.companion_jobs.half_width < 0.1 * found.fair_jobs).all()


@pytest.mark.parametrize("load", [0.5, 0.9])
def test_it_takes_away_nine_tenths_of_the_variance_of_a_hundred_servers(load):
    run = {"jumps": 60_000, "warmup": 40_000, "replications": 30, "seed": 6}
    found = simulate(RandomAssignment(100, 2), 100 * load, HYPER, 1, **run)
    assert (found.plain_jobs.half_width > np.sqrt(10) * found.mean_jobs.half_width).all()


def test_with_one_job_of_every_server_it_is_the_algorithm_of_one_server():
    """All servers serve the first job: one server under first come, first served with interruptions."""
    run = {"jumps": 400_000, "warmup": 20_000, "replications": 30, "seed": 7}
    found = simulate(RandomAssignment(4, 4), 2.0, HYPER, 30, **run).total_distance
    coefficient = multiserver.one_server_distance(0.5, HYPER)
    assert found.half_width < 0.1 * coefficient / 30
    assert abs(found.value - coefficient / 30) < 1.8 * found.half_width + 0.05 * coefficient / 30


def test_no_room_changes_nothing(monkeypatch):
    run = {"jumps": 5_000, "warmup": 1_000, "replications": 4, "seed": 5}
    whole = simulate(RandomAssignment(6, 2), 4.0, HYPER, 3, **run)
    monkeypatch.setattr(beside_assignment, "_likely_room", lambda *_: 2)
    again = simulate(RandomAssignment(6, 2), 4.0, HYPER, 3, **run)
    np.testing.assert_array_equal(again.mean_jobs.value, whole.mean_jobs.value)


def test_bad_arguments_are_a_sentence():
    graph = multiserver.CompatibilityGraph([{0}], [1])
    with pytest.raises(ValueError, match="assignment must be a RandomAssignment; got"):
        simulate(graph, 0.5, HYPER, 1)
    with pytest.raises(ValueError, match="sizes must be a distribution of clustershare.sizes; got 3"):
        simulate(RandomAssignment(2, 1), 0.5, 3, 1)
    with pytest.raises(ValueError, match="servers must be .*10000; got 100000"):
        total_rates(RandomAssignment(100_000, 2), 3)
    with pytest.raises(UnstableError, match="overloaded servers"):
        simulate(RandomAssignment(2, 1), 2.0, HYPER, 1)


CODE = """
from clustershare import multiserver, sizes
for size, m in ((sizes.bimodal_hyperexponential(), 2), (sizes.Deterministic(1.0), 0)):
    run = {"jumps": 900, "warmup": 300, "replications": 2, "seed": 8}
    assignment = multiserver.RandomAssignment(6, 2)
    found = multiserver.simulate_assignment_beside_processor_sharing(assignment, 4.0, size, m, **run)
    print([float(x).hex() for x in (*found.mean_jobs.value, *found.plain_jobs.value, *found.companion_jobs.value)])
"""


def test_the_same_bits_with_and_without_compilation_and_again():
    compiled, plain = printed(CODE)
    assert compiled == plain and compiled.count("0x") == 6
