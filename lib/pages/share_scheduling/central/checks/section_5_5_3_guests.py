"""Claims of `thesis`, Section 5.5.3: guests of Static Vertical Partitioning, and what the rules on them lead to."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np

from clustershare.dispatch import exact_central, simulate_central
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, mended, none
from compendium.press.clauses.conditions import between, larger
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import simulated
from pages.share_scheduling.central.printed.policies import largest, pairs_of_M2, pairs_of_M3
from pages.share_scheduling.central.printed.rules import Rules, arrival, outcomes
from pages.share_scheduling.central.witnesses import scenario
from pages.share_scheduling.central.witnesses.as_printed import chain_as_printed
from pages.share_scheduling.central.witnesses.compiled import Compiled, events_apart, unlike
from pages.share_scheduling.central.witnesses.compiled import library as library_of
from pages.share_scheduling.central.witnesses.guests import (
    BROKEN,
    LOADS,
    MOST_JOBS,
    SMALL,
    THIRDS,
    TWO_GROUPS,
    became_guests,
    both_ways,
    came_to,
    crowded,
    guests,
    is_whole,
    on_paths,
    on_states,
    systems,
)
from pages.share_scheduling.central.witnesses.reached import capacity_loss
from pages.share_scheduling.central.witnesses.states import moved

PAIRS = tuple(systems((3, 5, 10), (2,)))


def _records(**rules):
    return on_states(**rules) + on_paths(**rules)


def _emptied(**rules):
    """Departures that leave a processor idle, with the rule by which a job migrates, if one does."""
    for record in _records(**rules):
        if record.processor is not None and not any(record.left[record.processor]):
            yield record, record.outcome.moves[0].rule if record.outcome.moves else None


def _as_printed(noun, records):
    """A clause that the library does what the printed rules do, in the events of some records."""
    seen, apart = unlike(records)
    return none(seen, noun, "went otherwise in the library", apart)


def _only(what, met, *rules):
    """A clause that something was due to these rules, each of them."""
    return fact(f"{what} by {' and '.join(rules)} only", set(met) == set(rules),
                f"{what} by {', '.join(sorted(map(str, met))) or 'no rule'}")  # fmt: skip


@check("thesis-5-024", changed=("I3 anywhere",))
def one_guest(changed=()):
    """Numbers of guests, rules that made them, and the library's rules against the printed ones in every state."""
    found = _records(changed=changed)
    met = Counter(rule for record in found for rule in became_guests(record))
    most = max(max(guests(record.rules, record.outcome.state)) for record in found)
    # Where a processor is shared by unequal parts, the last term of M2 decides, with six jobs.
    chosen = (*SMALL, (3, BROKEN[2]))
    seen, apart = np.sum([events_apart(Rules("SVP", shares, P, True), MOST_JOBS) for P, shares in chosen], axis=0)
    return conclude(
        everywhere("the number of guests on a processor at most", exact(most), between(1, 1)),
        _only("jobs become guests", met, "I3", "M3"),
        none(seen, "event", "went otherwise in the library than by the printed rules", apart),
        whole=True,
    )


@check("thesis-5-131", changed=("I3 anywhere",))
def who_is_put_beside(changed=()):
    """The rule by which a job came to a processor where a guest now runs beside others."""

    def newly(record):
        """The processors where a guest has come to run beside others."""
        return crowded(record.rules, record.outcome.state) - crowded(record.rules, record.before)

    met = Counter(came_to(record, p) for record in _records(changed=changed) for p in newly(record))
    return mended(
        fact("I3 puts a guest beside other jobs", met["I3"] > 0, "I3 puts no guest beside other jobs"),
        _only("guests are put together with other jobs", met, "I4"),
        _as_printed("event at which they are put together", filter(newly, on_states(changed=changed))),
    )


