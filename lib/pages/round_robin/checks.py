"""Claims of `roundrobin`, on its text and on Figures 1, 2, 3."""

import functools
import itertools

import numpy as np

from clustershare import interruptions, multiserver, sizes
from clustershare.multiserver import CompatibilityGraph
from compendium import study
from compendium.press.claims import check, erratum, finding
from pages.balanced_fairness.systems import paper_sizes, three_servers
from pages.round_robin.systems import round_robin_path

CLASSES = ((0,), (0, 1), (1,))
SUBSETS = [A for n in (1, 2, 3) for A in itertools.combinations(range(3), n)]


def random_graphs(count):
    """The graph of `roundrobin`, Figure 1, with capacities at random."""
    rng = np.random.default_rng(5)
    return [CompatibilityGraph(CLASSES, rng.uniform(0.2, 3, 2)) for _ in range(count)]


@check("roundrobin-001", both=1)
def capacity_of_classes(both=None):
    """mu(A) for every set of classes of `roundrobin`, Figure 1."""
    wrong = 0
    for graph in random_graphs(50):
        first, second = graph.capacities
        expected = [{(0,): first, (2,): second, (both,): first}.get(A, first + second) for A in SUBSETS]
        wrong += sum(abs(graph.service_rate(A) - value) > 1e-12 for A, value in zip(SUBSETS, expected))
    return finding(f"{wrong} of {50 * len(SUBSETS)} sets differ", wrong == 0)


MEAN = 1.5


@functools.cache
def counted(theta, letter=None):
    """Interruptions of a job of each class, for computers of capacities 1/2 and 2 and jobs of mean size 3/2."""
    graph = CompatibilityGraph(CLASSES, (0.5, 2.0))
    size = sizes.Exponential(MEAN) if letter is None else paper_sizes()[letter]
    rates = np.array([0.2, 0.5, 0.6]) * MEAN / size.mean
    return multiserver.simulate(graph, rates, size, size.mean / theta, jumps=400_000, seed=2).interruptions_per_job


def standard_errors_off(estimate, expected):
    """The largest distance from what is expected, in standard errors (10 replications)."""
    return float(np.max(np.abs(estimate.value - expected) / (estimate.half_width / 2.262)))


@check("roundrobin-002", factor=1.1)
def work_between_interruptions(factor=1.0):
    """Work done on the jobs of a class over the number of their interruptions."""
    theta = 0.5
    found = counted(theta)
    work = MEAN / found.value
    distance = standard_errors_off(found, MEAN / (factor * theta))
    return finding("theta = 0.5: " + ", ".join(f"{value:.3f}" for value in work) + " in classes 1 to 3", distance < 3)


@check("roundrobin-003", letter="c")
def interruptions_per_job(letter="b"):
    """m = sigma / theta, for sigma = 1 and every size distribution of that mean."""
    distance = max(standard_errors_off(counted(theta, letter), 1 / theta) for theta in (2.0, 0.5, 0.2))
    return finding(f"theta = 2, 0.5, 0.2: at most {distance:.1f} standard errors from sigma / theta", distance < 3)


@check("roundrobin-004", more=(5, 1, 0), exact=(50, 5, 1, 0))
def less_spread(more=(0, 1, 5), exact=(0, 1, 5, 50)):
    """Simulated: largest less smallest service rate of the three distributions on three servers at load 0.8.

    Exact: distance to balanced fairness of hyperexponential sizes in the example, with at most 4 jobs.
    """
    spreads = []
    for m in more:
        rows = study.run(
            "three-servers", multiserver.simulate, study.grid(letter=list("abc")),
            lambda letter, m=m: {
                **three_servers(0.8, mean_size=paper_sizes()[letter].mean), "sizes": paper_sizes()[letter],
                "interruptions": m,
            },
            fidelity="paper",
        )  # fmt: skip
        rows = rows[(rows["quantity"] == "mean_service_rate") & (rows["index"] == 0)]
        spreads.append((np.ptp(rows["estimate"]), 2 * rows["half_width"].max()))
    apart = all(now + doubt < before - doubts for (before, doubts), (now, doubt) in itertools.pairwise(spreads))
    graph, size = CompatibilityGraph(CLASSES, (1.0, 1.0)), sizes.bimodal_hyperexponential()
    distances = [multiserver.distance_from_balanced_fairness(graph, (0.3, 0.3, 0.2), size, m, 4) for m in exact]
    text = "; exact, m = ".join(
        ", ".join(f"{m}: {value:.4f}" for m, value in zip(numbers, values))
        for numbers, values in ((more, [spread for spread, _ in spreads]), (exact, distances))
    )
    falls = all(now < before for before, now in itertools.pairwise(distances))
    return finding(f"simulated, m = {text}", apart and falls)


@check("roundrobin-005", servers_of_class=((0,), (1,), (1,)))
def sample_path(servers_of_class=CLASSES):
    """`roundrobin`, Figure 2: who is served by what before each of its steps, and who goes to the end."""
    graph = CompatibilityGraph(servers_of_class, (1.0, 1.0))
    _, events = interruptions.trace_with_steps(graph, **round_robin_path())
    before = [tuple(enumerate((0, 1, 0))), *(event.queue for event in events)]
    two_timers = interruptions.served(graph, before[1]) == [1, 1]
    moved = all(
        event.queue == (*(job for job in queue if job[0] != event.job), (event.job, dict(event.queue)[event.job]))
        for queue, event in zip(before, events[:4])
    )
    order = " ".join(str(job + 1) for job, _ in events[3].queue)
    return finding(
        f"jobs 1 2 3 come to be {order}; {'two timers' if two_timers else 'one timer'} for job 2", two_timers and moved
    )


@check("roundrobin-006", capacities=(1.0, 1.2))
def aggregate_law(capacities=None):
    """`roundrobin`, Figure 3: the measure (1) summed over orders against Phi, for random capacities."""
    worst = 0.0
    for graph in random_graphs(20):
        network = CompatibilityGraph(CLASSES, capacities) if capacities else graph
        for x in itertools.product(range(3), repeat=3):
            summed = multiserver.over_all_orders(graph, (1.0, 1.0, 1.0), x)[0]
            worst = max(worst, abs(summed / multiserver.balance_function(network, x) - 1))
    return finding("equal within 1e-12" if worst < 1e-12 else f"off by {worst:.2g}", worst < 1e-12)


@check("roundrobin-007", shared=0.5)
def stability_region(shared=1.0):
    """The three inequalities against the general condition, for random capacities and traffic, inside and outside."""
    rng, wrong = np.random.default_rng(8), 0
    for graph in random_graphs(300):
        rates, (first, second) = rng.uniform(0, 1.2, 3), graph.capacities
        region = rates[0] < first and rates[2] < second and rates.sum() < shared * (first + second)
        wrong += region != multiserver.is_stable(graph, rates)
    return finding(f"{wrong} of 300 systems classified differently", wrong == 0)


@check("roundrobin-008", theta=1.0)
def formula_for_m(theta=2.0):
    """Interruptions of a job of mean size 1 against the product sigma theta and the quotient sigma / theta."""
    found = counted(theta, "b")
    return erratum(
        f"theta = {theta:g}: {found.value.mean():.3f}; product {theta:g}, quotient {1 / theta:g}",
        standard_errors_off(found, theta) < 3,
        standard_errors_off(found, 1 / theta) < 3,
    )
