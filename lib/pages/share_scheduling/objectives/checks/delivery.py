"""Claims of `thesis`, Sections 2.3 and 2.4: which shares can be promised, and which can be delivered."""

import functools
import itertools
from collections import Counter

import numpy as np

from clustershare.delivery import deliver
from clustershare.partitions import full_partition, one_to_one_partition, partition, partitioned_feasible_share
from clustershare.shares import (
    State,
    feasible_group_share,
    maximum_feasible_group_share,
    maximum_obtainable_share,
)
from compendium.press.claims import check, difference, erratum, finding, listed
from pages.share_scheduling.objectives import complications
from pages.share_scheduling.objectives.systems import EXACT, SYSTEM, random_capacities, random_jobs
from pages.share_scheduling.objectives.witnesses import fits_on, fits_with_migration, fits_without_migration, played

MEMBERS = complications.members
JOBS = (0, 1, 2, 3)


def average(required, jobs, capacities):
    """(2.26), as a function of the same arguments as (2.24)."""
    return feasible_group_share(required, jobs, len(capacities))


def delivered(targets, jobs, capacities):
    """Whether the program delivers the targets with migration, and its weights do so when played."""
    found = deliver(targets, MEMBERS(jobs), capacities)
    if found.margin < -EXACT or not sum(jobs):
        return found.margin >= -EXACT
    shares = played(found.weights, capacities) / np.sum(capacities)
    return bool((np.bincount(MEMBERS(jobs), shares, len(jobs)) >= np.array(targets) - EXACT).all())


@functools.cache
def cases_of_rates(processors):
    """Rates of jobs at random, on the boundary of (2.20) with j, and 1e-6 to either side: can they be had?

    By the program, whose weights are played. Each row is the rates, the capacities and the answer.
    """
    rng, rows = np.random.default_rng(11), []
    for _ in range(125):
        speeds, J = random_capacities(rng, rng.integers(1, processors + 1)), rng.integers(1, 9)
        rates = np.sort(rng.dirichlet(np.ones(J)) * speeds.sum())[::-1]
        bounds = maximum_obtainable_share(np.arange(1, J + 1), speeds) * speeds.sum()
        edge = (bounds / rates.cumsum()).min()
        for scale in (rng.uniform(0.6, 1), edge, edge * (1 - 1e-6), edge * (1 + 1e-6)):
            wanted = rates * scale
            found = deliver(np.minimum(wanted / speeds.sum(), 1), range(J), speeds)
            possible = found.margin >= -EXACT and wanted[0] <= speeds.sum() * (1 + EXACT)
            if possible and (played(found.weights, speeds) < wanted - EXACT * speeds.sum()).any():
                raise ArithmeticError("The schedule does not deliver what the program promised.")
            rows.append((wanted, speeds, bool(possible)))
    return rows


def rates_that_fit(reading, processors=6):
    """How often the condition of (2.20), so read, and the program with its schedule answer differently."""
    wrong = 0
    for rates, speeds, possible in cases_of_rates(processors):
        J, P = len(rates), len(speeds)
        upper = {"j": range(1, J + 1), "first": [1] * J, "last": [J] * J, "total": [J] * J}[reading]
        sums = np.cumsum(rates) if reading != "total" else np.full(J, rates.sum())
        bounds = np.array([speeds[: min(k, P)].sum() for k in upper])
        wrong += bool((sums <= bounds + EXACT * speeds.sum()).all()) != possible
    return wrong


@check("thesis-2-011", reading="total")
def rates_of_jobs(reading="j"):
    """The control asks for the total only."""
    wrong = rates_that_fit(reading)
    return finding(f"condition and schedule differ in {wrong} of 500 cases", wrong == 0)


@check("thesis-2-012", processors=1)
def index_of_the_bound(processors=6):
    """k has no value on the right of (2.20): the first and the last of the sum are tried, and j."""
    first, last, right = (rates_that_fit(reading, processors) for reading in ("first", "last", "j"))
    return erratum(
        f"cases decided wrongly, of 500: {first} and {last} with k as the first and the last, {right} with j",
        min(first, last) == 0, right == 0,
    )  # fmt: skip


