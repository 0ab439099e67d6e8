"""Claims of `thesis`, Section 2.5: capacity loss."""

import itertools

import numpy as np
from scipy import stats

from clustershare.delivery import deliver
from clustershare.shares import maximum_obtainable_share
from compendium.press.clauses import cases, conclude, everywhere
from compendium.press.clauses.conditions import at_least, at_most
from compendium.press.findings import check, over_domain
from pages.share_scheduling.objectives.systems import (
    EXACT,
    random_capacities,
    random_states,
    random_systems,
)  # fmt: skip
from pages.share_scheduling.objectives.witnesses.placements import MOST, chain, idle_beside_two, loss, path


@check("thesis-2-032", migration=False)
def no_loss(migration=True):
    """The loss of random states, and the least by the linear program; in the control the jobs are on the slowest."""

    def least(capacities, _, jobs):
        count = max(1, sum(jobs))
        placement = None if migration else [len(capacities) - 1] * count
        total = deliver([0.0], [0] * count, capacities, placement=placement).margin
        return maximum_obtainable_share(count, capacities) - total

    losses = cases("state", random_states(200), seed=3).measure(lambda state: state.capacity_loss)
    systems = cases("system", random_systems(40, processors=(2, 4), seed=5), seed=5)
    return conclude(
        everywhere("the capacity loss", losses, at_least(-EXACT)),
        everywhere("the least loss by the program", systems.measure(least), at_most(EXACT)),
        whole=True,
    )


@check("thesis-2-051", moving=False, migration=False)
def fastest_in_use(moving=True, migration=True):
    """(a) the fastest processors always in use; (b) jobs that move at departures. In the control no job moves."""
    holds, where = {}, {}
    for homogeneous, processors, number in itertools.product((True, False), (2, 3, 4, 5), range(3)):
        if homogeneous and number:
            continue
        speeds = random_capacities(np.random.default_rng([51, processors, number]), processors, homogeneous)
        lost = {}
        for least in (0, 1, 2):
            states, _ = chain(speeds, 0.5, "fastest idle", least=least, moving=moving)
            lost |= {state: loss(state, speeds) for state in states}
        whole = [loss(state, speeds, migration) for state in lost]
        holds["a", homogeneous, processors, number] = max(whole) <= 1e-12
        bad = [state for state, value in lost.items() if value > 1e-12]
        holds["b", homogeneous, processors, number] = not bad
        for state in bad:
            kind = "idle beside two or more" if idle_beside_two(state) else "a slower one in use than is idle"
            where[kind] = where.get(kind, 0) + 1
    good = {way: [yes for key, yes in holds.items() if key[0] == way] for way in "ab"}
    return over_domain(
        f"with the fastest always in use: {sum(good['a'])} of {len(good['a'])} systems without loss; with the printed "
        f"rule: {sum(good['b'])} of {len(good['b'])}, up to {MOST} jobs; lost where "
        + (", or ".join(sorted(where)) or "nowhere"),
        list(holds.values()),
    )


@check("thesis-2-052", migration=True)
def lost_without_migration(migration=False):
    """The two states, and the stationary loss by chain and by paths; in the control jobs migrate freely."""
    holds, least, inside = [], 1.0, True
    for ratio, load, policy in itertools.product((1, 2, 5, 20), (0.1, 0.5, 0.95), ("fastest idle", "shortest")):
        speeds = np.array([ratio, 1.0])
        left = loss((0, 1), speeds, migration) - (ratio - 1) / speeds.sum()
        idle = [loss((2, 0), speeds, migration) - 1 / speeds.sum(),
                loss((0, 3), speeds, migration) - ratio / speeds.sum()]  # fmt: skip
        states, law = chain(speeds, load, policy, most=40)
        stationary = float(law @ np.array([loss(state, speeds, migration) for state in states]))
        least = min(least, stationary)
        if load == 0.5 and not migration and ratio in (1, 5):
            rng = np.random.default_rng([52, ratio])
            values = [path(speeds, load, policy, rng, 2000, 40) for _ in range(20)]
            allowed = stats.t.ppf(0.9995, 19) * np.std(values, ddof=1) / np.sqrt(20)
            inside &= abs(np.mean(values) - stationary) <= allowed
        holds.append(max(map(abs, [left, *idle])) <= EXACT and stationary > EXACT and inside)
    return over_domain(
        f"in {sum(holds)} of {len(holds)} systems both losses as stated; the least stationary loss is {least:.1g}; "
        f"simulated {'inside' if inside else 'outside'} its intervals",
        holds,
    )
