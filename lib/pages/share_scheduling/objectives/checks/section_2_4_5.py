"""Claims of `thesis`, Section 2.4.5: partitionable systems."""

import functools
import itertools
from collections import Counter

import numpy as np

from clustershare.delivery import deliver
from clustershare.partitions import full_partition, one_to_one_partition, partition, partitioned_feasible_share
from clustershare.shares import State, feasible_group_share
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact
from compendium.press.clauses.conditions import at_least, equal, larger
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.printed import in_the_text
from pages.share_scheduling.objectives.systems import EXACT, JOBS, SYSTEM, drawn, least_jobs
from pages.share_scheduling.objectives.witnesses.delivery import fits_without_migration

PARTS = ("of groups that need fewer", "of those that need as many", "of those that need more",
         "of systems where some group needs fewer")  # fmt: skip


OTHERS = (0, 0.25, 0.25, 0.25)  # what the other groups are promised with 0 to 3 jobs


def with_jobs(found, first, within, *more):
    """Clauses on what the first group is promised with 0 to 3 jobs, and what each of the others is."""
    printed = [first, OTHERS, OTHERS]
    return conclude(*(in_the_text(f"group {number} is promised", share, said, within)
                      for number, (share, said) in enumerate(zip(found, printed), 1)), *more, whole=True)  # fmt: skip


@check("thesis-2-026", processors=2)
def shares_of_the_whole(processors=3):
    required, first = (0.5, 0.25, 0.25), (0, 0.33, 0.5, 0.5)
    states = [State(SYSTEM, required, members([n] * 3), np.zeros((3 * n, 3))) for n in JOBS]
    promised = np.transpose([state.feasible_group_shares for state in states])
    return with_jobs(
        [feasible_group_share(r, JOBS, processors) for r in required], first, 0.005,
        in_the_text("by a state the groups are", promised, [first, OTHERS, OTHERS], 0.005),
    )  # fmt: skip


@check("thesis-2-027", own=((1, 2), (0,), (0,)))
def shares_of_the_parts(own=((0,), (1,), (2,))):
    found = [partitioned_feasible_share(r, JOBS, mine, SYSTEM) for r, mine in zip((0.5, 0.25, 0.25), own)]
    return with_jobs(found, (0, 0.5, 0.5, 0.5), EXACT)


