"""Claims of `roundrobin`, Sections I and II, Figures 1 and 2: who is served, and what interruptions are good for."""

import functools
import itertools

import numpy as np

from clustershare import interruptions, multiserver
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import ErlangMixture, Exponential, bimodal_hyperexponential
from compendium.press.findings import check, finding, over_domain
from compendium.press.words import SCALE
from pages.balanced_fairness.intervals import mean_of, told
from pages.balanced_fairness.lines import chain, law
from pages.balanced_fairness.paths import path
from pages.balanced_fairness.published import difference_between
from pages.balanced_fairness.systems import paper_sizes
from pages.round_robin.systems import (
    CLASSES,
    NUMBERS,
    example,
    more_and_more_interruptions,
    random_capacities,
    random_traffic,
    round_robin_path,
)


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


SETS = {0: {0b01}, 1: {0b01, 0b10, 0b11}, 2: {0b10}}  # of computers that the caption lets each class have, as bits


@check("roundrobin-001", servers_of_class=((0,), (1,), (1,)))
def three_classes(servers_of_class=CLASSES):
    """The sets of computers ever at work for each class on paths, and the rates of lone jobs by the library."""
    wrong, gap = 0, 0.0
    for number, capacities in enumerate(random_capacities(20)):
        graph = CompatibilityGraph(servers_of_class, capacities)
        first, second = capacities
        rates = 0.4 * min(capacities) * np.ones(3)
        found = path(graph, rates, Exponential(), 100_000, seed=1, number=number)
        wrong += sum(set(np.flatnonzero(found.exposure[i])) != SETS[i] for i in range(3))
        gap = max(gap, found.gap)
        alone = [multiserver.state_rates(graph, [i])[0] for i in range(3)]
        gap = max(gap, np.abs(np.subtract(alone, (first, first + second, second))).max())
        together = {(0,): first, (2,): second}  # all other sets of classes have both computers
        for A in (A for n in (1, 2, 3) for A in itertools.combinations(range(3), n)):
            gap = max(gap, abs(graph.service_rate(A) - together.get(A, first + second)))
    return finding(
        f"{wrong} of 60 classes have other computers than told; rates {'equal' if gap < 1e-12 else 'not equal'} "
        "within 1e-12", wrong == 0 and gap < 1e-12,
    )  # fmt: skip


@functools.cache
def departures_apart(capacities, graph, share, letter, load):
    """The largest difference of two logs of round robin: one measures the time of a slice, the other its work."""
    size = paper_sizes()[letter]
    mean_slice = share * size.mean
    rates = load * sum(capacities) / size.mean / len(graph) * np.ones(len(graph))
    cluster = CompatibilityGraph(graph, capacities)
    slices = np.full(len(capacities), sum(capacities) / len(capacities) / mean_slice)
    by_time = path(cluster, rates, size, 2000, clocks=slices, fixed=True, log=2000, seed=10)
    by_work = path(cluster, rates, size, 2000, quantum=mean_slice, log=2000, seed=10)
    if (by_time.log[:, 1:] != by_work.log[:, 1:]).any():
        return np.inf
    return float(np.abs(by_time.log[:, 0] / by_work.log[:, 0] - 1).max())


@check("roundrobin-010", shape=((0,), (0, 1), (1,)))
def equal_slices_of_time(shape=((0,),)):
    """Round robin by time and by work on the same arrivals and sizes; in the control on two unequal computers."""
    apart = [
        departures_apart(capacities[: max(map(max, shape)) + 1], shape, share, letter, load)
        for capacities in (*random_capacities(4), (0.1, 3.0), (3.0, 0.1))
        for share in (0.05, 0.2, 0.7, 2.0)
        for letter in paper_sizes()
        for load in (0.3, 0.6, 0.9)
    ]
    worst, other = max(apart), sum(not np.isfinite(each) for each in apart)
    said = "same events at the same times within 1e-9" if worst < 1e-9 else f"another order in {other}"
    return finding(f"{said}, of {len(apart)} paths of 2000 events", worst < 1e-9)


MANY_PHASES = ErlangMixture(0.5, (1, 3), (0.5, 0.5))


def sensitivity(rows, capacities, load, index):
    """The least and the greatest difference of the mean service rates of the four laws, by number of interruptions."""
    chosen = rows[(rows["capacities"] == capacities) & (rows["load"] == load) & (rows["index"] == index)]
    exact = multiserver.balanced_fairness(**example(load, capacities)).mean_service_rate[index]
    laws = [
        chosen[chosen["letter"] == letter].sort_values("interruptions")[["estimate", "half_width"]].to_numpy().T
        for letter in paper_sizes()
    ]
    laws.append(np.array([np.full(len(NUMBERS), exact), np.zeros(len(NUMBERS))]))
    pairs = [difference_between(one, two) for one, two in itertools.combinations(laws, 2)]
    return np.max([pair[0] for pair in pairs], axis=0), np.max([pair[1] for pair in pairs], axis=0)


