"""Claim of `thesis`, Section 7.1, item 7: whom migration helps most."""

import itertools

from compendium.press.clauses import at_each, conclude
from compendium.press.clauses.conditions import larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points.by_case import TEN, as_exact_with_migration
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.conclusions.points.compared import DEVIATION, LOSS, WITH, WITHOUT, one_row, value

CLEAR = SCALE["clear"].least
VERTICAL, HORIZONTAL = ("SVP", "DVP"), ("JSQ", "HP")


@check("thesis-7-014", migration=False)
def whom_migration_helps(migration=True):
    """Gains of SVP and DVP against those of JSQ and HP; in the control no job migrates."""
    more, clear = {DEVIATION: [], LOSS: []}, {DEVIATION: [], LOSS: []}
    for name, local, quantity in itertools.product(TEN, LOCAL, more):
        gain, around, before = {}, {}, {}
        for policy in (*VERTICAL, *HORIZONTAL):
            before[policy], wide = value(name, WITHOUT, (policy, local), quantity)
            after, narrow = value(name, WITH if migration else WITHOUT, (policy, local), quantity)
            gain[policy], around[policy] = before[policy] - after, wide + narrow
        for first, second in itertools.product(VERTICAL, HORIZONTAL):
            more[quantity].append((gain[first] - gain[second], around[first] + around[second]))
        for policy in HORIZONTAL:
            least = CLEAR * before[policy] if quantity == LOSS else CLEAR
            clear[quantity].append((gain[policy] - least, around[policy]))
    return conclude(
        *(
            at_each(f"what migration takes off the {word} of SVP or DVP, less what it takes off that of JSQ or HP,",
                    one_row(more[quantity]), larger())
            for quantity, word in ((DEVIATION, "deviation"), (LOSS, "loss"))
        ),
        at_each("what it takes off the deviation of JSQ or HP, less 0.1,", one_row(clear[DEVIATION]), larger()),
        at_each("what it takes off the loss of JSQ or HP, less a tenth of that,", one_row(clear[LOSS]), larger()),
        provided=[as_exact_with_migration()],
    )  # fmt: skip
