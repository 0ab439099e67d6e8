"""Claims of `thesis`, Chapter 2: what shares are, and which of them can be delivered."""

import functools
import itertools
import math

import numpy as np
from scipy.optimize import linprog

from clustershare import shares
from clustershare.delivery import deliver
from clustershare.execution import execute
from clustershare.shares import State, feasible_group_share, maximum_feasible_group_share, maximum_obtainable_share
from compendium.press.findings import beyond, check, difference, erratum, finding, listed, relative_difference
from pages.share_scheduling.objectives.systems import (
    EXACT,
    SYSTEM,
    random_capacities,
    random_states,
    random_systems,
    random_traces,
)  # fmt: skip
from pages.share_scheduling.objectives.witnesses import played


def example(policy, capacities=SYSTEM):
    """The two jobs of `thesis`, Figures 2.1, 2.2, 2.3, 2.4, 2.5, of work 2 and 4; number 0 comes first."""
    return execute(policy, [0, 0], [2, 4], capacities)


@check("thesis-2-001", policy="PS")
def fcfs_example(policy="FCFS"):
    trace = example(policy)
    begin = trace.times[:-1][trace.rates[:, 1] > 0][0]
    slope, share = -trace.rates[-1, 1], trace.obtained_shares[-1, 1]
    return finding(
        f"start {begin:g}, departure {trace.departures[1]:g}, slope {slope:g}, share {share:g}",
        (begin, trace.departures[1], slope, share) == (1, 3, -2, 0.5),
    )


@check("thesis-2-002", policy="FCFS")
def ps_example(policy="PS"):
    trace = example(policy)
    return finding(
        f"shares {listed(trace.obtained_shares[:, 1])} from {listed(trace.times[:-1])}; "
        f"departure {trace.departures[1]:g}",
        difference(trace.obtained_shares[:, 1], [0.25, 0.5]) == 0 and difference(trace.times, [0, 2, 3]) == 0,
    )


@check("thesis-2-003", capacities=(2, 2, 2))
def total_in_example(capacities=SYSTEM):
    traces = [example(policy, capacities) for policy in ("FCFS", "PS")]
    totals = [trace.obtained_shares.sum(axis=1) for trace in traces]
    return finding(
        f"totals {listed(np.concatenate(totals))} until {listed([trace.times[-1] for trace in traces])}",
        all(difference(total, 0.5) == 0 for total in totals) and all(trace.times[-1] == 3 for trace in traces),
    )


@check("thesis-2-036", capacities=(1, 1, 1))
def most_in_example(capacities=SYSTEM):
    """What the two jobs could obtain at most: `thesis`, Figure 2.5."""
    traces = [example(policy, capacities) for policy in ("FCFS", "PS")]
    found = [(trace.times.tolist(), trace.maximum_obtainable_total_shares.tolist()) for trace in traces]
    return finding(
        "; ".join(f"{listed(values)} from {listed(times[:-1])}" for times, values in found),
        found == [([0, 1, 3], [0.75, 0.5]), ([0, 2, 3], [0.75, 0.5])],
    )


@check("thesis-2-005", placement=(0, 1))
def loss_in_example(placement=(0, 0)):
    """The source prints no numbers: they follow from its Figure 2.5. The control puts job 1 on processor 2."""
    losses, times = [], []
    for policy in ("FCFS", "PS"):
        trace = execute(policy, [0, 0], [2, 4], SYSTEM, placement)
        losses.append(trace.maximum_obtainable_total_shares - trace.obtained_shares.sum(axis=1))
        times.append(trace.times[:-1])
    said = [f"{listed(loss)} from {listed(time)}" for loss, time in zip(losses, times)]
    right = all(loss.tolist() == [0.25, 0] for loss in losses) and [t.tolist() for t in times] == [[0, 1], [0, 2]]
    return beyond(f"FCFS {said[0]}; PS {said[1]}", right)


