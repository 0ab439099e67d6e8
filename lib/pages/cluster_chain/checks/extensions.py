"""The extensions that `ctmc`, Section 6, announces: two classes with priority, and servers that sleep."""

import numpy as np

from clustershare.cluster_chain import ServiceCluster
from clustershare.cluster_variants import PriorityCluster, SleepingCluster, simulate_energy, simulate_priority
from compendium import study
from compendium.press.clauses import cases, conclude, everywhere
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check
from pages.cluster_chain.simulated import agreeing
from pages.cluster_chain.systems import in_half_widths
from pages.cluster_chain.words import random_clusters

URGENT = (0.1, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8)  # arrivals per second
SETUP, SHUTDOWN = (1.0, 4.0), (0.0, 0.1, 0.3, 1.0, 3.0, 10.0)


def two_classes(urgent):
    """The cluster of the page on priority."""
    return PriorityCluster(60, (10, 10), (20, 5), (urgent, 10.0), (1.0, 2.0), 100.0)


def random_classes(count=20, seed=85):
    """Clusters with two classes, and parameters at random."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        servers = int(rng.integers(2, 13))
        sizes = tuple(rng.permutation(np.arange(1, servers + 1))[:2].tolist())
        lines, rates = tuple(rng.integers(0, 5, 2).tolist()), 10 ** rng.uniform(np.log10(0.5), np.log10(5), 5)
        found.append(PriorityCluster(servers, lines, sizes, tuple(rates[:2]), tuple(rates[2:4]), 10 * rates[4]))
    return found


def apart_by(found, expected):
    """The largest relative difference."""
    return float(np.abs(np.divide(found, expected) - 1).max())


def stored(name, model, points, system):
    """The stored simulation of some points."""
    return study.run(name, model, points, lambda **point: {"cluster": system(**point)}, fidelity="book")


@check("ctmc-085", in_one_line=True)
def urgent_jobs_are_alone(in_one_line=False):
    """Two classes against the urgent one alone, conservation, and the stored simulation."""

    def gap(model):
        found = model.solve()
        alone = ServiceCluster(
            model.servers, model.queue_capacities[0], {model.job_sizes[0]: 1.0}, model.arrival_rates[0],
            model.tracker_rate, model.service_rates[0],
        ).solve()  # fmt: skip
        response = model.mean_response_in_one_line()[0] if in_one_line else found.mean_response[0]
        served = np.array(model.arrival_rates) * (1 - found.blocking) / model.service_rates
        return {
            "response": apart_by(response, alone.mean_response[0]),
            "running": apart_by(found.mean_running, served),
            "blocking": apart_by(found.blocking[0], alone.blocking),
        }

    found = cases("system", (*map(two_classes, URGENT), *random_classes())).measure(gap)
    rows = stored("cluster-priority", simulate_priority, study.grid(urgent=URGENT), two_classes)
    off = in_half_widths(rows, {(urgent,): two_classes(urgent).solve() for urgent in URGENT})
    alone = "of urgent jobs and that of the source's chain with these alone"
    return conclude(
        everywhere(f"the mean response time {alone}", found["response"], equal(1e-9)),
        everywhere(f"the blocking {alone}", found["blocking"], equal(1e-9)),
        everywhere("the jobs in service and those accepted times their mean time", found["running"], equal(1e-9)),
        *agreeing("the measures of both classes", off),
        ours=True,
    )


def sleeping(setup, shutdown):
    """The cluster of the page on energy."""
    inner = ServiceCluster(8, 10, {1: 0.5, 2: 0.3, 4: 0.2}, 2.0, 50.0, 1.0)
    return SleepingCluster(inner, setup, shutdown)


@check("ctmc-086", at_once=True)
def sleeping_servers(at_once=False):
    """Servers that sleep against the source's chain, conservation, and the stored simulation."""
    points = study.grid(setup=SETUP, shutdown=SHUTDOWN)
    models = {tuple(each.values()): sleeping(1e6 if at_once else each["setup"], each["shutdown"]) for each in points}
    rng, others = np.random.default_rng(86), []
    for inner in random_clusters(10, 86, 4, (0, 3), span=(0.5, 5)):
        rates = 10 ** rng.uniform(np.log10(0.5), np.log10(5), 2)
        others += [SleepingCluster(inner, rates[0], 0.0), SleepingCluster(inner, *rates)]
    found = {model: model.solve() for model in (*models.values(), *others)}

    def conservation(model):
        inner, accepted = model.cluster, model.cluster.arrival_rate * (1 - found[model].blocking)
        work = accepted * (inner.sizes * inner.size_probabilities / inner.size_service_rates).sum()
        return apart_by(found[model].servers[0], work)

    def as_the_source(model):
        one, awake = found[model], model.cluster.solve()
        expected = np.array(
            [awake.mean_queue, awake.blocking, awake.mean_delay, awake.utilisation * model.cluster.servers]
        )
        values, seen = np.array([one.mean_queue, one.blocking, one.mean_delay, one.servers[0]]), expected > 0
        return apart_by(values[seen], expected[seen])

    awake = cases("system in which nobody sleeps", [model for model in found if model.shutdown_rate == 0])
    rows = stored("cluster-energy", simulate_energy, points, sleeping)
    off = in_half_widths(rows, {point: found[model] for point, model in models.items()})
    return conclude(
        everywhere("the busy servers and the work that is accepted", cases("system", found).measure(conservation),
                   equal(1e-9)),
        everywhere("the measures and those of the source's chain", awake.measure(as_the_source), equal(1e-9)),
        *agreeing("the measures", off),
        ours=True,
    )  # fmt: skip
