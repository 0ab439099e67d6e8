"""Claims of `thesis`, Sections 6.1, 6.7.1 and 6.8: what the first probed processors bring, and what the others do."""

from dataclasses import replace

import numpy as np

from compendium.press.clauses import aside, at_each, conclude, everywhere, exact
from compendium.press.clauses.conditions import agrees, at_most, falls, larger, smaller, within
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.growing import excess_at
from pages.share_scheduling.distributed.points.limits import five
from pages.share_scheduling.distributed.points.network_times import by_migration_time
from pages.share_scheduling.distributed.points.stored import (
    DEVIATION,
    LOSS,
    UTILISATION,
    WORDS,
    as_it_stands,
    beside,
    extremes,
)
from pages.share_scheduling.distributed.systems import LIMITS
from pages.share_scheduling.distributed.witnesses.alone import (
    at_limits,
    by_chance,
    clearly_below_isolation,
    own_processors,
)


@check("thesis-6-011", plain=True)
def small_number_of_probes(plain=False):
    """One to three probed against Isolation; the control has Isolation by the plain event loop for each policy."""
    return conclude(*clearly_below_isolation((1, 2, 3), plain))


@check("thesis-6-043", plain=True)
def twenty_to_thirty_percent(plain=False):
    """Two and three of ten probed against Isolation; the control as of thesis-6-011."""
    return conclude(*clearly_below_isolation((2, 3), plain))


@check("thesis-6-012", plain=True)
def from_two_to_three(plain=False):
    """The step of the loss from two to three probed, in parts of it; Isolation gains nothing."""
    gain = at_limits(LOSS, 2, plain) - at_limits(LOSS, 3, plain)
    steps = five(LOSS).steps("limit")
    return conclude(
        at_each("the loss with two asked, less that with three,", gain, larger("clear")),
        aside("that gain in parts of the capacity", gain),
        aside("the largest fall from one limit to the next, in parts of the larger loss,",
              exact((-steps.value / steps.terms[1].value).max(axis=(0, 1)), step=steps.axes[-1][1])),
    )  # fmt: skip


@check("thesis-6-013", limits=LIMITS[:8])
def flat_from_two(limits=LIMITS[2:]):
    """The range of Delta^G over the limits; the control begins with none."""
    most, least = extremes(five(DEVIATION).at(limit=limits), "limit")
    return conclude(
        at_each("the largest deviation of these limits, less the smallest,", most - least, at_most("close"))
    )


@check("thesis-6-014", plain=True)
def about_zero(plain=False):
    """Delta^G with three probed in case 1; the control is Isolation."""
    return conclude(at_each("the deviation", at_limits(DEVIATION, 3, plain).at(case=1), within("close")))


@check("thesis-6-102", limits=(3, 9))
def thirty_percent_against_none(limits=(0, 3)):
    """Three probed against none, as the measures stand; the control has nine against three."""
    (none, some), clauses = limits, []
    for quantity, word in WORDS.items():
        found = five(quantity)
        first = found.at(limit=none, **({"policy": "JSQ"} if none == 0 else {}))  # JSQ that asks nobody is Isolation
        gain = as_it_stands(first - found.at(limit=some))
        before, after = (found.at(limit=limit) for limit in limits)
        relative = exact(1 - after.value / before.value, **dict(before.axes))
        clauses += [at_each(f"what {word} falls by", gain, larger("clear")),
                    aside(f"the fall of {word} relative to the policy's own with {none} asked", relative)]  # fmt: skip
    return conclude(*clauses)


@check("thesis-6-103", of_limits=(2, 3), reference=0)
def marginal_beyond(of_limits=(4, 5, 6, 7, 8, 9), reference=3):
    """What four to nine probed gain over three; the control has two and three over none."""
    gains = {
        word: as_it_stands(five(quantity).at(limit=reference) - five(quantity).at(limit=of_limits))
        for quantity, word in WORDS.items()
    }
    return conclude(
        *(at_each(f"what {word} falls by", gain, at_most("close")) for word, gain in gains.items()),
        *(aside(f"the largest fall of {word}", gain.largest("policy").largest("case")) for word, gain in gains.items()),
        provided=[
            everywhere(f"{word} with nobody asked, less that of Isolation,",
                       five(quantity).at(policy=("JSQ", "HP", "DVP"), limit=0) - by_chance(quantity), agrees())
            for quantity, word in WORDS.items()
        ],
    )  # fmt: skip


