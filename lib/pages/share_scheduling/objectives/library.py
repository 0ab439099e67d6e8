"""All that the library answers on the models of `thesis`, Chapters 1 and 2, held against plain counting and chains.

Routing, the shares of groups and how they are delivered, schedules with free migration, fair and proportional shares,
traces, chains and partitions. Few systems, each with much at once; a witness reads what is given, never what the
library makes of it.
"""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
from scipy import sparse, special
from scipy.optimize import brentq

from clustershare import (
    delivery,
    execution,
    fair_shares,
    markov,
    multiprocessor,
    partitions,
    proportional,
    routing,
    shares,
)
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from compendium.press.clauses import cases, equalities, fact
from pages.agreement import gap, reached, refused, stationary
from pages.share_scheduling.objectives.witnesses.ledgers import Ledger
from pages.share_scheduling.objectives.witnesses.many_processors import by_flow

ROUNDING = 1e-9


def differs(found, expected):
    """1 unless two things are equal."""
    return float(found != expected)


def refusals(what, *calls):
    """A clause that all calls are refused: each an error, a function and its arguments."""
    missed = [number for number, call in enumerate(calls) if not refused(*call)]
    return fact(f"{what} are refused", not missed, f"{what} are not all refused: {missed}")


def subsets(things):
    """All subsets but for that of nothing, small ones first."""
    return (some for size in range(1, len(things) + 1) for some in itertools.combinations(things, size))


# Where to send a job (Section 1.3).


def emptying(limits, rates):
    """Mean times until all is served, state by state, in fractions."""

    @functools.cache
    def time(state):
        busy = [k for k, n in enumerate(state) if n]
        later = sum(rates[k] * time((*state[:k], state[k] - 1, *state[k + 1 :])) for k in busy)
        return (1 + later) / sum(rates[k] for k in busy) if busy else Fraction(0)

    return {state: time(state) for state in itertools.product(*(range(limit + 1) for limit in limits))}


def gains(most, rate, arrival):
    """What one job more than n adds to the departures over the time until an arrival: an integral over that time."""
    log = np.arange(-40, 12, 0.02)
    until = np.exp(log) / arrival
    served = special.gammainc(np.arange(most + 1)[:, None] + 1, rate * until)  # more than n in that time
    return arrival * 0.02 * (np.exp(-arrival * until) * served).sum(axis=1)


def scored(policy, limits, rates, arrival):
    """What a policy minimises, by processor and state; `rates` are fractions."""
    states = list(itertools.product(*(range(limit + 1) for limit in limits)))
    rows = []
    times = emptying([limit + 1 for limit in limits], rates) if policy == "MSTP" else None
    for k, rate in enumerate(rates):
        if policy == "MRTP":
            rows.append([(state[k] + 1) / rate for state in states])
        elif policy == "MSTP":
            rows.append([times[(*state[:k], state[k] + 1, *state[k + 1 :])] for state in states])
        else:
            gain = gains(limits[k], float(rate), arrival)
            rows.append([Fraction(-round(gain[state[k]] * 10**12), 10**12) for state in states])
    return states, rows


def routed(policy, limits, rates, arrival):
    """The law of the jobs at each processor, the probability to be lost and the mean response time of the others."""
    numbers, rows = scored(policy, limits, rates, arrival)
    chosen = {state: min(range(len(rates)), key=lambda k: (rows[k][i], k)) for i, state in enumerate(numbers)}

    def moves(state):
        target = chosen[state]
        if state[target] < limits[target]:
            yield arrival, (*state[:target], state[target] + 1, *state[target + 1 :])
        for k, n in enumerate(state):
            if n:
                yield float(rates[k]), (*state[:k], n - 1, *state[k + 1 :])

    states, ways = reached((0,) * len(rates), moves)
    law = stationary(ways)
    table = np.zeros([limit + 1 for limit in limits])
    for state, part in zip(states, law):
        table[state] = part
    lost = sum(part for state, part in zip(states, law) if state[chosen[state]] == limits[chosen[state]])
    jobs = sum(sum(state) * part for state, part in zip(states, law))
    return np.array([chosen[state] for state in numbers]).reshape(table.shape), table, lost, jobs / arrival / (1 - lost)


ROUTED = (  # limits, rates in fractions, arrivals
    ((6, 4), (Fraction(2), Fraction(1)), 1.5),
    ((3, 7), (Fraction(13, 5), Fraction(11, 10)), 0.4),
    ((4, 3, 2), (Fraction(3), Fraction(3, 2), Fraction(1)), 4.6),
    ((2, 3, 2), (Fraction(9, 10), Fraction(9, 10), Fraction(1, 5)), 0.7),
    ((9,), (Fraction(7, 5),), 1.1),
    ((1, 1, 0, 1, 0, 0, 0, 1), tuple(Fraction(9 - k, 5) for k in range(8)), 3.3),
)


