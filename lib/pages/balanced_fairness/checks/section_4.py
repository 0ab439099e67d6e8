"""Claims of `balanced`, Section 4, on the algorithm: how it is printed, what its timers do, and what sizes do to it."""

import functools
import heapq
import itertools

import numpy as np

from clustershare import interruptions, multiserver, splitting
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import ErlangMixture, Exponential, bimodal_hyperexponential
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    equalities,
    everywhere,
    exact,
    grid,
    measured,
)
from compendium.press.clauses.conditions import agrees, at_least, equal, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.balanced_fairness.points.chains import AlgorithmChain, off_the_queue
from pages.balanced_fairness.points.published import (
    EXPONENTIAL,
    FIGURES,
    RATE,
    classes,
    curve,
    delays_fit,
    laws,
    points,
)
from pages.balanced_fairness.printed import algorithm_1
from pages.balanced_fairness.systems import (
    LOADS,
    ONE,
    balance_functions,
    clusters,
    cut,
    paper_sizes,
    random_clusters,
    random_graphs,
    three_kinds,
    three_servers,
    without_an_edge,
)
from pages.balanced_fairness.witnesses.lines import INTERRUPTED, LEAVES, chain, law
from pages.balanced_fairness.witnesses.numbers import fair_jobs, off_product_form, on_the_lattice
from pages.balanced_fairness.witnesses.paths import mean_of, path, ratio_of


def misplaced_servers(**reading):
    """That after no event of Algorithm 1 some server serves another job than the library's, the first that it may."""
    rng = np.random.default_rng(9)

    def wrong(graph, _):
        def first(queue):
            jobs = interruptions.served(graph, list(enumerate(queue)))
            return [None if job is None else queue[job] for job in jobs]

        return sum(first(queue) != serving for queue, serving in algorithm_1(graph, rng, 400, **reading))

    def not_in_service(graph, rates):
        """Of the library's trace, how many jobs leave or are interrupted that no server is at."""
        events = interruptions.trace(graph, rates, Exponential(), 1, events=400, seed=9)
        before = [(), *(event.queue for event in events)]
        return sum(
            event.job not in interruptions.served(graph, queue)
            for queue, event in zip(before, events) if event.kind != "arrival"
        )  # fmt: skip

    def apart(graph, rates):
        """What the simulators' mean numbers of jobs differ by."""
        run = {"interruptions": 1, "jumps": 20_000, "warmup": 5_000, "seed": 46}
        one, other = (each.simulate(graph, rates, bimodal_hyperexponential(), **run).mean_jobs
                      for each in (multiserver, interruptions))  # fmt: skip
        half = np.hypot(one.half_width, other.half_width)
        return measured(one.value - other.value, half, runs=10, **{"class": (1, 2, 3)})

    found = random_graphs().measure(wrong)
    few = cases("random graph", random_graphs(load=0.7).cases[:4], seed=7)
    return conclude(
        everywhere("the number of 400 events after which a server has a wrong job", found, within(0)),
        everywhere("that of 400 of the library's trace which stop a job that no server is at",
                   random_graphs().measure(not_in_service), within(0)),
        everywhere("the mean numbers of jobs of its two simulators, less each other,", few.measure(apart), agrees()),
        whole=True,
    )  # fmt: skip


@check("balanced-046", release="the server of the timer")
def classes_name_jobs(release="all"):
    """Algorithm 1 as printed; the control takes the inner s for the server whose timer expired."""
    return misplaced_servers(release=release)


@check("balanced-047", position=-1)
def position_of_the_job(position=0):
    """Algorithm 1 with the first job of the class; the control takes the last."""
    return misplaced_servers(position=position)


def interrupted(letter, m, jumps=300_000, capacities=(1.0, 1.0, 1.0), how=multiserver):
    """The simulated number of interruptions of a job of Figure 1 at load 0.8 less m, by class."""
    size = paper_sizes()[letter]
    run = {"sizes": size, "interruptions": m, "jumps": jumps, "seed": "abc".index(letter)}
    found = how.simulate(**three_servers(0.8, capacities, size.mean), **run).interruptions_per_job
    return measured(found.value - m, found.half_width, runs=10, **{"class": (1, 2)})


