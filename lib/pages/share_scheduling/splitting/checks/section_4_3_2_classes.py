"""Claims of `thesis`, Section 4.3.2: several classes, served in order of arrival or by priority, and their means."""

import functools
import itertools
import math

import numpy as np
from scipy import stats

from clustershare import uniprocessor
from clustershare.splitting.classes import (
    Classes,
    descend,
    minimise_cost,
    priority_cost,
    priority_response_times,
    stable_routings,
    waiting_cost,
    with_axis,
)
from clustershare.splitting.response import parallel_response_time
from compendium.press.clauses import (
    aside,
    at_each,
    cases,
    conclude,
    equalities,
    everywhere,
    exact,
    fact,
    measured,
    mended,
    mostly,
)
from compendium.press.clauses.conditions import agrees, at_most, larger
from compendium.press.findings import check, relative_difference
from pages.share_scheduling.splitting.systems.mixes import (
    common_cost,
    curvature,
    in_order,
    interior_minimum,
    one_of,
    random_classes,
    two_minima,
    waits_by_balance,
)
from pages.share_scheduling.splitting.witnesses import chance

EXACT = 1e-9


def streams(system, routing):
    """Arrival rates of the classes at the processors, from the system alone."""
    return system.arrival_rates[:, None] * routing


def waits_of_mixtures(system, routing):
    """The cost of waiting from the mean and variance of what each processor is sent."""
    jobs = streams(system, routing)
    loads = jobs * system.mean_sizes[:, None] / system.capacities
    cost = 0.0
    for own, load, speed in zip(jobs.T, loads.T, system.capacities):
        if own.sum():
            mean = load.sum() / own.sum()
            second = own @ system.second_moments / own.sum() / speed**2
            wait = parallel_response_time([own.sum()], [1 / mean], [second - mean**2]) - mean
            cost += system.costs @ own * wait
    return cost


@check("thesis-4-027", alike=True)
def optimal_mixes(alike=False):
    """Where the best of 40 descents sends whom, its cost and that of the best common mix, and curvature."""
    rng = np.random.default_rng(27)
    certain, mixes, bent, known, less = [], [], [], [], []
    for number, (classes, processors) in zip((13, 13, 12, 12), itertools.product((2, 3), repeat=2)):
        system = random_classes(rng, number, classes, processors, alike=alike)
        found = minimise_cost(system, waiting_cost, starts=40)
        best, less = found.routing, [*less, *(1 - found.objective / common_cost(system))]
        certain += (np.minimum(best, 1 - best) < 1e-4).ravel().tolist()
        jobs = system.arrival_rates[..., :, None] * best
        used = jobs.sum(axis=1) > EXACT
        parts = jobs / np.where(used, jobs.sum(axis=1), 1)[:, None]
        unused = ~used[:, None]
        mixes += [*(np.where(unused, -1, parts).max(axis=2) - np.where(unused, 2, parts).min(axis=2)).max(axis=1)]
        values = np.linalg.eigvalsh(curvature(with_axis(system), waiting_cost, stable_routings(system, rng, 20)))
        # Rounding leaves 1e-11 of the largest where the least is 0.
        bent += [*(values[..., 0] < -EXACT * values[..., -1]).any(axis=1)]
        known += [waits_of_mixtures(one_of(system, i), best[i]) / waiting_cost(one_of(system, i), best[i])[0] - 1
                  for i in range(number)]  # fmt: skip
    return conclude(
        mostly("the probability is 0 or 1", exact(certain, routing_probability=None)),
        everywhere("the largest difference of a class's part at two processors", exact(mixes, random_system=None),
                   larger(0.01)),
        everywhere("the part by which that costs less than the best common mix", exact(less, random_system=None),
                   larger(EXACT)),
        everywhere("the cost has a negative curvature somewhere", exact(bent, random_system=None)),
        *equalities({"the costs and those of mixed sizes, relatively,": exact(known, random_system=None)}, EXACT),
        whole=True,
    )  # fmt: skip


def printed_times(system, routing):
    """(4.56) as printed."""
    loads = streams(system, routing) * system.mean_sizes[:, None] / system.capacities
    up_to = loads.cumsum(axis=0)
    numerator = (system.arrival_rates @ system.mean_sizes**2) / system.capacities**2
    return numerator / (2 * (1 - up_to + loads) * (1 - up_to)) + system.mean_sizes[:, None] / system.capacities


