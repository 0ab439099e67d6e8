"""Central policies simulated beside one line for as many servers (M/M/P), whose means are known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from clustershare.arguments import affordable, fail, integer, one_of, truth
from clustershare.compiled import service
from clustershare.dispatch import beside_queue_kernel, state
from clustershare.dispatch.asking import asks_for_size
from clustershare.dispatch.central import (
    LOCAL,
    LOCAL_POLICIES,
    MOST_PLACES,
    MOST_PROCESSORS,
    performance,
    policy_of,
    weighs_jobs,
)
from clustershare.dispatch.many_servers import shortest_queue_with_migration
from clustershare.estimates import from_replications, with_controls
from clustershare.run_length import check_run_length
from clustershare.shares import required_shares as check_shares
from clustershare.splitting.groups import group_loads
from clustershare.typing import Numbers, Run

if TYPE_CHECKING:
    from clustershare.dispatch.central import DispatchPerformance

LEAST_LOAD = 1e-4  # of 5,000 steps one is an arrival or a departure
BATCHES = 20  # parts of a replication from which coefficients are estimated


def simulate_central_beside_queue(
    policy: str, *, local: str = "PS", migration: bool = False, required_shares: Numbers, loads: Numbers,
    processors: int, reading: str | None = None, **run: Unpack[Run],
) -> DispatchPerformance:  # fmt: skip
    """Share deviations and capacity loss under a central policy, simulated beside JSQ with migration.

    Under JSQ with migration the processors are one line, M/M/P (`thesis` (5.2)-(5.8)): the mean numbers of jobs, the
    feasible shares and the capacity in use are known. The same jobs arrive there, and services end together as often as
    can be. So what the line has in a run beyond its means is subtracted from what the policy has, times coefficients.
    That the groups obtain their loads in the mean is known as well, and used. A replication takes the coefficients of
    least squares from batches of the others, which leaves its mean as it is. Sizes are exponential, of one mean.

    Parameters
    ----------
    policy, local, migration, required_shares, loads, processors, reading
        As for `simulate_central`; the processors are equal, and under SVP no group may be sent more than it can be
        served, or else nothing is gained.
    **run
        `jumps`, `warmup`, `replications` and `seed` (see `clustershare.run_length.RunLength`). A replication is
        measured for the time in which so many arrivals and departures are expected, in steps of equal length, so that
        the means of the line over it are exact.

    Returns
    -------
    DispatchPerformance
        `growth`, `busy_range` and `busy_spread` are None. What is subtracted may in a short run take a value out of its
        range, as a loss below 0.

    Raises
    ------
    UnstableError
        If the total load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> found = simulate_central_beside_queue("JSQ", required_shares=(0.5, 0.5), loads=(0.3, 0.3), processors=2,
    ...                                       jumps=20_000, warmup=1000, replications=20, seed=1)
    >>> found.obtained_share.value.round(12), bool(found.obtained_share.half_width.max() < 1e-12)
    (array([0.3, 0.3]), True)
    """
    required = np.array(check_shares("required_shares", required_shares))
    own, P = group_loads(loads, len(required)), integer("processors", processors, 1)
    affordable("processors", P, MOST_PROCESSORS)
    affordable("processors times groups", P * len(required), MOST_PLACES)
    if own.sum() < LEAST_LOAD:
        fail("loads", loads, f"in all at least {LEAST_LOAD:g}, for steps grow as it falls; use simulate_central")
    one_of("local", local, LOCAL_POLICIES)
    rule, G = service.PPS if weighs_jobs(local) else LOCAL[one_of("local", local, LOCAL)], len(required)
    truth("migration", migration)
    chosen, weights = policy_of(policy, bool(migration), required, P, reading)
    if asks_for_size(chosen):
        fail("policy", policy, "one whose rule does not ask for the size of a job; use simulate_central")
    line = shortest_queue_with_migration(required, own, P)
    feasible = line.group_share_deviation * required + own
    checked, per_event = check_run_length(run), (own.sum() + 1) / (2 * own.sum())  # steps
    warmup, batch = round(checked.warmup * per_event), max(1, round(checked.jumps * per_event / BATCHES))
    samples, controls = [], []
    for rng in checked.generators():
        system = state.empty(rule, required, np.full(P, 1 / P), weights, by_group=chosen.by_group, timed=False)
        beside, levels, known = np.zeros(G, np.int64), [], []
        for steps in (warmup, *[batch] * BATCHES):
            sums, sums_beside = np.zeros(len(system.level)), np.zeros(2 * G + 1)
            beside_queue_kernel.run(rng, chosen, system, beside, own, steps, sums, sums_beside)
            levels.append(sums / max(steps, 1))
            obtained = state.of_groups(levels[-1])[:, state.OBTAINED_SHARE]
            known.append([*sums_beside / max(steps, 1), *obtained])
        samples.append(levels[1:])
        controls.append(known[1:])
    means = np.array([*line.mean_jobs, *feasible, own.sum(), *own])  # type: ignore[misc]
    measured = with_controls(np.array(samples), np.array(controls), means)
    padded = np.hstack([measured, np.full((len(measured), G + 2), np.nan)])
    found = performance("simulation", required, padded, from_replications)
    return replace(found, growth=None, busy_range=None, busy_spread=None)
