"""From arguments to a distributed system: what they may be, and what each policy and reading makes of them."""

import numpy as np

from clustershare.arguments import affordable, fail, integer, number, one_of, positive, truth, vector
from clustershare.compiled import service
from clustershare.compiled.arguments import laws as check_laws
from clustershare.compiled.encoding import encode
from clustershare.dispatch.central import LOCAL, LOCAL_POLICIES, weighs_jobs
from clustershare.dispatch.distributed_cluster import Plan, overloaded
from clustershare.dispatch.distributed_kernel_parts import Setting
from clustershare.dispatch.partitioning import partition
from clustershare.dispatch.probing import PREFERENCES
from clustershare.dispatch.rules.distributed_horizontal import DistributedHorizontal
from clustershare.dispatch.rules.dynamic_vertical import DynamicVerticalPartitioning
from clustershare.dispatch.rules.horizontal import HorizontalPartitioning
from clustershare.dispatch.rules.nice import Nice
from clustershare.dispatch.rules.shortest_queue import ShortestQueue
from clustershare.dispatch.rules.static_vertical import StaticVerticalPartitioning
from clustershare.dispatch.view import SCALED, UNSCALED
from clustershare.shares import required_shares as check_shares
from clustershare.sizes import Exponential, JobSize
from clustershare.splitting.groups import group_loads

DISTRIBUTED_POLICIES = {
    "Isolation": ShortestQueue,  # of the only processor known
    "JSQ": ShortestQueue,
    "HP": HorizontalPartitioning,
    "SVP": StaticVerticalPartitioning,
    "DVP": DynamicVerticalPartitioning,
    "D-HP": DistributedHorizontal,
    "Nice": Nice,
}
PLACING_ONLY = ("Isolation", "D-HP", "Nice")
MOST_PROCESSORS, MOST_PLACES, MOST_KEPT, MOST_PROBINGS = 10**5, 3 * 10**5, 10**8, 10**4
PHASES = ("random", "together")
READINGS = ("ties alike", "with those under way", "state at departure", "rule must hold", "keep replies")
OF_PERIODIC, OF_VERTICAL, OF_ESTIMATES, OF_GUESTS = (
    ("drop old", "replies only"),
    ("VP upon departures",),
    ("bare sums",),
    ("without a message",),
)


