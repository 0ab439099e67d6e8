"""What is refused where it is taken: laws of one's own, values that only look like numbers, sizes that do not fit."""

import contextlib
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from clustershare import (
    cluster_chain,
    cluster_variants,
    design,
    dispatch,
    estimates,
    interruptions,
    markov,
    multiserver,
    sizes,
    uniprocessor,
)  # fmt: skip
from clustershare.compiled.arguments import law
from clustershare.results import NoExactAnswer

GRAPH = multiserver.CompatibilityGraph([{0}, {0, 1, 2}], [1.0] * 3)  # as many servers as elsewhere: compiled once
LARGE = multiserver.RandomAssignment(10**9, 2)
TWO_OF_FOUR = multiserver.RandomAssignment(4, 2)
CLUSTER = cluster_chain.ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, arrival_rate=2, tracker_rate=5, service_rates=1)
SLEEPING = cluster_variants.SleepingCluster(CLUSTER, setup_rate=2, shutdown_rate=1)
URGENT = cluster_variants.PriorityCluster(10, (5, 5), (5, 1), (1.0, 5.0), (1.0, 1.0), 100.0)
GROUPS = {"required_shares": (0.6, 0.4), "loads": (0.3, 0.2), "processors": 3}
SHORT = {"jumps": 100, "warmup": 0, "replications": 2, "seed": 1}
RATES = [0.3, 0.3]


@dataclass(frozen=True)
class Own(sizes.JobSize):
    """A law of one's own, right as it stands."""

    mean: object = 1.0
    variance: object = 23 / 12
    mixture: object = (np.array([1, 2]), np.array([2.0, 0.25]), np.array([1 / 3, 2 / 3]))

    def erlang_mixture(self):
        return self.mixture


class Fixed(sizes.Deterministic):
    mean = 1.0


class Skewed(sizes.Pareto):
    variance = 1.0


@dataclass(frozen=True)
class Regular(sizes.Exponential):
    """Two phases, and says so."""

    variance = 0.5

    def erlang_mixture(self):
        return np.array([2]), np.array([0.5]), np.array([1.0])


def of(counts=(1, 2), means=(2.0, 0.25), weights=(1 / 3, 2 / 3)):
    return Own(mixture=tuple(map(np.array, (counts, means, weights))))


