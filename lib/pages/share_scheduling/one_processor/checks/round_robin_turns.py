"""Claims of `thesis`, Section 3.1: round robin and the sharing policies that stand for it."""

import functools

import numpy as np

from clustershare.estimates import from_replications
from compendium.press import words
from compendium.press.findings import check, over_domain
from pages.share_scheduling.one_processor.witnesses import round_robin

SHARES = (0.6, 0.4)
SYSTEMS = tuple(
    ((load * part, load * (1 - part)), permanent)
    for load, part in ((0.3, 0.2), (0.6, 0.5), (0.9, 0.6))
    for permanent in ((0, 0), (1, 1))
)
JOBS, PAIRS = 120, 4


@functools.cache
def shared(policy, system, seed):
    """What a sharing policy makes of the jobs of a pair, and the jobs."""
    loads, permanent = system
    coming = round_robin.arriving(loads, JOBS, seed)
    return round_robin.shared(policy, SHARES, permanent, coming), coming


def gaps(quantum, cost):
    """The largest differences of round robin from sharing over all policies and systems, intervals included.

    Those of the group-share deviations, the job-share deviations, and, relative to the larger, the response times.
    """
    worst = np.zeros(3)
    for policy in round_robin.KINDS:
        for system in SYSTEMS:
            pairs = []
            for seed in range(PAIRS):
                sharing, coming = shared(policy, system, seed)
                pairs.append((round_robin.turns(policy, SHARES, system[1], coming, quantum, cost), sharing))
            for k in range(3):
                turns, sharing = np.array([[one[k], other[k]] for one, other in pairs]).swapaxes(0, 1)
                found = from_replications(turns - sharing)
                scale = np.maximum(turns.mean(axis=0), sharing.mean(axis=0)) if k == 2 else 1.0
                worst[k] = max(worst[k], ((np.abs(found.value) + found.half_width) / scale).max())
    return worst


@check("thesis-3-117", quanta=(100.0,))
def turns_of_a_quantum(quanta=(1.0, 0.1, 0.01)):
    """Round robin against PS, PPS and GPPS on the same jobs; a quantum of 100 serves any job to its end."""
    found = np.array([gaps(quantum, 0.0) for quantum in quanta])
    with_cost = gaps(quanta[-1], quanta[-1] / 100)
    last = np.maximum(found[-1], with_cost)
    near = [words.allows("close", gap) for gap in last]
    falls = [len(quanta) > 1 and (np.diff(column) < 0).all() for column in found.T]
    return over_domain(
        f"at a quantum of {quanta[-1]:g} the group-share deviations differ by up to {found[-1, 0]:.3f}, response times "
        f"by {found[-1, 2]:.3f}, with a cost of switching by {with_cost[0]:.2f} and {with_cost[2]:.2f}; at each "
        f"instant one job is served, so that the job-share deviation is off by {last[1]:.1f}",
        [near[k] and falls[k] for k in (0, 2, 1)],
    )
