"""Claims of `thesis`, Section 1.6.2: what incomplete information costs."""

from compendium.press.clauses import at_each, conclude
from compendium.press.clauses.conditions import at_most
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.growing import excess_at
from pages.share_scheduling.distributed.points.limits import five
from pages.share_scheduling.distributed.points.stored import WORDS
from pages.share_scheduling.distributed.systems import LIMITS
from pages.share_scheduling.distributed.witnesses.alone import nobody_asked


@check("thesis-1-017", probed=1)
def negligible_loss_of_information(probed=None):
    """Delta^G and Delta^T above those of full probing, from 30 % probed on; the control has one processor probed."""
    limits = LIMITS[3:-1] if probed is None else (probed,)  # with nine asked both are one system
    part, clauses = 0.3 if probed is None else probed, []
    for quantity, word in WORDS.items():
        excess = five(quantity).at(limit=limits) - five(quantity).at(limit=9)
        clauses += [
            at_each(f"what {word} is above that of full probing", excess, at_most("practically equal")),
            at_each("that with as large a part asked of 4 to 20 processors", excess_at(quantity, part),
                    at_most("practically equal")),
        ]  # fmt: skip
    return conclude(*clauses, provided=nobody_asked())
