"""Claims of `thesis`, Section 3.2.1, Figure 3.2: first come, first served, and other orders that look at no group.

The witnesses are exact answers, chains of the line, which know none of the formulas, and simulations (`lines`), and
paths service by service (`services`).
"""

import functools
import itertools
import math
from collections import deque
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from matplotlib.path import Path
from scipy import linalg, stats
from scipy.optimize import brentq

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.estimates import Estimate, from_replications
from clustershare.results import NoExactAnswer
from clustershare.sizes import Deterministic, Hyperexponential
from clustershare.uniprocessor.chain import distribution
from clustershare.uniprocessor.model import Workload
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, grid, measured, mended
from compendium.press.clauses.conditions import agrees, at_least, at_most, between, equal, larger, smaller
from compendium.press.findings import check
from pages.share_scheduling.one_processor import printed
from pages.share_scheduling.one_processor.points import fcfs_falls_short, known
from pages.share_scheduling.one_processor.simulated import (
    IN_BOUND,
    NOT_ABOVE_0,
    RISK,
    agree,
    bounded,
    estimates,
    refused,
)
from pages.share_scheduling.one_processor.simulated import ROUNDING as SAME
from pages.share_scheduling.one_processor.systems import random_splits
from pages.share_scheduling.one_processor.witnesses import lines, services
from pages.share_scheduling.one_processor.witnesses.lines import in_chains, witnesses
from pages.share_scheduling.one_processor.witnesses.paths import intervals

LONG = {"jumps": 150_000, "warmup": 20_000, "replications": 20}
SHORT = {"jumps": 10_000, "warmup": 2000, "replications": 20}
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
    return cases("chain of a line", found, seed=41)


def relative(found, expected):
    """The largest relative gap of two laws, both made to sum to 1."""
    return float(np.abs(found / found.sum() / (expected / expected.sum()) - 1).max())


def run(policy, loads, permanent, rates=1.0, seed=0):
    """A long simulation; required shares do not matter, but by their order."""
    shares = np.arange(len(loads), 0, -1) / np.arange(len(loads) + 1).sum()
    rates = np.broadcast_to(rates, len(loads))
    return uniprocessor.simulate(policy, shares, np.multiply(loads, rates), rates, permanent, **LONG, seed=seed)


def off_generating(answer, loads, permanent):
    """How far presence and mean numbers of an exact answer are from (3.11) or (3.81), relative to these."""
    form = printed.presence_and_means(loads, permanent)
    return np.abs((np.array([answer.probability_present, answer.mean_jobs]) - form) / np.maximum(form, 1e-3)).max()


@functools.cache
def short_runs():
    """Twelve random systems, half of them with permanent jobs, and simulations of FCFS at `lines.RATE`."""
    systems = [one for kind in (False, True) for one in lines.at_random(6, kind, high=0.9, seed=28)]
    found = []
    for seed, (shares, loads, permanent) in enumerate(systems):
        run = uniprocessor.simulate("FCFS", shares, lines.RATE * loads, lines.RATE, permanent, **SHORT, seed=seed)
        found.append((systems[seed], run))
    return found


def in_short_runs(text, expected, quantity):
    """The clause that a quantity of the library's simulations agrees with what is expected of the systems."""
    systems, found = zip(*short_runs())
    return agree(text, [expected(system) for system in systems], [getattr(run, quantity) for run in found])


def slope_at_0(transform):
    """Minus the slope of a transform at 0: the mean."""
    step = 1e-30j
    return -transform(step).imag / step.imag


def at_random():
    """Random systems, without and with permanent jobs."""
    return cases("random system", [(one,) for kind in (False, True) for one in lines.at_random(60, kind)], seed=3)


@check("thesis-3-002", policy="HOL")
def numbers_of_jobs(policy="FCFS"):
    """(3.10) at every state, both cut at the same number of jobs, and (3.11) against the series of the chain's law."""
    rng, expected, found = np.random.default_rng(42), [], []

    def off_law(system, line):
        counts, probability = lines.numbers(line)
        return relative(probability, printed.law(counts, system.loads, int(system.permanent.sum())))

    def off_series(system, line):
        lasting, groups = int(system.permanent.sum()), len(system.loads)
        tail = stats.nbinom.sf(line.transient.sum(axis=0).max(), lasting + 1, 1 - system.loads.sum())
        z = rng.uniform(0, 1, (5, groups))
        series = np.prod(z[..., None] ** line.transient, axis=1) @ line.probability
        gaps = [value - printed.generating(row, system.loads, lasting) for row, value in zip(z, series)]
        return max(0.0, np.abs(gaps).max() - tail)

    def off_answer(system):
        answer = uniprocessor.exact("FCFS", system.shares, lines.RATE * system.loads, lines.RATE, system.permanent)
        return off_generating(answer, system.loads, system.permanent)

    solved = [pair for kind in (False, True) for pair in lines.solved(policy, kind)]
    for lasting in (0, 1, 3):
        loads = 0.9 * np.array([0.5, 0.3, 0.2])
        absent = [printed.generating(1 - np.eye(3)[g], loads, lasting) for g in range(3)]
        empty = printed.generating(np.zeros(2), np.array([0.9, 0.0]), lasting)
        expected += [1 - np.array([*absent[:2], math.nan if lasting else absent[2]]), np.array([1 - empty, math.nan])]
        for setting in ((loads, (0, 0, lasting)), ((0.9, 0.0), (0, lasting))):
            found.append(run(policy, *setting).probability_present)
    return conclude(
        everywhere("at every state the law of the numbers and (3.10)", cut(policy).measure(off_law), equal(SAME)),
        everywhere("but for the tail (3.11) and the series", cases("chain of a line", solved).measure(off_series),
                   equal(SAME)),
        everywhere("presence and mean numbers, exactly and by (3.11),", at_random().measure(off_answer), equal(SAME)),
        agree("the simulated probability that a group is there", expected, found),
        whole=True,
    )  # fmt: skip


def _convolved(probability, times):
    """A law on 0, 1, ... convolved with itself, cut where the law ends."""
    result = probability
    for _ in range(times - 1):
        result = np.convolve(result, probability)[: len(probability)]
    return result


