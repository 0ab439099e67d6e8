"""Exact answers: formulas where there are some, otherwise a truncated chain."""

import numpy as np
from scipy.optimize import brentq

from clustershare.checks import fail
from clustershare.uniprocessor import chain
from clustershare.uniprocessor.model import SharePerformance, Workload


def exact(policy, required_shares, arrival_rates, service_rates=1.0, permanent_jobs=0):
    """Expected share deviations under a policy, exponential service times.

    Formulas answer for PS (`thesis`, Theorem 3.11), for FCFS, HOL and PQ without permanent jobs (Theorems 3.5 and 3.9
    and the notes below), for FCFS with permanent jobs and equal service rates (Theorems 3.2 and 3.3), for HOL and PQ
    where the first class keeps the processor to itself, and for PPS when all shares are equal, which is PS. A truncated
    chain answers for PPS and GPPS.

    Parameters
    ----------
    policy : str
        One of `POLICIES`. HOL and PQ serve the group of the largest required share first; groups that require the same
        share are one class, served first come, first served.
    required_shares : sequence of float
        At least two shares in (0, 1) that sum to 1.
    arrival_rates : sequence of float
        Jobs per unit of time, at least 0, one of them above 0.
    service_rates : float or sequence of float
        One over the mean service times.
    permanent_jobs : int or sequence of int
        Permanent jobs of each group.

    Returns
    -------
    SharePerformance
        Arrays of shape (groups,). `truncation_error` of a chain is a proven bound without permanent jobs and an
        estimate with them.

    Raises
    ------
    UnstableError
        If the load is 1 or more, or a group cannot be served beside the permanent jobs of others. HOL with a single
        permanent job above a group is not checked.
    ValueError
        If an argument is out of range, or only `simulate` answers (UD, and most cases with permanent jobs).

    Notes
    -----
    In FCFS, HOL and PQ a group is served in order of arrival, so a job leaves behind the Poisson arrivals during its
    stay, and the probability that the group is absent is the Laplace-Stieltjes transform of the time in the system at
    the group's arrival rate. That gives HOL a closed form too, and FCFS one for unequal service rates. Without
    permanent jobs the job-share deviation is the load of the group times the probability that it is present, because
    transitions into and out of its absence balance. `thesis` (3.16), (3.26), (3.42) and (3.75) are special cases.

    Examples
    --------
    >>> exact("FCFS", (0.6, 0.4), (0.2, 0.4)).group_share_deviation.round(12)
    array([ 0. , -0.5])
    >>> result = exact("GPPS", (0.5, 0.5), (0.2, 0.6))
    >>> result.method, result.group_share_deviation.round(4)
    ('chain', array([-0.0488, -0.4488]))
    """
    work = Workload(policy, required_shares, arrival_rates, service_rates, permanent_jobs)
    if policy == "UD":
        raise ValueError('policy must not be "UD", whose state is continuous and has no chain; use simulate.')
    if policy == "PS":
        return _processor_sharing(work)
    if policy == "GPPS" or (policy == "PPS" and np.ptp(work.required_shares) > 0):
        return _truncated(work)
    if policy == "PPS":
        return _processor_sharing(work)
    if not work.permanent_jobs.any():
        present = np.array([_present(work, group) for group in range(work.groups)])
        return _result(work, work.loads, present, work.loads * present)
    return _first_class_alone(work)


def _result(work, obtained, present, job_share_deviation, method="formula", truncation_error=0.0):
    deviation = present - obtained / work.required_shares
    return SharePerformance(deviation, job_share_deviation, obtained, present, method, truncation_error)


def _present(work, group):
    """The probability that a group is present, in service of one job at a time without permanent jobs."""
    classes, arrivals, services = work.priority_class, work.arrival_rates, work.service_rates
    own_rate = arrivals[group]
    if own_rate == 0:
        return 0.0
    above, below = classes < classes[group], classes > classes[group]
    ahead = ~below  # the classes above and the group's own
    # Time runs until the classes above are done: a period s in which the group does not advance counts as stretched.
    stretched = own_rate
    if arrivals[above].any():
        stretched = brentq(
            lambda x: x - own_rate - np.sum(arrivals[above] * x / (services[above] + x)),
            own_rate,
            own_rate + arrivals[above].sum(),
            xtol=1e-300,
            rtol=1e-15,
        )
    wait = 1 / (1 - np.sum(arrivals[ahead] / (services[ahead] + stretched)))
    if work.policy == "PQ":  # the classes below do not matter, and those above interrupt the job itself
        wait *= 1 - work.loads[ahead].sum()
        service = services[group] / (services[group] + stretched)
    else:
        wait *= 1 - work.load + np.sum(arrivals[below] / (services[below] + stretched))
        service = services[group] / (services[group] + own_rate)
    return float(1 - wait * service)


def _with_permanent_jobs(work, groups):
    """Obtained share and presence of the groups under PS and FCFS (`thesis` (3.18), (3.19), (3.87), (3.88))."""
    loads, permanent = work.loads[groups], work.permanent_jobs[groups]
    total, load = permanent.sum(), loads.sum()
    obtained = loads + (permanent / total * (1 - load) if total else 0)
    absent = ((1 - load) / (1 - (load - loads))) ** (total + 1)
    return obtained, np.where(permanent > 0, 1.0, 1 - absent)


def _processor_sharing(work):
    obtained, present = _with_permanent_jobs(work, slice(None))
    return _result(work, obtained, present, np.zeros(work.groups))


def _first_class_alone(work):
    """FCFS with permanent jobs, and HOL and PQ when the first class never lets another be served."""
    first = work.priority_class == 0
    if not (first | work.starved()).all():
        fail(
            "permanent_jobs",
            tuple(work.permanent_jobs.tolist()),
            f"0 under {work.policy}, unless those of the "
            "groups of the largest required share keep the others from service; simulate answers there",
        )
    if np.ptp(work.service_rates[first]) > 0:
        fail(
            "service_rates",
            tuple(work.service_rates.tolist()),
            f"equal for the permanent jobs' groups under {work.policy}; simulate answers where they are not",
        )
    loads, permanent = work.loads[first], work.permanent_jobs[first]
    total, load = permanent.sum(), loads.sum()
    obtained, job_deviation = np.zeros(work.groups), np.zeros(work.groups)
    present = (work.permanent_jobs > 0).astype(float)
    obtained[first], present[first] = _with_permanent_jobs(work, first)
    # (3.26): a lone job of a group is a transient or a permanent one, and neither has others of its group around.
    alone = (1 - load) / (1 - (load - loads))
    job_deviation[first] = obtained[first] - np.choose(
        np.minimum(permanent, 2), [loads * alone ** (total + 1), (1 - load) / total * alone**total, 0 * loads]
    )
    return _result(work, obtained, present, job_deviation)


def _truncated(work):
    """PPS and GPPS: the chain of the numbers of transient jobs."""
    weights, by_job = work.required_shares[:, None], work.policy == "PPS"

    def obtained_shares(transient):
        jobs = transient + work.permanent_jobs[:, None]
        claims = weights * (jobs if by_job else jobs > 0)
        return claims / np.maximum(claims.sum(axis=0), np.finfo(float).tiny)

    obtained, present, error = chain.solve(work, obtained_shares)
    return _result(work, obtained, present, np.zeros(work.groups), "chain", error)
