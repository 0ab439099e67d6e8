"""Streams and classes over queues with sizes of any law, and jobs that are sent by a pattern."""

import itertools

import numpy as np

from clustershare import splitting
from pages.share_scheduling.splitting.library.shared import agree, off, unmet


def on_queues():
    """One stream over queues with sizes of any law: responses, and the fastest and the cheapest splits."""
    rng = np.random.default_rng(43)

    def parallel(total, rates, variances, costs):
        means, seconds = 1 / rates, 1 / rates**2 + variances
        fast = splitting.fastest_responses(total, rates, variances)
        few = splitting.shortest_waits(total, means, seconds)
        cheap = splitting.shortest_waits(total, means, seconds, costs)

        def wait(sent):
            return sent * seconds / (2 * (1 - sent / rates))

        def more(sent):  # the derivative of what all wait together
            free = 1 - sent / rates
            return sent * seconds / free + sent**2 * seconds / (2 * rates * free**2)

        sent = total * rates * rng.uniform(0.5, 1, len(rates)) / rates.sum()
        sent[0] *= len(rates) == 1
        responses, used = means + more(fast.arrival_rates), fast.arrival_rates > 0
        spent = [(few, more(few.arrival_rates), 1.0), (cheap, costs * more(cheap.arrival_rates), costs)]
        return {
            "the mean response time and that of Pollaczek and Khinchine":
                off(splitting.parallel_response_time(sent, rates, variances), sent @ (means + wait(sent)) / sum(sent)),
            "the prices of responses, and what is not used,": unmet(responses, used) / 10,
            "the least response time, its rates and multiplier": off(
                [fast.objective, fast.arrival_rates.sum(), fast.multiplier],
                [fast.arrival_rates @ (means + wait(fast.arrival_rates)) / total, total, 2 * responses[used].max()],
            ),
            "the prices of waits": max(unmet(prices, prices > 0) for _, prices, _ in spent) / 10,
            "the least waits, their rates and multipliers": max(off(
                [found.objective, found.arrival_rates.sum(), found.multiplier],
                [(weight * found.arrival_rates) @ wait(found.arrival_rates) / total, total, prices.max()],
            ) for found, prices, weight in spent),
        }  # fmt: skip

    systems = [(load * rates.sum(), rates, rng.exponential(1.5, P) / rates**2 * kind, rng.uniform(0.3, 3, P))
               for load, P, kind in ((0.2, 4, 1), (0.7, 3, 1), (0.96, 2, 0), (0.5, 1, 1))
               for rates in [rng.permutation(rng.uniform(0.2, 2.5, P))]]  # fmt: skip
    return agree("stream", 43, systems, parallel)


def _waits(jobs, means, seconds, by_priority):
    """Mean waits at a processor: for who is in service and who is served before, also those who come later."""
    loads, found, left, rest = jobs * means, [], 1.0, 0.0
    for load, mean, second in zip(loads, means, seconds):  # in service is what those before leave of the time
        rest += min(load, left) / mean * second / 2
        left = max(left - load, 0.0)
    for k in range(len(jobs)):
        over = loads[: k + 1].sum() if by_priority else loads.sum()
        ahead = sum(load * wait for load, wait in zip(loads, found)) if by_priority and over < 1 else 0.0
        found.append((rest + ahead) / (1 - over) if over < 1 else np.inf)
    return np.array(found)


