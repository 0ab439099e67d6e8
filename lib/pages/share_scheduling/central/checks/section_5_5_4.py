"""Claims of `thesis`, Section 5.5.4: what each rule of Dynamic Vertical Partitioning does, and what it keeps."""

import itertools
from collections import Counter
from fractions import Fraction as F

import numpy as np

from clustershare.dispatch import exact_central
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, fact, mended, none
from compendium.press.clauses.conditions import between, equal, larger
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import simulated
from pages.share_scheduling.central.points.by_case import DEVIATION, LOSS
from pages.share_scheduling.central.printed.rules import Rules, placement
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.central.witnesses.as_printed import chain_as_printed
from pages.share_scheduling.central.witnesses.compiled import Compiled, library, unlike
from pages.share_scheduling.central.witnesses.dynamic import (
    WHOLE,
    apart,
    arrivals,
    choices,
    holding,
    random_states,
    rates_in_order,
)
from pages.share_scheduling.central.witnesses.guests import BROKEN, HALVES, LOADS, MOST_JOBS, PATHS, on_states
from pages.share_scheduling.central.witnesses.no_loss import no_loss_at_all
from pages.share_scheduling.central.witnesses.reached import path, reached
from pages.share_scheduling.central.witnesses.states import groups_there, in_system_balance


def other_reading(policy, reading):
    """What another reading of the rules with migration changes, said beside."""
    worst = points.reading_apart(policy, reading)
    return aside(f"what the reading {reading!r} of {policy} changes of the deviation at most",
                 exact(list(worst.values()), local_policy=tuple(worst)))  # fmt: skip


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
            fewest = min(jobs[p][g] for p in own)
            first = {p for p in own if jobs[p][g] == fewest}
            dropped = rule == "I2" and len(first) == 1
            wrong[f"{rule} fewest"] += not chosen.isdisjoint(first) if dropped else not chosen <= first
    return conclude(
        none(seen["I4"], "arrival under I4", "stayed in the subset that could grow", wrong["I4"]),
        none(seen["I3"], "arrival under I3", "left the subset", wrong["I3"]),
        none(seen["I3"], "arrival under I3", "passed over the fewest jobs of the group", wrong["I3 fewest"]),
        none(seen["I2"], "arrival under I2", "left the subset", wrong["I2"]),
        none(seen["I2"], "arrival under I2", "went to the processor that is left", wrong["I2 fewest"]),
        everywhere("the number of arrivals under a rule", exact([seen[r] for r in ("I2", "I3", "I4")], rule=None),
                   larger(100)),
        whole=True,
    )  # fmt: skip


@check("thesis-5-089", more=0)
def another_processor_is_left(more=1):
    """Groups that obtain a processor too much, and on how many they are."""
    much, unlike = [], 0
    for rules, jobs in itertools.chain(random_states(), _of_four(2)):
        for g, share in enumerate(rules.shares):
            if rules.obtained(jobs, g) >= share + F(more, rules.processors):
                much.append(len(holding(jobs, g)) < share * rules.processors + 1)
                unlike += choices(library(rules), jobs, g) != {p for _, p in placement(rules, jobs, g)[1]}
    used = Counter()
    for seed, ((P, shares), load, local) in enumerate(itertools.product(PATHS, LOADS, LOCAL)):
        rules = Rules("DVP", shares, P, seed % 3 == 0, local, changed=() if more else ("I2 from r",))
        used.update(step.outcome.rule for step in path(rules, (load / len(shares),) * len(shares), 200, seed))
    without = used["I2 without a candidate"]
    uses = used["I2"] + without
    return conclude(
        none(len(much), "group with so much", "was on too few processors", sum(much)),
        none(uses, "use of I2", "was without a candidate", without),
        none(len(much), "group with so much", "has other processors to choose from in the library", unlike),
        everywhere("the number of both", exact([len(much), uses], kind=None), larger(100)),
        whole=True,
    )


def _of_four(processors):
    """Random states of four groups on so few processors that some of them require less than a whole one."""
    rules, rng = Rules("DVP", BROKEN[4], processors, local="GPPS"), np.random.RandomState(89)
    for numbers in np.maximum(rng.randint(-3, 4, (500, processors, 4)), 0).tolist():
        yield rules, tuple(map(tuple, numbers))


