"""The systems of `thesis`, Chapters 1 and 2: those of the text's examples, and others at random."""

import functools

import numpy as np

from clustershare import routing
from clustershare.execution import execute
from clustershare.partitions import partitioned_feasible_share
from clustershare.shares import State
from compendium.press.clauses import cases
from pages.share_scheduling.objectives.complications import members

JOBS = (0, 1, 2, 3)  # of a group, in the examples of Section 2.4.5
SYSTEM = (2, 1, 1)  # capacities of the text's example: `thesis`, Figures 2.1, 2.2, 2.3, 2.4, 2.5
LOADS = np.round(np.arange(0.05, 0.96, 0.05), 2).tolist()  # from 0.05 to 0.95
TENTHS = (*np.round(np.arange(0.1, 0.95, 0.1), 1).tolist(), 0.95)  # the same, fewer
EXACT = 1e-9  # up to which shares count as equal


def random_systems(count, processors=(1, 4), groups=(2, 4), seed=2, homogeneous=False):
    """Capacities, required shares and numbers of jobs."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        P, G = rng.integers(processors[0], processors[1] + 1), rng.integers(groups[0], groups[1] + 1)
        capacities = np.ones(P) if homogeneous else np.sort(rng.exponential(size=P) + 0.05)[::-1]
        yield capacities.tolist(), rng.dirichlet(np.ones(G)).tolist(), rng.integers(0, P + 2, size=G).tolist()


def drawn(noun, count, seed):
    """A domain of cases that are drawn one after the other: what is measured takes the generator and their number."""
    rng = np.random.default_rng(seed)
    return cases(noun, [(rng, number) for number in range(count)], seed=seed)


def random_capacities(rng, processors, homogeneous=False):
    """Capacities from 0.1 to 10, log-uniform, the fastest first; or one for all."""
    speeds = 10 ** rng.uniform(-1, 1, 1 if homogeneous else processors)
    return np.full(processors, speeds) if homogeneous else np.sort(speeds)[::-1]


def random_jobs(rng, groups, most, least=0):
    """Required shares and numbers of jobs, every second time few of them."""
    limit = rng.integers(least, most + 1) if rng.random() < 0.5 else most
    return rng.dirichlet(np.ones(groups)) if groups > 1 else np.ones(1), rng.integers(least, limit + 1, size=groups)


def systems(
    count, seed, *, processors=(1, 6), groups=(1, 5), jobs=lambda P: P + 2, least=0, alike=0, in_twentieths=False
):
    """A domain of systems at random: capacities, required shares and numbers of jobs.

    Parameters
    ----------
    count, seed : int
    processors, groups : tuple of int
        The fewest and the most.
    jobs : callable
        The most of a group, for a number of processors; `least` is the fewest.
    alike : int
        The processors of every so manieth system are alike; of none if 0.
    in_twentieths : bool
        Whether the required shares of every second pair of systems are twentieths.
    """
    rng = np.random.default_rng(seed)

    def one(number):
        P, G = (int(rng.integers(low, high + 1)) for low, high in (processors, groups))
        speeds = random_capacities(rng, P, bool(alike) and number % alike == 0)
        required, numbers = random_jobs(rng, G, jobs(P), least)
        if in_twentieths and number % 4 < 2:
            required = twentieths(rng, required)
        return speeds, required, numbers

    return cases("system", map(one, range(count)), seed=seed)


def twentieths(rng, required):
    """Required shares near some, in twentieths, of which each group has one at least."""
    return (rng.multinomial(20 - len(required), required) + 1) / 20


def random_states(count, seed=3, among=None):
    """States served at random, within (2.17)-(2.19): of systems of `random_systems`, or of others."""
    rng = np.random.default_rng(seed)
    for capacities, required, jobs in among or random_systems(count, seed=seed):
        who = members(jobs)
        weights = rng.random((len(who), len(capacities))) * (rng.random((len(who), len(capacities))) < 0.6)
        most = max([1.0, *weights.sum(axis=0), *weights.sum(axis=1)]) if who else 1.0
        yield State(capacities, required, who, weights / most)


def random_arrivals(count, seed, processors=6, jobs=8):
    """Policies, FCFS and PS in turn, and jobs with random arrivals and work where they stand: what `execute` takes."""
    rng = np.random.default_rng(seed)
    for trial in range(count):
        speeds = random_capacities(rng, rng.integers(1, processors + 1))
        number = rng.integers(1, jobs + 1)
        place = rng.integers(len(speeds), size=number).tolist()
        begin, work = rng.uniform(0, 3, number), rng.exponential(size=number) + 0.1
        yield ("FCFS", "PS")[trial % 2], begin, work, speeds, place


def random_traces(count, seed, processors=6):
    """Executions of such jobs."""
    return (execute(*one) for one in random_arrivals(count, seed, processors))


def example(policy, capacities=SYSTEM, placement=None):
    """The two jobs of `thesis`, Figures 2.1, 2.2, 2.3, 2.4, 2.5, of work 2 and 4; number 0 comes first."""
    return execute(policy, [0, 0], [2, 4], capacities, placement)


def least_jobs(required, own, capacities):
    """The fewest jobs with which a group is promised all that it requires, within its part."""
    promised = partitioned_feasible_share(required, range(len(own) + 1), own, capacities)
    return int(np.argmax(promised >= required - EXACT))


@functools.cache
def transfer_time(location, load, threshold, probes=1, transfers=1):
    """Mean response time where jobs are moved, in the limit of many processors."""
    return routing.transfer_response_time(location, load, threshold, probes, transfers)
