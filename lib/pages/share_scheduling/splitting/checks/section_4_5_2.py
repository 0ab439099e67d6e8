"""Claims of `thesis`, Section 4.5.2: HPRS, where every processor has the same mix of jobs."""

import functools
import math

import numpy as np

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.shares import maximum_obtainable_share
from clustershare.splitting import capacity_loss, horizontal, minimise_capacity_loss, vertical
from compendium.press.clauses import at_each, cases, conclude, equalities, everywhere, exact, measured, mended
from compendium.press.clauses.conditions import agrees, at_least, larger
from compendium.press.findings import check, difference
from pages.share_scheduling.splitting.printed import partitions as printed
from pages.share_scheduling.splitting.witnesses.mixed_paths import followed
from pages.share_scheduling.splitting.witnesses.partitions import (
    cut_chain,
    deviations_of_routing,
    groups,
    mean_feasible,
    states,
    subsets,
    sum_of_geometric,
)

EXACT = 1e-10


@check("thesis-4-081", optimal=True)
def horizontal_loss(optimal=False):
    """(4.135), the library's HPRS, its general loss, and all states with fewer jobs than processors."""

    def gaps(system):
        speeds, load = system.speeds, system.loads.sum()
        value = printed.horizontal_loss(speeds, load)
        loads = np.full(len(speeds), load)
        if optimal:
            loads = minimise_capacity_loss(speeds, load, starts=2).processor_loads
            library = capacity_loss(speeds, loads)
        else:
            library = horizontal(system.shares, system.loads, speeds).capacity_loss
        numbers = states(len(speeds) - 1, len(speeds))
        probability = np.prod((1 - loads)[:, None] * loads[:, None] ** numbers, axis=0)
        reachable = maximum_obtainable_share(np.minimum(numbers.sum(axis=0), len(speeds)), speeds)
        return {
            "(4.135) and the library's loss of HPRS": library - value,
            "it and the loss at these loads": capacity_loss(speeds, loads) - value,
            "it and the mean over the states": 1 - probability @ (1 - reachable) - load - value,
        }

    systems = [(system,) for system in groups(200, 81, most=8)]
    return conclude(*equalities(cases("random system", systems, seed=81).measure(gaps), EXACT), whole=True)


def number_of(system, group, queues=None):
    """The law of a group's number under HPRS, one processor's convolved for each of them."""
    load, own = system.loads.sum(), system.loads[group]
    queues = len(system.speeds) if queues is None else queues
    return sum_of_geometric(np.full(queues, own / (1 - (load - own))), len(system.speeds) + 1)


@functools.cache
def deviations_at_random(queues=None):
    """Of all groups of 200 systems: whole r_g P or not, library, printed, corrected, convolved, the last term."""
    rng, rows = np.random.default_rng([82, 1]), []
    for k, system in enumerate(groups(200, 82)):
        system = system._replace(loads=system.loads * (np.arange(len(system.loads)) > 0)) if k % 10 == 0 else system
        P, load = len(system.speeds), system.loads.sum()
        rates = rng.uniform(0.1, 10, len(system.loads))
        found = horizontal(system.shares, system.loads, system.speeds, service_rates=rates).group_share_deviation
        for g, (share, own) in enumerate(zip(system.shares, system.loads)):
            law = number_of(system, g, queues)
            forms = [printed.horizontal_deviation(share, own, load, P, rounded) for rounded in (math.ceil, math.floor)]
            last = math.ceil(share * P - 1e-9)
            rows.append((system.whole, found[g], *forms, (mean_feasible(share, law, P) - own) / share,
                         (last / (share * P) - 1) * law[last]))  # fmt: skip
    return np.array(rows).T


@functools.cache
def chains_of_both():
    """The largest difference of the library from chains of two groups, of unequal means, on two processors."""
    rng, gap = np.random.default_rng(2), 0.0
    for _ in range(5):
        shares, loads, faster = rng.dirichlet(np.full(2, 3.0)), rng.uniform(0.02, 0.13, 2), rng.uniform(0.5, 0.8)
        speeds, rates = np.array([faster, 1 - faster]), np.array([1.0, rng.uniform(0.3, 3)])
        mix = loads.sum()
        numbers, probability = cut_chain(
            15, np.outer(loads * rates, speeds).ravel(),
            functools.partial(_departures, rates[:, None] * speeds),
            lambda n, mix=mix: mix ** n.sum(axis=0),
        )  # fmt: skip
        found = horizontal(shares, loads, speeds, service_rates=rates).group_share_deviation
        for g in range(2):
            law = np.bincount(numbers[2 * g : 2 * g + 2].sum(axis=0), weights=probability)
            gap = max(gap, abs((mean_feasible(shares[g], law, 2) - loads[g]) / shares[g] - found[g]))
    return gap


