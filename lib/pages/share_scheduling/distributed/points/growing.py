"""Systems that grow: the points of `thesis`, Figures 6.9 to 6.11, up to a thousand processors, and what probes cost.

Points are by policy and number of processors.
"""

import functools
import math
from dataclasses import replace

import numpy as np

from clustershare import splitting
from compendium.press import clauses
from pages.share_scheduling.distributed.points.stored import DEVIATION, MIGRATIONS, PART, REPLIES, REQUESTS, measured
from pages.share_scheduling.distributed.systems import CASES, MANY_PROCESSORS, POLICIES, PROCESSORS

LOAD, PROBE_TIME = 0.8, 1e-6
ALLOWED = 0.1
"""The utilisation of the network that Section 6.7.4 wants."""
LIMITS = {
    "0": lambda P: 0,
    "3": lambda P: 3,
    "log2 P": lambda P: math.ceil(math.log2(P) - 1e-9),
    "sqrt P": lambda P: math.ceil(math.sqrt(P) - 1e-9),
    "30": lambda P: min(30, P - 1),
    "P/4": lambda P: -(-P // 4),
    "P/4 down": lambda P: P // 4,
    "P/2": lambda P: P // 2,
    "P - 1": lambda P: P - 1,
}
"""How the probe limit may grow with the processors; rounded up where nothing is said."""
BETWEEN, THROTTLED = (6, 10, 14, 18), (50, 100, 200, 500, 1000)
FEW = ("0", "3", "P/4", "P - 1")
MANY = ("3", "log2 P", "sqrt P", "30", "P/4", "P/4 down", "P/2")
OVERLOADED = {
    (500, 3): POLICIES, (500, 9): ("SVP",), (500, 23): ("SVP",), (1000, 3): POLICIES, (1000, 10): POLICIES,
    (1000, 32): ("SVP",), (1000, 500): POLICIES,
}  # fmt: skip
"""(P, probe limit): the policies whose messages are, in one run at least, more than the network carries; `offered`."""


def part(P):
    """Of a fidelity's jumps: a thousand processors make as many in a hundredth of the time that ten take."""
    return 0.3 if P >= 500 else PART


@functools.cache
def _at(study, P, names, quantity, index, fidelity):
    """A quantity for all policies at some limits, nan where the network is overloaded: by the name of the limit."""
    groups = {}
    for limit in sorted({LIMITS[name](P) for name in names}):
        stable = tuple(policy for policy in POLICIES if policy not in OVERLOADED.get((P, limit), ()))
        groups.setdefault(stable, []).append(limit)
    found = {}
    for stable, limits in groups.items():
        rows = [POLICIES.index(policy) for policy in stable]
        values = np.full((2, len(POLICIES), len(limits)), np.nan)
        if stable:
            simulated = measured(
                study, quantity, "probe_limit", policies=stable, index=index, fidelity=fidelity, part=part(P),
                processors=P, probe_limit=tuple(limits),
            )  # fmt: skip
            values[:, rows] = simulated.value, simulated.half
        found |= {limit: values[:, :, k] for k, limit in enumerate(limits)}
    return {name: found[LIMITS[name](P)] for name in names}


def _along(quantity, sizes, found):
    """Values and half widths by policy, for each number of processors, as Points."""
    return clauses.measured(
        *np.stack(found, axis=-1), as_it_stands=quantity == DEVIATION, policy=POLICIES, number_of_processors=sizes
    )


def few(quantity, limit, index=None, fidelity="book"):
    """The points of Figures 6.9 to 6.11, on up to twenty processors, with a limit of `FEW`."""
    return _along(quantity, PROCESSORS, [_at("processors", P, FEW, quantity, index, fidelity)[limit]
                                         for P in PROCESSORS])  # fmt: skip


def many(quantity, limit, index=None, fidelity="book"):
    """The points of large systems, as `few`, with limits of `MANY`; nan where the network is overloaded."""
    return _along(quantity, MANY_PROCESSORS, [_at("many-processors", P, MANY, quantity, index, fidelity)[limit]
                                              for P in MANY_PROCESSORS])  # fmt: skip


def loaded(found):
    """The same, infinite where the network is overloaded."""
    full = np.isnan(found.value)
    return replace(found, value=np.where(full, np.inf, found.value), half=np.where(full, 0.0, found.half))


def throttled(quantity, fidelity="book", **other):
    """Points of large systems with the limit 3 and fewer migrations, on `THROTTLED` processors.

    `other` is a `gap`, for JSQ and HP, or `migration`.
    """
    found = [
        measured(
            "many-processors", quantity, policies=("JSQ", "HP") if "gap" in other else POLICIES, fidelity=fidelity,
            part=part(P), processors=P, probe_limit=3, **other,
        ) for P in THROTTLED
    ]  # fmt: skip
    value, half = (np.stack([getattr(each, one) for each in found], axis=-1) for one in ("value", "half"))
    return replace(found[0], value=value, half=half, axes=(*found[0].axes, ("number of processors", THROTTLED)))


def rounding(quantity, fidelity="book"):
    """The points between those of Figure 6.11, where P/4 is not whole: rounded down, and up; each as of `few`."""
    found = [
        measured(
            "processors", quantity, "probe_limit", fidelity=fidelity, processors=P, probe_limit=(P // 4, P // 4 + 1)
        ) for P in BETWEEN
    ]  # fmt: skip
    return [_along(quantity, BETWEEN, [(each.value[:, k], each.half[:, k]) for each in found]) for k in (0, 1)]


def excess(limit, points=few, reference="P - 1"):
    """Delta^G at a limit less that at a larger one, what it costs not to know the rest; 0 where both are one system."""
    one, other = points(DEVIATION, limit), points(DEVIATION, reference)
    difference = one - other
    return replace(difference, half=np.where(one.value == other.value, 0.0, difference.half))


def excess_at(quantity, asked):
    """What a quantity is above its value at full probing, with the same limit, or the same part, probed at each P.

    A part is below 1, and rounded up.
    """
    some, full = (
        [measured("processors", quantity, processors=P, probe_limit=limit(P)) for P in PROCESSORS]
        for limit in (lambda P: math.ceil(asked * P - 1e-9) if asked < 1 else asked, lambda P: P - 1)
    )
    one, other = (_along(quantity, PROCESSORS, [(each.value, each.half) for each in found]) for found in (some, full))
    return one - other


@functools.cache
def by_chance(P):
    """Delta^G of HPRS with GPPS, which is every policy but SVP without probing; exact."""
    found = splitting.horizontal(*CASES[1], np.full(P, 1 / P), "GPPS")
    return float(found.group_share_deviation.max())


def probing(P, limit):
    """What requests and replies bring to the network: 2 lambda (1 + L^P) S^P; exact.

    Examples
    --------
    >>> probing(10, 3), round(probing(1000, 250), 12)
    (6.4e-05, 0.4016)
    """
    return 2 * LOAD * P * (1 + limit) * PROBE_TIME


def probed(limit, points=many):
    """The same as simulated: `Points`."""
    requests, replies = (points("traffic", limit, kind) for kind in (REQUESTS, REPLIES))
    return requests.less(-replies, np.add).scaled(PROBE_TIME)


def migrations(limit, points=few):
    """Migrations for each job that arrives."""
    found = points("traffic", limit, MIGRATIONS)
    return found.scaled(1 / (LOAD * np.array(found.axes[-1][1])))


def first_above(limit, share=ALLOWED):
    """The least number of processors at which probes alone, with so many asked, bring more than that to the network.

    Parameters
    ----------
    limit : callable
        Of the number of processors; one of `LIMITS`.
    share : float

    Examples
    --------
    >>> first_above(lambda P: 3), first_above(LIMITS["P/4"])
    (15626, 497)
    """
    low, high = 1, 2
    while probing(high, limit(high)) <= share:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if probing(middle, limit(middle)) <= share else (low, middle)
    return high


def excess_of_segments(quantity=DEVIATION, processors=500, limit="30"):
    """What a quantity of subsystems with a network each, of ten and of twenty, is above that of one network for all.

    A subsystem is a system of its own, with a part of the arrivals; its processors ask a quarter of the others there.
    """
    one = many(quantity, limit).at(number_of_processors=processors)
    return many(quantity, "P/4").at(number_of_processors=(10, 20)) - one
