"""Preemptive priority and sleeping servers: chain against events, and both against what they reduce to."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from clustershare import markov, sizes
from clustershare.cluster_chain import ServiceCluster
from clustershare.cluster_variants import (
    PriorityCluster,
    SleepingCluster,
    exact_energy,
    exact_priority,
    simulate_energy,
    simulate_priority,
)
from clustershare.results import NoExactAnswer
from compilation import printed
from random_clusters import SMALL, clusters

# With 40 replications a distance beyond 5 standard errors comes once in some 80 000 comparisons; with ten, in 1400.
RUN = {"jumps": 15_000, "warmup": 2_000, "replications": 40}
PER_HALF_WIDTH = stats.t.ppf(0.975, RUN["replications"] - 1)
STANDARD_ERRORS = 5
PRIORITY = PriorityCluster(10, (5, 5), (5, 1), (1.0, 5.0), (1.0, 1.0), 20.0)
SLEEPING = SleepingCluster(ServiceCluster(4, 3, {1: 0.5, 2: 0.3, 4: 0.2}, 1.0, 10.0, 1.0), 2.0, 1.0)


def off(estimate, exact):
    """The largest distance in standard errors .

    A rare event may not occur at all in some 100 000 jobs: no error is taken to be below 2e-5.
    """
    error = np.maximum(np.asarray(estimate.half_width) / PER_HALF_WIDTH, 2e-5)
    return float((np.abs(np.asarray(estimate.value) - exact) / error).max())


def worst(found, exact):
    names = {field.name for field in fields(exact)} - {"method", "error"}
    return max(off(getattr(found, name), getattr(exact, name)) for name in names)


@st.composite
def priority_clusters(draw):
    servers = draw(st.integers(2, 8))
    rate = st.floats(0.3, 4)
    return PriorityCluster(
        servers,
        (draw(st.integers(0, 4)), draw(st.integers(0, 4))),
        (draw(st.integers(1, servers)), draw(st.integers(1, servers))),
        (draw(rate), draw(rate)),
        (draw(rate), draw(rate)),
        draw(st.floats(1, 40)),
    )


@settings(max_examples=15, deadline=None, derandomize=True)
@given(priority_clusters())
def test_the_priority_chain_and_its_events_agree(cluster):
    exact = cluster.solve()
    assume(exact.blocking[1] < 0.9)  # starved jobs stay longer than a short run
    assert worst(simulate_priority(cluster, **RUN), exact) < STANDARD_ERRORS
    # A job of class 1 is served as long as without evictions, since it resumes.
    accepted = np.array(cluster.arrival_rates) * (1 - exact.blocking)
    np.testing.assert_allclose(exact.mean_running * cluster.service_rates, accepted, rtol=1e-9)


def test_a_wrong_eviction_is_seen():
    """The negative control: a chain with urgent jobs of another size."""
    assert worst(simulate_priority(PRIORITY, **RUN), replace(PRIORITY, job_sizes=(4, 1)).solve()) > 20


@settings(max_examples=20, deadline=None, derandomize=True)
@given(priority_clusters())
def test_urgent_jobs_do_not_notice_the_others(cluster):
    """They have the source's own chain for themselves."""
    alone = ServiceCluster(
        cluster.servers, cluster.queue_capacities[0], {cluster.job_sizes[0]: 1.0}, cluster.arrival_rates[0],
        cluster.tracker_rate, cluster.service_rates[0],
    ).solve()  # fmt: skip
    found = cluster.solve()
    assert found.blocking[0] == pytest.approx(alone.blocking, abs=1e-10)
    assert found.mean_running[0] == pytest.approx(alone.mean_jobs_in_service, abs=1e-9)


def test_few_urgent_jobs_leave_the_others_alone():
    found = replace(PRIORITY, arrival_rates=(1e-9, 5.0)).solve()
    alone = ServiceCluster(10, 5, {1: 1.0}, 5.0, 20.0, 1.0).solve()
    assert found.blocking[1] == pytest.approx(alone.blocking, abs=1e-7)
    assert found.evictions[1] < 1e-8


def test_urgent_constant_jobs_are_those_of_the_simulator_of_one_class():
    """Preemption with another law of service: class 0 alone is the cluster simulated by the other kernel."""
    from clustershare.cluster_chain import simulate

    alone = ServiceCluster(10, 5, {5: 1.0}, 1.0, 20.0, 1.0)
    law = sizes.Deterministic(1.0)
    first, second = simulate(alone, service=law, **RUN), simulate_priority(PRIORITY, service=law, **RUN)
    error = np.hypot(first.blocking.half_width, second.blocking.half_width[0]) / PER_HALF_WIDTH
    assert abs(first.blocking.value - second.blocking.value[0]) < 4 * error


