"""Claims of `thesis`, Sections 3.1 and 3.2.1: first come, first served.

The witness is the chain of the whole line (`uniprocessor.whole_line`), which knows none of the formulas.
"""

import functools
import math

import numpy as np

from clustershare import uniprocessor
from compendium.press.claims import check, equality, erratum, finding
from pages.share_scheduling.one_processor.printed import gone, job_deviation, law
from pages.share_scheduling.one_processor.systems import random_splits

PERMANENT = ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (1, 2), (2, 1))
MOST = {0: 11, 1: 8, 2: 6, 3: 5}  # transient jobs in the line, by the number of permanent ones
ENOUGH = 5e-4


@functools.cache
def lines(service_rates=1.0):
    """Eight lines, all branches of the formulas among them: (required shares, loads, permanent jobs, line)."""
    rng, found = np.random.default_rng(31), []
    for permanent in PERMANENT:
        share, fraction, load = rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8), rng.uniform(0.05, 0.12)
        shares, loads = (share, 1 - share), np.array([fraction, 1 - fraction]) * load
        line = uniprocessor.whole_line(
            "FCFS", shares, loads * service_rates, service_rates, permanent, most_jobs=MOST[sum(permanent)]
        )
        found.append((np.array(shares), loads, np.array(permanent), line))
    return found


def deviation(shares, loads):
    """Group-share deviations under FCFS without permanent jobs."""
    return uniprocessor.exact("FCFS", shares, loads).group_share_deviation


def by_numbers(n, probability):
    """States with the same numbers of jobs put together: the numbers, shape (groups, counts), and their law."""
    counts, place = np.unique(n, axis=1, return_inverse=True)
    return counts, np.bincount(place.ravel(), probability)


@check("thesis-3-001", permanent_jobs=0)
def no_capacity_is_lost(permanent_jobs=(0, 1)):
    """With a permanent job there is always work: the obtained shares then sum to 1, under every policy."""
    gap = 0.0
    for policy in uniprocessor.POLICIES:
        result = uniprocessor.simulate(
            policy, (0.6, 0.4), (0.2, 0.2), 1.0, permanent_jobs, jumps=4000, warmup=100, replications=2
        )
        gap = max(gap, abs(result.obtained_share.value.sum() - 1))
    return equality(gap, 1e-9)


@check("thesis-3-002", service_rates=(1.0, 2.0))
def numbers_of_jobs(service_rates=1.0):
    """(3.10) against the line, both cut at the same number of jobs; the control has unequal means."""
    gap = 0.0
    for _, loads, permanent, line in lines(service_rates):
        counts, probability = by_numbers(line.transient, line.probability)
        expected = law(counts, loads, int(permanent.sum()))
        gap = max(gap, np.abs(probability - expected / expected.sum()).max())
    return equality(gap, 1e-10)


@check("thesis-3-003", more=1)
def total_number(more=0):
    """(3.14): the total of the transient jobs in the line."""
    gap = 0.0
    for _, loads, permanent, line in lines():
        number = int(permanent.sum()) + more
        probability = np.bincount(line.transient.sum(axis=0), line.probability)
        expected = [math.comb(number + k, k) * loads.sum() ** k for k in range(len(probability))]
        gap = max(gap, np.abs(probability - np.divide(expected, sum(expected))).max())
    return equality(gap, 1e-10)


@check("thesis-3-017", corrected=False)
def internal_fairness(corrected=True):
    """(3.26), whose N_g^P must be N^P in exponents and denominators, and the library; the control keeps N_g^P."""
    printed = right = 0.0
    for shares, loads, permanent, line in lines():
        found = line.performance.job_share_deviation
        printed = max(printed, np.abs(job_deviation(loads, permanent, permanent) - found).max())
        form = job_deviation(loads, permanent, permanent.sum() if corrected else permanent)
        exact = uniprocessor.exact("FCFS", shares, loads, 1.0, permanent).job_share_deviation
        right = max(right, np.abs(form - found).max(), np.abs(exact - found).max())
    loads = np.array([0.25, 0.25])
    one, two = (job_deviation(loads, np.array([1, 1]), of)[0] for of in (1, 2))
    return erratum(
        f"off by up to {printed:.3f} as printed, within {ENOUGH:g} with N^P; e.g. {one:.4f} and {two:.4f}",
        printed < ENOUGH, right < ENOUGH,
    )  # fmt: skip


