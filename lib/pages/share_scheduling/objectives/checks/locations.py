"""Claims of `thesis`, Section 1.3: jobs that are moved when they find a long queue, after Eager et al."""

import functools
import itertools

import numpy as np

from clustershare import markov, routing
from compendium.press import words
from compendium.press.findings import check, finding, over_domain
from pages.share_scheduling.objectives import paths
from pages.share_scheduling.objectives.systems import TENTHS, transfer_time

THRESHOLDS, PROBES, TRANSFERS = (1, 2, 3, 4, 5), (1, 2, 3, 5), (1, 2, 3)


@functools.cache
def in_small_systems():
    """500 processors against the limit of many; and of 20, the ratios of the three policies."""
    ratios, off = [], []
    for load in (0.5, 0.8):
        few = {}
        for number, location in enumerate(routing.LOCATIONS):
            exact = transfer_time(location, load, 2, 1 if location == "Random" else 3)
            mean, half = paths.interval(paths.transferred(location, np.full(500, load), 2, 3, length=7, seed=number))
            off.append(abs(mean - exact) / max(half, 0.01 * mean))
            few[location] = paths.transferred(location, np.full(20, load), 2, 3, length=120, seed=number).mean()
        ratios.append((few["Threshold"] / few["Random"], few["Shortest"] / few["Threshold"]))
    return ratios, max(off)


@check("thesis-1-011", looks=False)
def simple_location(looks=True):
    """In the control Threshold takes the first processor that it probes, however long its queue is."""
    few, off = in_small_systems()
    if off > 1:
        return finding("500 processors contradict the limit of many", False)
    much, little, where = [], [], []
    ratios, gains = [], []
    for load, threshold, probes in itertools.product(TENTHS, THRESHOLDS, PROBES):
        better = transfer_time("Threshold" if looks else "Random", load, threshold, probes if looks else 1)
        gain = 1 - transfer_time("Shortest", load, threshold, probes) / better
        for transfers in TRANSFERS:
            ratio = better / transfer_time("Random", load, threshold, 1, transfers)
            ratios.append(ratio)
            gains.append(gain)
            much.append(words.allows("much", 1 - ratio))
            little.append(not words.allows("clear", gain))
            where.append((load, threshold))
    much, little = np.array(much), np.array(little)
    least = min((load for (load, _), good in zip(where, much) if good), default=None)
    few = "; ".join(f"{a:.2f} and {b:.2f}" for a, b in few)
    return over_domain(
        f"Threshold is {min(ratios):.2f} to {max(ratios):.2f} of Random, at most half at {100 * much.mean():.0f} % of "
        f"the points" + (f", all at loads of {least:g} and more" if least else "") + f"; Shortest is 0.1 or more "
        f"below Threshold at {len(little) - sum(little)} of {len(little)} points, at worst {max(gains):.3f}; 20 "
        f"processors simulated at loads 0.5 and 0.8, Threshold of Random and Shortest of Threshold: {few}",
        much & little,
    )


@check("thesis-1-034", policy="none")
def gap_closed(policy="Threshold"):
    """The part of the way from M/M/1 to no waiting that a policy goes; in the control jobs move whatever they find."""
    parts = {}
    for load, threshold, probes in itertools.product(TENTHS, THRESHOLDS, PROBES):
        alone = 1 / (1 - load)
        time = transfer_time(policy, load, threshold, probes) if policy == "Threshold" else alone
        parts[load, threshold, probes] = (alone - time) / (alone - 1)
    holds = np.array([part >= 0.5 for part in parts.values()])
    worst = min(parts, key=parts.get)
    high = min(part for (load, threshold, _), part in parts.items() if load >= 0.7 and threshold <= 2)
    return over_domain(
        f"{parts[worst]:.2f} to {max(parts.values()):.2f} of the gap; least at load {worst[0]:g}, threshold "
        f"{worst[1]}, {worst[2]} probes; at least a half at {100 * holds.mean():.0f} % of the points; at loads from "
        f"0.7 on and thresholds 1 and 2 at least {high:.2f}",
        holds,
    )


