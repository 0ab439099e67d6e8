"""What `exact` and `simulate` have in common: the workload they check and the result they return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustershare import shares
from clustershare.arguments import UnstableError, affordable, fail, integer, listed, number, one_of, positive, vector
from clustershare.results import Result, same
from clustershare.typing import Integers, Numbers, Quantity

POLICIES = ("FCFS", "HOL", "UD", "PQ", "PS", "PPS", "GPPS")
MOST_PERMANENT = 10**6  # jobs: a simulated line holds each of them


class UnboundedQueues(UnstableError):
    """The total load is below 1, but beside permanent jobs the queues of the `overloaded` groups grow without bound."""


@dataclass(frozen=True)
class SharePerformance(Result):
    """How a policy delivers shares. Arrays of shape (groups,) where exact, `Estimate` of such where simulated.

    Attributes
    ----------
    group_share_deviation : ndarray or Estimate
        Expected group-share deviation: feasible minus obtained share, relative to the required one (`thesis` (2.39)).
    job_share_deviation : ndarray or Estimate
        Expected job-share deviation, 0 where all jobs of a group are always served alike (`thesis` (2.47)).
    obtained_share : ndarray or Estimate
        Expected obtained group share.
    probability_present : ndarray or Estimate
        Probability that the group has a job, permanent or not, in the system.
    mean_jobs : ndarray or Estimate
        Mean number of transient jobs: the permanent ones are not in it.
    mean_response_time : ndarray or Estimate
        Mean time of a transient job in the system, `mean_jobs` over the arrival rate (Little); nan for a group without
        arrivals.
    method : str
        "formula", "chain" or "simulation".
    error : float
        How far off anything but the response times may be because a chain was truncated, and those by that over the
        arrival rate; 0 for a formula.
    """

    group_share_deviation: Quantity
    job_share_deviation: Quantity
    obtained_share: Quantity
    probability_present: Quantity
    mean_jobs: Quantity
    mean_response_time: Quantity


@dataclass(frozen=True)
class Workload:
    """The arguments of `exact` and `simulate`, checked and stable, as arrays of shape (groups,)."""

    policy: str
    required_shares: Any  # given as sequences or numbers, kept as arrays
    arrival_rates: Any
    service_rates: Any
    permanent_jobs: Any

    def __eq__(self, other):
        return same(self, other)

    def __post_init__(self):
        one_of("policy", self.policy, POLICIES)
        required = shares.required_shares("required_shares", self.required_shares)
        groups = len(required)
        arrivals = vector("arrival_rates", self.arrival_rates, lambda name, value: number(name, value, 0), groups)
        if not any(arrivals):
            fail("arrival_rates", self.arrival_rates, "above 0 for at least one group")
        fields = {
            "required_shares": np.array(required),
            "arrival_rates": np.array(arrivals),
            "service_rates": np.array(_for_each("service_rates", self.service_rates, positive, groups)),
            "permanent_jobs": np.array(
                _for_each("permanent_jobs", self.permanent_jobs, lambda name, value: integer(name, value, 0), groups),
                dtype=np.int64,
            ),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        affordable("the sum of permanent_jobs", sum(self.permanent_jobs.tolist()), MOST_PERMANENT)
        self._check_stability()

    @property
    def groups(self):
        """Number of groups."""
        return len(self.required_shares)

    @property
    def loads(self):
        """Loads of the groups (`thesis` (3.2))."""
        return self.arrival_rates / self.service_rates

    @property
    def load(self):
        """Total load (`thesis` (3.3))."""
        return float(self.loads.sum())

    def response_times(self, mean_jobs):
        """Mean response times by Little's law.

        Parameters
        ----------
        mean_jobs : ndarray, shape (..., groups)
            Mean numbers of transient jobs.

        Returns
        -------
        ndarray, shape (..., groups)
            nan for a group without arrivals.
        """
        arriving = self.arrival_rates > 0
        return np.where(arriving, mean_jobs / np.where(arriving, self.arrival_rates, 1), np.nan)

    @property
    def priority_class(self):
        """The class of each group, 0 served first; by required share for HOL and PQ, else a class for all or each.

        Groups that require the same share are one class (`thesis`, Section 3.2.2).
        """
        if self.policy in ("HOL", "PQ"):
            rounded = self.required_shares.round(12)  # 1 - 2 / 3 requires what 1 / 3 does
            return np.unique(-rounded, return_inverse=True)[1].astype(np.int64)
        return np.arange(self.groups) if self.policy == "UD" else np.zeros(self.groups, dtype=np.int64)

    def permanent_above(self):
        """Permanent jobs in the classes above each group's: ndarray of int, shape (groups,)."""
        above = self.priority_class[None, :] < self.priority_class[:, None]
        return above @ self.permanent_jobs

    def starved(self):
        """Whether each group is never served, because the classes above always have a job: shape (groups,).

        One permanent job above is enough under PQ. HOL decides before a served permanent job re-enters, so it takes
        two (`thesis`, Section 3.2.2).
        """
        enough = {"PQ": 1, "HOL": 2}.get(self.policy)
        return np.zeros(self.groups, dtype=bool) if enough is None else self.permanent_above() >= enough

    def capacities(self):
        """The load that each group must stay below under GPPS (`thesis`, Section 3.5.2), shape (groups,).

        Groups with permanent jobs never leave; the others, taken in the order in which they would saturate, leave
        what they do not use to those after them.
        """
        result = np.zeros(self.groups)
        free, weight = 1.0, self.required_shares.sum()
        transient = np.flatnonzero(self.permanent_jobs == 0)
        for group in transient[np.argsort((self.loads / self.required_shares)[transient], kind="stable")]:
            result[group] = free * self.required_shares[group] / weight
            if self.loads[group] < result[group]:
                free -= self.loads[group]
                weight -= self.required_shares[group]
        lasting = self.permanent_jobs > 0
        result[lasting] = free * self.required_shares[lasting] / weight if lasting.any() else 0
        return result

    def _check_stability(self):
        if self.load >= 1:
            raise UnstableError(
                f"arrival_rates must give a total load below 1; got {self.load:.12g}.", range(self.groups)
            )
        overloaded = np.zeros(self.groups, dtype=bool)
        if self.permanent_jobs.any():
            if self.policy == "GPPS":
                overloaded = self.loads >= self.capacities()
            elif self.policy == "UD" and (self.permanent_jobs > 1).all():
                overloaded = self.loads >= self.required_shares  # always a choice: each group obtains its share
            else:
                overloaded = self.starved()
            overloaded &= self.arrival_rates > 0
        if overloaded.any():
            overloaded = [int(group) for group in np.flatnonzero(overloaded)]
            raise UnboundedQueues(
                f"arrival_rates must leave every group stable beside the permanent jobs under {self.policy}, but the "
                f"queues of groups [{listed(overloaded)}] grow without bound; for their limit give those groups a "
                "permanent job and no arrivals.",
                overloaded,
            )


