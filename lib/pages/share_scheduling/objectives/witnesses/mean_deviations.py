"""The mean group-share deviation, state by state: product-form laws and chains (`thesis`, Section 2.4.6)."""

import math

import numpy as np

from clustershare import markov
from clustershare.shares import feasible_group_share, group_share_deviation


def lattice(groups, most):
    """All numbers of jobs up to `most` in all, shape (groups, states)."""
    axes = np.indices((most + 1,) * groups).reshape(groups, -1)
    return axes[:, axes.sum(axis=0) <= most]


def shared_law(jobs, loads):
    """The law of the numbers of jobs under PS, and under FCFS."""
    ways = np.array([math.lgamma(n + 1) for n in range(jobs.sum(axis=0).max() + 1)])
    logs = ways[jobs.sum(axis=0)] - ways[jobs].sum(axis=0) + np.log(loads) @ jobs
    return (1 - sum(loads)) * np.exp(logs)


def served(policy, jobs, required):
    """Ways in which states are served: pairs of a probability and obtained shares, shape (groups, states)."""
    present = jobs > 0
    if policy == "FCFS":  # any of the jobs is equally likely the oldest
        for group in range(len(jobs)):
            yield jobs[group] / np.maximum(jobs.sum(axis=0), 1), np.eye(len(jobs))[:, [group]] * present
    elif policy == "PS":
        yield 1.0, jobs / np.maximum(jobs.sum(axis=0), 1)
    elif policy == "PPS":
        yield 1.0, required[:, None] * jobs / np.maximum((required[:, None] * jobs).sum(axis=0), 1e-300)
    elif policy == "GPPS":
        yield 1.0, required[:, None] * present / np.maximum((required[:, None] * present).sum(axis=0), 1e-300)
    else:  # PQ
        yield 1.0, np.eye(len(jobs))[np.argmax(required[:, None] * present, axis=0)].T * present


def law_by_chain(policy, required, loads, most):
    """The numbers of jobs and their law, from a chain that loses arrivals beyond `most`."""
    jobs = lattice(len(required), most)
    place = {tuple(state): number for number, state in enumerate(jobs.T.tolist())}
    ((_, rates),) = served(policy, jobs, required)
    rows, columns, speeds = [], [], []
    for number, state in enumerate(jobs.T.tolist()):
        for group, load in enumerate(loads):
            for by, speed in ((1, load), (-1, rates[group, number])):
                target = place.get((*state[:group], state[group] + by, *state[group + 1 :]))
                if target is not None and speed > 0:
                    rows.append(number)
                    columns.append(target)
                    speeds.append(speed)
    return jobs, markov.stationary(markov.generator(len(place), rows, columns, speeds))


def mean_deviation(policy, jobs, law, required, way=None):
    """(2.38) state by state, weighted, of each group; `way` is a wrong one."""
    total = 0.0
    feasible = feasible_group_share(required[:, None], jobs, 2 if way == "processors" else 1)
    for part, obtained in served(policy, jobs, required):
        deviation = group_share_deviation(
            feasible, np.clip(obtained, 0, 1), np.broadcast_to(required[:, None], jobs.shape)
        )
        total = total + (deviation.max(axis=0) if way == "maximum" else deviation) @ (part * law)
    return total


def loaded(rng, count, groups, most):
    """Required shares and loads at random."""
    for _ in range(count):
        required = 0.05 + (1 - 0.05 * groups) * rng.dirichlet(np.ones(groups))
        yield required, rng.dirichlet(np.ones(groups)) * rng.uniform(0.05, most)


def gap_on_two_processors(rng, way):
    """The largest difference on two processors, PS, jobs split at random: states of both, and the law of N_g."""
    gap, jobs = 0.0, lattice(2, 25)
    for required, loads in loaded(rng, 10, 2, 0.5):
        fraction = np.array([[rng.uniform(0.5, 0.9)]])
        law = shared_law(jobs, loads)
        both = law[:, None] * law
        obtained = jobs / np.maximum(jobs.sum(axis=0), 1)
        found = []
        for group, r in enumerate(required):
            total = jobs[group][:, None] + jobs[group]
            feasible = feasible_group_share(r, total, 1 if way == "processors" else 2)
            shares = fraction * obtained[group][:, None] + (1 - fraction) * obtained[group]
            found.append(group_share_deviation(feasible, shares, np.full(shares.shape, r)))
        mean = (np.maximum(*found) * both).sum() if way == "maximum" else max((d * both).sum() for d in found)
        q = loads / (1 - loads.sum() + loads)
        several = 1 - (1 - q) ** 2 * np.array([1, 1]) - 2 * q * (1 - q) ** 2  # P[N_g >= 2], two geometric numbers
        one = 2 * q * (1 - q) ** 2
        promised = np.minimum(required, 0.5) * one + required * several
        gap = max(gap, abs(mean / ((promised - loads) / required).max() - 1))
    return gap