@check("thesis-5-092", without=("M1",))
def pairs_of_the_rules(without=()):
    """M2 and M3 as printed, and with what they leave out, wherever they are reached."""
    met, apart, reached = Counter(), Counter(), []
    for record, rule in _emptied(without=without):
        reached += [record] * (rule != "M1" and record.load is None)
        for name, pairs in (("M2", pairs_of_M2), ("M3", pairs_of_M3)) if rule != "M1" else ():
            read, printed = (pairs(record.rules, record.left, record.processor, each) for each in (False, True))
            met[name] += 1
            apart[name] += set(largest(read) if read else ()) != set(largest(printed) if printed else ())
            if read:
                break
    return conclude(
        *(none(met[name], f"use of {name}", "had another pair as printed", apart[name]) for name in ("M2", "M3")),
        _as_printed("departure at which M2 is reached", reached),
        whole=True,
    )


@check("thesis-5-093", changed=("M4 before M3",))
def what_is_left_to_a_rule(changed=()):
    """What is on the processors when M2 and M4 are reached, and the two readings of M4."""
    met, seen, emptied = Counter(), Counter(), []
    for record, rule in _emptied(changed=changed):
        seen[rule] += 1
        emptied += [record] * (record.load is None)
        met["beside"] += rule != "M1" and bool(crowded(record.rules, record.left))
        if rule in ("M4", None):
            other = replace(record.rules, changed=(*changed, "M4 by processor"))
            event = record.before, record.group, record.processor
            met["two"] += max(map(sum, record.left)) > 1
            met["loss"] += capacity_loss(record.outcome.state) > 1e-12
            met["odds"] += outcomes(record.rules, *event) != outcomes(other, *event)
    at_m4 = seen["M4"] and seen["M4"] + seen[None]
    return conclude(
        none(seen.total() - seen["M1"], "case in which M2 is reached", "had a guest beside others", met["beside"]),
        none(at_m4, "case in which M4 is reached", "had two jobs somewhere", met["two"]),
        none(at_m4, "case in which M4 is reached", "had a loss after it", met["loss"]),
        none(at_m4, "case in which M4 is reached", "had other odds in its other reading", met["odds"]),
        _as_printed("departure from a processor that is left idle", emptied),
        _as_printed("arrival", [record for record in on_states(changed=changed) if record.processor is None]),
        whole=True,
    )


@check("thesis-5-134", changed=("I2 again",))
def one_migration_an_event(changed=()):
    """Migrations at each event, by the printed rules, and by the library's from the states before and after it."""
    most, library = {"arrival": 0, "departure": 0}, {"arrival": 0, "departure": 0}
    for record in _records(changed=changed):
        kind = "arrival" if record.processor is None else "departure"
        most[kind] = max(most[kind], len(record.outcome.moves))
    for rules, *event in {(each.rules, each.before, each.group, each.processor) for each in on_states(changed=changed)}:
        before, group, processor = event
        kind = "arrival" if processor is None else "departure"
        moves = (moved(before, after, group, processor) for after in library_of(rules).outcomes(*event))
        library[kind] = max(library[kind], *moves)
    printed, compiled = (cases("kind of event", each).measure(each.get) for each in (most, library))
    return conclude(
        everywhere("the largest number of migrations at an event", printed, between(1, 1)),
        everywhere("that in the library", compiled, between(1, 1)),
        whole=True,
    )


SOME = {"load": (0.3, 0.6, 0.9), "fraction": (0.15, 0.3), "share": (0.55, 0.65, 0.75, 0.85)}