@check("thesis-3-003", unequal=True)
def total_number(unequal=False):
    """(3.14) and (3.83): the total of the transient jobs under FCFS and PS; the control has unequal means in FCFS."""

    def off(found, alone, system):
        lasting = int(system.permanent.sum())
        return {"negative binomial law": relative(found, printed.total_law(len(found), system.loads.sum(), lasting)),
                "convolution": relative(found, _convolved(alone, lasting + 1))}  # fmt: skip

    def in_line(system, line):
        found = np.bincount(line.transient.sum(axis=0), line.probability)
        rates = np.array(UNEQUAL[: len(system.loads)]) if unequal else 1.0
        alone = uniprocessor.whole_line("FCFS", system.shares, system.loads * rates, rates, most_jobs=len(found) - 1)
        return off(found, np.bincount(alone.transient.sum(axis=0), alone.probability), system)

    rng, sharing = np.random.default_rng(43), []
    for system in (*lines.at_random(9, seed=44), *lines.at_random(21, permanent=True, seed=45)):
        sharing.append((system, rng.uniform(0.3, 3, len(system.loads))))

    def in_sharing(system, rates):
        laws = []
        for permanent in (system.permanent, np.zeros_like(system.permanent)):
            work = Workload("PS", system.shares, system.loads * rates, rates, permanent)
            counts, probability = distribution(
                7, work, lambda n, p=permanent: (n + p[:, None]) / np.maximum((n + p[:, None]).sum(axis=0), 1)
            )
            laws.append(np.bincount(counts.sum(axis=0), probability))
        return off(*laws, system)

    def off_answers(system):
        """Mean totals under both policies, and whether anybody transient is there if the first group brings all."""
        load, lasting, gaps = system.loads.sum(), int(system.permanent.sum()), []
        apart = np.linspace(0.5, 3, len(system.loads))
        for policy, rates in (("FCFS", lines.RATE), ("PS", apart)):
            answer = uniprocessor.exact(policy, system.shares, system.loads * rates, rates, system.permanent)
            gaps.append(answer.mean_jobs.sum() / ((lasting + 1) * load / (1 - load)) - 1)
            alone = uniprocessor.exact(policy, (0.6, 0.4), (3 * load, 0), 3.0, (0, lasting)).probability_present[0]
            gaps.append(alone / (1 - (1 - load) ** (lasting + 1)) - 1)
        return np.abs(gaps).max()

    expected, found = [], []
    for policy, lasting in itertools.product(("FCFS", "PS"), (0, 1, 3)):
        rates = (1.0, 2.5) if unequal or policy == "PS" else 1.0
        result = run(policy, (0.9, 0.0), (0, lasting), rates)
        expected += [np.array([(lasting + 1) * 9, math.nan]), np.array([1 - 0.1 ** (lasting + 1), math.nan])]
        found += [result.mean_jobs, result.probability_present]
    gaps = {"FCFS": cut(unequal=unequal).measure(in_line),
            "PS": cases("chain of the numbers", sharing, seed=43).measure(in_sharing)}  # fmt: skip
    return conclude(
        *(
            everywhere(f"under {policy} the law of the total and the {what}", gap, equal(SAME))
            for policy, both in gaps.items() for what, gap in both.items()
        ),
        everywhere("exact means and presence and those of the law", at_random().measure(off_answers), equal(SAME)),
        agree("the simulated mean or presence", expected, found),
        whole=True,
    )  # fmt: skip


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

    def off(system, line):
        lasting, load, worst = int(system.permanent.sum()), system.loads.sum(), []
        for g in np.flatnonzero(system.permanent) if lasting >= 2 else ():
            found, sizes = _gaps(line, g + len(system.loads)), {}
            for gaps, probability in found.items():
                size = tuple(len(gap) for gap in gaps)
                sizes[size] = sizes.get(size, 0.0) + probability
            worst += [probability - (1 - load) ** len(size) * load ** sum(size) for size, probability in sizes.items()]
            without = sum(probability for gaps, probability in found.items() if not any(g in gap for gap in gaps))
            worst.append(without - printed.gone(system.loads)[g] ** (lasting - 1))
        return worst

    expected, found = [], []
    for system, paths in services.recorded("FCFS", returns):
        load, groups = system.loads.sum(), len(system.loads)
        for g in range(groups):
            expected.append(1 / (1 + system.loads[g]))
            found.append(services.mean_over(paths, lambda path, g=g: _none_arrives(path, g)))
        if system.permanent.sum() < 2:
            continue
        gaps = [[[*map(len, gap)] for gap in path.gaps if gap] for path in paths]
        for size in itertools.product(range(3), repeat=2):
            expected.append((1 - load) ** 2 * load ** sum(size))
            found.append(services.mean_over(gaps, lambda sizes, size=size: np.mean([x == [*size] for x in sizes])))
        for g in np.flatnonzero(system.permanent == 1):
            mine = [[gap for gap, job in zip(path.gaps, path.job, strict=True) if job == g + groups] for path in paths]
            expected.append(printed.gone(system.loads)[g] ** 2)
            found.append(
                services.mean_over(mine, lambda x, g=g: np.mean([all(g not in gap for gap in gaps) for gaps in x]))
            )
    return conclude(
        in_chains("the gap of the law between permanent jobs", off, beside=(True,)),
        agree("the probability on paths", expected, found),
        whole=True,
    )


def _none_arrives(path, group):
    """The part of the services during which no job of the group arrives; the last ones, not known to the end, apart."""
    arrivals = np.sort(path.arrival[path.job == group])
    known = (path.end < arrivals[-1]) & (path.start > np.nanmin(path.arrival))
    begun, ended = (np.searchsorted(arrivals, times[known], side="right") for times in (path.start, path.end))
    return (begun == ended).mean()


@check("thesis-3-122", policy="HOL")
def turns_of_permanent_jobs(policy="FCFS"):
    """The rate at which each permanent job is served, and (3.36) with the chain's own probability of being alone."""

    def rate(system):
        return (1 - system.loads.sum()) / system.permanent.sum()

    def off_rate(system, line):
        return [line.starts(g + len(system.loads)).sum() / lines.RATE / system.permanent[g] - rate(system)
                for g in np.flatnonzero(system.permanent)]  # fmt: skip

    def off_form(system, line):
        found = []
        for g in np.flatnonzero(system.permanent == 1):
            starts = line.starts(g + len(system.loads))
            form = system.loads[g] + printed.while_served(rate(system), starts[1] / starts.sum(), system.loads[g])
            found.append(form - line.performance.job_share_deviation[g])
        return found

    def off_share(system):
        """What a permanent job obtains exactly, of services of mean 1 / `RATE`, is its rate times that mean."""
        answer = uniprocessor.exact("FCFS", system.shares, lines.RATE * system.loads, lines.RATE, system.permanent)
        mine = system.permanent > 0
        return np.abs((answer.obtained_share - system.loads)[mine] / system.permanent[mine] / rate(system) - 1).max()

    beside = cases("random system", [(one,) for one in lines.at_random(60, True)], seed=3)
    expected, found, simulated, shares = [], [], [], []
    for system, paths in services.recorded(policy):
        mine = system.permanent > 0
        if mine.any():
            simulated.append(refused(policy, system.shares, system.loads, 1.0, system.permanent, **SHORT).obtained)
            shares.append(np.where(mine, system.loads + system.permanent * rate(system), np.nan))
        for g in np.flatnonzero(mine):
            job, number = g + len(system.loads), system.permanent[g]
            expected.append(rate(system))
            found.append(
                services.mean_over(
                    paths, lambda path, job=job, n=number: (path.job == job).sum() / n / (path.end[-1] - path.start[0])
                )
            )
    return conclude(
        in_chains("the rate less that by formula", off_rate, policy, (True,)),
        in_chains("the deviation less (3.36)", off_form, policy, (True,)),
        everywhere("the exact share of a permanent job and its rate over mu", beside.measure(off_share), equal(SAME)),
        agree("the rate on paths", expected, found),
        agree("the simulated share of a group with permanent jobs", shares, simulated),
        whole=True,
    )


@functools.cache
def short_line(policy, share, own, others, most_jobs=8):
    """The deviation of group 1 of two in the chain of the line, and the chain's bound."""
    line = uniprocessor.whole_line(policy, (share, 1 - share), (own, others), most_jobs=most_jobs).performance
    return float(line.group_share_deviation[0]), line.error


@functools.cache
def _glance(policy, first, own, others):
    """A short simulation of two groups, whose required shares matter only by their order."""
    shares = (0.6, 0.4) if first else (0.4, 0.6)
    return uniprocessor.simulate(policy, shares, (own, others), jumps=20_000, warmup=5000, replications=20)


def glance(policy, share, own, others):
    """The simulated deviation of group 1 of two, and a half width that is not too short."""
    found = _glance(policy, share > 0.5, own, others)
    present, obtained_share = found.probability_present, found.obtained_share
    value = present.value[0] - obtained_share.value[0] / share
    return value, present.half_width[0] + obtained_share.half_width[0] / share


GRID = [(a / 20, b / 20) for a in range(1, 20, 2) for b in range(1, 20, 2) if a + b < 20]


@check("thesis-3-004", policy="HOL")
def group_deviation(policy="FCFS"):
    """(3.16) as printed, with and without permanent jobs."""

    def form(system):
        _, *bring = system
        return printed.fcfs_present(*bring[:2]) - printed.obtained(*bring[:2]) / system.shares

    return conclude(*witnesses("(3.16)", form, "group_share_deviation", policy), whole=True)


@check("thesis-3-005", policy="HOL")
def obtained_share(policy="FCFS"):
    """(3.19), and the part of the time that goes to permanent jobs."""

    def on_them(system, line):
        return line.probability[line.serving >= len(system.loads)].sum() - (1 - system.loads.sum())

    alone = lines.in_runs(lambda s: np.where(s.permanent > 0, np.nan, s.loads), "obtained_share", policy, (True,))
    return conclude(
        *witnesses("(3.19)", lambda s: printed.obtained(s.loads, s.permanent), "obtained_share", policy),
        in_chains("the time on permanent jobs less 1 - rho", on_them, policy, (True,)),
        everywhere("the simulated share of a group without permanent jobs less its load", alone, agrees()),
        whole=True,
    )


@check("thesis-3-006", policy="PQ")
def without_permanent_jobs(policy="FCFS"):
    """(3.20)."""
    found = witnesses("(3.20)", lambda s: printed.fcfs_alone(s[0], s[1]), "group_share_deviation", policy, (False,))
    return conclude(*found, whole=True)


