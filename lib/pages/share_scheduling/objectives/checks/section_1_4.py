"""Claims of `thesis`, Section 1.4: what others do to the share and the response times of a group."""

import functools
import itertools

import numpy as np

from clustershare import uniprocessor
from clustershare.multiprocessor import group_weights
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.objectives.systems import random_capacities


@check("thesis-1-035", weights="jobs")
def more_jobs(weights="groups"):
    """One group's jobs from P to 5 P; in the control weights belong to jobs (PPS) and not to groups."""
    rng, grows, others, unchanged = np.random.default_rng(35), True, True, 0.0
    for number in range(60):
        processors, groups = 1 + number % 6, 2 + number % 3
        capacities = random_capacities(rng, processors, homogeneous=number % 2 == 0)
        required = rng.dirichlet(np.full(groups, 3.0))
        jobs = rng.integers(processors, 3 * processors + 1, groups)
        plain, share = [], []
        for own in range(processors, 5 * processors + 1, max(1, processors)):
            jobs[0] = own
            plain.append(jobs / jobs.sum())
            if weights == "groups":
                share.append(group_weights(required, jobs.tolist(), capacities) @ capacities / capacities.sum())
            else:
                share.append(required * jobs / (required * jobs).sum())
        plain, share = np.array(plain), np.array(share)
        grows &= bool((np.diff(plain[:, 0]) > 1e-9).all())
        others &= bool((np.diff(plain[:, 1:], axis=0) < -1e-9).all())
        unchanged = max(unchanged, np.abs(np.diff(share[:, 1:], axis=0)).max())
    # The same beside arrivals, on one processor.
    for own in range(1, 5):
        one, two = (uniprocessor.exact("PS", (0.5, 0.5), (0.2, 0.2), 1.0, (n, 2)) for n in (own, own + 1))
        grows &= bool(two.obtained_share[0] > one.obtained_share[0] + 1e-9)
        others &= bool(two.obtained_share[1] < one.obtained_share[1] - 1e-9)
        policy = "GPPS" if weights == "groups" else "PPS"
        pair = [beside_arrivals(policy, n) for n in (own, own + 1)]
        unchanged = max(unchanged, np.abs(pair[1][1] - pair[0][1]))
    return finding(
        ("under PS" if grows and others else "not even under PS") + " the own share grows and every other one falls; "
        + ("under share scheduling no other one changes" if unchanged <= 1e-9 else
           f"with weights others' shares change by up to {unchanged:.2f}"),
        grows and others and unchanged <= 1e-9,
    )  # fmt: skip


@functools.cache
def beside_arrivals(policy, permanent):
    """Obtained shares of two groups with permanent jobs and arrivals, required shares 0.5 and 0.5."""
    return uniprocessor.exact(policy, (0.7, 0.3), (0.2, 0.2), 1.0, (permanent, 2), tolerance=1e-7).obtained_share


@check("thesis-1-045", fair="PPS")
def predictable(fair="GPPS"):
    """How far a group's response time ranges as the other's load grows; in the control all jobs weigh alike."""
    holds, ratios, missed = [], [], []
    for share, own in itertools.product((0.2, 0.5, 0.8), (0.1, 0.5, 0.9)):
        load = own * share
        others = [0.001, 0.45 * (1 - load), 0.9 * (1 - load)]
        ranges = {}
        for policy in (fair, "FCFS", "PS"):
            shares = (share, 1 - share) if policy == "GPPS" else (0.5, 0.5)
            times = [
                uniprocessor.exact(policy, shares, (load, other), tolerance=1e-4).mean_response_time[0]
                for other in others
            ]
            ranges[policy] = np.ptp(times) / max(times)
        holds.append(ranges[fair] < min(ranges["FCFS"], ranges["PS"]) - 1e-6)
        ratios.append((ranges[fair], min(ranges["FCFS"], ranges["PS"])))
        if not holds[-1]:
            missed.append(f"share {share:g} and {own:g} of it used")
    low, high = np.min(ratios, axis=0), np.max(ratios, axis=0)
    return over_domain(
        f"over others' loads it ranges by {low[0]:.2f} to {high[0]:.2f} of the largest, against {low[1]:.2f} to "
        f"{high[1]:.2f} under FCFS and PS; less at {sum(holds)} of {len(holds)} points"
        + (f", not at {'; '.join(missed)}" if missed else ""),
        holds,
    )
