"""Join Shortest Queue with migration: as many servers as processors, one line (`thesis` (5.2)-(5.8))."""

from __future__ import annotations

import numpy as np
from scipy import stats

from clustershare.arguments import UnstableError, affordable, integer, number
from clustershare.calls import remembered
from clustershare.dispatch.central import DispatchPerformance
from clustershare.shares import required_shares as check_shares
from clustershare.splitting.groups import group_loads
from clustershare.splitting.recursion import convolve
from clustershare.typing import FloatArray, Numbers

MOST_PROCESSORS = 10**6
MOST_IN_GROUPS = 5000  # processors whose jobs belong to groups: time and memory grow with their square


def queueing_probability(load: float, processors: int) -> float:
    """The probability that all processors of an M/M/P system are busy: Erlang's C (`thesis`, Figure 5.1).

    Parameters
    ----------
    load : float
        rho in [0, 1).
    processors : int

    Returns
    -------
    float

    Raises
    ------
    UnstableError
        If the load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> queueing_probability(0.5, 1), round(queueing_probability(0.5, 2), 6)
    (0.5, 0.333333)
    """
    affordable("processors", processors, MOST_PROCESSORS)
    rho, P = number("load", load, 0), integer("processors", processors, 1)
    if rho >= 1:
        raise UnstableError(f"load must be below 1; got {rho:.12g}.", (0,))
    blocking = 1.0  # Erlang's B, one server more at a time
    for servers in range(1, P + 1):
        blocking *= rho * P / (servers + rho * P * blocking)
    return blocking / (1 - rho * (1 - blocking))


def numbers_in_one_line(load: float, processors: int, most: int) -> FloatArray:
    """The law of the number of jobs in M/M/P: `thesis` (5.2) with P^n and P^P where rho^n and rho^P are printed.

    Parameters
    ----------
    load, processors
        As for `queueing_probability`.
    most : int
        Up to which number.

    Returns
    -------
    ndarray, shape (most + 1,)
        Probabilities of 0, 1, ..., most jobs.

    Raises
    ------
    UnstableError
        If the load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> numbers_in_one_line(0.5, 1, 3)
    array([0.5   , 0.25  , 0.125 , 0.0625])
    """
    queueing, P = queueing_probability(load, processors), int(processors)
    affordable("most", most, MOST_PROCESSORS)
    rho, most = float(load), integer("most", most, 0)
    # Up to P - 1 jobs are like a Poisson number; from P on, a geometric number waits.
    few = stats.poisson.pmf(np.arange(P), P * rho)
    few *= (1 - queueing) / few.sum()
    waiting = queueing * (1 - rho) * rho ** np.arange(max(most + 1 - P, 0))
    return np.append(few, waiting)[: most + 1]


def own_processors(required_share: float, processors: int) -> int:
    """kappa_g, how many whole processors a group requires (`thesis` (5.6)).

    Parameters
    ----------
    required_share : float
        In (0, 1].
    processors : int

    Returns
    -------
    int
        What is within a billionth of a whole number counts as whole.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> own_processors(0.29, 100), int(0.29 * 100)
    (29, 28)
    """
    share = number("required_share", required_share, 0, 1, open_below=True)
    return int(np.floor(share * integer("processors", processors, 1) + 1e-9))


@remembered
def shortest_queue_with_migration(required_shares: Numbers, loads: Numbers, processors: int) -> DispatchPerformance:
    """Share deviations under JSQ with migration and PS: an M/M/P system whose jobs belong to groups at random.

    Parameters
    ----------
    required_shares : sequence of float
        Of the groups; they sum to 1.
    loads : sequence of float
        rho_{g*} of the groups, with equal service rates (5.15); their sum is below 1.
    processors : int
        Equal ones, at most 5000.

    Returns
    -------
    DispatchPerformance
        By a formula; the capacity loss is 0.

    Raises
    ------
    UnstableError
        If the total load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> shortest_queue_with_migration((0.5, 0.5), (0.4, 0.4), 2).group_share_deviation.round(6)
    array([-0.059259, -0.059259])
    """
    required = np.array(check_shares("required_shares", required_shares))
    affordable("processors", processors, MOST_IN_GROUPS)
    own, P = group_loads(loads, len(required)), integer("processors", processors, 1)
    rho = own.sum()
    queueing = queueing_probability(rho, P)
    few = numbers_in_one_line(rho, P, P - 1)
    feasible = np.empty(len(required))
    for g, share in enumerate(required):
        least = np.arange(own_processors(share, P) + 1)  # numbers with which the share is not exceeded
        part = own[g] / rho
        law = stats.binom.pmf(least, np.arange(P)[:, None], part).T @ few
        # Given P or more, a geometric number waits: P jobs and those that wait are of the group with this probability.
        waiting = stats.binom.pmf(least, P, part)
        convolve(waiting, np.array([rho * part / (1 - rho * (1 - part))]))
        law += queueing * waiting
        feasible[g] = share - (share - least / P) @ law
    return DispatchPerformance(
        method="formula", group_share_deviation=(feasible - own) / required, capacity_loss=0.0, obtained_share=own,
        mean_jobs=own / rho * (P * rho + queueing * rho / (1 - rho)),
    )  # fmt: skip
