"""Schedules of several processors, and executions of given jobs, piece by piece."""

import itertools
import math

import numpy as np
from scipy.optimize import brentq

from clustershare import (
    execution,
    multiprocessor,
)
from clustershare.arguments import UnstableError
from compendium.press.clauses import cases, equalities, fact
from pages.agreement import gap, refused
from pages.share_scheduling.objectives.library.shared import (
    ROUNDING,
    SYSTEMS,
    differs,
    drawn_weights,
    refusals,
    subsets,
)

# Many processors with free migration (Section 4.2).


def played(plan, capacities):
    """Fractions of time and rates of jobs, and how long one is served twice at once, piece by piece."""
    times = sorted({time for breaks in plan.breaks for time in breaks.tolist()})
    parts, twice = np.zeros((plan.jobs, len(capacities))), 0.0
    for begin, end in itertools.pairwise(times):
        now = []
        for p, (breaks, served) in enumerate(zip(plan.breaks, plan.served)):
            piece = max(k for k, time in enumerate(breaks[:-1]) if time <= begin)
            now.append(int(served[piece]))
            if now[-1] >= 0:
                parts[now[-1], p] += end - begin
        busy = [job for job in now if job >= 0]
        twice += (end - begin) * (len(set(busy)) < len(busy))
    whole = all(breaks[0] == 0 and breaks[-1] == 1 and len(breaks) == len(served) + 1 and (np.diff(breaks) > 0).all()
                for breaks, served in zip(plan.breaks, plan.served))  # fmt: skip
    return parts, parts @ np.array(capacities), twice + 9.0 * (not whole or len(plan.breaks) != len(capacities))


