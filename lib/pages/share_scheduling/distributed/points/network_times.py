"""What the network takes: the points of `thesis`, Figures 6.6, 6.7 and 6.8, and what its customers bring to it."""

import functools
import re

import numpy as np

from clustershare import dispatch
from clustershare.arguments import UnstableError
from compendium.press import clauses
from pages.share_scheduling.distributed.points.limits import five
from pages.share_scheduling.distributed.points.periodic import by_period
from pages.share_scheduling.distributed.points.stored import MIGRATIONS, UTILISATION, measured
from pages.share_scheduling.distributed.systems import LIMITS, MIGRATION_TIMES, PROBE_TIMES, of_case

LONG, LONGER = 1.0, 4.0  # parts of a fidelity's jumps: small differences are looked for, or a hundredth of a value
USUAL_PROBE, USUAL_MIGRATION = 1e-6, 1e-2
SLOW = 0.01  # a probe service time as long as a usual migration
SMALL = tuple(time for time in PROBE_TIMES if 0 < time <= 1e-4)  # probe times of which the text speaks
WISH = 0.1  # the utilisation that the thesis would not exceed
GAPS, PRICES, SIZES = (2, 3, 4), (0.01, 0.1), (10, 20)  # of reluctant policies: jobs, S^M, processors
READINGS = ("with those under way", "rule must hold")
BUSY_CHANNEL = 5e-3  # a probe service time with which complete probing nearly fills the network
CROWD_TIME, CROWDS = 1e-4, (5, 10, 20, 40, 60, 70)  # S^P, and processors on one network
FEW = 2  # the others asked, against all


@functools.cache
def longer(quantity, times=(0.0, *SMALL), index=None, fidelity="book"):
    """The same as `by_probe_time`, from longer runs, for messages that take little time."""
    return measured(
        "probe-times", quantity, "probe_service_time", index=index, fidelity=fidelity, part=LONGER,
        probe_service_time=times,
    )  # fmt: skip


@functools.cache
def by_probe_time(quantity, times=PROBE_TIMES, index=None, fidelity="book"):
    """A quantity by policy and S^P, on demand; Figure 6.6."""
    return measured(
        "probe-times", quantity, "probe_service_time", index=index, fidelity=fidelity, part=LONG,
        probe_service_time=(*PROBE_TIMES, SLOW),
    ).at(message_time=times)  # fmt: skip


@functools.cache
def by_migration_time(quantity, times=MIGRATION_TIMES, index=None, fidelity="book"):
    """A quantity by policy and S^M; Figures 6.7 and 6.8."""
    return measured(
        "migration-times", quantity, "migration_service_time", index=index, fidelity=fidelity, part=LONG,
        migration_service_time=times,
    )  # fmt: skip


@functools.cache
def read_otherwise(quantity, reading):
    """A quantity by policy, where migrations are slow, under another of `READINGS`."""
    return measured("readings", quantity, reading=reading, migration_service_time=PRICES[1])


def brought(points, probe_time=USUAL_PROBE, migration_time=USUAL_MIGRATION, left_out=()):
    """The work that the five kinds of customers, or those not left out, bring to the network per unit of time.

    `points` gives a quantity at some points, as `by_probe_time` does; the times are those of these points. Half widths
    are added up: the rates come from the same runs.
    """
    rates = {kind: points("traffic", index=kind) for kind in range(5) if kind not in left_out}
    work = [
        rate.scaled(np.asarray(migration_time if kind == MIGRATIONS else probe_time)) for kind, rate in rates.items()
    ]
    return functools.reduce(lambda one, other: one.less(-other, np.add), work)


