"""Claims of `thesis`, Section 6.7.7: preferences for a group's own processors."""

import itertools
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np

from clustershare import dispatch, splitting
from clustershare.run_length import RunLength
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, fact, somewhere
from compendium.press.clauses.conditions import agrees, at_most, between, equal, falls, larger, short_of, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points.by_case import HIGH
from pages.share_scheduling.conclusions.points.compared import EQUAL
from pages.share_scheduling.distributed.points.chapter_5 import MIGRATION, of_case
from pages.share_scheduling.distributed.points.preferences import (
    BELOW,
    OTHERS,
    PAIRS,
    PROCESSORS,
    VERTICAL,
    chosen,
    confined,
    follows,
    of_jsq,
    of_others,
    path,
    setting,
    subset,
)
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, WORDS, beside, largest_of
from pages.share_scheduling.distributed.systems import ALL_CASES, CASES, LIMITS, POLICIES, PREFERENCES
from pages.share_scheduling.distributed.witnesses import followed
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork

EXACT_ZERO = 0.004  # the half width asked of a row of Chapter 6
EVENTS_OF_EACH = 250


@check("thesis-6-170", case="case 2")
def shortest_queue_better(case="case 1"):
    """JSQ against SVP in case 1, with migration at load 0.8; the control has unequal loads."""
    place = {"load": 0.8} if case == "case 1" else {"fraction": 0.24}
    busy = {"load": HIGH} if case == "case 1" else {"fraction": (0.24,)}
    less, told = {}, []
    for (migration, word), local in itertools.product(MIGRATION.items(), ("GPPS", "PS")):
        found = of_case(case, migration, local, ("JSQ", "SVP"))
        gap = less[word, local] = found.at(policy="SVP").less(found.at(policy="JSQ"), np.add)
        told += [aside(f"the deviations {word} and with {local}", found.at(**place)),
                 aside(f"at how many points that of JSQ is lower {word} and with {local}",
                       exact(np.sum(gap.low() > EQUAL)))]  # fmt: skip
    without, both = "without migration", beside("way", {word: less[word, "GPPS"] for word in MIGRATION.values()})
    alone = beside("local policy", {local: less[without, local] for local in ("GPPS", "PS")})
    return conclude(
        everywhere(f"{without}, the deviation of SVP, less that of JSQ,", alone.at(**busy), larger(EQUAL)),
        everywhere("that difference, without migration and with it,", both.at(**place), larger(EQUAL)),
        *told,
    )


@check("thesis-6-036", limit=4)
def small_reduction(limit=1):
    """Case 1: how far below the three other pairs VP/VP is; the control asks four."""
    vertical, others = (each.at(limit=limit) for each in chosen(limits=(limit,)))
    return conclude(
        at_each(f"the deviation of another pair, less that of VP/VP, with {limit} asked", others - vertical, larger(),
                at_most("close")),
        aside("that of VP/VP", vertical),
    )  # fmt: skip


@check("thesis-6-037", departures=True)
def worse_with_three_or_four(departures=False):
    """Case 1: where VP/VP is above the other pairs; in the control departures ask with VP preference too."""
    vertical, others = chosen(limits=(3, 4), departures=departures)
    return conclude(at_each("the deviation of VP/VP, less that of another pair,", vertical - others, larger()),
                    aside("that of VP/VP", vertical))  # fmt: skip


@check("thesis-6-038", exchanged=True)
def clearly_better(exchanged=False):
    """Case 2: how far below the others VP/VP is; the control looks for the reverse."""
    vertical, others = chosen(case=2)
    more = vertical - others if exchanged else others - vertical
    rest = chosen(case=2, limits=(0, 5, 6, 7, 8, 9))
    return conclude(
        at_each("the deviation of another pair, less that of VP/VP,", more, larger("clear")),
        aside("the largest difference with none, or five to nine, asked", (rest[1] - rest[0]).largest("pair")),
        aside("the difference if departures ask with VP preference too", others - chosen(case=2, departures=True)[0]),
    )


