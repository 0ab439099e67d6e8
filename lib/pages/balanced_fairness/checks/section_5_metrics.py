"""Claims of `balanced`, Section 5, on metrics and runs: rates, delays, their bounds and units, and what a jump is."""

import itertools
from dataclasses import replace

import numpy as np
from scipy import stats

from clustershare import interruptions, markov, multiserver
from clustershare.multiserver import CompatibilityGraph
from clustershare.multiserver.chain import ordered_chain
from clustershare.sizes import bimodal_hyperexponential
from compendium.press.clauses import cases, conclude, equalities, everywhere, exact, fact, grid, measured, mended
from compendium.press.clauses.conditions import agrees, at_most, equal, not_larger, within
from compendium.press.findings import AGREES, UNDECIDABLE, check
from pages.balanced_fairness.points.published import (
    EXPONENTIAL,
    FIGURES,
    QUANTITIES,
    RATE,
    bound,
    classes,
    curve,
    curves,
    points,
    simulated,
    ten_paths,
)
from pages.balanced_fairness.systems import (
    LOADS,
    clusters,
    cut,
    paper_sizes,
    random_clusters,
    three_kinds,
    three_servers,
)
from pages.balanced_fairness.witnesses.lines import chain, class_rates, law
from pages.balanced_fairness.witnesses.numbers import on_the_lattice
from pages.balanced_fairness.witnesses.paths import ratio_of


@check("balanced-021", everybody=True)
def rate_is_bounded(everybody=False):
    """No class faster than all its servers: each point and curve of the figures, and the lattice on random clusters.

    In the control every server of a cluster may serve every class.
    """
    drawn = curves(quantities=[RATE])
    most, interruptions = drawn.measure(bound), itertools.cycle((0, 1, 5))

    def fastest(graph, rates):
        own = np.array([graph.service_rate([i]) for i in range(graph.classes)])
        if everybody:
            graph = CompatibilityGraph([range(graph.servers)] * graph.classes, graph.capacities)
        lattice = rates / on_the_lattice(graph, rates)[1]
        found = {"lattice": lattice, "library": multiserver.balanced_fairness(graph, rates).mean_service_rate}
        queue = multiserver.interrupted_queue(graph, rates, bimodal_hyperexponential(), next(interruptions), 2)
        found["library's chain"] = queue.mean_service_rate
        return {name: (each / own).max() for name, each in found.items()}

    def closed(load, capacities):
        system = three_servers(load, capacities)
        own = [system["graph"].service_rate([i]) for i in (0, 1)]
        return np.max(multiserver.three_server_service_rates(capacities, system["arrival_rates"]) - own)

    found = random_clusters(loads=(0.05, 0.6)).measure(fastest)
    return conclude(
        *(
            everywhere(f"the mean service rate with m = {m} less its bound",
                       drawn.measure(lambda *each, m=m: points(*each, m)) - most, not_larger()) for m in (0, 1, 5)
        ),
        everywhere("that of balanced fairness, less its bound", drawn.measure(curve) - most, at_most(1e-9)),
        everywhere("that of (10) and (11), less its bound",
                   grid(load=LOADS, capacities=((1, 1, 1), (1, 0, 1))).measure(closed), at_most(1e-9)),
        *(everywhere(f"in random clusters, that by the {name} over its bound", each, at_most(1 + 1e-9))
          for name, each in found.items()),
        whole=True,
    )  # fmt: skip


