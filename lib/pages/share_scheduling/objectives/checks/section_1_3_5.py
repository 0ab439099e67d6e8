"""Claims of `thesis`, Section 1.3.5: optimal static routing."""

import itertools

import numpy as np

from clustershare import markov
from compendium.press import words
from compendium.press.clauses import at_each, conclude, grid
from compendium.press.clauses.conditions import equal
from compendium.press.findings import check, finding
from pages.share_scheduling.objectives.witnesses import product_form, static_routing


@check("thesis-1-026", proportional=True)
def sources_and_sinks(proportional=False):
    """Who sends and receives as the delay grows; in the control loads are in proportion to the speeds."""
    rng, both, back, grows, alone, apart = np.random.default_rng(26), 0.0, 0, 0, 0, 0.0
    for number in range(100):
        sites = int(rng.integers(3, 9))
        rates, stations = (
            10 ** rng.uniform(-0.5, 0.5, sites),
            rng.integers(1, 3, sites) if number % 2 else np.ones(sites),
        )
        parts = rng.dirichlet(np.ones(sites)) if number % 3 == 0 else rates * rng.uniform(0.4, 1.0, sites)
        arrivals = parts / parts.sum() * rates.sum() * rng.uniform(0.3, 0.9)
        delays = np.append(0.0, np.geomspace(1e-3, 1e7, 29) / rates.mean())[:, None]
        if number % 5 == 4 and not proportional:  # the delay grows with the traffic: marginal delays at a fixed point
            moved = np.zeros_like(delays)
            top = np.full_like(delays, arrivals.sum())
            for _ in range(40):
                middle = (moved + top) / 2
                room = (
                    1 + middle / arrivals.sum()
                )  # the delay of a transfer; this is by what the next one lengthens all
                loads = static_routing.balanced(rates, stations, arrivals, delays * (room + middle / arrivals.sum()))
                more = np.maximum(arrivals - loads, 0).sum(axis=1, keepdims=True) > middle
                moved, top = np.where(more, middle, moved), np.where(more, top, middle)
        elif proportional:
            loads = np.tile(rates / rates.sum() * arrivals.sum(), (len(delays), 1))
        else:
            loads = static_routing.balanced(rates, stations, arrivals, delays)
        neutral = np.abs(loads - arrivals) < 1e-6 * rates
        back += int((neutral[1:-1] & ~neutral[2:]).sum())
        if (arrivals < rates).all():
            alone += 1
            grows += int(neutral[-1].all() and not neutral[0].all())
        if number < 10 and not proportional:
            small = slice(0, min(sites, 4))
            own = rates[small], np.asarray(stations)[small], np.minimum(arrivals, 0.8 * rates)[small]
            for delay in (0.05, 0.3, 1.0):
                flows, value = static_routing.by_flows(*own, delay / own[0].mean())
                loads = static_routing.balanced(*own, np.array([delay / own[0].mean()]))
                known = static_routing.cost(*own[:2], loads).sum()
                known += delay / own[0].mean() * np.maximum(own[2] - loads, 0).sum()
                apart = max(apart, abs(value / known - 1))
                both = max(both, (flows.sum(axis=1) * flows.sum(axis=0)).max())
    if apart > 1e-6:
        return finding(f"the solvers are {apart:.1g} apart", False)
    return finding(
        f"{'no site sends and receives' if both < 1e-6 else 'sites send and receive'}; a neutral one stops being so "
        f"{back} times; in {grows} of the {alone} systems with no site overloaded by itself all are neutral in the end",
        both < 1e-6 and back == 0 and grows == alone,
    )


def two_classes(rate, first, second, most=45):
    """Mean numbers of jobs of two classes, the first of which interrupts the second."""

    def transitions(state):
        for k, arrival in enumerate((first, second)):
            if state[k] < most:
                yield tuple(n + (j == k) for j, n in enumerate(state)), arrival
        if state[0]:
            yield (state[0] - 1, state[1]), rate
        elif state[1]:
            yield (0, state[1] - 1), rate

    states, *moves = markov.explore((0, 0), transitions)
    return markov.stationary(markov.generator(len(states), *moves)) @ np.array(states)


