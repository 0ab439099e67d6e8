"""What is said of each curve of `ctmc`, Figures 2, 3, 4, by the arrival rates of `domains.CURVES`."""

from dataclasses import replace

import numpy as np

from compendium.press.words import SCALE, allows
from pages.cluster_chain.domains import CURVES, RESOLVED, apart, measured, rises, surface
from pages.cluster_chain.systems import SERVERS, TRACKER_RATES, figure_2, figure_3

OTHERS = ("blocking", "utilisation", "mean_jobs_in_service")


def least_settled(line, axis, word):
    """The first value of an axis from which on a line, to its end, differs from there by no more than a word says."""
    return next((value for k, value in enumerate(axis) if allows(word, apart(line[k:], line[k]).max())), None)


def by_tracker(system):
    """Delays against the tracker rate: whether they fall, fall sharply at first, and little later; the first fall."""
    delay = surface(figure_2, TRACKER_RATES, CURVES, "mean_delay", system)
    threefold = 1 - delay[TRACKER_RATES.index(30)] / delay[0]
    sharp = np.array([allows("much", fall) for fall in threefold])
    little = np.array([least_settled(line, TRACKER_RATES[:-1], "close") is not None for line in delay.T])
    return (rises(delay) < -RESOLVED).all(axis=0), sharp, little, threefold


def settled(quantity, system):
    """From which tracker rate on a measure changes little: the arrival rates that are resolved, and that rate."""
    values = surface(figure_2, (*TRACKER_RATES, 1e6), CURVES, quantity, system)
    seen = np.flatnonzero((values > RESOLVED).all(axis=0) | (quantity != "blocking"))
    return seen, [least_settled(line, TRACKER_RATES[:-1], "close") for line in values[:, seen].T]


def limited_by_the_tracker(system):
    """By arrival rate, whether 1 % more of the tracker's rate is worth more than of the servers', by tracker rate."""
    found = {}
    for rate in CURVES:
        found[rate] = slow = {}
        for tracker in (5, *TRACKER_RATES):
            cluster = system(figure_2(tracker, rate))
            faster = [
                replace(cluster, **{name: 1.01 * getattr(cluster, name)}) for name in ("tracker_rate", "service_rates")
            ]
            lost = [measured(changed)["blocking"] for changed in faster]
            if max(lost) > 1e-12:
                slow[tracker] = lost[0] < lost[1]
    return found


def changes_once(slow):
    """Whether the tracker is the bottleneck up to some rate of it, and not beyond."""
    until = sum(slow.values())
    return 0 < until < len(slow) and list(slow.values()) == [True] * until + [False] * (len(slow) - until)


def enough_servers(system):
    """From which number of servers on 16 make hardly a difference, by arrival rate."""
    use, delay = (surface(figure_3, SERVERS, CURVES, name, system)[::-1] for name in ("utilisation", "mean_delay"))
    least = []
    for rate in range(len(CURVES)):
        near = [
            max(apart(curve[k, rate], curve[0, rate]) for curve in (use, delay)) for k in range(len(SERVERS))
        ]  # from 16 servers down
        least.append(16 - next((k for k, gap in enumerate(near) if not allows("practically equal", gap)), 16) + 1)
    return least


def by_jobs(system):
    """Jobs in service and delays from 1 to 16 servers: whether the ones explain the others, and by how much."""
    jobs, delay = (surface(figure_3, SERVERS, CURVES, name, system) for name in ("mean_jobs_in_service", "mean_delay"))
    steps = rises(jobs)
    rising = (steps > -RESOLVED).all(axis=0) & (steps > RESOLVED).any(axis=0)
    shorter, more = 1 - delay[-1] / delay[0], 1 - jobs[0] / jobs[-1]
    explained = more > SCALE["practically equal"].most
    return rising & (explained | (shorter <= SCALE["close"].most)), explained, shorter, more