def limiting(
    policy: str, required_shares: Numbers, arrival_rates: Numbers, service_rates: float | Numbers = 1.0,
    permanent_jobs: int | Integers = 0,
) -> dict[str, Any]:  # fmt: skip
    """A stable workload in place of one that overloads some groups beside permanent jobs, with the same limits.

    The queue of an overloaded group grows without bound, so that in the long run it always has a job. A permanent job
    and no arrivals do the same to everybody. Known are the overloads that `simulate` refuses.

    Parameters
    ----------
    policy, required_shares, arrival_rates, service_rates, permanent_jobs
        As for `exact`.

    Returns
    -------
    dict
        Keyword arguments for `exact` and `simulate`, apart from the policy; as given if nothing is overloaded.

    Raises
    ------
    UnstableError
        If the total load is 1 or more.
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> limiting("GPPS", (0.8, 0.2), (0.25, 0.25), permanent_jobs=(1, 1))
    {'required_shares': (0.8, 0.2), 'arrival_rates': (0.25, 0.0), 'permanent_jobs': (1, 1)}
    """
    arguments: dict[str, Any] = {"required_shares": required_shares, "arrival_rates": arrival_rates}
    _for_each("service_rates", service_rates, positive, len(vector("required_shares", required_shares, number)))
    if np.any(np.not_equal(service_rates, 1.0)):
        arguments["service_rates"] = service_rates
    if np.any(permanent_jobs):
        arguments["permanent_jobs"] = permanent_jobs
    try:
        Workload(policy, required_shares, arrival_rates, service_rates, permanent_jobs)
    except UnboundedQueues as error:
        rates = list(arrival_rates)
        permanent = np.broadcast_to(permanent_jobs, len(rates)).tolist()
        for group in error.overloaded:
            rates[group], permanent[group] = 0.0, max(1, permanent[group])
        return {**arguments, "arrival_rates": tuple(rates), "permanent_jobs": tuple(permanent)}
    return arguments


def _for_each(name, values, check, groups):
    """`values`, one for all groups or one for each."""
    if np.ndim(values) == 0 and not isinstance(values, (dict, set, frozenset)):
        return (check(name, values),) * groups
    return vector(name, values, check, groups)