def _departures(rates, flat):
    numbers = flat.reshape(2, 2, -1)
    return (numbers / np.maximum(numbers.sum(axis=0), 1) * rates[:, :, None]).reshape(4, -1)


@check("thesis-4-082", queues=1)
def horizontal_deviation(queues=None):
    """(4.136) as printed and with the floor, and the library; the control has the law of one processor's number."""
    _, found, ceiling, floor, convolved, _ = deviations_at_random(queues)
    gaps = {"(4.136) with the floor of r_g P and": floor, "the library and": found}
    return mended(
        *equalities({"(4.136) as printed and the law of the number": in_systems(ceiling - convolved)}, EXACT),
        *equalities({f"{what} that law": in_systems(each - convolved) for what, each in gaps.items()}, EXACT),
        *equalities({"two processors and chains of both": exact(chains_of_both())}, 1e-7),
    )


def in_systems(gap):
    """Of the groups of random systems: `Points`."""
    return exact(gap, group_of_random_systems=None)


@check("thesis-4-144", whole_only=True)
def upper_limit(whole_only=False):
    """The ceiling where it adds a term, and where r_g P is whole; the control has only the latter."""
    whole, found, ceiling, floor, convolved, last = deviations_at_random()
    kept = whole == 1 if whole_only else np.ones(len(whole), dtype=bool)
    off = ceiling - convolved
    more = in_systems(off[(whole == 0) & (last > 1e-6)])
    return mended(
        *equalities({"(4.136) to the ceiling of r_g P and the deviation": in_systems(off[kept])}, EXACT),
        *equalities({"(4.136) to the floor of r_g P and it": in_systems(floor - convolved)}, EXACT),
        *equalities({"the library's deviation and it": in_systems(found - convolved)}, EXACT),
        *equalities({"where r_g P is whole, (4.136) to the ceiling and it":
                     in_systems(off[whole == 1])}, EXACT),
        everywhere("elsewhere, where the last term counts, the first less it", more, larger(1e-6)),
    )  # fmt: skip


@check("thesis-4-084", number=1)
def condition_of_stability(number=None):
    """Groups that each bring less than all processors can do, and all of them together; the control has one group."""
    rng, capacities = np.random.default_rng(84), np.random.default_rng([84, 1])

    def condition(*loads):
        loads = np.append(loads, 0.0)  # the library asks for two groups; this one brings nothing
        speeds = np.sort(capacities.dirichlet(np.ones(capacities.integers(1, 7))))[::-1]
        try:
            stable = np.isfinite(horizontal(np.full(len(loads), 1 / len(loads)), loads, speeds).mean_jobs).all()
        except UnstableError:
            stable = False
        return {"printed": stable, "right": stable == (loads.sum() < 1)}

    systems = [tuple(rng.uniform(0.01, 0.99, number or int(rng.integers(2, 5)))) for _ in range(200)]
    found = cases("random system", systems, seed=84).measure(condition)
    return mended(
        everywhere("as printed, numbers of jobs stay finite where each group has a load below 1,", found["printed"]),
        everywhere("they stay finite if and only if rho_*p is below 1", found["right"]),
    )


@check("thesis-4-085", local="GPPS")
def what_does_not_matter(local="PS"):
    """Other capacities, the other groups' load made up anew; and one processor. The control has GPPS, in one system."""
    rng = np.random.default_rng(85)

    def systems():
        for _ in range(100 if local == "PS" else 1):
            P, share, own = int(rng.integers(1, 9)), rng.uniform(0.05, 0.95), rng.uniform(0.02, 0.45)
            other, made_up = rng.uniform(0.02, 0.9 - own) if local == "PS" else 0.4, []
            for others in range(1, 5 if local == "PS" else 3):
                # one that brings nothing, so that two are there
                parts = np.array([*(rng.dirichlet(np.ones(others))), 0.0])
                shares = [share, *((1 - share) * rng.dirichlet(np.ones(others + 1)))]
                rates = rng.uniform(0.1, 10, others + 2) if local == "PS" else 1.0
                speeds = np.sort(rng.dirichlet(np.ones(P)))[::-1]
                made_up.append((shares, [own, *(other * parts)], speeds, local, rates))
            yield P, share, own, other, made_up

    def gaps(P, share, own, other, made_up):
        found = [horizontal(*system, tolerance=1e-4).group_share_deviation[0] for system in made_up]
        expected = found[0]
        if local == "PS":
            law = sum_of_geometric(np.full(P, own / (1 - other)), P + 1)
            expected = (mean_feasible(share, law, P) - own) / share
        both = [share, 1 - share], [own, other]
        one = uniprocessor.exact("PS", *both).group_share_deviation
        return {
            "same": difference(found, expected), "one": difference(horizontal(*both, [1.0]).group_share_deviation, one),
        }  # fmt: skip

    found = cases("random system", systems(), seed=85).measure(gaps)
    return conclude(
        *equalities({"the deviations for other capacities and other groups": found["same"]}, 1e-12),
        *equalities({"those on a single processor and its exact answer": found["one"]}, EXACT),
        whole=True,
    )


