"""Policies that route by what they see, against chains and laws of whole queues."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
from scipy import special

from clustershare import (
    routing,
)
from clustershare.arguments import UnstableError
from clustershare.results import NoExactAnswer
from compendium.press.clauses import cases, equalities, fact
from pages.agreement import gap, reached, stationary
from pages.share_scheduling.objectives.library.shared import ROUNDING, refusals
from pages.share_scheduling.objectives.witnesses.many_processors import by_flow

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
