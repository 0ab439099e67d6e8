"""Simulated answers: policies whose processors ask each other over a network how they stand (`thesis`, Chapter 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from clustershare.arguments import affordable, resolved, truth
from clustershare.arrivals import process
from clustershare.compiled import arrivals as streams
from clustershare.compiled.records import clear, empty_records, kept
from clustershare.dispatch import distributed_kernel_parts as parts
from clustershare.dispatch import network, tracked
from clustershare.dispatch.distributed_cluster import Cluster, overloaded
from clustershare.dispatch.distributed_plan import plan_of
from clustershare.dispatch.responses import by_littles_law
from clustershare.estimates import from_replications
from clustershare.records import Records
from clustershare.results import Result
from clustershare.run_length import check_run_length
from clustershare.typing import Arrivals, FloatsOrFractions, Numbers, Quantity, Run

if TYPE_CHECKING:
    from clustershare.sizes import JobSize

MOST_TOLD_APART = 20  # processors; of more, a stored result would be little else than their arrivals


@dataclass(frozen=True)
class DistributedPerformance(Result):
    """How a distributed policy delivers shares, and what it asks of the network. Rates are per unit of time.

    Attributes
    ----------
    group_share_deviation : Estimate
        Expected feasible minus obtained group share, relative to the required one (`thesis` (2.39)), shape (groups,).
    capacity_loss : Estimate
        Expected part of the capacity that the jobs present could use and do not (2.43).
    mean_jobs, obtained_share, feasible_share : Estimate
        Mean number of jobs, wherever they are, and expected shares, shape (groups,).
    growth : Estimate
        By how much the number of jobs grows per unit of time, shape (groups,).
    network_utilisation, network_customers : Estimate
        The part of the time that the network is busy; the mean number of its customers.
    arrivals, departures : Estimate
        Rates, shape (groups,).
    traffic : Estimate
        Rates of probe requests, replies, job placements, migration requests and job migrations, shape (5,).
    offered : Estimate
        Work brought to the network per unit of time.
    migrations_by_rule : Estimate
        Rates of migrations by rules I2 (of a guest), M1, M2, M3 and M4, shape (5,).
    lone_migrations : Estimate
        Rates of migrations that leave the source idle: by all rules, and by M4, shape (2,).
    placed_in_subset : Estimate
        The part of the placements, the local ones included, on processors of the group's subset.
    placed_unknown : Estimate
        Rate of placements by rule I5, where nothing is known of the processor.
    refused : Estimate
        Rate of migration requests that are not granted.
    wait : Estimate
        Mean time of a job in the schedule queue.
    unused_requests : Estimate
        The part of the periodic probings after whose replies nothing was decided before the next ones; 0 on demand.
    stale_decisions : Estimate
        The part of the decisions in which some other processor known does not stand as it is known to.
    changed_meanwhile : Estimate
        The part of the decisions after departures in which the own processor does not stand as the departure left it.
    collisions : Estimate
        Rate of placements on a processor that is known as idle, but was sent a job by another one since.
    subset_loss : Estimate
        The expected part of the capacity that is idle in a group's subset while jobs, of any group, in the server
        queues there could use it: mean of (min(jobs, processors) - busy processors) / P, shape (groups,).
    jobs_at_end : Estimate
        Jobs in the system at the end, shape (groups,).
    arrivals_at : Estimate or None
        Rates of arrivals at each processor, shape (groups x processors,), one group after the other; None for more than
        20 processors.
    """

    group_share_deviation: Quantity
    capacity_loss: Quantity
    mean_jobs: Quantity
    obtained_share: Quantity
    feasible_share: Quantity
    growth: Quantity
    network_utilisation: Quantity
    network_customers: Quantity
    arrivals: Quantity
    departures: Quantity
    traffic: Quantity
    offered: Quantity
    migrations_by_rule: Quantity
    lone_migrations: Quantity
    placed_in_subset: Quantity
    placed_unknown: Quantity
    refused: Quantity
    wait: Quantity
    unused_requests: Quantity
    stale_decisions: Quantity
    changed_meanwhile: Quantity
    collisions: Quantity
    subset_loss: Quantity
    jobs_at_end: Quantity
    arrivals_at: Quantity

    @property
    def mean_response_time(self) -> Quantity:
        """Mean time from a job's arrival to its departure, shape (groups,), by Little's law from `mean_jobs`.

        It has no limit where `mean_jobs` has none, and is nan for a group without arrivals. Jobs that are recorded
        have response times of their own.
        """
        return by_littles_law(self)


def simulate_distributed(
    policy: str, *, required_shares: FloatsOrFractions, loads: Numbers, processors: int, probe_limit: int,
    probe_period: float | None = None, arrival_preference: str = "HP", probing_preference: str = "HP",
    probe_service_time: float = 1e-6, migration_service_time: float = 1e-2, local: str = "GPPS", migration: bool = True,
    processor_capacity: float = 1.0, period_spread: float = 0.1, probe_phases: str = "random", gap: int = 2,
    sizes: JobSize | Sequence[JobSize] | None = None, reading: str | None = None, arrivals: Arrivals = None,
    records: bool = False, **run: Unpack[Run],
) -> DistributedPerformance:  # fmt: skip
    """Share deviations, capacity loss and network traffic under a distributed policy, simulated.

    Jobs arrive at processors. To place a job, and after a departure to fetch one, a processor goes by its own state and
    by what others have told it of theirs; requests, replies and jobs share a network of unit capacity.

    Parameters
    ----------
    policy : str
        "Isolation" (a job stays where it arrives), "JSQ", "HP", "SVP" or "DVP" of `thesis`, Section 6.5; "D-HP" or
        "Nice" of Section 6.6, which place jobs and never move them.
    required_shares : sequence of float or of fractions.Fraction
        Of the groups; they sum to 1, and are such as `partition` takes.
    loads : sequence of float
        rho_{g*} of the groups (5.15); their sum is below 1.
    processors : int
    probe_limit : int
        L^P, how many others a processor asks, 0 to P - 1.
    probe_period : float, optional
        tau^P, the mean time between the probings of a processor, which decides at once by the replies to the last one.
        None: it probes on demand, upon each arrival and, if jobs migrate, each departure, and decides when all replies
        are there.
    arrival_preference, probing_preference : str
        "HP" or "VP" (Sections 6.3 and 6.4.3). Upon departures and periodically all are probed alike.
    probe_service_time, migration_service_time : float
        S^P, of all that is sent but migrations, and the mean S^M of these, which are exponential; at least 0.
    local : str
        How each processor is shared: "GPPS", "PS" or "PPS" (see `simulate_central`).
    migration : bool
        Whether jobs may migrate.
    processor_capacity : float
        Of each processor: a job of size s takes s / processor_capacity alone there.
    period_spread : float
        A period is uniform between 1 - period_spread and 1 + period_spread times its mean; 0 to 1.
    probe_phases : str
        When a processor probes first: "random", uniform within the first period, or "together", all at time 0.
    gap : int
        How many jobs more a processor must have under JSQ and HP for one to migrate from there.
    sizes : clustershare.sizes.JobSize, or a sequence of them, optional
        Of the jobs: one for all groups, or one for each. None is exponential with mean 1.
    reading : str, optional
        Another reading of the source than ours: "ties alike" (the own processor is not preferred), "with those under
        way" (jobs in a schedule queue, or on their way, count as jobs of the processor), "state at departure" (the own
        state as the departure left it), "rule must hold" (else a migration request is refused), "keep replies" (the
        latest of each processor are used); with periodic probing "drop old" (the same, but none older than the period)
        and "replies only" (decisions do not change what is known); with VP preference "VP upon departures" (too). HP
        "own first" (as soon as it has the fewest jobs of the group); DVP and Nice "bare sums" (estimates are not scaled
        up); DVP "I2 fewest" (where I2 knows the group on one processor only); SVP "own subset only" (for the guest sent
        away by I2), "without a message" (to the guest's host). Or one of `simulate_central`, or "without M4" of SVP.
    arrivals : clustershare.arrivals.Process, Bursts or clustershare.sizes.JobSize, optional
        How all jobs arrive together, of mean rate 1 (see `clustershare.arrivals`); of which group each is, is drawn
        in proportion to the arrival rates, and where it arrives as without. None is Poisson.
    records : bool
        Whether the result has `records` of the jobs. A job waits until it first joins the jobs of a processor; its
        slowdown is measured against its size.
    **run
        `jumps`, `warmup`, `replications` and `seed` (see `clustershare.run_length.RunLength`). A jump is an arrival or
        a departure; the system is empty at first.

    Returns
    -------
    DistributedPerformance

    Raises
    ------
    UnstableError
        If the total load is 1 or more, or the network is offered more than it can carry.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> found = simulate_distributed("JSQ", required_shares=(0.5, 0.5), loads=(0.3, 0.3), processors=4, probe_limit=2,
    ...                              jumps=20_000, warmup=1000, replications=5, seed=1)
    >>> requests, replies, placements, *_ = found.traffic.value
    >>> round(replies / requests, 2)
    np.float64(2.0)
    """
    plan = plan_of(
        policy, required_shares=required_shares, loads=loads, processors=processors, probe_limit=probe_limit,
        probe_period=probe_period, arrival_preference=arrival_preference, probing_preference=probing_preference,
        probe_service_time=probe_service_time, migration_service_time=migration_service_time, local=local,
        migration=migration, processor_capacity=processor_capacity, period_spread=period_spread,
        probe_phases=probe_phases, gap=gap, sizes=sizes, reading=reading,
    )  # fmt: skip
    checked = check_run_length(run)
    resolved("loads", loads, sum(loads), checked)
    truth("records", records)
    arrivals = None if arrivals is None else process("arrivals", arrivals, float(plan.arrivals.sum()))
    if records:
        affordable("processors times groups with records", plan.weights.size, tracked.MOST_PLACES)
    records = [] if records else None
    samples = [_measured(Cluster(plan, rng), checked, arrivals, records) for rng in checked.generators()]
    if records is not None:
        found = {name: [sample[name] for sample in samples] for name in samples[0] if samples[0][name] is not None}
        found = {"arrivals_at": None} | {name: from_replications(values) for name, values in found.items()}
        return Records.of(records).attached(DistributedPerformance(method="simulation", **found))  # type: ignore[arg-type]
    return DistributedPerformance(
        method="simulation",
        **{  # type: ignore[arg-type]
            name: None if samples[0][name] is None else from_replications([sample[name] for sample in samples])
            for name in samples[0]
        },
    )


def _measured(cluster, run, arrivals=None, records=None):
    """What one replication gives, by the names of the result."""
    stream = None if arrivals is None else streams.encode(arrivals, float(cluster.plan.arrivals.sum()))
    journal = None if records is None else _nothing_seen(cluster.plan)
    if stream is not None:
        cluster.clock[1] = streams.wait(cluster.rng, stream)
    if journal is not None:
        cluster.track()
    cluster.run(run.warmup, stream, journal)
    if journal is not None:
        clear(journal)
    tally, began = cluster.tally, cluster.clock[0]
    before = [array.copy() for array in (tally.sums, tally.count, tally.at, tally.jobs)]
    cluster.run(run.jumps, stream, journal)
    if journal is not None:
        records.append(kept(journal))
    time = cluster.clock[0] - began
    sums, count, at, jobs = (
        array - old for array, old in zip((tally.sums, tally.count, tally.at, tally.jobs), before, strict=True)
    )
    P, G = tally.member.shape
    offered, customers = sums[parts.OFFERED] / time, cluster.net.count[network.CUSTOMERS]
    if offered >= 1 and customers > 100 and cluster.unsent() > 0.01 * time:
        raise overloaded(offered)
    level = sums / time
    feasible, obtained, number, loss = level[parts.GROUPS :].reshape(G, 4).T
    rate = count / time
    arrivals = at[:, parts.ARRIVED : parts.ARRIVED + G].T / time
    return {
        "group_share_deviation": (feasible - obtained) / cluster.plan.required,
        "capacity_loss": level[parts.ABLE_TO_USE] - level[parts.USED],
        "mean_jobs": number,
        "obtained_share": obtained,
        "feasible_share": feasible,
        "growth": jobs[parts.PRESENT, 1:] / time,
        "network_utilisation": level[parts.BUSY],
        "network_customers": level[parts.ON_NETWORK],
        "arrivals": arrivals.sum(axis=1),
        "departures": rate[parts.DEPARTED :],
        "traffic": rate[parts.SENT : parts.SENT + 5],
        "offered": offered,
        "migrations_by_rule": rate[parts.BY_RULE : parts.BY_RULE + 5],
        "lone_migrations": rate[[parts.LONE, parts.LONE_M4]],
        "placed_in_subset": _part(count[parts.INSIDE], count[parts.PLACED]),
        "placed_unknown": rate[parts.UNKNOWN],
        "refused": rate[parts.REFUSED],
        "wait": _part(sums[parts.WAITED], count[parts.PLACED]),
        "unused_requests": _part(count[parts.UNUSED], count[parts.ANSWERED]),
        "stale_decisions": _part(count[parts.STALE], count[parts.DECISIONS]),
        "changed_meanwhile": _part(count[parts.CHANGED], count[parts.AFTERWARDS]),
        "collisions": rate[parts.COLLISIONS],
        "subset_loss": loss,
        "jobs_at_end": tally.jobs[parts.PRESENT, 1:].astype(float),
        "arrivals_at": arrivals.ravel() if P <= MOST_TOLD_APART else None,
    }


def _nothing_seen(plan):
    """Records without jobs; the unit is the mean size over the load."""
    return empty_records(len(plan.arrivals), plan.setting.capacity / float(plan.arrivals.sum()))


def _part(some, of):
    """A ratio of sums; 0 of nothing."""
    return some / of if of else 0.0
