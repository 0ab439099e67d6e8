"""How long clusters with priorities, or with servers that sleep, remember."""

from clustershare.cluster_chain.memory import JUMPS_PER_JOB, of_cluster
from clustershare.settling import memory_of_line


def of_energy(given):
    """Jumps that the system remembers, of the arguments of `simulate_energy`."""
    sleeping = given["cluster"]
    times = [1 / rate for rate in (sleeping.setup_rate, sleeping.shutdown_rate) if rate > 0]
    return of_cluster(sleeping.cluster, max(1.0, getattr(given["setup"], "variance", 1.0)), *times)


def of_priority(given):
    """Jumps that the system remembers, of the arguments of `simulate_priority`: those of the slower line."""
    cluster = given["cluster"]
    total, found = sum(cluster.arrival_rates), []
    for places, rate, served in zip(cluster.queue_capacities, cluster.arrival_rates, cluster.service_rates):
        line = memory_of_line(places + 1, JUMPS_PER_JOB, part=rate / total)
        found.append(line + JUMPS_PER_JOB * total / served)
    return max(found)