TAKERS = {  # all that takes a law, and by which name
    "uniprocessor.simulate": lambda law: uniprocessor.simulate("PS", (0.6, 0.4), (0.3, 0.2), sizes=law, **SHORT),
    "uniprocessor.simulate, each": lambda law: uniprocessor.simulate(
        "PS", (0.6, 0.4), (0.3, 0.2), sizes=[law, law], **SHORT
    ),
    "dispatch.simulate_central": lambda law: dispatch.simulate_central("JSQ", **GROUPS, sizes=law, **SHORT),
    "dispatch.simulate_central, each": lambda law: dispatch.simulate_central(
        "JSQ", **GROUPS, sizes=[law, law], **SHORT
    ),
    "dispatch.simulate_distributed": lambda law: dispatch.simulate_distributed(
        "JSQ", **GROUPS, probe_limit=1, sizes=law, **SHORT
    ),
    "multiserver.simulate": lambda law: multiserver.simulate(GRAPH, RATES, law, 1, **SHORT),
    "multiserver.simulate, each": lambda law: multiserver.simulate(GRAPH, RATES, [law, law], 1, **SHORT),
    "multiserver.simulate, assignment": lambda law: multiserver.simulate(TWO_OF_FOUR, 1.0, law, 1, **SHORT),
    "multiserver.simulate_beside_balanced_fairness": lambda law: multiserver.simulate_beside_balanced_fairness(
        GRAPH, RATES, law, 1, **SHORT
    ),
    "multiserver.simulate_assignment_beside_processor_sharing":
        lambda law: multiserver.simulate_assignment_beside_processor_sharing(TWO_OF_FOUR, 1.0, law, 1, **SHORT),
    "multiserver.exact": lambda law: multiserver.exact(GRAPH, RATES, law, 1, most_jobs=2),
    "multiserver.interrupted_queue": lambda law: multiserver.interrupted_queue(GRAPH, RATES, law, 1, 2),
    "multiserver.distance_from_balanced_fairness": lambda law: multiserver.distance_from_balanced_fairness(
        GRAPH, RATES, law, 1, 2
    ),
    "multiserver.first_order_distance": lambda law: multiserver.first_order_distance(GRAPH, RATES, law, 3),
    "multiserver.one_server_distance": lambda law: multiserver.one_server_distance(0.5, law),
    "multiserver.balanced_fairness": lambda law: multiserver.balanced_fairness(GRAPH, RATES, law),
    "interruptions.simulate": lambda law: interruptions.simulate(GRAPH, RATES, law, 1, **SHORT),
    "interruptions.simulate, each": lambda law: interruptions.simulate(GRAPH, RATES, [law, law], 1, **SHORT),
    "interruptions.trace": lambda law: interruptions.trace(GRAPH, RATES, law, 1),
    "interruptions.exact": lambda law: interruptions.exact(GRAPH, RATES, law, 0),
    "interruptions.many_tasks": lambda law: interruptions.many_tasks(0.5, law),
    "cluster_chain.simulate, arrivals": lambda law: cluster_chain.simulate(CLUSTER, arrivals=law, **SHORT),
    "cluster_chain.simulate, tracker": lambda law: cluster_chain.simulate(CLUSTER, tracker=law, **SHORT),
    "cluster_chain.simulate, service": lambda law: cluster_chain.simulate(CLUSTER, service=law, **SHORT),
    "cluster_chain: service by size": lambda law: cluster_chain.simulate(CLUSTER, service={1: law, 3: law}, **SHORT),
    "cluster_chain.exact": lambda law: cluster_chain.exact(CLUSTER, service=law),
    "cluster_variants.simulate_energy": lambda law: cluster_variants.simulate_energy(SLEEPING, setup=law, **SHORT),
    "cluster_variants.exact_energy": lambda law: cluster_variants.exact_energy(SLEEPING, setup=law),
    "cluster_variants.simulate_priority": lambda law: cluster_variants.simulate_priority(URGENT, service=law, **SHORT),
    "cluster_variants.exact_priority": lambda law: cluster_variants.exact_priority(URGENT, service=law),
    "design.choose": lambda law: design.choose(
        (0.6, 0.4), (1.0, 1.0), deviation=0.1, slowdown=2.5, sizes=law, policies=["HPRS PS"]
    ),
}  # fmt: skip


OF_PHASES = "sizes.erlang_mixture()[0] must be integers of at least 1, how many phases there are; got "
OF_MEANS = "sizes.erlang_mixture()[1] must be finite numbers above 0, the means of phases; got "
OF_WEIGHTS = "sizes.erlang_mixture()[2] must be probabilities that sum to 1; got "
WRONG_LAWS = [
    (1.0, "sizes must be a distribution of clustershare.sizes; got 1.0."),
    (sizes.JobSize(), "sizes.mean must be a finite number, above 0; got None."),
    (Own(mean=math.inf), "sizes.mean must be a finite number, above 0; got inf."),
    (Own(variance=-1.0), "sizes.variance must be a finite number, at least 0; got -1.0."),
    (Own(mean=0.5), "sizes must be of the mean that it claims, 0.5 (what is drawn has mean 1); got Own("),
    (of(means=(4.0, 0.5)), "sizes must be of the mean that it claims, 1 (what is drawn has mean 2); got Own("),
    (Own(variance=1.5), "sizes must be of the variance that it claims, 1.5 (what is drawn has variance 1.91667); got"),
    (Own(variance=math.inf), "sizes must be of the variance that it claims, inf (what is drawn has variance 1.91667)"),
    (of((0, 2)), OF_PHASES + "array([0, 2])."),
    (of((1.0, 2.0)), OF_PHASES + "array([1., 2.])."),
    (of((True, True)), OF_PHASES + "array([ True, True])."),
    (of(means=(2.0, 0.0)), OF_MEANS + "array([2., 0.])."),
    (of(means=(2.0, math.nan)), OF_MEANS + "array([ 2., nan])."),
    (of(means=("2", "0.25")), OF_MEANS + "array(['2', '0.25'], dtype='<U4')."),
    (of(weights=(0.9, 0.9)), OF_WEIGHTS + "array([0.9, 0.9])."),
    (of(weights=(1.5, -0.5)), OF_WEIGHTS + "array([ 1.5, -0.5])."),
    (of(weights=(1 / 3, 2 / 3 + 1e-8)), OF_WEIGHTS),
    (of((1,)), "sizes.erlang_mixture() must be three arrays of one length; got "),
    (of((), (), ()), "sizes.erlang_mixture() must be three arrays of one length; got "),
    (Own(mixture=([1], [1.0], [1.0])), "sizes.erlang_mixture() must be three arrays: counts, means and probabilities;"),
    (Own(mixture=None), "sizes.erlang_mixture() must be three arrays: counts, means and probabilities; got None."),
    (Fixed(2.0), "sizes must be of the mean that it claims, 1 (what is drawn has mean 2); got Fixed(value=2.0)."),
    (Skewed(1.0, 3.0), "sizes must be of the variance that it claims, 1 (what is drawn has variance 0.333333); got "),
    (Skewed(1.0, 1.5), "sizes must be of the variance that it claims, 1 (what is drawn has variance inf); got "),
    (Regular(), "sizes must be of the variance of an exponential distribution, 1 (it has 0.5); got Regular(mean=1.0)."),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "sentence"), WRONG_LAWS)
