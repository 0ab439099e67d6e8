"""Claims of `balanced`, Sections 2 to 4: the order-independent queue and its Whittle network."""

import itertools
import math

import numpy as np

from clustershare import multiserver
from clustershare.multiserver import (
    CompatibilityGraph,
    balance_function,
    interrupted_queue,
    state_rates,
    stationary_measure,
)
from clustershare.sizes import Exponential, Hyperexponential, bimodal_hyperexponential
from compendium.press.claims import check, equality, finding, relative_difference
from pages.balanced_fairness.small_systems import (
    MOST_JOBS,
    allocation,
    counts,
    margins,
    mean_rates,
    orders,
    random_graphs,
    sets,
    whittle_network,
    without,
)

EXPONENTIAL, HYPEREXPONENTIAL = Exponential(1.0), bimodal_hyperexponential()


@check("balanced-001", step=-1)
def partial_balance(step=1):
    """The measure (1) and the rates of the positions; the control serves from the tail of the queue."""
    gap = 0.0
    for graph, rates in random_graphs():
        for length, i in itertools.product(range(4), range(graph.classes)):
            for c in itertools.product(range(graph.classes), repeat=length):
                longer = [(*c[:k], i, *c[k:]) for k in range(length + 1)]
                inflow = sum(
                    stationary_measure(graph, rates, queue) * state_rates(graph, queue[::step])[::step][k]
                    for k, queue in enumerate(longer)
                )
                gap = max(gap, relative_difference(inflow, stationary_measure(graph, rates, c) * rates[i]))
    return equality(gap, 1e-12)


@check("balanced-002", every=False)
def aggregate(every=True):
    """The sum over the orders against the recursion; the control takes one order."""
    gap = 0.0
    for graph, rates in random_graphs():
        for x in counts(graph):
            measure = sum(stationary_measure(graph, rates, c) for c in (orders(x) if every else orders(x)[:1]))
            gap = max(gap, relative_difference(measure, balance_function(graph, x) * math.prod(rates**x)))
    return equality(gap, 1e-12)


def growth(graph, rates):
    """From the mass of the queues of n jobs to that of n + 1, by set of classes present: triangular, by (1)."""
    mu = graph.service_rates_of_subsets(range(graph.classes))
    matrix = np.zeros((len(mu), len(mu)))
    for A, i in itertools.product(range(1, len(mu)), range(graph.classes)):
        if A >> i & 1:
            matrix[A, A] += rates[i] / mu[A]
            matrix[A, A ^ (1 << i)] += rates[i] / mu[A]
    return matrix


@check("balanced-003", condition=lambda graph, rates: rates.sum() < graph.service_rate(range(graph.classes)))
def stability(condition=multiserver.is_stable):
    """(5) against the mass of long queues; the control looks at all classes together only."""
    wrong = 0
    for load in (0.9, 1.0, 1.1):
        for graph, rates in random_graphs(load=load):
            mass = np.linalg.matrix_power(growth(graph, rates), 400)[:, 0].sum()
            wrong += bool(condition(graph, rates)) != (mass < 0.5)
    return finding(f"{wrong} of 60 systems classified differently", wrong == 0)


@check("balanced-004", weighted=False)
def theorem_2(weighted=True):
    """(8) against (7); the control gives all orders the same weight."""
    gap = 0.0
    for graph, rates in random_graphs():
        for x in counts(graph):
            phi, there = multiserver.service_rates(graph, x), np.array(x) > 0
            gap = max(gap, relative_difference(mean_rates(graph, rates, x, weighted)[there], phi[there]))
    return equality(gap, 1e-12)


@check("balanced-005", weighted=False)
def balance_property(weighted=True):
    """(6) with the rates (8)."""
    gap = 0.0
    for graph, rates in random_graphs():
        phi = {x: mean_rates(graph, rates, x, weighted) for x in counts(graph)}
        for x, (i, j) in itertools.product(phi, itertools.combinations(range(graph.classes), 2)):
            if x[i] and x[j]:
                first, second = phi[x][i] * phi[without(x, i)][j], phi[without(x, j)][i] * phi[x][j]
                gap = max(gap, relative_difference(first, second))
    return equality(gap, 1e-12)