def with_unequal_servers(said):
    """That jobs of both simulators are interrupted once, if so told, by servers of unequal capacities: a clause."""
    ways = {"simulator": multiserver, "plain simulator": interruptions}
    unequal = grid(law="abc", capacities=((0.3, 1.0, 2.5), (0.5, 0.0, 2.0)), way=ways)
    found = unequal.measure(lambda letter, given, way: interrupted(letter, 1, 30_000, given, ways[way]))
    return everywhere("that with servers of unequal capacities, for m = 1,", found, agrees(said))


def off_the_number(graph, rates, size, m):
    """How far the library's exact interruptions of a job, in queues of up to 2 jobs, are from m, relatively."""
    return np.abs(multiserver.interrupted_queue(graph, rates, size, m, 2).interruptions_per_job / m - 1).max()


@check("balanced-014", timers="alike")
def mean_interruptions(timers="by capacity"):
    """Interruptions over departures, as flows of a chain whose timers know theta alone; and counted in simulations.

    In the control all timers have the rate 1 / theta, whatever the capacity of their server.
    """
    rng = np.random.default_rng(14)

    def gap(graph, rates):
        mean = rng.uniform(0.2, 5)
        theta, off, exactly = mean * 20 ** rng.uniform(-1, 1), [], []
        other = {} if timers == "by capacity" else {"timers": np.full(graph.servers, 1 / theta)}
        for name, size in three_kinds(mean).items():
            short, _, found = chain(graph, rates / mean, size, cut(name), theta, **other)
            sources, _, speed, event, of = found
            flow = law(short.first[-1], found)[sources] * speed
            interrupted, left = (
                np.bincount(of, flow * (event == kind), graph.classes) for kind in (INTERRUPTED, LEAVES)
            )
            off.append(np.abs(interrupted / left / (mean / theta) - 1).max())
            exactly.append(off_the_number(graph, rates / mean, size, mean / theta))
        told = multiserver.exact(graph, rates / mean, Exponential(mean), mean / theta).interruptions_per_job
        exactly.append(np.abs(told * theta / mean - 1).max())
        return {
            "interruptions over departures in chains, and sigma / theta,": max(off),
            "the library's exact number of interruptions, and sigma / theta,": max(exactly),
        }

    return conclude(
        *equalities(random_clusters(count=30, classes=3, servers=4).measure(gap), 1e-9),
        everywhere("the simulated number of interruptions of a job", grid(law="abc", m=(0.5, 5)).measure(interrupted),
                   agrees("is m within its interval")),
        with_unequal_servers("is m within its interval"),
        whole=True,
    )  # fmt: skip


@functools.cache
def slices(m, letter, alike):
    """Mean work of the slices that an interruption ends, and work over interruptions, over theta, with half widths."""
    size, every = laws()[letter], list(enumerate(clusters(classes=3)))[list(laws()).index(letter) :: 4]
    theta, sums = size.mean / m, np.zeros((4, 10))
    for (number, (graph, rates)), k in itertools.product(every, range(10)):
        clocks = np.full(graph.servers, 1 / theta) if alike else None
        seen = path(graph, rates / size.mean, size, 1000, theta=theta, clocks=clocks, visits=1000, seed=68,
                    number=10 * number + k)  # fmt: skip
        ended = seen.visits[:, 2]
        sums[:, k] += ended.sum() / theta, len(ended), seen.work.sum() / theta, seen.interruptions.sum()
    return ratio_of(*sums[:2]), ratio_of(*sums[2:])


@check("balanced-068", alike=True)
def work_between_interruptions(alike=False):
    """Work of slices that an interruption ends, and all work over all interruptions; the control's timers are alike."""
    numbers, sizes = (0.1, 1, 5, 50), list(three_kinds(1.0).values())  # of interruptions of a job
    found = np.array([[slices(m, letter, alike) for letter in laws()] for m in numbers])  # by m, law, reading
    ended, every = (measured(*np.moveaxis(found[:, :, k], -1, 0), runs=10, m=numbers, law=laws()) for k in (0, 1))
    near = [m for m, each in zip(numbers, np.abs(ended.value - 1).max(axis=1)) if SCALE["very close"].allows(each)]
    return conclude(
        everywhere("in units of theta, all work over all interruptions", every - 1, agrees("is 1 within its interval")),
        everywhere("the mean slice that an interruption ends", ended - 1, agrees("is 1 within its interval")),
        aside(
            "in units of theta, the mean slice that an interruption ends, at least,", ended.smallest("law").scaled(1)
        ),
        aside("the m from which on it is within 0.02 of 1", exact(near[:1], m=near[:1])),
        provided=[
            everywhere(
                "the library's simulated number of interruptions of a job",
                grid(law="abc", m=(1, 5)).measure(lambda letter, m: interrupted(letter, m, 100_000)),
                agrees("is sigma / theta within its interval"),
            ),
            with_unequal_servers("is sigma / theta within its interval"),
            everywhere(
                "the library's exact number of interruptions of a job, and sigma / theta,",
                cases("random cluster", enumerate(clusters(classes=3)[:25]), seed=2017).measure(
                    lambda number, system: max(off_the_number(*system, sizes[number % 3], m) for m in numbers)
                ),
                equal(1e-9),
            ),
        ],
    )


