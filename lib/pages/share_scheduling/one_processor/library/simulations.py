"""Simulations of every policy: of constants against paths, of drawn times against exact answers."""

import math

import numpy as np

from clustershare import sizes, uniprocessor
from compendium.press.clauses import cases, equalities, everywhere
from compendium.press.clauses.conditions import agrees, equal
from pages.agreement import gap
from pages.share_scheduling.one_processor.library.shared import ROUNDING, RUN, by_class, drawn, told, whole
from pages.share_scheduling.one_processor.simulated import estimates
from pages.share_scheduling.one_processor.witnesses.paths import intervals

LONG = {"jumps": 60_000, "warmup": 20_000, "replications": 30}  # of heavy loads


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
        *((policy, 0.004, (0, 0), {}) for policy in ("FCFS", "HOL", "PQ", "PS")),
        *((policy, 0.95, (0, 0), {}) for policy in ("FCFS", "HOL", "PQ", "PS")),  # where lines outgrow their first room
    )
    for number, (policy, load, permanent, kind) in enumerate(listed):
        shares, arrivals, services, _ = drawn(rng, load, permanent, **kind)
        if policy == "UD" and not any(permanent):
            shares, arrivals = [0.1, 0.9], [0.45 * services[0], 0.2 * services[1]]
        system = shares, arrivals, services, by_class(shares, permanent)
        answer, run = told(uniprocessor.exact(policy, *system)), LONG if load > 0.9 else RUN
        for drawn_times in ({}, {"sizes": sizes.Exponential(), "records": True}):
            result = uniprocessor.simulate(policy, *system, **run, seed=number, **drawn_times)
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
