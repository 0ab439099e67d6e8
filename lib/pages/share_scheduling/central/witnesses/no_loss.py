"""Where a policy with migration might lose capacity: all events of its printed rules, paths, and stored points."""

import itertools

from clustershare.dispatch import exact_central, simulate_central
from compendium.press.clauses import cases, everywhere, grid, none
from compendium.press.clauses.conditions import at_most, larger
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.central.witnesses.guests import LOADS, PATHS, on_states
from pages.share_scheduling.central.witnesses.states import without_loss


def no_loss_at_all(policy, without=(), seed=3):
    """Clauses: no event of the printed rules, no path of the library and no stored point with migration has a loss."""
    kinds = {"arrival": [], "departure": []}
    for record in on_states(policy=policy, without=without):
        kinds["arrival" if record.processor is None else "departure"].append(not without_loss(record.outcome.state))
    paths = cases("path", list(itertools.product(PATHS, LOADS, LOCAL))).measure(
        lambda system, load, local: simulate_central(
            policy, local=local, migration=True, required_shares=[float(share) for share in system[1]],
            loads=[load / len(system[1])] * len(system[1]), processors=system[0], jumps=10_000, warmup=0,
            replications=2, seed=seed,
        ).capacity_loss.value
    )  # fmt: skip
    stored = points.over(tuple(points.CASES)[1:], lambda case: points.of(case, points.LOSS, True).at(policy=policy))
    return [
        *(none(len(lost), kind, "led to a loss", sum(lost)) for kind, lost in kinds.items()),
        everywhere("the loss on paths of the library", paths, at_most(1e-12)),
        everywhere("the stored loss", stored, at_most(1e-12)),
        *by_library_chain(policy),
    ]


def by_library_chain(*policies):
    """Clauses: at a low load the library's chain of policies has no loss with migration, and one without."""

    def loss(migration):
        return grid(policy=policies, number_of_processors=(2, 3), local_policy=LOCAL).measure(
            lambda policy, P, local: exact_central(
                policy, local=local, migration=migration, required_shares=(0.5, 0.5), loads=(0.05, 0.05), processors=P,
                most_jobs=6,
            ).capacity_loss
        )  # fmt: skip

    return [
        everywhere("the loss by the library's chain with migration", loss(True), at_most(1e-12)),
        everywhere("that without migration", loss(False), larger(1e-6)),
    ]
