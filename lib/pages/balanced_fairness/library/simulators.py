"""Simulators of every kind, against chains and replays."""

import math

import numpy as np

from clustershare import interruptions, multiserver, sizes
from compendium.press.clauses import measured
from pages.balanced_fairness.library.shared import (
    HYPER,
    PERFORMANCE,
    QUANTITIES,
    ROUNDING,
    Chain,
    fair,
    fair_drawn,
    law_of,
    one_line,
    said,
)
from pages.balanced_fairness.witnesses.lines import at_work

# The log of events.


def replay(given, present, work, quanta):
    """The events of jobs that are there at the beginning, of known work and quanta: time; kind, job, queue."""
    queue, now, times, found = list(range(len(present))), 0.0, [], []
    left, slices = list(work), list(quanta)
    while queue:
        at = at_work(given, np.array([[present[job] for job in queue]]))[0] @ np.array(given.capacities)
        served = [(min(left[job], slices[job]) / rate, job, rate) for job, rate in zip(queue, at) if rate > 0]
        step, first, _ = min(served)
        now += step
        for _, job, rate in served:
            left[job] -= rate * step
            slices[job] -= rate * step
        queue.remove(first)
        kind = "interruption" if left[first] > ROUNDING else "departure"
        if kind == "interruption":
            slices[first] = quanta[first]
            queue.append(first)
        times.append(now)
        found.append((kind, first, tuple((job, present[job]) for job in queue)))
    return times, found


def at_servers(given, queue):
    """The job that each server is at."""
    at = at_work(given, np.array([[i for _, i in queue]], dtype=int))[0]
    return [next((queue[k][0] for k in range(len(queue)) if at[k, s]), None) for s in range(given.servers)]


def legal(before, event, after, at):
    """Whether an event may happen: who comes or is interrupted goes to the end; who is served may leave."""
    others = tuple(entry for entry in before if entry[0] != event.job)
    if event.kind == "arrival":
        return others == before == after[:-1] and after[-1][0] == event.job
    own = tuple(entry for entry in before if entry[0] == event.job)
    return len(own) == 1 and event.job in at and after == others + (own if event.kind == "interruption" else ())


def of_events(given, work):
    """Logs of jobs of constant sizes, by both rules that leave nothing to chance; and logs with arrivals."""
    graph, last = given.graph, given.classes - 1
    present = [*np.random.default_rng(3).integers(given.classes, size=6).tolist(), *range(given.classes)]
    rates, laws = 1e-9 * (1 + np.arange(given.classes)), [sizes.Deterministic(own) for own in work]
    own, mean, found = [work[i] for i in present], rates @ work / rates.sum(), {}
    for rule, m, quanta in (("quantum", 2.3, [mean / 2.3] * len(own)), ("tasks", 2, [each / 3 for each in own])):
        times, told = replay(given, present, own, quanta)
        log = interruptions.trace(graph, rates, laws, m, present, len(told), seed=1, rule=rule)
        found[f"times by {rule}"] = [event.time for event in log], times
        found[f"events by {rule}"] = [(event.kind, event.job, event.queue) for event in log] == told, True
    call = graph, np.full(given.classes, 0.3), sizes.Exponential(9.0), 9, present
    log = interruptions.trace(*call, 200, seed=7)
    queues = [tuple(enumerate(present)), *(event.queue for event in log)]
    at, steps = [at_servers(given, queue) for queue in queues], [("interruption", present[0]), ("arrival", last)]
    seed, begun = interruptions.trace_with_steps(*call, steps)
    logs = [interruptions.trace(*call, 3, seed=number) for number in range(seed + 1)]
    begin = [[(event.kind, dict(event.queue).get(event.job)) for event in each[:2]] for each in logs]
    return {
        **found,
        "the events of a log": (all(map(legal, queues, log, queues[1:], at)), True),
        "what servers are at": ([interruptions.served(graph, queue) for queue in queues] == at, True),
        "the first seed of some steps": (begin.index(steps) if steps in begin else -1, seed),
        "its log": (begun == logs[-1], True),
    }


