"""Lotteries, strides, time functions and EEVDF, a quantum at a time."""

import itertools
import math
from fractions import Fraction

import numpy as np

from clustershare import (
    proportional,
)
from compendium.press.clauses import cases, equalities, fact
from pages.agreement import gap
from pages.share_scheduling.objectives.library.shared import ROUNDING, differs
from pages.share_scheduling.objectives.witnesses.ledgers import Ledger


def in_turn(slopes, counts, arrivals, quanta, constant):
    """Classes whose priorities grow with time, by looking at all: the class of each quantum, and when jobs end."""
    line = [
        [k, -(n - j) / n, math.inf, None] for k, n in enumerate(counts) for j in range(n)
    ]  # in order of their tails
    chosen, ends = [], [math.nan] * len(arrivals)
    for now in range(quanta):
        line += [[k, now, work, j] for j, (came, k, work) in enumerate(arrivals) if came == now]
        heads = {}
        for job in line:
            heads.setdefault(job[0], job)
        worth = {k: slopes[k] * (1 if constant else now - job[1]) for k, job in heads.items()}
        if not worth:
            chosen.append(-1)
            continue
        best = heads[min(worth, key=lambda k: (-worth[k], k))]
        chosen.append(best[0])
        line.remove(best)
        if best[2] > 1:
            line.append([best[0], now + 1, best[2] - 1, best[3]])
        else:
            ends[best[3]] = now + 1
    return chosen, ends


def on_proportional_shares():
    """Lotteries, strides, time functions and EEVDF, a quantum at a time."""

    def one(tickets):
        draws, owners = np.random.default_rng(8).integers(sum(tickets), size=60), list(range(len(tickets)))
        owners = [job for job in owners for _ in range(tickets[job])]
        had, strides = [0] * len(tickets), []
        for _ in range(50):
            job = min(range(len(tickets)), key=lambda k: (Fraction(had[k] + 1, tickets[k]), k))
            had[job] += 1
            strides.append(job)
        errors = [
            abs(strides[: n + 1].count(k) - (n + 1) * held / sum(tickets))
            for n in range(50) for k, held in enumerate(tickets)
        ]  # fmt: skip
        return {
            "lotteries and their draws": differs(
                proportional.lottery(tickets, 60, np.random.default_rng(8)).tolist(), [owners[k] for k in draws]
            ),
            "strides and passes in fractions": differs(proportional.stride(tickets, 50).tolist(), strides),
            "worst errors and counts": gap(proportional.worst_error(strides, tickets), max(errors)),
        }

    some = cases("set of tickets", ([3, 2, 1], [1, 7], [5], [4, 4, 9, 2], [10, 1, 1]))
    yield from equalities(some.measure(one), ROUNDING)

    def timed(slopes, counts, constant):
        rng = np.random.default_rng(len(slopes) + 10 * constant)
        numbers = [counts] * len(slopes) if isinstance(counts, int) else counts
        draws = [(rng.integers(22), rng.integers(len(slopes)), rng.integers(1, 4)) for _ in range(9)]
        arrivals = sorted((tuple(map(int, job)) for job in draws), key=lambda job: job[0])
        named = {"constant": True} if constant else {}
        chosen, ends = proportional.time_function_jobs(slopes, arrivals, 30, **named)
        own = in_turn(slopes, [0] * len(slopes), arrivals, 30, constant)
        lasting = proportional.time_function(slopes, counts, 40, **named).tolist()
        return {
            "classes with permanent jobs and all looked at": differs(
                lasting, in_turn(slopes, numbers, [], 40, constant)[0]
            ),
            "classes with jobs that come and all looked at": differs(chosen.tolist(), own[0]),
            "ends of these": differs(np.nan_to_num(ends, nan=-1).tolist(), np.nan_to_num(own[1], nan=-1).tolist()),
        }

    classes = (([1.0, 3.0], 1), ([2.0, 1.0], [1, 3]), ([0.5, 1.7, 1.7], [2, 1, 3]), ([1.0], 2), ([1.0, 0.9], [1, 5]))
    some = [(*one, constant) for one in classes for constant in (False, True)]
    yield from equalities(cases("set of classes", some).measure(timed), 0.5)

    def deadlines(seed, settle):
        """What clients are owed, in real time: who is owed nothing less is eligible, and due when it is owed all."""
        rng, processor, ledger = np.random.default_rng(seed), proportional.EEVDF(settle), Ledger(settle)
        sizes, far, names = {}, 0.0, itertools.count()
        for _ in range(120):
            event = rng.random()
            if event < 0.15 or len(sizes) < 2:
                name = next(names)
                sizes[name] = float(rng.uniform(0.1, 1))
                weight = float(rng.uniform(0.2, 3))
                processor.join(name, weight, sizes[name])
                ledger.join(name, weight)
            elif event < 0.25 and len(sizes) > 2:
                name = list(sizes)[int(rng.integers(len(sizes)))]
                processor.leave(name)
                ledger.leave(name)
                del sizes[name]
            elif event < 0.35:
                name, weight = list(sizes)[int(rng.integers(len(sizes)))], float(rng.uniform(0.2, 3))
                processor.reweigh(name, weight)
                ledger.reweigh(name, weight)
            owed, total = dict(ledger.owed), sum(ledger.weights.values())
            idle = max(0.0, min(-owed[name] / ledger.weights[name] for name in owed)) * total
            owed = {name: lag + ledger.weights[name] / total * idle for name, lag in owed.items()}
            due = {name: (sizes[name] - lag) / ledger.weights[name] for name, lag in owed.items() if lag > -1e-11}
            chosen = processor.serve()
            far += due.get(chosen, 99.0) - min(due.values()) > 1e-9
            ledger.serve(chosen, sizes[chosen])
            far = max(far, *(abs(processor.lag(name) - lag) for name, lag in ledger.owed.items()))
        return {
            "lags and what clients are owed": far,
            "worst lags and the worst that is owed": abs(processor.worst_lag - ledger.worst),
        }

    some = cases("trace", [(seed, settle) for seed in range(3) for settle in (True, False)], seed=0)
    yield from equalities(some.measure(deadlines), ROUNDING)
    processor = proportional.EEVDF()
    for name, weight in (("a", 2.0), ("b", 0.5)):
        processor.join(name, weight, 0.3)
    served = [processor.serve() for _ in range(10)]
    right = abs(processor.virtual_time - 10 * 0.3 / 2.5) < ROUNDING and served.count("a") == 8 and processor.settle
    yield fact("virtual time runs at one over the weights", right, "virtual time runs otherwise")
