"""Splits of one load: least loss, short responses and waits, against prices and rivals at random."""

import math
from fractions import Fraction

import numpy as np
from scipy.optimize import brentq

from clustershare import splitting
from clustershare.splitting import curvature
from compendium.press.clauses import cases, equalities
from pages.share_scheduling.splitting.library.shared import CLOSE, agree, loss_of, off, unmet


def _exactly(values):
    return [Fraction(float(value)) for value in values]


def _prices(speeds, loads, step=Fraction(1, 2**80)):
    """By how much the loss rises with a unit of work on each processor, but for a constant: differences in fractions.

    The loss is linear in the work that is served: that constant is 1.
    """
    speeds, loads, found = _exactly(speeds), _exactly(loads), []
    for p, speed in enumerate(speeds):
        up, down = (loads[:p] + [loads[p] + move] + loads[p + 1 :] for move in (step, -step))
        found.append(float((loss_of(speeds, up) - loss_of(speeds, down)) / (2 * step * speed)) + 1)
    return np.array(found)


def _random_loads(rng, speeds, total, count):
    """Loads below 1 of a given total, and no jobs on some processors of a few."""
    loads = total * rng.dirichlet(np.full(len(speeds), 0.7), count) / speeds
    part = np.minimum(1, 0.999 * (1 - total) / np.maximum(loads.max(axis=1) - total, 1e-9))[:, None]
    return total + part * (loads - total)


def _filled(speeds, total, weights):
    """Loads such that what is left of the time is in proportion to weights, at most 1, by bisection."""
    level = brentq(lambda k: speeds @ np.maximum(1 - k * weights, 0) - total, 0, 1 / weights.min(), xtol=1e-16)
    return np.maximum(1 - level * weights, 0)


