"""Claims of `balanced`, Sections 3 and 4, on limits: interruptions that are frequent, or rare."""

import itertools

import numpy as np

from clustershare import multiserver
from clustershare.sizes import ErlangMixture, Hyperexponential, bimodal_hyperexponential
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid, measured
from compendium.press.clauses.conditions import agrees, at_most, equal, falls, never_rises, not_larger, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.balanced_fairness.points import distances
from pages.balanced_fairness.points.chains import AlgorithmChain, off_the_queue
from pages.balanced_fairness.points.published import FIGURES, RARE, RATE, curves, delays_fit, points
from pages.balanced_fairness.systems import LOADS, ONE, balance_functions, clusters
from pages.balanced_fairness.witnesses.lines import by_numbers, chain, law
from pages.balanced_fairness.witnesses.numbers import fair_jobs, product_form

NUMBERS = (1, 10, 100)  # of interruptions, to a limit of many; their inverses, to a limit of few


def random_law(rng, phases):
    """A law of mean 1 at random: hyperexponential, or a mixture of Erlangs of one and three phases."""
    p = rng.uniform(0.1, 0.9)
    if phases:
        return ErlangMixture(1 / (p + 3 * (1 - p)), (1, 3), (p, 1 - p))
    means = rng.uniform(0.1, 5, 2)
    return Hyperexponential(tuple(means / (p * means[0] + (1 - p) * means[1])), (p, 1 - p))


def kept_at_the_head(graph, rates, size, most, m):
    """A wrong system, in which interrupted jobs keep their place: the law of the numbers of jobs."""
    short, of, found = chain(graph, rates, size, most, size.mean / m, to="place")
    return by_numbers(short, law(short.first[-1], found), of)


def approaching(systems, stays):
    """That the exact law and means of systems approach (3) as m grows: clauses."""

    def off(graph, rates, size, most):
        fair = product_form(rates, phi := balance_functions(graph, most))
        x, algorithm = np.array(list(phi)), AlgorithmChain(graph, rates, size, most)
        found = []
        for m in NUMBERS:
            table = kept_at_the_head(graph, rates, size, most, m) if stays else algorithm.numbers(m)
            law = np.array([table[each] for each in phi])
            found.append((np.abs(law - fair).max(), np.abs(law @ x / (fair @ x) - 1).max()))
        return exact(found, m=NUMBERS, distance=("of the law", "of a mean"))

    found = cases("system", systems).measure(off)
    first, last = found.at(m=1), found.at(m=100)
    return (
        at_each("the distance to balanced fairness", found.steps("m"), falls()),
        at_each("the distance at m = 100 over that at m = 1", last.scaled(1 / first.value), at_most(0.1)),
        aside("the mean numbers of jobs at m = 100 off by", last.at(distance="of a mean")),
    )


def own_distance(systems):
    """That the distance which the library itself tells approaches 0 as m grows: clauses."""

    def distance(*system):
        *queue, most = system
        return exact([multiserver.distance_from_balanced_fairness(*queue, m, most) for m in NUMBERS], m=NUMBERS)

    found = cases("system", systems).measure(distance)
    return (
        at_each("the library's distance", found.steps("m"), falls()),
        at_each("the library's distance at m = 100 over that at m = 1",
                found.at(m=100).scaled(1 / found.at(m=1).value), at_most(0.1)),
    )  # fmt: skip


@check("balanced-012", stays=True)
def processor_sharing(stays=False):
    """One server against the geometric law cut alike; in the control an interrupted job stays at the head."""
    rng, hyper = np.random.default_rng(12), bimodal_hyperexponential()
    systems = [(hyper, load, 8) for load in LOADS] + [(hyper, 0.3, 10)]
    for number in range(10):
        size = random_law(rng, number % 2)
        systems += [(size, load, 4 if number % 2 else 6) for load in (0.1, 0.3, 0.5, 0.7, 0.9)]
    # The library's answer from a larger chain, which it solves by steps, beside the law of the same chain.
    gap = off_the_queue(ONE, [0.3], hyper, [10], 10)
    library = [
        everywhere("the mean numbers by steps and of the law", exact([gap], chain=None), equal(1e-9)),
        *own_distance([(ONE, [load], size, 4) for size, load, _ in systems[len(LOADS) :]]),
    ]

    def simulated(m):
        """What the simulator tells of the jobs, less what the exact answer does."""
        found = multiserver.simulate(ONE, [0.3], hyper, m, jumps=20_000, warmup=2_000, seed=12)
        known = multiserver.exact(ONE, [0.3], hyper, m)
        value = found.mean_jobs.value[0] - known.mean_jobs[0], found.probability_empty.value - known.probability_empty
        half = found.mean_jobs.half_width[0], found.probability_empty.half_width
        return measured(value, half, runs=10, told=("mean number", "chance to be empty"))

    return conclude(
        *approaching([(ONE, np.array([load]), size, most) for size, load, most in systems], stays),
        *([] if stays else library),
        provided=[everywhere("what the simulator tells at load 0.3, less the exact answer,",
                             grid(m=NUMBERS).measure(simulated), agrees())],
    )  # fmt: skip


