"""Claims of `thesis`, Section 6.6, on what others had found: that little information is enough, and its price."""

import functools
import itertools

import numpy as np

from clustershare import routing
from compendium.press.findings import Finding, check, over_domain, yes
from compendium.press.words import SCALE
from pages.share_scheduling.central.points.simulated import joint
from pages.share_scheduling.distributed.threshold import DISCIPLINES, POLICIES, response_times
from pages.share_scheduling.distributed.threshold_paths import simulated

LOADS = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95])
ALONE = 1 / (1 - LOADS)  # no job is moved
CLEAR, CLOSE, HARDLY = SCALE["clear"].least, SCALE["close"].most, SCALE["practically equal"].most
SOME, SEVERAL = np.array([1, 2, 3, 5]), np.array([2, 3, 5, 10])  # probe limits
FREE_OR_NOT = (0.0, 0.05)
COSTS = np.array([0.0, 0.01, 0.02, 0.05, 0.25, 0.5])


def of(holds):
    """How many points of all."""
    return f"{int(np.sum(holds))} of {np.size(holds)}"


def shorter(times):
    """By what part of the time without transfers; the loads first."""
    return 1 - times / ALONE.reshape(-1, *[1] * (np.ndim(times) - 1))


@check("thesis-6-133", moved=False)
def little_information(moved=True):
    """The threshold policy against no transfers and one line; in the control jobs are sent anywhere by chance."""
    limits, thresholds = (1, 2, 3, 4, 5), (1, 2, 3)
    times = np.array([
        [
            [routing.transfer_response_time("Threshold", float(load), T, L) if moved else alone for T in thresholds]
            for L in limits
        ]
        for load, alone in zip(LOADS, ALONE)
    ])  # fmt: skip
    substantial, close = shorter(times) >= CLEAR, 1 - 1 / times <= CLOSE  # one line for all: nobody waits
    ends = ", ".join(f"{limit} up to load {LOADS[k][-1]:g}" for limit, k in zip(limits, close.any(axis=2).T) if k.any())
    return over_domain(
        f"a tenth shorter than without transfers: {of(substantial)} points, with the best threshold "
        f"{of(substantial.any(axis=2))}; within {CLOSE:g} of one line: {of(close)}, with the best threshold "
        f"{of(close.any(axis=2))} (limit {ends or 'none'}); both at once: {of((substantial & close).any(axis=2))}",
        [*substantial.ravel(), *close.ravel()],
    )


@functools.cache
def by_policy(moved):
    """Mean response times, shape (costs, thresholds, loads, limits), by policy."""
    if not moved:
        return {policy: np.broadcast_to(ALONE[:, None], (2, 2, len(LOADS), len(SOME))) for policy in POLICIES}
    return {
        policy: np.array([
            [response_times(policy, LOADS[:, None], T, SOME, cost) for T in (1, 2)] for cost in FREE_OR_NOT
        ])
        for policy in POLICIES
    }  # fmt: skip


@functools.cache
def largest_distance():
    """Of a fixed point from a simulation of a hundred processors, in half widths that hold together."""
    points = list(itertools.product(POLICIES, enumerate(FREE_OR_NOT), (1, 2), (0.3, 0.8), enumerate(SOME.tolist())))
    worst = 0.0
    for policy, (free, cost), T, load, (place, limit) in points:
        found = simulated(policy, load, T, limit, cost, time=100.0)
        expected = by_policy(True)[policy][free, T - 1, LOADS.tolist().index(load), place]
        worst = max(worst, abs(found.value - expected) / found.half_width)
    return worst / joint(len(points), 10), len(points)


@check("thesis-6-134", moved=False)
def three_policies(moved=True):
    """Sender, Receiver and Reservation; in the control no job is moved."""
    times = by_policy(moved)
    gain = {policy: 1 - found / ALONE[:, None] for policy, found in times.items()}
    better = np.maximum(gain["Sender"], gain["Receiver"])
    first = times["Sender"] < times["Receiver"]
    parts = {
        "Sender a tenth shorter": gain["Sender"] >= CLEAR,
        "Receiver a tenth shorter": gain["Receiver"] >= CLEAR,
        "Reservation less than half of the better one's gain": gain["Reservation"] < better / 2,
        "Sender below Receiver up to load 0.3": first[:, :, LOADS <= 0.3 + 1e-9],
        "Receiver below Sender from 0.7 on": (times["Receiver"] < times["Sender"])[:, :, LOADS >= 0.7 - 1e-9],
    }
    said = "; ".join(f"{name}: {of(holds)}" for name, holds in parts.items())
    cross = ", ".join(_crossing(column) for T in (0, 1) for column in first[0, T].T)
    distance, points = largest_distance() if moved else (0.0, 0)
    found = over_domain(
        f"{said}; without costs Receiver is the better one with T = 1 and 2, limit 1, 2, 3 and 5 each: {cross}; "
        f"{points} fixed points {'within' if distance <= 1 else 'outside'} the intervals of a hundred processors",
        np.concatenate([holds.ravel() for holds in parts.values()]),
    )
    return found if distance <= 1 else Finding(found.computed, "differs")


