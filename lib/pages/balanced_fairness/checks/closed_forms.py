"""Claims of `balanced`, Section 5, on formulas: (10) and (11), their unit, stability, and the bound on the rate."""

import itertools

import numpy as np

from clustershare import multiserver
from clustershare.multiserver import CompatibilityGraph
from compendium.press.findings import check, equality, erratum, finding
from compendium.press.words import SCALE
from pages.balanced_fairness.points.published import FIGURES, classes, curve, points
from pages.balanced_fairness.systems import LOADS, clusters, paper_sizes, three_servers
from pages.balanced_fairness.witnesses.lines import law, lines, moves
from pages.balanced_fairness.witnesses.numbers import mass_falls, on_the_lattice


def random_systems(count):
    """Three servers with capacities and arrival rates at random; in a third a class has no server of its own."""
    rng = np.random.default_rng(22)
    for number in range(count):
        capacities, mix = rng.uniform(0.05, 3, 3), rng.uniform(0.02, 0.98)
        if number % 3 == 0:
            capacities[number // 3 % 2] = 0.0
        a, b, c = capacities
        most = min((a + c) / mix, (b + c) / (1 - mix), a + b + c)
        yield capacities, rng.uniform(0.01, 0.97) * most * np.array([mix, 1 - mix])


def both_shared(capacities, second=True):
    """The graph of the three servers; without the edge of class 2 to server 3 if not `second`."""
    kept = [s for s in range(3) if capacities[s] > 0]
    own = ((0, 2), (1, 2) if second or capacities[1] == 0 else (1,))
    servers = [[kept.index(s) for s in servers if s in kept] for servers in own]
    return CompatibilityGraph(servers, [capacities[s] for s in kept])


def rates_on_the_lattice(graph, rates):
    """The mean service rates by their definition: rates of (7) over numbers of jobs, summed over the lattice."""
    _, jobs = on_the_lattice(graph, rates)
    return rates / jobs


@check("balanced-022", second=False)
def closed_forms(second=True):
    """(10) and (11) against sums over the lattice, the chain of the line at loads up to 0.1, and the drawn curves.

    In the control class 2 may not use server 3.
    """
    gap, chains = 0.0, 0
    for capacities, rates in random_systems(300):
        graph, closed = both_shared(capacities, second), multiserver.three_server_service_rates(capacities, rates)
        if not multiserver.is_stable(graph, rates / 0.98):  # in the control only
            continue
        gap = max(gap, np.abs(closed / rates_on_the_lattice(graph, rates) - 1).max())
        gap = max(gap, np.abs(multiserver.balanced_fairness(graph, rates).mean_service_rate / closed - 1).max())
        if chains < 3:
            few = rates * 0.1 * min(capacities[0] + capacities[2], capacities[1] + capacities[2]) / rates.sum()
            short, chains = lines(2, 10), chains + 1
            jobs = law(short.first[-1], moves(short, graph, few)) @ short.counts()
            closed = multiserver.three_server_service_rates(capacities, few)
            gap = max(gap, np.abs(closed / (few / jobs) - 1).max())
    for number, capacities in ((1, (1, 1, 1)), (2, (1, 0, 1))):
        drawn = np.transpose([curve(number, "b", index=index) for index in (0, 1)])
        closed = [
            multiserver.three_server_service_rates(capacities, three_servers(load, capacities)["arrival_rates"])
            for load in LOADS
        ]
        gap = max(gap, np.abs(closed / drawn - 1).max())
    return equality(gap, 1e-9)


def one_server_only(graph):
    """A wrong system: each class has its first server and no other."""
    return CompatibilityGraph([own[:1] for own in graph.servers_of_class], graph.capacities)


def without_server_3(graph):
    """A wrong system: class 2 may not use the server in common."""
    first, second = graph.servers_of_class
    return CompatibilityGraph([first, second[:-1] or second], graph.capacities)


@check("balanced-025", changes=(one_server_only, without_server_3))
def alone_in_the_limit(changes=(lambda graph: graph,)):
    """Rates of balanced fairness at smaller and smaller loads against all servers of a class, and simulated ones.

    In the control a job has one server, or class 2 may not use server 3.
    """
    loads, falls, last = (1e-2, 1e-4, 1e-6), [], []
    systems = [(np.array([1.0, 1.0, 1.0]), (0.5, 0.5)), (np.array([1.0, 0.0, 1.0]), (0.5, 0.5))]
    systems += [(capacities, rates / rates.sum()) for capacities, rates in random_systems(50)]
    for change in changes:
        off = []
        for capacities, mix in systems:
            bound = np.array([capacities[0] + capacities[2], capacities[1] + capacities[2]])
            graph = change(both_shared(capacities))
            rates = [load * capacities.sum() * np.array(mix) for load in loads]
            by_recursion = np.array([multiserver.balanced_fairness(graph, each).mean_service_rate for each in rates])
            off.append(bound - by_recursion)
            if changes[0](graph) is graph:
                closed = np.array([multiserver.three_server_service_rates(capacities, each) for each in rates])
                off.append(bound - closed)
        off = np.array(off)
        steady = np.abs(off[:, 1:] / off[:, :-1] * 100 - 1) <= SCALE["comparable"].most
        falls.append(bool((steady | (np.abs(off[:, 1:]) < 1e-12)).all()))
        last.append(np.abs(off[:, -1]).max())
    above = max(
        ((estimate[0] - doubt[0]) / bound)
        for number, bounds in ((1, (2.0, 2.0)), (2, (2.0, 1.0)))
        for letter, m, (index, bound) in itertools.product("abc", (0, 1, 5), enumerate(bounds))
        for estimate, doubt in [points(number, letter, m, index=index)]
    )
    return finding(
        f"the rest {'falls' if any(falls) else 'does not fall'} in proportion to the load, to "
        f"{'less than 1e-5' if min(last) < 1e-5 else f'{min(last):.2g}'}; simulated at load 0.05 "
        f"{'not above' if above <= 1 else 'above'} the bound",
        any(falls) and min(last) < 1e-5 and above <= 1,
    )


@check("balanced-026", change=lambda graph: CompatibilityGraph([range(graph.servers)] * 2, graph.capacities))
def stability_region(change=lambda graph: graph):
    """The three inequalities against the growth of the mass of long lines; in the control all servers are shared."""
    rng, wrong = np.random.default_rng(26), 0
    for number, (capacities, _) in enumerate(random_systems(300)):
        a, b, c = capacities
        mix = rng.uniform(0.05, 0.95)
        boundary = ((a + c) / mix, (b + c) / (1 - mix), a + b + c)[number % 3]
        for factor in (0.95, 1.05):
            first, second = factor * boundary * mix, factor * boundary * (1 - mix)
            region = first < a + c and second < b + c and first + second < a + b + c
            wrong += region != mass_falls(change(both_shared(capacities)), np.array([first, second]))
    return finding(f"{wrong} of 600 systems classified differently", wrong == 0)


@check("balanced-042", mean_of_figures=1.0)
def unit_of_the_service_rate(mean_of_figures=None):
    """Delays by the lattice against (10)-(11) with mu_s = C_s / sigma, and the curves of Figures 1c and 2c.

    In the control their sizes have mean 1.
    """
    rng, printed, corrected = np.random.default_rng(42), 0.0, 0.0
    for capacities, work in random_systems(200):
        mean = rng.uniform(0.2, 5)
        _, jobs = on_the_lattice(both_shared(capacities), work)
        delay, gamma = jobs / (work / mean), multiserver.three_server_service_rates(capacities / mean, work / mean)
        printed = max(printed, np.abs(mean / gamma / delay - 1).max())
        corrected = max(corrected, np.abs(1 / gamma / delay - 1).max())
    short = lines(2, 10)  # jobs with work, a tenth of what the servers could do
    jobs = (
        law(short.first[-1], moves(short, both_shared((1, 1, 1)), np.array([0.04, 0.05]), pace=1 / 2)) @ short.counts()
    )
    gamma = multiserver.three_server_service_rates((0.5, 0.5, 0.5), (0.04, 0.05))
    corrected = max(corrected, np.abs(1 / gamma / (jobs / (0.04, 0.05)) - 1).max())
    mean = mean_of_figures or paper_sizes()["c"].mean
    for number, capacities in ((1, (1.0, 1.0, 1.0)), (2, (1.0, 0.0, 1.0))):
        for load, *drawn in zip(LOADS, *(curve(number, "c", "mean_delay", index) for index in (0, 1))):
            rates = three_servers(load, capacities, mean)["arrival_rates"]
            gamma = multiserver.three_server_service_rates(np.array(capacities) / mean, rates)
            corrected = max(corrected, np.abs(1 / gamma / drawn - 1).max())
    said = "is the delay within 1e-9" if corrected < 1e-9 else f"is off by up to {corrected:.0%}"
    return erratum(f"sigma / gamma is off by up to {printed:.0%}, 1 / gamma {said}", printed < 1e-9, corrected < 1e-9)


@check("balanced-021", everybody=True)
def rate_is_bounded(everybody=False):
    """No class faster than all its servers: each point and curve of the figures, and the lattice on random clusters.

    In the control every server of a cluster may serve every class.
    """
    worst = -np.inf
    bounds = {1: (2.0, 2.0), 2: (2.0, 1.0), 3: (2.0,), 4: (3.0,)}
    for number in FIGURES:
        for index, (letter, m) in itertools.product(classes(number), itertools.product("abc", (0, 1, 5))):
            estimate, doubt = points(number, letter, m, index=index)
            worst = max(worst, ((estimate - doubt) / bounds[number][index]).max() - 1)
            worst = max(worst, (curve(number, letter, index=index) / bounds[number][index]).max() - 1)
    for graph, rates in clusters(loads=(0.05, 0.6)):
        system = graph
        if everybody:
            system = CompatibilityGraph([range(graph.servers)] * graph.classes, graph.capacities)
        bound = np.array([graph.service_rate([i]) for i in range(graph.classes)])
        found = rates_on_the_lattice(system, rates), multiserver.balanced_fairness(system, rates).mean_service_rate
        worst = max(worst, (np.array(found) / bound).max() - 1)
    return finding(f"at most {1 + worst:.6f} times the bound", worst < 1e-9)