@check("thesis-6-039", case=1)
def unstable(case=2):
    """Group 2 with VP/VP: its deviation and the growth of its number; the control is case 1."""
    limits, alone = (0, *BELOW), splitting.vertical(*CASES[case], PROCESSORS)

    def at(quantity, **other):
        return of_jsq(quantity, case, 1, **other).at(pair=VERTICAL, limit=limits)

    others = {
        "without migration": [at(name, migration=False) for name in (DEVIATION, "growth")],
        "if departures ask with VP preference too": [confined(name, case, 1).at(limit=limits)
                                                     for name in (DEVIATION, "growth")],
    }  # fmt: skip
    return conclude(
        at_each("the deviation of group 2", at(DEVIATION), within("practically equal")),
        at_each("the growth of its number per unit of time", at("growth"), larger()),
        together="limit",
        provided=[
            *(everywhere(f"that deviation {where}", missed, within("practically equal"))
              for where, (missed, _) in others.items()),
            *(everywhere(f"that growth {where}, less 1,", growth - 1.0, agrees())
              for where, (_, growth) in others.items()),
            everywhere("without probing, exactly, that deviation", exact(alone.group_share_deviation[1]),
                       within(1e-12)),
            fact("without probing its number grows for ever", bool(np.isinf(alone.mean_jobs[1])),
                 "without probing its number does not grow for ever"),
        ],
    )  # fmt: skip


@check("thesis-6-040", group=1, migration=False)
def all_of_its_subset_known(group=0, migration=True):
    """Delta_1 with four asked; the control looks at group 2 without migration, of which some job always waits."""

    def at(index, **other):
        return of_jsq(DEVIATION, 2, index, **other).at(pair=VERTICAL, limit=4)

    return conclude(
        everywhere(
            f"the deviation of group {group + 1}", at(group, **({} if migration else {"migration": False})), agrees()
        ),
        aside("the larger deviation of both", at(None)),
        aside("that of group 1 if departures ask with VP preference too", confined(DEVIATION, 2, 0).at(limit=4)),
        aside("that of group 1 without migration", at(0, migration=False)),
        aside("the loss of five processors by themselves", exact(five_alone())),
    )


def five_alone():
    """The loss of five processors by themselves at load 0.4 under JSQ without migration, which knows no groups."""
    found = dispatch.simulate_central(
        policy="JSQ", local="PS", migration=False, required_shares=(0.5, 0.5), loads=(0.2, 0.2), processors=5,
        jumps=400_000, warmup=10_000, replications=8, seed=640,
    )  # fmt: skip
    return found.capacity_loss.value


def _clearly_ahead(more):
    """At how many limits a pair is clearly lower than all others, in the case where it is so at the fewest: by pair."""
    fewest = []
    for each in more.values():
        wide = each.widened(len(PAIRS) * each.asked)
        fewest.append(larger("clear").inside(-each, wide, wide).all(axis=-1).sum(axis=-1).min())
    return exact(fewest, pair=tuple(more))


@check("thesis-6-042", narrow=True)
def none_outperforms(narrow=False):
    """Where each pair is beaten; the control is case 2 with one to four asked and without migration."""
    which, limits = ((2,), BELOW) if narrow else (ALL_CASES, LIMITS[1:])
    other, more = {"migration": False} if narrow else {}, {}
    for name in (DEVIATION, LOSS):
        found = beside("case", {case: of_jsq(name, case, **other).at(limit=limits) for case in which})
        rest = {pair: found.at(pair=tuple(p for p in PAIRS if p != pair)) for pair in PAIRS}
        more[name] = {pair: found.at(pair=pair) - rest[pair] for pair in PAIRS}
    worse = [np.sum(each.low(each.widened(len(PAIRS) * each.asked)) > 0) for each in more[LOSS].values()]
    return conclude(
        *(
            somewhere(f"the deviation of {pair}, less that of another pair,", each, larger())
            for pair, each in more[DEVIATION].items()
        ),
        aside("at how many points the loss is above that of another pair", exact(worse, pair=PAIRS)),
        provided=[
            everywhere(f"the limits at which {word} of a pair is clearly below all others, in the case of the fewest,",
                       _clearly_ahead(more[name]), within(0))
            for name, word in WORDS.items()
        ],
    )  # fmt: skip