@check("balanced-020", anew=True)
def delay_is_size_over_rate(anew=False):
    """Delays of jobs one by one, numbers, and work, counted apart on one path; in the control each visit is a job."""
    places = [*itertools.product((1, 2), "abc", (0, 1, 5), (0.3, 0.6, 0.9)),
              *itertools.product((3, 4), "abc", (1,), (0.6,))]  # fmt: skip

    def ratios(number, letter, m, load, index):
        """The mean delay over the number of jobs in units of 1 / lambda, and over the mean size by work done."""
        rates, found = ten_paths(number, letter, m, load)
        time, mean = np.array([each.time for each in found]), paper_sizes()[letter].mean
        parts = ("delays", "departures", "visits_delay", "interruptions", "jobs", "work")
        delays, departures, visits, interruptions, jobs, work = (
            np.array([getattr(each, part)[index] for each in found]) for part in parts
        )
        delays, departures = (visits, departures + interruptions) if anew else (delays, departures)
        both = delays * time * rates[index] / (departures * jobs), delays * work / (departures * jobs * mean)
        value, half = np.transpose([ratio_of(each, np.ones(10)) for each in both])
        return measured(value - 1, half, runs=10, way=("by the number of jobs", "by the work done"))

    domain = cases("class at a point", [(*place, index) for place in places for index in classes(place[0])])
    drawn = curves(quantities=[RATE])

    def stored(number, letter, _, index):
        rate, delay, jobs = (
            np.array([points(number, letter, quantity, index, m).value for m in (0, 1, 5)])
            for quantity in (*QUANTITIES, "mean_jobs")
        )
        mean = paper_sizes()[letter].mean
        arrivals = [np.atleast_1d(FIGURES[number][1](load, mean_size=mean)["arrival_rates"])[index] for load in LOADS]
        return max(np.abs(rate * delay / mean - 1).max(), np.abs(jobs / arrivals / delay - 1).max())

    def by_9(found, rates, mean):
        """How far a performance is from both equations of (9)."""
        delay = np.asarray(found.mean_delay)
        gaps = delay * found.mean_service_rate / mean - 1, found.mean_jobs / rates / delay - 1
        return max(np.abs(gap).max() for gap in gaps)

    ways = {"simulator": multiserver, "plain simulator": interruptions}

    def in_a_run(number, letter, way):
        size = paper_sizes()[letter]
        system = FIGURES[number][1](0.6, mean_size=size.mean)
        run = {"jumps": 2_000, "warmup": 500, "seed": 20}
        found = ways[way].simulate(**system, sizes=size, interruptions=1, **run)
        rate, delay, jobs = (getattr(found, name).value for name in ("mean_service_rate", "mean_delay", "mean_jobs"))
        return max(np.abs(gap - 1).max() for gap in (delay * rate / size.mean, jobs / system["arrival_rates"] / delay))

    def fairly(number, letter, load):
        size = paper_sizes()[letter]
        system = FIGURES[number][1](load, mean_size=size.mean)
        return by_9(multiserver.balanced_fairness(**system, sizes=size), system["arrival_rates"], size.mean)

    def in_the_queue(number, system):
        (graph, rates), (mean, m) = system, ((0.2, 0), (1.0, 1), (5.0, 5))[number % 3]
        found = [multiserver.interrupted_queue(graph, rates / mean, size, m, 2) for size in three_kinds(mean).values()]
        return max(by_9(one, rates / mean * (1 - one.probability_full), mean) for one in found)

    return conclude(
        everywhere("the mean delay of jobs one by one", domain.measure(ratios), agrees("is (9) within its interval")),
        everywhere("in the figures, both sides of (9)", drawn.measure(stored), equal(1e-9)),
        everywhere("in short runs, both sides of (9)",
                   grid(figure=FIGURES, law="abc", way=ways).measure(in_a_run), equal(1e-9)),
        everywhere("in the exact answers for them, both sides of (9)",
                   grid(figure=FIGURES, law="abc", load=LOADS).measure(fairly), equal(1e-9)),
        everywhere("in exact answers with interruptions, both sides of (9)",
                   cases("random cluster", enumerate(clusters(count=30, classes=3, servers=4))).measure(in_the_queue),
                   equal(1e-9)),
        whole=True,
    )  # fmt: skip


@check("balanced-070", again=True)
def mean_rate(again=False):
    """The mean rate of a class over the law of the line, with mu_s = C_s / sigma and with C_s.

    In the control an interrupted job loses the work that was done on it.
    """
    rng = np.random.default_rng(70)

    def gaps(number, system):
        (graph, rates), mean, m = system, rng.uniform(0.2, 5), (0, 1, 5)[number % 3]
        printed, corrected, library = [], [], []
        for kind, size in three_kinds(mean).items():
            answer = multiserver.interrupted_queue(graph, rates / mean, size, m, 2)
            accepted = rates / mean * (1 - answer.probability_full)
            library.append(np.abs(answer.mean_service_rate * answer.mean_jobs / (accepted * mean) - 1).max())
            fair = multiserver.balanced_fairness(graph, rates / mean, size)
            library.append(np.abs(fair.mean_service_rate * fair.mean_jobs / rates - 1).max())
            if again:
                work, length, probabilities = losing_work(graph, rates / mean, size, cut(kind), m)
            else:
                states, Q, work = ordered_chain(graph, rates / mean, size, m, cut(kind))
                length, probabilities = np.array([len(line) for line in states]), markov.stationary(Q)
            accepted = rates / mean * (1 - probabilities[length == cut(kind)].sum())
            found = probabilities @ work
            printed.append(np.abs(found / mean / (accepted * mean) - 1).max())
            corrected.append(np.abs(found / (accepted * mean) - 1).max())
        return {
            "with mu_s = C_s / sigma, the mean rate and lambda_i sigma": max(printed),
            "with mu_s = C_s, the mean rate and lambda_i sigma": max(corrected),
            "by the library, the mean service rate times the jobs and lambda_i sigma": max(library),
        }

    def simulated(number, letter):
        size = paper_sizes()[letter]
        system = FIGURES[number][1](0.6, mean_size=size.mean)
        found = multiserver.simulate(**system, sizes=size, interruptions=1, jumps=1000, warmup=100, replications=2)
        per_job = found.mean_service_rate.value * found.mean_jobs.value
        return np.abs(per_job / (np.array(system["arrival_rates"]) * size.mean) - 1).max()

    systems = cases("random cluster", enumerate(clusters(count=30, classes=3, servers=4)), seed=2017)
    return mended(
        *equalities(systems.measure(gaps), 1e-9),
        everywhere("simulated, the mean service rate times the jobs and lambda_i sigma",
                   grid(figure=FIGURES, law="abc").measure(simulated), equal(1e-9)),
    )  # fmt: skip


