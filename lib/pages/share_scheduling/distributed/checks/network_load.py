"""Claims of `thesis`, Chapter 6, on what crosses the network: how many probes and jobs, and what they bring to it."""

import math
from dataclasses import replace

import numpy as np

from clustershare import dispatch
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, mended
from compendium.press.clauses.conditions import agrees, at_most, equal, larger, smaller, within
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.limits import five, rate, settled
from pages.share_scheduling.distributed.points.network_times import accounts, by_migration_time, migration_load
from pages.share_scheduling.distributed.points.periodic import ARRIVING, by_period
from pages.share_scheduling.distributed.points.stored import (
    ASKING,
    MIGRATIONS,
    PLACEMENTS,
    REPLIES,
    REQUESTS,
    UTILISATION,
    extremes,
    measured,
)
from pages.share_scheduling.distributed.systems import LIMITS, MIGRATION_TIMES, POLICIES
from pages.share_scheduling.distributed.witnesses.recorded import kinds, paths, unaccounted

SOME = LIMITS[1:]
OTHERS = ("JSQ", "HP", "DVP")
OPEN = "not in equilibrium"


@check("thesis-6-005", slow=True)
def well_below_five_percent(slow=False):
    """The utilisation in all cases; in the control migrations take ten times as long."""
    found = by_migration_time(UTILISATION, (0.1,)) if slow else five(UTILISATION)
    alone = replace(found, risk=None)  # with its own half width
    return conclude(
        at_each("the utilisation of the network", alone, at_most(0.045)),
        aside("the largest utilisation", found.largest("policy").largest(found.axes[-1][0])),
        aside("points at which it is at most half of 5 %", exact(np.sum(found.high() <= 0.025))),
    )


@check("thesis-6-015", limit=3)
def almost_all_migrations(limit=2):
    """The rate of migrations in case 1 at one limit against all; the control has three probed."""
    here, (most, _) = rate(MIGRATIONS, limit), extremes(rate(MIGRATIONS), "limit")
    growth = rate(MIGRATIONS, LIMITS[limit + 1 :]) - here
    missing = most - here
    return conclude(
        at_each(f"the largest rate of migrations, less that with {limit} asked,", missing, at_most("very close")),
        at_each("what it grows by beyond", growth, at_most("practically equal"), every="limit"),
        aside("the rate there", here),
        aside("the largest rate", most),
        aside("the limit of the largest rate", exact(rate(MIGRATIONS).value.argmax(axis=1), policy=POLICIES)),
        aside("the rate with 9 asked", rate(MIGRATIONS, 9)),
    )


@check("thesis-6-016", instead="Isolation")
def most_migrations(instead="SVP"):
    """SVP's rate of migrations in case 1 against the others'; the control has Isolation, which moves none."""
    found = rate(MIGRATIONS, SOME)
    mine = found.at(policy="SVP") if instead == "SVP" else exact(np.zeros(len(SOME)), limit=SOME)
    others = found.at(policy=OTHERS)
    times = exact(mine.value / others.value.max(axis=0), limit=SOME)
    return conclude(
        at_each(f"the rate of migrations of {instead}, less that of another policy,", mine - others, larger()),
        aside("the rate itself", exact(mine.value, limit=SOME)),
        aside("how many times the most of the others it is", exact(times.value, limit=SOME)),
    )


@check("thesis-6-145", rule=1)
def return_of_guests(rule=4):
    """What rule M4 brings to SVP's excess of migrations, and how often from a job alone; the control has rule M1."""
    mine, most = (
        rate(MIGRATIONS, SOME).at(policy="SVP"),
        extremes(rate(MIGRATIONS, SOME).at(policy=OTHERS), "policy")[0],
    )
    moved, alone, every = (
        five(name, index).at(policy="SVP", case=1, limit=SOME)
        for name, index in (("migrations_by_rule", rule), ("lone_migrations", 1), ("lone_migrations", 0))
    )
    alone = alone if rule == 4 else every - alone  # those by all other rules
    return conclude(
        at_each(f"the moves by rule M{rule}, less half of SVP's excess over the others,",
                moved - (mine - most).scaled(0.5), larger()),
        at_each("those from a job alone, less half of the moves by the rule,", alone - moved.scaled(0.5), larger()),
        aside("the moves by the rule, per unit of time", moved),
        aside("the excess", mine - most),
        aside("the part of the moves that is from a job alone", exact(alone.value / moved.value, limit=SOME)),
    )  # fmt: skip