@check("thesis-6-167", limits=(9,))
def can_matter(limits=LIMITS):
    """The largest differences between pairs; in the control all others are asked."""
    clauses, alone = [], []
    for quantity, word in ((DEVIATION, "the deviation"), (LOSS, "the loss")):
        found = beside("case", {case: of_jsq(quantity, case).at(limit=limits) for case in ALL_CASES})
        for which, pair in (("arrival", "{1}/{0}"), ("probing", "{0}/{1}")):
            changed = {kept: found.at(pair=pair.format(kept, "HP")) - found.at(pair=pair.format(kept, "VP"))
                       for kept in PREFERENCES}  # fmt: skip
            alone.append(somewhere(f"what the {which} preference alone changes in {word}",
                                   beside("other preference", changed).distance(), larger()))  # fmt: skip
        more = found - replace(
            found, axes=tuple(("other pair" if noun == "pair" else noun, at) for noun, at in found.axes)
        )
        clauses += [somewhere(f"{word} of a pair, less that of another pair,", more, larger("clear")),
                    largest_of(f"the largest difference of {word}", more)]  # fmt: skip
    return conclude(*clauses, provided=alone)


@check("thesis-6-169", limits=(9,))
def capacity_unused(limits=BELOW):
    """Case 1: the loss of VP/VP against the other pairs; in the control all are known."""
    vertical, others = chosen(LOSS, limits=limits)
    one, rest = chosen(DEVIATION, limits=[limit for limit in limits if limit > 2])
    stay = of_jsq(LOSS, migration=False).at(limit=limits)
    return conclude(
        at_each("the loss of VP/VP, less that of another pair,", vertical - others, larger()),
        at_each("that difference", vertical - others, larger("much")),
        at_each("the deviation of VP/VP, less that of another pair,", one - rest, larger()),
        *(aside(f"the loss of {pair}", of_jsq(LOSS).at(pair=pair, limit=limits)) for pair in PAIRS),
        aside("the loss of VP/VP if departures ask with VP preference too", confined(LOSS).at(limit=limits)),
        *(aside(f"the loss of {pair} without migration", stay.at(pair=pair)) for pair in PAIRS),
    )


def subset_loss_apart(limit, pair=VERTICAL, jumps=300):
    """How far the simulator's loss within the subset of group 1 in case 2 is from that of a path of the plain loop."""
    run = {"jumps": jumps, "warmup": 0, "replications": 1, "seed": limit}
    system, own, lost = setting("JSQ", 2, limit, pair), subset(0), 0.0
    plain = PrintedNetwork(system, RunLength(**run).generators()[0])
    while plain.jumps < jumps:
        before, jobs = plain.now, [sum(plain.there(p)) for p in own]
        plain.step()
        lost += (plain.now - before) * (min(sum(jobs), len(own)) - np.count_nonzero(jobs)) / PROCESSORS
    found = dispatch.simulate_distributed(**followed.arguments(system), **run)
    return found.subset_loss.value[0] - lost / plain.now


@check("thesis-6-171", pair="HP/HP")
def no_loss_within(pair=VERTICAL):
    """Case 2: the loss within the subset of group 1; the control has HP for both."""

    def at(quantity, **other):
        return of_jsq(quantity, 2, 0, **other).at(pair=pair, limit=BELOW)

    return conclude(
        at_each("the loss within the subset of group 1", at("subset_loss").steps("limit"), falls()),
        at_each("that loss with four asked", at("subset_loss").at(limit=4), at_most(EXACT_ZERO)),
        aside("that loss", at("subset_loss")),
        aside("half the deviation of group 1", at(DEVIATION).scaled(0.5)),
        aside("that loss without migration", at("subset_loss", migration=False)),
        provided=[everywhere("that loss, as the simulator answers, and on a path of the plain loop",
                             cases("limit", BELOW).measure(lambda limit: subset_loss_apart(limit, pair)), equal(1e-9))],
    )  # fmt: skip


