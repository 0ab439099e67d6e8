"""The stored points of the chapter's figures, in all that is kept of each group, against exact answers."""

import numpy as np

from clustershare import uniprocessor
from clustershare.estimates import Estimate
from compendium.press.clauses import everywhere
from compendium.press.clauses.conditions import agrees
from pages.share_scheduling.one_processor.library.shared import MEASURES
from pages.share_scheduling.one_processor.points import PAPER, known, simulated
from pages.share_scheduling.one_processor.simulated import estimates
from pages.share_scheduling.one_processor.systems import FRACTIONS, SHARES, SPLITS, beside_permanent_jobs, two_groups

QUANTITIES = ("group_share_deviation", *MEASURES, "mean_response_time")
UNEQUAL = tuple(policy for policy in uniprocessor.POLICIES if policy != "PS")  # which deviates as FCFS does
# Policies whose points are kept, the permanent jobs of each group, and the fractions and required shares of group 1.
FIGURES = {
    "3.5": (("FCFS", "UD", "GPPS"), 0, tuple((x, 0.5) for x in FRACTIONS)),
    "3.8": (uniprocessor.POLICIES, 0, tuple((x, 0.51) for x in SPLITS)),
    "3.10": (UNEQUAL, 0, tuple((0.5, r) for r in SHARES)),
    "3.12": (UNEQUAL, 1, tuple((0.5, r) for r in SHARES)),
    "3.14": (UNEQUAL, 2, tuple((0.5, r) for r in SHARES)),
}


def on_rows():
    """That no stored point contradicts the exact answer, where there is one."""
    for number, (policies, permanent, places) in FIGURES.items():
        expected, found = [], []
        for policy in policies:
            kept = [simulated(policy, permanent, quantity, places) for quantity in QUANTITIES]
            for place, (fraction, share) in enumerate(places):
                if permanent:
                    system = beside_permanent_jobs(policy, share, permanent)
                else:
                    system = two_groups(fraction, required_share=share)
                exact = known(policy, system, lambda answer: [getattr(answer, name) for name in QUANTITIES])
                expected += list(np.broadcast_to(exact, (len(QUANTITIES), 2)))
                found += [Estimate(values[place], widths[place]) for values, widths in kept]
        text = f"a stored point of Figure {number}, less what is exact,"
        yield everywhere(text, estimates(expected, found, PAPER), agrees())