@check("thesis-3-007", policy="PQ")
def where_it_is_zero(policy="FCFS"):
    """(3.21): the zero of the deviation for a given total load, at r + (1 - rho) as printed or at r - (1 - rho)."""
    rng, systems = np.random.default_rng(12), []
    for number in range(60):
        groups = 2 + number % 2
        share = rng.uniform(0.05, 0.95)
        rho = rng.uniform(1 - share, 1) if number >= 10 else rng.uniform(0.15, 0.3)
        share = share if number >= 10 else rng.uniform(1.02 - rho, 0.95)
        rest = (1 - share) * (np.ones(1) if groups == 2 else rng.dirichlet(np.ones(2)))
        systems.append((np.array([share, *rest]), rho, np.ones(1) if groups == 2 else rng.dirichlet(np.ones(2))))

    def zero(shares, rho, part):
        def at(own):
            return lines.deviation(shares, np.array([own, *(rho - own) * part]), policy)[0]

        low, high = 1e-6 * rho, (1 - 1e-9) * rho
        return brentq(at, low, high, xtol=1e-15) if at(low) * at(high) < 0 else math.inf

    def turns(shares, rho, part):
        place = shares[0] - (1 - rho)
        below, above = (
            short_line(policy, shares[0], own, rho - own, 10)[0] for own in (0.5 * place, (place + rho) / 2)
        )
        return below > 0 > above

    domain = cases("random system", systems, seed=12)
    zeros, as_printed, right = (
        domain.measure(place) for place in (zero, lambda r, rho, _: r[0] + 1 - rho, lambda r, rho, _: r[0] + rho - 1)
    )
    light = cases("light system", [one for one in systems if one[1] <= 0.3][:5])
    return mended(
        everywhere("as printed, the place and the library's zero", zeros - as_printed, equal(SAME)),
        everywhere("with the minus, the place and the library's zero", zeros - right, equal(SAME)),
        everywhere("the sign changes there in the chain of the line", light.measure(turns)),
        aside("the place as printed less the total load", as_printed - domain.measure(lambda r, rho, _: rho)),
    )


@check("thesis-3-008", policy="PQ", systems=40)
def decided_by_the_others(policy="FCFS", systems=200):
    """The sign is fixed by the others' load, and more of the own load makes the deviation larger in size.

    The group is the last, so that under PQ, the control, it has others above it. All differences are taken with the
    sign that 1 - r_g less the others' load has, so that they are to be above 0.
    """

    def steps(system):
        g = int(system.shares.argmin())
        others = system.loads.sum() - system.loads[g]
        values, got = [0.0], [0.0]
        for own in np.linspace(0, 0.999 * (1 - others), 21)[1:]:
            loads = system.loads.copy()
            loads[g] = own
            answer = uniprocessor.exact(policy, system.shares, lines.RATE * loads, lines.RATE)
            values.append(answer.group_share_deviation[g])
            got.append(answer.obtained_share[g])
        sign = 1 if others > 1 - system.shares[g] else -1
        return exact([sign * np.diff(values), sign * np.array(values[1:]), np.diff(got)],
                     number=("step of the deviation", "deviation", "step of the share"), step=range(20))  # fmt: skip

    def further(witness, share, others, total):
        """Steps of the deviation of group 1 from no load on, in the direction stated, and how far they are off."""
        own = np.arange(1, 4) * (total - others) / 3
        found = np.transpose([(0.0, 0.0), *(witness(policy, share, float(x), others) for x in own)])
        sign = 1 if others > 1 - share else -1
        return sign * np.diff(found[0]), found[1, 1:] + found[1, :-1]

    chains = [further(short_line, share, others, 0.3)
              for share, others in itertools.product((0.85, 0.5), (0.05, 0.1, 0.18, 0.22))]  # fmt: skip
    runs = [further(_run, share, others, 0.9) for share, others in ((0.8, 0.4), (0.7, 0.5), (0.4, 0.3), (0.2, 0.5))]
    of_chains, of_runs = (measured(*np.concatenate(found, axis=1), risk=None, step=None) for found in (chains, runs))
    domain = cases("random system", [(system,) for system in lines.at_random(systems, seed=14)], seed=14)
    return conclude(
        everywhere("the deviation, its steps and those of the share keep the sign stated",
                   exact(np.array(domain.measure(steps).value > 0), random_system=None, number=None, step=None)),
        everywhere("the step in the direction stated", larger().told(of_chains), larger()),
        everywhere("the simulated step in the direction stated", of_runs, larger()),
        whole=True,
    )  # fmt: skip


def _run(policy, share, own, others):
    """The simulated deviation of group 1 of two, and its half width."""
    found = uniprocessor.simulate(policy, (share, 1 - share), (own, others), **lines.RUN).group_share_deviation
    return float(found.value[0]), float(found.half_width[0])


@check("thesis-3-009", permanent=1)
def light_traffic(permanent=0):
    """(3.22): tenfold lighter loads, six times; the control gives the first group a permanent job."""
    systems = lines.at_random(60, seed=15)

    def largest(system, k, answer=uniprocessor.exact, **setting):
        direction = system.loads / system.loads.sum()
        lasting = np.eye(len(direction), dtype=int)[0] * permanent
        found = answer("FCFS", system.shares, 10.0**-k * direction, 1.0, lasting, **setting)
        return np.abs(getattr(found, "performance", found).group_share_deviation).max()

    def ratios(number, steps, *how, **setting):
        found = [largest(systems[number], k, *how, **setting) for k in range(1, steps + 1)]
        return exact(np.divide(found[:-1], found[1:]), step=range(1, steps))

    by_library = cases("random system", range(60), seed=15).measure(lambda number: ratios(number, 6))
    in_line = cases("chain of a line", range(6)).measure(
        lambda number: ratios(number, 3, uniprocessor.whole_line, most_jobs=5)
    )
    last = cases("random system", [(system,) for system in systems], seed=15).measure(lambda system: largest(system, 6))
    return conclude(
        everywhere("the factor by which a tenfold load raises the largest deviation", by_library, between(8, 12)),
        everywhere("the same factor in the chain of the line", in_line, between(8, 12)),
        aside("the largest deviation at a load of 1e-6", last),
        whole=True,
    )


def _near_one(limit, idle, last=None):
    """Loads of total 1 - idle in the proportions of their limits; `last` is the load of a further group."""
    if last is None:
        return (1 - idle) * limit
    return np.array([*(1 - idle - last) * limit, last])


def _limit_splits():
    """Required shares and limits of the loads, all above 0: thirty random ones of two to four groups."""
    systems = lines.at_random(30, seed=18)
    return cases("split", [(one.shares, one.loads / one.loads.sum()) for one in systems], seed=18)


VANISHING = {"no load at all": lambda idle: 0.0, "(1 - rho)^2": np.square, "1 - rho": lambda idle: idle,
             "sqrt(1 - rho)": np.sqrt}  # fmt: skip
AN_EXAMPLE = np.array([0.45, 0.3, 0.25]), np.array([0.6, 0.4])  # required shares, and limits of two loads


def _tends(gaps):
    """Whether gaps fall at each step, the last to 1e-5."""
    return gaps[-1] <= 1e-5 and (np.diff(gaps) < 0).all()


@check("thesis-3-010", policy="PQ")
def heavy_traffic(policy="FCFS"):
    """(3.23), over all splits that have limits: loads that vanish are among them."""
    ks, (shares, limit) = range(1, 10), AN_EXAMPLE

    def tends(r, limits):
        return _tends(
            [np.abs(lines.deviation(r, _near_one(limits, 10.0**-k), policy) - (1 - limits / r)).max() for k in ks]
        )

    def vanishing(name):
        return [lines.deviation(shares, _near_one(limit, 10.0**-k, VANISHING[name](10.0**-k)), policy)[-1] for k in ks]

    loads = ([0.45, 0.3, 0.2], [0.54, 0.36, 0.05])  # the last is 1 - rho in the second
    runs = [uniprocessor.simulate(policy, shares, one, **lines.RUN, seed=k) for k, one in enumerate(loads)]
    forms = [printed.fcfs_alone(shares, np.array(one)) for one in loads]
    ways = cases("vanishing load", VANISHING)
    return conclude(
        everywhere("above 0 the deviations tend to their limits", _limit_splits().measure(tends)),
        everywhere("with a load that vanishes the deviation of its group tends to 1",
                   ways.measure(lambda name: _tends(np.abs(np.subtract(vanishing(name), 1))))),
        aside("the deviation of that group at rho = 1 - 1e-9", ways.measure(lambda name: vanishing(name)[-1])),
        provided=[agree("(3.20), against a simulation at 0.95,", forms, [one.group_share_deviation for one in runs])],
    )  # fmt: skip


