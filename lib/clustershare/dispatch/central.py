"""Simulated answers: global policies that know the state of all processors at all times (`thesis`, Chapter 5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from clustershare.arguments import affordable, fail, integer, one_of, positive, resolved, truth, vector
from clustershare.arrivals import process
from clustershare.compiled import arrivals as streams
from clustershare.compiled import service
from clustershare.compiled.arguments import laws as check_laws
from clustershare.compiled.encoding import encode
from clustershare.compiled.records import clear, empty_records, kept
from clustershare.dispatch import kernel, state, tracked
from clustershare.dispatch.asking import asks_for_size
from clustershare.dispatch.partitioning import partition
from clustershare.dispatch.responses import by_littles_law
from clustershare.dispatch.rules.dynamic_vertical import DynamicVerticalPartitioning
from clustershare.dispatch.rules.horizontal import HorizontalPartitioning
from clustershare.dispatch.rules.power_of_choices import PowerOfChoices, PowerOfOtherChoices
from clustershare.dispatch.rules.shortest_queue import ShortestQueue
from clustershare.dispatch.rules.spill_over import SpillOver
from clustershare.dispatch.rules.static_vertical import StaticVerticalPartitioning
from clustershare.estimates import from_replications
from clustershare.records import Records
from clustershare.results import Result
from clustershare.run_length import check_run_length
from clustershare.shares import required_shares as check_shares
from clustershare.sizes import Exponential, JobSize
from clustershare.splitting.groups import group_loads
from clustershare.typing import Arrivals, Numbers, Quantity, Run

POLICIES = {
    "JSQ": ShortestQueue,
    "HP": HorizontalPartitioning,
    "SVP": StaticVerticalPartitioning,
    "DVP": DynamicVerticalPartitioning,
    "JSQ(2)": PowerOfChoices,
    "SPILL": SpillOver,
}
MOST_PROCESSORS, MOST_PLACES = 10**6, 10**7  # a place is for the jobs of a group on a processor: 100 bytes
LONGEST = 1e307  # run, in mean times of service
LOCAL = {"PS": service.PS, "GPPS": service.GPPS}  # of the source
LOCAL_POLICIES = (*LOCAL, "PPS")
OF_CHOICES = re.compile(r"JSQ\(([1-9]\d*)\)")
MOST_CHOICES = 10**6  # for each job


@dataclass(frozen=True)
class DispatchPerformance(Result):
    """How a global and a local policy deliver shares. Arrays of shape (groups,) where exact, else `Estimate` of such.

    What stands from `growth` on is None in a formula's answer.

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
    growth : ndarray or Estimate
        By how much the number of jobs grows per unit of time, shape (groups,): 0 but where it has no limit.
    processors_held : ndarray or Estimate
        Mean number of processors that hold jobs of the group, shape (groups,).
    mixed_processors : ndarray or Estimate
        Mean number of processors that hold jobs of several groups, shape (2,): two jobs in all, and three or more.
    busy_range, busy_spread : float or Estimate
        Between the parts of the time that processors are busy: the largest less the smallest, and their standard
        deviation.
    """

    group_share_deviation: Quantity
    capacity_loss: Quantity
    obtained_share: Quantity
    mean_jobs: Quantity
    growth: Quantity | None = None
    processors_held: Quantity | None = None
    mixed_processors: Quantity | None = None
    busy_range: Quantity | None = None
    busy_spread: Quantity | None = None

    @property
    def mean_response_time(self) -> Quantity:
        """Mean time from a job's arrival to its departure, shape (groups,), by Little's law from `mean_jobs`.

        It has no limit where `mean_jobs` has none, and is nan for a group without arrivals. Jobs that are recorded
        have response times of their own.
        """
        return by_littles_law(self)


def simulate_central(
    policy: str, *, local: str = "PS", migration: bool = False, required_shares: Numbers, loads: Numbers,
    processors: int, capacities: Numbers | None = None, sizes: JobSize | Sequence[JobSize] | None = None,
    reading: str | None = None, arrivals: Arrivals = None, records: bool = False, **run: Unpack[Run],
) -> DispatchPerformance:  # fmt: skip
    """Share deviations and capacity loss under a central policy, simulated.

    Parameters
    ----------
    policy : str
        "JSQ", "HP", "SVP" or "DVP" of `thesis`, Section 5.5; "JSQ(d)" for any whole d, as "JSQ(2)": power of d choices,
        the shortest queue of d that are drawn at random, with replacement unless `reading` says otherwise, so that one
        may be drawn twice; "SPILL", the group's own processors and idle ones of others; or a rule of one's own (see the
        notes).
    local : str
        How each processor is shared: "PS", "GPPS", or "PPS", which is discriminatory processor sharing (DPS): each job
        is served in proportion to the weight of its group. The weights are those of GPPS: the required shares, under
        SVP the parts of the processor.
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
    reading : str, optional
        Another reading of the rules than ours, or another rule, where the policy names one: HP "M2 by jobs" (the group
        is drawn in proportion to its jobs); SVP "guest may return" (beside the job it makes room for), "every
        departure" (also from a processor that stays busy), "without M1", "without M4", "M4 before M3", "guests stay"
        (neither I2 nor M4); DVP "plain sums" (compared without a
        tolerance), "M1 any group" (of the chosen processor), "every departure"; JSQ(d) "without replacement" (d
        different queues, no more than there are; with as many as there are it is JSQ).
    arrivals : clustershare.arrivals.Process, Bursts or clustershare.sizes.JobSize, optional
        How all jobs arrive together, of mean rate 1 (see `clustershare.arrivals`); of which group each is, is drawn
        in proportion to the arrival rates. None is Poisson.
    records : bool
        Whether the result has `records` of the jobs: response times and slowdowns. A job is served as soon as it is
        there, so that its wait is 0; its slowdown is measured against its time on a processor of capacity 1. Sizes are
        drawn then, with other random numbers and up to twice the time where all are exponential with one mean.
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

    Notes
    -----
    A rule of one's own is a named tuple of its parameters, put into `POLICIES` under a name. Its class has a compiled
    function `place`, of the policy, the system, a random generator and the group of a job: the processor that the job
    is sent to. If `place` has a fifth parameter, called `size`, it is given the service time of the job on a processor
    of capacity 1, which the system draws then for exponential sizes too. `rebalance` is what migrates after a departure
    if `migration` is asked for, and `by_group` whether the rule asks for orders of the processors by group.

    Examples
    --------
    >>> found = simulate_central("JSQ", migration=True, required_shares=(0.5, 0.5), loads=(0.3, 0.3), processors=2,
    ...                          jumps=20_000, warmup=1000, replications=5, seed=1)
    >>> round(abs(found.capacity_loss.value), 12)
    0.0

    Size interval task assignment (SITA) with one cutoff. Without small jobs behind large ones each processor is a queue
    of its own, whose jobs are load / (1 - load) in the mean. Of exponential sizes, those up to 1.678 are half the work:

    >>> from typing import NamedTuple
    >>> import numba
    >>> @numba.njit
    ... def by_size(policy, system, rng, group, size):
    ...     return int(size > policy.cutoff)
    >>> @numba.njit
    ... def stay(policy, system, rng, group, processor, now):
    ...     pass
    >>> class SITA(NamedTuple):
    ...     migration: bool = False
    ...     cutoff: float = 1.678347
    ...     by_group = False
    ...     place, rebalance = staticmethod(by_size), staticmethod(stay)
    >>> POLICIES["SITA"] = SITA
    >>> found = simulate_central("SITA", required_shares=(0.5, 0.5), loads=(0.2, 0.2), processors=2,
    ...                          jumps=20_000, warmup=1000, replications=5, seed=1).mean_jobs
    >>> del POLICIES["SITA"]
    >>> bool(abs(found.value.sum() - 2 * 0.4 / 0.6) < 0.1)
    True
    """
    required = np.array(check_shares("required_shares", required_shares))
    own, P = group_loads(loads, len(required)), integer("processors", processors, 1)
    affordable("processors", P, MOST_PROCESSORS)
    affordable("processors times groups", P * len(required), MOST_PLACES)
    one_of("local", local, LOCAL_POLICIES)
    rule, speeds = (
        service.PPS if weighs_jobs(local) else LOCAL[one_of("local", local, LOCAL)], _capacities(policy, capacities, P)
    )  # fmt: skip
    truth("migration", migration)
    chosen, weights = policy_of(policy, bool(migration), required, P, reading)
    check_laws("sizes", sizes)
    laws, means = _sizes(sizes, len(required))
    if asks_for_size(chosen):
        means = None
    truth("records", records)
    if records:
        affordable("processors times groups with records", P * len(required), tracked.MOST_PLACES)
        means = None
    if arrivals is not None:
        means = None
    timed = means is None
    means = np.array([law.mean for law in laws]) if timed else means
    checked = check_run_length(run)
    if timed:
        resolved("loads", loads, own.sum(), checked)
    elif own.sum() * LONGEST < checked.warmup + checked.jumps:
        fail("loads", loads, "so large that the time of all events is a finite number")
    table, rate = encode(*laws), 1.0 if timed else 1 / means[0]  # type: ignore[index]
    shown = 0.0 if asks_for_size(chosen) else None
    arrivals = None if arrivals is None else process("arrivals", arrivals, float((own / means).sum()))
    records = [] if records else None
    samples = []
    for rng in checked.generators():
        system = state.empty(rule, required, speeds, weights, by_group=chosen.by_group, timed=timed)
        journal = None if records is None else empty_records(len(required), float(own.sum() / (own / means).sum()))
        if journal is not None:
            system = system._replace(seen=tracked.nobody(system.leave.shape))
        stream = None if arrivals is None else streams.encode(arrivals, float((own / means).sum()))
        clock = np.array([0.0, rng.standard_exponential() / (own / means).sum() if timed else np.inf])
        if stream is not None:
            clock[1] = streams.wait(rng, stream)
        for events in (checked.warmup, checked.jumps):
            if journal is not None:
                clear(journal)
            began, sums = clock[0], np.zeros(len(system.level))
            busy, jobs = _busy_times(system, began), system.present[1:].astype(float)
            while events:
                events = kernel.run(
                    rng, chosen, system, own / means, rate, table, events, clock, sums, stream, journal, shown
                )
                system = with_more_room(system) if system.next[-1] else system
        passed = clock[0] - began
        busy = (_busy_times(system, clock[0]) - busy) / passed
        samples.append([*sums / passed, *(system.present[1:] - jobs) / passed, np.ptp(busy), busy.std()])
        if journal is not None:
            records.append(kept(journal))  # type: ignore[union-attr]
    if records is not None:
        found = performance("simulation", required, np.array(samples), from_replications)
        return Records.of(records).attached(found)
    return performance("simulation", required, np.array(samples), from_replications)


def performance(method, required, measured, made, **error):
    """A result from what was measured: levels of a system, the growth of each group, range and spread of busy times.

    Parameters
    ----------
    method : str
    required : ndarray, shape (groups,)
    measured : ndarray, shape (..., 4 + 4 groups + groups + 2)
    made : callable
        Makes an answer of what was measured of one thing.
    **error
        Of the result.

    Returns
    -------
    DispatchPerformance
    """
    levels, growth, spread = np.split(measured, [-2 - len(required), -2], axis=-1)
    feasible, obtained, jobs, held = np.moveaxis(state.of_groups(levels), -1, 0)
    return DispatchPerformance(
        method=method, group_share_deviation=made((feasible - obtained) / required),
        capacity_loss=made(levels[..., state.ABLE_TO_USE] - levels[..., state.IN_USE]), obtained_share=made(obtained),
        mean_jobs=made(jobs), growth=made(growth), processors_held=made(held),
        mixed_processors=made(levels[..., [state.PAIRS, state.CROWDS]]), busy_range=made(spread[..., 0]),
        busy_spread=made(spread[..., 1]), **error,
    )  # fmt: skip


def _busy_times(system, now):
    """For how long each processor has been busy by now."""
    return system.amount[:, state.SHARE, 0] + now * (system.count[:, 0] > 0)


def policy_of(name, migration, required, processors, reading=None):
    """A policy and the weights of the groups on the processors under GPPS (`thesis`, Section 5.5).

    Returns
    -------
    policy : NamedTuple
        Of `clustershare.dispatch.rules`.
    weights : ndarray, shape (processors, groups)
    """
    if not of_choices(name, reading):
        one_of("policy", name, [*POLICIES, "JSQ(d) for any whole d"])
    if of_choices(name, reading):
        return _of_choices(name, migration, processors, reading), np.tile(required, (processors, 1))
    kind = POLICIES[one_of("policy", name, POLICIES)]
    fields, readings = {"migration": migration}, getattr(kind, "readings", {})
    if reading is not None:
        if not isinstance(reading, str) or reading not in readings:
            fail("reading", reading, f"None under {name}" + "".join(f", or {each!r}" for each in readings))
        fields["reading"] = readings[reading]
    weights = np.tile(required, (processors, 1))
    if "parts" in kind._fields:
        parts = fields["parts"] = np.ascontiguousarray(partition(list(required), processors).T.astype(float))
        weights = np.where(parts > 0, parts, weights) if name == "SVP" else weights  # (5.14)
    return kind(**fields), weights


def of_choices(name, reading):
    """Whether a policy is JSQ(d), and not one that stands in `POLICIES` as it is asked for."""
    known = isinstance(name, str) and OF_CHOICES.fullmatch(name)
    return bool(known) and (name not in POLICIES or reading is not None)


def _of_choices(name, migration, processors, reading):
    """The policy JSQ(d)."""
    choices = int(OF_CHOICES.fullmatch(name)[1])
    if reading not in (None, "without replacement"):
        fail("reading", reading, f"None under {name}, or 'without replacement'")
    if reading is None:
        if choices > MOST_CHOICES:
            fail("policy", name, f"JSQ(d) for a d of at most {MOST_CHOICES}, for time grows with it")
        return PowerOfChoices(migration, choices)
    if choices > processors:
        fail("policy", name, f"JSQ(d) for a d of at most {processors}, as many as processors, without replacement")
    return PowerOfOtherChoices(migration, choices)


def weighs_jobs(local):
    """Whether a local policy gives each job the weight of its group."""
    return local == "PPS"


def with_more_room(system):
    """The same system with twice the room for jobs on a processor."""
    system.next[-1] = 0
    if system.seen is not None:
        system = system._replace(seen=tracked.with_more_room(system.seen, system.leave.shape))
    wide = np.zeros((*system.leave.shape[:2], 2 * system.leave.shape[2]))
    wide[:, :, : system.leave.shape[2]] = system.leave
    return system._replace(leave=wide)


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
