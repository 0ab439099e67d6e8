"""Claims of `thesis`, Chapter 2: what shares are, and which of them can be delivered."""

import functools
import itertools
import math

import numpy as np

from clustershare import shares
from clustershare.delivery import deliver
from clustershare.execution import execute
from clustershare.shares import State, feasible_group_share, maximum_feasible_group_share, maximum_obtainable_share
from compendium.press.clauses import cases, conclude, everywhere, exact, grid, mended
from compendium.press.clauses.conditions import at_least, at_most, between, equal
from compendium.press.findings import check, difference, relative_difference
from pages.share_scheduling.objectives.printed import in_the_text, stepwise, under_both
from pages.share_scheduling.objectives.systems import (
    EXACT,
    SYSTEM,
    drawn,
    example,
    random_capacities,
    random_states,
    random_systems,
    random_traces,
)  # fmt: skip
from pages.share_scheduling.objectives.witnesses.delivery import most_by_program, played


@check("thesis-2-001", policy="PS")
def fcfs_example(policy="FCFS"):
    trace = example(policy)
    begin = trace.times[:-1][trace.rates[:, 1] > 0][0]
    found = (begin, trace.departures[1], -trace.rates[-1, 1], trace.obtained_shares[-1, 1])
    return conclude(
        in_the_text("start, departure, slope of the remaining work and share of job 2 are", found, (1, 3, -2, 0.5), 0)
    )


@check("thesis-2-002", policy="FCFS")
def ps_example(policy="PS"):
    trace = example(policy)
    return conclude(stepwise("the share of job 2 is", trace.obtained_shares[:, 1], trace.times, (0.25, 0.5), (0, 2, 3)))


@check("thesis-2-003", capacities=(2, 2, 2))
def total_in_example(capacities=SYSTEM):
    totals = under_both(
        "the total share is", lambda trace: trace.obtained_shares.sum(axis=1), (0.5, 0.5), capacities=capacities
    )
    return conclude(*totals, whole=True)


@check("thesis-2-036", capacities=(1, 1, 1))
def most_in_example(capacities=SYSTEM):
    """What the two jobs could obtain at most: `thesis`, Figure 2.5."""
    most = under_both(
        "the jobs can obtain", lambda trace: trace.maximum_obtainable_total_shares, (0.75, 0.5), capacities=capacities
    )
    return conclude(*most, whole=True)


@check("thesis-2-005", placement=(0, 1))
def loss_in_example(placement=(0, 0)):
    """The source prints no numbers: they follow from its Figure 2.5. The control puts job 1 on processor 2."""

    def lost(trace):
        return trace.maximum_obtainable_total_shares - trace.obtained_shares.sum(axis=1)

    return conclude(*under_both("the loss is", lost, (0.25, 0), placement=placement), ours=True)


