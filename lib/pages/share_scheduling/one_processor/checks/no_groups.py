"""Claims of `thesis`, Sections 3.1 and 3.2.1: first come, first served.

The witness is the chain of the whole line (`uniprocessor.whole_line`), which knows none of the formulas.
"""

import functools
import math

import numpy as np

from clustershare import uniprocessor
from compendium.press.claims import check, equality
from pages.share_scheduling.one_processor.printed import law
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
