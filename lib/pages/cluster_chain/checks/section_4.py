"""Claims of `ctmc`, Section 4: the measures (5) to (9), against conservation, elimination and simulation."""

import numpy as np

from clustershare import markov
from clustershare.cluster_chain import Bursts, simulate, solve_directly
from compendium.press.clauses import aside, cases, conclude, everywhere
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check
from pages.cluster_chain.points import RUNS, agreeing, drawn, in_widths, measured, off_of, off_paths, simulated
from pages.cluster_chain.witnesses.paths import follow
from pages.cluster_chain.witnesses.words import RIGHT, Words, chain, random_clusters, served


@check("ctmc-061", rules=Words(shy=True))
def blocking_without_a_queue(rules=RIGHT):
    """Jobs never served without a queue, against the last level with and without the states of an idle tracker."""

    def lost(cluster):
        states, Q = chain(cluster, rules)[:2]
        P = markov.gth(Q)
        offered = P @ [rules.arrival_rate(cluster.arrival_rate, x1, x2) for x1, x2, _ in states]
        unserved = 1 - served(cluster, states, P) / offered
        busy = P[[x2 > 0 for _, x2, _ in states]].sum()
        library = [found.blocking / unserved - 1 for found in (cluster.solve(), solve_directly(cluster))]
        return {"busy": busy / unserved - 1, "library": np.abs(library).max(), "all": P.sum()}

    models = random_clusters(30, 61, 5, (0, 0))
    found = cases("model with no queue", models).measure(lost)
    run = {"jumps": 10_000, "warmup": 1_000, "replications": 8, "seed": 61}
    off = [off_paths(measured(cluster), simulate(cluster, **run), ("blocking",)) for cluster in models]
    return conclude(
        everywhere("(6) without the states of an idle tracker, and the part of the jobs that is never served,",
                   found["busy"], equal(1e-9)),
        everywhere("the library's blocking, by both solvers, and that part", found["library"], equal(1e-9)),
        *agreeing("the library's blocking", off),
        aside("(6) as printed, over all states", found["all"]),
        ours=True,
    )  # fmt: skip


RANDOM = tuple(random_clusters(30, 10, 8, (1, 8)))
TO_ELIMINATE = tuple(random_clusters(30, 12, 5, (1, 4)))
OF_DELAYS = ("2", "3", "5", "7", "10")  # figures


def equal_in(models, what, function):
    """That what a function gives, a relative difference, is 0 but for rounding in all models."""
    return everywhere(what, cases("model", models).measure(function), equal(1e-9))


def directly(name):
    """How far a measure of the solver that sums over the list of states is from that of the other, relatively."""

    def gap(cluster):
        return getattr(solve_directly(cluster), name) / measured(cluster)[name] - 1

    return gap


def accepted(cluster):
    """The rates at which jobs of each size are accepted, by (6)."""
    return cluster.arrival_rate * (1 - measured(cluster)["blocking"]) * cluster.size_probabilities


@check("ctmc-010", length_of_empty=1)
def jobs_in_service(length_of_empty=0):
    """(9) against the jobs accepted of each size, and against the simulated number."""

    def gap(cluster):
        jobs = measured(cluster)["mean_jobs_in_service"]
        if length_of_empty:
            jobs += cluster.solve().probabilities()[:: cluster.level_sizes[0]].sum()  # that no job runs
        return jobs / (accepted(cluster) / cluster.size_service_rates).sum() - 1

    models = RANDOM if length_of_empty else (*drawn(), *RANDOM)
    return conclude(
        equal_in(models, "(9) and the jobs that are accepted times their mean time of service", gap),
        equal_in(RANDOM, "(9) by the generators and by the levels", directly("mean_jobs_in_service")),
        *agreeing("(9)", off_of("mean_jobs_in_service")),
        whole=True,
    )


