"""Claims of `balanced`, Section 1, on redundant requests: replicas on all servers of a job, the first is enough."""

import functools
import itertools

import numpy as np

from clustershare import markov
from clustershare.sizes import Exponential
from compendium.press.findings import check, finding
from compendium.press.words import SCALE
from pages.balanced_fairness.points.intervals import farthest, ratio_of, told
from pages.balanced_fairness.points.published import FIGURES, classes, curve, difference_between, points
from pages.balanced_fairness.systems import LOADS, balance_functions, clusters, paper_sizes, random_graphs
from pages.balanced_fairness.witnesses.numbers import growth, on_the_lattice, product_form
from pages.balanced_fairness.witnesses.paths import path

WRONG = ({"copies": "same"}, {"rule": "alone"})  # one size on all servers; cancelled when the first begins


def sets_present(graph, rates):
    """The probability of each set of classes present, by (1): the mass of the lines of all lengths."""
    matrix = growth(graph, rates)
    mass = np.linalg.solve(np.eye(len(matrix)) - matrix, np.eye(1, len(matrix))[0])
    return mass / mass.sum()


def replicas_chain(graph, rates, most):
    """The law of the numbers of jobs with a queue at each server: a copy done takes away those of the same job."""
    own = graph.servers_of_class

    def renamed(kinds, queues):
        """Jobs counted from 0 in the order in which the queues name them, for their names do not matter."""
        names = {}
        for job in itertools.chain(*queues):
            names.setdefault(job, len(names))
        by_name = sorted(names, key=names.get)
        return tuple(kinds[job] for job in by_name), tuple(tuple(names[job] for job in queue) for queue in queues)

    def transitions(state):
        kinds, queues = state
        if len(kinds) < most:
            for i, rate in enumerate(rates):
                longer = [(*queue, len(kinds)) if s in own[i] else queue for s, queue in enumerate(queues)]
                yield renamed((*kinds, i), longer), rate
        for s, queue in enumerate(queues):
            if queue:
                rest = [tuple(job for job in other if job != queue[0]) for other in queues]
                yield renamed(kinds, rest), graph.capacities[s]

    states, *found = markov.explore(((), ((),) * graph.servers), transitions)
    law = markov.stationary(markov.generator(len(states), *found))
    result = {}
    for (kinds, _), value in zip(states, law):
        x = tuple(np.bincount(kinds, minlength=graph.classes).tolist()) if kinds else (0,) * graph.classes
        result[x] = result.get(x, 0.0) + value
    return result


@check("balanced-052", systems=WRONG)
def equivalent_to_pooled_servers(systems=({"copies": "own"},)):
    """Copies simulated one by one against sums of (1), and the chain of the servers' queues against (3).

    In the control a job's copies have one size, or only the first that begins is served.
    """
    graphs = [random_graphs(k + 1, load=0.1 + 0.8 * k / 19).cases[k] for k in range(20)]
    distances, count = [], 0
    for setting in systems:
        worst, count = 0.0, 0
        for number, (graph, rates) in enumerate(graphs):
            runs = [path(graph, rates, Exponential(), 8000, warmup=3000, seed=52, number=10 * number + k, **setting)
                    for k in range(10)]  # fmt: skip
            time = [each.time for each in runs]
            _, jobs = on_the_lattice(graph, rates)
            worst = max(worst, *(farthest(*ratio_of([run.jobs[i] for run in runs], time), jobs[i]) for i in range(3)))
            for A, value in enumerate(sets_present(graph, rates)):
                seen = [run.present[A] for run in runs]
                if np.count_nonzero(seen) == 10:
                    worst, count = max(worst, farthest(*ratio_of(seen, time), value)), count + 1
            count += 3
        distances.append(worst)
    text, inside = told(min(distances), count, 10)
    gap = 0.0
    for graph, rates in clusters(count=5, classes=3, servers=4):
        phi = balance_functions(graph, 4)
        found = replicas_chain(graph, rates, 4)
        gap = max(gap, *(abs(found[x] - value) for x, value in zip(phi, product_form(rates, phi))))
    return finding(
        f"{text}; the chain has the law (3){'' if gap < 1e-9 else f' within {gap:.1g}'}", inside and gap < 1e-9
    )


PLACES = [*itertools.product((1, 2), (0.3, 0.6, 0.9)), (3, 0.6), (4, 0.6)]


@functools.cache
def replicated(number, load, letter, exponential):
    """Mean delay over the mean size of class 1 with replicas, on ten paths."""
    size = paper_sizes()[letter]
    system = FIGURES[number][1](load, mean_size=size.mean)
    sizes, events = Exponential(size.mean) if exponential else size, 8000 if number < 3 else 6000
    runs = [path(system["graph"], system["arrival_rates"], sizes, events, warmup=2000, copies="own", seed=53, number=k)
            for k in range(10)]  # fmt: skip
    value, half_width = ratio_of([run.jobs[0] for run in runs], [run.time for run in runs])
    rate = np.atleast_1d(system["arrival_rates"])[0]
    return value / rate / size.mean, half_width / rate / size.mean


def differences(name, value, half_width, exact, where):
    """Where a difference of "clear" is certain, and the largest difference with its sign, for one law."""
    least, _ = difference_between((value, half_width), (exact, 0 * exact))
    at = [where[k] for k in np.flatnonzero(least >= SCALE["clear"].least)]
    off = np.where(value > exact, 1 - exact / value, value / exact - 1)
    return bool(at), f"{name} {off[np.abs(off).argmax()]:+.2f}" + (f" (from load {min(at):g} on)" if at else "")


@check("balanced-053", insensitive=True)
def both_models_are_sensitive(insensitive=False):
    """Delays of first come, first served under three laws against the exponential, pooled and with replicas.

    In the control pooled servers share as balanced fairness does, and copies have exponential sizes.
    """
    pooled, replicas, said = [], [], {"pooled": [], "replicas": []}
    for letter in "abc":
        value, doubt, exact, where = [], [], [], []
        for number in FIGURES:
            for index in classes(number):
                fair = curve(number, letter, "mean_delay", index)
                found = (fair, 0 * fair) if insensitive else points(number, letter, 0, "mean_delay", index)
                value, doubt, exact = [*value, *found[0]], [*doubt, *found[1]], [*exact, *fair]
                where += LOADS
        certain, text = differences(letter, *map(np.array, (value, doubt, exact)), where)
        pooled, said["pooled"] = [*pooled, certain], [*said["pooled"], text]
        found = np.array([replicated(number, load, letter, insensitive) for number, load in PLACES]).T
        fair = [curve(n, letter, "mean_delay")[LOADS.index(load)] / paper_sizes()[letter].mean for n, load in PLACES]
        certain, text = differences(letter, *found, np.array(fair), [load for _, load in PLACES])
        replicas, said["replicas"] = [*replicas, certain], [*said["replicas"], text]
    return finding(
        "; ".join(f"{model}: {', '.join(texts)}" for model, texts in said.items()), any(pooled) and any(replicas)
    )
