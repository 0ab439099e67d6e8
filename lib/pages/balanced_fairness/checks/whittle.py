"""Claims of `balanced`, Section 3 and appendix: the numbers of jobs, their network, and what it costs to be stable."""

import functools
import itertools
import math

import numpy as np

from clustershare import multiserver
from clustershare.multiserver import CompatibilityGraph
from compendium.press.clauses import aside, cases, conclude, everywhere
from compendium.press.clauses.conditions import equal, larger
from compendium.press.findings import check, equality, erratum, finding
from pages.balanced_fairness.printed import margins
from pages.balanced_fairness.systems import balance_functions, clusters, sets, without, without_an_edge
from pages.balanced_fairness.witnesses.lines import by_numbers, class_rates, law, lines, measure, moves, net_flow
from pages.balanced_fairness.witnesses.numbers import (
    growth,
    on_the_lattice,
    product_form,
    whittle_law,
    whittle_network,
)


@functools.cache
def queue_law(number, classes=4, most=4):
    """The law of the line of one of `clusters`, from its chain cut at so many jobs."""
    graph, rates = clusters(classes=classes)[number]
    short = lines(graph.classes, most)
    return law(short.first[-1], moves(short, graph, rates))


@check("balanced-004", orders="all alike")
def theorem_2(orders="stationary"):
    """(8) averaged over the orders by the chain's law, against (7) by the library; the control shuffles the line."""
    gap = 0.0
    for number, (graph, _) in enumerate(clusters()):
        short, served = lines(graph.classes, 4), class_rates(lines(graph.classes, 4), graph)
        weights = queue_law(number) if orders == "stationary" else np.ones(len(served))
        total = by_numbers(short, weights)
        mean = [by_numbers(short, weights * served[:, i]) for i in range(graph.classes)]
        for x in zip(*np.nonzero(total)):
            phi = multiserver.service_rates(graph, x)
            here = np.array([rate[x] for rate in mean]) / total[x]
            gap = max(gap, np.abs(here - phi).max() / max(phi.max(), 1e-9))
    return equality(gap, 1e-9)


@check("balanced-008", network=without_an_edge)
def corollary_2(network=lambda graph: graph):
    """The law of the numbers in the chain of the line, and of the network, which in the control lacks an edge."""
    gap = 0.0
    for number, (graph, rates) in enumerate(clusters(classes=3)):
        found = by_numbers(lines(graph.classes, 4), queue_law(number, 3))
        states, expected = whittle_network(network(graph), rates)
        gap = max(gap, *(abs(found[x] - value) for x, value in zip(states, expected)))
    return equality(gap, 1e-9)


@check("balanced-011", outside=lambda p: 1.0)
def re_entrant_jobs(outside=lambda p: p):
    """(1) in the balance of the open queue with returns, and the law of the chain; the control has more arrivals."""
    rng, gap = np.random.default_rng(11), 0.0
    for number, (graph, rates) in enumerate(clusters()):
        short, back = lines(graph.classes, 5), np.eye(graph.classes)
        p = 1 - rng.random()
        found = moves(short, graph, outside(p) * rates, comes_back=(1 - p) * back)
        balance = net_flow(short.first[-1], found, measure(short, graph, rates))
        gap = max(gap, np.abs(balance[: short.first[5]]).max())
        short = lines(graph.classes, 4)
        for p in (0.5, 0.1):
            found = law(short.first[-1], moves(short, graph, outside(p) * rates, comes_back=(1 - p) * back))
            gap = max(gap, np.abs(found - queue_law(number)).max())
    return equality(gap, 1e-9)


@check("balanced-055", to="place")
def routing(to="end"):
    """(1) in the balance of the open queue with random routing; in the control a routed job keeps its place."""
    rng, gap = np.random.default_rng(55), 0.0
    for graph, rates in clusters():
        if graph.classes == 1:
            continue
        short, route = lines(graph.classes, 5), rng.random((graph.classes, graph.classes))
        route /= 1.05 * max((rates @ route / rates).max(), route.sum(axis=1).max())  # all leave; outside rates above 0
        found = moves(short, graph, rates - rates @ route, comes_back=route, to=to)
        balance = net_flow(short.first[-1], found, measure(short, graph, rates))
        gap = max(gap, np.abs(balance[: short.first[5]]).max())
    return equality(gap, 1e-9)


