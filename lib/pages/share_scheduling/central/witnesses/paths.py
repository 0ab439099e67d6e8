"""Paths of the library's event loop, looked at after every event; and what its answers are held against."""

import functools
import itertools
from typing import NamedTuple

import numpy as np

from clustershare.compiled.encoding import encode
from clustershare.dispatch import exact_central, kernel, simulate_central
from clustershare.dispatch.central import LOCAL, policy_of
from clustershare.dispatch.state import OBTAINED_SHARE, empty, of_groups
from clustershare.sizes import Exponential
from compendium.press.clauses import cases, everywhere, grid
from compendium.press.clauses.conditions import agrees, equal
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.systems import two_groups
from pages.share_scheduling.central.witnesses.groups_apart import loss_on_two


class Passed(NamedTuple):
    """Jobs on each processor after each event, (events, processors, groups), and obtained shares, (events, groups)."""

    jobs: np.ndarray
    obtained: np.ndarray


@functools.cache
def passed(policy, local, processors, shares=(0.5, 0.5), load=0.8, events=10_000, seed=5, migration=False):
    """A path from the empty system; groups bring equal parts of the load, or each its own.

    Returns
    -------
    Passed
    """
    required, arrivals = (
        np.array(shares),
        np.full(len(shares), np.array(load) / (len(shares) if np.ndim(load) == 0 else 1)),
    )
    rules, weights = policy_of(policy, migration, required, processors)
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


def totals(policy, local, **setting):
    """What 10,000 events with one seed say of all jobs together, whatever their groups, and how many jobs remain."""
    found = simulate_central(
        **two_groups(policy, local, False, **setting), jumps=10_000, warmup=0, replications=2, seed=51
    )
    return np.array([
        found.capacity_loss.value, found.capacity_loss.half_width, found.mean_jobs.value.sum(),
        found.growth.value.sum(), found.busy_range.value, found.busy_spread.value,
    ])  # fmt: skip


def one_path(policy, axis, values, local=("PS", "GPPS")):
    """That a policy's path with one seed is the same, whatever a parameter is."""
    gap = cases("local policy", local).measure(
        lambda each: np.ptp([totals(policy, each, **{axis: value}) for value in values], axis=0).max()
    )
    return everywhere(f"the paths of {policy} with one seed, whatever the {axis},", gap, equal(1e-9))


def not_apart(policy, case, axis, local=("PS", "GPPS")):
    """That the stored losses of a policy cannot be told apart."""
    found = points.of(case, points.LOSS).at(policy=policy, local_policy=local)
    return everywhere(f"the difference of the losses of {policy} at any two {axis}s", points.differences(found, axis),
                      agrees("is 0 within its interval"))  # fmt: skip


def hp_as_by_chain(**systems):
    """That HP loses on two processors what it loses by the chain of the printed rules, at a load of 0.1."""

    def gap(local, share, fraction):
        return _loss_of_few("HP", local, share, fraction) - loss_on_two("HP", local, share, 0.1, fraction)

    return everywhere("the loss of HP by the library's chain and by the printed rules, at the load 0.1,",
                      grid(**systems).measure(gap), equal(1e-8))  # fmt: skip


def _loss_of_few(policy, local, share, fraction):
    return exact_central(**two_groups(policy, local, False, 2, 0.1, fraction, share), most_jobs=8).capacity_loss


def one_loss_of_few(pairs, shares, fractions):
    """That pairs of policies lose as much by the library's chain, whatever the shares and fractions, at a load of 0.1.

    Once that is what they lose by the chain of the printed rules.
    """

    def gap(policy, local):
        found = [_loss_of_few(policy, local, *each) for each in itertools.product(shares, fractions)]
        return {"gap": np.ptp(found), "off": found[0] - loss_on_two(policy, local, shares[0], 0.1, fractions[0])}

    found = cases("pair of policies", pairs, ["/".join(pair) for pair in pairs]).measure(gap)
    return [
        everywhere("the losses by the library's chain, at the load 0.1,", found["gap"], equal(1e-9)),
        everywhere("one of them and that by the printed rules", found["off"], equal(1e-8)),
    ]
