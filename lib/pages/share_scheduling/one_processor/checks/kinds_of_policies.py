"""Claims of `thesis`, Section 3.1: what the seven policies have in common, and how they differ, Figure 3.1."""

import itertools
import math

import numpy as np

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.estimates import Estimate
from clustershare.results import NoExactAnswer
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.one_processor.diagrams import BLIND, CLASSES
from pages.share_scheduling.one_processor.witnesses import lines
from pages.share_scheduling.one_processor.witnesses.paths import intervals

ROUNDING = 1e-12
LONG = {"jumps": 20_000, "warmup": 5000, "replications": 20}
QUANTITIES = (
    "obtained_share", "probability_present", "group_share_deviation", "job_share_deviation", "mean_jobs",
)  # fmt: skip


def _beside(groups):
    """No permanent job, one of the last group, some of each."""
    return (0,) * groups, (*(0,) * (groups - 1), 1), tuple(range(1, groups + 1))


@check("thesis-3-001", policies=("PQ that idles",))
def no_capacity_is_lost(policies=uniprocessor.POLICIES):
    """At every event the jobs' own rates sum to 1 if there is a job, and to 0 if there is none."""
    rng, wrong, events, expected, found = np.random.default_rng(51), 0, 0, [], []
    for number, (policy, groups) in enumerate(itertools.product(policies, (2, 3))):
        shares, load = 0.1 + (1 - 0.1 * groups) * rng.dirichlet(np.ones(groups)), rng.uniform(0.1, 0.9)
        loads = load * rng.dirichlet(np.ones(groups))
        for permanent in _beside(groups):
            obtained = busy = 0.0
            for now in intervals(policy, shares.tolist(), loads, 1.0, permanent, events=300, seed=number):
                total, feasible = sum(now.obtained(groups)), float(len(now.jobs) > 0)
                wrong += abs(feasible - total) > ROUNDING
                obtained, busy, events = obtained + total * now.length, busy + feasible * now.length, events + 1
            wrong += abs(obtained - busy) > 1e-9 * busy
        if policy in uniprocessor.POLICIES:
            run = uniprocessor.simulate(policy, shares, loads, jumps=20_000, warmup=4000, replications=20, seed=number)
            expected.append(loads)  # that these sum to rho, all together, follows
            found.append(run.obtained_share)
    missed, tried = lines.contradicted(expected, found) if found else (0, 0)
    return finding(
        f"{wrong} exceptions in {events} intervals between events; {missed} of {tried} intervals miss the loads",
        wrong == missed == 0,
    )


def _scaled(policy, system, services, capacity, arrivals_too=True):
    """How far an answer changes with the capacity: exactly where that is known, and on paths with the same seed."""
    shares, loads, permanent = system
    gaps = []
    for answer, setting in (
        (uniprocessor.exact, {}),
        (uniprocessor.simulate, {"jumps": 2000, "warmup": 100, "replications": 2, "seed": 5}),
    ):
        if answer is uniprocessor.exact and policy == "GPPS" and permanent.any():
            continue  # where it is known takes long
        try:
            arrivals = loads * services
            one = answer(policy, shares, arrivals, services, permanent, **setting)
            faster = arrivals * (capacity if arrivals_too else 1)
            other = answer(policy, shares, faster, services * capacity, permanent, **setting)
        except NoExactAnswer:
            continue
        for name in QUANTITIES:
            pair = [getattr(result, name) for result in (one, other)]
            values = [result if isinstance(result, np.ndarray) else result.value for result in pair]
            gap = np.abs(np.subtract(*values)) / np.maximum(1, np.abs(values[0]))
            gaps.append(np.nanmax(gap, initial=0.0))
    return max(gaps)


