"""How long the queue of jobs that several servers serve remembers."""

import numpy as np

from clustershare.multiserver.graph import RandomAssignment
from clustershare.multiserver.of_classes import of_classes, phaseless, several
from clustershare.settling import memory_of_queue, variability

MOST_CLASSES = 10  # of which all sets are looked at; of more, each class and all together


def of_phases(given):
    """Jumps that the system remembers, of the arguments of `simulate`, where the end of each phase of a job is one."""
    if phaseless(given["sizes"]) or given["arrivals"] is not None or given["records"]:
        return of_jobs(given)
    counts, _, chances = given["sizes"].erlang_mixture()
    return _memory(given["graph"], given["arrival_rates"], given, 1 + float(chances @ counts) + given["interruptions"])


def of_jobs(given):
    """The same where jumps are arrivals, departures and interruptions."""
    dispersion, lasting = variability(given.get("arrivals"), np.sum(given["arrival_rates"]))
    jumps = 2 + given["interruptions"]
    found = _memory(given["graph"], given["arrival_rates"], given, jumps, dispersion)
    return max(found, jumps * np.sum(given["arrival_rates"]) * lasting)


def of_assignment(given):
    """The same under a random assignment."""
    return _memory(given["assignment"], given["arrival_rate"], given, 2 + given["interruptions"])


def steps_beside(given):
    """Events of both queues for each of the one: a job comes to both at once, and leaves each for itself."""
    return (3 + given["interruptions"]) / (2 + given["interruptions"])


def _memory(graph, arrival_rates, given, jumps_per_job, arriving=1.0):
    """That of the set of classes that remembers longest: near saturation each is as one queue of all its servers."""
    sizes = given["sizes"]
    if several(sizes):
        sizes = of_classes(graph, np.array(arrival_rates, dtype=float), sizes)
    spread = sizes.squared_variation
    if isinstance(graph, RandomAssignment):
        load = arrival_rates * sizes.mean / graph.servers
        return memory_of_queue(load, jumps_per_job, spread=spread, servers=graph.servers, arriving=arriving)
    rates = np.array(arrival_rates, dtype=float)
    if graph.classes <= MOST_CLASSES:
        sets = np.arange(1, 1 << graph.classes)
        brought = sets[:, None] >> np.arange(graph.classes) & 1
        capacities = graph.service_rates_of_subsets(range(graph.classes))[1:]
    else:
        brought = np.vstack([np.eye(graph.classes), np.ones(graph.classes)])
        capacities = [graph.service_rate([i]) for i in range(graph.classes)]
        capacities.append(graph.service_rate(range(graph.classes)))
    return max(
        memory_of_queue(
            work / capacity, jumps_per_job, part=rate / rates.sum(), spread=spread, arriving=arriving
        )
        for rate, work, capacity in zip(brought @ rates, brought @ (rates * sizes.mean), capacities)
    )
