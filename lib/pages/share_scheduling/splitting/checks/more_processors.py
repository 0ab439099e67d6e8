"""Claims on more than two processors, most of them ours: how they are loaded (`thesis`, end of Section 4.4.3)."""

from fractions import Fraction

import numpy as np

from clustershare.splitting import (
    capacity_loss,
    certify_capacity_loss,
    level_spare_capacity,
    minimise_capacity_loss,
    minimise_response_time,
    minimise_waiting_time,
)
from compendium.press.clauses import at_each, cases, conclude, everywhere, exact
from compendium.press.clauses.conditions import at_most, larger, within
from compendium.press.findings import check
from pages.share_scheduling.splitting.points.optima import certified, settled

DIGITS = 0.0005  # three digits after the point
CLOSE = 1e-9


@check("thesis-4-075", load=0.2)
def three_processors(load=0.1):
    """The certified optimum of the example."""
    loads = certify_capacity_loss([0.4, 0.3, 0.3], load).processor_loads
    off = exact(loads, processor=(1, 2, 3)) - exact([0.188, 0.041, 0.041], processor=(1, 2, 3))
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


@check("thesis-4-156", split=lambda speeds, total: np.full(len(speeds), total))
def faster_ones_are_loaded_more(split=None):
    """Optima in order; and splits out of order, made better by an exchange, in exact fractions."""
    optima = cases("optimal split", certified() + settled()).measure(
        lambda speeds, total, loads, _: in_order(speeds, split(speeds, total) if split else loads)
    )
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
        everywhere("faster processors have higher loads, where used, and equal ones the same,", optima),
        everywhere("exchanged loads lose less", cases("exchange", exchanges, seed=156).measure(better)),
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
        ours=True,
    )
