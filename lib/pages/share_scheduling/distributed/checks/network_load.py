"""Claims of `thesis`, Chapter 6, on what crosses the network: how many probes and jobs, and what they bring to it."""

import functools
import math

import numpy as np

from clustershare import dispatch
from compendium.press.findings import Finding, check, erratum, finding, over_domain, yes
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.limits import at, extreme, five, of, where
from pages.share_scheduling.distributed.measured import (
    ASKING,
    MIGRATIONS,
    PLACEMENTS,
    REPLIES,
    REQUESTS,
    UTILISATION,
    Measured,
    above,
    below,
    in_equilibrium,
    listed,
    measured,
    upper,
)
from pages.share_scheduling.distributed.network_times import accounts, by_migration_time, migration_load
from pages.share_scheduling.distributed.periodic import by_period
from pages.share_scheduling.distributed.recorded import kinds, paths, unaccounted
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.systems import ALL_CASES, CASES, LIMITS, MIGRATION_TIMES, POLICIES

ARRIVING = 8.0  # jobs per unit of time
CLEAR, HARDLY, NEARLY = SCALE["clear"].least, SCALE["practically equal"].most, SCALE["very close"].most
SOME = LIMITS[1:]
MESSAGES = (REQUESTS, REPLIES, PLACEMENTS, ASKING)


def rate(kind, limits=LIMITS):
    """Customers of one kind per unit of time in the five cases: `Measured`."""
    return at(five("traffic", kind), limits)


def in_case_1(found):
    """The points of case 1."""
    return found.part((slice(None), 0))


def settled(limits=LIMITS):
    """Which points of the five cases are in equilibrium: shape (policies, cases, limits)."""
    loads = np.array([CASES[case][1] for case in ALL_CASES])
    return in_equilibrium([at(five("obtained_share", g), limits) for g in (0, 1)], loads.T[:, None, :, None])


def left_out(stays, limits):
    """Points that are not in equilibrium, in words."""
    number = int((~stays).sum())
    return f"left out: {number} point{'s' * (number != 1)} not in equilibrium ({where(~stays, limits)})"


def equal(found, value):
    """Where an interval holds a value, all together."""
    return np.abs(found.value - value) <= joint(found.value.size) * found.half + 1e-12


@check("thesis-6-005", slow=True)
def well_below_five_percent(slow=False):
    """The utilisation in all cases; in the control migrations take ten times as long."""
    found = by_migration_time(UTILISATION, MIGRATION_TIMES).part((slice(None), [-1])) if slow else five(UTILISATION)
    holds = found.value + found.half <= 0.045
    largest = f"{found.value.max():.4f}" if slow else extreme(found.value, LIMITS)
    by_case = "" if slow else "; by case at most " + ", ".join(f"{each:.4f}" for each in found.value.max(axis=(0, 2)))
    half = (found.value + found.half <= 0.025).sum()
    return over_domain(f"at most {largest}, below 0.045 at {of(holds)}, below half of 0.05 at {half}{by_case}", holds)


@check("thesis-6-015", limit=3)
def almost_all_migrations(limit=2):
    """The rate of migrations in case 1 at one limit against all; the control has three probed."""
    found = in_case_1(rate(MIGRATIONS))
    here, wide = at(found, limit), joint(2 * found.value.size)
    most = found.value.argmax(axis=1)
    largest = Measured(*(part[np.arange(len(POLICIES)), most] for part in found))
    near = (
        largest.value - here.value + wide * np.hypot(largest.half, here.half) * (most != limit)
        <= NEARLY * largest.value
    )
    later = found.part((slice(None), slice(limit + 1, None)))
    growth = later.value - here.value[:, None]
    half = np.hypot(later.half, here.half[:, None])
    hardly = (growth + wide * half <= HARDLY * later.value).all(axis=1)
    said = ", ".join(
        f"{policy} {here.value[k]:.3f} of {largest.value[k]:.3f} at limit {most[k]}, {found.value[k, -1]:.3f} at 9"
        for k, policy in enumerate(POLICIES)
    )
    some = near.all() or hardly.all() or (near & hardly).any()
    return Finding(
        f"{said}; almost the largest: {of(near)} policies, hardly growing beyond: {of(hardly)}",
        "agrees" if near.all() and hardly.all() else "agrees in part" if some else "differs",
    )


