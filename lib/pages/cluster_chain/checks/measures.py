"""Claims of `ctmc`, Section 4: the measures (5) to (9), against conservation, elimination and simulation."""

import numpy as np

from clustershare import markov
from clustershare.cluster_chain import Bursts, simulate, solve_directly
from compendium.press.findings import check, finding
from pages.cluster_chain.domains import measured
from pages.cluster_chain.paths import GOES_BACK, IS_PASSED, WAITS, follow
from pages.cluster_chain.simulated import drawn, in_widths, simulated, told, within
from pages.cluster_chain.systems import MEASURES
from pages.cluster_chain.words import chain, random_clusters

RANDOM = tuple(random_clusters(30, 10, 8, (1, 8)))
TO_ELIMINATE = tuple(random_clusters(30, 12, 5, (1, 4)))
RUNS = {"arrivals": 5000, "warmup": 1500, "replications": 16}


def equal(worst, bound=1e-9):
    """A largest relative difference as text."""
    return f"equal within {bound:g}" if worst <= bound else f"off by {worst:.2g}"


def accepted(cluster):
    """The rates at which jobs of each size are accepted, by (6)."""
    return cluster.arrival_rate * (1 - measured(cluster)["blocking"]) * cluster.size_probabilities


def off_of(name, figures=None, scale=lambda cluster: 1):
    """A measure at the simulated points of some figures, in half widths; `scale` makes it another one."""
    points = simulated(figures) if figures else simulated()
    return np.array(
        [
            in_widths(*(scale(cluster) * np.array([measured(cluster)[name], *measures[name]])))
            for cluster, measures in points
        ]
    )


def empty(cluster):
    """The probability that no job runs."""
    return float(cluster.solve().probabilities()[:: cluster.level_sizes[0]].sum())


@check("ctmc-010", length_of_empty=1)
def jobs_in_service(length_of_empty=0):
    """(9) against the jobs accepted of each size, and against the simulated number."""
    worst = 0.0
    for cluster in RANDOM if length_of_empty else (*drawn(), *RANDOM):
        jobs = measured(cluster)["mean_jobs_in_service"] + (empty(cluster) if length_of_empty else 0)
        worst = max(worst, abs(jobs / (accepted(cluster) / cluster.size_service_rates).sum() - 1))
    off = off_of("mean_jobs_in_service")
    return finding(
        f"{len(drawn())} points and {len(RANDOM)} models: {equal(worst)}; simulated {told(off)}",
        worst <= 1e-9 and within(off),
    )


@check("ctmc-011", jobs=True)
def busy_servers(jobs=False):
    """(8) against the work that is accepted, and against the simulated busy time of the servers."""
    name, worst = "mean_jobs_in_service" if jobs else "utilisation", 0.0

    def scale(cluster):
        return 1 if jobs else cluster.servers

    for cluster in (*drawn(), *RANDOM):
        work = (accepted(cluster) * cluster.sizes / cluster.size_service_rates).sum()
        worst = max(worst, abs(scale(cluster) * measured(cluster)[name] / work - 1))
    off = off_of("utilisation", scale=lambda cluster: cluster.servers)
    return finding(
        f"{len(drawn())} points and {len(RANDOM)} models: {equal(worst)}; simulated {told(off)}",
        worst <= 1e-9 and within(off),
    )


@check("ctmc-012", arrivals=Bursts((0.5, 3.0), (4.0, 1.0)))
def a_full_queue(arrivals=None):
    """(6) against the jobs that are never served, by elimination, and against arrivals lost in the simulation."""
    worst = 0.0
    for cluster in TO_ELIMINATE:
        states, Q = chain(cluster)[:2]
        rates = dict(zip(cluster.sizes.tolist(), cluster.size_service_rates, strict=True))
        served = markov.gth(Q) @ [sum(rates[size] for size in V) for _, _, V in states]
        worst = max(worst, abs(measured(cluster)["blocking"] - (1 - served / cluster.arrival_rate)))
    off = off_of("blocking", ["7"])
    if arrivals:
        run = {"jumps": 20_000, "warmup": 5_000, "replications": 8, "seed": 12}
        lost = [(cluster, simulate(cluster, arrivals=arrivals, **run).blocking) for cluster, _ in simulated(["7"])]
        off = [in_widths(measured(cluster)["blocking"], found.value, found.half_width) for cluster, found in lost]
    return finding(f"{len(TO_ELIMINATE)} models: {equal(worst)}; simulated {told(off)}", worst <= 1e-9 and within(off))


