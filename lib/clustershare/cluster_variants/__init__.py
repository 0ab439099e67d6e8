"""What `ctmc` leaves to the future: preemptive priority, and servers that sleep; each as a chain and event by event."""

from clustershare.cluster_variants import energy, memory, priority
from clustershare.cluster_variants.energy import EnergyPerformance, SleepingCluster, exact_energy
from clustershare.cluster_variants.priority import (
    PriorityCluster,
    PriorityPerformance,
    exact_priority,
)
from clustershare.settling import telling

simulate_energy = telling(energy.simulate_energy, __name__, memory.of_energy, ["blocking"])
simulate_priority = telling(priority.simulate_priority, __name__, memory.of_priority, ["blocking"])

__all__ = [
    "EnergyPerformance",
    "PriorityCluster",
    "PriorityPerformance",
    "SleepingCluster",
    "exact_energy",
    "exact_priority",
    "simulate_energy",
    "simulate_priority",
]
