"""Claims of `balanced`, Section 3, on the Whittle network: its rates, its law, and what that has to do with sizes."""

import functools
import itertools
import math

import numpy as np

from clustershare import multiserver, sizes
from clustershare.multiserver import state_rates
from compendium.press.clauses import aside, cases, conclude, equalities, everywhere, mended
from compendium.press.clauses.conditions import at_most, equal, larger
from compendium.press.findings import check
from pages.balanced_fairness.systems import (
    balance_functions,
    clusters,
    numbers,
    random_clusters,
    random_graphs,
    sets,
    three_kinds,
    without,
    without_an_edge,
)
from pages.balanced_fairness.witnesses.lines import by_numbers, class_rates, law, lines, measure, moves
from pages.balanced_fairness.witnesses.networks import (
    ONE_PHASE,
    TWO_IN_A_ROW,
    any_law,
    first_come_law,
    sharing_law,
)
from pages.balanced_fairness.witnesses.numbers import (
    jobs_in_lines,
    network_law,
    on_the_lattice,
    product_form,
    ratios,
)


@functools.cache
def queue_law(number, classes=4):
    """The law of the line of one of `clusters`, from its chain cut at 4 jobs."""
    graph, rates = clusters(classes=classes)[number]
    short = lines(graph.classes, 4)
    return law(short.first[-1], moves(short, graph, rates))


def fair_rates(graph, most):
    """The rates (7) of the library for all numbers of at most so many jobs in all."""
    return {x: multiserver.service_rates(graph, x) for x in numbers(graph.classes, most)}


@check("balanced-004", orders="all alike")
def theorem_2(orders="stationary"):
    """(8) averaged over the orders by the chain's law, against (7) by the library; the control shuffles the line."""

    def gaps(number, system):
        graph, rates = system
        short, served = lines(graph.classes, 4), class_rates(lines(graph.classes, 4), graph)
        weights = queue_law(number) if orders == "stationary" else np.ones(len(served))
        total = by_numbers(short, weights)
        mean = np.stack([by_numbers(short, weights * each) for each in served.T], axis=-1)
        words = "rates averaged over the orders and (7) with (4)"
        off = {f"the {words}": [], f"the library's {words}": []}
        by_law, by_library = off.values()
        for x in zip(*np.nonzero(total)):
            phi, here = multiserver.service_rates(graph, x), mean[x] / total[x]
            by_law.append(np.abs(here - phi).max() / max(phi.max(), 1e-9))
            if sum(x) <= 3:
                by_library.append(np.abs(by_8(graph, rates, x) - phi).max() / max(phi.max(), 1e-9))
        return {name: max(each) for name, each in off.items()}

    found = cases("random cluster", enumerate(clusters()), seed=2017).measure(gaps)
    return conclude(*equalities(found, 1e-9), whole=True)


def off_balance(phi):
    """How far rates are from (6), relatively; where both sides are 0 it holds."""
    gap = 0.0
    for x in phi:
        for i, j in itertools.combinations(np.flatnonzero(x), 2):
            sides = phi[x][i] * phi[without(x, i)][j], phi[x][j] * phi[without(x, j)][i]
            gap = max(gap, abs(sides[0] - sides[1]) / max(*sides, 1e-300))
    return gap


def by_8(graph, rates, x):
    """The rates (8), by the library."""
    return multiserver.over_all_orders(graph, rates, x)[1]


def by_7(graph, _, x):
    """The rates (7) with (4), by the library."""
    return multiserver.service_rates(graph, x)


def orders_alike(graph, _, x):
    """Wrong rates: all orders of the jobs are equally likely."""
    found = [
        np.bincount(np.array(c, dtype=int), state_rates(graph, c), graph.classes)
        for c in set(itertools.permutations(np.repeat(range(len(x)), x).tolist()))
    ]
    return np.mean(found, axis=0)


def all_its_servers(graph, _, x):
    """Wrong rates: every class has all its servers."""
    return np.array([graph.service_rate([i]) for i in range(graph.classes)]) * (np.array(x) > 0)


def a_part_for_each(graph, _, x):
    """Wrong rates: every server has a part for each class, there or not."""
    users = [sum(s in servers for servers in graph.servers_of_class) for s in range(graph.servers)]
    parts = [sum(graph.capacities[s] / users[s] for s in servers) for servers in graph.servers_of_class]
    return np.array(parts) * (np.array(x) > 0)


RATES = {"the orders": by_8, "the balance function": by_7}  # of the classes, by the library


