"""What `thesis`, Chapter 6, leaves open, read in two ways: stored points of one reading less those of another."""

import functools

from compendium.press.clauses import at_each, exact
from compendium.press.clauses.conditions import within
from pages.share_scheduling.distributed.points.limits import five
from pages.share_scheduling.distributed.points.network_times import by_migration_time, by_probe_time, read_otherwise
from pages.share_scheduling.distributed.points.periodic import ALL, by_period
from pages.share_scheduling.distributed.points.stored import WORDS, as_it_stands, measured
from pages.share_scheduling.distributed.systems import LIMITS, POLICIES

SLOW_PROBES, SLOW_MIGRATION = (1e-4, 1e-3), 0.1


@functools.cache
def at_limits(reading, quantity, policies=POLICIES, index=None):
    """By how much another reading changes a quantity at the points of Figures 6.1 and 6.2 (case 1, limits 0 to 9)."""
    found = measured(
        "readings", quantity, "probe_limit", policies=policies, index=index, reading=reading, probe_limit=LIMITS
    )
    return as_it_stands(found - five(quantity, index).at(policy=policies, case=1))


def uninformed(quantity, policies=POLICIES):
    """The wrong system in place of another reading: nobody is asked, whatever the limit."""
    found = five(quantity).at(policy=policies, case=1)
    return as_it_stands(found.at(limit=0) - found.at(limit=LIMITS[1:]))


@functools.cache
def at_periods(reading, quantity):
    """The same at the points of Figures 6.4 and 6.5."""
    return as_it_stands(by_period(quantity, ALL, reading) - by_period(quantity))


@functools.cache
def slow_probes(quantity):
    """The reading "state at departure" where messages take `SLOW_PROBES`."""
    found = measured(
        "readings", quantity, "probe_service_time", reading="state at departure", probe_service_time=SLOW_PROBES
    )
    return as_it_stands(found - by_probe_time(quantity, SLOW_PROBES))


@functools.cache
def slow_migrations(reading, quantity):
    """Where migrations take `SLOW_MIGRATION`: by policy."""
    usual = by_migration_time(quantity, (SLOW_MIGRATION,)).at(migration_time=SLOW_MIGRATION)
    return as_it_stands(read_otherwise(quantity, reading) - usual)


def no_matter(of_readings, nobody=False, policies=POLICIES, quantities=WORDS):
    """Clauses on what other readings change: the differences themselves, as they stand, without their intervals.

    `of_readings` has words for each reading, and a function that gives differences of a quantity; `nobody` asks nobody
    in its place, under these policies; `quantities` has words for what is compared.
    """
    if nobody:
        of_readings = {"with nobody asked": lambda quantity: uninformed(quantity, policies)}
    found = {
        f"{where}, what {word} changes by": points(quantity)
        for where, points in of_readings.items() for quantity, word in quantities.items()
    }  # fmt: skip
    return [at_each(subject, exact(each.value, **dict(each.axes)), within("practically equal"))
            for subject, each in found.items()]  # fmt: skip
