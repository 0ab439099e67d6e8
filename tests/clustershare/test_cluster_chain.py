import json
import pickle
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clustershare import markov
from clustershare import sizes as laws
from clustershare.cluster_chain import (
    Bursts,
    ServiceCluster,
    exact,
    harmonic_sizes,
    normal_sizes,
    solve_directly,
    uniform_sizes,
)
from clustershare.cluster_chain.solver import LAST_SWEEPS, _EmbeddedChain, estimated_error
from clustershare.results import NoExactAnswer
from compilation import printed
from random_clusters import SMALL, clusters


def partitions(servers, sizes, largest=None):
    """Cluster vectors as sorted tuples, by plain recursion."""
    yield ()
    for size in sizes:
        if size <= servers and (largest is None or size <= largest):
            for rest in partitions(servers - size, sizes, size):
                yield (*rest, size)


def without(vector, size):
    rest = list(vector)
    rest.remove(size)
    return tuple(rest)


def transcribed(cluster):
    """States and transition rates of Table 2, written down a second time, state by state."""
    N, C, lam, mu1 = cluster.servers, cluster.queue_capacity, cluster.arrival_rate, cluster.tracker_rate
    p = dict(cluster.job_sizes)
    mu2 = (
        dict.fromkeys(p, cluster.service_rates)
        if isinstance(cluster.service_rates, float)
        else dict(cluster.service_rates)
    )
    vectors = sorted(set(partitions(N, sorted(p))), key=lambda vector: (len(vector), vector))
    states = [(0, 0, V) for V in vectors] + [(x1, n, V) for x1 in range(C + 1) for n in sorted(p) for V in vectors]
    rates = {}

    def add(x, y, rate):
        rates[x, y] = rates.get((x, y), 0) + rate

    for x in states:
        x1, x2, V = x
        if x1 == 0 and x2 == 0:
            for n in p:
                add(x, (0, n, V), lam * p[n])
        if x1 < C and x2 > 0:
            add(x, (x1 + 1, x2, V), lam)
        for n in set(V):
            add(x, (x1, x2, without(V, n)), V.count(n) * mu2[n])
        if x2 > 0 and sum(V) + x2 <= N:
            if x1 > 0:
                for n in p:
                    add(x, (x1 - 1, n, tuple(sorted((*V, x2)))), mu1 * p[n])
            else:
                add(x, (0, 0, tuple(sorted((*V, x2)))), mu1)
    return states, rates


PAPER = ServiceCluster(16, 15, uniform_sizes(16), 30, 100, 10)


# The generator, against Table 2 written twice.


@settings(max_examples=40, deadline=None, derandomize=True)
@given(clusters())
def test_the_generator_is_table_2(cluster):
    states, rates = transcribed(cluster)
    assert cluster.state_list() == states
    assert cluster.states == len(states)
    index = {state: number for number, state in enumerate(states)}
    expected = np.zeros((len(states), len(states)))
    for (x, y), rate in rates.items():
        expected[index[x], index[y]] += rate
    expected -= np.diag(expected.sum(axis=1))
    Q = cluster.generator()
    np.testing.assert_allclose(Q.toarray(), expected, rtol=1e-14, atol=1e-13)
    assert -Q.diagonal().min() <= cluster.largest_rate * (1 + 1e-12)


def test_the_blocks_of_equation_2():
    Q, states = replace(SMALL, queue_capacity=5).generator(), replace(SMALL, queue_capacity=5).state_list()
    level = np.array([x1 for x1, _, _ in states])
    row, column = Q.nonzero()
    assert np.abs(level[row] - level[column]).max() == 1  # block tridiagonal

    def block(i, j):
        return Q.toarray()[np.ix_(level == i, level == j)]

    busy = np.array([x2 > 0 for x1, x2, _ in states if x1 == 0])
    assert (level == 0).sum() - (level == 1).sum() == (~busy).sum()
    for j in range(2, 5):
        assert (block(j, j) == block(1, 1)).all() and (block(j, j - 1) == block(2, 1)).all()
        assert (block(j, j + 1) == block(1, 2)).all()
    assert (block(0, 1)[busy] == block(1, 2)).all() and not block(0, 1)[~busy].any()
    assert not (block(5, 5) == block(1, 1)).all()


