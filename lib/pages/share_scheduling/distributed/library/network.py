"""The network alone, messages of no length, and what is refused."""

import math

import numpy as np

from clustershare import dispatch
from clustershare.arguments import UnstableError
from clustershare.estimates import Estimate
from clustershare.run_length import RunLength
from clustershare.sizes import Exponential
from compendium.press.clauses import cases, everywhere, fact, measured
from compendium.press.clauses.conditions import agrees, equal
from pages.agreement import gap
from pages.share_scheduling.distributed.library.shared import SAME, joined

LONG = {"jumps": 8000, "warmup": 500, "replications": 10, "seed": 12}


# The network by itself.


def on_network():
    systems = [((0.2, 0.3), (1.0, 10.0)), ((0.6, 0.25), (0.5, 0.02)), ((0.3, 0.69), (1.0, 0.2))]  # the last is crowded
    paths = cases("network", systems).measure(_network_apart)
    found = dispatch.simulate_network(loads=(0.2, 0.4), service_times=(1.0, 5.0), jumps=20_000, warmup=1000, seed=8)
    rows = [
        (found.utilisation, 0.6), (found.mean_customers, 1.5), *zip(_each(found.mean_times), (2.5, 12.5)),
        *zip(_each(found.number_law)[:10], 0.4 * 0.6 ** np.arange(10)),
    ]  # fmt: skip
    gaps = [(one.value - number, one.half_width) for one, number in rows]
    return (
        everywhere("a network alone, less one customer after the other in a plain loop,", paths, equal(SAME)),
        everywhere("a network alone, less the closed forms,", measured(*zip(*gaps), runs=10, number=range(len(gaps))),
                   agrees()),
    )  # fmt: skip


def _each(estimate):
    return [estimate[k] for k in range(len(estimate.value))]


def _network_apart(loads, sizes):
    length = {"jumps": 200, "warmup": 50, "replications": 2, "seed": 10}
    run, found = RunLength(**length), dispatch.simulate_network(loads=loads, service_times=sizes, **length)
    samples = [_alone(rng, np.array(loads) / sizes, sizes, run) for rng in run.generators()]
    names = "utilisation", "mean_customers", "number_law", "mean_times"
    return max(
        gap([getattr(found, name).value, getattr(found, name).half_width], joined([one[k] for one in samples]))
        for k, name in enumerate(names)
    )


def _alone(rng, rates, sizes, run):
    """Utilisation, mean number, its law and the mean times of both kinds, by a list of customers."""
    now, coming, present = 0.0, rng.standard_exponential() / sum(rates), []
    for count in (run.warmup, run.jumps):
        held, times = np.zeros(1000), ([], [])
        for _ in range(count):
            first = min(present, default=[math.inf])
            done = now + first[0] * len(present) if present else math.inf
            at, before = min(done, coming), now
            held[len(present)] += at - before
            now = at
            for one in present:
                one[0] -= (at - before) / len(present)
            if done <= coming:
                present.remove(first)
                times[first[1]].append(now - first[2])
            else:
                coming = now + rng.standard_exponential() / sum(rates)
                kind = int(rng.random() * sum(rates) >= rates[0])
                present.append([sizes[kind] * (rng.standard_exponential() if kind else 1.0), kind, now])
    law = held / held.sum()
    shown = np.append(law[:19], law[19:].sum())
    return 1 - law[0], law @ np.arange(1000), shown, np.array([np.mean(one) for one in times])


# Closed forms, and the central policies.


def on_exact():
    loads, P, rows = (0.45, 0.3), 3, []
    at_once = {"probe_limit": 2, "probe_service_time": 0.0, "migration_service_time": 0.0}
    for policy in ("JSQ", "HP", "SVP", "DVP"):  # nobody is idle while jobs wait
        found = dispatch.simulate_distributed(
            policy, required_shares=(0.3, 0.7), loads=loads, processors=P, local="PS", **at_once, **LONG
        )
        jobs, all_of = found.mean_jobs, _in_one_line(P, sum(loads))
        if policy == "JSQ":  # which knows no groups
            rows += zip(_each(jobs), np.array(loads) / sum(loads) * all_of)
        rows += [(Estimate(jobs.value.sum(), jobs.half_width.sum()), all_of), (found.capacity_loss, 0.0)]
        rows += zip(_each(found.obtained_share), loads)
    loads = (0.2, 0.5)
    found = dispatch.simulate_distributed(
        "Isolation", required_shares=(0.5, 0.5), loads=loads, processors=P, probe_limit=2, local="PS", **LONG
    )
    feasible = [0.5 - np.array((0.5, 0.5 - 1 / 3, 0)) @ _of_three(load / (0.3 + load)) for load in loads]
    rows += zip(_each(found.mean_jobs), (2.0, 5.0))
    rows += zip(_each(found.group_share_deviation), (np.array(feasible) - loads) / 0.5)
    rows.append((found.capacity_loss, 0.3 - np.array((1, 2 / 3, 1 / 3)) @ _of_three(0.7)))
    gaps = [(one.value - number, one.half_width + SAME) for one, number in rows]
    return (
        everywhere("with messages of no length, or without any, a simulated quantity, less the exact one,",
                   measured(*zip(*gaps), runs=LONG["replications"], quantity=range(len(gaps))), agrees()),
    )  # fmt: skip


def _in_one_line(P, load):
    """Mean jobs of M/M/P."""
    terms = [(P * load) ** n / math.factorial(n) for n in range(P)]
    busy = (P * load) ** P / math.factorial(P) / (1 - load)
    return P * load + busy / (sum(terms) + busy) * load / (1 - load)


def _of_three(ratio):
    """The probabilities of 0, 1 and 2 jobs on three processors with geometric numbers."""
    return (1 - ratio) ** 3 * np.array((1, 3 * ratio, 6 * ratio**2))


# What has no mean is refused.


def on_refusals():
    """Loads that sum to 1, and a network that is offered more than it can carry: just so, and just not so."""
    system = {"required_shares": (0.75, 0.25), "processors": 6, "processor_capacity": 2.0, "sizes": Exponential(0.5)}
    rate, found = 0.7 * 6 * 2 / 0.5, []
    for policy, of_job, more in (
        ("JSQ", 2, {}), ("SVP", 1, {"migration": False}), ("Nice", 1, {}), ("HP", 60 / rate, {"probe_period": 0.1}),
    ):  # fmt: skip
        most = 1 / (of_job * rate * (1 + 3))
        for part in (0.999, 1.001):
            given = system | {"loads": (0.4, 0.3), "probe_limit": 3, "probe_service_time": part * most} | more
            found.append((policy, given, part > 1))
    for loads in ((0.4, 0.599), (0.7, 0.3)):
        found.append(("DVP", system | {"loads": loads, "probe_limit": 1}, sum(loads) >= 1))
    for policy, limit in (("Isolation", 5), ("JSQ", 0)):  # nothing is sent
        found.append((policy, system | {"loads": (0.4, 0.3), "probe_limit": limit, "probe_service_time": 9.0}, False))
    slow = {"loads": (0.4, 0.3), "probe_limit": 3, "migration_service_time": 3.0}
    right = cases("system", found).measure(lambda policy, given, refused: _is_refused(policy, given, 5) == refused)
    return (
        everywhere("a system without means is refused, and no other,", right),
        fact("migrations that heap up are refused", _is_refused("JSQ", system | slow, 10_000), "they are not"),
    )


def _is_refused(policy, given, jumps):
    try:
        dispatch.simulate_distributed(policy, **given, jumps=jumps, warmup=0, replications=1)
    except UnstableError:
        return True
    return False
