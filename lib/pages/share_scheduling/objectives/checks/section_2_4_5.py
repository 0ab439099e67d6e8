"""Claims of `thesis`, Section 2.4.5: partitionable systems."""

import functools
import itertools
from collections import Counter

import numpy as np

from clustershare.partitions import full_partition, one_to_one_partition, partition, partitioned_feasible_share
from clustershare.shares import feasible_group_share
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, fact
from compendium.press.clauses.conditions import at_least
from compendium.press.findings import check
from pages.share_scheduling.objectives.printed import in_the_text
from pages.share_scheduling.objectives.systems import EXACT, JOBS, SYSTEM, drawn, least_jobs

PARTS = ("of groups that need fewer", "of those that need as many", "of those that need more",
         "of systems where some group needs fewer")  # fmt: skip


def with_jobs(found, first, within):
    """Clauses on what the first group is promised with 0 to 3 jobs, and what each of the others is."""
    printed = [first, *[(0, 0.25, 0.25, 0.25)] * 2]
    return conclude(*(in_the_text(f"group {number} is promised", share, said, within)
                      for number, (share, said) in enumerate(zip(found, printed), 1)), whole=True)  # fmt: skip


@check("thesis-2-026", processors=2)
def shares_of_the_whole(processors=3):
    found = [feasible_group_share(r, JOBS, processors) for r in (0.5, 0.25, 0.25)]
    return with_jobs(found, (0, 0.33, 0.5, 0.5), 0.005)


@check("thesis-2-027", own=((1, 2), (0,), (0,)))
def shares_of_the_parts(own=((0,), (1,), (2,))):
    found = [partitioned_feasible_share(r, JOBS, mine, SYSTEM) for r, mine in zip((0.5, 0.25, 0.25), own)]
    return with_jobs(found, (0, 0.5, 0.5, 0.5), EXACT)


@check("thesis-2-028", capacities=(3, 1, 1))
def partitions_of_the_example(capacities=SYSTEM):
    own, parts = one_to_one_partition((0.5, 0.25, 0.25), capacities), full_partition((0.5, 0.5), capacities)
    first = f"the first partition found is {partition((0.5, 0.25, 0.25), capacities)}"
    return conclude(
        fact(f"one to one the parts are {own}", own == (0, 1, 2), f"one to one the parts are {own}, not those printed"),
        fact(f"of two groups they are {parts}", parts == [(0,), (1, 2)], f"of two groups they are {parts}"),
        fact(first, True, first),
        whole=True,
    )


@check("thesis-2-029", capacities=(1, 1, 1, 1))
def requirement_broken(capacities=SYSTEM):
    """Two groups that require the same, each with its part: do both reach it with the same number of jobs?

    In the example, and in 100 systems whose halves have different numbers of processors.
    """

    def halves(rng, _):
        sizes = sorted(rng.choice(4, 2, replace=False) + 1)
        speeds = np.concatenate([rng.dirichlet(np.full(size, 20.0)) for size in sizes])
        order = np.argsort(-speeds, kind="stable")
        parts = np.flatnonzero(order < sizes[0]), np.flatnonzero(order >= sizes[0])
        return ahead(speeds[order], [tuple(part.tolist()) for part in parts])

    def ahead(speeds, parts):
        few, many = sorted(parts, key=len)
        promised = [partitioned_feasible_share(0.5, range(9), part, speeds) for part in (few, many)]
        more = (promised[0] >= promised[1] - EXACT).all() and (promised[0] > promised[1] + EXACT).any()
        return more and least_jobs(0.5, few, speeds) != least_jobs(0.5, many, speeds)

    parts = full_partition((0.5, 0.5), capacities)
    jobs = "{} and {}".format(*(least_jobs(0.5, part, capacities) for part in parts))
    return conclude(
        fact(f"in the example {jobs} jobs are needed", ahead(capacities, parts), f"in the example {jobs} are needed"),
        everywhere("a group needs fewer, and is ahead,", drawn("system", 100, 29).measure(halves)),
        whole=True,
    )


@functools.cache
def in_twentieths(total, groups):
    """The ways to divide so many twentieths among so many groups."""
    return [w for w in itertools.combinations_with_replacement(range(1, total + 1), groups) if sum(w) == total]


def two_parts(homogeneous):
    """Systems of whole capacities, and a part of each that is so many twentieths: all of them."""
    for processors in (2, 3, 4, 5):
        for capacities in itertools.combinations_with_replacement(range(6, 0, -1), processors):
            if (len(set(capacities)) == 1) != homogeneous or (homogeneous and capacities[0] > 1):
                continue
            parts = {
                tuple(capacities[p] for p in own): own
                for size in range(1, processors) for own in itertools.combinations(range(processors), size)
            }  # fmt: skip
            for values, own in parts.items():
                if 20 * sum(values) % sum(capacities) == 0:
                    yield capacities, own, 20 * sum(values) // sum(capacities)


def jobs_saved(share, twentieths, size, processors, capacities, own):
    """How many jobs fewer a group with so many twentieths needs in its part: by the library."""
    whole = np.argmax(feasible_group_share(share / 20, range(processors + 1), processors) >= share / 20 - EXACT)
    return int(whole) - least_jobs(share / 20, own, capacities)


@check("thesis-2-049", alone=True)
def fewer_jobs_in_a_part(alone=False):
    """For each group of every system the least jobs in its part and in the whole.

    The control takes groups that have a processor faster than the average to themselves.
    """
    share_of, known = {}, {}

    def saved(share, twentieths, capacities, own):
        key = share, twentieths, len(own), len(capacities)
        if key not in known:
            known[key] = jobs_saved(*key, capacities, own)
        return known[key]

    for homogeneous in (True, False):
        signs, systems, some = Counter(), 0, 0
        for capacities, own, twentieths in two_parts(homogeneous):
            other = tuple(p for p in range(len(capacities)) if p not in own)
            if alone and (len(own) > 1 or twentieths * len(capacities) <= 20):
                continue
            for mine, rest in [(1, 1)] if alone else [(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a + b <= 4]:
                here, there = (
                    [[saved(share, total, capacities, part) for share in way] for way in in_twentieths(total, number)]
                    for total, part, number in ((twentieths, own, mine), (20 - twentieths, other, rest))
                )
                for way in here:
                    signs.update({int(np.sign(n)): way.count(n) * len(there) for n in set(way)})
                none = sum(max(way) <= 0 for way in here) * sum(max(way) <= 0 for way in there)
                systems, some = systems + len(here) * len(there), some + len(here) * len(there) - none
        if systems:
            share_of[homogeneous] = [signs[sign] / signs.total() for sign in (1, 0, -1)] + [some / systems]
    named = {True: "homogeneous", False: "heterogeneous"}
    parts = exact(list(share_of.values()), kind_of_system=[named[kind] for kind in share_of], part=PARTS)
    return conclude(
        at_each("the part of the groups that need fewer jobs", parts.at(part=PARTS[0]), at_least(0.5)),
        *(aside(f"the part {said}", parts.at(part=said)) for said in PARTS[1:]),
    )