@check("thesis-2-016", capacities=(1, 1, 1))
def targets_of_the_examples(capacities=SYSTEM):
    """f by (2.26) and fbar by (2.24), in the examples of cases 2 and 3."""
    printed = [(0.4, 0.4, 0.2), (0.375, 0.375, 0.25)]
    found = [average(r, [1, 1, 1], capacities) for r in printed]
    bars = [maximum_feasible_group_share(r, [1, 1, 1], capacities) for r in printed]
    return erratum(f"f = {listed(found[0])} and {listed(found[1])}; fbar = {listed(bars[0])} and {listed(bars[1])}",
                   difference(found, printed) < EXACT, difference(bars, printed) < EXACT)  # fmt: skip


@check("thesis-2-017", target=average)
def two_processors(target=maximum_feasible_group_share):
    """The control takes (2.26) in the place of (2.24): nothing is missed anywhere."""
    rng, missed = np.random.default_rng(17), {"P = 2": 0, "homogeneous": 0, "one group": 0}
    for kind in missed:
        for _ in range(500):
            P = 2 if kind == "P = 2" else rng.integers(1, 7)
            speeds = random_capacities(rng, P, kind == "homogeneous")
            required, jobs = random_jobs(rng, 1 if kind == "one group" else rng.integers(1, 6), P + 2)
            missed[kind] += not delivered(target(required, jobs, speeds), jobs, speeds)
    never = []
    for G, P in itertools.product((2, 3, 4), (3, 4, 5, 6)):
        for _ in range(2000):
            speeds = random_capacities(rng, P)
            required, jobs = random_jobs(rng, G, P + 2)
            wanted = target(required, jobs, speeds)
            if not fits_with_migration(wanted, jobs, speeds) and not delivered(wanted, jobs, speeds):
                break
        else:
            never.append((G, P))
    said = ", ".join(f"{count} of 500 ({kind})" for kind, count in missed.items())
    return finding(
        f"missed in {said}; heterogeneous with 2 to 4 groups and 3 to 6 processors: {12 - len(never)} of 12 pairs",
        not any(missed.values()) and not never,
    )


@check("thesis-2-018", weights=np.eye(3))
def weights_of_case_3(weights=((0.5, 0.5, 0), (0.5, 0.5, 0), (0, 0, 1))):
    required = (0.375, 0.375, 0.25)
    state = State(SYSTEM, required, [0, 1, 2], weights)
    return finding(listed(state.obtained_group_shares), difference(state.obtained_group_shares, required) < EXACT)


@check("thesis-2-019", required=(0.5, 0.25, 0.25))
def no_placement(required=(0.375, 0.375, 0.25)):
    """All 27 placements, each by the linear program, and the best by branch and bound."""
    who = [0, 1, 2]
    margins = [
        deliver(required, who, SYSTEM, placement=placement).margin
        for placement in itertools.product(range(3), repeat=3)
    ]
    best = deliver(required, who, SYSTEM, migration=False).margin
    if abs(best - max(margins)) > 1e-6:
        raise ArithmeticError(f"best placement {max(margins)}, branch and bound {best}")
    return finding(f"the best of 27 placements leaves a group {max(0.0, -best):.4f} short", best < -1e-6)


@check("thesis-2-020", homogeneous=False)
def fit_of_two_groups(homogeneous=True):
    """Without migration: two groups, by all placements over a grid and at random, and three."""
    rng = np.random.default_rng(20)

    def arises(required, jobs, speeds):
        wanted = maximum_feasible_group_share(required, jobs, speeds)
        if fits_without_migration(wanted, jobs, speeds) or not fits_with_migration(wanted, jobs, speeds):
            return False
        fits = deliver(wanted, MEMBERS(jobs), speeds).feasible
        if not fits or deliver(wanted, MEMBERS(jobs), speeds, migration=False).feasible:
            raise ArithmeticError("Placements and program do not agree.")
        return True

    tried, two, three = 0, None, None
    for P in (2, 3, 4):
        for twentieths, a, b in itertools.product(range(1, 20), range(P + 3), range(P + 3)):
            speeds = random_capacities(rng, P, homogeneous)
            for share in (twentieths / 20, rng.uniform(0.001, 0.999)):
                tried += 1
                if two is None and arises((share, 1 - share), (a, b), speeds):
                    two = P
    for _ in range(500):
        P = rng.integers(2, 5)
        required, jobs = random_jobs(rng, 3, P + 2)
        if arises(required, jobs, random_capacities(rng, P, homogeneous)):
            three = P
            break
    searched = [complications.find(3, groups, 2, homogeneous, migration=False) is not None for groups in (2, 3)]
    if homogeneous and searched != [two is not None, three is not None]:
        raise ArithmeticError("Table 2.1 is searched otherwise.")
    kind = "homogeneous" if homogeneous else "heterogeneous"
    return erratum(f"{kind}: {'found' if two else f'none in {tried}'} with 2 groups, {'found' if three else 'none'} "
                   "with 3", two is not None, two is None and three is not None)  # fmt: skip


