"""Feasible and obtained shares, states, max-min fair and dominant shares, counted job by job."""

import numpy as np
from scipy.optimize import brentq

from clustershare import (
    fair_shares,
    shares,
)
from compendium.press.clauses import cases, equalities, fact
from pages.agreement import gap
from pages.share_scheduling.objectives.library.shared import ROUNDING, SYSTEMS, drawn_weights, refusals


def on_shares():
    """Feasible and obtainable shares, deviations, and all that a state tells."""

    def one(number, capacities, required, jobs):
        rng, total, P = np.random.default_rng(number), sum(capacities), len(capacities)
        groups, members = range(len(required)), [g for g, n in enumerate(jobs) for _ in range(n)]
        members = [members[k] for k in rng.permutation(len(members))]
        weights = drawn_weights(rng, len(members), P)
        state = shares.State(capacities, required, members, weights)
        rates = [sum(w * c for w, c in zip(row, capacities)) for row in weights]
        on = [
            [sum(weights[j][p] for j, m in enumerate(members) if m == g) * capacities[p] / total for p in range(P)]
            for g in groups
        ]
        obtained = [sum(row) for row in on]
        feasible = [min(r, n / P) for r, n in zip(required, jobs)]
        fastest = [sum(capacities[:n]) / total for n in range(sum(jobs) + P + 2)]
        of_jobs = [[rates[j] / total for j, m in enumerate(members) if m == g] for g in groups]
        uneven = [1 - min(own) * len(own) / sum(own) if sum(own) > 0 else 0.0 for own in of_jobs]
        most = [min(r, fastest[n]) for r, n in zip(required, jobs)]
        deviations = [(f - o) / r for f, o, r in zip(feasible, obtained, required)]
        counts = np.arange(P + 3)
        pairs = {
            "the jobs of a state": (state.jobs, jobs),
            "service rates of jobs": (state.service_rates, rates),
            "shares of jobs": (state.obtained_job_shares, [rate / total for rate in rates]),
            "shares on processors": (state.obtained_on_processors, on),
            "shares of groups": (state.obtained_group_shares, obtained),
            "the share of all": (state.total_obtained_share, sum(rates) / total),
            "feasible shares": (state.feasible_group_shares, feasible),
            "the largest feasible shares": (state.maximum_feasible_group_shares, most),
            "group-share deviations": (state.group_share_deviations, deviations),
            "the capacity loss": (state.capacity_loss, fastest[sum(jobs)] - sum(rates) / total),
            "job-share deviations": (state.job_share_deviations, uneven),
            "feasible shares of numbers": (
                shares.feasible_group_share(required[0], counts, P), [min(required[0], n / P) for n in counts]
            ),
            "feasible shares, group by group": (
                [shares.feasible_group_share(r, n, P) for r, n in zip(required, jobs)], feasible
            ),
            "obtainable shares": (
                shares.maximum_obtainable_share(counts, capacities), [sum(capacities[:n]) / total for n in counts]
            ),
            "the obtainable share of one number": (shares.maximum_obtainable_share(2, capacities), fastest[2]),
            "largest feasible shares of numbers": (
                shares.maximum_feasible_group_share(required[-1], counts, capacities),
                [min(required[-1], sum(capacities[:n]) / total) for n in counts],
            ),
            "deviations": (shares.group_share_deviation(feasible, obtained, required), deviations),
            "unequal jobs": ([shares.job_share_deviation(own) for own in of_jobs if own],
                             [value for value, own in zip(uneven, of_jobs) if own]),
        }  # fmt: skip
        return {f"{name} and a count": gap(*pair) for name, pair in pairs.items()}

    some = cases("state", [(k, *system) for k, system in enumerate(SYSTEMS)], seed=0)
    yield from equalities(some.measure(one), ROUNDING)
    taken = shares.State([1, 1], [0.5, 0.5], [0, 1], [[1, 0], [0, 1]])
    same = (
        taken == shares.State([1, 1], [0.5, 0.5], [0, 1], np.eye(2))
        and taken != shares.State([1, 1], [0.5, 0.5], [1, 0], np.eye(2))
        and shares.required_shares("r", [0.7, 0.3]) == (0.7, 0.3)
        and shares.sorted_capacities("c", [3, 3, 1]).tolist() == [3, 3, 1]
    )
    yield fact("like processors and full ones are taken", same, "like processors or full ones are not taken")
    yield refusals(
        "capacities that rise, shares of another sum and impossible fractions",
        (ValueError, shares.sorted_capacities, "c", [1, 2]),
        (ValueError, shares.sorted_capacities, "c", [1, 0]),
        (ValueError, shares.required_shares, "r", [0.5, 0.4]),
        (ValueError, shares.feasible_group_share, 0.0, 1, 2),
        (ValueError, shares.feasible_group_share, 0.5, 1.5, 2),
        (ValueError, shares.maximum_obtainable_share, -1, [1]),
        (ValueError, shares.group_share_deviation, 0.5, 1.5, 0.5),
        (ValueError, shares.required_shares, "r", [0.6, 0.5]),
        (ValueError, shares.required_shares, "r", [1.0]),
        (ValueError, shares.required_shares, "r", [1.0, 0.0]),
        (ValueError, shares.State, [1, 1], [0.5, 0.5], [0, 1], [[0.6, 0], [0.6, 0]]),
        (ValueError, shares.State, [1, 1], [0.5, 0.5], [0, 1], [[0.6, 0.6], [0, 0]]),
        (ValueError, shares.State, [1, 1], [0.5, 0.5], [0, 1], [[-0.1, 0.6], [0, 0]]),
        (ValueError, shares.State, [1, 1], [0.5, 0.5], [0, 2], np.eye(2)),
    )


