"""Claims of `thesis`, Sections 3.1 and 3.2.1: first come, first served.

The witness is the chain of the whole line (`uniprocessor.whole_line`), which knows none of the formulas.
"""

import numpy as np

from clustershare import uniprocessor
from compendium.press.claims import check, equality
from pages.share_scheduling.one_processor.systems import random_splits


@check("thesis-3-001", permanent_jobs=0)
def no_capacity_is_lost(permanent_jobs=(0, 1)):
    """With a permanent job there is always work: the obtained shares then sum to 1, under every policy."""
    gap = 0.0
    for policy in uniprocessor.POLICIES:
        result = uniprocessor.simulate(
            policy, (0.6, 0.4), (0.2, 0.2), 1.0, permanent_jobs, jumps=4000, warmup=100, replications=2
        )
        gap = max(gap, abs(result.obtained_share.value.sum() - 1))
    return equality(gap, 1e-9)


@check("thesis-3-025", policy="HOL")
def other_orders(policy="FCFS"):
    """Last come, first served, and service at random, without permanent jobs; the control looks at the groups."""
    gap = 0.0
    for shares, loads in random_splits(6, high=0.3):
        expected = uniprocessor.exact("FCFS", shares, loads)
        for order in ("last", "random"):
            found = uniprocessor.whole_line(policy, shares, loads, most_jobs=9, order=order).performance
            gap = max(gap, np.abs(found.group_share_deviation - expected.group_share_deviation).max())
            gap = max(gap, np.abs(found.job_share_deviation - expected.job_share_deviation).max())
    return equality(gap, 1e-3)
