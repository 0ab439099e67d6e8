"""How long systems of several processors, and the network between them, remember."""

import numpy as np

from clustershare.settling import memory_of_queue, squared_variation, variability
from clustershare.sizes import Deterministic, Exponential


def of_central(given):
    """Jumps that the system remembers, of the arguments of `simulate_central` and its companion.

    Near saturation all jobs are as one queue, for what one processor has too many of others have soon. Under SVP
    without migration each group is one of its own, on what it is promised.
    """
    shares, loads, P = _groups(given)
    capacities = given.get("capacities")
    slowest = P if capacities is None else 1 / min(capacities)
    rate = (loads / means_of(given.get("sizes"), len(loads))).sum()
    dispersion, lasting = variability(given.get("arrivals"), rate)
    common = {"spread": _spread(given.get("sizes"), loads), "arriving": dispersion}
    found = [memory_of_queue(loads.sum(), servers=slowest, **common), 2 * rate * lasting]
    if given["policy"] == "SVP" and not given["migration"]:
        found += _apart(shares, loads, P, **common)
    return max(found)


def steps_beside_queue(given):
    """Steps of equal length in which one arrival or departure is expected."""
    load = float(np.sum(given["loads"]))
    return (load + 1) / (2 * load)


def of_distributed(given):
    """Jumps that the system remembers, of the arguments of `simulate_distributed`.

    A processor that knows of no other is a queue of its own. What is known is older under periodic probing.
    """
    shares, loads, P = _groups(given)
    rate = (loads / means_of(given["sizes"], len(loads))).sum() * P * given["processor_capacity"]
    dispersion, lasting = variability(given["arrivals"], rate)
    common, per_job = {"spread": _spread(given["sizes"], loads), "arriving": dispersion}, 2.0
    alone = given["policy"] == "Isolation" or not given["probe_limit"]
    found = [memory_of_queue(loads.sum(), per_job, servers=P, **common), per_job * rate * lasting]
    if alone:
        found.append(memory_of_queue(loads.sum(), per_job, part=1 / P, **common))
    elif given["policy"] == "SVP" and not given["migration"]:
        found += _apart(shares, loads, P, **common)
    if given["probe_period"] is not None:  # in which so many jumps happen
        found.append(per_job * rate * given["probe_period"])
    return max(found)


def of_network(given):
    """Jumps that the network remembers, of the arguments of `simulate_network`: one queue, of two kinds of sizes."""
    loads, times = np.array(given["loads"], dtype=float), np.array(given["service_times"], dtype=float)
    laws = Deterministic(times[0]), Exponential(times[1])
    return memory_of_queue(loads.sum(), spread=squared_variation(loads / times, laws))


def _groups(given):
    """Required shares and loads of the groups, and how many processors there are."""
    return np.array(given["required_shares"], dtype=float), np.array(given["loads"], dtype=float), given["processors"]


def _apart(shares, loads, processors, **common):
    """Groups that are queues of their own, as far as these have a limit."""
    return [
        memory_of_queue(load / share, part=load / loads.sum(), servers=max(1.0, share * processors), **common)
        for share, load in zip(shares, loads)
        if 0 < load < share
    ]


def _laws(sizes, groups):
    """The law of each group."""
    return sizes if hasattr(sizes, "__len__") else [Exponential() if sizes is None else sizes] * groups


def means_of(sizes, groups):
    """The mean size of each group, shape (groups,)."""
    return np.array([law.mean for law in _laws(sizes, groups)])


def _spread(sizes, loads):
    """The squared coefficient of variation of all sizes together."""
    return squared_variation(loads / means_of(sizes, len(loads)), _laws(sizes, len(loads)))
