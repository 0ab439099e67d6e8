"""Claims of `thesis`, Section 5.5.2: what Horizontal Partitioning keeps, state by state, and what groups obtain."""

import functools
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np

from clustershare.dispatch import kernel
from clustershare.dispatch.central import LOCAL as RULES
from clustershare.dispatch.central import policy_of
from clustershare.dispatch.state import OBTAINED_SHARE, empty, of_groups
from compendium.press.clauses import aside, at_each, besides, cases, conclude, everywhere, exact, fact, grid, none
from compendium.press.clauses.conditions import at_least, at_most, equal, larger, smaller, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import spread
from pages.share_scheduling.central.points.by_case import CASES, LOSS
from pages.share_scheduling.central.points.by_chains import as_of_five_lengths
from pages.share_scheduling.central.printed.rules import Rules, changed_by, migration, outcomes
from pages.share_scheduling.central.systems import FRACTIONS
from pages.share_scheduling.central.witnesses.as_printed import chain_as_printed
from pages.share_scheduling.central.witnesses.compiled import Compiled
from pages.share_scheduling.central.witnesses.no_loss import by_library_chain
from pages.share_scheduling.central.witnesses.states import (
    every_state,
    in_group_balance,
    in_system_balance,
    without_loss,
)

SYSTEMS = ((2, 1), (2, 2), (2, 3), (3, 2))  # processors and groups
JOBS = 8
FEW = tuple((2, (Fraction(1, groups),) * groups) for groups in (2, 3))  # processors and required shares
MIGRATED = tuple(CASES)[1:]


def rules_of(processors, groups, *, policy="HP", moves=True, **other):
    """The printed rules; required shares do not matter to HP and JSQ under PS."""
    shares = (Fraction(1, max(groups, 2)),) * max(groups, 2)
    return Rules(policy, shares[:groups], processors, moves, **other)


@functools.cache
def compiled(processors, groups, policy="HP", moves=True):
    """The library's rules."""
    return Compiled(policy, (1 / groups,) * groups, processors, moves)


def departures_of(states):
    """All departures in some states: the state, the group, and the processor that the job leaves."""
    return [(jobs, g, p) for jobs in states for p, row in enumerate(jobs) for g, count in enumerate(row) if count]


@check("thesis-5-011", changed=("most in ties",))
def kept_at_arrivals(changed=()):
    """Arrivals in every state; the control breaks ties for the processor with most jobs."""
    broken = Counter()
    for P, G in SYSTEMS:
        rules = rules_of(P, G, changed=changed)
        for jobs in every_state(P, G, JOBS):
            idle = any(not any(row) for row in jobs)
            for g in range(G):
                printed = outcomes(rules, jobs, g)
                after = printed if changed else compiled(P, G).outcomes(jobs, g)
                broken["seen"] += 1
                broken["did otherwise than printed"] += after != printed
                broken["left idle processors alone"] += idle and any(_idle(new) == _idle(jobs) for new in after)
                broken["brought a loss"] += without_loss(jobs) and not all(map(without_loss, after))
                broken["broke group balance"] += in_group_balance(jobs) and not all(map(in_group_balance, after))
    seen = broken.pop("seen")
    return conclude(
        *(none(seen, "arrival", did, count) for did, count in broken.items()),
        chain_as_printed(("HP",), FEW, (False, True)),
        whole=True,
    )


def _idle(jobs):
    return sum(not any(row) for row in jobs)


@check("thesis-5-012", without=("M2",))
def kept_at_departures(without=()):
    """Departures from every state in group balance without loss; the control has no rule M2."""
    found = Counter()
    for P, G in SYSTEMS:
        rules = rules_of(P, G, without=without)
        good = [jobs for jobs in every_state(P, G, JOBS) if in_group_balance(jobs) and without_loss(jobs)]
        for jobs, g, p in departures_of(good):
            found["seen"] += 1
            after = outcomes(rules, jobs, g, p) if without else compiled(P, G).outcomes(jobs, g, p)
            left = compiled(P, G, moves=False).outcomes(jobs, g, p)
            found["broken"] += not all(in_group_balance(new) and without_loss(new) for new in after)
            found["balance"] += not all(map(in_group_balance, left))
            found["loss"] += not all(map(without_loss, left))
    lost = points.over(MIGRATED, lambda case: points.of(case, LOSS, True).at(policy="HP"))
    both = found["balance"] and found["loss"]
    return conclude(
        none(found["seen"], "departure", "ended group balance or brought a loss", found["broken"]),
        fact("without migration some do either", both, "without migration none does one of both"),
        *by_library_chain("HP"),
        chain_as_printed(("HP",), FEW, (False, True)),
        everywhere("the simulated loss with migration", lost, within(1e-9)),
        whole=True,
    )


