"""The systems of `thesis`, Chapter 2: those of the text's examples, and others at random."""

import numpy as np

from clustershare.execution import execute
from clustershare.shares import State
from pages.share_scheduling.objectives.complications import members

SYSTEM = (2, 1, 1)  # capacities of the text's example: `thesis`, Figures 2.1, 2.2, 2.3, 2.4, 2.5
EXACT = 1e-9  # up to which shares count as equal


def random_systems(count, processors=(1, 4), groups=(2, 4), seed=2, homogeneous=False):
    """Capacities, required shares and numbers of jobs."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        P, G = rng.integers(processors[0], processors[1] + 1), rng.integers(groups[0], groups[1] + 1)
        capacities = np.ones(P) if homogeneous else np.sort(rng.exponential(size=P) + 0.05)[::-1]
        yield capacities.tolist(), rng.dirichlet(np.ones(G)).tolist(), rng.integers(0, P + 2, size=G).tolist()


def random_capacities(rng, processors, homogeneous=False):
    """Capacities from 0.1 to 10, log-uniform, the fastest first; or all 1."""
    return np.ones(processors) if homogeneous else np.sort(10 ** rng.uniform(-1, 1, processors))[::-1]


def random_jobs(rng, groups, most, least=0):
    """Required shares and numbers of jobs, every second time few of them."""
    limit = rng.integers(least, most + 1) if rng.random() < 0.5 else most
    return rng.dirichlet(np.ones(groups)) if groups > 1 else np.ones(1), rng.integers(least, limit + 1, size=groups)


def random_states(count, seed=3):
    """States served at random, within (2.17)-(2.19)."""
    rng = np.random.default_rng(seed)
    for capacities, required, jobs in random_systems(count, seed=seed):
        who = members(jobs)
        weights = rng.random((len(who), len(capacities))) * (rng.random((len(who), len(capacities))) < 0.6)
        most = max([1.0, *weights.sum(axis=0), *weights.sum(axis=1)]) if who else 1.0
        yield State(capacities, required, who, weights / most)


def random_traces(count, seed, processors=6):
    """Executions of jobs with random arrivals and work where they stand: FCFS and PS in turn."""
    rng = np.random.default_rng(seed)
    for trial in range(count):
        speeds = random_capacities(rng, rng.integers(1, processors + 1))
        jobs = rng.integers(1, 9)
        place = rng.integers(len(speeds), size=jobs).tolist()
        begin, work = rng.uniform(0, 3, jobs), rng.exponential(size=jobs) + 0.1
        yield execute(("FCFS", "PS")[trial % 2], begin, work, speeds, place)