@check("thesis-3-011", policy="PQ")
def only_the_required_shares(policy="FCFS"):
    """In heavy traffic some group falls short unless the loads are the required shares; vanishing loads apart."""

    def found(shares, limit):
        larger = [lines.deviation(shares, _near_one(limit, 10.0**-k), policy).max() for k in (3, 6, 9)]

        loads = [lines.deviation(shares, rho * shares, policy).max() for rho in (0.1, 0.5, 0.9, 0.99, 1 - 1e-6)]
        return {
            "short": larger[-1] > 0 and abs(larger[-1] - (1 - limit / shares).max()) < 1e-5,
            "kept": max(loads) <= 1e-12,
        }

    def still_short(name):
        (shares, limit), idle = AN_EXAMPLE, 10.0 ** -np.array([3, 6, 9])
        larger = [lines.deviation(shares, _near_one(limit, one, VANISHING[name](one)), policy).max() for one in idle]
        return larger[-1] >= 1e-6 or larger[-1] > larger[0]

    found = _limit_splits().measure(found)
    ways = cases("vanishing load", VANISHING)
    return conclude(
        everywhere("loads in proportion to the required shares keep all groups, and other loads leave one short",
                   exact(np.logical_and(found["short"].value, found["kept"].value), split=None)),
        everywhere("other loads leave a group short if one vanishes", ways.measure(still_short)),
    )  # fmt: skip


def _should(system):
    """(3.24): which groups do not fall short."""
    return system.loads >= system.shares - (1 - system.loads.sum())


@check("thesis-3-012", policy="PQ", systems=200)
def condition(policy="FCFS", systems=2000):
    """(3.24), with exact answers, with chains and simulations; the deviation of a group without load is 0."""

    def by_library(system):
        return ((lines.deviation(system.shares, system.loads, policy) <= 0) == _should(system)).all()

    rng, chains, runs = np.random.default_rng(21), [], []
    for _ in range(50):
        share, load, part = rng.uniform(0.7, 0.9), rng.uniform(0.1, 0.3), rng.uniform(0.05, 0.95)
        value, error = short_line(policy, share, part * load, load - part * load, 7)
        chains.append((np.where(part * load >= share - (1 - load), -value, value), error))
    for system, found in lines.simulated(policy):
        one = found.group_share_deviation
        runs += zip(np.where(_should(system), -one.value, one.value), one.half_width)
    told = [larger().told(measured(*np.transpose(pairs), risk=None, deviation=None)) for pairs in (chains, runs)]
    domain = cases("random system", [(system,) for system in lines.at_random(systems, seed=20)], seed=20)
    return conclude(
        everywhere("the signs of all deviations are as stated", domain.measure(by_library)),
        everywhere("in the chain of the line the deviation with the sign stated", told[0], larger()),
        everywhere("simulated, the deviation with the sign stated", told[1], larger()),
        aside("a group without load has", exact(lines.deviation((0.5, 0.3, 0.2), (0.3, 0.3, 0.0), policy)[2])),
        whole=True,
    )


@check("thesis-3-013", alike=True)
def loads_as_the_shares(alike=False):
    """(3.25) is what the library, chains and simulations give for loads in proportion; the control has equal loads."""
    rng, systems = np.random.default_rng(22), []
    for number in range(60):
        groups = 2 + number % 4
        shares = 0.05 + (1 - 0.05 * groups) * rng.dirichlet(np.ones(groups))
        split = np.full(groups, 1 / groups) if alike else shares
        systems += [(shares, split, rho) for rho in (0.01, 0.99, *rng.uniform(0.01, 0.99, 3))]

    def by_library(shares, split, rho):
        values = lines.deviation(shares, rho * split)
        return {"gap": np.abs(values / printed.fcfs_in_proportion(shares, rho) - 1).max(), "largest": values.max()}

    chains, found, expected = [], [], []
    for number, (shares, split, _) in enumerate(systems[::5][:9]):
        if len(shares) < 5:
            load, most = {2: (0.25, 12), 3: (0.06, 6), 4: (0.04, 5)}[len(shares)]
            line = uniprocessor.whole_line("FCFS", shares, load * split, most_jobs=most).performance
            gaps = line.group_share_deviation - printed.fcfs_in_proportion(shares, load)
            chains.append((np.abs(gaps).max(), line.error))
        for rho in (0.6, 0.9) if number < 6 else ():
            simulated = uniprocessor.simulate("FCFS", shares, rho * split, **lines.RUN, seed=number)
            found.append(simulated.group_share_deviation)
            expected.append(printed.fcfs_in_proportion(shares, rho))
    exactly = cases("random system", systems, seed=22).measure(by_library)
    return conclude(
        everywhere("the library's deviation and (3.25)", exactly["gap"], equal(SAME)),
        everywhere("the gap of (3.25) to the chain", bounded(chains, "chain of a line"), IN_BOUND),
        everywhere("the bound of the chain", exact([error for _, error in chains], chain=None), at_most(1e-6)),
        agree("(3.25), against a simulation,", expected, found),
        everywhere("the largest deviation", exactly["largest"], at_most(0)),
        whole=True,
    )


@check("thesis-3-014", policy="PQ", systems=100)
def two_groups_or_more(policy="FCFS", systems=1000):
    """All deviations non-positive, and all loads at most the required shares: the same for two groups only."""
    rng, numbers, rows, example = np.random.default_rng(23), (2, 3, 4, 6), [], None
    for groups in numbers:
        for _ in range(systems):
            shares = 0.05 + (1 - 0.05 * groups) * rng.dirichlet(np.ones(groups))
            loads = rng.dirichlet(np.full(groups, 3.0)) * rng.uniform(0.02, 0.95)
            delivered, below = lines.deviation(shares, loads, policy).max() <= 0, (loads <= shares).all()
            rows.append((delivered or not below, delivered and not below))
            if groups == 3 and delivered and (loads - shares).max() > 0.1 and example is None:
                example = shares, loads
    enough, more = np.reshape(rows, (len(numbers), systems, 2)).transpose(2, 0, 1)
    clauses = []
    if example is not None:
        found = uniprocessor.simulate(policy, *example, **lines.RUN).group_share_deviation
        found = measured(found.value, found.half_width, runs=20, risk=None, group=(1, 2, 3))
        clauses = [everywhere("in one of those systems the simulated deviation", found, smaller())]
    return conclude(
        everywhere("groups with loads at most their shares are kept", exact(enough, kind=None, random_system=None)),
        everywhere("of two groups none is kept if a load exceeds its share", exact(~more[0], random_system=None)),
        everywhere("of more groups, the number of systems kept though a load exceeds its share",
                   exact(more[1:].sum(axis=1), number_of_groups=numbers[1:]), at_least(1)),
        *clauses,
        fact("such a system is simulated", bool(clauses), "there is no such system to simulate"),
        whole=True,
    )  # fmt: skip


