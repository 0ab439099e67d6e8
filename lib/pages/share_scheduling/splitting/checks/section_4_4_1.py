"""Claims of `thesis`, Section 4.4.1: the capacity that random splitting loses."""

import functools
import math
from fractions import Fraction

import numpy as np
from scipy import sparse

from clustershare import markov
from clustershare.shares import maximum_obtainable_share
from clustershare.splitting import (
    assignment,
    capacity_loss,
    minimise_capacity_loss,
    minimise_response_time,
    minimise_waiting_time,
)
from clustershare.splitting.capacity_loss import split
from clustershare.splitting.curvature import slopes
from clustershare.splitting.prices import feasible_share
from compendium.press.clauses import cases, conclude, equalities, everywhere, exact, fact, measured
from compendium.press.clauses.conditions import agrees, equal, larger, within
from compendium.press.findings import check, difference
from pages.share_scheduling.objectives import paths
from pages.share_scheduling.splitting.witnesses import chance

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

    def gap(speeds, loads):
        numbers, probability = chance.states(loads, len(speeds))
        busy = numbers > 0
        obtained = speeds @ busy
        if waiting_only:  # those who wait use the fastest idle processors
            waiting, rank = numbers.sum(axis=0) - busy.sum(axis=0), np.cumsum(~busy, axis=0)
            feasible = obtained + speeds @ (~busy & (rank <= waiting))
        else:
            feasible = np.append(0.0, np.cumsum(speeds))[np.minimum(numbers.sum(axis=0), len(speeds))]
        return probability @ (feasible - obtained) - capacity_loss(speeds, loads)

    def apart(parts, tenths):
        """The loss in fractions and in floats."""
        speeds, loads = [Fraction(part, sum(parts)) for part in parts], [Fraction(load, 10) for load in tenths]
        return float(capacity_loss(speeds, loads)) - capacity_loss([*map(float, speeds)], [*map(float, loads)])

    rng = np.random.default_rng(310)
    rational = [(sorted(rng.integers(1, 10, P).tolist())[::-1], rng.integers(0, 10, P).tolist())
                for P in rng.integers(2, 41, 40)]  # fmt: skip
    systems = [(speeds, loads) for _, speeds, loads, _ in chance.systems(200, 31)]
    gaps = {"the loss and the mean over all states": cases("random system", systems, seed=31).measure(gap)}
    chains = {"that of two groups on two processors and chains": exact(0.0 if waiting_only else groups_on_two())}
    exactly = {"the loss in fractions and in floats": cases("rational system", rational, seed=310).measure(apart)}
    return conclude(*equalities({**gaps, **exactly}, 1e-9), *equalities(chains, 1e-8), whole=True)


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
    """The mean of (2.41) over any law against (4.62) and (4.63), and over all states against the library's E[f^T]."""
    rng = np.random.default_rng(33)

    def gaps(law, speeds):
        mean = law @ maximum_obtainable_share(np.arange(16), speeds)
        order = speeds[::-1] if ascending else speeds
        tails, unused = np.cumsum(law[::-1])[::-1], np.cumsum(order[::-1])[::-1]
        return {
            "(4.62) and the mean of (2.41)": order @ tails[1 : len(order) + 1] - mean,
            "(4.63) and the mean of (2.41)": 1 - unused @ law[: len(order)] - mean,
        }

    systems = [
        (
            rng.dirichlet(np.full(16, rng.uniform(0.1, 2))),
            np.sort(rng.dirichlet(np.ones(rng.integers(2, 9))))[::-1].copy(),
        )
        for _ in range(500)
    ]

    def by_library(speeds, loads):
        numbers, probability = chance.states(loads, len(speeds))
        mean, at_point = probability @ maximum_obtainable_share(numbers.sum(axis=0), speeds), np.empty(1)
        slopes(speeds, loads[None], at_point, np.empty((1, len(speeds))))
        return {
            "the library's E[f^T], with its slopes, and the mean over all states":
                feasible_share(speeds, loads)[0] - mean,
            "that of the bounds of curvature and it": at_point[0] - mean,
            "the library's loss with the load and it": capacity_loss(speeds, loads) + speeds @ loads - mean,
        }  # fmt: skip

    def in_fractions(capacities, loads):
        numbers, probability = chance.states(np.array(loads, dtype=float), len(loads))
        speeds = np.array(capacities, dtype=float)
        mean = probability @ maximum_obtainable_share(numbers.sum(axis=0), speeds)
        offered = sum(c * load for c, load in zip(capacities, loads))
        return float(capacity_loss(capacities, loads) + offered) - mean

    splits = cases("random system", [(speeds, loads) for _, speeds, loads, _ in chance.systems(200, 33)], seed=33)
    rational = []
    for number in range(30):
        parts = sorted(rng.integers(1, 9, 2 + number % 3).tolist(), reverse=True)
        loads = [Fraction(int(k), 10) for k in rng.integers(0, 10, len(parts))]
        rational.append(([Fraction(part, sum(parts)) for part in parts], loads))
    return conclude(
        *equalities(cases("random law", systems, seed=33).measure(gaps), EXACT),
        *equalities(splits.measure(by_library), 1e-9),
        *equalities({"the library's loss in fractions with the load and the mean over all states":
                     cases("random system", rational, seed=33).measure(in_fractions)}, 1e-9),
        whole=True,
    )  # fmt: skip


