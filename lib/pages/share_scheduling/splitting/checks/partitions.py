"""Claims of `thesis`, Section 4.5.2: HPRS, where every processor has the same mix of jobs."""

import functools
import math

import numpy as np

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.shares import maximum_obtainable_share
from clustershare.splitting import capacity_loss, horizontal, minimise_capacity_loss, vertical
from compendium.press.findings import beyond, check, difference, erratum, finding, over_domain
from pages.share_scheduling.one_processor.simulated import widened
from pages.share_scheduling.splitting import printed_partitions as printed
from pages.share_scheduling.splitting.mixed_paths import followed
from pages.share_scheduling.splitting.partitions import (
    cut_chain,
    groups,
    mean_feasible,
    states,
    subsets,
    sum_of_geometric,
    within,
)

EXACT = 1e-10


@check("thesis-4-081", optimal=True)
def horizontal_loss(optimal=False):
    """(4.135), the library's HPRS, its general loss, and all states with fewer jobs than processors."""
    general = enumerated = 0.0
    for system in groups(200, 81, most=8):
        speeds, load = system.speeds, system.loads.sum()
        value = printed.horizontal_loss(speeds, load)
        loads = np.full(len(speeds), load)
        if optimal:
            loads = minimise_capacity_loss(speeds, load, starts=2).processor_loads
        else:
            general = max(general, abs(horizontal(system.shares, system.loads, speeds).capacity_loss - value))
        general = max(general, abs(capacity_loss(speeds, loads) - value))
        numbers = states(len(speeds) - 1, len(speeds))
        probability = np.prod((1 - loads)[:, None] * loads[:, None] ** numbers, axis=0)
        reachable = maximum_obtainable_share(np.minimum(numbers.sum(axis=0), len(speeds)), speeds)
        enumerated = max(enumerated, abs(1 - probability @ (1 - reachable) - load - value))
        if max(general, enumerated) > 0.01:
            break  # that decides
    gap = max(general, enumerated)
    return finding(f"all four {within(gap, EXACT)}", gap <= EXACT)


def number_of(system, group, queues=None):
    """The law of a group's number under HPRS, one processor's convolved for each of them."""
    load, own = system.loads.sum(), system.loads[group]
    queues = len(system.speeds) if queues is None else queues
    return sum_of_geometric(np.full(queues, own / (1 - (load - own))), len(system.speeds) + 1)


@functools.cache
def deviations_at_random(queues=None):
    """Of all groups of 200 systems: whole r_g P or not, library, printed, corrected, convolved, the last term."""
    rows = []
    for system in groups(200, 82):
        P, load = len(system.speeds), system.loads.sum()
        found = horizontal(system.shares, system.loads, system.speeds).group_share_deviation
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
        found = horizontal(shares, loads, speeds).group_share_deviation
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
    off, right = difference(ceiling, convolved), max(difference(floor, convolved), difference(found, convolved))
    chains = chains_of_both()
    return erratum(
        f"printed: {within(off, EXACT)}; to the floor, and the library: {within(right, EXACT)}; "
        f"two processors against chains: {within(chains, 1e-7)}", off <= EXACT, right <= EXACT and chains <= 1e-7,
    )  # fmt: skip


@check("thesis-4-144", whole_only=True)
def upper_limit(whole_only=False):
    """The ceiling where it adds a term, and where r_g P is whole; the control has only the latter."""
    whole, _, ceiling, floor, convolved, last = deviations_at_random()
    counts = (whole == 0) & (last > 1e-6)
    wrong, right = ceiling - convolved, abs(floor - convolved)
    kept = whole == 1 if whole_only else np.ones(len(whole), dtype=bool)
    sharp = whole_only or (wrong[counts] > 1e-6).all()
    good = right.max() <= EXACT and abs(wrong[whole == 1]).max() <= EXACT and sharp
    said = f"too large in all {counts.sum()} fractional cases with a term above 1e-6, by up to {wrong.max():.2f}"
    return erratum(
        f"ceiling: {'as the floor' if whole_only else said}; where r_g P is whole: "
        f"{within(abs(wrong[whole == 1]).max(), EXACT)}; floor: {within(right.max(), EXACT)}",
        abs(wrong[kept]).max() <= EXACT, good,
    )  # fmt: skip


