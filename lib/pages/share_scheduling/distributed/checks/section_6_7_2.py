"""Claims of `thesis`, Section 6.7.2: probing now and then."""

import itertools
import math
from fractions import Fraction

import numpy as np

from clustershare import dispatch
from clustershare.dispatch.distributed_cluster import Cluster
from clustershare.dispatch.distributed_plan import plan_of
from clustershare.estimates import Estimate
from compendium.press import clauses
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import agrees, at_most, between, equal, larger, rises, smaller, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.points.limits import five, settled
from pages.share_scheduling.distributed.points.network_times import SLOW, USUAL_PROBE, by_probe_time
from pages.share_scheduling.distributed.points.periodic import (
    ALL,
    ARRIVING,
    BOUNDS,
    EQUAL,
    LIMIT,
    by_period,
    on_demand,
    requests,
    sent,
    uninformed,
    unused_alone,
    unused_on_path,
)
from pages.share_scheduling.distributed.points.stored import DEVIATION, REPLIES, REQUESTS, UTILISATION, beside, measured
from pages.share_scheduling.distributed.systems import CASES, LIMITS, PERIODS, POLICIES, SHORT_PERIODS, of_case
from pages.share_scheduling.distributed.witnesses import followed
from pages.share_scheduling.distributed.witnesses.alone import at_limits
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import Setting, histories

SOME = LIMITS[1:]
OPEN = "not in equilibrium"
EVENTS = 10_000
HALFWAY = 0.05 / 2  # between the two deviations, about 0 and about 0.05, that the text tells apart


@check("thesis-6-014", plain=True)
def about_zero(plain=False):
    """Delta^G with three probed in case 1; the control is Isolation."""
    return conclude(at_each("the deviation", at_limits(DEVIATION, 3, plain).at(case=1), within(HALFWAY)))


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
    arrivals, growth = ([five(name, g) for g in (0, 1)] for name in ("arrivals", "growth"))
    wide = growth[0].widened(2 * growth[0].asked)
    grows = np.any([each.low(wide) > 0 for each in growth], axis=0)
    return conclude(
        at_each("the arrivals per unit of time, less 8,", arrivals[0] - -(arrivals[1] - ARRIVING), agrees()),
        at_each("the departures and the growth of the number of jobs per unit of time, less 8,",
                less - -growth[0] - -growth[1], agrees()),
        at_each("the departures per unit of time, less 8,", less.where(~grows, OPEN), agrees()),
        at_each("that difference where the number of jobs of a group grows", less.where(grows, "in equilibrium"),
                smaller()),
        at_each("departures and arrivals of two processors",
                cases("load", (0.1, 0.2, 0.3, 0.4, 0.5)).measure(departures_of_two), equal(1e-8)),
        provided=[everywhere("a number of jobs grows, or each group obtains its load,",
                             exact(grows | settled(), **dict(less.axes)))],
    )  # fmt: skip


def at(period):
    """Delta^G at a mean period."""
    return by_period(periods=(period,)).at(mean_period=period)


def asked(quantity=DEVIATION, limit=3, index=None):
    """A quantity on demand."""
    return on_demand(quantity, (limit,), index).at(limit=limit)


def by_probes(quantity, time):
    """A quantity on demand, with messages that take so long."""
    return by_probe_time(quantity, (time,)).at(message_time=time)


def of_periods(periods, known_at_once=False, quantity=DEVIATION):
    """A quantity by period, or on demand whatever the period."""
    if not known_at_once:
        return by_period(quantity, periods)
    return asked(quantity) - exact(np.zeros(len(periods)), mean_period=periods)


@check("thesis-6-017", known_at_once=True)
def rises_with_the_period(known_at_once=False):
    """Every step of Delta^G; on-demand probing knows no period."""
    other = {
        reading: (by_period(periods=PERIODS, reading=reading) - by_period(periods=PERIODS)).distance()
        for reading in ("keep replies", "drop old")
    }
    return conclude(
        at_each("the deviation", of_periods(PERIODS, known_at_once).steps("mean period"), rises()),
        aside(
            "by how much it differs if replies are kept for longer, or are dropped by age,", beside("reading", other)
        ),
    )


