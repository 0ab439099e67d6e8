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
from compendium.press.clauses import cases, conclude, equalities, everywhere, exact
from compendium.press.clauses.conditions import at_least, at_most, falls, larger, within
from compendium.press.findings import check
from pages.share_scheduling.splitting.points.optima import equal_prices, systems

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

    def root(speeds, load):
        found = roots(speeds[:2] / speeds[:2].sum() if alone else speeds)
        return {"one": len(found) == 1, "gap": found[0] * speeds[0] - load}

    def used(speeds, load):
        before, after = (minimise_capacity_loss(speeds, side * load).processor_loads[1] for side in (0.999, 1.001))
        return before == 0 < after

    found = cases("random system", second_loads(), seed=158).measure(root)
    pairs = cases("pair", [system for system in second_loads() if len(system[0]) == 2]).measure(used)
    before, after = (exact(side, certified_switch=None) for side in around_the_last().reshape(-1, 2).T)
    return conclude(
        everywhere("the polynomial has one root", found["one"]),
        *equalities({"its root and the load from which on the second processor is used": found["gap"]}, ROOT),
        everywhere("the closed form of two processors uses it from there on", pairs),
        everywhere("in certified optima, the load of a processor before it is switched on", before, within(0)),
        everywhere("its load after that", after, larger()),
        ours=True,
    )


@check("thesis-4-159", split=lambda speeds, total: minimise_response_time(speeds, total).processor_loads)
def limits(split=equal_prices):
    """Spare capacities near a load of 1, and who is used near 0."""
    idle = (0.1, 0.01, 0.001, 0.0001)

    def ends(speeds):
        fastest = speeds == speeds[0]
        nearest = speeds[0] - speeds[~fastest][0]
        low = [split(speeds, nearest * part) for part in idle]
        spare = [np.abs(speeds * (1 - split(speeds, 1 - part)) * len(speeds) / part - 1).max() for part in idle]
        return {
            "spare": exact(spare, idle=idle),
            "low": 1 - speeds[fastest] @ low[-1][fastest] / (nearest * idle[-1]),
            "alike": max(np.ptp(loads[fastest]) for loads in low),
        }  # fmt: skip

    drawn = [(speeds,) for speeds, _ in systems(30, 159, 3, 5)]
    found = cases("random system", drawn, seed=159).measure(ends)
    spare = found["spare"].largest("random system")
    return conclude(
        everywhere("as the load tends to 1, the largest relative distance of spare capacities to equal ones",
                   spare.steps("idle"), falls()),
        everywhere("that distance at the highest load", spare.at(idle=idle[-1]), at_most(0.01)),
        everywhere("near a load of 0, the part of the jobs that is not at the fastest", found["low"], at_most(CLOSE)),
        everywhere("the range of the loads of the fastest", found["alike"], at_most(CLOSE)),
        ours=True,
    )  # fmt: skip


def best_number(speeds, total):
    """Proportional branching over as many of the fastest processors as lose least."""
    tried = [np.where(np.arange(len(speeds)) < used, total / speeds[:used].sum(), 0.0)
             for used in range(1, len(speeds) + 1) if speeds[:used].sum() > total * (1 + CLOSE)]  # fmt: skip
    return min(tried, key=lambda loads: capacity_loss(speeds, loads))


@check("thesis-4-160", split=best_number)
def as_the_load_rises(split=equal_prices):
    """Loads, works and numbers in use, from step to step."""
    totals = np.arange(1, 50) / 50

    def moves(speeds):
        loads = np.array([split(speeds, total) for total in totals])
        steps, used = np.diff(loads, axis=0), loads > 0
        return {
            "the least change of a load in a step": steps.min(),
            "the least change of one in use": steps[used[:-1]].min(),
            "the largest change of the work of a processor less that of all": (steps * speeds).max() - 0.02,
            "the largest change of the part at the fastest": np.diff(loads[:, 0] * speeds[0] / totals).max(),
            "the number of times that one is switched off again": (used[:-1] & ~used[1:]).sum(),
        }

    asked = (at_least(-CLOSE), at_least(1e-6), at_most(CLOSE), at_most(CLOSE), within(0))
    drawn = [(speeds,) for speeds, _ in systems(16, 160, 3, 10, twins=False)]
    found = cases("random system", drawn, seed=160).measure(moves)
    return conclude(*(everywhere(what, points, how) for (what, points), how in zip(found.items(), asked)), ours=True)
