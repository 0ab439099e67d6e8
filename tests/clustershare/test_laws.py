"""Laws of sizes: moments and draws against other libraries, and every simulator against what is known of its queue."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

import random_graphs
from clustershare import cluster_chain, design, dispatch, interruptions, multiserver, sizes, uniprocessor
from clustershare.compiled.encoding import encode
from clustershare.compiled.jit import kernel
from clustershare.compiled.laws import draw
from clustershare.results import NoExactAnswer
from compilation import printed

DATA = sizes.Empirical([0.2, 0.5, 0.5, 1.0, 4.0], [2.0, 1.0, 0.5, 3.0, 1.0])
TWINS = [  # ours, and the same of scipy
    (sizes.Weibull(2.0, 0.4), stats.weibull_min(0.4, scale=sizes.Weibull(2.0, 0.4).scale)),
    (sizes.Weibull(1.0, 100.0), stats.weibull_min(100.0, scale=sizes.Weibull(1.0, 100.0).scale)),
    (sizes.LogNormal(2.0, 3.0), stats.lognorm(np.sqrt(np.log(4.0)), scale=1.0)),
    (sizes.LogNormal(1.0, 1e-3), stats.lognorm(np.sqrt(np.log1p(1e-3)), scale=1 / np.sqrt(1.001))),
    (sizes.Gamma(2.0, 0.3), stats.gamma(0.3, scale=2.0 / 0.3)),
    (sizes.Gamma(3.0, 7.5), stats.gamma(7.5, scale=0.4)),
]
OF_MEAN_1 = {
    "data": sizes.Empirical(DATA.values / DATA.mean, DATA.weights), "Weibull": sizes.Weibull(1.0, 0.7),
    "lognormal": sizes.LogNormal(1.0, 2.0), "gamma": sizes.Gamma(1.0, 0.6),
    "hyperexponential": sizes.fitted_hyperexponential(1.0, 3.0),
    "hyper-Erlang": sizes.HyperErlang((0.25, 3.0), (2, 1), (0.8, 0.2)),
}  # fmt: skip
GRAPH = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])
RUN = {"jumps": 200_000, "warmup": 5000, "replications": 10, "seed": 1}


@kernel
def drawn(rng, laws, which, found):
    for k in range(len(found)):
        found[k] = draw(rng, laws, which)
    return found


def agrees(estimate, exact):
    """As of `random_graphs`, where the interval is narrow enough to tell."""
    return random_graphs.agrees(estimate, exact) and np.all(estimate.half_width <= 0.05 * np.asarray(exact))


# Moments and draws


@pytest.mark.parametrize(("law", "twin"), TWINS, ids=[repr(law) for law, _ in TWINS])
def test_a_law_is_that_of_scipy(law, twin):
    mean, variance = twin.stats("mv")
    assert (law.mean, law.variance) == (pytest.approx(mean, rel=1e-12), pytest.approx(variance, rel=1e-9))
    assert law.squared_variation == pytest.approx(variance / mean**2, rel=1e-9)
    table = encode(sizes.Exponential(), law)  # beside a law of the older kind
    in_kernels = drawn(np.random.default_rng(3), table, 1, np.zeros(20_000))
    for found in (in_kernels, law.sample(np.random.default_rng(4), 5000)):
        assert stats.kstest(found, twin.cdf).pvalue > 0.01
    assert isinstance(law.sample(np.random.default_rng(1)), float)


def test_older_laws_are_drawn_alike_from_either_table():
    """In a table of two dimensions their numbers are the same to the last bit, and those of data come from no other."""
    older = [
        sizes.Exponential(0.3), sizes.bimodal_hyperexponential(), sizes.zipf_phases(5), sizes.Deterministic(2.0),
        sizes.Pareto(1.5, 2.5), sizes.HyperErlang((0.25, 3.0, 1.0), (2, 1, 4), (0.5, 0.5, 0.0)),
    ]  # fmt: skip
    two = encode(*older, DATA, DATA)
    for which, law in enumerate(older):
        three = encode(law)
        assert (three.ndim, two.ndim) == (3, 2)
        found = drawn(np.random.default_rng(9), two, which, np.zeros(200))
        np.testing.assert_array_equal(found, drawn(np.random.default_rng(9), three, 0, np.zeros(200)))
    assert set(drawn(np.random.default_rng(9), two, len(older) + 1, np.zeros(200))) == set(DATA.values)


@pytest.mark.parametrize("most", [1, 2, 50])
@pytest.mark.parametrize("count", [1, 4, 3000])
def test_data_are_drawn_as_often_as_they_weigh(count, most):
    rng = np.random.default_rng(count)
    law = sizes.Empirical(rng.pareto(2.0, count) + 0.1, rng.integers(1, most + 1, count))
    order = np.searchsorted(law.values, drawn(rng, encode(law), 0, np.zeros(200_000)))
    seen = np.bincount(order, minlength=count)
    assert stats.chisquare(seen, 200_000 * law.weights).pvalue > 0.01 if count > 1 else seen.tolist() == [200_000]
    assert stats.chisquare(np.bincount(np.searchsorted(law.values, law.sample(rng, 200_000)), minlength=count),
                           200_000 * law.weights).pvalue > 0.01 or count == 1  # fmt: skip


def test_the_moments_of_data_are_those_of_their_values():
    values = np.random.default_rng(1).lognormal(size=2969)
    law = sizes.Empirical(values)
    assert law.mean == pytest.approx(values.mean(), rel=1e-14)
    assert law.variance == pytest.approx(values.var(), rel=1e-12)
    assert law.squared_variation == pytest.approx(values.var() / values.mean() ** 2, rel=1e-12)
    for scale in (1e-290, 1e290):  # neither a square nor a sum need be a float
        scaled = sizes.Empirical(scale * values)
        assert scaled.mean == pytest.approx(scale * law.mean, rel=1e-14)
        assert scaled.squared_variation == pytest.approx(law.squared_variation, rel=1e-12)
    assert sizes.Empirical([3.0]).variance == 0


def test_data_are_one_law_in_whatever_order_and_whatever_weights_they_come():
    same = [
        sizes.Empirical([1.0, 2.0, 2.0, 4.0]), sizes.Empirical([4, 2, 1], [10, 20, 10]),
        sizes.Empirical(np.array([2.0, 9.0, 1.0, 4.0]), [0.5, 0.0, 0.25, 0.25]),
    ]  # fmt: skip
    assert len(set(same)) == 1 and same[0] == pickle.loads(pickle.dumps(same[2]))
    assert same[0] != sizes.Empirical([1.0, 2.0, 4.0]) and same[0] != sizes.Deterministic(1.0)
    large = sizes.Empirical(np.random.default_rng(2).random(999) + 0.1, np.random.default_rng(3).random(999))
    assert large == sizes.Empirical(large.values[::-1], large.weights[::-1])  # to the last bit
    with pytest.raises(ValueError, match="read-only"):
        large.values[0] = 5.0


def test_a_hyperexponential_law_has_the_moments_and_balanced_means():
    for squared in (1.0, 1 + 1e-9, 2.0, 50.0, 1e6):
        law = sizes.fitted_hyperexponential(3.0, squared)
        assert (law.mean, law.squared_variation) == (pytest.approx(3.0, 1e-12), pytest.approx(squared, 1e-9))
        work = np.array(law.means) * law.probabilities
        assert work[0] == pytest.approx(work[1], rel=1e-12)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: sizes.Empirical([]), "values must be a non-empty sequence of numbers from 1e-300 to 1e[+]300; got"),
        (lambda: sizes.Empirical([[1.0], [2.0]]), "values must be a non-empty sequence of numbers"),
        (lambda: sizes.Empirical([1.0, "2"]), "values must be numbers from 1e-300 to 1e[+]300; got"),
        (lambda: sizes.Empirical([1.0, np.nan]), r"values\[1\] must be one of numbers from .*; got nan"),
        (lambda: sizes.Empirical([1.0, 0.0]), r"values\[1\] must be .*; got 0.0"),
        (lambda: sizes.Empirical([-1.0, 2.0]), r"values\[0\] must be .*; got -1.0"),
        (lambda: sizes.Empirical([np.inf]), r"values\[0\] must be .*; got inf"),
        (lambda: sizes.Empirical(np.ones(10**6 + 1)), "the number of values must be at most 1000000"),
        (lambda: sizes.Empirical([1.0, 2.0], [1.0]), "weights must be as many as the values, 2; got"),
        (lambda: sizes.Empirical([1.0, 2.0], [0, 0]), "weights must be numbers of which one at least is above 0; got"),
        (lambda: sizes.Empirical([1.0, 2.0], [2, -1]), r"weights\[1\] must be .*; got -1.0"),
        (lambda: sizes.Empirical([1.0, 2.0], [2, np.nan]), r"weights\[1\] must be .*; got nan"),
        (lambda: sizes.Weibull(1.0, 0.05), "shape must be a finite number, at least 0.1 and at most 100; got 0.05"),
        (lambda: sizes.LogNormal(1.0, 0.0), "squared_variation must be a finite number, above 0 and at most 1e[+]06"),
        (lambda: sizes.Gamma(0.0, 1.0), "mean must be a finite number, above 0; got 0.0"),
        (lambda: sizes.fitted_hyperexponential(1.0, 0.5), "squared_variation must be a finite number, at least 1"),
        (lambda: sizes.HyperErlang((1.0, 2.0), (1,), (0.5, 0.5)), "phase_counts must be a sequence of 2 entries"),
        (lambda: sizes.HyperErlang((1.0,), (0,), (1.0,)), r"phase_counts\[0\] must be an integer of at least 1"),
        (
            lambda: multiserver.simulate(multiserver.RandomAssignment(4, 2), 1.0, [DATA], 0),
            "sizes must be one distribution of clustershare.sizes under a random assignment, whose jobs are alike",
        ),
        (lambda: multiserver.simulate(GRAPH, [0.1, 0.1], [DATA], 0), "sizes must be a sequence of 2 entries"),
        (
            lambda: cluster_chain.simulate(cluster(), service={1: None}),
            r"service must be given for every job size \(missing: 3\); got",
        ),
        (lambda: cluster_chain.simulate(cluster(), service=[None]), "service must be a sequence of 2 entries"),
    ],
)
def test_wrong_data_and_parameters_get_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        call()


# In the simulators


def cluster(**changes):
    system = {"servers": 4, "queue_capacity": 2, "job_sizes": {1: 0.5, 3: 0.5}, "arrival_rate": 2, "tracker_rate": 5}
    return cluster_chain.ServiceCluster(**(system | {"service_rates": 1} | changes))


@pytest.mark.parametrize("law", OF_MEAN_1.values(), ids=OF_MEAN_1)
def test_one_processor_by_pollaczek_and_khinchine_and_by_insensitivity(law):
    rates = (0.4, 0.2)
    found = uniprocessor.simulate("FCFS", (0.6, 0.4), rates, sizes=law, **RUN)
    assert agrees(found.mean_jobs, np.array(rates) * (0.6 * (1 + law.squared_variation) / (2 * 0.4) + 1))
    found = uniprocessor.simulate("PS", (0.6, 0.4), rates, sizes=law, **RUN)
    assert agrees(found.mean_jobs, np.array(rates) / 0.4)


def test_many_servers_with_laws_of_classes_are_close_to_balanced_fairness():
    """Which of the sizes depends on the work alone; many interruptions come close to it (`balanced` Section 4)."""
    laws, rates = [sizes.Empirical([0.5, 1.0, 1.5]), sizes.Weibull(0.5, 0.8)], [0.6, 1.2]
    found = multiserver.simulate(GRAPH, rates, laws, 20, **(RUN | {"jumps": 100_000}))
    fair = multiserver.balanced_fairness(GRAPH, np.array(rates) * (1.0, 0.5)).mean_jobs
    np.testing.assert_allclose(found.mean_jobs.value, fair, rtol=0.05)


def test_a_law_of_service_for_each_size_is_the_one_that_its_jobs_have():
    """Where no two jobs fit beside each other, the cluster is one line M/G/1 of two kinds of jobs."""
    laws = {3: sizes.Gamma(1.0, 0.25), 2: sizes.Empirical([0.5, 1.5])}
    lone = cluster(servers=3, queue_capacity=10_000, job_sizes={2: 0.5, 3: 0.5}, arrival_rate=0.4, tracker_rate=1e5,
                   service_rates={2: 2.0, 3: 0.5})  # fmt: skip
    found = cluster_chain.simulate(lone, service=laws, **(RUN | {"jumps": 400_000}))
    wait = 0.4 * (0.5 * 0.25 * 1.25 + 0.5 * 4.0 * 5.0) / 2 / (1 - 0.5)
    assert agrees(found.mean_response, wait + np.array([0.5, 2.0]))
    short = RUN | {"jumps": 2000, "warmup": 100}
    for one, other in ((laws, [laws[2], laws[3]]), (laws[2], [laws[2]] * 2)):
        one, other = (cluster_chain.simulate(lone, service=law, **short).mean_response for law in (one, other))
        np.testing.assert_array_equal(one.value, other.value)
    with pytest.raises(NoExactAnswer, match="where service is Gamma"):
        cluster_chain.exact(cluster(), service={1: None, 3: laws[3]})
    assert cluster_chain.exact(cluster(), service={1: None, 3: None}).blocking == cluster().solve().blocking


def test_means_and_second_moments_answer_exactly_for_data():
    for law in OF_MEAN_1.values():
        two = sizes.fitted_hyperexponential(1.0, max(1.0, law.squared_variation))
        found = interruptions.many_tasks(0.6, law)
        expected = interruptions.many_tasks(0.6, sizes.Deterministic(1.0))
        spread = interruptions.many_tasks(0.6, two) - expected  # it is linear in the second moment
        assert found == pytest.approx(expected + spread / two.squared_variation * law.squared_variation, rel=1e-9)
        assert multiserver.balanced_fairness(GRAPH, [0.5, 0.5], law).mean_jobs == pytest.approx(
            multiserver.balanced_fairness(GRAPH, [0.5, 0.5]).mean_jobs
        )
    arguments = {"deviation": 0.1, "slowdown": 2.5, "policies": ["HPRS PS"]}
    assert design.choose((0.6, 0.4), (1.0, 1.0), sizes=OF_MEAN_1["data"], **arguments)


def test_the_same_bits_with_and_without_compilation():
    outputs = printed(
        "from clustershare import cluster_chain, interruptions, multiserver, sizes, uniprocessor\n"
        "run = {'jumps': 400, 'warmup': 50, 'replications': 2, 'seed': 3}\n"
        "graph = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1])\n"
        "cluster = cluster_chain.ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, 2, 5, 1)\n"
        "laws = sizes.Empirical([0.5, 1.0, 1.5]), sizes.Weibull(1.0, 0.7), sizes.LogNormal(1.0, 2.0)\n"
        "for law in (*laws, sizes.Gamma(1.0, 0.6), sizes.HyperErlang((0.25, 3.0), (2, 1), (0.8, 0.2))):\n"
        "    found = uniprocessor.simulate('FCFS', (0.6, 0.4), (0.3, 0.2), sizes=[law, laws[0]], **run)\n"
        "    print(found.to_dict()['fields'])\n"
        "    print(multiserver.simulate(graph, [0.4, 0.5], [law, laws[1]], 1, **run).to_dict()['fields'])\n"
        "    print(cluster_chain.simulate(cluster, arrivals=law, service=[law, laws[2]], **run).to_dict()['fields'])\n"
    )
    assert outputs[0] == outputs[1] and outputs[0].count("half_width") > 50


WITH_EACH_SIMULATOR = """
import numpy as np
from clustershare import cluster_chain, cluster_variants, dispatch, interruptions, multiserver, sizes, uniprocessor
from clustershare.estimates import Estimate
run = {"jumps": 300, "warmup": 20, "replications": 2, "seed": 3}
groups = {"required_shares": (0.5, 0.5), "loads": (0.35, 0.35), "processors": 3}
graph, rates = multiserver.CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1]), [0.6, 0.6]
cluster = cluster_chain.ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, 2, 5, 1)
sleeping = cluster_variants.SleepingCluster(cluster, setup_rate=2, shutdown_rate=1)
urgent = cluster_variants.PriorityCluster(10, (5, 5), (5, 1), (1.0, 5.0), (1.0, 1.0), 100.0)
simulators = {
    "FCFS": lambda law: uniprocessor.simulate("FCFS", (0.5, 0.5), (0.3, 0.3), sizes=law, **run),
    "GPPS": lambda law: uniprocessor.simulate("GPPS", (0.5, 0.5), (0.3, 0.3), sizes=[law, law], **run),
    "distributed": lambda law: dispatch.simulate_distributed("JSQ", **groups, probe_limit=1, sizes=law, **run),
    "interruptions": lambda law: interruptions.simulate(graph, rates, law, 2, **run),
    "of classes": lambda law: multiserver.simulate(graph, rates, [law, law], 2, **run),
    "beside": lambda law: multiserver.simulate_beside_balanced_fairness(graph, rates, law, 1, **run),
    "assignment": lambda law: multiserver.simulate_assignment_beside_processor_sharing(
        multiserver.RandomAssignment(4, 2), 2.0, law, 1, **run),
    "cluster": lambda law: cluster_chain.simulate(cluster, arrivals=law, tracker=law, service=[law, law], **run),
    "energy": lambda law: cluster_variants.simulate_energy(sleeping, setup=law, **run),
    "priority": lambda law: cluster_variants.simulate_priority(urgent, service=law, **run),
}
for name, simulate in simulators.items():
    found = [simulate(law) for law in (sizes.ErlangMixture(1.0, (1,), (1.0,)), sizes.Gamma(1.0, 1.0))]
    one, other = ([repr(x) for x in vars(answer).values() if isinstance(x, Estimate)] for answer in found)
    print(name, len(one) > 2 and one == other)
"""


def test_each_simulator_draws_from_either_table():
    """A gamma law of shape 1 is exponential, and drawn by the same random numbers: all that comes of it is the same."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", WITH_EACH_SIMULATOR], env=environment, capture_output=True, text=True)
    assert done.stdout.count(" True\n") == 10 == done.stdout.count("\n"), done.stdout + done.stderr


def test_central_dispatch_draws_from_either_table():
    groups = {"required_shares": (0.5, 0.5), "loads": (0.35, 0.35), "processors": 3, "migration": True}
    one, other, data = (
        dispatch.simulate_central("JSQ", **groups, sizes=[law, law], jumps=20_000, warmup=500, seed=3).mean_jobs
        for law in (sizes.ErlangMixture(1.0, (1,), (1.0,)), sizes.Gamma(1.0, 1.0), OF_MEAN_1["data"])
    )
    np.testing.assert_array_equal(one.value, other.value)
    assert (abs(data.value - one.value) < 0.2).all() and (data.value != one.value).all()