def test_a_law_that_does_not_do_what_it_says_gets_a_sentence(wrong, sentence):
    with pytest.raises(ValueError) as caught:
        law("sizes", wrong)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("name", TAKERS)
def test_a_law_is_looked_at_wherever_one_is_taken(name):
    argument = name.partition(", ")[2] if name.startswith("cluster_chain.sim") else r"\w+"
    for wrong, _ in WRONG_LAWS:
        with pytest.raises(ValueError, match=rf"^{argument}(\[\d\])?(\.\w+(\(\)(\[\d\])?)?)? must be "):
            TAKERS[name](wrong)
    with contextlib.suppress(NoExactAnswer):
        TAKERS[name](Own())


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_a_right_law_is_taken_at_any_scale(scale):
    def scaled(base):
        counts, means, weights = base.mixture
        return Own(base.mean * scale, base.variance * scale * scale, (counts, means * scale, weights))

    law("sizes", scaled(Own()))
    law("sizes", scaled(Own(1.0, 1e-6, (np.array([10**6]), np.array([1e-6]), np.array([1.0])))))
    with pytest.raises(ValueError, match="of the variance that it claims"):
        law("sizes", scaled(Own(variance=1.9167)))


MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
NO_NUMBERS = {  # what NumPy would count, by the sentence that it gets
    "samples must be an array of numbers, 1-dimensional or 2-dimensional or 3-dimensional; got ": [
        lambda value=value: estimates.from_replications(value)
        for value in (
            ["1", "2", "3"], np.array(["1", "2"]), [1.0, "2"], [1 + 2j, 2], np.array([1j, 2]), [True, False],
            np.array([True, False]), [True, 2.0], MASKED, [MASKED, MASKED], [np.ma.masked, 1.0],
            np.array([1, 2], "m8[s]"), [np.timedelta64(1, "s")], [None, 1.0], np.array([None, 1.0]), b"12",
        )
    ],
    "jumps must be an integer of at least 1": [
        lambda value=value: uniprocessor.simulate("PS", (0.6, 0.4), (0.3, 0.2), jumps=value)
        for value in (np.array(100), np.ma.array(100), np.timedelta64(100, "s"), True, np.True_)
    ],
    "seed must be an integer of at least 0": [
        lambda value=value: uniprocessor.simulate("PS", (0.6, 0.4), (0.3, 0.2), seed=value)
        for value in (np.array(1), np.timedelta64(1, "s"))
    ],
    "mean must be a finite number, above 0": [
        lambda value=value: sizes.Exponential(value) for value in (np.timedelta64(1, "s"), np.array(1.0), np.True_, 1j)
    ],
    "rates must be finite and at least 0": [lambda: markov.generator(2, [0, 1], [1, 0], ["2", "3"])],
}  # fmt: skip