@check("balanced-006", kind="every class has all its servers")
def capacity_set(kind="queue"):
    """The rates (8) in the capacity set."""
    excess = max(
        allocation(kind, graph, rates, x)[list(A)].sum() - graph.service_rate(A)
        for graph, rates in random_graphs()
        for x in counts(graph)
        for A in sets(graph)
    )
    return finding("no set beyond its capacity" if excess < 1e-12 else f"up to {excess:.2f} too much", excess < 1e-12)


@check("balanced-007", kind="every server has a part for each class")
def efficiency(kind="queue"):
    """The rates (8) use all servers of the classes present."""
    gap = max(
        abs(allocation(kind, graph, rates, x).sum() - graph.service_rate(np.flatnonzero(x)))
        for graph, rates in random_graphs()
        for x in counts(graph)
    )
    return equality(gap, 1e-12)


def gap_to_whittle_network(graph, rates, result):
    """Largest difference in mean numbers and in the probabilities of no job and of a full queue."""
    states, law = whittle_network(graph, rates)
    expected = [*(law @ np.array(states)), law[0], sum(law[k] for k, x in enumerate(states) if sum(x) == MOST_JOBS)]
    return np.abs(np.subtract([*result.mean_jobs, result.probability_empty, result.probability_full], expected)).max()


@check("balanced-008", size=HYPEREXPONENTIAL)
def corollary_2(size=EXPONENTIAL):
    """Two chains, of the ordered queue and of the Whittle network."""
    return equality(
        max(
            gap_to_whittle_network(graph, rates, interrupted_queue(graph, rates, size, 0, MOST_JOBS))
            for graph, rates in random_graphs(5, load=0.8)
        ),
        1e-9,
    )


@check("balanced-009", power=2)
def submodularity(power=1):
    """All pairs of sets of classes; the control squares mu."""
    worst = 0.0
    for graph, _ in random_graphs():
        for A, B in itertools.product(map(set, [(), *sets(graph)]), repeat=2):
            a, b, union, common = (graph.service_rate(C) ** power for C in (A, B, A | B, A & B))
            worst = max(worst, union + common - a - b, a - union)
    return finding("holds for all pairs" if worst < 1e-12 else f"violated by {worst:.2f}", worst < 1e-12)


@check("balanced-010", pooled=False)
def one_of_a_class(pooled=True):
    """Jobs in service of each class; in the control a job takes one server only."""
    most = 0
    for graph, _ in random_graphs():
        for c in itertools.product(range(graph.classes), repeat=5):
            rates = state_rates(graph, c) if pooled else one_server_each(graph, c)
            most = max(most, np.bincount(c, rates > 0).max())
    return finding(f"at most {most:.0f}", most == 1)


def one_server_each(graph, c):
    """Service rates of the jobs if each takes the first free server that it may use, and no second."""
    free, rates = set(range(graph.servers)), np.zeros(len(c))
    for k, i in enumerate(c):
        for server in [server for server in graph.servers_of_class[i] if server in free][:1]:
            free.remove(server)
            rates[k] = graph.capacities[server]
    return rates


@check("balanced-011", size=HYPEREXPONENTIAL)
def re_entrant_jobs(size=EXPONENTIAL):
    """A job that re-enters with probability 1 - p is one of mean size 1/p that is interrupted (1 - p)/p times."""
    gap = 0.0
    _, means, weights = size.erlang_mixture()
    for p in (1.0, 0.5, 0.1):
        longer = Hyperexponential(means / p, weights)
        for graph, rates in random_graphs(5, load=0.8):
            result = interrupted_queue(graph, p * rates, longer, (1 - p) / p, MOST_JOBS)
            gap = max(gap, gap_to_whittle_network(graph, rates, result))
    return equality(gap, 1e-9)


