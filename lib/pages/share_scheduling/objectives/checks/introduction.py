"""Claims of `thesis`, Chapter 1: where to send a job, and how others share a processor or a link."""

import itertools

import numpy as np

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
