"""What `thesis`, Chapter 6, leaves open, read in two ways: stored points of one reading beside those of another.

Differences are `measured.Measured`, of the shape (policies, points).
"""

import functools

from pages.share_scheduling.distributed.limits import five
from pages.share_scheduling.distributed.measured import DEVIATION, LOSS, Measured, measured
from pages.share_scheduling.distributed.network_times import by_migration_time, by_probe_time, read_otherwise
from pages.share_scheduling.distributed.periodic import ALL, by_period
from pages.share_scheduling.distributed.systems import LIMITS, POLICIES

BOTH = (DEVIATION, LOSS)
SLOW_PROBES, SLOW_MIGRATION = (1e-4, 1e-3), 0.1


def _rows(policies):
    return [POLICIES.index(policy) for policy in policies]


@functools.cache
def at_limits(reading, quantity, policies=POLICIES, index=None):
    """By how much another reading changes a quantity at the points of Figures 6.1 and 6.2 (case 1, limits 0 to 9)."""
    found = measured(
        "readings", quantity, "probe_limit", policies=policies, index=index, reading=reading, probe_limit=LIMITS
    )
    return found - five(quantity, index).part((_rows(policies), 0))


def uninformed(quantity, policies=POLICIES):
    """The wrong system in place of another reading: nobody is asked, whatever the limit; shape (policies, 9)."""
    found = five(quantity).part((_rows(policies), 0))
    none = found.part((slice(None), slice(0, 1)))
    return Measured(*(part[:, 1:] for part in none - found))


@functools.cache
def at_periods(reading, quantity):
    """The same at the points of Figures 6.4 and 6.5."""
    return by_period(quantity, ALL, reading) - by_period(quantity)


@functools.cache
def slow_probes(quantity):
    """The reading "state at departure" where messages take `SLOW_PROBES`."""
    found = measured(
        "readings", quantity, "probe_service_time", reading="state at departure", probe_service_time=SLOW_PROBES
    )
    return found - by_probe_time(quantity, SLOW_PROBES)


@functools.cache
def slow_migrations(reading, quantity):
    """Where migrations take `SLOW_MIGRATION`: shape (policies, 1)."""
    usual = by_migration_time(quantity, (SLOW_MIGRATION,))
    return Measured(*(part[:, None] for part in read_otherwise(quantity)[reading])) - usual
