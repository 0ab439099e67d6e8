"""The order-independent queue and balanced fairness, against sums over all lines."""

import itertools

import numpy as np

from clustershare import interruptions, multiserver, sizes
from clustershare.multiserver.graph import loads_of_sets, merged
from pages.balanced_fairness.library.shared import HYPER, PERFORMANCE, Given, fair, fair_drawn, law_of, refused, said
from pages.balanced_fairness.systems import sets
from pages.balanced_fairness.witnesses.lines import lines, measure

# The graph and the queue in order.


def of_graph(given, rates):
    """Capacities of sets, what they bring, and which of them are overloaded."""
    graph, kinds = given.graph, list(dict.fromkeys(tuple(sorted(own)) for own in given.servers_of_class))
    kind_of = [kinds.index(tuple(sorted(own))) for own in given.servers_of_class]
    brought, served = (
        np.bincount(kind_of, rates),
        Given(kinds, given.capacities).service_rates_of_subsets(range(len(kinds))),
    )
    work = np.array([sum(brought[i] for i in range(len(kinds)) if A >> i & 1) for A in range(1, 1 << len(kinds))])
    load, most = (work / served[1:]).max(), 1 + (work / served[1:]).argmax()
    worst = tuple(i for i, kind in enumerate(kind_of) if most >> kind & 1)
    order, (small, new_class) = list(range(given.classes))[::-1], merged(graph)
    stable = [multiserver.is_stable(graph, up * rates / load) for up in (0.0, 0.1, 0.999, 1.0, 1.001, 5.0)]
    over, law, short = 1.001 * rates / load / 2, sizes.Exponential(2.0), {"jumps": 10, "warmup": 0, "replications": 2}
    named = [
        refused(multiserver.balanced_fairness, graph, rates / load),
        refused(multiserver.balanced_fairness, graph, over, law),
        *(refused(module.exact, graph, over, law, 1) for module in (multiserver, interruptions)),
        *(
            refused(simulate, graph, over, law, 1, **short)
            for simulate in (
                multiserver.simulate, interruptions.simulate, multiserver.simulate_beside_balanced_fairness,
            )
        ),
    ]  # fmt: skip
    return {
        "mu of a set": tuple([one.service_rate(A) for A in [(), *sets(given)]] for one in (graph, given)),
        "mu of a line": tuple([one.service_rate([*A, *A][::-1]) for A in sets(given)] for one in (graph, given)),
        "mu of all sets": (graph.service_rates_of_subsets(order), given.service_rates_of_subsets(order)),
        "what sets bring": (loads_of_sets(graph, rates), [work, served[1:]]),
        "a merged graph": ([new_class, small.service_rates_of_subsets(range(len(kinds)))], [kind_of, served]),
        "numbers of classes and servers": ([graph.classes, graph.servers], [given.classes, given.servers]),
        "stability": (stable, [True, True, True, False, False, False]),
        "the overloaded classes": ([own == worst for own in named], [True] * len(named)),
    }  # fmt: skip


def of_balanced_fairness(given, rates):
    """All that answers for exponential sizes, or by balanced fairness."""
    graph, law, m = given.graph, sizes.Exponential(1.7), 2.5
    expected, often = fair(given, rates, 1.7), np.full(given.classes, m)
    part = rates * (np.arange(given.classes) != 0)
    answers = [module.exact(graph, rates / 1.7, law, m) for module in (multiserver, interruptions)]
    answers.append(interruptions.exact(graph, rates / 1.7, law, 0, "quantum"))
    found = multiserver.balanced_fairness
    return {
        "balanced fairness": (said(found(graph, rates), PERFORMANCE), fair(given, rates)),
        "balanced fairness of a law": (said(found(graph, rates / 1.7, sizes.Gamma(1.7, 0.5)), PERFORMANCE), expected),
        "balanced fairness without a class": (said(found(graph, part), PERFORMANCE), fair(given, part)),
        "exact answers": (
            [value for answer in answers for value in said(answer)],
            [*expected, often, *expected, often, *expected, 0 * often],
        ),
        "what has no exact answer": (
            [
                refused(multiserver.exact, multiserver.RandomAssignment(3, 2), 0.1, law_of(HYPER), 1) is None,
                refused(interruptions.exact, graph, rates / 1.7, law, 1, "quantum") is None,
                refused(multiserver.exact, graph, rates / 1.7, law, 1, arrivals=sizes.Deterministic(1.0)) is None,
                refused(multiserver.exact, graph, rates / 1.7, sizes.Deterministic(1.7), 1) is None,
            ],
            [False] * 4,
        ),
    }


def of_three_servers(capacities, rates):
    """(10) and (11), also where a server has no capacity."""
    kept = [s for s, capacity in enumerate(capacities) if capacity > 0]
    given = Given(
        [[kept.index(s) for s in own if s in kept] for own in ((0, 2), (1, 2))], [capacities[s] for s in kept]
    )
    found = multiserver.three_server_service_rates
    over = [1.01 * given.service_rate([i]) * np.eye(2)[i] for i in (0, 1)]  # of one class, or of both together
    over.append(rates * 1.01 / max(np.sum(rates[list(A)]) / given.service_rate(A) for A in sets(given)))
    return {
        "rates of three servers": (found(capacities, rates), fair(given, rates)[1]),
        "three servers that are overloaded": ([bool(refused(found, capacities, each)) for each in over], [True] * 3),
    }


def of_random_assignment(S, d, load, most=600):
    """Servers drawn at random: by all classes if these are few; total rates by lines, and the mean number by them."""
    graph, rate, few = multiserver.RandomAssignment(S, d), load * S / 1.6, list(itertools.combinations(range(S), d))
    expected, law = fair_drawn(S, d, load), sizes.Exponential(1.6)
    alike = sizes.Deterministic(1.6), sizes.Gamma(1.6, 0.5)
    total = multiserver.total_rates(graph, most)
    weights = np.cumprod(np.concatenate([[1.0], S * load / total[1:]]))
    weights /= weights.sum()
    exact = [module.exact(graph, rate, law, 3) for module in (multiserver, interruptions)]
    overloaded = [refused(multiserver.random_assignment, S, d, up) == tuple(range(S)) for up in (1.0, 1.5)]
    found = {
        "a random assignment": (said(multiserver.random_assignment(S, d, load), PERFORMANCE), expected),
        "the number of jobs by total rates": ([weights @ np.arange(most + 1), weights[0]], [expected[0], expected[3]]),
        "exact answers of an assignment": (
            [
                *(said(multiserver.balanced_fairness(graph, rate, one), PERFORMANCE) for one in alike),
                *map(said, exact),
            ],
            [*[fair_drawn(S, d, load, 1.6)] * 2, *[[*fair_drawn(S, d, load, 1.6), 3]] * 2],
        ),
        "an overloaded assignment": (overloaded, [True, True]),
    }
    if len(few) < 8:
        alike, jobs = Given(few, [1.0] * S), np.full(len(few), S * load / len(few))
        classes, short = fair(alike, jobs), lines(len(few), 4)
        mass = np.add.reduceat(measure(short, alike, np.full(len(few), 1 / len(few))), short.first[:-1])
        of_all = [classes[0].sum(), classes[1][0], classes[2][0], classes[3]]
        found["an assignment and all its classes"] = (of_all, expected)
        found["total rates"] = (total[:5], [0.0, *mass[:-1] / mass[1:]])
    return found
