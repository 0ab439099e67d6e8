"""Claims of `thesis`, Section 4.5.3: VPRS, where each group has processors of its own, alike and alike loaded."""

import functools

import numpy as np

from clustershare.splitting import assignment, capacity_loss, horizontal, vertical
from compendium.press.findings import check, difference, erratum, finding
from pages.share_scheduling.one_processor.simulated import widened
from pages.share_scheduling.splitting import printed_partitions as printed
from pages.share_scheduling.splitting.partitions import mean_feasible, partitions, states, sum_of_geometric, within
from pages.share_scheduling.splitting.split_paths import alone_on_processors

EXACT = 1e-10


def splits(rng, number, processors, load):
    """Loads on processors that a group has for itself, their mean given: equal, and so many at random."""
    return load, np.array([load * processors * rng.dirichlet(np.full(processors, rng.choice([1.0, 5.0])))
                           for _ in range(number)])  # fmt: skip


def exclusive(share, own, rest, others):
    """The library's deviation of a group alone on some of equal processors, of loads `own`; others have the rest."""
    P = len(own) + rest
    loads = np.zeros((2, P))
    loads[0, : len(own)], loads[1, len(own) :] = own, others
    return assignment([share, 1 - share], loads, np.full(P, 1 / P)).group_share_deviation[0]


@check("thesis-4-086", unequal=True)
def balanced_within(unequal=False):
    """100 random splits for each number of processors, of the group and in all; the control's have other capacities."""
    rng, least, tried = np.random.default_rng(86), np.inf, 0
    for own in range(2, 6):
        for rest in range(1, 4):
            for _ in range(10):
                P, share = own + rest, rng.uniform(0.03, 0.97)
                load = rng.uniform(0.02, min(1.2, 0.97 * P / own))
                equal, random = splits(rng, 10, own, load)
                speeds = np.full(own, 1 / own)
                if unequal:  # the group's processors have its part of the capacity, in other proportions
                    speeds = np.sort(rng.dirichlet(np.full(own, 2.0)))[::-1]

                def deviation(relative, share=share, rest=rest, speeds=speeds, P=P):
                    capacities = np.append(speeds * len(speeds) / P, np.full(rest, 1 / P))
                    loads = np.zeros((2, P))
                    loads[0, : len(speeds)] = relative / (speeds * len(speeds))
                    loads[1, len(speeds) :] = 0.01
                    order = np.argsort(-capacities, kind="stable")
                    found = assignment([share, 1 - share], loads[:, order], capacities[order])
                    return found.group_share_deviation[0]

                best = deviation(np.full(own, equal))
                least = min(least, *(deviation(one) - best for one in random))
                tried += 10
    good = least >= -1e-12
    return finding(f"none of {tried} splits is below the equal one" if good else f"one is {-least:.2f} below", good)


@check("thesis-4-087", every_share=False)
def equivalent_to_the_loss(every_share=True):
    """Delta_g over the loss of the group's processors; the control has r_g = P_g / P only, where the print is right."""
    rng, apart, alike, gap, least, turned = np.random.default_rng(87), 0.0, 0.0, 0.0, np.inf, 0
    for own in range(2, 6):
        rest = int(rng.integers(1, 4))
        P = own + rest
        for share in (own / P, *(rng.uniform(0.03, 0.97, 3) if every_share else ())):
            equal, random = splits(rng, 100, own, rng.uniform(0.1, 0.7))
            random = [np.full(own, equal), *random]
            losses = np.array([capacity_loss(np.full(own, 1 / own), one) for one in random])
            found = np.array([exclusive(share, one, rest, 0.01) for one in random])
            right = [
                share - np.minimum(one, 1).sum() / P if one.max() >= 1 else
                mean_feasible(share, sum_of_geometric(one, P + 1), P) - equal * own / P for one in random
            ]  # fmt: skip
            gap, least = max(gap, difference(found, np.array(right) / share)), min(least, (found - found[0]).min())
            least = min(least, (losses - losses[0]).min())
            spread = np.ptp(found / losses)
            if share == own / P:
                alike = max(alike, spread)
            else:
                apart = max(apart, spread)
                order = np.argsort(losses)
                turned += (np.diff(found[order]) < -1e-9).any()
    good = alike <= EXACT and gap <= EXACT and least >= -1e-12 and (apart > EXACT or not every_share)
    return erratum(
        f"r_g = P_g / P: one factor {within(alike, EXACT)}; other r_g: "
        + (f"factors apart by up to {apart:.1f}, and in {turned} of 12 cases another order of the splits; "
           if every_share else "none here; ")
        + f"the equal split is {'always' if least >= -1e-12 else 'not always'} the least of both",
        max(alike, apart) <= EXACT, good,
    )  # fmt: skip


def numbers_of_subsets(sizes, loads):
    """The law of n_1, ..., n_G on a lattice with each below P, and their sums: each group's convolved by itself."""
    P = int(sizes.sum())
    laws = [sum_of_geometric(np.full(size, x * P / size), P) for size, x in zip(sizes, loads)]
    joint = functools.reduce(np.multiply.outer, laws).ravel()
    return joint, np.indices((P,) * len(sizes)).reshape(len(sizes), -1).sum(axis=0)


