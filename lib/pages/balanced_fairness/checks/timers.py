"""Claims of `balanced`, Sections 1 and 4, on the algorithm in time: work between interruptions, and stability."""

import functools

import numpy as np

from clustershare.multiserver import CompatibilityGraph, simulator
from clustershare.run_length import check_run_length
from clustershare.sizes import Exponential
from compendium.press.findings import check, over_domain
from compendium.press.words import SCALE
from pages.balanced_fairness.points.intervals import ratio_of, widened
from pages.balanced_fairness.systems import clusters, paper_sizes, sets, three_servers
from pages.balanced_fairness.witnesses.paths import path

NUMBERS = (0.1, 1, 5, 50)  # of interruptions of a job


@functools.cache
def slices(m, law, alike):
    """Mean work of the slices that an interruption ends, and work over interruptions, over theta, with half widths."""
    names = [*paper_sizes(), "exponential"]
    size = {**paper_sizes(), "exponential": Exponential()}[law]
    theta, sums = size.mean / m, np.zeros((4, 10))
    for number, (graph, rates) in list(enumerate(clusters(classes=3)))[names.index(law) :: 4]:
        clocks = np.full(graph.servers, 1 / theta) if alike else None
        for k in range(10):
            seen = path(graph, rates / size.mean, size, 1000, theta=theta, clocks=clocks, visits=1000, seed=68,
                        number=10 * number + k)  # fmt: skip
            sums[:, k] += (
                seen.visits[:, 2].sum() / theta, len(seen.visits), seen.work.sum() / theta, seen.interruptions.sum()
            )  # fmt: skip
    return ratio_of(*sums[:2]), ratio_of(*sums[2:])


@check("balanced-068", alike=True)
def work_between_interruptions(alike=False):
    """Work of slices that an interruption ends, and all work over all interruptions; the control's timers are alike."""
    laws = [*paper_sizes(), "exponential"]
    found = np.array([[slices(m, law, alike) for law in laws] for m in NUMBERS])  # by m, law, reading
    wide = widened(len(NUMBERS) * len(laws), 10)
    holds = np.abs(found[..., 0] - 1) <= wide * found[..., 1]
    ended = ", ".join(
        f"{each.min():.2f} to {each.max():.2f} at m = {m:g}" for m, each in zip(NUMBERS, found[:, :, 0, 0])
    )
    near = [m for m, each in zip(NUMBERS, found[:, :, 0, 0]) if SCALE["very close"].allows(np.abs(each - 1).max())]
    return over_domain(
        f"all work over all interruptions is theta in {holds[..., 1].sum()} of {holds[..., 1].size} cases; slices "
        f"that an interruption ends have, in units of theta, {ended}; "
        + (f"within 0.02 from m = {near[0]:g} on" if near else "at no m within 0.02"),
        [holds[..., 0].all(), holds[..., 1].all()],
    )


def directions():
    """Random graphs, and directions in the systems of Figures 1 and 2: arrival rates at the critical load."""
    for graph, rates in clusters(count=6):
        yield graph, rates / max(rates[list(A)].sum() / graph.service_rate(A) for A in sets(graph))
    for capacities in ((1.0, 1.0, 1.0), (1.0, 0.0, 1.0)):
        graph = three_servers(0.5, capacities)["graph"]
        for mix in (0.2, 0.5, 0.8):
            rates = np.array([mix, 1 - mix])
            yield graph, rates / max(rates[list(A)].sum() / graph.service_rate(A) for A in sets(graph))


def one_each(graph):
    """A wrong system: each class has one server, drawn once from its set."""
    rng = np.random.default_rng(69)
    return CompatibilityGraph([[rng.choice(own)] for own in graph.servers_of_class], graph.capacities)


def jobs_after(graph, rates, size, m, warmup, jumps, runs):
    """Mean numbers of jobs over so many events after others, a row a run; the system need not be stable."""
    run = check_run_length({"jumps": jumps, "warmup": warmup, "replications": runs, "seed": 69})
    time, area, *_ = simulator._replications(graph, rates / size.mean, size, m, run)
    return area.sum(axis=1) / time


@check("balanced-069", change=one_each)
def stable_whenever_possible(change=lambda graph: graph):
    """Numbers of jobs after ten and a hundred thousand events; in the control each class has one server."""
    sizes, ratios = list(paper_sizes().values()), []
    for number, (graph, critical) in enumerate(directions()):
        system = (change(graph), 0.95 * critical, sizes[number % 3], (1, 5)[number % 2])
        late, early = jobs_after(*system, 100_000, 50_000, 10), jobs_after(*system, 10_000, 10_000, 40)
        ratios.append(late.mean() / early.mean())
    ratios = np.array(ratios)
    return over_domain(
        f"ten times the events: numbers grow by {ratios.min():.1f} to {ratios.max():.1f} at 0.95 of the critical load",
        ratios < 2,
    )
