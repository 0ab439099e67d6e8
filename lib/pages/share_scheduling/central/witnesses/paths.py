"""Paths of the library's event loop without migration, looked at after every event."""

import functools
from typing import NamedTuple

import numpy as np

from clustershare.compiled.encoding import encode
from clustershare.dispatch import kernel
from clustershare.dispatch.central import LOCAL, policy_of
from clustershare.dispatch.state import OBTAINED_SHARE, empty, of_groups
from clustershare.sizes import Exponential


class Passed(NamedTuple):
    """Jobs on each processor after each event, (events, processors, groups), and obtained shares, (events, groups)."""

    jobs: np.ndarray
    obtained: np.ndarray


@functools.cache
def passed(policy, local, processors, shares=(0.5, 0.5), load=0.8, events=10_000, seed=5):
    """A path from the empty system; groups bring equal parts of the load, or each its own.

    Returns
    -------
    Passed
    """
    required, arrivals = (
        np.array(shares),
        np.full(len(shares), np.array(load) / (len(shares) if np.ndim(load) == 0 else 1)),
    )
    rules, weights = policy_of(policy, False, required, processors)
    speeds = np.full(processors, 1 / processors)
    system = empty(LOCAL[local], required, speeds, weights, by_group=rules.by_group, timed=False)
    rng, laws = np.random.default_rng([seed, processors]), encode(*[Exponential()] * len(shares))
    clock, sums = np.array([0.0, np.inf]), np.zeros(len(system.level))
    jobs = np.empty((events, processors, len(shares)), np.int64)
    obtained, level, count = np.empty((events, len(shares))), of_groups(system.level), system.count[:, 1:]
    for k in range(events):
        kernel.run(rng, rules, system, arrivals, 1.0, laws, 1, clock, sums)
        jobs[k], obtained[k] = count, level[:, OBTAINED_SHARE]
    return Passed(jobs, obtained)
