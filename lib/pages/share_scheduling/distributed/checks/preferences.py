"""Claims of `thesis`, Sections 6.7.7 and 6.8: what preferences for a group's own processors change."""

from dataclasses import replace

import numpy as np

from clustershare import dispatch
from compendium.press.clauses import aside, at_each, conclude, everywhere, exact, fact, somewhere
from compendium.press.clauses.conditions import agrees, at_most, falls, larger, short_of, within
from compendium.press.findings import check
from compendium.press.words import SCALE
from pages.share_scheduling.distributed.points.preferences import (
    BELOW,
    OTHERS,
    PAIRS,
    VERTICAL,
    chosen,
    confined,
    of_jsq,
    of_others,
)
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, beside, largest_of
from pages.share_scheduling.distributed.systems import ALL_CASES, LIMITS

EXACT_ZERO = 0.004  # the half width asked of a row of Chapter 6


@check("thesis-6-036", limit=4)
def small_reduction(limit=1):
    """Case 1: how far below the three other pairs VP/VP is; the control asks four."""
    vertical, others = (each.at(limit=limit) for each in chosen(limits=(limit,)))
    return conclude(
        at_each(f"the deviation of another pair, less that of VP/VP, with {limit} asked", others - vertical, larger(),
                at_most("close")),
        aside("that of VP/VP", vertical),
    )  # fmt: skip


@check("thesis-6-037", departures=True)
def worse_with_three_or_four(departures=False):
    """Case 1: where VP/VP is above the other pairs; in the control departures ask with VP preference too."""
    vertical, others = chosen(limits=(3, 4), departures=departures)
    return conclude(at_each("the deviation of VP/VP, less that of another pair,", vertical - others, larger()),
                    aside("that of VP/VP", vertical))  # fmt: skip


@check("thesis-6-038", exchanged=True)
def clearly_better(exchanged=False):
    """Case 2: how far below the others VP/VP is; the control looks for the reverse."""
    vertical, others = chosen(case=2)
    more = vertical - others if exchanged else others - vertical
    rest = chosen(case=2, limits=(0, 5, 6, 7, 8, 9))
    return conclude(
        *(at_each("the deviation of another pair, less that of VP/VP,", more, larger(by)) for by in ("clear", 0)),
        aside("the largest difference with none, or five to nine, asked", (rest[1] - rest[0]).largest("pair")),
        aside("the difference if departures ask with VP preference too", others - chosen(case=2, departures=True)[0]),
    )


@check("thesis-6-039", case=1)
def unstable(case=2):
    """Group 2 with VP/VP: its deviation and the growth of its number; the control is case 1."""
    limits = (0, *BELOW)

    def at(quantity, **other):
        return of_jsq(quantity, case, 1, **other).at(pair=VERTICAL, limit=limits)

    others = {
        "without migration": [at(name, migration=False) for name in (DEVIATION, "growth")],
        "if departures ask with VP preference too": [confined(name, case, 1).at(limit=limits)
                                                     for name in (DEVIATION, "growth")],
    }  # fmt: skip
    return conclude(
        at_each("the deviation of group 2", at(DEVIATION), within("practically equal")),
        at_each("the growth of its number per unit of time", at("growth"), larger()),
        *(aside(f"{word} {where}", points) for where, pair in others.items()
          for word, points in zip(("that deviation", "that growth"), pair)),
        together="limit",
    )  # fmt: skip


@check("thesis-6-040", group=1, migration=False)
def all_of_its_subset_known(group=0, migration=True):
    """Delta_1 with four asked; the control looks at group 2 without migration, of which some job always waits."""

    def at(index, **other):
        return of_jsq(DEVIATION, 2, index, **other).at(pair=VERTICAL, limit=4)

    return conclude(
        everywhere(
            f"the deviation of group {group + 1}", at(group, **({} if migration else {"migration": False})), agrees()
        ),
        aside("the larger deviation of both", at(None)),
        aside("that of group 1 if departures ask with VP preference too", confined(DEVIATION, 2, 0).at(limit=4)),
        aside("that of group 1 without migration", at(0, migration=False)),
        aside("the loss of five processors by themselves", exact(five_alone())),
    )


def five_alone():
    """The loss of five processors by themselves at load 0.4 under JSQ without migration, which knows no groups."""
    found = dispatch.simulate_central(
        policy="JSQ", local="PS", migration=False, required_shares=(0.5, 0.5), loads=(0.2, 0.2), processors=5,
        jumps=400_000, warmup=10_000, replications=8, seed=640,
    )  # fmt: skip
    return found.capacity_loss.value