def plan_of(
    policy, *, required_shares, loads, processors, probe_limit, probe_period=None, arrival_preference="HP",
    probing_preference="HP", probe_service_time=1e-6, migration_service_time=1e-2, local="GPPS", migration=True,
    processor_capacity=1.0, period_spread=0.1, probe_phases="random", gap=2, sizes=None, reading=None,
):  # fmt: skip
    """What `simulate_distributed` is to simulate.

    Parameters
    ----------
    policy, required_shares, ..., reading
        As for `simulate_distributed`.

    Returns
    -------
    Plan

    Raises
    ------
    UnstableError
        If the total load is 1 or more, or probes alone are more than the network can carry.
    ValueError
        If an argument is not as it may be.
    """
    kind = DISTRIBUTED_POLICIES[one_of("policy", policy, DISTRIBUTED_POLICIES)]
    required = np.array(check_shares("required_shares", required_shares))
    own, P = group_loads(loads, len(required)), integer("processors", processors, 1)
    affordable("processors", P, MOST_PROCESSORS)
    affordable("processors times groups", P * len(required), MOST_PLACES)
    truth("migration", migration)
    limit = integer("probe_limit", probe_limit, 0, P - 1)
    period = np.inf if probe_period is None else positive("probe_period", probe_period)
    arrivals_vertical = one_of("arrival_preference", arrival_preference, PREFERENCES) == "VP"
    probes_vertical = one_of("probing_preference", probing_preference, PREFERENCES) == "VP"
    probe_time = number("probe_service_time", probe_service_time, 0)
    migration_time = number("migration_service_time", migration_service_time, 0)
    one_of("local", local, LOCAL_POLICIES)
    rule, spread = (
        service.PPS if weighs_jobs(local) else LOCAL[one_of("local", local, LOCAL)],
        number("period_spread", period_spread, 0, 1),
    )
    together = one_of("probe_phases", probe_phases, PHASES) == "together"
    gap, migrates = integer("gap", gap, 1), bool(migration) and policy not in PLACING_ONLY
    capacity = P * positive("processor_capacity", processor_capacity)
    codes = _codes(kind, reading, period < np.inf, probes_vertical)
    check_laws("sizes", sizes, len(required))
    laws = _laws(sizes, len(required))
    rates = own * capacity / np.array([law.mean for law in laws])
    limit = 0 if policy == "Isolation" else limit
    affordable("processors times what each keeps of others", _kept(P, len(required), limit, period, reading), MOST_KEPT)
    if limit > 0 and P / period > MOST_PROBINGS * rates.sum():
        fail("probe_period", probe_period, f"so long that there are at most {MOST_PROBINGS} probings for an arrival")
    asking = P / period if period < np.inf else rates.sum() * (1 + migrates)
    if asking * (1 + limit) * probe_time >= 1 and limit > 0:
        raise overloaded(asking * (1 + limit) * probe_time)
    matrix = partition(list(required_shares), P)
    parts = matrix.T.astype(float)
    weights = np.where(parts > 0, parts, required) if policy == "SVP" else np.tile(required, (P, 1))  # (5.14)
    fields = {
        "migration": migrates,
        "reading": codes.get(reading, 0),
        "gap": gap,
        "parts": np.zeros((P, len(required))),
    }
    chosen = kind(**{name: value for name, value in fields.items() if name in kind._fields})
    keeps_all = reading in ("keep replies", "drop old")
    setting = Setting(
        limit=limit, period=period, spread=spread, probe_time=probe_time, migration_time=migration_time,
        capacity=capacity, vertical_arrivals=arrivals_vertical, vertical_probes=probes_vertical,
        vertical_departures=reading == "VP upon departures", migrates=migrates,
        estimates=(UNSCALED if reading == "bare sums" else SCALED) * (kind in (DynamicVerticalPartitioning, Nice)),
        gap=gap if "gap" in kind._fields else 0, own_first=reading != "ties alike",
        keeps=limit > 0 and (period < np.inf or keeps_all), keeps_all=keeps_all,
        oldest=period if reading == "drop old" else np.inf, notes_decisions=reading != "replies only",
        under_way=reading == "with those under way", at_departure=reading == "state at departure",
        must_hold=reading == "rule must hold", without_message=reading == "without a message",
    )  # fmt: skip
    return Plan(chosen, setting, rule, required, weights, matrix, rates, encode(*laws), together)


def _kept(processors, groups, limit, period, reading):
    """How many numbers the processors keep of what others have told them; see `distributed_cluster.Cluster`."""
    if reading in ("keep replies", "drop old"):
        return processors * (processors * (4 + groups))
    return processors * limit * (3 + groups) if period < np.inf else 0


def _codes(kind, reading, periodic, vertical):
    """The readings that a policy has, with their numbers in its rules; the others are for the kernel."""
    codes = {**getattr(kind, "readings", {}), **getattr(kind, "partial_readings", {})}
    known = [
        *READINGS, *(OF_PERIODIC if periodic else ()), *(OF_VERTICAL if vertical else ()),
        *(OF_ESTIMATES if kind in (DynamicVerticalPartitioning, Nice) else ()),
        *(OF_GUESTS if kind is StaticVerticalPartitioning else ()), *codes,
    ]  # fmt: skip
    if reading is not None and reading not in known:
        fail("reading", reading, "None, or here one of " + ", ".join(map(repr, known)))
    return codes


def _laws(sizes, groups):
    """The law of the sizes of each group."""
    if sizes is None or isinstance(sizes, JobSize):
        return (Exponential() if sizes is None else sizes,) * groups
    return vector("sizes", sizes, _law, groups)


def _law(name, value):
    if not isinstance(value, JobSize):
        fail(name, value, "a distribution of clustershare.sizes")
    return value
