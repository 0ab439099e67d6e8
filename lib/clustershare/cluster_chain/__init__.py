"""A cluster behind a job tracker and a finite queue, as a continuous-time Markov chain (`ctmc`)."""

from clustershare.cluster_chain.job_sizes import harmonic_sizes, normal_sizes, uniform_sizes
from clustershare.cluster_chain.model import ServiceCluster
from clustershare.cluster_chain.solver import Solution

__all__ = ["ServiceCluster", "Solution", "harmonic_sizes", "normal_sizes", "uniform_sizes"]
