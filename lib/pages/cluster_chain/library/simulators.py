"""Simulators against chains, and what they say of themselves."""

import math

import numpy as np

from clustershare import cluster_chain, cluster_variants, settling, sizes
from clustershare.arrivals import Batches, MarkovModulated
from pages.agreement import refused
from pages.cluster_chain.library.shared import HYPER, MEASURES, ONE, TWO, Given, Sleeping, Urgent, begun, near

RUN = {"jumps": 40_000, "warmup": 2000, "replications": 16}
MIXED = ((0.4, 2, 0.7), (0.6, 1, 0.44 / 0.6))
BURSTS = cluster_chain.Bursts((0.4, 2.5), (2.0, 0.8))
MODULATED = MarkovModulated((0.0, 1.0, 3.5), ((0, 0.24, 0.1), (0.4, 0, 0.2), (0.25, 0.3, 0)))


def off(found, expected):
    """What was simulated less what is expected, with half widths, as a part of the expected: pairs."""
    pairs = [(getattr(found, name), value) for name, value in expected.items()]
    arrays = (np.broadcast_arrays(one.value, one.half_width, value) for one, value in pairs)
    numbers = [each for one in arrays for each in zip(*map(np.ravel, one), strict=True)]
    return [((value - known) / (known or 1.0), half / (known or 1.0)) for value, half, known in numbers]


def law_of(components):
    """A law of the library, None where it is exponential."""
    chances, phases, means = zip(*components)
    return None if components == ONE else sizes.HyperErlang(means, phases, chances)


# The simulators, with other laws.


def renewal(components, rate):
    """Modes of arrivals, one for each phase of the time between them."""
    phases = [(kind, k) for kind, (_, most, _) in enumerate(components) for k in range(most, 0, -1)]
    starts = [(phases.index(phase), chance) for phase, chance in begun(components)]
    found = []
    for kind, left in phases:
        speed = rate / components[kind][2]
        ends = [(to, speed * chance) for to, chance in starts]
        found.append(([(phases.index((kind, left - 1)), speed)], []) if left > 1 else ([], ends))
    return found


def modulated(rates, switching, rate):
    """Modes of arrivals, one for each state that sets their rate."""
    return [
        ([(to, speed) for to, speed in enumerate(row) if speed], [(mode, rate * own)])
        for mode, (own, row) in enumerate(zip(rates, switching, strict=True))
    ]


def of_laws_by_size(cluster):
    """Laws of sizes by a dictionary and in order: the same runs."""
    run = {"jumps": 3000, "warmup": 100, "replications": 2, "arrivals": MODULATED}
    laws = dict(zip(sorted(cluster.sizes.tolist(), reverse=True), (law_of(TWO), None)))
    first = cluster_chain.simulate(cluster, service=laws, **run)
    second = cluster_chain.simulate(cluster, service=list(laws.values())[::-1], **run)
    return max(near(getattr(first, name).value, getattr(second, name).value) for name in MEASURES)


def simulated():
    """What simulators find less what chains say, with half widths, by what was simulated."""
    found = {}

    def cluster(what, seed, given, **laws):
        given.solve()
        seen = cluster_chain.simulate(given.cluster, seed=seed, **laws, **RUN)
        found[what] = off(seen, given.measures)
        return seen

    cluster("exponential times", 1, Given(3, 2, {3: 0.35, 2: 0.0, 1: 0.65}, 2.4, 5.0, {1: 1.3, 3: 2.5}))
    given = Given(5, 0, {1: 0.2, 4: 0.5, 2: 0.3}, 4.0, 6.0, 1.6)
    seen = cluster("no queue", 2, given, records=True)
    response = given.measures["mean_response"]
    found["recorded jobs"] = off(seen.records, {"mean_response_time": response, "mean_wait": response - 1 / 1.6})
    times = {"mapping": TWO, "service": HYPER, "modes": modulated((0.4, 2.5), ((0, 0.5), (1.25, 0)), 2.0)}
    laws = {"arrivals": BURSTS, "tracker": law_of(TWO), "service": law_of(HYPER)}
    cluster("bursts", 3, Given(4, 2, {2: 0.7, 1: 0.3}, 2.0, 3.0, {1: 0.8, 2: 1.9}, **times), **laws)
    times = {"service": MIXED, "modes": renewal(TWO, 2.0)}
    laws = {"arrivals": law_of(TWO), "service": law_of(MIXED)}
    cluster("regular arrivals", 4, Given(3, 1, {2: 0.4, 1: 0.6}, 2.0, 6.0, {1: 1.5, 2: 1.1}, **times), **laws)
    modes, batch = modulated(MODULATED.rates, MODULATED.switching, 1.8 / 1.6), (0.6, 0.2, 0.2)
    given = Given(
        4, 2, {3: 0.4, 1: 0.6}, 1.8, 6.0, {1: 1.0, 3: 1.4}, service={3: TWO, 1: ONE}, modes=modes, batch=batch
    )  # fmt: skip
    cluster("batches and laws of sizes", 5, given, arrivals=Batches(batch, MODULATED), service=[None, law_of(TWO)])
    for setup in (ONE, TWO):
        inner = Given(4, 1, {2: 0.5, 1: 0.2, 4: 0.3}, 1.6, 9.0, {4: 2.0, 1: 0.8, 2: 1.1})
        sleeping = Sleeping(inner, 2.3, 0.9, setup)
        seen = cluster_variants.simulate_energy(sleeping.cluster, setup=law_of(setup), seed=6, **RUN)
        found[f"servers that sleep, set up in phases ({setup[0][1]})"] = off(seen, sleeping.measures()[1])
    for service, own in ((ONE, (4, 1)), (TWO, (2, 1))):
        system = Urgent(own[0] + 1, (2, 1), own, (0.9, 1.1), (1.3, 0.7), 5.0, service)
        seen = cluster_variants.simulate_priority(system.cluster, service=law_of(service), seed=7, **RUN)
        found[f"two classes, served in phases ({service[0][1]})"] = off(seen, system.measures()[1])
    return found


