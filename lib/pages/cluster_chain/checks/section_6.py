"""Claims of `ctmc`, Section 6: thousands of servers, how many are needed, and the extensions that are announced."""

import itertools

import numpy as np

from clustershare.cluster_chain import ServiceCluster, simulate, uniform_sizes
from clustershare.cluster_variants import (
    PriorityCluster,
    SleepingCluster,
    exact_energy,
    exact_priority,
    simulate_energy,
    simulate_priority,
)
from compendium import study
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, none
from compendium.press.clauses.conditions import at_least, at_most, equal
from compendium.press.findings import check
from pages.cluster_chain.points import agreeing, off_paths
from pages.cluster_chain.systems import MEASURES, in_half_widths
from pages.cluster_chain.witnesses.sizing import (
    DELAYS,
    RATES,
    SHARES,
    THRESHOLDS,
    by_search,
    by_trying,
    simulated_delays,
    tried,
)
from pages.cluster_chain.witnesses.words import random_clusters


@check("ctmc-063", share=0.1, searched=(0.02,), rates=(10,))
def fewest_servers(share=None, searched=SHARES, rates=RATES):
    """The search against every number tried in turn, and simulated delays at the number and at 10 less."""
    answers = {
        (of_search, *limit): by_search(of_search, *limit)
        for of_search, *limit in itertools.product(searched, rates, DELAYS, THRESHOLDS)
    }
    same = [by_trying(share or of_search, *limit) == answers[of_search, *limit] for of_search, *limit in answers]
    limits = [
        (of_search, rate, number - less, delay)
        for (of_search, rate, delay, threshold), number in answers.items() if threshold == 0
        for less in (0, 10) if number - less >= 100  # servers for the largest job
    ]  # fmt: skip
    simulated = simulated_delays({tuple(point) for *point, _ in limits}) if share is None else {}
    off = []
    for *point, delay in limits if simulated else ():
        (value, width), exactly = simulated[tuple(point)], tried(*point)[0]
        if abs(exactly - delay) > 2 * width:
            off.append(np.sign(exactly - delay) * (value - delay) / width)
    return conclude(
        everywhere("the answers of the search and of trying every number are the same", exact(same, combination=None)),
        aside("combinations for which there is no such number", exact(list(answers.values()).count(None))),
        *([everywhere("the distance of the simulated delay from its limit, on the side of the chain's, in half widths,",
                      exact(off, point=None), at_least(1))] if off else []),
        aside("simulated delays that cannot be told from their limit", exact(len(limits) - len(off))),
        whole=True,
    )  # fmt: skip


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
    alike = "of urgent jobs and that of the source's chain with these alone"

    def gap(model):
        found = exact_priority(model)
        alone = ServiceCluster(
            model.servers, model.queue_capacities[0], {model.job_sizes[0]: 1.0}, model.arrival_rates[0],
            model.tracker_rate, model.service_rates[0],
        ).solve()  # fmt: skip
        response = model.mean_response_in_one_line()[0] if in_one_line else found.mean_response[0]
        served = np.array(model.arrival_rates) * (1 - found.blocking) / model.service_rates
        return {
            f"the mean response time {alike}": apart_by(response, alone.mean_response[0]),
            f"the blocking {alike}": apart_by(found.blocking[0], alone.blocking),
            "the jobs in service and those accepted times their mean time": apart_by(found.mean_running, served),
        }

    found = cases("system", (*map(two_classes, URGENT), *random_classes())).measure(gap)
    rows = stored("cluster-priority", simulate_priority, study.grid(urgent=URGENT), two_classes)
    off = in_half_widths(rows, {(urgent,): two_classes(urgent).solve() for urgent in URGENT})
    return conclude(
        *(everywhere(*each, equal(1e-9)) for each in found.items()),
        *agreeing("the measures of both classes", off),
        ours=True,
    )


ASLEEP = ("mean_queue", "blocking", "mean_delay", "servers")
FEW = {"jumps": 10_000, "warmup": 2000, "replications": 32, "seed": 86}


def sleeping(setup, shutdown):
    """The cluster of the page on energy."""
    inner = ServiceCluster(8, 10, {1: 0.5, 2: 0.3, 4: 0.2}, 2.0, 50.0, 1.0)
    return SleepingCluster(inner, setup, shutdown)


@check("ctmc-086", at_once=True)
def sleeping_servers(at_once=False):
    """Servers that sleep against the source's chain, conservation, and simulations, stored ones and short ones."""
    points = study.grid(setup=SETUP, shutdown=SHUTDOWN)
    models = {tuple(each.values()): sleeping(1e6 if at_once else each["setup"], each["shutdown"]) for each in points}
    rng, others = np.random.default_rng(86), []
    for inner in random_clusters(10, 86, 4, (0, 3), span=(0.5, 5)):
        rates = 10 ** rng.uniform(np.log10(0.5), np.log10(5), 2)
        others += [SleepingCluster(inner, rates[0], 0.0), SleepingCluster(inner, *rates)]
    found = {model: exact_energy(model) for model in (*models.values(), *others)}

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
    off = [in_half_widths(rows, {point: found[model] for point, model in models.items()})]
    for model in others[1::2]:  # some have several sizes, each with its own service rate
        off += off_paths(vars(found[model]), simulate_energy(model, **FEW), ASLEEP)
    return conclude(
        everywhere("the busy servers and the work that is accepted", cases("system", found).measure(conservation),
                   equal(1e-9)),
        everywhere("the measures and those of the source's chain", awake.measure(as_the_source), equal(1e-9)),
        *agreeing("the measures", np.hstack(off)),
        ours=True,
    )  # fmt: skip


LOADS = (0.3, 0.5, 0.7, 0.9, 1.1)  # of the tracker


def cloud(servers, share, load, sizes=None):
    """Figure 11 with its arrival and tracker rates in proportion to the servers."""
    tracker = 100.0 * servers / 1500
    if sizes is None:
        return ServiceCluster(servers, 50, {10: 1 - share, 100: share}, load * tracker, tracker, {10: 10.0, 100: 1.0})
    return ServiceCluster(servers, 50, sizes, load * tracker, tracker, 10.0)


@check("ctmc-067", sizes=uniform_sizes(100))
def thousands_of_servers(sizes=None):
    """Clouds of up to 5000 servers, solved, and a simulated point for each number of servers."""
    points = [(servers, 0.05, load) for servers in (2000, 3000) for load in (0.3, 0.7)] + [(5000, 0.05, 0.3)]
    points = [*itertools.product((1000, 1500), (0.01, 0.02, 0.05, 0.1), LOADS), *points]
    solved, refused = {}, []
    for point in points:
        model = cloud(*point, sizes)
        try:
            solved[point] = model.solve(), model.largest_rate
        except ValueError:  # it needs more memory than is allowed
            refused.append(point)
    if not refused:
        chosen = [(servers, 0.05, 0.7) for servers in (1000, 1500, 2000, 3000)] + [(5000, 0.05, 0.3)]
        named = [dict(zip(("servers", "share", "load"), point)) for point in chosen]
        rows = stored("cluster-cloud", simulate, named, cloud)
        off = in_half_widths(rows[rows["quantity"].isin(MEASURES)], {point: solved[point][0] for point in chosen})
    residuals = [found.residual / rate for found, rate in solved.values()] or [np.inf]
    return conclude(
        none(len(points), "cloud", "needed more memory than is allowed", len(refused)),
        everywhere("the residual, as a part of the largest rate,", exact(residuals, cloud=None), at_most(1e-9)),
        *([] if refused else agreeing("the measures", off)),
        whole=True,
    )
