"""Join Shortest Queue with migration: as many servers as processors, one line (`thesis` (5.2)-(5.8))."""

import numpy as np
from scipy import stats

from clustershare.arguments import UnstableError, integer, number
from clustershare.dispatch.central import DispatchPerformance
from clustershare.shares import required_shares as check_shares
from clustershare.splitting.groups import group_loads
from clustershare.splitting.recursion import convolve


def queueing_probability(load, processors):
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
    rho, P = number("load", load, 0), integer("processors", processors, 1)
    if rho >= 1:
        raise UnstableError(f"load must be below 1; got {rho:.12g}.", (0,))
    blocking = 1.0  # Erlang's B, one server more at a time
    for servers in range(1, P + 1):
        blocking *= rho * P / (servers + rho * P * blocking)
    return blocking / (1 - rho * (1 - blocking))


def shortest_queue_with_migration(required_shares, loads, processors):
    """Share deviations under JSQ with migration and PS: an M/M/P system whose jobs belong to groups at random.

    Parameters
    ----------
    required_shares : sequence of float
        Of the groups; they sum to 1.
    loads : sequence of float
        rho_{g*} of the groups, with equal service rates (5.15); their sum is below 1.
    processors : int
        Equal ones.

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
    own, P = group_loads(loads, len(required)), integer("processors", processors, 1)
    rho = own.sum()
    queueing = queueing_probability(rho, P)
    # Given up to P - 1 jobs in all, groups are like independent Poisson numbers; their sum is cut.
    few = stats.poisson.pmf(np.arange(P), P * rho)
    few *= (1 - queueing) / few.sum()
    feasible = np.empty(len(required))
    for g, share in enumerate(required):
        least = np.arange(min(P, int(np.floor(share * P + 1e-9))) + 1)  # numbers with which the share is not exceeded
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
