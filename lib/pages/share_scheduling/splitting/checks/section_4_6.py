"""Claims of `thesis`, Section 4.6: what free migration saves, and what even the best routing costs."""

import functools
import itertools

import numpy as np

from clustershare.multiprocessor import group_weights
from clustershare.shares import feasible_group_share, maximum_obtainable_share
from clustershare.splitting import (
    assignment,
    horizontal,
    minimise_capacity_loss,
    minimise_group_share_deviation,
    vertical,
)
from compendium.press.clauses import aside, at_each, cases, conclude, equalities, everywhere, exact, grid, somewhere
from compendium.press.clauses.conditions import at_least, at_most, larger, within
from compendium.press.findings import check
from pages.share_scheduling.splitting.systems.assignments import best_found, equal, largest, one_to_one, routings_of
from pages.share_scheduling.splitting.systems.instances import paths
from pages.share_scheduling.splitting.witnesses.partitions import loss_by_law

EXACT = 1e-12
HALVES = np.full(2, 0.5)
SOME = [*itertools.product((0.05, 0.25, 0.45), repeat=2), (0.05, 0.7), (0.1, 0.8), (0.2, 0.6), (0.6, 0.2)]


@check("thesis-4-120", migration=False)
def at_all_times(migration=True):
    """Paths: what is lost and what groups lack in every state; the control places jobs at random for good."""

    def along(rng, start, arrival_rates, events):
        shares, _, speeds = start
        placed = np.zeros((len(shares), len(speeds)), dtype=int)
        lost = lacking = beyond = 0.0

        @functools.cache
        def state(*cells):
            placed = np.reshape(cells, (len(shares), len(speeds)))
            jobs = placed.sum(axis=1)
            weights = group_weights(shares, jobs, speeds) if migration else placed / np.maximum(placed.sum(axis=0), 1)
            obtained = weights @ speeds
            short = (feasible_group_share(shares, jobs, len(speeds)) - obtained) / shares
            over = max(-weights.min(), weights.sum(axis=0).max() - 1, (weights.sum(axis=1) - jobs).max())
            return obtained, maximum_obtainable_share(int(jobs.sum()), speeds) - obtained.sum(), short.max(), over

        for _ in events:
            if migration:  # where jobs are does not matter
                placed[:, 0], placed[:, 1:] = placed.sum(axis=1), 0
            obtained, *now = state(*placed.ravel().tolist())
            lost, lacking, beyond = np.maximum((lost, lacking, beyond), now)
            if lost > 0.1:
                break  # that decides
            rates = np.cumsum([*arrival_rates, *obtained])
            what = int(np.searchsorted(rates, rng.random() * rates[-1], "right"))
            group = what % len(shares)
            if what < len(shares):
                placed[group, np.searchsorted(np.cumsum(speeds)[:-1], rng.random(), "right")] += 1
            else:
                placed[group, rng.choice(np.flatnonzero(placed[group]))] -= 1
        return {
            "the capacity loss": lost, "the deviation of a group": lacking,
            "the time beyond all of it that a processor serves, or a job is served,": beyond,
        }  # fmt: skip

    found = cases("path", paths(20, 2000, 120), seed=120).measure(along)
    return conclude(
        *(everywhere(f"{what} at any moment", worst, at_most(EXACT)) for what, worst in found.items()), whole=True
    )


@check("thesis-4-155", migration=True)
def not_enough(migration=False):
    """The least Delta^G of all ten kinds of systems, and the least loss at each load; the control migrates."""
    loads = np.arange(1, 10) / 10
    kinds = [(size, processors) for processors in range(2, 6) for size in range(1, processors)]

    def least(size, processors):
        required = (size / processors, 1 - size / processors)
        if migration:
            return dict(zip(("deviation", "loss"), freely_moved(required, processors)))
        return {"deviation": largest(best_found(required, (0.2, 0.3), processors)), "loss": 0.0}

    def off(P, load):
        return minimise_capacity_loss(equal(P), load).objective - loss_by_law(P, load)

    names = [f"{size} of {processors} processors for group 1" for size, processors in kinds]
    found = cases("kind", kinds, names).measure(least)
    losses = [[(found["loss"].value.max() if migration else minimise_capacity_loss(equal(P), load).objective) - 0.1
               for load in loads] for P in (2, 4, 10, 100)]  # fmt: skip
    alone = found["deviation"].at(kind=names[0])
    more = [tuple(loads) for groups in (3, 4) for loads in one_to_one(groups, 2, 155 + groups)]

    def of_more(loads):
        system = tuple(equal(len(loads))), loads, len(loads)
        return max(abs(largest(best_found(*system, starts=40))), abs(largest(vertical(*system))))

    each = cases("system of three or four groups", [(loads,) for loads in more]).measure(of_more)
    return conclude(
        somewhere("the least Delta^G", found["deviation"].at(kind=names[1:]), larger(0.05)),
        at_each("the least capacity loss less 0.1", exact(losses, P=(2, 4, 10, 100), load=loads), larger()),
        provided=[
            everywhere("the least Delta^G with one processor for each of two groups", alone, within(1e-9)),
            everywhere("that with one processor for each group", each, within(1e-9)),
            *equalities({"the least loss and that by the law of the number of jobs":
                         grid(P=(2, 4, 10, 100), load=loads).measure(off)}, 1e-10),
        ],
    )  # fmt: skip


def freely_moved(required, processors):
    """The largest deviation and loss under MGPPS in all states of up to five jobs a group."""
    worst = lost = 0.0
    for jobs in itertools.product(range(6), repeat=2):
        if sum(jobs):
            obtained = group_weights(required, np.array(jobs), equal(processors)) @ equal(processors)
            short = feasible_group_share(np.array(required), np.array(jobs), processors) - obtained
            worst = max(worst, (short / required).max())
            lost = max(lost, maximum_obtainable_share(sum(jobs), equal(processors)) - obtained.sum())
    return worst, lost


@check("thesis-4-094", policy=horizontal)
def fair_and_wasteful(policy=vertical):
    """What the policy loses at each pair of loads, and whether it is fairest there: no other has Delta^G = 0."""
    rng = np.random.default_rng(94)
    pairs = [(i / 20, j / 20) for i, j in itertools.product(range(1, 20), repeat=2) if i + j < 20]

    def of_both(*loads):
        result = policy(HALVES, loads, 2 if policy is vertical else HALVES)
        routed = [assignment(HALVES, x, HALVES) for x in routings_of(np.array(loads), 3, rng)]
        others = min(map(largest, (horizontal(HALVES, loads, HALVES), *routed)))
        return {"loss": result.capacity_loss, "deviation": largest(result), "others": others}

    def together(*loads):
        routing = minimise_group_share_deviation(HALVES, loads, HALVES, starts=5).routing
        return np.abs(routing @ routing.T - np.eye(2)).max()  # 0 if each group has a processor of its own

    found = cases("pair of loads", pairs).measure(of_both)
    apart = cases("pair of loads", SOME).measure(together)
    return conclude(
        somewhere("the capacity loss", found["loss"], at_least("clear")),
        everywhere("Delta^G", found["deviation"], within(EXACT)),
        everywhere("that of HPRS and of three random routings, the least,", found["others"], larger()),
        everywhere("how far the least found is from a processor for each group", apart, within(EXACT)),
        aside("the loads where the loss is largest", exact(pairs[found["loss"].value.round(9).argmax()], group=(1, 2))),
        whole=True,
    )