def on_routing():
    """Times to empty, throughputs, scores, choices, laws and mean times of the policies."""

    def one(limits, rates, arrival):
        floats, found = tuple(map(float, rates)), {"laws of the three policies and chains": 0.0}
        times = emptying(limits, rates)
        exact, rounded = routing.times_to_empty(limits, rates), routing.times_to_empty(limits, floats)
        wrong = any(exact[state] != time for state, time in times.items()) or exact.shape != rounded.shape
        found["times to empty in fractions and a recursion"] = float(wrong)
        found["times to empty in floats and a recursion"] = gap(
            rounded, np.array([float(time) for time in times.values()]).reshape([limit + 1 for limit in limits])
        )
        found["scores of the three policies and their definitions"] = found["choices and the least scores"] = 0.0
        for policy in routing.POLICIES:
            _, rows = scored(policy, limits, rates, arrival)
            chosen, law, lost, mean = routed(policy, limits, rates, arrival)
            score = routing.scores(policy, limits, floats, arrival)
            own = [np.array(row, float).reshape(law.shape) for row in rows]
            found["scores of the three policies and their definitions"] += gap(score, own)
            found["choices and the least scores"] += gap(routing.choices(policy, limits, floats, arrival), chosen)
            seen = routing.stationary_law(policy, floats, arrival, most=limits)
            time = routing.mean_response_time(policy, floats, arrival, most=limits)
            found["laws of the three policies and chains"] += (
                gap(seen[0], law) + gap(seen[1], lost) + gap(time, mean) + abs(seen[1] / lost - 1)
            )
        return found

    yield from equalities(cases("system", ROUTED).measure(one), ROUNDING)

    def passed(most, rate, arrival):
        gain = gains(most, rate, arrival)
        total = np.append(0.0, np.cumsum(gain))
        each = [routing.throughput(n, rate, arrival) for n in (0, 1, most)]
        return {
            "throughputs and integrals": gap(routing.throughputs(most + 1, rate, arrival) / rate, total / rate),
            "those of single numbers and integrals": gap(np.divide(each, rate), total[[0, 1, most]] / rate),
            "gains and integrals": gap(routing.throughput_gains(most, rate, arrival) / gain, np.ones(most + 1)),
        }

    some = cases("rate", ((3, 1.0, 1.0), (30, 2.0, 0.7), (7, 0.3, 4.1), (5, 4.0, 0.01), (300, 3.0, 0.9), (0, 2.0, 3.0)))
    yield from equalities(some.measure(passed), ROUNDING)
    far = gap(routing.throughput(1, 1e200, 1e-200) / 1e-200, 400 * math.log(10))
    far += gap(routing.throughput(2, 1e200, 1e-200) / 1e-200, 800 * math.log(10) - 1)
    yield fact("rates may lie far apart", far < ROUNDING, "of rates that lie far apart throughputs are others")

    # Chains of a size that the library finds: one queue, and two like ones as the shorter and the longer.
    def shorter(state):
        short, long = state
        if short + long < 70:
            yield 1.1, tuple(sorted((short + 1, long)))
        if short:
            yield 2.0 if short == long else 1.0, (short - 1, long)
        if long > short:
            yield 1.0, (short, long - 1)

    states, ways = reached((0, 0), lambda state: shorter(state) if state[1] < 36 else [(1.0, (state[0], state[1] - 1))])
    law = stationary(ways)
    jobs = float(law @ np.sum(states, axis=1))
    found = routing.stationary_law("MRTP", (1.0, 1.0), 1.1)
    single = [routing.mean_response_time(policy, (1.7,), 1.2) * 0.5 for policy in routing.POLICIES]
    grown = routing.mean_response_time("MRTP", (1.0,), 0.9)
    gaps = {
        "mean times of two like processors": routing.mean_response_time("MRTP", (1.0, 1.0), 1.1) / (jobs / 1.1) - 1,
        "their law": (np.indices(found[0].shape).sum(axis=0) * found[0]).sum() / jobs - 1 + found[1],
        "those of one processor": gap(single, [1.0] * 3),
        "one that is cut late": grown / 10 - 1,
    }
    found = cases("chain", gaps).measure(lambda name: gaps[name])
    yield from equalities({"mean times of chains whose size is found and of larger ones": found}, 1.1e-6)
    scalar = [
        gap(call(policy, 3, (2.0, 1.3), 1.2), call(policy, (3, 3), (2.0, 1.3), 1.2))
        for policy in routing.POLICIES
        for call in (routing.scores, routing.choices)
    ]
    yield fact("one limit is that of all", not any(scalar), "one limit is not that of all")
    yield refusals(
        "overloads and laws of too many states",
        (UnstableError, routing.stationary_law, "MRTP", (1.0, 0.5), 1.5, 3),
        (UnstableError, routing.mean_response_time, "MTP", (1.0, 0.5), 1.6, 3),
        (NoExactAnswer, routing.stationary_law, "MRTP", (1.0,) * 4, 0.5),
        (UnstableError, routing.transfer_response_time, "Threshold", (1.9, 0.05), 1, 1),
    )


