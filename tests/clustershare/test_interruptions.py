"""Other ways of interrupting: against formulas, the exact chain, and the simulator of exponential timers."""

import numpy as np
import pytest

from clustershare import interruptions, multiserver, sizes
from clustershare.arguments import UnstableError
from clustershare.interruptions.simulator import RULES
from clustershare.multiserver import CompatibilityGraph, RandomAssignment
from clustershare.results import NoExactAnswer
from compilation import printed
from random_graphs import STANDARD_ERRORS, THREE, UNEQUAL, agrees

HYPER = sizes.bimodal_hyperexponential()
ONE = CompatibilityGraph([{0}], [1.0])


@pytest.mark.parametrize("rule", RULES)
def test_without_interruptions_every_rule_is_pollaczek_khinchine(rule):
    load = 0.7
    for distribution in (sizes.Deterministic(2.0), sizes.bimodal_phases(), sizes.Pareto(1.0, 8.0)):
        second_moment = (distribution.variance + distribution.mean**2) / distribution.mean**2
        expected = load + load**2 * second_moment / (2 * (1 - load))
        result = interruptions.simulate(ONE, [load / distribution.mean], distribution, 0, rule, jumps=150_000, seed=2)
        assert agrees(result.mean_jobs, expected)
        assert result.mean_jobs.half_width < 0.05 * expected


@pytest.mark.parametrize(
    "distribution, rule", [(sizes.Exponential(), "quantum"), (HYPER, "tasks"), (sizes.Deterministic(1.0), "timer")]
)
def test_where_there_is_no_exact_answer(distribution, rule):
    with pytest.raises(NoExactAnswer, match="use simulate[.]$"):
        interruptions.exact(UNEQUAL, [0.2, 0.2], distribution, 2, rule)


def many_interruptions(rule, distribution):
    result = interruptions.simulate(ONE, [0.6], distribution, 100, rule, jumps=1_000_000, seed=5)
    return result.mean_jobs


@pytest.mark.parametrize(
    "rule, distribution",
    [("timer", HYPER), ("quantum", HYPER), ("quantum", sizes.Deterministic(1.0)), ("tasks", sizes.Deterministic(1.0))],
)
def test_many_equal_quanta_share_one_server_equally(rule, distribution):
    jobs = many_interruptions(rule, distribution)
    assert abs(jobs.value[0] / 1.5 - 1) < 0.02 + STANDARD_ERRORS / 2.262 * jobs.half_width[0] / 1.5


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
@pytest.mark.parametrize("distribution", [HYPER, sizes.bimodal_phases(), sizes.Exponential(3.0)])
def test_tasks_in_proportion_to_their_job_favour_the_large(load, distribution):
    exact = interruptions.many_tasks(load, distribution)
    run = {"jumps": 600_000, "warmup": 60_000, "seed": 5}
    result = interruptions.simulate(ONE, [load / distribution.mean], distribution, 60, "tasks", **run)
    assert agrees(result.mean_jobs, exact)
    assert result.mean_jobs.half_width < 0.2 * exact


def test_many_tasks_are_worse_than_first_come_first_served():
    for load in np.linspace(0.05, 0.95, 10):
        for distribution in (sizes.Deterministic(1.0), HYPER, sizes.Pareto(1.0, 2.5), sizes.Exponential(0.1)):
            squared = (distribution.variance + distribution.mean**2) / distribution.mean**2
            assert interruptions.many_tasks(load, distribution) > load + load**2 * squared / (2 * (1 - load))


def test_interruptions_of_a_job():
    def number(rule, distribution, m):
        return interruptions.simulate(
            THREE, [0.8, 0.8], distribution, m, rule, jumps=200_000, seed=1
        ).interruptions_per_job

    assert agrees(number("timer", HYPER, 2), 2)
    np.testing.assert_allclose(number("tasks", HYPER, 2).value, 2, rtol=1e-3)  # those still there have had some
    # A quantum never ends a job that needs less: with a mean size of 1 and a quantum of q, sum over k of P[X > k q].
    expected = sum(5 / 6 * np.exp(-k * 0.5 / 0.2) + 1 / 6 * np.exp(-k * 0.5 / 5) for k in range(1, 400))
    assert agrees(number("quantum", HYPER, 2), expected)


