"""A second event loop for one processor, job by job, in plain Python: it shares nothing with the library's kernels.

A path is a sequence of intervals between events. In each stands who is present and at what rate each is served, so that
whatever the thesis says of *all times* can be looked up at all times.
"""

import math
from typing import NamedTuple

import numpy as np

from clustershare.arguments import one_of

SHARING = ("PS", "PPS", "GPPS", "GPPS in order")
# The second forgets what an interrupted job has received; the third keeps the processor for the first class alone.
PREEMPTIVE = ("PQ", "PQ from the start", "PQ that idles")


class Job:
    """A job and its own record.

    Attributes
    ----------
    group : int
    permanent : bool
    size, left : float
        The work that it brings, and what is left of it.
    received : float
        Work received so far, all services of a permanent job together.
    periods : list of [float, float]
        When it was served, at whatever rate.
    arrival, departure : float
        The second is nan until it leaves.
    """

    __slots__ = ("arrival", "departure", "group", "left", "periods", "permanent", "received", "size")

    def __init__(self, group, size, arrival, permanent=False):
        self.group, self.size, self.arrival, self.permanent = group, size, arrival, permanent
        self.left, self.received, self.periods, self.departure = size, 0.0, [], math.nan


class Interval(NamedTuple):
    """What holds between two events.

    Attributes
    ----------
    start, length : float
    jobs : list of Job
        Those present, in the order in which they joined the line.
    rates : dict
        Job: the rate at which it is served, for those that are.
    priority : list of float
        Of the groups, as Up-Down has it (`thesis` (3.37)), at the start.
    """

    start: float
    length: float
    jobs: list
    rates: dict
    priority: list

    def obtained(self, groups):
        """The obtained shares of the groups, added up over the jobs: list of float."""
        shares = [0.0] * groups
        for job, rate in self.rates.items():
            shares[job.group] += rate
        return shares

    def present(self, groups):
        """The numbers of jobs of the groups, permanent ones included: list of int."""
        numbers = [0] * groups
        for job in self.jobs:
            numbers[job.group] += 1
        return numbers

    def job_share_deviation(self, group):
        """By its definition, from the rates of the jobs of the group (`thesis` (2.45))."""
        mine = [self.rates.get(job, 0.0) for job in self.jobs if job.group == group]
        total = sum(mine)
        return 0.0 if total == 0 else max((total / len(mine) - rate) / (total / len(mine)) for rate in mine)


def first_of(line, group):
    """The place of the first job of a group in a line."""
    return next(place for place, job in enumerate(line) if job.group == group)


def by_group(line, value):
    """The place of the first job of the group for which a value is largest; of equal ones, the first group."""
    groups = sorted({job.group for job in line})
    return first_of(line, max(groups, key=lambda group: (value(group), -group)))


# Who is next, when a service ended: the place in the line of those who wait, in the order in which they joined it.
CHOICES = {
    "FCFS": lambda line, shares, priority, rng: 0,
    "LCFS": lambda line, shares, priority, rng: len(line) - 1,
    "random": lambda line, shares, priority, rng: int(rng.integers(len(line))),
    "shortest": lambda line, shares, priority, rng: min(range(len(line)), key=lambda k: line[k].size),
    "longest": lambda line, shares, priority, rng: max(range(len(line)), key=lambda k: line[k].size),
    "HOL": lambda line, shares, priority, rng: max(
        range(len(line)), key=lambda k: (round(shares[line[k].group], 12), -k)
    ),
    "UD": lambda line, shares, priority, rng: by_group(line, lambda group: priority[group]),
}  # fmt: skip
LAWS = {
    "exponential": lambda rng: rng.standard_exponential(),
    "deterministic": lambda rng: 1.0,
    # Of squared coefficient of variation 5, with balanced means.
    "hyperexponential": lambda rng: (
        rng.standard_exponential() * (0.5 / 0.0917517095 if rng.random() < 0.0917517095 else 0.5 / 0.9082482905)
    ),
}


def divided(policy, jobs, shares):
    """The rates of all jobs under a policy that serves them at once (`thesis` (3.79), (3.90), (3.91))."""
    numbers = {}
    for job in jobs:
        numbers[job.group] = numbers.get(job.group, 0) + 1
    if policy == "PS":
        return {job: 1 / len(jobs) for job in jobs}
    if policy == "PPS":
        total = sum(shares[group] * number for group, number in numbers.items())
        return {job: shares[job.group] / total for job in jobs}
    total = sum(shares[group] for group in numbers)
    if policy == "GPPS":
        return {job: shares[job.group] / total / numbers[job.group] for job in jobs}
    return {jobs[first_of(jobs, group)]: shares[group] / total for group in numbers}


