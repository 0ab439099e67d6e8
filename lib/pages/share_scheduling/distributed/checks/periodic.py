"""Claims of `thesis`, Sections 6.7.2 and 6.8: probing now and then, and what old information costs."""

from fractions import Fraction

import numpy as np

from clustershare.dispatch.distributed_cluster import Cluster
from clustershare.dispatch.distributed_plan import plan_of
from compendium.press.findings import Finding, check, finding, over_domain, yes
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.measured import (
    DEVIATION,
    REQUESTS,
    UTILISATION,
    Measured,
    above,
    below,
    by_policy,
    column,
    lower,
    named,
    upper,
)
from pages.share_scheduling.distributed.network_times import SLOW, USUAL_PROBE, by_probe_time
from pages.share_scheduling.distributed.periodic import (
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
from pages.share_scheduling.distributed.printed_network import PrintedNetwork
from pages.share_scheduling.distributed.printed_parts import Setting, histories
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.systems import CASES, PERIODS, POLICIES, SHORT_PERIODS, of_case

CLEAR, CLOSE, NEARLY = SCALE["clear"].least, SCALE["close"].most, SCALE["very close"].most
HARDLY, COMPARABLE = SCALE["practically equal"].most, SCALE["comparable"].most
FOUR = len(POLICIES)
EVENTS = 10_000


def of_periods(periods, known_at_once=False):
    """Delta^G by period, or on demand whatever the period."""
    if not known_at_once:
        return by_period(periods=periods)
    return on_demand().part((slice(None), [0] * len(periods)))


def apart(one, other):
    """The upper ends of the distance of two values, judged for all policies together."""
    difference = one - other
    return np.abs(difference.value) + joint(FOUR) * difference.half


@check("thesis-6-017", known_at_once=True)
def rises_with_the_period(known_at_once=False):
    """Every step of Delta^G; on-demand probing knows no period."""
    found = of_periods(PERIODS, known_at_once)
    step = found.part((slice(None), slice(1, None))) - found.part((slice(None), slice(None, -1)))
    rises, falls = above(step, step.value.size), below(step, step.value.size)
    places = [f"{POLICIES[k]} to {PERIODS[j + 1]:g}" for k, j in np.argwhere(~rises)]
    kept = max(
        np.abs(by_period(periods=PERIODS, reading=reading).value - by_period(periods=PERIODS).value).max()
        for reading in ("keep replies", "drop old")
    )
    return over_domain(
        f"rises at {rises.sum()} of {rises.size} steps, falls at {falls.sum()}; not told: "
        f"{', '.join(places) or 'none'}; if "
        f"replies are kept for longer, or are dropped by age, it differs by up to {kept:.3f}",
        rises,
    )


@check("thesis-6-018", limit=0)
def almost_uninformed(period=10.0, limit=3):
    """Delta^G with a long period against none probed; in the control none is probed in either."""
    none = uninformed()
    found = column(by_period(periods=(period,))) if limit else column(on_demand(limits=(0,)))
    ends = apart(found, none)
    five = column(by_period(periods=(5.0,))).value - none.value
    return over_domain(
        f"without probing {by_policy(none.value)}; at a mean period of {period:g} by "
        f"{by_policy(found.value - none.value)} "
        f"higher; almost the same for {named(ends <= NEARLY, POLICIES)}, comparable for "
        f"{named(ends <= COMPARABLE, POLICIES)}; "
        f"at 5 by {by_policy(five)}",
        ends <= NEARLY,
    )


@check("thesis-6-019", period=10.0)
def about_a_twentieth(period=0.6):
    """Delta^G at a mean period of 0.6; the control has 10."""
    found = column(by_period(periods=(period,)))
    holds = (lower(found, FOUR) >= 0) & (upper(found, FOUR) <= 0.05 + CLOSE)
    near = named(np.abs(found.value - 0.05) <= HARDLY, POLICIES)
    return over_domain(f"{by_policy(found.value)}; within 0.01 of 0.05: {near}", holds)


@check("thesis-6-021", bounds=(0.0, 1.0))
def as_many_requests(bounds=BOUNDS):
    """Requests per unit of time, P over the mean period; in the control a period is uniform from 0 on."""
    expected, counted = requests(bounds), sent(REQUESTS)
    worst = np.abs(counted.value / expected - 1).max()
    place, asked = ALL.index(EQUAL), column(on_demand("traffic", index=REQUESTS))
    rates = Measured(counted.value[:, place], counted.half[:, place])
    gap = rates - asked
    ends = joint(FOUR) * gap.half + 1e-12
    equal = (np.abs(gap.value) <= ends) & (np.abs(asked.value - 16) <= joint(FOUR) * asked.half)
    wide = ends.max() / 16
    loads = [column(by_period(UTILISATION, (EQUAL,))).value, column(on_demand(UTILISATION)).value]
    exact = 10 / EQUAL == 16 and abs(requests(bounds)[place] - 16) < 1e-9
    return finding(
        f"16 at a mean period of {EQUAL:g}: {yes(exact)}; simulated within {worst:.1g} of what is expected, and there "
        f"as many as on demand, 16, within the intervals of up to {wide:.1%}: {yes(equal.all())}; the "
        f"network is busy for {by_policy(loads[0], 4)} of the time then, on demand for {by_policy(loads[1], 4)}",
        exact and worst <= 0.001 and equal.all() and wide <= HARDLY,
    )


@check("thesis-6-022", slow=True)
def clearly_better_on_demand(slow=False):
    """Delta^G with as many requests, periodic less on demand; in the control a probe takes as long as a migration."""
    demand = column(by_probe_time(DEVIATION, (SLOW,)) if slow else on_demand())
    gain = column(by_period(periods=(EQUAL,))) - demand
    clear, better = above(gain, FOUR, CLEAR), above(gain, FOUR)
    verdict = "agrees" if clear.all() else "agrees in part" if better.any() else "differs"
    other = column(by_period(periods=(0.6,))).value - demand.value
    full = column(on_demand(limits=(9,))).value
    ratio = (column(by_period(periods=(EQUAL,))).value - full) / (demand.value - full)
    return Finding(
        f"lower on demand by {by_policy(gain.value)} (at 0.6 by {by_policy(other)}); clearly for "
        f"{named(clear, POLICIES)}, at "
        f"all for {named(better, POLICIES)}; above full probing {ratio.min():.1f} to {ratio.max():.1f} times as far",
        verdict,
    )


@check("thesis-6-149", known_at_once=True)
def substantial_rise(known_at_once=False):
    """Delta^G at a mean period of 1 less that at 0.1; on-demand probing knows no period."""
    found = of_periods((0.1, 1.0), known_at_once)
    rise = column(found, 1) - column(found, 0)
    clear, some = above(rise, FOUR, CLEAR), above(rise, FOUR)
    return Finding(
        f"higher by {by_policy(rise.value)}",
        "agrees" if clear.all() else "agrees in part" if some.any() else "differs",
    )


@check("thesis-6-150", time=SLOW)
def hardly_delayed(time=USUAL_PROBE):
    """The wait for replies and its effect, against stale information; in the control a probe is as a migration."""
    wait = column(by_probe_time("wait", (time,)))
    effect = column(by_probe_time(DEVIATION, (time,))) - column(by_probe_time(DEVIATION, (0.0,)))
    ends = np.abs(effect.value) + joint(FOUR) * effect.half
    worse = column(by_period(periods=(EQUAL,))) - column(on_demand())
    little, hardly, far = upper(wait, FOUR) <= CLOSE, ends <= HARDLY, lower(worse, FOUR) >= 2 * ends
    holds = np.array([little, hardly, far])
    return Finding(
        f"mean wait {wait.value.min():.2g} to {wait.value.max():.2g}; effect on the deviation "
        f"{by_policy(effect.value, 4)}, at most "
        f"{ends.max():.4f}; periodic probing is worse by {by_policy(worse.value)}",
        "agrees" if holds.all() else "agrees in part" if holds.any() else "differs",
    )


@check("thesis-6-151", known_at_once=True)
def unnecessary_requests(known_at_once=False):
    """The part of the requests after which nothing was decided; on demand there is none."""
    found = by_period("unused_requests", SHORT_PERIODS)
    if known_at_once:
        found = on_demand("unused_requests").part((slice(None), [0] * len(SHORT_PERIODS)))
    holds = above(found, found.value.size, CLEAR)
    exact = unused_alone(0.5)
    counted, around = unused_on_path(0.5)
    return over_domain(
        f"{found.value[:, 0].min():.3f} or more at a mean period of 0.1, {found.value[:, -1].min():.3f} to "
        f"{found.value[:, -1].max():.3f} at 1; a processor by itself at 0.5: {exact:.3f} exactly, {counted:.3f} on a "
        "path "
        f"({'within' if abs(exact - counted) <= around else 'outside'} three standard errors)",
        holds,
    )


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
    periods = (0.1, 1.0, 10.0)
    same = [_same(policy, case, period, limit) for policy in POLICIES for case in CASES for period in periods]
    return finding(f"the same path in {sum(same)} of {len(same)} settings", all(same))