def on_schedules():
    """Rates that can be delivered, schedules of these, and the groups' weights of MGPPS."""

    def fits(rates, capacities):
        return all(sum(some) <= sum(capacities[: len(some)]) + 1e-12 for some in subsets(rates))

    def one(rates, capacities):
        found = {
            "feasibility and sets of jobs": differs(
                multiprocessor.is_feasible(rates, capacities), fits(rates, capacities)
            )
        }
        names = ("rates of a schedule", "of fractions", "of a timetable")
        if not fits(rates, capacities):
            ways = (multiprocessor.schedule, multiprocessor.fractions)
            missed = sum(not refused(UnstableError, way, rates, capacities) for way in ways)
            return {**found, **{f"{name} and those given": float(missed) for name in names}, "overlaps and 0": 0.0,
                    "what is told of a schedule and its pieces": 0.0}  # fmt: skip
        plan, parts = multiprocessor.schedule(rates, capacities), multiprocessor.fractions(rates, capacities)
        table = multiprocessor.timetable(parts)
        gaps = [parts.sum(axis=0).max() - 1, parts.sum(axis=1).max() - 1, -parts.min()]
        own, at_rates, twice = played(plan, capacities)
        in_table, table_rates, also = played(table, capacities)
        times = np.array([0.0, 0.013, 0.21, 0.5, 0.77, 0.999])
        for one in (plan, table):
            now = [
                [int(served[max(k for k, b in enumerate(breaks[:-1]) if b <= time)]) for time in times]
                for breaks, served in zip(one.breaks, one.served)
            ]
            gaps.append(gap(one.at(times), now))
        found |= {
            "rates of a schedule and those given": gap(at_rates, rates) + gap(plan.service_rates(capacities), rates),
            "of fractions and those given": gap(parts @ np.array(capacities), rates) + max(0.0, *gaps),
            "of a timetable and those given": gap(table_rates, rates) + gap(in_table, parts),
            "overlaps and 0": twice + also + plan.overlap + table.overlap,
            "what is told of a schedule and its pieces": gap(plan.fractions, own) + gap(table.fractions, in_table)
            + gap(parts, own) + differs((plan.jobs, table.jobs), (len(rates),) * 2),
        }  # fmt: skip
        return found

    rng, some = np.random.default_rng(4), []
    for P, J in ((1, 2), (2, 3), (3, 5), (4, 2), (4, 6), (8, 9)):
        capacities = np.sort(rng.uniform(0.2, 3, P))[::-1] if P != 8 else np.ones(8)
        rates = drawn_weights(rng, J, P) @ capacities + 1e-3 * capacities[-1]
        rates /= max(
            sum(some) / sum(capacities[: len(some)]) for some in subsets(rates.tolist())
        )  # as much as can be had by some
        some += [(rates.tolist(), capacities.tolist()), ((0.8 * rates).tolist(), capacities.tolist())]
        some.append(((1.0001 * rates).tolist(), capacities.tolist()))
    some += [
        ([1.0, 2.0, 1.0], [2.0, 1.0, 1.0]), ([0.25, 0.5, 0.75, 0.5], [1.0, 0.5, 0.5]), ([0.1], [2.0, 1.0]),
        ([2.0], [2.0, 1.0]), ([1.3], [1.3]), ([1.0, 0.5], [1.0, 0.5, 0.5]),
        ([0.3, 0.2, 0.4, 0.1], [1.0, 0.5]), ([1.5, 0.4, 1.5, 0.3], [2.0, 1.0, 0.5, 0.5]),
    ]  # fmt: skip
    yield from equalities(cases("set of rates", some, seed=4).measure(one), 1e-8)

    # Where no rate is above the slowest processor's, jobs rotate, the largest rate first: each processor is as far
    # behind the one before as the first job has of the time (4.10).
    parts, times = multiprocessor.fractions([0.3, 0.1, 0.2], [0.7, 0.5, 0.4]), np.arange(0.01, 1, 0.02)
    now = multiprocessor.schedule([0.3, 0.1, 0.2], [0.7, 0.5, 0.4]).at(times)
    places = np.searchsorted(np.cumsum([0.3, 0.2, 0.1]) / 1.6, (times - np.arange(3)[:, None] * 0.3 / 1.6) % 1)
    rotates = gap(parts, np.outer([0.3, 0.1, 0.2], [1 / 1.6] * 3)) + gap(now, np.array([0, 2, 1, -1])[places])
    yield fact("small rates rotate", rotates < ROUNDING, "small rates do not rotate")
    try:
        multiprocessor.schedule([0.1, 0.9, 0.2, 0.8], [1.0, 0.5, 0.5])
    except UnstableError as error:
        named = list(error.overloaded)
    yield fact("jobs with too much are named", named == [1, 3], f"other jobs are named: {named}")
    twice = multiprocessor.Schedule(2, (np.array([0, 0.5, 1]), np.array([0, 0.7, 1])), (np.array([0, 1]),) * 2)
    yield fact("an overlap is told", abs(twice.overlap - 0.8) < ROUNDING, f"an overlap of 0.8 is {twice.overlap}")
    idle = [[0.2, 0.1, 0.0], [0.0, 0.55, 0.0], [0.3, 0.3, 0.4]]
    plan = multiprocessor.timetable(idle)
    wrong = gap(played(plan, [1, 1, 1])[0], idle) + played(plan, [1, 1, 1])[2] + gap(plan.fractions, idle)
    yield fact("a timetable of idle processors is kept", wrong < ROUNDING, "it is not kept")
    yield refusals(
        "impossible timetables and times",
        (ValueError, multiprocessor.timetable, [[0.6, 0.0], [0.6, 0.0]]),
        (ValueError, multiprocessor.timetable, [[0.6, 0.6], [0.0, 0.0]]),
        (ValueError, plan.at, [1.0]),
    )

    def shared(capacities, required, jobs):
        """Processors one after another are as a level that rises: each group has its share of it, or all its jobs."""
        room = [0.0]
        for p in range(len(capacities)):
            if sum(jobs) <= p + 1:
                room.append(math.inf)
            else:
                given = lambda level: sum(min(n, r * level) for n, r in zip(jobs, required)) - (p + 1)  # noqa: B023, E731
                top = max(n / r for n, r in zip(jobs, required)) + 1
                room.append(brentq(given, 0, top, xtol=1e-14, rtol=1e-14))
        had = np.array([[min(n, r * level) if n else 0.0 for level in room] for n, r in zip(jobs, required)])
        return gap(multiprocessor.group_weights(required, jobs, capacities), np.diff(had, axis=1))

    some = [system for system in SYSTEMS if len(system[1]) > 1] + [
        ((1.5, 1.0, 0.8), (0.05, 0.9, 0.05), (2, 1, 3)), ((1.0,) * 12, (0.5, 0.3, 0.2), (1, 9, 20)),
    ]  # fmt: skip
    found = cases("system", some).measure(shared)
    yield from equalities({"weights of MGPPS and a level that rises": found}, ROUNDING)


