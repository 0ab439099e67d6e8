"""Claims of `thesis`, Section 4.4.1: the capacity that random splitting loses."""

import functools
import math

import numpy as np
from scipy import sparse

from clustershare import markov
from clustershare.shares import maximum_obtainable_share
from clustershare.splitting import assignment, capacity_loss
from clustershare.splitting.capacity_loss import split
from compendium.press.clauses import cases, conclude, everywhere, fact
from compendium.press.clauses.conditions import equal, larger
from compendium.press.findings import check, difference, equality, finding
from pages.share_scheduling.objectives import paths
from pages.share_scheduling.splitting import chance

EXACT = 1e-12


def sharing(level, arrival_rates, service_rates):
    """The chain of two groups under processor sharing, cut at so many jobs: numbers, generator and law."""

    def transitions(state):
        jobs = sum(state)
        for g in (0, 1):
            if jobs < level:
                yield tuple(n + (g == h) for h, n in enumerate(state)), arrival_rates[g]
            if state[g]:
                yield tuple(n - (g == h) for h, n in enumerate(state)), service_rates[g] * state[g] / jobs

    states, *moves = markov.explore((0, 0), transitions)
    Q = markov.generator(len(states), *moves)
    return np.sum(states, axis=1), Q, markov.stationary(Q)


@functools.cache
def groups_on_two():
    """How far (4.58) is from the loss of two processors with two groups each, by chains; and the joint residual."""
    rng, gap, residual = np.random.default_rng(31), 0.0, 0.0
    for _ in range(5):
        speeds = np.sort(rng.dirichlet(np.full(2, 4.0)))[::-1].copy()
        rates, parts = rng.uniform(0.2, 5, 2), rng.dirichlet(np.ones(2), 2)  # of the groups; of groups on processors
        loads = rng.uniform(0.05, 0.35, 2)
        alone = [
            sharing(math.ceil(math.log(1e-10) / math.log(loads[p])) + 1, loads[p] * parts[p] * rates * speeds[p],
                    rates * speeds[p])
            for p in (0, 1)
        ]  # fmt: skip
        (one, Q1, law1), (two, Q2, law2) = alone
        joint = np.multiply.outer(law1, law2)
        generator = sparse.kron(Q1, sparse.eye_array(len(two))) + sparse.kron(sparse.eye_array(len(one)), Q2)
        residual = max(residual, markov.residual(joint.ravel(), generator) / -generator.diagonal().min())
        feasible = maximum_obtainable_share(one[:, None] + two, speeds)
        obtained = speeds[0] * (one > 0)[:, None] + speeds[1] * (two > 0)
        gap = max(gap, abs((joint * (feasible - obtained)).sum() - capacity_loss(speeds, loads)))
    return max(gap, residual)


@check("thesis-4-031", waiting_only=True)
def loss_by_states(waiting_only=False):
    """(4.58) against (2.42) in every state; the control leaves jobs that are served where they are."""
    gap = 0.0
    for _, speeds, loads, _ in chance.systems(200, 31):
        processors = len(speeds)
        numbers, probability = chance.states(loads, processors)
        busy = numbers > 0
        obtained = speeds @ busy
        if waiting_only:  # those who wait use the fastest idle processors
            waiting = numbers.sum(axis=0) - busy.sum(axis=0)
            rank = np.cumsum(~busy, axis=0)
            feasible = obtained + speeds @ (~busy & (rank <= waiting))
        else:
            feasible = np.append(0.0, np.cumsum(speeds))[np.minimum(numbers.sum(axis=0), processors)]
        gap = max(gap, abs(probability @ (feasible - obtained) - capacity_loss(speeds, loads)))
    if waiting_only:
        return equality(gap, 1e-9)
    chains = groups_on_two()
    return finding(f"200 systems {'within 1e-09' if gap <= 1e-9 else f'off by {gap:.2g}'}; two groups of unequal "
                   f"means on two processors {'within 1e-08' if chains <= 1e-8 else f'off by {chains:.2g}'}",
                   gap <= 1e-9 and chains <= 1e-8)  # fmt: skip


