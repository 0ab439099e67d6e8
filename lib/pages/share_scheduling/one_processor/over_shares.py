"""Deviations over the required share of group 1: the data of `thesis`, Figures 3.10, 3.11, 3.12, 3.13, 3.14, 3.15."""

import functools

import numpy as np

from clustershare import uniprocessor
from clustershare.compiled import service
from clustershare.uniprocessor.chain import solve
from clustershare.uniprocessor.model import Workload
from compendium import study
from compendium.study import run_lengths
from pages.share_scheduling.one_processor.deviations import curves
from pages.share_scheduling.one_processor.simulated import refused, widened
from pages.share_scheduling.one_processor.systems import SHARES, beside_permanent_jobs, two_groups

# Where the curves are drawn; at a half, group 1 is in front.
WITHOUT = np.linspace(0.5, 0.99, 99) + 1e-9
BESIDE = np.linspace(0.5, 0.99, 50) + 1e-9
POINTS = (*SHARES, 0.99)  # where paths are run with the arrivals as they are


def drawn(policy, permanent=0, quantity="group_share_deviation"):
    """The published curve of a policy, over `WITHOUT`, or beside so many permanent jobs of each group over `BESIDE`."""
    if permanent:
        return _curve(policy, BESIDE, lambda name, r: beside_permanent_jobs(name, r, permanent), quantity)
    return _curve(policy, WITHOUT, lambda _, r: two_groups(0.5, required_share=r), quantity)


def _curve(policy, shares, system, quantity):
    return curves({policy: policy}, shares, system, quantity)[policy].deviation


@functools.cache
def _rows(permanent):
    """The published points of all policies that are simulated, read once."""

    def arguments(policy, share):
        if permanent:
            return {"policy": policy, **beside_permanent_jobs(policy, share, permanent)}
        return {"policy": policy, **two_groups(0.5, required_share=share)}

    points = study.grid(policy=["FCFS", "HOL", "UD", "PQ", "PPS", "GPPS"], share=SHARES)
    return study.run("uniprocessor", uniprocessor.simulate, points, arguments, fidelity="paper")


def simulated(policy, permanent=0, quantity="group_share_deviation"):
    """The published points: estimates and half widths over `SHARES`, shape (shares, groups)."""
    rows = _rows(permanent)
    rows = rows[(rows["policy"] == policy) & (rows["quantity"] == quantity)]
    return tuple(rows[column].to_numpy().reshape(-1, 2) for column in ("estimate", "half_width"))


def jointly(half_widths):
    """The half widths of published points, widened so that all hold together at 99.9 %."""
    return widened(np.size(half_widths), run_lengths("paper")["replications"]) * np.asarray(half_widths)


@functools.cache
def as_they_arrive(policy, permanent, share, jumps=20_000, warmup=0, replications=20):
    """Paths from the start at loads of 0.25 each, no arrivals replaced where a queue grows without bound."""
    system = two_groups(0.5, 0.5, share)
    return refused(policy, *system.values(), 1.0, permanent, jumps=jumps, warmup=warmup, replications=replications)


def deviations_of(path, share):
    """Deviations and half widths of a path on which both groups are always there, each of shape (2,)."""
    shares = np.array([share, 1 - share])
    return path.present.value - path.obtained.value / shares, path.obtained.half_width / shares


@functools.cache
def sharing_chain(policy, share, permanent=0, load=0.8):
    """PS, PPS or GPPS by the chain of both numbers: deviations and the chain's bound; permanent jobs of each group.

    Parameters
    ----------
    policy : str
    share : float
        Required by group 1.
    permanent : int or tuple of int
    load : float
        Of both groups together, half of it each.

    Returns
    -------
    deviations : ndarray, shape (2,)
    bound : float
    """
    code = {"PS": service.PS, "PPS": service.PPS, "GPPS": service.GPPS}[policy]
    shares, rates = two_groups(0.5, load, share).values()
    stable = {"permanent_jobs": 0, **uniprocessor.limiting(policy, shares, rates, 1.0, permanent)}
    work = Workload(policy, service_rates=1.0, **stable)
    obtained, present, _, error = solve(
        work,
        lambda transient: service.divide_each(code, work.required_shares, transient + work.permanent_jobs[:, None]),
        1e-8,
    )
    return present - obtained / work.required_shares, error