@check("thesis-6-018", limit=0)
def almost_uninformed(period=10.0, limit=3):
    """Delta^G with a long period against none probed; in the control none is probed in either."""
    more = (at(period) if limit else asked(limit=0)) - uninformed()
    return conclude(
        at_each(
            f"the deviation at a mean period of {period:g}, less that without probing,", more, within("very close")
        ),
        aside("that without probing", uninformed()),
        aside(f"that at {period:g}, less that without probing,", more),
        aside("the same at a mean period of 5", at(5.0) - uninformed()),
    )


@check("thesis-6-019", period=10.0)
def about_a_twentieth(period=0.6):
    """Delta^G at a mean period of 0.6; the control has 10."""
    near = np.abs(at(period).value - 0.05) <= SCALE["practically equal"].most
    return conclude(
        at_each("the deviation", at(period), between(HALFWAY, 0.05 + SCALE["close"].most)),
        aside("for how many policies it is 0.05 within 0.01", exact(np.sum(near))),
    )


@check("thesis-6-021", bounds=(0.0, 1.0))
def as_many_requests(bounds=BOUNDS):
    """Requests per unit of time, P over the mean period; in the control a period is uniform from 0 on."""
    expected, counted = requests(bounds), sent(REQUESTS)
    gap = sent(REQUESTS, (EQUAL,)).at(mean_period=EQUAL) - asked("traffic", index=REQUESTS)
    return conclude(
        everywhere("10 / 0.625 and 2 lambda = 16", exact(expected[ALL.index(EQUAL)] - 16), equal(1e-9)),
        everywhere("the requests sent, relative to P over the mean period, less 1,",
                   exact(counted.value / expected - 1, **dict(counted.axes)), within(0.001)),
        everywhere("those at 0.625, less those on demand,", gap, agrees()),
        everywhere("those on demand, less 16,", asked("traffic", index=REQUESTS) - 16.0, agrees()),
        everywhere("the half width of that, in parts of 16,", exact(gap.half / 16, policy=POLICIES),
                   at_most("practically equal")),
        aside("the utilisation of the network there", by_period(UTILISATION, (EQUAL,)).at(mean_period=EQUAL)),
        aside("that on demand", asked(UTILISATION)),
        whole=True,
    )  # fmt: skip


@check("thesis-6-022", slow=True)
def clearly_better_on_demand(slow=False):
    """Delta^G with as many requests, periodic less on demand; in the control a probe takes as long as a migration."""
    demand, full = by_probes(DEVIATION, SLOW) if slow else asked(), asked(limit=9).value
    gain = at(EQUAL) - demand
    return conclude(
        at_each("the deviation with periods, less that on demand,", gain, larger("clear")),
        aside("that difference at a mean period of 0.6", at(0.6) - demand),
        aside("how many times as far above full probing",
              exact((at(EQUAL).value - full) / (demand.value - full), policy=POLICIES)),
        provided=[] if slow else [
            everywhere("the requests per unit of time with periods, less those on demand,",
                       sent(periods=(EQUAL,)).at(mean_period=EQUAL) - asked("traffic", index=REQUESTS), agrees()),
        ],
    )  # fmt: skip


@check("thesis-6-149", known_at_once=True)
def substantial_rise(known_at_once=False):
    """Delta^G at a mean period of 1 less that at 0.1; on-demand probing knows no period."""
    periods, (shares, loads) = (0.1, 1.0), CASES[1]
    found = of_periods(periods, known_at_once)
    rise = found.at(mean_period=1.0) - found.at(mean_period=0.1)
    settings = [Setting(policy, tuple(map(Fraction, shares)), loads, 10, LIMIT, period=period)
                for policy in POLICIES for period in periods]  # fmt: skip
    return conclude(
        at_each("the deviation at a mean period of 1, less that at 0.1,", rise, larger("clear")),
        provided=[followed.answered(settings, 40, 149)],
    )