@check("thesis-5-013", policy="JSQ")
def system_balance_is_not_kept(policy="HP"):
    """The state of the example; the control is JSQ."""
    jobs = ((0, 1, 1), (1, 0, 0))
    after = compiled(2, 3, policy).outcomes(jobs, 0)
    ((new, chance),) = after.items()
    return conclude(
        fact("the state is in both balances", in_system_balance(jobs) and in_group_balance(jobs),
             "the state is not in both balances"),
        fact("the job goes to the processor with more jobs", chance == 1 and new == changed_by(jobs, 0, 0, 1),
             "the job goes to the processor with fewer jobs"),
        fact("system balance ends", not in_system_balance(new), "system balance stays"),
        fact("the printed rules do the same", after == outcomes(rules_of(2, 3, policy=policy), jobs, 0),
             "the printed rules do otherwise"),
        chain_as_printed((policy,), FEW[1:], (False,)),
        aside("jobs on processors 1 and 2 then", exact([sum(row) for row in new], processor=(1, 2))),
        whole=True,
    )  # fmt: skip


@check("thesis-5-014", balance="system")
def more_jobs_of_a_group(balance="group"):
    """J_hp - J_hq in M1 and in M2 for all groups; the control begins with system balance."""
    balanced = {"group": in_group_balance, "system": in_system_balance}[balance]
    largest, other, every, seen = {"M1": 0, "M2": 0}, 0, 0, Counter()
    for P, G in SYSTEMS:
        rules = rules_of(P, G)
        for jobs, g, q in departures_of(every_state(P, G, JOBS)):
            every += 1
            other += outcomes(rules, jobs, g, q) != compiled(P, G).outcomes(jobs, g, q)
            left = changed_by(jobs, q, g, -1)
            name, choices = migration(rules, left, g, q) if balanced(jobs) else (None, ())
            if name is not None:
                seen[name] += 1
                gaps = [left[p][h] - left[q][h] for _, (_, p) in choices for h in range(G)]
                largest[name] = max(largest[name], *gaps)
    return conclude(
        everywhere("how many jobs more of a group may be on p than on q in M2", exact(largest["M2"]), at_most(2)),
        aside("in M1", exact(largest["M1"])),
        *(fact(f"{name} is used", seen[name] > 0, f"{name} is not used") for name in largest),
        none(every, "departure", "with or without balance led to other moves than printed", other),
        chain_as_printed(("HP",), FEW, (True,)),
        whole=True,
    )


@check("thesis-5-096", changed=("no gap",))
def whether_q_is_compared(changed=("others only",)):
    """The library's moves, q being compared, and the printed without q; the control drops the two jobs more too."""
    seen, unlike = 0, 0
    for P, G in SYSTEMS:
        for policy in ("JSQ", "HP"):
            without_q = rules_of(P, G, policy=policy, changed=changed)
            for jobs, g, q in departures_of(every_state(P, G, JOBS)):
                seen += 1
                unlike += compiled(P, G, policy).outcomes(jobs, g, q) != outcomes(without_q, jobs, g, q)
    figures = points.reading_apart("HP", "M2 by jobs")
    return conclude(
        none(seen, "departure", "had another law of the move without q", unlike),
        chain_as_printed(("JSQ", "HP"), FEW, (True,)),
        aside("what drawing h by its jobs on p changes of the deviation at most, in the figures",
              exact(list(figures.values()), local_policy=tuple(figures))),
        whole=True,
    )  # fmt: skip


@check("thesis-5-103", migration=False)
def what_migration_gains(migration=True):
    """Every point with migration against the one without; the control has migration in neither."""

    def pair(case, kept):
        still = points.of(case)
        moved = points.of(case, migration=migration, simulated_only=True)
        return {"still": still, "moved": moved, "gain": still - moved}[kept]

    still, moved, gain = (points.over(MIGRATED, lambda case, kept=kept: pair(case, kept))
                          for kept in ("still", "moved", "gain"))  # fmt: skip

    missed = larger().inside(still, 1, 1)
    half = points.estimates(still.scaled(0.5) - moved).where(missed, "without migration promises are kept")
    return conclude(
        at_each("half the deviation without migration less that with it, as estimated,", half, at_least(0)),
        at_each("what migration takes off it", gain.where(~missed, "without migration promises are missed"), larger()),
        at_each("what it takes off under HP", points.estimates(gain.at(policy="HP")), larger("clear")),
        aside("what it takes off", gain),
        provided=[points.as_exact_with_migration(MIGRATED), as_of_five_lengths()],
    )