def on_mixes():
    """Several classes and processors: costs of waiting and of responses by priority, their slopes, the least ones."""
    rng = np.random.default_rng(44)

    def spent(system, routing, by_priority):
        """The cost, of whatever kind of number the routing is."""
        total = 0
        for table, speed in zip(routing.T, system.capacities):
            jobs, means = system.arrival_rates * table, system.mean_sizes / speed
            times = _waits(jobs, means, system.second_moments / speed**2, by_priority) + by_priority * means
            total = total + (system.costs * jobs * times).sum()
        return total / system.arrival_rates.sum() if by_priority else total

    def slopes(system, routing, by_priority):
        """By steps so small in an imaginary direction that none of the digits is lost."""
        found = np.zeros(routing.shape)
        for place in np.ndindex(routing.shape):
            moved = routing.astype(complex)
            moved[place] += 1e-30j
            found[place] = spent(system, moved, by_priority).imag / 1e-30
        return found

    def costs(system, routing):
        jobs, work = system.arrival_rates[:, None] * routing, system.arrival_rates * system.mean_sizes
        brought = [jobs, work[:, None] * routing / system.capacities,
                   jobs * system.second_moments[:, None] / system.capacities**2 / 2]  # fmt: skip
        found = {
            "the load": off(system.load, work.sum() / system.capacities.sum()),
            "jobs, loads and work that lasts": off(system.offered(routing), brought),
        }
        tables = np.stack([routing, np.full(routing.shape, 1 / routing.shape[1])])
        for by_priority, cost in ((False, splitting.waiting_cost), (True, splitting.priority_cost)):
            value, steep = cost(system, tables)
            kind = "by priority" if by_priority else "in order"
            found |= {
                f"the cost {kind} and that of balances": off(
                    value, [spent(system, one, by_priority) for one in tables]
                ),
                f"its slopes {kind}": off(steep, [slopes(system, one, by_priority) for one in tables]),
            }

        def times(system):
            return np.column_stack([
                _waits(system.arrival_rates * table, system.mean_sizes / speed, system.second_moments / speed**2, True)
                + system.mean_sizes / speed for table, speed in zip(routing.T, system.capacities)
            ])  # fmt: skip

        crowd = splitting.Classes(
            *(3 / system.load * np.array(x) if k == 0 else x for k, x in enumerate(vars(system).values()))
        )
        none = [cost(crowd, routing) for cost in (splitting.waiting_cost, splitting.priority_cost)]
        return found | {
            "response times by priority": off(splitting.priority_response_times(system, routing), times(system)),
            "costs of an overload": float(not all(value == np.inf and np.isnan(steep).all() for value, steep in none)),
            "response times in an overload": off(splitting.priority_response_times(crowd, routing), times(crowd)),
        }

    def least(one, other, by_priority):
        """Two systems at once."""
        both = splitting.Classes(*np.stack([list(vars(one).values())[:-1], list(vars(other).values())[:-1]], axis=1),
                                 np.stack([one.capacities, other.capacities]))  # fmt: skip
        cost = splitting.priority_cost if by_priority else splitting.waiting_cost
        found = splitting.minimise_cost(both, cost, starts=12)
        each = [optimum(system, by_priority, *values) for system, *values in
                zip((one, other), found.routing, found.objective, found.error)]  # fmt: skip
        return {name: max(first[name] for first in each) for name in each[0]}

    def optimum(system, by_priority, routing, objective, error):
        steep, P = slopes(system, routing, by_priority), routing.shape[1]
        tried = list(rng.dirichlet(np.full(P, 0.3), (100, len(routing))))
        tried += [np.eye(P)[list(to)] for to in np.ndindex((P,) * len(routing))]
        loads = [(system.arrival_rates * system.mean_sizes) @ one / system.capacities for one in tried]
        rivals = [spent(system, one, by_priority) for one, load in zip(tried, loads) if load.max() < 1]
        return {
            "the least cost and that of its routing": off(objective, spent(system, routing, by_priority)),
            "its routing, and probabilities": off(routing.sum(axis=1), np.ones(len(routing))) + max(0, -routing.min()),
            "its error and its slopes": off(error, (routing * (steep - steep.min(axis=1, keepdims=True))).sum(), 1),
            "what may still be saved": max(0.0, error / objective - 1e-6),
            "the least cost and the least of it and of others": max(0.0, 1 - min(rivals) / objective),
        }

    def one_class(rate, mean, second, cost, speeds):
        system = splitting.Classes([rate], [mean], [second], [cost], speeds)
        alone = splitting.shortest_waits(rate, mean / speeds, second / speeds**2).objective
        found = splitting.minimise_cost(system, starts=5)
        return {"the least cost of one class and its shortest waits": off(found.objective, cost * rate * alone)}

    def drawn(classes, processors, load):
        means, speeds = rng.uniform(0.3, 2, classes), rng.dirichlet(np.full(processors, 3.0)) * 1.7
        parts = rng.dirichlet(np.full(classes, 3.0)) * load * speeds.sum()
        seconds = means**2 * (1 + rng.exponential(1.5, classes))
        system = splitting.Classes(parts / means, means, seconds, rng.uniform(0.3, 3, classes), speeds)
        even = np.tile(speeds / speeds.sum(), (classes, 1))
        return system, even + 0.3 * (rng.dirichlet(np.ones(processors), classes) - even)

    short = splitting.Classes([0.3, 0.03, 0.1], [1, 10, 2], [2, 200, 8], [1, 1, 2], [0.5, 0.5, 0.4])
    return [
        *agree("mix", 44, [drawn(3, 2, 0.6), drawn(2, 3, 0.4), drawn(1, 2, 0.6)], costs),
        *agree("least cost", 44, [(short, drawn(3, 3, 0.7)[0], by_priority) for by_priority in (False, True)], least),
        *agree("class", 44, [(0.7, 1.5, 4.0, 2.0, np.array([0.9, 0.5, 0.2]))], one_class),
    ]


def on_patterns():
    """Jobs sent by a pattern, from a chain of the place in it and of the number of jobs, cut where hardly any are."""

    def pattern(places, rate, rates):
        P, period, waits, jobs, most = len(rates), len(places), [], [], 70
        for p, served in enumerate(rates):
            here = [place == p for place in places]
            if not any(here):
                waits.append(np.nan)
                jobs.append(0.0)
                continue
            Q = np.zeros((period * (most + 1),) * 2)
            for place, number in itertools.product(range(period), range(most + 1)):
                after = min(number + here[place], most)
                Q[place * (most + 1) + number, (place + 1) % period * (most + 1) + after] += rate
                if number:
                    Q[place * (most + 1) + number, place * (most + 1) + number - 1] += served
            Q -= np.diag(Q.sum(axis=1))
            Q[:, 0] = 1.0
            law = np.linalg.solve(Q.T, np.eye(1, len(Q))[0]).reshape(period, -1)
            jobs.append(law.sum(axis=0) @ np.arange(most + 1))
            waits.append(law[here].sum(axis=0) @ np.arange(most + 1) / law[here].sum() / served)
        found = splitting.pattern_allocation(places, rate, rates)
        parts = np.bincount(places, minlength=P) / period
        return {
            "mean numbers under a pattern and a chain's": off(found.mean_jobs, jobs),
            "mean waits and a chain's": off(found.mean_waiting_time, waits),
            "the wait of all": off(found.overall_waiting_time, np.nansum(parts * waits)),
        }

    return agree("pattern", 26, [([0, 1, 0, 0, 2], 1.0, [0.9, 0.5, 0.4, 1.0]), ([1, 1, 0], 1.2, [1.0, 1.3]),
                                  ([0], 0.5, [1.0])], pattern)  # fmt: skip