@functools.cache
def accounts(left_out=()):
    """The utilisation measured, less the work brought, at the points of Figures 6.1 to 6.8: dict of Points.

    Those of the first three figures are of all cases.
    """
    places = {
        "Figures 6.1 to 6.3, all cases": (five, USUAL_PROBE, USUAL_MIGRATION),
        "Figures 6.4 and 6.5": (by_period, USUAL_PROBE, USUAL_MIGRATION),
        "Figure 6.6": (by_probe_time, PROBE_TIMES, USUAL_MIGRATION),
        "Figures 6.7 and 6.8": (by_migration_time, USUAL_PROBE, MIGRATION_TIMES),
    }
    return {
        name: points(UTILISATION).less(brought(points, probe, migration, left_out), np.add)
        for name, (points, probe, migration) in places.items()
    }


def migration_load(points, times):
    """What migrations alone bring."""
    return points("traffic", index=MIGRATIONS).scaled(np.asarray(times))


def crossing(times, values, level=WISH):
    """Where the line through points that rise first reaches a level: float.

    Examples
    --------
    >>> crossing((0.0, 0.5, 1.0), (0.0, 0.05, 0.15))
    0.75
    """
    return float(np.interp(level, values, times))


@functools.cache
def reluctant(quantity, index=None, fidelity="book"):
    """A quantity of JSQ and HP with jobs that migrate for larger gaps: by policy, gap, S^M and processors."""
    return measured(
        "reluctant", quantity, "gap", "migration_service_time", "processors", policies=("JSQ", "HP"), index=index,
        fidelity=fidelity, gap=GAPS, migration_service_time=PRICES, processors=SIZES,
    )  # fmt: skip


@functools.cache
def on_slow_channel(probe_time, quantity, index=None, fidelity="book"):
    """JSQ with limits 1 to 9 on ten processors, S^P usual or `BUSY_CHANNEL`: by limit."""
    return measured(
        "channel", quantity, "probe_service_time", "probe_limit", policies=("JSQ",), index=index,
        fidelity=fidelity, probe_service_time=(USUAL_PROBE, BUSY_CHANNEL), probe_limit=LIMITS[1:],
    ).at(policy="JSQ", message_time=probe_time)  # fmt: skip


def _in_crowd(processors, everybody):
    limit = processors - 1 if everybody else FEW
    return {"probe_service_time": CROWD_TIME, "processors": processors, "probe_limit": limit}


@functools.cache
def offered(processors, everybody):
    """What the network of a crowd is offered if it is more than it can carry, by a short run; else None.

    A run that ends so leaves no row.
    """
    system = of_case("JSQ", **_in_crowd(processors, everybody))
    if 2 * 0.8 * processors * (1 + system["probe_limit"]) * CROWD_TIME < 0.5:
        return None  # and what else there is comes to less than that
    try:
        dispatch.simulate_distributed(**system, jumps=30_000, warmup=0, replications=1, seed=137)
    except UnstableError as error:
        return float(re.search(r"[\d.]+\d", str(error))[0])
    return None


@functools.cache
def two_asked(quantity, fidelity="book"):
    """`FEW` asked of ten processors with S^P of `CROWD_TIME`: by policy."""
    return measured("channel", quantity, fidelity=fidelity, **_in_crowd(10, False))


@functools.cache
def crowds(everybody, quantity, fidelity="book"):
    """JSQ that asks all others, or `FEW`, with S^P of `CROWD_TIME`: by number of processors, infinite where overloaded.

    The quantity "jobs" is the mean number for each processor, "messages" the requests and replies per unit of time.
    """
    values, halves = [], []
    for processors in CROWDS:
        name, parts, size = {"jobs": ("mean_jobs", (0, 1), processors), "messages": ("traffic", (0, 1), 1)}.get(
            quantity, (quantity, (None,), 1)
        )
        if offered(processors, everybody):
            values.append(np.inf)
            halves.append(0.0)
            continue
        found = [
            measured(
                "channel", name, policies=("JSQ",), fidelity=fidelity, index=part, **_in_crowd(processors, everybody)
            )
            for part in parts
        ]
        values.append(sum(each.value[0] for each in found) / size)
        halves.append(sum(each.half[0] for each in found) / size)
    return clauses.measured(values, halves, number_of_processors=CROWDS)
