"""Claim of `thesis`, Section 7.1, item 6: an idle processor is not left aside."""

import itertools

import numpy as np

from compendium.press.findings import check, finding
from pages.share_scheduling.conclusions.placement import best_placement

CUTS = {2: 30, 3: 15}
SEEN, TIED = 8, 1e-9


@check("thesis-7-013", speeds=(10 / 11, 1 / 11))
def idle_first(speeds=None):
    """The best decision wherever a processor is idle; the control has two processors of speeds 10 and 1."""
    worst, states = -np.inf, 0
    for processors, load in itertools.product((2,) if speeds else CUTS, (0.3, 0.5, 0.7)):
        found = best_placement(load, speeds or [1 / processors] * processors, CUTS[processors]).values
        found = found[(slice(None), *[slice(SEEN + 1)] * processors)]
        idle = np.indices(found.shape[1:]) == 0
        some = idle.any(axis=0) & ~idle.all(axis=0)
        there, elsewhere = (np.where(mask, found, np.inf).min(axis=0)[some] for mask in (idle, ~idle))
        worst, states = max(worst, float((there - elsewhere).max())), states + int(some.sum())
    return finding(
        f"{states} states with an idle processor: sending the job elsewhere "
        f"{f'saves up to {worst:.2f}' if worst > TIED else 'never saves anything'}",
        worst <= TIED,
    )