@check("thesis-4-145", separate=True)
def no_better_than_one_processor(separate=False):
    """HPRS less PS on one processor, group by group and for the largest; the control sets processors apart.

    Both are held against laws of the number of a group that are convolved here.
    """
    rng, any_rates = np.random.default_rng(145), np.random.default_rng([145, 1])
    each, largest, gaps = [], [], {"HPRS": [], "one processor": []}

    def by_law(P, shares, loads):
        return deviations_of_routing(shares, np.tile(loads[:, None], P))

    for _ in range(200):
        P, G = int(rng.integers(3 if separate else 2, 21)), int(rng.integers(2, 4))
        loads = rng.uniform(0.05, 0.95) * rng.dirichlet(np.ones(G))
        shares = subsets(rng, P, G) / P if separate else rng.dirichlet(np.full(G, 2.0))
        rates = any_rates.uniform(0.2, 5, G)
        speeds = np.sort(any_rates.dirichlet(np.ones(P)))[::-1]
        found = vertical(shares, loads, P) if separate else horizontal(shares, loads, speeds, "PS", rates)
        one = uniprocessor.exact("PS", shares, loads * rates, rates).group_share_deviation
        each += [*(found.group_share_deviation - one)]
        largest.append(found.group_share_deviation.max() - one.max())
        gaps["one processor"] += [*(one - by_law(1, shares, loads))]
        if not separate:
            gaps["HPRS"] += [*(found.group_share_deviation - by_law(P, shares, loads))]
    said = "less that on one processor"
    return conclude(
        at_each(f"the deviation of a group {said}", in_systems(np.array(each)), at_least(0)),
        at_each(f"the largest deviation {said}", exact(largest, random_system=None), at_least(0)),
        provided=equalities({f"the deviations with {name} and those by the law of the number":
                             in_systems(np.array(gap)) for name, gap in gaps.items() if gap}, EXACT),
    )  # fmt: skip


# Required shares, loads and service rates of two groups; the number of processors.
WITH_GPPS = (
    ((0.5, 0.5), (0.3, 0.3), (1.0, 1.0), 2), ((0.7, 0.3), (0.2, 0.4), (1.0, 2.0), 2),
    ((0.4, 0.6), (0.4, 0.2), (1.0, 1.0), 2), ((0.5, 0.5), (0.1, 0.5), (1.0, 1.0), 3),
    ((0.8, 0.2), (0.3, 0.3), (1.0, 0.5), 3),
)  # fmt: skip


@functools.cache
def path_with_gpps(number):
    """What paths say of one of the systems above."""
    shares, loads, rates, processors = WITH_GPPS[number]
    return followed("GPPS", shares, loads, processors, rates, seed=number)


def deviations_with_gpps(shares, loads, rates, processors):
    """From a chain of two groups on one processor that loses few jobs, its laws of numbers convolved one by one."""

    def departures(numbers):
        there = shares[:, None] * (numbers > 0)
        return rates[:, None] * there / np.maximum(there.sum(axis=0), shares.min())

    numbers, probability = cut_chain(60, loads * rates, departures)
    ones = [np.bincount(own, weights=probability) for own in numbers]
    laws = [functools.reduce(np.convolve, [one] * processors) for one in ones]
    feasible = [mean_feasible(share, law, processors) for share, law in zip(shares, laws)]
    return (feasible - loads) / shares


@check("thesis-4-146", local="PS")
def gpps_on_each_processor(local="GPPS"):
    """The chain's law convolved, against paths and another chain; and one processor against the exact answer."""

    def gaps(number, shares, loads, rates, P):
        shares, loads, rates = map(np.array, (shares, loads, rates))
        value = horizontal(shares, loads, np.full(P, 1 / P), local, rates).group_share_deviation
        found = path_with_gpps(number)
        one = uniprocessor.exact("GPPS", shares, loads * rates, rates).group_share_deviation
        alone = horizontal(shares, loads, [1.0], local, rates).group_share_deviation
        return {"paths": measured(value - found.value, found.half_width, runs=10, risk=0.001, group=(1, 2)),
                "law": difference(value, deviations_with_gpps(shares, loads, rates, P)),
                "one": difference(alone, one)}  # fmt: skip

    found = cases("system", [(number, *system) for number, system in enumerate(WITH_GPPS)]).measure(gaps)
    return conclude(
        everywhere("the deviation less that on paths of all processors", found["paths"], agrees()),
        *equalities({"the deviations and those by a chain that is cut": found["law"]}, 1e-7),
        *equalities({"the deviations on a single processor and its exact answer": found["one"]}, 1e-8),
        ours=True,
    )
