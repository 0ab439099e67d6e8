"""Claims of `roundrobin`, Section II, on interruptions: how many, after how much work, and after what time."""

import functools
import itertools

import numpy as np
from scipy import stats

from clustershare import interruptions, multiserver
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import Exponential, Hyperexponential
from compendium.press.findings import check, erratum, finding, over_domain
from pages.balanced_fairness.intervals import farthest, ratio_of, told, widened
from pages.balanced_fairness.paths import path
from pages.balanced_fairness.small_systems import clusters
from pages.balanced_fairness.systems import paper_sizes
from pages.round_robin.systems import CLASSES, random_capacities


def systems(load):
    """Figure 1 with 20 random pairs of capacities, and equal traffic of the classes."""
    for capacities in random_capacities(20):
        yield CompatibilityGraph(CLASSES, capacities), np.full(3, load * min(*capacities, sum(capacities) / 3))


NUMBERS = (0.5, 5, 50)  # of interruptions of a job
GROUPS = (1, 5, 6, 7, 10)  # 4 times the class, and a set of its computers as bits


@functools.cache
def slices(load, letter, m, alike):
    """In each of the 20 systems, by class and set of computers, in units of theta: mean work and its standard error.

    First of the slices that an interruption ends, by the set at their start; then work done by a set over the
    interruptions while it was at work. Groups of less than 30 are left out, as nan.
    """
    size = paper_sizes()[letter]
    theta, found = size.mean / m, []
    for number, (graph, traffic) in enumerate(systems(load)):
        clocks = np.full(2, np.mean(graph.capacities) / theta) if alike else None
        events = 150_000 if m < 1 and load < 0.5 and not alike else 12_000  # many, where differences are small
        seen = path(graph, traffic / size.mean, size, events, warmup=500, theta=theta, clocks=clocks, visits=events,
                    seed=2, number=number)  # fmt: skip
        group, work = (4 * seen.visits[:, 0] + seen.visits[:, 1]).astype(int), seen.visits[:, 2] / theta
        count, hits = np.bincount(group, minlength=12), seen.hits.ravel()
        first, second = graph.capacities
        done = (seen.exposure * np.array([0, first, second, first + second]) / theta).ravel()
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(count < 30, np.nan, np.bincount(group, work, minlength=12) / count)
            error = np.sqrt((np.bincount(group, work**2, minlength=12) / count - mean**2) / count)
            over = np.where(hits < 30, np.nan, done / hits)
        found.append([(mean[k], error[k], over[k], over[k] / np.sqrt(hits[k])) for k in GROUPS])
    return np.array(found)


@check("roundrobin-002", alike=True)
def work_between_interruptions(alike=False):
    """Work of slices, and work over interruptions, by class and set of computers; the control's timers are alike."""
    pairs = np.array(list(itertools.combinations(range(len(GROUPS)), 2))).T
    apart = {}
    for m, load, letter in itertools.product(NUMBERS, (0.3, 0.9), paper_sizes()):
        found = slices(load, letter, m, alike)
        for name, mean, error in (("slices", found[..., 0], found[..., 1]), ("sums", found[..., 2], found[..., 3])):
            difference = mean[:, pairs[0]] - mean[:, pairs[1]]
            apart.setdefault(name, []).append(difference / np.hypot(error[:, pairs[0]], error[:, pairs[1]]))
    bound = stats.norm.ppf(1 - 0.025 / np.isfinite(apart["slices"]).sum())
    holds = {name: (np.nanmax(np.abs(each), axis=2) < bound).reshape(len(NUMBERS), -1) for name, each in apart.items()}
    where = [f"{alike.sum()} of {alike.size} systems at m = {m:g}" for m, alike in zip(NUMBERS, holds["slices"])]
    return over_domain(
        f"work over interruptions alike in {holds['sums'].sum()} of {holds['sums'].size} systems; the mean slice that "
        f"an interruption ends, in {', '.join(where)}",
        [each.all() for each in holds.values()],
    )


THETAS = (5.0, 1.0, 0.2, 0.02)  # in mean sizes


@functools.cache
def counted(load, law, share, how):
    """Interruptions of a job of each class for theta of so many mean sizes, over five pairs of capacities."""
    size = {**paper_sizes(), "exponential": Exponential()}[law]
    theta, tops, bottoms, estimates = share * size.mean, [], [], []
    first = (THETAS.index(share) - sum(map(ord, law))) % 4
    for number, (graph, traffic) in itertools.islice(enumerate(systems(load)), first, None, 4):
        rates, length = traffic / size.mean, {"warmup": 500, "seed": number}
        events = int(400 * (2 + 1 / share))
        if how in ("by capacity", "alike"):
            clocks = np.full(2, 1 / theta) if how == "alike" else None
            seen = [path(graph, rates, size, events, theta=theta, clocks=clocks, number=k, **length)
                    for k in range(10)]  # fmt: skip
            tops.append([each.interruptions for each in seen])
            bottoms.append([each.departures for each in seen])
        else:
            counts, _, weights = size.erlang_mixture()
            run = {"jumps": int(events + 400 * (counts @ weights - 1)), "replications": 10, **length}
            estimates.append(how.simulate(graph, rates, size, 1 / share, **run).interruptions_per_job)
    if tops:
        return ratio_of(np.sum(tops, axis=0), np.sum(bottoms, axis=0))
    half_width = np.sqrt(np.sum([each.half_width**2 for each in estimates], axis=0)) / len(estimates)
    return np.mean([each.value for each in estimates], axis=0), half_width