@check("thesis-6-020", periodic=True)
def sixteen_requests(periodic=False):
    """Requests per unit of time on demand; the control probes periodically, once a unit of time."""
    if periodic:
        return conclude(
            at_each("the requests, less 16,", by_period("traffic", (1.0,), index=REQUESTS) - 16.0, agrees())
        )
    requests, replies = (five("traffic", kind).at(limit=SOME) for kind in (REQUESTS, REPLIES))
    events = sum(five(kind, g).at(limit=SOME).value for kind in ("arrivals", "departures") for g in (0, 1))
    places, stays = dict(requests.axes), settled(SOME)
    return conclude(
        at_each("the requests per unit of time, less 16,", (requests - 16.0).where(stays, OPEN), agrees()),
        aside("the requests where it is no equilibrium", requests.where(~stays, "in equilibrium")),
        provided=[
            everywhere("the requests, less arrivals and departures,", exact(requests.value - events, **places),
                       within(0.01)),
            everywhere("the replies, less as many as the limit for each request,",
                       exact(replies.value - np.array(SOME) * requests.value, **places), within(0.01)),
        ],
    )  # fmt: skip


def departures_of_two(load):
    """How far departures are from arrivals on two processors under JSQ, by a chain that cuts off at most 1e-8."""
    found = dispatch.exact_central(
        "JSQ", local="PS", migration=False, required_shares=(0.5, 0.5), loads=(load / 2, load / 2), processors=2,
        most_jobs=1 + math.ceil(math.log(1e-8) / math.log(load)),
    )  # fmt: skip
    return 2 * (found.obtained_share.sum() - load)  # each works off 1 per unit of time


@check("thesis-6-045", overloaded=True)
def eight_departures(overloaded=False):
    """Departures per unit of time; in the control group 2 is sent more than its own five processors can serve."""
    if overloaded:
        system = {"case": 2, "probe_limit": (0,), "arrival_preference": "VP", "probing_preference": "HP"}
        parts = [
            measured("preferences", "departures", "probe_limit", policies=("JSQ",), index=g, **system) for g in (0, 1)
        ]
    else:
        parts = [five("departures", g) for g in (0, 1)]
    less = parts[0] - -(parts[1] - ARRIVING)
    if overloaded:
        return conclude(at_each("the departures per unit of time, less 8,", less, agrees()))
    return conclude(
        at_each("the departures per unit of time, less 8,", less.where(settled(), OPEN), agrees()),
        at_each("that difference where groups obtain less than their loads", less.where(~settled(), "in equilibrium"),
                smaller()),
        at_each("departures and arrivals of two processors",
                cases("load", (0.1, 0.2, 0.3, 0.4, 0.5)).measure(departures_of_two), equal(1e-8)),
    )  # fmt: skip


@check("thesis-6-044", processors=1)
def time_scale(processors=10):
    """The arrival rate (5.15) with capacities 1/P and 1; the control has one processor, where they are the same."""
    as_printed, corrected = (exact(0.8 * processors * (capacity - 1)) for capacity in (1 / processors, 1.0))
    most = np.array([2 if policy == "SVP" else 1 for policy in POLICIES]) * ARRIVING
    rates = by_migration_time("traffic", (0.1,), index=MIGRATIONS).at(migration_time=0.1)
    return mended(
        everywhere("with capacities 1/P, the rate of arrivals and 0.8 P", as_printed, equal(1e-9)),
        everywhere("with capacities 1, the rate of arrivals and 0.8 P", corrected, equal(1e-9)),
        everywhere("migrations per unit of time, less one a departure, and under SVP one an arrival,",
                   exact(rates.value - most, policy=POLICIES), at_most(1e-9)),
        aside("these migrations", rates),
        aside("the most that they could use of the network with capacities 1/P", exact(most / 100, policy=POLICIES)),
        aside("the utilisation as it is", by_migration_time(UTILISATION, (0.1,)).at(migration_time=0.1)),
    )  # fmt: skip