@pytest.mark.parametrize("sentence", NO_NUMBERS)
def test_what_only_looks_like_a_number_is_none(sentence):
    for call in NO_NUMBERS[sentence]:
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value).startswith(sentence)


def test_numbers_of_all_kinds_count_in_an_array():
    for values in ([1, 2.0, Fraction(3)], (np.int8(1), np.float32(2), 3), np.array([1, 2, 3], np.uint8), range(1, 4)):
        assert estimates.from_replications(values).value == 2.0
    assert estimates.from_replications(np.ma.array([1.0, 3.0], mask=[False, False])).value == 2.0


TOO_MUCH = [  # the largest that is taken needs about 10 seconds and 1 GB for a thousand events
    (
        lambda: dispatch.simulate_distributed(
            "JSQ", **{**GROUPS, "processors": 30_000}, probe_limit=1, reading="keep replies", **SHORT
        ),
        "processors times what each keeps of others must be at most 100000000, for time and memory grow with it; "
        "got 5400000000.",
    ),
    (
        lambda: dispatch.simulate_distributed(
            "JSQ", **{**GROUPS, "processors": 30_000}, probe_limit=29_999, probe_period=1.0, **SHORT
        ),
        "processors times what each keeps of others must be at most 100000000, for time and memory grow with it; "
        "got 4499850000.",
    ),
    (
        lambda: dispatch.simulate_central(
            "JSQ", required_shares=(0.01,) * 100, loads=(0.005,) * 100, processors=10**6, **SHORT
        ),
        "processors times groups must be at most 10000000, for time and memory grow with it; got 100000000.",
    ),
    *(
        (call, "servers must be at most 1000000, for time and memory grow with it; got 1000000000.")
        for call in (
            lambda: multiserver.simulate(LARGE, 1.0, sizes.Exponential(), 1, **SHORT),
            lambda: multiserver.simulate(LARGE, 1e10, sizes.Exponential(), 1, **SHORT),
            lambda: interruptions.simulate(LARGE, 1.0, sizes.Exponential(), 1, **SHORT),
        )
    ),
    (
        lambda: multiserver.simulate(
            multiserver.CompatibilityGraph([range(10**4)], [1] * 10**4), [1.0], sizes.Exponential(), 1, **SHORT
        ),
        "servers times servers of a job must be at most 4000000, for time and memory grow with it; got 100000000.",
    ),
    (
        lambda: dispatch.simulate_distributed("JSQ", **GROUPS, probe_limit=1, probe_period=1e-9, **SHORT),
        "probe_period must be so long that there are at most 10000 probings for an arrival; got 1e-09.",
    ),
    (
        lambda: multiserver.simulate(TWO_OF_FOUR, 1.0, sizes.Exponential(), 1, **{**SHORT, "jumps": 1}),
        "jumps must be so many that a job is seen; got 1.",
    ),
    (
        lambda: interruptions.simulate(TWO_OF_FOUR, 1.0, sizes.Exponential(), 1, **{**SHORT, "jumps": 1}),
        "jumps must be so many that a job is seen; got 1.",
    ),
]


@pytest.mark.parametrize(("call", "sentence"), TOO_MUCH)
def test_what_would_fill_the_memory_or_never_end_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value) == sentence


def cluster(rate):
    return cluster_chain.ServiceCluster(4, 2, {1: 0.5, 3: 0.5}, arrival_rate=rate, tracker_rate=5, service_rates=1)