@check("thesis-6-150", time=SLOW)
def hardly_delayed(time=USUAL_PROBE):
    """The wait for replies and its effect, against stale information; in the control a probe is as a migration."""
    effect = by_probes(DEVIATION, time) - by_probes(DEVIATION, 0.0)
    worse = at(EQUAL) - asked()
    ends = effect.distance().high(worse.widened(3 * len(POLICIES)))
    return conclude(
        at_each("the mean wait", by_probes("wait", time), at_most("close")),
        at_each("its effect on the deviation", effect, within("practically equal")),
        at_each("what periods add to the deviation, less twice the most that waiting may,", worse - 2 * ends, larger()),
        aside("what periods add", worse),
        aside(
            "the mean wait, in parts of that for a request and its replies on a shared server",
            exact(
                by_probes("wait", time).value * (1 - by_probes(UTILISATION, time).value) / (4 * time), policy=POLICIES
            ),
        ),
    )


@check("thesis-6-151", known_at_once=True)
def unnecessary_requests(known_at_once=False):
    """The part of the requests after which nothing was decided; on demand there is none."""
    counted, three_errors = np.transpose([unused_on_path(period) for period in SHORT_PERIODS])
    alone = exact([unused_alone(period) for period in SHORT_PERIODS], mean_period=SHORT_PERIODS)
    return conclude(
        at_each("the part of the requests that no decision used", of_periods(SHORT_PERIODS, known_at_once,
                "unused_requests"), larger("clear")),
        aside("that of a processor by itself, exactly,", alone),
        provided=[everywhere("that on a path of the plain loop, less what is exact,", clauses.measured(
            counted - alone.value, three_errors, risk=None, mean_period=SHORT_PERIODS), agrees())],
    )  # fmt: skip


def _same(policy, case, period, limit):
    """Whether a policy that probes periodically takes the path of one that does so on demand: plain, and compiled."""
    shares, loads = CASES[case]
    plain = []
    for each in (None, period):
        setting = Setting(policy, tuple(map(Fraction, shares)), loads, 10, limit, period=each)
        path = PrintedNetwork(setting, np.random.default_rng(case))
        while len(path.events) < EVENTS // len(CASES):
            path.step()
        plain.append(histories(path.events))
    pair = [
        Cluster(plan_of(**of_case(policy, case, probe_limit=limit, probe_period=each)), np.random.default_rng(case))
        for each in (None, period)
    ]
    for each in pair:
        each.run(EVENTS // 2 // len(CASES))
    one, other = pair
    alike = one.clock.tolist() == other.clock.tolist() and one.system.count.tolist() == other.system.count.tolist()
    return plain[0] == plain[1] and alike


def _answers_apart(policy, case, period, limit):
    """The largest difference of what the simulator answers of both ways of probing, whatever the quantity."""
    run = {"jumps": 400, "warmup": 0, "replications": 1, "seed": case}
    one, other = (
        vars(dispatch.simulate_distributed(**of_case(policy, case, probe_limit=limit, probe_period=each), **run))
        for each in (None, period)
    )
    return max(np.abs(one[name].value - other[name].value).max() for name in one if isinstance(one[name], Estimate))


@check("thesis-6-148", limit=1)
def nothing_to_be_late(limit=0):
    """Paths and answers of both ways of probing, with nobody probed; the control has one probed."""
    settings = cases("setting", itertools.product(POLICIES, CASES, (0.1, 1.0, 10.0)))
    return conclude(
        everywhere("both ways of probing take the same path", settings.measure(lambda *each: _same(*each, limit))),
        everywhere("what the simulator answers of both", settings.measure(lambda *each: _answers_apart(*each, limit)),
                   equal(0)),
        whole=True,
    )  # fmt: skip