def moving(location, loads, threshold, count, most=220):
    """The mean response time of very many processors that move jobs: laws of whole queues, again and again."""
    loads, lengths = np.array(loads), np.arange(most + 1)
    law = (1 - loads.mean()) * loads.mean() ** np.tile(lengths, (len(loads), 1))
    for _ in range(3000):
        law = law / law.sum(axis=1, keepdims=True)
        common = law.mean(axis=0)
        at_long = law[:, threshold:].sum(axis=1)
        moved, long = (loads * at_long).mean(), at_long.mean()
        rates = np.repeat(loads[:, None], most, axis=1)
        rates[:, threshold:] = 0 if location == "Random" else (loads * long**count)[:, None]
        if location == "Shortest":
            least = [1 - common[:n].sum() for n in range(threshold + 1)]  # a queue has so many or more
            rates[:, :threshold] += [
                moved * (least[n] ** count - least[n + 1] ** count) / common[n] for n in range(threshold)
            ]
        else:
            for before in range(count):
                rates[:, :threshold] += moved * long**before
            if location == "Random":
                rates[:, threshold:] = moved * long ** (count - 1)
        new = np.cumprod(np.hstack([np.ones((len(loads), 1)), rates]), axis=1)
        new /= new.sum(axis=1, keepdims=True)
        if np.abs(new - law).max() < 1e-14:
            break
        law = 0.4 * law + 0.6 * new
    return float((new @ lengths).mean() / loads.mean())


def on_transfers():
    """Jobs that are moved from long queues, for one load and several."""

    def one(location, load, threshold, count):
        named = {"transfers": count} if location == "Random" else {"probes": count}
        found = routing.transfer_response_time(location, load, threshold, **named)
        expected = moving(location, np.atleast_1d(load), threshold, count)
        other = by_flow(location, load, threshold, count) if np.ndim(load) == 0 else expected
        return gap(found, expected) + gap(found, other)

    some = [
        (location, *setting)
        for location in routing.LOCATIONS
        for setting in ((0.85, 2, 3), (0.6, 1, 1), ((0.9, 0.3, 0.6), 3, 5), ((0.4, 0.8), 1, 2))
    ]
    yield from equalities({"mean times with transfers and laws": cases("rule", some).measure(one)}, 3e-9)


# Shares of groups (Sections 2.2 to 2.6).

SYSTEMS = (  # capacities, required shares, jobs
    ((2.0, 1.0, 1.0), (0.55, 0.25, 0.2), (1, 3, 0)),
    ((3.1, 1.3), (0.27, 0.73), (2, 1)),
    ((1.0,) * 8, (0.1, 0.3, 0.6), (4, 1, 2)),
    ((1.7,), (0.62, 0.38), (0, 3)),
    ((5.0, 2.5, 1.2, 0.3), (1.0,), (3,)),
    ((2.2, 2.2, 0.9, 0.4), (0.15, 0.5, 0.1, 0.25), (0, 2, 3, 0)),
    ((2.0, 1.0), (0.4, 0.6), (0, 0)),
)


def drawn_weights(rng, jobs, processors):
    """Fractions of time that neither a job nor a processor has too much of, some of them 0."""
    weights = rng.random((jobs, processors)) * (rng.random((jobs, processors)) < 0.7)
    return weights / max([1.0, *(1.05 * weights.sum(axis=0)), *(1.05 * weights.sum(axis=1))])


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


def on_delivery():
    """The best margins: with migration by sets of groups, without it also by all placements."""

    def margin(targets, jobs_or_places, size):
        """The least room of a set of groups, each with as much; `size` is what its jobs can have."""
        return min(
            (size([jobs_or_places[g] for g in some]) - sum(targets[g] for g in some)) / len(some)
            for some in subsets(range(len(targets)))
        )

    def one(targets, members, capacities, placement):
        total, P, groups = sum(capacities), len(capacities), range(len(targets))
        most = sum(capacities[: len(members)]) / total

        def placed(places):
            sets = [{p for p, m in zip(places, members) if m == g} for g in groups]
            return margin(targets, sets, lambda some: sum(capacities[p] for p in set().union(*some)) / total)

        def whole(places):
            return abs(sum(capacities[p] for p in set(places)) / total - most) < 1e-12

        every = list(itertools.product(range(P), repeat=len(members)))
        jobs = [members.count(g) for g in groups]
        free = margin(targets, jobs, lambda some: sum(capacities[: sum(some)]) / total)
        ways = [
            ({}, free),
            ({"lossless": True}, free),
            ({"migration": False}, max(map(placed, every))),
            ({"migration": False, "lossless": True}, max(placed(places) for places in every if whole(places))),
            ({"placement": placement}, placed(placement)),
            ({"placement": placement, "migration": False}, placed(placement)),
        ]
        if whole(placement):
            ways.append(({"placement": placement, "lossless": True}, placed(placement)))
        found = {"margins and sets of groups": 0.0, "weights and margins": 0.0, "feasibility and margins": 0.0}
        for named, best in ways:
            answer = delivery.deliver(targets, members, capacities, **named)
            weights = answer.weights
            obtained = [sum(weights[j] @ capacities for j, m in enumerate(members) if m == g) / total for g in groups]
            beyond = [weights.sum(axis=0).max() - 1, weights.sum(axis=1).max() - 1, -weights.min()]
            if "placement" in named:
                beyond.append(weights.sum() - sum(weights[j, p] for j, p in enumerate(placement)))
            elif "migration" in named:
                beyond.append((weights > 1e-6).sum(axis=1).max() - 1)
            if named.get("lossless"):
                beyond.append(most - sum(obtained))
            found["margins and sets of groups"] += gap(answer.margin, best)
            found["weights and margins"] += abs(min(np.subtract(obtained, targets)) - answer.margin)
            found["weights and margins"] += max(0.0, *beyond)
            found["feasibility and margins"] += differs(answer.feasible, best >= -1e-7)
        return found

    some = (
        ([0.375, 0.375, 0.25], [0, 1, 2], [2.0, 1.0, 1.0], [0, 0, 1]),
        ([0.4, 0.4, 0.2], [2, 0, 1], [2.0, 1.0, 1.0], [2, 1, 0]),
        ([0.2, 0.65], [1, 0, 1, 1], [3.0, 1.5, 0.5], [2, 0, 0, 1]),
        ([0.1, 0.2], [0, 1, 1], [1.0, 0.7], [1, 0, 0]),
        ([0.3, 0.5, 0.2], [1, 1, 0], [4.0, 2.0, 1.0, 1.0], [3, 1, 2]),
        ([0.7], [0, 0], [1.3, 0.6], [1, 1]),
        ([0.4, 0.1], [1], [2.0, 1.0], [1]),
    )
    yield from equalities(cases("system", some).measure(one), 1e-7)
    nobody = delivery.deliver([0.2, 0.3], [], [2, 1])
    right = nobody.margin == -0.3 and not nobody.feasible and nobody.weights.shape == (0, 2)
    right = right and delivery.deliver([0.0, 0.0], [], [1]).feasible
    yield fact("nobody has nothing", right, "nobody has something")


