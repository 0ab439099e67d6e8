"""All that the library answers on one processor, held against what knows none of its formulas (`thesis`, Chapter 3).

Few systems, each with much at once: unequal and equal shares in no order, unequal rates, groups without arrivals,
permanent jobs. A witness reads what is given, never what the library makes of it.
"""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
from scipy import linalg, stats

from clustershare import arrivals as streams
from clustershare import fair_queueing, sizes, uniprocessor
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from clustershare.uniprocessor import chain
from clustershare.uniprocessor.analysis import sharing_rule
from clustershare.uniprocessor.model import Workload
from compendium.press.clauses import cases, equalities, everywhere, fact
from compendium.press.clauses.conditions import agrees, at_most, equal
from pages.agreement import gap, reached, stationary
from pages.share_scheduling.one_processor import printed
from pages.share_scheduling.one_processor.simulated import IN_BOUND, bounded, estimates
from pages.share_scheduling.one_processor.witnesses.paths import intervals

ROUNDING = 1e-9
MEASURES = ("obtained_share", "probability_present", "job_share_deviation", "mean_jobs")


def whole(shares, arrivals, measures):
    """All that a result tells, of the four measures: the deviation by its definition, and times by Little's law."""
    obtained, present, uneven, jobs = np.array(measures, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(np.array(arrivals) > 0, jobs / np.array(arrivals), np.nan)
    return np.array([present - obtained / np.array(shares), *measures, times])


def told(result):
    """The same of a result."""
    names = ("group_share_deviation", *MEASURES, "mean_response_time")
    return np.array([getattr(result, name) for name in names])


def at_large(system, found, expected):
    """The gap of a result from the four measures."""
    return gap(told(found), whole(system[0], system[1], expected))


# Chains, state by state.


def solved(start, moves):
    """States reached from one, their stationary law, and the transitions between their places."""
    states, rates = reached(start, moves)
    return states, stationary(rates), (*rates.coords, rates.data)


def classes(policy, shares):
    """Of each group, 0 served first."""
    if policy == "FCFS":
        return [0] * len(shares)
    return [sorted({round(other, 9) for other in shares}, reverse=True).index(round(one, 9)) for one in shares]


def line(policy, shares, arrivals, services, permanent, most, order="first"):
    """The chain of who is served and who waits: states, their law, transitions, the four measures, lost jobs' states.

    A state is the job in service (under PQ None) and those in line, those of the first class in front; a job is its
    group, plus the number of groups if it is permanent.
    """
    groups, rank = len(shares), classes(policy, shares)

    def joined(waiting, job):
        key = (lambda one: (rank[one % groups], one)) if order == "random" else (lambda one: rank[one % groups])
        return tuple(sorted((*waiting, job), key=key))

    def begun(waiting, back=None):
        if policy == "PQ":
            return [(1.0, (None, waiting if back is None else joined(waiting, back)))]
        if not waiting:
            return [(1.0, (back, ()))]
        front = [k for k, job in enumerate(waiting) if rank[job % groups] == rank[waiting[0] % groups]]
        front = {"first": front[:1], "last": front[-1:], "random": front}[order]
        rests = [(waiting[k], waiting[:k] + waiting[k + 1 :]) for k in front]
        return [(1 / len(front), (job, rest if back is None else joined(rest, back))) for job, rest in rests]

    def served(state):
        return (state[1][0] if state[1] else None) if policy == "PQ" else state[0]

    def inside(state):
        return [*state[1], *([] if state[0] is None else [state[0]])]

    def moves(state):
        job, waiting = served(state), state[1]
        if sum(one < groups for one in inside(state)) < most:
            for group in range(groups):
                if arrivals[group] > 0:
                    starts = job is None and policy != "PQ"
                    yield arrivals[group], (group, ()) if starts else (state[0], joined(waiting, group))
        if job is not None:
            rest = waiting[1:] if policy == "PQ" else waiting
            for part, target in begun(rest, job if job >= groups else None):
                yield services[job % groups] * part, target

    lasting = ()
    for group, number in enumerate(permanent):
        for _ in range(number):
            lasting = joined(lasting, groups + group)
    states, law, transitions = solved(begun(lasting)[0][1], moves)
    number = np.array([[sum(one == kind for one in inside(state)) for kind in range(2 * groups)] for state in states]).T
    mine = np.array([[served(s) is not None and served(s) % groups == g for s in states] for g in range(groups)])
    jobs = number[:groups] + number[groups:]
    measures = np.array([mine @ law, (jobs > 0) @ law, (mine & (jobs > 1)) @ law, number[:groups] @ law])
    return states, law, transitions, measures, number[:groups], [served(state) for state in states]


def divided(policy, shares, jobs):
    """Who obtains what of the processor where all are served at once."""
    claims = [{"PS": n, "PPS": r * n, "GPPS": r * (n > 0)}[policy] for r, n in zip(shares, jobs)]
    return [claim / sum(claims) if claim else 0.0 for claim in claims]


def numbers(policy, shares, arrivals, services, permanent, most):
    """The chain of the numbers of transient jobs where all are served at once: states, law, and the four measures."""
    groups = range(len(shares))

    def moved(state, group, by):
        return (*state[:group], state[group] + by, *state[group + 1 :])

    def moves(state):
        jobs = [n + p for n, p in zip(state, permanent)]
        obtained = divided(policy, shares, jobs)
        for group in groups:
            if arrivals[group] > 0 and sum(state) < most:
                yield arrivals[group], moved(state, group, 1)
            if state[group]:
                yield services[group] * obtained[group] * state[group] / jobs[group], moved(state, group, -1)

    states, law, _ = solved((0,) * len(shares), moves)
    jobs = np.array(states) + np.array(permanent)
    obtained = np.array([divided(policy, shares, row) for row in jobs.tolist()])
    return states, law, np.array([law @ obtained, law @ (jobs > 0), np.zeros(len(shares)), law @ np.array(states)])


def lost(shares, arrivals, services, law, transient, most, slack=None):
    """The bound of a chain: the work lost at its boundary, and for how long it would have been in the way."""
    loads = np.divide(arrivals, services)
    full = transient.sum(axis=0) == most
    work = law[full] @ (np.sum(arrivals) * (np.divide(1, services) @ transient[:, full]) + loads.sum())
    return work / (1 - loads.sum() if slack is None else slack) / min(shares)


# Systems at random: shares on both sides of 1/2 in no order, unequal rates, and a group without arrivals.


def drawn(rng, load, permanent, ties=False, silent=False, alike=False):
    """Shares, arrival rates, service rates and permanent jobs."""
    groups = len(permanent)
    shares = 0.1 + (1 - 0.1 * groups) * rng.dirichlet(np.ones(groups))
    if ties:
        shares[-1] = shares[0] = (shares[0] + shares[-1]) / 2
    services = np.full(groups, rng.uniform(0.5, 2)) if alike else np.exp(rng.uniform(-0.7, 0.7, groups))
    parts = 0.2 / groups + 0.8 * rng.dirichlet(np.ones(groups))
    if silent:
        parts[rng.integers(groups)] = 0
    arrivals = load * parts / parts.sum() * services
    return shares.tolist(), arrivals.tolist(), services.tolist(), list(permanent)


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


def by_class(shares, values):
    """Values named from the first class to the last, for the groups as they stand."""
    found = [0] * len(shares)
    for value, group in zip(values, np.argsort(-np.array(shares), kind="stable").tolist()):
        found[group] = value
    return found


def lines():
    """One job at a time, light loads: policy, system, and how many transient jobs its chain may hold."""
    rng = np.random.default_rng(31)
    for policy, load, most, permanent, kind in (
        ("FCFS", 0.1, 7, (0, 0), {}),
        ("FCFS", 0.05, 5, (0, 0, 0), {"silent": True}),
        ("FCFS", 0.02, 3, (2, 0, 1), {"alike": True}),
        ("FCFS", 0.03, 3, (1, 2), {}),
        ("HOL", 0.06, 6, (0, 0, 0), {"ties": True}),
        ("HOL", 0.05, 5, (0, 0, 2), {}),
        ("HOL", 0.05, 5, (0, 1), {}),
        ("HOL", 0.06, 6, (1, 1), {}),
        ("HOL", 0.06, 6, (1, 2), {}),
        ("HOL", 0.04, 4, (2, 1, 0), {"alike": True}),
        ("PQ", 0.1, 7, (0, 0, 0), {"ties": True}),
        ("PQ", 0.1, 7, (0, 0, 1), {}),
        ("PQ", 0.1, 6, (0, 2), {}),
        ("PQ", 0.1, 6, (1, 0, 2), {}),
    ):
        shares, arrivals, services, _ = drawn(rng, load, permanent, **kind)
        permanent = by_class(shares, permanent)
        starved = {"PQ": 1, "HOL": 2}.get(policy, 9)
        above = [sum(n for n, other in zip(permanent, shares) if other > own) for own in shares]
        arrivals = [0.0 if policy != "FCFS" and n >= starved else rate for rate, n in zip(arrivals, above)]
        yield policy, (shares, arrivals, services, permanent), most


def unknown(policy, shares, arrivals, permanent):
    """Where the four measures have no formula: a lone permanent job below others, and who waits behind one."""
    known = np.zeros((4, len(shares)))
    for group, (own, rate, lasting) in enumerate(zip(shares, arrivals, permanent)):
        first = own == max(shares) or policy == "FCFS"
        behind = sum(n for n, other in zip(permanent, shares) if other > own and policy != "FCFS")
        starved = behind >= (1 if policy == "PQ" else 2)
        known[2, group] = np.nan if lasting == 1 and not first and not starved else 0
        known[3, group] = np.nan if behind and rate > 0 else 0
    return known


def starts(chain_of_line, job, lasting, most):
    """Rates at which a service of a job starts, by the jobs of its group then: after a completion, or while none is."""
    _, law, (source, target, rate), _, transient, served = chain_of_line
    found, group = np.zeros(most), job % len(lasting)
    for a, b, flow in zip(source, target, rate * law[source]):
        if served[b] == job and (served[a] is None or transient[:, b].sum() <= transient[:, a].sum()):
            found[transient[group, b] + lasting[group]] += flow
    return found


def in_line(found, order):
    """States of a whole line as those of `line`; of classes that serve the last to come, he stands in front."""
    for job, waiting in found.states:
        yield job, tuple(one for own in waiting for one in (own[::-1] if order == "last" else own))


def flows(transitions, states):
    """Rates from state to state."""
    found = Counter()
    for source, target, rate in zip(*transitions):
        found[states[source], states[target]] += rate
    return found


def apart(one, other):
    """How far two tables are apart."""
    return max(abs(one[key] - other[key]) for key in {*one, *other})


def on_lines():
    """`whole_line` and `exact` against chains of the line."""
    rows, answers, pairs = [], [], []
    for number, (policy, system, most) in enumerate(lines()):
        given, permanent = system[:3], system[3]
        orders = ("first", *(("random",) if number % 2 else ()), *(() if any(permanent) else ("last",)))
        for order in orders if policy != "PQ" else ("first",):
            found = uniprocessor.whole_line(policy, *system, most_jobs=most, order=order)
            ours = states, law, _, measures, transient, _ = line(policy, *system, most, order)
            bound, where = lost(*given, law, transient, most), dict(zip(states, law.tolist()))
            theirs = list(in_line(found, order))
            jobs = [k for k in range(2 * len(permanent)) if (found.serving == k).any()]
            begun = [(found.starts(job), starts(ours, job, permanent, len(found.starts(job)))) for job in jobs]
            counts = found.transient @ found.probability, found.jobs @ found.probability
            rows.append({
                "a whole line and the chain of it": at_large(system, found.performance, measures),
                "the law of its states and theirs": gap(found.probability, [where[state] for state in theirs]),
                "its transitions and theirs": apart(flows(found.transitions, theirs), flows(ours[2], states)),
                "its numbers of jobs and those": gap(counts, (measures[3], measures[3] + permanent)),
                "its starts and those": max(gap(*both) for both in begun),
                "its bound and what is lost": gap(found.performance.error / bound, 1),
            })  # fmt: skip
            if order == "first" and (answer := answer_of(policy, system)):
                expected = whole(*system[:2], measures + unknown(policy, system[0], system[1], permanent))
                answers.append(gap(answer.error, 0) + gap(np.isnan(told(answer)), np.isnan(expected)))
                pairs.append((np.nanmax(np.abs(told(answer)[:5] - expected[:5])), bound))
    found = cases("line", range(len(rows)), seed=31).measure(lambda k: rows[k])
    yield from equalities(found, ROUNDING)
    found = cases("line", answers, seed=31).measure(float)
    yield everywhere("errors of exact answers, and nan where there is no formula", found, equal(0))
    yield everywhere("the gap of an exact answer", bounded(pairs, "line"), IN_BOUND)


def answer_of(policy, system):
    """The exact answer, or None where there is none."""
    try:
        return uniprocessor.exact(policy, *system)
    except NoExactAnswer:
        return None


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


# All jobs at once.


def saturated(shares, loads, permanent):
    """GPPS beside permanent jobs: whose queues grow, among all sets of groups the one that is as it says."""
    groups = range(len(shares))
    for size in range(len(shares) + 1):
        for grown in itertools.combinations([g for g in groups if not permanent[g]], size):
            always = [g for g in groups if permanent[g] or g in grown]
            free = 1 - sum(loads[g] for g in groups if g not in always)
            part = {g: free * shares[g] / sum(shares[k] for k in always) for g in always}
            # A group that is not always there needs less than its part, were it there.
            small = (g for g in groups if g not in always)
            least = all(loads[g] * sum(shares[k] for k in always) < shares[g] * free for g in small)
            if least and all(loads[g] >= part[g] for g in grown):
                return [g for g in always if loads[g] >= part[g] and loads[g] > 0]
    return None


def on_sharing():
    """PPS and GPPS: `exact`, the chain that it cuts, and response times for any number of groups."""
    rng, rows, pairs = np.random.default_rng(34), [], []
    for policy, load, most, permanent, kind in (
        ("PPS", 0.4, 35, (0, 0), {}),
        ("GPPS", 0.3, 30, (0, 0), {}),
        ("PPS", 0.2, 14, (0, 0, 0), {"silent": True}),
        ("GPPS", 0.12, 10, (0, 0, 0), {"ties": True}),
        ("PPS", 0.25, 30, (1, 2), {}),
        ("PPS", 0.1, 14, (0, 2, 1), {"silent": True}),
        ("GPPS", 0.2, 30, (0, 1), {}),
    ):
        system = drawn(rng, load, permanent, **kind)
        shares, arrivals, services, permanent = system
        loads = np.divide(arrivals, services)
        states, law, measures = numbers(policy, *system, most)
        expected = whole(shares, arrivals, measures)
        ours = lost(*system[:3], law, np.array(states).T, most)
        for tolerance, wanted in ((1e-10, {}), (0.03, {"tolerance": 0.03})):
            found = uniprocessor.exact(policy, *system, **wanted)
            far = np.abs(told(found)[:5] - expected[:5]).max()
            pairs.append((far, found.error + ours) if found.error <= tolerance else (math.inf, 0.0))
        level, work = 5, Workload(policy, *system)
        states, law, _ = numbers(policy, *system, level)
        slack = 1 - loads.sum()
        if policy == "GPPS" and permanent == [0, 1]:  # group 1 must stay below what group 2, always there, leaves to it
            slack = min(slack, shares[0] - loads[0])
        transient, found = chain.distribution(level, work, sharing_rule(work))
        place = {state: k for k, state in enumerate(states)}
        wanted = [law[place[state]] if state in place else 0.0 for state in map(tuple, transient.T.tolist())]
        full = transient.sum(axis=0) == level
        bound = lost(*system[:3], law, np.array(states).T, level, slack)
        order = sorted(each for each in itertools.product(range(level + 1), repeat=len(shares)) if sum(each) <= level)
        rows.append({
            "a chain cut short and the one of its numbers": gap(found, wanted) + gap(transient.T, order),
            "what is said to be lost at its end": gap(chain.tail(work, transient[:, full], found[full]) / bound, 1),
            "places of states and their order": gap(chain.rank(level, transient), np.arange(len(order))),
        })  # fmt: skip
    found = cases("system", range(len(rows)), seed=34).measure(lambda k: rows[k])
    yield from equalities(found, ROUNDING)
    yield everywhere("the gap of PPS and GPPS", bounded(pairs, "answer"), IN_BOUND)

    def times(groups, load):
        """W_k = 1 / mu_k + sum_j lambda_j g_j (W_k + W_j) / (mu_j g_j + mu_k g_k)."""
        weights, arrivals, services, _ = drawn(rng, load, (0,) * groups, silent=groups > 2)
        g, lam, mu = np.array(weights), np.array(arrivals), np.array(services)
        part = lam * g / np.add.outer(mu * g, mu * g)
        expected = np.linalg.solve(np.diag(1 - part.sum(axis=1)) - part, 1 / mu)
        return gap(uniprocessor.discriminatory_response_times(7 * g, arrivals, services), expected)

    found = cases("system", [(2, 0.5), (8, 0.9), (5, 0.98)], seed=34).measure(times)
    yield everywhere("response times and the equations of Fayolle, Mitrani and Iasnogorodski", found, equal(ROUNDING))


def overloads():
    """`limiting`, and what `exact` refuses, beside permanent jobs."""
    rng, gaps = np.random.default_rng(35), []
    for number in range(280):
        policy = uniprocessor.POLICIES[number % 7]
        permanent = (
            rng.choice(3, 3, p=(0.5, 0.25, 0.25)).tolist() if policy != "UD" else [2, int(rng.integers(1, 4)), 2]
        )
        shares, arrivals, services, _ = drawn(rng, rng.uniform(0.3, 0.95), permanent, ties=number % 3 == 0)
        loads, rank = np.divide(arrivals, services), classes(policy, shares)
        grown = []
        if policy == "GPPS" and any(permanent):
            grown = saturated(shares, loads, permanent)
        elif policy == "UD" and min(permanent) > 1:
            grown = [g for g in range(3) if loads[g] >= shares[g]]
        elif policy in ("HOL", "PQ"):
            above = [sum(n for n, k in zip(permanent, rank) if k < rank[g]) for g in range(3)]
            grown = [g for g in range(3) if above[g] >= (1 if policy == "PQ" else 2)]
        found = uniprocessor.limiting(policy, shares, arrivals, services, permanent)
        rates = [0.0 if g in grown else rate for g, rate in enumerate(arrivals)]
        lasting = [max(1, n) if g in grown else n for g, n in enumerate(permanent)]
        gaps.append(gap(found["arrival_rates"], rates) + gap(found.get("permanent_jobs", [0] * 3), lasting))
        gaps[-1] += gap(found["service_rates"], services) + gap(found["required_shares"], shares)
        try:
            Workload(policy, shares, arrivals, services, permanent)
            gaps[-1] += 9.0 * bool(grown)
        except uniprocessor.UnboundedQueues as error:
            gaps[-1] += 9.0 * (list(error.overloaded) != grown)
    found = cases("system", gaps, seed=35).measure(lambda far: far)
    yield everywhere("limits of overloads", found, equal(0))
    refused = 0
    for policy in uniprocessor.POLICIES:
        for door in (uniprocessor.exact, uniprocessor.simulate):
            try:
                door(policy, (0.3, 0.7), (0.5, 1.1), (2.0, 1.4))
            except UnstableError:
                refused += 1
    yield fact("a load above 1 is refused by all", refused == 14, "a load above 1 is not refused by all")


# Simulations.


def constants():
    """Simulations in which all times are constants, and one group arrives, against a path of the same: gaps."""
    one, rows = sizes.Deterministic(1.0), []
    for policy in uniprocessor.POLICIES:
        for system in (
            ((0.2, 0.3, 0.5), (0.0, 0.0, 0.311), (0.7, 1.3, 1.1), (1, 2, 0)),
            ((0.23, 0.6, 0.17), (0.0, 0.5003, 0.0), (1.7, 0.9, 1.1), (2, 1, 0)),
            ((0.27, 0.45, 0.28), (0.317, 0.0, 0.0), (1.0, 0.9, 1.3), (0, 0, 0)),
        ):
            run = {"jumps": 300, "warmup": 61, "replications": 2, "seed": 0}
            found = uniprocessor.simulate(policy, *system, sizes=one, arrivals=one, records=True, **run)
            sums, elapsed, left, before = np.zeros((4, 3)), 0.0, [], []
            path = intervals(policy, *system, events=361, seed=0, law="deterministic", between="deterministic")
            for step, now in enumerate(path):
                if step > 61:
                    left += [job for job in before if job.departure == now.start]
                before = [job for job in now.jobs if not job.permanent]
                if step >= 61:
                    elapsed += now.length
                    uneven = [now.job_share_deviation(group) for group in range(3)]
                    transient = [sum(job.group == group for job in before) for group in range(3)]
                    sums += now.length * np.array([now.obtained(3), np.sign(now.present(3)), uneven, transient])
            left += [job for job in before if not math.isnan(job.departure)]
            values = np.array([value.value for value in told(found)])
            response = np.mean([job.departure - job.arrival for job in left])
            waits = np.mean([job.periods[0][0] - job.arrival for job in left])
            group = int(np.argmax(system[1]))
            seen = [getattr(found.records, f"mean_{name}") for name in ("response_time", "wait", "slowdown")]
            seen = [found.records.jobs[group], *(estimate.value[group] for estimate in seen)]
            met = 2 * len(left), response, waits, response * system[2][group]
            rows.append({
                "a simulation of constants and its path": gap(values, whole(*system[:2], sums / elapsed)),
                "its records and the jobs of the path": gap(seen, met),
            })  # fmt: skip
    found = cases("run", range(len(rows))).measure(lambda k: rows[k])
    return equalities(found, ROUNDING)


RUN = {"jumps": 4000, "warmup": 600, "replications": 30}


def by_chance():
    """Simulations of every policy, in expected times and in drawn ones, against exact answers."""
    rng, expected, found = np.random.default_rng(36), [], []
    listed = (
        ("FCFS", 0.7, (0, 0, 0), {"silent": True}),
        ("FCFS", 0.6, (2, 0, 1), {"alike": True}),
        ("HOL", 0.7, (0, 0, 0), {"ties": True}),
        ("HOL", 0.6, (0, 0, 2), {}),
        ("HOL", 0.5, (1, 2), {}),
        ("UD", 0.7, (0, 0), {}),
        ("UD", 0.3, (2, 2), {}),
        ("PQ", 0.7, (0, 0, 0), {"ties": True}),
        ("PQ", 0.5, (0, 0, 2), {}),
        ("PS", 0.5, (1, 0, 2), {}),
        ("PPS", 0.6, (0, 0), {}),
        ("PPS", 0.3, (2, 0), {}),
        ("GPPS", 0.6, (0, 0), {}),
        ("GPPS", 0.2, (0, 2, 0), {}),
    )
    for number, (policy, load, permanent, kind) in enumerate(listed):
        shares, arrivals, services, _ = drawn(rng, load, permanent, **kind)
        if policy == "UD" and not any(permanent):
            shares, arrivals = [0.1, 0.9], [0.45 * services[0], 0.2 * services[1]]
        system = shares, arrivals, services, by_class(shares, permanent)
        answer = told(uniprocessor.exact(policy, *system))
        for drawn_times in ({}, {"sizes": sizes.Exponential(), "records": True}):
            result = uniprocessor.simulate(policy, *system, **RUN, seed=number, **drawn_times)
            expected += list(answer)
            found += list(told(result))
            if drawn_times:
                expected.append(answer[5])
                found.append(result.records.mean_response_time)
                wait = answer[5] - np.divide(1, services)
                expected.append(wait if policy in ("FCFS", "HOL", "UD") else np.where(policy == "PQ", np.nan, 0 * wait))
                found.append(result.records.mean_wait)
    yield everywhere("simulations less what is exact", estimates(expected, found, 30), agrees())
    between = (0.6, 0.4), (0.3, 0.6), (1.0, 2.0)  # UD with no exact answer draws all times, as with a law that is named
    one, other = (
        uniprocessor.simulate("UD", *between, **{**RUN, "replications": 3}, **more, seed=3)
        for more in ({}, {"sizes": sizes.Exponential()})
    )
    gaps = [gap(first.value, second.value) for first, second in zip(told(one), told(other))]
    yield everywhere("UD with and without a law", cases("measure", gaps).measure(float), equal(ROUNDING))


# Laws of sizes and of arrivals.


def phases(*parts):
    """A mixture of Erlangs as (phases, mean of each, probability): mean, second moment, distribution function."""
    first = sum(p * k * m for k, m, p in parts)
    second = sum(p * k * (k + 1) * m**2 for k, m, p in parts)
    return first, second, lambda x: sum(p * stats.gamma.cdf(x, k, scale=m) for k, m, p in parts)


def known_law(law):
    """The same of a law of `scipy.stats`."""
    return law.mean(), law.var() + law.mean() ** 2, law.cdf


def laws():
    """Laws, and for each mean, second moment, distribution function, and its components if it is of phases."""
    mixture = ((1, 0.4, 0.7), (1, 2.4, 0.3))
    yield sizes.Exponential(1.0), phases((1, 1, 1)), ((1, 1, 1),)
    yield sizes.Hyperexponential((0.4, 2.4), (0.7, 0.3)), phases(*mixture), mixture
    mixture = ((3, 0.25, 0.8), (8, 0.25, 0.2))
    yield sizes.ErlangMixture(0.25, (3, 8), (0.8, 0.2)), phases(*mixture), mixture
    mixture = ((2, 0.25, 0.8), (1, 3.0, 0.2))
    yield sizes.HyperErlang((0.25, 3.0), (2, 1), (0.8, 0.2)), phases(*mixture), mixture
    yield sizes.Deterministic(1.0), (1.0, 1.0, None), None
    yield sizes.Pareto(1.0, 4.5), known_law(stats.pareto(4.5, scale=3.5 / 4.5)), None
    yield sizes.Weibull(1.0, 0.7), known_law(stats.weibull_min(0.7, scale=1 / math.gamma(1 + 1 / 0.7))), None
    normal = stats.lognorm(math.sqrt(math.log(2.5)), scale=1 / math.sqrt(2.5))
    yield sizes.LogNormal(1.0, 1.5), known_law(normal), None
    yield sizes.Gamma(1.0, 0.6), known_law(stats.gamma(0.6, scale=1 / 0.6)), None
    values, weights = (0.2, 1.0, 2.6), (0.5, 0.25, 0.25)
    steps = 1.0, sum(w * v**2 for v, w in zip(values, weights)), None
    yield sizes.Empirical((2.6, 0.2, 1.0, 0.2), (5, 4, 5, 6)), steps, None
    yield sizes.Empirical((1.75, 0.25, 1.0)), (1.0, (1.75**2 + 0.25**2 + 1) / 3, None), None
    yield sizes.bimodal_hyperexponential(), *(f((1, 5, 1 / 6), (1, 0.2, 5 / 6)) for f in (phases, lambda *m: m))
    yield sizes.bimodal_phases(), *(f((25, 0.2, 1 / 6), (1, 0.2, 5 / 6)) for f in (phases, lambda *m: m))


def others():
    """Laws of any mean, and what each must have: mean, and variance over squared mean."""
    yield sizes.fitted_hyperexponential(3.0, 7.0), 3.0, 7.0
    yield sizes.Pareto(2.0, 3.5), 2.0, 1 / 3.5 / 1.5
    yield sizes.Pareto(2.0, 1.7), 2.0, math.inf
    yield sizes.Weibull(2.5, 0.5), 2.5, 5.0
    yield sizes.LogNormal(2.0, 3.0), 2.0, 3.0
    yield sizes.Gamma(2.0, 0.25), 2.0, 4.0
    yield sizes.Exponential(0.3), 0.3, 1.0
    yield sizes.Deterministic(4.0), 4.0, 0.0
    yield sizes.Empirical((4.0, 1.0), (1, 2)), 2.0, 0.5
    parts = [k**-2.5 for k in range(1, 41)]
    mean = sum(k * p for k, p in enumerate(parts, 1)) / sum(parts)
    second = sum(k * (k + 1) * p for k, p in enumerate(parts, 1)) / sum(parts)
    yield sizes.zipf_phases(40, 2.5), mean, second / mean**2 - 1


def told_moments(law):
    """What a law says of itself."""
    return law.mean, law.variance, law.standard_deviation, law.squared_variation


def moments(mean, squared):
    """The same by mean and squared coefficient of variation."""
    return mean, squared * mean**2, math.sqrt(squared) * mean, squared


def on_laws():
    """Laws: what they say, draw, and do to a line."""
    rows, drawn_far, expected, found = [], [], [], []
    listed = list(laws())
    for number, (law, (mean, second, below), mixture) in enumerate(listed):
        sample = law.sample(np.random.default_rng(number), 10_000)
        far = gap(told_moments(law), moments(mean, second / mean**2 - 1))
        if mixture:
            far += gap(law.erlang_mixture(), np.transpose(mixture))
        rows.append(far)
        if below:
            drawn_far.append(stats.kstest(sample, below).statistic)
        drawn_far.append(abs(sample.mean() - 1) / max(0.01, math.sqrt(second - 1)) / 3)
        # Pollaczek and Khinchine: all of one mean, a third of the arrivals of the law before this one.
        pair = listed[number - 1], listed[number]
        rates = np.array([0.2, 0.4])
        wait = rates @ [one[1][1] for one in pair] / 2 / (1 - rates.sum())
        result = uniprocessor.simulate("FCFS", (0.3, 0.7), rates, sizes=[one[0] for one in pair], **RUN, seed=number)
        expected += [rates * (1 + wait), rates]
        found += [result.mean_jobs, result.obtained_share]
    rows += [
        gap([v for v in told_moments(law) if v < math.inf], [v for v in moments(*m) if v < math.inf])
        for law, *m in others()
    ]
    yield everywhere("moments of laws and those of what is given", cases("law", rows).measure(float), equal(ROUNDING))
    yield everywhere("how far drawn sizes are from their law", cases("sample", drawn_far).measure(float), at_most(0.02))
    yield everywhere(
        "lines of sizes of any law, less Pollaczek and Khinchine,", estimates(expected, found, 30), agrees()
    )


def by_phase(rates, switching, load, most=90):
    """Mean number in a queue with one server whose Poisson arrivals depend on a phase: its chain, service rate 1."""

    def moves(state):
        phase, jobs = state
        yield from ((rate, (to, jobs)) for to, rate in enumerate(switching[phase]) if rate)
        if jobs < most and rates[phase]:
            yield load * rates[phase], (phase, jobs + 1)
        if jobs:
            yield 1.0, (phase, jobs - 1)

    states, law, _ = solved((0, 0), moves)
    return law @ np.array(states)[:, 1]


def by_hours(rates, durations, load, most=60):
    """The same where phases take turns, each of a constant time, by matrix exponentials."""
    start, jobs, parts = np.eye(most), np.arange(most), []
    for rate, time in zip(rates, durations):
        Q = np.diag(np.full(most - 1, load * rate), 1) + np.diag(np.ones(most - 1), -1)
        Q -= np.diag(Q.sum(axis=1))
        wide = np.zeros((2 * most, 2 * most))
        wide[:most, :most], wide[:most, most:] = Q * time, np.eye(most) * time
        both = linalg.expm(wide)
        parts.append((start, both[:most, most:]))
        start = start @ both[:most, :most]
    law = np.linalg.solve((start.T - np.eye(most) + 1), np.ones(most))
    return sum(law @ before @ spent @ jobs for before, spent in parts) / sum(durations)


def renewal(transform, load):
    """Mean number in GI/M/1 with service rate 1, from the transform of the times between arrivals, of mean 1."""
    sigma = 0.5
    for _ in range(500):
        sigma = transform((1 - sigma) / load)
    return load / (1 - sigma)


def on_arrivals():
    """Processes: what they say, and what they do to a line."""
    load, law = 0.6, sizes.Hyperexponential((0.4, 2.4), (0.7, 0.3))
    switching = ((0, 0.3, 0.1), (0.2, 0, 0.5), (0.9, 0.4, 0))
    balance = np.array(switching).T - np.diag(np.sum(switching, axis=1))
    stationary = np.linalg.solve(np.vstack([balance[:2], np.ones(3)]), [0, 0, 1])
    rates = np.array([0.3, 1.1, 2.6])
    rates /= stationary @ rates
    modulated = streams.MarkovModulated(rates.tolist(), switching)
    batches = (0.5, 0.2, 0.0, 0.3)
    mean = sum(k * p for k, p in enumerate(batches, 1))
    more = sum(k * (k - 1) * p for k, p in enumerate(batches, 1))
    at_once = load * (1 + more / 2 / mean) / (1 - load)
    of_law = renewal(lambda s: 0.7 / (1 + 0.4 * s) + 0.3 / (1 + 2.4 * s), load)
    listed = (
        (streams.Renewal(sizes.Deterministic(1.0)), renewal(lambda s: math.exp(-s), load)),
        (law, of_law),
        (modulated, by_phase(rates, switching, load)),
        (streams.Bursts((0.5, 3.0), (4.0, 1.0)), by_phase((0.5, 3.0), ((0, 0.25), (1, 0)), load)),
        (streams.Periodic((1.5, 0.25, 1.0), (3.0, 2.0, 1.0)), by_hours((1.5, 0.25, 1.0), (3.0, 2.0, 1.0), load)),
        (streams.Batches(batches), at_once),
        (streams.Batches((1.0,), law), of_law),
    )
    expected, found = [], []
    for number, (process, jobs) in enumerate(listed):
        for policy in ("FCFS", "PS"):
            result = uniprocessor.simulate(policy, (0.3, 0.7), (0.2, 0.4), arrivals=process, **RUN, seed=number)
            expected += [[jobs / 3, jobs / 1.5], [0.2, 0.4]]
            found += [result.mean_jobs, result.obtained_share]
    yield everywhere("lines of arrivals of any process, less what is exact,", estimates(expected, found, 30), agrees())
    parts = modulated.phases()
    chances = np.array(switching) / np.sum(switching, axis=1)[:, None]
    gaps = {
        "laws of phases and their balance": gap(modulated.stationary_law(), stationary)
        + gap(parts[0], rates) + gap(parts[1], 1 / np.sum(switching, axis=1))
        + gap(parts[2], np.vstack([chances, stationary])),
        "means of batches and theirs": gap(streams.Batches(batches).mean, mean),
        "rates of bursts and theirs": gap(streams.Bursts((0.5, 3.0), (4.0, 1.0)).switching, (0.25, 1.0)),
    }  # fmt: skip
    yield from equalities({what: cases("process", [far]).measure(float) for what, far in gaps.items()}, ROUNDING)
    refused = 0
    for policy in uniprocessor.POLICIES:
        try:
            uniprocessor.exact(policy, (0.3, 0.7), (0.2, 0.4), arrivals=law)
        except NoExactAnswer:
            refused += 1
    yield fact(
        "no exact answer is of other arrivals than Poisson", refused == 7, "an exact answer is of other arrivals"
    )


# Packets.


def fluid(arrivals, packets, queues, weights):
    """GPS by the work in each queue: the times where it bends, what queues had by then, and virtual time."""
    work, had, now, clock = [Fraction(0)] * len(weights), [Fraction(0)] * len(weights), Fraction(0), Fraction(0)
    times, service, clocks = [now], [tuple(had)], [clock]

    def until(end):
        nonlocal now, clock
        while now < end and any(work):
            total = sum(weight for weight, left in zip(weights, work) if left)
            spent = min([end - now, *(left * total / weight for weight, left in zip(weights, work) if left)])
            for queue, weight in enumerate(weights):
                served = spent * weight / total if work[queue] else 0
                work[queue], had[queue] = work[queue] - served, had[queue] + served
            now, clock = now + spent, clock + spent / total
            times.append(now)
            service.append(tuple(had))
            clocks.append(clock)
        if now < end < math.inf:
            now = end
            times.append(now)
            service.append(tuple(had))
            clocks.append(clock)

    for arrival, size, queue in zip(arrivals, packets, queues):
        until(Fraction(arrival))
        work[queue] += Fraction(size)
    until(math.inf)
    return times, service, clocks


def at(x, xs, ys):
    """What goes straight from point to point, where it is first x."""
    k = next(k for k, one in enumerate(xs) if one >= x)
    return ys[k] if xs[k] == x else ys[k - 1] + (x - xs[k - 1]) * (ys[k] - ys[k - 1]) / (xs[k] - xs[k - 1])


def sent_in_order(order, arrivals, packets):
    """When packets begin if the one that is least, then first, of those that are there is sent next."""
    left, begins, now = list(range(len(packets))), [0.0] * len(packets), 0.0
    while left:
        now = max(now, min(arrivals[k] for k in left))
        k = min((k for k in left if arrivals[k] <= now), key=lambda k: (order[k], k))
        begins[k] = now
        now += packets[k]
        left.remove(k)
    return begins


def round_robin(arrivals, packets, queues, quanta):
    """Deficit round robin, turn by turn: when packets begin, and in which turn."""
    lines = [[k for k, queue in enumerate(queues) if queue == own] for own in range(len(quanta))]
    begins, turns, credit, now, turn, ring = {}, {}, [0] * len(quanta), 0, 0, []
    seen = 0

    def come():
        nonlocal seen
        while seen < len(packets) and arrivals[seen] <= now:
            if queues[seen] not in ring:
                ring.append(queues[seen])
            seen += 1

    while len(begins) < len(packets):
        come()
        if not ring:
            now = arrivals[seen]
            come()
        own, turn = ring[0], turn + 1
        credit[own] += quanta[own]
        while lines[own] and arrivals[lines[own][0]] <= now and packets[lines[own][0]] <= credit[own]:
            k = lines[own].pop(0)
            begins[k], turns[k] = now, turn
            credit[own] -= packets[k]
            now += packets[k]
            come()
        ring.pop(0)
        if lines[own] and arrivals[lines[own][0]] <= now:
            ring.append(own)
        else:
            credit[own] = 0
    return [begins[k] for k in range(len(packets))], [turns[k] for k in range(len(packets))]


def on_packets():
    """Fair queueing: GPS, virtual times, the orders that follow it, and deficit round robin."""

    def gaps(seed, count):
        rng = np.random.default_rng(seed)
        arrivals = (np.sort(rng.integers(0, 64 * count, count)) / 32).tolist()  # floats that are fractions, exactly
        packets, queues = (rng.integers(1, 12, count) / 2).tolist(), rng.permutation(np.arange(count) % 3).tolist()
        weights = [Fraction(3), Fraction(1), Fraction(2)] if seed % 2 else [Fraction(1)] * 3
        given = arrivals, packets, queues
        times, service, clocks = fluid(*given, weights)
        had, ends, starts, before = np.array(service), [], [], [0, 0, 0]
        for arrival, size, queue in zip(*given):
            curve = had[:, queue].tolist()
            starts.append(max(Fraction(arrival), at(before[queue], curve, times)))
            before[queue] += Fraction(size)
            ends.append(at(before[queue], curve, times))
        virtual = [[at(one, times, clocks) for one in column] for column in (starts, ends)]
        plain = None if seed % 2 == 0 else [3, 1, 2]
        found = fair_queueing.processor_sharing(*given, plain)
        curves = [np.interp(np.array(times, float), found[2], found[3][:, queue]) for queue in range(3)]
        begins = fair_queueing.fair_queueing("FQF", *given)
        bends, ideal, _ = fluid(*given, [Fraction(1)] * 3)
        points, apart = np.unique(np.concatenate([np.array(bends, float), begins, begins + packets])), 0.0
        for queue in range(3):
            own = [(b, size) for b, size, one in zip(begins, packets, queues) if one == queue]
            sent = [sum(min(max(x - b, 0), size) for b, size in own) for x in points]
            wanted = np.interp(points, np.array(bends, float), [float(row[queue]) for row in ideal])
            apart = max(apart, np.abs(sent - wanted).max())
        order = rng.integers(0, 5, count).tolist()
        return {
            "GPS and the work of its queues": gap(found[0], starts) + gap(found[1], ends) + gap(curves, had.T),
            "virtual times and their clock": gap(fair_queueing.virtual_times(*given, plain), virtual),
            "orders by GPS and packets sent so": gap(
                fair_queueing.fair_queueing("FQS", *given, plain), sent_in_order(virtual[0], arrivals, packets)
            ) + gap(fair_queueing.fair_queueing("FQF", *given, plain), sent_in_order(virtual[1], arrivals, packets)),
            "any order and packets sent so": gap(
                fair_queueing.in_order(order, arrivals, packets), sent_in_order(order, arrivals, packets)
            ),
            "deficit round robin and its turns": gap(
                fair_queueing.deficit_round_robin(*given, [4, 1, 2]), round_robin(*given, [4, 1, 2])
            ),
            "the largest difference and all bends": gap(fair_queueing.largest_difference(begins, *given), apart),
        }  # fmt: skip

    return equalities(cases("packets", [(1, 24), (2, 24), (3, 24), (4, 12)], seed=1).measure(gaps), ROUNDING)


# Shares and deviations of a moment.


def answers():
    """Clauses: all that the library answers on the models of this chapter, held against witnesses."""
    return (
        *on_lines(), *in_formulas(), *on_up_down(), *on_sharing(), *overloads(), *constants(), *by_chance(),
        *on_laws(), *on_arrivals(), *on_packets(),
    )  # fmt: skip
