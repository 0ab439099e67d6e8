"""Claims of `thesis`, Section 5.6.1 on Figure 5.11: the capacity loss of JSQ as processors become more."""

import functools

import numpy as np

from compendium.press import words
from compendium.press.findings import check, finding, over_domain, yes
from pages.share_scheduling.central import growing, simulated
from pages.share_scheduling.central.case_one import exact, said
from pages.share_scheduling.central.growing import EXACT_LOADS, FINE, LOADS, PROCESSORS, falls, rises

BEYOND_SEVEN = tuple(P for P in PROCESSORS if P >= 7)


def _curve(policy, processors):
    """The losses of JSQ, as simulated; or of random splitting; or the deviations of a group under VPRS."""
    if policy == "VPRS":
        return growing.deviations_by_chance(processors)
    return growing.losses(processors) if policy == "JSQ" else growing.random_losses(processors)


def _steps(sequence):
    return list(zip(sequence[:-1], sequence[1:]))


@check("thesis-5-044", policy="random splitting")
def the_worst_load_rises(policy="JSQ"):
    """Where the loss is largest, for P = 7, 10, 20, 50, 100."""
    many = (7, 10, 20, 50, 100)
    ends = []
    for P in many:
        fine = policy == "JSQ" and P == 100  # there are more rows near the maximum
        points = growing.fine_losses() if fine else _curve(policy, P)
        ends.append(growing.peak_interval(FINE if fine else LOADS, points, len(many))[0])
    rising = [before[1] < after[0] for before, after in _steps(ends)]
    return finding(
        "largest at loads " + ", ".join(f"{low:.2f} to {high:.2f} (P = {P})" for P, (low, high) in zip(many, ends)),
        all(rising),
    )


@check("thesis-5-045", processors=10)
def nothing_up_to_a_high_load(processors=100):
    """The largest loss up to the load 0.8."""
    within = np.array(LOADS) <= 0.8
    points = growing.losses(processors).part(within)
    upper = points.value + simulated.joint(within.sum()) * points.half
    return finding(
        f"at most {upper.max():.4f}, at load {np.array(LOADS)[within][upper.argmax()]:g}",
        words.allows("practically equal", max(upper.max(), 0.0)),
    )


@functools.cache
def _peak_of_many(processors):
    if processors == 100:
        return growing.peak_interval(FINE, growing.fine_losses())
    return growing.peak_interval(LOADS, growing.losses(processors))


@check("thesis-5-046", processors=50)
def the_largest_loss(processors=100):
    """The height of the maximum, against the digits printed."""
    low, high = _peak_of_many(processors)[1]
    widest = growing.fine_losses().half.max()
    return finding(
        f"largest loss {low:.4f} to {high:.4f}; half widths of the rows at P = 100 at most 0.0005: "
        f"{yes(widest <= 0.0005)}",
        low <= 0.0265 and high >= 0.0255 and widest <= 0.0005,
    )


@check("thesis-5-047", processors=10)
def the_worst_load(processors=100):
    """The load of the maximum, against the digit printed."""
    low, high = _peak_of_many(processors)[0]
    return finding(f"largest at loads {low:.3f} to {high:.3f}", 0.85 <= low and high <= 0.95)


def _by_load(curves, first):
    """For each load: whether no step rises, and whether the last is below the first where that is above 0.005."""
    wide = simulated.joint(len(LOADS) * len(curves))
    rising = np.array([rises(one, other, wide) for one, other in _steps(curves)])
    fallen = falls(curves[0], curves[-1], wide) | (curves[0].value <= first)
    return ~rising.any(axis=0) & fallen, rising


@check("thesis-5-048", policy="VPRS")
def deviations_of_growing_subsets(policy="JSQ"):
    """Losses within subsets of 7 to 100 processors, load by load."""
    holds, rising = _by_load([_curve(policy, P) for P in BEYOND_SEVEN], 0.005)
    first = [BEYOND_SEVEN[column.argmax()] for column in rising.T if column.any()]
    return over_domain(
        f"holds at loads {said(LOADS, holds)} of the subset; a step up at loads {said(LOADS, rising.any(axis=0))}"
        + (f", the first from {min(first)} processors" if first else ""),
        holds,
    )


@check("thesis-5-160", policy="random splitting")
def far_below_chance(policy="JSQ"):
    """The loss relative to that of random splitting, at every load and number of processors."""
    holds, ratios = [], {}
    wide = simulated.joint(len(LOADS) * len(PROCESSORS) + len(FINE))
    for P in PROCESSORS:
        points = _curve(policy, P)
        ratio = (points.value + wide * points.half) / growing.random_losses(P).value
        ratios |= {(load, P): value for load, value in zip(LOADS, ratio)}
    for P in (2, 3):
        if policy == "JSQ":
            chain = growing.chain_losses(P).value / growing.random_losses(P, EXACT_LOADS).value
            ratios |= {(load, P): value for load, value in zip(EXACT_LOADS, chain)}
    fine = growing.fine_losses() if policy == "JSQ" else growing.random_losses(100, FINE)
    ratio = (fine.value + wide * fine.half) / growing.random_losses(100, FINE).value
    ratios |= {(load, 100): value for load, value in zip(FINE, ratio)}
    holds = {place: words.allows("much", 1 - value) for place, value in ratios.items()}
    worst = max(ratios, key=ratios.get)
    wrong = sorted(place for place, right in holds.items() if not right)
    least = {P: min(load for load, other in wrong if other == P) for _, P in wrong}
    return over_domain(
        f"at most {ratios[worst]:.2f} of the loss by chance (load {worst[0]:g}, P = {worst[1]})"
        + (f"; more than half of it from load {min(least.values()):g} on, at P up to {max(least)}" if wrong else ""),
        list(holds.values()),
    )