@check("thesis-6-016", instead="Isolation")
def most_migrations(instead="SVP"):
    """SVP's rate of migrations in case 1 against the others'; the control has Isolation, which moves none."""
    found = in_case_1(rate(MIGRATIONS, SOME))
    mine = found.part(POLICIES.index("SVP"))
    if instead == "Isolation":
        mine = Measured(np.zeros(len(SOME)), np.zeros(len(SOME)))
    others = [found.part(k) for k, policy in enumerate(POLICIES) if policy != "SVP"]
    holds = np.array([above(mine - other, 3 * len(SOME)) for other in others])
    largest = np.max([other.value for other in others], axis=0)
    more = mine.value / largest
    return over_domain(
        f"{mine.value.min():.2f} to {mine.value.max():.2f} a unit of time, {more.min():.2f} to {more.max():.2f} times "
        f"the most of the others; more at {of(holds)}",
        holds,
    )


@check("thesis-6-145", rule=1)
def return_of_guests(rule=4):
    """What rule M4 brings to SVP's excess of migrations, and how often from a job alone; the control has rule M1."""
    svp = POLICIES.index("SVP")
    found = in_case_1(rate(MIGRATIONS, SOME))
    others = np.delete(np.arange(len(POLICIES)), svp)
    first = others[found.value[others].argmax(axis=0)]
    places = np.arange(len(SOME))
    excess = found.part(svp) - Measured(*(part[first, places] for part in found))
    moved = in_case_1(at(five("migrations_by_rule", rule), SOME)).part(svp)
    alone = in_case_1(at(five("lone_migrations", 1), SOME)).part(svp)
    if rule != 4:  # those by all other rules
        alone = in_case_1(at(five("lone_migrations", 0), SOME)).part(svp) - alone
    number = 2 * len(SOME)
    half = Measured(excess.value / 2, excess.half / 2)
    mainly = above(moved - half, number)
    lone = above(alone - Measured(moved.value / 2, moved.half / 2), number)
    return over_domain(
        f"moves by the rule {moved.value.min():.2f} to {moved.value.max():.2f} a unit of time, excess "
        f"{excess.value.min():.2f} to {excess.value.max():.2f}: half or more at {of(mainly)} limits; from a job alone "
        f"{(alone.value / moved.value).min():.2f} to {(alone.value / moved.value).max():.2f} of them: half or more at "
        f"{of(lone)}",
        [mainly, lone],
    )


@check("thesis-6-020", periodic=True)
def sixteen_requests(periodic=False):
    """Requests per unit of time on demand; the control probes periodically, once a unit of time."""
    if periodic:
        found = by_period("traffic", (1.0,), index=REQUESTS)
        return over_domain(f"{found.value.min():.3f} to {found.value.max():.3f}", equal(found, 2 * ARRIVING))
    requests, replies, stays = rate(REQUESTS, SOME), rate(REPLIES, SOME), settled(SOME)
    events = sum(at(five(kind, g), SOME).value for kind in ("arrivals", "departures") for g in (0, 1))
    apart = np.abs(requests.value - events).max()
    owed = np.abs(replies.value - np.array(SOME) * requests.value).max()
    holds = equal(requests.part(stays), 2 * ARRIVING)
    found = requests.value[stays]
    return over_domain(
        f"{found.min():.3f} to {found.max():.3f}, 16 within the intervals at {of(holds)}; {left_out(stays, SOME)}, "
        f"{listed(requests.value[~stays])}; from arrivals and departures at most {apart:.1g} apart, replies from the "
        f"limit times as many {owed:.1g}",
        [*holds, apart < 0.01, owed < 0.01],
    )


