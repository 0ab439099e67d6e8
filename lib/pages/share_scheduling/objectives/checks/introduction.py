"""Claims of `thesis`, Chapter 1: where to send a job, and how others share a processor or a link."""

import itertools
import math

import numpy as np

from clustershare import routing
from clustershare.shares import maximum_obtainable_share
from compendium.press.claims import check, finding


@check("thesis-1-001", order=1)
def order_of_processors(order=-1):
    """With the fastest first, the first k capacities are the most that k processors have; summed, they are c."""
    rng, gap = np.random.default_rng(1), 0.0
    for _ in range(20):
        capacities = np.sort(rng.exponential(size=4))[::-1]
        for k in range(5):
            best = max(sum(chosen) for chosen in itertools.combinations(capacities, k)) / capacities.sum()
            first = np.sort(capacities)[::order][:k].sum() / capacities.sum()
            gap = max(gap, abs(best - first), abs(best - maximum_obtainable_share(k, capacities)))
    return finding("the first k are the fastest k" if gap < 1e-12 else f"up to {gap:.2f} less", gap < 1e-12)


def first_come(servers, load):
    """Mean response time of M/M/K, mean service time 1."""
    offered = servers * load
    waiting = offered**servers / math.factorial(servers) / (1 - load)
    chance = waiting / (sum(offered**k / math.factorial(k) for k in range(servers)) + waiting)
    return 1 + chance / (servers * (1 - load))


@check("thesis-1-009", reference="M/M/1 of all servers")
def q_factor(reference="FCFS"):
    """Random splitting and the shortest queue do not see the sources; a server for each source does."""
    found = {}
    for load in (0.3, 0.6, 0.9):
        best = first_come(2, load) if reference == "FCFS" else first_come(1, load)
        found.setdefault("random", []).append(best * (1 - load))
        found.setdefault("shortest queue", []).append(best / routing.mean_response_time("MRTP", (1.0, 1.0), 2 * load))
        # All jobs may come from one source: its server has twice the load.
        found.setdefault("own server", []).append(best * max(0.0, 1 - 2 * load))
    inside = all(0 <= q <= 1 for values in found.values() for q in values)
    inside &= all(r < s < 1 for r, s in zip(found["random"], found["shortest queue"]))
    said = "; ".join(f"{name} {', '.join(f'{q:.3f}' for q in values)}" for name, values in found.items())
    return finding(f"{said} at loads 0.3, 0.6, 0.9", inside)


@check("thesis-1-010", below=1)
def balancing_success(below=0):
    """Three independent queues counted state by state, against the formulas of Section 4.3 for one property each."""
    load, count, most = 0.6, 3, 80
    law = (1 - load) * load ** np.arange(most)
    few, many = law[: below + 1].sum(), 1 - law[:2].sum()
    middle = 1 - few - many
    counted = sum(
        few ** kinds.count(0) * middle ** kinds.count(1) * many ** kinds.count(2)
        for kinds in itertools.product(range(3), repeat=count)
        if 0 in kinds and 2 in kinds
    )
    sharing = 1 - load**count - (1 - load) ** count * ((1 + load) ** count - load**count)
    both = 1 - (1 - load**2) ** count - load**count + (load - load**2) ** count
    return finding(f"counted {counted:.6f}, (4.38) {sharing:.6f}, (4.41) {both:.6f}",
                   max(abs(counted - sharing), abs(counted - both)) < 1e-12)  # fmt: skip