# Many processors with free migration (Section 4.2).


def played(plan, capacities):
    """Fractions of time and rates of jobs, and how long one is served twice at once, piece by piece."""
    times = sorted({time for breaks in plan.breaks for time in breaks.tolist()})
    parts, twice = np.zeros((plan.jobs, len(capacities))), 0.0
    for begin, end in itertools.pairwise(times):
        now = []
        for p, (breaks, served) in enumerate(zip(plan.breaks, plan.served)):
            piece = max(k for k, time in enumerate(breaks[:-1]) if time <= begin)
            now.append(int(served[piece]))
            if now[-1] >= 0:
                parts[now[-1], p] += end - begin
        busy = [job for job in now if job >= 0]
        twice += (end - begin) * (len(set(busy)) < len(busy))
    whole = all(breaks[0] == 0 and breaks[-1] == 1 and len(breaks) == len(served) + 1 and (np.diff(breaks) > 0).all()
                for breaks, served in zip(plan.breaks, plan.served))  # fmt: skip
    return parts, parts @ np.array(capacities), twice + 9.0 * (not whole or len(plan.breaks) != len(capacities))


def on_schedules():
    """Rates that can be delivered, schedules of these, and the groups' weights of MGPPS."""

    def fits(rates, capacities):
        return all(sum(some) <= sum(capacities[: len(some)]) + 1e-12 for some in subsets(rates))

    def one(rates, capacities):
        found = {
            "feasibility and sets of jobs": differs(
                multiprocessor.is_feasible(rates, capacities), fits(rates, capacities)
            )
        }
        names = ("rates of a schedule", "of fractions", "of a timetable")
        if not fits(rates, capacities):
            ways = (multiprocessor.schedule, multiprocessor.fractions)
            missed = sum(not refused(UnstableError, way, rates, capacities) for way in ways)
            return {**found, **{f"{name} and those given": float(missed) for name in names}, "overlaps and 0": 0.0,
                    "what is told of a schedule and its pieces": 0.0}  # fmt: skip
        plan, parts = multiprocessor.schedule(rates, capacities), multiprocessor.fractions(rates, capacities)
        table = multiprocessor.timetable(parts)
        gaps = [parts.sum(axis=0).max() - 1, parts.sum(axis=1).max() - 1, -parts.min()]
        own, at_rates, twice = played(plan, capacities)
        in_table, table_rates, also = played(table, capacities)
        times = np.array([0.0, 0.013, 0.21, 0.5, 0.77, 0.999])
        for one in (plan, table):
            now = [
                [int(served[max(k for k, b in enumerate(breaks[:-1]) if b <= time)]) for time in times]
                for breaks, served in zip(one.breaks, one.served)
            ]
            gaps.append(gap(one.at(times), now))
        found |= {
            "rates of a schedule and those given": gap(at_rates, rates) + gap(plan.service_rates(capacities), rates),
            "of fractions and those given": gap(parts @ np.array(capacities), rates) + max(0.0, *gaps),
            "of a timetable and those given": gap(table_rates, rates) + gap(in_table, parts),
            "overlaps and 0": twice + also + plan.overlap + table.overlap,
            "what is told of a schedule and its pieces": gap(plan.fractions, own) + gap(table.fractions, in_table)
            + gap(parts, own) + differs((plan.jobs, table.jobs), (len(rates),) * 2),
        }  # fmt: skip
        return found

    rng, some = np.random.default_rng(4), []
    for P, J in ((1, 2), (2, 3), (3, 5), (4, 2), (4, 6), (8, 9)):
        capacities = np.sort(rng.uniform(0.2, 3, P))[::-1] if P != 8 else np.ones(8)
        rates = drawn_weights(rng, J, P) @ capacities + 1e-3 * capacities[-1]
        rates /= max(
            sum(some) / sum(capacities[: len(some)]) for some in subsets(rates.tolist())
        )  # as much as can be had by some
        some += [(rates.tolist(), capacities.tolist()), ((0.8 * rates).tolist(), capacities.tolist())]
        some.append(((1.0001 * rates).tolist(), capacities.tolist()))
    some += [
        ([1.0, 2.0, 1.0], [2.0, 1.0, 1.0]), ([0.25, 0.5, 0.75, 0.5], [1.0, 0.5, 0.5]), ([0.1], [2.0, 1.0]),
        ([2.0], [2.0, 1.0]), ([1.3], [1.3]), ([1.0, 0.5], [1.0, 0.5, 0.5]),
        ([0.3, 0.2, 0.4, 0.1], [1.0, 0.5]), ([1.5, 0.4, 1.5, 0.3], [2.0, 1.0, 0.5, 0.5]),
    ]  # fmt: skip
    yield from equalities(cases("set of rates", some, seed=4).measure(one), 1e-8)

    # Where no rate is above the slowest processor's, jobs rotate, the largest rate first: each processor is as far
    # behind the one before as the first job has of the time (4.10).
    parts, times = multiprocessor.fractions([0.3, 0.1, 0.2], [0.7, 0.5, 0.4]), np.arange(0.01, 1, 0.02)
    now = multiprocessor.schedule([0.3, 0.1, 0.2], [0.7, 0.5, 0.4]).at(times)
    places = np.searchsorted(np.cumsum([0.3, 0.2, 0.1]) / 1.6, (times - np.arange(3)[:, None] * 0.3 / 1.6) % 1)
    rotates = gap(parts, np.outer([0.3, 0.1, 0.2], [1 / 1.6] * 3)) + gap(now, np.array([0, 2, 1, -1])[places])
    yield fact("small rates rotate", rotates < ROUNDING, "small rates do not rotate")
    try:
        multiprocessor.schedule([0.1, 0.9, 0.2, 0.8], [1.0, 0.5, 0.5])
    except UnstableError as error:
        named = list(error.overloaded)
    yield fact("jobs with too much are named", named == [1, 3], f"other jobs are named: {named}")
    twice = multiprocessor.Schedule(2, (np.array([0, 0.5, 1]), np.array([0, 0.7, 1])), (np.array([0, 1]),) * 2)
    yield fact("an overlap is told", abs(twice.overlap - 0.8) < ROUNDING, f"an overlap of 0.8 is {twice.overlap}")
    idle = [[0.2, 0.1, 0.0], [0.0, 0.55, 0.0], [0.3, 0.3, 0.4]]
    plan = multiprocessor.timetable(idle)
    wrong = gap(played(plan, [1, 1, 1])[0], idle) + played(plan, [1, 1, 1])[2] + gap(plan.fractions, idle)
    yield fact("a timetable of idle processors is kept", wrong < ROUNDING, "it is not kept")
    yield refusals(
        "impossible timetables and times",
        (ValueError, multiprocessor.timetable, [[0.6, 0.0], [0.6, 0.0]]),
        (ValueError, multiprocessor.timetable, [[0.6, 0.6], [0.0, 0.0]]),
        (ValueError, plan.at, [1.0]),
    )

    def shared(capacities, required, jobs):
        """Processors one after another are as a level that rises: each group has its share of it, or all its jobs."""
        room = [0.0]
        for p in range(len(capacities)):
            if sum(jobs) <= p + 1:
                room.append(math.inf)
            else:
                given = lambda level: sum(min(n, r * level) for n, r in zip(jobs, required)) - (p + 1)  # noqa: B023, E731
                top = max(n / r for n, r in zip(jobs, required)) + 1
                room.append(brentq(given, 0, top, xtol=1e-14, rtol=1e-14))
        had = np.array([[min(n, r * level) if n else 0.0 for level in room] for n, r in zip(jobs, required)])
        return gap(multiprocessor.group_weights(required, jobs, capacities), np.diff(had, axis=1))

    some = [system for system in SYSTEMS if len(system[1]) > 1] + [
        ((1.5, 1.0, 0.8), (0.05, 0.9, 0.05), (2, 1, 3)), ((1.0,) * 12, (0.5, 0.3, 0.2), (1, 9, 20)),
    ]  # fmt: skip
    found = cases("system", some).measure(shared)
    yield from equalities({"weights of MGPPS and a level that rises": found}, ROUNDING)


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