@check("thesis-3-019", joint=False)
def joint_or_conditional(joint=True):
    """P[g in service and N_g > 1] is Delta_g^J; given N_g > 1 it is something else."""
    conditional = found = 0.0
    for _, loads, permanent, line in lines():
        for g in range(2):
            both = line.probability[(line.serving % 2 == g) & (line.serving >= 0) & (line.jobs[g] > 1)].sum()
            given = both / line.probability[line.jobs[g] > 1].sum()
            expected = job_deviation(loads, permanent, permanent.sum())[g]
            conditional = max(conditional, abs(given - expected))
            found = max(found, abs((both if joint else given) - expected))
    return erratum(
        f"the conditional probability is off by up to {conditional:.2f}, the joint one by less than {ENOUGH:g}",
        conditional < ENOUGH, found < ENOUGH,
    )  # fmt: skip


@check("thesis-3-020", corrected=False)
def response_time(corrected=True):
    """(3.28) at the group's arrival rate is the probability that a leaving job leaves none of its group behind."""
    printed = right = 0.0
    for _, loads, permanent, line in lines():
        for g in np.flatnonzero(permanent == 0):
            absent = line.probability[line.jobs[g] == 0].sum()
            printed = max(printed, abs(gone(loads)[g] ** (permanent[g] + 1) - absent))
            of = permanent.sum() if corrected else permanent[g]
            right = max(right, abs(gone(loads)[g] ** (of + 1) - absent))
    return erratum(
        f"off by up to {printed:.3f} with N_g^P, by less than {ENOUGH:g} with N^P", printed < ENOUGH, right < ENOUGH
    )


@check("thesis-3-021", less=1)
def nobody_waits(less=0):
    """(3.31): services of transient jobs that start with no other job of the group there."""
    gap = 0.0
    for _, loads, permanent, line in lines():
        for g in np.flatnonzero(permanent == 0):
            starts = line.starts(g)
            expected = gone(loads)[g] ** (permanent.sum() + 1 - less) * (1 + loads[g])
            gap = max(gap, abs(starts[1] / starts.sum() - expected))
    return equality(gap, ENOUGH)


@check("thesis-3-022", said=1.0)
def while_others_wait(said=0.0):
    """What (3.32) counts while others of the group are present: 0 is said there, and 1 is meant."""
    off = {said: 0.0, 1.0: 0.0}
    for _, loads, permanent, line in lines():
        for g in np.flatnonzero(permanent == 0):
            alone = gone(loads)[g] ** (permanent.sum() + 1) * (1 + loads[g])
            for value in off:
                sum_of_both = loads[g] * ((1 - alone) * value + alone * loads[g] / (1 + loads[g]))
                off[value] = max(off[value], abs(sum_of_both - line.performance.job_share_deviation[g]))
    return erratum(
        f"off by up to {off[said]:.4f} with {said:g}, by less than {ENOUGH:g} with 1",
        off[said] < ENOUGH, off[1.0] < ENOUGH,
    )  # fmt: skip


@check("thesis-3-023", less=1)
def permanent_job_alone(less=0):
    """(3.35): services of a group's one permanent job that start with no other job of the group there."""
    gap = 0.0
    for _, loads, permanent, line in lines():
        for g in np.flatnonzero(permanent == 1):
            starts = line.starts(g + 2)
            expected = gone(loads)[g] ** (permanent.sum() - less) * (1 + loads[g])
            gap = max(gap, abs(starts[1] / starts.sum() - expected))
    return equality(gap, ENOUGH)


@check("thesis-3-024", policy="PS")
def never_fair(policy="FCFS"):
    """The job-share deviation is positive wherever the group has load."""
    rng, least = np.random.default_rng(2), math.inf
    for shares, loads in random_splits(200, 3, low=0.05):
        permanent = rng.integers(3, size=3)
        result = uniprocessor.exact(policy, shares, loads, 1.0, permanent)
        least = min(least, (result.job_share_deviation / loads**2).min())
    return finding(f"at least {least:.3g} times the squared load of the group", least > 0)


@check("thesis-3-025", policy="HOL")
def other_orders(policy="FCFS"):
    """Last come, first served, and service at random, without permanent jobs; the control looks at the groups."""
    gap = 0.0
    for shares, loads in random_splits(6, high=0.3):
        expected = uniprocessor.exact("FCFS", shares, loads)
        for order in ("last", "random"):
            found = uniprocessor.whole_line(policy, shares, loads, most_jobs=9, order=order).performance
            gap = max(gap, np.abs(found.group_share_deviation - expected.group_share_deviation).max())
            gap = max(gap, np.abs(found.job_share_deviation - expected.job_share_deviation).max())
    return equality(gap, 1e-3)
