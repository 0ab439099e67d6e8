"""Random systems, as the live simulator and the library take them, with the library's answers."""

import functools
from fractions import Fraction

import numpy as np

from clustershare import dispatch, multiserver, sizes, splitting, uniprocessor
from clustershare.cluster_chain import ServiceCluster
from clustershare.estimates import Estimate
from clustershare.results import NoExactAnswer
from live_engine import Compared
from pages import live

RUN = {"jumps": 20_000, "warmup": 2000, "replications": 10}
SHORT = {"jumps": 7000, "warmup": 1000, "replications": 10}  # with messages between
SYSTEMS = 4


def several(rng, make):
    """A few random systems."""
    return [make(rng, int(rng.integers(2**31))) for _ in range(SYSTEMS)]


def shares_and_loads(rng, most=0.75):
    share = float(rng.choice([0.3, 0.4, 0.5, 0.6, 0.7]))
    load, part = float(rng.uniform(0.3, most)), float(rng.uniform(0.3, 0.7))
    return [share, round(1 - share, 12)], [load * part, load * (1 - part)]


def of_one(policy):
    """One processor; every other system of those without formula for it has permanent jobs."""

    def make(rng, seed):
        shares, loads = shares_and_loads(rng)
        rates = rng.uniform(0.5, 2, 2).tolist()
        permanent = [int(rng.integers(2)), 1] if policy in ("PS", "PPS") and rng.random() < 0.5 else [0, 0]
        given = {"required_shares": shares, "arrival_rates": np.multiply(loads, rates), "service_rates": rates}
        try:
            found = uniprocessor.exact(policy, **given, permanent_jobs=permanent, tolerance=1e-7)
        except NoExactAnswer:
            found = uniprocessor.simulate(policy, **given, permanent_jobs=permanent, seed=seed, **RUN)
        wanted = {"deviation": found.group_share_deviation, "obtained": found.obtained_share}
        if not any(permanent):
            wanted |= {"jobs": found.mean_jobs, "uneven": found.job_share_deviation}
        settings = {"model": "one", "policy": policy, "shares": shares, "loads": loads, "serviceRates": rates}
        return Compared(policy, {**settings, "permanent": permanent, "seed": seed}, wanted)

    return make


def permanent(rng, seed):
    """First come, first served beside permanent jobs of both groups (Theorem 3.2)."""
    shares, loads = shares_and_loads(rng)
    jobs = rng.integers(1, 4, 2).tolist()
    found = uniprocessor.exact("FCFS", shares, loads, permanent_jobs=jobs)
    settings = {"model": "one", "policy": "FCFS", "shares": shares, "loads": loads, "permanent": jobs, "seed": seed}
    return Compared("FCFS, permanent", settings, {"deviation": found.group_share_deviation})


def sized(rng, seed):
    """Sizes of another law, on one processor."""
    shares, loads = shares_and_loads(rng)
    policy = str(rng.choice(["HOL", "GPPS", "PQ"]))
    size, law = [
        ({"law": "constant"}, sizes.Deterministic(1.0)),
        ({"law": "pareto", "exponent": 4}, sizes.Pareto(1.0, 4.0)),
        ({"law": "hyperexponential", "means": [3, 0.5], "probabilities": [0.2, 0.8]},
         sizes.Hyperexponential((3.0, 0.5), (0.2, 0.8))),
    ][int(rng.integers(3))]  # fmt: skip
    found = uniprocessor.simulate(policy, shares, loads, sizes=law, seed=seed, **RUN)
    settings = {"model": "one", "policy": policy, "shares": shares, "loads": loads, "size": size, "seed": seed}
    return Compared(f"{policy}, {size['law']}", settings, {"deviation": found.group_share_deviation})


