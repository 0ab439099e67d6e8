"""How long a cluster behind a finite queue remembers: it is stable at all loads, and slowest near load 1."""

from clustershare.arrivals import Process
from clustershare.cluster_chain.simulator import laws_of_sizes, several
from clustershare.settling import memory_of_line, variability

JUMPS_PER_JOB = 3  # it arrives, is mapped and ends


def of_simulation(given):
    """Jumps that the system remembers, of the arguments of `simulate`."""
    service = given["service"]
    laws = [given["arrivals"], given["tracker"]]
    laws += laws_of_sizes(given["cluster"], service) if several(service) else [service]
    sojourns = getattr(given["arrivals"], "sojourns", ())
    spread = max([1.0, *(law.variance for law in laws if hasattr(law, "variance"))])
    if isinstance(given["arrivals"], Process):
        dispersion, lasting = variability(given["arrivals"], given["cluster"].arrival_rate)
        spread, sojourns = max(spread, dispersion), (lasting,)
    return of_cluster(given["cluster"], spread, *sojourns)


def of_cluster(cluster, spread, *times):
    """The same of a cluster whose laws have that squared coefficient of variation, and of other times that matter."""
    slowest = max(*cluster.mean_times, *times)
    line = memory_of_line(cluster.queue_capacity + 1, JUMPS_PER_JOB, spread=spread)
    return line + JUMPS_PER_JOB * cluster.arrival_rate * slowest * (1 + spread) / 2