@check("thesis-2-006", capacities=(1,))
def symbol_of_the_share(capacities=None):
    """What (2.4) defines, read as the service rate (printed) and as the obtained share, where the text uses it.

    The rates are the slopes of the work in the trace. On one processor of capacity 1 both readings are one.
    """
    rng, gaps = np.random.default_rng(6), np.zeros(2)
    for trial in range(52):
        P = rng.integers(1, 6)
        speeds = capacities or (SYSTEM if trial < 2 else random_capacities(rng, P).tolist())
        jobs = 2 if trial < 2 else rng.integers(1, 7)
        work = [2, 4] if trial < 2 else rng.exponential(size=jobs) + 0.1
        begin = [0, 0] if trial < 2 else rng.uniform(0, 2, jobs)
        place = None if trial < 2 else rng.integers(len(speeds), size=jobs).tolist()
        trace = execute(("FCFS", "PS")[trial % 2], begin, work, speeds, place)
        spent = np.diff(trace.times)
        slopes = -np.diff(trace.remaining_work, axis=0) / spent[:, None]
        for number, read in enumerate((slopes, trace.obtained_shares)):
            gap = difference(spent @ read, np.array(work) / sum(speeds))  # (2.8)
            gap = max(gap, (read - speeds[0] / sum(speeds)).max())  # (2.9)
            if trial < 2:  # the second job is served at last alone, and under PS with another before
                whole = speeds[0] / sum(speeds)
                gap = max(gap, abs(read[-1, 1] - whole), abs(read[0, 1] - (whole / 2 if trial else 0)))
            gaps[number] = max(gaps[number], gap)
    return erratum(f"as a rate up to {gaps[0]:.2f} off in (2.8), (2.9) and the example; as a share "
                   + ("equal" if gaps[1] < EXACT else f"up to {gaps[1]:.2f}"),
                   gaps[0] < EXACT, gaps[1] < EXACT)  # fmt: skip


