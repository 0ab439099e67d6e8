"""Exact answers at any load, against transforms, Cobham's means and what is printed; UD, where it is HOL."""

import numpy as np

from clustershare import uniprocessor
from compendium.press.clauses import cases, everywhere
from compendium.press.clauses.conditions import equal
from pages.agreement import gap
from pages.share_scheduling.one_processor import printed
from pages.share_scheduling.one_processor.library.shared import (
    ROUNDING,
    answer_of,
    at_large,
    classes,
    drawn,
    told,
    whole,
)

# What waits in order of arrival, by transforms (Takacs; Conway, Maxwell and Miller) and Cobham's means.


def in_order(policy, shares, arrivals, services, lasting=None):
    """The four measures of FCFS, HOL and PQ without permanent jobs, or with some of a group that is the last class."""
    rank, lam, mu = np.array(classes(policy, shares)), np.array(arrivals), np.array(services)
    rho, obtained = lam / mu, lam / mu
    if lasting is not None:
        obtained = np.where(np.arange(len(rho)) == lasting, 1 - (rho.sum() - rho[lasting]), rho)
    residual = (obtained / mu).sum()  # of the job in service, of whatever class
    present, jobs = np.ones(len(rho)), np.full(len(rho), np.nan)
    for g in range(len(rho)):
        above, own, below = rank < rank[g], rank == rank[g], rank > rank[g]
        if g == lasting:
            continue
        z = lam[g]
        for _ in range(4000):  # the busy periods of those above
            z = lam[g] + (lam[above] * (1 - mu[above] / (mu[above] + z))).sum() if lam[g] else 0.0
            busy = mu[above] / (mu[above] + z)
            if abs(z - lam[g] - (lam[above] * (1 - busy)).sum()) < 1e-15 * z:
                break
        others = 0.0 if policy == "PQ" else (obtained[below] * mu[below] * z / (mu[below] + z)).sum()
        idle = 1 - rho[above | own].sum() if policy == "PQ" else 1 - obtained.sum()
        wait = (idle * z + others) / (lam[g] - lam[own].sum() + (lam[own] * mu[own] / (mu[own] + z)).sum() or np.nan)
        present[g] = 1 - wait * mu[g] / (mu[g] + (z if policy == "PQ" else lam[g])) if lam[g] else 0.0
        free, left = 1 - rho[above].sum(), 1 - rho[above | own].sum()
        ahead = (rho[above | own] / mu[above | own]).sum() if policy == "PQ" else residual
        jobs[g] = lam[g] * (ahead / free / left + (1 / mu[g] / free if policy == "PQ" else 1 / mu[g]))
    return np.array([obtained, present, obtained * present, jobs])


# Formulas at any load.


def beside_one(arrivals, services):
    """HOL for two groups with permanent jobs, one of the first: obtained shares, and the first's job-share deviation.

    P(0) that nobody came in a turn of the permanent job, by P(z) = b(z) (P(b(z)) + P(0) (v(z) - 1)) from z = 0.
    """
    (rate, _), (own, other) = arrivals, services
    z, product, weight = 0.0, 1.0, 0.0
    for _ in range(6000):
        served = own / (own + rate * (1 - z))
        product *= served
        weight += product * (1 - other / (other + rate * (1 - z)))
        if z == served:
            break
        z = served
    none = product / (1 + weight)
    turns = (1 - rate / own) / (1 + none * own / other)
    return np.array([rate / own + turns, none * turns * own / other]), rate / own + turns * (1 - none)


