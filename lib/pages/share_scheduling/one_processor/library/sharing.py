"""PPS and GPPS, and what grows in an overload, against chains of the numbers of jobs."""

import itertools
import math

import numpy as np

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.uniprocessor import chain
from clustershare.uniprocessor.analysis import sharing_rule
from clustershare.uniprocessor.model import Workload
from compendium.press.clauses import cases, equalities, everywhere, fact
from compendium.press.clauses.conditions import equal
from pages.agreement import gap
from pages.share_scheduling.one_processor.library.shared import ROUNDING, classes, drawn, lost, solved, told, whole
from pages.share_scheduling.one_processor.simulated import IN_BOUND, bounded


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
