"""Claims of `thesis`, Section 5.5.2: what Horizontal Partitioning keeps, state by state."""

import functools
from fractions import Fraction

from compendium.press.findings import check, finding, yes
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.printed_rules import Rules, arrival, changed_by, departure, migration
from pages.share_scheduling.central.states import every_state, in_group_balance, in_system_balance, without_loss
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, PROCESSORS, SHARES

SYSTEMS = ((2, 1), (2, 2), (2, 3), (3, 2))  # processors and groups
JOBS = 8


def rules_of(processors, groups, *, policy="HP", moves=True, **other):
    """The printed rules; required shares do not matter to HP and JSQ under PS."""
    shares = (Fraction(1, max(groups, 2)),) * max(groups, 2)
    return Rules(policy, shares[:groups], processors, moves, **other)


class Printed:
    """Printed rules, asked as `Compiled` is: all outcomes of an event with their probabilities."""

    def __init__(self, rules):
        self.rules = rules

    def outcomes(self, jobs, group, processor=None):
        """States after an arrival of a group, or its departure from a processor."""
        happening = (
            arrival(self.rules, jobs, group) if processor is None else departure(self.rules, jobs, group, processor)
        )
        found = {}
        for outcome in happening:
            found[outcome.state] = found.get(outcome.state, 0) + outcome.probability
        return found


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
    broken, seen = {"idle": 0, "loss": 0, "balance": 0, "other than printed": 0}, 0
    for P, G in SYSTEMS:
        printed = Printed(rules_of(P, G, changed=changed))
        rules = printed if changed else compiled(P, G)
        for jobs in every_state(P, G, JOBS):
            idle = any(not any(row) for row in jobs)
            for g in range(G):
                after = rules.outcomes(jobs, g)
                seen += 1
                broken["other than printed"] += after != printed.outcomes(jobs, g)
                broken["idle"] += idle and any(_idle(new) == _idle(jobs) for new in after)
                broken["loss"] += without_loss(jobs) and not all(map(without_loss, after))
                broken["balance"] += in_group_balance(jobs) and not all(map(in_group_balance, after))
    said = ", ".join(f"{name} {count}" for name, count in broken.items())
    return finding(f"of {seen} arrivals break the rule: {said}", not any(broken.values()))


def _idle(jobs):
    return sum(not any(row) for row in jobs)


@check("thesis-5-012", without=("M2",))
def kept_at_departures(without=()):
    """Departures from every state in group balance without loss; the control has no rule M2."""
    kept, seen, broken = 0, 0, {"group balance": 0, "zero loss": 0}
    for P, G in SYSTEMS:
        rules = Printed(rules_of(P, G, without=without)) if without else compiled(P, G)
        good = [jobs for jobs in every_state(P, G, JOBS) if in_group_balance(jobs) and without_loss(jobs)]
        for jobs, g, p in departures_of(good):
            after = rules.outcomes(jobs, g, p)
            seen += 1
            kept += all(in_group_balance(new) and without_loss(new) for new in after)
            left = compiled(P, G, moves=False).outcomes(jobs, g, p)
            broken["group balance"] += not all(map(in_group_balance, left))
            broken["zero loss"] += not all(map(without_loss, left))
    lost = max(
        rows[rows["quantity"] == "capacity_loss"]["estimate"].abs().max()
        for axis, values in {"load": LOADS, "processors": PROCESSORS, "fraction": FRACTIONS, "share": SHARES}.items()
        for rows in [simulated.along(axis, values, migration=True, policies=("HP",))]
    )
    said = ", ".join(f"{name} {count}" for name, count in broken.items())
    return finding(
        f"departures that keep both: {kept} of {seen}; without migration they end {said}; largest simulated loss "
        f"{'within 1e-9' if lost <= 1e-9 else format(lost, '.2g')}",
        kept == seen and all(broken.values()) and lost <= 1e-9,
    )


@check("thesis-5-013", policy="JSQ")
def system_balance_is_not_kept(policy="HP"):
    """The state of the example; the control is JSQ."""
    jobs = ((0, 1, 1), (1, 0, 0))
    after = compiled(2, 3, policy).outcomes(jobs, 0)
    as_printed = after == Printed(rules_of(2, 3, policy=policy)).outcomes(jobs, 0)
    ((new, chance),) = after.items()
    numbers = [sum(row) for row in new]
    before = in_system_balance(jobs) and in_group_balance(jobs)
    return finding(
        f"before in both balances: {yes(before)}; after, jobs on processors 1 and 2: {numbers[0]} and {numbers[1]}",
        as_printed and before and chance == 1 and new == changed_by(jobs, 0, 0, 1) and not in_system_balance(new),
    )


@check("thesis-5-014", balance="system")
def more_jobs_of_a_group(balance="group"):
    """J_hp - J_hq in M1 and in M2 for all groups; the control begins with system balance."""
    balanced = {"group": in_group_balance, "system": in_system_balance}[balance]
    largest, other, seen = {"M1": 0, "M2": 0}, 0, {"M1": 0, "M2": 0}
    for P, G in SYSTEMS:
        rules = rules_of(P, G)
        for jobs, g, q in departures_of(filter(balanced, every_state(P, G, JOBS))):
            left = changed_by(jobs, q, g, -1)
            name, choices = migration(rules, left, g, q)
            other += Printed(rules).outcomes(jobs, g, q) != compiled(P, G).outcomes(jobs, g, q)
            if name is not None:
                seen[name] += 1
                gaps = [left[p][h] - left[q][h] for _, (_, p) in choices for h in range(G)]
                largest[name] = max(largest[name], *gaps)
    return finding(
        f"largest difference: {largest['M1']} in M1 ({seen['M1']} departures), {largest['M2']} in M2 ({seen['M2']})"
        + (f"; moves other than printed: {other}" if other else ""),
        largest["M2"] <= 2 and min(seen.values()) > 0 and other == 0,
    )


@check("thesis-5-096", changed=("no gap",))
def whether_q_is_compared(changed=("others only",)):
    """The library's moves, q being compared, and the printed without q; the control drops the two jobs more too."""
    seen, unlike = 0, 0
    for P, G in SYSTEMS:
        for policy in ("JSQ", "HP"):
            without_q = Printed(rules_of(P, G, policy=policy, changed=changed))
            for jobs, g, q, after in moves_of(P, G, policy):
                seen += 1
                unlike += after != without_q.outcomes(jobs, g, q)
    return finding(f"of {seen} departures, with another law of the move without q: {unlike}", unlike == 0)


@functools.cache
def moves_of(processors, groups, policy):
    """All departures in every state, with what the library does then."""
    rules = compiled(processors, groups, policy)
    return [
        (jobs, g, q, rules.outcomes(jobs, g, q)) for jobs, g, q in departures_of(every_state(processors, groups, JOBS))
    ]
