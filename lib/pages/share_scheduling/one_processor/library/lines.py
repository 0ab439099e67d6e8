"""Whole lines, and exact answers beside them, against chains of who waits."""

from collections import Counter

import numpy as np

from clustershare import uniprocessor
from compendium.press.clauses import cases, equalities, everywhere
from compendium.press.clauses.conditions import equal
from pages.agreement import gap
from pages.share_scheduling.one_processor.library.shared import (
    ROUNDING,
    answer_of,
    at_large,
    by_class,
    classes,
    drawn,
    lost,
    solved,
    told,
    whole,
)
from pages.share_scheduling.one_processor.simulated import IN_BOUND, bounded


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


def lines():
    """One job at a time, light loads: policy, system, and how many transient jobs its chain may hold."""
    rng = np.random.default_rng(31)
    for policy, load, most, permanent, kind in (
        ("FCFS", 0.1, 7, (0, 0), {}),
        ("FCFS", 0.05, 5, (0, 0, 0), {"silent": True}),
        ("FCFS", 0.02, 3, (2, 0, 1), {"alike": True}),
        ("FCFS", 0.03, 3, (1, 2), {}),
        ("FCFS", 0.02, 2, (1, 3), {"alike": True}),
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
