"""Periodic probing: the points of `thesis`, Figures 6.4 and 6.5, and what Section 6.7.2 compares them with."""

import functools
from dataclasses import replace
from fractions import Fraction

import numpy as np

from clustershare import splitting
from pages.share_scheduling.distributed.points.stored import DEVIATION, REQUESTS, measured
from pages.share_scheduling.distributed.systems import CASES, LIMITS, PERIODS, POLICIES, SHORT_PERIODS
from pages.share_scheduling.distributed.witnesses.parts import Setting
from pages.share_scheduling.distributed.witnesses.recorded import path

ALL = tuple(sorted({*PERIODS, *SHORT_PERIODS}))
PROCESSORS, LIMIT, ARRIVING = 10, 3, 8.0  # P, L^P, and lambda, the jobs that arrive per unit of time
EQUAL = PROCESSORS / (2 * ARRIVING)  # the mean period with as many requests as on demand
BOUNDS = (0.9, 1.1)  # of a period, in mean periods
EXTREMES = (0.1, 0.3, 0.625, 1.0, 3.0, 10.0)  # mean periods at which constant periods are looked at


@functools.cache
def by_period(quantity=DEVIATION, periods=ALL, reading=None, index=None, fidelity="book"):
    """A quantity by policy and mean period; "keep replies", "drop old" and "replies only" are other readings."""
    study, more = ("periods", {}) if reading is None else ("readings", {"reading": reading})
    found = measured(study, quantity, "probe_period", index=index, fidelity=fidelity, probe_period=ALL, **more)
    return found.at(mean_period=periods)


@functools.cache
def on_demand(quantity=DEVIATION, limits=(LIMIT,), index=None, fidelity="book"):
    """The same with on-demand probing, by policy and limit: points of Figures 6.1 to 6.3."""
    found = measured("limits", quantity, "probe_limit", index=index, fidelity=fidelity, case=1, probe_limit=LIMITS)
    return found.at(limit=limits)


@functools.cache
def isolation(case=1):
    """Delta^G of processors by themselves, HPRS with GPPS; exact but for a chain's error."""
    shares, loads = CASES[case]
    capacities = [1 / PROCESSORS] * PROCESSORS
    return float(splitting.horizontal(shares, loads, capacities, "GPPS").group_share_deviation.max())


def uninformed():
    """Delta^G without probing, by policy: HPRS, but for SVP, which places jobs by its rule I5 all the same."""
    found = on_demand(DEVIATION, (0,)).at(limit=0)
    svp = np.array(POLICIES) == "SVP"
    return replace(found, value=np.where(svp, found.value, isolation()), half=found.half * svp)


def requests(bounds=BOUNDS, periods=ALL):
    """How many requests are sent per unit of time, with periods uniform within these bounds times the mean: ndarray."""
    return PROCESSORS / (np.asarray(periods) * np.mean(bounds))


def messages(periods=ALL, limit=LIMIT):
    """Requests and replies per unit of time with periodic probing: ndarray."""
    return (1 + limit) * requests(periods=periods)


def messages_on_demand(limits):
    """The same on demand: a request at each arrival and each departure."""
    return 2 * ARRIVING * (1 + np.asarray(limits))


def sent(kind=REQUESTS, periods=ALL):
    """The requests or replies counted per unit of time."""
    return by_period("traffic", periods, index=kind)


@functools.cache
def at_loads(quantity, index=None, loads=(0.1, 0.4, 0.8), cases=(1, 2)):
    """A quantity at the mean period `EQUAL`, whatever the load: by policy, load and case."""
    return measured("periodic", quantity, "load", "case", index=index, probe_period=EQUAL, load=loads, case=cases)


@functools.cache
def kinds_of_period(quantity, fidelity="book"):
    """A quantity under JSQ with random and with constant periods.

    Returns
    -------
    dict
        (spread of the periods, phases): Points at the mean periods `EXTREMES`. Phases are "random" or "together".
    """
    spreads, phases = (0.1, 0.0), ("random", "together")
    found = measured(
        "periodic", quantity, "period_spread", "probe_phases", "probe_period", policies=("JSQ",), fidelity=fidelity,
        probe_period=EXTREMES, period_spread=spreads, probe_phases=phases,
    )  # fmt: skip
    return {(spread, each): found.at(policy="JSQ", spread=spread, phases=each) for spread in spreads for each in phases}


def unused_alone(period, load=0.8, bounds=BOUNDS):
    """The probability that nothing arrives or departs at a processor by itself between two of its requests.

    Its requests do not depend on its jobs; so at a request it is idle with probability 1 - load, and the next event
    comes at the rate load if it is idle, and load + 1 if it is busy.

    Examples
    --------
    >>> round(float(unused_alone(1.0)), 4)
    0.2229
    """
    low, high = (bound * period for bound in bounds)

    def quiet(rate):
        return (np.exp(-rate * low) - np.exp(-rate * high)) / (rate * (high - low))

    return (1 - load) * quiet(load) + load * quiet(load + 1)


def unused_on_path(period, events=20_000, seed=651):
    """The same, counted beside a path of the plain event loop: part, and three standard errors of it."""
    alone = Setting("Isolation", (Fraction(1),), (0.8,), 1, 0)
    times = [event.time for event in path(alone, events).events if event.what in ("arrives", "departs")]
    rng = np.random.default_rng(seed)
    asked = np.cumsum(period * rng.uniform(*BOUNDS, int(times[-1] / period * 1.2)))
    counts = np.histogram(times, asked[asked < times[-1]])[0]
    parts = (counts == 0)[: len(counts) // 50 * 50].reshape(50, -1).mean(axis=1)
    return parts.mean(), 3 * parts.std(ddof=1) / np.sqrt(50)
