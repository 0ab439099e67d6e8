"""Paths of a line, service by service: who was served when, and who waited then (`thesis`, proof of Theorem 3.3)."""

import functools
from typing import NamedTuple

import numpy as np

from clustershare.estimates import from_replications
from pages.share_scheduling.one_processor.witnesses.lines import System

REPLICATIONS = 20
LENGTHS = {0.5: (400, 2000), 0.9: (2000, 5000)}  # services before the records begin, and in all, by the load


class Records(NamedTuple):
    """The services of a path, in their order.

    Attributes
    ----------
    job : ndarray of int, shape (services,)
        The group, plus the number of groups if it is permanent.
    arrival, start, end : ndarray, shape (services,)
        The first is nan for permanent jobs.
    others : ndarray of int, shape (services,)
        Other jobs of the group that are there when the service starts.
    gaps : list
        For each service of a permanent job, a list for every gap between two permanent jobs: the groups of those
        in it. Empty lists for others, and under HOL.
    """

    job: np.ndarray
    arrival: np.ndarray
    start: np.ndarray
    end: np.ndarray
    others: np.ndarray
    gaps: list

    def starts_alone(self, job):
        """The part of the services of a job that start with no other of its group there; 0 if there are none."""
        mine = self.others[self.job == job]
        return float((mine == 0).sum() / max(1, len(mine)))


def path(system, policy="FCFS", returns="tail", *, services, warmup, seed):
    """One path from a line of permanent jobs alone under FCFS, LCFS or HOL; service times have a mean of 1.

    A permanent job re-enters at the "tail", at the "head" or "anywhere". Services of the warmup are left out.
    """
    rng = np.random.default_rng([seed, 77])
    groups = len(system.loads)
    place = rng.random(services).tolist()
    times = rng.standard_exponential(services).tolist()
    count = services + 100
    coming = np.cumsum(rng.standard_exponential(count) / system.loads.sum()).tolist()
    group_of = rng.choice(groups, count, p=system.loads / system.loads.sum()).tolist()
    rank = np.argsort(np.argsort(-system.shares, kind="stable")).tolist()
    rank = rank if policy == "HOL" else [0] * groups
    classes = [[] for _ in range(groups)]
    for g in range(groups):
        classes[rank[g]] += [(g + groups, np.nan)] * int(system.permanent[g])
    present = system.permanent.tolist()
    now, arrived, rows, gaps, back = 0.0, 0, [], [], None
    for number in range(services):
        line = next((waiting for waiting in classes if waiting), None)
        if line is None and back is None:
            now = coming[arrived]
            line = classes[rank[group_of[arrived]]]
            line.append((group_of[arrived], now))
            present[group_of[arrived]] += 1
            arrived += 1
        if back is not None and (line is None or returns == "head"):
            line = classes[rank[back[0] - groups]]
            line.insert(0, back)
            back = None
        job = line.pop(-1 if policy == "LCFS" else 0)
        if back is not None:
            line = classes[rank[back[0] - groups]]
            line.insert(len(line) if returns == "tail" else int(place[number] * (len(line) + 1)), back)
            back = None
        group = job[0] % groups
        end = now + times[number]
        if number >= warmup:
            rows.append((job[0], job[1], now, end, present[group] - 1))
            found = []
            if job[0] >= groups and policy != "HOL":
                here = []
                for other, _ in classes[0]:
                    if other >= groups:
                        found.append(here)
                        here = []
                    else:
                        here.append(other)
            gaps.append(found)
        while coming[arrived] <= end:
            classes[rank[group_of[arrived]]].append((group_of[arrived], coming[arrived]))
            present[group_of[arrived]] += 1
            arrived += 1
        if job[0] >= groups:
            back = job
        else:
            present[group] -= 1
        now = end
    columns = np.array(rows).T
    return Records(columns[0].astype(int), columns[1], columns[2], columns[3], columns[4].astype(int), gaps)


@functools.cache
def recorded(policy="FCFS", returns="tail"):
    """Systems of two and three groups at loads of 0.5 and 0.9, with and without permanent jobs, and their paths."""
    found = []
    for load, (warmup, services) in LENGTHS.items():
        for number, (shares, parts, permanent) in enumerate(
            (
                ((0.6, 0.4), (0.4, 0.6), (0, 0)),
                ((0.5, 0.3, 0.2), (0.5, 0.3, 0.2), (0, 1, 0)),
                ((0.3, 0.7), (0.3, 0.7), (1, 2)),
            )
        ):
            system = System(np.array(shares), load * np.array(parts), np.array(permanent))
            paths = [
                path(system, policy, returns, services=services, warmup=warmup, seed=10 * number + 1000 * seed)
                for seed in range(REPLICATIONS)
            ]
            found.append((system, paths))
    return found


