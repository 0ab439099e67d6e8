"""Claims of `thesis`, Section 5.5.1: Join Shortest Queue at low and high loads, and with more processors."""

import functools
from dataclasses import replace

import numpy as np

from clustershare.dispatch import exact_central, shortest_queue_with_migration
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import agrees, equal, never_rises, smaller
from compendium.press.findings import check
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points import growing
from pages.share_scheduling.central.points.by_case import ALONG, DEVIATION, LOSS
from pages.share_scheduling.central.points.growing import EXACT_LOADS, LOADS, NUMBER
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.central.witnesses import lengths
from pages.share_scheduling.objectives import queues


@check("thesis-5-117", shortest=False)
def one_queue_at_both_ends(shortest=True):
    """JSQ without migration against M/M/P; the control splits at random."""
    low, high = (0.2, 0.1, 0.05, 0.02, 0.01), (0.8, 0.9, 0.95, 0.98)
    ends = {"on two processors at low loads": (2, low), "on two at high loads": (2, high),
            "on three at low loads": (3, low), "on three at high loads": (3, high[:-1])}  # fmt: skip

    @functools.cache
    def mean(P, load):
        """The mean number of jobs by the chain."""
        if not shortest:
            return P * load / (1 - load)
        return lengths.mean_jobs(load, P, lengths.most(load, P, 1e-8), 20 if P == 2 else 14)

    def gaps(P, loads):
        return cases("load", loads).measure(lambda load: 1 - _in_one_line(P, load) / mean(P, load))

    def simulated(case, **places):
        """The mean number of jobs in the library's simulations."""
        found = [points.of(case, "mean_jobs", policies=("JSQ",), group=g) for g in (0, 1)]
        one, other = (each.at(policy="JSQ", **places) for each in found)
        return one.less(-other, np.add)

    two = tuple(load for load in (*low, *high) if load in LOADS)
    as_simulated = (
        simulated("two processors", load=two) - exact([mean(2, load) for load in two], load=two),
        simulated("case 1 against P", number_of_processors=(3,)) - exact([mean(3, 0.8)], number_of_processors=(3,)),
    )
    by_formula = grid(number_of_processors=(2, 3), load=(*low, *high)).measure(
        lambda P, load: _in_one_line(P, load) / (P * load * queues.one_line(P, load)) - 1
    )

    def by_chain(local, P, load, cut):
        own = exact_central(
            "JSQ", local=local, required_shares=(0.5, 0.5), loads=(load / 2,) * 2, processors=P, most_jobs=cut
        )
        return own.mean_jobs.sum() / mean(P, load) - 1

    few = [
        (local, P, load, cut + P)
        for local in LOCAL
        for P in (2, 3)
        for load, cut in ((0.1, 6), (0.05, 5), (0.02, 4), (0.01, 3))
    ]
    found = {name: gaps(*end) for name, end in ends.items()}
    good = {name: bool((np.diff(each.value) < 0).all() and 0 <= each.value[-1] <= 0.05) for name, each in found.items()}
    return conclude(
        at_each("JSQ comes as close to one queue as 0.05, the closer the nearer the load is to an end", exact(
            list(good.values()), place=tuple(good))),
        *(aside(f"by how much one queue has fewer jobs {name}", each) for name, each in found.items()),
        provided=[
            *(everywhere(f"the mean number of jobs on {word} in the library, less the chain's,", each, agrees())
              for word, each in zip(("two processors", "three"), as_simulated)),
            everywhere("at low loads, that by the library's chain, relative to this one,",
                       cases("system", few).measure(by_chain), equal(1e-5)),
            everywhere("the library's mean number in one queue and Erlang's", by_formula, equal(1e-9)),
        ],
    )  # fmt: skip


def _in_one_line(P, load):
    """The library's mean number of jobs in one queue for some processors: of JSQ with migration."""
    found = shortest_queue_with_migration((0.5, 0.5), (load / 2, load / 2), P)
    return found.mean_jobs.sum()


@check("thesis-5-118", chance=True)
def differences_diminish(chance=False):
    """Steps up of each difference as P grows, and of the losses of Figure 5.11."""

    def along(quantity, migration):
        return points.of(ALONG, quantity, migration, simulated_only=True).at(policy="JSQ")

    effects = {"loss by migration": (along(LOSS, False) - along(LOSS, True)).at(local_policy="PS")}
    still, moved = along(DEVIATION, False), along(DEVIATION, True)
    effects["deviation by migration"] = still - moved
    for found, name in ((still, "without"), (moved, "with")):
        effects[f"deviation by GPPS {name} migration"] = found.at(local_policy="PS") - found.at(local_policy="GPPS")
    if chance:
        effects = {"loss": points.of(ALONG, LOSS, policies=("HPRS",)).at(policy="HPRS", local_policy="PS")}
    effects = {name: replace(each.distance(), as_it_stands=True) for name, each in effects.items()}
    drawn = growing.curves("JSQ")
    exactly = cases(NUMBER, (2, 3)).measure(lambda P: exact(growing.chain_losses(P).value, load=EXACT_LOADS))
    return conclude(
        *(
            at_each(f"what is changed of the {name}", each.steps(NUMBER), never_rises())
            for name, each in effects.items()
        ),
        *(
            at_each(f"what is changed of the {name} on 20 processors less that on {few}",
                    each.at(number_of_processors=20) - each.at(number_of_processors=few), smaller())
            for few in (2, 10) for name, each in effects.items()
        ),
        *([] if chance else [
            at_each("the loss of Figure 5.11", drawn.steps(NUMBER), never_rises()),
            at_each("that on 100 processors less that on 10",
                    drawn.at(number_of_processors=100) - drawn.at(number_of_processors=10), smaller()),
        ]),
        provided=[everywhere("the losses of Figure 5.11 on 2 and 3 processors less those by their chains",
                             drawn.at(number_of_processors=(2, 3), load=EXACT_LOADS) - exactly, agrees())],
    )  # fmt: skip