def on_splits():
    """The splits of one load: least loss, with and without proof, nearly least loss, short responses and waits."""
    rng = np.random.default_rng(42)

    def told(found, speeds, total, method):
        """What a `SplitLoad` says of its own loads, but for the objective."""
        loads = found.processor_loads
        return float(
            max(off([speeds @ loads, *found.fractions], [total, *(speeds * loads / total)]), -loads.min(), 0)
            + (found.method not in method)
        )

    def lost(found, speeds):
        return off(found.objective, loss_of(_exactly(speeds), _exactly(found.processor_loads)))

    def least(speeds, total):
        found = splitting.minimise_capacity_loss(speeds, total, starts=4)
        loads, used = found.processor_loads, found.processor_loads > 0
        prices = _prices(speeds, loads)
        rivals = [loss_of(speeds, rival) for rival in _random_loads(rng, speeds, total, 40)]
        formula = len(speeds) < 3 or speeds[0] == speeds[-1]
        return {
            "the least loss and that of its loads": lost(found, speeds),
            "its loads and parts": told(found, speeds, total, ("formula",) if formula else ("equal prices", "descent")),
            "the prices of used processors, and others that are no cheaper,": unmet(prices, used) / 1e3,
            "the least loss and the least of it and of random splits": max(0.0, found.objective - min(rivals)),
            "its error": max(0.0, found.error - (0 if formula else 1e-7)),
        }

    def nearly(speeds, total):
        P = len(speeds)
        tilt = total ** ((P / 30) ** (1 / 3))
        loads = _filled(speeds, total, speeds ** (-1 / (2 - tilt)))
        result = {}
        for rounds in (0, 1, 2, None):
            if rounds:
                fixed = _prices(speeds, loads) * (1 - loads) ** (2 - tilt)
                loads = _filled(speeds, total, fixed ** (1 / (2 - tilt)))
            if rounds is None:
                loads = splitting.minimise_capacity_loss(speeds, total, starts=1).processor_loads
            found = splitting.approximate_capacity_loss(speeds, total, rounds=rounds)
            prices, used = _prices(speeds, found.processor_loads), found.processor_loads > 0
            unequal = max(np.ptp(prices[used]), (prices[used].mean() - prices[~used]).max(initial=0))
            result |= {
                f"after {rounds} rounds, the loads and those of prices in fractions":
                    off(found.processor_loads, loads) / (1e3 if rounds is None else 1),
                f"after {rounds} rounds, the loss and what is told": max(lost(found, speeds), told(
                    found, speeds, total, ("power rule" if rounds is not None else "equal prices",)
                )),
                f"after {rounds} rounds, the error and the prices": abs(found.error - unequal),
            }  # fmt: skip
        level = splitting.level_spare_capacity(speeds, total)
        return result | {
            "level loads and those of bisection": off(level.processor_loads, _filled(speeds, total, 1 / speeds)),
            "the loss at level loads": max(lost(level, speeds), told(level, speeds, total, ("formula",))),
        }

    def fast(speeds, total):
        responses, waits = (
            minimise(speeds, total) for minimise in (splitting.minimise_response_time, splitting.minimise_waiting_time)
        )
        one, other = responses.processor_loads, waits.processor_loads
        return {
            "the least response time and that of its loads": off(responses.objective, (one / (1 - one)).sum() / total),
            "the least wait and that of its loads": off(waits.objective, (other**2 / (1 - other)).sum() / total),
            "their loads and parts": max(told(found, speeds, total, ("formula",)) for found in (responses, waits)),
            "prices of responses": unmet(1 / (speeds * (1 - one) ** 2), one > 0),
            "prices of waits": unmet(((1 - other) ** -2.0 - 1) / speeds, other > 0),
        }  # fmt: skip

    def switched(speeds):
        loads, gaps = splitting.switch_on_loads(speeds), []
        for k in range(1, len(speeds)):
            if speeds[k] == speeds[k - 1]:
                gaps.append(abs(loads[k] - loads[k - 1]))
                continue
            split = splitting.minimise_capacity_loss(speeds, loads[k], starts=1).processor_loads
            prices = _prices(speeds, split)
            gaps.append(max(np.ptp(prices[: k + 1]) / prices[0], split[k], loads[k - 1] - loads[k]))
        return float(max(gaps + [abs(loads[0])])) / 1e2

    def proven(speeds, total, bad):
        best = splitting.minimise_capacity_loss(speeds, total)
        start = splitting.certify_capacity_loss(speeds, total, gap=1e-6, start=bad)
        return {
            "the proven loss and the least one": max(0.0, abs(start.objective - best.objective) - 1e-6),
            "the proven loss and that of its loads": lost(start, speeds)
            + told(start, speeds, total, "branch and bound"),
            "the gap": abs(start.error - 1e-6),
        }

    def curved(speeds, lows, highs):
        """Values, slopes and second derivatives at a point; and bounds of these over a box that has it."""
        P, h = len(speeds), Fraction(1, 2**60)
        at = lows + rng.random(P) * (highs - lows)
        exactly, c = _exactly(at), _exactly(speeds)

        def feasible(*moves):
            moved = [load + sum(sign * h for sign, q in moves if q == p) for p, load in enumerate(exactly)]
            return loss_of(c, moved) + sum(map(math.prod, zip(c, moved)))

        slopes = [float((feasible((1, p)) - feasible((-1, p))) / (2 * h)) for p in range(P)]
        seconds = [
            [float(sum(s * t * feasible((s, p), (t, q)) for s in (1, -1) for t in (1, -1)) / (4 * h * h))
             for q in range(P)] for p in range(P)
        ]  # fmt: skip
        values, gradients = np.empty(1), np.empty((1, P))
        curvature.slopes(speeds, at[None], values, gradients)
        least, most = np.empty((2, 2, P, P))
        curvature.curvatures(speeds, np.array([at, lows]), np.array([at, highs]), least, most)
        return {
            "the feasible share and its slopes": off([*values, *gradients[0]], [float(feasible()), *slopes]),
            "its curvature at a point": max(off(least[0], seconds), off(most[0], seconds)),
            "its bounds over a box and what is inside": float(
                max((least[1] - seconds).max(), (seconds - most[1]).max(), 0)
            ),
        }

    pairs = [(np.array([c, 1 - c]), load) for c, load in ((0.62, 0.3), (0.7, 0.8), (0.9, 0.1), (0.8, 0.995))]
    more = [(np.sort(rng.dirichlet(np.full(P, 3.0)))[::-1], load) for P, load in ((3, 0.1), (4, 0.6), (3, 0.97))]
    more.append((np.array([0.4, 0.25, 0.25, 0.1]), 0.35))
    same = [(np.full(P, 1 / P), load) for P, load in ((1, 0.7), (3, 0.4), (9, 0.9))]
    tenths = np.array([0.5, 0.3, 0.2])
    return [
        *agree("split", 42, [*pairs, *more, *same], least),
        *agree("approximate split", 42, [more[0], pairs[2], (np.array([0.36, 0.31, 0.21, 0.12]), 0.4)],
                nearly),
        *agree("fast split", 42, [*pairs, *more, *same], fast),
        *equalities({"loads of switching on and their prices":
                     cases("processors", [more[1][0], more[3][0], pairs[0][0], np.ones(1)], seed=42)
                     .measure(switched)}, CLOSE),
        *agree("proof", 42, [(tenths, 0.5, np.array([0.4, 0.5, 0.75])),
                              (tenths, 0.1, np.array([0.1, 0.1, 0.1]))], proven),
        *agree("box", 42, [(np.array([0.55, 0.45]), np.array([0.2, 0.5]), np.array([0.5, 0.8])),
                            (tenths, np.array([0.1, 0.0, 0.3]), np.array([0.7, 0.2, 1.0]))], curved),
    ]  # fmt: skip
