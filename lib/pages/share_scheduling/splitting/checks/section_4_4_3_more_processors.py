"""Claims, most of them ours, on more than two processors (`thesis`, end of Section 4.4.3): loads, and simple splits."""

import functools
import itertools
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize

from clustershare.splitting import (
    approximate_capacity_loss,
    capacity_loss,
    certify_capacity_loss,
    level_spare_capacity,
    minimise_capacity_loss,
    minimise_response_time,
    minimise_waiting_time,
    switch_on_loads,
)
from clustershare.splitting.prices import feasible_share
from compendium.press.clauses import aside, at_each, cases, conclude, equalities, everywhere, exact
from compendium.press.clauses.conditions import at_least, at_most, falls, larger, within
from compendium.press.findings import check
from pages.share_scheduling.splitting.points.optima import certified, equal_prices, settled, systems, triangle
from pages.share_scheduling.splitting.witnesses import chance

DIGITS = 0.0005  # three digits after the point
CLOSE = 1e-9


@check("thesis-4-075", load=0.2)
def three_processors(load=0.1):
    """The certified optimum of the example, and that found without a proof."""
    answers = {"with a proof": certify_capacity_loss, "without one": minimise_capacity_loss}
    loads = [answer([0.4, 0.3, 0.3], load).processor_loads for answer in answers.values()]
    off = exact(np.array(loads) - [0.188, 0.041, 0.041], answer=answers, processor=(1, 2, 3))
    return conclude(everywhere("the optimal load less the printed one", off, within(DIGITS)), whole=True)


@check("thesis-4-076", pair=(1, 2))
def pair_of_three(pair=(0, 1)):
    """The equivalent pair of the example, from its printed and from its exact loads."""
    speeds, own = np.array([0.4, 0.3, 0.3]), list(pair)
    printed = {"load": 0.125, "capacity 1": 0.571, "capacity 2": 0.429, "load 1": 0.197, "load 2": 0.030}

    def example(source):
        exactly = source == "exact loads"
        loads = certify_capacity_loss(speeds, 0.1).processor_loads if exactly else np.array([0.188, 0.041, 0.041])
        whole = speeds[own].sum()
        total, capacities = float(loads[own] @ speeds[own] / whole), speeds[own] / whole
        found = minimise_capacity_loss(capacities, total).processor_loads
        off = np.array([total, *capacities, *found]) - list(printed.values())
        return {"off": exact(off, number=printed), "apart": np.abs(found - loads[own]).min()}

    found = cases("source", ("printed loads", "exact loads")).measure(example)
    return conclude(
        at_each("the number of the example less the printed one", found["off"], within(DIGITS)),
        at_each("the least change of a load from that among three processors", found["apart"], larger(0.001)),
        together="source",
    )


def in_order(speeds, loads):
    """Whether faster processors have higher loads, where used, and equal ones the same."""
    gaps, ratios = -np.diff(loads), speeds[:-1] / speeds[1:]
    higher = (gaps > 1e-6) | (ratios < 1.01) | (loads[:-1] == 0)
    alike = (np.abs(gaps) <= CLOSE) | (ratios > 1)
    return bool((gaps >= -CLOSE).all() and higher.all() and alike.all())


def off_balance(speeds, total, loads, step=1e-6):
    """By how much the loss rises with a unit of work, of all processors in use but the first less that on it.

    By differences of the loss; and by how much it would fall on one that is not in use.
    """
    whole = capacity_loss(speeds, loads) + total
    moved = loads + step * np.eye(len(loads)) / speeds
    price = [(capacity_loss(speeds, one) + total + step - whole) / step for one in moved]
    dearer, used = np.array(price) - price[0], loads > 0
    return max(abs(dearer[used]).max(), -dearer[~used].min(initial=0))