def up_to_two(ways, judged):
    """What is judged of the rates for all numbers of up to 2 jobs of each class, on random graphs, by each way."""

    def found(graph, rates, shares):
        return judged(graph, {x: shares(graph, rates, x) for x in itertools.product(range(3), repeat=graph.classes)})

    return {
        way: random_graphs().measure(lambda graph, rates, shares=shares: found(graph, rates, shares))
        for way, shares in ways.items()
    }


@check("balanced-005", ways={"orders that are all alike": orders_alike})
def balance_property(ways=RATES):
    """(6) with the rates (8), and with (7)."""
    found = up_to_two(ways, lambda _, phi: off_balance(phi))
    found = {f"by {way}, the two sides of (6)": gap for way, gap in found.items()}
    return conclude(*equalities(found, 1e-12), whole=True)


def off_capacity(graph, phi):
    """By how much a set of classes gets more than its servers can do, and the classes present less than all."""
    over = max(rates[list(A)].sum() - graph.service_rate(A) for rates in phi.values() for A in sets(graph))
    idle = max(abs(rates.sum() - graph.service_rate(np.flatnonzero(x))) for x, rates in phi.items())
    return {"over": over, "idle": idle}


@check("balanced-006", ways={"all servers of a class": all_its_servers})
def capacity_set(ways=RATES):
    """The rates (8), and (7), in the capacity set."""
    return conclude(
        *(
            everywhere(f"by {way}, what a set of classes gets beyond its capacity", found["over"], at_most(1e-12))
            for way, found in up_to_two(ways, off_capacity).items()
        ),
        whole=True,
    )


@check("balanced-007", ways={"a part for each class": a_part_for_each})
def efficiency(ways=RATES):
    """The rates (8), and (7), use all servers of the classes present."""
    what, found = "what the classes present get and what they may use", up_to_two(ways, off_capacity)
    return conclude(*equalities({f"by {way}, {what}": each["idle"] for way, each in found.items()}, 1e-12), whole=True)


@check("balanced-079", rule="every class has all its servers")
def capacity_set_in_each_order(rule="queue"):
    """Rates of the positions added up class by class, against the servers of each set; the control lends servers."""

    def excess(graph, _):
        able, worst, idle = {}, 0.0, 0.0
        for A in sets(graph):
            own = set().union(*(graph.servers_of_class[i] for i in A))
            able[A] = math.fsum(graph.capacities[s] for s in own)
        everything = able[tuple(range(graph.classes))]
        for queue in itertools.chain(*(jobs.tolist() for jobs in lines(graph.classes, 5).jobs[1:])):
            present = tuple(sorted(set(queue)))
            if rule == "queue":
                served = np.bincount(queue, state_rates(graph, queue), graph.classes)
            else:
                served = [able[(i,)] * (i in present) for i in range(graph.classes)]
            worst = max(worst, *(sum(served[i] for i in A) - able[A] for A in able))
            idle = max(idle, abs(sum(served) - able[present]))
        return {"worst": worst / everything, "idle": idle / everything}

    found = random_clusters().measure(excess)
    return conclude(
        everywhere("in each order, what a set of classes gets beyond its servers", found["worst"], at_most(1e-12)),
        everywhere("in each order, what the classes present get and what they may use", found["idle"], equal(1e-12)),
        whole=True,
    )


@functools.cache
def library_queue(number):
    """Of one of `clusters`, by the library: the law of up to 4 jobs from their orders, and its chain's mean numbers."""
    graph, rates = clusters(classes=3)[number]
    law = np.array([multiserver.over_all_orders(graph, rates, x)[0] for x in numbers(graph.classes, 4)])
    return law / law.sum(), multiserver.interrupted_queue(graph, rates, sizes.Exponential(), 0, 4).mean_jobs


@check("balanced-008", network=without_an_edge)
def corollary_2(network=lambda graph: graph):
    """The queue by its own chain and by the library's, and the network, which in the control lacks an edge."""

    def gaps(number, system):
        graph, rates = system
        served, found = fair_rates(network(graph), 4), by_numbers(lines(graph.classes, 4), queue_law(number, 3))
        expected, (law_by_orders, means) = network_law(rates, served), library_queue(number)
        return {
            "the laws of the numbers in the queue and in the network":
                max(abs(found[x] - value) for x, value in zip(served, expected)),
            "the library's law, summed over the orders, and the network's": np.abs(law_by_orders - expected).max(),
            "the mean numbers in the library's chain and in the network": np.abs(means - expected @ [*served]).max(),
        }  # fmt: skip

    def off_without_bound(graph, rates):
        return np.abs(multiserver.balanced_fairness(graph, rates).mean_jobs / jobs_in_lines(graph, rates) - 1).max()

    found = cases("random cluster", enumerate(clusters(classes=3)), seed=2017).measure(gaps)
    found["the mean numbers in lines of any length and by the library's balanced fairness"] = random_clusters(
        classes=3
    ).measure(off_without_bound)
    return conclude(*equalities(found, 1e-9), whole=True)


