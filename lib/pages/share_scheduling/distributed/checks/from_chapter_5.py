"""Claims of `thesis`, Chapter 6, that recall Chapter 5: SVP against JSQ, and how far policies are apart in case 1."""

import itertools

import numpy as np

from compendium.press.clauses import aside, conclude, everywhere, exact, mostly, somewhere
from compendium.press.clauses.conditions import at_most, larger
from compendium.press.findings import check
from pages.share_scheduling.central.systems import LOCAL, POLICIES
from pages.share_scheduling.central.three_cases import LOSS, TEN
from pages.share_scheduling.conclusions.compared import EQUAL, WITH
from pages.share_scheduling.distributed.points.chapter_5 import MIGRATION, of_case
from pages.share_scheduling.distributed.points.stored import beside, extremes


@check("thesis-6-123", instead="HPRS")
def much_better(instead="SVP"):
    """SVP against JSQ where JSQ leaves something to be desired; the control has random splitting for SVP."""
    clauses, single, told = [], [], []
    for migration, word in MIGRATION.items():
        half, lower = {}, 0
        for case, local in itertools.product(TEN, LOCAL):
            found = of_case(case, migration, local, ("JSQ", instead))
            theirs, mine = found.at(policy="JSQ"), found.at(policy=instead)
            poor = (theirs.low() > EQUAL) & ~np.isnan(mine.value)
            half.setdefault(case, []).extend((mine.high() + theirs.half <= theirs.value / 2)[poor])
            lower += int((mine.high() + theirs.half < theirs.value)[poor].sum())
        every = exact(np.concatenate(list(half.values())), point=None)
        clauses.append(mostly(f"{word}, SVP's deviation is at most half of JSQ's", every))
        single += [np.mean(found) > 0.5 for found in half.values() if found]
        told += [aside(f"{word}, of {len(found)} points of {case} it is so at", exact(sum(found)))
                 for case, found in half.items()]  # fmt: skip
        told.append(aside(f"{word}, at how many points it is lower", exact(lower)))
    in_some = somewhere("it is so at most points of a case", exact(single, case=None))
    return conclude(*clauses, in_some, *told)


def spread(migration, local, instead="HP"):
    """How far the policies are apart in case 1, at each load; another one may stand in for HP."""
    policies = tuple(instead if policy == "HP" else policy for policy in POLICIES)
    most, least = extremes(of_case("case 1", migration, local, policies), "policy")
    return most - least


@check("thesis-6-142", instead="HPRS")
def little_difference(instead="HP"):
    """How far apart the policies are in case 1 with migration; the control has random splitting for HP."""
    lost = of_case("case 1", WITH, "GPPS", POLICIES, LOSS).at(load=0.8)
    return conclude(
        everywhere("the largest deviation less the smallest, with migration and GPPS,",
                   spread(WITH, "GPPS", instead).at(load=0.8), at_most("close")),
        everywhere("the loss there", exact(lost.value, policy=POLICIES), at_most(EQUAL)),
        *(aside(f"the largest such difference at any load {word} and with {local}",
                exact(np.nanmax(spread(migration, local, instead).value)))
          for (migration, word), local in itertools.product(MIGRATION.items(), LOCAL)),
        whole=True,
    )  # fmt: skip


@check("thesis-6-170", case="case 2")
def shortest_queue_better(case="case 1"):
    """JSQ against SVP at load 0.8; the control has unequal loads."""
    place = {"load": 0.8} if case == "case 1" else {"fraction": 0.24}
    less, told = {}, []
    for (migration, word), local in itertools.product(MIGRATION.items(), ("GPPS", "PS")):
        found = of_case(case, migration, local, ("JSQ", "SVP"))
        gap = found.at(policy="SVP").less(found.at(policy="JSQ"), np.add)
        less[word, local] = gap.at(**place)
        told += [aside(f"the deviations {word} and with {local}", found.at(**place)),
                 aside(f"at how many points that of JSQ is lower {word} and with {local}",
                       exact(np.sum(gap.low() > EQUAL)))]  # fmt: skip
    without, both = "without migration", beside("way", {word: less[word, "GPPS"] for word in MIGRATION.values()})
    return conclude(
        everywhere(f"{without}, the deviation of SVP, less that of JSQ,", less[without, "GPPS"], larger(EQUAL)),
        everywhere("that difference, without migration and with it,", both, larger(EQUAL)),
        *told,
    )