def departures_of_two():
    """How far departures are from arrivals on two processors under JSQ, by chains that cut off at most 1e-8."""
    worst = 0.0
    for load in (0.1, 0.2, 0.3, 0.4, 0.5):
        found = dispatch.exact_central(
            "JSQ", local="PS", migration=False, required_shares=(0.5, 0.5), loads=(load / 2, load / 2), processors=2,
            most_jobs=1 + math.ceil(math.log(1e-8) / math.log(load)),
        )  # fmt: skip
        worst = max(worst, abs(2 * (found.obtained_share.sum() - load)))  # each works off 1 per unit of time
    return worst


@check("thesis-6-045", overloaded=True)
def eight_departures(overloaded=False):
    """Departures per unit of time; in the control group 2 is sent more than its own five processors can serve."""
    if overloaded:
        parts = [
            measured(
                "preferences", "departures", "probe_limit", policies=("JSQ",), index=g, case=2, probe_limit=(0,),
                arrival_preference="VP", probing_preference="HP",
            ) for g in (0, 1)
        ]  # fmt: skip
    else:
        parts = [five("departures", g) for g in (0, 1)]
    found = Measured(parts[0].value + parts[1].value, np.hypot(parts[0].half, parts[1].half))
    if overloaded:
        holds = equal(found, ARRIVING)
        return over_domain(f"{found.value.min():.3f}; 8 within the intervals at {of(holds)}", holds)
    stays, off = settled(), departures_of_two()
    inside, outside = found.part(stays), found.part(~stays)
    holds, fewer = equal(inside, ARRIVING), below(outside, found.value.size, ARRIVING)
    return over_domain(
        f"{inside.value.min():.3f} to {inside.value.max():.3f}; 8 within the intervals at {of(holds)}; "
        f"{left_out(stays, LIMITS)}, {listed(outside.value)}, fewer at {of(fewer)}; on two processors as many as "
        f"arrivals {'within 1e-8' if off <= 1e-8 else f'but for {off:.1g}'}",
        [*holds, *fewer, off <= 1e-8],
    )


@check("thesis-6-044", processors=1)
def time_scale(processors=10):
    """The arrival rate (5.15) with capacities 1/P and 1; the control has one processor, where they are the same."""
    as_printed, corrected = (0.8 * sum([capacity] * processors) for capacity in (1 / processors, 1.0))
    wanted = 0.8 * processors
    busy = by_migration_time(UTILISATION, (0.1,)).value[:, 0]
    rates = by_migration_time("traffic", (0.1,), index=MIGRATIONS).value[:, 0]
    most = np.array([2 if policy == "SVP" else 1 for policy in POLICIES]) * ARRIVING
    kept = (rates <= most + 1e-9).all()
    return erratum(
        f"arrivals per unit of time: {as_printed:g} with capacities 1/P, {corrected:g} with 1, and the text says "
        f"{wanted:g}; with the first, migrations keep the utilisation below {0.8 * 0.1:g} ({1.6 * 0.1:g} "
        f"for SVP); with the second it reads {busy.min():.3f} to {busy.max():.3f}, with {rates.min():.2f} to "
        f"{rates.max():.2f} migrations per unit of time",
        abs(as_printed - wanted) < 1e-9,
        abs(corrected - wanted) < 1e-9 and kept,
    )