@functools.cache
def losses_of_partitions(most, sizes_alike=False):
    """Of 200 partitions: P; the loss by library, general, enumerated, printed, corrected; the library's routing off."""
    rows = []
    for sizes, loads in partitions(200, 88):
        P = int(sizes.sum())
        if P > most:
            continue
        own = np.full(len(sizes), P // len(sizes)) + (np.arange(len(sizes)) < P % len(sizes)) if sizes_alike else sizes
        if (loads * P / own >= 1).any():
            continue  # subsets of one size overload one: no question for (4.140)
        joint, total = numbers_of_subsets(own, loads)
        below = total < P
        general = capacity_loss(np.full(P, 1 / P), np.repeat(loads * P / own, own))
        found = vertical(sizes / P, loads, P)
        rows.append((
            P, found.capacity_loss, general,
            1 - loads.sum() - joint[below] @ (1 - total[below] / P),
            *(printed.vertical_loss(sizes, loads, constrained) for constrained in (False, True)),
            difference(found.routing, printed.vertical_routing(sizes)),
        ))  # fmt: skip
    return np.array(rows).T


@check("thesis-4-088", sizes_alike=True)
def vertical_loss(sizes_alike=False):
    """(4.140) with its constraint, the library with (4.138) and (4.139), its general loss, all numbers of groups."""
    number, found, general, enumerated, as_printed, corrected, routing = losses_of_partitions(12, sizes_alike)
    gap = max(routing.max(), *(difference(corrected, value) for value in (found, general, enumerated)))
    off = difference(as_printed, general)
    return erratum(f"printed: {within(off, EXACT)}; corrected: {within(gap, EXACT)} in {len(number)} systems",
                   off <= EXACT, gap <= EXACT)  # fmt: skip


@check("thesis-4-147", same_mix=True)
def constraint_of_the_sum(same_mix=False):
    """The inner sum of (4.140), up to five processors; the control has HPRS in the general loss."""
    number, _, general, _, as_printed, corrected, _ = losses_of_partitions(5)
    if same_mix:
        loads = [own.sum() for sizes, own in partitions(200, 88) if sizes.sum() <= 5]
        general = [capacity_loss(np.full(int(P), 1 / P), np.full(int(P), load)) for P, load in zip(number, loads)]
    off, right = (difference(values, general) for values in (as_printed, corrected))
    return erratum(f"{len(number)} systems; all n_g up to n: {within(off, EXACT)}; those that sum to n: "
                   f"{within(right, EXACT)}", off <= EXACT, right <= EXACT)  # fmt: skip


@check("thesis-4-089", moved=True)
def an_overloaded_subset(moved=False):
    """(4.141) and the library against (4.64) and paths; the control sends what is too much to the next subset."""
    gap, off, widest, missed = 0.0, 0.0, 0.0, 0
    for number, (sizes, loads) in enumerate(partitions(200, 89, overloaded=True)):
        P = int(sizes.sum())
        found = vertical(sizes / P, loads, P).capacity_loss
        if number < 5:
            real = loads + (loads[0] - sizes[0] / P) * (np.eye(2, len(loads))[1] - np.eye(2, len(loads))[0]) * moved
            path = alone_on_processors(np.repeat(real * P / sizes, sizes), seed=number)
            width = min(widened(5) * path.half_width, 0.01)
            missed += abs(path.value - found) > width
            off, widest = max(off, abs(path.value - found)), max(widest, width)
        served = loads.sum() - (np.repeat(np.maximum(loads * P / sizes - 1, 0), sizes) / P).sum()  # (4.64)
        gap = max(gap, abs(1 - served - found), abs(printed.overloaded_loss(sizes / P, loads) - found))
    return finding(f"{missed} of 5 paths miss it{f', by up to {off:.2f}' if missed else ''}, intervals up to "
                   f"{widest:.3f}; as (4.64) {within(gap, 1e-12)}", not missed and gap <= 1e-12)  # fmt: skip


@check("thesis-4-090", same_mix=True)
def vertical_deviation(same_mix=False):
    """(4.142), (4.143) and the library against all numbers on the group's own processors; the control is HPRS."""
    gap, single, flooded, cases = 0.0, 0, 0, 0
    for sizes, loads in [*partitions(120, 90, most=8), *partitions(80, 91, most=8, overloaded=True)]:
        P = int(sizes.sum())
        shares = sizes / P
        if same_mix:
            found = horizontal(shares, loads, np.full(P, 1 / P)).group_share_deviation
        else:
            found = vertical(shares, loads, P).group_share_deviation
        for size, share, own, value in zip(sizes, shares, loads, found):
            cases, single, flooded = cases + 1, single + (size == 1), flooded + (own >= share)
            expected = 0.0
            if own < share:
                numbers, load = states(int(size), int(size)), own / share
                probability = (1 - load) ** size * load ** numbers.sum(axis=0)
                law = np.bincount(numbers.sum(axis=0), weights=probability)
                expected = (mean_feasible(share, law, P) - own) / share
            one = printed.vertical_deviation(share, own, P)
            gap = max(gap, abs(value - expected), abs(one - expected), abs(value) if size == 1 else 0)
    return finding(f"{within(gap, EXACT)}: {cases} subsets, {single} of one processor and {flooded} overloaded",
                   gap <= EXACT)  # fmt: skip
