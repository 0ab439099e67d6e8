"""Simulated answers: global policies that know the state of all processors at all times (`thesis`, Chapter 5)."""

from dataclasses import dataclass

import numpy as np

from clustershare.arguments import integer, one_of, positive, vector
from clustershare.compiled import service
from clustershare.compiled.encoding import encode
from clustershare.dispatch import kernel, system
from clustershare.dispatch.partitioning import partition
from clustershare.dispatch.rules.dynamic_vertical import DynamicVerticalPartitioning
from clustershare.dispatch.rules.horizontal import HorizontalPartitioning
from clustershare.dispatch.rules.power_of_choices import PowerOfChoices
from clustershare.dispatch.rules.shortest_queue import ShortestQueue
from clustershare.dispatch.rules.spill_over import SpillOver
from clustershare.dispatch.rules.static_vertical import StaticVerticalPartitioning
from clustershare.estimates import from_replications
from clustershare.results import Result
from clustershare.run_length import check_run_length
from clustershare.shares import required_shares as check_shares
from clustershare.sizes import Exponential, JobSize
from clustershare.splitting.groups import group_loads

POLICIES = {
    "JSQ": ShortestQueue,
    "HP": HorizontalPartitioning,
    "SVP": StaticVerticalPartitioning,
    "DVP": DynamicVerticalPartitioning,
    "JSQ(2)": PowerOfChoices,
    "SPILL": SpillOver,
}
LOCAL = {"PS": service.PS, "GPPS": service.GPPS}


@dataclass(frozen=True)
class DispatchPerformance(Result):
    """How a global and a local policy deliver shares. Arrays of shape (groups,) where exact, else `Estimate` of such.

    Attributes
    ----------
    group_share_deviation : ndarray or Estimate
        Expected feasible minus obtained group share, relative to the required one (`thesis` (2.39)), shape (groups,).
    capacity_loss : float or Estimate
        Expected part of the capacity that the jobs present could use and do not (2.43).
    obtained_share : ndarray or Estimate
        Expected obtained group share, shape (groups,).
    mean_jobs : ndarray or Estimate
        Mean number of jobs, shape (groups,). It has no limit where a group is sent more than its processors can serve.
    """

    group_share_deviation: object
    capacity_loss: object
    obtained_share: object
    mean_jobs: object


