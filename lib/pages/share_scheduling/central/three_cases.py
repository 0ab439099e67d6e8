"""The three cases of `thesis`, Section 5.6, as arrays: simulated combinations, and static policies beside them.

Deviations are of the group with the larger one.
"""

import functools

import numpy as np

from pages.share_scheduling.central import simulated
from pages.share_scheduling.central.points import CASES, DEVIATION, static


@functools.cache
def measured(name, quantity=DEVIATION, migration=False):
    """Estimates and half widths of a case by (policy, local), shape (points,); joint at 95 %."""
    case = CASES[name]
    rows = simulated.along(case.axis, case.values, migration, **case.fixed)
    estimates, widths = simulated.table(rows, case.axis, quantity)
    wide = simulated.joint(sum(map(len, widths.values())))
    return estimates, {key: wide * width for key, width in widths.items()}


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