@check("thesis-6-028", migration_time=1e-5)
def determined_by_migrations(migration_time=None):
    """The work brought and the utilisation, and the part of migrations; in the control these are ten messages long."""
    rows = accounts()
    names = ("Figures 6.1 to 6.3, all cases", "Figures 6.7 and 6.8")
    agree = []
    for name in names:
        busy, work = rows[name]
        first = busy.part((slice(None), 0)) if name == names[0] else busy.part((slice(None), slice(1, None)))
        second = work.part((slice(None), 0)) if name == names[0] else work.part((slice(None), slice(1, None)))
        agree.append(np.abs(first.value - second.value) <= joint(80) * (first.half + second.half) + 1e-12)
    moved, sent = in_case_1(rate(MIGRATIONS)).value, sum(in_case_1(rate(kind)).value for kind in MESSAGES)
    size = migration_time or 0.01
    moved, sent = moved[moved > 0], sent[moved > 0]
    parts = [moved * size / (moved * size + sent * 1e-6)]
    if migration_time is None:
        some = MIGRATION_TIMES[1:]
        share = migration_load(functools.partial(by_migration_time, times=some), some).value
        parts.append((share / by_migration_time(UTILISATION, some).value).ravel())
    part = np.concatenate(parts)
    holds = np.abs(1 - part) <= HARDLY
    agree = np.concatenate([each.ravel() for each in agree])
    return over_domain(
        f"work brought within the intervals of the utilisation at {of(agree)} points; migrations bring "
        f"{part.min():.4f} to {part.max():.4f} of it, all but {HARDLY:g} at {of(holds)}",
        [*agree, *holds],
    )


@check("thesis-6-105", left_out=(REPLIES,))
def five_kinds(left_out=()):
    """The time that the network is busy against the work of the five kinds; the control forgets the replies."""
    holds, said = [], []
    for name, (busy, work) in accounts(left_out).items():
        near = np.abs(busy.value - work.value) <= joint(busy.value.size) * (busy.half + work.half) + 1e-12
        if left_out and name == "Figure 6.6":
            near = near[:, -1:]
        holds.append(near.all())
        said.append(f"{name} {of(near)}")
    if left_out:
        return finding("; ".join(said), holds[2])
    every = [path for policy in POLICIES for path in paths(policy)]
    gap = max(unaccounted(path) for path in every)
    known = {kind for path in every for kind in kinds(path)[0]}
    return finding(
        f"within the intervals: {'; '.join(said)}; on {len(every)} paths event by event busy for the work "
        f"brought within 1e-9: {yes(gap <= 1e-9)}; kinds seen: {len(known)}",
        all(holds) and gap <= 1e-9 and len(known) == 5,
    )


@check("thesis-6-107", changed=("request each",))
def one_request_for_all(changed=()):
    """Customers between a probing and its decision; in the control each processor probed is sent its own request."""
    wrong, seen = 0, 0
    for policy in POLICIES:
        for path in paths(policy, changed=changed):
            sent = [event.message for event in path.events if event.what == "sends" and event.message.probing]
            sizes = {message.size for message in sent}
            for probing in {
                id(event.probing): event.probing for event in path.events if event.what == "probes"
            }.values():
                mine = [message.kind for message in sent if message.probing is probing]
                whole = not probing.missing
                seen += whole
                wrong += whole and (
                    mine.count("probe request") != 1 or mine.count("probe reply") != len(probing.others)
                )
            wrong += sizes != {path.setting.probe_time}
    requests, replies = in_case_1(rate(REQUESTS)), in_case_1(rate(REPLIES))
    none = max(requests.value[:, 0].max(), replies.value[:, 0].max())
    rows = [
        equal(requests.part((slice(None), slice(1, None))), 2 * ARRIVING).all(),
        (np.abs(replies.value - np.array(LIMITS) * 2 * ARRIVING) <= joint(40) * replies.half + 1e-9).all(),
    ]
    return finding(
        f"{wrong} of {seen} probings on paths are otherwise; rates of requests 16 and of replies 16 times the limit "
        f"within the intervals: {yes(all(rows))}; with nobody probed {none:g} are sent",
        wrong == 0 and all(rows) and none == 0 and upper(requests, 1).max() > 0 and len(CASES) == 5,
    )
