"""Claims of `thesis`, Section 5.5.4: what Dynamic Vertical Partitioning keeps, and when it is like the static one."""

import itertools
from collections import Counter
from fractions import Fraction as F

from clustershare.dispatch import simulate_central
from compendium.press.findings import check, finding
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.dynamic import (
    WHOLE,
    WITHOUT_MIGRATION,
    apart,
    holding,
    met,
    points_apart,
    rates_in_order,
)
from pages.share_scheduling.central.guests import HALVES, LOADS, MOST_JOBS, PATHS
from pages.share_scheduling.central.printed_rules import Rules
from pages.share_scheduling.central.reached import reached
from pages.share_scheduling.central.states import without_loss
from pages.share_scheduling.central.systems import LOCAL

EXACT = 1e-12


@check("thesis-5-027", without=("I1",))
def nothing_lost(without=()):
    """Events that lead to a loss, and groups under each migration rule; the library's paths and the stored points."""
    made, seen, otherwise = Counter(), Counter(), 0
    known = set()
    for record in met(without=without):
        kind = "arrivals" if record.processor is None else "departures"
        made[kind] += not without_loss(record.outcome.state)
        seen[kind] += 1
        state = (record.rules.shares, record.rules.processors, record.rules.local, record.before)
        if state not in known:
            known.add(state)
            otherwise += sum(_rules_for(record.rules, record.before, h) != 1 for h in range(len(record.rules.shares)))
    text = (
        f"events that lead to a loss: {made['arrivals']} of {seen['arrivals']} arrivals, {made['departures']} of "
        f"{seen['departures']} departures; groups under no rule or two: {otherwise}"
    )
    if any(made.values()) or otherwise:
        return finding(text, False)
    lost = max(*_losses_of_paths(), *_losses_of_points())
    said = "without loss" if lost <= EXACT else f"lose {lost:.2g}"
    return finding(f"{text}; paths and stored points {said}", lost <= EXACT)


def _rules_for(rules, jobs, h):
    """How many of M1, M2 and M3 speak of a group."""
    obtained, feasible = rules.obtained(jobs, h), rules.feasible(jobs, h)
    much = rules.shares[h] + F(1, rules.processors)
    return (obtained < feasible) + (feasible <= obtained < much) + (obtained >= much)


def _losses_of_paths():
    for (P, shares), load, local in itertools.product(PATHS, LOADS, LOCAL):
        yield simulate_central(
            "DVP", local=local, migration=True, required_shares=[float(share) for share in shares],
            loads=[load / len(shares)] * len(shares), processors=P, jumps=10_000, warmup=0, replications=2, seed=27,
        ).capacity_loss.value  # fmt: skip


def _losses_of_points():
    for axis, values in WITHOUT_MIGRATION.items():
        fixed = {"processors": 10} if axis == "load" else {}
        rows = simulated.along(axis, values, True, **fixed)
        for local in LOCAL:
            yield simulated.table(rows, axis, "capacity_loss")[0]["DVP", local].max()


def _bounds(rules):
    """States in which groups meet, and in which a group holds more processors than it requires."""
    meeting, more = 0, 0
    for jobs in reached(rules, MOST_JOBS):
        meeting += any(sum(count > 0 for count in row) > 1 for row in jobs)
        more += any(len(holding(jobs, g)) > share * rules.processors for g, share in enumerate(rules.shares))
    return meeting, more


def _gap(gap):
    return f"equal within {EXACT:g}" if gap <= EXACT else "differ"


@check("thesis-5-028", systems=((3, HALVES),))
def like_the_static_one(systems=WHOLE):
    """Rates of the numbers in order under DVP and SVP, who meets, and the stored points."""
    gap, meeting, more = 0.0, 0, 0
    for (P, shares), local in itertools.product(systems, LOCAL):
        dynamic, static = (Rules(policy, shares, P, local=local) for policy in ("DVP", "SVP"))
        one = rates_in_order(dynamic)
        gap = max(gap, *(apart(one, other) for other in (one, rates_in_order(static), rates_in_order(dynamic, True))))
        found = _bounds(dynamic)
        meeting, more = meeting + found[0], more + found[1]
    text = f"rates {_gap(gap)}; states in which groups meet: {meeting}, or hold more processors than required: {more}"
    if gap > EXACT or meeting or more:
        return finding(text, False)
    found = [points_apart(("DVP", local), ("SVP", local)) for local in LOCAL]
    differing, points = (sum(column) for column in zip(*found))
    return finding(f"{text}; stored points at which DVP and SVP differ: {differing} of {points}", not differing)


@check("thesis-5-139", systems=((3, HALVES),))
def local_policy(systems=WHOLE):
    """Rates of DVP with PS and with GPPS, and the stored points."""
    gap = 0.0
    for P, shares in systems:
        one, other, library = (
            rates_in_order(Rules("DVP", shares, P, local=local), compiled)
            for local, compiled in (("PS", False), ("GPPS", False), ("GPPS", True))
        )
        gap = max(gap, apart(one, other), apart(one, library))
    if gap > EXACT:
        return finding(f"rates {_gap(gap)}", False)
    differing, points = points_apart(("DVP", "PS"), ("DVP", "GPPS"))
    return finding(
        f"rates {_gap(gap)}; stored points at which PS and GPPS differ: {differing} of {points}", not differing
    )
