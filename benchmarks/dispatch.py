"""Policies: an event against the floor, a plain scan and SimPy, and how it grows with processors and with probes."""

import functools
import random
import time

import numba
import numpy as np

from benchmarks.timing import JUMPS, Row, at_least, at_most, below, floor, seconds
from clustershare import dispatch
from clustershare.arrivals import MarkovModulated
from clustershare.sizes import ErlangMixture

SIZES = (10, 100, 1000)
JUMPS_OF_SIMPY = 5000


def tables():
    """Yield each table as a title and its rows."""
    yield "JSQ with PS, ten processors, load 0.8: time a jump, and times the floor", shortest_queue()
    yield "Central policies beside one line: plain time over its own, for the same interval", companion()
    yield "Central policies with GPPS and migration: nanoseconds a jump, and growth with the processors", growth()
    yield "Drawn sizes, load 0.8: records of jobs and other arrivals, times without", options()
    yield "Distributed policies with GPPS and migration: a jump with 3 of 10, 3 of 1000, 250 of 1000 asked", probes()


def piece(policy, processors, jumps=JUMPS, **settings):
    """Work: a run of a policy with two groups at load 0.8."""
    return lambda: dispatch.simulate_central(
        policy, required_shares=(0.5, 0.5), loads=(0.4, 0.4), processors=processors, jumps=jumps, warmup=0,
        replications=1, **settings,
    )  # fmt: skip


@numba.njit
def _scan(rng, processors, jumps):
    """JSQ with PS and all functionals, every event by going through all processors: what the orders are measured by."""
    jobs, share, required = np.zeros((processors, 2)), np.zeros((processors, 2)), np.full(2, 0.5)
    sums = np.zeros(6)
    for _ in range(jumps):
        busy = 0
        for p in range(processors):
            total = jobs[p, 0] + jobs[p, 1]
            busy += total > 0
            for g in range(2):
                share[p, g] = jobs[p, g] / total / processors if total > 0 else 0.0
        hold = 1 / (0.8 + busy / processors)
        for g in range(2):
            present = jobs[:, g].sum()
            sums[g] += hold * min(required[g], present / processors)
            sums[2 + g] += hold * share[:, g].sum()
        sums[4] += hold * min(jobs.sum() / processors, 1.0)
        sums[5] += hold * busy / processors
        u = rng.random() * (0.8 + busy / processors)
        if u < 0.8:
            best, ties = np.inf, 0
            chosen = 0
            for p in range(processors):
                total = jobs[p, 0] + jobs[p, 1]
                if total < best:
                    best, ties, chosen = total, 1, p
                elif total == best:
                    ties += 1
                    if rng.random() * ties < 1:
                        chosen = p
            jobs[chosen, int(u >= 0.4)] += 1
        else:
            u -= 0.8
            for p in range(processors):
                for g in range(2):
                    if u >= 0 and u < share[p, g]:
                        jobs[p, g] -= 1
                    u -= share[p, g]
    return sums


def shortest_queue():
    """Times the floor, and how much faster than a scan."""
    rng = np.random.Generator(np.random.SFC64(1))
    work = {"floor": floor(), "orders": piece("JSQ", 10), "scan": lambda: _scan(rng, 10, JUMPS), "SimPy": with_simpy}
    times = seconds(work, rounds=5)
    least, orders, scan = times["floor"], times["orders"], times["scan"]
    ratio = times["SimPy"] / JUMPS_OF_SIMPY / (orders / JUMPS)
    return [
        Row("JSQ/PS", f"{orders / JUMPS * 1e9:.0f} ns, {orders / least:.1f} x", orders / least, at_most(10)),
        Row("a plain scan", f"{scan / JUMPS * 1e9:.0f} ns, {scan / orders:.1f} x", scan / orders, at_least(3)),
        Row("SimPy", f"{times['SimPy'] / JUMPS_OF_SIMPY * 1e6:.0f} us, {ratio:.0f} x", ratio, at_least(180)),
    ]


def with_simpy():
    """The same system and functionals in SimPy; who is interrupted draws its time anew, for it is memoryless."""
    import simpy

    draw, environment = random.Random(1), simpy.Environment()
    jobs, obtained, sums, last = [[] for _ in range(10)], [0.0, 0.0], [0.0] * 6, [0.0]

    def change(p, group, comes):
        hold, last[0] = environment.now - last[0], environment.now
        present, busy = [0, 0], 0
        for each in jobs:
            busy += bool(each)
            for one in each:
                present[one] += 1
        for g in range(2):
            sums[g] += hold * min(0.5, present[g] / 10)
            sums[2 + g] += hold * obtained[g]
        sums[4] += hold * min(sum(present) / 10, 1.0)
        sums[5] += hold * busy / 10
        for one in jobs[p]:
            obtained[one] -= 0.1 / len(jobs[p])
        (jobs[p].append if comes else jobs[p].remove)(group)
        for one in jobs[p]:
            obtained[one] += 0.1 / len(jobs[p])

    def serve(p):
        while True:
            try:
                yield environment.timeout(draw.expovariate(0.1) if jobs[p] else 1e9)
                change(p, draw.choice(jobs[p]), False)
            except simpy.Interrupt:
                pass

    processors = [environment.process(serve(p)) for p in range(10)]

    def arrivals():
        while True:
            yield environment.timeout(draw.expovariate(0.8))
            lengths = [len(each) for each in jobs]
            p = draw.choice([p for p in range(10) if lengths[p] == min(lengths)])
            change(p, draw.randrange(2), True)
            processors[p].interrupt()

    environment.process(arrivals())
    environment.run(until=JUMPS_OF_SIMPY / 1.6)


