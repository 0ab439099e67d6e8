"""Laws of numbers of jobs, success and loss of given loads, in fractions."""

import math
from fractions import Fraction

import numpy as np
from scipy.stats import nbinom

from clustershare import splitting
from compendium.press.clauses import equalities, exact
from pages.share_scheduling.splitting.library.shared import CLOSE, agree, law_of_all, loss_of, off


def on_numbers():
    """Laws, success and loss of given loads: few and many processors, empty, light, nearly full and overloaded ones."""

    def law(loads):
        parts, length = [Fraction(round(1024 * load), 1024) for load in loads], 13
        floats = [float(part) for part in parts]
        exactly = law_of_all(parts, length)
        success = {}
        for n, m in ((0, 1), (0, 2), (1, 2), (0, 5), (2, 6)):
            few, many = [1 - a ** (n + 1) for a in parts], [a**m for a in parts]
            none_few, none_many = (math.prod(1 - x for x in kind) for kind in (few, many))
            neither = math.prod(1 - x - y for x, y in zip(few, many))
            success[n, m] = 1 - none_few - none_many + neither if len(parts) > 1 else 0
        return {
            "the law in floats and in fractions": off(splitting.number_law(floats, length), exactly, 1e-300),
            "the law in fractions and that summed one by one": float(
                splitting.number_law(parts, length).tolist() != exactly
            ),
            "P_lbs and that of all that may be": off(
                [splitting.load_balancing_success(*pair, floats) for pair in success], list(success.values())
            ),
        }

    def loss(speeds, loads):
        parts = [Fraction(round(1024 * speed), 1024) for speed in speeds]
        parts[0] += 1 - sum(parts)
        exactly = [Fraction(round(1024 * load), 1024) for load in loads]
        truth = loss_of(parts, exactly)
        found = splitting.capacity_loss(parts, exactly)
        return {
            "the loss in floats and in fractions": off(
                splitting.capacity_loss([float(c) for c in parts], [float(a) for a in exactly]), truth, 1e-300
            ),
            "the loss in fractions and that summed one by one": off(found, truth) if max(loads) >= 1 else float(
                found != truth
            ),
        }  # fmt: skip

    rng = np.random.default_rng(41)
    few = [np.append(rng.uniform(0.02, 0.99, P - 1), 0.0)[::-1] for P in (2, 3, 8)]
    many = [rng.uniform(0.001, 0.2, 11), rng.uniform(0.004, 0.03, 18)]
    loads = [np.array([0.6]), *few, *many, np.array([1e-3, 2e-3, 1e-3])]
    over = [np.array([0.7, 0.2, 1.0]), np.array([0.3, 1.7, 0.0, 0.9]), np.array([1.2, 0.4])]
    speeds = [np.sort(rng.dirichlet(np.full(len(own), 2.0)))[::-1] for own in (*loads, *over)]
    systems = list(zip(speeds, (*loads, *over)))
    alike = [(np.full(P, 1 / P), np.full(P, load)) for P, load in ((4, 0.5), (2, 2 / 3), (20, 0.06))]
    success = splitting.load_balancing_success(1, 3, [1.5, 0.25, 0.0]), splitting.load_balancing_success(0, 2, [1.0, 2])
    P, low, high, length = 15_000, 0.25, 0.4, 8_000
    counts = np.arange(length)
    crowded = np.convolve(*(nbinom.pmf(counts, P // 2, 1 - load) for load in (low, high)))[:length]
    found = splitting.group_number_law([np.repeat([low, high], P // 2)], 0, length)
    lost = splitting.capacity_loss(np.full(P, 1 / P), np.full(P, high))
    truth = 1 - high - (1 - np.arange(P) / P) @ nbinom.pmf(np.arange(P), P, 1 - high)
    crowd = {
        "P_lbs beside an overload and 1": exact(off(success, (1, 0))),
        "the law of thousands of processors and that of two sums": exact(off(found, crowded)),
        "their loss and that by the law of all jobs": exact(off(lost, truth)),
    }
    return [
        *agree("load of processors", 41, loads, law), *agree("split load", 41, [*systems, *alike], loss),
        *equalities(crowd, CLOSE),
    ]  # fmt: skip