@settings(max_examples=10, deadline=None, derandomize=True)
@given(clusters(), st.floats(0.3, 5), st.floats(0.1, 5))
def test_the_energy_chain_and_its_events_agree(cluster, setup_rate, shutdown_rate):
    if cluster.servers > 4 or cluster.queue_capacity > 2:
        cluster = replace(SLEEPING.cluster, arrival_rate=cluster.arrival_rate)
    sleeping = SleepingCluster(cluster, setup_rate, shutdown_rate)
    exact, found = sleeping.solve(), simulate_energy(sleeping, **RUN)
    assert worst(found, exact) < STANDARD_ERRORS
    assert exact.servers.sum() == pytest.approx(cluster.servers) and exact.servers.min() >= 0


def test_a_wrong_setup_rate_is_seen():
    assert worst(simulate_energy(SLEEPING, **RUN), replace(SLEEPING, setup_rate=2.2).solve()) > 10


def test_servers_that_never_sleep_are_the_source_s():
    exact, awake = SMALL.solve(), SleepingCluster(SMALL, 1.0, 0.0).solve()
    assert awake.blocking == pytest.approx(exact.blocking, abs=1e-10)
    assert awake.mean_queue == pytest.approx(exact.mean_queue, abs=1e-9)
    np.testing.assert_allclose(awake.servers, [5 * exact.utilisation, 5 - 5 * exact.utilisation, 0, 0], atol=1e-9)


def test_quick_setups_are_as_good():
    exact, quick = SMALL.solve(), SleepingCluster(SMALL, 1e7, 1.0).solve()
    assert quick.blocking == pytest.approx(exact.blocking, abs=1e-6)
    assert quick.servers[2] < 1e-6 < quick.servers[3]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: replace(PRIORITY, job_sizes=(11, 1)), r"job_sizes\[0\] must be an integer .* at most 10; got 11."),
        (lambda: replace(PRIORITY, arrival_rates=(1.0,)), "arrival_rates must be a sequence of 2 entries"),
        (lambda: replace(PRIORITY, service_rates=(1.0, 0)), r"service_rates\[1\] must be .* above 0; got 0."),
        (lambda: replace(PRIORITY, queue_capacities=(1, -1)), r"queue_capacities\[1\] must be .* at least 0; got -1."),
        (lambda: simulate_priority(3), "cluster must be a PriorityCluster; got 3."),
        (lambda: simulate_priority(PRIORITY, service=2), "service must be None or a distribution"),
        (lambda: SleepingCluster(3, 1, 1), "cluster must be a ServiceCluster; got 3."),
        (lambda: replace(SLEEPING, setup_rate=0), "setup_rate must be a finite number, above 0; got 0."),
        (lambda: replace(SLEEPING, shutdown_rate=-1), "shutdown_rate must be a finite number, at least 0; got -1."),
        (lambda: simulate_energy(SMALL), "cluster must be a SleepingCluster"),
        (lambda: markov.explore(0, lambda k: [(k + 1, 1.0)], 10), "most_states must be at least the number of states"),
    ],
)
def test_bad_arguments_are_answered_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_exact_takes_what_simulate_takes():
    assert exact_priority(PRIORITY, service=sizes.Exponential()).mean_response[0] == PRIORITY.solve().mean_response[0]
    assert exact_energy(SLEEPING).blocking == SLEEPING.solve().blocking
    assert exact_energy(SLEEPING).method == exact_priority(PRIORITY).method == "chain"
    with pytest.raises(NoExactAnswer, match="service is Deterministic"):
        exact_priority(PRIORITY, service=sizes.Deterministic(1.0))
    with pytest.raises(NoExactAnswer, match="setup is Pareto"):
        exact_energy(SLEEPING, setup=sizes.Pareto(1.0, 3.0))
    with pytest.raises(ValueError, match="cluster must be a PriorityCluster"):
        exact_priority(SLEEPING)
    with pytest.raises(ValueError, match="cluster must be a SleepingCluster"):
        exact_energy(PRIORITY)


def test_the_kernels_give_the_same_bits_without_compilation():
    program = (
        "from clustershare import sizes\n"
        "from clustershare.cluster_chain import ServiceCluster\n"
        "from clustershare.cluster_variants import *\n"
        "law, run = sizes.ErlangMixture(0.5, (1, 3), (0.5, 0.5)), {'jumps': 300, 'warmup': 20, 'replications': 2}\n"
        "first = PriorityCluster(10, (2, 2), (5, 1), (1.0, 5.0), (1.0, 1.0), 20.0)\n"
        "inner = ServiceCluster(4, 3, {1: 0.5, 2: 0.3, 4: 0.2}, 1.0, 10.0, 1.0)\n"
        "print(simulate_priority(first, service=law, **run))\n"
        "print(simulate_energy(SleepingCluster(inner, 2.0, 1.0), setup=law, **run))"
    )
    outputs = printed(program)
    assert outputs[0] == outputs[1]
