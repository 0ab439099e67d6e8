"""The example of `balanced`, Section 4: one server, where sizes matter very much, or not at all."""

import heapq
import itertools

import numpy as np

from clustershare import multiserver
from clustershare.multiserver import CompatibilityGraph
from clustershare.sizes import Exponential
from compendium.press.findings import check, over_domain
from compendium.press.words import SCALE
from pages.balanced_fairness.points.intervals import farthest, mean_of, told
from pages.balanced_fairness.systems import LOADS, paper_sizes

ONE = CompatibilityGraph([[0]], [1.0])
SIMULATED = tuple(round(0.1 * k, 12) for k in range(1, 9))


def laws():
    """The three laws of Section 5, and the exponential."""
    return {**paper_sizes(), "exponential": Exponential()}


def waiting(load, size):
    """Mean delay over the mean size of first come, first served, by Pollaczek and Khinchine."""
    return 1 + load / (1 - load) * (size.variance / size.mean**2 + 1) / 2


def shared(load, size, jobs, rng):
    """Mean number of jobs on a server that is shared equally: each job leaves when as much was done on every job."""
    arrivals = np.cumsum(rng.exponential(size.mean / load, jobs)).tolist()
    sizes, inside, now, done, area = size.sample(rng, jobs).tolist(), [], 0.0, 0.0, 0.0
    for number, (arrival, amount) in enumerate(zip(arrivals, sizes)):
        if number == jobs // 3:
            area, start = 0.0, now  # a third is left out: it begins with nobody there
        while inside and now + (inside[0] - done) * len(inside) <= arrival:
            step = (inside[0] - done) * len(inside)
            area, now, done = area + len(inside) * step, now + step, heapq.heappop(inside)
        if inside:
            done += (arrival - now) / len(inside)
        area, now = area + len(inside) * (arrival - now), arrival
        heapq.heappush(inside, done + amount)
    return area / (now - start)


@check("balanced-067", interruptions=100)
def very_sensitive_or_not_at_all(interruptions=0):
    """Delays of one server under four laws: first come, first served, and shared; the control interrupts jobs often."""
    sizes, worst, found = laws(), 0.0, {}
    for load, (name, size) in itertools.product(SIMULATED, sizes.items()):
        length = {"jumps": 20_000, "warmup": 20_000} if interruptions else {"jumps": 40_000, "warmup": 20_000}
        run = multiserver.simulate(ONE, [load / size.mean], size, interruptions, seed=67, **length).mean_delay
        found[load, name] = run.value[0] / size.mean
        worst = max(worst, farthest(run.value / size.mean, run.half_width / size.mean, waiting(load, size)))
    text, inside = told(worst, len(found), 10)
    delays = np.array([[waiting(load, size) for size in sizes.values()] for load in LOADS])
    loads = LOADS
    if interruptions:  # no formula is known
        loads = SIMULATED
        delays = np.array([[found[load, name] for name in sizes] for load in loads])
    apart = 1 - delays.min(axis=1) / delays.max(axis=1)
    holds = apart >= SCALE["much"].least
    rng, off, points = np.random.default_rng(67), 0.0, 0
    for load, size in itertools.product((0.3, 0.6, 0.9), sizes.values()):
        value, half_width = mean_of([shared(load, size, 6000, rng) for _ in range(10)])
        off, points = max(off, farthest(value, half_width, load / (1 - load))), points + 1
    shares, insensitive = told(off, points, 10)
    where = f"from load {loads[holds.argmax()]:g} on" if holds.any() else "at no load"
    return over_domain(
        f"first come, first served: {text} of the formula; laws differ by 0.5 {where}, by {apart.max():.2f} at most; "
        f"shared: {shares}", holds & insensitive & (inside or bool(interruptions)),
    )  # fmt: skip
