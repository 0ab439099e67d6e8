"""Claims of `roundrobin`, Section II and Figure 2: who is served, and when, how often and why it is interrupted."""

import itertools
from collections import deque

import numpy as np
from scipy import stats

from clustershare import interruptions, multiserver
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import Deterministic, ErlangMixture, Exponential, Hyperexponential, bimodal_hyperexponential
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    everywhere,
    exact,
    fact,
    grid,
    measured,
    mended,
    misprint,
    widened,
)
from compendium.press.clauses.conditions import agrees, at_most, equal, falls, larger, never_rises
from compendium.press.findings import check
from pages.balanced_fairness.systems import clusters, paper_sizes
from pages.balanced_fairness.witnesses.paths import path, ratio_of
from pages.round_robin.points import sensitivity
from pages.round_robin.systems import (
    CLASSES,
    NUMBERS,
    random_capacities,
    random_traffic,
    round_robin_path,
    with_equal_traffic,
)
from pages.round_robin.witnesses import THETAS, counted, departures_apart, mean_numbers_apart, of_classes, slices

NORMAL = stats.norm.ppf(0.975)  # half a 95 % interval, in standard errors


@check("roundrobin-005", servers_of_class=((0,), (1,), (1,)))
def sample_path(servers_of_class=CLASSES):
    """`roundrobin`, Figure 2: who is served by what before each of its steps, and who goes to the end."""
    graph = CompatibilityGraph(servers_of_class, (1.0, 1.0))
    _, events = interruptions.trace_with_steps(graph, **round_robin_path())
    before = [tuple(enumerate((0, 1, 0))), *(event.queue for event in events)]
    moved = all(
        event.queue == (*(job for job in queue if job[0] != event.job), (event.job, dict(event.queue)[event.job]))
        for queue, event in zip(before, events[:4])
    )
    stepped, at = [event.job for event in events[:4]], [interruptions.served(graph, queue) for queue in before[:4]]
    line = f"the line is {' '.join(str(job + 1) for job, _ in events[3].queue)} after the four steps"
    return conclude(
        fact("job 2 has two timers", at[1] == [1, 1], "job 2 has one timer"),
        fact("the steps are of jobs 1, 2, 4 and 3", stepped == [0, 1, 3, 2], "the steps are of other jobs"),
        fact("before each step the computers are at the jobs told", at == [[0, 1], [1, 1], [2, 1], [2, 1]],
             "before some step the computers are at other jobs"),
        fact(f"who is interrupted or comes goes to the end: {line}", moved, f"not all go to the end: {line}"),
        whole=True,
    )  # fmt: skip


@check("roundrobin-002", alike=True)
def work_between_interruptions(alike=False):
    """Work of slices, and work over interruptions, by class and set of computers; the control's timers are alike."""
    numbers = (0.5, 5, 50)  # of interruptions of a job
    slice_means, sums, pairs = [], [], 0
    for m, load, letter in itertools.product(numbers, (0.3, 0.9), paper_sizes()):
        found = np.moveaxis(slices(load, letter, m, alike), -1, 0)
        apart = [standard_errors_apart(*found[:2]), standard_errors_apart(*found[2:])]
        slice_means.append(np.nanmax(apart[0], axis=1))
        sums.append(np.nanmax(apart[1], axis=1))
        pairs += np.isfinite(apart[0]).sum()
    bound = at_most(NORMAL * widened(pairs, np.inf))
    size = bimodal_hyperexponential()
    by_chain = grid(m=numbers, load=(0.3, 0.9)).measure(
        lambda m, load: max(np.ptp(exactly(*system, size, m)) / m for system in with_equal_traffic(load))
    )
    ways = {"simulator": multiserver, "plain simulator": interruptions}
    simulated = grid(load=(0.3, 0.9), way=ways).measure(lambda load, way: counted(load, "b", 0.2, ways[way]))
    return conclude(
        *(
            everywhere(
                f"the largest difference of {what} between classes and sets of computers, in standard errors,",
                exact(np.reshape(found, (len(numbers), -1)), m=numbers, system=None), bound,
            )
            for what, found in (("the work over the interruptions", sums), ("the mean slice", slice_means))
        ),
        provided=[
            everywhere("the library's exact interruptions of a job of any two classes", by_chain, equal(1e-9)),
            everywhere("its simulated number of them, of each class, less 5,", simulated - 5.0, agrees()),
        ],
    )  # fmt: skip


def exactly(graph, traffic, size, m):
    """The library's exact number of interruptions of a job of each class, in queues of up to 2 jobs."""
    return multiserver.interrupted_queue(graph, traffic / size.mean, size, m, 2).interruptions_per_job


def standard_errors_apart(means, errors):
    """How far the means of groups are apart in standard errors of the difference, shape (systems, pairs of groups)."""
    one, other = np.array(list(itertools.combinations(range(means.shape[1]), 2))).T
    return np.abs(means[:, one] - means[:, other]) / np.hypot(errors[:, one], errors[:, other])