@check("thesis-6-143", plain=True)
def strictly_decreasing(plain=False):
    """Every step from a limit to the next; Isolation does not change."""
    steps = {word: at_limits(quantity, LIMITS, plain).steps("limit") for quantity, word in WORDS.items()}
    return conclude(
        *(at_each(f"{word}, from a limit to the next,", step, falls()) for word, step in steps.items()),
        *(aside(f"the step of {word} that rises most", step.largest("case")) for word, step in steps.items()),
    )


@check("thesis-6-144", limits=(2, 4))
def sharp_at_first(limits=(0, 2)):
    """Delta^G with none less that with two; the control has two less four."""
    first, second = (five(DEVIATION).at(limit=limit) for limit in limits)
    return conclude(at_each(f"the deviation with {limits[0]} asked, less that with {limits[1]},", first - second,
                            larger("clear")))  # fmt: skip


@check("thesis-6-147", limit=1)
def optimum_at_three(limit=3):
    """Three probed against the best of all limits; the control has one probed."""
    clauses = []
    for quantity, word in WORDS.items():
        _, least = extremes(five(quantity), "limit")
        gap = five(quantity).at(limit=limit) - least
        clauses += [at_each(f"{word} with {limit} asked, less the smallest of all limits,", gap,
                            at_most("practically equal")), aside(f"that gap of {word} as it stands", gap)]  # fmt: skip
    return conclude(*clauses)


@check("thesis-1-017", probed=1)
def negligible_loss_of_information(probed=None):
    """Delta^G and Delta^T above those of full probing, from 30 % probed on; the control has one processor probed."""
    limits = LIMITS[3:] if probed is None else (probed,)
    part, clauses = 0.3 if probed is None else probed, []
    for quantity, word in WORDS.items():
        excess = as_it_stands(five(quantity).at(limit=limits) - five(quantity).at(limit=9))
        excess = replace(excess, half=excess.half * (np.array(limits) < 9))  # with nine asked both are one system
        clauses += [
            at_each(f"what {word} is above that of full probing", excess, at_most("practically equal")),
            at_each("that with as large a part asked of 4 to 20 processors", excess_at(quantity, part),
                    at_most("practically equal")),
        ]  # fmt: skip
    return conclude(*clauses)


@check("thesis-7-009", alone=True)
def better_than_splitting(alone=False):
    """One to three probed against HPRS and VPRS; the control has Isolation with VP arrivals for each policy."""
    limits, clauses = (1, 2, 3), []
    for quantity, word in WORDS.items():
        found = five(quantity).at(limit=limits)
        if alone:
            found = own_processors(quantity) - exact(np.zeros(found.value.shape), **dict(found.axes))
        more = {name: found - static(quantity) for name, static in (("HPRS", by_chance), ("VPRS", own_processors))}
        clauses += [
            at_each(f"{word}, less that of HPRS or VPRS, whichever is lower,",
                    beside("splitting", more).largest("splitting"), smaller()),
            *(aside(f"{word}, less that of {name}", each) for name, each in more.items()),
        ]  # fmt: skip
    return conclude(*clauses)


@check("thesis-7-016", slow=True)
def feasible_to_run(slow=False):
    """A policy that does well at little cost; in the control migrations take ten times as long, in case 1."""
    if slow:
        deviation, busy = (by_migration_time(quantity, (0.1,)) for quantity in (DEVIATION, UTILISATION))
    else:
        deviation, busy = (five(quantity).at(limit=3) for quantity in (DEVIATION, UTILISATION))
    largest = deviation.largest(deviation.axes[-1][0])
    best = largest.axes[0][1][largest.value.argmin()]
    return conclude(
        at_each(
            f"the deviation of {best}, whose largest is the smallest,", deviation.at(policy=best), at_most("close")
        ),
        at_each("its utilisation of the network", busy.at(policy=best), at_most(0.05)),
        aside("the largest deviation", largest),
        together=deviation.axes[-1][0],
    )
