"""A random assignment beside processor sharing: the total rates, both queues, and what the companion takes away."""

import numpy as np
import pytest

from clustershare import multiserver, sizes
from clustershare.arguments import UnstableError
from clustershare.multiserver import RandomAssignment, beside_assignment, total_rates
from compilation import printed

HYPER = sizes.bimodal_hyperexponential()
simulate = multiserver.simulate_assignment_beside_processor_sharing


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
