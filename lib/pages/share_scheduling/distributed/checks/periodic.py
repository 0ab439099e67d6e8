"""Claims of `thesis`, Sections 6.7.2 and 6.8: probing now and then, and what old information costs."""

import itertools
from fractions import Fraction

import numpy as np

from clustershare.dispatch.distributed_cluster import Cluster
from clustershare.dispatch.distributed_plan import plan_of
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, measured
from compendium.press.clauses.conditions import agrees, at_most, between, equal, larger, rises, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.points.network_times import SLOW, USUAL_PROBE, by_probe_time
from pages.share_scheduling.distributed.points.periodic import (
    ALL,
    BOUNDS,
    EQUAL,
    by_period,
    on_demand,
    requests,
    sent,
    uninformed,
    unused_alone,
    unused_on_path,
)
from pages.share_scheduling.distributed.points.stored import DEVIATION, REQUESTS, UTILISATION, beside
from pages.share_scheduling.distributed.systems import CASES, PERIODS, POLICIES, SHORT_PERIODS, of_case
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.parts import Setting, histories

EVENTS = 10_000


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
    return conclude(at_each("the deviation", at(period), between(0, 0.05 + SCALE["close"].most)))


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
        at_each("that difference", gain, larger()),
        aside("that difference at a mean period of 0.6", at(0.6) - demand),
        aside("how many times as far above full probing",
              exact((at(EQUAL).value - full) / (demand.value - full), policy=POLICIES)),
    )  # fmt: skip


@check("thesis-6-149", known_at_once=True)
def substantial_rise(known_at_once=False):
    """Delta^G at a mean period of 1 less that at 0.1; on-demand probing knows no period."""
    found = of_periods((0.1, 1.0), known_at_once)
    rise = found.at(mean_period=1.0) - found.at(mean_period=0.1)
    return conclude(*(at_each("the deviation at a mean period of 1, less that at 0.1,", rise, larger(by))
                      for by in ("clear", 0.0)))  # fmt: skip


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
    )


@check("thesis-6-151", known_at_once=True)
def unnecessary_requests(known_at_once=False):
    """The part of the requests after which nothing was decided; on demand there is none."""
    counted, three_errors = unused_on_path(0.5)
    return conclude(
        at_each("the part of the requests that no decision used", of_periods(SHORT_PERIODS, known_at_once,
                "unused_requests"), larger("clear")),
        aside("that of a processor by itself at a mean period of 0.5, exactly,", exact(unused_alone(0.5))),
        provided=[everywhere("that on a path of the plain loop, less what is exact,",
                             measured(counted - unused_alone(0.5), three_errors, risk=None), agrees())],
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


@check("thesis-6-148", limit=1)
def nothing_to_be_late(limit=0):
    """Paths of both ways of probing, with nobody probed; the control has one probed."""
    settings = itertools.product(POLICIES, CASES, (0.1, 1.0, 10.0))
    same = cases("setting", settings).measure(lambda policy, case, period: _same(policy, case, period, limit))
    return conclude(everywhere("both ways of probing take the same path", same))