def split(policy):
    def make(rng, seed):
        shares, loads = shares_and_loads(rng)
        local, P = "PS", int(rng.choice([2, 4, 10]))
        if policy == "HPRS":
            local = str(rng.choice(["PS", "PPS", "GPPS"]))
            found = splitting.horizontal(shares, loads, [1 / P] * P, local, tolerance=1e-6)
        else:
            shares, loads, P = [0.6, 0.4], [0.75 * loads[0], 0.75 * loads[1]], int(rng.choice([5, 10]))
            loads = [min(loads[0], 0.5), min(loads[1], 0.3)]
            found = splitting.vertical(shares, loads, P)
        settings = {"model": "dispatch", "policy": policy, "shares": shares, "loads": loads, "processors": P}
        wanted = {"deviation": found.group_share_deviation, "loss": found.capacity_loss, "jobs": found.mean_jobs}
        return Compared(policy, {**settings, "local": local, "seed": seed}, wanted)

    return make


def central(policy):
    """A policy that looks, with and without migration, PS or GPPS inside; exact for two processors and little load."""

    def make(rng, seed):
        shares, loads = shares_and_loads(rng)
        P, migration = int(rng.choice([2, 3, 4, 10])), bool(rng.random() < 0.5)
        local = str(rng.choice(["PS", "GPPS"]))
        if policy in ("SVP", "SPILL") and not migration:  # a group's own processors must do
            loads = [0.7 * sum(loads) * share for share in shares]
        given = {"required_shares": shares, "loads": loads, "processors": P}
        if policy in ("HP", "JSQ(d)"):  # which may have processors of different capacity
            given["capacities"] = rng.dirichlet([5] * P).tolist()
        if policy == "JSQ" and migration:
            local, found = "PS", dispatch.shortest_queue_with_migration(**given)
        else:
            name = "JSQ(2)" if policy == "JSQ(d)" else policy
            found = dispatch.simulate_central(name, local=local, migration=migration, **given, seed=seed, **RUN)
        settings = {"model": "dispatch", "policy": policy, "local": local, "migration": migration, "shares": shares}
        given.pop("required_shares")
        wanted = {"deviation": found.group_share_deviation, "loss": found.capacity_loss, "jobs": found.mean_jobs}
        return Compared(policy, {**settings, "capacities": None, **given, "seed": seed}, wanted)

    return make


def asked(policy, periodic):
    """Processors that ask, on demand or by the clock, with limit 0 to 9."""

    def make(rng, seed):
        share = Fraction(int(rng.integers(3, 8)), 10)
        shares, (_, loads) = [share, 1 - share], shares_and_loads(rng)
        limit, period = int(rng.integers(0, 10)), float(rng.choice([0.2, 1.0])) if periodic else None
        local, probing = str(rng.choice(["PS", "GPPS"])), str(rng.choice(["HP", "VP"]))
        found = dispatch.simulate_distributed(
            policy, required_shares=shares, loads=loads, processors=10, probe_limit=limit, probe_period=period,
            local=local, probing_preference=probing, probe_service_time=1e-4, seed=seed, **SHORT,
        )  # fmt: skip
        settings = {
            "model": "distributed", "policy": policy, "shares": [*map(float, shares)], "loads": loads,
            "processors": 10, "probeLimit": limit, "probePeriod": period, "local": local,
            "probingPreference": probing, "probeTime": 1e-4, "seed": seed,
        }  # fmt: skip
        wanted = {
            "deviation": found.group_share_deviation, "loss": found.capacity_loss, "jobs": found.mean_jobs,
            "network": found.network_utilisation,
        }  # fmt: skip
        events = 20_000 * (3 + limit) if not periodic else int(40_000 * (1 + (1 + limit) / period / 1.1))
        return Compared(f"{policy}, asks", settings, wanted, min(events, 50_000))

    return make


GRAPHS = (
    ([[0, 2], [1, 2]], [1, 1, 1]),
    ([[0], [0, 1], [1]], [1, 2]),
    ([[0, 1], [1, 2], [2, 0]], [1, 1, 1]),
    ([[0]], [1]),
    ([[0, 1, 2], [2, 3]], [0.5, 1, 1, 2]),
)


