"""Stored points of `thesis`, Section 5.6, of which Chapter 6 reminds, by policy."""

import numpy as np

from compendium.press.clauses import measured
from pages.share_scheduling.central.points.by_case import CASES, DEVIATION
from pages.share_scheduling.conclusions.points.compared import WITH, WITHOUT, value

MIGRATION = {WITHOUT: "without migration", WITH: "with migration"}


def of_case(case, migration, local, policies, quantity=DEVIATION):
    """A quantity by policy and by the points of a case of Section 5.6, whose intervals are joint already."""
    found = [value(case, migration, (policy, local), quantity) for policy in policies]
    values, halves = (np.array([each[k] for each in found]) for k in (0, 1))
    axis = {CASES[case].axis: CASES[case].values}
    return measured(values, halves, risk=None, as_it_stands=quantity == DEVIATION, policy=policies, **axis)
