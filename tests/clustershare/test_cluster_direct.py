"""The plain solvers against the fast one, and the conservation laws that every solution carries."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from clustershare.cluster_chain import (
    ServiceCluster,
    harmonic_sizes,
    saturated_jobs,
    saturated_throughput,
    simulate,
    smallest_cluster,
    solve_directly,
    uniform_sizes,
)
from clustershare.cluster_chain.direct import eliminate_levels
from clustershare.cluster_chain.solver import _EmbeddedChain
from clustershare.results import NoExactAnswer
from random_clusters import SMALL, clusters

MEASURES = ("mean_queue", "blocking", "mean_delay", "utilisation", "mean_jobs_in_service")


@settings(max_examples=40, deadline=None, derandomize=True)
@given(clusters())
def test_three_solvers_agree(cluster):
    fast = cluster.solve()
    for method in ("levels", "gth") if cluster.states < 400 else ("levels",):
        plain = solve_directly(cluster, method)
        np.testing.assert_allclose(plain.probabilities(), fast.probabilities(), rtol=0, atol=1e-10)
        for name in MEASURES:
            assert getattr(plain, name) == pytest.approx(getattr(fast, name), abs=1e-10)
        assert plain.residual < 1e-12
        assert max(plain.flow_error, plain.little_error) < 1e-12
    assert max(fast.flow_error, fast.little_error) < 1e-10


def test_little_s_law_fails_for_wrong_probabilities():
    """The negative control: the law is computed from the jobs' own expected times, and so can fail."""
    chain, solution = _EmbeddedChain(SMALL), SMALL.solve()
    entries = solution._entries * np.linspace(0.5, 1.5, len(solution._entries))
    probabilities = chain.probabilities(entries)
    queue = (chain.weights[:, None] * chain.x).sum(axis=0) @ np.arange(3)
    assert probabilities.sum() > 0.1
    assert abs(chain.tagged_queue() - queue) > 1e-3 * queue


def test_eight_servers_by_levels():
    cluster = ServiceCluster(8, 6, harmonic_sizes(8), 30, 100, 10)
    plain, fast = solve_directly(cluster), cluster.solve()
    assert plain.blocking == pytest.approx(fast.blocking, abs=1e-12)
    assert plain.residual < 1e-12 and plain.little_error < 1e-12 and fast.little_error < 1e-12


def test_levels_of_any_block_tridiagonal_chain():
    rng = np.random.default_rng(1)
    edges = np.array([0, 2, 5, 6, 10])
    level = np.repeat(np.arange(4), np.diff(edges))
    Q = rng.random((10, 10)) * (np.abs(level[:, None] - level) <= 1)
    Q -= np.diag(Q.sum(axis=1))
    from scipy.sparse import csr_array

    found = eliminate_levels(csr_array(Q), edges)
    assert np.abs(found @ Q).max() < 1e-14 and found.sum() == pytest.approx(1)


def test_bad_arguments_are_answered_in_one_sentence():
    with pytest.raises(ValueError, match="method must be one of levels, gth; got 'qr'."):
        solve_directly(SMALL, "qr")
    large = ServiceCluster(16, 15, harmonic_sizes(16), 30, 100, 10)
    for method in ("levels", "gth"):
        with pytest.raises(ValueError, match="GiB for this chain of 235155 states; got 2 GiB."):
            solve_directly(large, method)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(clusters())
def test_a_saturated_cluster(cluster):
    """One rate or several: against the chain as tracker and arrivals become quick; the rest falls like 1 / rate."""
    sizes = dict(cluster.job_sizes)
    for rates in {1.0, cluster.service_rates}:
        own = rates if isinstance(rates, float) else dict(rates)
        jobs = []
        for rate in (1e4, 2e4):
            jobs.append(ServiceCluster(cluster.servers, 2, sizes, 1e3 * rate, rate, own).solve().mean_jobs_in_service)
        assert 2 * jobs[1] - jobs[0] == pytest.approx(saturated_jobs(cluster.servers, sizes, own), rel=1e-6)


@pytest.mark.parametrize(("servers", "sizes"), [(3, [1]), (6, [1, 4]), (12, [2, 3, 5, 7]), (40, [1, 10, 30])])
def test_a_saturated_chain_with_one_rate(servers, sizes):
    """The chain for different rates against the closed form, where the rates differ by a rounding."""
    law = dict.fromkeys(sizes, 1 / len(sizes))
    almost = {size: 3.0 + k * 1e-15 for k, size in enumerate(sizes)}
    assert saturated_jobs(servers, law, almost) == pytest.approx(saturated_jobs(servers, law), rel=1e-12)


def test_a_saturated_cluster_by_hand():
    """Two servers, from one large job to the next: the small ones between are served two at a time, the last alone."""
    p, slow, quick = 0.3, 0.5, 2.0  # small with probability p
    time = 1 / quick + p / slow + p**2 / (1 - p) / (2 * slow)
    found = saturated_throughput(2, {1: p, 2: 1 - p}, {1: slow, 2: quick})
    assert found == pytest.approx(1 / (1 - p) / time, rel=1e-12)


def test_what_a_saturated_cluster_serves_is_simulated():
    sizes, rates = {1: 0.4, 3: 0.4, 8: 0.2}, {1: 0.5, 3: 2.0, 8: 5.0}
    cluster = ServiceCluster(10, 3, sizes, 1e5, 1e4, rates)
    found = simulate(cluster, jumps=40_000, warmup=1000, replications=10, seed=4).mean_jobs_in_service
    assert abs(found.value - saturated_jobs(10, sizes, rates)) <= 2 * found.half_width + 1e-3


