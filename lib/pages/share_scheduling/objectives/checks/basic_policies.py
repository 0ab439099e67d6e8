"""Claims of `thesis`, Sections 2.2.2 and 2.3: work as a function of time, and what JPPS and MJPPS can do."""

import numpy as np

from clustershare.delivery import deliver
from clustershare.fair_queueing import processor_sharing
from clustershare.proportional import stride
from clustershare.shares import State, maximum_obtainable_share
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.objectives.complications import members
from pages.share_scheduling.objectives.systems import EXACT, random_capacities, random_jobs, random_traces
from pages.share_scheduling.objectives.witnesses.delivery import played
from pages.share_scheduling.one_processor.witnesses.paths import intervals

POLICIES = ("FCFS", "HOL", "UD", "PQ", "PS", "PPS", "GPPS")


def jumps_and_bends(policy, seed):
    """By how much remaining work jumps at events, and lies off the line between them, over one trace.

    What is left of each job is noted at all events, and at one instant between two of them what its own record of
    services says: the work that it brought less what it has received.
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
    return jump, bend


@check("thesis-2-040", lossy=True)
def piecewise_linear(lossy=False):
    """All policies on one processor, job by job, and FCFS and PS on several; the control forgets what was done."""
    off = np.zeros(2)
    for policy in ("PQ from the start",) if lossy else POLICIES:
        for seed in range(50):
            off = np.maximum(off, jumps_and_bends(policy, seed))
    for trace in random_traces(100, 40, processors=5):
        work = trace.remaining_work
        rng = np.random.default_rng(len(work))
        spent = np.diff(trace.times)
        part = rng.random(len(spent))
        middle = (
            trace.work - np.cumsum(trace.rates * spent[:, None], axis=0) + trace.rates * ((1 - part) * spent)[:, None]
        )
        line = work[:-1] + part[:, None] * np.diff(work, axis=0)
        off[1] = max(off[1], np.abs(middle - line).max())
        off[0] = max(off[0], np.abs(work[0] - trace.work).max(), np.abs(work[-1]).max())
    return finding(
        f"{'no jump' if off[0] <= EXACT else f'jumps of up to {off[0]:.1f}'} at events, and "
        f"{'on the line' if off[1] <= EXACT else f'up to {off[1]:.1f} off the line'} between them",
        off.max() <= EXACT,
    )


@check("thesis-2-041", weighted=False)
def any_share(weighted=True):
    """Shares by weights: in a state, in traces by the fluid, by quanta, and one wanted share for one job.

    The control takes equal weights, as PS does, and GPPS among the jobs of a group.
    """
    rng, ratio, single, quanta = np.random.default_rng(41), {}, {}, 0.0
    for count in range(1, 9):
        for _ in range(20):
            wanted = 10 ** rng.uniform(-3, 3, count)
            given = wanted if weighted else np.ones(count)
            state = State([1.0], (1.0,), [0] * count, (given / given.sum())[:, None])
            obtained = state.obtained_job_shares
            gap = np.abs(obtained / obtained[0] / (wanted / wanted[0]) - 1).max()
            begin, sizes = np.sort(rng.uniform(0, 1, count)), rng.exponential(size=count) + 0.1
            _, ends, times, service = processor_sharing(begin, sizes, range(count), given)
            rates = np.diff(service, axis=0) / np.maximum(np.diff(times), 1e-300)[:, None]
            for start, end, row in zip(times, times[1:], rates):
                here = (begin <= start) & (ends > start)
                if here.any() and end - start > 1e-6:
                    gap = max(gap, np.abs(row[here] / wanted[here] * wanted[here].sum() - 1).max())
            ratio[count] = max(ratio.get(count, 0.0), gap)
            one = rng.uniform(0.01, 0.99)
            others = rng.dirichlet(np.ones(count - 1)) * (1 - one) if count > 1 else []
            weights = np.array([one, *others]) if weighted else np.ones(count)
            first = State([1.0], (1.0,), [0] * count, (weights / weights.sum())[:, None]).obtained_job_shares[0]
            single[count] = max(single.get(count, 0.0), abs(first - one))
        tickets = rng.integers(1, 20, count)
        had = np.bincount(stride((tickets if weighted else np.ones(count, int)).tolist(), 2000), minlength=count)
        quanta = max(quanta, np.abs(had - 2000 * tickets / tickets.sum()).max() if count > 1 else 0.0)
    good = {count: max(ratio[count], single[count]) <= 1e-6 for count in ratio}
    return over_domain(
        f"ratios met with {sum(value <= 1e-6 for value in ratio.values())} of 8 numbers of jobs, any share of one job "
        f"with {sum(value <= EXACT for value in single.values())}, not with "
        f"{', '.join(str(n) for n in good if not good[n])}; by quanta within {np.ceil(quanta):.0f} of 2000",
        list(good.values()),
    )


@check("thesis-2-042", groups=(1,))
def not_all_at_once(groups=(1, 2, 3, 4)):
    """What all jobs, each group alone, and all groups at once can have: by the program, and played."""
    rng, gap, missed, above, wrong = np.random.default_rng(42), 0.0, 0, 0, 0
    for trial in range(240):
        P, G = rng.integers(1, 7), groups[trial % len(groups)]
        speeds = random_capacities(rng, P, trial % 3 == 0)
        _, jobs = random_jobs(rng, G, P + 2, least=0)
        if not jobs.any():
            continue
        who, most = np.array(members(jobs)), maximum_obtainable_share(jobs, speeds)
        whole = maximum_obtainable_share(jobs.sum(), speeds)
        for target, own in [(whole, np.zeros(len(who), int)), *((most[g], np.where(who == g, 0, 1)) for g in range(G))]:
            if target == 0:
                continue
            found = deliver([target, *[0.0] * int(own.max())], own, speeds)
            had = played(found.weights, speeds)[own == 0].sum() / speeds.sum()
            gap = max(gap, -found.margin, target - had)
        together = deliver(most, who, speeds).margin >= -EXACT
        over = most.sum() > whole + EXACT
        missed, above, wrong = missed + (not together), above + over, wrong + bool(over and together)
    return finding(
        f"alone {'all' if gap <= EXACT else f'up to {gap:.2f} less'} that can be had; at once missed in {missed} of "
        f"240 systems, {above} of which ask for more than all can have ({wrong} of those delivered)",
        gap <= EXACT and missed > 0 and wrong == 0,
    )
