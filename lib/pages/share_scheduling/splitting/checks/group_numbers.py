"""Claims of `thesis`, Section 4.5.1: how many jobs a group has under random splitting, and what it obtains."""

import math

import numpy as np
from scipy.stats import binom

from clustershare.compiled import service
from clustershare.splitting import assignment, group_number_law
from compendium.press.findings import check, difference, erratum, finding
from pages.share_scheduling.one_processor.simulated import widened
from pages.share_scheduling.splitting import printed_partitions as printed
from pages.share_scheduling.splitting.partitions import cut_chain, mean_feasible, sum_of_geometric
from pages.share_scheduling.splitting.split_paths import one_processor

LOADS = np.array([[0.5, 0.3], [0.9, 0.6], [1.5, 1.0]])
THIRDS = np.full(3, 1 / 3)  # the other two processors are idle, so that all together are not overloaded


def on_the_first(loads, rates=1.0):
    """The library's shares of groups with jobs on one of three equal processors."""
    shares = np.full(len(loads), 1 / len(loads))
    return assignment(shares, np.outer(loads, [1, 0, 0]), THIRDS, rates)


def fluid_of_two(loads, rates):
    """What two groups obtain of an overloaded PS processor: the root of a quadratic, numbers growing in proportion."""
    arriving = loads * rates
    middle, last = (rates - arriving).sum(), rates.prod() * (1 - loads.sum())
    root = math.sqrt(middle**2 - 4 * last)
    growth = (root - middle) / 2 if middle < 0 else -2 * last / (root + middle)  # the positive one, without cancelling
    return arriving / (growth + rates)


@check("thesis-4-077", policy="FCFS")
def obtained_share(policy="PS"):
    """(4.120) against paths and the fluid limit; the control is first come, first served, with unequal means."""
    ratios = (1.0, 10.0) if policy == "PS" else (10.0,)
    loads = np.concatenate([LOADS] * len(ratios))
    rates = np.repeat([(1.0, ratio) for ratio in ratios], len(LOADS), axis=0)
    copies = 200
    found = one_processor(loads * rates, rates, policy, copies=copies, ticks=8000)
    allowed = np.minimum(widened(found.value.size, copies) * found.half_width, 0.01)
    as_printed = np.ravel([3 * printed.obtained(np.outer(pair, [1, 0, 0]), THIRDS) for pair in loads])
    fluid = np.ravel([3 * on_the_first(*system).obtained_share for system in zip(loads, rates)])
    rng, gap = np.random.default_rng(77), 0.0
    for _ in range(200):
        pair, speeds = rng.uniform(1.01, 2.9) * rng.dirichlet(np.ones(2)), np.array([1.0, rng.uniform(0.02, 50)])
        gap = max(gap, difference(3 * on_the_first(pair, speeds).obtained_share, fluid_of_two(pair, speeds)))
    off = np.abs(found.value - as_printed)
    right = (np.abs(found.value - fluid) <= allowed).all() and gap <= 1e-9
    wrong = int((off > allowed).reshape(-1, 2).any(axis=1).sum())
    return erratum(
        f"printed: {wrong} of {len(loads)} systems missed, by up to {off.max():.2f}; "
        f"numbers that grow in proportion: paths {'met' if right else 'missed'}", wrong == 0, right,
    )  # fmt: skip


def departures(rates, rule):
    """The rates of departure of two groups in each state; required shares of 0.6 and 0.4 matter to GPPS."""
    return lambda numbers: rates[:, None] * service.divide_each(rule, np.array([0.6, 0.4]), numbers)


@check("thesis-4-078", rule=service.GPPS)
def numbers_are_geometric(rule=service.PS):
    """(4.122) and (4.123) against the chain of both numbers."""
    rng, own, joint = np.random.default_rng(78), 0.0, 0.0
    for _ in range(20):
        load, rates = rng.uniform(0.1, 0.7), np.array([1.0, rng.uniform(0.1, 10)])
        loads = load * rng.dirichlet(np.full(2, 2.0))
        level = math.ceil(math.log(1e-10) / math.log(load))
        numbers, probability = cut_chain(level, loads * rates, departures(rates, rule))
        for g in range(2):
            law = np.bincount(numbers[g], weights=probability)
            own = max(own, difference(law, group_number_law(loads[:, None], g, len(law))))
        few = numbers.sum(axis=0) <= 30  # their factorials are held exactly; the others weigh less than the bound
        joint = max(joint, difference(probability[few], printed.joint_law(numbers[:, few], loads)))
    good = max(own, joint) <= 1e-8
    return finding("both laws within 1e-8" if good else f"off by {own:.2f}, jointly by {joint:.2f}", good)


@check("thesis-4-080", permanent=True)
def a_mean_and_what_it_is_the_mean_of(permanent=False):
    """The spread of f_g over the law of the group's number, which is convolved here from (4.123), and its mean against
    the library's; the control has as many permanent jobs as the group can use."""
    rng, spreads, gap = np.random.default_rng(80), [], 0.0
    for _ in range(50):
        P, share = int(rng.integers(1, 6)), rng.uniform(0.1, 0.9)
        loads = rng.uniform(0.1, 0.8) * rng.dirichlet(np.ones(2), P).T
        law = sum_of_geometric(loads[0] / (1 - loads[1]), 400)
        always = math.ceil(share * P) if permanent else 0
        values = np.minimum(share, (np.arange(len(law)) + always) / P)  # (2.26)
        mean = values @ law
        spreads.append((values - mean) ** 2 @ law)
        if not permanent:
            gap = max(gap, abs(assignment([share, 1 - share], loads, np.full(P, 1 / P)).feasible_share[0] - mean))
    constant = max(spreads) < 1e-12
    return erratum("f_g is one number" if constant else f"its variance is {min(spreads):.1g} to {max(spreads):.2f}; "
                   f"the right side is its mean{'' if gap <= 1e-9 else f', but for {gap:.1g}'}",
                   constant, gap <= 1e-9)  # fmt: skip


