"""Lines served in order of arrival: random systems, the chains of their lines, simulations, and what they say together.

They are made once and shared by the checks of `thesis`, Section 3.2.1. Required shares lie in (0.05, 0.9).
"""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np

from clustershare import uniprocessor
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from compendium.press.clauses import cases, everywhere
from compendium.press.clauses.conditions import agrees, equal
from pages.share_scheduling.one_processor.simulated import IN_BOUND, ROUNDING, bounded, estimates

# Permanent jobs beside which a line is solved: up to three of two or three groups, in all ways, and some of four.
BESIDE = tuple(
    lasting
    for groups in (2, 3)
    for lasting in itertools.product(range(4), repeat=groups)
    if 1 <= sum(lasting) <= 3
) + ((1, 3), (2, 2), (1, 0, 0, 1), (0, 2, 0, 0))  # fmt: skip
HEAVIEST = {2: 0.2, 3: 0.06, 4: 0.04}  # loads at which a chain without permanent jobs is short enough
RUN = {"jumps": 60_000, "warmup": 10_000, "replications": 20}
RATE = 4.0  # of service, where the library is asked: means are identical, and need not be 1


class System(NamedTuple):
    """A system with service rates of 1: arrays of shape (groups,)."""

    shares: np.ndarray
    loads: np.ndarray
    permanent: np.ndarray

    @property
    def arguments(self):
        """For `uniprocessor.exact` and the like."""
        return {
            "required_shares": tuple(self.shares.tolist()),
            "arrival_rates": tuple(self.loads.tolist()),
            "permanent_jobs": tuple(self.permanent.tolist()),
        }


def _shares(rng, groups):
    floor = 0.1 if groups == 2 else 0.05
    return floor + (1 - groups * floor) * rng.dirichlet(np.ones(groups))


def _loads(rng, groups, load):
    return load * (0.1 / groups + 0.9 * rng.dirichlet(np.ones(groups)))


def at_random(count, permanent=False, low=0.02, high=0.95, seed=3):
    """Random systems of two, three and four groups by turns, with up to three permanent jobs a group or none at all."""
    rng, found = np.random.default_rng(seed), []
    for number in range(count):
        groups = 2 + number % 3
        lasting = rng.integers(0, 4, groups) * permanent
        if permanent and not lasting.any():
            lasting[rng.integers(groups)] = 1
        found.append(System(_shares(rng, groups), _loads(rng, groups, rng.uniform(low, high)), lasting))
    return found


def _long_enough(system, bound):
    """Transient jobs at which a chain of the line may end, by what its bound will be."""
    lasting, load = int(system.permanent.sum()), system.loads.sum()
    most, error = 1, math.inf
    while error > bound:
        most += 1
        end = math.comb(most + lasting, most) * load**most * (1 - load) ** (lasting + 1)
        error = end * load * (most + 1) / (1 - load) / system.shares.min()
    return most


@functools.cache
def solved(policy="FCFS", permanent=False, order="first"):
    """Systems and the chains of their lines, at `RATE`: without permanent jobs to a load of 0.25, with them to 0.1.

    Their truncation errors are below 1e-6 and 1e-4. A policy is left out where a group would starve.
    """
    rng = np.random.default_rng(8)
    if permanent:
        found = []
        for lasting in BESIDE:
            groups, size = len(lasting), len(lasting) + sum(lasting)
            load = {3: 0.1, 4: 0.06, 5: 0.03, 6: 0.015}[size] * rng.uniform(0.5, 1)
            found.append(System(_shares(rng, groups), _loads(rng, groups, load), np.array(lasting)))
    else:
        found = [
            System(
                _shares(rng, groups), _loads(rng, groups, HEAVIEST[groups] * rng.uniform(0.3, 1)), np.zeros(groups, int)
            )
            for groups in (2, 3, 4) * 4
        ]
        found.append(System(np.array([0.45, 0.55]), np.array([0.15, 0.1]), np.zeros(2, int)))
    result = []
    for system in found:
        most = _long_enough(system, 1e-4 if permanent else 1e-6)
        given = (system.shares, RATE * system.loads, RATE, system.permanent)
        try:
            result.append((system, uniprocessor.whole_line(policy, *given, most_jobs=most, order=order)))
        except UnstableError:
            continue
    return result


@functools.cache
def simulated(policy="FCFS", permanent=False):
    """Sixteen random systems to a load of 0.95 and their simulations; none that a policy starves."""
    result = []
    for number, system in enumerate(at_random(16, permanent, low=0.3, seed=61)):
        try:
            found = uniprocessor.simulate(policy, **system.arguments, **RUN, seed=number)
        except UnstableError:
            continue
        result.append((system, found))
    return result


def deviation(shares, loads, policy="FCFS"):
    """Exact group-share deviations without permanent jobs: ndarray, shape (groups,)."""
    return uniprocessor.exact(policy, shares, RATE * np.asarray(loads), RATE).group_share_deviation


def numbers(line):
    """The numbers of transient jobs in the chain of a line, shape (groups, states), and their law."""
    counts, place = np.unique(line.transient, axis=1, return_inverse=True)
    return counts, np.bincount(place.ravel(), line.probability)


def in_chains(text, gaps, policy="FCFS", beside=(False, True), order="first"):
    """The clause that the gaps a function of system and chain gives, where there are any, are within the bounds."""
    pairs = [(np.abs(found).max(), line.performance.error) for kind in beside
             for system, line in solved(policy, kind, order) if np.size(found := gaps(system, line))]  # fmt: skip
    return everywhere(text, bounded(pairs, "chain of a line"), IN_BOUND)


def in_runs(expected, quantity, policy="FCFS", beside=(False, True)):
    """The simulations less what is expected of the systems, as `estimates`."""
    runs = [pair for kind in beside for pair in simulated(policy, kind)]
    return estimates([expected(system) for system, _ in runs], [getattr(run, quantity) for _, run in runs])


def witnesses(name, expected, quantity, policy="FCFS", beside=(False, True)):
    """Clauses on a named formula of a system: the library's exact answers, chains of the line, and simulations."""

    def off(system):
        answer = uniprocessor.exact(policy, system.shares, RATE * system.loads, RATE, system.permanent)
        answer, value = getattr(answer, quantity), expected(system)
        return np.nanmax(np.abs(answer - value) / np.maximum(np.abs(value), 1e-3))

    def gaps(system, line):
        return getattr(line.performance, quantity) - expected(system)

    systems = cases("random system", [(system,) for kind in beside for system in at_random(60, kind)], seed=3)
    other = {NoExactAnswer: "no exact answer", UnstableError: "overloaded"}  # only under another policy than FCFS
    return [
        everywhere(f"the library's answer and {name}", systems.measure(off, other), equal(ROUNDING)),
        in_chains(f"the gap of {name}", gaps, policy, beside),
        everywhere(f"{name}, against a simulation,", in_runs(expected, quantity, policy, beside), agrees()),
    ]