@check("balanced-040", network=without_an_edge)
def rates_by_6(network=lambda graph: graph):
    """The law of networks whose rates satisfy (6), at random, and of the one with (7) and (4), against (3) with (4)."""
    rng, printed, corrected = np.random.default_rng(40), 0.0, 0.0
    for graph, rates in clusters(classes=3):
        expected = product_form(rates, balance_functions(graph, 4))
        any_phi = {x: rng.uniform(0.5, 2) for x in balance_functions(graph, 4)}
        printed = max(printed, np.abs(whittle_law(rates, any_phi) - expected).max())
        corrected = max(corrected, np.abs(whittle_network(network(graph), rates)[1] - expected).max())
    said = "have it" if corrected < 1e-9 else f"miss it by {corrected:.2f}"
    return erratum(
        f"rates that satisfy (6) miss the law (3) by up to {printed:.2f}; those of (7) with (4) {said}",
        printed < 1e-9, corrected < 1e-9,
    )  # fmt: skip


@check("balanced-041", leaves=lambda p: 1 - p)
def re_entries(leaves=lambda p: p):
    """Returns over departures, as flows of the chain of the line; in the control jobs leave with probability 1 - p."""
    rng, printed, corrected = np.random.default_rng(41), 0.0, 0.0
    chances = (0.9, 0.5, 0.2, 0.05, *rng.uniform(0.02, 0.98, 20))
    for number, (graph, rates) in enumerate(clusters(classes=3)):
        short, p = lines(graph.classes, 4), chances[number % len(chances)]
        found = moves(short, graph, p * rates, comes_back=(1 - leaves(p)) * np.eye(graph.classes))
        sources, _, speed, event, _ = found
        flow = np.bincount(event, law(short.first[-1], found)[sources] * speed, 5)
        printed = max(printed, abs(flow[3] / flow[1] * p - 1))
        corrected = max(corrected, abs(flow[3] / flow[1] / ((1 - p) / p) - 1))
    return erratum(
        f"the count is off 1/p by up to {printed:.0%}, off (1 - p)/p by "
        + ("nothing" if corrected < 1e-9 else f"{corrected:.0%}"),
        printed < 1e-9, corrected < 1e-9,
    )  # fmt: skip


def least_value(constraints, before):
    """The one value of Phi(x) that keeps all constraints of the capacity set and attains one of them."""
    return max(sum(before.get(i, 0.0) for i in A) / capacity for A, capacity in constraints)


@check("balanced-057", both_links=True)
def balanced_fairness_is_unique(both_links=False):
    """State by state from no job on, against the library's (4); in the control the third class needs two links."""
    systems, gap = clusters(), 0.0
    if both_links:
        systems = [(CompatibilityGraph([{0}, {1}, {0, 1}], [1.0, 1.0]), None)]
    for graph, _ in systems:
        constraints = [(A, graph.service_rate(A)) for A in sets(graph)]
        if both_links:
            constraints = [((0, 2), 1.0), ((1, 2), 1.0)]
        phi = {}
        for x, expected in sorted(balance_functions(graph, 5).items(), key=lambda item: sum(item[0])):
            phi[x] = least_value(constraints, {i: phi[without(x, i)] for i in np.flatnonzero(x)}) if any(x) else 1.0
            gap = max(gap, abs(phi[x] / expected - 1))
    return equality(gap, 1e-9)


@check("balanced-058", network=without_an_edge)
def most_efficient(network=lambda graph: graph):
    """Phi of the library against random balanced allocations inside the capacity set, up to 8 jobs."""
    rng, worst, fewer, most = np.random.default_rng(58), -np.inf, 0, 8
    for graph, rates in clusters():
        fair = balance_functions(network(graph), most)
        constraints, phi = [(A, graph.service_rate(A)) for A in sets(graph)], {}
        for x in sorted(fair, key=sum):
            slack = rng.uniform(1, 2) if rng.random() < 0.5 else 1.0
            before = {i: phi[without(x, i)] for i in np.flatnonzero(x)}
            phi[x] = slack * least_value(constraints, before) if any(x) else 1.0
            worst = max(worst, fair[x] / phi[x] - 1)
        jobs = [product_form(rates, each) @ np.array(list(each)) for each in (fair, {x: phi[x] for x in fair})]
        fewer += bool((jobs[0] <= jobs[1] + 1e-12).all())
    said = "never above" if worst < 1e-12 else f"above by up to {worst:.0%}"
    return finding(f"Phi of (4) is {said}; mean numbers of all classes smallest in {fewer} of 100", worst < 1e-12)


