"""Claims of `thesis`, Section 5.6.4, last paragraph: what holds for more than two groups."""

import numpy as np

from compendium.press.findings import AGREES, DIFFERS, PART, Finding, check
from compendium.press.words import SCALE
from pages.share_scheduling.central import plane, simulated

ADEQUATE = SCALE["close"].most
UNEQUAL_LOADS = ("1 : 1 : 2", "1 : 2 : 5", "0 : 1 : 4")
UNEQUAL_PROMISES = ("6, 4, 2", "6.6, 3.6, 1.8", "8.4, 2.4, 1.2")
FRACTIONAL = UNEQUAL_PROMISES[1:]


@check("thesis-5-184", complying=(("JSQ", "PS"),))
def more_groups(complying=(("SVP", "GPPS"), ("DVP", "GPPS"))):
    """Seven systems of three groups; the control takes JSQ/PS for the policies that comply."""
    points = plane.both(plane.three_groups(), "groups", "policy", "local")
    estimates, widths = points["estimate"], points["half_width"] * simulated.joint(len(points))
    low, high = estimates - widths, estimates + widths
    deviation = "group_share_deviation"

    def above(policy, local, systems, bound, quantity=deviation):
        """Unless the interval contradicts it."""
        return [bool(high.loc[(name, policy, local), quantity] > bound) for name in systems]

    def at_most(policy, local, systems, bound):
        return [bool(low.loc[(name, policy, local), deviation] <= bound) for name in systems]

    def gain(name):
        ps, gpps = (name, "HP", "PS"), (name, "HP", "GPPS")
        return low.loc[ps, deviation] - high.loc[gpps, deviation]

    equal = ("1 : 1 : 1", *UNEQUAL_LOADS)
    complies = {"/".join(key): at_most(*key, plane.GROUPS, ADEQUATE) for key in complying}
    others = {
        "JSQ/PS fails": above("JSQ", "PS", (*UNEQUAL_LOADS, *UNEQUAL_PROMISES), ADEQUATE),
        "HP gains nothing": [bool(gain(name) <= 0.01) for name in equal],
        "SVP/PS and DVP/PS fail": [
            *above("SVP", "PS", FRACTIONAL, ADEQUATE), *above("DVP", "PS", FRACTIONAL, ADEQUATE)
        ],
        "SVP and DVP lose much": [
            each
            for policy in ("SVP", "DVP")
            for local in ("PS", "GPPS")
            for each in above(policy, local, UNEQUAL_LOADS, 0.1, "capacity_loss")
        ],
    }  # fmt: skip
    worst = max(estimates.loc[(name, *key), deviation] for name in plane.GROUPS for key in complying)
    said = ", ".join(f"{name} in {sum(each)} of {len(each)}" for name, each in others.items())
    kept = ", ".join(f"{name} complies in {sum(each)} of {len(each)}" for name, each in complies.items())
    text = f"{kept} (worst {worst:.3f}); {said}"
    if not np.all(list(complies.values())):
        return Finding(text, DIFFERS)
    return Finding(text, AGREES if all(map(all, others.values())) else PART)
