"""Claims of `thesis`, Sections 6.2.2, 6.6, 6.7.3 and 6.7.4: what the network is, and what slow messages cost."""

import functools
from fractions import Fraction

import numpy as np

from clustershare import dispatch
from compendium.press.findings import Finding, check, finding, over_domain
from compendium.press.words import SCALE
from pages.share_scheduling.distributed import network_alone
from pages.share_scheduling.distributed.measured import (
    DEVIATION,
    LOSS,
    MIGRATIONS,
    UTILISATION,
    Measured,
    above,
    by_policy,
    column,
    judged,
    lower,
    named,
    steps,
    upper,
)
from pages.share_scheduling.distributed.network_times import (
    BUSY_CHANNEL,
    CROWDS,
    GAPS,
    PRICES,
    SLOW,
    SMALL,
    USUAL_MIGRATION,
    USUAL_PROBE,
    WISH,
    by_migration_time,
    by_probe_time,
    crossing,
    crowds,
    first_to_be_told,
    longer,
    migration_load,
    on_slow_channel,
    reluctant,
)
from pages.share_scheduling.distributed.printed_parts import Setting
from pages.share_scheduling.distributed.simulated import joint
from pages.share_scheduling.distributed.systems import CASES, MIGRATION_TIMES, POLICIES, PROBE_TIMES, of_case

CLEAR = SCALE["clear"].least
HARDLY, SMALL_STEP = SCALE["practically equal"].most, SCALE["close"].most
FOUR = len(POLICIES)


@check("thesis-6-106", in_turn=True)
def one_server_for_all(in_turn=False):
    """Numbers, times and busy part of the network alone; in the control customers are served one after another."""
    model = network_alone.in_turn if in_turn else network_alone.alone
    away = {
        (load, ratio): network_alone.distances(model(load, ratio), load, ratio)
        for load in network_alone.LOADS
        for ratio in network_alone.RATIOS
    }
    number = sum(map(len, away.values()))
    worst = max(found.max() for found in away.values())
    shares, loads = CASES[1]
    setting = Setting("JSQ", tuple(map(Fraction, shares)), loads, 10, 3, probe_time=1e-3, migration_time=0.05)
    unequal, shared = network_alone.unequal_service(setting, 4000)
    return finding(
        f"{number} values at most {worst:.1f} half widths from the closed forms, of {joint(number):.1f} for all "
        f"together; between {shared} events with several customers they were served alike within "
        f"{'1e-12' if unequal <= 1e-12 else f'{unequal:.2g}'}",
        worst <= joint(number) and unequal <= 1e-12 and shared > 0,
    )


@check("thesis-6-023", times=(SLOW,))
def probes_hardly_load(times=SMALL):
    """The utilisation against that with messages that take no time; in the control a probe is as a migration."""
    points = by_probe_time if SLOW in times else longer
    none, found = longer(UTILISATION, (0.0,)), points(UTILISATION, times)
    moved = points("traffic", times, MIGRATIONS)
    own = Measured(moved.value * USUAL_MIGRATION, moved.half * USUAL_MIGRATION)
    number = 2 * found.value.size
    ends = [upper(Measured(np.abs((found - each).value), (found - each).half), number) for each in (none, own)]
    holds = [end <= HARDLY * found.value for end in ends]
    both = np.all(holds, axis=0).all(axis=0)
    gap = np.abs((found - none).value)
    beyond = by_probe_time(UTILISATION, (1e-3,)).value - none.value
    words = ", ".join(f"{time:g}" for time, each in zip(times, both) if each) or "none"
    return over_domain(
        f"within a hundredth of both, intervals included, for all policies at {words}; upper ends of the relative "
        f"differences at most {(ends[0] / none.value).max():.3f} from no time at all, "
        f"{(ends[1] / found.value).max():.3f} from the migrations alone; at most {gap.max():.4f} of the capacity, at "
        f"1e-3 {beyond.max():.3f}",
        both,
    )