@check("thesis-6-172", vertical_too=False)
def only_both(vertical_too=True):
    """Case 2 against HP/HP; the control has HP/HP in place of VP/VP."""
    vertical, others = chosen(case=2)
    plain, mixed = others.at(pair="HP/HP"), others.at(pair="HP/HP") - others.at(pair=("HP/VP", "VP/HP"))
    both = plain - (vertical if vertical_too else plain)
    apart = others.at(pair=("HP/VP", "VP/HP")) - vertical
    wide = both.widened(mixed.asked + both.asked)
    clear = (mixed.low(wide) >= SCALE["clear"].least).all(axis=-1).any()
    return conclude(
        at_each("what a mixed pair takes from the deviation of HP/HP", mixed, short_of("clear")),
        at_each("what VP/VP takes from it", both, larger("clear")),
        at_each("what mixed pairs deviate more than VP/VP", apart, larger()),
        *(aside(f"what {pair} takes from it", mixed.at(pair=pair)) for pair in ("HP/VP", "VP/HP")),
        aside("at how many points a mixed pair is better at all", exact(np.sum(mixed.low(wide) > 0))),
        provided=[
            fact("VP/VP is better somewhere", bool((both.low(wide) > 0).any()), "VP/VP is better nowhere"),
            fact("no mixed pair is clearly better everywhere", not clear, "a mixed pair is clearly better everywhere"),
            *(
                somewhere(f"what {pair} deviates more than VP/VP", apart.at(pair=pair), larger())
                for pair in ("HP/VP", "VP/HP")
            ),
        ],
    )


@check("thesis-6-173", exchanged=True)
def other_policies_too(exchanged=False):
    """HP, SVP and DVP: VP/VP less HP/HP in case 1, and the reverse in case 2; the control exchanges the cases."""
    first, second = (2, 1) if exchanged else (1, 2)
    more = {case: of_others(VERTICAL, case=case) - of_others("HP/HP", case=case) for case in (1, 2)}
    return conclude(
        at_each(
            f"in case {first}, the deviation of VP/VP, less that of HP/HP,", more[first].at(limit=(3, 4)), larger()
        ),
        at_each(f"in case {second}, that of HP/HP, less that of VP/VP,", -more[second], larger("clear")),
        *(aside(f"the second difference of {policy}", (-more[second]).at(policy=policy)) for policy in OTHERS),
        provided=[everywhere("that difference", -more[second], larger())],
    )


def taken(settings):
    """A clause: the library takes the paths of the plain loop."""
    return everywhere("the library takes the path of the plain loop", cases("setting", settings).measure(follows))


def rest_is_asked(limit):
    """Whether by the library's law a job in its own subset of five has all others of it asked, and nobody else."""
    shares = (Fraction(1, 2), Fraction(1, 2))
    return all(
        dispatch.probe_law("VP", required_shares=shares, processors=PROCESSORS, group=g, own=own, probe_limit=limit)
        == [Fraction(p in subset(g) - {own}) for p in range(PROCESSORS)]
        for g in (0, 1) for own in subset(g)
    )  # fmt: skip