CONSTANT = sizes.Deterministic(1.0)
IDLE = {  # simulators whose jobs leave by a clock, given what comes of each of two streams
    "uniprocessor": lambda rate, **run: uniprocessor.simulate("UD", (0.6, 0.4), (rate, rate), **run),
    "uniprocessor, sizes": lambda rate, **run: uniprocessor.simulate(
        "PS", (0.6, 0.4), (rate, rate), sizes=CONSTANT, **run
    ),
    "central, sizes": lambda rate, **run: dispatch.simulate_central(
        "JSQ", **{**GROUPS, "loads": (rate, rate)}, sizes=CONSTANT, **run
    ),
    "distributed": lambda rate, **run: dispatch.simulate_distributed(
        "JSQ", **{**GROUPS, "loads": (rate, rate)}, probe_limit=1, **run
    ),
    "network": lambda rate, **run: dispatch.simulate_network(loads=(rate, rate), service_times=(1.0, 1.0), **run),
    "multiserver": lambda rate, **run: multiserver.simulate(GRAPH, (rate, rate), sizes.Exponential(), 1, **run),
    "assignment": lambda rate, **run: multiserver.simulate(TWO_OF_FOUR, rate, sizes.Exponential(), 1, **run),
    "beside": lambda rate, **run: multiserver.simulate_beside_balanced_fairness(
        GRAPH, (rate, rate), sizes.Exponential(), 1, **run
    ),
    "assignment beside": lambda rate, **run: multiserver.simulate_assignment_beside_processor_sharing(
        TWO_OF_FOUR, rate, sizes.Exponential(), 1, **run
    ),
    "interruptions": lambda rate, **run: interruptions.simulate(GRAPH, (rate, rate), CONSTANT, 1, **run),
    "cluster": lambda rate, **run: cluster_chain.simulate(cluster(rate), **run),
    "energy": lambda rate, **run: cluster_variants.simulate_energy(
        cluster_variants.SleepingCluster(cluster(rate), 2, 1), **run
    ),
    "priority": lambda rate, **run: cluster_variants.simulate_priority(
        cluster_variants.PriorityCluster(10, (5, 5), (5, 1), (rate, rate), (1.0, 1.0), 100.0), **run
    ),
}


@pytest.mark.parametrize("name", IDLE)
def test_a_clock_that_tells_no_job_from_none_gets_a_sentence(name):
    for rate in (1e-15, 1e-100, 1e-300):
        with pytest.raises(ValueError, match="^(arrival_rates?|loads) must be such that the load is at least 1e-11,"):
            IDLE[name](rate, **SHORT)


def test_what_is_told_apart_is_right():
    """Nearly alone, a job takes its own time: at loads that are taken, and without a clock at 1e-300."""
    run = {"jumps": 20_000, "warmup": 0, "replications": 5, "seed": 1}
    found = uniprocessor.simulate("PS", (0.6, 0.4), (1e-9, 1e-9), sizes=CONSTANT, **run)
    assert found.mean_jobs.value == pytest.approx([1e-9, 1e-9], rel=0.05)
    found = cluster_chain.simulate(cluster(2e-9), service=CONSTANT, **run)
    assert found.mean_response.value == pytest.approx([1.2, 1.2], rel=0.05)
    found = multiserver.simulate(GRAPH, (4e-9, 4e-9), sizes.Exponential(), 1, **run)
    assert found.mean_delay.value == pytest.approx([1.0, 1 / 3], rel=0.05)
    found = dispatch.simulate_central("JSQ", **{**GROUPS, "loads": (1e-300, 1e-300)}, **run)
    assert found.obtained_share.value == pytest.approx([1e-300, 1e-300], rel=0.05)


def test_a_time_without_end_gets_a_sentence():
    with pytest.raises(ValueError, match="^loads must be so large that the time of all events is a finite number; got"):
        dispatch.simulate_central("JSQ", **{**GROUPS, "loads": (5e-324, 0.0)}, **SHORT)


@pytest.mark.parametrize("loads", [(1e-300, 1e-300), (1e-15, 1e-15), (0.0, 9e-5)])
def test_a_line_beside_that_hardly_anybody_comes_to_gets_a_sentence(loads):
    with pytest.raises(ValueError, match=r"^loads must be in all at least 0.0001, for steps grow as it falls; use sim"):
        dispatch.simulate_central_beside_queue("JSQ", required_shares=(0.5, 0.5), loads=loads, processors=2)
    seldom = {"required_shares": (0.5, 0.5), "loads": (1e-300, 1e-4), "processors": 2}
    assert np.isfinite(dispatch.simulate_central_beside_queue("JSQ", **seldom, **SHORT).capacity_loss.value)
