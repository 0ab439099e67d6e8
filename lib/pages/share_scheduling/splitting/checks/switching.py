"""Claims of ours on more than two processors (`thesis`, end of Section 4.4.3): from which load on each is used."""

import functools
import itertools

import numpy as np

from clustershare.splitting import (
    capacity_loss,
    certify_capacity_loss,
    minimise_capacity_loss,
    minimise_response_time,
    switch_on_loads,
)
from compendium.press.findings import beyond, check
from pages.share_scheduling.splitting.optima import equal_prices, systems

CLOSE = 1e-9
ROOT = 1e-8
SIDES = 0.95, 1.05


def roots(speeds):
    """Where the second processor is as cheap as the first alone: loads of the first in (0, 1)."""
    jobs, x = np.polynomial.Polynomial(speeds), np.polynomial.Polynomial([0, 1])
    found = (speeds[1] * (x * jobs).deriv() - speeds[0] * (1 - x) * jobs).roots()
    return found.real[(np.abs(found.imag) < 1e-10) & (found.real > 0) & (found.real < 1)]


@functools.cache
def around_the_last():
    """Certified loads of the second and the last processor, before and after each is switched on; shape (n, 2, 2)."""
    found = []
    for processors, number in ((3, 6), (4, 2)):
        drawn = systems(10 * number, 158 + processors, processors, processors, twins=False)
        switched = ((speeds, switch_on_loads(speeds)) for speeds, _ in drawn)
        fine = ((speeds, loads) for speeds, loads in switched if SIDES[1] * loads[-1] < 1)
        for speeds, loads in itertools.islice(fine, number):
            found.append([[certify_capacity_loss(speeds, side * loads[p]).processor_loads[p] for side in SIDES]
                          for p in (1, processors - 1)])  # fmt: skip
    return np.array(found)


@functools.cache
def second_loads():
    """Random capacities and the load from which on the second processor is used."""
    return [(speeds, switch_on_loads(speeds)[1]) for speeds, _ in systems(40, 158, 2, 8, twins=False)]


@check("thesis-4-158", alone=True)
def second_processor(alone=False):
    """Roots of a polynomial, the closed form of two processors, and certified optima on both sides."""
    worst, single = 0.0, True
    for speeds, load in second_loads():
        own = speeds[:2] / speeds[:2].sum() if alone else speeds
        found = roots(own)
        single &= len(found) == 1
        worst = max(worst, abs(found[0] * speeds[0] - load))
        if len(speeds) == 2:
            before, after = (minimise_capacity_loss(speeds, side * found[0] * speeds[0]).processor_loads[1]
                             for side in (0.999, 1.001))  # fmt: skip
            single &= before == 0 < after
    good = single and worst <= ROOT
    before, after = around_the_last().reshape(-1, 2).T if good else (np.ones(1), np.zeros(1))  # else not asked
    kept = bool((before == 0).all() and (after > 0).all())
    return beyond(
        f"{'one root each' if single else 'not one root each'}, "
        + (f"within {ROOT:g}" if worst <= ROOT else f"off by up to {worst:.2f}")
        + (f"; certified optima {'agree' if kept else 'do not agree'} on both sides" if good else ""),
        good and kept,
    )


@check("thesis-4-159", split=lambda speeds, total: minimise_response_time(speeds, total).processor_loads)
def limits(split=equal_prices):
    """Spare capacities near a load of 1, and who is used near 0."""
    high, low, alike = np.zeros(4), np.zeros(4), 0.0
    for speeds, _ in systems(30, 159, 3, 5):
        fastest = speeds == speeds[0]
        nearest = speeds[0] - speeds[~fastest][0]
        for k in range(4):
            idle = 10.0 ** -(k + 1)
            spare = speeds * (1 - split(speeds, 1 - idle)) * len(speeds) / idle
            high[k] = max(high[k], np.abs(spare - 1).max())
            loads = split(speeds, nearest * idle)
            low[k] = max(low[k], 1 - speeds[fastest] @ loads[fastest] / (nearest * idle))
            alike = max(alike, np.ptp(loads[fastest]))
    good = (np.diff(high) < 0).all() and high[-1] <= 0.01 and low[-1] <= CLOSE and alike <= CLOSE
    last = "all" if low[-1] <= CLOSE else "not all"
    return beyond(
        f"as the load tends to 1, spare capacities within {', '.join(f'{x:.1g}' for x in high)} of equal ones; "
        f"as it tends to 0, {last} jobs at the fastest",
        good,
    )


def best_number(speeds, total):
    """Proportional branching over as many of the fastest processors as lose least."""
    tried = [np.where(np.arange(len(speeds)) < used, total / speeds[:used].sum(), 0.0)
             for used in range(1, len(speeds) + 1) if speeds[:used].sum() > total * (1 + CLOSE)]  # fmt: skip
    return min(tried, key=lambda loads: capacity_loss(speeds, loads))


@check("thesis-4-160", split=best_number)
def as_the_load_rises(split=equal_prices):
    """Loads, works and numbers in use, from step to step."""
    totals = np.arange(1, 50) / 50
    falls = slow = jumps = fractions = 0.0
    off, slow = 0, np.inf
    for speeds, _ in systems(16, 160, 3, 10, twins=False):
        loads = np.array([split(speeds, total) for total in totals])
        steps, used = np.diff(loads, axis=0), loads > 0
        falls = max(falls, -steps.min())
        slow = min(slow, steps[used[:-1]].min())
        jumps = max(jumps, (steps * speeds).max() - 0.02)
        fractions = max(fractions, np.diff(loads[:, 0] * speeds[0] / totals).max())
        off += int((used[:-1] & ~used[1:]).sum())
    good = max(falls, jumps, fractions) <= CLOSE and slow >= 1e-6 and not off
    words = "every load in use rises, none jumps" if good else f"loads fall by up to {falls:.2f}"
    return beyond(f"16 systems: {words}; {off} switched off again", good)