def in_turn(slopes, counts, arrivals, quanta, constant):
    """Classes whose priorities grow with time, by looking at all: the class of each quantum, and when jobs end."""
    line = [
        [k, -(n - j) / n, math.inf, None] for k, n in enumerate(counts) for j in range(n)
    ]  # in order of their tails
    chosen, ends = [], [math.nan] * len(arrivals)
    for now in range(quanta):
        line += [[k, now, work, j] for j, (came, k, work) in enumerate(arrivals) if came == now]
        heads = {}
        for job in line:
            heads.setdefault(job[0], job)
        worth = {k: slopes[k] * (1 if constant else now - job[1]) for k, job in heads.items()}
        if not worth:
            chosen.append(-1)
            continue
        best = heads[min(worth, key=lambda k: (-worth[k], k))]
        chosen.append(best[0])
        line.remove(best)
        if best[2] > 1:
            line.append([best[0], now + 1, best[2] - 1, best[3]])
        else:
            ends[best[3]] = now + 1
    return chosen, ends


def on_proportional_shares():
    """Lotteries, strides, time functions and EEVDF, a quantum at a time."""

    def one(tickets):
        draws, owners = np.random.default_rng(8).integers(sum(tickets), size=60), list(range(len(tickets)))
        owners = [job for job in owners for _ in range(tickets[job])]
        had, strides = [0] * len(tickets), []
        for _ in range(50):
            job = min(range(len(tickets)), key=lambda k: (Fraction(had[k] + 1, tickets[k]), k))
            had[job] += 1
            strides.append(job)
        errors = [
            abs(strides[: n + 1].count(k) - (n + 1) * held / sum(tickets))
            for n in range(50) for k, held in enumerate(tickets)
        ]  # fmt: skip
        return {
            "lotteries and their draws": differs(
                proportional.lottery(tickets, 60, np.random.default_rng(8)).tolist(), [owners[k] for k in draws]
            ),
            "strides and passes in fractions": differs(proportional.stride(tickets, 50).tolist(), strides),
            "worst errors and counts": gap(proportional.worst_error(strides, tickets), max(errors)),
        }

    some = cases("set of tickets", ([3, 2, 1], [1, 7], [5], [4, 4, 9, 2], [10, 1, 1]))
    yield from equalities(some.measure(one), ROUNDING)

    def timed(slopes, counts, constant):
        rng = np.random.default_rng(len(slopes) + 10 * constant)
        numbers = [counts] * len(slopes) if isinstance(counts, int) else counts
        draws = [(rng.integers(22), rng.integers(len(slopes)), rng.integers(1, 4)) for _ in range(9)]
        arrivals = sorted((tuple(map(int, job)) for job in draws), key=lambda job: job[0])
        named = {"constant": True} if constant else {}
        chosen, ends = proportional.time_function_jobs(slopes, arrivals, 30, **named)
        own = in_turn(slopes, [0] * len(slopes), arrivals, 30, constant)
        lasting = proportional.time_function(slopes, counts, 40, **named).tolist()
        return {
            "classes with permanent jobs and all looked at": differs(
                lasting, in_turn(slopes, numbers, [], 40, constant)[0]
            ),
            "classes with jobs that come and all looked at": differs(chosen.tolist(), own[0]),
            "ends of these": differs(np.nan_to_num(ends, nan=-1).tolist(), np.nan_to_num(own[1], nan=-1).tolist()),
        }

    classes = (([1.0, 3.0], 1), ([2.0, 1.0], [1, 3]), ([0.5, 1.7, 1.7], [2, 1, 3]), ([1.0], 2), ([1.0, 0.9], [1, 5]))
    some = [(*one, constant) for one in classes for constant in (False, True)]
    yield from equalities(cases("set of classes", some).measure(timed), 0.5)

    def deadlines(seed, settle):
        """What clients are owed, in real time: who is owed nothing less is eligible, and due when it is owed all."""
        rng, processor, ledger = np.random.default_rng(seed), proportional.EEVDF(settle), Ledger(settle)
        sizes, far, names = {}, 0.0, itertools.count()
        for _ in range(120):
            event = rng.random()
            if event < 0.15 or len(sizes) < 2:
                name = next(names)
                sizes[name] = float(rng.uniform(0.1, 1))
                weight = float(rng.uniform(0.2, 3))
                processor.join(name, weight, sizes[name])
                ledger.join(name, weight)
            elif event < 0.25 and len(sizes) > 2:
                name = list(sizes)[int(rng.integers(len(sizes)))]
                processor.leave(name)
                ledger.leave(name)
                del sizes[name]
            elif event < 0.35:
                name, weight = list(sizes)[int(rng.integers(len(sizes)))], float(rng.uniform(0.2, 3))
                processor.reweigh(name, weight)
                ledger.reweigh(name, weight)
            owed, total = dict(ledger.owed), sum(ledger.weights.values())
            idle = max(0.0, min(-owed[name] / ledger.weights[name] for name in owed)) * total
            owed = {name: lag + ledger.weights[name] / total * idle for name, lag in owed.items()}
            due = {name: (sizes[name] - lag) / ledger.weights[name] for name, lag in owed.items() if lag > -1e-11}
            chosen = processor.serve()
            far += due.get(chosen, 99.0) - min(due.values()) > 1e-9
            ledger.serve(chosen, sizes[chosen])
            far = max(far, *(abs(processor.lag(name) - lag) for name, lag in ledger.owed.items()))
        return {
            "lags and what clients are owed": far,
            "worst lags and the worst that is owed": abs(processor.worst_lag - ledger.worst),
        }

    some = cases("trace", [(seed, settle) for seed in range(3) for settle in (True, False)], seed=0)
    yield from equalities(some.measure(deadlines), ROUNDING)
    processor = proportional.EEVDF()
    for name, weight in (("a", 2.0), ("b", 0.5)):
        processor.join(name, weight, 0.3)
    served = [processor.serve() for _ in range(10)]
    right = abs(processor.virtual_time - 10 * 0.3 / 2.5) < ROUNDING and served.count("a") == 8 and processor.settle
    yield fact("virtual time runs at one over the weights", right, "virtual time runs otherwise")