@check("roundrobin-003", timers="alike")
def interruptions_per_job(timers="by capacity"):
    """Interruptions of jobs over sigma / theta: paths that know theta, and the library's simulators, which know m.

    In the control both computers have timers of the same rate, on the paths.
    """
    settings = list(itertools.product((0.3, 0.9), ("a", "b", "c", "exponential"), THETAS))
    worst = max(
        farthest(*counted(*setting, how), 1 / setting[2])
        for setting in settings
        for how in (timers, multiserver, interruptions)
    )
    text, inside = told(worst, 9 * len(settings), 10)
    return finding(text, inside)


@check("roundrobin-008", fast=True)
def formula_for_m(fast=False):
    """Interruptions of a job against the product sigma theta and the quotient.

    The control's timers have the rate C_s theta and its sizes the mean 1, so that they are interrupted theta times.
    """
    printed, corrected, count = 0.0, 0.0, 0
    for mean, share in itertools.product((1.0,) if fast else (0.5, 3.0), (0.2, 2.0)):
        theta, size = share * mean, Hyperexponential((5 * mean, mean / 5), (1 / 6, 5 / 6))
        for number, (graph, traffic) in itertools.islice(enumerate(systems(0.6)), 4):
            clocks = np.array(graph.capacities) * theta if fast else None
            seen = [path(graph, traffic / mean, size, 3000, warmup=500, theta=theta, clocks=clocks, seed=8, number=k)
                    for k in range(10)]  # fmt: skip
            found = [ratio_of([each.interruptions for each in seen], [each.departures for each in seen])]
            if not fast:
                run = {"jumps": 4000, "warmup": 500, "replications": 10, "seed": number}
                estimate = multiserver.simulate(graph, traffic / mean, size, mean / theta, **run).interruptions_per_job
                found.append((estimate.value, estimate.half_width))
            printed = max(printed, *(farthest(*each, mean * theta) for each in found))
            corrected = max(corrected, *(farthest(*each, mean / theta) for each in found))
            count += 3 * len(found)
    bound = widened(count, 10)
    return erratum(
        f"the product is up to {printed:.0f} half widths away, the quotient {corrected:.1f}; {bound:.1f} allowed",
        printed < bound, corrected < bound,
    )  # fmt: skip


def exponential(values, rate, level):
    """Whether numbers pass the test of Kolmogorov and Smirnov of the exponential law of a rate."""
    return stats.kstest(np.asarray(values) * rate, "expon").pvalue > level


@check("roundrobin-011", fixed=True)
def time_before_interruption(fixed=False):
    """Visits of endless jobs: their times, and their work, by class and set of computers at the start.

    In the control the timers run for a fixed time.
    """
    graphs = [graph for graph, _ in clusters(count=20, servers=4)] + [CompatibilityGraph(CLASSES, (0.5, 2.0))]
    times, works, rates, full = [], [], [], []
    for number, graph in enumerate(graphs):
        capacities, width = np.array(graph.capacities), 1 << graph.servers
        power = [sum(c for s, c in enumerate(capacities) if own >> s & 1) for own in range(width)]
        for load in (0.3, 0.9):
            most = max(1.0 / graph.service_rate([i]) for i in range(graph.classes))
            each = load / most / graph.classes / 1000
            seen = path(graph, np.full(graph.classes, each), Exponential(1000.0), 40_000, warmup=1000, theta=1.0,
                        fixed=fixed, visits=40_000, seed=11, number=number)  # fmt: skip
            kind, at = seen.visits[:, 0].astype(int), seen.visits[:, 1].astype(int)
            for i, own in itertools.product(range(graph.classes), range(1, width)):
                group = seen.visits[(kind == i) & (at == own)]
                if len(group) >= 500:
                    times.append(group[:, 3] * power[own])
                    works.append(group[:, 2])
                    full.append(own == sum(1 << s for s in graph.servers_of_class[i]))
                if seen.hits[i, own] >= 500:
                    rates.append((seen.exposure[i, own] * power[own] / seen.hits[i, own] - 1)
                                 * np.sqrt(seen.hits[i, own]))  # fmt: skip
    level, bound = 0.001 / len(times), stats.norm.ppf(1 - 0.025 / len(rates))
    by_time = np.array([exponential(each, 1.0, level) for each in times])
    by_work = np.array([exponential(each, 1.0, level) for each in works])
    full, rate_holds = np.array(full), np.abs(rates).max() < bound
    return erratum(
        f"times exponential in {by_time.sum()} of {len(times)} groups of visits, in {by_time[full].sum()} of the "
        f"{full.sum()} that begin with all computers of the class; work in {by_work.sum()}; interruptions over the "
        f"time of a set of computers {'as' if rate_holds else 'not as'} told",
        bool(by_time.all()), bool(by_work.all() and rate_holds and by_time[full].all()),
    )  # fmt: skip
