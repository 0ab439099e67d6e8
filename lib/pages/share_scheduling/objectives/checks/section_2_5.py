"""Claims of `thesis`, Section 2.5: capacity loss."""

import numpy as np

from clustershare.delivery import deliver
from clustershare.shares import State, maximum_obtainable_share
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid
from compendium.press.clauses.conditions import agrees, at_least, at_most, equal, larger
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives import queues
from pages.share_scheduling.objectives.paths import averaged
from pages.share_scheduling.objectives.systems import (
    EXACT,
    random_capacities,
    random_states,
    random_systems,
)  # fmt: skip
from pages.share_scheduling.objectives.witnesses.placements import MOST, chain, idle_beside_two, loss, path

WAYS = ("by its routing", "by its dispatching")  # to the library's loss of the shortest queue


@check("thesis-2-032", migration=False)
def no_loss(migration=True):
    """The loss of random states, and the least by the linear program; in the control the jobs are on the slowest."""

    def least(capacities, _, jobs):
        count = max(1, sum(jobs))
        placement = None if migration else [len(capacities) - 1] * count
        found = deliver([0.0], [0] * count, capacities, placement=placement)
        state = State(capacities, (1.0,), [0] * count, np.clip(found.weights, 0, None))
        return {"program": maximum_obtainable_share(count, capacities) - found.margin, "state": state.capacity_loss}

    def unused(state):
        speeds = state.capacities
        return (speeds[: len(state.weights)].sum() - (state.weights @ speeds).sum()) / speeds.sum()

    states = cases("state", random_states(200), seed=3)
    losses = states.measure(lambda state: state.capacity_loss)
    counted = states.measure(lambda state: state.capacity_loss - unused(state))
    systems = cases("system", random_systems(40, processors=(2, 4), seed=5), seed=5).measure(least)
    return conclude(
        everywhere("the capacity loss", losses, at_least(-EXACT)),
        everywhere("the capacity loss and what is not used", counted, equal(EXACT)),
        everywhere("the least loss by the program and 0", systems["program"], equal(EXACT)),
        everywhere("the capacity loss with the program's weights and 0", systems["state"], equal(EXACT)),
        whole=True,
    )


@check("thesis-2-051", moving=False, migration=False)
def fastest_in_use(moving=True, migration=True):
    """(a) the fastest processors always in use; (b) jobs that move at departures. In the control no job moves."""

    def losses(homogeneous, processors, number):
        speeds = random_capacities(np.random.default_rng([51, processors, number]), processors, homogeneous)
        states = set()
        for least in (0, 1, 2):
            states |= set(chain(speeds, 0.5, "fastest idle", least=least, moving=moving)[0])
        lost = {state: loss(state, speeds) for state in states}
        unused = {state: speeds[: sum(state)].sum() - speeds[np.array(state) > 0].sum() for state in states}
        beside = [idle_beside_two(state) for state in states if lost[state] > 1e-12]
        return {
            "in use": max(abs(loss(state, speeds, migration)) for state in states),
            "moved": max(map(abs, lost.values())), "beside": any(beside), "slower": not all(beside),
            "counted": max(abs(lost[state] - unused[state] / speeds.sum()) for state in states),
        }  # fmt: skip

    def by_policy(processors, load, policy, migrating):
        return queues.central_loss(processors, load, 20, policy, migrating)

    some = {"number_of_processors": (2, 3), "load": (0.3, 0.6)}
    moves = grid(**some, policy=("JSQ", "HP"), migration=(True,)).measure(by_policy)
    stays = grid(**some, policy=("JSQ",), migration=(False,)).measure(by_policy)
    kinds = [(True, P, 0) for P in (2, 3, 4, 5)] + [(False, P, k) for P in (2, 3, 4, 5) for k in range(3)]
    found = cases("system", kinds).measure(losses)
    return conclude(
        at_each("with the fastest processors always in use the largest loss", found["in use"], at_most(1e-12)),
        at_each(f"with the printed rule and up to {MOST} jobs it", found["moved"], at_most(1e-12)),
        aside("systems where capacity is lost beside two or more jobs", exact(found["beside"].value.sum())),
        aside("systems where it is lost on a slower processor in use", exact(found["slower"].value.sum())),
        provided=[
            everywhere("the loss by the library and by the capacities in use", found["counted"], equal(1e-12)),
            everywhere("the library's exact loss of a policy with migration and 0", moves, equal(1e-9)),
            everywhere("its exact loss of the shortest queue without", stays, larger(EXACT)),
        ],
    )  # fmt: skip


@check("thesis-2-052", migration=True)
def lost_without_migration(migration=False):
    """The two states, and the stationary loss by chain and by paths; in the control jobs migrate freely."""

    def stationary(ratio, load, policy):
        states, law = chain(np.array([ratio, 1.0]), load, policy, most=40)
        return float(law @ np.array([loss(state, (ratio, 1.0), migration) for state in states]))

    def as_stated(ratio, load, policy):
        found = [loss(state, (ratio, 1.0), migration) * (ratio + 1) for state in ((0, 1), (2, 0), (0, 3))]
        return difference(found, (ratio - 1, 1, ratio))

    def on_paths(ratio, policy):
        rng = np.random.default_rng([52, ratio])
        values = [path((ratio, 1.0), 0.5, policy, rng, 2000, 40) for _ in range(20)]
        return averaged(np.array(values) - stationary(ratio, 0.5, policy))

    def of_the_library(load):
        """Of the shortest of two like queues, by both chains, less that of the check's."""
        here = stationary(1, load, "shortest")
        return exact([queues.lost(queues.joined(2, load)) - here, queues.central_loss(2, load, 40) - here], way=WAYS)

    systems = grid(ratio=(1, 2, 5, 20), load=(0.1, 0.5, 0.95), policy=("fastest idle", "shortest"))
    paths = [] if migration else [
        everywhere("the loss on paths, less that of the chain,",
                   grid(ratio=(1, 5), policy=("fastest idle", "shortest")).measure(on_paths), agrees()),
        everywhere("with like processors the loss of the shortest queue, in the library and here,",
                   cases("load", (0.1, 0.5)).measure(of_the_library), equal(1e-7)),
    ]  # fmt: skip
    return conclude(
        at_each("the losses of the two states and those stated", systems.measure(as_stated), equal(EXACT)),
        at_each("the stationary loss", systems.measure(stationary), larger(EXACT)),
        together=("ratio", "load", "policy"),
        provided=paths,
    )