def exact_times(system, routing):
    """HOL of the library on each processor, exponential sizes, two classes."""
    return np.column_stack([
        uniprocessor.exact("HOL", (0.6, 0.4), jobs, speed / system.mean_sizes).mean_response_time
        for jobs, speed in zip(streams(system, routing).T, system.capacities)
    ])  # fmt: skip


def balanced_times(system, routing):
    """Mean response times of the classes on the processors, from what a job finds and who overtakes it."""
    service = system.mean_sizes / system.capacities[:, None]
    seconds = system.second_moments / system.capacities[:, None] ** 2
    return (waits_by_balance(streams(system, routing).T, service, seconds) + service).T


def sparse_routing(system, rng):
    """A random routing with most probabilities near 0 or 1, nearer to equal loads if it would overload a processor."""
    routing = rng.dirichlet(np.full(len(system.capacities), 0.05), len(system.mean_sizes))
    while (system.mean_sizes @ streams(system, routing) / system.capacities).max() > 0.99:
        routing = (routing + system.capacities / system.capacities.sum()) / 2
    return routing


@check("thesis-4-130", alone=True)
def numerator_of_priority(alone=False):
    """(4.56) printed and corrected, against what a job finds; under the control constant sizes on one processor."""
    rng = np.random.default_rng(130)

    def drawn(classes, processors, exponential):
        means, speeds = rng.uniform(0.3, 2, classes), np.sort(rng.dirichlet(np.full(processors, 3.0)))[::-1]
        parts = rng.dirichlet(np.ones(classes)) * rng.uniform(0.2, 0.9) * (speeds[0] if alone else 1)
        spread = 1 if alone else 2 if exponential else rng.uniform(1, 4, classes)
        system = Classes(parts / means, means, spread * means**2, np.ones(classes), speeds)
        return system, np.eye(processors)[[0] * classes] if alone else sparse_routing(system, rng)

    def off(times, truth):
        """How far times are from true ones; of nobody at a processor there is no mean time."""

        def gap(system, routing):
            there = routing > 0
            return relative_difference(times(system, routing)[there], truth(system, routing)[there])

        return gap

    kinds = [*itertools.product((2, 3, 4), (2, 3), (True, False))] * 5
    systems = [drawn(*kind) for kind in kinds]
    whole = cases("random system", systems, seed=130)
    found = {
        "(4.56) as printed and the mean times, relatively,": whole.measure(off(printed_times, balanced_times)),
        "(4.56) corrected and the mean times, relatively,": whole.measure(off(priority_response_times, balanced_times)),
    }
    if not alone:  # the control's sizes are not exponential
        two = [system for system, (classes, _, exponential) in zip(systems, kinds) if classes == 2 and exponential]
        known = cases("system of two exponential classes", two).measure(off(priority_response_times, exact_times))
        found["(4.56) corrected and the exact ones, relatively,"] = known
    return mended(*equalities(found, EXACT))


def cost_by_balance(system, routing):
    """(4.54) from what a job finds and who overtakes it."""
    jobs = streams(system, routing)
    return float((system.costs[:, None] * jobs * balanced_times(system, routing)).sum() / jobs.sum())


def is_minimum(system, routing, value, step=1e-4):
    """Whether a routing of two processors costs what is said, and all that are a small step away cost more."""
    moves = step * np.array([np.outer(signs, (1, -1)) for signs in itertools.product((-1, 0, 1), repeat=len(routing))])
    costs = [cost_by_balance(system, routing + move) for move in moves]
    middle = len(moves) // 2
    return abs(costs[middle] / value - 1) < EXACT and np.argmin(costs) == middle


