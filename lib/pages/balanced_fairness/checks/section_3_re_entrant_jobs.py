"""Claims of `balanced`, Section 3, on jobs that come back to the line: routing, and what is left when p tends to 0."""

import itertools

import numpy as np
from scipy.sparse.csgraph import connected_components

from clustershare import markov, multiserver
from clustershare.multiserver.chain import ordered_chain
from clustershare.sizes import Exponential, bimodal_hyperexponential
from compendium.press.clauses import cases, conclude, equalities, everywhere, mended
from compendium.press.clauses.conditions import at_most, equal
from compendium.press.findings import check
from pages.balanced_fairness.points.chains import measure_of_lines
from pages.balanced_fairness.systems import clusters, numbers, random_clusters
from pages.balanced_fairness.witnesses.lines import COMES_BACK, LEAVES, at_work, law, lines, moves, net_flow


def off_balance(graph, measure, outside, comes_back, to="end"):
    """How far a measure is from the balance of the open queue with returns, in queues of up to 4 jobs."""
    short = lines(graph.classes, 5)
    found = moves(short, graph, outside, comes_back=comes_back, to=to)
    return np.abs(net_flow(short.first[-1], found, np.array(list(measure.values())))[: short.first[5]]).max()


@check("balanced-011", outside=lambda p: 1.0)
def re_entrant_jobs(outside=lambda p: p):
    """(1) in the balance of the open queue with returns, and the law of the library's chain, in which timers return.

    A job whose service ends leaves with probability p, or is interrupted: a size of mean 1/p, and (1 - p)/p
    interruptions. In the control more jobs arrive.
    """
    rng = np.random.default_rng(11)

    def gaps(graph, rates):
        p, measure, laws = 1 - rng.random(), measure_of_lines(graph, rates, 5), []
        again, jobs = 0.5 if graph.classes % 2 else 0.1, np.zeros(graph.classes)
        for queue in (short := [queue for queue in measure if len(queue) <= 3]):
            np.add.at(jobs, np.array(queue, dtype=int), measure[queue] / sum(map(measure.get, short)))
        means = multiserver.interrupted_queue(graph, outside(again) * rates, Exponential(1 / again), 1 / again - 1, 3)
        balance = off_balance(graph, measure, outside(p) * rates, (1 - p) * np.eye(graph.classes))
        at_once = multiserver.balanced_fairness(graph, rates).mean_jobs
        returning = multiserver.exact(graph, again * rates, Exponential(1 / again), 1 / again - 1).mean_jobs
        for p in (1.0, 0.5, 0.1):
            states, Q, _ = ordered_chain(graph, outside(p) * rates, Exponential(1 / p), (1 - p) / p, 4)
            expected = np.array([measure[tuple(job[0] for job in queue)] for queue in states])
            laws.append(np.abs(markov.gth(Q) - expected / expected.sum()).max())
        return {
            "what flows into a queue and out of it, by (1),": balance,
            "the law of the library's chain, for p = 1, 0.5, 0.1, and (1)": max(laws),
            "its mean numbers of jobs that return and (1)": np.abs(means.mean_jobs / jobs - 1).max(),
            "its probability of an empty queue and (1)": means.probability_empty * sum(map(measure.get, short)) - 1,
            "those without a bound and of jobs that do not return": np.abs(returning / at_once - 1).max(),
        }

    return conclude(*equalities(random_clusters().measure(gaps), 1e-9), whole=True)


@check("balanced-055", to="place")
def routing(to="end"):
    """(1) in the balance of the open queue with random routing; in the control a routed job keeps its place."""
    rng = np.random.default_rng(55)

    def gap(graph, rates):
        route = rng.random((graph.classes, graph.classes))
        route /= 1.05 * max((rates @ route / rates).max(), route.sum(axis=1).max())  # all leave; outside rates above 0
        return off_balance(graph, measure_of_lines(graph, rates, 5), rates - rates @ route, route, to)

    systems = random_clusters().without("with one class", lambda graph, _: graph.classes == 1)
    return conclude(everywhere("what flows into a queue and out of it, by (1),", systems.measure(gap), equal(1e-9)))


