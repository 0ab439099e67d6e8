"""Speed, as ratios of things timed in turn in one run: ``make bench``.

Absolute times drift on shared machines; a ratio of medians taken side by side does not. Nothing here is a test.
"""

import math
import random
import statistics
import time

import benchmarks_cluster
import numba
import numpy as np

from clustershare import interruptions, multiserver, sizes, uniprocessor
from clustershare.uniprocessor.analysis import sharing_rule
from clustershare.uniprocessor.chain import distribution
from clustershare.uniprocessor.model import Workload
from pages.balanced_fairness.systems import random_servers, three_servers
from pages.share_scheduling.one_processor.systems import two_groups

ROUNDS = 9


def rate(work):
    """Median seconds of each of several pieces of work, timed in turn: a dictionary of callables."""
    for piece in work.values():
        piece()  # compiled and warm
    times = {name: [] for name in work}
    for _ in range(ROUNDS):
        for name, piece in work.items():
            start = time.perf_counter()
            piece()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def show(title, rows):
    """A table: what, how much, and the bound it is held against."""
    print(f"\n{title}")
    for what, value, bound in rows:
        print(f"  {what:62} {value:>16}   {bound}")


@numba.njit
def floor(rng, draws):
    """The least that an event can cost: an exponential and a uniform number."""
    total = 0.0
    for _ in range(draws):
        total += rng.standard_exponential() * rng.random()
    return total


JUMPS = 2_000_000
SIDE_BY_SIDE = multiserver.simulator.LANES  # replications, as a study runs them


def floor_piece():
    rng = np.random.Generator(np.random.SFC64(1))
    return lambda: floor(rng, JUMPS)


