"""What `roundrobin` states, found without the formulas of the library: paths, and chains of networks of queues."""

import functools
import itertools

import numpy as np

from clustershare import markov, multiserver
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import Exponential
from compendium.press.clauses import measured
from pages.balanced_fairness.systems import paper_sizes, without
from pages.balanced_fairness.witnesses.lines import chain, law, lines, measure, moves
from pages.balanced_fairness.witnesses.paths import path, ratio_of
from pages.round_robin.systems import SUBSETS, with_equal_traffic

# Paths.

GROUPS = (1, 5, 6, 7, 10)  # 4 times the class, and a set of its computers as bits
THETAS = (5.0, 1.0, 0.2, 0.02)  # in mean sizes


@functools.cache
def slices(load, letter, m, alike):
    """In each of the 20 systems, by class and set of computers, in units of theta: mean work and its standard error.

    First of the slices that an interruption ends, by the set at their start; then work done by a set over the
    interruptions while it was at work. Groups of less than 30 are left out, as nan.
    """
    size = paper_sizes()[letter]
    theta, found = size.mean / m, []
    for number, (graph, traffic) in enumerate(with_equal_traffic(load)):
        clocks = np.full(2, np.mean(graph.capacities) / theta) if alike else None
        events = 150_000 if m < 1 and load < 0.5 and not alike else 12_000  # many, where differences are small
        seen = path(graph, traffic / size.mean, size, events, warmup=500, theta=theta, clocks=clocks, visits=events,
                    seed=2, number=number)  # fmt: skip
        group, work = (4 * seen.visits[:, 0] + seen.visits[:, 1]).astype(int), seen.visits[:, 2] / theta
        count, hits = np.bincount(group, minlength=12), seen.hits.ravel()
        first, second = graph.capacities
        done = (seen.exposure * np.array([0, first, second, first + second]) / theta).ravel()
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(count < 30, np.nan, np.bincount(group, work, minlength=12) / count)
            error = np.sqrt((np.bincount(group, work**2, minlength=12) / count - mean**2) / count)
            over = np.where(hits < 30, np.nan, done / hits)
        found.append([(mean[k], error[k], over[k], over[k] / np.sqrt(hits[k])) for k in GROUPS])
    return np.array(found)


@functools.cache
def counted(load, law, share, how):
    """Interruptions of a job of each class for theta of so many mean sizes, over five pairs of capacities.

    On paths whose timers run "by capacity" or "alike", or by a simulator of the library.
    """
    size = {**paper_sizes(), "exponential": Exponential()}[law]
    theta, tops, bottoms, estimates = share * size.mean, [], [], []
    first = (THETAS.index(share) - sum(map(ord, law))) % 4
    for number, (graph, traffic) in itertools.islice(enumerate(with_equal_traffic(load)), first, None, 4):
        rates, length = traffic / size.mean, {"warmup": 500, "seed": number}
        events = int(400 * (2 + 1 / share))
        if how in ("by capacity", "alike"):
            clocks = np.full(2, 1 / theta) if how == "alike" else None
            seen = [path(graph, rates, size, events, theta=theta, clocks=clocks, number=k, **length)
                    for k in range(10)]  # fmt: skip
            tops.append([each.interruptions for each in seen])
            bottoms.append([each.departures for each in seen])
        else:
            counts, _, weights = size.erlang_mixture()
            run = {"jumps": int(events + 400 * (counts @ weights - 1)), "replications": 10, **length}
            estimates.append(how.simulate(graph, rates, size, 1 / share, **run).interruptions_per_job)
    if tops:
        return of_classes(*ratio_of(np.sum(tops, axis=0), np.sum(bottoms, axis=0)))
    half_width = np.sqrt(np.sum([each.half_width**2 for each in estimates], axis=0)) / len(estimates)
    return of_classes(np.mean([each.value for each in estimates], axis=0), half_width)


def of_classes(value, half):
    """Numbers of the three classes, with half widths from ten runs."""
    return measured(value, half, runs=10, **{"class": (1, 2, 3)})


