"""Claims of `thesis`, Section 5.7.2: equal promises and unequal loads, with migration."""

from dataclasses import replace

import numpy as np

from compendium.press.clauses import aside, at_each, cases, conclude, everywhere, exact, somewhere
from compendium.press.clauses.conditions import at_least, equal, larger, not_larger, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points import by_case as points
from pages.share_scheduling.central.points.migration import guests_stay, modest, stays
from pages.share_scheduling.central.systems import FRACTIONS, LOCAL

SOME = FRACTIONS[1:]  # at 0 group 1 brings nothing


@check("thesis-5-187", migration=False)
def half_is_left(migration=True):
    """What migration gains in case 2, and what part of the deviation; the control has migration in neither."""
    gained, before = (
        points.gains("case 2", migration=migration).at(fraction=SOME),
        points.of("case 2").at(fraction=SOME),
    )
    spread, all_of_it = gained.at(policy=points.SPREAD), before.at(policy=points.SPREAD)
    part = replace(spread, value=spread.value / all_of_it.value - 0.5, half=spread.half / np.abs(all_of_it.value))
    missed = part.where(all_of_it.value > SCALE["close"].most, "the deviation without migration is at most 0.05")
    return conclude(
        at_each("what migration takes off the deviation", gained, larger()),
        at_each("what part of it is gone under JSQ and HP, as estimated, less a half", points.estimates(missed),
                within(SCALE["close"].most)),
        aside("on two processors, by the chain, the deviation of a group with a tenth of the load under DVP",
              exact([modest("DVP", moves) for moves in (False, migration)], migration=("without", "with"))),
    )  # fmt: skip


@check("thesis-5-188", horizontal="SVP", static="HP")
def guests_sent_back(horizontal="HP", static="SVP"):
    """The policies in case 2 with migration, and SVP whose guests stay; the control exchanges HP and SVP."""
    found, vertical = points.of("case 2", migration=True).at(fraction=SOME), (static, "DVP")
    pairs = ((horizontal, "JSQ"), ("DVP", static))
    order = cases("pair", pairs, [f"{one} less {other}" for one, other in pairs]).measure(
        lambda one, other: found.at(policy=one) - found.at(policy=other)
    )
    gained = points.gains("case 2").at(policy=vertical, fraction=SOME)
    almost = gained.at(fraction=tuple(x for x in SOME if x >= 0.45)).largest("fraction")
    chains = cases("chain", [(local, load) for local in LOCAL for load in (0.4, 0.8)]).measure(
        lambda local, load: np.subtract(*guests_stay(local)[load][1::-1])
    )
    library = cases("local policy", LOCAL).measure(
        lambda local: np.ptp([guests_stay(local)[0.4][:2], [stays(local), stays(local, "guests stay")]], axis=0).max()
    )
    return conclude(
        at_each("the deviation", order, larger()),
        somewhere(f"that of {horizontal}", found.at(policy=horizontal), at_least(SCALE["close"].most)),
        at_each(f"that of {' and '.join(vertical)}", found.at(policy=vertical), not_larger()),
        everywhere("their largest gain from migration and that where the loads are almost equal, as estimated,",
                   points.estimates(gained).largest("fraction") - points.estimates(almost), equal(0)),
        everywhere("on two processors, by chains, what it adds to the deviation if no guest is sent back", chains,
                   larger(1e-6)),
        *(
            somewhere(f"in {case}, the deviation of JSQ less that of {horizontal}",
                      points.less(points.of(case, migration=True), ("JSQ",), (horizontal,)), not_larger())
            for case in ("case 1", "case 1 against P", "case 3")
        ),
        provided=[
            somewhere("the deviation", order, larger()),
            everywhere("the deviations on two processors by the library's chains and by these", library, equal(1e-8)),
        ],
    )  # fmt: skip
