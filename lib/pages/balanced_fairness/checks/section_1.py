"""Claims of `balanced`, Section 1: the family of the model, replicas, and what the algorithm is said to achieve."""

import functools
import itertools
from fractions import Fraction

import numpy as np

from clustershare import markov, multiserver
from clustershare.multiserver import CompatibilityGraph, simulator
from clustershare.run_length import check_run_length
from clustershare.sizes import Exponential
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    equalities,
    everywhere,
    exact,
    grid,
    measured,
    mended,
    somewhere,
)
from compendium.press.clauses.conditions import agrees, at_most, equal, larger, smaller, within
from compendium.press.findings import check
from pages.balanced_fairness.points.published import (
    DELAY,
    FIGURES,
    curve,
    curves,
    delays_fit,
    laws_apart,
    on_paths,
    points,
)
from pages.balanced_fairness.systems import (
    balance_functions,
    clusters,
    critical,
    numbers,
    paper_sizes,
    random_clusters,
    random_graphs,
    sets,
    three_servers,
    without,
    without_an_edge,
)
from pages.balanced_fairness.witnesses.numbers import growth, off_product_form, product_form, ratios
from pages.balanced_fairness.witnesses.paths import path, ratio_of


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
    result = dict.fromkeys(numbers(graph.classes, most), 0.0)
    for (kinds, _), value in zip(states, law):
        result[tuple(np.bincount(np.array(kinds, dtype=int), minlength=graph.classes).tolist())] += value
    return result


WRONG = ({"copies": "same"}, {"rule": "alone"})  # one size on all servers; cancelled when the first begins


@check("balanced-052", systems=WRONG)
def equivalent_to_pooled_servers(systems=({"copies": "own"},)):
    """Copies simulated one by one against the library and (1), and the chain of the servers' queues against (3).

    In the control a job's copies have one size, or only the first that begins is served.
    """
    graphs = [random_graphs(k + 1, load=0.1 + 0.8 * k / 19).cases[k] for k in range(20)]

    def simulated(setting):
        found, expected = [], []
        for number, (graph, rates) in enumerate(graphs):
            runs = [path(graph, rates, Exponential(), 8000, warmup=3000, seed=52, number=10 * number + k, **setting)
                    for k in range(10)]  # fmt: skip
            time, jobs = [run.time for run in runs], np.array([run.jobs for run in runs])
            found += [ratio_of(each, time) for each in jobs.T]
            fair = multiserver.balanced_fairness(graph, rates)
            expected += fair.mean_jobs.tolist()
            for A, value in enumerate([fair.probability_empty, *sets_present(graph, rates)[1:]]):
                seen = [run.present[A] for run in runs]
                if np.count_nonzero(seen) == 10:
                    found.append(ratio_of(seen, time))
                    expected.append(value)
        return measured(*np.transpose(found), runs=10, number=None) - np.array(expected)

    def gap(graph, rates):
        return off_product_form(replicas_chain(graph, rates, 4), rates, balance_functions(graph, 4))

    off = [simulated(setting) for setting in systems]
    nearest = min(off, key=agrees().half_widths_off)  # of two wrong systems, the one that is less wrong
    return conclude(
        everywhere("a mean number of jobs, or the probability of the classes present, with replicas", nearest,
                   agrees("is that of pooled servers within its interval")),
        everywhere("the laws of the numbers with replicas and with pooled servers",
                   random_clusters(count=5, classes=3, servers=4).measure(gap), equal(1e-9)),
        whole=True,
    )  # fmt: skip


@functools.cache
def replicated(number, load, letter, exponential):
    """Mean delay over the mean size of class 1 with replicas, on ten paths, and its half width."""
    size = paper_sizes()[letter]
    system = FIGURES[number][1](load, mean_size=size.mean)
    sizes, events = Exponential(size.mean) if exponential else size, 8000 if number < 3 else 6000
    runs = [path(system["graph"], system["arrival_rates"], sizes, events, warmup=2000, copies="own", seed=53, number=k)
            for k in range(10)]  # fmt: skip
    rate = np.atleast_1d(system["arrival_rates"])[0]
    return np.array(ratio_of([run.jobs[0] for run in runs], [run.time for run in runs])) / rate / size.mean


