"""Claims of `thesis`, Section 3.2.1: the numbers of jobs under first come, first served, and their places in the line.

The witnesses are chains of the line and of the numbers, which know none of the formulas, and simulations.
"""

import functools
import math

import numpy as np
from scipy import stats

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.uniprocessor.chain import distribution
from clustershare.uniprocessor.model import Workload
from compendium.press.findings import check, finding
from pages.share_scheduling.one_processor.printed import generating, gone, law, total_law, while_served
from pages.share_scheduling.one_processor.witnesses import lines, services

NEAR = 1e-9
LONG = {"jumps": 150_000, "warmup": 20_000, "replications": 20}
MOST = {2: 6, 3: 5, 4: 4, 5: 3, 6: 2}  # transient jobs in the line, by the number of groups and permanent jobs
UNEQUAL = (1.0, 2.5, 0.6, 1.7)


@functools.cache
def cut(policy="FCFS", unequal=False):
    """Short lines to a load of 0.95, and (3.10) needs no longer ones: systems and chains."""
    rng, found = np.random.default_rng(41), []
    for permanent in (*((0,) * groups for groups in (2, 3, 4) * 4), *lines.BESIDE):
        groups, load = len(permanent), rng.uniform(0.02, 0.95)
        loads = load * (0.1 / groups + 0.9 * rng.dirichlet(np.ones(groups)))
        shares = 0.05 + (1 - 0.05 * groups) * rng.dirichlet(np.ones(groups))
        rates = np.array(UNEQUAL[:groups]) if unequal else np.ones(groups)
        most = MOST[min(6, groups + sum(permanent))]
        try:
            line = uniprocessor.whole_line(policy, shares, loads * rates, rates, permanent, most_jobs=most)
        except UnstableError:
            continue  # starved, which FCFS does to nobody
        found.append((lines.System(shares, loads, np.array(permanent)), line))
    return found


def relative(found, expected):
    """The largest relative gap of two laws, both made to sum to 1."""
    return float(np.abs(found / found.sum() / (expected / expected.sum()) - 1).max())


def words(gap):
    """A relative gap in words."""
    return "within 1e-9" if gap <= NEAR else f"off by up to {gap:.1g}"


def run(policy, loads, permanent, rates=1.0, seed=0):
    """A long simulation; required shares do not matter, but by their order."""
    shares = np.arange(len(loads), 0, -1) / np.arange(len(loads) + 1).sum()
    rates = np.broadcast_to(rates, len(loads))
    return uniprocessor.simulate(policy, shares, np.multiply(loads, rates), rates, permanent, **LONG, seed=seed)


@check("thesis-3-002", policy="HOL")
def numbers_of_jobs(policy="FCFS"):
    """(3.10) at every state, both cut at the same number of jobs, and (3.11) against the series of the chain's law."""
    gap, over = 0.0, -math.inf
    for system, line in cut(policy):
        counts, place = np.unique(line.transient, axis=1, return_inverse=True)
        probability = np.bincount(place.ravel(), line.probability)
        gap = max(gap, relative(probability, law(counts, system.loads, int(system.permanent.sum()))))
    rng = np.random.default_rng(42)
    for kind in (False, True):
        for system, line in lines.solved(policy, kind):
            lasting, load = int(system.permanent.sum()), system.loads.sum()
            tail = stats.nbinom.sf(line.transient.sum(axis=0).max(), lasting + 1, 1 - load)
            for z in rng.uniform(0, 1, (5, len(system.loads))):
                series = line.probability @ np.prod(z[:, None] ** line.transient, axis=0)
                over = max(over, abs(series - generating(z, system.loads, lasting)) - tail)
    expected, found = [], []
    for lasting in (0, 1, 3):
        loads = 0.9 * np.array([0.5, 0.3, 0.2])
        present = run(policy, loads, (0, 0, lasting)).probability_present
        absent = [generating(1 - np.eye(3)[g], loads, lasting) for g in range(3)]
        absent[2] = absent[2] if lasting == 0 else math.nan
        expected.append(1 - np.array(absent))
        found.append(present)
        empty = generating(np.zeros(2), np.array([0.9, 0.0]), lasting)
        expected.append(np.array([1 - empty, math.nan]))
        found.append(run(policy, (0.9, 0.0), (0, lasting)).probability_present)
    missed, tried = lines.contradicted(expected, found)
    series = "within the tails" if over <= NEAR else f"up to {over:.1g} beyond the tails"
    return finding(
        f"the law {words(gap)} at every state; (3.11) {series}; {missed} of {tried} intervals at 0.9 miss it",
        gap <= NEAR and over <= NEAR and missed == 0,
    )


