"""Jobs sent to processors by what is there: dynamic policies, central and distributed (`thesis`, Chapters 5 and 6)."""

from clustershare.dispatch import (
    beside_queue,
    central,
    chain,
    distributed,
    many_servers,
    memory,
    network_alone,
    responses,
)
from clustershare.dispatch.central import POLICIES, DispatchPerformance
from clustershare.dispatch.distributed import DistributedPerformance
from clustershare.dispatch.distributed_plan import DISTRIBUTED_POLICIES
from clustershare.dispatch.many_servers import (
    numbers_in_one_line,
    own_processors,
    queueing_probability,
)
from clustershare.dispatch.network_alone import NetworkPerformance
from clustershare.dispatch.partitioning import combinations, partition
from clustershare.dispatch.probing import arrival_law, probe_law
from clustershare.settling import telling


def _simulator(simulate, remembered, steps=None):
    return responses.with_response_times(telling(simulate, __name__, remembered, steps=steps), __name__)


exact_central = responses.with_response_times(chain.exact_central, __name__)
shortest_queue_with_migration = responses.with_response_times(many_servers.shortest_queue_with_migration, __name__)
simulate_central = _simulator(central.simulate_central, memory.of_central)
simulate_central_beside_queue = _simulator(
    beside_queue.simulate_central_beside_queue, memory.of_central, memory.steps_beside_queue
)
simulate_distributed = _simulator(distributed.simulate_distributed, memory.of_distributed)
simulate_network = telling(network_alone.simulate_network, __name__, memory.of_network)

__all__ = [
    "DISTRIBUTED_POLICIES",
    "POLICIES",
    "DispatchPerformance",
    "DistributedPerformance",
    "NetworkPerformance",
    "arrival_law",
    "combinations",
    "exact_central",
    "numbers_in_one_line",
    "own_processors",
    "partition",
    "probe_law",
    "queueing_probability",
    "shortest_queue_with_migration",
    "simulate_central",
    "simulate_central_beside_queue",
    "simulate_distributed",
    "simulate_network",
]