def _crossing(first):
    """From which load on the other one is better."""
    last = np.flatnonzero(first)
    return "always" if not len(last) else "never" if last[-1] == len(LOADS) - 1 else f"from {LOADS[last[-1] + 1]:g}"


@check("thesis-6-135", limits=(0, 2))
def limits_and_thresholds(limits=tuple(SEVERAL)):
    """Sender and Receiver by probe limit and threshold, and how soon the number of processors does not matter."""
    points, best, near = {}, {}, []
    for policy, cost in itertools.product(POLICIES[:2], FREE_OR_NOT):
        every = np.array([response_times(policy, LOADS[:, None], T, (1, *limits), cost) for T in range(1, 6)])
        times = every[:, :, 1:]
        points[policy, cost] = 1 - times.min(axis=2) / times.max(axis=2) <= SCALE["comparable"].most
        least = times.min(axis=0)
        best[policy, cost] = (times[:2].min(axis=0) <= least) | (1 - least / times[:2] <= CLOSE).all(axis=0)
        near.append((1 - every[:, :, 1:].min(axis=2) / every.max(axis=2) <= SCALE["comparable"].most).ravel())
    apart = {
        P: max(
            abs(simulated(policy, 0.8, T, 3, processors=P, time=100.0).value / response_times(policy, 0.8, T, 3) - 1)
            for policy in POLICIES[:2] for T in (1, 2)
        ) for P in (20, 100, 500)
    }  # fmt: skip
    parts = [np.concatenate([holds.ravel() for holds in found.values()]) for found in (points, best)]
    low = [f"{policy} at cost {cost:g} {of(holds)}" for (policy, cost), holds in points.items()]
    text = (
        f"limits comparable: {of(parts[0])} ({', '.join(low)}; with limit 1 too {of(np.concatenate(near))}); "
        f"T = 1 or 2 best, or both close to it: {of(parts[1])}; 500 processors within {CLOSE:g} of the fixed points: "
        f"{yes(apart[500] <= CLOSE)}"
    )
    holds = np.concatenate(parts)
    most = all(np.mean(part) > 0.5 for part in parts) and apart[500] <= CLOSE
    return Finding(text, "agrees" if holds.all() and most else "agrees in part" if most else "differs")


@check("thesis-6-136", counted=False)
def costs_of_transfers(counted=True):
    """Mean response times against the cost of a transfer; in the control it costs nothing."""
    hardly, rapidly, waiting, close = [], [], [], []
    for policy, discipline, T in itertools.product(POLICIES[:2], DISCIPLINES, (1, 2)):
        times = response_times(policy, LOADS[:9, None], T, 3, COSTS if counted else 0 * COSTS, discipline)
        low = 1 - times[:, :1] / times[:, 1:4]
        first, then = ((times[:, COSTS == b] - times[:, COSTS == a])[:, 0] for a, b in ((0, 0.25), (0.25, 0.5)))
        little, much = (low <= HARDLY).all(axis=1), (then > 0) & (then >= 2 * first)
        if discipline == "first":
            hardly.append(little)
            rapidly.append(much)
            close.append((low <= CLOSE).all(axis=1))
        else:
            waiting.append((little, much))
    text = (
        f"costs up to 0.05 add at most {HARDLY:g}: {of(hardly)}, at most {CLOSE:g}: {of(close)}; twice as steep beyond "
        f"0.25: {of(rapidly)}; if a transfer waits for the job in service: {of([little for little, _ in waiting])} and "
        f"{of([much for _, much in waiting])}; all have a stable fixed point"
    )
    somewhere = np.any(hardly) and np.any(rapidly)
    everywhere = np.all(hardly) and np.all(rapidly)
    return Finding(text, "agrees" if everywhere else "agrees in part" if somewhere else "differs")
