"""Claims of `thesis`, Section 5.5.4: what each rule of Dynamic Vertical Partitioning does."""

import itertools
from collections import Counter
from fractions import Fraction as F

import numpy as np

from compendium.press.findings import check, erratum, finding, yes
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.dynamic import arrivals, choices, holding, met, random_states, reading_apart
from pages.share_scheduling.central.guests import BROKEN, LOADS, PATHS
from pages.share_scheduling.central.printed_policies import idle
from pages.share_scheduling.central.printed_rules import Rules, placement
from pages.share_scheduling.central.reached import path
from pages.share_scheduling.central.states import in_system_balance
from pages.share_scheduling.central.systems import LOCAL


@check("thesis-5-138", policy="JSQ")
def subset_follows(policy="DVP"):
    """The processors that the library may choose for a job, by what its group obtains."""
    seen, wrong = Counter(), Counter()
    for rules, jobs, g, chosen in arrivals(policy):
        own, obtained = holding(jobs, g), rules.obtained(jobs, g)
        required, more = rules.shares[g], F(1, rules.processors)
        rule = "I4" if obtained < required else "I3" if obtained < required + more else "I2"
        seen[rule] += 1
        if rule == "I4":
            wrong[rule] += len(own) < rules.processors and not chosen.isdisjoint(own)
        else:
            wrong[rule] += not chosen.issubset(own)
        if rule == "I2":
            fewest = min(jobs[p][g] for p in own)
            first = {p for p in own if jobs[p][g] == fewest}
            wrong["I2, the fewest"] += not chosen.isdisjoint(first) if len(first) == 1 else not chosen <= first
    return finding(
        f"arrivals under {', '.join(f'{rule} {seen[rule]}' for rule in sorted(seen))}; against the statement: "
        f"{sum(wrong.values())}",
        not any(wrong.values()) and min(seen[rule] for rule in ("I2", "I3", "I4")) >= 100,
    )


@check("thesis-5-089", more=0)
def another_processor_is_left(more=1):
    """Groups that obtain a processor too much, and on how many they are."""
    seen, few = 0, 0
    for rules, jobs in itertools.chain(random_states(), _of_four(2)):
        for g, share in enumerate(rules.shares):
            if rules.obtained(jobs, g) >= share + F(more, rules.processors):
                seen += 1
                few += len(holding(jobs, g)) < share * rules.processors + 1
    used, without = 0, 0
    for seed, ((P, shares), load, local) in enumerate(itertools.product(PATHS, LOADS, LOCAL)):
        rules = Rules("DVP", shares, P, seed % 3 == 0, local, changed=() if more else ("I2 from r",))
        for step in path(rules, (load / len(shares),) * len(shares), 200, seed):
            used += (step.outcome.rule or "").startswith("I2")
            without += step.outcome.rule == "I2 without a candidate"
    return finding(
        f"{seen} groups with so much, on too few processors: {few}; {used} uses of I2, without a candidate: {without}",
        not few and not without and min(seen, used) > 100,
    )


def _of_four(processors):
    """Random states of four groups on so few processors that some of them require less than a whole one."""
    rules, rng = Rules("DVP", BROKEN[4], processors, local="GPPS"), np.random.RandomState(89)
    for numbers in np.maximum(rng.randint(-3, 4, (500, processors, 4)), 0).tolist():
        yield rules, tuple(map(tuple, numbers))


@check("thesis-5-090", reading="plain sums")
def exact_comparison(reading=None):
    """A group alone on k - 1, k and k + 1 processors: by which rule the library places its next job."""
    cases, wrong = 0, Counter()
    for P, local in itertools.product(range(2, 31), LOCAL):
        for k in range(1, P):
            compiled = Compiled("DVP", (k / P, 1 - k / P), P, local=local, reading=reading)
            for held, rule in ((k - 1, "I4"), (k, "I3"), (k + 1, "I2")):
                cases += 1
                wrong[rule] += _rule_taken(compiled, P, held) != rule
    # How far floating point would be off is the same question with the other reading: it is asked once.
    said = ", ".join(f"{rule} {wrong[rule]}" for rule in ("I4", "I3", "I2"))
    text = f"{cases} cases; not by the rule expected: {sum(wrong.values())} ({said})"
    if reading is None and not any(wrong.values()):
        floating = exact_comparison(reading="plain sums").computed.partition("expected: ")[2]
        loss, deviation = (_plain_sums(quantity) for quantity in ("capacity_loss", "group_share_deviation"))
        text += (
            f"; by plain sums {floating}; these change Delta^T by up to {loss:.3f} and Delta^G by up to {deviation:.3f}"
        )
    return finding(text, not any(wrong.values()))


