"""Replays of given jobs, against all courses that chance can take."""

import math

import numpy as np

from clustershare import workload
from compendium.press.clauses import cases, everywhere
from compendium.press.clauses.conditions import equal
from pages.agreement import gap
from pages.share_scheduling.central.library.shared import SAME, Model, measures_of


def on_replays():
    """Given jobs: what the library makes of them is one of all courses that chance can take."""
    rng = np.random.default_rng(57)

    def off(model, capacities):
        at, work = np.cumsum(rng.exponential(0.5, 6)), rng.exponential(1.5, 6)
        of = rng.permutation([0, 1, 0, 1, 1, 0])
        jobs = workload.Workload(at.tolist(), work.tolist(), groups=of.tolist())
        may = list(_courses(model, at, work, of, np.array(capacities)))
        more = {} if len(set(capacities)) == 1 else {"capacities": capacities}

        def apart(found, end, means):
            times = end - at
            slow = times / (work / len(capacities) / max(capacities))
            by_group = [[each[of == g].mean() for g in (0, 1)] for each in (times, slow)]
            return max(
                gap(found.end, end), gap(found.mean_response_time, by_group[0]), gap(found.response, times),
                gap(found.mean_slowdown, by_group[1]), gap(found.mean_jobs, means["mean_jobs"]),
                *(gap(getattr(found.performance, name), each) for name, each in means.items()),
            )  # fmt: skip

        found = [workload.replay_dispatch(jobs, seed=seed, **model.arguments, **more) for seed in range(3)]
        return max(min(apart(one, *course) for course in may) for one in found)

    half, unequal = (0.5, 0.5), (0.6, 0.4)
    systems = [
        (Model("JSQ", migration=True, local="PPS"), unequal), (Model("HP", migration=True, local="GPPS"), unequal),
        (Model("SVP", migration=True, local="PPS"), half), (Model("DVP", migration=False, local="GPPS"), half),
        (Model("SVP", local="GPPS"), half), (Model("SPILL", migration=True), half),
        (Model("JSQ", processors=1, local="PPS"), (1.0,)),
    ]  # fmt: skip
    return (everywhere("ends of given jobs, and shares, and those of a course of the printed rules",
                       cases("system", systems, seed=57).measure(off), equal(SAME)),)  # fmt: skip


def _courses(model, at, work, of, capacities):
    """For each course of chance the ends of given jobs, and what is measured."""
    G, P = len(model.shares), model.processors

    def go_on(now, come, there, left, end, past):
        jobs = tuple(tuple(sum(of[j] == g and p == q for j, q in there.items()) for g in range(G)) for p in range(P))
        if come == len(at) and not there:
            ends, (held, *states) = np.array([end[j] for j in range(len(at))]), map(np.array, zip(*past))
            yield ends, measures_of(model, held / (ends.max() - at[0]), *states, capacities)
            return
        served = np.array([model.rules.served(p, row) for p, row in enumerate(jobs)], float) * capacities[:, None]
        rate = {j: P * served[p, of[j]] / jobs[p][of[j]] for j, p in there.items()}
        first = min(there, key=lambda j: left[j] / rate[j], default=None)
        until = now + left[first] / rate[first] if there else math.inf
        arriving = come < len(at) and at[come] < until
        until = at[come] if arriving else until
        left = {j: left[j] - rate[j] * (until - now) for j in there}
        past = (*past, (until - now, jobs, served))
        j, q = (come, None) if arriving else (first, there[first])
        for outcome in model.events(jobs, of[j], q):
            after, rest = {k: p for k, p in there.items() if k != j}, dict(left)
            if arriving:
                after[j], rest[j] = outcome.processor, work[j]
            ways = [after]
            for move in outcome.moves:
                ways = [
                    way | {k: move.target} for way in ways for k, p in way.items()
                    if k != j and p == move.source and of[k] == move.group
                ]  # fmt: skip
            for way in ways:
                yield from go_on(until, come + arriving, way, rest, end if arriving else end | {j: until}, past)

    yield from go_on(at[0], 0, {}, {}, {}, ())