def found_best(*asked):
    """Clauses that the split that the library finds to lose least is a given one, of capacities, total and loads."""

    def apart(speeds, total, loads):
        return np.abs(speeds * (minimise_capacity_loss(speeds, total, starts=1).processor_loads - loads)).max()

    return equalities({"the split that the library finds to lose least and this one, as parts of the capacity,":
                       cases("system", asked).measure(apart)}, 1e-6)  # fmt: skip


def some_optima():
    """Every third certified optimum and every tenth other one."""
    return [best[:3] for best in certified()[::3] + settled()[::10]]


@check("thesis-4-156", split=lambda speeds, total: np.full(len(speeds), total))
def faster_ones_are_loaded_more(split=None):
    """Optima in order; and splits out of order, made better by an exchange, in exact fractions."""

    def ordered(speeds, total, loads, _):
        return {
            "order": in_order(speeds, split(speeds, total) if split else loads),
            "off": off_balance(speeds, total, loads),
        }

    optima = cases("optimal split", certified() + settled()).measure(ordered)
    rng, exchanges = np.random.default_rng(156), []
    while len(exchanges) < 200:
        parts = sorted(map(int, rng.choice(np.arange(1, 40), rng.integers(3, 5), replace=False)), reverse=True)
        loads = [Fraction(int(k), 20) for k in rng.integers(0, 20, len(parts))]
        i, j = sorted(map(int, rng.choice(len(parts), 2, replace=False)))
        if loads[i] < loads[j]:
            exchanges.append(([Fraction(part, sum(parts)) for part in parts], loads, i, j))

    def better(speeds, loads, i, j):
        other = [loads[j] if p == i else loads[i] if p == j else load for p, load in enumerate(loads)]
        work, more = (sum(c * load for c, load in zip(speeds, each)) for each in (loads, other))
        return capacity_loss(speeds, [load * work / more for load in other]) < capacity_loss(speeds, loads)

    return conclude(
        everywhere("faster processors have higher loads, where used, and equal ones the same,", optima["order"]),
        everywhere("exchanged loads lose less", cases("exchange", exchanges, seed=156).measure(better)),
        provided=[
            *equalities({"prices of work by differences of the loss, on all processors,": optima["off"]}, 1e-4),
            *found_best(*some_optima()),
        ],
        ours=True,
    )


