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
from compendium.press.findings import beyond, check, finding, over_domain
from pages.share_scheduling.splitting.optima import certified, settled

DIGITS = 0.0005  # three digits after the point
CLOSE = 1e-9


@check("thesis-4-075", load=0.2)
def three_processors(load=0.1):
    """The certified optimum of the example."""
    loads = certify_capacity_loss([0.4, 0.3, 0.3], load).processor_loads
    return finding(", ".join(f"{x:.3f}" for x in loads), np.abs(loads - [0.188, 0.041, 0.041]).max() <= DIGITS)


@check("thesis-4-076", pair=(1, 2))
def pair_of_three(pair=(0, 1)):
    """The equivalent pair of the example, from its printed and from its exact loads."""
    speeds, own = np.array([0.4, 0.3, 0.3]), list(pair)
    exact = certify_capacity_loss(speeds, 0.1).processor_loads
    said, good = [], []
    for loads in (np.array([0.188, 0.041, 0.041]), exact):
        whole = speeds[own].sum()
        total, capacities = float(loads[own] @ speeds[own] / whole), speeds[own] / whole
        found = minimise_capacity_loss(capacities, total).processor_loads
        numbers = np.array([total, *capacities, *found])
        printed = np.abs(numbers - [0.125, 0.571, 0.429, 0.197, 0.030]).max() <= DIGITS
        good.append(printed and np.abs(found - loads[own]).min() > 0.001)
        said.append(", ".join(f"{number:.3f}" for number in numbers))
    return over_domain(f"from the printed loads {said[0]}; from the exact ones {said[1]}", good)


def in_order(speeds, loads):
    """Whether faster processors have higher loads, where used, and equal ones the same."""
    gaps, ratios = -np.diff(loads), speeds[:-1] / speeds[1:]
    higher = (gaps > 1e-6) | (ratios < 1.01) | (loads[:-1] == 0)
    alike = (np.abs(gaps) <= CLOSE) | (ratios > 1)
    return bool((gaps >= -CLOSE).all() and higher.all() and alike.all())


@check("thesis-4-156", split=lambda speeds, total: np.full(len(speeds), total))
def faster_ones_are_loaded_more(split=None):
    """Optima in order; and splits out of order, made better by an exchange, in exact fractions."""
    found = [(best.speeds, split(best.speeds, best.total) if split else best.loads) for best in certified() + settled()]
    ordered = sum(in_order(speeds, loads) for speeds, loads in found)
    rng, worse, tried = np.random.default_rng(156), 0, 0
    while tried < 200:
        parts = sorted(map(int, rng.choice(np.arange(1, 40), rng.integers(3, 5), replace=False)), reverse=True)
        speeds = [Fraction(part, sum(parts)) for part in parts]
        loads = [Fraction(int(k), 20) for k in rng.integers(0, 20, len(parts))]
        i, j = sorted(map(int, rng.choice(len(parts), 2, replace=False)))
        if loads[i] >= loads[j]:
            continue
        tried += 1
        other = [loads[j] if p == i else loads[i] if p == j else load for p, load in enumerate(loads)]
        work, more = (sum(c * load for c, load in zip(speeds, each)) for each in (loads, other))
        lowered = [load * work / more for load in other]
        worse += capacity_loss(speeds, lowered) >= capacity_loss(speeds, loads)
    return beyond(
        f"{ordered} of {len(found)} optima in order; {tried - worse} of {tried} exchanges lose less",
        ordered == len(found) and not worse,
    )


@check("thesis-4-157", split=lambda speeds, total: minimise_waiting_time(speeds, total).processor_loads)
def between_root_and_capacity(split=None):
    """What processors have left, pair by pair, and the two simple splits on either side."""
    beyond_bounds, outside = 0.0, 0
    for speeds, total, loads, _ in certified() + settled():
        loads = split(speeds, total) if split else loads
        used = int((loads > 0).sum())
        left, own = 1 - loads[:used], speeds[:used]
        i, j = np.triu_indices(used, 1)
        ratios, parts = left[i] / left[j], own[j] / own[i]
        misses = [parts - ratios, ratios - np.sqrt(parts), *(c - own * left for c in speeds[used:])]
        beyond_bounds = max(beyond_bounds, *(miss.max(initial=0) for miss in misses))
        slow = minimise_response_time(speeds, total).processor_loads
        level = level_spare_capacity(speeds, total).processor_loads
        outside += not (level > 0).sum() <= used <= (slow > 0).sum()
        outside += not slow[0] - CLOSE <= loads[0] <= level[0] + CLOSE
    number = len(certified() + settled())
    inside = "no pair beyond its bounds" if beyond_bounds <= CLOSE else f"a pair {beyond_bounds:.2f} beyond its bounds"
    return beyond(f"{inside}, {outside} outside the two splits, in {number} systems",
                  beyond_bounds <= CLOSE and not outside)  # fmt: skip