def anew(number, m, index, load, letter):
    """A simulated mean service rate, and its half width, from twice as many runs and other random numbers."""
    size, run = laws()[letter], {"jumps": 300_000, "warmup": 100_000, "replications": 60, "seed": 31}
    system = FIGURES[number][1](load, mean_size=size.mean)
    rate = multiserver.simulate(**system, sizes=size, interruptions=m, **run).mean_service_rate
    return [np.atleast_1d(each)[index] for each in (rate.value, rate.half_width)]


@check("balanced-031", letter="b", fair=without_an_edge)
def exponential_sizes(letter=EXPONENTIAL, fair=lambda graph: graph):
    """The chain of the line with any m against (3), and simulated points against the curves of Figures 1 to 4.

    A point outside its interval is simulated anew, if there are no more than two. In the control (3) is that of the
    graph less an edge, and the points are those of hyperexponential sizes.
    """

    def off_the_law(graph, rates):
        phi, found = balance_functions(fair(graph), 4), AlgorithmChain(graph, rates, Exponential(), 4)
        return max(off_product_form(found.numbers(m), rates, phi) for m in (0, 0.5, 1, 5, 50))

    def off_in_the_queue(graph, rates):
        phi = balance_functions(fair(graph), 3)
        jobs = fair_jobs(rates, phi)
        mean = multiserver.interrupted_queue(graph, rates, Exponential(), 5, 3).mean_jobs
        distance = multiserver.distance_from_balanced_fairness(graph, rates, Exponential(), 5, 3)
        return max(np.abs(mean / jobs - 1).max(), distance)

    def off_the_mean(graph, rates):
        _, jobs = on_the_lattice(fair(graph), rates)
        found = [answers.exact(graph, rates, Exponential(), 5).mean_jobs for answers in (multiserver, interruptions)]
        return np.abs(found / jobs - 1).max()

    few = cases("random cluster", [each for each in clusters(classes=3) if each[0].classes < 3], seed=2017)
    few = few.without("unstable", lambda graph, rates: not multiserver.is_stable(fair(graph), rates))
    series = [(number, m, index) for number in FIGURES for m in (0, 1, 5) for index in classes(number)]
    simulated = cases("curve", series, names=[f"Figure {n}, m = {m}, class {index + 1}" for n, m, index in series])
    found = simulated.measure(lambda number, m, index: points(number, letter, RATE, index, m))
    fairly = simulated.measure(lambda number, m, index: curve(number, EXPONENTIAL, RATE, index))
    outside = np.argwhere(agrees().outside(found - fairly, found.widened(found.asked)))
    if len(outside) <= 2:
        for k, load in outside:
            found.value[k, load], found.half[k, load] = anew(*series[k], LOADS[load], letter)
    return conclude(
        everywhere("the law of the numbers in the chain, at each m, and (3)",
                   random_clusters(classes=3).measure(off_the_law), equal(1e-9)),
        everywhere("the mean numbers of the exact answers and of (3)", few.measure(off_the_mean), equal(1e-9)),
        everywhere("the mean numbers in the library's chain and of (3), and its distance and 0,",
                   random_clusters(classes=3).measure(off_in_the_queue), equal(1e-9)),
        everywhere("the simulated mean service rate of exponential sizes", found - fairly,
                   agrees("is that of balanced fairness within its interval")),
        delays_fit(FIGURES, [letter], (0, 1, 5)),
        aside("points simulated anew, by load", exact([LOADS[load] for _, load in outside[:2]], point=None)),
        whole=True,
    )  # fmt: skip


