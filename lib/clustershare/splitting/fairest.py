"""The routing that keeps the largest group-share deviation least (`thesis`, Problem 4.10, left open)."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linprog, minimize

from clustershare.arguments import affordable, integer
from clustershare.calls import remembered
from clustershare.progress import waited_for
from clustershare.shares import required_shares as check_shares
from clustershare.splitting.capacity_loss import checked_capacities
from clustershare.splitting.groups import assignment, group_loads
from clustershare.typing import Numbers

if TYPE_CHECKING:
    from clustershare.splitting.groups import SplitShares

STEP = 1e-7  # of the differences that stand for slopes
JUMP = 1e4  # a steeper slope is none: the first job of a group on an overloaded processor changes all for it
MOST_WAYS = 4096  # of choosing groups for each processor, as starts
MOST_STARTS, MOST_GROUPS, MOST_PROBABILITIES = 1000, 12, 1000
ACTIVE = 1e-5  # deviations this near the largest count as largest


@waited_for
@remembered
def minimise_group_share_deviation(
    required_shares: Numbers, loads: Numbers, capacities: Numbers, *, starts: int = 40, seed: int = 0,
    progress: bool = False
) -> SplitShares:
    """The routing with the least largest deviation, as far as descents from many starts find it (`thesis` (4.126)).

    The function has many local minima, and no proof is at hand that the best one found is the least.

    Parameters
    ----------
    required_shares : sequence of float
        Of the groups, at most 12; they sum to 1.
    loads : sequence of float
        rho_{g*} of the groups (4.34); their sum is below 1.
    capacities : sequence of float
        Of the processors, in descending order; they sum to 1. Groups times processors are at most 1000.
    starts : int
        Descents, at most 1000, in turn from a routing that spreads each group over some processors alike, the best
        such first, from one where a group overloads processors on purpose, and from a random one.
    seed : int
        Of the random routings.
    progress : bool
        Whether to show on standard error for how long this has been at work.

    Returns
    -------
    SplitShares
        Its method is "descent"; its error is how much the largest deviation would still fall, to first order, if every
        routing probability could be moved by 1 (0 at a minimum).

    Raises
    ------
    UnstableError
        If the total load is 1 or more.
    ValueError
        If an argument is not as above.

    Examples
    --------
    Half of the processors for each group is not the best where one group brings more (`thesis`, Theorem 4.15):

    >>> best = minimise_group_share_deviation([0.5, 0.5], [0.3, 0.2], [0.25] * 4, starts=10)
    >>> vertical = assignment([0.5, 0.5], [[0.6, 0.6, 0, 0], [0, 0, 0.4, 0.4]], [0.25] * 4)
    >>> best.group_share_deviation.round(3), vertical.group_share_deviation.round(3)
    (array([0.122, 0.122]), array([0.144, 0.096]))
    """
    required = np.array(check_shares("required_shares", required_shares))
    own, speeds = group_loads(loads, len(required)), checked_capacities(capacities)
    shape = (len(required), len(speeds))
    affordable("the number of groups", shape[0], MOST_GROUPS)
    affordable("groups times processors", math.prod(shape), MOST_PROBABILITIES)
    integer("starts", starts, 1, MOST_STARTS)
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(integer("seed", seed, 0))))

    def deviations(routing):
        return deviations_of(required, speeds, routing * own[:, None] / speeds)

    simple = [
        _best_first(deviations, ways) for ways in (_spread_over_some(rng, speeds, len(own)), _flooding(own, speeds))
    ]
    guesses = (next(simple[k % 3], None) if k % 3 < 2 else _random_routing(rng, shape) for k in itertools.count())
    guesses = (_random_routing(rng, shape) if guess is None else guess for guess in guesses)
    found = [_descend(deviations, guess) for guess in itertools.islice(guesses, starts)]
    best = min(found, key=lambda routing: deviations(routing).max())
    result = assignment(required, best * own[:, None] / speeds, speeds)
    return replace(result, method="descent", error=_still_to_gain(deviations, best))


def deviations_of(required, speeds, loads):
    """Group-share deviations of many assignments at once, as `groups.assignment` has them of one, with equal rates.

    Parameters
    ----------
    required : ndarray, shape (groups,)
    speeds : ndarray, shape (processors,)
    loads : ndarray, shape (..., groups, processors)

    Returns
    -------
    ndarray, shape (..., groups)
    """
    totals = loads.sum(axis=-2, keepdims=True)
    obtained = (loads / np.maximum(totals, 1)) @ speeds
    flooded = ((loads > 0) & (totals >= 1)).any(axis=-1)
    own = np.where(totals < 1, loads / np.where(totals < 1, 1 - totals + loads, 1), 0)  # (4.123)
    missing = np.maximum(1 - np.arange(math.ceil(required.max() * len(speeds))) / (required * len(speeds))[:, None], 0)
    law = law_of(own, missing.shape[1])
    feasible = 1 - sum(missing[:, n] * law[n] for n in range(len(law)))
    return np.where(flooded, 1, feasible) - obtained / required


def law_of(own, length):
    """The first probabilities of sums of geometric numbers with parameters of shape (..., processors), length first."""
    law = np.zeros((length, *own.shape[:-1]))
    law[0] = 1.0
    for p in range(own.shape[-1]):
        more, before = own[..., p], 0.0
        for n in range(length):
            before = law[n] = (1 - more) * law[n] + more * before
    return law


def _best_first(deviations, routings):
    """Routings in the order of their largest deviations; of those that have the same, one."""
    if not len(routings):
        return iter(())
    first = np.unique(deviations(routings).max(axis=1).round(9), return_index=True)[1]
    return iter(routings[first])


def _spread_over_some(rng, speeds, groups):
    """Routings that spread each group over some processors in proportion to their capacities.

    Each processor serves a set of groups: all ways to choose the sets, or some of them where there are too many.
    """
    sets = np.array(list(itertools.product([False, True], repeat=groups))[1:])
    if len(sets) ** len(speeds) <= MOST_WAYS:
        chosen = np.array(list(itertools.product(range(len(sets)), repeat=len(speeds))))
    else:
        chosen = np.vstack(
            [np.full(len(speeds), len(sets) - 1), rng.integers(len(sets), size=(MOST_WAYS, len(speeds)))]
        )
    served = np.swapaxes(sets[chosen], 1, 2)
    served = served[served.any(axis=2).all(axis=1)]
    return served * speeds / (served * speeds).sum(axis=2, keepdims=True)


def _flooding(own, speeds):
    """Routings where one group overloads some processors, alone, and shares some of the others.

    Descents do not come there by themselves: a group that is not alone on such a processor lacks very much.
    """
    if 3 ** len(speeds) > MOST_WAYS:
        return np.empty(0)
    roles, found = np.array(list(itertools.product(range(3), repeat=len(speeds)))), []
    alone, shared = speeds * (roles == 1), speeds * (roles == 2)
    flooded, room = alone.sum(axis=1), shared.sum(axis=1)
    for group, part in itertools.product(range(len(own)), np.linspace(1.0, 0.5, 6)):
        rest = own[group] - flooded
        elsewhere = np.where(room > 0, part * rest, 0)
        with np.errstate(divide="ignore", invalid="ignore"):  # where none is flooded or shared
            work = alone * ((own[group] - elsewhere) / flooded)[:, None]
            work += np.where(room > 0, elsewhere / room, 0)[:, None] * shared
        left = np.where(roles == 1, 0, speeds - work)
        fine = (flooded > 0) & (rest >= 0) & (left >= 0).all(axis=1) & left.any(axis=1)
        routings = np.repeat((left[fine] / left[fine].sum(axis=1, keepdims=True))[:, None], len(own), axis=1)
        routings[:, group] = work[fine] / own[group]
        found.append(routings)
    return np.concatenate(found)


def _random_routing(rng, shape):
    """Any routing, or one that uses few processors for each group."""
    return rng.dirichlet(np.full(shape[1], rng.choice([0.2, 1.0])), size=shape[0])


def _slopes(deviations, routing):
    """All deviations, shape (groups,), their slopes by differences, (groups, probabilities), and where they jump."""
    moves = STEP * np.vstack([np.zeros(routing.size), np.eye(routing.size)])
    values, *moved = deviations(routing + moves.reshape(-1, *routing.shape))
    slopes = (np.array(moved) - values).T / STEP
    jumps = (abs(slopes) > JUMP).any(axis=0)
    slopes[:, jumps] = 0
    return values, slopes, jumps


def _descend(deviations, guess):
    """The local minimum below a routing: of a bound that no deviation may exceed."""
    groups, processors = guess.shape
    rows = np.kron(np.eye(groups), np.ones(processors))
    sums = np.column_stack([rows, np.zeros(groups)])
    kept = {}

    def both(x):
        if (key := x[:-1].tobytes()) not in kept:
            kept.clear()
            routing = np.clip(x[:-1], 0, 1).reshape(guess.shape)
            kept[key] = _slopes(deviations, routing)
        return kept[key]

    def room(x):
        return x[-1] - both(x)[0]

    def room_slopes(x):
        return np.column_stack([-both(x)[1], np.ones(groups)])

    fixed = both(np.append(guess.ravel(), 0))[2]
    start = np.append(guess.ravel(), deviations(guess).max())
    found = minimize(
        lambda x: x[-1], start, jac=lambda x: np.eye(1, len(x), len(x) - 1)[0], method="SLSQP",
        bounds=[(x, x) if alone else (0, 1) for x, alone in zip(guess.ravel(), fixed)] + [(None, None)],
        constraints=[
            {"type": "ineq", "fun": room, "jac": room_slopes},
            {"type": "eq", "fun": lambda x: sums @ x - 1, "jac": lambda x: sums},
        ],
        options={"maxiter": 200, "ftol": 1e-12},
    )  # fmt: skip
    routing = np.clip(found.x[:-1], 0, 1).reshape(guess.shape)
    routing /= routing.sum(axis=1, keepdims=True)
    return routing if deviations(routing).max() < deviations(guess).max() else guess


def _still_to_gain(deviations, routing):
    """How much the largest deviations would all fall, to first order, by the best move of routing probabilities."""
    values, slopes, jumps = _slopes(deviations, routing)
    largest = slopes[values >= values.max() - ACTIVE]
    groups, processors = routing.shape
    # Variables: the move of each probability, and the gain; a probability at 0 cannot fall.
    moves = [(-min(1.0, x) if x > 1e-7 else 0, 0 if alone else 1) for x, alone in zip(routing.ravel(), jumps)]
    found = linprog(
        np.append(np.zeros(routing.size), -1.0),
        np.column_stack([largest, np.ones(len(largest))]), np.zeros(len(largest)),
        np.column_stack([np.kron(np.eye(groups), np.ones(processors)), np.zeros(groups)]), np.zeros(groups),
        [*moves, (0, None)],
    )  # fmt: skip
    return max(0.0, float(found.x[-1]))