@pytest.mark.parametrize(
    ("cluster", "states", "vectors"),
    [
        (PAPER, 235_155, 915),
        (ServiceCluster(15, 15, normal_sizes(15), 30, 200, 10), 164_844, 684),
        (ServiceCluster(1500, 50, {10: 0.95, 100: 0.05}, 50, 100, {10: 10, 100: 1}), 125_248, 1216),
        (ServiceCluster(1, 0, {1: 1}, 1, 1, 1), 4, 2),
    ],
)
def test_the_states_are_as_many_as_the_source_says(cluster, states, vectors):
    assert cluster.states == states
    assert len(cluster.lattice().fits) == vectors


def test_the_order_of_the_cluster_vectors():
    vectors = [V for _, x2, V in ServiceCluster(6, 0, uniform_sizes(6), 1, 1, 1).state_list() if x2 == 0]
    assert vectors[0] == () and vectors[1:7] == [(n,) for n in range(1, 7)]
    of_length_three = [V for V in vectors if len(V) == 3]
    assert of_length_three == [(1, 1, 1), (1, 1, 2), (1, 1, 3), (1, 1, 4), (1, 2, 2), (1, 2, 3), (2, 2, 2)]


# The solution, against other solvers.


@settings(max_examples=60, deadline=None, derandomize=True)
@given(clusters())
def test_the_solution_is_that_of_other_solvers(cluster):
    Q, solution = cluster.generator(), cluster.solve()
    found = solution.probabilities()
    np.testing.assert_allclose(found, markov.stationary(Q), rtol=0, atol=1e-10)
    if cluster.states < 600:
        np.testing.assert_allclose(found, markov.gth(Q), rtol=0, atol=1e-10)
    assert markov.residual(found, Q) < 1e-12
    assert solution.residual == pytest.approx(markov.residual(found, Q), abs=1e-13)
    assert solution.flow_error < 1e-10

    # (5)-(9), summed over the states one by one
    states, C = cluster.state_list(), cluster.queue_capacity
    queue = sum(x1 * P for (x1, _, _), P in zip(states, found, strict=True))
    blocking = sum(P for (x1, x2, _), P in zip(states, found, strict=True) if x1 == C and x2 > 0)
    assert solution.mean_queue == pytest.approx(queue, abs=1e-12)
    assert solution.blocking == pytest.approx(blocking, abs=1e-12)
    assert solution.mean_delay == pytest.approx(queue / (cluster.arrival_rate * (1 - blocking)), abs=1e-12)
    busy = sum(sum(V) * P for (_, _, V), P in zip(states, found, strict=True))
    assert solution.utilisation == pytest.approx(busy / cluster.servers, abs=1e-12)
    jobs = sum(len(V) * P for (_, _, V), P in zip(states, found, strict=True))
    assert solution.mean_jobs_in_service == pytest.approx(jobs, abs=1e-12)

    # What is accepted is served.
    accepted = cluster.arrival_rate * (1 - blocking) * cluster.size_probabilities
    for size, flow, rate in zip(cluster.sizes, accepted, cluster.size_service_rates, strict=True):
        in_service = sum(V.count(size) * P for (_, _, V), P in zip(states, found, strict=True))
        assert flow == pytest.approx(rate * in_service, abs=1e-10)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(clusters(), st.integers(0, 2**32))
def test_the_residual_is_that_of_the_generator(cluster, seed):
    """For arbitrary probabilities, not only those that solve the chain."""
    chain = _EmbeddedChain(cluster)
    entries = np.random.default_rng(seed).random(chain.shape).ravel()
    probabilities = chain.probabilities(entries)
    expected = markov.residual(probabilities, cluster.generator())
    assert expected > 1e-3
    assert chain.residual() == pytest.approx(expected, rel=1e-10)
    assert chain.total() == pytest.approx(probabilities.sum(), rel=1e-12)
    # A sweep leaves only the balance of the tracker's entries open.
    assert np.abs(chain.sweep(entries) - entries).sum() == pytest.approx(expected, rel=1e-10)


