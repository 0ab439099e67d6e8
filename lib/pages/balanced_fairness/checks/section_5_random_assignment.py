"""Claims of `balanced`, Section 5, on random assignment among a hundred servers: Figures 3 and 4."""

import itertools
import math

import numpy as np
from scipy import stats

from clustershare import multiserver, splitting
from clustershare.multiserver import CompatibilityGraph, RandomAssignment
from clustershare.sizes import Exponential
from compendium.press.clauses import at_each, besides, cases, conclude, everywhere, exact, fact, measured, somewhere
from compendium.press.clauses.conditions import agrees, equal, not_larger, smaller, within
from compendium.press.findings import check
from pages.balanced_fairness.points.published import (
    DELAY,
    EXPONENTIAL,
    OTHER,
    QUANTITIES,
    RATE,
    curve,
    delays_fit,
    laws_apart,
    on_paths,
    points,
    very_close,
)
from pages.balanced_fairness.systems import LOADS, paper_sizes, random_servers
from pages.balanced_fairness.witnesses.drawn_servers import drawn_servers, neighbours, with_replacement

JOBS = 150_000


def as_number(servers, sets):
    """Sets of servers, in any order, as numbers; and how many have a server twice."""
    ordered = np.sort(sets, axis=1)
    repeated = (np.diff(ordered, axis=1) == 0).any(axis=1).sum()
    return ordered @ servers ** np.arange(sets.shape[1]), int(repeated)


def alike(numbers, cells):
    """Whether numbers pass a chi-square test at 0.001 against so many equally likely ones."""
    counts = np.unique(numbers, return_counts=True)[1]
    return len(counts) == cells and stats.chisquare(counts).pvalue > 0.001


def judged(draw):
    """What is asked of drawn sets of servers: facts with their truth."""
    rng, all_pairs, all_triples = np.random.default_rng(33), math.comb(100, 2), math.comb(100, 3)
    pairs, repeated = as_number(100, draw(100, 2, rng.random((JOBS, 2))))
    three = draw(100, 3, rng.random((JOBS, 3)))
    triples, again = as_number(100, three)
    seen = len(np.unique(triples))
    missed = all_triples * np.exp(-JOBS / all_triples)  # and its variance, of sets that are equally frequent
    variance = missed - (missed**2 / all_triples) * (1 + JOBS / all_triples)
    # One pair of each set, for the three are not independent, and any, for the set alone is drawn at random.
    pair = np.take_along_axis(three, rng.permuted(np.tile(np.arange(3), (JOBS, 1)), axis=1)[:, :2], axis=1)
    exactly = True
    for degree in (2, 3):
        steps = itertools.product(*((np.arange(n) + 0.5) / n for n in range(7 - degree, 7)))
        sets, twice = as_number(6, draw(6, degree, np.array(list(steps))))
        counts = np.unique(sets, return_counts=True)[1]
        exactly &= twice == 0 and len(counts) == math.comb(6, degree) and np.ptp(counts) == 0
    return {
        f"sets with a server twice: {repeated + again}": repeated == again == 0,
        f"{len(np.unique(pairs))} sets of two are seen, equally often": alike(pairs, all_pairs),
        f"{seen} sets of three are seen, as many as expected": abs(all_triples - missed - seen)
        < 3.3 * math.sqrt(variance),
        "their pairs are equally frequent": alike(as_number(100, pair)[0], all_pairs),
        "of six servers, each set comes of as many random numbers": exactly,
    }


@check("balanced-033", draws=(with_replacement, neighbours))
def number_of_classes(draws=(drawn_servers,)):
    """The sets of servers that the simulator draws: none but all C(S, d), and equally often."""
    found = max(map(judged, draws), key=lambda facts: sum(facts.values()))  # of two wrong draws, the one less wrong

    def simulated(servers, degree, beside):
        """The mean number of jobs by a simulator less that of as many classes as there are sets, equally frequent."""
        classes, rate = list(all_sets(servers, degree)), 0.8 * servers
        system = RandomAssignment(servers, degree), rate, Exponential(), 1
        run = {"jumps": 40_000, "warmup": 4000, "replications": 10, "seed": 33}
        graph = CompatibilityGraph(classes, np.ones(servers))
        fair = multiserver.balanced_fairness(graph, np.full(len(classes), rate / len(classes))).mean_jobs.sum()
        if beside:
            jobs = multiserver.simulate_assignment_beside_processor_sharing(*system, **run).plain_jobs
        else:
            jobs = multiserver.simulate(*system, **run).mean_jobs
        return measured(np.sum(jobs.value) - fair, np.sum(jobs.half_width), runs=10)

    systems = cases("simulator", [(*size, beside) for size in ((5, 2), (4, 3)) for beside in (False, True)])
    return conclude(
        *(fact(text, holds, f"it is not so that {text}") for text, holds in found.items()),
        everywhere("the simulated mean number of jobs, less that of the C(S, d) classes,", systems.measure(simulated),
                   agrees()),
        whole=True,
    )  # fmt: skip