@check("thesis-2-021", placement=(1, 0, 2))
def left_behind(placement=(0, 1, 2)):
    """Job 1 has gone; the others stay where they are, or are placed anew."""
    required = (0.375, 0.375, 0.25)
    here = deliver(required[1:], [0, 1], SYSTEM, placement=placement[1:])
    state = State(SYSTEM, required, [1, 2], np.eye(3)[list(placement[1:])])
    anew = deliver(required[1:], [0, 1], SYSTEM, migration=False)
    share = state.obtained_group_shares[1]
    return finding(f"group 2 obtains {share:g} of {required[1]:g}; anew all could: {anew.feasible}",
                   share < required[1] and not here.feasible and anew.feasible)  # fmt: skip


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


@check("thesis-2-023", migration=False)
def always_delivered(migration=True):
    """(2.28), and f by the program, played; in the control by all placements."""
    rng, gap, missed = np.random.default_rng(23), 1.0, 0
    for trial in range(1000):
        P = rng.integers(1, 7)
        speeds = random_capacities(rng, P, trial % 3 == 0)
        required, jobs = random_jobs(rng, rng.integers(1, 6), 2 * P)
        gap = min(gap, (np.cumsum(speeds) / speeds.sum() - np.arange(1, P + 1) / P).min())
        wanted = feasible_group_share(required, jobs, P)
        missed += not (delivered if migration else fits_without_migration)(wanted, jobs, speeds)
    return finding(f"(2.28) {'holds' if gap > -1e-12 else 'fails'}; f missed in {missed} of 1000 systems",
                   gap > -1e-12 and missed == 0)  # fmt: skip


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


