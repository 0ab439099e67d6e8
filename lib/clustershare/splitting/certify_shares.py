"""The least group-share deviation with a proof, by branch and bound (`thesis`, Problem 4.10, left open)."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from clustershare.arguments import LARGEST, affordable, integer, number
from clustershare.calls import remembered
from clustershare.progress import waited_for
from clustershare.results import NoExactAnswer
from clustershare.shares import required_shares as check_shares
from clustershare.splitting.certify import MINUTES_OF_BOXES
from clustershare.splitting.fairest import law_of, minimise_group_share_deviation
from clustershare.splitting.groups import group_loads
from clustershare.typing import Numbers

if TYPE_CHECKING:
    from clustershare.splitting.groups import SplitShares

MOST_BOXES = 1_000_000
MOST_PROBABILITIES = 20  # a million boxes are not nearly enough for more, and each takes longer
LEAST_GAP = 1e-9
ROUNDING = 1e-12  # of a bound
TOGETHER = 50_000  # boxes at a time
NEAR = 0.05  # of a processor left: with less, its boxes need not be still smaller
FINENESS = {2: 10, 3: 5}  # of the weights of the groups' deviations


@waited_for
@remembered
def certify_group_share_deviation(
    required_shares: Numbers, loads: Numbers, processors: int, *, gap: float = 1e-3, starts: int = 8,
    most_boxes: int = MOST_BOXES, progress: bool = False,
) -> SplitShares:  # fmt: skip
    """The routing with the least largest deviation over equal processors, and a proof that none is better by the gap.

    Boxes of loads rho_gp are halved until none can hold a better routing. Within a box each deviation is above a linear
    function: no feasible share grows more slowly with a load than at the corner where its own load is least and the
    others are largest.

    Parameters
    ----------
    required_shares, loads
        As for `minimise_group_share_deviation`.
    processors : int
        Number of equal processors, at most 20 over the number of groups. Two groups on four take a second, at high
        loads many: bounds are loose where a processor is nearly overloaded.
    gap : float
        At least 1e-9.
    starts : int
        Descents to the routing that is then proven, at most 1000.
    most_boxes : int
        After so many the search ends.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    SplitShares
        Its `error` is the gap: no routing has a largest deviation below the one given by more. Its method is "branch
        and bound".

    Raises
    ------
    NoExactAnswer
        If so many boxes do not prove it, or if groups that overload processors together might do better.
    UnstableError, ValueError
        As `minimise_group_share_deviation`.

    Examples
    --------
    >>> found = certify_group_share_deviation([0.5, 0.5], [0.3, 0.2], 4)
    >>> found.group_share_deviation.round(3), found.error
    (array([0.122, 0.122]), 0.001)
    """
    count, gap = integer("processors", processors, 1), number("gap", gap, LEAST_GAP, LARGEST)
    groups = len(check_shares("required_shares", required_shares))
    affordable("groups times processors", groups * count, MOST_PROBABILITIES)
    best = minimise_group_share_deviation(required_shares, loads, [1 / count] * count, starts=starts)
    least = best.group_share_deviation.max()
    if not none_below(required_shares, loads, count, least - gap, most_boxes=most_boxes):
        raise NoExactAnswer(
            f"{most_boxes} boxes do not prove a gap of {gap:g} for {count} processors; a larger gap, more starts "
            "or more boxes may."
        )
    return replace(best, method="branch and bound", error=gap)


@waited_for
def none_below(required_shares, loads, processors, value, *, most_boxes=MOST_BOXES, progress: bool = False):
    """Whether it is proven that no routing has a largest deviation below a value.

    Parameters
    ----------
    required_shares, loads, processors, most_boxes
        As for `certify_group_share_deviation`.
    value : float
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    bool
        False if there is such a routing, and also if so many boxes do not prove that there is none.

    Raises
    ------
    NoExactAnswer, UnstableError, ValueError
        As `certify_group_share_deviation`.

    Examples
    --------
    >>> [none_below([1 / 3, 2 / 3], [0.3, 0.2], 3, value, most_boxes=10_000) for value in (0.062, 0.064)]
    [True, False]
    """
    required = np.array(check_shares("required_shares", required_shares))
    own, left = group_loads(loads, len(required)), integer("most_boxes", most_boxes, 1)
    affordable("most_boxes", most_boxes, MINUTES_OF_BOXES)
    target = number("value", value)
    for flooding, flooded in _floods(required, own, processors, target):
        left = _search(required, own * processors, processors, target, flooding, flooded, left)
        if left < 0:
            return False
    return True


def _floods(required, loads, processors, target):
    """Which group overloads how many processors: (None, 0), and whoever could do so and have at most the target.

    Groups with jobs on overloaded processors can use all of their shares. What they lack together is their shares less
    what they obtain, at most what they bring.
    """
    yield None, 0
    groups = range(len(required))
    for size in range(1, len(required) + 1):
        for some in map(list, itertools.combinations(groups, size)):
            if 1 - loads[some].sum() / required[some].sum() >= target:
                continue
            if size > 1:
                raise NoExactAnswer(
                    f"Groups {', '.join(map(str, some))} bring so much that they might overload processors together."
                )
            yield from (
                (some[0], number) for number in range(1, min(processors, int(loads[some[0]] * processors + 1e-9) + 1))
            )


def _search(required, work, processors, target, flooding, flooded, left):
    """How many boxes are left when all routings are proven to be above the target; below 0 if they are not."""
    weights = _weights(len(required))
    most = work.copy()
    if flooding is not None:
        most[flooding] -= flooded  # that much at least is where the others are not
    stable = processors - flooded
    lows = np.zeros((1, len(work), stable))
    highs = np.minimum(np.broadcast_to(most[:, None], lows.shape), 1.0)
    while len(lows):
        left -= len(lows)
        if left < 0:
            return left
        lows, highs = _cut(lows, highs, most, flooding)
        alive = np.zeros(len(lows), dtype=bool)
        for k in range(0, len(lows), TOGETHER):
            some = slice(k, k + TOGETHER)
            bounds = _bounds(required * processors, most, flooding, flooded, lows[some], highs[some], weights)
            alive[some] = bounds < target - ROUNDING
        lows, highs = _halves(lows[alive], highs[alive])
    return left


def _weights(groups):
    """Weights that sum to 1: the largest deviation is never below a mean of them."""
    parts = FINENESS.get(groups, 3)
    rows = [row for row in itertools.product(range(parts + 1), repeat=groups) if sum(row) == parts]
    return np.array(rows) / parts


def _cut(lows, highs, most, flooding):
    """Boxes without what misses the totals, what overloads, and what is another order of the processors."""
    exact = np.arange(len(most)) != flooding
    for _ in range(2):
        rest_low = lows.sum(axis=2, keepdims=True) - lows
        rest_high = highs.sum(axis=2, keepdims=True) - highs
        lows = np.where(exact[:, None], np.maximum(lows, most[:, None] - rest_high), lows)
        highs = np.minimum(highs, most[:, None] - rest_low)
        highs = np.minimum(highs, 1 - (lows.sum(axis=1, keepdims=True) - lows))
        highs[:, 0] = np.minimum.accumulate(highs[:, 0], axis=1)  # the first group descends
        lows[:, 0] = np.maximum.accumulate(lows[:, 0, ::-1], axis=1)[:, ::-1]
    there = (highs >= lows - ROUNDING).all(axis=(1, 2)) & (lows.sum(axis=1) < 1).all(axis=1)
    return lows[there], np.maximum(highs[there], lows[there])


def _bounds(sizes, most, flooding, flooded, lows, highs, weights):
    """A lower bound of the largest deviation over boxes of loads, shape (boxes,)."""
    groups = len(sizes)
    values, slopes = np.zeros((groups, len(lows))), np.zeros((groups, *lows.shape))
    for g, size in enumerate(sizes):
        if g == flooding:
            values[g] = 1 - (flooded + lows[:, g].sum(axis=1)) / size
            slopes[g, :, g] = -1 / size
            continue
        others = lows.sum(axis=1) - lows[:, g]
        least = lows[:, g] / (1 - others)
        room = 1 - (highs.sum(axis=1) - highs[:, g])
        largest = np.where(room > highs[:, g], highs[:, g] / np.where(room > 0, room, 1), 1.0)
        values[g] = _feasible(size, least) - most[g] / size
        growth = _growth(size, least, largest)
        slopes[g] = (growth * least / (1 - others))[:, None]
        slopes[g, :, g] = growth / (1 - others)
    needed = (most - lows.sum(axis=2))[:, :, None]
    best = np.full(len(lows), -np.inf)
    for row in weights:
        price = np.tensordot(row, slopes, 1)
        order = np.argsort(price, axis=2, kind="stable")
        width = np.take_along_axis(highs - lows, order, axis=2)
        price = np.take_along_axis(price, order, axis=2)
        given = np.clip(needed - (np.cumsum(width, axis=2) - width), 0, width)
        if flooding is not None:  # what it has elsewhere it need not have here
            price[:, flooding] = np.minimum(price[:, flooding], 0)
        best = np.maximum(best, row @ values + (given * price).sum(axis=(1, 2)))
    return best


def _gains(size):
    """By how much the feasible share grows, in units of the required one, with each job from the first on."""
    jobs = np.arange(max(1, int(np.ceil(size - 1e-9))))
    return np.minimum(1, (jobs + 1) / size) - np.minimum(1, jobs / size)


def _feasible(size, own):
    """E[f_g] / r_g for geometric numbers on the processors, shape (boxes,)."""
    gains = _gains(size)
    return gains @ (1 - np.cumsum(law_of(own, len(gains)), axis=0))


def _growth(size, least, largest):
    """A lower bound of the slopes of `_feasible` between two corners, shape (boxes, processors).

    The slope by one parameter x is the sum over m of (m + 1) x^m times the mean gain from m jobs and those elsewhere.
    """
    gains, growth = _gains(size), np.zeros(least.shape)
    for p in range(least.shape[-1]):
        elsewhere = law_of(np.delete(largest, p, axis=-1), len(gains))
        for m in range(len(gains)):
            growth[:, p] += (m + 1) * least[:, p] ** m * (gains[m:] @ elsewhere[: len(gains) - m])
    return growth


def _halves(lows, highs):
    """Each box in two, across the side that is widest compared with what is left of its processor."""
    if not len(lows):
        return lows, highs
    flat = (highs - lows).reshape(len(lows), -1)
    left = np.maximum(1 - lows.sum(axis=1, keepdims=True), NEAR)
    side = np.argmax(((highs - lows) / left).reshape(len(lows), -1), axis=1)
    rows = np.arange(len(lows))
    middle = lows.reshape(len(lows), -1)[rows, side] + flat[rows, side] / 2
    first, second = highs.copy().reshape(len(lows), -1), lows.copy().reshape(len(lows), -1)
    first[rows, side] = second[rows, side] = middle
    return np.concatenate([lows, second.reshape(lows.shape)]), np.concatenate([first.reshape(lows.shape), highs])