def delay_by_servers_covered(servers, degree, load):
    """Mean delay under random assignment from (1) alone: the jobs matter by the number of servers they cover.

    ``mass[i]`` is that of the queues which cover i servers, and ``jobs[i]`` the same times the number of jobs.
    """
    rate, mass, jobs = servers * load, np.zeros(servers + 1), np.zeros(servers + 1)
    mass[0] = 1.0
    for i in range(degree, servers + 1):
        # The chance that j servers are covered before a job and i with it.
        ways = {j: math.comb(servers - j, i - j) * math.comb(j, degree - i + j) for j in range(i - degree, i + 1)}
        chance = {j: count / math.comb(servers, degree) for j, count in ways.items()}
        spare = i - rate * chance.pop(i)
        mass[i] = rate * sum(chance[j] * mass[j] for j in chance) / spare
        jobs[i] = (rate * sum(chance[j] * jobs[j] for j in chance) + i * mass[i]) / spare
    return jobs.sum() / mass.sum() / rate


def all_sets(servers, degree):
    """The sets of so many servers, all equally frequent."""
    return {own: 1.0 for own in itertools.combinations(range(servers), degree)}


def sets_on_a_ring(servers, degree):
    """A wrong system: neighbours on a ring."""
    return {tuple(sorted((first + k) % servers for k in range(degree))): 1.0 for first in range(servers)}


def sets_with_replacement(servers, degree):
    """A wrong system: the sets that come of draws with replacement, and how often."""
    found = {}
    for drawn in itertools.product(range(servers), repeat=degree):
        found[tuple(sorted(set(drawn)))] = found.get(tuple(sorted(set(drawn))), 0.0) + 1.0
    return found


def gap_to_the_recursion(sets):
    """Relative differences of the formula to the recursion over all sets of classes, S = 3 to 6 and every d."""
    systems = [(servers, degree, load) for servers, load in zip((3, 4, 5, 6), (0.9, 0.7, 0.5, 0.8))
               for degree in range(1, servers + 1)]  # fmt: skip

    def gap(servers, degree, load):
        weights = sets(servers, degree)
        rates = np.array(list(weights.values())) * servers * load / sum(weights.values())
        found = multiserver.balanced_fairness(
            CompatibilityGraph(list(weights), np.ones(servers)), rates
        ).mean_jobs.sum()
        closed = multiserver.random_assignment(servers, degree, load)
        return max(abs(closed.mean_jobs / found - 1), abs(servers * load / found / closed.mean_service_rate - 1))

    few = cases("system", systems).without("too many sets", lambda servers, degree, _: len(sets(servers, degree)) > 20)
    return few.measure(gap)


