"""A random assignment beside processor sharing with the total rates of balanced fairness: a companion for many servers.

The rates of balanced fairness depend on how many jobs of each class there are, and a hundred servers have thousands of
classes. Its total rate, given the number of all jobs, can be computed: processor sharing at that rate has the same mean
number of jobs, whatever the sizes, and its path is near enough to be of use.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Unpack

import numpy as np
from scipy import stats

from clustershare.arguments import affordable, fail, integer, number, resolved
from clustershare.compiled.arguments import law
from clustershare.compiled.encoding import encode
from clustershare.multiserver import beside_assignment_kernel as kernel
from clustershare.multiserver.beside import RARE, controlled
from clustershare.multiserver.formulas import random_assignment
from clustershare.multiserver.graph import RandomAssignment, check_streams, load_of, require_stable
from clustershare.run_length import check_run_length
from clustershare.typing import FloatArray, Run

if TYPE_CHECKING:
    from clustershare.multiserver.beside import Beside
    from clustershare.sizes import JobSize

MOST_SERVERS, MOST_JOBS = 10_000, 10**6
MOST_CHANCES, MOST_STEPS = 10**6, 5 * 10**9  # of the chain of the servers in use: some ten seconds each


def total_rates(assignment: RandomAssignment, most: int) -> FloatArray:
    """Mean total service rate of balanced fairness given the number of jobs, for 0 to `most` of them.

    Jobs in order of arrival have the law (1) of `balanced`, in which a job more counts by one over the number of
    servers that some job up to it may use. How many these are is a chain: of `degree` servers drawn, some are new.

    Parameters
    ----------
    assignment : RandomAssignment
        Of up to 10,000 servers, whose number times the degree is at most a million.
    most : int
        At most a million, and five thousand million over servers and degree, to which the time is proportional.

    Returns
    -------
    ndarray, shape (most + 1,)

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> total_rates(RandomAssignment(3, 2), 3).round(4)
    array([0.    , 2.    , 2.5714, 2.8   ])
    """
    if not isinstance(assignment, RandomAssignment):
        fail("assignment", assignment, "a RandomAssignment")
    S, d = integer("servers", assignment.servers, 1, MOST_SERVERS), assignment.degree
    integer("most", most, 0, MOST_JOBS)
    affordable("servers times degree", S * d, MOST_CHANCES)
    affordable("servers times degree times most", S * d * most, MOST_STEPS)
    # Of the servers of a further job j are new, where k are used already.
    chance = stats.hypergeom(S, S - np.arange(S + 1), d).pmf(np.arange(d + 1)[:, None])
    weight, rates = np.eye(1, S + 1)[0], np.zeros(most + 1)  # of the numbers of servers used, up to a factor
    for jobs in range(1, most + 1):
        longer = sum(np.append(np.zeros(j), (weight * chance[j])[: S + 1 - j]) for j in range(d + 1))
        longer[1:] /= np.arange(1, S + 1)  # type: ignore[index]
        rates[jobs] = 1 / longer.sum()  # type: ignore[union-attr]
        weight = longer * rates[jobs]
    return rates


def simulate_assignment_beside_processor_sharing(
    assignment: RandomAssignment, arrival_rate: float, sizes: JobSize, interruptions: float, **run: Unpack[Run]
) -> Beside:
    """Simulate Algorithm 1 under a random assignment and, on the same arrivals and sizes, processor sharing.

    The companion serves all jobs equally, at `total_rates` together. It has the mean number of jobs of balanced
    fairness, whatever the sizes. Unlike balanced fairness it does not see which servers a job may use, so that its path
    does not tend to that of the algorithm: it takes away the same part of the variance for many interruptions as for
    few.

    Parameters
    ----------
    assignment : RandomAssignment
        As `total_rates` takes it. An event takes time proportional to the degree and to the logarithm of the servers.
    arrival_rate : float
        Of all jobs together.
    sizes, interruptions
        As for `clustershare.interruptions.simulate`: sizes of any distribution.
    **run
        As for `simulate_beside_balanced_fairness`.

    Returns
    -------
    Beside
        Arrays of shape (1,): all jobs are one class.

    Raises
    ------
    ValueError
        If an argument is not as above.
    UnstableError
        If the jobs bring at least the work that the servers can do.

    Examples
    --------
    >>> from clustershare.sizes import bimodal_hyperexponential
    >>> ten = RandomAssignment(10, 2)
    >>> result = simulate_assignment_beside_processor_sharing(
    ...     ten, 8.0, bimodal_hyperexponential(), 1, jumps=30_000, warmup=3000, replications=10, seed=1)
    >>> bool(result.total_distance.value > 0.1 > 5 * result.total_distance.half_width)
    True
    """
    if not isinstance(assignment, RandomAssignment):
        fail("assignment", assignment, "a RandomAssignment")
    servers = integer("servers", assignment.servers, 1, MOST_SERVERS)
    rates = check_streams(assignment, arrival_rate)
    law("sizes", sizes)
    interruptions = number("interruptions", interruptions, 0)
    run = check_run_length(run)
    work = rates[0] * sizes.mean
    require_stable(assignment, rates * sizes.mean)
    resolved("arrival_rate", arrival_rate, load_of(assignment, rates * sizes.mean), run)
    exact = np.array([random_assignment(servers, assignment.degree, work / servers).mean_jobs])
    per_event = 1 / (rates[0] * (2 + interruptions))
    system = interruptions / sizes.mean, rates[0], encode(sizes), servers, assignment.degree
    duration, total, results = run.jumps * per_event, None, []
    room = _likely_room(exact[0], work / servers)
    for replication in range(run.replications):
        while True:
            total = total_rates(assignment, room) if total is None else total
            rng = run.generators()[replication]  # afresh where there was no room
            found = kernel.simulate(rng, run.warmup * per_event, duration, *system, total)
            if not np.isnan(found[0]):
                break
            room, total = 2 * room, None
        results.append(found)
    plain, companion, interrupted = (np.array(part)[:, None] / duration for part in zip(*results, strict=True))
    return controlled(plain, companion, exact, rates, interrupted)


def _likely_room(mean, load):
    """How many jobs are enough for nearly all paths."""
    return 64 + 4 * math.ceil(mean) + math.ceil(RARE / -math.log(load))
