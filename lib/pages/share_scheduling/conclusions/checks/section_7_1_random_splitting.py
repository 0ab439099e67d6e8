"""Claims of `thesis`, Section 7.1, items 4, 5 and 8: dynamic policies, static ones, and vertical partitioning."""

import itertools

import numpy as np

from compendium.press.clauses import aside, at_each, conclude, exact
from compendium.press.clauses.conditions import at_least, larger
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.central.points.by_case import TEN, as_exact_with_migration
from pages.share_scheduling.central.systems import LOCAL
from pages.share_scheduling.conclusions.points import compared
from pages.share_scheduling.conclusions.points.compared import DEVIATION, EQUAL, FIGURES, LOSS, WITH, WITHOUT

MUCH, CLOSE = SCALE["much"].least, SCALE["close"].most
WORDS = {DEVIATION: "deviation", LOSS: "loss"}


def on_a_hundred(other, quantity, part=1.0, itself=False):
    """By how much JSQ is below a static policy, or a part of it, on a hundred processors: rows for `one_row`."""
    for migration in (WITHOUT, WITH):
        mine, around, static = compared.of_a_hundred(migration, quantity)
        yield (part - 1) * static[other] if itself else part * static[other] - mine, 0 * around if itself else around


@check("thesis-7-001", instead="VPRS")
def shortest_queue_against_vertical(instead="JSQ"):
    """Both quantities of JSQ against VPRS where the groups require whole processors; the control takes VPRS for JSQ."""
    itself, more = instead == "VPRS", {}
    for quantity in WORDS:
        cases = [
            compared.points([(*figure, (instead, local), ("VPRS", None)) for local in LOCAL], quantity)
            for figure in FIGURES
        ]
        mine, chance = compared.of_two(quantity)
        rows = [(each.value, each.half) for each in cases] + [*on_a_hundred("VPRS", quantity, itself=itself)]
        rows.append((0 * chance if itself else chance - mine, 0 * chance))
        more[quantity] = compared.one_row(rows, quantity), cases
    names = [f"{name} with migration" if moves else name for name, moves in FIGURES]
    not_lower = [int((each.low() <= EQUAL).sum()) for each in more[DEVIATION][1]]
    return conclude(
        *(
            at_each(f"the {word} under VPRS, less that under JSQ,", more[quantity][0], larger())
            for quantity, word in WORDS.items()
        ),
        *(aside(f"points at which it is not so, of the deviation in {name}", exact(few))
          for name, few in zip(names, not_lower) if few),
        together="point",
        provided=[as_exact_with_migration()],
    )  # fmt: skip


@check("thesis-7-008", instead=True)
def dramatically(instead=False):
    """JSQ against HPRS and VPRS; in the control each of these takes the place of JSQ."""

    def gains(quantity, part=1.0):
        rows = []
        for other in ("HPRS", "VPRS"):
            settings = [
                (*figure, key if instead else ("JSQ", local), key)
                for figure, local in itertools.product(FIGURES, LOCAL)
                for key in [(other, local if other == "HPRS" else None)]
            ]
            places = (lambda name: compared.loads(name) <= 0.9 + EQUAL) if other == "HPRS" else None
            found = compared.points(settings, quantity, part, places)
            rows += [(found.value, found.half), *on_a_hundred(other, quantity, part, instead)]
        return compared.one_row(rows, quantity)

    less, half = gains(DEVIATION), gains(DEVIATION, 1 - MUCH)
    high = (less.value - half.value) / MUCH > CLOSE  # under random splitting
    return conclude(
        at_each("half of what random splitting loses, less what JSQ loses,", gains(LOSS, 1 - MUCH), at_least(0)),
        at_each("the deviation of random splitting, less that of JSQ,", less, larger("much")),
        aside("points at which random splitting deviates by more than 0.05", exact(np.count_nonzero(high))),
        aside("those of them at which JSQ deviates by at most half of that", exact(int((half.low() >= 0)[high].sum()))),
        provided=[as_exact_with_migration()],
    )


@check("thesis-7-015", instead="HPRS")
def vertical_against_horizontal(instead=None):
    """VPRS against HPRS, SVP and DVP against HP; the control takes HPRS in place of the vertical ones."""

    def static():
        for (name, migrates), local in itertools.product(FIGURES, LOCAL):
            if not migrates:
                yield name, WITHOUT, (instead, local) if instead else ("VPRS", None), ("HPRS", local)

    def dynamic(other, migration):
        for name, migrates in FIGURES:
            for pair in compared.combinations((instead,) if instead else ("SVP", "DVP"), (other,)):
                if migrates == migration:
                    yield name, migrates, *pair

    def loss():
        for name in TEN:
            for first, second in compared.combinations(("SVP", "DVP"), ("HP",)):
                yield name, WITHOUT, second, first

    beside = {
        "the deviation of SVP or DVP is below that of JSQ without migration": compared.points(dynamic("JSQ", WITHOUT)),
        "it is so with migration": compared.points(dynamic("JSQ", WITH)),
        "the loss of SVP or DVP is above that of HP without migration": compared.points(loss(), LOSS),
    }
    return conclude(
        at_each("the deviation of HPRS, less that of VPRS,", compared.points(static()), larger()),
        at_each("without migration that of HP, less that of SVP or DVP,", compared.points(dynamic("HP", WITHOUT)),
                larger()),
        at_each("with migration that of HP, less that of SVP or DVP,", compared.points(dynamic("HP", WITH)), larger()),
        *(
            aside(f"{what}, at so many points of {len(found.value)}", exact(int((found.low() > EQUAL).sum())))
            for what, found in beside.items()
        ),
        provided=[as_exact_with_migration()],
    )  # fmt: skip