@check("balanced-066", phases=4)
def capacities_over_the_mean_size(phases=1):
    """The chain in units of work against (3) with mu_s = C_s / sigma, and simulated numbers; in the control Erlang."""
    rng, most = np.random.default_rng(66), 4 if phases == 1 else 2
    systems = [(graph, work, rng.uniform(0.2, 5)) for graph, work in clusters(classes=3)]

    def slower(graph, mean):
        return CompatibilityGraph(graph.servers_of_class, np.array(graph.capacities) / mean)

    def answers(graph, work, mean):
        """How far the library's answers for sizes of that mean are from those for mu_s = C_s / sigma."""
        rates, size = work / mean, Exponential(mean)
        expected, off = multiserver.balanced_fairness(slower(graph, mean), rates), []
        for found in (multiserver.balanced_fairness(graph, rates, size), multiserver.exact(graph, rates, size, 0)):
            off += [found.mean_jobs / expected.mean_jobs - 1, found.mean_delay / expected.mean_delay - 1]
        phi = balance_functions(slower(graph, mean), 3)
        queue = multiserver.interrupted_queue(graph, rates, size, 0, 3).mean_jobs
        return np.abs([*off, queue / fair_jobs(rates, phi) - 1]).max()

    def gap(graph, work, mean):
        phi, size = balance_functions(slower(graph, mean), most), ErlangMixture(mean / phases, (phases,), (1.0,))
        found = AlgorithmChain(graph, work / mean, size, most).numbers(0)
        return off_product_form(found, work / mean, phi)

    off = []
    for number, (graph, work, mean) in enumerate(systems[:3]):
        run = {"jumps": 100_000, "warmup": 20_000, "seed": number}
        jobs = multiserver.simulate(graph, work / mean, Exponential(mean), 0, **run).mean_jobs
        expected = multiserver.balanced_fairness(slower(graph, mean), work / mean).mean_jobs
        off += zip(jobs.value - expected, jobs.half_width)
    return conclude(
        everywhere("the laws of the numbers in the chain and by (3)",
                   cases("random cluster", systems, seed=2017).measure(gap), equal(1e-9)),
        everywhere("the library's answers for sizes of mean sigma and for mu_s = C_s / sigma",
                   cases("random cluster", systems, seed=2017).measure(answers), equal(1e-9)),
        everywhere("the simulated mean number of jobs", measured(*np.transpose(off), runs=10, number=None),
                   agrees("is that of (3) within its interval")),
        whole=True,
    )  # fmt: skip


def shared(load, size, jobs, rng):
    """Mean number of jobs on a server that is shared equally: each job leaves when as much was done on every job."""
    arrivals = np.cumsum(rng.exponential(size.mean / load, jobs)).tolist()
    sizes, inside, now, done, area = size.sample(rng, jobs).tolist(), [], 0.0, 0.0, 0.0
    for number, (arrival, amount) in enumerate(zip(arrivals, sizes)):
        if number == jobs // 3:
            area, start = 0.0, now  # a third is left out: it begins with nobody there
        while inside and now + (inside[0] - done) * len(inside) <= arrival:
            step = (inside[0] - done) * len(inside)
            area, now, done = area + len(inside) * step, now + step, heapq.heappop(inside)
        if inside:
            done += (arrival - now) / len(inside)
        area, now = area + len(inside) * (arrival - now), arrival
        heapq.heappush(inside, done + amount)
    return area / (now - start)