@check("ctmc-011", jobs=True)
def busy_servers(jobs=False):
    """(8) against the work that is accepted, and against the simulated busy time of the servers."""

    def servers(cluster):
        return cluster.servers

    def gap(cluster):
        found = measured(cluster)
        busy = found["mean_jobs_in_service"] if jobs else servers(cluster) * found["utilisation"]
        return busy / (accepted(cluster) * cluster.sizes / cluster.size_service_rates).sum() - 1

    return conclude(
        equal_in((*drawn(), *RANDOM), "(8) and the work that is accepted", gap),
        equal_in(RANDOM, "(8) by the generators and by the levels", directly("utilisation")),
        *agreeing("(8)", off_of("utilisation", scale=servers)),
        whole=True,
    )


@check("ctmc-012", arrivals=Bursts((0.5, 3.0), (4.0, 1.0)))
def a_full_queue(arrivals=None):
    """(6) against the jobs that are never served, by elimination, and against arrivals lost in the simulation."""

    def gap(cluster):
        states, Q = chain(cluster)[:2]
        lost = 1 - served(cluster, states, markov.gth(Q)) / cluster.arrival_rate
        return max(abs(measured(cluster)["blocking"] - lost), abs(solve_directly(cluster).blocking - lost))

    off = off_of("blocking", ["7"])
    if arrivals:
        run = {"jumps": 20_000, "warmup": 5_000, "replications": 8, "seed": 12}
        lost = [(cluster, simulate(cluster, arrivals=arrivals, **run)) for cluster, _ in simulated(["7"])]
        off = [off_paths(measured(cluster), found, ("blocking",)) for cluster, found in lost]
    return conclude(
        equal_in(TO_ELIMINATE, "(6), by both solvers, and the part of the jobs that is never served", gap),
        *agreeing("(6)", off),
        whole=True,
    )


def of_tagged_jobs(error, queue):
    """How far Little's law is from the expected times of tagged jobs in the queue, relative to the mean queue."""
    return error * max(queue, 1.0) / queue


@check("ctmc-013", offered=True)
def little_in_the_queue(offered=False):
    """(7) against the mean of the expected times of tagged jobs, by two sets of first-passage equations."""

    def gap(cluster):
        found = measured(cluster)
        queue, delay = found["mean_queue"], found["mean_delay"]
        little = (queue / cluster.arrival_rate if offered else delay) * accepted(cluster).sum() / queue
        return abs(little - 1) + of_tagged_jobs(found["little_error"], queue)

    def by_generators(cluster):
        found = solve_directly(cluster)
        little = found.mean_delay * accepted(cluster).sum() / found.mean_queue
        return abs(little - 1) + of_tagged_jobs(found.little_error, found.mean_queue)

    what = "(7) and the mean of the times of tagged jobs"
    return conclude(
        equal_in((*drawn(OF_DELAYS), *RANDOM), what, gap),
        equal_in(RANDOM, f"of the generators, too, {what}", by_generators),
        *agreeing("(7)", off_of("mean_delay")),
        whole=True,
    )


@check("ctmc-072", with_tracker=True)
def mean_queue(with_tracker=False):
    """(5) by both solvers, the expected times of tagged jobs, and the simulated queue."""

    def gap(cluster):
        found = measured(cluster)
        more = 1 - cluster.solve().probabilities()[: cluster.level_sizes[0]].sum() if with_tracker else 0.0
        return more / found["mean_queue"] + of_tagged_jobs(found["little_error"], found["mean_queue"])

    return conclude(
        equal_in(RANDOM, "(5) and the accepted rate times the mean time of tagged jobs", gap),
        equal_in(RANDOM, "(5) by the generators and by the levels", directly("mean_queue")),
        *agreeing("(5)", off_of("mean_queue")),
        whole=True,
    )


@check("ctmc-043", until_mapped=True)
def delay_in_the_queue(until_mapped=False):
    """(7) against the times of simulated jobs from their arrival to the tracker."""
    off = off_of("mean_delay", OF_DELAYS)
    for number, cluster in enumerate(random_clusters(10, 43, 8, (1, 8), span=(0.5, 50))):
        found = follow(cluster, **RUNS, seed=number)
        delay = found.delay_with_tracker if until_mapped else found.mean_delay
        off.append(in_widths(measured(cluster)["mean_delay"], delay.value, delay.half_width))
    return conclude(*agreeing("(7)", off), whole=True)