# What happens to a few jobs, exactly (Section 2.2).


def departing(policy, arrivals, work, speed):
    """When jobs leave one processor: in turn, or by what each has had when it leaves."""
    order = sorted(range(len(work)), key=lambda j: (arrivals[j], j))
    leave = {}
    if policy == "FCFS":
        free = 0.0
        for j in order:
            free = leave[j] = max(free, arrivals[j]) + work[j] / speed
        return leave
    now, had, inside = 0.0, 0.0, {}  # what is left to each is its goal less what each has had
    while order or inside:
        coming = arrivals[order[0]] if order else math.inf
        ending = now + (min(inside.values()) - had) * len(inside) / speed if inside else math.inf
        if inside:
            had += (min(coming, ending) - now) * speed / len(inside)
        now = min(coming, ending)
        if coming <= ending:
            job = order.pop(0)
            inside[job] = had + work[job]
        else:
            job = min(inside, key=inside.get)
            leave[job] = now
            del inside[job]
    return leave


def on_traces():
    """Executions of given jobs: when they leave, and who is served at which rate between."""

    def one(policy, arrivals, work, capacities, placement):
        trace = execution.execute(policy, arrivals, work, capacities, placement)
        places = placement or [0] * len(work)
        ends, total = [0.0] * len(work), sum(capacities)
        for p, speed in enumerate(capacities):
            here = [j for j, place in enumerate(places) if place == p]
            left = departing(policy, [arrivals[j] for j in here], [work[j] for j in here], speed)
            for k, end in left.items():
                ends[here[k]] = end
        times = [0.0]
        for time in sorted([*arrivals, *ends]):
            times += [time] * (time - times[-1] > 1e-12)
        rates, present = [], []
        for begin, end in itertools.pairwise(times):
            now, row = (begin + end) / 2, [0.0] * len(work)
            present.append([a <= now < e for a, e in zip(arrivals, ends)])
            for p, speed in enumerate(capacities):
                here = [j for j, place in enumerate(places) if place == p and present[-1][j]]
                if policy == "FCFS":
                    here = [min(here, key=lambda j: (arrivals[j], j))] if here else []
                for j in here:
                    row[j] = speed / len(here)
            rates.append(row)
        rest, lengths = [list(work)], np.diff(times)
        for row, length in zip(rates, lengths):
            rest.append([left - rate * length for left, rate in zip(rest[-1], row)])
        pairs = {
            "departures": (trace.departures, ends),
            "times": (trace.times, times),
            "rates": (trace.rates, rates),
            "who is present": (trace.present, present),
            "shares": (trace.obtained_shares, np.array(rates) / total),
            "obtainable shares": (
                trace.maximum_obtainable_total_shares, [sum(capacities[: sum(row)]) / total for row in present]
            ),
            "remaining work": (trace.remaining_work, rest),
            "what was given": ([*trace.placement, *trace.work, *trace.capacities], [*places, *work, *capacities]),
        }  # fmt: skip
        return {f"{name} and a path of each processor": gap(*pair) for name, pair in pairs.items()}

    rng, some = np.random.default_rng(5), []
    for number, (J, P) in enumerate(((1, 1), (4, 1), (6, 2), (5, 3), (7, 4), (3, 8))):
        capacities = np.sort(rng.uniform(0.2, 3, P))[::-1].tolist()
        given = rng.uniform(0, 3, J).tolist(), (0.1 + rng.exponential(size=J)).tolist(), capacities
        places = None if number == 1 else rng.integers(P, size=J).tolist()
        some += [(policy, *given, places) for policy in execution.POLICIES]
    for policy in execution.POLICIES:
        some.append((policy, [2.0, 0.0, 2.0, 0.0], [3.0, 2.0, 1.0, 4.0], [2.0, 1.0], [0, 1, 0, 1]))
    yield from equalities(cases("trace", some, seed=5).measure(one), ROUNDING)
