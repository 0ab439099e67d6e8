"""A job that is sent on once from a long queue: the chain against a simulation of its own, and two limits."""

import numpy as np
import pytest

from clustershare import routing
from pages.share_scheduling.splitting.witnesses import dynamic


def simulated(processors, load, threshold, seed, events=200_000, batches=20):
    """Mean response time by Little's law and the half width of its interval of 95 %."""
    rng = np.random.default_rng(seed)
    jobs, found = np.zeros(processors, dtype=int), []
    chosen = rng.random(events) < load / (1 + load)  # an arrival; else an end of service, if there is a job
    at, other = rng.integers(processors, size=events), rng.integers(1, processors, size=events)
    for arrives, here, there in zip(chosen, at, other):
        if arrives:
            jobs[(here + there) % processors if jobs[here] >= threshold else here] += 1
        elif jobs[here]:
            jobs[here] -= 1
        found.append(jobs.sum())
    means = np.reshape(found[events // 5 :], (batches, -1)).mean(axis=1) / (processors * load)
    return means.mean(), 2.09 * means.std(ddof=1) / batches**0.5


@pytest.mark.parametrize(("processors", "load", "threshold"), [(2, 0.5, 1), (3, 0.7, 2), (4, 0.6, 2)])
def test_the_chain_is_the_system(processors, load, threshold):
    value, half_width = simulated(processors, load, threshold, seed=7)
    assert abs(dynamic.sent_on(processors, load, threshold) - value) < 2 * half_width < 0.2


def test_no_threshold_and_very_many_processors_are_its_limits():
    """At a threshold that nobody reaches each queue is M/M/1; with more processors it comes near to the limit."""
    assert dynamic.sent_on(2, 0.5, 20) == pytest.approx(2, rel=2e-3)
    limit = routing.transfer_response_time("Random", 0.6, 2)
    away = [abs(dynamic.sent_on(processors, 0.6, 2) - limit) for processors in (2, 3, 4)]
    assert away == sorted(away, reverse=True)