@check("balanced-041", leaves=lambda p: 1 - p)
def re_entries(leaves=lambda p: p):
    """Returns over departures, as flows of the chain of the line; in the control jobs leave with probability 1 - p."""
    chances = (1.0, 0.9, 0.5, 0.2, 0.05, *np.random.default_rng(41).uniform(0.02, 0.98, 20))

    def gaps(p, graph, rates):
        short = lines(graph.classes, 4)
        found = moves(short, graph, p * rates, comes_back=(1 - leaves(p)) * np.eye(graph.classes))
        sources, _, speed, event, _ = found
        flow = np.bincount(event, law(short.first[-1], found)[sources] * speed, 5)
        returns = flow[COMES_BACK] / flow[LEAVES]
        library = multiserver.interrupted_queue(graph, p * rates, Exponential(1 / p), 1 / p - 1, 2)
        return {
            "p times the mean number of returns, and 1,": p * returns - 1,
            "p times the mean number of returns, and 1 - p,": p * returns - (1 - p),
            "p times that of the library's interruptions, and 1 - p,":
                np.abs(p * library.interruptions_per_job - (1 - p)).max(),
        }  # fmt: skip

    systems = [(p, *system) for p, system in zip(itertools.cycle(chances), clusters(classes=3))]
    domain = cases("random cluster", systems, seed=2017).without("nobody leaves", lambda p, *_: leaves(p) == 0)
    return mended(*equalities(domain.measure(gaps), 1e-9))


def shares_of_jobs(graph, x, to):
    """Long-run rates of the jobs of a closed queue of x_i jobs of each class, in each class of its states.

    A state is an order of the named jobs. A served job goes to the end of the line, or keeps its place. Its rates are
    means by a stationary law of each closed class of states: an array of shape (closed classes, jobs).
    """
    kinds = np.repeat(np.arange(len(x)), x)
    jobs = len(kinds)
    orders = np.array(list(itertools.permutations(range(jobs))))
    number = {order: k for k, order in enumerate(map(tuple, orders.tolist()))}
    work = at_work(graph, kinds[orders]) @ np.array(graph.capacities)
    matrix = np.zeros((len(orders), len(orders)))
    for place in range(jobs):
        moved = np.column_stack([np.delete(orders, place, axis=1), orders[:, place]]) if to == "end" else orders
        targets = [number[order] for order in map(tuple, moved.tolist())]
        np.add.at(matrix, (np.arange(len(orders)), targets), work[:, place])
    np.fill_diagonal(matrix, 0.0)
    parts, label = connected_components(matrix, connection="strong")
    served = np.zeros(matrix.shape[:1] + (jobs,))
    np.put_along_axis(served, orders, work, axis=1)
    result = []
    for part in range(parts):
        inside = np.flatnonzero(label == part)
        block = matrix[np.ix_(inside, inside)]
        if (matrix[inside].sum(axis=1) > block.sum(axis=1) + 1e-12).any():
            continue  # it is left for good
        block = block - np.diag(block.sum(axis=1))
        block[:, 0] = 1.0
        result.append(np.linalg.solve(block.T, np.eye(len(block))[0]) @ served[inside])
    return kinds, np.array(result)


@check("balanced-062", to="place")
def equal_shares_of_a_class(to="end"):
    """Long-run rates of named jobs in closed queues against phi_i(x) / x_i; in the control jobs keep their place."""

    def gap(number, system):
        graph, off = system[0], []
        for x in numbers(graph.classes, 5 if number < 10 else 4)[1:]:
            kinds, found = shares_of_jobs(graph, x, to)
            off.append(np.abs(found / (multiserver.service_rates(graph, x) / np.maximum(x, 1))[kinds] - 1).max())
        return max(off)

    few = clusters(classes=3)[:40]
    distance = multiserver.distance_from_balanced_fairness
    return conclude(
        everywhere("the long-run rate of each job and its share",
                   cases("random cluster", enumerate(few), seed=2017).measure(gap), equal(1e-9)),
        everywhere("the library's distance to balanced fairness when jobs hardly ever leave",
                   cases("random cluster", few[:10], seed=2017).measure(
                       lambda graph, rates: distance(graph, rates, bimodal_hyperexponential(), 10_000, 3)),
                   at_most(1e-3)),
        whole=True,
    )  # fmt: skip