@check("thesis-6-024", times=(SLOW,))
def measures_unaffected(times=SMALL):
    """Loss and deviation against those with messages that take no time; in the control a probe is as a migration."""
    change = {name: by_probe_time(name, times) - by_probe_time(name, (0.0,)) for name in (LOSS, DEVIATION)}
    wide = joint(sum(each.value.size for each in change.values()))
    same = {name: np.abs(each.value) <= wide * each.half + 1e-12 for name, each in change.items()}
    ends = max((np.abs(each.value) + wide * each.half).max() for each in change.values())
    told = [first_to_be_told(by_probe_time(name, (*PROBE_TIMES, SLOW)), (*PROBE_TIMES, SLOW), wide) for name in change]
    return over_domain(
        f"no difference at {sum(each.sum() for each in same.values())} of "
        f"{sum(each.size for each in same.values())} points; differences at most {ends:.4f}, intervals included; first "
        f"told from none: the loss at {', '.join(told[0])}, the deviation at {', '.join(told[1])}",
        np.stack(list(same.values())),
    )


@check("thesis-6-026", probes=True)
def slightly_larger(probes=False):
    """The deviation with usual migrations and with those that take no time; in the control it is the messages."""
    if probes:
        more = column(by_probe_time(DEVIATION, (USUAL_PROBE,)) - by_probe_time(DEVIATION, (0.0,)))
    else:
        more = column(by_migration_time(DEVIATION, (USUAL_MIGRATION,)) - by_migration_time(DEVIATION, (0.0,)))
    larger, little = above(more, FOUR), upper(more, FOUR) <= SMALL_STEP
    return Finding(
        f"larger by {by_policy(more.value, 4)}; told for {named(larger, POLICIES)}, at most {SMALL_STEP:g} for "
        f"{named(little, POLICIES)}",
        "agrees" if (larger & little).all() else "agrees in part" if (larger & little).any() else "differs",
    )


@check("thesis-6-027", time=USUAL_MIGRATION)
def a_quarter_to_a_third(time=0.1):
    """What migrations bring to the network; in the control they take the usual time."""
    points = functools.partial(by_migration_time, times=(time,))
    load, busy = migration_load(points, [time]), points(UTILISATION)
    holds = (lower(load, FOUR) >= 0.25) & (upper(load, FOUR) <= 0.35)
    most = sum(CASES[1][1]) * time  # one a departure, under SVP also one an arrival
    return over_domain(
        f"migrations {by_policy(load.value[:, 0])}; the network is busy for {by_policy(busy.value[:, 0])} of the time; "
        f"with processors of capacity 1/P it could be {most:.2f} at most, {2 * most:.2f} for SVP",
        holds[:, 0],
    )


@check("thesis-6-152", time=1e-4)
def not_negligible(time=0.1):
    """The deviation with slow migrations and with those that take no time; the control has quick ones."""
    more = column(by_migration_time(DEVIATION, (time,)) - by_migration_time(DEVIATION, (0.0,)))
    loss = column(by_migration_time(LOSS, (time,)) - by_migration_time(LOSS, (0.0,)))
    significant, some = above(more, FOUR, CLEAR), above(more, FOUR, HARDLY)
    by_gap = {name: reluctant(name).value for name in (DEVIATION, LOSS, UTILISATION)}
    throttled = "; ".join(
        f"JSQ at {price:g} with gaps of {', '.join(map(str, GAPS))}: deviation "
        f"{', '.join(f'{each:.3f}' for each in by_gap[DEVIATION][0, :, j, 0])}, network "
        f"{', '.join(f'{each:.3f}' for each in by_gap[UTILISATION][0, :, j, 0])}"
        for j, price in enumerate(PRICES)
    )
    return Finding(
        f"larger by {by_policy(more.value)}, the loss by {by_policy(loss.value)}; by {CLEAR:g} or more for "
        f"{named(significant, POLICIES)}, by more than {HARDLY:g} for {named(some, POLICIES)}; {throttled}",
        judged(some.all(), some.any()),
    )


