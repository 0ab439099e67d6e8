"""Claims of `thesis`, Section 1.1: processors, quanta and overhead."""

import functools
import itertools
from dataclasses import replace

import numpy as np
from scipy.optimize import minimize_scalar

from clustershare import uniprocessor
from clustershare.shares import maximum_obtainable_share
from clustershare.splitting import parallel_response_time
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, grid, widened
from compendium.press.clauses.conditions import at_most, equal, never_rises, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.objectives import points
from pages.share_scheduling.objectives.paths import interval
from pages.share_scheduling.objectives.systems import drawn
from pages.share_scheduling.objectives.witnesses.delivery import most_by_program


@check("thesis-1-001", order=False)
def order_of_processors(order=True):
    """What so many jobs can have at most, numbered anyhow; in the control the first processors as they come."""

    def most(jobs, capacities):
        """The library's; not a number where it refuses the capacities."""
        try:
            return maximum_obtainable_share(jobs, capacities.tolist())
        except ValueError:
            return np.nan

    def asked(rng, number):
        capacities = 10 ** rng.uniform(-1, 1, 1 + number % 6)
        if number % 5 == 0:
            capacities[len(capacities) // 2 :] = capacities[0]
        jobs = int(rng.integers(0, 9))
        first = capacities[: min(jobs, len(capacities))].sum() / capacities.sum()
        value = most(jobs, np.sort(capacities)[::-1]) if order else first
        descending = all(a >= b for a, b in itertools.pairwise(capacities))
        return {
            "gap": value - most_by_program(jobs, 0, capacities),
            "refused": np.isnan(most(jobs, capacities)) != descending,
        }

    found = drawn("system", 200, 1).measure(asked)
    return conclude(
        everywhere("the share of the first processors, which are the fastest, and the most that can be had",
                   found["gap"], equal(1e-9)),
        everywhere("an order is refused if a processor is faster than the one before it, and no other is,",
                   found["refused"]),
        whole=True,
    )  # fmt: skip


def under_sharing(load, capacity=1.0):
    """The mean response time of jobs of mean size 1 that one processor serves all at once, by the library."""
    return uniprocessor.exact("PS", (0.5, 0.5), (load / 2, load / 2), capacity).mean_response_time[0]


@check("thesis-1-019", turns=False)
def quanta_in_turn(turns=True):
    """Stored runs of round robins against processor sharing; in the control first come, first served."""
    settings = grid(law=points.LAWS, load=points.LOADS)
    shared = settings.measure(lambda law, load: under_sharing(load))
    alone = settings.measure(lambda law, load: parallel_response_time([load], [1.0], [points.VARIATION[law]]))
    if not turns:
        return conclude(
            at_each("the mean response time, less that of processor sharing,", alone - shared, within("close"))
        )
    times = points.response_times()
    off = (times - shared).distance()
    smallest = off.at(quantum=points.QUANTA[-1])
    near = smallest.value <= np.maximum(
        SCALE["close"].most * shared.value, smallest.half * widened(shared.value.size, 30)
    )
    return conclude(
        at_each("with the smallest quantum jobs take as long as under processor sharing", replace(shared, value=near)),
        aside("how far they are off in parts of it", smallest.scaled(1 / shared.value).largest("law")),
        provided=[everywhere("how far they are off from one quantum to the next", off.steps("quantum", np.add),
                             never_rises())],
    )  # fmt: skip


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
    loads = np.round(np.arange(0.1, 0.95, 0.1), 1)

    def off(kind, part):
        """By load, how far response times are off with the one capacity that is best."""
        true = np.array([
            jobs_with(lambda n: 1 / (1 + part * (n if crowded else (n >= 2) | (kind == "quantum"))), load)
            for load in loads
        ])  # fmt: skip

        def errors(jobs):
            with np.errstate(invalid="ignore"):
                return np.nan_to_num(np.abs(jobs - true) / np.maximum(jobs, true), nan=1.0)

        best = minimize_scalar(lambda capacity: errors(loads / (capacity - loads)).max(), bounds=(0.9001, 1),
                               method="bounded", options={"xatol": 1e-9}).x  # fmt: skip
        return exact(errors([load * under_sharing(load, best) for load in loads]), load=loads)

    found = grid(kind=("quantum", "switch"), overhead=(0.01, 0.05, 0.1)).measure(off)
    worst = found.largest("load")
    return conclude(
        at_each("the part by which response times are off with one capacity for all loads", found, at_most("close")),
        aside("the worst of it with overhead at each quantum", worst.at(kind="quantum")),
        aside("the worst of it with overhead at each switch", worst.at(kind="switch")),
        provided=[everywhere("what round robins are off the limit of small quanta, in parts of what is allowed,",
                             exact(switched()), at_most(1))],
    )  # fmt: skip
