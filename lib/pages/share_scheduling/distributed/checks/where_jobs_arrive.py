"""Claims of `thesis`, Sections 6.3, 6.4.3 and 6.7.7: where jobs arrive and whom they ask, on recorded paths."""

import itertools
import random
from fractions import Fraction

import numpy as np

from clustershare import dispatch
from compendium.press.findings import check, finding
from pages.share_scheduling.distributed.preferences import (
    BELOW,
    PAIRS,
    PROCESSORS,
    VERTICAL,
    arrivals_apart,
    follows,
    path,
    subset,
)
from pages.share_scheduling.distributed.printed_rules import whole_parts
from pages.share_scheduling.distributed.simulated import joint
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
    """The largest distance of rates of arrivals from a law, in joint half widths: all cases and probing preferences."""
    worst = 0.0
    for case, probing, limit in itertools.product(ALL_CASES, ("HP", "VP"), (0, 3)):
        away = arrivals_apart(case, f"{preference}/{probing}", limit, law(tuple(map(Fraction, CASES[case][0]))))
        counted = away.half > 0  # elsewhere nothing arrived at all
        distances = np.abs(away.value) / np.where(counted, away.half, 1.0)
        worst = max(worst, distances[counted].max(), np.inf if distances[~counted].any() else 0.0)
    return worst, joint(2 * PROCESSORS * len(ALL_CASES) * 4)


@check("thesis-6-004", by_processors=True)
def in_its_own_subset(by_processors=False):
    """The law, in fractions, and what arrived; in the control X_gp is divided by P alone."""

    def law(shares, processors=PROCESSORS):
        parts = whole_parts(shares, processors)
        return [[x / (processors if by_processors else r * processors) for x in row] for r, row in zip(shares, parts)]

    wrong = 0
    for shares, processors in systems(4):
        found, parts = law(shares, processors), whole_parts(shares, processors)
        load = Fraction(4, 5)
        each = [sum(load * r * processors * row[p] for r, row in zip(shares, found)) for p in range(processors)]
        library = dispatch.arrival_law("VP", shares, processors).tolist()
        holds = (
            all(sum(row) == 1 for row in found)
            and all((value > 0) == (x > 0) and value >= 0 for row, xs in zip(found, parts) for value, x in zip(row, xs))
            and all(at == load for at in each)
            and found == library
        )
        wrong += not holds
    away, allowed = arrivals("VP", law)
    return finding(
        f"fails in {wrong} of {100 + len(CASES)} systems; arrivals of stored paths at most {away:.1f} half widths from "
        f"it, of {allowed:.1f} for all together",
        not wrong and away <= allowed,
    )


@check("thesis-6-110", preference="VP")
def alike_everywhere(preference="HP"):
    """The law, in fractions, and what arrived; the control has the other preference."""
    rng, wrong = random.Random(110), 0
    for processors in range(1, 51):
        for shares, _ in systems(rng.random(), 2):
            loads = [Fraction(rng.randint(1, 9), 60) for _ in shares]
            law = dispatch.arrival_law(preference, shares, processors)
            brought = [[load * processors * value for value in row] for load, row in zip(loads, law.tolist())]
            holds = all(value == load for load, row in zip(loads, brought) for value in row)
            wrong += not (holds and all(sum(row) == 1 for row in law.tolist()))
    away, allowed = arrivals(preference, lambda shares: [[Fraction(1, PROCESSORS)] * PROCESSORS for _ in shares])
    return finding(
        f"fails in {wrong} systems; arrivals of stored paths at most {away:.1f} half widths from it, of {allowed:.1f} "
        "for all together",
        not wrong and away <= allowed,
    )


@check("thesis-6-041", pair="HP/VP")
def four_are_the_rest(pair=VERTICAL):
    """Probe sets upon arrival on paths; the control has HP arrival preference."""
    exact, own, outside, partly, number = True, 0, 0, 0, 0
    for case, limit in itertools.product((1, 2), (4, 3)):
        for event in path("JSQ", case, limit, pair):
            if event.what != "probes" or event.probing.why != "arrival":
                continue
            asked, rest = set(event.probing.others), subset(event.job.group) - {event.processor}
            own, number = own + (event.processor in asked), number + 1
            outside += event.processor not in subset(event.job.group)
            if limit == 4:
                exact &= asked == rest
            else:
                partly += asked == rest
    alike = all(follows("JSQ", case, limit, pair) for case in (1, 2) for limit in (3, 4))
    return finding(
        f"{number} arrivals: with four asked {'always' if exact else 'not always'} the rest of the subset, with three "
        f"{partly} times; the own processor was asked {own} times, and {outside} jobs arrived outside their subset; "
        f"the library {'takes' if alike else 'does not take'} these paths",
        exact and not own and not outside and not partly and alike,
    )


@check("thesis-6-166", policies=("SVP",))
def set_is_where_jobs_go(policies=("JSQ", "HP", "DVP")):
    """Placements outside the probe set and the own processor, on paths; in the control of SVP alone."""
    outside, number, rules = dict.fromkeys((*policies, "SVP"), 0), 0, set()
    for policy in outside:
        for pair, case, limit in itertools.product(PAIRS, ALL_CASES, LIMITS):
            for event in path(policy, case, limit, pair, EVENTS_OF_EACH):
                if event.what == "places":
                    number += 1
                    gone = event.other != event.processor and event.other not in event.known
                    outside[policy] += gone and (policy in policies or pair.startswith("HP"))
                    rules |= {event.rule} if gone and policy == "SVP" else set()
    alike = all(follows(policy, 3, 2, pair, 100) for policy in POLICIES for pair in PAIRS)
    return finding(
        f"{number} placements, outside the set "
        f"{', '.join(f'{n} under {policy}' for policy, n in outside.items())} (there "
        f"with HP arrivals), by rule {', '.join(sorted(map(str, rules)))}; the library "
        f"{'takes' if alike else 'does not take'} such paths",
        not any(outside[policy] for policy in policies) and outside["SVP"] > 0 and rules == {"I5"} and alike,
    )


@check("thesis-6-168", limits=(5,))
def always_at_home(limits=(0, *BELOW)):
    """Placements outside a job's subset on paths with VP/VP; the control asks five."""
    outside = moved = gone = number = 0
    for case, limit in itertools.product((1, 2), limits):
        for event in path("JSQ", case, limit):
            if event.what == "places":
                number, outside = number + 1, outside + (event.other not in subset(event.job.group))
            elif event.what == "sends" and event.message.kind == "job migration":
                moved, gone = moved + 1, gone + (event.message.receiver not in subset(event.job.group))
    alike = all(follows("JSQ", case, limit) for case in (1, 2) for limit in limits)
    return finding(
        f"{outside} of {number} placements outside the subset; of {moved} migrations {gone} lead out of it; the "
        f"library {'takes' if alike else 'does not take'} these paths",
        not outside and alike,
    )
