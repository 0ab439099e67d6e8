"""Claims of `thesis`, Section 2.4: which shares a group is promised, in the whole system and in a part of it."""

import functools
import itertools
from collections import Counter

import numpy as np

from clustershare.delivery import deliver
from clustershare.partitions import full_partition, one_to_one_partition, partition, partitioned_feasible_share
from clustershare.shares import State, feasible_group_share, maximum_feasible_group_share
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, fact, mended, somewhere
from compendium.press.clauses.conditions import at_least, at_most, equal, larger
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.printed import in_the_text
from pages.share_scheduling.objectives.systems import EXACT, JOBS, SYSTEM, drawn, least_jobs, random_capacities, systems


@check("thesis-2-016", capacities=(1, 1, 1))
def targets_of_the_examples(capacities=SYSTEM):
    """f by (2.26) and fbar by (2.24), in the examples of cases 2 and 3."""
    printed = [(0.4, 0.4, 0.2), (0.375, 0.375, 0.25)]
    return mended(
        in_the_text("f is", [feasible_group_share(r, [1, 1, 1], len(capacities)) for r in printed], printed),
        in_the_text("fbar is", [maximum_feasible_group_share(r, [1, 1, 1], capacities) for r in printed], printed),
    )


@check("thesis-2-022", processors=4)
def one_processor(processors=1):
    """The largest promise that holds whatever the others do: with all of them there, and with some, by the program."""

    def promise(rng, _):
        own, G = rng.uniform(0.001, 0.999), rng.integers(2, 6)
        jobs = int(10 ** rng.uniform(0, 3)) if rng.random() < 0.8 else 0
        others = rng.dirichlet(np.ones(G - 1)) * (1 - own)
        share = feasible_group_share(own, jobs, processors)
        # Tight with all others there: no more can be promised. With fewer of them there is room.
        all_there = deliver([share, *others], [0] * jobs + list(range(1, G)), [1.0]).margin
        some = others[rng.random(G - 1) < 0.5]
        room = deliver([share, *some], [0] * min(jobs, 9) + list(range(1, 1 + len(some))), [1.0]).margin
        return max(abs(all_there), -room, abs(share - own * (jobs > 0)))

    gap = drawn("system", 500, 22).measure(promise)
    return conclude(everywhere("the promise, the most that can be promised, and 0 or r", gap, equal(EXACT)))


@check("thesis-2-024", homogeneous=False)
def alike_when_homogeneous(homogeneous=True):
    """f against the smaller of r and what the group's jobs can have, by the program."""

    def gap(rng, _):
        P, own = rng.integers(1, 9), rng.uniform(0.001, 0.999)
        jobs, speeds = int(rng.integers(0, 3 * P + 1)), random_capacities(rng, P, homogeneous)
        most = deliver([0.0], [0] * jobs, speeds).margin if jobs else 0.0
        return feasible_group_share(own, jobs, P) - min(own, most)

    return conclude(everywhere("(2.26) and the most of r that jobs can have", drawn("system", 500, 24).measure(gap),
                               equal(EXACT)))  # fmt: skip


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


@check("thesis-2-030", capacities=(1, 1, 1, 1), required=(0.5, 0.25, 0.25))
def section_of_the_alternative(capacities=SYSTEM, required=(0.5, 0.25, 0.25)):
    """Which definition lets group 1 reach its share with fewer jobs: that of Section 2.4.4, or that of 2.4.5?

    The control is homogeneous: both ask for the same number.
    """
    own = full_partition(required, capacities)[0]
    whole = int(np.argmax(feasible_group_share(required[0], JOBS, len(capacities)) >= required[0] - EXACT))
    part = least_jobs(required[0], own, capacities)
    return mended(
        in_the_text("with (2.26) of Section 2.4.4 the number of jobs is", whole, 1),
        everywhere(
            f"what it is less than {whole} by within a part, as in Section 2.4.5,", exact(whole - part), larger()
        ),
    )


@functools.cache
def most_of_alike(jobs, processors):
    """The most that so many jobs can have together of like processors, of all capacity, by the linear program."""
    return deliver([0.0], [0] * int(jobs), np.ones(processors)).margin if jobs else 0.0


@check("thesis-2-038", bar=True)
def what_promises_depend_on(bar=False):
    """Capacities scaled, and others of the same sum; and other numbers of processors. The control takes (2.24).

    What is promised is what a group can have at most where processors are alike, by the linear program.
    """
    rng = np.random.default_rng(38)

    def moved(speeds, required, jobs):
        def promised(capacities):
            state = State(capacities, required, members(jobs), np.zeros((sum(jobs), len(capacities))))
            return state.maximum_feasible_group_shares if bar else state.feasible_group_shares

        P, before, other = len(speeds), promised(speeds), random_capacities(rng, len(speeds))
        changed = {
            "scale": [speeds * factor for factor in (0.5, 2, 10)], "capacities": [other * speeds.sum() / other.sum()],
            "number": [np.full(P - 1, speeds.sum() / (P - 1)), np.full(P - 1, speeds.mean())],
        }  # fmt: skip
        known = [min(share, most_of_alike(n, P)) for share, n in zip(required, jobs)]
        return {"known": difference(before, known)} | {
            name: max(difference(before, promised(system)) for system in others) for name, others in changed.items()
        }

    found = systems(200, 38, processors=(2, 6), groups=(2, 4), jobs=lambda P: P + 1).measure(moved)
    of_capacities = exact([found[name].value.max() for name in ("scale", "capacities")], cause=("scale", "capacities"))
    known = [] if bar else [everywhere("promises and the most of like processors", found["known"], equal(EXACT))]
    return mended(
        somewhere("what a change of the capacities changes of a promise", of_capacities, larger(EXACT)),
        somewhere("what another number of processors changes of it", found["number"], larger(EXACT)),
        *known,
    )


@check("thesis-2-044", definition=lambda r, jobs, c: np.minimum(r, np.asarray(jobs)) * c[-1] / np.sum(c))
def requirements_met(definition=maximum_feasible_group_share):
    """(2.24), and in the control the share that the slowest processor guarantees."""

    def off(rng, trial):
        P = rng.integers(1, 7)
        speeds = random_capacities(rng, P, trial % 4 == 0)
        r, N = np.sort(rng.uniform(0.001, 0.999, 8))[:, None], np.arange(3 * P + 1)
        share = definition(r, N, speeds)
        most = [deliver([0.0], [0] * n, speeds).margin if n else 0.0 for n in N] if trial < 60 else 1.0
        return {
            "what is promised above the most that can be had": max((share - most).max(), -share.min()),
            "a fall in jobs or required shares": -min(np.diff(share, axis=0).min(), np.diff(share, axis=1).min()),
            "what is short of r with P jobs": difference(share[:, P:], np.broadcast_to(r, share[:, P:].shape)),
        }

    found = drawn("system", 1000, 44).measure(off)
    return conclude(*(everywhere(what, points, at_most(0)) for what, points in found.items()), whole=True)


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


PARTS = ("of groups that need fewer", "of those that need as many", "of those that need more",
         "of systems where some group needs fewer")  # fmt: skip


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
