"""Claims of `thesis`, Section 4.3.2: several classes, served in order of arrival or by priority."""

import itertools

import numpy as np

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
from compendium.press.findings import check, difference, erratum, finding, over_domain, relative_difference
from pages.share_scheduling.splitting.mixes import (
    curvature,
    interior_minimum,
    one_of,
    random_classes,
    two_minima,
    waits_by_balance,
)

EXACT = 1e-9


def waits_of_mixtures(system, routing):
    """The cost of waiting from the mean and variance of what each processor is sent."""
    jobs, loads, _ = system.offered(routing)
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
    """Where the best of 40 descents sends whom, and curvature at stable routings."""
    rng, certain, mixes, bent, known = np.random.default_rng(27), [], [], [], 0.0
    for number, (classes, processors) in zip((13, 13, 12, 12), itertools.product((2, 3), repeat=2)):
        system = random_classes(rng, number, classes, processors, alike=alike)
        best = minimise_cost(system, waiting_cost, starts=40).routing
        certain += (np.minimum(best, 1 - best) < 1e-4).ravel().tolist()
        jobs = system.offered(best)[0]
        used = jobs.sum(axis=1) > EXACT
        parts = jobs / np.where(used, jobs.sum(axis=1), 1)[:, None]
        unused = ~used[:, None]
        differing = np.where(unused, -1, parts).max(axis=2) - np.where(unused, 2, parts).min(axis=2)
        mixes += [*(differing.max(axis=1) > 0.01)]
        many = with_axis(system)
        values = np.linalg.eigvalsh(curvature(many, waiting_cost, stable_routings(system, rng, 20)))
        # Rounding leaves 1e-11 of the largest where the least is 0.
        bent += [*(values[..., 0] < -EXACT * values[..., -1]).any(axis=1)]
        for i in range(number):
            routing, one = best[i], one_of(system, i)
            known = max(known, abs(waits_of_mixtures(one, routing) / waiting_cost(one, routing)[0] - 1))
    text = (f"{np.mean(certain):.1f} of all probabilities are 0 or 1; mixes differ in {sum(mixes)} of 50 systems; "
            f"a negative curvature in {sum(bent)}")  # fmt: skip
    good = np.mean(certain) > 0.5 and all(mixes) and all(bent)
    return finding(text if known < EXACT else f"costs are off by {known:.1g}", good and known < EXACT)


def printed_times(system, routing):
    """(4.56) as printed."""
    loads = system.offered(routing)[1]
    up_to = loads.cumsum(axis=0)
    numerator = (system.arrival_rates @ system.mean_sizes**2) / system.capacities**2
    return numerator / (2 * (1 - up_to + loads) * (1 - up_to)) + system.mean_sizes[:, None] / system.capacities


def exact_times(system, routing):
    """HOL of the library on each processor, exponential sizes, two classes."""
    return np.column_stack([
        uniprocessor.exact("HOL", (0.6, 0.4), jobs, speed / system.mean_sizes).mean_response_time
        for jobs, speed in zip(system.offered(routing)[0].T, system.capacities)
    ])  # fmt: skip


@check("thesis-4-130", alone=True)
def numerator_of_priority(alone=False):
    """(4.56) printed and corrected; under the control constant sizes on one processor, from what a job finds."""
    rng, printed, corrected = np.random.default_rng(130), 0.0, 0.0
    for _ in range(50):
        means, speeds = rng.uniform(0.3, 2, 2), np.sort(rng.dirichlet(np.full(2, 3.0)))[::-1]
        parts = rng.dirichlet(np.ones(2)) * rng.uniform(0.2, 0.9) * (speeds[0] if alone else 1)
        system = Classes(parts / means, means, (1 if alone else 2) * means**2, [1.0, 1.0], speeds)
        if alone:
            routing = np.array([[1.0, 0.0], [1.0, 0.0]])
            times, service = priority_response_times(system, routing)[:, :1], means / speeds[0]
            right = (waits_by_balance(system.arrival_rates, service, service**2) + service)[:, None]
        else:
            routing = stable_routings(system, rng, 1)[0]
            times, right = priority_response_times(system, routing), exact_times(system, routing)
        printed = max(printed, relative_difference(printed_times(system, routing)[:, : right.shape[1]], right))
        corrected = max(corrected, relative_difference(times, right))
    return erratum(f"printed {'exact' if printed <= EXACT else f'off by up to {printed:.0%}'}; corrected "
                   f"{'within 1e-9' if corrected <= EXACT else f'off by {corrected:.1g}'}",
                   printed <= EXACT, corrected <= EXACT)  # fmt: skip


