"""Claims of `thesis`, Section 5.7.4: what the cases with migration say together."""

import itertools
from fractions import Fraction as F

import numpy as np

from clustershare.dispatch import simulate_central
from compendium.press.clauses import at_each, cases, conclude, everywhere, exact, grid, measured
from compendium.press.clauses.conditions import equal, larger, not_larger, short_of, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.printed.rules import Rules
from pages.share_scheduling.central.systems import COMBINATIONS, LOCAL, POLICIES
from pages.share_scheduling.central.witnesses.no_loss import by_library_chain
from pages.share_scheduling.central.witnesses.reached import capacity_loss, reached
from pages.share_scheduling.conclusions.points import very_many

WELL = SCALE["close"].most
MIGRATED = tuple(points.CASES)[1:]  # Figures 5.16 to 5.19
WHERE = {case: f"in {case}, " for case in points.TEN} | {points.ALONG: "in case 1 on 2 to 20 processors, "}
CUT = 26
"""Jobs of two processors: at load 0.5, where all wait in one line, there are more for less than 1e-8 of the time."""


@check("thesis-5-066", migration=False)
def no_loss(migration=True):
    """The loss in every state of the chain of two processors, and along the library's paths and the stored runs."""
    states = cases("policy", POLICIES).measure(
        lambda policy: max(
            map(capacity_loss, reached(Rules(policy, (F(1, 2),) * 2, 2, migration), CUT if migration else 6, like=True))
        )
    )
    paths = grid(policy=POLICIES, local_policy=LOCAL, number_of_processors=range(2, 8)).measure(
        lambda policy, local, P: simulate_central(
            policy, local=local, migration=migration, required_shares=(0.5, 0.3, 0.2), loads=(0.2, 0.3, 0.3),
            processors=P, jumps=10_000, warmup=0, replications=1, seed=66,
        ).capacity_loss.value
    )  # fmt: skip
    many = [loss for (_, _, moves, *_), (loss, _) in very_many.values("capacity_loss").items() if moves == migration]
    return conclude(
        everywhere("the largest loss in a state that two processors reach", states, within(1e-12)),
        everywhere("the loss on paths of three groups", paths, within(1e-12)),
        *(
            everywhere(f"that of the stored runs of {case}", points.of(case, points.LOSS, migration), within(1e-12))
            for case in MIGRATED
        ),
        everywhere("that of the stored runs on 10, 100 and 500 processors", exact(many, run=None), within(1e-12)),
        *by_library_chain(*POLICIES),
        whole=True,
    )


def _of_very_many():
    """Delta^G without migration less that with it on 100 and 500 processors, in the three cases."""
    found, numbers, pairs = very_many.values(), (100, 500), []
    for P, case, key in itertools.product(numbers, very_many.CASES, COMBINATIONS):
        (without, one), (having, other) = (found[P, case, migration, *key] for migration in (False, True))
        pairs.append((without - having, np.hypot(one, other)))
    value, half = np.reshape(pairs, (len(numbers), len(very_many.CASES), len(COMBINATIONS), 2)).transpose(3, 0, 1, 2)
    names = tuple(map("/".join, COMBINATIONS))
    return measured(value, half, as_it_stands=True, number_of_processors=numbers, case=tuple(very_many.CASES),
                    combination_of_policies=names)  # fmt: skip


@check("thesis-5-144", migration=False)
def substantially(migration=True):
    """Delta^G without migration less that with it, at every point; the control has migration in neither."""
    found = {case: points.gains(case, migration=migration) for case in MIGRATED}
    return conclude(
        *(
            at_each(f"{WHERE[case]}what migration takes off the deviation", each, condition)
            for condition in (larger(), larger("clear")) for case, each in found.items()
        ),
        provided=[points.as_exact_with_migration(),
                  everywhere("on very many processors, what migration takes off the deviation", _of_very_many(),
                             short_of("clear"))],
    )  # fmt: skip


@check("thesis-5-077", chance=True)
def vertical_is_better(chance=False):
    """SVP and DVP against JSQ and HP in all three cases; the control sends their jobs by chance."""

    def worse(case, own, local, others):
        """The deviation of JSQ and HP less that of some policies, with any other local policy or the same."""
        found = points.of(case, migration=True)
        mine = points.of(case, policies=("HPRS",) * len(own)).at(local_policy="PS") if chance else found.at(policy=own)
        mine = mine if chance else mine.at(local_policy=local)
        theirs = found.at(policy=points.SPREAD, local_policy=others).renamed(policy="other", local_policy="with")
        return theirs - mine

    every = [
        (case, names, worse(case, own, local, others))
        for case in points.TEN
        for names, own, local, others in (
            (("JSQ and HP", "SVP and DVP with GPPS"), points.VERTICAL, "GPPS", LOCAL),
            (("JSQ and HP", "SVP with PS"), ("SVP",), "PS", LOCAL),
            (("JSQ and HP with PS", "DVP with PS"), ("DVP",), "PS", ("PS",)),
        )
    ]
    return conclude(
        *(
            at_each(f"in {case}, by how much the deviation of {theirs} is higher than that of {own}",
                    each.at(load=points.HIGH) if case == "case 1" else each, larger())
            for case, (theirs, own), each in every
        ),
        provided=[
            everywhere(f"in case 1 at low loads, by how much the deviation of {own} is higher than that of {theirs}",
                       -each.at(load=points.LOW), not_larger())
            for case, (theirs, own), each in every if case == "case 1"
        ] + [everywhere("the deviation in case 2 at fraction 0",
                        points.of("case 2", migration=True).at(fraction=0.0), equal(1e-9))],
    )  # fmt: skip