def of_memory(places, arrival, slowest, *, spread=1.0):
    """How many jumps a line remembers, reckoned at load 1 where it forgets most slowly, and its longest time."""
    return 3 * (1 + spread) / 2 * (1 / (2 - 2 * math.cos(math.pi / (places + 2))) + arrival * slowest)


def of_memories():
    """How many jumps simulators say that their systems remember."""
    given = Given(4, 3, {1: 0.5, 4: 0.5}, 2.5, 4.0, {1: 2.0, 4: 0.8})
    wide = sizes.Hyperexponential((0.2, 5.0), (5 / 6, 1 / 6))

    def memory(simulate, cluster, **laws):
        return settling.memory(simulate, {"cluster": cluster, **laws})

    plain, constant = (cluster_chain.simulate, given.cluster), sizes.Deterministic(1.0)
    sleeping = [
        (cluster_variants.simulate_energy, cluster_variants.SleepingCluster(given.cluster, *rates))
        for rates in ((0.25, 0.5), (9.0, 0.1), (9.0, 0.0))
    ]
    pair = cluster_variants.PriorityCluster(5, (1, 6), (2, 1), (3.0, 1.0), (0.4, 2.0), 7.0)
    least, wider = of_memory(3, 2.5, 1.25), of_memory(3, 2.5, 1.25, spread=wide.variance)
    lines = [3 * 4 * rate / (1 - math.cos(math.pi / most)) / 2 for rate, most in ((1 / 3, 3), (1, 8))]
    pairs = [
        (memory(*plain), least),
        (memory(*plain, arrivals=cluster_chain.Bursts((0.5, 3.0), (4.0, 1.0))), of_memory(3, 2.5, 4.0)),
        (memory(*plain, arrivals=Batches((0.5, 0.5))), of_memory(3, 2.5, 1.25, spread=5 / 3)),
        *((memory(*plain, **{what: wide}), wider) for what in ("arrivals", "tracker", "service")),
        (memory(*plain, arrivals=constant, tracker=constant, service=constant), least),
        (memory(*plain, service=[None, wide]), wider),
        *zip([memory(*one) for one in sleeping], [of_memory(3, 2.5, 4.0), of_memory(3, 2.5, 10.0), least]),
        (memory(*sleeping[0], setup=wide), of_memory(3, 2.5, 4.0, spread=wide.variance)),
        (memory(cluster_variants.simulate_priority, pair), max(lines[0] + 3 * 4 / 0.4, lines[1] + 3 * 4 / 2.0)),
    ]
    return near(*zip(*pairs))


def of_memory_limits():
    """Some hundred cluster states are solved in what their vectors take, a part of their square, and not in less."""
    cluster = cluster_chain.ServiceCluster(24, 2, cluster_chain.uniform_sizes(6), 3.0, 30.0, 1.0)
    enough, little = (refused(ValueError, cluster.solve, memory_limit=limit, tolerance=1e-6) for limit in (4e6, 1e5))
    return enough + 1 - little
