"""The extensions that `ctmc`, Section 6, announces: two classes with priority, and servers that sleep."""

import numpy as np

from clustershare.cluster_chain import ServiceCluster
from clustershare.cluster_variants import PriorityCluster, SleepingCluster, simulate_energy, simulate_priority
from compendium import study
from compendium.press.findings import beyond, check
from pages.cluster_chain.simulated import in_widths, told, within
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


def equal(worst):
    """A largest relative difference as text."""
    return "equal within 1e-9" if worst <= 1e-9 else f"off by {worst:.2g}"


@check("ctmc-085", in_one_line=True)
def urgent_jobs_are_alone(in_one_line=False):
    """Two classes against the urgent one alone, conservation, and the stored simulation."""
    worst, off, pages = 0.0, [], {}
    for model in (*map(two_classes, URGENT), *random_classes()):
        found = model.solve()
        alone = ServiceCluster(
            model.servers, model.queue_capacities[0], {model.job_sizes[0]: 1.0}, model.arrival_rates[0],
            model.tracker_rate, model.service_rates[0],
        ).solve()  # fmt: skip
        response = model.mean_response_in_one_line()[0] if in_one_line else found.mean_response[0]
        served = np.array(model.arrival_rates) * (1 - found.blocking) / model.service_rates
        gaps = apart_by(response, alone.mean_response[0]), apart_by(found.mean_running, served)
        worst = max(worst, *gaps, apart_by(found.blocking[0], alone.blocking))
        pages[model] = found
    rows = study.run(
        "cluster-priority", simulate_priority, study.grid(urgent=URGENT),
        lambda urgent: {"cluster": two_classes(urgent)}, fidelity="book",
    )  # fmt: skip
    for urgent, name, index, value, width in zip(
        *(rows[name] for name in ("urgent", "quantity", "index", "estimate", "half_width")), strict=True
    ):
        off.append(in_widths(getattr(pages[two_classes(urgent)], name)[index], value, width))
    return beyond(f"27 systems: {equal(worst)}; simulated {told(off)}", worst <= 1e-9 and within(off))


def sleeping(setup, shutdown):
    """The cluster of the page on energy."""
    inner = ServiceCluster(8, 10, {1: 0.5, 2: 0.3, 4: 0.2}, 2.0, 50.0, 1.0)
    return SleepingCluster(inner, setup, shutdown)


@check("ctmc-086", at_once=True)
def sleeping_servers(at_once=False):
    """Servers that sleep against the source's chain, conservation, and the stored simulation."""
    worst, off = 0.0, []
    grid = study.grid(setup=SETUP, shutdown=SHUTDOWN)
    models = {tuple(point.values()): sleeping(1e6 if at_once else point["setup"], point["shutdown"]) for point in grid}
    rng = np.random.default_rng(86)
    others = random_clusters(10, 86, 4, (0, 3), span=(0.5, 5))
    for inner in others:
        rates = 10 ** rng.uniform(np.log10(0.5), np.log10(5), 2)
        models[inner, 0.0] = SleepingCluster(inner, rates[0], 0.0)
        models[inner, 1.0] = SleepingCluster(inner, *rates)
    found = {point: model.solve() for point, model in models.items()}
    for point, model in models.items():
        inner, one = model.cluster, found[point]
        accepted = inner.arrival_rate * (1 - one.blocking)
        work = accepted * (inner.sizes * inner.size_probabilities / inner.size_service_rates).sum()
        worst = max(worst, apart_by(one.servers[0], work))
        if model.shutdown_rate == 0:
            awake = inner.solve()
            expected = np.array([awake.mean_queue, awake.blocking, awake.mean_delay, awake.utilisation * inner.servers])
            values, seen = np.array([one.mean_queue, one.blocking, one.mean_delay, one.servers[0]]), expected > 0
            worst = max(worst, apart_by(values[seen], expected[seen]))
    rows = study.run(
        "cluster-energy", simulate_energy, grid, lambda **point: {"cluster": sleeping(**point)}, fidelity="book"
    )
    for setup, shutdown, name, index, value, width in zip(
        *(rows[name] for name in ("setup", "shutdown", "quantity", "index", "estimate", "half_width")), strict=True
    ):
        expected = np.atleast_1d(getattr(found[setup, shutdown], name))[index]
        off.append(in_widths(expected, value, width))
    return beyond(f"{len(models)} systems: {equal(worst)}; simulated {told(off)}", worst <= 1e-9 and within(off))