@check("thesis-4-131", cost=waiting_cost)
def interior_minima(cost=priority_cost):
    """Interior local minima from 40 starts, against the best value found anywhere."""
    rng, systems, lost = np.random.default_rng(131), [], 0
    for system in [*(random_classes(rng, 25, classes, 2, by_priority=True) for classes in (2, 3)), two_minima()]:
        ends = descend(with_axis(system), cost, stable_routings(system, rng, 40), 150)
        values = cost(with_axis(system), ends)[0]
        inside = (np.minimum(ends, 1 - ends) > 1e-3).all(axis=(2, 3))
        for i in range(len(values)):
            one = one_of(system, i)
            # Descents that end at the same place are one.
            places = {tuple(routing.ravel().round(2)): routing for routing in ends[i][inside[i]]}.values()
            minima = [
                found for found in (interior_minimum(one, cost, start) for start in places) if found[0] is not None
            ]
            lost += not minima
            if minima:
                systems.append((one, minima, values[i].min()))

    def excess(system, minima, least):
        costs = [value for _, value in minima]
        return {
            "real": all(is_minimum(system, *pair) for pair in minima),
            "excess": max(costs) / min(least, *costs) - 1,
        }

    if not systems:
        return conclude(
            fact("there are interior local minima", False, f"there is no interior local minimum in {lost} systems")
        )
    found = cases("system with interior local minima", systems, seed=131).measure(excess)
    own = cases("system", [systems[k] for k in (0, 1, -1)]).measure(
        lambda system, _, least: minimise_cost(system, cost, starts=20).objective / least - 1
    )
    return conclude(
        at_each("the cost at the dearest such minimum over the least cost, less 1,", found["excess"], at_most(1e-6)),
        aside("systems without such minima", exact(lost)),
        provided=[
            everywhere("these are minima", found["real"]),
            *equalities({"the least cost by the library's own search and this one, relatively,": own}, 1e-6),
        ],
    )


@check("thesis-4-132", falling=False)
def order_of_priority(falling=True):
    """All orders of priority on one processor, and first come, first served."""
    rng, gaps = np.random.default_rng(132), {"above": [], "saved": [], "balance": [], "own": []}
    for classes, number in ((2, 67), (3, 67), (4, 66)):
        system = random_classes(rng, number, classes, 1)
        costs, balance, off, everyone = {}, [], [], np.ones((number, classes, 1))
        rank = system.costs / system.mean_sizes
        for order in itertools.permutations(range(classes)):
            moved = in_order(system, np.tile(order, (number, 1)))
            times = priority_response_times(moved, everyone)[..., 0]
            own = priority_cost(moved, everyone)[0] * moved.arrival_rates.sum(axis=1)
            waits = waits_by_balance(moved.arrival_rates, moved.mean_sizes, moved.second_moments)
            balance.append(np.abs((times - moved.mean_sizes) / waits - 1).max(axis=1))
            costs[order] = (moved.costs * moved.arrival_rates * times).sum(axis=1)
            off.append(np.abs(own / costs[order] - 1))
        claimed = np.argsort(-rank if falling else rank, axis=1)
        value = np.array([costs[tuple(order)][i] for i, order in enumerate(claimed.tolist())])
        service = (system.costs * system.arrival_rates * system.mean_sizes).sum(axis=1)
        gaps["above"] += [*(value / np.min([*costs.values()], axis=0) - 1)]
        gaps["saved"] += [*((waiting_cost(system, everyone)[0] + service) / value - 1)]
        gaps["balance"] += [*np.max(balance, axis=0)]
        gaps["own"] += [*np.max(off, axis=0)]
    above, saved, balance, own = (exact(gap, random_system=None) for gap in gaps.values())

    def by_exact(rates, means, costs):
        falling_shares = np.arange(len(rates), 0, -1) / np.arange(1, len(rates) + 1).sum()  # the first goes first

        def cost(policy, order):
            answer = uniprocessor.exact(policy, falling_shares, rates[order], 1 / means[order])
            return (costs * rates)[order] @ answer.mean_response_time

        claimed = np.argsort(-costs / means if falling else costs / means)
        orders = map(list, itertools.permutations(range(len(rates))))
        least, value = min(cost("HOL", order) for order in orders), cost("HOL", claimed)
        return {"above": value / least - 1, "saved": cost("FCFS", claimed) / value - 1}

    drawn = [random_classes(rng, 10, classes, 1) for classes in (2, 3, 4)]
    drawn = [system for some in drawn for system in zip(some.arrival_rates, some.mean_sizes, some.costs)]
    exactly = cases("system of exponential sizes", drawn, seed=132).measure(by_exact)
    return conclude(
        everywhere("the cost in the order (4.55) over the least of all orders, less 1,", above, at_most(EXACT)),
        everywhere("the cost of first come, first served over it, less 1,", saved, larger()),
        everywhere("by exact answers, the first excess", exactly["above"], at_most(EXACT)),
        everywhere("by exact answers, the second excess", exactly["saved"], larger()),
        *equalities({"the waits and those from what a job finds, relatively,": balance,
                     "the library's cost (4.54) and that of these times, relatively,": own}, EXACT),
        whole=True,
    )  # fmt: skip


