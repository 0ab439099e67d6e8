"""One processor: the event kernel of each policy, and the chains of PPS and GPPS as they grow."""

import functools
import math
from time import process_time

import numpy as np

from benchmarks.timing import JUMPS, Row, at_most, floor, seconds
from clustershare import uniprocessor
from clustershare.arrivals import MarkovModulated
from clustershare.sizes import Exponential
from clustershare.uniprocessor.analysis import sharing_rule
from clustershare.uniprocessor.chain import distribution
from clustershare.uniprocessor.model import Workload
from pages.share_scheduling.one_processor.systems import two_groups


def tables():
    """Yield each table as a title and its rows."""
    yield "One processor, two groups, load 0.8: time a jump, and times the floor", kernels()
    yield "Drawn times, load 0.8: records of jobs and other arrivals, times without", options()
    yield "The chains of shared processors", chains()


def kernels():
    """Nanoseconds a jump of each policy, and their ratio to the floor."""

    def piece(policy):
        return lambda: uniprocessor.simulate(policy, **two_groups(0.3, 0.8), jumps=JUMPS, warmup=0, replications=1)

    times = seconds({"floor": floor(), **{policy: piece(policy) for policy in uniprocessor.POLICIES}})
    least = times.pop("floor")
    return [Row(policy, f"{each / JUMPS * 1e9:.0f} ns, {each / least:.1f} x") for policy, each in times.items()]


def options():
    """Of runs with drawn times: what records and Markov-modulated arrivals cost.

    A run that need not draw times, because all are exponential, does so for records: 1.8 to 1.9.
    """
    bursts = MarkovModulated((0.5, 3.0), ((0.0, 0.25), (1.0, 0.0)))
    given = {"plain": {}, "records": {"records": True}, "modulated arrivals": {"arrivals": bursts}}
    bounds, rows = {"records": at_most(1.1), "modulated arrivals": at_most(1.2)}, []
    system = {**two_groups(0.3, 0.8), "sizes": Exponential(), "jumps": JUMPS, "warmup": 0, "replications": 1}
    for policy in ("FCFS", "PQ", "PS", "GPPS"):
        run = functools.partial(uniprocessor.simulate, policy, **system)
        times = seconds({name: functools.partial(run, **more) for name, more in given.items()}, clock=process_time)
        for name, bound in bounds.items():
            ratio = times[name] / times["plain"]
            rows.append(Row(f"{policy}: {name}", f"{ratio:.2f} x", ratio, bound))
    return rows


def chains():
    """Microseconds a state as the number of states grows, for two and for three groups."""
    rows = []
    for shares, levels in (((0.6, 0.4), (50, 100, 200, 400)), ((0.5, 0.3, 0.2), (20, 40, 80, 120))):
        for policy in ("PPS", "GPPS"):
            rows += _growth(Workload(policy, shares, 0.8 * np.array(shares), 1.0, 0), levels)
    return rows


def _growth(work, levels):
    groups, rule = len(work.required_shares), sharing_rule(work)
    states = {level: math.comb(level + groups, groups) for level in levels}
    times = seconds({level: lambda level=level: distribution(level, work, rule) for level in levels})
    rows = []
    for level in levels:
        each = f"{times[level] / states[level] * 1e6:.1f} us each, {times[level]:.2f} s"
        rows.append(Row(f"{groups} groups, {work.policy}, load 0.8: {states[level]:,} states", each))
    power = np.polyfit(np.log(list(states.values())), np.log([times[level] for level in levels]), 1)[0]
    what = f"{groups} groups, {work.policy}: power of the number of states"
    return [*rows, Row(what, f"{power:.2f}", power, at_most(1.5))]
