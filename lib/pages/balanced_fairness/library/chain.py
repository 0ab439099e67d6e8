"""The queue with interruptions, exactly, against chains of the line; limits, and one line for all."""

import math

import numpy as np

from clustershare import interruptions, multiserver, sizes
from clustershare.multiserver.chain import ordered_chain
from pages.balanced_fairness.library.shared import (
    EXPONENTIAL,
    Chain,
    Given,
    balance,
    law_of,
    moments,
    one_line,
    refused,
    said,
)
from pages.balanced_fairness.witnesses.lines import class_rates


def cut_law(given, work, most):
    """The law (3) of at most so many jobs: the numbers, and their probabilities."""
    phi = balance(given, most)
    weights = np.array([value * math.prod(work**x) for x, value in phi.items()])
    return np.array(list(phi)), weights / weights.sum()


def of_chains(given, rates, components, m, most):
    """The chain's performance, its generator state by state, and the distance from cut balanced fairness."""
    chain, law, graph = Chain(given, rates, components, m, most), law_of(components), given.graph
    found = multiserver.interrupted_queue(graph, rates, law, m, most)
    states, Q, served = ordered_chain(graph, rates, law, m, most)
    codes = [[i * len(chain.kinds) + chain.kinds.index((mean, k)) for i, mean, k in line] for line in states]
    place = np.concatenate([chain.short.numbers(np.array([code], dtype=int)) for code in codes])
    x, cut = cut_law(given, rates * chain.sigma, most)
    distance = multiserver.distance_from_balanced_fairness(graph, rates, law, m, most)
    overloaded = bool(refused(multiserver.balanced_fairness, graph, rates, law))
    exact = (
        found if overloaded or components == EXPONENTIAL else multiserver.exact(graph, rates, law, m, most_jobs=most)
    )
    return {
        "performance by a chain": ([*said(found), found.probability_full], [*chain.found, chain.full]),
        "the exact answer by a chain": (said(exact), said(found)),
        "its error where there is no mean": (math.isinf(found.error), overloaded),
        "states": (len(set(place.tolist())), chain.short.first[-1] if m else len(states)),  # else some do not occur
        "rates of a chain": (Q.toarray(), chain.Q[place][:, place].toarray()),
        "service in a chain": (served, class_rates(chain.short, given, chain.of)[place]),
        "the distance from balanced fairness": (1 + distance, 1 + np.abs(chain.jobs / (cut @ x) - 1).max()),
    }


def of_long_chain(given, rates, m, most):
    """A chain that is iterated, of exponential sizes, whose law of the numbers is (3), cut."""
    x, law = cut_law(given, 1.6 * rates, most)
    full = law[x.sum(axis=1) == most].sum()
    found, delay = (
        multiserver.interrupted_queue(given.graph, rates, sizes.Exponential(1.6), m, most),
        law @ x / rates / (1 - full),
    )
    expected = [law @ x, 1.6 / delay, delay, law[0], m + 0 * rates, full]
    return {"a long chain": ([*said(found), found.probability_full], expected)}  # fmt: skip


def of_error(load, components, m, most):
    """What the cut changes on one server: the error of a chain, and what first come, first served has without it."""
    (mean, squared), given = moments(components), Given([[0]], [1.3])
    whole = load + load**2 * squared / mean**2 / (2 * (1 - load))
    found = multiserver.interrupted_queue(given.graph, np.array([load * 1.3 / mean]), law_of(components), m, most)
    return {"the error of a chain": (found.error, whole / found.mean_jobs[0] - 1)}


def of_chosen_length(given, rates, components, m):
    """The exact answer where no length is given: of the shortest queue that is long enough, as a longer one tells."""
    law = law_of(components)
    found = multiserver.exact(given.graph, rates, law, m)
    errors = [multiserver.interrupted_queue(given.graph, rates, law, m, most).error for most in range(1, 6)]
    chosen = 1 + next(k for k, error in enumerate(errors) if error <= 1e-3)
    chain, longer = (Chain(given, rates, components, m, most) for most in (chosen, chosen + 1))
    ratio = found.error / np.abs(longer.jobs / chain.jobs - 1).max()
    return {
        "an answer of a chosen length": (said(found), chain.found),
        "its error, that of this length": (found.error, errors[chosen - 1]),
        "whether it is what the next job changes": (0.9 < ratio < 6, True),  # and it may be larger
    }


# Many interruptions, and one server.


def of_first_order(given, rates, components, most):
    """The coefficients of 1/m: m times the difference at three large m, extrapolated; also of two equal classes."""
    law, large = law_of(components), (200, 400, 800)
    x, cut = cut_law(given, rates * law.mean, most)
    cut = cut @ x
    one, two, three = (m * (Chain(given, rates, components, m, most).jobs - cut) for m in large)
    limit = (4 * (2 * three - two) - (2 * two - one)) / 3
    parts = np.array([0.3, *np.ones(given.classes - 1), 0.7])
    twice = multiserver.CompatibilityGraph([given.servers_of_class[-1], *given.servers_of_class], given.capacities)
    split, cut_split = (parts * [value[-1], *value] for value in (limit, cut))
    names, found = ("mean_jobs", "distance", "fair_jobs"), multiserver.first_order_distance
    return {
        "the first order": (said(found(given.graph, rates, law, most), names), [limit, limit / cut, cut]),
        "the first order of equal classes": (
            said(found(twice, parts * [rates[-1], *rates], law, most), names), [split, split / cut_split, cut_split]
        ),
    }  # fmt: skip


def of_one_server(load, components, most):
    """The distance on one server: of a long queue, and in heavy traffic; and the limit of many tasks."""
    law, (mean, squared), graph = law_of(components), moments(components), multiserver.CompatibilityGraph([[0]], [1.3])
    found, variation = multiserver.one_server_distance, squared / mean**2 - 1
    whole, short = (multiserver.first_order_distance(graph, [load * 1.3 / mean], law, n) for n in (most, 5))
    ratio, exp = short.error / abs(short.distance[0] - found(load, law)), (math.exp(load) - 1) / load
    stay = mean * exp + squared / mean / (1 - load) * (math.exp(load) - exp)
    return {
        "the distance on one server": (found(load, law), whole.distance[0]),
        "the distance in heavy traffic": (found(1 - 1e-7, law), (variation - 1) / (variation + 1)),
        "whether its error is what the cut changes": (0.3 < ratio < 3, True),
        "many tasks": (interruptions.many_tasks(load, law), load / mean * stay),
    }


def of_one_line(given, rates):
    """The exact answers for one line, of classes and of servers that are all drawn."""
    laws, expected = one_line(given, rates)
    delay = 0.7 * 0.5 * 3 / 2 / 0.3 + 0.5  # load, mean time, one and squared variation; service
    drawn = multiserver.exact(multiserver.RandomAssignment(3, 3), 1.4, laws[1], 0)
    return {
        "sizes of classes": (said(multiserver.exact(given.graph, rates, laws, 0)), expected),
        "sizes of classes, without interruptions": (said(interruptions.exact(given.graph, rates, laws, 0)), expected),
        "all servers drawn": (said(drawn), [1.4 * delay, 1.5 / delay, delay, 0.3, 0.0]),
    }
