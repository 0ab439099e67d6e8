"""Claims of `thesis`, Sections 3.1 and 3.2.1: first come, first served.

The witness is the chain of the whole line (`uniprocessor.whole_line`), which knows none of the formulas.
"""

import functools
import itertools
import math

import numpy as np
from scipy.optimize import brentq

from clustershare import uniprocessor
from compendium.press.claims import check, equality, erratum, finding
from pages.share_scheduling.one_processor.printed import gone, job_deviation, law, obtained
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


@check("thesis-3-004", own=True)
def group_deviation(own=False):
    """(3.16); the control has N_g^P in the place of N^P."""
    gap = 0.0
    for shares, loads, permanent, line in lines():
        of = permanent if own else permanent.sum()
        present = np.where(permanent > 0, 1, 1 - gone(loads) ** (of + 1))
        found = line.performance.group_share_deviation
        gap = max(gap, np.abs(present - obtained(loads, permanent, of) / shares - found).max())
    return equality(gap, ENOUGH)


@check("thesis-3-005", own=True)
def obtained_share(own=False):
    """(3.19); the control has N_g^P in the place of N^P."""
    gap = max(
        np.abs(obtained(loads, permanent, permanent if own else None) - line.performance.obtained_share).max()
        for _, loads, permanent, line in lines()
    )
    return equality(gap, ENOUGH)


@check("thesis-3-006", other=1.1)
def without_permanent_jobs(other=1.0):
    """(3.20) against lines of random loads; the control has the others' load wrong by a tenth."""
    gap = 0.0
    for shares, loads in random_splits(12, high=0.3):
        line = uniprocessor.whole_line("FCFS", shares, loads, most_jobs=10)
        expected = loads * (1 / (1 - other * (loads.sum() - loads)) - 1 / shares)
        gap = max(gap, np.abs(line.performance.group_share_deviation - expected).max())
    return equality(gap, ENOUGH)


def _first(own, share, load):
    """The deviation of group 1, of a given required share and own load."""
    return deviation((share, 1 - share), (own, load - own))[0]


@check("thesis-3-007", sign=1)
def where_it_is_zero(sign=-1):
    """The zero of the deviation for a given total load: printed at r + (1 - rho), right at r - (1 - rho)."""
    worst = {+1: 0.0, sign: 0.0}
    for r, load in ((0.6, 0.6), (0.5, 0.8), (0.3, 0.9)):
        zero = brentq(_first, 1e-9, load - 1e-9, (r, load), xtol=1e-14)
        for s in worst:
            worst[s] = max(worst[s], abs(zero - (r + s * (1 - load))))
    line = uniprocessor.whole_line("FCFS", (0.85, 0.15), (0.05, 0.15), most_jobs=10)
    there = line.performance.group_share_deviation[0]
    return erratum(
        f"off by up to {worst[+1]:.3g} as printed; with the minus, {'equal' if worst[sign] < 1e-9 else 'not equal'}",
        worst[+1] < 1e-9, worst[sign] < 1e-9 and abs(there) < 1e-6,
    )  # fmt: skip


@check("thesis-3-008", threshold=0.5)
def decided_by_the_others(threshold=1.0):
    """The sign, and that the deviation is linear in the group's own load; the control has half the threshold."""
    wrong, bent = 0, 0.0
    for shares, loads in random_splits(200):
        others = loads[1]
        own = np.linspace(0.01, 0.99, 7) * (1 - others)
        values = np.array([deviation(shares, (x, others))[0] for x in own])
        wrong += ((values <= 0) != (others <= threshold * (1 - shares[0]))).any()
        wrong += (np.sign(np.diff(values)) != np.sign(values[0])).any()
        bent = max(bent, np.abs(values / own - values[0] / own[0]).max())
    return finding(
        f"{wrong} of 200 cases against it; {'a straight line' if bent < 1e-9 else 'bent'}", wrong == 0 and bent < 1e-9
    )


@check("thesis-3-009", load=0.1)
def light_traffic(load=1e-7):
    """The deviations vanish with the load."""
    worst = max(np.abs(deviation(shares, load * loads / loads.sum())).max() for shares, loads in random_splits(50, 3))
    return equality(worst, 1e-5)