def paths(phi, shape):
    """The least and the greatest product of 1/phi along all ways from no job to each x."""
    low, high = np.ones(shape), np.ones(shape)
    for x in itertools.islice(itertools.product(*map(range, shape)), 1, None):
        there = [i for i in range(len(x)) if x[i]]
        low[x] = min(low[without(x, i)] / phi[i][x] for i in there)
        high[x] = max(high[without(x, i)] / phi[i][x] for i in there)
    return low, high


def balanced_at_random(rng, shape):
    """Rates that satisfy (6): free along the first class with jobs, those of later classes follow from (6)."""
    phi = [rng.uniform(0.2, 2, shape) for _ in shape]
    for x in itertools.product(*map(range, shape)):
        there = [i for i in range(len(x)) if x[i]]
        for i in there[1:]:
            first = there[0]
            phi[i][x] = phi[first][x] * phi[i][without(x, first)] / phi[first][without(x, i)]
    return phi


def divided(graph, shape):
    """Rates where every server is divided equally among the classes present that may use it."""
    phi = [np.zeros(shape) for _ in shape]
    for x in itertools.product(*map(range, shape)):
        for s, capacity in enumerate(graph.capacities):
            users = [i for i in range(len(x)) if x[i] and s in graph.servers_of_class[i]]
            for i in users:
                phi[i][x] += capacity / len(users)
    return phi


def fair_rates(graph, shape):
    """Rates of balanced fairness, by the library."""
    found = [multiserver.service_rates(graph, x) for x in itertools.product(*map(range, shape))]
    return [np.reshape(part, shape) for part in np.transpose(found)]


def by_orders(graph, shape):
    """Rates of the classes averaged over the orders of their jobs, each weighted by (1): nothing of (7) or (4)."""
    phi = [np.zeros(shape) for _ in shape]
    for x in itertools.islice(itertools.product(*map(range, shape)), 1, None):
        weights, rates = [], []
        for order in set(itertools.permutations(np.repeat(np.arange(len(x)), x).tolist())):
            served = [graph.service_rate(set(order[:k])) for k in range(len(order) + 1)]
            weights.append(1 / np.prod(served[1:]))
            rates.append(np.bincount(order, np.diff(served), len(x)))
        for i, rate in enumerate(np.average(rates, axis=0, weights=weights)):
            phi[i][x] = rate
    return phi


def balance(phi, shape):
    """How far rates are from (6), relatively; where both sides are 0 it holds."""
    gap = 0.0
    for x in itertools.product(*map(range, shape)):
        for i, j in itertools.combinations(np.flatnonzero(x), 2):
            sides = phi[i][x] * phi[j][without(x, i)], phi[j][x] * phi[i][without(x, j)]
            gap = max(gap, abs(sides[0] - sides[1]) / max(*sides, 1e-300))
    return gap


