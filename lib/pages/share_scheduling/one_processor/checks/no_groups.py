"""Claims of `thesis`, Sections 3.1 and 3.2.1: first come, first served.

The witness is the chain of the whole line (`uniprocessor.whole_line`), which knows none of the formulas.
"""

from clustershare import uniprocessor
from compendium.press.claims import check, equality


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
