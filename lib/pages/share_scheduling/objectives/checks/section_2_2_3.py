"""Claims of `thesis`, Section 2.2.3: what obtained shares sum up to."""

import numpy as np

from clustershare.delivery import deliver
from clustershare.execution import execute
from clustershare.shares import State, maximum_obtainable_share
from clustershare.uniprocessor import POLICIES
from clustershare.workload import Workload, replay_processor
from compendium.press.clauses import cases, conclude, everywhere, grid
from compendium.press.clauses.conditions import at_least, at_most, equal
from compendium.press.findings import check, difference, relative_difference
from pages.share_scheduling.objectives.printed import under_both
from pages.share_scheduling.objectives.systems import (
    EXACT,
    SYSTEM,
    drawn,
    random_arrivals,
    random_capacities,
    random_states,
    random_traces,
    systems,
)  # fmt: skip
from pages.share_scheduling.objectives.witnesses.delivery import most_by_program, played


@check("thesis-2-036", capacities=(1, 1, 1))
def most_in_example(capacities=SYSTEM):
    """What the two jobs could obtain at most: `thesis`, Figure 2.5."""
    most = under_both(
        "the jobs can obtain", lambda trace: trace.maximum_obtainable_total_shares, (0.75, 0.5), capacities=capacities
    )
    return conclude(*most, whole=True)


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
        rates, state = weights @ speeds, State(speeds, (1,), [0] * jobs, weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            until = np.where(rates > 0, rest / rates, np.inf)
        step = min(until.min(), (begin[begin > now] - now).min(initial=np.inf), rng.exponential())
        rest = np.where(until <= step, 0.0, rest - step * rates)
        total, now = total + step * state.obtained_job_shares, now + step
    return total, work / speeds.sum()


def lindley(policy, begin, work, speeds, place):
    """When jobs leave: each under FCFS, and under PS the last of each processor, whose work is the same."""
    leave, free = np.zeros(len(work)), np.zeros(len(speeds))
    for j in np.argsort(begin):
        leave[j] = free[place[j]] = max(begin[j], free[place[j]]) + work[j] / speeds[place[j]]
    return leave if policy == "FCFS" else free[np.unique(place)]


@check("thesis-2-007", lost=True)
def integral_of_the_share(lost=False):
    """FCFS, PS, priority with preemption, and weights that change: 200 traces; and the library's replays."""

    def of_a_trace(policy, begin, work, speeds, place):
        trace = execute(policy, begin, work, speeds, place)
        leave = trace.departures
        if policy == "PS":
            leave = [leave[np.equal(place, p)].max() for p in np.unique(place)]
        return {
            "integral": relative_difference(np.diff(trace.times) @ trace.obtained_shares, work / speeds.sum()),
            "departures": difference(leave, lindley(policy, begin, work, speeds, place)),
        }

    def of_a_replay(policy, seed):
        """What each job, a group of its own, obtains in all in the library's replay, beside its work over speed."""
        rng = np.random.default_rng([7, seed])
        jobs, speed = int(rng.integers(2, 10)), rng.uniform(0.3, 3)
        log = Workload(np.sort(rng.uniform(0, 4, jobs)), rng.exponential(size=jobs) + 0.1, groups=range(jobs))
        found = replay_processor(log, policy, rng.dirichlet(np.full(jobs, 3.0)), speed)
        return relative_difference(found.obtained_share * found.span, log.sizes / speed)

    traces = cases("trace", random_arrivals(100, 7, processors=5, jobs=12), seed=7).measure(of_a_trace)
    served = {
        "FCFS and PS": traces["integral"],
        "priorities and changing weights": drawn("trace", 100, 7).measure(
            lambda rng, _: relative_difference(*served_at_random(rng, lost))
        ),
        "the policies for one processor, replayed,": grid(policy=POLICIES, seed=range(20)).measure(of_a_replay),
    }
    return conclude(
        *(everywhere(f"by {way} the integrals of shares and the work over the capacity", gap, equal(EXACT))
          for way, gap in served.items()),
        everywhere("the departures and those of Lindley's recursion", traces["departures"], equal(EXACT)),
        whole=True,
    )  # fmt: skip


def by_program(own, others, speeds, parallel):
    """How far the most that some jobs can have is from the sum over the fastest processors, and from the library's."""
    found = most_by_program(own, others, speeds, parallel)
    bound = speeds[: min(own, len(speeds))].sum() / speeds.sum()
    return max(abs(found - bound), abs(found - maximum_obtainable_share(own, speeds)))


@check("thesis-2-008", parallel=True)
def one_job(parallel=False):
    def gap(rng, _):
        speeds = random_capacities(rng, rng.integers(1, 7))
        return by_program(1, rng.integers(0, 8), speeds, parallel)

    def ends(capacities, shares):
        return {"least": min(shares), "above": max(shares) - capacities[0] / sum(capacities)}

    served = [(trace.capacities, trace.obtained_shares.ravel()) for trace in random_traces(200, 8)]
    served += [(each.capacities, each.obtained_job_shares) for each in random_states(100, 8) if each.group_of_job.size]
    shares_of = cases("case", served, seed=8).measure(ends)
    return conclude(
        everywhere("the most for one job by the program and c_1/c", drawn("system", 100, 8).measure(gap), equal(EXACT)),
        everywhere("the least share", shares_of["least"], at_least(0)),
        everywhere("the largest share less c_1/c", shares_of["above"], at_most(EXACT)),
        whole=True,
    )


def above_the_bound(job_shares, capacities):
    """By how much the shares of some jobs, the largest of each number of them, exceed what they can have."""
    sums = np.sort(job_shares, axis=-1)[..., ::-1].cumsum(axis=-1)
    return (sums - maximum_obtainable_share(np.arange(1, sums.shape[-1] + 1), capacities)).max(initial=-1)


def served_at_most(rng, number):
    """How far jobs that the library serves as well as can be are from the bound, each alone and as one group."""
    speeds, jobs = random_capacities(rng, rng.integers(1, 7), number % 4 == 0), int(rng.integers(1, 10))
    state = State(speeds, (1,), [0] * jobs, deliver([0.0], [0] * jobs, speeds).weights)
    found = state.obtained_job_shares.sum(), state.obtained_group_shares[0]
    return difference(found, maximum_obtainable_share(jobs, speeds))


def refused(rng, _):
    """Whether a state is refused in which a job is on the two fastest processors all the time."""
    speeds = random_capacities(rng, rng.integers(2, 7))
    try:
        State(speeds, (1,), [0], [[1, 1] + [0] * (len(speeds) - 2)])
    except ValueError:
        return True
    return False


@check("thesis-2-009", parallel=True)
def some_jobs(parallel=False):
    """Of subsets of the jobs, while the others are present; and all groups in random states and traces."""

    def gap(rng, trial):
        P = rng.integers(1, 7)
        speeds, own, others = random_capacities(rng, P, trial % 4 == 0), rng.integers(0, 10), rng.integers(0, 4)
        return by_program(own, others, speeds, parallel)

    def in_a_state(state):
        groups = state.obtained_group_shares - maximum_obtainable_share(state.jobs, state.capacities)
        return max(groups.max(), above_the_bound(state.obtained_job_shares, state.capacities))

    random = random_states(200, 3, systems(200, 3, alike=4).cases)
    states = cases("state", random, seed=3).measure(in_a_state)
    traces = cases("trace", random_traces(200, 9), seed=9).measure(
        lambda trace: above_the_bound(trace.obtained_shares, trace.capacities)
    )
    return conclude(
        everywhere("the most by the program and the bound", drawn("system", 200, 9).measure(gap), equal(EXACT)),
        *(everywhere("what jobs or groups have together, less the bound,", found, at_most(EXACT))
          for found in (states, traces)),
        everywhere("what jobs and their group have that are served as well as can be, and the bound,",
                   drawn("system", 200, 10).measure(served_at_most), equal(EXACT)),
        everywhere("a job on two processors is refused", drawn("system", 20, 11).measure(refused)),
        whole=True,
    )  # fmt: skip


@check("thesis-2-010", homogeneous=False)
def homogeneous_bounds(homogeneous=True):
    """What N jobs, and those of groups among them, can have: by the program, and with a processor each, played."""
    rng = np.random.default_rng(10)

    def gap(P, N):
        speeds, found = random_capacities(rng, P, homogeneous), []
        for own in {N, int(rng.integers(0, N + 1))}:
            served = played(np.eye(own, P), speeds).sum() / speeds.sum() if own else 0.0
            ways = (most_by_program(own, N - own, speeds), served, maximum_obtainable_share(own, speeds))
            found.append(difference(ways, min(own / P, 1)))
        if N:
            left = execute("FCFS", [0.0] * N, np.arange(1.0, N + 1), speeds).maximum_obtainable_total_shares
            found.append(difference(left, np.minimum(np.arange(N, 0, -1) / P, 1)))
        return max(found)

    numbers = cases("pair of P and N", [(P, N) for P in range(1, 9) for N in range(3 * P + 1)], seed=10)
    return conclude(
        everywhere("by the program, played, by the library, and in its traces, the most and min(N/P, 1)",
                   numbers.measure(gap), equal(EXACT))
    )  # fmt: skip