@check("thesis-4-141", joined=True)
def total_number(joined=False):
    """(4.124) with and without the constraint; the control has one processor in place of all."""
    rng, gaps = np.random.default_rng(141), {False: 0.0, True: 0.0}
    for k in range(50):
        P = 2 + k % 2
        loads = rng.uniform(0.1, 0.9, P) * rng.dirichlet(np.ones(2), P).T
        if joined:
            law = group_number_law(loads.mean(axis=1, keepdims=True), 0, 7)
        else:
            law = sum_of_geometric(loads[0] / (1 - loads[1]), 7)
            gaps[True] = max(gaps[True], difference(group_number_law(loads, 0, 7), law))
        for constrained, gap in gaps.items():
            values = [printed.number_law(loads, 0, n, constrained) for n in range(7)]
            gaps[constrained] = max(gap, difference(values, law))
    said = {key: "within 1e-10" if gap <= 1e-10 else f"off by up to {gap:.2f}" for key, gap in gaps.items()}
    return erratum(f"all n_p up to n: {said[False]}; those that sum to n: {said[True]}",
                   gaps[False] <= 1e-10, gaps[True] <= 1e-10)  # fmt: skip


def gpps_fluid(shares, loads):
    """What groups obtain of a processor under GPPS for ever: what they bring, or their part of what these leave."""
    obtained, left = np.zeros(len(loads)), np.ones(len(loads), dtype=bool)
    while left.any():
        part = (1 - obtained.sum()) * shares / shares[left].sum()
        content = left & (loads <= part)
        if not content.any():
            return np.where(left, part, obtained)
        obtained, left = np.where(content, loads, obtained), left & ~content
    return obtained


def ever_growing(policy):
    """On 200 overloaded processors: the least growth of a number, how far off proportion, the least E[f_g] / r_g."""
    rng, least, apart, feasible = np.random.default_rng(142), np.inf, 0.0, 1.0
    for _ in range(200):
        G = int(rng.integers(2, 5))
        loads, rates = rng.uniform(1.01, 2.9) * rng.dirichlet(np.ones(G)), rng.uniform(0.1, 10, G)
        if policy == "GPPS":
            obtained = gpps_fluid(rng.dirichlet(np.ones(G)), loads)
        else:
            found = on_the_first(loads, rates)
            obtained, feasible = 3 * found.obtained_share, min(feasible, (G * found.feasible_share).min())
        growth = rates * (loads - obtained)
        least, apart = min(least, growth.min()), max(apart, difference(growth / growth.sum(), obtained))
    return least, apart, feasible


@check("thesis-4-142", policy="GPPS")
def numbers_without_bound(policy="PS"):
    """Growth above load 1; at load 1 the feasible share of ever longer chains."""
    least, apart, feasible = ever_growing(policy)
    rng, short, rising, gap = np.random.default_rng(1), [], True, 0.0
    loads, rates = np.array([0.3, 0.7]), np.array([1.0, 4.0])
    numbers, probability = cut_chain(30, loads * rates, departures(rates, service.PS))
    law = np.bincount(numbers[0], weights=probability)
    gap = difference(law, law_at_one(loads[0], 30, 31))
    for _ in range(20):
        P, share, part = int(rng.integers(1, 11)), rng.uniform(0.05, 0.95), rng.uniform(0.05, 0.95)
        lacking = [share - mean_feasible(share, law_at_one(part, most, P + 1), P) for most in (300, 1000, 3000)]
        rising &= lacking[0] > lacking[1] > lacking[2] > 0
        short.append(lacking[2])
    good = least > 0 and apart <= 1e-9 and feasible > 1 - 1e-12 and rising and max(short) <= 0.05 and gap <= 1e-10
    grows = f"each grows, at least at {least:.0e}" if least > 0 else "some do not grow"
    return finding(f"above load 1 {grows}; at load 1, 3000 jobs, E[f_g] is {max(short):.3f} below r_g at most", good)


def law_at_one(part, most, length):
    """The number of a group at load 1 with so many jobs at most: all totals alike, and who they are by chance.

    The probabilities of n among k = 0, ..., most sum to that of more than n among most + 1, over the group's part.
    """
    return binom.sf(np.arange(length), most + 1, part) / (part * (most + 1))


@check("thesis-4-143", weighted=False)
def routing_and_back(weighted=True):
    """(4.131) after (4.32); the control leaves the capacities out."""
    rng, gap, sums = np.random.default_rng(143), 0.0, 0.0
    for _ in range(200):
        G, P = int(rng.integers(2, 5)), int(rng.integers(1, 9))
        speeds = np.sort(rng.dirichlet(np.ones(P)))[::-1].copy()
        own, routing = rng.uniform(0.05, 0.95) * rng.dirichlet(np.ones(G)), rng.dirichlet(np.ones(P), G)
        found = assignment(rng.dirichlet(np.ones(G)), routing * own[:, None] / speeds, speeds)
        back = found.routing if weighted else found.processor_loads / own[:, None]
        gap, sums = max(gap, difference(back, routing)), max(sums, difference(back.sum(axis=1), 1))
    good = max(gap, sums) <= 1e-12
    return finding("there and back within 1e-12" if good else f"off by {gap:.3g}, sums by {sums:.3g}", good)