# What happens to a few jobs, exactly (Section 2.2).


def departing(policy, arrivals, work, speed):
    """When jobs leave one processor: in turn, or by what each has had when it leaves."""
    order = sorted(range(len(work)), key=lambda j: (arrivals[j], j))
    leave = {}
    if policy == "FCFS":
        free = 0.0
        for j in order:
            free = leave[j] = max(free, arrivals[j]) + work[j] / speed
        return leave
    now, had, inside = 0.0, 0.0, {}  # what is left to each is its goal less what each has had
    while order or inside:
        coming = arrivals[order[0]] if order else math.inf
        ending = now + (min(inside.values()) - had) * len(inside) / speed if inside else math.inf
        if inside:
            had += (min(coming, ending) - now) * speed / len(inside)
        now = min(coming, ending)
        if coming <= ending:
            job = order.pop(0)
            inside[job] = had + work[job]
        else:
            job = min(inside, key=inside.get)
            leave[job] = now
            del inside[job]
    return leave


def on_traces():
    """Executions of given jobs: when they leave, and who is served at which rate between."""

    def one(policy, arrivals, work, capacities, placement):
        trace = execution.execute(policy, arrivals, work, capacities, placement)
        places = placement or [0] * len(work)
        ends, total = [0.0] * len(work), sum(capacities)
        for p, speed in enumerate(capacities):
            here = [j for j, place in enumerate(places) if place == p]
            left = departing(policy, [arrivals[j] for j in here], [work[j] for j in here], speed)
            for k, end in left.items():
                ends[here[k]] = end
        times = [0.0]
        for time in sorted([*arrivals, *ends]):
            times += [time] * (time - times[-1] > 1e-12)
        rates, present = [], []
        for begin, end in itertools.pairwise(times):
            now, row = (begin + end) / 2, [0.0] * len(work)
            present.append([a <= now < e for a, e in zip(arrivals, ends)])
            for p, speed in enumerate(capacities):
                here = [j for j, place in enumerate(places) if place == p and present[-1][j]]
                if policy == "FCFS":
                    here = [min(here, key=lambda j: (arrivals[j], j))] if here else []
                for j in here:
                    row[j] = speed / len(here)
            rates.append(row)
        rest, lengths = [list(work)], np.diff(times)
        for row, length in zip(rates, lengths):
            rest.append([left - rate * length for left, rate in zip(rest[-1], row)])
        pairs = {
            "departures": (trace.departures, ends),
            "times": (trace.times, times),
            "rates": (trace.rates, rates),
            "who is present": (trace.present, present),
            "shares": (trace.obtained_shares, np.array(rates) / total),
            "obtainable shares": (
                trace.maximum_obtainable_total_shares, [sum(capacities[: sum(row)]) / total for row in present]
            ),
            "remaining work": (trace.remaining_work, rest),
            "what was given": ([*trace.placement, *trace.work, *trace.capacities], [*places, *work, *capacities]),
        }  # fmt: skip
        return {f"{name} and a path of each processor": gap(*pair) for name, pair in pairs.items()}

    rng, some = np.random.default_rng(5), []
    for number, (J, P) in enumerate(((1, 1), (4, 1), (6, 2), (5, 3), (7, 4), (3, 8))):
        capacities = np.sort(rng.uniform(0.2, 3, P))[::-1].tolist()
        given = rng.uniform(0, 3, J).tolist(), (0.1 + rng.exponential(size=J)).tolist(), capacities
        places = None if number == 1 else rng.integers(P, size=J).tolist()
        some += [(policy, *given, places) for policy in execution.POLICIES]
    for policy in execution.POLICIES:
        some.append((policy, [2.0, 0.0, 2.0, 0.0], [3.0, 2.0, 1.0, 4.0], [2.0, 1.0], [0, 1, 0, 1]))
    yield from equalities(cases("trace", some, seed=5).measure(one), ROUNDING)


