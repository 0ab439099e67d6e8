"""Claims of `roundrobin`, Section III and Figure 3: the queueing model, and the network it looks like."""

import numpy as np

from clustershare import markov, multiserver, sizes
from clustershare.multiserver.chain import ordered_chain
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import agrees, equal
from compendium.press.findings import check, difference
from pages.balanced_fairness.points.chains import measure_of_lines
from pages.balanced_fairness.systems import clusters, numbers, three_kinds
from pages.balanced_fairness.witnesses.lines import chain, law, lines, measure, moves, net_flow
from pages.balanced_fairness.witnesses.networks import ONE_PHASE, any_law, sharing_law
from pages.round_robin.systems import random_traffic
from pages.round_robin.witnesses import (
    algorithm,
    divided_equally,
    largest_balanced,
    law_of_classes,
    network_law,
    of_classes,
    off_product_form,
    off_re_entrant,
)


@check("roundrobin-006", shares=divided_equally)
def aggregate_law(shares=largest_balanced):
    """The chain of the algorithm for exponential sizes against that of the three queues, both cut at 4 jobs; and runs.

    `roundrobin`, Figure 3; the control divides each computer equally among its classes.
    """
    systems = list(random_traffic(50))

    def gap(graph, rates):
        states, expected = network_law(graph, rates, 4, shares)
        found, means = np.zeros((3, len(states))), []
        for row, m in zip(found, (0, 1, 5)):
            means.append(multiserver.interrupted_queue(graph, rates, sizes.Exponential(), m, 4).mean_jobs)
            queues, Q, _ = ordered_chain(graph, rates, sizes.Exponential(), m, 4)
            for queue, value in zip(queues, markov.gth(Q)):
                row[states.index(tuple(np.bincount([job[0] for job in queue], minlength=3).tolist()))] += value
        return {"laws": np.abs(found - expected).max(), "means": difference(means, np.array(expected) @ states)}

    def off(system, m):
        graph, rates = systems[system]
        run = multiserver.simulate(graph, rates, sizes.Exponential(), m, jumps=100_000, seed=system).mean_jobs
        return of_classes(run.value, run.half_width) - multiserver.balanced_fairness(graph, rates).mean_jobs

    gaps = cases("random system", systems, seed=6).measure(gap)
    simulated = grid(system=range(4), m=(0, 1, 5)).measure(off)
    return conclude(
        everywhere("the laws of the numbers of jobs", gaps["laws"], equal(1e-9)),
        everywhere("the mean numbers of jobs by the library and by the network", gaps["means"], equal(1e-9)),
        everywhere("the simulated mean number of jobs of a class", simulated, agrees()),
        whole=True,
    )


@check("roundrobin-012", size=sizes.bimodal_hyperexponential())
def re_entrant_queue(size=None):
    """The algorithm against re-entrant queues with one unit of size: rates of transitions, and the law (1).

    In the control the sizes are hyperexponential, and only the law is compared, of at most 3 jobs.
    """
    if size is not None:
        systems = [(graph, rates) for graph, rates in clusters() if graph.classes < 4]
        found = cases("random system", systems).measure(lambda graph, rates: off_law_of_classes(graph, rates, size))
        return conclude(everywhere("for hyperexponential sizes, the law of the algorithm and (1)", found, equal(1e-9)))
    rng, systems = np.random.default_rng(12), []
    for number, (graph, rates) in enumerate(clusters()):
        theta, means = rng.uniform(0.1, 5), rng.uniform(0.1, 5, graph.classes)
        systems.append((graph, rates, np.full(graph.classes, means[0]) if number % 2 == 0 else means, theta))
    alike = [np.ptp(means) == 0 for _, _, means, _ in systems]
    found = cases("random system", systems, seed=12).measure(as_re_entrant_queues)
    some = [k for k in range(30) if not alike[k]]
    _, of_phase, weights = sizes.bimodal_hyperexponential().erlang_mixture()
    leaves = 1 / (1 + of_phase)  # for theta = 1, by the phase of the job
    still = [weights * (1 - leaves) ** (visit - 1) for visit in (1, 2, 5)]
    law_off = grid(system=some, m=(1, 5, 50)).measure(lambda k, m: off_with_m(*systems[k][:3], m))
    return conclude(
        *(
            everywhere(f"with {kind} means, the algorithm is a re-entrant queue with one unit of size",
                       found["one unit"].where(chosen, f"{other} means"))
            for kind, other, chosen in (("equal", "unequal", alike), ("unequal", "equal", np.logical_not(alike)))
        ),
        aside("with a unit for each class, the difference of the rates", found["a unit each"]),
        aside("with unequal means the law differs from (1) by up to", law_off.largest("system")),
        aside("hyperexponential sizes with theta their mean, the chance of leaving after a visit",
              exact([each @ leaves / each.sum() for each in still], visit=(1, 2, 5))),
    )  # fmt: skip


def off_law_of_classes(graph, rates, size):
    """How far the law of the algorithm is from (1) in lines of at most 3 jobs."""
    short, of, found = chain(graph, rates / size.mean, size, 3, 1.0)
    found = law_of_classes(short, of, law(short.first[-1], found), graph.classes)
    return off_product_form(graph, rates, lines(graph.classes, 3), found)