@check("balanced-060", shares=divided)
def balance_function_exists(shares=fair_rates):
    """(6) against a common product along all paths and (7); in the control each server is divided equally."""
    rng, shapes = np.random.default_rng(60), 10 * [(5, 5), (5, 5, 5)]
    graphs = [graph for graph, _ in clusters() if graph.classes in (2, 3)][:30]
    families = [(shares(graph, (5,) * graph.classes), (5,) * graph.classes) for graph in graphs]
    if shares is fair_rates:
        families += [(by_orders(graph, (3,) * graph.classes), (3,) * graph.classes) for graph in graphs[:10]]
    drawn = [(balanced_at_random(rng, shape), shape) for shape in shapes]

    def along_paths(phi, shape):
        low, high = paths(phi, shape)
        ratios = max(
            abs(high[without(x, i)] / high[x] / phi[i][x] - 1)
            for x in itertools.islice(itertools.product(*map(range, shape)), 1, None) for i in np.flatnonzero(x)
        )  # fmt: skip
        return {"ways": (high / low - 1).max(), "ratios": ratios, "(6)": balance(phi, shape)}

    def ratios_of_any(shape):
        values, phi = rng.uniform(0.5, 2, shape), [np.zeros(shape) for _ in shape]
        for x in itertools.product(*map(range, shape)):
            for i in np.flatnonzero(x):
                phi[i][x] = values[without(x, i)] / values[x]
        return balance(phi, shape)

    def broken(phi, shape):
        changed = [part.copy() for part in phi]
        changed[0][(3,) * len(shape)] *= 1.1
        return along_paths(changed, shape)["ways"]

    def of_nothing(shape):
        phi = [np.zeros(shape) for _ in shape]
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"(6)": balance(phi, shape), "Phi": paths(phi, shape)[0][tuple(np.eye(len(shape), dtype=int)[0])]}

    found = cases("system", [*families, *drawn]).measure(along_paths)
    zero = cases("shape", [(shape,) for shape in set(shapes)]).measure(of_nothing)
    return conclude(
        everywhere("the products along all ways to the same numbers of jobs", found["ways"], equal(1e-9)),
        everywhere("the ratios (7) of what they make and the rates", found["ratios"], equal(1e-9)),
        everywhere("the two sides of (6)", found["(6)"], equal(1e-9)),
        everywhere("the two sides of (6), of ratios (7) of any positive function,",
                   cases("shape", [(shape,) for shape in shapes]).measure(ratios_of_any), equal(1e-12)),
        everywhere("with (6) broken at one state, what the products differ by",
                   cases("system", drawn).measure(broken), larger(0.05)),
        aside("rates that are all 0: how far they are from (6)", zero["(6)"].largest("shape")),
        aside("rates that are all 0: the function of one job that (7) would need", zero["Phi"].largest("shape")),
        whole=True,
    )  # fmt: skip


def max_min(graph, x):
    """Max-min fair rates of the classes: the most crowded set first."""
    rates, done, left = np.zeros(graph.classes), set(), set(np.flatnonzero(x))
    while left:
        choices = [A for A in map(set, sets(graph)) if A <= left]
        spare = {tuple(A): graph.service_rate(done | A) - graph.service_rate(done) for A in choices}
        best = min(spare, key=lambda A: spare[A] / sum(x[i] for i in A))
        for i in best:
            rates[i] = x[i] * spare[best] / sum(x[j] for j in best)
        done, left = done | set(best), left - set(best)
    return rates


@check("balanced-061", shares=max_min)
def local_balance(shares=multiserver.service_rates):
    """Chains of networks solved without (3): their laws, and the flows between neighbours, which max-min breaks."""
    rng, gap = np.random.default_rng(61), 0.0
    for graph, rates in clusters()[:40]:
        fair = balance_functions(graph, 5)
        for phi in (fair, {x: rng.uniform(0.5, 2) for x in fair}):
            ratios = {x: [phi[without(x, i)] / phi[x] if x[i] else 0.0 for i in range(graph.classes)] for x in phi}
            if phi is fair:
                ratios = {x: shares(graph, x) for x in phi}
            states, found = list(phi), chain_law(rates, ratios)
            gap = max(gap, np.abs(found / product_form(rates, phi) - 1).max())
            at = dict(zip(states, found))
            for x, i in itertools.product(states, range(graph.classes)):
                if x[i]:
                    gap = max(gap, abs(at[x] * ratios[x][i] / (at[without(x, i)] * rates[i]) - 1))
    return equality(gap, 1e-9)


def chain_law(rates, ratios):
    """The law of a network from the service rates at each of its numbers of jobs, by its balance equations."""
    states = list(ratios)
    index, matrix = {x: k for k, x in enumerate(states)}, np.zeros((len(states), len(states)))
    for x, i in itertools.product(states, range(len(rates))):
        if x[i]:
            less = index[without(x, i)]
            matrix[index[x], less] += ratios[x][i]
            matrix[less, index[x]] += rates[i]
    matrix -= np.diag(matrix.sum(axis=1))
    matrix[:, 0] = 1.0  # in place of the first equation, which follows from the others
    return np.linalg.solve(matrix.T, np.eye(len(states))[0])


def lattice_systems():
    """Clusters of up to two classes at all loads, and of three and four at loads at which the lattice stays small."""
    return [s for s in clusters() if s[0].classes < 3] + [
        s for s in clusters(count=60, loads=(0.05, 0.6)) if s[0].classes > 2
    ]