def of_tagged_jobs(cluster):
    """How far Little's law is from the expected times of tagged jobs in the queue, relative to the mean queue."""
    found = measured(cluster)
    return found["little_error"] * max(found["mean_queue"], 1.0) / found["mean_queue"]


@check("ctmc-013", offered=True)
def little_in_the_queue(offered=False):
    """(7) against the mean of the expected times of tagged jobs, by two sets of first-passage equations."""
    worst = 0.0
    for cluster in (*drawn(["2", "3", "5", "7", "10"]), *RANDOM):
        found = measured(cluster)
        delay = found["mean_queue"] / cluster.arrival_rate if offered else found["mean_delay"]
        little = delay * accepted(cluster).sum() / found["mean_queue"]
        worst = max(worst, abs(little - 1) + of_tagged_jobs(cluster))
    plain = max(
        one.little_error * max(one.mean_queue, 1.0) / one.mean_queue for one in map(solve_directly, RANDOM)
    )  # fmt: skip
    return finding(
        f"{len(drawn(['2', '3', '5', '7', '10']))} points and {len(RANDOM)} models: {equal(worst)}; the models from "
        f"their generators, too: {equal(plain)}",
        max(worst, plain) <= 1e-9,
    )


@check("ctmc-072", with_tracker=True)
def mean_queue(with_tracker=False):
    """(5) against the simulated queue, and against the expected times of tagged jobs."""
    worst = 0.0
    for cluster in RANDOM:
        queue = measured(cluster)["mean_queue"]
        if with_tracker:
            queue += 1 - cluster.solve().probabilities()[: cluster.level_sizes[0]].sum()
        worst = max(worst, abs(queue / measured(cluster)["mean_queue"] - 1) + of_tagged_jobs(cluster))
    off = off_of("mean_queue")
    return finding(
        f"{len(RANDOM)} models: {equal(worst)}; simulated {told(off)}",
        worst <= 1e-9 and within(off),
    )


@check("ctmc-037", by_largest=True)
def a_fraction_of_the_servers(by_largest=False):
    """(8) over N against the part of the time that servers are busy (`ctmc`, Figures 3, 5, 9, 11)."""
    figures = ("3", "5", "7", "11")
    printed = {cluster: cluster.servers * measured(cluster)["utilisation"] for cluster in drawn(figures)}

    def divided(cluster, busy):
        return busy / (cluster.sizes.max() if by_largest else cluster.servers)

    off = np.array(
        [in_widths(divided(cluster, printed[cluster]), *found["utilisation"]) for cluster, found in simulated(figures)]
    )
    most = max(divided(cluster, busy) for cluster, busy in printed.items())
    above = sum(busy > 1 for busy in printed.values())
    return finding(
        f"divided by N at most {most:.4f}; simulated {told(off)}; (8) itself is {min(printed.values()):.2f} to "
        f"{max(printed.values()):.0f}, above 1 at {above} of {len(printed)} points",
        within(off) and most <= 1,
    )


@check("ctmc-043", until_mapped=True)
def delay_in_the_queue(until_mapped=False):
    """(7) against the times of simulated jobs from their arrival to the tracker."""
    off = list(off_of("mean_delay", ["2", "3", "5", "7", "10"]))
    for number, cluster in enumerate(random_clusters(10, 43, 8, (1, 8), span=(0.5, 50))):
        found = follow(cluster, **RUNS, seed=number)
        delay = found.delay_with_tracker if until_mapped else found.mean_delay
        off.append(in_widths(measured(cluster)["mean_delay"], delay.value, delay.half_width))
    return finding(f"simulated {told(off)}", within(off))


@check("ctmc-066", rules=(IS_PASSED, GOES_BACK))
def the_chain_is_the_system(rules=(WAITS,)):
    """All measures against the stored simulation, and in random models against paths with numbered servers."""
    models = random_clusters(20, 66, 16, (1, 8), span=(0.5, 50), least=2)
    figures = np.concatenate([off_of(name) for name in MEASURES])
    holds, texts = [], []
    for rule in rules:
        off = []
        for number, cluster in enumerate(models):
            found = follow(cluster, rule, **RUNS, seed=number)
            estimates = [getattr(found, name) for name in MEASURES]
            off += [
                in_widths(measured(cluster)[name], estimate.value, estimate.half_width)
                for name, estimate in zip(MEASURES, estimates, strict=True)
            ]
        holds.append(within(off) and within(figures))
        texts.append(told(off))
    return finding(f"the points of the figures {told(figures)}; {len(models)} models {'; '.join(texts)}", any(holds))