def mean_over(paths, value):
    """The estimate of a mean over the services that count, from a function of `Records` that gives it for a path."""
    return from_replications([value(path) for path in paths])


def starts_alone(policy, form, permanent):
    """The part of services that start with no other job of the group there, on the paths: expected, and estimates.

    Services of the transient jobs of groups without permanent jobs, or those of the one permanent job of groups with
    one, and a form of loads and permanent jobs.
    """
    expected, found = [], []
    for system, paths in recorded(policy):
        for g in np.flatnonzero(system.permanent == permanent):
            expected.append(form(system.loads, system.permanent)[g])
            job = g + len(system.loads) * permanent
            found.append(mean_over(paths, lambda path, job=job: path.starts_alone(job)))
    return expected, found


# Who is next of those who wait, with their sizes, at the end of a service; none of these asks for the group.
BLIND = {
    "last": lambda sizes, u, turn: len(sizes) - 1,
    "random": lambda sizes, u, turn: int(u * len(sizes)),
    "first and last by turns": lambda sizes, u, turn: 0 if turn % 2 else len(sizes) - 1,
    "shortest": lambda sizes, u, turn: sizes.index(min(sizes)),
    "longest": lambda sizes, u, turn: sizes.index(max(sizes)),
    "first": lambda sizes, u, turn: 0,
}


class Run(NamedTuple):
    """Whole busy periods of a line without permanent jobs, whose order does not depend on the groups.

    Attributes
    ----------
    arrival, start, end : ndarray, shape (jobs,)
        In the order of service.
    label : ndarray, shape (jobs,)
        Uniform: cut it into parts, and each job has a group.
    length : float
        From the first arrival, at which time is 0, to the one that ends the last idle period.
    """

    arrival: np.ndarray
    start: np.ndarray
    end: np.ndarray
    label: np.ndarray
    length: float


@functools.cache
def blind(order, load, jobs, seed):
    """A run of at least so many jobs in an order of `BLIND`; their mean service time is 1."""
    rng = np.random.default_rng([seed, 78])
    count, choose = 4 * jobs + 2000, BLIND[order]
    coming = np.cumsum(rng.standard_exponential(count) / load).tolist()
    size, u = rng.standard_exponential(count).tolist(), rng.random(count).tolist()
    waiting, sizes, rows, now, arrived = [], [], [], 0.0, 0
    while len(rows) < jobs or waiting:
        if not waiting:
            now = coming[arrived]
            waiting.append(arrived)
            sizes.append(size[arrived])
            arrived += 1
        place = choose(sizes, u[len(rows)], len(rows))
        job, time = waiting.pop(place), sizes.pop(place)
        end = now + time
        rows.append((coming[job], now, end))
        while coming[arrived] <= end:
            waiting.append(arrived)
            sizes.append(size[arrived])
            arrived += 1
        now = end
    arrival, start, end = np.array(rows).T - coming[0]
    return Run(arrival, start, end, rng.random(len(rows)), coming[arrived] - coming[0])


def of_group(run, mine):
    """Times that the group of some jobs is present, is served, and is served beside others of its own, in a run."""
    arrivals, ends = np.sort(run.arrival[mine]), np.sort(run.end[mine])
    start, end = run.start[mine], run.end[mine]
    # With nobody of the group left behind an end, it is absent until its next arrival.
    left = np.searchsorted(arrivals, ends, side="right") - np.arange(1, len(ends) + 1)
    absent = (np.append(arrivals, run.length)[np.flatnonzero(left == 0) + 1] - ends[left == 0]).sum()
    present = run.length - absent - arrivals[0]
    there = np.searchsorted(arrivals, start, side="right") - np.searchsorted(ends, start, side="right")
    following = np.append(arrivals, np.inf)[np.searchsorted(arrivals, start, side="right")]
    beside = np.where(there > 1, end - start, np.maximum(end - following, 0.0))
    return np.array([present, (end - start).sum(), beside.sum()])


def per_time(sums, lengths):
    """The estimate of sums over lengths from paths, each of a length of its own: the ratio of the means."""
    sums = np.asarray(sums)
    lengths = np.reshape(lengths, np.shape(lengths) + (1,) * (sums.ndim - np.ndim(lengths)))
    ratio = sums.mean(axis=0) / lengths.mean(axis=0)
    return from_replications(ratio + (sums - ratio * lengths) / lengths.mean(axis=0))