@check("thesis-2-028", capacities=(3, 1, 1))
def partitions_of_the_example(capacities=SYSTEM):
    own, parts = one_to_one_partition((0.5, 0.25, 0.25), capacities), full_partition((0.5, 0.5), capacities)
    split, halved = partition((0.5, 0.25, 0.25), capacities), partition((0.5, 0.5), capacities)
    first = f"the first partition found is {split}"
    fits = split is not None and np.isclose(
        np.array((0.5, 0.25, 0.25))[list(split[0])].sum(), np.array(capacities)[list(split[1])].sum() / sum(capacities),
        rtol=0, atol=EXACT,
    )  # fmt: skip
    return conclude(
        fact(f"one to one the parts are {own}", own == (0, 1, 2), f"one to one the parts are {own}, not those printed"),
        fact(f"of two groups they are {parts}", parts == [(0,), (1, 2)], f"of two groups they are {parts}"),
        fact(first, bool(fits), f"{first}, which is none"),
        fact(f"for two groups it is {halved}", halved == ((0,), (0,)), f"for two groups it is {halved}"),
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


def by_all_sets(required, capacities):
    """Whether a system is partitionable, and fully so: by all sets of groups, and all assignments of processors."""
    parts = np.divide(capacities, np.sum(capacities))
    owner = np.array(list(itertools.product(range(len(required)), repeat=len(parts))))
    own = np.array([(owner == group) @ parts for group in range(len(required))])
    sets = np.array(list(itertools.product((0, 1), repeat=len(parts))))[1:-1] @ parts
    groups = np.array(list(itertools.product((0, 1), repeat=len(required))))[1:-1] @ required
    return (
        bool((np.abs(sets[:, None] - groups) < EXACT).any()),
        bool((np.abs(own - np.array(required)[:, None]) < EXACT).all(axis=0).any()),
    )


def shares_of_sets(rng, capacities, groups):
    """Required shares that are what sets of the processors are of the whole, and the number of processors of each."""
    owner = rng.permutation(np.append(np.arange(groups), rng.integers(groups, size=len(capacities) - groups)))
    return np.bincount(owner, capacities, groups) / np.sum(capacities), np.bincount(owner, minlength=groups)


def whole_capacities(rng, processors, most):
    """Random ones from 1, in descending order."""
    return np.sort(rng.integers(1, most + 1, processors))[::-1]


@check("thesis-2-054", random=False)
def shares_decide_as_processors_do(random=True):
    """The same processors with two kinds of shares, and the same shares on others, by the library and by all sets."""
    rng = np.random.default_rng(54)

    def found(required, capacities):
        here = partition(required, capacities) is not None, full_partition(required, capacities) is not None
        return here, here == by_all_sets(required, capacities)

    def both(trial):
        processors = 2 + trial % 5
        groups = int(rng.integers(2, min(4, processors) + 1))
        capacities = whole_capacities(rng, processors, 6)
        fitting, _ = shares_of_sets(rng, capacities, groups)
        (with_sets, one), (others, two) = (
            found(required, capacities)
            for required in (
                fitting,
                rng.dirichlet(np.ones(groups)) if random else shares_of_sets(rng, capacities, groups)[0],
            )
        )
        for _ in range(50):
            elsewhere, three = found(fitting, whole_capacities(rng, processors, 6))
            if not elsewhere[0]:
                break
        return {"agree": one and two and three, "with": all(with_sets), "without": not any(others),
                "elsewhere": not elsewhere[0], "processors": processors}  # fmt: skip

    seen = cases("set of processors", range(200), [""] * 200, seed=54).measure(both)
    lost = [seen["elsewhere"].value[seen["processors"].value == P].any() for P in range(2, 7)]
    return conclude(
        everywhere("the library and all sets agree", seen["agree"]),
        everywhere("with shares that sets of its processors have it is partitionable, and fully", seen["with"]),
        everywhere("with random shares it is neither", seen["without"]),
        everywhere("for each number of processors the same shares on some others are not partitionable",
                   exact(lost, number=range(2, 7))),
        whole=True,
    )  # fmt: skip


def _delivered(required, jobs, capacities):
    """Whether some placement of the jobs, which do not migrate, gives every group its feasible share (2.26)."""
    wanted = feasible_group_share(required, jobs, len(capacities))
    return fits_without_migration(wanted, jobs, capacities)


def _placed(required, jobs, capacities):
    """The same by the library's best placement."""
    wanted = feasible_group_share(required, jobs, len(capacities))
    return deliver(wanted, members(jobs), capacities, migration=False).feasible


@check("thesis-2-055", exchanged=True)
def easier_in_parts(exchanged=False):
    """The same processors and jobs with two kinds of shares: whether a placement delivers; or the kinds exchanged."""
    easier, always, placed, promised, parts = [], [], [], [], {}
    for groups, alike in itertools.product((2, 3), (True, False)):
        rng, counts = np.random.default_rng([55, groups, alike]), np.zeros(2, int)
        for trial in range(150):
            processors = int(rng.integers(max(groups, 3 if alike else 2), 5))
            capacities = np.ones(processors) if alike else whole_capacities(rng, processors, 4)
            while not alike and np.ptp(capacities) == 0:
                capacities = whole_capacities(rng, processors, 4)
            jobs = rng.integers(0, processors + 2, groups)
            fitting, sizes = shares_of_sets(rng, capacities, groups)
            other = rng.dirichlet(np.ones(groups))
            if partition(other, capacities) is not None:
                raise ArithmeticError("Random shares are what sets of processors have.")
            found = [_delivered(required, jobs, capacities) for required in (fitting, other)]
            counts += found[::-1] if exchanged else found
            promised += [
                difference(feasible_group_share(required, jobs, processors), np.minimum(required, jobs / processors))
                for required in (fitting, other)
            ]
            if trial < 30 and 0 < sum(jobs) <= 5:
                placed += [_placed(required, jobs, capacities) == met for required, met in zip((fitting, other), found)]
            if (jobs >= sizes).all():
                always.append(found[exchanged])
        easier.append((counts[0] - counts[1]) / 150)
        parts[f"{groups} groups, {'homogeneous' if alike else 'heterogeneous'}"] = counts / 150
    return conclude(
        at_each("of 150 states, the part that can be delivered in partitionable systems less that in others",
                exact(easier, as_it_stands=True, sort=tuple(parts)), larger()),
        everywhere("with jobs for all processors of its own each group obtains its share", exact(always, state=None)),
        aside("the part in partitionable systems", exact([a for a, _ in parts.values()], sort=tuple(parts))),
        provided=[
            everywhere("the library's (2.26) and the smaller of r and N/P", exact(promised, state=None), equal(EXACT)),
            everywhere("the library's best placement and all of them agree", exact(placed, state=None)),
        ],
    )  # fmt: skip
