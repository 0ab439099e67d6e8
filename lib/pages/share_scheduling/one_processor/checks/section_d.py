"""Claims of `thesis`, Appendix D, on Chapter 3: who is hardly served where groups have priority."""

import math

import numpy as np

from clustershare import uniprocessor
from compendium.press.clauses import at_each, conclude, everywhere, grid
from compendium.press.clauses.conditions import at_most, equal, falls
from compendium.press.findings import check
from pages.share_scheduling.objectives.witnesses.mean_deviations import law_by_chain

FRACTIONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Parts of the load that the higher group brings."""


@check("thesis-D-003", group=0)
def hardly_served(group=1):
    """What a group obtains while it is there, against the fraction of the higher group; the control asks for that."""
    who = ("higher", "low")[group]

    def while_there(policy, load, fraction):
        found = uniprocessor.exact(policy, (0.6, 0.4), (load * fraction, load * (1 - fraction)))
        return found.obtained_share[group] / found.probability_present[group]

    def obtained(policy, load, fraction):
        found = uniprocessor.exact(policy, (0.6, 0.4), (load * fraction, load * (1 - fraction)))
        return found.obtained_share[1] / (load * (1 - fraction)) - 1

    def there(policy, load, fraction):
        loads, most = np.array([load * fraction, load * (1 - fraction)]), math.ceil(-9 / math.log10(load))
        if policy == "PQ":
            jobs, law = law_by_chain("PQ", np.array([0.6, 0.4]), loads, most)
            known = law[jobs[1] > 0].sum()
        else:
            line = uniprocessor.whole_line(policy, (0.6, 0.4), loads, most_jobs=most)
            known = line.probability[line.jobs[1] > 0].sum()
        return uniprocessor.exact(policy, (0.6, 0.4), loads).probability_present[1] / known - 1

    def left(policy, load):
        return while_there(policy, load, FRACTIONS[-1]) / while_there(policy, load, FRACTIONS[0])

    systems = {"policy": ("PQ", "HOL"), "load": (0.3, 0.6, 0.9, 0.95)}
    found = grid(**systems, fraction=FRACTIONS).measure(while_there)
    return conclude(
        at_each(f"what the {who} group obtains while it is there", found.steps("fraction"), falls(), every="step"),
        at_each("that at the largest fraction of the higher one, over that at the smallest,",
                grid(**systems).measure(left), at_most(0.5)),
        at_each("that at fractions from 0.9 on", found.at(fraction=FRACTIONS[-3:]), at_most("close"), every="fraction"),
        provided=[
            everywhere("what the low group obtains and what it brings",
                       grid(**systems, fraction=FRACTIONS).measure(obtained), equal(1e-9)),
            everywhere("how often it is there, in the library and by a chain,",
                       grid(policy=("PQ", "HOL"), load=(0.3, 0.6), fraction=(0.1, 0.5, 0.9)).measure(there),
                       equal(1e-6)),
        ],
    )  # fmt: skip