@check("thesis-3-010", load=0.9)
def heavy_traffic(load=1 - 1e-9):
    """1 - rho_g / r_g, for splits in which no group's load vanishes."""
    gap = 0.0
    for shares, loads in random_splits(50, 3):
        limit = np.clip(loads, 0.05, None) / np.clip(loads, 0.05, None).sum()
        gap = max(gap, np.abs(deviation(shares, load * limit) - (1 - limit / shares)).max())
    return equality(gap, 1e-5)


@check("thesis-3-011", load=0.5)
def only_the_required_shares(load=1 - 1e-9):
    """In heavy traffic some group falls short unless the loads are the required shares."""
    best, exact = math.inf, 0.0
    for shares, loads in random_splits(100, 3):
        limit = loads / loads.sum()
        if np.abs(limit - shares).max() > 0.01:
            best = min(best, deviation(shares, load * limit).max())
        exact = max(exact, deviation(shares, load * shares).max())
    said = "0" if abs(exact) < 1e-8 else f"{exact:.3g}"
    return finding(f"at least {best:.3g} for other loads, {said} for those of the shares", best > 0 >= exact - 1e-8)


@check("thesis-3-012", shift=0.1)
def condition(shift=0.0):
    """(3.24) over random shares and loads of three groups."""
    wrong = 0
    for shares, loads in random_splits(300, 3):
        wrong += ((deviation(shares, loads) <= 0) != (loads >= shares - (1 - loads.sum()) + shift)).any()
    return finding(f"{wrong} of 300 cases against it", wrong == 0)


@check("thesis-3-013", power=2)
def loads_as_the_shares(power=1):
    """(3.25)."""
    gap = 0.0
    for shares, loads in random_splits(100, 3):
        rho = loads.sum()
        expected = -((1 - rho) ** power) * rho * (1 - shares) / (1 - rho * (1 - shares))
        gap = max(gap, np.abs(deviation(shares, rho * shares) - expected).max())
    return equality(gap, 1e-12)


@check("thesis-3-014", larger=2)
def two_groups_or_more(larger=3):
    """All deviations non-positive, and all loads at most the required shares: the same for two groups only."""
    two = sum((deviation(r, x).max() <= 0) != (x <= r).all() for r, x in random_splits(300))
    against = [deviation(r, x).max() for r, x in random_splits(300, larger) if (x <= r).all()]
    without = sum(deviation(r, x).max() <= 0 and not (x <= r).all() for r, x in random_splits(300, larger))
    return finding(
        f"two groups: {two} of 300 against it; {larger}: sufficient in all {len(against)} cases, "
        f"not needed in {without}",
        two == 0 and max(against) <= 0 and without > 0,
    )


@check("thesis-3-015", slack=-0.3)
def any_split(slack=0.0):
    """At a total load of at most 1 - max r; the control has 0.3 more."""
    worst = -math.inf
    for shares, loads in random_splits(300, 3):
        load = 1 - shares.max() - slack
        if 0 < load < 1:
            worst = max(worst, deviation(shares, loads * load / loads.sum()).max())
    return finding("none above 0" if worst <= 1e-12 else f"largest deviation {worst:.2g}", worst <= 1e-12)


@functools.cache
def at_random(share, own, others):
    """The deviation of group 1 in the line served at random."""
    line = uniprocessor.whole_line("FCFS", (share, 1 - share), (own, others), most_jobs=24, order="random")
    return line.performance.group_share_deviation[0]


@check("thesis-3-016", drawn=0.75)
def region_map(drawn=0.55, share=0.55):
    """The sign in the chain on a grid of loads: `thesis`, Figure 3.2.

    The order does not matter (thesis-3-025), so one at random is served.
    """
    grid = [(a, b) for a, b in itertools.product(np.arange(1, 9) / 10, repeat=2) if a + b < 0.75]
    wrong = 0
    for own, others in grid:
        wrong += (at_random(share, own, others) <= 0) != (own >= drawn - (1 - own - others))
    return finding(f"{wrong} of {len(grid)} points on the wrong side", wrong == 0)


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
