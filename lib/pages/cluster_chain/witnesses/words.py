"""The system of `ctmc` from its words alone: numbered servers, each with the job on it, and events of single jobs.

Nothing here knows the states, the transitions or the blocks that the source derives: they are found by a search from
the empty system, and lumped to (x1, x2, V) afterwards. `Words` may also describe systems that are wrong.
"""

from dataclasses import dataclass

import numpy as np

from clustershare import markov
from clustershare.cluster_chain import ServiceCluster


@dataclass(frozen=True)
class Words:
    """The rules, and wrong ones in their place.

    Attributes
    ----------
    pausing : bool
        The tracker pauses after each job, so that it may be idle while jobs are queued.
    pairs : bool
        Jobs arrive two at a time.
    shy : bool
        The arrival rate falls with the jobs at the tracker and in the queue: they do not come in a Poisson process.
    passing : bool
        A job that arrives while the one at the tracker does not fit is mapped past it, if it fits.
    halves : bool
        A cluster of two halves, in one of which a job must fit.
    squeezing : bool
        A job is mapped whether it fits or not.
    one_by_one : bool
        Of the jobs of one size, only one at a time is served.
    stuck : bool
        A job that finds the cluster idle is never mapped.
    """

    pausing: bool = False
    pairs: bool = False
    shy: bool = False
    passing: bool = False
    halves: bool = False
    squeezing: bool = False
    one_by_one: bool = False
    stuck: bool = False

    def arrival_rate(self, rate, queued, tracked):
        """The rate of arrivals, which depends on the state in a wrong system only."""
        return rate / (1 + queued + (tracked > 0)) if self.shy else rate


RIGHT = Words()


def serving_rates(cluster):
    """The service rate of each size that occurs, from what was given.

    Examples
    --------
    >>> serving_rates(ServiceCluster(3, 0, {1: 0.5, 2: 0.0, 3: 0.5}, 1, 1, {3: 5, 2: 6, 1: 7}))
    {1: 7.0, 3: 5.0}
    """
    given = cluster.service_rates
    return {size: given if isinstance(given, float) else dict(given)[size] for size, _ in cluster.job_sizes}


def events(cluster, rules=RIGHT):
    """All that may happen in a state (queued, size at the tracker, the job on each server).

    Jobs are numbered by the first server that they run on. A job takes the idle servers of the lowest numbers.

    Parameters
    ----------
    cluster : clustershare.cluster_chain.ServiceCluster
        Its parameters only.
    rules : Words

    Returns
    -------
    callable
        From a state to a list of (state, rate, kind), with the kind one of "arrival", "joining", "end", "next", "last".
    """
    chances = dict(cluster.job_sizes)
    serving = serving_rates(cluster)

    def places(servers, size):
        idle = [number for number, job in enumerate(servers) if job < 0]
        if rules.halves:
            middle = len(servers) // 2
            parts = [number for number in idle if number < middle], [number for number in idle if number >= middle]
            idle = next((part for part in parts if len(part) >= size), [])
        if rules.squeezing:
            return tuple(idle[:size]) or (0,)
        return tuple(idle[:size]) if len(idle) >= size else None

    def put(servers, where):
        return tuple(where[0] if number in where else job for number, job in enumerate(servers))

    def happening(state):
        queued, tracked, servers = state
        found = []
        rate = rules.arrival_rate(cluster.arrival_rate, queued, tracked)
        if tracked == 0 and queued == 0:
            found += [((0, size, servers), rate * chance, "arrival") for size, chance in chances.items()]
        elif queued < cluster.queue_capacity:
            more = min(queued + (2 if rules.pairs else 1), cluster.queue_capacity)
            found.append(((more, tracked, servers), rate, "joining"))
        if tracked == 0 and queued > 0:  # after a pause
            for size, chance in chances.items():
                found.append(((queued - 1, size, servers), cluster.tracker_rate * chance, "next"))
        fitting = places(servers, tracked) if tracked else None
        if rules.stuck and max(servers) < 0:
            fitting = None
        if fitting:
            after = put(servers, fitting)
            if queued > 0 and not rules.pausing:
                for size, chance in chances.items():
                    found.append(((queued - 1, size, after), cluster.tracker_rate * chance, "next"))
            else:
                found.append(((queued, 0, after), cluster.tracker_rate, "last"))
        elif tracked and rules.passing and queued > 0:
            for size, chance in chances.items():
                where = places(servers, size)
                if where:
                    found.append(((queued - 1, tracked, put(servers, where)), cluster.tracker_rate * chance, "next"))
        ended = set()
        for job in sorted(set(servers) - {-1}):
            size = servers.count(job)
            if rules.one_by_one and size in ended:
                continue
            ended.add(size)
            left = tuple(-1 if other == job else other for other in servers)
            found.append(((queued, tracked, left), serving[size], "end"))
        return found

    return happening