@check("thesis-5-161", policy="random splitting")
def more_processors_help(policy="JSQ"):
    """Losses from 2 to 100 processors, load by load, and those of random splitting."""
    curves = [_curve(policy, P) for P in PROCESSORS]
    holds, rising = _by_load(curves, 0.005)
    # Where processors are many already, the steps of (4.81) are less than its last digits.
    chance = [growing.random_losses(P) for P in PROCESSORS]
    down = np.any([falls(one, other, 0) for one, other in _steps(chance)], axis=0)
    up = rises(chance[0], chance[-1], 0) & ~down
    until = [PROCESSORS[len(column) - column[::-1].argmax()] if column.any() else 2 for column in rising.T]
    ends = falls(curves[0], curves[-1], simulated.joint(len(LOADS)))
    return over_domain(
        f"no step up at loads {said(LOADS, ~rising.any(axis=0))}; else up to P = {max(until)} at most; lower at 100 "
        f"than at 2 at loads {said(LOADS, ends)}; by chance rising at loads {said(LOADS, up)}",
        holds & up,
    )


@check("thesis-5-162", one_group=True)
def up_and_down_again(one_group=False):
    """The shape of each curve."""
    if one_group:
        # SVP with two processors, and all jobs on one of them: N is geometric while 2 rho < 1, then without limit.
        loads = np.array(LOADS)
        curves = {2: exact(np.where(loads < 0.5, 2 * loads**2, 0.5))}
    else:
        curves = {P: growing.losses(P) for P in PROCESSORS}
    wide, right = simulated.joint(len(LOADS) * len(curves)), {}
    for P, points in curves.items():
        top = int(points.value.argmax())
        before, after = (
            [step for step in _steps([points.part([k]) for k in part])]
            for part in (range(top + 1), range(top, len(LOADS)))
        )
        right[P] = (
            0 < top < len(LOADS) - 1
            and not any(falls(one, other, wide)[0] for one, other in before)
            and not any(rises(one, other, wide)[0] for one, other in after)
            and words.allows("very close", max(0.0, (points.value + wide * points.half)[:2].max()))
            and bool(np.all(points.value - wide * points.half <= 1 - np.array(LOADS) + 1e-12))
        )
    falling = one_group or all(
        growing.chain_loss(P, low) > growing.chain_loss(P, high)
        for P in (2, 3)
        for low, high in ((0.9, 0.95), (0.95, 0.98))
    )
    first = max(points.value[:2].max() for points in curves.values())
    return over_domain(
        f"one maximum for {sum(right.values())} of {len(curves)} numbers of processors; at most {first:.3f} up to load "
        f"0.1; chains of two and three fall beyond 0.9: {yes(falling)}",
        [each and falling for each in right.values()],
    )


@check("thesis-5-163", policy="random splitting")
def the_maximum_falls(policy="JSQ"):
    """The largest row of each curve from P = 7 on."""
    highest = {}
    for P in PROCESSORS:
        points = _curve(policy, P)
        highest[P] = points.part([int(points.value.argmax())])
    wide = simulated.joint(len(PROCESSORS))
    up = [other for one, other in _steps(BEYOND_SEVEN) if rises(highest[one], highest[other], wide)[0]]
    fall = [falls(highest[one], highest[other], wide)[0] for one, other in _steps((7, 10, 20, 50, 100))]
    top = max(highest, key=lambda P: highest[P].value[0])
    return finding(
        "largest losses "
        + ", ".join(f"{highest[P].value[0]:.3f} (P = {P})" for P in (2, 5, 7, 10, 20, 50, 100))
        + f"; highest of all at P = {top}; steps up beyond 7: {len(up)}; falls from 7 to 10, 20, 50, 100: "
        f"{sum(fall)} of 4",
        not up and all(fall),
    )


@check("thesis-5-164", sizes=(1,))
def below_static_partitions(sizes=PROCESSORS):
    """The loss within a subset under JSQ against that under random splitting (4.142)."""
    holds, least = [], {}
    rows = [k for k in sizes if k not in (2, 3)]
    wide = simulated.joint(len(LOADS) * max(len(rows), 1))
    for k in sizes:
        loads = EXACT_LOADS if k in (2, 3) else LOADS
        points = growing.chain_losses(k) if k in (2, 3) else growing.losses(k)
        chance = growing.deviations_by_chance(k, loads)
        below = rises(points, chance, wide)
        holds += list(below)
        least[k] = (chance.value - points.value).min()
    return over_domain(
        f"smaller at {sum(holds)} of {len(holds)} sizes and loads; least difference {min(least.values()):.4f}, for "
        f"{min(least, key=least.get)} processors",
        holds,
    )