@check("thesis-5-090", reading="plain sums")
def exact_comparison(reading=None):
    """A group alone on k - 1, k and k + 1 processors: by which rule the library places its next job."""

    def wrong(reading):
        found = Counter()
        for P, local in itertools.product(range(2, 31), LOCAL):
            for k in range(1, P):
                compiled = Compiled("DVP", (k / P, 1 - k / P), P, local=local, reading=reading)
                for held, rule in ((k - 1, "I4"), (k, "I3"), (k + 1, "I2")):
                    found["seen"] += 1
                    found["wrong"] += _rule_taken(compiled, P, held) != rule
        return found

    def changed(quantity):
        shares = (0.5, 0.6, 0.7, 0.8, 0.9)
        own, other = (
            points.of_rows(simulated.along("share", shares, False, policies=("DVP",), **reading), "share", quantity)
            for reading in ({}, {"reading": "plain sums"})
        )
        return (own - other).distance().value.max()

    found = wrong(reading)
    return conclude(
        none(found["seen"], "case", "was not placed by the rule expected", found["wrong"]),
        chain_as_printed(("DVP",), [(3, (F(1, 3), F(2, 3)))], (False,)),
        *([] if reading else [aside("how many are not by plain sums", exact(wrong("plain sums")["wrong"]))]),
        aside("what these change at most", cases("quantity", (LOSS, DEVIATION)).measure(changed)),
        whole=True,
    )


def _rule_taken(compiled, P, held):
    """The rule by which a job of group 1 was placed, with 1, 2, 3, 3, ... jobs of it on the first processors."""
    own = [(min(p + 1, 3), 0) for p in range(held)]
    rest = [(0, 1)] * (P - held)
    if rest:
        rest[-1] = (0, 0)  # the only processor that I4 may choose
    (after,) = compiled.outcomes((*own, *rest), 0)
    (p,) = [p for p, row in enumerate(after) if row != (*own, *rest)[p]]
    return "I4" if p >= held else "I3" if p == 0 else "I2"


@check("thesis-5-091", changed=("any group",))
def whose_job_moves(changed=()):
    """The groups of the jobs that M1 moves, by the printed rules and in the library."""

    def moved(changed):
        """Events with a move by M1, and those with another group's job: by the printed rules, and in the library."""
        places, others, unlike = set(), set(), set()
        for record in on_states(policy="DVP", changed=changed):
            if any(move.rule == "M1" for move in record.outcome.moves):
                rules, event = record.rules, (record.before, record.group, record.processor)
                place = (rules.shares, rules.processors, rules.local, *event)
                if place not in places and any(
                    not _was_short(rules, record.left, to)
                    for to in library(Rules("DVP", rules.shares, rules.processors, True, rules.local)).outcomes(*event)
                ):
                    unlike.add(place)
                places.add(place)
                if not _was_short(rules, record.left, record.outcome.state):
                    others.add(place)
        return len(places), len(others), len(unlike)

    seen, others, unlike = moved(changed)
    return mended(
        # As printed, p is no processor that was chosen: "present on processor p" has no meaning there.
        fact("M1 can be followed as printed", False, "as printed, M1 speaks of a processor that was not chosen"),
        none(seen, "move by M1", "was of a job of another group", others),
        none(seen, "move by M1", "was of a job of another group in the library", unlike),
        chain_as_printed(("DVP",), [(3, BROKEN[2])], (True,)),
        *([] if changed else [
            aside("of another group's job by the other reading", exact(moved(("any group",))[1])),
            other_reading("DVP", "M1 any group"),
        ]),
    )  # fmt: skip


def _was_short(rules, left, after):
    """Whether the job that moved is of a group that obtained less than it should."""
    g = next(g for p, row in enumerate(after) for g in range(len(row)) if row[g] > left[p][g])
    return rules.obtained(left, g) < rules.feasible(left, g)


@check("thesis-5-097", policies=("JSQ",))
def only_when_idle(policies=("SVP", "DVP")):
    """What the printed rules and the library do where a departure leaves the processor busy."""
    found = [record for policy in policies for record in _leave_it_busy(policy)]
    moves = sum(bool(record.outcome.moves) or _moves(record) for record in found)
    ended = sum(in_system_balance(record.before) and not in_system_balance(record.outcome.state) for record in found)
    others = {policy: _leave_it_busy(policy) for policy in ("JSQ", "HP")}
    events, different = unlike([record for records in others.values() for record in records])
    return conclude(
        none(len(found), "departure from a processor that stays busy", "was followed by a migration", moves),
        fact("some end system balance", ended > 0, "none ends system balance"),
        none(events, "such departure under JSQ and HP", "has other outcomes in the library", different),
        *(
            fact(f"{policy} migrates after some of them", any(map(_moves, records)),
                 f"{policy} migrates after none of them")
            for policy, records in others.items()
        ),
        *(other_reading(policy, "every departure") for policy in policies if policy != "JSQ"),
        whole=True,
    )  # fmt: skip


