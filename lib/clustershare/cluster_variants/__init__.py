"""What `ctmc` leaves to the future: preemptive priority, and servers that sleep; each as a chain and event by event."""

from clustershare.cluster_variants.energy import EnergyPerformance, SleepingCluster, exact_energy, simulate_energy
from clustershare.cluster_variants.priority import (
    PriorityCluster,
    PriorityPerformance,
    exact_priority,
    simulate_priority,
)

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
