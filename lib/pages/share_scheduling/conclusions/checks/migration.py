"""Claim of `thesis`, Section 7.1, item 7: whom migration helps most."""

import itertools

import numpy as np

from compendium.press.findings import Finding, check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points.by_case import TEN
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.conclusions.compared import DEVIATION, EQUAL, LOSS, WITH, WITHOUT, parts, value

CLEAR = SCALE["clear"].least


@check("thesis-7-014", migration=False)
def whom_migration_helps(migration=True):
    """Gains of SVP and DVP against those of JSQ and HP; in the control no job migrates."""
    holds = {name: [] for name in ("Delta^G, vertical more", "Delta^T, vertical more", "Delta^G, 0.1 and more",
                                   "Delta^T, a tenth and more")}  # fmt: skip
    for name, local in itertools.product(TEN, LOCAL):
        for quantity, symbol in ((DEVIATION, "Delta^G"), (LOSS, "Delta^T")):
            gain, around, before = {}, {}, {}
            for policy in ("JSQ", "HP", "SVP", "DVP"):
                before[policy], wide = value(name, WITHOUT, (policy, local), quantity)
                after, narrow = value(name, WITH if migration else WITHOUT, (policy, local), quantity)
                gain[policy], around[policy] = before[policy] - after, wide + narrow
            for first, second in itertools.product(("SVP", "DVP"), ("JSQ", "HP")):
                margin = around[first] + around[second] + EQUAL
                holds[f"{symbol}, vertical more"].append(gain[first] - gain[second] > margin)
            for policy in ("JSQ", "HP"):
                if quantity == DEVIATION:
                    holds["Delta^G, 0.1 and more"].append(gain[policy] - around[policy] >= CLEAR)
                else:
                    least = CLEAR * before[policy] + around[policy]
                    holds["Delta^T, a tenth and more"].append((gain[policy] >= least) & (gain[policy] > EQUAL))
    holds = {name: np.concatenate(found) for name, found in holds.items()}
    everywhere, somewhere = (test(np.concatenate(list(holds.values()))) for test in (np.all, np.any))
    verdict = "agrees" if everywhere else "agrees in part" if somewhere else "differs"
    return Finding(f"gains from migration: {parts(holds)}", verdict)
