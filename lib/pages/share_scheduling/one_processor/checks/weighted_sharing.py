"""Claims of `thesis`, Section 3.4: PS, PPS and GPPS."""

import functools
import itertools

import numpy as np

from clustershare import uniprocessor
from clustershare.compiled import service
from clustershare.uniprocessor.analysis import RULES
from clustershare.uniprocessor.chain import distribution, simplex, solve
from clustershare.uniprocessor.model import Workload
from compendium.press.claims import check, equality, erratum, finding, over_domain
from pages.share_scheduling.one_processor.paths import intervals
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
    """(3.85), (3.87) and (3.88), whose second N_g^P must be N^P, and the library; the control keeps N_g^P."""
    off = np.zeros((2, 3))
    for shares, loads, permanent, got, present in chains():
        exact = uniprocessor.exact("PS", shares, loads, 1.0, permanent)
        gaps = (exact.probability_present - present, exact.obtained_share - got)
        off[1, 1:] = np.maximum(off[1, 1:], [np.abs(gap).max() for gap in gaps])
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


SYSTEMS = (  # required shares, loads, service rates, permanent jobs, law of the sizes
    ((0.6, 0.4), (0.15, 0.05), (1.0, 1.0), (0, 0), "exponential"),
    ((0.3, 0.7), (0.5, 0.4), (2.0, 0.5), (0, 0), "deterministic"),
    ((0.9, 0.1), (0.2, 0.4), (1.0, 3.0), (0, 0), "hyperexponential"),
    ((0.6, 0.4), (0.3, 0.2), (1.0, 1.0), (0, 2), "hyperexponential"),
    ((0.5, 0.3, 0.2), (0.1, 0.3, 0.4), (0.3, 1.0, 2.0), (0, 0, 0), "exponential"),
    ((0.2, 0.2, 0.6), (0.04, 0.1, 0.3), (1.0, 1.0, 4.0), (1, 1, 2), "deterministic"),
)


def events(policy, count=1500):
    """The intervals of a path in each of `SYSTEMS`, the required shares beside each."""
    for number, (shares, loads, services, permanent, sizes) in enumerate(SYSTEMS):
        rates = np.multiply(loads, services).tolist()
        path = intervals(policy, shares, rates, services, permanent, events=count, seed=number, law=sizes)
        for interval in path:
            yield number, shares, interval


def sharing(policy, shares, permanent):
    """The library's obtained shares in states given by the numbers of transient jobs."""
    code = {"PS": service.PS, **RULES}[policy]
    return lambda transient: service.divide_each(code, np.array(shares), transient + np.reshape(permanent, (-1, 1)))


@functools.cache
def line_and_sharing(policy):
    """Gaps of law and of deviations between the line of FCFS and a sharing policy, both cut alike, with the bounds.

    Each row: whether the means are equal, the largest relative gap of the laws, the largest gap of the deviations.
    """
    rng, found = np.random.default_rng(65), []
    for number in range(16):
        groups, equal = 2 + number % 2, number < 10
        shares = np.clip(rng.dirichlet(np.ones(groups)), 0.05, 0.9)
        shares /= shares.sum()
        loads = rng.dirichlet(np.ones(groups)) * rng.uniform(0.02, 0.95)
        services = np.ones(groups) if equal else np.linspace(0.5, 2, groups)
        permanent = rng.permutation(((0, 0), (1, 2, 0), (2, 0), (0, 0, 0), (1, 1), (1, 0, 1))[number % 6][:groups])
        permanent = np.resize(permanent, groups)
        most = 5 if groups == 2 else 4
        system = shares, loads * services, services, permanent
        line = uniprocessor.whole_line("FCFS", *system, most_jobs=most)
        transient, probability = distribution(most, Workload("PS", *system), rule := sharing(policy, shares, permanent))
        counts, place = np.unique(line.transient, axis=1, return_inverse=True)
        assert (counts == transient).all()  # both in lexicographic order
        gap = np.abs(np.bincount(place.ravel(), line.probability) / probability - 1).max()
        present = ((transient + permanent[:, None]) > 0) @ probability
        deviation = present - rule(transient) @ probability / shares
        found.append((equal, gap, np.abs(deviation - line.performance.group_share_deviation).max()))
    return found