def simulate_central(
    policy, *, local="PS", migration=False, required_shares, loads, processors, capacities=None, sizes=None, **run
):
    """Share deviations and capacity loss under a central policy, simulated.

    Parameters
    ----------
    policy : str
        "JSQ", "HP", "SVP" or "DVP" of `thesis`, Section 5.5; "JSQ(2)", the shorter of two random queues; "SPILL", the
        group's own processors and idle ones of others.
    local : str
        How each processor is shared: "PS" or "GPPS".
    migration : bool
        Whether a job may migrate at an arrival or a departure.
    required_shares : sequence of float
        Of the groups; they sum to 1.
    loads : sequence of float
        rho_{g*} of the groups (5.15); their sum is below 1.
    processors : int
    capacities : sequence of float, optional
        Fractions of the whole, one for each processor; equal if not given. The vertical policies take equal ones.
    sizes : clustershare.sizes.JobSize, or a sequence of them, optional
        Of the jobs' service times on a processor of capacity 1: one for all groups, or one for each. None is
        exponential with mean 1.
    **run
        `jumps`, `warmup`, `replications` and `seed` (see `clustershare.run_length.RunLength`). A jump is an arrival or
        a departure; the system is empty at first.

    Returns
    -------
    DispatchPerformance

    Raises
    ------
    UnstableError
        If the total load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> found = simulate_central("JSQ", migration=True, required_shares=(0.5, 0.5), loads=(0.3, 0.3), processors=2,
    ...                          jumps=20_000, warmup=1000, replications=5, seed=1)
    >>> round(abs(found.capacity_loss.value), 12)
    0.0
    """
    required = np.array(check_shares("required_shares", required_shares))
    own, P = group_loads(loads, len(required)), integer("processors", processors, 1)
    rule, speeds = LOCAL[one_of("local", local, LOCAL)], _capacities(policy, capacities, P)
    chosen, weights = policy_of(policy, bool(migration), required, P)
    laws, means = _sizes(sizes, len(required))
    timed = means is None
    means = np.array([law.mean for law in laws]) if timed else means
    checked = check_run_length(run)
    table, rate = encode(*laws), 1.0 if timed else 1 / means[0]
    fastest = np.append(0.0, np.cumsum(np.sort(speeds)[::-1]))
    samples = []
    for rng in checked.generators():
        state = system.empty(rule, required, speeds, weights, by_group=chosen.by_group, timed=timed)
        clock = np.array([0.0, rng.standard_exponential() / (own / means).sum() if timed else np.inf])
        for events in (checked.warmup, checked.jumps):
            sums = np.zeros(3 + 3 * len(required))
            while events:
                events = kernel.run(rng, chosen, state, own / means, rate, table, fastest, events, clock, sums)
                state = with_more_room(state) if state.next[-1] else state
        samples.append(sums[1:] / sums[0])
    feasible, obtained, jobs, totals = np.split(np.array(samples), np.arange(1, 4) * len(required), axis=1)
    return DispatchPerformance(
        method="simulation", group_share_deviation=from_replications((feasible - obtained) / required),
        capacity_loss=from_replications(totals[:, 0] - totals[:, 1]), obtained_share=from_replications(obtained),
        mean_jobs=from_replications(jobs),
    )  # fmt: skip


def policy_of(name, migration, required, processors):
    """A policy and the weights of the groups on the processors under GPPS (`thesis`, Section 5.5).

    Returns
    -------
    policy : NamedTuple
        Of `clustershare.dispatch.rules`.
    weights : ndarray, shape (processors, groups)
    """
    kind = POLICIES[one_of("policy", name, POLICIES)]
    weights = np.tile(required, (processors, 1))
    if "parts" not in kind._fields:
        return kind(migration), weights
    parts = np.ascontiguousarray(partition(list(required), processors).T.astype(float))
    return kind(migration, parts), np.where(parts > 0, parts, weights) if name == "SVP" else weights  # (5.14)


def with_more_room(state):
    """The same system with twice the room for jobs on a processor."""
    state.next[-1] = 0
    wide = np.zeros((*state.leave.shape[:2], 2 * state.leave.shape[2]))
    wide[:, :, : state.leave.shape[2]] = state.leave
    return state._replace(leave=wide)


def _capacities(policy, capacities, processors):
    if capacities is None:
        return np.full(processors, 1 / processors)
    speeds = np.array(vector("capacities", capacities, positive, processors))
    if abs(speeds.sum() - 1) > 1e-9:
        raise ValueError(f"capacities must sum to 1; they sum to {speeds.sum():.12g}.")
    if np.ptp(speeds) > 0 and policy in ("SVP", "DVP", "SPILL"):
        raise ValueError(
            f"capacities must be equal under {policy}, which counts processors; got {tuple(capacities)!r}."
        )
    return speeds


def _sizes(sizes, groups):
    """A law for each group; and their means where all are exponential with one mean, so that no size need be drawn."""
    if sizes is None or isinstance(sizes, JobSize):
        laws = (Exponential() if sizes is None else sizes,) * groups
    else:
        laws = vector("sizes", sizes, lambda name, law: law if isinstance(law, JobSize) else _no_law(name, law), groups)
    if all(isinstance(law, Exponential) and law.mean == laws[0].mean for law in laws):
        return laws, np.full(groups, laws[0].mean)
    return laws, None


def _no_law(name, value):
    raise ValueError(f"{name} must be a distribution of clustershare.sizes; got {value!r}.")