# The source's size.


def test_the_source_s_example():
    solution = PAPER.solve()
    Q = PAPER.generator()
    assert solution.residual < 1e-12
    assert markov.residual(solution.probabilities(), Q) < 1e-12
    assert solution.flow_error < 1e-12
    # all service rates alike: E[J] and E[U] follow from the throughput
    accepted = 30 * (1 - solution.blocking)
    assert solution.mean_jobs_in_service == pytest.approx(accepted / 10, rel=1e-11)
    assert solution.utilisation == pytest.approx(accepted * 8.5 / 10 / 16, rel=1e-11)
    assert solution.mean_jobs_in_service == pytest.approx(1.22243, abs=5e-6)


@pytest.mark.parametrize("arrival_rate", [2, 15, 30, 60, 100])
@pytest.mark.parametrize("sizes", [uniform_sizes, normal_sizes, harmonic_sizes])
def test_every_curve_is_solved_in_few_sweeps(sizes, arrival_rate):
    solution = replace(PAPER, job_sizes=sizes(16), arrival_rate=arrival_rate).solve()
    assert solution.residual < 1e-12 and solution.flow_error < 1e-11
    assert solution.sweeps < 70


def test_thousands_of_servers():
    cluster = ServiceCluster(1500, 50, {10: 0.95, 100: 0.05}, 80, 100, {10: 10, 100: 1})
    solution = cluster.solve()
    assert markov.residual(solution.probabilities(), cluster.generator()) < 2e-12
    # The cluster hardly ever blocks the tracker, which is then M/M/1 with 51 places.
    powers = 0.8 ** np.arange(52)
    assert solution.mean_queue == pytest.approx((powers[1:] @ np.arange(51)) / powers.sum(), rel=1e-3)


@pytest.mark.parametrize("arrival_rate", [4, 10, 30])
def test_one_server_and_a_quick_tracker_are_a_single_queue(arrival_rate):
    """M/M/1 with C + 2 places: queue, tracker, server; the difference falls like 1 / tracker_rate."""
    slow, quick = (ServiceCluster(1, 15, {1: 1}, arrival_rate, rate, 10).solve().blocking for rate in (1e5, 1e6))
    powers = (arrival_rate / 10) ** np.arange(18.0)
    blocking = powers[-1] / powers.sum()
    assert quick == pytest.approx(blocking, rel=2e-3)
    assert (10 * quick - slow) / 9 == pytest.approx(blocking, rel=1e-5)


def test_without_a_queue_an_idle_tracker_accepts():
    """(6) as written would count the idle tracker as blocking when C = 0."""
    cluster = ServiceCluster(1, 0, {1: 1}, 2, 3, 5)
    P = dict(zip(cluster.state_list(), markov.gth(cluster.generator()), strict=True))
    assert cluster.solve().blocking == pytest.approx(P[0, 1, ()] + P[0, 1, (1,)], abs=1e-13)


def test_a_guess_changes_only_the_way():
    guess = replace(PAPER, arrival_rate=29).solve()
    cold, warm = PAPER.solve(), PAPER.solve(guess=guess)
    assert warm.blocking == pytest.approx(cold.blocking, abs=1e-12)
    assert warm.residual < 1e-12 and warm.sweeps <= cold.sweeps
    assert PAPER.solve(guess=cold).sweeps <= 1 + LAST_SWEEPS


def test_a_correction_that_outweighs_the_start_is_turned():
    """Rounding once added minus 20,000 times the solution, and nothing was left to divide by."""
    solution = ServiceCluster(150, 50, {10: 0.93, 100: 0.07}, 10.0, 100.0, {10: 10.0, 100: 1.0}).solve()
    assert max(solution.residual, solution.flow_error, solution.little_error) < 1e-12


