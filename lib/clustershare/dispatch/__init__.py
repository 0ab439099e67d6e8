"""Jobs sent to processors by what is there: dynamic global policies (`thesis`, Chapter 5)."""

from clustershare.dispatch.central import POLICIES, DispatchPerformance, simulate_central
from clustershare.dispatch.chain import exact_central
from clustershare.dispatch.many_servers import (
    numbers_in_one_line,
    own_processors,
    queueing_probability,
    shortest_queue_with_migration,
)
from clustershare.dispatch.partitioning import combinations, partition

__all__ = [
    "POLICIES",
    "DispatchPerformance",
    "combinations",
    "exact_central",
    "numbers_in_one_line",
    "own_processors",
    "partition",
    "queueing_probability",
    "shortest_queue_with_migration",
    "simulate_central",
]