def local_weights(required, there, policy):
    """What a job of each group gets of each processor where so many stand, shape (groups, processors)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = there if policy == "PS" else np.array(required)[:, None] * (there > 0)
        return np.where(there > 0, parts / parts.sum(axis=0) / there, 0.0)


def left_on_the_slowest(required, fractions, jobs, policy):
    """Shares at the end of a run: jobs stand everywhere, and those on the faster processors have less to do."""
    there = np.repeat(np.array(jobs)[:, None], len(fractions), axis=1)
    work = np.random.default_rng(25).exponential(size=there.shape) + 0.1  # of each group's jobs on a processor
    work[:, -1] = np.inf
    while there[:, :-1].any():
        rates = local_weights(required, there, policy) * fractions
        with np.errstate(divide="ignore", invalid="ignore"):
            until = np.where(there > 0, work / rates, np.inf)
        work = work - rates * until[:, :-1].min()
        there[until == until[:, :-1].min()] = 0
    return (local_weights(required, there, policy) * there * fractions).sum(axis=1)


@check("thesis-2-025", policy="PS")
def worst_placement(policy="GPPS"):
    """All placements of one to three jobs of each group, by their numbers on the processors; and a run that ends so."""
    rng, gap = np.random.default_rng(25), 0.0
    for _ in range(100):
        P, G = rng.integers(2, 5), rng.integers(2, 5)
        fractions = random_capacities(rng, P)
        fractions = fractions / fractions.sum()
        required, jobs = random_jobs(rng, G, 3, least=1)
        options = [[o for o in itertools.product(range(n + 1), repeat=P) if sum(o) == n] for n in jobs]
        picked = np.meshgrid(*[range(len(option)) for option in options], indexing="ij")
        there = np.stack([np.array(option)[pick.ravel()] for option, pick in zip(options, picked)], axis=1)
        parts = there if policy == "PS" else required[:, None] * (there > 0)
        share = (parts / np.maximum(parts.sum(axis=1, keepdims=True), 1e-300) * fractions).sum(axis=2)
        gap = max(gap, difference(share.min(axis=0), required * fractions[-1]))
        gap = max(gap, difference(left_on_the_slowest(required, fractions, jobs, policy), required * fractions[-1]))
    return finding("the least is r c_P/c" if gap < EXACT else f"up to {gap:.2f} apart", gap < EXACT)


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


@check("thesis-2-035", migration=False)
def all_objectives(migration=True):
    """No loss, no group short, and equal jobs: by the program, with the jobs of a group taking turns, played."""
    rng, met, worst = np.random.default_rng(35), 0, 0.0
    for trial in range(500):
        P = rng.integers(1, 7)
        speeds = random_capacities(rng, P, trial % 2 == 0)
        required, jobs = random_jobs(rng, rng.integers(1, 6), 2 * P, least=1)
        who, wanted = np.array(MEMBERS(jobs)), feasible_group_share(required, jobs, P)
        if not migration:
            met += fits_without_migration(wanted, jobs, speeds)
            continue
        found = deliver(wanted, who, speeds, lossless=True)
        turns = np.array([found.weights[who == group].mean(axis=0) for group in who])
        obtained = played(turns, speeds) / speeds.sum()
        state = State(speeds, required, who, np.clip(turns, 0, None))
        off = max(state.group_share_deviations.max(), abs(state.capacity_loss), state.job_share_deviations.max(),
                  difference(obtained, state.obtained_job_shares))  # fmt: skip
        met, worst = met + (off < EXACT), max(worst, off)
    return finding(f"all three met in {met} of 500 systems", met == 500)


COLUMNS = {**dict.fromkeys(complications.ARCHITECTURES, (2, 3, 4)), "P = 1": (1,)}  # processors


def printed_cell(case, column, groups, processors):
    """Whether Table 2.1 as printed has a mark for so many groups and processors."""
    migrating = column in ("P = 1", "migration, hom.", "migration, het.")
    return {
        1: True, 2: "het." in column and groups > 1 and processors > 2, 3: not migrating and groups > 1,
        4: not migrating,
    }[case]  # fmt: skip


def cases_in(required, jobs, speeds, migration):
    """Which of the four cases arise with these jobs, by counting.

    Case 4: they fit, and they do not where they may be left after departures. Jobs of each group on all processors
    fit; so any placement may be left, the worst of which is all jobs on the slowest processor.
    """
    wanted = maximum_feasible_group_share(required, jobs, speeds)
    together = fits_with_migration(wanted, jobs, speeds)
    found = {1} if (wanted < np.array(required) - EXACT).any() else set()
    if not together:
        found.add(2)
    elif not migration:
        slowest = [1 << len(speeds) - 1 if n else 0 for n in jobs]
        if not fits_without_migration(wanted, jobs, speeds):
            found.add(3)
        elif not fits_on(wanted, slowest, np.array(speeds) / np.sum(speeds)):
            found.add(4)
    return found


@check("thesis-2-037", migration=True)
def table_of_cases(migration=False):
    """Table 2.1 cell by cell, for each number of groups and processors; the control lets jobs migrate everywhere."""
    rng, found = np.random.default_rng(37), set()
    for homogeneous, fixed in itertools.product((True, False), repeat=2):
        free = not fixed or migration
        for P, G in itertools.product((1, 2, 3, 4), repeat=2):
            name = "P = 1" if P == 1 else f"{'no ' * fixed}migration, {'hom.' if homogeneous else 'het.'}"
            wanted = {case for case in complications.CASES if printed_cell(case, name, G, P)}
            for trial in range(1500):
                if trial > 170 and wanted <= {cell[0] for cell in found if cell[1:] == (name, G, P)}:
                    break
                speeds = np.sort(rng.integers(1, 4, P))[::-1] if trial % 2 else random_capacities(rng, P)
                required, jobs = random_jobs(rng, G, P + 2)
                if trial % 2 and G > 1:  # in twentieths
                    required = (rng.multinomial(20 - G, required) + 1) / 20
                if not homogeneous and P > 1 and speeds[0] == speeds[-1]:
                    continue
                arise = cases_in(required, jobs, np.ones(P) if homogeneous else speeds, free)
                found |= {(case, name, G, P) for case in arise}
    cells = [(case, column, G, P) for case, (column, processors), G in
             itertools.product(complications.CASES, COLUMNS.items(), (1, 2, 3, 4)) for P in processors]  # fmt: skip
    wrong = {cell for cell in cells if printed_cell(*cell) != (cell in found)}
    known = {(3, "no migration, hom.", 2, P) for P in (2, 3, 4)}  # three groups are needed
    drawn = complications.table()
    shown = {(case, name) for name in drawn for case, cell in enumerate(drawn[name], 1) if cell != "–"}
    if not migration and shown != {cell[:2] for cell in found}:
        raise ArithmeticError("The page draws another table.")
    said = "; ".join(f"case {case}, {name}: {sorted({cell[2:] for cell in wrong if cell[:2] == (case, name)})}"
                     for case, name in sorted({cell[:2] for cell in wrong}))  # fmt: skip
    return erratum(f"{len(cells)} cells of groups and processors; other than printed, as (groups, processors): "
                   f"{said.translate(str.maketrans('', '', '[]')) or 'none'}", not wrong, wrong == known)  # fmt: skip


@check("thesis-2-038", bar=True)
def what_promises_depend_on(bar=False):
    """Capacities scaled, and others of the same sum; and other numbers of processors. The control takes (2.24)."""
    rng, moved = np.random.default_rng(38), {"scale": 0.0, "capacities": 0.0, "processors": 0.0}
    for _ in range(200):
        P, G = rng.integers(2, 7), rng.integers(2, 5)
        speeds = random_capacities(rng, P)
        required, jobs = random_jobs(rng, G, P + 1)

        def promised(capacities, required=required, jobs=jobs):
            state = State(capacities, required, MEMBERS(jobs), np.zeros((sum(jobs), len(capacities))))
            return state.maximum_feasible_group_shares if bar else state.feasible_group_shares

        before, other = promised(speeds), random_capacities(rng, P)
        for name, systems in {
            "scale": [speeds * factor for factor in (0.5, 2, 10)], "capacities": [other * speeds.sum() / other.sum()],
            "processors": [np.full(P - 1, speeds.sum() / (P - 1)), np.full(P - 1, speeds.mean())],
        }.items():  # fmt: skip
            moved[name] = max(moved[name], *(difference(before, promised(system)) for system in systems))
    said = {name: value > 1e-12 for name, value in moved.items()}
    return erratum(
        "changed by " + (" and ".join(name for name, yes in said.items() if yes) or "nothing") + ", not by "
        + (" and ".join(name for name, yes in said.items() if not yes) or "anything else"),
        said["scale"] or said["capacities"], said["processors"],
    )  # fmt: skip


@check("thesis-2-043", migration=True)
def placed_at_best(migration=False):
    """The targets (2.26) without migration, by all placements; what is missed is delivered with migration."""
    rng, missed = np.random.default_rng(43), Counter()
    for P, G in itertools.product((2, 3, 4), repeat=2):
        for trial in range(150):
            speeds = random_capacities(rng, P, trial % 2 == 0)
            required, jobs = random_jobs(rng, G, P + 2)
            if trial % 4 < 2:  # in twentieths
                required = (rng.multinomial(20 - G, required) + 1) / 20
            wanted = feasible_group_share(required, jobs, P)
            fits = fits_with_migration if migration else fits_without_migration
            if not fits(wanted, jobs, speeds):
                missed[trial % 2 == 0, G] += 1
                if not delivered(wanted, jobs, speeds):
                    raise ArithmeticError("Missed with migration.")
    said = ", ".join(f"{missed[True, G]} and {missed[False, G]}" for G in (2, 3, 4))
    return finding(f"missed with 2, 3, 4 groups, homogeneous and not, of 225 each: {said}", bool(missed))


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


@check("thesis-2-045", capacities=(2, 2, 1))
def best_in_case_2(capacities=SYSTEM):
    """Most for groups 1 and 2 alone, for the one that has less, and for both while group 3 has 0.2 only."""
    who, required = [0, 1, 2], (0.4, 0.4, 0.2)
    alone = [1 + deliver(np.eye(3)[g], who, capacities).margin for g in (0, 1)]
    both = deliver([0.4, 0.4, 0.0], who, capacities).margin >= -EXACT
    less = 1 + deliver([1.0, 1.0, 0.0], who, capacities).margin
    weights = np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]])
    best = played(weights, capacities) / sum(capacities)
    weights[2, 2] = 0.2 * sum(capacities) / capacities[2]
    taken = State(capacities, required, who, np.minimum(weights, 1))
    return finding(
        f"alone up to {listed(alone)}; both 0.4: {both}; the smaller at most {less:.6g}; played {listed(best)}; with "
        f"0.2 for group 3 {listed(taken.obtained_group_shares)} and a loss of {taken.capacity_loss:.6g}",
        min(alone) >= 0.4 and not both
        and difference([less, *best], [0.375, 0.375, 0.375, 0.25]) < EXACT
        and difference([*taken.obtained_group_shares, taken.capacity_loss], [0.375, 0.375, 0.2, 0.05]) < EXACT,
    )  # fmt: skip


@check("thesis-2-046", groups=(1,))
def fit_lost_at_a_departure(groups=(2, 3, 4)):
    """Does case 3 arise when a job leaves, or only when one comes? By all placements, and by the program."""
    rng = np.random.default_rng(46)

    def state_of(required, jobs, speeds):
        wanted = maximum_feasible_group_share(required, jobs, speeds)
        return fits_with_migration(wanted, jobs, speeds), fits_without_migration(wanted, jobs, speeds)

    found, tried = Counter(), 0
    for trial in range(600):
        P, G = rng.integers(2, 5), groups[trial % len(groups)]
        speeds = random_capacities(rng, P, trial % 2 == 0)
        required, jobs = random_jobs(rng, G, P + 2)
        if G > 1:
            required = (rng.multinomial(20 - G, required) + 1) / 20
        fits = state_of(required, jobs, speeds)
        for g in np.flatnonzero(jobs):
            fewer = state_of(required, jobs - (np.arange(G) == g), speeds)
            tried += 1
            found["arrival"] += fewer[1] and fits == (True, False)
            found["departure"] += fits[1] and fewer == (True, False)
    like, required = (1, 1), (0.4, 0.3, 0.3)
    fit = [
        deliver(maximum_feasible_group_share(required, jobs, like), MEMBERS(jobs), like, migration=free).feasible
        for jobs, free in (((2, 1, 1), False), ((1, 1, 1), False), ((1, 1, 1), True))
    ]
    return erratum(
        f"of {tried} pairs of states, at an arrival {found['arrival']}, at a departure {found['departure']}; with "
        f"c = (1, 1) and r = (0.4, 0.3, 0.3) jobs (2, 1, 1) fit: {fit[0]}, (1, 1, 1): {fit[1]}; if they migrate: "
        f"{fit[2]}",
        not found["departure"], found["arrival"] > 0 and fit == [True, False, True],
    )  # fmt: skip


@check("thesis-2-047", exchanged=True)
def heterogeneous_does_as_well(exchanged=False):
    """Rates on the boundary of what like processors can do, on unlike ones; the control exchanges them."""
    rng, missed = np.random.default_rng(47), 0
    for _ in range(500):
        P, J = rng.integers(2, 7), rng.integers(1, 11)
        unlike = random_capacities(rng, P)
        like = np.full(P, unlike.mean())
        first, second = (unlike, like) if exchanged else (like, unlike)
        rates = np.sort(rng.dirichlet(np.ones(J)))[::-1]
        rates *= (maximum_obtainable_share(np.arange(1, J + 1), first) / rates.cumsum()).min()
        missed += not delivered(np.minimum(rates, 1), np.ones(J, dtype=int), second)
    return finding(f"missed in {missed} of 500 cases", missed == 0)


@check("thesis-2-048", total=1.0)
def rate_or_share(total=None):
    """All jobs on the slowest processor under GPPS, played: is r c_P/c their rate, or their share?"""
    rng, gaps, below = np.random.default_rng(48), np.zeros(2), True
    for _ in range(100):
        P, G = rng.integers(2, 7), rng.integers(2, 5)
        speeds = random_capacities(rng, P)
        speeds *= (total or 10 ** rng.uniform(np.log10(0.5), np.log10(20))) / speeds.sum()
        required, jobs = random_jobs(rng, G, 3, least=1)
        who, weights = np.array(MEMBERS(jobs)), np.zeros((jobs.sum(), P))
        weights[:, -1] = (required / jobs)[who]
        rates = np.bincount(who, played(weights, speeds))
        said = required * speeds[-1] / speeds.sum()
        gaps = np.maximum(gaps, [difference(rates, said), difference(rates / speeds.sum(), said)])
        below &= bool((said < required).all())
    return erratum(
        f"as a rate up to {gaps[0]:.2f} off, as a share {'equal' if gaps[1] < EXACT else f'{gaps[1]:.2f} off'}; "
        f"below r {'in every system' if below else 'not always'}",
        gaps[0] < EXACT and below, gaps[1] < EXACT and below,
    )  # fmt: skip
