"""Claims of `thesis`, Section 1.1: processors, quanta and overhead."""

import functools
import itertools

import numpy as np
from scipy.optimize import linprog, minimize_scalar
from scipy.stats import t

from clustershare.shares import maximum_obtainable_share
from compendium.press import words
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.objectives import points
from pages.share_scheduling.objectives.paths import interval

# The stored half widths are of 95 % each, from 30 replications; so much wider, 15 of them hold at once.
JOINTLY = t.ppf(1 - 0.025 / 15, 29) / t.ppf(0.975, 29)


def most_by_program(jobs, capacities):
    """The most that so many jobs can have of processors in any order, by a linear program over who is where."""
    processors = len(capacities)
    if jobs == 0:
        return 0.0
    rows = np.vstack([np.kron(np.eye(jobs), np.ones(processors)), np.kron(np.ones(jobs), np.eye(processors))])
    found = linprog(-np.tile(capacities, jobs), A_ub=rows, b_ub=np.ones(len(rows)), method="highs")
    return -found.fun / capacities.sum()


@check("thesis-1-001", order=False)
def order_of_processors(order=True):
    """What so many jobs can have at most, numbered anyhow; in the control the first processors as they come."""
    rng, worst = np.random.default_rng(1), 0.0
    for number in range(200):
        capacities = 10 ** rng.uniform(-1, 1, 1 + number % 6)
        jobs = int(rng.integers(0, 9))
        first = capacities[: min(jobs, len(capacities))].sum() / capacities.sum()
        value = maximum_obtainable_share(jobs, np.sort(capacities)[::-1].tolist()) if order else first
        worst = max(worst, abs(value - most_by_program(jobs, capacities)))
    return finding(
        "the first are the fastest, within 1e-09" if worst <= 1e-9 else f"up to {worst:.2f} less", worst <= 1e-9
    )


@check("thesis-1-019", turns=False)
def quanta_in_turn(turns=True):
    """Stored runs of round robins against processor sharing; in the control first come, first served."""
    holds, worst, told = [], {}, True
    for law, load in itertools.product(points.LAWS, points.LOADS):
        exact = 1 / (1 - load)
        if not turns:
            alone = 1 + load * (1 + points.VARIATION[law]) / 2 / (1 - load)
            holds.append(words.allows("close", abs(alone - exact) / max(alone, exact)))
            continue
        off = []
        for quantum in points.QUANTA:
            mean, half = points.simulated()[law, load, quantum]
            off.append((abs(mean - exact), half * JOINTLY))
        for (large, one), (small, other) in itertools.pairwise(off):
            told &= small - other <= large + one  # not farther, beyond what the intervals leave open
        worst[law, load] = off[-1][0] / exact
        holds.append(words.allows("close", worst[law, load]) or off[-1][0] <= off[-1][1])
    if not turns:
        return over_domain(f"within 0.05 at {sum(holds)} of {len(holds)} points", holds)
    light = max(off for (_, load), off in worst.items() if load <= 0.7)
    heavy = max(off for (_, load), off in worst.items() if load > 0.7)
    return over_domain(
        f"at a quantum of 0.01 at most {light:.2f} off at loads up to 0.7, and {heavy:.2f} at 0.9 and 0.95, where wide "
        f"intervals hold it; {'never' if told else 'sometimes'} farther off with a smaller quantum",
        np.array(holds) & told,
    )


def jobs_with(rate_at, load):
    """Mean number of jobs of a birth-death chain with Poisson arrivals and a service rate for each number; or inf."""
    rates = rate_at(np.arange(1, 20_001))
    if load >= rates[-1] * (1 - 1e-9):
        return np.inf
    law = np.exp(np.append(0.0, np.cumsum(np.log(load / rates))))
    return float(np.arange(len(law)) @ law / law.sum())


@functools.cache
def switched(seed=46):
    """Round robins with a quantum of 0.01 and overhead, against the limit of small quanta: worst over half widths."""
    rng, quantum, copies = np.random.default_rng(seed), 0.01, 40
    settings = list(itertools.product((False, True), (0.01, 0.05, 0.1), (0.3, 0.6)))
    often, part, load = (np.repeat(values, copies) for values in zip(*settings))
    exact = np.array([jobs_with(lambda n, o=o, s=s: 1 / (1 + o * ((n >= 2) | (not s))), x) for s, o, x in settings])
    jobs = rng.poisson(np.repeat(exact, copies))
    area, time = np.zeros(len(jobs)), np.zeros(len(jobs))
    for step in range(5000):
        size = rng.standard_exponential(len(jobs))
        busy = jobs > 0
        spent = np.minimum(size, quantum) + quantum * part * ((jobs >= 2) | (~often.astype(bool)))
        spent = np.where(busy, spent, size / load)
        if step > 500:
            area, time = area + jobs * spent, time + spent
        jobs = np.where(busy, jobs - (size < quantum) + rng.poisson(load * np.where(busy, spent, 0)), 1)
    mean, half = interval((area / time).reshape(-1, copies).T)
    return (np.abs(mean - exact) / np.maximum(1.3 * half, 0.05 * exact)).max()


@check("thesis-1-046", crowded=True)
def overhead(crowded=False):
    """One capacity for all loads, per kind of overhead; in the control a switch costs more with more jobs."""
    if switched() > 1:
        return finding("the simulation contradicts the limit of small quanta", False)
    loads, holds, worst = np.round(np.arange(0.1, 0.95, 0.1), 1), [], {}
    for kind, part in itertools.product(("quantum", "switch"), (0.01, 0.05, 0.1)):

        def rate_at(n, kind=kind, part=part):
            return 1 / (1 + part * (n if crowded else (n >= 2) | (kind == "quantum")))

        true = np.array([jobs_with(rate_at, load) for load in loads])

        def off(capacity, true=true):
            shared = np.where(capacity > loads, loads / np.maximum(capacity - loads, 1e-12), np.inf)
            with np.errstate(invalid="ignore"):
                return np.nan_to_num(np.abs(shared - true) / np.maximum(shared, true), nan=1.0)

        best = minimize_scalar(lambda capacity: off(capacity).max(), bounds=(0.9001, 1), method="bounded",
                               options={"xatol": 1e-9}).x  # fmt: skip
        errors = off(best)
        holds += [words.allows("close", error) for error in errors]
        worst[kind, part] = errors.max()
    said = "; ".join(
        f"at each {kind} " + ", ".join(f"{worst[kind, part]:.3f} with {part:g}" for part in (0.01, 0.05, 0.1))
        for kind in ("quantum", "switch")
    )
    return over_domain(f"response time off at worst, {said} of a quantum", holds)
