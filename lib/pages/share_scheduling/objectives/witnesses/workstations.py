"""A pool of workstations with a heavy user and three light ones, event by event (`thesis`, Section 1.3.6)."""

import functools
import itertools

import numpy as np

from pages.share_scheduling.objectives.paths import interval

MACHINES, LIGHT = 10, 0.5  # arrivals of a light user in a mean service: a twentieth of the pool


HEAVY = (0.1, 0.4, 0.6, 0.8)  # of the pool, by the heavy user, which is the last of four


STEPS, WARM = 4000, 800


READINGS = tuple(itertools.product((0.02, 0.1, 0.5, 2.0), (False, True)))  # step of a waiting job; drawn to 0


def _events(rng, loads):
    """Arrivals by user, or the number of a machine after the four users, event by event."""
    rates = np.column_stack([np.full((len(loads), 3), LIGHT), MACHINES * loads, np.ones((len(loads), MACHINES))])
    limits = np.cumsum(rates, axis=1)
    for _ in range(STEPS):
        yield (rng.random((len(loads), 1)) * limits[:, -1:] >= limits).sum(axis=1)


def _waits(waiting, copies):
    """Mean wait over service of the light users, per setting: mean and half width."""
    per = (waiting / (STEPS - WARM) / (3 * LIGHT)).reshape(-1, copies)
    return [interval(row) for row in per]


@functools.cache
def up_down(counted, copies=16):
    """Waits by load and reading; `counted` tells whether running jobs move the index up."""
    rng, rows = np.random.default_rng(31), []
    settings = list(itertools.product(HEAVY, READINGS))
    loads = np.repeat([load for load, _ in settings], copies)
    step = np.repeat([reading[0] for _, reading in settings], copies)[:, None]
    drawn = np.repeat([reading[1] for _, reading in settings], copies)[:, None]
    jobs, index, waiting = np.zeros((len(loads), 4), dtype=int), np.zeros((len(loads), 4)), np.zeros(len(loads))
    rows = np.arange(len(loads))[:, None]
    for number, kind in enumerate(_events(rng, loads)):
        order = np.argsort(index + 1e-6 * rng.random(index.shape), axis=1)
        sorted_jobs = jobs[rows, order]
        before = np.cumsum(sorted_jobs, axis=1) - sorted_jobs
        running = np.empty_like(jobs)
        running[rows, order] = np.clip(MACHINES - before, 0, sorted_jobs)
        if number >= WARM:
            waiting += (jobs - running)[:, :3].sum(axis=1)
        if number % 2:  # about a tenth of a service later
            index += running * counted - step * (jobs - running)
            index -= np.sign(index) * (drawn & (jobs == 0)) * np.minimum(1, np.abs(index))
        served = (kind[:, None] - 4 >= np.cumsum(running, axis=1)).sum(axis=1)
        user = np.where(kind < 4, kind, served)
        moved = np.flatnonzero(user < 4)
        jobs[moved, user[moved]] += np.where(kind[moved] < 4, 1, -1)
    return dict(zip(settings, _waits(waiting, copies)))


@functools.cache
def allocated(copies=40):
    """Waits by load under random and round-robin allocation of a machine that becomes free; nobody is interrupted."""
    rng, settings = np.random.default_rng(310), list(itertools.product(HEAVY, ("random", "round robin")))
    loads = np.repeat([load for load, _ in settings], copies)
    turn = np.repeat([policy == "round robin" for _, policy in settings], copies)
    running, queued = (np.zeros((len(loads), 4), dtype=int) for _ in range(2))
    last, waiting, all_rows = np.zeros(len(loads), dtype=int), np.zeros(len(loads)), np.arange(len(loads))
    for number, kind in enumerate(_events(rng, loads)):
        if number >= WARM:
            waiting += queued[:, :3].sum(axis=1)
        arriving = kind < 4
        free = running.sum(axis=1) < MACHINES
        for target, chosen in ((running, arriving & free), (queued, arriving & ~free)):
            target[all_rows[chosen], kind[chosen]] += 1
        user = (kind[:, None] - 4 >= np.cumsum(running, axis=1)).sum(axis=1)
        ending = np.flatnonzero(~arriving & (user < 4))
        running[ending, user[ending]] -= 1
        ending = ending[queued[ending].any(axis=1)]
        # In turn: the first user after the last one who has a job; at random: any job that waits.
        turns = (last[ending][:, None] + 1 + np.arange(4)) % 4
        has = queued[ending[:, None], turns] > 0
        in_turn = turns[np.arange(len(ending)), has.argmax(axis=1)]
        edges = np.cumsum(queued[ending], axis=1)
        at_random = (rng.random(len(ending))[:, None] * edges[:, -1:] >= edges).sum(axis=1)
        chosen = np.where(turn[ending], in_turn, at_random)
        queued[ending, chosen] -= 1
        running[ending, chosen] += 1
        last[ending] = chosen
    return dict(zip(settings, _waits(waiting, copies)))