def test_where_no_chain_answers():
    for servers, sizes, rates, sentence in (
        (40, uniform_sizes(40), {size: float(size) for size in range(1, 41)}, "states would answer where service_rate"),
        (5, {1: 0.5, 2: 0.5}, {1: 1e-300, 2: 1e300}, "service_rates lie so far apart"),
    ):
        with pytest.raises(NoExactAnswer, match=sentence):
            saturated_jobs(servers, sizes, rates)
    with pytest.raises(ValueError, match=r"service_rates must be given for every job size \(missing: 2\)"):
        saturated_jobs(3, {1: 0.5, 2: 0.5}, {1: 1.0})


def test_a_saturated_cluster_of_any_size_runs_few_jobs():
    # The limit is approached as 1 / C.
    assert saturated_jobs(1000, uniform_sizes(1000)) == pytest.approx(1 / (np.e - 2), rel=1e-3)
    with pytest.raises(ValueError, match="each size in job_sizes must be"):
        saturated_jobs(3, {4: 1.0})


def test_the_fewest_servers_are_found():
    """Against a search that tries every number."""
    for delay, utilisation in ((0.5, 0.0), (0.05, 0.0), (0.05, 0.5), (1e-4, 0.3)):
        cluster = ServiceCluster(4, 12, {1: 0.5, 3: 0.3, 4: 0.2}, 3.0, 50.0, {1: 2.0, 3: 1.0, 4: 0.7})
        tried = [replace(cluster, servers=number).solve() for number in range(4, 31)]
        meets = [found.mean_delay <= delay and found.utilisation >= utilisation for found in tried]
        assert (np.diff([found.mean_delay for found in tried]) < 0).all()  # here; not always
        if any(meets):
            best = smallest_cluster(cluster, delay=delay, utilisation=utilisation, most=30)
            assert best.servers == 4 + meets.index(True)
            assert best.mean_delay == pytest.approx(tried[meets.index(True)].mean_delay, rel=1e-6)
        else:
            with pytest.raises(ValueError, match="must be"):
                smallest_cluster(cluster, delay=delay, utilisation=utilisation, most=30)


def test_the_fewest_servers_are_found_where_the_delay_rises_with_the_servers():
    """Long jobs of four servers: the ninth server lets in jobs that then wait for the third of them."""
    cluster = ServiceCluster(6, 10, {1: 0.997, 4: 0.002, 6: 0.001}, 2.0, 100.0, {1: 1.0, 4: 0.001, 6: 1.0})
    tried = {number: replace(cluster, servers=number).solve().mean_delay for number in range(6, 13)}
    assert tried[9] > 1.02 * tried[8]
    limit = (tried[8] + tried[9]) / 2
    assert smallest_cluster(cluster, delay=limit).servers == min(n for n, delay in tried.items() if delay <= limit) == 8


@settings(max_examples=20, deadline=None, derandomize=True)
@given(clusters())
def test_more_servers_lose_no_more_jobs(cluster):
    """The search halves on it; its docstring has the proof."""
    lost = [replace(cluster, servers=cluster.servers + more).solve().blocking for more in range(4)]
    assert (np.diff(lost) < 1e-10).all()


def test_sizes_with_a_common_divisor_skip_useless_servers():
    cluster = ServiceCluster(20, 10, {10: 0.8, 20: 0.2}, 2.0, 50.0, 1.0)
    found = smallest_cluster(cluster, delay=0.1)
    assert found.servers % 10 == 0
    halved = smallest_cluster(replace(cluster, job_sizes={1: 0.8, 2: 0.2}, service_rates=1.0), delay=0.1)
    assert found.servers == 10 * halved.servers and found.mean_delay == pytest.approx(halved.mean_delay)


@pytest.mark.parametrize(
    ("targets", "sentence"),
    [
        ({"delay": 0}, "delay must be a finite number, above 0; got 0."),
        ({"delay": 1, "utilisation": 2}, "utilisation must be .* at most 1; got 2."),
        ({"delay": 1, "most": 3}, "most must be an integer of at least 5; got 3."),
        ({"delay": 1e-9, "most": 6}, "delay must be above .*, that of 6 servers, or blocking larger; got 1e-09."),
        ({"delay": 5, "blocking": 0.5, "utilisation": 0.99}, "utilisation must be below what the delay allows"),
    ],
)
def test_targets_that_cannot_be_met_are_one_sentence(targets, sentence):
    with pytest.raises(ValueError, match=sentence):
        smallest_cluster(SMALL, **targets)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(clusters())
def test_response_times_by_size(cluster):
    """Weighted by the rates, they are all jobs in the system (Little); alone on a cluster, a job never waits."""
    found = cluster.solve()
    rates = cluster.arrival_rate * (1 - found.blocking) * cluster.size_probabilities
    busy = found.probabilities()[cluster.level_sizes[0] :].sum()
    assert rates @ found.mean_response == pytest.approx(found.mean_queue + busy + found.mean_jobs_in_service)
    alone = replace(cluster, arrival_rate=1e-6).solve().mean_response
    np.testing.assert_allclose(alone, 1 / cluster.tracker_rate + 1 / cluster.size_service_rates, rtol=1e-4)


def test_elimination_by_levels_keeps_the_leading_digits_of_rare_states():
    cluster = ServiceCluster(5, 4, {1: 0.9, 2: 0.0999, 3: 0.0001}, 0.2, 30.0, {1: 40.0, 2: 0.3, 3: 5.0})
    P = solve_directly(cluster, "gth").probabilities()
    assert P.min() < 1e-11
    np.testing.assert_allclose(solve_directly(cluster).probabilities(), P, rtol=1e-11)
