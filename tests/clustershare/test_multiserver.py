"""The multi-server queue: formulas and chains against one another, and the sentences for wrong arguments."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from clustershare import markov, sizes
from clustershare.arguments import UnstableError
from clustershare.multiserver import (
    CompatibilityGraph,
    RandomAssignment,
    balance_function,
    balanced_fairness,
    distance_from_balanced_fairness,
    exact,
    interrupted_queue,
    is_stable,
    over_all_orders,
    random_assignment,
    recursions,
    service_rates,
    simulate,
    state_rates,
    stationary_measure,
    three_server_service_rates,
)
from clustershare.multiserver.chain import ordered_chain
from clustershare.multiserver.graph import merged, overloaded_classes
from clustershare.results import NoExactAnswer
from random_graphs import SETTINGS, STANDARD_ERRORS, THREE, UNEQUAL, agrees, graphs, orders, stable_systems, subsets

# The order-independent queue


@given(graphs(), st.lists(st.floats(0.1, 2), min_size=3, max_size=3))
@SETTINGS
def test_the_product_form_satisfies_partial_balance(graph, rates):
    rates = rates[: graph.classes]
    for length in range(3):
        for queue in itertools.product(range(graph.classes), repeat=length):
            for i in range(graph.classes):
                inflow = 0.0
                for k in range(length + 1):
                    longer = [*queue[:k], i, *queue[k:]]
                    inflow += stationary_measure(graph, rates, longer) * state_rates(graph, longer)[k]
                assert inflow == pytest.approx(stationary_measure(graph, rates, queue) * rates[i], rel=1e-12)


@given(
    graphs(),
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
    st.lists(st.floats(0.1, 2), min_size=3, max_size=3),
)
@SETTINGS
def test_the_aggregate_state_is_that_of_a_whittle_network(graph, x, rates):
    x, rates = x[: graph.classes], np.array(rates[: graph.classes])
    aggregate, mean_rates = over_all_orders(graph, rates, x)
    assert aggregate == pytest.approx(sum(stationary_measure(graph, rates, queue) for queue in orders(x)))
    assert aggregate == pytest.approx(balance_function(graph, x) * math.prod(rates**x), rel=1e-12)
    # Theorem 2
    phi = service_rates(graph, x)
    np.testing.assert_allclose(phi, mean_rates, rtol=1e-12)
    # Corollary 1
    active = [i for i in range(graph.classes) if x[i]]
    assert phi[active].sum() == pytest.approx(graph.service_rate(active), rel=1e-12)
    assert all(phi[list(A)].sum() <= graph.service_rate(A) * (1 + 1e-12) for A in subsets(graph))
    # The balance property (6)
    for i, j in itertools.combinations(active, 2):
        without_i, without_j = (np.array(x) - np.eye(graph.classes, dtype=int)[k] for k in (i, j))
        left = phi[i] * service_rates(graph, without_i)[j]
        assert left == pytest.approx(phi[j] * service_rates(graph, without_j)[i], rel=1e-12)


def test_balance_function_of_many_jobs():
    one = CompatibilityGraph([{0}], [2.0])
    assert balance_function(one, [20]) == 2.0**-20
    with pytest.raises(ValueError, match=r"x must be such that Phi\(x\), 0.5 \* 2\*\*-4999 here, is a float"):
        balance_function(one, [5000])
    assert balance_function(one, [5000], logarithm=True) == pytest.approx(-5000 * math.log(2), rel=1e-15)
    assert service_rates(one, [5000]) == [2.0]
    rates = service_rates(UNEQUAL, [1500, 1500])
    assert rates.sum() == pytest.approx(3.2, rel=1e-12) and (rates > [0.5, 1.5]).all()


@given(graphs(most_classes=4))
@SETTINGS
def test_service_rate_is_monotone_and_submodular(graph):
    for A, B in itertools.product(subsets(graph), repeat=2):
        union, common = graph.service_rate({*A, *B}), graph.service_rate(set(A) & set(B))
        rate_of_A, rate_of_B = graph.service_rate(A), graph.service_rate(B)
        assert union >= rate_of_A and union + common <= rate_of_A + rate_of_B + 1e-12
    table = graph.service_rates_of_subsets(range(graph.classes))
    for A in subsets(graph):
        assert table[sum(1 << i for i in A)] == pytest.approx(graph.service_rate(A))


# Stability


@given(graphs(most_classes=4), st.lists(st.sampled_from([0, 0.5, 1, 1.5, 2]), min_size=4, max_size=4))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_stability_is_that_of_every_set_of_classes(graph, rates):
    graph = CompatibilityGraph(graph.servers_of_class, np.ceil(graph.capacities))  # equality does occur
    rates = np.array(rates[: graph.classes], dtype=float)
    loads = {A: rates[list(A)].sum() / graph.service_rate(A) for A in subsets(graph)}
    assert is_stable(graph, rates) == (max(loads.values()) < 1)
    named = overloaded_classes(graph, rates)
    if named:
        assert loads[named] == pytest.approx(max(loads.values()))


def test_stability_at_the_boundary():
    assert is_stable(THREE, [1.9, 1.0]) and is_stable(THREE, [0, 0])
    assert not is_stable(THREE, [2, 0]) and not is_stable(THREE, [1.5, 1.5])
    assert is_stable(THREE, [1.5, np.nextafter(1.5, 0) - 1e-11])
    # 0.1 + 0.2 and 0.3 are equal but for rounding
    assert not is_stable(CompatibilityGraph([{0, 1}], [0.1, 0.2]), [0.3])
    assert not is_stable(CompatibilityGraph([{0}, {1}], [1e-10, 2.0]), [1e-9, 1.0])
    sentence = r"^overloaded classes \{0, 1\}: arrival rate 3 is not below their capacity 2\.$"
    with pytest.raises(UnstableError, match=sentence) as raised:
        balanced_fairness(CompatibilityGraph([{0, 1}, {0, 1}, {2}], [1, 1, 1]), [1.5, 1.5, 0.1])
    assert raised.value.overloaded == (0, 1)


def test_stability_of_hundreds_of_classes():
    pairs = list(itertools.combinations(range(25), 2))
    graph = CompatibilityGraph(pairs, np.ones(25))
    assert is_stable(graph, np.full(300, 25 * 0.99 / 300))
    rates = np.full(300, 25 * 0.5 / 300)
    inside = [pairs.index(pair) for pair in itertools.combinations(range(4), 2)]
    rates[inside] = 4 * 1.001 / 6  # more than the first 4 servers can do
    assert set(overloaded_classes(graph, rates)) == set(inside)


# Balanced fairness


@given(stable_systems(highest_load=0.45))
@SETTINGS
def test_the_recursion_is_the_sum_over_the_lattice(system):
    graph, rates = system
    size = {1: 60, 2: 60, 3: 45}[graph.classes]
    shape = (size,) * graph.classes
    strides = size ** np.arange(graph.classes - 1, -1, -1)
    mantissas, exponents = recursions.balance(
        size**graph.classes, np.array(shape), strides, graph.service_rates_of_subsets(range(graph.classes))
    )
    x = np.indices(shape)
    measure = np.ldexp(mantissas, exponents).reshape(shape) * np.prod(
        rates.reshape(-1, *[1] * graph.classes) ** x, axis=0
    )
    mean = (x * measure).reshape(graph.classes, -1).sum(axis=1) / measure.sum()
    result = balanced_fairness(graph, rates)
    np.testing.assert_allclose(result.mean_jobs, mean, rtol=1e-9)
    assert result.probability_empty == pytest.approx(1 / measure.sum(), rel=1e-9)
    np.testing.assert_allclose(result.mean_delay * result.mean_service_rate, 1)
    np.testing.assert_allclose(result.mean_delay * rates, result.mean_jobs)


@given(stable_systems(most_classes=7, numbers=(1, 2, 3)))
@SETTINGS
def test_merging_equal_classes_and_servers_changes_nothing(system):
    graph, rates = system
    rates[0] = 0
    # every server twice, and one that nobody may use
    doubled = [[*servers, *(s + graph.servers for s in servers)] for servers in graph.servers_of_class]
    halves = [capacity / 2 for capacity in graph.capacities]
    result = balanced_fairness(CompatibilityGraph(doubled, [*halves, *halves, 1.0]), rates)
    mass, delays = recursions.subset_recursion(rates, graph.service_rates_of_subsets(range(graph.classes)))
    np.testing.assert_allclose(result.mean_delay, delays, rtol=1e-11)
    np.testing.assert_allclose(result.mean_jobs, rates * delays, rtol=1e-11)
    assert result.probability_empty == pytest.approx(1 / mass, rel=1e-11)
    small, _ = merged(graph)
    assert small.classes == len(set(graph.servers_of_class)) and small.servers <= 2**small.classes - 1


def test_sixty_classes_of_three_kinds():
    rates = np.linspace(0.01, 0.04, 60)
    kinds = [{0, 2}, {1, 2}, {2}]
    many = balanced_fairness(CompatibilityGraph(kinds * 20, UNEQUAL.capacities), rates)
    few = balanced_fairness(CompatibilityGraph(kinds, UNEQUAL.capacities), rates.reshape(20, 3).sum(axis=0))
    np.testing.assert_allclose(many.mean_jobs.reshape(20, 3).sum(axis=0), few.mean_jobs)
    np.testing.assert_allclose(many.mean_jobs / rates, np.tile(few.mean_delay, 20))


@given(
    st.lists(st.floats(0.1, 3), min_size=3, max_size=3),
    st.lists(st.floats(0.01, 1), min_size=2, max_size=2),
    st.floats(0.05, 0.99),
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_closed_form_of_three_servers(capacities, rates, load):
    graph = CompatibilityGraph([{0, 2}, {1, 2}], capacities)
    rates = np.array(rates)
    rates *= load / max(rates[list(A)].sum() / graph.service_rate(A) for A in subsets(graph))
    closed = three_server_service_rates(capacities, rates)
    np.testing.assert_allclose(closed, balanced_fairness(graph, rates).mean_service_rate, rtol=1e-9)
    assert (closed < [graph.service_rate([0]), graph.service_rate([1])]).all()


def test_limits_of_three_servers():
    np.testing.assert_allclose(three_server_service_rates([0.5, 1.5, 1.2], [1e-9, 1e-9]), [1.7, 2.7], rtol=1e-6)
    # without a second server: two servers, of which class 1 may use both and class 2 one
    asymmetric = balanced_fairness(CompatibilityGraph([{0, 1}, {1}], [1, 1]), [0.5, 0.5]).mean_service_rate
    np.testing.assert_allclose(three_server_service_rates([1, 0, 1], [0.5, 0.5]), asymmetric)
    # without a common server: two single queues
    np.testing.assert_allclose(three_server_service_rates([1, 2, 0], [0.5, 0.5]), [0.5, 1.5])


def test_a_class_without_arrivals_has_the_limits():
    limit, near = balanced_fairness(UNEQUAL, [0, 1.1]), balanced_fairness(UNEQUAL, [1e-9, 1.1])
    np.testing.assert_allclose(limit.mean_delay, near.mean_delay, rtol=1e-8)
    assert limit.mean_jobs[0] == 0


@pytest.mark.parametrize(("servers", "degree"), [(1, 1), (3, 1), (3, 2), (4, 2), (5, 2), (5, 3), (4, 4), (6, 5)])
@pytest.mark.parametrize("load", [0, 0.3, 0.9])
def test_random_assignment_is_the_recursion_of_all_its_classes(servers, degree, load):
    classes = list(itertools.combinations(range(servers), degree))
    graph = CompatibilityGraph(classes, [1] * servers)
    exact = balanced_fairness(graph, [servers * load / len(classes)] * len(classes))
    closed = random_assignment(servers, degree, load)
    assert closed.mean_jobs == pytest.approx(exact.mean_jobs.sum(), rel=1e-11)
    assert closed.probability_empty == pytest.approx(exact.probability_empty, rel=1e-11)
    np.testing.assert_allclose(exact.mean_delay, closed.mean_delay, rtol=1e-11)
    np.testing.assert_allclose(exact.mean_service_rate, closed.mean_service_rate, rtol=1e-11)


def test_large_random_assignments():
    for degree in (1, 2, 500_000, 1_000_000):
        result = random_assignment(1_000_000, degree, 0.9)
        assert math.isfinite(result.mean_delay) and result.mean_delay > 0
    assert random_assignment(1_000_000, 1_000_000, 0.9).mean_delay == pytest.approx(1e-5)
    assert random_assignment(1_000_000, 1, 0.9).mean_delay == pytest.approx(10)


# Chains


@pytest.mark.parametrize("interruptions", [0, 1.5])
def test_product_form_against_the_chain(interruptions):
    # Cut at any length, a reversible aggregate keeps its law; (1) is compared state by state.
    rates = [0.6, 1.3]
    states, generator, _ = ordered_chain(UNEQUAL, rates, sizes.Exponential(), interruptions, 8)
    expected = np.array([stationary_measure(UNEQUAL, rates, [job[0] for job in queue]) for queue in states])
    np.testing.assert_allclose(markov.stationary(generator), expected / expected.sum(), atol=1e-12)


@pytest.mark.parametrize("interruptions", [0, 1, 5])
def test_simulation_against_the_chain_of_hyperexponential_sizes(interruptions):
    rates = np.array([0.25, 0.35])
    mixture = sizes.Hyperexponential((2.0, 0.4), (0.375, 0.625))
    means = [interrupted_queue(UNEQUAL, rates, mixture, interruptions, longest).mean_jobs for longest in (5, 6)]
    # What is lost shrinks geometrically with the length: the next terms are at most the last difference.
    cut = means[1] - means[0]
    assert (np.abs(cut) < 1e-3).all()
    result = simulate(UNEQUAL, rates, mixture, interruptions, jumps=500_000, warmup=1000, seed=11)
    error = STANDARD_ERRORS / 2.262 * result.mean_jobs.half_width + np.abs(cut)
    assert (np.abs(result.mean_jobs.value - means[1]) < error).all()


@pytest.mark.parametrize(
    ("graph", "rates", "longest"), [(CompatibilityGraph([{0}], [1.0]), [0.7], 9), (UNEQUAL, [0.8, 1.1], 5)]
)
def test_frequent_interruptions_tend_to_balanced_fairness(graph, rates, longest):
    # Losing what is beyond a number of jobs in all keeps balanced fairness insensitive: its law is (3), cut.
    weights = {
        x: balance_function(graph, x) * math.prod(np.array(rates) ** x)
        for x in itertools.product(range(longest + 1), repeat=graph.classes)
        if sum(x) <= longest
    }
    limit = sum(np.array(x) * weight for x, weight in weights.items()) / sum(weights.values())
    errors = []
    for interruptions in (0, 10, 100, 1000):
        arguments = graph, rates, sizes.bimodal_hyperexponential(), interruptions, longest
        errors.append(np.abs(interrupted_queue(*arguments).mean_jobs / limit - 1).max())
        assert distance_from_balanced_fairness(*arguments) == pytest.approx(errors[-1], rel=1e-6)
    assert errors[0] > 0.05
    assert errors[2] < errors[1] / 5 and errors[3] < errors[2] / 8 and errors[3] < 1e-3


def test_the_chain_counts_phases():
    # One server that is interrupted all the time: processor sharing, whatever the sizes. Two phases, FCFS: M/E2/1/K.
    one, erlang = CompatibilityGraph([{0}], [2.0]), sizes.ErlangMixture(0.5, (2,), (1.0,))
    shared = interrupted_queue(one, [1.0], erlang, 1e6, 8)
    geometric = 0.5 ** np.arange(9)
    assert shared.mean_jobs[0] == pytest.approx(geometric @ np.arange(9) / geometric.sum(), rel=1e-5)
    assert shared.probability_full == pytest.approx(geometric[8] / geometric.sum(), rel=1e-4)
    queue = interrupted_queue(one, [1.0], erlang, 0, 8)
    phases = markov.generator(  # of the phases left in the system, where a job brings two
        17, [*range(1, 17), *range(15)], [*range(16), *range(2, 17)], [4.0] * 16 + [1.0] * 15
    )
    law = markov.gth(phases)
    assert queue.mean_jobs[0] == pytest.approx(law @ ((np.arange(17) + 1) // 2), rel=1e-12)
    assert queue.probability_full == pytest.approx(law[15:].sum(), rel=1e-12)


@pytest.mark.parametrize("mixture", [sizes.bimodal_hyperexponential(), sizes.ErlangMixture(0.7, (1, 2), (0.5, 0.5))])
def test_the_chain_conserves_work_and_interrupts_as_often_as_told(mixture):
    result = interrupted_queue(UNEQUAL, [0.3, 0.7], mixture, 2.5, 4)
    np.testing.assert_allclose(result.interruptions_per_job, 2.5, rtol=1e-12)
    np.testing.assert_allclose(result.mean_delay * result.mean_service_rate, mixture.mean)
    alone = interrupted_queue(UNEQUAL, [0.3, 0], mixture, 0, 1)
    assert alone.mean_jobs[1] == 0 and alone.mean_service_rate[0] == pytest.approx(1.7)
    # An overloaded queue of bounded length is a queue all the same.
    assert interrupted_queue(THREE, [3, 4], mixture, 1, 3).probability_full > 0.5


# Exact answers by whichever method reaches them


@given(stable_systems(), st.floats(0.2, 5))
@SETTINGS
def test_of_sizes_balanced_fairness_knows_the_mean_alone(system, mean):
    graph, rates = system
    one, other = balanced_fairness(graph, rates), balanced_fairness(graph, rates / mean, sizes.Deterministic(mean))
    np.testing.assert_allclose(other.mean_jobs, one.mean_jobs)
    np.testing.assert_allclose(other.mean_service_rate, one.mean_service_rate)
    np.testing.assert_allclose(other.mean_delay, mean * one.mean_delay)
    assert other.probability_empty == pytest.approx(one.probability_empty)
    assert (one.method, one.error) == ("recursion", 0.0)


@given(st.integers(1, 6), st.integers(1, 6), st.floats(0.05, 0.95), st.floats(0.2, 5))
@SETTINGS
def test_balanced_fairness_of_servers_drawn_at_random(servers, degree, load, mean):
    degree = min(servers, degree)
    drawn = balanced_fairness(RandomAssignment(servers, degree), servers * load / mean, sizes.Exponential(mean))
    classes = list(itertools.combinations(range(servers), degree))
    told = balanced_fairness(
        CompatibilityGraph(classes, [1] * servers), [servers * load / mean / len(classes)] * len(classes),
        sizes.Exponential(mean),
    )  # fmt: skip
    assert drawn.mean_jobs == pytest.approx(told.mean_jobs.sum()) and drawn.method == "formula"
    np.testing.assert_allclose(told.mean_delay, drawn.mean_delay)
    np.testing.assert_allclose(told.mean_service_rate, drawn.mean_service_rate)


@pytest.mark.parametrize("law", [sizes.Exponential(2.0), sizes.Hyperexponential((2.0, 2.0, 9.0), (0.5, 0.5, 0.0))])
@pytest.mark.parametrize("interruptions", [0, 3])
def test_exponential_sizes_are_answered_by_balanced_fairness(law, interruptions):
    answer, fair = exact(UNEQUAL, [0.2, 0.3], law, interruptions), balanced_fairness(UNEQUAL, [0.4, 0.6])
    np.testing.assert_allclose(answer.mean_jobs, fair.mean_jobs)
    np.testing.assert_allclose(answer.interruptions_per_job, interruptions)
    # The same from the chain, with a queue so long that hardly a job is lost.
    chain = interrupted_queue(UNEQUAL, [0.2, 0.3], sizes.Exponential(2.0), interruptions, 12)
    off = np.abs(answer.mean_jobs / chain.mean_jobs - 1)
    assert (off < 2e-5).all() and off.max() < chain.error < 2.5 * off.max()
    drawn = exact(RandomAssignment(5, 2), 1.5, law, interruptions)
    assert drawn.mean_jobs == pytest.approx(random_assignment(5, 2, 0.6).mean_jobs)
    assert drawn.interruptions_per_job == interruptions


@given(
    st.sampled_from([sizes.bimodal_hyperexponential(), sizes.ErlangMixture(0.7, (1, 2), (0.5, 0.5))]),
    st.floats(0.1, 0.7),
    st.integers(7, 11),
)
@SETTINGS
def test_the_error_of_a_chain_is_what_the_cut_changes(law, load, most_jobs):
    result = exact(CompatibilityGraph([{0}], [1.0]), [load / law.mean], law, 0, most_jobs=most_jobs)
    # Pollaczek and Khinchine: first come, first served, of any length
    jobs = load + (load / law.mean) ** 2 * (law.variance + law.mean**2) / (2 * (1 - load))
    assert result.method == "chain" and result.error == pytest.approx(jobs / result.mean_jobs[0] - 1, rel=0.1)


@given(stable_systems(most_classes=2, highest_load=0.15), st.sampled_from([0, 1, 4]))
@SETTINGS
def test_the_chain_that_is_chosen_is_long_enough(system, interruptions):
    graph, rates = system
    law = sizes.Hyperexponential((2.0, 0.4), (0.375, 0.625))
    try:
        answer = exact(graph, rates, law, interruptions)
    except NoExactAnswer:  # already at a load of 0.14 two classes of one server can need too long a chain
        reject()
    assert answer.method == "chain" and answer.error <= 1e-3
    longer = interrupted_queue(graph, rates, law, interruptions, 6)
    assert (np.abs(longer.mean_jobs / answer.mean_jobs - 1) < 1.5e-3).all()


def test_exact_and_simulated_answers_lie_over_each_other():
    system = UNEQUAL, [0.1, 0.15], sizes.bimodal_hyperexponential(), 1
    answer, result = exact(*system), simulate(*system, jumps=300_000, seed=5)
    assert (result.method, answer.method) == ("simulation", "chain") and math.isnan(result.error)
    for quantity in ("mean_jobs", "mean_delay", "mean_service_rate", "interruptions_per_job", "probability_empty"):
        assert agrees(getattr(result, quantity), getattr(answer, quantity))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: balanced_fairness(CompatibilityGraph([{i} for i in range(23)], [1] * 23), [0.01] * 23),
            "The recursion takes at most 22 classes with different servers, and these are 23: use simulate.",
        ),
        (lambda: exact(RandomAssignment(5, 2), 1.0, sizes.bimodal_phases(), 1), "Servers drawn at random .*"),
        (lambda: exact(THREE, [0.3, 0.3], sizes.zipf_phases(8), 1), "A chain of at most 3 jobs, .* error of .*"),
        (lambda: exact(THREE, [0.1, 0.1], sizes.zipf_phases(), 1), "A chain of at most 1 jobs, .* error of 3.*"),
        (
            lambda: exact(THREE, [0.3, 0.3], sizes.Deterministic(1), 0),
            "No exact answer for sizes that are no mixture of Erlangs, where not all servers serve every job; .*",
        ),
        (
            lambda: exact(THREE, [0.3, 0.3], [sizes.Exponential()] * 2, 1),
            "No exact answer for sizes that differ between classes, where jobs are interrupted; use simulate.",
        ),
    ],
)
def test_no_exact_answer_is_neither_a_bad_argument_nor_an_overload(call, sentence):
    with pytest.raises(NoExactAnswer, match=f"^{sentence}$") as raised:
        call()
    assert not isinstance(raised.value, ValueError)


# Arguments


def test_a_graph_is_built_again_from_its_fields():
    graph = CompatibilityGraph([{2, 0}, range(1, 3)], np.array([1, 1, 2]))
    fields = {"servers_of_class": [[0, 2], [1, 2]], "capacities": [1.0, 1.0, 2.0]}
    assert graph == CompatibilityGraph(**fields) and hash(graph) == hash(CompatibilityGraph(**fields))
    assert graph.servers_of_class == ((0, 2), (1, 2)) and graph.capacities == (1.0, 1.0, 2.0)
    idle = CompatibilityGraph([{0}], [1, 5])  # nobody may use server 1
    np.testing.assert_allclose(balanced_fairness(idle, [0.5]).mean_jobs, [1])
    assert agrees(simulate(idle, [0.5], sizes.Exponential(), 0, jumps=100_000).mean_jobs, [1])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: CompatibilityGraph([], [1]), "servers_of_class must be a non-empty sequence .*; got \\[\\]"),
        (lambda: CompatibilityGraph("ab", [1]), "servers_of_class must be a non-empty sequence .*; got 'ab'"),
        (lambda: CompatibilityGraph([{0}, []], [1]), r"servers_of_class\[1\] must be .* at least one; got \[\]"),
        (lambda: CompatibilityGraph([{0, 1}], [1]), r"servers_of_class\[0\], a server, must be .* at most 0; got 1"),
        (lambda: CompatibilityGraph([[0, 0]], [1]), r"servers_of_class\[0\] must be .* repetition; got \[0, 0\]"),
        (lambda: CompatibilityGraph([3], [1]), r"servers_of_class\[0\] must be a collection of servers; got 3"),
        (lambda: CompatibilityGraph([{0}], [0]), r"capacities\[0\] must be a finite number, above 0; got 0"),
        (lambda: is_stable(THREE, [1]), "arrival_rates must be a sequence of 2 entries"),
        (lambda: is_stable(THREE, [1, -1]), r"arrival_rates\[1\] must be a finite number, at least 0; got -1"),
        (lambda: is_stable([[0]], [1]), r"graph must be a CompatibilityGraph; got \[\[0\]\]"),
        (lambda: state_rates(THREE, [0, 2]), r"classes_in_order\[1\], a class, must be .* at most 1; got 2"),
        (lambda: state_rates(THREE, 0), "classes_in_order must be a sequence of classes; got 0"),
        (lambda: stationary_measure(THREE, [1, math.nan], [0]), r"arrival_rates\[1\] must be a finite number"),
        (lambda: balance_function(THREE, [1, 0.5]), r"x\[1\] must be an integer of at least 0; got 0.5"),
        (lambda: service_rates(THREE, [10_000, 10_000]), "x must be so small that the product"),
        (lambda: balanced_fairness(THREE, [1, 1], 2.0), "sizes must be None or a distribution .*; got 2.0"),
        (lambda: balanced_fairness(3, [1, 1]), "graph must be a CompatibilityGraph; got 3"),
        (lambda: balanced_fairness(RandomAssignment(3, 2), [1, 1]), "arrival_rates must be a finite number, at least"),
        (lambda: exact(THREE, [1, 0], sizes.Exponential(), 0), r"arrival_rates\[1\] must be .* above 0; got 0"),
        (lambda: exact(THREE, [1, 1], sizes.Exponential(), -1), "interruptions must be a finite number, at least 0"),
        (
            lambda: exact(THREE, [1, 1], sizes.bimodal_phases(), 0, most_jobs=4),
            "most_jobs must be so small that 50 kinds of jobs have at most 20000 states, not",
        ),
        (lambda: three_server_service_rates([1, 1], [1, 1]), "capacities must be a sequence of 3 entries"),
        (lambda: three_server_service_rates([0, 1, 0], [1, 1]), "capacities must be such that class 1 has a server"),
        (lambda: random_assignment(3, 4, 0.5), "degree must be an integer of at least 1 and at most 3; got 4"),
        (lambda: random_assignment(3, 2, -1), "load must be a finite number, at least 0; got -1"),
        (
            lambda: interrupted_queue(THREE, [1, 1], sizes.bimodal_hyperexponential(), 1, 8),
            "most_jobs must be so small that 4 kinds of jobs have at most 20000 states, not 87381; got 8",
        ),
        (lambda: over_all_orders(THREE, [1, 1], [5, 4]), r"x must be of at most 8 jobs in all; got \[5, 4\]"),
        (lambda: over_all_orders(THREE, [1, 0], [1, 1]), r"arrival_rates\[1\] must be a finite number, above 0"),
        (
            lambda: distance_from_balanced_fairness(THREE, [1, 0], sizes.Exponential(), 1, 2),
            r"arrival_rates\[1\] must be a finite number, above 0; got 0",
        ),
        (lambda: interrupted_queue(THREE, [1, 1], sizes.zipf_phases(), 1, 2), "most_jobs must be so small"),
        (lambda: interrupted_queue(THREE, [1, 1], sizes.Exponential(), 1, 0), "most_jobs must be an integer of at"),
        (lambda: interrupted_queue(THREE, [1, 1], sizes.Exponential(), -1, 2), "interruptions must be a finite number"),
        (lambda: interrupted_queue(THREE, [0, 0], sizes.Exponential(), 1, 2), "arrival_rates must be such that some"),
        (lambda: interrupted_queue(THREE, [1, 1], sizes.Deterministic(1), 1, 2), "sizes must be a finite mixture of"),
        (lambda: interrupted_queue(THREE, [1, 1], 1.0, 1, 2), "sizes must be a distribution of clustershare.sizes"),
        (lambda: interrupted_queue(3, [1, 1], sizes.Exponential(), 1, 2), "graph must be a CompatibilityGraph"),
        (lambda: simulate(THREE, [1, 0], sizes.Exponential(), 0), r"arrival_rates\[1\] must be .* above 0; got 0"),
        (lambda: simulate(THREE, [1, 1], 1.0, 0), "sizes must be a distribution of clustershare.sizes; got 1.0"),
        (lambda: simulate(THREE, [1, 1], sizes.Exponential(), -1), "interruptions must be a finite number, at least 0"),
        (lambda: simulate(THREE, [1, 1], sizes.Exponential(), 0, jump=1), "run argument must be one of jumps"),
        (lambda: simulate(THREE, [1, 1], sizes.Exponential(), 0, jumps=0), "jumps must be an integer of at least 1"),
    ],
)
def test_a_wrong_argument_is_answered_with_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}.*\\.$"):
        call()


def test_an_overloaded_system_is_refused():
    for call in (
        lambda: balanced_fairness(THREE, [1.5, 1.5]),
        lambda: three_server_service_rates([1, 1, 1], [1.5, 1.5]),
        lambda: simulate(THREE, [0.5, 0.5], sizes.Exponential(3), 0),
        lambda: balanced_fairness(THREE, [0.5, 0.5], sizes.Deterministic(3)),
        lambda: exact(THREE, [0.5, 0.5], sizes.Exponential(3), 0),
        lambda: exact(THREE, [1.5, 1.5], sizes.bimodal_hyperexponential(), 1, most_jobs=2),
    ):
        with pytest.raises(UnstableError, match=r"^overloaded classes \{0, 1\}: .* 3 is not below their capacity 3\.$"):
            call()
    for call in (
        lambda: random_assignment(3, 2, 1),
        lambda: balanced_fairness(RandomAssignment(3, 2), 1.5, sizes.Exponential(2)),
        lambda: exact(RandomAssignment(3, 2), 3.0, sizes.bimodal_phases(), 1),
    ):
        with pytest.raises(UnstableError, match="overloaded servers: load 1.* of each is not below its capacity 1"):
            call()