@check("balanced-053", insensitive=True)
def both_models_are_sensitive(insensitive=False):
    """Delays of first come, first served under three laws against the exponential, pooled and with replicas.

    In the control pooled servers share as balanced fairness does, and copies have exponential sizes.
    """
    delays = curves(quantities=[DELAY])
    fair = delays.measure(curve)
    pooled = fair if insensitive else delays.measure(lambda *each: points(*each, 0))
    places = [*itertools.product((1, 2), (0.3, 0.6, 0.9)), (3, 0.6), (4, 0.6)]
    names = [f"Figure {number} at load {load:g}" for number, load in places]
    found = np.array([[replicated(*place, letter, insensitive) for place in places] for letter in "abc"])
    alone = [curve(number, "a", DELAY, loads=(load,)).value[0] for number, load in places]
    replicas = measured(found[..., 0], found[..., 1], runs=10, law="abc", point=names) - exact(alone, point=names)
    return conclude(
        somewhere("with pooled servers, the delay less that of exponential sizes", pooled - fair, larger("clear")),
        somewhere("with replicas, the delay less that of exponential sizes", replicas, smaller("clear")),
        aside("with replicas, the delay over that of exponential sizes",
              exact(found[..., 0] / alone, law="abc", point=names)),
        whole=True,
    )  # fmt: skip


def rates_of(kind, length):
    """Service rates of the places in a line of so many jobs: one server in turn, one shared, or one for each job."""
    if kind == "first come, first served":
        return [Fraction(place == 0) for place in range(length)]
    return [Fraction(1, length) if kind == "processor sharing" else Fraction(1)] * length


def has_total_rate(kind, factor):
    """Whether there is a mu whose differences, times a factor of the length, are the rates of the places."""
    mu = {(): Fraction(0)}
    for length in range(1, 5):
        for c in itertools.product(range(2), repeat=length):
            for place, rate in enumerate(rates_of(kind, length)):
                value = mu[c[:place]] + rate / factor(length)
                if mu.setdefault(c[: place + 1], value) != value:
                    return False
    return all(mu[c] == mu[tuple(sorted(c))] and (not c or mu[c] >= mu[c[:-1]] and mu[c] > 0) for c in mu)


@check("balanced-054", kinds=("first come, first served", "infinitely many servers"))
def covers_single_queues(kinds=("first come, first served", "infinitely many servers", "processor sharing")):
    """Is there a mu for each kind of queue, as Section 2 defines it, and with a factor for the number of jobs?"""
    queues = grid(queue=kinds)
    plain = queues.measure(lambda kind: has_total_rate(kind, lambda length: 1))
    wider = queues.measure(lambda kind: has_total_rate(kind, lambda length: Fraction(1, length)))
    either = exact(plain.value.astype(bool) | wider.value.astype(bool), queue=kinds)
    return mended(
        everywhere("by Section 2 there is a mu", plain),
        everywhere("there is a mu, with a factor 1 / n before the differences or without,", either),
    )


def least_value(constraints, before):
    """The one value of Phi(x) that keeps all constraints of the capacity set and attains one of them."""
    return max(sum(before.get(i, 0.0) for i in A) / capacity for A, capacity in constraints)


def of_one_less(phi, x):
    """The values of a balance function with one job less than x, by its class."""
    return {i: phi[without(x, i)] for i in np.flatnonzero(x)}


def built(constraints, states, slack=lambda: 1.0):
    """A balance function whose rates are in a capacity set, state by state from no job on, with a slack in each."""
    phi = {}
    for x in states:
        phi[x] = slack() * least_value(constraints, of_one_less(phi, x)) if any(x) else 1.0
    return phi


def capacity_set(graph):
    """The sets of classes and the capacities of their servers."""
    return [(A, graph.service_rate(A)) for A in sets(graph)]


TWO_LINKS = CompatibilityGraph([{0}, {1}, {0, 1}], [1.0, 1.0])


@check("balanced-057", systems=(TWO_LINKS, [((0, 2), 1.0), ((1, 2), 1.0)]))
def balanced_fairness_is_unique(systems=None):
    """State by state from no job on, against the library's (4); in the control the third class needs two links."""

    def gaps(graph, constraints):
        phi = balance_functions(graph, 5)
        fair = built(constraints, phi)
        return {
            "the one value that attains a constraint, and Phi of (4),": max(abs(fair[x] / phi[x] - 1) for x in phi),
            "the rates by these values and by the library": max(
                np.abs(rates - multiserver.service_rates(graph, x)).max() / graph.service_rate(range(graph.classes))
                for x, rates in ratios(fair).items()
            ),
        }

    domain = cases("random cluster", [(graph, capacity_set(graph)) for graph, _ in clusters()], seed=2017)
    domain = cases("system", [systems]) if systems else domain
    return conclude(*equalities(domain.measure(gaps), 1e-9), whole=True)