@check("balanced-040", network=without_an_edge)
def rates_by_6(network=lambda graph: graph):
    """The law of networks whose rates satisfy (6), at random, and of the one with (7) and (4), against (3) with (4)."""
    rng = np.random.default_rng(40)

    def gaps(graph, rates):
        expected = product_form(rates, balance_functions(graph, 4))
        by_6 = ratios({x: rng.uniform(0.5, 2) for x in numbers(graph.classes, 4)})
        families = {
            "the laws of rates that satisfy (6), and (3) with (4)": by_6,
            "the law of the rates (7) with (4), and (3) with (4)": fair_rates(network(graph), 4),
        }
        return {name: np.abs(network_law(rates, phi) - expected).max() for name, phi in families.items()}

    return mended(*equalities(random_clusters(classes=3).measure(gaps), 1e-9))


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
    """Chains of networks solved without (3): their laws, and the flows between neighbours, which max-min breaks.

    The law of the network of (4) against that of the queue's numbers, by (1) with the servers at work one by one.
    """
    rng = np.random.default_rng(61)

    def gaps(graph, rates):
        fair, laws, flows, squares = balance_functions(graph, 5), [], [], []
        in_queue = by_numbers(lines(graph.classes, 5), measure(lines(graph.classes, 5), graph, rates))
        for phi in (fair, {x: rng.uniform(0.5, 2) for x in fair}):
            served = {x: shares(graph, x) for x in phi} if phi is fair else ratios(phi)
            at = dict(zip(phi, network_law(rates, served)))
            laws.append(np.abs(np.array(list(at.values())) / product_form(rates, phi) - 1).max())
            if phi is fair:
                off_the_queue = max(abs(at[x] * in_queue.sum() / in_queue[x] - 1) for x in phi)
            squares.append(off_balance(served))
            flows += [
                abs(at[x] * served[x][i] / (at[without(x, i)] * rates[i]) - 1) for x in phi for i in np.flatnonzero(x)
            ]
        return {
            "the law of the network and (3)": max(laws),
            "flows between neighbours, there and back,": max(flows),
            "the rates around each square, both ways,": max(squares),
            "the law of the network of (4) and of the queue's numbers": off_the_queue,
        }

    found = cases("random cluster", clusters()[:40], seed=2017).measure(gaps)
    return conclude(*equalities(found, 1e-9), whole=True)


def products(phi):
    """The least and the largest product of 1 / rate along the ways from nobody to each of the numbers of jobs."""
    low, high = {}, {}
    for x in phi:
        there = np.flatnonzero(x)
        low[x] = min((low[without(x, i)] / phi[x][i] for i in there), default=1.0)
        high[x] = max((high[without(x, i)] / phi[x][i] for i in there), default=1.0)
    return low, high


def along_paths(phi):
    """How far the products of 1 / rate along all ways to the same numbers differ, and their ratios (7) from the rates.

    And how far the rates are from (6).
    """
    low, high = products(phi)
    by_7 = [abs(high[without(x, i)] / high[x] / phi[x][i] - 1) for x in phi for i in np.flatnonzero(x)]
    return {
        "products along all ways to the same numbers of jobs": max(high[x] / low[x] - 1 for x in phi),
        "the ratios (7) of what they make and the rates": max(by_7),
        "the two sides of (6)": off_balance(phi),
    }


def box(classes, most=4):
    """All numbers of up to so many jobs of each class."""
    return itertools.product(range(most + 1), repeat=classes)


def balanced_at_random(rng, classes):
    """Rates that satisfy (6): free along the first class with jobs, those of later classes follow from (6)."""
    phi = {x: rng.uniform(0.2, 2, classes) for x in box(classes)}
    for x in phi:
        first, *others = [*np.flatnonzero(x), None]
        for i in others[:-1]:
            phi[x][i] = phi[x][first] * phi[without(x, first)][i] / phi[without(x, i)][first]
    return phi


def divided(graph, x):
    """Wrong rates: every server is divided equally among the classes present that may use it."""
    rates = np.zeros(graph.classes)
    for s, capacity in enumerate(graph.capacities):
        users = [i for i in np.flatnonzero(x) if s in graph.servers_of_class[i]]
        rates[users] += capacity / max(len(users), 1)
    return rates