# Simulators.


def estimates(result, expected, names=QUANTITIES):
    """Simulated quantities less what is expected, relative to it."""
    value, half = (
        [np.atleast_1d(getattr(one, part)) for one in said(result, names)] for part in ("value", "half_width")
    )
    right = np.concatenate([np.broadcast_to(one, own.shape) for one, own in zip(expected, value, strict=True)])
    value, half = np.concatenate(value) / right - 1, np.concatenate(half) / right
    return measured(value, half, runs=10, quantity=range(len(right)))


def run(events):
    """Ten replications."""
    return {"jumps": events, "warmup": events // 20, "seed": 2}


def uncut(given, rates, components, m, most):
    """Performance of the queue that is not cut: of three lengths, continued as a geometric sequence."""
    found = [Chain(given, rates, components, m, length, dense=False) for length in (most - 2, most - 1, most)]
    one, two, three = (np.array([*chain.jobs, chain.empty]) for chain in found)
    *jobs, empty = three - (three - two) ** 2 / (three - 2 * two + one)
    return [np.array(jobs), rates * found[0].sigma / jobs, jobs / rates, empty, np.full(given.classes, m)]


def cut(given):
    """The graph with each server in so many equal parts that there are five servers or more, which are not few."""
    parts = 1 + 4 // given.servers
    own = [[parts * s + part for s in servers for part in range(parts)] for servers in given.servers_of_class]
    return multiserver.CompatibilityGraph(own, np.repeat(given.capacities, parts) / parts)


def of_simulators(given, rates, most=6):
    """Every simulator of a graph: few servers, any graph (the servers cut in parts), in real time, and beside."""
    law, m, graph = law_of(HYPER), 1.3, given.graph
    light, heavy, one = 0.4 * rates / law.mean, rates / 1.7, sizes.Exponential(1.7)
    expected, exponential = uncut(given, light, HYPER, m, most), [*fair(given, rates, 1.7), np.full(given.classes, m)]
    beside = multiserver.simulate_beside_balanced_fairness(graph, light, law, m, **run(20_000))
    few = multiserver.simulate(graph, light, law, m, **run(60_000))
    plain = interruptions.simulate(graph, light, law, m, **run(30_000))
    alike = fair(given, light * law.mean)[0]
    found = {
        "few servers": estimates(few, expected),
        "delays and rates of mean numbers": by_numbers(few, light, law.mean),
        "delays and rates of mean numbers in real time": by_numbers(plain, light, law.mean),
        "any graph": estimates(multiserver.simulate(cut(given), light, law, m, **run(60_000)), expected),
        "real time": estimates(plain, expected),
        "few servers at exponential sizes": estimates(
            multiserver.simulate(graph, heavy, one, m, **run(60_000)), exponential
        ),
        "real time at exponential sizes": estimates(
            interruptions.simulate(graph, heavy, one, m, **run(30_000)), exponential
        ),
        "beside balanced fairness": estimates(
            beside, (expected[0], expected[2], expected[0], alike, m),
            ("mean_jobs", "mean_delay", "plain_jobs", "companion_jobs", "interruptions_per_job"),
        ),
    }  # fmt: skip
    return found | of_companion(beside, light, alike)


def by_numbers(result, rates, mean):
    """Simulated delays and service rates with their intervals, which are those of the mean numbers, by (9)."""
    jobs, wide = result.mean_jobs.value, result.mean_jobs.half_width
    found = [(one.value, one.half_width) for one in (result.mean_delay, result.mean_service_rate)]
    return [*found[0], *found[1]], [jobs / rates, wide / rates, rates * mean / jobs, rates * mean / jobs**2 * wide]


def of_companion(beside, rates, alike):
    """What is exact in a run with a companion."""
    jobs = beside.mean_jobs.value
    return {
        "exact numbers of a companion": (beside.fair_jobs, alike),
        "delays beside a companion": (beside.mean_delay.value, jobs / rates),
        "distances": (1 + beside.distance.value, jobs / alike),
        "intervals beside a companion": (
            [beside.distance.half_width, beside.mean_delay.half_width],
            [beside.mean_jobs.half_width / alike, beside.mean_jobs.half_width / rates],
        ),
        "the distance of all": (1 + beside.total_distance.value, jobs.sum() / np.sum(alike)),
    }


def of_drawn(S, d, load):
    """The simulators of servers drawn at random, in phases, in real time, and beside processor sharing."""
    law, one, m, graph = law_of(HYPER), sizes.Exponential(1.7), 1.3, multiserver.RandomAssignment(S, d)
    rate, expected, alike = load * S / law.mean, [*fair_drawn(S, d, load, 1.7), m], fair_drawn(S, d, load)[0]
    beside = multiserver.simulate_assignment_beside_processor_sharing(graph, rate, law, m, **run(20_000))
    quick, plain = (
        module.simulate(graph, rate, law, m, **run(events))
        for module, events in ((multiserver, 60_000), (interruptions, 30_000))
    )
    pairs = [(one.mean_jobs, beside.mean_jobs[0]) for one in (quick, plain)]
    gaps = [(one.value - other.value, math.hypot(one.half_width, other.half_width)) for one, other in pairs]
    value, half = np.array(gaps).T / beside.mean_jobs.value
    return {
        "an assignment": estimates(multiserver.simulate(graph, load * S / 1.7, one, m, **run(60_000)), expected),
        "an assignment in real time": estimates(
            interruptions.simulate(graph, load * S / 1.7, one, m, **run(20_000)), expected
        ),
        "beside processor sharing": estimates(beside, (alike, m), ("companion_jobs", "interruptions_per_job")),
        "an assignment alone less one beside": measured(value, half, runs=10, quantity=range(2)),
        **of_companion(beside, rate, np.array([alike])),
    }


def phases(capacity, rates, most=6):
    """Zipf numbers of phases, rates of a load of 0.6, and first come, first served by all servers together."""
    k = np.arange(1, most + 1)
    chance = 1 / k**2 / np.sum(1 / k**2)
    mean, squared = chance @ k, chance @ (k * (k + 1))
    slow = 0.6 * capacity / mean * rates / rates.sum()
    delay = slow.sum() * squared / capacity**2 / 0.8 + mean / capacity
    return sizes.zipf_phases(most), slow, [slow * delay, np.full(len(slow), mean / delay), delay, 0.4]


def of_rules(given, rates):
    """Simulators where sizes have no phases, differ between classes, or are interrupted by other rules."""
    (laws, expected), capacity, m, size = one_line(given, rates), sum(given.capacities), 1.5, sizes.Exponential(1.7)
    often = 1 / (math.exp(1 / m) - 1)  # quanta that an exponential size outlasts
    zipf, slow, in_phases = phases(capacity, rates)
    fast = rates / rates.sum() * 0.6 * capacity / 1.7
    jobs = 1.5 * rates / rates.sum()
    alone = [jobs, fast * 1.7 / jobs, jobs / fast, 0.4, often]
    return {
        "sizes of classes in one line": estimates(
            multiserver.simulate(given.graph, rates, laws, 0, **run(20_000)), expected[:4], PERFORMANCE
        ),
        **{
            f"numbers of phases, {word}": estimates(
                multiserver.simulate(graph, slow, zipf, 0, **run(60_000)), in_phases, PERFORMANCE
            )
            for word, graph in (("few servers", given.graph), ("any graph", cut(given)))
        },
        "quanta": estimates(interruptions.simulate(given.graph, fast, size, m, "quantum", **run(20_000)), alone),
        "tasks": estimates(
            interruptions.simulate(given.graph, rates, laws, 2, "tasks", **run(20_000)), (2,), QUANTITIES[4:]
        ),
    }