@check("thesis-4-157", split=lambda speeds, total: minimise_waiting_time(speeds, total).processor_loads)
def between_root_and_capacity(split=None):
    """What processors have left, pair by pair, and the two simple splits on either side."""

    def bounds(speeds, total, loads, _):
        loads = split(speeds, total) if split else loads
        used = int((loads > 0).sum())
        left, own = 1 - loads[:used], speeds[:used]
        i, j = np.triu_indices(used, 1)
        ratios, parts = left[i] / left[j], own[j] / own[i]
        misses = [parts - ratios, ratios - np.sqrt(parts), *(c - own * left for c in speeds[used:])]
        slow = minimise_response_time(speeds, total).processor_loads
        level = level_spare_capacity(speeds, total).processor_loads
        return {
            "beyond": max(miss.max(initial=0) for miss in misses),
            "number": (level > 0).sum() <= used <= (slow > 0).sum(),
            "load": slow[0] - CLOSE <= loads[0] <= level[0] + CLOSE,
        }

    found = cases("optimal split", certified() + settled()).measure(bounds)
    return conclude(
        everywhere(
            "the most by which what two processors have left misses its bounds", found["beyond"], at_most(CLOSE)
        ),
        everywhere("the number of processors in use is between those of two simple splits", found["number"]),
        everywhere("the load of the fastest is between those in these splits", found["load"]),
        provided=found_best(*some_optima()),
        ours=True,
    )


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
    best = cases("certified system", [(best,) for best in certified()]).measure(
        lambda best: minimise_capacity_loss(best.speeds, best.total, starts=4).objective - best.loss
    )
    rng = np.random.default_rng(161)

    def descended(speeds, total):
        wanted = (np.arange(len(speeds)) == len(speeds) - 1).astype(float) if all_busy else speeds
        ends, prices = list(descents(speeds, total, wanted, rng)), equal_prices(speeds, total)
        return {"some": len(ends) > 0, "apart": max((np.abs(speeds * (x - prices)).max() for x in ends), default=0.0)}

    ends = cases("random system", systems(30, 161, 3, 5, loads=(0.05, 0.9)), seed=161).measure(descended)
    return conclude(
        *equalities({"the loss at equal prices and the certified one": value,
                     "the library's least loss and the certified one": best}, GAP),
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
        losses = np.array([capacity_loss(speeds, one.processor_loads) for one in tried])
        if not split:  # the control states mean times
            losses = np.maximum(losses, [one.objective for one in tried])
        return exact(losses - least, rounds=ROUNDS)

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


def summed(speeds, loads):
    """The loss, from all states."""
    numbers, probability = chance.states(loads, len(speeds))
    usable = np.append(0.0, np.cumsum(speeds))[np.minimum(numbers.sum(axis=0), len(speeds))]
    return probability @ (usable - speeds @ (numbers > 0))


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
    some = [(speeds, total, equal_prices(speeds, total)) for speeds, total, _ in of_three()[::50]]

    def off(speeds, total, best):
        loads = [best, *(split(speeds, total) for split, _ in splits.values())]
        gaps = [capacity_loss(speeds, one) - summed(speeds, one) for one in loads]
        told = level_spare_capacity(speeds, total), minimise_capacity_loss(speeds, total, starts=1)
        return np.abs(gaps + [one.objective - summed(speeds, one.processor_loads) for one in told]).max()

    losses = {"the losses of these splits and those over all states": cases("system", some).measure(off)}
    return conclude(*clauses, provided=[*found_best(*some), *equalities(losses, CLOSE)], ours=True)


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
    totals = [(speeds, total) for (speeds,) in drawn for total in (1 - idle[1], idle[0] * (speeds[0] - speeds[-1]))]
    spare = found["spare"].largest("random system")
    later = cases("every second system", drawn[::2]).measure(
        lambda speeds: ((switch_on_loads(speeds) > 0) == (speeds < speeds[0])).all()
    )
    return conclude(
        everywhere("as the load tends to 1, the largest relative distance of spare capacities to equal ones",
                   spare.steps("idle"), falls()),
        everywhere("that distance at the highest load", spare.at(idle=idle[-1]), at_most(0.01)),
        everywhere("near a load of 0, the part of the jobs that is not at the fastest", found["low"], at_most(CLOSE)),
        everywhere("the range of the loads of the fastest", found["alike"], at_most(CLOSE)),
        everywhere("the fastest are used from a load of 0 on, and the others not,", later),
        provided=found_best(*((*system, equal_prices(*system)) for system in totals)),
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
            "the least change of a load in use": steps[used[:-1]].min(),
            "the largest change of the work of a processor less that of all": (steps * speeds).max() - 0.02,
            "the largest change of the part at the fastest": np.diff(loads[:, 0] * speeds[0] / totals).max(),
            "the number of times that one is switched off again": (used[:-1] & ~used[1:]).sum(),
            "off": max(off_balance(speeds, totals[k], equal_prices(speeds, totals[k])) for k in range(0, 49, 4)),
        }

    asked = (at_least(-CLOSE), at_least(1e-6), at_most(CLOSE), at_most(CLOSE), within(0))
    drawn = [(speeds,) for speeds, _ in systems(16, 160, 3, 10, twins=False)]
    found = cases("random system", drawn, seed=160).measure(moves)
    prices = {"prices of work by differences of the loss, on all processors,": found.pop("off")}
    some = [(speeds, total, equal_prices(speeds, total)) for (speeds,) in drawn for total in totals[::4]]
    return conclude(
        *(everywhere(what, points, how) for (what, points), how in zip(found.items(), asked)),
        provided=[*equalities(prices, 1e-4), *found_best(*some)],
        ours=True,
    )
