"""Claims of `thesis`, Chapter 2: what shares are, and which of them can be delivered."""

import itertools
import math

import numpy as np

from clustershare import shares, uniprocessor
from clustershare.delivery import deliver
from clustershare.execution import execute
from clustershare.shares import State, feasible_group_share, maximum_feasible_group_share, maximum_obtainable_share
from compendium.press.claims import check, difference, erratum, finding, listed
from pages.share_scheduling.objectives.systems import EXACT, SYSTEM, random_states, random_systems


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


@check("thesis-2-005", capacities=(1, 1, 1))
def loss_in_example(capacities=SYSTEM):
    losses = []
    for policy in ("FCFS", "PS"):
        trace = example(policy, capacities)
        losses.append(trace.maximum_obtainable_total_shares - trace.obtained_shares.sum(axis=1))
    return finding(
        f"FCFS {listed(losses[0])}, PS {listed(losses[1])}", all(difference(loss, [0.25, 0]) < EXACT for loss in losses)
    )


@check("thesis-2-006", capacities=(1,))
def symbol_of_the_share(capacities=SYSTEM):
    """The letter on the left of (2.4), tried in the example; on one processor of capacity 1 it makes no difference."""
    trace, total = example("FCFS", capacities), sum(capacities)
    rate, share = trace.rates[-1, 1], trace.obtained_shares[-1, 1]
    return erratum(f"sigma = {rate:g}, sigma / c = {rate / total:g}, share {share:g}", rate == rate / total,
                   share == rate / total)  # fmt: skip


@check("thesis-2-007", scale=0.5)
def integral_of_the_share(scale=1.0):
    """Random arrivals and work, on the processors where they stand."""
    rng, gap = np.random.default_rng(7), 0.0
    for capacities, _, _ in random_systems(20, seed=7):
        work, placement = rng.exponential(size=6) + 0.1, rng.integers(len(capacities), size=6).tolist()
        for policy in ("FCFS", "PS"):
            trace = execute(policy, rng.uniform(0, 4, 6).tolist(), work.tolist(), capacities, placement)
            integral = np.diff(trace.times) @ trace.obtained_shares
            gap = max(gap, difference(scale * integral, work / sum(capacities)))
    return finding("largest difference below 1e-9" if gap < EXACT else f"largest difference {gap:.2f}", gap < EXACT)


def most_by_program(jobs, capacities):
    """What so many jobs can obtain at most, by the linear program."""
    return deliver([0.0], [0] * jobs, capacities).margin


@check("thesis-2-008", fastest=1)
def one_job(fastest=0):
    gap = 0.0
    for capacities, _, _ in random_systems(30, processors=(2, 5)):
        gap = max(gap, difference(most_by_program(1, capacities), capacities[fastest] / sum(capacities)))
    return finding("the program gives c_1/c" if gap < EXACT else f"the program is {gap:.2f} away", gap < EXACT)


@check("thesis-2-009", order=1)
def some_jobs(order=-1):
    """In the control the slowest processors come first."""
    gap = 0.0
    for capacities, _, _ in random_systems(10, processors=(2, 5)):
        for jobs in range(1, 7):
            bound = sum(sorted(capacities)[::order][: min(jobs, len(capacities))]) / sum(capacities)
            gap = max(gap, difference(most_by_program(jobs, capacities), bound))
    inside = all(
        (state.obtained_group_shares <= maximum_obtainable_share(state.jobs, state.capacities) + EXACT).all()
        and state.capacity_loss >= -EXACT
        for state in random_states(200)
    )
    return finding(
        "the program gives the bound; 200 random states keep to it" if gap < EXACT else f"{gap:.2f} off",
        gap < EXACT and inside,
    )


@check("thesis-2-010", homogeneous=False)
def homogeneous_bounds(homogeneous=True):
    gap = 0.0
    for capacities, _, jobs in random_systems(50, processors=(2, 6), homogeneous=homogeneous):
        bound = np.minimum(np.array(jobs) / len(capacities), 1)
        gap = max(gap, difference(maximum_obtainable_share(jobs, capacities), bound))
    return finding("equal" if gap < EXACT else f"up to {gap:.2f} apart", gap < EXACT)


@check("thesis-2-013", most=True)
def promises_fit(most=False):
    """In the control a group is promised all that it can obtain."""
    worst = total = 0.0
    for capacities, required, jobs in random_systems(200):
        share = (
            maximum_obtainable_share(jobs, capacities)
            if most
            else feasible_group_share(required, jobs, len(capacities))
        )
        worst, total = max(worst, (share - required).max()), max(total, share.sum())
    return finding(f"largest f - r {worst:.3g}, largest sum {total:.6g}", worst <= 0 and total <= 1 + EXACT)


@check("thesis-2-014", lost=1)
def below_the_maximum(lost=0):
    """In the control the number of jobs is divided by one processor less."""
    worst = -1.0
    for capacities, required, jobs in random_systems(200, processors=(2, 5)):
        share = feasible_group_share(required, jobs, len(capacities) - lost)
        worst = max(worst, (share - maximum_feasible_group_share(required, jobs, capacities)).max())
    return finding(f"largest f - fbar {worst:.3g}", worst <= EXACT)


@check("thesis-2-031", inside=True)
def expected_deviation(inside=False):
    """(2.38) averaged over the law of PS, against the closed formula of Chapter 3; in the control the maximum over
    the groups is taken before the mean.
    """
    required, loads = (0.3, 0.7), (0.4, 0.3)
    exact = uniprocessor.exact("PS", required, loads).group_share_deviation.max()
    mean = np.zeros(2)
    for a, b in itertools.product(range(50), repeat=2):
        if 0 < a + b < 50:
            state = State([1.0], required, [0] * a + [1] * b, np.full((a + b, 1), 1 / (a + b)))
            deviation = state.group_share_deviations
            law = (1 - sum(loads)) * math.comb(a + b, a) * loads[0] ** a * loads[1] ** b
            mean += law * (deviation.max() if inside else deviation)
    return finding(f"{mean.max():.6f}, formula {exact:.6f}", abs(mean.max() - exact) < 1e-6)


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


@check("thesis-2-033", denominator="obtained")
def range_of_unfairness(denominator="feasible"):
    """Job-share deviations of random states; the control divides by what the job obtains."""
    low, high = 1.0, 0.0
    for state in random_states(300):
        for g, deviation in enumerate(state.job_share_deviations):
            own = state.obtained_job_shares[state.group_of_job == g]
            if denominator == "obtained" and own.any():
                deviation = (own.mean() - own.min()) / max(own.min(), 1e-3)
            low, high = min(low, deviation), max(high, deviation)
    return finding(f"from {low:.3g} to {high:.3g}", low >= 0 and high <= 1 + EXACT)


@check("thesis-2-034", obtained=(0.2, 0.2))
def letter_of_the_target(obtained=(0.1, 0.3)):
    """A target for each job j, which could only be its own share, or one for the group (2.44)."""
    own = max((share - share) / share for share in obtained)
    group = shares.job_share_deviation(obtained)
    least = 1 - min(obtained) / np.mean(obtained)
    return erratum(f"shares {listed(obtained)}: deviation {own:g} with the job's own, {group:g} with the group's",
                   abs(own - least) < EXACT, abs(group - least) < EXACT)  # fmt: skip