@check("balanced-058", network=without_an_edge)
def most_efficient(network=lambda graph: graph):
    """Phi of the library against random balanced allocations inside the capacity set, and this, up to 8 jobs."""
    rng = np.random.default_rng(58)

    def excess(graph, rates):
        fair = balance_functions(network(graph), 8)
        inside = capacity_set(graph)
        phi = built(inside, fair, lambda: rng.uniform(1, 2) if rng.random() < 0.5 else 1.0)
        over = max(fair[x] / phi[x] for x in fair) - 1
        outside = max(least_value(inside, of_one_less(fair, x)) / fair[x] for x in fair if any(x)) - 1
        jobs = [product_form(rates, each) @ np.array(list(each)) for each in (fair, phi)]
        few = ratios({x: value for x, value in fair.items() if sum(x) <= 3})
        return {
            "over": over, "outside": outside, "jobs": bool((jobs[0] <= jobs[1] + 1e-12).all()),
            "rates": max(np.abs(multiserver.service_rates(network(graph), x) - few[x]).max() for x in few),
        }  # fmt: skip

    found = random_clusters().measure(excess)
    fewest = exact(found["jobs"].value.mean())
    return conclude(
        everywhere("Phi of (4) beyond that of another allocation", found["over"], at_most(1e-12)),
        everywhere("the least value that the constraints allow beyond Phi of (4)", found["outside"], at_most(1e-12)),
        everywhere("the library's rates and those of its Phi, up to 3 jobs,", found["rates"], equal(1e-9)),
        aside("the part of the clusters in which the mean numbers of all classes are smallest", fewest),
        whole=True,
    )


def directions():
    """Random graphs, and directions in the systems of Figures 1 and 2: arrival rates at the critical load."""
    found = [(graph, critical(graph, rates)) for graph, rates in clusters(count=6)]
    for capacities in ((1.0, 1.0, 1.0), (1.0, 0.0, 1.0)):
        graph = three_servers(0.5, capacities)["graph"]
        found += [(graph, critical(graph, np.array([mix, 1 - mix]))) for mix in (0.2, 0.5, 0.8)]
    return found


def one_each(graph):
    """A wrong system: each class has one server, drawn once from its set."""
    rng = np.random.default_rng(69)
    return CompatibilityGraph([[rng.choice(own)] for own in graph.servers_of_class], graph.capacities)


def jobs_after(graph, rates, size, m, warmup, jumps, runs, stable=False):
    """The mean number of jobs over so many events after others; the system need not be stable, or is asked as such."""
    length = {"jumps": jumps, "warmup": warmup, "replications": runs, "seed": 69}
    if stable:
        return multiserver.simulate(graph, rates / size.mean, size, m, **length).mean_jobs.value.sum()
    time, area, *_ = simulator._replications(graph, rates / size.mean, size, m, check_run_length(length))
    return (area.sum(axis=1) / time).mean()


@check("balanced-069", change=one_each)
def stable_whenever_possible(change=lambda graph: graph):
    """Numbers of jobs after ten and a hundred thousand events; in the control each class has one server."""

    def growth_of(number, system):
        size, m = list(paper_sizes().values())[number % 3], (1, 5)[number % 2]
        system = change(system[0]), 0.95 * system[1], size, m
        stable = multiserver.is_stable(*system[:2])
        later = jobs_after(*system, 100_000, 50_000, 10, stable=stable)
        beyond = not multiserver.is_stable(system[0], 1.05 / 0.95 * system[1])
        return {"growth": later / jobs_after(*system, 10_000, 10_000, 40), "stable": stable, "beyond": beyond}

    found = cases("system", enumerate(directions()), seed=2017).measure(growth_of)
    what = "the mean number of jobs after ten times the events, over that before,"
    return conclude(
        at_each(what, found["growth"], at_most(2)),
        at_each("the library calls the system stable", found["stable"]),
        provided=[everywhere("it does not at 1.05 of the critical load", found["beyond"])],
    )


@check("balanced-030", interruptions=5)
def first_come_first_served_is_sensitive(interruptions=0):
    """The service rates of FCFS under the four laws (`balanced`, Figures 1, 2, 3, 4)."""
    found = laws_apart(FIGURES, interruptions)
    apart = at_each("the difference of the mean service rates of the four laws", found, larger("much"))
    return conclude(apart, provided=[on_paths([0], FIGURES, "abc"), delays_fit(FIGURES, "abc", [interruptions])])


@check("balanced-073", of={1: 4, 2: 4, 3: 4, 4: 3}.get)
def a_few_suffice(of=lambda number: number):
    """m = 5: the rates of the four laws (`balanced`, Figures 1, 2, 3, 4); another curve in the control."""
    found = laws_apart(FIGURES, 5, of)
    near = at_each("the difference of the mean service rates of the four laws", found, within("close"))
    return conclude(near, provided=[on_paths([5])])