@check("thesis-4-034", shared=True)
def obtained_when_overloaded(shared=False):
    """(4.64) on paths; in the control the others take over what an overloaded processor cannot serve."""

    def compared(speeds, loads, total, child):
        # Two events, an arrival and a departure, for each job that is served.
        until = 2e5 / np.minimum(loads, 1).sum()
        rngs = [np.random.default_rng(own) for own in child.spawn(len(loads))]
        busy = [chance.busy_time(rng, load, until, 30) if load else np.zeros(30) for rng, load in zip(rngs, loads)]
        mean, half = paths.interval((speeds @ np.array(busy))[10:])
        obtained = total if shared else 1 - capacity_loss(speeds, loads)
        by_groups = assignment([0.5, 0.5], np.outer([0.3, 0.7], loads), speeds).obtained_share.sum()
        printed = total - speeds @ np.maximum(loads - 1, 0)
        return {
            "gap": obtained - printed, "groups": by_groups - printed, "far": mean - obtained,
            "paths": measured(mean - obtained, half, risk=None),
        }  # fmt: skip

    children = np.random.SeedSequence(34).spawn(5)
    systems = [(*system, child) for system, child in zip(chance.overloaded(5, 34), children)]
    found = cases("random system", systems, seed=34).measure(compared)
    return conclude(
        *equalities({"the library's obtained share and (4.64)": found["gap"],
                     "the sum of what two groups obtain and (4.64)": found["groups"]}, EXACT),
        everywhere("the obtained share on paths less that", found["paths"], agrees()),
        everywhere("that difference", found["far"], within(0.01)),
        whole=True,
    )  # fmt: skip


@check("thesis-4-035", by_capacity=True)
def routing_for_given_loads(by_capacity=False):
    """c_p rho_{*p} / rho for every group: rows and loads by (4.31)-(4.33), and the routing of those loads again."""

    def gaps(rng, speeds, loads, total):
        own = total * rng.dirichlet(np.ones(rng.integers(1, 5)))
        row = speeds if by_capacity else split(speeds, total, loads, capacity_loss).fractions
        routing = np.tile(row, (len(own), 1))
        parted = routing * own[:, None] / speeds
        shares = np.full(len(own), 1 / len(own))
        back = assignment(shares, parted, speeds).routing if len(own) > 1 else routing
        best = [minimise_response_time(speeds, total), minimise_waiting_time(speeds, total)]
        best.append(minimise_capacity_loss(np.full(len(speeds), 1 / len(speeds)), total))
        capacities = [speeds, speeds, 1 / len(speeds)]
        return {
            "the loads of the library's best splits and those by their fractions": max(
                difference(one.fractions * total / each, one.processor_loads) for one, each in zip(best, capacities)
            ),
            "the sums of the routing and 1": difference(routing.sum(axis=1), 1),
            "the loads of the processors and those given": difference(parted.sum(axis=0), loads),
            "the routing and (4.32) of its loads": difference(back, routing),
        }

    return conclude(
        *equalities(cases("random system", chance.systems(200, 35), seed=35).measure(gaps), EXACT), whole=True
    )