@check("thesis-6-153", probes=True)
def gradually(probes=False):
    """Every step of the deviation; in the control it is the messages that take longer."""
    times = PROBE_TIMES if probes else MIGRATION_TIMES
    found = (by_probe_time if probes else by_migration_time)(DEVIATION, times)
    step = steps(found)
    number = step.value.size
    holds = above(step, number) & (upper(step, number) <= SMALL_STEP)
    whole = above(column(found, -1) - column(found, 0), FOUR)
    places = [f"{POLICIES[k]} to {times[j + 1]:g}" for k, j in np.argwhere(~holds)]
    return Finding(
        f"rises gradually at {holds.sum()} of {number} steps, by {step.value.min():.4f} to {step.value.max():.4f}; not "
        f"told: {', '.join(places) or 'none'}; over all, higher for {named(whole, POLICIES)}",
        "agrees" if holds.all() else "agrees in part" if holds.any() or whole.any() else "differs",
    )


@check("thesis-6-154", isolation=True)
def network_filled(isolation=False):
    """Every step of the utilisation, a tenth of the larger value at least; Isolation sends nothing."""
    found = by_migration_time(UTILISATION)
    if isolation:
        runs = [
            dispatch.simulate_distributed(
                **of_case("Isolation", migration_service_time=time), jumps=20_000, warmup=0, replications=4, seed=154
            ).network_utilisation
            for time in MIGRATION_TIMES
        ]
        found = Measured(
            *(np.array([[getattr(each, part) for each in runs]] * FOUR) for part in ("value", "half_width"))
        )
    low, high = found.part((slice(None), slice(None, -1))), found.part((slice(None), slice(1, None)))
    gain = Measured((1 - CLEAR) * high.value, (1 - CLEAR) * high.half) - low
    holds = above(gain, gain.value.size)
    until = [crossing(MIGRATION_TIMES, row) for row in found.value]
    return over_domain(
        f"larger by a tenth or more at {holds.sum()} of {holds.size} steps; to {by_policy(found.value[:, -1])} at 0.1; "
        f"below {WISH:g} up to a migration time of {by_policy(until)}",
        holds,
    )


@check("thesis-6-137", exchange=False)
def more_exchange(exchange=True):
    """A channel that knowledge fills; in the control messages take the usual time, and few are asked, not all."""
    quick, slow = on_slow_channel(USUAL_PROBE, LOSS), on_slow_channel(BUSY_CHANNEL if exchange else USUAL_PROBE, LOSS)
    number = 4
    falls = above(quick.part(0) - quick.part(-1), number)
    least = int(np.argmin(slow.value))
    rises = above(slow.part(-1) - slow.part(least), number)
    inside, places, said = [], {}, []
    for name in (LOSS, "jobs"):
        for everybody in (True, False):
            found = crowds(everybody and exchange, name)
            at = places[name, everybody] = int(np.argmin(found.value))
            if everybody:
                ends = [_worse(found, found.part([at] * len(CROWDS)), 2 * number, end) for end in (0, -1)]
                inside.append(0 < at < len(CROWDS) - 1 and all(ends))
            said.append(
                f"{'all' if everybody else 'two'} asked, {'loss' if name == LOSS else 'jobs a processor'} "
                + ", ".join("overload" if np.isinf(each) else f"{each:.3f}" for each in found.value)
            )
    earlier = []
    for name in (LOSS, "jobs"):
        few, all_of_them = crowds(False, name), crowds(exchange, name)
        later = places[name, False] > places[name, True]
        earlier.append(later and _worse(all_of_them, few, number))
    traffic = crowds(exchange, "messages").value / crowds(False, "messages").value
    considerable = (traffic - 1 >= CLEAR).all()
    holds = [bool(falls and rises and 0 < least < len(slow.value) - 1), all(inside), all(earlier) and considerable]
    return Finding(
        f"loss with 1 to 9 asked {', '.join(f'{each:.3f}' for each in slow.value)} on the slow channel, "
        f"{quick.value[0]:.3f} to {quick.value[-1]:.3f} on the usual one; {', '.join(map(str, CROWDS))} processors: "
        f"{'; '.join(said)}; statements that hold: {named(holds, ('the limit', 'the number', 'surpassed'))}",
        "agrees" if all(holds) else "agrees in part" if any(holds) else "differs",
    )


def _worse(one, other, number, place=-1):
    """Whether one has a larger value at a place than the other beyond the joint intervals; what overloads has."""
    if np.isinf(one.value[place]):
        return bool(np.isfinite(other.value[place]))
    return bool(above(one.part(place) - other.part(place), number))
