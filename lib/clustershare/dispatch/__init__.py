"""Jobs sent to processors by what is there: dynamic policies, central and distributed (`thesis`, Chapters 5 and 6)."""

from clustershare.dispatch import beside_queue, central, distributed, memory, network_alone
from clustershare.dispatch.central import POLICIES, DispatchPerformance
from clustershare.dispatch.chain import exact_central
from clustershare.dispatch.distributed import DistributedPerformance
from clustershare.dispatch.distributed_plan import DISTRIBUTED_POLICIES
from clustershare.dispatch.many_servers import (
    numbers_in_one_line,
    own_processors,
    queueing_probability,
    shortest_queue_with_migration,
)
from clustershare.dispatch.network_alone import NetworkPerformance
from clustershare.dispatch.partitioning import combinations, partition
from clustershare.dispatch.probing import arrival_law, probe_law
from clustershare.settling import telling

simulate_central = telling(central.simulate_central, __name__, memory.of_central)
simulate_central_beside_queue = telling(
    beside_queue.simulate_central_beside_queue, __name__, memory.of_central, steps=memory.steps_beside_queue
)
simulate_distributed = telling(distributed.simulate_distributed, __name__, memory.of_distributed)
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