def _leave_it_busy(policy):
    """The departures that leave a processor busy, in all states with a few jobs."""
    return [
        record for record in on_states(policy=policy)
        if record.processor is not None and any(record.left[record.processor])
    ]  # fmt: skip


def _moves(record):
    """Whether a job may migrate in the library after a departure."""
    return set(library(record.rules).outcomes(record.before, record.group, record.processor)) != {record.left}


@check("thesis-5-027", without=("I1",))
def nothing_lost(without=()):
    """Events that lead to a loss, and groups under each migration rule; the library's paths and the stored points."""
    states = {(record.rules, record.before) for record in on_states(policy="DVP", without=without)}
    unlike = [_rules_for(rules, jobs, h) != 1 for rules, jobs in states for h in range(len(rules.shares))]
    return conclude(
        *no_loss_at_all("DVP", without, seed=27),
        none(len(unlike), "group in a state", "was under no migration rule or two", sum(unlike)),
        whole=True,
    )


def _rules_for(rules, jobs, h):
    """How many of M1, M2 and M3 speak of a group."""
    obtained, feasible = rules.obtained(jobs, h), rules.feasible(jobs, h)
    much = rules.shares[h] + F(1, rules.processors)
    return (obtained < feasible) + (feasible <= obtained < much) + (obtained >= much)


def apart_by_chains(P, shares, both):
    """How far loss and deviations of two pairs of policy and local policy are apart, by the library's chains."""
    required = np.array(shares, float)
    found = (
        exact_central(policy, local=local, required_shares=required, loads=0.2 * required, processors=P, most_jobs=6)
        for policy, local in both
    )
    return np.abs(np.diff([(each.capacity_loss, *each.group_share_deviation) for each in found], axis=0)).max()


@check("thesis-5-028", systems=((3, HALVES),))
def like_the_static_one(systems=WHOLE):
    """Rates of the numbers in order under DVP and SVP, who meets, and the stored points."""

    def measures(P, shares, local):
        dynamic, static = (Rules(policy, shares, P, local=local) for policy in ("DVP", "SVP"))
        one, states = rates_in_order(dynamic), list(reached(dynamic, MOST_JOBS))
        return {
            "gap": max(apart(one, other) for other in (one, rates_in_order(static), rates_in_order(dynamic, True))),
            "meeting": sum(any(groups_there(row) > 1 for row in jobs) for jobs in states),
            "more": sum(
                any(len(holding(jobs, g)) > share * P for g, share in enumerate(shares)) for jobs in states
            ),
        }  # fmt: skip

    def by_chains(P, shares, local):
        return apart_by_chains(P, shares, (("DVP", local), ("SVP", local)))

    every = [(*system, local) for system in systems for local in LOCAL]
    found, few = cases("system", every).measure(measures), [each for each in every if each[0] <= 3]
    return conclude(
        everywhere("loss and deviations under DVP and under SVP by the library's chains",
                   cases("system", few).measure(by_chains), equal(1e-9)),
        everywhere("the rates under DVP and under SVP, printed and in the library,", found["gap"], equal(1e-12)),
        everywhere("the number of states in which groups meet", found["meeting"], between(0, 0)),
        everywhere("that in which a group is on more processors than it requires", found["more"], between(0, 0)),
        points.alike_in_whole_processors(lambda each: each.at(policy="DVP") - each.at(policy="SVP")),
        whole=True,
    )  # fmt: skip


@check("thesis-5-139", systems=((3, HALVES),))
def local_policy(systems=WHOLE):
    """Rates of DVP with PS and with GPPS, and the stored points."""

    def gap(P, shares):
        one, *others = (
            rates_in_order(Rules("DVP", shares, P, local=local), by_library)
            for local, by_library in itertools.product(LOCAL, (False, True))
        )
        return max(apart(one, other) for other in others)

    def by_chains(P, shares):
        return apart_by_chains(P, shares, (("DVP", "PS"), ("DVP", "GPPS")))

    return conclude(
        everywhere("the rates with PS and with GPPS, printed and in the library,",
                   cases("system", systems).measure(gap), equal(1e-12)),
        everywhere("loss and deviations with PS and with GPPS by the library's chains",
                   cases("system", [each for each in systems if each[0] <= 3]).measure(by_chains), equal(1e-9)),
        points.alike_in_whole_processors(lambda each: each.at(policy="DVP", local_policy="PS")
                                  - each.at(policy="DVP", local_policy="GPPS")),
        whole=True,
    )  # fmt: skip
