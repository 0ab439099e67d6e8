"""Claims of `thesis`, Sections 6.2.2, 6.6, 6.7.3 and 6.7.4: what the network is, and what slow messages cost."""

import functools
from fractions import Fraction

import numpy as np

from clustershare import dispatch
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, fact, measured
from compendium.press.clauses.conditions import agrees, at_most, between, equal, larger, rises, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.points.network_times import (
    BUSY_CHANNEL,
    CROWDS,
    SLOW,
    SMALL,
    USUAL_MIGRATION,
    USUAL_PROBE,
    WISH,
    accounts,
    by_migration_time,
    by_probe_time,
    crossing,
    crowds,
    longer,
    migration_load,
    on_slow_channel,
    reluctant,
)
from pages.share_scheduling.distributed.points.stored import (
    DEVIATION,
    LOSS,
    MIGRATIONS,
    UTILISATION,
    WORDS,
    as_it_stands,
)
from pages.share_scheduling.distributed.systems import CASES, MIGRATION_TIMES, POLICIES, PROBE_TIMES, of_case
from pages.share_scheduling.distributed.witnesses import network_alone
from pages.share_scheduling.distributed.witnesses.parts import Setting


def added(quantity, time, probes=False):
    """What migrations that take some time, or messages that do, add to a quantity."""
    points = (by_probe_time if probes else by_migration_time)(quantity, (time, 0.0))
    noun = points.axes[-1][0]
    return points.at(**{noun: time}) - points.at(**{noun: 0.0})


@check("thesis-6-106", in_turn=True)
def one_server_for_all(in_turn=False):
    """Numbers, times and busy part of the network alone; in the control customers are served one after another."""
    shares, loads = CASES[1]
    setting = Setting("JSQ", tuple(map(Fraction, shares)), loads, 10, 3, probe_time=1e-3, migration_time=0.05)
    unequal, shared = network_alone.unequal_service(setting, 4000)
    gaps = network_alone.apart(network_alone.in_turn if in_turn else network_alone.alone)
    return conclude(
        everywhere("the network by itself, less the closed forms of M/G/1 with processor sharing,", gaps, agrees()),
        everywhere(
            "what customers that are present together are served between two events", exact(unequal), equal(1e-12)
        ),
        everywhere("the number of pairs of events with several customers between", exact(shared), larger()),
        whole=True,
    )


@check("thesis-6-023", times=(SLOW,))
def probes_hardly_load(times=SMALL):
    """The utilisation against that with messages that take no time; in the control a probe is as a migration."""
    points = by_probe_time if SLOW in times else longer
    none, found = longer(UTILISATION, (0.0,)).at(message_time=0.0), points(UTILISATION, times)
    own = points("traffic", times, MIGRATIONS).scaled(USUAL_MIGRATION)
    return conclude(
        at_each("the utilisation, less that with messages that take no time,", found - none,
                within("practically equal"), every="policy"),
        at_each("the utilisation, less what the migrations alone bring,", found - own, within("practically equal"),
                every="policy"),
        aside("the first difference in parts of the utilisation", exact((found - none).value / found.value,
                                                                        **dict(found.axes)).largest("policy")),
        aside("that at 1e-3, in parts of the capacity of the network", by_probe_time(UTILISATION, (1e-3,)) - none),
        together="message time",
    )  # fmt: skip


@check("thesis-6-024", times=(SLOW,))
def measures_unaffected(times=SMALL):
    """Loss and deviation against those with messages that take no time; in the control a probe is as a migration."""
    later = {name: by_probe_time(name, (*PROBE_TIMES[1:], SLOW)) - by_probe_time(name, (0.0,)).at(message_time=0.0)
             for name in WORDS}  # fmt: skip
    return conclude(
        *(at_each(f"{word}, less that with messages that take no time,", later[name].at(message_time=times), agrees())
          for name, word in WORDS.items()),
        *(aside(f"how many half widths {word} is off", exact(np.abs(later[name].value / later[name].half),
                **dict(later[name].axes)).largest("policy")) for name, word in WORDS.items()),
    )  # fmt: skip


@check("thesis-6-026", probes=True)
def slightly_larger(probes=False):
    """The deviation with usual migrations and with those that take no time; in the control it is the messages."""
    more = added(DEVIATION, USUAL_PROBE if probes else USUAL_MIGRATION, probes)
    return conclude(at_each("what their time adds to the deviation", more, larger(), at_most("close")))


@check("thesis-6-027", time=USUAL_MIGRATION)
def a_quarter_to_a_third(time=0.1):
    """What migrations bring to the network; in the control they take the usual time."""
    points = functools.partial(by_migration_time, times=(time,))
    return conclude(
        at_each("the load of the network by migrations", migration_load(points, [time]).at(migration_time=time),
                between(0.25, 0.35)),
        aside("the most with processors of capacity 1/P", exact([(1 + (policy == "SVP")) * sum(CASES[1][1]) * time
                                                                 for policy in POLICIES], policy=POLICIES)),
        provided=[everywhere("the utilisation, less the work of all customers,",
                             accounts()["Figures 6.7 and 6.8"].at(migration_time=time), agrees())],
    )  # fmt: skip


