"""Claims of `thesis`, Section 6.7.4: slow migrations."""

import functools

import numpy as np

from clustershare import dispatch
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, measured
from compendium.press.clauses.conditions import agrees, at_most, between, larger, rises
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.points.network_times import (
    USUAL_MIGRATION,
    USUAL_PROBE,
    WISH,
    brought,
    by_migration_time,
    by_probe_time,
    crossing,
    migration_load,
    reluctant,
)
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, UTILISATION, as_it_stands
from pages.share_scheduling.distributed.systems import CASES, MIGRATION_TIMES, POLICIES, PROBE_TIMES, of_case


def added(quantity, time, probes=False):
    """What migrations that take some time, or messages that do, add to a quantity."""
    points = (by_probe_time if probes else by_migration_time)(quantity, (time, 0.0))
    noun = points.axes[-1][0]
    return points.at(**{noun: time}) - points.at(**{noun: 0.0})


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
                             points(UTILISATION).less(brought(points, migration_time=[time]), np.add), agrees())],
    )  # fmt: skip


@check("thesis-6-152", time=1e-4)
def not_negligible(time=0.1):
    """Deviation and loss with slow migrations and with those that take no time; the control has quick ones."""
    more, noticed = added(DEVIATION, time), larger(SCALE["practically equal"].most)
    return conclude(
        at_each("what the time of migrations adds to the deviation", more, noticed),
        at_each("what it adds to the loss", as_it_stands(added(LOSS, time)), noticed),
        aside("for how many policies it is 0.1 or more", exact(np.sum(more.low(more.widened(4)) >= 0.1))),
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