@check("thesis-3-065", policy="GPPS")
def as_first_come(policy="PS"):
    """The law of the numbers and the deviations under PS and FCFS: two chains cut alike, and two simulations."""
    rows = line_and_sharing(policy)
    alike = [gap < 1e-9 and deviation < 1e-9 for _, gap, deviation in rows]
    equal = [holds for (same, *_), holds in zip(rows, alike) if same]
    estimates = [
        uniprocessor.simulate(name, (0.7, 0.3), (0.3, 0.6), jumps=100_000, warmup=10_000, replications=20, seed=number)
        for number, name in enumerate((policy, "FCFS"))
    ]
    one, other = (result.group_share_deviation for result in estimates)
    together = bool((np.abs(one.value - other.value) <= 2 * (one.half_width + other.half_width)).all())
    worst = max(deviation for same, _, deviation in rows if not same)
    said = "laws and deviations equal within 1e-9" if all(equal) else "they differ"
    return over_domain(
        f"equal means: {said}; unequal means: the deviations differ by up to {worst:.2f}",
        [holds and together for holds in equal] + [holds for (same, *_), holds in zip(rows, alike) if not same],
    )


@check("thesis-3-066", policies=("PS", "PPS", "GPPS in order"))
def jobs_alike(policies=("PS", "PPS", "GPPS")):
    """(2.45) at every event, and the work done for two jobs of a group while both are there, from the jobs' records."""
    uneven = worst = 0.0
    for policy in policies:
        ahead = {}
        for number, shares, interval in events(policy):
            for group in range(len(shares)):
                uneven = max(uneven, interval.job_share_deviation(group))
                mine = [job for job in interval.jobs if job.group == group]
                for pair in zip(mine, mine[1:]):
                    lead = pair[0].received - pair[1].received
                    worst = max(worst, abs(ahead.setdefault((policy, number, *pair), lead) - lead))
    least = min(
        interval.job_share_deviation(group)
        for policy in ("FCFS", "HOL", "UD", "PQ")
        for _, shares, interval in events(policy, 500)
        for group in range(len(shares))
    )
    return finding(
        f"{'0 at every event' if uneven < 1e-9 else f'up to {uneven:.3f}'}; work of two jobs of a group "
        f"{'alike' if worst < 1e-9 else f'apart by up to {worst:.2f}'}; never below {least:g} under the other policies",
        uneven < 1e-9 and worst < 1e-9 and least >= 0,
    )


@check("thesis-3-067", policy="GPPS")
def more_jobs_more_share(policy="PPS"):
    """(3.90): the library's shares in all states to 12 jobs, and those of the jobs' own records along paths."""
    gap, rising = 0.0, True
    for shares in ((0.6, 0.4), (0.05, 0.95), (0.5, 0.3, 0.2)):
        jobs, weights = simplex(12, len(shares))[:, 1:], np.array(shares)[:, None]
        obtained = service.divide_each(RULES[policy], np.array(shares), jobs)
        gap = max(gap, np.abs(obtained - jobs * weights / (jobs * weights).sum(axis=0)).max())
        for group in range(len(shares)):
            inner = jobs.sum(axis=0) < 12
            more = jobs[:, inner].copy()
            more[group] += 1
            step = service.divide_each(RULES[policy], np.array(shares), more)[group] - obtained[group, inner]
            others = np.delete(jobs[:, inner], group, axis=0).any(axis=0)
            rising &= bool((step[others] > 0).all() and np.abs(step[~others & (jobs[group, inner] > 0)]).max() < 1e-12)
    for _, shares, interval in events(policy):
        claims = np.multiply(interval.present(len(shares)), shares)
        if claims.any():
            gap = max(gap, np.abs(interval.obtained(len(shares)) - claims / claims.sum()).max())
    means = [
        uniprocessor.simulate(policy, (0.5, 0.5), (x, 0.3), jumps=20_000, warmup=1000, seed=1).obtained_share
        for x in (0.1, 0.3, 0.5)
    ]
    ends = [(mean.value[0] - mean.half_width[0], mean.value[0] + mean.half_width[0]) for mean in means]
    grows = all(before[1] < after[0] for before, after in zip(ends, ends[1:]))
    return finding(
        f"{'equal to (3.90)' if gap < 1e-12 else f'off (3.90) by up to {gap:.2f}'}; "
        f"{'rising' if rising else 'not rising'} with the group's jobs, and on average with its arrivals",
        gap < 1e-12 and rising and grows,
    )