def served_at_random(rng, lost):
    """Jobs on several processors, by priority with preemption or by weights that change at random: shares integrated.

    With `lost` a job that is preempted starts anew.
    """
    jobs, speeds = rng.integers(1, 13), random_capacities(rng, rng.integers(1, 6))
    work, begin, ranks = rng.exponential(size=jobs) + 0.1, rng.uniform(0, 2, jobs), rng.permutation(jobs)
    rest, total, now, by_rank = work.copy(), np.zeros(jobs), 0.0, rng.random() < 0.5
    while (rest > 0).any():
        here = (begin <= now) & (rest > 0)
        weights = np.zeros((jobs, len(speeds)))
        if by_rank:
            top = np.flatnonzero(here)[np.argsort(ranks[here])][: len(speeds)]
            weights[top, np.arange(len(top))] = 1
        else:
            weights = rng.random(weights.shape) * here[:, None]
            weights /= max(1.0, weights.sum(axis=0).max(), weights.sum(axis=1).max())
        if lost:
            rest = np.where(here & (weights.sum(axis=1) == 0), work, rest)
        state = State(speeds, (1,), [0] * jobs, weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            until = np.where(state.service_rates > 0, rest / state.service_rates, np.inf)
        step = min(until.min(), (begin[begin > now] - now).min(initial=np.inf), rng.exponential())
        rest = np.where(until <= step, 0.0, rest - step * state.service_rates)
        total, now = total + step * state.obtained_job_shares, now + step
    return total, work / speeds.sum()


@check("thesis-2-007", lost=True)
def integral_of_the_share(lost=False):
    """FCFS, PS, priority with preemption, and weights that change: 200 traces."""
    rng, gap = np.random.default_rng(7), 0.0
    for trace in random_traces(100, 7, processors=5):
        integral = np.diff(trace.times) @ trace.obtained_shares
        gap = max(gap, relative_difference(integral, trace.work / trace.capacities.sum()))
    for _ in range(100):
        gap = max(gap, relative_difference(*served_at_random(rng, lost)))
    return finding("equal within 1e-9" if gap < EXACT else f"up to {gap:.2f} apart", gap < EXACT)


def most_by_program(own, others, capacities, parallel=False):
    """The most that some jobs can obtain while others are present, by a linear program over (2.17)-(2.19).

    With `parallel` several processors may serve a job at once: (2.19) is dropped.
    """
    jobs, processors = own + others, len(capacities)
    if not own:
        return 0.0
    shares = np.array(capacities) / np.sum(capacities)
    rows = np.kron(np.ones(jobs), np.eye(processors))
    if not parallel:
        rows = np.vstack([rows, np.kron(np.eye(jobs), np.ones(processors))])
    cost = -np.append(np.tile(shares, own), np.zeros(others * processors))
    return -linprog(cost, A_ub=rows, b_ub=np.ones(len(rows)), bounds=(0, 1), method="highs").fun


@check("thesis-2-008", parallel=True)
def one_job(parallel=False):
    rng, gap = np.random.default_rng(8), 0.0
    for _ in range(100):
        speeds = random_capacities(rng, rng.integers(1, 7))
        found = most_by_program(1, rng.integers(0, 8), speeds, parallel)
        gap = max(gap, abs(found - speeds[0] / speeds.sum()), abs(found - maximum_obtainable_share(1, speeds)))
    inside = all(
        trace.obtained_shares.min() >= 0 and trace.obtained_shares.max() <= most + EXACT and most <= 1
        for trace in random_traces(200, 8)
        for most in [trace.capacities[0] / trace.capacities.sum()]
    )
    return finding(
        f"the program gives {'c_1/c' if gap < EXACT else f'up to {gap:.2f} more'}; shares in 200 traces "
        f"{'keep' if inside else 'do not keep'} to it",
        gap < EXACT and inside,
    )


@check("thesis-2-009", parallel=True)
def some_jobs(parallel=False):
    """Of subsets of the jobs, while the others are present; and all groups in random states and traces."""
    rng, gap = np.random.default_rng(9), 0.0
    for trial in range(200):
        P = rng.integers(1, 7)
        speeds, own, others = random_capacities(rng, P, trial % 4 == 0), rng.integers(0, 10), rng.integers(0, 4)
        found = most_by_program(own, others, speeds, parallel)
        gap = max(gap, abs(found - speeds[: min(own, P)].sum() / speeds.sum()))
        gap = max(gap, abs(found - maximum_obtainable_share(own, speeds)))
    above = -1.0
    for state in random_states(200):
        shares = np.sort(state.obtained_job_shares)[::-1].cumsum()  # of all subsets the largest of each size
        bounds = maximum_obtainable_share(np.arange(1, len(shares) + 1), state.capacities)
        groups = maximum_obtainable_share(state.jobs, state.capacities)
        above = max(above, (shares - bounds).max(initial=-1), (state.obtained_group_shares - groups).max())
    for trace in random_traces(200, 9):
        shares = np.sort(trace.obtained_shares, axis=1)[:, ::-1].cumsum(axis=1)
        bounds = maximum_obtainable_share(np.arange(1, shares.shape[1] + 1), trace.capacities)
        above = max(above, (shares - bounds).max())
    return finding(
        f"the program gives {'the bound' if gap < EXACT else f'up to {gap:.2f} more'}; states and traces "
        f"{'keep to it' if above < EXACT else f'exceed it by {above:.2f}'}",
        gap < EXACT and above < EXACT,
    )


@check("thesis-2-010", homogeneous=False)
def homogeneous_bounds(homogeneous=True):
    """What N jobs, and those of groups among them, can have: by the program, and with a processor each, played."""
    rng, gap = np.random.default_rng(10), 0.0
    for P in range(1, 9):
        for N in range(3 * P + 1):
            speeds = random_capacities(rng, P, homogeneous)
            for own in {N, int(rng.integers(0, N + 1))}:
                bound = min(own / P, 1)
                served = played(np.eye(own, P), speeds).sum() / speeds.sum() if own else 0.0
                found = (most_by_program(own, N - own, speeds), served, maximum_obtainable_share(own, speeds))
                gap = max(gap, difference(found, bound))
    return finding("equal" if gap < EXACT else f"up to {gap:.2f} apart", gap < EXACT)


def promises(processors, monotone=True):
    """All promises in tenths to a group with 0, ..., P + 2 jobs, as rows, that meet requirement 2 (in the jobs)."""
    rows = np.indices((11,) * (processors + 3), dtype=np.int8).reshape(processors + 3, -1).T
    return rows[(np.diff(rows, axis=1) >= 0).all(axis=1)] if monotone else rows


def never_falls(share):
    """Requirement 2: not falling in the number of jobs (columns), nor in the required share (rows)."""
    return (np.diff(share, axis=0) >= -EXACT).all() and (np.diff(share, axis=1) >= -EXACT).all()


@check("thesis-2-013", monotone=False)
def promises_fit(monotone=True):
    """Promises in tenths that meet requirements 2 and 3: none above r, so no sum above that of the r.

    In the control a promise may fall when jobs come.
    """
    above, most, found = -10, {}, True
    for P in (1, 2, 3):
        rows = promises(P, monotone)
        for r in range(1, 10):
            meeting = rows[(rows[:, P:] == r).all(axis=1)]  # requirement 3: certainly from P jobs on
            most[P, r] = int(meeting.max())
            above = max(above, most[P, r] - r)
        for capacities in (np.ones(P), np.arange(P, 0, -1)):  # are (2.26) and (2.24) among them?
            r, N = np.meshgrid(np.arange(1, 10) / 10, np.arange(P + 3), indexing="ij")
            for share in (feasible_group_share(r, N, P), maximum_feasible_group_share(r, N, capacities)):
                found &= never_falls(share) and difference(share[:, P:], r[:, P:]) < EXACT
    total = max(
        sum(most[P, r] for r in parts)
        for P in (1, 2, 3)
        for G in (2, 3, 4)
        for parts in itertools.combinations_with_replacement(range(1, 10), G)
        if sum(parts) == 10
    )
    return finding(
        f"largest f - r {above / 10:g}, largest sum {total / 10:g}; (2.26) and (2.24) are "
        f"{'among' if found else 'not among'} them",
        above <= 0 and total <= 10 and found,
    )


@check("thesis-2-014", obtainable=False)
def below_the_maximum(obtainable=True):
    """Promises in tenths that meet the three requirements; the control drops the first."""
    rng, worst, reached = np.random.default_rng(14), -1.0, True
    for P in (1, 2, 3):
        rows = promises(P)
        for homogeneous in (True, False, False, False):
            speeds = random_capacities(rng, P, homogeneous)
            most = np.array([most_by_program(N, 0, speeds) for N in range(P + 3)])
            kept = rows[(rows / 10 <= most + EXACT).all(axis=1)] if obtainable else rows
            for r in range(1, 10):
                meeting = kept[(kept[:, P:] == r).all(axis=1)] / 10
                bars = maximum_feasible_group_share(r / 10, np.arange(P + 3), speeds)
                worst = max(worst, (meeting - bars).max())
                reached &= abs(meeting.max(axis=0) - bars)[P:].max() < EXACT
    return finding(
        f"largest f - fbar {max(worst, 0):.3g}; {'' if reached else 'not '}reached", worst <= EXACT and reached
    )


@check("thesis-2-032", migration=False)
def no_loss(migration=True):
    """The loss of random states, and the least by the linear program; in the control the jobs are on the slowest."""
    least = min(state.capacity_loss for state in random_states(200))
    gap = 0.0
    for capacities, _, jobs in random_systems(40, processors=(2, 4), seed=5):
        count = max(1, sum(jobs))
        placement = None if migration else [len(capacities) - 1] * count
        total = deliver([0.0], [0] * count, capacities, placement=placement).margin
        gap = max(gap, maximum_obtainable_share(count, capacities) - total)
    return finding(f"never below {min(least, 0):.0g}; the least is {max(0.0, gap):.2g}", least > -EXACT and gap < EXACT)


@functools.cache
def served_together(count):
    """Obtained shares of the jobs of a group, in states of each policy, so many of each."""
    rng, states = np.random.default_rng(33), []
    for _ in range(count):
        groups = rng.integers(1, 5)
        jobs, weights, one = rng.integers(1, 7, size=groups), rng.dirichlet(np.ones(groups)), np.eye(groups)[0]
        rng.shuffle(one)
        head = np.eye(jobs[0])[rng.integers(jobs[0])]
        states += [("FCFS", one[0] * head), ("PQ", one[0] * head), ("UD", one[0] * head), ("HOL", head / groups)]
        states += [("PS", np.full(jobs[0], 1 / jobs.sum())), ("GPPS", np.full(jobs[0], weights[0] / jobs[0])),
                   ("PPS", np.full(jobs[0], weights[0] / (weights @ jobs)))]  # fmt: skip
        # Several processors: the jobs of all groups stand anywhere; there PS, or GPPS by the weights of those there.
        speeds, who = random_capacities(rng, rng.integers(2, 5)), np.repeat(np.arange(groups), jobs)
        where = rng.integers(len(speeds), size=len(who))
        there = np.array([[((who == g) & (where == p)).sum() for p in range(len(speeds))] for g in range(groups)])
        parts = weights[:, None] * (there > 0)
        local = speeds / speeds.sum()
        with np.errstate(invalid="ignore", divide="ignore"):
            states += [("PS, P > 1", (local / there.sum(axis=0))[where[who == 0]]),
                       ("GPPS, P > 1", (local * parts[0] / parts.sum(axis=0) / there[0])[where[who == 0]])]  # fmt: skip
    states += [("one job", np.array([share])) for share in rng.uniform(0, 1, count)]
    for state in random_states(count):
        states += [("weights", state.obtained_job_shares[state.group_of_job == g]) for g in np.flatnonzero(state.jobs)]
    return states


@check("thesis-2-033", target="feasible")
def range_of_unfairness(target="obtained"):
    """(2.44) and (2.45) job by job; the control aims at the feasible group share with a required share of a half."""
    low, high, gap = 1.0, 0.0, 0.0
    reached = {}
    for policy, shares_of_jobs in served_together(9000):
        library = shares.job_share_deviation(shares_of_jobs)
        whole = math.fsum(shares_of_jobs) if target == "obtained" else 0.5
        aim = whole / len(shares_of_jobs)
        own = max((aim - share) / aim for share in shares_of_jobs) if math.fsum(shares_of_jobs) else 0.0
        low, high, gap = min(low, own), max(high, own), max(gap, abs(own - library))
        reached[policy] = max(reached.get(policy, 0.0), own)
    return finding(
        f"from {0.0 if abs(low) < 1e-12 else low:.3g} to {high:.3g}; at most {reached['FCFS']:.3g} under FCFS, "
        f"{abs(round(reached['PS'], 9)):g} under PS; the library's "
        + ("equal" if gap < 1e-12 else f"up to {gap:.2g} apart"),
        low >= -1e-12 and high <= 1 + 1e-12 and gap < 1e-12 and reached["FCFS"] == 1 and reached["PS"] < 1e-12,
    )


@check("thesis-2-034", policies=("PS",))
def letter_of_the_target(policies=("FCFS", "PQ", "PS")):
    """A target for each job j, which could only be its own share, or one for the group (2.44): is it as the text says?

    0 with no job in service, 1 with one of several served alone, 0 where all are served alike.
    """
    gaps = np.zeros(2)
    for jobs, policy in itertools.product(range(1, 7), policies):
        for served in (False, True):
            obtained = np.full(jobs, served / jobs) if policy == "PS" else served * np.eye(jobs)[0]
            said = float(served and policy != "PS" and jobs > 1)
            each = max((share - share) / share if share else 0.0 for share in obtained)
            gaps = np.maximum(gaps, [abs(each - said), abs(shares.job_share_deviation(obtained) - said)])
    return erratum(f"off by up to {gaps[0]:g} with a target for each job, {gaps[1]:g} with the group's",
                   gaps[0] < 1e-12, gaps[1] < 1e-12)  # fmt: skip
