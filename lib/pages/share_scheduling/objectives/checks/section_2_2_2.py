"""Claims of `thesis`, Section 2.2.2: what obtained shares are."""

import numpy as np

from clustershare.execution import execute
from clustershare.workload import Workload, replay_dispatch, replay_processor
from compendium.press.clauses import cases, conclude, everywhere, grid, mended
from compendium.press.clauses.conditions import at_most, equal
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives.printed import in_the_text, stepwise, under_both
from pages.share_scheduling.objectives.systems import (
    EXACT,
    SYSTEM,
    drawn,
    example,
    random_capacities,
    random_states,
    random_traces,
)  # fmt: skip
from pages.share_scheduling.one_processor.witnesses.paths import intervals

POLICIES = ("FCFS", "HOL", "UD", "PQ", "PS", "PPS", "GPPS")


@check("thesis-2-001", policy="PS")
def fcfs_example(policy="FCFS"):
    trace = example(policy)
    begin = trace.times[:-1][trace.rates[:, 1] > 0][0]
    slope = (np.diff(trace.remaining_work[:, 1]) / np.diff(trace.times))[-1]
    found = (begin, trace.departures[1], slope, trace.rates[-1, 1], trace.obtained_shares[-1, 1])
    said = "start, departure, slope of the remaining work, rate and share of job 2 are"
    return conclude(in_the_text(said, found, (1, 3, -2, 2, 0.5), 0))


@check("thesis-2-002", policy="FCFS")
def ps_example(policy="PS"):
    trace = example(policy)
    found = (*trace.rates[:, 1], trace.departures[1])
    return conclude(
        stepwise("the share of job 2 is", trace.obtained_shares[:, 1], trace.times, (0.25, 0.5), (0, 2, 3)),
        in_the_text("the rates and the departure of job 2 are", found, (1, 2, 3), 0),
    )


@check("thesis-2-003", capacities=(2, 2, 2))
def total_in_example(capacities=SYSTEM):
    totals = under_both(
        "the total share is", lambda trace: trace.obtained_shares.sum(axis=1), (0.5, 0.5), capacities=capacities
    )
    return conclude(*totals, whole=True)


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

    def of_states(state):
        known = state.weights @ state.capacities / state.capacities.sum()
        return np.abs(state.obtained_job_shares - known).max(initial=0.0)

    found = drawn("trace", 52, 6).measure(off)
    states = cases("state", random_states(52, 6), seed=6).measure(of_states)
    return mended(*(
        everywhere(f"as a {reading}, what (2.4) defines and what (2.8), (2.9) and the example need", gap, equal(EXACT))
        for reading, gap in found.items()
    ), everywhere("in states shares and rates over the capacity", states, equal(EXACT)))  # fmt: skip


def jumps_and_bends(policy, seed):
    """By how much remaining work jumps at events, and lies off the line between them, over one trace.

    What is left of each job is noted at all events, and at one instant between two of them what its own record of
    services says: the work that it brought less what it has received. The third number is by how much jobs end at other
    times if the library replays those that came.
    """
    rng = np.random.default_rng(seed)
    shares, loads = rng.dirichlet([3, 3]), rng.dirichlet([3, 3]) * rng.uniform(0.3, 0.95)
    jump = bend = 0.0
    expected = {}
    for interval in intervals(policy, shares, loads, events=60, seed=seed):
        for job in interval.jobs:
            rate = interval.rates.get(job, 0.0)
            jump = max(jump, abs(job.left - expected.get(job, job.size)))
            after = job.left - rate * interval.length
            part = rng.random()
            middle = job.size - job.received - rate * part * interval.length
            bend = max(bend, abs(middle - (job.left + part * (after - job.left))))
            expected[job] = after
    if policy not in POLICIES:
        return jump, bend, 0.0
    seen = Workload([job.arrival for job in expected], [job.size for job in expected], [job.group for job in expected])
    took = replay_processor(seen, policy, shares).response
    known = np.array([job.departure - job.arrival for job in expected])  # nan of those that are still there
    return jump, bend, np.nanmax(np.abs(took - known))


def received(policy, local, migration, seed, jobs=8):
    """By how much what jobs receive in all, by the library's replay on several processors, is not what they brought.

    Each job is a group of its own, so that it has the shares of that group.
    """
    rng, processors = np.random.default_rng(seed), 2 + seed % 3
    sizes, shares = rng.exponential(size=jobs) + 0.1, (rng.multinomial(20 - jobs, [1 / jobs] * jobs) + 1) / 20
    log = Workload(np.sort(rng.uniform(0, 3, jobs)), sizes, groups=range(jobs))
    found = replay_dispatch(log, policy, local=local, migration=migration, required_shares=shares,
                            processors=processors, seed=seed)  # fmt: skip
    return difference(found.obtained_share * found.span * processors, sizes)


@check("thesis-2-040", lossy=True)
def piecewise_linear(lossy=False):
    """All policies on one processor, job by job, and on several FCFS and PS; the control forgets what was done.

    Of the policies of Chapter 5 the work that each job receives in all.
    """

    def of_a_policy(policy, seed):
        return dict(zip(("jump", "bend", "replayed"), jumps_and_bends(policy, seed)))

    def of_a_trace(trace):
        work = trace.remaining_work
        rng = np.random.default_rng(len(work))
        spent = np.diff(trace.times)
        part = rng.random(len(spent))
        done = np.cumsum(trace.rates * spent[:, None], axis=0) - trace.rates * ((1 - part) * spent)[:, None]
        line = work[:-1] + part[:, None] * np.diff(work, axis=0)
        ends = max(np.abs(work[0] - trace.work).max(), np.abs(work[-1]).max())
        return {"jump": ends, "bend": np.abs(trace.work - done - line).max()}

    alone = grid(policy=("PQ from the start",) if lossy else POLICIES, seed=range(50)).measure(of_a_policy)
    several = cases("trace", random_traces(100, 40, processors=5), seed=40).measure(of_a_trace)
    placed = grid(policy=("JSQ", "HP", "SVP", "DVP"), local=("PS", "GPPS"), migration=(False, True), seed=range(20))
    return conclude(
        *(everywhere(f"{where} the largest jump of remaining work at an event", found["jump"], at_most(EXACT))
          for where, found in (("on one processor", alone), ("on several", several))),
        *(everywhere(f"{where} the largest distance between events from a line", found["bend"], at_most(EXACT))
          for where, found in (("on one processor", alone), ("on several", several))),
        everywhere("replayed and on its path a job stays for times that", alone["replayed"], equal(EXACT)),
        everywhere("placed by a policy of Chapter 5, what a job receives and its size",
                   placed.measure(received), equal(EXACT)),
        whole=True,
    )  # fmt: skip
