"""Round robin: jobs take turns of a quantum each, and what the sharing policies make of the same jobs."""

import math
from collections import deque
from typing import NamedTuple

import numpy as np

from clustershare.compiled import service
from pages.share_scheduling.one_processor.witnesses.paths import Job

KINDS = {"PS": "each job in turn", "PPS": "each job in turn, longer for more", "GPPS": "each group in turn"}


class Outcome(NamedTuple):
    """Averages until the last arrival, and mean response times of all jobs: arrays of shape (groups,)."""

    group_share_deviation: np.ndarray
    job_share_deviation: np.ndarray
    response_time: np.ndarray


class Totals:
    """Sums over a path up to a horizon: of presence, service, and service beside others of the group."""

    def __init__(self, shares, permanent, horizon):
        self.shares, self.horizon = np.array(shares), horizon
        groups = len(shares)
        self.present, self.served, self.uneven = [0.0] * groups, [0.0] * groups, [0.0] * groups
        self.waited, self.left, self.numbers = [0.0] * groups, [0] * groups, list(permanent)

    def outcome(self):
        """What they come to."""
        present, served, uneven = (np.array(x) / self.horizon for x in (self.present, self.served, self.uneven))
        return Outcome(present - served / self.shares, uneven, np.array(self.waited) / np.maximum(self.left, 1))


def arriving(loads, jobs, seed):
    """Transient jobs in the order of their arrivals, mean size 1: lists of (time, group, size)."""
    rng = np.random.default_rng([seed, 91])
    times = np.cumsum(rng.standard_exponential(jobs) / sum(loads))
    groups = rng.choice(len(loads), jobs, p=np.array(loads) / sum(loads))
    return list(zip(times.tolist(), groups.tolist(), rng.standard_exponential(jobs).tolist(), strict=True))


def shared(policy, shares, permanent, coming):
    """The jobs that come, as from `arriving`, under PS, PPS or GPPS, as the library divides the processor."""
    totals, now, arrived = Totals(shares, permanent, coming[-1][0]), 0.0, 0
    rule, weights, got = getattr(service, policy), np.array(shares), np.zeros(len(shares))
    jobs = [Job(g, math.inf, 0.0, True) for g, number in enumerate(permanent) for _ in range(number)]
    while arrived < len(coming) or sum(totals.left) < len(coming):
        numbers = np.bincount([job.group for job in jobs], minlength=len(shares))
        service.divide(rule, weights, numbers, got)
        rates = {job: got[job.group] / numbers[job.group] for job in jobs}
        until, leaving = (coming[arrived][0] if arrived < len(coming) else math.inf), None
        for job, rate in rates.items():
            if now + job.left / rate < until:
                until, leaving = now + job.left / rate, job
        counted = max(0.0, min(until, totals.horizon) - now)
        for g in {job.group for job in jobs}:
            totals.present[g] += counted
        for job, rate in rates.items():
            job.left -= rate * (until - now)
            totals.served[job.group] += rate * counted
        now = until
        if leaving is None:
            time, group, size = coming[arrived]
            jobs.append(Job(group, size, time))
            arrived += 1
        else:
            jobs.remove(leaving)
            totals.waited[leaving.group] += now - leaving.arrival
            totals.left[leaving.group] += 1
    return totals.outcome()


def turns(policy, shares, permanent, coming, quantum, cost=0.0):
    """The jobs under the round robin that the sharing policy stands for: whole turns are skipped where nothing happens.

    PS: a quantum for each job; PPS: longer ones for groups of larger shares; GPPS: for one job of each group. `quantum`
    is the mean of the groups' quanta, in proportion to the required shares but for PS; a `cost` is lost whenever
    another job is taken.
    """
    groups = len(shares)
    quanta = [quantum if policy == "PS" else quantum * share * groups for share in shares]
    totals, now, arrived, last = Totals(shares, permanent, coming[-1][0]), 0.0, 0, None
    rings = [deque() for _ in range(groups if policy == "GPPS" else 1)]
    of = list(range(groups)) if policy == "GPPS" else [0] * groups
    for g, number in enumerate(permanent):
        rings[of[g]].extend([math.inf, g, 0.0] for _ in range(number))
    order, numbers, horizon = deque(range(len(rings))), totals.numbers, totals.horizon
    fresh, count, next_time = True, len(coming), coming[0][0]
    done = 0
    while done < count:
        if not any(numbers):
            now = next_time
        while next_time <= now:
            time, g, size = coming[arrived]
            rings[of[g]].append([size, g, time])
            numbers[g] += 1
            arrived += 1
            next_time = coming[arrived][0] if arrived < count else math.inf
            fresh = True
        if fresh:
            fresh = False
            now = _skip(rings, numbers, quanta, cost, now, next_time, totals, policy)
        while not rings[order[0]]:
            order.rotate(-1)
        ring = rings[order[0]]
        order.rotate(-1)
        job = ring.popleft()
        g = job[1]
        end = now
        if cost and last is not job:
            end += cost
            last = job
        length = quanta[g] if job[0] > quanta[g] else job[0]
        begin, end = end, end + length
        if now < horizon:
            counted = (end if end < horizon else horizon) - now
            for h in range(groups):
                if numbers[h]:
                    totals.present[h] += counted
            counted = max(0.0, (end if end < horizon else horizon) - begin)
            totals.served[g] += counted
            if numbers[g] > 1:
                totals.uneven[g] += counted
        now = end
        job[0] -= length
        if job[0] > 0:
            while next_time <= now:  # who came during the turn stands before the one who had it
                time, h, size = coming[arrived]
                rings[of[h]].append([size, h, time])
                numbers[h] += 1
                arrived += 1
                next_time = coming[arrived][0] if arrived < count else math.inf
                fresh = True
            ring.append(job)
        else:
            numbers[g] -= 1
            totals.waited[g] += now - job[2]
            totals.left[g] += 1
            done += 1
            fresh = True
    return totals.outcome()


def _skip(rings, numbers, quanta, cost, now, next_time, totals, policy):
    """Whole rounds in which nobody comes and nobody leaves: the time after them."""
    present = [g for g, number in enumerate(numbers) if number]
    if not present:
        return now
    if policy == "GPPS":
        rounds = math.lcm(*(numbers[g] for g in present))
        each = {g: rounds // numbers[g] * quanta[g] for g in present}
    else:
        each = {g: quanta[g] for g in present}
    whole = sum(each[g] * numbers[g] for g in present)
    if cost and sum(numbers) > 1:
        whole += cost * sum(numbers[g] * each[g] / quanta[g] for g in present)
    many = (next_time - now) / whole
    for ring in rings:
        for job in ring:
            many = min(many, job[0] / each[job[1]])
    if many == math.inf:
        return now
    many = int(many) - 1
    if many < 1:
        return now
    for ring in rings:
        for job in ring:
            job[0] -= many * each[job[1]]
    part = min(1.0, max(0.0, (totals.horizon - now) / (many * whole)))
    for g in present:
        totals.present[g] += part * many * whole
        served = part * many * each[g] * numbers[g]
        totals.served[g] += served
        if numbers[g] > 1:
            totals.uneven[g] += served
    return now + many * whole
