"""Claims of `thesis`, Section 4.5.3: VPRS, where each group has processors of its own, alike and alike loaded."""

import functools
import itertools

import numpy as np

from clustershare.splitting import assignment, capacity_loss, horizontal, vertical
from compendium.press.clauses import aside, cases, conclude, equalities, everywhere, exact, measured, mended
from compendium.press.clauses.conditions import agrees, at_least, at_most, larger, within
from compendium.press.findings import check, difference
from pages.share_scheduling.splitting.printed import partitions as printed
from pages.share_scheduling.splitting.witnesses.partitions import (
    deviations_of_routing,
    mean_feasible,
    partitions,
    states,
    sum_of_geometric,
)
from pages.share_scheduling.splitting.witnesses.split_paths import alone_on_processors

EXACT = 1e-10
RATES = (1.0, 3.0)  # of service, of the two groups: they do not matter to a group that is alone on its processors


def splits(rng, number, processors, load):
    """Loads on processors that a group has for itself, their mean given: equal, and so many at random."""
    return load, np.array([load * processors * rng.dirichlet(np.full(processors, rng.choice([1.0, 5.0])))
                           for _ in range(number)])  # fmt: skip


def exclusive(share, own, rest, others):
    """The deviation of a group alone on some of equal processors, of loads `own`; others have the rest.

    By the library, and by the law of its number, which is convolved here.
    """
    P = len(own) + rest
    loads = np.zeros((2, P))
    loads[0, : len(own)], loads[1, len(own) :] = own, others
    shares = [share, 1 - share]
    found = assignment(shares, loads, np.full(P, 1 / P), RATES).group_share_deviation
    return found[0], deviations_of_routing(shares, loads)[0]


@check("thesis-4-086", unequal=True)
def balanced_within(unequal=False):
    """100 random splits for each number of processors, of the group and in all; the control's have other capacities."""
    rng, systems = np.random.default_rng(86), []
    for own, rest, _ in itertools.product(range(2, 6), range(1, 4), range(10)):
        P, share = own + rest, rng.uniform(0.03, 0.97)
        load = rng.uniform(0.02, min(1.2, 0.97 * P / own))
        equal, random = splits(rng, 10, own, load)
        # in the control the group's processors have its part of the capacity, in other proportions
        speeds = np.sort(rng.dirichlet(np.full(own, 2.0)))[::-1] if unequal else np.full(own, 1 / own)
        systems.append((share, rest, speeds, np.full(own, equal), random))

    def least(share, rest, speeds, balanced, random):
        own = len(speeds)
        capacities = np.append(speeds * own, np.ones(rest)) / (own + rest)
        order = np.argsort(-capacities, kind="stable")

        def deviation(relative):
            loads = np.zeros((2, own + rest))
            loads[0, :own] = relative / (speeds * own)
            loads[1, own:] = 0.01
            found = assignment([share, 1 - share], loads[:, order], capacities[order], RATES)
            return found.group_share_deviation[0]

        P, loads, value = own + rest, balanced / (speeds * own), deviation(balanced)
        obtained = np.minimum(loads, 1) @ speeds * own / P
        feasible = mean_feasible(share, sum_of_geometric(loads, P + 1), P) if loads.max() < 1 else share
        return {"more": min(map(deviation, random)) - value, "gap": value - (feasible - obtained) / share}

    found = cases("random system", systems, seed=86).measure(least)
    return conclude(
        everywhere("the least deviation of ten random splits less that of the equal one", found["more"], at_least(0)),
        provided=equalities({"the latter and that by the law of the number": found["gap"]}, EXACT),
        whole=True,
    )