@check("thesis-5-094", changed=("I3 anywhere",))
def who_makes_room(changed=()):
    """The guests on the processors that I2 takes, and where the other reading sends them."""
    found, back = [record for record in on_states(changed=changed) if record.outcome.rule == "I2"], set()
    numbers = [guests(record.rules, record.before)[record.outcome.processor] for record in found]
    for record in found:
        idle = replace(record.rules, changed=(*changed, "I2 idle"))
        for outcome in arrival(idle, record.before, record.group):
            first = [(move.rule, move.target) for move in outcome.moves[:1]]
            if first == [("I3", record.outcome.processor)]:
                back.add((record.rules.shares, record.before, record.group))

    def between_readings(axis):
        """Of stored deviations, where the processor that I2 takes counts as idle for the guest."""
        own, other = (
            points.of_rows(simulated.along(axis, SOME[axis], migration=True, policies=("SVP",), **reading), axis)
            for reading in ({}, {"reading": "guest may return"})
        )
        return (own - other).distance().value.max()

    beside = sum(record.outcome.processor in crowded(record.rules, record.before) for record in found)
    return conclude(
        everywhere("the number of guests on a processor that I2 takes", exact(numbers, use=None), between(1, 1)),
        fact("some of them run beside others", beside > 0, "none runs beside others"),
        none(len(found), "use of I2", "took a processor otherwise than by X_gp alone",
             sum(_chances(record) != 1 for record in found)),
        _as_printed("use of I2", found),
        chain_as_printed(("SVP",), [(2, THIRDS)], (True,)),
        fact(f"in {len(back)} arrivals the guest would be sent back, if the processor counted as idle", len(back) > 0,
             "no guest would be sent back, if the processor counted as idle"),
        aside("by how much deviations then differ at most", cases("axis", SOME).measure(between_readings)),
        whole=True,
    )  # fmt: skip


def _chances(record):
    """The chances of all processors with a guest and the largest X_gp, times their number: 1 if they are alike."""
    rules, jobs, g = record.rules, record.before, record.group
    with_guests = [p for p in rules.subsets[g] if guests(rules, jobs)[p]]
    best = [p for p in with_guests if rules.parts[g][p] == max(rules.parts[g][q] for q in with_guests)]
    chances = Counter()
    for outcome in arrival(rules, jobs, g):
        chances[outcome.processor] += outcome.probability
    return chances[record.outcome.processor] * len(best) if set(chances) == set(best) else 0


def _ways(changed):
    """All ways through the scenario up to the end of a job of g: rules, the library's, who are g, h, i, and steps."""
    for (P, shares), cast in product(scenario.SYSTEMS, scenario.CASTS):
        rules, compiled = Rules("SVP", shares, P, True, changed=changed), Compiled("SVP", shares, P, True)
        first = scenario.entered(rules, *cast[:2])
        second = scenario.crowd(rules, {step.outcome.state for step in first}, cast[2])
        third = scenario.end_of_one(rules, {step.outcome.state for step in second}, cast[0])
        yield rules, compiled, cast, first, second, third


def _of_two_groups(holds, changed):
    """All states that two groups reach, and in how many of them something holds."""
    found = on_states(TWO_GROUPS, changed=changed) + on_paths(PAIRS, 1000, changed=changed)
    return len(found), "state of two groups", sum(bool(holds(record.rules, record.outcome.state)) for record in found)


@check("thesis-5-025", changed=("M4 before M3",))
def guest_and_host(changed=()):
    """The scenario, and all that two groups can reach."""
    met, seen = Counter(), Counter()
    for rules, compiled, (g, h, i), first, second, third in _ways(changed):
        for step in first:
            seen["entry"] += 1
            met["entry"] += step.outcome.rule != "I3" or not scenario.is_entered(rules, step.outcome.state, g, h)
            met["library"] += step.outcome.state not in compiled.outcomes(step.before, g)
        for before, outcome, _ in second:
            seen["crowding"] += 1
            met["library"] += outcome.state not in compiled.outcomes(before, i)
            met["crowding"] += outcome.rule != "I4" or outcome.state[outcome.processor][i] != 2
        for before, outcome, left in third:
            seen["end"] += 1
            met["end"] += [move.rule for move in outcome.moves] != ["M3"]
            met["other end"] += not scenario.is_met(rules, outcome.state, g, h, i, left)
            met["library"] += outcome.state not in compiled.outcomes(before, g, left)
    number, noun, both = _of_two_groups(both_ways, changed)
    return conclude(
        none(seen["entry"], "entry", "made no guest by I3", met["entry"]),
        none(seen["crowding"], "additional job", "was not placed by I4", met["crowding"]),
        none(seen["end"], "end of a job", "was not followed by M3", met["end"]),
        none(seen["end"], "way", "ended otherwise than with guest and host", met["other end"]),
        none(seen.total(), "step", "went otherwise in the library", met["library"]),
        none(number, noun, "had a guest and a host in one", both),
        _as_printed("event in states of two groups", on_states(TWO_GROUPS, changed=changed)),
        whole=True,
    )


