"""Where jobs arrive and whom their processors ask: the points of `thesis`, Figures 6.14 and 6.15, and paths for them.

A pair is the arrival preference and the probing preference, such as "VP/HP".
"""

import functools
import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np

from compendium.press import clauses
from pages.share_scheduling.distributed.points.stored import DEVIATION, measured
from pages.share_scheduling.distributed.systems import CASES, LIMITS, PREFERENCES
from pages.share_scheduling.distributed.witnesses.event_loop import PrintedNetwork
from pages.share_scheduling.distributed.witnesses.followed import library
from pages.share_scheduling.distributed.witnesses.parts import Setting

PROCESSORS = 10
PAIRS = tuple("/".join(pair) for pair in itertools.product(PREFERENCES, PREFERENCES))
MIXED, VERTICAL = ("HP/HP", "HP/VP", "VP/HP"), "VP/VP"
OTHERS = ("HP", "SVP", "DVP")
"""The policies besides JSQ, with equal preferences."""
BELOW = (1, 2, 3, 4)
"""Probe limits at which not all of a subset of five are known."""
EVENTS = 10_000


@functools.cache
def of_jsq(quantity=DEVIATION, case=1, index=None, fidelity="book", **other):
    """A quantity under JSQ, by pair and limit; `other` is `migration`."""
    found = measured(
        "preferences", quantity, "arrival_preference", "probing_preference", "probe_limit", policies=("JSQ",),
        index=index, fidelity=fidelity, case=case, arrival_preference=PREFERENCES, probing_preference=PREFERENCES,
        probe_limit=LIMITS, **other,
    )  # fmt: skip
    value, half = (part.reshape(len(PAIRS), len(LIMITS)) for part in (found.value, found.half))
    return replace(found, value=value, half=half, axes=(("pair", PAIRS), ("limit", LIMITS)))


@functools.cache
def confined(quantity=DEVIATION, case=1, index=None, fidelity="book"):
    """JSQ with VP/VP whose departures ask with VP preference too, which is not printed: by limit."""
    return measured(
        "preferences", quantity, "probe_limit", policies=("JSQ",), index=index, fidelity=fidelity, case=case,
        arrival_preference="VP", probing_preference="VP", probe_limit=LIMITS, reading="VP upon departures",
    ).at(policy="JSQ")  # fmt: skip


def chosen(quantity=DEVIATION, case=1, limits=BELOW, index=None, departures=False):
    """Of JSQ: VP/VP, by limit, and the three other pairs, by pair and limit; `departures` as in `confined`."""
    found = of_jsq(quantity, case, index).at(limit=limits)
    vertical = confined(quantity, case, index).at(limit=limits) if departures else found.at(pair=VERTICAL)
    return vertical, found.at(pair=MIXED)


@functools.cache
def of_others(pair, quantity=DEVIATION, case=1, index=None, fidelity="book"):
    """The same for HP, SVP and DVP with HP/HP or VP/VP: by policy and limit (`BELOW`)."""
    arrival, probing = pair.split("/")
    return measured(
        "preferences", quantity, "probe_limit", policies=OTHERS, index=index, fidelity=fidelity, case=case,
        arrival_preference=arrival, probing_preference=probing, probe_limit=BELOW,
    )  # fmt: skip


def setting(policy, case, limit, pair=VERTICAL, **more):
    """The plain, slow system: `parts.Setting`."""
    (shares, loads), (arrival, probing) = CASES[case], pair.split("/")
    return Setting(
        policy, tuple(map(Fraction, shares)), loads, PROCESSORS, limit, arrival=arrival, probing=probing, **more
    )  # fmt: skip


def subset(g, shares=(0.5, 0.5)):
    """Omega_g where groups require whole processors: set of int."""
    first = round(sum(shares[:g]) * PROCESSORS)
    return set(range(first, first + round(shares[g] * PROCESSORS)))


@functools.cache
def path(policy, case, limit, pair=VERTICAL, events=EVENTS, changed=()):
    """What happens on a path of the plain event loop: list of `parts.Event`."""
    network = PrintedNetwork(setting(policy, case, limit, pair, changed=changed), np.random.default_rng([case, limit]))
    while len(network.events) < events:
        network.step()
    return network.events


def follows(policy, case, limit, pair=VERTICAL, events=EVENTS):
    """Whether the library takes the path of the plain loop: the same clock and the same jobs after every tenth jump."""
    system = setting(policy, case, limit, pair)
    plain = PrintedNetwork(system, np.random.default_rng([case, limit]))
    cluster = library(system, np.random.default_rng([case, limit]))
    while len(plain.events) < events:
        plain.run(10)
        cluster.run(10)
        rows = [list(plain.row(p)) for p in range(PROCESSORS)]
        if abs(plain.now - cluster.clock[0]) > 1e-9 or rows != cluster.system.count[:, 1 : 1 + len(rows[0])].tolist():
            return False
    return True


def arrivals_apart(case, pair, limit, law):
    """How far rates of arrivals by group and processor under JSQ are from what a law says of them."""
    arrival, probing = pair.split("/")
    loads = np.array(CASES[case][1])
    parts = [
        measured(
            "preferences", "arrivals_at", policies=("JSQ",), index=k, case=case, arrival_preference=arrival,
            probing_preference=probing, probe_limit=limit,
        ) for k in range(len(loads) * PROCESSORS)
    ]  # fmt: skip
    value, half = (np.reshape([getattr(part, one) for part in parts], (len(loads), PROCESSORS)) for one in
                   ("value", "half"))  # fmt: skip
    known = np.array(law, dtype=float) * (loads * PROCESSORS)[:, None]
    return clauses.measured(value - known, half, group=(1, 2), processor=range(1, PROCESSORS + 1))
