"""Logs drawn from models: brought to a load, and replayed one after the other."""

import inspect

import numpy as np
import pytest

from clustershare import names
from clustershare.arguments import NothingSeen
from clustershare.multiserver import CompatibilityGraph, RandomAssignment
from clustershare.workload import Workload, drawn, replay_cluster, replay_dispatch, replay_servers

JOBS = 2000
RUN = {"jumps": JOBS, "warmup": 0, "replications": 3, "seed": 4}
GRAPH = CompatibilityGraph([[0, 2], [1, 2]], [1.0, 1.0, 1.0])


@pytest.mark.parametrize("model", drawn.MODELS)
def test_a_log_has_the_load_and_the_groups_that_are_asked_for(model):
    work = drawn.of_one_server(model, 2, 20_000, rate=8.0, parts=(0.25, 0.75))
    span = work.arrivals[-1] - work.arrivals[0]
    assert len(work) == 20_000 and work.servers.max() == 1
    assert work.sizes.sum() / span / 10 == pytest.approx(0.8)
    assert abs((work.groups == 0).mean() - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 20_000)
    parallel = drawn.in_parallel(model, 2, 20_000, 0.5)
    used = parallel.sizes * parallel.servers
    assert used.sum() / (parallel.arrivals[-1] - parallel.arrivals[0]) / drawn.MACHINE == pytest.approx(0.5)
    assert parallel.servers.max() <= drawn.MACHINE and parallel.sizes.mean() == pytest.approx(1)
    np.testing.assert_allclose(work.sizes / work.sizes[0], used / used[0])  # the work is that of the log


def test_three_groups_are_drawn_in_proportion():
    parts = np.array([0.2, 0.5, 0.3])
    work = drawn.of_one_server("Downey", 1, 20_000, rate=1.0, parts=parts)
    assert work.names == ("1", "2", "3")
    np.testing.assert_allclose(np.bincount(work.groups) / 20_000, parts, atol=0.015)


def test_replays_of_logs_are_the_replays_of_each():
    """Log by log, with the seeds that follow the one that is given."""
    shares, loads = (0.75, 0.25), (0.2, 0.6)
    asked = {"required_shares": shares, "processors": 10}
    found = drawn.dispatch("Lublin", "DVP", local="GPPS", loads=loads, **asked, **RUN)
    rates = drawn.servers("DAS-2", GRAPH, (0.6, 0.3), 2, **RUN).mean_service_rate
    lost = drawn.cluster("Lublin", load=0.6, queue_capacity=3, parallel=True, mean_time=5.0, **RUN).blocking
    one = drawn.cluster("Downey", load=0.9, queue_capacity=3, parallel=False, tracker_time=0.1, **RUN).blocking
    for k, seed in enumerate((5, 6, 7)):
        work = drawn.of_one_server("Lublin", seed, JOBS, 8.0, parts=(0.25, 0.75))
        alone = replay_dispatch(work, "DVP", local="GPPS", **asked, seed=seed)
        assert found.capacity_loss.value[0, k] == alone.capacity_loss
        np.testing.assert_array_equal(found.group_share_deviation.value[:, k], alone.group_share_deviation)
        work = drawn.of_one_server("DAS-2", seed, JOBS, 0.9, parts=(2 / 3, 1 / 3))
        alone = replay_servers(work, GRAPH, 2, seed).performance
        np.testing.assert_allclose(rates.value[:, k], alone.mean_service_rate, rtol=1e-9)
        work = drawn.in_parallel("Lublin", seed, JOBS, 0.6)
        alone = replay_cluster(work, drawn.MACHINE, queue_capacity=3).performance
        assert lost.value[0, k] == alone.blocking  # time is in other units
        work = drawn.of_one_server("Downey", seed, JOBS, 0.9)
        alone = replay_cluster(work, 1, tracker_times=0.1, queue_capacity=3).performance
        assert one.value[0, k] == alone.blocking
    assert lost.half_width.shape == (1, 3) and len(set(lost.half_width[0])) == 1


def test_jobs_are_assigned_to_servers_of_their_own():
    """As a plain loop draws them, and with sizes in place of those of the log."""
    assignment = RandomAssignment(5, 2)
    for exponential in (False, True):
        found = drawn.servers("Downey", assignment, 3.0, 1, exponential=exponential, **RUN | {"replications": 1})
        work = drawn.of_one_server("Downey", 5, JOBS, 3.0, parts=(1.0,))
        rng = np.random.default_rng([5, 2])
        sizes = rng.exponential(1.0, JOBS) if exponential else work.sizes
        chosen = [sorted(row[:2]) for row in rng.permuted([[0, 1, 2, 3, 4]] * JOBS, axis=1).tolist()]
        classes = sorted(set(map(tuple, chosen)))
        jobs = Workload(work.arrivals, sizes / sizes.mean(), [classes.index(tuple(own)) for own in chosen])
        alone = replay_servers(jobs, CompatibilityGraph(classes, [1.0] * 5), 1, 5)
        assert found.mean_service_rate.value[0, 0] == jobs.sizes.sum() / alone.response.sum()


def test_points_of_a_study_have_the_same_logs():
    asked = ("Downey", "JSQ")
    system = {"required_shares": (0.5, 0.5), "loads": (0.4, 0.4), "processors": 2}
    seeds = [np.random.SeedSequence(4, spawn_key=(key,)) for key in (1, 2)] + [4]
    found = [drawn.dispatch(*asked, **system, **RUN | {"seed": seed}).capacity_loss for seed in seeds]
    assert found[0] == found[1] == found[2]


def test_what_cannot_be_replayed_is_said_in_a_sentence():
    system = {"required_shares": (0.5, 0.5), "loads": (0.4, 0.4), "processors": 2}
    with pytest.raises(ValueError, match="warmup must be 0 where logs are replayed"):
        drawn.dispatch("Downey", "JSQ", **system, **RUN | {"warmup": 5})
    with pytest.raises(ValueError, match="model must be one of Lublin, DAS-2, Downey; got 'Feitelson'"):
        drawn.dispatch("Feitelson", "JSQ", **system, **RUN)
    with pytest.raises(NothingSeen, match="jumps must be so many that some time goes by; got 1"):
        drawn.dispatch("Downey", "JSQ", **system, **RUN | {"jumps": 1})


@pytest.mark.parametrize("name", names.REPLAYS)
def test_a_replay_takes_a_run_length_and_is_known_by_its_name(name):
    replay = names.simulator(name)
    assert names.name_of(replay) == name and "run" in inspect.signature(replay).parameters