@check("balanced-063", network=without_an_edge)
def constants(network=lambda graph: graph):
    """The sum of (1) over all lines, grown job by job, against the lattice and the library's recursion."""
    gap = 0.0
    for graph, rates in lattice_systems():
        if not multiserver.is_stable(network(graph), rates):  # in the control only
            continue
        matrix, mass = growth(graph, rates), np.eye(1, 1 << graph.classes)[0]
        total = mass.sum()
        while mass.sum() > 1e-14 * total:
            mass = matrix @ mass
            total += mass.sum()
        recursion = 1 / multiserver.balanced_fairness(network(graph), rates).probability_empty
        gap = max(gap, abs(recursion / total - 1), abs(on_the_lattice(graph, rates)[0] / total - 1))
    return equality(gap, 1e-9)


@check("balanced-064", network=without_an_edge)
def recursions(network=lambda graph: graph):
    """The library's recursion over sets of classes against sums over the lattice: constant and mean numbers."""
    gap = 0.0
    for graph, rates in lattice_systems():
        if not multiserver.is_stable(network(graph), rates):  # in the control only
            continue
        total, jobs = on_the_lattice(graph, rates)
        found = multiserver.balanced_fairness(network(graph), rates)
        gap = max(gap, abs(1 / found.probability_empty / total - 1), np.abs(found.mean_jobs / jobs - 1).max())
    return equality(gap, 1e-9)


def one_by_one(graph, rates):
    """The wrong eta: the least spare capacity of each class by itself, not of all sets that hold it."""
    return np.array([rate + 0.5 * (graph.service_rate([i]) - rate) for i, rate in enumerate(rates)])


@check("balanced-013", eta=one_by_one)
def lemma_1(eta=margins):
    """Random Psi with (A.1) and the powers of eta, against Phi by the library; margins of eta up to load 0.99."""
    rng, excess, least = np.random.default_rng(13), -np.inf, np.inf
    for graph, rates in clusters(loads=(0.05, 0.99)):
        powers = eta(graph, rates)
        least = min(least, (powers / rates - 1).min())
        least = min(least, *(1 - powers[list(A)].sum() / graph.service_rate(A) for A in sets(graph)))
        phi, psi = balance_functions(graph, 5), {(0,) * graph.classes: 1.0}
        for x in itertools.islice(sorted(phi, key=sum), 1, None):
            there = np.flatnonzero(x)
            psi[x] = rng.uniform(1, 2) * sum(psi[without(x, i)] for i in there) / graph.service_rate(there)
            excess = max(excess, phi[x] / psi[x] - 1, phi[x] * math.prod(powers ** np.array(x)) - 1)
    return finding(
        f"Phi over its bounds: at most {1 + max(excess, -1):.6g} times; least margin of eta {least:.1g}",
        excess < 1e-12 and least > 0,
    )


@check("balanced-076", load=0.9)
def necessary_condition(load=None):
    """Phi by the library against the bound of the proof, and the mass of its layers; in the control A is stable."""
    rng, least = np.random.default_rng(76), np.inf
    for graph, _ in clusters():
        phi = balance_functions(graph, 12)
        x, value = np.array(list(phi)), np.array(list(phi.values()))
        n, ways = x.sum(axis=1), np.array([math.factorial(sum(y)) / math.prod(map(math.factorial, y)) for y in phi])
        for A in sets(graph):
            inside = np.delete(x, A, axis=1).sum(axis=1) == 0
            for total in graph.service_rate(A) * np.array([load] if load else [1.0, 1.05, 2.0]):
                least = min(least, (value * total**n / ways)[inside].min())
                rates = total * rng.dirichlet(np.ones(len(A)))
                least = min(least, np.bincount(n[inside], (value * np.prod(rates ** x[:, A], axis=1))[inside]).min())
    return finding(f"at least {least:.9f} times the bound", least >= 1 - 1e-12)


@check("balanced-077", eta=one_by_one)
def sufficient_condition(eta=margins):
    """The constant by the lattice and by the recursion, against the product of the appendix."""
    ratios = []
    for graph, rates in lattice_systems():
        ratios.append(on_the_lattice(graph, rates)[0] / math.prod(1 / (1 - rates / eta(graph, rates))))
    for graph, rates in (*clusters(), *clusters(loads=(0.95, 0.99))):
        found = 1 / multiserver.balanced_fairness(graph, rates).probability_empty
        ratios.append(found / math.prod(1 / (1 - rates / eta(graph, rates))))
    ratios = np.array(ratios)
    return finding(f"{ratios.min():.2g} to {ratios.max():.3g} times the bound", (ratios <= 1 + 1e-9).all())
