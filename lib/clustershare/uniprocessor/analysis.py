"""Exact answers: formulas where there are some, otherwise a truncated chain.

No formula here subtracts numbers that may be nearly equal: `left_by` is all that is taken from 1, and it rounds once.
So answers have their digits next to saturation and at tiny loads, too.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import numpy as np
from scipy.optimize import brentq

from clustershare.arguments import UnstableError, listed, positive
from clustershare.arrivals import require_poisson
from clustershare.calls import remembered
from clustershare.compiled import service
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer
from clustershare.typing import Arrivals, Integers, Numbers
from clustershare.uniprocessor import chain
from clustershare.uniprocessor.model import SharePerformance, UnboundedQueues, Workload


@waited_for
@remembered
def exact(
    policy: str, required_shares: Numbers, arrival_rates: Numbers, service_rates: float | Numbers = 1.0,
    permanent_jobs: int | Integers = 0, *, tolerance: float | None = None, arrivals: Arrivals = None,
    progress: bool = False,
) -> SharePerformance:  # fmt: skip
    """Expected share deviations under a policy, exponential service times.

    Formulas answer for PS (`thesis`, Theorem 3.11), for FCFS, HOL and PQ without permanent jobs (Theorems 3.5 and 3.9
    and the notes below), for FCFS with permanent jobs and equal service rates (Theorems 3.2 and 3.3), for HOL and PQ
    where permanent jobs are of the last group alone or keep the processor to the first class, for HOL with two groups
    of which the first has one permanent job and the second at least one, and for PPS when all shares are equal, which
    is PS. A truncated chain answers for PPS and GPPS. UD has no chain; it is answered where all groups have permanent
    jobs, and for two groups where it acts as HOL (see the notes).

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
        Permanent jobs of each group, at most a million together.
    tolerance : float, optional
        Truncation error of a chain to aim at, by default 1e-10, and 1e-16 for less. A larger one is quicker.
    arrivals : optional
        As for `simulate`, whose other arrivals have no exact answer: None, which is Poisson.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    SharePerformance
        Arrays of shape (groups,). `error` of a chain is a proven bound without permanent jobs and an estimate with
        them. No formula is known, and nan stands, for the job-share deviation of a group below others that has just
        one permanent job under HOL and PQ, and for the mean number and response time of the jobs of a group below one
        with a permanent job under HOL, and under UD where all groups obtain their shares.

    Raises
    ------
    UnstableError
        If the load is 1 or more, or a group cannot be served beside the permanent jobs of others.
    ValueError
        If an argument is out of range.
    NoExactAnswer
        If only `simulate` answers: arrivals that are not Poisson, UD where it is not HOL, many cases with permanent
        jobs, and chains of too many states for the tolerance.

    Notes
    -----
    In FCFS, HOL and PQ a group is served in order of arrival, so a job leaves behind the Poisson arrivals during its
    stay, and the probability that the group is absent is the Laplace-Stieltjes transform of the time in the system at
    the group's arrival rate. That gives HOL a closed form too, and FCFS one for unequal service rates. Without
    permanent jobs the job-share deviation is the load of the group times the probability that it is present, because
    transitions into and out of its absence balance. `thesis` (3.16), (3.26), (3.42) and (3.75) are special cases.
    To those above it, a last group with permanent jobs is one that brings all the load that they leave.

    PPS is discriminatory processor sharing (DPS), the required shares its weights; without permanent jobs
    `discriminatory_response_times` has its mean response times for any number of groups. GPPS, as sizes are exponential
    here, is generalised processor sharing (GPS).

    Mean numbers of jobs follow from what an arrival sees (PASTA) and Little's law. As services are exponential, each
    job ahead still takes its mean service time. That gives Cobham's formula for HOL, the one for preemptive
    resumption for PQ, and both beside permanent jobs, each of which is once ahead of every later job of its class.
    Under PS transient jobs have a negative binomial law beside permanent ones (`thesis` (3.87)).

    Under UD the difference of two priorities drifts at r_1 Delta_1 - r_2 Delta_2. If it is positive even when group 1
    is always served first, the priorities part for ever, and UD acts as HOL. If not, in either order, it is 0.

    Examples
    --------
    >>> exact("FCFS", (0.6, 0.4), (0.2, 0.4)).group_share_deviation.round(12)
    array([ 0. , -0.5])
    >>> result = exact("GPPS", (0.5, 0.5), (0.2, 0.6))
    >>> result.method, result.group_share_deviation.round(4)
    ('chain', array([-0.0488, -0.4488]))
    """
    work = Workload(policy, required_shares, arrival_rates, service_rates, permanent_jobs)
    require_poisson(arrivals)
    if tolerance is not None:
        tolerance = positive("tolerance", tolerance)
    left_by(work, np.ones(work.groups, dtype=bool))  # refuses what rounding alone brings below 1
    if policy == "UD":
        return _up_down(work)
    if policy == "PS":
        return _processor_sharing(work)
    if policy == "GPPS" or (policy == "PPS" and np.ptp(work.required_shares) > 0):
        return _truncated(work, tolerance)
    if policy == "PPS":
        return _processor_sharing(work)
    if not work.permanent_jobs.any():
        return _in_order_of_arrival(work)
    if (first_class(work) | work.starved()).all():
        return _first_class_alone(work)
    return _last_group_always_there(work)


def _result(work, obtained, present, job_share_deviation, mean_jobs, *, method="formula", error=0.0):
    deviation = present - obtained / work.required_shares
    times = work.response_times(mean_jobs)
    return SharePerformance(
        deviation, job_share_deviation, obtained, present, mean_jobs, times, method=method, error=error
    )


def first_class(work):
    """Whether each group is served before all others that are not of its class."""
    return work.priority_class == 0


def left_by(work, groups):
    """The capacity that the loads of some groups leave: 1 less their sum, rounded once.

    Parameters
    ----------
    work : Workload
    groups : ndarray of bool, shape (groups,)

    Returns
    -------
    float

    Raises
    ------
    UnstableError
        If they leave none. `Workload` sums rounded loads.
    """
    pairs = list(zip(work.arrival_rates[groups].tolist(), work.service_rates[groups].tolist(), strict=True))
    quotients = [arrivals / services for arrivals, services in pairs]
    left = -math.fsum([-1.0, *quotients, *(_remainder(*pair) for pair in pairs)])
    if left <= 0:
        raise UnstableError("arrival_rates must give a total load below 1; it is 1 or more.", range(work.groups))
    return left


@functools.lru_cache(maxsize=4096)
def _remainder(arrivals, services):
    """What the rounding of the load of a group has cut off."""
    return float(Fraction(arrivals) / Fraction(services) - Fraction(arrivals / services))


def _in_order_of_arrival(work, lasting=None):
    """FCFS, HOL and PQ without permanent jobs, or with those of a last group, which brings all that others leave."""
    loads = work.loads.copy()
    if lasting is not None:
        loads[lasting] += left_by(work, np.ones(work.groups, dtype=bool))
    present = np.array([1.0 if group == lasting else _present(work, group, loads) for group in range(work.groups)])
    uneven = loads * present
    if lasting is not None and work.permanent_jobs[lasting] == 1:
        uneven[lasting] = np.nan
    return _result(work, loads, present, uneven, _mean_jobs(work, loads))


def _mean_jobs(work, obtained):
    """Mean numbers of transient jobs under FCFS, HOL and PQ, class by class from the first.

    Let sigma be the load above. Under PQ the time in the system is T = (A + 1/mu) / (1 - sigma), where A is the time
    that the jobs ahead take, those above and of the own class. Under HOL it is T = W + 1/mu, where W (1 - sigma) is the
    time of the jobs ahead and of the one in service, of whatever class. Of the own class, N = lambda T stands on both
    sides. `obtained` are the obtained shares, of permanent jobs as well.
    """
    classes, loads, times = work.priority_class, work.loads, 1 / work.service_rates
    mean_jobs = np.zeros(work.groups)
    for c in range(int(classes.max()) + 1):
        above, own = classes < c, classes == c
        if not work.arrival_rates[own].any():
            continue
        if work.permanent_jobs[above].any():
            mean_jobs[own] = np.where(work.arrival_rates[own] > 0, np.nan, 0)
            continue
        free, left = left_by(work, above), left_by(work, above | own)
        lasting = work.permanent_jobs[own] @ times[own]
        if work.policy == "PQ":
            ahead = mean_jobs[above] @ times[above] + lasting + loads[own] @ times[own] / free
            mean_jobs[own] = loads[own] / free + work.arrival_rates[own] * ahead / left
        else:
            ahead = mean_jobs[above] @ times[above] + lasting + loads[own] @ times[own]
            ahead += obtained[classes > c] @ times[classes > c]  # one of a lower class may be in service
            mean_jobs[own] = loads[own] + work.arrival_rates[own] * ahead / left
    return mean_jobs


def _present(work, group, loads):
    """The probability that a group is present, in service of one job at a time.

    The transform of the time in the system is subtracted from 1 term by term, so that all terms are positive.
    """
    classes, services = work.priority_class, work.service_rates
    own_rate = work.arrival_rates[group]
    if own_rate == 0:
        return 0.0
    above, ahead = classes < classes[group], classes <= classes[group]
    # Time runs until the classes above are done: a period s in which the group does not advance counts as stretched.
    stretched = own_rate
    if loads[above].any():
        left = left_by(work, above)
        stretched = brentq(
            lambda x: x / own_rate * (left + np.sum(loads[above] * x / (services[above] + x))) - 1,
            own_rate * (1 - 1e-15),
            min(own_rate + work.arrival_rates[above].sum(), own_rate / left) * (1 + 1e-15),
            xtol=5e-324,
            rtol=1e-15,
        )
    parts = loads * stretched / (services + stretched)
    idle = left_by(work, ahead) + parts[ahead].sum()
    if work.policy == "PQ":  # the classes below do not matter, and those above interrupt the job itself
        return float((idle * stretched + services[group] * parts[ahead].sum()) / (services[group] + stretched) / idle)
    return float((idle * own_rate + services[group] * parts.sum()) / (services[group] + own_rate) / idle)


def _with_permanent_jobs(work, groups):
    """Obtained share and presence of the groups under PS and FCFS (`thesis` (3.18), (3.19), (3.87), (3.88)).

    The latter are the probabilities that transient jobs are present, and that these would be if the permanent jobs of
    all groups were one less.
    """
    loads, permanent, free = work.loads[groups], work.permanent_jobs[groups], left_by(work, groups)
    total = permanent.sum()
    obtained = loads + (permanent / total * free if total else 0)
    absent = -np.log1p(loads / free)  # the logarithm of the probability, without permanent jobs
    return obtained, -np.expm1((total + 1) * absent), -np.expm1(total * absent)


def _processor_sharing(work):
    everybody = np.ones(work.groups, dtype=bool)
    obtained, present, _ = _with_permanent_jobs(work, everybody)
    mean_jobs = work.loads * (1 + work.permanent_jobs.sum()) / left_by(work, everybody)
    return _result(work, obtained, np.where(work.permanent_jobs > 0, 1.0, present), np.zeros(work.groups), mean_jobs)


def _first_class_alone(work):
    """FCFS with permanent jobs, and HOL and PQ when the first class never lets another be served."""
    first = first_class(work)
    if np.ptp(work.service_rates[first]) > 0:
        raise NoExactAnswer(
            f"No formula answers for {work.policy} beside permanent jobs whose groups' service_rates differ, as in "
            f"({listed(work.service_rates.tolist())}); use simulate."
        )
    loads, permanent = work.loads[first], work.permanent_jobs[first]
    obtained, job_deviation = np.zeros(work.groups), np.zeros(work.groups)
    present = (work.permanent_jobs > 0).astype(float)
    obtained[first], found, fewer = _with_permanent_jobs(work, first)
    present[first] = np.where(permanent > 0, 1.0, found)
    # (3.26): a lone job of a group is a transient or a permanent one, and neither has others of its group around.
    of_permanent = obtained[first] - loads
    job_deviation[first] = np.choose(
        np.minimum(permanent, 2), [loads * found, loads + of_permanent * fewer, loads + of_permanent]
    )
    return _result(work, obtained, present, job_deviation, _mean_jobs(work, obtained))


def _last_group_always_there(work):
    """HOL and PQ with permanent jobs of a last group, served whenever no other is, or else HOL as below."""
    last = int(work.priority_class.argmax())
    lasting = np.flatnonzero(work.permanent_jobs).tolist()
    alone = np.count_nonzero(work.priority_class == work.priority_class[last]) == 1
    beside_one = work.policy == "HOL" and work.groups == 2 and lasting == [0, 1]
    if not alone or not (lasting == [last] or beside_one):
        raise NoExactAnswer(
            f"No formula answers for {work.policy} beside permanent_jobs of ({listed(work.permanent_jobs.tolist())}), "
            "which neither keep all but the first class from service nor are of the last group alone; use simulate."
        )
    if beside_one:
        obtained, job_deviation = _beside_one_permanent_job(work, last)
        return _result(work, obtained, np.ones(2), job_deviation, _mean_jobs(work, obtained))
    return _in_order_of_arrival(work, last)


def _beside_one_permanent_job(work, last):
    """HOL for two groups with permanent jobs, one of the first group: obtained shares and job-share deviations.

    The permanent job of the first group is served again and again. Its next turn comes when the jobs that arrived
    meanwhile are done; were there none, a job of the last group goes before. So the number x of those jobs is a
    branching process with immigration: with b(z) and v(z) the transforms, at the first group's arrival rate times
    1 - z, of a service of the first and of the last group, its generating function P satisfies
    P(z) = b(z) (P(b(z)) + P(0) (v(z) - 1)), which is unrolled from z = 0. For b, a fraction of linear functions, the
    n-th iterate of 0 is known: with rho the load of the first group it is 1 - (1 - rho) rho^n / (1 - rho^(n+1)).
    """
    first = 1 - last
    service, other = work.service_rates[first], work.service_rates[last]
    left = left_by(work, np.arange(2) == first)
    total = _served_before(left, work.loads[first], service / other) if work.loads[first] else 0.0
    none_came = left / (1 + total)
    before = none_came * service / other  # the work of the last group for a turn of the permanent job
    turns = left / (1 + before)  # of the permanent job, times its service time
    obtained, job_deviation = np.zeros(2), np.full(2, np.nan)
    obtained[first] = work.loads[first] + turns
    obtained[last] = turns * before
    if work.loads[last] >= obtained[last]:
        raise UnboundedQueues(
            f"arrival_rates must leave every group stable beside the permanent jobs under HOL, but group {last} is "
            f"served at rate {obtained[last]:.6g} at most; got a load of {work.loads[last]:.12g}.",
            [last],
        )
    # The permanent job is alone of its group, and in service, for as long as nobody comes.
    job_deviation[first] = work.loads[first] + turns * (total + work.loads[first]) / (1 + total)
    if work.permanent_jobs[last] > 1:
        job_deviation[last] = obtained[last]
    return obtained, job_deviation


def _served_before(left, load, ratio):
    """The sum over n from 1 of r (1 - rho)^2 t / ((1 - rho t) (1 - t + r (1 - rho) t)) with t = rho^n.

    The terms fall like 1 / n^2 while n (1 - rho) is small. From a thousand on they are summed by Euler and Maclaurin:
    the integral, half the first term, and a twelfth of its slope.
    """
    rate, terms = np.log1p(-left) if left < load else np.log(load), 1000

    def term(n):
        t = np.exp(n * rate)
        return ratio * left**2 * t / -np.expm1((n + 1) * rate) / (-np.expm1(n * rate) + ratio * left * t)

    t = np.exp(terms * rate)
    beyond = t / -np.expm1((terms + 1) * rate)
    bend = left * (ratio - 1) * beyond
    integral = ratio * left**2 / -rate * beyond * (np.log1p(bend) / bend if bend else 1.0)
    ends = term(np.array([terms - 1.0, terms, terms + 1.0]))
    return math.fsum(term(np.arange(1.0, terms))) + integral + ends[1] / 2 - (ends[2] - ends[0]) / 24


def _up_down(work):
    """UD: where the priorities part for ever, and beside permanent jobs."""
    for first in range(2) if work.groups == 2 else ():
        if work.permanent_jobs[first] > 1:
            continue  # always there and always served: it would fall behind nobody
        order = (0.6, 0.4) if first == 0 else (0.4, 0.6)
        rates = np.where(work.permanent_jobs > 0, np.eye(2)[first], 1) * work.arrival_rates
        if not rates.any():
            rates = np.eye(2)[first] * 1e-300  # a permanent job alone
        try:
            ahead = exact("HOL", order, rates, work.service_rates, work.permanent_jobs)
        except (NoExactAnswer, UnstableError):
            continue  # no formula for that
        owed = work.required_shares * ahead.probability_present - ahead.obtained_share
        if owed[first] > owed[1 - first]:
            if work.permanent_jobs.all():
                _refuse_more_than(ahead.obtained_share, work, [1 - first])
            mean_jobs = np.zeros(2)
            if work.arrival_rates.any():
                mean_jobs = exact("HOL", order, work.arrival_rates, work.service_rates, work.permanent_jobs).mean_jobs
            return _result(work, ahead.obtained_share, ahead.probability_present, ahead.job_share_deviation, mean_jobs)
    if (work.permanent_jobs > 1).all() or (work.groups == 2 and work.permanent_jobs.all()):
        shares = work.required_shares.copy()
        _refuse_more_than(shares, work, range(work.groups))
        uneven = np.where(work.permanent_jobs > 1, shares, np.nan)
        return _result(work, shares, np.ones(work.groups), uneven, np.where(work.arrival_rates > 0, np.nan, 0.0))
    raise NoExactAnswer(
        "No exact answer for UD unless the priorities of two groups are known to part for ever: its state is "
        "continuous and has no chain; use simulate."
    )


def _refuse_more_than(shares, work, groups):
    """Refuse arrivals of a group that is always there and brings what it obtains, or more."""
    for group in groups:
        if shares[group] <= work.loads[group]:
            raise UnboundedQueues(
                "arrival_rates must leave every group stable beside the permanent jobs under UD, but the queue of "
                f"group {group} grows without bound.",
                [group],
            )


RULES = {"PPS": service.PPS, "GPPS": service.GPPS}


def sharing_rule(work):
    """The obtained group shares under PPS (`thesis` (3.90)) or GPPS (3.91), as `chain.solve` takes them."""
    return lambda transient: service.divide_each(
        RULES[work.policy], work.required_shares, transient + work.permanent_jobs[:, None]
    )


def _truncated(work, tolerance):
    """PPS and GPPS: the chain of the numbers of transient jobs."""
    obtained, present, mean_jobs, error = chain.solve(work, sharing_rule(work), tolerance)
    return _result(work, obtained, present, np.zeros(work.groups), mean_jobs, method="chain", error=error)
