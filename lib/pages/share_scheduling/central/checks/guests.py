"""Claims of `thesis`, Section 5.5.3: where guests of Static Vertical Partitioning come from, and where they go."""

import functools
from collections import Counter
from dataclasses import replace

from compendium.press.findings import check, erratum, finding
from pages.share_scheduling.central.compiled import Compiled
from pages.share_scheduling.central.guests import (
    BROKEN,
    MOST_JOBS,
    SMALL,
    became_guests,
    came_to,
    crowded,
    guests,
    on_paths,
    on_states,
)
from pages.share_scheduling.central.printed_policies import largest, pairs_of_M2, pairs_of_M3
from pages.share_scheduling.central.printed_rules import Rules, departure
from pages.share_scheduling.central.reached import capacity_loss, reached


def _records(**rules):
    return on_states(**rules) + on_paths(**rules)


def _counted(numbers):
    return ", ".join(f"{name} {count}" for name, count in sorted(numbers.items())) or "none"


@check("thesis-5-024", changed=("I3 anywhere",))
def one_guest(changed=()):
    """Numbers of guests, rules that made them, and the library's rules against the printed ones in every state."""
    met, most = Counter(), 0
    for record in _records(changed=changed):
        most = max(most, *guests(record.rules, record.outcome.state))
        met.update(became_guests(record))
    apart = sum(_differs(P, shares, 4) for P, shares in SMALL) + _differs(3, BROKEN[2], MOST_JOBS)
    return finding(
        f"guests on a processor: at most {most}; rules by which jobs became guests: {', '.join(sorted(met))}; "
        f"events on which the library and the printed rules differ: {apart}",
        most == 1 and set(met) == {"I3", "M3"} and not apart,
    )


@functools.cache
def _differs(P, shares, most_jobs):
    """In how many events the library does something else than the printed rules.

    Where a processor is shared by unequal parts, the last term of M2 decides, with six jobs.
    """
    rules, compiled, found = Rules("SVP", shares, P, True), Compiled("SVP", shares, P, True), 0
    for jobs, happening in reached(rules, most_jobs, like=True).items():
        for event in happening:
            expected = Counter()
            for outcome in event.outcomes:
                expected[outcome.state] += outcome.probability
            found += compiled.outcomes(jobs, event.group, event.processor) != dict(expected)
    return found


@check("thesis-5-131", changed=("I3 anywhere",))
def who_is_put_beside(changed=()):
    """The rule by which a job came to a processor where a guest now runs beside others."""
    met = Counter()
    for record in _records(changed=changed):
        for p in crowded(record.rules, record.outcome.state) - crowded(record.rules, record.before):
            met[came_to(record, p)] += 1
    return erratum(
        f"rules that put a guest and other jobs together: {', '.join(sorted(met)) or 'none'}",
        met["I3"] > 0,
        set(met) == {"I4"},
    )


@check("thesis-5-092", without=("M1",))
def pairs_of_the_rules(without=()):
    """M2 and M3 as printed, and with what they leave out, wherever they are reached."""
    reached_at, apart = Counter(), 0
    for record in _records(without=without):
        if record.processor is None or any(record.left[record.processor]):
            continue
        rule = record.outcome.moves[0].rule if record.outcome.moves else None
        if rule == "M1":
            continue
        two, three = (
            [pairs(record.rules, record.left, record.processor, printed) for printed in (False, True)]
            for pairs in (pairs_of_M2, pairs_of_M3)
        )
        reached_at["M2"] += 1
        apart += _best(two[0]) != _best(two[1])
        if not two[0]:
            reached_at["M3"] += 1
            apart += _best(three[0]) != _best(three[1])
    return finding(
        f"departures that reach M2: {reached_at['M2']}, M3: {reached_at['M3']}; other pairs as printed: {apart}",
        not apart and min(reached_at["M2"], reached_at["M3"]) > 0,
    )


def _best(pairs):
    return set(largest(pairs)) if pairs else set()


@check("thesis-5-093", changed=("M4 before M3",))
def what_is_left_to_a_rule(changed=()):
    """What is on the processors when M2 and M4 are reached, and the two readings of M4."""
    met = Counter()
    for record in _records(changed=changed):
        if record.processor is None or any(record.left[record.processor]):
            continue
        rule = record.outcome.moves[0].rule if record.outcome.moves else None
        met["guests beside others at M2"] += rule != "M1" and bool(crowded(record.rules, record.left))
        if rule in ("M4", None):
            met["M4"] += rule == "M4"
            met["two jobs somewhere at M4"] += max(map(sum, record.left)) > 1
            met["loss after M4"] += capacity_loss(record.outcome.state) > 1e-12
            met["other reading, other odds"] += _odds(record.rules, record) != _odds(
                replace(record.rules, changed=(*changed, "M4 by processor")), record
            )
    uses = met.pop("M4")
    return finding(f"uses of M4: {uses}; {_counted(met)}", uses > 0 and not any(met.values()))


def _odds(rules, record):
    found = Counter()
    for outcome in departure(rules, record.before, record.group, record.processor):
        found[outcome.state] += outcome.probability
    return found


@check("thesis-5-134", changed=("I2 again",))
def one_migration_an_event(changed=()):
    """Migrations at each event."""
    most = Counter()
    for record in _records(changed=changed):
        kind = "arrival" if record.processor is None else "departure"
        most[kind] = max(most[kind], len(record.outcome.moves))
    return finding(f"most migrations at an event: {_counted(most)}", dict(most) == {"arrival": 1, "departure": 1})