@check("balanced-012", interruptions=(0.1, 1, 10))
def processor_sharing(interruptions=(10, 100, 1000), load=0.7, most_jobs=9):
    """One server against the truncated geometric law of processor sharing."""
    law = load ** np.arange(most_jobs + 1)
    mean = law @ np.arange(most_jobs + 1) / law.sum()
    one = CompatibilityGraph([{0}], [1.0])
    results = [interrupted_queue(one, [load], bimodal_hyperexponential(), m, most_jobs) for m in interruptions]
    errors = [abs(result.mean_jobs[0] / mean - 1) for result in results]
    said = ", ".join(f"{error:.3%} at m = {m:g}" for error, m in zip(errors, interruptions))
    falls = all(later <= earlier / 5 for earlier, later in itertools.pairwise(errors))
    return finding(f"error {said}", falls and errors[-1] < 0.01)


@check("balanced-013", fraction=3.0)
def lemma_1(fraction=0.5):
    """The powers of eta, and a Psi that keeps (A.1) with random slack; in the control, eta are too large."""
    rng, excess = np.random.default_rng(3), 0.0
    for graph, rates in random_graphs(load=0.8):
        eta = margins(graph, rates, fraction)
        excess = max(excess, *(eta[list(A)].sum() - graph.service_rate(A) for A in sets(graph)))
        psi = {(0,) * graph.classes: 1.0}
        for x in counts(graph, 3):
            active = np.flatnonzero(x)
            slack = rng.uniform(0.5, max(1.0, fraction))
            psi[x] = sum(psi[without(x, i)] for i in active) / (graph.service_rate(active) * slack)
            phi = balance_function(graph, x)
            excess = max(excess, phi / math.prod(eta ** -np.array(x)) - 1, phi / psi[x] - 1)
    return finding("no bound broken" if excess < 1e-12 else f"broken by {excess:.2f}", excess < 1e-12)


@check("balanced-014", unit=1.0)
def mean_interruptions(unit=None):
    """Counted in the chain, where a server interrupts after an exponential amount of work of mean theta."""
    size, gap = Hyperexponential((10.0, 0.4), (1 / 6, 5 / 6)), 0.0
    graph, rates = CompatibilityGraph([{0, 2}, {1, 2}], [1, 1, 1]), [0.3, 0.4]
    for theta in (4.0, 2.0, 0.4):
        counted = interrupted_queue(graph, rates, size, size.mean / theta, 5).interruptions_per_job
        gap = max(gap, relative_difference(counted, (unit or size.mean) / theta))
    return equality(gap, 1e-9)


@check("balanced-033", servers=99)
def number_of_classes(servers=100):
    """Different sets of servers, counted one by one (`balanced`, Figures 3, 4)."""
    found = [sum(1 for _ in itertools.combinations(range(100), degree)) for degree in (2, 3)]
    return finding(f"{found[0]} and {found[1]}", found == [math.comb(servers, degree) for degree in (2, 3)])


def delay_by_servers_covered(servers, degree, load):
    """Mean delay under random assignment from (1) alone: the jobs matter by the number of servers they cover.

    ``mass[i]`` is that of the queues which cover i servers, and ``jobs[i]`` the same times the number of jobs.
    """
    rate, mass, jobs = servers * load, np.zeros(servers + 1), np.zeros(servers + 1)
    mass[0] = 1.0
    for i in range(degree, servers + 1):
        # The chance that j servers are covered before a job and i with it.
        ways = {j: math.comb(servers - j, i - j) * math.comb(j, degree - i + j) for j in range(i - degree, i + 1)}
        chance = {j: count / math.comb(servers, degree) for j, count in ways.items()}
        spare = i - rate * chance.pop(i)
        mass[i] = rate * sum(chance[j] * mass[j] for j in chance) / spare
        jobs[i] = (rate * sum(chance[j] * jobs[j] for j in chance) + i * mass[i]) / spare
    return jobs.sum() / mass.sum() / rate


@check("balanced-034", scale=0.99)
def random_assignment(scale=1.0):
    """The closed form of Gardner et al. against a sum of (1) (`balanced`, Figures 3, 4)."""
    gap = 0.0
    for degree, load in itertools.product((2, 3), (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)):
        closed = multiserver.random_assignment(100, degree, scale * load).mean_delay
        gap = max(gap, relative_difference(closed, delay_by_servers_covered(100, degree, load)))
    return equality(gap, 1e-9)
