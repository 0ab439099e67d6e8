"""Claims of `thesis`, Section 1.3.5: optimal static routing."""

import itertools

import numpy as np

from clustershare import markov, uniprocessor
from clustershare.splitting import fastest_responses
from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, grid, somewhere
from compendium.press.clauses.conditions import at_least, at_most, equal
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.objectives.systems import drawn
from pages.share_scheduling.objectives.witnesses import product_form, static_routing

CLEAR = SCALE["clear"].least


def sites_drawn(rng, number):
    """Service rates, queues in tandem and arrival rates of some sites at random, and delays of a transfer."""
    sites = int(rng.integers(3, 9))
    rates = 10 ** rng.uniform(-0.5, 0.5, sites)
    stations = rng.integers(1, 3, sites) if number % 2 else np.ones(sites)
    parts = rng.dirichlet(np.ones(sites)) if number % 3 == 0 else rates * rng.uniform(0.4, 1.0, sites)
    arrivals = parts / parts.sum() * rates.sum() * rng.uniform(0.3, 0.9)
    return rates, stations, arrivals, np.append(0.0, np.geomspace(1e-3, 1e7, 29) / rates.mean())[:, None]


def with_growing_delay(rates, stations, arrivals, delays):
    """The best loads if a transfer takes the longer the more is sent: marginal delays at a fixed point."""
    moved, top = np.zeros_like(delays), np.full_like(delays, arrivals.sum())
    for _ in range(40):
        middle = (moved + top) / 2
        # The delay of a transfer, and by what the next one lengthens all.
        marginal = delays * (1 + 2 * middle / arrivals.sum())
        loads = static_routing.balanced(rates, stations, arrivals, marginal)
        more = np.maximum(arrivals - loads, 0).sum(axis=1, keepdims=True) > middle
        moved, top = np.where(more, middle, moved), np.where(more, top, middle)
    return loads


@check("thesis-1-026", proportional=True)
def sources_and_sinks(proportional=False):
    """Who sends and receives as the delay grows; in the control loads are in proportion to the speeds."""
    systems = [sites_drawn(np.random.default_rng([26, number]), number) for number in range(100)]

    def as_delays_grow(number):
        rates, stations, arrivals, delays = systems[number]
        if proportional:
            loads = np.tile(rates / rates.sum() * arrivals.sum(), (len(delays), 1))
        else:
            loads = (with_growing_delay if number % 5 == 4 else static_routing.balanced)(*systems[number])
        neutral = np.abs(loads - arrivals) < 1e-6 * rates
        # Without a delay it does not matter where jobs come: the library splits their whole stream.
        free = fastest_responses(arrivals.sum(), rates, 1 / rates**2).arrival_rates
        return {
            "back": (neutral[1:-1] & ~neutral[2:]).sum(), "grows": neutral[-1].all() and not neutral[0].all(),
            "alone": (arrivals < rates).all(), "single": (stations == 1).all(),
            "free": np.abs((loads[0] - free) / rates).max(),
        }  # fmt: skip

    def by_flows(number, delay):
        rates, stations, arrivals, _ = systems[number]
        few = slice(0, 4)
        own = rates[few], stations[few], np.minimum(arrivals, 0.8 * rates)[few]
        delay /= own[0].mean()
        flows, value = static_routing.by_flows(*own, delay)
        loads = static_routing.balanced(*own, np.array([delay]))
        known = static_routing.cost(*own[:2], loads).sum() + delay * np.maximum(own[2] - loads, 0).sum()
        return {"gap": value / known - 1, "both": (flows.sum(axis=1) * flows.sum(axis=0)).max()}

    found = cases("system", range(100), [""] * 100, seed=26).measure(as_delays_grow)
    some = grid(system=range(10), delay=(0.05, 0.3, 1.0)).measure(by_flows)
    alone, single = (found[kind].value.astype(bool) for kind in ("alone", "single"))
    return conclude(
        everywhere("the product of what a site sends and receives", some["both"], at_most(1e-6)),
        everywhere("how often a neutral site stops being so", found["back"], at_most(0)),
        everywhere("all sites are neutral in the end, and not at first,",
                   found["grows"].where(alone, "a site is overloaded by itself")),
        everywhere("without a delay the loads of single queues and the library's split",
                   found["free"].where(single, "queues in tandem"), equal(1e-6)),
        provided=[everywhere("the least response time by both solvers", some["gap"], equal(1e-6))],
        whole=True,
    )  # fmt: skip


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


def at_a_site(rate, generic, own):
    """How far numbers of jobs by the library's response times are from those by which jobs are placed, relatively.

    Generic jobs served as they come, and first; and all jobs, of which the discipline changes nothing (conservation).
    """
    rates = generic, own
    found = (uniprocessor.exact(policy, (0.6, 0.4), rates, rate) for policy in ("FCFS", "PQ"))
    came, first = (one.mean_response_time * rates for one in found)
    known = np.array([generic / (rate - generic - own), generic / (rate - generic)])
    both = (generic + own) / (rate - generic - own)
    return np.abs([*([came[0], first[0]] / known - 1), came.sum() / both - 1, first.sum() / both - 1]).max()


@check("thesis-1-027", dedicated=False)
def local_disciplines(dedicated=True):
    """Gain by local priorities beside routing; in the control no site has jobs of its own."""
    units = 600

    def gained(rng, _):
        sites, load = int(rng.integers(2, 5)), rng.uniform(0.3, 0.9)
        rates = 10 ** rng.uniform(-0.5, 0.5, sites)
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
        used = np.flatnonzero((plain > 0) & (own > 0))
        return {
            "gain": 1 - two / one if np.isfinite(one) else np.nan,
            "known": max((at_a_site(rates[k], plain[k], own[k]) for k in used[:1]), default=0.0),
        }  # fmt: skip

    found = drawn("system", 200, 27).measure(gained)
    gains = found["gain"].where(np.isfinite(found["gain"].value), "the limits cannot be met without priorities")
    chain = two_classes(1.0, 0.3, 0.3) / uniprocessor.exact("PQ", (0.6, 0.4), (0.3, 0.3)).mean_jobs - 1
    return conclude(
        somewhere("the part by which priorities shorten the mean response time", gains, at_least(CLEAR)),
        aside("it in the middle of the systems", exact(np.median(gains.value))),
        provided=[
            everywhere("at a site numbers by the library's response times and those that are minimised",
                       found["known"], equal(1e-9)),
            everywhere("its numbers under priorities and those of the chain", exact(chain, group=("first", "second")),
                       equal(1e-6)),
        ],
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