def _rule_taken(compiled, P, held):
    """The rule by which a job of group 1 was placed, with 1, 2, 3, 3, ... jobs of it on the first processors."""
    own = [(min(p + 1, 3), 0) for p in range(held)]
    rest = [(0, 1)] * (P - held)
    if rest:
        rest[-1] = (0, 0)  # the only processor that I4 may choose
    (after,) = compiled.outcomes((*own, *rest), 0)
    (p,) = [p for p, row in enumerate(after) if row != (*own, *rest)[p]]
    return "I4" if p >= held else "I3" if p == 0 else "I2"


def _plain_sums(quantity):
    shares = (0.5, 0.6, 0.7, 0.8, 0.9)
    found = [
        simulated.table(simulated.along("share", shares, False, policies=("DVP",), **reading), "share", quantity)[0]
        for reading in ({}, {"reading": "plain sums"})
    ]
    return max(float(np.abs(found[0][key] - found[1][key]).max()) for key in found[0])


@check("thesis-5-091", changed=("any group",))
def whose_job_moves(changed=()):
    """The groups of the jobs that M1 moves, by the printed rules and in the library."""
    moved, others, library = set(), set(), 0
    kept = {}
    for record in met(changed=changed):
        for move in record.outcome.moves:
            if move.rule == "M1":
                rules, left = record.rules, record.left
                name = (rules.shares, rules.processors, rules.local)
                place = (*name, record.before, record.group, record.processor)
                if place not in moved:
                    if name not in kept:
                        kept[name] = Compiled("DVP", rules.shares, rules.processors, True, rules.local)
                    states = kept[name].outcomes(record.before, record.group, record.processor)
                    library += any(not _was_short(rules, left, to) for to in states)
                moved.add(place)
                if rules.obtained(left, move.group) >= rules.feasible(left, move.group):
                    others.add(place)
    text = f"moves by M1 in {len(moved)} states and events; of another group's job: {len(others)}"
    if not changed and not others and not library:
        other = whose_job_moves(changed=("any group",)).computed.rpartition(": ")[2]
        worst = reading_apart("DVP", "M1 any group")
        text += (
            f"; by the other reading {other}; this changes Delta^G by up to "
            f"{', '.join(f'{worst[local]:.3f} (DVP/{local})' for local in LOCAL)}"
        )
    elif library:
        text += f"; in the library: {library}"
    # As printed, p is no processor that was chosen: "present on processor p" has no meaning there.
    return erratum(text, False, bool(moved) and not others and not library)


def _was_short(rules, left, after):
    """Whether the job that moved is of a group that obtained less than it should."""
    g = next(g for p, row in enumerate(after) for g in range(len(row)) if row[g] > left[p][g])
    return rules.obtained(left, g) < rules.feasible(left, g)


@check("thesis-5-097", policies=("JSQ",))
def only_when_idle(policies=("SVP", "DVP")):
    """What the printed rules and the library do where a departure leaves the processor busy."""
    busy, moves, ended, kept = 0, 0, 0, {}
    for policy in policies:
        for record in met(policy):
            if record.processor is None or not any(record.left[record.processor]):
                continue
            rules = record.rules
            name = (policy, rules.shares, rules.processors, rules.local)
            if name not in kept:
                kept[name] = Compiled(policy, rules.shares, rules.processors, True, rules.local)
            library = kept[name].outcomes(record.before, record.group, record.processor)
            busy += 1
            moves += bool(record.outcome.moves) or set(library) != {record.left}
            ended += in_system_balance(record.before) and not in_system_balance(record.outcome.state)
    text = f"{busy} departures from a processor that stays busy: {moves} with a migration, {ended} end system balance"
    if not moves and policies != ("JSQ",):
        worst = {policy: reading_apart(policy, "every departure") for policy in policies}
        text += "; the other reading changes Delta^G by up to " + ", ".join(
            f"{worst[policy][local]:.3f} ({policy}/{local})" for policy in policies for local in LOCAL
        )
    return finding(text, not moves and ended > 0)


@check("thesis-5-087", name="I1")
def which_rule_uses_what_is_idle(name="II"):
    """The names of the rules, and who puts jobs on idle processors."""
    names, elsewhere, without, kept = set(), 0, 0, {}
    for rules, jobs in random_states(systems=12):
        system = (rules.shares, rules.processors)
        for migration, g in itertools.product((False, True), range(len(rules.shares))):
            rule, _ = placement(Rules("DVP", *system, migration, rules.local), jobs, g)
            names.add(rule)
            if idle(jobs):
                if (system, migration) not in kept:
                    kept[system, migration] = Compiled("DVP", *system, migration, rules.local)
                busy = not choices(kept[system, migration], jobs, g).issubset(idle(jobs))
                elsewhere += migration and (busy or rule != "I1")
                without += not migration and busy
    return erratum(
        f"rules named: {', '.join(sorted(names))}; with migration and an idle processor, not placed there by I1: "
        f"{elsewhere}; without migration the other rules leave processors idle: {yes(without)}",
        name in names,
        "I1" in names and not elsewhere and without > 0,
    )
