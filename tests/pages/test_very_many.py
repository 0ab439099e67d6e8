"""The fixed point of JSQ on infinitely many processors, against a plain simulation of many."""

import numpy as np
import pytest

from pages.share_scheduling.distributed.witnesses import very_many


def simulated(load, limit, gap, processors=800, time=60.0, warmup=15.0, seed=7):
    """Mean number of jobs at a processor, and migrations for each job that arrives; messages take no time."""
    rng = np.random.default_rng(seed)
    jobs, now, area, moved, arrived = np.zeros(processors, dtype=int), 0.0, 0.0, 0, 0
    while now < time:
        busy = int((jobs > 0).sum())
        step = rng.exponential(1 / (load * processors + busy))
        area += step * jobs.sum() if now > warmup else 0.0
        now += step
        if rng.random() * (load * processors + busy) < load * processors:
            asked = rng.choice(processors, limit + 1, replace=False)
            jobs[asked[jobs[asked].argmin()]] += 1
            arrived += now > warmup
            continue
        own = rng.choice(np.flatnonzero(jobs))
        jobs[own] -= 1
        others = rng.choice(processors - 1, limit, replace=False)
        others += others >= own
        fullest = others[jobs[others].argmax()]
        if jobs[fullest] >= jobs[own] + gap:
            jobs[[own, fullest]] += 1, -1
            moved += now > warmup
    return area / processors / (now - warmup), moved / arrived


@pytest.mark.parametrize(("load", "limit", "gap"), [(0.8, 3, 2), (0.8, 1, 2), (0.6, 2, 3)])
def test_many_processors_come_near_to_the_fixed_point(load, limit, gap):
    jobs, moved = simulated(load, limit, gap)
    found = very_many.shortest_queue(load, limit, gap)
    assert found.jobs == pytest.approx(jobs, abs=0.05)
    assert found.migrations == pytest.approx(moved, abs=0.012)


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_without_migration_it_is_a_sum(limit):
    exponents = np.cumsum(float(limit + 1) ** np.arange(12))
    assert very_many.shortest_queue(0.7, limit, np.inf).jobs == pytest.approx(np.sum(0.7**exponents), abs=1e-12)


def test_who_asks_everybody_leaves_nothing_waiting():
    assert very_many.waiting(0.8, 500) < 1e-12
    assert very_many.messages(0.8, 500) == pytest.approx(0.8 * (2 * 501 + 1) * 1e-6)