def _convolved(probability, times):
    """A law on 0, 1, ... convolved with itself, cut where the law ends."""
    result = probability
    for _ in range(times - 1):
        result = np.convolve(result, probability)[: len(probability)]
    return result


@check("thesis-3-003", unequal=True)
def total_number(unequal=False):
    """(3.14) and (3.83): the total of the transient jobs under FCFS and PS; the control has unequal means in FCFS."""
    gap = apart = sharing = 0.0
    for system, line in cut(unequal=unequal):
        lasting = int(system.permanent.sum())
        found = np.bincount(line.transient.sum(axis=0), line.probability)
        gap = max(gap, relative(found, total_law(len(found), system.loads.sum(), lasting)))
        rates = np.array(UNEQUAL[: len(system.loads)]) if unequal else 1.0
        alone = uniprocessor.whole_line("FCFS", system.shares, system.loads * rates, rates, most_jobs=len(found) - 1)
        apart = max(
            apart,
            relative(found, _convolved(np.bincount(alone.transient.sum(axis=0), alone.probability), lasting + 1)),
        )
    rng = np.random.default_rng(43)
    for system in (*lines.at_random(9, seed=44), *lines.at_random(21, permanent=True, seed=45)):
        rates = rng.uniform(0.3, 3, len(system.loads))
        laws = []
        for permanent in (system.permanent, np.zeros_like(system.permanent)):
            work = Workload("PS", system.shares, system.loads * rates, rates, permanent)
            counts, probability = distribution(
                7, work, lambda n, p=permanent: (n + p[:, None]) / np.maximum((n + p[:, None]).sum(axis=0), 1)
            )
            laws.append(np.bincount(counts.sum(axis=0), probability))
        lasting = int(system.permanent.sum())
        sharing = max(
            sharing,
            relative(laws[0], total_law(8, system.loads.sum(), lasting)),
            relative(laws[0], _convolved(laws[1], lasting + 1)),
        )
    expected, found = [], []
    for policy in ("FCFS", "PS"):
        for lasting in (0, 1, 3):
            rates = (1.0, 2.5) if unequal or policy == "PS" else 1.0
            result = run(policy, (0.9, 0.0), (0, lasting), rates)
            expected += [np.array([(lasting + 1) * 9, math.nan]), np.array([1 - 0.1 ** (lasting + 1), math.nan])]
            found += [result.mean_jobs, result.probability_present]
    missed, tried = lines.contradicted(expected, found)
    return finding(
        f"FCFS {words(gap)}, the convolution {words(apart)}; PS {words(sharing)}; {missed} of {tried} intervals at 0.9 "
        "miss it",
        max(gap, apart, sharing) <= NEAR and missed == 0,
    )


def _gaps(line, job):
    """At the starts of a permanent job in the chain: the groups in each gap between permanent jobs, and the law."""
    rows, columns, rates = line.transitions
    groups, total = len(line.jobs), line.transient.sum(axis=0)
    chosen = (total[columns] <= total[rows]) & (line.serving[columns] == job)
    law_of = {}
    for state, rate in zip(columns[chosen], (line.probability[rows] * rates)[chosen], strict=True):
        gaps, here = [], []
        for other in line.states[state][1][0]:
            if other >= groups:
                gaps.append(tuple(here))
                here = []
            else:
                here.append(other)
        law_of[tuple(gaps)] = law_of.get(tuple(gaps), 0.0) + rate
    whole = sum(law_of.values())
    return {gaps: rate / whole for gaps, rate in law_of.items()}


