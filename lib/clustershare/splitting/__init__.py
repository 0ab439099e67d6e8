"""Random splitting: jobs are sent to processors by chance and stay there (`thesis`, Sections 4.3 to 4.5)."""

from clustershare.splitting.capacity_loss import (
    SplitLoad,
    capacity_loss,
    minimise_capacity_loss,
    minimise_response_time,
    minimise_waiting_time,
)
from clustershare.splitting.certify import certify_capacity_loss
from clustershare.splitting.certify_shares import certify_group_share_deviation
from clustershare.splitting.classes import (
    Classes,
    ClassRouting,
    minimise_cost,
    priority_cost,
    priority_response_times,
    waiting_cost,
)
from clustershare.splitting.fairest import minimise_group_share_deviation
from clustershare.splitting.groups import SplitShares, assignment, group_number_law, horizontal, vertical
from clustershare.splitting.numbers import load_balancing_success, number_law
from clustershare.splitting.patterns import PatternPerformance, pattern_allocation
from clustershare.splitting.response import SplitRates, fastest_responses, parallel_response_time, shortest_waits
from clustershare.splitting.structure import approximate_capacity_loss, level_spare_capacity, switch_on_loads

__all__ = [
    "ClassRouting",
    "Classes",
    "PatternPerformance",
    "SplitLoad",
    "SplitRates",
    "SplitShares",
    "approximate_capacity_loss",
    "assignment",
    "capacity_loss",
    "certify_capacity_loss",
    "certify_group_share_deviation",
    "fastest_responses",
    "group_number_law",
    "horizontal",
    "level_spare_capacity",
    "load_balancing_success",
    "minimise_capacity_loss",
    "minimise_cost",
    "minimise_group_share_deviation",
    "minimise_response_time",
    "minimise_waiting_time",
    "number_law",
    "parallel_response_time",
    "pattern_allocation",
    "priority_cost",
    "priority_response_times",
    "shortest_waits",
    "switch_on_loads",
    "vertical",
    "waiting_cost",
]
