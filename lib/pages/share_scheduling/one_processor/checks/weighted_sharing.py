"""Claims of `thesis`, Section 3.4: PS, PPS and GPPS."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.uniprocessor.chain import distribution, solve
from clustershare.uniprocessor.model import Workload
from compendium.press.claims import check, equality, erratum, finding
from pages.share_scheduling.one_processor.printed import gone, law, obtained
from pages.share_scheduling.one_processor.systems import random_splits

LEVEL = 25
POINTS = ((0, 1), (1, 0), (0.5, 0.5), (0.3, 0.9))  # of the generating function


def settings(count=12, high=0.5):
    """Random systems with unequal service rates and up to two permanent jobs of each group."""
    rng = np.random.default_rng(11)
    for shares, loads in random_splits(count, low=0.1, high=high):
        yield shares, loads, rng.uniform(0.3, 3, 2), rng.integers(3, size=2)


def equally(permanent):
    """The obtained shares under processor sharing (3.79)."""

    def shares(transient):
        jobs = transient + np.reshape(permanent, (-1, 1))
        return jobs / np.maximum(jobs.sum(axis=0), 1)

    return shares


@functools.cache
def chains():
    """Chains of processor sharing: (required shares, loads, permanent jobs, obtained share, presence)."""
    found = []
    for shares, loads, services, permanent in settings():
        work = Workload("PS", shares, loads * services, services, permanent)
        got, present, *_ = solve(work, equally(permanent), 1e-8)
        found.append((shares, loads, permanent, got, present))
    return found


@check("thesis-3-062", more=1)
def law_of_sharing(more=0):
    """(3.80) and (3.81) against the chain, both cut where 25 jobs are transient; unequal service rates."""
    gap = 0.0
    for shares, loads, services, permanent in settings():
        work = Workload("PS", shares, loads * services, services, permanent)
        transient, probability = distribution(LEVEL, work, equally(permanent))
        expected = law(transient, loads, int(permanent.sum()) + more)
        gap = max(gap, np.abs(probability - expected / expected.sum()).max())
        for z in POINTS:
            generating = (1 - loads.sum()) / (1 - loads @ z)
            series = expected @ np.prod(np.reshape(z, (-1, 1)) ** transient, axis=0)
            gap = max(gap, abs(generating ** (permanent.sum() + 1) - series) if loads.sum() < 0.3 else 0)
    return equality(gap, 1e-10)


@check("thesis-3-063", corrected=False)
def share_deviation(corrected=True):
    """(3.85), (3.87) and (3.88), whose second N_g^P must be N^P; the control keeps it."""
    off = np.zeros((2, 3))
    for shares, loads, permanent, got, present in chains():
        for number, of in enumerate((permanent, permanent.sum() if corrected else permanent)):
            there = np.where(permanent > 0, 1, 1 - gone(loads) ** (of + 1))
            share = obtained(loads, permanent, of)
            gaps = (there - share / shares - (present - got / shares), there - present, share - got)
            off[number] = np.maximum(off[number], [np.abs(gap).max() for gap in gaps])
    printed, right = off
    return erratum(
        "off as printed by up to {:.2f}, {:.2f}, {:.2f}; within 1e-7 with N^P".format(*printed),
        printed.max() < 1e-7, right.max() < 1e-7,
    )  # fmt: skip


@check("thesis-3-065", policy="GPPS")
def as_first_come(policy="PS"):
    """Group-share deviations under PS and FCFS at equal service rates."""
    gap = 0.0
    for shares, loads, _, permanent in settings(high=0.3):
        permanent = permanent if policy == "PS" else np.zeros(2, dtype=int)
        ps, fcfs = (uniprocessor.exact(name, shares, loads, 1.0, permanent) for name in (policy, "FCFS"))
        gap = max(gap, np.abs(ps.group_share_deviation - fcfs.group_share_deviation).max())
    return equality(gap, 1e-12)


@check("thesis-3-066", policies=("PS", "PPS", "UD"))
def jobs_alike(policies=("PS", "PPS", "GPPS")):
    """The job-share deviation is 0, exactly, in simulation."""
    worst = 0.0
    for policy in policies:
        for permanent in (0, (0, 2)):
            result = uniprocessor.simulate(
                policy, (0.6, 0.4), (0.3, 0.2), 1.0, permanent, jumps=3000, warmup=0, replications=2
            )
            worst = max(worst, result.job_share_deviation.value.max())
    return finding(f"largest deviation {worst:.3g}", worst == 0)


@check("thesis-3-067", policy="GPPS")
def more_jobs_more_share(policy="PPS"):
    """(3.90), seen by permanent jobs among next to no others."""
    gap, rising = 0.0, []
    for jobs in range(1, 6):
        result = uniprocessor.exact(policy, (0.3, 0.7), (1e-12, 0.0), 1.0, (jobs, 2))
        gap = max(gap, abs(result.obtained_share[0] - 0.3 * jobs / (0.3 * jobs + 0.7 * 2)))
        rising.append(result.obtained_share[0])
    said = f"share {rising[0]:.4f} with one job, {rising[-1]:.4f} with five; largest difference from (3.90) {gap:.2f}"
    return finding(said, gap < 1e-9 and min(np.diff(rising)) > 0)


@check("thesis-3-068", policy="PPS")
def never_short(policy="GPPS"):
    """Group-share deviations for two and three groups, with and without permanent jobs: none above 0."""
    rng, worst = np.random.default_rng(3), -np.inf
    systems = [(shares, loads, 0) for shares, loads in random_splits(12, 2, high=0.8)]
    systems += [(shares, loads, 0) for shares, loads in random_splits(4, 3, high=0.5)]
    systems += [(shares, 0.6 * loads.sum() * shares, rng.integers(3, size=2)) for shares, loads in random_splits(8)]
    for shares, loads, permanent in systems:
        result = uniprocessor.exact(policy, shares, loads, 1.0, permanent, tolerance=1e-7)
        worst = max(worst, (result.group_share_deviation - result.error).max())
    return finding("none above 0" if worst <= 1e-12 else f"largest deviation {worst:.3f}", worst <= 1e-12)