@check("thesis-6-028", migration_time=1e-5)
def determined_by_migrations(migration_time=None):
    """The work brought and the utilisation, and the part of migrations; in the control these are ten messages long."""
    found = accounts()
    moved, sent = rate(MIGRATIONS), sum(rate(kind).value for kind in (REQUESTS, REPLIES, PLACEMENTS, ASKING))
    work, some = moved.value * (migration_time or 0.01), MIGRATION_TIMES[1:]
    parts = {"in case 1": exact(work / np.maximum(work + sent * 1e-6, 1e-99), **dict(moved.axes)).where(
        work > 0, "nothing moves")}  # fmt: skip
    if migration_time is None:
        slow = migration_load(lambda *what, index: by_migration_time(*what, some, index), some)
        parts["with slow migrations"] = exact(
            slow.value / by_migration_time(UTILISATION, some).value, **dict(slow.axes)
        )
    return conclude(
        at_each("the utilisation, less the work brought, in case 1,", found["Figures 6.1 to 6.3, all cases"].at(case=1),
                agrees()),
        at_each("that with slow migrations", found["Figures 6.7 and 6.8"].at(migration_time=some), agrees()),
        *(at_each(f"the part that migrations bring {where}, less 1,", part - 1.0, within("practically equal"))
          for where, part in parts.items()),
    )  # fmt: skip


@check("thesis-6-105", left_out=(REPLIES,))
def five_kinds(left_out=()):
    """The time that the network is busy against the work of the five kinds; the control forgets the replies."""
    every = cases("path", [path for policy in POLICIES for path in paths(policy)])
    known = {kind for path in every.cases for kind in kinds(path)[0]}
    return conclude(
        *(everywhere(f"in {name}, the utilisation less the work brought", gap, agrees())
          for name, gap in accounts(left_out).items()),
        everywhere("event by event, the time busy and the work brought", every.measure(unaccounted), equal(1e-9)),
        everywhere("the number of kinds seen and 5", exact(len(known) - 5), equal(0)),
        whole=True,
    )  # fmt: skip


@check("thesis-6-107", changed=("request each",))
def one_request_for_all(changed=()):
    """Customers between a probing and its decision; in the control each processor probed is sent its own request."""

    def otherwise(path):
        sent = [event.message for event in path.events if event.what == "sends" and event.message.probing]
        probings = {id(event.probing): event.probing for event in path.events if event.what == "probes"}.values()
        wrong = sum(message.size != path.setting.probe_time for message in sent)
        for probing in probings:
            mine = [message.kind for message in sent if message.probing is probing]
            requests, replies = mine.count("probe request"), mine.count("probe reply")
            wrong += not probing.missing and (requests, replies) != (1, len(probing.others))
        return {"wrong": wrong, "whole": sum(not probing.missing for probing in probings)}

    found = cases("path", [path for policy in POLICIES for path in paths(policy, changed=changed)]).measure(otherwise)
    requests, replies = rate(REQUESTS), rate(REPLIES)
    return conclude(
        everywhere(
            "the number of probings on paths that are not of one request and a reply each", found["wrong"], at_most(0)
        ),
        aside("how many were complete", found["whole"]),
        everywhere("the requests per unit of time, less 16,", requests.at(limit=SOME) - 2 * ARRIVING, agrees()),
        everywhere("the replies, less 16 times the limit,", replies - np.array(LIMITS) * 2 * ARRIVING, agrees()),
        everywhere("the requests with nobody probed", requests.at(limit=0), within(0)),
        whole=True,
    )