def sizes_in_service(servers):
    """The ordered vector V of the sizes of the jobs on the servers.

    Examples
    --------
    >>> sizes_in_service((0, 0, 2, -1, 4))
    (1, 1, 2)
    """
    return tuple(sorted(servers.count(job) for job in set(servers) - {-1}))


def chain(cluster, rules=RIGHT):
    """The generator of the system in words, lumped to the states (x1, x2, V).

    Parameters
    ----------
    cluster : clustershare.cluster_chain.ServiceCluster
    rules : Words

    Returns
    -------
    states : list of tuple
        In the order of `ctmc`, Section 3.
    Q : ndarray, shape (states, states)
    kinds : set of tuple
        (row, column, kind) of every transition.
    unequal : float
        By how much the sums of rates to one lumped state differ between the states of another, relative to the largest
        rate: 0 if the lumping is exact.

    Examples
    --------
    >>> states, Q, kinds, unequal = chain(ServiceCluster(1, 0, {1: 1.0}, 2, 3, 5))
    >>> states, Q.tolist()[0], unequal
    ([(0, 0, ()), (0, 0, (1,)), (0, 1, ()), (0, 1, (1,))], [-2.0, 0.0, 2.0, 0.0], 0.0)
    """
    happening = events(cluster, rules)
    kind_of = {}

    def moves(state):
        found = happening(state)
        for target, _, kind in found:
            kind_of[state, target] = kind
        return [(target, rate) for target, rate, _ in found]

    detailed, rows, columns, rates = markov.explore((0, 0, (-1,) * cluster.servers), moves)
    lumped = [(queued, tracked, sizes_in_service(servers)) for queued, tracked, servers in detailed]
    states = sorted(set(lumped), key=lambda state: (state[0], state[1], len(state[2]), state[2]))
    index = {state: number for number, state in enumerate(states)}
    of = np.array([index[state] for state in lumped])
    sums = np.zeros((len(detailed), len(states)))
    np.add.at(sums, (rows, of[columns]), rates)
    sums[np.arange(len(detailed)), of] = 0.0
    first = np.zeros(len(states), dtype=int)
    first[of[::-1]] = np.arange(len(detailed))[::-1]
    unequal = float(np.abs(sums - sums[first][of]).max() / sums.max())
    Q = sums[first]
    np.fill_diagonal(Q, -Q.sum(axis=1))
    kinds = {
        (int(of[detailed_row]), int(of[column]), kind_of[detailed[detailed_row], detailed[column]])
        for detailed_row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    }
    return states, Q, kinds, unequal


def mean(cluster, value):
    """The mean of a function of the number of idle servers and of the size at the tracker, arrays, by elimination."""
    states, Q = chain(cluster)[:2]
    idle, tracked = np.array([(cluster.servers - sum(V), size) for _, size, V in states]).T
    return float(markov.gth(Q) @ value(idle, tracked))


def served(cluster, states, P):
    """Jobs per second that end, by the probabilities of states."""
    rates = serving_rates(cluster)
    return P @ [sum(rates[size] for size in V) for _, _, V in states]


def random_clusters(count=20, seed=69, servers=5, capacities=(0, 3), all_sizes=False, span=(0.1, 100), least=1):
    """Clusters with parameters at random.

    Parameters
    ----------
    count, seed : int
    servers : int
        The most.
    capacities : tuple of int
        The least and the largest of the queue.
    all_sizes : bool
        Whether every size up to the largest has a positive probability.
    span : tuple of float
        The least and the largest rate.
    least : int
        The fewest servers.

    Returns
    -------
    list of ServiceCluster
        With N, T <= N and C at random, some sizes of probability 0, and log-uniform rates.
    """
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        number = int(rng.integers(least, servers + 1))
        largest = int(rng.integers(1, number + 1))
        chances = rng.dirichlet(np.ones(largest)) * (rng.random(largest) < (1.0 if all_sizes else 0.8))
        chances = chances / chances.sum() if chances.sum() > 0 else np.eye(largest)[-1]
        rates = 10 ** rng.uniform(*np.log10(span), largest + 2)
        found.append(
            ServiceCluster(
                number,
                int(rng.integers(capacities[0], capacities[1] + 1)),
                dict(enumerate(chances.tolist(), 1)),
                rates[0],
                rates[1],
                dict(enumerate(rates[2:].tolist(), 1)),
            )
        )
    return found
