"""Claims of `thesis`, Section 5.5.3: what the rules on guests lead to, and what other rules would."""

from collections import Counter
from dataclasses import replace

import numpy as np

from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.guests import (
    LOADS,
    SMALL,
    TWO_GROUPS,
    both_ways,
    crowded,
    guests,
    is_whole,
    on_paths,
    on_states,
    systems,
)
from pages.share_scheduling.central.printed_rules import Rules, arrival
from pages.share_scheduling.central.reached import capacity_loss
from pages.share_scheduling.central.scenario import CASTS, SYSTEMS, crowd, end_of_one, entered, is_entered, is_met

PAIRS = tuple(systems((3, 5, 10), (2,)))


@check("thesis-5-094", changed=("I3 anywhere",))
def who_makes_room(changed=()):
    """The guests on the processors that I2 takes, and where the other reading sends them."""
    met, back = Counter(), set()
    for record in on_states(changed=changed):
        if record.outcome.rule == "I2":
            p = record.outcome.processor
            met[guests(record.rules, record.before)[p]] += 1
            met["beside others"] += p in crowded(record.rules, record.before)
            met["decided by more than X_gp"] += _chances(record) != 1
            idle = replace(record.rules, changed=(*changed, "I2 idle"))
            for outcome in arrival(idle, record.before, record.group):
                if outcome.moves and outcome.moves[0].rule == "I3" and outcome.moves[0].target == p:
                    back.add((record.rules.shares, record.before, record.group))
    beside, apart = met.pop("beside others"), met.pop("decided by more than X_gp")
    largest = max(_between_readings(axis, values) for axis, values in SOME.items())
    return finding(
        f"guests on the processor taken: {', '.join(map(str, sorted(met)))} (beside others: {beside} uses of "
        f"{sum(met.values())}); not taken by X_gp alone: {apart}; sent back to it, if it counted as idle: "
        f"in {len(back)} arrivals; deviations then differ by {largest:.3f} at most",
        set(met) == {1} and beside > 0 and not apart,
    )


SOME = {"load": (0.3, 0.6, 0.9), "fraction": (0.15, 0.3), "share": (0.55, 0.65, 0.75, 0.85)}


def _between_readings(axis, values):
    """The largest difference of stored deviations where the processor that I2 takes counts as idle for the guest."""
    own, other = (
        simulated.table(simulated.along(axis, values, migration=True, policies=("SVP",), **reading), axis)[0]
        for reading in ({}, {"reading": "guest may return"})
    )
    return max(np.abs(own["SVP", local] - other["SVP", local]).max() for local in ("PS", "GPPS"))


def _chances(record):
    """The chances of all processors with a guest and the largest X_gp, times their number: 1 if they are alike."""
    rules, jobs, g = record.rules, record.before, record.group
    with_guests = [p for p in rules.subsets[g] if guests(rules, jobs)[p]]
    best = [p for p in with_guests if rules.parts[g][p] == max(rules.parts[g][q] for q in with_guests)]
    chances = Counter()
    for outcome in arrival(rules, jobs, g):
        chances[outcome.processor] += outcome.probability
    return chances[record.outcome.processor] * len(best) if set(chances) == set(best) else 0


@check("thesis-5-025", changed=("M4 before M3",))
def guest_and_host(changed=()):
    """The scenario, and all that two groups can reach."""
    met, ways = Counter(), 0
    for P, shares in SYSTEMS:
        rules = Rules("SVP", shares, P, True, changed=changed)
        compiled = Compiled("SVP", shares, P, True)
        for g, h, i in CASTS:
            first = entered(rules, g, h)
            met["no guest by I3"] += sum(
                step.outcome.rule != "I3" or not is_entered(rules, step.outcome.state, g, h) for step in first
            )
            second = crowd(rules, {step.outcome.state for step in first}, i)
            met["not placed by I4"] += sum(
                step.outcome.rule != "I4" or step.outcome.state[step.outcome.processor][i] != 2 for step in second
            )
            third = end_of_one(rules, {step.outcome.state for step in second}, g)
            ways += len(third)
            met["not moved by M3"] += sum([move.rule for move in step.outcome.moves] != ["M3"] for step in third)
            met["other end"] += sum(not is_met(rules, step.outcome.state, g, h, i, step.left) for step in third)
            met["library otherwise"] += sum(
                step.outcome.state not in compiled.outcomes(step.before, g, step.left) for step in third
            )
    both = sum(
        bool(both_ways(record.rules, record.outcome.state))
        for record in on_states(TWO_GROUPS, changed=changed) + on_paths(PAIRS, 1000, changed=changed)
    )
    return finding(
        f"{ways} ways through the scenario; steps that go another way: {_said(met)}; "
        f"two groups: {both} states with guest and host",
        not any(met.values()) and ways > 0 and not both,
    )


def _said(met):
    return ", ".join(f"{name} {count}" for name, count in met.items() if count) or "none"


@check("thesis-5-137", changed=("I4 by all jobs",))
def guest_beside_others(changed=()):
    """One arrival more, and all that two groups can reach."""
    met, ways = Counter(), 0
    for P, shares in SYSTEMS:
        rules = Rules("SVP", shares, P, True, changed=changed)
        compiled = Compiled("SVP", shares, P, True)
        for g, h, i in CASTS:
            states = {step.outcome.state for step in entered(rules, g, h)}
            states = {step.outcome.state for step in crowd(rules, states, i)}
            for step in end_of_one(rules, states, g):
                jobs, q = step.outcome.state, step.left
                found = arrival(rules, jobs, h)
                ways += 1
                met["choices left"] += len(found) != 1
                met["another way"] += any(
                    outcome.rule != "I2"
                    or [(move.rule, move.group, move.target) for move in outcome.moves] != [("I4", g, q)]
                    or crowded(rules, outcome.state) != {q}
                    for outcome in found
                )
                met["library otherwise"] += set(compiled.outcomes(jobs, h)) != {outcome.state for outcome in found}
    both = sum(
        bool(crowded(record.rules, record.outcome.state))
        for record in on_states(TWO_GROUPS, changed=changed) + on_paths(PAIRS, 1000, changed=changed)
    )
    return finding(
        f"{ways} ways through the scenario; that end otherwise: {_said(met)}; "
        f"two groups: {both} states with a guest beside others",
        not any(met.values()) and ways > 0 and not both,
    )


@check("thesis-5-026", changed=())
def remigration_first(changed=("M4 before M3",)):
    """Guests beside others, and loss, where M4 comes before M3."""
    three = tuple((P, shares) for P, shares in SMALL if len(shares) == 3)
    beside, lost, mean = Counter(), Counter(), {}
    for record in on_states(three, changed=changed) + on_paths(tuple(systems((3, 4, 6, 10), (3, 4))), changed=changed):
        whole, loss = is_whole(record.rules), capacity_loss(record.outcome.state)
        beside[whole] += bool(crowded(record.rules, record.outcome.state))
        lost[whole] += loss > 1e-12
        if record.load and record.rules.processors == 3:
            mean.setdefault((whole, record.load), []).append(loss)
    means = {key: np.mean(values) for key, values in mean.items()}
    said = "; ".join(
        f"{name}: {beside[whole]} outcomes with a guest beside others, {lost[whole]} with loss, mean loss on three "
        f"processors {', '.join(f'{means[whole, load]:.3f}' for load in LOADS)}"
        for whole, name in ((True, "fully partitionable"), (False, "others"))
    )
    return over_domain(
        said,
        [
            not beside[whole] and lost[whole] > 0 and min(means[whole, load] for load in LOADS) > 0
            for whole in (True, False)
        ],
    )
