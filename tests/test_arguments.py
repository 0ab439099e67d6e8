"""What is refused where it is taken: laws of one's own, values that only look like numbers, sizes that do not fit."""

import contextlib
import math
from dataclasses import dataclass

import numpy as np
import pytest

from clustershare import (
    cluster_chain,
    cluster_variants,
    design,
    dispatch,
    interruptions,
    multiserver,
    sizes,
    uniprocessor,
)  # fmt: skip
from clustershare.compiled.arguments import law
from clustershare.results import NoExactAnswer

GRAPH = multiserver.CompatibilityGraph([{0}, {0, 1}], [1.0, 1.0])
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
    "interruptions.trace": lambda law: interruptions.trace(GRAPH, RATES, law, 1),
    "interruptions.exact": lambda law: interruptions.exact(GRAPH, RATES, law, 0),
    "interruptions.many_tasks": lambda law: interruptions.many_tasks(0.5, law),
    "cluster_chain.simulate, arrivals": lambda law: cluster_chain.simulate(CLUSTER, arrivals=law, **SHORT),
    "cluster_chain.simulate, tracker": lambda law: cluster_chain.simulate(CLUSTER, tracker=law, **SHORT),
    "cluster_chain.simulate, service": lambda law: cluster_chain.simulate(CLUSTER, service=law, **SHORT),
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