@check("thesis-3-121", returns="anywhere")
def gaps_between_permanent_jobs(returns="tail"):
    """(3.33) and (3.34), and the joint law of the gaps, in chains and on paths; the control only in paths."""
    excess, chains = -math.inf, 0
    for system, line in lines.solved("FCFS", permanent=True):
        lasting, load = int(system.permanent.sum()), system.loads.sum()
        for g in np.flatnonzero(system.permanent) if lasting >= 2 else ():
            found = _gaps(line, g + len(system.loads))
            sizes = {}
            for gaps, probability in found.items():
                size = tuple(len(gap) for gap in gaps)
                sizes[size] = sizes.get(size, 0.0) + probability
            worst = max(
                abs(probability - (1 - load) ** len(size) * load ** sum(size)) for size, probability in sizes.items()
            )
            without = sum(probability for gaps, probability in found.items() if not any(g in gap for gap in gaps))
            worst = max(worst, abs(without - gone(system.loads)[g] ** (lasting - 1)))
            excess, chains = max(excess, worst - line.performance.error), chains + 1
    expected, found = [], []
    for system, paths in services.recorded("FCFS", returns):
        load, groups = system.loads.sum(), len(system.loads)
        for g in range(groups):
            expected.append(1 / (1 + system.loads[g]))
            found.append(services.mean_over(paths, lambda path, g=g: _none_arrives(path, g)))
        if system.permanent.sum() < 2:
            continue
        gaps = [[gap for gap in path.gaps if gap] for path in paths]
        for first in range(3):
            for second in range(3):
                expected.append((1 - load) ** 2 * load ** (first + second))
                size = [first, second]
                found.append(
                    services.mean_over(gaps, lambda g, size=size: np.mean([[*map(len, x)] == size for x in g]))
                )
        for g in np.flatnonzero(system.permanent == 1):
            mine = [[gap for gap, job in zip(path.gaps, path.job, strict=True) if job == g + groups] for path in paths]
            expected.append(gone(system.loads)[g] ** 2)
            found.append(
                services.mean_over(mine, lambda x, g=g: np.mean([all(g not in gap for gap in gaps) for gaps in x]))
            )
    missed, tried = lines.contradicted(expected, found)
    near = "within their bounds" if excess <= NEAR else f"up to {excess:.1g} beyond their bounds"
    return finding(
        f"{chains} permanent jobs in chains {near}; {missed} of {tried} intervals at 0.5 and 0.9 miss it",
        excess <= NEAR and missed == 0,
    )


def _part_of_size(gaps, size):
    """The part of the services before which the gaps are of these sizes."""
    return np.mean([[len(gap) for gap in found] == size for found in gaps])


def _none_arrives(path, group):
    """The part of the services during which no job of the group arrives; the last ones, not known to the end, apart."""
    arrivals = np.sort(path.arrival[path.job == group])
    known = (path.end < arrivals[-1]) & (path.start > np.nanmin(path.arrival))
    begun, ended = (np.searchsorted(arrivals, times[known], side="right") for times in (path.start, path.end))
    return (begun == ended).mean()


@check("thesis-3-122", policy="HOL")
def turns_of_permanent_jobs(policy="FCFS"):
    """The rate at which each permanent job is served, and (3.36) with the chain's own probability of being alone."""
    excess, beyond, jobs = -math.inf, -math.inf, 0
    for system, line in lines.solved(policy, permanent=True):
        lasting, load, groups = int(system.permanent.sum()), system.loads.sum(), len(system.loads)
        for g in np.flatnonzero(system.permanent):
            starts = line.starts(g + groups)
            gap = abs(starts.sum() / system.permanent[g] - (1 - load) / lasting)
            excess, jobs = max(excess, gap - line.performance.error), jobs + 1
            if system.permanent[g] == 1:
                alone = starts[1] / starts.sum()
                form = system.loads[g] + while_served((1 - load) / lasting, alone, system.loads[g])
                beyond = max(beyond, abs(form - line.performance.job_share_deviation[g]) - line.performance.error)
    expected, found = [], []
    for system, paths in services.recorded(policy):
        load, groups = system.loads.sum(), len(system.loads)
        for g in np.flatnonzero(system.permanent):
            job, number = g + groups, system.permanent[g]
            expected.append((1 - load) / system.permanent.sum())
            found.append(
                services.mean_over(
                    paths, lambda path, job=job, n=number: (path.job == job).sum() / n / (path.end[-1] - path.start[0])
                )
            )
    missed, tried = lines.contradicted(expected, found)
    near, form = (
        "within their bounds" if gap <= NEAR else f"up to {gap:.1g} beyond their bounds" for gap in (excess, beyond)
    )
    return finding(
        f"{jobs} groups of permanent jobs in chains {near}, and (3.36) {form}; {missed} of {tried} intervals at 0.5 "
        "and 0.9 miss it",
        excess <= NEAR and beyond <= NEAR and missed == 0,
    )