# Chains, and systems that can be split.


def on_chains():
    """Generators, explored states and every solver of chains, against dense solves."""

    def one(number, states):
        rng = np.random.default_rng(number)
        count = 4 * states
        rows, columns, rates = (
            rng.integers(states, size=count),
            rng.integers(states, size=count),
            rng.exponential(size=count),
        )
        rows, columns = np.append(rows, range(states)), np.append(columns, (np.arange(states) + 1) % states)
        rates = np.append(rates, rng.exponential(size=states)) * 10 ** rng.uniform(-2, 2)
        rates[0] = 0.0
        dense = np.zeros((states, states))
        for row, column, rate in zip(rows, columns, rates):
            if row != column:
                dense[row, column] += rate
                dense[row, row] -= rate
        Q = markov.generator(states, rows, columns, rates)
        system = dense.T.copy()
        system[-1] = 1
        law = np.linalg.solve(system, np.eye(states)[-1])
        moves = {row: [(int(c), r) for s, c, r in zip(rows, columns, rates) if s == row] for row in range(states)}
        found, *explored = markov.explore(2 % states, moves.get)
        again = markov.generator(len(found), *explored).toarray()
        some = rng.dirichlet(np.ones(states))
        matrix = np.eye(states) * 3 + rng.random((states, states))
        goal = matrix @ some
        seen = markov.bicgstab(lambda vector: matrix @ vector, goal, 1e-12, 200)
        return {
            "generators and sums of rates": gap(Q.toarray(), dense),
            "explored chains and those given": gap(again, dense[np.ix_(found, found)]) + differs(found[0], 2 % states),
            "laws by elimination of dense tables and solved ones": gap(markov.gth(dense) / law, np.ones(states)),
            "those of sparse ones": gap(markov.gth(Q) / law, np.ones(states)),
            "those by sparse elimination": gap(markov.stationary(Q) / law, np.ones(states)),
            "those by a Krylov method": gap(markov.iterate(Q, np.ones(states)) / law, np.ones(states)),
            "residuals": gap(markov.residual(some, Q), sum(abs(some @ dense))),
            "solutions of linear systems": gap(seen, some),
        }

    found = cases("chain", [(1, 2), (2, 5), (3, 12), (4, 30)], seed=0).measure(one)
    yield from equalities(found, 1e-8)
    lone, one_way = markov.generator(1, [], [], []), markov.generator(3, [0, 1], [1, 0], [1.0, 2.0])
    apart = sparse.csr_array(one_way)
    yield fact("a single state has all", markov.stationary(lone).tolist() == [1.0], "a single state has not all")
    yield refusals(
        "chains in parts, rates below 0 and too many states",
        (ValueError, markov.gth, apart),
        (ArithmeticError, markov.stationary, apart),
        (ArithmeticError, markov.iterate, apart, np.ones(3)),
        (ValueError, markov.generator, 2, [0], [1], [-1.0]),
        (ValueError, markov.explore, 0, lambda state: [(state + 1, 1.0)], 50),
    )