@check("balanced-065", stays=True)
def balanced_fairness_in_the_limit(stays=False):
    """Small graphs exactly, and the systems of Figures 1 to 4 in stored runs; the control keeps jobs at the head.

    Of a hundred servers at load 0.95 the stored warm-up is too short: see the page on sensitivity.
    """
    rng = np.random.default_rng(65)
    systems = [system for system in clusters(classes=3, servers=4) if system[0].classes > 1][:30]
    exactly = [(*system, random_law(rng, number % 2), 3) for number, system in enumerate(systems)]
    found = {
        f"{system}, {letter}, load {load:g}": [np.resize(curve[name], 3) for name in ("estimate", "half_width")]
        for system, rows in distances.of_all_systems((0,) if stays else NUMBERS, (0.5, 0.8, 0.95), "paper").items()
        for (letter, load), curve in rows.groupby(["letter", "load"]) if load < 0.9 or "100" not in system
    }  # fmt: skip
    value, half = np.moveaxis(list(found.values()), 1, 0)
    stored = measured(value, half, runs=100, risk=None, as_it_stands=True, curve=found, m=NUMBERS)
    return conclude(
        *approaching(exactly, stays),
        *([] if stays else own_distance(exactly)),
        at_each("the simulated distance", stored.steps("m", np.add), never_rises()),
        at_each("the simulated distance at m = 100 less a tenth of that at m = 1",
                stored.at(m=100).less(stored.at(m=1).scaled(0.1), np.add), not_larger()),
        whole=True,
    )  # fmt: skip


def limit_of_few(graph, rates, size, most, algorithm, kind):
    """Mean numbers of jobs of what should be the limit: first come, first served, or a wrong one."""
    if kind == "first come":
        return algorithm.jobs(0)
    if kind == "fair":
        return fair_jobs(rates, balance_functions(graph, most))
    short, of, found = chain(graph, rates, size, most, rule="last")
    return law(short.first[-1], found) @ short.counts(of)


@check("balanced-038", kinds=("last", "fair"))
def rare_interruptions(kinds=("first come",)):
    """Mean numbers in small graphs, and rates in the systems of Figures 1 to 4, as interruptions become rare.

    The control takes last come, first served, or balanced fairness, for the limit.
    """
    rng = np.random.default_rng(38)
    systems = [(*system, random_law(rng, phases), 4 - phases - (system[0].classes == 3))
               for system, phases in itertools.product(clusters(count=30, classes=3, servers=4), (0, 1))]  # fmt: skip

    def approached(graph, rates, size, most):
        algorithm, found = AlgorithmChain(graph, rates, size, most), []
        for kind in kinds:
            limit = limit_of_few(graph, rates, size, most, algorithm, kind)
            off = np.array([np.abs(algorithm.jobs(1 / m) / limit - 1).max() for m in NUMBERS])
            near = bool((np.diff(off) < 0).all() and off[-1] <= off[0] / 10)
            found.append((near or SCALE["practically equal"].allows(off.max()), off[-1]))
        return dict(zip(("holds", "last"), np.max(found, axis=0)))

    def off_in_the_queue(graph, rates, size, most):
        return off_the_queue(graph, rates, size, (0, *(1 / m for m in NUMBERS)), 2)

    exactly, clauses = cases("system", systems).measure(approached), []
    if kinds == ("first come",):
        rates = curves(quantities=[RATE])
        rare = rates.measure(lambda *curve: points(*curve, RARE))
        never = rates.measure(lambda *curve: points(*curve, 0)).at(load=(0.3, 0.6, 0.9))
        clauses = [at_each("simulated, the mean service rate at m = 0.01 less that without interruptions", rare - never,
                           within("close")), delays_fit(FIGURES, "abc", (0, RARE))]  # fmt: skip
    return conclude(
        at_each("the mean numbers approach those without interruptions, or are practically equal to them,",
                exactly["holds"]),
        *clauses,
        aside("the mean numbers of jobs at m = 0.01 off by", exactly["last"]),
        everywhere("the library's mean numbers and those of the chains",
                   cases("system", systems).measure(off_in_the_queue), equal(1e-9)),
    )  # fmt: skip
