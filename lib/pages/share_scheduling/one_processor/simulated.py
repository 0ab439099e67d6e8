"""Simulations as witnesses: many systems judged jointly, and the event loops with arrivals that the library refuses."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from clustershare import uniprocessor
from clustershare.compiled.encoding import encode, of_mean_1
from clustershare.estimates import Estimate, from_replications
from clustershare.run_length import RunLength
from clustershare.uniprocessor import kernel
from clustershare.uniprocessor.events import ALL_AT_ONCE, ONE_AT_A_TIME
from clustershare.uniprocessor.model import Workload, limiting
from compendium.press import clauses
from compendium.press.clauses import cases, everywhere, measured
from compendium.press.clauses.conditions import agrees, equal, never_rises

RUN = {"jumps": 100_000, "warmup": 10_000, "replications": 20}
RISK = 0.001  # that not all intervals that are asked together hold
ROUNDING = 1e-9  # of numbers whose interval has no width, and of chains beyond their bounds
IN_BOUND = agrees("is within the bound of its chain")
NOT_ABOVE_0 = replace(never_rises(), text="is not above 0 beyond its interval")


def estimates(expected, found, runs=RUN["replications"]):
    """Estimates less what is expected of each, where that is a number: `Points` that hold together at 99.9 %.

    Examples
    --------
    >>> estimates([[0.5, np.nan]], [Estimate(np.array([0.7, 0.1]), np.array([0.1, 0.1]))]).value.round(3)
    array([0.2])
    """
    gap = np.concatenate([[], *(np.ravel(one.value - value) for value, one in zip(expected, found, strict=True))])
    half = np.concatenate([[], *(np.ravel(one.half_width) for one in found)])
    told = ~np.isnan(gap)
    return measured(gap[told], half[told] + ROUNDING, runs=runs, risk=RISK, estimate=None)


def agree(text, expected, found, runs=RUN["replications"]):
    """The clause that no estimate contradicts what is expected of it: arguments as for `estimates`."""
    return everywhere(text, estimates(expected, found, runs), agrees())


def simulations(policy, systems, expected, quantities=("group_share_deviation",), seed=0, **run):
    """Simulations of systems less what is expected of each, of shape (quantities, groups), as `estimates`."""
    run, found = {**RUN, **run}, []
    for number, system in enumerate(systems):
        result = uniprocessor.simulate(policy, **system, **run, seed=seed + number)
        found += [getattr(result, quantity) for quantity in quantities]
    values = [value for rows in expected for value in np.atleast_2d(rows)]
    return estimates(values, found, run["replications"])


def sampled(found, runs=RUN["replications"], as_it_stands=True, **axes):
    """Estimates along axes as `Points`, which hold together at 99.9 %."""
    value, half = (np.array([getattr(one, part) for one in found]) for part in ("value", "half_width"))
    shape = [len(names) for names in axes.values()]
    return measured(value.reshape(shape), half.reshape(shape), runs=runs, risk=RISK, as_it_stands=as_it_stands, **axes)


def bounded(pairs, noun="chain"):
    """Gaps to what chains give, each with the bound of its chain: `Points`, for `IN_BOUND`."""
    gap, bound = np.reshape(list(pairs), (-1, 2)).T
    return measured(gap, bound + ROUNDING, risk=None, **{noun.replace(" ", "_"): None})


def widened(points, replications=RUN["replications"], confidence=0.999):
    """By how much intervals of 95 % must be widened to hold jointly, for checks that are not said in clauses.

    Examples
    --------
    >>> widened(1, 20, 0.95), widened(50) > 2
    (1.0, True)
    """
    return clauses.widened(points, replications, 1 - confidence)


class Path(NamedTuple):
    """Averages over paths from the start: each an `Estimate` of shape (groups,), or an array with one row a path."""

    present: Estimate
    obtained: Estimate
    job_share_deviation: Estimate
    jobs: Estimate


def paths(policy, required_shares, arrival_rates, service_rates=1.0, permanent_jobs=0, *, seed=0, **run):
    """The library's event loops, path by path, so that differences can be taken in pairs: arrays, a row for each path.

    The arguments are those of `uniprocessor.simulate`, which replaces or refuses arrivals that overload: here a queue
    that grows without bound is left to grow.
    """
    stable = limiting(policy, required_shares, arrival_rates, service_rates, permanent_jobs)
    work = Workload(policy, **{"service_rates": service_rates, "permanent_jobs": 0, **stable})
    groups, timed = work.groups, policy == "UD"
    permanent = np.array(np.broadcast_to(permanent_jobs, groups), dtype=np.int64)
    run = RunLength(**{**RUN, **run}, seed=seed)
    common = (
        timed,
        np.array(arrival_rates, float),
        work.service_rates,
        permanent,
        encode(*[of_mean_1("", None)] * groups),
    )
    if policy in ONE_AT_A_TIME:
        loop, rule = kernel.serve, (ONE_AT_A_TIME[policy], work.priority_class)
    else:
        loop, rule = kernel.share, (ALL_AT_ONCE[policy],)
    samples = [loop(rng, *rule, work.required_shares, *common, run.jumps, run.warmup) for rng in run.generators()]
    return Path(*np.swapaxes(np.array(samples), 0, 1))


def refused(policy, *system, **setting):
    """A `Path` of `Estimate` by `uniprocessor.simulate`, whose arguments these are; from `paths` what it refuses."""
    try:
        found = uniprocessor.simulate(policy, *system, **{**RUN, "seed": 0, **setting})
    except uniprocessor.UnboundedQueues:
        return Path(*map(from_replications, paths(policy, *system, **setting)))
    return Path(found.probability_present, found.obtained_share, found.job_share_deviation, found.mean_jobs)


def as_simulated(policy, systems):
    """The clause that on short runs of one seed the library's simulation has the averages of `paths`."""
    run = {"jumps": 300, "warmup": 100, "replications": 2, "seed": 0}

    def gap(number):
        system = systems[number]
        found, ours = uniprocessor.simulate(policy, **system, **run), paths(policy, **system, **run)
        both = [(found.group_share_deviation, ours.present - ours.obtained / np.array(system["required_shares"]))]
        theirs = found.probability_present, found.obtained_share, found.job_share_deviation, found.mean_jobs
        both += zip(theirs, ours)
        return max(np.abs(one.value - rows.mean(axis=0)).max() for one, rows in both)

    gaps = cases("system", range(len(systems))).measure(gap)
    return everywhere(f"on paths of {policy} averages, and those of the library's simulation", gaps, equal(ROUNDING))
