"""A cluster behind a job tracker and a finite queue (`ctmc`): `exact` by its Markov chain, `simulate` with events."""

from clustershare.arrivals import Bursts
from clustershare.cluster_chain import memory, simulator
from clustershare.cluster_chain.analysis import exact
from clustershare.cluster_chain.direct import DirectSolution, solve_directly
from clustershare.cluster_chain.job_sizes import harmonic_sizes, normal_sizes, uniform_sizes
from clustershare.cluster_chain.model import ServiceCluster
from clustershare.cluster_chain.saturation import saturated_jobs, saturated_throughput
from clustershare.cluster_chain.sizing import Sizing, smallest_cluster
from clustershare.cluster_chain.solver import ClusterPerformance, Solution
from clustershare.settling import telling

simulate = telling(simulator.simulate, __name__, memory.of_simulation, ["blocking"])

__all__ = [
    "Bursts",
    "ClusterPerformance",
    "DirectSolution",
    "ServiceCluster",
    "Sizing",
    "Solution",
    "exact",
    "harmonic_sizes",
    "normal_sizes",
    "saturated_jobs",
    "saturated_throughput",
    "simulate",
    "smallest_cluster",
    "solve_directly",
    "uniform_sizes",
]