def in_formulas():
    """`exact` of one job at a time and of PS, at any load: gaps from the transforms, and from what is printed."""
    rng, gaps = np.random.default_rng(32), []
    for number, policy in enumerate(("FCFS", "HOL", "PQ") * 5):
        load, groups = (0.3, 0.97, 0.7, 0.9, 0.5)[number % 5], 2 + number % 3
        kind = {"ties": number % 2 == 0, "silent": number % 4 == 1}
        system = drawn(rng, load, (0,) * groups, **kind)
        gaps.append(at_large(system, answer_of(policy, system), in_order(policy, *system[:3])))
        if policy != "FCFS":  # and permanent jobs of the last class, if that is one group
            shares, arrivals, services, _ = drawn(rng, load, (0,) * groups)
            last, many = int(np.argmin(shares)), 1 + number % 3
            arrivals[last] *= number % 2  # or nobody else of it
            permanent = np.where(np.arange(groups) == last, many, 0).tolist()
            expected = in_order(policy, shares, arrivals, services, last)
            expected[2, last] = np.nan if many == 1 else expected[2, last]
            found = told(answer_of(policy, (shares, arrivals, services, permanent)))
            found[4:, last] = np.nan  # as on the line
            gaps.append(gap(found, whole(shares, arrivals, expected)))
    for load in (0.6, 0.996):  # one of the first of two groups, next to saturation
        shares, arrivals, services, _ = drawn(rng, load, (0, 0))
        arrivals[1] = 0.0
        arrivals[0] = load * services[0]
        found = answer_of("HOL", ([0.7, 0.3], arrivals, services, [1, 2]))
        obtained, uneven = beside_one(arrivals, services)
        expected = [obtained, [1, 1], [uneven, obtained[1]]]
        gaps.append(gap(told(found)[1:4] / expected, np.ones((3, 2))))
    for number, policy in enumerate(("FCFS", "PS", "PPS", "HOL", "PQ") * 4):
        load, permanent = (0.2, 0.6, 0.95, 0.8)[number % 4], rng.permutation([0, 1, 2, 0][: 2 + number % 3])
        shares, arrivals, services, _ = drawn(rng, load, permanent, alike=policy != "PS")
        if policy == "PPS":
            shares = [1 / len(shares)] * len(shares)
        if policy in ("HOL", "PQ"):  # two groups in a first class that lets nobody else be served
            shares, permanent = [0.15, 0.3, 0.1, 0.3, 0.15], [0, 2, 0, number % 2, 1]
            _, arrivals, services, _ = drawn(rng, load, permanent, alike=True)
            arrivals = np.multiply(arrivals, [0, 1, 0, 1, 0]).tolist()
        loads, lasting = np.divide(arrivals, services), np.array(permanent)
        first = np.ones(len(shares), bool) if policy not in ("HOL", "PQ") else np.equal(shares, 0.3)
        expected = np.zeros((4, len(shares)))
        expected[1] = lasting > 0
        expected[0][first] = printed.obtained(loads[first], lasting[first])
        expected[1][first] = printed.fcfs_present(loads[first], lasting[first])
        if policy not in ("PS", "PPS"):
            expected[2][first] = printed.job_deviation(loads[first], lasting[first], lasting[first].sum())
        expected[3] = loads * (1 + lasting[first].sum()) / (1 - loads.sum())
        system = shares, arrivals, services, lasting.tolist()
        gaps.append(at_large(system, answer_of(policy, system), expected))
    found = cases("system", gaps, seed=32).measure(lambda far: far)
    yield everywhere("answers and formulas at any load", found, equal(ROUNDING))


def up_down(shares, arrivals, services, permanent):
    """UD for two groups: the four measures, None where no answer is known, or the groups whose queues grow."""
    for first in (0, 1):
        last, order = 1 - first, slice(None, None, 1 - 2 * first)
        front = [(0.4, 0.6)[k == first] for k in (0, 1)]
        if permanent[first] == 0:
            expected = in_order("HOL", front, arrivals, services, last if permanent[last] else None)
            if permanent[last] == 1:
                expected[2, last] = np.nan
            expected[3, last] = expected[3, last] if permanent[last] == 0 else np.nan
        elif permanent[first] == 1 and permanent[last]:
            obtained, uneven = beside_one(arrivals[order], services[order])
            rate, own, other = arrivals[first], services[first], services[last]
            ahead = (1 + rate / own) / own + obtained[1] / other
            jobs = [rate / own + rate * ahead / (1 - rate / own), np.nan if arrivals[last] else 0]
            expected = np.array([obtained, [1, 1], [uneven, obtained[1] if permanent[last] > 1 else np.nan], jobs])
            expected = expected[:, order]
        else:
            continue
        owed = np.array(shares) * expected[1] - expected[0]
        if owed[first] > owed[last]:
            return [last] if permanent[first] and arrivals[last] / services[last] >= expected[0, last] else expected
    if not all(permanent):
        return None
    grown = [g for g in (0, 1) if arrivals[g] / services[g] >= shares[g]]
    uneven = [own if n > 1 else np.nan for own, n in zip(shares, permanent)]
    return grown[:1] or np.array([shares, [1, 1], uneven, [np.nan if rate else 0.0 for rate in arrivals]])


def on_up_down():
    """`exact` under UD: where it is HOL, where all obtain their shares, and what it refuses."""
    rng, gaps = np.random.default_rng(33), []
    for number in range(96):
        permanent = [(0, 0), (0, 1), (2, 0), (1, 1), (1, 3), (2, 2)][number % 6]
        system = drawn(rng, rng.uniform(0.05, 0.95), permanent[:: (-1) ** (number // 6)], silent=number % 11 == 10)
        expected = up_down(*system)
        try:
            found = answer_of("UD", system)
        except uniprocessor.UnboundedQueues as error:
            found = list(error.overloaded)
        if isinstance(expected, np.ndarray) and isinstance(found, uniprocessor.SharePerformance):
            found = told(found)
            if system[3].count(0) == 1:
                found[4:, system[3].index(max(system[3]))] = np.nan  # as on the line
            gaps.append(gap(found, whole(*system[:2], expected)))
        else:
            gaps.append(0.0 if type(found) is type(expected) and found == expected else 9.0)
    for loads in ((0.42, 0.1), (0.1, 0.63)):  # a little more than the share of a group
        try:
            uniprocessor.exact("UD", (0.4, 0.6), loads, 1.0, (1, 1))
            gaps.append(9.0)
        except uniprocessor.UnboundedQueues as error:
            gaps.append(gap(error.overloaded, [int(np.argmax(loads))]))
    found = cases("system", gaps, seed=33).measure(lambda far: far)
    yield everywhere("answers of UD and where its priorities go", found, equal(ROUNDING))