@check("thesis-4-087", every_share=False)
def equivalent_to_the_loss(every_share=True):
    """Delta_g over the loss of the group's processors; the control has r_g = P_g / P only, where the print is right."""
    rng, systems = np.random.default_rng(87), []
    for own in range(2, 6):
        rest = int(rng.integers(1, 4))
        for share in (own / (own + rest), *(rng.uniform(0.03, 0.97, 3) if every_share else ())):
            equal, random = splits(rng, 100, own, rng.uniform(0.1, 0.7))
            systems.append((share, rest, np.vstack([np.full(own, equal), random])))

    def compared(share, rest, tried):
        own = tried.shape[1]
        losses = np.array([capacity_loss(np.full(own, 1 / own), one) for one in tried])
        found, right = np.array([exclusive(share, one, rest, 0.01) for one in tried]).T
        return {
            "range": np.ptp(found / losses), "gap": difference(found, right),
            "deviation": (found - found[0]).min(), "loss": (losses - losses[0]).min(),
            "order": (np.diff(found[np.argsort(losses)]) < -1e-9).any(), "alike": share == own / (own + rest),
        }  # fmt: skip

    found = cases("random system", systems, seed=87).measure(compared)
    alike = found["alike"].value == 1
    factors = "the range of the factor between the deviation and the loss"
    corrected = [
        everywhere(f"{factors} where r_g is P_g / P", found["range"].where(alike, "other shares"), at_most(EXACT))
    ]
    if every_share:
        others = found["range"].where(~alike, "r_g is P_g / P")
        corrected += [
            everywhere("its largest range elsewhere", others.largest(others.noun), larger(EXACT)),
            aside("systems in which loss and deviation order the splits otherwise",
                  exact(found["order"].value[~alike].sum())),
        ]  # fmt: skip
    return mended(
        everywhere(f"as printed, {factors}", found["range"], at_most(EXACT)),
        *corrected,
        *(everywhere(f"the least {what} of all splits less that of the equal one", found[what], at_least(0))
          for what in ("deviation", "loss")),
        *equalities({"the library's deviation and that by the law of the number": found["gap"]}, EXACT),
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
    _, found, general, enumerated, as_printed, corrected, routing = losses_of_partitions(12, sizes_alike)
    gaps = {
        "corrected, it and the general loss": corrected - general, "it and that of VPRS": corrected - found,
        "it and the mean over all numbers": corrected - enumerated,
        "(4.138), (4.139) and the library's routing": routing,
    }  # fmt: skip
    return by_constraint(as_printed - general, gaps)


def by_constraint(printed_gap, gaps):
    """The finding that (4.140) is right with its constraint alone, from gaps in random systems."""
    return mended(
        *equalities({"(4.140) as printed and the general loss": exact(printed_gap, random_system=None)}, EXACT),
        *equalities({what: exact(gap, random_system=None) for what, gap in gaps.items()}, EXACT),
    )


@check("thesis-4-147", same_mix=True)
def constraint_of_the_sum(same_mix=False):
    """The inner sum of (4.140), up to five processors; the control has HPRS in the general loss."""
    number, vprs, general, _, as_printed, corrected, _ = losses_of_partitions(5)
    if same_mix:
        loads = [own.sum() for sizes, own in partitions(200, 88) if sizes.sum() <= 5]
        general = np.array([capacity_loss(np.full(int(P), 1 / P), np.full(int(P), x)) for P, x in zip(number, loads)])
    said = "(4.140) over n_1 + ... + n_G = n and that"
    return by_constraint(as_printed - general, {said: corrected - general, f"{said} of VPRS": corrected - vprs})


def flooded():
    """Systems in which any one group has more than its subset can do, or just as much, or two groups have more."""
    rng = np.random.default_rng([89, 1])
    for k, (sizes, loads) in enumerate(partitions(200, 89, overloaded=True)):
        P = sizes.sum()
        if k % 3 == 1:
            loads[0] = sizes[0] / P
        elif k % 3 == 2 and len(sizes) > 2:
            over = rng.dirichlet(np.ones(3)) * sizes[2:].sum() / P
            loads[:2] = sizes[:2] / P + over[:2]
            loads[2:] *= 0.9 * over[2] / loads[2:].sum()
        yield np.roll(sizes, k), np.roll(loads, k)


@check("thesis-4-089", moved=True)
def an_overloaded_subset(moved=False):
    """(4.141) and the library against (4.64) and paths; the control sends what is too much to the next subset."""

    def gaps(sizes, loads):
        P = int(sizes.sum())
        found = vertical(sizes / P, loads, P).capacity_loss
        served = loads.sum() - (np.repeat(np.maximum(loads * P / sizes - 1, 0), sizes) / P).sum()
        return {
            "the library's loss and that by (4.64)": found - (1 - served),
            "it and (4.141)": found - printed.overloaded_loss(sizes / P, loads),
        }

    def on_paths(number, sizes, loads):
        P = int(sizes.sum())
        real = loads + (loads[0] - sizes[0] / P) * (np.eye(2, len(loads))[1] - np.eye(2, len(loads))[0]) * moved
        path = alone_on_processors(np.repeat(real * P / sizes, sizes), seed=number)
        return measured(path.value - vertical(sizes / P, loads, P).capacity_loss, path.half_width, runs=20)

    few = enumerate(partitions(5, 89, overloaded=True))
    paths = cases("path", [(number, *system) for number, system in few]).measure(on_paths)
    return conclude(
        *equalities(cases("random system", flooded(), seed=89).measure(gaps), 1e-12),
        everywhere("the loss on paths less the library's", paths, agrees(), within(0.01)),
        whole=True,
    )


@check("thesis-4-090", same_mix=True)
def vertical_deviation(same_mix=False):
    """(4.142), (4.143) and the library against all numbers on the group's own processors; the control is HPRS."""

    def subsets():
        systems = [*partitions(120, 90, most=8), *partitions(80, 91, most=8, overloaded=True)]
        for k, (sizes, loads) in enumerate(systems):
            loads[-1] *= k % 10 > 0
            P, shares = int(sizes.sum()), sizes / sizes.sum()
            found = horizontal(shares, loads, np.full(P, 1 / P)) if same_mix else vertical(shares, loads, P)
            yield from zip(itertools.repeat(P), sizes.tolist(), shares, loads, found.group_share_deviation)

    def gaps(P, size, share, own, value):
        expected, alone = 0.0, np.full(size, 1 / size)
        if own < share and size > 1:
            numbers, load = states(size, size), own / share
            probability = (1 - load) ** size * load ** numbers.sum(axis=0)
            law = np.bincount(numbers.sum(axis=0), weights=probability)
            expected = (mean_feasible(share, law, P) - own) / share
        return {
            "the library's deviation and that by the numbers of jobs": value - expected,
            "it and the loss of the group's processors": capacity_loss(alone, np.full(size, own / share)) - expected,
            "(4.142), (4.143) and it": printed.vertical_deviation(share, own, P) - expected,
        }

    found = list(subsets())
    return conclude(
        *equalities(cases("subset", found).measure(gaps), EXACT),
        aside("subsets of one processor", exact(sum(size == 1 for _, size, *_ in found))),
        aside("overloaded subsets", exact(sum(own >= share for _, _, share, own, _ in found))),
        whole=True,
    )