@check("thesis-1-027", dedicated=False)
def local_disciplines(dedicated=True):
    """Gain by local priorities beside routing; in the control no site has jobs of its own."""
    rng, gains, impossible, units = np.random.default_rng(27), [], 0, 600
    low, high = two_classes(1.0, 0.3, 0.3)
    if abs(low / (0.3 / 0.7) - 1) > 1e-6 or abs((low + high) / 1.5 - 1) > 1e-6:
        return finding("the chain contradicts the conservation law", False)
    for _ in range(200):
        sites, load = int(rng.integers(2, 5)), rng.uniform(0.3, 0.9)
        rates, total = 10 ** rng.uniform(-0.5, 0.5, sites), 0.0
        part = rng.uniform(0.1, 0.9)
        own = rng.dirichlet(np.ones(sites)) * load * rates.sum() * part if dedicated else np.zeros(sites)
        own = np.minimum(own, 0.9 * rates)
        total = load * rates.sum() - own.sum()
        level = np.arange(units + 1) * total / units
        room = (rates - own)[:, None] - level
        free = np.where(room > 1e-9, level / np.maximum(room, 1e-9), np.inf)
        with np.errstate(invalid="ignore"):  # infinite less infinite
            steps = np.diff(free, axis=1)
        cut = np.sort(np.where(np.isfinite(steps), steps, np.inf).ravel())[units - 1]
        plain = np.array([level[(row <= cut).sum()] for row in np.where(np.isfinite(steps), steps, np.inf)])
        best = 1 / (rates - own)
        limits = best + rng.uniform(0, 1, sites) * (3 / np.maximum(rates - own - plain, 1e-6) - best)
        limits = np.where(own > 0, limits, np.inf)
        together = np.where(room >= 1 / limits[:, None] - 1e-12, free, np.inf)
        both = own[:, None] + level
        jobs = np.where(room > 1e-9, both / np.maximum(rates[:, None] - both, 1e-9), np.inf)
        kept = own[:, None] * np.where(np.isfinite(limits), limits, 0)[:, None]
        first = np.where(level < rates[:, None], level / np.maximum(rates[:, None] - level, 1e-9), np.inf)
        chosen = np.where(np.isfinite(jobs), np.maximum(jobs - kept, first), np.inf)
        one, two = static_routing.least_of_sum(together, units), static_routing.least_of_sum(chosen, units)
        if np.isfinite(one):
            gains.append(1 - two / one)
        else:
            impossible += 1
    largest = max(gains, default=0.0)
    return finding(
        f"up to {largest:.2f}, {np.median(gains):.2f} in the middle of {len(gains)} systems; in {impossible} others "
        "the limits cannot be met without priorities", words.allows("clear", largest),
    )  # fmt: skip


@check("thesis-1-028", priority=True)
def product_forms(priority=False):
    """Chain against product over all pairs of disciplines; in the control one chain has priority at a centre."""
    rng = np.random.default_rng(28)

    def gap(centres, kinds, jobs):
        pair = centres.split(" and ")
        disciplines = ("priority", pair[1] if pair[1] != "FCFS" else "priority") if priority else pair
        rates = rng.uniform(0.5, 2, (2, 2))
        if kinds == "alike":
            rates[1] = rates[0]
        routing, leave, arrival = rng.uniform(0.2, 0.9, (2, 2)), rng.uniform(0.4, 0.9), 0.012
        states, law = product_form.law(disciplines, rates, routing, leave, arrival, jobs, 4)
        form = product_form.products(states, disciplines, rates, routing, leave, arrival)
        heavy = form > 1e-9
        return np.abs(law[heavy] / form[heavy] - 1).max()

    pairs = [" and ".join(pair) for pair in itertools.combinations_with_replacement(("FCFS", "PS", "IS"), 2)]
    found = grid(pair=pairs, rates=("alike", "other for each chain"), jobs=(1, 2, 3)).measure(gap)
    return conclude(at_each("the chain's law and the product", found, equal(1e-6)))
