"""Replays: jobs a second, beside a plain loop in Python, beside SimPy, and with queues of thousands."""

import functools
import heapq
import importlib.util
import time

import numpy as np

from benchmarks.timing import Row, at_least, not_measured, seconds
from clustershare.multiserver import CompatibilityGraph
from clustershare.workload import RULES, Workload, replay_cluster, replay_dispatch, replay_processor, replay_servers

JOBS, FEW, PARALLEL = 500_000, 5000, 200_000
SHARES = (0.5, 0.3, 0.2)
SERVERS = 1000


def tables():
    """Yield each table as a title and its rows."""
    yield "Ten processors, a load of 0.9: jobs replayed a second", ten_processors()
    yield "Parallel jobs on a thousand servers, thousands in line: jobs replayed a second", backfilling()


def log(jobs, load, seed=1):
    """Jobs of three groups that come at rate 1."""
    rng = np.random.Generator(np.random.SFC64(seed))
    return Workload(
        np.cumsum(rng.standard_exponential(jobs)), load * rng.standard_exponential(jobs), rng.integers(0, 3, jobs)
    )


def parallel_log(jobs, load=1.1, seed=1):
    """Jobs on 1 to 128 of the servers, more than can be served, with estimates up to ten times as long."""
    rng = np.random.Generator(np.random.SFC64(seed))
    servers, sizes = 2 ** rng.integers(0, 8, jobs), rng.lognormal(0.0, 1.5, jobs)
    between = (servers * sizes).mean() / SERVERS / load
    return Workload(
        np.cumsum(between * rng.standard_exponential(jobs)), sizes, rng.integers(0, 3, jobs), servers,
        estimates=sizes * rng.uniform(1, 10, jobs),
    )  # fmt: skip


def plain_first_come(jobs):
    """First come, first served on ten processors, in Python."""
    free, starts = [0.0] * 10, []
    for arrival, size in zip(jobs.arrivals.tolist(), jobs.sizes.tolist()):
        starts.append(max(arrival, heapq.heappop(free)))
        heapq.heappush(free, starts[-1] + size)
    return starts


def simpy_first_come(jobs):
    """The same in SimPy."""
    import simpy

    environment, starts = simpy.Environment(), []
    processors = simpy.Resource(environment, 10)

    def served(size):
        with processors.request() as request:
            yield request
            starts.append(environment.now)
            yield environment.timeout(size)

    def source():
        for arrival, size in zip(jobs.arrivals.tolist(), jobs.sizes.tolist()):
            yield environment.timeout(max(arrival - environment.now, 0.0))
            environment.process(served(size))

    environment.process(source())
    environment.run()
    return starts


def plain_easy(jobs):
    """EASY with exact estimates, in Python: the line a list, the jobs that run a list by their ends."""
    free, line, running, starts, arrived = SERVERS, [], [], {}, 0
    arrivals, sizes, servers = jobs.arrivals.tolist(), jobs.sizes.tolist(), jobs.servers.tolist()
    while len(starts) < len(arrivals):
        if arrived < len(arrivals) and (not running or arrivals[arrived] < running[0][0]):
            now = arrivals[arrived]
            line.append(arrived)
            arrived += 1
        else:
            now, need = running.pop(0)
            free += need

        def begin(j, now=now):
            starts[j] = now
            running.append((now + sizes[j], servers[j]))
            running.sort()
            return servers[j]

        while line and servers[line[0]] <= free:
            free -= begin(line.pop(0))
        if line:
            spare, until = free - servers[line[0]], now
            for end, need in running:
                if spare >= 0 and end > until:
                    break
                spare, until = spare + need, end
            for j in line[1:]:
                if servers[j] <= free and (now + sizes[j] <= until or servers[j] <= spare):
                    spare -= servers[j] * (now + sizes[j] > until)
                    free -= begin(j)
                    line.remove(j)
    return [starts[j] for j in range(len(arrivals))]


def rate(jobs, taken):
    """Jobs a second, in words too."""
    return f"{jobs / taken / 1e6:.2f} million" if jobs / taken > 1e5 else f"{jobs / taken:,.0f}", jobs / taken


def ten_processors():
    """Each replay by itself, and how many times the rate of a plain loop and of SimPy the first has."""
    many, few, one = log(JOBS, 9.0), log(FEW, 9.0), log(JOBS, 0.9)
    graph, three = CompatibilityGraph([{0, 1}, {1, 2}, {0, 2}], [1, 1, 1]), log(JOBS, 2.7)
    several = functools.partial(replay_dispatch, many, required_shares=SHARES, processors=10)
    work = {
        "FCFS": lambda: replay_cluster(many, 10),
        "JSQ/PS": lambda: several("JSQ"),
        "JSQ/GPPS, migration": lambda: several("JSQ", local="GPPS", migration=True),
        "fair share": lambda: replay_cluster(many, 10, "fair share", required_shares=SHARES, half_life=100.0),
        "one processor, FCFS": lambda: replay_processor(one, "FCFS", SHARES),
        "one processor, PS": lambda: replay_processor(one, "PS", SHARES),
        "one processor, UD": lambda: replay_processor(one, "UD", SHARES),
        "three compatible servers, one interruption": lambda: replay_servers(three, graph, 1),
    }
    bounds = {"FCFS": at_least(1e6), "JSQ/PS": at_least(1e6)}
    times = seconds(work, rounds=3, clock=time.process_time)
    rows = []
    for name, taken in times.items():
        shown, found = rate(JOBS, taken)
        rows.append(Row(name, shown, found, bounds.get(name)))
    assert np.allclose(plain_first_come(few), replay_cluster(few, 10).start)
    beside = {"a plain loop in Python, FCFS": lambda: plain_first_come(few)}
    if importlib.util.find_spec("simpy"):
        beside["SimPy, FCFS"] = lambda: simpy_first_come(few)
    else:
        rows.append(not_measured("SimPy, FCFS: not installed", at_least(50)))
    for name, taken in seconds(beside, rounds=3, clock=time.process_time).items():
        shown, found = rate(FEW, taken)
        times_slower = JOBS / times["FCFS"] / found
        rows.append(Row(f"{name}: {shown}", f"{times_slower:.2g} x", times_slower,
                        at_least(50) if "SimPy" in name else None))  # fmt: skip
    return rows


def backfilling():
    """Each rule, and how many times the rate of a plain loop EASY has on the same few jobs."""
    many, few = parallel_log(PARALLEL), parallel_log(FEW, load=2.0)
    work = {rule: functools.partial(replay_cluster, many, SERVERS, rule, required_shares=SHARES) for rule in RULES}
    work["EASY, exact estimates"] = lambda: replay_cluster(many, SERVERS, "EASY", exact_estimates=True)
    rows = []
    for name, taken in seconds(work, rounds=2, clock=time.process_time).items():
        queue = work[name]().performance.mean_queue
        shown, found = rate(PARALLEL, taken)
        rows.append(Row(f"{name}, {queue:,.0f} in line", shown, found, at_least(1e5)))
    exact = functools.partial(replay_cluster, few, SERVERS, "EASY", exact_estimates=True)
    assert np.allclose(plain_easy(few), exact().start)
    taken = seconds({"plain": lambda: plain_easy(few), "ours": exact}, rounds=0, clock=time.process_time)
    times, queue = taken["plain"] / taken["ours"], exact().performance.mean_queue
    shown, _ = rate(FEW, taken["plain"])
    what = f"a plain loop in Python, EASY, {queue:,.0f} in line: {shown}"
    rows.append(Row(what, f"{times:.0f} x", times, at_least(20)))
    return rows
