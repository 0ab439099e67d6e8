"""Claims of `thesis`, Sections 1.1 and 1.2: processors, quanta, overhead and who sends the jobs."""

import functools
import itertools

import numpy as np
from scipy.optimize import linprog, minimize_scalar
from scipy.stats import poisson, t

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


def residual(law, times):
    """Survival of an interval of mean 1, and of what is left of one in equilibrium."""
    if law == "deterministic":
        return (times < 1).astype(float), np.clip(1 - times, 0, None)
    if law == "uniform":
        return np.clip(1 - times / 2, 0, None), np.clip(1 - times / 2, 0, None) ** 2
    if law == "Erlang":
        parts = [poisson.cdf(k, 4 * times) for k in range(4)]
        return parts[-1], sum(parts) / 4
    chance = (1 + np.sqrt(3 / 5)) / 2  # two phases of equal load
    rates = 2 * np.array([chance, 1 - chance])
    phases = np.exp(-rates[:, None] * times)
    return chance * phases[0] + (1 - chance) * phases[1], phases.mean(axis=0)


def intervals_apart(law, users, half=False):
    """The largest distance of the law of an interval between arrivals from the exponential one."""
    times = np.linspace(0, 12, 4001)
    own, left = residual(law, times / users)
    if half:  # one brings half of all arrivals, the others the other half
        one, rest = residual(law, times / 2)
        many, others = residual(law, times / (2 * max(users - 1, 1)))
        count = max(users - 1, 1)
        law_of = (one * others**count + rest * many * others ** (count - 1)) / 2
        return np.abs(law_of - np.exp(-times)).max()
    return np.abs(own * left ** (users - 1) - np.exp(-times)).max()


def counts_apart(law, users, rng, half=False, samples=40_000):
    """The largest distance of the law of counts in a window of 1 from Poisson's."""
    total = np.zeros(samples, dtype=int)
    weights = np.full(users, 1 / users) if not half else np.append(0.5, np.full(users - 1, 0.5 / max(users - 1, 1)))
    for rate, repeats in zip(*np.unique(weights[weights > 0], return_counts=True)):
        chance = counts_law(law, rate)
        total += np.random.Generator.multinomial(rng, repeats, chance, size=samples) @ np.arange(len(chance))
    found = np.cumsum(np.bincount(total, minlength=12)) / samples
    return np.abs(found - poisson.cdf(np.arange(len(found)), 1)).max()


@functools.cache
def counts_law(law, rate, samples=60_000):
    """Of one user in equilibrium, the law of the arrivals in a window of 1, from paths."""
    rng = np.random.default_rng(int(1e6 * rate))
    grid = np.linspace(0, 40, 40_001)
    survival = residual(law, grid)[1]
    even = (np.arange(samples) + 0.5) / samples  # the first arrivals without noise, since it would add up over users
    clock = np.interp(even, survival[::-1], grid[::-1]) / rate
    count = np.zeros(samples, dtype=int)
    while (clock < 1).any():
        open_ = clock < 1
        count += open_
        size = int(open_.sum())
        if law == "deterministic":
            step = np.ones(size)
        elif law == "uniform":
            step = rng.uniform(0, 2, size)
        elif law == "Erlang":
            step = rng.standard_gamma(4, size) / 4
        else:
            chance = (1 + np.sqrt(3 / 5)) / 2
            step = rng.standard_exponential(size) / (2 * np.where(rng.random(size) < chance, chance, 1 - chance))
        clock[open_] += step / rate
    law_of = np.bincount(count, minlength=2) / samples
    return law_of


@check("thesis-1-020", half=True)
def many_users(half=False):
    """Distances from a Poisson process; in the control one user brings half of all arrivals."""
    rng, numbers = np.random.default_rng(20), (1, 2, 5, 10, 30, 100)
    holds, few, many = [], [], []
    for law in ("deterministic", "uniform", "Erlang", "hyperexponential"):
        apart = [intervals_apart(law, users, half) for users in numbers]
        counted = [counts_apart(law, users, rng, half) for users in numbers]
        falls = (np.diff(apart) < 0).all() and (np.diff(counted) < 0.01).all()  # what 40 000 samples leave open
        limit = words.allows("very close", max(apart[-1], counted[-1]))
        holds.append(bool(falls and limit and min(apart[:2]) > 0.05))
        few.append(min(apart[:2]))
        many.append(max(apart[-1], counted[-1]))
    return over_domain(
        f"distance of laws at most {max(many):.3f} with 100 users, at least {min(few):.3f} with 1 and 2; "
        f"as stated under {sum(holds)} of {len(holds)} laws",
        holds,
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