@check("roundrobin-003", timers="alike")
def interruptions_per_job(timers="by capacity"):
    """Interruptions of jobs: paths that know theta, and the library's simulators, which know m.

    In the control both computers have timers of the same rate, on the paths.
    """
    ways = {"paths": timers, "simulator": multiserver, "plain simulator": interruptions}
    settings = grid(load=(0.3, 0.9), law=(*paper_sizes(), "exponential"), theta=THETAS, way=ways)
    found = settings.measure(lambda load, law, theta, way: counted(load, law, theta, ways[way]))
    told = settings.measure(lambda load, law, theta, way: 1 / theta)
    few = {"exponential": Exponential(), "hyperexponential": bimodal_hyperexponential()}

    def off_exactly(load, law):
        systems = enumerate(with_equal_traffic(load))
        return max(np.abs(exactly(*each, few[law], 1 / THETAS[k % 4]) * THETAS[k % 4] - 1).max() for k, each in systems)

    return conclude(
        everywhere("the mean number of interruptions", found - told, agrees("is sigma / theta within its interval")),
        everywhere("the library's exact number and sigma / theta",
                   grid(load=(0.3, 0.9), law=few).measure(off_exactly), equal(1e-9)),
        whole=True,
    )  # fmt: skip


@check("roundrobin-004", stays=True)
def less_and_less_sensitive(stays=False):
    """The spread of four laws in stored runs, and the distance to balanced fairness in chains, as m grows."""
    laws = {"hyperexponential": (bimodal_hyperexponential(), 3), "Erlang": (ErlangMixture(0.5, (1, 3), (0.5, 0.5)), 2)}
    systems = list(random_traffic(10))

    def distance(system, law, m):
        """The logarithm: a fall in parts of the distance is what counts."""
        (graph, rates), (size, most) = systems[system - 1], laws[law]
        return np.log(mean_numbers_apart(graph, rates / size.mean, size, m, most, stays))

    distances = grid(system=range(1, 11), law=laws, m=NUMBERS).measure(distance)
    fall, spread = distances.at(m=0) - distances.at(m=50), sensitivity()
    return conclude(
        at_each("the range of the mean rates of the four laws", spread.steps("m", np.add), never_rises()),
        at_each("that range with m = 0 less that with m = 50", spread.at(m=0).less(spread.at(m=50), np.add), larger()),
        at_each("the distance of the mean numbers to balanced fairness", distances.steps("m"), falls(1e-9)),
        aside("from m = 0 to 50 that distance falls by the factor", exact(np.exp(fall.value.ravel()), case=None)),
    )


@check("roundrobin-008", fast=True)
def formula_for_m(fast=False):
    """Interruptions of a job against the product sigma theta and the quotient.

    The control's timers have the rate C_s theta and its sizes the mean 1, so that they are interrupted theta times.
    """
    systems = list(itertools.islice(with_equal_traffic(0.6), 4))

    def interrupted(mean, share, number, way):
        (graph, traffic), theta = systems[number], share * mean
        size = Hyperexponential((5 * mean, mean / 5), (1 / 6, 5 / 6))
        if way == "chain":
            found = multiserver.interrupted_queue(graph, traffic / mean, size, mean / theta, 2).interruptions_per_job
            return of_classes(found, 1e-3 * found)  # far less than intervals
        if way == "simulator":
            run = {"jumps": 4000, "warmup": 500, "replications": 10, "seed": number}
            found = multiserver.simulate(graph, traffic / mean, size, mean / theta, **run).interruptions_per_job
            return of_classes(found.value, found.half_width)
        clocks = np.array(graph.capacities) * theta if fast else None
        seen = [path(graph, traffic / mean, size, 3000, warmup=500, theta=theta, clocks=clocks, seed=8, number=k)
                for k in range(10)]  # fmt: skip
        return of_classes(*ratio_of([each.interruptions for each in seen], [each.departures for each in seen]))

    means, ways = ((1.0,), ("paths",)) if fast else ((0.5, 3.0), ("paths", "simulator", "chain"))
    settings = cases("setting", itertools.product(means, (0.2, 2.0), range(len(systems)), ways))
    return misprint(
        "the mean number of interruptions", settings, truth=interrupted,
        printed=lambda mean, share, *_: mean * share * mean, corrected=lambda mean, share, *_: 1 / share,
    )  # fmt: skip


