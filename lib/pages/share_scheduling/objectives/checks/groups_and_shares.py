"""Claims of `thesis`, Sections 1.3.3 and 1.4: shares of groups, their response times, and what others do to them."""

import functools
import itertools

import numpy as np

from clustershare import uniprocessor
from clustershare.multiprocessor import group_weights
from compendium.press import words
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.objectives.systems import random_capacities


def answer(policy, shares, arrivals, permanent=0, tolerance=1e-7):
    """The library's exact answer, or None where it has none."""
    try:
        return uniprocessor.exact(policy, shares, arrivals, 1.0, permanent, tolerance=tolerance)
    except (ValueError, ArithmeticError):
        return None


@check("thesis-1-025", policies=("FCFS", "PS"))
def shares_and_times(policies=("FCFS", "HOL", "PQ", "PS", "PPS", "GPPS")):
    """Policies with the same obtained shares and other response times; in the control there is one group."""
    open_holds, closed_holds, largest = [], [], 0.0
    shares = (0.6, 0.4)
    for load, first in itertools.product((0.3, 0.6, 0.9), (0.25, 0.5, 0.75)):
        if len(policies) == 2:  # one group: all jobs together
            found = [uniprocessor.exact(policy, (0.5, 0.5), (load / 2, load / 2)) for policy in policies]
            times = [np.array([result.mean_jobs.sum() / load]) for result in found]
            obtained = [np.array([result.obtained_share.sum()]) for result in found]
        else:
            found = [answer(policy, shares, (load * first, load * (1 - first))) for policy in policies]
            times, obtained = [result.mean_response_time for result in found], [r.obtained_share for r in found]
            if max(np.abs(o - (load * first, load * (1 - first))).max() for o in obtained[:4]) > 1e-9:
                return finding("a stable system does not serve all that comes", False)
        apart = max(
            (np.abs(a - b) / np.maximum(a, b)).max()
            for (a, x), (b, y) in itertools.combinations(zip(times, obtained), 2) if np.abs(x - y).max() <= 1e-6
        )  # fmt: skip
        largest = max(largest, apart)
        open_holds.append(words.allows("clear", apart))
    for jobs in itertools.product(range(1, 6), repeat=2):
        # N_g jobs at a throughput that is the share: a job is back after N_g over the share, whatever the policy.
        found = [(policy, closed_share(policy, shares, jobs)) for policy in policies]
        times = {policy: np.array(jobs) / share for policy, share in found if share.min() > 0}
        closed_holds.append(any(
            np.abs(dict(found)[a] - dict(found)[b]).max() <= 1e-9
            and (np.abs(times[a] - times[b]) / times[a]).max() >= 0.1 for a, b in itertools.combinations(times, 2)
        ))  # fmt: skip
    return over_domain(
        f"without permanent jobs the shares are the loads, and response times up to {largest:.2f} apart, clearly at "
        f"{sum(open_holds)} of {len(open_holds)} workloads; with permanent jobs only, at {sum(closed_holds)} of "
        f"{len(closed_holds)}: there a share is a response time, by Little's law",
        [*open_holds, *closed_holds],
    )


def closed_share(policy, shares, jobs):
    """Obtained shares of two groups with permanent jobs only, whose service times have mean 1."""
    jobs, shares = np.array(jobs), np.array(shares)
    if policy in ("FCFS", "PS"):
        return jobs / jobs.sum()
    if policy in ("HOL", "PQ"):
        return np.where(np.arange(2) == shares.argmax(), 1.0, 0.0)
    return shares * jobs / (shares * jobs).sum() if policy == "PPS" else shares


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