def on_partitions():
    """Groups and processors that can be split off, against all sets; what a group can claim on its own ones."""

    def one(required, capacities):
        total, groups, processors = sum(capacities), range(len(required)), range(len(capacities))
        alike = lambda some, own: abs(sum(required[g] for g in some) - sum(capacities[p] for p in own) / total) < 1e-9  # noqa: E731
        first = next(
            ((some, own) for some in subsets(groups) if len(some) < len(groups)
             for own in subsets(processors) if alike(some, own)), None,
        )  # fmt: skip
        owners = [
            owner for owner in itertools.product(groups, repeat=len(processors))
            if all(alike((g,), [p for p in processors if owner[p] == g]) for g in groups)
        ]  # fmt: skip
        whole = partitions.full_partition(required, capacities)
        if whole is not None:
            sets = [p for own in whole for p in own]
            whole = sorted(sets) == list(processors) and all(alike((g,), own) for g, own in zip(groups, whole))
        single = next((own for own in itertools.permutations(processors, len(required))
                       if all(alike((g,), (p,)) for g, p in zip(groups, own))), None)  # fmt: skip
        far = 0.0
        for own in subsets(processors):
            part, jobs = sum(capacities[p] for p in own) / total, [0, 1, 2, 5]
            for share in (part, 0.6 * part):
                found = partitions.partitioned_feasible_share(share, jobs, own, capacities)
                far += gap(found, [min(share, part * n / len(own)) for n in jobs])
        return {
            "sets that are split off and the first of all": differs(partitions.partition(required, capacities), first),
            "full partitions and all owners": differs(whole, True if owners else None),
            "processors one to one and all orders": differs(
                partitions.one_to_one_partition(required, capacities), single
            ),
            "shares on a group's own processors and counts": far,
        }

    rng = np.random.default_rng(6)
    some = [([0.5, 0.5], [2.0, 1.0, 1.0]), ([0.4, 0.6], [2.0, 1.0, 1.0]), ([0.25, 0.5, 0.25], [2.0, 1.0, 1.0])]
    some += [
        ([0.3, 0.2, 0.5], [5.0, 3.0, 2.0]),
        ([0.4, 0.3, 0.3], [3.0, 3.0, 2.0, 1.0, 1.0]),
        ([0.25, 0.75], [1.0] * 8),
    ]
    some += [([0.55, 0.45], [4.0, 3.0, 2.0, 1.0, 1.0]), ([0.34, 0.66], [1.0])]
    some += [
        ([0.35, 0.15, 0.5], [2.0, 1.0, 1.0]),
        ([0.1, 0.2, 0.3, 0.4], [1.0, 1.0]),
        ([0.2, 0.3, 0.1, 0.4], [3.0, 1.5, 1.5]),
    ]
    for _ in range(5):
        capacities = np.sort(rng.integers(1, 6, rng.integers(2, 6)))[::-1].astype(float)
        parts = np.bincount(rng.integers(3, size=len(capacities)), capacities, 3) + np.array(
            [0, 1e-3, 0]
        ) * rng.integers(2)
        parts = parts[parts > 0]
        if len(parts) > 1:
            some.append(((parts / parts.sum()).tolist(), capacities.tolist()))
    yield from equalities(cases("system", some, seed=6).measure(one), ROUNDING)


def answers():
    """Clauses: all that the library answers on the models of these chapters, held against witnesses."""
    return (
        *on_routing(), *on_transfers(), *on_shares(), *on_delivery(), *on_schedules(), *on_fair_shares(),
        *on_proportional_shares(), *on_traces(), *on_chains(), *on_partitions(),
    )  # fmt: skip