def intervals(
    policy, required_shares, arrival_rates, service_rates=1.0, permanent_jobs=0, *, events, seed,
    law="exponential", between="exponential", returns="after",
):  # fmt: skip
    """The path of a system that starts with its permanent jobs alone.

    Parameters
    ----------
    policy : str
        One of the seven; or "LCFS", "random", "shortest" or "longest", which do not interrupt; "PQ from the start"
        and "PQ that idles"; or "GPPS in order", which gives the share of a group to its first job.
    required_shares, arrival_rates : sequence of float
    service_rates : float or sequence of float
    permanent_jobs : int or sequence of int
    events : int
        Arrivals and completions.
    seed : int
        Each group draws its arrivals and sizes by itself, so that they are the same under all policies.
    law, between : str
        A name in `LAWS`: of sizes, and of times between the arrivals of a group; a sequence gives one to each group.
    returns : str
        Whether a permanent job re-enters "after" the next job was chosen, or "before".

    Yields
    ------
    Interval
        Its jobs change once the next one is asked for.
    """
    groups = len(required_shares)
    one_of("policy", policy, (*SHARING, *PREEMPTIVE, *CHOICES))
    services = np.broadcast_to(service_rates, groups).tolist()
    laws, gaps = ([LAWS[name] for name in np.broadcast_to(names, groups).tolist()] for names in (law, between))
    seeds = np.random.SeedSequence(seed).spawn(2 * groups + 1)
    coming, again = ([np.random.default_rng(s) for s in seeds[k : k + groups]] for k in (0, groups))
    rng = np.random.default_rng(seeds[-1])

    def gap(group):
        return gaps[group](coming[group]) / arrival_rates[group] if arrival_rates[group] > 0 else math.inf

    def size(group, stream):
        return laws[group](stream[group]) / services[group]

    at_once = policy in SHARING
    jobs, line, priority = [], [], list(required_shares)
    for group, number in enumerate(np.broadcast_to(permanent_jobs, groups).tolist()):
        jobs += [Job(group, math.inf if at_once else size(group, again), 0.0, True) for _ in range(number)]
    line += jobs
    arrivals, now, serving, returning = [gap(group) for group in range(groups)], 0.0, None, None
    for _ in range(events):
        if at_once:
            rates = divided(policy, jobs, required_shares) if jobs else {}
        elif policy in PREEMPTIVE:
            chosen = jobs[CHOICES["HOL"](jobs, required_shares, priority, rng)] if jobs else None
            if policy == "PQ that idles" and chosen and required_shares[chosen.group] < max(required_shares):
                chosen = None
            if serving not in (None, chosen) and policy == "PQ from the start":
                serving.left = serving.size
            serving = chosen
            rates = {} if serving is None else {serving: 1.0}
        else:
            if serving is None:
                if returning is not None and (returns == "before" or not line):
                    line.append(returning)
                    returning = None
                if line:
                    serving = line.pop(CHOICES[policy](line, required_shares, priority, rng))
                if returning is not None:
                    line.append(returning)
                    returning = None
            rates = {} if serving is None else {serving: 1.0}
        group = min(range(groups), key=arrivals.__getitem__)
        length, leaving = arrivals[group] - now, None
        for job, rate in rates.items():
            if job.left < length * rate:
                length, leaving = job.left / rate, job
        yield Interval(now, length, jobs, rates, list(priority))

        for job, rate in rates.items():
            job.left -= rate * length
            job.received += rate * length
            if job.periods and job.periods[-1][1] == now:
                job.periods[-1][1] = now + length
            else:
                job.periods.append([now, now + length])
        obtained = [0.0] * groups
        for job, rate in rates.items():
            obtained[job.group] += rate
        for number in {job.group for job in jobs}:
            priority[number] += length * (required_shares[number] - obtained[number])
        now = now + length if leaving is not None else arrivals[group]
        if leaving is None:
            job = Job(group, size(group, coming), now)
            jobs.append(job)
            line.append(job)
            arrivals[group] = now + gap(group)
            continue
        serving = None
        if leaving.permanent:
            jobs.remove(leaving)
            jobs.append(leaving)
            leaving.size = leaving.left = size(leaving.group, again)
            returning = leaving
        else:
            jobs.remove(leaving)
            leaving.departure = now


def largest_deviation(policy, required_shares, *system, **setting):
    """The largest group-share deviation of a group at an event of a path, whose arguments are those of `intervals`."""
    shares = np.array(required_shares)
    return max(
        (np.minimum(interval.present(len(shares)), 1) - np.array(interval.obtained(len(shares))) / shares).max()
        for interval in intervals(policy, required_shares, *system, **setting)
    )


class Averages(NamedTuple):
    """Averages over a path, arrays of shape (groups,), and the jobs that left, in the order in which they did."""

    obtained: np.ndarray
    present: np.ndarray
    job_share_deviation: np.ndarray
    left: list


def averages(required_shares, *system, **setting):
    """Averages over a path, whose arguments are those of `intervals`, the policy by keyword."""
    groups = len(required_shares)
    sums, elapsed, left, before = np.zeros((3, groups)), 0.0, [], []
    for interval in intervals(setting.pop("policy"), required_shares, *system, **setting):
        left += [job for job in before if job.departure == interval.start]
        before = list(interval.rates)
        elapsed += interval.length
        sums[0] += np.multiply(interval.obtained(groups), interval.length)
        sums[1] += np.greater(interval.present(groups), 0) * interval.length
        sums[2] += [interval.job_share_deviation(group) * interval.length for group in range(groups)]
    return Averages(*(sums / elapsed), left)