def test_rare_states_have_their_leading_digits():
    rates = {1: 40.0, 2: 0.3, 3: 5.0}
    cluster = ServiceCluster(5, 4, {1: 0.9, 2: 0.0999, 3: 0.0001}, 0.2, 30.0, rates)
    P = markov.gth(cluster.generator())
    assert P.min() < 1e-11
    np.testing.assert_allclose(cluster.solve().probabilities(), P, rtol=1e-11)
    alone = ServiceCluster(60, 10, {20: 1.0}, 0.6, 100.0, 1.0)  # three jobs run at most
    blocking = solve_directly(alone, "gth").blocking
    assert blocking < 1e-9
    assert alone.solve().blocking == pytest.approx(blocking, rel=1e-10)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(clusters())
def test_the_error_covers_what_a_coarse_solution_lacks(cluster):
    coarse, fine = cluster.solve(1e-5), cluster.solve()
    assert np.abs(coarse.probabilities() - fine.probabilities()).sum() <= coarse.error + fine.error
    assert fine.method == "chain" and fine.error < 1e-8


@settings(max_examples=25, deadline=None, derandomize=True)
@given(clusters())
def test_the_error_covers_any_probabilities_with_the_same_residual(cluster):
    """The residual times the norm of the deviation matrix bounds the error: the estimate must not be below it."""
    assume(cluster.states < 400)
    Q = cluster.generator().toarray()
    always = np.tile(markov.gth(Q), (len(Q), 1))
    deviations = np.linalg.inv(always - Q) - always
    worst = np.abs(deviations[:, None] - deviations).sum(axis=2).max() / 2
    assert worst <= estimated_error(1.0, cluster.queue_capacity, *cluster.mean_times)


def test_exact_is_the_solution_where_all_is_exponential():
    found = exact(SMALL, tracker=laws.Exponential(), service=laws.Exponential(1.0))
    assert found.blocking == SMALL.solve().blocking
    for other in ({"arrivals": Bursts((0.5, 3.0), (4.0, 1.0))}, {"service": laws.Deterministic(1.0)}):
        with pytest.raises(NoExactAnswer, match="use simulate[.]$"):
            exact(SMALL, **other)
    with pytest.raises(ValueError, match="tracker must be None or a distribution"):
        exact(SMALL, tracker=2.0)
    with pytest.raises(ValueError, match="cluster must be a ServiceCluster"):
        exact(3)


def test_a_tolerance_that_rounding_forbids_is_said():
    assert PAPER.solve(tolerance=1e-6).sweeps < PAPER.solve().sweeps
    with pytest.raises(NoExactAnswer, match="was not solved: residual"):
        SMALL.solve(tolerance=1e-300)


# Job sizes.


def test_job_sizes():
    for sizes in (uniform_sizes(16), normal_sizes(16), harmonic_sizes(16), normal_sizes(16, 1e-3)):
        assert list(sizes) == list(range(1, 17))
        assert sum(sizes.values()) == pytest.approx(1, abs=1e-14)
    sizes = normal_sizes(16)
    assert sizes[3] / sizes[8] == pytest.approx(np.exp((0.5**2 - 5.5**2) / (2 * 2.125**2)))
    assert harmonic_sizes(9)[4] / harmonic_sizes(9)[1] == pytest.approx(1 / 8)
    assert normal_sizes(16, 1e-3)[8] == 0.5  # and the rest vanishes
    assert ServiceCluster(16, 0, normal_sizes(16, 1e-3), 1, 1, 1).job_sizes == ((8, 0.5), (9, 0.5))