@functools.cache
def departures_apart(capacities, graph, share, letter, load):
    """The largest difference of two logs of round robin: one measures the time of a slice, the other its work."""
    size = paper_sizes()[letter]
    mean_slice = share * size.mean
    rates = load * sum(capacities) / size.mean / len(graph) * np.ones(len(graph))
    cluster = CompatibilityGraph(graph, capacities)
    slices = np.full(len(capacities), sum(capacities) / len(capacities) / mean_slice)
    by_time = path(cluster, rates, size, 2000, clocks=slices, fixed=True, log=2000, seed=10)
    by_work = path(cluster, rates, size, 2000, quantum=mean_slice, log=2000, seed=10)
    if (by_time.log[:, 1:] != by_work.log[:, 1:]).any():
        return np.inf
    return float(np.abs(by_time.log[:, 0] / by_work.log[:, 0] - 1).max())


# Networks of queues. An allocation gives the rates of the classes present, from the numbers of jobs and what it keeps.


def divided_equally(graph, x, before):
    """A wrong network: each computer divided equally among the classes present that may use it."""
    users = [[i for i in np.flatnonzero(x) if s in graph.servers_of_class[i]] for s in range(graph.servers)]
    return {i: sum(graph.capacities[s] / len(users[s]) for s in graph.servers_of_class[i]) for i in np.flatnonzero(x)}


def largest_balanced(graph, x, before):
    """Balanced fairness by its definition: the largest balanced rates in the capacity set; `before` has Phi."""
    phi = {i: before[without(x, i)] for i in np.flatnonzero(x)}
    before[x] = max(sum(phi.get(i, 0.0) for i in A) / graph.service_rate(A) for A in SUBSETS)
    return {i: value / before[x] for i, value in phi.items()}


def network_law(graph, rates, most, shares):
    """The law of three processor-sharing queues with at most so many jobs, by their chain."""
    states = sorted((x for x in itertools.product(range(most + 1), repeat=3) if sum(x) <= most), key=sum)
    index, before, transitions = {x: k for k, x in enumerate(states)}, {states[0]: 1.0}, []
    for x in states[1:]:
        for i, rate in shares(graph, x, before).items():
            less = index[without(x, i)]
            transitions += [(index[x], less, rate), (less, index[x], rates[i])]
    return states, markov.gth(markov.generator(len(states), *zip(*transitions)))


# Ordered chains.


def mean_numbers_apart(graph, rates, size, m, most, stays):
    """How far the mean numbers are from those of exponential sizes; or if interrupted jobs stay at the head."""
    if not stays:
        return multiserver.distance_from_balanced_fairness(graph, rates, size, m, most)
    short, of, found = chain(graph, rates, size, most, size.mean / m if m else np.inf, to="place")
    jobs = law(short.first[-1], found) @ short.counts(of)
    fair = multiserver.interrupted_queue(graph, rates, Exponential(size.mean), 0, most).mean_jobs
    return np.abs(jobs / fair - 1).max()


def law_of_classes(short, of, probabilities, classes):
    """The law of the line of classes, from that of a line whose kinds of jobs have more detail."""
    result = lines(classes, short.most)
    numbers = np.concatenate([result.numbers(of[jobs]) for jobs in short.jobs])
    return np.bincount(numbers, probabilities, result.first[-1])


def algorithm(graph, rates, means, theta):
    """The transitions of the algorithm for exponential sizes of several means, cut at 4 jobs; and the law."""
    short = lines(graph.classes, 4)
    found = moves(short, graph, rates / means, pace=1 / means, timers=np.array(graph.capacities) / theta)
    return found, law(short.first[-1], found)


def off_product_form(graph, rates, short, probabilities):
    """The largest difference of the law of a line of classes to (1), cut alike."""
    product = measure(short, graph, rates)
    return float(np.abs(probabilities - product / product.sum()).max())


def off_re_entrant(graph, rates, means, theta, units, found):
    """The largest difference to the rates of the re-entrant queue with these units of size, relative to the largest."""
    short, stays = lines(graph.classes, 4), means / (theta + means)
    again = moves(short, graph, rates / means, pace=1 / units, comes_back=np.diag(stays))
    first, second = (markov.generator(short.first[-1], *each[:3]) for each in (found, again))
    return float(np.abs((first - second).data).max(initial=0) / np.abs(first.diagonal()).max())