@check("thesis-2-006", capacities=(1,))
def symbol_of_the_share(capacities=None):
    """What (2.4) defines, read as the service rate (printed) and as the obtained share, where the text uses it.

    The rates are the slopes of the work in the trace. On one processor of capacity 1 both readings are one.
    """

    def off(rng, trial):
        P = rng.integers(1, 6)
        speeds = capacities or (SYSTEM if trial < 2 else random_capacities(rng, P).tolist())
        jobs = 2 if trial < 2 else rng.integers(1, 7)
        work = [2, 4] if trial < 2 else rng.exponential(size=jobs) + 0.1
        begin = [0, 0] if trial < 2 else rng.uniform(0, 2, jobs)
        place = None if trial < 2 else rng.integers(len(speeds), size=jobs).tolist()
        trace = execute(("FCFS", "PS")[trial % 2], begin, work, speeds, place)
        spent, whole = np.diff(trace.times), speeds[0] / sum(speeds)

        def gap(read):
            found = [difference(spent @ read, np.array(work) / sum(speeds)), (read - whole).max()]  # (2.8), (2.9)
            if trial < 2:  # the second job is served at last alone, and under PS with another before
                found += [abs(read[-1, 1] - whole), abs(read[0, 1] - (whole / 2 if trial else 0))]
            return max(found)

        return {"rate": gap(-np.diff(trace.remaining_work, axis=0) / spent[:, None]),
                "share": gap(trace.obtained_shares)}  # fmt: skip

    found = drawn("trace", 52, 6).measure(off)
    return mended(*(
        everywhere(f"as a {reading}, what (2.4) defines and what (2.8), (2.9) and the example need", gap, equal(EXACT))
        for reading, gap in found.items()
    ))  # fmt: skip


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

    def integral(trace):
        return relative_difference(np.diff(trace.times) @ trace.obtained_shares, trace.work / trace.capacities.sum())

    served = {
        "FCFS and PS": cases("trace", random_traces(100, 7, processors=5), seed=7).measure(integral),
        "priorities and changing weights": drawn("trace", 100, 7).measure(
            lambda rng, _: relative_difference(*served_at_random(rng, lost))
        ),
    }
    return conclude(
        *(everywhere(f"by {way} the integrals of shares and the work over the capacity", gap, equal(EXACT))
          for way, gap in served.items()),
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

    def ends(trace):
        most = trace.capacities[0] / trace.capacities.sum()
        return {"least": trace.obtained_shares.min(), "above": trace.obtained_shares.max() - most}

    shares_of = cases("trace", random_traces(200, 8), seed=8).measure(ends)
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

    states = cases("state", random_states(200), seed=3).measure(in_a_state)
    traces = cases("trace", random_traces(200, 9), seed=9).measure(
        lambda trace: above_the_bound(trace.obtained_shares, trace.capacities)
    )
    return conclude(
        everywhere("the most by the program and the bound", drawn("system", 200, 9).measure(gap), equal(EXACT)),
        *(everywhere("what jobs or groups have together, less the bound,", found, at_most(EXACT))
          for found in (states, traces)),
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
        return max(found)

    numbers = cases("pair of P and N", [(P, N) for P in range(1, 9) for N in range(3 * P + 1)], seed=10)
    return conclude(
        everywhere("by the program, played, and by the library the most and min(N/P, 1)", numbers.measure(gap),
                   equal(EXACT))
    )  # fmt: skip


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
    rows = {P: promises(P, monotone) for P in (1, 2, 3)}

    def above(P, r):
        meeting = rows[P][(rows[P][:, P:] == r).all(axis=1)]  # requirement 3: certainly from P jobs on
        return int(meeting.max()) - r

    def meets(P, alike):
        capacities = np.ones(P) if alike else np.arange(P, 0, -1)
        r, N = np.meshgrid(np.arange(1, 10) / 10, np.arange(P + 3), indexing="ij")
        return all(
            never_falls(share) and difference(share[:, P:], r[:, P:]) < EXACT
            for share in (feasible_group_share(r, N, P), maximum_feasible_group_share(r, N, capacities))
        )

    over = grid(processors=(1, 2, 3), tenths=range(1, 10)).measure(above)
    divided = [parts for G in (2, 3, 4) for parts in itertools.combinations_with_replacement(range(1, 10), G)
               if sum(parts) == 10]  # fmt: skip
    sums = [over.value[:, np.subtract(parts, 1)].sum(axis=1).max() for parts in divided]
    return conclude(
        everywhere("the largest promise less what is required, in tenths,", over, at_most(0)),
        everywhere("the largest sum of promises less 1, in tenths,", exact(sums, division=None), at_most(0)),
        everywhere("(2.26) and (2.24) meet both requirements", grid(processors=(1, 2, 3), alike=(1, 0)).measure(meets)),
        whole=True,
    )


@check("thesis-2-014", obtainable=False)
def below_the_maximum(obtainable=True):
    """Promises in tenths that meet the three requirements; the control drops the first."""
    rows = {P: promises(P) for P in (1, 2, 3)}
    rng = np.random.default_rng(14)

    def compared(P, system):
        speeds, jobs = random_capacities(rng, P, system == 1), np.arange(P + 3)
        most = np.array([most_by_program(N, 0, speeds) for N in jobs])
        kept = rows[P][(rows[P] / 10 <= most + EXACT).all(axis=1)] if obtainable else rows[P]
        above, gap = [], []
        for r in range(1, 10):
            meeting = kept[(kept[:, P:] == r).all(axis=1)] / 10
            bars = maximum_feasible_group_share(r / 10, jobs, speeds)
            above.append((meeting - bars).max())
            gap.append(difference(meeting.max(axis=0)[P:], bars[P:]))
        return {"above": max(above), "gap": max(gap)}

    found = grid(processors=(1, 2, 3), system=(1, 2, 3, 4)).measure(compared)
    return conclude(
        everywhere("a promise less the maximum (2.24)", found["above"], at_most(EXACT)),
        everywhere("with as many jobs as processors the largest promise and the maximum", found["gap"], equal(EXACT)),
        whole=True,
    )


@check("thesis-2-032", migration=False)
def no_loss(migration=True):
    """The loss of random states, and the least by the linear program; in the control the jobs are on the slowest."""

    def least(capacities, _, jobs):
        count = max(1, sum(jobs))
        placement = None if migration else [len(capacities) - 1] * count
        total = deliver([0.0], [0] * count, capacities, placement=placement).margin
        return maximum_obtainable_share(count, capacities) - total

    losses = cases("state", random_states(200), seed=3).measure(lambda state: state.capacity_loss)
    systems = cases("system", random_systems(40, processors=(2, 4), seed=5), seed=5)
    return conclude(
        everywhere("the capacity loss", losses, at_least(-EXACT)),
        everywhere("the least loss by the program", systems.measure(least), at_most(EXACT)),
        whole=True,
    )


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

    def deviation(shares_of_jobs):
        whole = math.fsum(shares_of_jobs) if target == "obtained" else 0.5
        aim = whole / len(shares_of_jobs)
        return max((aim - share) / aim for share in shares_of_jobs) if math.fsum(shares_of_jobs) else 0.0

    policies, states = zip(*served_together(9000))
    found = np.array([deviation(state) for state in states])
    library = np.array([shares.job_share_deviation(state) for state in states])
    fcfs, ps = (found[np.array(policies) == policy].max() for policy in ("FCFS", "PS"))
    return conclude(
        everywhere("the job-share deviation", exact(found, state=None), between(0, 1)),
        in_the_text("the largest under FCFS and under PS are", (fcfs, ps), (1, 0)),
        everywhere("job by job and by the library they", exact(found - library, state=None), equal(1e-12)),
        whole=True,
    )


@check("thesis-2-034", policies=("PS",))
def letter_of_the_target(policies=("FCFS", "PQ", "PS")):
    """A target for each job j, which could only be its own share, or one for the group (2.44): is it as the text says?

    0 with no job in service, 1 with one of several served alone, 0 where all are served alike.
    """

    def gaps(jobs, policy, served):
        obtained = np.full(jobs, served / jobs) if policy == "PS" else served * np.eye(jobs)[0]
        said = float(served and policy != "PS" and jobs > 1)
        each = max((share - share) / share if share else 0.0 for share in obtained)
        return {"a target for each job": each - said, "the group's": shares.job_share_deviation(obtained) - said}

    found = cases("state", itertools.product(range(1, 7), policies, (False, True))).measure(gaps)
    return mended(*(everywhere(f"with {target} the deviation and what the text says of it", gap, equal(1e-12))
                    for target, gap in found.items()))  # fmt: skip