def shared(policy):
    """Servers on a graph. Exponential sizes, for which Algorithm 1 has balanced fairness; or others, simulated."""

    def make(rng, seed):
        servers_of, capacities = GRAPHS[int(rng.integers(len(GRAPHS)))]
        graph = multiserver.CompatibilityGraph([set(own) for own in servers_of], capacities)
        loads = rng.uniform(0.3, 1, len(servers_of))
        load = max(
            loads[list(some)].sum() / sum(capacities[s] for s in set().union(*(servers_of[i] for i in some)))
            for some in ([k for k in range(len(loads)) if mask >> k & 1] for mask in range(1, 1 << len(loads)))
        )
        loads *= rng.uniform(0.4, 0.75) / load
        m, size, found = float(rng.choice([0, 1, 5])), {}, multiserver.balanced_fairness(graph, loads)
        if policy == "algorithm" and rng.random() < 0.5:
            law = sizes.bimodal_hyperexponential()
            size = {"law": "hyperexponential", "means": [5, 0.2], "probabilities": [1 / 6, 5 / 6]}
            found = multiserver.simulate(graph, loads, law, m, seed=seed, **{**RUN, "jumps": 60_000})
        wanted = {"jobs": found.mean_jobs, "delay": found.mean_delay, "empty": found.probability_empty}
        if policy == "algorithm":
            wanted["interruptions"] = m
        settings = {"model": "servers", "policy": policy, "graph": {"serversOf": servers_of, "capacities": capacities}}
        given = {"loads": loads.tolist(), "interruptions": m, "size": size, "seed": seed}
        return Compared(policy, {**settings, **given}, wanted, 100_000)

    return make


def tracked(rng, seed):
    """The cluster behind its tracker."""
    servers, places = int(rng.integers(3, 7)), int(rng.integers(0, 5))
    widths = rng.choice(np.arange(1, servers + 1), 2, replace=False).tolist()
    chance, rate, tracker = float(rng.uniform(0.2, 0.8)), float(rng.uniform(0.5, 4)), float(rng.uniform(1, 20))
    chances = {widths[0]: chance, widths[1]: 1 - chance}
    service = {width: float(rng.uniform(0.5, 2)) for width in widths}
    found = ServiceCluster(servers, places, chances, rate, tracker, service).solve()
    wanted = {
        "queue": found.mean_queue, "blocking": found.blocking, "delay": found.mean_delay, "jobs": found.mean_jobs,
        "utilisation": found.utilisation, "running": found.mean_jobs_in_service,
    }  # fmt: skip
    settings = {
        "model": "tracker", "processors": servers, "queue": places, "sizes": chances, "arrivalRate": rate,
        "trackerRate": tracker, "serviceRates": service, "seed": seed,
    }  # fmt: skip
    return Compared("tracker", settings, wanted)


PARTS = {
    "one": {policy: of_one(policy) for policy in uniprocessor.POLICIES} | {"permanent": permanent, "sized": sized},
    "splitting": {policy: split(policy) for policy in ("HPRS", "VPRS")},
    "central": {policy: central(policy) for policy in ("JSQ", "HP", "SVP", "DVP", "JSQ(d)", "SPILL")},
    "on demand": {policy: asked(policy, False) for policy in ("Isolation", "JSQ", "HP", "SVP", "DVP")},
    "by the clock": {policy: asked(policy, True) for policy in ("JSQ", "HP", "SVP", "DVP")},
    "servers": {policy: shared(policy) for policy in ("algorithm", "balanced")},
    "tracker": {"tracker": tracked},
}


@functools.cache
def systems(part):
    """All systems of a part: some of each policy."""
    rng = np.random.default_rng(sorted(PARTS).index(part))
    return [one for make in PARTS[part].values() for one in several(rng, make)]


def shown():
    """The example of each page, as often as it has a mark."""
    for name in live.EXAMPLES:
        (system,), _ = live.example(name)
        for mark in system["marks"]:
            half = mark.get("half", {})
            wanted = {
                key: Estimate(np.array(value), np.array(half[key])) if key in half else value
                for key, value in mark.items()
                if key not in ("when", "half")
            }
            yield Compared(f"{name} {mark['when']}", system["settings"] | mark["when"], wanted, 100_000)