@check("balanced-060", shares=divided)
def balance_function_exists(shares=multiserver.service_rates):
    """(6) against a common product along all paths and (7); in the control each server is divided equally."""
    rng, classes = np.random.default_rng(60), 10 * [2, 2, 3]
    systems = [system for system in clusters() if system[0].classes in (2, 3)][:30]
    families = [{x: shares(graph, x) for x in box(graph.classes)} for graph, _ in systems]
    families += [{x: by_8(*system, x) for x in box(system[0].classes, 2)} for system in systems[:10]]
    drawn = [balanced_at_random(rng, count) for count in classes]

    def broken(phi):
        place = (3,) * len(next(iter(phi)))
        ways, *_ = along_paths({**phi, place: phi[place] * [1.1, *np.ones(len(place) - 1)]}).values()
        return ways

    def of_nothing(count):
        phi = {x: np.zeros(count) for x in box(count)}
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"(6)": off_balance(phi), "Phi": 1 / phi[(1,) + (0,) * (count - 1)][0]}

    found = cases("system", [*families, *drawn]).measure(along_paths)
    any_ratios = cases("function", classes, names=range(1, 31)).measure(
        lambda count: off_balance(ratios({x: rng.uniform(0.5, 2) for x in box(count)}))
    )

    def off_the_products(graph, _):
        _, made = products({x: shares(graph, x) for x in box(graph.classes)})
        return max(abs(multiserver.balance_function(graph, x) / value - 1) for x, value in made.items())

    zero = cases("number of classes", (2, 3)).measure(of_nothing)
    return conclude(
        *equalities(found, 1e-9),
        everywhere("the library's Phi, which is 1 for nobody, and the products",
                   cases("random cluster", systems).measure(off_the_products), equal(1e-9)),
        everywhere("the two sides of (6), of ratios (7) of any positive function,", any_ratios, equal(1e-12)),
        everywhere("with (6) broken at one state, what the products differ by", cases("system", drawn).measure(broken),
                   larger(0.05)),
        aside("rates that are all 0: how far they are from (6)", zero["(6)"]),
        aside("rates that are all 0: the function of one job that (7) would need", zero["Phi"]),
        whole=True,
    )  # fmt: skip


def out_of_balance(rng):
    """Rates at random of two classes, which break (6) by at least 0.05 somewhere."""
    while True:
        phi = {x: np.where(x, rng.uniform(0.5, 2, 2), 0.0) for x in numbers(2, 5)}
        if off_balance(phi) >= 0.05:
            return phi


@check("balanced-059", network=first_come_law)
def balance_is_insensitivity(network=sharing_law):
    """The law of the numbers under other sizes, for rates that satisfy (6) and for rates that do not.

    In the control the queues inside the network are first come, first served.
    """
    rng = np.random.default_rng(59)

    def moved(phi, network):
        """By how much probabilities change from exponential sizes to others of the same mean, by class, at most."""
        rates = rng.uniform(0.1, 1, 2)
        laws = [(any_law(rng), any_law(rng)), (any_law(rng), any_law(rng)), (TWO_IN_A_ROW, ONE_PHASE)]
        expected = sharing_law(rates, (ONE_PHASE, ONE_PHASE), phi, 5)
        return max(np.abs(network(rates, each, phi, 5) - expected).max() for each in laws)

    balanced = [ratios({x: rng.uniform(0.5, 2) for x in numbers(2, 5)}) for _ in range(50)]
    systems = [each for each in clusters() if each[0].classes == 2][:20]
    balanced += [fair_rates(graph, 5) for graph, _ in systems]
    other = [out_of_balance(rng) for _ in range(50)]

    def by_library(graph, rates):
        """The library's mean numbers, of jobs of three laws of mean 2 at half the rates, and those by (3) with (4)."""
        found = [multiserver.balanced_fairness(graph, rates / 2, size).mean_jobs for size in three_kinds(2.0).values()]
        return np.abs(found / on_the_lattice(graph, rates)[1] - 1).max()

    return conclude(
        everywhere("with (6), probabilities for exponential and for other sizes",
                   cases("network", balanced, seed=59).measure(lambda phi: moved(phi, network)), equal(1e-9)),
        everywhere("the library's mean numbers for three laws of a mean, and those of the network",
                   cases("random cluster", systems).measure(by_library), equal(1e-9)),
        everywhere("without (6), what other sizes change",
                   cases("network", other).measure(lambda phi: moved(phi, sharing_law)), larger(1e-6)),
        whole=True,
    )  # fmt: skip