def distance(graph, rates, size, m, most, stays):
    """How far the mean numbers are from those of exponential sizes; or if interrupted jobs stay at the head."""
    if not stays:
        return multiserver.distance_from_balanced_fairness(graph, rates, size, m, most)
    short, of, found = chain(graph, rates, size, most, size.mean / m if m else np.inf, to="place")
    jobs = law(short.first[-1], found) @ short.counts(of)
    fair = multiserver.interrupted_queue(graph, rates, Exponential(size.mean), 0, most).mean_jobs
    return np.abs(jobs / fair - 1).max()


@check("roundrobin-004", stays=True)
def less_and_less_sensitive(stays=False):
    """The spread of four laws in stored runs, and the distance to balanced fairness in chains, as m grows."""
    rows, holds, rises = more_and_more_interruptions(), [], []
    rows = rows[rows["quantity"] == "mean_service_rate"]
    for capacities, load, index in itertools.product(rows["capacities"].unique(), rows["load"].unique(), range(3)):
        least, greatest = sensitivity(rows, capacities, load, index)
        up = np.flatnonzero(least[1:] > greatest[:-1])
        holds.append(len(up) == 0)
        rises += [f"load {load:g}, m = {NUMBERS[k]:g} to {NUMBERS[k + 1]:g}" for k in up]
    smallest, falls = np.inf, []
    for graph, rates in random_traffic(10):
        for size, most in ((bimodal_hyperexponential(), 3), (MANY_PHASES, 2)):
            found = np.array([distance(graph, rates / size.mean, size, m, most, stays) for m in NUMBERS])
            falls.append(bool((found[1:] < found[:-1] * (1 - 1e-9)).all()))
            smallest = min(smallest, found[0] / found[-1])
    return over_domain(
        f"simulated: {'no rise beyond the intervals' if not rises else 'rises at ' + '; '.join(rises)}; exact: the "
        f"distance falls in {sum(falls)} of {len(falls)} systems, to 1/{smallest:.0f} or less at m = 50",
        [*holds, *falls],
    )


ONE = CompatibilityGraph([[0]], [1.0])
JOBS = {1: 2000, 5: 1000, 50: 300}  # of a path, by the number of interruptions
POINTS = list(itertools.product((0.1, 0.3, 0.5, 0.7, 0.9), "abc", (1, 5, 50)))


@functools.cache
def stays(load, letter, m, kind):
    """Mean delays over the mean size on ten paths of one computer: of the algorithm, of round robin, or of FCFS."""
    size, found = paper_sizes()[letter], []
    theta = size.mean / m
    rule = {"algorithm": {"theta": theta}, "round robin": {"quantum": theta}, "first come": {}}[kind]
    for number in range(10):
        # The same jobs come, whatever the rule; a path ends with its last job.
        seen = path(ONE, [load / size.mean], size, 0, jobs=JOBS[m], until_empty=True, seed=15, number=number, **rule)
        found.append(seen.delays[0] / seen.departures[0] / size.mean)
    return np.array(found)


def relative(one, two):
    """The relative difference of two means over the same paths, and its half width."""
    larger = max(one.mean(), two.mean())
    difference, half_width = mean_of((one - two) / larger)
    return difference, half_width


@functools.cache
def by_library(letter, m, rule):
    """Mean delay over the mean size at load 0.7 by the library's simulator, and its half width."""
    size = paper_sizes()[letter]
    run = {"jumps": 40_000, "warmup": 4000, "seed": 15}
    found = interruptions.simulate(ONE, [0.7 / size.mean], size, m, rule, **run).mean_delay
    return found.value[0] / size.mean, found.half_width[0] / size.mean


@check("roundrobin-015", kind="first come")
def like_round_robin(kind="algorithm"):
    """Delays of the algorithm and of round robin with fixed quanta on the same jobs, and in the library's simulator.

    In the control jobs are served first come, first served.
    """
    holds, worst, unsure, apart, nearer = [], (0.0, ""), [], 0.0, True
    for load, letter, m in POINTS:
        off, doubt = relative(stays(load, letter, m, kind), stays(load, letter, m, "round robin"))
        name = f"load {load:g}, {letter}, m = {m:g}"
        worst = max(worst, (abs(off), name))
        if SCALE["comparable"].allows(abs(off) + doubt):
            holds.append(True)
        elif not SCALE["comparable"].allows(max(0.0, abs(off) - doubt)):
            holds.append(False)
        else:
            unsure.append(name)
    for letter, (rule, same) in itertools.product("abc", (("timer", kind), ("quantum", "round robin"))):
        before = np.inf
        for m in JOBS:
            (value, half_width), (delay, doubt) = by_library(letter, m, rule), mean_of(stays(0.7, letter, m, same))
            apart = max(apart, abs(value - delay) / np.hypot(half_width, doubt))
            nearer &= abs(value - 1 / 0.3) - half_width <= before
            before = abs(value - 1 / 0.3) + half_width
    text, inside = told(apart, 18, 10)
    nearer = "nearer and nearer to" if nearer else "not always nearer to"
    return over_domain(
        f"worst difference {worst[0]:.2f}, at {worst[1]}; {sum(holds)} points similar, {len(holds) - sum(holds)} not, "
        f"{len(unsure)} too wide to tell; {text}; as m grows, {nearer} sharing",
        [*holds, inside, nearer.startswith("nearer")],
    )