@check("thesis-3-015", policy="PQ")
def any_split(policy="FCFS"):
    """At a total load of at most 1 - max r, however it is split; the worst system of so many groups simulated."""
    rng, numbers = np.random.default_rng(24), (2, 3, 4, 5)
    worst, value, half = [], [], []
    for groups in numbers:
        found = []
        for number in range(250):
            shares = 0.05 + (1 - 0.05 * groups) * rng.dirichlet(np.ones(groups))
            part = rng.dirichlet(np.ones(groups)) if number % 10 else np.eye(groups)[number // 10 % groups]
            loads = (1 - shares.max()) * np.linspace(0.05, 1, 20)[number % 20] * part
            found.append((lines.deviation(shares, loads, policy)[loads > 0].max(), shares, loads))
        worst.append(max(found, key=lambda one: one[0]))
        run = uniprocessor.simulate(policy, *worst[-1][1:], **lines.RUN).group_share_deviation
        value, half = [*value, *run.value], [*half, *run.half_width]
    no_load = np.equal(half, 0)
    simulated = measured(value, np.array(half) + SAME * no_load, runs=20, risk=RISK, group=None)
    return conclude(
        everywhere("the largest deviation", exact([one[0] for one in worst], number_of_groups=numbers), at_most(0)),
        everywhere("in the worst of them the simulated deviation", simulated, NOT_ABOVE_0),
        whole=True,
    )


@check("thesis-3-016", policy="PQ")
def region_map(policy="FCFS"):
    """Figure 3.2, its drawn region, for three required shares: the signs of chains and of simulations."""
    rows = []
    for share, (own, others) in itertools.product((0.2, 0.55, 0.8), GRID):
        value, error = (short_line if own + others < 0.41 else glance)(policy, share, own, others)
        rows.append((value if Path(fcfs_falls_short(share)).contains_point((others, own)) else -value, error))
    told = larger().told(measured(*np.transpose(rows), risk=None, point=None))

    def by_library(share, own, others):
        value = lines.deviation((share, 1 - share), (own, others), policy)[0]
        return abs(value) < SAME or (value > 0) == Path(fcfs_falls_short(share)).contains_point((others, own))

    places = [(share, *place) for share, place in itertools.product((0.2, 0.55, 0.8), GRID)]
    return conclude(
        everywhere("the deviation of group 1, with the sign drawn,", told, larger()),
        everywhere("the exact deviation off the line has the sign drawn", cases("place", places).measure(by_library)),
        fact("most points are told", 2 * told.value.size > len(rows), "most points are too near to the line to tell"),
        whole=True,
    )


BRANCHES = ("no permanent job", "one permanent job", "several permanent jobs")


@check("thesis-3-017", policy="HOL")
def internal_fairness(policy="FCFS"):
    """(3.26), whose N_g^P must be N^P in exponents and denominators, branch by branch."""

    def off(system, line):
        form = printed.job_deviation(system.loads, system.permanent, system.permanent)
        return form - line.performance.job_share_deviation

    def of_branch(number):
        """The largest gap of a branch as printed to chains, beyond the chains' bounds."""
        pairs = [pair for kind in (False, True) for pair in lines.solved(policy, kind)]
        return max(
            (np.abs(off(system, line)[mine]).max() - line.performance.error
             for system, line in pairs if (mine := np.minimum(system.permanent, 2) == number).any()), default=0.0,
        )  # fmt: skip

    quarters, ones = np.array([0.25, 0.25]), np.array([1, 1])
    example = [printed.job_deviation(quarters, ones, of)[0] for of in (1, 2)]
    gaps = cases("branch", range(3), BRANCHES).measure(of_branch)
    return mended(
        everywhere("as printed, the gap to the chain beyond its bound", gaps, at_most(SAME)),
        *witnesses("(3.26) with N^P", lambda s: printed.job_deviation(s.loads, s.permanent, s.permanent.sum()),
                   "job_share_deviation", policy),
        aside("at loads of 0.25 beside a permanent job each", exact(example, form=("as printed", "with N^P"))),
    )  # fmt: skip


FAIRNESS_SYSTEMS = (
    lines.System(np.array([0.45, 0.55]), np.array([0.15, 0.1]), np.array([0, 0])),
    lines.System(np.array([0.4, 0.6]), np.array([0.03, 0.05]), np.array([1, 1])),
)


@check("thesis-3-019", policies=("PS",))
def joint_or_conditional(policies=("FCFS", "HOL", "UD")):
    """(2.45), job by job along a path, is whether the group is served and has two jobs: a joint probability.

    Its mean over time is compared with the conditional probability on the same paths, with the joint one of the chain
    of the line, which there is of two policies, and with what the library's simulation says.
    """
    unlike, conditional, expected, found, on_paths, simulated, lines_own = 0, [], [], [], [], [], []
    for policy, (number, system) in itertools.product(policies, enumerate(FAIRNESS_SYSTEMS)):
        samples, two, both = [], np.zeros(2), np.zeros(2)
        for seed in range(8):
            sums, elapsed = np.zeros(2), 0.0
            for now in intervals(policy, **system.arguments, events=600, seed=100 * number + seed):
                several = np.array(now.present(2)) >= 2
                served = several & [group in {job.group for job in now.rates} for group in range(2)]
                values = np.array([now.job_share_deviation(group) for group in range(2)])
                unlike += (values != served).any()
                sums, two, both = sums + values * now.length, two + several * now.length, both + served * now.length
                elapsed += now.length
            samples.append(sums / elapsed)
        conditional.append(np.abs(np.mean(samples, axis=0) - both / two).max())
        of_paths = from_replications(samples)
        run = uniprocessor.simulate(policy, **system.arguments, **SHORT, seed=number).job_share_deviation
        on_paths.append(of_paths.value)
        simulated.append(Estimate(run.value, np.hypot(run.half_width, of_paths.half_width)))
        exactly = known(policy, system.arguments, lambda answer: answer.job_share_deviation)
        if policy in ("FCFS", "HOL"):
            line = uniprocessor.whole_line(policy, **system.arguments, most_jobs=8 - 2 * number)
            mine = [(line.serving >= 0) & (line.serving % 2 == g) & (line.jobs[g] > 1) for g in range(2)]
            expected.append(np.array(mine) @ line.probability)
            found.append(of_paths)
            lines_own.append((np.abs(expected[-1] - line.performance.job_share_deviation).max(), 0.0))
            lines_own.append((np.nanmax(np.abs(expected[-1] - exactly)), line.performance.error))
        if policy == "UD":
            expected.append(exactly)
            found.append(of_paths)
    return mended(
        everywhere("the gap of the deviation to the probability of being served given two jobs",
                   exact(conditional, system=None), at_most(1e-3)),
        fact("every value of (2.45) along the paths is 1 if the group is served and has two jobs, and 0 if not",
             not unlike, "not every value of (2.45) is 1 if the group is served and has two jobs, and 0 if not"),
        agree("the joint probability, against the mean over paths,", expected, found, 8),
        agree("that mean, against the library's simulation,", on_paths, simulated, 8),
        *[everywhere("the joint probability less the library's", bounded(lines_own), IN_BOUND)] * bool(lines_own),
    )  # fmt: skip


GAMMAS = np.array([0.05, 0.3, 1.0, 4.0, 10.0, 0.5 + 2j, 3j])
SEEN = 1e-3  # a mean of exp(-gamma R) that is rarer needs more jobs than a path has


def _services_until_served(state, groups):
    """The services that end while a tagged job, which has just come last into the line, is there: job after job.

    A permanent job that was served takes the place behind it.
    """
    serving, (waiting, *_) = state
    line = deque([*([] if serving is None else [serving]), *waiting, "tagged"])
    for ended in itertools.count(1):
        job = line.popleft()
        if job == "tagged":
            return ended
        if job >= groups:
            line.append(job)


def in_tagged_chains(text, forms, waiting=False):
    """The clause on E exp(-gamma R), or of W, of a job tagged as it comes to the chain of a line, by forms of it."""

    def off(system, line):
        if len(system.loads) == 4:
            return ()
        ended = np.array([_services_until_served(state, len(system.loads)) for state in line.states]) - waiting
        return [(1 / (1 + GAMMAS[:, None])) ** ended @ line.probability - form for form in forms(system)]

    return in_chains(text, off)


def on_paths(policy, value, form):
    """Means of exp(-gamma times a time of transient jobs) on recorded paths, against a form: expected and found."""
    expected, found = [], []
    for system, paths in services.recorded(policy):
        times = [value(path)[path.job < len(system.loads)] for path in paths]
        found.append(from_replications([[np.exp(-gamma * one).mean() for gamma in GAMMAS[:5].real] for one in times]))
        expected.append(np.where((values := form(system)[:5].real) < SEEN, np.nan, values))
    return expected, found


def of_response(system):
    """(3.28) with N^P, over `GAMMAS`."""
    return printed.response_transform(GAMMAS, system.loads.sum(), system.permanent.sum())


def of_wait(system):
    """(3.30), over `GAMMAS`."""
    return of_response(system) * (1 + GAMMAS)


def mean_response(system):
    """The mean time in the system by (3.28) with N^P, in mean service times."""
    return slope_at_0(lambda gamma: printed.response_transform(gamma, system.loads.sum(), system.permanent.sum()))


def mean_wait(system):
    """The mean wait by (3.30), in mean service times."""
    load, permanent = system.loads.sum(), system.permanent.sum()
    return slope_at_0(lambda gamma: printed.response_transform(gamma, load, permanent) * (1 + gamma))


@check("thesis-3-020", policy="LCFS")
def response_time(policy="FCFS"):
    """(3.28): a job tagged as it comes to the chain of the line and followed until it leaves, and times on paths.

    The mean time, which the library has exactly, is the slope at 0, but for its sign.
    """

    def as_printed(system):
        return [printed.response_transform(GAMMAS, system.loads.sum(), of) for of in system.permanent]

    def off_mean(system):
        answer = uniprocessor.exact("FCFS", system.shares, lines.RATE * system.loads, lines.RATE, system.permanent)
        return np.abs(lines.RATE * answer.mean_response_time / mean_response(system) - 1).max()

    return mended(
        in_tagged_chains("as printed, the gap to a tagged job", as_printed),
        in_tagged_chains("with N^P, the gap to a tagged job", lambda system: [of_response(system)]),
        agree("(3.28) with N^P, against response times on paths,",
              *on_paths(policy, lambda path: path.end - path.arrival, of_response)),
        everywhere("its slope at 0 and the library's mean time", at_random().measure(off_mean), equal(SAME)),
        in_short_runs("its slope at 0, against simulated mean times,",
                      lambda system: mean_response(system) / lines.RATE, "mean_response_time"),
    )  # fmt: skip


@check("thesis-3-021", policy="HOL")
def nobody_waits(policy="FCFS"):
    """(3.30) and (3.31): the wait, and services of transient jobs that start with no other job of the group there."""

    def off(system, line):
        expected = system.loads * printed.nobody_else(system.loads, system.permanent)
        return [line.starts(g)[1] / lines.RATE - expected[g] for g in np.flatnonzero(system.permanent == 0)]

    def off_mean(system):
        answer = uniprocessor.exact("FCFS", system.shares, lines.RATE * system.loads, lines.RATE, system.permanent)
        mean = mean_wait(system)
        return np.abs((lines.RATE * answer.mean_response_time - 1) / mean - 1).max() if mean > 1e-3 else 0.0

    return conclude(
        in_tagged_chains("the gap of (3.30) to the wait of a tagged job", lambda system: [of_wait(system)], True),
        in_chains("the rate of starts with no other job of the group, less (3.31),", off, policy),
        agree("(3.30), against waits on paths,", *on_paths(policy, lambda path: path.start - path.arrival, of_wait)),
        agree("(3.31), against services on paths,", *services.starts_alone(policy, printed.nobody_else, 0)),
        everywhere("the slope of (3.30) at 0 and the exact mean wait", at_random().measure(off_mean), equal(SAME)),
        in_short_runs("that slope and a service, against simulated mean times,",
                      lambda system: (mean_wait(system) + 1) / lines.RATE, "mean_response_time"),
        whole=True,
    )  # fmt: skip


def _beside_others(policy, system, seed):
    """Values of (2.45) during services of transient jobs that start with others of the group there, on a path."""
    values, waiting, known = set(), set(), set()
    groups = len(system.loads)
    for now in intervals(policy, **system.arguments, events=800, seed=seed):
        numbers = now.present(groups)
        for job in now.rates:
            if not job.permanent and job not in known:
                known.add(job)
                if numbers[job.group] > 1:
                    waiting.add(job)
        values |= {round(now.job_share_deviation(job.group), 12) for job in now.rates if job in waiting}
    return values


@check("thesis-3-022", policy="PS")
def while_others_wait(policy="FCFS"):
    """What (2.45) is while others of the group are present from the start of a service: 0 is said, and 1 is meant."""
    values = set().union(*(_beside_others(policy, one, seed) for seed, one in enumerate(FAIRNESS_SYSTEMS * 2)))

    def left_alone(system, line):
        """How often, in the chain, an arrival during a service leaves the group without others: never."""
        rows, columns, _ = line.transitions
        total, found = line.transient.sum(axis=0), 0
        for g in np.flatnonzero(system.permanent == 0):
            served = (line.serving == g) & (line.jobs[g] > 1)
            stays = served[rows] & (total[columns] > total[rows])  # an arrival: the service goes on
            found += (~served[columns[stays]]).sum()
        return found

    def off(text, value):
        def gaps(system, line):
            starts = {g: line.starts(g) / lines.RATE for g in np.flatnonzero(system.permanent == 0)}
            return [
                printed.while_served(one.sum(), one[1] / one.sum(), system.loads[g], value)
                - line.performance.job_share_deviation[g] for g, one in starts.items()
            ]  # fmt: skip

        return in_chains(text, gaps, policy)

    def with_1(system):
        """(3.32) with 1; nan of groups with permanent jobs."""
        alone = printed.nobody_else(system.loads, system.permanent)
        return np.where(system.permanent > 0, np.nan, printed.while_served(system.loads, alone, system.loads, 1.0))

    def off_answer(system):
        answer = uniprocessor.exact("FCFS", system.shares, lines.RATE * system.loads, lines.RATE, system.permanent)
        gaps = np.abs(with_1(system) / answer.job_share_deviation - 1)
        return gaps.max(where=system.permanent == 0, initial=0.0)

    pairs = [pair for kind in (False, True) for pair in lines.solved(policy, kind)] if policy == "FCFS" else []
    of_line = [
        off("the gap of (3.32) with 1", 1.0),
        everywhere("(3.32) with 1 and the library's exact deviation", at_random().measure(off_answer), equal(SAME)),
        in_short_runs("(3.32) with 1, against simulated deviations,", with_1, "job_share_deviation"),
        everywhere("the number of arrivals during a service that leave the group without others",
                   cases("chain of a line", pairs).measure(left_alone), at_most(0)),
        aside("the gap of (3.32) with 0", off("", 0.0).points),
    ] if pairs else []  # fmt: skip
    said = " and ".join(f"{value:g}" for value in sorted(values))
    return mended(
        fact("the deviation is 0 at all times of services beside others", values == {0.0},
             f"the deviation is {said}, and not 0, at times of services beside others"),
        fact("it is 1 at all of them", values == {1.0}, "it is not 1 at all of them"),
        *of_line,
    )  # fmt: skip


@check("thesis-3-023", policy="HOL")
def permanent_job_alone(policy="FCFS"):
    """(3.35): services of a group's one permanent job that start with no other job of the group there."""

    def off(system, line):
        expected, starts = printed.nobody_beside(system.loads, system.permanent), line.starts
        mine = [(g, starts(g + len(system.loads))) for g in np.flatnonzero(system.permanent == 1)]
        return [rates[1] / rates.sum() - expected[g] for g, rates in mine]

    return conclude(
        in_chains("the part of starts with no other job of the group, less (3.35),", off, policy, (True,)),
        agree("(3.35), against services on paths,", *services.starts_alone(policy, printed.nobody_beside, 1)),
        whole=True,
    )


@check("thesis-3-024", policy="PS")
def never_fair(policy="FCFS"):
    """The job-share deviation is positive wherever the group has load."""
    rng = np.random.default_rng(2)
    systems = [
        (shares, loads, rng.integers(3, size=groups))
        for groups in (3, 2, 4) for shares, loads in random_splits(200 if groups == 3 else 50, groups, low=0.05)
    ]  # fmt: skip
    domain = cases("random system", systems, seed=5)
    runs = [
        uniprocessor.simulate(policy, *systems[number][:2], 1.0, systems[number][2], **SHORT).job_share_deviation
        for number in range(0, 300, 25)
    ]
    value, half = (np.concatenate([getattr(run, part) for run in runs]) for part in ("value", "half_width"))

    def least(shares, loads, permanent):
        return (uniprocessor.exact(policy, shares, loads, 1.0, permanent).job_share_deviation / loads**2).min()

    return conclude(
        everywhere("the deviation over the squared load of the group", domain.measure(least), larger()),
        everywhere("a simulated deviation", measured(value, half, runs=20, risk=RISK, group=None), larger()),
        whole=True,
    )


JOBS = {0.3: 500, 0.6: 1000, 0.8: 1500, 0.9: 3000}
PATHS = lines.RUN["replications"]
PARTS = (0.1, 0.3, 0.5)
SHARES = np.array([0.6, 0.4])


def _looking(load, part, seed):
    """A run of HOL, in which the first group goes first: the run, and whose each job is."""
    system = lines.System(SHARES, load * np.array([part, 1 - part]), np.zeros(2, int))
    path = services.path(system, "HOL", services=JOBS[load], warmup=0, seed=seed)
    last = path.end[-1]  # what still waits then has not been served: it is left out, and hardly matters
    return services.Run(path.arrival, path.start, path.end, path.job.astype(float), last), path.job == 0


def _deviations(order, load, part):
    """Both deviations of both groups on the runs of an order: two estimates of shape (2,)."""
    sums, lengths = [], []
    for seed in range(PATHS):
        if order == "HOL":
            run, first = _looking(load, part, seed)
        else:
            run = services.blind(order, load, JOBS[load], seed)
            first = run.label < part
        sums.append([services.of_group(run, mine) for mine in (first, ~first)])
        lengths.append(run.length)
    sums = np.array(sums)
    group = services.per_time(sums[:, :, 0] - sums[:, :, 1] / SHARES, np.array(lengths))
    return group, services.per_time(sums[:, :, 2], np.array(lengths))


@check("thesis-3-025", orders=("HOL",))
def other_orders(orders=("last", "random", "first and last by turns", "shortest", "longest")):
    """The deviations of FCFS in other orders: two in chains, all of them simulated; the control looks at the groups."""
    kinds = {"an order that does not look at the sizes": [], "an order by the sizes": []}
    for order in orders:
        kinds[list(kinds)[order in ("shortest", "longest")]].append(order)

    def off(system, line):
        fcfs = uniprocessor.exact("FCFS", **system.arguments)
        return [getattr(line.performance, name) - getattr(fcfs, name)
                for name in ("group_share_deviation", "job_share_deviation")]  # fmt: skip

    def off_law(system, line):
        counts, probability = lines.numbers(line)
        return relative(probability, printed.law(counts, system.loads, 0))

    def simulated(order):
        expected, found = [], []
        for load, part in itertools.product((0.3, 0.6, 0.9), PARTS):
            fcfs = uniprocessor.exact("FCFS", SHARES, (load * part, load * (1 - part)))
            expected += [fcfs.group_share_deviation, fcfs.job_share_deviation]
            found += _deviations(order, load, part)
        return estimates(expected, found, PATHS)

    return conclude(
        *(everywhere(f"in {kind} a deviation, less that of FCFS,", cases("order", some).measure(simulated), agrees())
          for kind, some in kinds.items() if some),
        provided=[
            in_chains(f"taking {order}, the deviation less that of FCFS", off, *chain)
            for order, chain in (("last", ("FCFS", (False,), "last")), ("random", ("FCFS", (False,), "random")),
                                 ("HOL", ("HOL", (False,)))) if order in orders
        ] + [
            everywhere(f"taking {order}, at every state the law of the numbers and (3.10)",
                       cases("chain of a line", lines.solved("FCFS", False, order)).measure(off_law), equal(SAME))
            for order in ("last", "random") if order in orders
        ],
    )  # fmt: skip


def _served_given_numbers(order, load, parts, most=4):
    """Simulated probabilities that a group is served given the numbers, by state up to a total: expected and found."""
    cuts, expected, found = np.cumsum(parts)[:-1], [], []
    groups, totals = len(parts), {}
    for seed in range(PATHS):
        run = services.blind(order, load, JOBS[load], seed)
        group = np.searchsorted(cuts, run.label)
        times = np.concatenate([run.arrival, run.end])
        kind = np.concatenate([group, group])
        change = np.concatenate([np.ones(len(group)), -np.ones(len(group))])
        sort = np.argsort(times, kind="stable")
        steps = np.zeros((len(times), groups))
        steps[np.arange(len(times)), kind[sort]] = change[sort]
        numbers = np.cumsum(steps, axis=0).round().astype(int)
        length = np.diff(np.append(times[sort], run.length))
        serving = group[np.clip(np.searchsorted(run.start, times[sort], side="right") - 1, 0, None)]
        chosen = (numbers.sum(axis=1) > 0) & (numbers.sum(axis=1) <= most)
        key = numbers[chosen] @ (most + 1) ** np.arange(groups)
        size = (most + 1) ** groups
        there = np.bincount(key, length[chosen], size)
        served = [np.bincount(key, length[chosen] * (serving[chosen] == g), size) for g in range(groups)]
        totals[seed] = np.array([there, *served])
    sums = np.array(list(totals.values()))  # paths, 1 + groups, states
    for state in range(1, sums.shape[2]):
        n = np.array([state // (most + 1) ** g % (most + 1) for g in range(groups)])
        if 1 < n.sum() <= most and (n > 0).sum() > 1 and (sums[:, 0, state] > 0).all():
            for g in np.flatnonzero(n)[:-1]:  # those of the last group follow
                expected.append(n[g] / n.sum())
                found.append(services.per_time(sums[:, 1 + g, state], sums[:, 0, state]))
    return expected, found


@check("thesis-3-123", policy="HOL")
def in_proportion_to_the_numbers(policy="FCFS"):
    """P[g in service | n] = n_g / n in every state of chains, and on runs; the control looks at the groups."""

    def off(_, line):
        counts, whole = lines.numbers(line)
        _, place = np.unique(line.transient, axis=1, return_inverse=True)
        worst = 0.0
        for g, mine in enumerate(counts):
            served, some = np.bincount(place.ravel(), line.probability * (line.serving == g)), mine > 0
            worst = max(worst, np.abs((served / whole * counts.sum(axis=0))[some] / mine[some] - 1).max())
        return worst

    in_lines = [pair for order in ("first", "last", "random") for pair in lines.solved(policy, False, order)]
    in_lines = cases("chain of a line", in_lines)
    expected, found = [], []
    for order in ("first", "last", "random", "shortest") if policy == "FCFS" else ():
        for parts in ((0.4, 0.6), (0.5, 0.3, 0.2)):
            values, estimated = _served_given_numbers(order, 0.8, parts)
            expected, found = expected + values, found + estimated
    simulated = agree("n_g / n, against runs, in one the shortest job first,", expected, found, PATHS)
    return conclude(
        everywhere("in every state P[g in service] and n_g / n", in_lines.measure(off), equal(SAME)),
        *[simulated] * (policy == "FCFS"),
        whole=True,
    )


OF_WORKLOADS = {"jumps": 40_000, "warmup": 5000, "replications": 20}


class Brought(NamedTuple):
    """What two or three groups bring."""

    shares: tuple
    loads: np.ndarray
    rates: np.ndarray
    permanent: np.ndarray

    def more(self, what):
        """The first group brings a tenth more jobs, jobs that are a tenth longer, or one permanent job more."""
        loads, rates, permanent = self.loads.copy(), self.rates.copy(), self.permanent.copy()
        if what == "permanent":
            permanent[0] += 1
        else:
            loads[0] *= 1.1
            rates[0] /= 1.1 if what == "longer" else 1
        return Brought(self.shares, loads, rates, permanent)

    def obtained(self, answer, **setting):
        """The first group's share, and how far it may be off."""
        arrivals = tuple((self.loads * self.rates).tolist())
        found = answer(self.shares, arrivals, tuple(self.rates.tolist()), tuple(self.permanent.tolist()), **setting)
        found = getattr(found, "performance", found)  # that of a line
        share = found.obtained_share
        if isinstance(share, np.ndarray):
            return float(share[0]), found.error
        return float(share.value[0]), float(share.half_width[0])


def _random(lasting, low, high, rng, equal):
    groups = len(lasting)
    loads = rng.uniform(low, high) * (0.5 / groups + 0.5 * rng.dirichlet(np.ones(groups)))
    rates = np.ones(groups) if equal else rng.uniform(0.4, 2, groups)
    return Brought((0.5, 0.3, 0.2) if groups == 3 else (0.6, 0.4), loads, rates, np.array(lasting))


LIGHT = ((0, 0), (0, 1), (1, 1), (2, 1), (1, 0), (0, 2), (0, 0, 0), (0, 0, 1))
HEAVY = ((0, 0), (0, 2), (1, 1), (1, 2), (0, 0, 0), (1, 2, 0), (2, 1, 1), (2, 0))


PLAIN = ("exponential", "exponential")


def _more_by_formula(systems):
    """Clauses that formulas of FCFS say the same, where there is one before and after the change."""
    answer, found = functools.partial(uniprocessor.exact, "FCFS"), {False: [], True: []}
    for system, change in itertools.product(systems, ("jobs", "longer", "permanent")):
        try:
            added = system.more(change).obtained(answer)[0] - system.obtained(answer)[0]
        except NoExactAnswer:  # permanent jobs beside unequal service rates
            continue
        found[bool(system.permanent[0] > 0 and not system.permanent[1:].any())].append(added)
    what = "what a change adds by formula to the share of a group"
    return (
        everywhere(what, exact(found[False], change=None), larger(SAME)),
        everywhere(f"{what} that alone has permanent jobs", exact(found[True], change=None), equal(SAME)),
    )


@check("thesis-3-119", policy="GPPS")
def more_is_obtained(policy="FCFS"):
    """More jobs, longer jobs or one permanent job more; where the group alone has permanent jobs it stands apart."""
    rng = np.random.default_rng(56)
    systems = [(_random(lasting, 0.045, 0.06, rng, n % 2), False) for n, lasting in enumerate(LIGHT)]
    systems += [(_random(lasting, 0.5, 0.85, rng, n % 2), True) for n, lasting in enumerate(HEAVY)]
    if policy != "FCFS":
        # GPPS has no line, and what it can serve beside permanent jobs is less.
        systems = [(_random((1, 1), 0.3, 0.5, rng, True), True) for _ in range(4)]
    rows = {(heavy, alone): [] for heavy in (False, True) for alone in (False, True)}
    for system, heavy in systems:
        most = 5 if len(system.loads) == 2 and system.permanent.sum() < 2 else 4
        answer = functools.partial(*(uniprocessor.simulate, policy) if heavy else (uniprocessor.whole_line, policy))
        setting = OF_WORKLOADS if heavy else {"most_jobs": most}
        value, half = system.obtained(answer, **setting)
        alone = system.permanent[0] > 0 and not system.permanent[1:].any()
        for number, what in enumerate(("jobs", "longer", "permanent"), 1):
            after, after_half = system.more(what).obtained(answer, **setting, **({"seed": number} if heavy else {}))
            doubt = math.hypot(half, after_half) if heavy else half + after_half
            rows[heavy, bool(alone)].append((after - value, doubt + SAME))
    clauses = []
    for (heavy, alone), found in rows.items():
        points = measured(*np.reshape(found, (-1, 2)).T, runs=20, risk=RISK if heavy else None, change=None)
        what = f"what a change adds to the {'simulated' if heavy else 'exact'} share of a group"
        if alone and found:
            clauses.append(everywhere(f"{what} that alone has permanent jobs", points, agrees()))
        elif found:
            clauses.append(everywhere(what, points, larger()))
    if policy == "FCFS":
        clauses += _more_by_formula([system for system, _ in systems])
    return conclude(*clauses, whole=True)


# Of squared coefficients of variation 0, 1 and 5; the last has balanced means.
PART = 0.5 - math.sqrt(1 / 6)
SIZES = {
    "deterministic": Deterministic(1.0),
    "exponential": None,
    "hyperexponential": Hyperexponential((0.5 / PART, 0.5 / (1 - PART)), (PART, 1 - PART)),
}


def _drawn(law, count, *seed):
    """Numbers of mean 1; under each law from the same exponentials."""
    if law == "deterministic":
        return np.ones(count)
    found = np.random.default_rng([*seed, 57]).standard_exponential(count)
    if law == "hyperexponential":
        found *= np.where(np.random.default_rng([*seed, 58]).random(count) < PART, 0.5 / PART, 0.5 / (1 - PART))
    return found


@functools.cache
def _deviation(loads, law, between, jobs, seed):
    """Deviations of both groups, whose required shares are equal, on a path of FCFS; the laws are those of group 1."""
    arrivals, sizes, group = [], [], []
    for g in range(2):
        count = round(jobs * loads[g] / sum(loads))
        gaps, works = (
            _drawn(name if g == 0 else "exponential", count, seed, g, k) for k, name in ((0, between), (1, law))
        )
        arrivals.append(np.cumsum(gaps) / loads[g])
        sizes.append(works)
        group.append(np.full(count, g))
    end = min(times[-1] for times in arrivals)
    arrivals, sizes, group = (np.concatenate(pair) for pair in (arrivals, sizes, group))
    order = np.argsort(arrivals, kind="stable")  # two sorted parts are merged
    order = order[: np.searchsorted(arrivals[order], end, side="right")]
    arrivals, sizes, group = arrivals[order], sizes[order], group[order]
    work = np.cumsum(sizes)
    departures = work + np.maximum.accumulate(arrivals - work + sizes)  # Lindley's recursion, unrolled
    result = np.zeros(2)
    for g in range(2):
        mine = group == g
        begins = np.maximum(arrivals[mine], np.append(0.0, departures[mine][:-1]))
        present = np.maximum(departures[mine] - begins, 0).sum()
        result[g] = (present - sizes[mine].sum() / 0.5) / end
    return result


def with_bursts(loads):
    """Both deviations under FCFS, exactly, where group 1 arrives with hyperexponential gaps; required shares of 1/2.

    The age of the job in service, since its arrival, has a density of matrix-exponential form: ages grow, and at the
    end of a service the next job is younger by the gap between the two. A group is absent if the job in service is of
    the other and none of the group came during its age.
    """
    rates = loads[0] * np.array([PART, 1 - PART]) / 0.5
    first, second = np.outer(rates, [PART, 1 - PART]), loads[1] * np.eye(2)
    silent, one = -np.diag(rates + loads[1]), np.ones(2)
    growth = -np.eye(2)
    for _ in range(2000):
        younger = linalg.solve_sylvester(growth, silent, -np.eye(2))
        before, growth = growth, -np.eye(2) + younger @ (first + second)
        if np.abs(growth - before).max() < 1e-14:
            break
    # The phase of the arrivals while nobody is there, up to a factor.
    value, vector = np.linalg.eig((-(first + second) @ younger @ np.linalg.inv(silent)).T)
    idle = vector[:, np.abs(value - 1).argmin()].real
    begin = idle @ (first + second)
    whole = idle.sum() - begin @ np.linalg.solve(growth, one)
    idle, begin = idle / whole, begin / whole
    without_second = np.linalg.solve((loads[1] * np.eye(2) - growth).T, begin) @ younger @ first
    without_second = (idle @ first + without_second) / (1 + loads[1])
    quiet = silent + second
    without_first = begin @ linalg.solve_sylvester(growth, quiet, -younger @ second) + idle @ second
    without_first = np.linalg.solve((np.eye(2) - quiet).T, without_first)
    absent = idle.sum() + np.array([without_first.sum(), without_second.sum()])
    return 1 - absent - np.array(loads) / 0.5


CHANGES = (
    ("deterministic", "exponential"), ("hyperexponential", "exponential"),
    ("exponential", "deterministic"), ("exponential", "hyperexponential"),
)  # fmt: skip


@functools.cache
def _changes(loads, law, between):
    """Paired differences of the deviations from those under exponential laws, and how far they may be off."""
    jobs = 24_000 if loads[0] < 0.1 and sum(loads) > 0.5 else 10_000
    if loads[0] < 0.05:  # a law matters least here
        jobs = 230_000 if law == "exponential" else 40_000
    pairs = [[_deviation(loads, *laws, jobs, seed) for laws in ((law, between), PLAIN)] for seed in range(PATHS)]
    found = from_replications([np.subtract(*pair) for pair in pairs])
    return found.value, found.half_width


def _changes_simulated(policy, loads, law):
    """The same for a law of sizes, by independent simulations of the library."""
    runs = [
        uniprocessor.simulate(policy, (0.5, 0.5), loads, sizes=(SIZES[name], None), **SHORT).group_share_deviation
        for name in (law, "exponential")
    ]
    return runs[0].value - runs[1].value, np.hypot(runs[0].half_width, runs[1].half_width)


@functools.cache
def _both_alike(load, kind="sizes", law="exponential"):
    """Simulated deviations of two groups alike, of FCFS, with a law of all sizes or of all times between arrivals."""
    run = uniprocessor.simulate("FCFS", (0.5, 0.5), (load / 2, load / 2), **{kind: SIZES[law]}, **OF_WORKLOADS)
    return run.group_share_deviation


@check("thesis-3-120", policy="PS")
def sensitive_to_the_laws(policy="FCFS"):
    """Each change of a law changes some deviation, beyond intervals that hold jointly; under PS sizes do not matter.

    A second witness, of bursts an exact one and of services the library's simulation, looks at a load of 0.6.
    """
    changes = CHANGES if policy == "FCFS" else CHANGES[:2]
    expected, bursts, on_paths, simulated = [], [], [], []

    def larger_change(load, part, change):
        """The change of the deviation that stands out more, of the two groups, and how far it may be off."""
        loads, (law, between) = (load * part, load * (1 - part)), changes[change - 1]
        if between == "hyperexponential":  # too little for a path at light loads
            exactly = with_bursts(loads) - uniprocessor.exact("FCFS", (0.5, 0.5), loads).group_share_deviation
            found = exactly, np.full(2, 1e-9)
            if load == 0.6:
                expected.append(exactly)
                bursts.append(Estimate(*_changes(loads, law, between)))
        else:
            found = _changes(loads, law, between) if policy == "FCFS" else _changes_simulated(policy, loads, law)
            if policy == "FCFS" and load == 0.6 and law != "exponential":
                value, half = _changes_simulated(policy, loads, law)
                on_paths.append(found[0])
                simulated.append(Estimate(value, np.hypot(half, found[1])))
        value, half = np.abs(found[0]), found[1]
        most = int((value / half).argmax())
        return replace(measured(value[most], half[most], runs=PATHS, risk=RISK), intervals=2)

    def in_library(load, kind, law):
        """The same in the library's simulations, of both groups alike: other sizes, or other times between arrivals."""
        other, plain = _both_alike(load, kind, law), _both_alike(load)
        half = np.hypot(other.half_width, plain.half_width)[0]
        return measured(abs(other.value[0] - plain.value[0]), half, runs=20, risk=RISK)

    by_library = grid(load=(0.3, 0.6, 0.9), what=("sizes", "arrivals"), law=("deterministic", "hyperexponential"))
    points = grid(load=(0.3, 0.6, 0.9), part=(0.1, 0.3, 0.5), change=range(1, len(changes) + 1)).measure(larger_change)
    return conclude(
        at_each("what a change of a law changes in a deviation", points, larger()),
        provided=[
            everywhere("what other laws change in the library's simulations", by_library.measure(in_library), larger()),
            agree("the exact change with bursts, against paths,", expected, bursts, PATHS),
            agree("the change with other services on paths, against simulations,", on_paths, simulated, PATHS),
        ],
    )
