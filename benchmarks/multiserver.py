"""Many servers: the event kernels, random assignment, the exact recursion, and two simulation libraries."""

import random
import time

import numpy as np

from benchmarks.timing import JUMPS, Row, at_least, at_most, floor, seconds
from clustershare import interruptions, multiserver, sizes, uniprocessor
from clustershare.multiserver.simulator import LANES
from pages.balanced_fairness.systems import random_servers, three_servers

UNTIL = 3_000.0  # the time that peers simulate: about 4800 events


def tables():
    """Yield each table as a title and its rows."""
    yield "Three servers: time a jump, and times the floor", kernels()
    yield "Random assignment among S = 100 servers, load 0.9: time a jump, and times the floor", large()
    yield "Hyperexponential sizes, with a companion: plain time over its own, for the same interval", companion()
    yield "Balanced fairness, exactly", recursion()
    yield "Peers: events a second on M/M/1, load 0.8, without records and with", peers()


def _times(what, each, least, bound=None):
    """A row on the time of `JUMPS` jumps, as a ratio to the floor."""
    ratio = each / least
    return Row(what, f"{each / JUMPS * 1e9:.0f} ns, {ratio:.1f} x", ratio, bound)


def kernels():
    """Nanoseconds a jump of the event kernels, and their ratio to the floor."""

    def servers(size, load, interruptions, replications=LANES):
        system = {**three_servers(load), "sizes": size, "interruptions": interruptions}
        return lambda: multiserver.simulate(**system, jumps=JUMPS // replications, warmup=0, replications=replications)

    hyper, exponential = sizes.bimodal_hyperexponential(), sizes.Exponential(1.0)
    work, bounds = {"floor": floor()}, {}
    for load in (0.5, 0.9):
        for name, size, number, bound in (("hyperexponential", hyper, 1, 6), ("exponential", exponential, 0, 5)):
            what = f"{name}, m = {number}, load {load}"
            work[what], bounds[what] = servers(size, load, number), at_most(bound)
    work["exponential, m = 0, load 0.9, one replication"] = servers(exponential, 0.9, 0, 1)
    times = seconds(work)
    least = times.pop("floor")
    rows = [Row("floor: one exponential and one uniform number", f"{least / JUMPS * 1e9:.1f} ns")]
    return rows + [_times(name, each, least, bounds.get(name)) for name, each in times.items()]


def large():
    """A hundred servers, two or three for each job: against the floor, another size, and a look through the queue."""

    def servers(size, number=100, degree=2, m=1, jumps=JUMPS, simulate=multiserver.simulate):
        system = {**random_servers(0.9, degree, number, size.mean), "sizes": size, "interruptions": m}
        return lambda: simulate(**system, jumps=jumps // LANES, warmup=0, replications=LANES)

    hyper, bimodal = sizes.bimodal_hyperexponential(), sizes.bimodal_phases()
    scanned = JUMPS // 20
    bounds = {
        "bimodal phases, d = 2, m = 0": at_most(5),
        "bimodal phases, d = 2, m = 1": at_most(5),
        "hyperexponential, d = 2, m = 1": at_most(10),
        "hyperexponential, d = 3, m = 1": None,
    }
    times = seconds(
        {
            "floor": floor(),
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
    growth = times["S = 1000"] / times["S = 10"]
    slower = times["scanned"] / scanned / (times["hyperexponential, d = 2, m = 1"] / JUMPS)
    return [
        *(_times(name, times[name], times["floor"], bound) for name, bound in bounds.items()),
        Row("S = 1000 over S = 10, bimodal, m = 1", f"{growth:.2f} x", growth, at_most(1.4)),
        Row("looking through the queue at every event, hyperexponential", f"{slower:.0f} x", slower, at_least(20)),
    ]


def companion():
    """CPU seconds times the squared half width of the mean number of jobs: without a companion, over with it."""
    hyper, beside = sizes.bimodal_hyperexponential(), multiserver.simulate_beside_balanced_fairness
    cases = [
        (f"three servers, m = {m}, load {load}", beside, three_servers(load), m, bound)
        for load, m, bound in ((0.5, 1, at_least(5)), (0.8, 30, at_least(100)), (0.95, 100, at_least(500)))
    ]
    pairs, sharing = random_servers(0.95, 2), multiserver.simulate_assignment_beside_processor_sharing
    cases.append(("2 of 100 servers, m = 10, load 0.95", sharing, pairs, 10, at_least(2)))
    return [_gain(*case[:2], {**case[2], "sizes": hyper, "interruptions": case[3]}, case[4]) for case in cases]


def _gain(what, beside, system, bound):
    """One row of `companion`."""
    replications = 40
    jumps = JUMPS * (2 + system["interruptions"]) // 20 // replications  # about as many jobs for each number
    jumps *= 10 if isinstance(system["graph"], multiserver.RandomAssignment) else 1  # many servers forget slowly
    length = {"jumps": jumps, "warmup": jumps // 4, "replications": replications, "seed": 7}
    assigned = {"assignment": system["graph"], "arrival_rate": system["arrival_rates"]}
    own = {**assigned, **{name: system[name] for name in ("sizes", "interruptions")}}
    of_beside = own if beside is multiserver.simulate_assignment_beside_processor_sharing else system
    found = {}

    def work(name, simulate, arguments):
        def piece():
            found[name] = simulate(**arguments, **length)

        return piece

    pieces = {"plain": work("plain", multiserver.simulate, system), "beside": work("beside", beside, of_beside)}
    times = seconds(pieces, rounds=1, clock=time.process_time)
    cost = {name: times[name] * np.mean(result.mean_jobs.half_width**2) for name, result in found.items()}
    ratio = cost["plain"] / cost["beside"]
    return Row(what, f"{ratio:,.0f} x", ratio, bound)


def recursion():
    """Balanced fairness by the recursion over sets of classes, each with a server of its own and one in common."""

    def classes(number):
        graph = multiserver.CompatibilityGraph([{i, number} for i in range(number)], [1.0] * (number + 1))
        return lambda: multiserver.balanced_fairness(graph, [0.6] * number)

    times = seconds({number: classes(number) for number in (10, 15, 20)})
    return [Row(f"{number} classes, {2**number:,} sets", f"{each * 1e3:.1f} ms") for number, each in times.items()]


def peers():
    """Events per second on M/M/1 at load 0.8 against two simulation libraries: without records, and with.

    Ciw keeps a record of each job whether asked or not; of SimPy's jobs the response times are put into a list. With
    records each piece ends with the ninth decile of the response times. The kernel of many servers, whose replications
    run side by side, keeps none; that of one processor does, a replication after the other.
    """
    graph = multiserver.CompatibilityGraph([[0]], [1.0])
    run = {"jumps": JUMPS // LANES, "warmup": 0, "replications": LANES}

    def recorded():
        result = uniprocessor.simulate("FCFS", [0.5, 0.5], [0.4, 0.4], sizes=sizes.Exponential(), records=True, **run)
        result.records.quantile("response_time", 0.9)

    ours = "this library's multi-server kernel", "this library's kernel of one processor, records on"
    times = seconds(
        {
            ours[0]: lambda: multiserver.simulate(graph, [0.8], sizes.Exponential(1.0), 0, **run),
            "Ciw": _with_ciw,
            "SimPy": _with_simpy,
            ours[1]: recorded,
            "Ciw, records on": lambda: _ninth_decile(_with_ciw()),
            "SimPy, records on": lambda: _ninth_decile(_with_simpy(records=True)),
        }
    )
    speed = {name: (JUMPS if name in ours else 1.6 * UNTIL) / each for name, each in times.items()}
    rows = []
    for own, more, bounds in zip(ours, ("", ", records on"), ((400, 200), (100, 50))):
        rows.append(Row(own, f"{speed[own]:,.0f} /s"))
        for peer, least in zip(("Ciw", "SimPy"), bounds):
            ratio = speed[own] / speed[peer + more]
            what = f"times the rate of {peer}{more} ({speed[peer + more]:,.0f} /s)"
            rows.append(Row(what, f"{ratio:.0f} x", ratio, at_least(least)))
    return rows


def _ninth_decile(response_times):
    return np.quantile(response_times(), 0.9)


def _with_ciw():
    """A run of Ciw; what gives the response times of its jobs."""
    import ciw

    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(rate=0.8)],
        service_distributions=[ciw.dists.Exponential(rate=1.0)],
        number_of_servers=[1],
    )
    ciw.seed(1)
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(UNTIL)
    return lambda: [one.exit_date - one.arrival_date for one in simulation.get_all_records()]


def _with_simpy(records=False):
    """A run of SimPy; what gives the response times of its jobs, none if there are no records."""
    import simpy

    draw, environment, response_times = random.Random(1), simpy.Environment(), []
    server = simpy.Resource(environment, capacity=1)

    def job():
        arrived = environment.now
        with server.request() as request:
            yield request
            yield environment.timeout(draw.expovariate(1.0))
        if records:
            response_times.append(environment.now - arrived)

    def arrivals():
        while True:
            yield environment.timeout(draw.expovariate(0.8))
            environment.process(job())

    environment.process(arrivals())
    environment.run(until=UNTIL)
    return lambda: response_times