def cost_by_balance(system, routing):
    """(4.54) from what a job finds and who overtakes it."""
    jobs = system.offered(routing)[0].T
    service = system.mean_sizes / system.capacities[:, None]
    waits = waits_by_balance(jobs, service, system.second_moments / system.capacities[:, None] ** 2)
    return float((system.costs * jobs * (waits + service)).sum() / jobs.sum())


def is_minimum(system, routing, value, step=1e-4):
    """Whether a routing of two processors costs what is said, and all that are a small step away cost more."""
    moves = step * np.array([np.outer(signs, (1, -1)) for signs in itertools.product((-1, 0, 1), repeat=len(routing))])
    costs = [cost_by_balance(system, routing + move) for move in moves]
    middle = len(moves) // 2
    return abs(costs[middle] / value - 1) < EXACT and np.argmin(costs) == middle


@check("thesis-4-131", cost=waiting_cost)
def interior_minima(cost=priority_cost):
    """Interior local minima from 40 starts, against the best value found anywhere."""
    rng, excess, real = np.random.default_rng(131), [], True
    systems = [random_classes(rng, 25, classes, 2, by_priority=True) for classes in (2, 3)]
    for system in [*systems, two_minima()]:
        many = with_axis(system)
        ends = descend(many, cost, stable_routings(system, rng, 40), 150)
        values = cost(many, ends)[0]
        inside = (np.minimum(ends, 1 - ends) > 1e-3).all(axis=(2, 3))
        for i in range(len(values)):
            one, near = one_of(system, i), ends[i][inside[i]]
            # Descents that end at the same place are one.
            places = {tuple(routing.ravel().round(2)): routing for routing in near}.values()
            found = [interior_minimum(one, cost, start) for start in places]
            minima = [value for routing, value in found if routing is not None]
            real &= all(is_minimum(one, *pair) for pair in found if pair[0] is not None)
            if minima:
                excess.append(max(minima) / min(values[i].min(), *minima, np.inf) - 1)
    excess = np.array(excess)
    if not (len(excess) and real):
        return finding("no interior local minimum in 51 systems" if real else "what was found is no minimum", False)
    said = f"{len(excess)} of 51 systems have interior local minima"
    wrong = f"in {(excess > 1e-6).sum()} of them one costs more than the least, by up to {excess.max():.1%}"
    return over_domain(f"{said}; {wrong}" if excess.max() > 1e-6 else said, excess <= 1e-6)


@check("thesis-4-132", falling=False)
def order_of_priority(falling=True):
    """All orders of priority on one processor, and first come, first served."""
    rng, worst, known, over_fcfs = np.random.default_rng(132), 0.0, 0.0, np.inf
    for classes, number in ((2, 67), (3, 67), (4, 66)):
        system = random_classes(rng, number, classes, 1)
        costs = {}
        rank = system.costs / system.mean_sizes
        claimed = np.argsort(-rank if falling else rank, axis=1)
        for order in itertools.permutations(range(classes)):
            moved = Classes(**{name: values[:, order] if name != "capacities" else values
                               for name, values in vars(system).items()})  # fmt: skip
            everyone = np.ones((number, classes, 1))
            times = priority_response_times(moved, everyone)[..., 0]
            balance = waits_by_balance(moved.arrival_rates, moved.mean_sizes, moved.second_moments)
            known = max(known, difference((times - moved.mean_sizes) / balance, 1))
            costs[order] = (moved.costs * moved.arrival_rates * times).sum(axis=1)
        value = np.array([costs[tuple(order)][i] for i, order in enumerate(claimed.tolist())])
        worst = max(worst, (value / np.min([*costs.values()], axis=0) - 1).max())
        service = (system.costs * system.arrival_rates * system.mean_sizes).sum(axis=1)
        fcfs = waiting_cost(system, np.ones((number, classes, 1)))[0] + service
        over_fcfs = min(over_fcfs, (fcfs / value - 1).min())
    good = worst <= EXACT and over_fcfs > 0 and known <= EXACT
    return finding("200 systems: the least of all orders, and less than first come, first served" if good else
                   f"up to {worst:.1g} above the least of all orders", good)  # fmt: skip
