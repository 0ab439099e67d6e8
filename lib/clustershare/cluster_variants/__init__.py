"""What `ctmc` leaves to the future: preemptive priority, and servers that sleep; each as a chain and event by event."""

from clustershare.cluster_variants.energy import EnergyPerformance, SleepingCluster, simulate_energy
from clustershare.cluster_variants.priority import PriorityCluster, PriorityPerformance, simulate_priority

__all__ = [
    "EnergyPerformance",
    "PriorityCluster",
    "PriorityPerformance",
    "SleepingCluster",
    "simulate_energy",
    "simulate_priority",
]