def ratio(sums, counts):
    """The mean of all jobs from batches along the first axis, and its standard error."""
    mean = sums.sum(axis=0) / counts.sum(axis=0)
    spread = (sums - mean * counts).std(axis=0, ddof=1) / counts.mean(axis=0)
    return mean, spread / math.sqrt(len(sums))


def costs_of_classes(cost, system, routing):
    """What each class costs more where its jobs pay twice, over their number per unit time."""
    once, rates = vars(system), system.arrival_rates
    twice = [Classes(**{**once, "costs": system.costs + one}) for one in np.eye(len(rates))]
    return np.array([cost(each, routing)[0] - cost(system, routing)[0] for each in twice]) / rates


def mean_responses(system, routing):
    """Mean response times of the classes by the library, where jobs are served in order of arrival."""
    waits = costs_of_classes(waiting_cost, system, routing)
    return waits + system.mean_sizes * (routing / system.capacities).sum(axis=1)


def by_priority():
    """The library's mean response times of two classes less the weighted exact ones by processor, relatively."""
    rng = np.random.default_rng(29)

    def gap():
        means, speeds = rng.uniform(0.3, 2, 2), rng.dirichlet(np.full(rng.integers(2, 5), 3.0))
        parts = rng.dirichlet(np.ones(2)) * rng.uniform(0.2, 0.9)
        system = Classes(parts / means, means, 2 * means**2, [1.0, 1.0], speeds)
        sent = stable_routings(system, rng, 1)[0]
        # The cost is that of a job of any class.
        classes = costs_of_classes(priority_cost, system, sent) * system.arrival_rates.sum()
        times = np.where(sent > 0, exact_times(system, sent), 0)  # of nobody there is no exact mean time
        return relative_difference(classes, (sent * times).sum(axis=1))

    return cases("random system", [()] * 50, seed=29).measure(gap)


@functools.cache
def sampled():
    """Of 50 systems what paths and the library say, and the least spread of a response time.

    Of each the response times counted and summed by batch, group and processor, the routing, and the library's means.
    """
    found, spread = [], np.inf
    for child in np.random.SeedSequence(29).spawn(50):
        rng = np.random.default_rng(child)
        groups, processors = rng.integers(2, 4), rng.integers(2, 5)
        sent, mix = rng.dirichlet(np.full(processors, 3.0), groups), rng.dirichlet(np.full(groups, 3.0))
        sizes, speeds = rng.uniform(0.3, 3, (groups, 1)), rng.dirichlet(np.full(processors, 3.0))
        times = sizes / speeds
        rate = rng.uniform(0.3, 0.7) / (mix @ (sent * times)).max()
        group, place, response = chance.responses(rng, 40_000, rate, mix, sent, times)
        cell = (np.arange(len(response)) // 1000 * groups + group) * processors + place
        shape = (40, groups, processors)
        counts, sums = (np.bincount(cell, of, math.prod(shape)).reshape(shape) for of in (None, response))
        system = Classes(rate * mix, sizes[:, 0], 2 * sizes[:, 0] ** 2, np.ones(groups), speeds)
        found.append((counts, sums, sent, mean_responses(system, sent)))
        spread = min(spread, response.std())
    return found, spread


@check("thesis-4-029", equal=True)
def mean_of_means(equal=False):
    """The mean of a group's jobs against the means by processor of other jobs, weighted; a response time is no mean."""
    systems, spread = sampled()
    gaps, errors, off, own_errors = [], [], [], []
    for counts, sums, sent, expected in systems:
        weights = np.full_like(sent, 1 / sent.shape[1]) if equal else sent
        whole, error = ratio(sums[20:].sum(axis=2), counts[20:].sum(axis=2))
        means, own = ratio(sums[:20], counts[:20])
        gaps += [*((weights * means).sum(axis=1) - whole)]
        errors += [*np.hypot(error, np.linalg.norm(weights * own, axis=1))]
        off += [*(whole - expected)]
        own_errors += [*error]
    half, own_half = stats.t.ppf(0.975, 19) * np.array([errors, own_errors])
    return mended(
        fact("as printed, response times do not vary", spread == 0, "response times vary, and are no means"),
        everywhere("the difference of the mean of a group and the weighted means by processor",
                   measured(gaps, half, group_of_a_random_system=None, runs=20), agrees()),
        everywhere("the difference of the mean of a group and the library's",
                   measured(off, own_half, group_of_a_random_system=None, runs=20), agrees()),
        *equalities({"by priority, the library's means of groups and the weighted exact ones, relatively,":
                     by_priority()}, EXACT),
    )  # fmt: skip