@check("thesis-3-116", arrivals_too=False)
def any_capacity(arrivals_too=True):
    """A capacity c with c times the arrivals is a capacity of 1 in another unit of time; the control is just faster."""
    rng, systems = np.random.default_rng(52), []
    for permanent, highest in (((0, 0), 0.9), ((0, 0), 0.6), ((0, 1), 0.3), ((1, 1), 0.3)):
        shares, part = rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7)
        loads = rng.uniform(0.1, highest) * np.array([part, 1 - part])
        systems.append(((shares, 1 - shares), loads, np.array(permanent)))
    worst = {}
    for policy in uniprocessor.POLICIES:
        gaps = []
        for system, capacity in itertools.product(systems, (0.1, 3.0, 40.0)):
            services = np.ones(2) if system[2].any() else np.array([1.0, 1.7])
            try:
                gaps.append(_scaled(policy, system, services, capacity, arrivals_too))
            except UnstableError:
                continue
        worst[policy] = max(gaps)
    changed = [policy for policy, gap in worst.items() if gap > 1e-9]
    said = ", ".join(changed)
    if changed == ["UD"]:
        missed, tried = _in_the_long_run(systems)
        said += f", whose priorities start at r_g in any unit of time; {missed} of {tried} of its long averages change"
    return over_domain(
        f"{7 - len(changed)} of 7 policies give the same{f'; not the same path: {said}' if changed else ''}",
        [set(changed) <= {"UD"}, "UD" not in changed],
    )


def _in_the_long_run(systems):
    """In how many places long averages under UD change with the capacity, beyond intervals that hold jointly."""
    values, estimates = [], []
    for shares, loads, permanent in systems:
        one, other = (
            uniprocessor.simulate("UD", shares, c * loads, c, permanent, **LONG, seed=seed)
            for seed, c in enumerate((1.0, 40.0))
        )
        for name in QUANTITIES[:4]:
            a, b = getattr(one, name), getattr(other, name)
            values.append(b.value)
            estimates.append(Estimate(a.value, np.hypot(a.half_width, b.half_width)))
    return lines.contradicted(values, estimates)


def _departures(policy, system, shares):
    """Departure times of the transient jobs on a path by group and arrival, and the finished ones."""
    jobs = {}
    for now in intervals(policy, shares.tolist(), system.loads, 1.0, system.permanent, events=250, seed=3):
        for job in now.jobs:
            if not job.permanent:
                jobs[job.group, job.arrival] = job
    done = {key: job for key, job in jobs.items() if not math.isnan(job.departure)}
    return {key: job.departure for key, job in done.items()}, list(done.values())


def _served_as(policy, systems):
    """How a policy serves, from the jobs' own records: the name of its class in Figure 3.1, or none of them."""
    broken = partly = 0
    adds_up, at_once = True, True
    for system in systems:
        for now in intervals(policy, system.shares.tolist(), system.loads, 1.0, system.permanent, events=250, seed=4):
            at_once &= len(now.rates) == len(now.jobs) and all(rate > 0 for rate in now.rates.values())
            partly += len(now.rates) > 1
        for job in _departures(policy, system, system.shares)[1]:
            broken += len(job.periods) > 1
            adds_up &= partly > 0 or abs(sum(end - start for start, end in job.periods) - job.size) < 1e-9
    if partly:
        return "processor sharing" if at_once else "some at once"
    if not adds_up:
        return "what was served is lost"
    return "preemptive" if broken else "non-preemptive"


@check("thesis-3-118", instead={"PQ": "PQ from the start"})
def family(instead=None):
    """Figure 3.1: who looks at the groups, who interrupts, who serves all at once."""
    systems = [*lines.at_random(4, low=0.2, high=0.9, seed=53), *lines.at_random(4, True, 0.2, 0.9, seed=54)]
    wrong, looks = [], []
    for kind, policies in CLASSES.items():
        for policy in policies:
            name = (instead or {}).get(policy, policy)
            served = _served_as(name, systems)
            if served != kind:
                wrong.append(f"{name}: {served}")
            changed = 0
            for system in systems:
                one = _departures(name, system, system.shares)[0]
                other = _departures(name, system, np.roll(system.shares, 1))[0]
                changed += any(abs(one[key] - other[key]) > ROUNDING for key in one.keys() & other.keys())
            if (changed > 0) == (policy in BLIND):
                wrong.append(f"{name}: {changed} systems change with the required shares")
            looks += [policy] if changed else []
    return finding(
        f"{'; '.join(wrong) if wrong else 'all seven serve as drawn'}; the shares matter to {', '.join(looks)}",
        not wrong,
    )