def as_re_entrant_queues(graph, rates, means, theta):
    """Whether the algorithm has the rates of a re-entrant queue with one unit of size and the law (1), where it has
    those of the corrected queue; and how far it is from that one, which has a unit for each class."""
    found, probabilities = algorithm(graph, rates, means, theta)
    units = theta * means / (theta + means)
    common = off_re_entrant(graph, rates, means, theta, np.full(graph.classes, units.mean()), found)
    corrected = off_re_entrant(graph, rates, means, theta, units, found)
    law_off = off_product_form(graph, rates, lines(graph.classes, 4), probabilities)
    if np.ptp(means) == 0:  # the library's algorithm, too
        states, Q, _ = ordered_chain(graph, rates / means, sizes.Exponential(means[0]), means[0] / theta, 4)
        by_1 = np.array([multiserver.stationary_measure(graph, rates, [job[0] for job in queue]) for queue in states])
        law_off = max(law_off, np.abs(markov.gth(Q) - by_1 / by_1.sum()).max())
        product, jobs = measure(short := lines(graph.classes, 3), graph, rates), short.counts()
        queue = multiserver.interrupted_queue(graph, rates / means, sizes.Exponential(means[0]), means[0] / theta, 3)
        law_off = max(law_off, np.abs(queue.mean_jobs - product @ jobs / product.sum()).max())
    return {"one unit": law_off < 1e-9 and max(common, corrected) < 1e-12, "a unit each": corrected}


def off_with_m(graph, rates, means, m):
    """How far the law is from (1) if jobs are interrupted m times on average."""
    _, probabilities = algorithm(graph, rates, means, means.mean() / m)
    return off_product_form(graph, rates, lines(graph.classes, 4), probabilities)


@check("roundrobin-013", to="place")
def traffic_intensities(to="end"):
    """(1) in the balance of the open queue whose classes leave with chances of their own, and the law of its chain.

    In the control a job that comes back keeps its place.
    """
    rng = np.random.default_rng(13)

    def gaps(graph, intensity):
        laws, balances, by_1 = [], [], np.array(list(measure_of_lines(graph, intensity, 5).values()))
        for _ in range(2):
            p = rng.uniform(0.01, 1, graph.classes)
            leaves = {"comes_back": np.diag(1 - p), "to": to}
            short = lines(graph.classes, 5)
            balance = net_flow(short.first[-1], moves(short, graph, p * intensity, **leaves), by_1)
            balances.append(np.abs(balance[: short.first[5]]).max())
            short = lines(graph.classes, 4)
            laws.append(law(short.first[-1], moves(short, graph, p * intensity, **leaves)))
        few = lines(graph.classes, 3)
        counts = few.counts()
        jobs = by_1[: len(counts)] @ counts / by_1[: len(counts)].sum()
        found = [multiserver.interrupted_queue(graph, p * intensity, sizes.Exponential(1 / p), 1 / p - 1, 3).mean_jobs
                 for p in (0.9, 0.3)]  # fmt: skip
        return {
            "flows": max(balances), "laws": np.abs(laws[0] - laws[1]).max(), "means": np.abs(found / jobs - 1).max(),
        }  # fmt: skip

    found = cases("random system", clusters(), seed=13).measure(gaps)
    return conclude(
        everywhere("the flows in and out of each state by (1)", found["flows"], equal(1e-9)),
        everywhere("the laws of two queues with the same traffic", found["laws"], equal(1e-9)),
        everywhere("the library's mean numbers of two such queues and by (1)", found["means"], equal(1e-9)),
        whole=True,
    )


def each_divided(graph, x):
    """A wrong network, as `divided_equally`: rates of all classes."""
    found = divided_equally(graph, x, None)
    return [found.get(i, 0.0) for i in range(len(x))]


def off_the_usual(graph, traffic, number, mean):
    """How far the library's performance, with delays in mean sizes, is from that of exponential sizes of mean 1."""
    size, usual = list(three_kinds(mean).values())[number], multiserver.balanced_fairness(graph, traffic)
    found = multiserver.balanced_fairness(graph, traffic / mean, size)
    pairs = (found.mean_jobs, usual.mean_jobs), (found.mean_delay / mean, usual.mean_delay)
    pairs += (found.mean_service_rate, usual.mean_service_rate), (found.probability_empty, usual.probability_empty)
    return max(np.abs(one / other - 1).max() for one, other in pairs)


@check("roundrobin-014", rates_of=each_divided)
def depends_on_the_traffic_only(rates_of=multiserver.service_rates):
    """The law of three processor-sharing queues with a law of sizes for each class, and with exponential unit sizes.

    The control divides each computer equally among its classes.
    """
    rng, most = np.random.default_rng(14), 4
    states = np.array(numbers(3, most))
    full = states.sum(axis=1) == most

    def gaps(graph, traffic):
        phi = {tuple(x): tuple(rates_of(graph, x)) for x in states.tolist()}
        expected = sharing_law(traffic, [ONE_PHASE] * 3, phi, most)
        means = rng.uniform(0.2, 5, 3)
        found = sharing_law(traffic / means, [any_law(rng).scaled(mean) for mean in means], phi, most)
        # A job's delay over its mean size, by the jobs that are let in.
        delay, usual = (p @ states / (traffic * (1 - p[full].sum())) for p in (found, expected))
        return {
            "laws": np.abs(found - expected).max(),
            "delays": np.abs(delay / usual - 1).max(),
            "library's performance": max(off_the_usual(graph, traffic, *each) for each in enumerate(means)),
        }

    found = cases("random system", random_traffic(30), seed=14).measure(gaps)
    return conclude(
        *(
            everywhere(
                f"the {name} with sizes of any law and with exponential sizes of mean 1",
                gap,
                equal(1e-12 if "library" in name else 1e-9),
            )
            for name, gap in found.items()
        ),
        whole=True,
    )
