"""Jobs served by several servers at once: compatibility graph, order-independent queue, balanced fairness, Algorithm 1.

The model of `balanced`: each class of jobs has its set of servers, each server serves its jobs first come, first
served, and a job is served at the sum of the capacities of the servers that serve it.
"""

from clustershare.multiserver import beside, beside_assignment, memory, simulator
from clustershare.multiserver.answers import exact
from clustershare.multiserver.beside import Beside
from clustershare.multiserver.beside_assignment import total_rates
from clustershare.multiserver.chain import distance_from_balanced_fairness, interrupted_queue
from clustershare.multiserver.first_order import FirstOrder, first_order_distance, one_server_distance
from clustershare.multiserver.formulas import balanced_fairness, random_assignment, three_server_service_rates
from clustershare.multiserver.graph import CompatibilityGraph, RandomAssignment, is_stable
from clustershare.multiserver.order_independent import (
    balance_function,
    over_all_orders,
    service_rates,
    state_rates,
    stationary_measure,
)
from clustershare.multiserver.performance import Performance
from clustershare.settling import telling

simulate = telling(simulator.simulate, __name__, memory.of_phases)
simulate_beside_balanced_fairness = telling(
    beside.simulate_beside_balanced_fairness, __name__, memory.of_jobs, steps=memory.steps_beside
)
simulate_assignment_beside_processor_sharing = telling(
    beside_assignment.simulate_assignment_beside_processor_sharing,
    __name__,
    memory.of_assignment,
    steps=memory.steps_beside,
)

__all__ = [
    "Beside",
    "CompatibilityGraph",
    "FirstOrder",
    "Performance",
    "RandomAssignment",
    "balance_function",
    "balanced_fairness",
    "distance_from_balanced_fairness",
    "exact",
    "first_order_distance",
    "interrupted_queue",
    "is_stable",
    "one_server_distance",
    "over_all_orders",
    "random_assignment",
    "service_rates",
    "simulate",
    "simulate_assignment_beside_processor_sharing",
    "simulate_beside_balanced_fairness",
    "state_rates",
    "stationary_measure",
    "three_server_service_rates",
    "total_rates",
]