@check("thesis-6-041", pair="HP/VP")
def four_are_the_rest(pair=VERTICAL):
    """Probe sets upon arrival on paths; the control has HP arrival preference."""
    found = Counter()
    for case, limit in itertools.product((1, 2), (4, 3)):
        for event in path("JSQ", case, limit, pair):
            if event.what == "probes" and event.probing.why == "arrival":
                asked, rest = set(event.probing.others), subset(event.job.group) - {event.processor}
                found.update({f"with {limit} asked": 1, f"rest with {limit}": asked == rest,
                              "own": event.processor in asked,
                              "outside": event.processor not in subset(event.job.group)})  # fmt: skip
    return conclude(
        fact("with four asked they are the rest of the subset, always", found["rest with 4"] == found["with 4 asked"],
             "with four asked they are not always the rest of the subset"),
        fact("with three asked they never are", not found["rest with 3"], "with three asked they are sometimes"),
        fact("by the law of the probe set they are so with four, and not with three",
             rest_is_asked(4) and not rest_is_asked(3), "by the law of the probe set they are not so with four alone"),
        everywhere("how often the own processor is asked", exact(found["own"]), between(0, 0)),
        everywhere("how many jobs arrive outside their subset", exact(found["outside"]), between(0, 0)),
        taken([("JSQ", case, limit, pair) for case in (1, 2) for limit in (3, 4)]),
        aside("the arrivals", exact(found["with 3 asked"] + found["with 4 asked"])),
        whole=True,
    )  # fmt: skip


@check("thesis-6-166", policies=("SVP",))
def set_is_where_jobs_go(policies=("JSQ", "HP", "DVP")):
    """Placements outside the probe set and the own processor, on paths; in the control of SVP alone."""
    outside, rules, number = Counter(), set(), 0
    every = tuple(dict.fromkeys((*policies, "SVP")))
    for policy, pair, case, limit in itertools.product(every, PAIRS, ALL_CASES, LIMITS):
        for event in path(policy, case, limit, pair, EVENTS_OF_EACH):
            if event.what == "places":
                number += 1
                gone = event.other != event.processor and event.other not in event.known
                outside[policy] += gone and (policy in policies or pair.startswith("HP"))
                rules |= {event.rule} if gone and policy == "SVP" else set()
    counted = exact([outside[policy] for policy in every], policy=every)
    return conclude(
        everywhere("the number of placements outside the probe set", counted.at(policy=policies), between(0, 0)),
        everywhere("that under SVP with HP arrivals", counted.at(policy="SVP"), larger()),
        fact("all of them are by rule I5", rules == {"I5"}, "they are by other rules than I5"),
        taken([(policy, 3, 2, pair, 1000) for policy in POLICIES for pair in PAIRS]),
        *(everywhere(f"in the runs of case {case}, JSQ's placements where nothing is known",
                     of_jsq("placed_unknown", case), between(0, 0)) for case in ALL_CASES),
        *(everywhere(f"those of HP and DVP with {pair} in case {case}",
                     of_others(pair, "placed_unknown", case).at(policy=("HP", "DVP")), between(0, 0))
          for pair in ("HP/HP", VERTICAL) for case in (1, 2)),
        *(everywhere(f"those of SVP with HP/HP in case {case}",
                     of_others("HP/HP", "placed_unknown", case).at(policy="SVP"), larger()) for case in (1, 2)),
        aside("the number of placements", exact(number)),
        whole=True,
    )  # fmt: skip


@check("thesis-6-168", limits=(5,))
def always_at_home(limits=(0, *BELOW)):
    """Placements outside a job's subset on paths with VP/VP; the control asks five."""
    outside, moved = [], []
    for case, limit in itertools.product((1, 2), limits):
        for event in path("JSQ", case, limit):
            if event.what == "places":
                outside.append(event.other not in subset(event.job.group))
            elif event.what == "sends" and event.message.kind == "job migration":
                moved.append(event.message.receiver not in subset(event.job.group))
    return conclude(
        everywhere(f"of {len(outside)} placements, those outside the subset", exact(sum(outside)), between(0, 0)),
        taken([("JSQ", case, limit) for case in (1, 2) for limit in limits]),
        *(everywhere(f"in the runs of case {case}, the part of the placements within the subset, less 1,",
                     of_jsq("placed_in_subset", case).at(pair=VERTICAL, limit=limits) - 1.0, within(1e-9))
          for case in (1, 2)),
        aside(f"of {len(moved)} migrations, those that lead out of it", exact(sum(moved))),
        whole=True,
    )  # fmt: skip