@check("thesis-5-137", changed=("I4 by all jobs",))
def guest_beside_others(changed=()):
    """One arrival more, and all that two groups can reach."""
    met = Counter()
    for rules, compiled, (g, h, _), _, _, third in _ways(changed):
        for _, outcome, q in third:
            found = arrival(rules, outcome.state, h)
            met["ways"] += 1
            met["choices"] += len(found) != 1
            met["another"] += any(
                each.rule != "I2"
                or [(move.rule, move.group, move.target) for move in each.moves] != [("I4", g, q)]
                or crowded(rules, each.state) != {q}
                for each in found
            )
            met["library"] += set(compiled.outcomes(outcome.state, h)) != {each.state for each in found}
    number, noun, both = _of_two_groups(crowded, changed)
    return conclude(
        none(met["ways"], "way", "left a choice", met["choices"]),
        none(met["ways"], "way", "ended otherwise than with a guest beside others", met["another"]),
        none(met["ways"], "way", "went otherwise in the library", met["library"]),
        none(number, noun, "had a guest beside others", both),
        whole=True,
    )


@check("thesis-5-026", changed=())
def remigration_first(changed=("M4 before M3",)):
    """Guests beside others, and loss, where M4 comes before M3."""
    three = tuple((P, shares) for P, shares in SMALL if len(shares) == 3)
    in_states = on_states(three, changed=changed)
    found = in_states + on_paths(tuple(systems((3, 4, 6, 10), (3, 4))), changed=changed)
    kinds = {"fully partitionable": True, "others": False}

    def of_kind(name):
        mine = [record for record in found if is_whole(record.rules) == kinds[name]]
        lost = [capacity_loss(record.outcome.state) for record in mine]
        mean = [
            np.mean([each for record, each in zip(mine, lost) if (record.load, record.rules.processors) == (load, 3)])
            for load in LOADS
        ]
        return {
            "beside": sum(bool(crowded(record.rules, record.outcome.state)) for record in mine),
            "lost": sum(each > 1e-12 for each in lost), "mean": exact(mean, load=LOADS),
        }  # fmt: skip

    def library(shares, load):
        """The loss by the library's simulator in the same reading."""
        return simulate_central(
            "SVP", migration=True, required_shares=[float(share) for share in shares], loads=[load / 3] * 3,
            processors=3, reading=reading, jumps=20_000, warmup=0, replications=1, seed=26,
        ).capacity_loss.value  # fmt: skip

    reading = changed[0] if changed else None
    by_simulator = cases("system", product((THIRDS, BROKEN[3]), LOADS)).measure(library)
    by_chain = exact_central(
        "SVP", migration=True, required_shares=(1 / 3,) * 3, loads=(0.1 / 3,) * 3, processors=3, reading=reading,
        most_jobs=5,
    ).capacity_loss  # fmt: skip
    measures = [of_kind(name) for name in kinds]
    beside, lost = (exact([each[key] for each in measures], kind=tuple(kinds)) for key in ("beside", "lost"))
    mean = exact([each["mean"].value for each in measures], kind=tuple(kinds), load=LOADS)
    return conclude(
        at_each("the number of outcomes with a guest beside others", beside, between(0, 0)),
        at_each("the number of outcomes with loss", lost, larger()),
        at_each("the mean loss on paths of three processors", mean, larger()),
        provided=[
            _as_printed("event", in_states),
            everywhere("the loss by the library's simulator", by_simulator, larger(1e-9)),
            everywhere("that by its chain at the load 0.1", exact(by_chain), larger(1e-9)),
        ],
        together="kind",
    )
