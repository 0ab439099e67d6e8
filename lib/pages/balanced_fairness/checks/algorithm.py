"""Claims of `balanced`, Section 4, on the algorithm: what it counts, and what it tends to."""

import itertools

import numpy as np
from scipy import stats

from clustershare import markov, multiserver
from clustershare.multiserver.chain import ordered_chain
from clustershare.sizes import ErlangMixture, Exponential, Hyperexponential
from compendium.press.clauses import aside, at_each, cases, conclude, exact
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check, erratum, finding
from compendium.press.words import SCALE
from pages.balanced_fairness.systems import balance_functions, clusters, paper_sizes, three_servers
from pages.balanced_fairness.witnesses.lines import INTERRUPTED, LEAVES, chain, class_rates, law
from pages.balanced_fairness.witnesses.numbers import product_form


def laws(mean):
    """Three laws of a mean: exponential, hyperexponential, and a mixture of Erlangs of one and three phases."""
    return {
        "exponential": Exponential(mean),
        "hyperexponential": Hyperexponential((5 * mean, mean / 5), (1 / 6, 5 / 6)),
        "Erlang mixture": ErlangMixture(mean / 2, (1, 3), (0.5, 0.5)),
    }


def most_jobs(name):
    """Where a chain is cut, so that it has some thousand lines at most."""
    return 3 if name == "Erlang mixture" else 4


@check("balanced-014", timers="alike")
def mean_interruptions(timers="by capacity"):
    """Interruptions over departures, as flows of a chain whose timers know theta alone; and counted in simulations.

    In the control all timers have the rate 1 / theta, whatever the capacity of their server.
    """
    rng, gap, distances = np.random.default_rng(14), 0.0, []
    for graph, rates in clusters(count=30, classes=3, servers=4):
        mean = rng.uniform(0.2, 5)
        theta = mean * 20 ** rng.uniform(-1, 1)
        other = {} if timers == "by capacity" else {"timers": np.full(graph.servers, 1 / theta)}
        for name, size in laws(mean).items():
            short, _, found = chain(graph, rates / mean, size, most_jobs(name), theta, **other)
            sources, _, speed, event, of = found
            flow = law(short.first[-1], found)[sources] * speed
            counted = [np.bincount(of, flow * (event == kind), graph.classes) for kind in (INTERRUPTED, LEAVES)]
            gap = max(gap, np.abs(counted[0] / counted[1] / (mean / theta) - 1).max())
    for seed, size in enumerate(paper_sizes().values()):
        for m in (0.5, 5):
            run = multiserver.simulate(**three_servers(0.8, mean_size=size.mean), sizes=size, interruptions=m,
                                       jumps=300_000, seed=seed).interruptions_per_job  # fmt: skip
            distances += (np.abs(run.value - m) / run.half_width).tolist()
    bound = stats.t.ppf(1 - 0.025 / len(distances), 9) / stats.t.ppf(0.975, 9)
    said = "sigma / theta within 1e-9" if gap < 1e-9 else f"off sigma / theta by up to {gap:.0%}"
    return finding(
        f"{said} in chains; {len(distances)} counts at most {max(distances):.1f} half widths away, {bound:.1f} allowed",
        gap < 1e-9 and max(distances) < bound,
    )


@check("balanced-070", again=True)
def mean_rate(again=False):
    """The mean rate of a class over the law of the line, with mu_s = C_s / sigma and with C_s.

    In the control an interrupted job loses the work that was done on it.
    """
    rng, printed, corrected = np.random.default_rng(70), 0.0, 0.0
    for number, (graph, rates) in enumerate(clusters(count=30, classes=3, servers=4)):
        mean, m = rng.uniform(0.2, 5), (0, 1, 5)[number % 3]
        for name, size in laws(mean).items():
            most = most_jobs(name)
            if again:
                work, length, probabilities = losing_work(graph, rates / mean, size, most, m)
            else:
                states, Q, work = ordered_chain(graph, rates / mean, size, m, most)
                length, probabilities = np.array([len(line) for line in states]), markov.stationary(Q)
            accepted = rates / mean * (1 - probabilities[length == most].sum())
            found = probabilities @ work
            printed = max(printed, np.abs(found / mean / (accepted * mean) - 1).max())
            corrected = max(corrected, np.abs(found / (accepted * mean) - 1).max())
    said = "equal within 1e-9" if corrected < 1e-9 else f"off by up to {corrected:.0%}"
    return erratum(
        f"with mu_s = C_s / sigma off by up to {printed:.0%}; with mu_s = C_s {said}", printed < 1e-9, corrected < 1e-9
    )


def losing_work(graph, rates, size, most, m):
    """Service rates of the classes, numbers of jobs and law of lines whose interrupted jobs begin again."""
    counts, _, _ = size.erlang_mixture()
    begin = np.repeat(np.cumsum([0, *counts[:-1]]), counts)
    again = (begin + len(begin) * np.arange(graph.classes)[:, None]).ravel()
    short, of, found = chain(graph, rates, size, most, size.mean / m if m else np.inf, again=again)
    return class_rates(short, graph, of), short.counts().sum(axis=1), law(short.first[-1], found)


@check("balanced-078", kinds=("exponential",))
def insensitive(kinds=("exponential", "hyperexponential", "Erlang mixture")):
    """The law of the numbers in the library's chain, against (3) cut alike; the control has exponential sizes alone."""
    numbers = (1, 5, 50)

    def off(graph, rates):
        found = np.zeros((len(kinds), len(numbers)))
        for (i, name), (k, m) in itertools.product(enumerate(kinds), enumerate(numbers)):
            size, most = laws(1.0)[name], most_jobs(name)
            phi = balance_functions(graph, most)
            fair = dict(zip(phi, product_form(rates, phi)))
            states, Q, _ = ordered_chain(graph, rates, size, m, most)
            seen = dict.fromkeys(fair, 0.0)
            for line, value in zip(states, markov.stationary(Q)):
                seen[tuple(np.bincount([job[0] for job in line], minlength=graph.classes).tolist())] += value
            found[i, k] = max(abs(seen[x] - fair[x]) for x in fair)
        return exact(found, law=kinds, m=numbers)

    gaps = cases("graph", clusters(count=30, classes=3, servers=4)).measure(off)
    worst = gaps.largest("graph").largest("law")
    near = next((m for m, gap in zip(numbers, worst.value) if gap < SCALE["practically equal"].most), None)
    return conclude(
        at_each("the law of the numbers of jobs and (3)", gaps, equal(1e-9)),
        aside("probabilities are off by at most", worst),
        *([] if near is None else [aside("none is off by 0.01 from m on, which is", exact(near))]),
    )