@check("balanced-067", interruptions=100)
def very_sensitive_or_not_at_all(interruptions=0):
    """Delays of one server under four laws: first come, first served, and shared; the control interrupts jobs often."""
    length = {"jumps": 20_000 if interruptions else 40_000, "warmup": 20_000, "seed": 67}
    rng = np.random.default_rng(67)

    def simulated(load, law):
        size = laws()[law]
        run = multiserver.simulate(ONE, [load / size.mean], size, interruptions, **length).mean_delay
        return measured(run.value[0] / size.mean, run.half_width[0] / size.mean, runs=10)

    def by_formula(load, law):
        size = laws()[law]
        queue = [load / size.mean], [1 / size.mean], [size.variance]
        return splitting.parallel_response_time(*queue) / size.mean

    def sharing(load, law):
        value, half = mean_of([shared(load, laws()[law], 6000, rng) for _ in range(10)])
        return measured(value - multiserver.balanced_fairness(ONE, [load]).mean_jobs[0], half, runs=10)

    def shared_by_library(load, law):
        size = laws()[law]
        run = {"jumps": 20_000, "warmup": 5_000, "seed": 67}
        jobs = multiserver.simulate_beside_balanced_fairness(ONE, [load / size.mean], size, 1, **run).companion_jobs
        return measured(jobs.value[0] - load / (1 - load), jobs.half_width[0], runs=10)

    def exactly_shared(load, law):
        size = laws()[law]
        return multiserver.balanced_fairness(ONE, [load / size.mean], size).mean_jobs[0] * (1 - load) / load - 1

    def exactly_in_line(load, law):
        size = laws()[law]
        return multiserver.exact(ONE, [load / size.mean], size, 0).mean_delay[0] / size.mean / by_formula(load, law) - 1

    some = grid(load=[round(0.1 * k, 12) for k in range(1, 9)], law=laws())
    found = some.measure(simulated)
    delays = (
        exact(found.value, **dict(found.axes)) if interruptions else grid(load=LOADS, law=laws()).measure(by_formula)
    )
    formula = everywhere("the simulated delay, first come, first served,", found - some.measure(by_formula),
                         agrees("is that of the formula within its interval"))  # fmt: skip
    in_words = "is rho / (1 - rho) within its interval"
    alike = everywhere("the simulated number of jobs that share a server",
                       grid(load=(0.3, 0.6, 0.9), law=laws()).measure(sharing), agrees(in_words))  # fmt: skip
    companion = everywhere("the simulated number of jobs of the library's companion",
                           grid(load=(0.3, 0.6), law=laws()).measure(shared_by_library), agrees(in_words))  # fmt: skip
    number = everywhere("its exact number of jobs that share a server, and rho / (1 - rho),",
                        grid(load=LOADS, law=laws()).measure(exactly_shared), equal(1e-12))  # fmt: skip
    line = everywhere("its exact delay, first come, first served, and that of the formula,",
                      grid(load=(0.05, 0.1), law=("b", EXPONENTIAL)).measure(exactly_in_line), equal(1e-3))  # fmt: skip
    apart = exact(1 - delays.smallest("law").value / delays.largest("law").value, load=dict(delays.axes)["load"])
    return conclude(
        at_each("first come, first served, the difference of the delays of the four laws, of the larger,", apart,
                at_least(SCALE["much"].least)),
        provided=[*([] if interruptions else [formula, line]), alike, companion, number],  # none with interruptions
    )  # fmt: skip


@check("balanced-078", kinds=("exponential",))
def insensitive(kinds=("exponential", "hyperexponential", "Erlang mixture")):
    """The law of the numbers in the library's chain, against (3) cut alike; the control has exponential sizes alone."""
    numbers = (1, 5, 50)

    def off(graph, rates):
        found = []
        for kind in kinds:
            phi, chain = (
                balance_functions(graph, cut(kind)),
                AlgorithmChain(graph, rates, three_kinds(1.0)[kind], cut(kind)),
            )
            found.append([off_product_form(chain.numbers(m), rates, phi) for m in numbers])
        return exact(found, law=kinds, m=numbers)

    def off_in_the_queue(graph, rates):
        return off_the_queue(graph, rates, three_kinds(1.0)["hyperexponential"], numbers, 3)

    def off_the_distance(graph, rates):
        """Of the library's distance from balanced fairness, what it differs by from that of the chain from (3)."""
        size, fair = three_kinds(1.0)["hyperexponential"], fair_jobs(rates, balance_functions(graph, 3))
        chain = AlgorithmChain(graph, rates, size, 3)
        known = [np.abs(chain.jobs(m) / fair - 1).max() for m in numbers]
        told = [multiserver.distance_from_balanced_fairness(graph, rates, size, m, 3) for m in numbers]
        return np.abs(np.subtract(told, known)).max()

    systems = cases("graph", clusters(count=30, classes=3, servers=4))
    gaps = systems.measure(off)
    worst = gaps.largest("graph").largest("law")
    near = next((m for m, gap in zip(numbers, worst.value) if gap < SCALE["practically equal"].most), None)
    return conclude(
        at_each("the law of the numbers of jobs and (3)", gaps, equal(1e-9)),
        aside("probabilities are off by at most", worst),
        *([] if near is None else [aside("none is off by 0.01 from m on, which is", exact(near))]),
        provided=[everywhere("the mean numbers by the library and of the chain", systems.measure(off_in_the_queue),
                             equal(1e-9)),
                  everywhere("the library's distance from balanced fairness and that of the chain from (3)",
                             systems.measure(off_the_distance), equal(1e-9))],
    )  # fmt: skip