def test_a_cluster_is_a_value():
    cluster = ServiceCluster(4, 1, {3: 0.5, 1: 0.5, 2: 0.0}, 1, 2, {1: 1, 3: 2, 4: 9})
    assert cluster.job_sizes == ((1, 0.5), (3, 0.5))
    assert cluster == replace(cluster) and hash(cluster) == hash(replace(cluster))
    assert ServiceCluster(**json.loads(json.dumps(asdict(cluster)))) == cluster
    assert pickle.loads(pickle.dumps(cluster.solve())).probabilities().shape == (cluster.states,)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"servers": 0}, "servers must be an integer of at least 1; got 0."),
        ({"queue_capacity": -1}, "queue_capacity must be an integer of at least 0; got -1."),
        ({"job_sizes": {17: 1.0}}, "each size in job_sizes must be an integer of at least 1 and at most 16; got 17."),
        ({"job_sizes": {1.5: 1.0}}, "each size in job_sizes must be an integer .* got 1.5."),
        ({"job_sizes": {1: 1.5, 2: -0.5}}, "probabilities in job_sizes.0. must be .* at most 1; got 1.5."),
        ({"job_sizes": {1: 0.5}}, r"the probabilities in job_sizes must be .* \(they sum to 0.5\)"),
        ({"job_sizes": {}}, "job_sizes must be a non-empty dictionary by job size; got {}."),
        ({"job_sizes": 3}, "job_sizes must be a non-empty dictionary by job size; got 3."),
        ({"job_sizes": [(1, 0.5), (1, 0.5)]}, "job_sizes must be given once for each size"),
        ({"arrival_rate": 0}, "arrival_rate must be a finite number, above 0; got 0."),
        ({"tracker_rate": -1}, "tracker_rate must be a finite number, above 0; got -1."),
        ({"service_rates": 0.0}, "service_rates must be a finite number, above 0; got 0.0."),
        ({"service_rates": "fast"}, "service_rates must be a finite number, above 0; got 'fast'."),
        ({"service_rates": [(1, 2.0), (3,)]}, "service_rates must be a non-empty dictionary by job size"),
        ({"service_rates": {1: 1.0, 2: 0}}, "the rate of size 2 in service_rates must be .* above 0; got 0."),
        ({"job_sizes": {1: 0.5, 2: 0.5}, "service_rates": {1: 1.0}}, r"every job size \(missing: 2\); got {1: 1.0}."),
    ],
)
def test_bad_parameters_are_answered_in_one_sentence(changes, sentence):
    with pytest.raises(ValueError, match=sentence) as raised:
        replace(PAPER, **changes)
    assert str(raised.value).count(". ") == 0 and str(raised.value).endswith(".")


def test_too_many_states_are_said_before_they_are_built():
    huge = ServiceCluster(100, 15, uniform_sizes(100), 1, 1, 1)
    assert huge.states == 1_642_992_568 * 1601  # the sum of the partition numbers up to 100
    for method in (huge.solve, huge.generator, huge.state_list):
        with pytest.raises(ValueError, match=f"GiB for this chain of {huge.states} states; got 2 GiB."):
            method()
    with pytest.raises(ValueError, match="memory_limit must be at least"):
        SMALL.solve(memory_limit=100)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: SMALL.solve(tolerance=0), "tolerance must be"),
        (lambda: SMALL.solve(guess=PAPER.solve()), "guess must be a Solution with the same servers"),
        (lambda: SMALL.solve(guess=1), "guess must be a Solution"),
        (lambda: uniform_sizes(0), "largest must be"),
        (lambda: normal_sizes(3, 0), "spread must be"),
        (lambda: harmonic_sizes(3, -1), "exponent must be"),
    ],
)
def test_bad_arguments_are_answered_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_the_kernels_give_the_same_bits_without_compilation():
    program = (
        "from clustershare.cluster_chain import *\n"
        "from clustershare import sizes\n"
        "cluster = ServiceCluster(4, 3, harmonic_sizes(4), 3, 5, {1: 1, 2: 2, 3: 0.5, 4: 1.5})\n"
        "s, laws = cluster.solve(), {'tracker': sizes.Pareto(1.0, 2.5)}\n"
        "laws['service'] = sizes.ErlangMixture(0.5, (1, 3), (0.5, 0.5))\n"
        "print(repr(s), s.probabilities().tolist())\n"
        "print(simulate(cluster, arrivals=Bursts((0.5, 2.0), (2.0, 1.0)), **laws, jumps=300, replications=2))"
    )
    outputs = printed(program)
    assert outputs[0] == outputs[1]
