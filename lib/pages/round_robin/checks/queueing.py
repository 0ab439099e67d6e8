"""Claims of `roundrobin`, Section III and Figure 3: the queueing model, and the network it looks like."""

import itertools

import numpy as np
from scipy import stats

from clustershare import markov, multiserver, sizes
from clustershare.multiserver import CompatibilityGraph
from clustershare.multiserver.chain import ordered_chain
from compendium.press.findings import beyond, check, equality, finding, over_domain
from pages.balanced_fairness.lines import chain, law, lines, measure, moves, net_flow
from pages.balanced_fairness.networks import ONE_PHASE, any_law, numbers, sharing_law
from pages.balanced_fairness.small_systems import clusters, mass_falls, without
from pages.round_robin.systems import random_traffic

SUBSETS = [A for n in (1, 2, 3) for A in itertools.combinations(range(3), n)]


def fixed_capacities(graph, x, before):
    """A wrong network: queues of fixed capacities, those of each class's computers."""
    return {i: graph.service_rate([i]) for i in np.flatnonzero(x)}


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


@check("roundrobin-006", shares=divided_equally)
def aggregate_law(shares=largest_balanced):
    """The chain of the algorithm for exponential sizes against that of the three queues, both cut at 4 jobs; and runs.

    `roundrobin`, Figure 3; the control divides each computer equally among its classes.
    """
    gap, distances = 0.0, []
    for number, (graph, rates) in enumerate(random_traffic(50)):
        states, expected = network_law(graph, rates, 4, shares)
        for m in (0, 1, 5):
            queues, Q, _ = ordered_chain(graph, rates, sizes.Exponential(), m, 4)
            found = dict.fromkeys(states, 0.0)
            for queue, value in zip(queues, markov.gth(Q)):
                found[tuple(np.bincount([job[0] for job in queue], minlength=3).tolist())] += value
            gap = max(gap, *(abs(found[x] - value) for x, value in zip(states, expected)))
            if number < 4:
                run = multiserver.simulate(graph, rates, sizes.Exponential(), m, jumps=100_000, seed=number).mean_jobs
                fair = multiserver.balanced_fairness(graph, rates).mean_jobs
                distances += (np.abs(run.value - fair) / run.half_width).tolist()
    bound = stats.t.ppf(1 - 0.025 / len(distances), 9) / stats.t.ppf(0.975, 9)
    said = "laws equal within 1e-9" if gap < 1e-9 else f"probabilities differ by up to {gap:.2g}"
    return finding(
        f"{said}; {len(distances)} simulated means at most {max(distances):.1f} half widths away, "
        f"{bound:.1f} allowed for so many", gap < 1e-9 and max(distances) < bound,
    )  # fmt: skip


@check("roundrobin-007", change=lambda graph: CompatibilityGraph(((0,), (1,), (1,)), graph.capacities))
def stability_region(change=lambda graph: graph):
    """The three inequalities against the growth of the mass of long queues; in the control class 2 has one computer."""
    wrong = 0
    for boundary in (0.95, 1.05):
        for graph, rates in random_traffic(300, boundary):
            first, second = graph.capacities
            region = rates[0] < first and rates[2] < second and rates.sum() < first + second
            wrong += bool(region) != mass_falls(change(graph), rates)
    return beyond(f"{wrong} of 600 systems classified differently", wrong == 0)


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


