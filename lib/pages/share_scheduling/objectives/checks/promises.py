"""Claims of `thesis`, Section 2.4: which shares a group is promised, in the whole system and in a part of it."""

import functools
import itertools
from collections import Counter

import numpy as np

from clustershare.delivery import deliver
from clustershare.partitions import full_partition, one_to_one_partition, partition, partitioned_feasible_share
from clustershare.shares import State, feasible_group_share, maximum_feasible_group_share
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import larger
from compendium.press.findings import check, difference, erratum, finding, listed, over_domain
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.systems import EXACT, SYSTEM, random_capacities, random_jobs
from pages.share_scheduling.objectives.witnesses import fits_without_migration

JOBS = (0, 1, 2, 3)


@check("thesis-2-016", capacities=(1, 1, 1))
def targets_of_the_examples(capacities=SYSTEM):
    """f by (2.26) and fbar by (2.24), in the examples of cases 2 and 3."""
    printed = [(0.4, 0.4, 0.2), (0.375, 0.375, 0.25)]
    found = [feasible_group_share(r, [1, 1, 1], len(capacities)) for r in printed]
    bars = [maximum_feasible_group_share(r, [1, 1, 1], capacities) for r in printed]
    return erratum(f"f = {listed(found[0])} and {listed(found[1])}; fbar = {listed(bars[0])} and {listed(bars[1])}",
                   difference(found, printed) < EXACT, difference(bars, printed) < EXACT)  # fmt: skip


@check("thesis-2-022", processors=4)
def one_processor(processors=1):
    """The largest promise that holds whatever the others do: with all of them there, and with some, by the program."""
    rng, gap = np.random.default_rng(22), 0.0
    for _ in range(500):
        own, G = rng.uniform(0.001, 0.999), rng.integers(2, 6)
        jobs = int(10 ** rng.uniform(0, 3)) if rng.random() < 0.8 else 0
        others = rng.dirichlet(np.ones(G - 1)) * (1 - own)
        share = feasible_group_share(own, jobs, processors)
        # Tight with all others there: no more can be promised. With fewer of them there is room.
        all_there = deliver([share, *others], [0] * jobs + list(range(1, G)), [1.0]).margin
        some = others[rng.random(G - 1) < 0.5]
        room = deliver([share, *some], [0] * min(jobs, 9) + list(range(1, 1 + len(some))), [1.0]).margin
        gap = max(gap, abs(all_there), -room, abs(share - own * (jobs > 0)))
    return finding("0 or r" if gap < EXACT else f"up to {gap:.2f} away", gap < EXACT)


@check("thesis-2-024", homogeneous=False)
def alike_when_homogeneous(homogeneous=True):
    """f against the smaller of r and what the group's jobs can have, by the program."""
    rng, gap = np.random.default_rng(24), 0.0
    for _ in range(500):
        P, own = rng.integers(1, 9), rng.uniform(0.001, 0.999)
        jobs, speeds = int(rng.integers(0, 3 * P + 1)), random_capacities(rng, P, homogeneous)
        most = deliver([0.0], [0] * jobs, speeds).margin if jobs else 0.0
        gap = max(gap, abs(feasible_group_share(own, jobs, P) - min(own, most)))
    return finding("equal" if gap < EXACT else f"up to {gap:.2f} apart", gap < EXACT)


@check("thesis-2-026", processors=2)
def shares_of_the_whole(processors=3):
    found = [feasible_group_share(r, JOBS, processors) for r in (0.5, 0.25, 0.25)]
    printed = [[0, 0.33, 0.5, 0.5], [0, 0.25, 0.25, 0.25], [0, 0.25, 0.25, 0.25]]
    return finding(f"group 1: {listed(found[0])}; others: {listed(found[1])}", difference(found, printed) <= 0.005)


@check("thesis-2-027", own=((1, 2), (0,), (0,)))
def shares_of_the_parts(own=((0,), (1,), (2,))):
    found = [partitioned_feasible_share(r, JOBS, mine, SYSTEM) for r, mine in zip((0.5, 0.25, 0.25), own)]
    printed = [[0, 0.5, 0.5, 0.5], [0, 0.25, 0.25, 0.25], [0, 0.25, 0.25, 0.25]]
    return finding(f"group 1: {listed(found[0])}; others: {listed(found[1])}", difference(found, printed) < EXACT)