def companion():
    """CPU seconds times the squared half width: without the line, over with it; load 0.8, ten processors, PS."""
    rows = []
    for policy, bounds in (("JSQ", (at_least(5), at_least(1.5))), ("DVP", (None, None))):
        found = {}

        def work(simulate, found=found, policy=policy):
            def piece():
                found[simulate] = simulate(
                    policy, required_shares=(0.5, 0.5), loads=(0.4, 0.4), processors=10, jumps=JUMPS // 40,
                    warmup=JUMPS // 200, replications=40,
                )  # fmt: skip

            return piece

        pieces = {one: work(one) for one in (dispatch.simulate_central, dispatch.simulate_central_beside_queue)}
        plain, beside = seconds(pieces, rounds=1, clock=time.process_time).values()
        for quantity, bound in zip(("mean_jobs", "group_share_deviation"), bounds):
            widths = [np.mean(getattr(one, quantity).half_width ** 2) for one in found.values()]
            ratio = plain * widths[0] / (beside * widths[1])
            rows.append(Row(f"{policy}: {quantity.replace('_', ' ')}", f"{ratio:,.1f} x", ratio, bound))
    return rows


def growth():
    """Rates at 10, 100 and 1000 processors; JSQ and HP may grow by less than 3 times."""
    rows = []
    for policy in dispatch.POLICIES:
        jumps = JUMPS // 4
        for migration in (False, True) if policy in ("JSQ", "HP") else (True,):
            work = {P: piece(policy, P, jumps, migration=migration, local="GPPS") for P in SIZES}
            times = {P: each / jumps * 1e9 for P, each in seconds(work, rounds=2).items()}
            grown = times[SIZES[-1]] / times[SIZES[0]]
            shown = ", ".join(f"{each:.0f}" for each in times.values())
            bound = below(3) if policy in ("JSQ", "HP") else None
            what = f"{policy}{', migration' if migration else ''}: growth {grown:.1f} x"
            rows.append(Row(what, f"{shown} ns", grown, bound))
    return rows


def options():
    """What records and Markov-modulated arrivals cost, of runs with drawn sizes."""
    bursts = MarkovModulated((0.5, 3.0), ((0.0, 0.25), (1.0, 0.0)))
    central = {policy: piece_of(policy) for policy in ("JSQ", "HP", "DVP")}
    network = {f"{policy}, distributed": distributed_piece_of(policy) for policy in ("JSQ", "SVP")}
    rows = []
    for name, work in {**central, **network}.items():
        given = {"plain": {}, "records": {"records": True}, "modulated arrivals": {"arrivals": bursts}}
        pieces = {what: functools.partial(work, **more) for what, more in given.items()}
        times = seconds(pieces, rounds=5, clock=time.process_time)
        for what, bound in (("records", at_most(1.1)), ("modulated arrivals", at_most(1.2))):
            ratio = times[what] / times["plain"]
            rows.append(Row(f"{name}: {what}", f"{ratio:.2f} x", ratio, bound))
    return rows


def piece_of(policy):
    """A run of a policy with migration and sizes of two phases, to be given more."""
    settings = {"migration": True, "sizes": ErlangMixture(0.5, (2,), (1.0,))}
    return lambda **more: piece(policy, 10, JUMPS // 2, **settings, **more)()


def distributed_piece_of(policy):
    """A run of a distributed policy, to be given more."""
    return lambda **more: distributed(policy, 10, 3, JUMPS // 4, **more)()


def probes():
    """In small and large clusters: a processor more costs nothing but where it is asked."""
    sizes = {(P, 3): JUMPS // 10 for P in (10, 100, 1000)}
    rows, lengths = [], {**sizes, (1000, 250): JUMPS // 100}
    for policy in ("JSQ", "HP", "SVP", "DVP"):
        work = {at: distributed(policy, *at, jumps) for at, jumps in lengths.items()}
        times = seconds({"floor": floor(), **work}, rounds=3)
        least = times["floor"] / JUMPS
        small, some, many, wide = (times[at] / jumps for at, jumps in lengths.items())
        shown = f"{1e-6 / small:.1f} million jumps a second, {small / least:.0f} x the floor"
        rows.append(Row(f"{policy}: 3 of 10", shown, small / least, at_most(160)))
        for P, one in ((100, some), (1000, many)):
            shown = f"{1e-6 / one:.1f} million jumps a second, {one / small:.1f} x"
            rows.append(Row(f"{policy}: 3 of {P}", shown, one / small, below(3)))
        asked = wide / 250  # a jump is an arrival or a departure, and either asks
        shown = f"{wide * 1e6:.2f} us, {asked * 1e9:.0f} ns for each that is asked"
        rows.append(Row(f"{policy}: 250 of 1000", shown, asked / (small / 3), below(1)))
    return rows


def distributed(policy, processors, limit, jumps, **settings):
    """Work: a run of a distributed policy with two groups at load 0.8; the network is quick enough for 1000."""
    return lambda: dispatch.simulate_distributed(
        policy, required_shares=(0.5, 0.5), loads=(0.4, 0.4), processors=processors, probe_limit=limit,
        migration_service_time=1e-4, jumps=jumps, warmup=0, replications=1, **settings,
    )  # fmt: skip
