"""The three cases of `thesis`, Section 5.6, as arrays: simulated combinations, and static policies beside them.

Deviations are of the group with the larger one.
"""

import functools
from typing import NamedTuple

import numpy as np

from clustershare import splitting
from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.systems import FRACTIONS, LOADS, PROCESSORS, SHARES, two_groups

DEVIATION, LOSS = "group_share_deviation", "capacity_loss"
CHAINS_TO = 0.9  # the load up to which the chain of GPPS on one processor answers at once


class Case(NamedTuple):
    """A parameter of `systems.two_groups`, its values, and what else is fixed."""

    axis: str
    values: tuple
    fixed: dict

    def systems(self, **chosen):
        """The arguments of the simulator at each point; the loads, shares and processors matter to static policies."""
        point = {"policy": "JSQ", "local": "PS", "migration": False, **self.fixed, **chosen}
        return [two_groups(**point, **{self.axis: value}) for value in self.values]

    @property
    def whole(self):
        """Whether every group requires whole processors, shape (points,)."""
        return np.array(
            [
                all(abs(share * system["processors"] % 1 - 0.5) > 0.5 - 1e-9 for share in system["required_shares"])
                for system in self.systems()
            ]
        )


CASES = {
    "two processors": Case("load", LOADS, {"processors": 2}),
    "case 1": Case("load", LOADS, {"processors": 10}),
    "case 1 against P": Case("processors", PROCESSORS, {}),
    "case 2": Case("fraction", FRACTIONS, {}),
    "case 3": Case("share", SHARES, {}),
}
TEN = ("case 1", "case 2", "case 3")  # those with ten processors: Figures 5.7, 5.8 and 5.12 to 5.15


@functools.cache
def measured(name, quantity=DEVIATION, migration=False):
    """Estimates and half widths of a case by (policy, local), shape (points,); joint at 95 %."""
    case = CASES[name]
    rows = simulated.along(case.axis, case.values, migration, **case.fixed)
    estimates, widths = simulated.table(rows, case.axis, quantity)
    wide = simulated.joint(sum(map(len, widths.values())))
    return estimates, {key: wide * width for key, width in widths.items()}


@functools.cache
def static(name):
    """Both quantities of the static policies at the points of a case, nan where there is no answer.

    Returns
    -------
    dict
        ("HPRS", "PS"), ("HPRS", "GPPS"), ("VPRS", None): dict of quantity to shape (points,).
    """
    found = {key: {DEVIATION: [], LOSS: []} for key in (("HPRS", "PS"), ("HPRS", "GPPS"), ("VPRS", None))}
    case = CASES[name]
    for system, whole in zip(case.systems(), case.whole):
        P, required, loads = (system[key] for key in ("processors", "required_shares", "loads"))
        for (policy, local), values in found.items():
            if policy == "VPRS":
                answer = splitting.vertical(required, loads, P) if whole else None
            else:
                known = local == "PS" or sum(loads) < CHAINS_TO + 1e-9
                answer = splitting.horizontal(required, loads, (1 / P,) * P, local) if known else None
            values[DEVIATION].append(np.nan if answer is None else answer.group_share_deviation.max())
            values[LOSS].append(np.nan if answer is None else answer.capacity_loss)
    return {key: {name: np.array(each) for name, each in values.items()} for key, values in found.items()}


def below(name, better, worse, quantity=DEVIATION):
    """By how much one combination is below another at each point, beyond both intervals: above 0 where it is.

    Parameters
    ----------
    name : str
        Of `CASES`.
    better, worse : tuple of str
        (policy, local); HPRS too.
    quantity : str

    Returns
    -------
    ndarray, shape (points,)
    """
    (low, around_low), (high, around_high) = (value(name, key, quantity) for key in (better, worse))
    return high - low - around_low - around_high


def value(name, key, quantity=DEVIATION):
    """Estimate and half width of a combination, or the exact value of a static one and 0; shape (points,) each."""
    if key[0] in ("HPRS", "VPRS"):
        exact = static(name)[key][quantity]
        return exact, np.zeros_like(exact)
    estimates, widths = measured(name, quantity)
    return estimates[key], widths[key]