@check("thesis-3-068", policy="PPS")
def never_short(policy="GPPS"):
    """No deviation above 0 at any event, nor on average by the library's chain beyond the chain's own bound."""
    worst = max(
        float(number > 0) - obtained / share
        for _, shares, interval in events(policy)
        for number, obtained, share in zip(interval.present(len(shares)), interval.obtained(len(shares)), shares)
    )
    rng, mean = np.random.default_rng(3), -np.inf
    for shares, loads in (*random_splits(8, 2, low=0.05, high=0.95), *random_splits(3, 3, low=0.05, high=0.5)):
        services = rng.uniform(0.3, 3, len(shares))
        result = uniprocessor.exact(policy, shares, loads * services, services, tolerance=1e-4)
        mean = max(mean, (result.group_share_deviation - result.error).max())
    for shares, loads in random_splits(5):
        permanent = rng.integers(3, size=2)
        result = uniprocessor.exact(policy, shares, 0.6 * loads.sum() * shares, 1.0, permanent, tolerance=1e-7)
        mean = max(mean, (result.group_share_deviation - result.error).max())
    return finding(
        f"at any time {'none above 0' if worst <= 1e-12 else f'up to {worst:.3f}'}; "
        f"on average {'none above 0' if mean <= 1e-12 else f'up to {mean:.3f}'}",
        worst <= 1e-12 and mean <= 1e-12,
    )


@check("thesis-3-133", kept=True)
def for_whom_it_is_meant(kept=False):
    """(3.91) with N(t) > 0 as printed and with N_g(t) > 0, against the library's shares and the jobs' own records.

    In the control groups without jobs keep their part: capacity is lost.
    """

    def obtained(weights, jobs):
        there = np.maximum(jobs, 1) if kept else jobs
        return service.divide_each(service.GPPS, weights, there) * (jobs > 0)

    wrong = patterns = 0
    printed = right = 0.0
    for groups in (2, 3, 4, 5):
        weights = np.random.default_rng(groups).dirichlet(np.ones(groups))
        jobs = np.array(list(itertools.product((0, 2), repeat=groups)))[1:].T
        found, share = obtained(weights, jobs), weights[:, None] / (weights @ (jobs > 0))
        patterns += int((~(jobs > 0).all(axis=0)).sum())
        wrong += int((share.sum(axis=0) > 1 + 1e-9).sum())
        printed = max(printed, np.abs(share - found).max())
        right = max(right, np.abs(share * (jobs > 0) - found).max(), np.abs(found.sum(axis=0) - 1).max())
    for _, shares, interval in events("GPPS", 500):
        there = np.greater(interval.present(len(shares)), 0)
        if there.any():
            share = np.multiply(shares, there) / np.dot(shares, there)
            right = max(right, np.abs(share - interval.obtained(len(shares))).max())
    return erratum(
        f"as printed the shares sum to more than 1 in {wrong} of {patterns} patterns in which a group is absent; with "
        f"N_g(t) > 0 they are {'those given' if right < 1e-12 else f'off by up to {right:.2f}'}",
        printed < 1e-12, right < 1e-12,
    )  # fmt: skip


@check("thesis-3-134", policy="PPS")
def only_others_count(policy="GPPS"):
    """A present group's share: whatever its number of jobs, more where others are absent, less when another comes."""
    against, count, last = 0, 0, None
    for number, shares, interval in events(policy):
        jobs, obtained = interval.present(len(shares)), interval.obtained(len(shares))
        there = [k > 0 for k in jobs]
        total = sum(share for share, present in zip(shares, there) if present)
        for group in np.flatnonzero(there).tolist():
            against += abs(obtained[group] - shares[group] / total) > 1e-12
            against += (obtained[group] > shares[group] + 1e-12) != (not all(there))
            against += obtained[group] < shares[group] - 1e-12
            if last and last[0] == number and last[1][group] > 0 and obtained[group] < last[2][group] - 1e-12:
                came = [k for k in range(len(shares)) if k != group and there[k] and last[1][k] == 0]
                against += len(came) != 1
            count += 1
        last = number, jobs, obtained
    return finding(f"{against} of {count} shares against it", against == 0)