def _two_processors(loads, threshold, most):
    """Mean response time of two processors, each of which moves a job to the other if that is short and it is not."""

    def transitions(state):
        for home in (0, 1):
            place = 1 - home if state[home] >= threshold > state[1 - home] else home
            for target, rate in ((place, loads[home]),):
                if state[target] < most:
                    yield tuple(jobs + (k == target) for k, jobs in enumerate(state)), rate
            if state[home]:
                yield tuple(jobs - (k == home) for k, jobs in enumerate(state)), 1.0

    states, *moves = markov.explore((0, 0), transitions)
    law = markov.stationary(markov.generator(len(states), *moves))
    return float(np.sum(states, axis=1) @ law / sum(loads))


@check("thesis-1-024", split=True)
def unbalanced_arrivals(split=False):
    """More and more of the arrivals at one half of the processors; in the control all are split at random."""
    systems, smallest, holds = ["none", "two, 1", "two, 2"], np.inf, []
    systems += [(threshold, probes) for threshold in (1, 2) for probes in (1, 2, 3)]
    for load, system in itertools.product((0.3, 0.5, 0.7, 0.9), systems):
        times = []
        for skew in (1.0, 1.1, 1.25, 1.5, 2.0):
            loads = (2 * load * skew / (1 + skew), 2 * load / (1 + skew)) if not split else (load, load)
            if loads[0] > 0.95:
                break
            if system == "none":
                times.append(sum(own / (1 - own) for own in loads) / (2 * load))
            elif isinstance(system, str):
                times.append(_two_processors(loads, int(system[-1]), int(np.log(1e-4) / np.log(loads[0])) + 12))
            else:
                times.append(transfer_time("Threshold", loads, *system))
        steps = np.diff(times) / times[0]
        holds += (steps > 1e-6).tolist()
        smallest = min(smallest, steps.min())
    halves = np.repeat([0.9, 0.5], 100)
    for threshold, probes in ((1, 1), (2, 3)):
        mean, half = paths.interval(paths.transferred("Threshold", halves, threshold, probes, length=12))
        if abs(mean - transfer_time("Threshold", (0.9, 0.5), threshold, probes)) > max(half, 0.02 * mean):
            return finding("200 processors contradict the limit of many", False)
    return over_domain("longer at every step" if smallest > 1e-6 else f"the smallest step is {smallest:.1g}", holds)


def drift(load, cost, moves):
    """Of a processor, when all have long queues: what comes less what is served beside so many moves of each job."""
    moving = 0.0 if cost == 0 else load * cost * moves
    return load - max(0.0, 1 - moving)


@check("thesis-1-033", once=True)
def transfer_limit(once=False):
    """Stable or not beside long queues; in the control no job moves twice, as under Threshold."""
    holds, free, bound = [], [], []
    for load, _, cost, limit in itertools.product(TENTHS, THRESHOLDS, (0.0, 0.01, 0.05, 0.1), (1, 2, 5, 20)):
        without = drift(load, cost, 1 if once else np.inf) > 0
        within = drift(load, cost, 1 if once else limit) < 0
        holds.append(without and within)
        (bound if cost else free).append((without, within))
    for load, limit, cost in itertools.product((0.4, 0.9), (1, 5, None), (0.0, 0.05)):
        mean, half = paths.interval(paths.crowded(load, 2, 1 if once else limit, cost))
        if abs(mean) <= half or (mean > 0) != (drift(load, cost, 1 if once else limit or np.inf) > 0):
            return finding("20 processors contradict the drift", False)
    without, within = np.array(bound).T
    return over_domain(
        f"if moving is free, unstable without a limit at {sum(w for w, _ in free)} of {len(free)} points; if it costs "
        f"the processors time, at {without.sum()} of {len(bound)}, and stable with a limit at {within.sum()}: those "
        "where the load times 1 + limit x cost is below 1",
        holds,
    )