@pytest.mark.parametrize("rule", RULES)
def test_a_trace_follows_the_order_of_the_queue(rule):
    graph = CompatibilityGraph([{0}, {0, 1}, {1}], [1.0, 2.0])
    events = interruptions.trace(graph, [1, 1, 1], sizes.Exponential(0.7), 2, [0, 1, 2, 0], 400, seed=7, rule=rule)
    queue, newest = tuple(enumerate([0, 1, 2, 0])), 3
    for event, earlier in zip(events, [0.0, *(event.time for event in events)]):
        assert event.time >= earlier
        others = tuple(entry for entry in queue if entry[0] != event.job)
        if event.kind == "arrival":
            newest += 1
            assert event.job == newest and event.queue[:-1] == queue
        else:
            place = [entry[0] for entry in queue].index(event.job)
            assert multiserver.state_rates(graph, [i for _, i in queue])[place] > 0
            assert event.queue == (others if event.kind == "departure" else (*others, queue[place]))
        queue = event.queue
    assert {event.kind for event in events} == {"arrival", "departure", "interruption"}


def test_in_a_trace_each_class_has_its_law():
    graph, laws = CompatibilityGraph([{0}, {1}], [1.0, 1.0]), [sizes.Deterministic(3.0), sizes.Deterministic(2.0)]
    events = interruptions.trace(graph, [1e-9, 1e-9], laws, 1, [0, 1], 2, rule="tasks")
    assert [(event.kind, event.time) for event in events] == [("interruption", 1.0), ("interruption", 1.5)]


def test_the_same_bits_with_and_without_compilation():
    code = """
from clustershare import interruptions, sizes
from clustershare.multiserver import CompatibilityGraph, RandomAssignment
from clustershare.results import NoExactAnswer
graph = CompatibilityGraph([{0, 2}, {1, 2}, {0, 1, 2}], [1, 2, 1.5])
for rule in ("timer", "quantum", "tasks"):
    for size in (sizes.zipf_phases(5), sizes.Deterministic(1.5)):
        run = {"jumps": 900, "warmup": 100, "replications": 2, "seed": 4}
        print(interruptions.simulate(graph, [0.5, 0.8, 0.6], size, 2, rule, **run).to_dict()['fields'])
        print(interruptions.simulate(RandomAssignment(6, 3), 0.7, size, 2, rule, **run).to_dict()['fields'])
"""
    outputs = printed(code)
    assert outputs[0] == outputs[1] and "half_width" in outputs[0]


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: interruptions.simulate(ONE, [0.5], HYPER, 1, "dice"), "rule must be one of timer, quantum, tasks"),
        (lambda: interruptions.simulate(ONE, [0.5], HYPER, 0.5, "tasks"), "interruptions must be an integer"),
        (lambda: interruptions.simulate(ONE, [0.5], HYPER, -1), "interruptions must be a finite number, at least 0"),
        (lambda: interruptions.simulate(ONE, [0.5], 1.0, 1), "sizes must be a distribution of clustershare.sizes"),
        (lambda: interruptions.exact(ONE, [0.5], 1.0, 1), "sizes must be a distribution of clustershare.sizes"),
        (lambda: interruptions.exact(ONE, [0.5], HYPER, 0.5, "tasks"), "interruptions must be an integer"),
        (lambda: interruptions.many_tasks(0, HYPER), "load must be a finite number"),
        (lambda: interruptions.many_tasks(0.5, 3), "sizes must be a distribution"),
        (lambda: interruptions.trace(ONE, [0.5], HYPER, 1, [1]), "present, a class, must be an integer"),
        (lambda: interruptions.trace(ONE, [0.5], HYPER, 1, events=0), "events must be an integer of at least 1"),
        (lambda: interruptions.trace(RandomAssignment(3, 2), 1, HYPER, 1), "graph must be a CompatibilityGraph"),
    ],
)
def test_bad_input_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match="^" + sentence):
        call()


def test_unstable_systems_are_named():
    with pytest.raises(UnstableError, match="overloaded"):
        interruptions.simulate(ONE, [1.0], HYPER, 1)
    with pytest.raises(UnstableError, match="overloaded"):
        interruptions.simulate(RandomAssignment(3, 2), 3.0, HYPER, 1)
    with pytest.raises(UnstableError, match="overloaded"):
        interruptions.many_tasks(1.0, HYPER)
