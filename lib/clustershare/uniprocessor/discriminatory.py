"""Discriminatory processor sharing (DPS): mean response times for any number of groups, by a linear system."""

from __future__ import annotations

import numpy as np

from clustershare.arguments import UnstableError, affordable, fail, number, positive, sequence, vector
from clustershare.markov import gth
from clustershare.typing import FloatArray, Numbers
from clustershare.uniprocessor.analysis import left_by
from clustershare.uniprocessor.model import _for_each

MOST_GROUPS = 4000  # time grows with their cube: half a minute; memory with their square


class _Rates:
    """What `left_by` asks of a workload."""

    def __init__(self, arrival_rates, service_rates):
        self.arrival_rates, self.service_rates, self.groups = arrival_rates, service_rates, len(arrival_rates)


def discriminatory_response_times(
    weights: Numbers, arrival_rates: Numbers, service_rates: float | Numbers = 1.0
) -> FloatArray:
    """Mean response times under discriminatory processor sharing, exponential service times, for any number of groups.

    Each job is served in proportion to the weight of its group. With the required shares as weights this is PPS
    without permanent jobs, for which `exact` gives shares as well, but by a chain, and so for a few groups only.

    Parameters
    ----------
    weights : sequence of float
        g_k, of each job of group k, above 0; their ratios alone count.
    arrival_rates : sequence of float
        lambda_k, jobs per unit of time, at least 0; times the mean service times they sum to less than 1.
    service_rates : float or sequence of float
        mu_k, one over the mean service times.

    Returns
    -------
    ndarray, shape (groups,)
        Mean times from arrival to departure, to about 13 digits; of a group without arrivals, that of a job that came
        all the same.

    Raises
    ------
    UnstableError
        If the load is 1 or more.
    ValueError
        If an argument is out of range, or there are more than 4,000 groups.

    Notes
    -----
    Fayolle, Mitrani and Iasnogorodski (1980): the mean response times W_k satisfy, for each group k,

        W_k = 1 / mu_k + sum over j of lambda_j g_j (W_k + W_j) / (mu_j g_j + mu_k g_k).

    Weighted by the loads rho_k they sum to the conservation law, sum of rho_k W_k = sum of rho_k / mu_k over what the
    loads leave of the capacity. So rho_k W_k are, up to a factor, the stationary probabilities of a chain that goes
    from group j to k at rate rho_k times the part of mu_j g_j in mu_j g_j + mu_k g_k, and from each group to a further
    state at the rate of what the loads leave. Those are found without a subtraction.

    Examples
    --------
    >>> discriminatory_response_times((1, 1), (0.2, 0.3)).round(12)
    array([2., 2.])
    >>> discriminatory_response_times((2, 1), (0.2, 0.3)).round(4)
    array([1.7391, 2.1739])
    """
    affordable("the number of weights", len(sequence("weights", weights)), MOST_GROUPS)
    given = np.array(vector("weights", weights, positive))
    groups = len(given)
    arrivals = np.array(vector("arrival_rates", arrival_rates, lambda name, one: number(name, one, 0), groups))
    services = np.array(_for_each("service_rates", service_rates, positive, groups))
    with np.errstate(over="ignore"):
        loads = arrivals / services
    if loads.sum() >= 1:
        raise UnstableError(f"arrival_rates must give a total load below 1; got {loads.sum():.12g}.", range(groups))
    left = left_by(_Rates(arrivals, services), np.ones(groups, dtype=bool))
    pace = np.log(given) + np.log(services)  # the product need not be a float
    part = 1 / (1 + np.exp(np.minimum(pace - pace[:, None], 700)))  # of the row's group, beside the column's
    np.fill_diagonal(part, 0)
    scale = services.min()
    Q = np.zeros((groups + 1, groups + 1))
    Q[0, 1:], Q[1:, 0], Q[1:, 1:] = loads * (scale / services), left, loads * part
    if not loads.any():
        return 1 / services
    law = gth(Q)
    # From the equation of each group: one of tiny load, or of none, has its digits too.
    found = (scale / services + part.T @ (law[1:] / law[0])) / (left + part @ loads)
    found = found / scale
    if not np.isfinite(found).all():
        fail("service_rates", service_rates, "such that the mean response times are floats")
    return found