# Fair and proportional shares.


def on_fair_shares():
    """Max-min fair shares by their level, and dominant shares by bottlenecks."""

    def one(demands, capacity, weights):
        equal = weights or [1.0] * len(demands)
        given = fair_shares.max_min_fair(demands, capacity, weights)
        if sum(demands) <= capacity:
            return gap(given, demands)
        over = lambda level: sum(min(d, w * level) for d, w in zip(demands, equal)) - capacity  # noqa: E731
        level = brentq(over, 0, capacity / min(equal) + max(demands), xtol=1e-14, rtol=1e-14)
        return gap(given, [min(d, w * level) for d, w in zip(demands, equal)])

    some = (
        ([2.0, 2.6, 4.0, 5.0], 10.0, None), ([4.0, 2.0, 10.0, 4.0], 16.0, [2.5, 4.0, 0.5, 1.0]),
        ([3.0, 0.0, 1.0], 2.5, None),
        ([0.7, 3.0, 0.2, 1.1, 0.4], 3.1, [0.3, 2.0, 1.0, 0.2, 3.0]), ([1.0, 2.0], 4.0, [5.0, 1.0]), ([0.5], 0.2, None),
        ([1.0, 2.0], 0.0, None), ([5.0, 1.0, 2.0], 4.0, [0.1, 1.0, 3.0]),
    )  # fmt: skip
    yield from equalities({"max-min fair shares and their level": cases("demand", some).measure(one)}, ROUNDING)

    def bottlenecks(number, users, weighted):
        rng, resources = np.random.default_rng(number), 1 + number % 3
        demands = rng.exponential(1, (users, resources)) * (rng.random((users, resources)) < 0.7)
        demands[np.arange(users), rng.integers(0, resources, users)] += 0.5
        room = rng.uniform(1, 9, resources)
        weights = {"": None, "users": rng.uniform(0.4, 2, users), "each": rng.uniform(0.4, 2, (users, resources))}[
            weighted
        ]
        each = np.ones((users, resources)) if weights is None else np.reshape(weights, (users, -1)) * np.ones(resources)
        tasks = fair_shares.dominant_resource_fair(demands, room, weights)
        dominant = [
            max(tasks[i] * demands[i, r] / room[r] / each[i, r] for r in range(resources)) for i in range(users)
        ]
        used = tasks @ demands
        bad = max(0.0, *(used / room - 1))
        for i in range(users):  # of a resource that is used up, nobody who needs it has a larger share
            short = [
                max([dominant[j] for j in range(users) if demands[j, r] > 0]) - dominant[i]
                if demands[i, r] > 0 and used[r] > room[r] * (1 - 1e-9) else 9.0
                for r in range(resources)
            ]  # fmt: skip
            bad += max(0.0, min(short))
        return bad

    some = [(k, 1 + k % 5, ("", "users", "each")[k % 3]) for k in range(2, 14)]
    found = cases("table of demands", some, seed=0).measure(bottlenecks)
    yield from equalities({"dominant shares and those of bottlenecks": found}, 1e-8)