@check("thesis-4-084", number=1)
def condition_of_stability(number=None):
    """Groups that each bring less than all processors can do, and all of them together; the control has one group."""
    rng, same, right, all_below = np.random.default_rng(84), True, True, 0
    for _ in range(200):
        loads = rng.uniform(0.01, 0.99, number or int(rng.integers(2, 5)))
        loads = np.append(loads, 0.0)  # the library asks for two groups; this one brings nothing
        try:
            stable = np.isfinite(horizontal(np.full(len(loads), 1 / len(loads)), loads, [0.5, 0.5]).mean_jobs).all()
        except UnstableError:
            stable = False
        all_below += not stable
        same &= stable  # every rho_{g*} is below 1
        right &= stable == (loads.sum() < 1)
    return erratum(f"of 200 systems with all rho_g* below 1, {all_below} have overloaded processors; "
                   f"rho_*p below 1 {'decides' if right else 'does not decide'}", same, right)  # fmt: skip


@check("thesis-4-085", local="GPPS")
def what_does_not_matter(local="PS"):
    """Other capacities, the other groups' load made up anew; and one processor. The control has GPPS everywhere."""
    rng, gap, alone = np.random.default_rng(85), 0.0, 0.0
    for _ in range(100):
        P, share, own = int(rng.integers(1, 9)), rng.uniform(0.05, 0.95), rng.uniform(0.02, 0.45)
        other = rng.uniform(0.02, 0.9 - own) if local == "PS" else 0.4
        ratio = own / (1 - other)
        expected = (mean_feasible(share, sum_of_geometric(np.full(P, ratio), P + 1), P) - own) / share
        values = []
        for others in range(1, 5 if local == "PS" else 3):
            parts = np.array([*(rng.dirichlet(np.ones(others))), 0.0])  # one that brings nothing, so that two are there
            shares = [share, *((1 - share) * rng.dirichlet(np.ones(others + 1)))]
            speeds = np.sort(rng.dirichlet(np.ones(P)))[::-1]
            found = horizontal(shares, [own, *(other * parts)], speeds, local, tolerance=1e-4)
            values.append(found.group_share_deviation[0])
        gap = max(gap, difference(values, expected if local == "PS" else values[0]))
        if gap > 0.01:
            break  # that decides
        one = uniprocessor.exact("PS", [share, 1 - share], [own, other]).group_share_deviation
        alone = max(alone, difference(horizontal([share, 1 - share], [own, other], [1.0]).group_share_deviation, one))
    good = gap <= 1e-12 and alone <= EXACT
    return finding(f"the same {within(gap, 1e-12)}; P = 1 as on one processor {within(alone, EXACT)}", good)


@check("thesis-4-145", separate=True)
def no_better_than_one_processor(separate=False):
    """HPRS less PS on one processor, group by group and for the largest; the control sets processors apart."""
    rng, each, largest = np.random.default_rng(145), [], []
    for _ in range(200):
        P, G = int(rng.integers(3 if separate else 2, 21)), int(rng.integers(2, 4))
        loads = rng.uniform(0.05, 0.95) * rng.dirichlet(np.ones(G))
        shares = subsets(rng, P, G) / P if separate else rng.dirichlet(np.full(G, 2.0))
        found = vertical(shares, loads, P) if separate else horizontal(shares, loads, np.full(P, 1 / P))
        one = uniprocessor.exact("PS", shares, loads).group_share_deviation
        each += [*(found.group_share_deviation - one)]
        largest.append(found.group_share_deviation.max() - one.max())
    each, largest = np.array(each), np.array(largest)
    return over_domain(
        f"at least as large in {(largest >= -1e-12).sum()} of 200 systems, by up to {largest.max():.2f}; "
        f"group by group in {(each >= -1e-12).sum()} of {len(each)} cases", [*(each >= -1e-12), *(largest >= -1e-12)],
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


@check("thesis-4-146", local="PS")
def gpps_on_each_processor(local="GPPS"):
    """The chain's law convolved, against paths of all processors; and one processor against the exact answer."""
    missed, widest, one = 0, 0.0, 0.0
    for number, (*system, P) in enumerate(WITH_GPPS):
        shares, loads, rates = map(np.array, system)
        value = horizontal(shares, loads, np.full(P, 1 / P), local, rates).group_share_deviation
        found = path_with_gpps(number)
        width = widened(2 * len(WITH_GPPS), 10) * found.half_width
        missed, widest = missed + int((np.abs(value - found.value) > width).sum()), max(widest, width.max())
        alone = horizontal(shares, loads, [1.0], local, rates).group_share_deviation
        exact = uniprocessor.exact("GPPS", shares, loads * rates, rates).group_share_deviation
        one = max(one, difference(alone, exact))
    return beyond(f"{missed} of {2 * len(WITH_GPPS)} joint intervals missed, half widths up to {widest:.2f}; "
                  f"P = 1 {within(one, 1e-8)}", missed == 0 and one <= 1e-8)  # fmt: skip
