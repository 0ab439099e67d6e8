"""Five cases of workload, ten probe limits: the points of `thesis`, Figures 6.1, 6.2 and 6.3, and full information."""

import functools

import numpy as np

from clustershare import dispatch
from compendium import study
from compendium.press.clauses import exact
from pages.share_scheduling.distributed.points.stored import PART, in_equilibrium, measured, table
from pages.share_scheduling.distributed.systems import ALL_CASES, CASES, LIMITS, POLICIES, of_case

PROCESSORS = 10
WHOLE = (1, 2)  # the cases in which each group requires whole processors
SMALL, LOADS = (2, 3), (0.1, 0.2, 0.3, 0.4, 0.5)  # systems whose chain can be solved
CUTS = (5, 6, 7, 8, 10)  # jobs at which that chain is cut, by the load


@functools.cache
def five(quantity, index=None, fidelity="book", **other):
    """A quantity by policy, case and limit; arguments as of `stored.measured`."""
    return measured(
        "limits", quantity, "case", "probe_limit", index=index, fidelity=fidelity, case=ALL_CASES, probe_limit=LIMITS,
        **other,
    )  # fmt: skip


def curves(quantity, case=1, index=None, fidelity="book"):
    """Of one case, as `figures.against` draws them: by policy, values and half widths at all probe limits."""
    found = five(quantity, index, fidelity).at(case=case)
    return {policy: (found.value[k], found.half[k]) for k, policy in enumerate(POLICIES)}


def rate(kind, limits=LIMITS):
    """Customers of one kind per unit of time in case 1."""
    return five("traffic", kind).at(case=1, limit=limits)


def settled(limits=LIMITS):
    """Which points of the five cases are in equilibrium: array of bool, shape (policies, cases, limits)."""
    loads = np.array([CASES[case][1] for case in ALL_CASES])
    return in_equilibrium([five("obtained_share", g).at(limit=limits) for g in (0, 1)], loads.T[:, None, :, None])


def from_which_on(found, condition):
    """The limit from which on a condition holds of points, by what they are by besides the limit, the last axis.

    It is infinite where it does not hold of the last one.
    """
    *rest, (_, limits) = found.axes
    holds = condition.inside(found, found.widened(found.asked), found.widened(found.asked))
    kept = np.logical_and.accumulate(holds[..., ::-1], axis=-1)[..., ::-1]
    return exact(np.where(kept.any(axis=-1), np.array(limits)[kept.argmax(axis=-1)], np.inf), **dict(rest))


@functools.cache
def central(quantity, index=None, fidelity="book"):
    """The central policies with migration and GPPS, by policy and case."""
    points = study.grid(policy=list(POLICIES), case=list(ALL_CASES))
    rows = study.run(
        "distributed-central-policies", dispatch.simulate_central, points, _of_central, fidelity=fidelity, part=PART
    )
    return table(rows, quantity, "policy", "case", index=index)


def _of_central(policy, case):
    shares, loads = CASES[case]
    return {
        "policy": policy, "local": "GPPS", "migration": True, "required_shares": shares, "loads": loads,
        "processors": PROCESSORS,
    }  # fmt: skip


@functools.cache
def without_delay(quantity, index=None):
    """All nine others probed over a network that takes no time, by policy and case."""
    return measured(
        "central", quantity, "case", index=index, probe_limit=PROCESSORS - 1, probe_service_time=0.0,
        migration_service_time=0.0, case=ALL_CASES,
    )  # fmt: skip


@functools.cache
def small_without_delay(processors, quantity, index):
    """The same of two or three processors, by policy, case (`WHOLE`) and load (`LOADS`)."""
    return measured(
        "central", quantity, "case", "load", index=index, processors=processors, probe_limit=processors - 1,
        probe_service_time=0.0, migration_service_time=0.0, case=WHOLE, load=LOADS,
    )  # fmt: skip


@functools.cache
def small_chains(processors, g):
    """A group's deviation there by the chain of Chapter 5's rules."""
    at = [(load, cut) for load, cut in zip(LOADS, CUTS)]
    values = [[[by_chain(policy, case, load, processors, cut)[g] for load, cut in at] for case in WHOLE]
              for policy in POLICIES]  # fmt: skip
    return exact(values, as_it_stands=True, policy=POLICIES, case=WHOLE, load=LOADS)


@functools.cache
def by_chain(policy, case, load, processors, most_jobs):
    """The groups' deviations by the chain of Chapter 5's rules, with migration and GPPS: ndarray."""
    system = of_case(policy, case, load)
    return dispatch.exact_central(
        policy, local="GPPS", migration=True, processors=processors, most_jobs=most_jobs,
        required_shares=system["required_shares"], loads=system["loads"],
    ).group_share_deviation  # fmt: skip