@check("thesis-4-032", stable=True)
def overload_is_not_minimal(stable=False):
    """The loss with an overloaded processor against that of equal loads; in the control none is overloaded.

    Both are held against sums of their own: (4.64) processor by processor, and the mean over all numbers of jobs.
    """

    def losses(speeds, loads, total):
        alike = np.full(len(speeds), total)
        numbers, probability = chance.states(alike, len(speeds))
        idle = probability @ (maximum_obtainable_share(numbers.sum(axis=0), speeds) - speeds @ (numbers > 0))
        obtained = sum(speed * min(load, 1.0) for speed, load in zip(speeds, loads))
        found = [capacity_loss(speeds, each) for each in (loads, alike)]
        own = found[0] - (1 - obtained) if max(loads) >= 1 else 0.0
        return {"more": found[0] - found[1], "own": own, "equal": found[1] - idle, "full": max(loads) >= 1}

    systems = [each[1:] for each in chance.systems(200, 32)] if stable else chance.overloaded(200, 32)
    found = cases("random system", systems, seed=32).measure(losses)
    return conclude(
        everywhere("the loss less that of equal loads", found["more"], larger()),
        fact("there are 200 systems", len(found["more"].value) == 200, "there are not 200 systems"),
        everywhere("a processor is overloaded", found["full"]),
        everywhere("the loss and (4.64)", found["own"], equal(1e-9)),
        everywhere("that of equal loads and the mean over the states", found["equal"], equal(1e-9)),
        whole=True,
    )


@check("thesis-4-033", ascending=True)
def feasible_share_from_tails(ascending=False):
    """The mean of (2.41) over any law against (4.62) and (4.63)."""
    rng, gap = np.random.default_rng(33), 0.0
    for _ in range(500):
        law = rng.dirichlet(np.full(16, rng.uniform(0.1, 2)))
        speeds = np.sort(rng.dirichlet(np.ones(rng.integers(2, 9))))[::-1].copy()
        mean = law @ maximum_obtainable_share(np.arange(16), speeds)
        order = speeds[::-1] if ascending else speeds
        tails = np.cumsum(law[::-1])[::-1]
        unused = np.cumsum(order[::-1])[::-1]
        gap = max(gap, abs(order @ tails[1 : len(order) + 1] - mean), abs(1 - unused @ law[: len(order)] - mean))
    return equality(gap, EXACT)


@check("thesis-4-034", shared=True)
def obtained_when_overloaded(shared=False):
    """(4.64) on paths; in the control the others take over what an overloaded processor cannot serve."""
    off, far, exact = 0.0, 0.0, 0.0
    for (speeds, loads, total), child in zip(chance.overloaded(5, 34), np.random.SeedSequence(34).spawn(5)):
        # Two events, an arrival and a departure, for each job that is served.
        until = 2e5 / np.minimum(loads, 1).sum()
        rngs = [np.random.default_rng(own) for own in child.spawn(len(loads))]
        busy = [chance.busy_time(rng, load, until, 30) if load else np.zeros(30) for rng, load in zip(rngs, loads)]
        mean, half = paths.interval((speeds @ np.array(busy))[10:])
        obtained = total if shared else 1 - capacity_loss(speeds, loads)
        printed = total - speeds @ np.maximum(loads - 1, 0)
        exact = max(exact, abs(obtained - printed))
        off, far = max(off, abs(mean - obtained) / half), max(far, abs(mean - obtained))
    return finding(f"the library {'gives' if exact <= EXACT else 'does not give'} (4.64); the paths of 5 systems are "
                   f"{'in' if off <= 1 else 'out'}side their intervals of 99 % and "
                   f"{'within 0.01' if far <= 0.01 else f'{far:.2f} off'}",
                   exact <= EXACT and off <= 1 and far <= 0.01)  # fmt: skip


@check("thesis-4-035", by_capacity=True)
def routing_for_given_loads(by_capacity=False):
    """c_p rho_{*p} / rho for every group: rows and loads by (4.31)-(4.33), and the routing of those loads again."""
    gap = 0.0
    for rng, speeds, loads, total in chance.systems(200, 35):
        own = total * rng.dirichlet(np.ones(rng.integers(1, 5)))
        row = speeds if by_capacity else split(speeds, total, loads, capacity_loss).fractions
        routing = np.tile(row, (len(own), 1))
        parted = routing * own[:, None] / speeds
        gap = max(gap, difference(routing.sum(axis=1), 1), difference(parted.sum(axis=0), loads))
        if len(own) > 1:
            shares = np.full(len(own), 1 / len(own))
            gap = max(gap, difference(assignment(shares, parted, speeds).routing, routing))
    return equality(gap, EXACT)
