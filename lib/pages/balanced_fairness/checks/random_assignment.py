"""Claims of `balanced`, Figures 3, 4, on random assignment among a hundred servers."""

import itertools
import math

import numpy as np
from scipy import stats

from clustershare import multiserver
from clustershare.multiserver import CompatibilityGraph
from compendium.press.findings import check, finding
from pages.balanced_fairness.points.intervals import farthest, told
from pages.balanced_fairness.points.published import EXPONENTIAL, curve, exponential, points
from pages.balanced_fairness.systems import LOADS
from pages.balanced_fairness.witnesses.drawn_servers import drawn_servers, neighbours, with_replacement

JOBS = 150_000


def as_number(servers, sets):
    """Sets of servers, in any order, as numbers; and how many have a server twice."""
    ordered = np.sort(sets, axis=1)
    repeated = (np.diff(ordered, axis=1) == 0).any(axis=1).sum()
    return ordered @ servers ** np.arange(sets.shape[1]), int(repeated)


def alike(counts, cells):
    """Whether counts pass a chi-square test at 0.001 against so many equally likely cells."""
    return len(counts) == cells and stats.chisquare(counts).pvalue > 0.001


@check("balanced-033", draws=(with_replacement, neighbours))
def number_of_classes(draws=(drawn_servers,)):
    """The sets of servers that the simulator draws: none but all C(S, d), and equally often."""
    holds, said = False, []
    for draw in draws:
        rng = np.random.default_rng(33)
        pairs, repeated = as_number(100, draw(100, 2, rng.random((JOBS, 2))))
        counts = np.unique(pairs, return_counts=True)[1]
        fine = repeated == 0 and alike(counts, math.comb(100, 2))
        three = draw(100, 3, rng.random((JOBS, 3)))
        triples, again = as_number(100, three)
        seen, all_sets = len(np.unique(triples)), math.comb(100, 3)
        missed = all_sets * np.exp(-JOBS / all_sets)  # and its variance, of sets that are equally frequent
        variance = missed - (missed**2 / all_sets) * (1 + JOBS / all_sets)
        fine &= again == 0 and abs(all_sets - missed - seen) < 3.3 * math.sqrt(variance)
        # One pair of each set, for the three are not independent, and any, for the set alone is drawn at random.
        pair = np.take_along_axis(three, rng.permuted(np.tile(np.arange(3), (JOBS, 1)), axis=1)[:, :2], axis=1)
        fine &= alike(np.unique(as_number(100, pair)[0], return_counts=True)[1], math.comb(100, 2))
        for degree in (2, 3):
            grid = itertools.product(*((np.arange(n) + 0.5) / n for n in range(7 - degree, 7)))
            sets, twice = as_number(6, draw(6, degree, np.array(list(grid))))
            exact = np.unique(sets, return_counts=True)[1]
            fine &= twice == 0 and len(exact) == math.comb(6, degree) and np.ptp(exact) == 0
        holds |= fine
        said.append(f"{len(counts)} sets of two, {repeated + again} with a server twice; {seen} of three seen")
    return finding("; ".join(said), holds)


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
    """The largest relative difference of the formula to the recursion over all sets of classes, S = 3 to 6."""
    gap = 0.0
    for servers, load in zip((3, 4, 5, 6), (0.9, 0.7, 0.5, 0.8)):
        for degree in range(1, servers + 1):
            weights = sets(servers, degree)
            if len(weights) > 20:  # with replacement only
                continue
            rates = np.array(list(weights.values())) * servers * load / sum(weights.values())
            found = multiserver.balanced_fairness(CompatibilityGraph(list(weights), np.ones(servers)), rates)
            closed = multiserver.random_assignment(servers, degree, load)
            gap = max(gap, abs(closed.mean_jobs / found.mean_jobs.sum() - 1))
            gap = max(gap, abs(servers * load / closed.mean_jobs / closed.mean_service_rate - 1))
    return gap


@check("balanced-034", systems=(sets_on_a_ring, sets_with_replacement))
def random_assignment(systems=(all_sets,)):
    """The drawn curves against a sum of (1), the recursion where servers are few, and simulated exponential sizes."""
    gap = min(map(gap_to_the_recursion, systems))
    for number, degree in ((3, 2), (4, 3)):
        drawn = [*curve(number, "a", "mean_delay"), multiserver.random_assignment(100, degree, 0.99).mean_delay]
        summed = [delay_by_servers_covered(100, degree, load) for load in (*LOADS, 0.99)]
        gap = max(gap, np.abs(np.divide(drawn, summed) - 1).max())
    distance = max(
        farthest(*points(number, EXPONENTIAL, m, name, rows=exponential(number)), curve(number, "a", name))
        for number in (3, 4)
        for m in (0, 1, 5)
        for name in ("mean_delay", "mean_service_rate")
    )
    text, inside = told(distance, 2 * 2 * 3 * len(LOADS), 30)
    return finding(f"{'equal within 1e-9' if gap < 1e-9 else f'off by up to {gap:.0%}'}; {text}", gap < 1e-9 and inside)