def losing_work(graph, rates, size, most, m):
    """Service rates of the classes, numbers of jobs and law of lines whose interrupted jobs begin again."""
    counts, _, _ = size.erlang_mixture()
    begin = np.repeat(np.cumsum([0, *counts[:-1]]), counts)
    again = (begin + len(begin) * np.arange(graph.classes)[:, None]).ravel()
    short, of, found = chain(graph, rates, size, most, size.mean / m if m else np.inf, again=again)
    return class_rates(short, graph, of), short.counts().sum(axis=1), law(short.first[-1], found)


def simulated_rate(letter, m, warmup, jumps, runs):
    """The mean service rate of class 1 at load 0.95 of Figure 1, simulated."""
    size = paper_sizes()[letter]
    system = FIGURES[1][1](0.95, mean_size=size.mean)
    length = {"warmup": warmup, "jumps": jumps, "replications": runs, "seed": 48}
    return multiserver.simulate(**system, sizes=size, interruptions=m, **length).mean_service_rate


def off_student(number, letter, m, runs=8):
    """How far the half widths of a short simulation are from Student's, relatively; fewer runs tell each run's mean."""
    size = paper_sizes()[letter]
    system = {**FIGURES[number][1](0.6, mean_size=size.mean), "sizes": size, "interruptions": m}
    found = [multiserver.simulate(**system, jumps=300, warmup=100, replications=k) for k in range(1, runs + 1)]
    sums = [k * each.mean_jobs.value for k, each in enumerate(found, 1)]
    single = np.diff(sums, axis=0, prepend=0)
    half = stats.t.ppf(0.975, runs - 1) * single.std(axis=0, ddof=1) / np.sqrt(runs) / single.mean(axis=0)
    told = [getattr(found[-1], name) for name in QUANTITIES]
    return max(np.abs(each.half_width / each.value / half - 1).max() for each in told)


def wider_than_short_runs(letter, m):
    """The logarithm of a stored half width over that of 200 runs of 5000 jumps, brought to its length and number."""
    size = paper_sizes()[letter]
    run = {"jumps": 5_000, "warmup": 1_000, "replications": 200, "seed": 48}
    found = multiserver.simulate(**three_servers(0.3, mean_size=size.mean), sizes=size, interruptions=m, **run)
    stored = points(1, letter, RATE, 0, m).at(load=0.3)
    return np.log(stored.half / found.mean_service_rate.half_width[0]) + 0.5 * np.log(100 * 1_000_000 / (200 * 5_000))


@check("balanced-048", empty=True)
def what_is_a_jump(empty=False):
    """Both readings of the length of a run at the highest load; in the control very short runs from an empty queue.

    If only arrivals and departures count, runs are longer by the events that a job has over 2.
    """

    def apart(letter, m):
        stored, runs = points(1, letter, RATE, 0, m).at(load=0.95), 3
        if empty:
            found = simulated_rate(letter, m, 0, 1000, 100)
            return measured(found.value[0], found.half_width[0], runs=100) - stored
        counts, _, weights = paper_sizes()[letter].erlang_mixture()
        longer = (1 + counts @ weights + m) / 2
        events = int(1_000_000 * longer)
        value = simulated_rate(letter, m, events, events, runs).value[0]
        return measured(value, stored.half * np.sqrt(100 / runs / longer), runs=100) - stored

    readings = cases("curve", (("a", 5), ("b", 5), ("c", 0)), names=("a, m = 5", "b, m = 5", "c, m = 0")).measure(apart)
    exactly = [(number, m) for number in (1, 2) for m in (0, 1, 5)]
    off = cases("curve", exactly).measure(
        lambda number, m: points(number, EXPONENTIAL, RATE, 0, m) - curve(number, EXPONENTIAL)
    )
    inside = int((np.abs(off.value) <= off.half).sum())
    covered = stats.binomtest(inside, off.value.size, 0.95).pvalue > 0.01
    told = grid(figure=(1, 2), law="abc", m=(0, 1, 5)).measure(off_student).value.max()
    wider = grid(law="abc", m=(0, 5)).measure(wider_than_short_runs)
    columns = ["replications", "jumps", "warmup"]
    lengths = {run for number in FIGURES for run in simulated(number)[columns].itertuples(index=False, name=None)}
    share = f"at {inside} of {off.value.size} points"
    found = conclude(
        everywhere("by the other reading, the mean service rate", readings,
                   agrees("is the stored one within its interval")),
        fact("stored points are of 100 runs of a million jumps after as many",
             lengths == {(100, 1_000_000, 1_000_000)}, "not all stored points are of 100 runs of a million jumps"),
        fact(f"intervals hold the exact value {share}", covered, f"intervals hold it {share}, which is not 95 %"),
        fact("intervals are Student's of the single runs", told <= 1e-6, "intervals are not Student's of single runs"),
        everywhere("how much wider, on average, stored intervals are than those of short runs, as a logarithm,",
                   exact(wider.value.mean()), within(0.1)),
        whole=True,
    )  # fmt: skip
    return replace(found, verdict=UNDECIDABLE) if found.verdict == AGREES else found  # as long as points do not tell