@check("thesis-2-028", capacities=(3, 1, 1))
def partitions_of_the_example(capacities=SYSTEM):
    own, parts = one_to_one_partition((0.5, 0.25, 0.25), capacities), full_partition((0.5, 0.5), capacities)
    return finding(
        f"one to one {own}; in two parts {parts}; the first found {partition((0.5, 0.25, 0.25), capacities)}",
        own == (0, 1, 2) and parts == [(0,), (1, 2)],
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


def delivered(required, jobs, capacities):
    """Whether some placement of the jobs, which do not migrate, gives every group its feasible share (2.26)."""
    wanted = feasible_group_share(required, jobs, len(capacities))
    return fits_without_migration(wanted, jobs, capacities)


@check("thesis-2-055", exchanged=True)
def easier_in_parts(exchanged=False):
    """The same processors and jobs with two kinds of shares: whether a placement delivers; or the kinds exchanged."""
    easier, always, parts = [], [], {}
    for groups, alike in itertools.product((2, 3), (True, False)):
        rng, counts = np.random.default_rng([55, groups, alike]), np.zeros(2, int)
        for _ in range(150):
            processors = int(rng.integers(max(groups, 3 if alike else 2), 5))
            capacities = np.ones(processors) if alike else whole_capacities(rng, processors, 4)
            while not alike and np.ptp(capacities) == 0:
                capacities = whole_capacities(rng, processors, 4)
            jobs = rng.integers(0, processors + 2, groups)
            fitting, sizes = shares_of_sets(rng, capacities, groups)
            other = rng.dirichlet(np.ones(groups))
            if partition(other, capacities) is not None:
                raise ArithmeticError("Random shares are what sets of processors have.")
            found = [delivered(required, jobs, capacities) for required in (fitting, other)]
            counts += found[::-1] if exchanged else found
            if (jobs >= sizes).all():
                always.append(found[exchanged])
        easier.append((counts[0] - counts[1]) / 150)
        parts[f"{groups} groups, {'homogeneous' if alike else 'heterogeneous'}"] = counts / 150
    return conclude(
        at_each("of 150 states, the part that can be delivered in partitionable systems less that in others",
                exact(easier, as_it_stands=True, sort=tuple(parts)), larger()),
        everywhere("with jobs for all processors of its own each group obtains its share", exact(always, state=None)),
        aside("the part in partitionable systems", exact([a for a, _ in parts.values()], sort=tuple(parts))),
    )  # fmt: skip


def least_jobs(required, own, capacities):
    """The fewest jobs with which a group is promised all that it requires, within its part."""
    promised = partitioned_feasible_share(required, range(len(own) + 1), own, capacities)
    return int(np.argmax(promised >= required - EXACT))


@check("thesis-2-029", capacities=(1, 1, 1, 1))
def requirement_broken(capacities=SYSTEM):
    """Two groups that require the same, each with its part: do both reach it with the same number of jobs?

    In the example, and in 100 systems whose halves have different numbers of processors.
    """
    rng, systems = np.random.default_rng(29), [(capacities, full_partition((0.5, 0.5), capacities))]
    for _ in range(100):
        sizes = sorted(rng.choice(4, 2, replace=False) + 1)
        speeds = np.concatenate([rng.dirichlet(np.full(size, 20.0)) for size in sizes])
        order = np.argsort(-speeds, kind="stable")
        own = [tuple(np.flatnonzero(order < sizes[0]).tolist()), tuple(np.flatnonzero(order >= sizes[0]).tolist())]
        systems.append((speeds[order], own))
    found = []
    for speeds, own in systems:
        few, many = sorted(own, key=len)
        promised = [partitioned_feasible_share(0.5, range(9), part, speeds) for part in (few, many)]
        ahead = (promised[0] >= promised[1] - EXACT).all() and (promised[0] > promised[1] + EXACT).any()
        found.append(least_jobs(0.5, few, speeds) != least_jobs(0.5, many, speeds) and ahead)
    jobs = [least_jobs(0.5, part, capacities) for part in systems[0][1]]
    return finding(f"in the example {jobs[0]} and {jobs[1]} jobs; different, and one ahead, in {sum(found[1:])} of 100",
                   all(found))  # fmt: skip


@check("thesis-2-030", capacities=(1, 1, 1, 1), required=(0.5, 0.25, 0.25))
def section_of_the_alternative(capacities=SYSTEM, required=(0.5, 0.25, 0.25)):
    """Which definition lets group 1 reach its share with fewer jobs: that of Section 2.4.4, or that of 2.4.5?

    The control is homogeneous: both ask for the same number.
    """
    own = full_partition(required, capacities)[0]
    whole = int(np.argmax(feasible_group_share(required[0], JOBS, len(capacities)) >= required[0] - EXACT))
    part = least_jobs(required[0], own, capacities)
    return erratum(f"with (2.26) of Section 2.4.4 {whole} jobs, within its part as in Section 2.4.5 {part}",
                   whole == 1, part < whole)  # fmt: skip


@functools.cache
def most_of_alike(jobs, processors):
    """The most that so many jobs can have together of like processors, of all capacity, by the linear program."""
    return deliver([0.0], [0] * int(jobs), np.ones(processors)).margin if jobs else 0.0


@check("thesis-2-038", bar=True)
def what_promises_depend_on(bar=False):
    """Capacities scaled, and others of the same sum; and other numbers of processors. The control takes (2.24).

    What is promised is what a group can have at most where processors are alike, by the linear program.
    """
    rng, moved, off = np.random.default_rng(38), {"scale": 0.0, "capacities": 0.0, "processors": 0.0}, 0.0
    for _ in range(200):
        P, G = rng.integers(2, 7), rng.integers(2, 5)
        speeds = random_capacities(rng, P)
        required, jobs = random_jobs(rng, G, P + 1)

        def promised(capacities, required=required, jobs=jobs):
            state = State(capacities, required, members(jobs), np.zeros((sum(jobs), len(capacities))))
            return state.maximum_feasible_group_shares if bar else state.feasible_group_shares

        before, other = promised(speeds), random_capacities(rng, P)
        off = max(off, difference(before, [min(share, most_of_alike(n, P)) for share, n in zip(required, jobs)]))
        for name, systems in {
            "scale": [speeds * factor for factor in (0.5, 2, 10)], "capacities": [other * speeds.sum() / other.sum()],
            "processors": [np.full(P - 1, speeds.sum() / (P - 1)), np.full(P - 1, speeds.mean())],
        }.items():  # fmt: skip
            moved[name] = max(moved[name], *(difference(before, promised(system)) for system in systems))
    said = {name: value > 1e-12 for name, value in moved.items()}
    return erratum(
        "changed by " + (" and ".join(name for name, yes in said.items() if yes) or "nothing") + ", not by "
        + (" and ".join(name for name, yes in said.items() if not yes) or "anything else"),
        said["scale"] or said["capacities"], said["processors"] and (bar or off < EXACT),
    )  # fmt: skip


@check("thesis-2-044", definition=lambda r, jobs, c: np.minimum(r, np.asarray(jobs)) * c[-1] / np.sum(c))
def requirements_met(definition=maximum_feasible_group_share):
    """(2.24), and in the control the share that the slowest processor guarantees."""
    rng, above, falls, short = np.random.default_rng(44), 0.0, 0.0, 0.0
    for trial in range(1000):
        P = rng.integers(1, 7)
        speeds = random_capacities(rng, P, trial % 4 == 0)
        r, N = np.sort(rng.uniform(0.001, 0.999, 8))[:, None], np.arange(3 * P + 1)
        share = definition(r, N, speeds)
        if trial < 60:
            most = np.array([deliver([0.0], [0] * n, speeds).margin if n else 0.0 for n in N])
            above = max(above, (share - most).max(), -share.min())
        falls = max(falls, -np.diff(share, axis=0).min(), -np.diff(share, axis=1).min())
        short = max(short, difference(share[:, P:], np.broadcast_to(r, share[:, P:].shape)))
    off = [value if value > 1e-12 else 0.0 for value in (above, falls, short)]
    return finding("above what can be had by {:.2g}, falling by {:.2g}, short of r with P jobs by {:.2g}".format(*off),
                   not any(off))  # fmt: skip


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
    said = "; ".join(
        f"{'homogeneous' if kind else 'heterogeneous'}: fewer for {found[0]:.2f} of the groups, as many for "
        f"{found[1]:.2f}, more for {found[2]:.2f}; for some group in {found[3]:.2f} of the systems"
        for kind, found in share_of.items()
    )
    return over_domain(said, [found[0] > 0.5 for found in share_of.values()])