@check("roundrobin-012", size=sizes.bimodal_hyperexponential())
def re_entrant_queue(size=None):
    """The algorithm against re-entrant queues with one unit of size: rates of transitions, and the law (1).

    In the control the sizes are hyperexponential, and only the law is compared, of at most 3 jobs.
    """
    rng, holds, corrected, apart = np.random.default_rng(12), {True: True, False: True}, 0.0, {}
    for number, (graph, rates) in enumerate(clusters()):
        count = graph.classes
        if size is not None:
            if count < 4:
                short, of, found = chain(graph, rates / size.mean, size, 3, 1.0)
                found = law_of_classes(short, of, law(short.first[-1], found), count)
                holds[True] &= off_product_form(graph, rates, lines(count, 3), found) < 1e-9
            continue
        theta, means = rng.uniform(0.1, 5), rng.uniform(0.1, 5, count)
        means = np.full(count, means[0]) if number % 2 == 0 else means
        found, probabilities = algorithm(graph, rates, means, theta)
        unit = theta * means / (theta + means)
        off = off_product_form(graph, rates, lines(count, 4), probabilities)
        common = off_re_entrant(graph, rates, means, theta, np.full(count, unit.mean()), found)
        holds[bool(np.ptp(means) == 0)] &= off < 1e-9 and common < 1e-12
        corrected = max(corrected, off_re_entrant(graph, rates, means, theta, unit, found))
        if np.ptp(means) > 0 and number < 30:
            for m in (1, 5, 50):
                _, probabilities = algorithm(graph, rates, means, means.mean() / m)
                off = off_product_form(graph, rates, lines(count, 4), probabilities)
                apart[m] = max(apart.get(m, 0.0), off)
    if size is not None:
        return over_domain("hyperexponential sizes: the law is not (1)", [holds[True]])
    said = ", ".join(f"{off:.1g} at m = {m}" for m, off in apart.items())
    return over_domain(
        f"equal means: {'the same' if holds[True] else 'another'} queue; unequal means: law off (1) by up to {said}; "
        f"corrected: {'the same' if corrected < 1e-12 else 'another'} queue",
        [value and corrected < 1e-12 for value in holds.values()],
    )


@check("roundrobin-013", to="place")
def traffic_intensities(to="end"):
    """(1) in the balance of the open queue whose classes leave with chances of their own, and the law of its chain.

    In the control a job that comes back keeps its place.
    """
    rng, gap = np.random.default_rng(13), 0.0
    for graph, intensity in clusters():
        count, laws = graph.classes, []
        for _ in range(2):
            p = rng.uniform(0.01, 1, count)
            short = lines(count, 5)
            found = moves(short, graph, p * intensity, comes_back=np.diag(1 - p), to=to)
            balance = net_flow(short.first[-1], found, measure(short, graph, intensity))
            gap = max(gap, np.abs(balance[: short.first[5]]).max())
            short = lines(count, 4)
            laws.append(law(short.first[-1], moves(short, graph, p * intensity, comes_back=np.diag(1 - p), to=to)))
        gap = max(gap, np.abs(laws[0] - laws[1]).max())
    return equality(gap, 1e-9)


def each_divided(graph, x):
    """A wrong network, as `divided_equally`: rates of all classes."""
    found = divided_equally(graph, x, None)
    return [found.get(i, 0.0) for i in range(len(x))]


@check("roundrobin-014", rates_of=each_divided)
def depends_on_the_traffic_only(rates_of=multiserver.service_rates):
    """The law of three processor-sharing queues with a law of sizes for each class, and with exponential unit sizes.

    The control divides each computer equally among its classes.
    """
    rng, gap, most = np.random.default_rng(14), 0.0, 4
    states = np.array(numbers(3, most))
    for graph, traffic in random_traffic(30):
        phi = {tuple(x): tuple(rates_of(graph, x)) for x in states.tolist()}
        expected = sharing_law(traffic, [ONE_PHASE] * 3, phi, most)
        means = rng.uniform(0.2, 5, 3)
        laws = [any_law(rng).scaled(mean) for mean in means]
        found = sharing_law(traffic / means, laws, phi, most)
        gap = max(gap, np.abs(found - expected).max())
        # A job's delay over its mean size, by the jobs that are let in.
        full = states.sum(axis=1) == most
        delay, usual = (p @ states / (traffic * (1 - p[full].sum())) for p in (found, expected))
        gap = max(gap, np.abs(delay / usual - 1).max())
    return equality(gap, 1e-9)
