"""Claims of `thesis`, Sections 6.3, 6.4.3 and 6.7.7: where jobs arrive and whom they ask, on recorded paths."""

import itertools
import random
from collections import Counter
from fractions import Fraction

from clustershare import dispatch
from compendium.press.clauses import aside, cases, conclude, everywhere, exact, fact
from compendium.press.clauses.conditions import agrees, between, larger
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.preferences import (
    BELOW,
    PAIRS,
    PROCESSORS,
    VERTICAL,
    arrivals_apart,
    follows,
    path,
    subset,
)
from pages.share_scheduling.distributed.points.stored import beside
from pages.share_scheduling.distributed.printed.rules import whole_parts
from pages.share_scheduling.distributed.systems import ALL_CASES, CASES, LIMITS, POLICIES

EVENTS_OF_EACH = 250


def systems(seed, number=100):
    """Random systems in fractions: shares of 2 to 6 groups, and 1 to 30 processors."""
    rng = random.Random(seed)
    for _ in range(number):
        weights = [rng.randint(1, 12) for _ in range(rng.randint(2, 6))]
        yield tuple(Fraction(each, sum(weights)) for each in weights), rng.randint(1, 30)
    for shares, _ in CASES.values():
        yield tuple(map(Fraction, shares)), PROCESSORS


def arrivals(preference, law):
    """A clause: rates of arrivals by group and processor agree with a law, in all cases, whoever is asked."""
    return everywhere("the arrivals of stored paths by group and processor, less the law,", beside("case", {
        case: beside("way", {
            f"{probing} {limit}": arrivals_apart(case, f"{preference}/{probing}", limit,
                                                 law(tuple(map(Fraction, CASES[case][0]))))
            for probing, limit in itertools.product(("HP", "VP"), (0, 3))
        }) for case in ALL_CASES
    }), agrees())  # fmt: skip


def taken(settings):
    """A clause: the library takes the paths of the plain loop."""
    return everywhere("the library takes the path of the plain loop", cases("setting", settings).measure(follows))


@check("thesis-6-004", by_processors=True)
def in_its_own_subset(by_processors=False):
    """The law, in fractions, and what arrived; in the control X_gp is divided by P alone."""

    def law(shares, processors=PROCESSORS):
        parts = whole_parts(shares, processors)
        return [[x / (processors if by_processors else r * processors) for x in row] for r, row in zip(shares, parts)]

    def holds(shares, processors):
        found, parts, load = law(shares, processors), whole_parts(shares, processors), Fraction(4, 5)
        each = [sum(load * r * processors * row[p] for r, row in zip(shares, found)) for p in range(processors)]
        return (
            all(sum(row) == 1 for row in found)
            and all((value > 0) == (x > 0) and value >= 0 for row, xs in zip(found, parts) for value, x in zip(row, xs))
            and all(at == load for at in each)
            and found == dispatch.arrival_law("VP", shares, processors).tolist()
        )

    every = cases("system", systems(4)).measure(holds)
    return conclude(everywhere("each group's jobs arrive in its own subset, and load all processors alike", every),
                    arrivals("VP", law), whole=True)  # fmt: skip


@check("thesis-6-110", preference="VP")
def alike_everywhere(preference="HP"):
    """The law, in fractions, and what arrived; the control has the other preference."""
    rng, every = random.Random(110), []
    for processors in range(1, 51):
        for shares, _ in systems(rng.random(), 2):
            every.append((shares, processors, [Fraction(rng.randint(1, 9), 60) for _ in shares]))

    def holds(shares, processors, loads):
        law = dispatch.arrival_law(preference, shares, processors).tolist()
        brought = [[load * processors * value for value in row] for load, row in zip(loads, law)]
        return all(value == load for load, row in zip(loads, brought) for value in row) and all(
            sum(row) == 1 for row in law
        )

    alike = everywhere("every processor receives the same mix of the groups", cases("system", every).measure(holds))
    return conclude(
        alike, arrivals(preference, lambda shares: [[1 / PROCESSORS] * PROCESSORS for _ in shares]), whole=True
    )


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
        taken([(policy, 3, 2, pair, 100) for policy in POLICIES for pair in PAIRS]),
        aside("the number of placements", exact(number)),
        whole=True,
    )


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
        aside(f"of {len(moved)} migrations, those that lead out of it", exact(sum(moved))),
        whole=True,
    )
