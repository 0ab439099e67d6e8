"""What one processor knows when it decides: the numbers of jobs on some processors, its own first.

The rules ask a `View` in the words in which they ask a `state.System` (see `words`). What they want to migrate is only
noted in it: the job has to be asked for.
"""

from typing import NamedTuple

import numpy as np

from clustershare.compiled.service import claim
from clustershare.dispatch import orders, state
from clustershare.dispatch.jit import kernel
from clustershare.dispatch.tape import pick

RULE, ASKED, GROUP, SOURCE, TARGET, OWN_FIRST = range(6)  # what is noted
UNSCALED, SCALED = 1, 2  # estimates of shares: sums over the processors known, or these times P / K


@kernel
def best_scored(view, rng):
    """A processor whose score is least: the own one if it is preferred, else at random; -1 if none is finite."""
    score, best, ties = view.score, np.inf, 0
    for k in range(len(score)):
        if score[k] < best:
            best, ties = score[k], 1
        elif score[k] == best:
            ties += 1
    if best == np.inf:
        return -1
    if view.noted[OWN_FIRST] and score[0] == best:
        return 0
    chosen = any_of(view, rng, ties)
    for k in range(len(score)):
        if score[k] == best:
            if chosen == 0:
                return k
            chosen -= 1
    return -1


@kernel
def number(view, row, k):
    """Jobs recorded for a processor as one number: all, or those of a group before all."""
    return view.count[k, row] + view.count[k, orders.TOTAL] * (2.0**-30 if row != orders.TOTAL else 0.0)


@kernel
def fewest(view, rng, row):
    """A processor with the fewest jobs: of all, or of a group and then of all."""
    for k in range(len(view.score)):
        view.score[k] = number(view, row, k)
    return best_scored(view, rng)


@kernel
def fewest_but_some(view, rng, g):
    """A processor with the fewest jobs of a group, but one at least, and then the fewest of all; -1 if none."""
    for k in range(len(view.score)):
        view.score[k] = number(view, 1 + g, k) if view.count[k, 1 + g] > 0 else np.inf
    return best_scored(view, rng)


@kernel
def most(view, rng, row):
    """A processor with the most jobs: of all, or of a group and then of all."""
    for k in range(len(view.score)):
        view.score[k] = -number(view, row, k)
    return best_scored(view, rng)


@kernel
def an_idle_one(view, rng):
    """A processor recorded as idle, -1 if there is none."""
    for k in range(len(view.score)):
        view.score[k] = 0.0 if view.count[k, orders.TOTAL] == 0 else np.inf
    return best_scored(view, rng)


@kernel
def idle_ones(view):
    """How many processors are recorded as idle."""
    found = 0
    for k in range(len(view.score)):
        found += view.count[k, orders.TOTAL] == 0
    return found


@kernel
def own_of_fewest(view, row):
    """The own processor, if none is known with fewer jobs; else -1."""
    for k in range(len(view.score)):
        if view.count[k, row] < view.count[0, row]:
            return -1
    return 0


@kernel
def any_of(view, rng, count):
    """One of 0, ..., count - 1 with equal probabilities; of one, without a draw."""
    return pick(rng, count) if count > 1 else 0


@kernel
def part_of_one(view):
    """One processor's part of the whole capacity."""
    return 1 / view.processors


@kernel
def knows_all(view):
    """Whether the rules see all processors, as they are."""
    return False


@kernel
def group_of_random_job(view, rng, k):
    """No group: a migration request need not name one."""
    return -1


@kernel
def took(view, rule):
    """Note the rule that decides."""
    view.noted[RULE] = rule


@kernel
def move(view, rng, g, source, target, now):
    """Note that a job of a group (-1: of any) is to come from one processor to another (-1: none is known)."""
    view.noted[ASKED] = True
    view.noted[GROUP], view.noted[SOURCE], view.noted[TARGET] = g, source, target


class View(NamedTuple):
    """What is known of K processors; the first is the one that decides.

    Attributes
    ----------
    processors : int
        How many there are in all.
    rule : int
        Of `compiled.service`: how each is shared, with the required shares as weights.
    required : ndarray, shape (groups,)
        Required group shares.
    count : ndarray of int, shape (K or more, 1 + groups)
        Jobs recorded for each processor: all, and of each group.
    level : ndarray, shape (4 + 4 groups,)
        The groups' obtained and feasible shares as estimated, where `state.System.level` has the true ones.
    score : ndarray, shape (K,)
        For rules to write into.
    noted : ndarray of int, shape (6,)
        The RULE that decided; whether a job is to be ASKED for, of which GROUP, from SOURCE to TARGET; whether the own
        processor is preferred where several are best.
    """

    processors: int
    rule: int
    required: np.ndarray
    count: np.ndarray
    level: np.ndarray
    score: np.ndarray
    noted: np.ndarray
    best_scored = staticmethod(best_scored)
    fewest = staticmethod(fewest)
    fewest_but_some = staticmethod(fewest_but_some)
    most = staticmethod(most)
    an_idle_one = staticmethod(an_idle_one)
    idle_ones = staticmethod(idle_ones)
    own_of_fewest = staticmethod(own_of_fewest)
    any_of = staticmethod(any_of)
    part_of_one = staticmethod(part_of_one)
    knows_all = staticmethod(knows_all)
    group_of_random_job = staticmethod(group_of_random_job)
    took = staticmethod(took)
    move = staticmethod(move)


def blank(processors, rule, required):
    """A view with room for all processors.

    Parameters
    ----------
    processors : int
    rule : int
        Of `compiled.service`.
    required : ndarray, shape (groups,)

    Returns
    -------
    View
    """
    G = len(required)
    return View(
        processors, rule, np.array(required, float), np.zeros((processors, 1 + G), np.int64),
        np.zeros(state.SYSTEM_LEVELS + state.GROUP_LEVELS * G), np.zeros(processors), np.zeros(6, np.int64),
    )  # fmt: skip


@kernel
def claims(view, k, g):
    """The claim of a group on a processor, and of all groups together."""
    own, total = 0.0, 0.0
    for h in range(len(view.required)):
        one = claim(view.rule, view.required[h], view.count[k, 1 + h])
        total += one
        own += one if h == g else 0.0
    return own, total


@kernel
def share(view, k, g, more):
    """The part of a processor that a group would obtain with so many more jobs there."""
    view.count[k, 1 + g] += more
    own, total = claims(view, k, g)
    view.count[k, 1 + g] -= more
    return own / total if total > 0 else 0.0


@kernel
def estimate(view, scale):
    """Estimate the obtained and feasible shares of all groups (`thesis`, Section 6.5.5) from the processors known."""
    K = len(view.score)
    among = K if scale == SCALED else view.processors
    for g in range(len(view.required)):
        obtained, jobs = 0.0, 0
        for k in range(K):
            jobs += view.count[k, 1 + g]
            obtained += share(view, k, g, 0)
        view.level[state.of_group(g, state.OBTAINED_SHARE)] = obtained / among
        view.level[state.of_group(g, state.FEASIBLE_SHARE)] = min(view.required[g], jobs / among)