@check("thesis-5-104", local="PS")
def what_horizontal_gains(local="GPPS"):
    """HP against JSQ at high loads where groups have a job for every processor; the control has PS."""

    def gained(load, migration):
        rows = spread.at_high_load(load, migration, (local,))
        found = points.of_rows(rows, "share").at(local_policy=local)
        jobs = -points.of_rows(rows.assign(estimate=-rows["estimate"]), "share", "mean_jobs").at(policy="HP").value[0]
        return {"gain": found.at(policy="JSQ") - found.at(policy="HP"), "jobs": exact(jobs, share=spread.PROMISES)}

    kinds = [(load, moves) for load in spread.HIGH for moves in (False, True)]
    names = [f"load {load}, {'with' if moves else 'without'} migration" for load, moves in kinds]
    found = cases("kind", kinds, names).measure(gained)
    everywhere_jobs = found["gain"].where(found["jobs"].value >= 10, "a group has fewer than 10 jobs on average")
    return conclude(
        at_each("the deviation under JSQ less that under HP", found["gain"], larger("clear")),
        besides("the deviation under JSQ less that under HP", found["gain"], larger()),
        aside("that where groups have 10 jobs on average", everywhere_jobs),
        provided=[everywhere("with each group on every processor for ever, the shares and what was promised",
                             exact(_in_the_limit(local)), equal(1e-12))],
    )  # fmt: skip


def _in_the_limit(local):
    """How far from their shares groups are in random states in group balance where all are on every processor."""
    rng, worst = np.random.default_rng(530), 0.0
    for _ in range(100):
        P, G = int(rng.integers(2, 11)), int(rng.integers(2, 5))
        required = rng.dirichlet(np.ones(G))
        policy, weights = policy_of("HP", True, required, P)
        system = empty(RULES[local], required, np.full(P, 1 / P), weights, by_group=True, timed=False)
        jobs = (rng.integers(1, 5, G) + (rng.random((P, G)) < rng.random(G))).astype(np.int64)
        kernel.bring(system, jobs)
        worst = max(worst, np.abs(of_groups(system.level)[:, OBTAINED_SHARE] - required).max())
    return worst


@check("thesis-5-109", quantity=LOSS)
def how_the_load_is_spread(quantity="group_share_deviation"):
    """The range of Delta^G under HP/PS over splits and over promises; the control looks at the lost capacity."""

    def over_splits(share, migration):
        found = points.of_rows(spread.over_splits(share, migration == "with"), "fraction", quantity)
        return found.at(policy="HP", local_policy="PS")

    found = grid(share=spread.SPLIT_PROMISES, migration=("without", "with")).measure(over_splits)
    return conclude(
        at_each("the largest value over the splits of the load less the smallest",
                found.largest("fraction") - found.smallest("fraction"), larger()),
        at_each("the largest value over what group 1 is promised less the smallest",
                found.largest("share") - found.smallest("share"), larger()),
        aside("the value", found),
    )  # fmt: skip


@check("thesis-5-112", policy="SVP")
def a_group_with_little_load(policy="HP"):
    """HP/GPPS where group 1 brings a quarter of the load at most, without migration and with it; the control is SVP."""
    few = {"policy": policy, "local_policy": "GPPS", "fraction": tuple(x for x in FRACTIONS if 0 < x <= 0.25)}
    ways = {"without migration": False, "with migration": True}

    def of_groups(quantity):
        return [points.over(ways, lambda way, g=g: points.of("case 2", quantity, ways[way], group=g).at(**few))
                for g in (0, 1)]  # fmt: skip

    first, second = of_groups(points.DEVIATION)
    held, obtained = (
        [points.estimates(each) for each in of_groups(name)] for name in ("processors_held", "obtained_share")
    )
    on_one = [replace(has, value=10 * has.value / on.value) for has, on in zip(obtained, held)]
    return conclude(
        at_each("the deviation of group 1", first, larger(SCALE["close"].most)),
        at_each("as estimated, that of group 1 less that of group 2", points.estimates(first - second), larger()),
        at_each("the processors that hold jobs of group 1 less r_1 P", held[0] - 5, smaller()),
        at_each("what group 1 obtains on one of them less what group 2 does on one of its own", on_one[0] - on_one[1],
                smaller()),
        together="point", provided=[chain_as_printed((policy,), FEW[:1], (False, True))],
    )  # fmt: skip