@check("roundrobin-010", shape=((0,), (0, 1), (1,)))
def equal_slices_of_time(shape=((0,),)):
    """Round robin by time and by work on the same arrivals and sizes; in the control on two unequal computers."""
    capacities = (*random_capacities(4), (0.1, 3.0), (3.0, 0.1))
    computers = max(map(max, shape)) + 1
    settings = grid(system=range(1, 7), slice=(0.05, 0.2, 0.7, 2.0), law=paper_sizes(), load=(0.3, 0.6, 0.9))
    gaps = settings.measure(
        lambda system, *setting: departures_apart(capacities[system - 1][:computers], shape, *setting)
    )
    logs = grid(capacity=[first for first, _ in capacities], slice=(0.06, 0.23, 0.7, 2.0)).measure(off_slices_of_time)
    return conclude(
        everywhere("the times of all events with slices of time and with slices of work", gaps, equal(1e-9)),
        everywhere("those in the library's log of quanta and of slices of time in circular order", logs, equal(1e-9)),
        whole=True,
    )


def off_slices_of_time(capacity, share):
    """How far the library's log of quanta, of five jobs of size 1 on one computer, is from slices of time in turn."""
    line, now, expected = deque((job, 1 / capacity) for job in range(5)), 0.0, []
    while line:
        job, left = line.popleft()
        now += min(left, share / capacity)
        expected.append((now, job))
        if left > share / capacity:
            line.append((job, left - share / capacity))
    one = CompatibilityGraph([[0]], [capacity])
    log = interruptions.trace(one, [1e-12], Deterministic(1.0), 1 / share, [0] * 5, len(expected), rule="quantum")
    if [event.job for event in log] != [job for _, job in expected]:
        return np.inf
    return np.abs(np.divide([event.time for event in log], [time for time, _ in expected]) - 1).max()


def logged_visits(graph, power, seed):
    """Visits in the library's log of events, of six jobs that hardly ever end: class, computers, work and time."""
    present = np.random.default_rng(seed).integers(graph.classes, size=6).tolist()
    log = interruptions.trace(graph, [1e-12] * graph.classes, Exponential(1e9), 1e9, present, 4000, seed=seed)
    queue, now, open_, found = list(enumerate(present)), 0.0, {}, []
    for event in log:
        at = {}
        for s, job in enumerate(interruptions.served(graph, queue)):
            at[job] = at.get(job, 0) | 1 << s
        for job, own in at.items():
            visit = open_.setdefault(job, [own, now, 0.0])
            visit[2] += power[own] * (event.time - now)
        own, start, work = open_.pop(event.job)
        found.append((present[event.job], own, work, event.time - start))
        queue, now = event.queue, event.time
    return np.array(found)


@check("roundrobin-011", fixed=True)
def time_before_interruption(fixed=False):
    """Visits of endless jobs: their times, and their work, by class and set of computers at the start.

    Of the library's log of events, too. In the control the timers of the paths run for a fixed time.
    """
    graphs = [graph for graph, _ in clusters(count=20, servers=4)] + [CompatibilityGraph(CLASSES, (0.5, 2.0))]
    times, works, full, rates, doubts = [], [], [], [], []

    def keep(graph, seen, i, own, power):
        visits = seen[(seen[:, 0] == i) & (seen[:, 1] == own)]
        if len(visits) >= 500:
            times.append(visits[:, 3] * power)
            works.append(visits[:, 2])
            full.append(own == sum(1 << s for s in graph.servers_of_class[i]))

    for number, graph in enumerate(graphs):
        power = np.array([sum(c for s, c in enumerate(graph.capacities) if own >> s & 1)
                          for own in range(1 << graph.servers)])  # fmt: skip
        if not fixed and number in (3, 7, 11, 20):  # a log is slow: random graphs of any kind, and Figure 1's
            logged = logged_visits(graph, power, number)
            for i, own in itertools.product(range(graph.classes), range(1, len(power))):
                keep(graph, logged, i, own, power[own])
        for load in (0.3, 0.9):
            each = load * min(graph.service_rate([i]) for i in range(graph.classes)) / graph.classes / 1000
            seen = path(graph, np.full(graph.classes, each), Exponential(1000.0), 40_000, warmup=1000, theta=1.0,
                        fixed=fixed, visits=40_000, seed=11, number=number)  # fmt: skip
            for i, own in itertools.product(range(graph.classes), range(1, len(power))):
                keep(graph, seen.visits, i, own, power[own])
                if seen.hits[i, own] >= 500:
                    rates.append(seen.exposure[i, own] * power[own] / seen.hits[i, own])
                    doubts.append(NORMAL / np.sqrt(seen.hits[i, own]))
    level = 0.001 / len(times)
    by_time, by_work = (
        cases("group of visits", values).measure(lambda each: stats.kstest(each, "expon").pvalue > level)
        for values in (times, works)
    )
    off = measured(np.array(rates) - 1, doubts, runs=np.inf, set_of_computers=None)
    return mended(
        everywhere("the time before an interruption is exponential", by_time),
        everywhere("the work before it is exponential", by_work),
        everywhere("the time, if a visit begins with all computers of the class, is exponential",
                   by_time.where(full, "begin with fewer computers")),
        everywhere("the time at work from one interruption to the next", off, agrees("is as told within its interval")),
    )  # fmt: skip