def kernels():
    """Nanoseconds a jump of the event kernels, and their ratio to the floor."""

    def servers(size, load, interruptions, replications=SIDE_BY_SIDE):
        system = {**three_servers(load), "sizes": size, "interruptions": interruptions}
        return lambda: multiserver.simulate(**system, jumps=JUMPS // replications, warmup=0, replications=replications)

    def processor(policy, load):
        return lambda: uniprocessor.simulate(policy, **two_groups(0.3, load), jumps=JUMPS, warmup=0, replications=1)

    hyper, exponential = sizes.bimodal_hyperexponential(), sizes.Exponential(1.0)
    work = {"floor": floor_piece()}
    for load in (0.5, 0.9):
        work[f"three servers, hyperexponential, m = 1, load {load}"] = servers(hyper, load, 1)
        work[f"three servers, exponential, m = 0, load {load}"] = servers(exponential, load, 0)
    work["three servers, exponential, m = 0, load 0.9, one replication"] = servers(exponential, 0.9, 0, 1)
    for policy in uniprocessor.POLICIES:
        work[f"one processor, two groups, {policy}, load 0.8"] = processor(policy, 0.8)
    times = rate(work)
    bounds = {"hyper": "at most 6", "expon": "at most 5"}
    rows = [("floor: one exponential and one uniform number", f"{times['floor'] / JUMPS * 1e9:.1f} ns", "")]
    for name, seconds in list(times.items())[1:]:
        bound = "" if "one replication" in name else next((text for key, text in bounds.items() if key in name), "")
        rows.append((name, f"{seconds / JUMPS * 1e9:.0f} ns, {seconds / times['floor']:.1f} x", bound))
    show("Event kernels: time a jump, and times the floor", rows)


def large():
    """A hundred servers, two or three for each job: against the floor, another size, and a look through the queue."""

    def servers(size, number=100, degree=2, m=1, jumps=JUMPS, simulate=multiserver.simulate):
        system = {**random_servers(0.9, degree, number, size.mean), "sizes": size, "interruptions": m}
        run = {"jumps": jumps // SIDE_BY_SIDE, "warmup": 0, "replications": SIDE_BY_SIDE}
        return lambda: simulate(**system, **run)

    hyper, bimodal = sizes.bimodal_hyperexponential(), sizes.bimodal_phases()
    scanned = JUMPS // 20
    times = rate(
        {
            "floor": floor_piece(),
            "bimodal phases, d = 2, m = 0": servers(bimodal, m=0),
            "bimodal phases, d = 2, m = 1": servers(bimodal),
            "hyperexponential, d = 2, m = 1": servers(hyper),
            "hyperexponential, d = 3, m = 1": servers(hyper, degree=3),
            # As long as those of a study, for a thousand servers take a while to fill.
            "S = 10": servers(bimodal, 10, jumps=5 * JUMPS),
            "S = 1000": servers(bimodal, 1000, jumps=5 * JUMPS),
            "scanned": servers(hyper, jumps=scanned, simulate=interruptions.simulate),
        }
    )
    rows = []
    for name, seconds in times.items():
        if "d =" in name:
            bound = {"bimodal phases, d = 2": "at most 5", "hyperexponential, d = 2": "at most 10"}.get(name[:-7], "")
            rows.append((name, f"{seconds / JUMPS * 1e9:.0f} ns, {seconds / times['floor']:.1f} x", bound))
    rows.append(("S = 1000 over S = 10, bimodal, m = 1", f"{times['S = 1000'] / times['S = 10']:.2f} x", "at most 1.2"))
    slower = times["scanned"] / scanned / (times["hyperexponential, d = 2, m = 1"] / JUMPS)
    rows.append(("looking through the queue at every event, hyperexponential", f"{slower:.0f} x", "at least 20"))
    show("Random assignment among S = 100 servers, load 0.9: time a jump, and times the floor", rows)


def recursion():
    """Balanced fairness by the recursion over sets of classes, each with a server of its own and one in common."""

    def classes(number):
        graph = multiserver.CompatibilityGraph([{i, number} for i in range(number)], [1.0] * (number + 1))
        return lambda: multiserver.balanced_fairness(graph, [0.6] * number)

    times = rate({number: classes(number) for number in (10, 15, 20)})
    show(
        "Balanced fairness, exactly",
        [(f"{number} classes, {2**number:,} sets", f"{seconds * 1e3:.1f} ms", "") for number, seconds in times.items()],
    )


def peers():
    """Events per second on M/M/1 at load 0.8 against two simulation libraries."""
    import ciw
    import simpy

    until = 3_000.0  # about 4800 events

    def with_ciw():
        network = ciw.create_network(
            arrival_distributions=[ciw.dists.Exponential(rate=0.8)],
            service_distributions=[ciw.dists.Exponential(rate=1.0)],
            number_of_servers=[1],
        )
        ciw.seed(1)
        ciw.Simulation(network).simulate_until_max_time(until)

    def with_simpy():
        draw, environment = random.Random(1), simpy.Environment()
        server = simpy.Resource(environment, capacity=1)

        def job():
            with server.request() as request:
                yield request
                yield environment.timeout(draw.expovariate(1.0))

        def arrivals():
            while True:
                yield environment.timeout(draw.expovariate(0.8))
                environment.process(job())

        environment.process(arrivals())
        environment.run(until=until)

    graph = multiserver.CompatibilityGraph([[0]], [1.0])

    def ours():
        multiserver.simulate(
            graph, [0.8], sizes.Exponential(1.0), 0, jumps=JUMPS // SIDE_BY_SIDE, warmup=0, replications=SIDE_BY_SIDE
        )

    times = rate({"ours": ours, "Ciw": with_ciw, "SimPy": with_simpy})
    speed = {name: (JUMPS if name == "ours" else 1.6 * until) / seconds for name, seconds in times.items()}
    rows = [("this library's multi-server kernel", f"{speed['ours']:,.0f} /s", "")]
    for name, bound in (("Ciw", 400), ("SimPy", 200)):
        rows.append(
            (
                f"times the rate of {name} ({speed[name]:,.0f} /s)",
                f"{speed['ours'] / speed[name]:.0f} x",
                f"at least {bound}",
            )
        )
    show("Peers: events a second on M/M/1, load 0.8", rows)


def sharing_chains():
    """The chains of PPS and GPPS: microseconds a state as their number grows, for two and for three groups."""
    rows = []
    for shares, levels in (((0.6, 0.4), (50, 100, 200, 400)), ((0.5, 0.3, 0.2), (20, 40, 80, 120))):
        for policy in ("PPS", "GPPS"):
            system = Workload(policy, shares, 0.8 * np.array(shares), 1.0, 0)
            rule = sharing_rule(system)
            states = {level: math.comb(level + len(shares), len(shares)) for level in levels}
            times = rate({level: lambda level=level: distribution(level, system, rule) for level in levels})
            for level in levels:
                each = f"{times[level] / states[level] * 1e6:.1f} us each, {times[level]:.2f} s"
                rows.append((f"{len(shares)} groups, {policy}, load 0.8: {states[level]:,} states", each, ""))
            growth = np.polyfit(np.log(list(states.values())), np.log([times[level] for level in levels]), 1)[0]
            rows.append(
                (f"{len(shares)} groups, {policy}: power of the number of states", f"{growth:.2f}", "at most 1.5")
            )
    show("The chains of shared processors", rows)


if __name__ == "__main__":
    kernels()
    large()
    recursion()
    peers()
    sharing_chains()
    benchmarks_cluster.main()
