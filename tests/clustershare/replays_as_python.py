"""Replays whose kernels are run as Python, with ``NUMBA_DISABLE_JIT=1``: the bits they give, and a policy of one's own.

A policy that draws nothing can be held against a plain loop; compiled, it would take longer than all of these tests.
"""

import hashlib
import json
from typing import NamedTuple

import numpy as np

import plain_replay
from clustershare import dispatch
from clustershare.dispatch import state
from clustershare.multiserver import CompatibilityGraph
from clustershare.workload import RULES, Workload, replay_cluster, replay_dispatch, replay_processor, replay_servers

SHARES = (0.5, 0.3, 0.2)


def drawn(seed, jobs=60, load=0.9, groups=3):
    """Arrivals, sizes and groups."""
    rng = np.random.default_rng(seed)
    arrivals, sizes = np.cumsum(rng.exponential(1, jobs)), rng.exponential(load, jobs) + 1e-3
    return arrivals - arrivals[0], sizes, rng.integers(0, groups, jobs)


def bits():
    """A digest of the ends of jobs, by what was replayed."""
    arrivals, sizes, groups = drawn(3)
    one = Workload(arrivals, sizes, groups)
    rng = np.random.default_rng(4)
    many = Workload(
        arrivals, 3 * sizes, groups, rng.integers(1, 9, 60), estimates=sizes * rng.uniform(1, 9, 60)
    )
    found = {policy: replay_processor(one, policy, SHARES) for policy in ("FCFS", "HOL", "UD", "PQ", "PS", "GPPS")}
    found |= {rule: replay_cluster(many, 12, rule, required_shares=SHARES) for rule in RULES}
    found["decay"] = replay_cluster(many, 12, "fair share", required_shares=SHARES, half_life=5.0)
    graph = CompatibilityGraph([{0}, {0, 1}, {1}], [0.5, 0.7])
    found["servers"] = replay_servers(one, graph, 2.0, seed=5)
    found["JSQ"] = replay_dispatch(many_of_one(many), "JSQ", migration=True, required_shares=SHARES, processors=3)
    return {name: hashlib.sha256(each.end.tobytes()).hexdigest()[:12] for name, each in found.items()}


def many_of_one(jobs):
    """The same jobs with a server each."""
    return Workload(jobs.arrivals, jobs.sizes, jobs.groups)


def fewest(policy, system, rng, group):
    """The first processor with the fewest jobs."""
    return int(np.argmin(system.count[:, 0]))


def from_most(policy, system, rng, group, q, now):
    """As `plain_replay.dispatch` has it; all jobs of a group that is moved must be alike."""
    p = int(np.argmax(system.count[:, 0]))
    if system.count[p, 0] >= system.count[q, 0] + 2:
        state.move(system, rng, int(np.flatnonzero(system.count[p, 1:])[0]), p, q, now)


class First(NamedTuple):
    """To the first processor with the fewest jobs."""

    migration: bool = False
    by_group = False
    place, rebalance = staticmethod(fewest), staticmethod(from_most)


def beside_a_plain_loop():
    """Assert that jobs end when they do in a plain loop, also where each migrates with its name."""
    dispatch.POLICIES["first"] = First
    for seed in range(3):
        for local in ("PS", "PPS", "GPPS"):
            for migration in (False, True):
                groups = 12 if migration else 3  # one job of a group at a time, so that who migrates is not drawn
                arrivals, sizes, own = drawn(seed, 40 if not migration else 12, 4.0, 3)
                own = np.arange(12) if migration else own
                shares = np.arange(1, groups + 1) / (groups * (groups + 1) / 2)
                capacities = np.array([0.25, 0.25, 0.5])
                found = replay_dispatch(
                    Workload(arrivals, sizes, own), "first", local=local, migration=migration, required_shares=shares,
                    processors=3, capacities=capacities,
                )  # fmt: skip
                jobs = list(zip(arrivals, sizes / 3, own))
                plain = plain_replay.dispatch(jobs, capacities, local, shares, migration)
                np.testing.assert_allclose(found.end, plain, rtol=1e-9)
                if migration:
                    assert not np.allclose(plain, plain_replay.dispatch(jobs, capacities, local, shares, False))


def signed(empty):
    """A system whose whole numbers may be added to -1: NumPy, unlike compiled code, refuses that to unsigned ones."""

    def made(*given, **named):
        system = empty(*given, **named)
        return system._replace(**{
            name: part.astype(np.int64) for name, part in system._asdict().items()
            if getattr(part, "dtype", None) == np.uint32
        })  # fmt: skip

    return made


if __name__ == "__main__":
    state.empty = signed(state.empty)
    beside_a_plain_loop()
    print(json.dumps(bits()))