@check("thesis-6-042", narrow=True)
def none_outperforms(narrow=False):
    """Where each pair is beaten; the control is case 2 with one to four asked and without migration."""
    which, limits = ((2,), BELOW) if narrow else (ALL_CASES, LIMITS[1:])
    other = {"migration": False} if narrow else {}
    found = beside("case", {case: of_jsq(DEVIATION, case, **other).at(limit=limits) for case in which})
    losses = [np.ptp(of_jsq(LOSS, case, **other).at(limit=limits).value, axis=0).max() for case in which]
    more = {pair: found.at(pair=pair) - found.at(pair=tuple(p for p in PAIRS if p != pair)) for pair in PAIRS}
    clear = [pair for pair, each in more.items() if (each.high(each.widened(4 * each.asked)) <= -0.1).all()]
    return conclude(
        *(
            somewhere(f"the deviation of {pair}, less that of another pair,", each, larger())
            for pair, each in more.items()
        ),
        aside("the largest difference of losses", exact(losses, case=which)),
        provided=[
            fact("no pair is clearly better everywhere", not clear, f"{', '.join(clear)} is clearly better everywhere")
        ],
    )


@check("thesis-6-167", limits=(9,))
def can_matter(limits=LIMITS):
    """The largest differences between pairs; in the control all others are asked."""
    clauses = []
    for quantity, word in ((DEVIATION, "the deviation"), (LOSS, "the loss")):
        found = beside("case", {case: of_jsq(quantity, case).at(limit=limits) for case in ALL_CASES})
        more = found - replace(
            found, axes=tuple(("other pair" if noun == "pair" else noun, at) for noun, at in found.axes)
        )
        clauses += [somewhere(f"{word} of a pair, less that of another pair,", more, larger("clear")),
                    largest_of(f"the largest difference of {word}", more)]  # fmt: skip
    return conclude(*clauses)


@check("thesis-6-169", limits=(9,))
def capacity_unused(limits=BELOW):
    """Case 1: the loss of VP/VP against the other pairs; in the control all are known."""
    vertical, others = chosen(LOSS, limits=limits)
    stay = of_jsq(LOSS, migration=False).at(limit=limits)
    return conclude(
        *(
            at_each("the loss of VP/VP, less that of another pair,", vertical - others, larger(by))
            for by in ("much", 0)
        ),
        *(aside(f"the loss of {pair}", of_jsq(LOSS).at(pair=pair, limit=limits)) for pair in PAIRS),
        aside("the loss of VP/VP if departures ask with VP preference too", confined(LOSS).at(limit=limits)),
        *(aside(f"the loss of {pair} without migration", stay.at(pair=pair)) for pair in PAIRS),
    )


@check("thesis-6-171", pair="HP/HP")
def no_loss_within(pair=VERTICAL):
    """Case 2: the loss within the subset of group 1; the control has HP for both."""

    def at(quantity, **other):
        return of_jsq(quantity, 2, 0, **other).at(pair=pair, limit=BELOW)

    return conclude(
        at_each("the loss within the subset of group 1", at("subset_loss").steps("limit"), falls()),
        at_each("that loss with four asked", at("subset_loss").at(limit=4), at_most(EXACT_ZERO)),
        aside("that loss", at("subset_loss")),
        aside("half the deviation of group 1", at(DEVIATION).scaled(0.5)),
        aside("that loss without migration", at("subset_loss", migration=False)),
    )


@check("thesis-6-172", vertical_too=False)
def only_both(vertical_too=True):
    """Case 2 against HP/HP; the control has HP/HP in place of VP/VP."""
    vertical, others = chosen(case=2)
    plain, mixed = others.at(pair="HP/HP"), others.at(pair="HP/HP") - others.at(pair=("HP/VP", "VP/HP"))
    both = plain - (vertical if vertical_too else plain)
    wide = both.widened(mixed.asked + both.asked)
    clear = (mixed.low(wide) >= SCALE["clear"].least).all(axis=-1).any()
    return conclude(
        at_each("what a mixed pair takes from the deviation of HP/HP", mixed, short_of("clear")),
        at_each("what VP/VP takes from it", both, larger("clear")),
        *(aside(f"what {pair} takes from it", mixed.at(pair=pair)) for pair in ("HP/VP", "VP/HP")),
        aside("at how many points a mixed pair is better at all", exact(np.sum(mixed.low(wide) > 0))),
        provided=[
            fact("VP/VP is better somewhere", bool((both.low(wide) > 0).any()), "VP/VP is better nowhere"),
            fact("no mixed pair is clearly better everywhere", not clear, "a mixed pair is clearly better everywhere"),
        ],
    )


@check("thesis-6-173", exchanged=True)
def other_policies_too(exchanged=False):
    """HP, SVP and DVP: VP/VP less HP/HP in case 1, and the reverse in case 2; the control exchanges the cases."""
    first, second = (2, 1) if exchanged else (1, 2)
    more = {case: of_others(VERTICAL, case=case) - of_others("HP/HP", case=case) for case in (1, 2)}
    return conclude(
        at_each(
            f"in case {first}, the deviation of VP/VP, less that of HP/HP,", more[first].at(limit=(3, 4)), larger()
        ),
        at_each(f"in case {second}, that of HP/HP, less that of VP/VP,", -more[second], larger("clear")),
        *(aside(f"the second difference of {policy}", (-more[second]).at(policy=policy)) for policy in OTHERS),
    )
