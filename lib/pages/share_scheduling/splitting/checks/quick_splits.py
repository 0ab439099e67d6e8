"""Claims of ours on more than two processors (`thesis`, end of Section 4.4.3): how near simple splits come."""

import functools

import numpy as np
from scipy.optimize import minimize

from clustershare.splitting import (
    approximate_capacity_loss,
    capacity_loss,
    certify_capacity_loss,
    level_spare_capacity,
    minimise_response_time,
    minimise_waiting_time,
)
from clustershare.splitting.prices import feasible_share
from compendium.press.clauses import aside, cases, conclude, equalities, everywhere, exact
from compendium.press.clauses.conditions import at_least, at_most
from compendium.press.findings import check
from pages.share_scheduling.splitting.points.optima import certified, equal_prices, systems, triangle

GAP = 1e-9  # of the certified optima
MOST = 0.01, 1e-3, 1e-4  # excess after no round of correction, one and two
ROUNDS = "without correction", "after one round of it", "after two rounds of it"


def descents(speeds, total, wanted, rng):
    """Ends of four descents of a feasible share from random loads: where all prices are equal, or not lower if unused.

    Parameters
    ----------
    wanted : ndarray, shape (processors,)
        What the first, second, ... job present adds to the share.
    """
    for _ in range(4):
        start = np.minimum(total * rng.dirichlet(np.ones(len(speeds))) / speeds, 0.95)
        found = minimize(
            lambda loads: feasible_share(wanted, np.clip(loads, 0, 1 - 1e-9)), start, jac=True, method="SLSQP",
            bounds=[(0, min(total / c, 1 - 1e-9)) for c in speeds], options={"maxiter": 300, "ftol": 1e-15},
            constraints={"type": "eq", "fun": lambda x: speeds @ x - total, "jac": lambda x: speeds},
        )  # fmt: skip
        loads = np.clip(found.x, 0, 1 - 1e-9)
        cost = feasible_share(wanted, loads)[1] / speeds
        used = loads > 1e-7
        if max(np.ptp(cost[used]), (cost[used].mean() - cost[~used]).max(initial=0)) <= 1e-5 * cost.max():
            yield loads


def from_afar(best):
    """The certified loss if the proof starts from equal loads, and must find the optimum itself."""
    start = np.full(len(best.speeds), best.total)
    return certify_capacity_loss(best.speeds, best.total, start=start).objective


@check("thesis-4-161", all_busy=True)
def equal_prices_are_optimal(all_busy=False):
    """The certificates, and where descents from random loads end; the control counts only P jobs and more."""
    found = [(best, best.loss) for best in certified()]
    found += [(best, from_afar(best)) for best in certified()[::3] if len(best.speeds) < 5]
    value = cases("certified split", [((best, loss),) for best, loss in found]).measure(
        lambda pair: capacity_loss(pair[0].speeds, equal_prices(pair[0].speeds, pair[0].total)) - pair[1]
    )
    rng = np.random.default_rng(161)

    def descended(speeds, total):
        wanted = (np.arange(len(speeds)) == len(speeds) - 1).astype(float) if all_busy else speeds
        ends, prices = list(descents(speeds, total, wanted, rng)), equal_prices(speeds, total)
        return {"some": len(ends) > 0, "apart": max((np.abs(speeds * (x - prices)).max() for x in ends), default=0.0)}

    ends = cases("random system", systems(30, 161, 3, 5, loads=(0.05, 0.9)), seed=161).measure(descended)
    return conclude(
        *equalities({"the loss at equal prices and the certified one": value}, GAP),
        everywhere("descents end where prices are equal", ends["some"]),
        everywhere("the distance of their ends to the split of equal prices, as parts of the capacity,", ends["apart"],
                   at_most(1e-3)),
        ours=True,
    )  # fmt: skip


@functools.cache
def known():
    """Systems to try approximations on, and their least loss: certified, or of equal prices."""
    found = [(best.speeds, best.total, best.loss) for best in certified() if len(best.speeds) < 5]
    for number, seed, fewest, most, even in (
        (50, 1620, 2, 10, 0.3), (50, 1621, 2, 10, 1.0), (50, 1622, 2, 10, 3.0),
        (8, 1623, 100, 100, 1.0), (2, 1624, 1000, 1000, 1.0),
    ):  # fmt: skip
        for speeds, total in systems(number, seed, fewest, most, loads=(0.02, 0.98), even=even):
            found.append((speeds, total, capacity_loss(speeds, equal_prices(speeds, total))))
    return found


@check("thesis-4-162", split=minimise_response_time)
def power_rule(split=None):
    """The excess of the loss, by rounds of correction."""

    def excess(speeds, total, least):
        tried = [
            split(speeds, total) if split else approximate_capacity_loss(speeds, total, rounds=k) for k in range(3)
        ]
        return exact([capacity_loss(speeds, one.processor_loads) - least for one in tried], rounds=ROUNDS)

    worst = cases("system", known()).measure(excess).largest("system")
    return conclude(
        *(everywhere(f"the largest excess of the loss {how}", worst.at(rounds=how), at_most(most))
          for how, most in zip(ROUNDS, MOST)),
        aside("systems", exact(len(known()))),
        ours=True,
    )  # fmt: skip


@functools.cache
def of_three():
    """Capacities, load and least loss of three processors, over the triangle."""
    return [(speeds, total, capacity_loss(speeds, equal_prices(speeds, total)))
            for speeds in triangle() for total in np.arange(1, 10) / 10]  # fmt: skip


@check("thesis-4-163", level=minimise_waiting_time)
def simple_splits(level=level_spare_capacity):
    """The largest excess of three splits over the triangle of capacities, and where it is."""
    splits = {
        "the shortest response time": (lambda *system: minimise_response_time(*system).processor_loads, "close"),
        "equal spare capacities": (lambda *system: level(*system).processor_loads, "close"),
        "equal loads": (lambda _, total: np.full(3, total), "clear"),
    }
    clauses = []
    for name, (split, most) in splits.items():
        excess = [capacity_loss(speeds, split(speeds, total)) - least for speeds, total, least in of_three()]
        speeds, total, _ = of_three()[int(np.argmax(excess))]
        asked = at_least(most) if most == "clear" else at_most(most)
        clauses += [everywhere(f"the largest excess of the loss with {name}", exact(max(excess)), asked),
                    aside(f"with {name} the capacities where it is largest", exact(speeds, processor=(1, 2, 3))),
                    aside(f"with {name} the load where it is largest", exact(total))]  # fmt: skip
    return conclude(*clauses, ours=True)