@check("balanced-034", systems=(sets_on_a_ring, sets_with_replacement))
def random_assignment(systems=(all_sets,)):
    """The drawn curves against a sum of (1), the recursion where servers are few, and simulated exponential sizes."""
    few = min(map(gap_to_the_recursion, systems), key=lambda gap: gap.value.max())  # of wrong systems, the less wrong

    def summed(number, degree):
        """Of the drawn curves of mean size 1, and of the library's answers for Zipf sizes: numbers, rates, delays."""
        zipf, loads = paper_sizes()["c"], (*LOADS, 0.99)
        drawn = [*curve(number, "a", DELAY).value, multiserver.random_assignment(100, degree, 0.99).mean_delay]
        expected = np.array([delay_by_servers_covered(100, degree, load) for load in loads])
        found = [multiserver.balanced_fairness(**random_servers(load, degree, mean_size=zipf.mean), sizes=zipf)
                 for load in loads]  # fmt: skip
        answers = np.array([(one.mean_jobs, one.mean_service_rate, one.mean_delay) for one in found]).T
        right = 100 * np.array(loads) * expected, 1 / expected, zipf.mean * expected
        return max(np.abs(np.divide(drawn, expected) - 1).max(), np.abs(answers / right - 1).max())

    series = [(number, EXPONENTIAL, quantity, 0, m) for number in (3, 4) for quantity in QUANTITIES for m in (0, 1, 5)]
    simulated = cases("curve", series)
    return conclude(
        everywhere("the formula and the recursion over all sets", few, equal(1e-9)),
        everywhere("the drawn curves, and the library's answers for Zipf sizes, and a sum of (1)",
                   cases("figure", ((3, 2), (4, 3))).measure(summed), equal(1e-9)),
        everywhere("simulated exponential sizes",
                   simulated.measure(points) - simulated.measure(lambda *each: curve(*each[:-1])),
                   agrees("are on the curve within their intervals")),
        whole=True,
    )  # fmt: skip


@check("balanced-035", of=OTHER.get)
def one_interruption_is_enough(of=lambda number: number):
    """m = 1 among a hundred servers (`balanced`, Figures 3, 4); the control has the curves of the other degree."""
    return very_close((3, 4), "abc", 1, of, provided=[on_paths([1], (3, 4))])


@check("balanced-075", of=OTHER.get)
def five_among_a_hundred(of=lambda number: number):
    """m = 5 among a hundred servers (`balanced`, Figures 3, 4); the control has the curves of the other degree."""
    return very_close((3, 4), "abc", 5, of, provided=[on_paths([5], (3, 4))])


@check("balanced-074", of=OTHER.get)
def one_suffices_among_a_hundred(of=lambda number: number):
    """m = 1: the rates of the four laws (`balanced`, Figures 3, 4); another curve in the control."""
    found = laws_apart((3, 4), 1, of)
    near = at_each("the difference of the mean service rates of the four laws", found, within("close"))
    gap = cases("figure", (3, 4)).measure(
        lambda number: np.abs(
            curve(number, EXPONENTIAL, DELAY).value * curve(number, EXPONENTIAL, RATE).value - 1
        ).max()
    )
    exactly = everywhere("under balanced fairness, delay times rate and the mean size", gap, equal(1e-9))
    return conclude(near, provided=[on_paths([1], (3, 4)), delays_fit((3, 4), "abc", [1]), exactly])


def in_groups(degree, letter):
    """Delays of FCFS over sharing, at the 19 loads, in groups of so many servers without overlap."""
    size = paper_sizes()[letter]
    rates = [load / size.mean for load in LOADS]
    fcfs = [splitting.parallel_response_time([rate], [1 / size.mean], [size.variance]) for rate in rates]
    return exact(np.array(fcfs) * (1 - np.array(LOADS)) / size.mean, load=LOADS)


@check("balanced-037", groups=True)
def more_choice(groups=False):
    """Delays, and those of FCFS over balanced fairness, for two and three servers a job (`balanced`, Figures 3, 4)."""
    laws = cases("law", "abc")

    def over_fairness(number, letter):
        if groups:
            return in_groups(number - 1, letter)
        return points(number, letter, DELAY, 0, 0).scaled(1 / curve(number, letter, DELAY).value)

    shorter = [
        laws.measure(lambda letter, m=m: points(4, letter, DELAY, 0, m) - points(3, letter, DELAY, 0, m))
        for m in (0, 1, 5)
    ]
    two, three = (laws.measure(lambda letter, number=number: over_fairness(number, letter)) for number in (3, 4))
    less = three - two
    fair = curve(4, EXPONENTIAL, DELAY) - curve(3, EXPONENTIAL, DELAY)
    return conclude(
        *(everywhere(f"with m = {m}, the delay with three servers less that with two", each, smaller())
          for m, each in zip((0, 1, 5), shorter)),
        everywhere("under balanced fairness, the delay with three servers less that with two", fair, smaller()),
        everywhere("first come, first served over balanced fairness, with three servers less with two,", less,
                   not_larger()),
        somewhere("that difference", less, smaller()),
        besides("that difference", less, smaller()),
        ours=True,
    )  # fmt: skip