@check("thesis-6-152", time=1e-4)
def not_negligible(time=0.1):
    """The deviation with slow migrations and with those that take no time; the control has quick ones."""
    more = added(DEVIATION, time)
    return conclude(
        at_each("what the time of migrations adds to the deviation", more, larger(SCALE["practically equal"].most)),
        aside("for how many policies it is 0.1 or more", exact(np.sum(more.low(more.widened(4)) >= 0.1))),
        aside("what it adds to the loss", as_it_stands(added(LOSS, time))),
        *(aside(f"{word} of JSQ that moves jobs for larger gaps, of ten processors, with migrations of {at:g}",
                reluctant(name).at(policy="JSQ", number_of_processors=10, migration_time=at)) for at in (0.01, 0.1)
          for name, word in {DEVIATION: "the deviation", UTILISATION: "the utilisation"}.items()),
    )  # fmt: skip


@check("thesis-6-153", probes=True)
def gradually(probes=False):
    """Every step of the deviation; in the control it is the messages that take longer."""
    found = by_probe_time(DEVIATION, PROBE_TIMES) if probes else by_migration_time(DEVIATION)
    noun, times = found.axes[-1]
    return conclude(
        at_each("the deviation", found.steps(noun), rises(), at_most("close")),
        aside("what it rises by over all", found.at(**{noun: times[-1]}) - found.at(**{noun: times[0]})),
    )


@check("thesis-6-154", isolation=True)
def network_filled(isolation=False):
    """Every step of the utilisation, a tenth of the larger value at least; Isolation sends nothing."""
    found = by_migration_time(UTILISATION)
    if isolation:
        runs = [
            dispatch.simulate_distributed(
                **of_case("Isolation", migration_service_time=time), jumps=20_000, warmup=0, replications=4, seed=154
            ).network_utilisation for time in MIGRATION_TIMES
        ]  # fmt: skip
        found = measured([one.value for one in runs], [one.half_width for one in runs], runs=4,
                         migration_time=MIGRATION_TIMES)  # fmt: skip
    until = exact([crossing(MIGRATION_TIMES, row) for row in np.atleast_2d(found.value)], policy=None)
    return conclude(
        at_each("the utilisation", found.steps("migration time"), rises("clear")),
        aside("that with migrations of 0.1", found.at(migration_time=0.1)),
        aside(f"the migration time up to which it is below {WISH:g}", until),
    )


@check("thesis-6-137", exchange=False)
def more_exchange(exchange=True):
    """A channel that knowledge fills; in the control messages take the usual time, and few are asked, not all."""
    quick, slow = on_slow_channel(USUAL_PROBE, LOSS), on_slow_channel(BUSY_CHANNEL if exchange else USUAL_PROBE, LOSS)
    least = slow.axes[0][1][int(slow.value.argmin())]
    falls, rises_again = (_is_more(*pair, 4) for pair in ((quick.at(limit=1), quick.at(limit=9)),
                                                         (slow.at(limit=9), slow.at(limit=least))))  # fmt: skip
    inside, earlier, told = [], [], []
    for name, word in {LOSS: "the loss", "jobs": "the jobs at a processor"}.items():
        every, few = (crowds(asked and exchange, name) for asked in (True, False))
        at, later = (CROWDS[int(each.value.argmin())] for each in (every, few))
        ends = [_is_more(*(every.at(number_of_processors=P) for P in (end, at)), 8) for end in (CROWDS[0], CROWDS[-1])]
        inside.append(at not in (CROWDS[0], CROWDS[-1]) and all(ends))
        earlier.append(later > at and _is_more(*(each.at(number_of_processors=CROWDS[-1]) for each in (every, few)), 4))
        told += [aside(f"{word} with all asked", every), aside(f"{word} with two asked", few)]
    traffic = exact(crowds(exchange, "messages").value / crowds(False, "messages").value, number_of_processors=CROWDS)
    considerable = not (traffic.value < 1 + SCALE["clear"].least).any()
    return conclude(
        fact("with a larger limit performance improves up to a point, and then worsens",
             falls and rises_again and 1 < least < 9, "a larger limit does not improve it up to a point alone"),
        fact("so it does with more processors", all(inside), "it does not so with more processors"),
        fact("who exchanges most turns first, and is surpassed then", all(earlier) and considerable,
             "who exchanges most does not turn first to be surpassed"),
        aside("the loss on the slow channel", slow), aside("the loss on the usual one", quick), *told,
    )  # fmt: skip


def _is_more(one, other, number):
    """Whether one value is above another beyond the joint intervals; what is overloaded is."""
    if np.isinf(one.value):
        return bool(np.isfinite(other.value))
    return bool((one - other).low(one.widened(number)) > 0)
